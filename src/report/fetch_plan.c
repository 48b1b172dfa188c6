#include "report/fetch_plan.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/prepare.h"
#include "select/counted_action.h"
#include "select/expansion.h"
#include "select/match.h"
#include "select/window.h"

/* --- pushdown: which events a report reads, so that no more are fetched -------------------------
 */

/* Ids that a statement lists; with more of them this program filters. A trace of so few events is
 * fetched whole where a time leaves out little: to ask for its ends takes longer. */
enum { MOST_IDS = 1000, MOST_LEFT_IN = 10000 };

/* Reads the ids of a table that match_select() made; none at all where they are too many. */
static bool read_ids(const struct selection *selection, const char *sql, struct database_ids *ids,
                     struct error *error) {
    sqlite3_stmt *select = scratch_prepare(selection->scratch, sql, error);
    int64_t *read = xcalloc(MOST_IDS + 1, sizeof *read);
    bool row = true, done = select != NULL;
    size_t count = 0;

    while (done && row && count <= MOST_IDS) {
        done = database_step(selection->database, select, &row, error);
        if (done && row) {
            read[count++] = sqlite3_column_int64(select, 0);
        }
    }
    sqlite3_finalize(select);
    if (!done || count > MOST_IDS) {
        free(read);
        return done;
    }
    *ids = (struct database_ids){read, count};
    return true;
}

/* What the filter has named, and the action that is counted. */
static bool take_ids(const struct selection *selection, bool all_actions,
                     struct database_part *part, struct error *error) {
    const struct filter *filter = &selection->filter;

    if (!all_actions && selection->traces[0].action > 0) {
        part->action = selection->traces[0].action;
    }
    return (!filter_by_operation(filter) ||
            read_ids(selection, "SELECT id FROM temp.selected_operation", &part->operations,
                     error)) &&
           (!filter_by_actor(filter) ||
            read_ids(selection, "SELECT id FROM temp.selected_actor", &part->actors, error)) &&
           /* A call may be chosen by what it copied from, too. */
           (!filter_by_object(filter) || selection->traces[0].trace->kind == TRACE_CALLS ||
            read_ids(selection, "SELECT id FROM temp.selected_object", &part->objects, error));
}

/* Finds them in the names of the trace, as a selection of it does. */
static bool find_ids(struct workspace *workspace, const struct filter *filter,
                     const struct choice *choice, bool all_actions, struct database_part *part,
                     struct error *error) {
    struct selection_request request = {
        .traces = &choice->trace,
        .count = 1,
        .filter = *filter,
        .all_actions = choice->query->all_actions,
    };
    struct selection selection = {0};
    struct scratch scratch = {0};
    bool done;

    request.filter.from = request.filter.to = (struct time_bound){0}; /* of events */
    request.filter.hours = (struct day_hours){0};
    done = workspace_scratch(workspace, &scratch, error) &&
           workspace_select(workspace, &scratch, &request, &selection, error) &&
           take_ids(&selection, all_actions, part, error);
    workspace_deselect(workspace, &selection);
    workspace_end_scratch(workspace, &scratch);
    return done;
}

/* Whether the trace has no more than so many events. */
static bool has_only(const struct catalog_trace *trace, int64_t events) {
    return trace->last_event - trace->first_event < events;
}

/* Whether bounds of time are all that was chosen by, and these leave out less than a quarter of the
 * time that a short trace takes. */
static bool comes_whole(const struct catalog_trace *trace, const struct database_part *part) {
    const double length = (double)trace->last_time - (double)trace->first_time,
                 before = (double)part->from - (double)trace->first_time,
                 behind = (double)trace->last_time - (double)part->to;

    return (part->from != INT64_MIN || part->to != INT64_MAX) && has_only(trace, MOST_LEFT_IN) &&
           part->operations.ids == NULL && part->actors.ids == NULL && part->objects.ids == NULL &&
           part->classes_out == 0 && part->values == NULL &&
           (before > 0 ? before : 0) + (behind > 0 ? behind : 0) < length / 4;
}

/* Calls are looked at with those that they are made by, and in which they end. */
static bool find_part(struct workspace *workspace, const struct filter *filter,
                      const struct choice *choice, struct database_part *part,
                      struct error *error) {
    struct window window;
    bool all_actions;

    if (has_only(choice->trace, DATABASE_FEW_EVENTS) || choice->trace->kind == TRACE_SPANS ||
        !prepare_takes_part(choice->query, &all_actions)) {
        return true;
    }
    part->some = true;
    part->classes_out = filter->classes_out;
    if (!window_times(choice->trace, filter, &window, error)) {
        return false;
    }
    part->from = window.from;
    part->to = window.to;
    /* Calls that began before the window have parts in it. All of them come: those that something
     * chooses would not show where the window begins. */
    if (choice->trace->kind != TRACE_IO && filter_cuts_calls(filter) &&
        prepare_counts_parts(choice->query)) {
        part->from = INT64_MIN;
        part->classes_out = 0;
    } else if (!find_ids(workspace, filter, choice, all_actions, part, error)) {
        return false;
    } else if (filter_by_value(filter)) {
        struct text values = {0};

        filter_append_values(filter, choice->trace, "duration", &values);
        part->values = values.bytes;
    }
    part->some = part->from <= part->to && !comes_whole(choice->trace, part);
    return true;
}

/* Sets `*parts`, to be freed by pushdown_free(), to what the filter of the request and the query of
 * each choice read of the traces `traces`, `count` ids, among which those of the choices have the
 * order of these. Traces that no choice is of are read as a whole. False where a time or an action
 * makes no sense for a trace. */
static bool pushdown_find(struct workspace *workspace, const struct report_request *request,
                          const struct choice *choices, size_t choice_count, const int64_t *traces,
                          size_t count, struct database_part **parts, struct error *error) {
    const struct catalog_trace **chosen = xcalloc(choice_count + 1, sizeof(const void *));
    struct expansion expansion = {0};
    size_t place = 0;
    bool done;

    *parts = xcalloc(count + 1, sizeof **parts);
    for (size_t i = 0; i < choice_count; i++) {
        chosen[i] = choices[i].trace;
    }
    done = expansion_make(&expansion, workspace->database, chosen, choice_count, &request->filter,
                          error);
    for (size_t i = 0; done && i < count; i++) {
        (*parts)[i] =
            (struct database_part){.from = INT64_MIN, .to = INT64_MAX, .action = EVENT_NONE};
        while (place < choice_count && choices[place].trace->id != traces[i]) {
            place++;
        }
        done = place == choice_count ||
               find_part(workspace, &expansion.filter, &choices[place], &(*parts)[i], error);
    }
    /* Of two mistakes the report would say first that a name is none of its traces'. */
    done =
        done ||
        (match_check(workspace->database, chosen, choice_count, &expansion.filter, error) && false);
    expansion_free(&expansion);
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

/* --- the plan -----------------------------------------------------------------------------------
 */

/* Whose report it is. All is borrowed. */
struct plan_request {
    struct workspace *workspace;
    const struct report_request *request;
    const struct choice *choices;
    size_t count;
};

/* What has to be fetched from a store. */
struct fetch_plan {
    int64_t *traces; /* owned; ids, each once: those of the choices first, in their order */
    bool *has;       /* owned; of each trace of the catalog whether it is among them */
    size_t count;
    struct text tables; /* of database_wanted */
    bool all_tables;    /* whatever `tables` says */
    bool events;        /* of each of them */
    bool add_up;        /* the store may, by `actions` */
    int64_t *actions;   /* owned; of database_wanted */
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

/* The trace is one of the catalog's. */
static void want_trace(struct fetch_plan *wanted, const struct plan_request *by,
                       const struct catalog_trace *trace) {
    bool *has = &wanted->has[trace - by->workspace->catalog.traces];

    if (!*has) {
        *has = true;
        wanted->traces[wanted->count++] = trace->id;
    }
}

/* --- other traces than those chosen --------------------------------------------------------------
 */

/* Those that options name. */
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

static int compare_studies(const void *left, const void *right) {
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* Those of the studies of chosen ones, where the query reads these. */
static void want_studies(struct fetch_plan *wanted, const struct plan_request *by) {
    const struct catalog *catalog = &by->workspace->catalog;
    const char **studies = xcalloc(by->count, sizeof *studies);
    size_t count = 0;

    for (size_t i = 0; i < by->count; i++) {
        const struct choice *choice = &by->choices[i];

        if (choice->trace->study[0] != '\0' && prepare_reads_studies(choice->query)) {
            studies[count++] = choice->trace->study;
        }
    }
    qsort(studies, count, sizeof *studies, compare_studies);
    for (size_t i = 0; count > 0 && i < catalog->count; i++) {
        const char *study = catalog->traces[i].study;

        if (bsearch(&study, studies, count, sizeof *studies, compare_studies) != NULL) {
            want_trace(wanted, by, &catalog->traces[i]);
        }
    }
    wanted->events |= count > 0;
    wanted->all_tables |= count > 0;
    free(studies);
}

/* --- sums of the store ------------------------------------------------------------------------ */

/* Whether the store may add up rollups of I/Os, since what is made of them is one result over
 * several traces. */
static bool may_add_up(const struct fetch_plan *wanted, const struct plan_request *by) {
    const struct choice *first = &by->choices[0];

    return by->request->alone && wanted->count > 1 && wanted->count == by->count &&
           !wanted->all_tables && !wanted->events && first->trace->kind == TRACE_IO &&
           !first->query->all_actions && !choices_are_many(by->request, by->choices, by->count);
}

/* The actions that are counted; before, names have to be there. Where every event of a trace
 * counts, none are added up. */
static bool find_actions(struct fetch_plan *wanted, const struct plan_request *by,
                         struct error *error) {
    const struct database_wanted names = {
        .traces = wanted->traces, .count = wanted->count, .tables = ""};
    struct database *database = by->workspace->database;
    struct remarks ignored = {0};
    bool done = database_fetch(database, &names, error);

    wanted->actions = xcalloc(wanted->count, sizeof *wanted->actions);
    wanted->add_up = done;
    for (size_t i = 0; done && i < by->count; i++) {
        done = counted_action_find(database, by->choices[i].trace, by->request->filter.action,
                                   &wanted->actions[i], &ignored, error);
        wanted->add_up &= wanted->actions[i] != EVENT_NONE;
    }
    remarks_free(&ignored);
    return done;
}

/* --- fetching --------------------------------------------------------------------------------- */

/* Fetches what `now` says, and of the events what the report looks at. That is for a report that is
 * alone: another one may look at others while it is read. */
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

/* Whether calls of the trace were open at the end of its log. */
static bool has_open_calls(struct database *database, int64_t trace, bool *open,
                           struct error *error) {
    int64_t count;
    bool done = database_integer(database,
                                 "SELECT count(*) FROM main.rollup_depth WHERE trace = ?1"
                                 " AND span_flag(marks, 'open')",
                                 trace, 0, &count, error);

    *open = done && count > 0;
    return done;
}

/* Adds those chosen whose calls were open at the end, if its query reads these. */
static bool want_open_calls(struct fetch_plan *events, const struct plan_request *by,
                            struct error *error) {
    bool done = true;

    for (size_t i = 0; done && i < by->count; i++) {
        const struct choice *choice = &by->choices[i];
        bool is_open = false;

        done = choice->trace->kind != TRACE_SPANS || !prepare_reads_open_calls(choice->query) ||
               has_open_calls(by->workspace->database, choice->trace->id, &is_open, error);
        if (is_open) {
            want_trace(events, by, choice->trace);
        }
    }
    return done;
}

/* Whether the choice shares a result with one of these. */
static bool is_of_result(const struct plan_request *by, const struct choice *const *results,
                         size_t count, const struct choice *choice) {
    size_t i = 0;

    while (i < count && !choices_of_one_result(by->request, results[i], choice)) {
        i++;
    }
    return i < count;
}

/* Adds those whose events are looked at. A result looks at those of all of its traces, or of none;
 * another result of the same report, of traces of another kind, may do without. */
static void want_events(struct fetch_plan *events, const struct plan_request *by) {
    const struct choice **results = xcalloc(by->count + 1, sizeof(const struct choice *));
    size_t count = 0;

    for (size_t i = 0; i < by->count; i++) {
        const struct choice *choice = &by->choices[i];

        if (prepare_needs_events(choice->query, by->request, &choice->trace, 1)) {
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

/* Fetches the events of these, and of those with open calls: which they are is known when the
 * rollups are there. */
static bool fetch_events(struct fetch_plan *events, const struct fetch_plan *wanted,
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

/* Fetches what is wanted of all, and `events`, which are wanted of some. */
static bool fetch_with_events(struct fetch_plan *wanted, struct fetch_plan *events,
                              const struct plan_request *by, struct error *error) {
    if (!wanted->events) {
        want_events(events, by);
    }
    if (wanted->events || events->count == wanted->count) {
        wanted->events = true;
        return fetch_now(wanted, by, error);
    }
    return (events->count > 0 || !may_add_up(wanted, by) || find_actions(wanted, by, error)) &&
           fetch_now(wanted, by, error) && fetch_events(events, wanted, by, error);
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
            prepare_append_tables(choice->query, &wanted->tables);
        }
    }
    want_named(wanted, by);
    want_studies(wanted, by);
    plan_begin(&events, by);
    done = fetch_with_events(wanted, &events, by, error);
    plan_free(&events);
    return done;
}

/* Traces of one name are told apart where they are chosen together. */
static bool tell_apart(const struct plan_request *by, struct error *error) {
    const struct catalog_trace **traces = xcalloc(by->count + 1, sizeof(const void *));
    bool done;

    for (size_t i = 0; i < by->count; i++) {
        traces[i] = by->choices[i].trace;
    }
    done = catalog_tell_apart(&by->workspace->catalog, by->workspace->database, traces, by->count,
                              error);
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
    done = tell_apart(&by, error) && plan_fetch(&wanted, &by, error);
    plan_free(&wanted);
    return done;
}
