/* Linux system calls and errors: names, numbers, and effects of calls on files. */
#ifndef TRACETOOL_LINUX_H
#define TRACETOOL_LINUX_H

#include <stdbool.h>
#include <stdint.h>

#include "input/word.h"
#include "model/event.h"

/* --- numbers of system calls -------------------------------------------------------------------
 */

/* Linux's system call numbers, which depend on the processor architecture. From 424 on, they are
 * the same on all. */

/* One above the largest system call number with a name. */
#define LINUX_CALL_NUMBERS 470

enum linux_processor {
    LINUX_X86_64,
    LINUX_GENERIC, /* arm64, RISC-V and LoongArch, 64 bits */
};

/* Names by number (NULL: none), and other processors' names, separated by blanks. Generated at
 * build time by src/build/linux_calls.c from libseccomp's tables. */
extern const char *const linux_call_names[LINUX_GENERIC + 1][LINUX_CALL_NUMBERS];
extern const char linux_call_other_names[];

/* Name of a number; NULL: none. */
const char *linux_call_name(enum linux_processor processor, int64_t number);

/* Whether it is a system call on any processor, 32 or 64 bits, now or formerly. Also true for
 * tracers' names of unnamed calls: syscall_470, syscall_0x1d6, ????. */
bool linux_call_is_known(struct word name);

/* --- effects of system calls on files --------------------------------------------------------- */

/* Effect of a system call on a file, by its name, on any machine. */
enum call_does {
    CALL_OTHER, /* none of the effects below, or on an unknown file */
    CALL_OPENS,
    CALL_READS,
    CALL_WRITES,
    CALL_COPIES,    /* reads one file and writes another */
    CALL_SYNCS,     /* one file: fsync, fdatasync */
    CALL_UNLINKS,   /* removes a file's name */
    CALL_TRUNCATES, /* sets a file's length */
    CALL_LOCKS,     /* fcntl, which has other uses too */
};

/* Returns the effect of the system call called `name`. */
enum call_does call_does(const char *name);

/* Returns the word for an effect in reports: "open", "read", "write", "copy", "fsync"; NULL: other.
 * Constant. */
const char *call_does_word(enum call_does does);

/* What a call waits for, in order of the words. */
enum call_wait {
    WAIT_NONE, /* nothing */
    WAIT_BINDER,
    WAIT_DESCRIPTOR, /* a descriptor of unknown type */
    WAIT_EVENT,
    WAIT_FILE,
    WAIT_FILESYSTEM, /* path lookups, which read directories and inodes, and changes of either */
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

/* Returns the word for a wait: "file", "filesystem", …; NULL for WAIT_NONE. Constant. */
const char *call_wait_word(enum call_wait wait);

/* Returns what calls on a descriptor wait for, by its path or name as strace -y prints it
 * (`pipe:[4711]`, `anon_inode:[eventfd]`, `TCP:[…]`), and by whether it has a file type. `name` may
 * be NULL. */
enum call_wait wait_of_descriptor(const char *name, bool typed);

/* Returns what a call waits for, by its name. For transfers and close, it depends on the
 * descriptor. */
enum call_wait call_wait(const char *name, enum call_wait descriptor);

/* --- errors ------------------------------------------------------------------------------------
 */

/* Names and numbers of Linux errors. Numbers are the generic ones (include/uapi/asm-generic); a few
 * differ on Alpha, MIPS, PA-RISC and SPARC. Includes kernel-internal errors that tracers see, such
 * as ERESTARTSYS. */

/* One above the largest error number with a name. */
#define LINUX_ERRORS 530

/* Number of a name such as ENOENT; EVENT_NONE if unknown. */
int64_t linux_error_number(struct word name);

/* Name of a number; NULL: none. If there are two, the one that strace prints. */
const char *linux_error_name(int64_t number);

#endif
