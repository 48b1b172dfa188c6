/* The lines of ftrace's logs, in all the forms in which tools print them:
 *
 *     dd-3517    (   3517) [001] d..1.  2720.475937: block_rq_issue: 7,0 W …   trace, trace_pipe
 *     dd-3517      1d..1. 35437us : block_rq_issue: 7,0 W …                    latency-format
 *     dd-3517  [001]  2720.475937: block_rq_issue:       7,0 W …               trace-cmd report
 *     dd  3517/3518 [001]  2720.475937:    1 block:block_rq_issue: 7,0 W …     perf script
 *
 * Which columns there are is not taken from the heading of a log but from each line: names of tasks
 * may hold anything, and options add and remove columns.
 */
#ifndef TRACETOOL_FTRACE_LINE_H
#define TRACETOOL_FTRACE_LINE_H

#include <stdbool.h>
#include <stdint.h>

#include "input/word.h"

/* What a line's time is counted in: a log has one of them. */
enum ftrace_clock {
    FTRACE_SECONDS, /* since the machine's start, or of the wall clock */
    FTRACE_SINCE,   /* since the first event of the log (latency-format) */
    FTRACE_COUNTER, /* units of a counter of unknown frequency */
};

struct ftrace_line {
    struct word task; /* name of the thread; length 0: not known */
    int64_t tid;
    int64_t pid;       /* of its process; EVENT_NONE: the log does not say */
    int64_t cpu;       /* EVENT_NONE: likewise */
    struct word flags; /* irqs-off, need-resched, hardirq/softirq …; length 0: not told */
    int64_t time;      /* nanoseconds, or units of the counter */
    enum ftrace_clock clock;
    /* The event's name, without its system and what a compiler hung on behind a dot; length 0 for
     * what has none: an action of the tracer blk, a system call, a function. */
    struct word event;
    bool has_system;    /* its system stood before the name, as perf writes it */
    struct word fields; /* what follows */
};

/* Takes a line apart; words are borrowed from it. False: it is no line of an event. */
bool ftrace_line_parse(struct word text, struct ftrace_line *line);

/* The same of what stands before the event, alone; that is `behind`. */
bool ftrace_line_parse_head(struct word text, struct word *behind, struct ftrace_line *line);

/* Bytes of the name of an idle task. */
#define FTRACE_IDLE_NAME 80

/* The name of the line's thread. Each CPU has an idle task of its own, all with thread number 0:
 * they are distinguished by their CPUs, `<idle>/3`, which is written into `made`, of
 * FTRACE_IDLE_NAME bytes. Where the line has no CPU, it is the task's name. */
struct word ftrace_line_thread(const struct ftrace_line *line, char *made);

/* Identifies the line's thread: its number, or a negative number by CPU for idle tasks. */
static inline int64_t ftrace_line_thread_key(const struct ftrace_line *line) {
    return line->tid != 0 ? line->tid : -1 - line->cpu;
}

/* Whether a program wrote the event into the kernel's log: tracing_mark_write, or `0` of kernels
 * before Android 4.4, or trace-cmd's `print`. `mark` is what it wrote, `B|474|measure`. */
bool ftrace_line_mark(const struct ftrace_line *line, struct word *mark);

/* What stands before the columns of a line of `text`, as `grep -n` and logging programs write it:
 * length 0: nothing, else text that became part of the task's name. Tasks have names of up to 15
 * bytes, aligned to the right in 16. */
struct word ftrace_line_prefix(struct word text, const struct ftrace_line *line);

/* Takes `name: fields` apart, what stands behind a line's time. */
void ftrace_line_parse_event(struct word rest, struct ftrace_line *line);

/* The element of a list, in order of name, that begins with the name of the line's event; NULL:
 * there is none. Elements of `size` bytes begin with a `const char *`. */
const void *ftrace_line_event(const struct ftrace_line *line, const void *list, size_t count,
                              size_t size);

/* --- function graphs ----------------------------------------------------------------------- */

#define FTRACE_GRAPH_CPUS 4096 /* beyond, a line is none of a graph */

enum ftrace_graph_kind {
    GRAPH_NONE,   /* no line of a graph */
    GRAPH_ENTRY,  /* f() { */
    GRAPH_LEAF,   /* f(); */
    GRAPH_EXIT,   /* } */
    GRAPH_EVENT,  /* a comment with an event inside */
    GRAPH_SWITCH, /* a CPU goes on with another task */
    GRAPH_OTHER,  /* a rule, or where an interrupt begins */
};

/* A line of a graph; words are borrowed from it. */
struct ftrace_graph_line {
    enum ftrace_graph_kind kind;
    struct ftrace_line
        head; /* task, thread, CPU and time, where they are there (EVENT_NONE: not) */
    bool has_task;
    struct ftrace_line before; /* of GRAPH_SWITCH: the task and CPU that ran until there */
    int64_t duration;          /* nanoseconds; EVENT_NONE: none */
    size_t depth;              /* by indentation */
    struct word name;          /* of an exit only where it is printed; length 0: not */
    struct word component;     /* the module; length 0: none */
    struct word text;          /* arguments, of an exit what was returned */
    struct word event;         /* of GRAPH_EVENT: `name: fields` */
};

/* Takes a line apart. With `head`, it is only what trace-cmd prints behind `funcgraph_entry:` and
 * `funcgraph_exit:` of a line with that head; NULL: the line has columns of its own. */
void ftrace_graph_parse(struct word text, const struct ftrace_line *head,
                        struct ftrace_graph_line *line);

/* --- losses -------------------------------------------------------------------------------- */

/* Lines by which logs tell that events are missing; the numbers of the first two may be missing:
 *
 *     CPU:2 [LOST 123 EVENTS]                               trace_pipe and trace
 *     CPU:2 [123 EVENTS DROPPED]                            trace-cmd report
 *     dd  3517 [001]  2720.475937: PERF_RECORD_LOST lost 123   perf script --show-lost-events
 *     # entries-in-buffer/entries-written: 2290/2765   #P:2    heading of trace
 *
 * Events are lost between the one of that CPU before the line and the one behind it; by the
 * heading, before all of the log. Sources: the kernel's kernel/trace/trace.c and trace_output.c,
 * trace-cmd's trace-read.c, perf's util/event.c, and a recording.
 */

/* Whether the line marks a loss, without a time. `cpu` EVENT_NONE: the line names none. `lost`
 * EVENT_NONE: nor how many; 0: none. */
bool ftrace_loss_mark(struct word line, int64_t *cpu, int64_t *lost);

/* The same of a line with task, CPU and time. */
bool ftrace_loss_record(const struct ftrace_line *line, int64_t *lost);

/* How many events the heading says that the buffers of all CPUs hold, and held. False: the line
 * does not say. */
bool ftrace_loss_heading(struct word line, int64_t *kept, int64_t *written);

/* --- fields -------------------------------------------------------------------------------- */

/* Fields of file systems' events: `KEY VALUE KEY VALUE …` or `KEY = VALUE, KEY = VALUE, …`. */

/* What stands behind `KEY ` or `KEY = ` between blanks, up to the end of the line; false when the
 * key is not there. */
bool ftrace_field(struct word fields, const char *key, struct word *value);

/* A number, hexadecimal behind 0x; `*number` stays when the key is not there. False: it is there,
 * and none in range. */
bool ftrace_field_number(struct word fields, const char *key, int64_t least, int64_t most,
                         int64_t *number);

/* `dev 254,0` or `dev = (254,0)`; false: neither. */
bool ftrace_field_device(struct word fields, int64_t *device);

#endif
