/* A growing string.
 *
 * A zeroed struct is an empty text. Bytes may be anything, NUL included; `bytes` is always
 * NUL-terminated once something was appended.
 */
#ifndef TRACETOOL_TEXT_H
#define TRACETOOL_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text {
    char *bytes;     /* owned; NULL while nothing was appended */
    size_t length;   /* without the terminating NUL */
    size_t capacity; /* bytes allocated */
};

/* Frees the bytes and makes it empty again. */
void text_free(struct text *text);

/* Makes it empty but keeps the memory for the next use. */
void text_clear(struct text *text);

/* The content as a C string, never NULL (an empty text gives ""). Owned by the text. */
const char *text_string(const struct text *text);

/* Makes room for `extra` more bytes and returns where they go.
 * The caller writes up to `extra` bytes there and adds what it wrote to `length`. */
char *text_reserve(struct text *text, size_t extra);

/* Each appends: bytes, which may be any, a C string, one byte, or what printf() would print. */
void text_append(struct text *text, const char *bytes, size_t length);
void text_append_string(struct text *text, const char *string);
void text_append_char(struct text *text, char character);
void text_append_format(struct text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* One more item of a list "a, b, c". */
void text_append_item(struct text *text, const char *item);

/* Decimal digits; much faster than text_append_format(). */
void text_append_integer(struct text *text, int64_t value);

/* As printf() with "%.6f" does it, of which most shares are several times faster. */
void text_append_six_decimals(struct text *text, double real);

/* Seconds with nine decimals out of nanoseconds: 1500000000 gives "1.500000000". */
void text_append_seconds(struct text *text, int64_t nanoseconds);

/* Two lower-case hex digits a byte, nothing between. */
void text_append_hex(struct text *text, const void *bytes, size_t length);

/* The bytes in base64, in one line, padded with =. */
void text_append_base64(struct text *text, const void *bytes, size_t length);

/* Bytes from outside, made harmless for one field of one line on a terminal or in a file:
 * TAB, newline and backslash become \t, \n, \\; other control characters (C0, DEL, C1) and
 * bytes that are not valid UTF-8 become \xNN; everything else stays as it is. */
void text_append_escaped(struct text *text, const char *bytes, size_t length);

/* Puts \xNN for each byte of what makes a terminal show the text around it in another order:
 * U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069. */
void text_escape_directions(struct text *text);

/* A word as the shell takes it: as it is, or within single quotes. */
void text_append_word(struct text *text, const char *word);

/* Length in bytes (1 to 4) of the valid UTF-8 sequence at `bytes`, 0 when it is not valid
 * (overlong forms, surrogates and values above U+10FFFF are not). `*code_point` is set
 * when the result is not 0. `length` is how many bytes there are. */
size_t utf8_sequence(const char *bytes, size_t length, uint32_t *code_point);

#endif
