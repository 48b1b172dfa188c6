/* Pushes a trace to a store exactly once, whatever fails and when.
 *
 * All rows are sent under the number of an attempt. Then the server is asked for their count and
 * checksum. Only if both are right, one more row commits the attempt. Uncommitted rows are never
 * visible. */
#ifndef TRACETOOL_REMOTE_PUSH_H
#define TRACETOOL_REMOTE_PUSH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "remote/client.h"
#include "store/catalog.h"
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

/* Parses a text of contents_append_rows(), in the order of remote_tables; skips tables that this
 * version does not know. If the text is empty, `*known` is false: the rows were not counted when
 * the trace was pushed. False if malformed. */
bool contents_parse_rows(const char *bytes, size_t length, int64_t rows[REMOTE_MOST_TABLES],
                         bool *known);

/* Limit of attempts to push a trace (arrivals) whose rows one SQL statement counts. */
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

/* Limits of rows and bytes per request. A server stores that many rows as one block, atomically. A
 * single row may be larger. */
#define PUSH_MOST_ROWS  1000000
#define PUSH_MOST_BYTES ((size_t)32 << 20)

/* Limit of attempts to send a trace if the received rows differ. */
#define PUSH_MOST_ATTEMPTS 3

/* Seconds after which an attempt is abandoned, because `store sweep` may delete its rows. */
#define PUSH_MOST_SECONDS (20 * 3600)

enum push_result {
    PUSH_SENT,
    PUSH_WAS_THERE,           /* the store had the trace with the same contents; file locations and
                                 compression may differ */
    PUSH_WAS_THERE_OTHERWISE, /* the store had the trace with other names or counts; nothing was
                                 sent */
};

struct push_outcome {
    enum push_result result;
    int64_t rows, bytes; /* rows and bytes sent; 0 if none */
    bool events;         /* the events were sent, too */
    unsigned attempts;
    char hash[33];
};

/* Limit of traces that share requests: sent one by one, small traces would leave many small parts
 * to merge on the server. */
#define PUSH_MOST_TRACES CONTENTS_MOST_ARRIVALS

/* Called with the outcome of each trace when it is in the store. */
struct push_listener {
    void (*take)(void *context, const struct catalog_trace *trace,
                 const struct push_outcome *outcome);
    void *context;
};

/* Pushes the traces in order. `database` is open for reading, so all rows are of one moment. A
 * trace in the store without events is sent again if `events` is true. If the store has the log
 * with another number of events, it was imported with other options: an error. After an error, all
 * traces reported to `listener` are still in the store; without one, all traces are. */
bool push_traces(struct remote *remote, struct database *database,
                 const struct catalog_trace *const *traces, size_t count, bool events,
                 const struct push_listener *listener, struct error *error);

#endif
