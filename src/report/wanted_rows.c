#include "report/wanted_rows.h"

#include <stdlib.h>
#include <string.h>

#include "report/prepare.h"
#include "report/wanted_part.h"
#include "select/counted_action.h"
#include "base/memory.h"

/* Whose report it is. All is borrowed. */
struct wanting {
    struct workspace *workspace;
    const struct report_request *request;
    const struct choice *choices;
    size_t count;
};

/* What a database that is the shadow of a store has to be given. */
struct wanted_rows {
    int64_t *traces; /* owned; ids, each once: those of the choices first, in their order */
    bool *has;       /* owned; of each trace of the catalog whether it is among them */
    size_t count;
    struct text tables; /* of database_wanted */
    bool all_tables;    /* whatever `tables` says */
    bool events;        /* of each of them */
    bool add_up;        /* the store may, by `actions` */
    int64_t *actions;   /* owned; of database_wanted */
};

static bool begin_wanted(struct wanted_rows *wanted, const struct wanting *by,
                         struct error *error) {
    size_t count = by->workspace->catalog.count + 1;

    wanted->traces = xcalloc(count, sizeof *wanted->traces);
    wanted->has = xcalloc(count, sizeof *wanted->has);
    return (wanted->traces != NULL && wanted->has != NULL) || error_no_memory(error);
}

static void free_wanted(struct wanted_rows *wanted) {
    free(wanted->traces);
    free(wanted->has);
    free(wanted->actions);
    text_free(&wanted->tables);
}

/* The trace is one of the catalog's. */
static void want_trace(struct wanted_rows *wanted, const struct wanting *by,
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
static void want_named(struct wanted_rows *wanted, const struct wanting *by) {
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
static bool want_studies(struct wanted_rows *wanted, const struct wanting *by,
                         struct error *error) {
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
    return true;
}

/* --- sums of the store ------------------------------------------------------------------------ */

/* Whether the store may add up rollups of I/Os, since what is made of them is one result over
 * several traces. */
static bool may_add_up(const struct wanted_rows *wanted, const struct wanting *by) {
    const struct choice *first = &by->choices[0];

    return by->request->alone && wanted->count > 1 && wanted->count == by->count &&
           !wanted->all_tables && !wanted->events && first->trace->kind == TRACE_IO &&
           !first->query->all_actions && !choices_are_many(by->request, by->choices, by->count);
}

/* The actions that are counted; before, names have to be there. Where every event of a trace
 * counts, none are added up. */
static bool find_actions(struct wanted_rows *wanted, const struct wanting *by,
                         struct error *error) {
    const struct database_wanted names = {
        .traces = wanted->traces, .count = wanted->count, .tables = ""};
    struct database *database = by->workspace->database;
    struct remarks ignored = {0};
    bool done = database_fetch(database, &names, error);

    wanted->actions = xcalloc(wanted->count, sizeof *wanted->actions);
    done = done && (wanted->actions != NULL || error_no_memory(error));
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
static bool fetch_parts(struct database_wanted *now, const struct wanting *by,
                        struct error *error) {
    const struct database_wanted names = {
        .traces = now->traces, .count = now->count, .tables = "object"};
    struct database *database = by->workspace->database;
    struct database_part *parts = NULL;
    bool done = database_fetch(database, &names, error) &&
                wanted_parts_find(by->workspace, by->request, by->choices, by->count, now->traces,
                                  now->count, &parts, error);

    now->parts = parts;
    done = done && database_fetch(database, now, error);
    wanted_parts_free(parts, now->count);
    return done;
}

static bool fetch_now(struct wanted_rows *wanted, const struct wanting *by, struct error *error) {
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
static bool want_open_calls(struct wanted_rows *events, const struct wanting *by,
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
static bool is_of_result(const struct wanting *by, const struct choice *const *results,
                         size_t count, const struct choice *choice) {
    size_t i = 0;

    while (i < count && !choices_of_one_result(by->request, results[i], choice)) {
        i++;
    }
    return i < count;
}

/* Adds those whose events are looked at. A result looks at those of all of its traces, or of none;
 * another result of the same report, of traces of another kind, may do without. */
static bool want_events(struct wanted_rows *events, const struct wanting *by, struct error *error) {
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
    return true;
}

/* Fetches the events of these, and of those with open calls: which they are is known when the
 * rollups are there. */
static bool fetch_events(struct wanted_rows *events, const struct wanted_rows *wanted,
                         const struct wanting *by, struct error *error) {
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
static bool fetch_with_events(struct wanted_rows *wanted, struct wanted_rows *events,
                              const struct wanting *by, struct error *error) {
    if (!wanted->events && !want_events(events, by, error)) {
        return false;
    }
    if (wanted->events || events->count == wanted->count) {
        wanted->events = true;
        return fetch_now(wanted, by, error);
    }
    return (events->count > 0 || !may_add_up(wanted, by) || find_actions(wanted, by, error)) &&
           fetch_now(wanted, by, error) && fetch_events(events, wanted, by, error);
}

static bool fetch_wanted(struct wanted_rows *wanted, const struct wanting *by,
                         struct error *error) {
    struct wanted_rows events = {0};
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
    done = want_studies(wanted, by, error) && begin_wanted(&events, by, error) &&
           fetch_with_events(wanted, &events, by, error);
    free_wanted(&events);
    return done;
}

/* Traces of one name are told apart where they are chosen together. */
static bool tell_apart(const struct wanting *by, struct error *error) {
    const struct catalog_trace **traces = xcalloc(by->count + 1, sizeof(const void *));
    bool done = traces != NULL || error_no_memory(error);

    for (size_t i = 0; done && i < by->count; i++) {
        traces[i] = by->choices[i].trace;
    }
    done = done && catalog_tell_apart(&by->workspace->catalog, by->workspace->database, traces,
                                      by->count, error);
    free(traces);
    return done;
}

bool wanted_rows_fetch(struct workspace *workspace, const struct report_request *request,
                       const struct choice *choices, size_t count, struct error *error) {
    const struct wanting by = {workspace, request, choices, count};
    struct wanted_rows wanted = {0};
    bool done;

    if (workspace->database->source == NULL) {
        return true;
    }
    done = tell_apart(&by, error) && begin_wanted(&wanted, &by, error) &&
           fetch_wanted(&wanted, &by, error);
    free_wanted(&wanted);
    return done;
}
