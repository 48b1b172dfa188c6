#include "output/csv.h"

#include <string.h>

static void append_quoted(struct text *out, const struct text *field) {
    const char *rest = text_string(field);
    const char *quote;

    text_append_char(out, '"');
    while ((quote = strchr(rest, '"')) != NULL) {
        text_append(out, rest, (size_t)(quote - rest) + 1);
        text_append_char(out, '"');
        rest = quote + 1;
    }
    text_append_string(out, rest);
    text_append_char(out, '"');
}

/* An empty text is quoted, so that it can be told from NULL. */
static bool needs_quotes(const char *field) {
    size_t length = strlen(field);

    return length == 0 || strpbrk(field, ",\"") != NULL || field[0] == ' ' ||
           field[length - 1] == ' ';
}

void csv_append_text(struct text *out, struct text *escaped, const char *bytes, size_t length) {
    text_clear(escaped);
    text_append_escaped(escaped, bytes, length);
    if (needs_quotes(text_string(escaped))) {
        append_quoted(out, escaped);
    } else {
        text_append(out, escaped->bytes, escaped->length);
    }
}
