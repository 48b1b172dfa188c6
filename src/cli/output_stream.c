#include "cli/output_stream.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/signal_cleanup.h"
#include "base/memory.h"
#include "base/text.h"
#include "input/spill_file.h"

struct pager {
    const char *command; /* borrowed */
    pid_t process;
    int input; /* write here; pager_wait() closes it */
};

extern char **environ;

/* What sh says of a command that is not there, or cannot be run. */
enum { STATUS_CANNOT_RUN = 126, STATUS_NOT_FOUND = 127 };

/* Whether the first `length` bytes of `folders` and `program` make the path of a program. */
static bool is_in(const char *folder, size_t length, const char *program) {
    struct text path = {0};
    bool found;

    text_append(&path, folder, length);
    text_append_format(&path, "%s%s", length > 0 ? "/" : "", program);
    found = access(text_string(&path), X_OK) == 0;
    text_free(&path);
    return found;
}

static bool is_in_path(const char *program) {
    const char *folders = getenv("PATH");
    bool found = false;

    while (!found && folders != NULL) {
        size_t length = strcspn(folders, ":");

        found = is_in(folders, length, program);
        folders = folders[length] == ':' ? folders + length + 1 : NULL;
    }
    return found;
}

const char *pager_command(void) {
    const char *command = getenv("TRACETOOL_PAGER");

    if (command == NULL) {
        command = getenv("PAGER");
    }
    if (command == NULL) {
        command = is_in_path("less") ? "less -FRX" : "";
    }
    setenv("LESS", "FRX", 0);
    setenv("LV", "-c", 0);
    return *command == '\0' || strcmp(command, "cat") == 0 ? NULL : command;
}

/* --- signals ---------------------------------------------------------------------------------- */

static const int endings[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
#define ENDINGS (sizeof endings / sizeof endings[0])

/* What the handler needs. */
static pid_t running; /* 0: the pager could not be started */
static int input, nowhere;
static volatile sig_atomic_t is_starting, is_ending;

/* Nothing more reaches the pager, which then sees the end of its input. What another thread still
 * writes goes nowhere, and not into a file that was opened under the same number. */
static void end_after_pager(int signal_number) {
    const struct timespec moment = {.tv_nsec = 1000000};
    int ending = signal_number;

    while (is_starting) { /* by another thread: that one holds the signals */
        nanosleep(&moment, NULL);
    }
    if (running > 0) {
        is_ending = 1;
        dup2(nowhere, input);
        while (waitpid(running, NULL, 0) < 0 && errno == EINTR) {
        }
        ending = signal_number == SIGINT ? SIGPIPE : signal_number;
    }
    signal_cleanup_run();
    signal(ending, SIG_DFL);
    raise(ending);
}

/* A signal that is ignored (nohup) stays so. */
static void catch_signals(void) {
    struct sigaction action = {.sa_handler = end_after_pager, .sa_flags = SA_NODEFER}, before;

    for (size_t i = 0; i < ENDINGS; i++) {
        sigaction(endings[i], NULL, &before);
        if (before.sa_handler != SIG_IGN) {
            sigaction(endings[i], &action, NULL);
        }
    }
}

/* The handler knows the pager before it goes on. `mask`: what this thread held before. */
static void hold_signals(sigset_t *mask) {
    sigset_t held;

    sigemptyset(&held);
    for (size_t i = 0; i < ENDINGS; i++) {
        sigaddset(&held, endings[i]);
    }
    pthread_sigmask(SIG_BLOCK, &held, mask);
    is_starting = 1;
    catch_signals();
}

static void release_signals(const sigset_t *mask) {
    is_starting = 0;
    pthread_sigmask(SIG_SETMASK, mask, NULL);
}

/* --- running it ------------------------------------------------------------------------------- */

/* The program ignores SIGPIPE, which a pager knows nothing of, and holds other signals (`mask`:
 * what it held before). */
static int spawn(struct pager *pager, int output, const sigset_t *mask) {
    char *arguments[] = {(char *)"sh", (char *)"-c", (char *)pager->command, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t defaults;
    int cause;

    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setsigmask(&attributes, mask);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    cause = posix_spawn_file_actions_adddup2(&actions, output, STDIN_FILENO);
    if (cause == 0) {
        cause = posix_spawnp(&pager->process, "sh", &actions, &attributes, arguments, environ);
    }
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return cause;
}

/* A pipe with the pager at its end; 0, or why there is none. */
static int start(struct pager *pager) {
    sigset_t mask;
    int ends[2];
    int cause;

    if (pipe2(ends, O_CLOEXEC) != 0) {
        return errno;
    }
    hold_signals(&mask);
    cause = spawn(pager, ends[0], &mask);
    running = cause == 0 ? pager->process : 0;
    input = pager->input = ends[1];
    release_signals(&mask);
    close(ends[0]);
    if (cause != 0) {
        close(ends[1]);
    }
    return cause;
}

/* sh finds out only when it runs, which is too late to do without a pager: the first rows are in
 * its pipe. So a command of one word is looked for before. */
static bool is_there(const char *command) {
    return strpbrk(command, "/ \t\n|&;<>()$`\\\"'*?[#~=%") != NULL || is_in_path(command);
}

/* Starts it. From now on a signal that ends the program waits for the pager to end, which would
 * be left alone with the terminal; and Ctrl-C ends the program as if the pager had been left: by
 * SIGPIPE. There is one pager at a time. False with `error` set when it cannot be started. */
static bool pager_start(struct pager *pager, const char *command, struct error *error) {
    int cause = ENOENT;

    *pager = (struct pager){.command = command};
    nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere >= 0 && is_there(command)) {
        cause = start(pager);
    }
    if (cause != 0) {
        close(nowhere);
        return error_set(error, "the pager '%s' cannot be started: %s", command, strerror(cause));
    }
    return true;
}

/* All is written: whether it is read to the end is nothing to the program. */
static int wait_for(const struct pager *pager) {
    int status = 0;

    signal(SIGINT, SIG_IGN);
    signal(SIGQUIT, SIG_IGN);
    dup2(nowhere, pager->input);
    while (waitpid(pager->process, &status, 0) < 0 && errno == EINTR) {
    }
    while (is_ending) {
        pause(); /* the handler, in another thread, has waited for it and ends the program */
    }
    close(pager->input);
    close(nowhere);
    return status;
}

/* Those that do not look after Ctrl-C are ended by it, and some by the pipe that they stand
 * before. */
static bool is_left(int status) {
    return WIFEXITED(status) ? WEXITSTATUS(status) == 0
                             : WTERMSIG(status) == SIGINT || WTERMSIG(status) == SIGPIPE;
}

/* Tells the pager that this was all, and waits until it is left. False with `error` set when it
 * failed. */
static bool pager_wait(struct pager *pager, struct error *error) {
    static const char advice[] = "name another in TRACETOOL_PAGER or PAGER, or use --no-pager";
    int status = wait_for(pager);

    if (is_left(status)) {
        return true;
    }
    if (!WIFEXITED(status)) {
        return error_set(error, "the pager '%s' was ended by signal %d; %s", pager->command,
                         WTERMSIG(status), advice);
    }
    if (WEXITSTATUS(status) == STATUS_NOT_FOUND || WEXITSTATUS(status) == STATUS_CANNOT_RUN) {
        return error_set(error, "the pager '%s' cannot be run; %s", pager->command, advice);
    }
    return error_set(error, "the pager '%s' failed with status %d; %s", pager->command,
                     WEXITSTATUS(status), advice);
}

/* --- the stream ------------------------------------------------------------------------------- */

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
        stream->file = spill_file_make(NULL, &ignored);
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

/* --- pages ------------------------------------------------------------------------------------ */

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

/* Buffers output until it exceeds one screen with a line for the prompt. */
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
