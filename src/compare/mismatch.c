/* Reasons why two traces are hard to compare, or cannot be compared. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/words.h"
#include "compare/comparison.h"
#include "model/event.h"
#include "report/units.h"

/* A comment line (#) is added if one side's run time is at least this many times the other's. */
#define RUN_FACTOR 10
/* A comment line is added if rows of only one side have more than this share of all events. */
#define UNMATCHED_SHARE 0.2
/* A comment line is added above these limits: difference of the shares of events without a
 * duration, ratio of the clock resolutions, share of events that one side's filter excludes. */
#define UNTIMED_SHARE 0.01
#define STEP_FACTOR   10
#define FILTER_SHARE  0.5
/* A comment line is added if over HOURS_APART hours of the day are covered by only one side, and a
 * side covers at least HOURS_LEAST. Fewer can be chance. */
#define HOURS_APART 2
#define HOURS_LEAST 3

/* --- reasons why sides cannot be compared ----------------------------------------------------- */

static const char *mismatch_name_of(const struct comparison *comparison, enum side side) {
    return compare_side_name(&comparison->sides[side]);
}

bool compare_uses_durations(const struct comparison *comparison) {
    return comparison->method == &compare_times || comparison->method == &compare_values ||
           comparison->method == &compare_paths;
}

/* Checks that --per second has a time to divide by: the side's observed time, in ns. */
static bool check_per(const struct comparison *comparison, struct error *error) {
    if (comparison->request->per != PER_SECOND) {
        return true;
    }
    for (enum side side = SIDE_A; side < SIDES; side++) {
        const struct compare_side *one = &comparison->sides[side];

        if (strcmp(one->clock_unit, "ns") != 0 || one->observed <= 0) {
            return error_set(error, "--per second: trace %s has no %s",
                             mismatch_name_of(comparison, side),
                             one->observed <= 0 ? "time between its events" : "real clock");
        }
    }
    return true;
}

/* Returns the length of the name of a trace's first clock; 0 with --clock, which sets the clock. */
static size_t clock_length(const struct comparison *comparison, enum side side) {
    return comparison->request->sides[side].clock != NULL
               ? 0
               : strcspn(comparison->sides[side].traces[0]->clocks, " ");
}

static bool check_clocks(const struct comparison *comparison, struct error *error) {
    const char *a = comparison->sides[SIDE_A].traces[0]->clocks;
    const char *b = comparison->sides[SIDE_B].traces[0]->clocks;
    size_t length_a = clock_length(comparison, SIDE_A), length_b = clock_length(comparison, SIDE_B);

    return !compare_uses_durations(comparison) ||
           (length_a == length_b && memcmp(a, b, length_a) == 0) ||
           error_usage(error,
                       "the clocks differ: trace %s has %.*s, trace %s has %.*s; choose a common "
                       "one with --clock",
                       mismatch_name_of(comparison, SIDE_A), (int)length_a, a,
                       mismatch_name_of(comparison, SIDE_B), (int)length_b, b);
}

bool compare_check_kinds(const struct comparison *comparison, struct error *error) {
    const struct compare_side *a = &comparison->sides[SIDE_A], *b = &comparison->sides[SIDE_B];

    return a->traces[0]->kind == b->traces[0]->kind ||
           error_usage(error, "trace %s holds %s, and trace %s %s: they cannot be compared",
                       mismatch_name_of(comparison, SIDE_A), trace_kind_name(a->traces[0]->kind),
                       mismatch_name_of(comparison, SIDE_B), trace_kind_name(b->traces[0]->kind));
}

bool compare_check_comparable(const struct comparison *comparison, struct error *error) {
    const struct compare_side *a = &comparison->sides[SIDE_A], *b = &comparison->sides[SIDE_B];

    if (compare_uses_durations(comparison) && strcmp(a->clock_unit, b->clock_unit) != 0) {
        return error_usage(error,
                           "times of trace %s are in %s, of trace %s in %s: they cannot be "
                           "compared",
                           mismatch_name_of(comparison, SIDE_A), a->clock_unit,
                           mismatch_name_of(comparison, SIDE_B), b->clock_unit);
    }
    if (a->action != NULL && b->action != NULL && strcmp(a->action, b->action) != 0) {
        return error_usage(error,
                           "the actions differ: trace %s counts %s, trace %s counts %s; choose a "
                           "common one with --action",
                           mismatch_name_of(comparison, SIDE_A), a->action,
                           mismatch_name_of(comparison, SIDE_B), b->action);
    }
    return check_clocks(comparison, error) && check_per(comparison, error);
}

bool compare_check_weights_used(const struct comparison *comparison, struct error *error) {
    const struct query *query = comparison->sides[SIDE_A].query;

    return comparison->method == &compare_rows || !units_query_reads_weights(query) ||
           request_option(&comparison->request->sides[SIDE_A], "weights") == NULL ||
           error_usage(error,
                       "--weights does not apply to a comparison by report %s: leave it out, or "
                       "compare by popularity, rw or summary",
                       query->report);
}

/* --- reasons why sides are hard to compare ---------------------------------------------------- */

/* Returns whether both sides are the same traces. Shared files and clocks are then no mismatch. */
bool compare_sides_are_same(const struct comparison *comparison) {
    const struct compare_side *a = &comparison->sides[SIDE_A], *b = &comparison->sides[SIDE_B];
    bool same = a->trace_count == b->trace_count;

    for (size_t i = 0; same && i < a->trace_count; i++) {
        same = a->traces[i] == b->traces[i];
    }
    return same;
}

static double untimed_share(const struct compare_quality *quality) {
    return compare_share((double)quality->untimed,
                         (double)quality->untimed + (double)quality->timed);
}

/* Adds a comment line if the sides differ in the share of events without a duration. */
static void add_untimed(struct comparison *comparison) {
    double a = untimed_share(&comparison->sides[SIDE_A].quality);
    double b = untimed_share(&comparison->sides[SIDE_B].quality);

    if (fabs(a - b) > UNTIMED_SHARE + 1e-9) {
        notes_append(&comparison->mismatches,
                     "events without a duration: %.3g %% in a, %.3g %% in b; those with one may "
                     "not be typical",
                     100 * a, 100 * b);
    }
}

static double share_left_out(const struct compare_quality *quality) {
    return quality->all > 0 ? 1 - (double)quality->selected / (double)quality->all : 0;
}

static void add_filters(struct comparison *comparison) {
    double a = share_left_out(&comparison->sides[SIDE_A].quality);
    double b = share_left_out(&comparison->sides[SIDE_B].quality);

    if ((a > FILTER_SHARE) != (b > FILTER_SHARE)) {
        notes_append(&comparison->mismatches, "the filters leave out %.3g %% of a and %.3g %% of b",
                     100 * a, 100 * b);
    }
}

static void add_steps(struct comparison *comparison) {
    int64_t a = comparison->sides[SIDE_A].quality.step, b = comparison->sides[SIDE_B].quality.step;

    if (a != 0 && b != 0 && fmax((double)a, (double)b) > STEP_FACTOR * fmin((double)a, (double)b)) {
        notes_append(
            &comparison->mismatches,
            "clock resolution: %lld ns in a, %lld ns in b; smaller differences come from the "
            "clock, and affect the Kolmogorov-Smirnov D more than the Wasserstein distance",
            (long long)a, (long long)b);
    }
}

/* Appends the hours in `hours` but not in `others`, such as "9-11 13". Returns their number. */
static size_t mismatch_append_hours(struct text *text, const bool *hours, const bool *others) {
    size_t count = 0;

    for (int hour = 0; hour < QUALITY_HOURS; hour++) {
        int first = hour;

        if (!hours[hour] || others[hour]) {
            continue;
        }
        while (hour + 1 < QUALITY_HOURS && hours[hour + 1] && !others[hour + 1]) {
            hour++;
        }
        text_append_format(text, count == 0 ? "%d" : " %d", first);
        if (hour > first) {
            text_append_format(text, "-%d", hour);
        }
        count += (size_t)(hour - first + 1);
    }
    text_append_string(text, count == 0 ? "none" : "");
    return count;
}

static size_t mismatch_hours_of(const struct compare_quality *quality) {
    size_t count = 0;

    for (int hour = 0; hour < QUALITY_HOURS; hour++) {
        count += quality->hours[hour];
    }
    return count;
}

static void add_run_times(struct comparison *comparison) {
    double a = comparison->sides[SIDE_A].observed / (double)comparison->sides[SIDE_A].trace_count;
    double b = comparison->sides[SIDE_B].observed / (double)comparison->sides[SIDE_B].trace_count;

    if (fmin(a, b) <= 0 && fmax(a, b) > 0) {
        notes_append(
            &comparison->mismatches,
            "all events of %s have the same time, so it has no run time: compare shares and means",
            a <= 0 ? "a" : "b");
    } else if (strcmp(comparison->sides[SIDE_A].clock_unit, comparison->sides[SIDE_B].clock_unit) ==
                   0 &&
               fmin(a, b) * RUN_FACTOR < fmax(a, b)) {
        notes_append(&comparison->mismatches,
                     "one run is %.3g times as long as the other: compare shares and means, or "
                     "--per second",
                     fmax(a, b) / fmin(a, b));
    }
}

/* Adds a comment line if times are in clock ticks, whose length may differ between devices. */
static void add_clocks(struct comparison *comparison) {
    const char *unit = comparison->sides[SIDE_A].clock_unit;

    if (strcmp(unit, "ns") != 0 && compare_uses_durations(comparison)) {
        notes_append(&comparison->mismatches,
                     "times are in %s, which may not be equally long in a and b: compare shares",
                     unit);
    }
}

static void add_unmatched(struct comparison *comparison) {
    const struct compare_table *table = &comparison->table;
    double alone = 0, all = 0;

    if ((comparison->method != &compare_counts && comparison->method != &compare_times &&
         comparison->method != &compare_paths) ||
        (comparison->method == &compare_times && compare_lacks_durations(comparison))) {
        return;
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
    if (compare_share(alone, all) > UNMATCHED_SHARE) {
        notes_append(&comparison->mismatches,
                     "%.3g %% of the totals is in rows that only a or only b has: names may be "
                     "spelled differently; see --match and --strip",
                     100 * compare_share(alone, all));
    }
}

/* A comment line is added if more than this share of a side's records was rejected or lost. */
#define LOSS_SHARE 0.001

/* Adds a comment line for each row that a statement on two traces returns: the text `before`, then
 * the row's text. */
static bool add_lines(struct comparison *comparison, const char *before, const char *sql,
                      int64_t trace, int64_t other, struct error *error) {
    struct database_query query =
        database_query(comparison->workspace->database, error, sql, "ii", trace, other);

    while (database_next(&query)) {
        notes_append(&comparison->mismatches, "%s%s", before,
                     (const char *)sqlite3_column_text(query.row, 0));
    }
    return database_end(&query);
}

/* Returns the text that a statement returns for a trace (owned; "" if none). `*number`: the
 * statement's second column. Returns NULL with `error` set on failure. */
static char *mismatch_find_text(const struct comparison *comparison, const char *sql,
                                const struct catalog_trace *trace, int64_t *number,
                                struct error *error) {
    struct database_query query =
        database_query(comparison->workspace->database, error, sql, "i", trace->id);
    bool row = database_next(&query);
    char *text = query.failed ? NULL : xstrdup(row ? database_column_text(query.row, 0) : "");

    *number = row ? sqlite3_column_int64(query.row, 1) : 0;
    database_end(&query);
    return text;
}

/* Sets `*may` if the trace may share a log file with `side`: if it is a trace of the side, or any
 * trace has a file with the same hash. This avoids comparing all pairs of thousands of traces. */
static bool may_share(const struct comparison *comparison, const struct catalog_trace *trace,
                      const struct compare_side *side, bool *may, struct error *error) {
    int64_t shared = 0;
    bool done = database_query_integer(comparison->workspace->database,
                                       "SELECT EXISTS (SELECT 1 FROM source AS a JOIN source AS b"
                                       " ON b.hash = a.hash AND b.trace <> a.trace"
                                       " WHERE a.trace = ?1 AND a.size > 0)",
                                       trace->id, 0, &shared, error);

    *may = shared != 0;
    for (size_t i = 0; i < side->trace_count && !*may; i++) {
        *may = side->traces[i] == trace;
    }
    return done;
}

static bool add_shared_files(struct comparison *comparison, struct error *error) {
    const struct compare_side *a = &comparison->sides[SIDE_A], *b = &comparison->sides[SIDE_B];
    bool may = false, done = true;

    for (size_t i = 0; done && i < a->trace_count; i++) {
        done = may_share(comparison, a->traces[i], b, &may, error);
        for (size_t j = 0; done && may && j < b->trace_count; j++) {
            done = add_lines(comparison, "a and b share the file ",
                             "SELECT a.name FROM source AS a JOIN source AS b ON b.hash = a.hash"
                             " WHERE a.trace = ?1 AND b.trace = ?2 AND a.size > 0"
                             " ORDER BY a.id LIMIT 1",
                             a->traces[i]->id, b->traces[j]->id, error);
        }
    }
    return done;
}

/* Returns the share of a side's records that were rejected or lost, and so are no events. */
static double share_of_lost_records(const struct compare_side *side) {
    double lost = 0, all = 0;

    for (size_t i = 0; i < side->trace_count; i++) {
        const struct catalog_trace *trace = side->traces[i];

        lost += (double)trace->rejected + (double)trace->lost;
        all += (double)catalog_count_records(trace) + (double)trace->lost;
    }
    return compare_share(lost, all);
}

/* Returns the most frequent reason why records of a side were rejected (owned; "" if none were).
 * Returns NULL with `error` set on failure. */
static char *find_reason(const struct comparison *comparison, enum side side, struct error *error) {
    const struct compare_side *one = &comparison->sides[side];
    char *reason = xstrdup("");
    int64_t most = 0;

    for (size_t i = 0; reason != NULL && i < one->trace_count; i++) {
        int64_t count = 0;
        char *other = mismatch_find_text(comparison,
                                         "SELECT reason, sum(count) FROM ledger"
                                         " WHERE trace = ?1 AND outcome = 'rejected'"
                                         " GROUP BY reason ORDER BY 2 DESC, 1 LIMIT 1",
                                         one->traces[i], &count, error);

        if (other == NULL || count > most) {
            char *before = reason;

            reason = other;
            other = before;
            most = count;
        }
        free(other);
    }
    return reason;
}

/* Adds a comment line if a side lost more than LOSS_SHARE of its records, or more than a tenth of
 * LOSS_SHARE and twice the share of the other side. */
static bool mismatch_add_loss(struct comparison *comparison, struct error *error) {
    double a = share_of_lost_records(&comparison->sides[SIDE_A]),
           b = share_of_lost_records(&comparison->sides[SIDE_B]);
    double more = fmax(a, b), less = fmin(a, b);
    char *reason;

    if (more <= LOSS_SHARE && (more <= LOSS_SHARE / 10 || more <= 2 * less)) {
        return true;
    }
    reason = find_reason(comparison, a >= b ? SIDE_A : SIDE_B, error);
    if (reason == NULL) {
        return false;
    }
    notes_append(&comparison->mismatches,
                 "records rejected or lost: %.3g %% in a, %.3g %% in b%s%s; see tracetool show",
                 100 * a, 100 * b, reason[0] == '\0' ? "" : "; most frequent reason: ", reason);
    free(reason);
    return true;
}

/* Adds comment lines with the importers' remarks that events are missing from a side's logs. */
static bool add_gaps(struct comparison *comparison, enum side side, struct error *error) {
    const struct compare_side *one = &comparison->sides[side];
    struct text before = {0};
    bool done = true;

    for (size_t i = 0; done && i < one->trace_count; i++) {
        text_clear(&before);
        text_append_format(&before, "%s, trace %s: ", side == SIDE_A ? "a" : "b",
                           one->traces[i]->name);
        done = add_lines(
            comparison, text_string(&before),
            "SELECT text FROM remark WHERE trace = ?1"
            " AND (text LIKE '%is lost%' OR text LIKE '%were lost%' OR text LIKE '%was lost%'"
            " OR text LIKE '%overwritten%' OR text LIKE '%maximum size%'"
            " OR text LIKE '%files of CPUs are missing%' OR text LIKE '%sampled%') ORDER BY number",
            one->traces[i]->id, 0, error);
    }
    text_free(&before);
    return done;
}

/* Adds a comment line if a statement returns different texts for the sides' first traces. */
static bool add_difference(struct comparison *comparison, const char *what, const char *sql,
                           struct error *error) {
    const struct compare_side *sides = comparison->sides;
    int64_t ignored;
    char *a = mismatch_find_text(comparison, sql, sides[SIDE_A].traces[0], &ignored, error);
    char *b = a == NULL
                  ? NULL
                  : mismatch_find_text(comparison, sql, sides[SIDE_B].traces[0], &ignored, error);
    bool done = b != NULL;

    if (done && strcmp(a, b) != 0) {
        notes_append(&comparison->mismatches, "%s: a %s; b %s", what, a[0] == '\0' ? "has none" : a,
                     b[0] == '\0' ? "has none" : b);
    }
    free(a);
    free(b);
    return done;
}

static void add_formats(struct comparison *comparison) {
    const struct catalog_trace *a = comparison->sides[SIDE_A].traces[0];
    const struct catalog_trace *b = comparison->sides[SIDE_B].traces[0];

    if (strcmp(a->format, b->format) != 0) {
        notes_append(&comparison->mismatches,
                     "the formats differ (%s and %s): they may log different calls, or name calls "
                     "differently",
                     a->format, b->format);
    }
}

/* Adds a comment line if both logs have the same format in different variants. */
static bool add_variants(struct comparison *comparison, struct error *error) {
    const struct compare_side *sides = comparison->sides;

    return strcmp(sides[SIDE_A].traces[0]->format, sides[SIDE_B].traces[0]->format) != 0 ||
           add_difference(comparison, "the logs were written differently",
                          "SELECT variant FROM trace WHERE id = ?1", error);
}

/* Adds a comment line if the sides' partition tables differ, but rows or filters use partitions. */
static bool mismatch_add_partitions(struct comparison *comparison, struct error *error) {
    const struct compare_side *a = &comparison->sides[SIDE_A];

    return (!word_in(a->query->compare.key, "partition") &&
            !filter_has(&comparison->request->sides[SIDE_A].filter, FILTER_PARTITION)) ||
           add_difference(
               comparison, "partitions are configured differently",
               "SELECT group_concat(name || iif(device IS NULL, '', printf(' on %d:%d',"
               " device >> 20, device & 1048575)) || iif(first_sector IS NULL, '',"
               " printf(' from sector %d, %d sectors', first_sector, sectors)), ', ')"
               " FROM (SELECT * FROM partition WHERE trace = ?1 ORDER BY number LIMIT 20)",
               error);
}

bool compare_add_mismatches(struct comparison *comparison, struct error *error) {
    bool same = compare_sides_are_same(comparison);

    if ((!same && !add_shared_files(comparison, error)) || !mismatch_add_loss(comparison, error) ||
        !add_gaps(comparison, SIDE_A, error) || !add_gaps(comparison, SIDE_B, error)) {
        return false;
    }
    add_formats(comparison);
    if (!add_variants(comparison, error) || !mismatch_add_partitions(comparison, error)) {
        return false;
    }
    add_run_times(comparison);
    if (!same) {
        const struct compare_quality *a = &comparison->sides[SIDE_A].quality;
        const struct compare_quality *b = &comparison->sides[SIDE_B].quality;
        struct text only_a = {0}, only_b = {0};
        size_t apart = mismatch_append_hours(&only_a, a->hours, b->hours);

        apart += mismatch_append_hours(&only_b, b->hours, a->hours);
        if (a->has_hours && b->has_hours && apart > HOURS_APART &&
            (mismatch_hours_of(a) >= HOURS_LEAST || mismatch_hours_of(b) >= HOURS_LEAST)) {
            notes_append(
                &comparison->mismatches,
                "hours of the day that only a covers: %s; only b: %s: compare --per second, "
                "and hours that both have",
                text_string(&only_a), text_string(&only_b));
        }
        text_free(&only_a);
        text_free(&only_b);
        add_clocks(comparison);
        add_filters(comparison);
    }
    add_untimed(comparison);
    if (compare_has_mispaired_ios(comparison)) {
        notes_append(&comparison->mismatches,
                     "no verdict on times: events were lost, so the issue and completion of two "
                     "requests may be paired as one (%.2f %% of the pairs in a, %.2f %% in b)",
                     100 * comparison->sides[SIDE_A].quality.joined,
                     100 * comparison->sides[SIDE_B].quality.joined);
    }
    add_steps(comparison);
    add_unmatched(comparison);
    return true;
}
