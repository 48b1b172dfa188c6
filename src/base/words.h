/* Word lists, and the nearest match for a mistyped word. */
#ifndef TRACETOOL_WORDS_H
#define TRACETOOL_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Whether `word` is in `words`, a list separated by blanks. */
bool word_in(const char *words, const char *word);

/* Returns the place of a string in an array, `count` if it is not there. */
size_t string_place(const char *const *strings, size_t count, const char *string);

/* Finds the structure of that name among `count` of `size` bytes, which begin with a pointer to
 * their name; NULL if there is none. */
const void *find_named(const void *items, size_t count, size_t size, const char *name);

/* A list to choose a word from. Empty when zeroed. */
struct word_list {
    const char **words; /* owned; the strings are borrowed */
    size_t count;
};

/* Adds a word, which is borrowed. */
void word_list_add(struct word_list *list, const char *word);
void word_list_add_once(struct word_list *list, const char *word); /* if not listed */
void word_list_free(struct word_list *list);

/* Edit distance: letters inserted, deleted, changed or swapped with a neighbour. WORD_LONGEST if a
 * word is longer than that. */
#define WORD_LONGEST 64
unsigned word_distance(const char *left, const char *right);

/* Whether the pattern matches the whole word; * matches any characters. */
bool word_fits(const char *pattern, const char *word);

/* As word_fits(), for `length` bytes. The character `one` matches any single byte; NUL: none does.
 */
bool bytes_fit(const char *pattern, const char *bytes, size_t length, char one);

/* Returns the word nearest to `typed`, within a third of its letters; NULL if none is. */
const char *word_list_nearest(const struct word_list *list, const char *typed);

/* Returns the word equal to `typed`, or the only one with this prefix, or the one that is a prefix
 * of all other matches. Borrowed from the list.
 *
 * NULL with a usage error if none or several match: "there is no WHAT 'typed'", then the nearest
 * word, then `otherwise`. That is a clause such as "`tracetool reports` lists them"; NULL lists all
 * words instead, if they are few. */
const char *word_list_choose(const struct word_list *list, const char *what, const char *typed,
                             const char *otherwise, struct error *error);

#endif
