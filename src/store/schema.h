/* The schema: what its comments say, and steps from earlier versions. */
#ifndef TRACETOOL_SCHEMA_H
#define TRACETOOL_SCHEMA_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/resource.h"
#include "store/connection.h"

/* --- comments ------------------------------------------------------------------------------------
 */

/* The tables and views of a database in words: what the comments of schema.sql say of them. */

/* A table or view, or one of its columns. Borrowed for the call that gives it. */
struct schema_word {
    const char *table;
    const char *column; /* "": of the table as a whole */
    const char *what;   /* one line, "" for nothing */
};

/* Calls `take` for each table and view, and behind it for each of its columns, until it returns
 * false: then that is returned. */
bool schema_words(bool (*take)(void *context, const struct schema_word *word, struct error *error),
                  void *context, struct error *error);

/* --- migration -----------------------------------------------------------------------------------
 */

/* Brings a database of an earlier schema version to a later one.
 *
 * Step N leads from version N to N + 1: the text migrate-N beside the schema, which is the file
 * src/store/migrate-N.sql. A step adds columns to tables that are there. Behind the last step the
 * schema itself runs: it adds new tables and makes the views anew.
 */

/* The oldest version from which steps lead to `version`; `version` itself where there are none.
 * `schema` holds the steps and "schema". */
int64_t migration_oldest(const struct resource *schema, int64_t version);

/* Migrates the database to `version`, in one transaction. Two programs may try at once: the version
 * is read under the lock, and must be migration_oldest() or later. After a failure the transaction
 * is still open, and closing the connection takes it back. */
bool migration_run(struct database *database, const struct resource *schema, int64_t version,
                   struct error *error);

#endif
