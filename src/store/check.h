/* The rules that the rows of a sound trace keep, but for its rollups (analysis/recount.h). */
#ifndef TRACETOOL_STORE_CHECK_H
#define TRACETOOL_STORE_CHECK_H

#include "store/catalog.h"

/* --- rules ---------------------------------------------------------------------------------------
 */

/* Who hears what is wrong: the name of the trace and a sentence, both borrowed for the call. */
struct store_report {
    void *context;
    void (*found)(void *context, const char *trace, const char *what);
    /* Of what can be made anew of the events, or is of no trace (annotate/repair.h); NULL: `found`
     * hears that, too. */
    void (*found_derived)(void *context, const char *trace, const char *what);
};

/* Tells of what can be made anew. */
void store_report_derived(const struct store_report *report, const char *trace, const char *what);

/* Reports every rule that a trace breaks. False only when the check itself failed. */
bool store_check(struct database *database, const struct catalog_trace *const *traces, size_t count,
                 const struct store_report *report, struct error *error);

/* --- types of values -----------------------------------------------------------------------------
 */

/* What holds of any table of the schema: the values in a trace's rows are of the types that their
 * columns are declared with, and each row is some trace's. SQLite takes any value anywhere, so that
 * another program may have put text or fractions where whole numbers belong: then no other rule
 * means anything. */

struct type_check {
    struct database *database; /* borrowed */
    struct database schema;    /* an empty one, with nothing but the tables as they should be */
    struct type_rule *rules;   /* owned; one a table */
    size_t count;
};

/* To be closed in any case. */
bool type_check_open(struct type_check *check, struct database *database, struct error *error);
void type_check_close(struct type_check *check);

/* Reports the first value of each table that is of another type; `*sound`: there is none. False
 * only when the check itself failed. */
bool type_check_trace(struct type_check *check, const struct catalog_trace *trace,
                      const struct store_report *report, bool *sound, struct error *error);

/* Reports the tables that have rows of no trace at all. False only when the check itself failed. */
bool type_check_strangers(struct type_check *check, const struct store_report *report,
                          struct error *error);

/* Deletes the rows of no trace from all tables with a column `trace`; `*count` is how many there
 * were. To be called in a transaction that writes. */
bool type_check_remove_strangers(struct type_check *check, int64_t *count, struct error *error);

#endif
