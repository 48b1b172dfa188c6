#include "model/kinds.h"

#include <string.h>

static const char *const names[TRACE_KINDS] = {
    [TRACE_CALLS] = "calls",     [TRACE_IO] = "io",           [TRACE_SPANS] = "spans",
    [TRACE_SAMPLES] = "samples", [TRACE_RESULTS] = "results",
};

const char *trace_kind_name(enum trace_kind kind) {
    return names[kind];
}

const char *trace_kind_words(enum trace_kind kind) {
    static const char *const words[TRACE_KINDS] = {
        [TRACE_CALLS] = "calls",
        [TRACE_IO] = "block I/O",
        [TRACE_SPANS] = "calls with durations",
        [TRACE_SAMPLES] = "samples",
        [TRACE_RESULTS] = "results of benchmarks",
    };

    return words[kind];
}

const char *trace_kind_counts(enum trace_kind kind) {
    return kind == TRACE_IO ? "I/Os" : kind == TRACE_SPANS ? "calls" : names[kind];
}

/* Of block I/O in steps (Q, D, C) the number of events says nothing of the I/Os. */
int64_t trace_counted(enum trace_kind kind, const struct trace_counts *counts) {
    if (counts->split + counts->paired + (kind == TRACE_IO ? 0 : counts->merged) <= 0) {
        return 0;
    }
    return counts->events - counts->split - counts->paired;
}

bool trace_kind_find(const char *name, enum trace_kind *kind) {
    for (unsigned i = 0; i < TRACE_KINDS; i++) {
        if (strcmp(names[i], name) == 0) {
            *kind = (enum trace_kind)i;
            return true;
        }
    }
    return false;
}
