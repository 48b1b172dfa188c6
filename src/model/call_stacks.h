/* Stacks of open calls, one per thread, found by thread number.
 *
 * A thread's record begins with a struct call_thread; the caller defines the record of a call. A
 * log may name more threads than ever existed: when there are many, idle ones are removed.
 */
#ifndef TRACETOOL_CALL_STACKS_H
#define TRACETOOL_CALL_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"

/* Maximum number of idle threads kept. */
#define CALL_STACKS_IDLE 65536

/* Stack of open calls; the first member of a thread's record. */
struct call_thread {
    uint32_t actor;
    size_t depth;    /* calls on the stack */
    size_t capacity; /* allocated calls */
    char *calls;     /* owned; outermost call first */
    UT_hash_handle hh;
};

/* Set the first members and zero the rest to get an empty table. */
struct call_stacks {
    size_t thread_size, call_size; /* bytes of a thread's record and of a call's */

    /* Whether a thread without open calls may be removed, because its record is no longer needed.
     * May pop calls first. NULL: any thread without open calls. All callbacks get `context`. */
    bool (*idle)(void *context, struct call_thread *thread);
    /* Frees what a thread's record owns besides its calls. NULL: nothing. */
    void (*forget)(void *context, struct call_thread *thread);
    void *context;

    struct call_thread *threads; /* owned hash table */
    struct call_thread *last; /* result of the last lookup, which the next record often repeats */
    size_t sweep_at;          /* idle threads are removed when CALL_STACKS_IDLE more exist */
};

/* call_stacks_find() for a thread that is not `last`. */
struct call_thread *call_stacks_seek(struct call_stacks *stacks, uint32_t actor);

/* Returns a thread; NULL if unknown. */
static inline struct call_thread *call_stacks_find(struct call_stacks *stacks, uint32_t actor) {
    return stacks->last != NULL && stacks->last->actor == actor ? stacks->last
                                                                : call_stacks_seek(stacks, actor);
}

/* Adds a thread, zeroed except for its number. Removes idle ones if there are many. */
struct call_thread *call_stacks_add(struct call_stacks *stacks, uint32_t actor);

/* Number of threads. */
size_t call_stacks_count(const struct call_stacks *stacks);

/* Removes all threads and their calls. */
void call_stacks_free(struct call_stacks *stacks);

/* Returns the call at an index; 0 is the outermost. */
static inline void *call_stacks_at(const struct call_stacks *stacks,
                                   const struct call_thread *thread, size_t place) {
    return thread->calls + place * stacks->call_size;
}

/* Grows a thread's stack; its calls may move. */
void call_stacks_grow(const struct call_stacks *stacks, struct call_thread *thread);

/* Pushes a call, uninitialised, and aligned for any type if call_size is a multiple of its
 * alignment. The thread's calls may move. */
static inline void *call_stacks_push(const struct call_stacks *stacks, struct call_thread *thread) {
    if (thread->depth == thread->capacity) {
        call_stacks_grow(stacks, thread);
    }
    return call_stacks_at(stacks, thread, thread->depth++);
}

/* Pops the innermost call; the stack must not be empty. The result is valid until the next push. */
static inline void *call_stacks_pop(const struct call_stacks *stacks, struct call_thread *thread) {
    return call_stacks_at(stacks, thread, --thread->depth);
}

/* Returns the innermost call; NULL if the stack is empty. */
static inline void *call_stacks_innermost(const struct call_stacks *stacks,
                                          const struct call_thread *thread) {
    return thread->depth == 0 ? NULL : call_stacks_at(stacks, thread, thread->depth - 1);
}

#endif
