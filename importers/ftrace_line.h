/* Lines of ftrace logs, in the output forms of all tools:
 *
 *     dd-3517    (   3517) [001] d..1.  2720.475937: block_rq_issue: 7,0 W …   trace, trace_pipe
 *     dd-3517      1d..1. 35437us : block_rq_issue: 7,0 W …                    latency-format
 *     dd-3517  [001]  2720.475937: block_rq_issue:       7,0 W …               trace-cmd report
 *     dd  3517/3518 [001]  2720.475937:    1 block:block_rq_issue: 7,0 W …     perf script
 *
 * The columns are detected in each line, not from the header of the log: names of tasks may contain
 * anything, and options add and remove columns.
 */
#ifndef TRACETOOL_FTRACE_LINE_H
#define TRACETOOL_FTRACE_LINE_H

#include <stdbool.h>
#include <stdint.h>

#include "input/word.h"

/* Unit of a line's time; a log has only one. */
enum ftrace_clock {
    FTRACE_SECONDS, /* since boot, or of the wall clock */
    FTRACE_SINCE,   /* since the first event of the log (latency-format) */
    FTRACE_COUNTER, /* units of a counter of unknown frequency */
};

struct ftrace_line {
    struct word task;  /* name of the thread; length 0: unknown */
    int64_t tid;       /* EVENT_NONE: a thread that has ended (perf) */
    int64_t pid;       /* process; EVENT_NONE: not in the log */
    int64_t cpu;       /* EVENT_NONE: not in the log */
    struct word flags; /* irqs-off, need-resched, hardirq/softirq …; length 0: not in the log */
    int64_t time;      /* nanoseconds, or units of the counter */
    enum ftrace_clock clock;
    /* Name of the event, without its system and a compiler's suffix after a dot. Length 0 for
     * events without a name: an action of the tracer blk, a system call, a function. */
    struct word event;
    bool has_system;    /* the name followed its system, as in perf */
    struct word fields; /* the rest of the line */
};

/* Parses a line; words are borrowed from it. False if it is not a line of an event. */
bool ftrace_line_parse(struct word text, struct ftrace_line *line);

/* Parses only the part before the event; `after` is the event. */
bool ftrace_line_parse_head(struct word text, struct word *after, struct ftrace_line *line);

/* Most bytes of an idle task's name. */
#define FTRACE_IDLE_NAME 80

/* Returns the name of the line's thread. Each CPU has its own idle task, all with thread number 0.
 * They are named by CPU, `<idle>/3`, in the buffer `made` of FTRACE_IDLE_NAME bytes. Without a CPU
 * in the line, returns the task's name. */
struct word ftrace_line_thread(const struct ftrace_line *line, char *made);

/* Returns a key for the line's thread: its number, or a negative number by CPU for idle tasks. */
static inline int64_t ftrace_line_thread_key(const struct ftrace_line *line) {
    return line->tid != 0 ? line->tid : -1 - line->cpu;
}

/* Returns whether a program wrote the event into the kernel's log: tracing_mark_write, `0` in
 * kernels before Android 4.4, or trace-cmd's `print`. `mark` is the text, `B|474|measure`. */
bool ftrace_line_mark(const struct ftrace_line *line, struct word *mark);

/* Returns the text before the columns of a line, as added by `grep -n` and logging programs; length
 * 0 if there is none. Such text became part of the task's name. Real names have up to 15 bytes,
 * right-aligned in 16. */
struct word ftrace_line_prefix(struct word text, const struct ftrace_line *line);

/* Parses `name: fields`, the text after a line's time. */
void ftrace_line_parse_event(struct word rest, struct ftrace_line *line);

/* Returns the element of a list that begins with the name of the line's event; NULL if there is
 * none. The list is sorted by name; elements of `size` bytes begin with a `const char *`. */
const void *ftrace_line_event(const struct ftrace_line *line, const void *list, size_t count,
                              size_t size);

/* --- function graphs ----------------------------------------------------------------------- */

#define FTRACE_GRAPH_CPUS 4096 /* a line with a higher number is not of a graph */

enum ftrace_graph_kind {
    GRAPH_NONE,   /* the line is not one of a function graph */
    GRAPH_ENTRY,  /* f() { */
    GRAPH_LEAF,   /* f(); */
    GRAPH_EXIT,   /* } */
    GRAPH_EVENT,  /* an event in a comment */
    GRAPH_SWITCH, /* a CPU switches to another task */
    GRAPH_OTHER,  /* a rule, or the start of an interrupt */
};

/* A line of a graph; words are borrowed from it. */
struct ftrace_graph_line {
    enum ftrace_graph_kind kind;
    struct ftrace_line head; /* task, thread, CPU and time, if present; else EVENT_NONE */
    bool has_task;
    struct ftrace_line before; /* GRAPH_SWITCH: the previous task and CPU */
    int64_t duration;          /* nanoseconds; EVENT_NONE: none */
    size_t depth;              /* depth by indentation */
    struct word name;          /* name of the function; length 0: an exit without a printed name */
    struct word component;     /* the module; length 0: none */
    struct word text;          /* arguments; for an exit, the return value */
    struct word event;         /* GRAPH_EVENT: `name: fields` */
};

/* Parses a line. With `head`, `text` is what trace-cmd prints after `funcgraph_entry:` or
 * `funcgraph_exit:` of a line with that head; NULL: the line has its own columns. */
void ftrace_graph_parse(struct word text, const struct ftrace_line *head,
                        struct ftrace_graph_line *line);

/* --- losses -------------------------------------------------------------------------------- */

/* Lines about missing events; the numbers in the first two are optional:
 *
 *     CPU:2 [LOST 123 EVENTS]                               trace_pipe and trace
 *     CPU:2 [123 EVENTS DROPPED]                            trace-cmd report
 *     dd  3517 [001]  2720.475937: PERF_RECORD_LOST lost 123   perf script --show-lost-events
 *     # entries-in-buffer/entries-written: 2290/2765   #P:2    header of trace
 *
 * Events are lost between the events of that CPU before and after the line; for the header, before
 * the whole log. Sources: the kernel's kernel/trace/trace.c and trace_output.c, trace-cmd's
 * trace-read.c, perf's util/event.c, and a recording. */

/* Returns whether the line marks a loss, without a time. `cpu` EVENT_NONE: not given. `lost`
 * EVENT_NONE: the number is not given; 0: none. */
bool ftrace_loss_mark(struct word line, int64_t *cpu, int64_t *lost);

/* As ftrace_loss_mark(), for a line with task, CPU and time. */
bool ftrace_loss_record(const struct ftrace_line *line, int64_t *lost);

/* Reads from the header how many events the buffers of all CPUs hold, and how many were written.
 * False if the line is another. */
bool ftrace_loss_heading(struct word line, int64_t *kept, int64_t *written);

/* --- fields -------------------------------------------------------------------------------- */

/* Fields of file systems' events: `KEY VALUE KEY VALUE …` or `KEY = VALUE, KEY = VALUE, …`. */

/* Finds the value after `KEY ` or `KEY = ` between blanks, up to the end of the line. False if the
 * key is missing. */
bool ftrace_field(struct word fields, const char *key, struct word *value);

/* Finds a number, hexadecimal after 0x. `*number` is unchanged if the key is missing. False if the
 * value is not a number in range. */
bool ftrace_field_number(struct word fields, const char *key, int64_t least, int64_t most,
                         int64_t *number);

/* Finds `dev 254,0` or `dev = (254,0)`. False if neither is present. */
bool ftrace_field_device(struct word fields, int64_t *device);

/* --- outcomes --------------------------------------------------------------------------------- */

/* Result for a line of one kind of event. */
enum ftrace_taken {
    FTRACE_OTHER, /* the event is of another kind */
    FTRACE_TAKEN, /* an event was made; a request: the caller makes it */
    FTRACE_IGNORED,
    FTRACE_MERGED, /* the end of an event that was counted at its start */
    FTRACE_DAMAGED,
};

struct ftrace_outcome {
    enum ftrace_taken taken;
    const char *reason; /* constant; why the line is ignored, merged or damaged */
};

static const struct ftrace_outcome ftrace_other = {FTRACE_OTHER, NULL},
                                   ftrace_taken = {FTRACE_TAKEN, NULL};

static inline struct ftrace_outcome ftrace_ignored(const char *reason) {
    return (struct ftrace_outcome){FTRACE_IGNORED, reason};
}

static inline struct ftrace_outcome ftrace_damaged(const char *reason) {
    return (struct ftrace_outcome){FTRACE_DAMAGED, reason};
}

#endif
