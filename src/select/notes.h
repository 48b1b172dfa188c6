/* Notes: lines for the `#` part of a result. */
#ifndef TRACETOOL_NOTES_H
#define TRACETOOL_NOTES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Zeroed: none. */
struct notes {
    char **lines; /* owned */
    size_t count;
};

/* Adds a line, formatted as by printf(). */
void notes_append(struct notes *notes, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The same; they go with their last callers. Always return true. */
bool notes_add(struct notes *notes, struct error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool notes_add_all(struct notes *notes, const struct notes *from, struct error *error);

/* Adds copies of all lines of `from`. */
void notes_append_all(struct notes *notes, const struct notes *from);

void notes_free(struct notes *notes);

#endif
