/* Encodes a row's values as bytes: equal bytes mean equal values. */
#ifndef TRACETOOL_ROW_KEY_H
#define TRACETOOL_ROW_KEY_H

#include "base/text.h"
#include "output/printer.h"

/* Appends a value in a prefix-free encoding. */
static inline void row_key_append(struct text *key, const struct value *value) {
    text_append_format(key, "%d ", (int)value->type);
    if (value->type == VALUE_TEXT || value->type == VALUE_BLOB) {
        text_append_format(key, "%zu ", value->length);
        text_append(key, value->bytes, value->length);
    } else if (value->type == VALUE_INTEGER) {
        text_append_integer(key, value->integer);
    } else if (value->type == VALUE_REAL) {
        text_append_format(key, "%.17g", value->real);
    }
    text_append_char(key, ' ');
}

#endif
