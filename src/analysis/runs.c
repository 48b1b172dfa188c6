/* Runs of sequential I/Os: temp.tally_run, and how long they are in temp.distribution.
 *
 * An I/O goes on with a run when it begins where that one ends. The ends of the `streams` runs that
 * were used last are remembered, for each device and direction; the run that was used longest ago
 * makes room for a new one, and is over then.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/transfers.h"
#include "base/saturate.h"
#include "scan/distribution.h"
#include "base/memory.h"

enum {
    DIRECTIONS = 2, /* reads, writes */
    STREAMS_MOST = 256,
    POWERS = 63, /* of two, that lengths are counted by */
};

struct run {
    int64_t end; /* bytes, cut to a sector */
    int64_t ios; /* 0: none */
    int64_t bytes;
};

/* Runs of a number of I/Os n, 2^(i - 1) < n <= 2^i. */
struct length {
    int64_t runs, ios, bytes;
};

struct runs_state {
    const struct analysis_context *context;
    size_t streams;
    struct transfers transfers; /* owned */
    struct device_slots devices;
    /* Of each device and direction: `streams` of them, the one used last first. Owned. */
    struct run *runs[DEVICE_SLOTS][DIRECTIONS];
    struct distribution *distribution;         /* owned */
    size_t ios[DIRECTIONS], bytes[DIRECTIONS]; /* its groups */
    struct length lengths[DIRECTIONS][POWERS];
    bool counted; /* the lengths, in the first pass */
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

/* The runs of the transfer's device and direction; NULL when out of memory. */
static struct run *find_runs(struct runs_state *state, const struct transfer *transfer) {
    struct run **runs =
        &state->runs[device_slot(&state->devices, transfer->within)][transfer->write];

    if (*runs == NULL) {
        *runs = xcalloc(state->streams, sizeof **runs);
    }
    return *runs;
}

static bool take(struct runs_state *state, const struct transfer *transfer, struct error *error) {
    struct run *runs = find_runs(state, transfer), run = {.ios = 0};
    size_t i = 0;

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
    return true;
}

static bool visit(void *context_state, const struct event_columns *columns, size_t count,
                  struct error *error) {
    struct runs_state *state = context_state;
    struct transfer transfers[TRANSFERS_MOST];

    for (size_t i = 0; i < count; i++) {
        size_t taken = transfers_take(&state->transfers, columns, i, transfers);

        for (size_t one = 0; one < taken; one++) {
            if (!take(state, &transfers[one], error)) {
                return false;
            }
        }
    }
    return true;
}

static bool begin(void *context_state, const struct analysis_context *context,
                  struct error *error) {
    struct runs_state *state = context_state;

    state->context = context;
    state->streams = (size_t)context->values[0].number;
    state->distribution = distribution_new();
    for (int direction = 0; direction < DIRECTIONS; direction++) {
        const char *const ios[] = {"read ios", "write ios"};
        const char *const bytes[] = {"read bytes", "write bytes"};

        if (!distribution_group(state->distribution, ios[direction], strlen(ios[direction]),
                                &state->ios[direction], error) ||
            !distribution_group(state->distribution, bytes[direction], strlen(bytes[direction]),
                                &state->bytes[direction], error)) {
            return false;
        }
    }
    return true;
}

static bool begin_trace(void *context_state, const struct selected_trace *trace,
                        struct error *error) {
    struct runs_state *state = context_state;

    state->devices = (struct device_slots){.count = 0};
    return transfers_begin(&state->transfers, state->context->selection, trace->trace, error);
}

/* All runs end with their trace. */
static bool end_trace(void *context_state, struct error *error) {
    struct runs_state *state = context_state;

    (void)error;
    for (size_t device = 0; device < state->devices.count; device++) {
        for (int direction = 0; direction < DIRECTIONS; direction++) {
            struct run *runs = state->runs[device][direction];

            for (size_t i = 0; runs != NULL && i < state->streams && runs[i].ios > 0; i++) {
                end_run(state, direction, &runs[i]);
                runs[i].ios = runs[i].bytes = 0;
            }
        }
    }
    return true;
}

static bool again(void *context_state, bool *more, struct error *error) {
    struct runs_state *state = context_state;

    state->counted = true;
    return distribution_end_pass(state->distribution, more, error);
}

static bool write_lengths(const struct runs_state *state, sqlite3_stmt *insert,
                          struct error *error) {
    for (int direction = 0; direction < DIRECTIONS; direction++) {
        for (int power = 0; power < POWERS; power++) {
            const struct length *length = &state->lengths[direction][power];

            sqlite3_bind_int64(insert, 1, direction);
            sqlite3_bind_int64(insert, 2, INT64_C(1) << power);
            sqlite3_bind_int64(insert, 3, length->runs);
            sqlite3_bind_int64(insert, 4, length->ios);
            sqlite3_bind_int64(insert, 5, length->bytes);
            if (length->runs > 0 &&
                !database_execute(state->context->selection->database, insert, error)) {
                return false;
            }
        }
    }
    return true;
}

static bool write_rows(void *context_state, struct error *error) {
    const struct runs_state *state = context_state;
    struct temp_schema *temp = state->context->selection->temp;
    sqlite3_stmt *insert =
        temp_schema_prepare(temp, "INSERT INTO temp.tally_run VALUES (?1, ?2, ?3, ?4, ?5)", error);
    bool done = insert != NULL && write_lengths(state, insert, error) &&
                distribution_write(state->distribution, temp, error);

    sqlite3_finalize(insert);
    return done;
}

static void free_state(void *context_state) {
    struct runs_state *state = context_state;

    for (size_t device = 0; device < DEVICE_SLOTS; device++) {
        for (int direction = 0; direction < DIRECTIONS; direction++) {
            free(state->runs[device][direction]);
        }
    }
    transfers_free(&state->transfers);
    distribution_free(state->distribution);
}

/* Runs of reads (0) and writes (1) by their number of I/Os: those of no more than `length`, a power
 * of two, and of more than half of it, with their I/Os and bytes. Groups of the distribution, which
 * is of all runs: "read ios", "read bytes", "write ios", "write bytes". */
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
        .help = "runs: how many runs go on side by side (default 32)",
        .least = 1,
        .most = STREAMS_MOST,
        .otherwise = 32,
    }},
    .state_size = sizeof(struct runs_state),
    .begin = begin,
    .begin_trace = begin_trace,
    .visit = visit,
    .end_trace = end_trace,
    .again = again,
    .write = write_rows,
    .free = free_state,
};
