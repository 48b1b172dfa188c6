/* tsv: for scripts; also a gnuplot data file.
 *
 *     # trace palm-1: palmist, 1204 events, 0 rejected
 *     # units: share fraction
 *     # rank<TAB>name<TAB>count<TAB>share
 *     1<TAB>EvtGetEvent<TAB>402<TAB>0.333887
 *
 * If each row has its own unit, as in report summary, the line of units names the rows. Two blank
 * lines separate results (gnuplot's `index`). */
#include "output/printer.h"

#include <string.h>

/* Limit of bytes of rows that are held back until all units are known for the header. The header
 * lacks units of rows after these. */
#define HELD_BACK (1 << 20)

struct tsv_state {
    struct text units; /* the line `# units:` so far */
    struct text rows;  /* rows that are held back until the header is written */
    bool holds_back;
};

static void append_column_line(struct text *out, const struct result *result) {
    text_append_string(out, "# ");
    for (size_t i = 0; i < result->column_count; i++) {
        const char *name = result->columns[i].name;

        if (i > 0) {
            text_append_char(out, '\t');
        }
        text_append_escaped(out, name, strlen(name));
    }
    text_append_char(out, '\n');
}

/* Appends a name and its unit to the line `# units:`. */
static void printer_tsv_append_unit(struct text *out, const char *name, size_t length,
                                    const char *unit) {
    if (unit[0] != '\0') {
        text_append_string(out, out->length == 0 ? "# units: " : ", ");
        text_append_escaped(out, name, length);
        text_append_char(out, ' ');
        text_append_escaped(out, unit, strlen(unit));
    }
}

/* Appends the units of the columns and of the rows held back, then the names of the columns. */
static void printer_tsv_append_header(struct printer *printer) {
    const struct result *result = printer->result;
    struct tsv_state *state = printer->state;
    struct text *out = &printer->out;

    for (size_t i = 0; i < result->column_count; i++) {
        const struct column *column = &result->columns[i];

        printer_tsv_append_unit(&state->units, column->name, strlen(column->name),
                                printer_column_unit(column, result->clock_unit));
    }
    if (state->units.length > 0) {
        text_append(out, state->units.bytes, state->units.length);
        text_append_char(out, '\n');
    }
    append_column_line(out, result);
    text_clear(&state->units);
}

static void tsv_begin(struct printer *printer, const struct result *result) {
    struct tsv_state *state = printer->state;
    struct text *out = &printer->out;

    if (printer->results_done > 0) {
        text_append_string(out, "\n\n");
    }
    printer_append_headlines(out, result, "# ");
    printer_append_remarks(out, result, "# ");
    printer_append_unit(out, result, "# ");
    state->holds_back = result->row_units;
    if (!state->holds_back) {
        printer_tsv_append_header(printer);
    }
}

/* Writes the header, and the rows that were held back for it. */
static void printer_tsv_let_go(struct printer *printer) {
    struct tsv_state *state = printer->state;

    printer_tsv_append_header(printer);
    text_append(&printer->out, text_string(&state->rows), state->rows.length);
    text_free(&state->rows);
    state->holds_back = false;
}

/* Returns the unit of a value in a column with a kind per row; "": none. */
static const char *row_unit(const struct value *value, const char *clock_unit) {
    const struct column column = {"", "", value->kind};

    return value->unit != NULL ? value->unit : printer_column_unit(&column, clock_unit);
}

static void printer_tsv_append_field(struct text *out, const struct value *value,
                                     const struct column *column) {
    const char *bytes = value->bytes;
    size_t length = value->length;

    if (value->type != VALUE_TEXT) {
        printer_append_machine(out, value, column);
        return;
    }
    if (length > 0 && bytes[0] == '#') {
        text_append_string(out, "\\x23");
        bytes++;
        length--;
    }
    text_append_escaped(out, bytes, length);
}

/* Adds the unit of a row's value to the line `# units:`, after the value of the row's first column
 * as its name. */
static void note_unit(struct printer *printer, const struct value *values) {
    const struct result *result = printer->result;
    struct tsv_state *state = printer->state;
    size_t last = result->column_count - (result->part_name != NULL) - 1;

    if (values[0].type == VALUE_TEXT && values[last].type != VALUE_NULL) {
        printer_tsv_append_unit(&state->units, values[0].bytes, values[0].length,
                                row_unit(&values[last], result->clock_unit));
    }
}

static void tsv_row(struct printer *printer, const struct value *values) {
    struct tsv_state *state = printer->state;
    const struct result *result = printer->result;
    struct text *out = state->holds_back ? &state->rows : &printer->out;

    for (size_t i = 0; i < result->column_count; i++) {
        if (i > 0) {
            text_append_char(out, '\t');
        }
        printer_tsv_append_field(out, &values[i], &result->columns[i]);
        printer_flush_if_large(printer);
    }
    text_append_char(out, '\n');
    if (state->holds_back) {
        note_unit(printer, values);
    }
    if (state->rows.length > HELD_BACK) {
        printer_tsv_let_go(printer);
    }
}

static void tsv_end(struct printer *printer) {
    struct tsv_state *state = printer->state;

    if (state->holds_back) {
        printer_tsv_let_go(printer);
    }
}

const struct printer_style printer_style_tsv = {
    .name = "tsv",
    .state_size = sizeof(struct tsv_state),
    .texts = 2,
    .is_machine = true,
    .begin = tsv_begin,
    .row = tsv_row,
    .end = tsv_end,
};
