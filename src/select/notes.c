#include "select/notes.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"

void notes_append(struct notes *notes, const char *format, ...) {
    va_list arguments;

    notes->lines = xrealloc(notes->lines, (notes->count + 1) * sizeof *notes->lines);
    va_start(arguments, format);
    if (vasprintf(&notes->lines[notes->count], format, arguments) < 0) {
        out_of_memory();
    }
    va_end(arguments);
    notes->count++;
}

void notes_append_all(struct notes *notes, const struct notes *from) {
    for (size_t i = 0; i < from->count; i++) {
        notes_append(notes, "%s", from->lines[i]);
    }
}

void notes_free(struct notes *notes) {
    for (size_t i = 0; i < notes->count; i++) {
        free(notes->lines[i]);
    }
    free(notes->lines);
    *notes = (struct notes){0};
}
