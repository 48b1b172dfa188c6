/* Allocates memory. These functions never return NULL: if there is no memory, the process cleans up
 * (base/signal_cleanup.h), prints `tracetool: out of memory`, and exits with 1. SQLite rolls an
 * open transaction back when the file is opened next. Check sizes from a log before allocating. */
#ifndef TRACETOOL_MEMORY_H
#define TRACETOOL_MEMORY_H

#include <stdarg.h>
#include <stddef.h>

/* Like the functions of the C library without x. The caller frees the memory. `size` and `count`
 * may be 0. xrealloc() and xreallocarray() accept NULL. */
void *xmalloc(size_t size) __attribute__((malloc, alloc_size(1), returns_nonnull));
void *xcalloc(size_t count, size_t size) __attribute__((malloc, alloc_size(1, 2), returns_nonnull));
/* Allocates zeroed memory by writing the zeros. Faster than xcalloc() for memory that is read
 * before it is written, such as hash slots: with xcalloc(), each page would cause two page faults,
 * for read and write. */
void *xzeros(size_t count, size_t size) __attribute__((malloc, alloc_size(1, 2), returns_nonnull));
void *xrealloc(void *memory, size_t size) __attribute__((alloc_size(2), returns_nonnull));
void *xreallocarray(void *memory, size_t count, size_t size)
    __attribute__((alloc_size(2, 3), returns_nonnull));
char *xstrdup(const char *string) __attribute__((malloc, returns_nonnull));
char *xstrndup(const char *string, size_t length) __attribute__((malloc, returns_nonnull));

/* Requests huge pages for many megabytes of memory that are accessed in random order: with small
 * pages, nearly each access would cost a TLB miss. Does nothing if the system has no huge pages. */
void advise_huge_pages(void *memory, size_t size);

/* Makes a string like printf(). The caller frees it. */
char *xasprintf(const char *format, ...)
    __attribute__((malloc, returns_nonnull, format(printf, 1, 2)));

/* Ensures space for one more element of `size` bytes after `count` elements. Returns the array,
 * which may have moved, and updates `*capacity`. An empty array is NULL, with capacity 0. The
 * caller frees the array. */
void *array_grow(void *items, size_t count, size_t *capacity, size_t size)
    __attribute__((returns_nonnull));

/* Appends an uninitialised element to an array and returns its address. The arguments must be
 * variables; all three are updated. */
#define ARRAY_NEW(items, count, capacity)                                                          \
    ((items) = array_grow((items), (count), &(capacity), sizeof *(items)), &(items)[(count)++])

/* Frees `count` allocations, and the array of the pointers to them. */
void free_each(void *pointers, size_t count);

/* A memory pool, all of which is freed at once. Zeroed: empty. */
struct pool {
    struct pool_piece *pieces; /* owned; list of allocations, the newest first */
};

/* Allocates zeroed memory in the pool. */
void *pool_allocate(struct pool *pool, size_t size) __attribute__((returns_nonnull));

/* Copies a string into the pool. */
char *pool_copy(struct pool *pool, const char *string) __attribute__((returns_nonnull));

/* Moves all memory of `from` to the pool; `from` is then empty. */
void pool_join(struct pool *pool, struct pool *from);

/* Frees all memory of the pool, which is then empty. */
void pool_free(struct pool *pool);

/* Cleans up, prints `tracetool: out of memory`, and ends the program with status 1. */
_Noreturn void out_of_memory(void);

#endif
