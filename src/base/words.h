/* Lists of words, and search for the word that a user meant. */
#ifndef TRACETOOL_WORDS_H
#define TRACETOOL_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Returns whether `word` is one of `words`, a list separated by blanks. */
bool word_in(const char *words, const char *word);

/* Returns the index of a string in an array; `count` if it is missing. */
size_t string_index(const char *const *strings, size_t count, const char *string);

/* Finds the structure with a name among `count` structures of `size` bytes, which must begin with a
 * pointer to their name; NULL if there is none. */
const void *find_named(const void *items, size_t count, size_t size, const char *name);

/* Words from which a user can choose. Zeroed: empty. */
struct word_list {
    const char **words; /* owned; the strings are borrowed */
    size_t count;
};

/* Adds a word, which is borrowed by the list. */
void word_list_add(struct word_list *list, const char *word);
/* Adds a word unless the list has it. */
void word_list_add_once(struct word_list *list, const char *word);
void word_list_free(struct word_list *list);

/* Returns how many letters must be inserted, deleted, changed or swapped with the next one to
 * convert one word to the other; WORD_LONGEST if a word is longer than that. */
#define WORD_LONGEST 64
unsigned word_edit_distance(const char *left, const char *right);

/* Returns whether a pattern matches the whole word; * matches any number of characters. */
bool word_matches_pattern(const char *pattern, const char *word);

/* Returns whether a pattern matches all `length` bytes; * matches any number of bytes. The
 * character `one` of the pattern matches any single byte; NUL: no character does. */
bool bytes_match_pattern(const char *pattern, const char *bytes, size_t length, char one);

/* Returns the word most similar to `typed`, at most a third of the letters different; or NULL. */
const char *word_list_nearest(const struct word_list *list, const char *typed);

/* Returns the word equal to `typed`; else the only word that begins with it; else, of the words
 * that begin with it, the one with which all of them begin. Borrowed from the list. If none or
 * several fit, returns NULL with a usage error set: "there is no WHAT 'typed'", then the most
 * similar word, then `otherwise`, such as "`tracetool reports` lists them". `otherwise` NULL: lists
 * the words instead, if they are few. */
const char *word_list_choose(const struct word_list *list, const char *what, const char *typed,
                             const char *otherwise, struct error *error);

#endif
