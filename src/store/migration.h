/* Brings a database of an earlier schema version to a later one.
 *
 * Step N leads from version N to N + 1: the text migrate-N beside the schema, which is the file
 * src/store/migrate-N.sql. A step adds columns to tables that are there. Behind the last step the
 * schema itself runs: it adds new tables and makes the views anew.
 */
#ifndef TRACETOOL_MIGRATION_H
#define TRACETOOL_MIGRATION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/resource.h"
#include "store/connection.h"

/* The oldest version from which steps lead to `version`; `version` itself where there are none.
 * `schema` holds the steps and "schema". */
int64_t migration_oldest(const struct resource *schema, int64_t version);

/* Migrates the database to `version`, in one transaction. Two programs may try at once: the version
 * is read under the lock, and must be migration_oldest() or later. After a failure the transaction
 * is still open, and closing the connection takes it back. */
bool migration_run(struct database *database, const struct resource *schema, int64_t version,
                   struct error *error);

#endif
