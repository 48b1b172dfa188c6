/* Lines for the `#` part of a result. */
#ifndef TRACETOOL_REMARKS_H
#define TRACETOOL_REMARKS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Zeroed: none. */
struct remarks {
    char **lines; /* owned */
    size_t count;
};

bool remarks_add(struct remarks *remarks, struct error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void remarks_free(struct remarks *remarks);

#endif
