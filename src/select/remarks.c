#include "select/remarks.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"

__attribute__((format(printf, 2, 0))) static void append(struct remarks *remarks,
                                                         const char *format, va_list arguments) {
    char **lines = xrealloc(remarks->lines, (remarks->count + 1) * sizeof *lines);

    if (vasprintf(&lines[remarks->count], format, arguments) < 0) {
        out_of_memory();
    }
    remarks->lines = lines;
    remarks->count++;
}

void remarks_append(struct remarks *remarks, const char *format, ...) {
    va_list arguments;

    va_start(arguments, format);
    append(remarks, format, arguments);
    va_end(arguments);
}

bool remarks_add(struct remarks *remarks, struct error *error, const char *format, ...) {
    va_list arguments;

    va_start(arguments, format);
    append(remarks, format, arguments);
    va_end(arguments);
    return true;
}

void remarks_append_all(struct remarks *remarks, const struct remarks *from) {
    for (size_t i = 0; i < from->count; i++) {
        remarks_append(remarks, "%s", from->lines[i]);
    }
}

bool remarks_add_all(struct remarks *remarks, const struct remarks *from, struct error *error) {
    remarks_append_all(remarks, from);
    return true;
}

void remarks_free(struct remarks *remarks) {
    for (size_t i = 0; i < remarks->count; i++) {
        free(remarks->lines[i]);
    }
    free(remarks->lines);
    *remarks = (struct remarks){0};
}
