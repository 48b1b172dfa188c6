/* Processors that the program may use. */
#ifndef TRACETOOL_PROCESSORS_H
#define TRACETOOL_PROCESSORS_H

/* Returns their number, at least 1. */
int processor_count(void);

#endif
