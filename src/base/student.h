/* Student's t distribution. */
#ifndef TRACETOOL_STUDENT_H
#define TRACETOOL_STUDENT_H

/* Returns t such that the interval ±t around 0 holds `share` of the distribution, above 0 and below
 * 1. `degrees` of freedom: at least 1, not necessarily whole. Exact to nine digits up to 1,000
 * degrees, above to five. NAN if an argument is out of range. */
double student_t_of_share(double share, double degrees);

/* Returns the two-sided p-value of t: the share of the distribution outside ±t. */
double student_p_of_t(double t, double degrees);

#endif
