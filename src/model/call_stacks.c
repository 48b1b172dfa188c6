#include "model/call_stacks.h"

#include <stdlib.h>

#include "base/memory.h"

/* Initial capacity of a thread's stack, in calls. */
#define FIRST_CALLS 8

static void call_stacks_remove(struct call_stacks *stacks, struct call_thread *thread) {
    HASH_DEL(stacks->threads, thread);
    if (stacks->forget != NULL) {
        stacks->forget(stacks->context, thread);
    }
    free(thread->calls);
    free(thread);
}

/* Removes threads without open calls. Threads are searched again when there are twice as many as
 * remain, since a search for each new thread would take too long. */
static void remove_idle_threads(struct call_stacks *stacks) {
    struct call_thread *next;

    for (struct call_thread *thread = stacks->threads; thread != NULL; thread = next) {
        next = thread->hh.next;
        if ((stacks->idle == NULL || stacks->idle(stacks->context, thread)) && thread->depth == 0) {
            call_stacks_remove(stacks, thread);
        }
    }
    stacks->last = NULL;
    stacks->sweep_at = 2 * call_stacks_count(stacks);
}

struct call_thread *call_stacks_seek(struct call_stacks *stacks, uint32_t actor) {
    struct call_thread *thread;

    HASH_FIND(hh, stacks->threads, &actor, sizeof actor, thread);
    if (thread != NULL) {
        stacks->last = thread;
    }
    return thread;
}

struct call_thread *call_stacks_add(struct call_stacks *stacks, uint32_t actor) {
    struct call_thread *thread;

    if (call_stacks_count(stacks) >= stacks->sweep_at + CALL_STACKS_IDLE) {
        remove_idle_threads(stacks);
    }
    thread = xcalloc(1, stacks->thread_size);
    thread->actor = actor;
    HASH_ADD(hh, stacks->threads, actor, sizeof actor, thread);
    stacks->last = thread;
    return thread;
}

size_t call_stacks_count(const struct call_stacks *stacks) {
    return HASH_COUNT(stacks->threads);
}

void call_stacks_grow(const struct call_stacks *stacks, struct call_thread *thread) {
    size_t capacity = thread->capacity == 0 ? FIRST_CALLS : 2 * thread->capacity;

    thread->calls = xrealloc(thread->calls, capacity * stacks->call_size);
    thread->capacity = capacity;
}

void call_stacks_free(struct call_stacks *stacks) {
    while (stacks->threads != NULL) {
        call_stacks_remove(stacks, stacks->threads);
    }
    stacks->last = NULL;
}
