#include "compare/shuffle.h"

#include <stdlib.h>
#include <string.h>

#include "compare/resampling.h"
#include "compare/statistics.h"

/* The blocks of both sides: of each, how often each thing occurs in it, as shares. */
struct shuffled {
    size_t counts[SIDES], places;
    double *shares;            /* owned; a's blocks, then b's */
    double *all, *sums[SIDES]; /* parts of `shares` */
    shuffle_distance *distance;
    const void *context;
};

/* --- blocks ----------------------------------------------------------------------------------- */

/* As many as traces, where a side has several. */
static size_t blocks_of(const struct comparison *comparison, enum side which) {
    const struct compare_side *side = &comparison->sides[which];
    size_t wanted = (size_t)comparison->request->blocks;
    double most = side->totals[NUMBER_VALUE] / DISTRIBUTION_LEAST;

    if (compare_fewest_blocks(comparison) < DISTRIBUTION_FEWEST) {
        return side->trace_count;
    }
    return most < (double)wanted ? (size_t)most : wanted;
}

/* The time at which a block of a trace that is cut into `blocks` begins. */
static bool find_bound(struct comparison *comparison, enum side which, size_t block, size_t blocks,
                       struct time_bound *bound, struct error *error) {
    const struct compare_side *side = &comparison->sides[which];
    int64_t events = side->last - side->first + 1, count = (int64_t)blocks, at = (int64_t)block;
    int64_t event = side->first + events / count * at + events % count * at / count, time;

    if (!database_integer(comparison->workspace->database, "SELECT time FROM event WHERE id = ?1",
                          event, 0, &time, error)) {
        return false;
    }
    *bound = (struct time_bound){.kind = TIME_SINCE_START, .time = time, .plain = time};
    return true;
}

/* What is the block's of what the side's report asks for. */
static bool narrow(struct comparison *comparison, enum side which, size_t block, size_t blocks,
                   const char *const *name, struct report_request *request, struct error *error) {
    if (comparison->sides[which].trace_count > 1 ||
        compare_fewest_blocks(comparison) < DISTRIBUTION_FEWEST) {
        request->traces = name;
        request->trace_count = 1;
        request->study = NULL;
        return true;
    }
    return (block == 0 ||
            find_bound(comparison, which, block, blocks, &request->filter.from, error)) &&
           (block + 1 == blocks ||
            find_bound(comparison, which, block + 1, blocks, &request->filter.to, error));
}

static bool read_block(struct comparison *comparison, enum side which, size_t block, size_t blocks,
                       struct compare_block *counted, struct error *error) {
    struct report_request request = comparison->request->sides[which];
    const struct compare_side *side = &comparison->sides[which];
    const char *name = side->traces[block < side->trace_count ? block : 0]->name;
    double total;

    if (!narrow(comparison, which, block, blocks, &name, &request, error) ||
        !compare_side_count(comparison, which, &request, counted, error)) {
        return false;
    }
    total = statistics_total(counted->counts, counted->count);
    for (size_t i = 0; i < counted->count && total > 0; i++) {
        counted->counts[i] /= total;
    }
    return true;
}

/* The place of each row, by its number: the last one is that of all others. */
static size_t *find_places(const struct compare_table *table, struct error *error) {
    size_t *places = calloc(table->count + 1, sizeof *places);

    if (places == NULL) {
        error_no_memory(error);
        return NULL;
    }
    for (size_t i = 0; i < table->count; i++) {
        places[table->rows[i]->number] = i < SHUFFLE_MOST ? i : SHUFFLE_MOST - 1;
    }
    return places;
}

static bool read_blocks(struct comparison *comparison, struct shuffled *shuffled,
                        struct error *error) {
    size_t *places = find_places(&comparison->table, error), at = 0;
    bool done = places != NULL;

    for (enum side side = SIDE_A; side < SIDES; side++) {
        for (size_t block = 0; done && block < shuffled->counts[side]; block++, at++) {
            struct compare_block counted = {
                .counts = shuffled->shares + at * shuffled->places,
                .count = shuffled->places,
                .places = places,
            };

            done = read_block(comparison, side, block, shuffled->counts[side], &counted, error);
            for (size_t i = 0; done && i < shuffled->places; i++) {
                shuffled->all[i] += counted.counts[i];
            }
        }
    }
    free(places);
    return done;
}

static bool make_room(const struct comparison *comparison, struct shuffled *shuffled,
                      struct error *error) {
    size_t rows = comparison->table.count, blocks;

    for (enum side side = SIDE_A; side < SIDES; side++) {
        shuffled->counts[side] = blocks_of(comparison, side);
    }
    blocks = shuffled->counts[SIDE_A] + shuffled->counts[SIDE_B];
    shuffled->places = rows < SHUFFLE_MOST ? rows : SHUFFLE_MOST;
    shuffled->shares = calloc((blocks + 3) * shuffled->places + 1, sizeof *shuffled->shares);
    if (shuffled->shares == NULL) {
        return error_no_memory(error);
    }
    shuffled->all = shuffled->shares + blocks * shuffled->places;
    shuffled->sums[SIDE_A] = shuffled->all + shuffled->places;
    shuffled->sums[SIDE_B] = shuffled->sums[SIDE_A] + shuffled->places;
    return true;
}

/* --- shuffling -------------------------------------------------------------------------------- */

static void find_distance(void *context, const bool *is_b, double *values) {
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

        /* What rounding leaves of nothing is nothing. */
        b[i] = rest > 1e-12 ? rest : 0;
    }
    values[0] = shuffled->distance(shuffled->context, a, b, shuffled->places);
}

static bool say_p(struct comparison *comparison, const char *what, struct shuffled *shuffled,
                  struct error *error) {
    const struct compare_request *request = comparison->request;
    struct resampling_random random = {.state = request->seed};
    double p = 1;

    if (!read_blocks(comparison, shuffled, error)) {
        return false;
    }
    resampling_permute(&random, shuffled->counts[SIDE_A], shuffled->counts[SIDE_B],
                       request->resamples, 1, find_distance, shuffled, &p);
    return remarks_add(&comparison->remarks, error,
                       "p of %s: %.4g, by shuffling %zu and %zu %s, up to %d times, seed %llu",
                       what, p, shuffled->counts[SIDE_A], shuffled->counts[SIDE_B],
                       compare_fewest_blocks(comparison) < DISTRIBUTION_FEWEST ? "traces"
                                                                               : "blocks of time",
                       request->resamples, (unsigned long long)request->seed);
}

bool shuffle_say(struct comparison *comparison, const char *what, shuffle_distance *distance,
                 const void *context, struct error *error) {
    struct shuffled shuffled = {.distance = distance, .context = context};
    size_t fewest = compare_fewest_blocks(comparison);
    bool done;

    if (comparison->is_brief || comparison->request->blocks == 0) {
        return true;
    }
    if (blocks_of(comparison, SIDE_A) < fewest || blocks_of(comparison, SIDE_B) < fewest) {
        return remarks_add(&comparison->remarks, error, "p of %s: not known, there are too few %s",
                           what,
                           fewest < DISTRIBUTION_FEWEST ? "traces" : "events for blocks of time");
    }
    done = make_room(comparison, &shuffled, error) && say_p(comparison, what, &shuffled, error);
    free(shuffled.shares);
    return done;
}
