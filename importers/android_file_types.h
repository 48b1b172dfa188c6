/* File type codes and dates, shared by the two binary formats of the Android tracers. */
#ifndef TRACETOOL_ANDROID_FILE_TYPES_H
#define TRACETOOL_ANDROID_FILE_TYPES_H

#include <stdbool.h>
#include <stdint.h>

#include "config/config.h"

/* Number of known codes: they are 0 to 14. */
#define ANDROID_FILE_TYPES 15

/* Returns the name of a file type code. The configuration chooses between two lists of names,
 * "most" and "realtime". The string is constant; NULL for an unknown code. */
const char *android_file_type(const struct config *config, unsigned code);

/* Date and time of day by the device's clock. */
struct android_date {
    int64_t year, month, day; /* month and day start at 1 */
    int64_t hour, minute, second;
};

/* Converts the date, taken as UTC, to seconds since 1970. False for a date that does not exist or
 * is outside of 2000 to 2099. */
bool android_date_seconds(const struct android_date *date, int64_t *seconds);

#endif
