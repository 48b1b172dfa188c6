/* Which system calls Palmist could have logged, what is known of them, and why it could not log the
 * others. */
#ifndef TRACETOOL_PALMIST_LOGGABLE_H
#define TRACETOOL_PALMIST_LOGGABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "import/importer.h"

/* As struct importer wants it: calls `add` with the number of each trap that `config` lets be
 * logged. */
bool palmist_loggable_traps(const struct config *config, bool (*add)(void *context, int64_t code),
                            void *context, bool *by_default, struct error *error);

/* Likewise: calls `add` with each trap of palmos.table, in order of their numbers. Why one may be
 * missing among those that can be logged is, the first that holds: what the configuration says
 * under not_logged; that the logger itself needs it; that it came after Palm OS 3.5; that its
 * number is reserved; that it is obsolete; that only late builds have it; that its prototype is not
 * known; that the configuration does not list it. */
bool palmist_known_traps(const struct config *config, known_operation_visit *add, void *context,
                         struct error *error);

#endif
