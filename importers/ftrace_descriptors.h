/* The files of system calls in ftrace's logs, by descriptor: followed as in strace's logs
 * (strace_files.h), from where the log tells the path of a call that opens one. It does in the
 * call's own line, where the kernel prints strings,
 *
 *     sys_openat(dfd: 0xffffff9c, filename: 0x7f99009190b1 "/data/app.db", flags: 0x80000, mode: 0)
 *
 * or by a probe of what reads the path, behind it:
 *
 *     getname: (getname_flags+0x0/0x1c0) pathname="/data/app.db"
 *
 * Nothing is guessed: a descriptor that the log does not tell the path of has no file. Threads that
 * the log does not tell the process of may share descriptors with others: these are followed from
 * an execve, or as children of such, until a clone3, which may make a thread. Where events were
 * lost, all is forgotten.
 */
#ifndef TRACETOOL_FTRACE_DESCRIPTORS_H
#define TRACETOOL_FTRACE_DESCRIPTORS_H

#include "ftrace_calls.h"
#include "strace_files.h"

/* A zeroed one is ready; ftrace_descriptors_end() frees what it owns. */
struct ftrace_descriptors {
    bool told; /* a path was; nothing is followed before, for nothing would be known */
    struct strace_files files;
    struct ftrace_process *processes; /* owned hash table */
    struct text numbers;              /* arguments of a call, as strace prints them */
    size_t losses;                    /* when all was forgotten last */
};

/* A call begins: sets its object. */
void ftrace_descriptors_begin(struct import *import, struct ftrace_descriptors *descriptors,
                              const struct ftrace_line *line, struct ftrace_call *call);

/* A call ends on this line with that result, as the kernel has it: sets what is new of its object,
 * and of transfers on a known file the place. */
void ftrace_descriptors_end_call(struct import *import, struct ftrace_descriptors *descriptors,
                                 const struct ftrace_line *line, int64_t result,
                                 struct ftrace_call *call);

/* Takes the line of a probe that tells the path of the call in which its thread is. False: it is
 * none. */
bool ftrace_descriptors_path(struct import *import, struct ftrace_descriptors *descriptors,
                             struct ftrace_calls *calls, const struct ftrace_line *line);

void ftrace_descriptors_end(struct ftrace_descriptors *descriptors);

#endif
