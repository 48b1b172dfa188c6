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

/* Returns whether an unlinkat() removes a directory, by its flag AT_REMOVEDIR. */
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

bool file_call_is_file(const struct export_event *event) {
    /* Importers give these names to objects without a path; strace -y logs /memfd:NAME. */
    static const char *const no_files[] = {"pipe", "socket", "memfd", "mqueue"};
    struct word name = {event->file, event->file_length};

    return event->file != NULL &&
           word_among(name, no_files, sizeof no_files / sizeof no_files[0]) == NULL &&
           !word_begins(name, "/dev/") && !word_begins(name, "dev/") &&
           !word_begins(name, "/memfd:") &&
           (word_begins(name, "/") || memmem(name.bytes, name.length, ":[", 2) == NULL);
}

const char *file_call_why_unreplayable(const struct export_event *event, enum file_call call,
                                       int64_t most, bool position) {
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

/* Returns whether a path can be written without quotes or escapes. */
static bool file_calls_is_plain(const char *path, size_t length) {
    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)path[i] <= ' ' || path[i] == 0x7F || path[i] == '"' || path[i] == '\\') {
            return false;
        }
    }
    return length > 0 && length <= FILE_CALL_PATH;
}

void file_call_set_path(struct export_run *run, const struct export_event *event, struct text *path,
                        bool *own) {
    bool wanted = run->real_paths && event->file != NULL;

    *own = wanted && file_calls_is_plain(event->file, event->file_length);
    if (*own) {
        text_append(path, event->file, event->file_length);
        return;
    }
    if (wanted) {
        export_exclude(run, strange_path);
    }
    text_append_format(path, "replay.%lld", (long long)(event->object - run->least_object));
}
