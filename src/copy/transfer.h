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

/* Tables with ids that others refer to, in the order of `shift`. */
enum transfer_id {
    TRANSFER_TRACE,
    TRANSFER_SOURCE,
    TRANSFER_EVENT,
    TRANSFER_NAME,
    TRANSFER_ACTOR,
    TRANSFER_OBJECT,
    TRANSFER_IDS,
    TRANSFER_PLAIN = TRANSFER_IDS, /* a column that is not an id */
};

/* SQL parameters of the copying statements: the first of the shifts of ids, and the id of each
 * trace. */
#define TRANSFER_FIRST_SHIFT 4
#define TRANSFER_OWN         (TRANSFER_FIRST_SHIFT + TRANSFER_IDS)

/* Conversion of columns. */
struct transfer_rules {
    /* Appends the SQL for `column` (declared with `type`) of `table`, for each row `t`; it may use
     * the parameters above. If nothing is appended, the column is copied unchanged. */
    void (*column)(const char *table, const char *column, const char *type, struct text *sql);
    const char *left_out; /* tables to omit, separated by blanks; NULL: none */
};

/* A trace of the source, and the values of the parameters. */
struct transfer_trace {
    int64_t id, first_event, last_event; /* last < first: no events */
    int64_t shift[TRANSFER_IDS];
    int64_t own;
};

struct transfer {
    struct database *database; /* borrowed */
    sqlite3_stmt **inserts;    /* owned; one per table */
    size_t count;
};

/* Begins the transaction and loads the source's catalog. `path` must be open for reading on a
 * separate connection, which ensures its version and a consistent log; that connection may see an
 * earlier snapshot. On failure the catalog needs no freeing. */
bool transfer_attach(struct database *database, const char *path, struct catalog *catalog,
                     struct error *error);

/* Commits. */
bool transfer_detach(struct database *database, struct error *error);

/* Must always be closed. */
bool transfer_open(struct transfer *transfer, struct database *database,
                   const struct transfer_rules *rules, struct error *error);
bool transfer_trace(struct transfer *transfer, const struct transfer_trace *trace,
                    struct error *error);
void transfer_close(struct transfer *transfer);

/* Returns the table whose ids a column holds; TRANSFER_PLAIN: none. */
enum transfer_id transfer_reference(const char *table, const char *column);

/* A column rule that shifts references (TRANSFER_FIRST_SHIFT). 0 is no reference; values that are
 * not integers stay, for `check` to report. Appends nothing for other columns. */
void transfer_append_shifted(const char *table, const char *column, const char *type,
                             struct text *sql);

/* Returns the table of these ids. */
const char *transfer_table(enum transfer_id id);

#endif
