/* State of a strace log: applies each line to the calls of its thread, and creates the events. */
#ifndef TRACETOOL_STRACE_STATE_H
#define TRACETOOL_STRACE_STATE_H

#include "lines.h"
#include "strace_files.h"
#include "strace_line.h"
#include "strace_threads.h"
#include "base/text.h"

struct strace_held {
    bool is;
    bool noted;   /* true: a message of strace interrupted the line, so the next line is its rest */
    bool last;    /* true: no line has followed the incomplete line */
    bool full;    /* true: the next line may continue the line */
    size_t tried; /* number of bytes parsed while searching the line's rest */
    struct text text;      /* the parts of the line so far, joined */
    struct text joined;    /* line that was joined last */
    struct text room;      /* memory for unescaped strings */
    int64_t offset, bytes; /* position of the first part, for the ledger */
};

void strace_held_free(struct strace_held *held);

/* Stores an incomplete line. Removes a message of strace at its end, and sets `*attached` to the
 * process in the message, otherwise to EVENT_NONE. */
void strace_hold_first_part(struct strace_held *held, struct word line, int64_t offset,
                            int64_t bytes, int64_t *attached);

/* Joins the stored line and `rest`, and parses them, if they make one line; then none is stored.
 * Returns whether they do. `parsed` is valid until the next line is joined. */
bool strace_join_parts(struct strace_held *held, struct word rest, struct strace_line *parsed);

/* Parses the stored line, the last of its file, as the start of a call that never returns; then
 * none is stored. False if the line is no call. */
bool strace_join_endless(struct strace_held *held, struct strace_line *parsed);

/* Finds a line of strace, "[pid N] ...", inside a line, and parses it. The text before it is output
 * of the traced program. False if there is none. */
bool strace_find_embedded_line(struct word line, struct strace_line *parsed);

/* Finds output of the traced program that looks like a call or the end of one, such as "f(2) = 4",
 * in the line where write(2) is logged or in a line after the stored line. `room` is a buffer. */
void strace_find_output(const struct strace_held *held, struct word line,
                        struct strace_line *parsed, struct text *room);

/* Removes output of the traced program, printed on the same terminal, from the last argument of its
 * write(2). The string or the result gives the length of that argument. `room` is a buffer. */
void strace_cut_program_output(struct strace_line *parsed, struct text *room);

/* Reason in the ledger for further lines of a call that is on several lines. */
extern const char strace_second_half[];

/* A file of the log, while it is read. */
struct strace_stream {
    bool named;     /* true: the file name was searched for a thread number */
    int64_t number; /* thread number in the file name; EVENT_NONE: it has none */
    bool bracketed; /* true: lines name threads as [pid 1] */
    bool in_summary, ended;
    bool resumes;    /* true: the ends of interrupted calls are on lines marked as resumed */
    bool wrapped;    /* true: input/peel.h joins wrapped lines of the file; some may be left */
    bool after_part; /* true: the line before may be part of a longer line */
    int64_t half;    /* thread that began a call on the line before; EVENT_NONE: no thread */
    struct strace_held held;
    struct strace_days days, ahead; /* days of lines imported, and of lines read ahead */
    struct strace_first first;
    struct text plain; /* memory for a line without escapes */
    struct text ends;  /* memory for the ends of a long line */
};

struct strace {
    struct strace_times times;
    struct strace_threads threads;
    struct strace_files files;
    /* Stored for --append: the clock as an enum; whether calls have durations. */
    int64_t clock, durations;
    /* Number of the first thread, which lines may name late or never. */
    int64_t first;
    int64_t endless, beginless;   /* number of calls without an end, and without a start */
    int64_t cut_off;              /* number of files that end inside of a call */
    int64_t with_duration, timed; /* durations printed by -T; calls with a duration */
    int64_t streams;              /* number of files with a line of a thread */
    int64_t injected;             /* number of calls with a result from -e inject */
    bool summary;                 /* true: the log has a table of -c or -C */
    bool exited, exits;           /* true: a process exited; true: the log has a call of exit */
};

/* A line and what it belongs to. */
struct strace_reading {
    struct import *import;
    struct strace *strace;
    struct strace_stream *stream;
    const struct line *line;
};

/* Functions that handle lines. Times are in nanoseconds, as event.time is. */

/* Returns the thread of a line; adds it if it is new. NULL if there are too many threads. */
struct strace_thread *strace_thread_of(const struct strace_reading *reading,
                                       const struct strace_line *line);

/* Adds the event of a call that is on one line. */
void strace_handle_call(const struct strace_reading *reading, struct strace_thread *thread,
                        const struct strace_line *line, int64_t time);

/* Handle the first part of a call, and a later part, which may again be unfinished
 * (STRACE_RESUMED_HALF). `earliest`: time of the thread's line before; 0 if there is none. */
void strace_handle_unfinished(const struct strace_reading *reading, struct strace_thread *thread,
                              const struct strace_line *line, int64_t time);
void strace_handle_resumed(const struct strace_reading *reading, struct strace_thread *thread,
                           const struct strace_line *line, int64_t earliest, int64_t time);

/* Adds the event of a thread's pending call without an end: its end will not come. */
void strace_abandon_call(const struct strace_reading *reading, struct strace_thread *thread);

/* Ends a thread: it exits, or is killed. */
void strace_end_thread(const struct strace_reading *reading, struct strace_thread *thread);

/* Follows an execve by another thread than the first of a process: the calling thread takes the
 * number of the process. Its execve, begun under `old_number`, returns under the new number. */
void strace_follow_thread_exec(const struct strace_reading *reading, struct strace_thread *thread,
                               int64_t old_number);

/* Follows a message of strace that it has attached to a process. */
void strace_attach(const struct strace_reading *reading, int64_t number);

#endif
