/* Notes: the lines of a result that begin with #. */
#ifndef TRACETOOL_NOTES_H
#define TRACETOOL_NOTES_H

#include <stdbool.h>
#include <stddef.h>

#include "output/printer.h"

/* A list of notes. Empty when zeroed. */
struct notes {
    char **lines;               /* owned */
    enum remark_class *classes; /* owned; class of each note */
    size_t count;
};

/* Adds a plain line, formatted like printf(). */
void notes_append(struct notes *notes, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds a line, formatted like printf(), if `count` is above 0. Words like request{s} get the form
 * for this count (text_append_plural()). Pass the count as an argument of the format, too. */
void notes_append_count(struct notes *notes, int64_t count, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Adds a line of a class, formatted like printf(). */
void notes_append_class(struct notes *notes, enum remark_class class, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Returns whether a line is one of the notes. */
bool notes_have(const struct notes *notes, const char *line);

/* Adds copies of all lines of `from`. */
void notes_append_all(struct notes *notes, const struct notes *from);

/* Shows the notes as remarks (`#` lines) of a result, which borrows them. */
void notes_show(const struct notes *notes, struct result *result);

void notes_free(struct notes *notes);

#endif
