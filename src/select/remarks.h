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

/* Adds a line, formatted as by printf(). */
void remarks_append(struct remarks *remarks, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The same; they go with their last callers. Always return true. */
bool remarks_add(struct remarks *remarks, struct error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool remarks_add_all(struct remarks *remarks, const struct remarks *from, struct error *error);

/* Adds copies of all lines of `from`. */
void remarks_append_all(struct remarks *remarks, const struct remarks *from);

void remarks_free(struct remarks *remarks);

#endif
