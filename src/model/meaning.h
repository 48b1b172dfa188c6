/* What a column of `event` means in a trace: the same column holds different things in different
 * formats. Reports and exporters ask for a meaning, not for a format. The words are those of
 * tracetool-schema(7). */
#ifndef TRACETOOL_MEANING_H
#define TRACETOOL_MEANING_H

#include "model/event.h"

/* Of column `time`: time 0 is a time of day, whose day is not known. The unit is "ns from N", N
 * being the nanoseconds from midnight to time 0. */
#define MEANING_TIME_OF_DAY "time of day"

/* One meaning of a column. All strings are constant. A list ends with one whose `what` is NULL. */
struct event_meaning {
    enum event_place place;
    /* Of events whose operation is of this kind (name.kind); "": of all that have the column. */
    const char *kind;
    const char *what; /* "sector", "offset", "arguments", "result", … */
    const char *unit; /* "512 bytes", "bytes", "clock" (trace.clock_unit), "": it is no quantity */
};

#endif
