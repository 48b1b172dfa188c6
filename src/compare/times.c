/* Calls and the time that they took: how much of a change is that there were more calls, and how
 * much that a call took longer. */
#include <math.h>
#include <stdlib.h>

#include "compare/comparison.h"
#include "compare/blocks.h"

/* What the change of the number of calls makes of the delta: (calls_b - calls_a) * mean_a. With no
 * call before there is no mean, and all is because there are calls now. */
static double by_calls(const struct compare_row *row, const double scale[SIDES]) {
    double calls[SIDES], self[SIDES];

    for (enum side side = SIDE_A; side < SIDES; side++) {
        calls[side] = (double)row->numbers[side][NUMBER_CALLS] * scale[side];
        self[side] = (double)row->numbers[side][NUMBER_VALUE] * scale[side];
    }
    if (calls[SIDE_A] <= 0 || calls[SIDE_B] <= 0) {
        return self[SIDE_B] - self[SIDE_A];
    }
    return (calls[SIDE_B] - calls[SIDE_A]) * (self[SIDE_A] / calls[SIDE_A]);
}

static bool knows_calls(const struct comparison *comparison) {
    return comparison->sides[SIDE_A].query->compare.calls != NULL;
}

static bool finish(struct comparison *comparison, struct error *error) {
    struct compare_table *table = &comparison->table;
    double change = 0, more_calls = 0, delta = 0;

    for (size_t i = 0; i < table->count; i++) {
        struct compare_row *row = table->rows[i];

        for (enum side side = SIDE_A; side < SIDES; side++) {
            row->values[side] = (double)row->numbers[side][NUMBER_VALUE] * comparison->scale[side];
        }
        row->delta = row->values[SIDE_B] - row->values[SIDE_A];
        row->ratio = compare_ratio(row->values[SIDE_A], row->values[SIDE_B]);
        change += fabs(row->delta);
        delta += row->delta;
        more_calls += by_calls(row, comparison->scale);
    }
    for (size_t i = 0; i < table->count; i++) {
        table->rows[i]->part = compare_share(fabs(table->rows[i]->delta), change);
    }
    if (compare_traces_tell(comparison) && !row_intervals_find(comparison, error)) {
        return false;
    }
    compare_decide_all(comparison);
    notes_append(&comparison->notes,
                 "all rows: delta %+.6g, changes up and down %.6g, of which part is the row's "
                 "share",
                 delta, change);
    if (knows_calls(comparison)) {
        notes_append(&comparison->notes,
                     "delta = by_calls + by_mean: %+.6g by more or fewer calls at a's mean, "
                     "%+.6g by calls that take longer or shorter",
                     more_calls, delta - more_calls);
    }
    return true;
}

/* Whole units of the clock where nothing is scaled: then the two parts add up to the last one. */
static void fill_whole(const struct compare_row *row, const struct comparison *comparison,
                       struct value *values) {
    int64_t delta =
        compare_delta(row->numbers[SIDE_A][NUMBER_VALUE], row->numbers[SIDE_B][NUMBER_VALUE]);
    double calls = nearbyint(by_calls(row, comparison->scale));
    int64_t whole = fabs(calls) < 9e18 ? (int64_t)calls : delta;

    /* A double has not all digits of the largest times. */
    if (row->numbers[SIDE_A][NUMBER_CALLS] == 0 || row->numbers[SIDE_B][NUMBER_CALLS] == 0) {
        whole = delta;
    }
    compare_put_integer(&values[4], delta);
    compare_put_integer(&values[5], whole);
    compare_put_integer(&values[6], compare_delta(whole, delta));
}

static void fill(const struct comparison *comparison, const struct compare_row *row,
                 struct value *values) {
    for (enum side side = SIDE_A; side < SIDES; side++) {
        if (comparison->scaled) {
            compare_put_real(&values[side],
                             (double)row->numbers[side][NUMBER_CALLS] * comparison->scale[side]);
            compare_put_real(&values[2 + side], row->values[side]);
        } else {
            compare_put_integer(&values[side], row->numbers[side][NUMBER_CALLS]);
            compare_put_integer(&values[2 + side], row->numbers[side][NUMBER_VALUE]);
        }
        compare_put_real(&values[8 + side],
                         compare_share((double)row->numbers[side][NUMBER_VALUE],
                                       comparison->sides[side].totals[NUMBER_VALUE]));
    }
    if (comparison->scaled) {
        double calls = by_calls(row, comparison->scale);

        compare_put_real(&values[4], row->delta);
        compare_put_real(&values[5], calls);
        compare_put_real(&values[6], row->delta - calls);
    } else {
        fill_whole(row, comparison, values);
    }
    if (!knows_calls(comparison)) {
        values[0] = values[1] = values[5] = values[6] = (struct value){.type = VALUE_NULL};
    }
    compare_put_real(&values[7], row->ratio);
    compare_put_real(&values[10], row->part);
    compare_put_status(&values[11], row);
    compare_put_text(&values[12], compare_verdicts[row->verdict]);
    compare_put_real(&values[13], row->low);
    compare_put_real(&values[14], row->high);
}

const struct compare_method_row compare_times = {
    .columns = {{"calls_a", "", COLUMN_INTEGER},
                {"calls_b", "", COLUMN_INTEGER},
                {"self_a", "ns", COLUMN_DURATION},
                {"self_b", "ns", COLUMN_DURATION},
                {"delta", "ns", COLUMN_DURATION},
                {"by_calls", "ns", COLUMN_DURATION},
                {"by_mean", "ns", COLUMN_DURATION},
                {"ratio", "", COLUMN_REAL},
                {"share_a", "fraction", COLUMN_SHARE},
                {"share_b", "fraction", COLUMN_SHARE},
                {"part", "fraction", COLUMN_SHARE},
                {"status", "", COLUMN_TEXT},
                {"verdict", "", COLUMN_TEXT},
                {"low", "", COLUMN_REAL},
                {"high", "", COLUMN_REAL}},
    .pers = "second call run none",
    .usual_per = PER_RUN,
    .sorts = "part delta ratio a b",
    .usual_sort = SORT_PART,
    .finish = finish,
    .fill = fill,
};
