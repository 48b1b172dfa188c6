#include "cli/output_stream.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/signal_cleanup.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/file.h"

struct pager {
    const char *command; /* borrowed */
    pid_t process;
    int input; /* write end of the pipe to the pager; pager_wait() closes it */
};

extern char **environ;

/* Exit status of sh if the command cannot be run, or does not exist. */
enum { STATUS_CANNOT_RUN = 126, STATUS_NOT_FOUND = 127 };

/* Returns whether a directory, given as `length` bytes, contains the program. */
static bool word_is_in(const char *folder, size_t length, const char *program) {
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

        found = word_is_in(folders, length, program);
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

/* --- signals that end the program while the pager runs ---------------------------------------- */

static const int endings[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
#define ENDINGS (sizeof endings / sizeof endings[0])

/* State that the signal handler reads. */
static pid_t running; /* process id of the pager; 0: not started */
static int input, nowhere;
static volatile sig_atomic_t is_starting, is_ending;

/* Signal handler: closes the pager's input, waits for the pager, and ends the program. The input is
 * replaced by /dev/null, so that output of other threads cannot go to a file that reuses the
 * descriptor. */
static void end_after_pager(int signal_number) {
    const struct timespec moment = {.tv_nsec = 1000000};
    int ending = signal_number;

    while (is_starting) { /* another thread, with signals blocked, is starting the pager */
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

/* Installs the signal handler. Ignored signals (nohup) remain ignored. */
static void output_stream_catch_signals(void) {
    struct sigaction action = {.sa_handler = end_after_pager, .sa_flags = SA_NODEFER}, before;

    for (size_t i = 0; i < ENDINGS; i++) {
        sigaction(endings[i], NULL, &before);
        if (before.sa_handler != SIG_IGN) {
            sigaction(endings[i], &action, NULL);
        }
    }
}

/* Blocks the signals until the handler knows the pager. `mask`: the thread's previous mask. */
static void hold_signals(sigset_t *mask) {
    sigset_t held;

    sigemptyset(&held);
    for (size_t i = 0; i < ENDINGS; i++) {
        sigaddset(&held, endings[i]);
    }
    pthread_sigmask(SIG_BLOCK, &held, mask);
    is_starting = 1;
    output_stream_catch_signals();
}

/* --- starting and ending the pager ------------------------------------------------------------ */

/* Starts the pager's process with the default action for SIGPIPE, which this program ignores, and
 * with the signal mask that this program had before. */
static int spawn_pager(struct pager *pager, int output, const sigset_t *mask) {
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

/* Creates a pipe and starts the pager to read from it. Returns 0 or an errno. */
static int connect_pager(struct pager *pager) {
    sigset_t mask;
    int ends[2];
    int cause;

    if (pipe2(ends, O_CLOEXEC) != 0) {
        return errno;
    }
    hold_signals(&mask);
    cause = spawn_pager(pager, ends[0], &mask);
    running = cause == 0 ? pager->process : 0;
    input = pager->input = ends[1];
    is_starting = 0;
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    close(ends[0]);
    if (cause != 0) {
        close(ends[1]);
    }
    return cause;
}

/* Returns whether a command of one word exists. The shell would report a missing command too late:
 * the first rows would already be in its pipe. */
static bool output_stream_is_there(const char *command) {
    return strpbrk(command, "/ \t\n|&;<>()$`\\\"'*?[#~=%") != NULL || is_in_path(command);
}

/* Starts the pager; there is only one at a time. From now on, a signal that ends the program first
 * waits for the pager, since that uses the terminal. Ctrl-C ends the program by SIGPIPE, as if the
 * user had quit the pager. Returns false with `error` set if the pager cannot be started. */
static bool pager_start(struct pager *pager, const char *command, struct error *error) {
    int cause = ENOENT;

    *pager = (struct pager){.command = command};
    nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere >= 0 && output_stream_is_there(command)) {
        cause = connect_pager(pager);
    }
    if (cause != 0) {
        close(nowhere);
        return error_set(error, "the pager '%s' cannot be started: %s", command, strerror(cause));
    }
    return true;
}

/* Waits until the pager ends; called after all output was written. The pager may end early. */
static int output_stream_wait_for(const struct pager *pager) {
    int status = 0;

    signal(SIGINT, SIG_IGN);
    signal(SIGQUIT, SIG_IGN);
    dup2(nowhere, pager->input);
    while (waitpid(pager->process, &status, 0) < 0 && errno == EINTR) {
    }
    while (is_ending) {
        /* the signal handler, in another thread, has waited for the pager and ends the program */
        pause();
    }
    close(pager->input);
    close(nowhere);
    return status;
}

/* Returns whether the pager ended because the user quit it: normally, by Ctrl-C, or by SIGPIPE if a
 * program to which the pager writes was closed. */
static bool is_left(int status) {
    return WIFEXITED(status) ? WEXITSTATUS(status) == 0
                             : WTERMSIG(status) == SIGINT || WTERMSIG(status) == SIGPIPE;
}

/* Closes the pager's input and waits until the user quits it. False with `error` on failure. */
static bool pager_wait(struct pager *pager, struct error *error) {
    static const char advice[] = "name another in TRACETOOL_PAGER or PAGER, or use --no-pager";
    int status = output_stream_wait_for(pager);

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

/* --- the output stream ------------------------------------------------------------------------ */

enum {
    BUFFER_SIZE = 64 * 1024,
    /* Interval in ms for checking whether another program waits to write to the database. */
    LOOKS_EVERY = 50,
    LEAST_ROOM = 256, /* minimum of bytes that a writable terminal accepts */
};

/* The first rows of output, held back until it is known whether they fit on the screen. */
struct held {
    struct text bytes;
    int rows;       /* number of complete rows */
    int column;     /* number of characters in the incomplete row */
    bool is_escape; /* true: the last byte is inside a control sequence of the terminal */
};

struct output_stream {
    int descriptor;
    const struct database
        /* Borrowed; released if output blocks while other processes wait to write; NULL: closed. */
        *database;
    FILE *file_stream;
    struct paging paging; /* `command` becomes NULL when the use of a pager is decided */
    struct held held;     /* used while paging.command is not NULL */
    struct pager pager;
    bool is_paged;
    size_t pipe_size; /* capacity of the pipe in bytes; 0: the output is not a pipe */
    int file;      /* descriptor of a temporary file with output that is written later; -1: none */
    off_t kept;    /* number of bytes in `file` */
    bool is_stuck; /* true: no space for the temporary file, so writing waits for the reader */
    int failure;   /* errno of the first failed write; 0: none */
};

/* Returns how many bytes can be written without blocking, given that the descriptor is writable. */
static size_t writable_bytes(const struct output_stream *stream) {
    int held;

    if (stream->pipe_size == 0) {
        return LEAST_ROOM;
    }
    return ioctl(stream->descriptor, FIONREAD, &held) == 0 && held == 0 ? stream->pipe_size
                                                                        : PIPE_BUF;
}

/* Waits until the descriptor is writable. False: another program waits to write to the database. */
static bool wait_for_room(const struct output_stream *stream) {
    struct pollfd descriptor = {.fd = stream->descriptor, .events = POLLOUT};
    bool is_patient = stream->is_stuck || stream->database == NULL;

    while (poll(&descriptor, 1, is_patient ? -1 : LOOKS_EVERY) <= 0) {
        if (!is_patient && database_has_waiting_writer(stream->database)) {
            return false;
        }
    }
    return true;
}

/* Writes until another program waits to write to the database. Returns the number of bytes written,
 * which is also smaller if writing fails. */
static size_t write_without_pager(struct output_stream *stream, const char *bytes, size_t size) {
    size_t done = 0;

    while (done < size && wait_for_room(stream)) {
        size_t most = writable_bytes(stream);
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

/* Writes the content of the temporary file to the output, however long that blocks. */
static void write_kept(struct output_stream *stream) {
    char bytes[BUFFER_SIZE];
    off_t done = 0;

    stream->is_stuck = true;
    while (done < stream->kept && stream->failure == 0) {
        ssize_t count = pread(stream->file, bytes, sizeof bytes, done);

        if (count > 0) {
            done += (off_t)write_without_pager(stream, bytes, (size_t)count);
        } else if (count == 0 || errno != EINTR) {
            stream->failure = count == 0 ? EIO : errno;
        }
    }
    file_close(stream->file);
    stream->file = -1;
    stream->kept = 0;
}

/* Appends bytes to the temporary file. Returns how many were written before it was full. */
static size_t append_to_spill(struct output_stream *stream, const char *bytes, size_t size) {
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

/* Writes bytes, or appends them to the temporary file. Returns their number; smaller on failure. */
static size_t write_or_spill(struct output_stream *stream, const char *bytes, size_t size) {
    size_t done = stream->file < 0 ? write_without_pager(stream, bytes, size) : 0;
    struct error ignored;

    if (done < size && stream->failure == 0 && stream->file < 0) {
        stream->file = temporary_file_create(NULL, &ignored);
    }
    if (done < size && stream->failure == 0) {
        done += stream->file < 0 ? 0 : append_to_spill(stream, bytes + done, size - done);
    }
    /* no space for the temporary file: waits for the reader */
    if (done < size && stream->failure == 0) {
        write_kept(stream);
        done += write_without_pager(stream, bytes + done, size - done);
    }
    return done;
}

/* --- holding back the first screen ------------------------------------------------------------ */

static bool is_continued(unsigned char byte) {
    return (byte & 0xc0) == 0x80;
}

static bool output_stream_write_held(struct output_stream *stream) {
    struct text *bytes = &stream->held.bytes;
    bool done = write_or_spill(stream, text_string(bytes), bytes->length) == bytes->length;

    stream->paging.command = NULL;
    text_free(bytes);
    return done;
}

/* Starts the pager. If that fails, all output goes to the terminal. */
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

/* Holds output back. Starts the pager when it exceeds one screen minus a line for the prompt. */
static bool output_stream_hold(struct output_stream *stream, const char *bytes, size_t size) {
    struct held *held = &stream->held;

    text_append(&held->bytes, bytes, size);
    /* counts rows on the screen: long lines take several; each character counts as one column */
    for (size_t i = 0; i < size; i++) {
        if (held->is_escape) {
            held->is_escape = bytes[i] < '@' || bytes[i] > '~' || bytes[i] == '[';
        } else if (bytes[i] == '\033') {
            held->is_escape = true;
        } else if (bytes[i] == '\n') {
            held->rows++;
            held->column = 0;
        } else if (!is_continued((unsigned char)bytes[i]) &&
                   ++held->column > stream->paging.screen.columns) {
            held->rows++;
            held->column = 1;
        }
    }
    if (held->rows < stream->paging.screen.rows) {
        return true;
    }
    start_pager(stream);
    return output_stream_write_held(stream);
}

static ssize_t output_stream_write_stream(void *cookie, const char *bytes, size_t size) {
    struct output_stream *stream = cookie;
    size_t done;

    if (stream->paging.command != NULL) {
        done = output_stream_hold(stream, bytes, size) ? size : 0;
    } else {
        done = write_or_spill(stream, bytes, size);
    }
    errno = stream->failure;
    return (ssize_t)done;
}

struct output_stream *output_stream_open(const struct paging *paging) {
    struct output_stream *stream = xcalloc(1, sizeof *stream);
    int size = fcntl(STDOUT_FILENO, F_GETPIPE_SZ);

    *stream = (struct output_stream){
        .descriptor = STDOUT_FILENO,
        .file_stream =
            fopencookie(stream, "w", (cookie_io_functions_t){.write = output_stream_write_stream}),
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

void output_stream_set_database(struct output_stream *stream, const struct database *database) {
    stream->database = database;
    stream->is_stuck = false;
}

/* Returns whether all output was written; sets an error if not. */
static bool output_stream_check_written(const struct output_stream *stream, bool lost,
                                        struct error *error) {
    return (!lost && stream->failure == 0) ||
           error_set(error, "cannot write to stdout: %s",
                     stream->failure != 0 ? strerror(stream->failure) : "write error");
}

bool output_stream_write_held_back(struct output_stream *stream, struct error *error) {
    stream->database = NULL;
    write_kept(stream);
    return output_stream_check_written(stream, false, error);
}

bool output_stream_end_holding_back(struct output_stream *stream) {
    fflush(stream->file_stream);
    output_stream_write_held(stream);
    return stream->is_paged;
}

bool output_stream_close(struct output_stream *stream, bool *is_left, struct error *error) {
    bool lost = ferror(stream->file_stream) != 0;
    bool done;

    lost = fclose(stream->file_stream) != 0 || lost;
    lost = !output_stream_write_held(stream) || lost;
    done = output_stream_write_held_back(stream, error) &&
           output_stream_check_written(stream, lost, error);
    *is_left = stream->failure == EPIPE;
    if (stream->is_paged && !pager_wait(&stream->pager, error)) {
        *is_left = done = false;
    }
    free(stream);
    return done;
}
