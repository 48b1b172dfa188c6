/* Reads integers of either byte order from memory. The caller checks that the bytes exist. */
#ifndef TRACETOOL_BYTES_H
#define TRACETOOL_BYTES_H

#include <stdbool.h>
#include <stdint.h>

static inline uint16_t bytes_u16_big(const uint8_t *bytes) {
    return (uint16_t)(bytes[0] << 8 | bytes[1]);
}

static inline uint32_t bytes_u32_big(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static inline uint64_t bytes_u64_big(const uint8_t *bytes) {
    return (uint64_t)bytes_u32_big(bytes) << 32 | bytes_u32_big(bytes + 4);
}

static inline uint16_t bytes_u16_little(const uint8_t *bytes) {
    return (uint16_t)(bytes[1] << 8 | bytes[0]);
}

static inline uint32_t bytes_u32_little(const uint8_t *bytes) {
    return (uint32_t)bytes[3] << 24 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[1] << 8 | bytes[0];
}

static inline uint64_t bytes_u64_little(const uint8_t *bytes) {
    return (uint64_t)bytes_u32_little(bytes + 4) << 32 | bytes_u32_little(bytes);
}

static inline int64_t bytes_i64_little(const uint8_t *bytes) {
    return (int64_t)bytes_u64_little(bytes);
}

/* Read a number in the byte order that the log states; `big`: big-endian. */
static inline uint16_t bytes_u16(const uint8_t *bytes, bool big) {
    return big ? bytes_u16_big(bytes) : bytes_u16_little(bytes);
}

static inline uint32_t bytes_u32(const uint8_t *bytes, bool big) {
    return big ? bytes_u32_big(bytes) : bytes_u32_little(bytes);
}

static inline uint64_t bytes_u64(const uint8_t *bytes, bool big) {
    return big ? bytes_u64_big(bytes) : bytes_u64_little(bytes);
}

#endif
