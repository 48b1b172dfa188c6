/* Equal byte strings get one number.
 *
 * Up to a stated number of strings live in memory; those that come later are looked up in a
 * private temporary database, so that memory stays bounded however many different names a log
 * holds (docs/limits.md).
 */
#ifndef TRACETOOL_DICTIONARY_H
#define TRACETOOL_DICTIONARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "model/batch.h"

/* What one dictionary keeps in memory at most. */
#define DICTIONARY_STRINGS_IN_MEMORY 65536
#define DICTIONARY_BYTES_IN_MEMORY   ((size_t)8 * 1024 * 1024)

struct dictionary;

/* Numbers start at `first` (at least 1). */
struct dictionary *dictionary_open(uint32_t first);
void dictionary_close(struct dictionary *dictionary);

/* The number of `key`, which is copied when it is new (`*added`). 0 with `error` set when
 * the temporary database fails, or when 2^31 strings are there. */
uint32_t dictionary_number(struct dictionary *dictionary, const void *key, size_t length,
                           bool *added, struct error *error);

/* The number of `key`, 0 when it has none. False with `error` set when the temporary database
 * fails.
 */
bool dictionary_find(struct dictionary *dictionary, const void *key, size_t length,
                     uint32_t *number, struct error *error);

/* Gives `key`, which must be new, the number it had before; it may be any below `first`. */
bool dictionary_put(struct dictionary *dictionary, const void *key, size_t length, uint32_t number,
                    struct error *error);

/* --- keys ----------------------------------------------------------------------------------------
 */

/* What makes two names, actors or objects of a trace the same one: equal bytes. Each appends them
 * to `key`. */
void entry_key_number(struct text *key, int64_t number);
void entry_key_name(struct text *key, const struct name_entry *name);
void entry_key_actor(struct text *key, const struct actor_entry *actor);
void entry_key_object(struct text *key, const struct object_entry *object);

#endif
