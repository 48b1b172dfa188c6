/* Hash tables: uthash, with a hash function several times faster than its own on the short keys
 * that importers look up for every record, and which no log can foresee.
 */
#ifndef TRACETOOL_HASH_H
#define TRACETOOL_HASH_H

#include "base/hash_seed.h"

/* uthash would end the program when out of memory. This way an element is not added then: see
 * hash_added() behind each HASH_ADD. */
#define HASH_NONFATAL_OOM 1

#define HASH_FUNCTION(key, length, value) ((value) = (unsigned)seeded_hash((key), (length)))
#include <uthash.h>

/* Whether the last HASH_ADD of this element found the memory it needs. */
#define hash_added(element) ((element)->hh.tbl != NULL)

#endif
