#include "input/members.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/search.h"
#include "input/archive.h"

enum {
    NAME_MOST = 4000,        /* maximum bytes used of a file's name in an archive */
    BEGINNING = 1024 * 1024, /* number of bytes of a compressed archive in which a tar is
                                recognised: a bzip2 block has up to 900 kB */
};

struct member {
    int64_t offset, size;
    size_t name; /* offset in `path` after the directory that all files of the archive share */
    UT_hash_handle hh;
    char path[];
};

/* Files of all unpacked archives. Global, as the list of database files is (base/file.h). */
static struct {
    struct member *members;
    int descriptor; /* temporary file with the contents of the files; open if there are members */
    int64_t size;
} all;

struct unpack {
    const char *path; /* path of the archive */
    int64_t packed;   /* size of the archive in bytes */
    int64_t unpacked; /* number of bytes unpacked so far */
    struct input_stop stop;
    /* first and last file of this archive in `all.members`, in order of unpacking */
    struct member *first, *last;
    char **paths;
    size_t count, capacity;
};

/* --- unpacking an archive --------------------------------------------------------------------- */

/* Returns the path ARCHIVE/NAME of a file; if it is taken, the file's number is appended. */
static char *unique_path_of_member(const struct unpack *unpack, const char *name) {
    char *path;

    while (*name == '/' || strncmp(name, "./", 2) == 0) {
        name += *name == '/' ? 1 : 2;
    }
    path = xasprintf("%s/%.*s", unpack->path, NAME_MOST, name);
    if (member_find(path) != NULL) {
        free(path);
        path = xasprintf("%s/%.*s#%zu", unpack->path, NAME_MOST, name, unpack->count + 1);
    }
    return path;
}

static bool members_begin_member(void *context, const char *name, struct error *error) {
    struct unpack *unpack = context;
    char *path;
    size_t length;

    if (unpack->count == MEMBERS_MOST) {
        return error_set(error, "it holds more than %d files", MEMBERS_MOST);
    }
    path = unique_path_of_member(unpack, name);
    if (member_find(path) != NULL) {
        error_set(error, "it holds several files named %s", path);
        free(path);
        return false;
    }
    length = strlen(path);
    unpack->last = xcalloc(1, sizeof *unpack->last + length + 1);
    memcpy(unpack->last->path, path, length + 1);
    unpack->last->offset = all.size;
    HASH_ADD(hh, all.members, path, length, unpack->last);
    unpack->first = unpack->count == 0 ? unpack->last : unpack->first;
    *ARRAY_NEW(unpack->paths, unpack->count, unpack->capacity) = path;
    return true;
}

/* Counts unpacked bytes. Returns false if there are too many, or the user interrupts. */
static bool members_count_bytes(void *context, const void *bytes, size_t length,
                                struct error *error) {
    struct unpack *unpack = context;

    (void)bytes;
    if (unpack->stop.stop != NULL && unpack->stop.stop(unpack->stop.context)) {
        return error_set_status(error, EXIT_INTERRUPTED, "interrupted");
    }
    unpack->unpacked += (int64_t)length;
    if (unpack_is_bomb(unpack->unpacked, unpack->packed)) {
        return error_set(error, "it expands to more than %d times its size and more than 4 GiB",
                         INPUT_UNPACKED_TIMES);
    }
    return true;
}

static bool add_bytes(void *context, const void *bytes, size_t length, struct error *error) {
    struct unpack *unpack = context;

    if (!members_count_bytes(context, bytes, length, error)) {
        return false;
    }
    all.size += (int64_t)length;
    unpack->last->size += (int64_t)length;
    return temporary_file_write(all.descriptor, bytes, length, error);
}

/* Sorts the paths. Finds the directory that all files share, by the first and last path. */
static void name_members(struct unpack *unpack) {
    const char *first, *last;
    size_t name, same;

    qsort(unpack->paths, unpack->count, sizeof *unpack->paths, compare_strings);
    first = unpack->paths[0];
    last = unpack->paths[unpack->count - 1];
    name = strlen(unpack->path) + 1;
    for (same = name; first[same] != '\0' && first[same] == last[same]; same++) {
        name = first[same] == '/' ? same + 1 : name;
    }
    for (; unpack->first != NULL; unpack->first = unpack->first->hh.next) {
        unpack->first->name = name;
    }
}

static bool unpack_all(struct unpack *unpack, int descriptor, const char *format,
                       struct error *error) {
    struct archive_sink sink = {members_begin_member, add_bytes, unpack};

    if (all.members == NULL) {
        all.size = 0;
        all.descriptor = temporary_file_create(NULL, error);
        if (all.descriptor < 0) {
            return false;
        }
    }
    if (!archive_read_all(descriptor, &sink, error) ||
        (unpack->count == 0 && !error_set(error, "it holds no file"))) {
        return error_context(error, "%s: cannot unpack (%s)", unpack->path, format);
    }
    name_members(unpack);
    return true;
}

/* Opens `path` if it is an archive with several files; returns -1 for any other file. */
static int open_archive(struct unpack *unpack, const char **format) {
    const char *path = unpack->path;
    struct archive_sink sink = {.bytes = members_count_bytes, .context = unpack};
    uint8_t *beginning;
    struct stat status;
    ssize_t length;
    int descriptor;

    /* Only regular files: opening a pipe and closing it would end its writer. */
    if (strcmp(path, "-") == 0 || stat(path, &status) != 0 || !S_ISREG(status.st_mode) ||
        (descriptor = file_open(path, O_RDONLY | O_NONBLOCK)) < 0) {
        return -1;
    }
    beginning = xmalloc(BEGINNING);
    *format = NULL;
    if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
        (length = pread(descriptor, beginning, BEGINNING, 0)) > 0) {
        *format = archive_format_of(beginning, (size_t)length);
        unpack->packed = (int64_t)status.st_size;
    }
    free(beginning);
    if (*format == NULL || strcmp(*format, "bzip2") == 0 ||
        !archive_holds_several(descriptor, &sink) || lseek(descriptor, 0, SEEK_SET) != 0) {
        close(descriptor);
        return -1;
    }
    unpack->unpacked = 0;
    return descriptor;
}

bool members_unpack(const char *path, struct input_stop stop, char ***paths, size_t *count,
                    struct error *error) {
    struct unpack unpack = {.path = path, .stop = stop};
    const char *format;
    int descriptor = open_archive(&unpack, &format);
    bool done = true;

    if (descriptor >= 0) {
        done = unpack_all(&unpack, descriptor, format, error);
        close(descriptor);
    }
    for (size_t i = 0; !done && i < unpack.count; i++) {
        free(unpack.paths[i]);
    }
    if (!done) {
        free(unpack.paths);
        unpack.paths = NULL;
        unpack.count = 0;
    }
    *paths = unpack.paths;
    *count = unpack.count;
    return done;
}

void members_free(void) {
    if (all.members != NULL) {
        close(all.descriptor);
        HASH_FREE(all.members);
    }
}

/* --- reading a file of an archive ------------------------------------------------------------- */

const struct member *member_find(const char *path) {
    struct member *member = NULL;

    if (all.members != NULL) {
        HASH_FIND(hh, all.members, path, strlen(path), member);
    }
    return member;
}

int64_t member_size(const struct member *member) {
    return member->size;
}

size_t member_name_offset(const struct member *member) {
    return member->name;
}

ssize_t member_read(const struct member *member, void *buffer, size_t capacity, int64_t offset) {
    int64_t rest = member->size - offset;

    return pread(all.descriptor, buffer, (int64_t)capacity < rest ? capacity : (size_t)rest,
                 member->offset + offset);
}
