/* Downsampling: keeps only the rows that can be seen in a picture.
 *
 * A picture has far fewer places than five million events. A query file defines a place (`-- thin:
 * time/1200 id/600 name`). Of the rows that share a place, the first is kept, with the number of
 * rows it represents. The width of a range's parts follows from the rows seen so far: when the
 * range grows, the width doubles and the kept rows are merged again. So memory grows with the
 * occupied places, not with the rows, and the range need not be known in advance. */
#ifndef TRACETOOL_DOWNSAMPLE_H
#define TRACETOOL_DOWNSAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "output/printer.h"

#define DOWNSAMPLING_KEYS 5

/* Limit of rows kept at once. Beyond it, the parts of ranges become wider than requested. */
#define DOWNSAMPLING_MOST (UINT32_C(1) << 18)

/* One of the values that define a place. */
struct downsampling_key {
    size_t column; /* index of the column in the result */
    bool has_plus; /* the value is the sum of two columns, such as an end time */
    size_t plus;   /* the second column of the sum */
    unsigned
        parts; /* least number of parts of an integer's range; 0: only equal values share a place */
};

struct downsampling {
    struct downsampling_key keys[DOWNSAMPLING_KEYS];
    size_t count;
};

struct downsample;

/* Returns an owned state. `downsampling` is borrowed. */
struct downsample *downsample_new(const struct downsampling *downsampling);

/* Frees the state; NULL is allowed. */
void downsample_free(struct downsample *downsample);

/* Reads a row. Returns true if its place was free; the caller must then call downsample_store(). */
bool downsample_check(struct downsample *downsample, const struct value *values);

/* Stores the output line of the row that was read last. */
void downsample_store(struct downsample *downsample, const char *line, size_t length);

/* Returns the number of kept rows. */
uint64_t downsample_kept(const struct downsample *downsample);

/* Sets `*line` (borrowed) to kept line `i`, from 0, below downsample_kept(), in order of arrival.
 * Returns the number of rows it represents. */
uint64_t downsample_line(const struct downsample *downsample, size_t i, const char **line,
                         size_t *length);

/* Appends a note on the downsampling: "drawn: 5 of 12 rows; …". Appends nothing if all rows
 * were kept. */
void downsample_append_remark(const struct downsample *downsample, const struct column *columns,
                              struct text *out);

#endif
