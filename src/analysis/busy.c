/* Computes the time during which any I/O was queued or in flight (temp.tally_busy), and during
 * which any I/O was in flight while a program's sync waited (temp.tally_busy_beside). */
#include <stdlib.h>

#include "analysis/transfers.h"
#include "base/memory.h"
#include "base/saturate.h"
#include "scan/event_filter.h"
#include "select/window.h"
#include "store/column_reader.h"

/* STRETCHES: limit of the latest intervals, which later I/Os may still extend; SYNC_STRETCHES:
 * limit of intervals during which a sync waited. */
enum { STRETCHES = 256, SYNC_STRETCHES = 1 << 16 };

struct stretch {
    int64_t from, to;
};

/* Total length of a union of time intervals, which are added in order of their ends. */
struct cover {
    /* Ring of the latest intervals, which later I/Os may extend; sorted and disjoint. */
    struct stretch open[STRETCHES];
    size_t first, count;
    int64_t closed; /* total length of all earlier intervals, which no longer change */
    /* Borrowed: array of `within_count` sorted and disjoint intervals; NULL: none. */
    const struct stretch *within;
    size_t within_count;
    int64_t inside; /* the part of `closed` that overlaps `within` */
};

enum covered { ASKED, DEVICE, WITH_DATA, COVERS };

struct busy_state {
    struct analysis_context *context;
    struct cover covers[COVERS];
    int64_t from; /* --from as a time of the trace; INT64_MIN: not given */
    bool queued;  /* true: the queue time of some I/O is in the log */
};

static struct stretch *busy_last_of(struct cover *cover) {
    return &cover->open[(cover->first + cover->count - 1) % STRETCHES];
}

static void close_first(struct cover *cover) {
    const struct stretch *stretch = &cover->open[cover->first];

    add_saturated(&cover->closed, subtract_saturated(stretch->to, stretch->from));
    for (; cover->within_count > 0; cover->within++, cover->within_count--) {
        const struct stretch *within = cover->within;
        int64_t from = within->from > stretch->from ? within->from : stretch->from;
        int64_t to = within->to < stretch->to ? within->to : stretch->to;

        add_saturated(&cover->inside, to > from ? subtract_saturated(to, from) : 0);
        if (within->to > stretch->to) {
            break;
        }
    }
    cover->first = (cover->first + 1) % STRETCHES;
    cover->count--;
}

/* Adds an interval of `length` that ends at `to`. Must be called in order of `to`. */
static void busy_add_stretch(struct cover *cover, int64_t to, int64_t length) {
    int64_t from = subtract_saturated(to, length);

    if (length < 0) {
        return;
    }
    while (cover->count > 0 && busy_last_of(cover)->to >= from) {
        from = busy_last_of(cover)->from < from ? busy_last_of(cover)->from : from;
        cover->count--;
    }
    if (cover->count == STRETCHES) {
        close_first(cover);
    }
    cover->count++;
    *busy_last_of(cover) = (struct stretch){from, to};
}

/* Adds the interval of an I/O that completes at `to`, but only its part after --from. */
static void busy_add_io(struct busy_state *state, enum covered which, int64_t to, int64_t length) {
    const int64_t inside = subtract_saturated(to, state->from);

    busy_add_stretch(&state->covers[which], to, length < inside ? length : inside);
}

static void busy_begin_trace(void *busy_state) {
    struct busy_state *state = busy_state;
    struct analysis_context *context = state->context;
    struct window window = {.from = INT64_MIN};

    window_times(context->trace->trace, &context->selection->filter, &window, &context->error);
    state->from = window.from;
}

static void busy_visit(void *busy_state, const struct event_columns *columns, size_t count) {
    struct busy_state *state = busy_state;

    for (size_t i = 0; i < count; i++) {
        const int64_t time = columns->time[i];

        if (columns->duration[i] < 0) {
            continue; /* the issue of this I/O is not in the log */
        }
        state->queued |= columns->response[i] >= 0;
        busy_add_io(state, ASKED, time,
                    columns->response[i] >= 0 ? columns->response[i] : columns->duration[i]);
        busy_add_io(state, DEVICE, time, columns->duration[i]);
        if (io_class_of(columns->flags[i]) != IO_FLUSH) {
            busy_add_io(state, WITH_DATA, time, columns->duration[i]);
        }
    }
}

static void busy_end_trace(void *busy_state) {
    struct busy_state *state = busy_state;
    int64_t *closed[COVERS];

    for (int i = 0; i < COVERS; i++) {
        struct cover *cover = &state->covers[i];

        while (cover->count > 0) {
            close_first(cover);
        }
        closed[i] = &cover->closed;
    }
    TEMP_ROW(&state->context->tables[0], state->context->trace->trace->id,
             state->queued ? *closed[ASKED] : 0, *closed[DEVICE], *closed[WITH_DATA]);
    state->queued = false;
    for (int i = 0; i < COVERS; i++) {
        state->covers[i] = (struct cover){.count = 0};
    }
}

/* Table temp.tally_busy: a row per trace, over the time after --from and the I/Os whose issue is in
 * the log. `asked`: time with any I/O that was queued (Q; if unknown, issued, D) and had not
 * completed (C); 0 if no I/O has a queue time. `device`: time with any I/O between issue and
 * completion. `data`: like `device`, but without flushes. */
const struct analysis analysis_busy = {
    .name = "busy",
    .tables = {{"tally_busy", "trace, asked, device, data", NULL}},
    .issued = true,
    .pass = PASS_IN_ORDER,
    .apart = true,
    .fields = EVENT_FLAGS | EVENT_DURATION | EVENT_RESPONSE,
    .state_size = sizeof(struct busy_state),
    .begin_trace = busy_begin_trace,
    .visit = busy_visit,
    .end_trace = busy_end_trace,
};

/* --- time in the device during syncs of the programs ------------------------------------------ */

struct beside_state {
    struct analysis_context *context;
    struct call_operations operations;
    struct id_values completions; /* name.id of action C (completion) */
    struct stretch *syncs; /* owned; sorted and disjoint intervals during which a sync waited */
    size_t count, capacity;
    int64_t from, to; /* time window; syncs are cut at its begin and end */
    /* Pass over the block I/O trace of the same log; trace 0: the log has none. */
    struct event_pass ios;
    struct cover device;
};

static bool visit_ios(void *beside_state, const struct event_columns *columns, size_t count,
                      struct error *error) {
    struct beside_state *state = beside_state;
    int64_t ignored;

    for (size_t i = 0; i < count; i++) {
        if (columns->duration[i] >= 0 &&
            id_values_find(&state->completions, columns->operation[i], &ignored)) {
            busy_add_stretch(&state->device, columns->time[i], columns->duration[i]);
        }
    }
    return true;
}

static void begin_beside(void *beside_state) {
    struct beside_state *state = beside_state;
    struct analysis_context *context = state->context;
    const struct window_edges *edges = context->trace->edges;
    struct database_query query;

    state->from = edges == NULL ? INT64_MIN : edges->from;
    state->to = edges == NULL ? INT64_MAX : edges->to;
    state->ios = (struct event_pass){.database = context->database,
                                     .fields = EVENT_OPERATION | EVENT_DURATION,
                                     .visit = visit_ios};
    query = database_query(context->database, &context->error,
                           "SELECT id, first_event, last_event FROM main.trace WHERE kind = 'io'"
                           " AND log = (SELECT log FROM main.trace WHERE id = ?1) LIMIT 1",
                           "i", context->trace->trace->id);
    if (database_next(&query)) {
        state->ios.range = (struct column_range){sqlite3_column_int64(query.row, 0),
                                                 sqlite3_column_int64(query.row, 1),
                                                 sqlite3_column_int64(query.row, 2)};
    }
    if (database_end(&query) && state->ios.range.trace != 0) {
        call_operations_read(&state->operations, context);
        id_values_query(&state->completions, context->database,
                        "SELECT id, 1 FROM main.name WHERE trace = ?1 AND kind = 'action' AND"
                        " text = 'C' ORDER BY id",
                        state->ios.range.trace, &context->error);
    }
}

/* Adds the duration of a call, if it is a sync. Once there are SYNC_STRETCHES intervals, syncs that
 * would begin another one are ignored. */
static void add_sync(struct beside_state *state, uint32_t operation, int64_t begin, int64_t end) {
    struct stretch *last = state->count > 0 ? &state->syncs[state->count - 1] : NULL;

    if (state->ios.range.trace == 0 ||
        call_operations_find(&state->operations, operation) != CALL_SYNCS) {
        return;
    }
    end = end < state->to ? end : state->to;
    if (last != NULL && begin <= last->to) {
        last->to = end > last->to ? end : last->to;
    } else if (state->count < SYNC_STRETCHES) {
        *ARRAY_NEW(state->syncs, state->count, state->capacity) = (struct stretch){begin, end};
    }
}

static void visit_syncs(void *beside_state, const struct event_columns *columns, size_t count) {
    struct beside_state *state = beside_state;

    for (size_t i = 0; i < count; i++) {
        if (columns->duration[i] > 0) {
            add_sync(state, columns->operation[i], columns->time[i],
                     sum_saturated(columns->time[i], columns->duration[i]));
        }
    }
}

/* Of a sync that began before the time window, adds the part inside the window. */
static void add_earlier_sync(void *beside_state, const struct window_edge *edge) {
    struct beside_state *state = beside_state;

    if (edge->earlier) {
        add_sync(state, edge->operation, state->from, edge->end);
    }
}

static void end_beside(void *beside_state) {
    struct beside_state *state = beside_state;
    int64_t asked = 0;

    for (size_t i = 0; i < state->count; i++) {
        add_saturated(&asked, subtract_saturated(state->syncs[i].to, state->syncs[i].from));
    }
    state->device = (struct cover){.within = state->syncs, .within_count = state->count};
    if (state->count > 0 && event_pass_run(&state->ios, state, &state->context->error)) {
        while (state->device.count > 0) {
            close_first(&state->device);
        }
        TEMP_ROW(&state->context->tables[0], state->context->trace->trace->id, asked,
                 state->device.inside);
    }
    state->count = 0;
}

static void free_beside(void *beside_state) {
    struct beside_state *state = beside_state;

    call_operations_free(&state->operations);
    id_values_free(&state->completions);
    free(state->syncs);
}

/* Table temp.tally_busy_beside: a row per trace of system calls that has syncs (fsync, fdatasync)
 * and whose log also has block I/O. `asked`: time with any sync inside the time window. `device`:
 * the part of that time during which any I/O was in flight. */
const struct analysis analysis_busy_beside = {
    .name = "busy_beside",
    .tables = {{"tally_busy_beside", "trace, asked, device", NULL}},
    .pass = PASS_IN_ORDER,
    .leaves_out = true,
    .fields = EVENT_OPERATION | EVENT_DURATION,
    .state_size = sizeof(struct beside_state),
    .window = WINDOW_PARTS,
    .begin_trace = begin_beside,
    .visit = visit_syncs,
    .edge = add_earlier_sync,
    .end_trace = end_beside,
    .free = free_beside,
};
