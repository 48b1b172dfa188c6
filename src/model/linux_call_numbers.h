/* Numbers of Linux's system calls, which are other ones on each family of processors. From 424 on
 * they are the same on all. */
#ifndef TRACETOOL_LINUX_CALL_NUMBERS_H
#define TRACETOOL_LINUX_CALL_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

#include "input/word.h"

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

#endif
