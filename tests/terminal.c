/* Runs a command in a pseudo-terminal and prints its output.
 *
 *     terminal [-w] [-a TEXT] [-k KEYS] COLUMNSxROWS COMMAND [ARGUMENT]…
 *
 * stdin, stdout and stderr of the command are the terminal. KEYS are typed after TEXT was printed
 * (without -a: at once). Control characters are shown as pictures: ␛ is ESC. -w reports lines wider
 * than the terminal on stderr. The status is that of the command, 128 plus the signal that ended
 * it, or 124 if it was killed after a minute.
 */
#include <errno.h>
#include <locale.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include <utmp.h>
#include <wchar.h>

enum {
    SECONDS = 60,
    STATUS_LATE = 124, /* as timeout(1) */
    STATUS_WRONG = 125,
    MOST = 64 << 20, /* bytes of output */
    TAB = 8,
    ESCAPE = 033,
};

struct session {
    int terminal; /* our side of it */
    pid_t child;
    const char *after, *keys; /* NULL: none */
    char *output;             /* all output; owned */
    size_t size;
    bool late;
    bool measured; /* -w */
};

static void give_up(const char *what) {
    fprintf(stderr, "terminal: %s: %s\n", what, strerror(errno));
    exit(STATUS_WRONG);
}

/* Opens the terminal: line ends are unchanged, and keys are not echoed. */
static void start(struct session *session, const struct winsize *size, char **command) {
    struct termios mode;
    int slave;

    if (openpty(&session->terminal, &slave, NULL, NULL, size) != 0 ||
        tcgetattr(slave, &mode) != 0) {
        give_up("openpty");
    }
    mode.c_oflag &= ~(tcflag_t)ONLCR;
    mode.c_lflag &= ~(tcflag_t)ECHO;
    tcsetattr(slave, TCSANOW, &mode);
    session->child = fork();
    if (session->child < 0) {
        give_up("fork");
    }
    if (session->child == 0) {
        close(session->terminal);
        /* As in a new terminal, even if the test's caller ignores these. */
        signal(SIGINT, SIG_DFL);
        signal(SIGQUIT, SIG_DFL);
        signal(SIGHUP, SIG_DFL);
        if (login_tty(slave) == 0) {
            execvp(command[0], command);
        }
        give_up(command[0]);
    }
    close(slave);
}

static void type_keys(struct session *session) {
    bool is_time = session->after == NULL || (session->output != NULL &&
                                              memmem(session->output, session->size, session->after,
                                                     strlen(session->after)) != NULL);

    if (session->keys != NULL && is_time) {
        if (write(session->terminal, session->keys, strlen(session->keys)) < 0) {
            give_up("typing");
        }
        session->keys = NULL;
    }
}

/* Reads the available output; false at the end, which the kernel reports as EIO. */
static bool take_output(struct session *session) {
    char bytes[4096];
    ssize_t count = read(session->terminal, bytes, sizeof bytes);

    if (count <= 0 || session->size + (size_t)count > MOST) {
        return false;
    }
    session->output = realloc(session->output, session->size + (size_t)count);
    if (session->output == NULL) {
        give_up("output");
    }
    memcpy(session->output + session->size, bytes, (size_t)count);
    session->size += (size_t)count;
    return true;
}

static void follow(struct session *session) {
    struct pollfd terminal = {.fd = session->terminal, .events = POLLIN};
    time_t end = time(NULL) + SECONDS;
    bool more = true;

    while (more && time(NULL) < end) {
        type_keys(session);
        more = poll(&terminal, 1, 1000) <= 0 || take_output(session);
    }
    session->late = more;
    if (more) {
        kill(-session->child, SIGKILL);
    }
}

/* Returns the length of the control sequence at `bytes`, which has no width; 0: none. */
static size_t control_sequence(const char *bytes, size_t size) {
    size_t i = 2;

    if (size < 2 || bytes[0] != ESCAPE) {
        return 0;
    }
    while (bytes[1] == '[' && i < size && (bytes[i] < '@' || bytes[i] > '~')) {
        i++;
    }
    return bytes[1] != '[' ? 2 : i < size ? i + 1 : size;
}

/* Returns the column after the character at `bytes`, which is in `column`; sets its length. */
static int column_behind(const char *bytes, size_t size, int column, size_t *length) {
    wchar_t character;
    mbstate_t shift = {0};

    *length = control_sequence(bytes, size);
    if (*length > 0) {
        return column;
    }
    *length = 1;
    if (*bytes == '\t') {
        return column / TAB * TAB + TAB;
    }
    if (*bytes == '\r') {
        return 0;
    }
    *length = mbrtowc(&character, bytes, size, &shift);
    if (*length == 0 || *length > size) {
        *length = 1;
        return column + 1;
    }
    return column + (wcwidth(character) > 0 ? wcwidth(character) : 0);
}

/* Reports lines wider than the terminal. */
static void measure(const struct session *session, int columns) {
    int line = 1, column = 0, widest = 0;
    size_t length;

    for (size_t i = 0; i < session->size; i += length) {
        if (session->output[i] != '\n') {
            column = column_behind(session->output + i, session->size - i, column, &length);
            widest = column > widest ? column : widest;
        }
        if (session->output[i] == '\n' || i + length == session->size) {
            if (widest > columns) {
                fprintf(stderr, "terminal: line %d has %d columns of %d\n", line, widest, columns);
            }
            line++;
            column = widest = 0;
            length = session->output[i] == '\n' ? 1 : length;
        }
    }
}

static void print_output(const struct session *session) {
    for (size_t i = 0; i < session->size; i++) {
        unsigned char byte = (unsigned char)session->output[i];

        if (byte < ' ' && byte != '\n') {
            printf("\xe2\x90%c", 0x80 + byte); /* U+2400 and above */
        } else {
            putchar(byte);
        }
    }
}

static int end_of(const struct session *session) {
    int status;

    while (waitpid(session->child, &status, 0) < 0) {
        if (errno != EINTR) {
            give_up("waitpid");
        }
    }
    if (session->late) {
        return STATUS_LATE;
    }
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int main(int argc, char **argv) {
    struct session session = {0};
    struct winsize size = {0};
    int option;

    setlocale(LC_CTYPE, "");
    while ((option = getopt(argc, argv, "+wa:k:")) != -1) {
        switch (option) {
        case 'w':
            session.measured = true;
            break;
        case 'a':
            session.after = optarg;
            break;
        case 'k':
            session.keys = optarg;
            break;
        default:
            return STATUS_WRONG;
        }
    }
    if (argc - optind < 2 || sscanf(argv[optind], "%hux%hu", &size.ws_col, &size.ws_row) != 2) {
        fputs("usage: terminal [-w] [-a TEXT] [-k KEYS] COLUMNSxROWS COMMAND [ARGUMENT]…\n",
              stderr);
        return STATUS_WRONG;
    }
    start(&session, &size, argv + optind + 1);
    follow(&session);
    print_output(&session);
    if (session.measured) {
        measure(&session, size.ws_col);
    }
    return end_of(&session);
}
