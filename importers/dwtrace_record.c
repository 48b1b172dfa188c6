#include "dwtrace_record.h"

#include <string.h>

#include "input/bytes.h"

enum flags { HAS_TIMESTAMP = 1, HAS_PARAMETERS = 2, HAS_LENGTH = 4, TIMESTAMP_64 = 8, FLAGS = 15 };

const char dwtrace_bad_type[] = "unknown record type";
const char dwtrace_bad_length[] = "length differs from the record's contents";
const char dwtrace_bad_parameter[] = "unknown parameter type";
const char dwtrace_bad_control[] = "unknown format control of a parameter";
const char dwtrace_data_overrun[] = "data cut short by the end of the file, or of a wrong size";
const char dwtrace_truncated[] = "cut short by the end of the file";
const char dwtrace_bad_wrap[] = "wrap record points past the end of the file";

/* --- numbers ---------------------------------------------------------------------------------- */

static uint64_t get_timestamp(const struct dwtrace_layout *layout, const uint8_t *bytes) {
    return layout->timestamp_size == 0  ? 0
           : layout->timestamp_size < 8 ? bytes_u32(bytes, layout->big_endian)
                                        : bytes_u64(bytes, layout->big_endian);
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
        .settings = settings,
    };
    flags = bytes_u16(bytes + 6, layout->big_endian);
    layout->version = bytes_u16(bytes + 4, layout->big_endian);
    layout->unknown_flags = flags & ~(unsigned)FLAGS;
    layout->parameters = flags & HAS_PARAMETERS;
    layout->lengths = flags & HAS_LENGTH;
    layout->timestamp_size = !(flags & HAS_TIMESTAMP) ? 0 : flags & TIMESTAMP_64 ? 8 : 4;
    if (settings->timestamp_bits >= 0) {
        layout->timestamp_size = (unsigned)settings->timestamp_bits / 8;
    }
    layout->process = bytes_u32(bytes + 8, layout->big_endian);
    layout->maximum = bytes_u32(bytes + 12, layout->big_endian);
    return dwtrace_is_magic(bytes, DWTRACE_HEADER_SIZE);
}

/* --- parameters ------------------------------------------------------------------------------- */

static const struct dwtrace_structure *find_structure(const struct dwtrace_layout *layout,
                                                      unsigned type, unsigned control) {
    return layout->settings == NULL || type != DWTRACE_STRUCT
               ? NULL
               : dwtrace_structure(layout->settings, control);
}

/* Returns the size of a value in the log. */
static size_t value_size(const struct dwtrace_layout *layout, unsigned type, unsigned control) {
    const struct dwtrace_structure *structure;

    if (control == DWTRACE_NULLPTR || control == DWTRACE_NOTALIGNED) {
        return 0;
    }
    structure = find_structure(layout, type, control);
    return structure == NULL ? dwtrace_type_size(type) : structure->size;
}

const char *dwtrace_parse_parameter(const struct dwtrace_layout *layout, const uint8_t *bytes,
                                    size_t available, const char *overrun, size_t *at,
                                    struct dwtrace_parameter *parameter) {
    if (available - *at < 2) {
        return overrun;
    }
    *parameter = (struct dwtrace_parameter){.type = bytes[*at], .control = bytes[*at + 1]};
    *at += 2;
    if (parameter->type == 0 || parameter->type >= DWTRACE_TYPES) {
        return dwtrace_bad_parameter;
    }
    if (parameter->control < DWTRACE_KNOWN_CONTROLS || !layout->stored) {
        parameter->size = value_size(layout, parameter->type, parameter->control);
    } else if (available - *at < 2) {
        return overrun;
    } else {
        parameter->size = bytes_u16_little(bytes + *at);
        *at += 2;
    }
    if (parameter->control >= DWTRACE_KNOWN_CONTROLS && layout->only_known &&
        find_structure(layout, parameter->type, parameter->control) == NULL) {
        return dwtrace_bad_control;
    }
    if (available - *at < parameter->size) {
        return overrun;
    }
    parameter->value = bytes + *at;
    *at += parameter->size;
    return NULL;
}

const char *dwtrace_parse_list(const struct dwtrace_layout *layout, const uint8_t *bytes,
                               size_t available, const char *overrun,
                               struct dwtrace_record *record) {
    size_t at = 1;

    record->bytes = bytes;
    record->parameters = bytes[0];
    record->size = 0;
    record->as_stored = layout->stored || !layout->big_endian;
    if (record->parameters > layout->most_parameters) {
        return dwtrace_bad_parameter;
    }
    for (unsigned i = 0; i < record->parameters; i++) {
        struct dwtrace_parameter parameter;
        const char *damage =
            dwtrace_parse_parameter(layout, bytes, available, overrun, &at, &parameter);

        if (damage != NULL) {
            return damage;
        }
        record->size += (uint32_t)parameter.size;
        record->as_stored &= layout->stored || parameter.control < DWTRACE_KNOWN_CONTROLS;
    }
    record->bytes_length = (uint32_t)at;
    return NULL;
}

/* Converts a number of the log to little-endian. */
static void normalise_number(const struct dwtrace_layout *layout, const uint8_t *number,
                             size_t size, uint8_t *normal) {
    for (size_t byte = 0; byte < size; byte++) {
        normal[byte] = number[layout->big_endian ? size - 1 - byte : byte];
    }
}

/* Converts a value. If its fields are not described, copies the bytes. */
static void normalise_value(const struct dwtrace_layout *layout,
                            const struct dwtrace_parameter *parameter, uint8_t *normal) {
    const struct dwtrace_structure *structure =
        find_structure(layout, parameter->type, parameter->control);
    size_t at = 0;

    if (parameter->size == 0) {
        return;
    }
    if (parameter->control < DWTRACE_KNOWN_CONTROLS) {
        normalise_number(layout, parameter->value, parameter->size, normal);
        return;
    }
    memcpy(normal, parameter->value, parameter->size);
    for (size_t i = 0; structure != NULL && i < structure->field_count; i++) {
        size_t size = dwtrace_type_size(structure->fields[i].type);

        normalise_number(layout, parameter->value + at, size, normal + at);
        at += size;
    }
}

size_t dwtrace_normalise_list(const struct dwtrace_layout *layout,
                              const struct dwtrace_record *record, uint8_t *list) {
    size_t from = 1, to = 1;

    list[0] = record->bytes[0];
    for (unsigned i = 0; i < record->parameters; i++) {
        struct dwtrace_parameter parameter;

        dwtrace_parse_parameter(layout, record->bytes, record->bytes_length, "", &from, &parameter);
        list[to++] = (uint8_t)parameter.type;
        list[to++] = (uint8_t)parameter.control;
        if (parameter.control >= DWTRACE_KNOWN_CONTROLS) {
            list[to++] = (uint8_t)parameter.size;
            list[to++] = (uint8_t)(parameter.size >> 8);
        }
        normalise_value(layout, &parameter, list + to);
        to += parameter.size;
    }
    return to;
}

/* --- records ---------------------------------------------------------------------------------- */

static const char *parse_data(const struct dwtrace_layout *layout, const uint8_t *bytes,
                              size_t available, const char *overrun,
                              struct dwtrace_record *record) {
    if (available < 2) {
        return overrun;
    }
    record->bytes = bytes + 2;
    record->size = record->bytes_length = bytes_u16(bytes, layout->big_endian);
    return record->size <= available - 2 ? NULL : overrun;
}

/* Parses the part after the length; at most `available` bytes may be used. `*taken` is the number
 * used, if it is good. */
static const char *dwtrace_record_parse_body(const struct dwtrace_layout *layout,
                                             const uint8_t *bytes, size_t available,
                                             const char *overrun, struct dwtrace_record *record,
                                             size_t *taken) {
    size_t at = 8 + layout->timestamp_size;
    const char *damage;

    if (available < at + (record->type == DWTRACE_EXIT ? 4 : 0)) {
        return overrun;
    }
    record->function = bytes_u32(bytes, layout->big_endian);
    record->thread = bytes_u32(bytes + 4, layout->big_endian);
    record->timestamp = get_timestamp(layout, bytes + 8);
    if (record->type == DWTRACE_EXIT) {
        record->code = (int32_t)bytes_u32(bytes + at, layout->big_endian);
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

/* Parses a record with a length; its contents must have exactly that length. */
static const char *parse_measured(const struct dwtrace_layout *layout, const uint8_t *bytes,
                                  size_t available, struct dwtrace_record *record) {
    const char *damage;
    size_t taken;

    if (available < 3) {
        return dwtrace_truncated;
    }
    record->length = bytes_u16(bytes + 1, layout->big_endian);
    if (record->length < 3) {
        return dwtrace_bad_length;
    }
    if (record->type == DWTRACE_WRAP) {
        return record->length <= available ? NULL : dwtrace_bad_wrap;
    }
    if (record->length <= available) {
        damage = dwtrace_record_parse_body(layout, bytes + 3, record->length - 3,
                                           dwtrace_bad_length, record, &taken);
    } else {
        damage = dwtrace_record_parse_body(layout, bytes + 3, available - 3, dwtrace_truncated,
                                           record, &taken);
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
    damage = dwtrace_record_parse_body(layout, bytes + 1, available - 1, dwtrace_truncated, record,
                                       &taken);
    if (damage == NULL) {
        record->length = 1 + taken;
    }
    /* A data size beyond the end is more often damage than truncation. */
    return damage == dwtrace_truncated && record->bytes != NULL && record->type == DWTRACE_DATA
               ? dwtrace_data_overrun
               : damage;
}
