#include "dwtrace_record.h"

#include <string.h>

#include "input/bytes.h"

enum flags { HAS_TIMESTAMP = 1, HAS_PARAMETERS = 2, HAS_LENGTH = 4, TIMESTAMP_64 = 8, FLAGS = 15 };

const char dwtrace_bad_type[] = "unknown record type";
const char dwtrace_bad_length[] = "length differs from what the record holds";
const char dwtrace_bad_parameter[] = "unknown parameter type";
const char dwtrace_bad_control[] = "unknown format control of a parameter";
const char dwtrace_data_overrun[] = "data cut short by the end of the file, or of a wrong size";
const char dwtrace_truncated[] = "cut short by the end of the file";
const char dwtrace_bad_wrap[] = "wrap record points past the end of the file";

/* --- numbers ---------------------------------------------------------------------------------- */

static uint32_t get_u16(const struct dwtrace_layout *layout, const uint8_t *bytes) {
    return layout->big_endian ? bytes_u16_big(bytes) : bytes_u16_little(bytes);
}

static uint32_t get_u32(const struct dwtrace_layout *layout, const uint8_t *bytes) {
    return layout->big_endian ? bytes_u32_big(bytes) : bytes_u32_little(bytes);
}

static uint64_t get_timestamp(const struct dwtrace_layout *layout, const uint8_t *bytes) {
    if (layout->timestamp_size < 8) {
        return layout->timestamp_size == 0 ? 0 : get_u32(layout, bytes);
    }
    return layout->big_endian ? (uint64_t)bytes_u32_big(bytes) << 32 | bytes_u32_big(bytes + 4)
                              : bytes_u64_little(bytes);
}

/* --- the header ------------------------------------------------------------------------------- */

static bool is_swapped(const uint8_t *bytes) {
    return memcmp(bytes, "RTWD", DWTRACE_MAGIC_SIZE) == 0;
}

bool dwtrace_is_magic(const uint8_t *bytes, size_t length) {
    return length >= DWTRACE_MAGIC_SIZE &&
           (is_swapped(bytes) || memcmp(bytes, "DWTR", DWTRACE_MAGIC_SIZE) == 0);
}

bool dwtrace_parse_header(const uint8_t *bytes, const struct dwtrace_settings *settings,
                          struct dwtrace_layout *layout) {
    unsigned flags;

    *layout = (struct dwtrace_layout){
        .big_endian = settings->byte_order == DWTRACE_BY_MAGIC
                          ? is_swapped(bytes)
                          : settings->byte_order == DWTRACE_BIG_ENDIAN,
        .header_size = (unsigned)settings->header_size,
        .most_parameters = DWTRACE_MOST_PARAMETERS,
    };
    flags = get_u16(layout, bytes + 6);
    layout->version = get_u16(layout, bytes + 4);
    layout->unknown_flags = flags & ~(unsigned)FLAGS;
    layout->parameters = flags & HAS_PARAMETERS;
    layout->lengths = flags & HAS_LENGTH;
    layout->timestamp_size = !(flags & HAS_TIMESTAMP) ? 0 : flags & TIMESTAMP_64 ? 8 : 4;
    if (settings->timestamp_bits >= 0) {
        layout->timestamp_size = (unsigned)settings->timestamp_bits / 8;
    }
    layout->process = get_u32(layout, bytes + 8);
    layout->maximum = get_u32(layout, bytes + 12);
    return dwtrace_is_magic(bytes, DWTRACE_HEADER_SIZE);
}

/* --- parameters ------------------------------------------------------------------------------- */

size_t dwtrace_value_size(unsigned type, unsigned control) {
    static const uint8_t sizes[DWTRACE_TYPES] = {
        [DWTRACE_UINT8] = 1,  [DWTRACE_INT8] = 1,    [DWTRACE_BOOL] = 1,
        [DWTRACE_UINT16] = 2, [DWTRACE_INT16] = 2,   [DWTRACE_UINT32] = 4,
        [DWTRACE_INT32] = 4,  [DWTRACE_POINTER] = 4, [DWTRACE_STRUCT] = 4,
    };

    return control == DWTRACE_UNFORMATTED ? sizes[type] : 0;
}

const char *dwtrace_parse_list(const struct dwtrace_layout *layout, const uint8_t *bytes,
                               size_t available, const char *overrun,
                               struct dwtrace_record *record) {
    size_t at = 1;

    record->bytes = bytes;
    record->parameters = bytes[0];
    record->size = 0;
    if (record->parameters > layout->most_parameters) {
        return dwtrace_bad_parameter;
    }
    for (unsigned i = 0; i < record->parameters; i++) {
        size_t size;

        if (available - at < 2) {
            return overrun;
        }
        if (bytes[at] == 0 || bytes[at] >= DWTRACE_TYPES) {
            return dwtrace_bad_parameter;
        }
        if (bytes[at + 1] >= DWTRACE_CONTROLS) {
            return dwtrace_bad_control;
        }
        size = dwtrace_value_size(bytes[at], bytes[at + 1]);
        at += 2;
        if (available - at < size) {
            return overrun;
        }
        at += size;
        record->size += (uint32_t)size;
    }
    record->bytes_length = (uint32_t)at;
    return NULL;
}

void dwtrace_normalise_list(const struct dwtrace_layout *layout,
                            const struct dwtrace_record *record, uint8_t *list) {
    size_t at = 1;

    memcpy(list, record->bytes, record->bytes_length);
    for (unsigned i = 0; layout->big_endian && i < record->parameters; i++) {
        size_t size = dwtrace_value_size(list[at], list[at + 1]);

        at += 2;
        for (size_t byte = 0; byte < size; byte++) {
            list[at + byte] = record->bytes[at + size - 1 - byte];
        }
        at += size;
    }
}

/* --- records ---------------------------------------------------------------------------------- */

static const char *parse_data(const struct dwtrace_layout *layout, const uint8_t *bytes,
                              size_t available, const char *overrun,
                              struct dwtrace_record *record) {
    if (available < 2) {
        return overrun;
    }
    record->bytes = bytes + 2;
    record->size = record->bytes_length = get_u16(layout, bytes);
    return record->size <= available - 2 ? NULL : overrun;
}

/* Parses what stands behind the length, of which `available` bytes may be taken; `*taken` is how
 * many were, when it is good. */
static const char *parse_body(const struct dwtrace_layout *layout, const uint8_t *bytes,
                              size_t available, const char *overrun, struct dwtrace_record *record,
                              size_t *taken) {
    size_t at = 8 + layout->timestamp_size;
    const char *damage;

    if (available < at + (record->type == DWTRACE_EXIT ? 4 : 0)) {
        return overrun;
    }
    record->function = get_u32(layout, bytes);
    record->thread = get_u32(layout, bytes + 4);
    record->timestamp = get_timestamp(layout, bytes + 8);
    if (record->type == DWTRACE_EXIT) {
        record->code = (int32_t)get_u32(layout, bytes + at);
        at += 4;
    }
    if (record->type == DWTRACE_DATA) {
        damage = parse_data(layout, bytes + at, available - at, overrun, record);
        *taken = at + 2 + record->bytes_length;
        return damage;
    }
    *taken = at;
    if (!layout->parameters) {
        return NULL;
    }
    if (available == at) {
        return overrun;
    }
    damage = dwtrace_parse_list(layout, bytes + at, available - at, overrun, record);
    *taken = at + record->bytes_length;
    return damage;
}

/* A record that says how long it is must hold just that. */
static const char *parse_measured(const struct dwtrace_layout *layout, const uint8_t *bytes,
                                  size_t available, struct dwtrace_record *record) {
    const char *damage;
    size_t taken;

    if (available < 3) {
        return dwtrace_truncated;
    }
    record->length = get_u16(layout, bytes + 1);
    if (record->length < 3) {
        return dwtrace_bad_length;
    }
    if (record->type == DWTRACE_WRAP) {
        return record->length <= available ? NULL : dwtrace_bad_wrap;
    }
    if (record->length <= available) {
        damage =
            parse_body(layout, bytes + 3, record->length - 3, dwtrace_bad_length, record, &taken);
    } else {
        damage = parse_body(layout, bytes + 3, available - 3, dwtrace_truncated, record, &taken);
    }
    return damage == NULL && taken != record->length - 3 ? dwtrace_bad_length : damage;
}

const char *dwtrace_parse_record(const struct dwtrace_layout *layout, const uint8_t *bytes,
                                 size_t available, struct dwtrace_record *record) {
    const char *damage;
    size_t taken;

    *record = (struct dwtrace_record){.type = (enum dwtrace_type)bytes[0]};
    if (bytes[0] < DWTRACE_ENTRY || bytes[0] > (layout->lengths ? DWTRACE_WRAP : DWTRACE_DATA)) {
        return dwtrace_bad_type;
    }
    if (layout->lengths) {
        return parse_measured(layout, bytes, available, record);
    }
    damage = parse_body(layout, bytes + 1, available - 1, dwtrace_truncated, record, &taken);
    if (damage == NULL) {
        record->length = 1 + taken;
    }
    /* A size of data that leads past the end is more often wrong than cut off. */
    return damage == dwtrace_truncated && record->bytes != NULL && record->type == DWTRACE_DATA
               ? dwtrace_data_overrun
               : damage;
}
