/* Linux's system calls and errors: their names and numbers, and what calls do to files. */
#ifndef TRACETOOL_LINUX_H
#define TRACETOOL_LINUX_H

#include <stdbool.h>
#include <stdint.h>

#include "input/word.h"
#include "model/event.h"

/* --- numbers of system calls ------------------------------------------------------------------ */

/* Numbers of Linux's system calls, which depend on the processor. From 424 on, all processors have
 * the same ones. */

/* One above the largest system call number with a name. */
#define LINUX_CALL_NUMBERS 470

enum linux_processor {
    LINUX_X86_64,
    LINUX_GENERIC, /* arm64, RISC-V and LoongArch with 64 bits */
};

/* Names of system calls by processor and number (NULL: none). Then, as one string for each: names
 * that other processors have, separated by blanks. src/build/linux_calls.c makes them from
 * libseccomp's tables during the build. */
extern const char *const linux_call_names[LINUX_GENERIC + 1][LINUX_CALL_NUMBERS];
extern const char linux_call_other_names[];

/* Returns the name of a system call's number; NULL if there is none. */
const char *linux_call_name(enum linux_processor processor, int64_t number);

/* Returns whether a name is that of a system call on some processor of 32 or 64 bits, now or
 * earlier. Also true for names that tracers give unknown calls: syscall_470, syscall_0x1d6,
 * ????. */
bool linux_call_is_known(struct word name);

/* --- what system calls do to files ------------------------------------------------------------ */

/* What a system call does to a file, by its name, on any machine. */
enum call_does {
    CALL_OTHER, /* a call of no other group here, or on an unknown file */
    CALL_OPENS,
    CALL_READS,
    CALL_WRITES,
    CALL_COPIES,    /* reads from one file and writes to another */
    CALL_SYNCS,     /* makes one file durable: fsync, fdatasync */
    CALL_UNLINKS,   /* removes the name of a file */
    CALL_TRUNCATES, /* sets the length of a file */
    CALL_LOCKS,     /* fcntl, which locks files, but has other uses, too */
};

/* Returns what the system call with this name does to a file. */
enum call_does call_does(const char *name);

/* Returns the word for it in reports: "open", "read", "write", "copy", "fsync"; NULL: none.
 * Constant. */
const char *call_does_word(enum call_does does);

/* What a system call may wait for, in the order of their words. */
enum call_wait {
    WAIT_NONE, /* nothing */
    WAIT_BINDER,
    WAIT_DESCRIPTOR, /* a descriptor, whose type is unknown */
    WAIT_EVENT,
    WAIT_FILE,
    WAIT_FILESYSTEM, /* looking up paths (reading directories and inodes), or changing them */
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

/* Returns the word for what a call waits for: "file", "filesystem", …; NULL for WAIT_NONE.
 * Constant. */
const char *call_wait_word(enum call_wait wait);

/* Returns what calls on a descriptor wait for, by the path or name that strace -y prints
 * (`pipe:[4711]`, `anon_inode:[eventfd]`, `TCP:[…]`), and whether that has a file type. `name` may
 * be NULL. */
enum call_wait wait_of_descriptor(const char *name, bool typed);

/* Returns what a system call waits for, by its name. Reads, writes and close wait for what
 * `descriptor` says. */
enum call_wait call_wait(const char *name, enum call_wait descriptor);

/* --- names of errors, by number --------------------------------------------------------------- */

/* Names and numbers of Linux's errors. Most processors use these numbers
 * (include/uapi/asm-generic); a few differ on Alpha, MIPS, PA-RISC and SPARC. Contains errors that
 * only the kernel and tracers see, such as ERESTARTSYS. */

/* 1 more than the largest number of an error with a name. */
#define LINUX_ERRORS 530

/* Returns the number of an error such as ENOENT; EVENT_NONE if unknown. */
int64_t linux_error_number(struct word name);

/* Returns the name of an error number; NULL: none. Of two names, the one that strace prints. */
const char *linux_error_name(int64_t number);

#endif
