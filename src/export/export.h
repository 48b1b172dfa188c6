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
#include "copy/pseudonymise.h"
#include "select/selection.h"

/* Maximum different reasons for leaving out events; an exporter has a few. */
#define EXPORT_REASONS 32

/* Maximum calls nested in each other, judged by their times, for viewers. */
#define EXPORT_NESTED 256

/* Maximum block devices that are distinguished; further devices share an index. */
#define EXPORT_DEVICES 256

/* An event with its names. Times are nanoseconds, or units of the trace's clock. Unknown numbers
 * are EVENT_NONE. Strings are borrowed for the call, have any bytes, and are NULL if missing. */
struct export_event {
    int64_t time;       /* time since the start of the trace */
    int64_t arrival;    /* time when an I/O was queued (Q), else issued (D), else `time` */
    int64_t response;   /* time of an I/O from `arrival` to `time`; EVENT_NONE: unknown */
    int64_t duration;   /* duration of a call; for an I/O, the time from issue to completion */
    const char *action; /* action of an I/O; for others, name of the call; never NULL */
    size_t action_length;
    int64_t operation;    /* id (name.id) of the action or call */
    const char *category; /* class of an I/O; for others, kind of the name (name.kind) */
    const char *component;
    size_t component_length;
    uint32_t flags; /* class and letters of an I/O; for a span, enum span_flag */
    int64_t depth;  /* depth of a span: number of its callers */
    int64_t sector; /* first sector of an I/O; for a call, the offset in the file */
    int64_t bytes, value;
    int64_t device; /* result of device_number() */
    int64_t actor;  /* actor.id */
    int64_t thread; /* with exporter.by_thread: index of the thread, in order of first events */
    int64_t pid, tid, issuer_pid;
    const char *process, *issuer; /* `issuer` is NULL if it equals `process` */
    size_t process_length, issuer_length;
    int64_t object; /* object.id of the file or device; 0: none */
    const char *file;
    size_t file_length;
    int64_t source, source_sector; /* file that a copying call reads, and offset in it */
    const char *source_file;
    size_t source_length;
    const char *arguments;
    size_t arguments_length;
};

/* The time of a call as exported, which may differ from the log. */
struct export_slice {
    int64_t begin, end;
    int64_t log_end; /* end of the call in the log */
};

/* Returns whether a span that begins at `begin` may be inside the caller. A kernel graph truncates
 * begins to microseconds but durations to nanoseconds, so a span may begin up to a microsecond
 * after its caller's end.
 */
static inline bool export_may_lie_in(int64_t begin, const struct export_slice *caller) {
    return caller->log_end >= begin - 1000;
}

/* Moves a span into its caller, at or after `least`, where the previous call ends. Its duration is
 * unchanged. */
void export_move_inside(struct export_slice *slice, const struct export_slice *caller,
                        int64_t least);

/* State of an export while it runs. */
struct export_run {
    const struct selected_trace *trace; /* borrowed */
    const char *trace_name;             /* name of the trace in the export; borrowed */
    bool pseudonyms;           /* true: exported names are pseudonyms of those in the database */
    struct database *database; /* borrowed; for the exporter's own tables in `temp` */
    struct temp_schema *temp;
    FILE *file;
    bool failed;          /* true: an error occurred, and no further event is written */
    struct error *error;  /* borrowed; receives the error */
    bool real_paths;      /* true: files keep their names; a replay then changes real files */
    int64_t least_object; /* the trace's smallest object.id */
    int64_t written;      /* number of exported events */
    int64_t threads;      /* with exporter.by_thread: number of threads so far */
    struct {
        const char *reason;
        int64_t count;
    } left_out[EXPORT_REASONS]; /* events left out, by reason; ends at the first NULL `reason` */
    int64_t devices[EXPORT_DEVICES];
    size_t device_count;
};

struct exporter {
    const char *name;        /* name of the format, as given to --as */
    const char *description; /* a line printed by `tracetool exports` */
    const char *note;        /* printed after an export: what the format omits; NULL: nothing */
    unsigned kinds;          /* bit set of enum trace_kind: kinds of traces that it can export */
    bool sectors;            /* true: only I/Os with sectors can be exported */
    /* true: receives every step of block I/O, in order of time. false: receives each I/O once, as
     * its counted action (by default its completion), in order of arrival. */
    bool steps;
    /* true: receives calls by thread, threads in order of first events. false: in order of time. */
    bool by_thread;
    bool binary;       /* true: the output is binary */
    bool real_paths;   /* true: --real-paths is allowed, so files keep their names */
    size_t state_size; /* size in bytes of the exporter's own state, which is zeroed at the start */

    /* Called before the first event; may be NULL. Reports failures in `run`. */
    void (*begin)(struct export_run *run, void *state);
    /* Called for each event. NULL: end() reads the events as rows of a table (event_table.c). */
    void (*take)(struct export_run *run, void *state, const struct export_event *event);
    /* Called after the last event; may be NULL. */
    void (*end)(struct export_run *run, void *state);
    /* Frees the state; called in any case, may be NULL. */
    void (*free)(void *state);
};

/* NULL-terminated list of all exporters: list.c. */
extern const struct exporter *const exporters[];

/* What to export, and where to. */
struct export_order {
    const struct exporter *exporter;
    FILE *file;
    bool real_paths;               /* true: files keep the log's names, if the exporter allows it */
    struct pseudonyms *pseudonyms; /* replacements for names, borrowed; NULL: names are unchanged */
};

/* Names that an exporter may query from the database itself, with the table's alias. */
enum export_name {
    EXPORT_OPERATION, /* name in main.name AS n */
    EXPORT_COMPONENT, /* name in main.name AS c */
    EXPORT_ERROR,     /* name in main.name AS x */
    EXPORT_PROCESS,   /* name in main.actor AS a */
    EXPORT_ISSUER,    /* name in main.actor AS i */
    EXPORT_FILE,      /* name in main.object AS o */
    EXPORT_SOURCE,
    EXPORT_OPERATION_CODE,   /* number that stands for n.text */
    EXPORT_APPLICATION_CODE, /* number that stands for a.name */
};

/* Returns the SQL expression of a name, or of its pseudonym if the export has pseudonyms. */
const char *export_name_sql(const struct export_run *run, enum export_name name);

/* Returns the SQL expression of the arguments of event e; NULL if the export has pseudonyms. */
const char *export_arguments_sql(const struct export_run *run);

/* Exports the selected events of a trace, whose kind the exporter supports. Initialises `run`, and
 * sets the counts in it. */
bool export_selection(const struct export_order *order, const struct selection *selection,
                      struct export_run *run, struct error *error);

/* --- functions for exporters ------------------------------------------------------------------ */

/* After a failure of the export, these functions do nothing except emptying the text. */
void export_write(struct export_run *run, const void *bytes, size_t length);
void export_print(struct export_run *run, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Writes the text to the output, and empties it. */
void export_write_text(struct export_run *run, struct text *text);

/* Creates a temporary table, with `columns` in parentheses, for rows that cannot be written yet.
 * Returns the INSERT statement that fills it; NULL on failure. */
sqlite3_stmt *export_create_table(struct export_run *run, const char *name, const char *columns,
                                  const char *insert);

/* Runs an INSERT statement of export_create_table(). */
void export_insert(struct export_run *run, sqlite3_stmt *insert);

/* Returns a statement whose rows export_next() reads; NULL on failure. */
sqlite3_stmt *export_query_rows(struct export_run *run, const char *sql);

/* Advances to the next row. After the last row or a failure, frees `rows` and returns false. */
bool export_next(struct export_run *run, sqlite3_stmt *rows);

/* Returns the number that a SELECT with the trace's id as ?1 yields; 0 if that is NULL. */
int64_t export_query_number(struct export_run *run, const char *sql);

/* Counts an event that is left out because the format cannot express it. `reason` is a constant
 * string: "I/Os that are neither …". */
void export_exclude(struct export_run *run, const char *reason);

/* Returns the device's index among the trace's devices, from 0 in order of their first events.
 * `*is_new`: this is the device's first event; may be NULL. */
size_t export_device_index(struct export_run *run, int64_t device, bool *is_new);

/* Stores a number in `size` bytes, little-endian. */
void export_store_little_endian(uint8_t *bytes, uint64_t number, size_t size);

/* Lanes for overlapping intervals. Each interval takes the first free lane, so that intervals in a
 * lane do not overlap. There are as many lanes as intervals overlap at once, up to a limit. */
#define LANES_MOST 4096

/* A zeroed struct has no lanes. */
struct lanes {
    int64_t *ends; /* owned; by lane, time when it becomes free */
    size_t count, capacity;
};

/* Chooses a lane for an interval from `begin` to `end`, which is not earlier. Calls must be in
 * order of `begin`. `*is_new`: the lane is used for the first time. False: all lanes are in use. */
bool lanes_choose(struct lanes *lanes, int64_t begin, int64_t end, size_t *lane, bool *is_new);
void lanes_free(struct lanes *lanes);

#endif
