/* A growing buffer for text. It may contain any bytes, including NUL. Zeroed: empty. After the
 * first append, a NUL follows the text in `bytes`. */
#ifndef TRACETOOL_TEXT_H
#define TRACETOOL_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text {
    char *bytes;     /* owned; NULL before the first append */
    size_t length;   /* number of bytes, without the NUL after them */
    size_t capacity; /* number of bytes allocated */
};

/* Frees the memory; the text is then empty. */
void text_free(struct text *text);

/* Makes the text empty without freeing its memory. */
void text_clear(struct text *text);

/* Returns the text as a string, "" if it is empty. The text owns the string. */
const char *text_string(const struct text *text);

/* Ensures space for `extra` bytes at the end, and returns its address. The caller writes up to
 * `extra` bytes there, and adds their number to `length`. */
char *text_reserve(struct text *text, size_t extra);

/* Append bytes of any value; a string; a character; the output of printf(). */
void text_append(struct text *text, const char *bytes, size_t length);
void text_append_string(struct text *text, const char *string);
void text_append_char(struct text *text, char character);
void text_append_format(struct text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Appends the output of printf() for `count`, with words that depend on it: {one|more} becomes
 * `one` if the count is 1, else `more`; {s} means {|s}. Example: "%lld event{s} {was|were} lost".
 * Braces in the output of % are not changed. */
void text_append_plural(struct text *text, const char *format, int64_t count);

/* Appends an item to a list "a, b, c": puts ", " before it unless it is the first. */
void text_append_item(struct text *text, const char *item);

/* Appends a number in decimal digits; much faster than text_append_format(). */
void text_append_integer(struct text *text, int64_t value);

/* Appends the output of printf("%.6f"), several times as fast for most shares. 0 has no sign. */
void text_append_six_decimals(struct text *text, double real);

/* Appends nanoseconds as seconds with nine decimals: 1500000000 becomes "1.500000000". */
void text_append_seconds(struct text *text, int64_t nanoseconds);

/* Appends bytes as two lower-case hex digits each, with nothing in between. */
void text_append_hex(struct text *text, const void *bytes, size_t length);

/* Appends untrusted bytes, escaped so that they are one field on one line, in a file or terminal.
 * TAB, newline and backslash become \t,
 * , \\; other control characters (C0, DEL, C1) and bytes that are not UTF-8 become \xNN. */
void text_append_escaped(struct text *text, const char *bytes, size_t length);

/* Replaces characters that change the order of text on a terminal by \xNN for each of their bytes:
 * U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069. */
void text_escape_bidi(struct text *text);

/* Appends a word quoted for a shell: in single quotes if needed, or as $'…' if it has bytes that
 * must not be sent to a terminal. */
void text_append_word(struct text *text, const char *word);

/* Appends a character, given by its code point, as UTF-8; U+FFFD for a surrogate or > U+10FFFF. */
void text_append_utf8(struct text *text, uint32_t code);

/* Returns the number of bytes (1 to 4) of the UTF-8 character at `bytes`, and sets `*code_point`.
 * Returns 0 if invalid: overlong, a surrogate, above U+10FFFF, longer than `length`. */
size_t utf8_sequence(const char *bytes, size_t length, uint32_t *code_point);

#endif
