#ifndef TRACETOOL_PROCESSORS_H
#define TRACETOOL_PROCESSORS_H

/* Returns the number of processors that this process may use (its CPU affinity), at least 1. */
int processor_count(void);

#endif
