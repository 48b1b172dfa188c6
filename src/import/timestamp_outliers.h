/* Time stamps that are far from those around them: of a clock that was set, or damaged. They are
 * kept, and remarked on. Looks at events in the order of the log. */
#ifndef TRACETOOL_TIMESTAMP_OUTLIERS_H
#define TRACETOOL_TIMESTAMP_OUTLIERS_H

#include <stddef.h>
#include <stdint.h>

#include "base/time_unit.h"

/* More than so many nanoseconds from its neighbours, which are no farther from one another. */
#define OUTLIERS_DISTANCE DAY

/* Single ones that are remembered; the others are counted. */
#define OUTLIERS_REMARKS 8

struct timestamp_outlier {
    int64_t time;
    size_t source;  /* the file it is from, and … */
    int64_t number; /* … which of its events it is, from 1 */
};

/* A zeroed one is ready. */
struct timestamp_outliers {
    struct timestamp_outlier last[3]; /* the latest is the third */
    int64_t seen;
    struct timestamp_outlier events[OUTLIERS_REMARKS]; /* the first ones found */
    int64_t found;
};

/* An event has been counted; its time is not known yet. */
void outliers_open(struct timestamp_outliers *state, size_t source, int64_t number);

/* That event's time, in nanoseconds since the start. */
void outliers_note(struct timestamp_outliers *state, int64_t time);

/* All events have been noted. */
void outliers_end(struct timestamp_outliers *state);

#endif
