/* Fits the columns of a table into the width of a terminal. Names wrap into several lines, paths
 * are cut in the middle, numbers are shown completely or not at all. All widths are terminal
 * columns, as wcwidth() counts them. This needs a UTF-8 locale for LC_CTYPE; in other locales every
 * byte counts as one column. Texts are valid UTF-8 without control characters. */
#ifndef TRACETOOL_LAYOUT_H
#define TRACETOOL_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "output/printer.h"

/* Draws bars for shares, next to the numbers in a table. */

/* Appends a bar for a share of `per_cent`, without trailing spaces: `width` characters for 100 and
 * more, proportionally fewer below. With block characters, even the smallest share above 0 is
 * visible. Appends nothing if `per_cent` is NaN. */
void bar_append(struct text *out, enum bar_kind kind, double per_cent, size_t width);

/* How the texts of a column are shortened if the table is too wide. */
enum layout_role {
    LAYOUT_NUMBER, /* numbers: not shortened, as a truncated number is a wrong one */
    LAYOUT_NAME,   /* names: wrap into lines, as users need the whole name for commands */
    LAYOUT_PATH,   /* paths: the middle is cut out, so that each row stays one line */
    LAYOUT_TEXT,   /* texts: lose their end, which becomes … */
    LAYOUT_PROSE,  /* prose: wraps between words */
};

struct layout_column {
    enum layout_role role;
    bool is_empty;  /* true: the column has no values, and is hidden */
    bool is_spare;  /* true: the column is hidden before columns of greater `worth` */
    size_t worth;   /* columns with a greater value are hidden later; columns of names are never
                       hidden */
    size_t heading; /* width of the column's name */
    size_t natural; /* width of the widest cell or the heading; used if the table fits */
    size_t least;   /* set by layout_fit(): minimum width */
    size_t width;   /* set by layout_fit(): natural width or less */
    bool left_out;  /* set by layout_fit(): the column is hidden for lack of room */
};

/* Computes the widths of all columns, which are one space apart. If the table is wider than `room`,
 * columns of texts and prose shrink first, the widest of them first. Then columns are hidden until
 * names have half of the room and each path a quarter: `is_spare` first, then those with the least
 * `worth`, at equal worth the rightmost. Then paths shrink, then names. Names are never hidden, so
 * a table with too many names stays wider than `room`. */
void layout_fit(struct layout_column *columns, size_t count, size_t room);

/* Returns the width of `length` bytes of text in terminal columns. */
size_t layout_width(const char *bytes, size_t length);

/* Truncates a text that is wider than `width` (at least 1), so that it ends in … and is at most
 * `width` wide. */
void layout_cut(struct text *cell, size_t width);

/* Cuts out the middle of a text that is wider than `width`, and puts … there. Two thirds of the
 * rest are from the text's end, which matters most in a path. */
void layout_cut_middle(struct text *cell, size_t width);

/* Appends `string` in lines of at most `width`. Each line after the first begins with `before`,
 * whose width is not counted. In its second half a line breaks at a space, which is dropped;
 * without a space there, after a character of `breaks`, but not within a number; otherwise at any
 * space; without one anywhere. */
void layout_wrap(struct text *out, const char *string, size_t width, const char *breaks,
                 const char *before);

#endif
