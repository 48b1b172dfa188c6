/* Memory allocation. These functions never return NULL. When out of memory, the process runs the
 * clean-up of base/signal_cleanup.h, prints `tracetool: out of memory` and exits with status 1.
 * SQLite rolls back an open transaction when the file is next opened.
 *
 * Check the bounds of any size taken from a log or an image before allocating it.
 */
#ifndef TRACETOOL_MEMORY_H
#define TRACETOOL_MEMORY_H

#include <stdarg.h>
#include <stddef.h>

/* Like the C library's functions without the x. The caller frees the memory. `size` and `count` may
 * be 0. xrealloc() and xreallocarray() accept NULL. */
void *xmalloc(size_t size) __attribute__((malloc, alloc_size(1), returns_nonnull));
void *xcalloc(size_t count, size_t size) __attribute__((malloc, alloc_size(1, 2), returns_nonnull));
/* Like xcalloc(), but writes the zeros. For memory that is read before it is written, as slots of a
 * hash table are: the system maps a page of xcalloc() at the read, and again at the write. */
void *xzeros(size_t count, size_t size) __attribute__((malloc, alloc_size(1, 2), returns_nonnull));
void *xrealloc(void *memory, size_t size) __attribute__((alloc_size(2), returns_nonnull));
void *xreallocarray(void *memory, size_t count, size_t size)
    __attribute__((alloc_size(2, 3), returns_nonnull));
char *xstrdup(const char *string) __attribute__((malloc, returns_nonnull));
char *xstrndup(const char *string, size_t length) __attribute__((malloc, returns_nonnull));

/* Formats like printf() into a new string. The caller frees it. */
char *xasprintf(const char *format, ...)
    __attribute__((malloc, returns_nonnull, format(printf, 1, 2)));

/* Makes room for one more element of `size` bytes after `count`. Returns the array, which may have
 * moved, and updates its capacity. An empty array is NULL with a capacity of 0. The caller frees
 * it. */
void *array_grow(void *items, size_t count, size_t *capacity, size_t size)
    __attribute__((returns_nonnull));

/* Appends an uninitialised element, increments the count and returns its address. All arguments are
 * lvalues. */
#define ARRAY_NEW(items, count, capacity)                                                          \
    ((items) = array_grow((items), (count), &(capacity), sizeof *(items)), &(items)[(count)++])

/* Frees `count` allocations and the array of pointers to them. */
void free_each(void *pointers, size_t count);

/* Memory pool: allocations that are freed together. Empty when zeroed. */
struct pool {
    struct pool_piece *pieces; /* owned; newest first */
};

/* Allocates zeroed memory. */
void *pool_allocate(struct pool *pool, size_t size) __attribute__((returns_nonnull));

/* Copies a string. */
char *pool_copy(struct pool *pool, const char *string) __attribute__((returns_nonnull));

/* Moves all allocations of `from`, which is then empty, to the pool. */
void pool_join(struct pool *pool, struct pool *from);

/* Frees all allocations and empties the pool. */
void pool_free(struct pool *pool);

/* Reports that memory is exhausted and ends the program. */
_Noreturn void out_of_memory(void);

#endif
