/* Names added after the import: applications, components and functions, file types, and partitions.
 */
#ifndef TRACETOOL_NAMING_H
#define TRACETOOL_NAMING_H

#include "annotate/annotation.h"

/* Number of things named, and what they are. */
struct named {
    int64_t count;
    const char *what;
};

/* Applies the names of `symbols` to the annotation's trace. */
bool name_trace(struct annotation *annotation, const struct config *symbols, struct named *named,
                struct error *error);

#endif
