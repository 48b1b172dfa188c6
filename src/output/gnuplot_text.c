/* Escapes texts for gnuplot scripts. printer_gnuplot.c explains what is escaped and why. */
#include "output/plot.h"

#include <stdbool.h>
#include <string.h>

#include "input/word.h"
#include "output/plot_look.h"

static void append_octal(struct text *out, char character) {
    const unsigned char byte = (unsigned char)character;
    const char octal[4] = {'\\', (char)('0' + (byte >> 6)), (char)('0' + (byte >> 3 & 7)),
                           (char)('0' + (byte & 7))};

    text_append(out, octal, sizeof octal);
}

static bool gnuplot_text_is_letter(char character) {
    return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
           (unsigned char)character >= 0x80;
}

static bool gnuplot_text_is_special(const char *start, const char *at, enum gnuplot_place place) {
    if (place != GNUPLOT_TITLE && *at == 'e' && at - start >= 2 && at[-1] == 'h' && at[-2] == 's') {
        return true;
    }
    switch (place) {
    case GNUPLOT_FIELD:
    case GNUPLOT_TEX_FIELD:
        return !gnuplot_text_is_letter(*at) && !word_is_digit(*at) &&
               strchr("\\_./:-<>,;%", *at) == NULL;
    case GNUPLOT_COMMENT:
        return strchr("\"'`#@$!=_[]{}", *at) != NULL;
    default:
        return strchr("\"'`#@$", *at) != NULL || (*at == ' ' && at == start);
    }
}

/* Returns whether the text is a number, date or time. Such a text is not escaped, so that plots can
 * use its value. */
static bool begins_no_command(const char *plain, size_t length) {
    return (word_is_digit(*plain) || *plain == '-') &&
           strspn(plain, "0123456789+-.:/ TZ") == length;
}

static bool gnuplot_text_is_continuation(char byte) {
    return ((unsigned char)byte & 0xC0) == 0x80;
}

/* Returns the length in bytes of the first UTF-8 character; 0 if the text is empty. */
static size_t first_character_length(const char *plain, size_t length) {
    size_t size = length > 0;

    while (size < length && gnuplot_text_is_continuation(plain[size])) {
        size++;
    }
    return size;
}

/* Returns the position of the last UTF-8 character. */
static size_t last_character_position(const char *plain, size_t length) {
    size_t at = length > 0 ? length - 1 : 0;

    while (at > 0 && gnuplot_text_is_continuation(plain[at])) {
        at--;
    }
    return at;
}

/* gnuplot would read a digit after an octal escape as part of it, so such digits are escaped as
 * octal, too. */
void gnuplot_append(struct text *out, const char *plain, size_t length, enum gnuplot_place place) {
    const bool is_field = place == GNUPLOT_FIELD || place == GNUPLOT_TEX_FIELD;
    const size_t first = is_field ? first_character_length(plain, length) : 0;
    const size_t last = is_field ? last_character_position(plain, length) : length;
    bool after_octal = false;

    if (is_field && begins_no_command(plain, length)) {
        text_append(out, plain, length);
        return;
    }
    for (size_t i = 0; i < length; i++) {
        const char *at = plain + i;

        if (place == GNUPLOT_TEX_FIELD && (*at == '[' || *at == '{')) {
            /* Appends the private use character for `[` or `{` (PLOT_TEX_PRIVATE), in UTF-8. */
            char character = *at;
            const unsigned code = PLOT_TEX_PRIVATE + (unsigned char)character;

            append_octal(out, (char)(0xE0 | code >> 12));
            append_octal(out, (char)(0x80 | (code >> 6 & 0x3F)));
            append_octal(out, (char)(0x80 | (code & 0x3F)));
            after_octal = true;
            continue;
        }
        if (i < first || i >= last || gnuplot_text_is_special(plain, at, place) ||
            (word_is_digit(*at) && after_octal)) {
            append_octal(out, *at);
            after_octal = true;
            continue;
        }
        text_append_string(out, *at == '\\' && place != GNUPLOT_COMMENT ? "\\" : "");
        text_append_char(out, *at);
        after_octal = false;
    }
}

void gnuplot_append_file(struct text *out, const char *path) {
    bool after_octal = false;

    text_append_string(out, path[0] == '/' ? "\"" : "\"./");
    for (const char *at = path; *at != '\0'; at++) {
        const bool is_octal = (unsigned char)*at < ' ' || *at == 0x7f ||
                              strchr("\"'`#@$\\", *at) != NULL ||
                              (word_is_digit(*at) && after_octal);

        if (is_octal) {
            append_octal(out, *at);
        } else {
            text_append_char(out, *at);
        }
        after_octal = is_octal;
    }
    text_append_char(out, '"');
}
