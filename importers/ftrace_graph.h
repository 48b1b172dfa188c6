/* Kernel functions as nested calls, from the tracer function_graph, and marks of threads in
 * Android applications (B, E and I): as traces of kind spans.
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

#define FTRACE_GRAPH_THREADS 16384 /* maximum tracked threads with open calls */
#define FTRACE_GRAPH_DEPTH   256   /* maximum open calls in a thread; the kernel's limit is 50 */

struct ftrace_graph_thread;
struct ftrace_graph_cpu;

/* State of the calls in a trace. Initialise it with zeros. */
struct ftrace_graph {
    struct ftrace_graph_thread *threads; /* hash table; owned */
    struct ftrace_graph_cpu *cpus; /* owned: array of FTRACE_GRAPH_CPUS, allocated on first use */
    /* Number of losses of events in the log, counted by the caller. After a loss, the indentation
     * of a thread's next line shows which calls are still open; others have no end. */
    uint64_t losses;
    int64_t laid_out, passed, points; /* numbers of lines for remarks: without a time; of leaf calls
                                         whose duration was ignored; of exits without an entry */
};

/* Imports a line of a function graph, whose time is ns since the first event of the log. If it has
 * no time, computes one from durations. `offset` and `bytes` locate the line in the file. */
struct ftrace_outcome ftrace_graph_handle(struct import *import, struct ftrace_graph *graph,
                                          struct ftrace_graph_line *line, int64_t offset,
                                          int64_t bytes);

/* Reasons (ledger.reason): an exit whose call is unknown, ignored; a call with entry and exit in
 * one line, counted as one more event; too many open calls, rejected. */
extern const char ftrace_beginless_mark[], ftrace_both_ends[], ftrace_too_deep[];

/* Reads a mark of a program, from a line with the fields of ftrace_line_mark(): begin `B|PID|name`,
 * end `E|PID` or `E`, or instant `I|PID|name`. */
struct ftrace_outcome ftrace_graph_read_mark(struct import *import, struct ftrace_graph *graph,
                                             const struct ftrace_line *line, int64_t offset,
                                             int64_t bytes);

/* Sets the task that a CPU runs before its first switch of tasks. `first` is the line of that
 * switch (GRAPH_SWITCH), which names the task. Does nothing if the task is already known. */
void ftrace_graph_set_first_task(struct ftrace_graph *graph, const struct ftrace_graph_line *first);

/* Adds remarks unless `failed`, and frees the state. */
void ftrace_graph_end(struct import *import, struct ftrace_graph *graph, bool failed);

extern const struct event_meaning ftrace_graph_meanings[];

/* Implements dump_span(): the arguments at an entry, the return value at an exit. */
void ftrace_graph_dump(const struct dump_event *dump, enum dump_moment moment, struct text *out);

#endif
