/* The tables and views of a database in words: what the comments of schema.sql say of them. */
#ifndef TRACETOOL_SCHEMA_WORDS_H
#define TRACETOOL_SCHEMA_WORDS_H

#include <stdbool.h>

#include "base/error.h"

/* A table or view, or one of its columns. Borrowed for the call that gives it. */
struct schema_word {
    const char *table;
    const char *column; /* "": of the table as a whole */
    const char *what;   /* one line, "" for nothing */
};

/* Calls `take` for each table and view, and behind it for each of its columns, until it returns
 * false: then that is returned. False with `error` set when out of memory. */
bool schema_words(bool (*take)(void *context, const struct schema_word *word, struct error *error),
                  void *context, struct error *error);

#endif
