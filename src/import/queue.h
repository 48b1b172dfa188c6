/* Passes a bounded number of batches between the threads of an import. */
#ifndef TRACETOOL_QUEUE_H
#define TRACETOOL_QUEUE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "model/batch.h"

/* Two for the importer, which fills one and holds back one; one for each of the other two threads;
 * and two waiting for each of these. */
#define QUEUE_BATCHES 8

/* For each additional trace that is filled at the same time. */
#define QUEUE_MORE 2
#define QUEUE_MOST (QUEUE_BATCHES + QUEUE_MORE * (TRACE_KINDS - 1))

/* Processing stages. */
enum queue_stage { QUEUE_DERIVE, QUEUE_WRITE, QUEUE_STAGES };

/* Waiting batches, in order. */
struct queue_line {
    struct batch *batches[QUEUE_MOST]; /* owned; a ring */
    size_t first, count;
    bool closed; /* no more will follow */
};

struct queue {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct batch *empty[QUEUE_MOST]; /* owned; a stack */
    size_t empty_count;
    struct queue_line lines[QUEUE_STAGES];
    bool stopped; /* no more are wanted */
};

/* For the importer: waits for an empty batch; NULL if the queue was stopped. */
struct batch *queue_take_empty(struct queue *queue);

/* Appends a batch to a line. */
void queue_give(struct queue *queue, enum queue_stage stage, struct batch *batch);

/* Clears the batch and makes it available again. */
void queue_give_empty(struct queue *queue, struct batch *batch);

#endif
