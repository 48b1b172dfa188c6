/* What the configuration says of dwTrace logs: how they are written, and the names of components
 * and functions. */
#ifndef TRACETOOL_DWTRACE_SETTINGS_H
#define TRACETOOL_DWTRACE_SETTINGS_H

#include "base/text.h"
#include "config/config.h"
#include "config/section.h"

#define DWTRACE_HEADER_SIZE 16 /* bytes */
#define DWTRACE_MOST_HEADER 4096
#define DWTRACE_MOST_HZ     INT64_C(1000000000000)

enum dwtrace_parameter_type {
    DWTRACE_UINT8 = 1,
    DWTRACE_INT8,
    DWTRACE_BOOL,
    DWTRACE_UINT16,
    DWTRACE_INT16,
    DWTRACE_UINT32,
    DWTRACE_INT32,
    DWTRACE_POINTER,
    DWTRACE_STRUCT,
    DWTRACE_TRUE, /* no value follows: the type says it */
    DWTRACE_FALSE,
    DWTRACE_TYPES
};

/* What a type is called: "UINT8", …; by number, "" for 0. */
extern const char *const dwtrace_type_names[DWTRACE_TYPES];

/* Bytes of a value of the type. */
size_t dwtrace_type_size(unsigned type);

enum {
    DWTRACE_KNOWN_CONTROLS = 3,   /* format controls from here on are the writer's own */
    DWTRACE_MOST_STRUCTURE = 128, /* bytes */
};

struct dwtrace_field {
    char *name;
    unsigned type;
};

/* What a parameter of type STRUCT holds when its format control is this number: fields, one behind
 * the other without padding, in the byte order of the log. */
struct dwtrace_structure {
    unsigned number; /* DWTRACE_KNOWN_CONTROLS to 255 */
    char *name;
    struct dwtrace_field *fields;
    size_t field_count;
    size_t size; /* bytes, 1 to DWTRACE_MOST_STRUCTURE */
};

enum dwtrace_byte_order { DWTRACE_BY_MAGIC, DWTRACE_LITTLE_ENDIAN, DWTRACE_BIG_ENDIAN };

/* `dwtrace:` what a writer of such logs may do differently. */
struct dwtrace_settings {
    enum dwtrace_byte_order byte_order;
    int64_t component_bits; /* of the 32 of a function, the number of its component, from the top */
    int64_t timestamp_bits; /* 0 (none), 32 or 64; -1: the header tells */
    int64_t clock_hz;       /* counter units a second; 0: not known */
    int64_t header_size;    /* bytes, DWTRACE_HEADER_SIZE to DWTRACE_MOST_HEADER */
    struct dwtrace_structure *structures;
    size_t structure_count;
};

extern const struct config_section dwtrace_section, dwtrace_components_section;

/* Borrowed from the configuration. */
static inline const struct dwtrace_settings *dwtrace_settings(const struct config *config) {
    return config_value(config, &dwtrace_section);
}

/* What a format control means for a STRUCT; NULL: it is not described. Borrowed. */
const struct dwtrace_structure *dwtrace_structure(const struct dwtrace_settings *settings,
                                                  unsigned control);

/* Whether `components:` names anything. */
bool dwtrace_has_components(const struct config *config);

/* The name of a component, NULL when it has none. Borrowed from `config`. */
const char *dwtrace_component_name(const struct config *config, uint32_t number);

/* Appends the name of a function as it is shown: behind that of its component (or the hex digits of
 * its number) and a colon when a function of another component has the same. False, and nothing is
 * appended, when it has none. */
bool dwtrace_function_name(const struct config *config, uint32_t component, uint32_t function,
                           struct text *out);

#endif
