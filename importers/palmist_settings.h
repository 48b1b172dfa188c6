/* The section `palmist` of the configuration: options for Palmist logs. */
#ifndef TRACETOOL_PALMIST_SETTINGS_H
#define TRACETOOL_PALMIST_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "config/config.h"
#include "config/section.h"
#include "import/importer.h"

/* A range of Palm OS calls (traps) by their IDs, both ends included; or a single trap by name. */
struct palmist_trap {
    uint16_t first, last; /* first and last trap ID of a range; unused if `name` is set */
    const char *name;
    const char *reason; /* why the traps are not logged; NULL: no reason is configured */
};

struct palmist_traps {
    struct palmist_trap *traps;
    size_t count;
    bool given; /* true: the list is in the configuration, though it may be empty */
};

/* `palmist: { loggable: [...], not_logged: [...] or { reason: [...], ... }, record_size: N }` of
 * the configuration. */
struct palmist_settings {
    struct palmist_traps loggable; /* traps that can be logged; by default most up to Palm OS 3.5 */
    struct palmist_traps not_logged;
    int64_t record_size; /* bytes of a record in raw files; 0: detected when reading the file */
};

extern const struct config_section palmist_section;

/* Returns the settings, borrowed from the configuration. */
static inline const struct palmist_settings *palmist_settings(const struct config *config) {
    return config_value(config, &palmist_section);
}

/* --- traps that can be logged ----------------------------------------------------------------- */

/* Implements loggable() of struct importer: calls `add` with the number of each trap that can be
 * logged according to `config`. */
bool palmist_visit_loggable(const struct config *config, bool (*add)(void *context, int64_t code),
                            void *context, bool *by_default, struct error *error);

/* Implements known() of struct importer: calls `add` with each trap of palmos.table, by ascending
 * number. If one cannot be logged, gives the first reason that applies: listed under not_logged in
 * the configuration; needed by the logger itself; introduced after Palm OS 3.5; reserved number;
 * obsolete; only in late builds; prototype unknown; not listed in the configuration. */
bool palmist_visit_known(const struct config *config, known_operation_visit *add, void *context,
                         struct error *error);

#endif
