/* Configuration for Palmist logs. */
#ifndef TRACETOOL_PALMIST_SETTINGS_H
#define TRACETOOL_PALMIST_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "config/config.h"
#include "config/section.h"
#include "import/importer.h"

/* A range of trap IDs, both ends included; traps may also be given by name. */
struct palmist_trap {
    uint16_t first, last; /* first and last trap ID, if `name` is NULL */
    const char *name;
    const char *reason; /* why these Palm OS calls (traps) are not logged; NULL: not known */
};

struct palmist_traps {
    struct palmist_trap *traps;
    size_t count;
    bool given; /* the list is configured, even if empty */
};

/* `palmist: { loggable: [...], not_logged: [...] or { reason: [...], ... }, record_size: N }` */
struct palmist_settings {
    struct palmist_traps loggable; /* all instrumented traps; if not given, the default */
    struct palmist_traps not_logged;
    int64_t record_size; /* bytes; 0: detected by walking */
};

extern const struct config_section palmist_section;

/* Returns the settings, borrowed from the configuration. */
static inline const struct palmist_settings *palmist_settings(const struct config *config) {
    return config_value(config, &palmist_section);
}

/* --- traps that can be logged ----------------------------------------------------------------- */

/* For struct importer: calls `add` with the number of each trap that can be logged according to
 * `config`. */
bool palmist_loggable_traps(const struct config *config, bool (*add)(void *context, int64_t code),
                            void *context, bool *by_default, struct error *error);

/* For struct importer: calls `add` with each trap of palmos.table, by ascending number. Gives the
 * first reason that applies for a trap that cannot be logged: listed under not_logged in the
 * configuration; needed by the logger itself; introduced after Palm OS 3.5; reserved number;
 * obsolete; only in late builds; prototype unknown; not listed in the configuration. */
bool palmist_known_traps(const struct config *config, known_operation_visit *add, void *context,
                         struct error *error);

#endif
