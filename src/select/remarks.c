#include "select/remarks.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"

bool remarks_add(struct remarks *remarks, struct error *error, const char *format, ...) {
    char **lines = xrealloc(remarks->lines, (remarks->count + 1) * sizeof *lines);
    va_list arguments;
    int length;

    remarks->lines = lines;
    va_start(arguments, format);
    length = vasprintf(&lines[remarks->count], format, arguments);
    va_end(arguments);
    if (length < 0) {
        return error_no_memory(error);
    }
    remarks->count++;
    return true;
}

bool remarks_add_all(struct remarks *remarks, const struct remarks *from, struct error *error) {
    for (size_t i = 0; i < from->count; i++) {
        if (!remarks_add(remarks, error, "%s", from->lines[i])) {
            return false;
        }
    }
    return true;
}

void remarks_free(struct remarks *remarks) {
    for (size_t i = 0; i < remarks->count; i++) {
        free(remarks->lines[i]);
    }
    free(remarks->lines);
    *remarks = (struct remarks){0};
}
