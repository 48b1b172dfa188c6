/* Means of measured values compared: by Welch's test, which takes neither the deviations nor the
 * numbers of both sides for the same. The interval of the ratio is Fieller's with its degrees of
 * freedom: it holds 1 just where the test says that there may be no difference. */
#include <math.h>

#include "base/student.h"
#include "compare/comparison.h"

/* What is known of the difference of two means; NAN: with one value on a side, nothing. */
struct welch {
    double variances[SIDES]; /* of the means */
    double degrees;          /* of freedom; NAN where neither side varies, too */
};

static struct welch welch_of(const struct compare_row *row) {
    struct welch welch;
    double sum = 0, parts = 0;

    for (enum side side = SIDE_A; side < SIDES; side++) {
        double count = row->count[side];
        double variance = row->deviation[side] * row->deviation[side] / count;

        welch.variances[side] = variance;
        sum += variance;
        parts += variance * variance / (count - 1);
    }
    welch.degrees = sum * sum / parts;
    return welch;
}

/* The interval of the ratio; none where the mean of a may be 0. */
static void find_bounds(const struct welch *welch, double deviations, struct compare_row *row) {
    double a = row->values[SIDE_A], b = row->values[SIDE_B], square = deviations * deviations;
    double least_a = a * a - square * welch->variances[SIDE_A];
    double least_b = b * b - square * welch->variances[SIDE_B];
    double root = sqrt(fmax(0, a * b * a * b - least_a * least_b));

    if (least_a > 0) {
        compare_bound((a * b - root) / least_a, (a * b + root) / least_a, &row->low, &row->high);
    }
}

/* Without a ratio, by the difference alone. */
static enum verdict find_verdict(const struct comparison *comparison, const struct compare_row *row,
                                 const struct welch *welch) {
    double reach = row->delta == 0 ? 0 : INFINITY;

    if (!row->has[SIDE_A] || !row->has[SIDE_B] || !isnan(row->ratio) ||
        comparison->request->blocks == 0 || comparison->is_itself) {
        return compare_decide(comparison, row);
    }
    if (!isnan(welch->degrees)) {
        reach = student_deviations(comparison->request->confidence, welch->degrees) *
                sqrt(welch->variances[SIDE_A] + welch->variances[SIDE_B]);
    } else if (welch->variances[SIDE_A] + welch->variances[SIDE_B] == 0) {
        reach = 0;
    }
    return fabs(row->delta) <= reach ? row->delta == 0 ? VERDICT_SAME : VERDICT_UNCLEAR
           : row->delta > 0          ? VERDICT_MORE
                                     : VERDICT_LESS;
}

static void compare_mean(const struct comparison *comparison, struct compare_row *row) {
    struct welch welch = {{NAN, NAN}, NAN};
    double variance = NAN;

    if (row->has[SIDE_A] && row->has[SIDE_B]) {
        welch = welch_of(row);
        variance = welch.variances[SIDE_A] + welch.variances[SIDE_B];
    }
    if (variance == 0) {
        row->low = row->high = row->ratio;
        row->p = row->delta == 0;
    } else if (variance > 0) {
        find_bounds(&welch, student_deviations(comparison->request->confidence, welch.degrees),
                    row);
        row->p = student_beyond(row->delta / sqrt(variance), welch.degrees);
    }
    row->verdict = find_verdict(comparison, row, &welch);
}

void compare_means(struct comparison *comparison) {
    for (size_t i = 0; i < comparison->table.count; i++) {
        compare_mean(comparison, comparison->table.rows[i]);
    }
    notes_append(&comparison->notes,
                 "low and high: %g %% confidence interval of the ratio of means, of values that "
                 "are independent (Welch's t, Fieller)",
                 100 * comparison->request->confidence);
}
