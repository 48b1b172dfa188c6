/* csv: RFC 4180 for spreadsheets, but with Unix line ends.
 *
 * The first row has the column names. csv has no comments, so lines on traces and remarks are
 * omitted. Control characters and invalid UTF-8 are escaped as in tsv, so a record is always one
 * line. Results with the same columns form one table, if they include a column that identifies the
 * result. Other results are preceded by an empty line and their own row of names. */
#include <string.h>

#include "base/text.h"
#include "output/printer.h"

/* Writes fields of csv, for all output of the program: as in RFC 4180, but always on one line. */

/* Returns whether a field needs quotes. An empty text does, to distinguish it from NULL. */
static bool needs_quotes(const char *field) {
    size_t length = strlen(field);

    return length == 0 || strpbrk(field, ",\"") != NULL || field[0] == ' ' ||
           field[length - 1] == ' ';
}

void csv_append_text(struct text *out, struct text *escaped, const char *bytes, size_t length) {
    text_clear(escaped);
    text_append_escaped(escaped, bytes, length);
    if (needs_quotes(text_string(escaped))) {
        const char *rest = text_string(escaped);
        const char *quote;

        text_append_char(out, '"');
        while ((quote = strchr(rest, '"')) != NULL) {
            text_append(out, rest, (size_t)(quote - rest) + 1);
            text_append_char(out, '"');
            rest = quote + 1;
        }
        text_append_string(out, rest);
        text_append_char(out, '"');
    } else {
        text_append(out, escaped->bytes, escaped->length);
    }
}

struct csv_state {
    struct text field;
    struct text names; /* the row of column names of the current table */
};

static void printer_csv_append_text(struct printer *printer, struct text *out, const char *bytes,
                                    size_t length) {
    struct csv_state *state = printer->state;

    csv_append_text(out, &state->field, bytes, length);
}

static void append_separator(struct text *out, size_t column) {
    if (column > 0) {
        text_append_char(out, ',');
    }
}

static void csv_begin(struct printer *printer, const struct result *result) {
    struct csv_state *state = printer->state;
    struct text names = {0};

    for (size_t i = 0; i < result->column_count; i++) {
        append_separator(&names, i);
        printer_csv_append_text(printer, &names, result->columns[i].name,
                                strlen(result->columns[i].name));
    }
    text_append_char(&names, '\n');
    if (result->part_name == NULL || strcmp(text_string(&names), text_string(&state->names)) != 0) {
        text_append_string(&printer->out, printer->results_done > 0 ? "\n" : "");
        text_append(&printer->out, text_string(&names), names.length);
    }
    text_free(&state->names);
    state->names = names;
}

static void csv_row(struct printer *printer, const struct value *values) {
    const struct result *result = printer->result;

    for (size_t i = 0; i < result->column_count; i++) {
        append_separator(&printer->out, i);
        if (values[i].type == VALUE_TEXT) {
            printer_csv_append_text(printer, &printer->out, values[i].bytes, values[i].length);
        } else if (values[i].type == VALUE_NULL && result->column_count == 1) {
            /* A row of only NULL would be an empty line, which separates tables: writes "". */
            text_append_string(&printer->out, "\"\"");
        } else {
            printer_append_machine(&printer->out, &values[i], &result->columns[i]);
        }
        printer_flush_if_large(printer);
    }
    text_append_char(&printer->out, '\n');
}

const struct printer_style printer_style_csv = {
    .name = "csv",
    .is_machine = true,
    .state_size = sizeof(struct csv_state),
    .texts = 2,
    .begin = csv_begin,
    .row = csv_row,
};
