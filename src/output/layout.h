/* Where a table's columns find room on a terminal, and how texts are made to fit into them.
 *
 * Names go on in further lines, paths are cut in their middle, numbers are shown whole or not at
 * all. All widths are columns of the terminal, as wcwidth() counts them: these functions want a
 * locale with UTF-8 for LC_CTYPE; in another every byte counts as one. Texts are valid UTF-8
 * without control characters. */
#ifndef TRACETOOL_LAYOUT_H
#define TRACETOOL_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/* How a column that has too little room gives way. */
enum layout_role {
    LAYOUT_NUMBER, /* not at all: half a number is a wrong one */
    LAYOUT_NAME,   /* goes on in further lines: what people type is there whole */
    LAYOUT_PATH,   /* is cut in the middle: a row a file is worth more than a whole path */
    LAYOUT_TEXT,   /* is cut, which a … shows */
    LAYOUT_PROSE,  /* goes on in further lines, broken between words */
};

struct layout_column {
    enum layout_role role;
    bool is_empty;  /* left out in any case */
    bool is_spare;  /* left out before others are */
    size_t worth;   /* the greater, the later it is left out; names never are */
    size_t heading; /* width of its name */
    size_t natural; /* of the widest cell or the name: what it takes when there is room */
    size_t least;   /* set by layout_fit(): what it may shrink to */
    size_t width;   /* set by layout_fit(): natural or less */
    bool left_out;  /* likewise */
};

/* Finds widths for all columns, with one space between two of them. When they do not fit into
 * `room`, texts and prose give way, the widest first; then columns are left out, spare ones first,
 * then by worth and of equal worth from the right, until names have half of the room and each path
 * a quarter; then these give way, paths first. Names are never left out, so that more of them than
 * there is room for are wider than it. */
void layout_fit(struct layout_column *columns, size_t count, size_t room);

/* The width of `length` bytes. */
size_t layout_width(const char *bytes, size_t length);

/* Cuts what is wider than `width` (at least 1), so that it ends in … and is as wide at most. */
void layout_cut(struct text *cell, size_t width);

/* Likewise, but with … in the middle: two thirds of what stays are the end, where a path says most.
 */
void layout_cut_middle(struct text *cell, size_t width);

/* Appends `string` in lines of at most `width`, of which all but the first begin with `before`
 * (not counted). A line ends at a space, which is left out, or, where `breaks` has something,
 * behind one of these characters in its second half; else anywhere. */
void layout_wrap(struct text *out, const char *string, size_t width, const char *breaks,
                 const char *before);

#endif
