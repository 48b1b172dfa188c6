/* What makes two traces hard to compare, or impossible. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/comparison.h"
#include "model/kinds.h"

/* Times as long a run. */
#define RUN_FACTOR 10
/* Share of events whose key only one side has. */
#define UNMATCHED_SHARE 0.2
/* Differences of the shares that have no time, times as fine a clock, shares that filters leave
 * out.
 */
#define UNTIMED_SHARE 0.01
#define STEP_FACTOR   10
#define FILTER_SHARE  0.5
/* Hours of the day that only one side covers, where one covers at least three: fewer are chance. */
#define HOURS_APART 2
#define HOURS_LEAST 3

/* --- impossible ------------------------------------------------------------------------------- */

static const char *name_of(const struct comparison *comparison, enum side side) {
    return compare_side_name(&comparison->sides[side]);
}

/* Whether what is compared is times, or says how long something took. */
static bool compare_is_of_times(const struct comparison *comparison) {
    return comparison->method == &compare_times || comparison->method == &compare_values ||
           comparison->method == &compare_paths;
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

    return !compare_is_of_times(comparison) ||
           (length_a == length_b && memcmp(a, b, length_a) == 0) ||
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
    if (compare_is_of_times(comparison) && strcmp(a->clock_unit, b->clock_unit) != 0) {
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

/* Traces beside themselves are meant so: they share files and clock. */
bool compare_is_same(const struct comparison *comparison) {
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

/* What has a time may differ from what has none. */
static bool add_untimed(struct comparison *comparison, struct error *error) {
    double a = untimed_share(&comparison->sides[SIDE_A].quality);
    double b = untimed_share(&comparison->sides[SIDE_B].quality);

    return fabs(a - b) <= UNTIMED_SHARE + 1e-9 ||
           remarks_add(&comparison->mismatches, error,
                       "without a time: %.3g %% in a, %.3g %% in b: those that have one may not be "
                       "of the same sort",
                       100 * a, 100 * b);
}

static bool add_joined(struct comparison *comparison, struct error *error) {
    return !compare_joins(comparison) ||
           remarks_add(
               &comparison->mismatches, error,
               "no verdict on times: events are lost, and %.2f %% of the pairs of issue and "
               "completion in a, %.2f %% in b may join two requests",
               100 * comparison->sides[SIDE_A].quality.joined,
               100 * comparison->sides[SIDE_B].quality.joined);
}

static double left_out(const struct compare_quality *quality) {
    return quality->all > 0 ? 1 - (double)quality->selected / (double)quality->all : 0;
}

static bool add_filters(struct comparison *comparison, struct error *error) {
    double a = left_out(&comparison->sides[SIDE_A].quality);
    double b = left_out(&comparison->sides[SIDE_B].quality);

    return (a > FILTER_SHARE) == (b > FILTER_SHARE) ||
           remarks_add(&comparison->mismatches, error,
                       "the filters leave out %.3g %% of a and %.3g %% of b", 100 * a, 100 * b);
}

static bool add_steps(struct comparison *comparison, struct error *error) {
    int64_t a = comparison->sides[SIDE_A].quality.step, b = comparison->sides[SIDE_B].quality.step;

    return a == 0 || b == 0 ||
           fmax((double)a, (double)b) <= STEP_FACTOR * fmin((double)a, (double)b) ||
           remarks_add(&comparison->mismatches, error,
                       "times are multiples of %lld ns in a, of %lld ns in b: smaller differences "
                       "are the clock's, of which D makes more than Wasserstein's distance",
                       (long long)a, (long long)b);
}

/* Hours that the one covers and the other does not, as 9-11 13. */
static size_t append_hours(struct text *text, const bool *hours, const bool *others) {
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

static size_t hours_of(const struct compare_quality *quality) {
    size_t count = 0;

    for (int hour = 0; hour < QUALITY_HOURS; hour++) {
        count += quality->hours[hour];
    }
    return count;
}

static bool add_hours(struct comparison *comparison, struct error *error) {
    const struct compare_quality *a = &comparison->sides[SIDE_A].quality;
    const struct compare_quality *b = &comparison->sides[SIDE_B].quality;
    struct text only_a = {0}, only_b = {0};
    size_t apart = append_hours(&only_a, a->hours, b->hours);
    bool done;

    apart += append_hours(&only_b, b->hours, a->hours);
    done = !a->has_hours || !b->has_hours || apart <= HOURS_APART ||
           (hours_of(a) < HOURS_LEAST && hours_of(b) < HOURS_LEAST) ||
           remarks_add(&comparison->mismatches, error,
                       "hours of the day that only a covers: %s; only b: %s: compare --per second, "
                       "and hours that both have",
                       text_string(&only_a), text_string(&only_b));
    text_free(&only_a);
    text_free(&only_b);
    return done;
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

    return strcmp(unit, "ns") == 0 || !compare_is_of_times(comparison) ||
           remarks_add(&comparison->mismatches, error,
                       "times are in %s, which may not be the same in both: compare shares", unit);
}

static bool add_unmatched(struct comparison *comparison, struct error *error) {
    const struct compare_table *table = &comparison->table;
    double alone = 0, all = 0;

    if (comparison->method != &compare_counts && comparison->method != &compare_times &&
        comparison->method != &compare_paths) {
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
    bool same = compare_is_same(comparison);

    return compare_mismatches_of_logs(comparison, same, error) &&
           add_run_times(comparison, error) && (same || add_hours(comparison, error)) &&
           (same || add_clocks(comparison, error)) && (same || add_filters(comparison, error)) &&
           add_untimed(comparison, error) && add_joined(comparison, error) &&
           add_steps(comparison, error) && add_unmatched(comparison, error);
}
