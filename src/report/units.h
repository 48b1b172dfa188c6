/* Units of columns that are known only when the report is made. */
#ifndef TRACETOOL_UNITS_H
#define TRACETOOL_UNITS_H

#include "base/error.h"
#include "output/printer.h"
#include "store/connection.h"

/* What a header says for the unit of costs, which a file of weights names. */
#define UNIT_OF_WEIGHTS "weights"

/* Bytes of such a unit with its NUL. */
#define UNIT_SIZE 20

/* Puts the unit that temp.weight_unit names, which stays in `unit`, into the columns that have
 * UNIT_OF_WEIGHTS. */
bool units_find(struct database *database, struct column *columns, size_t count,
                char unit[UNIT_SIZE], struct error *error);

#endif
