/* Parses the command line into options and words. options.h lists the options. */
#ifndef TRACETOOL_ARGUMENTS_H
#define TRACETOOL_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "cli/options.h"

/* --NAME VALUE that may be a parameter of a user's query file. Only loading the file shows whether
 * it is. */
struct other_option {
    char *name;        /* owned */
    const char *value; /* NULL: no argument followed */
};

/* All arguments of a repeatable option, in order. */
struct option_list {
    const char **values; /* owned; the strings are not */
    size_t count;
};

struct arguments {
    bool given[OPTION_MOST];
    bool by_letter[OPTION_MOST];     /* given so */
    const char *values[OPTION_MOST]; /* the last one given; NULL without an argument */
    struct option_list lists[OPTION_COUNT];
    /* Long options unknown to the program, in order; owned. Each takes a value. */
    struct other_option *others;
    size_t other_count;
    int argc;
    char *const *argv;   /* the command line, borrowed */
    char **line;         /* the same arguments, options first; owned, but not the strings */
    const char *command; /* first word that is not an option; NULL: none */
    char *const *words;  /* the words after it */
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
