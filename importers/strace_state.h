/* The state of an strace log: what each line does to the calls of its thread, and the events that
 * follow. */
#ifndef TRACETOOL_STRACE_STATE_H
#define TRACETOOL_STRACE_STATE_H

#include "lines.h"
#include "strace_files.h"
#include "strace_line.h"
#include "strace_resumed.h"
#include "strace_threads.h"

/* In the ledger: of a call on several lines, those behind the first. */
extern const char strace_second_half[];

/* A file of the log. */
struct strace_stream {
    bool named;     /* the number was looked for */
    int64_t number; /* of the thread, by the file's name; EVENT_NONE: none */
    bool bracketed; /* lines name threads as [pid 1] */
    bool in_summary, ended;
    bool resumes; /* ends of calls stand on lines that say so */
    int64_t half; /* the thread that began a call on the line before; EVENT_NONE: none */
    struct strace_held held;
    struct strace_days days, ahead; /* of lines that are taken, and read ahead */
    struct strace_first first;
    struct text plain; /* a line without escapes */
    struct text ends;  /* of a long line */
};

struct strace {
    struct strace_times times;
    struct strace_threads threads;
    struct strace_files files;
    uint32_t operations[STRACE_CALLS_MOST]; /* ids, 0: not yet */
    struct lookup_cache names;              /* of calls that are not listed */
    char error_name[32];                    /* the last one, and its id */
    uint32_t error;
    int64_t clock, durations;   /* kept: the enum; whether calls have durations */
    int64_t first;              /* number of the thread that is not named, or was not by a line */
    int64_t endless, beginless; /* calls */
    int64_t told, timed;        /* durations of -T, and calls that have any */
    int64_t streams;            /* files that had a line of a thread */
    bool summary;               /* there is a table of -c or -C */
};

/* The context of a line. */
struct strace_reading {
    struct import *import;
    struct strace *strace;
    struct strace_stream *stream;
    const struct line *line;
};

/* Times are nanoseconds as in event.time. */

/* The thread that a line is of; a new one where none is known. NULL: there are too many. */
struct strace_thread *strace_thread_of(const struct strace_reading *reading,
                                       const struct strace_line *line);

/* A whole call on a line. */
void strace_take_call(const struct strace_reading *reading, struct strace_thread *thread,
                      const struct strace_line *line, int64_t time);

/* The begin of a call, and its end, which may be the begin of another half (STRACE_RESUMED_HALF).
 * `earliest`: the time of the thread's line before the end, 0 if there is none. */
void strace_take_unfinished(const struct strace_reading *reading, struct strace_thread *thread,
                            const struct strace_line *line, int64_t time);
void strace_take_resumed(const struct strace_reading *reading, struct strace_thread *thread,
                         const struct strace_line *line, int64_t earliest, int64_t time);

/* The call that a thread waits in will not end any more. */
void strace_give_up(const struct strace_reading *reading, struct strace_thread *thread);

/* The thread says nothing more. */
void strace_end_thread(const struct strace_reading *reading, struct strace_thread *thread);

/* The thread has the number of its process's first one from now on, for it runs another program:
 * its execve, begun under the number `by`, ends under that. */
void strace_supersede(const struct strace_reading *reading, struct strace_thread *thread,
                      int64_t by);

/* strace has begun to follow a process. */
void strace_attach(const struct strace_reading *reading, int64_t number);

#endif
