#include "util.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void say(const char *what, const char *format, va_list arguments) {
    fprintf(stderr, "generate: %s", what);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
}

void die(const char *format, ...) {
    va_list arguments;

    va_start(arguments, format);
    say("", format, arguments);
    va_end(arguments);
    exit(1);
}

void require(int holds, const char *format, ...) {
    va_list arguments;

    if (holds) {
        return;
    }
    va_start(arguments, format);
    say("the data breaks a promise: ", format, arguments);
    va_end(arguments);
    abort();
}

void *allocate(size_t count, size_t size) {
    void *memory = calloc(count + 1, size);

    if (memory == NULL) {
        die("out of memory");
    }
    return memory;
}

void *grow(void *array, size_t count, size_t *capacity, size_t size) {
    if (count < *capacity) {
        return array;
    }
    *capacity = *capacity > 0 ? *capacity * 2 : 256;
    array = realloc(array, *capacity * size);
    if (array == NULL) {
        die("out of memory");
    }
    return array;
}

/* xorshift64*: rand() differs from libc to libc, this does not. */
uint32_t random_next(Random *random) {
    uint64_t state = random->state;

    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    random->state = state;
    return (uint32_t)((state * UINT64_C(0x2545F4914F6CDD1D)) >> 32);
}

uint32_t random_below(Random *random, uint32_t limit) {
    return (uint32_t)(((uint64_t)random_next(random) * limit) >> 32);
}

void make_directory(const char *path) {
    if (mkdir(path, 0777) != 0 && errno != EEXIST) {
        die("%s: %s", path, strerror(errno));
    }
}

void close_file(FILE *file) {
    int failed = ferror(file);

    if (fclose(file) != 0 || failed) {
        die("cannot write: %s", strerror(errno));
    }
}
