/* Marks of programs that are not calls of one thread, and counters of the kernel:
 *
 *     S|PID|NAME|COOKIE          F|PID|NAME|COOKIE    a call that may start and end in any threads
 *     G|PID|TRACK|NAME|COOKIE    H|PID|TRACK|COOKIE   the same on a named track
 *     N|PID|TRACK|NAME                                an instant on that track
 *     C|PID|NAME|VALUE                                a counter
 *     cpu_frequency: state=1800000 cpu_id=2           a counter of a processor; also cpu_idle
 *
 * A name may contain `|`. These calls may overlap, which calls of a thread in the database must
 * not. So overlapping calls of a name are put on tracks `NAME`, `NAME (2)`, …, which take the
 * place of a thread. Source: Android's system/core/libcutils/trace-dev.inc. A thread's own marks
 * are in ftrace_graph.h.
 *
 * Tables filled in a trace of kind spans: event (calls); name (kind mark); actor (pid and the
 * track's name). In one of kind samples: event (time, operation, actor, value); name (kind
 * counter); actor (thread, or `CPU 2`). */
#ifndef TRACETOOL_FTRACE_MARKS_H
#define TRACETOOL_FTRACE_MARKS_H

#include "ftrace_graph.h"
#include "ftrace_line.h"
#include "import/importer.h"
#include "pending.h"

#define FTRACE_MARKS_OPEN   65536 /* maximum open calls */
#define FTRACE_MARKS_TRACKS 16384 /* maximum names of tracks */

/* Kind of the names of counters, for import_name(). */
#define COUNTER_NAME_KIND "counter"

struct ftrace_mark_track;

/* State of the marks in a trace. Initialise it with zeros. */
struct ftrace_marks {
    struct pending_table open;       /* owned; open calls */
    struct ftrace_mark_track *lanes; /* hash table, owned: which lanes of each name are in use */
    struct text name;                /* owned: memory for the name of a track */
};

/* A mark, or another event converted to a mark. Members without a value in the log are zero. */
struct ftrace_mark {
    char letter; /* S, G, b: start of a call; F, H, e: its end; N: a whole call, with `duration` */
    int64_t pid, cookie, duration;
    struct word track, name;
    const char *kind; /* kind of the call's name in table name */
};

/* Makes a call from a mark. An end finds its start by letter (F: S, H: G, e: b), pid, track and
 * cookie; if there are several starts, the oldest. For e, the track is not compared, and the newest
 * start is taken. */
struct ftrace_outcome ftrace_marks_add(struct import *spans, struct ftrace_marks *marks,
                                       const struct ftrace_mark *mark, int64_t time, int64_t offset,
                                       int64_t bytes);

/* Reads a mark S, F, G, H or N from a line with the fields of ftrace_line_mark(). `offset` and
 * `bytes` locate the line in the file. */
struct ftrace_outcome ftrace_marks_handle(struct import *spans, struct ftrace_marks *marks,
                                          const struct ftrace_line *line, int64_t offset,
                                          int64_t bytes);

/* Read a mark C, or a counter of a processor, and add its value. False for any other line. */
bool ftrace_marks_read_counter(struct import *samples, const struct ftrace_line *line);
bool ftrace_marks_read_cpu_counter(struct import *samples, const struct ftrace_line *line);

/* Adds a value of a counter. `actor` is the name of the process or thread that has the counter; if
 * `pid` and `tid` are EVENT_NONE, any other name, such as that of a CPU. */
void ftrace_marks_add_value(struct import *samples, int64_t pid, int64_t tid, struct word actor,
                            struct word counter, int64_t time, int64_t value);

/* Frees the state. */
void ftrace_marks_end(struct ftrace_marks *marks);

extern const struct event_meaning ftrace_marks_meanings[];

/* Implements dump(): [thread] counter = value */
void ftrace_marks_dump(const struct dump_event *dump, struct text *out);

/* Background work of file systems and drivers, as calls of kind spans on a track in place of a
 * thread.
 *
 *     f2fs_write_checkpoint: dev = (254,44), checkpoint for Sync, state = start block_ops
 *                                             to state = finish checkpoint
 *     f2fs_gc_begin: dev = (254,44), gc_type = Background GC, …        to f2fs_gc_end
 *     f2fs_issue_discard: dev = (254,44), blkstart = 0x…, blklen = 0x8 an instant
 *     ufshcd_clk_gating: 1d84000.ufshc: gating state changed to CLKS_OFF
 *                                             to the next state
 *     ufshcd_profile_hibern8: 1d84000.ufshc: enter: took 400 usecs, err 0
 *                                             a step that ended; other ufshcd_ likewise
 *     ufshcd_uic_command: complete_rsp: 1d84000.ufshc: cmd: 0x17, …    a hibernation of the link,
 *                                             to send_req of cmd 0x18
 *     ufshcd_upiu: query_send: 1d84000.ufshc: HDR:16 00 …, OSF:03 07 …   a query,
 *                                             to query_complete
 *     f2fs_iostat: dev = (254,44), app [write=0 (direct=0, …   counters, kind samples: bytes
 *
 * Names have kind `background` for F2FS, `device` for the driver.
 *
 * Sources: the kernel's include/trace/events/f2fs.h, fs/f2fs/checkpoint.c, drivers/ufs/ufs_trace.h.
 */

/* Reads a line about background work of F2FS or of a UFS driver; `offset` and `bytes` locate the
 * line in the file. */
struct ftrace_outcome ftrace_storage_handle(struct import *spans, struct import *samples,
                                            struct ftrace_marks *marks,
                                            const struct ftrace_line *line, int64_t offset,
                                            int64_t bytes);

#endif
