/* Lines of ftrace logs, in the output forms of all tools:
 *
 *     dd-3517    (   3517) [001] d..1.  2720.475937: block_rq_issue: 7,0 W …   trace, trace_pipe
 *     dd-3517      1d..1. 35437us : block_rq_issue: 7,0 W …                    latency-format
 *     dd-3517  [001]  2720.475937: block_rq_issue:       7,0 W …               trace-cmd report
 *     dd  3517/3518 [001]  2720.475937:    1 block:block_rq_issue: 7,0 W …     perf script
 *
 * The columns are found in each line by their form, not by the header of the log: options add and
 * remove columns, and a task's name may contain anything. */
#ifndef TRACETOOL_FTRACE_LINE_H
#define TRACETOOL_FTRACE_LINE_H

#include <stdbool.h>
#include <stdint.h>

#include "input/word.h"

/* Unit of a line's time; a log has only one. */
enum ftrace_clock {
    FTRACE_SECONDS, /* seconds since boot, or of the wall clock */
    FTRACE_SINCE,   /* microseconds since the first event of the log (latency-format) */
    FTRACE_COUNTER, /* units of a counter of unknown frequency */
};

struct ftrace_line {
    struct word task;  /* name of the thread; length 0: unknown */
    int64_t tid;       /* number of the thread; EVENT_NONE: it has ended (perf) */
    int64_t pid;       /* number of the process; EVENT_NONE: not in the log */
    int64_t cpu;       /* number of the CPU; EVENT_NONE: not in the log */
    struct word flags; /* letters for irqs-off, need-resched …; length 0: not in the log */
    int64_t time;      /* nanoseconds, or with FTRACE_COUNTER units of the counter */
    enum ftrace_clock clock;
    /* Name of the event, without its system and a compiler's suffix after a dot. Length 0 for
     * events without a name: an action of the tracer blk, a system call, a function. */
    struct word event;
    bool has_system;    /* true: the name of the event follows that of its system, as in perf */
    struct word fields; /* rest of the line: the fields of the event */
};

/* Parses a line of an event; words are borrowed from the line. False for another line. */
bool ftrace_line_parse(struct word text, struct ftrace_line *line);

/* Parses only the columns before the event; sets `*after` to the event's name and fields. */
bool ftrace_line_parse_head(struct word text, struct word *after, struct ftrace_line *line);

/* Maximum bytes of an idle task's name. */
#define FTRACE_IDLE_NAME 80

/* Returns the name of the line's thread. Each CPU has its own idle task, all with thread number 0.
 * They are named by CPU, `<idle>/3`, in the buffer `made` of FTRACE_IDLE_NAME bytes. Without a CPU
 * in the line, returns the task's name. */
struct word ftrace_line_thread_name(const struct ftrace_line *line, char *made);

/* Returns a key for the line's thread: its number, or a negative number by CPU for idle tasks. */
static inline int64_t ftrace_line_thread_key(const struct ftrace_line *line) {
    return line->tid != 0 ? line->tid : -1 - line->cpu;
}

/* Returns whether a program wrote the event by trace_marker. Its name is then tracing_mark_write,
 * `0` (before Android 4.4) or, from trace-cmd, `print`. `mark` is the text, `B|474|measure`. */
bool ftrace_line_mark(const struct ftrace_line *line, struct word *mark);

/* Returns the text that `grep -n` or a logging program put before the columns of a line; length 0
 * if there is none. Parsing has taken that text as a part of the task's name, but real names have
 * up to 15 bytes, right-aligned in 16. */
struct word ftrace_line_prefix(struct word text, const struct ftrace_line *line);

/* Parses `name: fields`, the text after a line's time. */
void ftrace_line_parse_event(struct word rest, struct ftrace_line *line);

/* Returns the element of a list whose name is that of the line's event; NULL if there is none. The
 * list is sorted by name; elements of `size` bytes begin with a `const char *`. */
const void *ftrace_line_event(const struct ftrace_line *line, const void *list, size_t count,
                              size_t size);

/* --- lines of function graphs ----------------------------------------------------------------- */

#define FTRACE_GRAPH_CPUS 4096 /* lines with a higher CPU are not parsed as a function graph */

enum ftrace_graph_kind {
    GRAPH_NONE,   /* the line is not one of a function graph */
    GRAPH_ENTRY,  /* f() { */
    GRAPH_LEAF,   /* f(); */
    GRAPH_EXIT,   /* } */
    GRAPH_EVENT,  /* an event, printed as a comment */
    GRAPH_SWITCH, /* a CPU switches to another task */
    GRAPH_OTHER,  /* a ruler, or the start of an interrupt */
};

/* A parsed line of a function graph; words point into the line. */
struct ftrace_graph_line {
    enum ftrace_graph_kind kind;
    struct ftrace_line head; /* task, thread, CPU and time; EVENT_NONE: not in the line */
    bool has_task;
    struct ftrace_line before; /* GRAPH_SWITCH: task that was running before, and its CPU */
    int64_t duration;          /* nanoseconds; EVENT_NONE: not in the line */
    size_t depth;              /* depth of the call by its indentation */
    struct word name;          /* name of the function; length 0: an exit that prints no name */
    struct word component;     /* module of the function; length 0: none */
    struct word text;          /* arguments; for an exit, the return value */
    struct word event;         /* GRAPH_EVENT: name and fields of the event */
};

/* Parses a line of a function graph. `head` NULL: `text` is the whole line. Otherwise it is
 * trace-cmd's: `head` has task, CPU and time, `text` is what follows `funcgraph_entry:` or
 * `funcgraph_exit:`. */
void ftrace_graph_parse(struct word text, const struct ftrace_line *head,
                        struct ftrace_graph_line *line);

/* --- lines about lost events ------------------------------------------------------------------ */

/* Lines about missing events; the numbers in the first two are optional:
 *
 *     CPU:2 [LOST 123 EVENTS]                               trace_pipe and trace
 *     CPU:2 [123 EVENTS DROPPED]                            trace-cmd report
 *     dd  3517 [001]  2720.475937: PERF_RECORD_LOST lost 123   perf script --show-lost-events
 *     Processed 88464 events and lost 13 chunks!            perf script, on stderr
 *     Processed 200007 samples and lost 63.94%!             perf script, on stderr
 *     # entries-in-buffer/entries-written: 2290/2765   #P:2    header of trace
 *
 * Events are lost between the events of that CPU before and after the line; for the header, before
 * the whole log. Sources: the kernel's kernel/trace/trace.c and trace_output.c, trace-cmd's
 * trace-read.c, perf's util/event.c, and a recording. */

/* Returns whether the line states how many events were lost. Such a line has no time. Sets `*cpu`
 * to EVENT_NONE if the line does not name it, and `*lost` to EVENT_NONE if it has no number; 0
 * means that no events were lost. */
bool ftrace_loss_read_mark(struct word line, int64_t *cpu, int64_t *lost);

/* Returns whether the line is perf's record of lost events, which has task, CPU and time. Sets
 * `*lost` to their number. */
bool ftrace_loss_read_record(const struct ftrace_line *line, int64_t *lost);

/* Reads the header line with the numbers of events: how many the buffers of all CPUs hold
 * (`*kept`), and how many were written to them. Returns false for another line. */
bool ftrace_loss_read_header(struct word line, int64_t *kept, int64_t *written);

/* --- fields of an event ----------------------------------------------------------------------- */

/* Fields in events of file systems: `KEY VALUE KEY VALUE …` or `KEY = VALUE, KEY = VALUE, …`. */

/* Finds the value after `KEY ` or `KEY = ` between blanks, up to the end of the line. False if the
 * key is missing. */
bool ftrace_field(struct word fields, const char *key, struct word *value);

/* Finds the number of a key; 0x means hexadecimal. If the key is missing, returns true and leaves
 * `*number` unchanged. Returns false if the value is not a number from `least` to `most`. */
bool ftrace_field_number(struct word fields, const char *key, int64_t least, int64_t most,
                         int64_t *number);

/* Finds a device number printed as `dev 254,0` or `dev = (254,0)`. False if there is none. */
bool ftrace_field_device(struct word fields, int64_t *device);

/* --- outcome of reading a line ---------------------------------------------------------------- */

/* What a function that handles events of one kind did with a line. */
enum ftrace_taken {
    FTRACE_OTHER, /* the line is an event of another kind */
    FTRACE_TAKEN, /* the line was read and its event added; for a block request, the caller adds the
                     event */
    FTRACE_IGNORED,
    FTRACE_MERGED, /* the line is the end of an event that was counted at its start */
    FTRACE_DAMAGED,
};

struct ftrace_outcome {
    enum ftrace_taken taken;
    const char *reason; /* constant string: why the line is ignored, merged or damaged */
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
