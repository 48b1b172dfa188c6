#include "strace_join.h"

void strace_held_free(struct strace_held *held) {
    text_free(&held->text);
    text_free(&held->joined);
}

/* Where a note such as "strace: Process 30 attached" begins at the end of a line; its length where
 * there is none. */
static size_t find_note(struct word line, int64_t *process) {
    static const char attached[] = " attached", named[] = "strace: ", begin[] = "Process ";
    struct word rest = line;
    size_t at;

    *process = EVENT_NONE;
    if (!word_ends(line, attached)) {
        return line.length;
    }
    at = line.length - (sizeof attached - 1);
    while (at > 0 && word_is_digit(line.bytes[at - 1])) {
        at--;
    }
    word_skip(&rest, at);
    if (!word_next_number(&rest, INT32_MAX, process) ||
        !word_ends((struct word){line.bytes, at}, begin)) {
        *process = EVENT_NONE;
        return line.length;
    }
    at -= sizeof begin - 1;
    return word_ends((struct word){line.bytes, at}, named) ? at - (sizeof named - 1) : at;
}

bool strace_hold(struct strace_held *held, struct word line, int64_t offset, int64_t bytes,
                 int64_t *attached) {
    size_t length = find_note(line, attached);

    held->is = true;
    held->noted = *attached != EVENT_NONE;
    held->offset = offset;
    held->bytes = bytes;
    text_clear(&held->text);
    text_append(&held->text, line.bytes, length);
    return !held->text.failed;
}

/* Whether a line can go on with a call: what strace prints there. */
static bool goes_on(struct word rest) {
    return word_begins(rest, ")") || word_begins(rest, ", ") || word_begins(rest, " <unfinished") ||
           word_begins(rest, " => ");
}

/* Cuts off what the program has printed behind a number: write(1, "a\n", 2a */
static void cut_output(struct text *text) {
    struct word left = {text->bytes, text->length}, arguments[STRACE_ARGUMENTS], rest;
    const char *open = memchr(text->bytes, '(', text->length);
    int64_t number;
    size_t count;

    if (open == NULL) {
        return;
    }
    word_skip(&left, (size_t)(open + 1 - text->bytes));
    count = strace_split(left, arguments);
    for (size_t i = 0; i < count; i++) {
        if (strace_number(arguments[i], &number, &rest) && rest.length > 0 && *rest.bytes != '<' &&
            *rest.bytes != ' ') {
            text->length = (size_t)(rest.bytes - text->bytes);
            return;
        }
    }
}

bool strace_join(struct strace_held *held, struct word rest, struct strace_line *parsed,
                 bool *memory) {
    *memory = true;
    if (!held->noted && !goes_on(rest)) {
        return false;
    }
    if (!held->noted && held->text.length > 0) {
        cut_output(&held->text);
    }
    text_clear(&held->joined);
    text_append(&held->joined, held->text.bytes, held->text.length);
    text_append(&held->joined, rest.bytes, rest.length);
    *memory = !held->joined.failed;
    if (!*memory ||
        strace_parse((struct word){held->joined.bytes, held->joined.length}, parsed) != NULL ||
        parsed->form == STRACE_CUT) {
        return false;
    }
    held->is = false;
    return true;
}

bool strace_join_resumed(struct strace_held *held, struct word name, struct word rest,
                         struct strace_line *parsed, bool *memory) {
    text_clear(&held->joined);
    text_append_string(&held->joined, "<... ");
    text_append(&held->joined, name.bytes, name.length);
    text_append_string(&held->joined, " resumed>");
    text_append(&held->joined, rest.bytes, rest.length);
    *memory = !held->joined.failed;
    return *memory &&
           strace_parse((struct word){held->joined.bytes, held->joined.length}, parsed) == NULL &&
           parsed->form == STRACE_RESUMED;
}
