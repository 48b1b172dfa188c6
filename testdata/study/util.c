#include "util.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int random_chance(Random *random, uint32_t permille) {
    return random_below(random, 1000) < permille;
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
