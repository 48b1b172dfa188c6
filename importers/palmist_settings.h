/* What the configuration says of Palmist logs. */
#ifndef TRACETOOL_PALMIST_SETTINGS_H
#define TRACETOOL_PALMIST_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "config/config.h"
#include "config/section.h"
#include "import/importer.h"

/* A range of trap IDs, both ends included; traps may also be given by name. */
struct palmist_trap {
    uint16_t first, last; /* when name is NULL */
    const char *name;
    const char *reason; /* why it is not logged; NULL: not said */
};

struct palmist_traps {
    struct palmist_trap *traps;
    size_t count;
    bool given; /* an empty list counts, too */
};

/* `palmist: { loggable: [...], not_logged: [...] or { reason: [...], ... }, record_size: N }` */
struct palmist_settings {
    struct palmist_traps loggable; /* the whole set of instrumented traps; not given: the default */
    struct palmist_traps not_logged;
    int64_t record_size; /* bytes; 0: found out by walking */
};

extern const struct config_section palmist_section;

/* Borrowed from the configuration. */
static inline const struct palmist_settings *palmist_settings(const struct config *config) {
    return config_value(config, &palmist_section);
}

/* --- traps that can be logged ------------------------------------------------------------------
 */

/* As struct importer wants it: calls `add` with the number of each trap that `config` lets be
 * logged. */
bool palmist_loggable_traps(const struct config *config, bool (*add)(void *context, int64_t code),
                            void *context, bool *by_default, struct error *error);

/* Likewise: calls `add` with each trap of palmos.table, in order of their numbers. Why one may be
 * missing among those that can be logged is, the first that holds: what the configuration says
 * under not_logged; that the logger itself needs it; that it came after Palm OS 3.5; that its
 * number is reserved; that it is obsolete; that only late builds have it; that its prototype is not
 * known; that the configuration does not list it. */
bool palmist_known_traps(const struct config *config, known_operation_visit *add, void *context,
                         struct error *error);

#endif
