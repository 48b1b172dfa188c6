/* Start of a page: an overview of its traces, and their key numbers. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "output/html.h"
#include "page/part.h"
#include "report/choose.h"
#include "report/print.h"
#include "report/findings.h"
#include "report/report.h"

/* Limit of traces with an overview of their own, in addition to their row. */
#define OVERVIEW_TRACES 8

/* Key numbers: the summary of each trace. */

/* Limits of distinct names of numbers over all traces, and of numbers in a row. */
#define MOST_NUMBERS 200
#define ROW_NUMBERS  16

struct numbers {
    size_t traces, count;
    struct value values[MOST_NUMBERS]
                       [1 + PAGE_TRACES]; /* name, followed by a value for each trace */
    char **strings;                       /* owned; referenced by the values */
    size_t string_count, string_capacity;
};

/* Returns a copy that lives as long as the numbers. */
static const char *numbers_keep(struct numbers *numbers, const char *bytes, size_t length) {
    char *copy = xstrndup(bytes, length);

    *ARRAY_NEW(numbers->strings, numbers->string_count, numbers->string_capacity) = copy;
    return copy;
}

/* Stores a value. Times of a clock other than the real one get their unit. */
static void numbers_keep_value(struct numbers *numbers, const struct value *from,
                               const char *clock_unit, struct value *to) {
    char units[96];

    *to = *from;
    if (from->kind == COLUMN_DURATION && from->type == VALUE_INTEGER &&
        strcmp(clock_unit, "ns") != 0) {
        int length = snprintf(units, sizeof units, "%lld %s", (long long)from->integer, clock_unit);

        *to = (struct value){.type = VALUE_TEXT, .bytes = units, .length = (size_t)length};
    }
    if (to->type == VALUE_TEXT || to->type == VALUE_BLOB) {
        to->bytes = numbers_keep(numbers, to->bytes, to->length);
        to->length = strlen(to->bytes);
    }
    if (to->unit != NULL) {
        to->unit = numbers_keep(numbers, to->unit, strlen(to->unit));
    }
}

/* Returns the row of that name, and adds it if missing; NULL if there is no room. */
static struct value *numbers_find_row(struct numbers *numbers, const struct value *name) {
    for (size_t i = 0; i < numbers->count; i++) {
        const struct value *other = &numbers->values[i][0];

        if (other->length == name->length && memcmp(other->bytes, name->bytes, name->length) == 0) {
            return numbers->values[i];
        }
    }
    return numbers->count < MOST_NUMBERS ? numbers->values[numbers->count] : NULL;
}

static void numbers_take_row(struct numbers *numbers, const struct value *values,
                             const char *clock_unit) {
    struct value *row = values[0].type == VALUE_TEXT ? numbers_find_row(numbers, &values[0]) : NULL;

    if (row == NULL) {
        return;
    }
    if (row == numbers->values[numbers->count]) {
        numbers_keep_value(numbers, &values[0], clock_unit, &row[0]);
        numbers->count++;
    }
    numbers_keep_value(numbers, &values[1], clock_unit, &row[1 + numbers->traces]);
}

static bool numbers_take_rows(struct numbers *numbers, struct report *report, struct error *error) {
    const struct result *result;
    const struct value *values;
    bool done = report_next(report, &result, error);

    if (!done || result == NULL || result->column_count < 2) {
        return done;
    }
    while ((done = report_row(report, &values, error)) && values != NULL) {
        numbers_take_row(numbers, values, result->clock_unit);
    }
    return done;
}

/* Returns the page's request for one of its traces; sets `typed` to its name. */
static struct report_request request_of_trace(const struct page *page, const char *report,
                                              const struct catalog_trace *trace,
                                              const char **typed) {
    struct report_request request = page_report(page, report);

    *typed = catalog_word(&page->request->workspace->catalog, trace);
    request.traces = typed;
    request.trace_count = 1;
    request.study = NULL;
    request.users = (struct name_set){.count = 0};
    request.group = GROUP_NONE;
    request.by_trace = false;
    return request;
}

/* Adds the numbers of a trace; its row is empty if it has no summary. */
static bool take_trace(struct page *page, struct numbers *numbers,
                       const struct catalog_trace *trace, struct error *error) {
    const char *typed;
    struct report_request request = request_of_trace(page, PAGE_NUMBERS_REPORT, trace, &typed);
    struct error ignored = {0};
    struct report *report;
    size_t traces;
    int64_t events;
    bool done = true;

    if (page_query(page, &request, &traces, &events, &ignored) != NULL) {
        report = report_open(page->request->workspace, &request, error);
        done = report != NULL && numbers_take_rows(numbers, report, error);
        report_close(report);
        done = done || page_append_absent(page, error);
    }
    numbers->traces++;
    return done;
}

/* Appends the numbers of a single trace as a column. */
static bool numbers_append_column(struct page *page, const struct numbers *numbers,
                                  struct error *error) {
    const struct column columns[] = {{"number", "", COLUMN_TEXT}, {"value", "", COLUMN_NUMBER}};
    struct value *values = xcalloc(numbers->count + 1, 2 * sizeof *values);
    bool done;

    for (size_t i = 0; i < numbers->count; i++) {
        memcpy(values + 2 * i, numbers->values[i], 2 * sizeof *values);
    }
    done = page_append_rows(page, "Key numbers", false, columns, 2, values, numbers->count, error);
    free(values);
    return done;
}

/* Appends a row for each trace. */
static bool numbers_append_table(struct page *page, const struct numbers *numbers,
                                 struct error *error) {
    const size_t count = numbers->count < ROW_NUMBERS ? numbers->count : ROW_NUMBERS;
    struct column columns[1 + ROW_NUMBERS] = {{"trace", "", COLUMN_TEXT}};
    struct value *values = xcalloc(numbers->traces, (1 + count) * sizeof *values);
    bool done;

    for (size_t i = 0; i < count; i++) {
        columns[1 + i] = (struct column){numbers->values[i][0].bytes, "", COLUMN_NUMBER};
    }
    for (size_t trace = 0; trace < numbers->traces; trace++) {
        struct value *row = values + trace * (1 + count);

        row[0] = value_text(page->traces[trace]->name);
        for (size_t i = 0; i < count; i++) {
            row[1 + i] = numbers->values[i][1 + trace];
        }
    }
    done = page_append_rows(page, "Key numbers", false, columns, 1 + count, values, numbers->traces,
                            error);
    free(values);
    return done;
}

/* Appends the numbers of one trace as a column, of several as rows. */
static bool append_numbers(struct page *page, struct error *error) {
    struct numbers *numbers = xcalloc(1, sizeof *numbers);
    bool done = true;

    for (size_t i = 0; done && i < page->trace_count && i < PAGE_TRACES; i++) {
        done = take_trace(page, numbers, page->traces[i], error);
    }
    done = done && (page->trace_count == 1 ? numbers_append_column(page, numbers, error)
                                           : numbers_append_table(page, numbers, error));
    if (page->trace_count > PAGE_TRACES) {
        text_append_format(&page->out, "<p class=\"more\">The first %d of %zu traces.</p>\n",
                           PAGE_TRACES, page->trace_count);
    }
    for (size_t i = 0; i < numbers->string_count; i++) {
        free(numbers->strings[i]);
    }
    free(numbers->strings);
    free(numbers);
    return done;
}

bool page_append_numbers(struct page *page, struct error *error) {
    bool done;

    text_append_string(&page->out, "<section id=\"numbers\">\n<h2>Key numbers</h2>\n");
    done = append_numbers(page, error);
    text_append_string(&page->out, "</section>\n");
    return done;
}

/* Appends the sentences of findings, with their commands; nothing if there are none. */
static bool append_sentences(struct page *page, struct report *report, struct error *error) {
    const struct result *result;
    const struct value *values;
    bool any = false, done;

    while ((done = report_next(report, &result, error)) && result != NULL) {
        while ((done = report_row(report, &values, error)) && values != NULL) {
            if (result->column_count <= FINDING_COMMAND) {
                continue; /* a user's file that replaces the program's */
            }
            text_append_string(&page->out, any ? "" : "<h3>What stands out</h3>\n<ul>\n");
            text_append_string(&page->out, "<li>");
            html_append(&page->out, values[FINDING_SENTENCE].bytes,
                        values[FINDING_SENTENCE].length);
            text_append_string(&page->out, "<p><code>");
            html_append(&page->out, values[FINDING_COMMAND].bytes, values[FINDING_COMMAND].length);
            text_append_string(&page->out, "</code></p></li>\n");
            any = true;
        }
        if (!done) {
            break;
        }
    }
    text_append_string(&page->out, any ? "</ul>\n" : "");
    return done;
}

/* Appends the findings of a trace. */
static bool numbers_append_findings(struct page *page, const struct catalog_trace *trace,
                                    struct error *error) {
    const char *typed;
    struct report_request request = request_of_trace(page, PAGE_FINDINGS_REPORT, trace, &typed);
    struct error ignored = {0};
    struct report *report;
    size_t traces;
    int64_t events;
    bool done;

    request.top = PAGE_FINDINGS;
    if (page_query(page, &request, &traces, &events, &ignored) == NULL) {
        return true;
    }
    report = report_open(page->request->workspace, &request, error);
    done = report != NULL && append_sentences(page, report, error);
    report_close(report);
    return done || page_append_absent(page, error);
}

/* Appends the contents of a trace; if there are several, it is folded under the trace's name. */
static bool numbers_append_trace(struct page *page, const struct catalog_trace *trace,
                                 struct error *error) {
    const struct printer_options options = {
        .is_fragment = true, .no_caption = true, .memory = &page->memory};
    const bool is_folded = page->trace_count > 1;
    const char *typed;
    struct report_request request = request_of_trace(page, PAGE_OVERVIEW_REPORT, trace, &typed);
    struct error ignored = {0};
    size_t traces;
    int64_t events;
    bool done;

    if (page_query(page, &request, &traces, &events, &ignored) == NULL) {
        return true;
    }
    if (is_folded) {
        text_append_string(&page->out, "<details>\n<summary>");
        html_append_string(&page->out, trace->name);
        text_append_string(&page->out, "</summary>\n");
    }
    done = print_report(page->request->workspace, &request, &printer_style_html, NULL, &options,
                        error) ||
           page_append_absent(page, error);
    done = done && numbers_append_findings(page, trace, error);
    text_append_string(&page->out, is_folded ? "</details>\n" : "");
    return done;
}

bool page_append_overview(struct page *page, struct error *error) {
    bool done = true;

    text_append_string(&page->out, "<section id=\"overview\">\n<h2>Overview</h2>\n");
    if (page->trace_count > 1) {
        done = append_numbers(page, error);
    }
    for (size_t i = 0; done && i < page->trace_count && i < OVERVIEW_TRACES; i++) {
        done = numbers_append_trace(page, page->traces[i], error);
    }
    text_append_string(&page->out, "</section>\n");
    return done;
}
