/* Lines by which logs of ftrace's form tell that events are missing:
 *
 *     CPU:2 [LOST 123 EVENTS]                              trace_pipe, and trace; 123 may be
 * missing CPU:2 [123 EVENTS DROPPED]                           trace-cmd report; 123 may be missing
 *     dd  3517 [001]  2720.475937: PERF_RECORD_LOST lost 123      perf script --show-lost-events
 *     # entries-in-buffer/entries-written: 2290/2765   #P:2       heading of trace
 *
 * Events are lost between the one of that CPU before the line and the one behind it; by the
 * heading, before all of the log. Sources: the kernel's kernel/trace/trace.c and trace_output.c,
 * trace-cmd's trace-read.c, perf's util/event.c, and a recording.
 */
#ifndef TRACETOOL_FTRACE_LOSS_H
#define TRACETOOL_FTRACE_LOSS_H

#include "ftrace_line.h"

/* Whether the line tells of a loss, without a time. `cpu` EVENT_NONE: the line names none. `lost`
 * EVENT_NONE: nor how many; 0: none. */
bool ftrace_loss_mark(struct word line, int64_t *cpu, int64_t *lost);

/* The same of a line with task, CPU and time. */
bool ftrace_loss_record(const struct ftrace_line *line, int64_t *lost);

/* How many events the heading says that the buffers of all CPUs hold, and held. False: the line
 * does not say. */
bool ftrace_loss_heading(struct word line, int64_t *kept, int64_t *written);

#endif
