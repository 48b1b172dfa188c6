/* Names in encrypted directories of ext4. */
#ifndef TRACETOOL_EXT_NAMES_H
#define TRACETOOL_EXT_NAMES_H

#include <ext2fs/ext2fs.h>
#include <stddef.h>
#include <stdint.h>

#include "filesystem/fscrypt.h"

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
