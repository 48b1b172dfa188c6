/* Sends (pushes) a trace to a store exactly once, even if requests fail or are repeated. An attempt
 * is one upload of a trace; all its rows have its number. After sending, the server is asked for
 * the number of rows and their checksums. Only if both are right, a row in table `trace` commits
 * the attempt. Reports never read rows of uncommitted attempts. */
#ifndef TRACETOOL_REMOTE_PUSH_H
#define TRACETOOL_REMOTE_PUSH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "remote/client.h"
#include "store/catalog.h"
#include "remote/statements.h"

/* Limit of the number of tables in remote_tables. */
#define REMOTE_MOST_TABLES 64

/* Rows of a trace in one table. Arrays of this struct have the order of remote_tables. */
struct content {
    uint64_t rows, sum; /* `sum`: sum of checksum_row() over the rows */
};

/* Returns the checksum of all event tables, or of all other tables except `trace`. */
uint64_t contents_sum(const struct content *contents, bool of_events);

/* Appends the number of rows of each table that has rows: "TABLE=ROWS TABLE=ROWS". */
void contents_append_rows(struct text *text, const struct content *contents);

/* Parses a text of contents_append_rows() into an array in the order of remote_tables. Ignores
 * tables that this version does not know. `*known` is false if the text is empty: rows were not
 * counted at sending. Returns false if the text is malformed. */
bool contents_parse_rows(const char *bytes, size_t length, int64_t rows[REMOTE_MOST_TABLES],
                         bool *known);

/* Limit of attempts (uploads) whose rows are counted by one SQL statement. */
#define CONTENTS_MOST_ARRIVALS 64

/* An attempt (upload): the rows that were sent, and the rows that the server has. */
struct arrival {
    struct upload_key pair;
    const struct content *sent; /* borrowed */
    struct content there[REMOTE_MOST_TABLES];
    bool right; /* true: sent and stored rows are equal */
};

/* Asks the server which rows of 1 to CONTENTS_MOST_ARRIVALS attempts it has. Sets `there` and
 * `right` of each arrival. `events`: also asks for event tables. */
bool contents_query(struct remote *remote, struct arrival *arrivals, size_t count, bool events,
                    struct error *error);

/* Limits of rows and bytes in a request. A server stores up to so many rows as one block, all or
 * none. A single row may have more bytes. */
#define PUSH_MOST_ROWS  1000000
#define PUSH_MOST_BYTES ((size_t)32 << 20)

/* Limit of uploads of a trace, if stored rows differ from sent rows. */
#define PUSH_MOST_ATTEMPTS 3

/* An attempt fails after so many seconds, because `store sweep` might delete its rows. */
#define PUSH_MOST_SECONDS (20 * 3600)

enum push_result {
    PUSH_SENT,
    PUSH_WAS_THERE, /* the store already had the trace with equal rows; paths and compression of its
                       log files may differ */
    PUSH_WAS_THERE_OTHERWISE, /* the store already had the trace, but with other names or counts;
                                 nothing was sent */
};

struct push_outcome {
    enum push_result result;
    int64_t rows, bytes; /* rows: number of rows sent; bytes: of their bytes; 0: none was sent */
    bool events;         /* true: the events were sent, too */
    unsigned attempts;
    char hash[33];
};

/* Limit of traces that are sent together. Sending small traces one by one would create many small
 * parts, which ClickHouse must merge. */
#define PUSH_MOST_TRACES CONTENTS_MOST_ARRIVALS

/* `take` is called with the result for each trace, once the trace is in the store. */
struct push_listener {
    void (*take)(void *context, const struct catalog_trace *trace,
                 const struct push_outcome *outcome);
    void *context;
};

/* Sends traces in order. `database` has an open read transaction, so that all rows are consistent.
 * `events`: also sends events; traces that the store has without events are sent again. It is an
 * error if the store has the same log with another number of events (imported with other options).
 * After an error, the store has the traces that `listener` was called for; after success, all
 * traces. */
bool push_traces(struct remote *remote, struct database *database,
                 const struct catalog_trace *const *traces, size_t count, bool events,
                 const struct push_listener *listener, struct error *error);

#endif
