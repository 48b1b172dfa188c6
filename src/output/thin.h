/* Which rows of a picture can be seen.
 *
 * A picture of five million events has far fewer places than that. A query file says what makes up
 * a place (`-- thin: time/1200 id/600 name`): of the rows that share one, the first is kept, with
 * how many it stands for. How wide the parts of a range are follows from the rows seen so far: it
 * doubles when the range grows, and what was kept is looked through once more. So memory grows with
 * the places that are taken, not with the rows, and the range need not be known before.
 */
#ifndef TRACETOOL_THIN_H
#define TRACETOOL_THIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "output/printer.h"

#define THINNING_KEYS 5

/* More than are kept at once: beyond, parts of ranges become wider than was asked for. */
#define THINNING_MOST (UINT32_C(1) << 18)

/* One of the values that make up a place. */
struct thinning_key {
    size_t column;  /* of the result */
    bool has_plus;  /* the value is the sum of two columns: where something ends */
    size_t plus;    /* the second of them */
    unsigned parts; /* at least so many of the range of integers; 0: equal values only */
};

struct thinning {
    struct thinning_key keys[THINNING_KEYS];
    size_t count;
};

struct thin;

/* Owned by the caller. `thinning` is borrowed. */
struct thin *thin_new(const struct thinning *thinning);

/* NULL is allowed. */
void thin_free(struct thin *thin);

/* Looks at a row. True: its place was free, and thin_keep() has to follow. */
bool thin_look(struct thin *thin, const struct value *values);

/* Keeps what is to be written of the row that was looked at last. */
void thin_keep(struct thin *thin, const char *line, size_t length);

/* How many rows are kept. */
uint64_t thin_kept(const struct thin *thin);

/* Gives line `i` (from 0 on, below thin_kept()) in the order in which they came: `*line` is
 * borrowed. Returns for how many rows it stands. */
uint64_t thin_line(const struct thin *thin, size_t i, const char **line, size_t *length);

/* Appends what of the rows is kept, in words: "drawn are 5 of 12 rows: …". Nothing when all are. */
void thin_append_remark(const struct thin *thin, const struct column *columns, struct text *out);

#endif
