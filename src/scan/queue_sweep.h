/* How many I/Os are in flight, out of I/Os in order of their completion.
 *
 * An I/O is in flight from its issue, included, to its completion, excluded: of what happens at one
 * time, completions come first. Issues come in no order, so they wait until no I/O is likely to
 * come that was issued before: the last QUEUE_SWEEP_WAITING of them and as many completions are
 * held. An I/O that was issued before what has been told already counts from there on. Of issues at
 * one time the one whose I/O completed first comes first. An I/O that took no time is never in
 * flight, but sees how many are.
 */
#ifndef TRACETOOL_QUEUE_SWEEP_H
#define TRACETOOL_QUEUE_SWEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "select/notes.h"
#include "select/selection.h"

/* An I/O is told when it should be unless so many others were issued, or completed, while it was in
 * flight. */
#define QUEUE_SWEEP_WAITING ((size_t)1 << 17)

/* An issue, as it saw the queue. */
struct queue_issue {
    int64_t time, duration; /* in units of the clock */
    int64_t depth;          /* of the others in flight */
    int64_t idle; /* how long nothing was in flight until then; EVENT_NONE: it is the first */
};

/* Callbacks, in order of time. */
struct queue_visitor {
    void (*issued)(void *context, const struct queue_issue *issue);
    /* `depth` I/Os were in flight from `from` to `to`, which is later. NULL: nobody asks. */
    void (*lasted)(void *context, int64_t from, int64_t to, int64_t depth);
    void *context; /* of both; borrowed */
};

struct queue_sweep;

/* `visitor` is copied. Owned by the caller. */
struct queue_sweep *queue_sweep_new(const struct queue_visitor *visitor);

/* NULL is allowed. */
void queue_sweep_free(struct queue_sweep *sweep);

/* Adds an I/O that completed at `time`, not before the one that was added last, and took
 * `duration`, at least 0. */
void queue_sweep_add(struct queue_sweep *sweep, int64_t time, int64_t duration);

/* Tells the rest, and begins anew, with nothing in flight. */
void queue_sweep_end(struct queue_sweep *sweep);

/* How many I/Os counted too late, over all. */
int64_t queue_sweep_late(const struct queue_sweep *sweep);

/* Fails, with the status of wrong usage, where --action makes another action than the completions
 * count in a trace that has these. */
bool queue_sweep_check(const struct selection *selection, const struct selected_trace *trace,
                       struct error *error);

/* Notes so many, if any. */
void queue_sweep_note(int64_t late, struct notes *notes);

#endif
