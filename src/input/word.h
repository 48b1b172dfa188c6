/* Words of a line: substrings and their conversion to numbers.
 *
 * A word borrows the bytes of its line; nothing is allocated or copied. Blanks are space, TAB and
 * carriage return, which lines from other systems may have. Numbers are checked against their
 * bounds before they overflow. Functions called for each line are inline: text is parsed at some
 * 100 MB/s.
 */
#ifndef TRACETOOL_WORD_H
#define TRACETOOL_WORD_H

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/time_unit.h"

struct word {
    const char *bytes; /* any bytes, not NUL-terminated */
    size_t length;
};

/* Arguments for a "%.*s" that prints a word. */
#define WORD_TEXT(word) (int)(word).length, (word).bytes

/* Any number with at most this many digits fits into 63 bits. */
#define WORD_SAFE_DIGITS 18

/* --- comparison ------------------------------------------------------------------------------- */

static inline struct word word_of(const char *string) {
    return (struct word){string, strlen(string)};
}

/* Returns the bytes from `begin` up to but not including `end`. */
static inline struct word word_between(const char *begin, const char *end) {
    return (struct word){begin, (size_t)(end - begin)};
}

static inline bool word_is(struct word word, const char *string) {
    /* Usually the first byte decides, without a call of strlen() and memcmp(). */
    return word.length == 0 ? *string == '\0'
                            : *word.bytes == *string && word.length == strlen(string) &&
                                  memcmp(word.bytes, string, word.length) == 0;
}

static inline bool word_begins(struct word word, const char *prefix) {
    size_t length = strlen(prefix);

    return word.length >= length && memcmp(word.bytes, prefix, length) == 0;
}

static inline bool word_ends(struct word word, const char *suffix) {
    size_t length = strlen(suffix);

    return word.length >= length && memcmp(word.bytes + word.length - length, suffix, length) == 0;
}

static inline bool word_has(struct word word, const char *text) {
    return memmem(word.bytes, word.length, text, strlen(text)) != NULL;
}

/* Returns the string, of `count` strings, that equals the word; NULL if none does. */
const char *word_among(struct word word, const char *const *strings, size_t count);

/* Whether the word is in `words`, a list separated by blanks; false for a word that is empty or has
 * a blank. */
bool word_listed(struct word word, const char *words);

/* Whether the word has 1 to `most` letters, all from A to Z. */
bool word_is_capitals(struct word word, size_t most);

/* --- blanks ----------------------------------------------------------------------------------- */

static inline bool word_is_blank(char byte) {
    return byte == ' ' || byte == '\t' || byte == '\r';
}

static inline bool word_is_digit(char byte) {
    return byte >= '0' && byte <= '9';
}

/* Returns the number of decimal digits that the word begins with. */
static inline size_t word_digits(struct word word) {
    size_t digits = 0;

    while (digits < word.length && word_is_digit(word.bytes[digits])) {
        digits++;
    }
    return digits;
}

/* Removes leading blanks. */
static inline struct word word_trim_left(struct word word) {
    while (word.length > 0 && word_is_blank(*word.bytes)) {
        word.bytes++;
        word.length--;
    }
    return word;
}

static inline struct word word_trim(struct word word) {
    word = word_trim_left(word);
    while (word.length > 0 && word_is_blank(word.bytes[word.length - 1])) {
        word.length--;
    }
    return word;
}

/* Removes padding from both ends: blanks except TAB, which may be a separator. */
static inline struct word word_unpad(struct word word) {
    while (word.length > 0 && (*word.bytes == ' ' || *word.bytes == '\r')) {
        word.bytes++;
        word.length--;
    }
    while (word.length > 0 &&
           (word.bytes[word.length - 1] == ' ' || word.bytes[word.length - 1] == '\r')) {
        word.length--;
    }
    return word;
}

/* --- splitting -----------------------------------------------------------------------------------
 *
 * `rest` is the remainder of the line; each function removes its result from it.
 */

static inline void word_skip(struct word *rest, size_t count) {
    rest->bytes += count;
    rest->length -= count;
}

/* Consumes leading blanks and the next word, up to a blank; returns an empty word at the end. */
static inline struct word word_next(struct word *rest) {
    struct word word = word_trim_left(*rest);
    const char *end = rest->bytes + rest->length, *at = word.bytes;

    while (at < end && !word_is_blank(*at)) {
        at++;
    }
    word.length = (size_t)(at - word.bytes);
    *rest = word_between(at, end);
    return word;
}

/* Removes the last word of `rest` and the blanks around it. Returns the word; empty: none left. */
struct word word_last(struct word *rest);

/* Consumes and returns the field before the next separator, and consumes the separator. Without a
 * separator, returns the whole rest. Does not trim the field. */
struct word word_field(struct word *rest, char separator);

/* Consumes the text before the first `key`, and the key. `*before`, unless NULL, becomes that text.
 * Returns false and consumes nothing if there is no `key`. */
static inline bool word_cut_first(struct word *rest, const char *key, struct word *before) {
    const char *found = memmem(rest->bytes, rest->length, key, strlen(key));

    if (found != NULL && before != NULL) {
        *before = word_between(rest->bytes, found);
    }
    if (found != NULL) {
        word_skip(rest, (size_t)(found - rest->bytes) + strlen(key));
    }
    return found != NULL;
}

/* Removes the last `key`, and the text after it, which becomes `*value`. Returns false if there is
 * no `key`. */
bool word_cut_last(struct word *rest, const char *key, struct word *value);

/* Skips blanks and returns the next byte without consuming it; NUL at the end. */
static inline char word_peek(struct word *rest) {
    *rest = word_trim_left(*rest);
    return rest->length > 0 ? *rest->bytes : '\0';
}

/* Skips blanks and consumes the string. Returns false if other text follows. */
static inline bool word_accept(struct word *rest, const char *string) {
    *rest = word_trim_left(*rest);
    if (!word_begins(*rest, string)) {
        return false;
    }
    word_skip(rest, strlen(string));
    return true;
}

/* Loads up to eight bytes of a line, from `at` on, as a little-endian number. Missing bytes are 0.
 * Near the end, loads bytes before `at`, too, and shifts them out: a copy of fewer bytes would
 * delay the load. */
static inline uint64_t word_eight_bytes(struct word line, size_t at) {
    const size_t rest = line.length - at, before = rest < 8 ? 8 - rest : 0;
    uint64_t eight = 0;

    if (line.length < 8) {
        memcpy(&eight, line.bytes + at, rest);
        return le64toh(eight);
    }
    memcpy(&eight, line.bytes + at - before, sizeof eight);
    return le64toh(eight) >> 8 * before;
}

/* Returns a number with the highest bit set in each byte where `eight` has `byte`. xor makes these
 * bytes 0 in `other`; adding 0x7F to a byte's lower bits leaves its highest bit clear only if it is
 * 0. */
static inline uint64_t word_find_byte(uint64_t eight, char byte) {
    const uint64_t low_bits = UINT64_C(0x7F7F7F7F7F7F7F7F);
    uint64_t other = eight ^ UINT64_C(0x0101010101010101) * (uint8_t)byte;

    return ~(((other & low_bits) + low_bits) | other | low_bits);
}

/* Splits a line at its separators into fields without padding, eight bytes at a time. Returns the
 * number of fields; most + 1 if there are more than `most`, and then not all fields are set. `most`
 * is at least 1. */
static inline size_t word_split(struct word line, char separator, struct word *fields,
                                size_t most) {
    const char *begin = line.bytes;
    size_t count = 0;

    for (size_t at = 0; at < line.length; at += 8) {
        for (uint64_t found = word_find_byte(word_eight_bytes(line, at), separator); found != 0;
             found &= found - 1) {
            const char *end = line.bytes + at + __builtin_ctzll(found) / 8;

            if (count == most - 1) {
                return most + 1;
            }
            fields[count++] = word_unpad(word_between(begin, end));
            begin = end + 1;
        }
    }
    fields[count] = word_unpad((struct word){begin, line.length - (size_t)(begin - line.bytes)});
    return count + 1;
}

/* --- numbers ---------------------------------------------------------------------------------- */

/* Parses a number as word_number() does, in a word of any length. */
bool word_long_number(struct word word, int64_t most, int64_t *number);

/* Parses a word that consists of decimal digits, with a value of at most `most`. If it returns
 * false, `*number` is undefined. */
static inline bool word_number(struct word word, int64_t most, int64_t *number) {
    int64_t sum = 0;

    if (word.length > WORD_SAFE_DIGITS) {
        return word_long_number(word, most, number);
    }
    for (size_t i = 0; i < word.length; i++) {
        if (!word_is_digit(word.bytes[i])) {
            return false;
        }
        sum = sum * 10 + (word.bytes[i] - '0');
    }
    *number = sum;
    return word.length > 0 && sum <= most;
}

/* Parses as word_number() does, with optional minus, from `least` (above INT64_MIN) to `most`. */
static inline bool word_signed(struct word word, int64_t least, int64_t most, int64_t *number) {
    bool negative = word.length > 0 && *word.bytes == '-';

    if (negative) {
        word_skip(&word, 1);
    }
    if (!word_number(word, negative ? -least : most, number)) {
        return false;
    }
    *number = negative ? -*number : *number;
    return *number >= least && *number <= most;
}

/* Skips blanks and consumes a number of at most `most`. Returns false if there is none. */
static inline bool word_next_number(struct word *rest, int64_t most, int64_t *number) {
    struct word digits;

    *rest = digits = word_trim_left(*rest);
    while (rest->length > 0 && word_is_digit(*rest->bytes)) {
        word_skip(rest, 1);
    }
    digits.length = (size_t)(rest->bytes - digits.bytes);
    return word_number(digits, most, number);
}

/* Returns the value of a hexadecimal digit of either case; 16 for any other byte. */
static inline unsigned word_hex_digit(char byte) {
    return word_is_digit(byte)          ? (unsigned)(byte - '0')
           : byte >= 'a' && byte <= 'f' ? (unsigned)(byte - 'a') + 10
           : byte >= 'A' && byte <= 'F' ? (unsigned)(byte - 'A') + 10
                                        : 16;
}

/* Parses a decimal number without sign, with optional point and exponent up to `most_exponent`.
 * Sets `*number` to the value times 10^scale, at most `most`, rounded half up, and `*rounded` to
 * whether that is inexact. */
bool word_decimal(struct word word, int scale, int64_t most_exponent, int64_t most, int64_t *number,
                  bool *rounded);

/* Parses a word of hexadecimal digits, with or without 0x, with a value of at most `most`. */
bool word_hex(struct word word, uint64_t most, uint64_t *number);

/* Parses pairs of hexadecimal digits, one byte per pair. Sets `*count` to the number of bytes, at
 * most `most`. Returns false if the word has another form. */
bool word_hex_bytes(struct word word, size_t most, uint8_t *bytes, size_t *count);

/* Parses seconds with `least` to `most` (at most 9) decimals, as nanoseconds. Seconds may be up to
 * `limit` (below 9 * 10^9). If `least` is 0, the point is optional. */
static inline bool word_seconds(struct word word, size_t least, size_t most, int64_t limit,
                                int64_t *nanoseconds) {
    static const int64_t units[] = {1000000000, 100000000, 10000000, 1000000, 100000,
                                    10000,      1000,      100,      10,      1};
    struct word whole = word, fraction = {word.bytes, 0};
    int64_t seconds, parts = 0;

    for (size_t decimals = least > 0 ? least : 1; decimals <= most; decimals++) {
        if (word.length > decimals && word.bytes[word.length - decimals - 1] == '.') {
            fraction = (struct word){word.bytes + word.length - decimals, decimals};
            whole.length = word.length - decimals - 1;
            break;
        }
    }
    if ((fraction.length == 0 && least > 0) || !word_number(whole, limit, &seconds) ||
        (fraction.length > 0 && !word_number(fraction, 999999999, &parts))) {
        return false;
    }
    *nanoseconds = seconds * SECOND + parts * units[fraction.length];
    return true;
}

#endif
