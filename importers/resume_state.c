#include "resume_state.h"

#include <inttypes.h>

#include "input/word.h"

/* All 64 bits, of which word_number() knows 63. */
static bool parse_unsigned(struct word word, int64_t *number) {
    struct word last = {word.bytes + word.length - 1, 1};
    uint64_t whole = 0;
    int64_t tens = 0, ones;

    if (word.length == 0 || !word_number(last, 9, &ones) ||
        (word.length > 1 && !word_number((struct word){word.bytes, word.length - 1},
                                         (int64_t)(UINT64_MAX / 10), &tens)) ||
        __builtin_add_overflow((uint64_t)tens * 10, (uint64_t)ones, &whole)) {
        return false;
    }
    *number = (int64_t)whole;
    return true;
}

bool resume_state_parse(const char *text, const struct resume_value *values, size_t count) {
    struct word rest = word_of(text);

    for (size_t i = 0; i < count; i++) {
        struct word key = word_next(&rest), number = word_next(&rest);

        if (!word_is(key, values[i].key) ||
            !(values[i].is_unsigned
                  ? parse_unsigned(number, values[i].number)
                  : word_signed(number, values[i].least, values[i].most, values[i].number))) {
            return false;
        }
    }
    return rest.length == 0;
}

void resume_state_format(struct text *text, const struct resume_value *values, size_t count) {
    for (size_t i = 0; i < count; i++) {
        text_append_format(text, "%s%s ", i == 0 ? "" : " ", values[i].key);
        if (values[i].is_unsigned) {
            text_append_format(text, "%" PRIu64, (uint64_t)*values[i].number);
        } else {
            text_append_integer(text, *values[i].number);
        }
    }
}

bool resume_state_read(const struct import *import, const struct resume_value *values, size_t count,
                       bool *goes_on, struct error *error) {
    const char *text = import_kept(import);

    *goes_on = text != NULL;
    return text == NULL || resume_state_parse(text, values, count) ||
           error_set(error, "what was kept to go on with the trace is damaged: %s", text);
}

bool resume_state_write(struct import *import, const struct resume_value *values, size_t count,
                        struct error *error) {
    struct text text = {0};
    bool done;

    resume_state_format(&text, values, count);
    done = import_keep(import, text_string(&text), error);
    text_free(&text);
    return done;
}
