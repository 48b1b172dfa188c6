/* Names and rollups on their way into the shadow, and sums of rollups in their place. */
#ifndef TRACETOOL_REMOTE_SHADOW_TABLES_H
#define TRACETOOL_REMOTE_SHADOW_TABLES_H

#include "remote/shadow_parts.h"

/* All that is wanted but events; `pairs` has room for all traces that are. */
bool shadow_fetch_tables(struct shadow *shadow, const struct database_wanted *wanted,
                         struct remote_pair *pairs, struct error *error);

#endif
