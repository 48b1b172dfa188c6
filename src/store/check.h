/* Consistency rules for the rows of a trace, except rollups (analysis/recount.h). */
#ifndef TRACETOOL_STORE_CHECK_H
#define TRACETOOL_STORE_CHECK_H

#include "store/catalog.h"

/* --- rules ---------------------------------------------------------------------------------------
 */

/* Receiver of problems. The trace's name and a sentence are borrowed for the call. */
struct store_report {
    void *context;
    void (*found)(void *context, const char *trace, const char *what);
    /* Problems of data that can be rebuilt from events, or that belong to no trace
     * (annotate/repair.h). NULL: passes them to `found`. */
    void (*found_derived)(void *context, const char *trace, const char *what);
};

/* Reports a problem of data that can be rebuilt. */
void store_report_derived(const struct store_report *report, const char *trace, const char *what);

/* Reports every rule that a trace violates. False only if the check itself failed. */
bool store_check(struct database *database, const struct catalog_trace *const *traces, size_t count,
                 const struct store_report *report, struct error *error);

/* --- types of values -----------------------------------------------------------------------------
 */

/* Checks for all tables that values have their column's declared type and that each row belongs to
 * a trace. SQLite accepts any value in any column, so another program may have stored text or
 * fractions for integers. The other rules rely on this one. */

struct type_check {
    struct database *database; /* borrowed */
    struct database schema;    /* an empty database with the expected tables */
    struct type_rule *rules;   /* owned; one per table */
    size_t count;
};

/* Must always be closed. */
bool type_check_open(struct type_check *check, struct database *database, struct error *error);
void type_check_close(struct type_check *check);

/* Reports the first value of a wrong type in each table; `*sound`: there is none. False only if the
 * check itself failed. */
bool type_check_trace(struct type_check *check, const struct catalog_trace *trace,
                      const struct store_report *report, bool *sound, struct error *error);

/* Reports the tables that have rows without a trace. False only if the check itself failed. */
bool type_check_orphans(struct type_check *check, const struct store_report *report,
                        struct error *error);

/* Deletes the rows without a trace from all tables with a column `trace`; `*count` receives their
 * number. Call within a write transaction. */
bool type_check_remove_orphans(struct type_check *check, int64_t *count, struct error *error);

#endif
