/* Sends (pushes) a trace to a store exactly once, whatever fails and when. An attempt is one upload
 * of a trace: all rows have its number. After sending, the server is asked for the number of rows
 * and their checksum. Only if both are right, one more row, in table `trace`, commits the attempt.
 * Reports never read rows of attempts that are not committed. */
#ifndef TRACETOOL_REMOTE_PUSH_H
#define TRACETOOL_REMOTE_PUSH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "remote/client.h"
#include "store/catalog.h"
#include "remote/statements.h"

/* Limit of the tables of a store; remote_tables has no more. */
#define REMOTE_MOST_TABLES 64

/* Rows of a trace in one table. Arrays of it are in the order of remote_tables. */
struct content {
    uint64_t rows, sum; /* `sum`: sum of checksum_row() over the rows */
};

/* Returns one checksum for all tables but `trace`: for the tables of events, or for the others. */
uint64_t contents_sum(const struct content *contents, bool of_events);

/* Appends the number of rows of each table that has any: "TABLE=ROWS TABLE=ROWS". */
void contents_append_rows(struct text *text, const struct content *contents);

/* Parses a text of contents_append_rows() into an array in the order of remote_tables; ignores
 * tables that this version does not know. If the text is empty, `*known` is false: rows were not
 * counted when the trace was sent. Returns false if the text is malformed. */
bool contents_parse_rows(const char *bytes, size_t length, int64_t rows[REMOTE_MOST_TABLES],
                         bool *known);

/* Limit of attempts (uploads of traces) whose rows one SQL statement counts. */
#define CONTENTS_MOST_ARRIVALS 64

/* The rows that were sent for an attempt, and the rows that the server has. */
struct arrival {
    struct remote_pair pair;
    const struct content *sent; /* borrowed */
    struct content there[REMOTE_MOST_TABLES];
    bool right; /* true: sent rows and the server's are equal */
};

/* Asks the server for the rows of 1 to CONTENTS_MOST_ARRIVALS attempts. `events`: also in tables of
 * events. */
bool contents_query(struct remote *remote, struct arrival *arrivals, size_t count, bool events,
                    struct error *error);

/* Limits of a request: rows and bytes. A server stores so many rows as one block, all or none. A
 * single row may have more bytes. */
#define PUSH_MOST_ROWS  1000000
#define PUSH_MOST_BYTES ((size_t)32 << 20)

/* Limit of attempts to send a trace, if the server has other rows than were sent. */
#define PUSH_MOST_ATTEMPTS 3

/* An attempt fails after these seconds, because `store sweep` may delete its rows. */
#define PUSH_MOST_SECONDS (20 * 3600)

enum push_result {
    PUSH_SENT,
    PUSH_WAS_THERE, /* the store had the trace already, with equal rows; places and compression of
                       its log's files may differ */
    PUSH_WAS_THERE_OTHERWISE, /* the store had the trace already, with other names or counts;
                                 nothing was sent */
};

struct push_outcome {
    enum push_result result;
    int64_t rows, bytes; /* number and bytes of the rows sent; 0: none */
    bool events;         /* true: the events were sent, too */
    unsigned attempts;
    char hash[33];
};

/* Limit of traces that are sent together. Small traces sent one by one would leave many small parts
 * for the server to merge. */
#define PUSH_MOST_TRACES CONTENTS_MOST_ARRIVALS

/* Called with the result for each trace, when the trace is in the store. */
struct push_listener {
    void (*take)(void *context, const struct catalog_trace *trace,
                 const struct push_outcome *outcome);
    void *context;
};

/* Sends traces in their order. `database` is open for reading, so all rows are from the same
 * moment. If `events`, a trace that the store has without events is sent again. If the store has
 * the log with another number of events, it was imported with other options: an error. After an
 * error, all traces that `listener` was told about are in the store; without one, all traces
 * are. */
bool push_traces(struct remote *remote, struct database *database,
                 const struct catalog_trace *const *traces, size_t count, bool events,
                 const struct push_listener *listener, struct error *error);

#endif
