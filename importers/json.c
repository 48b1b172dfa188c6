#include "json.h"

#include <string.h>

/* --- finding the end of an object or array ---------------------------------------------------- */

/* Enters an object or array. Returns false if a key is expected there, or nesting is too deep. */
static bool open_level(struct json_scan *scan, bool object) {
    bool in_object = scan->depth > 0 && (scan->objects >> (scan->depth - 1) & 1) != 0;

    if (scan->depth == JSON_DEPTH || (in_object && scan->before != ':')) {
        return false;
    }
    scan->objects &= ~(UINT64_C(1) << scan->depth);
    scan->objects |= (uint64_t)object << scan->depth;
    scan->depth++;
    return true;
}

static bool close_level(struct json_scan *scan, bool object) {
    if (scan->depth == 0 || (scan->objects >> (scan->depth - 1) & 1) != object) {
        return false;
    }
    scan->depth--;
    return true;
}

static bool accept_byte(struct json_scan *scan, char byte) {
    bool good = true;

    if (scan->string) {
        if (scan->escaped) {
            scan->escaped = false;
        } else if (byte == '\\') {
            scan->escaped = true;
        } else if (byte == '"') {
            scan->string = false;
            scan->before = '"';
        }
        return byte != '\n';
    }
    if (word_is_blank(byte) || byte == '\n') {
        return true;
    }
    if (byte == '{' || byte == '[') {
        good = open_level(scan, byte == '{');
    } else if (byte == '}' || byte == ']') {
        good = close_level(scan, byte == '}');
    } else if (byte == '"') {
        scan->string = true;
    }
    scan->before = byte;
    return good;
}

enum json_state json_scan(struct json_scan *scan, const char *bytes, size_t length) {
    while (scan->at < length) {
        if (!accept_byte(scan, bytes[scan->at])) {
            return JSON_BAD;
        }
        scan->at++;
        if (scan->depth == 0) {
            return JSON_END;
        }
    }
    return JSON_MORE;
}

/* --- members of an object --------------------------------------------------------------------- */

static void json_skip_blanks(struct word *rest) {
    while (rest->length > 0 && (word_is_blank(*rest->bytes) || *rest->bytes == '\n')) {
        word_skip(rest, 1);
    }
}

/* Returns the length of the quoted string at the start of a text; 0 if there is none. */
static size_t string_length(struct word rest) {
    for (size_t i = 1; i < rest.length; i++) {
        if (rest.bytes[i] == '"') {
            return i + 1;
        }
        i += rest.bytes[i] == '\\';
    }
    return 0;
}

static size_t json_value_length(struct word rest) {
    struct json_scan scan = {0};
    size_t length = 0;

    if (rest.length > 0 && *rest.bytes == '"') {
        return string_length(rest);
    }
    if (rest.length > 0 && (*rest.bytes == '{' || *rest.bytes == '[')) {
        return json_scan(&scan, rest.bytes, rest.length) == JSON_END ? scan.at : 0;
    }
    while (length < rest.length && rest.bytes[length] != ',' && rest.bytes[length] != '\n' &&
           !word_is_blank(rest.bytes[length])) {
        length++;
    }
    return length;
}

bool json_member(struct word *rest, struct word *key, struct word *value) {
    size_t length;

    json_skip_blanks(rest);
    if (word_peek(rest) == ',') {
        word_skip(rest, 1);
        json_skip_blanks(rest);
    }
    length = word_peek(rest) == '"' ? string_length(*rest) : 0;
    if (length == 0) {
        return false;
    }
    *key = (struct word){rest->bytes + 1, length - 2};
    word_skip(rest, length);
    json_skip_blanks(rest);
    if (word_peek(rest) != ':') {
        return false;
    }
    word_skip(rest, 1);
    json_skip_blanks(rest);
    *value = (struct word){rest->bytes, json_value_length(*rest)};
    word_skip(rest, value->length);
    return value->length > 0;
}

bool json_object(struct word value, struct word *inside) {
    bool is = value.length >= 2 && *value.bytes == '{';

    *inside = is ? (struct word){value.bytes + 1, value.length - 2} : (struct word){"", 0};
    return is;
}

/* --- text of strings -------------------------------------------------------------------------- */

/* Consumes the four digits of \uXXXX. False if they are no hexadecimal digits. */
static bool cut_unit(struct word *rest, uint64_t *unit) {
    struct word digits = {rest->bytes, 4};

    if (rest->length < 4 || !word_hex(digits, UINT16_MAX, unit)) {
        return false;
    }
    word_skip(rest, 4);
    return true;
}

/* Appends the character of \uXXXX. Two surrogates are one character; a single one becomes
 * U+FFFD. */
static void json_append_unit(struct word *rest, struct text *text) {
    struct word ahead;
    uint64_t unit, second;

    if (!cut_unit(rest, &unit)) {
        text_append_string(text, "\\u");
        return;
    }
    ahead = *rest;
    if (unit >= 0xD800 && unit < 0xDC00 && word_accept(&ahead, "\\u") &&
        cut_unit(&ahead, &second) && second >= 0xDC00 && second < 0xE000) {
        unit = 0x10000 + ((unit - 0xD800) << 10) + (second - 0xDC00);
        *rest = ahead;
    }
    text_append_utf8(text, (uint32_t)unit);
}

void json_append_text(struct word value, struct text *text) {
    static const char letters[] = "bfnrt", bytes[] = "\b\f\n\r\t";
    struct word rest = value;

    if (word_peek(&value) != '"' || value.length < 2) {
        text_append(text, value.bytes, value.length);
        return;
    }
    rest = (struct word){value.bytes + 1, value.length - 2};
    while (rest.length > 0) {
        const char *letter;
        char byte = *rest.bytes;

        word_skip(&rest, 1);
        if (byte != '\\' || rest.length == 0) {
            text_append_char(text, byte);
            continue;
        }
        byte = *rest.bytes;
        word_skip(&rest, 1);
        letter = byte == '\0' ? NULL : strchr(letters, byte);
        if (byte == 'u') {
            json_append_unit(&rest, text);
        } else {
            text_append_char(text, letter == NULL ? byte : bytes[letter - letters]);
        }
    }
}

/* --- numbers ---------------------------------------------------------------------------------- */

bool json_number(struct word value, int scale, int64_t most, int64_t *number) {
    enum { MOST_POWER = 1000 };
    bool negative, rounded;

    if (value.length >= 2 && *value.bytes == '"') {
        value = (struct word){value.bytes + 1, value.length - 2};
    }
    negative = value.length > 0 && *value.bytes == '-';
    if (negative) {
        word_skip(&value, 1);
    }
    if (!word_decimal(value, scale, MOST_POWER, most, number, &rounded)) {
        return false;
    }
    *number = negative ? -*number : *number;
    return true;
}
