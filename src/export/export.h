/* Writes what is selected of a trace in the format of another program.
 *
 * An exporter is one file here that defines a `const struct exporter`, and a line in list.c.
 * template.c compiles and explains every function: copy it. docs/adding-an-exporter.md goes through
 * the steps. It gets the events one by one, with what they speak of, and knows nothing of SQL. What
 * its format cannot hold it counts, by reason.
 */
#ifndef TRACETOOL_EXPORT_H
#define TRACETOOL_EXPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "base/text.h"
#include "copy/pseudonyms.h"
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
    int64_t time;       /* since the start of the trace */
    int64_t arrival;    /* of an I/O: when it was asked for, else issued, else `time` */
    int64_t response;   /* of an I/O, from then to `time`; EVENT_NONE: not known */
    int64_t duration;   /* of a call; of an I/O from issue to completion */
    const char *action; /* of an I/O; of others the call; never NULL */
    size_t action_length;
    int64_t operation;    /* name.id of it */
    const char *category; /* class of an I/O; of others name.kind */
    const char *component;
    size_t component_length;
    uint32_t flags; /* class and letters of an I/O, enum span_flag */
    int64_t depth;  /* of a span */
    int64_t sector; /* of a call the offset */
    int64_t bytes, value;
    int64_t device; /* device_number() */
    int64_t actor;  /* actor.id */
    int64_t thread; /* with `.by_thread` its number, from 0 in order of first events */
    int64_t pid, tid, issuer_pid;
    const char *process, *issuer; /* `issuer` is NULL where it is the process */
    size_t process_length, issuer_length;
    int64_t object; /* object.id of the file or device; 0: none */
    const char *file;
    size_t file_length;
    int64_t source, source_sector; /* of a call that copies: what it read, and the offset there */
    const char *source_file;
    size_t source_length;
    const char *arguments;
    size_t arguments_length;
};

/* The time that a call takes in a picture. */
struct export_slice {
    int64_t begin, end;
    int64_t log_end; /* by the log's times */
};

/* Whether a span that begins then may lie in this one. A kernel's graph cuts begins to microseconds
 * and durations to nanoseconds, so that one may begin up to a microsecond behind its caller's end.
 */
static inline bool export_may_lie_in(int64_t begin, const struct export_slice *caller) {
    return caller->log_end >= begin - 1000;
}

/* Moves a span into its caller, behind `least`, where the call before it there has ended. Its
 * duration stays. */
void export_move_inside(struct export_slice *slice, const struct export_slice *caller,
                        int64_t least);

/* A running export. */
struct export_run {
    const struct selected_trace *trace; /* borrowed */
    const char *trace_name;             /* as it is to be called; borrowed */
    bool pseudonyms;                    /* the exported names differ from those in the database */
    struct database *database;          /* borrowed; for the exporter's own tables in `temp` */
    struct temp_schema *temp;
    FILE *file;
    bool failed;          /* sticky: no event follows */
    struct error *error;  /* borrowed; the reason of the failure */
    bool real_paths;      /* files keep their names, so that a replay changes them */
    int64_t least_object; /* the trace's smallest object.id */
    int64_t written;      /* what of the trace is in the file */
    int64_t threads;      /* `.by_thread`: numbers assigned so far */
    struct {
        const char *reason;
        int64_t count;
    } left_out[EXPORT_REASONS]; /* the first one without a reason ends the list */
    int64_t devices[EXPORT_DEVICES];
    size_t device_count;
};

struct exporter {
    const char *name;        /* its name after --as */
    const char *description; /* a line for `tracetool exports` */
    unsigned kinds;          /* bit set of enum trace_kind: kinds that it can export */
    bool sectors;            /* I/O must have sectors */
    /* Whether it gets every step of block I/O, in order of time. Else it gets each I/O once, that
     * is the counted action, in order of arrival. */
    bool steps;
    /* Whether it gets calls thread by thread, these in order of first events. Else they come in
     * order of time. */
    bool by_thread;
    bool binary;       /* the output is binary */
    bool real_paths;   /* it names files, of calls, and may do so by the log's own names */
    size_t state_size; /* size in bytes of the exporter's own state, which is zeroed at the start */

    /* Called before the first event; may be NULL. Failures are set in `run`. */
    void (*begin)(struct export_run *run, void *state);
    /* NULL: it reads the events by itself, in end(), as rows of a table (event_table.c). */
    void (*take)(struct export_run *run, void *state, const struct export_event *event);
    /* Called after the last event; may be NULL. */
    void (*end)(struct export_run *run, void *state);
    /* Called in any case; may be NULL. */
    void (*free)(void *state);
};

/* NULL-terminated list of all exporters: list.c. */
extern const struct exporter *const exporters[];

/* Returns the exporter with that name or unambiguous prefix; NULL with `error` set if there is
 * none. */
const struct exporter *exporter_choose(const char *typed, struct error *error);

/* What is to be written, and where. */
struct export_order {
    const struct exporter *exporter;
    FILE *file;
    bool real_paths; /* files have the log's own names, which the exporter must know */
    struct pseudonyms *pseudonyms; /* that names are replaced by; borrowed; NULL: they stay */
};

/* Names that an exporter may ask of the database by itself. */
enum export_name {
    EXPORT_OPERATION, /* of main.name AS n */
    EXPORT_COMPONENT, /* of main.name AS c */
    EXPORT_ERROR,     /* of main.name AS x */
    EXPORT_PROCESS,   /* of main.actor AS a */
    EXPORT_ISSUER,    /* of main.actor AS i */
    EXPORT_FILE,      /* of main.object AS o */
    EXPORT_SOURCE,
    EXPORT_OPERATION_CODE,   /* the numbers behind n.text */
    EXPORT_APPLICATION_CODE, /* and a.name */
};

/* The SQL for such a name, as it is to be written. */
const char *export_name_sql(const struct export_run *run, enum export_name name);

/* The same for the arguments of event e. */
const char *export_arguments_sql(const struct export_run *run);

/* Writes the selection, of one trace of a kind that the exporter takes. `run` is zeroed by this,
 * and says what came of it. */
bool export_selection(const struct export_order *order, const struct selection *selection,
                      struct export_run *run, struct error *error);

/* --- what exporters call ---------------------------------------------------------------------- */

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
void export_keep(struct export_run *run, sqlite3_stmt *insert);

/* Returns a statement whose rows export_next() reads; NULL on failure. */
sqlite3_stmt *export_rows(struct export_run *run, const char *sql);

/* Advances to the next row. After the last one or a failure, frees `rows` and returns false. */
bool export_next(struct export_run *run, sqlite3_stmt *rows);

/* Returns the number that a statement on trace ?1 yields; `none` if it is NULL. */
int64_t export_number(struct export_run *run, const char *sql, int64_t none);

/* Counts an event that the format cannot express. `reason` is a constant string: "I/Os that are
 * neither …". */
void export_leave_out(struct export_run *run, const char *reason);

/* Returns the device's index among the trace's devices, from 0 in order of their first events.
 * `*is_new`, unless NULL: this is its first event. */
size_t export_device(struct export_run *run, int64_t device, bool *is_new);

/* Writes a number to `size` bytes, little-endian. */
void export_put(uint8_t *bytes, uint64_t number, size_t size);

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
bool lanes_take(struct lanes *lanes, int64_t begin, int64_t end, size_t *lane, bool *is_new);
void lanes_free(struct lanes *lanes);

/* Wall clock of a time of the trace, ns since 1970; of a trace without one, since 2000, which is
 * left out as a reason. */
int64_t export_wall_clock(struct export_run *run, int64_t time);

#endif
