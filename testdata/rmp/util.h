/* Small tools of the generators for rmp and android-trace: numbers that are the same everywhere,
 * files that cannot fail unnoticed, and a buffer.
 */
#ifndef RMP_UTIL_H
#define RMP_UTIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "../util.h"

/* Below `limit`; every play starts from a seed of its own. */
void seed_dice(uint32_t seed);
int64_t dice(int64_t limit);

/* A file below the folder that everything is written to; folders on the way are made. */
void set_root(const char *folder);
FILE *create(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Bytes of a file that is being put together. */
struct bytes {
    uint8_t *at;
    size_t length, capacity;
};

void put(struct bytes *bytes, const void *from, size_t length);
void put_number(struct bytes *bytes, uint64_t number, int size); /* little-endian */
void put_text(struct bytes *bytes, const char *format, ...) __attribute__((format(printf, 2, 3)));
void insert(struct bytes *bytes, size_t at, const void *from, size_t length);
void save(const struct bytes *bytes, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
