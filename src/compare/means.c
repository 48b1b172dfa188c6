/* Comparison of means by Welch's test, which allows different deviations and numbers of values. The
 * interval of the ratio is Fieller's with Welch's degrees of freedom: it contains 1 exactly if the
 * test finds no significant difference. */
#include <math.h>

#include "base/student.h"
#include "compare/comparison.h"

/* Parameters of the difference of two means; NAN if a side has only one value. */
struct welch {
    double variances[SIDES]; /* variances of the means */
    double degrees;          /* degrees of freedom; NAN also if neither side varies */
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

/* Sets the interval of the ratio; none if the mean of a may be 0. */
static void find_bounds(const struct welch *welch, double deviations, struct compare_row *row) {
    double a = row->values[SIDE_A], b = row->values[SIDE_B], square = deviations * deviations;
    double least_a = a * a - square * welch->variances[SIDE_A];
    double least_b = b * b - square * welch->variances[SIDE_B];
    double root = sqrt(fmax(0, a * b * a * b - least_a * least_b));

    if (least_a > 0) {
        compare_bound((a * b - root) / least_a, (a * b + root) / least_a, &row->low, &row->high);
    }
}

/* Decides the verdict; without a ratio, by the difference alone. */
static enum verdict means_find_verdict(const struct comparison *comparison,
                                       const struct compare_row *row, const struct welch *welch) {
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
    row->verdict = means_find_verdict(comparison, row, &welch);
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
