/* Counts events in a grid of time by duration, or of time by start sector. temp.tally_heatmap has
 * the non-empty cells, temp.heatmap_grid the size of the grid.
 *
 * Durations have 20 rows per power of ten. Sectors have at most SECTOR_ROWS rows, each of 2^k
 * sectors, starting from sector 0. When a sector lies above the last row, the height of all rows is
 * doubled, so no extra pass is needed to find the highest sector. */
#include <stdlib.h>

#include "analysis/analysis.h"
#include "analysis/counted_state.h"
#include "analysis/intervals.h"
#include "base/memory.h"

enum {
    COLUMNS = 400,
    SECTOR_ROWS = 200,
    ROWS_A_DECADE = 20,
    DECADES = 19, /* number of powers of ten: an int64_t is less than 10^19 */
    TIME_ROWS = ROWS_A_DECADE * DECADES + 1,
};

/* The vertical axis. */
enum heatmap_of { OF_LATENCY, OF_SECTOR };

struct heatmap_state {
    struct analysis_context *context;
    enum heatmap_of of;
    struct intervals intervals;
    size_t rows;
    int64_t *counts; /* owned; number of events per cell: row by row, each with all intervals */
    int shift;       /* OF_SECTOR: a row covers 2^shift sectors */
    /* OF_LATENCY. least: lower bound of each row's durations; row 0 is for duration 0. row_of_bits:
     * first row for durations of a bit length. */
    int64_t least[TIME_ROWS + 1];
    int row_of_bits[65];
    int64_t counted;  /* name.id of the operation to count; EVENT_NONE: all */
    int64_t left_out; /* number of events without a duration or sector */
};

/* --- rows of the grid ------------------------------------------------------------------------- */

/* Returns 10^(k/20), rounded up. */
static int64_t power_of_ten(int k) {
    /* by k: 10^(k/20) in units of 10^-18, rounded up */
    static const uint64_t parts[ROWS_A_DECADE] = {
        UINT64_C(1000000000000000000), UINT64_C(1122018454301963436), UINT64_C(1258925411794167211),
        UINT64_C(1412537544622754303), UINT64_C(1584893192461113486), UINT64_C(1778279410038922802),
        UINT64_C(1995262314968879602), UINT64_C(2238721138568339612), UINT64_C(2511886431509580112),
        UINT64_C(2818382931264453820), UINT64_C(3162277660168379332), UINT64_C(3548133892335754585),
        UINT64_C(3981071705534972508), UINT64_C(4466835921509631186), UINT64_C(5011872336272722851),
        UINT64_C(5623413251903490804), UINT64_C(6309573444801932495), UINT64_C(7079457843841379109),
        UINT64_C(7943282347242815021), UINT64_C(8912509381337455300),
    };
    unsigned __int128 power = parts[k % ROWS_A_DECADE];
    const uint64_t unit = UINT64_C(1000000000000000000);

    for (int i = 0; i < k / ROWS_A_DECADE; i++) {
        power *= 10;
    }
    power = (power + unit - 1) / unit;
    return power > INT64_MAX ? INT64_MAX : (int64_t)power;
}

static size_t row_of_time(const struct heatmap_state *state, int64_t time) {
    size_t row;

    if (time == 0) {
        return 0;
    }
    row = (size_t)state->row_of_bits[64 - __builtin_clzll((uint64_t)time)];
    while (row < TIME_ROWS - 1 && state->least[row + 1] <= time) {
        row++;
    }
    return row;
}

/* Doubles the number of sectors per row, until a row covers 2^shift sectors. */
static void double_row_height(struct heatmap_state *state, int shift) {
    size_t width = state->intervals.count;

    for (; state->shift < shift; state->shift++) {
        for (size_t row = 0; row < SECTOR_ROWS; row++) {
            int64_t *from = &state->counts[row * width], *to = &state->counts[row / 2 * width];

            for (size_t i = 0; row > 0 && i < width; i++) {
                to[i] += from[i];
                from[i] = 0;
            }
        }
    }
}

static size_t row_of_sector(struct heatmap_state *state, int64_t sector) {
    int shift = state->shift;

    while (sector >> shift >= SECTOR_ROWS) {
        shift++;
    }
    double_row_height(state, shift);
    return (size_t)(sector >> shift);
}

static void heatmap_visit(void *heatmap_state, const struct event_columns *columns, size_t count) {
    struct heatmap_state *state = heatmap_state;
    bool latency = state->of == OF_LATENCY;
    bool spans = state->context->trace->trace->kind == TRACE_SPANS;
    const int64_t *values = latency ? columns->duration : columns->address;

    for (size_t i = 0; i < count; i++) {
        uint64_t interval = interval_of(&state->intervals, columns->time[i]);
        size_t row;

        /* Skips events outside the time intervals, which only a damaged database has; I/Os without
         * data, which have no sector; and events that do not count. */
        if (interval >= state->intervals.count || (spans && !span_is_call(columns->flags[i])) ||
            (!latency && columns->size[i] == 0) ||
            !is_counted_operation(state->counted, columns, i)) {
            continue;
        }
        if (values[i] < 0) {
            state->left_out++;
            continue;
        }
        row = latency ? row_of_time(state, values[i]) : row_of_sector(state, values[i]);
        state->counts[row * state->intervals.count + interval]++;
    }
}

static void heatmap_begin(void *heatmap_state) {
    struct heatmap_state *state = heatmap_state;

    state->of = (enum heatmap_of)state->context->analysis->variant;
    intervals_find(&state->intervals, state->context, COVER_EVENTS, COLUMNS, COLUMNS);
    state->rows = state->of == OF_LATENCY ? TIME_ROWS : SECTOR_ROWS;
    if (state->of == OF_LATENCY) {
        int row = 1;

        state->least[0] = 0;
        for (int k = 0; k < TIME_ROWS; k++) {
            state->least[k + 1] = power_of_ten(k);
        }
        for (int bits = 1; bits < 64; bits++) {
            while (row < TIME_ROWS - 1 && state->least[row + 1] <= INT64_C(1) << (bits - 1)) {
                row++;
            }
            state->row_of_bits[bits] = row;
        }
    }
    state->counts = xcalloc(state->rows * (state->intervals.count + 1), sizeof *state->counts);
}

static void heatmap_begin_trace(void *heatmap_state) {
    struct heatmap_state *state = heatmap_state;

    state->counted = counted_operation(state->context);
}

static void heatmap_merge(void *heatmap_state, void *other) {
    struct heatmap_state *state = heatmap_state, *from = other;
    size_t cells = state->rows * state->intervals.count;

    if (state->of == OF_SECTOR) {
        double_row_height(state, from->shift);
        double_row_height(from, state->shift);
    }
    for (size_t i = 0; i < cells; i++) {
        state->counts[i] += from->counts[i];
        from->counts[i] = 0;
    }
    state->left_out += from->left_out;
    from->left_out = 0;
}

static void heatmap_write_rows(void *heatmap_state) {
    struct heatmap_state *state = heatmap_state;
    const struct intervals *intervals = &state->intervals;

    for (size_t interval = 0; interval < intervals->count; interval++) {
        for (size_t row = 0; row < state->rows; row++) {
            int64_t count = state->counts[row * intervals->count + interval];

            if (count > 0) {
                TEMP_ROW(&state->context->tables[0],
                         (int64_t)(intervals->origin + interval * intervals->length),
                         state->of == OF_LATENCY ? state->least[row] : (int64_t)row << state->shift,
                         (int64_t)interval, (int64_t)row, count);
            }
        }
    }
    TEMP_ROW(&state->context->tables[1], (int64_t)intervals->origin, (int64_t)intervals->length,
             (int64_t)intervals->count, state->of == OF_SECTOR ? INT64_C(1) << state->shift : 0,
             state->left_out);
}

static void heatmap_free_state(void *heatmap_state) {
    struct heatmap_state *state = heatmap_state;

    free(state->counts);
}

/* temp.tally_heatmap: a row per non-empty cell, by time and row. `time`, `from`: begin of the cell
 * in time and on the vertical axis (duration, or start sector of I/Os). temp.heatmap_grid: one row
 * with the begin of the first interval, length and number of intervals, sectors per row (0:
 * durations), and the number of events without a duration or sector. */
#define HEATMAP(what, upwards, looks_at)                                                           \
    .name = (what),                                                                                \
    .tables = {{"tally_heatmap", "time, \"from\", \"column\", row, count", NULL},                  \
               {"heatmap_grid", "start, length, intervals, sectors, left_out", NULL}},             \
    .pass = PASS_ANY_ORDER, .fields = EVENT_FLAGS | (looks_at),                                    \
    .parameters = {INTERVAL_PARAMETER}, .variant = (upwards),                                      \
    .state_size = sizeof(struct heatmap_state), .begin = heatmap_begin,                            \
    .begin_trace = heatmap_begin_trace, .visit = heatmap_visit, .merge = heatmap_merge,            \
    .write = heatmap_write_rows, .free = heatmap_free_state

const struct analysis analysis_heatmap = {HEATMAP("heatmap", OF_LATENCY, EVENT_DURATION),
                                          .issued = true, .window = WINDOW_WHOLE};
const struct analysis analysis_heatmap_sector = {
    HEATMAP("heatmap_sector", OF_SECTOR, EVENT_ADDRESS | EVENT_SIZE)};
