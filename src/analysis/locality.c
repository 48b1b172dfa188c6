/* Counts sequential and random I/O: temp.tally_locality. */
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "base/memory.h"
#include "model/event.h"
#include "store/devices.h"

enum { DIRECTIONS = 2 }; /* index 0: reads, 1: writes */

/* Two orders of I/Os in which sequential ones are counted: the order of the selected action, and
 * the order of issue (D). */
enum { ORDER_COUNTED, ORDER_ISSUED, ORDERS };

/* Numbers of sequential and of other I/Os, in one order (of the selected action, or of issue). */
struct locality {
    /* Owned; by slot of the device and direction: sector after the previous I/O; -1: none yet. */
    int64_t (*end)[DIRECTIONS];
    int64_t sequential[DIRECTIONS], random[DIRECTIONS];
};

struct locality_state {
    struct analysis_context *context;
    struct devices devices; /* owned; devices by object.id */
    /* name.id of the selected action and of issue. EVENT_NONE: for `counted`, every event counts;
     * for `issued`, no event is an issue. */
    int64_t counted, issued;
    struct locality orders[ORDERS];
};

/* Counts I/Os; skips those without a sector or data. */
static void locality_visit(void *locality_state, const struct event_columns *columns,
                           size_t count) {
    struct locality_state *state = locality_state;
    bool data_only = state->context->values[0].given;

    for (size_t i = 0; i < count; i++) {
        const bool is_issue = state->issued != EVENT_NONE && columns->operation[i] == state->issued;
        struct locality *locality = &state->orders[is_issue ? ORDER_ISSUED : ORDER_COUNTED];
        enum io_class class = io_class_of(columns->flags[i]);
        enum io_block_type type = io_block_type_of(columns->flags[i]);
        int64_t address = columns->address[i], *end;
        bool sequential, writes = class == IO_WRITE || class == IO_WRITESYNC;

        if (class == IO_OTHER || class == IO_FLUSH || columns->size[i] == 0 ||
            address == EVENT_NONE ||
            (data_only && (type == IO_BLOCK_JOURNAL || type == IO_BLOCK_METADATA)) ||
            (!is_issue && state->counted != EVENT_NONE &&
             columns->operation[i] != state->counted)) {
            continue;
        }
        end = &locality->end[devices_find_slot(&state->devices, columns->object[i])][writes];
        sequential = *end == address;
        locality->sequential[writes] += sequential;
        locality->random[writes] += !sequential;
        /* Stores where this I/O ends: the sector after it. In a damaged database the sum may wrap
         * around. */
        *end = columns->size[i] == EVENT_NONE
                   ? address
                   : (int64_t)((uint64_t)address + (uint64_t)(columns->size[i] / IO_SECTOR));
    }
}

static void locality_free_state(void *locality_state) {
    struct locality_state *state = locality_state;

    for (int i = 0; i < ORDERS; i++) {
        free(state->orders[i].end);
    }
    devices_free(&state->devices);
}

/* Resets the previous I/Os, because the traces' disks may differ. */
static void locality_begin_trace(void *locality_state) {
    struct locality_state *state = locality_state;
    struct analysis_context *context = state->context;

    state->counted = state->issued = EVENT_NONE;
    if (context->analysis->pass == PASS_ALL_ACTIONS && context->selection->filter.action == NULL) {
        state->counted = context->trace->action;
        action_find(context->database, context->trace->trace->id, "D", &state->issued,
                    &context->error);
    }
    locality_free_state(state);
    devices_read(&state->devices, context->database, context->trace->trace->id, &context->error);
    for (int i = 0; i < ORDERS; i++) {
        const size_t size = (state->devices.slot_count + 1) * sizeof *state->orders[i].end;

        state->orders[i] = (struct locality){.end = xmalloc(size)};
        memset(state->orders[i].end, 0xFF, size);
    }
}

static int64_t locality_sum(const struct locality *locality) {
    int64_t sum = 0;

    for (int direction = 0; direction < DIRECTIONS; direction++) {
        sum += locality->sequential[direction] + locality->random[direction];
    }
    return sum;
}

/* Writes the counts of a trace. A device with a queue may complete I/Os in another order than they
 * were issued. So the order of issues is used, unless the log lacks more than half of them. */
static void locality_end_trace(void *locality_state) {
    struct locality_state *state = locality_state;
    const int64_t issues = locality_sum(&state->orders[ORDER_ISSUED]);
    const bool issued =
        issues > 0 && issues >= locality_sum(&state->orders[ORDER_COUNTED]) - issues;
    const struct locality *locality = &state->orders[issued ? ORDER_ISSUED : ORDER_COUNTED];

    for (int direction = 0; direction < DIRECTIONS; direction++) {
        TEMP_ROW(&state->context->tables[0], state->context->trace->trace->id, direction,
                 locality->sequential[direction], locality->random[direction], (int64_t)issued);
    }
}

/* Table temp.tally_locality: a row per trace and direction (0 reads, 1 writes). `sequential`: I/Os
 * that start where the previous I/O of the same direction and device ended; `random`: others. I/Os
 * without a sector or data do not count, nor do metadata and journal blocks with --data-only. */
#define LOCALITY(what, table, order, looks_at)                                                     \
    {                                                                                              \
        .name = (what),                                                                            \
        .tables = {{(table), "trace, direction, sequential, random, issued", NULL}},               \
        .pass = (order),                                                                           \
        .fields = EVENT_OBJECT | EVENT_FLAGS | EVENT_ADDRESS | EVENT_SIZE | (looks_at),            \
        .parameters = {{                                                                           \
            .name = "data-only",                                                                   \
            .type = PARAMETER_FLAG,                                                                \
            .help = "locality: leave metadata and journal out",                                    \
        }},                                                                                        \
        .state_size = sizeof(struct locality_state), .begin_trace = locality_begin_trace,          \
        .visit = locality_visit, .end_trace = locality_end_trace, .free = locality_free_state      \
    }

const struct analysis analysis_locality = LOCALITY("locality", "tally_locality", PASS_IN_ORDER, 0);
/* Prefers the order of issues (D), if the log has them. */
const struct analysis analysis_locality_issued =
    LOCALITY("locality_issued", "tally_locality_issued", PASS_ALL_ACTIONS, EVENT_OPERATION);
