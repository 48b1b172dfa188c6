/* System calls and errors of Linux: names, numbers, and what calls do to files. */
#ifndef TRACETOOL_LINUX_H
#define TRACETOOL_LINUX_H

#include <stdbool.h>
#include <stdint.h>

#include "input/word.h"
#include "model/event.h"

/* --- numbers of system calls -------------------------------------------------------------------
 */

/* Numbers of Linux's system calls, which are other ones on each family of processors. From 424 on
 * they are the same on all. */

/* Above all numbers that have a name. */
#define LINUX_CALL_NUMBERS 470

enum linux_processor {
    LINUX_X86_64,
    LINUX_GENERIC, /* arm64, RISC-V and LoongArch with 64 bits */
};

/* The names by number, NULL where there is none, and further names of other processors, with blanks
 * between them. Written at build time by src/build/linux_calls.c, out of libseccomp's tables. */
extern const char *const linux_call_names[LINUX_GENERIC + 1][LINUX_CALL_NUMBERS];
extern const char linux_call_other_names[];

/* By the name that `uname -m` prints; false for one whose numbers are not known. */
bool linux_processor_find(struct word name, enum linux_processor *processor);

/* The name of a number; NULL: it has none. */
const char *linux_call_name(enum linux_processor processor, int64_t number);

/* Whether it is the name of a system call on any processor, with 32 bits or 64, now or once, or
 * what tracers write for one without a name: syscall_470, syscall_0x1d6, ????. */
bool linux_call_is_known(struct word name);

/* --- what system calls do to files -------------------------------------------------------------
 */

/* What system calls do to files, by their names: those of Linux, on all machines. */
enum call_does {
    CALL_OTHER, /* none of the others, or its file is not known by it */
    CALL_OPENS,
    CALL_READS,
    CALL_WRITES,
    CALL_COPIES,    /* reads one file and writes another */
    CALL_SYNCS,     /* one file: fsync, fdatasync */
    CALL_UNLINKS,   /* takes the name of a file away */
    CALL_TRUNCATES, /* sets its length */
    CALL_LOCKS,     /* fcntl, which does other things, too */
};

/* `name` is NUL-terminated. */
enum call_does call_does(const char *name);

/* What reports count: "open", "read", "write", "copy", "fsync"; NULL: another. Constant. */
const char *call_does_word(enum call_does does);

/* What calls wait for, in order of their words. */
enum call_wait {
    WAIT_NONE, /* nothing: they are not made for waiting */
    WAIT_BINDER,
    WAIT_DESCRIPTOR, /* what that leads to is not known */
    WAIT_EVENT,
    WAIT_FILE,
    WAIT_FILESYSTEM, /* lookups by path, which read directories and inodes, and changes of either */
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

/* "file", "filesystem" …; NULL for WAIT_NONE. Constant. */
const char *call_wait_word(enum call_wait wait);

/* What a descriptor leads to, by the path or name that its calls have, as strace -y prints it
 * (`pipe:[4711]`, `anon_inode:[eventfd]`, `TCP:[…]`), and whether that has a file type. `name` may
 * be NULL. */
enum call_wait descriptor_wait(const char *name, bool typed);

/* What a call waits for by its name; transfers, and the close of a file, by what the descriptor
 * leads to. */
enum call_wait call_wait(const char *name, enum call_wait descriptor);

/* --- errors ------------------------------------------------------------------------------------
 */

/* Names and numbers of Linux's errors. Numbers are the generic ones, of include/uapi/asm-generic;
 * a few differ on Alpha, MIPS, PA-RISC and SPARC. With them are those that a system call only has
 * inside the kernel and that tracers see: ERESTARTSYS and its like. */

/* Above all numbers that have a name. */
#define LINUX_ERRORS 530

/* The number behind a name such as ENOENT, EVENT_NONE when there is none. */
int64_t linux_error_number(struct word name);

/* The name of a number; NULL: it has none. Of two names the one that strace prints. */
const char *linux_error_name(int64_t number);

#endif
