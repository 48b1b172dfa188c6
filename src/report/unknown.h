/* Facts that the logs of a result do not state. If none of the logs states a fact, rows that need
 * it are left out, and a 0 in columns that need it becomes NULL. Lines `-- fact:` in the query's
 * header list these rows and columns. */
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

/* What is unknown in a result. Zeroed: nothing. */
struct unknown {
    const struct query *query; /* borrowed */
    size_t traces[FACTS];      /* by fact: number of logs that do not state it */
    size_t trace_count;
    unsigned facts;    /* bits FACT(…) of the facts that none of the logs states */
    uint32_t columns;  /* bit set of the columns that need one of these facts */
    uint32_t left_out; /* bit set of the columns whose values are all left out, not only 0 */
    /* By line `fact` of the query: index of the column that identifies rows; -1: not about rows. */
    int row_columns[QUERY_FACTS];
    bool has_rows; /* true: some rows are left out */
};

/* Finds the first fact that the whole query needs and the log does not state. False: none. */
bool unknown_find_fact(const struct query *query, const struct catalog_trace *trace,
                       enum fact *fact);

/* Finds what is unknown in a result of these traces with these columns. `more`: facts that also
 * count as unknown. `query` and `columns` are borrowed. */
void unknown_find(struct unknown *unknown, const struct query *query,
                  const struct catalog_trace *const *traces, size_t trace_count, unsigned more,
                  const struct column *columns, size_t column_count);

/* Adds a note on the unknown facts, if there are any. */
void unknown_note(const struct unknown *unknown, struct notes *notes);

/* Sets values of a row to NULL if they are 0 because of an unknown fact, or are left out. Returns
 * false if the whole row is to be left out. */
bool unknown_apply(const struct unknown *unknown, struct value *values, size_t count);

#endif
