/* How concentrated references are on few items: temp.concentration. The items are the rows of a
 * statement, or, where they are too many for SQL, the sectors or pages of the events themselves.
 * And the sectors that I/Os begin at, those of the most I/Os first: temp.popular_sector.
 *
 * Items are ranked by their counts. The Zipf exponent is that of the model in which the item of
 * rank r of n has the share r^-s / (1^-s + … + n^-s), found by maximum likelihood; a regression
 * over logarithms, which is common, is biased and not done. How far the model is from the data is
 * said beside it: by the largest distance of the two cumulative shares (Kolmogorov and Smirnov).
 *
 * Memory grows with the number of different counts, which is at most the root of twice their sum.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/page_span.h"
#include "analysis/rows_pass.h"
#include "analysis/transfers.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/saturate.h"
#include "scan/ranking.h"

/* Items of one count. */
struct equals {
    int64_t count, items;
    UT_hash_handle hh;
};

struct concentration {
    struct equals *by_count; /* owned hash table */
    struct equals *last;     /* that was added to */
};

/* Different counts; 64 bytes each. */
#define CONCENTRATION_COUNTS (1 << 20)

/* Of no items, all is 0 and NaN. */
struct concentration_figures {
    int64_t items, references; /* `references` stays at the largest number */
    double exponent;           /* of Zipf; NaN for fewer than two items */
    double error;              /* its standard error; NaN: there is none */
    double distance;           /* largest, of the cumulative shares; NaN as the exponent is */
    double
        top[3];  /* share of the references to the first 1, 10 and 20 % of the items, rounded up */
    double gini; /* 0: all are referred to as often, towards 1: one has all */
    double entropy;    /* bits */
    double perplexity; /* as many items, referred to as often as one another, have that entropy */
};

/* Owned by the caller. */
static struct concentration *concentration_new(void) {
    return xcalloc(1, sizeof(struct concentration));
}

static void concentration_free(struct concentration *concentration) {
    if (concentration != NULL) {
        HASH_FREE(concentration->by_count);
    }
    free(concentration);
}

/* Adds an item that is referred to `count` times, at least 1, in any order. */
static bool concentration_add(struct concentration *concentration, int64_t count,
                              struct error *error) {
    struct equals *equals = concentration->last;

    if (equals == NULL || equals->count != count) {
        HASH_FIND(hh, concentration->by_count, &count, sizeof count, equals);
    }
    if (equals == NULL && HASH_COUNT(concentration->by_count) == CONCENTRATION_COUNTS) {
        return error_set(error, "more than %d different counts: choose fewer items with filters",
                         CONCENTRATION_COUNTS);
    }
    if (equals == NULL) {
        equals = xcalloc(1, sizeof *equals);
        equals->count = count;
        HASH_ADD(hh, concentration->by_count, count, sizeof equals->count, equals);
    }
    equals->items++;
    concentration->last = equals;
    return true;
}

/* --- figures -----------------------------------------------------------------------------------
 */

/* All items, those of the highest count first. */
struct ranks {
    struct equals *equals; /* owned, `count` of them */
    size_t count;
    int64_t items;
    double references;
};

static int by_count(const void *left, const void *right) {
    int64_t a = ((const struct equals *)left)->count, b = ((const struct equals *)right)->count;

    return (a < b) - (a > b);
}

static void rank(const struct concentration *concentration, struct ranks *ranks) {
    const struct equals *equals = concentration->by_count;

    *ranks = (struct ranks){
        .equals = xmalloc((HASH_COUNT(concentration->by_count) + 1) * sizeof *ranks->equals)};
    for (; equals != NULL; equals = equals->hh.next) {
        ranks->equals[ranks->count++] = *equals;
        ranks->items += equals->items;
        ranks->references += (double)equals->count * (double)equals->items;
    }
    qsort(ranks->equals, ranks->count, sizeof *ranks->equals, by_count);
}

/* The share of the references to the first so many per cent of the items. */
static double top_share(const struct ranks *ranks, int per_cent) {
    int64_t left = ranks->items / 100 * per_cent + (ranks->items % 100 * per_cent + 99) / 100;
    double sum = 0;

    for (size_t i = 0; left > 0 && i < ranks->count; i++) {
        int64_t items = ranks->equals[i].items < left ? ranks->equals[i].items : left;

        sum += (double)ranks->equals[i].count * (double)items;
        left -= items;
    }
    return sum / ranks->references;
}

/* Twice the area between the line of equal shares and the curve of the cumulative ones. */
static double gini(const struct ranks *ranks) {
    double area = 0, items = (double)ranks->items, above = 0; /* items of higher counts */

    for (size_t i = 0; i < ranks->count; i++) {
        double here = (double)ranks->equals[i].items;

        /* The places of these items from the other end, 1 for the least, are on average: */
        area += (items - above - (here - 1) / 2) * here * (double)ranks->equals[i].count;
        above += here;
    }
    return 2 * area / (items * ranks->references) - (items + 1) / items;
}

static double entropy(const struct ranks *ranks) {
    double sum = 0;

    for (size_t i = 0; i < ranks->count; i++) {
        double share = (double)ranks->equals[i].count / ranks->references;

        sum -= (double)ranks->equals[i].items * share * log2(share);
    }
    return sum > 0 ? sum : 0; /* not -0 */
}

/* --- Zipf's law --------------------------------------------------------------------------------
 */

/* Mean and variance of the logarithm of the rank, by the model with that exponent; the sum that
 * its shares are of. */
static double model(int64_t items, double exponent, double *mean, double *variance) {
    double sum = 0, first = 0, second = 0;

    for (int64_t r = 1; r <= items; r++) {
        double logarithm = log((double)r), weight = exp(-exponent * logarithm);

        sum += weight;
        first += weight * logarithm;
        second += weight * logarithm * logarithm;
    }
    *mean = first / sum;
    *variance = second / sum - *mean * *mean;
    return sum;
}

static double mean_log_rank(const struct ranks *ranks) {
    double sum = 0;
    int64_t r = 1;

    for (size_t i = 0; i < ranks->count; i++) {
        double logarithms = 0;

        for (int64_t k = 0; k < ranks->equals[i].items; k++) {
            logarithms += log((double)r++);
        }
        sum += logarithms * (double)ranks->equals[i].count;
    }
    return sum / ranks->references;
}

/* The likelihood is greatest where the model has the mean that the items have, which becomes less
 * as the exponent grows: by Newton's method, and by halving where that leaves the bounds. */
static double find_exponent(const struct ranks *ranks, double *variance) {
    double wanted = mean_log_rank(ranks), low = -1, high = 64, exponent = 1, change = 1, mean;

    for (int step = 0; step < 100 && fabs(change) > 1e-13 * (1 + exponent); step++) {
        double next;

        model(ranks->items, exponent, &mean, variance);
        *(mean > wanted ? &low : &high) = exponent;
        next = exponent + (mean - wanted) / *variance;
        next = next > low && next < high ? next : (low + high) / 2;
        change = next - exponent;
        exponent = next;
    }
    return exponent;
}

/* The largest distance of the cumulative shares of the items and of the model, whose sum is given.
 */
static double find_distance(const struct ranks *ranks, double exponent, double sum) {
    double seen = 0, expected = 0, distance = 0;
    int64_t r = 1;

    for (size_t i = 0; i < ranks->count; i++) {
        for (int64_t k = 0; k < ranks->equals[i].items; k++) {
            seen += (double)ranks->equals[i].count;
            expected += exp(-exponent * log((double)r++));
            distance = fmax(distance, fabs(seen / ranks->references - expected / sum));
        }
    }
    return distance;
}

static void fit(const struct ranks *ranks, struct concentration_figures *figures) {
    double mean, variance, sum;

    figures->exponent = figures->error = figures->distance = NAN;
    if (ranks->items < 2) {
        return;
    }
    figures->exponent = fmax(find_exponent(ranks, &variance), 0);
    sum = model(ranks->items, figures->exponent, &mean, &variance);
    figures->error = variance > 0 ? 1 / sqrt(ranks->references * variance) : NAN;
    figures->distance = find_distance(ranks, figures->exponent, sum);
}

/* What all items that were added make. */
static void concentration_find(const struct concentration *concentration,
                               struct concentration_figures *figures) {
    static const int per_cent[] = {1, 10, 20};
    struct ranks ranks;

    *figures = (struct concentration_figures){.exponent = NAN, .error = NAN, .distance = NAN};
    rank(concentration, &ranks);
    figures->items = ranks.items;
    for (size_t i = 0; i < ranks.count; i++) {
        int64_t references;

        if (__builtin_mul_overflow(ranks.equals[i].count, ranks.equals[i].items, &references)) {
            references = INT64_MAX;
        }
        add_saturated(&figures->references, references);
    }
    for (int i = 0; i < 3; i++) {
        figures->top[i] = top_share(&ranks, per_cent[i]);
    }
    figures->gini = gini(&ranks);
    figures->entropy = entropy(&ranks);
    figures->perplexity = exp2(figures->entropy);
    if (ranks.items > 0) {
        fit(&ranks, figures);
    }
    free(ranks.equals);
}

/* Slots of devices within a key; a page's number has less than 56 bits. */
_Static_assert(DEVICE_SLOTS <= 1 << 8, "a slot does not fit into the key of a page");

struct concentration_state {
    struct transfers_state of;           /* transfers, of pages */
    struct concentration *concentration; /* owned */
    struct ranking *ranking;             /* owned; NULL of rows; the others are of pages */
    struct device_slots devices;
    struct page_span_options options;
    int64_t too_large; /* transfers that are left out */
    bool counted;      /* these, in the first pass */
};

static void write_figures(struct concentration_state *state) {
    struct concentration_figures figures;
    struct temp_rows *rows = &state->of.context->tables[0];

    concentration_find(state->concentration, &figures);
    for (int i = 0; i < 9; i++) {
        const double reals[] = {figures.top[0],   figures.top[1],  figures.top[2],
                                figures.gini,     figures.entropy, figures.perplexity,
                                figures.exponent, figures.error,   figures.distance};

        temp_rows_real(rows, i + 3, reals[i]);
    }
    TEMP_ROW(rows, figures.items, figures.references);
}

static void free_state(void *concentration_state) {
    struct concentration_state *state = concentration_state;

    concentration_free(state->concentration);
    ranking_free(state->ranking);
    transfers_free(state);
}

static void take_row(void *concentration_state, const char *part, size_t length, int64_t value) {
    struct concentration_state *state = concentration_state;

    if (value > 0) {
        concentration_add(state->concentration, value, &state->of.context->error);
    }
}

static void write_of_rows(void *concentration_state) {
    struct concentration_state *state = concentration_state;

    state->concentration = concentration_new();
    rows_pass_run(state->of.context, take_row, state);
    write_figures(state);
}

/* --- sectors and pages -------------------------------------------------------------------------
 */

static void begin(void *concentration_state) {
    struct concentration_state *state = concentration_state;

    state->ranking = ranking_new(RANKING_KEYS);
}

static void visit_sectors(void *concentration_state, const struct event_columns *columns,
                          size_t count) {
    struct concentration_state *state = concentration_state;

    for (size_t i = 0; i < count; i++) {
        if (columns->address[i] != EVENT_NONE && columns->size[i] != 0) {
            ranking_count(state->ranking, columns->address[i]);
        }
    }
}

static void begin_trace(void *concentration_state) {
    struct concentration_state *state = concentration_state;

    state->options = page_span_read(state->of.context->values);
    transfers_begin_trace(state);
}

static void take_pages(void *concentration_state, const struct transfer *transfer) {
    struct concentration_state *state = concentration_state;
    int64_t page, last, slot;

    if (!page_span(&state->options, transfer, &page, &last)) {
        state->too_large += !state->counted;
        return;
    }
    slot = (int64_t)device_slot(&state->devices, transfer->within);
    for (; page <= last; page++) {
        ranking_count(state->ranking, page << 8 | slot);
    }
}

static bool again(void *concentration_state) {
    struct concentration_state *state = concentration_state;
    bool more = false;

    state->counted = true;
    ranking_end_pass(state->ranking, &more, &state->of.context->error);
    return more;
}

/* The next in order; false behind the last, and where that failed. */
static bool next(struct concentration_state *state, struct ranked *ranked) {
    bool some;

    return ranking_next(state->ranking, ranked, &some, &state->of.context->error) && some;
}

static void write_ranked(void *concentration_state) {
    struct concentration_state *state = concentration_state;
    struct ranked ranked;

    state->concentration = concentration_new();
    while (next(state, &ranked) &&
           concentration_add(state->concentration, ranked.count, &state->of.context->error)) {
    }
    write_figures(state);
    if (state->too_large > 0) {
        notes_append(&state->of.context->selection->notes,
                     "excluded: %lld I/Os of more than %d pages", (long long)state->too_large,
                     (int)PAGE_SPAN_MOST);
    }
}

static void write_popular(void *concentration_state) {
    struct concentration_state *state = concentration_state;
    int64_t rank = 0, cumulative = 0, wanted = state->of.context->result_rows;
    struct ranked sector;

    while ((wanted == 0 || rank < wanted) && next(state, &sector)) {
        cumulative += sector.count;
        rank++;
        TEMP_ROW(&state->of.context->tables[0], rank, sector.key, sector.count, cumulative,
                 ranking_total(state->ranking));
    }
}

/* One row: how many items there are, and references to them; the shares of these that the first 1,
 * 10 and 20 % of the items have; Gini's coefficient; the entropy in bits, and two to the power of
 * it; and Zipf's exponent, its standard error, and the largest distance of the cumulative shares.
 * Items of no references do not count. */
#define TABLES                                                                                     \
    {                                                                                              \
        {                                                                                          \
            "concentration",                                                                       \
                "items, \"references\", top_1, top_10, top_20, gini, entropy, perplexity, "        \
                "exponent, error, "                                                                \
                "distance",                                                                        \
                NULL                                                                               \
        }                                                                                          \
    }

/* The statement gives rows of anything and how often an item is referred to. */
const struct analysis analysis_concentration = {
    .name = "concentration",
    .tables = TABLES,
    .takes_rows = true,
    .pass = PASS_NONE,
    .state_size = sizeof(struct concentration_state),
    .functions = rows_pass_register,
    .write = write_of_rows,
    .free = free_state,
};

/* The sectors that I/Os begin at, as in popular_sector. */
const struct analysis analysis_concentration_sector = {
    .name = "concentration_sector",
    .tables = TABLES,
    .pass = PASS_IN_ORDER,
    .apart = true,
    .fields = EVENT_ADDRESS | EVENT_SIZE,
    .state_size = sizeof(struct concentration_state),
    .begin = begin,
    .visit = visit_sectors,
    .again = again,
    .write = write_ranked,
    .free = free_state,
};

/* The pages that reads and writes cover, of each device its own; of several traces the same pages
 * are the same. */
const struct analysis analysis_concentration_page = {
    .name = "concentration_page",
    .tables = TABLES,
    .pass = PASS_IN_ORDER,
    .apart = true,
    .fields = TRANSFER_FIELDS,
    .parameters = {PAGE_SPAN_PARAMETERS},
    .state_size = sizeof(struct concentration_state),
    .begin = begin,
    .begin_trace = begin_trace,
    .visit = transfers_visit,
    .transfer = take_pages,
    .again = again,
    .write = write_ranked,
    .free = free_state,
};

/* Of all traces together: the sectors by how many I/Os begin there, the lower one first where they
 * are as many. `cumulative`: I/Os of this sector and those above; `total`: of all. Rows are in this
 * order, and as many as `:rows` says are enough. I/Os without a sector or without data do not
 * count. */
const struct analysis analysis_popular_sector = {
    .name = "popular_sector",
    .tables = {{"popular_sector", "rank, sector, count, cumulative, total", NULL}},
    .pass = PASS_IN_ORDER,
    .apart = true,
    .fields = EVENT_ADDRESS | EVENT_SIZE,
    .state_size = sizeof(struct concentration_state),
    .begin = begin,
    .visit = visit_sectors,
    .again = again,
    .write = write_popular,
    .free = free_state,
};
