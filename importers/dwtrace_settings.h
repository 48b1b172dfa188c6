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

enum dwtrace_byte_order { DWTRACE_BY_MAGIC, DWTRACE_LITTLE_ENDIAN, DWTRACE_BIG_ENDIAN };

/* `dwtrace:` what a writer of such logs may do differently. */
struct dwtrace_settings {
    int64_t byte_order;     /* enum dwtrace_byte_order */
    int64_t component_bits; /* of the 32 of a function, the number of its component, from the top */
    int64_t timestamp_bits; /* 0 (none), 32 or 64; -1: the header tells */
    int64_t clock_hz;       /* counter units a second; 0: not known */
    int64_t header_size;    /* bytes, DWTRACE_HEADER_SIZE to DWTRACE_MOST_HEADER */
};

extern const struct config_section dwtrace_section, dwtrace_components_section;

/* Borrowed from the configuration. */
static inline const struct dwtrace_settings *dwtrace_settings(const struct config *config) {
    return config_value(config, &dwtrace_section);
}

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
