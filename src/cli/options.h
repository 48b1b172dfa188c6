/* The options of all commands: the rows of options.def, followed by the parameters of the
 * analyses. The command line, errors, help and completions are derived from them. */
#ifndef TRACETOOL_OPTIONS_H
#define TRACETOOL_OPTIONS_H

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
    TARGET_QUERY,   /* no structure: a report passes the value to its query */
};

struct option_row {
    const char *name; /* name without -- */
    char letter;      /* short form; 0: none; options of different commands may share one */
    enum option_type type;
    const char *argument;       /* name of the argument in the help; NULL: takes none */
    const char *const *choices; /* possible arguments; empty ones do not count */
    int choice_count;
    bool closed;        /* only the choices are accepted */
    double least, most; /* bounds of OPTION_WHOLE and OPTION_REAL */
    enum option_target target;
    size_t offset, size;  /* position of the member in its structure, in bytes */
    command_set commands; /* commands that take it: set of enum command_bit */
    bool hidden;          /* for tests: not in the help, no short form */
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

#endif
