#include "base/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static const char hex_digits[] = "0123456789abcdef";

void text_free(struct text *text) {
    free(text->bytes);
    *text = (struct text){0};
}

void text_clear(struct text *text) {
    text->length = 0;
    if (text->bytes != NULL) {
        text->bytes[0] = '\0';
    }
}

const char *text_string(const struct text *text) {
    return text->bytes == NULL ? "" : text->bytes;
}

char *text_reserve(struct text *text, size_t extra) {
    size_t capacity = text->capacity < 64 ? 64 : text->capacity;

    if (extra >= SIZE_MAX / 2 - text->length) {
        out_of_memory();
    }
    if (text->length + extra < text->capacity) {
        return text->bytes + text->length;
    }
    while (capacity <= text->length + extra) {
        capacity *= 2;
    }
    text->bytes = xrealloc(text->bytes, capacity);
    text->capacity = capacity;
    return text->bytes + text->length;
}

void text_append(struct text *text, const char *bytes, size_t length) {
    char *end = text_reserve(text, length);

    if (length > 0) {
        memcpy(end, bytes, length);
    }
    end[length] = '\0';
    text->length += length;
}

void text_append_string(struct text *text, const char *string) {
    text_append(text, string, strlen(string));
}

void text_append_plural(struct text *text, const char *format, int64_t count) {
    const char *open, *end;

    for (; (open = strchr(format, '{')) != NULL && (end = strchr(open, '}')) != NULL;
         format = end + 1) {
        const char *bar = memchr(open, '|', (size_t)(end - open));
        const char *one = open + 1, *more = bar == NULL ? one : bar + 1;

        text_append(text, format, (size_t)(open - format));
        if (count != 1) {
            text_append(text, more, (size_t)(end - more));
        } else if (bar != NULL) {
            text_append(text, one, (size_t)(bar - one));
        }
    }
    text_append_string(text, format);
}

void text_append_item(struct text *text, const char *item) {
    text_append_string(text, text->length > 0 ? ", " : "");
    text_append_string(text, item);
}

void text_append_char(struct text *text, char character) {
    text_append(text, &character, 1);
}

void text_append_format(struct text *text, const char *format, ...) {
    va_list arguments;
    int length;
    char *end;

    va_start(arguments, format);
    length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    end = text_reserve(text, (size_t)length);
    va_start(arguments, format);
    vsnprintf(end, (size_t)length + 1, format, arguments);
    va_end(arguments);
    text->length += (size_t)length;
}

/* Writes a number in decimal digits ending before `end`. Returns the address of the first. */
static char *write_digits(char *end, uint64_t value) {
    do {
        *--end = (char)('0' + value % 10);
        value /= 10;
    } while (value != 0);
    return end;
}

static uint64_t absolute_value(int64_t value) {
    return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

void text_append_integer(struct text *text, int64_t value) {
    char digits[24];
    char *end = digits + sizeof digits;
    char *start = write_digits(end, absolute_value(value));

    if (value < 0) {
        *--start = '-';
    }
    text_append(text, start, (size_t)(end - start));
}

/* Writes `value` / `unit` with `decimals` decimals, ending before `end`; `unit` is 10^decimals.
 * Returns the address of the first character. */
static char *write_decimals(char *end, uint64_t value, int decimals, uint64_t unit) {
    char *start = end - decimals;

    memset(start, '0', (size_t)decimals);
    write_digits(end, value % unit);
    *--start = '.';
    return write_digits(start, value / unit);
}

void text_append_six_decimals(struct text *text, double real) {
    char digits[32];
    char *end = digits + sizeof digits;
    /* Below 10^11 the error of the product is less than 0.00001, so rounding by `rest` is right
     * unless it is close to 0.5; then printf() rounds. A rounded 0 gets no sign. */
    double rounded = real <= 0 && real >= -0.0000005 ? 0 : real, millionths = rounded * 1e6;
    uint64_t below = rounded >= 0 && millionths < 1e11 ? (uint64_t)millionths : 0;
    double rest = millionths - (double)below;

    if (rest >= 0 && rest < 1 && fabs(rest - 0.5) > 0.0001) {
        char *start = write_decimals(end, below + (rest > 0.5), 6, 1000000);

        text_append(text, start, (size_t)(end - start));
    } else {
        text_append_format(text, "%.6f", rounded);
    }
}

void text_append_seconds(struct text *text, int64_t nanoseconds) {
    char digits[32];
    char *end = digits + sizeof digits;
    char *start = write_decimals(end, absolute_value(nanoseconds), 9, 1000000000);

    if (nanoseconds < 0) {
        *--start = '-';
    }
    text_append(text, start, (size_t)(end - start));
}

void text_append_hex(struct text *text, const void *bytes, size_t length) {
    const uint8_t *from = bytes;
    char *to = text_reserve(text, 2 * length);

    for (size_t i = 0; i < length; i++) {
        to[2 * i] = hex_digits[from[i] >> 4];
        to[2 * i + 1] = hex_digits[from[i] & 15];
    }
    to[2 * length] = '\0';
    text->length += 2 * length;
}

void text_append_utf8(struct text *text, uint32_t code) {
    if (code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) {
        code = 0xFFFD;
    }
    if (code < 0x80) {
        text_append_char(text, (char)code);
        return;
    }
    if (code < 0x800) {
        text_append_char(text, (char)(0xC0 | code >> 6));
    } else {
        if (code < 0x10000) {
            text_append_char(text, (char)(0xE0 | code >> 12));
        } else {
            text_append_char(text, (char)(0xF0 | code >> 18));
            text_append_char(text, (char)(0x80 | (code >> 12 & 0x3F)));
        }
        text_append_char(text, (char)(0x80 | (code >> 6 & 0x3F)));
    }
    text_append_char(text, (char)(0x80 | (code & 0x3F)));
}

size_t utf8_sequence(const char *bytes, size_t length, uint32_t *code_point) {
    static const uint32_t smallest[5] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char first;
    uint32_t value;
    size_t size;

    if (length == 0) {
        return 0;
    }
    first = (unsigned char)bytes[0];
    if (first < 0x80) {
        *code_point = first;
        return 1;
    }
    if (first < 0xC2 || first > 0xF4) {
        return 0;
    }
    size = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    if (size > length) {
        return 0;
    }
    value = first & (0x7Fu >> size);
    for (size_t i = 1; i < size; i++) {
        if (((unsigned char)bytes[i] & 0xC0) != 0x80) {
            return 0;
        }
        value = value << 6 | ((unsigned char)bytes[i] & 0x3Fu);
    }
    if (value < smallest[size] || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) {
        return 0;
    }
    *code_point = value;
    return size;
}

static void append_escaped_byte(struct text *text, unsigned char byte) {
    char escape[4] = {'\\', 'x', hex_digits[byte >> 4], hex_digits[byte & 15]};

    text_append(text, escape, sizeof escape);
}

static bool text_is_plain(unsigned char byte) {
    return byte >= 0x20 && byte < 0x7F && byte != '\\';
}

void text_append_escaped(struct text *text, const char *bytes, size_t length) {
    size_t i = 0;

    while (i < length) {
        size_t run = i;
        uint32_t code_point = 0;
        size_t size;

        while (run < length && text_is_plain((unsigned char)bytes[run])) {
            run++;
        }
        text_append(text, bytes + i, run - i);
        i = run;
        if (i == length) {
            break;
        }
        size = utf8_sequence(bytes + i, length - i, &code_point);
        if (bytes[i] == '\t') {
            text_append(text, "\\t", 2);
        } else if (bytes[i] == '\n') {
            text_append(text, "\\n", 2);
        } else if (bytes[i] == '\\') {
            text_append(text, "\\\\", 2);
        } else if (size < 2 || code_point < 0xA0) {
            /* A C1 control character has two bytes in UTF-8; both are escaped. */
            append_escaped_byte(text, (unsigned char)bytes[i]);
            size = 1;
            if (i + 1 < length && code_point >= 0x80 && code_point < 0xA0) {
                append_escaped_byte(text, (unsigned char)bytes[i + 1]);
                size = 2;
            }
            i += size;
            continue;
        } else {
            text_append(text, bytes + i, size);
            i += size;
            continue;
        }
        i++;
    }
}

/* Returns the number of bytes of a character that changes the direction of text; 0 for others. */
static size_t direction_size(const char *bytes, size_t length) {
    const unsigned char first = (unsigned char)bytes[0];
    uint32_t code_point = 0;
    size_t size = first == 0xE2 || first == 0xD8 ? utf8_sequence(bytes, length, &code_point) : 0;
    bool is_direction = code_point == 0x061C || code_point == 0x200E || code_point == 0x200F ||
                        (code_point >= 0x202A && code_point <= 0x202E) ||
                        (code_point >= 0x2066 && code_point <= 0x2069);

    return size > 1 && is_direction ? size : 0;
}

void text_escape_bidi(struct text *text) {
    struct text escaped = {0};
    size_t done = 0;

    for (size_t i = 0; i < text->length; i++) {
        size_t size = direction_size(text->bytes + i, text->length - i);

        if (size > 0) {
            text_append(&escaped, text->bytes + done, i - done);
            done = i + size;
        }
        for (; size > 0; size--) {
            append_escaped_byte(&escaped, (unsigned char)text->bytes[done - size]);
        }
    }
    if (done > 0) {
        text_append(&escaped, text->bytes + done, text->length - done);
        text_free(text);
        *text = escaped;
    }
}

/* Appends a word as $'…' if it has bytes that a terminal must not get; else returns false. */
static bool append_escaped_word(struct text *text, const char *word) {
    struct text escaped = {0};
    size_t length = strlen(word);

    text_append_escaped(&escaped, word, length);
    text_escape_bidi(&escaped);
    for (const char *at = word; (at = strchr(at, '\\')) != NULL; at++) {
        length++; /* the escaped word must have this length if nothing but backslashes, which are
                     doubled, was escaped */
    }
    if (escaped.length == length) {
        text_free(&escaped);
        return false;
    }
    text_append_string(text, "$'");
    for (const char *at = text_string(&escaped); *at != '\0'; at++) {
        text_append_string(text, *at == '\'' ? "\\" : "");
        text_append_char(text, *at);
    }
    text_append_char(text, '\'');
    text_free(&escaped);
    return true;
}

void text_append_word(struct text *text, const char *word) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-./:+,@%";
    const char *quote;

    if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
        text_append_string(text, word);
        return;
    }
    if (append_escaped_word(text, word)) {
        return;
    }
    text_append_char(text, '\'');
    while ((quote = strchr(word, '\'')) != NULL) {
        text_append(text, word, (size_t)(quote - word));
        text_append_string(text, "'\"'\"'");
        word = quote + 1;
    }
    text_append_string(text, word);
    text_append_char(text, '\'');
}
