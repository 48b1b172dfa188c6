/* Units of columns that are only known when a report runs. */
#ifndef TRACETOOL_UNITS_H
#define TRACETOOL_UNITS_H

#include "base/error.h"
#include "output/printer.h"
#include "report/query.h"
#include "store/connection.h"

/* Unit of costs in a query's header; the actual unit is read from the file of --weights. */
#define UNIT_OF_WEIGHTS "weights"

/* Limit of a unit's size in bytes, with its NUL. */
#define UNIT_SIZE 20

/* Returns whether the query reads the costs of --weights, so that temp.weight_unit exists. */
bool units_query_reads_weights(const struct query *query);

/* Replaces unit UNIT_OF_WEIGHTS in the columns by the unit in temp.weight_unit, which is copied to
 * `unit`. Does nothing if the query does not read the costs of --weights. */
bool units_set_weight_unit(struct database *database, const struct query *query,
                           struct column *columns, size_t count, char unit[UNIT_SIZE],
                           struct error *error);

#endif
