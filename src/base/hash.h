/* Hash tables: uthash, with a hash function several times faster than its own on the short keys
 * that importers look up for every record.
 */
#ifndef TRACETOOL_HASH_H
#define TRACETOOL_HASH_H

#define XXH_INLINE_ALL
#include <xxhash.h>

#define HASH_FUNCTION(key, length, value) ((value) = (unsigned)XXH3_64bits((key), (length)))
#include <uthash.h>

#endif
