/* Functions of the kernel as nested calls, as the tracer function_graph prints them, and the marks
 * of Android's applications' threads (B, E and I): kind spans.
 *
 *     # TIME        CPU  TASK/PID         DURATION                  FUNCTION CALLS
 *       100.000010 |   0)    cat-42      |               |  vfs_read() {
 *       100.000010 |   0)    cat-42      |   0.151 us    |    dput.part.0();
 *       100.000176 |   0)    cat-42      | ! 166.010 us  |  }
 *
 * The log may have any of the columns in front of the body; their form identifies them. */
#ifndef TRACETOOL_FTRACE_GRAPH_H
#define TRACETOOL_FTRACE_GRAPH_H

#include "ftrace_line.h"
#include "import/importer.h"
#include "import/lookup_cache.h"

#define FTRACE_GRAPH_THREADS 16384 /* with open functions that are followed */
#define FTRACE_GRAPH_DEPTH   256   /* open at once in a thread; the kernel has 50 */

struct ftrace_graph_thread;
struct ftrace_graph_cpu;

/* State of a trace; a zeroed one is ready for ftrace_graph_begin(). */
struct ftrace_graph {
    struct lookup_cache functions, components, actors;
    struct ftrace_graph_thread *threads; /* owned hash table */
    struct ftrace_graph_cpu *cpus;       /* owned: FTRACE_GRAPH_CPUS of them, made when needed */
    /* Places where events were lost, of whatever thread: the caller counts them. The indentation of
     * a thread's next line tells which of its calls go on; the others have no end. */
    uint64_t losses;
    int64_t laid_out, passed, points; /* for remarks */
};

enum ftrace_graph_taken {
    GRAPH_TAKEN,
    GRAPH_STRAY,    /* an exit of what is not known, which is dropped */
    GRAPH_TOO_DEEP, /* more open than is followed */
};

/* Makes it ready. ftrace_graph_end() in any case. */
void ftrace_graph_begin(struct ftrace_graph *graph);

/* Makes calls of a line, whose time counts from the first event of the log; where it has none, it
 * is laid out by the durations. `offset` and `bytes` say where it is. */
enum ftrace_graph_taken ftrace_graph_take(struct import *import, struct ftrace_graph *graph,
                                          struct ftrace_graph_line *line, int64_t offset,
                                          int64_t bytes);

/* `B|PID|name`, `E|PID` or `E`, or a point in time, `I|PID|name`, by a line whose fields are what
 * ftrace_line_mark() gives; `*is_mark`: whether it is one of them. */
enum ftrace_graph_taken ftrace_graph_mark(struct import *import, struct ftrace_graph *graph,
                                          const struct ftrace_line *line, bool *is_mark,
                                          int64_t offset, int64_t bytes);

/* The task that a CPU runs before its first switch, as that says (GRAPH_SWITCH). Nothing changes
 * where it is known. */
void ftrace_graph_before(struct ftrace_graph *graph, const struct ftrace_graph_line *first);

/* Remarks unless `failed`, and frees the state. */
void ftrace_graph_end(struct import *import, struct ftrace_graph *graph, bool failed);

extern const struct event_meaning ftrace_graph_meanings[];

/* dump_span(): the arguments of an entry, what was returned at an exit. */
void ftrace_graph_dump(const struct dump_event *dump, enum dump_moment moment, struct text *out);

#endif
