/* The options of all commands: the rows of options.def, followed by the parameters of the analyses.
 * The command line is parsed by these rows; errors, help and completions come from them, too. */
#ifndef TRACETOOL_ARGUMENTS_H
#define TRACETOOL_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/parameter.h"
#include "base/error.h"
#include "select/filters.h"

enum command_id {
#define COMMAND(ID, ...) COMMAND_##ID,
#include "cli/commands.def"
#undef COMMAND
    COMMANDS
};

/* Sets of commands, one bit for each; there are at most 63 commands. */
typedef int64_t command_set;
enum command_bit {
#define COMMAND(ID, ...) ON_##ID = INT64_C(1) << COMMAND_##ID,
#include "cli/commands.def"
#undef COMMAND
    ON_ALL = -1,
    REPORTING = ON_REPORT | ON_PLOT,
    DRAWING = ON_PLOT | ON_PLOT_SQL | ON_PLOT_COMPARE,
    COMPARING = ON_COMPARE | ON_PLOT_COMPARE,
    MAKING_ROWS =
        REPORTING | COMPARING, /* commands that take the parameters of analyses and query files */
    MAKING_REPORTS = MAKING_ROWS | ON_PAGE,
    /* Commands that take logs in place of names of traces (logs.h). */
    ASKING = MAKING_REPORTS | ON_ASSERT | ON_BASELINE | ON_OVERVIEW | ON_REPORTS | ON_DUMP |
             ON_EXPORT | ON_SHOW | ON_SQL | ON_PLOT_SQL,
    CHOOSING_TRACES = REPORTING | ON_ASSERT | ON_BASELINE | ON_PAGE | ON_DUMP | ON_OVERVIEW,
    CHOOSING_EVENTS = MAKING_REPORTS | ON_DUMP | ON_EXPORT,
    PRINTING_TABLES = ON_OVERVIEW | ON_CACHE | ON_REPORT | ON_COMPARE | ON_EXPORTS | ON_MAP |
                      ON_TRACES | ON_SHOW | ON_FORMATS | ON_REPORTS | ON_SQL,
};

/* Makes a row of filters.h a row of options.def. */
#define FILTER_OPTION(ID, NAME, TYPE, ARGUMENT, COMMANDS, KINDS, NEEDS, LACKS, HOW, OF, HELP)      \
    OPTION(ID, NAME, 0, TYPE ARGUMENT, NO_FIELD, COMMANDS, HELP)

enum option_id {
#define OPTION(ID, ...) OPTION_##ID,
#define HELP_IN(...)
#include "cli/options.def"
#undef OPTION
#undef HELP_IN
    OPTION_COUNT,
    OPTION_FIRST_FILTER = OPTION_PROCESS /* the filters are consecutive; this is the first one */
};

enum option_type {
    OPTION_FLAG,     /* bool: the option takes no argument */
    OPTION_TEXT,     /* const char * */
    OPTION_NUMBER,   /* int64_t: a whole number, at least 1 */
    OPTION_WHOLE,    /* int or uint64_t: a whole number from `least` to `most` */
    OPTION_REAL,     /* double: a number from `least` to `most` */
    OPTION_CHOICE,   /* int or an enum: index of the word among `choices` */
    OPTION_REPEATED, /* struct option_list: the arguments of all uses */
};

/* The structure in which an option sets a member. */
enum option_target {
    TARGET_NONE,    /* none: the command asks for the value by the option's id */
    TARGET_REQUEST, /* struct report_request */
    TARGET_COMPARE, /* struct compare_request */
    TARGET_QUERY,   /* none: a report passes the value to its query */
};

struct option_row {
    const char *name; /* name without -- */
    /* Letter of the short form; 0: none; options of different commands may share a letter. */
    char letter;
    enum option_type type;
    const char *argument; /* name of the argument in the help; NULL: the option takes none */
    /* Words that the option takes as argument; empty ones do not count. */
    const char *const *choices;
    int choice_count;
    bool closed;        /* true: no words but the choices are valid */
    double least, most; /* bounds of the number for OPTION_WHOLE and OPTION_REAL */
    enum option_target target;
    size_t offset, size;  /* position and size in bytes of the member that the option sets */
    command_set commands; /* commands that take the option: set of enum command_bit */
    bool hidden;          /* true: an option for tests: not in the help, without a short form */
    const char *help;
    /* The parameter of an analysis for which the option is; else NULL. */
    const struct parameter *parameter;
};

/* Limit of options, with those for parameters of analyses. */
#define OPTION_MOST (OPTION_COUNT + 64)

/* Returns the number of options: those of enum option_id, and those for parameters of analyses. */
int option_count(void);

/* Returns the row of option `id`, which is less than option_count(). */
const struct option_row *option_row(int id);

/* Returns the row of option `id` as it is for `command` (a bit; 0: none). */
struct option_row option_row_of(int id, command_set command);

/* Returns the row of the option with a name; NULL if there is none. */
const struct option_row *option_find(const char *name);

/* Returns the index of a value among the words that the option takes; -1 with `error` set. */
int parse_choice(const struct option_row *row, const char *value, struct error *error);

/* Returns whether `name` is an option or the beginning of one. */
bool option_exists(const char *name);

/* --NAME VALUE that may be a parameter of a user's query file, as loading the file will show. */
struct other_option {
    char *name;        /* owned */
    const char *value; /* value of the option; NULL: no word followed */
};

/* All arguments of an option that may be repeated, in order. */
struct option_list {
    const char **values; /* owned array of borrowed strings */
    size_t count;
};

struct arguments {
    bool given[OPTION_MOST];
    bool by_letter[OPTION_MOST];     /* by option: the short form was given */
    const char *values[OPTION_MOST]; /* by option: the last argument; NULL if it takes none */
    struct option_list lists[OPTION_COUNT];
    /* Owned; long options that the program does not know, in order. Each takes a value. */
    struct other_option *others;
    size_t other_count;
    int argc;
    char *const *argv;   /* the command line, borrowed */
    char **line;         /* owned array of borrowed strings: the words of `argv`, options first */
    const char *command; /* first word that is not an option; NULL: none */
    char *const *words;  /* the words after the command */
    size_t word_count;
};

/* Parses the command line, whose strings must stay valid. Options may be anywhere before `--`.
 * False: an option is wrong; all others were read nevertheless. The result must always be freed. */
bool arguments_parse(struct arguments *arguments, int argc, char *const *argv, struct error *error);

/* Parses the same command line again. Each name in `own` is a parameter of a query file, and comes
 * before an option of the program with the same name, or one that begins with the name. */
bool arguments_parse_again(struct arguments *arguments, const char *const *own, size_t own_count,
                           struct error *error);

/* Frees the lists; the strings belong to `argv`. */
void arguments_free(struct arguments *arguments);

/* Decides which options are meant by letters that several share: those of the command, a bit. */
void resolve_short_options(struct arguments *arguments, command_set command);

/* Sets the members of `structure`, which is of kind `target`, from the options that were given. */
void arguments_set(const struct arguments *arguments, enum option_target target, void *structure);

/* Returns the index of the word given for an OPTION_CHOICE; `otherwise` if it was not given. */
int arguments_choice(const struct arguments *arguments, enum option_id id, int otherwise);

/* Returns the number given for an OPTION_NUMBER; `otherwise` if it was not given. */
int64_t arguments_number(const struct arguments *arguments, enum option_id id, int64_t otherwise);

#endif
