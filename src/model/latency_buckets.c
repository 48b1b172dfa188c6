#include "model/latency_buckets.h"

#include <stdlib.h>

#include "base/search.h"
#include "model/event.h"
#include "base/memory.h"

enum {
    CALL_BITS = 8, /* highest bits of a call's duration that give its bucket */
    /* Limit of a group's blocks of buckets: one for values below 2^(CALL_BITS - 1), and one for
       each power of two above. */
    BLOCKS = 63 - CALL_BITS + 2,
    MOST_BYTES = 16 << 20, /* limit of the size of all blocks in bytes */
    MOST_GROUPS = 1024,
    REMEMBERED = 1024, /* size of the cache of groups: a power of two */
};

static const int percentiles[PERCENTILE_COUNT] = {PERCENTILES_OF_REPORTS};

struct bucket {
    int64_t count, sum, least, most;
};

/* A bucket that contains a percentile. If its values differ, the second pass stores them, to split
 * the bucket into several rows. */
struct cut {
    size_t bucket;
    size_t first, count, found; /* values in `values`: index of the first; number expected (0: not
                                   stored); number so far */
    int64_t ranks[PERCENTILE_COUNT]; /* ranks within the bucket, from 1, of the percentiles in it */
    size_t rank_count;
};

/* Durations of the I/Os with one action and class, or of one operation's calls. */
struct group {
    int64_t action, class, timed, untimed, sum;
    struct bucket *blocks[BLOCKS]; /* owned; `half` buckets each; NULL: all of them are empty */
    struct cut cuts[PERCENTILE_COUNT];
    size_t cut_count;
};

struct latency_buckets {
    bool calls;
    int bits;              /* number of leading bits that are equal in all values of a bucket */
    size_t half;           /* number of buckets per block */
    struct group **groups; /* owned, with the groups */
    size_t group_count, block_count, row_count;
    struct group *remembered[REMEMBERED];
    int64_t *values; /* owned; values stored by the second pass */
    bool given_up, second;
};

struct latency_buckets *latency_buckets_new(bool calls) {
    struct latency_buckets *buckets = xcalloc(1, sizeof *buckets);

    buckets->calls = calls;
    buckets->bits = calls ? CALL_BITS : DURATION_BITS;
    buckets->half = (size_t)1 << (buckets->bits - 1);
    return buckets;
}

void latency_buckets_free(struct latency_buckets *buckets) {
    if (buckets != NULL) {
        for (size_t i = 0; i < buckets->group_count; i++) {
            for (size_t block = 0; block < (size_t)BLOCKS; block++) {
                free(buckets->groups[i]->blocks[block]);
            }
            free(buckets->groups[i]);
        }
        free(buckets->groups);
        buckets->groups = NULL;
        buckets->group_count = 0;
        free(buckets->values);
        free(buckets);
    }
}

/* --- finding the group of a duration ---------------------------------------------------------- */

static struct group *latency_buckets_make_group(struct latency_buckets *buckets, int64_t action,
                                                int64_t class) {
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

/* Returns the group for an action and class, adding it if new. At MOST_GROUPS groups, sets
 * `given_up` and returns NULL. */
static struct group *latency_buckets_find_group(struct latency_buckets *buckets, int64_t action,
                                                int64_t class) {
    struct group **place =
        &buckets->remembered[((size_t)action + (size_t) class * (REMEMBERED / IO_CLASSES)) %
                             REMEMBERED];

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
    return buckets->given_up ? NULL : (*place = latency_buckets_make_group(buckets, action, class));
}

static inline struct group *latency_buckets_group_of(struct latency_buckets *buckets,
                                                     const struct event_columns *columns,
                                                     size_t i) {
    return latency_buckets_find_group(buckets, columns->operation[i],
                                      buckets->calls ? 0 : (int64_t)io_class_of(columns->flags[i]));
}

/* --- first pass: counting values in buckets --------------------------------------------------- */

/* Returns the bucket of a value, allocating its block if needed. If the blocks take too much
 * memory, sets `given_up` and returns NULL. */
static struct bucket *find_bucket(struct latency_buckets *buckets, struct group *group,
                                  int64_t value) {
    size_t number = value_bucket(value, buckets->bits);
    struct bucket **block = &group->blocks[number >> (buckets->bits - 1)];

    if (*block == NULL) {
        buckets->block_count++;
        buckets->given_up = buckets->block_count * buckets->half * sizeof **block > MOST_BYTES;
        *block = buckets->given_up ? NULL : xcalloc(buckets->half, sizeof **block);
    }
    return *block == NULL ? NULL : &(*block)[number & (buckets->half - 1)];
}

/* Adds a value to a bucket and its group. For I/O, returns false if there are too many rows. */
static bool add_value(struct latency_buckets *buckets, struct group *group, struct bucket *bucket,
                      int64_t value) {
    if (bucket->count == 0) {
        bucket->least = bucket->most = value;
        buckets->row_count++;
    }
    bucket->count++;
    bucket->least = value < bucket->least ? value : bucket->least;
    bucket->most = value > bucket->most ? value : bucket->most;
    bucket->sum += value;
    group->timed++;
    return buckets->calls || buckets->row_count <= LATENCY_ROWS;
}

static void latency_buckets_count_duration(struct latency_buckets *buckets, struct group *group,
                                           int64_t duration) {
    struct bucket *bucket;

    if (duration < 0) {
        buckets->row_count += group->untimed == 0;
        group->untimed++;
        return;
    }
    if (__builtin_add_overflow(group->sum, duration, &group->sum)) {
        buckets->given_up = true;
        return;
    }
    bucket = find_bucket(buckets, group, duration);
    if (bucket != NULL) {
        buckets->given_up = !add_value(buckets, group, bucket, duration);
    }
}

/* --- second pass: keeping the values of buckets with percentiles ------------------------------ */

static void latency_buckets_store_value(const struct latency_buckets *buckets, struct group *group,
                                        int64_t duration) {
    size_t bucket = value_bucket(duration, buckets->bits);

    for (size_t i = 0; i < group->cut_count; i++) {
        struct cut *cut = &group->cuts[i];

        if (cut->bucket == bucket && cut->found < cut->count) {
            buckets->values[cut->first + cut->found++] = duration;
        }
    }
}

/* Skips events without a duration first, since they may be most of a log. */
static void add_second(struct latency_buckets *buckets, const struct event_columns *columns,
                       size_t count) {
    for (size_t i = 0; i < count && !buckets->given_up; i++) {
        struct group *group =
            columns->duration[i] < 0 ? NULL : latency_buckets_group_of(buckets, columns, i);

        if (group != NULL) {
            latency_buckets_store_value(buckets, group, columns->duration[i]);
        }
    }
}

void latency_buckets_add(struct latency_buckets *buckets, const struct event_columns *columns,
                         size_t count) {
    if (buckets->second) {
        add_second(buckets, columns, count);
    } else {
        for (size_t i = 0; i < count && !buckets->given_up; i++) {
            struct group *group = latency_buckets_group_of(buckets, columns, i);

            if (group != NULL) {
                latency_buckets_count_duration(buckets, group, columns->duration[i]);
            }
        }
    }
}

static const struct bucket *bucket_of(const struct latency_buckets *buckets,
                                      const struct group *group, size_t number) {
    const struct bucket *block = group->blocks[number / buckets->half];

    return block == NULL ? NULL : &block[number % buckets->half];
}

/* Returns the bucket that contains the value of a rank. `*rank` becomes the rank within it. */
static size_t find_rank(const struct latency_buckets *buckets, const struct group *group,
                        int64_t *rank) {
    size_t number = 0;

    for (;; number++) {
        const struct bucket *bucket = bucket_of(buckets, group, number);

        if (bucket == NULL) {
            number += buckets->half - 1;
        } else if (*rank <= bucket->count) {
            return number;
        } else {
            *rank -= bucket->count;
        }
    }
}

/* Returns the index in group->cuts of a bucket; cut_count if it has no percentile. */
static size_t find_cut(const struct group *group, size_t bucket) {
    size_t i = 0;

    while (i < group->cut_count && group->cuts[i].bucket != bucket) {
        i++;
    }
    return i;
}

/* Finds the buckets with percentiles, and plans which of them store their values in the second
 * pass. `values`: number planned so far; returns the new number. */
static size_t plan_percentile_buckets(const struct latency_buckets *buckets, struct group *group,
                                      size_t values) {
    int64_t ranks[PERCENTILE_COUNT];

    for (size_t i = 0; i < PERCENTILE_COUNT; i++) {
        ranks[i] = percentile_rank(group->timed, percentiles[i]);
    }
    qsort(ranks, PERCENTILE_COUNT, sizeof ranks[0], compare_int64);
    for (size_t i = 0; i < PERCENTILE_COUNT && group->timed > 0; i++) {
        size_t number = find_rank(buckets, group, &ranks[i]);
        const struct bucket *bucket = bucket_of(buckets, group, number);
        struct cut *cut = &group->cuts[find_cut(group, number)];

        if (cut == &group->cuts[group->cut_count]) {
            group->cut_count++;
            cut->bucket = number;
            cut->first = values;
            if (bucket->least < bucket->most && values + (size_t)bucket->count <= LATENCY_VALUES) {
                cut->count = (size_t)bucket->count;
                values += cut->count;
            }
        }
        cut->ranks[cut->rank_count++] = ranks[i];
    }
    return values;
}

bool latency_buckets_end_pass(struct latency_buckets *buckets) {
    size_t values = 0;

    if (buckets->second || buckets->given_up) {
        return false;
    }
    buckets->second = true;
    for (size_t i = 0; i < buckets->group_count; i++) {
        values = plan_percentile_buckets(buckets, buckets->groups[i], values);
    }
    buckets->values = values > 0 ? xmalloc(values * sizeof *buckets->values) : NULL;
    return values > 0;
}

/* --- making the rows of rollup_latency -------------------------------------------------------- */

bool latency_buckets_are_in_limits(const struct latency_buckets *buckets) {
    return !buckets->given_up;
}

/* Receives the rows of a group in order, may merge some, and passes them on to visit(). */
struct taker {
    void (*visit)(void *context, const struct latency_row *row);
    void *context;
    bool joins; /* true: merges adjacent rows whose durations have the same number of bits, except
                   rows with a percentile */
    struct latency_row joined; /* merged row that is not passed on yet; `count` 0: none */
};

static void emit_joined_row(struct taker *taker) {
    if (taker->joined.count > 0) {
        taker->visit(taker->context, &taker->joined);
    }
    taker->joined.count = 0;
}

/* Returns whether two values, both above 0, need the same number of bits. */
static bool have_same_bit_length(int64_t one, int64_t other) {
    return (one ^ other) <= (one & other);
}

/* Passes a row to the taker; rows come in ascending order. `alone`: not merged with others. */
static void emit_row(struct taker *taker, const struct latency_row *row, bool alone) {
    struct latency_row *joined = &taker->joined;

    if (joined->count > 0 && !alone && have_same_bit_length(joined->least, row->least)) {
        joined->most = row->most;
        joined->count += row->count;
        joined->sum += row->sum;
        return;
    }
    emit_joined_row(taker);
    *joined = *row;
    if (alone || !taker->joins) {
        emit_joined_row(taker);
    }
}

/* Passes a row that counts these sorted values to the taker, unless there are none. */
static void emit_values(const struct group *group, const int64_t *values, size_t count, bool alone,
                        struct taker *taker) {
    struct latency_row row = {group->action, group->class, 0, 0, (int64_t)count, 0};

    for (size_t i = 0; i < count; i++) {
        row.sum += values[i];
    }
    if (count > 0) {
        row.least = values[0];
        row.most = values[count - 1];
        emit_row(taker, &row, alone);
    }
}

/* Splits a bucket into rows: values below, equal to and above each percentile in it. */
static void emit_bucket_around_percentiles(const struct latency_buckets *buckets,
                                           const struct group *group, const struct cut *cut,
                                           struct taker *taker) {
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
            continue; /* this percentile equals the previous one, which has a row */
        }
        emit_values(group, values + from, begin - from, false, taker);
        emit_values(group, values + begin, end - begin, true, taker);
        from = end;
    }
    emit_values(group, values + from, cut->found - from, false, taker);
}

static void emit_bucket(const struct latency_buckets *buckets, const struct group *group,
                        size_t number, struct taker *taker) {
    const struct bucket *bucket = bucket_of(buckets, group, number);
    size_t cut = find_cut(group, number);
    const struct latency_row row = {group->action, group->class,  bucket->least,
                                    bucket->most,  bucket->count, bucket->sum};

    if (cut < group->cut_count && group->cuts[cut].count > 0) {
        emit_bucket_around_percentiles(buckets, group, &group->cuts[cut], taker);
    } else if (row.count > 0) {
        emit_row(taker, &row, cut < group->cut_count);
    }
}

void latency_buckets_visit_rows(struct latency_buckets *buckets,
                                void (*visit)(void *context, const struct latency_row *row),
                                void *context) {
    struct taker taker = {.visit = visit, .context = context, .joins = buckets->calls};

    for (size_t i = 0; i < buckets->group_count; i++) {
        const struct group *group = buckets->groups[i];
        const struct latency_row untimed = {group->action,   group->class,   LATENCY_UNTIMED,
                                            LATENCY_UNTIMED, group->untimed, 0};

        if (group->untimed > 0) {
            visit(context, &untimed);
        }
        for (size_t block = 0; block < (size_t)BLOCKS; block++) {
            for (size_t at = 0; at < buckets->half && group->blocks[block] != NULL; at++) {
                emit_bucket(buckets, group, block * buckets->half + at, &taker);
            }
        }
        emit_joined_row(&taker);
    }
}
