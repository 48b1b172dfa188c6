#include "filesystem/image.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "filesystem/ext_reader.h"
#include "filesystem/f2fs_reader.h"
#include "filesystem/f2fs_volume.h"
#include "filesystem/place.h"
#include "filesystem/unpack.h"

/* AddressSanitizer takes terabytes of addresses. */
#if defined(__SANITIZE_ADDRESS__)
#define ADDRESSES_ARE_FREE
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ADDRESSES_ARE_FREE
#endif
#endif

static void bound(int resource, rlim_t most) {
    struct rlimit limit;

    if (getrlimit(resource, &limit) == 0) {
        limit.rlim_cur =
            limit.rlim_max == RLIM_INFINITY || most < limit.rlim_max ? most : limit.rlim_max;
        setrlimit(resource, &limit);
    }
}

/* What the process reads. */
struct opened {
    int image;
    struct journal_file journals[IMAGE_JOURNALS];
    size_t journal_count;
};

static int by_number(const void *left, const void *right) {
    const int *a = left, *b = right;

    return *a < *b ? -1 : *a > *b;
}

/* Leaves the process its files and little else. SQLite's locks are its parent's, and stay. */
static void confine(const struct opened *opened, int output) {
    int kept[IMAGE_JOURNALS + 2] = {opened->image, output};
    size_t count = 2;
    unsigned from = STDERR_FILENO + 1;

    for (size_t i = 0; i < opened->journal_count; i++) {
        kept[count++] = opened->journals[i].descriptor;
    }
    qsort(kept, count, sizeof *kept, by_number);
    for (size_t i = 0; i < count; i++) {
        if ((unsigned)kept[i] > from) {
            close_range(from, (unsigned)kept[i] - 1, 0);
        }
        from = (unsigned)kept[i] + 1;
    }
    close_range(from, ~0U, 0);
    signal(SIGPIPE, SIG_DFL);
    bound(RLIMIT_CORE, 0);
    bound(RLIMIT_FSIZE, 0);
    bound(RLIMIT_CPU, IMAGE_SECONDS);
#ifndef ADDRESSES_ARE_FREE
    bound(RLIMIT_AS, IMAGE_MEMORY);
#endif
}

static bool read_filesystem(const struct image_request *request, const struct opened *opened,
                            struct file_map *map, struct error *error) {
    const struct ext_request wanted = {!request->without_journal, opened->journals,
                                       opened->journal_count};
    unsigned char head[2048];

    if (pread(opened->image, head, sizeof head, (off_t)map->offset) != (ssize_t)sizeof head ||
        !f2fs_is_there(head)) {
        return ext_read(opened->image, &wanted, map, error);
    }
    return opened->journal_count == 0
               ? f2fs_read(opened->image, map, error)
               : error_set(error, "F2FS has no journal, which %s could be a copy of",
                           opened->journals[0].name);
}

static bool read_opened(const struct image_request *request, const struct opened *opened,
                        struct file_map *map, struct error *error) {
    *map = (struct file_map){0};
    return (request->of_device && request->offset != PLACE_NOT_GIVEN
                ? place_find_of_device(opened->image, request->offset, &map->offset, error)
                : place_find(opened->image, request->offset, request->partition, &map->offset,
                             error)) &&
           read_filesystem(request, opened, map, error);
}

bool image_read_here(const struct image_request *request, int descriptor, struct file_map *map,
                     struct error *error) {
    const struct opened opened = {.image = descriptor};

    return read_opened(request, &opened, map, error);
}

/* What the process does; it never returns, and nothing that the program has open is flushed or
 * closed by it. Its error goes first through the pipe, and the map only behind one that is none. */
__attribute__((noreturn)) static void read_apart(const struct image_request *request,
                                                 const struct opened *opened, int output) {
    struct file_map map;
    struct error error = {0};
    bool done;

    confine(opened, output);
    done = read_opened(request, opened, &map, &error);
    if (write(output, &error, sizeof error) != (ssize_t)sizeof error ||
        (done && !file_map_send(&map, output))) {
        _exit(EXIT_FAILED);
    }
    _exit(EXIT_DONE);
}

/* Reads what comes through the pipe. Of the error nothing is believed but that it is text. */
static bool receive(int input, struct file_map *map, bool *answered, struct error *error) {
    struct error told;

    *answered = read(input, &told, sizeof told) == (ssize_t)sizeof told;
    if (!*answered) {
        return false;
    }
    told.message[sizeof told.message - 1] = '\0';
    if (told.status != EXIT_DONE) {
        return error_set(error, "%s", told.message);
    }
    return file_map_receive(map, input, error) ||
           error_context(error, "what was read of it cannot be used");
}

/* Why there is no answer, by how the process ended. */
static bool explain(int status, struct error *error) {
    if (!WIFSIGNALED(status)) {
        return error_set(error, "the file system could not be read to its end");
    }
    if (WTERMSIG(status) == SIGXCPU) {
        return error_set(error, "it was not understood within %d s", IMAGE_SECONDS);
    }
    return error_set(error, "the file system is damaged beyond reading (its reader stopped: %s)",
                     strsignal(WTERMSIG(status)));
}

static bool await(pid_t process, int *status, struct error *error) {
    while (waitpid(process, status, 0) < 0) {
        if (errno != EINTR) {
            return error_set(error, "cannot wait for a process: %s", strerror(errno));
        }
    }
    return true;
}

static bool read_in_process(const struct image_request *request, const struct opened *opened,
                            struct file_map *map, struct error *error) {
    bool answered = false, done;
    int ends[2], status = 0;
    pid_t process;

    if (pipe2(ends, O_CLOEXEC) != 0) {
        return error_set(error, "cannot make a pipe: %s", strerror(errno));
    }
    process = fork();
    if (process == 0) {
        close(ends[0]);
        read_apart(request, opened, ends[1]);
    }
    close(ends[1]);
    if (process < 0) {
        close(ends[0]);
        return error_set(error, "cannot start a process: %s", strerror(errno));
    }
    done = receive(ends[0], map, &answered, error);
    close(ends[0]);
    if (!await(process, &status, error)) {
        return false;
    }
    return done || (!answered || WIFSIGNALED(status) ? explain(status, error) : false);
}

static bool open_all(const struct image_request *request, struct opened *opened,
                     struct error *error) {
    if (request->journal_count > IMAGE_JOURNALS) {
        return error_set_status(error, EXIT_USAGE, "there are at most %d copies of a journal",
                                IMAGE_JOURNALS);
    }
    opened->image = unpack_image(request->path, error);
    while (opened->image >= 0 && opened->journal_count < request->journal_count) {
        const char *name = request->journals[opened->journal_count];
        int descriptor = unpack_image(name, error);

        if (descriptor < 0) {
            return false;
        }
        opened->journals[opened->journal_count++] = (struct journal_file){name, descriptor};
    }
    return opened->image >= 0;
}

bool image_read(const struct image_request *request, struct file_map *map, struct error *error) {
    struct opened opened = {.image = -1};
    bool done = open_all(request, &opened, error);

    *map = (struct file_map){0};
    done = done && (read_in_process(request, &opened, map, error) ||
                    error_context(error, "%s", request->path));
    for (size_t i = 0; i < opened.journal_count; i++) {
        close(opened.journals[i].descriptor);
    }
    if (opened.image >= 0) {
        close(opened.image);
    }
    return done;
}

/* Compares from the beginning, where the superblock of two states differs. */
static bool same_bytes(int one, int other) {
    char bytes[2][1 << 14];
    ssize_t got;
    off_t at = 0;

    do {
        got = pread(one, bytes[0], sizeof bytes[0], at);
        if (got < 0 || pread(other, bytes[1], sizeof bytes[1], at) != got ||
            memcmp(bytes[0], bytes[1], (size_t)got) != 0) {
            return false;
        }
        at += got;
    } while (got > 0);
    return true;
}

bool image_same(const char *path, const char *other, bool *same, struct error *error) {
    int one = unpack_image(path, error), two = one < 0 ? -1 : unpack_image(other, error);

    *same = one >= 0 && two >= 0 && same_bytes(one, two);
    if (one >= 0) {
        close(one);
    }
    if (two >= 0) {
        close(two);
    }
    return two >= 0;
}
