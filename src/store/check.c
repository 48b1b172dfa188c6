#include "store/check.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/resource.h"
#include "store/column_table.h"
#include "store/database.h"
#include "store/trace_tables.h"

/* SQL on the block I/Os of trace ?1 that have rows in io_part, where `map` divides an I/O among
 * files. For each I/O: whether it certainly belongs to several files, and whether it possibly does.
 * Uses only events of the action that counts as an I/O (counted_action.h). */
#define PARTED_IOS                                                                                 \
    "WITH counted (action) AS (SELECT (SELECT id FROM name WHERE trace = ?1 AND kind = 'action'"   \
    " AND text IN ('C', 'D', 'I', 'G', 'Q') ORDER BY instr('CDIGQ', text) LIMIT 1)),"              \
    " parted (certain, possible) AS (SELECT count(DISTINCT o.id) > 1,"                             \
    " count(*) FILTER (WHERE p.flags >> 22 & 7 <> 7) > 1"                                          \
    " FROM trace AS t CROSS JOIN counted AS c CROSS JOIN io_part AS p"                             \
    " CROSS JOIN event AS e ON e.id = p.event LEFT JOIN object AS o ON o.id = p.object"            \
    " AND o.inode IS NOT NULL AND p.flags >> 22 & 7 <> 7"                                          \
    " WHERE t.id = ?1 AND p.event BETWEEN t.first_event AND t.last_event"                          \
    " AND e.operation = ifnull(c.action, e.operation) GROUP BY p.event) "

/* Rules for a trace: each query returns 1 if trace ?1 breaks the rule. `what`: the problem. */
static const struct {
    const char *what;
    const char *sql;
} trace_checks[] = {
    {"the trace has more or fewer events than its ledger says",
     "SELECT (SELECT count(*) FROM event WHERE id BETWEEN t.first_event AND t.last_event)"
     " <> ifnull(t.last_event - t.first_event + 1, 0) OR"
     " ifnull(t.last_event - t.first_event + 1, 0) + t.paired <> t.events"
     " FROM trace AS t WHERE t.id = ?1"},
    {"its time zone (UTC offset) does not exist",
     "SELECT EXISTS (SELECT 1 FROM trace WHERE id = ?1 AND utc_offset NOT BETWEEN -5999 AND 5999)"},
    {"events are not in order of time",
     "SELECT EXISTS (SELECT 1 FROM (SELECT time, lag(time) OVER (ORDER BY id) AS before FROM event"
     " WHERE id BETWEEN (SELECT first_event FROM trace WHERE id = ?1) AND"
     " (SELECT last_event FROM trace WHERE id = ?1)) WHERE time < before)"},
    {"first or last time is not that of the events",
     "SELECT ifnull((SELECT time FROM event WHERE id = t.first_event) <> t.first_time OR"
     " iif(t.kind = 'spans', (SELECT max(time + ifnull(duration, 0)) FROM event WHERE id BETWEEN"
     " t.first_event AND t.last_event) > t.last_time,"
     " (SELECT time FROM event WHERE id = t.last_event) <> t.last_time), 0)"
     " FROM trace AS t WHERE t.id = ?1"},
    {"the ledger's reasons do not add up to its totals",
     "SELECT EXISTS (SELECT 1 FROM trace AS t WHERE t.id = ?1 AND ("
     " t.merged <> (SELECT ifnull(sum(count), 0) FROM ledger WHERE trace = ?1 AND outcome = "
     "'merged')"
     " OR t.ignored <>"
     " (SELECT ifnull(sum(count), 0) FROM ledger WHERE trace = ?1 AND outcome = 'ignored')"
     " OR t.rejected <>"
     " (SELECT ifnull(sum(count), 0) FROM ledger WHERE trace = ?1 AND outcome = 'rejected')))"},
    {"the events of its files do not add up",
     "SELECT t.events <> (SELECT ifnull(sum(events), 0) FROM source WHERE trace = ?1)"
     " FROM trace AS t WHERE t.id = ?1"},
    {"an event refers to an operation, actor, object or error that its trace does not have",
     "SELECT EXISTS (SELECT 1 FROM trace AS t CROSS JOIN event AS e"
     " LEFT JOIN name AS n ON n.id = e.operation LEFT JOIN actor AS a ON a.id = e.actor"
     " LEFT JOIN object AS o ON o.id = e.object LEFT JOIN actor AS i ON i.id = e.issuer"
     " LEFT JOIN name AS f ON f.id = e.error LEFT JOIN object AS c ON c.id = e.source"
     " WHERE t.id = ?1 AND e.id BETWEEN t.first_event AND t.last_event AND ("
     " (e.operation IS NOT NULL AND n.trace IS NOT ?1) OR"
     " (e.actor IS NOT NULL AND a.trace IS NOT ?1) OR"
     " (e.issuer IS NOT NULL AND i.trace IS NOT ?1) OR"
     " (e.object IS NOT NULL AND o.trace IS NOT ?1) OR"
     " (e.source IS NOT NULL AND c.trace IS NOT ?1) OR"
     " (e.error IS NOT NULL AND (f.trace IS NOT ?1 OR f.kind <> 'error'))))"},
    {"parts of an I/O on several files do not add up to its bytes, or its trace does not have them",
     "SELECT EXISTS (SELECT 1 FROM trace AS t CROSS JOIN io_part AS p"
     " CROSS JOIN event AS e ON e.id = p.event LEFT JOIN object AS o ON o.id = p.object"
     " WHERE t.id = ?1 AND p.event BETWEEN t.first_event AND t.last_event GROUP BY p.event"
     " HAVING t.kind <> 'io' OR count(*) < 2 OR min(p.number) <> 0 OR max(p.number) >= count(*)"
     " OR min(p.bytes) <= 0 OR sum(p.bytes) IS NOT e.size"
     " OR max(p.number = 0 AND (p.object IS NOT e.object OR p.flags IS NOT e.flags))"
     " OR max(p.object IS NOT NULL AND o.trace IS NOT ?1))"},
    {"the map's number of I/Os on several files differs from its parts, or the map is missing",
     PARTED_IOS "SELECT iif(m.trace IS NULL, EXISTS (SELECT 1 FROM io_part AS p"
                " WHERE p.event BETWEEN t.first_event AND t.last_event), m.several NOT BETWEEN"
                " (SELECT total(certain) FROM parted) AND (SELECT total(possible) FROM parted))"
                " FROM trace AS t LEFT JOIN map AS m ON m.trace = t.id WHERE t.id = ?1"},
    {"the block allocation events are not as tracetool writes them, or belong to no block I/O",
     "SELECT EXISTS (SELECT 1 FROM allocation AS a JOIN trace AS t ON t.id = a.trace"
     " WHERE a.trace = ?1 AND (t.kind <> 'io' OR a.what NOT IN ('data', 'metadata', 'held', "
     "'freed',"
     " 'created', 'deleted', 'lost', 'regained') OR a.inode NOT BETWEEN 0 AND 4294967295"
     " OR min(a.block, a.count) < 0 OR a.count > 4294967295))"},
    {"the recorded losses are not as tracetool writes them, or exceed the ledger",
     "SELECT EXISTS (SELECT 1 FROM loss WHERE trace = ?1 AND (cpu < -1 OR min(lost, uncounted,"
     " overwritten, events) < 0 OR overwritten > iif(cpu = -1, lost, 0)"
     " OR (events = 0) <> (first IS NULL) OR (first IS NULL) <> (last IS NULL) OR first > last))"
     " OR (SELECT total(lost) + total(uncounted) FROM loss WHERE trace = ?1) >"
     " (SELECT total(count) FROM ledger WHERE trace = ?1 AND outcome = 'lost')"},
    {"pairs of issue and completion are not what tracetool writes, or more than the trace has "
     "events",
     "SELECT EXISTS (SELECT 1 FROM pairing AS p JOIN trace AS t ON t.id = p.trace WHERE p.trace = "
     "?1"
     " AND (t.kind NOT IN ('io', 'calls') OR min(p.pairs, p.open, p.unissued, p.unbelieved) < 0"
     " OR p.proven NOT IN (0, 1) OR p.told NOT IN (0, 1)"
     " OR (t.kind = 'io' AND (p.open NOT IN (0, p.issues - p.pairs)"
     " OR p.unissued NOT IN (0, p.completions - p.pairs)"
     " OR p.unbelieved > min(p.open, p.unissued) OR p.proven + p.told = 0))"
     " OR (t.kind = 'calls' AND (p.device IS NOT NULL OR p.pairs + p.unbelieved > p.issues"
     " OR p.issues > t.last_event - t.first_event + 1))))"
     " OR (SELECT total(p.issues) + total(p.completions) FROM pairing AS p"
     " JOIN trace AS t ON t.id = p.trace WHERE p.trace = ?1 AND t.kind = 'io') >"
     " (SELECT last_event - first_event + 1 FROM trace WHERE id = ?1)"},
    {"a call is not one level below its caller, in its thread and within its time",
     "SELECT EXISTS (SELECT 1 FROM trace AS t CROSS JOIN event AS e"
     " LEFT JOIN event AS p ON p.id = e.parent WHERE t.id = ?1 AND t.kind = 'spans'"
     " AND e.id BETWEEN t.first_event AND t.last_event AND ((p.id IS NULL) <> (e.depth = 0) OR"
     " (p.id IS NOT NULL AND (p.id NOT BETWEEN t.first_event AND t.last_event OR p.id >= e.id OR"
     " p.actor IS NOT e.actor OR p.depth <> e.depth - 1 OR e.time < p.time OR"
     /* Does not check that the callee ends before its caller if the log prints times in
        microseconds and durations in nanoseconds, as kernel logs do: with rounding, the callee may
        seem to end later. */
     " (NOT EXISTS (SELECT 1 FROM meaning WHERE trace = t.id AND what = 'printed')"
     " AND e.time + ifnull(e.duration, 0) > p.time + coalesce(p.duration,"
     " (SELECT duration FROM open_call WHERE event = p.id), 1 << 62))))))"},
    {"an open call does not end with the log, or a call that ends with the log is not open",
     "SELECT EXISTS (SELECT 1 FROM trace AS t CROSS JOIN event AS e"
     " LEFT JOIN open_call AS o ON o.event = e.id WHERE t.id = ?1 AND t.kind = 'spans'"
     " AND e.id BETWEEN t.first_event AND t.last_event"
     " AND (o.event IS NOT NULL) <> (ifnull(e.flags, 0) & 4 <> 0 AND t.clocks <> ''))"
     " OR EXISTS (SELECT 1 FROM trace AS t CROSS JOIN open_call AS o"
     " LEFT JOIN event AS e ON e.id = o.event WHERE t.id = ?1"
     " AND o.event BETWEEN t.first_event AND t.last_event AND (e.duration IS NOT NULL"
     " OR t.kind <> 'spans' OR o.duration < 0 OR o.self < 0 OR o.self > o.duration"
     " OR o.cpu_duration < 0 OR o.cpu_self < 0 OR o.cpu_self > o.cpu_duration"
     " OR e.time + o.duration > t.last_time))"},
    {"packed arguments cannot be unpacked",
     "SELECT EXISTS (SELECT 1 FROM argument_pack WHERE trace = ?1"
     " AND NOT argument_pack_is_whole(first, count, data))"},
    {"two packs have arguments of the same call",
     "SELECT EXISTS (SELECT 1 FROM (SELECT first + count > lead(first) OVER (ORDER BY first)"
     " AS both FROM argument_pack WHERE trace = ?1) WHERE both)"},
    {"arguments are in no pack",
     "SELECT EXISTS (SELECT 1 FROM trace AS t CROSS JOIN event AS e"
     " WHERE t.id = ?1 AND e.id BETWEEN t.first_event AND t.last_event"
     " AND typeof(e.arguments) = 'integer' AND ifnull((SELECT p.first + p.count"
     " FROM argument_pack AS p WHERE p.trace = ?1 AND p.first <= e.arguments"
     " ORDER BY p.first DESC LIMIT 1), 0) <= e.arguments)"},
    {"there are CPU times without a call",
     "SELECT EXISTS (SELECT 1 FROM trace AS t JOIN cpu_time AS c"
     " ON c.event BETWEEN t.first_event AND t.last_event LEFT JOIN event AS e ON e.id = c.event"
     " WHERE t.id = ?1 AND (e.duration IS NULL OR t.kind <> 'spans'))"},
    {"a count of the ledger is not positive, or its place is outside of the file",
     "SELECT EXISTS (SELECT 1 FROM ledger JOIN source ON source.id = ledger.source"
     " WHERE ledger.trace = ?1 AND (count <= 0 OR first_offset < 0 OR first_offset > size"
     " OR bytes < 0))"},
    {"more bytes were lost than the file has, or fewer than 0",
     "SELECT lost_bytes < 0 OR lost_bytes >"
     " (SELECT ifnull(sum(size), 0) FROM source WHERE trace = ?1) FROM trace WHERE id = ?1"},
    {"a count of the ledger's totals is negative",
     "SELECT min(events, merged, ignored, rejected, paired) < 0 FROM trace WHERE id = ?1"},
    {"a duration, a size or a depth is negative, or a call's own time larger than its duration",
     "SELECT EXISTS (SELECT 1 FROM trace AS t CROSS JOIN event AS e WHERE t.id = ?1"
     " AND e.id BETWEEN t.first_event AND t.last_event AND (e.duration < 0 OR e.size < 0"
     " OR e.response < 0"
     " OR e.depth < 0 OR e.self < 0 OR (e.self > e.duration AND t.kind <> 'io')))"},
};

#define TRACE_CHECKS (sizeof trace_checks / sizeof trace_checks[0])

static bool check_trace(struct database *database, const struct catalog_trace *trace,
                        const struct store_report *report, struct error *error) {
    for (size_t i = 0; i < TRACE_CHECKS; i++) {
        int64_t broken;

        if (!database_query_integer(database, trace_checks[i].sql, trace->id, 0, &broken, error)) {
            return false;
        }
        if (broken != 0) {
            report->found(report->context, trace->name, trace_checks[i].what);
        }
    }
    return true;
}

void store_report_derived(const struct store_report *report, const char *trace, const char *what) {
    (report->found_derived != NULL ? report->found_derived : report->found)(report->context, trace,
                                                                            what);
}

/* Checks that a trace's rows of event_column, if any, hold the same values as `event`. */
static bool check_stored_columns(struct database *database, const struct catalog_trace *trace,
                                 const struct store_report *report, struct error *error) {
    const struct column_range range = {trace->id, trace->first_event, trace->last_event};
    struct text what = {0};
    bool done = column_table_compare(database, &range, &what, error);

    if (done && what.length > 0) {
        store_report_derived(report, trace->name, text_string(&what));
    }
    text_free(&what);
    return done;
}

bool store_check(struct database *database, const struct catalog_trace *const *traces, size_t count,
                 const struct store_report *report, struct error *error) {
    bool done = true;

    for (size_t i = 0; done && i < count; i++) {
        done = check_trace(database, traces[i], report, error) &&
               check_stored_columns(database, traces[i], report, error);
    }
    return done;
}

/* --- checking that values have the types of their columns ------------------------------------- */

struct type_rule {
    char *table;         /* owned */
    bool has_trace;      /* true: the table has a column `trace` */
    struct text columns; /* names of the table's columns, each followed by a NUL */
    sqlite3_stmt *find;  /* owned; finds a wrong value and returns the index of its column */
};

/* --- types of values: letters and SQL function ------------------------------------------------ */

/* Returns a letter for a column's declared type: i, b or t for INTEGER, BLOB and TEXT; p for the
 * column `arguments`, which holds text or, for packed arguments, a number. */
static char check_letter_of(const char *name, const char *declared) {
    return strcmp(name, "arguments") == 0     ? 'p'
           : strcmp(declared, "INTEGER") == 0 ? 'i'
           : strcmp(declared, "BLOB") == 0    ? 'b'
                                              : 't';
}

/* Returns whether a column with this letter (check_letter_of()) may hold this SQLite type. A BLOB
 * column may hold text. */
static bool check_fits(char letter, int type) {
    return type == SQLITE_NULL || (letter == 'i'   ? type == SQLITE_INTEGER
                                   : letter == 'p' ? type != SQLITE_FLOAT
                                   : letter == 'b' ? type == SQLITE_BLOB || type == SQLITE_TEXT
                                                   : type == SQLITE_TEXT);
}

/* SQL function sql_misfit(letters, values…): returns the index, from 1, of the first value whose
 * type does not match its letter; 0 if all match. */
static void sql_misfit(sqlite3_context *context, int count, sqlite3_value **values) {
    const char *letters = (const char *)sqlite3_value_text(values[0]);
    int place = 1;

    while (place < count && check_fits(letters[place - 1], sqlite3_value_type(values[place]))) {
        place++;
    }
    sqlite3_result_int(context, place < count ? place : 0);
}

/* --- types of values: a rule for each table --------------------------------------------------- */

/* Appends, for each column of the table, the letter of its type to `letters` and its name to
 * `values`. */
static bool check_append_columns(struct database *schema, struct type_rule *rule,
                                 struct text *letters, struct text *values, struct error *error) {
    struct database_query query =
        database_query(schema, error, "SELECT name, type FROM pragma_table_info(?1) ORDER BY cid",
                       "s", rule->table);

    while (database_next(&query)) {
        const char *name = (const char *)sqlite3_column_text(query.row, 0);

        rule->has_trace |= strcmp(name, "trace") == 0;
        text_append(&rule->columns, name, strlen(name) + 1);
        text_append_char(letters,
                         check_letter_of(name, (const char *)sqlite3_column_text(query.row, 1)));
        text_append_format(values, ", t.\"%s\"", name);
    }
    return database_end(&query);
}

static bool prepare_rule(struct type_check *check, struct type_rule *rule, struct error *error) {
    struct text letters = {0}, values = {0}, sql = {0};
    bool done;

    done = check_append_columns(&check->schema, rule, &letters, &values, error);
    if (done) {
        text_append_format(&sql,
                           "SELECT place FROM (SELECT misfit('%s'%s) AS place FROM main.\"%s\" AS t"
                           " WHERE %s) WHERE place > 0 LIMIT 1",
                           text_string(&letters), text_string(&values), rule->table,
                           trace_rows_of(rule->table, rule->has_trace));
        rule->find = database_prepare_text(check->database, &sql, error);
        done = rule->find != NULL;
    }
    text_free(&letters);
    text_free(&values);
    return done;
}

static bool check_add_rule(struct type_check *check, const char *table, struct error *error) {
    check->rules = xreallocarray(check->rules, check->count + 1, sizeof *check->rules);
    check->rules[check->count++] = (struct type_rule){.table = xstrdup(table)};
    return prepare_rule(check, &check->rules[check->count - 1], error);
}

/* Adds a rule for each table of the expected schema, even if the database lacks the table. */
static bool add_check_rules(struct type_check *check, struct error *error) {
    struct database_query query =
        database_query(&check->schema, error,
                       "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rowid", "");

    while (database_next(&query)) {
        query.failed =
            !check_add_rule(check, (const char *)sqlite3_column_text(query.row, 0), error);
    }
    return database_end(&query);
}

bool type_check_open(struct type_check *check, struct database *database, struct error *error) {
    *check = (struct type_check){.database = database, .schema = {.path = database->path}};
    return (sqlite3_open(":memory:", &check->schema.handle) == SQLITE_OK ||
            database_set_error(&check->schema, error)) &&
           database_run(&check->schema, resource_find(schema_resources, "schema"), error) &&
           (sqlite3_create_function(database->handle, "misfit", -1, SQLITE_UTF8, NULL, sql_misfit,
                                    NULL, NULL) == SQLITE_OK ||
            database_set_error(database, error)) &&
           add_check_rules(check, error);
}

void type_check_close(struct type_check *check) {
    for (size_t i = 0; i < check->count; i++) {
        sqlite3_finalize(check->rules[i].find);
        free(check->rules[i].table);
        text_free(&check->rules[i].columns);
    }
    free(check->rules);
    database_finalize_statements(&check->schema);
    sqlite3_close(check->schema.handle);
    *check = (struct type_check){0};
}

static void report_wrong_type(const struct type_rule *rule, int place, const char *trace,
                              const struct store_report *report) {
    const char *column = rule->columns.bytes;
    struct text what = {0};

    for (int i = 1; i < place; i++) {
        column += strlen(column) + 1;
    }
    text_append_format(&what, "a value in %s.%s has another type than its column", rule->table,
                       column);
    report->found(report->context, trace, text_string(&what));
    text_free(&what);
}

bool type_check_trace(struct type_check *check, const struct catalog_trace *trace,
                      const struct store_report *report, bool *sound, struct error *error) {
    *sound = true;
    for (size_t i = 0; i < check->count; i++) {
        const struct type_rule *rule = &check->rules[i];
        bool row, done;

        sqlite3_bind_int64(rule->find, 1, trace->id);
        sqlite3_bind_int64(rule->find, 2, trace->first_event);
        sqlite3_bind_int64(rule->find, 3, trace->last_event);
        done = database_step(check->database, rule->find, &row, error);
        if (done && row) {
            report_wrong_type(rule, sqlite3_column_int(rule->find, 0), trace->name, report);
            *sound = false;
        }
        sqlite3_reset(rule->find);
        if (!done) {
            return false;
        }
    }
    return true;
}

/* --- checking for rows that belong to no trace ------------------------------------------------ */

static bool find_orphans(struct type_check *check, const struct type_rule *rule, bool *any,
                         struct error *error) {
    struct text sql = {0};
    int64_t found = 0;
    bool done;

    /* Appends a query that returns 1 if the table has rows that belong to no trace. For `event` and
     * tables with a column `event`, compares the number of rows with the traces' ranges of event
     * ids. */
    if (rule->has_trace) {
        text_append_format(&sql,
                           "SELECT EXISTS (SELECT 1 FROM main.\"%s\" WHERE trace NOT IN"
                           " (SELECT id FROM main.trace))",
                           rule->table);
    } else {
        text_append_format(&sql,
                           "SELECT (SELECT count(*) FROM main.\"%s\") >"
                           " (SELECT total((SELECT count(*) FROM main.\"%s\" AS t"
                           " WHERE t.%s BETWEEN first_event AND last_event)) FROM main.trace)",
                           rule->table, rule->table,
                           strcmp(rule->table, "event") == 0 ? "id" : "event");
    }
    done = database_query_integer(check->database, text_string(&sql), 0, 0, &found, error);
    text_free(&sql);
    *any = found != 0;
    return done;
}

bool type_check_orphans(struct type_check *check, const struct store_report *report,
                        struct error *error) {
    for (size_t i = 0; i < check->count; i++) {
        const struct type_rule *rule = &check->rules[i];
        struct text what = {0};
        bool any = false,
             done = strcmp(rule->table, "trace") == 0 || find_orphans(check, rule, &any, error);

        if (done && any) {
            text_append_format(&what, "there are rows in %s without a trace", rule->table);
            store_report_derived(report, NULL, text_string(&what));
        }
        text_free(&what);
        if (!done) {
            return false;
        }
    }
    return true;
}

bool type_check_remove_orphans(struct type_check *check, int64_t *count, struct error *error) {
    struct text sql = {0};
    bool done = true;

    *count = 0;
    for (size_t i = 0; done && i < check->count; i++) {
        if (!check->rules[i].has_trace) {
            continue;
        }
        text_clear(&sql);
        text_append_format(&sql,
                           "DELETE FROM main.\"%s\" WHERE trace NOT IN (SELECT id FROM main.trace)",
                           check->rules[i].table);
        done = database_run(check->database, text_string(&sql), error);
        *count += done ? sqlite3_changes(check->database->handle) : 0;
    }
    text_free(&sql);
    return done;
}
