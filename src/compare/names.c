#include "compare/names.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"

struct compare_name {
    char *old; /* owned */
    char *renamed;
    UT_hash_handle hh;
};

/* --- the file --------------------------------------------------------------------------------- */

static void free_name(struct compare_name *name) {
    if (name != NULL) {
        free(name->old);
        free(name->renamed);
        free(name);
    }
}

/* The first line of a name counts. */
static bool add_name(struct compare_names *names, const char *old, const char *renamed,
                     struct error *error) {
    struct compare_name *name = NULL;
    size_t length = strlen(old);

    HASH_FIND(hh, names->names, old, length, name);
    if (name != NULL) {
        return true;
    }
    name = xcalloc(1, sizeof *name);
    if (name != NULL) {
        name->old = xstrdup(old);
        name->renamed = xstrdup(renamed);
    }
    if (name == NULL || name->old == NULL || name->renamed == NULL) {
        free_name(name);
        return error_no_memory(error);
    }
    HASH_ADD_KEYPTR(hh, names->names, name->old, length, name);
    return true;
}

static bool load_line(struct compare_names *names, const char *file, long number, char *line,
                      struct error *error) {
    size_t length = strlen(line);
    char *tab;

    if (number > COMPARE_NAMES_LINES || length == COMPARE_NAMES_LINE - 1) {
        return error_set(error, "%s:%ld: too long; %d lines of %d bytes at most", file, number,
                         COMPARE_NAMES_LINES, COMPARE_NAMES_LINE - 2);
    }
    line[strcspn(line, "\r\n")] = '\0';
    if (line[0] == '\0' || line[0] == '#') {
        return true;
    }
    tab = strchr(line, '\t');
    if (tab == NULL || tab == line || tab[1] == '\0' || strchr(tab + 1, '\t') != NULL) {
        return error_set(error, "%s:%ld: not a name, a TAB and what it is called in b", file,
                         number);
    }
    *tab = '\0';
    return add_name(names, line, tab + 1, error);
}

bool compare_names_load(struct compare_names *names, const char *file, struct error *error) {
    FILE *stream = file_open_stream(file);
    char line[COMPARE_NAMES_LINE];
    bool done = stream != NULL;

    if (!done) {
        return error_set(error, "%s: cannot open: %s", file, file_cause(errno));
    }
    for (long number = 1; done && fgets(line, sizeof line, stream) != NULL; number++) {
        done = load_line(names, file, number, line, error);
    }
    if (done && ferror(stream)) {
        done = error_set(error, "%s: cannot read: %s", file, file_cause(errno));
    }
    fclose(stream);
    return done;
}

/* --- names ------------------------------------------------------------------------------------ */

/* Appends the name with an ellipsis in place of the digits behind each 0x. */
static void append_stripped(struct text *out, const char *bytes, size_t length) {
    for (size_t i = 0; i < length; i++) {
        text_append_char(out, bytes[i]);
        if (bytes[i] != 'x' || i == 0 || bytes[i - 1] != '0' || i + 1 == length ||
            !isxdigit((unsigned char)bytes[i + 1])) {
            continue;
        }
        text_append_string(out, "…");
        while (i + 1 < length && isxdigit((unsigned char)bytes[i + 1])) {
            i++;
        }
    }
}

bool compare_names_apply(struct compare_names *names, bool matched, struct value *value,
                         struct error *error) {
    struct compare_name *name = NULL;

    if (value->type != VALUE_TEXT) {
        return true;
    }
    if (matched && names->names != NULL) {
        HASH_FIND(hh, names->names, value->bytes, value->length, name);
    }
    if (name != NULL) {
        value->bytes = name->renamed;
        value->length = strlen(name->renamed);
    }
    if (names->strip_hex) {
        text_clear(&names->buffer);
        append_stripped(&names->buffer, value->bytes, value->length);
        value->bytes = text_string(&names->buffer);
        value->length = names->buffer.length;
    }
    return true;
}

void compare_names_free(struct compare_names *names) {
    struct compare_name *name, *next;

    HASH_ITER(hh, names->names, name, next) {
        HASH_DEL(names->names, name);
        free_name(name);
    }
    text_free(&names->buffer);
    *names = (struct compare_names){0};
}
