/* Words of a line: pieces of bytes, and what text formats make of them. Nothing is allocated and
 * nothing is copied: a word is borrowed from the line that it was cut out of.
 *
 * Blanks are space, TAB and carriage return (of which lines that went through other systems have
 * some). All numbers are checked against their bounds before they can overflow. What an importer
 * asks for every line is inline: text is read at some 100 MB a second.
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
    const char *bytes; /* any, NULs included; no NUL behind them */
    size_t length;
};

/* Bytes for a message of text_append_format(), in place of "%.*s". */
#define WORD_TEXT(word) (int)(word).length, (word).bytes

/* Digits that surely fit into 63 bits. */
#define WORD_SAFE_DIGITS 18

/* --- comparing ---------------------------------------------------------------------------------
 */

static inline struct word word_of(const char *string) {
    return (struct word){string, strlen(string)};
}

/* The bytes from `begin` on, up to `end`. */
static inline struct word word_between(const char *begin, const char *end) {
    return (struct word){begin, (size_t)(end - begin)};
}

static inline bool word_is(struct word word, const char *string) {
    return word.length == strlen(string) &&
           (word.length == 0 || memcmp(word.bytes, string, word.length) == 0);
}

static inline bool word_begins(struct word word, const char *prefix) {
    size_t length = strlen(prefix);

    return word.length >= length && memcmp(word.bytes, prefix, length) == 0;
}

static inline bool word_ends(struct word word, const char *suffix) {
    size_t length = strlen(suffix);

    return word.length >= length && memcmp(word.bytes + word.length - length, suffix, length) == 0;
}

/* The one of `count` strings that the word is; NULL: none of them. */
const char *word_among(struct word word, const char *const *strings, size_t count);

/* Whether it is one of `words`, which blanks part; what is empty or holds a blank is none. */
bool word_listed(struct word word, const char *words);

/* From one to `most` letters A to Z. */
bool word_is_capitals(struct word word, size_t most);

/* --- blanks ------------------------------------------------------------------------------------
 */

static inline bool word_is_blank(char byte) {
    return byte == ' ' || byte == '\t' || byte == '\r';
}

static inline bool word_is_digit(char byte) {
    return byte >= '0' && byte <= '9';
}

/* How many decimal digits it begins with. */
static inline size_t word_digits(struct word word) {
    size_t digits = 0;

    while (digits < word.length && word_is_digit(word.bytes[digits])) {
        digits++;
    }
    return digits;
}

/* Without the blanks before it. */
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

/* Without padding, which is blanks but TABs: where TABs separate, they are no padding. */
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

/* --- cutting a line up -------------------------------------------------------------------------
 * `rest` is what is left of the line: each call takes something off it.
 */

static inline void word_skip(struct word *rest, size_t count) {
    rest->bytes += count;
    rest->length -= count;
}

/* Cuts off the next word, with the blanks before it: up to the next blank; of length 0 at the end.
 */
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

/* Cuts off the last word, with the blanks on both sides of it; of length 0 when there is none. */
struct word word_last(struct word *rest);

/* Cuts off what stands before the next separator, and the separator; all that is left when there is
 * none. The field is not trimmed. */
struct word word_field(struct word *rest, char separator);

/* Cuts off the blanks, and gives the byte behind them, which stays; NUL at the end. */
static inline char word_peek(struct word *rest) {
    *rest = word_trim_left(*rest);
    return rest->length > 0 ? *rest->bytes : '\0';
}

/* Cuts off the string behind blanks; false when something else is there. */
static inline bool word_accept(struct word *rest, const char *string) {
    *rest = word_trim_left(*rest);
    if (!word_begins(*rest, string)) {
        return false;
    }
    word_skip(rest, strlen(string));
    return true;
}

/* Eight bytes as a number, the first one lowest; `length` of them are there, the others are 0. */
static inline uint64_t word_eight_bytes(const char *bytes, size_t length) {
    uint64_t eight = 0;

    if (length >= sizeof eight) {
        memcpy(&eight, bytes, sizeof eight);
    } else {
        memcpy(&eight, bytes, length);
    }
    return le64toh(eight);
}

/* The highest bit of each byte that is `byte`: xor makes those 0, and 0 alone does not carry into
 * the highest bit when 0x7F is added. */
static inline uint64_t word_find_byte(uint64_t eight, char byte) {
    const uint64_t low_bits = UINT64_C(0x7F7F7F7F7F7F7F7F);
    uint64_t other = eight ^ UINT64_C(0x0101010101010101) * (uint8_t)byte;

    return ~(((other & low_bits) + low_bits) | other | low_bits);
}

/* Splits a line at its separators into fields without padding, eight bytes at a time. Returns how
 * many there are; most + 1 for more than `most`, of which the fields are not all set then. `most`
 * is at least 1. */
static inline size_t word_split(struct word line, char separator, struct word *fields,
                                size_t most) {
    const char *begin = line.bytes;
    size_t count = 0;

    for (size_t at = 0; at < line.length; at += 8) {
        for (uint64_t found =
                 word_find_byte(word_eight_bytes(line.bytes + at, line.length - at), separator);
             found != 0; found &= found - 1) {
            const char *end = line.bytes + at + __builtin_ctzll(found) / 8;

            if (count == most - 1) {
                return most + 1;
            }
            fields[count++] = word_unpad(word_between(begin, end));
            begin = end + 1;
        }
    }
    fields[count] = word_unpad(word_between(begin, line.bytes + line.length));
    return count + 1;
}

/* --- numbers -----------------------------------------------------------------------------------
 */

/* As word_number(), for words that are too long to be surely in range. */
bool word_long_number(struct word word, int64_t most, int64_t *number);

/* The word is nothing but decimal digits, of a number up to `most`. What is set when it is not
 * means nothing. */
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

/* The same with a minus before it or not, from `least` to `most`; `least` is above INT64_MIN. */
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

/* Cuts off the digits behind blanks and takes them for a number up to `most`; false when there are
 * none. */
static inline bool word_next_number(struct word *rest, int64_t most, int64_t *number) {
    struct word digits;

    *rest = digits = word_trim_left(*rest);
    while (rest->length > 0 && word_is_digit(*rest->bytes)) {
        word_skip(rest, 1);
    }
    digits.length = (size_t)(rest->bytes - digits.bytes);
    return word_number(digits, most, number);
}

/* The value of a digit of base 16 or below, in either case; 16 for what is none. */
static inline unsigned word_hex_digit(char byte) {
    return word_is_digit(byte)          ? (unsigned)(byte - '0')
           : byte >= 'a' && byte <= 'f' ? (unsigned)(byte - 'a') + 10
           : byte >= 'A' && byte <= 'F' ? (unsigned)(byte - 'A') + 10
                                        : 16;
}

/* The word is nothing but hexadecimal digits, behind 0x or not, of a number up to `most`. */
bool word_hex(struct word word, uint64_t most, uint64_t *number);

/* Pairs of hexadecimal digits, one a byte, of which there are at most `most`; `*count` is how many.
 * False when it is none. */
bool word_hex_bytes(struct word word, size_t most, uint8_t *bytes, size_t *count);

/* Seconds with a fraction of `least` to `most` (up to 9) decimals as nanoseconds, seconds up to
 * `limit` (below 9 * 10^9). With `least` 0 there may be no point at all. */
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
