/* Facts missing from the logs of a result: rows that need them are omitted, and a 0 in columns
 * becomes NULL, if none of the logs states the fact. The query's header lists these rows and
 * columns: `-- fact:`. */
#ifndef TRACETOOL_UNKNOWN_H
#define TRACETOOL_UNKNOWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/meaning.h"
#include "output/printer.h"
#include "report/query.h"
#include "select/notes.h"
#include "store/catalog.h"

/* Nothing is unknown when zeroed. */
struct unknown {
    const struct query *query; /* borrowed */
    size_t traces[FACTS];      /* number of logs that do not state each fact */
    size_t trace_count;
    unsigned facts;    /* FACT(…) stated by none of the logs */
    uint32_t columns;  /* bit set of the columns that need unknown facts */
    uint32_t left_out; /* bit set of the columns that need known facts that are omitted */
    int row_columns[QUERY_FACTS]; /* for a rule on rows: index of the column that identifies the
                                     rows; -1: none */
    bool has_rows;                /* true: some rows are omitted */
};

/* Finds the first fact that the whole query needs and the trace's log lacks; false if there is
 * none. */
bool unknown_report(const struct query *query, const struct catalog_trace *trace, enum fact *fact);

/* Finds what is unknown in a result of these traces with these columns; `more`: further unknown
 * facts. `query` and `columns` are borrowed. */
void unknown_find(struct unknown *unknown, const struct query *query,
                  const struct catalog_trace *const *traces, size_t trace_count, unsigned more,
                  const struct column *columns, size_t column_count);

/* Adds a note on the missing facts, if any. */
void unknown_note(const struct unknown *unknown, struct notes *notes);

/* Sets values of a row to NULL if they are 0 because of a missing fact, or omitted; false: omit the
 * whole row. */
bool unknown_apply(const struct unknown *unknown, struct value *values, size_t count);

#endif
