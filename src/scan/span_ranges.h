/* What lies beneath a function: temp.selected_range. */
#ifndef TRACETOOL_SPAN_RANGES_H
#define TRACETOOL_SPAN_RANGES_H

#include "select/selection.h"

/* With --under, fills temp.selected_range (first, last, trace) with the ids of events of calls of
 * that function and of all that is called beneath; the other filters are those of the view. Once a
 * selection, before anything reads its events. Without --under nothing is done. */
bool span_ranges_find(struct selection *selection, struct error *error);

#endif
