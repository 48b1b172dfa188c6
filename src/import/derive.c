#include "import/derive.h"

#include <stdlib.h>

#include "import/context.h"
#include "model/tally.h"
#include "store/batch_writer.h"
#include "base/memory.h"

/* A tally that grew beyond its bound is given up. */
static bool count(struct import *import, unsigned kind, const struct tally_context *context,
                  const struct tally_events *events, size_t from, size_t end, struct error *error) {
    struct tally *tally = &import->tallies[kind];

    if (import->tally_complete[kind] && tally_add(tally, context, events, from, end) < end) {
        import->tally_complete[kind] = false;
        tally_free(tally);
    }
    return true;
}

/* The tallies of a bit set of kinds. */
static bool count_in(struct import *import, unsigned kinds, const struct tally_context *context,
                     const struct tally_events *events, size_t from, size_t end,
                     struct error *error) {
    bool done = true;

    for (unsigned kind = 0; done && kind < TALLY_KINDS; kind++) {
        done = (kinds >> kind & 1) == 0 || count(import, kind, context, events, from, end, error);
    }
    return done;
}

static bool count_groups(struct import *import, const struct tally_context *context,
                         struct io_groups *groups, struct error *error) {
    struct tally_events events = io_groups_events(groups);
    size_t total = groups->count;

    groups->count = 0;
    return count_in(import, IO_GROUPS_TALLIES, context, &events, 0, total, error);
}

static bool group(struct import *import, const struct tally_context *context,
                  struct io_groups *groups, const struct event *events, size_t total,
                  struct error *error) {
    size_t from = io_groups_add(groups, context, events, total);

    while (from < total) {
        if (!count_groups(import, context, groups, error)) {
            return false;
        }
        from += io_groups_add(groups, context, events + from, total - from);
    }
    return true;
}

/* Of I/Os some tallies are told by groups. */
static bool count_all(struct import *import, const struct tally_context *context,
                      const struct event *first, size_t total, struct error *error) {
    struct tally_events events = tally_events_of(first);
    unsigned grouped = context->kind == TRACE_IO ? IO_GROUPS_TALLIES : 0;
    struct io_groups groups = {.count = 0};
    bool done = true;

    for (size_t from = 0; done && from < total; from += TALLY_AT_ONCE) {
        size_t end = total - from < TALLY_AT_ONCE ? total : from + TALLY_AT_ONCE;

        done = count_in(import, ~grouped, context, &events, from, end, error) &&
               (grouped == 0 || group(import, context, &groups, first + from, end - from, error));
    }
    return done && count_groups(import, context, &groups, error);
}

bool derive_count_spans(struct import *import, const struct event *rows, size_t total) {
    return count_all(import, &import->tally_context, rows, total, import->run->error);
}

/* Events of which the rows are in files of the system, at least: some 40 MB. */
enum { WRITE_BACK = 64 /* batches */ };

static void write_back(struct deriver *deriver) {
    if (++deriver->batches % WRITE_BACK == 0) {
        store_write_back(deriver->stores);
    }
}

static bool derive(struct deriver *deriver, struct batch *batch) {
    struct import *import = &deriver->run->traces[batch->trace];
    const struct store *store = &deriver->stores[batch->trace];

    if (import->spans == NULL && !count_all(import, &batch->tally_context, batch->events,
                                            batch->event_count, &deriver->error)) {
        return false;
    }
    event_columns_fill(&deriver->columns, batch->events, batch->event_count, batch->first_serial,
                       store->first_row);
    event_chunk_encode_columns(&batch->columns, deriver->coder, &deriver->columns,
                               batch->event_count, deriver->run->columns);
    if (import->latencies != NULL) {
        latency_buckets_add(import->latencies, &deriver->columns, batch->event_count);
    }
    store_make_rows(store, batch);
    return true;
}

static void *run_deriver(void *argument) {
    struct deriver *deriver = argument;
    struct import_run *run = deriver->run;
    bool timed_out = true;
    struct batch *batch;

    while ((batch = queue_take(&run->queue, QUEUE_DERIVE, &timed_out)) != NULL || timed_out) {
        if (batch == NULL) {
            continue;
        }
        if (!derive(deriver, batch)) {
            queue_give_empty(&run->queue, batch);
            deriver->failed = true;
            run->stop = true;
            queue_stop(&run->queue);
            break;
        }
        queue_give(&run->queue, QUEUE_WRITE, batch);
        write_back(deriver);
    }
    queue_close(&run->queue, QUEUE_WRITE);
    return NULL;
}

static void make_room(struct deriver *deriver) {
    const struct import_run *run = deriver->run;
    unsigned fields = run->columns & ~(unsigned)EVENT_ARGUMENTS;

    for (unsigned i = 0; i < run->trace_count; i++) {
        fields |= run->traces[i].latencies == NULL ? 0 : LATENCY_FIELDS;
    }
    deriver->coder = xmalloc(sizeof *deriver->coder);
    event_columns_grow(&deriver->columns, fields, BATCH_EVENTS);
}

static void free_room(struct deriver *deriver) {
    free(deriver->coder);
    event_columns_free(&deriver->columns);
}

bool deriver_start(struct deriver *deriver, struct import_run *run, const struct store *stores,
                   struct error *error) {
    *deriver = (struct deriver){.run = run, .stores = stores};
    make_room(deriver);
    if (pthread_create(&deriver->thread, NULL, run_deriver, deriver) != 0) {
        free_room(deriver);
        return error_set(error, "cannot start a thread");
    }
    return true;
}

void deriver_join(struct deriver *deriver) {
    pthread_join(deriver->thread, NULL);
    free_room(deriver);
}
