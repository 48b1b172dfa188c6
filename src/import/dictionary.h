/* Numbers byte strings: equal strings get equal numbers.
 *
 * A limited number of strings is stored in memory. Further ones are in a private temporary
 * database, so that memory is bounded for any number of names (docs/limits.md). */
#ifndef TRACETOOL_DICTIONARY_H
#define TRACETOOL_DICTIONARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "model/batch.h"

/* Memory limits of one dictionary. */
#define DICTIONARY_STRINGS_IN_MEMORY 65536
#define DICTIONARY_BYTES_IN_MEMORY   ((size_t)8 * 1024 * 1024)

struct dictionary;

/* Opens an empty dictionary. Its numbers start at `first`, at least 1. */
struct dictionary *dictionary_open(uint32_t first);
void dictionary_close(struct dictionary *dictionary);

/* Returns the number of `key`; adds a copy of a new key, and sets `*added`. Returns 0 with `error`
 * set if the temporary database fails or there are 2^31 strings. */
uint32_t dictionary_number(struct dictionary *dictionary, const void *key, size_t length,
                           bool *added, struct error *error);

/* Sets `*number` to the number of `key`; 0: unknown key. Returns false with `error` set if the
 * temporary database fails. */
bool dictionary_find(struct dictionary *dictionary, const void *key, size_t length,
                     uint32_t *number, struct error *error);

/* Adds a new `key` with a number from an earlier import, which may be any number below `first`. */
bool dictionary_set(struct dictionary *dictionary, const void *key, size_t length, uint32_t number,
                    struct error *error);

/* --- keys of dictionaries --------------------------------------------------------------------- */

void object_dictionary_key(struct text *key, const struct object_entry *object);

#endif
