/* Converts ftrace's block events to requests with blktrace's actions. Also reads the block
 * allocations that file systems log, for `tracetool map`. */
#ifndef TRACETOOL_FTRACE_BLOCK_H
#define TRACETOOL_FTRACE_BLOCK_H

#include "block_trace.h"
#include "ftrace_line.h"
#include "import/importer.h"

#define FTRACE_BLOCK_DEVICES 64 /* devices with known completed requests */

struct ftrace_block {
    struct block_trace trace;
    /* Devices with completed requests: there, completions of bios are duplicates. */
    int64_t completing[FTRACE_BLOCK_DEVICES];
    size_t completing_count;
    int64_t doubled, traced; /* skipped completions, and skipped lines of the tracer blk */
    int64_t accounted;       /* events of I/O accounting, which do not show its end */
};

/* Makes a request from a line, with the line's time. `has_events`: the log has block events, so
 * lines of the tracer blk are skipped. */
struct ftrace_outcome ftrace_block_parse(struct ftrace_block *state, const struct ftrace_line *line,
                                         bool has_events, struct block_request *request);

/* Adds notes on skipped lines. */
void ftrace_block_remark(struct import *import, const struct ftrace_block *state);

/* --- allocations --------------------------------------------------------------------------- */

/* Limit of CPUs. If a log has more, events may be missing at any time before each loss. */
#define FTRACE_ALLOCATION_CPUS 512
/* Limit of gaps. All records from a further gap on count as lost. */
#define FTRACE_ALLOCATION_GAPS 1024

/* A period with missing records. */
struct ftrace_gap {
    int64_t from, to; /* `to` is INT64_MAX for a gap to the end */
};

/* Period between a recording and the ones before. Nothing is known about it unless an earlier
 * recording continues. */
struct ftrace_break {
    struct ftrace_gap gap;
    size_t begin; /* index plus 1 of the gap for records overwritten at its start; 0: none */
};

/* A recording: a file, or the part after another header in it. Zeros: not begun. */
struct ftrace_recording {
    bool begun;
    bool overwritten;                  /* events before some CPU's first one were overwritten */
    bool cpus[FTRACE_ALLOCATION_CPUS]; /* CPUs with an event */
    int64_t last;                      /* time of its last event */
    size_t breaks;                     /* number of breaks when it began, including its own */
    size_t begin;                      /* `begin` of its break (struct ftrace_break) */
};

/* Zeros: nothing was read. Times are those of the trace. */
struct ftrace_allocations {
    int64_t kept; /* number of records kept */
    bool begun;   /* an event was read */
    int64_t last; /* time of the latest event so far */
    struct {
        int64_t last; /* time of its last event; 0: none yet */
        size_t gap;   /* index plus 1 of the gap that the next event on this CPU ends; 0: none */
    } cpus[FTRACE_ALLOCATION_CPUS];
    size_t doubt; /* index plus 1 of the gap that the next event on any CPU ends; 0: none */
    struct ftrace_gap gaps[FTRACE_ALLOCATION_GAPS];
    size_t gap_count;
    struct ftrace_break breaks[FTRACE_ALLOCATION_GAPS]; /* sorted by time */
    size_t break_count;
    bool more; /* true: there are further breaks, of which the first begins at `rest_from` */
    int64_t rest_from;
};

/* Records the time of any event of a recording. */
void ftrace_allocations_see(struct ftrace_allocations *state, struct ftrace_recording *recording,
                            const struct ftrace_line *line);

/* Follows a loss: events are missing before the next one of that CPU. */
void ftrace_allocations_lost(struct ftrace_allocations *state, int64_t cpu);

/* Marks a period as unknown. */
void ftrace_allocations_missing(struct ftrace_allocations *state, int64_t from, int64_t to);

/* Follows a line that could not be read and may be about blocks. The time from the last event to
 * the next is unknown. */
void ftrace_allocations_doubt(struct ftrace_allocations *state);

/* Reads a line; `import` is the trace of block I/O. */
struct ftrace_outcome ftrace_allocations_handle(struct import *import,
                                                struct ftrace_allocations *state,
                                                const struct ftrace_line *line);

/* Stores the gaps. */
void ftrace_allocations_end(struct import *import, const struct ftrace_allocations *state);

#endif
