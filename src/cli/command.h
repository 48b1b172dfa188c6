/* The commands: rows of a table, from which help and checks of arguments are made. */
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

/* What every command gets when it runs. */
struct session {
    const struct command *command;
    const struct arguments *arguments;
    const char *database_path;
    struct config config;
    bool stdout_is_terminal, stderr_is_terminal;
    /* How long to wait for other users of the database; after interruption_catch(), signals set
     * `interrupted`. */
    struct patience patience;
    FILE *output;                    /* output of rows: stdout */
    struct output_stream *stream;    /* the stream that `output` writes to; NULL: none */
    struct logs *logs;               /* logs given in place of traces (logs.h); NULL: none */
    struct store_snapshot *snapshot; /* the open store; NULL: the database is a file */
};

struct command {
    const char *name;        /* one word; or two words, the first of them another command's name */
    const char *summary;     /* one line */
    const char *words;       /* arguments of the command, as in its usage line: "FILE…" */
    size_t fewest, most;     /* least and largest number of arguments; SIZE_MAX: any number */
    const char *description; /* a few lines for --help */
    bool (*run)(struct session *session, struct error *error);
    /* Prints the help about the word after --help. NULL: the word is ignored. */
    bool (*explain)(struct session *session, const struct command *command, struct error *error);
};

/* All commands, by enum command_id; the last name is NULL. */
extern const struct command commands[];

/* Returns the bit of a command in sets of commands; 0 for NULL. */
command_set command_bit(const struct command *command);

/* Returns the command with a name; NULL if there is none. */
const struct command *command_find(const char *name);

/* Returns the name of the command that users may call `typed`; `typed` itself if there is none. */
const char *command_name_of(const char *typed);

/* Returns whether the command's name has two words, as it is part of another command. */
bool command_has_two_words(const struct command *command);

/* Adds the names of the commands whose name is one word. */
void command_list_names(struct word_list *names);

/* Returns whether the command (NULL: none) takes the option, maybe as one common to all. */
bool command_takes(const struct command *command, const struct option_row *option);

/* Returns whether the command takes options that are parameters of users' query files. */
bool command_takes_parameters(const struct command *command);

/* Returns the option that other programs call `option`; NULL if there is none. */
const char *command_synonym(const char *option);

/* Sets an error: the command has no such option, with one that is similar. Always returns false. */
bool command_refuse_option(const struct command *command, const char *option, struct error *error);

/* Prints the help on a command, or on the program (NULL), then the topic with the same name. */
void help_command(const struct command *command);

/* The functions of the commands; each is in its own file command_….c. */
#define COMMAND(ID, NAME, WORDS, FEWEST, MOST, RUN, ...)                                           \
    bool RUN(struct session *session, struct error *error);
#include "cli/commands.def"
#include "store/catalog.h"
#undef COMMAND

/* Prints the options of the report that the command's word names, its columns with kinds and
 * units, and two examples. Does not open a database. */
bool command_report_help(struct session *session, const struct command *command,
                         struct error *error);

/* Prints an error on stderr, sanitized. */
void session_complain(const char *message);

/* Prints on stderr why the program fails, sanitized. For usage errors, adds `help`, the command
 * that explains them, unless the message already refers to it. */
void session_fail(const struct error *error, const char *help);

/* Prints a sanitized line on stderr, unless --quiet. */
void session_print_line(const struct session *session, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Suggests a next command if stdout and stderr are a terminal: a summary of the trace `name`;
 * NULL: of all traces. `before` precedes the text. */
void session_suggest(const struct session *session, const char *before, const char *name);

/* Prints a notice as session_complain() does, for information that is not an error; not with
 * --quiet. */
void session_note(const struct session *session, const char *message);

/* Warns if the configuration names files or programs that are ignored. */
void session_warn_of_untrusted(const struct session *session);

/* Returns the directory of the user's own queries, borrowed; NULL if there is none. Warns if one
 * is ignored. */
const char *session_queries(const struct session *session);

/* Returns whether `word` is a report, the beginning of only one report, or a query file with a
 * mistake, which the report's own message tells. */
bool session_has_report(const struct session *session, const char *word);

/* Returns how a command's output is paged: only output for people, on a capable terminal. */
struct paging session_paging(const struct arguments *arguments);

/* Checks that each unknown option is a parameter of some report; prints an error if not. Called if
 * a word is missing: such an option may have taken it as its value. */
bool session_check_unknown_options(const struct session *session, struct error *error);

/* From now on SIGINT, SIGTERM and SIGHUP set interruption_flag() instead of ending the program,
 * and end any wait for the database. */
void interruption_catch(struct session *session);

/* Restores the signals: they end the program again. */
void interruption_release(struct session *session);

/* Returns a flag that is not 0 after SIGINT, SIGTERM or SIGHUP, valid while the program runs. */
const volatile sig_atomic_t *interruption_flag(void);

/* Returns a condition for stopping an input: SIGINT, SIGTERM or SIGHUP. */
struct input_stop interruption_stop(void);

/* Makes SIGINT, SIGTERM and SIGHUP also interrupt the statements of this database. It must stay
 * open until this is called with NULL. */
void interruption_watch(const struct database *database);

/* Loads the catalog of the session's database, and chooses the traces that --trace names, or all.
 * An empty catalog is an error unless `may_be_empty`. The caller frees the traces and the catalog.
 */
bool session_choose_traces(struct session *session, bool may_be_empty, struct catalog *catalog,
                           const struct catalog_trace ***traces, size_t *count,
                           struct error *error);

/* Opens the session's database, which session_close() closes. If the reader of `output` is slow,
 * the database is released for other programs to write (output_stream.h). */
bool session_open(struct session *session, struct database *database, enum database_mode mode,
                  struct error *error);

/* Closes the database and writes the rest of the output. Returns `done`, the result of the command,
 * or false if the output cannot be written. */
bool session_close(struct session *session, struct database *database, bool done,
                   struct error *error);

/* Removes the trace that the command's word names from the store that -d names. */
bool session_remove_remote(const struct session *session, struct error *error);

/* Returns pseudonyms with the key that --key gives, or with a random key; then prints that a key
 * was made. Owned by the caller; NULL with `error` set on failure. */
struct pseudonyms *session_pseudonyms(const struct session *session, struct error *error);

/* Checks that --key is given only with --pseudonymise; prints an error if not. */
bool session_check_key(const struct session *session, struct error *error);

/* Returns the style that --format names, or the default for stdout; NULL with `error` set if there
 * is no such style. */
const struct printer_style *session_style(const struct session *session, struct error *error);

/* Returns whether --color or --progress (`id`) is on. `automatic`: whether `auto` means on. */
bool session_option_is_on(const struct session *session, enum option_id id, bool automatic);

/* Opens a printer on the output in the style of --format, calls `print` with it, and closes it.
 * `many`: there may be several results. */
bool session_print(const struct session *session, bool many,
                   bool (*print)(struct printer *printer, void *context, struct error *error),
                   void *context, struct error *error);

/* Returns printer options with the width and colour of stdout. */
struct printer_options session_printer_options(const struct session *session);

#endif
