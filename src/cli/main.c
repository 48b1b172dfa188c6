/* tracetool imports trace logs into databases and answers questions about them. This file handles
 * the command line and the exit status. */
#include <errno.h>
#include <glob.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/words.h"
#include "cli/assert.h"
#include "cli/command.h"
#include "cli/logs.h"
#include "cli/report_load.h"
#include "report/choose.h"
#include "report/query_set.h"
#include "store/database.h"

enum { STDOUT_BUFFER = 64 * 1024 };

/* Appends a command to try: the word of a list that is most similar to `typed`. */
static void append_nearest(struct text *tries, const struct word_list *list, const char *typed) {
    const char *near = word_list_nearest(list, typed);

    if (near != NULL) {
        text_append_format(tries, "%s`tracetool ", tries->length == 0 ? ": did you mean " : " or ");
        text_append_word(tries, near);
        text_append_string(tries, "`");
    }
}

/* Suggests the commands, reports and files whose names are most similar. Leaves the error unchanged
 * if several commands begin with `typed`. */
static void suggest_similar(const char *typed, const struct word_list *commands,
                            struct error *error) {
    struct word_list reports = {0}, files = {0};
    struct query_set queries = {0};
    struct error ignored = {0};
    struct text tries = {0};
    glob_t found = {0};

    for (size_t i = 0; i < commands->count; i++) {
        if (strncmp(commands->words[i], typed, strlen(typed)) == 0) {
            return;
        }
    }
    if (query_set_load(&queries, NULL, &ignored)) {
        for (size_t i = 0; i < queries.count; i++) {
            word_list_add(&reports, queries.queries[i].report);
        }
    }
    glob("*", 0, NULL, &found);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        word_list_add(&files, found.gl_pathv[i]);
    }
    append_nearest(&tries, commands, typed);
    append_nearest(&tries, &reports, typed);
    append_nearest(&tries, &files, typed);
    text_append_string(&tries, tries.length > 0 ? "?" : "");
    if (choose_synonym(typed) != NULL) {
        text_clear(&tries);
        text_append_format(&tries, ": %s", choose_synonym(typed));
    } else if (tries.length == 0) {
        text_append_string(&tries,
                           "; `tracetool help` lists commands, `tracetool reports` reports");
    }
    error_usage(error, "there is no command, report or log '%s'%s", typed, text_string(&tries));
    globfree(&found);
    word_list_free(&files);
    word_list_free(&reports);
    query_set_free(&queries);
    text_free(&tries);
}

/* Returns the command that the first word means. It may be the command's name or another name of
 * it, the name of a report, or a log, which means `overview`; otherwise the unique prefix of a
 * name. NULL with `error` set if none fits. */
static const struct command *choose_command(struct arguments *arguments, struct error *error) {
    const char *typed = arguments->command, *chosen;
    struct word_list names = {0};

    if (command_find(typed) == NULL && query_report_exists(NULL, typed)) {
        arguments->words--;
        arguments->word_count++;
        return command_find("report");
    }
    command_list_names(&names);
    if (command_find(command_name_of(typed)) == NULL && log_is_word(typed)) {
        chosen = "overview";
        arguments->words--;
        arguments->word_count++;
    } else {
        chosen = word_list_choose(&names, "command", command_name_of(typed), NULL, error);
    }
    if (chosen == NULL) {
        suggest_similar(typed, &names, error);
    }
    word_list_free(&names);
    return chosen == NULL ? NULL : command_find(chosen);
}

/* Returns the subcommand that the first word names, and removes this word; otherwise `command`
 * itself. NULL with `error` set if a subcommand is required, and the word names none. */
static const struct command *choose_within(const struct command *command,
                                           struct arguments *arguments, struct error *error) {
    const bool must =
        (command_bit(command) & (ON_STORE | ON_CACHE)) != 0 && arguments->word_count > 0;
    const size_t length = strlen(command->name) + 1;
    char *what = xasprintf("%s command", command->name);
    const char *typed = arguments->word_count > 0 ? arguments->words[0] : "", *chosen;
    struct word_list names = {0};

    for (const struct command *row = commands; row->name != NULL; row++) {
        if (strncmp(row->name, what, length) == 0 &&
            (must || strcmp(row->name + length, typed) == 0)) {
            word_list_add(&names, row->name + length);
        }
    }
    chosen = names.count > 0 ? word_list_choose(&names, what, typed, NULL, error) : NULL;
    if (chosen != NULL) {
        command = command_find(chosen - length);
        arguments->words++;
        arguments->word_count--;
    } else if (must) {
        command = NULL;
    }
    word_list_free(&names);
    free(what);
    return command;
}

static bool main_check_words(const struct session *session, struct error *error) {
    const struct command *command = session->command;
    const struct arguments *arguments = session->arguments;
    const bool takes_logs = (command_bit(command) & ASKING) != 0;
    const char *further;

    if (arguments->word_count >= command->fewest && arguments->word_count <= command->most) {
        return true;
    }
    if (arguments->other_count > 0 && !session_check_unknown_options(session, error)) {
        return false;
    }
    if (arguments->word_count < command->fewest) {
        return error_usage(error, "%s needs %s", command->name, command->words);
    }
    further = arguments->words[command->most];
    if (takes_logs && arguments->given[OPTION_HELP] && log_is_word(further)) {
        return true; /* help on the report, typed behind the log */
    }
    if (takes_logs && !log_is_word(further)) {
        return error_usage(error, "there is neither a file nor a trace '%s'%s", further,
                           query_report_exists(NULL, further)
                               ? "; one report at a time: `tracetool report REPORT LOG`"
                               : "");
    }
    return error_usage(
        error, "%s: one argument too many: '%s'%s%s", command->name, further,
        takes_logs                                           ? ""
        : command_takes(command, option_row(OPTION_SYMBOLS)) ? "; --symbols FILE reads names"
        : command_takes(command, option_row(OPTION_TRACE))   ? "; -t TRACE chooses a trace"
                                                             : "",
        takes_logs || !log_is_word(further)
            ? ""
            : "; -d names a database, and `tracetool LOG` reads a log");
}

static bool main_check_options(const struct command *command, const struct arguments *arguments,
                               struct error *error) {
    for (int i = 0; i < option_count(); i++) {
        const struct option_row *row = option_row(i);
        const char letter[] = {row->letter, '\0'};

        if (arguments->given[i] &&
            (!command_takes(command, row) ||
             (arguments->by_letter[i] && option_row_of(i, command_bit(command)).letter == 0))) {
            return error_usage(error, "%s does not take %s%s", command->name,
                               arguments->by_letter[i] ? "-" : "--",
                               arguments->by_letter[i] ? letter : row->name);
        }
    }
    return true;
}

/* Sets an error if SQLite would use a database of this name only in memory. */
static bool check_database_name(const char *name, const char *where, struct error *error) {
    if (name[0] == '\0') {
        return error_usage(
            error,
            "%s needs the name of a file, but got an empty one (an unset variable of the shell?)",
            where);
    }
    if (strcmp(name, ":memory:") == 0 || strncmp(name, "file:", strlen("file:")) == 0) {
        return error_usage(error,
                           "%s needs the name of a file, not '%s'; for a file of this name, "
                           "write ./%s",
                           where, name, name);
    }
    return true;
}

static bool choose_database(struct session *session, struct error *error) {
    const char *database = getenv("TRACETOOL_DB");
    bool given = session->arguments->given[OPTION_DB];

    session->database_path = given ? session->arguments->values[OPTION_DB]
                             : database != NULL && *database != '\0' ? database
                                                                     : "traces.db";
    return check_database_name(session->database_path, given ? "-d" : "TRACETOOL_DB", error);
}

/* Returns whether a word looks like an SQL query. */
static bool is_query(const char *word) {
    static const char *const begins[] = {"select", "with", "values"};
    bool is = false;

    word += strspn(word, " \t\r\n(");
    for (size_t i = 0; i < sizeof begins / sizeof begins[0]; i++) {
        const size_t length = strlen(begins[i]);

        is |= strncasecmp(word, begins[i], length) == 0 &&
              strchr(" \t\r\n('\"*", word[length]) != NULL && word[length] != '\0';
    }
    return is;
}

/* Sets an error if `sql` or `plot sql` got a log before the query, or instead of it. */
static bool check_query_first(const struct session *session, struct error *error) {
    const struct arguments *arguments = session->arguments;
    const bool takes_query = (command_bit(session->command) & (ON_SQL | ON_PLOT_SQL)) != 0;
    size_t query = 0;
    struct stat status;
    struct text logs = {0};
    bool done = true;

    if (!takes_query || arguments->given[OPTION_SQL_FILE] || arguments->word_count == 0 ||
        is_query(arguments->words[0])) {
        return true;
    }
    while (query < arguments->word_count && !is_query(arguments->words[query])) {
        text_append_string(&logs, " ");
        text_append_word(&logs, arguments->words[query++]);
    }
    if (query < arguments->word_count) {
        done = error_usage(error, "the query comes before the log: tracetool %s QUERY%s",
                           session->command->name, text_string(&logs));
    } else if (strcmp(arguments->words[0], "-") != 0 && stat(arguments->words[0], &status) == 0) {
        done = error_usage(
            error,
            "'%s' is a file, not a query: tracetool %s QUERY%s; -f FILE reads the query "
            "from a file",
            arguments->words[0], session->command->name, text_string(&logs));
    }
    text_free(&logs);
    return done;
}

static bool run_on_logs(struct session *session, struct error *error) {
    return check_query_first(session, error) && logs_replace_by_traces(session, error) &&
           main_check_words(session, error) && session->command->run(session, error);
}

/* Runs the command with its configuration; again if it failed due to a damaged cached database. */
static bool run_configured(struct session *session, struct error *error) {
    const struct command *command = session->command;
    bool explains = session->arguments->given[OPTION_HELP], done, again;

    done = main_check_options(command, session->arguments, error) &&
           choose_database(session, error) &&
           ((command_bit(command) & REPORTING) != 0 || /* reports read the configuration later */
            config_read_builtin(&session->config, error)) &&
           (explains ? main_check_words(session, error) && command->explain(session, command, error)
                     : run_on_logs(session, error));
    again = !done && logs_delete_damaged_database(session, error) && __fpending(stdout) == 0;
    logs_end(session);
    if (again) {
        *error = (struct error){0};
        done = run_on_logs(session, error);
        logs_end(session);
    }
    /* For `assert`, exit status 1 means broken contracts, so any other failure has 2, even a later
     * one to write the output. */
    if (command_bit(command) == ON_ASSERT) {
        error->status = error->status == EXIT_HOLDS ? EXIT_FAILED
                        : done || error->status == EXIT_FAILED || error->status == EXIT_REJECTED
                            ? EXIT_UNDECIDED
                            : error->status;
    }
    return done;
}

static void name_help(struct text *help, const char *command, const char *report) {
    text_clear(help);
    text_append_format(help, "tracetool %s%s%s --help", command, report[0] == '\0' ? "" : " ",
                       report);
}

/* Runs the command. `parsed`: the options are valid; otherwise `error` is set. Sets `help` to the
 * command line that prints help on this command and, if it has one, on its report. */
static bool run_command(const struct command *command, struct arguments *arguments, bool parsed,
                        struct output_stream *stream, struct text *help, struct error *error) {
    struct session session = {
        .command = command,
        .arguments = arguments,
        .stdout_is_terminal = isatty(STDOUT_FILENO),
        .stderr_is_terminal = isatty(STDERR_FILENO),
        .output = stdout,
        .stream = stream,
    };
    struct error configuring = {0};
    bool done;

    if (!command_takes_parameters(command) && !main_check_options(command, arguments, error)) {
        return false;
    }
    done = config_read_file(arguments->values[OPTION_CONFIG], &session.config, &configuring);

    if (!done) {
        *error = parsed ? configuring : *error;
        return false;
    }
    if (command_bit(command) == ON_REPORT && logs_without_report(&session)) {
        command = session.command = command_find("overview");
        name_help(help, command->name, "");
    }
    if (command->explain == command_report_help && arguments->word_count > 0 &&
        query_report_exists(session.config.queries, arguments->words[0])) {
        name_help(help, command->name, arguments->words[0]);
    }
    done = report_parse_own_options(&session.config, command, arguments, parsed, error);
    if (done && (command_bit(command) & COMPARING) != 0 && arguments->given[OPTION_WITH]) {
        const size_t count = arguments->word_count;

        arguments_spread(arguments, OPTION_WITH,
                         count > 1 && session_has_report(&session, arguments->words[count - 1]));
    }
    done = done && run_configured(&session, error);
    config_free(&session.config);
    return done;
}

/* Without a command: prints an overview of the database in this directory, or the first steps. */
static bool main_begin(struct arguments *arguments, struct output_stream *stream, struct text *help,
                       struct error *error) {
    const char *database = getenv("TRACETOOL_DB");
    bool chosen = arguments->given[OPTION_DB] || (database != NULL && *database != '\0');

    if (chosen || access("traces.db", F_OK) == 0) {
        return run_command(command_find("overview"), arguments, true, stream, help, error);
    }
    fputs(
        "tracetool turns trace logs into answers.\n"
        "  tracetool LOG                 what is in a log: strace, blktrace, ftrace, perf, fio, …\n"
        "  tracetool report REPORT LOG   one answer; `tracetool reports` lists them\n"
        "  tracetool import LOG          keep it in a database, for studies and comparisons\n"
        "  tracetool help                commands and topics\n",
        stdout);
    return error_usage(error, "which command, or which log?");
}

static bool main_run(struct arguments *arguments, bool parsed, struct output_stream *stream,
                     struct text *help, struct error *error) {
    const struct command *command = NULL;

    text_append_string(help, "tracetool --help");
    if (parsed && arguments->given[OPTION_VERSION]) {
        puts("tracetool " TRACETOOL_VERSION);
        return true;
    }
    if (arguments->command != NULL) {
        struct error choosing = {0};

        command = choose_command(arguments, parsed ? error : &choosing);
        if (command == NULL) {
            return false;
        }
        name_help(help, command->name, "");
        command = choose_within(command, arguments, parsed ? error : &choosing);
        if (command == NULL) {
            return false;
        }
        name_help(help, command->name, "");
    }
    /* an option that seems wrong may be a parameter of a query file */
    if (!parsed && !command_takes_parameters(command)) {
        return false;
    }
    if (command != NULL) {
        resolve_short_options(arguments, command_bit(command));
    }
    if (arguments->other_count > 0 && !command_takes_parameters(command) &&
        !command_refuse_option(command, arguments->others[0].name, error)) {
        return false;
    }
    if (command == NULL) {
        if (arguments->given[OPTION_HELP]) {
            help_command(NULL);
            return true;
        }
        return main_begin(arguments, stream, help, error);
    }
    if (parsed && arguments->given[OPTION_HELP] &&
        (command->explain == NULL || arguments->word_count == 0)) {
        help_command(command);
        return true;
    }
    return run_command(command, arguments, parsed, stream, help, error);
}

/* Returns true if stdout is not a file, so that writing may block. */
static bool stdout_may_block(void) {
    struct stat status;

    return fstat(STDOUT_FILENO, &status) == 0 &&
           (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode) || isatty(STDOUT_FILENO));
}

/* Replaces stdout by an output stream (glibc lets programs assign stdout). Returns NULL if writing
 * to stdout cannot block. */
static struct output_stream *open_output(const struct arguments *arguments) {
    const struct paging paging = session_paging(arguments);
    struct output_stream *stream = NULL;

    if (stdout_may_block()) {
        stream = output_stream_open(&paging);
        stdout = output_stream_file(stream);
    }
    return stream;
}

/* Closes stdout. Returns false with an error if not all data was written. */
static bool close_stdout(struct error *error) {
    bool failed = ferror(stdout) != 0;

    errno = 0;
    if (fclose(stdout) != 0 || failed) {
        return error_set(error, "cannot write to stdout: %s",
                         errno != 0 ? strerror(errno) : "write error");
    }
    return true;
}

static bool is_broken_pipe(const struct error *error) {
    return strstr(error->message, strerror(EPIPE)) != NULL;
}

/* Returns whether the program failed because its output is no longer read, as with `| head`. This
 * includes output of child processes. */
static bool nobody_reads(const struct error *error) {
    struct pollfd output = {.fd = STDOUT_FILENO};

    return is_broken_pipe(error) && poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
}

/* Writes the rest of the output. Returns `done`, the command's result, or false if writing fails.
 * Does not return if the output is no longer read. */
static bool finish_output(struct output_stream *stream, bool done, struct error *error) {
    struct error closing = {0};
    bool is_left = false;
    bool written =
        stream != NULL ? output_stream_close(stream, &is_left, &closing) : close_stdout(&closing);

    /* failures other than a broken pipe are reported */
    if (done || is_broken_pipe(error)) {
        if (is_left || (!done && nobody_reads(error))) {
            /* ends without a message, like other filters; everything is cleaned up */
            signal(SIGPIPE, SIG_DFL);
            raise(SIGPIPE);
        }
        if (!written) {
            closing.status = error->status == EXIT_UNDECIDED ? EXIT_UNDECIDED : closing.status;
            *error = closing;
        }
    }
    return done && written;
}

int main(int argc, char **argv) {
    struct arguments arguments;
    struct error error = {0};
    struct output_stream *stream;
    struct text help = {0};
    bool parsed, done;

    setlocale(LC_CTYPE, "");
    /* large enough that small outputs are written at once */
    setvbuf(stdout, NULL, _IOFBF, STDOUT_BUFFER);
    /* writing to a closed pipe must fail, not end the program */
    signal(SIGPIPE, SIG_IGN);
    database_skip_memory_counts();
    parsed = arguments_parse(&arguments, argc, argv, &error);
    stream = open_output(&arguments);
    done = main_run(&arguments, parsed, stream, &help, &error);
    arguments_free(&arguments);
    done = finish_output(stream, done, &error);
    if (!done) {
        session_print_failure(&error, text_string(&help));
    }
    text_free(&help);
    error.status = error.status == EXIT_UNDECIDED ? EXIT_USAGE : error.status;
    return done ? EXIT_DONE : error.status != EXIT_DONE ? (int)error.status : EXIT_FAILED;
}
