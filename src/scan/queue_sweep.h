/* Computes the number of I/Os in flight, from I/Os in order of completion.
 *
 * An I/O is in flight from its issue, inclusive, to its completion, exclusive: at equal times,
 * completions come first. Issues arrive out of order, so the last QUEUE_SWEEP_WAITING issues, and
 * as many completions, are held back for sorting. If an I/O was issued before a time that is
 * already reported, it counts as in flight only from that time on. Issues at the same time are
 * reported in the order in which their I/Os completed. An I/O without a duration is never in
 * flight, but its issue is reported with the queue at that time. */
#ifndef TRACETOOL_QUEUE_SWEEP_H
#define TRACETOOL_QUEUE_SWEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "select/notes.h"
#include "select/selection.h"

/* An I/O counts correctly unless more than this many other I/Os were issued, or completed, while it
 * was in flight. */
#define QUEUE_SWEEP_WAITING ((size_t)1 << 17)

/* State of the queue when an I/O is issued. */
struct queue_issue {
    int64_t time, duration; /* time of the issue, and duration of the I/O, in clock units */
    int64_t depth;          /* number of other I/Os in flight when this one is issued */
    int64_t idle; /* time with no I/O in flight just before this issue; EVENT_NONE: first issue */
};

/* Callbacks of a sweep, called in order of time. */
struct queue_visitor {
    void (*issued)(void *context, const struct queue_issue *issue);
    /* Reports that `depth` I/Os were in flight from `from` to `to`, which is later. May be NULL. */
    void (*lasted)(void *context, int64_t from, int64_t to, int64_t depth);
    void *context; /* passed to both callbacks; borrowed */
};

struct queue_sweep;

/* Returns a new sweep, owned by the caller. The visitor is copied. */
struct queue_sweep *queue_sweep_new(const struct queue_visitor *visitor);

/* Frees a sweep; does nothing for NULL. */
void queue_sweep_free(struct queue_sweep *sweep);

/* Adds an I/O that completed at `time`, after `duration` (at least 0). `time` must not decrease. */
void queue_sweep_add(struct queue_sweep *sweep, int64_t time, int64_t duration);

/* Reports all remaining issues and completions, then starts again with nothing in flight. */
void queue_sweep_end(struct queue_sweep *sweep);

/* Returns the number of I/Os counted as in flight too late, as they were issued before a time that
 * was already reported. */
int64_t queue_sweep_count_late(const struct queue_sweep *sweep);

/* Fails with a usage error if the trace has completions, but --action selects another action. */
bool queue_sweep_check(const struct selection *selection, const struct selected_trace *trace,
                       struct error *error);

/* If `late` is above 0, adds a note on I/Os that were counted as in flight too late. */
void queue_sweep_note(int64_t late, struct notes *notes);

#endif
