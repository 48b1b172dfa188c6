#include "dwtrace_formatter.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "dwtrace_settings.h"
#include "base/memory.h"

enum { REMEMBERED = 4096 };

/* --- formatters: in the configuration --------------------------------------------------------- */

struct programs {
    char *paths[DWTRACE_TYPES]; /* absolute; owned, NULL: none */
    size_t count;
};

static bool read_program(void *context, struct yaml_value key, struct yaml_value value,
                         struct error *error) {
    struct programs *programs = context;
    const char *name = yaml_string(key, "the type of a parameter", error);
    unsigned type = 1;

    if (name == NULL) {
        return false;
    }
    while (type < DWTRACE_TRUE && strcmp(dwtrace_type_names[type], name) != 0) {
        type++;
    }
    if (type == DWTRACE_TRUE) {
        return yaml_unknown_key(
            key, "UINT8, INT8, BOOL, UINT16, INT16, UINT32, INT32, POINTER, STRUCT", error);
    }
    free(programs->paths[type]);
    programs->paths[type] = yaml_copy(value, "a formatter", error);
    if (programs->paths[type] == NULL) {
        return false;
    }
    programs->count++;
    return programs->paths[type][0] == '/' ||
           yaml_error(value, error,
                      "a formatter must be an absolute path of a program, such as "
                      "/usr/local/bin/show-pointer");
}

static bool read_programs(void *context, struct yaml_value key, struct yaml_value value,
                          struct error *error) {
    (void)key;
    return yaml_each_pair(value, "formatters", read_program, context, error);
}

static void free_programs(void *context) {
    struct programs *programs = context;

    for (size_t i = 0; i < DWTRACE_TYPES; i++) {
        free(programs->paths[i]);
    }
}

const struct config_section dwtrace_formatters_section = {
    .name = "formatters",
    .help = "Programs that say more of parameters of dwTrace logs, by type",
    .size = sizeof(struct programs),
    .defaults = &(const struct programs){.count = 0},
    .read = read_programs,
    .free = free_programs,
    .names_file = true,
};

/* --- one answer ------------------------------------------------------------------------------- */

/* A program that was asked. */
struct question {
    pid_t process;
    int answer; /* its standard output */
    struct timespec deadline;
};

/* Milliseconds until the deadline, 0 when it is over. */
static int time_left(const struct question *question) {
    struct timespec now;
    int64_t left;

    clock_gettime(CLOCK_MONOTONIC, &now);
    left = (int64_t)(question->deadline.tv_sec - now.tv_sec) * 1000 +
           (question->deadline.tv_nsec - now.tv_nsec) / 1000000;
    return left < 0 ? 0 : (int)left;
}

/* In the child: only what may be called between fork() and exec() where there are threads. A group
 * of its own, so that whatever it starts ends with it. */
static void become_program(char *const *arguments, int answer, pid_t parent) {
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);

    setpgid(0, 0);
    if (nothing >= 0 && prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == parent &&
        dup2(nothing, STDIN_FILENO) >= 0 && dup2(answer, STDOUT_FILENO) >= 0 &&
        dup2(nothing, STDERR_FILENO) >= 0) {
        signal(SIGPIPE, SIG_DFL);
        execv(arguments[0], arguments);
    }
    _exit(127);
}

static bool ask(const char *program, const char *type, const char *value,
                struct question *question) {
    char *arguments[] = {(char *)(uintptr_t)program, (char *)(uintptr_t)type,
                         (char *)(uintptr_t)value, NULL};
    const pid_t parent = getpid();
    int ends[2];

    if (pipe2(ends, O_CLOEXEC) != 0) {
        return false;
    }
    clock_gettime(CLOCK_MONOTONIC, &question->deadline);
    question->deadline.tv_sec += FORMATTER_TIME / 1000;
    question->process = fork();
    if (question->process == 0) {
        become_program(arguments, ends[1], parent);
    }
    close(ends[1]);
    question->answer = ends[0];
    if (question->process < 0) {
        close(ends[0]);
        return false;
    }
    /* Both do it, so that it is done whoever comes first. */
    setpgid(question->process, question->process);
    return true;
}

/* Reads up to one byte more than may be, until the program closes its output. */
static bool read_answer(const struct question *question, char *answer, size_t *length) {
    struct pollfd waiting = {.fd = question->answer, .events = POLLIN};

    for (*length = 0; *length <= FORMATTER_OUTPUT;) {
        int ready = poll(&waiting, 1, time_left(question));
        ssize_t got;

        if (ready == 0) {
            return false;
        }
        got = ready < 0 ? -1
                        : read(question->answer, answer + *length, FORMATTER_OUTPUT + 1 - *length);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return got == 0;
        }
        *length += (size_t)got;
    }
    return true;
}

/* Ends it, when the time is over, with all that it has started. How it ended. */
static int end_program(const struct question *question) {
    const struct timespec moment = {0, 1000000};
    siginfo_t ended = {0};
    int status = -1;

    while (waitid(P_PID, (id_t)question->process, &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           ended.si_pid == 0 && time_left(question) > 0) {
        nanosleep(&moment, NULL);
    }
    /* Until it has been waited for, its number is no other process's. */
    kill(-question->process, SIGKILL);
    while (waitpid(question->process, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

/* What went wrong; NULL: nothing. */
static const char *get_answer(const char *program, const char *type, const char *value,
                              char *answer, size_t *length) {
    struct question question;
    bool whole;
    int status;

    if (!ask(program, type, value, &question)) {
        return "cannot be started";
    }
    whole = read_answer(&question, answer, length);
    close(question.answer);
    if (!whole || *length > FORMATTER_OUTPUT) {
        kill(-question.process, SIGKILL);
    }
    status = end_program(&question);
    return !whole                       ? "no answer within a second"
           : *length > FORMATTER_OUTPUT ? "an answer of more than 4096 bytes"
           : status != 0                ? "failed"
                                        : NULL;
}

/* --- answers ---------------------------------------------------------------------------------- */

struct answer {
    char *value; /* owned; NULL: the place is free */
    unsigned type;
    char *shown; /* owned */
};

struct dwtrace_formatters {
    const struct programs *programs;
    unsigned failures[DWTRACE_TYPES];
    char buffer[FORMATTER_OUTPUT + 1];
    struct answer answers[REMEMBERED];
};

struct dwtrace_formatters *dwtrace_formatters_open(const struct config *config) {
    const struct programs *programs = config_value(config, &dwtrace_formatters_section);
    struct dwtrace_formatters *formatters;

    if (programs->count == 0) {
        return NULL;
    }
    formatters = xcalloc(1, sizeof *formatters);
    formatters->programs = programs;
    return formatters;
}

void dwtrace_formatters_close(struct dwtrace_formatters *formatters) {
    for (size_t i = 0; formatters != NULL && i < REMEMBERED; i++) {
        free(formatters->answers[i].value);
        free(formatters->answers[i].shown);
    }
    free(formatters);
}

static struct answer *find_answer(struct dwtrace_formatters *formatters, unsigned type,
                                  const char *value) {
    uint32_t hash = type;

    for (const char *at = value; *at != '\0'; at++) {
        hash = (hash ^ (unsigned char)*at) * UINT32_C(16777619);
    }
    return &formatters->answers[hash % REMEMBERED];
}

/* What is shown of an answer, or of its failure. */
static void append_answer(struct dwtrace_formatters *formatters, unsigned type, const char *value,
                          struct text *shown) {
    size_t length = 0;
    const char *failure = get_answer(formatters->programs->paths[type], dwtrace_type_names[type],
                                     value, formatters->buffer, &length);

    text_append_string(shown, " {");
    if (failure != NULL) {
        text_append_format(shown, "formatter: %s", failure);
        if (++formatters->failures[type] == FORMATTER_TRIES) {
            text_append_string(shown, ", not called any more");
        }
    } else {
        while (length > 0 && formatters->buffer[length - 1] == '\n') {
            length--;
        }
        text_append_escaped(shown, formatters->buffer, length);
    }
    text_append_char(shown, '}');
}

/* Asks, and keeps the answer in place of the one that was there. */
static const char *new_answer(struct dwtrace_formatters *formatters, struct answer *answer,
                              unsigned type, const char *value) {
    struct text shown = {0};

    free(answer->value);
    free(answer->shown);
    *answer = (struct answer){.type = type};
    append_answer(formatters, type, value, &shown);
    answer->value = xstrdup(value);
    answer->shown = xstrdup(text_string(&shown));
    text_free(&shown);
    return answer->shown;
}

void dwtrace_formatters_append(struct dwtrace_formatters *formatters, unsigned type, size_t begin,
                               struct text *out) {
    struct answer *answer;
    const char *value, *shown;

    if (formatters == NULL || formatters->programs->paths[type] == NULL) {
        return;
    }
    value = text_string(out) + begin;
    answer = find_answer(formatters, type, value);
    if (answer->value != NULL && answer->type == type && strcmp(answer->value, value) == 0) {
        shown = answer->shown;
    } else if (formatters->failures[type] >= FORMATTER_TRIES) {
        return;
    } else {
        shown = new_answer(formatters, answer, type, value);
    }
    text_append_string(out, shown);
}
