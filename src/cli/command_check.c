/* tracetool check: is the database sound, and do its derived tables agree with its events? */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/words.h"
#include "cli/command.h"
#include "analysis/recount.h"
#include "model/tally.h"
#include "store/catalog.h"

/* What is wrong is printed; the check goes on to find the rest. */
struct findings {
    size_t count;
};

static void found(struct findings *findings, const char *trace, const char *what) {
    struct text line = {0};

    if (trace != NULL) {
        text_append_string(&line, "trace ");
        text_append_escaped(&line, trace, strlen(trace));
        text_append_string(&line, ": ");
    }
    text_append_escaped(&line, what, strlen(what));
    puts(text_string(&line));
    text_free(&line);
    findings->count++;
}

static bool check_integrity(struct database *database, struct findings *findings,
                            struct error *error) {
    sqlite3_stmt *check = database_prepare(database, "PRAGMA integrity_check", error);
    bool row = true, done = check != NULL;

    while (done && row) {
        done = database_step(database, check, &row, error);
        if (done && row && sqlite3_column_text(check, 0) != NULL &&
            strcmp((const char *)sqlite3_column_text(check, 0), "ok") != 0) {
            found(findings, NULL, (const char *)sqlite3_column_text(check, 0));
        }
    }
    sqlite3_finalize(check);
    return done;
}

/* Each gives 1 when something is wrong; ?1 is the trace's id. */
static const struct {
    const char *what;
    const char *sql;
} trace_checks[] = {
    {"the range of events does not hold as many events as the ledger says",
     "SELECT (SELECT count(*) FROM event WHERE id BETWEEN t.first_event AND t.last_event)"
     " <> ifnull(t.last_event - t.first_event + 1, 0) OR"
     " ifnull(t.last_event - t.first_event + 1, 0) + t.paired <> t.events"
     " FROM trace AS t WHERE t.id = ?1"},
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
    {"an event refers to an operation, actor or object of no or another trace",
     "SELECT EXISTS (SELECT 1 FROM trace AS t CROSS JOIN event AS e"
     " LEFT JOIN name AS n ON n.id = e.operation LEFT JOIN actor AS a ON a.id = e.actor"
     " LEFT JOIN object AS o ON o.id = e.object"
     " WHERE t.id = ?1 AND e.id BETWEEN t.first_event AND t.last_event AND ("
     " (e.operation IS NOT NULL AND n.trace IS NOT ?1) OR"
     " (e.actor IS NOT NULL AND a.trace IS NOT ?1) OR"
     " (e.object IS NOT NULL AND o.trace IS NOT ?1)))"},
    {"a call is not one level below its caller, in its thread and within its time",
     "SELECT EXISTS (SELECT 1 FROM trace AS t CROSS JOIN event AS e"
     " LEFT JOIN event AS p ON p.id = e.parent WHERE t.id = ?1 AND t.kind = 'spans'"
     " AND e.id BETWEEN t.first_event AND t.last_event AND ((p.id IS NULL) <> (e.depth = 0) OR"
     " (p.id IS NOT NULL AND (p.id NOT BETWEEN t.first_event AND t.last_event OR p.id >= e.id OR"
     " p.actor IS NOT e.actor OR p.depth <> e.depth - 1 OR"
     " e.time + ifnull(e.duration, 0) > p.time + ifnull(p.duration, 1 << 62)))))"},
    {"there are CPU times of no call",
     "SELECT EXISTS (SELECT 1 FROM trace AS t JOIN cpu_time AS c"
     " ON c.event BETWEEN t.first_event AND t.last_event LEFT JOIN event AS e ON e.id = c.event"
     " WHERE t.id = ?1 AND (e.duration IS NULL OR t.kind <> 'spans'))"},
};

#define TRACE_CHECKS (sizeof trace_checks / sizeof trace_checks[0])

static bool check_trace(struct database *database, sqlite3_stmt *const *statements,
                        const struct catalog_trace *trace, struct findings *findings,
                        struct error *error) {
    for (size_t i = 0; i < TRACE_CHECKS; i++) {
        bool row, done;

        sqlite3_bind_int64(statements[i], 1, trace->id);
        done = database_step(database, statements[i], &row, error);
        if (done && row && sqlite3_column_int64(statements[i], 0) != 0) {
            found(findings, trace->name, trace_checks[i].what);
        }
        sqlite3_reset(statements[i]);
        if (!done) {
            return false;
        }
    }
    return true;
}

static bool check_each(struct database *database, const struct catalog_trace *const *traces,
                       size_t count, struct findings *findings, struct error *error) {
    sqlite3_stmt *statements[TRACE_CHECKS] = {NULL};
    bool done = true;

    for (size_t i = 0; done && i < TRACE_CHECKS; i++) {
        statements[i] = database_prepare(database, trace_checks[i].sql, error);
        done = statements[i] != NULL;
    }
    for (size_t i = 0; done && i < count; i++) {
        done = check_trace(database, statements, traces[i], findings, error);
    }
    for (size_t i = 0; i < TRACE_CHECKS; i++) {
        sqlite3_finalize(statements[i]);
    }
    return done;
}

/* Counts the events anew and compares with the rollup, both ways: names the traces that differ. */
static bool compare_rollup(struct database *database, enum tally_kind kind,
                           struct findings *findings, struct error *error) {
    const struct tally_definition *definition = &tally_definitions[kind];
    sqlite3_stmt *compare;
    char sql[1024], what[128];
    bool row = true, done;

    snprintf(sql, sizeof sql,
             "WITH scanned AS (SELECT trace, %s, sum(count) AS count, sum(bytes) AS bytes"
             " FROM temp.tally_%s GROUP BY trace, %s),"
             " kept AS (SELECT trace, %s, count, bytes FROM main.rollup_%s"
             " WHERE trace IN (SELECT trace FROM temp.selection))"
             " SELECT name FROM main.trace WHERE id IN"
             " (SELECT trace FROM (SELECT * FROM scanned EXCEPT SELECT * FROM kept)"
             " UNION SELECT trace FROM (SELECT * FROM kept EXCEPT SELECT * FROM scanned))"
             " ORDER BY id",
             definition->columns, definition->name, definition->columns, definition->columns,
             definition->name);
    snprintf(what, sizeof what, "the rollup by %s does not agree with the events",
             definition->name);
    compare = database_prepare(database, sql, error);
    done = compare != NULL;
    while (done && row) {
        done = database_step(database, compare, &row, error);
        if (done && row) {
            found(findings, (const char *)sqlite3_column_text(compare, 0), what);
        }
    }
    sqlite3_finalize(compare);
    return done;
}

/* Of traces of one kind that have the same rollups. */
static bool check_rollups(struct database *database, const struct config *config,
                          const struct catalog_trace *const *traces, size_t count,
                          struct findings *findings, struct error *error) {
    struct text tallies = {0};
    struct recount recount = {0};
    bool done;

    for (unsigned kind = 0; kind < TALLY_KINDS; kind++) {
        if (word_in(traces[0]->rollups, tally_definitions[kind].name)) {
            text_append_format(&tallies, "%s ", tally_definitions[kind].name);
        }
    }
    done = tallies.failed ? error_no_memory(error)
                          : recount_open(&recount, database, config, traces, count,
                                         text_string(&tallies), error);
    for (unsigned kind = 0; done && kind < TALLY_KINDS; kind++) {
        if (word_in(text_string(&tallies), tally_definitions[kind].name)) {
            done = compare_rollup(database, (enum tally_kind)kind, findings, error);
        }
    }
    recount_close(&recount);
    text_free(&tallies);
    return done;
}

/* Traces whose rollups are counted at once: a selection costs more than a small trace. Bounds what
 * lies in temporary tables. */
#define TRACES_AT_ONCE 64

/* How many of the traces from the first one on can be counted at once with it. */
static size_t count_alike(const struct catalog_trace *const *traces, size_t count) {
    size_t alike = 1;

    while (alike < count && alike < TRACES_AT_ONCE && traces[alike]->kind == traces[0]->kind &&
           strcmp(traces[alike]->rollups, traces[0]->rollups) == 0) {
        alike++;
    }
    return alike;
}

static bool check_traces(struct database *database, const struct config *config,
                         const struct catalog_trace *const *traces, size_t count,
                         struct findings *findings, struct error *error) {
    size_t alike;

    for (size_t i = 0; i < count; i += alike) {
        alike = count_alike(traces + i, count - i);
        if (!check_each(database, traces + i, alike, findings, error) ||
            !check_rollups(database, config, traces + i, alike, findings, error)) {
            return false;
        }
    }
    return true;
}

static bool is_chosen(const struct catalog_trace *const *chosen, size_t count,
                      const struct catalog_trace *trace) {
    for (size_t i = 0; i < count; i++) {
        if (chosen[i] == trace) {
            return true;
        }
    }
    return false;
}

/* The traces that -t names, each once; all without it. `chosen` has room for as many. */
static bool choose(const struct catalog *catalog, const struct arguments *arguments,
                   const struct catalog_trace **chosen, size_t *count, struct error *error) {
    *count = 0;
    for (size_t i = 0; i < arguments->lists[OPTION_TRACE].count; i++) {
        const struct catalog_trace *trace =
            catalog_find(catalog, arguments->lists[OPTION_TRACE].values[i]);

        if (trace == NULL) {
            return catalog_unknown(catalog, arguments->lists[OPTION_TRACE].values[i], error);
        }
        if (!is_chosen(chosen, *count, trace)) {
            chosen[(*count)++] = trace;
        }
    }
    for (size_t i = 0; arguments->lists[OPTION_TRACE].count == 0 && i < catalog->count; i++) {
        chosen[(*count)++] = &catalog->traces[i];
    }
    return true;
}

static bool check_chosen(struct database *database, const struct session *session,
                         const struct catalog *catalog, struct findings *findings,
                         struct error *error) {
    const struct catalog_trace **chosen =
        calloc(catalog->count + session->arguments->lists[OPTION_TRACE].count + 1,
               sizeof(const struct catalog_trace *));
    size_t count = 0;
    bool done = (chosen != NULL || error_no_memory(error)) &&
                choose(catalog, session->arguments, chosen, &count, error) &&
                check_traces(database, &session->config, chosen, count, findings, error);

    free(chosen);
    return done;
}

static bool check_database(struct database *database, const struct session *session,
                           struct findings *findings, struct error *error) {
    struct catalog catalog;
    bool done;

    /* SQLite can only pass over the whole file. */
    if (session->arguments->lists[OPTION_TRACE].count == 0 &&
        !check_integrity(database, findings, error)) {
        return false;
    }
    if (!recount_register(database, &session->config, error) ||
        !catalog_load(&catalog, database, error)) {
        return false;
    }
    done = check_chosen(database, session, &catalog, findings, error);
    catalog_free(&catalog);
    return done;
}

bool command_check(struct session *session, struct error *error) {
    struct findings findings = {0};
    struct database database;
    bool done;

    if (!session_open(session, &database, DATABASE_READ, error)) {
        return false;
    }
    done = check_database(&database, session, &findings, error);
    if (!session_close(session, &database, done, error)) {
        return false;
    }
    if (findings.count > 0) {
        return error_set(error,
                         "%s: %zu things are wrong; import the logs again into a new "
                         "database",
                         session->database_path, findings.count);
    }
    session_say(session,
                session->arguments->lists[OPTION_TRACE].count > 0
                    ? "%s: these traces are sound; only without -t is all of the file verified"
                    : "%s: sound",
                session->database_path);
    return true;
}
