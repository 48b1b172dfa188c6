/* Adds names to a trace after its import: applications, components and functions, file types,
 * partitions. */
#ifndef TRACETOOL_NAMING_H
#define TRACETOOL_NAMING_H

#include "annotate/annotation.h"

/* Number of ids that got a name, and a noun for them in messages. */
struct naming_result {
    int64_t count;
    const char *what;
};

/* Applies the names in `symbols` to the annotation's trace. */
bool apply_symbol_names(struct annotation *annotation, const struct config *symbols,
                        struct naming_result *named, struct error *error);

#endif
