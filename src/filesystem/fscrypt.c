#include "filesystem/fscrypt.h"

#include <nettle/sha2.h>
#include <string.h>

/* The hashes, the beginning of the name, and what stands for the rest of a longer one. */
enum { HASHES = 8, BEGINNING = 149, MOST_BYTES = HASHES + BEGINNING + SHA256_DIGEST_SIZE };

static void put_u32_little(unsigned char *bytes, uint32_t value) {
    for (unsigned i = 0; i < 4; i++) {
        bytes[i] = (unsigned char)(value >> 8 * i);
    }
}

/* Base64 with the alphabet of file names and without '=' (RFC 4648, base64url). */
static size_t encode(const unsigned char *bytes, size_t length, char *text) {
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

size_t fscrypt_name(uint32_t hash, uint32_t minor_hash, const char *bytes, size_t length,
                    char name[FSCRYPT_NAME]) {
    unsigned char raw[MOST_BYTES];
    size_t kept = length < BEGINNING ? length : BEGINNING, count = HASHES + kept;

    put_u32_little(raw, hash);
    put_u32_little(raw + 4, minor_hash);
    memcpy(raw + HASHES, bytes, kept);
    if (length > kept) {
        struct sha256_ctx rest;

        sha256_init(&rest);
        sha256_update(&rest, length - kept, (const uint8_t *)bytes + kept);
        sha256_digest(&rest, SHA256_DIGEST_SIZE, raw + count);
        count += SHA256_DIGEST_SIZE;
    }
    return encode(raw, count, name);
}
