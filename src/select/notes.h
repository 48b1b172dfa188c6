/* Notes: lines for the `#` part of a result. */
#ifndef TRACETOOL_NOTES_H
#define TRACETOOL_NOTES_H

#include <stddef.h>

/* Zeroed: none. */
struct notes {
    char **lines; /* owned */
    size_t count;
};

/* Adds a line, formatted as by printf(). */
void notes_append(struct notes *notes, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds copies of all lines of `from`. */
void notes_append_all(struct notes *notes, const struct notes *from);

void notes_free(struct notes *notes);

#endif
