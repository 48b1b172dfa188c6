/* Which rows of a table are a trace's, whatever the table: by its column `trace`, or by event. */
#ifndef TRACETOOL_TRACE_ROWS_H
#define TRACETOOL_TRACE_ROWS_H

#include <stdbool.h>
#include <string.h>

/* A condition on row t of the table: ?1 is the trace, ?2 and ?3 are its first and last event.
 * `has_trace`: the table has a column of that name. */
static inline const char *trace_rows_of(const char *table, bool has_trace) {
    return strcmp(table, "trace") == 0   ? "t.id = ?1"
           : strcmp(table, "event") == 0 ? "t.id BETWEEN ?2 AND ?3"
           : has_trace                   ? "t.trace = ?1"
                                         : "t.event BETWEEN ?2 AND ?3";
}

#endif
