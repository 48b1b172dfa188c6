/* The commands: rows of a table, which defines the help and the checks of arguments. */
#ifndef TRACETOOL_COMMAND_H
#define TRACETOOL_COMMAND_H

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "base/words.h"
#include "cli/arguments.h"
#include "cli/output_stream.h"
#include "config/config.h"
#include "copy/pseudonymise.h"
#include "input/unpack.h"
#include "output/printer.h"
#include "remote/client.h"
#include "store/database.h"

struct command;
struct logs;

/* State of a running command. */
struct session {
    const struct command *command;
    const struct arguments *arguments;
    const char *database_path;
    struct config config;
    bool stdout_is_terminal, stderr_is_terminal;
    /* How long to wait for locks of the database. interruption_install_handlers() makes signals end
     * it. */
    struct patience patience;
    FILE *output;                    /* output of rows, usually stdout */
    struct output_stream *stream;    /* the stream behind `output`; NULL: plain stdout */
    struct logs *logs;               /* logs given instead of traces (logs.h); NULL: none */
    struct store_snapshot *snapshot; /* the open store; NULL: the database is a local file */
};

struct command {
    const char *name;        /* one word; for a subcommand, two: that of its command, and its own */
    const char *summary;     /* one line */
    const char *words;       /* arguments in the usage line, such as "FILE…" */
    size_t fewest, most;     /* minimum and maximum number of arguments; SIZE_MAX: no limit */
    const char *description; /* some lines for --help */
    bool (*run)(struct session *session, struct error *error);
    /* Prints help on the argument of the command given with --help, such as a report. NULL: that
     * argument is ignored. */
    bool (*explain)(struct session *session, const struct command *command, struct error *error);
};

/* All commands, indexed by enum command_id; ends with a NULL name. */
extern const struct command commands[];

/* Returns a command's bit for sets of commands; 0 for NULL. */
command_set command_bit(const struct command *command);

/* Returns the command with a name; NULL if there is none. */
const struct command *command_find(const char *name);

/* Returns the command name that `typed` is another name of; `typed` itself if there is none. */
const char *command_name_of(const char *typed);

/* Returns whether the command's name has two words: it is a subcommand. */
bool command_has_two_words(const struct command *command);

/* Adds the names of all commands but subcommands. */
void command_list_names(struct word_list *names);

/* Returns whether the command (NULL: none) accepts the option, or every command accepts it. */
bool command_takes(const struct command *command, const struct option_row *option);

/* Returns whether the command accepts options that are parameters of users' query files. */
bool command_takes_parameters(const struct command *command);

/* Returns the option that other programs call `option`; NULL: none. */
const char *command_synonym(const char *option);

/* Sets an error that the command has no such option, and suggests a similar one. Returns false. */
bool command_refuse_option(const struct command *command, const char *option, struct error *error);

/* Prints the help on a command (NULL: on the program), then the help topic of the same name. */
void help_command(const struct command *command);

/* Declares the function of each command, defined in its file command_….c. */
#define COMMAND(ID, NAME, WORDS, FEWEST, MOST, RUN, ...)                                           \
    bool RUN(struct session *session, struct error *error);
#include "cli/commands.def"
#include "store/catalog.h"
#undef COMMAND

/* Prints the options, columns (with kind and unit) and two examples of the report given as the
 * command's argument. Does not open a database. */
bool command_report_help(struct session *session, const struct command *command,
                         struct error *error);

/* Prints an error on stderr, with control characters escaped. */
void session_print_error(const char *message);

/* Prints the reason of a failure on stderr, with control characters escaped. For usage errors,
 * appends `help`, the command that explains them, unless the message already refers to it. */
void session_print_failure(const struct error *error, const char *help);

/* Prints a line on stderr, with control characters escaped, unless --quiet is given. */
void session_print_line(const struct session *session, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* If stdout and stderr are terminals, suggests a next command: a summary of trace `name`; NULL: of
 * all traces. `before`: text in front of the suggestion. */
void session_suggest(const struct session *session, const char *before, const char *name);

/* Prints an escaped notice on stderr that is not an error, unless --quiet is given. */
void session_note(const struct session *session, const char *message);

/* Warns if files or programs named by an untrusted configuration are ignored. */
void session_warn_of_untrusted(const struct session *session);

/* Returns the directory of the user's queries, borrowed; NULL: none. If it is ignored, warns. */
const char *session_queries(const struct session *session);

/* Returns whether `word` is a report, a unique prefix of one, or a query file with a mistake, whose
 * error is reported later. */
bool session_has_report(const struct session *session, const char *word);

/* Returns how to page a command's output: only human-readable output on a capable terminal. */
struct paging session_paging(const struct arguments *arguments);

/* Called if a word is missing, since an unknown option may have taken it as its value. Returns
 * whether each unknown option is a parameter of some report; prints an error if not. */
bool session_check_unknown_options(const struct session *session, struct error *error);

/* Makes SIGINT, SIGTERM and SIGHUP set interruption_flag() instead of ending the program, and end
 * any wait for the database. */
void interruption_install_handlers(struct session *session);

/* Restores the default effect of the signals: they end the program. */
void interruption_restore_handlers(struct session *session);

/* Returns a flag that is nonzero after SIGINT, SIGTERM or SIGHUP; it is always valid. */
const volatile sig_atomic_t *interruption_flag(void);

/* Returns a condition that stops reading an input after SIGINT, SIGTERM or SIGHUP. */
struct input_stop interruption_stop(void);

/* Makes SIGINT, SIGTERM and SIGHUP also interrupt SQL statements of this database. It must stay
 * open until this function is called with NULL. */
void interruption_set_database(const struct database *database);

/* Loads the catalog of the session's database, and chooses the traces that --trace names; by
 * default, all. An empty catalog is an error unless `may_be_empty`. The caller frees traces and
 * catalog. */
bool session_choose_traces(struct session *session, bool may_be_empty, struct catalog *catalog,
                           const struct catalog_trace ***traces, size_t *count,
                           struct error *error);

/* Opens the session's database; session_close() closes it. If `output` blocks and another program
 * wants to write to the database, the database is released (output_stream.h). */
bool session_open(struct session *session, struct database *database, enum database_mode mode,
                  struct error *error);

/* Closes the database and writes the rest of the output. Returns `done`, the command's result, or
 * false if the output cannot be written. */
bool session_close(struct session *session, struct database *database, bool done,
                   struct error *error);

/* Removes the trace given as the command's argument from the store given by -d. */
bool session_remove_remote(const struct session *session, struct error *error);

/* Returns pseudonyms made with the key of --key, or with a random key and a notice about it. Owned
 * by the caller; NULL with `error` set on failure. */
struct pseudonyms *session_pseudonyms(const struct session *session, struct error *error);

/* Returns whether --key is given only with --pseudonymise; prints an error if not. */
bool session_check_key(const struct session *session, struct error *error);

/* Returns the output style that --format names, by default that for stdout; NULL with `error` set
 * if there is no such style. */
const struct printer_style *session_style(const struct session *session, struct error *error);

/* Returns whether --color or --progress (`id`) is on. `automatic`: the meaning of `auto`. */
bool session_option_is_on(const struct session *session, enum option_id id, bool automatic);

/* Opens a printer on the output in the style of --format, calls `print`, and closes the printer.
 * `many`: there may be several results. */
bool session_print(const struct session *session, bool many,
                   bool (*print)(struct printer *printer, void *context, struct error *error),
                   void *context, struct error *error);

/* Returns printer options with the width and colour of stdout. */
struct printer_options session_printer_options(const struct session *session);

#endif
