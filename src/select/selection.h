/* Which traces and which of their events a query sees.
 *
 * A query reads temporary tables and views that are set up before it runs:
 *
 *     temp.selection        a row a trace: range of event ids, counted action, hours, sessions
 *     temp.selected_event   the events that pass the filters, by trace and time
 *     temp.tally_…          counts of those events (tally.h), out of the rollups or by scanning
 *     temp.tally_span       times of calls by operation and actor (span_times.h), likewise
 *     temp.tally_tree       the call tree (scan.h)
 *     temp.merged_operation id, merged: over several traces of spans, one id for each name
 *     temp.thread           id, label, tid of actors that are threads
 *     temp.span_remark      texts on calls without entry or exit, out of temp.tally_depth
 *     temp.loggable_operation   operations that could have been logged
 *     temp.tally_hotspot    items of the levels of a profile; temp.hotspot_base (scan.h)
 *     temp.reference        name, time: the lines of --reference
 *     temp.marked_operation operation, actor, count: the events of the trace of --mark that pass
 *                           the filters; filled by report.c
 *     sum_time(time)        a sum that stops at the largest number
 *     bit_length(number)
 *     module_of(name), probe_overhead(origin)   by the configuration
 *     actor_label(actor.name, actor.code, actor.session, selection.sessions)
 */
#ifndef TRACETOOL_SELECTION_H
#define TRACETOOL_SELECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config/config.h"
#include "import/importer.h"
#include "store/catalog.h"
#include "report/query.h"
#include "store/database.h"

enum time_bound_kind { TIME_NOT_GIVEN, TIME_SINCE_START, TIME_WALL_CLOCK, TIME_WALL_CLOCK_LOCAL };

/* --from or --to. */
struct time_bound {
    enum time_bound_kind kind;
    /* Nanoseconds since the start, since 1970 UTC, or since 1970 in the device's own time. */
    int64_t time;
    /* The number, when it is a whole one without a unit; else -1: units of a trace's own clock. */
    int64_t plain;
};

struct selection_filter {
    struct time_bound from, to; /* to is exclusive */
    const char *process;        /* NULL: all */
    const char *operation;      /* NULL: all */
    const char *under;          /* spans: only calls of this function and what they call */
    const char *component;      /* spans: only functions of this component or class */
    const char *clock;          /* spans: "wall" or "cpu"; NULL: the trace's first */
    bool cpu_beside;            /* the clock is the second one: set by selection_set() */
    const char *resolution;     /* hotspots: only items of this level; NULL: all */
    const char *within;         /* hotspots: only what lies in this item */
    const char *root;           /* hotspots: only what was called, directly or not, by this */
    struct time_bound min_time; /* hotspots: of a call */
    int64_t least_duration;     /* that in units of the clock: set by spans_select() */
    const char *action;         /* block I/O: NULL: the completed ones */
    bool has_device;            /* block I/O: only of `device` */
    int64_t device;             /* device_number() */
    int64_t sequence_length;    /* of sequences, 2 to SEQUENCE_LENGTH */
    bool data_only;             /* locality: leave metadata and journal blocks out */
    int64_t top;                /* rows that are wanted, 0: all */
};

/* Whether the filter leaves any event of a trace out. */
bool selection_narrows(const struct selection_filter *filter);

/* Whether the filter chooses by operation. */
bool selection_by_operation(const struct selection_filter *filter);

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

/* Sets `missing` to a sentence about what the filter names and a trace has not, the action of block
 * I/O included; to nothing when it has all. */
bool selection_missing(struct database *database, const struct catalog_trace *trace,
                       const struct selection_filter *filter, struct text *missing,
                       struct error *error);

/* Makes the given traces, which are of one kind, and the filter the current selection, with what
 * `query` reads. Adds to `remarks` what the reader must know. */
bool selection_set(struct database *database, const struct config *config,
                   const struct catalog_trace *const *traces, size_t count,
                   const struct selection_filter *filter, const struct query *query,
                   struct remarks *remarks, struct error *error);

/* Counts the events of the current selection, which is of these traces and this filter, anew into
 * temp.scanned_NAME, whatever rollups there are. */
bool selection_scan(struct database *database, const struct catalog_trace *const *traces,
                    const struct selection_filter *filter, unsigned tallies, struct error *error);

#endif
