/* Copies traces from one database to another, table by table, with the columns of the target's
 * schema. Tables and columns that others added to the source are not copied.
 *
 *     transfer_attach()                 attaches the source as `source` to the target's connection
 *     transfer_open(), transfer_trace() for each trace, transfer_close()
 *     transfer_detach()
 *
 * All calls are in one transaction, so catalog and rows are from one snapshot, even if others write
 * to the source meanwhile.
 *
 * Rows are written in their final form, so that the target file never contains other data. */
#ifndef TRACETOOL_TRANSFER_H
#define TRACETOOL_TRANSFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "store/catalog.h"

/* Tables with ids that other tables refer to, in the order of `shift`. */
enum transfer_id {
    TRANSFER_TRACE,
    TRANSFER_SOURCE,
    TRANSFER_EVENT,
    TRANSFER_NAME,
    TRANSFER_ACTOR,
    TRANSFER_OBJECT,
    TRANSFER_IDS,
    TRANSFER_PLAIN = TRANSFER_IDS, /* the column has no ids */
};

/* Numbers of SQL parameters in the copying statements: the first of the shifts (what to add to ids,
 * by table), and one that the caller sets for each trace. */
#define TRANSFER_FIRST_SHIFT 4
#define TRANSFER_OWN         (TRANSFER_FIRST_SHIFT + TRANSFER_IDS)

/* Rules for changing columns during the copy. */
struct transfer_rules {
    /* Appends the SQL expression for a column (declared with `type`) of row `t` of a table. It may
     * use parameters TRANSFER_FIRST_SHIFT to TRANSFER_OWN. If it appends nothing, the column is
     * copied unchanged. */
    void (*column)(const char *table, const char *column, const char *type, struct text *sql);
    const char *left_out; /* names of tables that are not copied, separated by spaces; or NULL */
};

/* A trace of the source database, and values of the parameters for it. */
struct transfer_trace {
    int64_t id, first_event, last_event; /* last < first: the trace has no events */
    int64_t shift[TRANSFER_IDS];
    int64_t own;
};

struct transfer {
    struct database *database; /* borrowed */
    sqlite3_stmt **inserts;    /* owned; one copying statement per table */
    size_t count;
};

/* Attaches the database `path`, begins the transaction, and reads the source's traces. Another
 * connection must have opened `path` for reading, which checks its version and log; that connection
 * may see an earlier state. On failure, nothing needs to be freed. */
bool transfer_attach(struct database *database, const char *path, struct catalog *catalog,
                     struct error *error);

/* Commits the transaction and detaches the source. */
bool transfer_detach(struct database *database, struct error *error);

/* Prepares the copying statements. Call transfer_close() also on failure. */
bool transfer_open(struct transfer *transfer, struct database *database,
                   const struct transfer_rules *rules, struct error *error);
bool transfer_trace(struct transfer *transfer, const struct transfer_trace *trace,
                    struct error *error);
void transfer_close(struct transfer *transfer);

/* Returns the table whose ids a column has; TRANSFER_PLAIN if it has no ids. */
enum transfer_id transfer_referenced(const char *table, const char *column);

/* For transfer_rules.column: appends SQL that adds the table's shift to the ids in a column. 0 is
 * no id. Values that are no integers are copied unchanged, so that `check` can report them. Appends
 * nothing for columns without ids. */
void transfer_append_shifted(const char *table, const char *column, const char *type,
                             struct text *sql);

/* Returns the name of the table with these ids. */
const char *transfer_table_name(enum transfer_id id);

#endif
