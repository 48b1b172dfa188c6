/* The row of a trace: how it is found, made, named and completed. */
#ifndef TRACETOOL_TRACE_ROW_H
#define TRACETOOL_TRACE_ROW_H

#include "model/event.h"
#include "store/store.h"

/* What is known of a trace before its first event. Borrowed strings, NULL where not given. */
struct store_trace {
    const char *name;
    const char *format;
    const char *device, *user, *study;
    enum trace_kind kind;
    unsigned columns; /* enum event_column: those that events of this trace may have */
    bool replace;     /* a trace of that name is removed first */
    bool append;      /* the trace of that name goes on */
    bool brief;       /* the transaction will be small (write_ahead.h) */
};

/* What is known after its last event. */
struct store_ending {
    const char *variant;
    const char *clock_unit, *clocks;
    int64_t clock_hz;   /* EVENT_NONE: no counter */
    int64_t start;      /* ns since 1970 UTC, of time 0; EVENT_NONE: not known */
    int64_t utc_offset; /* minutes east of UTC; EVENT_NONE: not known */
    int64_t sessions;
    int64_t events, merged, ignored, rejected, lost_bytes;
    int64_t last_time;            /* of records that have no row; EVENT_NONE: none */
    int64_t round, call_overhead; /* EVENT_NONE: not known */
    int64_t paired;               /* of the events, those that have no row */
    const char *resume;           /* what the importer needs to go on later; NULL: nothing */
};

/* The id that a query gives for a name, which is its ?1; 0: none. */
bool trace_row_find(struct store *store, const char *sql, const char *name, int64_t *id,
                    struct error *error);

/* Makes the row of a new trace and sets `store->trace`. */
bool trace_row_insert(struct store *store, const struct store_trace *trace, struct error *error);

/* Writes what is known now, and the ranges of ids and times of the trace's events. */
bool trace_row_complete(struct store *store, const struct store_ending *ending, const char *rollups,
                        struct error *error);

/* Gives the trace its name, and that of the log whose trace it is beside others; NULL: none. */
bool store_name(struct store *store, const char *name, const char *log, struct error *error);

#endif
