/* Names of encrypted files, as Linux shows them without the key. */
#ifndef TRACETOOL_FILESYSTEM_ENCRYPTED_NAMES_H
#define TRACETOOL_FILESYSTEM_ENCRYPTED_NAMES_H

#include <ext2fs/ext2fs.h>
#include <stddef.h>
#include <stdint.h>

/* Largest size in bytes of a name from fscrypt_name(). */
#define FSCRYPT_NAME 252

/* Converts a name as stored on disk (up to 255 bytes of any value) and its two hashes to letters,
 * digits, '-' and '_'. `name` is not NUL-terminated; returns its length. */
size_t fscrypt_name(uint32_t hash, uint32_t minor_hash, const char *bytes, size_t length,
                    char name[FSCRYPT_NAME]);

/* Names in encrypted directories of ext4. */

/* Encryption of an inode. For a directory: the source of the hashes in the names that Linux shows.
 */
enum ext_encryption {
    EXT_PLAIN,
    EXT_WITHOUT_HASH,
    EXT_WITH_HASH,  /* computed, because the directory is indexed by hash */
    EXT_HASH_AFTER, /* stored after each name, because computing them needs the key */
};

/* Returns the encryption of an inode with these flags. `size` is a directory's size in bytes. */
enum ext_encryption ext_encryption(ext2_filsys fs, uint32_t flags, uint64_t size);

/* Converts the name of an encrypted directory's entry, which has `room` bytes, like fscrypt_name().
 */
size_t ext_encrypted_name(ext2_filsys fs, enum ext_encryption encryption,
                          const unsigned char *entry, size_t room, char name[FSCRYPT_NAME]);

#endif
