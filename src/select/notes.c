#include "select/notes.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/words.h"

static void append_formatted_note(struct notes *notes, enum remark_class class, const char *format,
                                  va_list arguments) {
    notes->lines = xrealloc(notes->lines, (notes->count + 1) * sizeof *notes->lines);
    notes->classes = xrealloc(notes->classes, (notes->count + 1) * sizeof *notes->classes);
    if (vasprintf(&notes->lines[notes->count], format, arguments) < 0) {
        out_of_memory();
    }
    notes->classes[notes->count++] = class;
}

void notes_append(struct notes *notes, const char *format, ...) {
    va_list arguments;

    va_start(arguments, format);
    append_formatted_note(notes, REMARK_PLAIN, format, arguments);
    va_end(arguments);
}

void notes_append_count(struct notes *notes, int64_t count, const char *format, ...) {
    struct text form = {0};
    va_list arguments;

    if (count <= 0) {
        return;
    }
    text_append_plural(&form, format, count);
    va_start(arguments, format);
    append_formatted_note(notes, REMARK_PLAIN, text_string(&form), arguments);
    va_end(arguments);
    text_free(&form);
}

void notes_append_class(struct notes *notes, enum remark_class class, const char *format, ...) {
    va_list arguments;

    va_start(arguments, format);
    append_formatted_note(notes, class, format, arguments);
    va_end(arguments);
}

bool notes_have(const struct notes *notes, const char *line) {
    return string_index((const char *const *)notes->lines, notes->count, line) < notes->count;
}

void notes_append_all(struct notes *notes, const struct notes *from) {
    for (size_t i = 0; i < from->count; i++) {
        notes_append_class(notes, from->classes[i], "%s", from->lines[i]);
    }
}

void notes_show(const struct notes *notes, struct result *result) {
    result->remarks = (const char *const *)notes->lines;
    result->remark_classes = notes->classes;
    result->remark_count = notes->count;
}

void notes_free(struct notes *notes) {
    free_each(notes->lines, notes->count);
    free(notes->classes);
    *notes = (struct notes){0};
}
