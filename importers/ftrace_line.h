/* The heads of ftrace's lines, in all the forms in which tools print them:
 *
 *     dd-3517    (   3517) [001] d..1.  2720.475937: block_rq_issue: 7,0 W …   trace, trace_pipe
 *     dd-3517      1d..1. 35437us : block_rq_issue: 7,0 W …                    option
 * latency-format dd-3517  [001]  2720.475937: block_rq_issue:       7,0 W …               trace-cmd
 * report dd  3517/3518 [001]  2720.475937:    1 block:block_rq_issue: 7,0 W …      perf script
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
    FTRACE_COUNTER, /* units of a counter whose frequency the log does not tell */
};

struct ftrace_line {
    struct word task; /* name of the thread; length 0: not known */
    int64_t tid;
    int64_t pid;  /* of its process; EVENT_NONE: the log does not say */
    int64_t cpu;  /* EVENT_NONE: likewise */
    int64_t time; /* nanoseconds, or units of the counter */
    enum ftrace_clock clock;
    /* The event's name, without its system and what a compiler hung on behind a dot; length 0 for
     * what has none: an action of the tracer blk, a system call, a function. */
    struct word event;
    bool has_system;    /* its system stood before the name, as perf writes it */
    struct word fields; /* what follows */
};

/* Takes a line apart; words are borrowed from it. False: it is no line of an event. */
bool ftrace_line_parse(struct word text, struct ftrace_line *line);

/* Bytes of the name of an idle task. */
#define FTRACE_IDLE_NAME 80

/* The name of the line's thread. Each CPU has an idle task of its own, all with thread number 0:
 * they are told apart by their CPUs, `<idle>/3`, which is written into `made`, of FTRACE_IDLE_NAME
 * bytes. Where the line has no CPU, it is the task's name. */
struct word ftrace_line_thread(const struct ftrace_line *line, char *made);

/* What tells the line's thread from others: its number, and of idle tasks their CPU, below 0. */
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

#endif
