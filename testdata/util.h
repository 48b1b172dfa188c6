/* What the generators of several formats share: dying with a message, memory, and numbers that are
 * the same everywhere. They share nothing with the program.
 */
#ifndef TESTDATA_UTIL_H
#define TESTDATA_UTIL_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

_Noreturn void die(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Aborts with the message when a property the data promises does not hold: it would test nothing.
 */
void require(int holds, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Zeroed. */
void *allocate(size_t count, size_t size);
/* Grows array (of *capacity elements) so that one more fits behind count. */
void *grow(void *array, size_t count, size_t *capacity, size_t size);

typedef struct {
    uint64_t state; /* never 0 */
} Random;

uint32_t random_next(Random *random);
/* 0 .. limit - 1 */
uint32_t random_below(Random *random, uint32_t limit);

/* One that is there already is taken. */
void make_directory(const char *path);
/* Closes it, and dies when anything written to it got lost. */
void close_file(FILE *file);

#endif
