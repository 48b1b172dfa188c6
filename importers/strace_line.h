/* One line of strace's output, taken apart: what stands before a call, the call, its result.
 *
 *     [pid  4711] 23:48:26.834923 openat(AT_FDCWD</tmp>, "a", O_RDONLY) = 3</tmp/a> <0.000021>
 *     prefix ...................  name   arguments ...................    result    duration
 *
 * Every part of the prefix is optional. Nothing is allocated, and nothing is remembered from one
 * line to the next: strace_resumed.h and strace_state.h relate lines to one another.
 */
#ifndef TRACETOOL_STRACE_LINE_H
#define TRACETOOL_STRACE_LINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "input/word.h"
#include "model/event.h"
#include "strace_syscall.h"

/* Digits behind the point of seconds, at most. */
#define STRACE_FRACTION_DIGITS 9

/* What the time of a line counts from. */
enum strace_clock {
    STRACE_NO_CLOCK,
    STRACE_DAY,      /* -t, -tt: local time of day */
    STRACE_EPOCH,    /* -ttt: since 1970 */
    STRACE_RELATIVE, /* -r: since the line before */
};

struct strace_prefix {
    int64_t thread;      /* EVENT_NONE: none */
    bool bracketed;      /* as [pid 123] */
    struct word command; /* -Y: of the thread, as printed; of length 0: none */
    enum strace_clock clock;
    int64_t time;      /* nanoseconds; 0 without a clock */
    unsigned decimals; /* of its seconds */
};

/* Cuts the prefix off alone; what is left is the body. */
void strace_parse_prefix(struct word *rest, struct strace_prefix *prefix);

enum strace_form {
    STRACE_BLANK,        /* nothing, or a comment */
    STRACE_CALL,         /* name(arguments) = result, or a call that is said never to end */
    STRACE_UNFINISHED,   /* name(arguments <unfinished ...> */
    STRACE_RESUMED,      /* <... name resumed>arguments) = result */
    STRACE_RESUMED_HALF, /* <... name resumed>arguments <unfinished ...> */
    STRACE_SIGNAL,       /* --- SIGCHLD {...} --- */
    STRACE_EXITED,       /* +++ exited with 0 +++, +++ killed by SIGSEGV +++ */
    STRACE_SUPERSEDED,   /* +++ superseded by execve in pid 123 +++ */
    STRACE_ATTACHED,     /* strace: Process 123 attached */
    STRACE_NOTE,         /* anything else that strace says itself */
    STRACE_STACK,        /* -k: of the line before */
    STRACE_DUMP,         /* -e read=, -e write=: of the line before */
    STRACE_SUMMARY,      /* the heading of a table of -c or -C */
    STRACE_CUT,          /* name(arguments, and no end */
    STRACE_OTHER,        /* not a line of strace, or the rest of one */
};

struct strace_line {
    struct strace_prefix prefix;
    enum strace_form form;
    struct word body; /* all behind the prefix */
    struct word name; /* of the call */
    /* What is printed between the brackets, without blanks at its end where there is more to come;
     * of a resumed call its rest. */
    struct word text;
    struct word arguments[STRACE_ARGUMENTS]; /* of calls that begin on this line */
    size_t argument_count;
    bool fits; /* a whole call on one line with matching brackets and quotes */
    struct strace_result result;
    int64_t duration; /* -T, nanoseconds; EVENT_NONE: none */
    int64_t number;   /* the process of a note, or of the execve; EVENT_NONE: none */
};

/* Takes out of a line what terminals and other systems have put in: carriage returns at its end and
 * colours (--color). Where there are any it lies in `plain` then. */
void strace_clean(struct word *line, struct text *plain);

/* Takes a line apart, which has no end of line and no escapes of colours. NULL, or what is wrong
 * with it: a constant reason for the ledger; the prefix is set then, and the rest of no use. */
const char *strace_parse(struct word line, struct strace_line *parsed);

/* The last bracket of the text that "=" and a result follow; NULL: none. */
const char *strace_last_end(struct word text, struct strace_result *result);

/* Whether a line behind one of STRACE_SUMMARY may be of the table that begins there, too. */
bool strace_is_of_summary(struct word line);

/* Of a log, which may be of several files. */
struct strace_times {
    enum strace_clock clock;
    bool begun;
    int64_t base; /* what its first time says */
    int64_t now;  /* of the last line, since the base; in a log without times a number */
    bool back;    /* a line was earlier than the one before it by more than a day */
};

/* Of one of its files. */
struct strace_days {
    int64_t day, last; /* nanoseconds: where the present day begins, and the last time */
};

/* The time of a line in the file's own terms; a step back of more than 12 hours is midnight. */
int64_t strace_days_time(struct strace_days *days, const struct strace_prefix *prefix);

/* Begins the times with the first line that has any, or with the first call. `first` is the
 * earliest time of the file's first lines. */
void strace_times_begin(struct strace_times *times, enum strace_clock clock, int64_t first);

/* The time of a line since the begin of the log. NULL, or a reason for the ledger: the time is
 * none then. */
const char *strace_times_of(struct strace_times *times, struct strace_days *days,
                            const struct strace_prefix *prefix, int64_t *time);

/* What the first lines of a file say of its times. */
struct strace_first {
    enum strace_clock clock;
    int64_t time;       /* the earliest */
    bool durations;     /* some calls have them (-T) */
    bool whole_seconds; /* numbers behind blanks are times of -r=s, not threads */
};
bool strace_has_whole_seconds(const char *bytes, size_t length);
void strace_first_times(const char *bytes, size_t length, struct strace_first *first);

/* Skips the blanks before the number of a thread: the log was indented. -r has blanks there, too,
 * but a fraction; without one (-r=s) some of its times are 0, as no thread's number is. */
void strace_skip_indent(struct word *line, bool whole_seconds);

#endif
