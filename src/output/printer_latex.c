/* latex: a table for a paper, with rules of the package booktabs and human-readable values.
 *
 *     \begin{table}
 *     \centering
 *     \caption{Reads and writes}
 *     \label{tab:rw-web-0}
 *     \begin{tabular}{lrr} … \end{tabular}
 *     \parbox{\linewidth}{\footnotesize … the ledger and the remarks … }
 *     \end{table}
 *
 * Texts are escaped for LaTeX (plot_look.h). */
#include "output/printer.h"

#include <string.h>

#include "output/plot_look.h"

struct latex_state {
    struct text plain; /* scratch memory: a text, not yet escaped for LaTeX */
};

static void printer_latex_append_plain(struct printer *printer) {
    struct latex_state *state = printer->state;

    latex_append(&printer->out, text_string(&state->plain), state->plain.length);
    text_clear(&state->plain);
}

static void printer_latex_append_text(struct printer *printer, const char *bytes) {
    struct latex_state *state = printer->state;

    text_append_escaped(&state->plain, bytes, strlen(bytes));
    printer_latex_append_plain(printer);
}

/* Appends a text to a label. Letters and digits are kept; other bytes become hyphens. */
static void printer_latex_append_key(struct text *out, const char *bytes) {
    for (; *bytes != '\0'; bytes++) {
        bool stays = (*bytes >= 'a' && *bytes <= 'z') || (*bytes >= 'A' && *bytes <= 'Z') ||
                     (*bytes >= '0' && *bytes <= '9');

        if (stays) {
            text_append_char(out, *bytes);
        } else if (out->bytes[out->length - 1] != '-') {
            text_append_char(out, '-');
        }
    }
}

/* Appends a label made from the names of the report and the trace, so that tables of several
 * reports have different labels. */
static void append_label(struct printer *printer, const struct result *result) {
    struct text *out = &printer->out;

    text_append_string(out, "\\label{tab:");
    printer_latex_append_key(out, result->report);
    if (result->trace_count == 1) {
        text_append_char(out, '-');
        printer_latex_append_key(out, result->traces[0].name);
    }
    if (result->group != NULL) {
        text_append_char(out, '-');
        printer_latex_append_key(out, result->group);
    }
    if (result->group == NULL && result->trace_count != 1 && printer->results_done > 0) {
        text_append_format(out, "-%zu", printer->results_done + 1);
    }
    text_append_string(out, "}\n");
}

static void printer_latex_append_heading(struct printer *printer, const struct result *result) {
    struct latex_state *state = printer->state;
    struct text *out = &printer->out;

    text_append_string(out, "\\begin{tabular}{");
    for (size_t i = 0; i < result->column_count; i++) {
        text_append_char(out, (printer_kind_is_number(result->columns[i].kind) ||
                               (result->row_units && i == result->column_count - 1))
                                  ? 'r'
                                  : 'l');
    }
    text_append_string(out, "}\n\\toprule\n");
    for (size_t i = 0; i < result->column_count; i++) {
        text_append_string(out, i == 0 ? "" : " & ");
        text_append_escaped(&state->plain, result->columns[i].name,
                            strlen(result->columns[i].name));
        for (char *at = state->plain.bytes; (at = strchr(at, '_')) != NULL; at++) {
            *at = ' ';
        }
        printer_latex_append_plain(printer);
    }
    text_append_string(out, " \\\\\n\\midrule\n");
}

static void latex_begin(struct printer *printer, const struct result *result) {
    struct text *out = &printer->out;

    text_append_string(out, printer->results_done == 0 ? "% needs \\usepackage{booktabs}\n" : "\n");
    text_append_string(out, "\\begin{table}\n\\centering\n\\caption{");
    printer_latex_append_text(printer, result->title[0] != '\0' ? result->title : result->report);
    if (result->group != NULL) {
        text_append_string(out, ": ");
        printer_latex_append_text(printer, result->group);
    }
    text_append_string(out, "}\n");
    append_label(printer, result);
    printer_latex_append_heading(printer, result);
}

static void latex_row(struct printer *printer, const struct value *values) {
    struct latex_state *state = printer->state;
    const struct result *result = printer->result;

    for (size_t i = 0; i < result->column_count; i++) {
        text_append_string(&printer->out, i == 0 ? "" : " & ");
        if (values[i].type == VALUE_TEXT) {
            text_append_escaped(&state->plain, values[i].bytes, values[i].length);
        } else {
            printer_append_human(&state->plain, &values[i], &result->columns[i],
                                 result->clock_unit);
        }
        printer_latex_append_plain(printer);
        printer_flush_if_large(printer);
    }
    text_append_string(&printer->out, " \\\\\n");
}

static void latex_end(struct printer *printer) {
    struct text lines = {0};
    const char *end;

    text_append_string(&printer->out, "\\bottomrule\n\\end{tabular}\n");
    /* Formats the # lines as for any style, then splits them into lines. */
    printer_append_headlines(&lines, printer->result, "");
    printer_append_remarks(&lines, printer->result, "");
    printer_append_unit(&lines, printer->result, "");
    if (lines.length > 0) {
        text_append_string(&printer->out, "\n\\smallskip\n\\parbox{\\linewidth}{\\footnotesize\n");
    }
    for (const char *line = text_string(&lines); (end = strchr(line, '\n')) != NULL;
         line = end + 1) {
        latex_append(&printer->out, line, (size_t)(end - line));
        text_append_string(&printer->out, end[1] != '\0' ? "\\par\n" : "}\n");
    }
    text_free(&lines);
    text_append_string(&printer->out, "\\end{table}\n");
}

const struct printer_style printer_style_latex = {
    .name = "latex",
    .names_none = true,
    .state_size = sizeof(struct latex_state),
    .texts = 1,
    .begin = latex_begin,
    .row = latex_row,
    .end = latex_end,
};
