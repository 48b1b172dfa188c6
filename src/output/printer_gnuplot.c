/* gnuplot: a script with its data inside, complete but for `set terminal` and `set output`.
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
 *  - SIGINT makes it leave the block, even in the middle of reading a line, and take what follows
 *    for commands. Who is writing the script may end then, too, in the middle of a line. So any
 *    part of a line may be met as a command, from any character to any other.
 *  - A command line with a `\` outside of quotes is refused as a whole, whatever stands before it;
 *    but one that begins with `!` goes to the shell unread, and `shell` needs no argument: then
 *    the shell takes what follows.
 * So fields and strings are written alike: first the tsv escapes, then every backslash doubled,
 * and as octal
 *  - every character that is not among the plain ones, which neither mean anything to gnuplot nor
 *    can stand between a command and its argument: no part of a name is a command with an argument;
 *  - the `e` of "she", with which the only command begins that is harmful without one;
 *  - the first and the last character: with a part that reaches beyond the name, there is a `\`.
 * Numbers, dates and times stay as they are: they begin no command. In a comment, which people read
 * and where no field begins, blanks and most other characters stay; its end is ` \#`, and with
 * `_`, quotes and brackets in octal, no part of it names anything from outside as an argument. A
 * picture thus shows what tsv shows.
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

/* Where a text stands in the script. Titles and names of columns come from query files, which are
 * the program's or the user's own; all others from outside. */
enum place { PLACE_TITLE, PLACE_FIELD, PLACE_COMMENT };

static void append_octal(struct text *out, char character) {
    const unsigned char byte = (unsigned char)character;
    const char octal[4] = {'\\', (char)('0' + (byte >> 6)), (char)('0' + (byte >> 3 & 7)),
                           (char)('0' + (byte & 7))};

    text_append(out, octal, sizeof octal);
}

static bool is_digit(char character) {
    return character >= '0' && character <= '9';
}

static bool is_letter(char character) {
    return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
           (unsigned char)character >= 0x80;
}

static bool is_special(const char *start, const char *at, enum place place) {
    if (place != PLACE_TITLE && *at == 'e' && at - start >= 2 && at[-1] == 'h' && at[-2] == 's') {
        return true;
    }
    switch (place) {
    case PLACE_FIELD:
        return !is_letter(*at) && !is_digit(*at) && strchr("\\_./:-<>,;%", *at) == NULL;
    case PLACE_COMMENT:
        return strchr("\"'`#@$!=_[]{}", *at) != NULL;
    default:
        return strchr("\"'`#@$", *at) != NULL || (*at == ' ' && at == start);
    }
}

/* Numbers, dates and times, which a plot may read as such. */
static bool begins_no_command(const char *plain, size_t length) {
    return (is_digit(*plain) || *plain == '-') && strspn(plain, "0123456789+-.:/ TZ") == length;
}

static bool is_continuation(char byte) {
    return ((unsigned char)byte & 0xC0) == 0x80;
}

/* How many bytes the first character has in UTF-8, 0 when there is none. */
static size_t first_size(const char *plain, size_t length) {
    size_t size = length > 0;

    while (size < length && is_continuation(plain[size])) {
        size++;
    }
    return size;
}

/* Where the last character begins. */
static size_t last_start(const char *plain, size_t length) {
    size_t at = length > 0 ? length - 1 : 0;

    while (at > 0 && is_continuation(plain[at])) {
        at--;
    }
    return at;
}

/* `plain` has no control characters. A digit that follows an octal number would be taken for a part
 * of it, however many digits there are already, so it is written in octal, too. */
static void append_escaped(struct text *out, const char *plain, size_t length, enum place place) {
    const bool is_field = place == PLACE_FIELD;
    const size_t first = is_field ? first_size(plain, length) : 0;
    const size_t last = is_field ? last_start(plain, length) : length;
    bool after_octal = false;

    if (is_field && begins_no_command(plain, length)) {
        text_append(out, plain, length);
        return;
    }
    for (size_t i = 0; i < length; i++) {
        const char *at = plain + i;

        if (i < first || i >= last || is_special(plain, at, place) ||
            (is_digit(*at) && after_octal)) {
            append_octal(out, *at);
            after_octal = true;
            continue;
        }
        text_append_string(out, *at == '\\' && place != PLACE_COMMENT ? "\\" : "");
        text_append_char(out, *at);
        after_octal = false;
    }
}

static void append_text(struct gnuplot_state *state, struct text *out, const char *bytes,
                        size_t length, enum place place) {
    text_clear(&state->plain);
    text_append_escaped(&state->plain, bytes, length);
    append_escaped(out, text_string(&state->plain), state->plain.length, place);
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
    append_text(state, &state->title, result->title, strlen(result->title), PLACE_TITLE);
    append_text(state, &state->unit, result->clock_unit, strlen(result->clock_unit),
                strcmp(result->clock_unit, "ns") == 0 ? PLACE_TITLE : PLACE_FIELD);
    state->results = 0;
    state->rows = 0;
    state->in_group = true;
}

static void append_trace_names(struct gnuplot_state *state, struct text *out,
                               const struct result *result) {
    for (size_t i = 0; i < result->trace_count; i++) {
        text_append_string(out, i > 0 ? ", " : "");
        append_text(state, out, result->traces[i].name, strlen(result->traces[i].name),
                    PLACE_FIELD);
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
    const char *line, *end;

    text_clear(&state->plain);
    printer_append_remarks(&state->plain, result, "", "\n");
    for (line = text_string(&state->plain); (end = strchr(line, '\n')) != NULL; line = end + 1) {
        text_append_string(out, "# ");
        append_escaped(out, line, (size_t)(end - line), PLACE_COMMENT);
        text_append_string(out, " \\#\n");
    }
    out->failed = out->failed || state->plain.failed;
    text_append_string(out, "# ");
    for (size_t i = 0; i < result->column_count; i++) {
        text_append_string(out, i > 0 ? "\t" : "");
        append_text(state, out, result->columns[i].name, strlen(result->columns[i].name),
                    PLACE_TITLE);
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
        append_text(printer->state, &printer->out, value->bytes, value->length, PLACE_FIELD);
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
