/* Renames names that mean the same in two traces: by the user's file, and by removing parts that
 * the system assigns anew in each run. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/words.h"
#include "compare/table.h"

struct compare_name {
    char *old; /* owned */
    char *renamed;
    UT_hash_handle hh;
};

/* Adds a name; the first line of a name counts. */
static void add_name(struct compare_names *names, const char *old, const char *renamed) {
    struct compare_name *name = NULL;
    size_t length = strlen(old);

    HASH_FIND(hh, names->names, old, length, name);
    if (name == NULL) {
        name = xcalloc(1, sizeof *name);
        name->old = xstrdup(old);
        name->renamed = xstrdup(renamed);
        HASH_ADD_KEYPTR(hh, names->names, name->old, length, name);
    }
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
        return error_set(error, "%s:%ld: expected a name, a TAB and the name in b", file, number);
    }
    *tab = '\0';
    add_name(names, line, tab + 1);
    return true;
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

/* Appends the name with an ellipsis instead of the digits after each 0x. */
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

/* --- what the system numbers anew ------------------------------------------------------------- */

static size_t digits_at(const char *bytes, const char *end) {
    size_t length = 0;

    while (bytes + length < end && isdigit((unsigned char)bytes[length])) {
        length++;
    }
    return length;
}

/* Returns whether six characters look like the random part of a mkstemp() name: mixed kinds, unlike
 * a word or a word with a number. */
static bool is_random(const char *six) {
    int upper = 0, lower = 0, digits = 0, changes = 0;

    for (int i = 0; i < 6; i++) {
        const unsigned char at = (unsigned char)six[i];

        if (!isalnum(at)) {
            return false;
        }
        upper += isupper(at) != 0;
        lower += islower(at) != 0;
        digits += isdigit(at) != 0;
        changes += i > 0 && (!isupper(at) != !isupper((unsigned char)six[i - 1]) ||
                             !isdigit(at) != !isdigit((unsigned char)six[i - 1]));
    }
    return changes >= 2 && (upper > 0) + (lower > 0) + (digits > 0) >= 2;
}

/* Returns whether the name begins like Python's temporary files: "tmp" and eight random characters.
 */
static bool is_python_temporary(const char *bytes, size_t length) {
    return length >= 11 && memcmp(bytes, "tmp", 3) == 0 &&
           strspn(bytes + 3, "abcdefghijklmnopqrstuvwxyz0123456789_") >= 8 &&
           (length == 11 || bytes[11] == '.');
}

/* Appends a component of a path with the random part as *. In directories of temporary files, any
 * six random characters count; elsewhere only after a dot or a dash. */
static void append_component(struct text *out, const char *bytes, size_t length,
                             bool is_temporary) {
    const char *dot = memchr(bytes, '.', length);
    const size_t stem = dot != NULL && dot > bytes ? (size_t)(dot - bytes) : length;
    size_t at = length;

    if (is_temporary && is_python_temporary(bytes, length)) {
        text_append_string(out, "tmp*");
        text_append(out, bytes + 11, length - 11);
        return;
    }
    if (is_temporary && stem >= 6 && is_random(bytes + stem - 6)) {
        at = stem - 6;
    } else if (length > 6 && strchr(is_temporary ? ".-_" : ".-", bytes[length - 7]) != NULL &&
               is_random(bytes + length - 6)) {
        at = length - 6;
    }
    text_append(out, bytes, at);
    if (at < length) {
        text_append_char(out, '*');
        text_append(out, bytes + at + 6, length - at - 6);
    }
}

static bool begins_with(const char *bytes, const char *end, const char *word) {
    return (size_t)(end - bytes) >= strlen(word) && memcmp(bytes, word, strlen(word)) == 0;
}

/* Appends a path without pids and random parts of names. */
static void append_path(struct text *out, const char *bytes, size_t length) {
    const char *end = bytes + length, *at = bytes;
    const bool is_process = begins_with(bytes, end, "/proc/");
    const bool is_temporary = begins_with(bytes, end, "/tmp/") ||
                              begins_with(bytes, end, "/var/tmp/") ||
                              begins_with(bytes, end, "/dev/shm/");

    while (at < end) {
        const char *slash = memchr(at, '/', (size_t)(end - at));
        const size_t part = slash == NULL ? (size_t)(end - at) : (size_t)(slash - at);

        if (is_process && part > 0 && digits_at(at, at + part) == part) {
            text_append_char(out, '*');
        } else {
            append_component(out, at, part, is_temporary);
        }
        text_append_string(out, slash == NULL ? "" : "/");
        at += part + (slash != NULL);
    }
}

/* Appends a thread's label without its ids (thread_label.h): git/100 becomes git, 100:cc1/101
 * becomes cc1, 101 and 100:101 become *. */
static void append_thread(struct text *out, const char *bytes, size_t length) {
    const char *begin = bytes, *end = bytes + length;
    const size_t digits = digits_at(begin, end);

    if (digits > 0 && digits < length && begin[digits] == ':') {
        begin += digits + 1;
    }
    if (begin < end && digits_at(begin, end) == (size_t)(end - begin)) {
        text_append_char(out, '*');
        return;
    }
    for (bytes = end; bytes > begin && isdigit((unsigned char)bytes[-1]); bytes--) {
    }
    if (bytes < end && bytes > begin + 1 && bytes[-1] == '/') {
        end = bytes - 1;
    }
    text_append(out, begin, (size_t)(end - begin));
}

/* Appends the name without the parts that differ from run to run. */
static void append_lasting(const struct compare_names *names, struct text *out, const char *column,
                           const char *bytes, size_t length) {
    const char *open = memmem(bytes, length, ":[", 2);

    if (word_in(names->has_pids ? "thread process" : "thread", column)) {
        append_thread(out, bytes, length);
    } else if (open != NULL && bytes[length - 1] == ']' &&
               digits_at(open + 2, bytes + length) == (size_t)(bytes + length - open) - 3) {
        text_append(out, bytes, (size_t)(open - bytes) + 2);
        text_append_string(out, "*]");
    } else if (length > 0 && bytes[0] == '/') {
        append_path(out, bytes, length);
    } else {
        text_append(out, bytes, length);
    }
}

/* Returns whether the call returns a process number or an address. */
static bool is_of_process(const struct value *call) {
    return call->type == VALUE_TEXT &&
           word_in("getpid gettid getppid getpgrp getpgid getsid fork vfork clone clone3 wait4 "
                   "waitid set_tid_address setsid brk mmap mremap shmat",
                   call->bytes);
}

bool compare_names_apply(struct compare_names *names, bool matched, const char *column,
                         const struct value *first, struct value *value) {
    struct compare_name *name = NULL;
    struct text lasting = {0};
    bool differs;

    if (!names->is_exact && first != NULL && value->type == VALUE_INTEGER && value->integer > 0 &&
        is_of_process(first)) {
        *value = value_text("*");
        return true;
    }
    if (value->type != VALUE_TEXT) {
        return false;
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
    if (names->is_exact) {
        return false;
    }
    append_lasting(names, &lasting, column, value->bytes, value->length);
    differs = lasting.length != value->length ||
              memcmp(text_string(&lasting), value->bytes, value->length) != 0;
    if (differs) {
        text_clear(&names->buffer);
        text_append(&names->buffer, lasting.bytes, lasting.length);
        value->bytes = text_string(&names->buffer);
        value->length = names->buffer.length;
    }
    text_free(&lasting);
    return differs;
}

void compare_names_free(struct compare_names *names) {
    struct compare_name *name, *next;

    HASH_ITER(hh, names->names, name, next) {
        HASH_DEL(names->names, name);
        free(name->old);
        free(name->renamed);
        free(name);
    }
    text_free(&names->buffer);
    *names = (struct compare_names){0};
}
