#include <ext2fs/ext2_fs.h>
#include <nettle/sha2.h>
#include <string.h>

#include "filesystem/encrypted_names.h"
#include "input/bytes.h"

/* Bytes that are encoded for a name: both hashes and the start of the name. If a name is longer,
 * the SHA-256 of its rest is added. */
enum { HASH_BYTES = 8, BEGINNING = 149, MOST_BYTES = HASH_BYTES + BEGINNING + SHA256_DIGEST_SIZE };

static void store_le32(unsigned char *bytes, uint32_t value) {
    for (unsigned i = 0; i < 4; i++) {
        bytes[i] = (unsigned char)(value >> 8 * i);
    }
}

/* Encodes bytes as base64url without '=' at the end (RFC 4648). Returns the length of the text. */
static size_t encode_base64url(const unsigned char *bytes, size_t length, char *text) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    size_t count = 0;
    unsigned bits = 0;
    uint32_t held = 0;

    for (size_t i = 0; i < length; i++) {
        held = held << 8 | bytes[i];
        for (bits += 8; bits >= 6; bits -= 6) {
            text[count++] = digits[held >> (bits - 6) & 63];
        }
    }
    if (bits > 0) {
        text[count++] = digits[held << (6 - bits) & 63];
    }
    return count;
}

size_t fscrypt_encode_name(uint32_t hash, uint32_t minor_hash, const char *bytes, size_t length,
                           char name[FSCRYPT_NAME]) {
    unsigned char raw[MOST_BYTES];
    size_t kept = length < BEGINNING ? length : BEGINNING, count = HASH_BYTES + kept;

    store_le32(raw, hash);
    store_le32(raw + 4, minor_hash);
    memcpy(raw + HASH_BYTES, bytes, kept);
    if (length > kept) {
        struct sha256_ctx rest;

        sha256_init(&rest);
        sha256_update(&rest, length - kept, (const uint8_t *)bytes + kept);
        sha256_digest(&rest, SHA256_DIGEST_SIZE, raw + count);
        count += SHA256_DIGEST_SIZE;
    }
    return encode_base64url(raw, count, name);
}

/* Offsets in a directory entry. With EXT_HASH_AFTER, two hashes follow the name, aligned to 4
 * bytes. */
enum { ENTRY_LENGTH = 6, ENTRY_NAME = 8, HASHES = 8 };

enum ext_encryption ext_encryption(ext2_filsys fs, uint32_t flags, uint64_t size) {
    if ((flags & EXT4_ENCRYPT_FL) == 0) {
        return EXT_PLAIN;
    }
    if (flags & EXT4_CASEFOLD_FL) {
        return EXT_HASH_AFTER;
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

size_t ext_encode_name(ext2_filsys fs, enum ext_encryption encryption, const unsigned char *entry,
                       size_t room, char name[FSCRYPT_NAME]) {
    size_t length = entry[ENTRY_LENGTH], after = (ENTRY_NAME + length + 3) & ~(size_t)3;
    const char *bytes = (const char *)entry + ENTRY_NAME;
    ext2_dirhash_t hash = 0, minor_hash = 0;

    if (encryption == EXT_WITH_HASH) {
        hash_name(fs, bytes, length, &hash, &minor_hash);
    } else if (encryption == EXT_HASH_AFTER && after + HASHES <= room) {
        hash = bytes_u32_little(entry + after);
        minor_hash = bytes_u32_little(entry + after + 4);
    }
    return fscrypt_encode_name(hash, minor_hash, bytes, length, name);
}
