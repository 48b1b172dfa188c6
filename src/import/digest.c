#include "import/digest.h"

#include <stdlib.h>

#include "import/context.h"
#include "store/batch_writer.h"

/* A tally that grew beyond its bound is given up. */
static bool count(struct import *import, unsigned kind, const struct tally_context *context,
                  const struct tally_events *events, size_t from, size_t end, struct error *error) {
    struct tally *tally = &import->tallies[kind];

    if (import->tally_complete[kind] && tally_add(tally, context, events, from, end) < end) {
        if (tally->rows == NULL) {
            return error_no_memory(error);
        }
        import->tally_complete[kind] = false;
        tally_free(tally);
    }
    return true;
}

static bool count_all(struct import *import, const struct tally_context *context,
                      const struct event *first, size_t total, struct error *error) {
    struct tally_events events = tally_events_of(first);
    bool done = true;

    for (size_t from = 0; done && from < total; from += TALLY_AT_ONCE) {
        size_t end = total - from < TALLY_AT_ONCE ? total : from + TALLY_AT_ONCE;

        for (unsigned kind = 0; done && kind < TALLY_KINDS; kind++) {
            done = count(import, kind, context, &events, from, end, error);
        }
    }
    return done;
}

bool digest_count_spans(struct import *import, const struct event *rows, size_t total) {
    return count_all(import, &import->tally_context, rows, total, import->run->error);
}

/* Out of a batch with names that come later they cannot be made; they are at the end. */
static bool add_to_rollups(struct digester *digester, struct import *import,
                           const struct batch *batch) {
    if (batch->mixed) {
        event_rollups_free(import->rollups);
        import->rollups = NULL;
    }
    return import->rollups == NULL ||
           event_rollups_add(import->rollups, batch, &digester->columns, &digester->error);
}

/* Events of which the rows are in files of the system, at least: some 40 MB. */
enum { WRITE_BACK = 64 /* batches */ };

static void write_back(struct digester *digester) {
    if (++digester->batches % WRITE_BACK == 0) {
        store_write_back(digester->stores);
    }
}

static bool digest(struct digester *digester, struct batch *batch) {
    struct import *import = &digester->run->traces[batch->trace];
    const struct store *store = &digester->stores[batch->trace];

    if (import->spans == NULL && !count_all(import, &batch->tally_context, batch->events,
                                            batch->event_count, &digester->error)) {
        return false;
    }
    event_columns_fill(&digester->columns, batch->events, batch->event_count, batch->first_serial,
                       store->first_row);
    event_chunk_encode_columns(&batch->columns, digester->coder, &digester->columns,
                               batch->event_count, digester->run->columns);
    return add_to_rollups(digester, import, batch) &&
           store_make_rows(store, batch, &digester->error);
}

static void *run_digester(void *argument) {
    struct digester *digester = argument;
    struct import_run *run = digester->run;
    bool timed_out = true;
    struct batch *batch;

    while ((batch = queue_take(&run->queue, QUEUE_DIGEST, &timed_out)) != NULL || timed_out) {
        if (batch == NULL) {
            continue;
        }
        if (!digest(digester, batch)) {
            queue_give_empty(&run->queue, batch);
            digester->failed = true;
            run->stop = true;
            queue_stop(&run->queue);
            break;
        }
        queue_give(&run->queue, QUEUE_WRITE, batch);
        write_back(digester);
    }
    queue_close(&run->queue, QUEUE_WRITE);
    return NULL;
}

static bool make_room(struct digester *digester, struct error *error) {
    const struct import_run *run = digester->run;
    unsigned fields = run->columns & ~(unsigned)EVENT_ARGUMENTS;

    for (unsigned i = 0; i < run->trace_count; i++) {
        const struct event_rollups *rollups = run->traces[i].rollups;

        fields |= rollups == NULL ? 0 : event_rollups_fields(rollups);
    }
    digester->coder = malloc(sizeof *digester->coder);
    return (digester->coder != NULL &&
            event_columns_grow(&digester->columns, fields, BATCH_EVENTS)) ||
           error_no_memory(error);
}

static void free_room(struct digester *digester) {
    free(digester->coder);
    event_columns_free(&digester->columns);
}

bool digester_start(struct digester *digester, struct import_run *run, const struct store *stores,
                    struct error *error) {
    bool done;

    *digester = (struct digester){.run = run, .stores = stores};
    done = make_room(digester, error) &&
           (pthread_create(&digester->thread, NULL, run_digester, digester) == 0 ||
            error_set(error, "cannot start a thread"));
    if (!done) {
        free_room(digester);
    }
    return done;
}

void digester_join(struct digester *digester) {
    pthread_join(digester->thread, NULL);
    free_room(digester);
}
