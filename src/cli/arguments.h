/* The options of all commands: the rows of options.def, followed by the parameters of the analyses.
 * The rows define how the command line is parsed, the errors, help and completions. */
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

/* Sets of commands: one bit for each, so at most 63 commands. */
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
        REPORTING | COMPARING, /* commands that accept parameters of analyses and query files */
    MAKING_REPORTS = MAKING_ROWS | ON_PAGE,
    /* Commands that accept logs instead of trace names (logs.h). */
    ASKING = MAKING_REPORTS | ON_ASSERT | ON_BASELINE | ON_OVERVIEW | ON_REPORTS | ON_DUMP |
             ON_EXPORT | ON_SHOW | ON_SQL | ON_PLOT_SQL,
    CHOOSING_TRACES = REPORTING | ON_ASSERT | ON_BASELINE | ON_PAGE | ON_DUMP | ON_OVERVIEW,
    CHOOSING_EVENTS = MAKING_REPORTS | ON_DUMP | ON_EXPORT,
    PRINTING_TABLES = ON_OVERVIEW | ON_CACHE | ON_REPORT | ON_COMPARE | ON_EXPORTS | ON_MAP |
                      ON_TRACES | ON_SHOW | ON_FORMATS | ON_REPORTS | ON_SQL,
};

/* Converts a row of filters.h to a row of options.def. */
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
    OPTION_FLAG,     /* bool: set if given; takes no argument */
    OPTION_TEXT,     /* const char * */
    OPTION_NUMBER,   /* int64_t: a whole number, at least 1 */
    OPTION_WHOLE,    /* int or uint64_t: a whole number from `least` to `most` */
    OPTION_REAL,     /* double, from `least` to `most` */
    OPTION_CHOICE,   /* int or enum: the word's index in `choices` */
    OPTION_REPEATED, /* struct option_list: arguments in order; the option may be repeated */
};

/* The type of structure that the option is stored in. */
enum option_target {
    TARGET_NONE,    /* no structure: the command reads the value by the option's id */
    TARGET_REQUEST, /* struct report_request */
    TARGET_COMPARE, /* struct compare_request */
    TARGET_QUERY,   /* no structure: the value is passed to the report's query */
};

struct option_row {
    const char *name; /* without the leading -- */
    /* Letter of the short form; 0: none. Options of different commands may have the same letter. */
    char letter;
    enum option_type type;
    const char *argument; /* the argument's name in the help; NULL: no argument */
    /* Words that the option takes as argument; an empty word only fills an index. */
    const char *const *choices;
    int choice_count;
    bool closed;        /* true: only the words in `choices` are valid */
    double least, most; /* bounds of the number for OPTION_WHOLE and OPTION_REAL */
    enum option_target target;
    size_t offset, size;  /* the structure's member that the option sets: offset, size in bytes */
    command_set commands; /* commands that accept the option, as bits of enum command_bit */
    bool hidden;          /* true: only for tests, so not in the help, and without a short form */
    const char *help;
    /* Parameter of an analysis that the option sets, or NULL. */
    const struct parameter *parameter;
};

/* Limit of options, with those for parameters of analyses. */
#define OPTION_MOST (OPTION_COUNT + 64)

/* Returns the number of options: enum option_id, followed by parameters of analyses. */
int option_count(void);

/* Returns the row of option `id`, from 0 to option_count() - 1. */
const struct option_row *option_row(int id);

/* Returns the row of option `id` as it applies to `command` (its bit; 0: any command). */
struct option_row option_row_of(int id, command_set command);

/* Returns the row of the option with a name; NULL if there is none. */
const struct option_row *option_find(const char *name);

/* Returns the index of a value among the words that the option takes; -1 with `error` set: none. */
int parse_choice(const struct option_row *row, const char *value, struct error *error);

/* Returns whether `name` is an option or an abbreviation of one. */
bool option_exists(const char *name);

/* --NAME VALUE that is no option of the program. It may be a parameter of a user's query file,
 * which is known only when the file is loaded. */
struct other_option {
    char *name;        /* owned */
    const char *value; /* NULL: no word followed that could be the value */
};

/* All arguments of an option that may be repeated, in order. */
struct option_list {
    const char **values; /* owned array of borrowed strings */
    size_t count;
};

struct arguments {
    bool given[OPTION_MOST];
    bool by_letter[OPTION_MOST];     /* by option id: true if given by its letter */
    const char *values[OPTION_MOST]; /* by option id: its last argument; NULL: not given */
    struct option_list lists[OPTION_COUNT];
    /* Owned, in order: long options unknown to the program, each with a value. */
    struct other_option *others;
    size_t other_count;
    int argc;
    char *const *argv;   /* borrowed; the command line */
    char **line;         /* owned array of borrowed strings: words of `argv` with options first */
    const char *command; /* first word that is no option; NULL: none */
    char *const *words;  /* the words after the command */
    size_t word_count;
};

/* Parses the command line; its strings are borrowed. Options may be anywhere before `--`. Returns
 * false if an option is wrong; all other options are set nevertheless. arguments_free() must be
 * called even then. */
bool arguments_parse(struct arguments *arguments, int argc, char *const *argv, struct error *error);

/* Parses the same command line again, with the names in `own` as options: parameters of a query
 * file. They take precedence over the program's options that have the same name, or whose name
 * begins with a name in `own`. */
bool arguments_parse_again(struct arguments *arguments, const char *const *own, size_t own_count,
                           struct error *error);

/* Makes the words after the first use of an option further values of it, if words stand before it:
 * `A A --with B B`. `keep_last`: not the last word. */
void arguments_spread(struct arguments *arguments, enum option_id id, bool keep_last);

/* Frees the lists; the strings belong to `argv`. */
void arguments_free(struct arguments *arguments);

/* Resolves letters that are short forms of several options, by the command (its bit). */
void resolve_short_options(struct arguments *arguments, command_set command);

/* Sets the members of `structure`, of type `target`, for the options that were given. */
void arguments_fill_structure(const struct arguments *arguments, enum option_target target,
                              void *structure);

/* Returns the index of the word given for an OPTION_CHOICE; `otherwise`: not given. */
int arguments_choice(const struct arguments *arguments, enum option_id id, int otherwise);

/* Returns the number given for an OPTION_NUMBER; `otherwise`: not given. */
int64_t arguments_number(const struct arguments *arguments, enum option_id id, int64_t otherwise);

#endif
