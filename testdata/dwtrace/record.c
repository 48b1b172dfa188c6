#include "record.h"

#include <stdlib.h>
#include <string.h>

static const uint8_t value_sizes[PARAMETER_TYPES] = {
    [UINT8] = 1,  [INT8] = 1,  [BOOL] = 1,    [UINT16] = 2, [INT16] = 2,
    [UINT32] = 4, [INT32] = 4, [POINTER] = 4, [STRUCT] = 4,
};

static unsigned value_size(const struct parameter *parameter) {
    return parameter->control == UNFORMATTED ? value_sizes[parameter->type] : 0;
}

unsigned parameter_bytes(const struct record *record) {
    unsigned bytes = 0;

    for (unsigned i = 0; i < record->parameters; i++) {
        bytes += value_size(&record->parameter[i]);
    }
    return bytes;
}

/* Where the next number goes. */
struct pen {
    uint8_t *at;
    bool big_endian;
};

static void put(struct pen *pen, uint64_t number, unsigned size) {
    for (unsigned i = 0; i < size; i++) {
        *pen->at++ = (uint8_t)(number >> 8 * (pen->big_endian ? size - 1 - i : i));
    }
}

void set_number(uint8_t *at, const struct variant *variant, uint64_t number, unsigned size) {
    struct pen pen = {at, variant->big_endian};

    put(&pen, number, size);
}

size_t encode_header(uint8_t *out, const struct variant *variant) {
    struct pen pen = {out, variant->big_endian};

    put(&pen, 0x52545744, 4); /* DWTR on a little-endian machine */
    put(&pen, 1, 2);
    put(&pen,
        (uint64_t)((variant->stamp_bits > 0 ? 1 : 0) | (variant->parameters ? 2 : 0) |
                   (variant->lengths ? 4 : 0) | (variant->stamp_bits == 64 ? 8 : 0)),
        2);
    put(&pen, 4711, 4); /* process */
    put(&pen, variant->maximum, 4);
    return HEADER_SIZE;
}

static void put_parameters(struct pen *pen, const struct record *record) {
    put(pen, record->parameters, 1);
    for (unsigned i = 0; i < record->parameters; i++) {
        const struct parameter *parameter = &record->parameter[i];

        put(pen, parameter->type, 1);
        put(pen, parameter->control, 1);
        put(pen, parameter->value, value_size(parameter));
    }
}

/* Every data of a size and a kind is the same: sentences, or all byte values from 0xF0 on. */
static void put_data(struct pen *pen, const struct record *record) {
    static const char text[] = "fifteen bytes!! GET /index.html HTTP/1.1 ";

    put(pen, record->size, 2);
    for (unsigned i = 0; i < record->size; i++) {
        put(pen, record->binary ? 0xF0 + i : (uint8_t)text[i % (sizeof text - 1)], 1);
    }
}

size_t encode_record(uint8_t *out, const struct variant *variant, const struct record *record) {
    struct pen pen = {out, variant->big_endian};

    put(&pen, record->type, 1);
    pen.at += variant->lengths ? 2 : 0;
    put(&pen, record->function, 4);
    put(&pen, record->thread, 4);
    put(&pen, record->time, (unsigned)variant->stamp_bits / 8);
    if (record->type == EXIT) {
        put(&pen, (uint32_t)record->code, 4);
    }
    if (record->type == DATA) {
        put_data(&pen, record);
    } else if (variant->parameters) {
        put_parameters(&pen, record);
    }
    if (variant->lengths) {
        set_number(out + 1, variant, (uint64_t)(pen.at - out), 2);
    }
    return (size_t)(pen.at - out);
}

void encode_wrap(uint8_t *out, const struct variant *variant, size_t length) {
    out[0] = WRAP;
    set_number(out + 1, variant, length, 2);
}

static void log_reserve(struct log *log) {
    if (log->capacity - log->length < RECORD_LIMIT) {
        log->capacity = log->capacity * 2 + RECORD_LIMIT;
        log->bytes = realloc(log->bytes, log->capacity);
        if (log->bytes == NULL) {
            die("out of memory");
        }
    }
}

void log_begin(struct log *log, const struct variant *variant) {
    *log = (struct log){0};
    log_reserve(log);
    log->length = encode_header(log->bytes, variant);
}

void log_record(struct log *log, const struct variant *variant, const struct record *record) {
    log_reserve(log);
    log->begins = grow(log->begins, log->records, &log->begins_capacity, sizeof *log->begins);
    log->begins[log->records++] = log->length;
    log->length += encode_record(log->bytes + log->length, variant, record);
}

void log_free(struct log *log) {
    free(log->bytes);
    free(log->begins);
    *log = (struct log){0};
}
