#include "page/page.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/saturate.h"
#include "model/event.h"
#include "output/html.h"
#include "page/part.h"
#include "report/choose.h"
#include "report/print.h"
#include "report/report.h"

/* What a page begins with: the report that says what is in each trace. */
#define OVERVIEW_REPORT "overview"

/* Traces whose overview stands there. */
#define OVERVIEW_TRACES 8

/* The report whose rows are the key numbers. */
#define NUMBERS_REPORT "summary"

/* A table of rows that are at hand; `values` are row by row. */
static bool append_rows(struct page *page, const char *title, const struct column *columns,
                        size_t column_count, const struct value *values, size_t row_count,
                        struct error *error) {
    const struct result result = {
        .report = "page",
        .title = title,
        .clock_unit = "ns",
        .columns = columns,
        .column_count = column_count,
    };
    struct printer *printer = page_table_open(page);
    bool done = printer_begin(printer, &result, error);

    for (size_t i = 0; done && i < row_count; i++) {
        done = printer_row(printer, values + i * column_count, error);
    }
    return printer_close(printer, done && printer_end(printer, error), error);
}

/* Key numbers: the summary of each trace, side by side. */

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

    *ARRAY_NEW(numbers->strings, numbers->string_count, numbers->string_capacity) = copy;
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

/* The request of the page for one of its traces; `typed` holds its name. */
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

/* A trace that there is no summary of has an empty column. */
static bool take_trace(struct page *page, struct numbers *numbers,
                       const struct catalog_trace *trace, struct error *error) {
    const char *typed;
    struct report_request request = request_of_trace(page, NUMBERS_REPORT, trace, &typed);
    struct error ignored = {0};
    struct report *report;
    size_t traces;
    int64_t events;
    bool done = true;

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
    done = append_rows(page, "Key numbers of each trace", columns, 1 + numbers->traces, values,
                       numbers->rows, error);
    free(values);
    return done;
}

static bool append_numbers(struct page *page, struct error *error) {
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

/* What is in each trace, at a glance. */
static bool append_overview(struct page *page, struct error *error) {
    const struct printer_options options = {.is_fragment = true, .memory = &page->memory};
    bool done = true;

    text_append_string(&page->out, "<section id=\"overview\">\n<h2>Overview</h2>\n");
    for (size_t i = 0; done && i < page->trace_count && i < OVERVIEW_TRACES; i++) {
        const char *typed;
        struct report_request request =
            request_of_trace(page, OVERVIEW_REPORT, page->traces[i], &typed);
        struct error ignored = {0};
        size_t traces;
        int64_t events;

        if (page_query(page, &request, &traces, &events, &ignored) != NULL) {
            done = print_report(page->request->workspace, &request, &printer_style_html, NULL,
                                &options, error) ||
                   page_append_absent(page, error);
        }
    }
    if (page->trace_count > OVERVIEW_TRACES) {
        text_append_format(&page->out, "<p class=\"more\">The first %d of %zu traces.</p>\n",
                           OVERVIEW_TRACES, page->trace_count);
    }
    text_append_string(&page->out, "</section>\n");
    return done;
}

/* How good the data are: what no report says of itself, and a reader asks first. */

static const struct column trace_columns[] = {
    {"trace", "", COLUMN_TEXT},       {"kind", "", COLUMN_TEXT},
    {"format", "", COLUMN_TEXT},      {"events", "", COLUMN_INTEGER},
    {"merged", "", COLUMN_INTEGER},   {"ignored", "", COLUMN_INTEGER},
    {"rejected", "", COLUMN_INTEGER}, {"lost", "", COLUMN_INTEGER},
    {"start", "", COLUMN_TEXT},       {"span", "ns", COLUMN_DURATION},
    {"device", "", COLUMN_TEXT},      {"user", "", COLUMN_TEXT},
};

#define TRACE_COLUMNS (sizeof trace_columns / sizeof trace_columns[0])

static struct value integer_value(int64_t integer) {
    struct value value = {0};

    if (integer != EVENT_NONE) {
        value = value_integer(integer);
    }
    return value;
}

/* From the first event to the last. Of a clock that is not real there is none that compares. */
static struct value span_value(const struct catalog_trace *trace) {
    bool is_known = catalog_real_clock(trace) && trace->last_event >= trace->first_event;

    return integer_value(is_known ? trace->last_time - trace->first_time : EVENT_NONE);
}

static void fill(const struct catalog_trace *trace, struct text *start, struct value *values) {
    if (trace->start != EVENT_NONE) {
        clock_append(start, trace->start, trace->utc_offset == EVENT_NONE ? 0 : trace->utc_offset);
    }
    values[0] = value_text(trace->name);
    values[1] = value_text(trace_kind_words(trace->kind));
    values[2] = value_text(trace->format);
    values[3] = integer_value(trace->events);
    values[4] = integer_value(trace->merged);
    values[5] = integer_value(trace->ignored);
    values[6] = integer_value(trace->rejected);
    values[7] = integer_value(trace->lost);
    values[8] = value_text(text_string(start));
    values[9] = span_value(trace);
    values[10] = value_text(trace->device);
    values[11] = value_text(trace->user);
}

static bool append_traces(struct page *page, struct error *error) {
    struct value *values = xcalloc(page->trace_count, TRACE_COLUMNS * sizeof *values);
    struct text *starts = xcalloc(page->trace_count, sizeof *starts);
    bool done;

    for (size_t i = 0; i < page->trace_count; i++) {
        fill(page->traces[i], &starts[i], values + i * TRACE_COLUMNS);
    }
    done = append_rows(page, "Traces, and what became of the records of their logs", trace_columns,
                       TRACE_COLUMNS, values, page->trace_count, error);
    for (size_t i = 0; i < page->trace_count; i++) {
        text_free(&starts[i]);
    }
    free(starts);
    free(values);
    return done;
}

/* What rows of the database say of the page's traces. */
struct listing {
    const char *title, *none; /* what is said where there are none; NULL: nothing */
    const char *sql;          /* with ` IN (…)` where %s stands */
    struct column columns[6];
    size_t column_count;
};

/* As catalog_sorted() has them. */
#define TRACE_ORDER "trace.start, ifnull(trace.device, ''), trace.name, trace.id"

static const struct listing listings[] = {
    {
        "What was not kept, and why",
        "Every record of the logs became an event.",
        /* Of several files of a trace, the first is named. */
        "SELECT trace.name, outcome, reason, sum(count), first_offset, source.name, min(source.id)"
        " FROM ledger JOIN trace ON trace.id = ledger.trace JOIN source ON source.id = source"
        " WHERE ledger.trace IN %s GROUP BY ledger.trace, outcome, reason"
        " ORDER BY " TRACE_ORDER ", outcome DESC, sum(count) DESC, reason",
        {
            {"trace", "", COLUMN_TEXT},
            {"outcome", "", COLUMN_TEXT},
            {"reason", "", COLUMN_TEXT},
            {"records", "", COLUMN_INTEGER},
            {"first_offset", "", COLUMN_INTEGER},
            {"log", "", COLUMN_TEXT},
        },
        6,
    },
    {
        "Remarks of the import",
        NULL,
        "SELECT trace.name, text FROM remark JOIN trace ON trace.id = trace"
        " WHERE trace IN %s ORDER BY " TRACE_ORDER ", number",
        {{"trace", "", COLUMN_TEXT}, {"remark", "", COLUMN_TEXT}},
        2,
    },
};

/* The numbers of the traces, in brackets. */
static void append_ids(const struct page *page, struct text *sql) {
    for (size_t i = 0; i < page->trace_count; i++) {
        text_append_string(sql, i == 0 ? "(" : ",");
        text_append_integer(sql, page->traces[i]->id);
    }
    text_append_char(sql, ')');
}

/* The statement of a listing; NULL with `error` set on failure. */
static sqlite3_stmt *prepare(struct page *page, const char *sql, struct error *error) {
    const char *place = strstr(sql, "%s");
    struct text filled = {0};
    sqlite3_stmt *statement;

    text_append(&filled, sql, (size_t)(place - sql));
    append_ids(page, &filled);
    text_append_string(&filled, place + 2);
    statement = database_prepare(page->request->workspace->database, text_string(&filled), error);
    text_free(&filled);
    return statement;
}

static bool print(struct page *page, const struct listing *listing, sqlite3_stmt *statement,
                  struct error *error) {
    struct result result = {
        .report = "page",
        .title = listing->title,
        .clock_unit = "ns",
        .columns = listing->columns,
        .column_count = listing->column_count,
    };
    struct printer *printer = page_table_open(page);
    bool done =
        print_statement(page->request->workspace->database, statement, printer, &result, 0, error);

    return printer_close(printer, done, error);
}

static bool append_listing(struct page *page, const struct listing *listing, struct error *error) {
    struct database *database = page->request->workspace->database;
    sqlite3_stmt *statement = prepare(page, listing->sql, error);
    bool row = false, done = statement != NULL && database_step(database, statement, &row, error);

    if (done && row) {
        sqlite3_reset(statement);
        done = print(page, listing, statement, error);
    } else if (done && listing->none != NULL) {
        text_append_format(&page->out, "<p>%s</p>\n", listing->none);
    }
    sqlite3_finalize(statement);
    return done;
}

/* Whoever passes the page on should know what is in it. */
static bool append_privacy(struct page *page, struct error *error) {
    sqlite3_stmt *statement =
        prepare(page,
                "WITH t AS (SELECT id FROM trace WHERE id IN %s)"
                " SELECT 1 WHERE EXISTS (SELECT 1 FROM t JOIN object ON object.trace = t.id"
                " WHERE name NOT NULL) OR EXISTS (SELECT 1 FROM t JOIN actor ON actor.trace = t.id"
                " WHERE name NOT NULL)",
                error);
    bool row = false, done = statement != NULL && database_step(page->request->workspace->database,
                                                                statement, &row, error);

    if (row) {
        text_append_string(
            &page->out, "<p>This page holds names of files, processes or applications, which may "
                        "be personal unless they are pseudonyms (page --pseudonymise).</p>\n");
    }
    sqlite3_finalize(statement);
    return done;
}

static bool append_quality(struct page *page, struct error *error) {
    bool done;

    text_append_string(&page->out, "<section id=\"quality\">\n"
                                   "<h2>Data quality</h2>\n");
    done = append_traces(page, error);
    for (size_t i = 0; done && i < sizeof listings / sizeof listings[0]; i++) {
        done = append_listing(page, &listings[i], error);
    }
    done = done && append_privacy(page, error);
    text_append_string(&page->out, "</section>\n");
    return done;
}

static bool find_of_request(struct page *page, const struct report_request *request,
                            struct error *error) {
    const struct catalog *catalog = &page->request->workspace->catalog;

    return request_check_labels(request, catalog, error) &&
           request_add_traces(request, catalog, page->traces, &page->trace_count, error);
}

/* Of a store: what the page says of its traces beside the reports. */
static bool fetch_names(const struct page *page, struct error *error) {
    int64_t *ids = xcalloc(page->trace_count, sizeof *ids);
    bool done;

    for (size_t i = 0; i < page->trace_count; i++) {
        ids[i] = page->traces[i]->id;
    }
    done =
        database_fetch(page->request->workspace->database,
                       &(struct database_wanted){.traces = ids, .count = page->trace_count}, error);
    free(ids);
    return done;
}

static bool find_traces(struct page *page, struct error *error) {
    const struct page_request *request = page->request;
    bool done;

    page->traces = xcalloc(request->workspace->catalog.count + 1, sizeof(const void *));
    done = request->compare == NULL ? find_of_request(page, request->common, error)
                                    : find_of_request(page, &request->compare->sides[0], error) &&
                                          find_of_request(page, &request->compare->sides[1], error);
    return done && (page->trace_count > 0 || error_set(error, "there are no traces to show")) &&
           catalog_tell_apart(&request->workspace->catalog, request->workspace->database,
                              page->traces, page->trace_count, error) &&
           fetch_names(page, error);
}

static bool fits(const struct page *page, const char *report) {
    const struct report_request request = page_report(page, report);
    struct error ignored = {0};
    size_t traces;
    int64_t events;

    return strcmp(report, NUMBERS_REPORT) != 0 && strcmp(report, OVERVIEW_REPORT) != 0 &&
           page_query(page, &request, &traces, &events, &ignored) != NULL;
}

/* Both sides of a comparison are of one query. */
static const char *title_of(const struct page *page, const char *report) {
    struct report_request request = page_report(page, report);
    struct error ignored = {0};
    size_t traces;
    int64_t events;
    const struct query *query;

    if (page->request->compare != NULL) {
        request = page->request->compare->sides[0];
        request.report = report;
    }
    query = page_query(page, &request, &traces, &events, &ignored);
    return query == NULL ? report : query->title;
}

/* Those that were named, else all that fit; of a comparison only those that were named. */
static void find_reports(struct page *page) {
    const struct page_request *request = page->request;
    const struct query_set *queries = request->workspace->queries;

    page->reports = xcalloc(queries->count + request->report_count + 1, sizeof(const char *));
    for (size_t i = 0; i < request->report_count; i++) {
        page->reports[page->report_count++] = request->reports[i];
    }
    for (size_t i = 0; request->report_count == 0 && request->compare == NULL && i < queries->count;
         i += query_set_files(queries, i)) {
        if (fits(page, queries->queries[i].report)) {
            page->reports[page->report_count++] = queries->queries[i].report;
        }
    }
    page->titles = xcalloc(page->report_count + 1, sizeof(const char *));
    for (size_t i = 0; i < page->report_count; i++) {
        page->titles[i] = title_of(page, page->reports[i]);
    }
}

/* --- the page --------------------------------------------------------------------------------- */

static void append_names(const struct page *page, struct text *out) {
    for (size_t i = 0; i < page->trace_count; i++) {
        if (i == 3 && page->trace_count > 4) {
            text_append_format(out, " and %zu more", page->trace_count - i);
            return;
        }
        text_append_string(out, i == 0 ? "" : ", ");
        text_append_string(out, page->traces[i]->name);
    }
}

static void append_head(struct page *page) {
    const struct page_request *request = page->request;
    struct text title = {0};
    int64_t events = 0;

    if (request->title != NULL) {
        text_append_string(&title, request->title);
    } else {
        append_names(page, &title);
    }
    html_append_head(
        &page->out,
        &(struct html_head){.title = text_string(&title), .css = request->css, .has_script = true});
    text_append_string(&page->out, "<header>\n<h1>");
    html_append(&page->out, text_string(&title), title.length);
    for (size_t i = 0; i < page->trace_count; i++) {
        add_saturated(&events, page->traces[i]->events);
    }
    text_append_format(&page->out,
                       "</h1>\n<p>%s of %zu trace%s with %lld events, by tracetool.</p>\n",
                       request->compare != NULL ? "A comparison" : "Reports", page->trace_count,
                       page->trace_count == 1 ? "" : "s", (long long)events);
    text_free(&title);
}

/* Whether another section has its title, too. */
static bool shares_title(const struct page *page, size_t number) {
    for (size_t i = 0; i < page->report_count; i++) {
        if (i != number && strcmp(page->titles[i], page->titles[number]) == 0) {
            return true;
        }
    }
    return false;
}

static void append_contents(struct page *page) {
    struct text *out = &page->out;

    text_append_string(out, "<nav aria-label=\"Contents\">\n<ul>\n");
    text_append_string(out, page->request->compare != NULL
                                ? "<li><a href=\"#changes\">What changed</a></li>\n"
                                  "<li><a href=\"#quality\">Data quality</a></li>\n"
                                : "<li><a href=\"#overview\">Overview</a></li>\n"
                                  "<li><a href=\"#quality\">Data quality</a></li>\n"
                                  "<li><a href=\"#numbers\">Key numbers</a></li>\n");
    for (size_t i = 0; i < page->report_count; i++) {
        text_append_string(out, "<li><a href=\"#r-");
        page_append_id(out, page->reports[i]);
        text_append_string(out, "\">");
        html_append_string(out, page->titles[i]);
        if (shares_title(page, i)) {
            text_append_string(out, " (");
            html_append_string(out, page->reports[i]);
            text_append_char(out, ')');
        }
        text_append_string(out, "</a></li>\n");
    }
    text_append_string(out, "</ul>\n</nav>\n</header>\n<main>\n");
}

static void append_colophon(struct page *page) {
    const struct page_request *request = page->request;
    const struct query_set *queries = request->workspace->queries;
    struct text *out = &page->out;
    const char *separator = "<p>Query files of the user's own: ";

    text_append_string(out, "</main>\n<footer>\n<p>Made by tracetool " TRACETOOL_VERSION " from ");
    html_append_string(out, request->database);
    if (request->date != NULL) {
        text_append_string(out, ", ");
        html_append_string(out, request->date);
    }
    text_append_string(out, ".</p>\n");
    if (request->words[0] != '\0') {
        text_append_string(out, "<p>Traces and events were chosen by<code>");
        html_append_string(out, request->words);
        text_append_string(out, "</code>.</p>\n");
    }
    if (request->compare != NULL && request->compare->blocks > 0) {
        text_append_format(out,
                           "<p>What is said of chance is by up to %d resamples, seed %llu.</p>\n",
                           request->compare->resamples, (unsigned long long)request->compare->seed);
    }
    if (request->licence != NULL) {
        text_append_string(out, "<p>Licence of the data: ");
        html_append_string(out, request->licence);
        text_append_string(out, ".</p>\n");
    }
    for (size_t i = 0; i < queries->count; i++) {
        if (queries->queries[i].is_own) {
            text_append_string(out, separator);
            html_append_string(out, queries->queries[i].file);
            separator = ", ";
        }
    }
    text_append_string(out, strcmp(separator, ", ") == 0 ? ".</p>\n" : "");
    text_append_string(out, "<p>What the columns mean in full: the manual page "
                            "tracetool-report(1).</p>\n</footer>\n");
    html_append_foot(out, true);
}

/* In place of a section whose report needs what is not there: its heading, and why. */
static bool append_reason(struct page *page, size_t number, struct error *error) {
    if (page->left_out == 0) {
        page->reason = *error;
    }
    text_clear(&page->out);
    page_begin_section(page, page->reports[number], page->titles[number]);
    if (!page_append_absent(page, error)) {
        return false;
    }
    text_append_string(&page->out, "</section>\n");
    page->left_out++;
    return true;
}

/* What was written before is out, so that a section can be taken back. */
static bool append_section(struct page *page, size_t number, struct error *error) {
    const char *report = page->reports[number];
    const int64_t before = page->written;

    if (page->request->compare != NULL ? page_append_comparison(page, report, error)
                                       : page_append_section(page, report, error)) {
        return true;
    }
    return page->written == before && append_reason(page, number, error);
}

/* One section at a time, whose size is looked at. */
static bool append_sections(struct page *page, struct error *error) {
    for (size_t i = 0; i < page->report_count; i++) {
        const int64_t before = page->written;

        if (!append_section(page, i, error) || !page_flush(page, error)) {
            return false;
        }
        if (page->written - before > page->largest) {
            page->largest = page->written - before;
            page->largest_of = page->reports[i];
        }
    }
    return true;
}

static void warn_of_size(const struct page *page) {
    char line[256];

    if (page->written > PAGE_LARGE && page->request->say != NULL && page->largest_of != NULL) {
        snprintf(line, sizeof line,
                 "the page has %.1f MB, which is much for a mail; %.1f MB of them are %s",
                 (double)page->written / 1e6, (double)page->largest / 1e6, page->largest_of);
        page->request->say(page->request->say_context, line);
    }
}

static void tell_left_out(const struct page *page) {
    char line[128];

    if (page->left_out > 0 && page->request->say != NULL) {
        snprintf(line, sizeof line,
                 "%zu of %zu reports could not be made; their sections in the page say why",
                 page->left_out, page->report_count);
        page->request->say(page->request->say_context, line);
    }
}

/* A page with none of the reports that were asked for is none. */
static bool has_any(const struct page *page, struct error *error) {
    const size_t asked = page->request->report_count;

    if (asked == 0 || page->left_out < asked) {
        return true;
    }
    *error = page->reason;
    return asked > 1 && error_context(error, "none of the %zu reports could be made", asked);
}

/* What answers first, how good the data are, and the numbers. */
static bool append_beginning(struct page *page, struct error *error) {
    if (page->request->compare != NULL) {
        return page_append_changes(page, error) && append_quality(page, error);
    }
    return append_overview(page, error) && append_quality(page, error) &&
           append_numbers(page, error);
}

static bool write_parts(struct page *page, struct error *error) {
    if (!find_traces(page, error)) {
        return false;
    }
    find_reports(page);
    append_head(page);
    append_contents(page);
    if (!append_beginning(page, error) || !page_flush(page, error) ||
        !append_sections(page, error) || !has_any(page, error)) {
        return false;
    }
    append_colophon(page);
    if (!page_flush(page, error)) {
        return false;
    }
    warn_of_size(page);
    tell_left_out(page);
    return true;
}

static void tell_undrawn(const struct page *page, struct error *undrawn) {
    if (page->undrawn > 0) {
        error_set(undrawn, "%zu picture%s of the page %s not drawn: %s; --no-plots does without",
                  page->undrawn, page->undrawn == 1 ? "" : "s", page->undrawn == 1 ? "was" : "were",
                  page->why_undrawn.message);
    }
}

bool page_write(const struct page_request *request, FILE *file, struct error *undrawn,
                struct error *error) {
    struct page page = {.request = request, .file = file};
    bool done;

    page.memory.text = &page.out;
    if (!workspace_begin(request->workspace, error)) {
        return false;
    }
    done = write_parts(&page, error);
    tell_undrawn(&page, undrawn);
    workspace_end(request->workspace);
    text_free(&page.out);
    free(page.traces);
    free(page.reports);
    free(page.titles);
    return done;
}
