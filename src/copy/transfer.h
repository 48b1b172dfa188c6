/* Copies traces from one database into another, table by table and column by column, as the schema
 * of the other one has them: what else somebody put into the first stays behind.
 *
 *     transfer_attach()                 the first database is `source` on the other's connection
 *     transfer_open(), transfer_trace() for each trace, transfer_close()
 *     transfer_detach()
 *
 * Between the first and the last call lies one transaction: the catalog and the rows are of one
 * moment, whoever writes to the first database meanwhile.
 *
 * Rows are never changed once they are there, so that the other file holds nothing but what was to
 * be copied.
 */
#ifndef TRACETOOL_TRANSFER_H
#define TRACETOOL_TRANSFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "store/catalog.h"

/* Tables whose ids others refer to, in the order of `shift`. */
enum transfer_id {
    TRANSFER_TRACE,
    TRANSFER_SOURCE,
    TRANSFER_EVENT,
    TRANSFER_NAME,
    TRANSFER_ACTOR,
    TRANSFER_OBJECT,
    TRANSFER_IDS,
    TRANSFER_PLAIN = TRANSFER_IDS, /* a column that is no id */
};

/* Parameters of the expressions below: the first of the shifts, and what one trace has of its own.
 */
#define TRANSFER_FIRST_SHIFT 4
#define TRANSFER_OWN         (TRANSFER_FIRST_SHIFT + TRANSFER_IDS)

/* How columns are copied. */
struct transfer_rules {
    /* Appends the SQL that `column` (declared with `type`) of `table` becomes, row by row of `t`;
     * it may have the parameters above. Nothing appended: the column is copied as it is. */
    void (*column)(const char *table, const char *column, const char *type, struct text *sql);
    const char *left_out; /* a table that is not copied; NULL: none */
};

/* A trace of the first database, and the values of the parameters. */
struct transfer_trace {
    int64_t id, first_event, last_event; /* last < first: no events */
    int64_t shift[TRANSFER_IDS];
    int64_t own;
};

struct transfer {
    struct database *database; /* borrowed */
    sqlite3_stmt **inserts;    /* owned; one a table */
    size_t count;
};

/* Begins the transaction and loads the catalog of the first database. `path` is that of a database
 * that is open for reading on a connection of its own, which sees to its version and its log; what
 * that connection reads may be of an earlier moment. On failure the catalog needs no freeing. */
bool transfer_attach(struct database *database, const char *path, struct catalog *catalog,
                     struct error *error);

/* Commits. */
bool transfer_detach(struct database *database, struct error *error);

/* To be closed in any case. */
bool transfer_open(struct transfer *transfer, struct database *database,
                   const struct transfer_rules *rules, struct error *error);
bool transfer_trace(struct transfer *transfer, const struct transfer_trace *trace,
                    struct error *error);
void transfer_close(struct transfer *transfer);

/* Whose id a column holds; TRANSFER_PLAIN: none. */
enum transfer_id transfer_reference(const char *table, const char *column);

/* A rule for columns: what refers to something is shifted (TRANSFER_FIRST_SHIFT); 0 refers to
 * nothing, and what is no integer stays for `check`. Of other columns nothing is appended. */
void transfer_append_shifted(const char *table, const char *column, const char *type,
                             struct text *sql);

/* The table of these ids. */
const char *transfer_table(enum transfer_id id);

#endif
