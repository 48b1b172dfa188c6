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
#include "strace_arguments.h"
#include "strace_head.h"

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
    bool fits; /* a whole call on one line, whose brackets and strings fit */
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

/* The last bracket of the text that "=" and a result follow; NULL: none. */
const char *strace_last_end(struct word text, struct strace_result *result);

/* Whether a line behind one of STRACE_SUMMARY may be of the table that begins there, too. */
bool strace_is_of_summary(struct word line);

#endif
