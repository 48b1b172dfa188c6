#include "page/page.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/saturate.h"
#include "output/html.h"
#include "page/part.h"
#include "report/choose.h"

static bool find_of_request(struct page *page, const struct report_request *request,
                            struct error *error) {
    const struct catalog *catalog = &page->request->workspace->catalog;

    return request_check_labels(request, catalog, error) &&
           request_add_traces(request, catalog, page->traces, &page->trace_count, error);
}

/* Fetches from a store what the page shows of its traces in addition to the reports. */
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
    const struct report_request request = page_report(page, report);
    struct error ignored = {0};
    size_t traces;
    int64_t events;

    return strcmp(report, PAGE_NUMBERS_REPORT) != 0 && strcmp(report, PAGE_OVERVIEW_REPORT) != 0 &&
           strcmp(report, PAGE_FINDINGS_REPORT) != 0 &&
           page_query(page, &request, &traces, &events, &ignored) != NULL;
}

/* Returns the query of a report, which both sides of a comparison share. NULL if there is none. */
static const struct query *page_query_of(const struct page *page, const char *report) {
    struct report_request request = page_report(page, report);
    struct error ignored = {0};
    size_t traces;
    int64_t events;

    if (page->request->compare != NULL) {
        request = page->request->compare->sides[0];
        request.report = report;
    }
    return page_query(page, &request, &traces, &events, &ignored);
}

/* Adds a report by its position; named reports go to the end. */
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

/* Finds the named reports, or else all that apply; for a comparison only named ones. */
static void find_reports(struct page *page) {
    const struct page_request *request = page->request;
    const struct query_set *queries = request->workspace->queries;

    page->sections = xcalloc(queries->count + request->report_count + 1, sizeof *page->sections);
    for (size_t i = 0; i < request->report_count; i++) {
        page_add_report(page, request->reports[i], true);
    }
    for (size_t i = 0; request->report_count == 0 && request->compare == NULL && i < queries->count;
         i += query_set_files(queries, i)) {
        if (page_fits(page, queries->queries[i].report)) {
            page_add_report(page, queries->queries[i].report, false);
        }
    }
}

/* --- the page --------------------------------------------------------------------------------- */

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
        text_append_format(&page->out, " with %lld events", (long long)page->traces[0]->events);
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

/* Appends the table of contents, known only after all sections. */
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

/* Replaces a section whose data is missing by its heading and the reason. */
static bool append_reason(struct page *page, size_t number, struct error *error) {
    if (page->left_out == 0) {
        page->reason = *error;
    }
    page_begin_section(page, page->sections[number].report, page->sections[number].title);
    if (!page_append_absent(page, error)) {
        return false;
    }
    text_append_string(&page->out, "</section>\n");
    page->left_out++;
    return true;
}

static bool append_section(struct page *page, size_t number, struct error *error) {
    struct page_section *section = &page->sections[number];
    const size_t before = page->out.length;

    if (page->request->compare != NULL ? page_append_comparison(page, section->report, error)
                                       : page_append_section(page, section, error)) {
        return true;
    }
    page_take_back(page, before);
    return append_reason(page, number, error);
}

/* Appends the sections, recording the largest; then the empty ones in a line. */
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

static void warn_of_size(const struct page *page) {
    char line[256];

    if (page->out.length > PAGE_LARGE && page->request->say != NULL && page->largest_of != NULL) {
        snprintf(line, sizeof line,
                 "the page has %.1f MB, which is large for a mail; %.1f MB of it are %s",
                 (double)page->out.length / 1e6, (double)page->largest / 1e6, page->largest_of);
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

/* Fails if none of the requested reports could be made. */
static bool has_any(const struct page *page, struct error *error) {
    const size_t asked = page->request->report_count;

    if (asked == 0 || page->left_out < asked) {
        return true;
    }
    *error = page->reason;
    return asked > 1 && error_context(error, "none of the %zu reports could be made", asked);
}

/* Writes the page, with the table of contents inserted. */
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

/* Writes the overview first, and data quality last. */
static bool write_parts(struct page *page, struct error *error) {
    const bool is_comparison = page->request->compare != NULL;
    size_t contents_at;

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
    text_free(&page.nothing);
    free(page.sections);
    return done;
}
