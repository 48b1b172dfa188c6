/* Small tools of the study generator: a random source that gives the same numbers everywhere,
 * files that cannot fail unnoticed, and dying with a message.
 */
#ifndef STUDY_UTIL_H
#define STUDY_UTIL_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

typedef struct {
    uint64_t state; /* never 0 */
} Random;

/* 0 .. limit - 1 */
uint32_t random_below(Random *random, uint32_t limit);
/* True in that many of 1000 cases. */
int random_chance(Random *random, uint32_t permille);

_Noreturn void die(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Aborts with the message when a property the data promises does not hold. */
void require(int holds, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Grows array (of *capacity elements) so that one more fits behind count. */
void *grow(void *array, size_t count, size_t *capacity, size_t size);

enum { PATH_SIZE = 4096 };
/* Fills path, PATH_SIZE bytes. */
void set_path(char *path, const char *format, ...) __attribute__((format(printf, 2, 3)));
void make_directory(const char *path);
/* Dies when it is there already: what else is in it would be taken for part of the study. */
void make_new_directory(const char *path);
FILE *open_output(const char *path);
void put_bytes(FILE *file, const void *bytes, size_t length);
/* Dies when anything written to the file got lost. */
void close_output(FILE *file);

/* Little-endian, as every carrier is. */
uint8_t *put_u8(uint8_t *at, unsigned value);
uint8_t *put_u32(uint8_t *at, uint32_t value);
uint8_t *put_u64(uint8_t *at, uint64_t value);
uint8_t *put_text(uint8_t *at, const char *text, size_t length);

#endif
