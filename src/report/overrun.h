/* What counts are of where the kernel's buffers ran over. */
#ifndef TRACETOOL_OVERRUN_H
#define TRACETOOL_OVERRUN_H

/* A SELECT over temp.selection that gives a line for each of its traces that begins before the
 * events of all CPUs are there (losses_complete_since() in import/losses.h), with the option that
 * leaves this part out. Its time is rounded up. */
extern const char overrun_remark[];

#endif
