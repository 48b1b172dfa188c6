#include "select/selection.h"

#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "model/partition.h"
#include "model/tally.h"
#include "select/counted_action.h"
#include "select/match.h"
#include "select/window.h"

/* --- the traces --------------------------------------------------------------------------------
 */

static int64_t hour_of(const struct catalog_trace *trace, int64_t time) {
    struct tally_context context = {
        .kind = trace->kind,
        .hour_origin = tally_hour_origin(trace->start, trace->utc_offset),
    };

    return tally_hour(&context, time);
}

static bool event_time(struct database *database, int64_t event, int64_t otherwise, int64_t *time,
                       struct error *error) {
    return database_integer(database, "SELECT time FROM event WHERE id = ?1", event, otherwise,
                            time, error);
}

static bool select_trace(struct selection *selection, const struct selection_request *request,
                         struct selected_trace *selected, struct error *error) {
    const struct filter *filter = &selection->filter;

    selected->action = EVENT_NONE;
    return window_find(selection->database, selected->trace, &filter->from, &filter->to,
                       &selected->first, &selected->last, error) &&
           (selected->trace->kind != TRACE_IO || (request->all_actions && filter->action == NULL) ||
            counted_action_find(selection->database, selected->trace, filter->action,
                                &selected->action, &selection->remarks, error));
}

/* The same for SQL. */
static bool write_trace(const struct selection *selection, const struct selected_trace *selected,
                        sqlite3_stmt *insert, struct error *error) {
    const struct catalog_trace *trace = selected->trace;
    int64_t last_time;

    if (!event_time(selection->database,
                    selected->last < selected->first ? selected->first : selected->last,
                    trace->first_time, &last_time, error)) {
        return false;
    }
    sqlite3_bind_int64(insert, 1, trace->id);
    sqlite3_bind_int64(insert, 2, selected->first);
    sqlite3_bind_int64(insert, 3, selected->last);
    database_bind_optional(insert, 4, selected->action);
    sqlite3_bind_int64(insert, 5, hour_of(trace, trace->first_time));
    sqlite3_bind_int64(insert, 6, hour_of(trace, last_time));
    sqlite3_bind_int64(insert, 7, trace->start != EVENT_NONE);
    sqlite3_bind_int64(insert, 8, trace->sessions);
    sqlite3_bind_int64(insert, 9, filter_beside_time(&selection->filter));
    sqlite3_bind_int64(
        insert, 10, selected->first == trace->first_event && selected->last == trace->last_event);
    return database_execute(selection->database, insert, error);
}

static bool select_traces(struct selection *selection, const struct selection_request *request,
                          struct error *error) {
    sqlite3_stmt *insert;
    bool done = scratch_table(selection->scratch, "selection",
                              "(trace INTEGER PRIMARY KEY, first_event, last_event, action,"
                              " first_hour, last_hour, wall, sessions, filtered, whole)",
                              error);

    insert = done ? scratch_prepare(selection->scratch,
                                    "INSERT INTO temp.selection VALUES (?1, ?2, ?3, ?4, ?5, ?6,"
                                    " ?7, ?8, ?9, ?10)",
                                    error)
                  : NULL;
    done = insert != NULL;
    for (size_t i = 0; done && i < selection->count; i++) {
        selection->traces[i].trace = request->traces[i];
        done = select_trace(selection, request, &selection->traces[i], error) &&
               write_trace(selection, &selection->traces[i], insert, error);
    }
    sqlite3_finalize(insert);
    return done;
}

/* --- spans ------------------------------------------------------------------------------------ */

bool selection_check_clock(const struct catalog_trace *trace, const char *clock,
                           struct error *error) {
    return clock == NULL || word_in(trace->clocks, clock) ||
           error_set(error, "trace %s has no %s clock; it has: %s", trace->name, clock,
                     trace->clocks[0] == '\0' ? "none" : trace->clocks);
}

/* Whether --clock means the clock beside the trace's first one. */
static bool is_second_clock(const struct catalog_trace *trace, const char *clock) {
    return clock != NULL && strcmp(trace->clocks, "wall cpu") == 0 && strcmp(clock, "cpu") == 0;
}

/* Two threads of one name are told apart by their numbers. */
static const char thread_view[] =
    "SELECT id, tid, CASE WHEN name IS NULL THEN ifnull(CAST(tid AS TEXT), '')"
    " WHEN same > 1 THEN name || ' (' || tid || ')' ELSE name END AS label"
    " FROM (SELECT a.id, a.tid, a.name, count(*) OVER (PARTITION BY a.trace, a.name) AS same"
    " FROM temp.selection AS s CROSS JOIN main.actor AS a ON a.trace = s.trace)";

static const char span_remark_view[] =
    "SELECT 'still open at the end, counted without a duration: ' || sum(count) || ' calls' AS text"
    " FROM temp.tally_depth WHERE span_flag(marks, 'open') HAVING count(*)"
    " UNION ALL SELECT 'without an exit of their own, ended with their callers: '"
    " || sum(count) || ' calls' FROM temp.tally_depth"
    " WHERE span_flag(marks, 'exit missing') HAVING count(*)"
    " UNION ALL SELECT 'without an entry, not counted as calls: ' || sum(count) || ' exits'"
    " FROM temp.tally_depth WHERE span_flag(marks, 'stray exit') HAVING count(*)";

/* Over several traces, functions of one name are one. */
static bool merge_operations(struct selection *selection, struct error *error) {
    return scratch_table(selection->scratch, "merged_operation", "(id INTEGER PRIMARY KEY, merged)",
                         error) &&
           (!selection->merges_operations ||
            scratch_run(selection->scratch,
                        "INSERT INTO temp.merged_operation SELECT n.id,"
                        " min(n.id) OVER (PARTITION BY n.kind, n.text, n.code)"
                        " FROM temp.selection AS s CROSS JOIN main.name AS n ON n.trace = s.trace",
                        error));
}

static bool select_spans(struct selection *selection, struct error *error) {
    return merge_operations(selection, error) &&
           scratch_view(selection->scratch, "thread", thread_view, error) &&
           scratch_view(selection->scratch, "span_remark", span_remark_view, error) &&
           (selection->filter.under == NULL ||
            scratch_table(selection->scratch, "selected_range",
                          "(first INTEGER, last INTEGER, trace INTEGER,"
                          " PRIMARY KEY (trace, first)) WITHOUT ROWID",
                          error));
}

/* --- the events ------------------------------------------------------------------------------- */

/* The columns of an event: of the second clock, its times take the place of the first one's. */
static const char *event_columns(const struct selection *selection) {
    return selection->second_clock
               ? "e.id, e.time, c.duration, e.operation, e.actor, e.object, e.flags, e.address,"
                 " e.size, e.value, e.parent, e.depth, e.arguments, c.self"
               : "e.*";
}

/* The partition of event e, as model/partition.h finds it. */
#define PARTITION_OF_EVENT                                                                         \
    "ifnull((SELECT r.name FROM main.partition AS r WHERE r.trace = s.trace"                       \
    " AND (ifnull(r.device, -1) < 0"                                                               \
    " OR r.device = (SELECT o.device FROM main.object AS o WHERE o.id = e.object))"                \
    " AND (ifnull(r.sectors, 0) = 0 OR (e.address >= r.first_sector"                               \
    " AND e.address - r.first_sector < r.sectors))"                                                \
    " ORDER BY r.number LIMIT 1), '" PARTITION_UNMAPPED "')"

/* What refers to nothing passes where 0 does (match.h). */
static void append_conditions(const struct filter *filter, struct text *sql) {
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
    if (filter->classes_out != 0) {
        text_append_format(sql, " AND NOT (%u >> min(ifnull(e.flags, 0) & %u, %d) & 1)",
                           filter->classes_out, IO_CLASS_MASK, IO_OTHER);
    }
    match_append_passes(filter, FILTER_PARTITION, PARTITION_OF_EVENT " = p.text", sql);
}

/* The view is put together out of constant parts, so that filters that are not given cost nothing.
 */
static bool create_event_view(struct selection *selection, struct error *error) {
    const struct filter *filter = &selection->filter;
    struct text sql = {0};
    bool done;

    text_append_format(&sql,
                       "SELECT s.trace, %s FROM temp.selection AS s%s CROSS JOIN main.event AS e%s"
                       " WHERE e.id BETWEEN %s AND (s.action IS NULL OR e.operation = s.action)",
                       event_columns(selection),
                       filter->under != NULL ? " CROSS JOIN temp.selected_range AS r" : "",
                       selection->second_clock ? " LEFT JOIN main.cpu_time AS c ON c.event = e.id"
                                               : "",
                       filter->under != NULL ? "r.first AND r.last AND r.trace = s.trace"
                                             : "s.first_event AND s.last_event");
    append_conditions(filter, &sql);
    done = sql.failed
               ? error_no_memory(error)
               : scratch_view(selection->scratch, "selected_event", text_string(&sql), error);
    text_free(&sql);
    return done;
}

/* --- the whole -------------------------------------------------------------------------------- */

static int compare_traces(const void *left, const void *right) {
    const struct selected_trace *a = left, *b = right;

    return a->trace->id < b->trace->id ? -1 : a->trace->id > b->trace->id;
}

bool selection_open(struct selection *selection, struct scratch *scratch,
                    const struct selection_request *request, struct error *error) {
    const struct catalog_trace *trace = request->traces[0];

    *selection = (struct selection){
        .database = scratch->database,
        .scratch = scratch,
        .filter = request->filter,
        .traces = calloc(request->count, sizeof *selection->traces),
        .count = request->count,
        .second_clock = is_second_clock(trace, request->clock),
        .merges_operations = request->count > 1 && trace->kind == TRACE_SPANS,
        .ranges_known = request->filter.under == NULL,
        .made_before = scratch->count,
    };
    if (selection->traces == NULL) {
        return error_no_memory(error);
    }
    if (!select_traces(selection, request, error)) {
        return false;
    }
    qsort(selection->traces, selection->count, sizeof *selection->traces, compare_traces);
    return match_select(scratch, &selection->filter, error) && select_spans(selection, error) &&
           create_event_view(selection, error);
}

void selection_close(struct selection *selection) {
    if (selection->scratch != NULL) {
        scratch_drop(selection->scratch, selection->made_before);
    }
    remarks_free(&selection->remarks);
    free(selection->traces);
    *selection = (struct selection){0};
}
