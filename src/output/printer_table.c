/* table: human-readable columns of text, on a terminal or in a file.
 *
 * Rows are laid out in chunks, since a result may be larger than memory. The first chunk sets
 * minimum widths for later ones. On a terminal the table is fitted into its width (layout.h): names
 * and prose wrap, other texts are cut, and columns without room are hidden, with a line about them
 * below.
 *
 * The locale defines the width of a character. Widths are always those of the locale C.UTF-8, set
 * only for this thread, since all text is valid UTF-8 without control characters. On a system
 * without C.UTF-8 every byte counts as one column. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <inttypes.h>
#include <locale.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/words.h"
#include "output/layout.h"
#include "output/printer.h"

#define CHUNK_ROWS  1000
#define CHUNK_BYTES (1 << 20)
#define BOLD        "\033[1m"
#define PLAIN       "\033[0m"
#define RED         "\033[31m"

/* Characters after which a long name may wrap to the next line. */
#define NAME_BREAKS "./,;:$_-(<=@"

/* Limit of levels drawn in a tree (a bit each); deeper rows are drawn at this level. */
#define MOST_LEVELS 48

/* Least and largest width of a bar, in characters: less is hard to read, more hard to follow. */
enum { BAR_LEAST = 8, BAR_MOST = 20 };

/* Width of a share such as "12.3 %", in characters. */
#define SHARE_WIDTH 6

/* Indent of each level in a tree, in characters. */
#define LEVEL_WIDTH 2

struct table_column {
    const struct column *column;
    size_t index;   /* index of the column in the result's rows */
    bool is_number; /* true: aligned right; a COLUMN_ANY column if all its values are numbers */
    bool is_lost;   /* true: the column counts losses, which are printed in red (result->lost) */
    bool has_value; /* true: some row of the first chunk has a value in the column */
    size_t bar;     /* width of the bar after a share and a space; 0: no bar */
    size_t width;   /* width of the column in the current chunk */
};

struct table_cell {
    size_t begin, length; /* position of the cell's text in table_state.cells; NUL-terminated */
    bool is_red;
};

struct table_state {
    struct text cells; /* texts of the cells in a chunk of rows, then those fitted into columns */
    struct text cell, rest, fitted; /* scratch memory */
    locale_t utf8; /* locale for the width of characters; (locale_t)0: not available */
    struct table_column *columns; /* the shown columns, in order */
    struct layout_column *layout; /* owned; widths of the shown columns */
    size_t column_count;
    struct table_cell *table; /* owned; cells of the chunk, row after row */
    size_t table_capacity;
    size_t chunk_rows, chunk_bytes;
    bool is_later_chunk; /* true: the heading was printed, and columns have their minimum widths */
    size_t tree;         /* index of the column drawn as a tree; column_count: none */
    size_t depth;        /* index of the column in the result's rows that holds a row's depth */
    /* by row of the chunk: bits of tree levels that continue below the row */
    uint64_t more[CHUNK_ROWS];
    int depths[CHUNK_ROWS];
    bool red_rows[CHUNK_ROWS];
};

static locale_t enter_locale(const struct table_state *state) {
    return state->utf8 != (locale_t)0 ? uselocale(state->utf8) : (locale_t)0;
}

static void restore_locale(locale_t before) {
    if (before != (locale_t)0) {
        uselocale(before);
    }
}

static bool is_terminal(const struct printer *printer) {
    return printer->options.width > 0;
}

static void table_open(struct printer *printer) {
    struct table_state *state = printer->state;

    state->utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
}

/* --- headings of columns, and # lines --------------------------------------------------------- */

static void free_result(struct table_state *state) {
    free(state->columns);
    state->columns = NULL;
    free(state->layout);
    state->layout = NULL;
}

/* Appends # lines, wrapped and indented on a terminal. If `result` is not NULL, the first lines are
 * those on its traces: red if records were rejected. */
static void printer_table_append_remarks(struct printer *printer, struct text *lines,
                                         const struct result *result) {
    size_t number = 0, count = result == NULL ? 0 : printer_trace_line_count(result);
    char *end;

    for (char *line = lines->bytes; line != NULL && (end = strchr(line, '\n')) != NULL;
         line = end + 1) {
        bool is_red = printer->options.color && result != NULL && number < count &&
                      printer_trace_line_has_rejects(result, number);

        *end = '\0';
        text_append_string(&printer->out, is_red ? RED : "");
        if (is_terminal(printer) && printer->options.width > 8) {
            layout_wrap(&printer->out, line, (size_t)printer->options.width - 4, "", "#   ");
        } else {
            text_append_string(&printer->out, line);
        }
        text_append_string(&printer->out, is_red ? PLAIN "\n" : "\n");
        number++;
    }
    text_clear(lines);
}

static void printer_table_append_headlines(struct printer *printer, const struct result *result) {
    struct table_state *state = printer->state;

    text_clear(&state->cell);
    printer_append_headlines(&state->cell, result, "# ");
    text_escape_bidi(&state->cell);
    printer_table_append_remarks(printer, &state->cell, NULL);
}

/* Returns whether the line on the trace is printed as a title above the rows, and remarks below. */
static bool has_title(const struct result *result) {
    return result->sorted_below && result->trace_count == 1;
}

static void printer_table_append_ledger(struct printer *printer, const struct result *result) {
    struct table_state *state = printer->state;

    text_clear(&state->cell);
    if (result->sorted_below) {
        printer_append_sorted_remarks(&state->cell, printer, !has_title(result), "# ");
    } else {
        printer_append_remarks(&state->cell, result, "# ");
    }
    printer_append_unit(&state->cell, result, "# ");
    text_escape_bidi(&state->cell);
    printer_table_append_remarks(printer, &state->cell, has_title(result) ? NULL : result);
}

static void show_column(struct table_state *state, const struct result *result, size_t index) {
    const struct column *column = &result->columns[index];

    state->columns[state->column_count++] = (struct table_column){
        .column = column,
        .index = index,
        .is_number = !column_kind_is_text(column->kind),
        .is_lost = result->lost != NULL && strcmp(column->name, result->lost) == 0,
    };
}

/* Chooses the columns to show: all of them; on a terminal those in result->brief, in that order. */
static void printer_table_choose_columns(struct printer *printer, const struct result *result) {
    struct table_state *state = printer->state;
    const char *word = is_terminal(printer) ? result->brief : NULL;

    state->column_count = 0;
    for (size_t i = 0; word == NULL && i < result->column_count; i++) {
        show_column(state, result, i);
    }
    while (word != NULL && *word != '\0') {
        size_t length = strcspn(word, " ");

        for (size_t i = 0; i < result->column_count; i++) {
            const char *name = result->columns[i].name;

            if (strlen(name) == length && memcmp(name, word, length) == 0) {
                show_column(state, result, i);
            }
        }
        word += length + strspn(word + length, " ");
    }
}

/* Finds the column that is drawn as a tree, and the column that holds the depth. */
static void printer_table_find_tree(struct table_state *state, const struct result *result) {
    state->tree = state->column_count;
    result_find_column(result, "depth", &state->depth);
    for (size_t i = 0; i < state->column_count; i++) {
        if (result->indented != NULL && state->depth < result->column_count &&
            strcmp(state->columns[i].column->name, result->indented) == 0) {
            state->tree = i;
        }
    }
}

/* Sets state->cell to a column's heading. */
static void printer_table_name_column(struct table_state *state, size_t index) {
    const char *name = state->columns[index].column->name;

    text_clear(&state->cell);
    text_append_escaped(&state->cell, name, strlen(name));
    text_escape_bidi(&state->cell);
}

static void printer_table_make_table(struct printer *printer, const struct result *result) {
    struct table_state *state = printer->state;

    state->is_later_chunk = false;
    state->chunk_rows = 0;
    state->chunk_bytes = 0;
    text_clear(&state->cells);
    state->columns = xcalloc(result->column_count + 1, sizeof state->columns[0]);
    state->layout = xcalloc(result->column_count + 1, sizeof state->layout[0]);
    printer_table_choose_columns(printer, result);
    printer_table_find_tree(state, result);
    for (size_t i = 0; i < state->column_count; i++) {
        printer_table_name_column(state, i);
        state->layout[i].heading = layout_width(text_string(&state->cell), state->cell.length);
        state->layout[i].natural = state->layout[i].heading;
    }
}

static void table_begin(struct printer *printer, const struct result *result) {
    locale_t before;

    free_result(printer->state);
    if (printer->results_done > 0) {
        text_append_char(&printer->out, '\n');
    }
    before = enter_locale(printer->state);
    printer_table_append_headlines(printer, result);
    if (has_title(result)) {
        struct table_state *state = printer->state;

        text_clear(&state->cell);
        text_append_string(&state->cell, "# ");
        printer_append_trace_counts(&state->cell, &result->traces[0]);
        text_append_char(&state->cell, '\n');
        text_escape_bidi(&state->cell);
        printer_table_append_remarks(printer, &state->cell, result);
    }
    if (!result->remarks_below && !result->sorted_below) {
        printer_table_append_ledger(printer, result);
    }
    printer_table_make_table(printer, result);
    restore_locale(before);
}

static enum layout_role layout_role_of_column(const struct result *result,
                                              const struct table_column *column, bool is_first) {
    if (column->is_number) {
        return LAYOUT_NUMBER;
    }
    if (column->column->kind == COLUMN_PATH) {
        return LAYOUT_PATH;
    }
    if (result->prose != NULL && word_in(result->prose, column->column->name)) {
        return LAYOUT_PROSE;
    }
    if (result->cut != NULL && word_in(result->cut, column->column->name)) {
        return LAYOUT_TEXT;
    }
    return column->column->kind == COLUMN_TEXT || is_first ? LAYOUT_NAME : LAYOUT_TEXT;
}

/* --- drawing bars next to shares -------------------------------------------------------------- */

/* Returns whether a bar is useful in the column: bars of cumulative shares would only grow. */
static bool is_worth_a_bar(const struct table_column *column) {
    return column->column->kind == COLUMN_SHARE &&
           strstr(column->column->name, "cumulative") == NULL;
}

/* Returns how much wider the terminal is than the columns' natural widths; 0 if they do not fit. */
static size_t width_left_for_bars(const struct printer *printer) {
    const struct table_state *state = printer->state;
    size_t room = (size_t)printer->options.width + 1;

    for (size_t i = 0; i < state->column_count; i++) {
        const struct layout_column *layout = &state->layout[i];

        if (layout->left_out || layout->width < layout->natural || layout->width + 1 > room) {
            return 0;
        }
        room -= layout->width + 1;
    }
    return room;
}

/* Adds bars to as many columns of shares as there is room for, from the left. */
static void add_bars(struct printer *printer) {
    struct table_state *state = printer->state;
    size_t room = width_left_for_bars(printer), count = 0, width;

    for (size_t i = 0; i < state->column_count; i++) {
        count += is_worth_a_bar(&state->columns[i]) && (count + 1) * (BAR_LEAST + 1) <= room;
    }
    width = count == 0 ? 0 : room / count - 1;
    width = width > BAR_MOST ? BAR_MOST : width;
    for (size_t i = 0; count > 0 && i < state->column_count; i++) {
        if (is_worth_a_bar(&state->columns[i])) {
            state->columns[i].bar = width;
            state->layout[i].width += 1 + width;
            count--;
        }
    }
}

static void append_spaces(struct text *out, size_t count) {
    for (; count > 0; count--) {
        text_append_char(out, ' ');
    }
}

/* Appends a heading or share to the left of the column's bar, aligned right. */
static void append_before_bar(struct text *out, const struct table_column *column,
                              const struct layout_column *layout, const char *string) {
    const size_t width = layout->width - 1 - column->bar;
    const size_t used = layout_width(string, strlen(string));

    append_spaces(out, used < width ? width - used : 0);
    text_append_string(out, string);
}

/* Sets state->fitted to a share and its bar. */
static void append_with_bar(struct printer *printer, size_t index, const char *string) {
    struct table_state *state = printer->state;
    const struct table_column *column = &state->columns[index];
    size_t length;

    append_before_bar(&state->fitted, column, &state->layout[index], string);
    text_append_char(&state->fitted, ' ');
    length = state->fitted.length;
    bar_append(&state->fitted, printer->options.bars, strtod(string, NULL), column->bar);
    if (state->fitted.length == length) {
        /* empty bar: removes the space before it */
        state->fitted.bytes[--state->fitted.length] = '\0';
    }
}

/* Returns whether no row has a number in the column. Valid only if the chunk has all rows. */
static bool printer_table_is_empty(const struct table_state *state, size_t index) {
    const struct table_column *column = &state->columns[index];

    return state->chunk_rows > 0 && column->is_number && column->column->kind != COLUMN_ANY &&
           !column->has_value;
}

/* Sets the widths of columns from the first chunk. `is_all`: it has all rows. */
static void printer_table_lay_out(struct printer *printer, bool is_all) {
    struct table_state *state = printer->state;

    for (size_t i = 0; i < state->column_count; i++) {
        state->layout[i].is_empty =
            is_all && is_terminal(printer) && printer_table_is_empty(state, i);
        state->layout[i].role = layout_role_of_column(printer->result, &state->columns[i], i == 0);
        /* The tree already shows the depth, so the column with the depth is hidden early. */
        state->layout[i].is_spare =
            state->tree < state->column_count && state->columns[i].index == state->depth;
        state->layout[i].worth =
            printer_column_priority(printer->result, state->columns[i].column->name);
        if (!is_all && state->columns[i].column->kind == COLUMN_SHARE &&
            state->layout[i].natural < SHARE_WIDTH) {
            /* shares in later rows may have one digit more */
            state->layout[i].natural = SHARE_WIDTH;
        }
        state->layout[i].width = state->layout[i].natural;
    }
    if (is_terminal(printer)) {
        layout_fit(state->layout, state->column_count, (size_t)printer->options.width);
    }
    if (is_terminal(printer) && printer->options.bars != BAR_NONE) {
        add_bars(printer);
    }
}

/* --- indenting names in a tree ---------------------------------------------------------------- */

/* Returns how many levels of the tree are drawn: their indent is at most half of the column. */
static int tree_levels(const struct printer *printer) {
    const struct table_state *state = printer->state;
    size_t most = state->layout[state->tree].width / 2 / LEVEL_WIDTH;

    return !is_terminal(printer) || most > MOST_LEVELS ? MOST_LEVELS : (int)most;
}

static uint64_t levels_above(int level) {
    return (UINT64_C(1) << level) - 1;
}

/* For each row of the chunk, finds the tree levels that continue below it. `next`: depth of the row
 * after the chunk; -1: there is none. Levels that are not known to end are drawn as if they
 * continue. */
static void find_branches(struct table_state *state, int levels, int next) {
    uint64_t more = next < 0 ? 0 : levels_above((next < levels ? next : levels) + 1);

    for (size_t row = state->chunk_rows; row-- > 0;) {
        int depth = state->depths[row] < levels ? state->depths[row] : levels;

        state->depths[row] = depth;
        state->more[row] = more;
        more = (more & levels_above(depth)) | UINT64_C(1) << depth;
    }
}

/* Appends the tree's branches to the left of a name. `first`: for the name's first line. */
static void append_branches(struct text *out, int depth, uint64_t more, bool first) {
    for (int level = 1; level <= depth; level++) {
        bool goes_on = more >> level & 1;

        if (first && level == depth) {
            text_append_string(out,
                               goes_on ? "\342\224\234\342\224\200" : "\342\224\224\342\224\200");
        } else {
            text_append_string(out, goes_on ? "\342\224\202 " : "  ");
        }
    }
}

/* Sets state->fitted to `string`, fitted into the column. Returns false if it fits unchanged. */
static bool fit_cell(struct printer *printer, size_t column, size_t row, const char *string) {
    struct table_state *state = printer->state;
    const struct layout_column *layout = &state->layout[column];
    size_t length = strlen(string);
    bool is_tree = column == state->tree;
    size_t width = layout->width - (is_tree ? (size_t)state->depths[row] * LEVEL_WIDTH : 0);

    text_clear(&state->fitted);
    if (state->columns[column].bar > 0) {
        append_with_bar(printer, column, string);
        return true;
    }
    if (is_tree) {
        text_clear(&state->rest);
        append_branches(&state->fitted, state->depths[row], state->more[row], true);
        append_branches(&state->rest, state->depths[row], state->more[row], false);
    }
    if (layout->role == LAYOUT_NUMBER || layout_width(string, length) <= width) {
        text_append(&state->fitted, string, length);
        return is_tree;
    }
    if (layout->role == LAYOUT_TEXT) {
        text_append(&state->fitted, string, length);
        layout_cut(&state->fitted, width);
    } else if (layout->role == LAYOUT_PATH) {
        text_append(&state->fitted, string, length);
        layout_cut_middle(&state->fitted, width);
    } else {
        layout_wrap(&state->fitted, string, width, layout->role == LAYOUT_NAME ? NAME_BREAKS : "",
                    is_tree ? text_string(&state->rest) : "");
    }
    return true;
}

/* Fits the texts of a chunk into their columns. If the output is not a terminal, only draws the
 * branches of trees. */
static void fit_cells(struct printer *printer) {
    struct table_state *state = printer->state;

    for (size_t i = 0; i < state->chunk_rows * state->column_count; i++) {
        const size_t column = i % state->column_count;
        struct table_cell *cell = &state->table[i];

        if ((is_terminal(printer) || column == state->tree) && !state->layout[column].left_out &&
            fit_cell(printer, column, i / state->column_count, state->cells.bytes + cell->begin)) {
            cell->begin = state->cells.length;
            cell->length = state->fitted.length;
            text_append(&state->cells, text_string(&state->fitted), state->fitted.length + 1);
        }
    }
}

/* --- printing chunks of rows ------------------------------------------------------------------ */

/* Sets the widths of columns in this chunk to the widest line of their cells. Unless the chunk has
 * all rows, columns of shares and bars keep their full width. */
static void printer_table_measure(struct table_state *state, bool is_all) {
    for (size_t i = 0; i < state->column_count; i++) {
        const bool is_known =
            state->is_later_chunk || (state->columns[i].column->kind == COLUMN_SHARE && !is_all);
        size_t width = is_known ? state->layout[i].width : state->layout[i].heading;

        for (size_t row = 0; row < state->chunk_rows; row++) {
            const struct table_cell *cell = &state->table[row * state->column_count + i];

            for (size_t at = 0; at <= cell->length;) {
                const char *line = state->cells.bytes + cell->begin + at;
                const size_t length = strcspn(line, "\n"), wide = layout_width(line, length);

                width = wide > width ? wide : width;
                at += length + 1;
            }
        }
        state->columns[i].width = width > 0 ? width : 1;
    }
}

static bool is_last_shown(const struct table_state *state, size_t index) {
    for (size_t i = index + 1; i < state->column_count; i++) {
        if (!state->layout[i].left_out) {
            return false;
        }
    }
    return true;
}

/* Appends a line of a cell, padded to the column's width, in `colour` (NULL: none). Does not pad
 * the last column. */
static void printer_table_append_cell(struct printer *printer, size_t index, const char *line,
                                      size_t length, const char *colour) {
    const struct table_state *state = printer->state;
    const size_t padding = state->columns[index].width - layout_width(line, length);
    const bool is_last = is_last_shown(state, index);
    const bool is_right =
        state->layout[index].role == LAYOUT_NUMBER && state->columns[index].bar == 0;
    struct text *out = &printer->out;

    colour = printer->options.color && length > 0 ? colour : NULL;
    text_append_string(out, colour != NULL ? colour : "");
    append_spaces(out, is_right && !(is_last && length == 0) ? padding : 0);
    text_append(out, line, length);
    append_spaces(out, is_right || is_last ? 0 : padding);
    text_append_string(out, colour != NULL ? PLAIN : "");
    append_spaces(out, !is_last);
}

/* Appends a row; in several lines if a cell wraps. */
static void printer_table_append_row(struct printer *printer, size_t row) {
    struct table_state *state = printer->state;
    const struct table_cell *cells = &state->table[row * state->column_count];
    const bool is_red = printer->options.color && state->red_rows[row];
    bool goes_on = true;

    for (size_t number = 0; goes_on; number++) {
        goes_on = false;
        text_append_string(&printer->out, is_red ? RED : "");
        for (size_t i = 0; i < state->column_count; i++) {
            const char *line = state->cells.bytes + cells[i].begin;

            for (size_t before = number; before > 0; before--) {
                line += strcspn(line, "\n");
                line += *line == '\n';
            }
            if (!state->layout[i].left_out) {
                const size_t length = strcspn(line, "\n");

                printer_table_append_cell(printer, i, line, length,
                                          cells[i].is_red && !is_red ? RED : NULL);
                goes_on = goes_on || line[length] != '\0';
            }
        }
        text_append_string(&printer->out, is_red ? PLAIN "\n" : "\n");
    }
}

static void append_headings(struct printer *printer) {
    struct table_state *state = printer->state;

    for (size_t i = 0; i < state->column_count; i++) {
        if (!state->layout[i].left_out) {
            printer_table_name_column(state, i);
            text_clear(&state->fitted);
            if (state->columns[i].bar > 0) {
                append_before_bar(&state->fitted, &state->columns[i], &state->layout[i],
                                  text_string(&state->cell));
            } else {
                text_append(&state->fitted, text_string(&state->cell), state->cell.length);
            }
            printer_table_append_cell(printer, i, text_string(&state->fitted), state->fitted.length,
                                      BOLD);
        }
    }
    text_append_char(&printer->out, '\n');
}

/* Prints a chunk of rows; with the heading, if it is the first. `next`: as for find_branches(). */
static void print_chunk(struct printer *printer, int next) {
    struct table_state *state = printer->state;

    if (!state->is_later_chunk) {
        printer_table_lay_out(printer, next < 0);
    }
    if (state->tree < state->column_count) {
        find_branches(state, tree_levels(printer), next);
    }
    fit_cells(printer);
    printer_table_measure(state, next < 0);
    if (!state->is_later_chunk) {
        append_headings(printer);
    }
    for (size_t row = 0; row < state->chunk_rows; row++) {
        printer_table_append_row(printer, row);
    }
    text_clear(&state->cells);
    state->chunk_rows = 0;
    state->chunk_bytes = 0;
    state->is_later_chunk = true;
}

static int tree_depth_of_row(const struct table_state *state, const struct value *values) {
    const struct value *depth = &values[state->depth];

    if (depth->type != VALUE_INTEGER || depth->integer < 0) {
        return 0;
    }
    return depth->integer < MOST_LEVELS ? (int)depth->integer : MOST_LEVELS;
}

/* Returns whether a value, a count of losses, is printed in red: it is not 0. */
static bool is_loss(const struct value *value) {
    return value->type != VALUE_NULL && (value->type != VALUE_INTEGER || value->integer != 0);
}

static void printer_table_add_cell(struct printer *printer, size_t index,
                                   const struct value *value) {
    struct table_state *state = printer->state;
    struct table_column *column = &state->columns[index];
    const size_t place = state->chunk_rows * state->column_count + index;
    size_t width;

    text_clear(&state->cell);
    if (value->type == VALUE_TEXT) {
        text_append_escaped(&state->cell, value->bytes, value->length);
    } else {
        printer_append_human(&state->cell, value, column->column, printer->result->clock_unit);
    }
    text_escape_bidi(&state->cell);
    state->chunk_bytes += state->cell.length;
    column->has_value |= state->cell.length > 0;
    if (!state->is_later_chunk) {
        width = layout_width(text_string(&state->cell), state->cell.length);
        if (index == state->tree) {
            width += (size_t)state->depths[state->chunk_rows] * LEVEL_WIDTH;
        }
        if (width > state->layout[index].natural) {
            state->layout[index].natural = width;
        }
        if (column->column->kind == COLUMN_ANY &&
            (value->type == VALUE_TEXT || value->type == VALUE_BLOB)) {
            column->is_number = false;
        }
    }
    state->table = array_grow(state->table, place, &state->table_capacity, sizeof *state->table);
    state->table[place] = (struct table_cell){.begin = state->cells.length,
                                              .length = state->cell.length,
                                              .is_red = column->is_lost && is_loss(value)};
    text_append(&state->cells, text_string(&state->cell), state->cell.length + 1);
}

static void table_row(struct printer *printer, const struct value *values) {
    struct table_state *state = printer->state;
    const int depth = state->tree < state->column_count ? tree_depth_of_row(state, values) : 0;
    locale_t before = enter_locale(state);

    if (state->chunk_rows == CHUNK_ROWS || state->chunk_bytes >= CHUNK_BYTES) {
        print_chunk(printer, depth);
    }
    state->depths[state->chunk_rows] = depth;
    /* red: a row whose first value is result->lost, if its second value is not 0 */
    state->red_rows[state->chunk_rows] =
        printer->result->lost != NULL && printer->result->column_count > 1 &&
        values[0].type == VALUE_TEXT && values[0].length == strlen(printer->result->lost) &&
        memcmp(values[0].bytes, printer->result->lost, values[0].length) == 0 &&
        is_loss(&values[1]);
    for (size_t i = 0; i < state->column_count; i++) {
        printer_table_add_cell(printer, i, &values[state->columns[i].index]);
    }
    state->chunk_rows++;
    restore_locale(before);
}

/* --- tables without rows and hidden columns --------------------------------------------------- */

/* Appends the headings of a table without rows. */
static void append_empty_table(struct printer *printer) {
    struct table_state *state = printer->state;
    const char *before = "";

    printer_table_lay_out(printer, true);
    for (size_t i = 0; i < state->column_count; i++) {
        const char *name = state->columns[i].column->name;

        if (!state->layout[i].left_out) {
            text_append_string(&printer->out, before);
            text_append_string(&printer->out, printer->options.color ? BOLD : "");
            text_append_escaped(&printer->out, name, strlen(name));
            text_append_string(&printer->out, printer->options.color ? PLAIN : "");
            before = " ";
        }
    }
    text_append_string(&printer->out, "\n# no rows\n");
}

/* Returns whether a column of the result is hidden for one reason. `for_emptiness` true: because it
 * is empty; false: because it does not fit, or is not in result->brief. */
static bool printer_table_is_left_out(const struct table_state *state, size_t index,
                                      bool for_emptiness) {
    for (size_t i = 0; i < state->column_count; i++) {
        if (state->columns[i].index == index) {
            return state->layout[i].left_out && state->layout[i].is_empty == for_emptiness;
        }
    }
    return !for_emptiness;
}

/* Appends the names of hidden columns. */
static void append_names_out(struct table_state *state, const struct result *result,
                             bool for_emptiness, const char *before) {
    for (size_t i = 0; i < result->column_count; i++) {
        if (printer_table_is_left_out(state, i, for_emptiness)) {
            const char *name = result->columns[i].name;

            text_append_string(&state->cell, before);
            text_append_escaped(&state->cell, name, strlen(name));
            before = ", ";
        }
    }
}

/* Appends a line with the names of hidden columns. */
static void append_left_out(struct printer *printer) {
    struct table_state *state = printer->state;
    const struct result *result = printer->result;

    text_clear(&state->cell);
    append_names_out(state, result, false, "# left out: ");
    append_names_out(state, result, true, state->cell.length > 0 ? "; empty: " : "# empty: ");
    if (state->cell.length > 0) {
        text_append_string(&state->cell, "; -l or --format tsv shows all\n");
        printer_table_append_remarks(printer, &state->cell, NULL);
    }
}

static void table_end(struct printer *printer) {
    struct table_state *state = printer->state;
    locale_t before = enter_locale(state);

    if (state->chunk_rows > 0) {
        print_chunk(printer, -1);
    } else if (!state->is_later_chunk) {
        append_empty_table(printer);
    }
    append_left_out(printer);
    if (printer->result->rows_more > 0) {
        text_append_format(&printer->out, "# --all adds %" PRId64 " row%s\n",
                           printer->result->rows_more, printer->result->rows_more == 1 ? "" : "s");
    }
    if (printer->result->remarks_below || printer->result->sorted_below) {
        printer_table_append_ledger(printer, printer->result);
    }
    restore_locale(before);
    free_result(state);
}

static void table_close(struct printer *printer) {
    struct table_state *state = printer->state;

    free_result(state);
    if (state->utf8 != (locale_t)0) {
        freelocale(state->utf8);
    }
    free(state->table);
}

const struct printer_style printer_style_table = {
    .name = "table",
    .names_none = true,
    .state_size = sizeof(struct table_state),
    .texts = 4,
    .open = table_open,
    .begin = table_begin,
    .row = table_row,
    .end = table_end,
    .close = table_close,
};
