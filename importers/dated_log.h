/* First line and times, shared by this project's own text logs (rmp, samples). The first line may
 * give the version and the wall clock:
 *
 *     #rmp 1 start=2012-05-01T10:00:00+0800 round=3
 *
 * Times are whole nanoseconds of a device's clock; the first event is time 0. */
#ifndef TRACETOOL_DATED_LOG_H
#define TRACETOOL_DATED_LOG_H

#include "lines.h"

/* Reason (ledger.reason) for rejecting a record whose time is too far from the first one. */
extern const char dated_log_far[];

/* Times since the first event of a trace. Initialise with zeros before the first event. */
struct dated_log {
    int64_t begun; /* 1: an event was read; 0: none yet (an int64_t for --append) */
    int64_t first; /* time of the first event in the log, ns */
};

/* Sets `*since` to the nanoseconds from the first event of the trace to `time`; may be negative.
 * Returns false if they exceed 146 years. */
bool dated_log_time(struct dated_log *log, int64_t time, int64_t *since);

/* Reads the first line of a file if it begins with `magic` (which ends with a blank). The line
 * holds the version, which must be 1, then words KEY=VALUE: `start`, and others, which are passed
 * to `take` if that is not NULL. Returns false for another version; the error message names the
 * format by `what` ("an RMP log"). */
bool dated_log_read_header(struct dated_log *log, struct import *import, struct word line,
                           const char *magic, const char *what,
                           void (*take)(struct import *import, void *context, const char *word),
                           void *context);

/* Returns whether the line is no record: blank, or beginning with #. */
bool dated_log_is_empty(struct word line);

#endif
