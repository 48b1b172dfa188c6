/* The tables of a trace's events: `event`, and those beside it. */
#ifndef TRACETOOL_EVENT_TABLES_H
#define TRACETOOL_EVENT_TABLES_H

#include "base/text.h"
#include "model/event.h"
#include "store/store.h"

/* Those beside it, in the order of enum beside_table: `columns` are those after the first, which is
 * `event`. */
extern const struct event_beside { const char *name, *columns; } beside_tables[BESIDE_TABLES];

/* Appends the names of columns of `event`: time, and those of `columns` (enum event_column). */
void event_tables_append_columns(struct text *list, unsigned columns);

/* The id behind those of all events. Fails where what somebody else put there leaves no room. */
bool event_tables_end(const struct store *store, int64_t *end, struct error *error);

#endif
