/* The kinds of trace and their names, said once. */
#ifndef TRACETOOL_KINDS_H
#define TRACETOOL_KINDS_H

#include <stdbool.h>

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

/* The kind called `name`; false when there is none. */
bool trace_kind_find(const char *name, enum trace_kind *kind);

#endif
