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

#include "base/text.h"
#include "cli/pager.h"
#include "input/spool.h"
#include "base/memory.h"

enum {
    BUFFER_SIZE = 64 * 1024,
    LOOKS_EVERY = 50, /* milliseconds; a writer shows itself for longer than that */
    LEAST_ROOM = 256, /* bytes that a terminal takes when it can be written to */
};

/* The first rows, until it is known whether they are all. */
struct held {
    struct text bytes;
    int rows;       /* ended so far */
    int column;     /* of the row that is not */
    bool is_escape; /* in the middle of a control sequence */
};

struct outlet {
    int descriptor;
    const struct database *database; /* who wants to write to it is let in; NULL: it is closed */
    FILE *stream;
    struct paging paging; /* its command: NULL from when it is decided */
    struct held held;     /* as long as there is one */
    struct pager pager;
    bool is_paged;
    size_t pipe_size; /* 0: it is no pipe */
    int file;         /* of what is to be written later; -1: there is none */
    off_t kept;       /* bytes in it */
    bool is_stuck;    /* there is no room for such a file: the output is waited for */
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
    bool is_patient = outlet->is_stuck || outlet->database == NULL;

    while (poll(&descriptor, 1, is_patient ? -1 : LOOKS_EVERY) <= 0) {
        if (!is_patient && database_is_wanted(outlet->database)) {
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

    outlet->is_stuck = true;
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

/* Writes or keeps; returns how much, less on failure. */
static size_t write_or_keep(struct outlet *outlet, const char *bytes, size_t size) {
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
    return done;
}

/* --- pages -------------------------------------------------------------------------------------
 */

static bool is_continued(unsigned char byte) {
    return (byte & 0xc0) == 0x80;
}

/* Counts rows of the screen, of which a line may take several. A character is taken for one column
 * wide. */
static void count_rows(struct held *held, int columns, const char *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) {
        if (held->is_escape) {
            held->is_escape = bytes[i] < '@' || bytes[i] > '~' || bytes[i] == '[';
        } else if (bytes[i] == '\033') {
            held->is_escape = true;
        } else if (bytes[i] == '\n') {
            held->rows++;
            held->column = 0;
        } else if (!is_continued((unsigned char)bytes[i]) && ++held->column > columns) {
            held->rows++;
            held->column = 1;
        }
    }
}

static bool write_held(struct outlet *outlet) {
    struct text *bytes = &outlet->held.bytes;
    bool done = write_or_keep(outlet, text_string(bytes), bytes->length) == bytes->length;

    outlet->paging.command = NULL;
    text_free(bytes);
    return done;
}

/* Without the pager, the screen shows it all. */
static void start_pager(struct outlet *outlet) {
    struct error error;
    int size;

    if (!pager_start(&outlet->pager, outlet->paging.command, &error)) {
        outlet->paging.complain(error.message);
        return;
    }
    outlet->is_paged = true;
    outlet->descriptor = outlet->pager.input;
    size = fcntl(outlet->descriptor, F_GETPIPE_SZ);
    outlet->pipe_size = size > 0 ? (size_t)size : 0;
}

/* Holds bytes back until there are more than the screen holds beside the shell's next prompt. */
static bool hold(struct outlet *outlet, const char *bytes, size_t size) {
    struct held *held = &outlet->held;

    text_append(&held->bytes, bytes, size);
    if (held->bytes.failed) {
        outlet->failure = ENOMEM;
        return false;
    }
    count_rows(held, outlet->paging.screen.columns, bytes, size);
    if (held->rows < outlet->paging.screen.rows) {
        return true;
    }
    start_pager(outlet);
    return write_held(outlet);
}

static ssize_t write_stream(void *cookie, const char *bytes, size_t size) {
    struct outlet *outlet = cookie;
    size_t done;

    if (outlet->paging.command != NULL) {
        done = hold(outlet, bytes, size) ? size : 0;
    } else {
        done = write_or_keep(outlet, bytes, size);
    }
    errno = outlet->failure;
    return (ssize_t)done;
}

/* --- the whole -------------------------------------------------------------------------------- */

struct outlet *outlet_open(int descriptor, const struct paging *paging, struct error *error) {
    struct outlet *outlet = xcalloc(1, sizeof *outlet);
    int size = fcntl(descriptor, F_GETPIPE_SZ);

    if (outlet != NULL) {
        *outlet = (struct outlet){
            .descriptor = descriptor,
            .stream = fopencookie(outlet, "w", (cookie_io_functions_t){.write = write_stream}),
            .paging = *paging,
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

void outlet_guard(struct outlet *outlet, const struct database *database) {
    outlet->database = database;
    outlet->is_stuck = false;
}

/* Whether all went where it should. */
static bool check_written(const struct outlet *outlet, bool lost, struct error *error) {
    return (!lost && outlet->failure == 0) ||
           error_set(error, "cannot write to stdout: %s",
                     outlet->failure != 0 ? strerror(outlet->failure) : "write error");
}

bool outlet_release(struct outlet *outlet, struct error *error) {
    outlet->database = NULL;
    write_kept(outlet);
    return check_written(outlet, false, error);
}

bool outlet_settle(struct outlet *outlet) {
    fflush(outlet->stream);
    write_held(outlet);
    return outlet->is_paged;
}

bool outlet_close(struct outlet *outlet, bool *is_left, struct error *error) {
    bool lost = ferror(outlet->stream) != 0;
    bool done;

    lost = fclose(outlet->stream) != 0 || lost;
    lost = !write_held(outlet) || lost;
    done = outlet_release(outlet, error) && check_written(outlet, lost, error);
    *is_left = outlet->failure == EPIPE;
    if (outlet->is_paged && !pager_wait(&outlet->pager, error)) {
        *is_left = done = false;
    }
    free(outlet);
    return done;
}
