/* Units of columns that are known only when the report is made. */
#ifndef TRACETOOL_UNITS_H
#define TRACETOOL_UNITS_H

#include "base/error.h"
#include "output/printer.h"
#include "report/query.h"
#include "store/connection.h"

/* What a header says for the unit of costs, which a file of weights names. */
#define UNIT_OF_WEIGHTS "weights"

/* Bytes of such a unit with its NUL. */
#define UNIT_SIZE 20

/* Whether the query wants what --weights says (temp.weight_unit). */
bool units_has_weights(const struct query *query);

/* Puts the unit that temp.weight_unit names, which stays in `unit`, into the columns that have
 * UNIT_OF_WEIGHTS. In a query that does not want that table, such a unit is its own word. */
bool units_find(struct database *database, const struct query *query, struct column *columns,
                size_t count, char unit[UNIT_SIZE], struct error *error);

#endif
