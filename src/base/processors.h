/* How many processors the program may use. */
#ifndef TRACETOOL_PROCESSORS_H
#define TRACETOOL_PROCESSORS_H

/* Returns the number of processors that the program may use, at least 1. */
int processor_count(void);

#endif
