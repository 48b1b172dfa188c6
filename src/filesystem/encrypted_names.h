/* Names of encrypted files, as Linux shows them to who does not have the key. */
#ifndef TRACETOOL_FILESYSTEM_ENCRYPTED_NAMES_H
#define TRACETOOL_FILESYSTEM_ENCRYPTED_NAMES_H

#include <ext2fs/ext2fs.h>
#include <stddef.h>
#include <stdint.h>

/* Most bytes of such a name. */
#define FSCRYPT_NAME 252

/* Turns a name as it lies on the disk (up to 255 bytes, of any kind) with the two hashes that its
 * directory has of it into letters, digits, '-' and '_': `name`, which has no NUL behind it. Gives
 * its length. */
size_t fscrypt_name(uint32_t hash, uint32_t minor_hash, const char *bytes, size_t length,
                    char name[FSCRYPT_NAME]);

/* Names in encrypted directories of ext4. */

/* What an inode is. Of a directory: which hashes Linux shows with the names in it. */
enum ext_encryption {
    EXT_PLAIN,
    EXT_WITHOUT_HASH,
    EXT_WITH_HASH,   /* it is read in the order of the hashes */
    EXT_HASH_BEHIND, /* the hashes stand behind the names, for only the key gives them */
};

/* What an inode with these flags is, of a directory of `size` bytes. */
enum ext_encryption ext_encryption(ext2_filsys fs, uint32_t flags, uint64_t size);

/* The name of an entry of an encrypted directory, which has `room` bytes: as fscrypt_name(). */
size_t ext_encrypted_name(ext2_filsys fs, enum ext_encryption encryption,
                          const unsigned char *entry, size_t room, char name[FSCRYPT_NAME]);

#endif
