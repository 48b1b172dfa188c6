/* What every part of the generator needs: ends, random numbers, memory, files. */
#ifndef DWTRACE_UTIL_H
#define DWTRACE_UTIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Both end the program. A promise is something that the data must have, or it tests nothing. */
_Noreturn void die(const char *format, ...) __attribute__((format(printf, 1, 2)));
void promise(bool kept, const char *what);

/* The same numbers everywhere, unlike rand(). */
struct random {
    uint64_t state;
};

uint32_t random_word(struct random *random);
uint32_t random_below(struct random *random, uint32_t limit);
bool random_chance(struct random *random, unsigned permille);

/* Room for one more of `count` elements. */
void *make_room(void *array, size_t count, size_t *capacity, size_t element);
void *zeroed(size_t count, size_t element);

/* Path from a format; static, valid until the eighth call from then. */
const char *path_of(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Makes the folders that lead to it, too. */
FILE *create_file(const char *path);
void close_file(FILE *file);
void write_bytes(const char *path, const void *bytes, size_t length);

#endif
