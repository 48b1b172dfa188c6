/* Which traces and which of their events a query sees.
 *
 * A query reads temporary tables and views that are set up before it runs:
 *
 *     temp.selection        a row a trace: range of event ids, counted action, hours, sessions
 *     temp.selected_event   the events that pass the filters, by trace and time
 *     temp.tally_…          counts of those events (tally.h), out of the rollups or by scanning
 *     temp.loggable_operation   operations that could have been logged
 *     bit_length(number)
 *     actor_label(actor.name, actor.code, actor.session, selection.sessions)
 */
#ifndef TRACETOOL_SELECTION_H
#define TRACETOOL_SELECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config/config.h"
#include "import/importer.h"
#include "report/query.h"
#include "store/database.h"

/* A trace as its row says. Strings are owned. */
struct catalog_trace {
    int64_t id;
    char *name, *format, *rollups, *clock_unit;
    enum trace_kind kind;
    int64_t start, utc_offset; /* EVENT_NONE: not known */
    int64_t sessions;
    int64_t events, merged, ignored, rejected;
    int64_t first_event, last_event; /* last < first: no events */
    int64_t first_time, last_time;
};

struct catalog {
    struct catalog_trace *traces; /* owned; in order of import */
    size_t count;
};

bool catalog_load(struct catalog *catalog, struct database *database, struct error *error);
void catalog_free(struct catalog *catalog);

/* The trace of that name, NULL when there is none. */
const struct catalog_trace *catalog_find(const struct catalog *catalog, const char *name);

/* Appends the names of all traces, separated by ", ". */
void catalog_append_names(const struct catalog *catalog, struct text *out);

/* Says that there is no trace `name`, and which there are. Always false. */
bool catalog_unknown(const struct catalog *catalog, const char *name, struct error *error);

enum time_bound_kind { TIME_NOT_GIVEN, TIME_SINCE_START, TIME_WALL_CLOCK, TIME_WALL_CLOCK_LOCAL };

/* --from or --to. */
struct time_bound {
    enum time_bound_kind kind;
    /* Nanoseconds since the start, since 1970 UTC, or since 1970 in the device's own time. */
    int64_t time;
};

struct selection_filter {
    struct time_bound from, to; /* to is exclusive */
    const char *process;        /* NULL: all */
    const char *operation;      /* NULL: all */
    const char *action;         /* block I/O: NULL: the completed ones */
    bool has_device;            /* block I/O: only of `device` */
    int64_t device;             /* device_number() */
    int64_t sequence_length;    /* of sequences, 2 to SEQUENCE_LENGTH */
    bool data_only;             /* locality: leave metadata and journal blocks out */
    int64_t top;                /* rows that are wanted, 0: all */
};

/* Lines for the `#` part of a result, owned. */
struct remarks {
    char **lines;
    size_t count;
};

bool remarks_add(struct remarks *remarks, struct error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void remarks_free(struct remarks *remarks);

/* Once a connection: the temporary tables and the functions. `config` is borrowed. */
bool selection_open(struct database *database, const struct config *config, struct error *error);

/* Whether the names in the filter fit something in at least one of the traces; says so if not. */
bool selection_check(struct database *database, const struct catalog_trace *const *traces,
                     size_t count, const struct selection_filter *filter, struct error *error);

/* Makes the given traces, which are of one kind, and the filter the current selection, with what
 * `query` reads. Adds to `remarks` what the reader must know. */
bool selection_set(struct database *database, const struct config *config,
                   const struct catalog_trace *const *traces, size_t count,
                   const struct selection_filter *filter, const struct query *query,
                   struct remarks *remarks, struct error *error);

/* Counts the selected events anew into temp.scanned_NAME, whatever rollups there are. */
bool selection_scan(struct database *database, const struct catalog_trace *const *traces,
                    size_t count, unsigned tallies, struct error *error);

#endif
