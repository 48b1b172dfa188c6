/* Small tools of the Palmist test data generator: growing bytes, a random
 * source that gives the same numbers everywhere, and dying with a message.
 */
#ifndef PALMIST_UTIL_H
#define PALMIST_UTIL_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "../util.h"

typedef struct {
    uint8_t *bytes;
    size_t length;
    size_t capacity;
} Buffer;

void buffer_reserve(Buffer *buffer, size_t more);
void buffer_append(Buffer *buffer, const void *bytes, size_t length);
void buffer_u8(Buffer *buffer, unsigned value);
void buffer_u16(Buffer *buffer, unsigned value);
void buffer_u32(Buffer *buffer, uint32_t value);
void buffer_text(Buffer *buffer, const char *text);
void buffer_printf(Buffer *buffer, const char *format, ...) __attribute__((format(printf, 2, 3)));
void buffer_free(Buffer *buffer);

/* Big-endian, as the 68k had it. */
unsigned get_u16(const uint8_t *bytes);
void set_u16(uint8_t *bytes, unsigned value);
void set_u32(uint8_t *bytes, uint32_t value);

/* low .. high, both included */
uint32_t random_between(Random *random, uint32_t low, uint32_t high);

void write_file(const char *directory, const char *name, const Buffer *content);

#endif
