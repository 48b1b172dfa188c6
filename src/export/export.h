/* Exports the selected events of a trace in the format of another program.
 *
 * An exporter is one file in src/export that defines a `const struct exporter`, and a line in
 * list.c. template.c compiles and explains every function: copy it. docs/adding-an-exporter.md
 * explains the steps.
 *
 * An exporter receives events one by one, with names, without SQL. It counts by reason which events
 * its format cannot express.
 */
#ifndef TRACETOOL_EXPORT_H
#define TRACETOOL_EXPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "base/text.h"
#include "base/hash.h"
#include "copy/pseudonymise.h"
#include "select/selection.h"

/* Limit of reasons for leaving out events per export. An exporter has a few. */
#define EXPORT_REASONS 32

/* Limit of the depth of calls whose nesting is derived from their times; for viewers. */
#define EXPORT_NESTED 256

/* An event with its names. Times are in ns or units of the trace's clock. Unknown numbers are
 * EVENT_NONE. Strings are valid only during the call, have any bytes, and are NULL if missing. */
struct export_event {
    int64_t id, parent; /* event.id; parent: id of a span's caller, or EVENT_NONE */
    int64_t time;       /* time since the start of the trace; of an I/O, its completion */
    int64_t arrival;    /* time when an I/O was queued (Q), or else issued (D); others: `time` */
    int64_t response;   /* duration of an I/O from `arrival` to `time`; EVENT_NONE: unknown */
    int64_t duration;   /* duration of a call; of an I/O, from issue to completion */
    const char *action; /* action of an I/O, such as C; else the name of the call; never NULL */
    size_t action_length;
    int64_t operation;    /* id (name.id) of the action or call */
    const char *category; /* class of an I/O; else the kind of name (name.kind), such as syscall */
    const char *component;
    size_t component_length;
    uint32_t flags; /* class and letters of an I/O; for a span, bits of enum span_flag */
    int64_t depth;  /* nesting depth of a span (function call): number of its callers */
    int64_t sector; /* first sector of an I/O; for a call, the offset in the file */
    int64_t bytes, value;
    int64_t device; /* block device as from device_number() */
    int64_t actor;  /* id of the thread, process or application (actor.id) */
    int64_t thread; /* with exporter.by_thread: index in the order of threads' first events */
    int64_t pid, tid, issuer_pid;
    const char *process, *issuer; /* `issuer` is NULL if it equals `process` */
    size_t process_length, issuer_length;
    int64_t object; /* id of the file or device (object.id); 0: none */
    const char *file;
    size_t file_length;
    int64_t source, source_sector; /* source: file from which a copying call reads; source_sector:
                                      offset in this file */
    const char *source_file;
    size_t source_length;
    const char *arguments;
    size_t arguments_length;
};

/* Time of a call in the export, which may differ from the log's. */
struct export_slice {
    int64_t begin, end;
    int64_t log_end; /* end of the call in the log */
    int64_t id;      /* event.id of the call */
};

/* Returns whether a span (function call) may be shifted into a call: that is its caller. ftrace's
 * function_graph truncates begins to microseconds but durations to nanoseconds, so a span may seem
 * to begin up to a microsecond after its caller's end. */
static inline bool export_may_lie_in(const struct export_event *span,
                                     const struct export_slice *caller) {
    return span->parent == caller->id && caller->log_end >= span->time - 1000;
}

/* Shifts a span (function call) to be within its caller's time, but not before `least`, the end of
 * the previous call. Does not change its duration. */
void export_shift_into_caller(struct export_slice *slice, const struct export_slice *caller,
                              int64_t least);

/* Lanes (without overlapping intervals) that are in use; zeroed: none. */
struct lanes {
    int64_t *ends; /* owned; by lane: time when it becomes free */
    size_t count, capacity;
};

/* A block device of the exported trace. */
struct export_device {
    UT_hash_handle hh; /* key: `number` */
    int64_t number;    /* device_number(); EVENT_NONE: unknown */
    size_t index;      /* place among the trace's devices, in order of their first events */
    bool is_new;       /* true: found by the last call of export_find_device(), its first event */
    struct lanes lanes;
    uint32_t sequence; /* blktrace: number of the device's last record */
};

/* State of an export. */
struct export_run {
    const struct selected_trace *trace; /* borrowed */
    const char *trace_name;             /* name of the trace in the export; borrowed */
    bool pseudonyms;                    /* true: names are replaced by pseudonyms */
    struct database *database;          /* borrowed; the exporter's own tables belong in `temp` */
    struct temp_schema *temp;
    FILE *file;
    bool failed;          /* true: an error occurred, so nothing more is written */
    struct error *error;  /* borrowed; receives the error */
    bool real_paths;      /* true: files keep their names, so a replay would change real files */
    int64_t least_object; /* smallest object.id of the trace */
    int64_t written;      /* number of exported events */
    int64_t events;       /* number of the trace's events */
    int64_t threads;      /* with exporter.by_thread: number of threads up to this event */
    struct {
        const char *reason;
        int64_t count;
    } left_out[EXPORT_REASONS]; /* number of events left out, by reason; ended by a NULL `reason` */
    struct export_device *by_number; /* hash table of the devices */
    struct export_device **devices;  /* owned; by index */
    size_t device_count, device_capacity;
};

struct exporter {
    const char *name;        /* name of the format, as given to --as */
    const char *description; /* a line printed by `tracetool exports` */
    const char *note; /* printed after an export: what the format cannot express; NULL: nothing */
    unsigned kinds;   /* kinds of traces that the exporter supports: bit set of enum trace_kind */
    bool sectors;     /* true: only I/Os with sectors can be exported */
    /* true: receives each step of block I/O, in order of time. false: receives each I/O once, at
     * its counted action (by default C, completion), in order of arrival. */
    bool steps;
    /* true: receives calls thread by thread, in order of the threads' first events; else by time */
    bool by_thread;
    bool binary;       /* true: the output is binary */
    bool real_paths;   /* true: option --real-paths is allowed */
    size_t state_size; /* size in bytes of the exporter's `state`, which is zeroed at the start */

    /* Called before the first event; may be NULL. Sets run->failed on failure. */
    void (*begin)(struct export_run *run, void *state);
    /* Called for each event. NULL: end() reads the events itself (event_table.c). */
    void (*take)(struct export_run *run, void *state, const struct export_event *event);
    /* Called after the last event; may be NULL. */
    void (*end)(struct export_run *run, void *state);
    /* Frees the members of the state; always called unless NULL. */
    void (*free)(void *state);
};

/* All exporters, ended by NULL (list.c). */
extern const struct exporter *const exporters[];

/* An export: format, output and options. */
struct export_order {
    const struct exporter *exporter;
    FILE *file;
    bool real_paths; /* true: files keep the log's names, if the exporter allows that */
    struct pseudonyms *pseudonyms; /* borrowed; pseudonyms for names; NULL: none */
};

/* Names that an exporter may select in its own SQL, and the alias of their table. */
enum export_name {
    EXPORT_OPERATION, /* name in main.name AS n */
    EXPORT_COMPONENT, /* name in main.name AS c */
    EXPORT_ERROR,     /* name in main.name AS x */
    EXPORT_PROCESS,   /* name in main.actor AS a */
    EXPORT_ISSUER,    /* name in main.actor AS i */
    EXPORT_FILE,      /* name in main.object AS o */
    EXPORT_SOURCE,
    EXPORT_OPERATION_CODE,   /* code (number) of the operation: n.code */
    EXPORT_APPLICATION_CODE, /* code of the application: a.code */
};

/* Returns the SQL expression of a name; with pseudonyms, of its pseudonym. */
const char *export_name_sql(const struct export_run *run, enum export_name name);

/* Returns the SQL expression of the arguments of event `e`; with pseudonyms, "NULL". */
const char *export_arguments_sql(const struct export_run *run);

/* Exports the selected events of a trace. The exporter must support the trace's kind. Initialises
 * `run` and counts events in it. Returns false with `error` set on failure. */
bool export_selection(const struct export_order *order, const struct selection *selection,
                      struct export_run *run, struct error *error);

/* --- functions for exporters ------------------------------------------------------------------ */

/* Write to the output. After a failure of the export, these functions do nothing. */
void export_write(struct export_run *run, const void *bytes, size_t length);
void export_print(struct export_run *run, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Writes the text to the output and empties it (also after a failure). */
void export_write_text(struct export_run *run, struct text *text);

/* Creates a temporary table for rows that must be sorted or completed before they are written.
 * `columns`: SQL in parentheses. `insert`: INSERT statement that is returned; NULL on failure. */
sqlite3_stmt *export_create_table(struct export_run *run, const char *name, const char *columns,
                                  const char *insert);

/* Runs an INSERT statement of export_create_table(). */
void export_insert(struct export_run *run, sqlite3_stmt *insert);

/* Returns a statement to be read with export_next(); NULL on failure. */
sqlite3_stmt *export_query_rows(struct export_run *run, const char *sql);

/* Advances to the next row. Returns false after the last row or a failure; `rows` is then freed. */
bool export_next(struct export_run *run, sqlite3_stmt *rows);

/* Returns the number that a SELECT with the trace's id as ?1 returns; 0 for NULL or on failure. */
int64_t export_query_number(struct export_run *run, const char *sql);

/* Counts an event that the format cannot express. `reason` must be a constant string, such as "I/Os
 * that are neither …". */
void export_exclude(struct export_run *run, const char *reason);

/* Returns the device with a number, and adds it at its first event. */
struct export_device *export_find_device(struct export_run *run, int64_t number);

/* Stores a number in `size` bytes, little-endian. */
void export_store_little_endian(uint8_t *bytes, uint64_t number, size_t size);

/* Lanes for overlapping intervals. Each interval takes the first free lane, so that intervals in a
 * lane do not overlap. The number of lanes is the largest number of overlapping intervals. */
#define LANES_MOST 4096

/* Chooses a lane for an interval from `begin` to `end` (not earlier). Calls must be in order of
 * `begin`. `*is_new`: true if the lane was never used. Returns false if all are in use. */
bool lanes_choose(struct lanes *lanes, int64_t begin, int64_t end, size_t *lane, bool *is_new);

#endif
