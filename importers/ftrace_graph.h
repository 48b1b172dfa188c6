/* Kernel functions as nested calls, from the tracer function_graph, and marks of threads in Android
 * applications (B, E and I): kind spans.
 *
 *     # TIME        CPU  TASK/PID         DURATION                  FUNCTION CALLS
 *       100.000010 |   0)    cat-42      |               |  vfs_read() {
 *       100.000010 |   0)    cat-42      |   0.151 us    |    dput.part.0();
 *       100.000176 |   0)    cat-42      | ! 166.010 us  |  }
 *
 * Any of the columns before the body may be missing; they are recognised by their form. */
#ifndef TRACETOOL_FTRACE_GRAPH_H
#define TRACETOOL_FTRACE_GRAPH_H

#include "ftrace_line.h"
#include "import/importer.h"

#define FTRACE_GRAPH_THREADS 16384 /* tracked threads with open functions */
#define FTRACE_GRAPH_DEPTH   256   /* most open calls in a thread; the kernel's limit is 50 */

struct ftrace_graph_thread;
struct ftrace_graph_cpu;

/* State of a trace. Initialise it with zeros. */
struct ftrace_graph {
    struct ftrace_graph_thread *threads; /* hash table; owned */
    struct ftrace_graph_cpu *cpus;       /* owned: FTRACE_GRAPH_CPUS, allocated on first use */
    /* Number of losses in any thread, counted by the caller. The indentation of a thread's next
     * line shows which of its calls continue; the others have no end. */
    uint64_t losses;
    int64_t laid_out, passed, points; /* counts for notes */
};

/* Makes calls from a line; its time is relative to the first event of the log. Without a time, one
 * is computed from the durations. `offset` and `bytes` locate the line. */
struct ftrace_outcome ftrace_graph_handle(struct import *import, struct ftrace_graph *graph,
                                          struct ftrace_graph_line *line, int64_t offset,
                                          int64_t bytes);

/* Reasons in the ledger: an exit without a known call is dropped; too many calls are open. */
extern const char ftrace_beginless_mark[], ftrace_both_ends[], ftrace_too_deep[];

/* Reads `B|PID|name`, `E|PID` or `E`, or an instant, `I|PID|name`, from a line with the fields of
 * ftrace_line_mark(). */
struct ftrace_outcome ftrace_graph_mark(struct import *import, struct ftrace_graph *graph,
                                        const struct ftrace_line *line, int64_t offset,
                                        int64_t bytes);

/* Sets the task that a CPU runs before its first switch (GRAPH_SWITCH), which names it. Does
 * nothing if the task is already known. */
void ftrace_graph_before(struct ftrace_graph *graph, const struct ftrace_graph_line *first);

/* Adds notes unless `failed`, and frees the state. */
void ftrace_graph_end(struct import *import, struct ftrace_graph *graph, bool failed);

extern const struct event_meaning ftrace_graph_meanings[];

/* dump_span(): the arguments at an entry, the return value at an exit. */
void ftrace_graph_dump(const struct dump_event *dump, enum dump_moment moment, struct text *out);

#endif
