/* Linux system calls and errors: names, numbers, and what calls do to files. */
#ifndef TRACETOOL_LINUX_H
#define TRACETOOL_LINUX_H

#include <stdbool.h>
#include <stdint.h>

#include "input/word.h"
#include "model/event.h"

/* --- numbers of system calls ------------------------------------------------------------------ */

/* Numbers of system calls depend on the processor; from 424 on, all processors have the same. */

/* Largest number of a named system call, plus 1. */
#define LINUX_CALL_NUMBERS 470

enum linux_processor {
    LINUX_X86_64,
    LINUX_GENERIC, /* arm64, RISC-V and LoongArch (64 bits) */
};

/* Names of system calls by processor and number (NULL: none); and the names that only other
 * processors have, separated by blanks. src/build/linux_calls.c generates both from libseccomp's
 * tables during the build. */
extern const char *const linux_call_names[LINUX_GENERIC + 1][LINUX_CALL_NUMBERS];
extern const char linux_call_other_names[];

/* Returns the name of a system call's number; NULL if there is none. */
const char *linux_call_name(enum linux_processor processor, int64_t number);

/* Returns whether a name is that of a system call on any 32- or 64-bit processor, now or in the
 * past. Also true for tracers' names of unknown calls: syscall_470, syscall_0x1d6, ????. */
bool linux_call_is_known(struct word name);

/* --- what system calls do to files ------------------------------------------------------------ */

/* What a system call does to a file; derived from its name, whatever the processor. */
enum call_does {
    CALL_OTHER, /* none of the other values, or the file is unknown */
    CALL_OPENS,
    CALL_READS,
    CALL_WRITES,
    CALL_COPIES,    /* reads from one file and writes to another */
    CALL_SYNCS,     /* makes one file durable: fsync, fdatasync */
    CALL_UNLINKS,   /* removes the name of a file */
    CALL_TRUNCATES, /* sets the length of a file */
    CALL_LOCKS,     /* fcntl, which may lock a file or do other things */
};

/* Returns what the system call with this name does to a file. */
enum call_does call_does(const char *name);

/* Returns the word in reports, a constant: "open", "read", "write", "copy", "fsync"; NULL: none. */
const char *call_does_word(enum call_does does);

/* What a system call may wait for, sorted by the words in reports. */
enum call_wait {
    WAIT_NONE, /* the call waits for nothing */
    WAIT_BINDER,
    WAIT_DESCRIPTOR, /* a descriptor of unknown type */
    WAIT_EVENT,
    WAIT_FILE,
    WAIT_FILESYSTEM, /* path lookup or change: reading directories and inodes */
    WAIT_LOCK,
    WAIT_PEER,
    WAIT_PIPE,
    WAIT_PROCESS,
    WAIT_RESTARTED,
    WAIT_SIGNAL,
    WAIT_STORAGE,
    WAIT_TIME,
    CALL_WAITS
};

/* Returns the word in reports, a constant: "file", "filesystem", …; NULL for WAIT_NONE. */
const char *call_wait_word(enum call_wait wait);

/* Returns what calls on a descriptor wait for. `name` is the path or name that strace -y prints
 * (`pipe:[4711]`, `anon_inode:[eventfd]`, `TCP:[…]`), or NULL; `typed`: its object has a type. */
enum call_wait wait_of_descriptor(const char *name, bool typed);

/* Returns what a system call of this name waits for. `descriptor`: what a read from its file
 * descriptor waits for, which decides for reads, writes and close. */
enum call_wait call_wait(const char *name, enum call_wait descriptor);

/* --- names of errors, by number --------------------------------------------------------------- */

/* Names and numbers of Linux errors. Most processors use these numbers (include/uapi/asm-generic);
 * a few differ on Alpha, MIPS, PA-RISC and SPARC. Includes errors that only the kernel and tracers
 * see, such as ERESTARTSYS. */

/* Largest number of a named error, plus 1. */
#define LINUX_ERRORS 530

/* Returns the number of an error such as ENOENT; EVENT_NONE if unknown. */
int64_t linux_error_number(struct word name);

/* Returns the name of an error number, or NULL. Of two names, returns the one strace prints. */
const char *linux_error_name(int64_t number);

#endif
