/* Names of encrypted files, as Linux shows them to who does not have the key. */
#ifndef TRACETOOL_FSCRYPT_H
#define TRACETOOL_FSCRYPT_H

#include <stddef.h>
#include <stdint.h>

/* Most bytes of such a name. */
#define FSCRYPT_NAME 252

/* Turns a name as it lies on the disk (up to 255 bytes, of any kind) with the two hashes that its
 * directory has of it into letters, digits, '-' and '_': `name`, which has no NUL behind it. Gives
 * its length. */
size_t fscrypt_name(uint32_t hash, uint32_t minor_hash, const char *bytes, size_t length,
                    char name[FSCRYPT_NAME]);

#endif
