/* The schema: its comments, and migration from earlier versions. */
#ifndef TRACETOOL_SCHEMA_H
#define TRACETOOL_SCHEMA_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/resource.h"
#include "store/connection.h"

/* --- comments ------------------------------------------------------------------------------------
 */

/* Documentation of tables and views, from the comments of schema.sql. */

/* A table or view, or one of its columns. Borrowed for the call. */
struct schema_word {
    const char *table;
    const char *column; /* name of the column; "": the whole table */
    const char *what;   /* description of it, one line; may be "" */
};

/* Calls `take` for each table and view, each followed by its columns, until it returns false;
 * returns its last result. */
bool schema_words(bool (*take)(void *context, const struct schema_word *word, struct error *error),
                  void *context, struct error *error);

/* --- migration -----------------------------------------------------------------------------------
 */

/* Migrates a database to a later schema version.
 *
 * Step N, from version N to N + 1, is the resource migrate-N, from the file
 * src/store/migrate-N.sql. A step adds columns to existing tables. After the last step the schema
 * itself runs, to add new tables and recreate the views.
 */

/* Returns the oldest version with steps to `version`; `version` itself if there are none. `schema`
 * holds the steps and "schema". */
int64_t migration_oldest(const struct resource *schema, int64_t version);

/* Migrates the database to `version` in one transaction. Two programs may try at once, so it reads
 * the version under the lock; it must be at least migration_oldest(). After a failure the
 * transaction is still open; closing the connection rolls it back. */
bool migration_run(struct database *database, const struct resource *schema, int64_t version,
                   struct error *error);

#endif
