/* How events of dwTrace are shown by `dump`: parameters, return codes and data. */
#ifndef TRACETOOL_DWTRACE_DUMP_H
#define TRACETOOL_DWTRACE_DUMP_H

#include <stddef.h>

#include "base/text.h"
#include "config/config.h"
#include "config/section.h"
#include "import/importer.h"

/* The functions of an importer of these names. */
void dwtrace_dump_span(const struct dump_event *dump, enum dump_moment moment, struct text *out);
bool dwtrace_begin_dump(const struct config *config, void **state, struct error *error);
void dwtrace_end_dump(void *state);

/* The section, whose value only this file knows. */
extern const struct config_section dwtrace_formatters_section;

#endif
