/* Words: in a string, and what somebody means who types one nearly right. */
#ifndef TRACETOOL_WORDS_H
#define TRACETOOL_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Whether `word` is one of the `words`, which blanks part. */
bool word_in(const char *words, const char *word);

/* Words of which one is to be chosen. Zeroed: none. */
struct word_list {
    const char **words; /* owned; the strings are borrowed */
    size_t count;
};

/* Adds a word, which is borrowed. */
void word_list_add(struct word_list *list, const char *word);
void word_list_add_once(struct word_list *list, const char *word); /* unless it is there */
void word_list_free(struct word_list *list);

/* How many letters have to be put in, taken out, changed or swapped with their neighbours to make
 * one word of the other; WORD_LONGEST when one is longer than that. */
#define WORD_LONGEST 64
unsigned word_distance(const char *left, const char *right);

/* Whether the pattern fits all of the word: each * in it fits anything. */
bool word_fits(const char *pattern, const char *word);

/* The word that differs least from `typed`, if by no more than a third of its letters; NULL: none
 * is near. */
const char *word_list_nearest(const struct word_list *list, const char *typed);

/* The word that `typed` is, or else the only one that it begins, or that of these which begins the
 * others; borrowed from the list. NULL, with
 * wrong usage said, when there is none or there are several: "there is no WHAT 'typed'" with the
 * word that differs least, and behind it `otherwise`, a clause such as "`tracetool reports` lists
 * them"; NULL: the words are few, and all of them are said. */
const char *word_list_choose(const struct word_list *list, const char *what, const char *typed,
                             const char *otherwise, struct error *error);

#endif
