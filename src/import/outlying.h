/* Time stamps that are far from those around them: of a clock that was set, or damaged. They are
 * kept, and remarked on. Looks at events in the order of the log. */
#ifndef TRACETOOL_OUTLYING_H
#define TRACETOOL_OUTLYING_H

#include <stddef.h>
#include <stdint.h>

#include "base/time_unit.h"

/* More than so many nanoseconds from its neighbours, which are no farther from one another. */
#define OUTLYING_DISTANCE DAY

/* Single ones that are remembered; the others are counted. */
#define OUTLYING_REMARKS 8

struct outlying_event {
    int64_t time;
    size_t source;  /* the file it is from, and … */
    int64_t number; /* … which of its events it is, from 1 */
};

/* A zeroed one is ready. */
struct outlying {
    struct outlying_event last[3]; /* the latest is the third */
    int64_t seen;
    struct outlying_event events[OUTLYING_REMARKS]; /* the first ones found */
    int64_t found;
};

/* An event has been counted whose time is not known yet. */
void outlying_open(struct outlying *state, size_t source, int64_t number);

/* That event's time, in nanoseconds since the start. */
void outlying_note(struct outlying *state, int64_t time);

/* All events have been noted. */
void outlying_end(struct outlying *state);

#endif
