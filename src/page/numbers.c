/* Key numbers: the summary of each trace, side by side. */
#include "page/part.h"

#include <stdlib.h>
#include <string.h>

#include "report/report.h"
#include "base/memory.h"

#define NUMBERS_REPORT "summary"

/* Rows that differ in their names, of all traces. */
#define MOST_ROWS 200

struct numbers {
    size_t traces, rows;
    struct value values[MOST_ROWS][1 + PAGE_TRACES]; /* the name, and of each trace */
    char **strings;                                  /* owned; what values point to */
    size_t string_count, string_capacity;
};

/* A copy that lives as long as the numbers. */
static const char *keep(struct numbers *numbers, const char *bytes, size_t length) {
    char *copy = xstrndup(bytes, length);

    numbers->strings = array_grow(numbers->strings, numbers->string_count,
                                  &numbers->string_capacity, sizeof *numbers->strings);
    numbers->strings[numbers->string_count++] = copy;
    return copy;
}

/* Times of a clock that is not real are said with their unit. */
static void keep_value(struct numbers *numbers, const struct value *from, const char *clock_unit,
                       struct value *to) {
    char units[96];

    *to = *from;
    if (from->kind == COLUMN_DURATION && from->type == VALUE_INTEGER &&
        strcmp(clock_unit, "ns") != 0) {
        int length = snprintf(units, sizeof units, "%lld %s", (long long)from->integer, clock_unit);

        *to = (struct value){.type = VALUE_TEXT, .bytes = units, .length = (size_t)length};
    }
    if (to->type == VALUE_TEXT || to->type == VALUE_BLOB) {
        to->bytes = keep(numbers, to->bytes, to->length);
        to->length = strlen(to->bytes);
    }
    if (to->unit != NULL) {
        to->unit = keep(numbers, to->unit, strlen(to->unit));
    }
}

/* The row of that name, a new one if there is none; NULL when there is no room. */
static struct value *find_row(struct numbers *numbers, const struct value *name) {
    for (size_t i = 0; i < numbers->rows; i++) {
        const struct value *other = &numbers->values[i][0];

        if (other->length == name->length && memcmp(other->bytes, name->bytes, name->length) == 0) {
            return numbers->values[i];
        }
    }
    return numbers->rows < MOST_ROWS ? numbers->values[numbers->rows] : NULL;
}

static void take_row(struct numbers *numbers, const struct value *values, const char *clock_unit) {
    struct value *row = values[0].type == VALUE_TEXT ? find_row(numbers, &values[0]) : NULL;

    if (row == NULL) {
        return;
    }
    if (row == numbers->values[numbers->rows]) {
        keep_value(numbers, &values[0], clock_unit, &row[0]);
        numbers->rows++;
    }
    keep_value(numbers, &values[1], clock_unit, &row[1 + numbers->traces]);
}

static bool take_rows(struct numbers *numbers, struct report *report, struct error *error) {
    const struct result *result;
    const struct value *values;
    bool done = report_next(report, &result, error);

    if (!done || result == NULL || result->column_count < 2) {
        return done;
    }
    while ((done = report_row(report, &values, error)) && values != NULL) {
        take_row(numbers, values, result->clock_unit);
    }
    return done;
}

/* A trace that there is no summary of has an empty column. */
static bool take_trace(struct page *page, struct numbers *numbers,
                       const struct catalog_trace *trace, struct error *error) {
    const char *typed = catalog_word(&page->request->workspace->catalog, trace);
    struct report_request request = page_report(page, NUMBERS_REPORT);
    struct error ignored = {0};
    struct report *report;
    size_t traces;
    int64_t events;
    bool done = true;

    request.traces = &typed;
    request.trace_count = 1;
    request.study = NULL;
    request.users = (struct name_set){.count = 0};
    request.group = GROUP_NONE;
    request.by_trace = false;
    if (page_query(page, &request, &traces, &events, &ignored) != NULL) {
        report = report_open(page->request->workspace, &request, error);
        done = report != NULL && take_rows(numbers, report, error);
        report_close(report);
        done = done || page_append_absent(page, error);
    }
    numbers->traces++;
    return done;
}

static bool append_table(struct page *page, struct numbers *numbers, struct error *error) {
    struct column columns[1 + PAGE_TRACES] = {{"", "", COLUMN_TEXT}};
    struct value *values = xcalloc(numbers->rows + 1, (1 + numbers->traces) * sizeof *values);
    bool done;

    columns[0].name = "number";
    for (size_t i = 0; i < numbers->traces; i++) {
        columns[1 + i] = (struct column){page->traces[i]->name, "", COLUMN_NUMBER};
    }
    for (size_t i = 0; i < numbers->rows; i++) {
        memcpy(values + i * (1 + numbers->traces), numbers->values[i],
               (1 + numbers->traces) * sizeof *values);
    }
    done = page_append_rows(page, "Key numbers of each trace", columns, 1 + numbers->traces, values,
                            numbers->rows, error);
    free(values);
    return done;
}

bool page_append_numbers(struct page *page, struct error *error) {
    struct numbers *numbers = xcalloc(1, sizeof *numbers);
    bool done = true;

    text_append_string(&page->out, "<section id=\"numbers\">\n"
                                   "<h2>Key numbers</h2>\n");
    for (size_t i = 0; done && i < page->trace_count && i < PAGE_TRACES; i++) {
        done = take_trace(page, numbers, page->traces[i], error);
    }
    done = done && append_table(page, numbers, error);
    if (page->trace_count > PAGE_TRACES) {
        text_append_format(&page->out, "<p class=\"more\">The first %d of %zu traces.</p>\n",
                           PAGE_TRACES, page->trace_count);
    }
    text_append_string(&page->out, "</section>\n");
    for (size_t i = 0; i < numbers->string_count; i++) {
        free(numbers->strings[i]);
    }
    free(numbers->strings);
    free(numbers);
    return done;
}
