#include "compare/row_intervals.h"

#include <math.h>
#include <stdlib.h>

#include "compare/resampling.h"
#include "compare/shuffle.h"

/* What the rows are in each block. */
struct spread {
    size_t rows, counts[SIDES];
    double
        *values; /* owned; a's blocks, then b's, each of all rows; NAN: not there, or no number */
    double *ratios; /* owned; room for a row's draws */
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
                values[i] = NAN;
            }
            if (!shuffle_block(comparison, side, block, &counted, error)) {
                return false;
            }
        }
    }
    return true;
}

/* --- drawing ---------------------------------------------------------------------------------- */

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

static double draw(const struct spread *spread, enum side side, size_t row,
                   struct resampling_random *random) {
    double sum = 0;

    for (size_t i = 0; i < spread->counts[side]; i++) {
        sum += value_of(spread, side, resampling_below(random, spread->counts[side]), row);
    }
    return sum / (double)spread->counts[side];
}

static void find_interval(struct comparison *comparison, const struct spread *spread, size_t at,
                          struct resampling_random *random) {
    const struct compare_request *request = comparison->request;
    struct compare_row *row = comparison->table.rows[at];
    size_t count = (size_t)request->resamples;
    double middle = mean_of(spread, SIDE_B, at) / mean_of(spread, SIDE_A, at);
    double scale = middle > 0 ? row->ratio / middle : 1;

    for (size_t i = 0; i < count; i++) {
        double b = draw(spread, SIDE_B, at, random), a = draw(spread, SIDE_A, at, random);

        if (a <= 0) {
            return;
        }
        spread->ratios[i] = b / a;
    }
    row->low = resampling_quantile(spread->ratios, count, (1 - request->confidence) / 2) * scale;
    row->high = resampling_quantile(spread->ratios, count, (1 + request->confidence) / 2) * scale;
}

static void find_intervals(struct comparison *comparison, const struct spread *spread) {
    struct resampling_random random = {.state = comparison->request->seed};

    for (size_t i = 0; i < spread->rows; i++) {
        const struct compare_row *row = comparison->table.rows[i];

        if (!isnan(row->ratio) && row->values[SIDE_A] > 0 && row->values[SIDE_B] >= 0 &&
            row->given[SIDE_A].kind != COLUMN_NUMBER &&
            is_mean(spread, SIDE_A, i, row->values[SIDE_A]) &&
            is_mean(spread, SIDE_B, i, row->values[SIDE_B])) {
            find_interval(comparison, spread, i, &random);
        }
    }
}

/* --- all of it -------------------------------------------------------------------------------- */

static bool say(struct comparison *comparison, const struct spread *spread, struct error *error) {
    const struct compare_request *request = comparison->request;
    const char *blocks =
        compare_fewest_blocks(comparison) < DISTRIBUTION_FEWEST ? "traces" : "blocks of time";

    return remarks_add(&comparison->remarks, error,
                       "low and high: of the ratio of what is the mean of its blocks, within %g "
                       "%%, with a confidence of %g %%, by drawing %zu and %zu %s anew, %d times, "
                       "seed %llu",
                       100 * ROW_INTERVAL_TOLERANCE, 100 * request->confidence,
                       spread->counts[SIDE_A], spread->counts[SIDE_B], blocks, request->resamples,
                       (unsigned long long)request->seed);
}

static bool make(struct comparison *comparison, struct spread *spread, struct error *error) {
    size_t blocks = spread->counts[SIDE_A] + spread->counts[SIDE_B];
    size_t *places = calloc(spread->rows + 1, sizeof *places);
    bool done;

    spread->values = calloc(blocks * spread->rows + 1, sizeof *spread->values);
    spread->ratios = calloc((size_t)comparison->request->resamples, sizeof *spread->ratios);
    if (places == NULL || spread->values == NULL || spread->ratios == NULL) {
        free(places);
        return error_no_memory(error);
    }
    for (size_t i = 0; i < spread->rows; i++) {
        places[comparison->table.rows[i]->number] = i;
    }
    done = read_blocks(comparison, places, spread, error) && say(comparison, spread, error);
    if (done) {
        find_intervals(comparison, spread);
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

    if (comparison->is_brief || comparison->request->blocks == 0) {
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
    free(spread.ratios);
    return done;
}
