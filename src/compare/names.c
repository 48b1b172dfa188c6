/* Replaces names so that equal things match in two traces: by the file of --match, and by removing
 * parts that differ between runs. */
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
    char *old; /* owned, as is `renamed` */
    char *renamed;
    UT_hash_handle hh;
};

/* Adds a name and its replacement. Ignores further lines for the same name. */
static void names_add_name(struct compare_names *names, const char *old, const char *renamed) {
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

static bool names_load_line(struct compare_names *names, const char *file, long number, char *line,
                            struct error *error) {
    size_t length = strlen(line);
    char *tab;

    if (number > COMPARE_NAMES_LINES || length == COMPARE_NAMES_LINE - 1) {
        return error_set(error,
                         "%s:%ld: the file or this line is too long; at most %d lines of %d bytes",
                         file, number, COMPARE_NAMES_LINES, COMPARE_NAMES_LINE - 2);
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
    names_add_name(names, line, tab + 1);
    return true;
}

bool compare_names_load(struct compare_names *names, const char *file, struct error *error) {
    FILE *stream = file_open_stream(file);
    char line[COMPARE_NAMES_LINE];
    bool done = stream != NULL;

    if (!done) {
        return error_set(error, "%s: cannot open: %s", file, file_strerror(errno));
    }
    for (long number = 1; done && fgets(line, sizeof line, stream) != NULL; number++) {
        done = names_load_line(names, file, number, line, error);
    }
    if (done && ferror(stream)) {
        done = error_set(error, "%s: cannot read: %s", file, file_strerror(errno));
    }
    fclose(stream);
    return done;
}

/* Appends the name; replaces the hexadecimal digits after each 0x by an ellipsis (…). */
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

/* --- names with pids and random parts --------------------------------------------------------- */

static size_t digits_at(const char *bytes, const char *end) {
    size_t length = 0;

    while (bytes + length < end && isdigit((unsigned char)bytes[length])) {
        length++;
    }
    return length;
}

/* Returns whether `count` characters look like the random part that mkstemp() makes: unlike in a
 * word, they change between upper case, lower case and digits at least twice. */
static bool is_random(const char *six, int count) {
    int upper = 0, lower = 0, digits = 0, changes = 0;

    for (int i = 0; i < count; i++) {
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

/* Returns whether a name looks like Python's temporary files: "tmp" and eight random characters. */
static bool is_python_temporary(const char *bytes, size_t length) {
    return length >= 11 && memcmp(bytes, "tmp", 3) == 0 &&
           strspn(bytes + 3, "abcdefghijklmnopqrstuvwxyz0123456789_") >= 8 &&
           (length == 11 || bytes[11] == '.');
}

/* Returns the position of a number of four to seven digits without letters next to it, such as the
 * pid in app.4711.lock; `length` if there is none. */
static size_t find_number(const char *bytes, size_t length) {
    for (size_t at = 0, digits; at < length; at += digits + 1) {
        digits = digits_at(bytes + at, bytes + length);
        if (digits >= 4 && digits <= 7 && digits < length &&
            (at == 0 || !isalnum((unsigned char)bytes[at - 1])) &&
            (at + digits == length || !isalnum((unsigned char)bytes[at + digits]))) {
            return at;
        }
    }
    return length;
}

/* Appends a component of a path; * replaces its random part. In directories for temporary files,
 * this is any six random characters, eight of Python's, ten of mktemp(1), or a number like a pid.
 * Elsewhere, it is six characters after a dot or dash, or after "_" in names that begin with "tmp",
 * such as git's tmp_obj_K97XE7. */
static void append_component(struct text *out, const char *bytes, size_t length,
                             bool is_temporary) {
    const bool has_underscore = is_temporary || (length > 3 && memcmp(bytes, "tmp", 3) == 0);
    const char *dot = memchr(bytes, '.', length);
    const size_t stem = dot != NULL && dot > bytes ? (size_t)(dot - bytes) : length;
    size_t at = length, random = 6;

    if (is_temporary && is_python_temporary(bytes, length)) {
        text_append_string(out, "tmp*");
        text_append(out, bytes + 11, length - 11);
        return;
    }
    if (is_temporary && length > 10 && strchr(".-_", bytes[length - 11]) != NULL &&
        is_random(bytes + length - 10, 10)) {
        at = length - 10;
        random = 10;
    } else if (is_temporary && stem >= 6 && is_random(bytes + stem - 6, 6)) {
        at = stem - 6;
    } else if (length > 6 && strchr(has_underscore ? ".-_" : ".-", bytes[length - 7]) != NULL &&
               is_random(bytes + length - 6, 6)) {
        at = length - 6;
    }
    if (is_temporary && random == 6 && stem >= 8 && is_random(bytes + stem - 8, 8) &&
        strcspn(bytes + stem - 8, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") >= 8) {
        at = stem - 8;
        random = 8;
    } else if (is_temporary && at == length) {
        at = find_number(bytes, length);
        random = digits_at(bytes + at, bytes + length);
    }
    text_append(out, bytes, at);
    if (at < length) {
        text_append_char(out, '*');
        text_append(out, bytes + at + random, length - at - random);
    }
}

static bool names_begins_with(const char *bytes, const char *end, const char *word) {
    return (size_t)(end - bytes) >= strlen(word) && memcmp(bytes, word, strlen(word)) == 0;
}

/* Appends a thread's label without its pids (model/thread.h): git/100 becomes git, 100:cc1/101
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

/* Appends the name without pids and other parts that differ between runs. */
static void append_lasting(const struct compare_names *names, struct text *out, const char *column,
                           const char *bytes, size_t length) {
    const char *open = memmem(bytes, length, ":[", 2);
    const char *woken = strcmp(column, "pair") == 0 ? memmem(bytes, length, " > ", 3) : NULL;
    const char *trace = names->trace != NULL ? names->trace : "";
    const size_t most = strlen(trace);

    /* A thread without a pid is named after its log file, as given at the import: * replaces this
     * name. The number in app/31 is a pid even if the log file is named 31. */
    if (word_in("thread process", column) && most > 0 && length >= most &&
        memcmp(bytes + length - most, trace, most) == 0 &&
        (length == most ||
         (bytes[length - most - 1] == '/' && digits_at(trace, trace + most) < most))) {
        text_append_char(out, '*');
    } else if (word_in(names->has_pids ? "thread waker culprit process" : "thread waker culprit",
                       column)) {
        append_thread(out, bytes, length);
    } else if (woken != NULL) {
        append_thread(out, bytes, (size_t)(woken - bytes));
        text_append_string(out, " > ");
        append_thread(out, woken + 3, length - (size_t)(woken + 3 - bytes));
    } else if (open != NULL && bytes[length - 1] == ']' &&
               digits_at(open + 2, bytes + length) == (size_t)(bytes + length - open) - 3) {
        text_append(out, bytes, (size_t)(open - bytes) + 2);
        text_append_string(out, "*]");
    } else if (length > 0 && bytes[0] == '/') {
        const char *end = bytes + length, *at = bytes;
        const bool is_process = names_begins_with(bytes, end, "/proc/");
        const bool is_temporary = names_begins_with(bytes, end, "/tmp/") ||
                                  names_begins_with(bytes, end, "/var/tmp/") ||
                                  names_begins_with(bytes, end, "/dev/shm/");

        /* Appends a path without pids in /proc and without random parts of names. */
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
    } else {
        text_append(out, bytes, length);
    }
}

/* Returns whether the system call returns a pid or an address, which differs from run to run. */
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
