/* The command line: which options were given, with what, and which words. What options there are
 * says options.h. */
#ifndef TRACETOOL_ARGUMENTS_H
#define TRACETOOL_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "cli/options.h"

/* --NAME VALUE that may be a parameter of a user's query file: known when that is loaded. */
struct other_option {
    char *name;        /* owned */
    const char *value; /* NULL: nothing stood behind it */
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
    /* Long options that are none of the program's, in order; owned. Each takes a value. */
    struct other_option *others;
    size_t other_count;
    int argc;
    char *const *argv;   /* the command line, borrowed */
    char **line;         /* the same, options first; owned, the strings are not */
    const char *command; /* first word that is not an option; NULL: none */
    char *const *words;  /* the words behind it */
    size_t word_count;
};

/* Parses the command line, whose strings must stay. Options may stand anywhere before `--`. False:
 * something is wrong with an option; all others were taken all the same. To be freed in any case.
 */
bool arguments_parse(struct arguments *arguments, int argc, char *const *argv, struct error *error);

/* Parses the same line anew. Each of the `own` names is a parameter of a query file, and none of
 * the program's options, although the program has one of this name or one that begins so. */
bool arguments_parse_again(struct arguments *arguments, const char *const *own, size_t own_count,
                           struct error *error);

/* Frees the lists; the strings are those of `argv`. */
void arguments_free(struct arguments *arguments);

/* Options that share a letter are those of the command, whose bit is `command`. */
void arguments_settle_letters(struct arguments *arguments, command_set command);

/* Sets the members of `structure`, which is of `target`, whose options were given. */
void arguments_set(const struct arguments *arguments, enum option_target target, void *structure);

/* The index of the choice that an OPTION_CHOICE was given; `otherwise` when it was not. */
int arguments_choice(const struct arguments *arguments, enum option_id id, int otherwise);

/* The number that an OPTION_NUMBER was given; `otherwise` when it was not. */
int64_t arguments_number(const struct arguments *arguments, enum option_id id, int64_t otherwise);

#endif
