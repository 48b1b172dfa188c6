#include "util.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH_SIZE = 4096, TEXT_SIZE = 4096 };

static uint64_t state;
static const char *root = ".";

void seed_dice(uint32_t seed) {
    state = seed * UINT64_C(0x9E3779B97F4A7C15) + 1;
}

/* A linear congruential generator's upper half: rand() differs from libc to libc. */
int64_t dice(int64_t limit) {
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int64_t)((state >> 32) % (uint64_t)limit);
}

void set_root(const char *folder) {
    root = folder;
}

static FILE *create_path(const char *format, va_list arguments) {
    char path[PATH_SIZE];
    int length = snprintf(path, sizeof path, "%s/", root);
    FILE *file;

    vsnprintf(path + length, sizeof path - (size_t)length, format, arguments);
    for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(path, 0777) != 0 && errno != EEXIST) {
            die("%s: %s", path, strerror(errno));
        }
        *slash = '/';
    }
    file = fopen(path, "wb");
    if (file == NULL) {
        die("%s: %s", path, strerror(errno));
    }
    return file;
}

FILE *create(const char *format, ...) {
    va_list arguments;
    FILE *file;

    va_start(arguments, format);
    file = create_path(format, arguments);
    va_end(arguments);
    return file;
}

void put(struct bytes *bytes, const void *from, size_t length) {
    insert(bytes, bytes->length, from, length);
}

void put_number(struct bytes *bytes, uint64_t number, int size) {
    uint8_t digits[8];

    for (int i = 0; i < size; i++) {
        digits[i] = (uint8_t)(number >> 8 * i);
    }
    put(bytes, digits, (size_t)size);
}

void put_text(struct bytes *bytes, const char *format, ...) {
    char text[TEXT_SIZE];
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length >= TEXT_SIZE) {
        die("a text is too long");
    }
    put(bytes, text, (size_t)length);
}

void insert(struct bytes *bytes, size_t at, const void *from, size_t length) {
    while (bytes->length + length > bytes->capacity) {
        bytes->at = grow(bytes->at, bytes->capacity, &bytes->capacity, 1);
    }
    if (bytes->length > at) {
        memmove(bytes->at + at + length, bytes->at + at, bytes->length - at);
    }
    if (length > 0) {
        memcpy(bytes->at + at, from, length);
    }
    bytes->length += length;
}

void save(const struct bytes *bytes, const char *format, ...) {
    va_list arguments;
    FILE *file;

    va_start(arguments, format);
    file = create_path(format, arguments);
    va_end(arguments);
    if (bytes->length > 0) {
        fwrite(bytes->at, 1, bytes->length, file);
    }
    close_file(file);
}
