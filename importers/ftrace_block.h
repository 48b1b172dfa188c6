/* Converts ftrace's block events to requests with blktrace's actions. Also reads the block
 * allocations that file systems log, for `tracetool map`. */
#ifndef TRACETOOL_FTRACE_BLOCK_H
#define TRACETOOL_FTRACE_BLOCK_H

#include "block_trace.h"
#include "ftrace_line.h"
#include "import/importer.h"

#define FTRACE_BLOCK_DEVICES 1024 /* maximum devices that are known to complete requests */

struct ftrace_block {
    struct block_trace trace;
    /* Devices of which the log has completions of requests; completions of their bios are
     * duplicates. */
    int64_t completing[FTRACE_BLOCK_DEVICES];
    size_t completing_count;
    int64_t doubled, traced; /* numbers ignored: repeated completions; lines of the tracer blk */
    int64_t accounted; /* number of ignored block_io_start and _done events: they lack sectors */
};

/* Makes a request from a line, with the line's time. `has_events`: the log has block events, so a
 * line of the tracer blk is ignored as a repetition. */
struct ftrace_outcome ftrace_block_parse(struct ftrace_block *state, const struct ftrace_line *line,
                                         bool has_events, struct block_request *request);

/* Adds remarks on lines that were ignored as repetitions. */
void ftrace_block_add_remarks(struct import *import, const struct ftrace_block *state);

/* --- allocations: which file owns which blocks ------------------------------------------------ */

/* Maximum CPUs. If a CPU above this loses events, the owners of all blocks are unknown. */
#define FTRACE_ALLOCATION_CPUS 512
/* Maximum gaps. If there are more, all records from the first further gap on count as lost. */
#define FTRACE_ALLOCATION_GAPS 1024

/* A period in which records of allocations may be missing. */
struct ftrace_gap {
    int64_t from, to; /* `to` INT64_MAX: up to the end of the trace */
};

/* The gap between two recordings. Allocations in it are unknown, unless another recording covers
 * it. */
struct ftrace_break {
    struct ftrace_gap gap;
    size_t begin; /* index + 1 of the gap for the later recording's overwritten events; 0: none */
};

/* A recording: a file, or a part of one after another header. Zeros before its first event. */
struct ftrace_recording {
    bool begun;
    bool overwritten; /* true: the header says that the first events were overwritten */
    bool cpus[FTRACE_ALLOCATION_CPUS]; /* true: the CPU has an event in the recording */
    int64_t last;                      /* time of the last event read from the recording */
    size_t breaks; /* number of breaks when the recording began, with the break before it */
    size_t begin;  /* index + 1 of the gap for overwritten first events; 0: none */
};

/* Periods of the trace in which records of allocations may be missing. Initialise with zeros. Times
 * are in nanoseconds since the start of the trace. */
struct ftrace_allocations {
    int64_t kept; /* number of records of allocations that were stored */
    bool begun;   /* true: an event was read */
    int64_t last; /* latest time of an event so far */
    struct {
        int64_t last; /* time of the CPU's last event; 0: none yet */
        size_t gap; /* index + 1 in `gaps` of the gap that ends at the CPU's next event; 0: none */
    } cpus[FTRACE_ALLOCATION_CPUS];
    size_t doubt; /* index + 1 in `gaps` of the gap at a damaged line: ends at the next event on any
                     CPU; 0: none */
    struct ftrace_gap gaps[FTRACE_ALLOCATION_GAPS];
    size_t gap_count;
    struct ftrace_break breaks[FTRACE_ALLOCATION_GAPS]; /* sorted by time */
    size_t break_count;
    bool more; /* true: too many gaps or breaks, so all records from `rest_from` on count as lost */
    int64_t rest_from;
};

/* Records the time of an event of any kind in a recording. */
void ftrace_allocations_note_time(struct ftrace_allocations *state,
                                  struct ftrace_recording *recording,
                                  const struct ftrace_line *line);

/* Handles a loss: events are missing before the next event of the CPU. */
void ftrace_allocations_note_loss(struct ftrace_allocations *state, int64_t cpu);

/* Marks the allocations of a period as unknown. */
void ftrace_allocations_mark_unknown(struct ftrace_allocations *state, int64_t from, int64_t to);

/* Handles a line that could not be read and may be about allocations. They are unknown from the
 * last event to the next. */
void ftrace_allocations_note_damage(struct ftrace_allocations *state);

/* Reads an event about block allocations; stores its records with `import`, a trace of kind io. */
struct ftrace_outcome ftrace_block_allocations_handle(struct import *import,
                                                      struct ftrace_allocations *state,
                                                      const struct ftrace_line *line);

/* Stores the periods in which allocations may be missing. */
void ftrace_allocations_end(struct import *import, const struct ftrace_allocations *state);

#endif
