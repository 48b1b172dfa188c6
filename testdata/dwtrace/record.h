/* A record of a dwTrace log, and how it is written in each variant of the format. */
#ifndef DWTRACE_RECORD_H
#define DWTRACE_RECORD_H

#include "util.h"

enum record_type { ENTRY = 1, EXIT, DATA, WRAP };

enum parameter_type {
    UINT8 = 1,
    INT8,
    BOOL,
    UINT16,
    INT16,
    UINT32,
    INT32,
    POINTER,
    STRUCT,
    PARAMETER_TYPES
};

enum control { UNFORMATTED, NULLPTR, NOTALIGNED, CONTROLS };

enum {
    HEADER_SIZE = 16,
    WRAP_SIZE = 3, /* of the shortest wrap record */
    MOST_PARAMETERS = 255,
    MOST_DATA = 300,
    RECORD_LIMIT = 2048, /* longer than any */
};

struct parameter {
    uint8_t type, control;
    uint32_t value;
};

struct record {
    enum record_type type;
    uint32_t function, thread;
    uint64_t time;
    int32_t code;  /* exit */
    unsigned size; /* data */
    bool binary;   /* what the data is like */
    unsigned parameters;
    struct parameter parameter[MOST_PARAMETERS];
};

struct variant {
    bool big_endian;
    int stamp_bits; /* 0, 32, 64 */
    bool parameters, lengths;
    uint32_t maximum; /* of the file; 0: none */
};

/* Bytes of all values. */
unsigned parameter_bytes(const struct record *record);

/* Writes to `out` (RECORD_LIMIT bytes) and returns the length. */
size_t encode_header(uint8_t *out, const struct variant *variant);
size_t encode_record(uint8_t *out, const struct variant *variant, const struct record *record);
void encode_wrap(uint8_t *out, const struct variant *variant, size_t length);

/* A number of `size` bytes in the variant's order, over what is there: for damage. */
void set_number(uint8_t *at, const struct variant *variant, uint64_t number, unsigned size);

/* A file, and where its records begin. */
struct log {
    uint8_t *bytes;
    size_t length, capacity;
    size_t *begins;
    size_t records, begins_capacity;
};

void log_begin(struct log *log, const struct variant *variant);
void log_record(struct log *log, const struct variant *variant, const struct record *record);
void log_free(struct log *log);

#endif
