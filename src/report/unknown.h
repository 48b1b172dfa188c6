/* Facts that the logs of a result do not state. If none of the logs states a fact, lines `-- fact:`
 * of the query say which rows are omitted, and in which columns 0 becomes NULL. */
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

/* The unknown facts of a result, and what depends on them. Zeroed: none. */
struct unknown {
    const struct query *query; /* borrowed */
    size_t traces[FACTS];      /* indexed by enum fact: number of logs that do not state it */
    size_t trace_count;
    unsigned facts;    /* bits FACT(…): facts that none of the logs states */
    uint32_t columns;  /* bit set of columns that depend on `facts`; in them 0 becomes NULL */
    uint32_t left_out; /* bit set of columns in which every value becomes NULL, not only each 0 */
    /* For each line `fact` of the query: column whose texts identify the rows to omit; -1: none. */
    int row_columns[QUERY_FACTS];
    bool has_rows; /* true: rows are omitted */
};

/* Returns whether the whole query needs a fact that the log lacks; sets `*fact` to the first. */
bool unknown_find_required_fact(const struct query *query, const struct catalog_trace *trace,
                                enum fact *fact);

/* Finds the unknown facts of a result with these traces and columns. `more`: bits FACT(…) of facts
 * to treat as unknown, too. `query` and `columns` are borrowed. */
void unknown_find(struct unknown *unknown, const struct query *query,
                  const struct catalog_trace *const *traces, size_t trace_count, unsigned more,
                  const struct column *columns, size_t column_count);

/* Adds a note that names the unknown facts, if there are any. */
void unknown_append_note(const struct unknown *unknown, struct notes *notes);

/* Sets values of a row to NULL that need an unknown fact. False: the whole row must be omitted. */
bool unknown_apply(const struct unknown *unknown, struct value *values, size_t count);

#endif
