/* What file systems tell of whose their blocks are, kept for `tracetool map`. */
#ifndef TRACETOOL_FTRACE_ALLOCATIONS_H
#define TRACETOOL_FTRACE_ALLOCATIONS_H

#include "ftrace_line.h"
#include "import/importer.h"

#define FTRACE_ALLOCATION_CPUS 512  /* beyond, a loss is one of all the time before */
#define FTRACE_ALLOCATION_GAPS 1024 /* times of losses; from a further one on, all is lost */

/* A time of which records are missing. */
struct ftrace_gap {
    int64_t from, to; /* `to`: INT64_MAX, they are missing to the end */
};

/* Zeroed: nothing was seen. Times are those of the trace. */
struct ftrace_allocations {
    int64_t kept; /* records that say something */
    struct {
        bool seen;
        int64_t first, last; /* times of its events */
        size_t gap;          /* 1 and which one it ends next; 0: none */
    } cpus[FTRACE_ALLOCATION_CPUS];
    struct ftrace_gap gaps[FTRACE_ALLOCATION_GAPS];
    size_t gap_count;
    bool more; /* there are further ones, the first of which begins then */
    int64_t rest_from;
};

enum ftrace_allocation_taken {
    FTRACE_ALLOCATION_OTHER, /* it is no such event */
    FTRACE_ALLOCATION_TAKEN,
    FTRACE_ALLOCATION_DAMAGED,
    FTRACE_ALLOCATION_STOP,
};

/* Notes when an event was, whatever it is. */
void ftrace_allocations_see(struct ftrace_allocations *state, const struct ftrace_line *line);

/* The next event of that CPU comes behind lost ones. */
void ftrace_allocations_lost(struct ftrace_allocations *state, int64_t cpu);

/* Takes a line; `import` is the trace of block I/O. */
enum ftrace_allocation_taken ftrace_allocations_take(struct import *import,
                                                     struct ftrace_allocations *state,
                                                     const struct ftrace_line *line);

/* Keeps what was lost; `overwritten`: so were events before the first one of some CPU. False: stop.
 */
bool ftrace_allocations_end(struct import *import, const struct ftrace_allocations *state,
                            bool overwritten);

#endif
