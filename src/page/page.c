#include "page/request.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/saturate.h"
#include "output/html.h"
#include "page/part.h"
#include "report/choose.h"
#include "report/findings.h"
#include "report/print.h"
#include "report/report.h"

/* Beginning of a page: an overview of its traces with key numbers. Also writes the whole page. */

/* Limit of traces with an overview; further traces only have a row of key numbers. */
#define OVERVIEW_TRACES 8

/* Key numbers of traces: rows of report `summary`. */

/* Limits: different key numbers over all traces; key numbers in a row of the table. */
#define MOST_NUMBERS 200
#define ROW_NUMBERS  16

struct numbers {
    size_t traces, count;
    struct value values[MOST_NUMBERS]
                       /* For each key number: its name, then the value for each trace. */
                       [1 + PAGE_TRACES];
    char **strings; /* owned; strings used by the values */
    size_t string_count, string_capacity;
};

/* Returns a copy of a string, freed together with `numbers`. */
static const char *numbers_copy(struct numbers *numbers, const char *bytes, size_t length) {
    char *copy = xstrndup(bytes, length);

    *ARRAY_NEW(numbers->strings, numbers->string_count, numbers->string_capacity) = copy;
    return copy;
}

/* Copies a value. A duration by a clock that does not count ns becomes text with its unit. */
static void numbers_copy_value(struct numbers *numbers, const struct value *from,
                               const char *clock_unit, struct value *to) {
    char units[96];

    *to = *from;
    if (from->kind == COLUMN_DURATION && from->type == VALUE_INTEGER &&
        strcmp(clock_unit, "ns") != 0) {
        int length = snprintf(units, sizeof units, "%lld %s", (long long)from->integer, clock_unit);

        *to = (struct value){.type = VALUE_TEXT, .bytes = units, .length = (size_t)length};
    }
    if (to->type == VALUE_TEXT || to->type == VALUE_BLOB) {
        to->bytes = numbers_copy(numbers, to->bytes, to->length);
        to->length = strlen(to->bytes);
    }
    if (to->unit != NULL) {
        to->unit = numbers_copy(numbers, to->unit, strlen(to->unit));
    }
}

/* Returns the row of a key number, or a new row; NULL if MOST_NUMBERS is reached. */
static struct value *numbers_find_row(struct numbers *numbers, const struct value *name) {
    for (size_t i = 0; i < numbers->count; i++) {
        const struct value *other = &numbers->values[i][0];

        if (other->length == name->length && memcmp(other->bytes, name->bytes, name->length) == 0) {
            return numbers->values[i];
        }
    }
    return numbers->count < MOST_NUMBERS ? numbers->values[numbers->count] : NULL;
}

static void numbers_add_row(struct numbers *numbers, const struct value *values,
                            const char *clock_unit) {
    struct value *row = values[0].type == VALUE_TEXT ? numbers_find_row(numbers, &values[0]) : NULL;

    if (row == NULL) {
        return;
    }
    if (row == numbers->values[numbers->count]) {
        numbers_copy_value(numbers, &values[0], clock_unit, &row[0]);
        numbers->count++;
    }
    numbers_copy_value(numbers, &values[1], clock_unit, &row[1 + numbers->traces]);
}

static bool numbers_add_rows(struct numbers *numbers, struct report *report, struct error *error) {
    const struct result *result;
    const struct value *values;
    bool done = report_next(report, &result, error);

    if (!done || result == NULL || result->column_count < 2) {
        return done;
    }
    while ((done = report_next_row(report, &values, error)) && values != NULL) {
        numbers_add_row(numbers, values, result->clock_unit);
    }
    return done;
}

/* Returns the page's request for a report on one trace. Sets `typed` to a unique word for the
 * trace, which the request borrows. */
static struct report_request request_of_trace(const struct page *page, const char *report,
                                              const struct catalog_trace *trace,
                                              const char **typed) {
    struct report_request request = page_request_for_report(page, report);

    *typed = catalog_unique_word(&page->request->workspace->catalog, trace);
    request.traces = typed;
    request.trace_count = 1;
    request.study = NULL;
    request.users = (struct name_set){.count = 0};
    request.group = GROUP_NONE;
    request.by_trace = false;
    return request;
}

/* Adds the key numbers of a trace. Values stay NULL if the trace has no report `summary`. */
static bool add_trace(struct page *page, struct numbers *numbers, const struct catalog_trace *trace,
                      struct error *error) {
    const char *typed;
    struct report_request request = request_of_trace(page, PAGE_NUMBERS_REPORT, trace, &typed);
    struct error ignored = {0};
    struct report *report;
    bool done = true;

    if (page_find_query(page, &request, &ignored) != NULL) {
        report = report_open(page->request->workspace, &request, error);
        done = report != NULL && numbers_add_rows(numbers, report, error);
        report_close(report);
        done = done || page_append_missing_data(page, error);
    }
    numbers->traces++;
    return done;
}

/* Appends the key numbers of a single trace as a table with a row per number. */
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

/* Appends the key numbers as a table with a row per trace. */
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

/* Appends the key numbers: of one trace as a column, of several traces as a row per trace. */
static bool append_numbers(struct page *page, struct error *error) {
    struct numbers *numbers = xcalloc(1, sizeof *numbers);
    bool done = true;

    for (size_t i = 0; done && i < page->trace_count && i < PAGE_TRACES; i++) {
        done = add_trace(page, numbers, page->traces[i], error);
    }
    done = done && (page->trace_count == 1 ? numbers_append_column(page, numbers, error)
                                           : numbers_append_table(page, numbers, error));
    if (page->trace_count > PAGE_TRACES) {
        text_append_format(&page->out, "<p class=\"more\">The first %d of %zu traces.</p>\n",
                           PAGE_TRACES, page->trace_count);
    }
    free_each(numbers->strings, numbers->string_count);
    free(numbers);
    return done;
}

static bool page_append_numbers(struct page *page, struct error *error) {
    bool done;

    text_append_string(&page->out, "<section id=\"numbers\">\n<h2>Key numbers</h2>\n");
    done = append_numbers(page, error);
    text_append_string(&page->out, "</section>\n");
    return done;
}

/* Appends a finding's command. `typed` selects its trace if the page has several. */
static void append_command(struct page *page, const struct value *command, const char *typed) {
    const struct page_request *request = page->request;
    const struct finding_words words = {
        .options = request->words,
        .of_any = request->words_of_any,
        .of_show = request->words_of_show,
        .has_logs = request->has_logs,
        .traces = request->common->traces,
        .trace_count = request->common->trace_count,
        .found = page->trace_count,
    };
    struct text line = {0};

    findings_append_command(&line, command->bytes, command->length, &words, typed);
    text_append_string(&page->out, "<p><code>");
    html_append(&page->out, text_string(&line), line.length);
    text_append_string(&page->out, "</code></p>");
    text_free(&line);
}

/* Appends the sentences of findings, each with a command for details; nothing if there are none.
 * `typed` is as for append_command(). */
static bool append_sentences(struct page *page, struct report *report, const char *typed,
                             struct error *error) {
    const struct result *result;
    const struct value *values;
    bool any = false, done;

    while ((done = report_next(report, &result, error)) && result != NULL) {
        while ((done = report_next_row(report, &values, error)) && values != NULL) {
            if (result->column_count <= FINDING_COMMAND) {
                continue; /* a user's query file has replaced the report, with other columns */
            }
            text_append_string(&page->out, any ? "" : "<h3>What stands out</h3>\n<ul>\n");
            text_append_string(&page->out, "<li>");
            html_append(&page->out, values[FINDING_SENTENCE].bytes,
                        values[FINDING_SENTENCE].length);
            append_command(page, &values[FINDING_COMMAND], typed);
            text_append_string(&page->out, "</li>\n");
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
    bool done;

    request.top = PAGE_FINDINGS;
    if (page_find_query(page, &request, &ignored) == NULL) {
        return true;
    }
    report = report_open(page->request->workspace, &request, error);
    done = report != NULL && append_sentences(page, report, typed, error);
    report_close(report);
    return done || page_append_missing_data(page, error);
}

/* Appends the overview of a trace. If the page has several, the overview is folded under a name. */
static bool numbers_append_trace(struct page *page, const struct catalog_trace *trace,
                                 struct error *error) {
    const struct printer_options options = {
        .is_fragment = true, .no_caption = true, .memory = &page->memory};
    const bool is_folded = page->trace_count > 1;
    const char *typed;
    struct report_request request = request_of_trace(page, PAGE_OVERVIEW_REPORT, trace, &typed);
    struct error ignored = {0};
    bool done;

    if (page_find_query(page, &request, &ignored) == NULL) {
        return true;
    }
    if (is_folded) {
        text_append_string(&page->out, "<details>\n<summary>");
        html_append_string(&page->out, trace->name);
        text_append_string(&page->out, "</summary>\n");
    }
    done = print_report(page->request->workspace, &request, &printer_style_html, NULL, &options,
                        error) ||
           page_append_missing_data(page, error);
    done = done && numbers_append_findings(page, trace, error);
    text_append_string(&page->out, is_folded ? "</details>\n" : "");
    return done;
}

/* Appends the overview: key numbers if there are several traces, then an overview per trace. */
static bool page_append_overview(struct page *page, struct error *error) {
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

/* --- choosing the reports --------------------------------------------------------------------- */

static bool find_of_request(struct page *page, const struct report_request *request,
                            struct error *error) {
    const struct catalog *catalog = &page->request->workspace->catalog;

    return request_check_labels(request, catalog, error) &&
           request_add_traces(request, catalog, page->traces, &page->trace_count, error);
}

/* Fetches the names of the page's traces from a store (remote database), if they come from one. */
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

static bool page_find_traces(struct page *page, struct error *error) {
    const struct page_request *request = page->request;
    bool done;

    page->traces = xcalloc(request->workspace->catalog.count + 1, sizeof(const void *));
    done = request->compare == NULL ? find_of_request(page, request->common, error)
                                    : find_of_request(page, &request->compare->sides[0], error) &&
                                          find_of_request(page, &request->compare->sides[1], error);
    return done && (page->trace_count > 0 || error_set(error, "there are no traces to show")) &&
           catalog_make_names_unique(&request->workspace->catalog, request->workspace->database,
                                     page->traces, page->trace_count, error) &&
           fetch_names(page, error);
}

static bool page_fits(const struct page *page, const char *report) {
    const struct report_request request = page_request_for_report(page, report);
    struct error ignored = {0};

    return strcmp(report, PAGE_NUMBERS_REPORT) != 0 && strcmp(report, PAGE_OVERVIEW_REPORT) != 0 &&
           strcmp(report, PAGE_FINDINGS_REPORT) != 0 &&
           page_find_query(page, &request, &ignored) != NULL;
}

/* Returns the query of a report (for a comparison, of both sides); NULL if there is none. */
static const struct query *page_query_of(const struct page *page, const char *report) {
    struct report_request request = page_request_for_report(page, report);
    struct error ignored = {0};

    if (page->request->compare != NULL) {
        request = page->request->compare->sides[0];
        request.report = report;
    }
    return page_find_query(page, &request, &ignored);
}

/* Adds a report at its place on the page. Reports named by the user are added at the end. */
static void page_add_report(struct page *page, const char *report, bool is_named) {
    const struct query *query = page_query_of(page, report);
    const int64_t place = query == NULL || query->page_place == 0 ? INT64_MAX : query->page_place;
    size_t at = page->report_count++;

    for (; !is_named && at > 0 && page->sections[at - 1].place > place; at--) {
        page->sections[at] = page->sections[at - 1];
    }
    page->sections[at] = (struct page_section){
        .report = report, .title = query == NULL ? report : query->title, .place = place};
}

/* Finds the reports of the page: those named by the user, else all that the traces support. A
 * comparison only shows named reports. */
static void find_reports(struct page *page) {
    const struct page_request *request = page->request;
    const struct query_set *queries = request->workspace->queries;

    page->sections = xcalloc(queries->count + request->report_count + 1, sizeof *page->sections);
    for (size_t i = 0; i < request->report_count; i++) {
        page_add_report(page, request->reports[i], true);
    }
    for (size_t i = 0; request->report_count == 0 && request->compare == NULL && i < queries->count;
         i += query_set_count_of_report(queries, i)) {
        if (page_fits(page, queries->queries[i].report)) {
            page_add_report(page, queries->queries[i].report, false);
        }
    }
}

/* --- writing the page ------------------------------------------------------------------------- */

static void page_append_names(const struct page *page, struct text *out) {
    for (size_t i = 0; i < page->trace_count; i++) {
        if (i == 3 && page->trace_count > 4) {
            text_append_format(out, " and %zu more", page->trace_count - i);
            return;
        }
        text_append_string(out, i == 0 ? "" : ", ");
        text_append_string(out, page->traces[i]->name);
    }
}

static void page_append_head(struct page *page) {
    const struct page_request *request = page->request;
    struct text title = {0};

    if (request->title != NULL) {
        text_append_string(&title, request->title);
    } else {
        page_append_names(page, &title);
    }
    html_append_head(
        &page->out,
        &(struct html_head){.title = text_string(&title), .css = request->css, .has_script = true});
    text_append_string(&page->out, "<header>\n<h1>");
    html_append(&page->out, text_string(&title), title.length);
    text_append_format(&page->out, "</h1>\n<p>%s of %zu trace%s",
                       request->compare != NULL ? "A comparison" : "Reports", page->trace_count,
                       page->trace_count == 1 ? "" : "s");
    if (page->trace_count == 1) {
        text_append_format(&page->out, " with %lld event%s", (long long)page->traces[0]->events,
                           page->traces[0]->events == 1 ? "" : "s");
    }
    text_append_string(&page->out, ", by tracetool.</p>\n</header>\n<main>\n");
    text_free(&title);
}

/* Returns whether another section has the same title. */
static bool shares_title(const struct page *page, size_t number) {
    for (size_t i = 0; i < page->report_count; i++) {
        if (i != number && !page->sections[i].is_left_out &&
            strcmp(page->sections[i].title, page->sections[number].title) == 0) {
            return true;
        }
    }
    return false;
}

/* Appends the table of contents. It is made last, as it depends on all sections. */
static void append_contents(struct page *page, struct text *out) {
    text_append_string(out, "<nav aria-label=\"Contents\">\n<ul>\n");
    for (size_t i = 0; i < page->report_count; i++) {
        if (page->sections[i].is_left_out) {
            continue;
        }
        text_append_string(out, "<li><a href=\"#r-");
        page_append_id(out, page->sections[i].report);
        text_append_string(out, "\">");
        html_append_string(out, page->sections[i].title);
        if (shares_title(page, i)) {
            text_append_string(out, " (");
            html_append_string(out, page->sections[i].report);
            text_append_char(out, ')');
        }
        text_append_string(out, "</a></li>\n");
    }
    text_append_string(out, page->request->compare == NULL && page->trace_count == 1
                                ? "<li><a href=\"#numbers\">Key numbers</a></li>\n"
                                : "");
    text_append_string(out, "<li><a href=\"#quality\">Data quality</a></li>\n</ul>\n</nav>\n");
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
        text_append_format(out, "<p>Intervals and p-values: up to %d resamples, seed %llu.</p>\n",
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
    text_append_string(
        out,
        "<p>Full meaning of the columns: the manual page tracetool-report(1).</p>\n</footer>\n");
    html_append_foot(out, true);
}

static bool append_section(struct page *page, size_t number, struct error *error) {
    struct page_section *section = &page->sections[number];
    const size_t before = page->out.length;

    if (page->request->compare != NULL ? page_append_comparison(page, section->report, error)
                                       : page_append_section(page, section, error)) {
        return true;
    }
    page_truncate(page, before);
    /* The section's data are missing: replaces the section by its heading and the reason. */
    if (page->left_out == 0) {
        page->reason = *error;
    }
    page_begin_section(page, page->sections[number].report, page->sections[number].title);
    if (!page_append_missing_data(page, error)) {
        return false;
    }
    text_append_string(&page->out, "</section>\n");
    page->left_out++;
    return true;
}

/* Appends the sections, and records the largest one. Then appends a line with the empty ones. */
static bool append_sections(struct page *page, struct error *error) {
    for (size_t i = 0; i < page->report_count; i++) {
        const size_t before = page->out.length;

        if (!append_section(page, i, error)) {
            return false;
        }
        if (page->out.length - before > page->largest) {
            page->largest = page->out.length - before;
            page->largest_of = page->sections[i].report;
        }
    }
    if (page->nothing.length > 0) {
        text_append_string(&page->out,
                           "<section id=\"nothing\">\n<p class=\"remark\">Nothing to say: ");
        html_append_string(&page->out, text_string(&page->nothing));
        text_append_string(&page->out, ".</p>\n</section>\n");
    }
    return true;
}

static void note_left_out(const struct page *page) {
    char line[128];

    if (page->left_out > 0 && page->request->say != NULL) {
        snprintf(line, sizeof line,
                 "%zu of %zu reports could not be made; their sections in the page say why",
                 page->left_out, page->report_count);
        page->request->say(page->request->say_context, line);
    }
}

/* Returns whether any report that the user named could be made; sets an error if not. */
static bool has_any(const struct page *page, struct error *error) {
    const size_t asked = page->request->report_count;

    if (asked == 0 || page->left_out < asked) {
        return true;
    }
    *error = page->reason;
    return asked > 1 && error_context(error, "none of the %zu reports could be made", asked);
}

/* Writes the page to the file, with the table of contents at `contents_at`. */
static bool write_page(struct page *page, size_t contents_at, struct error *error) {
    const struct text *out = &page->out;
    struct text contents = {0};
    bool done;

    append_contents(page, &contents);
    done = fwrite(out->bytes, 1, contents_at, page->file) == contents_at &&
           fwrite(contents.bytes, 1, contents.length, page->file) == contents.length &&
           fwrite(out->bytes + contents_at, 1, out->length - contents_at, page->file) ==
               out->length - contents_at;
    text_free(&contents);
    return done || error_set(error, "cannot write the output: %s", strerror(errno));
}

/* Makes all parts of the page (overview first, data quality last), and writes it. */
static bool write_parts(struct page *page, struct error *error) {
    const bool is_comparison = page->request->compare != NULL;
    size_t contents_at;
    char line[256];

    if (!page_find_traces(page, error)) {
        return false;
    }
    find_reports(page);
    page_append_head(page);
    if (is_comparison ? !page_append_changes(page, error) : !page_append_overview(page, error)) {
        return false;
    }
    contents_at = page->out.length;
    if (!append_sections(page, error) || !has_any(page, error) ||
        (!is_comparison && page->trace_count == 1 && !page_append_numbers(page, error)) ||
        !page_append_quality(page, error)) {
        return false;
    }
    append_colophon(page);
    if (!write_page(page, contents_at, error)) {
        return false;
    }
    if (page->out.length > PAGE_LARGE && page->request->say != NULL && page->largest_of != NULL) {
        const bool many = page->trace_count > 3 && page->request->common->group == GROUP_NONE;

        snprintf(line, sizeof line,
                 "the page has %.1f MB, which is large for a mail; %.1f MB of it are %s%s",
                 (double)page->out.length / 1e6, (double)page->largest / 1e6, page->largest_of,
                 many ? "; --by study, user or device adds up the traces" : "");
        page->request->say(page->request->say_context, line);
    }
    note_left_out(page);
    return true;
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
    if (page.undrawn > 0) {
        error_set(undrawn, "%zu picture%s of the page %s not drawn: %s; --no-plots does without",
                  page.undrawn, page.undrawn == 1 ? "" : "s", page.undrawn == 1 ? "was" : "were",
                  page.why_undrawn.message);
    }
    workspace_end(request->workspace);
    text_free(&page.out);
    free(page.traces);
    text_free(&page.nothing);
    free(page.sections);
    return done;
}
