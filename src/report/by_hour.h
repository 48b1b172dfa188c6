/* --by hour: a result for each hour of the day. */
#ifndef TRACETOOL_BY_HOUR_H
#define TRACETOOL_BY_HOUR_H

#include "report/choose.h"

/* Puts in place of each choice one for each hour of the day in which its trace has times that the
 * filter chooses; `*choices` is owned by the caller before and after. Fails where a trace does not
 * know the hours of its day. */
bool choices_by_hour(const struct filter *filter, struct choice **choices, size_t *count,
                     struct error *error);

/* The hour of a choice, for the filter of its result. */
struct day_hours choice_hours(const struct choice *choice);

#endif
