/* Counts events that are not parsed, by name, for the summary. */
#ifndef TRACETOOL_FTRACE_UNREAD_H
#define TRACETOOL_FTRACE_UNREAD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "input/word.h"

#define FTRACE_UNREAD_NAMES 1024 /* counted by name; further names count as `others` */

struct ftrace_unread_name;

/* Initialise with zeros. */
struct ftrace_unread {
    struct ftrace_unread_name *names; /* owned hash table */
    int64_t total;
};

/* Counts an event. */
void ftrace_unread_count(struct ftrace_unread *unread, struct word name);

/* Appends the most frequent names and how often each occurred: `sched_waking 1234, …`. */
void ftrace_unread_list(struct ftrace_unread *unread, struct text *out);

void ftrace_unread_free(struct ftrace_unread *unread);

#endif
