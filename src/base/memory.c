#include "base/memory.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/signal_cleanup.h"
#include "base/error.h"

enum { FIRST_CAPACITY = 64 };

_Noreturn void out_of_memory(void) {
    static const char message[] = "tracetool: out of memory\n";
    ssize_t written;

    signal_cleanup_run();
    written = write(STDERR_FILENO, message, sizeof message - 1);
    (void)written;
    _exit(EXIT_FAILED);
}

/* Returns allocated memory unchanged; ends the program if it is NULL. */
static void *check_allocation(void *memory) {
    if (memory == NULL) {
        out_of_memory();
    }
    return memory;
}

void *xmalloc(size_t size) {
    return check_allocation(malloc(size + (size == 0)));
}

void *xcalloc(size_t count, size_t size) {
    return check_allocation(calloc(count + (count == 0), size + (size == 0)));
}

void *xzeros(size_t count, size_t size) {
    return memset(xreallocarray(NULL, count, size), 0, count * size);
}

void advise_huge_pages(void *memory, size_t size) {
    const uintptr_t huge = (uintptr_t)2 << 20;
    uintptr_t begin = ((uintptr_t)memory + huge - 1) & ~(huge - 1),
              end = ((uintptr_t)memory + size) & ~(huge - 1);

    if (begin < end) {
        madvise((void *)begin, end - begin, MADV_HUGEPAGE);
    }
}

void *xrealloc(void *memory, size_t size) {
    return check_allocation(realloc(memory, size + (size == 0)));
}

void *xreallocarray(void *memory, size_t count, size_t size) {
    return check_allocation(reallocarray(memory, count + (count == 0), size + (size == 0)));
}

char *xstrdup(const char *string) {
    return check_allocation(strdup(string));
}

char *xstrndup(const char *string, size_t length) {
    return check_allocation(strndup(string, length));
}

char *xasprintf(const char *format, ...) {
    va_list arguments;
    char *string;
    int length;

    va_start(arguments, format);
    length = vasprintf(&string, format, arguments);
    va_end(arguments);
    return check_allocation(length < 0 ? NULL : string);
}

void *array_grow(void *items, size_t count, size_t *capacity, size_t size) {
    if (count >= *capacity) {
        *capacity = *capacity == 0 ? FIRST_CAPACITY : 2 * *capacity;
        items = xreallocarray(items, *capacity, size);
    }
    return items;
}

struct pool_piece {
    struct pool_piece *next;
    max_align_t bytes[];
};

void free_each(void *pointers, size_t count) {
    for (size_t i = 0; i < count; i++) {
        void *each;

        memcpy(&each, (char *)pointers + i * sizeof each, sizeof each);
        free(each);
    }
    free(pointers);
}

void *pool_allocate(struct pool *pool, size_t size) {
    struct pool_piece *piece = xcalloc(1, sizeof *piece + size);

    piece->next = pool->pieces;
    pool->pieces = piece;
    return piece->bytes;
}

char *pool_copy(struct pool *pool, const char *string) {
    size_t size = strlen(string) + 1;

    return memcpy(pool_allocate(pool, size), string, size);
}

void pool_join(struct pool *pool, struct pool *from) {
    struct pool_piece **end = &from->pieces;

    while (*end != NULL) {
        end = &(*end)->next;
    }
    *end = pool->pieces;
    pool->pieces = from->pieces;
    from->pieces = NULL;
}

void pool_free(struct pool *pool) {
    while (pool->pieces != NULL) {
        struct pool_piece *piece = pool->pieces;

        pool->pieces = piece->next;
        free(piece);
    }
}
