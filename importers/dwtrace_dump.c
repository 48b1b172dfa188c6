#include "dwtrace_dump.h"

#include <string.h>

#include "dwtrace_formatter.h"
#include "dwtrace_record.h"

/* The longest parameter whose value is known: ", POINTER not aligned". */
#define PARAMETER_TEXT 32

static char *put_string(char *at, const char *string) {
    size_t length = strlen(string);

    memcpy(at, string, length);
    return at + length;
}

static char *put_decimal(char *at, uint32_t number) {
    char digits[10];
    size_t begin = sizeof digits;

    do {
        digits[--begin] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    memcpy(at, digits + begin, sizeof digits - begin);
    return at + sizeof digits - begin;
}

static char *put_hex(char *at, uint32_t number) {
    int shift = 28;

    while (shift > 0 && number >> shift == 0) {
        shift -= 4;
    }
    for (*at++ = '0', *at++ = 'x'; shift >= 0; shift -= 4) {
        *at++ = "0123456789abcdef"[number >> shift & 15];
    }
    return at;
}

static char *put_value(char *at, unsigned type, const uint8_t *bytes, size_t size) {
    uint32_t number = 0;

    for (size_t i = 0; i < size; i++) {
        number |= (uint32_t)bytes[i] << 8 * i;
    }
    if (type == DWTRACE_POINTER || type == DWTRACE_STRUCT) {
        return put_hex(at, number);
    }
    if ((type == DWTRACE_INT8 || type == DWTRACE_INT16 || type == DWTRACE_INT32) && size > 0 &&
        number >> (8 * size - 1) != 0) {
        /* Minus the number, of as many bits as it has. */
        number = (0 - number) & (UINT32_MAX >> (32 - 8 * size));
        *at++ = '-';
    }
    return put_decimal(at, number);
}

/* A value that says what it is. */
static char *put_parameter(char *at, const struct dwtrace_parameter *parameter) {
    at = put_string(at, dwtrace_type_names[parameter->type]);
    if (parameter->control == DWTRACE_NULLPTR) {
        return put_string(at, " NULL");
    }
    if (parameter->control == DWTRACE_NOTALIGNED) {
        return put_string(at, " not aligned");
    }
    if (parameter->size > 0) {
        *at++ = ' ';
        at = put_value(at, parameter->type, parameter->value, parameter->size);
    }
    return at;
}

/* STRUCT Point {x=1, y=-2} */
static void append_structure(const struct dwtrace_structure *structure, const uint8_t *value,
                             struct text *out) {
    text_append_string(out, "STRUCT ");
    text_append_escaped(out, structure->name, strlen(structure->name));
    for (size_t i = 0; i < structure->field_count; i++) {
        const struct dwtrace_field *field = &structure->fields[i];
        size_t size = dwtrace_type_size(field->type);
        char *at;

        text_append_string(out, i == 0 ? " {" : ", ");
        text_append_escaped(out, field->name, strlen(field->name));
        text_append_char(out, '=');
        at = text_reserve(out, PARAMETER_TEXT);
        if (at == NULL) {
            return;
        }
        at = put_value(at, field->type, value, size);
        *at = '\0';
        out->length = (size_t)(at - out->bytes);
        value += size;
    }
    text_append_char(out, '}');
}

/* A value whose format control is the writer's own. Of a description of another size than what is
 * there, nothing is known. */
static void append_formatted(const struct dwtrace_settings *settings,
                             const struct dwtrace_parameter *parameter, struct text *out) {
    const struct dwtrace_structure *structure =
        parameter->type == DWTRACE_STRUCT ? dwtrace_structure(settings, parameter->control) : NULL;

    if (structure != NULL && structure->size == parameter->size) {
        append_structure(structure, parameter->value, out);
        return;
    }
    text_append_format(out, "%s format %u", dwtrace_type_names[parameter->type],
                       parameter->control);
    if (parameter->size > 0) {
        text_append_string(out, " hex:");
        text_append_hex(out, parameter->value, parameter->size);
    }
}

/* How parameters are shown. */
struct showing {
    const struct dwtrace_settings *settings;
    struct dwtrace_formatters *formatters; /* NULL: there are none */
};

static void append_parameter(const struct showing *showing,
                             const struct dwtrace_parameter *parameter, struct text *out) {
    size_t begin = out->length + strlen(dwtrace_type_names[parameter->type]) + 1;
    char *at;

    if (parameter->control >= DWTRACE_KNOWN_CONTROLS) {
        append_formatted(showing->settings, parameter, out);
    } else if ((at = text_reserve(out, PARAMETER_TEXT)) != NULL) {
        at = put_parameter(at, parameter);
        *at = '\0';
        out->length = (size_t)(at - out->bytes);
    }
    if (parameter->size > 0) {
        dwtrace_formatters_append(showing->formatters, parameter->type, begin, out);
    }
}

/* Appends a list of parameters as it lies in the database: how many, then each as
 * dwtrace_normalise_list() writes it. Returns its length. A database may hold anything: what is no
 * parameter is shown as `?` and ends the list. `out` may be NULL. */
static size_t append_list(const struct showing *showing, const uint8_t *bytes, size_t size,
                          struct text *out) {
    const struct dwtrace_layout layout = {
        .most_parameters = DWTRACE_MOST_PARAMETERS,
        .stored = true,
    };
    struct dwtrace_record list = {0};
    size_t at = 1;
    bool good =
        size > 0 && dwtrace_parse_list(&layout, bytes, size, dwtrace_truncated, &list) == NULL;

    if (out != NULL && list.parameters > 0) {
        text_append_char(out, '(');
        for (unsigned i = 0; good && i < list.parameters; i++) {
            struct dwtrace_parameter parameter;

            dwtrace_parse_parameter(&layout, bytes, size, "", &at, &parameter);
            text_append(out, ", ", i == 0 ? 0 : 2);
            append_parameter(showing, &parameter, out);
        }
        text_append_string(out, good ? ")" : "?)");
    }
    return good ? list.bytes_length : size;
}

/* Hex digits in groups of four bytes, then what of them is printable ASCII. */
static void append_data(const uint8_t *bytes, size_t size, struct text *out) {
    char *at;

    text_append_char(out, ' ');
    text_append_integer(out, (int64_t)size);
    text_append_string(out, size == 1 ? " byte" : " bytes");
    at = text_reserve(out, size * 4 + 8);
    if (at == NULL || size == 0) {
        return;
    }
    *at++ = ':';
    for (size_t i = 0; i < size; i++) {
        if (i % 4 == 0) {
            *at++ = ' ';
        }
        *at++ = "0123456789abcdef"[bytes[i] >> 4];
        *at++ = "0123456789abcdef"[bytes[i] & 15];
    }
    at = put_string(at, " |");
    for (size_t i = 0; i < size; i++) {
        *at++ = bytes[i] >= 0x20 && bytes[i] < 0x7F ? (char)bytes[i] : '.';
    }
    at = put_string(at, "|");
    *at = '\0';
    out->length = (size_t)(at - out->bytes);
}

void dwtrace_dump_span(const struct dump_event *dump, enum dump_moment moment, struct text *out) {
    const uint8_t *bytes = dump->event.arguments;
    const struct showing showing = {
        .settings =
            dump->config == NULL ? dwtrace_section.defaults : dwtrace_settings(dump->config),
        .formatters = dump->state,
    };
    size_t size = bytes == NULL ? 0 : dump->arguments_size, entry;

    if (moment == DUMP_DATA) {
        append_data(bytes, size, out);
        return;
    }
    if (moment == DUMP_ENTRY) {
        append_list(&showing, bytes, size, out);
        return;
    }
    if (dump->event.value != EVENT_NONE) {
        text_append_string(out, " = ");
        text_append_integer(out, dump->event.value);
    }
    /* That of the exit is the second one; a stray exit has no other. */
    entry = dump->event.flags & SPAN_STRAY_EXIT ? 0 : append_list(&showing, bytes, size, NULL);
    if (entry < size && bytes[entry] > 0) {
        text_append_char(out, ' ');
        append_list(&showing, bytes + entry, size - entry, out);
    }
}

bool dwtrace_begin_dump(const struct config *config, void **state, struct error *error) {
    (void)error;
    *state = dwtrace_formatters_open(config);
    return true;
}

void dwtrace_end_dump(void *state) {
    dwtrace_formatters_close(state);
}
