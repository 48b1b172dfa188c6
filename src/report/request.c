#include "report/request.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/words.h"
#include "import/importer.h"
#include "select/selection.h"

const struct report_option *request_option(const struct report_request *request, const char *name) {
    return find_named(request->options, request->option_count, sizeof *request->options, name);
}

const char *const group_names[GROUP_KINDS] = {
    [GROUP_NONE] = "",         [GROUP_TRACE] = "trace", [GROUP_USER] = "user",
    [GROUP_DEVICE] = "device", [GROUP_STUDY] = "study", [GROUP_HOUR] = "hour",
};

const char *const counted_by_names[COUNTED_BY_KINDS] = {
    [COUNTED_BY_ANY] = "",
    [COUNTED_BY_ROLLUPS] = "rollups",
    [COUNTED_BY_COLUMNS] = "columns",
    [COUNTED_BY_SQLITE] = "sqlite",
};

bool request_wants_curves(const struct report_request *request) {
    return request->picture || request_option(request, "cdf") != NULL;
}

static bool is_of_study(const struct report_request *request, const struct catalog_trace *trace) {
    return request->study == NULL || strcmp(request->study, trace->study) == 0;
}

bool request_includes(const struct report_request *request, const struct catalog_trace *trace) {
    return (request->kinds == 0 || (request->kinds >> trace->kind & 1)) &&
           is_of_study(request, trace) && name_set_passes(&request->users, trace->user);
}

/* Sets an error that names the studies that there are. */
static bool set_unknown_study(const char *study, const struct catalog *catalog,
                              struct error *error) {
    struct word_list studies = {0};
    struct text names = {0};

    for (size_t i = 0; i < catalog->count; i++) {
        if (catalog->traces[i].study[0] != '\0') {
            word_list_add_once(&studies, catalog->traces[i].study);
        }
    }
    for (size_t i = 0; i < studies.count; i++) {
        text_append_format(&names, "%s%s", i == 0 ? "there are: " : ", ", studies.words[i]);
    }
    error_set(error, "no trace belongs to study %s; %s", study,
              studies.count == 0 ? "import --study sets one" : text_string(&names));
    word_list_free(&studies);
    text_free(&names);
    return false;
}

static bool check_study(const struct report_request *request, const struct catalog *catalog,
                        struct error *error) {
    bool found = request->study == NULL;

    for (size_t i = 0; i < catalog->count && !found; i++) {
        found = is_of_study(request, &catalog->traces[i]);
    }
    if (!found) {
        return set_unknown_study(request->study, catalog, error);
    }
    return request->study == NULL || request->trace_count == 0 ||
           error_usage(error, "give either --study or --trace, not both");
}

static bool check_users(const char *const *users, size_t count, const struct catalog *catalog,
                        struct error *error) {
    for (size_t i = 0; i < count; i++) {
        bool found = false;

        for (size_t j = 0; j < catalog->count && !found; j++) {
            found = strcmp(users[i], catalog->traces[j].user) == 0;
        }
        if (!found) {
            return error_set(error, "no trace has user %s; import --user sets the user of a trace",
                             users[i]);
        }
    }
    return true;
}

bool request_check_labels(const struct report_request *request, const struct catalog *catalog,
                          struct error *error) {
    const struct name_set *users = &request->users;
    bool found = !name_set_excludes_any(users);

    if (!check_study(request, catalog, error)) {
        return false;
    }
    if (!found && request->trace_count > 0) {
        return error_usage(error, "give either --trace, or --user and --not-user, not both");
    }
    if (!check_users(users->names, users->count, catalog, error) ||
        !check_users(users->excluded, users->excluded_count, catalog, error)) {
        return false;
    }
    for (size_t i = 0; i < catalog->count && !found; i++) {
        found = request_includes(request, &catalog->traces[i]);
    }
    return found || error_set(error, "no trace fits --user, --not-user and --study together");
}

static void add_once(const struct catalog_trace *trace, const struct catalog_trace **traces,
                     size_t *count) {
    size_t i = 0;

    while (i < *count && traces[i] != trace) {
        i++;
    }
    traces[i] = trace;
    *count += i == *count;
}

static void add_included(const struct report_request *request, const struct catalog *catalog,
                         const struct catalog_trace **traces, size_t *count) {
    const struct catalog_trace **sorted = catalog_sorted(catalog);
    const struct report_request fitting = request_fitting(request, catalog);

    for (size_t i = 0; i < catalog->count; i++) {
        if (request_includes(&fitting, sorted[i])) {
            add_once(sorted[i], traces, count);
        }
    }
    free(sorted);
}

bool request_add_traces(const struct report_request *request, const struct catalog *catalog,
                        const struct catalog_trace **traces, size_t *count, struct error *error) {
    const struct catalog_trace **named = xcalloc(catalog->count + 1, sizeof(const void *));
    bool done = true;

    for (size_t i = 0; done && i < request->trace_count; i++) {
        size_t found = catalog_choose_all_of_kinds(catalog, request->traces[i], ~0u, named, error);

        for (size_t j = 0; j < found; j++) {
            add_once(named[j], traces, count);
        }
        done = found > 0;
    }
    free(named);
    if (request->trace_count == 0) {
        add_included(request, catalog, traces, count);
    }
    return done;
}

/* An option that is no filter, the kind of trace it requires, and whether it was given. */
struct condition {
    const char *option;
    enum trace_kind kind;
    bool given;
};

static bool request_check_condition(const struct condition *condition,
                                    const struct catalog_trace *trace, struct error *error) {
    return !condition->given || condition->kind == trace->kind ||
           error_usage(error, "--%s is for %s; trace %s holds %s", condition->option,
                       condition->kind == TRACE_IO ? "block I/O" : "calls with a duration",
                       trace->name, trace_kind_name(trace->kind));
}

/* Returns true if --corrected is not given, or is possible: it needs the trace's first clock and a
 * known cost of measuring a call. Sets an error if not. */
static bool check_correction(const struct report_request *request,
                             const struct catalog_trace *trace, struct error *error) {
    if (request_option(request, "corrected") == NULL) {
        return true;
    }
    if (request_option(request, "measured") != NULL) {
        return error_usage(error, "give either --corrected or --measured, not both");
    }
    if (request->clock != NULL &&
        strncmp(trace->clocks, request->clock, strlen(request->clock)) != 0) {
        return error_usage(
            error,
            "--corrected works only with the first clock of a trace, which is wall in trace %s",
            trace->name);
    }
    return trace->probes || trace->call_overhead != EVENT_NONE ||
           error_set(
               error,
               "trace %s does not say what measuring a call costs: its times cannot be corrected",
               trace->name);
}

/* Returns whether the trace has times by this clock (NULL: any clock); sets an error if not. */
static bool check_clock(const struct catalog_trace *trace, const char *clock, struct error *error) {
    return clock == NULL || word_in(trace->clocks, clock) ||
           error_set(error, "trace %s has no %s clock; it has: %s", trace->name, clock,
                     trace->clocks[0] == '\0' ? "none" : trace->clocks);
}

bool request_check_filter(const struct report_request *request, const struct catalog_trace *trace,
                          struct error *error) {
    const struct filter *filter = &request->filter;
    const struct condition conditions[] = {
        {"action", TRACE_IO, filter->action != NULL},
        {"device", TRACE_IO, filter->has_device},
        {"clock", TRACE_SPANS, request->clock != NULL},
        {"open", TRACE_SPANS, request->open != NULL},
    };

    for (size_t i = 0; i < sizeof conditions / sizeof conditions[0]; i++) {
        if (!request_check_condition(&conditions[i], trace, error)) {
            return false;
        }
    }
    return filter_check(filter, trace, error) &&
           (trace->kind != TRACE_SPANS ||
            (check_clock(trace, request->clock, error) && check_correction(request, trace, error)));
}

struct report_request request_fitting(const struct report_request *request,
                                      const struct catalog *catalog) {
    struct report_request fitting = *request;
    struct error ignored = {0};

    for (size_t i = 0; request->kinds == 0 && request->trace_count == 0 && i < catalog->count;
         i++) {
        const struct catalog_trace *trace = &catalog->traces[i];

        if (request_includes(request, trace) && request_check_filter(request, trace, &ignored)) {
            fitting.kinds |= 1u << trace->kind;
        }
    }
    return fitting;
}
