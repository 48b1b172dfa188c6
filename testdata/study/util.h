/* Small tools of the study generator: a random source that gives the same numbers everywhere,
 * files that cannot fail unnoticed, and dying with a message.
 */
#ifndef STUDY_UTIL_H
#define STUDY_UTIL_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "../util.h"

/* True in that many of 1000 cases. */
int random_chance(Random *random, uint32_t permille);

enum { PATH_SIZE = 4096 };
/* Fills path, PATH_SIZE bytes. */
void set_path(char *path, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Dies when it is there already: what else is in it would be taken for part of the study. */
void make_new_directory(const char *path);
FILE *open_output(const char *path);
void put_bytes(FILE *file, const void *bytes, size_t length);

/* Little-endian, as every carrier is. */
uint8_t *put_u8(uint8_t *at, unsigned value);
uint8_t *put_u32(uint8_t *at, uint32_t value);
uint8_t *put_u64(uint8_t *at, uint64_t value);
uint8_t *put_text(uint8_t *at, const char *text, size_t length);

#endif
