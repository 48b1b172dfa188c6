/* Times, until the end of the log, of calls that were still open then: the table `open_call`, for
 * the events of a scan. */
#ifndef TRACETOOL_OPEN_TIMES_H
#define TRACETOOL_OPEN_TIMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/event_columns.h"
#include "store/database.h"

/* Times of one call; fields as in struct event. */
struct open_time {
    int64_t id; /* first member, for compare_int64() */
    int64_t duration, self, cpu_duration, cpu_self;
};

/* Empty when zeroed. */
struct open_times {
    struct open_time *calls; /* owned, sorted by id */
    size_t count, capacity;
};

/* Reads the times of the events from `first` to `last`. Must always be freed. */
bool open_times_read(struct open_times *times, struct database *database, int64_t first,
                     int64_t last, struct error *error);
void open_times_free(struct open_times *times);

/* Fills the times into the existing columns; flags are required. */
void open_times_fill(const struct open_times *times, struct event_columns *columns, size_t count);

/* Returns the call of an id; NULL if it was not open. */
const struct open_time *open_times_find(const struct open_times *times, int64_t id);

#endif
