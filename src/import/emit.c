#include "import/emit.h"

#include <string.h>

#include "import/context.h"

static bool follows(const struct batch *first, const struct batch *second) {
    return first->event_count == 0 || second->event_count == 0 ||
           first->events[first->event_count - 1].time <= second->events[0].time;
}

/* Of a batch in order only the ends are looked at, where none of its events is late. */
static void count_late(struct import *import, const struct batch *batch) {
    if (batch->in_order && batch->event_count > 0 &&
        batch->events[0].time >= import->emitted_time) {
        import->emitted_time = batch->events[batch->event_count - 1].time;
        return;
    }
    for (size_t i = 0; i < batch->event_count; i++) {
        int64_t time = batch->events[i].time;

        if (time < import->emitted_time) {
            import->late++;
        } else {
            import->emitted_time = time;
        }
    }
}

/* Hands over the batch that was held back. */
static void emit_held(struct import *import) {
    struct import_run *run = import->run;
    struct batch *batch = import->held;

    import->held = NULL;
    if (batch != NULL) {
        count_late(import, batch);
        batch->tally_context = import->tally_context;
        batch->source_bytes = run->reader == NULL ? 0 : input_packed_read(run->reader->input);
        queue_give(&run->queue, QUEUE_DERIVE, batch);
    }
}

/* The importer is done with the last event: it has a time. */
static void close_event(struct import *import) {
    if (import->open) {
        struct batch *batch = import->current;
        const struct event *event = &batch->events[batch->event_count - 1];

        batch->in_order &= batch->event_count == 1 || event->time >= event[-1].time;
        outlying_note(&import->outlying, event->time);
        import->open = false;
    }
}

/* The current batch is complete: it is held back, and the one before it goes on its way. What is
 * out of order between the two, or within them, is sorted over both. Spans are not: they refer to
 * their callers by serial number. What is late among them is sorted at the end. */
static bool hold_current(struct import *import) {
    struct batch *current = import->current;

    /* The last event is looked at here, while it is in this batch: it may be a name, not an event,
     * that asks for the next one. */
    close_event(import);
    if (import->held != NULL && import->spans == NULL &&
        (!import->held->in_order || !current->in_order || !follows(import->held, current))) {
        import->resorted++;
        batch_merge(import->held, current);
    }
    emit_held(import);
    import->held = current;
    import->current = NULL;
    /* Late events with huge arguments may gather in the held batch: memory stays bounded. */
    if (current->bytes >= 4 * BATCH_BYTES) {
        emit_held(import);
    }
    return true;
}

static bool need_current(struct import *import) {
    if (import->current != NULL && batch_full(import->current) && !hold_current(import)) {
        return false;
    }
    if (import->current == NULL) {
        import->current = queue_take_empty(&import->run->queue);
        if (import->current != NULL) {
            import->current->trace = import->number;
            import->current->first_serial = import->rows;
            import->current->in_order = import->spans == NULL;
        }
    }
    return import->current != NULL;
}

struct batch *emit_batch(struct import *import) {
    return need_current(import) ? import->current : NULL;
}

struct event *emit_row(struct import *import, int64_t serial, struct batch **batch) {
    *batch = import->current != NULL && serial >= import->current->first_serial ? import->current
                                                                                : import->held;
    if (*batch == NULL || serial < (*batch)->first_serial) {
        return NULL;
    }
    return &(*batch)->events[serial - (*batch)->first_serial];
}

bool emit_flush(struct import *import) {
    close_event(import);
    outlying_end(&import->outlying);
    if (import->current != NULL && !hold_current(import)) {
        return false;
    }
    if (import->held != NULL && import->spans == NULL && !import->held->in_order) {
        struct batch *empty = queue_take_empty(&import->run->queue);

        if (empty == NULL) {
            return false;
        }
        import->resorted++;
        import->current = empty;
        batch_merge(import->held, empty);
        import->current = NULL;
        queue_give_empty(&import->run->queue, empty);
    }
    emit_held(import);
    return true;
}

struct event *import_event(struct import *import) {
    static const struct event none = EVENT_EMPTY;
    const struct import_run *run = import->run;
    struct event *event;

    close_event(import);
    if ((import->current == NULL || batch_full(import->current)) && !need_current(import)) {
        return NULL;
    }
    event = &import->current->events[import->current->event_count++];
    *event = none;
    import->events++;
    import->rows++;
    if (import->spans == NULL) {
        import->open = true;
        outlying_open(&import->outlying, run->source,
                      import->events - import->events_before + import->shares[run->source].events);
    }
    return event;
}

uint8_t *import_arguments(struct import *import, struct event *event, const uint8_t *bytes,
                          uint32_t size) {
    uint8_t *memory = batch_memory(import->current, size);

    if (bytes != NULL) {
        memcpy(memory, bytes, size);
    }
    event->arguments = memory;
    event->arguments_size = size;
    return memory;
}

bool import_allocation(struct import *import, const struct allocation *allocation) {
    struct batch *batch = emit_batch(import);

    if (batch == NULL) {
        return false;
    }
    batch_add_allocation(batch, allocation);
    return true;
}
