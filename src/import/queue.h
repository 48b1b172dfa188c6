/* Hands batches from the importer's thread to the writer and back, a bounded number of them. */
#ifndef TRACETOOL_QUEUE_H
#define TRACETOOL_QUEUE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "model/batch.h"

/* Enough for the importer to fill one, hold one back, and be ahead of the writer by a few. */
#define QUEUE_BATCHES 6

/* For each further trace that is filled at the same time. */
#define QUEUE_MORE 2
#define QUEUE_MOST (QUEUE_BATCHES + QUEUE_MORE * (TRACE_KINDS - 1))

struct queue {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct batch *empty[QUEUE_MOST]; /* owned, as all batches; a stack */
    size_t empty_count;
    struct batch *full[QUEUE_MOST]; /* a ring */
    size_t full_first, full_count;
    bool closed;  /* the importer gives no more */
    bool stopped; /* the writer takes no more */
};

/* Makes QUEUE_BATCHES empty batches. On failure nothing needs freeing. */
bool queue_init(struct queue *queue, struct error *error);

/* Adds batches, before any is taken; up to QUEUE_MOST in all. */
bool queue_grow(struct queue *queue, size_t more, struct error *error);

/* Frees all batches; both threads must be done with theirs. */
void queue_free(struct queue *queue);

/* The importer's side. An empty batch, NULL when the writer has stopped. Waits for one. */
struct batch *queue_take_empty(struct queue *queue);
void queue_give_full(struct queue *queue, struct batch *batch);
void queue_close(struct queue *queue);

/* Whether no batch waits for the writer. */
bool queue_is_empty(struct queue *queue);

/* The writer's side. The next full batch, NULL when the importer closed the queue; gives up waiting
 * after a tenth of a second (`*timed_out`) so that progress can be shown. */
struct batch *queue_take_full(struct queue *queue, bool *timed_out);
/* Clears the batch and makes it available again. */
void queue_give_empty(struct queue *queue, struct batch *batch);
void queue_stop(struct queue *queue);

#endif
