/* State of a strace log: applies each line to its thread's calls, and creates the events. */
#ifndef TRACETOOL_STRACE_STATE_H
#define TRACETOOL_STRACE_STATE_H

#include "lines.h"
#include "strace_files.h"
#include "strace_line.h"
#include "strace_threads.h"
#include "base/text.h"

struct strace_held {
    bool is;
    bool noted;            /* interrupted by a note, so the next line is the rest */
    bool last;             /* true: no line has followed the held one */
    bool full;             /* true: the line may go on in the next one */
    size_t tried;          /* bytes parsed in search of its rest */
    struct text text;      /* the parts of the line so far, joined */
    struct text joined;    /* last joined line */
    struct text room;      /* scratch buffer for unescaped strings */
    int64_t offset, bytes; /* place of the first part, for the ledger */
};

void strace_held_free(struct strace_held *held);

/* Holds an incomplete line. Removes a note at its end, and sets `*attached` to the process in the
 * note, else to EVENT_NONE. */
void strace_hold_first_part(struct strace_held *held, struct word line, int64_t offset,
                            int64_t bytes, int64_t *attached);

/* Joins and parses the held line and `rest`, if they make one line; then nothing is held. Returns
 * whether they did. `parsed` is valid until the next line is joined. */
bool strace_join_parts(struct strace_held *held, struct word rest, struct strace_line *parsed);

/* Parses the held line, the last of its file, as the start of a call that never returns; then
 * nothing is held. False if it is not one. */
bool strace_join_endless(struct strace_held *held, struct strace_line *parsed);

/* Finds a line of strace inside a line, as "[pid N] ...", and parses that. The text before it is
 * output of the program. False if there is none. */
bool strace_find_inside(struct word line, struct strace_line *parsed);

/* Finds output of write(2) that looks like the end of a call, or like a call, as "f(2) = 4": in its
 * own line, or in one after the held line. `room` is a buffer. */
void strace_find_output(const struct strace_held *held, struct word line,
                        struct strace_line *parsed, struct text *room);

/* Removes the output of write(2), printed on the same terminal, from the last argument of a call.
 * The string or the result gives the length of that argument. `room` is a buffer. */
void strace_cut_written(struct strace_line *parsed, struct text *room);

/* Reason in the ledger: a later line of a call on several lines. */
extern const char strace_second_half[];

/* A file of the log. */
struct strace_stream {
    bool named;     /* the file name was checked for a number */
    int64_t number; /* thread number in the file name; EVENT_NONE: none */
    bool bracketed; /* lines name threads as [pid 1] */
    bool in_summary, ended;
    bool resumes;    /* true: the ends of interrupted calls are on lines marked as resumed */
    bool wrapped;    /* input/peel.h joins its lines; some may be left */
    bool after_part; /* the previous line may be part of a longer line */
    int64_t half;    /* thread that began a call on the line before; EVENT_NONE: none */
    struct strace_held held;
    struct strace_days days, ahead; /* days of lines imported, and of lines read ahead */
    struct strace_first first;
    struct text plain; /* buffer for a line without escapes */
    struct text ends;  /* buffer for the ends of a long line */
};

struct strace {
    struct strace_times times;
    struct strace_threads threads;
    struct strace_files files;
    /* Resume state: the clock as an enum; whether calls have durations. */
    int64_t clock, durations;
    /* Number of the first thread, which lines do not name, or name only later. */
    int64_t first;
    int64_t endless, beginless;   /* calls without an end, and without a start */
    int64_t cut_off;              /* files that end inside of a call */
    int64_t with_duration, timed; /* durations that -T printed; calls with a duration */
    int64_t streams;              /* files with a line of a thread */
    int64_t injected;             /* calls with a result of -e inject */
    bool summary;                 /* a table of -c or -C was seen */
    bool exited, exits;           /* a process exited; a call of exit was seen */
};

/* The context of a line. */
struct strace_reading {
    struct import *import;
    struct strace *strace;
    struct strace_stream *stream;
    const struct line *line;
};

/* Times are nanoseconds as in event.time. */

/* Returns the thread of a line, a new one if it is unknown. NULL if there are too many. */
struct strace_thread *strace_thread_of(const struct strace_reading *reading,
                                       const struct strace_line *line);

/* Handles a line with a whole call. */
void strace_handle_call(const struct strace_reading *reading, struct strace_thread *thread,
                        const struct strace_line *line, int64_t time);

/* Handle the first part of a call, and a later part, which may again be unfinished
 * (STRACE_RESUMED_HALF). `earliest`: the time of the thread's line before; 0 if there is none. */
void strace_handle_unfinished(const struct strace_reading *reading, struct strace_thread *thread,
                              const struct strace_line *line, int64_t time);
void strace_handle_resumed(const struct strace_reading *reading, struct strace_thread *thread,
                           const struct strace_line *line, int64_t earliest, int64_t time);

/* Closes the pending call of a thread: its end will not come. */
void strace_abandon_call(const struct strace_reading *reading, struct strace_thread *thread);

/* Ends a thread. */
void strace_end_thread(const struct strace_reading *reading, struct strace_thread *thread);

/* Follows an execve of another thread than the process's first: the thread takes the number of the
 * process. Its execve, begun under the number `by`, returns under the new one. */
void strace_supersede(const struct strace_reading *reading, struct strace_thread *thread,
                      int64_t by);

/* Follows a note that strace has attached to a process. */
void strace_attach(const struct strace_reading *reading, int64_t number);

#endif
