/* Shows dwTrace events for `dump`: parameters, return codes and data. */
#ifndef TRACETOOL_DWTRACE_DUMP_H
#define TRACETOOL_DWTRACE_DUMP_H

#include <stddef.h>

#include "base/text.h"
#include "config/config.h"
#include "config/section.h"
#include "import/importer.h"

/* Importer functions of the same names. */
void dwtrace_dump_span(const struct dump_event *dump, enum dump_moment moment, struct text *out);
bool dwtrace_begin_dump(const struct config *config, void **state, struct error *error);
void dwtrace_end_dump(void *state);

/* Its configuration section; only this file knows the value's type. */
extern const struct config_section dwtrace_formatters_section;

#endif
