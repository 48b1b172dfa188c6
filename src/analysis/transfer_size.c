/* Counts system calls that read, write or copy files, by the bit length of their size:
 * temp.tally_transfer_size. */
#include "analysis/keyed_rows.h"
#include "base/saturate.h"
#include "scan/event_filter.h"

enum { ROWS_IN_MEMORY = 1 << 16 };

/* Key of a row, compared as bytes, so it has no padding. */
struct size_key {
    uint32_t operation, bits;
};

struct size_row {
    struct size_key key;
    int64_t calls, bytes;
    int64_t timed, total;
};

/* Results of one thread of the analysis. */
struct size_state {
    struct keyed_state keyed;        /* hash table of struct size_row */
    struct id_set operations, files; /* name.id of operations and object.id of files that count; set
                                        in the first thread's state */
    int64_t to; /* end of the time window if calls are cut there; else INT64_MAX */
};

static void transfer_size_write_row(struct analysis_context *context, const void *size_row) {
    const struct size_row *row = size_row;

    TEMP_ROW(&context->tables[0], context->trace->trace->id, row->key.operation, row->key.bits,
             row->calls, row->bytes, row->timed, row->timed > 0 ? row->total : EVENT_NONE);
}

static void transfer_size_add_row(void *to, const void *from) {
    struct size_row *into = to;
    const struct size_row *row = from;

    into->calls += row->calls;
    into->timed += row->timed;
    add_saturated(&into->bytes, row->bytes);
    add_saturated(&into->total, row->total);
}

/* Finds the operations and files that count. Pipes, sockets and kernel files do not: the program
 * does not choose their sizes. */
static void transfer_size_begin_trace(void *size_state) {
    struct size_state *state = size_state;
    struct analysis_context *context = state->keyed.context;
    const int64_t trace = context->trace->trace->id;

    state->to = context->trace->edges == NULL ? INT64_MAX : context->trace->edges->to;
    if (state != context->first) {
        return;
    }
    if (id_set_query(&state->operations, context->database,
                     "SELECT id FROM main.name WHERE trace = ?1"
                     " AND call_does(text) IN ('read', 'write', 'copy') ORDER BY id",
                     trace, &context->error)) {
        id_set_query(&state->files, context->database,
                     "SELECT id FROM main.object WHERE trace = ?1 AND name IS NOT NULL"
                     " AND descriptor_wait(name, type) = 'file' AND name NOT GLOB '/dev/*'"
                     " AND name NOT GLOB '/proc/*' AND name NOT GLOB '/sys/*' ORDER BY id",
                     trace, &context->error);
    }
}

static void transfer_size_visit(void *size_state, const struct event_columns *columns,
                                size_t count) {
    struct size_state *state = size_state;
    const struct size_state *first = state->keyed.context->first;

    for (size_t i = 0; i < count; i++) {
        const int64_t size = columns->size[i], duration = columns->duration[i];
        const int64_t left = subtract_saturated(state->to, columns->time[i]);
        struct size_row *row;

        if (size <= 0 || !id_set_has(&first->operations, columns->operation[i]) ||
            !id_set_has(&first->files, columns->object[i])) {
            continue;
        }
        row = keyed_rows_find(
            &state->keyed.rows,
            &(struct size_key){columns->operation[i],
                               (uint32_t)(64 - __builtin_clzll((unsigned long long)size))});
        row->calls++;
        add_saturated(&row->bytes, size);
        if (duration >= 0) {
            row->timed++;
            add_saturated(&row->total, duration < left ? duration : left);
        }
    }
}

static void transfer_size_free_state(void *size_state) {
    struct size_state *state = size_state;

    id_set_free(&state->operations);
    id_set_free(&state->files);
    keyed_state_free(state);
}

/* tally_transfer_size: a row per operation and `bits`, the bit length of the size (at least 1).
 * `timed`: calls with a duration; `total`: sum of the durations inside the time window, NULL if
 * there are none. A key may have several rows. */
const struct analysis analysis_transfer_size = {
    .name = "transfer_size",
    .tables = {{"tally_transfer_size", "trace, operation, bits, calls, bytes, timed, total", NULL}},
    .pass = PASS_ANY_ORDER,
    .leaves_out = true,
    .fields = EVENT_OPERATION | EVENT_OBJECT | EVENT_SIZE | EVENT_DURATION,
    .window = WINDOW_WHOLE,
    .state_size = sizeof(struct size_state),
    .keyed =
        &(const struct keyed_kind){sizeof(struct size_key), sizeof(struct size_row), ROWS_IN_MEMORY,
                                   .write = transfer_size_write_row, .add = transfer_size_add_row},
    .begin = keyed_state_begin,
    .begin_trace = transfer_size_begin_trace,
    .visit = transfer_size_visit,
    .merge = keyed_state_merge,
    .end_trace = keyed_state_end_trace,
    .free = transfer_size_free_state,
};
