/* A parameter of a query file's own: a line `-- parameter: NAME TYPE DEFAULT "help"` of its header,
 * an option --NAME of its report, and :NAME in its SQL, where dashes are underscores.
 */
#ifndef TRACETOOL_QUERY_PARAMETER_H
#define TRACETOOL_QUERY_PARAMETER_H

#include <sqlite3.h>
#include <stdbool.h>

#include "analysis/parameter.h"
#include "base/error.h"
#include "store/catalog.h"

#define QUERY_PARAMETER_NAME 40 /* bytes of a name at most */

/* The strings are parts of the line. */
struct query_parameter {
    struct parameter row;
    const char *type;      /* as the header says it: integer, real, text, time, duration */
    const char *otherwise; /* the default, as it would be given; NULL: none */
};

/* Parses what stands behind `parameter:`, and cuts it into strings. Says what is wrong with it. */
bool query_parameter_parse(struct query_parameter *parameter, char *line, struct error *error);

/* Binds the value `given`, or when that is NULL the default, to parameter `index` of a statement:
 * times in the unit of the trace's clock. Without either it stays NULL. */
bool query_parameter_bind(const struct query_parameter *parameter, const char *given,
                          const struct catalog_trace *trace, sqlite3_stmt *statement, int index,
                          struct error *error);

#endif
