/* Finds runs of sequential I/Os: temp.tally_run, and the distribution of their lengths in
 * temp.distribution. An I/O continues a run if it starts where the run ends. Up to `streams` runs
 * are open per device and direction; a new run ends and replaces the least recently used one. */
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/transfers.h"
#include "base/saturate.h"
#include "scan/distribution.h"
#include "base/memory.h"

enum {
    DIRECTIONS = 2, /* index 0: reads, 1: writes */
    STREAMS_MOST = 256,
    POWERS = 63, /* number of powers of two, by which lengths are counted */
};

struct run {
    int64_t end; /* byte at which the next I/O must start, rounded down to a sector */
    int64_t ios; /* number of I/Os in the run */
    int64_t bytes;
};

/* Counters of the runs of n I/Os with 2^(i - 1) < n <= 2^i. */
struct length {
    int64_t runs, ios, bytes;
};

struct runs_state {
    struct transfers_state of; /* finds reads and writes among the events */
    size_t streams;
    /* Owned; by slot of the device and direction: at most `streams` open runs. */
    struct open_runs {
        struct run *runs; /* owned; the most recently used first */
        size_t count, capacity;
    } (*open)[DIRECTIONS];
    size_t slots;                      /* number of elements in `open` */
    struct distribution *distribution; /* owned */
    /* By direction: numbers of groups in `distribution`. */
    size_t ios[DIRECTIONS], bytes[DIRECTIONS];
    struct length lengths[DIRECTIONS][POWERS];
    bool counted; /* true: the first pass is over, so `lengths` is complete */
};

static void end_run(struct runs_state *state, int direction, const struct run *run) {
    int bits = run->ios <= 1 ? 0 : 64 - __builtin_clzll((unsigned long long)run->ios - 1);
    struct length *length = &state->lengths[direction][bits];

    distribution_count(state->distribution, state->ios[direction], run->ios);
    distribution_count(state->distribution, state->bytes[direction], run->bytes);
    if (!state->counted) {
        length->runs++;
        add_saturated(&length->ios, run->ios);
        add_saturated(&length->bytes, run->bytes);
    }
}

static void runs_add(void *runs_state, const struct transfer *transfer) {
    struct runs_state *state = runs_state;
    struct open_runs *open = &state->open[transfer->slot][transfer->write];
    struct run run = {.ios = 0};
    size_t i = 0;

    while (i < open->count && open->runs[i].end != transfer->begin) {
        i++;
    }
    if (i < open->count) {
        run = open->runs[i];
    } else if (open->count < state->streams) {
        ARRAY_NEW(open->runs, open->count, open->capacity);
    } else {
        end_run(state, transfer->write, &open->runs[--i]);
    }
    memmove(open->runs + 1, open->runs, i * sizeof run);
    run.end = (transfer->begin + transfer->size) / IO_SECTOR * IO_SECTOR;
    run.ios++;
    add_saturated(&run.bytes, transfer->size);
    open->runs[0] = run;
}

static size_t runs_make_group(struct runs_state *state, const char *name) {
    return distribution_group(state->distribution, name, strlen(name), &state->of.context->error);
}

static void runs_begin(void *runs_state) {
    static const char *const ios[] = {"read ios", "write ios"};
    static const char *const bytes[] = {"read bytes", "write bytes"};
    struct runs_state *state = runs_state;

    state->streams = (size_t)state->of.context->values[0].number;
    state->distribution = distribution_new((struct distribution_shape){0});
    for (int direction = 0; direction < DIRECTIONS; direction++) {
        state->ios[direction] = runs_make_group(state, ios[direction]);
        state->bytes[direction] = runs_make_group(state, bytes[direction]);
    }
}

static void free_open_runs(struct runs_state *state) {
    for (size_t slot = 0; slot < state->slots; slot++) {
        for (int direction = 0; direction < DIRECTIONS; direction++) {
            free(state->open[slot][direction].runs);
        }
    }
    free(state->open);
    state->open = NULL;
    state->slots = 0;
}

static void runs_begin_trace(void *runs_state) {
    struct runs_state *state = runs_state;

    transfers_begin_trace(state);
    state->slots = state->of.transfers.devices.slot_count;
    state->open = xcalloc(state->slots + 1, sizeof *state->open);
}

static void runs_end_trace(void *runs_state) {
    struct runs_state *state = runs_state;

    for (size_t slot = 0; slot < state->slots; slot++) {
        for (int direction = 0; direction < DIRECTIONS; direction++) {
            for (size_t i = 0; i < state->open[slot][direction].count; i++) {
                end_run(state, direction, &state->open[slot][direction].runs[i]);
            }
        }
    }
    free_open_runs(state);
}

static bool runs_again(void *runs_state) {
    struct runs_state *state = runs_state;

    state->counted = true;
    return distribution_end_pass(state->distribution);
}

static void runs_write_rows(void *runs_state) {
    struct runs_state *state = runs_state;

    for (int direction = 0; direction < DIRECTIONS; direction++) {
        for (int power = 0; power < POWERS; power++) {
            const struct length *length = &state->lengths[direction][power];

            if (length->runs > 0) {
                TEMP_ROW(&state->of.context->tables[0], direction, INT64_C(1) << power,
                         length->runs, length->ios, length->bytes);
            }
        }
    }
    distribution_write(state->distribution, state->of.context->temp, &state->of.context->error);
}

static void runs_free_state(void *runs_state) {
    struct runs_state *state = runs_state;

    free_open_runs(state);
    transfers_free(state);
    distribution_free(state->distribution);
}

/* tally_run: a row per direction (0 reads, 1 writes) and `length`, a power of two, over the runs of
 * more than length / 2 and at most `length` I/Os. temp.distribution has the groups "read ios",
 * "read bytes", "write ios", "write bytes" over all runs. */
const struct analysis analysis_run = {
    .name = "run",
    .tables = {{"tally_run", "direction, length, runs, ios, bytes", NULL},
               {"distribution", DISTRIBUTION_COLUMNS, "name"}},
    .pass = PASS_IN_ORDER,
    .fields = TRANSFER_FIELDS,
    .parameters = {{
        .name = "streams",
        .type = PARAMETER_NUMBER,
        .argument = "N",
        .help = "runs: how many interleaved runs are followed at a time (default 32)",
        .least = 1,
        .most = STREAMS_MOST,
        .otherwise = 32,
    }},
    .state_size = sizeof(struct runs_state),
    .begin = runs_begin,
    .begin_trace = runs_begin_trace,
    .visit = transfers_visit,
    .transfer = runs_add,
    .end_trace = runs_end_trace,
    .again = runs_again,
    .write = runs_write_rows,
    .free = runs_free_state,
};
