/* What makes two traces hard to compare, or impossible. */
#include <math.h>
#include <string.h>

#include "compare/comparison.h"
#include "model/kinds.h"

/* Records that were rejected or lost, of all: from here on they are worth a line. */
#define LOSS_SHARE 0.001
/* Times as long a run. */
#define RUN_FACTOR 10
/* Share of events whose key only one side has. */
#define UNMATCHED_SHARE 0.2

/* --- impossible ------------------------------------------------------------------------------- */

static const char *name_of(const struct comparison *comparison, enum side side) {
    return compare_side_name(&comparison->sides[side]);
}

static bool compares_times(const struct comparison *comparison) {
    return comparison->method == &compare_times || comparison->method == &compare_values;
}

/* Per what events or time is, must be known. */
static bool check_per(const struct comparison *comparison, struct error *error) {
    if (comparison->request->per != PER_SECOND) {
        return true;
    }
    for (enum side side = SIDE_A; side < SIDES; side++) {
        const struct compare_side *one = &comparison->sides[side];

        if (strcmp(one->clock_unit, "ns") != 0 || one->observed <= 0) {
            return error_set(error, "--per second: trace %s has no %s", name_of(comparison, side),
                             one->observed <= 0 ? "time between its events" : "real clock");
        }
    }
    return true;
}

/* The clock that times are of: the word of --clock, or the first that the trace has. */
static size_t clock_length(const struct comparison *comparison, enum side side) {
    return comparison->request->sides[side].clock != NULL
               ? 0
               : strcspn(comparison->sides[side].traces[0]->clocks, " ");
}

static bool check_clocks(const struct comparison *comparison, struct error *error) {
    const char *a = comparison->sides[SIDE_A].traces[0]->clocks;
    const char *b = comparison->sides[SIDE_B].traces[0]->clocks;
    size_t length_a = clock_length(comparison, SIDE_A), length_b = clock_length(comparison, SIDE_B);

    return !compares_times(comparison) || (length_a == length_b && memcmp(a, b, length_a) == 0) ||
           error_set_status(error, EXIT_USAGE,
                            "times of trace %s are by the %.*s clock, of trace %s by the %.*s "
                            "clock: name one that both have with --clock",
                            name_of(comparison, SIDE_A), (int)length_a, a,
                            name_of(comparison, SIDE_B), (int)length_b, b);
}

bool compare_check(const struct comparison *comparison, struct error *error) {
    const struct compare_side *a = &comparison->sides[SIDE_A], *b = &comparison->sides[SIDE_B];

    if (a->traces[0]->kind != b->traces[0]->kind) {
        return error_set_status(error, EXIT_USAGE,
                                "trace %s holds %s, and trace %s %s: they cannot be compared",
                                name_of(comparison, SIDE_A), trace_kind_name(a->traces[0]->kind),
                                name_of(comparison, SIDE_B), trace_kind_name(b->traces[0]->kind));
    }
    if (compares_times(comparison) && strcmp(a->clock_unit, b->clock_unit) != 0) {
        return error_set_status(error, EXIT_USAGE,
                                "times of trace %s are in %s, of trace %s in %s: they cannot be "
                                "compared",
                                name_of(comparison, SIDE_A), a->clock_unit,
                                name_of(comparison, SIDE_B), b->clock_unit);
    }
    if (a->action != NULL && b->action != NULL && strcmp(a->action, b->action) != 0) {
        return error_set_status(error, EXIT_USAGE,
                                "of trace %s action %s is counted, of trace %s action %s: name one "
                                "that both have with --action",
                                name_of(comparison, SIDE_A), a->action, name_of(comparison, SIDE_B),
                                b->action);
    }
    return check_clocks(comparison, error) && check_per(comparison, error);
}

/* --- hard ------------------------------------------------------------------------------------- */

/* Traces beside themselves, maybe in other windows, are meant so: they share files and clock. */
static bool is_same(const struct comparison *comparison) {
    const struct compare_side *a = &comparison->sides[SIDE_A], *b = &comparison->sides[SIDE_B];
    bool same = a->trace_count == b->trace_count;

    for (size_t i = 0; same && i < a->trace_count; i++) {
        same = a->traces[i] == b->traces[i];
    }
    return same;
}

static bool add_shared_file(struct comparison *comparison, const struct catalog_trace *a,
                            const struct catalog_trace *b, struct error *error) {
    struct database *database = comparison->workspace->database;
    sqlite3_stmt *select = database_prepare(database,
                                            "SELECT a.name FROM source AS a"
                                            " JOIN source AS b ON b.hash = a.hash"
                                            " WHERE a.trace = ?1 AND b.trace = ?2 AND a.size > 0"
                                            " ORDER BY a.id LIMIT 1",
                                            error);
    bool row = false, done = select != NULL;

    if (done) {
        sqlite3_bind_int64(select, 1, a->id);
        sqlite3_bind_int64(select, 2, b->id);
        done = database_step(database, select, &row, error) &&
               (!row || remarks_add(&comparison->mismatches, error, "a and b share the file %s",
                                    (const char *)sqlite3_column_text(select, 0)));
    }
    sqlite3_finalize(select);
    return done;
}

static bool add_shared_files(struct comparison *comparison, struct error *error) {
    const struct compare_side *a = &comparison->sides[SIDE_A], *b = &comparison->sides[SIDE_B];

    for (size_t i = 0; i < a->trace_count; i++) {
        for (size_t j = 0; j < b->trace_count; j++) {
            if (!add_shared_file(comparison, a->traces[i], b->traces[j], error)) {
                return false;
            }
        }
    }
    return true;
}

/* Of the records of a side's traces, those that became no events. */
static double loss(const struct compare_side *side) {
    double lost = 0, all = 0;

    for (size_t i = 0; i < side->trace_count; i++) {
        const struct catalog_trace *trace = side->traces[i];

        lost += (double)trace->rejected + (double)trace->lost;
        all += (double)trace->events + (double)trace->merged + (double)trace->ignored +
               (double)trace->rejected + (double)trace->lost;
    }
    return compare_share(lost, all);
}

static bool add_loss(struct comparison *comparison, struct error *error) {
    double a = loss(&comparison->sides[SIDE_A]), b = loss(&comparison->sides[SIDE_B]);

    return (a <= LOSS_SHARE && b <= LOSS_SHARE) ||
           remarks_add(&comparison->mismatches, error,
                       "records rejected or lost: %.3g %% in a, %.3g %% in b; tracetool show says "
                       "why",
                       100 * a, 100 * b);
}

static bool add_formats(struct comparison *comparison, struct error *error) {
    const struct catalog_trace *a = comparison->sides[SIDE_A].traces[0];
    const struct catalog_trace *b = comparison->sides[SIDE_B].traces[0];

    return strcmp(a->format, b->format) == 0 ||
           remarks_add(&comparison->mismatches, error,
                       "the formats differ, %s and %s: what one of them does not log, or calls "
                       "otherwise, differs too",
                       a->format, b->format);
}

static bool add_run_times(struct comparison *comparison, struct error *error) {
    double a = comparison->sides[SIDE_A].observed / (double)comparison->sides[SIDE_A].trace_count;
    double b = comparison->sides[SIDE_B].observed / (double)comparison->sides[SIDE_B].trace_count;

    if (fmin(a, b) <= 0 && fmax(a, b) > 0) {
        return remarks_add(&comparison->mismatches, error,
                           "there is no time between the events of %s: compare shares and means",
                           a <= 0 ? "a" : "b");
    }
    return strcmp(comparison->sides[SIDE_A].clock_unit, comparison->sides[SIDE_B].clock_unit) !=
               0 ||
           fmin(a, b) * RUN_FACTOR >= fmax(a, b) ||
           remarks_add(&comparison->mismatches, error,
                       "one run is %.3g times as long as the other: compare shares and means, or "
                       "--per second",
                       fmax(a, b) / fmin(a, b));
}

/* Devices count time each in its own units. */
static bool add_clocks(struct comparison *comparison, struct error *error) {
    const char *unit = comparison->sides[SIDE_A].clock_unit;

    return strcmp(unit, "ns") == 0 || !compares_times(comparison) ||
           remarks_add(&comparison->mismatches, error,
                       "times are in %s, which may not be the same in both: compare shares", unit);
}

static bool add_unmatched(struct comparison *comparison, struct error *error) {
    const struct compare_table *table = &comparison->table;
    double alone = 0, all = 0;

    if (comparison->method != &compare_counts && comparison->method != &compare_times) {
        return true;
    }
    for (size_t i = 0; i < table->count; i++) {
        const struct compare_row *row = table->rows[i];
        double sum = 0;

        for (enum side side = SIDE_A; side < SIDES; side++) {
            sum += compare_share((double)row->numbers[side][NUMBER_VALUE],
                                 comparison->sides[side].totals[NUMBER_VALUE]);
        }
        all += sum;
        alone += row->has[SIDE_A] && row->has[SIDE_B] ? 0 : sum;
    }
    return compare_share(alone, all) <= UNMATCHED_SHARE ||
           remarks_add(&comparison->mismatches, error,
                       "%.3g %% is of names that only one side has: they may not match; see "
                       "--match and --strip",
                       100 * compare_share(alone, all));
}

bool compare_mismatches(struct comparison *comparison, struct error *error) {
    bool same = is_same(comparison);

    return (same || add_shared_files(comparison, error)) && add_loss(comparison, error) &&
           add_formats(comparison, error) && add_run_times(comparison, error) &&
           (same || add_clocks(comparison, error)) && add_unmatched(comparison, error);
}
