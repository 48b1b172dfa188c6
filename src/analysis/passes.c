#include "analysis/passes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/saturate.h"
#include "base/words.h"
#include "model/tally.h"
#include "scan/event_scan.h"
#include "select/counted_action.h"
#include "base/memory.h"

/* A running analysis, with one state per thread. */
struct job {
    const struct analysis *analysis;
    struct analysis_context *contexts; /* owned; one context and one state per thread */
    void *states[EVENT_SCAN_THREADS];
    size_t count;            /* number of contexts, equal to the number of states */
    enum analysis_pass pass; /* kind of pass in which the analysis gets its events */
    bool more;               /* true: the analysis needs another pass */
};

/* All running analyses, in the order of the list. */
struct work {
    const struct passes *passes;
    struct job *jobs; /* owned */
    size_t count;
};

void requested_analysis_set_defaults(struct requested_analysis *wanted) {
    struct error never;

    for (size_t i = 0; i < ANALYSIS_PARAMETERS; i++) {
        parameter_read(&wanted->analysis->parameters[i], NULL, &wanted->values[i], &never);
    }
}

bool passes_register(struct database *database, struct error *error) {
    for (size_t i = 0; analyses[i] != NULL; i++) {
        if (analyses[i]->functions != NULL && !analyses[i]->functions(database, error)) {
            return false;
        }
    }
    return true;
}

/* --- answering from rollups: counts stored by the import -------------------------------------- */

static bool has_rollup(const struct analysis *analysis, const struct catalog_trace *trace) {
    return word_in(trace->rollups, analysis->rollup);
}

/* Returns whether all selected traces have the analysis' rollup (counts stored by the import). Adds
 * a note for each trace whose rollup was dropped. */
static bool rollups_answer(const struct analysis *analysis, struct selection *selection) {
    bool answer = true;

    for (size_t i = 0; i < selection->count; i++) {
        const struct catalog_trace *trace = selection->traces[i].trace;
        char cause[96] = "another program changed the trace; `tracetool check --repair` makes it";

        if (has_rollup(analysis, trace)) {
            continue;
        }
        answer = false;
        if (trace->rollups[0] != '\0') {
            snprintf(cause, sizeof cause, "it grew beyond %d rows", TALLY_ROWS);
        }
        if (analysis->rollup_title != NULL) {
            notes_append(
                &selection->notes,
                "trace %s has no stored sums (rollup) by %s (%s): the report read all events",
                trace->name, analysis->rollup_title, cause);
        }
    }
    return answer;
}

/* Sets `*open` to whether a selected trace has calls that were open at the end of its log. */
static bool have_open_calls(const struct selection *selection, bool *open, struct error *error) {
    int64_t some;
    bool done =
        database_query_integer(selection->database,
                               "SELECT 1 FROM temp.selection AS s CROSS JOIN main.open_call AS o"
                               " ON o.event BETWEEN s.first_event AND s.last_event LIMIT 1",
                               0, 0, &some, error);

    *open = some != 0;
    return done;
}

/* Creates a view that computes the table of an analysis from rollups. Rows of open calls are
 * included only if there are any: else SQLite reads the rollup in order without sorting. */
static bool make_view(const struct analysis *analysis, const struct selection *selection,
                      struct error *error) {
    bool second = selection->times == CALL_TIMES_SECOND;
    const char *rows = second && analysis->rollup_rows_beside != NULL ? analysis->rollup_rows_beside
                                                                      : analysis->rollup_rows;
    const char *open = second ? analysis->rollup_open_beside : analysis->rollup_open;
    struct text sql = {0};
    bool some = false, done;

    if (open != NULL && !selection->leave_open && !have_open_calls(selection, &some, error)) {
        return false;
    }
    text_append_string(&sql, rows);
    if (open != NULL && selection->count == 1) {
        /* Tells SQLite that there is only one trace, so the rollup's rows are in order. Worth the
         * compile time only for function traces, whose rollups have many rows. */
        text_append_string(&sql, " AND s.trace = (SELECT trace FROM temp.selection)");
    }
    if (some) {
        text_append_format(&sql, " UNION ALL %s", open);
    }
    done = temp_schema_view(selection->temp, analysis->tables[0].name, text_string(&sql), error);
    text_free(&sql);
    return done;
}

/* If rollups (counts stored by the import) can give the result of an analysis, creates its view and
 * sets `*answered`. */
static bool answer_from_rollups(const struct passes *passes,
                                const struct requested_analysis *wanted, bool *answered,
                                struct error *error) {
    const struct analysis *analysis = wanted->analysis;
    struct selection *selection = passes->selection;

    *answered = false;
    if (analysis->rollup_rows == NULL || passes->rollups == ROLLUPS_NEVER ||
        wanted->filtered_only || filter_can_exclude(&selection->filter) ||
        (selection->times == CALL_TIMES_CORRECTED && analysis->rollup_rows_beside != NULL)) {
        return true;
    }
    *answered = rollups_answer(analysis, selection);
    return !*answered || make_view(analysis, selection, error);
}

static bool have_rollup(const struct analysis *analysis, const struct catalog_trace *const *traces,
                        size_t count) {
    size_t i = 0;

    while (i < count && has_rollup(analysis, traces[i])) {
        i++;
    }
    return i == count;
}

bool passes_need_events(const struct requested_analysis *wanted, size_t count,
                        const struct catalog_trace *const *traces, size_t trace_count, bool narrows,
                        bool corrected) {
    for (size_t i = 0; i < count; i++) {
        const struct analysis *analysis = wanted[i].analysis;

        if (analysis->pass == PASS_NONE || (wanted[i].filtered_only && !narrows)) {
            continue;
        }
        /* If there are rollups, events are not needed now. If an analysis needs them nevertheless,
         * they are fetched from the store later. */
        if (narrows || wanted[i].filtered_only || analysis->rollup == NULL ||
            !have_rollup(analysis, traces, trace_count) ||
            (corrected && analysis->rollup_rows_beside != NULL)) {
            return true;
        }
    }
    return false;
}

/* --- starting and ending an analysis ---------------------------------------------------------- */

static bool passes_make_tables(const struct analysis *analysis, struct temp_schema *temp,
                               struct error *error) {
    bool done = true;

    for (size_t i = 0; done && i < ANALYSIS_TABLES && analysis->tables[i].name != NULL; i++) {
        const struct analysis_table *table = &analysis->tables[i];
        struct text definition = {0};

        text_append_format(&definition, "(%s)", table->columns);
        done = temp_schema_table(temp, table->name, text_string(&definition), error);
        text_free(&definition);
    }
    return done;
}

/* Creates the indexes of an analysis' tables. This is faster after the rows are written. */
static bool make_indexes(const struct analysis *analysis, struct temp_schema *temp,
                         struct error *error) {
    for (size_t i = 0; i < ANALYSIS_TABLES && analysis->tables[i].name != NULL; i++) {
        const struct analysis_table *table = &analysis->tables[i];

        if (table->index != NULL && !temp_schema_index(temp, table->name, table->index, error)) {
            return false;
        }
    }
    return true;
}

/* Returns the kind of pass for an analysis. An analysis that counts copies by the file read, too,
 * needs a separate pass: in other passes, copies are selected only by the file written. */
static enum analysis_pass pass_kind_of_analysis(const struct analysis *analysis,
                                                const struct selection *selection) {
    if ((analysis->fields & EVENT_SOURCE) == 0 || !filter_by_object(&selection->filter) ||
        selection->traces[0].trace->kind != TRACE_CALLS) {
        return analysis->pass;
    }
    return analysis->pass == PASS_ANY_ORDER ? PASS_ANY_ORDER_SOURCES : PASS_IN_ORDER_SOURCES;
}

/* Returns whether no function of the analysis has set its error; else copies the error. */
static bool passes_is_sound(const struct job *job, struct error *error) {
    for (size_t i = 0; i < job->count; i++) {
        if (analysis_failed(&job->contexts[i])) {
            *error = job->contexts[i].error;
            return false;
        }
    }
    return true;
}

static int count_columns(const char *columns) {
    int count = 1;

    while ((columns = strchr(columns, ',')) != NULL) {
        columns++;
        count++;
    }
    return count;
}

static void set_context(const struct passes *passes, const struct requested_analysis *wanted,
                        const struct job *job, struct analysis_context *context) {
    const struct analysis *analysis = wanted->analysis;

    *context = (struct analysis_context){
        .analysis = analysis,
        .selection = passes->selection,
        .temp = passes->selection->temp,
        .database = passes->selection->database,
        .config = passes->config,
        .values = wanted->values,
        .top = passes->top,
        .result_rows = passes->result_rows,
        .rows = wanted->rows,
        .bind = passes->bind,
        .binding = passes->binding,
        .shape = passes->shape,
        .states = job->count,
        .first = job->states[0],
    };
    for (size_t i = 0; i < ANALYSIS_TABLES && analysis->tables[i].name != NULL; i++) {
        context->tables[i] =
            (struct temp_rows){.temp = context->temp,
                               .table = analysis->tables[i].name,
                               .error = &context->error,
                               .columns = count_columns(analysis->tables[i].columns)};
    }
}

static bool begin_job(const struct passes *passes, const struct requested_analysis *wanted,
                      struct job *job, struct error *error) {
    const struct analysis *analysis = wanted->analysis;

    job->analysis = analysis;
    job->pass = pass_kind_of_analysis(analysis, passes->selection);
    job->more = job->pass != PASS_NONE;
    job->count = analysis->pass == PASS_ANY_ORDER ? event_scan_threads() : 1;
    job->contexts = xcalloc(job->count, sizeof *job->contexts);
    for (size_t i = 0; i < job->count; i++) {
        job->states[i] = xcalloc(1, analysis->state_size);
        set_context(passes, wanted, job, &job->contexts[i]);
        *(struct analysis_context **)job->states[i] = &job->contexts[i];
        if (analysis->begin != NULL) {
            analysis->begin(job->states[i]);
        }
    }
    return passes_is_sound(job, error);
}

static void end_job(struct job *job) {
    for (size_t i = 0; i < job->count; i++) {
        if (job->analysis->free != NULL) {
            job->analysis->free(job->states[i]);
        }
        for (size_t table = 0; table < ANALYSIS_TABLES; table++) {
            temp_rows_end(&job->contexts[i].tables[table]);
        }
        free(job->states[i]);
    }
    free(job->contexts);
}

/* Returns whether take() can replace the first pass: all traces have the rollup. */
static bool takes_rollups(const struct passes *passes, const struct requested_analysis *wanted) {
    const struct selection *selection = passes->selection;
    const struct analysis *analysis = wanted->analysis;
    size_t i = 0;

    if (analysis->take == NULL || passes->rollups == ROLLUPS_NEVER || wanted->filtered_only ||
        filter_can_exclude(&selection->filter)) {
        return false;
    }
    while (i < selection->count && has_rollup(analysis, selection->traces[i].trace)) {
        i++;
    }
    return i == selection->count;
}

static bool use_rollups_for_analysis(const struct passes *passes,
                                     const struct requested_analysis *wanted, struct job *job,
                                     struct error *error) {
    const struct analysis *analysis = wanted->analysis;

    if (takes_rollups(passes, wanted) && analysis->take(job->states[0])) {
        job->more = analysis->again != NULL && analysis->again(job->states[0]);
    }
    return passes_is_sound(job, error);
}

/* Fails if the request allows rollups only, but the analysis still needs a pass over events. */
static bool check_rollups(const struct passes *passes, const struct job *job, struct error *error) {
    return passes->rollups != ROLLUPS_ONLY || !job->more ||
           error_set(error, "stored sums (rollups) do not contain what '%s' counts",
                     job->analysis->name);
}

/* If the error says that the events are missing, appends to it which reports need no events.
 * Returns false. */
static bool suggest_instead(const struct analysis *analysis, struct error *error) {
    const struct error said = *error;

    return error->absent && analysis->taken_alone != NULL
               ? error_set_absent(error, "%s; %s", said.message, analysis->taken_alone)
               : false;
}

/* For traces in a store: fetches the events if an analysis with rollups also needs them. */
static bool passes_fetch_events(const struct work *work, struct error *error) {
    const struct selection *selection = work->passes->selection;
    struct database_wanted wanted = {.count = selection->count, .tables = "object", .events = true};
    const struct analysis *analysis = NULL;
    int64_t *traces;
    bool done;

    for (size_t i = 0; i < work->count && analysis == NULL; i++) {
        const struct job *job = &work->jobs[i];

        analysis = job->more && job->analysis->take != NULL ? job->analysis : NULL;
    }
    if (analysis == NULL) {
        return true;
    }
    traces = xcalloc(selection->count, sizeof *traces);
    for (size_t i = 0; i < selection->count; i++) {
        traces[i] = selection->traces[i].trace->id;
    }
    wanted.traces = traces;
    done = database_fetch(selection->database, &wanted, error);
    free(traces);
    return done || suggest_instead(analysis, error);
}

/* --- passes over the events ------------------------------------------------------------------- */

/* The work of one thread in a pass: either all jobs with PASS_ANY_ORDER, for the events that this
 * thread gets, or one job with PASS_IN_ORDER, for all events. */
struct pass_part {
    const struct work *work;
    enum analysis_pass pass;
    size_t first, end; /* range of jobs, `end` excluded */
    size_t thread;
    bool met; /* true: the analyses got events */
};

/* Returns the kind of pass whose analyses also run in `pass`, so that columns are decoded only
 * once: a pass in order of time also runs those that accept any order. */
static enum analysis_pass passes_included(enum analysis_pass pass) {
    return pass == PASS_IN_ORDER           ? PASS_ANY_ORDER
           : pass == PASS_IN_ORDER_SOURCES ? PASS_ANY_ORDER_SOURCES
                                           : PASS_NONE;
}

static bool passes_takes_part(const struct job *job, enum analysis_pass pass) {
    return job->more && (job->pass == pass || job->pass == passes_included(pass));
}

/* Passes events to the analyses, with durations by the clock that --clock selects. */
static bool passes_visit(void *context, const struct event_columns *given, size_t count,
                         struct error *error) {
    struct pass_part *part = context;
    struct event_columns columns = *given;

    part->met = true;
    if (selection_times(part->work->passes->selection) != NULL) {
        columns.duration = columns.cpu_duration;
        columns.self = columns.cpu_self;
    }
    for (size_t i = part->first; i < part->end; i++) {
        const struct job *job = &part->work->jobs[i];
        const struct analysis *analysis = job->analysis;

        if (!passes_takes_part(job, part->pass)) {
            continue;
        }
        analysis->visit(job->states[part->thread], analysis->both_clocks ? given : &columns, count);
        if (analysis_failed(&job->contexts[part->thread])) {
            *error = job->contexts[part->thread].error;
            return false;
        }
    }
    return true;
}

static unsigned passes_fields_of(const struct work *work, enum analysis_pass pass) {
    unsigned fields = 0;

    for (size_t i = 0; i < work->count; i++) {
        fields |= passes_takes_part(&work->jobs[i], pass) ? work->jobs[i].analysis->fields : 0;
    }
    return fields;
}

/* Divides the work of a pass, as an array that the caller frees: one element for each job in order
 * and, if there are jobs in any order, one for each thread. */
static struct pass_part *split_pass(const struct work *work, enum analysis_pass pass,
                                    size_t *in_order, size_t *count) {
    const size_t threads = event_scan_threads();
    struct pass_part *parts = xcalloc(threads + work->count, sizeof *parts);
    bool any = false;

    *count = 0;
    for (size_t i = 0; i < work->count; i++) {
        const struct job *job = &work->jobs[i];

        if (job->more && job->pass == pass) {
            parts[(*count)++] = (struct pass_part){work, pass, .first = i, .end = i + 1};
        }
        any |= job->more && job->pass == passes_included(pass);
    }
    *in_order = *count;
    for (size_t i = 0; any && i < threads; i++) {
        parts[(*count)++] =
            (struct pass_part){work, passes_included(pass), .end = work->count, .thread = i};
    }
    return parts;
}

static bool scan_events(const struct work *work, enum analysis_pass pass,
                        const struct selected_trace *trace, struct error *error) {
    struct selection *selection = work->passes->selection;
    size_t count, in_order;
    struct pass_part *parts = split_pass(work, pass, &in_order, &count);
    void **contexts = xcalloc(count, sizeof *contexts);
    struct event_scan scan;
    bool done;

    for (size_t i = 0; i < count; i++) {
        contexts[i] = &parts[i];
    }
    event_scan_init(&scan, selection, trace);
    if (pass == PASS_ALL_ACTIONS && selection->filter.action == NULL &&
        trace->action != ACTION_NOTHING) {
        scan.action = EVENT_NONE;
    }
    scan.fields = passes_fields_of(work, pass);
    /* is_counted_operation() needs the operation in traces of thread states */
    scan.fields |= trace->trace->kind == TRACE_STATES ? EVENT_OPERATION : 0;
    if (selection_times(selection) != NULL && (scan.fields & (EVENT_DURATION | EVENT_SELF))) {
        scan.fields |= EVENT_CPU;
    }
    scan.visit = passes_visit;
    done = event_scan_in_parallel(&scan, contexts, in_order, contexts + in_order, count - in_order,
                                  error);
    for (size_t i = 0; i < count; i++) {
        selection->met_events |= parts[i].met;
    }
    free(contexts);
    free(parts);
    return done;
}

/* Walks over the calls of a trace; several times, if there are more than SPAN_VISITS analyses. */
static bool walk_calls(const struct work *work, const struct selected_trace *trace,
                       struct error *error) {
    struct span_visit visits[SPAN_VISITS];
    size_t count = 0;
    bool done = true;

    for (size_t i = 0; done && i < work->count; i++) {
        const struct job *job = &work->jobs[i];

        if (passes_takes_part(job, PASS_CALLS)) {
            visits[count++] = (struct span_visit){job->analysis->calls, job->states[0]};
        }
        if (count == SPAN_VISITS || (count > 0 && i == work->count - 1)) {
            done = span_walk(work->passes->selection, trace, false,
                             passes_fields_of(work, PASS_CALLS), visits, count, error);
            count = 0;
        }
    }
    for (size_t i = 0; i < work->count; i++) {
        done = passes_is_sound(&work->jobs[i], error) && done;
    }
    return done;
}

/* Begins a trace in all states. Gives the first state the calls that the window cuts. */
static bool passes_begin_trace(const struct job *job, const struct selected_trace *trace,
                               struct error *error) {
    const struct analysis *analysis = job->analysis;

    for (size_t i = 0; i < job->count; i++) {
        job->contexts[i].trace = trace;
        if (analysis->begin_trace != NULL) {
            analysis->begin_trace(job->states[i]);
        }
    }
    for (size_t i = 0; analysis->edge != NULL && trace->edges != NULL && i < trace->edges->count;
         i++) {
        if (trace->edges->edges[i].chosen && passes_is_sound(job, error)) {
            analysis->edge(job->states[0], &trace->edges->edges[i]);
        }
    }
    return passes_is_sound(job, error);
}

static bool passes_end_trace(const struct job *job, struct error *error) {
    for (size_t i = 1; i < job->count; i++) {
        job->analysis->merge(job->states[0], job->states[i]);
    }
    if (job->analysis->end_trace != NULL && passes_is_sound(job, error)) {
        job->analysis->end_trace(job->states[0]);
    }
    return passes_is_sound(job, error);
}

static bool passes_pass_over(const struct work *work, enum analysis_pass pass,
                             const struct selected_trace *trace, struct error *error) {
    bool done = true;

    for (size_t i = 0; done && i < work->count; i++) {
        done = !passes_takes_part(&work->jobs[i], pass) ||
               passes_begin_trace(&work->jobs[i], trace, error);
    }
    done = done && (pass == PASS_CALLS ? walk_calls(work, trace, error)
                                       : scan_events(work, pass, trace, error));
    for (size_t i = 0; done && i < work->count; i++) {
        done = !passes_takes_part(&work->jobs[i], pass) || passes_end_trace(&work->jobs[i], error);
    }
    return done;
}

/* Runs passes of one kind over all traces until no analysis needs another pass. */
static bool run_pass(struct work *work, enum analysis_pass pass, struct error *error) {
    const struct selection *selection = work->passes->selection;
    bool any = false;

    for (size_t i = 0; i < work->count; i++) {
        any |= passes_takes_part(&work->jobs[i], pass);
    }
    while (any) {
        for (size_t i = 0; i < selection->count; i++) {
            if (!passes_pass_over(work, pass, &selection->traces[i], error)) {
                return false;
            }
        }
        any = false;
        for (size_t i = 0; i < work->count; i++) {
            struct job *job = &work->jobs[i];

            if (!passes_takes_part(job, pass)) {
                continue;
            }
            job->more = job->analysis->again != NULL && job->analysis->again(job->states[0]);
            any |= job->more;
            if (!passes_is_sound(job, error)) {
                return false;
            }
        }
    }
    return true;
}

/* --- setting up the requested analyses -------------------------------------------------------- */

static const struct requested_analysis *find_wanted(const struct requested_analysis *wanted,
                                                    size_t count, const struct analysis *analysis) {
    for (size_t i = 0; i < count; i++) {
        if (wanted[i].analysis == analysis) {
            return &wanted[i];
        }
    }
    return NULL;
}

/* Creates a job for each requested analysis, in the order of list.c. */
static bool passes_set_up(struct work *work, const struct requested_analysis *wanted, size_t count,
                          struct error *error) {
    const struct passes *passes = work->passes;

    for (size_t i = 0; analyses[i] != NULL; i++) {
        const struct requested_analysis *one = find_wanted(wanted, count, analyses[i]);
        struct job *job;
        bool answered = true;

        if (one == NULL) {
            continue;
        }
        if (!answer_from_rollups(passes, one, &answered, error) ||
            (!answered && !passes_make_tables(one->analysis, passes->selection->temp, error))) {
            return false;
        }
        if (answered || (one->filtered_only && !filter_can_exclude(&passes->selection->filter))) {
            continue;
        }
        job = &work->jobs[work->count++];
        if (!begin_job(passes, one, job, error) ||
            !use_rollups_for_analysis(passes, one, job, error) ||
            !check_rollups(passes, job, error)) {
            return false;
        }
    }
    return true;
}

/* --- calls that the time window cuts ---------------------------------------------------------- */

/* Writes to temp.open_cut by how much the window changes the self time of calls that were still
 * open at the end of the log. */
static bool cut_open_calls(const struct selection *selection, struct error *error) {
    struct temp_rows rows = {
        .temp = selection->temp, .table = "open_cut", .error = error, .columns = 1};
    int64_t self = 0;

    for (size_t i = 0; i < selection->count; i++) {
        const struct window_edges *edges = selection->traces[i].edges;

        for (size_t j = 0; j < edges->count; j++) {
            const struct window_edge *edge = &edges->edges[j];
            const struct edge_times *inside = &edge->inside[EDGE_CHOSEN];

            if (edge->chosen && (edge->flags & SPAN_OPEN) && inside->self != EVENT_NONE) {
                add_saturated(&self,
                              inside->self - (edge->earlier ? 0 : edge->whole[EDGE_CHOSEN].self));
            }
        }
    }
    if (self == 0 || !selection->has_open_cut) {
        return true;
    }
    TEMP_ROW(&rows, self);
    return temp_rows_end(&rows);
}

/* Returns whether the time window may begin or end inside calls with durations. */
static bool window_cuts_calls(const struct selection *selection) {
    enum trace_kind kind = selection->traces[0].trace->kind;
    bool durations = kind == TRACE_SPANS || kind == TRACE_STATES;

    if (!filter_clips_calls(&selection->filter)) {
        return false;
    }
    for (size_t i = 0; !durations && i < selection->count; i++) {
        durations = selection->traces[i].trace->kind == TRACE_CALLS &&
                    catalog_meaning(selection->traces[i].trace, "duration", "call") != NULL;
    }
    return durations;
}

/* Finds the calls that the window cuts, if an analysis needs them, and adds a note about them. */
static bool cut_calls(const struct work *work, struct error *error) {
    struct selection *selection = work->passes->selection;
    const char *events = trace_kind_counts(selection->traces[0].trace->kind);
    bool parts = false, whole = false;

    for (size_t i = 0; i < work->count; i++) {
        parts |= !work->passes->begun && work->jobs[i].analysis->window == WINDOW_PARTS;
        whole |= work->jobs[i].analysis->window == WINDOW_WHOLE;
    }
    if (!window_cuts_calls(selection) || (!parts && !whole)) {
        return true;
    }
    notes_append(&selection->notes,
                 parts ? "total times, self times, shares and depths count the parts of %s between "
                         "--from and --to, even if the %s began earlier; other columns count %s "
                         "that began there (--whole-calls: all columns do)"
                       : "durations are of whole %s that began between --from and --to",
                 events, events, events);
    return !parts || (window_edges_find(selection, error) && cut_open_calls(selection, error));
}

static bool write_results(const struct work *work, struct error *error) {
    for (size_t i = 0; i < work->count; i++) {
        const struct job *job = &work->jobs[i];

        if (job->analysis->write != NULL) {
            sqlite3_mutex *lock = database_lock(work->passes->selection->temp->database);

            job->analysis->write(job->states[0]);
            sqlite3_mutex_leave(lock);
        }
        if (!passes_is_sound(job, error) ||
            !make_indexes(job->analysis, work->passes->selection->temp, error)) {
            return false;
        }
    }
    return true;
}

/* Fails if the selected hours are of several days and an analysis relates successive events: the
 * last event of a day and the first of the next would count as neighbours. */
static bool check_days(const struct work *work, struct error *error) {
    for (size_t i = 0; work->passes->selection->several_days && i < work->count; i++) {
        const struct analysis *analysis = work->jobs[i].analysis;

        if (!analysis->apart && analysis->pass != PASS_NONE && analysis->pass != PASS_ANY_ORDER &&
            analysis->pass != PASS_ANY_ORDER_SOURCES) {
            return error_set(error, "this report needs consecutive events, which the same hours of "
                                    "several days are not: give --from and --to with a date");
        }
    }
    return true;
}

bool passes_run(const struct passes *passes, const struct requested_analysis *wanted, size_t count,
                struct error *error) {
    struct work work = {.passes = passes, .jobs = xcalloc(count + 1, sizeof *work.jobs)};
    bool done = passes_set_up(&work, wanted, count, error) && check_days(&work, error) &&
                passes_fetch_events(&work, error) && cut_calls(&work, error) &&
                run_pass(&work, PASS_IN_ORDER, error) &&
                run_pass(&work, PASS_IN_ORDER_SOURCES, error) &&
                run_pass(&work, PASS_ALL_ACTIONS, error) && run_pass(&work, PASS_CALLS, error) &&
                write_results(&work, error);

    for (size_t i = 0; i < work.count; i++) {
        end_job(&work.jobs[i]);
    }
    /* A call that overlaps the window counts as a selected event, even if it began before the
     * window. */
    for (size_t i = 0; i < passes->selection->count; i++) {
        struct window_edges *edges = passes->selection->traces[i].edges;

        for (size_t j = 0; edges != NULL && j < edges->count; j++) {
            passes->selection->met_events |= edges->edges[j].chosen;
        }
        window_edges_free(edges);
        passes->selection->traces[i].edges = NULL;
    }
    free(work.jobs);
    return done;
}
