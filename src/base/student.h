/* Student's distribution. */
#ifndef TRACETOOL_STUDENT_H
#define TRACETOOL_STUDENT_H

/* So many standard errors around 0 hold that share, more than 0 and less than 1, of Student's
 * distribution with so many degrees of freedom, which need not be whole, from 1 on. Exact to nine
 * digits up to 1,000 degrees, to five beyond. NAN for what is out of range. */
double student_deviations(double share, double degrees);

/* What share lies farther from 0 than `t` standard errors, on both sides together. */
double student_beyond(double t, double degrees);

#endif
