#include "base/search.h"
#include "palmos.h"
#include "syscalls.h"

#include <string.h>

#define ADDRESS_SIZE 4

/* Maximum interpretations of a call's arguments that are tried: all plausible ones are fewer, and
 * malicious logs could have very many. */
#define MAX_STEPS 512

/* Latest release of Palm OS that the Palmist logger supports: 3.5. */
#define LOGGER_RELEASE 35

/* ---- lookup ---- */

const struct palmos_trap *palmos_trap_find(uint16_t id) {
    size_t low = 0;
    size_t high = palmos_trap_count;

    SEARCH(low, high, middle, palmos_traps[middle].id < id);
    return low < palmos_trap_count && palmos_traps[low].id == id ? &palmos_traps[low] : NULL;
}

/* Compares names like strcmp(). `wanted`, of `length` bytes, is unterminated and may have NULs. */
static int palmos_compare_name(const char *name, const char *wanted, size_t length) {
    size_t own = strlen(name);
    int order = memcmp(name, wanted, own < length ? own : length);

    return order != 0 ? order : (own > length) - (own < length);
}

/* Returns the index of a name's first entry in palmos_names; palmos_name_count: none. */
static size_t first_trap_of_name(const char *name, size_t length) {
    size_t low = 0;
    size_t high = palmos_name_count;

    SEARCH(low, high, middle, palmos_compare_name(palmos_names[middle].name, name, length) < 0);
    return low;
}

/* Returns the trap with the given name; of several, the lowest ID that is at least `least`. */
static const struct palmos_trap *palmos_find_name(const char *name, size_t length, uint32_t least) {
    for (size_t i = first_trap_of_name(name, length);
         i < palmos_name_count && palmos_compare_name(palmos_names[i].name, name, length) == 0;
         i++) {
        const struct palmos_trap *trap = &palmos_traps[palmos_names[i].trap];

        if (trap->id >= least) {
            return trap;
        }
    }
    return NULL;
}

const struct palmos_trap *palmos_trap_by_name(const char *name, size_t length) {
    return palmos_find_name(name, length, 0);
}

const struct palmos_trap *palmos_trap_next_by_name(const struct palmos_trap *previous,
                                                   const char *name, size_t length) {
    return palmos_find_name(name, length, (uint32_t)previous->id + 1);
}

const char *palmos_trap_name(const struct palmos_trap *trap) {
    return trap->name_sdk35 != NULL ? trap->name_sdk35 : trap->name;
}

unsigned palmos_trap_release(const struct palmos_trap *trap) {
    return trap->since;
}

bool palmos_trap_loggable_by_default(const struct palmos_trap *trap) {
    return trap->since <= LOGGER_RELEASE && (trap->flags & PALMOS_UNLOGGED) == 0;
}

/* --- showing values --------------------------------------------------------------------------- */

static uint32_t palmos_read_number(const uint8_t *bytes, size_t width) {
    uint32_t value = 0;

    for (size_t i = 0; i < width; i++) {
        value = value << 8 | bytes[i];
    }
    return value;
}

/* Reads a bit-field, which may begin and end at any bit; bit 0 is the highest one of its byte. */
static uint32_t palmos_read_bits(const uint8_t *bytes, size_t first, size_t count) {
    uint32_t value = 0;

    for (size_t i = first; i < first + count; i++) {
        value = value << 1 | (bytes[i / 8] >> (7 - i % 8) & 1u);
    }
    return value;
}

static int64_t sign_extend(uint32_t value, size_t width) {
    int64_t range = (int64_t)1 << (8 * width);

    return value < range / 2 ? (int64_t)value : (int64_t)value - range;
}

static void palmos_append_address(struct text *out, const uint8_t *bytes) {
    text_append(out, "0x", 2);
    text_append_hex(out, bytes, ADDRESS_SIZE);
}

static void append_members(struct text *out, const struct palmos_struct *structure,
                           const uint8_t *bytes);

/* Appends the text of an element (a single value, or an array's item) of `width` bytes. */
static void palmos_append_element(struct text *out, const struct palmos_field *field,
                                  const uint8_t *bytes, size_t width) {
    switch ((enum palmos_kind)field->kind) {
    case PALMOS_UNSIGNED:
        text_append_integer(out, palmos_read_number(bytes, width));
        break;
    case PALMOS_SIGNED:
        text_append_integer(out, sign_extend(palmos_read_number(bytes, width), width));
        break;
    case PALMOS_BOOLEAN:
        if (bytes[0] <= 1) {
            text_append_string(out, bytes[0] == 1 ? "true" : "false");
        } else {
            text_append_integer(out, bytes[0]);
        }
        break;
    case PALMOS_ADDRESS:
        palmos_append_address(out, bytes);
        break;
    case PALMOS_STRING:
    case PALMOS_CHARS:
        syscalls_append_quoted(
            out, (struct word){(const char *)bytes, strnlen((const char *)bytes, width)});
        break;
    case PALMOS_BYTES:
    case PALMOS_REST:
        text_append(out, "0x", 2);
        text_append_hex(out, bytes, width);
        break;
    case PALMOS_STRUCT:
        append_members(out, field->structure, bytes);
        break;
    }
}

/* Appends the text of a field's value, which has `size` bytes: one element or an array. */
static void palmos_append_value(struct text *out, const struct palmos_field *field,
                                const uint8_t *bytes, size_t size) {
    if (field->count == 0) {
        palmos_append_element(out, field, bytes, size);
        return;
    }
    text_append_char(out, '[');
    for (size_t i = 0; i < field->count; i++) {
        text_append_string(out, i == 0 ? "" : ", ");
        palmos_append_element(out, field, bytes + i * field->width, field->width);
    }
    text_append_char(out, ']');
}

static size_t field_size(const struct palmos_field *field) {
    return (size_t)field->width * (field->count == 0 ? 1 : field->count);
}

static void palmos_append_name(struct text *out, const char *name) {
    text_append_string(out, name);
    text_append_char(out, '=');
}

/* Appends a structure's members. The recursion ends, as a structure contains only structures
 * declared earlier. */
static void append_members(struct text *out, const struct palmos_struct *structure,
                           const uint8_t *bytes) {
    text_append_char(out, '{');
    for (size_t i = 0; i < structure->member_count; i++) {
        const struct palmos_field *member = &structure->members[i];
        const uint8_t *start = bytes + member->offset;

        text_append_string(out, i == 0 ? "" : ", ");
        palmos_append_name(out, member->name);
        if (member->bits > 0) {
            text_append_integer(out, palmos_read_bits(start, member->bit, member->bits));
        } else {
            palmos_append_value(out, member, start, field_size(member));
        }
    }
    text_append_char(out, '}');
}

/* --- positions of arguments in the logged bytes ----------------------------------------------- */

/* State of assigning the argument bytes of a call to its parameters. */
struct placement {
    const struct palmos_field *parameters;
    size_t count;
    const uint8_t *bytes;
    size_t size;
    unsigned steps_left;
    /* For each parameter: minimum and maximum bytes that it and all later parameters take in sum.
     * The search stops early if the bytes left are fewer or more. */
    size_t least[PALMOS_MAX_PARAMETERS + 1];
    size_t most[PALMOS_MAX_PARAMETERS + 1];
    /* Result: parameter i takes the bytes from start[i] to start[i + 1]. */
    size_t start[PALMOS_MAX_PARAMETERS + 1];
    bool is_address[PALMOS_MAX_PARAMETERS];
};

/* Returns whether an argument may be stored as a 4-byte address instead of its value. */
static bool may_be_address(const struct palmos_field *field) {
    return field->kind == PALMOS_STRING || (field->by_address && field_size(field) != ADDRESS_SIZE);
}

static size_t least_field_size(const struct palmos_field *field) {
    size_t size = field->kind == PALMOS_STRING ? 1 : field_size(field);

    return may_be_address(field) && size > ADDRESS_SIZE ? ADDRESS_SIZE : size;
}

static size_t largest_field_size(const struct palmos_field *field, size_t all) {
    size_t size = field_size(field);

    if (field->kind == PALMOS_STRING || field->kind == PALMOS_REST) {
        return all;
    }
    return may_be_address(field) && size < ADDRESS_SIZE ? ADDRESS_SIZE : size;
}

/* Returns how many bytes an argument's value takes; more than `left` if the bytes end within it. */
static size_t stored_size(const struct palmos_field *field, const uint8_t *bytes, size_t left) {
    const uint8_t *end;

    if (field->kind == PALMOS_REST) {
        return left;
    }
    if (field->kind != PALMOS_STRING) {
        return field_size(field);
    }
    end = left > 0 ? memchr(bytes, '\0', left) : NULL;
    return end == NULL ? left + 1 : (size_t)(end - bytes) + 1;
}

static bool place_parameters_from(struct placement *placement, size_t index);

/* Assigns the next `size` bytes to a parameter, then places the parameters after it. */
static bool place_parameter_bytes(struct placement *placement, size_t index, size_t size,
                                  bool is_address) {
    if (placement->steps_left == 0 || size > placement->size - placement->start[index]) {
        return false;
    }
    placement->steps_left--;
    placement->is_address[index] = is_address;
    placement->start[index + 1] = placement->start[index] + size;
    return place_parameters_from(placement, index + 1);
}

/* Places the parameters from `index` on. Recurses once per parameter, at most PALMOS_MAX_PARAMETERS
 * deep. */
static bool place_parameters_from(struct placement *placement, size_t index) {
    size_t left = placement->size - placement->start[index];
    const struct palmos_field *field;

    if (left < placement->least[index] || left > placement->most[index]) {
        return false;
    }
    if (index == placement->count) {
        return true;
    }
    field = &placement->parameters[index];
    return place_parameter_bytes(
               placement, index,
               stored_size(field, placement->bytes + placement->start[index], left), false) ||
           (may_be_address(field) && place_parameter_bytes(placement, index, ADDRESS_SIZE, true));
}

static bool palmos_place(struct placement *placement, const struct palmos_field *parameters,
                         size_t count, const uint8_t *bytes, size_t size) {
    *placement = (struct placement){.parameters = parameters,
                                    .count = count,
                                    .bytes = bytes,
                                    .size = size,
                                    .steps_left = MAX_STEPS};
    for (size_t i = count; i-- > 0;) {
        placement->least[i] = placement->least[i + 1] + least_field_size(&parameters[i]);
        placement->most[i] = placement->most[i + 1] + largest_field_size(&parameters[i], size);
    }
    return place_parameters_from(placement, 0);
}

static void append_placed_parameters(struct text *out, const struct placement *placement,
                                     const char *between) {
    for (size_t i = 0; i < placement->count; i++) {
        const struct palmos_field *field = &placement->parameters[i];
        const uint8_t *bytes = placement->bytes + placement->start[i];
        size_t size = placement->start[i + 1] - placement->start[i];

        if (field->kind == PALMOS_REST && size == 0) {
            continue;
        }
        text_append_string(out, between);
        palmos_append_name(out, field->name);
        if (placement->is_address[i]) {
            palmos_append_address(out, bytes);
        } else {
            palmos_append_value(out, field, bytes, size);
        }
        between = ", ";
    }
}

/* Decodes the arguments of a function called through a dispatcher trap: the first argument is the
 * selector. If a selector has two functions, takes the first one whose parameters fit the bytes. */
static bool decode_selected(const struct palmos_trap *trap, const uint8_t *bytes, size_t size,
                            struct text *out) {
    struct placement placement;

    if ((trap->flags & PALMOS_ON_STACK) == 0 || size < 2) {
        return false;
    }
    for (size_t i = 0; i < trap->selector_count; i++) {
        const struct palmos_selector *selector = &trap->selectors[i];

        if (selector->number == palmos_read_number(bytes, 2) &&
            palmos_place(&placement, selector->parameters, selector->parameter_count, bytes + 2,
                         size - 2)) {
            palmos_append_name(out, "selector");
            text_append_string(out, selector->name);
            append_placed_parameters(out, &placement, ", ");
            return true;
        }
    }
    return false;
}

static bool decode_trap_arguments(const struct palmos_trap *trap, const uint8_t *bytes, size_t size,
                                  struct text *out) {
    struct placement placement;

    if ((trap->flags & PALMOS_PROTOTYPE) == 0 ||
        !palmos_place(&placement, trap->parameters, trap->parameter_count, bytes, size)) {
        return false;
    }
    append_placed_parameters(out, &placement, "");
    return true;
}

bool palmos_decode_arguments(uint16_t trap, const uint8_t *bytes, size_t size, struct text *out) {
    const struct palmos_trap *known = palmos_trap_find(trap);

    if (size == 0 || (known != NULL && (decode_selected(known, bytes, size, out) ||
                                        decode_trap_arguments(known, bytes, size, out)))) {
        return true;
    }
    text_append_string(out, "hex:");
    text_append_hex(out, bytes, size);
    return false;
}
