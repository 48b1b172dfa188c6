/* csv: RFC 4180 for spreadsheets, but for line ends, which are those of Unix.
 *
 * A row of names comes first. There are no comments in csv, so ledger and remarks are left out.
 * Control characters and invalid UTF-8 are escaped as in tsv, so a record is always one line.
 * Results with the same columns, of which one tells them apart, are one table. Before any other
 * stands an empty line, and its own row of names.
 */
#include <string.h>

#include "output/csv.h"
#include "output/printer.h"

struct csv_state {
    struct text field;
    struct text names; /* the row of names of the table */
};

static void append_text(struct printer *printer, struct text *out, const char *bytes,
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
        append_text(printer, &names, result->columns[i].name, strlen(result->columns[i].name));
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
            append_text(printer, &printer->out, values[i].bytes, values[i].length);
        } else if (values[i].type == VALUE_NULL && result->column_count == 1) {
            /* A bare NULL would be an empty line, which is the mark between results. */
            text_append_string(&printer->out, "\"\"");
        } else {
            printer_append_machine(&printer->out, &values[i], &result->columns[i]);
        }
        printer_drain(printer);
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
