/* tsv: for scripts, and a gnuplot data file at once.
 *
 *     # trace palm-1: palmist, 1204 events, 0 rejected
 *     # rank<TAB>name<TAB>count
 *     1<TAB>EvtGetEvent<TAB>402
 *
 * Two blank lines stand between results (gnuplot's `index`).
 */
#include "output/printer.h"

#include <string.h>

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

static bool tsv_begin(struct printer *printer, const struct result *result, struct error *error) {
    struct text *out = &printer->out;

    (void)error;
    if (printer->results_done > 0) {
        text_append_string(out, "\n\n");
    }
    printer_append_remarks(out, result, "# ", "\n");
    printer_append_unit(out, result, "# ");
    append_column_line(out, result);
    return true;
}

static bool tsv_row(struct printer *printer, const struct value *values, struct error *error) {
    struct text *out = &printer->out;
    const struct result *result = printer->result;

    (void)error;
    for (size_t i = 0; i < result->column_count; i++) {
        if (i > 0) {
            text_append_char(out, '\t');
        }
        printer_append_field(out, &values[i], &result->columns[i]);
        printer_drain(printer);
    }
    text_append_char(out, '\n');
    return true;
}

static bool tsv_end(struct printer *printer, struct error *error) {
    (void)printer;
    (void)error;
    return true;
}

const struct printer_style printer_style_tsv = {
    .name = "tsv",
    .begin = tsv_begin,
    .row = tsv_row,
    .end = tsv_end,
};
