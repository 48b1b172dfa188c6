#include "scan/distribution.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

enum {
    PERCENTILES = 5,
    /* Of the first groups, the first pass takes the first step: values share a bucket that agree in
     * so many of their highest bits. */
    FINE_GROUPS = 64,
    BUCKET_BITS = 12,
    HALF = 1 << (BUCKET_BITS - 1),
    BUCKETS = (63 - BUCKET_BITS + 2) * HALF,
    /* Bits that a further pass settles at most, and how many counts all searches have for that: 64
     * MiB. */
    DIGIT_BITS = 16,
    COUNTS = 1 << 23,
};

/* In thousandths, in the order of DISTRIBUTION_COLUMNS. */
static const int percentiles[PERCENTILES] = {500, 900, 990, 950, 999};

/* A percentile that is looked for. */
struct search {
    int64_t rank;  /* wanted among the values with the known bits, from 1 */
    int64_t value; /* known bits */
    int unknown;   /* bits, the lowest; 0: the percentile is found */
    bool shared;   /* an earlier one of the group knows the same bits: the counts are its */
    size_t counts; /* where they begin */
};

struct group {
    char *name; /* owned */
    size_t length, number;
    int64_t *buckets; /* owned, BUCKETS of them; of the first pass; NULL: there are none */
    int64_t count, least, largest;
    __extension__ __int128 sum;
    struct search searches[PERCENTILES];
    UT_hash_handle hh;
};

struct distribution {
    struct group **groups; /* owned, and so is each */
    size_t group_count, capacity;
    struct group *by_name;
    const struct group *last; /* that was looked up */
    bool totals_known;        /* the first pass is over */
    int digit_bits;           /* that this pass settles */
    int64_t *counts;          /* owned; of its searches */
};

struct distribution *distribution_new(void) {
    return calloc(1, sizeof(struct distribution));
}

static void free_group(struct group *group) {
    free(group->name);
    free(group->buckets);
    free(group);
}

void distribution_free(struct distribution *distribution) {
    if (distribution == NULL) {
        return;
    }
    HASH_CLEAR(hh, distribution->by_name);
    for (size_t i = 0; i < distribution->group_count; i++) {
        free_group(distribution->groups[i]);
    }
    free(distribution->groups);
    free(distribution->counts);
    free(distribution);
}

/* --- groups ----------------------------------------------------------------------------------- */

static bool has_room(struct distribution *distribution, struct error *error) {
    size_t capacity = 2 * distribution->capacity + 16;
    struct group **groups;

    if (distribution->group_count == DISTRIBUTION_GROUPS) {
        return error_set(error,
                         "more than %d groups, of which no percentiles are made: choose fewer with "
                         "filters",
                         DISTRIBUTION_GROUPS);
    }
    if (distribution->group_count < distribution->capacity) {
        return true;
    }
    groups = realloc(distribution->groups, capacity * sizeof *groups);
    if (groups == NULL) {
        return error_no_memory(error);
    }
    distribution->groups = groups;
    distribution->capacity = capacity;
    return true;
}

static struct group *new_group(struct distribution *distribution, const char *name, size_t length,
                               struct error *error) {
    bool fine = distribution->group_count < FINE_GROUPS;
    struct group *group;

    if (!has_room(distribution, error)) {
        return NULL;
    }
    group = calloc(1, sizeof *group);
    if (group != NULL) {
        group->name = malloc(length + 1);
        group->buckets = fine ? calloc(BUCKETS, sizeof *group->buckets) : NULL;
    }
    if (group == NULL || group->name == NULL || (fine && group->buckets == NULL)) {
        if (group != NULL) {
            free_group(group);
        }
        error_no_memory(error);
        return NULL;
    }
    memcpy(group->name, name, length);
    group->name[length] = '\0';
    group->length = length;
    group->number = distribution->group_count;
    group->least = INT64_MAX;
    HASH_ADD_KEYPTR(hh, distribution->by_name, group->name, group->length, group);
    if (!hash_added(group)) {
        free_group(group);
        error_no_memory(error);
        return NULL;
    }
    return distribution->groups[distribution->group_count++] = group;
}

bool distribution_group(struct distribution *distribution, const char *name, size_t length,
                        size_t *number, struct error *error) {
    const struct group *last = distribution->last;
    struct group *group = NULL;

    if (last == NULL || last->length != length || memcmp(last->name, name, length) != 0) {
        HASH_FIND(hh, distribution->by_name, name, length, group);
        last = group != NULL ? group : new_group(distribution, name, length, error);
    }
    distribution->last = last;
    if (last != NULL) {
        *number = last->number;
    }
    return last != NULL;
}

/* --- values ----------------------------------------------------------------------------------- */

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
    if (group->buckets != NULL) {
        group->buckets[bucket_of(value)]++;
    }
}

/* The lowest bit of the digit that is settled in this pass. */
static int digit_shift(const struct distribution *distribution, const struct search *search) {
    return search->unknown > distribution->digit_bits ? search->unknown - distribution->digit_bits
                                                      : 0;
}

static int64_t digits(const struct distribution *distribution, const struct search *search) {
    return INT64_C(1) << (search->unknown - digit_shift(distribution, search));
}

static void add_to_digits(const struct distribution *distribution, const struct group *group,
                          int64_t value) {
    for (int i = 0; i < PERCENTILES; i++) {
        const struct search *search = &group->searches[i];

        if (search->unknown > 0 && !search->shared &&
            (value ^ search->value) >> search->unknown == 0) {
            int64_t digit =
                value >> digit_shift(distribution, search) & (digits(distribution, search) - 1);

            distribution->counts[search->counts + (size_t)digit]++;
        }
    }
}

void distribution_count(struct distribution *distribution, size_t number, int64_t value) {
    struct group *group = distribution->groups[number];

    if (value < 0) {
        return;
    }
    if (distribution->totals_known) {
        add_to_digits(distribution, group, value);
    } else {
        add_to_totals(group, value);
    }
}

/* --- percentiles ------------------------------------------------------------------------------ */

/* The smallest value that so many thousandths do not exceed has this rank. */
static int64_t rank_of(int64_t count, int thousandths) {
    return count / 1000 * thousandths + (count % 1000 * thousandths + 999) / 1000;
}

/* Which of the places the wanted one of `rank` is in; `rank` becomes that within the place. */
static int64_t find_place(const int64_t *counts, int64_t places, int64_t *rank) {
    int64_t place = 0;

    while (place < places - 1 && *rank > counts[place]) {
        *rank -= counts[place++];
    }
    return place;
}

/* The highest bits of a percentile: by the buckets, else those that all values share. */
static void begin_search(const struct group *group, int thousandths, struct search *search) {
    int64_t differ = group->least ^ group->largest, bucket;

    search->rank = rank_of(group->count, thousandths);
    if (search->rank == 1 || search->rank == group->count) {
        search->value = search->rank == 1 ? group->least : group->largest;
    } else if (group->buckets != NULL) {
        bucket = find_place(group->buckets, BUCKETS, &search->rank);
        search->unknown = bucket < 2 * HALF ? 0 : (int)(bucket / HALF) - 1;
        search->value = (bucket - (int64_t)search->unknown * HALF) << search->unknown;
    } else {
        search->unknown = differ == 0 ? 0 : 64 - __builtin_clzll((uint64_t)differ);
        search->value = group->largest >> search->unknown << search->unknown;
    }
}

/* The next digit of the wanted rank is known now. */
static void settle_digit(const struct distribution *distribution, struct search *search) {
    int shift = digit_shift(distribution, search);

    search->value |= find_place(distribution->counts + search->counts, digits(distribution, search),
                                &search->rank)
                     << shift;
    search->unknown = shift;
}

static void take_step(const struct distribution *distribution) {
    for (size_t i = 0; i < distribution->group_count; i++) {
        struct group *group = distribution->groups[i];

        for (int j = 0; j < PERCENTILES && group->count > 0; j++) {
            if (!distribution->totals_known) {
                begin_search(group, percentiles[j], &group->searches[j]);
            } else if (group->searches[j].unknown > 0) {
                settle_digit(distribution, &group->searches[j]);
            }
        }
        free(group->buckets);
        group->buckets = NULL;
    }
}

/* Finds out which searches of a group go the same way; how many ways there are. */
static size_t share_counts(struct group *group) {
    size_t ways = 0;

    for (int i = 0; i < PERCENTILES; i++) {
        struct search *search = &group->searches[i];

        search->shared = false;
        for (int j = 0; j < i && search->unknown > 0 && !search->shared; j++) {
            const struct search *other = &group->searches[j];

            search->shared = other->unknown == search->unknown && other->value == search->value;
        }
        ways += search->unknown > 0 && !search->shared;
    }
    return ways;
}

/* Gives the searches of a group their places behind `*end`. */
static void place_counts(const struct distribution *distribution, struct group *group,
                         size_t *end) {
    for (int i = 0; i < PERCENTILES; i++) {
        struct search *search = &group->searches[i];

        if (search->unknown > 0 && !search->shared) {
            search->counts = *end;
            *end += (size_t)digits(distribution, search);
        }
        for (int j = 0; j < i && search->shared; j++) {
            const struct search *other = &group->searches[j];

            if (other->unknown == search->unknown && other->value == search->value) {
                search->counts = other->counts;
            }
        }
    }
}

bool distribution_end_pass(struct distribution *distribution, bool *more, struct error *error) {
    size_t ways = 0, end = 0;

    take_step(distribution);
    distribution->totals_known = true;
    for (size_t i = 0; i < distribution->group_count; i++) {
        ways += share_counts(distribution->groups[i]);
    }
    *more = ways > 0;
    distribution->digit_bits = DIGIT_BITS;
    while (ways << distribution->digit_bits > COUNTS) {
        distribution->digit_bits--;
    }
    for (size_t i = 0; i < distribution->group_count; i++) {
        place_counts(distribution, distribution->groups[i], &end);
    }
    free(distribution->counts);
    distribution->counts = calloc(end + 1, sizeof *distribution->counts);
    return distribution->counts != NULL || error_no_memory(error);
}

bool distribution_write(const struct distribution *distribution, struct scratch *scratch,
                        struct error *error) {
    enum { FIRST_PERCENTILE = 5 };
    /* p50, p90 and p99 stand before the largest value, the others behind it. */
    static const int places[PERCENTILES] = {0, 1, 2, 4, 5};
    sqlite3_stmt *insert = scratch_prepare(
        scratch, "INSERT INTO temp.distribution VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        error);
    bool done = insert != NULL;

    for (size_t i = 0; done && i < distribution->group_count; i++) {
        const struct group *group = distribution->groups[i];

        if (group->count == 0) {
            continue;
        }
        sqlite3_bind_text64(insert, 1, group->name, group->length, SQLITE_STATIC, SQLITE_UTF8);
        sqlite3_bind_int64(insert, 2, group->count);
        sqlite3_bind_int64(insert, 3, group->least);
        sqlite3_bind_int64(insert, 4, (int64_t)((group->sum + group->count / 2) / group->count));
        for (int j = 0; j < PERCENTILES; j++) {
            sqlite3_bind_int64(insert, FIRST_PERCENTILE + places[j], group->searches[j].value);
        }
        sqlite3_bind_int64(insert, FIRST_PERCENTILE + 3, group->largest);
        done = database_execute(scratch->database, insert, error);
    }
    sqlite3_finalize(insert);
    return done;
}
