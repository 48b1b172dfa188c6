/* Configuration for dwTrace logs: their layout, and the names of components and functions. */
#ifndef TRACETOOL_DWTRACE_SETTINGS_H
#define TRACETOOL_DWTRACE_SETTINGS_H

#include "base/text.h"
#include "config/config.h"
#include "config/section.h"

#define DWTRACE_HEADER_SIZE 16 /* bytes of a log's header; the configuration may set more */
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
    DWTRACE_TRUE, /* this type and the next are values themselves: no bytes follow */
    DWTRACE_FALSE,
    DWTRACE_TYPES
};

/* Names of types by number: "UINT8", …; "" for 0. */
extern const char *const dwtrace_type_names[DWTRACE_TYPES];

/* Returns the number of bytes that a value of the type has. */
size_t dwtrace_type_size(unsigned type);

enum {
    DWTRACE_KNOWN_CONTROLS = 3,   /* least number of a format control that the log's writer defines;
                                     dwTrace defines the lower ones */
    DWTRACE_MOST_STRUCTURE = 128, /* maximum bytes of a structure */
};

struct dwtrace_field {
    char *name;
    unsigned type;
};

/* Contents of a STRUCT parameter with this format control: consecutive fields without padding, in
 * the byte order of the log. */
struct dwtrace_structure {
    unsigned number; /* format control, DWTRACE_KNOWN_CONTROLS to 255 */
    char *name;
    struct dwtrace_field *fields;
    size_t field_count;
    size_t size; /* bytes of the structure, 1 to DWTRACE_MOST_STRUCTURE */
};

enum dwtrace_byte_order { DWTRACE_BY_MAGIC, DWTRACE_LITTLE_ENDIAN, DWTRACE_BIG_ENDIAN };

/* The section `dwtrace:` of the configuration: options of the program that wrote the log. */
struct dwtrace_settings {
    enum dwtrace_byte_order byte_order;
    int64_t component_bits; /* how many of a function's 32 bits, from the top, are its component */
    int64_t timestamp_bits; /* bits of a timestamp: 0 (none), 32 or 64; -1: the header decides */
    int64_t clock_hz;       /* frequency of the clock, counter units per second; 0: unknown */
    int64_t header_size;    /* bytes of the header, DWTRACE_HEADER_SIZE to DWTRACE_MOST_HEADER */
    struct dwtrace_structure *structures;
    size_t structure_count;
};

extern const struct config_section dwtrace_section, dwtrace_components_section;

/* Returns the settings, borrowed from the configuration. */
static inline const struct dwtrace_settings *dwtrace_settings(const struct config *config) {
    return config_value(config, &dwtrace_section);
}

/* Returns the configured structure of STRUCT parameters with the format control `control`; NULL if
 * none is configured. The structure belongs to the settings. */
const struct dwtrace_structure *dwtrace_structure(const struct dwtrace_settings *settings,
                                                  unsigned control);

/* Returns whether the configuration names any component, in `components:`. */
bool dwtrace_has_components(const struct config *config);

/* Returns the name of a component; NULL if it has none. Borrowed from `config`. */
const char *dwtrace_component_name(const struct config *config, uint32_t number);

/* Appends a function's name for display. If functions of several components have the name, the
 * component's name (or number in hex digits) and a colon precede it. Returns false, appending
 * nothing, if the function has no name. */
bool dwtrace_function_name(const struct config *config, uint32_t component, uint32_t function,
                           struct text *out);

#endif
