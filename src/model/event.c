#include "model/event.h"

#include <string.h>

#include "base/words.h"

/* --- kinds of traces, and what their events are ----------------------------------------------- */

const struct event event_empty = EVENT_EMPTY;
const uint8_t event_packed[1] = {0};

static const char *const kind_names[TRACE_KINDS] = {
    [TRACE_CALLS] = "calls",     [TRACE_IO] = "io",           [TRACE_SPANS] = "spans",
    [TRACE_SAMPLES] = "samples", [TRACE_RESULTS] = "results", [TRACE_STATES] = "states",
};

const char *trace_kind_name(enum trace_kind kind) {
    return kind_names[kind];
}

const char *trace_kind_words(enum trace_kind kind) {
    static const char *const words[TRACE_KINDS] = {
        [TRACE_CALLS] = "calls",
        [TRACE_IO] = "block I/O",
        [TRACE_SPANS] = "function calls",
        [TRACE_SAMPLES] = "samples",
        [TRACE_RESULTS] = "results of benchmarks",
        [TRACE_STATES] = "thread states",
    };

    return words[kind];
}

const char *trace_kind_counts(enum trace_kind kind) {
    return kind == TRACE_IO ? "I/Os" : kind == TRACE_SPANS ? "calls" : kind_names[kind];
}

/* Why the number of events differs from that of calls, I/Os etc. A record may give several events:
 * a thread switch gives two states, some records several samples. A record with both ends of a call
 * gives one call. Block I/O with several stages (Q, D, C) has several events per I/O. */
int64_t trace_counted(enum trace_kind kind, const struct trace_counts *counts) {
    if (kind == TRACE_STATES ||
        counts->split + counts->paired + (kind == TRACE_IO ? 0 : counts->merged) <= 0) {
        return 0;
    }
    return counts->events - counts->paired -
           (kind == TRACE_SPANS     ? counts->no_calls
            : kind == TRACE_SAMPLES ? 0
                                    : counts->split);
}

bool trace_kind_find(const char *name, enum trace_kind *kind) {
    *kind = (enum trace_kind)string_index(kind_names, TRACE_KINDS, name);
    return *kind < TRACE_KINDS;
}

const char *const io_block_type_words[IO_BLOCK_TYPES] = {"none", "data", "journal", "metadata",
                                                         "anonymous"};

/* --- columns of events and classes of I/Os ---------------------------------------------------- */

const char *const io_class_words[IO_CLASSES] = {
    [IO_READ] = "read",           [IO_READSYNC] = "readsync", [IO_WRITE] = "write",
    [IO_WRITESYNC] = "writesync", [IO_OTHER] = "other",       [IO_FLUSH] = "flush",
};

static const char *const column_names[EVENT_PLACES] = {
#define X(NAME, field, FORM) #field,
    EVENT_COLUMNS(X)
#undef X
};

const char *event_column_name(enum event_place place) {
    return column_names[place];
}

bool event_has_column(const char *name) {
    return string_index(column_names, EVENT_PLACES, name) < EVENT_PLACES;
}
