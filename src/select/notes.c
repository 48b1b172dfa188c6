#include "select/notes.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"

__attribute__((format(printf, 2, 0))) static void append(struct notes *notes, const char *format,
                                                         va_list arguments) {
    char **lines = xrealloc(notes->lines, (notes->count + 1) * sizeof *lines);

    if (vasprintf(&lines[notes->count], format, arguments) < 0) {
        out_of_memory();
    }
    notes->lines = lines;
    notes->count++;
}

void notes_append(struct notes *notes, const char *format, ...) {
    va_list arguments;

    va_start(arguments, format);
    append(notes, format, arguments);
    va_end(arguments);
}

bool notes_add(struct notes *notes, struct error *error, const char *format, ...) {
    va_list arguments;

    va_start(arguments, format);
    append(notes, format, arguments);
    va_end(arguments);
    return true;
}

void notes_append_all(struct notes *notes, const struct notes *from) {
    for (size_t i = 0; i < from->count; i++) {
        notes_append(notes, "%s", from->lines[i]);
    }
}

bool notes_add_all(struct notes *notes, const struct notes *from, struct error *error) {
    notes_append_all(notes, from);
    return true;
}

void notes_free(struct notes *notes) {
    for (size_t i = 0; i < notes->count; i++) {
        free(notes->lines[i]);
    }
    free(notes->lines);
    *notes = (struct notes){0};
}
