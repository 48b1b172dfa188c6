/* Computes the columns of iostat -x for block devices by time interval: temp.tally_iostat.
 *
 * The kernel accounts for a request from its allocation, logged as Q or G, to its completion. await
 * is the mean of these times, aqu-sz their sum divided by the interval's length, and %util the
 * fraction of time with any request in flight. A request counts in the interval of its completion.
 * A request in flight at the end of the log or window has no completion; it counts from its issue
 * (D) to that end. A completion is missing, and the request does not count, if later ones follow
 * after more time than any request of the device took. aqu-sz and %util include only time inside
 * the window.
 *
 * A flush request counts as a write. The device flushes that it causes count separately, each from
 * the time at which it could start: when it had been requested, the data before it was written, and
 * the previous flush was over. A device may have several flush queues. If it is uncertain what a
 * flush waited for, it counts from its issue. */
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/intervals.h"
#include "base/memory.h"
#include "base/saturate.h"
#include "model/io_pairing.h"
#include "scan/event_scan.h"
#include "select/counted_action.h"
#include "select/window.h"
#include "store/devices.h"

#define IOSTAT_ROWS 1048576 /* limit of table rows: intervals times devices */

enum {
    WANTED_INTERVALS = 500, /* number of intervals to aim at if --interval is not given */
    /* Limit of busy intervals in memory per device, which a long I/O may still overlap. */
    PAUSES = 4096,
    WRITES = 64,    /* limit per device of writes whose flush may still come */
    PENDING = 4096, /* limit per device of issued I/Os without completion */
    /* Limit per device of flushes that wait for their issue, and of running flushes. */
    FLUSHES_KEPT = 16,
};

enum io_group { READS, WRITES_DONE, DISCARDS, FLUSHES, GROUPS, NO_GROUP = GROUPS };

struct group_counts {
    int64_t count, bytes, merges, timed, time;
    /* Sum of the I/Os' times inside the window, including I/Os in flight at its end. */
    int64_t weight;
};

struct cell {
    struct group_counts groups[GROUPS];
    int64_t busy;
};

struct stretch {
    int64_t from, to;
};

/* The completed data of a write that also requested a flush. The request itself completes after the
 * flush, with an event without length. */
struct done_write {
    /* address: sector; end: when the data completed; time: time counted for it (EVENT_NONE:
     * unknown). */
    int64_t address, end, time;
    uint64_t interval;
};

struct pending_io {
    int64_t direction, address, size, issued;
    enum io_group group;
};

struct running_flush {
    /* issued: time of issue; from: time at which the flush could start (EVENT_NONE: unknown or
     * uncertain). */
    int64_t issued, from;
};

/* A device in a trace. */
struct iostat_device {
    int64_t trace, device; /* EVENT_NONE: the device is unknown */
    struct cell *cells;    /* owned; one cell per interval */
    bool any;              /* true: an I/O of the device completed, or is in flight at the end */
    bool merges_known;
    /* The following members are for the current trace. */
    /* Owned; up to PAUSES intervals with an I/O in flight, sorted and disjoint. */
    struct stretch *busy;
    size_t busy_count;
    int64_t least; /* busy intervals before this time are no longer in memory */
    struct done_write writes[WRITES];
    size_t write_count; /* number of writes so far; write i is at index i % WRITES */
    /* Time of the last completion until the end of the window; longest time from issue to
     * completion, also after the window. */
    int64_t last_completion, longest;
    struct pending_io *pending; /* owned; sorted by issue */
    size_t pending_count, pending_room;
    /* Times at which flushes not yet issued could start, sorted; EVENT_NONE: uncertain. */
    int64_t asked[FLUSHES_KEPT];
    struct running_flush flushes[FLUSHES_KEPT];
    size_t asked_count, flush_count;
};

struct iostat_state {
    struct analysis_context *context;
    struct intervals intervals;
    struct iostat_device *devices; /* owned */
    size_t device_count;
    struct devices object_devices; /* owned */
    /* Of the current trace: index of its first device; by slot of a device its index + 1, 0: no I/O
     * yet (owned); name.id of actions (EVENT_NONE: none). */
    size_t first_device, *of_slot;
    int64_t completes, back_merges, front_merges, queues, issues, requeues;
    /* true: the log has Q or D; then the completion of a flush request does not count as a device
     * flush */
    bool of_blocks;
    bool has_completed; /* true: the selected action is completion (C) */
    bool merges_known;
    int64_t from, to; /* time window; only times inside it count */
    /* Counts of I/Os over all traces, for notes. */
    /* any_merges: a trace has merge events; no_merges: a trace has none */
    bool any_merges, no_merges;
    int64_t counted, queued, issued, unsure, untimed, others, late;
    int64_t running,
        /* I/Os in flight at the end of the log or window. running: their time until then counts;
           unanswered: it does not, because events are lost; overdue: it does not, because their
           completions are missing; unselected: it does not, because a filter by size is given. */
        unanswered, overdue, unselected;
};

/* Returns the device of an object; NULL on failure. */
static struct iostat_device *iostat_find_device(struct iostat_state *state, uint32_t object) {
    size_t *place = &state->of_slot[devices_find_slot(&state->object_devices, object)];
    struct iostat_device *found;

    if (*place > 0) {
        return &state->devices[*place - 1];
    }
    if ((state->device_count + 1) * state->intervals.count > IOSTAT_ROWS) {
        error_usage_too_many(
            &state->context->error,
            "report iostat has more than %d rows, of intervals and devices; give a longer "
            "--interval or a --device",
            IOSTAT_ROWS);
        return NULL;
    }
    state->devices = xrealloc(state->devices, (state->device_count + 1) * sizeof *state->devices);
    found = &state->devices[state->device_count++];
    *place = state->device_count;
    *found = (struct iostat_device){.trace = state->context->trace->trace->id,
                                    .device = devices_find(&state->object_devices, object),
                                    .merges_known = state->merges_known,
                                    .least = INT64_MIN,
                                    .last_completion = INT64_MIN};
    found->cells = xcalloc(state->intervals.count, sizeof *found->cells);
    found->busy = xmalloc(PAUSES * sizeof *found->busy);
    return found;
}

/* Of a time span, adds the part inside the window to the cells of the time intervals that it
 * overlaps: to the `weight` of an I/O group, or for NO_GROUP to `busy`. */
static void iostat_add_stretch(const struct iostat_state *state, const struct iostat_device *device,
                               enum io_group group, int64_t from, int64_t to) {
    struct interval_part part;

    from = from < state->from ? state->from : from;
    to = to > state->to ? state->to : to;
    part = interval_parts(&state->intervals, from, to);
    while (interval_next_part(&state->intervals, &part)) {
        struct cell *cell = &device->cells[part.number];

        add_saturated(group == NO_GROUP ? &cell->busy : &cell->groups[group].weight, part.length);
    }
}

/* Adds to the busy time those parts of an I/O's time during which no other I/O was in flight. Must
 * be called in order of completion. */
static void iostat_run(struct iostat_state *state, struct iostat_device *device, int64_t from,
                       int64_t to) {
    int64_t open = to; /* end of the part not yet added; the loop goes from the latest busy interval
                          backwards */

    if (from < device->least) {
        state->late++;
        from = device->least;
    }
    while (device->busy_count > 0 && device->busy[device->busy_count - 1].to >= from) {
        const struct stretch *last = &device->busy[--device->busy_count];

        iostat_add_stretch(state, device, NO_GROUP, last->to, open);
        open = last->from;
    }
    iostat_add_stretch(state, device, NO_GROUP, from, open);
    if (device->busy_count == PAUSES) {
        device->busy_count /= 2;
        device->least = device->busy[device->busy_count - 1].to;
        memmove(device->busy, device->busy + device->busy_count,
                device->busy_count * sizeof *device->busy);
    }
    device->busy[device->busy_count++] = (struct stretch){open < from ? open : from, to};
}

static enum io_group iostat_group_of(const struct iostat_state *state, uint32_t flags) {
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

/* Counts an I/O that completed at `end`. `sign` -1 removes it from the counts again. */
static void add_io(const struct iostat_state *state, struct iostat_device *device,
                   const struct done_write *io, enum io_group group, int64_t sign) {
    struct group_counts *counts = &device->cells[io->interval].groups[group];

    counts->count += sign;
    if (io->time != EVENT_NONE) {
        int64_t begin = subtract_saturated(io->end, io->time);

        counts->timed += sign;
        add_saturated(&counts->time, sign * io->time);
        begin = begin < state->from ? state->from : begin;
        if (begin < io->end) {
            add_saturated(&counts->weight, sign * subtract_saturated(io->end, begin));
        }
    }
}

/* --- device flushes --------------------------------------------------------------------------- */

static void ask_flush(struct iostat_device *device, int64_t time) {
    if (device->asked_count < FLUSHES_KEPT) {
        device->asked[device->asked_count++] = time;
    }
}

static bool is_device_flush(uint32_t flags) {
    return io_class_of(flags) == IO_FLUSH && (flags & IO_FLAG_FLUSH);
}

static void issue_flush(struct iostat_device *device, int64_t time) {
    int64_t from = EVENT_NONE;

    if (device->asked_count > 0) {
        from = device->asked[0];
        device->asked_count--;
        memmove(device->asked, device->asked + 1, device->asked_count * sizeof *device->asked);
    }
    if (device->flush_count == FLUSHES_KEPT) {
        device->flush_count--;
        memmove(device->flushes, device->flushes + 1,
                device->flush_count * sizeof *device->flushes);
    }
    device->flushes[device->flush_count++] = (struct running_flush){time, from};
}

/* Ends a running flush, identified by its issue time. Returns the time at which it could start;
 * EVENT_NONE: unknown. All waiting flushes merge into one, which can start now. If other flushes
 * are still running, the start of the waiting ones is uncertain, because they may be in the same
 * queue or in another. */
static int64_t complete_flush(struct iostat_device *device, int64_t time, int64_t issued) {
    int64_t from = EVENT_NONE;

    for (size_t i = 0; i < device->flush_count; i++) {
        if (device->flushes[i].issued == issued) {
            from = device->flushes[i].from;
            device->flush_count--;
            memmove(device->flushes + i, device->flushes + i + 1,
                    (device->flush_count - i) * sizeof *device->flushes);
            break;
        }
    }
    if (device->flush_count > 0) {
        for (size_t i = 0; i < device->asked_count; i++) {
            device->asked[i] = EVENT_NONE;
        }
    } else if (device->asked_count > 0) {
        device->asked_count = 1;
        device->asked[0] = time;
    }
    return from;
}

/* The data of a write with a flush completed earlier and was counted as an I/O: removes it from the
 * counts, because the write is one I/O that lasts until its flush ends. If its flush has not been
 * issued by now, it never will be: removes it from `asked`. */
static void remove_data_of_flush(const struct iostat_state *state, struct iostat_device *device,
                                 int64_t address) {
    for (size_t i = 0; i < WRITES && i < device->write_count; i++) {
        struct done_write *write = &device->writes[(device->write_count - 1 - i) % WRITES];

        if (write->address == address) {
            size_t last = device->asked_count - 1;

            add_io(state, device, write, WRITES_DONE, -1);
            write->address = EVENT_NONE;
            if (device->asked_count > 0 && device->asked[last] == write->end) {
                device->asked_count = last;
            }
            return;
        }
    }
}

/* --- I/Os that are issued and not completed --------------------------------------------------- */

static struct io_key pending_key_of_event(const struct event_columns *columns, size_t i) {
    return io_key_make(columns->flags[i], 0, columns->address[i],
                       columns->size[i] > 0 ? columns->size[i] : 0);
}

static void remove_pending(struct iostat_device *device, size_t number) {
    device->pending_count--;
    memmove(device->pending + number, device->pending + number + 1,
            (device->pending_count - number) * sizeof *device->pending);
}

/* Removes the newest pending I/O with the direction and sector of `key`, and with `size` unless it
 * is EVENT_NONE. */
static void remove_newest_pending(struct iostat_device *device, const struct io_key *key,
                                  int64_t size) {
    for (size_t i = device->pending_count; i-- > 0;) {
        const struct pending_io *pending = &device->pending[i];

        if (pending->direction == key->direction && pending->address == key->sector &&
            (size == EVENT_NONE || size == pending->size)) {
            remove_pending(device, i);
            return;
        }
    }
}

/* Adds an issued I/O. If an I/O with the same direction and first sector is pending, replaces it:
 * the requeue or completion of that one is not in the log. */
static void add_pending(struct iostat_device *device, const struct event_columns *columns, size_t i,
                        enum io_group group) {
    struct io_key key = pending_key_of_event(columns, i);

    if (group == NO_GROUP || key.sector == EVENT_NONE) {
        return;
    }
    if (key.direction != IO_DIRECTION_FLUSH) {
        remove_newest_pending(device, &key, EVENT_NONE);
    }
    if (device->pending_count == PENDING) {
        remove_pending(device, 0);
    }
    if (device->pending_count == device->pending_room) {
        device->pending_room += device->pending_room + 64;
        device->pending = xrealloc(device->pending, device->pending_room * sizeof *device->pending);
    }
    device->pending[device->pending_count++] =
        (struct pending_io){key.direction, key.sector, columns->size[i], columns->time[i], group};
}

static void note_duration(struct iostat_device *device, const struct event_columns *columns,
                          size_t i) {
    if (columns->duration[i] > device->longest) {
        device->longest = columns->duration[i];
    }
}

/* Removes a completed I/O from the pending ones. If a request completes in parts, only the last
 * completion has a duration, which is that of the whole request. */
static void complete_pending(struct iostat_device *device, const struct event_columns *columns,
                             size_t i) {
    struct io_key key = pending_key_of_event(columns, i);
    int64_t issued = subtract_saturated(columns->time[i], columns->duration[i]);
    size_t found = SIZE_MAX;

    if (columns->duration[i] < 0) {
        remove_newest_pending(device, &key, columns->size[i]);
        return;
    }
    for (size_t number = device->pending_count; number-- > 0;) {
        const struct pending_io *pending = &device->pending[number];
        int64_t past = subtract_saturated(key.sector, pending->address);

        if (pending->issued < issued) {
            break;
        }
        if (pending->issued == issued && pending->direction == key.direction && past >= 0 &&
            (past == 0 || past < pending->size)) {
            found = number;
            if (past == 0) {
                break;
            }
        }
    }
    if (found != SIZE_MAX) {
        remove_pending(device, found);
    }
}

/* Processes an event other than completion or merge: flush request, issue or requeue. */
static void iostat_follow(const struct iostat_state *state, struct iostat_device *device,
                          const struct event_columns *columns, size_t i) {
    int64_t action = columns->operation[i];
    uint32_t flags = columns->flags[i];

    if (action == state->queues && (flags & IO_FLAG_FLUSH)) {
        ask_flush(device, columns->time[i]);
    } else if (action == state->issues) {
        if (is_device_flush(flags)) {
            issue_flush(device, columns->time[i]);
        }
        add_pending(device, columns, i, iostat_group_of(state, flags));
    } else if (action == state->requeues) {
        struct io_key key = pending_key_of_event(columns, i);

        remove_newest_pending(device, &key, EVENT_NONE);
    }
}

/* Processes a completion. Returns when its device flush could start, or EVENT_NONE. */
static int64_t follow_completion(struct iostat_device *device, const struct event_columns *columns,
                                 size_t i) {
    device->last_completion = columns->time[i];
    note_duration(device, columns, i);
    complete_pending(device, columns, i);
    if (is_device_flush(columns->flags[i])) {
        return complete_flush(device, columns->time[i],
                              subtract_saturated(columns->time[i], columns->duration[i]));
    }
    /* Data of a write with FUA is on the medium when it completes: no flush follows. */
    if (columns->size[i] > 0 && (columns->flags[i] & IO_FLAG_FLUSH_ASKED) &&
        !(columns->flags[i] & IO_FLAG_FUA)) {
        ask_flush(device, columns->time[i]);
    }
    return EVENT_NONE;
}

/* Returns the time that the kernel counts for an I/O; EVENT_NONE: unknown. */
static int64_t iostat_time_of(struct iostat_state *state, struct iostat_device *device,
                              const struct event_columns *columns, size_t i) {
    bool is_flush = is_device_flush(columns->flags[i]);
    int64_t from = follow_completion(device, columns, i), time = columns->response[i];

    if (is_flush) {
        time = from == EVENT_NONE ? EVENT_NONE : subtract_saturated(columns->time[i], from);
    }
    if (time >= 0) {
        state->queued++;
        return time;
    }
    if (columns->duration[i] < 0) {
        state->untimed++;
        return EVENT_NONE;
    }
    *(is_flush && state->queues != EVENT_NONE ? &state->unsure : &state->issued) += 1;
    return columns->duration[i];
}

static void iostat_complete(struct iostat_state *state, struct iostat_device *device,
                            const struct event_columns *columns, size_t i, uint64_t interval) {
    enum io_group group = iostat_group_of(state, columns->flags[i]);
    int64_t size = columns->size[i] > 0 ? columns->size[i] : 0;
    struct done_write io = {columns->address[i], columns->time[i], EVENT_NONE, interval};

    if (group == NO_GROUP) {
        state->others++;
        return;
    }
    io.time = iostat_time_of(state, device, columns, i);
    state->counted++;
    device->any = true;
    if (group == WRITES_DONE && size == 0 && columns->address[i] > 0) {
        remove_data_of_flush(state, device, columns->address[i]);
    } else if (group == WRITES_DONE && (columns->flags[i] & IO_FLAG_FLUSH_ASKED)) {
        device->writes[device->write_count++ % WRITES] = io;
    }
    add_io(state, device, &io, group, 1);
    add_saturated(&device->cells[interval].groups[group].bytes, size);
    if (io.time != EVENT_NONE) {
        iostat_run(state, device, subtract_saturated(io.end, io.time), io.end);
    }
}

static void add_merge(const struct iostat_state *state, struct iostat_device *device,
                      const struct event_columns *columns, size_t i, uint64_t interval) {
    enum io_group group = iostat_group_of(state, columns->flags[i]);

    if (group != NO_GROUP && (columns->operation[i] == state->back_merges ||
                              columns->operation[i] == state->front_merges)) {
        device->cells[interval].groups[group].merges++;
    }
}

static void iostat_visit(void *iostat_state, const struct event_columns *columns, size_t count) {
    struct iostat_state *state = iostat_state;

    for (size_t i = 0; i < count; i++) {
        uint64_t interval = interval_of(&state->intervals, columns->time[i]);
        struct iostat_device *device;

        /* Skips events outside the intervals, which only a damaged database has. */
        if (interval >= state->intervals.count) {
            continue;
        }
        device = iostat_find_device(state, columns->object[i]);
        if (device == NULL) {
            return;
        }
        if (state->completes == EVENT_NONE || columns->operation[i] == state->completes) {
            iostat_complete(state, device, columns, i, interval);
        } else {
            add_merge(state, device, columns, i, interval);
            iostat_follow(state, device, columns, i);
        }
    }
}

/* Processes events before the window, to find the I/Os in flight at its begin. */
static bool visit_before(void *iostat_state, const struct event_columns *columns, size_t count,
                         struct error *error) {
    struct iostat_state *state = iostat_state;

    for (size_t i = 0; i < count; i++) {
        struct iostat_device *device = iostat_find_device(state, columns->object[i]);

        if (device == NULL) {
            *error = state->context->error;
            return false;
        }
        if (columns->operation[i] == state->completes) {
            follow_completion(device, columns, i);
        } else {
            iostat_follow(state, device, columns, i);
        }
    }
    return true;
}

/* Notes the durations of completions after the window: an I/O in flight at its end is one of them,
 * or its completion is missing. Other devices have none in flight. */
static bool visit_after(void *iostat_state, const struct event_columns *columns, size_t count,
                        struct error *error) {
    struct iostat_state *state = iostat_state;

    (void)error;
    for (size_t i = 0; i < count; i++) {
        const size_t device =
            state->of_slot[devices_find_slot(&state->object_devices, columns->object[i])];

        if (device > 0 && columns->operation[i] == state->completes) {
            note_duration(&state->devices[device - 1], columns, i);
        }
    }
    return true;
}

static void iostat_begin(void *iostat_state) {
    struct iostat_state *state = iostat_state;

    if (state->context->selection->filter.action != NULL) {
        error_usage_absent(&state->context->error,
                           "report iostat counts completed I/Os (C) only; omit --action");
        return;
    }
    intervals_find(&state->intervals, state->context, COVER_WINDOW, WANTED_INTERVALS,
                   INTERVALS_MOST);
}

static bool iostat_find_actions(struct iostat_state *state, struct database *database,
                                int64_t trace, struct error *error) {
    const struct {
        const char *letters;
        int64_t *id;
    } actions[] = {{"M", &state->back_merges},
                   {"F", &state->front_merges},
                   {"Q", &state->queues},
                   {"D", &state->issues},
                   {"R", &state->requeues}};
    int64_t completed, got;

    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++) {
        if (!action_find(database, trace, actions[i].letters, actions[i].id, error)) {
            return false;
        }
    }
    if (!action_find(database, trace, "C", &completed, error) ||
        !action_find(database, trace, "G", &got, error)) {
        return false;
    }
    state->has_completed = completed != EVENT_NONE && completed == state->completes;
    /* If a log has G (request allocated), the tracer also logged merges (M, F): their absence means
     * that there were none. */
    state->merges_known =
        state->has_completed && (state->back_merges != EVENT_NONE ||
                                 state->front_merges != EVENT_NONE || got != EVENT_NONE);
    state->of_blocks = state->queues != EVENT_NONE || state->issues != EVENT_NONE;
    return true;
}

/* Visits the selected events from `first` to `last`, which are outside the window. */
static void scan_beside_window(struct iostat_state *state, int64_t first, int64_t last,
                               bool (*visit)(void *, const struct event_columns *, size_t,
                                             struct error *)) {
    struct analysis_context *context = state->context;
    struct event_scan scan;

    event_scan_init(&scan, context->selection, context->trace);
    scan.first = first;
    scan.last = last;
    scan.ranges = NULL;
    scan.action = EVENT_NONE;
    scan.fields = context->analysis->fields;
    scan.visit = visit;
    if (first <= last) {
        event_scan_in_order(&scan, state, &context->error);
    }
}

/* Begins a trace. Times count until the end of the window, or of the log if that is earlier. */
static void iostat_begin_trace(void *iostat_state) {
    struct iostat_state *state = iostat_state;
    struct analysis_context *context = state->context;
    const struct selected_trace *trace = context->trace;
    struct error *error = &context->error;
    struct window window;

    state->completes = trace->action;
    state->first_device = state->device_count;
    devices_free(&state->object_devices);
    if (!iostat_find_actions(state, context->database, trace->trace->id, error) ||
        !devices_read(&state->object_devices, context->database, trace->trace->id, error) ||
        !window_times(trace->trace, &context->selection->filter, &window, error)) {
        return;
    }
    free(state->of_slot);
    state->of_slot = xcalloc(state->object_devices.slot_count, sizeof *state->of_slot);
    state->any_merges |= state->merges_known;
    state->no_merges |= !state->merges_known;
    state->from = window.from;
    state->to = window.to < trace->trace->last_time ? window.to : trace->trace->last_time;
    if (window.from != INT64_MIN && state->has_completed && trace->first <= trace->last) {
        scan_beside_window(state, trace->trace->first_event, trace->first - 1, visit_before);
    }
}

/* Counts an I/O without completion until the end of the log or window. Not done if events are lost,
 * which may be completions, or if a filter by size may exclude partial completions. */
static void end_pending(struct iostat_state *state, struct iostat_device *device,
                        const struct pending_io *pending) {
    const struct filter *filter = &state->context->selection->filter;

    if (filter->ranges[FILTER_SIZE].least.given || filter->ranges[FILTER_SIZE].most.given) {
        state->unselected++;
    } else if (state->context->trace->trace->lost > 0) {
        state->unanswered++;
    } else if (subtract_saturated(device->last_completion, pending->issued) > device->longest) {
        state->overdue++;
    } else {
        state->running++;
        device->any = true;
        iostat_add_stretch(state, device, pending->group, pending->issued, state->to);
        iostat_run(state, device, pending->issued, state->to);
    }
}

static void iostat_end_trace(void *iostat_state) {
    struct iostat_state *state = iostat_state;
    const struct selected_trace *trace = state->context->trace;
    size_t pending = 0;

    for (size_t d = state->first_device; d < state->device_count; d++) {
        pending += state->devices[d].pending_count;
    }
    if (pending > 0 && state->has_completed) {
        scan_beside_window(state, trace->last + 1, trace->trace->last_event, visit_after);
    }
    for (size_t d = state->first_device; d < state->device_count; d++) {
        struct iostat_device *device = &state->devices[d];

        for (size_t i = 0; state->has_completed && i < device->pending_count; i++) {
            end_pending(state, device, &device->pending[i]);
        }
        free(device->busy);
        free(device->pending);
        device->busy = NULL;
        device->pending = NULL;
        device->pending_count = 0;
    }
}

static void iostat_add_notes(const struct iostat_state *state) {
    struct notes *notes = &state->context->selection->notes;

    if (state->queued > 0) {
        notes_append(notes, "await, aqu-sz, %%util: from queue (Q) to completion (C)%s",
                     state->issued > 0 ? ", or from issue (D)" : "");
        if (state->issued > 0) {
            notes_append_count(
                notes, state->counted,
                "from issue (D): %lld of %lld I/O{, its|s, their} Q is not in the log",
                (long long)state->issued, (long long)state->counted);
        }
    } else if (state->issued > 0) {
        notes_append(notes, "await, aqu-sz, %%util: from issue (D) to completion (C), without the "
                            "time in the queue: no Q in the log");
    }
    if (state->unsure > 0) {
        notes_append(notes,
                     "flushes counted from their issue (D): %lld; they may have begun earlier",
                     (long long)state->unsure);
    }
    notes_append_count(
        notes, state->running,
        "still running at the end: %lld I/O{s}, in aqu-sz and %%util from {its|their} "
        "issue (D) on",
        (long long)state->running);
    notes_append_count(
        notes, state->unanswered,
        "excluded from aqu-sz, %%util: %lld I/O{s} without a completion, as events were lost",
        (long long)state->unanswered);
    notes_append_count(
        notes, state->overdue,
        "excluded from aqu-sz, %%util: %lld I/O{s} without a completion; later ones completed, and "
        "none took as long",
        (long long)state->overdue);
    notes_append_count(
        notes, state->unselected,
        "excluded from aqu-sz, %%util: %lld I/O{s} without a completion of the selected sizes",
        (long long)state->unselected);
    if (state->untimed > 0) {
        notes_append_count(
            notes, state->counted,
            "excluded from await, aqu-sz, %%util: %lld of %lld I/O{s} without a time",
            (long long)state->untimed, (long long)state->counted);
    }
    if (state->no_merges && state->counted > 0) {
        notes_append(notes, "rrqm/s, wrqm/s, drqm/s are empty: no merges (M, F) in %s",
                     state->any_merges ? "some of the logs" : "the log");
    }
    notes_append_count(notes, state->others,
                       "excluded: %lld I/O{s} that {is|are} neither read, write, discard nor flush",
                       (long long)state->others);
    notes_append_count(notes, state->late,
                       "%%util may be too low: %lld I/O{s} began before the last %d idle periods "
                       "of {its|their} device; earlier ones are not remembered",
                       (long long)state->late, PAUSES / 2);
}

static void iostat_write_rows(void *iostat_state) {
    struct iostat_state *state = iostat_state;
    const struct intervals *intervals = &state->intervals;
    bool timed = state->queued + state->issued + state->unsure + state->running > 0;

    for (size_t d = 0; d < state->device_count; d++) {
        for (size_t i = 0; state->devices[d].any && i < intervals->count; i++) {
            const struct cell *cell = &state->devices[d].cells[i];

            for (int g = 0; g < GROUPS; g++) {
                const struct group_counts *group = &cell->groups[g];

                TEMP_ROW(&state->context->tables[0], (int64_t)i,
                         (int64_t)(intervals->origin + i * intervals->length),
                         (int64_t)intervals->length, state->devices[d].device, g, group->count,
                         group->bytes, state->devices[d].merges_known ? group->merges : EVENT_NONE,
                         group->timed, timed ? group->time : EVENT_NONE,
                         timed ? cell->busy : EVENT_NONE, timed ? group->weight : EVENT_NONE,
                         state->devices[d].trace);
            }
        }
    }
    iostat_add_notes(state);
}

static void iostat_free_state(void *iostat_state) {
    struct iostat_state *state = iostat_state;

    for (size_t i = 0; i < state->device_count; i++) {
        free(state->devices[i].cells);
        free(state->devices[i].busy);
        free(state->devices[i].pending);
    }
    free(state->devices);
    free(state->of_slot);
    devices_free(&state->object_devices);
}

/* temp.tally_iostat: a row per interval, device of a trace (NULL: unknown) and group of I/Os
 * (`what`: 0 reads, 1 writes, 2 discards, 3 device flushes). `count`: completions; `merges`: NULL
 * if not in the log; `timed`, `time`: completions with a known time, and their total time. `busy`:
 * time with any I/O in flight, equal in all four rows; `weight`, for aqu-sz: total time of the I/Os
 * inside the window. Times are NULL if no I/O has a time. */
const struct analysis analysis_iostat = {
    .name = "iostat",
    .tables = {{"tally_iostat",
                "interval, start, length, device, what, count, bytes, merges, timed, time, busy, "
                "weight, trace",
                "interval"}},
    .each_device = true,
    .pass = PASS_ALL_ACTIONS,
    .fields = EVENT_OPERATION | EVENT_OBJECT | EVENT_ADDRESS | EVENT_SIZE | EVENT_FLAGS |
              EVENT_DURATION | EVENT_RESPONSE,
    .parameters = {INTERVAL_PARAMETER},
    .state_size = sizeof(struct iostat_state),
    .begin = iostat_begin,
    .begin_trace = iostat_begin_trace,
    .visit = iostat_visit,
    .end_trace = iostat_end_trace,
    .write = iostat_write_rows,
    .free = iostat_free_state,
};
