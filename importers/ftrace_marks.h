/* Marks of programs that are no call of one thread, and counters of the kernel's:
 *
 *     S|PID|NAME|COOKIE          F|PID|NAME|COOKIE    a call that any threads may begin and end
 *     G|PID|TRACK|NAME|COOKIE    H|PID|TRACK|COOKIE   the same on a track that has a name
 *     N|PID|TRACK|NAME                                a point in time there
 *     C|PID|NAME|VALUE                                a counter
 *     cpu_frequency: state=1800000 cpu_id=2           a counter of a processor; so cpu_idle
 *
 * A name may hold `|`. Such calls overlap as they like, and those of a thread must not: each of a
 * name that is open at one time has a track of its own, `NAME`, `NAME (2)`, …, in place of a
 * thread. Source: Android's system/core/libcutils/trace-dev.inc; a thread's own marks are in
 * ftrace_graph.h.
 *
 * Fills: of kind spans, calls of kind mark, actor (pid and the track's name); of kind samples,
 * event (time, operation, actor, value), name (kind counter), actor (thread, or `CPU 2`).
 */
#ifndef TRACETOOL_FTRACE_MARKS_H
#define TRACETOOL_FTRACE_MARKS_H

#include "ftrace_graph.h"
#include "ftrace_line.h"
#include "import/importer.h"
#include "import/lookup_cache.h"
#include "pending.h"

#define FTRACE_MARKS_OPEN   65536 /* calls that may be open at once */
#define FTRACE_MARKS_TRACKS 16384 /* names of tracks that are followed */
#define FTRACE_MARKS_LANES  64    /* open at once of one name */

/* name.kind of counters. */
#define COUNTER_NAME_KIND "counter"

struct ftrace_mark_track;

/* State of a trace; a zeroed one is ready for ftrace_marks_begin(). */
struct ftrace_marks {
    struct lookup_cache names, tracks, counters, actors;
    struct pending_table open;       /* calls; owned */
    struct ftrace_mark_track *lanes; /* owned hash table */
    struct text name;                /* owned: that of a track */
};

/* Makes it ready. ftrace_marks_end() in any case. */
void ftrace_marks_begin(struct ftrace_marks *marks);

/* A mark, or what another event tells in its manner; zeroed where it does not say. */
struct ftrace_mark {
    char letter; /* S, G, b: a call begins; F, H, e: it ends; N: it has the duration */
    int64_t pid, cookie, duration;
    struct word track, name;
    const char *kind; /* name.kind */
};

/* Keeps a mark. A call that began is found by letters, pid, track and cookie, the oldest first; by
 * e without the track, and the newest first. */
enum ftrace_graph_taken ftrace_marks_keep(struct import *spans, struct ftrace_marks *marks,
                                          const struct ftrace_mark *mark, int64_t time,
                                          int64_t offset, int64_t bytes);

/* A mark of S, F, G, H or N, by its line, whose fields are what ftrace_line_mark() gives;
 * `*is_mark`: whether it is one of them. `offset` and `bytes` say where it is. */
enum ftrace_graph_taken ftrace_marks_take(struct import *spans, struct ftrace_marks *marks,
                                          const struct ftrace_line *line, bool *is_mark,
                                          int64_t offset, int64_t bytes);

/* A mark of C, likewise, or a counter of a processor. False: it is none, or has no number. */
bool ftrace_marks_counter(struct import *samples, struct ftrace_marks *marks,
                          const struct ftrace_line *line);
bool ftrace_marks_processor(struct import *samples, struct ftrace_marks *marks,
                            const struct ftrace_line *line);

/* Keeps what a counter, of something that is called `actor`, counts. */
void ftrace_marks_count(struct import *samples, struct ftrace_marks *marks, struct word actor,
                        struct word counter, int64_t time, int64_t value);

/* Frees the state. */
void ftrace_marks_end(struct ftrace_marks *marks);

extern const struct event_meaning ftrace_marks_meanings[];

/* dump(): [thread] counter = value */
void ftrace_marks_dump(const struct dump_event *dump, struct text *out);

#endif
