#include "base/path.h"

#include <string.h>

/* Removes the last component, unless it is `..` or there is none. */
static bool drop_last(struct text *path, size_t root) {
    size_t length = path->length;

    while (length > root && path->bytes[length - 1] != '/') {
        length--;
    }
    if (path->length == root ||
        (path->length - length == 2 && memcmp(path->bytes + length, "..", 2) == 0)) {
        return false;
    }
    path->length = length > root ? length - 1 : root;
    return true;
}

void path_normalise(struct text *path) {
    size_t end = path->length, root = end > 0 && path->bytes[0] == '/', at = root;

    /* In place: the output is never longer than the input read so far. */
    path->length = root;
    while (at < end) {
        const char *part = path->bytes + at;
        const char *slash = memchr(part, '/', end - at);
        size_t length = slash == NULL ? end - at : (size_t)(slash - part);

        at += length + 1;
        if (length == 0 || (length == 1 && *part == '.')) {
            continue;
        }
        if (length == 2 && memcmp(part, "..", 2) == 0 && (drop_last(path, root) || root == 1)) {
            continue;
        }
        if (path->length > root) {
            path->bytes[path->length++] = '/';
        }
        memmove(path->bytes + path->length, part, length);
        path->length += length;
    }
    if (path->length == 0) {
        text_append_char(path, '.');
    }
    path->bytes[path->length] = '\0';
}
