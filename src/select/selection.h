/* Selection: the traces and events that a query reads.
 *
 * A connection may have several selections. C code reads the struct, SQL reads temporary tables and
 * views (temp_schema.h):
 *
 * temp.selection: one row per trace: range of event ids, counted action, hours, sessions, place
 * (position in order).
 *
 * temp.selected_event: the events that pass the filter, by trace (in order of place) and time.
 *
 * temp.selected_part: for block I/O on several files, each file's share of the bytes. For the file
 * that selected_event counts all bytes for, its share minus all bytes. Its columns are those of the
 * tallies (tally.h).
 *
 * temp.selected_range: with --under, ranges of events inside that function (span_walk.h).
 *
 * temp.merged_operation (id, merged): for several traces of spans, one id for each name.
 *
 * temp.thread (id, label, tid): actors that are threads. temp.thread_label (id, label): the same
 * labels, for queries that read few. temp.process (id, label): an actor's process.
 *
 * temp.open_part (calls, self, unit): calls open at the end of the log that have times, and their
 * self time. temp.span_remark: texts on calls without entry or exit, from temp.tally_depth.
 *
 * temp.corrected_time (event, duration, self): with CALL_TIMES_CORRECTED (workspace.c).
 *
 * Counts of the events, temp.tally_…, are made by the analyses (analysis.h). */
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

/* Times of calls: by the trace's first clock, by its second clock, or by the first clock minus the
 * cost of measuring inner calls. */
enum call_times { CALL_TIMES_FIRST, CALL_TIMES_SECOND, CALL_TIMES_CORRECTED };

/* Which traces get corrected times: none, those with probes, or all. */
enum correct { CORRECT_NONE, CORRECT_PROBED, CORRECT_ALL };

/* Source of events for scans: table event_column if it has the trace, else rows of event; or always
 * one of both, to compare results. */
enum event_source { EVENTS_FROM_ANY, EVENTS_FROM_COLUMNS, EVENTS_FROM_ROWS };

/* Parameters of a selection. All pointers are borrowed while the selection is open. */
struct selection_request {
    const struct catalog_trace *const *traces; /* the traces, all of one kind */
    size_t count;                              /* number of traces, at least 1 */
    struct filter filter;
    const char *clock;    /* spans: "wall" or "cpu"; NULL: the trace's first clock */
    enum correct correct; /* spans: which times are corrected; ignored with the second clock */
    bool all_actions; /* block I/O: selects events of all actions, unless the filter names one */
    bool leave_open;  /* spans: calls open at the end of the log get no end time */
    enum event_source events;
    /* Returns whether the query reads temp.NAME; views and tables of labels that it does not read
     * are not created. NULL: all are created. */
    bool (*reads)(const void *reader, const char *name);
    const void *reader;
};

struct window_edges;

/* A trace of a selection, and its selected range of events. */
struct selected_trace {
    const struct catalog_trace *trace; /* borrowed */
    int64_t first, last; /* first and last event id in the time window; last < first: none */
    struct window_ids
        ids; /* owned; event ids in the time window, with one range per day if there are several */
    int64_t action; /* name.id of the counted action; EVENT_NONE: all; ACTION_NOTHING: no event */
    /* While analyses run (passes.h): calls that the window cuts; NULL: no call is cut. */
    struct window_edges *edges;
};

struct selection {
    struct database *database;     /* borrowed */
    struct temp_schema *temp;      /* borrowed; holds the selection's tables */
    struct filter filter;          /* its strings are borrowed */
    struct selected_trace *traces; /* owned; sorted by trace id */
    size_t count;
    enum correct correct;   /* as in the request */
    enum call_times times;  /* spans: source of durations */
    bool leave_open;        /* spans: calls open at the end of the log get no end time */
    bool merges_operations; /* true: temp.merged_operation maps equal function names to one id */
    enum event_source events;
    bool ranges_known; /* true: temp.selected_range is filled, or not needed */
    bool has_parts;    /* true: temp.selected_part exists */
    bool has_open_cut; /* true: temp.open_cut has what the window changes in temp.open_part */
    /* Filter by hours of the day. several_days: a trace has events in these hours on several days;
     * several_windows: a trace's time window includes these hours of several days. */
    bool several_days, several_windows;
    bool met_events;    /* true: an analysis has read events that pass the filter */
    struct notes notes; /* owned; `#` lines on what is selected */
    size_t made_before; /* value of temp->count before the selection was opened */
};

/* Opens a selection; selection_close() must be called even on failure. During the call, no
 * statement may run on the connection (temp_schema.h). Before events are read, corrected times
 * (correction_find()) and the ranges of --under (span_ranges_find()) must be computed. */
bool selection_open(struct selection *selection, struct temp_schema *temp,
                    const struct selection_request *request, struct error *error);

/* Returns the table with the times of calls (event, duration, self); NULL: table main.event. */
const char *selection_times(const struct selection *selection);

/* Creates temp.selected_part, unless it exists, for block I/O that C code reads. During the call,
 * no statement may run on the connection. */
bool selection_create_part_table(struct selection *selection, struct error *error);

/* Drops all temporary tables and views made since selection_open(), and frees memory. A zeroed
 * selection may be closed, too. */
void selection_close(struct selection *selection);

/* Sets filter->devices for a report on block I/O, unless the filter names a device. `issued`: the
 * report counts issues (D), which a stacked device may lack. `all`: the report is about all
 * actions, or about partitions, which only the lowest device has. */
void selection_choose_stacked_devices(const struct catalog_trace *const *traces, size_t count,
                                      bool issued, bool all, struct filter *filter);

#endif
