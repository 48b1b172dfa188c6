/* Lists of words in a string, separated by blanks. */
#ifndef TRACETOOL_WORDS_H
#define TRACETOOL_WORDS_H

#include <stdbool.h>

/* Whether `word` is one of the `words`. */
bool word_in(const char *words, const char *word);

#endif
