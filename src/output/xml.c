#include "output/xml.h"

#include <stdint.h>

/* No characters by XML, and those that make a browser show what follows in another order. */
static bool is_forbidden(uint32_t code_point) {
    return code_point == 0xFFFE || code_point == 0xFFFF ||
           (code_point >= 0x202A && code_point <= 0x202E) ||
           (code_point >= 0x2066 && code_point <= 0x2069);
}

static void append_character(struct text *out, const char *bytes, size_t size,
                             uint32_t code_point) {
    if (is_forbidden(code_point)) {
        text_append_format(out, "\\u%04x", (unsigned)code_point);
        return;
    }
    switch (code_point) {
    case '&':
        text_append_string(out, "&amp;");
        break;
    case '<':
        text_append_string(out, "&lt;");
        break;
    case '>':
        text_append_string(out, "&gt;");
        break;
    default:
        text_append(out, bytes, size);
    }
}

void xml_append(struct text *out, const char *bytes, size_t length) {
    for (size_t at = 0; at < length;) {
        uint32_t code_point = 0;
        size_t size = utf8_sequence(bytes + at, length - at, &code_point);

        if (size == 0) {
            size = 1;
            code_point = (unsigned char)bytes[at];
        }
        append_character(out, bytes + at, size, code_point);
        at += size;
    }
}
