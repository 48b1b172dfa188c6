/* What pseudonyms of texts are put together of: names, paths, arguments of system calls, remarks.
 * For the files of pseudonyms.h alone. All append to `out`.
 */
#ifndef TRACETOOL_PSEUDONYM_PARTS_H
#define TRACETOOL_PSEUDONYM_PARTS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "input/word.h"

struct pseudonyms;

/* Stands before what is a path, or a part of one, in the digest. */
#define PSEUDONYM_PATH_TAG 'f'

#define PSEUDONYM_KEY_SIZE 32

#define DIGITS   "0123456789"
#define CAPITALS "ABCDEFGHIJKLMNOPQRSTUVWXYZ_"
#define SMALL    "abcdefghijklmnopqrstuvwxyz_"

/* The pseudonym of a name as a whole; `tag` tells kinds of names apart. Of an empty one nothing. */
void pseudonym_append_name(const struct pseudonyms *pseudonyms, char tag, struct word name,
                           struct text *out);

/* Of a path, PSEUDONYM_PATH; of arguments, PSEUDONYM_ARGUMENTS; of a remark, PSEUDONYM_REMARK. */
void pseudonym_append_path(const struct pseudonyms *pseudonyms, struct word path, struct text *out);
void pseudonym_append_arguments(const struct pseudonyms *pseudonyms, struct word rest,
                                struct text *out);
void pseudonym_append_remark(const struct pseudonyms *pseudonyms, struct word remark,
                             struct text *out);

/* A random key. */
bool pseudonym_key_make(uint8_t key[PSEUDONYM_KEY_SIZE], struct error *error);

/* The key of a file; of one that is not there one is made; two programs that try at once agree on
 * one. */
bool pseudonym_key_load(const char *path, uint8_t key[PSEUDONYM_KEY_SIZE], struct error *error);

/* Whether it is a letter, a digit, _ or a byte of a character beyond ASCII. */
static inline bool is_name_byte(char byte) {
    return word_is_digit(byte) || (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z') ||
           byte == '_' || (unsigned char)byte >= 0x80;
}

/* Whether all of a token are such bytes, and at least one is. */
static inline bool word_consists_of(struct word token, const char *bytes) {
    for (size_t i = 0; i < token.length; i++) {
        if (token.bytes[i] == '\0' || strchr(bytes, token.bytes[i]) == NULL) {
            return false;
        }
    }
    return token.length > 0;
}

#endif
