/* Dates, times and offsets as people write them. The machine's own time zone never matters. */
#ifndef TRACETOOL_CLOCK_H
#define TRACETOOL_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

/* YYYY-MM-DD, then (after `T` or a blank) HH:MM or HH:MM:SS with up to nine decimals, then nothing,
 * `Z` or ±HH[:]MM; all of the string. `*nanoseconds` since 1970 of the time as written; `*has_zone`
 * tells whether it was followed by a zone, whose offset in minutes east of UTC is `*offset`. Years
 * 1970 to 2150. */
bool clock_parse(const char *string, int64_t *nanoseconds, bool *has_zone, int64_t *offset);

/* HH:MM or HH:MM:SS with up to nine decimals, all of the string, to 24:00: nanoseconds since
 * midnight. */
bool clock_parse_time_of_day(const char *string, int64_t *nanoseconds);

/* ±HHMM or ±HH:MM, as minutes east of UTC; at most 18 hours. */
bool clock_parse_offset(const char *string, int64_t *offset);

/* A length of time: digits with up to nine decimals, then nothing or `s` for seconds, `m` for
 * minutes, `h` for hours, `ms`, `us` or `ns`; whole nanoseconds, at most 100 years. In nanoseconds.
 */
bool clock_parse_duration(const char *string, int64_t *nanoseconds);

/* Appends 2001-03-05T10:00:00+0900, with nine decimals behind the seconds when there are any;
 * `nanoseconds` since 1970 UTC, `offset` in minutes. */
void clock_append(struct text *out, int64_t nanoseconds, int64_t offset);

#endif
