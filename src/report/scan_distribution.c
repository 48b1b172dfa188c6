/* Count, mean and exact percentiles of values by group, in bounded memory: temp.distribution.
 *
 * The first pass over the rows finds count, sum, least and largest value of each group. Then each
 * further pass settles the next twelve bits of every percentile, from the top: it counts, among the
 * values that share the bits already known, how often each next digit occurs, and so finds the
 * digit of the value with the wanted rank. Values up to 2^36 ns (a minute) take three such passes.
 */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "report/scan.h"

enum {
    GROUPS = 64,
    PERCENTILES = 3,
    DIGIT_BITS = 12,
    DIGITS = 1 << DIGIT_BITS,
};

static const int percents[PERCENTILES] = {50, 90, 99};

struct percentile {
    int64_t rank;    /* wanted among those with the known bits, from 1 */
    int64_t value;   /* known bits */
    int64_t *counts; /* owned, DIGITS of them */
};

struct group {
    char *name; /* owned */
    int64_t count, least, largest;
    __extension__ __int128 sum;
    struct percentile percentiles[PERCENTILES];
};

struct distribution_scan {
    struct database *database;
    struct group groups[GROUPS];
    size_t group_count;
    struct group *last;
    int shift; /* bits below the digit that is being counted; -1 in the first pass */
    struct error *error;
    bool failed;
};

static struct group *find_group(struct distribution_scan *scan, const char *name) {
    struct group *group;

    if (scan->last != NULL && strcmp(scan->last->name, name) == 0) {
        return scan->last;
    }
    for (size_t i = 0; i < scan->group_count; i++) {
        if (strcmp(scan->groups[i].name, name) == 0) {
            return scan->last = &scan->groups[i];
        }
    }
    if (scan->group_count == GROUPS) {
        error_set(scan->error, "more than %d groups", GROUPS);
        return NULL;
    }
    group = &scan->groups[scan->group_count];
    *group = (struct group){.name = strdup(name), .least = INT64_MAX};
    if (group->name == NULL) {
        error_no_memory(scan->error);
        return NULL;
    }
    scan->group_count++;
    return scan->last = group;
}

static void add_to_totals(struct group *group, int64_t value) {
    group->count++;
    group->sum += value;
    group->least = value < group->least ? value : group->least;
    group->largest = value > group->largest ? value : group->largest;
}

/* The bits of a value above the digit that begins at `shift`. */
static int64_t known_bits(int64_t value, int shift) {
    return shift + DIGIT_BITS >= 63 ? 0 : value >> (shift + DIGIT_BITS);
}

static void add_to_digits(struct group *group, int64_t value, int shift) {
    for (int i = 0; i < PERCENTILES; i++) {
        struct percentile *percentile = &group->percentiles[i];

        if (known_bits(value, shift) == known_bits(percentile->value, shift)) {
            percentile->counts[value >> shift & (DIGITS - 1)]++;
        }
    }
}

/* distribution_rows(scan, group, value) */
static void distribution_step(sqlite3_context *context, int count, sqlite3_value **values) {
    struct distribution_scan *scan = scan_state(values);
    const char *name = (const char *)sqlite3_value_text(values[1]);
    int64_t value = sqlite3_value_int64(values[2]);
    struct group *group;

    (void)count;
    if (scan == NULL || scan->failed || value < 0) {
        return;
    }
    group = find_group(scan, name == NULL ? "" : name);
    if (group == NULL) {
        scan->failed = true;
        sqlite3_result_error(context, scan->error->message, -1);
    } else if (scan->shift < 0) {
        add_to_totals(group, value);
    } else {
        add_to_digits(group, value, scan->shift);
    }
}

static bool run_pass(struct distribution_scan *scan, const char *rows) {
    struct text sql = {0};
    sqlite3_stmt *statement = NULL;

    text_append_format(&sql,
                       "SELECT distribution_rows(?1, part, value) FROM (SELECT NULL AS part,"
                       " NULL AS value WHERE 0 UNION ALL %s)",
                       rows);
    if (sql.failed) {
        error_no_memory(scan->error);
    } else {
        statement = database_prepare(scan->database, text_string(&sql), scan->error);
    }
    text_free(&sql);
    return statement != NULL &&
           scan_run(scan->database, statement, scan, &scan->failed, scan->error);
}

/* Rank of a percentile: the smallest value that so many per cent do not exceed. */
static int64_t rank_of(int64_t count, int percent) {
    return count / 100 * percent + (count % 100 * percent + 99) / 100;
}

static bool begin_digits(struct distribution_scan *scan) {
    for (size_t i = 0; i < scan->group_count; i++) {
        for (int j = 0; j < PERCENTILES; j++) {
            struct percentile *percentile = &scan->groups[i].percentiles[j];

            percentile->rank = rank_of(scan->groups[i].count, percents[j]);
            percentile->counts = calloc(DIGITS, sizeof *percentile->counts);
            if (percentile->counts == NULL) {
                return error_no_memory(scan->error);
            }
        }
    }
    return true;
}

/* The digit of the wanted rank is known now. */
static void settle_digit(struct percentile *percentile, int shift) {
    int64_t digit = 0;

    while (digit < DIGITS - 1 && percentile->rank > percentile->counts[digit]) {
        percentile->rank -= percentile->counts[digit++];
    }
    percentile->value |= digit << shift;
    memset(percentile->counts, 0, DIGITS * sizeof *percentile->counts);
}

static int highest_shift(const struct distribution_scan *scan) {
    int64_t largest = 0;
    int shift = 0;

    for (size_t i = 0; i < scan->group_count; i++) {
        largest = scan->groups[i].largest > largest ? scan->groups[i].largest : largest;
    }
    while (known_bits(largest, shift) != 0) {
        shift += DIGIT_BITS;
    }
    return shift;
}

static bool find_percentiles(struct distribution_scan *scan, const char *rows) {
    if (!begin_digits(scan)) {
        return false;
    }
    for (scan->shift = highest_shift(scan); scan->shift >= 0; scan->shift -= DIGIT_BITS) {
        if (!run_pass(scan, rows)) {
            return false;
        }
        for (size_t i = 0; i < scan->group_count; i++) {
            for (int j = 0; j < PERCENTILES; j++) {
                settle_digit(&scan->groups[i].percentiles[j], scan->shift);
            }
        }
    }
    return true;
}

static bool write_groups(struct distribution_scan *scan) {
    for (size_t i = 0; i < scan->group_count; i++) {
        const struct group *group = &scan->groups[i];
        int64_t mean = (int64_t)((group->sum + group->count / 2) / group->count);

        if (!database_change(
                scan->database, scan->error,
                "INSERT INTO temp.distribution VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)", "siiiiiii",
                group->name, group->count, group->least, mean, group->percentiles[0].value,
                group->percentiles[1].value, group->percentiles[2].value, group->largest)) {
            return false;
        }
    }
    return true;
}

bool scan_distribution(struct database *database, const char *rows, struct error *error) {
    struct distribution_scan scan = {.database = database, .shift = -1, .error = error};
    bool done =
        database_run(database,
                     "CREATE TEMP TABLE distribution (name, count, min, mean, p50, p90, p99,"
                     " max)",
                     error) &&
        run_pass(&scan, rows) && find_percentiles(&scan, rows) && write_groups(&scan);

    for (size_t i = 0; i < scan.group_count; i++) {
        free(scan.groups[i].name);
        for (int j = 0; j < PERCENTILES; j++) {
            free(scan.groups[i].percentiles[j].counts);
        }
    }
    return done;
}

bool scan_register_distribution(struct database *database, struct error *error) {
    return scan_register_function(database, "distribution_rows", 3, distribution_step, error);
}
