/* Makes allocations fail. Preloaded by tests/memory.sh:
 *
 *     LD_PRELOAD=build/no-memory.so NO_MEMORY_AT=N [NO_MEMORY_TIMES=M] tracetool …
 *
 * The N-th allocation of the process (from 1) and the M - 1 after it fail; without M all later
 * ones. At exit, writes the number of allocations to the file $NO_MEMORY_COUNT. */
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);

static atomic_ullong allocations;
static unsigned long long first = UINT64_MAX, times = UINT64_MAX;

__attribute__((constructor)) static void begin(void) {
    const char *at = getenv("NO_MEMORY_AT"), *most = getenv("NO_MEMORY_TIMES");

    /* Allocations before main() belong to the loader. */
    atomic_store(&allocations, 0);
    first = at == NULL ? first : strtoull(at, NULL, 10);
    times = most == NULL ? times : strtoull(most, NULL, 10);
}

__attribute__((destructor)) static void end(void) {
    const char *path = getenv("NO_MEMORY_COUNT");
    unsigned long long count = atomic_load(&allocations);
    FILE *file;

    first = UINT64_MAX;
    file = path == NULL ? NULL : fopen(path, "w");
    if (file != NULL) {
        fprintf(file, "%llu\n", count);
        fclose(file);
    }
}

static int fails(void) {
    unsigned long long number = atomic_fetch_add(&allocations, 1) + 1;

    if (number < first || number - first >= times) {
        return 0;
    }
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t size) {
    return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    return fails() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
    return fails() ? NULL : __libc_realloc(memory, size);
}
