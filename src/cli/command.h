/* A command is a row in a table: help, checks and completion come from it. */
#ifndef TRACETOOL_COMMAND_H
#define TRACETOOL_COMMAND_H

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "cli/arguments.h"
#include "cli/output_stream.h"
#include "config/config.h"
#include "copy/pseudonyms.h"
#include "output/printer.h"
#include "remote/client.h"
#include "store/database.h"

struct command;
struct logs;

/* What every command gets. */
struct session {
    const struct command *command;
    const struct arguments *arguments;
    const char *database_path;
    struct config config;
    bool stdout_is_terminal, stderr_is_terminal;
    struct patience
        patience; /* with others at the database; who catches signals sets `interrupted` */
    FILE *output; /* for rows: stdout */
    struct output_stream *stream;    /* that stdout leads through; NULL: none */
    struct logs *logs;               /* that stand in place of traces (logs.h); NULL: none */
    struct store_snapshot *snapshot; /* of the store that is open; NULL: a database file is */
};

struct command {
    const char *name;        /* a word, or two: the second stands behind that of another command */
    const char *summary;     /* one line */
    const char *words;       /* what follows it, as in usage: "FILE…" */
    size_t fewest, most;     /* how many words; SIZE_MAX: any number */
    const char *description; /* a few lines for --help */
    bool (*run)(struct session *session, struct error *error);
    /* --help when there is a word behind it. NULL: that makes no difference. */
    bool (*explain)(struct session *session, const struct command *command, struct error *error);
};

/* By enum command_id; ends with a NULL name. */
extern const struct command commands[];

/* Its bit in a set of commands; 0 for NULL. */
command_set command_bit(const struct command *command);

/* The command of that name; NULL: none. */
const struct command *command_find(const char *name);

/* The name of the command that `typed` is another name of; else `typed`. */
const char *command_name_of(const char *typed);

/* Whether its name is of two words. */
bool command_is_within(const struct command *command);

/* Whether the command reads stores: -d may be a URL. */
bool command_reads_stores(const struct command *command);

/* Whether the command (NULL: none) takes the option, as one of its own or of all commands. */
bool command_takes(const struct command *command, const struct option_row *option);

/* Whether it takes the parameters of users' query files. */
bool command_takes_others(const struct command *command);

/* The option that people mean who type another program's name for it; NULL: none. */
const char *command_synonym(const char *option);

/* Says that the command has no such option, and which one may be meant. Always false. */
bool command_has_no(const struct command *command, const char *option, struct error *error);

/* Prints the help of the program (command NULL) or of a command on stdout, and behind it the topic
 * that is called as the command is. */
void help_command(const struct command *command);

/* The commands' functions, each in a file command_….c. */
#define COMMAND(ID, NAME, WORDS, FEWEST, MOST, RUN, ...)                                           \
    bool RUN(struct session *session, struct error *error);
#include "cli/commands.def"
#undef COMMAND

/* Prints the options of the report that the command's word names, its columns with kinds and units,
 * and two examples. No database is looked at. */
bool command_report_help(struct session *session, const struct command *command,
                         struct error *error);

/* Prints an error on stderr, sanitized. */
void session_complain(const char *message);

/* Prints on stderr why the program fails, sanitized. Of what is typed wrong it adds `help`, the
 * command that explains it, unless the message leads there itself. */
void session_fail(const struct error *error, const char *help);

/* Writes a line on stderr, whatever it holds made harmless, unless --quiet. */
void session_say(const struct session *session, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* What to try next, for who sees stdout and stderr on a terminal: a summary of the trace `name`,
 * which is NULL for all there are. `before` stands in front. */
void session_suggest(const struct session *session, const char *before, const char *name);

/* As session_complain(), of what is worth knowing and no mistake: not with --quiet. */
void session_note(const struct session *session, const char *message);

/* Complains when the configuration names files or programs that are not regarded. */
void session_tell_trust(const struct session *session);

/* The folder of the user's own queries, NULL for none; complains when there is one that is not
 * regarded. Borrowed. */
const char *session_queries(const struct session *session);

/* How the output of a command with these arguments is paged: only what is for people, on a
 * terminal that can do it. */
struct paging session_paging(const struct arguments *arguments);

/* Whether each unknown option is a parameter of some report; says so if not. For commands that miss
 * a word, which such an option may have taken for its value. */
bool session_check_others(const struct session *session, struct error *error);

/* From now on SIGINT, SIGTERM and SIGHUP set interruption_flag() instead of ending the program, and
 * whoever waits for the database waits no longer. */
void interruption_catch(struct session *session);

/* From now on they end the program again. */
void interruption_release(struct session *session);

/* Not 0 behind such a signal; for whole runs of the program. */
const volatile sig_atomic_t *interruption_flag(void);

/* They end the statements of this database, too, which stays open until it is NULL. */
void interruption_watch(const struct database *database);

/* Opens the session's database, which `session_close()` closes. `output` does not keep the database
 * from writers when nobody reads it (output_stream.h). */
bool session_open(struct session *session, struct database *database, enum database_mode mode,
                  struct error *error);

/* Closes the database and writes what of the output is still to be written. `done`: what the
 * command has come to; returns the same, unless the output cannot be written. */
bool session_close(struct session *session, struct database *database, bool done,
                   struct error *error);

/* Takes the trace that the command's word names out of the store that -d names. */
bool session_remove_remote(const struct session *session, struct error *error);

/* Pseudonyms with the key of --key, or a random one; prints that a key was made. Owned by
 * the caller, NULL with `error` set on failure. */
struct pseudonyms *session_pseudonyms(const struct session *session, struct error *error);

/* Whether --key is given only with --pseudonymise; says so if not. */
bool session_check_key(const struct session *session, struct error *error);

/* The printer style that --format asks for, or what suits stdout; NULL with `error` set when there
 * is no such style. */
const struct printer_style *session_style(const struct session *session, struct error *error);

/* Whether --color or --progress (`id`) ask for it; `automatic`: what they mean by auto. */
bool session_wants(const struct session *session, enum option_id id, bool automatic);

/* Opens a printer on the output in the style asked for, lets `print` use it, and closes it. `many`:
 * several results may come. */
bool session_print(const struct session *session, bool many,
                   bool (*print)(struct printer *printer, void *context, struct error *error),
                   void *context, struct error *error);

/* Width and colour of stdout. */
struct printer_options session_printer_options(const struct session *session);

#endif
