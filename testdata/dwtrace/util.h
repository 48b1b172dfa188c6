/* What every part of the generator needs: ends, random numbers, memory, files. */
#ifndef DWTRACE_UTIL_H
#define DWTRACE_UTIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "../util.h"

/* The same numbers everywhere, unlike rand(). */
struct random {
    uint64_t state;
};

uint32_t random_word(struct random *random);
uint32_t word_below(struct random *random, uint32_t limit);
bool random_chance(struct random *random, unsigned permille);

/* Path from a format; static, valid until the eighth call from then. */
const char *path_of(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Makes the folders that lead to it, too. */
FILE *create_file(const char *path);
void write_bytes(const char *path, const void *bytes, size_t length);

#endif
