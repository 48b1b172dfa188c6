/* Pushdown: fetches from a store only the data that a report needs, before events are selected. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/search.h"
#include "report/prepare.h"
#include "select/counted_action.h"
#include "select/match.h"
#include "select/window.h"

/* --- which data a query reads ----------------------------------------------------------------- */

/* Returns whether the query also reads other traces with the same study label. */
static bool reads_studies(const struct query *query) {
    return strstr(query->sql, ".study = ") != NULL;
}

/* Returns whether the query combines rollups (stored counts) with calls that are open at the end of
 * the log. The times of these calls are stored with events only. */
static bool reads_open_calls(const struct query *query) {
    bool reads =
        query_has_name(query, "temp.open_part") || query_has_name(query, "temp.span_remark");

    for (size_t i = 0; !reads && i < query->wanted_count; i++) {
        reads = query->wanted[i].analysis->rollup_open != NULL;
    }
    return reads;
}

/* Returns whether an SQL text reads rows of event only at the first and last ids of ranges. */
static bool reads_ends(const char *sql) {
    static const char *const ids[] = {
        "s.first_event",
        "s.last_event",
        "x.first_event",
        "x.last_event",
        "f.id",
        "f.id + 1", /* this expression is in include/outlying.sql */
        "k.id - 1",
        "k.id",
        "kept.first",
        "kept.last",
        "ifnull(k.first, s.first_event)",
        "ifnull(k.last, s.last_event)",
    };
    bool ends = true;

    while (ends && (sql = strstr(sql, "main.event")) != NULL) {
        const char *id;
        int length = 0;

        sql += strlen("main.event");
        sscanf(sql, " AS %*[a-z] ON %*[a-z].id = %n", &length);
        id = sql + length;
        ends = false;
        for (size_t i = 0; length > 0 && !ends && i < sizeof ids / sizeof ids[0]; i++) {
            ends = strcspn(id, "\n") == strlen(ids[i]) && strncmp(id, ids[i], strlen(ids[i])) == 0;
        }
    }
    return ends;
}

/* Returns whether the query counts only the part of a call inside the time window. */
static bool query_counts_call_parts(const struct query *query) {
    size_t i = 0;

    while (i < query->wanted_count && query->wanted[i].analysis->window != WINDOW_PARTS) {
        i++;
    }
    return !query->begun && i < query->wanted_count;
}

/* Returns whether the query reads only events that match the filter and action of the request, and
 * a few at each end of the time range (DATABASE_PART_ENDS). Sets `*all_actions` if it reads events
 * of all actions, unless the filter names an action. */
static bool fetch_plan_takes_part(const struct query *query, bool *all_actions) {
    bool takes = !query->is_own && !reads_studies(query) && reads_ends(query->sql);

    *all_actions = query->all_actions;
    for (size_t i = 0; takes && i < query->remark_count; i++) {
        takes = reads_ends(query->remarks[i].sql);
    }
    for (size_t i = 0; takes && i < query->wanted_count; i++) {
        const struct requested_analysis *wanted = &query->wanted[i];

        takes = wanted->rows == NULL || reads_ends(wanted->rows);
        *all_actions |= wanted->analysis->pass == PASS_ALL_ACTIONS;
    }
    return takes;
}

/* Appends the names of the optional tables (struct database_wanted) that the query reads. These are
 * fetched for whole traces. */
static void fetch_plan_append_tables(const struct query *query, struct text *tables) {
    for (size_t i = 0; i < query->wanted_count; i++) {
        const struct analysis *analysis = query->wanted[i].analysis;

        if (analysis->rollup != NULL) {
            text_append_format(tables, "rollup_%s ", analysis->rollup);
        }
    }
    if (reads_open_calls(query)) {
        text_append_string(tables, "rollup_depth ");
    }
    if (prepare_query_reads(query, "loggable_operation")) {
        text_append_string(tables, "loggable ");
    }
    if (query_has_name(query, "main.object")) {
        text_append_string(tables, "object ");
    }
}

/* --- which events a report reads, so that no others are fetched ------------------------------- */

/* MOST_IDS: limit of ids sent to the store; if there are more, events are filtered after fetching.
 * MOST_LEFT_IN: a trace with fewer events is fetched whole if the time range excludes few of them,
 * since finding the range takes longer. */
enum { MOST_IDS = 1000, MOST_LEFT_IN = 10000 };

/* Reads ids from a temporary table of match_make_tables(); sets none if there are over MOST_IDS. */
static bool fetch_plan_read_ids(const struct selection *selection, const char *sql,
                                struct database_ids *ids, struct error *error) {
    struct database_query query = database_query(selection->database, error, sql, "");
    int64_t *read = xcalloc(MOST_IDS + 1, sizeof *read);
    size_t count = 0;
    bool done;

    while (count <= MOST_IDS && database_next(&query)) {
        read[count++] = sqlite3_column_int64(query.row, 0);
    }
    done = database_end(&query);
    if (!done || count > MOST_IDS) {
        free(read);
        return done;
    }
    *ids = (struct database_ids){read, count};
    return true;
}

/* Sets the ids of operations, actors and objects that match the filter, and the counted action. */
static bool set_plan_ids(const struct selection *selection, bool all_actions,
                         struct database_part *part, struct error *error) {
    const struct filter *filter = &selection->filter;

    if (!all_actions && selection->traces[0].action > 0) {
        part->action = selection->traces[0].action;
    }
    return (!filter_by_operation(filter) ||
            fetch_plan_read_ids(selection, "SELECT id FROM temp.selected_operation",
                                &part->operations, error)) &&
           (!filter_by_actor(filter) ||
            fetch_plan_read_ids(selection, "SELECT id FROM temp.selected_actor", &part->actors,
                                error)) &&
           /* The store does not find calls by a copy's source file, so these ids are not sent. */
           (!filter_by_object(filter) || selection->traces[0].trace->kind == TRACE_CALLS ||
            fetch_plan_read_ids(selection, "SELECT id FROM temp.selected_object", &part->objects,
                                error));
}

/* Sets the ids in `part` that match the filter's names, by a selection without a time range. */
static bool fetch_plan_find_ids(struct workspace *workspace, const struct filter *filter,
                                const struct choice *choice, bool all_actions,
                                struct database_part *part, struct error *error) {
    struct selection_request request = {
        .traces = &choice->trace,
        .count = 1,
        .filter = *filter,
        .all_actions = choice->query->all_actions,
    };
    struct selection selection = {0};
    struct temp_schema temp = {.database = workspace->database};
    bool done;

    /* No window of time: events, which it would select, are not fetched yet. */
    request.filter.from = request.filter.to = (struct time_bound){0};
    request.filter.hours = (struct day_hours){0};
    done = workspace_select(&temp, &request, &selection, error) &&
           set_plan_ids(&selection, all_actions, part, error);
    selection_close(&selection);
    temp_schema_free(&temp);
    return done;
}

static bool has_only(const struct catalog_trace *trace, int64_t events) {
    return trace->last_event - trace->first_event < events;
}

/* Returns whether to fetch all events of a short trace: the only restriction is a time range, and
 * that excludes less than a quarter of the trace's time. Finding the range would take longer. */
static bool comes_whole(const struct catalog_trace *trace, const struct database_part *part) {
    const double length = (double)trace->last_time - (double)trace->first_time,
                 before = (double)part->from - (double)trace->first_time,
                 after = (double)trace->last_time - (double)part->to;

    return (part->from != INT64_MIN || part->to != INT64_MAX) && has_only(trace, MOST_LEFT_IN) &&
           part->operations.ids == NULL && part->actors.ids == NULL && part->objects.ids == NULL &&
           part->classes_out == 0 && part->values == NULL &&
           (before > 0 ? before : 0) + (after > 0 ? after : 0) < length / 4;
}

/* Sets `part` to the events of a trace that the query needs; for spans, to all events, since calls
 * need their callers. */
static bool find_part(struct workspace *workspace, const struct filter *filter,
                      const struct choice *choice, struct database_part *part,
                      struct error *error) {
    struct window window;
    bool all_actions;

    if (has_only(choice->trace, DATABASE_FEW_EVENTS) || choice->trace->kind == TRACE_SPANS ||
        !fetch_plan_takes_part(choice->query, &all_actions)) {
        return true;
    }
    part->some = true;
    part->classes_out = filter->words_out[FILTER_CLASSES];
    if (!window_times(choice->trace, filter, &window, error)) {
        return false;
    }
    part->from = window.from;
    part->to = window.to;
    /* The query counts the part inside the window of calls that began before it. So all calls up to
     * the window's end are fetched, since the filter might exclude the events by whose times the
     * window's first id is found. */
    if (choice->trace->kind != TRACE_IO && filter_clips_calls(filter) &&
        query_counts_call_parts(choice->query)) {
        part->from = INT64_MIN;
        part->classes_out = 0;
    } else if (!fetch_plan_find_ids(workspace, filter, choice, all_actions, part, error)) {
        return false;
    } else if (filter_by_value(filter)) {
        struct text values = {0};

        filter_append_values(filter, choice->trace, "duration", &values);
        part->values = values.bytes;
    }
    part->some = part->from <= part->to && !comes_whole(choice->trace, part);
    return true;
}

/* Sets `*parts`, which pushdown_free() frees, for each of the `count` ids in `traces`: the events
 * that the filter and queries of the request read. The first ids are those of the choices (traces
 * of the report), in the same order. Of all other traces, everything is read. Fails if a time or an
 * action is invalid. */
static bool pushdown_find(struct workspace *workspace, const struct report_request *request,
                          const struct choice *choices, size_t choice_count, const int64_t *traces,
                          size_t count, struct database_part **parts, struct error *error) {
    const struct catalog_trace **chosen = xcalloc(choice_count + 1, sizeof(const void *));
    struct abbreviations abbreviations = {0};
    size_t place = 0;
    bool done;

    *parts = xcalloc(count + 1, sizeof **parts);
    for (size_t i = 0; i < choice_count; i++) {
        chosen[i] = choices[i].trace;
    }
    done = abbreviations_make(&abbreviations, workspace->database, chosen, choice_count,
                              &request->filter, error);
    for (size_t i = 0; done && i < count; i++) {
        (*parts)[i] =
            (struct database_part){.from = INT64_MIN, .to = INT64_MAX, .action = EVENT_NONE};
        while (place < choice_count && choices[place].trace->id != traces[i]) {
            place++;
        }
        done = place == choice_count ||
               find_part(workspace, &abbreviations.filter, &choices[place], &(*parts)[i], error);
    }
    /* An unknown name in the filter is the same error as in reports that fetch everything. */
    done = done || (match_check_names_exist(workspace->database, chosen, choice_count,
                                            &abbreviations.filter, error) &&
                    false);
    abbreviations_free(&abbreviations);
    free(chosen);
    return done;
}

static void pushdown_free(struct database_part *parts, size_t count) {
    for (size_t i = 0; parts != NULL && i < count; i++) {
        free((void *)parts[i].operations.ids);
        free((void *)parts[i].actors.ids);
        free((void *)parts[i].objects.ids);
        free(parts[i].values);
    }
    free(parts);
}

/* The report for which data is fetched. All pointers are borrowed. */
struct plan_request {
    struct workspace *workspace;
    const struct report_request *request;
    const struct choice *choices;
    size_t count;
};

/* The data to fetch from a store. */
struct fetch_plan {
    /* Owned; ids of traces without duplicates, at first those of the choices (traces to report). */
    int64_t *traces;
    bool *has; /* owned; by index in the catalog: true if the trace's id is in `traces` */
    size_t count;
    struct text tables; /* names of tables to fetch, like database_wanted.tables */
    bool all_tables;    /* true: fetch all optional tables, whatever `tables` lists */
    bool events;        /* true: fetch the events of all traces in `traces` */
    bool add_up;      /* true: the store may return sums of rollups (stored counts) of `actions` */
    int64_t *actions; /* owned; for each trace, the counted action (database_wanted.actions) */
};

static void plan_begin(struct fetch_plan *wanted, const struct plan_request *by) {
    size_t count = by->workspace->catalog.count + 1;

    wanted->traces = xcalloc(count, sizeof *wanted->traces);
    wanted->has = xcalloc(count, sizeof *wanted->has);
}

static void plan_free(struct fetch_plan *wanted) {
    free(wanted->traces);
    free(wanted->has);
    free(wanted->actions);
    text_free(&wanted->tables);
}

/* Adds a trace of the catalog to the plan, if the plan lacks it. */
static void want_trace(struct fetch_plan *wanted, const struct plan_request *by,
                       const struct catalog_trace *trace) {
    bool *has = &wanted->has[trace - by->workspace->catalog.traces];

    if (!*has) {
        *has = true;
        wanted->traces[wanted->count++] = trace->id;
    }
}

/* Adds the traces that the options --mark and --against name. */
static void want_named(struct fetch_plan *wanted, const struct plan_request *by) {
    static const char *const options[] = {"mark", "against"};
    struct error ignored;

    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        const struct report_option *option = request_option(by->request, options[i]);
        const struct catalog_trace *trace =
            option == NULL ? NULL
                           : catalog_choose_kind(&by->workspace->catalog, option->value,
                                                 by->choices[0].query->kinds, &ignored);

        if (trace != NULL) {
            want_trace(wanted, by, trace);
            wanted->all_tables = true;
        }
    }
}

/* If the query reads all traces of a study, adds the traces of all studies of the chosen traces. */
static void want_studies(struct fetch_plan *wanted, const struct plan_request *by) {
    const struct catalog *catalog = &by->workspace->catalog;
    const char **studies = xcalloc(by->count, sizeof *studies);
    size_t count = 0;

    for (size_t i = 0; i < by->count; i++) {
        const struct choice *choice = &by->choices[i];

        if (choice->trace->study[0] != '\0' && reads_studies(choice->query)) {
            studies[count++] = choice->trace->study;
        }
    }
    qsort(studies, count, sizeof *studies, compare_strings);
    for (size_t i = 0; count > 0 && i < catalog->count; i++) {
        const char *study = catalog->traces[i].study;

        if (bsearch(&study, studies, count, sizeof *studies, compare_strings) != NULL) {
            want_trace(wanted, by, &catalog->traces[i]);
        }
    }
    wanted->events |= count > 0;
    wanted->all_tables |= count > 0;
    free(studies);
}

/* Returns whether the store may return sums of I/O rollups, as all traces go into one result. */
static bool may_add_up(const struct fetch_plan *wanted, const struct plan_request *by) {
    const struct choice *first = &by->choices[0];

    return by->request->alone && wanted->count > 1 && wanted->count == by->count &&
           !wanted->all_tables && !wanted->events && first->trace->kind == TRACE_IO &&
           !first->query->all_actions &&
           !choices_have_many_results(by->request, by->choices, by->count);
}

/* Sets the counted action of each trace; loads the names first. If all actions of a trace are
 * counted, the store must not return sums. */
static bool fetch_plan_find_actions(struct fetch_plan *wanted, const struct plan_request *by,
                                    struct error *error) {
    const struct database_wanted names = {
        .traces = wanted->traces, .count = wanted->count, .tables = ""};
    struct database *database = by->workspace->database;
    struct notes ignored = {0};
    bool done = database_fetch(database, &names, error);

    wanted->actions = xcalloc(wanted->count, sizeof *wanted->actions);
    wanted->add_up = done;
    for (size_t i = 0; done && i < by->count; i++) {
        done = counted_action_find(database, by->choices[i].trace, by->request->filter.action,
                                   &wanted->actions[i], &ignored, error);
        wanted->add_up &= wanted->actions[i] != EVENT_NONE;
    }
    notes_free(&ignored);
    return done;
}

/* --- fetching the data ------------------------------------------------------------------------ */

/* Fetches the data of `now`, but of events only those that the report reads. Only used if no other
 * report runs, since that might read other events. */
static bool fetch_parts(struct database_wanted *now, const struct plan_request *by,
                        struct error *error) {
    const struct database_wanted names = {
        .traces = now->traces, .count = now->count, .tables = "object"};
    struct database *database = by->workspace->database;
    struct database_part *parts = NULL;
    bool done = database_fetch(database, &names, error) &&
                pushdown_find(by->workspace, by->request, by->choices, by->count, now->traces,
                              now->count, &parts, error);

    now->parts = parts;
    done = done && database_fetch(database, now, error);
    pushdown_free(parts, now->count);
    return done;
}

static bool fetch_now(struct fetch_plan *wanted, const struct plan_request *by,
                      struct error *error) {
    struct database_wanted now = {
        .traces = wanted->traces,
        .count = wanted->count,
        .events = wanted->events,
        .actions = wanted->add_up ? wanted->actions : NULL,
    };

    if (wanted->events) {
        text_append_string(&wanted->tables, "object ");
    }
    now.tables = wanted->all_tables ? NULL : text_string(&wanted->tables);
    return wanted->events && by->request->alone
               ? fetch_parts(&now, by, error)
               : database_fetch(by->workspace->database, &now, error);
}

/* Sets `*open` to whether the trace has calls that are open at the end of its log. */
static bool has_open_calls(struct database *database, int64_t trace, bool *open,
                           struct error *error) {
    int64_t count;
    bool done = database_query_integer(database,
                                       "SELECT count(*) FROM main.rollup_depth WHERE trace = ?1"
                                       " AND span_flag(marks, 'open')",
                                       trace, 0, &count, error);

    *open = done && count > 0;
    return done;
}

/* Adds the chosen traces with calls open at the end, if their query reads such calls. */
static bool want_open_calls(struct fetch_plan *events, const struct plan_request *by,
                            struct error *error) {
    bool done = true;

    for (size_t i = 0; done && i < by->count; i++) {
        const struct choice *choice = &by->choices[i];
        bool is_open = false;

        done = choice->trace->kind != TRACE_SPANS || !reads_open_calls(choice->query) ||
               has_open_calls(by->workspace->database, choice->trace->id, &is_open, error);
        if (is_open) {
            want_trace(events, by, choice->trace);
        }
    }
    return done;
}

/* Returns whether a choice (trace with its query) is in the same result as one of `results`. */
static bool is_of_result(const struct plan_request *by, const struct choice *const *results,
                         size_t count, const struct choice *choice) {
    size_t i = 0;

    while (i < count && !choices_are_merged(by->request, results[i], choice)) {
        i++;
    }
    return i < count;
}

/* Adds the traces whose events are needed: all traces of a result if one of them needs events. */
static void want_events(struct fetch_plan *events, const struct plan_request *by) {
    const struct choice **results = xcalloc(by->count + 1, sizeof(const struct choice *));
    size_t count = 0;

    for (size_t i = 0; i < by->count; i++) {
        const struct choice *choice = &by->choices[i];

        if (prepare_needs_events(choice->query, by->request, choice->trace)) {
            want_trace(events, by, choice->trace);
            if (!by->request->by_trace && !is_of_result(by, results, count, choice)) {
                results[count++] = choice;
            }
        }
    }
    for (size_t i = 0; count > 0 && i < by->count; i++) {
        if (is_of_result(by, results, count, &by->choices[i])) {
            want_trace(events, by, by->choices[i].trace);
        }
    }
    if (events->count > 0) {
        want_named(events, by);
    }
    free(results);
}

/* Fetches the events of the planned traces and of traces with calls open at the end. The rollups
 * (stored counts), which were fetched before, show which traces have such calls. */
static bool fetch_plan_fetch_events(struct fetch_plan *events, const struct fetch_plan *wanted,
                                    const struct plan_request *by, struct error *error) {
    bool done = want_open_calls(events, by, error);

    if (done && events->count > 0) {
        events->events = true;
        events->all_tables = wanted->all_tables;
        text_append(&events->tables, text_string(&wanted->tables), wanted->tables.length);
        done = fetch_now(events, by, error);
    }
    return done;
}

/* Fetches `wanted` for all traces, and afterwards `events` for those that need events. */
static bool fetch_with_events(struct fetch_plan *wanted, struct fetch_plan *events,
                              const struct plan_request *by, struct error *error) {
    if (!wanted->events) {
        want_events(events, by);
    }
    if (wanted->events || events->count == wanted->count) {
        wanted->events = true;
        return fetch_now(wanted, by, error);
    }
    return (events->count > 0 || !may_add_up(wanted, by) ||
            fetch_plan_find_actions(wanted, by, error)) &&
           fetch_now(wanted, by, error) && fetch_plan_fetch_events(events, wanted, by, error);
}

static bool plan_fetch(struct fetch_plan *wanted, const struct plan_request *by,
                       struct error *error) {
    struct fetch_plan events = {0};
    bool done;

    for (size_t i = 0; i < by->count; i++) {
        const struct choice *choice = &by->choices[i];

        want_trace(wanted, by, choice->trace);
        if (i == 0 || choice->query != by->choices[i - 1].query) {
            wanted->all_tables |= choice->query->is_own;
            fetch_plan_append_tables(choice->query, &wanted->tables);
        }
    }
    want_named(wanted, by);
    want_studies(wanted, by);
    plan_begin(&events, by);
    done = fetch_with_events(wanted, &events, by, error);
    plan_free(&events);
    return done;
}

/* Makes the names of the chosen traces unique if several have the same name. */
static bool make_trace_names_unique(const struct plan_request *by, struct error *error) {
    const struct catalog_trace **traces = xcalloc(by->count + 1, sizeof(const void *));
    bool done;

    for (size_t i = 0; i < by->count; i++) {
        traces[i] = by->choices[i].trace;
    }
    done = catalog_make_names_unique(&by->workspace->catalog, by->workspace->database, traces,
                                     by->count, error);
    free(traces);
    return done;
}

bool fetch_plan_run(struct workspace *workspace, const struct report_request *request,
                    const struct choice *choices, size_t count, struct error *error) {
    const struct plan_request by = {workspace, request, choices, count};
    struct fetch_plan wanted = {0};
    bool done;

    if (workspace->database->source == NULL) {
        return true;
    }
    plan_begin(&wanted, &by);
    done = make_trace_names_unique(&by, error) && plan_fetch(&wanted, &by, error);
    plan_free(&wanted);
    return done;
}
