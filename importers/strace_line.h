/* Parses one line of strace's output: prefix, call, result.
 *
 *     [pid  4711] 23:48:26.834923 openat(AT_FDCWD</tmp>, "a", O_RDONLY) = 3</tmp/a> <0.000021>
 *     prefix ...................  name   arguments ...................    result    duration
 *
 * Every part of the prefix is optional. Nothing is allocated or kept between lines;
 * strace_resumed.c and strace_state.c relate lines to one another. */
#ifndef TRACETOOL_STRACE_LINE_H
#define TRACETOOL_STRACE_LINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "input/word.h"
#include "model/event.h"
#include "strace_syscall.h"

/* Most decimals of seconds. */
#define STRACE_FRACTION_DIGITS 9

/* Origin of a line's time. */
enum strace_clock {
    STRACE_NO_CLOCK,
    STRACE_DAY,      /* -t, -tt: local time of day */
    STRACE_EPOCH,    /* -ttt: since 1970 */
    STRACE_RELATIVE, /* -r: since the previous line */
};

struct strace_prefix {
    int64_t thread;      /* EVENT_NONE: none */
    bool bracketed;      /* true: the thread is printed as [pid 123] */
    struct word command; /* -Y: command of the thread, as printed; length 0: none */
    enum strace_clock clock;
    int64_t time;      /* nanoseconds; 0 without a clock */
    unsigned decimals; /* number of decimals of the seconds */
};

/* Consumes only the prefix; the body remains. */
void strace_parse_prefix(struct word *rest, struct strace_prefix *prefix);

enum strace_form {
    STRACE_BLANK,        /* nothing, or a comment */
    STRACE_CALL,         /* name(arguments) = result, or a call that never returns */
    STRACE_UNFINISHED,   /* name(arguments <unfinished ...> */
    STRACE_RESUMED,      /* <... name resumed>arguments) = result */
    STRACE_RESUMED_HALF, /* <... name resumed>arguments <unfinished ...> */
    STRACE_SIGNAL,       /* --- SIGCHLD {...} --- */
    STRACE_EXITED,       /* +++ exited with 0 +++, +++ killed by SIGSEGV +++ */
    STRACE_SUPERSEDED,   /* +++ superseded by execve in pid 123 +++ */
    STRACE_ATTACHED,     /* strace: Process 123 attached */
    STRACE_NOTE,         /* any other message of strace itself */
    STRACE_STACK,        /* -k: stack of the line before */
    STRACE_DUMP,         /* -e read=, -e write=: data of the line before */
    STRACE_SUMMARY,      /* the heading of a table of -c or -C */
    STRACE_CUT,          /* name(arguments, without an end */
    STRACE_OTHER,        /* a line that is not of strace, or the rest of a line */
};

struct strace_line {
    struct strace_prefix prefix;
    enum strace_form form;
    struct word body; /* the text after the prefix */
    struct word name; /* name of the call */
    /* Text between the parentheses (of a resumed call, the rest of it); without trailing blanks if
     * more follows. */
    struct word text;
    struct word arguments[STRACE_ARGUMENTS]; /* arguments of a call that begins on this line */
    size_t argument_count;
    bool fits; /* a whole call on one line, with matching brackets and quotes */
    struct strace_result result;
    int64_t duration; /* -T, nanoseconds; EVENT_NONE: none */
    int64_t number;   /* process of a note or of the execve; EVENT_NONE: none */
};

/* Removes what terminals and other systems add to a line: carriage returns at its end and colours
 * (--color). If there were any, the line then points into `plain`. */
void strace_clean(struct word *line, struct text *plain);

/* Parses a line without end of line and colour escapes. Returns NULL, or the reason for the ledger,
 * a constant; then only the prefix is set. */
const char *strace_parse(struct word line, struct strace_line *parsed);

/* Finds the last closing parenthesis that is followed by "=" and a result; NULL if there is none.
 */
const char *strace_last_end(struct word text, struct strace_result *result);

/* Times of a log, which may have several files. */
struct strace_times {
    enum strace_clock clock;
    bool begun;
    int64_t base;  /* first time of the log */
    int64_t now;   /* time of the last line since `base`; in a log without times, a counter */
    bool back;     /* a line was more than a day earlier than the line before */
    bool decimals; /* true: some times are not whole seconds */
};

/* Times of one file. */
struct strace_days {
    int64_t day, last; /* nanoseconds: start of the current day; last time */
};

/* Returns the time of a line by the file's own clock. A step back of more than 12 hours is taken as
 * midnight. */
int64_t strace_days_time(struct strace_days *days, const struct strace_prefix *prefix);

/* Begins the times at the first line with a time, or at the first call. `first` is the earliest
 * time in the file's first lines. */
void strace_times_begin(struct strace_times *times, enum strace_clock clock, int64_t first);

/* Sets the time of a line since the start of the log. Returns NULL, or the reason for the ledger if
 * there is no usable time. */
const char *strace_times_of(struct strace_times *times, struct strace_days *days,
                            const struct strace_prefix *prefix, int64_t *time);

/* Times in the first lines of a file. */
struct strace_first {
    enum strace_clock clock;
    int64_t time;       /* the earliest */
    bool durations;     /* true: some calls have durations (-T) */
    bool whole_seconds; /* numbers after blanks are times of -r=s, not threads */
    size_t indent;      /* blanks before the first call */
    size_t widest;      /* bytes of the longest lines; SIZE_MAX: there is only one */
};
void strace_first_times(const char *bytes, size_t length, struct strace_first *first);

/* Skips the blanks of an indented log, which otherwise belong to the rest of a call, hide a stack
 * or stand before a thread number. Times of -r also follow blanks, but have a fraction. Without one
 * (-r=s) some times are 0, which no thread number is. */
void strace_skip_indent(struct word *line, const struct strace_first *first);

#endif
