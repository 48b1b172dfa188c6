#include "strace_head.h"

#include "base/time_unit.h"
#include "model/event.h"
#include "strace_arguments.h"

enum {
    THREAD_DIGITS = 8,  /* of a thread, at most; the kernel's own limit has 7 */
    EPOCH_DIGITS = 11,  /* of seconds since 1970 */
    GROUP_LENGTH = 512, /* of a part of the head in square brackets */
};

#define EPOCH_LEAST INT64_C(100000000) /* seconds; a smaller number is no time since 1970 */

bool strace_skip_colour(struct word *rest) {
    size_t length = 2;

    if (!word_begins(*rest, "\033[")) {
        return false;
    }
    while (length < rest->length &&
           (word_is_digit(rest->bytes[length]) || rest->bytes[length] == ';')) {
        length++;
    }
    word_skip(rest, length < rest->length ? length + 1 : length);
    return true;
}

/* Cuts a fraction off, of up to 9 digits behind a point; none is 0. */
static bool next_fraction(struct word *rest, int64_t *nanoseconds, unsigned *decimals) {
    size_t digits;

    *nanoseconds = 0;
    *decimals = 0;
    if (!word_begins(*rest, ".")) {
        return true;
    }
    word_skip(rest, 1);
    digits = word_digits(*rest);
    if (digits == 0 || digits > STRACE_FRACTION_DIGITS) {
        return false;
    }
    for (size_t i = 0; i < STRACE_FRACTION_DIGITS; i++) {
        *nanoseconds = *nanoseconds * 10 + (i < digits ? rest->bytes[i] - '0' : 0);
    }
    word_skip(rest, digits);
    *decimals = (unsigned)digits;
    return true;
}

/* HH:MM:SS, as far as the fraction. */
static bool next_time_of_day(struct word *rest, int64_t *seconds) {
    int64_t parts[3];

    for (size_t i = 0; i < 3; i++) {
        if (i > 0 && !word_begins(*rest, ":")) {
            return false;
        }
        word_skip(rest, i > 0);
        if (word_digits(*rest) != 2) {
            return false;
        }
        parts[i] = 10 * (rest->bytes[0] - '0') + rest->bytes[1] - '0';
        word_skip(rest, 2);
    }
    *seconds = 3600 * parts[0] + 60 * parts[1] + parts[2];
    return parts[0] < 24 && parts[1] < 60 && parts[2] < 61;
}

/* Cuts off a time, of which the digits before a point or colon are `digits`. */
static bool next_time(struct word *rest, size_t digits, struct strace_head *head) {
    struct word left = *rest;
    enum strace_clock clock;
    int64_t seconds, parts;

    if (left.length > digits && left.bytes[digits] == ':') {
        clock = STRACE_DAY;
        if (!next_time_of_day(&left, &seconds)) {
            return false;
        }
    } else {
        if (digits > EPOCH_DIGITS ||
            !word_number((struct word){left.bytes, digits}, INT64_MAX / SECOND - 1, &seconds)) {
            return false;
        }
        word_skip(&left, digits);
        clock = seconds >= EPOCH_LEAST ? STRACE_EPOCH : STRACE_RELATIVE;
    }
    if (!next_fraction(&left, &parts, &head->decimals) || (left.length > 0 && *left.bytes != ' ')) {
        return false;
    }
    head->clock = clock;
    head->time = seconds * SECOND + parts;
    *rest = left;
    return true;
}

/* Cuts off the command of a thread (-Y), where there is one. */
static void next_command(struct word *rest, struct strace_head *head) {
    if (rest->length > 0 && *rest->bytes == '<') {
        strace_annotation(rest, &head->command);
    }
}

/* Whether a number of so many digits is before another one. Only a thread is, for a time stands
 * directly before the call: so it is a thread in an indented log, too. */
static bool is_before_number(struct word rest, size_t digits) {
    word_skip(&rest, digits);
    rest = word_trim_left(rest);
    return rest.length > 0 && word_is_digit(*rest.bytes);
}

/* Cuts off a number that begins the line, or follows a thread: a thread or a time. */
static bool next_head_number(struct word *rest, bool padded, struct strace_head *head) {
    size_t digits = word_digits(*rest);
    char behind = digits < rest->length ? rest->bytes[digits] : ' ';
    struct word left = *rest;

    padded = padded && behind != '<' && !is_before_number(left, digits);
    if ((behind == ' ' || behind == '<') && digits <= THREAD_DIGITS && !padded &&
        head->thread == EVENT_NONE && head->clock == STRACE_NO_CLOCK) {
        word_number((struct word){left.bytes, digits}, INT64_MAX, &head->thread);
        word_skip(&left, digits);
        next_command(&left, head);
        if (left.length > 0 && *left.bytes != ' ') {
            head->thread = EVENT_NONE;
            return false;
        }
        *rest = left;
        return true;
    }
    return head->clock == STRACE_NO_CLOCK && next_time(rest, digits, head);
}

/* Cuts off [pid 123], and what other flags print in square brackets: number and address of a call,
 * security context. */
static bool next_bracket(struct word *rest, struct strace_head *head) {
    size_t most = rest->length < GROUP_LENGTH ? rest->length : GROUP_LENGTH;
    const char *close = memchr(rest->bytes, ']', most);
    struct word left = *rest;

    if (close == NULL || word_begins(*rest, "[ Process ") || word_begins(*rest, "[stopped ")) {
        return false;
    }
    if (head->thread == EVENT_NONE && word_begins(left, "[pid ")) {
        word_skip(&left, strlen("[pid "));
        if (!word_next_number(&left, INT32_MAX, &head->thread)) {
            return false;
        }
        head->bracketed = true;
        next_command(&left, head);
        close = word_begins(left, "]") ? left.bytes : close;
    }
    word_skip(rest, (size_t)(close - rest->bytes) + 1);
    return true;
}

/* (+     0.000542), behind an absolute time. */
static bool next_difference(struct word *rest) {
    size_t most = rest->length < GROUP_LENGTH ? rest->length : GROUP_LENGTH;
    const char *close = memchr(rest->bytes, ')', most);

    if (close == NULL || !word_begins(*rest, "(+")) {
        return false;
    }
    word_skip(rest, (size_t)(close - rest->bytes) + 1);
    return true;
}

void strace_parse_head(struct word *rest, struct strace_head *head) {
    bool more = true;

    *head = (struct strace_head){.thread = EVENT_NONE};
    while (more) {
        struct word left = word_trim_left(*rest);
        bool padded = left.length < rest->length && head->thread == EVENT_NONE;

        while (strace_skip_colour(&left)) {
        }
        if (left.length == 0) {
            return;
        }
        if (*left.bytes == '[') {
            more = next_bracket(&left, head);
        } else if (*left.bytes == '(') {
            more = next_difference(&left);
        } else {
            more = word_is_digit(*left.bytes) && next_head_number(&left, padded, head);
        }
        if (more) {
            *rest = left;
        }
    }
}
