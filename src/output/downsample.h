/* Which rows of a picture can be seen.
 *
 * A picture of five million events has far fewer places than that. A query file says what makes up
 * a place (`-- thin: time/1200 id/600 name`): of the rows that share one, the first is kept, with
 * how many it stands for. How wide the parts of a range are follows from the rows seen so far: it
 * doubles when the range grows, and what was kept is looked through once more. So memory grows with
 * the places that are taken, not with the rows, and the range need not be known before.
 */
#ifndef TRACETOOL_DOWNSAMPLE_H
#define TRACETOOL_DOWNSAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "output/printer.h"

#define DOWNSAMPLING_KEYS 5

/* More than are kept at once: beyond, parts of ranges become wider than was asked for. */
#define DOWNSAMPLING_MOST (UINT32_C(1) << 18)

/* One of the values that make up a place. */
struct downsampling_key {
    size_t column;  /* of the result */
    bool has_plus;  /* the value is the sum of two columns: where something ends */
    size_t plus;    /* the second of them */
    unsigned parts; /* at least so many of the range of integers; 0: equal values only */
};

struct downsampling {
    struct downsampling_key keys[DOWNSAMPLING_KEYS];
    size_t count;
};

struct downsample;

/* Owned by the caller. `downsampling` is borrowed. */
struct downsample *downsample_new(const struct downsampling *downsampling);

/* NULL is allowed. */
void downsample_free(struct downsample *downsample);

/* Looks at a row. True: its place was free, and downsample_keep() has to follow. */
bool downsample_look(struct downsample *downsample, const struct value *values);

/* Keeps what is to be written of the row that was looked at last. */
void downsample_keep(struct downsample *downsample, const char *line, size_t length);

/* How many rows are kept. */
uint64_t downsample_kept(const struct downsample *downsample);

/* Gives line `i` (from 0 on, below downsample_kept()) in the order in which they came: `*line` is
 * borrowed. Returns for how many rows it stands. */
uint64_t downsample_line(const struct downsample *downsample, size_t i, const char **line,
                         size_t *length);

/* Appends what of the rows is kept, in words: "drawn are 5 of 12 rows: …". Nothing when all are. */
void downsample_append_remark(const struct downsample *downsample, const struct column *columns,
                              struct text *out);

#endif
