#include "output/layout.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "base/memory.h"
#include "input/word.h"

enum { EIGHTHS = 8 };

static void bar_append_blocks(struct text *out, size_t eighths) {
    /* Block characters for bars: one eighth of a column wide, U+258F, to a full column, U+2588. */
    static const char *const blocks[EIGHTHS] = {"▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"};

    for (; eighths >= EIGHTHS; eighths -= EIGHTHS) {
        text_append_string(out, blocks[EIGHTHS - 1]);
    }
    text_append_string(out, eighths > 0 ? blocks[eighths - 1] : "");
}

void bar_append(struct text *out, enum bar_kind kind, double per_cent, size_t width) {
    double part = per_cent > 100 ? 1 : per_cent / 100;
    size_t columns, eighths;

    if (kind == BAR_NONE || !(part > 0)) { /* `part > 0` is also false if `part` is NaN */
        return;
    }
    columns = (size_t)lround(part * (double)width);
    eighths = (size_t)lround(part * (double)(width * EIGHTHS));
    if (kind == BAR_BLOCKS) {
        bar_append_blocks(out, eighths > 0 ? eighths : 1);
        return;
    }
    for (; columns > 0; columns--) {
        text_append_char(out, '#');
    }
}

/* Minimum widths of columns of texts (LAYOUT_TEXT) and of prose. */
#define LEAST_TEXT  12
#define LEAST_PROSE 20

/* Minimum width of a column of names; if there is no room for it, lines exceed the terminal's
 * width. */
#define LEAST_NAME 8

static size_t smaller_width(size_t left, size_t right) {
    return left < right ? left : right;
}

static size_t larger_width(size_t left, size_t right) {
    return left > right ? left : right;
}

/* Divisors of the table's width: all names together get at least 1/2 of it, and a path 1/4. */
enum { NAMES_OF_ROOM = 2, PATH_OF_ROOM = 4 };

/* Returns the width for each column of names, from their share of `room`. Columns of names that
 * need less leave the rest of their width to the other names. */
static size_t share_of_names(const struct layout_column *columns, size_t count, size_t room) {
    size_t share = 0, wide = 1, left = 0;

    for (bool first = true; first || (wide > 0 && left / wide > share); first = false) {
        share = first ? 0 : left / wide;
        left = room / NAMES_OF_ROOM;
        wide = 0;
        for (size_t i = 0; i < count; i++) {
            bool is_short = columns[i].natural <= share;

            wide += columns[i].role == LAYOUT_NAME && !is_short;
            left -= columns[i].role == LAYOUT_NAME && is_short
                        ? smaller_width(columns[i].natural, left)
                        : 0;
        }
    }
    return share;
}

/* Returns a column's minimum width. `name`: result of share_of_names(). */
static size_t layout_least_width(const struct layout_column *column, size_t name, size_t room) {
    size_t least = column->natural;

    switch (column->role) {
    case LAYOUT_NUMBER:
        break;
    case LAYOUT_NAME:
        least = smaller_width(least, larger_width(name, LEAST_NAME));
        break;
    case LAYOUT_PATH:
        least = smaller_width(least, larger_width(room / PATH_OF_ROOM, LEAST_NAME));
        break;
    case LAYOUT_TEXT:
        least = smaller_width(least, LEAST_TEXT);
        break;
    case LAYOUT_PROSE:
        least = smaller_width(least, LEAST_PROSE);
        break;
    }
    return larger_width(least, column->heading);
}

/* Returns the width of all columns that are not hidden, with one space between them. */
static size_t width_of_all_columns(const struct layout_column *columns, size_t count) {
    size_t room = 0;

    for (size_t i = 0; i < count; i++) {
        room += columns[i].left_out ? 0 : columns[i].width + (room > 0);
    }
    return room;
}

/* Returns whether `left` is hidden earlier than `right`, a column to the right of it. */
static bool column_is_hidden_before(const struct layout_column *left,
                                    const struct layout_column *right) {
    return left->is_spare != right->is_spare ? left->is_spare : left->worth < right->worth;
}

static bool drop_one_column(struct layout_column *columns, size_t count) {
    struct layout_column *chosen = NULL;

    for (size_t i = count; i-- > 0;) {
        if (!columns[i].left_out && columns[i].role != LAYOUT_NAME &&
            columns[i].role != LAYOUT_PATH &&
            (chosen == NULL || column_is_hidden_before(&columns[i], chosen))) {
            chosen = &columns[i];
        }
    }
    if (chosen != NULL) {
        chosen->left_out = true;
    }
    return chosen != NULL;
}

/* Order in which columns shrink: texts first, then paths, then names. */
enum turn { TURN_TEXTS, TURN_PATHS, TURN_NAMES };

static enum turn narrowing_turn_of_column(const struct layout_column *column) {
    return column->role == LAYOUT_NAME   ? TURN_NAMES
           : column->role == LAYOUT_PATH ? TURN_PATHS
                                         : TURN_TEXTS;
}

/* Narrows the columns of one turn (enum turn) by `excess` in total, widest first, down to their
 * minimum. */
static void layout_narrow(struct layout_column *columns, size_t count, enum turn turn,
                          size_t excess) {
    while (excess > 0) {
        struct layout_column *widest = NULL;
        size_t next = 0, step;

        for (size_t i = 0; i < count; i++) {
            struct layout_column *column = &columns[i];

            if (column->left_out || column->width <= column->least ||
                narrowing_turn_of_column(column) != turn) {
                continue;
            }
            if (widest == NULL || column->width > widest->width) {
                next = widest == NULL ? 0 : widest->width;
                widest = column;
            } else {
                next = larger_width(next, column->width);
            }
        }
        if (widest == NULL) {
            return;
        }
        /* Shrinks the widest column to one less than the next widest, so that equally wide columns
         * shrink alternately. */
        next = larger_width(next > 0 ? next - 1 : 0, widest->least);
        step = smaller_width(excess, widest->width - next);
        widest->width -= step;
        excess -= step;
    }
}

static size_t width_beyond_room(const struct layout_column *columns, size_t count, size_t room) {
    size_t taken = width_of_all_columns(columns, count);

    return taken > room ? taken - room : 0;
}

/* Hides columns until the others fit at their minimum widths. */
static void layout_choose_columns(struct layout_column *columns, size_t count, size_t room) {
    size_t name = share_of_names(columns, count, room);

    for (size_t i = 0; i < count; i++) {
        columns[i].left_out = columns[i].is_empty;
        columns[i].width = columns[i].least = layout_least_width(&columns[i], name, room);
    }
    while (width_beyond_room(columns, count, room) > 0 && drop_one_column(columns, count)) {
    }
}

void layout_fit(struct layout_column *columns, size_t count, size_t room) {
    for (size_t i = 0; i < count; i++) {
        columns[i].width = columns[i].natural;
        columns[i].left_out = columns[i].is_empty;
    }
    if (width_beyond_room(columns, count, room) == 0) {
        return;
    }
    layout_choose_columns(columns, count, room);
    for (size_t i = 0; i < count; i++) {
        bool gives_way = columns[i].role != LAYOUT_NUMBER;

        columns[i].width =
            gives_way ? smaller_width(columns[i].natural, larger_width(room, columns[i].least))
                      : columns[i].natural;
    }
    layout_narrow(columns, count, TURN_TEXTS, width_beyond_room(columns, count, room));
    layout_narrow(columns, count, TURN_PATHS, width_beyond_room(columns, count, room));
    for (size_t i = 0; i < count; i++) {
        columns[i].least =
            larger_width(smaller_width(columns[i].natural, LEAST_NAME), columns[i].heading);
    }
    layout_narrow(columns, count, TURN_PATHS, width_beyond_room(columns, count, room));
    layout_narrow(columns, count, TURN_NAMES, width_beyond_room(columns, count, room));
}

/* Returns the first character's size in bytes, at least 1, and its width in terminal columns. */
static size_t measure_character(const char *bytes, size_t length, size_t *width) {
    mbstate_t shift = {0};
    wchar_t character;
    size_t size = mbrtowc(&character, bytes, length, &shift);
    int columns;

    *width = 1;
    if (size == 0 || size > length) {
        return 1; /* the locale's encoding is not UTF-8 */
    }
    columns = wcwidth(character);
    *width = columns > 0 ? (size_t)columns : 0;
    return size;
}

size_t layout_width(const char *bytes, size_t length) {
    size_t total = 0, width;

    for (size_t i = 0; i < length;) {
        i += measure_character(bytes + i, length - i, &width);
        total += width;
    }
    return total;
}

/* Returns the number of bytes of the whole characters that fit into `width` terminal columns. */
static size_t bytes_within(const char *bytes, size_t length, size_t width) {
    size_t used = 0, at = 0;

    while (at < length) {
        size_t wide, size = measure_character(bytes + at, length - at, &wide);

        if (used + wide > width) {
            break;
        }
        used += wide;
        at += size;
    }
    return at;
}

void layout_cut(struct text *cell, size_t width) {
    if (cell->length == 0 || bytes_within(cell->bytes, cell->length, width) == cell->length) {
        return;
    }
    cell->length = bytes_within(cell->bytes, cell->length, width - 1);
    text_append_string(cell, "\342\200\246");
}

void layout_cut_middle(struct text *cell, size_t width) {
    size_t head = (width - 1) / 3, tail = 0, wide = 0, kept = width - 1 - head;
    size_t all = layout_width(text_string(cell), cell->length);
    char *end;

    if (all <= width) {
        return;
    }
    /* Skips characters until the rest is at most `kept` columns wide. */
    while (all - wide > kept) {
        size_t step;

        tail += measure_character(cell->bytes + tail, cell->length - tail, &step);
        wide += step;
    }
    end = xstrdup(cell->bytes + tail);
    cell->length = bytes_within(cell->bytes, cell->length, head);
    text_append_string(cell, "\342\200\246");
    text_append_string(cell, end);
    free(end);
}

/* Returns whether a line may break before string[at], which follows a character of `breaks`: not
 * after a decimal point, nor after the comma in 1,234. */
static bool may_break(const char *string, size_t at, const char *breaks) {
    return breaks[0] != '\0' && strchr(breaks, string[at - 1]) != NULL &&
           !(word_is_digit(string[at]) &&
             (string[at - 1] == '.' ||
              (string[at - 1] == ',' && at > 1 && word_is_digit(string[at - 2]))));
}

/* Returns where to break a line of at most `most` bytes: in its second half at a space, else after
 * a character of `breaks`; else at any space; else at `most`. */
static size_t end_of_line(const char *string, size_t most, const char *breaks) {
    size_t space = most, after = most;

    while (space > 0 && string[space] != ' ') {
        space--;
    }
    while (after > most / 2 && !may_break(string, after, breaks)) {
        after--;
    }
    return space > most / 2 ? space : after > most / 2 ? after : space > 0 ? space : most;
}

void layout_wrap(struct text *out, const char *string, size_t width, const char *breaks,
                 const char *before) {
    size_t length = strlen(string), at, ignored;

    while ((at = bytes_within(string, length, width)) < length) {
        if (at == 0) {
            at = measure_character(string, length, &ignored);
        }
        at = at < length ? end_of_line(string, at, breaks) : at;
        text_append(out, string, at);
        at += string[at] == ' ';
        string += at;
        length -= at;
        if (length == 0) {
            return;
        }
        text_append_char(out, '\n');
        text_append_string(out, before);
    }
    text_append(out, string, length);
}
