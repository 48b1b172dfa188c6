/* gnuplot: a script with its data inside, complete but for `set terminal` and `set output`.
 *
 *     set datafile separator "\t"
 *     $data << TRACETOOL_END
 *     # trace palm-1: palmist, 1204 events, 0 rejected
 *     # rank<TAB>name<TAB>count
 *     1<TAB>EvtGetEvent<TAB>402
 *     TRACETOOL_END
 *     trace_names = "palm-1"
 *     plot $data using 1:3 …            (the result's own plot)
 *
 * Results that follow one another with the same plot share one block, two blank lines between
 * them, so that the plot finds them with `index`; therefore the plot is only written when the next
 * one differs, or at the end. For the plot's use are defined: trace_names, report_title,
 * duration_unit, results (how many), result_name[1…results] and rows (of all results).
 *
 * What gnuplot 5.4 does with text, found by experiment, and what follows for text from outside:
 *  - In a data block nothing is executed or substituted (no backticks, no @macros), but a line that
 *    only begins with the end mark ends the block, `"` begins a field that runs over tabs, and `#`
 *    at the start of a line is a comment.
 *  - When a plot reads a text field, gnuplot resolves \n, \t, \\ and octal \042, but knows no \x22;
 *    so it does in double-quoted strings, where also backticks are commands.
 *  - In single quotes nothing is resolved, so a quote could not be written safely.
 * So fields and strings are written alike: first the tsv escapes, then every backslash doubled,
 * and every character that means something to gnuplot as octal. A picture thus shows what tsv
 * shows.
 */
#include "output/printer.h"

#include <stdlib.h>
#include <string.h>

#define END_MARK "TRACETOOL_END"

struct gnuplot_state {
    struct text plot;         /* of the group of results that is being written */
    struct text title, unit;  /* already escaped */
    struct text trace_names;  /* of the whole group, already escaped, joined by ", " */
    struct text result_names; /* the lines `result_name[1] = "…"` */
    struct text plain;        /* scratch: a text with the tsv escapes */
    size_t results;           /* of the group */
    uint64_t rows;            /* of the group */
    uint64_t result_rows;     /* of the current result */
    bool in_group;
};

static void append_octal(struct text *out, char character) {
    text_append_format(out, "\\%03o", (unsigned char)character);
}

static bool is_special(const char *at) {
    return strchr("\"'`#@$", *at) != NULL || strncmp(at, END_MARK, strlen(END_MARK)) == 0;
}

/* `plain` has no control characters. A digit that follows an octal number would be taken for a part
 * of it, however many digits there are already, so it is written in octal, too. A blank at the
 * start would be skipped by gnuplot when it looks for comments and empty lines. */
static void append_escaped(struct text *out, const char *plain) {
    bool after_octal = false;

    for (const char *at = plain; *at != '\0'; at++) {
        bool is_digit = *at >= '0' && *at <= '9';

        if (is_special(at) || (is_digit && after_octal) || (*at == ' ' && at == plain)) {
            append_octal(out, *at);
            after_octal = true;
            continue;
        }
        text_append_string(out, *at == '\\' ? "\\" : "");
        text_append_char(out, *at);
        after_octal = false;
    }
}

static void append_text(struct gnuplot_state *state, struct text *out, const char *bytes,
                        size_t length) {
    text_clear(&state->plain);
    text_append_escaped(&state->plain, bytes, length);
    append_escaped(out, text_string(&state->plain));
    out->failed = out->failed || state->plain.failed;
}

static void append_string_variable(struct text *out, const char *name, const struct text *value) {
    text_append_format(out, "%s = \"", name);
    text_append_string(out, text_string(value));
    text_append_string(out, "\"\n");
    out->failed = out->failed || value->failed;
}

/* gnuplot stops with an error when there is nothing to draw; a picture that says so is kinder. */
static void append_empty_plot(struct text *out) {
    text_append_string(out, "set title report_title\n"
                            "set label 1 \"no data\" at graph 0.5, graph 0.5 center\n"
                            "set xrange [0:1]\n"
                            "set yrange [0:1]\n"
                            "plot NaN notitle\n"
                            "unset label 1\n");
}

/* Ends the block of the current group and draws it. */
static void finish_group(struct printer *printer) {
    struct gnuplot_state *state = printer->state;
    struct text *out = &printer->out;

    text_append_string(out, END_MARK "\n");
    append_string_variable(out, "report_title", &state->title);
    append_string_variable(out, "duration_unit", &state->unit);
    append_string_variable(out, "trace_names", &state->trace_names);
    text_append_format(out, "results = %zu\narray result_name[%zu]\n", state->results,
                       state->results);
    text_append_string(out, text_string(&state->result_names));
    out->failed = out->failed || state->result_names.failed || state->plot.failed;
    text_append_format(out, "rows = %llu\n", (unsigned long long)state->rows);
    if (state->rows == 0) {
        append_empty_plot(out);
    } else {
        text_append_string(out, text_string(&state->plot));
        text_append_char(out, '\n');
    }
    state->in_group = false;
}

static void begin_group(struct printer *printer, const struct result *result) {
    struct gnuplot_state *state = printer->state;

    /* In the C locale gnuplot warns about this encoding, so it is set only once. */
    text_append_string(&printer->out,
                       printer->results_done == 0 ? "set encoding utf8\n" : "reset\n");
    text_append_string(&printer->out, "set termoption noenhanced\n"
                                      "set datafile separator \"\\t\"\n"
                                      "$data << " END_MARK "\n");
    text_clear(&state->plot);
    text_clear(&state->title);
    text_clear(&state->unit);
    text_clear(&state->trace_names);
    text_clear(&state->result_names);
    text_append_string(&state->plot, result->plot);
    append_text(state, &state->title, result->title, strlen(result->title));
    append_text(state, &state->unit, result->clock_unit, strlen(result->clock_unit));
    state->results = 0;
    state->rows = 0;
    state->in_group = true;
}

static void append_trace_names(struct gnuplot_state *state, struct text *out,
                               const struct result *result) {
    for (size_t i = 0; i < result->trace_count; i++) {
        text_append_string(out, i > 0 ? ", " : "");
        append_text(state, out, result->traces[i].name, strlen(result->traces[i].name));
    }
}

static void note_result(struct gnuplot_state *state, const struct result *result) {
    state->results++;
    state->result_rows = 0;
    if (state->trace_names.length > 0 && result->trace_count > 0) {
        text_append_string(&state->trace_names, ", ");
    }
    append_trace_names(state, &state->trace_names, result);
    text_append_format(&state->result_names, "result_name[%zu] = \"", state->results);
    append_trace_names(state, &state->result_names, result);
    text_append_string(&state->result_names, "\"\n");
}

/* Ledger, remarks and columns are comments inside the block, where nothing is interpreted. */
static void append_comments(struct printer *printer, const struct result *result) {
    struct gnuplot_state *state = printer->state;
    struct text *out = &printer->out;

    printer_append_remarks(out, result, "# ", "\n");
    text_append_string(out, "# ");
    for (size_t i = 0; i < result->column_count; i++) {
        text_append_string(out, i > 0 ? "\t" : "");
        append_text(state, out, result->columns[i].name, strlen(result->columns[i].name));
    }
    text_append_char(out, '\n');
}

static bool gnuplot_begin(struct printer *printer, const struct result *result,
                          struct error *error) {
    struct gnuplot_state *state = printer->state;

    if (result->plot == NULL) {
        return error_set(error, "report %s has no picture", result->report);
    }
    if (state->in_group && strcmp(text_string(&state->plot), result->plot) != 0) {
        finish_group(printer);
    }
    if (state->in_group) {
        text_append_string(&printer->out, "\n\n");
    } else {
        begin_group(printer, result);
    }
    note_result(state, result);
    append_comments(printer, result);
    return true;
}

static void append_field(struct printer *printer, size_t i, const struct value *value) {
    const struct result *result = printer->result;

    if (value->type == VALUE_TEXT && value->length > 0) {
        append_text(printer->state, &printer->out, value->bytes, value->length);
    } else if (value->type == VALUE_TEXT || (value->type == VALUE_NULL && i == 0)) {
        /* Nothing at all in the first field could make a blank line. */
        text_append_string(&printer->out, i == 0 ? "NaN" : "");
    } else {
        printer_append_machine(&printer->out, value, &result->columns[i]);
    }
}

static bool gnuplot_row(struct printer *printer, const struct value *values, struct error *error) {
    struct gnuplot_state *state = printer->state;

    (void)error;
    for (size_t i = 0; i < printer->result->column_count; i++) {
        if (i > 0) {
            text_append_char(&printer->out, '\t');
        }
        append_field(printer, i, &values[i]);
    }
    text_append_char(&printer->out, '\n');
    state->rows++;
    state->result_rows++;
    return true;
}

/* A result without rows needs a line, else gnuplot's index of those that follow would shift. */
static bool gnuplot_end(struct printer *printer, struct error *error) {
    const struct gnuplot_state *state = printer->state;

    (void)error;
    if (state->result_rows > 0) {
        return true;
    }
    for (size_t i = 0; i < printer->result->column_count; i++) {
        text_append_string(&printer->out, i > 0 ? "\tNaN" : "NaN");
    }
    text_append_char(&printer->out, '\n');
    return true;
}

static bool gnuplot_close(struct printer *printer, struct error *error) {
    struct gnuplot_state *state = printer->state;

    (void)error;
    if (state->in_group) {
        finish_group(printer);
    }
    text_free(&state->plot);
    text_free(&state->title);
    text_free(&state->unit);
    text_free(&state->trace_names);
    text_free(&state->result_names);
    text_free(&state->plain);
    return true;
}

const struct printer_style printer_style_gnuplot = {
    .name = "gnuplot",
    .state_size = sizeof(struct gnuplot_state),
    .begin = gnuplot_begin,
    .row = gnuplot_row,
    .end = gnuplot_end,
    .close = gnuplot_close,
};
