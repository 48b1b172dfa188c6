#include "util.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void die(const char *format, ...) {
    va_list arguments;
    fputs("generate: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(1);
}

void require(int holds, const char *format, ...) {
    va_list arguments;
    if (holds) {
        return;
    }
    fputs("generate: the data breaks a promise: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    abort();
}

/* xorshift64*: rand() differs from libc to libc, this does not. */
uint32_t random_below(Random *random, uint32_t limit) {
    uint64_t state = random->state;
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    random->state = state;
    return (uint32_t)((((state * UINT64_C(0x2545F4914F6CDD1D)) >> 32) * limit) >> 32);
}

int random_chance(Random *random, uint32_t permille) {
    return random_below(random, 1000) < permille;
}

void *grow(void *array, size_t count, size_t *capacity, size_t size) {
    if (count < *capacity) {
        return array;
    }
    *capacity = *capacity ? *capacity * 2 : 64;
    array = realloc(array, *capacity * size);
    if (!array) {
        die("out of memory");
    }
    return array;
}

void set_path(char *path, const char *format, ...) {
    va_list arguments;
    int length;
    va_start(arguments, format);
    length = vsnprintf(path, PATH_SIZE, format, arguments);
    va_end(arguments);
    if (length < 0 || length >= PATH_SIZE) {
        die("a path is too long");
    }
}

void make_directory(const char *path) {
    if (mkdir(path, 0777) != 0 && errno != EEXIST) {
        die("%s: %s", path, strerror(errno));
    }
}

void make_new_directory(const char *path) {
    if (mkdir(path, 0777) != 0) {
        die("%s: %s", path, strerror(errno));
    }
}

FILE *open_output(const char *path) {
    FILE *file = fopen(path, "wb");
    if (!file) {
        die("%s: %s", path, strerror(errno));
    }
    return file;
}

void put_bytes(FILE *file, const void *bytes, size_t length) {
    if (fwrite(bytes, 1, length, file) != length) {
        die("cannot write: %s", strerror(errno));
    }
}

void close_output(FILE *file) {
    int failed = ferror(file);
    if (fclose(file) != 0 || failed) {
        die("cannot write: %s", strerror(errno));
    }
}

uint8_t *put_u8(uint8_t *at, unsigned value) {
    *at = (uint8_t)value;
    return at + 1;
}

uint8_t *put_u32(uint8_t *at, uint32_t value) {
    for (int i = 0; i < 4; i++) {
        *at++ = (uint8_t)(value >> (8 * i));
    }
    return at;
}

uint8_t *put_u64(uint8_t *at, uint64_t value) {
    return put_u32(put_u32(at, (uint32_t)value), (uint32_t)(value >> 32));
}

uint8_t *put_text(uint8_t *at, const char *text, size_t length) {
    memcpy(at, text, length);
    return at + length;
}
