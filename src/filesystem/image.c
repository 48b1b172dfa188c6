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

/* Leaves the process its two files and little else. SQLite's locks are its parent's, and stay. */
static void confine(int image, int output) {
    const int kept[] = {image < output ? image : output, image < output ? output : image};
    unsigned from = STDERR_FILENO + 1;

    for (size_t i = 0; i < 2; i++) {
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

static bool read_filesystem(int descriptor, struct file_map *map, struct error *error) {
    unsigned char head[2048];

    return pread(descriptor, head, sizeof head, (off_t)map->offset) == (ssize_t)sizeof head &&
                   f2fs_is_there(head)
               ? f2fs_read(descriptor, map, error)
               : ext_read(descriptor, map, error);
}

bool image_read_here(const struct image_request *request, int descriptor, struct file_map *map,
                     struct error *error) {
    *map = (struct file_map){0};
    return (request->of_device && request->offset != PLACE_NOT_GIVEN
                ? place_find_of_device(descriptor, request->offset, &map->offset, error)
                : place_find(descriptor, request->offset, request->partition, &map->offset,
                             error)) &&
           read_filesystem(descriptor, map, error);
}

/* What the process does; it never returns, and nothing that the program has open is flushed or
 * closed by it. Its error goes first through the pipe, and the map only behind one that is none. */
__attribute__((noreturn)) static void read_apart(const struct image_request *request, int image,
                                                 int output) {
    struct file_map map;
    struct error error = {0};
    bool done;

    confine(image, output);
    done = image_read_here(request, image, &map, &error);
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

static bool read_in_process(const struct image_request *request, int image, struct file_map *map,
                            struct error *error) {
    bool answered = false, done;
    int ends[2], status = 0;
    pid_t process;

    if (pipe2(ends, O_CLOEXEC) != 0) {
        return error_set(error, "cannot make a pipe: %s", strerror(errno));
    }
    process = fork();
    if (process == 0) {
        close(ends[0]);
        read_apart(request, image, ends[1]);
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

bool image_read(const struct image_request *request, struct file_map *map, struct error *error) {
    int image = unpack_image(request->path, error);
    bool done;

    *map = (struct file_map){0};
    if (image < 0) {
        return false;
    }
    done = read_in_process(request, image, map, error) || error_context(error, "%s", request->path);
    close(image);
    return done;
}
