/* Comparison, binary search and heaps.
 *
 * ORDER() is below 0, 0 or above 0, as qsort() expects.
 *
 *     size_t low = 0, high = count;
 *
 *     SEARCH(low, high, middle, items[middle].start <= block);
 *
 * `low` becomes the first index for which the condition is false; `count` if there is none. The
 * condition must be true for all indexes `middle` below some index, and false from there on.
 *
 * A heap is an array, the first item of which comes before all others. `before(a, b)` returns
 * whether item *a comes before item *b.
 *
 *     items[count++] = added;
 *     HEAP_UP(struct item, items, count, before);
 *
 *     first = items[0];
 *     items[0] = items[--count];
 *     HEAP_DOWN(struct item, items, count, before); */
#ifndef TRACETOOL_SEARCH_H
#define TRACETOOL_SEARCH_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define ORDER(left, right) (((left) > (right)) - ((left) < (right)))

/* Comparison functions for qsort() and bsearch(): for numbers, for structures that begin with a
 * number, and for pointers to strings. */
static inline int compare_int64(const void *left, const void *right) {
    return ORDER(*(const int64_t *)left, *(const int64_t *)right);
}

static inline int compare_uint64(const void *left, const void *right) {
    return ORDER(*(const uint64_t *)left, *(const uint64_t *)right);
}

static inline int compare_uint32(const void *left, const void *right) {
    return ORDER(*(const uint32_t *)left, *(const uint32_t *)right);
}

/* qsort() that accepts NULL if there are no items; the C library's must not get NULL. */
static inline void sort_items(void *items, size_t count, size_t size,
                              int (*compare)(const void *, const void *)) {
    if (count > 0) {
        qsort(items, count, size, compare);
    }
}

/* Finds an id among `count` structures of `size` bytes that begin with an id, sorted by id; NULL if
 * there is none. If the ids are consecutive, this takes one comparison. */
static inline const void *search_id(const void *items, size_t count, size_t size, uint32_t id) {
    const char *first = items;
    const size_t place = count == 0 ? 0 : (size_t)id - *(const uint32_t *)items;

    return place < count && *(const uint32_t *)(first + place * size) == id ? first + place * size
           : count == 0                                                     ? NULL
                        : bsearch(&id, items, count, size, compare_uint32);
}

static inline int compare_strings(const void *left, const void *right) {
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

#define SEARCH(low, high, middle, condition)                                                       \
    do {                                                                                           \
        while ((low) < (high)) {                                                                   \
            const size_t middle = (low) + ((high) - (low)) / 2;                                    \
                                                                                                   \
            if (condition) {                                                                       \
                (low) = (middle) + 1;                                                              \
            } else {                                                                               \
                (high) = middle;                                                                   \
            }                                                                                      \
        }                                                                                          \
    } while (0)

/* Moves the last item to its place; all other items must form a heap. */
#define HEAP_UP(type, items, count, before)                                                        \
    do {                                                                                           \
        size_t heap_at = (count)-1;                                                                \
        const type heap_moved = (items)[heap_at];                                                  \
                                                                                                   \
        for (; heap_at > 0 && before(&heap_moved, &(items)[(heap_at - 1) / 2]);                    \
             heap_at = (heap_at - 1) / 2) {                                                        \
            (items)[heap_at] = (items)[(heap_at - 1) / 2];                                         \
        }                                                                                          \
        (items)[heap_at] = heap_moved;                                                             \
    } while (0)

/* Moves the first item to its place; all other items must be in heap order. */
#define HEAP_DOWN(type, items, count, before)                                                      \
    do {                                                                                           \
        size_t heap_at = 0;                                                                        \
        const type heap_moved = (items)[0];                                                        \
                                                                                                   \
        for (size_t below; (below = 2 * heap_at + 1) < (count); heap_at = below) {                 \
            below += below + 1 < (count) && before(&(items)[below + 1], &(items)[below]);          \
            if (!before(&(items)[below], &heap_moved)) {                                           \
                break;                                                                             \
            }                                                                                      \
            (items)[heap_at] = (items)[below];                                                     \
        }                                                                                          \
        (items)[heap_at] = heap_moved;                                                             \
    } while (0)

#endif
