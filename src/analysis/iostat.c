/* What iostat -x computes of a block device in each interval: temp.tally_iostat.
 *
 * The kernel accounts for a request from when it gets one, which a log has as Q or G, to its
 * completion: await is the mean of these times, aqu-sz their sum by the length of the interval, and
 * %util the part in which any ran. All count where the request completes. A flush counts as a write
 * where it was asked for; the flushes of the device that come of it count by themselves, each from
 * when it could begin: when it was asked for, the data before it was written and the flush before
 * it was over.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/intervals.h"
#include "base/memory.h"
#include "base/saturate.h"
#include "select/counted_action.h"
#include "store/devices.h"

#define IOSTAT_ROWS 1048576 /* intervals of devices */

enum {
    WANTED_INTERVALS = 500, /* at most, when --interval does not say how long they are */
    PAUSES = 4096,          /* of a device, that an I/O is seen to last longer than */
    WRITES = 64,            /* of a device, that may be the data of a flush that ends later */
};

enum io_group { READS, WRITES_DONE, DISCARDS, FLUSHES, GROUPS, NO_GROUP = GROUPS };

struct group_counts {
    int64_t count, bytes, merges, timed, time;
};

struct cell {
    struct group_counts groups[GROUPS];
    int64_t busy;
};

struct stretch {
    int64_t from, to;
};

/* A write whose flush may end later, by a completion without a length at its sector. */
struct done_write {
    int64_t address, time; /* EVENT_NONE: the time is not known */
    uint64_t interval;
};

struct iostat_device {
    int64_t device;     /* EVENT_NONE: not known */
    struct cell *cells; /* owned; one for each interval */
    bool any;           /* an I/O completed */
    /* Of the trace. */
    struct stretch *busy; /* owned; PAUSES: when anything ran, in order, none meets the next */
    size_t busy_count;
    int64_t least; /* what ran before has been forgotten */
    struct done_write writes[WRITES];
    size_t write_count; /* number i at i % WRITES */
    /* When the next flush could begin, and when the one that was issued could. EVENT_NONE: that is
     * not known. */
    int64_t flush_ready, flush_from;
};

struct iostat_state {
    struct analysis_context *context;
    struct intervals intervals;
    struct iostat_device *devices; /* owned */
    size_t device_count;
    struct devices object_devices; /* owned */
    /* Of the trace: name.id of the actions; EVENT_NONE: it has none. */
    int64_t completes, back_merges, front_merges, queues, issues;
    bool of_blocks; /* the log has Q or D: a flush that ends is not the device's own */
    /* Of all traces. */
    bool merges_known;
    int64_t counted, queued, issued, untimed, others, late;
};

/* --- devices -----------------------------------------------------------------------------------
 */

/* Nothing of a trace has been seen. */
static void begin_device(struct iostat_device *device) {
    device->busy_count = device->write_count = 0;
    device->least = INT64_MIN;
    device->flush_ready = device->flush_from = EVENT_NONE;
}

static struct iostat_device *find_device(struct iostat_state *state, int64_t device) {
    struct iostat_device *found;

    for (size_t i = 0; i < state->device_count; i++) {
        if (state->devices[i].device == device) {
            return &state->devices[i];
        }
    }
    if ((state->device_count + 1) * state->intervals.count > IOSTAT_ROWS) {
        error_usage(&state->context->error,
                    "report iostat: more than %d rows, of intervals and devices; give a longer "
                    "--interval or a --device",
                    IOSTAT_ROWS);
        return NULL;
    }
    state->devices = xrealloc(state->devices, (state->device_count + 1) * sizeof *state->devices);
    found = &state->devices[state->device_count++];
    *found = (struct iostat_device){.device = device};
    begin_device(found);
    found->cells = xcalloc(state->intervals.count, sizeof *found->cells);
    found->busy = xmalloc(PAUSES * sizeof *found->busy);
    return found;
}

/* --- when anything ran -------------------------------------------------------------------------
 */

static void add_busy(const struct iostat_state *state, const struct iostat_device *device,
                     int64_t from, int64_t to) {
    const struct intervals *intervals = &state->intervals;
    uint64_t end = intervals->length * intervals->count, begin, behind;

    if (to <= (int64_t)intervals->origin || from >= to) {
        return;
    }
    begin = from <= (int64_t)intervals->origin ? 0 : (uint64_t)from - intervals->origin;
    behind = (uint64_t)to - intervals->origin;
    behind = behind < end ? behind : end;
    while (begin < behind) {
        uint64_t number = begin / intervals->length, next = (number + 1) * intervals->length;

        next = next < behind ? next : behind;
        add_saturated(&device->cells[number].busy, (int64_t)(next - begin));
        begin = next;
    }
}

/* Adds what of an I/O nothing else ran in. I/Os come in order of their ends. */
static void run(struct iostat_state *state, struct iostat_device *device, int64_t from,
                int64_t to) {
    int64_t open = to; /* the end of what is still to be looked at, from the end backwards */

    if (from < device->least) {
        state->late++;
        from = device->least;
    }
    while (device->busy_count > 0 && device->busy[device->busy_count - 1].to >= from) {
        const struct stretch *last = &device->busy[--device->busy_count];

        add_busy(state, device, last->to, open);
        open = last->from;
    }
    add_busy(state, device, from, open);
    if (device->busy_count == PAUSES) {
        device->busy_count /= 2;
        device->least = device->busy[device->busy_count - 1].to;
        memmove(device->busy, device->busy + device->busy_count,
                device->busy_count * sizeof *device->busy);
    }
    device->busy[device->busy_count++] = (struct stretch){open < from ? open : from, to};
}

/* --- the pass ----------------------------------------------------------------------------------
 */

static enum io_group group_of(const struct iostat_state *state, uint32_t flags) {
    switch (io_class_of(flags)) {
    case IO_READ:
    case IO_READSYNC:
        return READS;
    case IO_WRITE:
    case IO_WRITESYNC:
        return WRITES_DONE;
    case IO_FLUSH:
        return state->of_blocks && !(flags & IO_FLAG_FLUSH) ? WRITES_DONE : FLUSHES;
    default:
        return flags & IO_FLAG_DISCARD ? DISCARDS : NO_GROUP;
    }
}

static void add_io(struct iostat_device *device, uint64_t interval, enum io_group group,
                   int64_t time, int64_t sign) {
    struct group_counts *counts = &device->cells[interval].groups[group];

    counts->count += sign;
    if (time != EVENT_NONE) {
        counts->timed += sign;
        add_saturated(&counts->time, sign * time);
    }
}

/* A write with a flush is one I/O, which lasts until the flush behind its data ends: what was
 * counted of its data is taken back. */
static void take_data_back(struct iostat_device *device, int64_t address) {
    for (size_t i = 0; i < WRITES && i < device->write_count; i++) {
        struct done_write *write = &device->writes[(device->write_count - 1 - i) % WRITES];

        if (write->address == address) {
            add_io(device, write->interval, WRITES_DONE, write->time, -1);
            write->address = EVENT_NONE;
            return;
        }
    }
}

static bool is_device_flush(uint32_t flags) {
    return io_class_of(flags) == IO_FLUSH && (flags & IO_FLAG_FLUSH);
}

/* What is done before an I/O completes: merges, and what flushes wait for. */
static void follow(const struct iostat_state *state, struct iostat_device *device,
                   const struct event_columns *columns, size_t i, uint64_t interval) {
    int64_t action = columns->operation[i];
    uint32_t flags = columns->flags[i];
    enum io_group group = group_of(state, flags);

    if (action == state->back_merges || action == state->front_merges) {
        if (group != NO_GROUP) {
            device->cells[interval].groups[group].merges++;
        }
    } else if (action == state->queues && (flags & (IO_FLAG_FLUSH | IO_FLAG_FUA))) {
        device->flush_ready = columns->time[i];
    } else if (action == state->issues && is_device_flush(flags)) {
        device->flush_from = device->flush_ready;
        device->flush_ready = EVENT_NONE;
    }
}

/* How long the kernel accounted for an I/O; EVENT_NONE: that is not known. */
static int64_t time_of(struct iostat_state *state, struct iostat_device *device,
                       const struct event_columns *columns, size_t i) {
    bool is_flush = is_device_flush(columns->flags[i]);
    int64_t time = columns->response[i];

    if (is_flush) {
        time = device->flush_from == EVENT_NONE
                   ? EVENT_NONE
                   : subtract_saturated(columns->time[i], device->flush_from);
        device->flush_from = EVENT_NONE;
    }
    /* The flush that follows waited for this one, or for these data. */
    if ((is_flush && device->flush_ready != EVENT_NONE) ||
        (columns->size[i] > 0 && (columns->flags[i] & IO_FLAG_FLUSH_ASKED))) {
        device->flush_ready = columns->time[i];
    }
    if (time >= 0) {
        state->queued++;
        return time;
    }
    *(columns->duration[i] >= 0 ? &state->issued : &state->untimed) += 1;
    return columns->duration[i] >= 0 ? columns->duration[i] : EVENT_NONE;
}

static void complete(struct iostat_state *state, struct iostat_device *device,
                     const struct event_columns *columns, size_t i, uint64_t interval) {
    enum io_group group = group_of(state, columns->flags[i]);
    int64_t size = columns->size[i] > 0 ? columns->size[i] : 0, time;

    if (group == NO_GROUP) {
        state->others++;
        return;
    }
    time = time_of(state, device, columns, i);
    state->counted++;
    device->any = true;
    if (group == WRITES_DONE && size == 0 && columns->address[i] > 0) {
        take_data_back(device, columns->address[i]);
    } else if (group == WRITES_DONE && size > 0) {
        device->writes[device->write_count++ % WRITES] =
            (struct done_write){columns->address[i], time, interval};
    }
    add_io(device, interval, group, time, 1);
    add_saturated(&device->cells[interval].groups[group].bytes, size);
    if (time != EVENT_NONE) {
        run(state, device, subtract_saturated(columns->time[i], time), columns->time[i]);
    }
}

static void visit(void *iostat_state, const struct event_columns *columns, size_t count) {
    struct iostat_state *state = iostat_state;

    for (size_t i = 0; i < count; i++) {
        uint64_t interval = interval_of(&state->intervals, columns->time[i]);
        struct iostat_device *device;

        /* Rows of a damaged database may be in no order. */
        if (interval >= state->intervals.count) {
            continue;
        }
        device = find_device(state, devices_find(&state->object_devices, columns->object[i]));
        if (device == NULL) {
            return;
        }
        if (state->completes == EVENT_NONE || columns->operation[i] == state->completes) {
            complete(state, device, columns, i, interval);
        } else {
            follow(state, device, columns, i, interval);
        }
    }
}

/* --- from beginning to end ---------------------------------------------------------------------
 */

static void begin(void *iostat_state) {
    struct iostat_state *state = iostat_state;

    intervals_find(&state->intervals, state->context, INT64_MAX, WANTED_INTERVALS, INTERVALS_MOST);
}

static void begin_trace(void *iostat_state) {
    struct iostat_state *state = iostat_state;
    struct analysis_context *context = state->context;
    struct error *error = &context->error;
    int64_t id = context->trace->trace->id, got;

    state->completes = context->trace->action;
    for (size_t i = 0; i < state->device_count; i++) {
        begin_device(&state->devices[i]);
    }
    devices_free(&state->object_devices);
    if (!action_find(context->database, id, "M", &state->back_merges, error) ||
        !action_find(context->database, id, "F", &state->front_merges, error) ||
        !action_find(context->database, id, "G", &got, error) ||
        !action_find(context->database, id, "Q", &state->queues, error) ||
        !action_find(context->database, id, "D", &state->issues, error) ||
        !devices_read(&state->object_devices, context->database, id, error)) {
        return;
    }
    /* Who records that a request was had records merges, too. */
    state->merges_known |=
        state->back_merges != EVENT_NONE || state->front_merges != EVENT_NONE || got != EVENT_NONE;
    state->of_blocks = state->queues != EVENT_NONE || state->issues != EVENT_NONE;
}

static void add_notes(const struct iostat_state *state) {
    struct notes *notes = &state->context->selection->notes;

    if (state->queued > 0) {
        notes_append(notes, "await, aqu-sz, %%util: from queue (Q) to completion (C)%s",
                     state->issued > 0 ? ", or from issue (D)" : "");
        if (state->issued > 0) {
            notes_append(notes, "from issue (D): %lld of %lld I/Os, their Q is not in the log",
                         (long long)state->issued, (long long)state->counted);
        }
    } else if (state->issued > 0) {
        notes_append(notes, "await, aqu-sz, %%util: from issue (D) to completion (C), without the "
                            "time in the queue: no Q in the log");
    }
    if (state->untimed > 0) {
        notes_append(notes, "excluded from await, aqu-sz, %%util: %lld of %lld I/Os without a time",
                     (long long)state->untimed, (long long)state->counted);
    }
    if (!state->merges_known && state->counted > 0) {
        notes_append(notes, "rrqm/s, wrqm/s, drqm/s are empty: no merges (M, F) in the log");
    }
    if (state->others > 0) {
        notes_append(notes, "excluded: %lld I/Os that are neither read, write, discard nor flush",
                     (long long)state->others);
    }
    if (state->late > 0) {
        notes_append(notes,
                     "%%util may be too low: %lld I/Os lasted longer than %d pauses of "
                     "their device",
                     (long long)state->late, PAUSES / 2);
    }
}

static void write_rows(void *iostat_state) {
    struct iostat_state *state = iostat_state;
    const struct intervals *intervals = &state->intervals;
    bool timed = state->queued + state->issued > 0;

    for (size_t d = 0; d < state->device_count; d++) {
        for (size_t i = 0; state->devices[d].any && i < intervals->count; i++) {
            const struct cell *cell = &state->devices[d].cells[i];

            for (int g = 0; g < GROUPS; g++) {
                const struct group_counts *group = &cell->groups[g];

                TEMP_ROW(&state->context->tables[0], (int64_t)i,
                         (int64_t)(intervals->origin + i * intervals->length),
                         (int64_t)intervals->length, state->devices[d].device, g, group->count,
                         group->bytes, state->merges_known ? group->merges : EVENT_NONE,
                         group->timed, timed ? group->time : EVENT_NONE,
                         timed ? cell->busy : EVENT_NONE);
            }
        }
    }
    add_notes(state);
}

static void free_state(void *iostat_state) {
    struct iostat_state *state = iostat_state;

    for (size_t i = 0; i < state->device_count; i++) {
        free(state->devices[i].cells);
        free(state->devices[i].busy);
    }
    free(state->devices);
    devices_free(&state->object_devices);
}

/* By interval from the first event to the last, device (NULL: not known) and what was done (0
 * reads, 1 writes, 2 discards, 3 flushes of the device): when the interval begins, its length, how
 * many completed in it, their bytes, merges into others (NULL: the log has none), how many have a
 * time, and the sum of these; and how long anything ran on the device in the interval, the same in
 * its four rows. The last two are NULL where no I/O has a time. */
const struct analysis analysis_iostat = {
    .name = "iostat",
    .tables = {{"tally_iostat",
                "interval, start, length, device, what, count, bytes, merges, timed, time, busy",
                "interval"}},
    .each_device = true,
    .pass = PASS_ALL_ACTIONS,
    .fields = EVENT_OPERATION | EVENT_OBJECT | EVENT_ADDRESS | EVENT_SIZE | EVENT_FLAGS |
              EVENT_DURATION | EVENT_RESPONSE,
    .parameters = {INTERVAL_PARAMETER},
    .state_size = sizeof(struct iostat_state),
    .begin = begin,
    .begin_trace = begin_trace,
    .visit = visit,
    .write = write_rows,
    .free = free_state,
};
