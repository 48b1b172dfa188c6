/* The head of a line of strace's output: the thread, its command, the time. */
#ifndef TRACETOOL_STRACE_HEAD_H
#define TRACETOOL_STRACE_HEAD_H

#include <stdbool.h>
#include <stdint.h>

#include "input/word.h"

/* Digits behind the point of seconds, at most. */
#define STRACE_FRACTION_DIGITS 9

/* What the time of a line counts from. */
enum strace_clock {
    STRACE_NO_CLOCK,
    STRACE_DAY,      /* -t, -tt: local time of day */
    STRACE_EPOCH,    /* -ttt: since 1970 */
    STRACE_RELATIVE, /* -r: since the line before */
};

struct strace_head {
    int64_t thread;      /* EVENT_NONE: none */
    bool bracketed;      /* as [pid 123] */
    struct word command; /* -Y: of the thread, as printed; of length 0: none */
    enum strace_clock clock;
    int64_t time;      /* nanoseconds; 0 without a clock */
    unsigned decimals; /* of its seconds */
};

/* Cuts the head off alone; what is left is the body. */
void strace_parse_head(struct word *rest, struct strace_head *head);

/* Cuts off an escape that changes colours (--color). False: there is none. */
bool strace_skip_colour(struct word *rest);

#endif
