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
    int64_t ios; /* number of I/Os in the run; 0: the element is unused */
    int64_t bytes;
};

/* Counters of the runs of n I/Os with 2^(i - 1) < n <= 2^i. */
struct length {
    int64_t runs, ios, bytes;
};

struct runs_state {
    struct transfers_state of; /* finds reads and writes among the events */
    size_t streams;
    struct device_slots devices;
    /* Owned; by device and direction: `streams` runs, the most recently used first. */
    struct run *runs[DEVICE_SLOTS][DIRECTIONS];
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
    struct run **place =
        &state->runs[device_slot(&state->devices, transfer->within)][transfer->write];
    struct run *runs = *place, run = {.ios = 0};
    size_t i = 0;

    if (runs == NULL) {
        runs = *place = xcalloc(state->streams, sizeof *runs);
    }
    while (i < state->streams - 1 && runs[i].ios > 0 && runs[i].end != transfer->begin) {
        i++;
    }
    if (runs[i].ios > 0 && runs[i].end == transfer->begin) {
        run = runs[i];
    } else if (runs[i].ios > 0) {
        end_run(state, transfer->write, &runs[i]);
    }
    memmove(runs + 1, runs, i * sizeof *runs);
    run.end = (transfer->begin + transfer->size) / IO_SECTOR * IO_SECTOR;
    run.ios++;
    add_saturated(&run.bytes, transfer->size);
    runs[0] = run;
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

static void runs_begin_trace(void *runs_state) {
    struct runs_state *state = runs_state;

    state->devices = (struct device_slots){.count = 0};
    transfers_begin_trace(state);
}

/* Ends all open runs. */
static void runs_end_trace(void *runs_state) {
    struct runs_state *state = runs_state;

    for (size_t device = 0; device < state->devices.count; device++) {
        for (int direction = 0; direction < DIRECTIONS; direction++) {
            struct run *runs = state->runs[device][direction];

            for (size_t i = 0; runs != NULL && i < state->streams && runs[i].ios > 0; i++) {
                end_run(state, direction, &runs[i]);
                runs[i].ios = runs[i].bytes = 0;
            }
        }
    }
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

    for (size_t device = 0; device < DEVICE_SLOTS; device++) {
        for (int direction = 0; direction < DIRECTIONS; direction++) {
            free(state->runs[device][direction]);
        }
    }
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
