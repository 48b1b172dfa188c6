/* Copies traces from one database to another, table by table, with the columns of the target's
 * schema; foreign additions to the source are left behind.
 *
 *     transfer_attach()                 attaches the source as `source` to the target's connection
 *     transfer_open(), transfer_trace() for each trace, transfer_close()
 *     transfer_detach()
 *
 * All calls are in one transaction: the catalog and the rows are from one snapshot, whoever writes
 * to the source meanwhile.
 *
 * Rows are final when written, so that the target file never contains other data.
 */
#ifndef TRACETOOL_TRANSFER_H
#define TRACETOOL_TRANSFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "store/catalog.h"

/* Tables whose ids other tables have, in the order of `shift`. */
enum transfer_id {
    TRANSFER_TRACE,
    TRANSFER_SOURCE,
    TRANSFER_EVENT,
    TRANSFER_NAME,
    TRANSFER_ACTOR,
    TRANSFER_OBJECT,
    TRANSFER_IDS,
    TRANSFER_PLAIN = TRANSFER_IDS, /* for a column that holds no ids */
};

/* Numbers of SQL parameters in the copying statements: from here on, what to add to ids by table;
 * and one that the caller sets for each trace. */
#define TRANSFER_FIRST_SHIFT 4
#define TRANSFER_OWN         (TRANSFER_FIRST_SHIFT + TRANSFER_IDS)

/* How columns are changed when they are copied. */
struct transfer_rules {
    /* Appends the SQL for a column (declared with `type`) of row t of a table; it may use the
     * parameters above. If it appends nothing, the column is copied as it is. */
    void (*column)(const char *table, const char *column, const char *type, struct text *sql);
    const char *left_out; /* names of tables that are not copied, separated by blanks; NULL: none */
};

/* A trace of the source database, and the parameters for it. */
struct transfer_trace {
    int64_t id, first_event, last_event; /* last < first: the trace has no events */
    int64_t shift[TRANSFER_IDS];
    int64_t own;
};

struct transfer {
    struct database *database; /* borrowed */
    sqlite3_stmt **inserts;    /* owned; the statement that copies each table */
    size_t count;
};

/* Begins the transaction and reads the source's traces. `path` must be open for reading on another
 * connection, so that its version was checked and its log is consistent; that one may see an
 * earlier state. Nothing needs freeing after a failure. */
bool transfer_attach(struct database *database, const char *path, struct catalog *catalog,
                     struct error *error);

/* Commits. */
bool transfer_detach(struct database *database, struct error *error);

/* Compiles the statements. Call transfer_close() in any case. */
bool transfer_open(struct transfer *transfer, struct database *database,
                   const struct transfer_rules *rules, struct error *error);
bool transfer_trace(struct transfer *transfer, const struct transfer_trace *trace,
                    struct error *error);
void transfer_close(struct transfer *transfer);

/* Returns the table whose ids a column holds; TRANSFER_PLAIN if it holds none. */
enum transfer_id transfer_referenced(const char *table, const char *column);

/* For transfer_rules.column: appends SQL that adds to ids what the table's parameter says
 * (TRANSFER_FIRST_SHIFT). 0 is no id, and values that are no integers stay, for `check` to report.
 * Appends nothing for columns without ids. */
void transfer_append_shifted(const char *table, const char *column, const char *type,
                             struct text *sql);

/* Returns the name of the table with these ids. */
const char *transfer_table_name(enum transfer_id id);

#endif
