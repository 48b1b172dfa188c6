/* table: for people, laid out by libsmartcols.
 *
 * Rows are laid out in chunks, since a result may be larger than memory. The first chunk decides
 * the widths: later ones have at least these, and in a terminal their texts are cut to them.
 *
 * libsmartcols asks the locale which bytes are a character and how wide it is. In the C locale
 * (LC_ALL=C, or a program that never called setlocale()) it would show UTF-8 in hex, and with its
 * encoding switched off 2.38 never returns. With the encoding on it also escapes the backslash of
 * text that is escaped already. So every call into it is made in C.UTF-8, for this thread alone,
 * with the encoding off: all text is valid UTF-8 without control characters by then. Where a system
 * has no C.UTF-8 the encoding stays on, which is ugly but safe.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* wcwidth, uselocale */
#endif
#include "output/printer.h"

#include <libsmartcols.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#define CHUNK_ROWS  1000
#define CHUNK_BYTES (1 << 20)
#define BOLD        "\033[1m"

/* Rows of greater depth are not indented further. */
#define MOST_INDENTED 48

struct table_state {
    locale_t utf8; /* (locale_t)0: the system has none */
    struct libscols_table *table;
    size_t chunk_rows, chunk_bytes;
    bool is_later_chunk; /* the heading is out, widths are known */
    size_t *widths;      /* in a terminal, of later chunks: where texts are cut */
    bool *is_number;     /* columns aligned right; COLUMN_ANY: as long as only numbers came */
    size_t indented;     /* column of text that is indented … */
    size_t depth;        /* … by that one; what there is not lies behind the last */
    struct text cell;    /* scratch */
};

static locale_t enter_locale(const struct table_state *state) {
    return state->utf8 != (locale_t)0 ? uselocale(state->utf8) : (locale_t)0;
}

static void leave_locale(locale_t before) {
    if (before != (locale_t)0) {
        uselocale(before);
    }
}

static bool table_open(struct printer *printer, struct error *error) {
    struct table_state *state = printer->state;

    (void)error;
    state->utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    return true;
}

static void free_result(struct table_state *state) {
    scols_unref_table(state->table);
    state->table = NULL;
    free(state->widths);
    state->widths = NULL;
    free(state->is_number);
    state->is_number = NULL;
}

static bool add_column(struct printer *printer, const struct column *column) {
    struct table_state *state = printer->state;
    struct libscols_column *added;

    text_clear(&state->cell);
    text_append_escaped(&state->cell, column->name, strlen(column->name));
    added = scols_table_new_column(state->table, text_string(&state->cell), 0, 0);
    if (added == NULL || state->cell.failed) {
        return false;
    }
    return !printer->options.color ||
           scols_cell_set_color(scols_column_get_header(added), BOLD) == 0;
}

static bool set_up_table(struct printer *printer) {
    struct table_state *state = printer->state;
    int width = printer->options.width;

    state->table = scols_new_table();
    if (state->table == NULL) {
        return false;
    }
    scols_table_enable_colors(state->table, printer->options.color);
    scols_table_enable_noencoding(state->table, state->utf8 != (locale_t)0);
    scols_table_set_termforce(state->table,
                              width > 0 ? SCOLS_TERMFORCE_ALWAYS : SCOLS_TERMFORCE_NEVER);
    if (width > 0) {
        scols_table_set_termwidth(state->table, (size_t)width);
    }
    return true;
}

static bool make_table(struct printer *printer, const struct result *result) {
    struct table_state *state = printer->state;

    state->is_later_chunk = false;
    state->chunk_rows = 0;
    state->chunk_bytes = 0;
    state->widths = calloc(result->column_count + 1, sizeof state->widths[0]);
    state->is_number = calloc(result->column_count + 1, sizeof state->is_number[0]);
    if (state->widths == NULL || state->is_number == NULL || !set_up_table(printer)) {
        return false;
    }
    state->depth = state->indented = result->column_count;
    for (size_t i = 0; i < result->column_count; i++) {
        state->is_number[i] = result->columns[i].kind != COLUMN_TEXT;
        if (strcmp(result->columns[i].name, "depth") == 0) {
            state->depth = i;
        } else if (result->indented != NULL &&
                   strcmp(result->columns[i].name, result->indented) == 0) {
            state->indented = i;
        }
        if (!add_column(printer, &result->columns[i])) {
            return false;
        }
    }
    return true;
}

static bool table_begin(struct printer *printer, const struct result *result, struct error *error) {
    struct table_state *state = printer->state;
    locale_t before;
    bool made;

    free_result(state);
    if (printer->results_done > 0) {
        text_append_char(&printer->out, '\n');
    }
    printer_append_remarks(&printer->out, result, "# ", "\n");
    printer_append_unit(&printer->out, result, "# ");
    before = enter_locale(state);
    made = make_table(printer, result);
    leave_locale(before);
    return made || error_no_memory(error);
}

/* Only columns that may hold text are cut: half a number would be a wrong one. */
static void set_column_flags(struct table_state *state) {
    for (size_t i = 0; i < scols_table_get_ncols(state->table); i++) {
        struct libscols_column *column = scols_table_get_column(state->table, i);

        scols_column_set_flags(column, state->is_number[i] ? SCOLS_FL_RIGHT : SCOLS_FL_TRUNC);
    }
}

/* From the second chunk on: no heading, columns as wide as they were, nothing more to be fitted
 * into the terminal, since the texts are cut before. */
static void keep_widths(struct printer *printer) {
    struct table_state *state = printer->state;

    state->is_later_chunk = true;
    for (size_t i = 0; i < scols_table_get_ncols(state->table); i++) {
        struct libscols_column *column = scols_table_get_column(state->table, i);
        size_t width = scols_column_get_width(column);

        scols_column_set_whint(column, (double)width);
        state->widths[i] = printer->options.width > 0 && !state->is_number[i] ? width : 0;
    }
    scols_table_enable_noheadings(state->table, 1);
    scols_table_set_termforce(state->table, SCOLS_TERMFORCE_NEVER);
}

static bool print_chunk(struct printer *printer) {
    struct table_state *state = printer->state;
    char *lines = NULL;

    if (!state->is_later_chunk) {
        set_column_flags(state);
    }
    if (scols_print_table_to_string(state->table, &lines) != 0 || lines == NULL) {
        return false;
    }
    text_append_string(&printer->out, lines);
    text_append_char(&printer->out, '\n');
    free(lines);
    scols_table_remove_lines(state->table);
    state->chunk_rows = 0;
    state->chunk_bytes = 0;
    if (!state->is_later_chunk) {
        keep_widths(printer);
    }
    return true;
}

/* Cuts the cell to `width` columns of the terminal. */
static void cut_cell(struct text *cell, size_t width) {
    mbstate_t shift = {0};
    size_t used = 0;
    size_t i = 0;

    while (i < cell->length) {
        wchar_t character;
        size_t size = mbrtowc(&character, cell->bytes + i, cell->length - i, &shift);
        int columns;

        if (size == 0 || size > cell->length) {
            return; /* not in a UTF-8 locale */
        }
        columns = wcwidth(character);
        used += columns > 0 ? (size_t)columns : 0;
        if (used > width) {
            cell->bytes[i] = '\0';
            cell->length = i;
            return;
        }
        i += size;
    }
}

static void append_indent(struct table_state *state, const struct value *depth) {
    int64_t levels = depth->type != VALUE_INTEGER || depth->integer < 0 ? 0 : depth->integer;

    for (levels = levels < MOST_INDENTED ? levels : MOST_INDENTED; levels > 0; levels--) {
        text_append_string(&state->cell, "  ");
    }
}

static bool set_cell(struct printer *printer, struct libscols_line *line, size_t i,
                     const struct value *values) {
    struct table_state *state = printer->state;
    const struct result *result = printer->result;
    const struct value *value = &values[i];

    text_clear(&state->cell);
    if (i == state->indented && state->depth < result->column_count) {
        append_indent(state, &values[state->depth]);
    }
    if (value->type == VALUE_TEXT) {
        text_append_escaped(&state->cell, value->bytes, value->length);
    } else {
        printer_append_human(&state->cell, value, &result->columns[i], result->clock_unit);
    }
    if (state->widths[i] > 0) {
        cut_cell(&state->cell, state->widths[i]);
    }
    state->chunk_bytes += state->cell.length;
    if (result->columns[i].kind == COLUMN_ANY &&
        (value->type == VALUE_TEXT || value->type == VALUE_BLOB) && !state->is_later_chunk) {
        state->is_number[i] = false;
    }
    return !state->cell.failed && scols_line_set_data(line, i, text_string(&state->cell)) == 0;
}

static bool add_line(struct printer *printer, const struct value *values) {
    struct table_state *state = printer->state;
    struct libscols_line *line = scols_table_new_line(state->table, NULL);

    if (line == NULL) {
        return false;
    }
    for (size_t i = 0; i < printer->result->column_count; i++) {
        if (!set_cell(printer, line, i, values)) {
            return false;
        }
    }
    state->chunk_rows++;
    if (state->chunk_rows < CHUNK_ROWS && state->chunk_bytes < CHUNK_BYTES) {
        return true;
    }
    return print_chunk(printer);
}

static bool table_row(struct printer *printer, const struct value *values, struct error *error) {
    locale_t before = enter_locale(printer->state);
    bool added = add_line(printer, values);

    leave_locale(before);
    return added || error_no_memory(error);
}

/* libsmartcols prints nothing at all for a table without lines. */
static void append_empty_table(struct printer *printer) {
    const struct result *result = printer->result;

    for (size_t i = 0; i < result->column_count; i++) {
        const char *name = result->columns[i].name;

        text_append_string(&printer->out, printer->options.color ? BOLD : "");
        text_append_escaped(&printer->out, name, strlen(name));
        text_append_string(&printer->out, printer->options.color ? "\033[0m" : "");
        text_append_char(&printer->out, i + 1 < result->column_count ? ' ' : '\n');
    }
    text_append_string(&printer->out, "# no rows\n");
}

static bool table_end(struct printer *printer, struct error *error) {
    struct table_state *state = printer->state;
    locale_t before = enter_locale(state);
    bool printed = true;

    if (state->chunk_rows > 0) {
        printed = print_chunk(printer);
    } else if (!state->is_later_chunk) {
        append_empty_table(printer);
    }
    leave_locale(before);
    free_result(state);
    return printed || error_no_memory(error);
}

static bool table_close(struct printer *printer, struct error *error) {
    struct table_state *state = printer->state;

    (void)error;
    free_result(state);
    if (state->utf8 != (locale_t)0) {
        freelocale(state->utf8);
    }
    text_free(&state->cell);
    return true;
}

const struct printer_style printer_style_table = {
    .name = "table",
    .state_size = sizeof(struct table_state),
    .open = table_open,
    .begin = table_begin,
    .row = table_row,
    .end = table_end,
    .close = table_close,
};
