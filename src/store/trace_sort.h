/* Sorts the events of a trace. */
#ifndef TRACETOOL_TRACE_SORT_H
#define TRACETOOL_TRACE_SORT_H

#include "store/store.h"

/* Puts the events of the trace in order of time, however far they were out of it. SQLite sorts them
 * outside memory; they get new ids. */
bool store_sort(struct store *store, struct error *error);

#endif
