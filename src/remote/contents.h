/* Row counts and checksums of a trace in a store, by table. */
#ifndef TRACETOOL_REMOTE_CONTENTS_H
#define TRACETOOL_REMOTE_CONTENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "remote/client.h"
#include "remote/statements.h"

/* Limit of tables; at least the number of remote_tables. */
#define REMOTE_MOST_TABLES 64

/* Contents of one table, in the order of remote_tables. */
struct content {
    uint64_t rows, sum; /* sum: of checksum_row() */
};

/* Returns one checksum of all tables but `trace`: of those of events, or of the others. */
uint64_t contents_sum(const struct content *contents, bool of_events);

/* Appends the row counts of all tables that are not empty: "TABLE=ROWS TABLE=ROWS". */
void contents_append_rows(struct text *text, const struct content *contents);

/* Parses such a text, in the order of remote_tables; skips tables that this version does not know.
 * If the text is empty, `*known` is false: the rows were not counted when the trace was pushed.
 * False if malformed. */
bool contents_parse_rows(const char *bytes, size_t length, int64_t rows[REMOTE_MOST_TABLES],
                         bool *known);

/* Limit of attempts that one statement verifies. */
#define CONTENTS_MOST_ARRIVALS 64

/* The rows sent for an attempt, and those that arrived. */
struct arrival {
    struct remote_pair pair;
    const struct content *sent; /* borrowed */
    struct content there[REMOTE_MOST_TABLES];
    bool right; /* sent and arrived rows are the same */
};

/* Asks the server for the contents of 1 to CONTENTS_MOST_ARRIVALS attempts, with or without their
 * events. */
bool contents_query(struct remote *remote, struct arrival *arrivals, size_t count, bool events,
                    struct error *error);

#endif
