#include "cli/output_stream.h"

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

struct output_stream {
    int descriptor;
    const struct database *database; /* who wants to write to it is let in; NULL: it is closed */
    FILE *file_stream;
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

bool output_stream_is_useful(int descriptor) {
    struct stat status;

    return fstat(descriptor, &status) == 0 &&
           (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode) || isatty(descriptor));
}

/* Bytes that can be written without waiting once the descriptor can be written to. */
static size_t room(const struct output_stream *stream) {
    int held;

    if (stream->pipe_size == 0) {
        return LEAST_ROOM;
    }
    return ioctl(stream->descriptor, FIONREAD, &held) == 0 && held == 0 ? stream->pipe_size
                                                                        : PIPE_BUF;
}

/* Waits until the descriptor can be written to; false when a program that wants to write came
 * first. */
static bool wait_for_room(const struct output_stream *stream) {
    struct pollfd descriptor = {.fd = stream->descriptor, .events = POLLOUT};
    bool is_patient = stream->is_stuck || stream->database == NULL;

    while (poll(&descriptor, 1, is_patient ? -1 : LOOKS_EVERY) <= 0) {
        if (!is_patient && database_is_wanted(stream->database)) {
            return false;
        }
    }
    return true;
}

/* Writes until a program comes that wants to write; returns how much, less on failure as well. */
static size_t write_now(struct output_stream *stream, const char *bytes, size_t size) {
    size_t done = 0;

    while (done < size && wait_for_room(stream)) {
        size_t most = room(stream);
        ssize_t count =
            write(stream->descriptor, bytes + done, size - done < most ? size - done : most);

        if (count < 0 && errno != EINTR && errno != EAGAIN) {
            stream->failure = errno;
            break;
        }
        done += count < 0 ? 0 : (size_t)count;
    }
    return done;
}

/* Writes what was kept, however long that takes. */
static void write_kept(struct output_stream *stream) {
    char bytes[BUFFER_SIZE];
    off_t done = 0;

    stream->is_stuck = true;
    while (done < stream->kept && stream->failure == 0) {
        ssize_t count = pread(stream->file, bytes, sizeof bytes, done);

        if (count > 0) {
            done += (off_t)write_now(stream, bytes, (size_t)count);
        } else if (count == 0 || errno != EINTR) {
            stream->failure = count == 0 ? EIO : errno;
        }
    }
    if (stream->file >= 0) {
        close(stream->file);
    }
    stream->file = -1;
    stream->kept = 0;
}

/* Keeps bytes for later; returns how many found room. */
static size_t keep(struct output_stream *stream, const char *bytes, size_t size) {
    size_t done = 0;

    while (done < size) {
        ssize_t count = pwrite(stream->file, bytes + done, size - done, stream->kept);

        if (count < 0 && errno != EINTR) {
            break;
        }
        done += count < 0 ? 0 : (size_t)count;
        stream->kept += count < 0 ? 0 : count;
    }
    return done;
}

/* Writes or keeps; returns how much, less on failure. */
static size_t write_or_keep(struct output_stream *stream, const char *bytes, size_t size) {
    size_t done = stream->file < 0 ? write_now(stream, bytes, size) : 0;
    struct error ignored;

    if (done < size && stream->failure == 0 && stream->file < 0) {
        stream->file = spool_make_file(NULL, &ignored);
    }
    if (done < size && stream->failure == 0) {
        done += stream->file < 0 ? 0 : keep(stream, bytes + done, size - done);
    }
    /* No room: then the writer has to wait. */
    if (done < size && stream->failure == 0) {
        write_kept(stream);
        done += write_now(stream, bytes + done, size - done);
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

static bool write_held(struct output_stream *stream) {
    struct text *bytes = &stream->held.bytes;
    bool done = write_or_keep(stream, text_string(bytes), bytes->length) == bytes->length;

    stream->paging.command = NULL;
    text_free(bytes);
    return done;
}

/* Without the pager, the screen shows it all. */
static void start_pager(struct output_stream *stream) {
    struct error error;
    int size;

    if (!pager_start(&stream->pager, stream->paging.command, &error)) {
        stream->paging.complain(error.message);
        return;
    }
    stream->is_paged = true;
    stream->descriptor = stream->pager.input;
    size = fcntl(stream->descriptor, F_GETPIPE_SZ);
    stream->pipe_size = size > 0 ? (size_t)size : 0;
}

/* Holds bytes back until there are more than the screen holds beside the shell's next prompt. */
static bool hold(struct output_stream *stream, const char *bytes, size_t size) {
    struct held *held = &stream->held;

    text_append(&held->bytes, bytes, size);
    count_rows(held, stream->paging.screen.columns, bytes, size);
    if (held->rows < stream->paging.screen.rows) {
        return true;
    }
    start_pager(stream);
    return write_held(stream);
}

static ssize_t write_stream(void *cookie, const char *bytes, size_t size) {
    struct output_stream *stream = cookie;
    size_t done;

    if (stream->paging.command != NULL) {
        done = hold(stream, bytes, size) ? size : 0;
    } else {
        done = write_or_keep(stream, bytes, size);
    }
    errno = stream->failure;
    return (ssize_t)done;
}

/* --- the whole -------------------------------------------------------------------------------- */

struct output_stream *output_stream_open(int descriptor, const struct paging *paging) {
    struct output_stream *stream = xcalloc(1, sizeof *stream);
    int size = fcntl(descriptor, F_GETPIPE_SZ);

    *stream = (struct output_stream){
        .descriptor = descriptor,
        .file_stream = fopencookie(stream, "w", (cookie_io_functions_t){.write = write_stream}),
        .paging = *paging,
        .pipe_size = size > 0 ? (size_t)size : 0,
        .file = -1,
    };
    if (stream->file_stream == NULL) {
        out_of_memory();
    }
    setvbuf(stream->file_stream, NULL, _IOFBF, BUFFER_SIZE);
    return stream;
}

FILE *output_stream_file(struct output_stream *stream) {
    return stream->file_stream;
}

void output_stream_guard(struct output_stream *stream, const struct database *database) {
    stream->database = database;
    stream->is_stuck = false;
}

/* Whether all went where it should. */
static bool check_written(const struct output_stream *stream, bool lost, struct error *error) {
    return (!lost && stream->failure == 0) ||
           error_set(error, "cannot write to stdout: %s",
                     stream->failure != 0 ? strerror(stream->failure) : "write error");
}

bool output_stream_release(struct output_stream *stream, struct error *error) {
    stream->database = NULL;
    write_kept(stream);
    return check_written(stream, false, error);
}

bool output_stream_settle(struct output_stream *stream) {
    fflush(stream->file_stream);
    write_held(stream);
    return stream->is_paged;
}

bool output_stream_close(struct output_stream *stream, bool *is_left, struct error *error) {
    bool lost = ferror(stream->file_stream) != 0;
    bool done;

    lost = fclose(stream->file_stream) != 0 || lost;
    lost = !write_held(stream) || lost;
    done = output_stream_release(stream, error) && check_written(stream, lost, error);
    *is_left = stream->failure == EPIPE;
    if (stream->is_paged && !pager_wait(&stream->pager, error)) {
        *is_left = done = false;
    }
    free(stream);
    return done;
}
