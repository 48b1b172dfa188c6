/* JSON of logs (RFC 8259): where an object ends, its members, and what strings and numbers say.
 * Nothing is allocated but by json_text(); depth is limited, not recursive. */
#ifndef TRACETOOL_JSON_H
#define TRACETOOL_JSON_H

#include "base/text.h"
#include "input/word.h"

/* Objects and arrays inside of one another, at most. */
#define JSON_DEPTH 64

/* State of looking for the end of a value; a zeroed one begins. */
struct json_scan {
    size_t at;        /* bytes that are read */
    uint64_t objects; /* a bit a level: it is an object, not an array */
    unsigned depth;
    bool string, escaped;
    char before; /* the last byte that is neither blank nor in a string */
};

enum json_state {
    JSON_MORE, /* the bytes do not suffice */
    JSON_END,  /* the object or array ends before `at` */
    JSON_BAD,  /* it is none: the byte at `at` cannot stand there */
};

/* Goes on with an object or array that begins at `bytes`, of which `length` are there now. */
enum json_state json_scan(struct json_scan *scan, const char *bytes, size_t length);

/* Cuts the next member off what stands within the braces of an object: its key without quotes, and
 * its value as it stands. False: there is none, or it is none. */
bool json_member(struct word *rest, struct word *key, struct word *value);

/* What stands within the braces of an object; false: the value is none. */
bool json_object(struct word value, struct word *inside);

/* Appends what a string says, as UTF-8; of any other value its text. */
void json_text(struct word value, struct text *text);

/* A number, or one in quotes, times 10^scale and rounded to the nearest integer. False: it is none,
 * or not within ±`most`. */
bool json_number(struct word value, int scale, int64_t most, int64_t *number);

#endif
