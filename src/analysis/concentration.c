/* Measures how references are concentrated on few items: temp.concentration. The items are rows of
 * an SQL statement or, if they are too many for SQL, sectors or pages of I/Os. Also finds
 * the sectors at which most I/Os start: temp.popular_sector.
 *
 * Items are ranked by their number of references. The Zipf exponent s is fitted by maximum
 * likelihood to the model in which the item of rank r of n has the share r^-s / (1^-s + … + n^-s);
 * the usual regression over logarithms is biased. The error of the fit is the largest distance
 * between the cumulative shares of items and model (Kolmogorov-Smirnov). Memory grows with the
 * number of different counts of references, at most the square root of twice their sum. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/transfers.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/saturate.h"
#include "scan/ranking.h"

/* Number of items that have the same number of references `count`. */
struct equals {
    int64_t count, items;
    UT_hash_handle hh;
};

struct concentration {
    struct equals *by_count; /* owned hash table: number of items by their number of references */
    struct equals *last;     /* element of `by_count` to which the last item was added */
};

/* Limit of different counts in memory; each takes 64 bytes. */
#define CONCENTRATION_COUNTS (1 << 20)

/* Measures of concentration. If there are no items, numbers are 0 and shares are NaN. */
struct concentration_figures {
    /* items: number of items; references: number of references to them (saturated). */
    int64_t items, references;
    double exponent; /* Zipf exponent; NaN for fewer than two items */
    double error;    /* standard error of the exponent; NaN: unknown */
    /* Largest distance between the cumulative shares of items and model; NaN: no `exponent`. */
    double distance;
    double top[3];     /* shares of references to the top 1, 10 and 20 % of items (rounded up) */
    double gini;       /* Gini coefficient. 0: equal counts; near 1: one item has all references */
    double entropy;    /* entropy of the shares, in bits */
    double perplexity; /* number of equally frequent items that would have the same entropy */
};

/* Returns an empty list of counts, owned by the caller. */
static struct concentration *concentration_new(void) {
    return xcalloc(1, sizeof(struct concentration));
}

/* Adds `items` items with `count` references each (at least 1). Counts come in any order. Returns
 * false if there are too many different counts, with the error set. */
static bool concentration_add(struct concentration *concentration, int64_t count, int64_t items,
                              struct error *error) {
    struct equals *equals = concentration->last;

    if (equals == NULL || equals->count != count) {
        HASH_FIND(hh, concentration->by_count, &count, sizeof count, equals);
    }
    if (equals == NULL && HASH_COUNT(concentration->by_count) == CONCENTRATION_COUNTS) {
        return error_set_too_many(error,
                                  "more than %d different counts: choose fewer items with filters",
                                  CONCENTRATION_COUNTS);
    }
    if (equals == NULL) {
        HASH_NEW(concentration->by_count, count, count, equals);
    }
    equals->items += items;
    concentration->last = equals;
    return true;
}

/* --- computing the measures ------------------------------------------------------------------- */

/* All items, sorted by falling number of references; items with equal numbers share an element. */
struct ranks {
    struct equals *equals; /* owned; `count` elements */
    size_t count;
    int64_t items;
    double references;
};

static int order_by_count(const void *left, const void *right) {
    int64_t a = ((const struct equals *)left)->count, b = ((const struct equals *)right)->count;

    return (a < b) - (a > b);
}

static void rank_objects(const struct concentration *concentration, struct ranks *ranks) {
    const struct equals *equals = concentration->by_count;

    *ranks = (struct ranks){
        .equals = xmalloc((HASH_COUNT(concentration->by_count) + 1) * sizeof *ranks->equals)};
    for (; equals != NULL; equals = equals->hh.next) {
        ranks->equals[ranks->count++] = *equals;
        ranks->items += equals->items;
        ranks->references += (double)equals->count * (double)equals->items;
    }
    qsort(ranks->equals, ranks->count, sizeof *ranks->equals, order_by_count);
}

/* Returns the share of references to the top `per_cent` of the items. */
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

/* Gini coefficient: twice the area between the line of equal shares and the Lorenz curve. */
static double gini_coefficient(const struct ranks *ranks) {
    /* `above`: number of items with more references */
    double area = 0, items = (double)ranks->items, above = 0;

    for (size_t i = 0; i < ranks->count; i++) {
        double here = (double)ranks->equals[i].items;

        /* Adds the items' mean rank times their references; the item with the fewest references has
         * rank 1. */
        area += (items - above - (here - 1) / 2) * here * (double)ranks->equals[i].count;
        above += here;
    }
    return 2 * area / (items * ranks->references) - (items + 1) / items;
}

static double entropy_of_shares(const struct ranks *ranks) {
    double sum = 0;

    for (size_t i = 0; i < ranks->count; i++) {
        double share = (double)ranks->equals[i].count / ranks->references;

        sum -= (double)ranks->equals[i].items * share * log2(share);
    }
    return sum > 0 ? sum : 0; /* returns 0 rather than -0 */
}

/* --- Zipf's law ------------------------------------------------------------------------------- */

/* Sums over ranks of their weights in Zipf's model, rank^-exponent, and of the weights times the
 * first and second power of log(rank). */
struct zipf_sums {
    double sum, first, second;
};

/* Ranks up to this one are added one at a time. */
#define ZIPF_SINGLE_RANKS 65536

static void zipf_add_term(double logarithm, double exponent, double factor,
                          struct zipf_sums *sums) {
    double weight = factor * exp(-exponent * logarithm);

    sums->sum += weight;
    sums->first += weight * logarithm;
    sums->second += weight * logarithm * logarithm;
}

/* Adds the ranks after `from` up to `to` by the Euler-Maclaurin formula: the integral, half the
 * values and a twelfth of the derivatives at both ends. The next term is below 1e-16 of the sum.
 * With log(rank) as the variable, the integrand is rank^(1 - exponent) times its powers. The
 * Gauss-Legendre rule of 5 points is exact to 1e-15 where this factor changes by less than e^0.5.
 */
static void zipf_add_range(double from, double to, double exponent, struct zipf_sums *sums) {
    static const double points[] = {-0.90617984593866399, -0.53846931010568309, 0,
                                    0.53846931010568309, 0.90617984593866399};
    static const double weights[] = {0.23692688505618909, 0.47862867049936647, 0.56888888888888889,
                                     0.47862867049936647, 0.23692688505618909};
    const double ends[] = {from, to}, length = log(to / from);
    const int parts = 1 + (int)(2 * fabs(1 - exponent) * length);

    for (int i = 0; i < 5 * parts; i++) {
        const int part = i / 5;
        double middle = log(from) + length * (part + 0.5) / parts, half = length / 2 / parts;

        zipf_add_term(middle + half * points[i % 5], exponent - 1, half * weights[i % 5], sums);
    }
    for (int i = 0; i < 2; i++) {
        double logarithm = log(ends[i]), sign = 2 * i - 1;
        double twelfth = sign / 12 * exp(-(exponent + 1) * logarithm);

        zipf_add_term(logarithm, exponent, sign / 2, sums);
        sums->sum -= twelfth * exponent;
        sums->first += twelfth * (1 - exponent * logarithm);
        sums->second += twelfth * (2 - exponent * logarithm) * logarithm;
    }
}

/* Adds the ranks after `from` up to `to`. */
static void zipf_add(int64_t from, int64_t to, double exponent, struct zipf_sums *sums) {
    for (; from < to && (from < ZIPF_SINGLE_RANKS || to - from < 16); from++) {
        zipf_add_term(log((double)(from + 1)), exponent, 1, sums);
    }
    if (from < to) {
        zipf_add_range((double)from, (double)to, exponent, sums);
    }
}

/* Computes mean and variance of log(rank) in Zipf's model with this exponent. Returns the sum of
 * the weights; a weight divided by this sum is the share of its rank. */
static double zipf_log_rank_moments(int64_t items, double exponent, double *mean,
                                    double *variance) {
    struct zipf_sums sums = {0};

    zipf_add(0, items, exponent, &sums);
    *mean = sums.first / sums.sum;
    *variance = sums.second / sums.sum - *mean * *mean;
    return sums.sum;
}

static double mean_log_rank(const struct ranks *ranks) {
    double sum = 0;
    int64_t rank = 0;

    for (size_t i = 0; i < ranks->count; i++) {
        struct zipf_sums sums = {0};

        zipf_add(rank, rank + ranks->equals[i].items, 0, &sums);
        rank += ranks->equals[i].items;
        sum += sums.first * (double)ranks->equals[i].count;
    }
    return sum / ranks->references;
}

/* Finds the exponent of greatest likelihood: at it, the model's mean of log(rank) equals that of
 * the references. The model's mean falls as the exponent grows. Uses Newton's method, with
 * bisection if a step leaves the bounds. */
static double find_exponent(const struct ranks *ranks, double *variance) {
    double wanted = mean_log_rank(ranks), low = -1, high = 64, exponent = 1, change = 1, mean;

    for (int step = 0; step < 100 && fabs(change) > 1e-13 * (1 + exponent); step++) {
        double next;

        zipf_log_rank_moments(ranks->items, exponent, &mean, variance);
        *(mean > wanted ? &low : &high) = exponent;
        next = exponent + (mean - wanted) / *variance;
        next = next > low && next < high ? next : (low + high) / 2;
        change = next - exponent;
        exponent = next;
    }
    return exponent;
}

/* Returns the largest distance between the cumulative shares of the items and of the model; `sum`
 * is the sum of the model's weights. Over items with equal counts, the difference of the shares is
 * convex: it is largest at an end, and least where the model's share is that of an item. */
static double find_distance(const struct ranks *ranks, double exponent, double sum) {
    struct zipf_sums expected = {0};
    double seen = 0, distance = 0;
    int64_t rank = 0;

    for (size_t i = 0; i < ranks->count; i++) {
        const struct equals *equals = &ranks->equals[i];
        double least = pow((double)equals->count / ranks->references * sum, -1 / exponent);
        int64_t last = rank + equals->items;

        while (rank < last) {
            int64_t next = rank + 1;

            if (rank >= ZIPF_SINGLE_RANKS && !(fabs(least - (double)next) < 2)) {
                next = least > (double)next && least < (double)last ? (int64_t)least - 1 : last;
            }
            seen += (double)equals->count * (double)(next - rank);
            zipf_add(rank, next, exponent, &expected);
            rank = next;
            distance = fmax(distance, fabs(seen / ranks->references - expected.sum / sum));
        }
    }
    return distance;
}

static void concentration_fit(const struct ranks *ranks, struct concentration_figures *figures) {
    double mean, variance, sum;

    figures->exponent = figures->error = figures->distance = NAN;
    if (ranks->items < 2) {
        return;
    }
    figures->exponent = fmax(find_exponent(ranks, &variance), 0);
    sum = zipf_log_rank_moments(ranks->items, figures->exponent, &mean, &variance);
    figures->error = variance > 0 ? 1 / sqrt(ranks->references * variance) : NAN;
    figures->distance = find_distance(ranks, figures->exponent, sum);
}

/* Computes the measures of all items added with concentration_add(). */
static void concentration_find(const struct concentration *concentration,
                               struct concentration_figures *figures) {
    static const int per_cent[] = {1, 10, 20};
    struct ranks ranks;

    *figures = (struct concentration_figures){.exponent = NAN, .error = NAN, .distance = NAN};
    rank_objects(concentration, &ranks);
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
    figures->gini = gini_coefficient(&ranks);
    figures->entropy = entropy_of_shares(&ranks);
    figures->perplexity = exp2(figures->entropy);
    if (ranks.items > 0) {
        concentration_fit(&ranks, figures);
    }
    free(ranks.equals);
}

struct concentration_state {
    struct transfers_state of; /* finds reads and writes among the events, if the items are pages */
    struct concentration *concentration; /* owned */
    /* Owned; NULL if items are rows of a statement. For sectors: number of I/Os by start sector.
     * For pages: +1 at the first page of each transfer, -1 at the page after its last one. */
    struct ranking *ranking;
    /* For pages, visited in order of key: the key of `ranking` visited last, and the number of
     * references to each page from that key to before the next one. */
    int64_t key, references;
    struct numbered_device *devices; /* owned; devices of all traces, by their first I/O */
    int64_t *numbers; /* owned; by slot of the trace's device: its number; -1: no I/O yet */
    struct page_span_options options;
    int64_t too_large; /* number of transfers skipped because they cover too many pages */
    int64_t too_far;   /* number of transfers skipped because page_key() has no key for them */
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

static void concentration_free_state(void *concentration_state) {
    struct concentration_state *state = concentration_state;

    if (state->concentration != NULL) {
        HASH_FREE(state->concentration->by_count);
    }
    free(state->concentration);
    free(state->numbers);
    devices_free_numbers(state->devices);
    ranking_free(state->ranking);
    transfers_free(state);
}

static void concentration_add_row(void *concentration_state, const char *part, size_t length,
                                  int64_t value) {
    struct concentration_state *state = concentration_state;

    if (value > 0) {
        concentration_add(state->concentration, value, 1, &state->of.context->error);
    }
}

static void write_of_rows(void *concentration_state) {
    struct concentration_state *state = concentration_state;

    state->concentration = concentration_new();
    rows_pass_run(state->of.context, concentration_add_row, state);
    write_figures(state);
}

/* --- ranking sectors and pages ---------------------------------------------------------------- */

static void concentration_begin(void *concentration_state) {
    struct concentration_state *state = concentration_state;

    state->ranking = ranking_new(RANKING_KEYS);
}

static void visit_sectors(void *concentration_state, const struct event_columns *columns,
                          size_t count) {
    struct concentration_state *state = concentration_state;

    for (size_t i = 0; i < count; i++) {
        if (columns->address[i] != EVENT_NONE && columns->size[i] != 0 &&
            !ranking_add(state->ranking, columns->address[i], 1, &state->of.context->error)) {
            return;
        }
    }
}

static void concentration_begin_trace(void *concentration_state) {
    struct concentration_state *state = concentration_state;
    size_t slots;

    state->options = page_span_read(state->of.context->values);
    transfers_begin_trace(state);
    slots = state->of.transfers.devices.slot_count + 1;
    free(state->numbers);
    state->numbers = xmalloc(slots * sizeof *state->numbers);
    memset(state->numbers, 0xFF, slots * sizeof *state->numbers);
}

/* Returns the number of the device of a transfer. */
static int64_t number_of_device(struct concentration_state *state,
                                const struct transfer *transfer) {
    int64_t *number = &state->numbers[transfer->slot];

    if (*number < 0) {
        *number = devices_number(&state->devices, transfer->within);
    }
    return *number;
}

/* Bits of the keys of pages. The first 128 devices have keys for all pages; further devices have
 * keys only for pages below 2^FAR_PAGE_BITS, which are 4 PiB of sectors. */
enum { PAGE_BITS = 55, FAR_PAGE_BITS = 43, KEY_BITS = 62 };

/* Sets `key` to a key that orders pages by device, then by page. Returns false if the page has no
 * key. */
static bool page_key(int64_t device, int64_t page, int64_t *key) {
    *key = device << PAGE_BITS | page;
    if (device >= 1 << (KEY_BITS - PAGE_BITS)) {
        *key = INT64_C(1) << KEY_BITS | device << FAR_PAGE_BITS | page;
        return device < 1 << (KEY_BITS - FAR_PAGE_BITS) && page < INT64_C(1) << FAR_PAGE_BITS;
    }
    return true;
}

static void add_pages(void *concentration_state, const struct transfer *transfer) {
    struct concentration_state *state = concentration_state;
    int64_t page, last, device = number_of_device(state, transfer), end;

    if (!page_span(&state->options, transfer, &page, &last)) {
        state->too_large++;
    } else if (!page_key(device, last + 1, &end) || !page_key(device, page, &page)) {
        state->too_far++;
    } else if (ranking_add(state->ranking, page, 1, &state->of.context->error)) {
        ranking_add(state->ranking, end, -1, &state->of.context->error);
    }
}

/* Returns the next item in order of rank; false after the last item, or on failure. */
static bool concentration_next(struct concentration_state *state, struct ranked *ranked) {
    bool some;

    return ranking_next(state->ranking, ranked, &some, &state->of.context->error) && some;
}

static void write_sectors(void *concentration_state) {
    struct concentration_state *state = concentration_state;
    struct ranked ranked;

    state->concentration = concentration_new();
    if (!ranking_end(state->ranking, SIZE_MAX, &state->of.context->error)) {
        return;
    }
    while (concentration_next(state, &ranked) &&
           concentration_add(state->concentration, ranked.count, 1, &state->of.context->error)) {
    }
    write_figures(state);
}

/* Adds the pages from the previous key up to, but not including, this key. The number of references
 * to each of these pages is `state->references`. */
static bool add_pages_before(void *concentration_state, const struct ranked *ranked,
                             struct error *error) {
    struct concentration_state *state = concentration_state;
    int64_t pages = ranked->key - state->key, references = state->references;

    state->references += ranked->count;
    state->key = ranked->key;
    return references == 0 || concentration_add(state->concentration, references, pages, error);
}

static void write_pages(void *concentration_state) {
    struct concentration_state *state = concentration_state;

    state->concentration = concentration_new();
    if (!ranking_visit_by_key(state->ranking, add_pages_before, state, &state->of.context->error)) {
        return;
    }
    write_figures(state);
    notes_append_count(&state->of.context->selection->notes, state->too_large,
                       "excluded: %lld I/O{s} of more than %d pages", (long long)state->too_large,
                       (int)PAGE_SPAN_MOST);
    notes_append_count(&state->of.context->selection->notes, state->too_far,
                       "excluded: %lld I/O{s} on too many devices, or at page 2^43 or beyond",
                       (long long)state->too_far);
}

static void write_popular(void *concentration_state) {
    struct concentration_state *state = concentration_state;
    int64_t rank = 0, cumulative = 0, wanted = state->of.context->result_rows;
    struct ranked sector;

    if (!ranking_end(state->ranking, wanted > 0 && wanted <= INT32_MAX ? (size_t)wanted : SIZE_MAX,
                     &state->of.context->error)) {
        return;
    }
    while ((wanted == 0 || rank < wanted) && concentration_next(state, &sector)) {
        cumulative += sector.count;
        rank++;
        TEMP_ROW(&state->of.context->tables[0], rank, sector.key, sector.count, cumulative,
                 ranking_total(state->ranking));
    }
}

/* Table temp.concentration: one row. `top_1`, `top_10`, `top_20`: shares of references to the top
 * 1, 10 and 20 % of items; `entropy` in bits; `perplexity`: 2^entropy; `exponent`, `error`: Zipf
 * exponent and its standard error; `distance`: the largest distance between the cumulative shares
 * of items and model. Items without references do not count. */
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

/* Concentration of references on the rows of the query's statement; its second column is the number
 * of references to a row. */
const struct analysis analysis_concentration = {
    .name = "concentration",
    .tables = TABLES,
    .takes_rows = true,
    .pass = PASS_NONE,
    .state_size = sizeof(struct concentration_state),
    .functions = rows_pass_register,
    .write = write_of_rows,
    .free = concentration_free_state,
};

/* Members of the analyses of sectors and pages. Ranking the keys may take several passes. */
#define RANKED                                                                                     \
    .pass = PASS_IN_ORDER, .apart = true, .state_size = sizeof(struct concentration_state),        \
    .begin = concentration_begin, .free = concentration_free_state
#define RANKED_SECTORS RANKED, .fields = EVENT_ADDRESS | EVENT_SIZE, .visit = visit_sectors

/* Concentration of I/Os on start sectors, the sectors of temp.popular_sector. */
const struct analysis analysis_concentration_sector = {
    .name = "concentration_sector", .tables = TABLES, RANKED_SECTORS, .write = write_sectors};

/* Concentration on the pages that reads and writes cover. The same page number on two devices is
 * two items; in two traces of one device, one item. */
const struct analysis analysis_concentration_page = {
    .name = "concentration_page",
    .tables = TABLES,
    RANKED,
    .fields = TRANSFER_FIELDS,
    .parameters = {PAGE_SPAN_PARAMETERS},
    .begin_trace = concentration_begin_trace,
    .visit = transfers_visit,
    .transfer = add_pages,
    .write = write_pages,
};

/* Table temp.popular_sector: a row per sector, over all traces, sorted by the number of I/Os that
 * start there, then by sector. `:rows` limits the rows. `cumulative`: I/Os of this and all previous
 * rows; `total`: all I/Os. I/Os without a sector or data do not count. */
const struct analysis analysis_popular_sector = {
    .name = "popular_sector",
    .tables = {{"popular_sector", "rank, sector, count, cumulative, total", NULL}},
    RANKED_SECTORS,
    .write = write_popular,
};
