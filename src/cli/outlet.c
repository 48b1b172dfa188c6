#include "cli/outlet.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input/spool.h"

enum {
    BUFFER_SIZE = 64 * 1024,
    LOOKS_EVERY = 50, /* milliseconds; a writer shows itself for longer than that */
    LEAST_ROOM = 256, /* bytes that a terminal takes when it can be written to */
};

struct outlet {
    int descriptor;
    const struct database *database;
    FILE *stream;
    size_t pipe_size; /* 0: it is no pipe */
    int file;         /* of what is to be written later; -1: there is none */
    off_t kept;       /* bytes in it */
    bool patient;     /* there is no room for such a file: the output is waited for */
    int failure;      /* errno of what could not be written, 0 */
};

bool outlet_is_useful(int descriptor) {
    struct stat status;

    return fstat(descriptor, &status) == 0 &&
           (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode) || isatty(descriptor));
}

/* Bytes that can be written without waiting once the descriptor can be written to. */
static size_t room(const struct outlet *outlet) {
    int held;

    if (outlet->pipe_size == 0) {
        return LEAST_ROOM;
    }
    return ioctl(outlet->descriptor, FIONREAD, &held) == 0 && held == 0 ? outlet->pipe_size
                                                                        : PIPE_BUF;
}

/* Waits until the descriptor can be written to; false when a program that wants to write came
 * first. */
static bool wait_for_room(const struct outlet *outlet) {
    struct pollfd descriptor = {.fd = outlet->descriptor, .events = POLLOUT};

    while (poll(&descriptor, 1, outlet->patient ? -1 : LOOKS_EVERY) <= 0) {
        if (!outlet->patient && database_is_wanted(outlet->database)) {
            return false;
        }
    }
    return true;
}

/* Writes until a program comes that wants to write; returns how much, less on failure as well. */
static size_t write_now(struct outlet *outlet, const char *bytes, size_t size) {
    size_t done = 0;

    while (done < size && wait_for_room(outlet)) {
        size_t most = room(outlet);
        ssize_t count =
            write(outlet->descriptor, bytes + done, size - done < most ? size - done : most);

        if (count < 0 && errno != EINTR && errno != EAGAIN) {
            outlet->failure = errno;
            break;
        }
        done += count < 0 ? 0 : (size_t)count;
    }
    return done;
}

/* Writes what was kept, however long that takes. */
static void write_kept(struct outlet *outlet) {
    char bytes[BUFFER_SIZE];
    off_t done = 0;

    outlet->patient = true;
    while (done < outlet->kept && outlet->failure == 0) {
        ssize_t count = pread(outlet->file, bytes, sizeof bytes, done);

        if (count > 0) {
            done += (off_t)write_now(outlet, bytes, (size_t)count);
        } else if (count == 0 || errno != EINTR) {
            outlet->failure = count == 0 ? EIO : errno;
        }
    }
    if (outlet->file >= 0) {
        close(outlet->file);
    }
    outlet->file = -1;
    outlet->kept = 0;
}

/* Keeps bytes for later; returns how many found room. */
static size_t keep(struct outlet *outlet, const char *bytes, size_t size) {
    size_t done = 0;

    while (done < size) {
        ssize_t count = pwrite(outlet->file, bytes + done, size - done, outlet->kept);

        if (count < 0 && errno != EINTR) {
            break;
        }
        done += count < 0 ? 0 : (size_t)count;
        outlet->kept += count < 0 ? 0 : count;
    }
    return done;
}

static ssize_t write_stream(void *cookie, const char *bytes, size_t size) {
    struct outlet *outlet = cookie;
    size_t done = outlet->file < 0 ? write_now(outlet, bytes, size) : 0;
    struct error ignored;

    if (done < size && outlet->failure == 0 && outlet->file < 0) {
        outlet->file = spool_make_file(NULL, &ignored);
    }
    if (done < size && outlet->failure == 0) {
        done += outlet->file < 0 ? 0 : keep(outlet, bytes + done, size - done);
    }
    /* No room: then the writer has to wait. */
    if (done < size && outlet->failure == 0) {
        write_kept(outlet);
        done += write_now(outlet, bytes + done, size - done);
    }
    errno = outlet->failure;
    return (ssize_t)done;
}

struct outlet *outlet_open(int descriptor, const struct database *database, struct error *error) {
    struct outlet *outlet = calloc(1, sizeof *outlet);
    int size = fcntl(descriptor, F_GETPIPE_SZ);

    if (outlet != NULL) {
        *outlet = (struct outlet){
            .descriptor = descriptor,
            .database = database,
            .stream = fopencookie(outlet, "w", (cookie_io_functions_t){.write = write_stream}),
            .pipe_size = size > 0 ? (size_t)size : 0,
            .file = -1,
        };
    }
    if (outlet == NULL || outlet->stream == NULL) {
        free(outlet);
        error_no_memory(error);
        return NULL;
    }
    setvbuf(outlet->stream, NULL, _IOFBF, BUFFER_SIZE);
    return outlet;
}

FILE *outlet_stream(struct outlet *outlet) {
    return outlet->stream;
}

bool outlet_close(struct outlet *outlet, struct error *error) {
    bool lost = ferror(outlet->stream) != 0;
    bool done;

    outlet->patient = true; /* the database may be closed */
    lost = fclose(outlet->stream) != 0 || lost;
    write_kept(outlet);
    done = !lost && outlet->failure == 0;
    if (!done) {
        error_set(error, "cannot write to stdout: %s",
                  outlet->failure != 0 ? strerror(outlet->failure) : "write error");
    }
    free(outlet);
    return done;
}
