#include "output/latex_text.h"

#include <inttypes.h>
#include <string.h>

/* Returns the replacement of a character; NULL: itself. `"` is a command in some languages; `[` and
 * `*` are options after the end of a row. */
static const char *sign_of(uint32_t character) {
    static const struct {
        uint32_t character;
        const char *sign;
    } signs[] = {
        {'\\', "\\textbackslash{}"},
        {'{', "\\{"},
        {'}', "\\}"},
        {'$', "\\$"},
        {'&', "\\&"},
        {'#', "\\#"},
        {'%', "\\%"},
        {'_', "\\_"},
        {'^', "\\textasciicircum{}"},
        {'~', "\\textasciitilde{}"},
        {'<', "\\textless{}"},
        {'>', "\\textgreater{}"},
        {'|', "\\textbar{}"},
        {'"', "\\char34{}"},
        {'`', "\\textasciigrave{}"},
        {'[', "{[}"},
        {']', "{]}"},
        {'*', "{*}"},
        {0xa0, "~"},
        {0xad, "\\-"},
        {0xb5, "\\ensuremath{\\mu}"},
        {0xd7, "\\ensuremath{\\times}"},
        {0x2013, "\\textendash{}"},
        {0x2014, "\\textemdash{}"},
        {0x2026, "\\dots{}"},
        {0x3bc, "\\ensuremath{\\mu}"},
    };

    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        if (signs[i].character == character) {
            return signs[i].sign;
        }
    }
    return NULL;
}

#define LAST_LATIN_LETTER 0x17f

void latex_append(struct text *out, const char *plain, size_t length) {
    for (size_t at = 0; at < length;) {
        uint32_t character = 0;
        size_t size = utf8_sequence(plain + at, length - at, &character);
        const char *sign = sign_of(character);

        if (sign != NULL) {
            text_append_string(out, sign);
        } else if (character <= LAST_LATIN_LETTER) {
            text_append(out, plain + at, size);
        } else {
            text_append_format(out, "{[}U+%04" PRIX32 "{]}", character);
        }
        /* Two of these form another character. */
        if (at + 1 < length && plain[at + 1] == plain[at] && strchr("-,'", plain[at]) != NULL) {
            text_append_string(out, "{}");
        }
        at += size > 0 ? size : 1;
    }
}
