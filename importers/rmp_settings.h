/* The section `rmp` of the configuration: columns of lines in RMP logs. */
#ifndef TRACETOOL_RMP_SETTINGS_H
#define TRACETOOL_RMP_SETTINGS_H

#include "config/config.h"
#include "config/section.h"

/* Columns of a time log (RMP_TIME to RMP_CALLER), and of a list of probes (RMP_NAME to
 * RMP_STATUS). */
enum rmp_column {
    RMP_TIME,
    RMP_PID,
    RMP_TID,
    RMP_POINT,
    RMP_PROBE,
    RMP_CALLER,
    RMP_NAME = 0,
    RMP_RESOLUTION,
    RMP_ORIGIN,
    RMP_STATUS,
    RMP_SKIP = 6, /* a column that is not imported */
};
#define RMP_COLUMNS      7 /* number of values in enum rmp_column, and of fields parsed from a line */
#define RMP_MOST_COLUMNS 32 /* maximum columns in a line */

/* Columns of a line, in order. */
struct rmp_columns {
    char separator;
    size_t count;
    /* which column is at each position of a line: enum rmp_column */
    uint8_t order[RMP_MOST_COLUMNS];
};

/* The settings of section `rmp`. */
struct rmp_settings {
    struct rmp_columns events, probes;
};

extern const struct config_section rmp_section;

/* Returns the settings, borrowed from the configuration. */
static inline const struct rmp_settings *rmp_settings(const struct config *config) {
    return config_value(config, &rmp_section);
}

#endif
