/* Divides each side of a comparison into blocks: intervals of its trace, or whole traces. Permutes
 * and resamples the blocks for p-values of differences and confidence intervals of ratios. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "scan/statistics.h"
#include "compare/blocks.h"
#include "scan/event_scan.h"

/* Shares of the report's rows in each block of both sides: the row's count divided by the block's
 * total. */
struct shuffled {
    size_t counts[SIDES], places;
    size_t empty[SIDES]; /* by side: number of blocks without counts, which are skipped */
    double *shares;      /* owned; for each block (those of side a first): the shares of the rows */
    double *all, *sums[SIDES]; /* point into `shares`: sums of row shares; all: over all blocks;
                                  sums: over a side's */
    double *series[SIDES]; /* point into `shares`; one number per block, set by project_blocks() */
    double *totals[SIDES]; /* point into `shares`; total count of each block, 0 if skipped */
    const struct shuffle_measure *measure;
    bool in_time;      /* true: a block is an interval of time; false: a whole trace */
    bool is_dependent; /* true: successive blocks of time are correlated */
    double hurst;      /* Hurst parameter of the blocks' correlation, if `is_dependent` */
};

/* --- dividing traces into blocks -------------------------------------------------------------- */

/* Division of a trace into blocks with equal numbers of selected events. The first pass counts
 * events; the second finds the start time of each block. */
struct cutting {
    int64_t events, seen;
    /* blocks: number of blocks; next: index of the block whose start is found next */
    size_t blocks, next;
    int64_t *bounds; /* start times of blocks 1, 2, …; NULL during the first pass */
};

/* Returns the index, among all selected events, of the first event of a block. */
static int64_t first_of_block(const struct cutting *cutting, size_t block) {
    int64_t count = (int64_t)cutting->blocks, at = (int64_t)block;

    return cutting->events / count * at + cutting->events % count * at / count;
}

static bool blocks_visit(void *context, const struct event_columns *columns, size_t count,
                         struct error *error) {
    struct cutting *cutting = context;

    while (cutting->bounds != NULL && cutting->next < cutting->blocks &&
           first_of_block(cutting, cutting->next) < cutting->seen + (int64_t)count) {
        size_t i = (size_t)(first_of_block(cutting, cutting->next) - cutting->seen);

        cutting->bounds[cutting->next++ - 1] = columns->time[i];
    }
    cutting->seen += (int64_t)count;
    return true;
}

static bool scan_trace_blocks(const struct selection *selection, struct cutting *cutting,
                              struct error *error) {
    struct event_scan events;

    event_scan_init(&events, selection, &selection->traces[0]);
    events.visit = blocks_visit;
    return event_scan_in_order(&events, cutting, error);
}

bool compare_side_split_into_blocks(struct comparison *comparison, enum side which,
                                    const struct selection *selection, struct error *error) {
    struct compare_side *side = &comparison->sides[which];
    struct cutting cutting = {.next = 1};
    bool is_counted = comparison->method != &compare_rows;
    double most = is_counted ? side->totals[NUMBER_VALUE] / DISTRIBUTION_LEAST : INFINITY;
    int64_t enough;

    if (comparison->request->blocks == 0 || side->trace_count > 1 ||
        (is_counted && comparison->method != &compare_counts &&
         comparison->method != &compare_sizes)) {
        return true;
    }
    if (!scan_trace_blocks(selection, &cutting, error)) {
        return false;
    }
    /* Block sizes are numbers of events, even if `totals` counts bytes. */
    cutting.events = cutting.seen;
    enough = cutting.events / DISTRIBUTION_LEAST;
    most = fmin(most, (double)enough);
    cutting.blocks = (size_t)fmin(most, comparison->request->blocks);
    cutting.seen = 0;
    side->bounds = xcalloc(cutting.blocks + 1, sizeof *side->bounds);
    side->bounds_count = cutting.blocks;
    cutting.bounds = side->bounds;
    return cutting.blocks < DISTRIBUTION_FEWEST || scan_trace_blocks(selection, &cutting, error);
}

/* Returns the number of blocks of a side: traces, or intervals of time of its only trace. */
static size_t shuffle_blocks(const struct comparison *comparison, enum side which) {
    const struct compare_side *side = &comparison->sides[which];

    return compare_fewest_blocks(comparison) < DISTRIBUTION_FEWEST ? side->trace_count
                                                                   : side->bounds_count;
}

/* Returns the start time of the block with index `block`, which must be at least 1. */
static struct time_bound blocks_find_bound(const struct compare_side *side, size_t block) {
    int64_t time = side->bounds[block - 1];

    return (struct time_bound){.kind = TIME_SINCE_START, .time = time, .plain = time};
}

/* Restricts the report request of a side to the time interval of one block, or to one trace. */
static void blocks_narrow(const struct comparison *comparison, enum side which, size_t block,
                          size_t blocks, const char *const *name, struct report_request *request) {
    const struct compare_side *side = &comparison->sides[which];

    if (compare_fewest_blocks(comparison) < DISTRIBUTION_FEWEST) {
        request->traces = name;
        request->trace_count = 1;
        request->study = NULL;
        return;
    }
    request->filter.whole_calls = true; /* a call belongs to the block in which it begins */
    if (block > 0) {
        request->filter.from = blocks_find_bound(side, block);
    }
    if (block + 1 < blocks) {
        request->filter.to = blocks_find_bound(side, block + 1);
    }
}

/* Runs the report on one block of a side and stores the counts of its rows in `counted`. */
static bool shuffle_block(struct comparison *comparison, enum side which, size_t block,
                          struct compare_block *counted, struct error *error) {
    struct report_request request = comparison->request->sides[which];
    const struct compare_side *side = &comparison->sides[which];
    const char *name = side->traces[block < side->trace_count ? block : 0]->name;

    blocks_narrow(comparison, which, block, shuffle_blocks(comparison, which), &name, &request);
    return compare_side_read_block(comparison, which, &request, counted, error);
}

/* Returns an array: by row number, the index of the row's count in the array of a block. All rows
 * from index SHUFFLE_MOST - 1 on share the last count. */
static size_t *blocks_find_places(const struct compare_table *table) {
    size_t *places = xcalloc(table->count + 1, sizeof *places);

    for (size_t i = 0; i < table->count; i++) {
        places[table->rows[i]->number] = i < SHUFFLE_MOST ? i : SHUFFLE_MOST - 1;
    }
    return places;
}

/* Runs the report on each block of a side; stores the rows' shares. Skips empty blocks. */
static bool read_side(struct comparison *comparison, enum side side, const size_t *places,
                      struct shuffled *shuffled, struct error *error) {
    size_t blocks = shuffled->counts[side], at = side == SIDE_A ? 0 : shuffled->counts[SIDE_A];

    shuffled->counts[side] = 0;
    for (size_t block = 0; block < blocks; block++) {
        struct compare_block counted = {
            .counts = shuffled->shares + (at + shuffled->counts[side]) * shuffled->places,
            .count = shuffled->places,
            .places = places,
        };
        double total;

        if (!shuffle_block(comparison, side, block, &counted, error)) {
            return false;
        }
        total = statistics_total(counted.counts, counted.count);
        shuffled->totals[side][block] = total;
        for (size_t i = 0; i < shuffled->places; i++) {
            counted.counts[i] /= total > 0 ? total : 1;
            shuffled->all[i] += counted.counts[i];
        }
        shuffled->counts[side] += total > 0;
        shuffled->empty[side] += total <= 0;
    }
    return true;
}

static void blocks_make_room(const struct comparison *comparison, struct shuffled *shuffled) {
    size_t rows = comparison->table.count, blocks, size;

    for (enum side side = SIDE_A; side < SIDES; side++) {
        shuffled->counts[side] = shuffle_blocks(comparison, side);
    }
    blocks = shuffled->counts[SIDE_A] + shuffled->counts[SIDE_B];
    shuffled->places = rows < SHUFFLE_MOST ? rows : SHUFFLE_MOST;
    size = (blocks + 3) * shuffled->places;
    shuffled->shares = xcalloc(size + 2 * blocks + 1, sizeof *shuffled->shares);
    shuffled->all = shuffled->shares + blocks * shuffled->places;
    shuffled->sums[SIDE_A] = shuffled->all + shuffled->places;
    shuffled->sums[SIDE_B] = shuffled->sums[SIDE_A] + shuffled->places;
    shuffled->series[SIDE_A] = shuffled->shares + size;
    shuffled->series[SIDE_B] = shuffled->series[SIDE_A] + shuffled->counts[SIDE_A];
    shuffled->totals[SIDE_A] = shuffled->shares + size + blocks;
    shuffled->totals[SIDE_B] = shuffled->totals[SIDE_A] + shuffled->counts[SIDE_A];
}

/* --- permuting blocks between the sides ------------------------------------------------------- */

static void measure_distances_of_sides(void *context, const bool *is_b, double *values) {
    const struct shuffled *shuffled = context;
    size_t n = shuffled->counts[SIDE_A] + shuffled->counts[SIDE_B];
    double *a = shuffled->sums[SIDE_A], *b = shuffled->sums[SIDE_B];

    memset(a, 0, shuffled->places * sizeof *a);
    for (size_t block = 0; block < n; block++) {
        const double *shares = shuffled->shares + block * shuffled->places;

        for (size_t i = 0; !is_b[block] && i < shuffled->places; i++) {
            a[i] += shares[i];
        }
    }
    for (size_t i = 0; i < shuffled->places; i++) {
        double rest = shuffled->all[i] - a[i];

        /* Rounding errors around 0 become 0. */
        b[i] = rest > 1e-12 ? rest : 0;
    }
    shuffled->measure->find(shuffled->measure->context, a, b, shuffled->places, values);
}

/* Measures how strongly successive blocks of time are correlated. Blocks that are whole traces are
 * taken as independent. */
static struct dependence blocks_find_dependence(const struct shuffled *shuffled) {
    const struct dependence_series series[] = {
        {shuffled->series[SIDE_A], shuffled->counts[SIDE_A]},
        {shuffled->series[SIDE_B], shuffled->counts[SIDE_B]},
    };
    struct dependence found;

    dependence_estimate(series, SIDES, &found);
    if (!shuffled->in_time) {
        dependence_set_independent(&found);
    }
    return found;
}

/* Sets `series` to one number per block: the scalar product of its row shares and `direction`. */
static void project_blocks(struct shuffled *shuffled, const double *direction) {
    const double *shares = shuffled->shares;

    for (enum side side = SIDE_A; side < SIDES; side++) {
        for (size_t i = 0; i < shuffled->counts[side]; i++, shares += shuffled->places) {
            shuffled->series[side][i] = 0;
            for (size_t j = 0; j < shuffled->places; j++) {
                shuffled->series[side][i] += direction[j] * shares[j];
            }
        }
    }
}

/* Measures the correlation of successive blocks along the vector from side a's mean shares to side
 * b's. Only variation along this vector can produce the observed difference. */
static struct dependence find_direction(struct shuffled *shuffled) {
    bool is_b[RESAMPLING_BLOCKS] = {false};
    double values[RESAMPLING_STATISTICS], *a = shuffled->sums[SIDE_A], *b = shuffled->sums[SIDE_B];

    for (size_t i = 0; i < shuffled->counts[SIDE_B]; i++) {
        is_b[shuffled->counts[SIDE_A] + i] = true;
    }
    measure_distances_of_sides(shuffled, is_b, values);
    for (size_t i = 0; i < shuffled->places; i++) {
        a[i] = b[i] / (double)shuffled->counts[SIDE_B] - a[i] / (double)shuffled->counts[SIDE_A];
    }
    project_blocks(shuffled, a);
    return blocks_find_dependence(shuffled);
}

static void set_distance_p_values(struct comparison *comparison, struct shuffled *shuffled) {
    struct resampling_random random = {.state = comparison->request->seed};
    struct resampling_reach reach = {.factor = 1};
    double p[RESAMPLING_STATISTICS];
    int count = (int)comparison->distance_count;

    /* More than RESAMPLING_BLOCKS blocks are not permuted, so their correlation is not needed. */
    if (shuffled->counts[SIDE_A] + shuffled->counts[SIDE_B] <= RESAMPLING_BLOCKS) {
        struct dependence found = find_direction(shuffled);

        reach.factor = dependence_of_difference(&found);
        shuffled->is_dependent = found.is_certain;
        shuffled->hurst = found.hurst;
    }
    for (int i = 0; i < count; i++) {
        reach.powers[i] = comparison->distances[i].power;
    }
    resampling_permute(&random, shuffled->counts[SIDE_A], shuffled->counts[SIDE_B],
                       comparison->request->resamples, count, &reach, measure_distances_of_sides,
                       shuffled, p);
    for (int i = 0; i < count; i++) {
        comparison->distances[i].p = p[i];
    }
}

/* --- confidence intervals of the ratios of rows ----------------------------------------------- */

/* Returns the variance of the logarithm of a side's event rate. 0 if no events are counted. */
static double rate_variance(const struct comparison *comparison, enum side side) {
    const struct compare_quality *quality = &comparison->sides[side].quality;

    return quality->counted > 0 ? quality->dispersion / quality->counted : 0;
}

/* Returns true if printed ratios are of shares of the total, so that event rates do not matter. */
static bool is_of_shares(const struct comparison *comparison) {
    enum compare_per per = comparison->request->per;

    return per == PER_USUAL || per == PER_CALL || per == PER_IO;
}

/* Returns the variance of the logarithm of a row's mean share on a side: the variance between
 * blocks, but at least the variance of independent events. */
static double log_variance(const struct dependence *found, enum side side, double share,
                           double count) {
    double mean = found->means[side];

    return fmax(mean > 0 ? found->variances[side] / (mean * mean) : 0,
                count > 0 ? (1 - share) / count : 0);
}

/* Returns the variance of the logarithm of a row's count on a side, from the counts in its traces.
 * `shares`: the row's share in each trace that is not empty, at a stride of shuffled->places. */
static double variance_of_traces(const struct comparison *comparison,
                                 const struct shuffled *shuffled, enum side side,
                                 const double *shares) {
    size_t traces = comparison->sides[side].trace_count;
    double *numbers = xcalloc(traces + 1, sizeof *numbers), all, dispersion;

    for (size_t i = 0; i < traces; i++) {
        double total = shuffled->totals[side][i];

        numbers[i] = total > 0 ? total * *shares : 0;
        shares += total > 0 ? shuffled->places : 0;
    }
    all = statistics_total(numbers, traces);
    dispersion =
        statistics_dispersion_between(numbers, comparison->sides[side].quality.weights, traces);
    free(numbers);
    return fmax(dispersion, 1) / all;
}

/* Sets a row's share_error and count_error: half widths of confidence intervals of the logarithm of
 * b / a, `deviations` standard deviations each. */
static void blocks_find_row(struct comparison *comparison, struct shuffled *shuffled, size_t place,
                            double deviations) {
    struct compare_row *row = comparison->table.rows[place];
    const double *shares = shuffled->shares + place;
    double shares_variance = 0, numbers_variance = 0;
    struct dependence found;

    for (enum side side = SIDE_A; side < SIDES; side++) {
        numbers_variance += shuffled->in_time
                                ? rate_variance(comparison, side)
                                : variance_of_traces(comparison, shuffled, side, shares);
        for (size_t i = 0; i < shuffled->counts[side]; i++, shares += shuffled->places) {
            shuffled->series[side][i] = *shares;
        }
    }
    found = blocks_find_dependence(shuffled);
    for (enum side side = SIDE_A; side < SIDES; side++) {
        double count = (double)row->numbers[side][NUMBER_VALUE];

        if (count <= 0) {
            return;
        }
        shares_variance +=
            log_variance(&found, side,
                         compare_share(count, comparison->sides[side].totals[NUMBER_VALUE]), count);
    }
    numbers_variance += shuffled->in_time ? shares_variance : 0;
    row->share_error = deviations * sqrt(shares_variance);
    row->count_error = deviations * sqrt(numbers_variance);
}

/* Returns the half width of a confidence interval in standard deviations (Student's t). */
static double deviations_of_bounds(const struct comparison *comparison,
                                   const struct shuffled *shuffled) {
    return statistics_student_t(comparison->request->confidence,
                                (double)(shuffled->counts[SIDE_A] + shuffled->counts[SIDE_B]) - 2);
}

/* Sets the confidence bounds of each row's ratio b / a. */
static void find_rows(struct comparison *comparison, struct shuffled *shuffled) {
    double deviations = deviations_of_bounds(comparison, shuffled);
    /* All rows from index SHUFFLE_MOST - 1 on share one count, so they get no bounds. */
    size_t rows = comparison->table.count > SHUFFLE_MOST ? SHUFFLE_MOST - 1 : shuffled->places;

    for (size_t i = 0; i < rows; i++) {
        struct compare_row *row = comparison->table.rows[i];
        double error;

        blocks_find_row(comparison, shuffled, i, deviations);
        error = is_of_shares(comparison) ? row->share_error : row->count_error;
        compare_set_bounds(row->ratio / exp(error), row->ratio * exp(error), &row->low, &row->high);
    }
}

/* --- writing the # line with the p-value ------------------------------------------------------ */

static void append_p(struct text *line, struct comparison *comparison, struct shuffled *shuffled) {
    const struct compare_request *request = comparison->request;
    size_t fewest = compare_fewest_blocks(comparison);
    const char *blocks = fewest < DISTRIBUTION_FEWEST ? "traces" : "blocks of time";

    if (shuffled->counts[SIDE_A] < fewest || shuffled->counts[SIDE_B] < fewest) {
        text_append_format(line, "not known, there are %zu and %zu %s", shuffled->counts[SIDE_A],
                           shuffled->counts[SIDE_B], blocks);
        return;
    }
    set_distance_p_values(comparison, shuffled);
    find_rows(comparison, shuffled);
    if (shuffled->measure->sizes != NULL) {
        double ratio = compare_ratio(comparison->means[SIDE_A], comparison->means[SIDE_B]), factor;
        struct dependence found;

        /* Sets the bounds of the ratio of mean sizes. */
        project_blocks(shuffled, shuffled->measure->sizes);
        found = blocks_find_dependence(shuffled);
        if (found.means[SIDE_A] > 0 && found.means[SIDE_B] > 0) {
            factor = exp(deviations_of_bounds(comparison, shuffled) * dependence_of_ratio(&found));
            compare_set_bounds(ratio / factor, ratio * factor, &comparison->mean_low,
                               &comparison->mean_high);
        }
    }
    text_append_format(line, "%.4g, by permuting %zu and %zu %s, up to %d times, seed %llu",
                       comparison->distances[0].p, shuffled->counts[SIDE_A],
                       shuffled->counts[SIDE_B], blocks, request->resamples,
                       (unsigned long long)request->seed);
}

bool shuffle_find_p_values(struct comparison *comparison, const struct shuffle_measure *measure,
                           struct error *error) {
    size_t fewest = compare_fewest_blocks(comparison);
    struct shuffled shuffled = {.measure = measure, .in_time = fewest == DISTRIBUTION_FEWEST};
    size_t *places;
    bool done;

    if (comparison->request->blocks == 0) {
        return true;
    }
    if (shuffle_blocks(comparison, SIDE_A) < fewest ||
        shuffle_blocks(comparison, SIDE_B) < fewest) {
        notes_append(&comparison->notes, "p of %s: not known, there are too few %s", measure->what,
                     fewest < DISTRIBUTION_FEWEST ? "traces" : "events to cut into blocks of time");
        return true;
    }
    blocks_make_room(comparison, &shuffled);
    places = blocks_find_places(&comparison->table);
    done = read_side(comparison, SIDE_A, places, &shuffled, error) &&
           read_side(comparison, SIDE_B, places, &shuffled, error);
    free(places);
    if (done) {
        struct text line = {0};

        append_p(&line, comparison, &shuffled);
        if (shuffled.empty[SIDE_A] > 0 || shuffled.empty[SIDE_B] > 0) {
            text_append_format(&line, "; %zu and %zu empty ones were left out",
                               shuffled.empty[SIDE_A], shuffled.empty[SIDE_B]);
        }
        notes_append(&comparison->notes, "p of %s: %s", shuffled.measure->what, text_string(&line));
        if (shuffled.is_dependent) {
            notes_append(&comparison->notes, DEPENDENCE_REMARK, shuffled.hurst);
        }
        text_free(&line);
    }
    free(shuffled.shares);
    return done;
}

/* State while the confidence intervals of rows are computed. */
struct bounding {
    struct compare_block_values *spread; /* borrowed; the rows' values in each block */
    double *series[SIDES]; /* one number per block of each side; owned as series[SIDE_A] */
    double *room;          /* owned; room for the resampled values of one row */
    size_t bounded;        /* number of rows with an interval */
    size_t dependent; /* number of rows with an interval whose successive blocks are correlated */
    double hurst;     /* largest Hurst parameter of rows with correlated blocks */
};

/* Returns the index in spread->values of a row's value in a block. */
static size_t index_in_spread(const struct compare_block_values *spread, enum side side,
                              size_t block, size_t row) {
    return ((side == SIDE_B ? spread->counts[SIDE_A] : 0) + block) * spread->rows + row;
}

static double block_value(const struct compare_block_values *spread, enum side side, size_t block,
                          size_t row) {
    return spread->values[index_in_spread(spread, side, block, row)];
}

static bool read_row_blocks(struct comparison *comparison, const size_t *places,
                            struct error *error) {
    struct compare_block_values *spread = &comparison->spread;

    for (enum side side = SIDE_A; side < SIDES; side++) {
        for (size_t block = 0; block < spread->counts[side]; block++) {
            size_t first = index_in_spread(spread, side, block, 0);
            struct compare_block counted = {spread->values + first, spread->rows, places,
                                            spread->calls + first};

            for (size_t i = 0; i < spread->rows; i++) {
                counted.counts[i] = comparison->method->keeps_given ? NAN : 0;
            }
            if (!shuffle_block(comparison, side, block, &counted, error)) {
                return false;
            }
        }
    }
    return true;
}

/* --- confidence intervals of rows that are means of their blocks ------------------------------ */

/* Returns whether the row's value for the whole side is the mean of its values in the blocks. A
 * missing value is NAN; then the result is false. */
static bool is_mean(const struct compare_block_values *spread, enum side side, size_t row,
                    double whole) {
    double sum = 0;

    for (size_t block = 0; block < spread->counts[side]; block++) {
        sum += block_value(spread, side, block, row);
    }
    return fabs(sum / (double)spread->counts[side] - whole) <= ROW_INTERVAL_TOLERANCE * fabs(whole);
}

/* Returns whether the row has the same integer on the whole side and in each block, such as the
 * size of the log. Such a number describes the whole trace and is not a mean. */
static bool row_has_fixed_value(const struct compare_block_values *spread,
                                const struct compare_row *row) {
    for (enum side side = SIDE_A; side < SIDES; side++) {
        for (size_t block = 0; block < spread->counts[side]; block++) {
            if (block_value(spread, side, block, row->number) != row->values[side]) {
                return false;
            }
        }
    }
    return row->given[SIDE_A].type == VALUE_INTEGER && row->given[SIDE_B].type == VALUE_INTEGER;
}

static void find_interval(struct comparison *comparison, struct bounding *bounding,
                          struct compare_row *row, struct resampling_random *random) {
    const struct compare_request *request = comparison->request;
    const struct compare_block_values *spread = bounding->spread;
    struct dependence_series series[SIDES];
    struct dependence found;
    double middle, scale, low, high;

    for (enum side side = SIDE_A; side < SIDES; side++) {
        for (size_t block = 0; block < spread->counts[side]; block++) {
            bounding->series[side][block] = block_value(spread, side, block, row->number);
        }
        series[side] = (struct dependence_series){bounding->series[side], spread->counts[side]};
    }
    if (!resampling_ratio(random, series, compare_fewest_blocks(comparison) == DISTRIBUTION_FEWEST,
                          request->resamples, request->confidence, bounding->room, &low, &high,
                          &found)) {
        return;
    }
    middle = found.means[SIDE_B] / found.means[SIDE_A];
    scale = middle > 0 ? row->ratio / middle : 1;
    row->p = compare_p_value_from_bounds(comparison, row->ratio, low * scale, high * scale);
    compare_set_bounds(low * scale, high * scale, &row->low, &row->high);
    bounding->bounded++;
    bounding->dependent += found.is_certain;
    bounding->hurst = found.is_certain ? fmax(bounding->hurst, found.hurst) : bounding->hurst;
}

bool blocks_find_mean(const struct comparison *comparison, struct compare_row *const *parts,
                      size_t count, const double *means, double *low, double *high) {
    const struct compare_request *request = comparison->request;
    const struct compare_block_values *spread = &comparison->spread;
    size_t fewest = compare_fewest_blocks(comparison),
           all = spread->counts[SIDE_A] + spread->counts[SIDE_B];
    double *room = xcalloc((size_t)request->resamples + 2 * all + 1, sizeof *room);
    double *values = room + request->resamples, *calls = values + all;
    struct resampling_random random = {.state = request->seed};
    struct dependence_series series[SIDES];
    bool known = spread->values != NULL;

    for (enum side side = SIDE_A; known && side < SIDES; side++) {
        size_t n = spread->counts[side], held = 0;
        double time = 0, number = 0;

        for (size_t block = 0; block < n; block++) {
            for (size_t i = 0; i < count; i++) {
                size_t at = index_in_spread(spread, side, block, parts[i]->number);

                values[block] += isnan(spread->values[at]) ? 0 : spread->values[at];
                calls[block] = fmax(calls[block], spread->calls[at]);
            }
            time += values[block];
            number += calls[block];
            held += calls[block] > 0;
        }
        known = held >= fewest &&
                fabs(time / number - means[side]) <= ROW_INTERVAL_TOLERANCE * means[side];
        /* Changes the blocks' values so that their mean is the mean time per call, and their
         * variation is the variation of a ratio of sums (time / calls). */
        for (size_t block = 0; block < n; block++) {
            values[block] =
                means[side] + (values[block] - means[side] * calls[block]) * (double)n / number;
        }
        series[side] = (struct dependence_series){values, n};
        values += n;
        calls += n;
    }
    known = known && means[SIDE_A] > 0 &&
            resampling_ratio(&random, series, fewest == DISTRIBUTION_FEWEST, request->resamples,
                             request->confidence, room, low, high, NULL);
    free(room);
    return known;
}

static void blocks_find_intervals(struct comparison *comparison, struct bounding *bounding) {
    const struct compare_block_values *spread = bounding->spread;
    struct resampling_random random = {.state = comparison->request->seed};

    for (size_t i = 0; i < spread->rows; i++) {
        struct compare_row *row = comparison->table.rows[i];

        if (!isnan(row->ratio) && row->values[SIDE_A] > 0 && row->values[SIDE_B] >= 0 &&
            (row->given == NULL || (row->given[SIDE_A].kind != COLUMN_NUMBER &&
                                    is_mean(spread, SIDE_A, row->number, row->values[SIDE_A]) &&
                                    is_mean(spread, SIDE_B, row->number, row->values[SIDE_B]) &&
                                    !row_has_fixed_value(spread, row)))) {
            find_interval(comparison, bounding, row, &random);
        }
    }
}

static void note_intervals(struct comparison *comparison) {
    const struct compare_block_values *spread = &comparison->spread;
    const struct compare_request *request = comparison->request;
    struct text only = {0};

    if (comparison->method->keeps_given) {
        text_append_format(
            &only, "; only of rows whose value is the mean of the values in these, within %g %%",
            100 * ROW_INTERVAL_TOLERANCE);
    }
    notes_append(
        &comparison->notes,
        "low and high: %g %% confidence interval of the ratio, by resampling %zu and %zu %s, %d "
        "times, seed %llu%s",
        100 * request->confidence, spread->counts[SIDE_A], spread->counts[SIDE_B],
        compare_fewest_blocks(comparison) < DISTRIBUTION_FEWEST ? "traces" : "blocks of time",
        request->resamples, (unsigned long long)request->seed, text_string(&only));
    text_free(&only);
}

static bool make_intervals(struct comparison *comparison, struct error *error) {
    struct compare_block_values *spread = &comparison->spread;
    struct bounding bounding = {.spread = spread};
    size_t blocks = spread->counts[SIDE_A] + spread->counts[SIDE_B];
    size_t *places = xcalloc(spread->rows + 1, sizeof *places);
    bool done;

    spread->values = xcalloc(blocks * spread->rows + 1, sizeof *spread->values);
    spread->calls = xcalloc(blocks * spread->rows + 1, sizeof *spread->calls);
    for (size_t i = 0; i < spread->rows; i++) {
        places[i] = i;
    }
    done = read_row_blocks(comparison, places, error);
    free(places);
    if (!done) {
        return false;
    }
    note_intervals(comparison);
    bounding.room = xcalloc((size_t)comparison->request->resamples, sizeof *bounding.room);
    bounding.series[SIDE_A] = xcalloc(blocks + 1, sizeof *bounding.series[SIDE_A]);
    bounding.series[SIDE_B] = bounding.series[SIDE_A] + spread->counts[SIDE_A];
    blocks_find_intervals(comparison, &bounding);
    free(bounding.room);
    free(bounding.series[SIDE_A]);
    if (bounding.dependent > 0 && compare_fewest_blocks(comparison) == DISTRIBUTION_FEWEST) {
        notes_append(&comparison->notes, "%zu of %zu figures with bounds: " DEPENDENCE_REMARK,
                     bounding.dependent, bounding.bounded, bounding.hurst);
    }
    return true;
}

bool row_intervals_find(struct comparison *comparison, struct error *error) {
    struct compare_block_values *spread = &comparison->spread;
    size_t fewest = compare_fewest_blocks(comparison);

    if (comparison->request->blocks == 0) {
        return true;
    }
    *spread = (struct compare_block_values){
        .rows = comparison->table.count,
        .counts = {shuffle_blocks(comparison, SIDE_A), shuffle_blocks(comparison, SIDE_B)},
    };
    if (spread->rows > ROW_INTERVAL_ROWS || spread->counts[SIDE_A] < fewest ||
        spread->counts[SIDE_B] < fewest) {
        notes_append(&comparison->notes, "low and high: not known, there are too %s",
                     spread->rows > ROW_INTERVAL_ROWS ? "many rows"
                     : fewest < DISTRIBUTION_FEWEST   ? "few traces"
                                                      : "few events to cut into blocks of time");
        return true;
    }
    return make_intervals(comparison, error);
}
