/* The open calls of every thread: a stack each, found by the thread's number.
 *
 * What is kept of a thread begins with a struct call_thread, what is kept of a call is whatever its
 * user says. A log may name more threads than there were: those that wait for nothing are forgotten
 * when there are many of them.
 */
#ifndef TRACETOOL_CALL_STACKS_H
#define TRACETOOL_CALL_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"

/* Idle threads that are remembered. */
#define CALL_STACKS_IDLE 65536

/* The first member of what is kept of a thread. */
struct call_thread {
    uint32_t actor;
    size_t depth;    /* calls on the stack */
    size_t capacity; /* calls that there is room for */
    char *calls;     /* owned; the outermost first */
    UT_hash_handle hh;
};

/* Zeroed but for the first members it holds no threads. */
struct call_stacks {
    size_t thread_size, call_size; /* bytes of what is kept of each */

    /* All with `context`. Whether a thread without open calls may be forgotten: what it keeps is
     * not needed any more; it may take calls off the stack before. NULL: any thread without open
     * calls. */
    bool (*idle)(void *context, struct call_thread *thread);
    /* Frees what a thread owns besides its calls. NULL: nothing. */
    void (*forget)(void *context, struct call_thread *thread);
    void *context;

    struct call_thread *threads; /* owned hash table */
    struct call_thread *last;    /* the one found last, which the next record often has */
    size_t sweep_at;             /* so many more threads than CALL_STACKS_IDLE: forget idle ones */
};

/* As call_stacks_find(), of one that was not found last. */
struct call_thread *call_stacks_seek(struct call_stacks *stacks, uint32_t actor);

/* The thread, NULL where it is not known. */
static inline struct call_thread *call_stacks_find(struct call_stacks *stacks, uint32_t actor) {
    return stacks->last != NULL && stacks->last->actor == actor ? stacks->last
                                                                : call_stacks_seek(stacks, actor);
}

/* A new thread, zeroed but for its number. Forgets others when there are many. */
struct call_thread *call_stacks_add(struct call_stacks *stacks, uint32_t actor);

/* How many threads are known. */
size_t call_stacks_count(const struct call_stacks *stacks);

/* Forgets all threads, and their calls. */
void call_stacks_free(struct call_stacks *stacks);

/* The call at a place, 0 being the outermost. */
static inline void *call_stacks_at(const struct call_stacks *stacks,
                                   const struct call_thread *thread, size_t place) {
    return thread->calls + place * stacks->call_size;
}

/* Makes room for more calls of the thread, which may move. */
void call_stacks_make_room(const struct call_stacks *stacks, struct call_thread *thread);

/* A new innermost call, not zeroed, aligned for any type if call_size is a multiple of its
 * alignment. Calls of the thread may move. */
static inline void *call_stacks_push(const struct call_stacks *stacks, struct call_thread *thread) {
    if (thread->depth == thread->capacity) {
        call_stacks_make_room(stacks, thread);
    }
    return call_stacks_at(stacks, thread, thread->depth++);
}

/* Takes the innermost call off the stack, of which there must be one; it may be read until the next
 * one is put there. */
static inline void *call_stacks_pop(const struct call_stacks *stacks, struct call_thread *thread) {
    return call_stacks_at(stacks, thread, --thread->depth);
}

/* NULL: none is open. */
static inline void *call_stacks_innermost(const struct call_stacks *stacks,
                                          const struct call_thread *thread) {
    return thread->depth == 0 ? NULL : call_stacks_at(stacks, thread, thread->depth - 1);
}

#endif
