/* Downsampling: writes only as many rows as can be distinguished in a picture.
 *
 * A query file divides the picture into cells, by intervals or values of columns: `-- thin:
 * time/1200 id/600 name`. Of the rows in a cell, only the first is kept, with the number of rows in
 * the cell. With `weight=duration`, one at random is kept, with the sum of their durations, so that
 * of cells that hold several states each state gets its share of the picture. The width of
 * intervals depends on the rows so far: when a column's range grows, its intervals double, and kept
 * rows are merged. So memory grows with the number of used cells, not of rows. */
#ifndef TRACETOOL_DOWNSAMPLE_H
#define TRACETOOL_DOWNSAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "output/printer.h"

#define DOWNSAMPLING_KEYS 5

/* Limit of rows kept in memory. If there would be more, intervals become wider than requested. */
#define DOWNSAMPLING_MOST (UINT32_C(1) << 18)

/* A column whose intervals or values divide the picture into cells. */
struct downsampling_key {
    size_t column;  /* index of the column in the result */
    bool has_plus;  /* true: the value is the sum of two columns, such as time and duration */
    size_t plus;    /* the second column of the sum */
    unsigned parts; /* minimum number of intervals that the range of values is divided into; 0: a
                       cell per value */
};

struct downsampling {
    struct downsampling_key keys[DOWNSAMPLING_KEYS];
    size_t count;
    bool has_weight; /* false: the first row of a cell is kept */
    size_t weight;   /* column of the rows' weights; what is not a positive integer counts as 0 */
};

struct downsample;

/* Returns the state, owned by the caller. Borrows `downsampling`, the columns that define cells. */
struct downsample *downsample_new(const struct downsampling *downsampling);

/* Frees the state; NULL is allowed. */
void downsample_free(struct downsample *downsample);

/* Reads a row. Returns true if it represents its cell from now on: then call downsample_store(). */
bool downsample_keeps_row(struct downsample *downsample, const struct value *values);

/* Stores the output line of the row that downsample_keeps_row() read last. */
void downsample_store(struct downsample *downsample, const char *line, size_t length);

/* Returns the number of rows kept so far. */
uint64_t downsample_count_kept(const struct downsample *downsample);

/* Sets `*line` (borrowed) to the output line that represents cell `i`, counted from 0 in the order
 * of their first rows, and `*weight` to the sum of its rows' weights. Returns the number of rows.
 */
uint64_t downsample_line(const struct downsample *downsample, size_t i, const char **line,
                         size_t *length, int64_t *weight);

/* Appends a sentence on the dropped rows: "drawn: 5 of 12 rows; …". Appends nothing if all rows
 * were kept. */
void downsample_append_remark(const struct downsample *downsample, const struct column *columns,
                              struct text *out);

#endif
