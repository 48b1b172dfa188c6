/* tracetool: trace logs of mobile systems into answers. Command line, messages, exit status. */
#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/text.h"
#include "base/words.h"
#include "cli/command.h"
#include "report/query.h"

enum { STDOUT_BUFFER = 64 * 1024 };

/* Names from logs and files may stand in messages: nothing of them reaches the terminal raw. That
 * there is no memory must be said without any, so the line has its room here, for a message of
 * which every byte is escaped. */
static void print_escaped(const char *prefix, const char *message, const char *suffix) {
    char room[4 * ERROR_MESSAGE_SIZE + 128];
    struct text line = {.bytes = room, .capacity = sizeof room};

    text_append_string(&line, prefix);
    text_append_escaped(&line, message, strlen(message));
    text_append_string(&line, suffix);
    fputs(text_string(&line), stderr);
}

void session_complain(const char *message) {
    print_escaped("tracetool: ", message, "\n");
}

void session_say(const struct session *session, const char *format, ...) {
    char message[ERROR_MESSAGE_SIZE];
    va_list arguments;

    if (session->arguments->given[OPTION_QUIET]) {
        return;
    }
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    print_escaped("", message, "\n");
}

const char *session_queries(const struct session *session) {
    if (session->config.distrusted != NULL) {
        session_complain(session->config.distrusted);
    }
    return session->config.queries;
}

const struct printer_style *session_style(const struct session *session, struct error *error) {
    const char *name = session->arguments->values[OPTION_FORMAT];
    const struct printer_style *style;

    if (name == NULL) {
        name = session->stdout_is_terminal ? "table" : "tsv";
    }
    style = printer_style_find(name);
    if (style == NULL) {
        error_set_status(error, EXIT_USAGE, "there is no output format '%s'; there are %s", name,
                         printer_style_names());
    }
    return style;
}

/* --color or --progress: auto means a terminal. */
static bool is_wanted(const struct arguments *arguments, enum option_id id, bool automatic) {
    const char *when = arguments->values[id];

    if (when == NULL || strcmp(when, "auto") == 0) {
        return automatic;
    }
    return strcmp(when, "always") == 0;
}

struct printer_options session_printer_options(const struct session *session) {
    const char *no_color = getenv("NO_COLOR");
    bool color_welcome = session->stdout_is_terminal && (no_color == NULL || *no_color == '\0');
    struct printer_options options = {
        .color = is_wanted(session->arguments, OPTION_COLOR, color_welcome),
    };
    struct winsize size;

    if (session->stdout_is_terminal) {
        options.width =
            ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
    }
    return options;
}

bool session_print(const struct session *session, bool many,
                   bool (*print)(struct printer *printer, void *context, struct error *error),
                   void *context, struct error *error) {
    const struct printer_style *style = session_style(session, error);
    struct printer_options options = session_printer_options(session);
    struct error closing = {0};
    struct printer *printer;
    bool done;

    options.many = many;
    printer = style == NULL ? NULL : printer_open(style, stdout, &options, error);
    if (printer == NULL) {
        return false;
    }
    done = print(printer, context, error);
    if (!printer_close(printer, !done, &closing) && done) {
        *error = closing;
        done = false;
    }
    return done;
}

static bool check_options(const struct command *command, const struct arguments *arguments,
                          struct error *error) {
    for (int i = 0; i < option_count(); i++) {
        if (arguments->given[i] && !option_row(i)->everywhere &&
            !command_takes(command, option_row(i))) {
            return error_set_status(error, EXIT_USAGE, "%s does not take --%s", command->name,
                                    option_row(i)->name);
        }
    }
    if (arguments->word_count < command->fewest) {
        return error_set_status(error, EXIT_USAGE, "%s needs %s", command->name, command->words);
    }
    if (arguments->word_count > command->most) {
        return error_set_status(error, EXIT_USAGE, "%s: one argument too many: '%s'", command->name,
                                arguments->words[command->most]);
    }
    return true;
}

static bool run_command(const struct command *command, const struct arguments *arguments,
                        struct error *error) {
    const char *database = getenv("TRACETOOL_DB");
    struct session session = {
        .arguments = arguments,
        .database_path = database != NULL && *database != '\0' ? database : "traces.db",
        .stdout_is_terminal = isatty(STDOUT_FILENO),
        .stderr_is_terminal = isatty(STDERR_FILENO),
    };
    bool done;

    if (!check_options(command, arguments, error)) {
        return false;
    }
    if (arguments->given[OPTION_DB]) {
        session.database_path = arguments->values[OPTION_DB];
    }
    if (!config_read(arguments->values[OPTION_CONFIG], &session.config, error)) {
        return false;
    }
    done = command->run(&session, error);
    config_free(&session.config);
    return done;
}

static bool run(const struct arguments *arguments, struct error *error) {
    const struct command *command;

    if (arguments->given[OPTION_VERSION]) {
        puts("tracetool " TRACETOOL_VERSION);
        return true;
    }
    if (arguments->command == NULL) {
        if (arguments->given[OPTION_HELP]) {
            command_help(NULL);
            return true;
        }
        return error_set_status(error, EXIT_USAGE, "which command?");
    }
    command = command_find(arguments->command);
    if (command == NULL) {
        return error_set_status(error, EXIT_USAGE, "there is no command '%s'", arguments->command);
    }
    if (arguments->given[OPTION_HELP]) {
        command_help(command);
        return true;
    }
    return run_command(command, arguments, error);
}

/* Data that could not be written is a failure like any other. */
static bool close_stdout(struct error *error) {
    bool failed = ferror(stdout) != 0;

    errno = 0;
    if (fclose(stdout) != 0 || failed) {
        return error_set(error, "cannot write to stdout: %s",
                         errno != 0 ? strerror(errno) : "write error");
    }
    return true;
}

int main(int argc, char **argv) {
    struct arguments arguments;
    struct error error = {0};
    bool done;

    setlocale(LC_CTYPE, "");
    /* Small outputs go out at once, so that `| head` seldom closes the pipe before they do. */
    setvbuf(stdout, NULL, _IOFBF, STDOUT_BUFFER);
    /* A closed pipe is to be seen by the failing write. */
    signal(SIGPIPE, SIG_IGN);
    done = arguments_parse(&arguments, argc, argv, &error) && run(&arguments, &error);
    if (done) {
        done = close_stdout(&error);
    }
    if (!done) {
        print_escaped("tracetool: ", error.message,
                      error.status == EXIT_USAGE ? "; see tracetool --help\n" : "\n");
    }
    arguments_free(&arguments);
    return done ? EXIT_DONE : error.status != EXIT_DONE ? (int)error.status : EXIT_FAILED;
}
