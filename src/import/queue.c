#include "import/queue.h"

#include <time.h>

bool queue_init(struct queue *queue, struct error *error) {
    *queue = (struct queue){0};
    pthread_mutex_init(&queue->lock, NULL);
    pthread_cond_init(&queue->changed, NULL);
    if (!queue_grow(queue, QUEUE_BATCHES, error)) {
        queue_free(queue);
        return false;
    }
    return true;
}

bool queue_grow(struct queue *queue, size_t more, struct error *error) {
    for (; more > 0; more--) {
        struct batch *batch = batch_new();

        if (batch == NULL) {
            return error_no_memory(error);
        }
        queue->empty[queue->empty_count++] = batch;
    }
    return true;
}

void queue_free(struct queue *queue) {
    while (queue->empty_count > 0) {
        batch_free(queue->empty[--queue->empty_count]);
    }
    for (; queue->full_count > 0; queue->full_count--) {
        batch_free(queue->full[queue->full_first]);
        queue->full_first = (queue->full_first + 1) % QUEUE_MOST;
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

void queue_give_full(struct queue *queue, struct batch *batch) {
    pthread_mutex_lock(&queue->lock);
    queue->full[(queue->full_first + queue->full_count++) % QUEUE_MOST] = batch;
    pthread_cond_broadcast(&queue->changed);
    pthread_mutex_unlock(&queue->lock);
}

bool queue_is_empty(struct queue *queue) {
    bool empty;

    pthread_mutex_lock(&queue->lock);
    empty = queue->full_count == 0;
    pthread_mutex_unlock(&queue->lock);
    return empty;
}

void queue_close(struct queue *queue) {
    pthread_mutex_lock(&queue->lock);
    queue->closed = true;
    pthread_cond_broadcast(&queue->changed);
    pthread_mutex_unlock(&queue->lock);
}

struct batch *queue_take_full(struct queue *queue, bool *timed_out) {
    struct batch *batch = NULL;
    struct timespec until;

    *timed_out = false;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 100000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec++;
    }
    pthread_mutex_lock(&queue->lock);
    while (queue->full_count == 0 && !queue->closed && !*timed_out) {
        *timed_out = pthread_cond_timedwait(&queue->changed, &queue->lock, &until) != 0;
    }
    if (queue->full_count > 0) {
        *timed_out = false;
        batch = queue->full[queue->full_first];
        queue->full_first = (queue->full_first + 1) % QUEUE_MOST;
        queue->full_count--;
    } else if (queue->closed) {
        *timed_out = false;
    }
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
