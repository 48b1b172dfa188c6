#include "store/migration.h"

#include <stdio.h>

/* The step from a version to the next one; NULL: there is none. */
static const char *step_from(const struct resource *schema, int64_t version) {
    char name[32];

    snprintf(name, sizeof name, "migrate-%lld", (long long)version);
    return resource_find(schema, name);
}

int64_t migration_oldest(const struct resource *schema, int64_t version) {
    while (step_from(schema, version - 1) != NULL) {
        version--;
    }
    return version;
}

bool migration_run(struct database *database, const struct resource *schema, int64_t version,
                   struct error *error) {
    char number[64];
    int64_t from;
    bool done = database_run(database, "BEGIN IMMEDIATE", error) &&
                database_integer(database, "PRAGMA user_version", 0, 0, &from, error);

    for (; done && from < version; from++) {
        done = database_run(database, step_from(schema, from), error);
    }
    snprintf(number, sizeof number, "PRAGMA user_version = %lld; COMMIT", (long long)version);
    return done && database_run(database, resource_find(schema, "schema"), error) &&
           database_run(database, number, error);
}
