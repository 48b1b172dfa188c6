#include "compare/row_intervals.h"

#include <math.h>
#include <stdlib.h>

#include "compare/resampling.h"
#include "compare/shuffle.h"
#include "base/memory.h"

/* What the rows are in each block. */
struct spread {
    size_t rows, counts[SIDES];
    double
        *values; /* owned; a's blocks, then b's, each of all rows; NAN: not there, or no number */
    double *series[SIDES]; /* owned, the first one: room for a number of each block */
    double *room;          /* owned; for a row's draws */
    size_t bounded;        /* rows that have bounds … */
    size_t dependent;      /* … those of them whose blocks depend on one another … */
    double hurst;          /* … most of all so much */
};

static double value_of(const struct spread *spread, enum side side, size_t block, size_t row) {
    return spread
        ->values[((side == SIDE_B ? spread->counts[SIDE_A] : 0) + block) * spread->rows + row];
}

/* --- blocks ----------------------------------------------------------------------------------- */

static bool read_blocks(struct comparison *comparison, const size_t *places, struct spread *spread,
                        struct error *error) {
    double *values = spread->values;

    for (enum side side = SIDE_A; side < SIDES; side++) {
        for (size_t block = 0; block < spread->counts[side]; block++, values += spread->rows) {
            struct compare_block counted = {values, spread->rows, places};

            for (size_t i = 0; i < spread->rows; i++) {
                values[i] = comparison->method->keeps_given ? NAN : 0;
            }
            if (!shuffle_block(comparison, side, block, &counted, error)) {
                return false;
            }
        }
    }
    return true;
}

/* --- bounds ----------------------------------------------------------------------------------- */

static double mean_of(const struct spread *spread, enum side side, size_t row) {
    double sum = 0;

    for (size_t block = 0; block < spread->counts[side]; block++) {
        sum += value_of(spread, side, block, row);
    }
    return sum / (double)spread->counts[side];
}

/* What is not there in a block is NAN, and so is the mean then. */
static bool is_mean(const struct spread *spread, enum side side, size_t row, double whole) {
    return fabs(mean_of(spread, side, row) - whole) <= ROW_INTERVAL_TOLERANCE * fabs(whole);
}

/* Whether the row is a whole number that each block has as it stands: it is of the whole trace,
 * such as the size of the log, and no mean. */
static bool is_fixed(const struct spread *spread, const struct compare_row *row, size_t at) {
    for (enum side side = SIDE_A; side < SIDES; side++) {
        for (size_t block = 0; block < spread->counts[side]; block++) {
            if (value_of(spread, side, block, at) != row->values[side]) {
                return false;
            }
        }
    }
    return row->given[SIDE_A].type == VALUE_INTEGER && row->given[SIDE_B].type == VALUE_INTEGER;
}

static void find_interval(struct comparison *comparison, struct spread *spread, size_t at,
                          struct resampling_random *random) {
    const struct compare_request *request = comparison->request;
    struct compare_row *row = comparison->table.rows[at];
    struct dependence_series series[SIDES];
    struct dependence found;
    double middle, scale, low, high;

    for (enum side side = SIDE_A; side < SIDES; side++) {
        for (size_t block = 0; block < spread->counts[side]; block++) {
            spread->series[side][block] = value_of(spread, side, block, at);
        }
        series[side] = (struct dependence_series){spread->series[side], spread->counts[side]};
    }
    if (!resampling_ratio(random, series, compare_fewest_blocks(comparison) == DISTRIBUTION_FEWEST,
                          request->resamples, request->confidence, spread->room, &low, &high,
                          &found)) {
        return;
    }
    middle = found.means[SIDE_B] / found.means[SIDE_A];
    scale = middle > 0 ? row->ratio / middle : 1;
    row->p = compare_p_of_bounds(comparison, row->ratio, low * scale, high * scale);
    compare_bound(low * scale, high * scale, &row->low, &row->high);
    spread->bounded++;
    spread->dependent += found.is_certain;
    spread->hurst = found.is_certain ? fmax(spread->hurst, found.hurst) : spread->hurst;
}

static void find_intervals(struct comparison *comparison, struct spread *spread) {
    struct resampling_random random = {.state = comparison->request->seed};

    for (size_t i = 0; i < spread->rows; i++) {
        const struct compare_row *row = comparison->table.rows[i];

        if (!isnan(row->ratio) && row->values[SIDE_A] > 0 && row->values[SIDE_B] >= 0 &&
            (row->given == NULL ||
             (row->given[SIDE_A].kind != COLUMN_NUMBER &&
              is_mean(spread, SIDE_A, i, row->values[SIDE_A]) &&
              is_mean(spread, SIDE_B, i, row->values[SIDE_B]) && !is_fixed(spread, row, i)))) {
            find_interval(comparison, spread, i, &random);
        }
    }
}

/* --- all of it -------------------------------------------------------------------------------- */

static bool say(struct comparison *comparison, const struct spread *spread, struct error *error) {
    const struct compare_request *request = comparison->request;
    const char *blocks =
        compare_fewest_blocks(comparison) < DISTRIBUTION_FEWEST ? "traces" : "blocks of time";

    if (!comparison->method->keeps_given) {
        return remarks_add(&comparison->remarks, error,
                           "low and high: of the ratio, with a confidence of %g %%, by drawing %zu "
                           "and %zu %s anew, %d times, seed %llu",
                           100 * request->confidence, spread->counts[SIDE_A],
                           spread->counts[SIDE_B], blocks, request->resamples,
                           (unsigned long long)request->seed);
    }
    return remarks_add(&comparison->remarks, error,
                       "low and high: of the ratio of what is the mean of its blocks, within %g "
                       "%%, with a confidence of %g %%, by drawing %zu and %zu %s anew, %d times, "
                       "seed %llu",
                       100 * ROW_INTERVAL_TOLERANCE, 100 * request->confidence,
                       spread->counts[SIDE_A], spread->counts[SIDE_B], blocks, request->resamples,
                       (unsigned long long)request->seed);
}

static bool say_dependence(struct comparison *comparison, const struct spread *spread,
                           struct error *error) {
    return spread->dependent == 0 || compare_fewest_blocks(comparison) < DISTRIBUTION_FEWEST ||
           remarks_add(&comparison->remarks, error,
                       "of %zu of %zu figures with bounds " DEPENDENCE_REMARK, spread->dependent,
                       spread->bounded, spread->hurst);
}

static bool make(struct comparison *comparison, struct spread *spread, struct error *error) {
    size_t blocks = spread->counts[SIDE_A] + spread->counts[SIDE_B];
    size_t *places = xcalloc(spread->rows + 1, sizeof *places);
    bool done;

    spread->values = xcalloc(blocks * spread->rows + 1, sizeof *spread->values);
    spread->room = xcalloc((size_t)comparison->request->resamples, sizeof *spread->room);
    spread->series[SIDE_A] = xcalloc(blocks + 1, sizeof *spread->series[SIDE_A]);
    if (places == NULL || spread->values == NULL || spread->room == NULL ||
        spread->series[SIDE_A] == NULL) {
        free(places);
        return error_no_memory(error);
    }
    spread->series[SIDE_B] = spread->series[SIDE_A] + spread->counts[SIDE_A];
    for (size_t i = 0; i < spread->rows; i++) {
        places[comparison->table.rows[i]->number] = i;
    }
    done = read_blocks(comparison, places, spread, error) && say(comparison, spread, error);
    if (done) {
        find_intervals(comparison, spread);
        done = say_dependence(comparison, spread, error);
    }
    free(places);
    return done;
}

bool row_intervals_find(struct comparison *comparison, struct error *error) {
    struct spread spread = {
        .rows = comparison->table.count,
        .counts = {shuffle_blocks(comparison, SIDE_A), shuffle_blocks(comparison, SIDE_B)},
    };
    size_t fewest = compare_fewest_blocks(comparison);
    bool done;

    if (comparison->request->blocks == 0) {
        return true;
    }
    if (spread.rows > ROW_INTERVAL_ROWS || spread.counts[SIDE_A] < fewest ||
        spread.counts[SIDE_B] < fewest) {
        return remarks_add(&comparison->remarks, error, "low and high: not known, there are too %s",
                           spread.rows > ROW_INTERVAL_ROWS ? "many rows"
                           : fewest < DISTRIBUTION_FEWEST  ? "few traces"
                                                           : "few events for blocks of time");
    }
    done = make(comparison, &spread, error);
    free(spread.values);
    free(spread.room);
    free(spread.series[SIDE_A]);
    return done;
}
