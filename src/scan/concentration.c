#include "scan/concentration.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/saturate.h"
#include "base/memory.h"

/* Items of one count. */
struct equals {
    int64_t count, items;
    UT_hash_handle hh;
};

struct concentration {
    struct equals *by_count; /* owned hash table */
    struct equals *last;     /* that was added to */
};

struct concentration *concentration_new(void) {
    return xcalloc(1, sizeof(struct concentration));
}

void concentration_free(struct concentration *concentration) {
    struct equals *equals, *next;

    if (concentration != NULL) {
        HASH_ITER(hh, concentration->by_count, equals, next) {
            HASH_DEL(concentration->by_count, equals);
            free(equals);
        }
    }
    free(concentration);
}

static struct equals *new_count(struct concentration *concentration, int64_t count,
                                struct error *error) {
    struct equals *equals;

    if (HASH_COUNT(concentration->by_count) == CONCENTRATION_COUNTS) {
        error_set(error, "more than %d different counts: choose fewer items with filters",
                  CONCENTRATION_COUNTS);
        return NULL;
    }
    equals = xcalloc(1, sizeof *equals);
    if (equals != NULL) {
        equals->count = count;
        HASH_ADD(hh, concentration->by_count, count, sizeof equals->count, equals);
    }
    return equals;
}

bool concentration_add(struct concentration *concentration, int64_t count, struct error *error) {
    struct equals *equals = concentration->last;

    if (equals == NULL || equals->count != count) {
        HASH_FIND(hh, concentration->by_count, &count, sizeof count, equals);
    }
    if (equals == NULL) {
        equals = new_count(concentration, count, error);
    }
    if (equals == NULL) {
        return false;
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

static bool rank(const struct concentration *concentration, struct ranks *ranks,
                 struct error *error) {
    const struct equals *equals = concentration->by_count;

    *ranks = (struct ranks){
        .equals = xmalloc((HASH_COUNT(concentration->by_count) + 1) * sizeof *ranks->equals)};
    for (; equals != NULL; equals = equals->hh.next) {
        ranks->equals[ranks->count++] = *equals;
        ranks->items += equals->items;
        ranks->references += (double)equals->count * (double)equals->items;
    }
    qsort(ranks->equals, ranks->count, sizeof *ranks->equals, by_count);
    return true;
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

bool concentration_find(const struct concentration *concentration,
                        struct concentration_figures *figures, struct error *error) {
    static const int per_cent[] = {1, 10, 20};
    struct ranks ranks;

    *figures = (struct concentration_figures){.exponent = NAN, .error = NAN, .distance = NAN};
    if (!rank(concentration, &ranks, error)) {
        return false;
    }
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
    return true;
}
