#include "util.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A linear congruential generator of 64 bits; its upper half is random enough. */
uint32_t random_word(struct random *random) {
    random->state = random->state * UINT64_C(0x5851F42D4C957F2D) + UINT64_C(0x14057B7EF767814F);
    return (uint32_t)(random->state >> 32);
}

uint32_t word_below(struct random *random, uint32_t limit) {
    return (uint32_t)((uint64_t)random_word(random) * limit >> 32);
}

bool random_chance(struct random *random, unsigned permille) {
    return word_below(random, 1000) < permille;
}

const char *path_of(const char *format, ...) {
    static char paths[8][1024];
    static unsigned next;
    char *path = paths[next++ % 8];
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vsnprintf(path, sizeof paths[0], format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= sizeof paths[0]) {
        die("a path is too long");
    }
    return path;
}

FILE *create_file(const char *path) {
    char folder[1024];
    FILE *file;

    snprintf(folder, sizeof folder, "%s", path);
    for (char *slash = strchr(folder + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(folder, 0777);
        *slash = '/';
    }
    file = fopen(path, "wb");
    if (file == NULL) {
        die("%s: cannot create it", path);
    }
    return file;
}

void write_bytes(const char *path, const void *bytes, size_t length) {
    FILE *file = create_file(path);

    fwrite(bytes, 1, length, file);
    close_file(file);
}
