#include "ftrace_fields.h"

#include <string.h>

#include "block_text.h"

bool ftrace_field(struct word rest, const char *key, struct word *value) {
    size_t length = strlen(key);
    const char *at, *begin = rest.bytes;

    while ((at = memmem(rest.bytes, rest.length, key, length)) != NULL) {
        word_skip(&rest, (size_t)(at - rest.bytes) + length);
        if ((at == begin || at[-1] == ' ') && rest.length > 0 && *rest.bytes == ' ') {
            *value = rest;
            word_accept(value, "=");
            return true;
        }
    }
    return false;
}

bool ftrace_field_number(struct word rest, const char *key, int64_t least, int64_t most,
                         int64_t *number) {
    struct word value, word;
    uint64_t bits;

    if (!ftrace_field(rest, key, &value)) {
        return true;
    }
    word = word_next(&value);
    if (word_ends(word, ",")) {
        word.length--;
    }
    if (word_begins(word, "0x")) {
        bool good = word_hex(word, (uint64_t)most, &bits);

        *number = (int64_t)bits;
        return good;
    }
    return word_signed(word, least, most, number);
}

bool ftrace_field_device(struct word rest, int64_t *device) {
    struct word value;

    if (!ftrace_field(rest, "dev", &value)) {
        return false;
    }
    word_accept(&value, "(");
    return block_text_device(&value, device);
}
