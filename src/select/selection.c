#include "select/selection.h"

#include <stdlib.h>
#include <string.h>

#include "base/saturate.h"
#include "base/text.h"
#include "base/time_unit.h"
#include "base/words.h"
#include "model/partition.h"
#include "model/tally.h"
#include "select/counted_action.h"
#include "select/layer.h"
#include "select/match.h"
#include "select/window.h"
#include "store/event_rows.h"
#include "base/memory.h"

/* Devices in a log of block I/O.
 *
 * A kernel log records all devices, including stacked ones (dm, md). A sum over all devices would
 * count an I/O once on each. The log's remap events tell which requests belong to a request of a
 * device above; these requests get IO_FLAG_BELOW. The flag is only used if the trace's flags have
 * the meaning "below": then the log also has the completions on the device above. */

void selection_choose_stacked_devices(const struct catalog_trace *const *traces, size_t count,
                                      bool issued, bool all, struct filter *filter) {
    bool stacked = false, silent = false;

    if (filter->has_device) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const bool below = catalog_meaning(traces[i], "flags", "below") != NULL;

        stacked |= below;
        silent |= below && catalog_meaning(traces[i], "flags", "below issued") == NULL;
    }
    filter->devices = all || !stacked    ? DEVICES_ADDED
                      : issued && silent ? DEVICES_ISSUING
                                         : DEVICES_TOP;
}

#define STACKED_HAS(WHAT)                                                                          \
    "EXISTS (SELECT 1 FROM main.meaning AS m WHERE m.trace = s.trace AND m.\"column\" = 'flags'"   \
    " AND m.what = " WHAT ")"

/* Notes the traces whose stacked devices are excluded, since they issue no requests. */
static bool note_silent(struct temp_schema *temp, struct notes *notes, struct error *error) {
    struct database_query query =
        database_query(temp->database, error,
                       "SELECT iif((SELECT count(*) FROM temp.selection) > 1, t.name || ': ', '')"
                       " FROM temp.selection AS s CROSS JOIN main.trace AS t ON t.id = s.trace"
                       " WHERE " STACKED_HAS("'below'") " AND NOT " STACKED_HAS(
                           "'below issued'") " ORDER BY s.place",
                       "");

    while (database_next(&query)) {
        notes_append(notes,
                     "%sthe log has no issues (D) of stacked devices: those of the devices below "
                     "them are counted",
                     database_column_text(query.row, 0));
    }
    return database_end(&query);
}

/* Copies remarks of the import to the notes: on several devices (import/finish.c), on stacked
 * devices (importers/block_trace.c), and on what was assumed about formats that the configuration
 * declares. `sectors`: the report counts sectors by their numbers alone. */
static bool stacked_note(struct temp_schema *temp, const struct filter *filter, bool sectors,
                         struct notes *notes, struct error *error) {
    struct database_query query = database_query(
        temp->database, error,
        "SELECT iif((SELECT count(*) FROM temp.selection) > 1, t.name || ': ', '') || r.text"
        " || iif(r.text LIKE '% on % devices: %', '; --device chooses one', ''),"
        " r.text LIKE '% on % devices: %'"
        " FROM temp.selection AS s CROSS JOIN main.remark AS r ON r.trace = s.trace"
        " CROSS JOIN main.trace AS t ON t.id = s.trace"
        " WHERE r.text LIKE 'completions on % devices: %' OR r.text LIKE 'I/Os on % devices: %'"
        " OR r.text LIKE 'assumed: %' OR (r.text LIKE 'device % lies over %' AND " STACKED_HAS(
            "?1") ") ORDER BY s.place, r.number",
        "s", filter_lower_devices(filter));
    bool several = false;

    while (database_next(&query)) {
        several |= sqlite3_column_int(query.row, 1) != 0;
        notes_append(notes, "%s", sqlite3_column_text(query.row, 0));
    }
    if (several && sectors && !filter->has_device) {
        notes_append(notes, "equal sectors of different devices count as one");
    }
    return database_end(&query) &&
           (filter->devices != DEVICES_ISSUING || note_silent(temp, notes, error));
}

/* Returns whether the query that the selection is made for reads temp.NAME. */
static bool selection_reads(const struct selection_request *request, const char *name) {
    return request->reads == NULL || request->reads(request->reader, name);
}

/* Returns whether the query is known to count sectors by their numbers alone. */
static bool counts_sectors(const struct selection_request *request) {
    return request->reads != NULL && (request->reads(request->reader, "popular_sector") ||
                                      request->reads(request->reader, "concentration_sector"));
}

/* --- the traces of a selection ---------------------------------------------------------------- */

static int64_t selection_hour_of(const struct catalog_trace *trace, int64_t time) {
    struct tally_context context = {
        .kind = trace->kind,
        .hour_origin = catalog_hour_origin(trace),
    };

    return tally_hour(&context, time);
}

static bool select_trace(struct selection *selection, const struct selection_request *request,
                         struct selected_trace *selected, struct error *error) {
    const struct filter *filter = &selection->filter;

    selected->action = EVENT_NONE;
    if (!window_find(selection->database, selected->trace, filter, &selected->ids, error)) {
        return false;
    }
    selected->first = selected->ids.first;
    selected->last = selected->ids.last;
    selection->several_days |= selected->ids.count > 1;
    selection->several_windows |= selected->ids.several;
    return (selected->trace->kind != TRACE_IO || (request->all_actions && filter->action == NULL) ||
            counted_action_find(selection->database, selected->trace, filter->action,
                                &selected->action, &selection->notes, error));
}

static void append_time_of_day(struct text *out, int64_t nanoseconds) {
    const int64_t seconds = nanoseconds / SECOND;

    text_append_format(out, "%02d:%02d:%02d", (int)(seconds / 3600), (int)(seconds / 60 % 60),
                       (int)(seconds % 60));
    if (nanoseconds % SECOND != 0) {
        text_append_format(out, ".%09lld", (long long)(nanoseconds % SECOND));
    }
}

/* Adds a note on the selected hours of the day, and on how they affect calls. */
static void note_hours(struct selection *selection) {
    const struct day_hours *hours = &selection->filter.hours;
    const int64_t end = hours->from + hours->length;
    struct text text = {0};
    size_t most = 0;

    if (hours->length == 0) {
        return;
    }
    for (size_t i = 0; i < selection->count; i++) {
        const struct selected_trace *trace = &selection->traces[i];
        size_t days = trace->ids.count > 0 ? trace->ids.count : trace->last >= trace->first;

        most = days > most ? days : most;
    }
    append_time_of_day(&text, hours->from);
    text_append_string(&text, " to ");
    append_time_of_day(&text, end > DAY ? end - DAY : end);
    notes_append(&selection->notes,
                 "hours of the day: only %s, by the clock of the device; events on %zu day%s%s",
                 text_string(&text), most, most == 1 ? "" : "s",
                 selection->several_windows && selection->traces[0].trace->kind == TRACE_CALLS
                     ? "; calls that began in these hours count with their whole time"
                     : "");
    text_free(&text);
}

/* Appends a filter's bound with its unit. A time in ns is written in seconds. */
static void append_bound(const struct catalog_trace *trace, const char *unit, int64_t value,
                         struct text *out) {
    if (unit == NULL && catalog_has_real_clock(trace)) {
        text_append_seconds(out, value);
        text_append_string(out, " s");
    } else {
        text_append_format(out, "%lld %s", (long long)value,
                           unit == NULL ? trace->clock_unit : unit);
    }
}

/* Adds notes on the filter's limits of size and duration, and on --errors. */
static void note_values(struct selection *selection) {
    const struct filter *filter = &selection->filter;
    const struct catalog_trace *trace = selection->traces[0].trace;
    const char *events = trace_kind_counts(trace->kind);

    for (enum filter_quantity i = 0; i < FILTER_QUANTITIES; i++) {
        const char *unit = filter_quantities[i].unit;
        struct text text = {0};
        int64_t least, most;

        if (!filter_bounds(filter, i, trace, &least, &most)) {
            continue;
        }
        if (filter->ranges[i].least.given) {
            append_bound(trace, unit, least, &text);
        }
        if (filter->ranges[i].most.given) {
            text_append_string(&text, text.length > 0 ? " to " : "at most ");
            append_bound(trace, unit, most, &text);
        } else {
            text_append_string(&text, " or more");
        }
        notes_append(&selection->notes, "only %s with a %s of %s", events,
                     event_column_name(filter_quantities[i].column), text_string(&text));
        text_free(&text);
    }
    if (filter->failed) {
        notes_append(&selection->notes, "only %s that failed", events);
    }
}

/* Returns the number of events in the time window. */
static int64_t count_ids(const struct window_ids *ids) {
    int64_t count = ids->count > 0 || ids->last < ids->first ? 0 : ids->last - ids->first + 1;

    for (size_t i = 0; i < ids->count; i++) {
        count += ids->ranges[i].last - ids->ranges[i].first + 1;
    }
    return count;
}

/* Returns how much time of the trace is in the window. */
static int64_t length_inside(const struct catalog_trace *trace, const struct window *window) {
    int64_t from = window->from > trace->first_time ? window->from : trace->first_time;
    int64_t to = window->to < trace->last_time ? window->to : trace->last_time;

    return from < to ? subtract_saturated(to, from) : 0;
}

/* Adds the row of a trace to temp.selection. */
static bool write_trace(const struct selection *selection, const struct selected_trace *selected,
                        struct temp_rows *rows, struct error *error) {
    const struct catalog_trace *trace = selected->trace;
    const int64_t end = selected->last < selected->first ? selected->first : selected->last;
    struct filter given = selection->filter;
    int64_t last_time = trace->first_time;
    struct window window;
    bool whole, to_end;

    /* `end` may be the first id of the next trace; then its time is not read. */
    if (!window_times(trace, &selection->filter, &window, error) ||
        (end <= trace->last_event &&
         !database_query_integer(selection->database, "SELECT time FROM event WHERE id = ?1", end,
                                 trace->first_time, &last_time, error))) {
        return false;
    }
    given.devices = DEVICES_ALL; /* a choice of devices is none of the user's conditions */
    whole = selected->first == trace->first_event && selected->last == trace->last_event &&
            selected->ids.count < 2;
    to_end = window.to > trace->last_time;
    TEMP_ROW(rows, trace->id, selected->first, selected->last, selected->action,
             selection_hour_of(trace, trace->first_time), selection_hour_of(trace, last_time),
             trace->start != EVENT_NONE, trace->sessions,
             filter_has_conditions_besides_time(&given), whole, selected - selection->traces,
             catalog_hour_origin(trace), catalog_has_hours_of_day(trace), count_ids(&selected->ids),
             to_end, length_inside(trace, &window));
    return true;
}

static bool selection_select_traces(struct selection *selection,
                                    const struct selection_request *request, struct error *error) {
    struct temp_rows rows = {selection->temp, "selection", error, .columns = 16};
    bool done =
        temp_schema_table(selection->temp, "selection",
                          "(trace INTEGER UNIQUE, first_event, last_event, action, first_hour,"
                          " last_hour, wall, sessions, filtered, whole,"
                          " place INTEGER PRIMARY KEY, hour_origin, of_day, events, to_end,"
                          " time)",
                          error);

    for (size_t i = 0; done && i < selection->count; i++) {
        selection->traces[i].trace = request->traces[i];
        done = select_trace(selection, request, &selection->traces[i], error) &&
               write_trace(selection, &selection->traces[i], &rows, error);
    }
    return temp_rows_end(&rows) && done;
}

/* --- traces of spans, and labels -------------------------------------------------------------- */

/* Returns whether --clock selects the trace's second clock (cpu). */
static bool is_second_clock(const struct catalog_trace *trace, const char *clock) {
    return clock != NULL && catalog_both_clocks(trace) && strcmp(clock, "cpu") == 0;
}

/* Returns which times of calls to use. Uncorrected times allow rollups (stored counts), so times
 * are corrected only on request or, with CORRECT_PROBED, if a trace has probes. */
static enum call_times choose_times(const struct selection_request *request) {
    bool probes = false;

    for (size_t i = 0; i < request->count; i++) {
        probes |= request->traces[i]->probes;
    }
    return is_second_clock(request->traces[0], request->clock) ? CALL_TIMES_SECOND
           : request->correct == CORRECT_ALL || (request->correct == CORRECT_PROBED && probes)
               ? CALL_TIMES_CORRECTED
               : CALL_TIMES_FIRST;
}

const char *selection_times(const struct selection *selection) {
    return selection->times == CALL_TIMES_SECOND      ? "main.cpu_time"
           : selection->times == CALL_TIMES_CORRECTED ? "temp.corrected_time"
                                                      : NULL;
}

/* SQL: whether trace `s` has threads of several processes. */
#define SEVERAL                                                                                    \
    "(SELECT ifnull(min(b.pid) <> max(b.pid), 0) FROM main.actor AS b WHERE b.trace = s.trace)"    \
    " AS several"

/* SQL: labels of the actors `a` as threads. If `several` is true, a label includes the process. */
#define LABEL_FROM(several, tables)                                                                \
    "ifnull(thread_label(iif(a.tid IS NULL OR " several ", a.pid, NULL), a.tid, a.name), '')"      \
    " AS label FROM " tables

static const char thread_labels[] =
    "WITH part AS MATERIALIZED (SELECT trace, " SEVERAL " FROM temp.selection AS s)"
    " SELECT a.id, a.tid, " LABEL_FROM("p.several",
                                       "part AS p CROSS JOIN main.actor AS a ON a.trace = p.trace");

/* temp.thread_label: like temp.thread, but each label is made only when read; few are needed. */
static const char several_processes[] = "SELECT s.trace, " SEVERAL " FROM temp.selection AS s";
static const char thread_label_view[] = "SELECT a.id, " LABEL_FROM(
    "(SELECT p.several FROM temp.several_processes AS p WHERE p.trace = a.trace)",
    "main.actor AS a");

/* SQL: number of calls open at the end of the log that have times, and the sum of their self times.
 * `cut` is SQL that adds a number to this sum. */
#define OPEN_PART(cut)                                                                             \
    "SELECT count(e.duration) AS calls, sum_time(ifnull(e.self, e.duration))" cut " AS self,"      \
    " (SELECT t.clock_unit FROM main.trace AS t WHERE t.id = e.trace) AS unit"                     \
    " FROM temp.selection AS s"                                                                    \
    " CROSS JOIN main.open_call AS o ON o.event BETWEEN s.first_event AND s.last_event"            \
    " CROSS JOIN temp.selected_event AS e ON e.trace = s.trace AND e.id = o.event"

static const char span_remark_view[] =
    "SELECT CASE WHEN p.calls THEN 'open at the end of the log, ended there: '"
    " ELSE 'open at the end of the log, counted without a duration: ' END || counted(d.calls, "
    "'call{s}')"
    " || iif(p.calls AND p.calls < d.calls,"
    "  ', ' || (d.calls - p.calls) || ' of them without a duration', '')"
    " || iif(p.calls, ', with ' || iif(p.unit = 'ns', printf('%.9f s', p.self / 1e9), p.self)"
    "  || ' of self time (--open leave-out excludes these times)', '') AS text"
    " FROM (SELECT sum(count) AS calls FROM temp.tally_depth WHERE span_flag(marks, 'open')) AS d"
    " CROSS JOIN temp.open_part AS p WHERE d.calls > 0"
    /* If the log prints durations at exits, a call without an exit has no duration. */
    " UNION ALL SELECT 'no exit in the log, '"
    " || (SELECT CASE count(m.trace) WHEN 0 THEN 'ended with their callers: '"
    "  WHEN count(*) THEN 'counted without a duration: '"
    "  ELSE 'ended with their callers, or without a duration where the log prints durations at "
    "exits: '"
    "  END"
    "  FROM temp.selection AS s LEFT JOIN main.meaning AS m"
    "  ON m.trace = s.trace AND m.what = 'printed')"
    " || counted(sum(count), 'call{s}') FROM temp.tally_depth"
    " WHERE span_flag(marks, 'exit missing') HAVING count(*)"
    " UNION ALL SELECT 'no entry in the log, not counted as calls: ' || counted(sum(count), "
    "'exit{s}')"
    " FROM temp.tally_depth WHERE span_flag(marks, 'stray exit') HAVING count(*)";

/* Fills temp.merged_operation: functions with the same name in several traces get one id. Equal
 * names within a trace are distinguished by the function's number (name.code). Android's numbers
 * differ between runs: there the first method with a name in one trace gets the id of the first in
 * another, and so on. */
static bool merge_operations(struct selection *selection, const struct selection_request *request,
                             struct error *error) {
    /* For spans the table is always made, since C code that walks over calls merges functions. */
    if (request->traces[0]->kind != TRACE_SPANS && !selection_reads(request, "merged_operation")) {
        return true;
    }
    return temp_schema_table(selection->temp, "merged_operation",
                             "(id INTEGER PRIMARY KEY, merged)", error) &&
           (!selection->merges_operations ||
            database_run(selection->database,
                         "INSERT INTO temp.merged_operation SELECT id,"
                         " min(id) OVER (PARTITION BY kind, text, iif(kind = 'method', nth, code))"
                         " FROM (SELECT n.id, n.kind, n.text, n.code, row_number()"
                         "  OVER (PARTITION BY n.trace, n.kind, n.text ORDER BY n.code) AS nth"
                         "  FROM temp.selection AS s"
                         "  CROSS JOIN main.name AS n ON n.trace = s.trace)",
                         error));
}

/* SELECT of the process label for each actor: the label of the process's first thread. */
static const char process_of_calls[] =
    "SELECT id, ifnull(iif(pid IS NULL, name, thread_label(pid, pid, leader)), '')"
    " FROM (SELECT a.id, a.pid, a.name, first_value(a.name)"
    " OVER (PARTITION BY a.trace, a.pid " MATCH_BY_LEADER ") AS leader"
    " FROM temp.selection AS s CROSS JOIN main.actor AS a ON a.trace = s.trace)";

/* SELECT of the program name for each actor; processes with the same name are one program. */
static const char program_of_calls[] =
    "SELECT id, ifnull(leader, '')"
    " FROM (SELECT a.id, first_value(a.name)"
    " OVER (PARTITION BY a.trace, ifnull(a.pid, -a.id) " MATCH_BY_LEADER ") AS leader"
    " FROM temp.selection AS s CROSS JOIN main.actor AS a ON a.trace = s.trace)";

/* Creates a table of labels and fills it by a SELECT. */
static bool fill_labels(struct temp_schema *temp, const char *name, const char *columns,
                        const char *select, struct error *error) {
    struct text sql = {0};
    bool done = temp_schema_table(temp, name, columns, error);

    text_append_format(&sql, "INSERT INTO temp.%s %s", name, select);
    done = done && database_run(temp->database, text_string(&sql), error);
    text_free(&sql);
    return done;
}

/* Creates the labels of threads and processes. A log may have thousands, which are looked up for
 * each event or group, so they are stored in tables. */
static bool label_actors(const struct selection *selection, const struct selection_request *request,
                         struct error *error) {
    struct temp_schema *temp = selection->temp;
    bool threads = selection_reads(request, "thread"),
         processes = selection_reads(request, "process");

    if (selection_reads(request, "program") &&
        !fill_labels(temp, "program", "(id INTEGER PRIMARY KEY, label)", program_of_calls, error)) {
        return false;
    }
    if (selection_reads(request, "thread_label") &&
        (!fill_labels(temp, "several_processes", "(trace INTEGER PRIMARY KEY, several)",
                      several_processes, error) ||
         !temp_schema_view(temp, "thread_label", thread_label_view, error))) {
        return false;
    }
    if (threads && !fill_labels(temp, "thread", "(id INTEGER PRIMARY KEY, tid, label)",
                                thread_labels, error)) {
        return false;
    }
    if (request->traces[0]->kind == TRACE_CALLS || request->traces[0]->kind == TRACE_STATES) {
        return !processes || fill_labels(temp, "process", "(id INTEGER PRIMARY KEY, label)",
                                         process_of_calls, error);
    }
    return !processes || temp_schema_view(temp, "process",
                                          "SELECT a.id, a.pid AS label FROM temp.selection AS s"
                                          " CROSS JOIN main.actor AS a ON a.trace = s.trace",
                                          error);
}

/* Creates the views on calls without an entry or exit. If the time window cuts calls, also creates
 * temp.open_cut, which the code that finds the cut calls fills. */
static bool create_remark_views(struct selection *selection,
                                const struct selection_request *request, struct error *error) {
    bool remarks = selection_reads(request, "span_remark"),
         part = remarks || selection_reads(request, "open_part");

    selection->has_open_cut = part && filter_clips_calls(&selection->filter);
    return (!selection->has_open_cut ||
            temp_schema_table(selection->temp, "open_cut", "(self INTEGER)", error)) &&
           (!part ||
            temp_schema_view(selection->temp, "open_part",
                             selection->has_open_cut ? OPEN_PART(" + (SELECT ifnull(sum(self), 0)"
                                                                 " FROM temp.open_cut)")
                                                     : OPEN_PART(""),
                             error)) &&
           (!remarks || temp_schema_view(selection->temp, "span_remark", span_remark_view, error));
}

static bool select_spans(struct selection *selection, const struct selection_request *request,
                         struct error *error) {
    return merge_operations(selection, request, error) && label_actors(selection, request, error) &&
           create_remark_views(selection, request, error) &&
           (selection->times != CALL_TIMES_CORRECTED ||
            temp_schema_table(selection->temp, "corrected_time",
                              "(event INTEGER PRIMARY KEY, duration INTEGER, self INTEGER)",
                              error)) &&
           (selection->filter.under == NULL ||
            temp_schema_table(selection->temp, "selected_range",
                              "(first INTEGER, last INTEGER, trace INTEGER,"
                              " PRIMARY KEY (trace, first)) WITHOUT ROWID",
                              error));
}

/* --- the view of selected events -------------------------------------------------------------- */

/* Returns whether calls open at the end of the log have times, stored in main.open_call. */
static bool has_open_times(const struct selection *selection) {
    return selection->traces[0].trace->kind == TRACE_SPANS && !selection->leave_open;
}

#define OPEN_TIME(column, table)                                                                   \
    "CASE WHEN e.flags & %d THEN (SELECT o." column " FROM main.open_call AS o"                    \
    " WHERE o.event = e.id) ELSE " table " END"

/* Appends column `name`, duration or self: from main.open_call for open calls, from
 * selection_times() if not NULL, otherwise from event. */
static void selection_append_time(const struct selection *selection, const char *name,
                                  struct text *sql) {
    const char *table = selection_times(selection) != NULL ? "c" : "e";

    if (has_open_times(selection) && selection->times != CALL_TIMES_CORRECTED) {
        text_append_format(sql, ", " OPEN_TIME("%s%s", "%s.%s") " AS %s", SPAN_OPEN,
                           selection->times == CALL_TIMES_SECOND ? "cpu_" : "", name, table, name,
                           name);
    } else {
        text_append_format(sql, ", %s.%s", table, name);
    }
}

/* SQL for the partition of event e, following the rules of model/partition.h. */
#define PARTITION_OF_EVENT                                                                         \
    "ifnull((SELECT r.name FROM main.partition AS r WHERE r.trace = s.trace"                       \
    " AND (ifnull(r.device, -1) < 0"                                                               \
    " OR r.device = (SELECT o.device FROM main.object AS o WHERE o.id = e.object))"                \
    " AND (ifnull(r.sectors, 0) = 0 OR (e.address >= r.first_sector"                               \
    " AND e.address - r.first_sector < r.sectors))"                                                \
    " ORDER BY r.number LIMIT 1), '" PARTITION_UNMAPPED "')"

/* Returns whether conditions on size, duration and failure have the same SQL for both traces. */
static bool has_patterns(const struct catalog_trace *trace, const struct catalog_trace *other) {
    return catalog_has_real_clock(trace) == catalog_has_real_clock(other) &&
           filter_negative_means_error(trace) == filter_negative_means_error(other);
}

/* Appends conditions on size, duration and failure, once per group of traces with the same SQL. */
static void selection_append_values(const struct selection *selection, struct text *sql) {
    const size_t count = filter_by_value(&selection->filter) ? selection->count : 0;
    struct text duration = {0};
    bool *done = xcalloc(count + 1, sizeof *done);

    if (has_open_times(selection)) {
        text_append_format(&duration, OPEN_TIME("duration", "e.duration"), SPAN_OPEN);
    } else {
        text_append_string(&duration, "e.duration");
    }
    for (size_t i = 0; i < count; i++) {
        const struct catalog_trace *trace = selection->traces[i].trace;

        if (done[i]) {
            continue;
        }
        text_append_string(sql, " AND (s.trace NOT IN (");
        for (size_t j = i; j < count; j++) {
            if (has_patterns(trace, selection->traces[j].trace)) {
                text_append_format(sql, "%s%lld", j == i ? "" : ", ",
                                   (long long)selection->traces[j].trace->id);
                done[j] = true;
            }
        }
        text_append_string(sql, ") OR (1");
        filter_append_values(&selection->filter, trace, text_string(&duration), sql);
        text_append_string(sql, "))");
    }
    text_free(&duration);
    free(done);
}

/* Appends the conditions on names, codes and hours. Events without actor, object or operation pass
 * if id 0 is selected. */
static void append_conditions(const struct selection *selection, struct text *sql) {
    const struct filter *filter = &selection->filter;

    /* The range of event ids extends over all days. This condition excludes events outside the
     * selected hours of a day. */
    if (filter->hours.length > 0) {
        text_append_format(sql,
                           " AND ((e.time %% %lld + s.hour_origin %% %lld - %lld + 3 * %lld)"
                           " %% %lld) < %lld",
                           (long long)DAY, (long long)DAY, (long long)filter->hours.from,
                           (long long)DAY, (long long)DAY, (long long)filter->hours.length);
    }
    if (filter_by_operation(filter)) {
        text_append_string(
            sql, " AND ifnull(e.operation, 0) IN (SELECT id FROM temp.selected_operation)");
    }
    if (filter_by_actor(filter)) {
        text_append_string(sql, " AND ifnull(e.actor, 0) IN (SELECT id FROM temp.selected_actor)");
    }
    if (filter_by_object(filter)) {
        text_append_string(sql,
                           " AND ifnull(e.object, 0) IN (SELECT id FROM temp.selected_object)");
    }
    if (filter->words_out[FILTER_CLASSES] != 0) {
        text_append_format(sql,
                           " AND NOT (%u >> io_class_number(io_class(ifnull(e.flags, 0))) & 1)",
                           filter->words_out[FILTER_CLASSES]);
    }
    if (filter->words_out[FILTER_BLOCK_TYPES] != 0) {
        text_append_format(sql, " AND NOT (%u >> (ifnull(e.flags, 0) >> %d & %u) & 1)",
                           filter->words_out[FILTER_BLOCK_TYPES], IO_BLOCK_SHIFT, IO_BLOCK_MASK);
    }
    if (filter_lower_devices(filter)[0] != '\0') {
        text_append_format(sql,
                           " AND NOT (ifnull(e.flags, 0) & %d AND s.trace IN (SELECT m.trace"
                           " FROM main.meaning AS m WHERE m.\"column\" = 'flags'"
                           " AND m.what = '%s'))",
                           IO_FLAG_BELOW, filter_lower_devices(filter));
    }
    if (filter->evidence_out != 0) {
        text_append_format(sql, " AND NOT (%u >> (ifnull(e.flags, 0) >> %d & %u) & 1)",
                           filter->evidence_out, IO_EVIDENCE_SHIFT, IO_EVIDENCE_MASK);
    }
    selection_append_values(selection, sql);
    match_append_name_conditions(filter, FILTER_PARTITION, PARTITION_OF_EVENT " = p.text", sql);
}

/* Creates temp.selected_event. Filters not given add no condition, since conditions cost time. */
static bool create_event_view(const struct selection *selection,
                              const struct selection_request *request, struct error *error) {
    const struct filter *filter = &selection->filter;
    struct text sql = {0};
    bool done;

    /* The views temp.open_part and temp.span_remark read temp.selected_event. */
    if (!selection_reads(request, "selected_event") && !selection_reads(request, "open_part") &&
        !selection_reads(request, "span_remark")) {
        return true;
    }

    text_append_string(&sql, "SELECT s.trace, ");
    text_append_string(&sql, "e.id, e.time");
    for (unsigned place = 0; place < EVENT_PLACES; place++) {
        const char *name = event_column_name((enum event_place)place);

        if (place == EVENT_PLACE_DURATION || place == EVENT_PLACE_SELF) {
            selection_append_time(selection, name, &sql);
        } else {
            text_append_format(&sql, ", e.%s", name);
        }
    }
    text_append_format(&sql, " FROM temp.selection AS s%s CROSS JOIN main.event AS e",
                       filter->under != NULL ? " CROSS JOIN temp.selected_range AS r" : "");
    if (selection_times(selection) != NULL) {
        text_append_format(&sql, " LEFT JOIN %s AS c ON c.event = e.id",
                           selection_times(selection));
    }
    text_append_format(&sql, " WHERE e.id BETWEEN %s AND ",
                       filter->under != NULL ? "r.first AND r.last AND r.trace = s.trace"
                                             : "s.first_event AND s.last_event");
    /* First condition, so that it is tested for each event: refuses values that are no integers. */
    event_rows_append_condition(&sql);
    text_append_string(&sql, " AND (s.action IS NULL OR e.operation = s.action)");
    append_conditions(selection, &sql);
    done = temp_schema_view(selection->temp, "selected_event", text_string(&sql), error);
    text_free(&sql);
    return done;
}

/* SELECT of the parts of I/Os on several files: columns of the whole I/O and of the part. */
static const char part_columns[] =
    "SELECT s.trace, e.time, ifnull(e.operation, 0) AS action,"
    " io_class_number(io_class(e.flags)) AS class, ifnull(e.actor, 0) AS actor,"
    " coalesce(e.issuer, e.actor, 0) AS issuer, e.address, e.size, e.flags,"
    " ifnull((SELECT a.name FROM main.actor AS a WHERE a.id = e.actor), '') AS process,"
    " ifnull(e.object, 0) AS object, e.flags >> %d & %u AS block_type, e.flags & %u AS map,"
    " e.flags & %u AS origin, e.flags & %u AS letters,"
    " ifnull((SELECT o.type FROM main.object AS o WHERE o.id = e.object), '') AS file_type,"
    " " PARTITION_OF_EVENT " AS partition, e.bytes FROM temp.selection AS s";

/* Creates temp.selected_part: one row for each file of an I/O that passes the filter, with the
 * bytes on that file. The event's row counts all bytes for one of the files; the part of this file
 * therefore subtracts the other files' bytes. */
bool selection_create_part_table(struct selection *selection, struct error *error) {
    struct text sql = {0};
    bool done;

    if (selection->has_parts) {
        return true;
    }

    text_append_format(&sql, part_columns, IO_BLOCK_SHIFT, IO_BLOCK_MASK, IO_MAP_FLAGS,
                       IO_ORIGIN_FLAGS, IO_RWBS_FLAGS);
    text_append_string(
        &sql,
        " CROSS JOIN (SELECT p.event AS id, x.time, x.operation, x.actor, x.issuer, x.address,"
        " x.size, x.duration, x.value, x.error, p.object, p.flags, p.bytes - iif(p.number = 0, "
        "x.size, 0) AS bytes FROM main.io_part AS p"
        " CROSS JOIN main.event AS x ON x.id = p.event) AS e"
        " WHERE e.id BETWEEN s.first_event AND s.last_event"
        " AND (s.action IS NULL OR e.operation = s.action)");
    append_conditions(selection, &sql);
    done = temp_schema_view(selection->temp, "selected_part", text_string(&sql), error);
    text_free(&sql);
    selection->has_parts = done;
    return done;
}

/* --- opening and closing ---------------------------------------------------------------------- */

static int selection_compare_traces(const void *left, const void *right) {
    const struct selected_trace *a = left, *b = right;

    return a->trace->id < b->trace->id ? -1 : a->trace->id > b->trace->id;
}

/* If layers are excluded, adds a note on counted and excluded ones, with their numbers of calls in
 * the whole traces. Reads temp.layer. */
static bool note_layers(struct temp_schema *temp, struct notes *notes, struct error *error) {
    struct database_query query = database_query(
        temp->database, error,
        "SELECT 'calls of layer ' || ifnull(group_concat(text, ', ') FILTER (WHERE taken), 'none')"
        " || '; left out: ' || group_concat(text, ', ') FILTER (WHERE NOT taken)"
        " || '; --layer chooses'"
        " FROM (SELECT taken, kind || ifnull(' (' || sum((SELECT sum(r.count)"
        "  FROM main.rollup_operation AS r JOIN main.name AS n ON n.id = r.operation"
        "  WHERE r.trace = l.trace AND n.kind = l.kind)) || ')', '') AS text"
        "  FROM temp.layer AS l GROUP BY kind, taken ORDER BY kind)"
        " HAVING NOT min(taken)",
        "");

    if (database_next(&query)) {
        notes_append(notes, "%s", sqlite3_column_text(query.row, 0));
    }
    return database_end(&query);
}

bool selection_open(struct selection *selection, struct temp_schema *temp,
                    const struct selection_request *request, struct error *error) {
    const struct catalog_trace *trace = request->traces[0];

    *selection = (struct selection){
        .database = temp->database,
        .temp = temp,
        .filter = request->filter,
        .traces = xcalloc(request->count, sizeof *selection->traces),
        .count = request->count,
        .correct = request->correct,
        .times = choose_times(request),
        .leave_open = request->leave_open,
        .events = request->events,
        .merges_operations = request->count > 1 && trace->kind == TRACE_SPANS,
        .ranges_known = request->filter.under == NULL,
        .made_before = temp->count,
    };
    if (trace->kind != TRACE_IO) {
        selection->filter.devices = DEVICES_ALL;
    }
    if (!selection_select_traces(selection, request, error)) {
        return false;
    }
    note_hours(selection);
    note_values(selection);
    if (selection->several_windows && trace->kind == TRACE_SPANS) {
        return error_set(error, "hours of the day do not work for calls with a duration in a trace "
                                "of several days: give --from and --to with a date");
    }
    selection->filter.whole_calls |= selection->several_windows;
    qsort(selection->traces, selection->count, sizeof *selection->traces, selection_compare_traces);
    return match_make_tables(temp, &selection->filter, error) &&
           (!filter_by_layer(&selection->filter) || note_layers(temp, &selection->notes, error)) &&
           (selection->filter.devices == DEVICES_ALL ||
            stacked_note(temp, &selection->filter, counts_sectors(request), &selection->notes,
                         error)) &&
           select_spans(selection, request, error) &&
           create_event_view(selection, request, error) &&
           (trace->kind != TRACE_IO || !selection_reads(request, "selected_part") ||
            selection_create_part_table(selection, error));
}

void selection_close(struct selection *selection) {
    if (selection->temp != NULL) {
        temp_schema_drop_from(selection->temp, selection->made_before);
    }
    notes_free(&selection->notes);
    for (size_t i = 0; selection->traces != NULL && i < selection->count; i++) {
        free(selection->traces[i].ids.ranges);
    }
    free(selection->traces);
    *selection = (struct selection){0};
}
