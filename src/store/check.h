/* Checks that the rows of a trace are consistent. analysis/recount.h checks the tables of counts
 * (rollups). */
#ifndef TRACETOOL_STORE_CHECK_H
#define TRACETOOL_STORE_CHECK_H

#include "store/catalog.h"

/* --- checking that the rows of a trace are consistent ----------------------------------------- */

/* Functions that receive the problems found. Each call gets the trace's name and a sentence, both
 * borrowed during the call. */
struct store_report {
    void *context;
    void (*found)(void *context, const char *trace, const char *what);
    /* Receives problems of data that can be rebuilt from events, or that belong to no trace
     * (annotate/repair.h). If NULL, `found` receives these problems, too. */
    void (*found_derived)(void *context, const char *trace, const char *what);
};

/* Reports a problem of data that can be rebuilt from events. */
void store_report_derived(const struct store_report *report, const char *trace, const char *what);

/* Reports each rule that a trace breaks. Returns false only if the check itself failed. */
bool store_check(struct database *database, const struct catalog_trace *const *traces, size_t count,
                 const struct store_report *report, struct error *error);

/* --- checking that values have the types of their columns ------------------------------------- */

/* Checks in all tables that values have the declared type of their column, and that each row
 * belongs to a trace. SQLite stores any value in any column: another program may have stored text
 * or fractions in integer columns. All other checks rely on these types. */

struct type_check {
    struct database *database; /* borrowed; the database to check */
    struct database schema;    /* in-memory database with the expected tables, without rows */
    struct type_rule *rules;   /* owned; one for each table */
    size_t count;
};

/* Prepares the check. Call type_check_close() in any case. */
bool type_check_open(struct type_check *check, struct database *database, struct error *error);
void type_check_close(struct type_check *check);

/* Reports the first value of a wrong type in each table of a trace. Sets `*sound` to whether there
 * was none. Returns false only if checking itself failed. */
bool type_check_trace(struct type_check *check, const struct catalog_trace *trace,
                      const struct store_report *report, bool *sound, struct error *error);

/* Reports tables with rows that belong to no trace. Returns false only if the check itself failed.
 */
bool type_check_orphans(struct type_check *check, const struct store_report *report,
                        struct error *error);

/* Deletes the rows that belong to no trace from all tables with a column `trace`. Sets `*count` to
 * the number of deleted rows. Must be called in a write transaction. */
bool type_check_remove_orphans(struct type_check *check, int64_t *count, struct error *error);

#endif
