/* A growing string. A zeroed struct is an empty text. It may hold any bytes, NUL included; `bytes`
 * is NUL-terminated after the first append.
 */
#ifndef TRACETOOL_TEXT_H
#define TRACETOOL_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text {
    char *bytes;     /* owned; NULL before the first append */
    size_t length;   /* bytes of the text, without the terminating NUL */
    size_t capacity; /* bytes allocated */
};

/* Frees the bytes and empties the text. */
void text_free(struct text *text);

/* Empties the text but keeps its memory. */
void text_clear(struct text *text);

/* Returns the content as a C string, "" for an empty text. Owned by the text. */
const char *text_string(const struct text *text);

/* Makes room for `extra` more bytes and returns where they go. The caller writes up to `extra`
 * bytes there and adds their number to `length`. */
char *text_reserve(struct text *text, size_t extra);

/* Append bytes (any values), a C string, one byte, or a printf() format. */
void text_append(struct text *text, const char *bytes, size_t length);
void text_append_string(struct text *text, const char *string);
void text_append_char(struct text *text, char character);
void text_append_format(struct text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Appends a printf() format with words for a count: {one|more} becomes `one` if the count is 1,
 * else `more`. {s} is short for {|s}. "%lld event{s} {was|were} lost". What is printed may have any
 * braces. */
void text_append_form(struct text *text, const char *format, int64_t count);

/* Appends an item to a list "a, b, c". */
void text_append_item(struct text *text, const char *item);

/* Appends decimal digits; much faster than text_append_format(). */
void text_append_integer(struct text *text, int64_t value);

/* Appends like printf()'s "%.6f", but several times faster for most shares, and 0 without a sign.
 */
void text_append_six_decimals(struct text *text, double real);

/* Appends nanoseconds as seconds with nine decimals: 1500000000 gives "1.500000000". */
void text_append_seconds(struct text *text, int64_t nanoseconds);

/* Appends two lower-case hex digits per byte, without separators. */
void text_append_hex(struct text *text, const void *bytes, size_t length);

/* Appends untrusted bytes, escaped to one field on one line of a terminal or file. TAB, newline and
 * backslash become \t, \n, \\. Other control characters (C0, DEL, C1) and bytes that are not valid
 * UTF-8 become \xNN. */
void text_append_escaped(struct text *text, const char *bytes, size_t length);

/* Replaces each byte of characters that reorder text on a terminal by \xNN: U+061C, U+200E, U+200F,
 * U+202A to U+202E, U+2066 to U+2069. */
void text_escape_directions(struct text *text);

/* Appends a word for a shell, in single quotes if needed; as $'…' if it has bytes that a terminal
 * may not get. */
void text_append_word(struct text *text, const char *word);

/* Appends a code point as UTF-8; U+FFFD for a surrogate or a value above U+10FFFF. */
void text_append_utf8(struct text *text, uint32_t code);

/* Returns the length in bytes (1 to 4) of the valid UTF-8 sequence at `bytes`. 0 if it is invalid:
 * overlong forms, surrogates, values above U+10FFFF. Sets `*code_point` if the result is not 0.
 * `length` bytes are available. */
size_t utf8_sequence(const char *bytes, size_t length, uint32_t *code_point);

#endif
