#include "cli/pager.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/ending.h"
#include "base/text.h"

extern char **environ;

/* What sh says of a command that is not there, or cannot be run. */
enum { STATUS_CANNOT_RUN = 126, STATUS_NOT_FOUND = 127 };

/* --- which one ---------------------------------------------------------------------------------
 */

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

/* --- signals -----------------------------------------------------------------------------------
 */

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
    ending_clean_up();
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

/* --- running it --------------------------------------------------------------------------------
 */

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

bool pager_start(struct pager *pager, const char *command, struct error *error) {
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

bool pager_wait(struct pager *pager, struct error *error) {
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
