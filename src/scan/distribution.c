#include "scan/distribution.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/event.h"
#include "model/value_bucket.h"
#include "store/database.h"

enum {
    PERCENTILES = PERCENTILE_COUNT, /* number of percentiles in DISTRIBUTION_COLUMNS */
    MOST_PERCENTILES =
        DISTRIBUTION_QUANTILE_COUNT, /* the percentiles of blocks, more than those of reports */
    /* For the first 64 groups, the first pass also counts the values in each bucket. */
    FINE_GROUPS = 64,
    /* Number of a value's highest bits that give its bucket in the first pass. With 12, the counts
       of some groups do not fit into the cache, and that pass takes a quarter longer. */
    FIRST_BITS = 10,
    HALF = 1 << (FIRST_BITS - 1),
    BUCKETS = VALUE_BUCKETS(FIRST_BITS),
    /* DIGIT_BITS: limit of bits of a percentile that one further pass finds. COUNTS: limit of
       counts for all percentiles together: 64 MiB. */
    DIGIT_BITS = 18,
    COUNTS = 1 << 23,
    /* Number of a value's highest bits that give its bucket in temp.distribution_block. */
    BLOCK_BITS = 8,
    BLOCK_HALF = 1 << (BLOCK_BITS - 1),
    /* Bits of the wider buckets in group.near: 16 buckets per power of two. */
    NEAR_BITS = 5,
    NEAR_WORDS = VALUE_BUCKETS(NEAR_BITS) / 64,
    MOST_KNOWN = 1 << 18, /* limit of cached keys; at the limit, the cache is emptied */
};

/* Percentiles in thousandths: those of DISTRIBUTION_COLUMNS in order, then those for blocks. */
static const int percentiles[MOST_PERCENTILES] = {PERCENTILES_OF_REPORTS, 10, 50, 100, 250, 750};

/* The search for one percentile of a group. Each pass finds the percentile's next lower bits. */
struct search {
    int64_t rank;  /* rank, from 1, of the percentile among the values that have the known bits */
    int64_t value; /* known bits of the percentile; the other bits are 0 */
    int unknown;   /* number of lower bits that are not known yet; 0: found */
    bool known;    /* the percentile is known without a pass (distribution_set_equal_values()) */
    /* An earlier search (percentile) of the group has the same known bits; both use its counts. */
    bool shared;
    size_t counts; /* index in distribution.counts of the search's first count */
};

struct group {
    char *name; /* owned */
    size_t length, number;
    /* Owned; number of values by bucket (FIRST_BITS), from the first pass; NULL: not counted. */
    int64_t *buckets;
    int64_t count, least, largest;
    __extension__ __int128 sum;
    struct blocks *blocks;     /* owned; counts by block of values; NULL: none */
    struct value_curve *curve; /* owned; points of a cumulative curve for a plot; NULL: none */
    UT_hash_handle hh;
    /* A bit for each bucket (NEAR_BITS) whose values a search may count in this pass. */
    uint64_t near[NEAR_WORDS];
    struct search searches[]; /* one search per percentile */
};

/* Histograms of a group's values by block: equal numbers of values, in order of adding. */
struct blocks {
    int count, current;
    int64_t seen, next; /* number of values counted so far; number at which the next block begins */
    size_t first, places; /* bucket of the group's smallest value, and number of buckets */
    uint32_t counts[];    /* by block, then by bucket: number of values */
};

struct distribution {
    struct group **groups; /* owned, with the groups */
    size_t group_count, capacity;
    struct group *by_name;
    const struct group *last; /* group returned last by distribution_group() */
    bool totals_known;        /* true: the first pass is over */
    struct distribution_shape shape;
    int percentile_count;
    bool shapes_counted; /* true: the second pass, which counts for blocks and curves, is over */
    int digit_bits;      /* number of bits that the current pass finds of each percentile */
    int64_t *counts;     /* owned; the counts of all searches for percentiles */
};

struct distribution *distribution_new(struct distribution_shape shape) {
    struct distribution *distribution = xcalloc(1, sizeof *distribution);

    distribution->shape = shape;
    distribution->percentile_count = shape.blocks > 0 ? MOST_PERCENTILES : PERCENTILES;
    return distribution;
}

void distribution_free(struct distribution *distribution) {
    if (distribution == NULL) {
        return;
    }
    HASH_CLEAR(hh, distribution->by_name);
    for (size_t i = 0; i < distribution->group_count; i++) {
        free(distribution->groups[i]->name);
        free(distribution->groups[i]->blocks);
        value_curve_free(distribution->groups[i]->curve);
        free(distribution->groups[i]->buckets);
        free(distribution->groups[i]);
    }
    free(distribution->groups);
    free(distribution->counts);
    free(distribution);
}

static struct group *distribution_new_group(struct distribution *distribution, const char *name,
                                            size_t length) {
    bool fine = distribution->group_count < FINE_GROUPS;
    struct group *group = xcalloc(1, sizeof *group + (size_t)distribution->percentile_count *
                                                         sizeof group->searches[0]);

    group->name = xmalloc(length + 1);
    group->buckets = fine ? xcalloc(BUCKETS, sizeof *group->buckets) : NULL;
    memcpy(group->name, name, length);
    group->name[length] = '\0';
    group->length = length;
    group->number = distribution->group_count;
    group->least = INT64_MAX;
    HASH_ADD_KEYPTR(hh, distribution->by_name, group->name, group->length, group);
    distribution->groups = array_grow(distribution->groups, distribution->group_count,
                                      &distribution->capacity, sizeof(struct group *));
    return distribution->groups[distribution->group_count++] = group;
}

size_t distribution_group(struct distribution *distribution, const char *name, size_t length,
                          struct error *error) {
    const struct distribution_naming *naming = distribution->shape.naming;
    const struct group *last = distribution->last;
    struct group *group = NULL;

    if (naming != NULL) {
        name = naming->find(naming->context, name, &length);
    }
    if (last == NULL || last->length != length || memcmp(last->name, name, length) != 0) {
        HASH_FIND(hh, distribution->by_name, name, length, group);
        if (group == NULL && distribution->group_count == DISTRIBUTION_GROUPS) {
            error_set_too_many(
                error,
                "percentiles of more than %d groups are not possible: choose fewer with filters",
                DISTRIBUTION_GROUPS);
            return 0;
        }
        distribution->last =
            group != NULL ? group : distribution_new_group(distribution, name, length);
    }
    return distribution->last->number;
}

static size_t distribution_name_key(const struct distribution_keys *keys, int64_t key,
                                    struct error *error) {
    struct database_query query;
    char number[24] = "";
    size_t group;

    if (keys->name_of == NULL) {
        if (key != EVENT_NONE) {
            snprintf(number, sizeof number, "%lld", (long long)key);
        }
        return distribution_group(keys->distribution, number, strlen(number), error);
    }
    query = database_query(keys->database, error, keys->name_of, "i", key);
    group = database_next(&query)
                ? distribution_group(keys->distribution, database_column_text(query.row, 0),
                                     (size_t)sqlite3_column_bytes(query.row, 0), error)
                : distribution_group(keys->distribution, "", 0, error);
    database_end(&query);
    return group;
}

size_t distribution_find_key(struct distribution_keys *keys, const struct distribution_key **recent,
                             int64_t key, struct error *error) {
    struct distribution_key *known = NULL;

    HASH_FIND(hh, keys->known, &key, sizeof key, known);
    if (known == NULL) {
        if (HASH_COUNT(keys->known) == MOST_KNOWN) {
            distribution_keys_clear(keys);
        }
        HASH_NEW(keys->known, key, key, known);
        known->group = distribution_name_key(keys, key, error);
    }
    *recent = known;
    return known->group;
}

void distribution_keys_clear(struct distribution_keys *keys) {
    HASH_FREE(keys->known);
    memset(keys->recent, 0, sizeof keys->recent);
}

size_t distribution_groups(const struct distribution *distribution) {
    return distribution->group_count;
}

double distribution_bucket(int64_t bucket) {
    int64_t dropped = bucket < 2 * BLOCK_HALF ? 0 : bucket / BLOCK_HALF - 1;
    double highest = (double)(bucket - dropped * BLOCK_HALF);

    return dropped == 0 ? log2(fmax(highest, 1)) : log2(highest + 0.5) + (double)dropped;
}

static void add_to_blocks(const struct group *group, int64_t value) {
    struct blocks *blocks = group->blocks;

    while (blocks->seen >= blocks->next && blocks->current < blocks->count - 1) {
        blocks->current++;
        blocks->next = group->count / blocks->count * (blocks->current + 1) +
                       group->count % blocks->count * (blocks->current + 1) / blocks->count;
    }
    blocks->seen++;
    blocks->counts[(size_t)blocks->current * blocks->places + value_bucket(value, BLOCK_BITS) -
                   blocks->first]++;
}

/* Returns the number of the lowest bit of a percentile that this pass finds. */
static int lowest_bit_of_digit(const struct distribution *distribution,
                               const struct search *search) {
    return search->unknown > distribution->digit_bits ? search->unknown - distribution->digit_bits
                                                      : 0;
}

static int64_t digit_width(const struct distribution *distribution, const struct search *search) {
    return INT64_C(1) << (search->unknown - lowest_bit_of_digit(distribution, search));
}

static void count_for_searches(struct distribution *distribution, const struct group *group,
                               int64_t value) {
    size_t bucket = value_bucket(value, NEAR_BITS);

    if ((group->near[bucket / 64] >> bucket % 64 & 1) == 0) {
        return;
    }
    for (int i = 0; i < distribution->percentile_count; i++) {
        const struct search *search = &group->searches[i];

        if (search->unknown > 0 && !search->shared &&
            (value ^ search->value) >> search->unknown == 0) {
            int64_t digit = value >> lowest_bit_of_digit(distribution, search) &
                            (digit_width(distribution, search) - 1);

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
        count_for_searches(distribution, group, value);
        if (group->blocks != NULL && !distribution->shapes_counted) {
            add_to_blocks(group, value);
        }
        if (group->curve != NULL && !distribution->shapes_counted) {
            value_curve_count(group->curve, value);
        }
    } else {
        group->count++;
        group->sum += value;
        group->least = value < group->least ? value : group->least;
        group->largest = value > group->largest ? value : group->largest;
        if (group->buckets != NULL) {
            group->buckets[value_bucket(value, FIRST_BITS)]++;
        }
    }
}

void distribution_add(struct distribution *distribution, size_t number,
                      const struct distribution_part *part) {
    struct group *group = distribution->groups[number];

    group->count += part->count;
    group->sum += part->sum;
    group->least = part->least < group->least ? part->least : group->least;
    group->largest = part->largest > group->largest ? part->largest : group->largest;
    if (group->buckets != NULL &&
        value_bucket(part->least, FIRST_BITS) != value_bucket(part->largest, FIRST_BITS)) {
        free(group->buckets);
        group->buckets = NULL;
    }
    if (group->buckets != NULL) {
        group->buckets[value_bucket(part->least, FIRST_BITS)] += part->count;
    }
}

void distribution_set_equal_values(struct distribution *distribution, size_t number, int64_t before,
                                   const struct distribution_part *part) {
    struct group *group = distribution->groups[number];

    for (int i = 0; i < distribution->percentile_count; i++) {
        int64_t rank = percentile_rank(group->count, percentiles[i]);

        if (rank > before && rank <= before + part->count) {
            group->searches[i] = (struct search){.value = part->least, .known = true};
        }
    }
}

/* --- searching percentiles bit by bit --------------------------------------------------------- */

/* Returns the index of the count that includes `rank`, searched from index `place` on. Subtracts
 * the counts before it from `*rank`. */
static int64_t distribution_find_place(const int64_t *counts, int64_t place, int64_t places,
                                       int64_t *rank) {
    while (place < places - 1 && *rank > counts[place]) {
        *rank -= counts[place++];
    }
    return place;
}

/* Starts a search for a percentile. Its known upper bits are those of the bucket of the
 * percentile's rank or, without buckets, those that the smallest and the largest value share. */
static void begin_search(const struct group *group, int thousandths, struct search *search) {
    int64_t differ = group->least ^ group->largest, bucket;

    if (search->known) {
        return;
    }
    search->rank = percentile_rank(group->count, thousandths);
    if (search->rank == 1 || search->rank == group->count) {
        search->value = search->rank == 1 ? group->least : group->largest;
    } else if (group->buckets != NULL) {
        bucket =
            distribution_find_place(group->buckets, (int64_t)value_bucket(group->least, FIRST_BITS),
                                    BUCKETS, &search->rank);
        search->unknown = bucket < 2 * HALF ? 0 : (int)(bucket / HALF) - 1;
        search->value = (bucket - (int64_t)search->unknown * HALF) << search->unknown;
    } else {
        search->unknown = differ == 0 ? 0 : 64 - __builtin_clzll((uint64_t)differ);
        search->value = group->largest >> search->unknown << search->unknown;
    }
}

/* Adds the bits that a pass has found to a percentile. */
static void distribution_find_digit(const struct distribution *distribution,
                                    struct search *search) {
    int shift = lowest_bit_of_digit(distribution, search);

    search->value |= distribution_find_place(distribution->counts + search->counts, 0,
                                             digit_width(distribution, search), &search->rank)
                     << shift;
    search->unknown = shift;
}

/* Lets searches (for percentiles) of a group with the same known bits share counts. Returns how
 * many searches need their own counts. Raises `*unknown` to the largest number of unknown bits. */
static size_t share_counts(const struct distribution *distribution, struct group *group,
                           int *unknown) {
    size_t ways = 0;

    for (int i = 0; i < distribution->percentile_count; i++) {
        struct search *search = &group->searches[i];

        search->shared = false;
        for (int j = 0; j < i && search->unknown > 0 && !search->shared; j++) {
            const struct search *other = &group->searches[j];

            search->shared = other->unknown == search->unknown && other->value == search->value;
        }
        ways += search->unknown > 0 && !search->shared;
        *unknown = search->unknown > *unknown ? search->unknown : *unknown;
    }
    return ways;
}

/* Marks in group.near the buckets of the values that the search for a percentile counts. */
static void mark_near(struct group *group, const struct search *search) {
    int64_t largest = search->value | (int64_t)((UINT64_C(1) << search->unknown) - 1);
    size_t last = value_bucket(largest, NEAR_BITS);

    for (size_t bucket = value_bucket(search->value, NEAR_BITS); bucket <= last; bucket++) {
        group->near[bucket / 64] |= UINT64_C(1) << bucket % 64;
    }
}

/* Assigns counts, from index `*end` on, to searches for a group's percentiles; advances `*end`. */
static void place_counts(const struct distribution *distribution, struct group *group,
                         size_t *end) {
    memset(group->near, 0, sizeof group->near);
    for (int i = 0; i < distribution->percentile_count; i++) {
        struct search *search = &group->searches[i];

        if (search->unknown > 0 && !search->shared) {
            mark_near(group, search);
            search->counts = *end;
            *end += (size_t)digit_width(distribution, search);
        }
        for (int j = 0; j < i && search->shared; j++) {
            const struct search *other = &group->searches[j];

            if (other->unknown == search->unknown && other->value == search->value) {
                search->counts = other->counts;
            }
        }
    }
}

/* --- blocks and curves ------------------------------------------------------------------------ */

/* Returns the number of blocks for a group's values. */
static int distribution_blocks_of(const struct distribution *distribution,
                                  const struct group *group) {
    int64_t most = group->count / DISTRIBUTION_LEAST;

    if (group->count == 0) {
        return 0;
    }
    return most < DISTRIBUTION_FEWEST          ? 1
           : most < distribution->shape.blocks ? (int)most
                                               : distribution->shape.blocks;
}

static int compare_counts(const void *left, const void *right) {
    const struct group *a = *(struct group *const *)left, *b = *(struct group *const *)right;

    return a->count != b->count ? (a->count < b->count) - (a->count > b->count)
                                : (a->number > b->number) - (a->number < b->number);
}

/* Gives a group arrays that count its values by block (struct blocks). Does nothing if one of these
 * counts could exceed 32 bits. */
static void make_blocks(const struct distribution *distribution, struct group *group) {
    int count = distribution_blocks_of(distribution, group);
    size_t first = count > 0 ? value_bucket(group->least, BLOCK_BITS) : 0;
    size_t places = count > 0 ? value_bucket(group->largest, BLOCK_BITS) - first + 1 : 0;

    if (count == 0 || group->count / count >= UINT32_MAX) {
        return;
    }
    group->blocks = xcalloc(1, sizeof *group->blocks +
                                   (size_t)count * places * sizeof group->blocks->counts[0]);
    group->blocks->count = count;
    group->blocks->first = first;
    group->blocks->places = places;
    group->blocks->next = group->count / count + group->count % count / count;
}

/* Adds blocks and curves to the largest groups, whose sizes the first pass has found. */
static void shape_groups(const struct distribution *distribution) {
    size_t count = distribution->group_count;
    size_t cut = distribution->shape.blocks > 0 ? DISTRIBUTION_CUT : 0;
    struct group **largest = xmalloc((count + 1) * sizeof(struct group *));

    if (count > 0) {
        memcpy(largest, distribution->groups, count * sizeof(struct group *));
        qsort(largest, count, sizeof(struct group *), compare_counts);
    }
    for (size_t i = 0; i < count; i++) {
        struct group *group = largest[i];

        if (i < cut) {
            make_blocks(distribution, group);
        }
        if (i < distribution->shape.curves && group->count > 0) {
            group->curve = value_curve_new(group->least, group->largest);
        }
    }
    free(largest);
}

static void distribution_name_rows(struct temp_rows *rows, const struct group *group) {
    temp_rows_text(rows, 1, group->name, group->length);
}

/* Writes temp.distribution_quantile and temp.distribution_block. */
static bool write_cut(const struct distribution *distribution, struct temp_schema *temp,
                      struct error *error) {
    struct temp_rows quantiles = {temp, "distribution_quantile", error, .columns = 3};
    struct temp_rows rows = {temp, "distribution_block", error, .columns = 4};
    bool done;

    if (!temp_schema_table(temp, "distribution_quantile", "(name, thousandths, value)", error) ||
        !temp_schema_table(temp, "distribution_block", "(name, block, bucket, count)", error)) {
        return false;
    }
    for (size_t i = 0; i < distribution->group_count; i++) {
        const struct group *group = distribution->groups[i];
        const struct blocks *blocks = group->blocks;
        size_t counts = blocks == NULL ? 0 : (size_t)blocks->count * blocks->places;

        distribution_name_rows(&rows, group);
        distribution_name_rows(&quantiles, group);
        for (size_t at = 0; at < counts; at++) {
            if (blocks->counts[at] != 0) {
                TEMP_ROW(&rows, (int64_t)(at / blocks->places),
                         (int64_t)(blocks->first + at % blocks->places), blocks->counts[at]);
            }
        }
        for (int j = 0; j < MOST_PERCENTILES && group->count > 0; j++) {
            TEMP_ROW(&quantiles, percentiles[j], group->searches[j].value);
        }
    }
    /* Both tables must be ended, even if one of them has failed. */
    done = temp_rows_end(&quantiles);
    done = temp_rows_end(&rows) && done;
    return done && temp_schema_index(temp, "distribution_block", "name", error) &&
           temp_schema_index(temp, "distribution_quantile", "name", error);
}

static bool write_curves(const struct distribution *distribution, struct temp_schema *temp,
                         struct error *error) {
    struct temp_rows rows = {temp, "distribution_curve", error, .columns = 3};
    struct value_point points[VALUE_CURVE_POINTS];

    for (size_t i = 0; i < distribution->group_count; i++) {
        const struct value_curve *curve = distribution->groups[i]->curve;
        size_t count = curve == NULL ? 0 : value_curve_points(curve, points);

        distribution_name_rows(&rows, distribution->groups[i]);
        for (size_t j = 0; j < count; j++) {
            TEMP_ROW(&rows, points[j].value, points[j].count);
        }
    }
    return temp_rows_end(&rows);
}

/* Returns how many bits of each percentile the next pass should find: as few as possible, to save
 * memory, but without more passes for the percentile with the most unknown bits. `ways`: number of
 * percentiles that need counts of their own. */
static int choose_digit_bits(size_t ways, int unknown) {
    int most = DIGIT_BITS, passes;

    while (ways << most > COUNTS) {
        most--;
    }
    passes = (unknown + most - 1) / most;
    return passes == 0 ? most : (unknown + passes - 1) / passes;
}

bool distribution_end_pass(struct distribution *distribution) {
    bool shaped = (distribution->shape.blocks > 0 || distribution->shape.curves > 0) &&
                  !distribution->totals_known;
    size_t ways = 0, end = 0;
    int unknown = 0;

    if (shaped) {
        shape_groups(distribution);
    }
    distribution->shapes_counted = distribution->totals_known;
    for (size_t i = 0; i < distribution->group_count; i++) {
        struct group *group = distribution->groups[i];

        for (int j = 0; j < distribution->percentile_count && group->count > 0; j++) {
            if (!distribution->totals_known) {
                begin_search(group, percentiles[j], &group->searches[j]);
            } else if (group->searches[j].unknown > 0) {
                distribution_find_digit(distribution, &group->searches[j]);
            }
        }
        free(group->buckets);
        group->buckets = NULL;
    }
    distribution->totals_known = true;
    for (size_t i = 0; i < distribution->group_count; i++) {
        ways += share_counts(distribution, distribution->groups[i], &unknown);
    }
    distribution->digit_bits = choose_digit_bits(ways, unknown);
    for (size_t i = 0; i < distribution->group_count; i++) {
        place_counts(distribution, distribution->groups[i], &end);
    }
    free(distribution->counts);
    distribution->counts = xcalloc(end + 1, sizeof *distribution->counts);
    return ways > 0 || shaped;
}

bool distribution_write(const struct distribution *distribution, struct temp_schema *temp,
                        struct error *error) {
    struct temp_rows rows = {temp, "distribution", error, .columns = 11};

    for (size_t i = 0; i < distribution->group_count; i++) {
        const struct group *group = distribution->groups[i];
        const struct search *found = group->searches;

        if (group->count > 0) {
            distribution_name_rows(&rows, group);
            TEMP_ROW(&rows, group->count, group->least,
                     (int64_t)((group->sum + group->count / 2) / group->count), found[0].value,
                     found[1].value, found[2].value, group->largest, found[3].value, found[4].value,
                     group->sum > INT64_MAX ? INT64_MAX : (int64_t)group->sum);
        }
    }
    return temp_rows_end(&rows) &&
           (distribution->shape.curves == 0 || write_curves(distribution, temp, error)) &&
           (distribution->shape.blocks == 0 || write_cut(distribution, temp, error));
}
