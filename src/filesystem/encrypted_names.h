/* Names of encrypted files, as Linux shows them without the key. */
#ifndef TRACETOOL_FILESYSTEM_ENCRYPTED_NAMES_H
#define TRACETOOL_FILESYSTEM_ENCRYPTED_NAMES_H

#include <ext2fs/ext2fs.h>
#include <stddef.h>
#include <stdint.h>

/* Maximum bytes that fscrypt_encode_name() writes. */
#define FSCRYPT_NAME 252

/* Converts an encrypted name (up to 255 bytes of any value) and its two hashes to letters, digits,
 * '-' and '_', as Linux shows it. Writes no NUL; returns the length. */
size_t fscrypt_encode_name(uint32_t hash, uint32_t minor_hash, const char *bytes, size_t length,
                           char name[FSCRYPT_NAME]);

/* Names in encrypted directories of ext2, ext3 and ext4. */

/* Whether an inode is encrypted; for a directory also how to get the two hashes of each name. */
enum ext_encryption {
    EXT_PLAIN,
    EXT_WITHOUT_HASH,
    EXT_WITH_HASH,  /* the directory is indexed by hashes of names, which can be computed */
    EXT_HASH_AFTER, /* the hashes are stored after each name, as computing them needs the key */
};

/* Returns whether and how an inode with these flags is encrypted. `size`: its size in bytes. */
enum ext_encryption ext_encryption(ext2_filsys fs, uint32_t flags, uint64_t size);

/* Converts the name in an encrypted directory's entry, in the form of fscrypt_encode_name().
 * `room`: bytes from the entry to the end of its block. */
size_t ext_encode_name(ext2_filsys fs, enum ext_encryption encryption, const unsigned char *entry,
                       size_t room, char name[FSCRYPT_NAME]);

#endif
