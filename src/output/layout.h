/* Fits the columns and texts of a table into a terminal.
 *
 * Names wrap, paths are cut in the middle, numbers are shown whole or not at all. All widths are
 * terminal columns, as wcwidth() counts them. These functions need a UTF-8 locale for LC_CTYPE; in
 * other locales every byte counts as one column. Texts are valid UTF-8 without control characters.
 */
#ifndef TRACETOOL_LAYOUT_H
#define TRACETOOL_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "output/printer.h"

/* Bars for shares, printed next to the numbers. */

/* Appends a bar for a share of `per_cent`: `width` columns at 100 and above, proportionally fewer
 * below, without trailing spaces. With block characters, every share above 0 is visible. Appends
 * nothing if `per_cent` is not a number. */
void bar_append(struct text *out, enum bar_kind kind, double per_cent, size_t width);

/* How a column shrinks when space is short. */
enum layout_role {
    LAYOUT_NUMBER, /* never: a truncated number is a wrong one */
    LAYOUT_NAME,   /* wraps: names that users type stay complete */
    LAYOUT_PATH,   /* is cut in the middle: one row per file matters more than a complete path */
    LAYOUT_TEXT,   /* is cut at the end, marked by … */
    LAYOUT_PROSE,  /* wraps between words */
};

struct layout_column {
    enum layout_role role;
    bool is_empty;  /* true: the column is empty, and always hidden */
    bool is_spare;  /* true: the column is hidden before others */
    size_t worth;   /* columns of greater worth are hidden later; names never are */
    size_t heading; /* width of the column's name */
    size_t natural; /* width of the widest cell or the name: used when there is room */
    size_t least;   /* set by layout_fit(): minimum width */
    size_t width;   /* set by layout_fit(): natural width or less */
    bool left_out;  /* set by layout_fit(): the column is hidden for lack of room */
};

/* Computes the widths of all columns, which are one space apart. If they exceed `room`, texts and
 * prose shrink first, the widest first. Then columns are hidden: spare ones first, then by worth,
 * at equal worth from the right, until names have half of the room and each path a quarter. Then
 * paths shrink, then names. Names are never hidden, so a table with too many of them is wider than
 * `room`. */
void layout_fit(struct layout_column *columns, size_t count, size_t room);

/* Returns the display width of `length` bytes. */
size_t layout_width(const char *bytes, size_t length);

/* Truncates a text wider than `width` (at least 1): the result ends in … and is at most `width`
 * wide. */
void layout_cut(struct text *cell, size_t width);

/* Truncates with … in the middle. Two thirds of the kept text come from the end, the most telling
 * part of a path. */
void layout_cut_middle(struct text *cell, size_t width);

/* Appends `string` in lines of at most `width`. All but the first begin with `before` (not
 * counted). A line breaks at a space, which is dropped. If `breaks` is not empty, it breaks after
 * one of these characters in the line's second half. Otherwise it breaks anywhere. */
void layout_wrap(struct text *out, const char *string, size_t width, const char *breaks,
                 const char *before);

#endif
