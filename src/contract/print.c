#include "contract/print.h"

#include <stdlib.h>
#include <string.h>

#include "output/html.h"

static const char *const states[] = {
    [CONTRACT_HOLDS] = "ok", [CONTRACT_BROKEN] = "FAILED", [CONTRACT_UNDECIDED] = "undecided"};

/* Texts about the outcome of a contract, escaped, for all output formats. */
struct line {
    const struct outcome *outcome;
    bool fails; /* true: this outcome makes the program fail */
    /* Name of the contract; with the trace's name if it is judged in several traces. */
    struct text name;
    struct text says; /* condition (unless it is the name), measured number and reason */
};

static void make_line(struct line *line, const struct outcomes *outcomes, size_t index,
                      const struct outcome_style *style) {
    const struct outcome *outcome = &outcomes->outcomes[index];
    const struct contract *contract = outcome->contract;
    const char *says = contract->type == CONTRACT_CONDITION ? contract->condition.text
                                                            : contract->condition.bound_text;

    text_clear(&line->name);
    text_clear(&line->says);
    line->outcome = outcome;
    line->fails = outcome->state == CONTRACT_BROKEN ||
                  (outcome->state == CONTRACT_UNDECIDED && !style->lenient);
    text_append_escaped(&line->name, contract->name, strlen(contract->name));
    if ((index > 0 && outcome[-1].contract == contract) ||
        (index + 1 < outcomes->count && outcome[1].contract == contract)) {
        text_append_string(&line->name, " in ");
        text_append_escaped(&line->name, outcome->trace->name, strlen(outcome->trace->name));
    }
    if (strcmp(says, contract->name) != 0) {
        text_append_escaped(&line->says, says, strlen(says));
        text_append_string(&line->says, ": ");
    }
    text_append_string(&line->says, text_string(&outcome->number));
    text_append_string(&line->says,
                       outcome->number.length > 0 && outcome->why.length > 0 ? "; " : "");
    text_append_escaped(&line->says, text_string(&outcome->why),
                        strlen(text_string(&outcome->why)));
}

static void print_append_plain(struct text *out, const struct line *line, size_t index) {
    const char *place = text_string(&line->outcome->places);

    text_append_format(out, "%-9s %s: %s\n", states[line->outcome->state], text_string(&line->name),
                       text_string(&line->says));
    if (line->outcome->state == CONTRACT_BROKEN && line->outcome->contract->why != NULL) {
        text_append_string(out, "    why: ");
        text_append_escaped(out, line->outcome->contract->why,
                            strlen(line->outcome->contract->why));
        text_append_char(out, '\n');
    }
    for (; line->outcome->state == CONTRACT_BROKEN && *place != '\0';
         place += strcspn(place, "\n") + 1) {
        text_append_format(out, "    %.*s\n", (int)strcspn(place, "\n"), place);
    }
}

/* Escapes # in names, since it would begin a directive of TAP. */
static void append_tap(struct text *out, const struct line *line, size_t index) {
    text_append_format(out, "%s %zu - ", line->fails ? "not ok" : "ok", index + 1);
    for (const char *at = text_string(&line->name); *at != '\0'; at++) {
        text_append_format(out, *at == '#' ? "\\%c" : "%c", *at);
    }
    text_append_string(
        out, line->fails || line->outcome->state == CONTRACT_HOLDS ? "\n" : " # SKIP undecided\n");
    if (line->outcome->state != CONTRACT_HOLDS) {
        text_append_format(out, "  ---\n  state: %s\n  message: ", states[line->outcome->state]);
        json_append_string(out, text_string(&line->says), line->says.length);
        text_append_string(out, "\n  places: ");
        json_append_string(out, text_string(&line->outcome->places), line->outcome->places.length);
        text_append_string(out, "\n  ...\n");
    }
}

static void print_append_attribute(struct text *out, const char *name, const char *value) {
    text_append_format(out, " %s=\"", name);
    html_append_text(out, value, strlen(value));
    text_append_char(out, '"');
}

static void append_case(struct text *out, const struct line *line, size_t index) {
    const struct outcome *outcome = line->outcome;
    const char *element = outcome->state == CONTRACT_BROKEN ? "failure"
                          : line->fails                     ? "error"
                                                            : "skipped";

    text_append_string(out, "    <testcase");
    print_append_attribute(out, "name", text_string(&line->name));
    print_append_attribute(out, "classname", outcome->trace == NULL ? "" : outcome->trace->name);
    text_append_string(out, " time=\"0\">");
    if (outcome->state != CONTRACT_HOLDS) {
        text_append_format(out, "\n      <%s", element);
        print_append_attribute(out, "message", text_string(&line->says));
        text_append_char(out, '>');
        html_append_string(out, outcome->contract->why == NULL ? "" : outcome->contract->why);
        text_append_char(out, '\n');
        html_append_text(out, text_string(&outcome->places), outcome->places.length);
        text_append_format(out, "</%s>\n    ", element);
    }
    text_append_string(out, "</testcase>\n");
}

/* Escapes the characters `special`, such as , and : between properties, for GitHub Actions. */
static void print_append_command(struct text *out, const char *text, const char *special) {
    for (; *text != '\0'; text++) {
        text_append_format(out, strchr(special, *text) != NULL ? "%%%02X" : "%c",
                           (unsigned char)*text);
    }
}

static void append_github(struct text *out, const struct line *line, size_t index) {
    const struct contract *contract = line->outcome->contract;
    const struct violating_call *call = &line->outcome->calls[0];
    const char *file = contract->file != NULL ? contract->file : call->file;
    const int64_t number = contract->file != NULL ? (int64_t)contract->line : call->line;

    if (line->outcome->state == CONTRACT_HOLDS) {
        return;
    }
    text_append_format(out, "::%s title=%s", line->fails ? "error" : "warning",
                       line->outcome->state == CONTRACT_BROKEN ? "broken contract" : "undecided");
    if (file != NULL && number > 0) {
        text_append_string(out, ",file=");
        print_append_command(out, file, "%\r\n,:");
        text_append_format(out, ",line=%lld", (long long)number);
    }
    text_append_string(out, "::");
    print_append_command(out, text_string(&line->name), "%\r\n");
    text_append_string(out, ": ");
    print_append_command(out, text_string(&line->says), "%\r\n");
    if (line->outcome->places.length > 0) {
        text_append_string(out, "%0A");
        print_append_command(out, text_string(&line->outcome->places), "%\r\n");
        out->length -= strlen("%0A"); /* removes the last newline */
    }
    text_append_char(out, '\n');
}

/* Appends the head of the output: for TAP and JUnit, with the number of contracts by state. */
static void print_append_head(struct text *out, const struct outcomes *outcomes,
                              const struct outcome_style *style) {
    size_t counts[3] = {0};

    for (size_t i = 0; i < outcomes->count; i++) {
        counts[outcomes->outcomes[i].state]++;
    }
    if (style->form == OUTCOMES_TAP) {
        text_append_format(out, "TAP version 13\n1..%zu\n", outcomes->count);
    } else if (style->form == OUTCOMES_JUNIT) {
        text_append_string(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
                                "  <testsuite");
        print_append_attribute(out, "name", style->suite);
        text_append_format(
            out, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\" time=\"0\">\n",
            outcomes->count, counts[CONTRACT_BROKEN],
            style->lenient ? 0 : counts[CONTRACT_UNDECIDED],
            style->lenient ? counts[CONTRACT_UNDECIDED] : 0);
    }
}

void outcomes_print(const struct outcomes *outcomes, const struct outcome_style *style,
                    FILE *file) {
    static void (*const append[])(struct text *, const struct line *, size_t) = {
        [OUTCOMES_PLAIN] = print_append_plain,
        [OUTCOMES_TAP] = append_tap,
        [OUTCOMES_JUNIT] = append_case,
        [OUTCOMES_GITHUB] = append_github,
    };
    struct text out = {0};
    struct line line = {.outcome = NULL};

    print_append_head(&out, outcomes, style);
    for (size_t i = 0; i < outcomes->count; i++) {
        if (style->form != OUTCOMES_PLAIN || !style->quiet ||
            outcomes->outcomes[i].state != CONTRACT_HOLDS) {
            make_line(&line, outcomes, i, style);
            append[style->form](&out, &line, i);
        }
    }
    text_append_string(&out,
                       style->form == OUTCOMES_JUNIT ? "  </testsuite>\n</testsuites>\n" : "");
    text_escape_bidi(&out);
    fwrite(text_string(&out), 1, out.length, file);
    text_free(&line.name);
    text_free(&line.says);
    text_free(&out);
}

/* Reverses text_append_escaped() for the first line of a text, since printers escape it again. */
static struct value value_unescaped(struct text *to, const struct text *escaped) {
    const char *at = text_string(escaped);

    while (*at != '\0' && *at != '\n') {
        const char *hex = *at == '\\' && at[1] == 'x' ? at + 2 : NULL;

        text_append_char(to, hex != NULL    ? (char)strtol((char[]){hex[0], hex[1], '\0'}, NULL, 16)
                             : *at != '\\'  ? *at
                             : at[1] == 't' ? '\t'
                             : at[1] == 'n' ? '\n'
                                            : '\\');
        at += hex != NULL ? 4 : 1 + (*at == '\\');
    }
    return (struct value){.type = VALUE_TEXT, .bytes = text_string(to), .length = to->length};
}

/* Prints an outcome as a row. */
static bool print_print_row(struct printer *printer, const struct line *line, struct error *error) {
    struct text texts[3] = {0};
    const struct value values[] = {value_text(states[line->outcome->state]),
                                   value_unescaped(&texts[0], &line->name),
                                   value_unescaped(&texts[1], &line->says),
                                   value_unescaped(&texts[2], &line->outcome->places)};
    const bool done = printer_row(printer, values, error);

    for (size_t i = 0; i < 3; i++) {
        text_free(&texts[i]);
    }
    return done;
}

bool outcomes_print_rows(const struct outcomes *outcomes, const struct outcome_style *style,
                         struct printer *printer, struct error *error) {
    static const enum contract_state order[] = {CONTRACT_BROKEN, CONTRACT_UNDECIDED,
                                                CONTRACT_HOLDS};
    static const struct column columns[] = {{"state", "", COLUMN_TEXT},
                                            {"contract", "", COLUMN_TEXT},
                                            {"found", "", COLUMN_TEXT},
                                            {"place", "", COLUMN_TEXT}};
    const bool brief = printer->style == &printer_style_markdown;
    const size_t *counts = outcomes->states;
    char *remark =
        xasprintf("contracts: %zu hold, %zu broken, %zu undecided", counts[CONTRACT_HOLDS],
                  counts[CONTRACT_BROKEN], counts[CONTRACT_UNDECIDED]);
    const struct result result = {.report = "assert",
                                  .title = "Contracts",
                                  .clock_unit = "ns",
                                  .remarks = (const char *const *)&remark,
                                  .remark_count = 1,
                                  .columns = columns,
                                  .column_count = 4,
                                  .blank = "place"};
    struct line line = {.outcome = NULL};
    size_t rows = 0;
    bool done = printer_begin(printer, &result, error);

    for (size_t state = 0; done && state < 3; state++) {
        for (size_t i = 0; done && i < outcomes->count; i++) {
            if (outcomes->outcomes[i].state == order[state] &&
                (!brief || (order[state] != CONTRACT_HOLDS && ++rows <= 6))) {
                make_line(&line, outcomes, i, style);
                done = print_print_row(printer, &line, error);
            }
        }
    }
    done = done && printer_end(printer, error);
    text_free(&line.name);
    text_free(&line.says);
    free(remark);
    return done;
}
