/* Imports system calls of ftrace logs into a trace of kind calls. The lines of enter and exit of a
 * call are matched by thread. */
#ifndef TRACETOOL_FTRACE_SYSCALLS_H
#define TRACETOOL_FTRACE_SYSCALLS_H

#include "ftrace_calls.h"
#include "model/linux.h"
#include "strace_files.h"

/* Tracks which file each descriptor refers to, for system calls in ftrace logs. As in strace logs
 * (strace_files.h), a descriptor is known from an open on whose path is known. The path is in the
 * call's own line, if the kernel prints strings,
 *
 *     sys_openat(dfd: 0xffffff9c, filename: 0x7f99009190b1 "/data/app.db", flags: 0x80000, mode: 0)
 *
 * or in a later line, logged by a probe on the function that reads the path:
 *
 *     getname: (getname_flags+0x0/0x1c0) pathname="/data/app.db"
 *
 * Nothing is guessed: a descriptor opened without a known path has no file. If the log does not
 * name a thread's process, other threads may share its descriptors. So its descriptors are tracked
 * only after an execve, and those of its children, until a clone3, which may create a thread. After
 * lost events, all descriptors are forgotten. */

/* State of descriptors. Initialise with zeros; ftrace_descriptors_end() frees its memory. */
struct ftrace_descriptors {
    bool has_paths; /* true: a line with a path was read; before that, nothing is tracked */
    struct strace_files files;
    struct ftrace_process *processes; /* hash table; owned */
    struct text numbers;              /* arguments of the current call, in strace's form */
    size_t losses; /* number of losses when all descriptors were last forgotten */
};

/* Reads a line that a probe has logged: a path of the thread's current call. False otherwise. */
bool ftrace_descriptors_read(struct import *import, struct ftrace_descriptors *descriptors,
                             struct ftrace_calls *calls, const struct ftrace_line *line);

void ftrace_descriptors_end(struct ftrace_descriptors *descriptors);

/* Slots for the last line of each thread, by a hash of the thread. Of threads that share a slot,
 * only the latest line is stored. */
#define FTRACE_SYSCALLS_LAST 4096

/* The last line of a thread that is the start or end of a system call. */
struct ftrace_syscalls_last {
    int64_t thread;     /* key of the thread; 0: none */
    uint32_t operation; /* id of the call's name in table name */
    bool raw, ends;     /* raw: an event of raw_syscalls; ends: the end of the call */
    int64_t time;
};

/* State of system calls. Initialise with zeros. */
struct ftrace_syscalls {
    enum linux_processor processor; /* processor type, on which the meaning of call numbers in
                                       raw_syscalls depends */
    bool has_processor;             /* true: the log names the processor type */
    int64_t numbered;               /* number of lines of raw_syscalls read */
    struct ftrace_descriptors descriptors; /* owned; freed by ftrace_descriptors_end() */
    struct ftrace_syscalls_last last[FTRACE_SYSCALLS_LAST];
};

/* Reads the processor type from `# arch : aarch64`, which perf script --header prints. */
void ftrace_syscalls_read_arch(struct ftrace_syscalls *state, struct word line);

/* Reads the line of a system call. The start of a call is held in `calls` until its end. */
struct ftrace_outcome ftrace_syscalls_handle(struct import *import, struct ftrace_calls *calls,
                                             struct ftrace_syscalls *state,
                                             const struct ftrace_line *line);

/* Adds a remark on the processor type used for the numbers of calls. */
void ftrace_syscalls_add_remark(struct import *import, const struct ftrace_syscalls *state);

#endif
