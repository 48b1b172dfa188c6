/* Exports the selection of a trace in the format of another program.
 *
 * An exporter is one file here that defines a `const struct exporter`, and a line in list.c.
 * template.c compiles and explains every function: copy it. docs/adding-an-exporter.md explains the
 * steps. An exporter receives events one by one, with their names, and does not use SQL. It counts
 * what its format cannot express, by reason.
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

/* Limit of distinct reasons; an exporter has a few. */
#define EXPORT_REASONS 32

/* Limit of nested calls in a thread, by their times, for viewers. */
#define EXPORT_NESTED 256

/* Limit of distinguished block devices; further ones share a place. */
#define EXPORT_DEVICES 256

/* An event with its names. Times are nanoseconds, or units of the trace's clock. Unknown numbers
 * are EVENT_NONE. Strings are borrowed for the call, contain any bytes, and are NULL if missing. */
struct export_event {
    int64_t time;     /* since the start of the trace */
    int64_t arrival;  /* for an I/O, the time of its queue event, else of its issue, else `time` */
    int64_t response; /* for an I/O, from `arrival` to `time`; EVENT_NONE: unknown */
    int64_t duration; /* duration of a call; for an I/O, the time from issue to completion */
    const char *action; /* action of an I/O; for others, name of the call; never NULL */
    size_t action_length;
    int64_t operation;    /* name.id of the action or call */
    const char *category; /* class of an I/O; for others name.kind */
    const char *component;
    size_t component_length;
    uint32_t flags; /* class and letters of an I/O; enum span_flag */
    int64_t depth;  /* depth of a span in its thread */
    int64_t sector; /* first sector of an I/O; for a call, the offset in the file */
    int64_t bytes, value;
    int64_t device; /* device_number() */
    int64_t actor;  /* actor.id */
    int64_t thread; /* with `.by_thread`, number of the thread, from 0 in order of first events */
    int64_t pid, tid, issuer_pid;
    const char *process, *issuer; /* `issuer` is NULL if it is the process */
    size_t process_length, issuer_length;
    int64_t object; /* object.id of the file or device; 0: none */
    const char *file;
    size_t file_length;
    int64_t source, source_sector; /* for a call that copies: file read, and offset there */
    const char *source_file;
    size_t source_length;
    const char *arguments;
    size_t arguments_length;
};

/* The time of a call as the export shows it. */
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

/* Moves a span into its caller, after `least`, the end of the previous call there. Its duration is
 * unchanged. */
void export_move_inside(struct export_slice *slice, const struct export_slice *caller,
                        int64_t least);

/* A running export. */
struct export_run {
    const struct selected_trace *trace; /* borrowed */
    const char *trace_name;             /* exported name of the trace; borrowed */
    bool pseudonyms;                    /* the exported names differ from those in the database */
    struct database *database;          /* borrowed; for the exporter's own tables in `temp` */
    struct temp_schema *temp;
    FILE *file;
    bool failed;          /* sticky: no event follows */
    struct error *error;  /* borrowed; the reason of the failure */
    bool real_paths;      /* files keep their names, so that a replay changes them */
    int64_t least_object; /* the trace's smallest object.id */
    int64_t written;      /* number of exported events */
    int64_t threads;      /* `.by_thread`: numbers assigned so far */
    struct {
        const char *reason;
        int64_t count;
    } left_out[EXPORT_REASONS]; /* the first one without a reason ends the list */
    int64_t devices[EXPORT_DEVICES];
    size_t device_count;
};

struct exporter {
    const char *name;        /* name of the format after --as */
    const char *description; /* a line for `tracetool exports` */
    const char *note;        /* printed after an export: what every event loses; NULL: nothing */
    unsigned kinds;          /* bit set of enum trace_kind: kinds that it can export */
    bool sectors;            /* I/O must have sectors */
    /* Receives every step of block I/O, in order of time. Otherwise receives each I/O once, as the
     * counted action, in order of arrival. */
    bool steps;
    /* Receives calls thread by thread, in order of first events. Otherwise in order of time. */
    bool by_thread;
    bool binary;       /* the output is binary */
    bool real_paths;   /* file names in calls may be the log's own */
    size_t state_size; /* size in bytes of the exporter's own state, which is zeroed at the start */

    /* Called before the first event; may be NULL. Failures are set in `run`. */
    void (*begin)(struct export_run *run, void *state);
    /* NULL: reads the events itself, in end(), as rows of a table (event_table.c). */
    void (*take)(struct export_run *run, void *state, const struct export_event *event);
    /* Called after the last event; may be NULL. */
    void (*end)(struct export_run *run, void *state);
    /* Called in any case; may be NULL. */
    void (*free)(void *state);
};

/* NULL-terminated list of all exporters: list.c. */
extern const struct exporter *const exporters[];

/* Exporter and destination. */
struct export_order {
    const struct exporter *exporter;
    FILE *file;
    bool real_paths;               /* files keep the log's names, if the exporter supports it */
    struct pseudonyms *pseudonyms; /* replacements of names; borrowed; NULL: names are unchanged */
};

/* Names that an exporter may query from the database itself. */
enum export_name {
    EXPORT_OPERATION, /* of main.name AS n */
    EXPORT_COMPONENT, /* of main.name AS c */
    EXPORT_ERROR,     /* of main.name AS x */
    EXPORT_PROCESS,   /* of main.actor AS a */
    EXPORT_ISSUER,    /* of main.actor AS i */
    EXPORT_FILE,      /* of main.object AS o */
    EXPORT_SOURCE,
    EXPORT_OPERATION_CODE,   /* numbers of n.text */
    EXPORT_APPLICATION_CODE, /* and of a.name */
};

/* Returns the SQL of a name, or of its pseudonym if the export has pseudonyms. */
const char *export_name_sql(const struct export_run *run, enum export_name name);

/* Returns the same for the arguments of event e. */
const char *export_arguments_sql(const struct export_run *run);

/* Exports the selection of a trace, of a kind that the exporter supports. Zeroes `run`, and sets
 * its counts. */
bool export_selection(const struct export_order *order, const struct selection *selection,
                      struct export_run *run, struct error *error);

/* --- functions for exporters ------------------------------------------------------------------ */

/* After a failure these do nothing except emptying the text. */
void export_write(struct export_run *run, const void *bytes, size_t length);
void export_print(struct export_run *run, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Writes the text and empties it. */
void export_text(struct export_run *run, struct text *text);

/* Creates a table in `temp`, with `columns` in parentheses, for rows that cannot be written yet.
 * Returns the statement that fills it; NULL on failure. */
sqlite3_stmt *export_table(struct export_run *run, const char *name, const char *columns,
                           const char *insert);

/* Runs the statement, which returns no rows. */
void export_hold(struct export_run *run, sqlite3_stmt *insert);

/* Returns a statement whose rows export_next() reads; NULL on failure. */
sqlite3_stmt *export_rows(struct export_run *run, const char *sql);

/* Advances to the next row. After the last one or a failure, frees `rows` and returns false. */
bool export_next(struct export_run *run, sqlite3_stmt *rows);

/* Returns the number that a statement on trace ?1 yields; 0 if it is NULL. */
int64_t export_number(struct export_run *run, const char *sql);

/* Counts an event that the format cannot express. `reason` is a constant string: "I/Os that are
 * neither …". */
void export_exclude(struct export_run *run, const char *reason);

/* Returns the device's index among the trace's devices, from 0 in order of their first events.
 * `*is_new`, unless NULL: this is its first event. */
size_t export_device(struct export_run *run, int64_t device, bool *is_new);

/* Writes a number to `size` bytes, little-endian. */
void export_store_little_endian(uint8_t *bytes, uint64_t number, size_t size);

/* Lanes for overlapping intervals. Each interval takes the first free lane, so that intervals in a
 * lane do not overlap. There are as many lanes as intervals overlap at once, up to a limit. */
#define LANES_MOST 4096

/* Zeroed: none. */
struct lanes {
    int64_t *ends; /* owned; the time when each lane becomes free */
    size_t count, capacity;
};

/* Allocates a lane from `begin` to `end`, which is not earlier. Calls must be in order of `begin`.
 * `*is_new`: the lane is used for the first time. False: all lanes are in use. */
bool lanes_choose(struct lanes *lanes, int64_t begin, int64_t end, size_t *lane, bool *is_new);
void lanes_free(struct lanes *lanes);

#endif
