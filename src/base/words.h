/* Lists of words, and finding the word that a user meant. */
#ifndef TRACETOOL_WORDS_H
#define TRACETOOL_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Returns whether `word` is one of `words`, a list separated by blanks. */
bool word_in(const char *words, const char *word);

/* Returns the index of a string in an array; `count` if it is not there. */
size_t string_index(const char *const *strings, size_t count, const char *string);

/* Finds the structure with a name among `count` structures of `size` bytes, which begin with a
 * pointer to their name; NULL if there is none. */
const void *find_named(const void *items, size_t count, size_t size, const char *name);

/* Words that a user can choose from. Zeroed: none. */
struct word_list {
    const char **words; /* owned; the strings are borrowed */
    size_t count;
};

/* Adds a word, which is borrowed by the list. */
void word_list_add(struct word_list *list, const char *word);
void word_list_add_once(struct word_list *list, const char *word); /* adds it only if it is new */
void word_list_free(struct word_list *list);

/* Returns how many letters must be inserted, deleted, changed or swapped with the next one to make
 * one word of the other; WORD_LONGEST if a word is longer than that. */
#define WORD_LONGEST 64
unsigned word_distance(const char *left, const char *right);

/* Returns whether the pattern fits the whole word; * stands for any characters. */
bool word_fits(const char *pattern, const char *word);

/* Like word_fits(), for `length` bytes. The character `one` stands for any single byte; NUL: no
 * character does. */
bool bytes_fit_pattern(const char *pattern, const char *bytes, size_t length, char one);

/* Returns the word most like `typed`, with a third of the letters different at most; NULL if there
 * is none. */
const char *word_list_nearest(const struct word_list *list, const char *typed);

/* Returns the word that is `typed`; else the only one that begins with it; else the one that all
 * others that begin with it begin with. Borrowed from the list. If none or several fit, returns
 * NULL and sets a usage error: "there is no WHAT 'typed'", then the most similar word, then
 * `otherwise`, such as "`tracetool reports` lists them". NULL: all words instead, if they are
 * few. */
const char *word_list_choose(const struct word_list *list, const char *what, const char *typed,
                             const char *otherwise, struct error *error);

#endif
