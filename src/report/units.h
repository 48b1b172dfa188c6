/* Units of columns that are known only when a report runs. */
#ifndef TRACETOOL_UNITS_H
#define TRACETOOL_UNITS_H

#include "base/error.h"
#include "output/printer.h"
#include "report/query.h"
#include "store/connection.h"

/* Unit in a header for costs; a file of weights gives the actual unit. */
#define UNIT_OF_WEIGHTS "weights"

/* Maximum bytes of a unit with its NUL. */
#define UNIT_SIZE 20

/* Whether the query reads --weights (temp.weight_unit). */
bool units_has_weights(const struct query *query);

/* Replaces UNIT_OF_WEIGHTS in the columns by the unit of temp.weight_unit, stored in `unit`. In a
 * query that does not read that table, such a unit is literal. */
bool units_find(struct database *database, const struct query *query, struct column *columns,
                size_t count, char unit[UNIT_SIZE], struct error *error);

#endif
