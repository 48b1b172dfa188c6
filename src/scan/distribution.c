#include "scan/distribution.h"

#include <stdlib.h>
#include <string.h>

enum {
    GROUPS = 64,
    PERCENTILES = 3,
    /* In the first pass values share a bucket that agree in so many of their highest bits. */
    BUCKET_BITS = 12,
    HALF = 1 << (BUCKET_BITS - 1),
    BUCKETS = (63 - BUCKET_BITS + 2) * HALF,
    DIGIT_BITS = 16,
    DIGITS = 1 << DIGIT_BITS,
};

static const int percents[PERCENTILES] = {50, 90, 99};

struct percentile {
    int64_t rank;    /* wanted among those with the known bits, from 1 */
    int64_t value;   /* known bits */
    int unknown;     /* bits, the lowest */
    int64_t *counts; /* owned, DIGITS of them; NULL when nothing is unknown */
};

struct group {
    char *name;       /* owned */
    int64_t *buckets; /* owned, BUCKETS of them; of the first pass */
    int64_t count, least, largest;
    __extension__ __int128 sum;
    struct percentile percentiles[PERCENTILES];
};

struct distribution {
    struct group groups[GROUPS];
    size_t group_count;
    struct group *last;
    bool totals_known; /* the first pass is over */
};

static struct group *find_group(struct distribution *distribution, const char *name,
                                struct error *error) {
    struct group *group;

    if (distribution->last != NULL && strcmp(distribution->last->name, name) == 0) {
        return distribution->last;
    }
    for (size_t i = 0; i < distribution->group_count; i++) {
        if (strcmp(distribution->groups[i].name, name) == 0) {
            return distribution->last = &distribution->groups[i];
        }
    }
    if (distribution->group_count == GROUPS) {
        error_set(error, "more than %d groups", GROUPS);
        return NULL;
    }
    group = &distribution->groups[distribution->group_count];
    *group = (struct group){
        .name = strdup(name),
        .buckets = calloc(BUCKETS, sizeof *group->buckets),
        .least = INT64_MAX,
    };
    if (group->name == NULL || group->buckets == NULL) {
        free(group->name);
        free(group->buckets);
        error_no_memory(error);
        return NULL;
    }
    distribution->group_count++;
    return distribution->last = group;
}

/* Below 2 * HALF every value has its own bucket; then each power of two has HALF of them. */
static size_t bucket_of(int64_t value) {
    int dropped = value < 2 * HALF ? 0 : 64 - __builtin_clzll((uint64_t)value) - BUCKET_BITS;

    return (size_t)dropped * HALF + (size_t)(value >> dropped);
}

static void add_to_totals(struct group *group, int64_t value) {
    group->count++;
    group->sum += value;
    group->least = value < group->least ? value : group->least;
    group->largest = value > group->largest ? value : group->largest;
    group->buckets[bucket_of(value)]++;
}

/* The lowest bit of the digit that is settled next. */
static int digit_shift(const struct percentile *percentile) {
    return percentile->unknown > DIGIT_BITS ? percentile->unknown - DIGIT_BITS : 0;
}

static void add_to_digits(struct group *group, int64_t value) {
    for (int i = 0; i < PERCENTILES; i++) {
        struct percentile *percentile = &group->percentiles[i];

        if (percentile->unknown > 0 && (value ^ percentile->value) >> percentile->unknown == 0) {
            percentile->counts[value >> digit_shift(percentile) & (DIGITS - 1)]++;
        }
    }
}

struct distribution *distribution_new(void) {
    return calloc(1, sizeof(struct distribution));
}

void distribution_free(struct distribution *distribution) {
    if (distribution == NULL) {
        return;
    }
    for (size_t i = 0; i < distribution->group_count; i++) {
        free(distribution->groups[i].name);
        free(distribution->groups[i].buckets);
        for (int j = 0; j < PERCENTILES; j++) {
            free(distribution->groups[i].percentiles[j].counts);
        }
    }
    free(distribution);
}

bool distribution_add(struct distribution *distribution, const char *name, int64_t value,
                      struct error *error) {
    struct group *group;

    if (value < 0) {
        return true;
    }
    group = find_group(distribution, name, error);
    if (group == NULL) {
        return false;
    }
    if (distribution->totals_known) {
        add_to_digits(group, value);
    } else {
        add_to_totals(group, value);
    }
    return true;
}

/* Rank of a percentile: the smallest value that so many per cent do not exceed. */
static int64_t rank_of(int64_t count, int percent) {
    return count / 100 * percent + (count % 100 * percent + 99) / 100;
}

/* Which of the places the wanted one of `rank` is in; `rank` becomes that within the place. */
static int64_t find_place(const int64_t *counts, int64_t places, int64_t *rank) {
    int64_t place = 0;

    while (place < places - 1 && *rank > counts[place]) {
        *rank -= counts[place++];
    }
    return place;
}

/* The highest bits of a percentile, by the buckets. */
static bool begin_percentile(const struct group *group, int percent, struct percentile *percentile,
                             struct error *error) {
    int64_t bucket;

    percentile->rank = rank_of(group->count, percent);
    bucket = find_place(group->buckets, BUCKETS, &percentile->rank);
    percentile->unknown = bucket < 2 * HALF ? 0 : (int)(bucket / HALF) - 1;
    percentile->value = (bucket - (int64_t)percentile->unknown * HALF) << percentile->unknown;
    if (percentile->unknown > 0) {
        percentile->counts = calloc(DIGITS, sizeof *percentile->counts);
    }
    return percentile->unknown == 0 || percentile->counts != NULL || error_no_memory(error);
}

/* The next digit of the wanted rank is known now. */
static void settle_digit(struct percentile *percentile) {
    int shift = digit_shift(percentile);

    percentile->value |= find_place(percentile->counts, DIGITS, &percentile->rank) << shift;
    percentile->unknown = shift;
    memset(percentile->counts, 0, DIGITS * sizeof *percentile->counts);
}

bool distribution_end_pass(struct distribution *distribution, bool *more, struct error *error) {
    *more = false;
    for (size_t i = 0; i < distribution->group_count; i++) {
        for (int j = 0; j < PERCENTILES; j++) {
            struct percentile *percentile = &distribution->groups[i].percentiles[j];

            if (!distribution->totals_known) {
                if (!begin_percentile(&distribution->groups[i], percents[j], percentile, error)) {
                    return false;
                }
            } else if (percentile->unknown > 0) {
                settle_digit(percentile);
            }
            *more |= percentile->unknown > 0;
        }
    }
    distribution->totals_known = true;
    return true;
}

bool distribution_write(const struct distribution *distribution, struct scratch *scratch,
                        struct error *error) {
    sqlite3_stmt *insert = scratch_prepare(
        scratch, "INSERT INTO temp.distribution VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)", error);
    bool done = insert != NULL;

    for (size_t i = 0; done && i < distribution->group_count; i++) {
        const struct group *group = &distribution->groups[i];

        sqlite3_bind_text(insert, 1, group->name, -1, SQLITE_STATIC);
        sqlite3_bind_int64(insert, 2, group->count);
        sqlite3_bind_int64(insert, 3, group->least);
        sqlite3_bind_int64(insert, 4, (int64_t)((group->sum + group->count / 2) / group->count));
        for (int j = 0; j < PERCENTILES; j++) {
            sqlite3_bind_int64(insert, 5 + j, group->percentiles[j].value);
        }
        sqlite3_bind_int64(insert, 5 + PERCENTILES, group->largest);
        done = database_execute(scratch->database, insert, error);
    }
    sqlite3_finalize(insert);
    return done;
}
