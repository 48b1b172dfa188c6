#include "syscalls.h"

#include <stdio.h>

#include "model/linux.h"
#include "model/thread.h"

const struct event_meaning syscalls_meanings[] = {
    {EVENT_PLACE_DURATION, "", "call", "clock"},
    {EVENT_PLACE_ACTOR, "", "thread", ""},
    {EVENT_PLACE_OBJECT, "", "file", ""},
    {EVENT_PLACE_ADDRESS, "", "offset", "bytes"},
    {EVENT_PLACE_SIZE, "", "transfer", "bytes"},
    {EVENT_PLACE_VALUE, "", "result", ""},
    {EVENT_PLACE_ARGUMENTS, "", "text", ""},
    {EVENT_PLACE_ERROR, "", "error", ""},
    {EVENT_PLACE_SOURCE, "", "file", ""},
    {EVENT_PLACE_SOURCE_ADDRESS, "", "offset", "bytes"},
    {0},
};

bool syscalls_is_on_lock(struct word name) {
    return word_begins(name, "futex") && !word_is(name, "futex_waitv") &&
           !word_is(name, "futex_requeue");
}

uint32_t syscalls_error_id(struct import *import, int64_t number, struct word name) {
    const char *known = linux_error_name(number);
    char unnamed[32];
    int64_t code;

    if (known != NULL) {
        name = word_of(known);
    } else if (number != EVENT_NONE) {
        snprintf(unnamed, sizeof unnamed, "ERRNO_%lld", (long long)number);
        name = word_of(unnamed);
    } else if (name.length == 0) {
        return 0;
    }
    code = linux_error_number(name);
    code = code == EVENT_NONE ? number : code;
    return import_name(import, &(struct name_entry){"error", code, name.bytes, name.length, 0});
}

/* Decodes a number of up to `most` digits at the start of a word; returns how many it has. */
static size_t decode_digits(struct word word, size_t most, unsigned base, unsigned *number) {
    size_t count = 0;

    *number = 0;
    while (count < most && count < word.length && word_hex_digit(word.bytes[count]) < base) {
        *number = *number * base + word_hex_digit(word.bytes[count++]);
    }
    return count;
}

size_t syscalls_decode_escape(struct word word, unsigned char *byte) {
    static const char letters[] = "\"\\nrtvfabe", meant[] = "\"\\\n\r\t\v\f\a\b\033";
    const char *found;
    size_t digits, before = 1;
    unsigned number;

    if (word.length < 2) {
        return 0;
    }
    word_skip(&word, 1);
    found = *word.bytes == '\0' ? NULL : strchr(letters, *word.bytes);
    if (found != NULL) {
        *byte = (unsigned char)meant[found - letters];
        return 2;
    }
    if (*word.bytes == 'x') {
        word_skip(&word, 1);
        before = 2;
        digits = decode_digits(word, 2, 16, &number);
    } else {
        digits = decode_digits(word, 3, 8, &number);
    }
    *byte = (unsigned char)number;
    return digits == 0 || number > UINT8_MAX ? 0 : before + digits;
}

bool syscalls_cut_quoted(struct word *rest, struct word *inside, bool *has_nul) {
    struct word left = *rest;

    *has_nul = false;
    word_skip(&left, 1);
    *inside = left;
    while (left.length > 0 && *left.bytes != '"') {
        unsigned char byte = (unsigned char)*left.bytes;
        size_t length = byte == '\\' ? syscalls_decode_escape(left, &byte) : 1;

        if (length == 0) {
            return false;
        }
        *has_nul = *has_nul || byte == '\0';
        word_skip(&left, length);
    }
    if (left.length == 0) {
        return false;
    }
    inside->length -= left.length;
    word_skip(&left, 1);
    *rest = left;
    return true;
}

void syscalls_unquote(struct word inside, struct text *text) {
    while (inside.length > 0) {
        const char *backslash = memchr(inside.bytes, '\\', inside.length);
        size_t plain = backslash == NULL ? inside.length : (size_t)(backslash - inside.bytes);
        unsigned char byte = '\\';
        size_t length;

        text_append(text, inside.bytes, plain);
        word_skip(&inside, plain);
        if (inside.length > 0) {
            length = syscalls_decode_escape(inside, &byte);
            word_skip(&inside, length == 0 ? 1 : length);
            text_append_char(text, (char)byte);
        }
    }
}

void syscalls_append_replacing(struct text *text, struct word string, char byte, const char *as) {
    while (string.length > 0) {
        const char *found = memchr(string.bytes, byte, string.length);
        size_t length = found == NULL ? string.length : (size_t)(found - string.bytes);

        text_append_escaped(text, string.bytes, length);
        text_append_string(text, found == NULL ? "" : as);
        word_skip(&string, length + (found != NULL));
    }
}

void syscalls_append_quoted(struct text *text, struct word string) {
    text_append_char(text, '"');
    syscalls_append_replacing(text, string, '"', "\\\"");
    text_append_char(text, '"');
}

void dump_number(struct text *text, const char *before, int64_t number) {
    if (number != EVENT_NONE) {
        text_append_string(text, before);
        text_append_integer(text, number);
    }
}

void dump_bytes(struct text *text, const char *before, const char *bytes, size_t length) {
    if (length > 0) {
        text_append_string(text, before);
        text_append_escaped(text, bytes, length);
    }
}

void dump_time(struct text *text, const struct dump_event *dump, int64_t time) {
    if (dump->in_units) {
        dump_number(text, "", time);
    } else {
        text_append_seconds(text, time);
    }
}

void dump_duration(struct text *text, const struct dump_event *dump) {
    if (dump->event.duration != EVENT_NONE) {
        text_append_string(text, " <");
        dump_time(text, dump, dump->event.duration);
        text_append_char(text, '>');
    }
}

void dump_call(struct text *text, const struct dump_event *dump) {
    text_append_char(text, '[');
    thread_label_append(text, dump->pid, dump->tid, dump->actor, dump->actor_length,
                        text_append_escaped);
    text_append_string(text, "] ");
    text_append_escaped(text, dump->operation, dump->operation_length);
    text_append_char(text, '(');
}
