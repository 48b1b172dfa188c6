#include "base/words.h"
#include "select/selection.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scan/event_scan.h"
#include "analysis/scan.h"
#include "select/selection_spans.h"

/* --- remarks -------------------------------------------------------------------------------- */

bool remarks_add(struct remarks *remarks, struct error *error, const char *format, ...) {
    char **lines = realloc(remarks->lines, (remarks->count + 1) * sizeof *lines);
    va_list arguments;
    int length;

    if (lines == NULL) {
        return error_no_memory(error);
    }
    remarks->lines = lines;
    va_start(arguments, format);
    length = vasprintf(&lines[remarks->count], format, arguments);
    va_end(arguments);
    if (length < 0) {
        return error_no_memory(error);
    }
    remarks->count++;
    return true;
}

void remarks_free(struct remarks *remarks) {
    for (size_t i = 0; i < remarks->count; i++) {
        free(remarks->lines[i]);
    }
    free(remarks->lines);
    *remarks = (struct remarks){0};
}

/* --- temporary tables and functions ----------------------------------------------------------- */

/* actor_label(name, code, session, sessions): what an actor is called in a report. The present
 * configuration knows better than the database. */
static void actor_label(sqlite3_context *context, int count, sqlite3_value **values) {
    const struct config *config = sqlite3_user_data(context);
    const char *name = (const char *)sqlite3_value_text(values[0]);
    int64_t session = sqlite3_value_int64(values[2]);
    struct text label = {0};

    (void)count;
    if (sqlite3_value_type(values[1]) == SQLITE_NULL) {
        sqlite3_result_value(context, values[0]);
        return;
    }
    if (config_application_name(config, session, (uint32_t)sqlite3_value_int64(values[1])) !=
        NULL) {
        name = config_application_name(config, session, (uint32_t)sqlite3_value_int64(values[1]));
    }
    if (name != NULL) {
        text_append_string(&label, name);
    } else {
        text_append_format(&label, "0x%08llx", (unsigned long long)sqlite3_value_int64(values[1]));
    }
    /* An application ID means something else after a reset. */
    if (sqlite3_value_int64(values[3]) > 1) {
        text_append_format(&label, " (session %lld)", (long long)session);
    }
    if (label.failed) {
        sqlite3_result_error_nomem(context);
    } else {
        sqlite3_result_text(context, label.bytes, (int)label.length, SQLITE_TRANSIENT);
    }
    text_free(&label);
}

/* module_of(name): the module of the configuration that a function belongs to. */
static void module_of(sqlite3_context *context, int count, sqlite3_value **values) {
    const struct config *config = sqlite3_user_data(context);
    const char *name = (const char *)sqlite3_value_text(values[0]);

    (void)count;
    if (name != NULL) {
        sqlite3_result_text(context,
                            config_module(config, name, (size_t)sqlite3_value_bytes(values[0])), -1,
                            SQLITE_TRANSIENT);
    }
}

/* probe_overhead(origin): what a call measured by a probe of that origin cost, ns. */
static void probe_overhead(sqlite3_context *context, int count, sqlite3_value **values) {
    const struct config *config = sqlite3_user_data(context);
    const char *origin = (const char *)sqlite3_value_text(values[0]);

    (void)count;
    if (origin != NULL) {
        sqlite3_result_int64(context, config_probe_overhead(config, origin));
    }
}

/* sum_time(n): the sum of times, which stops at the largest number: a damaged log may claim any
 * time, and SQLite's sum() would fail. NULL when there are none. */
struct time_sum {
    int64_t sum;
    bool any;
};

static void add_time(sqlite3_context *context, int count, sqlite3_value **values) {
    struct time_sum *state = sqlite3_aggregate_context(context, sizeof *state);

    (void)count;
    if (state == NULL) {
        sqlite3_result_error_nomem(context);
    } else if (sqlite3_value_type(values[0]) != SQLITE_NULL) {
        state->any = true;
        if (__builtin_add_overflow(state->sum, sqlite3_value_int64(values[0]), &state->sum)) {
            state->sum = INT64_MAX;
        }
    }
}

static void time_sum(sqlite3_context *context) {
    const struct time_sum *state = sqlite3_aggregate_context(context, 0);

    if (state != NULL && state->any) {
        sqlite3_result_int64(context, state->sum);
    }
}

/* bit_length(n): how many bits a number has, 0 for 0; NULL for one below. */
static void bit_length(sqlite3_context *context, int count, sqlite3_value **values) {
    int64_t number = sqlite3_value_int64(values[0]);
    int bits = 0;

    (void)count;
    if (number < 0 || sqlite3_value_type(values[0]) == SQLITE_NULL) {
        return;
    }
    for (; number != 0; number >>= 1) {
        bits++;
    }
    sqlite3_result_int(context, bits);
}

bool selection_open(struct database *database, const struct config *config, struct error *error) {
    /* The function only reads the configuration. */
    void *context = (void *)(uintptr_t)config;

    const struct {
        const char *name;
        int parameters;
        void (*function)(sqlite3_context *, int, sqlite3_value **);
    } functions[] = {
        {"actor_label", 4, actor_label},
        {"bit_length", 1, bit_length},
        {"module_of", 1, module_of},
        {"probe_overhead", 1, probe_overhead},
    };

    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        if (sqlite3_create_function_v2(database->handle, functions[i].name, functions[i].parameters,
                                       SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
                                       context, functions[i].function, NULL, NULL,
                                       NULL) != SQLITE_OK) {
            return database_failed(database, error);
        }
    }
    if (sqlite3_create_function_v2(database->handle, "sum_time", 1,
                                   SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, NULL,
                                   NULL, add_time, time_sum, NULL) != SQLITE_OK) {
        return database_failed(database, error);
    }
    return scan_register(database, error) && spans_open(database, error) &&
           database_run(
               database,
               "CREATE TEMP TABLE selection (trace INTEGER PRIMARY KEY, first_event,"
               " last_event, action, first_hour, last_hour, wall, sessions, filtered, whole);"
               "CREATE TEMP TABLE selected_operation (id INTEGER PRIMARY KEY);"
               "CREATE TEMP TABLE selected_actor (id INTEGER PRIMARY KEY);"
               "CREATE TEMP TABLE selected_object (id INTEGER PRIMARY KEY);"
               "CREATE TEMP TABLE under_operation (id INTEGER PRIMARY KEY);"
               "CREATE TEMP TABLE merged_operation (id INTEGER PRIMARY KEY, merged);"
               "CREATE TEMP TABLE tally_hotspot (trace INTEGER, resolution TEXT,"
               " level INTEGER, id INTEGER, actor INTEGER, calls INTEGER,"
               " measured INTEGER, corrected INTEGER);"
               "CREATE TEMP TABLE hotspot_base (resolution TEXT, measured INTEGER);"
               "CREATE TEMP TABLE reference (name TEXT, time INTEGER);"
               "CREATE TEMP TABLE selected_range (first, last, trace,"
               " PRIMARY KEY (trace, first)) WITHOUT ROWID;"
               "CREATE TEMP TABLE configured_operation (code INTEGER PRIMARY KEY)",
               error);
}

/* --- the time window -------------------------------------------------------------------------- */

/* The first event of the trace that is not before `time`; last_event + 1 when all are. Ids ascend
 * in order of time. */
static bool first_not_before(struct database *database, const struct catalog_trace *trace,
                             int64_t time, int64_t *id, struct error *error) {
    int64_t low = trace->first_event, high = trace->last_event + 1;

    while (low < high) {
        int64_t middle = low + (high - low) / 2, at;

        if (!database_integer(database, "SELECT time FROM event WHERE id = ?1", middle, INT64_MAX,
                              &at, error)) {
            return false;
        }
        if (at < time) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    *id = low;
    return true;
}

/* A bound as time of the trace. */
static bool bound_time(const struct catalog_trace *trace, const struct time_bound *bound,
                       int64_t *time, struct error *error) {
    int64_t offset = trace->utc_offset == EVENT_NONE ? 0 : trace->utc_offset;

    *time = bound->time;
    if (!catalog_real_clock(trace)) {
        *time = bound->plain;
        return bound->plain >= 0 ||
               error_set(error,
                         "trace %s counts in %s: give --from and --to as whole numbers of these",
                         trace->name, trace->clock_unit);
    }
    if (bound->kind == TIME_SINCE_START) {
        return true;
    }
    if (trace->start == EVENT_NONE) {
        return error_set(error,
                         "trace %s has no wall clock: give times since its start (90, 90.5s, 10m), "
                         "or import it with --start",
                         trace->name);
    }
    *time -= trace->start;
    if (bound->kind == TIME_WALL_CLOCK_LOCAL) {
        *time -= offset * INT64_C(60000000000);
    }
    return true;
}

static bool narrow(struct database *database, const struct catalog_trace *trace,
                   const struct selection_filter *filter, int64_t *first, int64_t *last,
                   struct error *error) {
    int64_t time, behind;

    *first = trace->first_event;
    *last = trace->last_event;
    if (filter->from.kind != TIME_NOT_GIVEN &&
        (!bound_time(trace, &filter->from, &time, error) ||
         !first_not_before(database, trace, time, first, error))) {
        return false;
    }
    if (filter->to.kind != TIME_NOT_GIVEN) {
        if (!bound_time(trace, &filter->to, &time, error) ||
            !first_not_before(database, trace, time, &behind, error)) {
            return false;
        }
        *last = behind - 1;
    }
    return true;
}

/* --- the counted action of block I/O -----------------------------------------------------------
 */

/* An action that no event has. */
#define NO_ACTION 0

static bool find_action(struct database *database, int64_t trace, const char *letters,
                        int64_t *action, struct error *error) {
    sqlite3_stmt *find = database_prepare(
        database, "SELECT id FROM name WHERE trace = ?1 AND kind = 'action' AND text = ?2", error);
    bool row, done;

    *action = EVENT_NONE;
    if (find == NULL) {
        return false;
    }
    sqlite3_bind_int64(find, 1, trace);
    sqlite3_bind_text(find, 2, letters, -1, SQLITE_STATIC);
    done = database_step(database, find, &row, error);
    if (done && row) {
        *action = sqlite3_column_int64(find, 0);
    }
    sqlite3_finalize(find);
    return done;
}

/* A trace without any stage that is known: every action counts; what is no action (the deletions of
 * a life-span log) does not. */
static bool count_other_events(struct database *database, const struct catalog_trace *trace,
                               int64_t *action, struct remarks *remarks, struct error *error) {
    int64_t actions;

    if (!database_integer(database,
                          "SELECT count(*) FROM name WHERE trace = ?1 AND kind = 'action'",
                          trace->id, 0, &actions, error)) {
        return false;
    }
    if (actions > 0) {
        *action = EVENT_NONE;
        return remarks_add(remarks, error, "trace %s: has no known action: every event is counted",
                           trace->name);
    }
    *action = NO_ACTION;
    return remarks_add(remarks, error, "trace %s: holds no I/O, only other records", trace->name);
}

/* The same I/O shows up once a stage; the latest stage that the trace has is counted. */
static bool choose_action(struct database *database, const struct catalog_trace *trace,
                          const struct selection_filter *filter, int64_t *action,
                          struct remarks *remarks, struct error *error) {
    static const char *const stages[] = {"C", "D", "I", "G", "Q"};

    if (filter->action != NULL) {
        return find_action(database, trace->id, filter->action, action, error) &&
               (*action != EVENT_NONE || error_set(error, "trace %s has no I/O with action %s",
                                                   trace->name, filter->action)) &&
               remarks_add(remarks, error, "trace %s: I/Os with action %s are counted", trace->name,
                           filter->action);
    }
    for (size_t i = 0; i < sizeof stages / sizeof stages[0]; i++) {
        if (!find_action(database, trace->id, stages[i], action, error)) {
            return false;
        }
        if (*action != EVENT_NONE) {
            return i == 0 || remarks_add(remarks, error,
                                         "trace %s: has no completed I/O (C): action %s is counted",
                                         trace->name, stages[i]);
        }
    }
    return count_other_events(database, trace, action, remarks, error);
}

/* --- setting it ---------------------------------------------------------------------------------
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

static bool select_trace(struct database *database, const struct catalog_trace *trace,
                         const struct selection_filter *filter, const struct query *query,
                         struct remarks *remarks, struct error *error) {
    int64_t first, last, last_time, action = EVENT_NONE;

    if (!narrow(database, trace, filter, &first, &last, error) ||
        !event_time(database, last < first ? first : last, trace->first_time, &last_time, error)) {
        return false;
    }
    if (trace->kind == TRACE_IO && (!query->all_actions || filter->action != NULL) &&
        !choose_action(database, trace, filter, &action, remarks, error)) {
        return false;
    }
    return database_change(database, error,
                           "INSERT INTO temp.selection VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8,"
                           " ?9, ?10)",
                           "iiioiiiiii", trace->id, first, last, action,
                           hour_of(trace, trace->first_time), hour_of(trace, last_time),
                           (int64_t)(trace->start != EVENT_NONE), trace->sessions,
                           (int64_t)(filter->process != NULL || selection_by_operation(filter) ||
                                     filter->under != NULL || filter->has_device),
                           (int64_t)(first == trace->first_event && last == trace->last_event));
}

bool selection_by_operation(const struct selection_filter *filter) {
    return filter->operation != NULL || filter->component != NULL;
}

/* Operations that --op and --under mean: by name, with or without the component, or by number as
 * the thesis writes traps and as functions without a name are shown. */
#define OPERATION_MATCHES                                                                          \
    "(n.text = ?1 OR (n.code IS NOT NULL AND lower(?1) IN"                                         \
    " (printf('0x%04x', n.code), printf('%04x:%04x', n.code >> 16, n.code & 65535)))"              \
    " OR (n.component IS NOT NULL AND ?1 = (SELECT c.text FROM main.name AS c"                     \
    " WHERE c.id = n.component) || ':' || n.text))"

/* Components that --component means: by name, or by number. */
#define COMPONENT_MATCHES                                                                          \
    "EXISTS (SELECT 1 FROM main.name AS c WHERE c.id = n.component AND (c.text = ?1"               \
    " OR (c.code IS NOT NULL AND lower(?1) IN"                                                     \
    " (printf('%04x', c.code), printf('0x%x', c.code), printf('0x%04x', c.code),"                  \
    " CAST(c.code AS TEXT)))))"

/* Actors that --process means: by name, by pid, or as reports label them. */
#define ACTOR_MATCHES                                                                              \
    "(a.name = ?1"                                                                                 \
    " OR (a.pid = CAST(?1 AS INTEGER) AND CAST(CAST(?1 AS INTEGER) AS TEXT) = ?1)"                 \
    " OR actor_label(a.name, a.code, a.session, t.sessions) = ?1"                                  \
    " OR actor_label(a.name, a.code, a.session, 1) = ?1)"

/* The names of the selected traces. CROSS keeps the order, here as everywhere: SQLite, which does
 * not know how few traces a selection mostly has, may else pass over all names of the database. */
#define SELECTED_NAMES " FROM temp.selection AS s CROSS JOIN main.name AS n ON n.trace = s.trace"

/* Whether a pattern fits anything in one of the traces; `sql` takes it as ?1, a trace as ?2. */
static bool fits_any(struct database *database, const char *sql, const char *pattern,
                     const struct catalog_trace *const *traces, size_t count, bool *fits,
                     struct error *error) {
    sqlite3_stmt *statement = database_prepare(database, sql, error);
    bool done = statement != NULL;

    *fits = false;
    for (size_t i = 0; done && !*fits && i < count; i++) {
        sqlite3_bind_text(statement, 1, pattern, -1, SQLITE_STATIC);
        sqlite3_bind_int64(statement, 2, traces[i]->id);
        done = database_step(database, statement, fits, error);
        sqlite3_reset(statement);
    }
    sqlite3_finalize(statement);
    return done;
}

/* Whether one of the traces has something on the device. */
static bool has_device(struct database *database, const struct catalog_trace *const *traces,
                       size_t count, int64_t device, struct error *error) {
    char number[32];
    bool fits;

    snprintf(number, sizeof number, "%lld", (long long)device);
    return fits_any(database,
                    "SELECT 1 FROM main.object WHERE trace = ?2 AND device = CAST(?1 AS INTEGER)"
                    " LIMIT 1",
                    number, traces, count, &fits, error) &&
           (fits || error_set(error, "no I/O of the selected traces is on device %lld:%lld",
                              (long long)(device >> 20), (long long)(device & 0xFFFFF)));
}

/* A pattern that a filter was given: what it must fit, and what to call that. */
struct pattern {
    const char *pattern; /* NULL: not given */
    const char *what;
    const char *sql;
};

bool selection_check(struct database *database, const struct catalog_trace *const *traces,
                     size_t count, const struct selection_filter *filter, struct error *error) {
    static const char operations[] =
        "SELECT 1 FROM main.name AS n WHERE n.trace = ?2 AND " OPERATION_MATCHES " LIMIT 1";
    const struct pattern patterns[] = {
        {filter->operation, "operation", operations},
        {filter->under, "function", operations},
        {filter->within, "function, class or thread",
         "SELECT 1 FROM main.name WHERE trace = ?2 AND text = ?1"
         " UNION ALL SELECT 1 FROM main.actor AS a JOIN main.trace AS t ON t.id = a.trace"
         " WHERE a.trace = ?2 AND ?1 IN (a.name, CAST(a.tid AS TEXT),"
         " a.name || ' (' || a.tid || ')', 'process ' || ifnull(a.pid, t.name)) LIMIT 1"},
        {filter->root, "function or caller",
         "SELECT 1 FROM main.name WHERE trace = ?2 AND text = ?1"
         " UNION ALL SELECT 1 FROM main.object WHERE trace = ?2 AND name = ?1 LIMIT 1"},
        {filter->component, "component",
         "SELECT 1 FROM main.name AS n WHERE n.trace = ?2 AND " COMPONENT_MATCHES " LIMIT 1"},
        {filter->process, "process or application",
         "SELECT 1 FROM main.actor AS a JOIN main.trace AS t ON t.id = a.trace"
         " WHERE a.trace = ?2 AND " ACTOR_MATCHES " LIMIT 1"},
    };

    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
        bool fits = true;

        if (patterns[i].pattern != NULL && !fits_any(database, patterns[i].sql, patterns[i].pattern,
                                                     traces, count, &fits, error)) {
            return false;
        }
        if (!fits) {
            return error_set(error, "no %s is called %s in the selected traces", patterns[i].what,
                             patterns[i].pattern);
        }
    }
    return !filter->has_device || has_device(database, traces, count, filter->device, error);
}

static bool select_matching(struct database *database, const char *sql, const char *pattern,
                            struct error *error) {
    return pattern == NULL || database_change(database, error, sql, "s", pattern);
}

/* What lies on the device: objects say which one they are on. */
static bool select_device(struct database *database, const struct selection_filter *filter,
                          struct error *error) {
    return !filter->has_device ||
           database_change(database, error,
                           "INSERT INTO temp.selected_object SELECT o.id FROM temp.selection AS s"
                           " CROSS JOIN main.object AS o ON o.trace = s.trace WHERE o.device = ?1",
                           "i", filter->device);
}

/* With --op and --component, what fits both. */
static bool select_operations(struct database *database, const struct selection_filter *filter,
                              struct error *error) {
    if (!select_matching(database,
                         "INSERT INTO temp.selected_operation SELECT n.id" SELECTED_NAMES
                         " WHERE " OPERATION_MATCHES,
                         filter->operation, error) ||
        !select_matching(database,
                         "INSERT INTO temp.under_operation SELECT n.id" SELECTED_NAMES
                         " WHERE " OPERATION_MATCHES,
                         filter->under, error)) {
        return false;
    }
    if (filter->operation != NULL) {
        return select_matching(database,
                               "DELETE FROM temp.selected_operation WHERE id NOT IN"
                               " (SELECT n.id" SELECTED_NAMES " WHERE " COMPONENT_MATCHES ")",
                               filter->component, error);
    }
    return select_matching(database,
                           "INSERT INTO temp.selected_operation SELECT n.id" SELECTED_NAMES
                           " WHERE " COMPONENT_MATCHES,
                           filter->component, error);
}

/* The columns of an event: of the second clock, its times take the place of the first one's. */
static const char *event_columns(const struct selection_filter *filter) {
    return filter->cpu_beside
               ? "e.id, e.time, c.duration, e.operation, e.actor, e.object, e.flags, e.address,"
                 " e.size, e.value, e.parent, e.depth, e.arguments, c.self"
               : "e.*";
}

/* The view is put together out of constant parts, so that filters that are not given cost nothing.
 */
static bool create_event_view(struct database *database, const struct selection_filter *filter,
                              struct error *error) {
    struct text sql = {0};
    bool done;

    text_append_format(
        &sql,
        "CREATE TEMP VIEW selected_event AS SELECT s.trace, %s FROM temp.selection AS s%s"
        " CROSS JOIN main.event AS e%s"
        " WHERE e.id BETWEEN %s AND (s.action IS NULL OR e.operation = s.action)",
        event_columns(filter), filter->under != NULL ? " CROSS JOIN temp.selected_range AS r" : "",
        filter->cpu_beside ? " LEFT JOIN main.cpu_time AS c ON c.event = e.id" : "",
        filter->under != NULL ? "r.first AND r.last AND r.trace = s.trace"
                              : "s.first_event AND s.last_event");
    if (selection_by_operation(filter)) {
        text_append_string(&sql, " AND e.operation IN (SELECT id FROM temp.selected_operation)");
    }
    if (filter->process != NULL) {
        text_append_string(&sql, " AND e.actor IN (SELECT id FROM temp.selected_actor)");
    }
    if (filter->has_device) {
        text_append_string(&sql, " AND e.object IN (SELECT id FROM temp.selected_object)");
    }
    done = sql.failed ? error_no_memory(error) : database_run(database, text_string(&sql), error);
    text_free(&sql);
    return done;
}

static bool clear_selection(struct database *database, struct error *error) {
    struct text sql = {0};
    bool done;

    text_append_string(&sql, "DELETE FROM temp.selection; DELETE FROM temp.selected_operation;"
                             "DELETE FROM temp.selected_actor; DELETE FROM temp.selected_object;"
                             "DELETE FROM temp.configured_operation;"
                             "DROP VIEW IF EXISTS temp.loggable_operation;"
                             "DELETE FROM temp.under_operation; DELETE FROM temp.selected_range;"
                             "DELETE FROM temp.merged_operation;"
                             "DELETE FROM temp.tally_hotspot; DELETE FROM temp.hotspot_base;"
                             "DROP VIEW IF EXISTS temp.tally_span;"
                             "DROP TABLE IF EXISTS temp.scanned_span;"
                             "DROP TABLE IF EXISTS temp.tally_tree;"
                             "DROP VIEW IF EXISTS temp.selected_event;"
                             "DROP TABLE IF EXISTS temp.tally_sequence;"
                             "DROP TABLE IF EXISTS temp.tally_gap;"
                             "DROP TABLE IF EXISTS temp.tally_locality;"
                             "DROP TABLE IF EXISTS temp.tally_latency;"
                             "DROP TABLE IF EXISTS temp.distribution;");
    for (unsigned kind = 0; kind < TALLY_KINDS; kind++) {
        text_append_format(
            &sql, "DROP VIEW IF EXISTS temp.tally_%s; DROP TABLE IF EXISTS temp.scanned_%s;",
            tally_definitions[kind].name, tally_definitions[kind].name);
    }
    done = sql.failed ? error_no_memory(error) : database_run(database, text_string(&sql), error);
    text_free(&sql);
    return done;
}

struct loggable_target {
    struct database *database;
    struct error *error;
    bool by_default;
};

static bool add_loggable(void *context, int64_t code) {
    struct loggable_target *target = context;

    return target->by_default ||
           database_change(target->database, target->error,
                           "INSERT OR IGNORE INTO temp.configured_operation VALUES (?1)", "i",
                           code);
}

/* What could have been logged: the present configuration speaks for all traces, else what was known
 * at import. A view, for that is a thousand rows a trace, which few reports read. */
static bool select_loggable(struct database *database, const struct config *config,
                            const char *format, struct error *error) {
    const struct importer *importer = importer_find(format);
    struct loggable_target target = {.database = database, .error = error};
    int64_t count;

    if (importer != NULL && importer->loggable != NULL &&
        !importer->loggable(config, add_loggable, &target, &target.by_default, error)) {
        return false;
    }
    return database_integer(database, "SELECT count(*) FROM temp.configured_operation", 0, 0,
                            &count, error) &&
           database_run(database,
                        count > 0
                            ? "CREATE TEMP VIEW loggable_operation AS SELECT 0 AS trace, code,"
                              " 0 AS by_default FROM temp.configured_operation"
                            : "CREATE TEMP VIEW loggable_operation AS SELECT l.trace, l.code,"
                              " l.by_default FROM temp.selection AS s"
                              " CROSS JOIN main.loggable AS l ON l.trace = s.trace",
                        error);
}

bool selection_narrows(const struct selection_filter *filter) {
    return filter->from.kind != TIME_NOT_GIVEN || filter->to.kind != TIME_NOT_GIVEN ||
           filter->process != NULL || filter->under != NULL || selection_by_operation(filter) ||
           filter->has_device;
}

/* Which of the tallies the rollups of the traces answer as they are. */
static bool usable_rollups(const struct catalog_trace *const *traces, size_t count,
                           const struct selection_filter *filter, unsigned tallies,
                           unsigned *usable, struct remarks *remarks, struct error *error) {
    *usable = 0;
    if (selection_narrows(filter)) {
        return true;
    }
    for (unsigned kind = 0; kind < TALLY_KINDS; kind++) {
        const struct tally_definition *definition = &tally_definitions[kind];

        if (!(tallies >> kind & 1) || definition->rollup_kinds == 0) {
            continue;
        }
        *usable |= 1u << kind;
        for (size_t i = 0; i < count; i++) {
            if (word_in(traces[i]->rollups, definition->name)) {
                continue;
            }
            *usable &= ~(1u << kind);
            if (!remarks_add(remarks, error,
                             "trace %s: the rollup by %s grew beyond %d rows: events were scanned",
                             traces[i]->name, definition->name, TALLY_ROWS)) {
                return false;
            }
        }
    }
    return true;
}

/* A view of the rollup with the shape of the scanned counts. */
static bool view_rollups(struct database *database, unsigned tallies, struct error *error) {
    for (unsigned kind = 0; kind < TALLY_KINDS; kind++) {
        char sql[512];

        if (!(tallies >> kind & 1)) {
            continue;
        }
        snprintf(sql, sizeof sql,
                 "CREATE TEMP VIEW tally_%s AS SELECT r.* FROM temp.selection AS s CROSS JOIN"
                 " main.rollup_%s AS r WHERE r.trace = s.trace AND (s.action IS NULL OR %s)",
                 tally_definitions[kind].name, tally_definitions[kind].name,
                 kind == TALLY_OPERATION ? "r.operation = s.action"
                 : kind == TALLY_DEPTH   ? "1"
                                         : "r.action = s.action");
        if (!database_run(database, sql, error)) {
            return false;
        }
    }
    return true;
}

struct tally_selection {
    const struct catalog_trace *const *traces;
    unsigned tallies;
};

static bool scan_trace(void *context, struct event_scan *scan, struct error *error) {
    const struct tally_selection *selection = context;
    const struct catalog_trace *const *trace = selection->traces;
    struct tally_context tally_context;

    while ((*trace)->id != scan->trace) {
        trace++;
    }
    tally_context = (struct tally_context){
        .kind = (*trace)->kind,
        .hour_origin = tally_hour_origin((*trace)->start, (*trace)->utc_offset),
    };
    return scan_tallies(scan, &tally_context, selection->tallies, error);
}

bool selection_scan(struct database *database, const struct catalog_trace *const *traces,
                    const struct selection_filter *filter, unsigned tallies, struct error *error) {
    struct tally_selection selection = {traces, tallies};

    return tallies == 0 || event_scan_selection(database, filter, scan_trace, &selection, error);
}

/* The passes over events in C that the query asks for. */
static bool run_scans(struct database *database, const struct config *config,
                      const struct catalog_trace *const *traces, size_t count,
                      const struct selection_filter *filter, const struct query *query,
                      struct remarks *remarks, struct error *error) {
    return (!query->reads_sequences || scan_sequences(database, filter, error)) &&
           (!query->reads_gaps || scan_gaps(database, filter, error)) &&
           (!query->reads_latency || scan_latency(database, filter, error)) &&
           (!query->reads_locality || scan_locality(database, filter, error)) &&
           (query->distribution == NULL ||
            scan_distribution(database, query->distribution, error)) &&
           spans_select(database, config, traces, count, filter, query, remarks, error);
}

bool selection_set(struct database *database, const struct config *config,
                   const struct catalog_trace *const *traces, size_t count,
                   const struct selection_filter *given, const struct query *query,
                   struct remarks *remarks, struct error *error) {
    struct selection_filter filter = *given;
    unsigned usable;

    filter.cpu_beside = spans_second_clock(traces[0], given);
    if (!clear_selection(database, error)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (!select_trace(database, traces[i], &filter, query, remarks, error)) {
            return false;
        }
    }
    if (!select_operations(database, &filter, error) ||
        !select_matching(database,
                         "INSERT INTO temp.selected_actor SELECT a.id FROM temp.selection AS t"
                         " CROSS JOIN main.actor AS a ON a.trace = t.trace WHERE " ACTOR_MATCHES,
                         filter.process, error) ||
        !select_device(database, &filter, error) ||
        !spans_select_ranges(database, traces, count, &filter, error) ||
        !create_event_view(database, &filter, error) ||
        !select_loggable(database, config, traces[0]->format, error)) {
        return false;
    }
    return run_scans(database, config, traces, count, &filter, query, remarks, error) &&
           usable_rollups(traces, count, &filter, query->tallies, &usable, remarks, error) &&
           view_rollups(database, usable, error) &&
           scan_create(database, (query->tallies & ~usable) | query->filtered_tallies, error) &&
           selection_scan(database, traces, &filter,
                          (query->tallies & ~usable) |
                              (selection_narrows(&filter) ? query->filtered_tallies : 0),
                          error);
}
