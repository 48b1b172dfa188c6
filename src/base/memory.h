/* Memory. The functions of this file never return NULL: a process without memory ends with status 1
 * and the line `tracetool: out of memory`, after the clean-up of base/signal_cleanup.h. The
 * transaction of a database is rolled back by SQLite when the file is next opened.
 *
 * A size that a log or an image gives is bounded before it is allocated.
 */
#ifndef TRACETOOL_MEMORY_H
#define TRACETOOL_MEMORY_H

#include <stdarg.h>
#include <stddef.h>

/* As the functions of the C library without the x. The caller frees the memory. `size` and `count`
 * may be 0. xrealloc() and xreallocarray() accept NULL. */
void *xmalloc(size_t size) __attribute__((malloc, alloc_size(1), returns_nonnull));
void *xcalloc(size_t count, size_t size) __attribute__((malloc, alloc_size(1, 2), returns_nonnull));
void *xrealloc(void *memory, size_t size) __attribute__((alloc_size(2), returns_nonnull));
void *xreallocarray(void *memory, size_t count, size_t size)
    __attribute__((alloc_size(2, 3), returns_nonnull));
char *xstrdup(const char *string) __attribute__((malloc, returns_nonnull));
char *xstrndup(const char *string, size_t length) __attribute__((malloc, returns_nonnull));

/* What printf() would print, as a string. The caller frees it. */
char *xasprintf(const char *format, ...)
    __attribute__((malloc, returns_nonnull, format(printf, 1, 2)));

/* Makes room for one more element of `size` bytes behind `count`. Returns the array, which may have
 * moved, and sets its new capacity. An empty array is NULL with a capacity of 0. The caller frees
 * it. */
void *array_grow(void *items, size_t count, size_t *capacity, size_t size)
    __attribute__((returns_nonnull));

/* The place of one more element, which is counted and not set. All are lvalues. */
#define ARRAY_NEW(items, count, capacity)                                                          \
    ((items) = array_grow((items), (count), &(capacity), sizeof *(items)), &(items)[(count)++])

/* Pieces of memory that are freed all at once. Zeroed: none. */
struct pool {
    struct pool_piece *pieces; /* owned; the last one first */
};

/* A piece of so many zeroed bytes. */
void *pool_take(struct pool *pool, size_t size) __attribute__((returns_nonnull));

/* A copy of a string. */
char *pool_copy(struct pool *pool, const char *string) __attribute__((returns_nonnull));

/* Gives the pool what another one has, which is empty then. */
void pool_join(struct pool *pool, struct pool *from);

/* Frees all pieces, and makes the pool empty. */
void pool_free(struct pool *pool);

/* Ends the program for want of memory. */
_Noreturn void out_of_memory(void);

#endif
