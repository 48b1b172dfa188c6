/* Sends a trace to a store, exactly once, whatever fails and when: all rows are sent under the
 * number of an attempt, the server is asked for their count and checksum, and only when both are
 * right one more row commits it. What was not committed nobody sees.
 */
#ifndef TRACETOOL_REMOTE_PUSH_H
#define TRACETOOL_REMOTE_PUSH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "remote/client.h"
#include "remote/contents.h"
#include "store/catalog.h"

/* Rows and bytes of a request; of so many rows a server makes one block, which is there or not. A
 * single row may be larger. */
#define PUSH_MOST_ROWS  1000000
#define PUSH_MOST_BYTES ((size_t)32 << 20)

/* How often a trace is sent anew when what arrived is something else. */
#define PUSH_MOST_ATTEMPTS 3

/* Seconds after which an attempt is given up: `store sweep` may be at work on it. */
#define PUSH_MOST_SECONDS (20 * 3600)

enum push_result {
    PUSH_SENT,
    PUSH_WAS_THERE,           /* wherever its files lay, and however they were packed */
    PUSH_WAS_THERE_OTHERWISE, /* with other names, or counts: nothing was sent */
};

struct push_outcome {
    enum push_result result;
    int64_t rows, bytes; /* that were sent; 0 when nothing was */
    bool events;         /* they were sent, too */
    unsigned attempts;
    char hash[33];
};

/* Traces that share requests: of small ones a server would have many small parts to merge. */
#define PUSH_MOST_TRACES CONTENTS_MOST_ARRIVALS

/* Called with the outcome for each trace, when it is in the store. */
struct push_listener {
    void (*take)(void *context, const struct catalog_trace *trace,
                 const struct push_outcome *outcome);
    void *context;
};

/* Pushes these traces in their order. `database` is open for reading: what is sent is of one
 * moment. A trace that is there without events is sent again where `events` asks for them. A log
 * that is there with another number of events, so imported with other options, is an error. Then,
 * too, all that `listener` was told of are in the store; without an error that is all. */
bool push_traces(struct remote *remote, struct database *database,
                 const struct catalog_trace *const *traces, size_t count, bool events,
                 const struct push_listener *listener, struct error *error);

#endif
