/* Selection: the traces and events that a query sees.
 *
 * It is a value, and a connection may have several. C code reads the struct, SQL reads temporary
 * tables and views (temp_schema.h):
 *
 * temp.selection: one row per trace: range of event ids, counted action, hours, sessions, place.
 *
 * temp.selected_event: the events that pass the filter, by trace (in order of place) and time.
 *
 * temp.selected_part: for block I/O on several files, each file's share of the bytes, minus all of
 * them for the file that the I/O is counted with. Its columns are those of the tallies (tally.h).
 *
 * temp.selected_range: with --under, ranges of events inside that function (span_walk.h).
 *
 * temp.merged_operation (id, merged): for several traces of spans, one id for each name.
 *
 * temp.thread (id, label, tid): actors that are threads. temp.thread_label (id, label): the same
 * labels, for queries that look up a few. temp.process (id, label): an actor's process.
 *
 * temp.open_part (calls, self, unit): share of calls still open at the end of the log.
 * temp.span_remark: texts on calls without entry or exit, from temp.tally_depth.
 *
 * temp.corrected_time (event, duration, self): with CALL_TIMES_CORRECTED (correction.h).
 *
 * Counts of the events, temp.tally_…, come from the analyses (analysis.h). */
#ifndef TRACETOOL_SELECTION_H
#define TRACETOOL_SELECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "select/filter.h"
#include "select/notes.h"
#include "select/temp_schema.h"
#include "select/window.h"
#include "store/catalog.h"

/* Call times: on the trace's first clock, on its second clock, or on the first one without the
 * overhead of measuring inner calls. */
enum call_times { CALL_TIMES_FIRST, CALL_TIMES_SECOND, CALL_TIMES_CORRECTED };

/* Traces with corrected times: none, those with probes, or all. */
enum correct { CORRECT_NONE, CORRECT_PROBED, CORRECT_ALL };

/* Source of events for scans: columns if the trace has them, otherwise rows; or one of both, for
 * comparisons. */
enum event_source { EVENTS_FROM_ANY, EVENTS_FROM_COLUMNS, EVENTS_FROM_ROWS };

/* Parameters of a selection. All are borrowed while it is open. */
struct selection_request {
    const struct catalog_trace *const *traces; /* traces, all of one kind */
    size_t count;                              /* number of traces, at least 1 */
    struct filter filter;
    const char *clock;    /* spans: "wall" or "cpu"; NULL: the trace's first clock */
    enum correct correct; /* spans: not together with the second clock */
    bool all_actions;     /* block I/O: all actions, unless the filter names one */
    bool leave_open;      /* spans: calls open at the end of the log get no times */
    enum event_source events;
    /* Whether a query reads temp.NAME; other views and tables of labels are not created. NULL:
     * creates all. */
    bool (*reads)(const void *reader, const char *name);
    const void *reader;
};

struct window_edges;

/* A trace of a selection. */
struct selected_trace {
    const struct catalog_trace *trace; /* borrowed */
    int64_t first, last;               /* event ids in the time window; last < first: none */
    struct window_ids
        ids; /* owned: event ids in the time window; for hours of several days also their ranges */
    int64_t action; /* name.id of the counted action; EVENT_NONE: all; ACTION_NOTHING: none */
    /* During analyses (passes.h): calls cut by the window; NULL: times are of whole calls. */
    struct window_edges *edges;
};

struct selection {
    struct database *database;     /* borrowed */
    struct temp_schema *temp;      /* borrowed; contains the selection's tables */
    struct filter filter;          /* strings are borrowed */
    struct selected_trace *traces; /* owned; by trace id */
    size_t count;
    enum correct correct;   /* correction of times, as requested */
    enum call_times times;  /* spans: source of durations */
    bool leave_open;        /* spans: calls open at the end of the log have no times */
    bool merges_operations; /* true: temp.merged_operation maps equal operations */
    enum event_source events;
    bool ranges_known;  /* temp.selected_range is filled or not needed */
    bool has_parts;     /* true: temp.selected_part exists */
    bool has_open_cut;  /* temp.open_cut exists: self time to add in open_part */
    bool several_days;  /* a trace has selected hours on several days */
    bool met_events;    /* a pass over its events found some */
    struct notes notes; /* owned; for the reader */
    size_t made_before; /* objects in `temp` that existed before the selection */
};

/* Opens a selection; always call selection_close(). No statement may run on the connection
 * meanwhile (temp_schema.h). Before reading, find corrected times (correction_find()), and with
 * --under the ranges (span_ranges_find()). */
bool selection_open(struct selection *selection, struct temp_schema *temp,
                    const struct selection_request *request, struct error *error);

/* Returns the table with the selection's call times, with columns event, duration and self; NULL:
 * main.event. */
const char *selection_times(const struct selection *selection);

/* Creates temp.selected_part for block I/O, unless it exists, for use in C. No statement may run on
 * the connection meanwhile. */
bool selection_make_parts(struct selection *selection, struct error *error);

/* Drops what was created in the temp schema since selection_open(), and frees. A zeroed selection
 * is closed. */
void selection_close(struct selection *selection);

/* Sets filter->devices for a report over traces, unless the filter names a device. Only used for
 * block I/O. `issued`: the report counts issues, which an upper device may lack. `all`: it is about
 * partitions, which are on the lowest device, or about all actions. */
void stacked_choose(const struct catalog_trace *const *traces, size_t count, bool issued, bool all,
                    struct filter *filter);

#endif
