/* Common functions of all commands: messages, the database, and the output. */
#include <langinfo.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/logs.h"
#include "cli/output_stream.h"
#include "output/printer.h"
#include "remote/store_snapshot.h"
#include "report/choose.h"
#include "report/query_set.h"

/* Size of a terminal if unknown. */

enum { USUAL_COLUMNS = 80, USUAL_ROWS = 24 };

/* Returns the size of the terminal behind a descriptor; 80x24 if unknown. */
static struct terminal_size terminal_size(int descriptor) {
    struct winsize size = {0};

    if (ioctl(descriptor, TIOCGWINSZ, &size) != 0) {
        size = (struct winsize){0};
    }
    return (struct terminal_size){
        .columns = size.ws_col > 0 ? size.ws_col : USUAL_COLUMNS,
        .rows = size.ws_row > 0 ? size.ws_row : USUAL_ROWS,
    };
}

bool terminal_supports_escapes(void) {
    const char *kind = getenv("TERM");

    return kind != NULL && *kind != '\0' && strcmp(kind, "dumb") != 0;
}

/* Returns whether to use colours on the terminal: it is capable, and NO_COLOR is unset or empty. */
static bool terminal_welcomes_color(void) {
    const char *no_color = getenv("NO_COLOR");

    return terminal_supports_escapes() && (no_color == NULL || *no_color == '\0');
}

/* Returns which characters the terminal can show bars with. */
static enum bar_kind terminal_bars(void) {
    if (!terminal_supports_escapes()) {
        return BAR_NONE;
    }
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0 ? BAR_BLOCKS : BAR_ASCII;
}

/* Prints a message, escaped since it may contain names from logs and of files. */
static void print_escaped(const char *prefix, const char *message, const char *suffix) {
    struct text line = {0};

    text_append_string(&line, prefix);
    text_append_escaped(&line, message, strlen(message));
    text_escape_bidi(&line);
    text_append_string(&line, suffix);
    fputs(text_string(&line), stderr);
    text_free(&line);
}

void session_print_error(const char *message) {
    print_escaped("tracetool: ", message, "\n");
}

void session_print_failure(const struct error *error, const char *help) {
    const size_t length = strlen(error->message);
    struct text end = {0};

    if (error->status == EXIT_USAGE && strstr(error->message, "--help") == NULL) {
        text_append_format(&end, "%s see %s",
                           length > 0 && error->message[length - 1] == '?' ? "" : ";", help);
    }
    text_append_char(&end, '\n');
    print_escaped("tracetool: ", error->message, text_string(&end));
    text_free(&end);
}

void session_print_line(const struct session *session, const char *format, ...) {
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

void session_suggest(const struct session *session, const char *before, const char *name) {
    struct text line = {0};

    if (session->stream != NULL && output_stream_end_holding_back(session->stream)) {
        return;
    }
    text_append_format(&line, "%stry: tracetool ", before);
    if (session->arguments->given[OPTION_DB]) {
        text_append_string(&line, "-d ");
        text_append_word(&line, session->database_path);
        text_append_char(&line, ' ');
    }
    text_append_string(&line, "report summary");
    if (name != NULL) {
        text_append_string(&line, " -t ");
        text_append_word(&line, name);
    }
    session_print_line(session, "%s", text_string(&line));
    text_free(&line);
}

void session_note(const struct session *session, const char *message) {
    if (!session->arguments->given[OPTION_QUIET]) {
        session_print_error(message);
    }
}

void session_warn_of_untrusted(const struct session *session) {
    if (session->config.distrusted != NULL) {
        session_print_error(session->config.distrusted);
    }
}

const char *session_queries(const struct session *session) {
    session_warn_of_untrusted(session);
    return session->config.queries;
}

bool session_has_report(const struct session *session, const char *word) {
    struct error ignored = {0};
    struct query_set queries;
    bool has;

    if (!query_set_load_typed(&queries, session->config.queries, word, &ignored)) {
        return true;
    }
    has = choose_report(&queries, word, &ignored) != NULL;
    query_set_free(&queries);
    return has;
}

bool session_check_unknown_options(const struct session *session, struct error *error) {
    const struct arguments *arguments = session->arguments;
    struct query_set queries;
    bool done = query_set_load(&queries, session->config.queries, error);

    for (size_t i = 0; done && i < arguments->other_count; i++) {
        const char *name = arguments->others[i].name;
        bool found = false;

        for (size_t j = 0; !found && j < queries.count; j++) {
            found = query_parameter(&queries.queries[j], name) != NULL;
        }
        done = found || command_refuse_option(session->command, name, error);
    }
    query_set_free(&queries);
    return done;
}

static void print_waiting(void *context, const char *message) {
    session_print_line(context, "%s", message);
}

/* Opens a snapshot of the store given by -d. Commands then fetch the data that they need. */
static bool open_store(struct session *session, struct database *database, struct error *error) {
    const struct arguments *arguments = session->arguments;
    const struct remote_options options = {
        .url = session->database_path,
        .ca = arguments->values[OPTION_CA],
        .insecure = arguments->given[OPTION_INSECURE],
    };

    /* only commands that can limit what they fetch (option --most-rows) can read stores */
    if (!command_takes(session->command, option_row(OPTION_MOST_ROWS))) {
        return error_usage(error,
                           "%s works on a database file, not on a store; on a store, use list, "
                           "show, report, plot, compare, page or remove",
                           session->command->name);
    }
    session->snapshot = store_snapshot_open(
        &options, arguments_number(arguments, OPTION_MOST_ROWS, STORE_SNAPSHOT_MOST_ROWS), database,
        error);
    return session->snapshot != NULL;
}

bool session_open(struct session *session, struct database *database, enum database_mode mode,
                  struct error *error) {
    if (remote_is_address(session->database_path)) {
        return open_store(session, database, error);
    }
    session->patience.say = print_waiting;
    session->patience.context = session;
    if (!database_open_patiently(database, session->database_path,
                                 mode | logs_database_mode(session), &session->patience, error)) {
        const char *word =
            access(session->database_path, F_OK) == 0 ? NULL : logs_unknown_word(session);

        return word == NULL ? false : error_context(error, "there is no file '%s'", word);
    }
    if (mode == DATABASE_READ && session->stream != NULL) {
        output_stream_set_database(session->stream, database);
    }
    return true;
}

bool session_close(struct session *session, struct database *database, bool done,
                   struct error *error) {
    struct error closing = {0};
    bool written;

    fflush(session->output);
    database_close(database);
    store_snapshot_close(session->snapshot);
    session->snapshot = NULL;
    if (session->stream == NULL) {
        return done;
    }
    written = output_stream_write_held_back(session->stream, &closing);
    if (done && !written) {
        *error = closing;
    }
    return done && written;
}

bool session_choose_traces(struct session *session, bool may_be_empty, struct catalog *catalog,
                           const struct catalog_trace ***traces, size_t *count,
                           struct error *error) {
    const struct option_list *names = &session->arguments->lists[OPTION_TRACE];
    struct database database;
    bool done;

    if (!session_open(session, &database, DATABASE_READ, error)) {
        return false;
    }
    done = catalog_load(catalog, &database, error);
    if (done) {
        *traces = xcalloc(catalog->count + names->count + 1, sizeof **traces);
        done = (may_be_empty && catalog->count == 0) ||
               catalog_choose_all(catalog, names->values, names->count, *traces, count, error);
    }
    return session_close(session, &database, done, error);
}

const struct printer_style *session_style(const struct session *session, struct error *error) {
    const char *name = session->arguments->values[OPTION_FORMAT];
    const struct printer_style *style;

    if (name == NULL) {
        name = session->stdout_is_terminal ? "table" : "tsv";
    }
    style = printer_style_find(name);
    if (style == NULL) {
        error_usage(error, "there is no output format '%s'; there are %s", name,
                    printer_style_names());
    }
    return style;
}

struct paging session_paging(const struct arguments *arguments) {
    const char *format = arguments->values[OPTION_FORMAT];
    bool is_to_read = format == NULL || strcmp(format, printer_style_table.name) == 0 ||
                      strcmp(format, printer_style_markdown.name) == 0;
    struct paging paging = {.complain = session_print_error};

    if (is_to_read && !arguments->given[OPTION_NO_PAGER] && isatty(STDOUT_FILENO) &&
        terminal_supports_escapes()) {
        paging.command = pager_command();
        paging.screen = terminal_size(STDOUT_FILENO);
    }
    return paging;
}

bool session_option_is_on(const struct session *session, enum option_id id, bool automatic) {
    enum { AUTO, ALWAYS } when = (unsigned)arguments_choice(session->arguments, id, AUTO);

    return when == AUTO ? automatic : when == ALWAYS;
}

struct printer_options session_printer_options(const struct session *session) {
    bool color_welcome = session->stdout_is_terminal && terminal_welcomes_color();
    struct printer_options options = {
        .color = session_option_is_on(session, OPTION_COLOR, color_welcome),
        .definitions = session->arguments->given[OPTION_VERBOSE],
    };

    if (session->stdout_is_terminal && !session->arguments->given[OPTION_LONG]) {
        options.width = terminal_size(STDOUT_FILENO).columns;
        options.bars = terminal_bars();
    }
    return options;
}

bool session_print(const struct session *session, bool many,
                   bool (*print)(struct printer *printer, void *context, struct error *error),
                   void *context, struct error *error) {
    const struct printer_style *style = session_style(session, error);
    struct printer_options options = session_printer_options(session);
    struct printer *printer;

    if (style == NULL) {
        return false;
    }
    options.many = many;
    printer = printer_open(style, session->output, &options);
    return printer_close(printer, print(printer, context, error), error);
}

static volatile sig_atomic_t interrupted;
/* Borrowed; the database whose statements signals interrupt; NULL: none. */
static const struct database *volatile watched;

static void handle_interrupt(int signal_number) {
    interrupted = 1;
    if (watched != NULL) {
        database_interrupt(watched);
    }
}

static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP};
static struct sigaction before[sizeof ending_signals / sizeof ending_signals[0]];

void interruption_install_handlers(struct session *session) {
    struct sigaction action = {.sa_handler = handle_interrupt};

    if (session->patience.interrupted != NULL) {
        return; /* the signals are caught already */
    }
    session->patience.interrupted = &interrupted;
    for (size_t i = 0; i < sizeof ending_signals / sizeof ending_signals[0]; i++) {
        sigaction(ending_signals[i], &action, &before[i]);
    }
}

void interruption_restore_handlers(struct session *session) {
    if (session->patience.interrupted == NULL) {
        return;
    }
    session->patience.interrupted = NULL;
    for (size_t i = 0; i < sizeof ending_signals / sizeof ending_signals[0]; i++) {
        sigaction(ending_signals[i], &before[i], NULL);
    }
}

const volatile sig_atomic_t *interruption_flag(void) {
    return &interrupted;
}

static bool is_interrupted(const void *context) {
    (void)context;
    return interrupted != 0;
}

struct input_stop interruption_stop(void) {
    return (struct input_stop){is_interrupted, NULL};
}

void interruption_set_database(const struct database *database) {
    watched = database;
}
