/* Events of a log that are not read, counted by name, for what is said of them in the end. */
#ifndef TRACETOOL_FTRACE_UNREAD_H
#define TRACETOOL_FTRACE_UNREAD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "input/word.h"

#define FTRACE_UNREAD_NAMES 1024 /* that are told apart; names beyond count as `others` */

struct ftrace_unread_name;

/* A zeroed one is ready. */
struct ftrace_unread {
    struct ftrace_unread_name *names; /* owned hash table */
    int64_t total;
};

/* Counts one; out of memory only loses the name. */
void ftrace_unread_count(struct ftrace_unread *unread, struct word name);

/* Appends the most frequent names and how often each occurred: `sched_waking 1234, …`. */
void ftrace_unread_list(struct ftrace_unread *unread, struct text *out);

void ftrace_unread_free(struct ftrace_unread *unread);

#endif
