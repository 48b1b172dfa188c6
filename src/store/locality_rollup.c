/* rollup_locality: sequential and random I/O, of each action and of all events. */
#include <stdlib.h>

#include "model/locality.h"
#include "store/devices.h"
#include "store/event_rollups.h"
#include "base/memory.h"

/* A trace with more actions, of which there are a dozen, is without the rollup. */
#define MOST_ACTIONS 64

/* Of the events of an action. */
struct action {
    uint32_t operation;          /* 0: all events, whatever their action */
    struct locality all, chosen; /* chosen: of data alone, once they differ */
    bool differ;
};

struct locality_state {
    struct devices devices;               /* owned; of objects */
    struct action *actions[MOST_ACTIONS]; /* owned; the first is of all events */
    size_t count, last;                   /* last: the one found last */
    unsigned char found[MOST_ACTIONS];    /* by operation, modulo: the one found last for it */
    bool crowded;                         /* there are more */
};

static bool add_action(struct locality_state *state, uint32_t operation, struct error *error) {
    struct action *action = xmalloc(sizeof *action);

    action->operation = operation;
    locality_init(&action->all, false);
    action->differ = false;
    state->last = state->count;
    state->actions[state->count++] = action;
    return true;
}

static bool begin(void *context_state, struct database *database, int64_t trace,
                  struct error *error) {
    struct locality_state *state = context_state;

    return devices_read(&state->devices, database, trace, error) && add_action(state, 0, error);
}

static bool entry(void *context_state, const struct entry *told, struct error *error) {
    struct locality_state *state = context_state;

    return told->table != ENTRY_OBJECT || told->object.device == EVENT_NONE ||
           devices_add(&state->devices, told->id, told->object.device, error);
}

/* Finds or makes the action, as `last`; where there are too many, `crowded` is set instead. */
static bool find_action(struct locality_state *state, uint32_t operation, struct error *error) {
    size_t i = 0;

    while (i < state->count && state->actions[i]->operation != operation) {
        i++;
    }
    if (i == MOST_ACTIONS) {
        state->crowded = true;
        return true;
    }
    state->last = state->found[operation % MOST_ACTIONS] = (unsigned char)i;
    return i < state->count || add_action(state, operation, error);
}

/* Both are the same until an I/O comes that is not of data. */
static inline void add(struct action *action, const struct locality_io *io) {
    if (!io->is_data && !action->differ) {
        action->chosen = action->all;
        action->chosen.data_only = action->differ = true;
    }
    locality_add(&action->all, io);
    if (action->differ) {
        locality_add(&action->chosen, io);
    }
}

static bool visit(void *context_state, const struct event_columns *columns, size_t count,
                  struct error *error) {
    struct locality_state *state = context_state;
    struct locality_io io;

    for (size_t i = 0; i < count && !state->crowded; i++) {
        uint32_t operation = columns->operation[i];

        state->last = state->found[operation % MOST_ACTIONS];
        if (state->actions[state->last]->operation != operation &&
            !find_action(state, operation, error)) {
            return false;
        }
        if (!locality_io(&io, devices_find(&state->devices, columns->object[i]), columns->flags[i],
                         columns->address[i], columns->size[i])) {
            continue;
        }
        add(state->actions[0], &io);
        if (state->last != 0) {
            add(state->actions[state->last], &io);
        }
    }
    return true;
}

static bool write_counts(const struct action *action, bool data_only, struct number_rows *rows,
                         struct error *error) {
    const struct locality *counts = data_only && action->differ ? &action->chosen : &action->all;

    for (int direction = 0; direction < LOCALITY_DIRECTIONS; direction++) {
        const int64_t values[] = {action->operation, direction, data_only,
                                  counts->sequential[direction], counts->random[direction]};

        if (!number_rows_add(rows, values, error)) {
            return false;
        }
    }
    return true;
}

static bool write_rows(const void *context_state, struct number_rows *rows, bool *whole,
                       struct error *error) {
    const struct locality_state *state = context_state;
    bool done = true;

    *whole = !state->crowded;
    for (size_t i = 0; done && *whole && i < state->count; i++) {
        const struct action *action = state->actions[i];

        done = write_counts(action, false, rows, error) && write_counts(action, true, rows, error);
    }
    return done;
}

static void free_state(void *context_state) {
    struct locality_state *state = context_state;

    for (size_t i = 0; i < state->count; i++) {
        free(state->actions[i]);
    }
    devices_free(&state->devices);
}

static const struct event_counter localities = {
    .fields = EVENT_OPERATION | EVENT_OBJECT | EVENT_FLAGS | EVENT_ADDRESS | EVENT_SIZE,
    .flags = IO_CLASS_MASK | IO_BLOCK_MASK << IO_BLOCK_SHIFT,
    .untimed = true,
    .state_size = sizeof(struct locality_state),
    .begin = begin,
    .entry = entry,
    .visit = visit,
    .free = free_state,
};

const struct event_rollup locality_rollup = {
    .name = "locality",
    .kinds = 1u << TRACE_IO,
    .columns = "action, direction, data_only, sequential, random",
    .counter = &localities,
    .write = write_rows,
};
