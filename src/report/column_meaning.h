/* What columns of reports hold, in words: for readers who have no manual at hand. */
#ifndef TRACETOOL_COLUMN_MEANING_H
#define TRACETOOL_COLUMN_MEANING_H

#include "report/query.h"

/* What the query's own header says of the column (`-- meaning: COLUMN text`), else what columns of
 * that name and kind hold in all reports of the program; NULL: neither says. Borrowed from the
 * query, or constant. */
const char *column_meaning(const struct query *query, const struct column *column);

#endif
