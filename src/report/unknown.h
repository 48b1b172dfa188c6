/* What the logs of a result do not state: rows that would be about that are left out, and in
 * columns a 0 becomes NULL, where none of the logs states the fact. Which rows and columns rest on
 * which facts stands in the header of the query: `-- fact:`. */
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

/* Zeroed: all is known. */
struct unknown {
    const struct query *query; /* borrowed */
    size_t traces[FACTS];      /* how many of the logs do not state the fact */
    size_t trace_count;
    unsigned facts;               /* FACT(…) that none of them states */
    uint32_t columns;             /* bit set of the columns that rest on these … */
    uint32_t left_out;            /* … or on what is left out though it is known */
    int row_columns[QUERY_FACTS]; /* of a rule on rows: the column that names them; -1: none */
    bool has_rows;                /* rows are left out */
};

/* The first fact without which the query has nothing to show, and which the log of the trace does
 * not state; false when there is none. */
bool unknown_report(const struct query *query, const struct catalog_trace *trace, enum fact *fact);

/* Finds out what is unknown in a result of these traces with these columns; `more`: facts that are
 * unknown besides. `query` and `columns` are borrowed. */
void unknown_find(struct unknown *unknown, const struct query *query,
                  const struct catalog_trace *const *traces, size_t trace_count, unsigned more,
                  const struct column *columns, size_t column_count);

/* Adds the line on what the logs do not state, if there is any such thing. */
void unknown_say(const struct unknown *unknown, struct notes *notes);

/* Makes those values of a row NULL that are 0 because nothing is known, or that are left out;
 * false: the whole row is. */
bool unknown_apply(const struct unknown *unknown, struct value *values, size_t count);

#endif
