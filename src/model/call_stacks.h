/* Open calls of threads: a stack for each thread, found by the thread's number. A thread's record
 * begins with a struct call_thread; the caller decides what the record of a call is. A damaged log
 * may name more threads than ever existed: if there are many, those without open calls are
 * removed. */
#ifndef TRACETOOL_CALL_STACKS_H
#define TRACETOOL_CALL_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"

/* Limit of threads without open calls that are kept. */
#define CALL_STACKS_IDLE 65536

/* The stack of open calls of a thread: the first member of the thread's record. */
struct call_thread {
    uint32_t actor;
    size_t depth;    /* number of calls on the stack */
    size_t capacity; /* number of calls for which there is room */
    char *calls;     /* owned; outermost call first */
    UT_hash_handle hh;
};

/* All threads. Set the first members and zero the rest. */
struct call_stacks {
    size_t thread_size, call_size; /* bytes of a thread's record, and of a call's */

    /* Returns whether a thread without open calls may be removed, as nobody needs its record any
     * more. May pop calls before. NULL: all may be removed. All functions here get `context`. */
    bool (*idle)(void *context, struct call_thread *thread);
    /* Frees what the record of a thread owns besides its calls. NULL: nothing. */
    void (*forget)(void *context, struct call_thread *thread);
    void *context;

    struct call_thread *threads; /* owned hash table, by thread number */
    struct call_thread *last;    /* thread found last: the next record is often from it, too */
    size_t sweep_at; /* threads without open calls are removed when there are more threads */
};

/* Does what call_stacks_find() does, for a thread other than `last`. */
struct call_thread *call_stacks_seek(struct call_stacks *stacks, uint32_t actor);

/* Returns the record of a thread; NULL if there is none. */
static inline struct call_thread *call_stacks_find(struct call_stacks *stacks, uint32_t actor) {
    return stacks->last != NULL && stacks->last->actor == actor ? stacks->last
                                                                : call_stacks_seek(stacks, actor);
}

/* Adds a thread: a record of zeros but for its number. Removes threads without open calls if there
 * are many. */
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

/* Makes room for more calls on a thread's stack. Calls may move in memory. */
void call_stacks_grow(const struct call_stacks *stacks, struct call_thread *thread);

/* Adds a call to a thread's stack and returns its record, not initialised. It is aligned for a type
 * if call_size is a multiple of the type's alignment. Calls may move in memory. */
static inline void *call_stacks_push(const struct call_stacks *stacks, struct call_thread *thread) {
    if (thread->depth == thread->capacity) {
        call_stacks_grow(stacks, thread);
    }
    return call_stacks_at(stacks, thread, thread->depth++);
}

/* Removes the innermost call from the stack, which must not be empty, and returns its record. It is
 * valid until the next push. */
static inline void *call_stacks_pop(const struct call_stacks *stacks, struct call_thread *thread) {
    return call_stacks_at(stacks, thread, --thread->depth);
}

/* Returns the record of the innermost open call; NULL if there is none. */
static inline void *call_stacks_innermost(const struct call_stacks *stacks,
                                          const struct call_thread *thread) {
    return thread->depth == 0 ? NULL : call_stacks_at(stacks, thread, thread->depth - 1);
}

#endif
