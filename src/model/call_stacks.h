/* Open calls of threads: a stack for each thread, found by the thread's number. A thread's record
 * begins with struct call_thread; the caller defines the record of a call. A damaged log may name
 * more threads than ever existed, so if there are many, those without open calls are removed. */
#ifndef TRACETOOL_CALL_STACKS_H
#define TRACETOOL_CALL_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"

/* Threads without open calls are removed when there are this many threads more than `sweep_at`. */
#define CALL_STACKS_IDLE 65536

/* The stack of open calls of a thread: the first member of the thread's record. */
struct call_thread {
    uint32_t actor;
    size_t depth;    /* number of calls on the stack */
    size_t capacity; /* capacity of the stack, in calls */
    char *calls;     /* owned; records of the open calls, outermost first */
    UT_hash_handle hh;
};

/* All threads and their stacks. Set the members up to `context`, and zero the rest. */
struct call_stacks {
    size_t thread_size, call_size; /* bytes of a thread's record, and of a call's record */

    /* Returns whether the record of a thread is no longer needed, so that the thread may be removed
     * once it has no open call. May pop calls that have ended. NULL: records are never needed.
     * `context` is passed to both callbacks. */
    bool (*idle)(void *context, struct call_thread *thread);
    /* Frees what a thread's record owns besides its stack, before it is removed. NULL: nothing. */
    void (*forget)(void *context, struct call_thread *thread);
    void *context;

    struct call_thread *threads; /* owned hash table; thread records by the thread's number */
    struct call_thread *last;    /* thread found last; the next record is often from it, too */
    size_t sweep_at;             /* twice the number of threads that the last removal has left */
};

/* Searches for a thread other than `last`: call_stacks_find() is the fast path. */
struct call_thread *call_stacks_seek(struct call_stacks *stacks, uint32_t actor);

/* Returns the record of a thread; NULL if there is none. */
static inline struct call_thread *call_stacks_find(struct call_stacks *stacks, uint32_t actor) {
    return stacks->last != NULL && stacks->last->actor == actor ? stacks->last
                                                                : call_stacks_seek(stacks, actor);
}

/* Adds a thread; its record is zeroed but for the number. May remove threads without open calls. */
struct call_thread *call_stacks_add(struct call_stacks *stacks, uint32_t actor);

/* Returns the number of threads. */
size_t call_stacks_count(const struct call_stacks *stacks);

/* Removes all threads and their calls. */
void call_stacks_free(struct call_stacks *stacks);

/* Returns the record of an open call by its index; 0 is the outermost one. */
static inline void *call_stacks_at(const struct call_stacks *stacks,
                                   const struct call_thread *thread, size_t place) {
    return thread->calls + place * stacks->call_size;
}

/* Increases the capacity of a thread's stack. Records of calls may move in memory. */
void call_stacks_grow(const struct call_stacks *stacks, struct call_thread *thread);

/* Pushes a call on a thread's stack. Returns its record, which is uninitialised, and aligned for a
 * type if call_size is a multiple of the type's alignment. Other records may move in memory. */
static inline void *call_stacks_push(const struct call_stacks *stacks, struct call_thread *thread) {
    if (thread->depth == thread->capacity) {
        call_stacks_grow(stacks, thread);
    }
    return call_stacks_at(stacks, thread, thread->depth++);
}

/* Pops the innermost call; there must be one. Returns its record, valid until the next push. */
static inline void *call_stacks_pop(const struct call_stacks *stacks, struct call_thread *thread) {
    return call_stacks_at(stacks, thread, --thread->depth);
}

/* Returns the record of the innermost open call; NULL if there is none. */
static inline void *call_stacks_innermost(const struct call_stacks *stacks,
                                          const struct call_thread *thread) {
    return thread->depth == 0 ? NULL : call_stacks_at(stacks, thread, thread->depth - 1);
}

#endif
