/* Block events of ftrace as requests with blktrace's actions, and the block allocations that file
 * systems log, for `tracetool map`. */
#ifndef TRACETOOL_FTRACE_BLOCK_H
#define TRACETOOL_FTRACE_BLOCK_H

#include "block_trace.h"
#include "ftrace_line.h"
#include "import/importer.h"

#define FTRACE_BLOCK_DEVICES 64 /* for which completed requests are remembered */

struct ftrace_block {
    struct block_trace trace;
    /* Devices with completed requests: completions of their bios say the same again. */
    int64_t completing[FTRACE_BLOCK_DEVICES];
    size_t completing_count;
    int64_t doubled, traced; /* completions and lines of the tracer blk passed over */
    int64_t accounted;       /* events of the accounting of I/Os, which do not tell their end */
};

enum ftrace_taken {
    FTRACE_OTHER,   /* it is none of these */
    FTRACE_REQUEST, /* a request was made of it */
    FTRACE_IGNORED, /* it says nothing that is not said elsewhere */
    FTRACE_DAMAGED,
};

/* Makes a request of a line; its time is the line's. `has_events`: the log has events beside what
 * the tracer blk prints, which is passed over then. `*reason` is why it is ignored or damaged. */
enum ftrace_taken ftrace_block_parse(struct ftrace_block *state, const struct ftrace_line *line,
                                     bool has_events, struct block_request *request,
                                     const char **reason);

/* Remarks on what was passed over. */
void ftrace_block_remark(struct import *import, const struct ftrace_block *state);

/* --- allocations --------------------------------------------------------------------------- */

#define FTRACE_ALLOCATION_CPUS 512  /* beyond, a loss is one of all the time before */
#define FTRACE_ALLOCATION_GAPS 1024 /* times of losses; from a further one on, all is lost */

/* A time of which records are missing. */
struct ftrace_gap {
    int64_t from, to; /* `to`: INT64_MAX, they are missing to the end */
};

/* The time between a recording and those before it: nothing is known of it, unless one of them
 * turns out to go on. */
struct ftrace_break {
    struct ftrace_gap gap;
    size_t begin; /* 1 and which gap is that of what was overwritten at its begin; 0: none */
};

/* A recording: a file, or what follows a further heading in it. Zeroed: it has not begun. */
struct ftrace_recording {
    bool begun;
    bool overwritten;                  /* events before the first one of some CPU */
    bool cpus[FTRACE_ALLOCATION_CPUS]; /* that an event was of */
    int64_t last;                      /* time of its last event */
    size_t breaks;                     /* how many there were when it began, its own among them */
    size_t begin;                      /* as that of its break */
};

/* Zeroed: nothing was seen. Times are those of the trace. */
struct ftrace_allocations {
    int64_t kept; /* records that say something */
    bool begun;   /* an event was seen … */
    int64_t last; /* … the latest of all then */
    struct {
        int64_t last; /* time of its last event; 0: none was seen */
        size_t gap;   /* 1 and which one it ends next; 0: none */
    } cpus[FTRACE_ALLOCATION_CPUS];
    size_t doubt; /* likewise, of what any event ends */
    struct ftrace_gap gaps[FTRACE_ALLOCATION_GAPS];
    size_t gap_count;
    struct ftrace_break breaks[FTRACE_ALLOCATION_GAPS]; /* in order of time */
    size_t break_count;
    bool more; /* there are further ones, the first of which begins then */
    int64_t rest_from;
};

enum ftrace_allocation_taken {
    FTRACE_ALLOCATION_OTHER, /* it is no such event */
    FTRACE_ALLOCATION_TAKEN,
    FTRACE_ALLOCATION_DAMAGED,
};

/* Notes when an event of a recording was, whatever it is. */
void ftrace_allocations_see(struct ftrace_allocations *state, struct ftrace_recording *recording,
                            const struct ftrace_line *line);

/* The next event of that CPU comes behind lost ones. */
void ftrace_allocations_lost(struct ftrace_allocations *state, int64_t cpu);

/* Between two times nothing is known. */
void ftrace_allocations_missing(struct ftrace_allocations *state, int64_t from, int64_t to);

/* Something that may have told of blocks could not be read: nothing is known from the last event on
 * until the next one. */
void ftrace_allocations_doubt(struct ftrace_allocations *state);

/* Takes a line; `import` is the trace of block I/O. */
enum ftrace_allocation_taken ftrace_allocations_take(struct import *import,
                                                     struct ftrace_allocations *state,
                                                     const struct ftrace_line *line);

/* Keeps what was lost. */
void ftrace_allocations_end(struct import *import, const struct ftrace_allocations *state);

#endif
