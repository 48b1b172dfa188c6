#include "remote/rowbinary.h"

#include <string.h>

enum { VARINT_BITS = 7, VARINT_MORE = 0x80 };

void rowbinary_append_u8(struct text *rows, unsigned value) {
    text_append_char(rows, (char)value);
}

void rowbinary_append_u64(struct text *rows, uint64_t value) {
    unsigned char bytes[sizeof value];

    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (unsigned char)(value >> (8 * i));
    }
    text_append(rows, (const char *)bytes, sizeof bytes);
}

void rowbinary_append_text(struct text *rows, const void *bytes, size_t length) {
    size_t rest = length;

    while (rest >= VARINT_MORE) {
        rowbinary_append_u8(rows, (unsigned)(rest & (VARINT_MORE - 1)) | VARINT_MORE);
        rest >>= VARINT_BITS;
    }
    rowbinary_append_u8(rows, (unsigned)rest);
    if (length > 0) {
        text_append(rows, bytes, length);
    }
}

struct rowbinary_reader rowbinary_reader(const struct text *answer) {
    const unsigned char *bytes = (const unsigned char *)text_string(answer);

    return (struct rowbinary_reader){bytes, bytes + answer->length, false};
}

bool rowbinary_more(const struct rowbinary_reader *reader) {
    return !reader->failed && reader->at < reader->end;
}

/* Returns the next `length` bytes and skips them; NULL with `failed` set if there are fewer. */
static const unsigned char *rowbinary_read(struct rowbinary_reader *reader, uint64_t length) {
    const unsigned char *bytes = reader->at;

    if (reader->failed || length > (uint64_t)(reader->end - reader->at)) {
        reader->failed = true;
        return NULL;
    }
    reader->at += length;
    return bytes;
}

static unsigned rowbinary_u8(struct rowbinary_reader *reader) {
    const unsigned char *byte = rowbinary_read(reader, 1);

    return byte == NULL ? 0 : *byte;
}

uint64_t rowbinary_u64(struct rowbinary_reader *reader) {
    const unsigned char *bytes = rowbinary_read(reader, sizeof(uint64_t));
    uint64_t value = 0;

    for (size_t i = 0; bytes != NULL && i < sizeof value; i++) {
        value |= (uint64_t)bytes[i] << (8 * i);
    }
    return value;
}

int64_t rowbinary_i64(struct rowbinary_reader *reader) {
    uint64_t bits = rowbinary_u64(reader);
    int64_t value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Reads a varint of at most nine groups of 7 bits. Longer ones are an error. */
static uint64_t rowbinary_read_length(struct rowbinary_reader *reader) {
    uint64_t length = 0;

    for (unsigned shift = 0; shift < 9 * VARINT_BITS; shift += VARINT_BITS) {
        unsigned byte = rowbinary_u8(reader);

        length |= (uint64_t)(byte & (VARINT_MORE - 1)) << shift;
        if (byte < VARINT_MORE) {
            return length;
        }
    }
    reader->failed = true;
    return 0;
}

const char *rowbinary_text(struct rowbinary_reader *reader, size_t *length) {
    uint64_t said = rowbinary_read_length(reader);
    const unsigned char *bytes = rowbinary_read(reader, said);

    *length = bytes == NULL ? 0 : (size_t)said;
    return bytes == NULL ? "" : (const char *)bytes;
}

struct rowbinary_slice rowbinary_slice(struct rowbinary_reader *reader) {
    struct rowbinary_slice slice;

    slice.bytes = rowbinary_text(reader, &slice.length);
    return slice;
}

bool rowbinary_slice_is(struct rowbinary_slice slice, const char *text) {
    return strlen(text) == slice.length && memcmp(slice.bytes, text, slice.length) == 0;
}

bool rowbinary_read_null(struct rowbinary_reader *reader) {
    unsigned byte = rowbinary_u8(reader);

    reader->failed |= byte > 1;
    return byte == 1;
}

int upload_key_compare(const struct upload_key *a, const struct upload_key *b) {
    return a->trace != b->trace ? (a->trace > b->trace) - (a->trace < b->trace)
                                : (a->attempt > b->attempt) - (a->attempt < b->attempt);
}

struct upload_key rowbinary_read_upload_key(struct rowbinary_reader *reader) {
    struct upload_key pair;

    pair.trace = rowbinary_u64(reader);
    pair.attempt = rowbinary_u64(reader);
    return pair;
}
