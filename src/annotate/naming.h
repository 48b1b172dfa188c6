/* Names learnt after the import: of applications, components and functions, the types of files, and
 * partitions. */
#ifndef TRACETOOL_NAMING_H
#define TRACETOOL_NAMING_H

#include "annotate/annotation.h"

/* How many things got their names, and what they are. */
struct named {
    int64_t count;
    const char *what;
};

/* Gives what the annotation's trace holds the names of `symbols`. */
bool name_trace(struct annotation *annotation, const struct config *symbols, struct named *named,
                struct error *error);

#endif
