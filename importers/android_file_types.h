/* What the two binary formats of the Android tracers share: their codes of file types, and dates.
 */
#ifndef TRACETOOL_ANDROID_FILE_TYPES_H
#define TRACETOOL_ANDROID_FILE_TYPES_H

#include <stdbool.h>
#include <stdint.h>

#include "config/config.h"

/* One more than the highest code that is known. */
#define ANDROID_FILE_TYPES 15

/* The file type of a code, in the words of the list of file types that the configuration asks for
 * ("most" or "realtime"); a constant. NULL for an unknown code. */
const char *android_file_type(const struct config *config, unsigned code);

/* A date and time of day as a device's clock showed it. */
struct android_date {
    int64_t year, month, day; /* month and day from 1 */
    int64_t hour, minute, second;
};

/* Seconds since 1970 of the date, taken for UTC. False for a date that does not exist, and outside
 * of 2000 to 2099. */
bool android_date_seconds(const struct android_date *date, int64_t *seconds);

#endif
