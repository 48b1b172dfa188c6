/* One line of strace's output, taken apart: what stands before a call, the call, its result.
 *
 *     [pid  4711] 23:48:26.834923 openat(AT_FDCWD</tmp>, "a", O_RDONLY) = 3</tmp/a> <0.000021>
 *     head .....................  name   arguments ...................    result    duration
 *
 * Every part of the head is optional. Nothing is allocated, and nothing is remembered from one line
 * to the next: what lines mean together is the business of strace_join.h and strace_threads.h.
 */
#ifndef TRACETOOL_STRACE_LINE_H
#define TRACETOOL_STRACE_LINE_H

#include <stdbool.h>

#include "base/text.h"
#include "input/word.h"
#include "model/event.h"

/* Arguments that are told apart; no call has more, and what follows is of no interest. */
#define STRACE_ARGUMENTS 8

/* What the time of a line counts from. */
enum strace_clock {
    STRACE_NO_CLOCK,
    STRACE_DAY,      /* -t, -tt: local time of day */
    STRACE_EPOCH,    /* -ttt: since 1970 */
    STRACE_RELATIVE, /* -r: since the line before */
};

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

struct strace_head {
    int64_t thread;      /* EVENT_NONE: none */
    bool bracketed;      /* as [pid 123] */
    struct word command; /* -Y: of the thread, as printed; of length 0: none */
    enum strace_clock clock;
    int64_t time;      /* nanoseconds; 0 without a clock */
    unsigned decimals; /* of its seconds */
};

struct strace_result {
    bool known;           /* there is a number: not "?" */
    int64_t value;        /* where known */
    int64_t thread;       /* where a comment has it in strace's own PID namespace; else the value */
    struct word file;     /* -y: what the new descriptor leads to, as printed; of length 0: none */
    struct word error;    /* ENOENT, as printed; of length 0: none */
    int64_t error_number; /* where the log has the number alone; else EVENT_NONE */
};

struct strace_line {
    struct strace_head head;
    enum strace_form form;
    struct word body; /* all behind the head */
    struct word name; /* of the call */
    /* What is printed between the brackets, without blanks at its end where there is more to come;
     * of a resumed call its rest. */
    struct word text;
    struct word arguments[STRACE_ARGUMENTS]; /* of calls that begin on this line */
    size_t argument_count;
    struct strace_result result;
    int64_t duration; /* -T, nanoseconds; EVENT_NONE: none */
    int64_t number;   /* the process of a note, or of the execve; EVENT_NONE: none */
};

/* Takes out of a line what terminals and other systems have put in: carriage returns at its end and
 * colours (--color). Where there are any it lies in `plain` then. False when out of memory. */
bool strace_clean(struct word *line, struct text *plain);

/* Takes a line apart, which has no end of line and no escapes of colours. NULL, or what is wrong
 * with it: a constant reason for the ledger; the head is set then, and the rest of no use. */
const char *strace_parse(struct word line, struct strace_line *parsed);

/* Whether a line behind one of STRACE_SUMMARY may be of the table that begins there, too. */
bool strace_is_of_summary(struct word line);

/* Cuts the head off alone; what is left is the body. */
void strace_parse_head(struct word *rest, struct strace_head *head);

/* Splits arguments as they are printed; returns how many there are, up to STRACE_ARGUMENTS. */
size_t strace_split(struct word text, struct word arguments[STRACE_ARGUMENTS]);

/* An argument without the name that -N puts before it. */
struct word strace_value(struct word argument);

/* A number in decimal, hexadecimal or octal digits at the begin of a word, negative or not, of up
 * to 64 bits; `*rest` is what stands behind. False: there is none. */
bool strace_number(struct word word, int64_t *number, struct word *rest);

/* A descriptor, with what -y says that it leads to (`*file`, as printed; of length 0: nothing).
 * AT_FDCWD is STRACE_DIRECTORY. False: the argument is none. */
#define STRACE_DIRECTORY (-100)
bool strace_descriptor(struct word argument, int64_t *descriptor, struct word *file);

/* Cuts off an annotation of -y or -Y in angle brackets, of which `rest` begins with the first;
 * `*inside` is what it says, without "(deleted)". False: it is none, or does not end. */
bool strace_annotation(struct word *rest, struct word *inside);

#endif
