#include "strace_time.h"

#include "base/time_unit.h"

static const char other_clock[] = "another form of time than the lines before";
static const char too_early[] = "earlier than the first 256 KiB of the log";
static const char too_late[] = "time beyond 292 years";

int64_t strace_days_time(struct strace_days *days, const struct strace_head *head) {
    int64_t time = head->time;

    if (head->clock == STRACE_DAY) {
        time += days->day;
        if (time < days->last - DAY / 2) {
            days->day += DAY;
            time += DAY;
        } else if (time > days->last + DAY / 2 && time - DAY > days->last - HOUR && days->day > 0) {
            return time - DAY; /* printed after midnight, begun before it */
        }
    }
    days->last = time;
    return time;
}

void strace_times_begin(struct strace_times *times, enum strace_clock clock, int64_t first) {
    if (!times->begun) {
        times->begun = true;
        times->clock = clock;
        times->base = first;
    }
}

const char *strace_times_of(struct strace_times *times, struct strace_days *days,
                            const struct strace_head *head, int64_t *time) {
    *time = times->now;
    if (times->clock == STRACE_NO_CLOCK && head->clock == STRACE_NO_CLOCK) {
        *time = ++times->now;
        return NULL;
    }
    if (head->clock == STRACE_NO_CLOCK) {
        return NULL;
    }
    if (head->clock != times->clock) {
        return other_clock;
    }
    if (head->clock == STRACE_RELATIVE) {
        if (__builtin_add_overflow(times->now, head->time, time)) {
            return too_late;
        }
    } else {
        *time = strace_days_time(days, head) - times->base;
        if (*time < 0) {
            return too_early;
        }
        times->back = times->back || (head->clock == STRACE_EPOCH && *time < times->now - DAY);
    }
    times->now = *time;
    return NULL;
}

/* Whether a line begins with blanks and a number without a fraction, and which. */
static bool has_indented_number(struct word line, struct word *trimmed, int64_t *number) {
    struct word rest;
    size_t digits;

    *trimmed = rest = word_trim_left(line);
    digits = word_digits(rest);
    if (rest.length == line.length || digits == 0 || digits == rest.length || digits > 8) {
        return false;
    }
    return word_number((struct word){rest.bytes, digits}, INT64_MAX, number) &&
           (rest.bytes[digits] == ' ' || rest.bytes[digits] == '<');
}

void strace_skip_indent(struct word *line, bool whole_seconds) {
    struct word trimmed;
    int64_t number;

    if (!whole_seconds && has_indented_number(*line, &trimmed, &number)) {
        *line = trimmed;
    }
}

bool strace_has_whole_seconds(const char *bytes, size_t length) {
    const char *end = bytes + length, *newline;

    for (const char *at = bytes; at < end; at = newline + 1) {
        struct word trimmed;
        int64_t number;

        newline = memchr(at, '\n', (size_t)(end - at));
        newline = newline == NULL ? end : newline;
        if (has_indented_number(word_between(at, newline), &trimmed, &number) && number == 0) {
            return true;
        }
    }
    return false;
}

void strace_first_times(const char *bytes, size_t length, struct strace_first *first) {
    const char *at = bytes, *end = bytes + length, *newline;
    struct strace_days days = {0};

    *first = (struct strace_first){
        .clock = STRACE_NO_CLOCK,
        .whole_seconds = strace_has_whole_seconds(bytes, length),
    };
    for (; at < end; at = newline + 1) {
        struct word line, rest;
        struct strace_head head;
        int64_t time;

        newline = memchr(at, '\n', (size_t)(end - at));
        newline = newline == NULL ? end : newline;
        rest = line = word_trim(word_between(at, newline));
        rest.bytes = at;
        rest.length = (size_t)(line.bytes + line.length - at);
        strace_skip_indent(&rest, first->whole_seconds);
        strace_parse_head(&rest, &head);
        first->durations =
            first->durations || (line.length > 2 && line.bytes[line.length - 1] == '>' &&
                                 word_is_digit(line.bytes[line.length - 2]));
        if (head.clock == STRACE_NO_CLOCK ||
            (first->clock != STRACE_NO_CLOCK && head.clock != first->clock)) {
            continue;
        }
        time = strace_days_time(&days, &head);
        if (first->clock == STRACE_NO_CLOCK || time < first->time) {
            first->time = time;
        }
        first->clock = head.clock;
    }
}
