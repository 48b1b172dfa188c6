/* Student's t distribution: p-values and confidence intervals for means of few values. */
#include "base/student.h"

#include <float.h>
#include <math.h>

enum {
    FRACTIONS = 10000, /* limit of terms of the continued fraction */
    HALVINGS = 200,
};

/* With at least so many degrees of freedom, the normal distribution is equally exact. */
#define MOST_DEGREES 1e6

/* Replaces a number near 0 by a small one, so that it can be a divisor. */
static double not_zero(double x) {
    return fabs(x) < DBL_MIN / DBL_EPSILON ? DBL_MIN / DBL_EPSILON : x;
}

/* Computes the continued fraction of the incomplete beta function, by Lentz's method. */
static double beta_fraction(double a, double b, double x) {
    double c = 1, d = 1 / not_zero(1 - (a + b) * x / (a + 1)), product = d;

    for (int i = 1; i <= FRACTIONS; i++) {
        double even = i * (b - i) * x / ((a + 2 * i - 1) * (a + 2 * i));
        double odd = -(a + i) * (a + b + i) * x / ((a + 2 * i) * (a + 2 * i + 1));
        double step;

        d = 1 / not_zero(1 + even * d);
        c = not_zero(1 + even / c);
        product *= d * c;
        d = 1 / not_zero(1 + odd * d);
        c = not_zero(1 + odd / c);
        step = d * c;
        product *= step;
        if (fabs(step - 1) < 4 * DBL_EPSILON) {
            break;
        }
    }
    return product;
}

/* Computes the regularised incomplete beta function; `y` is 1 - x. */
static double beta_share(double a, double b, double x, double y) {
    double front;

    if (x <= 0 || y <= 0) {
        return x <= 0 ? 0 : 1;
    }
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(y));
    return x < (a + 1) / (a + b + 2) ? front * beta_fraction(a, b, x) / a
                                     : 1 - front * beta_fraction(b, a, y) / b;
}

double student_p_of_t(double t, double degrees) {
    double square = t * t;

    if (!(degrees >= 1) || isnan(t)) {
        return NAN;
    }
    degrees = fmin(degrees, MOST_DEGREES);
    return isinf(square) ? 0
                         : beta_share(degrees / 2, 0.5, degrees / (degrees + square),
                                      square / (degrees + square));
}

/* Finds x = degrees / (degrees + t²) by bisection of log x, because x may be tiny. */
double student_t_critical_two_sided(double share, double degrees) {
    double low = -50, high = 0;

    if (!(share > 0 && share < 1 && degrees >= 1)) {
        return NAN;
    }
    degrees = fmin(degrees, MOST_DEGREES);
    for (int i = 0; i < HALVINGS && high - low > DBL_EPSILON * fabs(low) / 4; i++) {
        double middle = (low + high) / 2;

        if (beta_share(degrees / 2, 0.5, exp(middle), -expm1(middle)) < 1 - share) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return sqrt(degrees * expm1(-(low + high) / 2));
}
