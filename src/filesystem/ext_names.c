#include "filesystem/ext_names.h"

#include <ext2fs/ext2_fs.h>

#include "input/bytes.h"

/* Of an entry: its name and how long that is; hashes stand behind it, at a place of four bytes. */
enum { ENTRY_LENGTH = 6, ENTRY_NAME = 8, HASHES = 8 };

enum ext_encryption ext_encryption(ext2_filsys fs, uint32_t flags, uint64_t size) {
    if ((flags & EXT4_ENCRYPT_FL) == 0) {
        return EXT_PLAIN;
    }
    if (flags & EXT4_CASEFOLD_FL) {
        return EXT_HASH_BEHIND;
    }
    return ext2fs_has_feature_dir_index(fs->super) &&
                   ((flags & (EXT2_INDEX_FL | EXT4_INLINE_DATA_FL)) != 0 || size == fs->blocksize)
               ? EXT_WITH_HASH
               : EXT_WITHOUT_HASH;
}

static void hash_name(ext2_filsys fs, const char *name, size_t length, ext2_dirhash_t *hash,
                      ext2_dirhash_t *minor_hash) {
    int version = fs->super->s_def_hash_version;

    if (version <= EXT2_HASH_TEA && (fs->super->s_flags & EXT2_FLAGS_UNSIGNED_HASH) != 0) {
        version += EXT2_HASH_LEGACY_UNSIGNED;
    }
    if (ext2fs_dirhash2(version, name, (int)length, NULL, 0, fs->super->s_hash_seed, hash,
                        minor_hash) != 0) {
        *hash = *minor_hash = 0;
    }
}

size_t ext_encrypted_name(ext2_filsys fs, enum ext_encryption encryption,
                          const unsigned char *entry, size_t room, char name[FSCRYPT_NAME]) {
    size_t length = entry[ENTRY_LENGTH], behind = (ENTRY_NAME + length + 3) & ~(size_t)3;
    const char *bytes = (const char *)entry + ENTRY_NAME;
    ext2_dirhash_t hash = 0, minor_hash = 0;

    if (encryption == EXT_WITH_HASH) {
        hash_name(fs, bytes, length, &hash, &minor_hash);
    } else if (encryption == EXT_HASH_BEHIND && behind + HASHES <= room) {
        hash = bytes_u32_little(entry + behind);
        minor_hash = bytes_u32_little(entry + behind + 4);
    }
    return fscrypt_name(hash, minor_hash, bytes, length, name);
}
