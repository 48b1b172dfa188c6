#include "export/file_calls.h"

#include <string.h>

#include "input/word.h"
#include "model/event.h"

static const char failed[] = "calls that failed";
static const char no_result[] = "calls without a result";
static const char no_offset[] = "reads and writes at an offset that is not known";
static const char far_offset[] = "reads and writes beyond 2 GiB of a file, or of as much at once";
static const char strange_path[] =
    "paths with blanks or quotation marks, or beyond 255 bytes: their files are called replay.N";

static const struct {
    const char *name;
    enum file_call call;
} names[] = {
    {"open", FILE_CALL_OPEN},           {"openat", FILE_CALL_OPEN},
    {"openat2", FILE_CALL_OPEN},        {"creat", FILE_CALL_OPEN},
    {"close", FILE_CALL_CLOSE},         {"read", FILE_CALL_READ},
    {"readv", FILE_CALL_READ},          {"write", FILE_CALL_WRITE},
    {"writev", FILE_CALL_WRITE},        {"pread", FILE_CALL_READ_AT},
    {"pread64", FILE_CALL_READ_AT},     {"preadv", FILE_CALL_READ_AT},
    {"preadv2", FILE_CALL_READ_AT},     {"pwrite", FILE_CALL_WRITE_AT},
    {"pwrite64", FILE_CALL_WRITE_AT},   {"pwritev", FILE_CALL_WRITE_AT},
    {"pwritev2", FILE_CALL_WRITE_AT},   {"fsync", FILE_CALL_SYNC},
    {"fdatasync", FILE_CALL_SYNC_DATA}, {"access", FILE_CALL_ACCESS},
    {"faccessat", FILE_CALL_ACCESS},    {"faccessat2", FILE_CALL_ACCESS},
    {"stat", FILE_CALL_STATUS},         {"stat64", FILE_CALL_STATUS},
    {"newfstatat", FILE_CALL_STATUS},   {"fstatat64", FILE_CALL_STATUS},
    {"statx", FILE_CALL_STATUS},        {"lstat", FILE_CALL_LINK_STATUS},
    {"lstat64", FILE_CALL_LINK_STATUS}, {"unlink", FILE_CALL_UNLINK},
    {"unlinkat", FILE_CALL_UNLINK},     {"copy_file_range", FILE_CALL_COPY},
    {"sendfile", FILE_CALL_COPY},       {"sendfile64", FILE_CALL_COPY},
    {"splice", FILE_CALL_COPY},
};

/* An unlinkat() that is an rmdir(). */
static bool removes_folder(const struct export_event *event) {
    return event->arguments != NULL && memmem(event->arguments, event->arguments_length,
                                              "AT_REMOVEDIR", strlen("AT_REMOVEDIR")) != NULL;
}

enum file_call file_call_of(const struct export_event *event) {
    if (event->category == NULL || strcmp(event->category, "syscall") != 0) {
        return FILE_CALL_NONE;
    }
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(names[i].name, event->action) == 0) {
            return names[i].call == FILE_CALL_UNLINK && removes_folder(event) ? FILE_CALL_NONE
                                                                              : names[i].call;
        }
    }
    return FILE_CALL_NONE;
}

bool file_call_transfers(enum file_call call) {
    return call >= FILE_CALL_READ && call <= FILE_CALL_WRITE_AT;
}

static bool is_digit_or_letter(char byte) {
    return word_is_digit(byte) || ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'z');
}

/* The digits, letters and underscores that it begins with. */
static struct word leading_word(struct word text) {
    size_t length = 0;

    while (length < text.length &&
           (is_digit_or_letter(text.bytes[length]) || text.bytes[length] == '_')) {
        length++;
    }
    return (struct word){text.bytes, length};
}

/* The first argument's number: 3, 0x3; behind its name: fd=3, fd: 3. */
static struct word first_number(const struct export_event *event) {
    struct word rest = {event->arguments, event->arguments_length}, word;

    if (event->arguments == NULL) {
        return (struct word){"", 0};
    }
    word = leading_word(rest);
    word_skip(&rest, word.length);
    return word.length > 0 && (word_accept(&rest, "=") || word_accept(&rest, ": "))
               ? leading_word(rest)
               : word;
}

int64_t file_call_descriptor(const struct export_run *run, const struct export_event *event,
                             enum file_call call) {
    bool always_hex = strcmp(run->trace->trace->format, "ftrace") == 0;
    struct word digits;
    uint64_t hex;
    int64_t number;

    if (call == FILE_CALL_OPEN) {
        return event->value;
    }
    digits = first_number(event);
    if (always_hex || (digits.length > 2 && word_begins(digits, "0x"))) {
        return word_hex(digits, INT32_MAX, &hex) ? (int64_t)hex : EVENT_NONE;
    }
    return word_number(digits, INT32_MAX, &number) ? number : EVENT_NONE;
}

static bool is_flag_letter(char byte) {
    return byte == '_' || byte == '|' || word_is_digit(byte) || (byte >= 'A' && byte <= 'Z');
}

/* Behind the path, which may hold anything. */
static size_t behind_path(const struct export_event *event) {
    const char *bytes = event->arguments;
    size_t at = 0;

    while (at < event->arguments_length && bytes[at] != '"') {
        at++;
    }
    if (at == event->arguments_length) {
        return 0;
    }
    for (at++; at < event->arguments_length && bytes[at] != '"'; at++) {
        at += bytes[at] == '\\';
    }
    return at < event->arguments_length ? at : event->arguments_length;
}

const char *file_call_flags(const struct export_event *event, size_t *length) {
    size_t at;

    *length = 0;
    if (strcmp(event->action, "creat") == 0) {
        *length = strlen("O_WRONLY|O_CREAT|O_TRUNC");
        return "O_WRONLY|O_CREAT|O_TRUNC";
    }
    if (event->arguments == NULL) {
        return NULL;
    }
    for (at = behind_path(event); at + 2 < event->arguments_length; at++) {
        if (memcmp(event->arguments + at, "O_", 2) == 0) {
            while (at + *length < event->arguments_length &&
                   is_flag_letter(event->arguments[at + *length])) {
                ++*length;
            }
            return event->arguments + at;
        }
    }
    return NULL;
}

bool file_call_is_file(const struct export_event *event) {
    /* As importers call what has no path; strace -y has /memfd:NAME. */
    static const char *const no_files[] = {"pipe", "socket", "memfd", "mqueue"};
    struct word name = {event->file, event->file_length};

    return event->file != NULL &&
           word_among(name, no_files, sizeof no_files / sizeof no_files[0]) == NULL &&
           !word_begins(name, "/dev/") && !word_begins(name, "dev/") &&
           !word_begins(name, "/memfd:") &&
           (word_begins(name, "/") || memmem(name.bytes, name.length, ":[", 2) == NULL);
}

const char *file_call_obstacle(const struct export_event *event, enum file_call call, int64_t most,
                               bool position) {
    bool at = call == FILE_CALL_READ_AT || call == FILE_CALL_WRITE_AT;

    if (event->value == EVENT_NONE) {
        return no_result;
    }
    if (event->value < 0) {
        return failed;
    }
    if (!file_call_transfers(call)) {
        return NULL;
    }
    if ((at || position) && (event->sector == EVENT_NONE || event->sector < 0)) {
        return no_offset;
    }
    return event->value >= most || ((at || position) && event->sector >= most) ? far_offset : NULL;
}

/* Neither quoted nor escaped. */
static bool is_plain(const char *path, size_t length) {
    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)path[i] <= ' ' || path[i] == 0x7F || path[i] == '"' || path[i] == '\\') {
            return false;
        }
    }
    return length > 0 && length <= FILE_CALL_PATH;
}

void file_call_path(struct export_run *run, const struct export_event *event, struct text *path,
                    bool *own) {
    bool wanted = run->real_paths && event->file != NULL;

    *own = wanted && is_plain(event->file, event->file_length);
    if (*own) {
        text_append(path, event->file, event->file_length);
        return;
    }
    if (wanted) {
        export_leave_out(run, strange_path);
    }
    text_append_format(path, "replay.%lld", (long long)(event->object - run->least_object));
}
