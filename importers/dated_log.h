/* What this project's own text logs have in common (rmp, samples): a first line that may tell the
 * version and the wall clock,
 *
 *     #rmp 1 start=2012-05-01T10:00:00+0800 round=3
 *
 * and times in whole nanoseconds of a clock of the device, of which the first event's is time 0.
 */
#ifndef TRACETOOL_DATED_LOG_H
#define TRACETOOL_DATED_LOG_H

#include "lines.h"

/* Reason in the ledger. */
extern const char dated_log_far[];

/* Zeroed before the first event of the trace. */
struct dated_log {
    int64_t begun; /* 1: there was an event */
    int64_t first; /* its time */
};

/* Nanoseconds since the first event of the trace, which may be negative; false when they are more
 * than 146 years. */
bool dated_log_time(struct dated_log *log, int64_t time, int64_t *since);

/* Reads the first line of a file, if it begins with `magic` (which ends with a blank): the version,
 * which must be 1, `start`, and other words KEY=VALUE, which go to `take` unless that is NULL.
 * Refuses another version of `what` ("an RMP log"), and is false then. */
bool dated_log_header(struct dated_log *log, struct import *import, struct word line,
                      const char *magic, const char *what,
                      void (*take)(struct import *import, void *context, const char *word),
                      void *context);

/* Blank lines and those that begin with # are not records. */
bool dated_log_is_empty(struct word line);

#endif
