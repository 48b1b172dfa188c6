#include "import/queue.h"

#include <time.h>

void queue_init(struct queue *queue) {
    *queue = (struct queue){0};
    pthread_mutex_init(&queue->lock, NULL);
    pthread_cond_init(&queue->changed, NULL);
    queue_grow(queue, QUEUE_BATCHES);
}

void queue_grow(struct queue *queue, size_t more) {
    for (; more > 0; more--) {
        queue->empty[queue->empty_count++] = batch_new();
    }
}

static struct batch *take_first(struct queue_line *line) {
    struct batch *batch = line->batches[line->first];

    line->first = (line->first + 1) % QUEUE_MOST;
    line->count--;
    return batch;
}

void queue_free(struct queue *queue) {
    while (queue->empty_count > 0) {
        batch_free(queue->empty[--queue->empty_count]);
    }
    for (int stage = 0; stage < QUEUE_STAGES; stage++) {
        while (queue->lines[stage].count > 0) {
            batch_free(take_first(&queue->lines[stage]));
        }
    }
    pthread_cond_destroy(&queue->changed);
    pthread_mutex_destroy(&queue->lock);
}

struct batch *queue_take_empty(struct queue *queue) {
    struct batch *batch = NULL;

    pthread_mutex_lock(&queue->lock);
    while (queue->empty_count == 0 && !queue->stopped) {
        pthread_cond_wait(&queue->changed, &queue->lock);
    }
    if (!queue->stopped) {
        batch = queue->empty[--queue->empty_count];
    }
    pthread_mutex_unlock(&queue->lock);
    return batch;
}

void queue_give(struct queue *queue, enum queue_stage stage, struct batch *batch) {
    struct queue_line *line = &queue->lines[stage];

    pthread_mutex_lock(&queue->lock);
    line->batches[(line->first + line->count++) % QUEUE_MOST] = batch;
    pthread_cond_broadcast(&queue->changed);
    pthread_mutex_unlock(&queue->lock);
}

void queue_close(struct queue *queue, enum queue_stage stage) {
    pthread_mutex_lock(&queue->lock);
    queue->lines[stage].closed = true;
    pthread_cond_broadcast(&queue->changed);
    pthread_mutex_unlock(&queue->lock);
}

static struct timespec in_a_tenth_of_a_second(void) {
    struct timespec until;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 100000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec++;
    }
    return until;
}

struct batch *queue_take(struct queue *queue, enum queue_stage stage, bool *timed_out) {
    struct queue_line *line = &queue->lines[stage];
    struct timespec until = in_a_tenth_of_a_second();
    struct batch *batch = NULL;
    bool late = false;

    pthread_mutex_lock(&queue->lock);
    while (line->count == 0 && !line->closed && !queue->stopped && !late) {
        late = pthread_cond_timedwait(&queue->changed, &queue->lock, &until) != 0;
    }
    if (line->count > 0 && !queue->stopped) {
        batch = take_first(line);
    }
    *timed_out = batch == NULL && !line->closed && !queue->stopped;
    pthread_mutex_unlock(&queue->lock);
    return batch;
}

void queue_give_empty(struct queue *queue, struct batch *batch) {
    batch_clear(batch);
    pthread_mutex_lock(&queue->lock);
    queue->empty[queue->empty_count++] = batch;
    pthread_cond_broadcast(&queue->changed);
    pthread_mutex_unlock(&queue->lock);
}

void queue_stop(struct queue *queue) {
    pthread_mutex_lock(&queue->lock);
    queue->stopped = true;
    pthread_cond_broadcast(&queue->changed);
    pthread_mutex_unlock(&queue->lock);
}
