/* A selection: which traces, and which of their events, a query sees.
 *
 * It is a value, and several may live on one connection. C code reads it from the struct, SQL from
 * temporary tables and views (temp_schema.h):
 *
 * temp.selection: a row a trace: range of event ids, counted action, hours, sessions, place.
 *
 * temp.selected_event: the events that pass the filter, by trace (in order of place) and time.
 *
 * temp.selected_part: of block I/O on several files what each of these has of the bytes of an I/O,
 * less all of them for the one it is counted with; its columns are those of the tallies (tally.h).
 *
 * temp.selected_range: with --under, ranges of events beneath that function (span_walk.h).
 *
 * temp.merged_operation: id, merged: over several traces of spans, one id for each name.
 *
 * temp.thread: id, label, tid of actors that are threads. temp.process: id, label: the process of
 * an actor.
 *
 * temp.open_part: calls, self, unit: what rests on calls open at the end of the log.
 * temp.span_remark: texts on calls without entry or exit, out of temp.tally_depth.
 *
 * temp.corrected_time: with CALL_TIMES_CORRECTED event, duration, self of calls (correction.h).
 *
 * What is counted of the events, temp.tally_…, comes from the analyses (analysis.h).
 */
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

/* Which times calls have: of the trace's first clock, of the clock beside it, or of the first
 * without what measuring the calls inside of them cost. */
enum call_times { CALL_TIMES_FIRST, CALL_TIMES_SECOND, CALL_TIMES_CORRECTED };

/* Whose times are to be corrected: of no trace, of those with probes, or of all. */
enum correct { CORRECT_NONE, CORRECT_PROBED, CORRECT_ALL };

/* Where scans have the events from: columns where a trace has some, else rows; or only one of both,
 * which is for those who compare them. */
enum event_source { EVENTS_FROM_ANY, EVENTS_FROM_COLUMNS, EVENTS_FROM_ROWS };

/* What is to be selected. All is borrowed as long as the selection is open. */
struct selection_request {
    const struct catalog_trace *const *traces; /* of one kind */
    size_t count;                              /* at least 1 */
    struct filter filter;
    const char *clock;    /* spans: "wall" or "cpu"; NULL: the first one a trace has */
    enum correct correct; /* spans: not together with a clock beside the first one */
    bool all_actions;     /* block I/O: not only the counted one, unless the filter names one */
    bool leave_open;      /* spans: calls that are open at the end of the log have no times */
    enum event_source events;
    /* Whether a query reads temp.NAME: other views, and tables of labels, are not made. NULL: all
     * are. */
    bool (*reads)(const void *reader, const char *name);
    const void *reader;
};

struct window_edges;

/* A trace of a selection. */
struct selected_trace {
    const struct catalog_trace *trace; /* borrowed */
    int64_t first, last;   /* ids of its events in the time window; last < first: there are none */
    struct window_ids ids; /* owned: the same, and where these are of several days their ranges */
    int64_t action; /* name.id of the counted action; EVENT_NONE: all; ACTION_NOTHING: none */
    /* While analyses run (passes.h): the calls that a window cuts; NULL: times are of whole calls.
     */
    struct window_edges *edges;
};

struct selection {
    struct database *database;     /* borrowed */
    struct temp_schema *temp;      /* borrowed; temporary tables that its own are among */
    struct filter filter;          /* its strings are borrowed */
    struct selected_trace *traces; /* owned; in order of their ids */
    size_t count;
    enum correct correct;   /* as requested */
    enum call_times times;  /* spans: what durations are */
    bool leave_open;        /* spans: calls that are open at the end of the log have no times */
    bool merges_operations; /* temp.merged_operation says which operations are one */
    enum event_source events;
    bool ranges_known;  /* temp.selected_range is filled, or not needed */
    bool has_parts;     /* temp.selected_part is there */
    bool has_open_cut;  /* temp.open_cut is there: self time that open_part adds */
    bool several_days;  /* of a trace hours of several days are chosen */
    bool met_events;    /* a pass over its events has met some */
    struct notes notes; /* owned; what the reader must know */
    size_t made_before; /* objects of `temp` that are not the selection's */
};

/* Makes a selection, which selection_close() ends in any case. No statement may run on the
 * connection meanwhile (temp_schema.h). Before anything is read, corrected times must be found
 * (correction_find()), and with --under the ranges (span_ranges_find()). */
bool selection_open(struct selection *selection, struct temp_schema *temp,
                    const struct selection_request *request, struct error *error);

/* The table with the times that calls have in the selection, of columns event, duration and self;
 * NULL: those in main.event. */
const char *selection_times(const struct selection *selection);

/* Makes temp.selected_part of block I/O, unless it is there, for who reads it in C. No statement
 * may run on the connection meanwhile. */
bool selection_make_parts(struct selection *selection, struct error *error);

/* Drops what was made in the temp schema since selection_open(), and frees. Zeroed is closed. */
void selection_close(struct selection *selection);

/* Whether the trace has the clock that is asked for (NULL: any); says so if not. */
bool selection_check_clock(const struct catalog_trace *trace, const char *clock,
                           struct error *error);

#endif
