#include "report/choose.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "import/importer.h"

/* Whether the query's `when` holds: 0 no, 1 it has none or holds by default, 2 it was asked for. */
static int condition_holds(const struct query *query, const struct report_request *request) {
    const struct report_option *option;

    if (query->when_option == NULL) {
        return 1;
    }
    option = request_option(request, query->when_option);
    if (option == NULL) {
        return query->by_default;
    }
    return query->when_value == NULL || strcmp(query->when_value, option->value) == 0 ? 2 : 0;
}

static bool needs_real_clock(const struct query *query) {
    for (size_t i = 0; i < query->wanted_count; i++) {
        if (query->wanted[i].analysis->real_clock && !query->wanted[i].filtered_only) {
            return true;
        }
    }
    return false;
}

/* How well a query suits a trace: 0 not at all; asked for by an option before made for the format
 * before made for all. */
static int suitability(const struct query *query, const struct report_request *request,
                       const struct catalog_trace *trace) {
    bool of_format = word_in(query->formats, trace->format);
    int condition;

    if (strcmp(query->report, request->report) != 0 || !(query->kinds >> trace->kind & 1) ||
        (needs_real_clock(query) && !catalog_real_clock(trace)) ||
        (query->formats[0] != '\0' && !of_format)) {
        return 0;
    }
    condition = condition_holds(query, request);
    return condition == 0 ? 0 : 2 * condition + of_format;
}

static const struct query *choose_query(const struct query_set *queries,
                                        const struct report_request *request,
                                        const struct catalog_trace *trace) {
    const struct query *best = NULL;
    int best_score = 0;

    for (size_t i = 0; i < queries->count; i++) {
        const struct query *query = &queries->queries[i];
        int score = suitability(query, request, trace);

        if (score > best_score) {
            best = query;
            best_score = score;
        }
    }
    return best;
}

bool choose_check_report(const struct query_set *queries, const char *report, struct error *error) {
    for (size_t i = 0; i < queries->count; i++) {
        if (strcmp(queries->queries[i].report, report) == 0) {
            return true;
        }
    }
    return error_set_status(error, EXIT_USAGE,
                            "there is no report '%s'; `tracetool reports` lists them", report);
}

/* Whether the report exists for that kind of trace, with other options. */
static bool has_kind(const struct query_set *queries, const char *report, enum trace_kind kind) {
    for (size_t i = 0; i < queries->count; i++) {
        if (strcmp(queries->queries[i].report, report) == 0 &&
            (queries->queries[i].kinds >> kind & 1)) {
            return true;
        }
    }
    return false;
}

static bool refuse_option(const struct report_request *request, enum trace_kind kind,
                          const struct report_option *option, struct error *error) {
    return error_set_status(error, EXIT_USAGE, "report %s over %s does not take --%s%s%s",
                            request->report, trace_kind_name(kind), option->name,
                            option->value[0] == '\0' ? "" : " ", option->value);
}

/* No query of the report was chosen for a kind of trace it is made for: an option selects none. */
static bool refuse_selection(const struct query_set *queries, const struct report_request *request,
                             const struct catalog_trace *trace, struct error *error) {
    for (size_t i = 0; i < queries->count; i++) {
        const struct query *query = &queries->queries[i];
        const struct report_option *option =
            query->when_option == NULL ? NULL : request_option(request, query->when_option);

        if (option != NULL && strcmp(query->report, request->report) == 0) {
            return refuse_option(request, trace->kind, option, error);
        }
    }
    return error_set(error, "report %s needs a real clock; trace %s counts in %s", request->report,
                     trace->name, trace->clock_unit);
}

/* Says which traces there are that the report is made for, or which there are at all. */
static bool no_trace_fits(const struct catalog *catalog, const struct query_set *queries,
                          const struct report_request *request, const char *why,
                          struct error *error) {
    struct catalog fitting = {.traces = calloc(catalog->count + 1, sizeof *catalog->traces)};
    struct text names = {0};

    for (size_t i = 0; fitting.traces != NULL && i < catalog->count; i++) {
        if (has_kind(queries, request->report, catalog->traces[i].kind)) {
            fitting.traces[fitting.count++] = catalog->traces[i];
        }
    }
    catalog_append_names(fitting.count > 0 ? &fitting : catalog, &names);
    free(fitting.traces);
    if (catalog->count == 0) {
        error_set(error, "the database holds no traces");
    } else {
        error_set(error, "%s; %s: %s", why,
                  fitting.count > 0 ? "traces it applies to" : "there are only",
                  text_string(&names));
    }
    text_free(&names);
    return false;
}

static bool choose_named(const struct catalog *catalog, const struct query_set *queries,
                         const struct report_request *request, struct choice *choices,
                         size_t *count, struct error *error) {
    for (size_t i = 0; i < request->trace_count; i++) {
        const struct catalog_trace *trace = catalog_find(catalog, request->traces[i]);
        const struct query *query;

        if (trace == NULL) {
            return catalog_unknown(catalog, request->traces[i], error);
        }
        query = choose_query(queries, request, trace);
        if (query == NULL && has_kind(queries, request->report, trace->kind)) {
            return refuse_selection(queries, request, trace, error);
        }
        if (query == NULL) {
            char why[ERROR_MESSAGE_SIZE / 2];

            snprintf(why, sizeof why, "report %s does not apply to trace %s, which holds %s",
                     request->report, trace->name, trace_kind_name(trace->kind));
            return no_trace_fits(catalog, queries, request, why, error);
        }
        choices[(*count)++] = (struct choice){.trace = trace, .query = query};
    }
    return true;
}

static bool is_given_twice(const struct report_request *request, struct error *error) {
    for (size_t i = 0; i < request->trace_count; i++) {
        for (size_t j = 0; j < i; j++) {
            if (strcmp(request->traces[i], request->traces[j]) == 0) {
                return !error_set_status(error, EXIT_USAGE, "trace %s is given twice",
                                         request->traces[i]);
            }
        }
    }
    return false;
}

/* The traces of the request with their queries. `choices` has room for all. */
static bool choose_traces(const struct catalog *catalog, const struct query_set *queries,
                          const struct report_request *request, struct choice *choices,
                          size_t *count, struct error *error) {
    *count = 0;
    if (is_given_twice(request, error) || !request_check_labels(request, catalog, error)) {
        return false;
    }
    if (request->trace_count > 0) {
        return choose_named(catalog, queries, request, choices, count, error);
    }
    for (size_t i = 0; i < catalog->count; i++) {
        const struct query *query = choose_query(queries, request, &catalog->traces[i]);

        if (query != NULL && request_includes(request, &catalog->traces[i])) {
            choices[(*count)++] = (struct choice){.trace = &catalog->traces[i], .query = query};
        }
    }
    for (size_t i = 0; *count == 0 && i < catalog->count; i++) {
        if (has_kind(queries, request->report, catalog->traces[i].kind)) {
            return refuse_selection(queries, request, &catalog->traces[i], error);
        }
    }
    return *count > 0 ||
           no_trace_fits(catalog, queries, request, "no trace fits the report", error);
}

/* An option that a chosen query does not take is a mistake; so is one missing that it needs. */
static bool check_options(const struct report_request *request, const struct choice *choices,
                          size_t count, struct error *error) {
    for (size_t j = 0; j < count; j++) {
        const char *needs = choices[j].query->needs;

        if (needs != NULL && request_option(request, needs) == NULL) {
            return error_set_status(error, EXIT_USAGE, "report %s needs --%s", request->report,
                                    needs);
        }
    }
    for (size_t i = 0; i < request->option_count; i++) {
        const struct report_option *option = &request->options[i];

        for (size_t j = 0; j < count; j++) {
            const struct query *query = choices[j].query;
            bool selects =
                query->when_option != NULL && strcmp(query->when_option, option->name) == 0;

            if (!selects && !word_in(query->options, option->name) &&
                query_parameter(query, option->name) == NULL) {
                return refuse_option(request, choices[j].trace->kind, option, error);
            }
        }
    }
    return true;
}

bool choose(const struct catalog *catalog, const struct query_set *queries,
            const struct report_request *request, struct choice **choices, size_t *count,
            struct error *error) {
    *choices = calloc(catalog->count + request->trace_count + 1, sizeof **choices);
    return (*choices != NULL || error_no_memory(error)) &&
           choose_traces(catalog, queries, request, *choices, count, error) &&
           check_options(request, *choices, *count, error);
}

bool choices_share_result(const struct choice *left, const struct choice *right) {
    return left->query == right->query && left->trace->kind == right->trace->kind &&
           strcmp(left->trace->clock_unit, right->trace->clock_unit) == 0 &&
           (left->query->any_clocks || strcmp(left->trace->clocks, right->trace->clocks) == 0);
}
