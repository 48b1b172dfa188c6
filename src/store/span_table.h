/* Times of calls as tables: the rollup of a trace, and the same over a report's selection. */
#ifndef TRACETOOL_SPAN_TABLE_H
#define TRACETOOL_SPAN_TABLE_H

#include "model/span_times.h"
#include "store/database.h"

enum span_table {
    SPAN_TABLE_ROLLUP,    /* main.rollup_span */
    SPAN_TABLE_SELECTION, /* temp.scanned_span */
};

/* Appends the rows for a trace. */
bool span_table_write(struct database *database, enum span_table table, int64_t trace,
                      const struct span_times *times, struct error *error);

/* Fills `times` with the rows of a trace's rollup, which are then removed from the table. */
bool span_table_take(struct database *database, int64_t trace, struct span_times *times,
                     struct error *error);

#endif
