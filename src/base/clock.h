/* Parses and prints dates, times, time zones and durations. Never uses this machine's time zone. */
#ifndef TRACETOOL_CLOCK_H
#define TRACETOOL_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

/* Parses YYYY-MM-DD, `T` or a blank, HH:MM or HH:MM:SS with up to nine decimals, optionally
 * followed by `Z` or ±HH[:]MM. Returns false unless the whole string has this form. `*nanoseconds`:
 * time since 1970 as written, without regard to the time zone. `*has_zone`: whether there is a time
 * zone; then `*offset` is its minutes east of UTC. Years are 1970 to 2150. */
bool clock_parse(const char *string, int64_t *nanoseconds, bool *has_zone, int64_t *offset);

/* Parses a time of day, HH:MM or HH:MM:SS with up to nine decimals, at most 24:00, as nanoseconds
 * since midnight. Returns false unless the whole string has this form. */
bool clock_parse_time_of_day(const char *string, int64_t *nanoseconds);

/* Parses a time zone ±HHMM or ±HH:MM, at most 18 hours, as minutes east of UTC. */
bool clock_parse_offset(const char *string, int64_t *offset);

/* Parses a duration: digits with up to nine decimals, then `s` or nothing for seconds, `m` for
 * minutes, `h` for hours, `ms`, `us` or `ns`. Returns false if the result is not a whole number of
 * nanoseconds, or is more than 100 years. */
bool clock_parse_duration(const char *string, int64_t *nanoseconds);

/* Appends a time such as 2001-03-05T10:00:00+0900, with nine decimals unless they are all zero.
 * `nanoseconds`: since 1970 UTC. `offset`: time zone, minutes east of UTC. */
void clock_append(struct text *out, int64_t nanoseconds, int64_t offset);

#endif
