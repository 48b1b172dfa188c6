#include "output/json.h"

static const char *short_escape(uint32_t character) {
    switch (character) {
    case '"':
        return "\\\"";
    case '\\':
        return "\\\\";
    case '\n':
        return "\\n";
    case '\r':
        return "\\r";
    case '\t':
        return "\\t";
    default:
        return NULL;
    }
}

/* Appends what stands at `bytes` and returns how much of it was taken. */
static size_t append_character(struct text *out, const char *bytes, size_t length) {
    uint32_t character = 0;
    size_t size = utf8_sequence(bytes, length, &character);
    const char *escape = size == 1 ? short_escape(character) : NULL;

    if (size == 0) {
        text_append_format(out, "\\\\x%02x", (unsigned char)bytes[0]);
        return 1;
    }
    if (escape != NULL) {
        text_append_string(out, escape);
    } else if (character < 0x20 || (character >= 0x7F && character < 0xA0)) {
        text_append_format(out, "\\u%04x", (unsigned)character);
    } else {
        text_append(out, bytes, size);
    }
    return size;
}

static bool is_plain(char character) {
    unsigned char byte = (unsigned char)character;

    return byte >= 0x20 && byte < 0x7F && byte != '"' && byte != '\\';
}

void json_append_string(struct text *out, const char *bytes, size_t length) {
    size_t i = 0;

    text_append_char(out, '"');
    while (i < length) {
        size_t run = i;

        while (run < length && is_plain(bytes[run])) {
            run++;
        }
        text_append(out, bytes + i, run - i);
        i = run;
        if (i < length) {
            i += append_character(out, bytes + i, length - i);
        }
    }
    text_append_char(out, '"');
}
