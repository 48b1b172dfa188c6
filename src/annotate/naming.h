/* Names things of a trace after its import: applications, components and functions, types of files,
 * partitions. */
#ifndef TRACETOOL_NAMING_H
#define TRACETOOL_NAMING_H

#include "annotate/annotation.h"

/* Number of ids that a file of names gave a name, and the noun for them in messages. */
struct named {
    int64_t count;
    const char *what;
};

/* Gives things of the annotation's trace the names in `symbols`. */
bool name_trace(struct annotation *annotation, const struct config *symbols, struct named *named,
                struct error *error);

#endif
