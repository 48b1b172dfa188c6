/* What calls took that were open behind the last record, and ended with the log: the table
 * `open_call`, for the events of a scan. */
#ifndef TRACETOOL_OPEN_TIMES_H
#define TRACETOOL_OPEN_TIMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/event_columns.h"
#include "store/database.h"

/* Of one call; fields as in struct event. */
struct open_time {
    int64_t id; /* first, for compare_int64() */
    int64_t duration, self, cpu_duration, cpu_self;
};

/* Zeroed: there are none. */
struct open_times {
    struct open_time *calls; /* owned, in order of id */
    size_t count, capacity;
};

/* Reads those of the events from `first` to `last`. They are to be freed in any case. */
bool open_times_read(struct open_times *times, struct database *database, int64_t first,
                     int64_t last, struct error *error);
void open_times_free(struct open_times *times);

/* Puts them where the events have them, in those columns that there are. Flags must be there. */
void open_times_fill(const struct open_times *times, struct event_columns *columns, size_t count);

/* The call of an id, NULL when it is none of them. */
const struct open_time *open_times_find(const struct open_times *times, int64_t id);

#endif
