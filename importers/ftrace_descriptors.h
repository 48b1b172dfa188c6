/* Files of system calls in ftrace logs, by descriptor. Tracked as in strace logs (strace_files.h),
 * from
 * an open with a known path. The path is in the call's own line, if the kernel prints strings,
 *
 *     sys_openat(dfd: 0xffffff9c, filename: 0x7f99009190b1 "/data/app.db", flags: 0x80000, mode: 0)
 *
 * or in the line of a probe on the function that reads the path, which follows:
 *
 *     getname: (getname_flags+0x0/0x1c0) pathname="/data/app.db"
 *
 * Nothing is guessed: a descriptor opened without a known path has no file. A thread with unknown
 * process may share descriptors with others. It is tracked from an execve on, as are its children,
 * until a clone3, which may make a thread. After lost events, everything is forgotten. */
#ifndef TRACETOOL_FTRACE_DESCRIPTORS_H
#define TRACETOOL_FTRACE_DESCRIPTORS_H

#include "ftrace_calls.h"
#include "strace_files.h"

/* Initialise with zeros; ftrace_descriptors_end() frees its memory. */
struct ftrace_descriptors {
    bool told; /* a path was read; before the first one nothing is tracked */
    struct strace_files files;
    struct ftrace_process *processes; /* hash table; owned */
    struct text numbers;              /* arguments of a call, in strace's form */
    size_t losses;                    /* number of losses when everything was last forgotten */
};

/* Follows the start of a call: sets its object. */
void ftrace_descriptors_begin(struct import *import, struct ftrace_descriptors *descriptors,
                              const struct ftrace_line *line, struct ftrace_call *call);

/* Follows the end of a call in this line, with the kernel's result. Updates its object, and sets
 * the offset of a transfer on a known file. */
void ftrace_descriptors_end_call(struct import *import, struct ftrace_descriptors *descriptors,
                                 const struct ftrace_line *line, int64_t result,
                                 struct ftrace_call *call);

/* Reads the line of a probe with the path of its thread's current call. False if it is another
 * line. */
bool ftrace_descriptors_path(struct import *import, struct ftrace_descriptors *descriptors,
                             struct ftrace_calls *calls, const struct ftrace_line *line);

void ftrace_descriptors_end(struct ftrace_descriptors *descriptors);

#endif
