#include "output/plot.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "output/plot_look.h"

/* Exit status of the gnuplot process if a plot finds nothing to draw (plots/include/common.gp). */
enum { NOTHING_DRAWN = 3 };

/* Name of gnuplot's standard input as a file. */
#define SCRIPT_FILE "/dev/stdin"

static void stop_gnuplot(const struct plot *plot) {
    if (plot->process > 0) {
        kill(-plot->process, SIGKILL);
    }
}

/* Removes the temporary directory and its files, whose names are known. For signal handlers. */
static void remove_folder(const struct plot *plot) {
    for (size_t i = 0; plot->folder != NULL && plot_tex_files[i] != NULL; i++) {
        unlinkat(plot->folder_file, plot_tex_files[i], 0);
    }
    if (plot->folder != NULL) {
        rmdir(plot->folder);
    }
}

/* Called on a signal: removes incomplete files and kills gnuplot. gnuplot gets SIGKILL: it must not
 * draw the commands still in the pipe. If this program gets SIGKILL, which it cannot handle,
 * gnuplot still ends (PR_SET_PDEATHSIG). */
static void plot_clean_up(const void *context) {
    const struct plot *plot = context;

    stop_gnuplot(plot);
    if (plot->partial != NULL) {
        unlink(plot->partial);
    }
    remove_folder(plot);
}

static void plot_catch_signals(struct plot *plot) {
    plot->hook = (struct signal_cleanup_hook){.clean = plot_clean_up, .context = plot};
    signal_cleanup_add(&plot->hook);
}

/* --- running gnuplot -------------------------------------------------------------------------- */

/* Creates a temporary file next to the picture, to be renamed when the picture is complete. */
static int open_partial(struct plot *plot, const char *path, struct error *error) {
    int descriptor;

    plot->path = xstrdup(path);
    plot->partial = xasprintf("%s.XXXXXX", path);
    descriptor = mkostemp(plot->partial, O_CLOEXEC);
    if (descriptor < 0) {
        error_set(error, "%s: cannot write: %s", path, strerror(errno));
        free(plot->partial);
        plot->partial = NULL;
    }
    return descriptor;
}

/* Makes a temporary directory next to the picture, in which gnuplot writes the files for LaTeX. */
static bool plot_make_folder(struct plot *plot, const char *path, struct error *error) {
    char *folder = xasprintf("%s.XXXXXX", path);

    if (mkdtemp(folder) == NULL) {
        error_set(error, "%s: cannot write: %s", path, strerror(errno));
        free(folder);
        return false;
    }
    plot->folder = folder;
    plot->folder_file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return plot->folder_file >= 0 ||
           error_set(error, "%s: cannot write: %s", path, strerror(errno));
}

/* Opens a device or pipe as target: the complete picture is copied into it; no file is renamed. */
static bool open_in_place(struct plot *plot, const char *path, struct error *error) {
    plot->path = xstrdup(path);
    plot->target = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    return plot->target >= 0 || error_set(error, "%s: cannot write: %s", path, strerror(errno));
}

/* In the child process: connects the pipe and the in-memory files, and executes gnuplot in a
 * separate process group. In the terminal's group, SIGINT would make gnuplot leave the data block
 * and execute rows as commands. SIGTTOU is ignored, since background groups may not write to the
 * terminal. */
static void become_gnuplot(const struct plot *plot, int script, pid_t parent,
                           const sigset_t *mask) {
    setpgid(0, 0);
    signal(SIGTTOU, SIG_IGN);
    signal_cleanup_unblock(mask);
    /* Exits if the parent process has already ended. */
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == parent &&
        dup2(script, STDIN_FILENO) >= 0 && dup2(plot->picture, STDOUT_FILENO) >= 0 &&
        dup2(plot->messages, STDERR_FILENO) >= 0 &&
        (plot->folder == NULL || fchdir(plot->folder_file) == 0)) {
        signal(SIGPIPE, SIG_DFL);
        /* Ignores the user's environment: text is UTF-8, and GNUTERM must not set a terminal. */
        unsetenv("GNUTERM");
        setenv("LC_ALL", "C.UTF-8", 1);
        /* -d: reads no start-up files of the user, so that pictures look the same for all users.
         * gnuplot reads its standard input byte by byte, but a file of that name through a buffer:
         * 40 MB in 0.1 s for 5 s. */
        execlp("gnuplot", "gnuplot", "-d", access(SCRIPT_FILE, R_OK) == 0 ? SCRIPT_FILE : "-",
               (char *)NULL);
    }
    _exit(127);
}

/* Starts gnuplot. Signals must be blocked: no handler may run before `plot->process` is set. */
static void fork_gnuplot(struct plot *plot, int script, const sigset_t *mask) {
    const pid_t parent = getpid();

    fflush(stdout);
    plot->process = fork();
    if (plot->process == 0) {
        become_gnuplot(plot, script, parent, mask);
    }
    if (plot->process > 0) {
        /* Parent and child both set the process group, so that it is set whichever runs first. */
        setpgid(plot->process, plot->process);
        plot_catch_signals(plot);
    }
}

/* Creates the in-memory files that gnuplot writes to. gnuplot reports no write errors, such as of a
 * full disk, so it does not write to the target: copy_picture() does. */
static bool make_picture(struct plot *plot, struct error *error) {
    plot->picture = memfd_create("picture", MFD_CLOEXEC);
    plot->messages = memfd_create("messages", MFD_CLOEXEC);
    return (plot->picture >= 0 && plot->messages >= 0) ||
           error_set(error, "cannot make a file in memory: %s", strerror(errno));
}

static int seconds_of_patience(void) {
    const char *given = getenv("TRACETOOL_GNUPLOT_SECONDS");
    const long seconds = given == NULL ? 0 : strtol(given, NULL, 10);

    return seconds > 0 && seconds <= INT_MAX / 1000 ? (int)seconds : PLOT_SECONDS;
}

/* Waits until the descriptor is ready for `what` or has an error; kills gnuplot after a timeout. */
static bool plot_wait_for(struct plot *plot, int file, short what) {
    struct pollfd waited = {.fd = file, .events = what};
    int ready;

    do {
        ready = poll(&waited, 1, seconds_of_patience() * 1000);
    } while (ready < 0 && errno == EINTR);
    if (ready == 0) {
        plot->is_stuck = true;
        stop_gnuplot(plot);
    }
    return ready > 0;
}

/* Writes to gnuplot's pipe when the pipe is ready, at most as much as it has room for. */
static ssize_t write_script(void *context, const char *bytes, size_t length) {
    struct plot *plot = context;
    size_t written = 0;

    while (written < length && plot_wait_for(plot, plot->pipe, POLLOUT)) {
        const size_t rest = length - written;
        const ssize_t now = write(plot->pipe, bytes + written, rest < PIPE_BUF ? rest : PIPE_BUF);

        if (now < 0 && errno != EINTR) {
            return 0;
        }
        written += now > 0 ? (size_t)now : 0;
    }
    if (written < length) {
        errno = ETIMEDOUT;
        return 0;
    }
    return (ssize_t)length;
}

static int close_script(void *context) {
    const struct plot *plot = context;

    return close(plot->pipe);
}

static bool start_gnuplot(struct plot *plot, const sigset_t *mask, struct error *error) {
    int ends[2];

    if (!make_picture(plot, error)) {
        return false;
    }
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return error_set(error, "cannot make a pipe: %s", strerror(errno));
    }
    fork_gnuplot(plot, ends[0], mask);
    close(ends[0]);
    plot->pipe = ends[1];
    if (plot->process > 0) {
        plot->script = fopencookie(
            plot, "w", (cookie_io_functions_t){.write = write_script, .close = close_script});
    }
    if (plot->script == NULL) {
        close(ends[1]);
        return error_set(error, "cannot start gnuplot: %s", strerror(errno));
    }
    return true;
}

/* Opens a picture that the program draws: the script stream writes to the picture's memory file. */
static bool open_picture_without_gnuplot(struct plot *plot, struct error *error) {
    int copy;

    if (!make_picture(plot, error)) {
        return false;
    }
    copy = fcntl(plot->picture, F_DUPFD_CLOEXEC, 0);
    plot->script = copy < 0 ? NULL : fdopen(copy, "w");
    if (plot->script == NULL) {
        error_set(error, "cannot write to a file in memory: %s", strerror(errno));
        file_close(copy);
        return false;
    }
    plot_catch_signals(plot);
    return true;
}

/* Frees a plot, also one that failed to start. */
static void free_plot(struct plot *plot) {
    sigset_t mask;

    signal_cleanup_block(&mask);
    signal_cleanup_remove(&plot->hook);
    file_close(plot->picture);
    if (plot->messages >= 0) {
        close(plot->messages);
    }
    if (plot->target >= 0 && plot->target != STDOUT_FILENO) {
        close(plot->target);
    }
    if (plot->partial != NULL) {
        unlink(plot->partial);
    }
    remove_folder(plot);
    file_close(plot->folder_file);
    free(plot->partial);
    free(plot->path);
    free(plot->folder);
    *plot = (struct plot){.picture = -1, .messages = -1, .target = -1, .folder_file = -1};
    signal_cleanup_unblock(&mask);
}

static bool plot_check_path(const char *path, const struct plot_look *look, struct error *error) {
    enum picture_kind kind = PICTURE_PNG;
    const bool is_file = strcmp(path, "-") != 0;

    if (is_file && !plot_kind_of(path, &kind)) {
        return error_usage(
            error, "%s: the ending of the file must be .png, .svg, .pdf, .eps or .tex", path);
    }
    return (kind != PICTURE_TEX || plot_tex_check(path, error)) &&
           plot_look_check(look, path, error);
}

/* Begins a picture. `own`: this program draws it itself, without gnuplot. */
static bool begin_drawing(struct plot *plot, const char *path, const struct plot_look *look,
                          bool own, struct error *error) {
    const bool to_terminal = strcmp(path, "-") == 0;
    const bool in_place = !to_terminal && file_is_special(path);
    sigset_t mask;
    bool started;

    *plot =
        (struct plot){.picture = -1, .messages = -1, .target = STDOUT_FILENO, .folder_file = -1};
    if (!plot_check_path(path, look, error)) {
        return false;
    }
    /* Opened before signals are blocked, because opening a pipe may block. */
    if (in_place && !open_in_place(plot, path, error)) {
        free_plot(plot);
        return false;
    }
    signal_cleanup_block(&mask);
    started = (to_terminal || in_place || (plot->target = open_partial(plot, path, error)) >= 0) &&
              (!look->is_tex || plot_make_folder(plot, path, error)) &&
              (own ? open_picture_without_gnuplot(plot, error) : start_gnuplot(plot, &mask, error));
    signal_cleanup_unblock(&mask);
    if (!started) {
        free_plot(plot);
    }
    return started;
}

bool plot_begin(struct plot *plot, const char *path, bool own, const struct plot_look *look,
                const struct printer_options *options, struct error *error) {
    if (!begin_drawing(plot, path, look, own, error)) {
        return false;
    }
    if (own) {
        return true;
    }
    fputs("tells_drawn = 1\n", plot->script); /* note_what_is_drawn() */
    if (plot_kind_of(path, &plot->kind)) {
        plot->dots = plot_look_dots(look, plot->kind);
        plot->tex = plot_look_tex(look);
        plot_set_terminal(plot->script, plot->kind, look);
    } else {
        /* In the terminal, gnuplot draws with characters, as wide as the terminal. */
        int width = options->width > 20 ? options->width : 80;
        int height = width > 120 ? 40 : 24;

        fprintf(plot->script, "set terminal dumb %s size %d,%d\n", options->color ? "ansi" : "mono",
                look->width > 0 ? look->width : width, look->height > 0 ? look->height : height);
        plot_set_variables(plot->script, look, 0);
    }
    return true;
}

bool plot_begin_in_memory(struct plot *plot, enum picture_kind kind, bool own,
                          const struct plot_look *look, struct error *error) {
    sigset_t mask;
    bool started;

    *plot =
        (struct plot){.picture = -1, .messages = -1, .target = -1, .folder_file = -1, .kind = kind};
    signal_cleanup_block(&mask);
    started = own ? open_picture_without_gnuplot(plot, error) : start_gnuplot(plot, &mask, error);
    signal_cleanup_unblock(&mask);
    if (!started) {
        free_plot(plot);
        return false;
    }
    if (!own) {
        plot_set_terminal(plot->script, kind, look);
    }
    return true;
}

/* Waits until gnuplot has exited; with a timeout if the kernel has pidfd_open(). */
static void wait_for_end(struct plot *plot) {
    const int process = (int)syscall(SYS_pidfd_open, plot->process, 0);

    if (process >= 0) {
        plot_wait_for(plot, process, POLLIN);
        close(process);
    }
}

/* Sets the error to the last line that gnuplot printed, without the place in the script ("line N: "
 * of its standard input, or with the file's name before it), since the user does not see the
 * script. Ignores the warnings before it. */
static bool report_messages(const struct plot *plot, struct error *error) {
    char buffer[4096];
    const off_t size = lseek(plot->messages, 0, SEEK_END);
    const off_t begin = size < (off_t)sizeof buffer ? 0 : size - (off_t)sizeof buffer + 1;
    const ssize_t got = pread(plot->messages, buffer, sizeof buffer - 1, begin);
    const char *line = buffer;
    size_t length = got > 0 ? (size_t)got : 0;
    int skipped = 0;

    while (length > 0 && (buffer[length - 1] == '\n' || buffer[length - 1] == ' ')) {
        length--;
    }
    buffer[length] = '\0';
    if (strrchr(buffer, '\n') != NULL) {
        line = strrchr(buffer, '\n') + 1;
    }
    line += strspn(line, " ");
    sscanf(line, *line == '"' ? "\"" SCRIPT_FILE "\" line %*d: %n" : "line %*d: %n", &skipped);
    return error_set(error, "gnuplot failed%s%s", length > 0 ? ": " : "", line + skipped);
}

static bool wait_for_gnuplot(struct plot *plot, const struct text *notes, struct error *error) {
    siginfo_t ignored;
    sigset_t mask;
    int status = 0, waited;

    wait_for_end(plot);
    do {
        waited = waitid(P_PID, (id_t)plot->process, &ignored, WEXITED | WNOWAIT);
    } while (waited != 0 && errno == EINTR);
    /* After this waitpid(), another process may get the pid: blocks signals until plot->process is
     * 0, so that no handler kills that process. */
    signal_cleanup_block(&mask);
    if (waited == 0) {
        waited = waitpid(plot->process, &status, 0) < 0 ? -1 : 0;
    }
    plot->process = 0;
    signal_cleanup_unblock(&mask);
    if (waited != 0) {
        return error_set(error, "cannot wait for gnuplot: %s", strerror(errno));
    }
    if (plot->is_stuck) {
        return error_set(error,
                         "gnuplot did not go on for %d s and was stopped; draw less (--from, --to, "
                         "--top), or set TRACETOOL_GNUPLOT_SECONDS",
                         seconds_of_patience());
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127) {
        return error_set(error, "gnuplot cannot be run; install it (Debian: gnuplot-nox)");
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == NOTHING_DRAWN) {
        const char *why = strstr(text_string(notes), "\n" NOTE_NO_EVENTS);

        return why == NULL ? error_set(error, "there is nothing to draw: no row has the columns of "
                                              "the picture")
                           : error_set(error, "there is nothing to draw: %.*s",
                                       (int)strcspn(why + 1, "\n"), why + 1);
    }
    return (WIFEXITED(status) && WEXITSTATUS(status) == 0) || report_messages(plot, error);
}

/* Adds to the notes what gnuplot printed of rows that are not drawn: lines "drawn: 4 of 5 classes"
 * (plots/include/common.gp). */
static void note_what_is_drawn(const struct plot *plot, struct text *notes) {
    static const char begin[] = "drawn: ";
    char buffer[4096];
    const ssize_t got = pread(plot->messages, buffer, sizeof buffer - 1, 0);

    buffer[got > 0 ? got : 0] = '\0';
    for (char *line = buffer, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        *end = '\0';
        if (strncmp(line, begin, strlen(begin)) == 0) {
            text_append_escaped(notes, line, strlen(line));
            text_append_char(notes, '\n');
        }
    }
}

/* Checks that there is a picture: a gnuplot that lacks the terminal type may draw nothing. */
static bool plot_is_drawn(const struct plot *plot, struct error *error) {
    struct stat status;

    if (fstat(plot->picture, &status) != 0) {
        return error_set(error, "cannot read the drawn picture: %s", strerror(errno));
    }
    return status.st_size > 0 || error_set(error, "gnuplot wrote no picture");
}

static bool copy_picture(struct plot *plot, struct error *error) {
    const char *name = plot->path == NULL ? "stdout" : plot->path;
    char buffer[65536];
    ssize_t got = 0;
    bool done = true;

    if (lseek(plot->picture, 0, SEEK_SET) != 0) {
        return error_set(error, "cannot read the drawn picture: %s", strerror(errno));
    }
    while (done && (got = read(plot->picture, buffer, sizeof buffer)) > 0) {
        done = file_write_all(plot->target, buffer, (size_t)got);
    }
    return (done && got == 0) || error_set(error, "cannot write to %s: %s", name, strerror(errno));
}

/* Gives the temporary file the permissions of a new file, and renames it to the picture's path. */
static bool move_picture_to_path(struct plot *plot, struct error *error) {
    mode_t mask = umask(0);
    sigset_t signals;
    bool done;

    umask(mask);
    signal_cleanup_block(&signals);
    done = chmod(plot->partial, 0666 & ~mask) == 0 && rename(plot->partial, plot->path) == 0;
    if (done) {
        free(plot->partial);
        plot->partial = NULL;
    } else {
        error_set(error, "%s: cannot write: %s", plot->path, strerror(errno));
    }
    signal_cleanup_unblock(&signals);
    return done;
}

/* Waits for gnuplot and stores the notes in the picture's file. If this program draws the picture
 * itself, only ends the drawing. */
static bool finish_drawing(struct plot *plot, bool aborted, struct text *notes,
                           struct error *error) {
    const bool own = plot->process == 0;
    bool written;

    if (aborted) {
        stop_gnuplot(plot);
    }
    written = fclose(plot->script) == 0;
    if (own) {
        return written || error_set(error, "cannot write to a file in memory: %s", strerror(errno));
    }
    if (!wait_for_gnuplot(plot, notes, error)) {
        return false;
    }
    if (aborted) {
        return true;
    }
    note_what_is_drawn(plot, notes);
    return (plot->folder == NULL || plot_tex_convert(&plot->tex, plot->folder, plot->path,
                                                     text_string(notes), plot->picture, error)) &&
           plot_is_drawn(plot, error) &&
           (plot->path == NULL ||
            picture_annotate(plot->picture, plot->kind, plot->dots, text_string(notes), error));
}

/* Sets `error` to the cause of a failure. An earlier error is replaced only if the cause explains
 * it: a missing gnuplot explains a broken pipe. */
static void plot_explain(bool done, bool aborted, const struct error *cause, struct error *error) {
    if (!done && (!aborted || strstr(cause->message, "cannot be run") != NULL ||
                  strstr(cause->message, "did not go on") != NULL)) {
        *error = *cause;
    }
}

bool plot_has_nothing_to_draw(const struct error *error) {
    static const char nothing[] = "there is nothing to draw";

    return strncmp(error->message, nothing, strlen(nothing)) == 0;
}

bool plot_end(struct plot *plot, bool aborted, struct text *notes, struct error *error) {
    struct error cause = {0};
    bool done = finish_drawing(plot, aborted, notes, &cause);

    if (done && !aborted) {
        done = copy_picture(plot, &cause);
    }
    if (done && !aborted && plot->partial != NULL) {
        done = move_picture_to_path(plot, &cause);
    }
    plot_explain(done, aborted, &cause, error);
    free_plot(plot);
    return done && !aborted;
}

static bool plot_read_picture(const struct plot *plot, struct text *picture, struct error *error) {
    char buffer[65536];
    ssize_t got = -1;

    if (lseek(plot->picture, 0, SEEK_SET) == 0) {
        while ((got = read(plot->picture, buffer, sizeof buffer)) > 0) {
            text_append(picture, buffer, (size_t)got);
        }
    }
    if (got < 0) {
        return error_set(error, "cannot read the drawn picture: %s", strerror(errno));
    }
    return true;
}

bool plot_read_output(struct plot *plot, bool aborted, struct text *picture, struct error *error) {
    struct error cause = {0};
    struct text notes = {0};
    bool done = finish_drawing(plot, aborted, &notes, &cause);

    text_free(&notes);

    if (done && !aborted) {
        done = plot_read_picture(plot, picture, &cause);
    }
    plot_explain(done, aborted, &cause, error);
    free_plot(plot);
    return done && !aborted;
}

/* --- writing the file of data ----------------------------------------------------------------- */

/* Returns the byte of an octal escape: a backslash and three octal digits; -1 if there is none. */
static int parse_octal_byte(const char *at, size_t length) {
    return length < 4 || at[0] != '\\' || strspn(at + 1, "01234567") < 3
               ? -1
               : (at[1] - '0') * 64 + (at[2] - '0') * 8 + (at[3] - '0');
}

/* Returns whether gnuplot would read a decoded field as something other than text, such as a
 * number. */
static bool byte_stays_escaped(const char *plain) {
    const unsigned char first = (unsigned char)plain[0];
    const bool is_letter = (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z');

    return (!is_letter && first != '/' && first != '_' && first < 0x80) ||
           strncasecmp(plain, "inf", 3) == 0 || strncasecmp(plain, "nan", 3) == 0;
}

/* Appends a field or comment with octal escapes decoded, except those that gnuplot needs. */
static void append_decoded(struct text *out, const char *field, size_t length, bool is_comment) {
    bool after_octal = false;

    for (size_t i = 0; i < length;) {
        const int byte = parse_octal_byte(field + i, length - i);
        const bool is_digit = byte >= '0' && byte <= '9';
        const bool is_last = i + 4 == length;
        const bool stays = byte < ' ' || byte == 0x7f ||
                           (!is_comment && (strchr("\"\\#'", byte) != NULL ||
                                            (byte == ' ' && is_last) || (is_digit && after_octal)));
        const size_t size = byte >= 0 ? 4 : field[i] == '\\' && i + 1 < length ? 2 : 1;

        if (stays) {
            text_append(out, field + i, size);
        } else {
            text_append_char(out, (char)byte);
        }
        after_octal = stays && byte >= 0;
        i += size;
    }
}

/* Writes a line of data with octal escapes decoded, since gnuplot never reads this file as
 * commands. `line` ends with a newline. */
static void write_data(struct plot_script *script, const char *line, size_t length) {
    const bool is_comment = line[0] == '#';
    struct text out = {0};

    length--;
    if (is_comment) {
        length -= length > 3 && memcmp(line + length - 3, " \\#", 3) == 0 ? 3 : 0;
        append_decoded(&out, line, length, true);
    }
    for (size_t at = 0, size; !is_comment && at < length; at += size) {
        const char *tab = memchr(line + at, '\t', length - at);

        size = tab == NULL ? length - at : (size_t)(tab - line) - at;
        const char *field = line + at;
        text_clear(&script->scratch);
        append_decoded(&script->scratch, field, size, false);
        if (byte_stays_escaped(text_string(&script->scratch))) {
            text_append(&out, field, size);
        } else {
            text_append(&out, text_string(&script->scratch), script->scratch.length);
        }
        if (tab != NULL) {
            text_append_char(&out, '\t');
            size++;
        }
    }
    text_append_char(&out, '\n');
    fwrite(text_string(&out), 1, out.length, script->data.file);
    text_free(&out);
}

/* --- writing the file of commands ------------------------------------------------------------- */

static void write_text(const struct plot_script *script, const char *bytes, size_t length) {
    if (script->script.file != NULL) {
        fwrite(bytes, 1, length, script->script.file);
    }
}

/* Writes a command and a file name in quotes. */
static void write_command(struct plot_script *script, const char *command, const char *path) {
    text_clear(&script->scratch);
    text_append_string(&script->scratch, command);
    gnuplot_append_file(&script->scratch, path);
    text_append_char(&script->scratch, '\n');
    write_text(script, text_string(&script->scratch), script->scratch.length);
}

/* Writes a line of commands. If the data have a separate file, replaces `$data` by the variable
 * data_file. */
static void write_plot(const struct plot_script *script, const char *line) {
    static const char inside[] = "$data";
    const char *found;

    for (; script->order.data != NULL && (found = strstr(line, inside)) != NULL;
         line = found + strlen(inside)) {
        write_text(script, line, (size_t)(found - line));
        write_text(script, "data_file", strlen("data_file"));
    }
    write_text(script, line, strlen(line));
}

static void plot_process_line(struct plot_script *script) {
    const char *line = text_string(&script->line);
    const size_t length = script->line.length;
    const bool has_file = script->order.data != NULL;

    if (script->is_data) {
        script->is_data = strcmp(line, GNUPLOT_DATA_END) != 0;
        if (has_file && script->is_data) {
            write_data(script, line, length);
        }
        /* Comment lines (traces' names, counts of records) are also written to the script if the
         * data have a separate file. */
        if (!has_file || line[0] == '#') {
            write_text(script, line, length);
        }
    } else if (strcmp(line, GNUPLOT_DATA_BEGIN) == 0) {
        script->is_data = true;
        if (has_file) {
            write_command(script, "data_file = ", script->order.data);
        } else {
            write_text(script, line, length);
        }
    } else if (strcmp(line, GNUPLOT_TO_PICTURE) == 0) {
        write_command(script, "set output ", script->order.picture);
    } else {
        write_plot(script, line);
    }
    text_clear(&script->line);
}

/* Passes all output to gnuplot unchanged, and complete lines also to the script and data files. */
static ssize_t pass_to_gnuplot(void *cookie, const char *bytes, size_t length) {
    struct plot_script *script = cookie;
    const char *end = bytes + length;

    if (fwrite(bytes, 1, length, script->gnuplot) != length || fflush(script->gnuplot) != 0) {
        return 0; /* the caller finds the cause in errno */
    }
    while (bytes < end) {
        const char *newline = memchr(bytes, '\n', (size_t)(end - bytes));
        const size_t size = newline == NULL ? (size_t)(end - bytes) : (size_t)(newline - bytes) + 1;

        text_append(&script->line, bytes, size);
        bytes += size;
        if (newline != NULL) {
            plot_process_line(script);
        }
    }
    return (ssize_t)length;
}

/* --- opening and closing both files ----------------------------------------------------------- */

/* Writes the user's command and tracetool's version as comments to both files, and commands for the
 * terminal and the output file to the script. */
static void write_head(struct plot_script *script, const struct plot *plot,
                       const struct plot_look *look) {
    const char *command = script->order.command;

    text_clear(&script->scratch);
    text_append_string(&script->scratch, "# ");
    gnuplot_append(&script->scratch, command, strlen(command), GNUPLOT_COMMENT);
    text_append_string(&script->scratch, " \\#\n# by tracetool " TRACETOOL_VERSION "\n");
    if (script->script.file != NULL) {
        write_text(script, text_string(&script->scratch), script->scratch.length);
        plot_set_terminal(script->script.file, plot->kind, look);
        write_command(script, "set output ", script->order.picture);
    }
    if (script->data.file != NULL) {
        fprintf(script->data.file, "# %s\n# by tracetool " TRACETOOL_VERSION "\n", command);
    }
}

bool plot_script_begin(struct plot_script *script, struct plot *plot,
                       const struct plot_script_order *order, const struct plot_look *look,
                       struct error *error) {
    static const cookie_io_functions_t functions = {.write = pass_to_gnuplot};
    FILE *copied;

    *script = (struct plot_script){.order = *order};
    if ((order->script != NULL && !atomic_file_open(&script->script, order->script, error)) ||
        (order->data != NULL && !atomic_file_open(&script->data, order->data, error))) {
        return plot_script_close(script, false, error);
    }
    copied = fopencookie(script, "w", functions);
    if (copied == NULL) {
        error_set(error, "cannot copy the script: %s", strerror(errno));
        return plot_script_close(script, false, error);
    }
    write_head(script, plot, look);
    script->gnuplot = plot->script;
    plot->script = copied;
    return true;
}

void plot_script_end(struct plot_script *script, struct plot *plot) {
    if (script->gnuplot != NULL) {
        fclose(plot->script); /* not checked: a write error is found at gnuplot's pipe */
        plot->script = script->gnuplot;
        script->gnuplot = NULL;
    }
}

static bool move_placed_file(struct atomic_file *placed, struct error *error) {
    if (placed->file != NULL && ferror(placed->file) != 0) {
        return error_set(error, "%s: cannot write", placed->path);
    }
    return placed->file == NULL || atomic_file_commit(placed, error);
}

bool plot_script_close(struct plot_script *script, bool done, struct error *error) {
    done =
        done && move_placed_file(&script->data, error) && move_placed_file(&script->script, error);
    atomic_file_close(&script->data);
    atomic_file_close(&script->script);
    text_free(&script->line);
    text_free(&script->scratch);
    return done;
}
