/* Values by group: where in the distribution the change lies (a shift function), and whether blocks
 * of time say that it is more than chance. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/comparison.h"
#include "compare/inference.h"
#include "compare/statistics.h"
#include "base/memory.h"

/* Groups that have a # line of their own. */
#define SAID_GROUPS 32

/* Correlation times that a block must hold; likelihood up to which a side changes within itself. */
#define BLOCK_TIMES 5
#define DRIFT_P     0.01

const char *const compare_levels[COMPARE_LEVELS] = {"p1",  "p5",  "p10", "p25",   "p50", "p75",
                                                    "p90", "p95", "p99", "p99.9", "max", "mean"};

enum { LEVEL_LARGEST = DISTRIBUTION_QUANTILE_COUNT, LEVEL_MEAN };

static int64_t compare_level(const struct compare_group *group, enum side side, int level) {
    return level < LEVEL_LARGEST    ? group->quantiles[side][level]
           : level == LEVEL_LARGEST ? group->largest[side]
                                    : group->means[side];
}

/* --- the # lines ------------------------------------------------------------------------------ */

static bool say_method(struct comparison *comparison, struct error *error) {
    const struct compare_request *request = comparison->request;
    bool several = compare_fewest_blocks(comparison) < DISTRIBUTION_FEWEST;

    if (several && request->blocks > 0 && !compare_traces_tell(comparison)) {
        return remarks_add(&comparison->remarks, error,
                           "low, high and p: not known, for one side is a single trace: how much "
                           "traces differ by chance needs several on both");
    }
    if (several && request->blocks > 0) {
        return remarks_add(&comparison->remarks, error,
                           "low and high: of the ratio, with a confidence of %g %%, by drawing "
                           "traces anew; p: by shuffling them; traces weigh the same, but a and b "
                           "are of all values together; up to %d times, seed %llu",
                           100 * request->confidence, request->resamples,
                           (unsigned long long)request->seed);
    }
    return request->blocks == 0
               ? remarks_add(&comparison->remarks, error,
                             "without blocks of time (--blocks 0): "
                             "how likely it is by chance is not known")
               : remarks_add(&comparison->remarks, error,
                             "low and high: of the ratio, with a confidence of %g %%, by drawing "
                             "blocks of time anew; p: by shuffling them; up to %d blocks a side, "
                             "%d times, seed %llu",
                             100 * request->confidence, request->blocks, request->resamples,
                             (unsigned long long)request->seed);
}

/* What is said of a group behind its name. `lack`: where nothing is known of chance, why. */
static void append_effects(struct text *line, const struct compare_group *group,
                           const struct inference *inference, const char *lack) {
    text_append_format(line, ": n %lld and %lld", (long long)group->counts[SIDE_A],
                       (long long)group->counts[SIDE_B]);
    if (!group->has[SIDE_A] || !group->has[SIDE_B]) {
        return;
    }
    text_append_format(line, "; D %.6g", inference->d);
    if (inference->done) {
        text_append_format(line, " (p %.4g)", inference->d_p);
    }
    text_append_format(line, "; Cliff's delta %.6g (%s); Wasserstein distance %.6g doublings",
                       inference->cliff, statistics_cliff_word(inference->cliff),
                       inference->wasserstein);
    if (!inference->done) {
        text_append_string(line, lack);
        return;
    }
    text_append_format(line, " (p %.4g)", inference->wasserstein_p);
    text_append_format(
        line, "; correlation time %.3g and %.3g values (%.4g and %.4g effective ones)",
        inference->sides[SIDE_A].correlation_time, inference->sides[SIDE_B].correlation_time,
        inference->sides[SIDE_A].effective, inference->sides[SIDE_B].effective);
}

/* Whether the blocks of a side are hardly longer than values depend on one another, where they do
 * not show that by themselves. */
static bool say_blocks(struct comparison *comparison, const struct compare_group *group,
                       const struct inference *inference, enum side side, struct error *error) {
    const struct inference_side *known = &inference->sides[side];
    double values = (double)group->counts[side] / (double)group->cuts[side].blocks;
    const char *name = side == SIDE_A ? "a" : "b";

    return !inference->done || inference->is_dependent ||
           values >= BLOCK_TIMES * known->correlation_time ||
           compare_fewest_blocks(comparison) < DISTRIBUTION_FEWEST ||
           remarks_add(&comparison->remarks, error,
                       "%s: blocks of %s hold %.4g values, less than %d correlation times: "
                       "differences may be chance; use fewer --blocks or longer traces",
                       group->name, name, values, BLOCK_TIMES);
}

static bool say_dependence(struct comparison *comparison, const struct compare_group *group,
                           const struct inference *inference, struct error *error) {
    return !inference->is_dependent ||
           remarks_add(&comparison->remarks, error, "%s: " DEPENDENCE_REMARK, group->name,
                       inference->hurst);
}

static bool say_drift(struct comparison *comparison, const struct compare_group *group,
                      const struct inference *inference, enum side side, struct error *error) {
    const struct inference_side *known = &inference->sides[side];

    return !inference->done || known->drift_p > DRIFT_P || known->drift <= inference->wasserstein ||
           known->drift <= log2(1 + comparison->request->noise) ||
           remarks_add(&comparison->remarks, error,
                       "%s: the first and the last third of %s are %.6g doublings apart, more than "
                       "a and b: it changes within itself, by which p and intervals are larger",
                       group->name, side == SIDE_A ? "a" : "b", known->drift);
}

static bool say_group(struct comparison *comparison, const struct compare_group *group,
                      const struct inference *inference, struct error *error) {
    struct text line = {0};
    bool done;

    text_append_string(&line, group->name[0] == '\0' ? "(no name)" : group->name);
    append_effects(&line, group, inference,
                   comparison->request->blocks == 0 ? ""
                   : compare_fewest_blocks(comparison) < DISTRIBUTION_FEWEST
                       ? "; too few traces"
                       : "; too few values for blocks of time");
    done = (!line.failed || error_no_memory(error)) &&
           remarks_add(&comparison->remarks, error, "%s", text_string(&line)) &&
           say_dependence(comparison, group, inference, error);
    text_free(&line);
    for (enum side side = SIDE_A; done && side < SIDES; side++) {
        done = say_blocks(comparison, group, inference, side, error) &&
               say_drift(comparison, group, inference, side, error);
    }
    return done;
}

/* --- rows ------------------------------------------------------------------------------------- */

static void fill_row(const struct comparison *comparison, struct compare_row *row,
                     const struct compare_group *group, const struct inference *inference) {
    int ratio = row->level < LEVEL_LARGEST ? row->level
                : row->level == LEVEL_MEAN ? INFERENCE_RATIOS - 1
                                           : -1;

    for (enum side side = SIDE_A; side < SIDES; side++) {
        row->has[side] = group->has[side];
        row->numbers[side][NUMBER_VALUE] = compare_level(group, side, row->level);
        row->values[side] = group->has[side] ? (double)row->numbers[side][NUMBER_VALUE] : NAN;
    }
    row->delta = row->values[SIDE_B] - row->values[SIDE_A];
    row->ratio = compare_ratio(row->values[SIDE_A], row->values[SIDE_B]);
    row->low = ratio < 0 ? NAN : inference->low[ratio];
    row->high = ratio < 0 ? NAN : inference->high[ratio];
    row->p = inference->done ? inference->wasserstein_p : NAN;
    row->verdict = compare_decide(comparison, row);
    /* A value of 0 is one like others, and no lack of any. */
    if ((row->verdict == VERDICT_MORE || row->verdict == VERDICT_LESS) && isnan(row->low) &&
        comparison->request->blocks > 0) {
        row->verdict = VERDICT_UNCLEAR;
    }
}

static bool infer(struct comparison *comparison, struct inference *inferences,
                  struct error *error) {
    const struct compare_request *request = comparison->request;
    struct resampling_random random = {.state = request->seed};

    for (size_t i = 0; i < comparison->groups.count; i++) {
        const struct compare_group *group = &comparison->groups.groups[i];

        if (!inference_make(group, &random, compare_fewest_blocks(comparison), request->resamples,
                            request->confidence, &inferences[i], error) ||
            (i < SAID_GROUPS && !say_group(comparison, group, &inferences[i], error))) {
            return false;
        }
    }
    return true;
}

static bool finish(struct comparison *comparison, struct error *error) {
    struct inference *inferences = xcalloc(comparison->groups.count + 1, sizeof *inferences);
    bool done = (inferences != NULL || error_no_memory(error)) && say_method(comparison, error) &&
                infer(comparison, inferences, error);

    for (size_t i = 0; done && i < comparison->table.count; i++) {
        struct compare_row *row = comparison->table.rows[i];

        fill_row(comparison, row, &comparison->groups.groups[row->group], &inferences[row->group]);
    }
    free(inferences);
    return done;
}

static void fill(const struct comparison *comparison, const struct compare_row *row,
                 struct value *values) {
    (void)comparison;
    for (enum side side = SIDE_A; side < SIDES; side++) {
        if (row->has[side]) {
            compare_put_integer(&values[side], row->numbers[side][NUMBER_VALUE]);
        }
    }
    if (row->has[SIDE_A] && row->has[SIDE_B]) {
        compare_put_integer(&values[2], compare_delta(row->numbers[SIDE_A][NUMBER_VALUE],
                                                      row->numbers[SIDE_B][NUMBER_VALUE]));
    }
    compare_put_real(&values[3], row->ratio);
    compare_put_real(&values[4], row->low);
    compare_put_real(&values[5], row->high);
    compare_put_text(&values[6], compare_verdicts[row->verdict]);
}

const struct compare_method_row compare_values = {
    .keys = {{"group", "", COLUMN_TEXT}, {"quantile", "", COLUMN_TEXT}},
    .columns = {{"a", "ns", COLUMN_DURATION},
                {"b", "ns", COLUMN_DURATION},
                {"delta", "ns", COLUMN_DURATION},
                {"ratio", "", COLUMN_REAL},
                {"low", "", COLUMN_REAL},
                {"high", "", COLUMN_REAL},
                {"verdict", "", COLUMN_TEXT}},
    .pers = "",
    .usual_per = PER_NONE,
    .sorts = "delta ratio a b",
    .usual_sort = SORT_USUAL,
    .keeps_order = true,
    .finish = finish,
    .fill = fill,
};
