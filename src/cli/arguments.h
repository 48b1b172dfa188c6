/* The options of all commands: the rows of options.def, followed by the parameters of the
 * analyses. The command line is parsed into options and words by them; errors, help and completions
 * are derived from them. */
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

/* Bits for sets of commands; there are at most 63. */
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
    /* Commands that take logs in place of traces (logs.h). */
    ASKING = MAKING_REPORTS | ON_ASSERT | ON_BASELINE | ON_OVERVIEW | ON_REPORTS | ON_DUMP |
             ON_EXPORT | ON_SHOW | ON_SQL | ON_PLOT_SQL,
    CHOOSING_TRACES = REPORTING | ON_ASSERT | ON_BASELINE | ON_PAGE | ON_DUMP | ON_OVERVIEW,
    CHOOSING_EVENTS = MAKING_REPORTS | ON_DUMP | ON_EXPORT,
    PRINTING_TABLES = ON_OVERVIEW | ON_CACHE | ON_REPORT | ON_COMPARE | ON_EXPORTS | ON_MAP |
                      ON_TRACES | ON_SHOW | ON_FORMATS | ON_REPORTS | ON_SQL,
};

/* A filter as a row of options.def. */
#define FILTER_OPTION(ID, NAME, TYPE, ARGUMENT, COMMANDS, KINDS, NEEDS, LACKS, HOW, OF, HELP)      \
    OPTION(ID, NAME, 0, TYPE ARGUMENT, NO_FIELD, COMMANDS, HELP)

enum option_id {
#define OPTION(ID, ...) OPTION_##ID,
#define HELP_IN(...)
#include "cli/options.def"
#undef OPTION
#undef HELP_IN
    OPTION_COUNT,
    OPTION_FIRST_FILTER = OPTION_PROCESS /* filters are consecutive */
};

enum option_type {
    OPTION_FLAG,     /* bool: takes no argument */
    OPTION_TEXT,     /* const char * */
    OPTION_NUMBER,   /* int64_t: a whole number from 1 on */
    OPTION_WHOLE,    /* int or uint64_t: a whole number within bounds */
    OPTION_REAL,     /* double: a number within bounds */
    OPTION_CHOICE,   /* int or an enum: the index of the chosen word */
    OPTION_REPEATED, /* all arguments are kept: struct option_list */
};

/* The structure that contains the member to set. */
enum option_target {
    TARGET_NONE,    /* the command reads the value by the option's id */
    TARGET_REQUEST, /* struct report_request */
    TARGET_COMPARE, /* struct compare_request */
    TARGET_QUERY,   /* no structure has the value: a report passes it to its query */
};

struct option_row {
    const char *name; /* name without -- */
    char letter;      /* short form; 0: none; options of different commands may share one */
    enum option_type type;
    const char *argument;       /* name of the argument in the help; NULL: takes none */
    const char *const *choices; /* possible arguments; empty ones do not count */
    int choice_count;
    bool closed;        /* true: only the choices are accepted */
    double least, most; /* bounds of OPTION_WHOLE and OPTION_REAL */
    enum option_target target;
    size_t offset, size;  /* position of the member in its structure, in bytes */
    command_set commands; /* commands that take it: set of enum command_bit */
    bool hidden;          /* true: an option for tests, not in the help and without a short form */
    const char *help;
    const struct parameter *parameter; /* the analysis' parameter behind this option; else NULL */
};

/* Limit of options, including those of the analyses. */
#define OPTION_MOST (OPTION_COUNT + 64)

/* Returns the number of options: enum option_id, then those of the analyses. */
int option_count(void);

/* Returns the row of option `id`, which is less than option_count(). */
const struct option_row *option_row(int id);

/* Returns the row of option `id` as `command` (a bit; 0: none) has it. */
struct option_row option_row_of(int id, command_set command);

/* Returns the row of that name; NULL if there is none. */
const struct option_row *option_find(const char *name);

/* Returns the index of the value among the row's choices; -1 with `error` set if it is not one. */
int parse_choice(const struct option_row *row, const char *value, struct error *error);

/* Returns true if `name` is an option's name or a prefix of one. */
bool option_exists(const char *name);

/* --NAME VALUE that may be a parameter of a user's query file. Only loading the file shows whether
 * it is. */
struct other_option {
    char *name;        /* owned */
    const char *value; /* value of the option; NULL: no argument followed */
};

/* All arguments of a repeatable option, in order. */
struct option_list {
    const char **values; /* owned; the strings are not */
    size_t count;
};

struct arguments {
    bool given[OPTION_MOST];
    bool by_letter[OPTION_MOST];     /* given by its letter */
    const char *values[OPTION_MOST]; /* the last one given; NULL without an argument */
    struct option_list lists[OPTION_COUNT];
    /* Long options unknown to the program, in order; owned. Each takes a value. */
    struct other_option *others;
    size_t other_count;
    int argc;
    char *const *argv;   /* the command line, borrowed */
    char **line;         /* the same arguments, options first; owned, but not the strings */
    const char *command; /* first word that is not an option; NULL: none */
    char *const *words;  /* the words after the command */
    size_t word_count;
};

/* Parses the command line; its strings must stay valid. Options may occur anywhere before `--`.
 * False: an option is wrong, but all others were still read. Free the result in any case. */
bool arguments_parse(struct arguments *arguments, int argc, char *const *argv, struct error *error);

/* Parses the same command line again. Each of the `own` names is a parameter of a query file. It
 * overrides a program option of this name, or one that the name abbreviates. */
bool arguments_parse_again(struct arguments *arguments, const char *const *own, size_t own_count,
                           struct error *error);

/* Frees the lists; the strings belong to `argv`. */
void arguments_free(struct arguments *arguments);

/* Selects the command, by its bit, for options that share a letter. */
void resolve_short_options(struct arguments *arguments, command_set command);

/* Sets the members of `structure`, a structure of kind `target`, from the given options. */
void arguments_set(const struct arguments *arguments, enum option_target target, void *structure);

/* Returns the index of an OPTION_CHOICE's argument; `otherwise` if it was not given. */
int arguments_choice(const struct arguments *arguments, enum option_id id, int otherwise);

/* Returns the number given to an OPTION_NUMBER; `otherwise` if it was not given. */
int64_t arguments_number(const struct arguments *arguments, enum option_id id, int64_t otherwise);

#endif
