/* Units of time in nanoseconds, in which the program has all real times. */
#ifndef TRACETOOL_TIME_UNIT_H
#define TRACETOOL_TIME_UNIT_H

#include <stdint.h>

#define MILLISECOND INT64_C(1000000)
#define SECOND      INT64_C(1000000000)
#define HOUR        (3600 * SECOND)
#define DAY         (24 * HOUR)

#endif
