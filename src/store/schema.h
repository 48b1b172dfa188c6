/* The schema: descriptions of its tables (comments in schema.sql), and migration of old databases.
 */
#ifndef TRACETOOL_SCHEMA_H
#define TRACETOOL_SCHEMA_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/resource.h"
#include "store/connection.h"

/* --- reading the comments in the SQL of the schema -------------------------------------------- */

/* Describes tables, views and their columns, by the comments in schema.sql. */

/* A table or view, or a column of it. Borrowed during the call. */
struct schema_word {
    const char *table;
    const char *column; /* name of the column; "": this describes the whole table */
    const char *what;   /* description in one line; "": none */
};

/* Calls `take` for each table and view, and after each of them for its columns, until `take`
 * returns false. Returns what `take` returned last. */
bool schema_visit(bool (*take)(void *context, const struct schema_word *word, struct error *error),
                  void *context, struct error *error);

/* --- changing databases of earlier versions --------------------------------------------------- */

/* Migrates a database to a later version of the schema. The step from version N to N + 1 is the SQL
 * of resource migrate-N (src/store/migrate-N.sql); it adds columns to tables. After the last step
 * the schema's SQL runs, which adds new tables and replaces the views. */

/* Returns the oldest version that can be migrated to `version`; `version` itself if none can.
 * `schema` holds the SQL of all steps, and of the schema. */
int64_t migration_oldest(const struct resource *schema, int64_t version);

/* Migrates the database to `version` in one transaction. Its version must be at least
 * migration_oldest(); it is read under the write lock, since another program may be migrating, too.
 * After a failure the transaction is open; closing the connection undoes it. */
bool migration_run(struct database *database, const struct resource *schema, int64_t version,
                   struct error *error);

#endif
