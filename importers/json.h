/* JSON in logs (RFC 8259): the end of an object, its members, strings and numbers. Only
 * json_append_text() allocates memory. Depth is limited, and nothing recurses. */
#ifndef TRACETOOL_JSON_H
#define TRACETOOL_JSON_H

#include "base/text.h"
#include "input/word.h"

/* Maximum depth of nested objects and arrays. */
#define JSON_DEPTH 64

/* State of searching the end of an object or array. Initialise with zeros. */
struct json_scan {
    size_t at;        /* offset up to which the bytes were scanned */
    uint64_t objects; /* a bit per level of nesting: 1 for an object, 0 for an array */
    unsigned depth;
    bool string, escaped;
    char before; /* last byte outside of strings that is not a blank */
};

enum json_state {
    JSON_MORE, /* more bytes are needed */
    JSON_END,  /* the object or array ends just before the offset `at` */
    JSON_BAD,  /* invalid: the byte at offset `at` is not allowed there */
};

/* Continues the search in an object or array, `length` bytes of which are available now. */
enum json_state json_scan(struct json_scan *scan, const char *bytes, size_t length);

/* Consumes the next member of an object from the text inside its braces: the key without quotes,
 * and the raw value. False if there is none or it is malformed. */
bool json_member(struct word *rest, struct word *key, struct word *value);

/* Returns the text between the braces of an object. False if the value is not an object. */
bool json_object(struct word value, struct word *inside);

/* Appends the text of a string value, as UTF-8; appends any other value as it is. */
void json_append_text(struct word value, struct text *text);

/* Parses a number, quoted or not, times 10^scale and rounded to the nearest integer. False if it is
 * not a number or not within ±`most`. */
bool json_number(struct word value, int scale, int64_t most, int64_t *number);

#endif
