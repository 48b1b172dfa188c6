/* How many rows a store has of a trace, table by table, and their checksums. */
#ifndef TRACETOOL_REMOTE_CONTENTS_H
#define TRACETOOL_REMOTE_CONTENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "remote/client.h"
#include "remote/statements.h"

/* At least as many as there are in remote_tables. */
#define REMOTE_MOST_TABLES 64

/* Of one table, in the order of remote_tables. */
struct content {
    uint64_t rows, sum; /* sum: of checksum_row() */
};

/* One checksum of all tables but `trace`: those of events, or the others. */
uint64_t contents_sum(const struct content *contents, bool of_events);

/* Appends how many rows there are of each table that has any: "TABLE=ROWS TABLE=ROWS". */
void contents_append_rows(struct text *text, const struct content *contents);

/* Reads that, in the order of remote_tables; tables that this version does not know are passed
 * over. Where nothing stands, `*known` is false: who pushed the trace did not count. False: it is
 * something else. */
bool contents_parse_rows(const char *bytes, size_t length, int64_t rows[REMOTE_MOST_TABLES],
                         bool *known);

/* Attempts that one statement verifies. */
#define CONTENTS_MOST_ARRIVALS 64

/* What was sent of an attempt, and what of it is there. */
struct arrival {
    struct remote_pair pair;
    const struct content *sent; /* borrowed */
    struct content there[REMOTE_MOST_TABLES];
    bool right; /* both are the same */
};

/* Asks the server what it has of 1 to CONTENTS_MOST_ARRIVALS attempts, with or without their
 * events. */
bool contents_ask(struct remote *remote, struct arrival *arrivals, size_t count, bool events,
                  struct error *error);

#endif
