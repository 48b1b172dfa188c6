/* Events on their way into the shadow: all of a trace, or a part of them. */
#ifndef TRACETOOL_REMOTE_SHADOW_EVENTS_H
#define TRACETOOL_REMOTE_SHADOW_EVENTS_H

#include "remote/event_part.h"
#include "remote/shadow_parts.h"

/* Puts the first and the last event of a trace in place of all, for those who ask when it began and
 * ended. */
bool shadow_put_bounds(struct shadow *shadow, const struct shadow_trace *trace,
                       struct error *error);

/* Fetches the events, or a part of them, in place of what is there. */
bool shadow_fetch_events(struct shadow *shadow, struct shadow_trace *trace,
                         const struct event_part *part, struct error *error);

/* The parts of the events of these traces that are asked for, one each; NULL with `error` set on
 * failure. Where all is there, or nothing, there is no part. */
struct event_part *shadow_find_parts(struct shadow *shadow, const struct database_wanted *wanted,
                                     struct error *error);

/* Frees them; NULL is allowed. */
void shadow_free_parts(struct event_part *parts, size_t count);

#endif
