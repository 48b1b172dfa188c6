/* Student's t distribution. */
#ifndef TRACETOOL_STUDENT_H
#define TRACETOOL_STUDENT_H

/* Returns the t value whose interval ±t around 0 holds `share` (more than 0, less than 1) of the
 * distribution. `degrees` of freedom are at least 1 and need not be whole. Exact to nine digits up
 * to 1,000 degrees, to five beyond. NAN if an argument is out of range. */
double student_deviations(double share, double degrees);

/* Two-sided p-value: the share of the distribution beyond ±t. */
double student_beyond(double t, double degrees);

#endif
