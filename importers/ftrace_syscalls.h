/* System calls of ftrace, as calls: what enters and exits the kernel, by thread. */
#ifndef TRACETOOL_FTRACE_SYSCALLS_H
#define TRACETOOL_FTRACE_SYSCALLS_H

#include "ftrace_descriptors.h"
#include "model/linux.h"

/* Places for threads that are known to be outside of calls; of two at one place the last is known.
 */
#define FTRACE_SYSCALLS_OUTSIDE 4096

/* A zeroed one is ready. */
struct ftrace_syscalls {
    enum linux_processor processor;           /* that the numbers of raw system calls are of */
    bool told;                                /* the log says so */
    int64_t numbered;                         /* raw system calls */
    struct ftrace_descriptors descriptors;    /* owned; ftrace_descriptors_end() */
    int64_t outside[FTRACE_SYSCALLS_OUTSIDE]; /* threads whose last line was an exit; 0: none */
};

/* `# arch : aarch64`, of perf script --header. */
void ftrace_syscalls_heading(struct ftrace_syscalls *state, struct word line);

/* Takes a line, where it is of a system call: one that begins waits in `calls` for its end. */
enum ftrace_call_taken ftrace_syscalls_take(struct import *import, struct ftrace_calls *calls,
                                            struct ftrace_syscalls *state,
                                            const struct ftrace_line *line);

/* Remarks on what the numbers rest on. */
void ftrace_syscalls_remark(struct import *import, const struct ftrace_syscalls *state);

#endif
