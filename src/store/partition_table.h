/* The partitions of a trace, as the configuration gave them at import or `tracetool name` later. */
#ifndef TRACETOOL_PARTITION_TABLE_H
#define TRACETOOL_PARTITION_TABLE_H

#include "config/config.h"
#include "store/database.h"

struct partitions {
    struct config_partition *entries; /* owned */
    size_t count;
};

/* Replaces what the table holds for the trace. */
bool partitions_write(struct database *database, int64_t trace,
                      const struct config_partition *entries, size_t count, struct error *error);

/* Reads them, in the order in which they were given. On failure nothing needs freeing. */
bool partitions_read(struct database *database, int64_t trace, struct partitions *partitions,
                     struct error *error);

void partitions_free(struct partitions *partitions);

#endif
