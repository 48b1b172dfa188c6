/* Units of columns that are not known before a report runs. */
#ifndef TRACETOOL_UNITS_H
#define TRACETOOL_UNITS_H

#include "base/error.h"
#include "output/printer.h"
#include "report/query.h"
#include "store/connection.h"

/* Unit of costs in a header; the file of weights gives the actual unit. */
#define UNIT_OF_WEIGHTS "weights"

/* Limit of a unit's size in bytes, with its NUL. */
#define UNIT_SIZE 20

/* Returns whether the query reads the costs of --weights (temp.weight_unit). */
bool units_has_weights(const struct query *query);

/* Replaces UNIT_OF_WEIGHTS in the columns by the unit in temp.weight_unit, which is stored in
 * `unit`. If a query does not read that table, the word is an ordinary unit. */
bool units_find(struct database *database, const struct query *query, struct column *columns,
                size_t count, char unit[UNIT_SIZE], struct error *error);

#endif
