/* What becomes of a batch between the importer and the writer: its events are counted in the
 * tallies of their trace, coded as columns, and made rows. A thread of its own does so, batch after
 * batch.
 */
#ifndef TRACETOOL_DERIVE_H
#define TRACETOOL_DERIVE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "model/event_columns.h"

struct column_coder;
struct import;
struct import_run;
struct store;

/* The thread. All but `thread` is its own until it was joined. */
struct deriver {
    struct import_run *run;
    const struct store *stores; /* borrowed; of the traces of the run */
    pthread_t thread;
    size_t batches;               /* taken */
    struct column_coder *coder;   /* owned */
    struct event_columns columns; /* owned; of a batch: those that the importer sets, and
                                     latencies need */
    struct error error;
    bool failed; /* `error` says why; then the import has been stopped */
};

/* Starts the thread, which takes batches from the queue of the run and gives them on to the writer,
 * until there are no more or the queue is stopped. */
bool deriver_start(struct deriver *deriver, struct import_run *run, const struct store *stores,
                   struct error *error);

/* Waits for its end. */
void deriver_join(struct deriver *deriver);

/* Counts rows in the tallies of a trace of spans, by the importer's thread: calls are counted when
 * they have ended. */
void derive_count_spans(struct import *import, const struct event *rows, size_t total);

#endif
