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
    const char *name;
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
    const char *command; /* first word that is not an option; NULL: none */
    char *const *words;  /* the words behind it */
    size_t word_count;
};

/* Parses the command line. Options may stand anywhere before `--`; words are moved behind them in
 * `argv`, whose strings must stay; `--NAME=VALUE` of an unknown option is cut in two. */
bool arguments_parse(struct arguments *arguments, int argc, char **argv, struct error *error);

/* Frees the lists; the strings are those of `argv`. */
void arguments_free(struct arguments *arguments);

/* Options that share a letter are those of the command: `options`, blank-separated, are its own. */
void arguments_settle_letters(struct arguments *arguments, const char *options);

/* The number that an option with `number` set was given; `otherwise` when it was not. */
int64_t arguments_number(const struct arguments *arguments, enum option_id id, int64_t otherwise);

#endif
