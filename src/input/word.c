#include "input/word.h"

const char *word_among(struct word word, const char *const *strings, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (word_is(word, strings[i])) {
            return strings[i];
        }
    }
    return NULL;
}

bool word_listed(struct word word, const char *words) {
    while (*words != '\0' && word.length > 0) {
        size_t run = strcspn(words, " ");

        if (run == word.length && memcmp(words, word.bytes, run) == 0) {
            return true;
        }
        words += run + strspn(words + run, " ");
    }
    return false;
}

bool word_is_capitals(struct word word, size_t most) {
    for (size_t i = 0; i < word.length; i++) {
        if (word.bytes[i] < 'A' || word.bytes[i] > 'Z') {
            return false;
        }
    }
    return word.length >= 1 && word.length <= most;
}

struct word word_last(struct word *rest) {
    struct word line = word_trim(*rest);
    size_t begin = line.length;

    while (begin > 0 && !word_is_blank(line.bytes[begin - 1])) {
        begin--;
    }
    *rest = word_trim((struct word){line.bytes, begin});
    return (struct word){line.bytes + begin, line.length - begin};
}

struct word word_field(struct word *rest, char separator) {
    const char *found = rest->length == 0 ? NULL : memchr(rest->bytes, separator, rest->length);
    struct word field = {rest->bytes, found == NULL ? rest->length : (size_t)(found - rest->bytes)};

    word_skip(rest, field.length + (found != NULL));
    return field;
}

bool word_long_number(struct word word, int64_t most, int64_t *number) {
    *number = 0;
    for (size_t i = 0; i < word.length; i++) {
        int digit = word.bytes[i] - '0';

        if (digit < 0 || digit > 9 || digit > most || *number > (most - digit) / 10) {
            return false;
        }
        *number = *number * 10 + digit;
    }
    return word.length > 0;
}

bool word_hex(struct word word, uint64_t most, uint64_t *number) {
    *number = 0;
    if (word.length > 2 && (word_begins(word, "0x") || word_begins(word, "0X"))) {
        word_skip(&word, 2);
    }
    for (size_t i = 0; i < word.length; i++) {
        unsigned digit = word_hex_digit(word.bytes[i]);

        if (digit > 15 || digit > most || *number > (most - digit) / 16) {
            return false;
        }
        *number = *number * 16 + digit;
    }
    return word.length > 0;
}

bool word_hex_bytes(struct word word, size_t most, uint8_t *bytes, size_t *count) {
    *count = 0;
    if (word.length % 2 != 0 || word.length / 2 > most) {
        return false;
    }
    for (size_t i = 0; i < word.length; i += 2) {
        unsigned high = word_hex_digit(word.bytes[i]), low = word_hex_digit(word.bytes[i + 1]);

        if (high > 15 || low > 15) {
            return false;
        }
        bytes[(*count)++] = (uint8_t)(high << 4 | low);
    }
    return true;
}

bool word_cut_last(struct word *rest, const char *key, struct word *value) {
    size_t length = strlen(key);

    for (size_t at = rest->length < length ? 0 : rest->length - length + 1; at-- > 0;) {
        if (memcmp(rest->bytes + at, key, length) == 0) {
            *value = (struct word){rest->bytes + at + length, rest->length - at - length};
            rest->length = at;
            return true;
        }
    }
    return false;
}

/* Consumes digits with an optional decimal point. Sets `*digits` and `*power`: the value is
 * `*digits` times 10^`*power`. Uses only as many of the first digits as fit in an int64_t, at
 * least 18. Sets `*lost` if digits other than 0 did not fit. */
static bool cut_digits(struct word *rest, int64_t *digits, int64_t *power, bool *lost) {
    const int64_t full = (INT64_MAX - 9) / 10;
    bool point = false, some = false;

    *digits = *power = 0;
    *lost = false;
    for (; rest->length > 0 && (word_is_digit(*rest->bytes) || (*rest->bytes == '.' && !point));
         word_skip(rest, 1)) {
        if (*rest->bytes == '.') {
            point = true;
            continue;
        }
        some = true;
        if (*digits <= full) {
            *digits = *digits * 10 + (*rest->bytes - '0');
            *power -= point;
        } else {
            *lost |= *rest->bytes != '0';
            *power += !point;
        }
    }
    return some;
}

static bool parse_exponent(struct word word, int64_t most, int64_t *exponent) {
    *exponent = 0;
    if (word.length == 0) {
        return true;
    }
    if ((*word.bytes | 0x20) != 'e') {
        return false;
    }
    word_skip(&word, 1);
    if (word_begins(word, "+")) {
        word_skip(&word, 1);
        return word_number(word, most, exponent);
    }
    return word_signed(word, -most, most, exponent);
}

bool word_decimal(struct word word, int scale, int64_t most_exponent, int64_t most, int64_t *number,
                  bool *rounded) {
    int64_t digits, power, exponent, rest = 0;

    if (!cut_digits(&word, &digits, &power, rounded) ||
        !parse_exponent(word, most_exponent, &exponent)) {
        return false;
    }
    for (power += exponent + scale; power < 0 && digits > 0; power++) {
        *rounded |= rest != 0;
        rest = digits % 10;
        digits /= 10;
    }
    for (; power > 0 && digits > 0; power--) {
        if (digits > most / 10) {
            return false;
        }
        digits *= 10;
    }
    *rounded |= rest != 0;
    *number = digits + (power == 0 && rest >= 5);
    return *number <= most;
}
