#include "output/plot.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"

static const struct {
    const char *ending;
    const char *terminal;
} terminals[] = {
    {".png", "pngcairo size 1200,800 font \"sans,14\""},
    {".svg", "svg size 900,600 font \"sans,14\" background \"white\""},
    {".pdf", "pdfcairo size 18cm,12cm font \"sans,11\""},
};

static const char *find_terminal(const char *path) {
    size_t length = strlen(path);

    for (size_t i = 0; i < sizeof terminals / sizeof terminals[0]; i++) {
        size_t ending = strlen(terminals[i].ending);

        if (length > ending && strcmp(path + length - ending, terminals[i].ending) == 0) {
            return terminals[i].terminal;
        }
    }
    return NULL;
}

/* The picture is made beside its place and moved there when it is whole. */
static int open_partial(struct plot *plot, const char *path, struct error *error) {
    struct text partial = {0};
    int descriptor;

    text_append_format(&partial, "%s.XXXXXX", path);
    plot->path = strdup(path);
    plot->partial = partial.bytes;
    if (partial.failed || plot->path == NULL) {
        error_no_memory(error);
        return -1;
    }
    descriptor = mkostemp(plot->partial, O_CLOEXEC);
    if (descriptor < 0) {
        error_set(error, "%s: cannot write: %s", path, strerror(errno));
        free(plot->partial);
        plot->partial = NULL;
    }
    return descriptor;
}

/* In the child: connects the pipe and the picture, and becomes gnuplot. */
static void become_gnuplot(int script, int picture) {
    if (dup2(script, STDIN_FILENO) >= 0 && dup2(picture, STDOUT_FILENO) >= 0) {
        signal(SIGPIPE, SIG_DFL);
        /* Whatever the user's surroundings say, names are UTF-8 and the first line is a command. */
        unsetenv("GNUTERM");
        setenv("LC_ALL", "C.UTF-8", 1);
        /* -d: no start-up files, so that every picture looks the same. */
        execlp("gnuplot", "gnuplot", "-d", "-", (char *)NULL);
    }
    _exit(127);
}

static bool start_gnuplot(struct plot *plot, struct error *error) {
    int ends[2];

    /* gnuplot does not notice when what it writes is lost (a full disk), so it writes to memory,
     * from where copy_picture() takes it. */
    plot->picture = memfd_create("picture", MFD_CLOEXEC);
    if (plot->picture < 0) {
        return error_set(error, "cannot make a file in memory: %s", strerror(errno));
    }
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return error_set(error, "cannot make a pipe: %s", strerror(errno));
    }
    fflush(stdout);
    plot->process = fork();
    if (plot->process == 0) {
        become_gnuplot(ends[0], plot->picture);
    }
    close(ends[0]);
    if (plot->process > 0) {
        plot->script = fdopen(ends[1], "w");
    }
    if (plot->script == NULL) {
        close(ends[1]);
        return error_set(error, "cannot start gnuplot: %s", strerror(errno));
    }
    return true;
}

static void free_plot(struct plot *plot) {
    if (plot->picture >= 0) {
        close(plot->picture);
    }
    if (plot->target >= 0 && plot->target != STDOUT_FILENO) {
        close(plot->target);
    }
    if (plot->partial != NULL) {
        unlink(plot->partial);
    }
    free(plot->partial);
    free(plot->path);
    *plot = (struct plot){.picture = -1, .target = -1};
}

/* The terminal draws with characters, as wide as it is. */
static void set_character_terminal(FILE *script, const struct printer_options *options) {
    int width = options->width > 20 ? options->width : 80;

    fprintf(script, "set terminal dumb %s size %d,%d\n", options->color ? "ansi" : "mono", width,
            width > 120 ? 40 : 24);
}

bool plot_begin(struct plot *plot, const char *path, const struct printer_options *options,
                struct error *error) {
    const char *terminal = find_terminal(path);
    bool to_terminal = strcmp(path, "-") == 0;

    *plot = (struct plot){.picture = -1, .target = STDOUT_FILENO};
    if (terminal == NULL && !to_terminal) {
        return error_set_status(error, EXIT_USAGE,
                                "%s: the ending of the file must be .png, .svg or .pdf", path);
    }
    if ((!to_terminal && (plot->target = open_partial(plot, path, error)) < 0) ||
        !start_gnuplot(plot, error)) {
        free_plot(plot);
        return false;
    }
    if (to_terminal) {
        set_character_terminal(plot->script, options);
    } else {
        fprintf(plot->script, "set terminal %s\n", terminal);
    }
    return true;
}

static bool wait_for_gnuplot(struct plot *plot, struct error *error) {
    int status;

    while (waitpid(plot->process, &status, 0) < 0) {
        if (errno != EINTR) {
            return error_set(error, "cannot wait for gnuplot: %s", strerror(errno));
        }
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127) {
        return error_set(error, "gnuplot cannot be run; install it (Debian: gnuplot-nox)");
    }
    return (WIFEXITED(status) && WEXITSTATUS(status) == 0) ||
           error_set(error, "gnuplot failed; its message stands above");
}

static bool copy_picture(struct plot *plot, struct error *error) {
    const char *name = plot->path == NULL ? "stdout" : plot->path;
    char buffer[65536];
    ssize_t got = 0, written = 0;

    if (lseek(plot->picture, 0, SEEK_SET) != 0) {
        return error_set(error, "cannot read the picture: %s", strerror(errno));
    }
    while (written >= 0 && (got = read(plot->picture, buffer, sizeof buffer)) > 0) {
        for (ssize_t at = 0; at < got && written >= 0; at += written) {
            written = write(plot->target, buffer + at, (size_t)(got - at));
        }
    }
    if (written < 0 || got < 0) {
        return error_set(error, "cannot write to %s: %s", name, strerror(errno));
    }
    return true;
}

/* Gives the picture the permissions any new file would have, and its place. */
static bool place_picture(struct plot *plot, struct error *error) {
    mode_t mask = umask(0);
    bool done;

    umask(mask);
    done = chmod(plot->partial, 0666 & ~mask) == 0 && rename(plot->partial, plot->path) == 0;
    if (!done) {
        return error_set(error, "%s: cannot write: %s", plot->path, strerror(errno));
    }
    free(plot->partial);
    plot->partial = NULL;
    return true;
}

bool plot_end(struct plot *plot, bool aborted, struct error *error) {
    struct error cause = {0};
    bool done;

    if (aborted) {
        kill(plot->process, SIGTERM);
    }
    fclose(plot->script);
    done = wait_for_gnuplot(plot, &cause);
    if (done && !aborted) {
        done = copy_picture(plot, &cause);
    }
    if (done && !aborted && plot->partial != NULL) {
        done = place_picture(plot, &cause);
    }
    /* That gnuplot is missing explains a broken pipe. */
    if (!done && (!aborted || strstr(cause.message, "cannot be run") != NULL)) {
        *error = cause;
    }
    free_plot(plot);
    return done && !aborted;
}
