/* How many rows a store has of a trace, table by table, and their checksums. */
#ifndef TRACETOOL_REMOTE_CONTENTS_H
#define TRACETOOL_REMOTE_CONTENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "remote/client.h"
#include "remote/statements.h"

/* At least as many as there are in remote_tables. */
#define REMOTE_MOST_TABLES 32

/* Of one table, in the order of remote_tables. */
struct content {
    uint64_t rows, sum; /* sum: checksum.h */
};

/* One checksum of all tables but `trace`: those of events, or the others. */
uint64_t contents_sum(const struct content *contents, bool of_events);

/* Asks the server for what arrived of an attempt: `*right` when it is what was sent. */
bool contents_arrived(struct remote *remote, const struct remote_pair *pair, bool events,
                      const struct content *sent, bool *right, struct error *error);

#endif
