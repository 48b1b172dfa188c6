/* Units of time in nanoseconds, the unit of all real times in the program. */
#ifndef TRACETOOL_TIME_UNIT_H
#define TRACETOOL_TIME_UNIT_H

#include <stdint.h>

#define MILLISECOND INT64_C(1000000)
#define SECOND      INT64_C(1000000000)
#define HOUR        (3600 * SECOND)
#define DAY         (24 * HOUR)

#endif
