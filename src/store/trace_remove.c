#include "store/trace_remove.h"

#include <stdio.h>

#include "store/event_tables.h"

/* Rows that refer to a trace by its id. */
static const char *const dependent_tables[] = {
    "name",           "actor",        "object",         "loggable",
    "ledger",         "remark",       "rollup_hour",    "rollup_operation",
    "rollup_size",    "rollup_block", "rollup_process", "rollup_origin",
    "rollup_letters", "rollup_depth", "rollup_span",    "rollup_latency",
    "probe",          "partition",    "source",         "meaning",
    "event_column",   "map",          "remap",          "pairing",
    "allocation",     "loss",
};

/* Deletes what a table has of a trace's events. */
static bool remove_events(struct database *database, int64_t trace, const char *table,
                          const char *column, struct error *error) {
    char sql[256];

    snprintf(sql, sizeof sql,
             "DELETE FROM %s WHERE %s BETWEEN (SELECT first_event FROM trace WHERE id = ?1)"
             " AND (SELECT last_event FROM trace WHERE id = ?1)",
             table, column);
    return database_change(database, error, sql, "i", trace);
}

bool store_remove(struct database *database, int64_t trace, struct error *error) {
    if (!remove_events(database, trace, "event", "id", error)) {
        return false;
    }
    for (size_t i = 0; i < BESIDE_TABLES; i++) {
        if (!remove_events(database, trace, beside_tables[i].name, "event", error)) {
            return false;
        }
    }
    if (!remove_events(database, trace, "io_part", "event", error)) {
        return false;
    }
    for (size_t i = 0; i < sizeof dependent_tables / sizeof dependent_tables[0]; i++) {
        char sql[64];

        snprintf(sql, sizeof sql, "DELETE FROM %s WHERE trace = ?1", dependent_tables[i]);
        if (!database_change(database, error, sql, "i", trace)) {
            return false;
        }
    }
    return database_change(database, error, "DELETE FROM trace WHERE id = ?1", "i", trace);
}
