/* What the configuration says of Palmist logs. */
#ifndef TRACETOOL_PALMIST_SETTINGS_H
#define TRACETOOL_PALMIST_SETTINGS_H

#include "config/config.h"
#include "config/section.h"

/* A range of trap IDs, both ends included; traps may also be given by name. */
struct palmist_trap {
    uint16_t first, last; /* when name is NULL */
    char *name;           /* owned */
    char *reason;         /* why it is not logged; owned, NULL: not said */
};

struct palmist_traps {
    struct palmist_trap *traps; /* owned */
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

#endif
