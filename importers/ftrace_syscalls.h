/* System calls of ftrace as calls: enters and exits, matched by thread. */
#ifndef TRACETOOL_FTRACE_SYSCALLS_H
#define TRACETOOL_FTRACE_SYSCALLS_H

#include "ftrace_descriptors.h"
#include "model/linux.h"

/* Slots for threads known to be outside of calls. If two threads share a slot, the last counts. */
#define FTRACE_SYSCALLS_OUTSIDE 4096

/* Initialise with zeros. */
struct ftrace_syscalls {
    enum linux_processor processor;           /* processor for the numbers of raw system calls */
    bool told;                                /* the log gave the processor */
    int64_t numbered;                         /* number of raw system calls */
    struct ftrace_descriptors descriptors;    /* owned; freed by ftrace_descriptors_end() */
    int64_t outside[FTRACE_SYSCALLS_OUTSIDE]; /* threads with an exit as last line; 0: none */
};

/* Reads `# arch : aarch64` of perf script --header. */
void ftrace_syscalls_heading(struct ftrace_syscalls *state, struct word line);

/* Reads the line of a system call. A started call is held in `calls` until its end. */
enum ftrace_call_taken ftrace_syscalls_take(struct import *import, struct ftrace_calls *calls,
                                            struct ftrace_syscalls *state,
                                            const struct ftrace_line *line);

/* Adds a note on the processor used for call numbers. */
void ftrace_syscalls_remark(struct import *import, const struct ftrace_syscalls *state);

#endif
