#include "util.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void buffer_reserve(Buffer *buffer, size_t more) {
    size_t wanted = buffer->length + more;
    if (wanted <= buffer->capacity) {
        return;
    }
    buffer->capacity = wanted * 2;
    buffer->bytes = realloc(buffer->bytes, buffer->capacity);
    if (!buffer->bytes) {
        die("out of memory");
    }
}

void buffer_append(Buffer *buffer, const void *bytes, size_t length) {
    if (length) {
        buffer_reserve(buffer, length);
        memcpy(buffer->bytes + buffer->length, bytes, length);
        buffer->length += length;
    }
}

void buffer_u8(Buffer *buffer, unsigned value) {
    uint8_t byte = (uint8_t)value;
    buffer_append(buffer, &byte, 1);
}

void buffer_u16(Buffer *buffer, unsigned value) {
    uint8_t bytes[2];
    set_u16(bytes, value);
    buffer_append(buffer, bytes, 2);
}

void buffer_u32(Buffer *buffer, uint32_t value) {
    uint8_t bytes[4];
    set_u32(bytes, value);
    buffer_append(buffer, bytes, 4);
}

void buffer_text(Buffer *buffer, const char *text) {
    buffer_append(buffer, text, strlen(text));
}

void buffer_printf(Buffer *buffer, const char *format, ...) {
    va_list arguments;
    int length;
    va_start(arguments, format);
    length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0) {
        die("cannot format");
    }
    buffer_reserve(buffer, (size_t)length + 1);
    va_start(arguments, format);
    vsnprintf((char *)buffer->bytes + buffer->length, (size_t)length + 1, format, arguments);
    va_end(arguments);
    buffer->length += (size_t)length;
}

void buffer_free(Buffer *buffer) {
    free(buffer->bytes);
    *buffer = (Buffer){0};
}

unsigned get_u16(const uint8_t *bytes) {
    return (unsigned)bytes[0] << 8 | bytes[1];
}

void set_u16(uint8_t *bytes, unsigned value) {
    bytes[0] = (uint8_t)(value >> 8);
    bytes[1] = (uint8_t)value;
}

void set_u32(uint8_t *bytes, uint32_t value) {
    set_u16(bytes, value >> 16);
    set_u16(bytes + 2, value & 0xFFFF);
}

uint32_t random_between(Random *random, uint32_t low, uint32_t high) {
    return low + random_below(random, high - low + 1);
}

void write_file(const char *directory, const char *name, const Buffer *content) {
    Buffer path = {0};
    FILE *file;
    size_t written;
    buffer_printf(&path, "%s/%s", directory, name);
    file = fopen((const char *)path.bytes, "wb");
    if (!file) {
        die("%s: %s", (const char *)path.bytes, strerror(errno));
    }
    written = content->length ? fwrite(content->bytes, 1, content->length, file) : 0;
    if (fclose(file) != 0 || written != content->length) {
        die("%s: cannot write", (const char *)path.bytes);
    }
    buffer_free(&path);
}
