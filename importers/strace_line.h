/* Parses one line of strace's output: prefix, call, result.
 *
 *     [pid  4711] 23:48:26.834923 openat(AT_FDCWD</tmp>, "a", O_RDONLY) = 3</tmp/a> <0.000021>
 *     prefix ...................  name   arguments ...................    result    duration
 *
 * Every part of the prefix is optional. Nothing is allocated. Each line is parsed by itself;
 * strace_resumed.c and strace_state.c combine lines. */
#ifndef TRACETOOL_STRACE_LINE_H
#define TRACETOOL_STRACE_LINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "input/word.h"
#include "model/event.h"
#include "strace_syscall.h"

/* Maximum digits of a fraction of a second. */
#define STRACE_FRACTION_DIGITS 9

/* What times in the log count from, by the option of strace. */
enum strace_clock {
    STRACE_NO_CLOCK,
    STRACE_DAY,      /* -t, -tt: local time of day */
    STRACE_EPOCH,    /* -ttt: seconds since 1970 */
    STRACE_RELATIVE, /* -r: time since the previous line */
};

struct strace_prefix {
    int64_t thread;      /* thread number; EVENT_NONE: not in the line */
    bool bracketed;      /* true: the thread is printed as [pid 123] */
    struct word command; /* -Y: command of the thread, as printed; length 0: not in the line */
    enum strace_clock clock;
    int64_t time;      /* ns, counted as `clock` says; 0 if the line has no time */
    unsigned decimals; /* number of digits of the fraction of a second */
};

/* Consumes the prefix of a line. Afterwards `*rest` is the body of the line. */
void strace_parse_prefix(struct word *rest, struct strace_prefix *prefix);

enum strace_form {
    STRACE_BLANK,        /* an empty line, or a comment */
    STRACE_CALL,         /* name(arguments) = result, or a call that never returns */
    STRACE_UNFINISHED,   /* name(arguments <unfinished ...> */
    STRACE_RESUMED,      /* <... name resumed>arguments) = result */
    STRACE_RESUMED_HALF, /* <... name resumed>arguments <unfinished ...>: interrupted again */
    STRACE_SIGNAL,       /* --- SIGCHLD {...} --- */
    STRACE_EXITED,       /* +++ exited with 0 +++, +++ killed by SIGSEGV +++ */
    STRACE_SUPERSEDED,   /* +++ superseded by execve in pid 123 +++ */
    STRACE_ATTACHED,     /* strace: Process 123 attached */
    STRACE_NOTE,         /* any other message of strace */
    STRACE_STACK,        /* -k: a line of the previous call's stack */
    STRACE_DUMP,         /* -e read=, -e write=: a line of the previous call's data */
    STRACE_SUMMARY,      /* the heading of the table of -c or -C */
    STRACE_CUT,          /* name(arguments, without the end of the call */
    STRACE_OTHER,        /* a line not printed by strace, or the rest of a call */
};

struct strace_line {
    struct strace_prefix prefix;
    enum strace_form form;
    struct word body; /* the text after the prefix */
    struct word name; /* name of the system call, in lines with a call, its start or its end */
    /* Text between the parentheses of the call; of a resumed call, only the arguments on this line.
     * Blanks at the end of the text are removed if more text follows. */
    struct word text;
    struct word arguments[STRACE_ARGUMENTS]; /* arguments of a call that begins on this line */
    size_t argument_count;
    bool fits; /* true: the whole call is on this line, with matching brackets and quotes */
    struct strace_result result;
    int64_t duration; /* duration printed by -T, nanoseconds; EVENT_NONE: none */
    int64_t number;   /* process that a message of strace or of an execve names; EVENT_NONE: none */
};

/* Removes carriage returns at the end of a line, and colours (--color). If a line has colours,
 * copies it to `plain`, and then points `line` to the copy. */
void strace_remove_colours(struct word *line, struct text *plain);

/* Parses a line without line end and colours. Returns NULL, or a constant string: why the line is
 * rejected; then only the prefix is set. */
const char *strace_parse(struct word line, struct strace_line *parsed);

/* Finds the last closing parenthesis that "=" and a result follow; NULL: none. */
const char *strace_find_last_result(struct word text, struct strace_result *result);

/* Converts times of lines to times of the trace, for a log of one or more files. */
struct strace_times {
    enum strace_clock clock;
    bool begun;
    int64_t base;  /* time of the log that is time 0 of the trace */
    int64_t now;   /* time of the last line since `base`; in a log without times, number of lines */
    bool back;     /* true: a line was more than a day earlier than the previous line */
    bool decimals; /* true: some times have a fraction of a second */
};

/* State for adding days to times of day, as lines of a file are read in order. */
struct strace_days {
    int64_t day, last; /* day: midnight of the current day; last: time of the last line; ns */
};

/* Returns the time of a line. Adds the file's current day to a time of day; after a step back of
 * more than 12 hours, the next day begins. */
int64_t strace_line_time(struct strace_days *days, const struct strace_prefix *prefix);

/* Sets clock and time 0 of a log. Called at the first line that has a time or a call. `first` is
 * the earliest time in the first lines of the file. */
void strace_times_begin(struct strace_times *times, enum strace_clock clock, int64_t first);

/* Sets `*time` to the time of a line since the start of the log. Returns NULL, or why the line is
 * rejected: it has no usable time. */
const char *strace_times_read(struct strace_times *times, struct strace_days *days,
                              const struct strace_prefix *prefix, int64_t *time);

/* Properties of a log file, detected from its first lines. */
struct strace_first {
    enum strace_clock clock;
    int64_t time;       /* earliest time in the first lines */
    bool durations;     /* true: some calls have durations (-T) */
    bool whole_seconds; /* true: a log of -r=s, so numbers after blanks are times, not threads */
    size_t indent;      /* blanks before the first call, by which all lines are indented */
    size_t widest;      /* length of the longest lines; SIZE_MAX: only one line is that long */
};
void strace_first_times(const char *bytes, size_t length, struct strace_first *first);

/* Skips blanks that indent all lines of a log, and blanks before a thread number: an indented line
 * could look like the rest of a call or like a stack. Blanks before a time of -r are not skipped.
 * Such a time has a fraction, or with -r=s (`whole_seconds`) is a whole number. */
void strace_skip_indent(struct word *line, const struct strace_first *first);

#endif
