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

/* Maximum decimals of seconds. */
#define STRACE_FRACTION_DIGITS 9

/* What a line's time counts from, which depends on strace's option. */
enum strace_clock {
    STRACE_NO_CLOCK,
    STRACE_DAY,      /* -t, -tt: local time of day */
    STRACE_EPOCH,    /* -ttt: since 1970 */
    STRACE_RELATIVE, /* -r: time since the previous line */
};

struct strace_prefix {
    int64_t thread;      /* thread number; EVENT_NONE: not in the line */
    bool bracketed;      /* true: the thread is printed as [pid 123] */
    struct word command; /* -Y: command of the thread, as printed; length 0: not in the line */
    enum strace_clock clock;
    int64_t time;      /* nanoseconds; 0 if the line has no time */
    unsigned decimals; /* number of decimals of the seconds */
};

/* Consumes the prefix of a line; the rest is the body. */
void strace_parse_prefix(struct word *rest, struct strace_prefix *prefix);

enum strace_form {
    STRACE_BLANK,        /* an empty line, or a comment */
    STRACE_CALL,         /* name(arguments) = result, or a call that never returns */
    STRACE_UNFINISHED,   /* name(arguments <unfinished ...> */
    STRACE_RESUMED,      /* <... name resumed>arguments) = result */
    STRACE_RESUMED_HALF, /* <... name resumed>arguments <unfinished ...> */
    STRACE_SIGNAL,       /* --- SIGCHLD {...} --- */
    STRACE_EXITED,       /* +++ exited with 0 +++, +++ killed by SIGSEGV +++ */
    STRACE_SUPERSEDED,   /* +++ superseded by execve in pid 123 +++ */
    STRACE_ATTACHED,     /* strace: Process 123 attached */
    STRACE_NOTE,         /* any other message of strace */
    STRACE_STACK,        /* -k: a line of the stack of the call before */
    STRACE_DUMP,         /* -e read=, -e write=: a line of the data of the call before */
    STRACE_SUMMARY,      /* the heading of a table of -c or -C */
    STRACE_CUT,          /* name(arguments, cut off before the end */
    STRACE_OTHER,        /* a line that strace did not print, or the rest of a line */
};

struct strace_line {
    struct strace_prefix prefix;
    enum strace_form form;
    struct word body; /* the text after the prefix */
    struct word name; /* name of the call */
    /* Text between the parentheses of the call; of a resumed call, the rest of it. Without trailing
     * blanks if more text follows. */
    struct word text;
    struct word arguments[STRACE_ARGUMENTS]; /* arguments of a call that begins on this line */
    size_t argument_count;
    bool fits; /* true: the whole call is on this line, and its brackets and quotes match */
    struct strace_result result;
    int64_t duration; /* duration printed by -T, nanoseconds; EVENT_NONE: none */
    int64_t number;   /* process named in a message or by the execve; EVENT_NONE: none */
};

/* Removes carriage returns at the end of a line, and colours (--color). If there were any, the line
 * then points into `plain`. */
void strace_remove_colours(struct word *line, struct text *plain);

/* Parses a line without line end and colours. Returns NULL, or why the ledger rejects the line, a
 * constant string; then only the prefix is set. */
const char *strace_parse(struct word line, struct strace_line *parsed);

/* Finds the last closing parenthesis in a text that is followed by "=" and a result; NULL: none.
 */
const char *strace_find_last_result(struct word text, struct strace_result *result);

/* Converts times of lines to times of the trace, for a log of one or more files. */
struct strace_times {
    enum strace_clock clock;
    bool begun;
    int64_t base;  /* first time of the log, from which others count */
    int64_t now;   /* time of the last line, from `base`; in a log without times, a counter */
    bool back;     /* true: a line was more than a day earlier than the line before */
    bool decimals; /* true: some times are not whole seconds */
};

/* Days of a file whose lines have only the time of day. */
struct strace_days {
    int64_t day, last; /* start of the current day, and last time, in nanoseconds */
};

/* Returns the time of a line, with days by the file's own order. A step back of more than 12 hours
 * is taken as midnight. */
int64_t strace_days_time(struct strace_days *days, const struct strace_prefix *prefix);

/* Begins the times of a log at its first line with a time, or at its first call. `first` is the
 * earliest time in the first lines of the file. */
void strace_times_begin(struct strace_times *times, enum strace_clock clock, int64_t first);

/* Sets the time of a line since the start of the log. Returns NULL, or why the ledger rejects the
 * line: it has no usable time. */
const char *strace_times_read(struct strace_times *times, struct strace_days *days,
                              const struct strace_prefix *prefix, int64_t *time);

/* What the first lines of a file show about its form. */
struct strace_first {
    enum strace_clock clock;
    int64_t time;       /* the earliest */
    bool durations;     /* true: some calls have durations (-T) */
    bool whole_seconds; /* true: numbers after blanks are times of -r=s, not threads */
    size_t indent;      /* number of blanks before the first call */
    size_t widest;      /* bytes of the longest lines; SIZE_MAX: there is only one line */
};
void strace_first_times(const char *bytes, size_t length, struct strace_first *first);

/* Skips the blanks that indent all lines of a log. They could otherwise be taken for the rest of a
 * call, for a stack, or for those before a thread number. Times of -r also follow blanks, but have
 * a fraction. Without one (-r=s) some times are 0, which no thread number is. */
void strace_skip_indent(struct word *line, const struct strace_first *first);

#endif
