/* The kinds of trace and their names, said once. */
#ifndef TRACETOOL_KINDS_H
#define TRACETOOL_KINDS_H

#include <stdbool.h>
#include <stdint.h>

/* Kinds of trace. Events of different kinds are never added up. */
enum trace_kind {
    TRACE_CALLS,   /* system calls: points in time, with a duration where the log has it */
    TRACE_IO,      /* block I/O: each action on a request is an event */
    TRACE_SPANS,   /* calls with a duration, a parent and a depth */
    TRACE_SAMPLES, /* points in time: what a process takes of processor and memory */
    TRACE_RESULTS, /* what a benchmark measured: values, in order */
};
#define TRACE_KINDS 5

/* "calls", "io", "spans", "samples", "results". */
const char *trace_kind_name(enum trace_kind kind);

/* What people call traces of that kind: "block I/O" of "io". */
const char *trace_kind_words(enum trace_kind kind);

/* What a log of that kind counts: "I/Os" of "io". */
const char *trace_kind_counts(enum trace_kind kind);

/* Records of a trace by what became of them. */
struct trace_counts {
    int64_t events; /* kept; a record that tells of two events counts twice */
    int64_t paired; /* of `events`, those that complete another's row */
    int64_t merged; /* records that continue another one */
    int64_t split;  /* events that are a record's second */
};

/* How many I/Os, calls and so on the events are, where records were merged, split or paired; 0
 * where each record that was kept is one event. */
int64_t trace_counted(enum trace_kind kind, const struct trace_counts *counts);

/* The kind called `name`; false when there is none. */
bool trace_kind_find(const char *name, enum trace_kind *kind);

#endif
