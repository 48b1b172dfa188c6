/* Parses and prints dates, times and offsets. Never uses the machine's own time zone. */
#ifndef TRACETOOL_CLOCK_H
#define TRACETOOL_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

/* Parses YYYY-MM-DD, then `T` or a blank and HH:MM or HH:MM:SS with up to nine decimals, then
 * nothing, `Z` or ±HH[:]MM. False unless the whole string matches. `*nanoseconds` is the time as
 * written, since 1970, without the zone. `*has_zone` is set if a zone follows, and `*offset` to its
 * minutes east of UTC. Years 1970 to 2150. */
bool clock_parse(const char *string, int64_t *nanoseconds, bool *has_zone, int64_t *offset);

/* Parses HH:MM or HH:MM:SS with up to nine decimals, at most 24:00, as nanoseconds since midnight.
 * False unless the whole string matches. */
bool clock_parse_time_of_day(const char *string, int64_t *nanoseconds);

/* Parses ±HHMM or ±HH:MM as minutes east of UTC; at most 18 hours. */
bool clock_parse_offset(const char *string, int64_t *offset);

/* Parses a duration: digits with up to nine decimals, then nothing or `s` for seconds, `m` for
 * minutes, `h` for hours, `ms`, `us` or `ns`. The result is in nanoseconds, a whole number, at most
 * 100 years.
 */
bool clock_parse_duration(const char *string, int64_t *nanoseconds);

/* Appends 2001-03-05T10:00:00+0900, with nine decimals after the seconds if they are not zero.
 * `nanoseconds` since 1970 UTC, `offset` in minutes. */
void clock_append(struct text *out, int64_t nanoseconds, int64_t offset);

#endif
