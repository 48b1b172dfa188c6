#include "model/latency_buckets.h"

#include <stdlib.h>

#include "base/search.h"
#include "model/event.h"
#include "base/memory.h"

enum {
    /* Buckets are made DURATION_HALF at a time: a doubling, or one of the first two blocks. */
    BLOCKS = DURATION_BUCKETS / DURATION_HALF,
    MOST_BLOCKS = 256, /* 16 MiB */
    MOST_GROUPS = 1024,
    REMEMBERED = 64, /* groups that are found at once: a power of two */
};

static const int percentiles[PERCENTILE_COUNT] = {PERCENTILES_OF_REPORTS};

struct bucket {
    int64_t count, sum, least, most;
};

/* A bucket that is to be cut: its values are kept in the second pass. */
struct cut {
    size_t bucket;
    size_t first, count, found; /* where its values are among all that are kept, how many there are
                                   to be, and how many there are */
    int64_t ranks[PERCENTILE_COUNT]; /* within it, from 1 on */
    size_t rank_count;
};

/* An action and class. */
struct group {
    int64_t action, class, timed, untimed;
    struct bucket *blocks[BLOCKS]; /* owned, DURATION_HALF buckets each; NULL: all empty */
    struct cut cuts[PERCENTILE_COUNT];
    size_t cut_count;
};

struct latency_buckets {
    struct group **groups; /* owned, and so is each */
    size_t group_count, block_count, row_count;
    struct group *remembered[REMEMBERED];
    int64_t *values; /* owned; of the second pass */
    bool given_up, second;
};

struct latency_buckets *latency_buckets_new(void) {
    return xcalloc(1, sizeof(struct latency_buckets));
}

static void forget(struct latency_buckets *buckets) {
    for (size_t i = 0; i < buckets->group_count; i++) {
        for (size_t block = 0; block < (size_t)BLOCKS; block++) {
            free(buckets->groups[i]->blocks[block]);
        }
        free(buckets->groups[i]);
    }
    free(buckets->groups);
    buckets->groups = NULL;
    buckets->group_count = 0;
}

void latency_buckets_free(struct latency_buckets *buckets) {
    if (buckets != NULL) {
        forget(buckets);
        free(buckets->values);
        free(buckets);
    }
}

/* --- groups ----------------------------------------------------------------------------------- */

static struct group *make_group(struct latency_buckets *buckets, int64_t action, int64_t class) {
    struct group *group;

    if (buckets->groups == NULL) {
        buckets->groups = xcalloc(MOST_GROUPS, sizeof(struct group *));
    }
    group = xcalloc(1, sizeof *group);
    group->action = action;
    group->class = class;
    buckets->groups[buckets->group_count] = group;
    buckets->group_count++;
    return group;
}

/* NULL when there would be too many: they are given up then. */
static struct group *find_group(struct latency_buckets *buckets, int64_t action, int64_t class) {
    struct group **place =
        &buckets->remembered[((size_t)action * IO_CLASSES + (size_t) class) % REMEMBERED];

    if (*place != NULL && (*place)->action == action && (*place)->class == class) {
        return *place;
    }
    for (size_t i = 0; i < buckets->group_count; i++) {
        struct group *group = buckets->groups[i];

        if (group->action == action && group->class == class) {
            return *place = group;
        }
    }
    buckets->given_up = buckets->group_count == MOST_GROUPS;
    return buckets->given_up ? NULL : (*place = make_group(buckets, action, class));
}

static inline struct group *group_of(struct latency_buckets *buckets,
                                     const struct event_columns *columns, size_t i) {
    return find_group(buckets, columns->operation[i], (int64_t)io_class_of(columns->flags[i]));
}

/* --- the first pass --------------------------------------------------------------------------- */

/* NULL when there would be too many: they are given up then. */
static struct bucket *find_bucket(struct latency_buckets *buckets, struct group *group,
                                  int64_t value) {
    size_t number = value_bucket(value, DURATION_BITS);
    struct bucket **block = &group->blocks[number / DURATION_HALF];

    if (*block == NULL) {
        buckets->given_up = buckets->block_count == MOST_BLOCKS;
        *block = buckets->given_up ? NULL : xcalloc(DURATION_HALF, sizeof **block);
        buckets->block_count++;
    }
    return *block == NULL ? NULL : &(*block)[number % DURATION_HALF];
}

/* False where the rollup is to be given up: too many rows, or a sum that has no place. */
static bool add_value(struct latency_buckets *buckets, struct group *group, struct bucket *bucket,
                      int64_t value) {
    if (bucket->count == 0) {
        bucket->least = bucket->most = value;
        buckets->row_count++;
    }
    bucket->count++;
    bucket->least = value < bucket->least ? value : bucket->least;
    bucket->most = value > bucket->most ? value : bucket->most;
    group->timed++;
    return buckets->row_count <= LATENCY_ROWS &&
           !__builtin_add_overflow(bucket->sum, value, &bucket->sum);
}

static void count_duration(struct latency_buckets *buckets, struct group *group, int64_t duration) {
    struct bucket *bucket;

    if (duration < 0) {
        buckets->row_count += group->untimed == 0;
        group->untimed++;
        return;
    }
    bucket = find_bucket(buckets, group, duration);
    if (bucket != NULL) {
        buckets->given_up = !add_value(buckets, group, bucket, duration);
    }
}

static void add_first(struct latency_buckets *buckets, const struct event_columns *columns,
                      size_t count) {
    for (size_t i = 0; i < count && !buckets->given_up; i++) {
        struct group *group = group_of(buckets, columns, i);

        if (group != NULL) {
            count_duration(buckets, group, columns->duration[i]);
        }
    }
}

/* --- the second pass -------------------------------------------------------------------------- */

static void keep_value(const struct latency_buckets *buckets, struct group *group,
                       int64_t duration) {
    size_t bucket = value_bucket(duration, DURATION_BITS);

    for (size_t i = 0; i < group->cut_count; i++) {
        struct cut *cut = &group->cuts[i];

        if (cut->bucket == bucket && cut->found < cut->count) {
            buckets->values[cut->first + cut->found++] = duration;
        }
    }
}

/* Most events of a log may have no duration: they cost next to nothing. */
static void add_second(struct latency_buckets *buckets, const struct event_columns *columns,
                       size_t count) {
    for (size_t i = 0; i < count && !buckets->given_up; i++) {
        struct group *group = columns->duration[i] < 0 ? NULL : group_of(buckets, columns, i);

        if (group != NULL) {
            keep_value(buckets, group, columns->duration[i]);
        }
    }
}

void latency_buckets_add(struct latency_buckets *buckets, const struct event_columns *columns,
                         size_t count) {
    if (buckets->second) {
        add_second(buckets, columns, count);
    } else {
        add_first(buckets, columns, count);
    }
}

static const struct bucket *bucket_of(const struct group *group, size_t number) {
    const struct bucket *block = group->blocks[number / DURATION_HALF];

    return block == NULL ? NULL : &block[number % DURATION_HALF];
}

/* The bucket of a rank, of which what is left then is the rank within it. */
static size_t find_rank(const struct group *group, int64_t *rank) {
    size_t number = 0;

    for (;; number++) {
        const struct bucket *bucket = bucket_of(group, number);

        if (bucket == NULL) {
            number += DURATION_HALF - 1;
        } else if (*rank <= bucket->count) {
            return number;
        } else {
            *rank -= bucket->count;
        }
    }
}

/* The cut of a bucket; behind the others, when there is none. */
static size_t find_cut(const struct group *group, size_t bucket) {
    size_t i = 0;

    while (i < group->cut_count && group->cuts[i].bucket != bucket) {
        i++;
    }
    return i;
}

/* Finds out where percentiles share their bucket with other values. */
static void plan_cuts(struct group *group) {
    int64_t ranks[PERCENTILE_COUNT];

    for (size_t i = 0; i < PERCENTILE_COUNT; i++) {
        ranks[i] = percentile_rank(group->timed, percentiles[i]);
    }
    qsort(ranks, PERCENTILE_COUNT, sizeof ranks[0], compare_int64);
    for (size_t i = 0; i < PERCENTILE_COUNT && group->timed > 0; i++) {
        size_t number = find_rank(group, &ranks[i]);
        const struct bucket *bucket = bucket_of(group, number);

        if (bucket->least < bucket->most) {
            struct cut *cut = &group->cuts[find_cut(group, number)];

            group->cut_count += cut == &group->cuts[group->cut_count];
            cut->bucket = number;
            cut->ranks[cut->rank_count++] = ranks[i];
        }
    }
}

/* Gives the cuts their places; how many values they keep. */
static size_t place_cuts(struct latency_buckets *buckets) {
    size_t values = 0;

    for (size_t i = 0; i < buckets->group_count; i++) {
        struct group *group = buckets->groups[i];

        plan_cuts(group);
        for (size_t j = 0; j < group->cut_count; j++) {
            struct cut *cut = &group->cuts[j];

            cut->first = values;
            cut->count = (size_t)bucket_of(group, cut->bucket)->count;
            values += cut->count;
        }
    }
    return values;
}

bool latency_buckets_again(struct latency_buckets *buckets) {
    size_t values;

    if (buckets->second || buckets->given_up) {
        return false;
    }
    buckets->second = true;
    values = place_cuts(buckets);
    if (values > LATENCY_VALUES) {
        for (size_t i = 0; i < buckets->group_count; i++) {
            buckets->groups[i]->cut_count = 0;
        }
        return false;
    }
    buckets->values = values > 0 ? xmalloc(values * sizeof *buckets->values) : NULL;
    return values > 0;
}

/* --- rows ------------------------------------------------------------------------------------- */

bool latency_buckets_fit(const struct latency_buckets *buckets) {
    return !buckets->given_up;
}

/* Who gets the rows. */
struct taker {
    void (*visit)(void *context, const struct latency_row *row);
    void *context;
};

/* The row of values that ascend, if there are some. */
static void give_values(const struct group *group, const int64_t *values, size_t count,
                        const struct taker *taker) {
    struct latency_row row = {group->action, group->class, 0, 0, (int64_t)count, 0};

    for (size_t i = 0; i < count; i++) {
        row.sum += values[i];
    }
    if (count > 0) {
        row.least = values[0];
        row.most = values[count - 1];
        taker->visit(taker->context, &row);
    }
}

/* What is smaller than each percentile in the bucket, what is equal, and the rest. */
static void give_cut(const struct latency_buckets *buckets, const struct group *group,
                     const struct cut *cut, const struct taker *taker) {
    int64_t *values = buckets->values + cut->first;
    size_t from = 0;

    qsort(values, cut->found, sizeof *values, compare_int64);
    for (size_t i = 0; i < cut->rank_count; i++) {
        size_t begin = (size_t)cut->ranks[i] - 1, end = begin + 1;

        while (begin > from && values[begin - 1] == values[begin]) {
            begin--;
        }
        while (end < cut->found && values[end] == values[begin]) {
            end++;
        }
        if (end <= from) {
            continue; /* equal to the percentile before */
        }
        give_values(group, values + from, begin - from, taker);
        give_values(group, values + begin, end - begin, taker);
        from = end;
    }
    give_values(group, values + from, cut->found - from, taker);
}

static void give_bucket(const struct latency_buckets *buckets, const struct group *group,
                        size_t number, const struct taker *taker) {
    const struct bucket *bucket = bucket_of(group, number);
    size_t cut = find_cut(group, number);
    const struct latency_row row = {group->action, group->class,  bucket->least,
                                    bucket->most,  bucket->count, bucket->sum};

    if (cut < group->cut_count) {
        give_cut(buckets, group, &group->cuts[cut], taker);
    } else if (row.count > 0) {
        taker->visit(taker->context, &row);
    }
}

void latency_buckets_rows(struct latency_buckets *buckets,
                          void (*visit)(void *context, const struct latency_row *row),
                          void *context) {
    const struct taker taker = {visit, context};

    for (size_t i = 0; i < buckets->group_count; i++) {
        const struct group *group = buckets->groups[i];
        const struct latency_row untimed = {group->action,   group->class,   LATENCY_UNTIMED,
                                            LATENCY_UNTIMED, group->untimed, 0};

        if (group->untimed > 0) {
            visit(context, &untimed);
        }
        for (size_t block = 0; block < (size_t)BLOCKS; block++) {
            for (size_t at = 0; at < DURATION_HALF && group->blocks[block] != NULL; at++) {
                give_bucket(buckets, group, block * DURATION_HALF + at, &taker);
            }
        }
    }
}
