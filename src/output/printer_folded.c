/* folded: a call tree as flame graph tools want it, a line a path: functions from the root on,
 * separated by ;, a blank, the self time. Paths without self time are left out. */
#include <stdlib.h>
#include <string.h>

#include "output/printer.h"

struct folded {
    struct text path;
    size_t *ends; /* owned; length of the path at each depth */
    size_t capacity;
    size_t known; /* depths whose ends are those of the last row */
    size_t depth_column, name_column, self_column;
};

static bool find_column(const struct result *result, const char *name, size_t *column) {
    for (*column = 0; *column < result->column_count; (*column)++) {
        if (strcmp(result->columns[*column].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static bool begin_folded(struct printer *printer, const struct result *result,
                         struct error *error) {
    struct folded *folded = printer->state;

    folded->known = 0;
    return (find_column(result, "depth", &folded->depth_column) &&
            find_column(result, "name", &folded->name_column) &&
            find_column(result, "self", &folded->self_column)) ||
           error_set_status(error, EXIT_USAGE,
                            "--format folded is for the report calltree, not for %s",
                            result->report);
}

/* A ; in a name would begin another function. */
static void append_name(struct text *path, const char *name, size_t length) {
    while (length > 0) {
        const char *semicolon = memchr(name, ';', length);
        size_t part = semicolon == NULL ? length : (size_t)(semicolon - name);

        text_append_escaped(path, name, part);
        if (semicolon == NULL) {
            return;
        }
        text_append_string(path, "\\x3b");
        name += part + 1;
        length -= part + 1;
    }
}

static bool row_folded(struct printer *printer, const struct value *values, struct error *error) {
    struct folded *folded = printer->state;
    const struct value *place = &values[folded->depth_column];
    const struct value *name = &values[folded->name_column], *self = &values[folded->self_column];
    size_t depth = (size_t)place->integer;

    /* A query of the user's own may give anything: a path has no gaps. */
    if (place->type != VALUE_INTEGER || depth > folded->known) {
        return error_set(error,
                         "--format folded: a depth must be at most one more than that of the "
                         "row before, and the first one 0");
    }
    folded->known = depth + 1;
    if (depth >= folded->capacity) {
        size_t capacity = 2 * depth + 64;
        size_t *ends = realloc(folded->ends, capacity * sizeof *ends);

        if (ends == NULL) {
            return error_no_memory(error);
        }
        folded->ends = ends;
        folded->capacity = capacity;
    }
    folded->path.length = depth == 0 ? 0 : folded->ends[depth - 1];
    if (depth > 0) {
        text_append_char(&folded->path, ';');
    }
    append_name(&folded->path, name->bytes, name->type == VALUE_TEXT ? name->length : 0);
    folded->ends[depth] = folded->path.length;
    if (folded->path.failed) {
        return error_no_memory(error);
    }
    if (self->type == VALUE_INTEGER && self->integer > 0) {
        text_append(&printer->out, folded->path.bytes, folded->path.length);
        text_append_char(&printer->out, ' ');
        text_append_integer(&printer->out, self->integer);
        text_append_char(&printer->out, '\n');
    }
    return true;
}

static bool end_folded(struct printer *printer, struct error *error) {
    (void)printer;
    (void)error;
    return true;
}

static bool close_folded(struct printer *printer, struct error *error) {
    struct folded *folded = printer->state;

    (void)error;
    text_free(&folded->path);
    free(folded->ends);
    return true;
}

const struct printer_style printer_style_folded = {
    .name = "folded",
    .state_size = sizeof(struct folded),
    .begin = begin_folded,
    .row = row_folded,
    .end = end_folded,
    .close = close_folded,
};
