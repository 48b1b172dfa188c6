#include "import/derive.h"

#include <stdlib.h>

#include "import/context.h"
#include "model/tally.h"
#include "store/store.h"
#include "base/memory.h"

/* A tally that grew beyond its bound is given up. */
static void count(struct import *import, unsigned kind, const struct tally_context *context,
                  const struct tally_events *events, size_t from, size_t end) {
    struct tally *tally = &import->tallies[kind];

    if (import->tally_complete[kind] && tally_add(tally, context, events, from, end) < end) {
        import->tally_complete[kind] = false;
        tally_free(tally);
    }
}

/* The tallies of a bit set of kinds. */
static void count_in(struct import *import, unsigned kinds, const struct tally_context *context,
                     const struct tally_events *events, size_t from, size_t end) {
    for (unsigned kind = 0; kind < TALLY_KINDS; kind++) {
        if (kinds >> kind & 1) {
            count(import, kind, context, events, from, end);
        }
    }
}

static void count_groups(struct import *import, const struct tally_context *context,
                         struct io_groups *groups) {
    struct tally_events events = io_groups_events(groups);
    size_t total = groups->count;

    groups->count = 0;
    count_in(import, IO_GROUPS_TALLIES, context, &events, 0, total);
}

static void group(struct import *import, const struct tally_context *context,
                  struct io_groups *groups, const struct event *events, size_t total) {
    size_t from = io_groups_add(groups, context, events, total);

    while (from < total) {
        count_groups(import, context, groups);
        from += io_groups_add(groups, context, events + from, total - from);
    }
}

/* Some tallies of I/Os are counted by groups. */
static void count_all(struct import *import, const struct tally_context *context,
                      const struct event *first, size_t total) {
    struct tally_events events = tally_events_of(first);
    unsigned grouped = context->kind == TRACE_IO ? IO_GROUPS_TALLIES : 0;
    struct io_groups groups = {.count = 0};

    for (size_t from = 0; from < total; from += TALLY_AT_ONCE) {
        size_t end = total - from < TALLY_AT_ONCE ? total : from + TALLY_AT_ONCE;

        count_in(import, ~grouped, context, &events, from, end);
        if (grouped != 0) {
            group(import, context, &groups, first + from, end - from);
        }
    }
    count_groups(import, context, &groups);
}

void derive_count_spans(struct import *import, const struct event *rows, size_t total) {
    count_all(import, &import->tally_context, rows, total);
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

    if (import->spans == NULL) {
        count_all(import, &batch->tally_context, batch->events, batch->event_count);
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
    if (pthread_create(&deriver->thread, NULL, run_deriver, deriver) == 0) {
        return true;
    }
    free_room(deriver);
    return error_set(error, "cannot start a thread");
}

void deriver_join(struct deriver *deriver) {
    pthread_join(deriver->thread, NULL);
    free_room(deriver);
}
