/* State of a strace log: matches lines with threads and pending calls, and adds events. */
#ifndef TRACETOOL_STRACE_STATE_H
#define TRACETOOL_STRACE_STATE_H

#include "lines.h"
#include "strace_files.h"
#include "strace_line.h"
#include "strace_threads.h"
#include "base/text.h"

struct strace_partial_line {
    bool is;
    bool noted;   /* true: a message of strace broke the line, so the next line is its rest */
    bool last;    /* true: the incomplete line is the last one read */
    bool full;    /* true: the line is so long that strace's output may have been wrapped there */
    size_t tried; /* bytes parsed so far in the search for the line's rest */
    struct text text;      /* the incomplete line, as joined so far */
    struct text joined;    /* the line joined last; words of its struct strace_line point into it */
    struct text room;      /* buffer for unescaped strings */
    int64_t offset, bytes; /* offset in the file and size of the incomplete line, bytes */
};

void strace_partial_line_free(struct strace_partial_line *partial);

/* Stores an incomplete line. Removes a message of strace from its end, and sets `*attached` to the
 * process that the message says was attached; EVENT_NONE: none. */
void strace_partial_line_store(struct strace_partial_line *partial, struct word line,
                               int64_t offset, int64_t bytes, int64_t *attached);

/* Parses the stored line and `rest` as one line. Returns true if that is valid; the stored line is
 * then removed. `parsed` is valid until the next line is joined. */
bool strace_partial_line_join(struct strace_partial_line *partial, struct word rest,
                              struct strace_line *parsed);

/* Parses the stored line, the last of its file, as the start of a call without an end. Returns
 * false if it is no call; otherwise no line is stored any more. */
bool strace_partial_line_parse_unfinished(struct strace_partial_line *partial,
                                          struct strace_line *parsed);

/* Finds a line of strace that begins with "[pid N] " inside another line, and parses it. The text
 * before it is output of the traced program. Returns false if there is none. */
bool strace_find_embedded_line(struct word line, struct strace_line *parsed);

/* Corrects `parsed->form` if the program printed text that looks like a call or its end: in the
 * line of the program's write(2), or in a line after the stored one. `room` is a buffer. */
void strace_find_output(const struct strace_partial_line *partial, struct word line,
                        struct strace_line *parsed, struct text *room);

/* Removes output of the traced program after the last argument of its write(2), on one terminal.
 * The string or the result tells which digits are the argument's. `room` is a buffer. */
void strace_cut_program_output(struct strace_line *parsed, struct text *room);

/* Reason (ledger.reason) for merging the second and later lines of a call into its event. */
extern const char strace_second_half[];

/* State of reading one file of the log. */
struct strace_stream {
    bool named;     /* true: the file name was searched for a thread number */
    int64_t number; /* thread number at the end of the file name; EVENT_NONE: none */
    bool bracketed; /* true: lines name threads as [pid 1] */
    bool in_summary, ended;
    bool resumes;    /* true: a call's end was printed as resumed (not with -z) */
    bool wrapped;    /* true: input/peel.h joins wrapped lines of the file, but may miss some */
    bool after_part; /* true: the previous line may be a piece of a wrapped line */
    int64_t half; /* thread of the previous line if that was the start of a call; else EVENT_NONE */
    struct strace_partial_line partial;
    struct strace_days days, ahead; /* days: for imported lines; ahead: for lines read ahead */
    struct strace_first first;
    struct text plain; /* buffer for a line without colours */
    struct text ends;  /* buffer for both ends of a long line */
};

struct strace {
    struct strace_times times;
    struct strace_threads threads;
    struct strace_files files;
    /* For --append. clock: enum strace_clock; durations: 1 if calls may have durations. */
    int64_t clock, durations;
    /* Number of the log's first thread. Lines may give it late or never. */
    int64_t first;
    struct text unnamed;       /* name of the thread without a number: that of its file */
    struct strace_days before; /* time of day at which an appended log begins; else zeros */
    bool resumed; /* true: threads of an earlier log are known, and no line was read yet */
    int64_t endless, beginless;   /* number of calls without an end; number without a start */
    int64_t silent;               /* number of threads taken as ended, as there were too many */
    int64_t cut_off;              /* number of files that end within a call */
    int64_t with_duration, timed; /* number of lines with a duration (-T); of calls with one */
    int64_t streams;              /* number of files with lines of a thread */
    int64_t injected;             /* number of calls with a result from -e inject */
    bool summary;                 /* true: the log has a table of -c or -C */
    bool exited, exits; /* exited: a process has exited; exits: the log has a call of exit */
};

/* A line being imported, with the state that it needs. */
struct strace_reading {
    struct import *import;
    struct strace *strace;
    struct strace_stream *stream;
    const struct line *line;
};

/* Functions that handle one line. Times are in nanoseconds since the start of the trace. */

/* Returns the thread of a line, added if it is new; NULL if there are too many threads. */
struct strace_thread *strace_thread_of(const struct strace_reading *reading,
                                       const struct strace_line *line);

/* Adds the event of a call that is on one line. */
void strace_handle_call(const struct strace_reading *reading, struct strace_thread *thread,
                        const struct strace_line *line, int64_t time);

/* Handle the start of an interrupted call, and a later line of it, which may again be unfinished
 * (STRACE_RESUMED_HALF). `earliest`: time of the thread's previous line; 0: none. */
void strace_handle_unfinished(const struct strace_reading *reading, struct strace_thread *thread,
                              const struct strace_line *line, int64_t time);
void strace_handle_resumed(const struct strace_reading *reading, struct strace_thread *thread,
                           const struct strace_line *line, int64_t earliest, int64_t time);

/* Adds the event of a thread's pending call without an end: the log does not have the end. */
void strace_abandon_call(const struct strace_reading *reading, struct strace_thread *thread);

/* Ends a thread that has exited or was killed. */
void strace_end_thread(const struct strace_reading *reading, struct strace_thread *thread);

/* Handles an execve by a thread that is not its process's main thread. The calling thread takes the
 * process's number: its execve began under `old_number` and returns under the new number. */
void strace_follow_thread_exec(const struct strace_reading *reading, struct strace_thread *thread,
                               int64_t old_number);

/* Store the threads that are alive for a later import --append, and restore them. */
void strace_store_threads(struct import *import, struct strace *strace);
void strace_restore_threads(struct import *import, struct strace *strace);

/* Handles a message that strace has attached to a process. */
void strace_attach(const struct strace_reading *reading, int64_t number);

#endif
