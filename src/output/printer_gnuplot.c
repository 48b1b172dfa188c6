/* gnuplot: a script with its data, complete except for `set terminal` and `set output`.
 *
 *     set datafile separator "\t"
 *     $data << TRACETOOL_END
 *     # trace palm-1: palmist, 1204 events, 0 rejected \#
 *     # rank<TAB>name<TAB>count
 *     1<TAB>\105vtGetEven\164<TAB>402
 *     TRACETOOL_END
 *     trace_names = "\160alm-\061"
 *     plot $data using 1:3 …            (the result's own plot)
 *
 * Successive results with the same plot share one block, separated by two blank lines, so that the
 * plot selects them by `index`. Therefore the plot is written only when the next one differs, or at
 * the end. Variables for the plot: trace_names, report_title, given_title (--title, else ""),
 * duration_unit, column_names, column_shares; with shares: shares_of (row, column or all); with
 * --class: classes_chosen (1); with --cdf: curve_chosen (1); for a user's statement: axis[1…]
 * (labels of its columns); for a comparison: side[1] and side[2] (names of its sides); results
 * (number), result_name[1…results], rows (of all results), remarks (number), remark[1…] and
 * remark_of[1…] (number of the result, 0 for lines on traces).
 *
 * With downsampling (downsample.h), only visible rows are written, followed by the number of rows
 * they represent. If the last column may hold values of any kind, each row's value is repeated as
 * the table shows it. If the last field is empty, `-` follows as an additional column: gnuplot 5.4
 * replaces an empty last field by the text of an earlier row.
 *
 * Behaviour of gnuplot 5.4 with text, found by experiment, and its consequences for untrusted text:
 *  - In a data block nothing is executed or substituted (no backticks, no @macros). But a line that
 *    starts with the end mark ends the block, `"` starts a field that includes tabs, and `#` at the
 *    start of a line is a comment.
 *  - When a plot reads a text field, gnuplot resolves \n, \t, \\ and octal \042, but not \x22. The
 *    same holds in double-quoted strings, where backticks are commands as well.
 *  - In single quotes nothing is resolved, so a quote could not be written safely.
 *  - SIGINT makes it leave the block, even in the middle of a line, and execute the rest as
 *    commands. The writer of the script may also end in the middle of a line. So any part of a
 *    line, between any two characters, may be read as a command.
 *  - A command line with a `\` outside of quotes is refused as a whole, whatever precedes it. But
 *    one that starts with `!` goes to the shell unread, and `shell` needs no argument: then the
 *    shell reads the rest.
 * So fields and strings are written alike: first the tsv escapes, then every backslash doubled, and
 * as octal
 *  - every character outside a set of plain ones, which have no meaning to gnuplot and cannot
 *    separate a command from its argument: no part of a name is a command with an argument;
 *  - the `e` of "she", the prefix of the only command that is harmful without an argument;
 *  - the first and the last character: any part that extends beyond the name contains a `\`.
 * Numbers, dates and times are unchanged: they start no command. In a comment, which is only for
 * human readers and where no field starts, blanks and most other characters are unchanged. It ends
 * with ` \#`, and `_`, quotes and brackets are octal, so no part of it names an untrusted argument.
 * A picture thus shows the same text as tsv. */
#include "output/printer.h"

#include <stdlib.h>
#include <string.h>

#include "output/downsample.h"
#include "output/plot.h"
#include "output/plot_look.h"

#define BEFORE_DATA "set termoption noenhanced\nset datafile separator \"\\t\"\n"

/* For LaTeX, makes gnuplot print plain numbers on axes; cairolatex writes formulas by default. */
#define TEX_NUMBERS "set format \"%g\"\n"

/* Number of texts in the state; the first GROUP_TEXTS of them are cleared for each group. */
enum { TEXTS = 14, GROUP_TEXTS = 11 };

struct gnuplot_state {
    struct text plot;
    struct text title, unit;  /* escaped */
    struct text trace_names;  /* names of the group's traces, escaped, separated by ", " */
    struct text result_names; /* gnuplot commands `result_name[1] = "…"` … */
    struct text columns;      /* column names, escaped, separated by blanks */
    struct text shares;       /* for each column: 1 if it holds shares, else 0 */
    struct text shares_of; /* with --share: what the shares are of (row, column or all); "": counts
                              are printed */
    struct text arrays;    /* gnuplot commands that set `axis[1]`, `side[1]`, …_chosen */
    struct text remarks;   /* gnuplot commands `remark[1] = "…"` and `remark_of[1] = …` … */
    struct text report;    /* name of the report, for the message that there are no rows */
    struct text why;       /* remarks of all groups, for the message that there are no rows */
    struct text line;      /* scratch memory: a row of data */
    struct text plain;     /* scratch memory: a text, escaped as in tsv */
    /* drops rows that cannot be seen in the picture; NULL: all rows are written */
    struct downsample *downsample;
    size_t remark_count;     /* number of remarks in the group */
    size_t results;          /* number of results in the group */
    uint64_t rows, all_rows; /* number of rows in the group, and in all groups */
    uint64_t result_rows;    /* number of rows in the current result */
    bool in_group;
    bool is_tex; /* true: the picture is for LaTeX */
};

static enum gnuplot_place gnuplot_field_of_column(const struct gnuplot_state *state) {
    return state->is_tex ? GNUPLOT_TEX_FIELD : GNUPLOT_FIELD;
}

static void printer_gnuplot_append_text(struct gnuplot_state *state, struct text *out,
                                        const char *bytes, size_t length,
                                        enum gnuplot_place place) {
    text_clear(&state->plain);
    text_append_escaped(&state->plain, bytes, length);
    gnuplot_append(out, text_string(&state->plain), state->plain.length,
                   place == GNUPLOT_FIELD ? gnuplot_field_of_column(state) : place);
}

static void append_string_variable(struct text *out, const char *name, const struct text *value) {
    text_append_format(out, "%s = \"", name);
    text_append_string(out, text_string(value));
    text_append_string(out, "\"\n");
}

/* Returns the grey for a colour. The main colours of the plots become clearly different greys. */
static unsigned grey_for_colour(unsigned long colour) {
    static const struct {
        unsigned long colour;
        unsigned grey;
    } greys[] = {
        {0x0072B2, 0x40}, {0xD55E00, 0x70}, {0x009E73, 0x88},
        {0xCC79A7, 0xA0}, {0x56B4E9, 0xB8}, {0xE69F00, 0xD0},
    };

    for (size_t i = 0; i < sizeof greys / sizeof greys[0]; i++) {
        if (greys[i].colour == colour) {
            return greys[i].grey;
        }
    }
    return (unsigned)((299 * (colour >> 16) + 587 * (colour >> 8 & 255) + 114 * (colour & 255)) /
                      1000);
}

/* Appends gnuplot commands with each colour, `#RRGGBB` or 0xRRGGBB, replaced by its grey. The
 * commands contain no untrusted text. */
static void append_grey(struct text *out, const char *plot) {
    for (const char *at = plot; *at != '\0'; at++) {
        const size_t mark = *at == '#' ? 1 : strncmp(at, "0x", 2) == 0 ? 2 : 0;

        if (mark > 0 && (int)strspn(at + mark, "0123456789abcdefABCDEF") == 6) {
            const unsigned grey = grey_for_colour(strtoul(at + mark, NULL, 16));

            text_append(out, at, mark);
            text_append_format(out, "%02X%02X%02X", grey, grey, grey);
            at += mark + 5;
        } else {
            text_append_char(out, *at);
        }
    }
}

static void append_once(const struct printer *printer, struct text *out) {
    const struct gnuplot_state *state = printer->state;

    if (printer->options.look != NULL && printer->options.look->is_mono) {
        append_grey(out, text_string(&state->plot));
    } else {
        text_append_string(out, text_string(&state->plot));
    }
    text_append_char(out, '\n');
}

/* Appends the commands that draw. If the user gave a size, so the picture may be small, draws
 * twice: gnuplot knows the axes and the space that they need only after drawing (common.gp). */
static void append_plot(const struct printer *printer, struct text *out) {
    const struct plot_look *look = printer->options.look;

    if (look != NULL && look->width > 0 && printer->options.one_picture &&
        !printer->options.is_fragment) {
        const bool is_tex = look->is_tex;

        text_append_string(out, is_tex ? "pass = 1\nset output '" PLOT_TEX_MEASURED "'\n"
                                       : "pass = 1\nset output '/dev/null'\n");
        append_once(printer, out);
        text_append_string(out, "reset\n" BEFORE_DATA "pass = 2\n");
        text_append_string(out, is_tex ? TEX_NUMBERS "set output '" PLOT_TEX_PICTURE "'\n"
                                       : GNUPLOT_TO_PICTURE);
    }
    append_once(printer, out);
}

/* Ends the data of the current group (results with the same plot), and draws them. */
static void finish_group(struct printer *printer) {
    struct gnuplot_state *state = printer->state;
    struct text *out = &printer->out;
    const char *given = printer->options.title == NULL ? "" : printer->options.title;

    text_append_string(out, GNUPLOT_DATA_END);
    append_string_variable(out, "report_title", &state->title);
    append_string_variable(out, "duration_unit", &state->unit);
    append_string_variable(out, "trace_names", &state->trace_names);
    text_append_format(out, "results = %zu\narray result_name[%zu]\n", state->results,
                       state->results);
    text_append_string(out, text_string(&state->result_names));
    text_append_format(out, "rows = %llu\n", (unsigned long long)state->rows);
    append_string_variable(out, "column_names", &state->columns);
    append_string_variable(out, "column_shares", &state->shares);
    if (state->shares_of.length > 0) {
        append_string_variable(out, "shares_of", &state->shares_of);
    }
    text_append_string(out, text_string(&state->arrays));
    text_append_string(out, "given_title = \"");
    printer_gnuplot_append_text(state, out, given, strlen(given), GNUPLOT_FIELD);
    text_append_format(out, "\"\nremarks = %zu\narray remark[%zu]\narray remark_of[%zu]\n",
                       state->remark_count, state->remark_count + 1, state->remark_count + 1);
    text_append_string(out, text_string(&state->remarks));
    if (state->rows == 0) {
        /* Draws a message: gnuplot would stop with an error if it could draw no row. */
        text_append_string(out, "set title report_title\n"
                                "set label 1 \"no data\" at graph 0.5, graph 0.5 center\n"
                                "set xrange [0:1]\n"
                                "set yrange [0:1]\n"
                                "plot NaN notitle\n"
                                "unset label 1\n");
    } else {
        append_plot(printer, out);
    }
    state->in_group = false;
}

static bool has_words(const struct result *result) {
    return result->column_count > 0 && result->columns[result->column_count - 1].kind == COLUMN_ANY;
}

static void append_column_names(struct gnuplot_state *state, struct text *out,
                                const struct result *result, const char *separator) {
    for (size_t i = 0; i < result->column_count; i++) {
        text_append_string(out, i > 0 ? separator : "");
        printer_gnuplot_append_text(state, out, result->columns[i].name,
                                    strlen(result->columns[i].name), GNUPLOT_TITLE);
    }
    if (has_words(result)) {
        text_append_format(out, "%sin_words", separator);
    }
    if (result->downsampling != NULL) {
        if (result->downsampling->has_weight) {
            text_append_format(out, "%sweight", separator);
        }
        text_append_format(out, "%srows", separator);
    }
}

/* Appends commands that set a gnuplot array to untrusted texts, escaped. */
static void append_array(struct gnuplot_state *state, const char *name, const char *const *texts,
                         size_t count) {
    text_append_format(&state->arrays, "array %s[%zu]\n", name, count);
    for (size_t i = 0; i < count; i++) {
        text_append_format(&state->arrays, "%s[%zu] = \"", name, i + 1);
        printer_gnuplot_append_text(state, &state->arrays, texts[i], strlen(texts[i]),
                                    GNUPLOT_FIELD);
        text_append_string(&state->arrays, "\"\n");
    }
}

static void printer_gnuplot_begin_group(struct printer *printer, const struct result *result) {
    struct gnuplot_state *state = printer->state;

    /* In the C locale, gnuplot prints a warning for each `set encoding utf8`, so only the first
     * result has this command. GPVAL_TERMOPTIONS (the terminal's font) is no longer valid once an
     * option was set, so it is copied to the variable terminal_options, which plots use. */
    text_append_string(&printer->out,
                       printer->results_done == 0
                           ? "set encoding utf8\nterminal_options = GPVAL_TERMOPTIONS\n"
                           : "reset\n");
    state->is_tex = printer->options.look != NULL && printer->options.look->is_tex;
    text_append_string(&printer->out, state->is_tex ? TEX_NUMBERS : "");
    text_append_string(&printer->out, BEFORE_DATA GNUPLOT_DATA_BEGIN);
    for (int i = 0; i < GROUP_TEXTS; i++) {
        text_clear((struct text *)state + i);
    }
    text_append_string(&state->plot, result->plot);
    printer_gnuplot_append_text(state, &state->title, result->title, strlen(result->title),
                                GNUPLOT_TITLE);
    printer_gnuplot_append_text(state, &state->unit, result->clock_unit, strlen(result->clock_unit),
                                strcmp(result->clock_unit, "ns") == 0 ? GNUPLOT_TITLE
                                                                      : GNUPLOT_FIELD);
    append_column_names(state, &state->columns, result, " ");
    for (size_t i = 0; i < result->column_count; i++) {
        text_append_string(&state->shares, i > 0 ? " " : "");
        text_append_string(&state->shares, result->columns[i].kind == COLUMN_SHARE ? "1" : "0");
    }
    if (result->shares != NULL) {
        printer_gnuplot_append_text(state, &state->shares_of, result->shares,
                                    strlen(result->shares), GNUPLOT_TITLE);
    }
    if (result->curve) {
        text_append_string(&state->arrays, "curve_chosen = 1\n");
    }
    if (result->some_classes) {
        text_append_string(&state->arrays, "classes_chosen = 1\n");
    }
    if (result->axes != NULL) {
        append_array(state, "axis", result->axes, result->column_count);
    }
    if (result->compared != NULL) {
        append_array(state, "side", result->compared, 2);
    }
    text_append_escaped(&state->report, result->report, strlen(result->report));
    state->results = 0;
    state->rows = 0;
    state->remark_count = 0;
    state->in_group = true;
}

static void append_trace_names(struct gnuplot_state *state, struct text *out,
                               const struct result *result) {
    for (size_t i = 0; i < result->trace_count; i++) {
        text_append_string(out, i > 0 ? ", " : "");
        printer_gnuplot_append_text(state, out, result->traces[i].name,
                                    strlen(result->traces[i].name), GNUPLOT_FIELD);
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
    if (result->group != NULL) {
        const char *group = result->group[0] == '\0' ? "no label" : result->group;

        printer_gnuplot_append_text(state, &state->result_names, group, strlen(group),
                                    GNUPLOT_FIELD);
    } else {
        append_trace_names(state, &state->result_names, result);
    }
    text_append_string(&state->result_names, "\"\n");
}

static void append_comment(struct text *out, const char *line, size_t length) {
    text_append_string(out, "# ");
    gnuplot_append(out, line, length, GNUPLOT_COMMENT);
    text_append_string(out, " \\#\n");
}

/* Writes a # line as a comment, as a variable for the plot, and to the caller's notes. Notes of an
 * HTML page omit the lines on traces, which the page prints once. */
static void append_remark(struct printer *printer, const char *line, size_t length, size_t of,
                          bool is_ledger) {
    struct gnuplot_state *state = printer->state;
    struct text *notes = printer->options.notes;
    size_t number = ++state->remark_count;

    append_comment(&printer->out, line, length);
    text_append_format(&state->remarks, "remark[%zu] = \"", number);
    gnuplot_append(&state->remarks, line, length, gnuplot_field_of_column(state));
    text_append_format(&state->remarks, "\"\nremark_of[%zu] = %zu\n", number, of);
    if (strncmp(line, NOTE_NO_EVENTS, strlen(NOTE_NO_EVENTS)) == 0) {
        text_clear(&state->why); /* explains it alone */
    }
    if (of > 0 && strstr(text_string(&state->why), NOTE_NO_EVENTS) == NULL &&
        (state->why.length == 0 ||
         memmem(state->why.bytes, state->why.length, line, length) == NULL)) {
        text_append_string(&state->why, "; ");
        text_append(&state->why, line, length);
    }
    if (notes != NULL && !(is_ledger && printer->options.is_fragment)) {
        text_append(notes, line, length);
        text_append_char(notes, '\n');
    }
}

/* Writes a comment with the hash of each trace, as `tracetool traces --hashes` does. */
static void append_hashes(struct printer *printer, const struct result *result) {
    struct text *line = &((struct gnuplot_state *)printer->state)->line;

    for (size_t i = 0; printer->options.hashes && i < result->trace_count; i++) {
        const struct result_trace *trace = &result->traces[i];

        if (trace->hash != NULL) {
            text_clear(line);
            text_append_string(line, "trace ");
            text_append_escaped(line, trace->name, strlen(trace->name));
            text_append_format(line, ": %lld events, hash %s", (long long)trace->events,
                               trace->hash);
            append_comment(&printer->out, text_string(line), line->length);
        }
    }
}

/* Writes lines on traces, remarks and columns as comments in the data block: not executed. */
static void append_comments(struct printer *printer, const struct result *result) {
    struct gnuplot_state *state = printer->state;
    struct text *out = &printer->out;
    const char *line, *end;
    size_t number = 0;

    text_clear(&state->plain);
    printer_append_remarks(&state->plain, result, "");
    for (line = text_string(&state->plain); (end = strchr(line, '\n')) != NULL; line = end + 1) {
        bool is_ledger = number++ < printer_trace_line_count(result);

        append_remark(printer, line, (size_t)(end - line),
                      is_ledger || result->remarks_of_all ? 0 : state->results, is_ledger);
    }
    append_hashes(printer, result);
    text_append_string(out, "# ");
    append_column_names(state, out, result, "\t");
    text_append_char(out, '\n');
}

/* Writes the title of the picture, the first line of the caller's notes. */
static void note_title(const struct printer *printer, const struct result *result) {
    const char *title = printer->options.title != NULL ? printer->options.title : result->title;

    if (printer->options.notes != NULL) {
        text_append_escaped(printer->options.notes, title, strlen(title));
        text_append_char(printer->options.notes, '\n');
    }
}

/* Checks that the plot can show several results as the user wants: overlaid or in panels. */
static bool printer_gnuplot_check_layout(struct printer *printer, const struct result *result) {
    const char *layout = plot_layout_name(printer->options.look);

    return layout == NULL || strstr(result->plot, "\n# layouts: ") != NULL ||
           error_usage(&printer->failure,
                       "--%s: the picture of report %s has one way to draw several results; "
                       "distributions (--cdf) have both",
                       layout, result->report);
}

static void gnuplot_begin(struct printer *printer, const struct result *result) {
    struct gnuplot_state *state = printer->state;

    if (result->plot == NULL) {
        printer_set_no_picture_error(printer, result, "");
        return;
    }
    if (!printer_gnuplot_check_layout(printer, result)) {
        return;
    }
    if (state->in_group && strcmp(text_string(&state->plot), result->plot) != 0) {
        finish_group(printer);
    }
    if (state->in_group) {
        text_append_string(&printer->out, "\n\n");
    } else {
        printer_gnuplot_begin_group(printer, result);
        note_title(printer, result);
    }
    note_result(state, result);
    append_comments(printer, result);
    if (result->downsampling != NULL) {
        state->downsample = downsample_new(result->downsampling);
    }
}

static void printer_gnuplot_append_field(struct printer *printer, struct text *out, size_t i,
                                         const struct value *value) {
    const struct result *result = printer->result;

    if (value->type == VALUE_TEXT && value->length > 0) {
        printer_gnuplot_append_text(printer->state, out, value->bytes, value->length,
                                    GNUPLOT_FIELD);
    } else if (value->type == VALUE_TEXT && i == 0) {
        /* Writes "(none)" for an empty first field, which could make a line blank. */
        printer_gnuplot_append_text(printer->state, out, "(none)", strlen("(none)"), GNUPLOT_FIELD);
    } else if (value->type == VALUE_TEXT || (value->type == VALUE_NULL && i == 0)) {
        text_append_string(out, i == 0 ? "NaN" : "");
    } else {
        printer_append_machine(out, value, &result->columns[i]);
    }
}

/* Appends the last value of a row as in human-readable formats. */
static void printer_gnuplot_append_words(struct printer *printer, struct text *out,
                                         const struct value *value) {
    const struct result *result = printer->result;
    struct text words = {0};

    if (value->type == VALUE_TEXT) {
        printer_gnuplot_append_field(printer, out, result->column_count, value);
        return;
    }
    printer_append_human(&words, value, &result->columns[result->column_count - 1],
                         result->clock_unit);
    printer_gnuplot_append_text(printer->state, out, text_string(&words), words.length,
                                GNUPLOT_FIELD);
    text_free(&words);
}

static void printer_gnuplot_append_row(struct printer *printer, struct text *out,
                                       const struct value *values) {
    for (size_t i = 0; i < printer->result->column_count; i++) {
        if (i > 0) {
            text_append_char(out, '\t');
        }
        printer_gnuplot_append_field(printer, out, i, &values[i]);
    }
    if (has_words(printer->result)) {
        text_append_char(out, '\t');
        printer_gnuplot_append_words(printer, out, &values[printer->result->column_count - 1]);
    }
    if (out->length > 0 && out->bytes[out->length - 1] == '\t') {
        text_append_string(out, "\t-");
    }
}

static void printer_gnuplot_count_rows(struct gnuplot_state *state, uint64_t rows) {
    state->rows += rows;
    state->all_rows += rows;
    state->result_rows += rows;
}

static void gnuplot_row(struct printer *printer, const struct value *values) {
    struct gnuplot_state *state = printer->state;

    if (state->downsample == NULL) {
        printer_gnuplot_append_row(printer, &printer->out, values);
        text_append_char(&printer->out, '\n');
        printer_gnuplot_count_rows(state, 1);
    } else if (downsample_keeps_row(state->downsample, values)) {
        text_clear(&state->line);
        printer_gnuplot_append_row(printer, &state->line, values);
        downsample_store(state->downsample, text_string(&state->line), state->line.length);
    }
}

/* Writes the rows that downsampling kept, each followed by the number of rows in its cell. */
static void write_downsampled(struct printer *printer) {
    struct gnuplot_state *state = printer->state;

    for (size_t i = 0; i < downsample_count_kept(state->downsample); i++) {
        const char *line;
        size_t length;
        int64_t weight;
        uint64_t rows = downsample_line(state->downsample, i, &line, &length, &weight);

        text_append(&printer->out, line, length);
        text_append_char(&printer->out, '\t');
        if (printer->result->downsampling->has_weight) {
            text_append_integer(&printer->out, weight);
            text_append_char(&printer->out, '\t');
        }
        text_append_integer(&printer->out, (int64_t)rows);
        text_append_char(&printer->out, '\n');
        printer_flush_if_large(printer);
    }
    printer_gnuplot_count_rows(state, downsample_count_kept(state->downsample));
    text_clear(&state->line);
    downsample_append_remark(state->downsample, printer->result->columns, &state->line);
    if (state->line.length > 0) {
        append_remark(printer, text_string(&state->line), state->line.length, state->results,
                      false);
    }
    downsample_free(state->downsample);
    state->downsample = NULL;
}

/* Ends a result. If it has no rows, writes a line: else gnuplot would miscount later results. */
static void gnuplot_end(struct printer *printer) {
    struct gnuplot_state *state = printer->state;
    size_t count = printer->result->column_count + (size_t)has_words(printer->result) +
                   (printer->result->downsampling == NULL       ? 0
                    : printer->result->downsampling->has_weight ? 2
                                                                : 1);

    if (state->downsample != NULL) {
        write_downsampled(printer);
    }
    if (state->result_rows > 0) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        text_append_string(&printer->out, i > 0 ? "\tNaN" : "NaN");
    }
    text_append_char(&printer->out, '\n');
}

static void gnuplot_close(struct printer *printer) {
    struct gnuplot_state *state = printer->state;

    if (state->in_group && state->all_rows == 0 && printer->options.is_picture) {
        error_set(&printer->failure, "there is nothing to draw: report %s has no rows%s",
                  text_string(&state->report), text_string(&state->why));
    } else if (state->in_group) {
        finish_group(printer);
    }
    downsample_free(state->downsample);
}

const struct printer_style printer_style_gnuplot = {
    .name = "gnuplot",
    .state_size = sizeof(struct gnuplot_state),
    .texts = TEXTS,
    .begin = gnuplot_begin,
    .row = gnuplot_row,
    .end = gnuplot_end,
    .close = gnuplot_close,
};
