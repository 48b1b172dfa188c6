/* Student's t distribution. */
#ifndef TRACETOOL_STUDENT_H
#define TRACETOOL_STUDENT_H

/* Returns t such that the interval from -t to t contains `share` of the distribution (above 0,
 * below 1). `degrees` of freedom: at least 1, not necessarily whole. Exact to nine digits up to
 * 1,000 degrees, to five above. Returns NAN if an argument is out of range. */
double student_t_critical_two_sided(double share, double degrees);

/* Returns the two-sided p-value of t: the share of the distribution outside of -t to t. */
double student_p_of_t(double t, double degrees);

#endif
