/* Hash tables: uthash, with a hash function several times faster than its own on the short keys
 * that importers look up for every record, and which no log can foresee.
 */
#ifndef TRACETOOL_HASH_H
#define TRACETOOL_HASH_H

#include "base/hash_seed.h"
#include "base/memory.h"

#define uthash_malloc(size)               xmalloc(size)
#define HASH_FUNCTION(key, length, value) ((value) = (unsigned)seeded_hash((key), (length)))
#include <uthash.h>

#endif
