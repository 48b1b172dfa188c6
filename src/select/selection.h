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

/* Times of calls: by the trace's first clock, by its second clock, or by the first one without the
 * time that measuring inner calls takes. */
enum call_times { CALL_TIMES_FIRST, CALL_TIMES_SECOND, CALL_TIMES_CORRECTED };

/* Which traces get corrected times: none, those with probes, or all. */
enum correct { CORRECT_NONE, CORRECT_PROBED, CORRECT_ALL };

/* Where scans read events from: columns if the trace has them, else rows; or always one of both,
 * for comparisons. */
enum event_source { EVENTS_FROM_ANY, EVENTS_FROM_COLUMNS, EVENTS_FROM_ROWS };

/* What a selection is made from. All pointers are borrowed while it is open. */
struct selection_request {
    const struct catalog_trace *const *traces; /* the traces, all of one kind */
    size_t count;                              /* number of traces, at least 1 */
    struct filter filter;
    const char *clock;    /* for spans: "wall" or "cpu"; NULL: the trace's first clock */
    enum correct correct; /* for spans: which times are corrected; not with the second clock */
    bool all_actions;     /* for block I/O: selects all actions, unless the filter names one */
    bool leave_open;      /* for spans: calls open at the end of the log get no times */
    enum event_source events;
    /* Returns whether a query reads temp.NAME; views and tables of labels that it does not read are
     * not created. NULL: all are created. */
    bool (*reads)(const void *reader, const char *name);
    const void *reader;
};

struct window_edges;

/* A trace of a selection. */
struct selected_trace {
    const struct catalog_trace *trace; /* borrowed */
    int64_t first, last; /* range of the event ids in the time window; last < first: none */
    struct window_ids
        ids; /* owned; event ids in the time window, also as a range for each of several days */
    int64_t action; /* name.id of the action that counts; EVENT_NONE: all; ACTION_NOTHING: none */
    /* While analyses run (passes.h): calls that the window cuts; NULL: times are of whole calls. */
    struct window_edges *edges;
};

struct selection {
    struct database *database;     /* borrowed */
    struct temp_schema *temp;      /* borrowed; has the tables of the selection */
    struct filter filter;          /* strings are borrowed */
    struct selected_trace *traces; /* owned; sorted by trace id */
    size_t count;
    enum correct correct;   /* which times the request wants corrected */
    enum call_times times;  /* for spans: where durations come from */
    bool leave_open;        /* for spans: calls open at the end of the log have no times */
    bool merges_operations; /* true: temp.merged_operation maps operations with equal names */
    enum event_source events;
    bool ranges_known; /* true: temp.selected_range is filled, or not needed */
    bool has_parts;    /* true: temp.selected_part exists */
    bool has_open_cut; /* temp.open_cut exists, with self time to add in temp.open_part */
    /* Hours of several days are selected in a trace: days that have events; any days. */
    bool several_days, several_windows;
    bool met_events;    /* true: a pass over the selection has found events */
    struct notes notes; /* owned; `#` lines for the reader */
    size_t made_before; /* number of objects in `temp` before the selection was opened */
};

/* Opens a selection; selection_close() must always be called. Meanwhile no statement may run on the
 * connection (temp_schema.h). Before events are read, corrected times must be found
 * (correction_find()) and, with --under, the ranges (span_ranges_find()). */
bool selection_open(struct selection *selection, struct temp_schema *temp,
                    const struct selection_request *request, struct error *error);

/* Returns the table with the times of the selection's calls; columns: event, duration and self.
 * NULL: main.event. */
const char *selection_times(const struct selection *selection);

/* Creates temp.selected_part for block I/O, unless it exists, for use in C. Meanwhile no statement
 * may run on the connection. */
bool selection_make_parts(struct selection *selection, struct error *error);

/* Drops what selection_open() and later functions have created in the temp schema, and frees. Does
 * nothing for a zeroed selection. */
void selection_close(struct selection *selection);

/* Sets filter->devices for a report over traces of block I/O, unless the filter names a device.
 * `issued`: the report counts issues, which an upper device may lack. `all`: the report is about
 * partitions, which are on the lowest device, or about all actions. */
void stacked_choose_devices(const struct catalog_trace *const *traces, size_t count, bool issued,
                            bool all, struct filter *filter);

#endif
