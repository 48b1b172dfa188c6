#include "report/choose.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/words.h"
#include "import/importer.h"
#include "report/unknown.h"
#include "base/memory.h"

enum { RELATED_REPORTS = 4 }; /* number of reports suggested for an unknown name */

/* Evaluates the header line `when` of a query. Returns 0: not met; 1: no such line, or met by
 * default; 2: met because the request has the option. */
static int condition_holds(const struct query *query, const struct report_request *request) {
    const struct report_option *option;

    if (query->when_picture) {
        return request->picture && request_option(request, "by") == NULL ? 2 : 0;
    }
    if (query->when_option == NULL) {
        return 1;
    }
    option = request_option(request, query->when_option);
    for (size_t i = 0; option == NULL && query->when_others != NULL && i < request->option_count;
         i++) {
        option =
            word_in(query->when_others, request->options[i].name) ? &request->options[i] : NULL;
    }
    if (option == NULL) {
        return query->by_default;
    }
    return query->when_value == NULL || strcmp(query->when_value, option->value) == 0 ? 2 : 0;
}

static bool needs_real_clock(const struct query *query) {
    if (query->real_clocks) {
        return true;
    }
    for (size_t i = 0; i < query->wanted_count; i++) {
        if (query->wanted[i].analysis->real_clock && !query->wanted[i].filtered_only) {
            return true;
        }
    }
    return false;
}

/* Returns the first column whose meaning in the trace is not the one that the query needs; NULL:
 * all columns suit. Thread states may also come from a trace named by --with. */
static const struct query_required_meaning *meaning_missing(const struct query *query,
                                                            const struct report_request *request,
                                                            const struct catalog_trace *trace) {
    for (size_t i = 0; i < query->meaning_count; i++) {
        const struct query_required_meaning *needed = &query->meanings[i];

        if (strcmp(needed->column, QUERY_OF_LOG) == 0) {
            if (!trace->states_beside && request_option(request, "with") == NULL) {
                return needed;
            }
        } else if (catalog_meaning(trace, needed->column, needed->what) == NULL) {
            return needed;
        }
    }
    return NULL;
}

/* Rates how well a query suits a trace and request; 0: unsuitable. Best is a query that one given
 * option selects and that requires another given option; next, one that an option selects. At equal
 * rank, queries for the trace's format or for a column's meaning come before general ones. */
static int query_suitability(const struct query *query, const struct report_request *request,
                             const struct catalog_trace *trace) {
    bool of_format = word_in(query->formats, trace->format);
    enum fact unknown;
    int condition;

    if (strcmp(query->report, request->report) != 0 || !(query->kinds >> trace->kind & 1) ||
        (needs_real_clock(query) && !catalog_has_real_clock(trace)) ||
        (query->both_clocks && !catalog_both_clocks(trace)) ||
        meaning_missing(query, request, trace) != NULL ||
        unknown_find_required_fact(query, trace, &unknown) ||
        (query->formats[0] != '\0' && !of_format)) {
        return 0;
    }
    condition = condition_holds(query, request);
    if (condition == 2 && query->needs != NULL && request_option(request, query->needs) != NULL) {
        condition = 3;
    }
    return condition == 0 ? 0 : 2 * condition + (of_format || query->meaning_count > 0);
}

/* Returns the most suitable query for a trace; at equal rating, one from the user's directory. */
static const struct query *choose_query(const struct query_set *queries,
                                        const struct report_request *request,
                                        const struct catalog_trace *trace) {
    const struct query *best = NULL;
    int best_score = 0;

    for (size_t i = 0; queries->queries != NULL && i < queries->count; i++) {
        const struct query *query = &queries->queries[i];
        int score = query_suitability(query, request, trace);

        if (score > best_score ||
            (score > 0 && score == best_score && query->is_own && !best->is_own)) {
            best = query;
            best_score = score;
        }
    }
    return best;
}

/* --- suggesting other reports ----------------------------------------------------------------- */

/* Parses a report as users type it (`files --by process`), and returns the report's query that
 * suits the trace; NULL: none. */
static const struct query *find_answer(const struct query_set *queries, const char *typed,
                                       const struct catalog_trace *trace) {
    char words[64];
    char *rest = words, *report, *name, *value;
    struct report_option option;
    struct report_request request = {.options = &option};

    snprintf(words, sizeof words, "%s", typed);
    report = strtok_r(rest, " ", &rest);
    name = strtok_r(NULL, " ", &rest);
    value = strtok_r(NULL, " ", &rest);
    request.report = report;
    if (name != NULL) {
        option = (struct report_option){.name = name + strspn(name, "-"),
                                        .value = value == NULL ? "" : value};
        request.option_count = 1;
    }
    return report == NULL ? NULL : choose_query(queries, &request, trace);
}

bool report_suits_trace(const struct query_set *queries, const char *typed,
                        const struct catalog_trace *trace) {
    return find_answer(queries, typed, trace) != NULL;
}

/* Sets `typed` to a report to suggest, from the header lines `instead` of `report`: the first one
 * that suits one of the traces. Unless `by` is NULL, the report must take --by with that value. */
static bool find_instead(const struct query_set *queries, const char *report, const char *by,
                         const struct catalog_trace *traces, size_t count, char *typed,
                         size_t size) {
    for (size_t i = 0; i < queries->count; i++) {
        const struct query *query = &queries->queries[i];

        for (size_t j = 0; strcmp(query->report, report) == 0 && j < query->instead_count; j++) {
            snprintf(typed, size, "%s%s%s", query->instead[j], by == NULL ? "" : " --by ",
                     by == NULL ? "" : by);
            for (size_t k = 0; k < count; k++) {
                const struct query *found = find_answer(queries, typed, &traces[k]);

                if (found != NULL && (by == NULL || (found->when_value != NULL &&
                                                     strcmp(found->when_value, by) == 0))) {
                    return true;
                }
            }
        }
    }
    return false;
}

/* Returns a set with the queries of all reports: `queries` if it is complete, or else `loaded`,
 * which the caller frees. NULL if they cannot be loaded. */
static const struct query_set *with_all_reports(const struct query_set *queries,
                                                struct query_set *loaded) {
    struct error ignored = {0};

    *loaded = (struct query_set){0};
    return queries->whole                                         ? queries
           : query_set_load(loaded, queries->directory, &ignored) ? loaded
                                                                  : NULL;
}

/* Appends "try report NAME", a suitable report, to an error about unsuitable traces or a refused
 * --by. Returns false. */
static bool add_instead(const struct query_set *queries, const char *report, const char *by,
                        const struct catalog_trace *traces, size_t count, struct error *error) {
    struct query_set loaded;
    const struct query_set *all = with_all_reports(queries, &loaded);
    char typed[64];

    if (all != NULL && find_instead(all, report, by, traces, count, typed, sizeof typed)) {
        error_set_status(error, error->status, "%s; try report %s", error->message, typed);
    }
    query_set_free(&loaded);
    return false;
}

/* Returns whether a word of the text begins with `word`, which has three letters or more. */
static bool has_word_from(const char *text, const char *word) {
    const char *found = text;

    while (strlen(word) > 2 && (found = strcasestr(found, word)) != NULL) {
        if (found == text || found[-1] == ' ') {
            return true;
        }
        found++;
    }
    return false;
}

/* Returns whether a report's title or question has the word, or a column has this name. */
static bool choose_is_about(const struct query *query, const char *word) {
    return has_word_from(query->title, word) ||
           (query->question != NULL && has_word_from(query->question, word)) ||
           query_find_column(query, word, strlen(word)) != NULL;
}

void choose_append_related(const struct query_set *queries, const char *word, struct text *out) {
    struct word_list related = {0};

    for (size_t i = 0; i < queries->count && related.count < RELATED_REPORTS; i++) {
        if (choose_is_about(&queries->queries[i], word)) {
            word_list_add_once(&related, queries->queries[i].report);
        }
    }
    for (size_t i = 0; i < related.count; i++) {
        text_append_format(out, "%s%s", i == 0 ? "look at " : ", ", related.words[i]);
    }
    word_list_free(&related);
}

#define CHOOSE_FLAME "that is the picture of `calltree`: tracetool plot calltree -o x.svg"

const char *choose_synonym(const char *typed) {
    static const char *const synonyms[][2] = {
        {"mrc", "that is `reuse`: tracetool report reuse"},
        {"wss", "that is `workingset`: tracetool report workingset"},
        {"top", "that is `popularity`: tracetool report popularity --top 10"},
        {"slow", "that is `slowest`: tracetool report slowest"},
        {"cdf", "that is an option: tracetool report popularity --cdf"},
        {"ccdf", "that is an option: tracetool report latency --ccdf"},
        {"histogram", "that is an option: tracetool report latency --histogram"},
        {"ci", "that is `assert`: tracetool assert LOG CONDITION"},
        {"unsynced", "that is `durability`: tracetool report durability"},
        {"stats", "that is `summary`: tracetool report summary"},
        {"diff", "that is `compare`: tracetool compare LOG LOG"},
        {"version", "that is an option: tracetool --version"},
        {"flame", CHOOSE_FLAME},
        {"flames", CHOOSE_FLAME},
        {"flamegraph", CHOOSE_FLAME},
        {"flame-graph", CHOOSE_FLAME},
    };
    size_t i = 0, count = sizeof synonyms / sizeof synonyms[0];

    while (i < count && strcasecmp(synonyms[i][0], typed) != 0) {
        i++;
    }
    return i < count ? synonyms[i][1] : NULL;
}

const char *choose_report(const struct query_set *queries, const char *typed, struct error *error) {
    struct word_list names = {0};
    struct text related = {0};
    const struct query *query = query_set_next(queries, NULL, typed);
    const char *report;

    if (query != NULL) {
        return query->report;
    }
    if (choose_synonym(typed) != NULL) {
        error_usage(error, "there is no report '%s': %s", typed, choose_synonym(typed));
        return NULL;
    }
    for (size_t i = 0; i < queries->count; i++) {
        word_list_add_once(&names, queries->queries[i].report);
    }
    choose_append_related(queries, typed, &related);
    if (related.length > 0) {
        text_append_string(&related, "; ");
    }
    if (access(typed, F_OK) == 0) {
        text_append_string(&related,
                           "for a log, `tracetool LOG` or `tracetool report REPORT LOG`; ");
    }
    text_append_string(&related, "`tracetool reports` lists them");
    report = word_list_choose(&names, "report", typed, text_string(&related), error);
    word_list_free(&names);
    text_free(&related);
    return report;
}

/* Returns whether the report exists for traces of a kind, maybe with other options. */
static bool has_kind(const struct query_set *queries, const char *report, enum trace_kind kind) {
    FOR_QUERIES_OF(queries, report) {
        if (query->kinds >> kind & 1) {
            return true;
        }
    }
    return false;
}

static bool refuse_option(const struct query_set *queries, const struct report_request *request,
                          const struct catalog_trace *trace, const struct report_option *option,
                          struct error *error) {
    const bool by = strcmp(option->name, "by") == 0;

    error_usage(error, "report %s on %s does not take --%s%s%s%s", request->report,
                trace_kind_name(trace->kind), option->name, option->value[0] == '\0' ? "" : " ",
                option->value,
                by ? "; every report takes --by user, device, study, trace or hour" : "");
    return by && add_instead(queries, request->report, option->value, trace, 1, error);
}

/* Sets an error: which meaning of a column the query needs, and which one the trace has. */
static bool refuse_meaning(const struct report_request *request, const struct catalog_trace *trace,
                           const struct query_required_meaning *needed, struct error *error) {
    const struct catalog_meaning *meaning = catalog_meaning(trace, needed->column, NULL);

    if (strcmp(needed->column, QUERY_OF_LOG) == 0) {
        return error_set(error,
                         "report %s needs states of threads, which the log of trace %s does not "
                         "have: record sched_switch, sched_waking and irq events along with the "
                         "calls, or name a trace that has states (--with)",
                         request->report, trace->name);
    }
    if (meaning == NULL && strcmp(needed->column, "flags") == 0 &&
        strcmp(needed->what, "call") == 0) {
        return error_set(error,
                         "report %s needs the paths of calls and the flags of opens, which the log "
                         "of trace %s does not have: record with strace -f -y -ttt -T -o LOG "
                         "PROGRAM, or with ftrace and paths (tracetool help ftrace)",
                         request->report, trace->name);
    }
    if (meaning == NULL) {
        return error_set(error,
                         "report %s needs the %s (%s) of events; the log of trace %s has none "
                         "(meaning in tracetool-schema(7))",
                         request->report, needed->column, needed->what, trace->name);
    }
    return error_set(error,
                     "report %s needs a trace where %s means %s; in trace %s it means %s "
                     "(meaning in tracetool-schema(7))",
                     request->report, needed->column, needed->what, trace->name, meaning->what);
}

/* Sets an error about a trace without the needed clock. `value`: value of the option that asks for
 * the clock; NULL: the report itself needs it. */
static bool refuse_clock(const struct report_request *request, const struct catalog_trace *trace,
                         const char *value, struct error *error) {
    return error_set(error, "report %s%s%s needs times in seconds; those of trace %s are in %s",
                     request->report, value == NULL ? "" : " by ", value == NULL ? "" : value,
                     trace->name, trace->clock_unit);
}

/* Returns whether all query files of the report for the trace's kind need both of its clocks. */
static bool needs_both_clocks(const struct query_set *queries, const struct report_request *request,
                              enum trace_kind kind) {
    bool any = false;

    FOR_QUERIES_OF(queries, request->report) {
        if (query->kinds >> kind & 1) {
            any = true;
            if (!query->both_clocks) {
                return false;
            }
        }
    }
    return any;
}

/* Returns whether a query of the report is for the trace's format, or for all formats. */
static bool is_for_format(const struct query_set *queries, const struct report_request *request,
                          const struct catalog_trace *trace) {
    FOR_QUERIES_OF(queries, request->report) {
        if ((query->kinds >> trace->kind & 1) &&
            (query->formats[0] == '\0' || word_in(query->formats, trace->format))) {
            return true;
        }
    }
    return false;
}

/* Returns whether the query needs a fact that the log does not state; if so, sets an error. */
static bool is_unknown(const struct report_request *request, const struct query *query,
                       const struct catalog_trace *trace, struct error *error) {
    enum fact fact;

    if (!unknown_find_required_fact(query, trace, &fact)) {
        return false;
    }
    error_set(error, "report %s needs what the log of trace %s does not have: %s", request->report,
              trace->name, fact_words(fact));
    return true;
}

/* Returns whether every query of the report needs a fact that the trace's log does not state. Sets
 * an error about the first such query, preferably one that an option requests. */
static bool are_unknown(const struct query_set *queries, const struct report_request *request,
                        const struct catalog_trace *trace, struct error *error) {
    for (int condition = 2; condition > 0; condition--) {
        FOR_QUERIES_OF(queries, request->report) {
            if ((query->kinds >> trace->kind & 1) && condition_holds(query, request) == condition &&
                is_unknown(request, query, trace, error)) {
                return true;
            }
        }
    }
    return false;
}

/* Explains why no query suits a trace of a supported kind: a column has another meaning, an option
 * selects no query, the queries are for other formats, or a clock is missing. */
static bool refuse_selection(const struct query_set *queries, const struct report_request *request,
                             const struct catalog_trace *trace, struct error *error) {
    if (are_unknown(queries, request, trace, error)) {
        return false;
    }
    FOR_QUERIES_OF(queries, request->report) {
        const struct query_required_meaning *needed = meaning_missing(query, request, trace);

        if (!(query->kinds >> trace->kind & 1) || condition_holds(query, request) == 0) {
            continue;
        }
        if (needed != NULL) {
            return refuse_meaning(request, trace, needed, error);
        }
        if (needs_real_clock(query) && !catalog_has_real_clock(trace) &&
            query->formats[0] == '\0') {
            return refuse_clock(request, trace, query->when_value, error);
        }
    }
    FOR_QUERIES_OF(queries, request->report) {
        const struct report_option *option =
            query->when_option == NULL ? NULL : request_option(request, query->when_option);

        if (option != NULL) {
            return refuse_option(queries, request, trace, option, error);
        }
    }
    if (needs_both_clocks(queries, request, trace->kind) && !catalog_both_clocks(trace)) {
        return error_set(
            error, "report %s compares the wall clock with the CPU clock; trace %s has only: %s",
            request->report, trace->name, trace->clocks[0] == '\0' ? "none" : trace->clocks);
    }
    if (catalog_has_real_clock(trace) || !is_for_format(queries, request, trace)) {
        return error_set(error, "report %s does not apply to format %s of trace %s",
                         request->report, trace->format, trace->name);
    }
    return refuse_clock(request, trace, NULL, error);
}

/* Appends the names of the trace kinds that a report supports. */
static void choose_append_kinds(const struct query_set *queries, const char *report,
                                struct text *out) {
    size_t count = 0;

    for (unsigned kind = 0; kind < TRACE_KINDS; kind++) {
        if (has_kind(queries, report, (enum trace_kind)kind)) {
            text_append_format(out, "%s%s", count++ > 0 ? " or " : "",
                               trace_kind_words((enum trace_kind)kind));
        }
    }
}

/* Appends `what` and the names of all traces to an error. Returns false. */
static bool choose_add_names(const char *what, const struct catalog *traces, struct error *error) {
    struct text names = {0};

    catalog_append_names(traces, &names);
    error_set_status(error, error->status, "%s%s: %s", error->message, what, text_string(&names));
    text_free(&names);
    return false;
}

/* Appends the report that suits `trace` (NULL: all traces), and the traces that this report
 * supports, to an error. Returns false. */
static bool add_what_fits(const struct catalog *catalog, const struct query_set *queries,
                          const struct report_request *request, const struct catalog_trace *trace,
                          struct error *error) {
    struct catalog fitting = {.traces = xcalloc(catalog->count + 1, sizeof *catalog->traces)};

    add_instead(queries, request->report, NULL, trace == NULL ? catalog->traces : trace,
                trace == NULL ? catalog->count : 1, error);
    for (size_t i = 0; fitting.traces != NULL && i < catalog->count; i++) {
        if (choose_query(queries, request, &catalog->traces[i]) != NULL) {
            fitting.traces[fitting.count++] = catalog->traces[i];
        }
    }
    if (fitting.count > 0) {
        choose_add_names("; traces it applies to", &fitting, error);
    }
    free(fitting.traces);
    return false;
}

/* Sets an error that the report suits none of the requested traces. It names the suitable traces or
 * kinds of trace, and the existing traces. */
static bool no_trace_fits(const struct catalog *catalog, const struct query_set *queries,
                          const struct report_request *request, const struct catalog_trace *trace,
                          struct error *error) {
    struct text kinds = {0};
    bool any = false;
    size_t before;

    if (catalog->count == 0) {
        return error_set(error, "the database holds no traces");
    }
    if (trace == NULL) {
        error_set(error, "no trace fits report %s", request->report);
    } else {
        error_set(error, "report %s does not apply to trace %s, which holds %s", request->report,
                  trace->name, trace_kind_name(trace->kind));
    }
    for (size_t i = 0; i < catalog->count; i++) {
        any |= has_kind(queries, request->report, catalog->traces[i].kind);
    }
    if (any) {
        return add_what_fits(catalog, queries, request, trace, error);
    }
    choose_append_kinds(queries, request->report, &kinds);
    if (trace == NULL) {
        error_set(error, "no trace fits report %s, which is for %s", request->report,
                  text_string(&kinds));
        text_free(&kinds);
        choose_add_names("; there are only", catalog, error);
        return add_instead(queries, request->report, NULL, catalog->traces, catalog->count, error);
    }
    before = strlen(error->message);
    add_instead(queries, request->report, NULL, trace, 1, error);
    error_set_status(error, error->status, "%s; %s is for %s", error->message,
                     error->message[before] == '\0' ? "it" : request->report, text_string(&kinds));
    text_free(&kinds);
    return choose_add_names(", and there are only", catalog, error);
}

/* Returns the kinds of trace that the report supports with the given options, as a bit set. Unless
 * `every`, ignores queries with a header line `after`. If no query has these options, returns the
 * kinds of all queries. */
static unsigned report_kinds(const struct query_set *queries, const struct report_request *request,
                             bool every) {
    unsigned fitting = 0, all = 0;

    FOR_QUERIES_OF(queries, request->report) {
        if (every || query->after == 0) {
            all |= query->kinds;
            fitting |= condition_holds(query, request) != 0 ? query->kinds : 0;
        }
    }
    return (fitting != 0 ? fitting : all) & (request->kinds != 0 ? request->kinds : ~0u);
}

/* Finds the traces that have this name, or come from the log with this name, and suit the report.
 * `traces` has room for all. Returns their number; 0 with `error` set. */
static size_t choose_traces(const struct catalog *catalog, const struct query_set *queries,
                            const struct report_request *request, const char *name,
                            const struct catalog_trace **traces, struct error *error) {
    struct error ignored = {0};
    size_t count = catalog_choose_all_of_kinds(catalog, name, report_kinds(queries, request, false),
                                               traces, &ignored),
           left = 0;

    if (count == 0) {
        traces[0] = catalog_choose_kind(catalog, name, report_kinds(queries, request, true), error);
        return traces[0] != NULL;
    }
    for (size_t i = 0; i < count; i++) {
        if (choose_query(queries, request, traces[i]) != NULL) {
            traces[left++] = traces[i];
        }
    }
    /* If no trace suits, keeps one of them: the caller sets the error about this trace. */
    return left > 0 ? left : 1;
}

static struct choice *find_choice(struct choice *choices, size_t count,
                                  const struct catalog_trace *trace) {
    for (size_t i = 0; i < count; i++) {
        if (choices[i].trace == trace) {
            return &choices[i];
        }
    }
    return NULL;
}

/* Adds the traces that match a pattern and suit the report, with their queries, to the choices. */
static bool choose_fitting(const struct catalog *catalog, const struct query_set *queries,
                           const struct report_request *request, const char *pattern,
                           struct choice *choices, size_t *count, struct error *error) {
    const struct catalog_trace **traces = catalog_sorted(catalog), *refused = NULL;
    const size_t before = *count;
    bool fits = false;

    for (size_t i = 0; i < catalog->count; i++) {
        const struct query *query = catalog_name_matches(traces[i], pattern)
                                        ? choose_query(queries, request, traces[i])
                                        : NULL;

        fits |= query != NULL;
        if (query != NULL && find_choice(choices, *count, traces[i]) == NULL) {
            choices[(*count)++] = (struct choice){.trace = traces[i], .query = query};
        } else if (query == NULL && catalog_name_matches(traces[i], pattern)) {
            refused = traces[i];
        }
    }
    free(traces);
    return *count > before || fits ||
           (refused != NULL ? no_trace_fits(catalog, queries, request, refused, error)
                            : catalog_set_unknown_error(catalog, pattern, error));
}

/* Adds a trace that the request names, with its query, to the choices. */
static bool add_named(const struct catalog *catalog, const struct query_set *queries,
                      const struct report_request *request, const struct catalog_trace *trace,
                      struct choice *choices, size_t *count, struct error *error) {
    struct choice *chosen = find_choice(choices, *count, trace);
    const struct query *query;

    if (chosen != NULL && chosen->named) {
        return error_usage(error, "trace %s is given twice", trace->name);
    }
    if (chosen != NULL) { /* a pattern has already chosen this trace */
        chosen->named = true;
        return true;
    }
    query = choose_query(queries, request, trace);
    if (query == NULL && has_kind(queries, request->report, trace->kind)) {
        return refuse_selection(queries, request, trace, error) ||
               add_what_fits(catalog, queries, request, trace, error);
    }
    if (query == NULL) {
        return no_trace_fits(catalog, queries, request, trace, error);
    }
    choices[(*count)++] = (struct choice){.trace = trace, .query = query, .named = true};
    return true;
}

static bool choose_named_traces(const struct catalog *catalog, const struct query_set *queries,
                                const struct report_request *request, struct choice *choices,
                                size_t *count, struct error *error) {
    const struct catalog_trace **traces = xcalloc(catalog->count + 1, sizeof(const void *));
    bool done = true;

    for (size_t i = 0; done && i < request->trace_count; i++) {
        const char *name = request->traces[i];

        if (catalog_is_pattern(catalog, name)) {
            done = choose_fitting(catalog, queries, request, name, choices, count, error);
        } else {
            size_t found = choose_traces(catalog, queries, request, name, traces, error);

            done = found > 0;
            for (size_t j = 0; done && j < found; j++) {
                done = add_named(catalog, queries, request, traces[j], choices, count, error);
            }
        }
    }
    free(traces);
    return done;
}

/* Removes choices (traces) whose query has a line `after` with the kind of a chosen trace. */
static void drop_later_choices(struct choice *choices, size_t *count) {
    unsigned kinds = 0;
    size_t left = 0;

    for (size_t i = 0; i < *count; i++) {
        kinds |= 1u << choices[i].trace->kind;
    }
    for (size_t i = 0; i < *count; i++) {
        if ((choices[i].query->after & kinds) == 0) {
            choices[left++] = choices[i];
        }
    }
    *count = left;
}

/* Adds all traces that suit the report and pass the request's kinds, study and users. */
static void choose_included(const struct catalog *catalog, const struct query_set *queries,
                            const struct report_request *request, struct choice *choices,
                            size_t *count) {
    const struct catalog_trace **traces = catalog_sorted(catalog);

    for (size_t i = 0; i < catalog->count; i++) {
        const struct query *query = choose_query(queries, request, traces[i]);

        if (query != NULL && request_includes(request, traces[i])) {
            choices[(*count)++] = (struct choice){.trace = traces[i], .query = query};
        }
    }
    free(traces);
    drop_later_choices(choices, count);
}

/* Returns whether a chosen query takes an option. */
static bool takes_option(const struct query *query, const struct report_option *option) {
    return (query->when_option != NULL && strcmp(query->when_option, option->name) == 0) ||
           word_in(query->options, option->name) ||
           (query->total != NULL && strcmp(option->name, "share") == 0) ||
           (query_is_cumulative(query) && strcmp(option->name, "cdf") == 0) ||
           (query_is_complementary(query) && strcmp(option->name, "ccdf") == 0) ||
           query_parameter(query, option->name) != NULL;
}

static bool takes_options(const struct query *query, const struct report_request *request) {
    size_t i = 0;

    while (i < request->option_count && takes_option(query, &request->options[i])) {
        i++;
    }
    return i == request->option_count;
}

/* Removes choices (traces) that no name requests and that do not take an option, if others take
 * all: `latency --by thread` of a log with calls and I/Os is of its calls, and a trace whose log
 * names no files is left out by --by file, as by the report files. */
static void drop_choices_without_options(const struct report_request *request,
                                         struct choice *choices, size_t *count) {
    size_t left = 0;
    bool any = false;

    for (size_t i = 0; i < *count; i++) {
        any |= takes_options(choices[i].query, request);
    }
    for (size_t i = 0; i < *count; i++) {
        if (!any || choices[i].named || takes_options(choices[i].query, request)) {
            choices[left++] = choices[i];
        }
    }
    *count = left;
}

/* Sets `choices`, which has room for all traces, to the requested traces and the query of each. */
static bool choose_wanted_traces(const struct catalog *catalog, const struct query_set *queries,
                                 const struct report_request *request, struct choice *choices,
                                 size_t *count, struct error *error) {
    *count = 0;
    if (!request_check_labels(request, catalog, error)) {
        return false;
    }
    if (request->trace_count > 0) {
        return choose_named_traces(catalog, queries, request, choices, count, error);
    }
    choose_included(catalog, queries, request, choices, count);
    for (size_t i = 0; *count == 0 && i < catalog->count; i++) {
        if (has_kind(queries, request->report, catalog->traces[i].kind)) {
            return request_check_filter(request, &catalog->traces[i], error) &&
                   (refuse_selection(queries, request, &catalog->traces[i], error) ||
                    add_what_fits(catalog, queries, request, NULL, error));
        }
    }
    return *count > 0 || no_trace_fits(catalog, queries, request, NULL, error);
}

/* Sets an error that a chosen query does not take an option, with the reason: another query takes
 * it, but a column has another meaning in the trace or another option excludes that query; or no
 * query takes it. */
static bool refuse_chosen(const struct query_set *queries, const struct report_request *request,
                          const struct report_option *option, const struct choice *chosen,
                          struct error *error) {
    const struct catalog_trace *trace = chosen->trace;
    const char *other = chosen->query->when_option;

    FOR_QUERIES_OF(queries, request->report) {
        const struct query_required_meaning *needed = meaning_missing(query, request, trace);

        if (!(query->kinds >> trace->kind & 1) ||
            (query->when_option == NULL ? needed != NULL || !word_in(query->options, option->name)
                                        : strcmp(query->when_option, option->name) != 0 ||
                                              condition_holds(query, request) != 2)) {
            continue;
        }
        if (is_unknown(request, query, trace, error)) {
            return false;
        }
        if (needed != NULL) {
            return refuse_meaning(request, trace, needed, error);
        }
        if (query->formats[0] != '\0' && !word_in(query->formats, trace->format)) {
            return error_usage(error, "report %s --%s is for traces of %s; trace %s is of %s",
                               request->report, option->name, query->formats, trace->name,
                               trace->format);
        }
        if (other != NULL && condition_holds(chosen->query, request) == 2) {
            return error_usage(error, "report %s on %s takes --%s%s%s or --%s, not both",
                               request->report, trace_kind_name(trace->kind), option->name,
                               option->value[0] == '\0' ? "" : " ", option->value, other);
        }
    }
    return refuse_option(queries, request, trace, option, error);
}

/* Sets an error if a chosen query does not take a given option, or lacks one that it needs. */
static bool choose_check_options(const struct query_set *queries,
                                 const struct report_request *request, const struct choice *choices,
                                 size_t count, struct error *error) {
    for (size_t j = 0; j < count; j++) {
        const char *needs = choices[j].query->needs;

        if (needs != NULL && request_option(request, needs) == NULL) {
            return error_usage(error, "report %s needs --%s", request->report, needs);
        }
    }
    for (size_t j = 0; j < count; j++) {
        if (choices[j].query->both_clocks && request->clock != NULL) {
            return error_usage(error, "report %s compares both clocks: it does not take --clock",
                               request->report);
        }
    }
    for (size_t i = 0; i < request->option_count; i++) {
        const struct report_option *option = &request->options[i];

        for (size_t j = 0; j < count; j++) {
            if (!takes_option(choices[j].query, option)) {
                return refuse_chosen(queries, request, option, &choices[j], error);
            }
        }
    }
    return true;
}

/* Returns whether the results of a query have times or sums of times. */
static bool choose_has_times(const struct query *query) {
    for (size_t i = 0; i < query->column_count; i++) {
        enum column_kind kind = query->columns[i].column.kind;

        /* Columns of kind COLUMN_ANY may have times in some rows. */
        if (kind == COLUMN_DURATION || kind == COLUMN_TIME || kind == COLUMN_ANY) {
            return true;
        }
    }
    return false;
}

/* Returns whether the result has times in counter units, which may differ between devices. */
static bool has_counter(const struct choice *choice) {
    return strcmp(choice->trace->clock_unit, CLOCK_UNIT_COUNTER) == 0 &&
           !choice->query->any_clocks && choose_has_times(choice->query);
}

/* Returns whether both traces are known to use the same counter. */
static bool one_counter(const struct catalog_trace *left, const struct catalog_trace *right) {
    return left->device[0] != '\0' && strcmp(left->device, right->device) == 0;
}

/* Sets an error if a result would add up times in counter units of different devices. */
static bool check_counters(const struct report_request *request, const struct choice *choices,
                           size_t count, struct error *error) {
    /* If each trace has its own result, nothing is added up. */
    for (size_t j = 1; !request->by_trace && j < count; j++) {
        const struct choice *later = &choices[j];
        size_t i = 0; /* index of the first choice (trace) that shares a result with `later` */

        if (!has_counter(later)) {
            continue;
        }
        while (i < j && !choices_are_merged(request, &choices[i], later)) {
            i++;
        }
        if (i < j && !one_counter(choices[i].trace, later->trace)) {
            return error_set(error,
                             "traces %s and %s may count time in different units: give --by-trace, "
                             "choose one with -t, or import both with the same --device, or with "
                             "clock_hz in section dwtrace of the configuration",
                             choices[i].trace->name, later->trace->name);
        }
    }
    return true;
}

bool choose_reports(const struct catalog *catalog, const struct query_set *queries,
                    const struct report_request *request, struct choice **choices, size_t *count,
                    struct error *error) {
    const struct report_request fitting = request_fitting(request, catalog);

    *choices = xcalloc(catalog->count + request->trace_count + 1, sizeof **choices);
    if (!choose_wanted_traces(catalog, queries, &fitting, *choices, count, error)) {
        return false;
    }
    drop_choices_without_options(&fitting, *choices, count);
    return choose_check_options(queries, request, *choices, *count, error) &&
           check_counters(request, *choices, *count, error);
}
