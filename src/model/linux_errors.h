/* Names and numbers of Linux's errors. Numbers are the generic ones, of include/uapi/asm-generic;
 * a few differ on Alpha, MIPS, PA-RISC and SPARC. With them are those that a system call only has
 * inside the kernel and that tracers see: ERESTARTSYS and its like. */
#ifndef TRACETOOL_LINUX_ERRORS_H
#define TRACETOOL_LINUX_ERRORS_H

#include "input/word.h"
#include "model/event.h"

/* Above all numbers that have a name. */
#define LINUX_ERRORS 530

/* The number behind a name such as ENOENT, EVENT_NONE when there is none. */
int64_t linux_error_number(struct word name);

/* The name of a number; NULL: it has none. Of two names the one that strace prints. */
const char *linux_error_name(int64_t number);

#endif
