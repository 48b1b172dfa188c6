/* What a report adds up although nobody chose it. */
#ifndef TRACETOOL_SUM_H
#define TRACETOOL_SUM_H

#include "base/text.h"
#include "report/choose.h"

/* Appends one line, without an end, that says which traces have a result in common and what chooses
 * among them. Nothing where the request chooses traces or keeps them apart, where no result is of
 * several, or where all of those are rounds of one study, which is there to be added up. Labels and
 * names in it are any bytes. */
void sum_describe(const struct report_request *request, const struct choice *choices, size_t count,
                  struct text *line);

#endif
