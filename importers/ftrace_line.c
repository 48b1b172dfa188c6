#include "ftrace_line.h"

#include <stdio.h>
#include <stdlib.h>

#include "model/event.h"

enum {
    CPU_LIMIT = 65535,
    TID_LIMIT = INT32_MAX,
    DELAY_MARKS = 6, /* how long it took, in the latency format */
    TASK_WIDTH = 16, /* of the column of the task's name */
};

/* 63 years: nanoseconds stay in range. */
#define SECONDS_LIMIT INT64_C(2000000000)

/* --- who and where ---------------------------------------------------------------------------- */

/* Cuts the digits at the end of a word off, as a thread's number. */
static bool last_number(struct word *rest, int64_t *number) {
    size_t length = rest->length;
    struct word digits;

    while (length > 0 && word_is_digit(rest->bytes[length - 1])) {
        length--;
    }
    digits = (struct word){rest->bytes + length, rest->length - length};
    rest->length = length;
    return word_number(digits, TID_LIMIT, number);
}

static struct word trim_right(struct word word) {
    while (word.length > 0 && word_is_blank(word.bytes[word.length - 1])) {
        word.length--;
    }
    return word;
}

/* `(  3517)`, or `(-----)` where the process is not known, at the end; nothing changes where there
 * is none. */
static void cut_process(struct word *rest, int64_t *pid) {
    struct word inside;
    const char *open;

    if (!word_ends(*rest, ")") || (open = memrchr(rest->bytes, '(', rest->length)) == NULL) {
        return;
    }
    inside = (struct word){open + 1, rest->length - (size_t)(open - rest->bytes) - 2};
    inside = word_trim_left(inside);
    if (!word_number(inside, TID_LIMIT, pid)) {
        *pid = EVENT_NONE;
        if (inside.length == 0 || *inside.bytes != '-') {
            return;
        }
    }
    rest->length = (size_t)(open - rest->bytes);
    *rest = trim_right(*rest);
}

/* The name, of which trace-cmd prints the file before when it has several. */
static struct word task_name(struct word name) {
    struct word rest, first;

    rest = name = word_trim(name);
    first = word_next(&rest);
    if (word_ends(first, ".dat:")) {
        name = word_trim(rest);
    }
    return word_is(name, "<...>") ? (struct word){name.bytes, 0} : name;
}

/* `TASK-TID [(PID)]`, or as perf has it `TASK [PID/]TID`. */
static bool parse_task(struct word rest, struct ftrace_line *line) {
    rest = trim_right(rest);
    line->pid = EVENT_NONE;
    cut_process(&rest, &line->pid);
    if (!last_number(&rest, &line->tid) || rest.length == 0) {
        return false;
    }
    if (word_ends(rest, "/")) {
        rest.length--;
        if (!last_number(&rest, &line->pid) || rest.length == 0) {
            return false;
        }
    }
    if (!word_ends(rest, "-") && !word_is_blank(rest.bytes[rest.length - 1])) {
        return false;
    }
    rest.length--;
    line->task = task_name(rest);
    return true;
}

/* --- when ------------------------------------------------------------------------------------- */

/* `2720.475937:`, with six decimals or, by option, nine; `123456:` of a counter. */
static bool parse_time(struct word word, struct ftrace_line *line) {
    if (!word_ends(word, ":")) {
        return false;
    }
    word.length--;
    if (word_seconds(word, 6, 9, SECONDS_LIMIT, &line->time)) {
        line->clock = FTRACE_SECONDS;
        return true;
    }
    line->clock = FTRACE_COUNTER;
    return word_number(word, INT64_MAX, &line->time);
}

/* `35437us :`, and `35460us!:` when more than 100 microseconds follow. */
static bool parse_since(struct word word, struct word *rest, struct ftrace_line *line) {
    static const char marks[DELAY_MARKS + 1] = "!+#*@$";
    int64_t microseconds;

    if (word_ends(word, ":")) {
        word.length--;
    } else if (!word_accept(rest, ":")) {
        return false;
    }
    if (word.length > 0 && memchr(marks, word.bytes[word.length - 1], DELAY_MARKS) != NULL) {
        word.length--;
    }
    if (!word_ends(word, "us")) {
        return false;
    }
    word.length -= 2;
    if (!word_number(word, SECONDS_LIMIT * 1000000, &microseconds)) {
        return false;
    }
    line->time = 1000 * microseconds;
    line->clock = FTRACE_SINCE;
    return true;
}

/* --- the forms -------------------------------------------------------------------------------- */

/* Behind `[001]`: flags or none, and the time. */
static bool parse_behind_cpu(struct word *rest, struct ftrace_line *line) {
    struct word word = word_next(rest);

    return parse_time(word, line) || parse_time(word_next(rest), line);
}

/* The forms with a CPU in brackets. The task's name may hold such brackets, too, so that each is
 * tried. */
static bool parse_with_cpu(struct word text, struct word *behind, struct ftrace_line *line) {
    struct word rest = text;
    const char *open;

    while ((open = memchr(rest.bytes, '[', rest.length)) != NULL) {
        struct word before = {text.bytes, (size_t)(open - text.bytes)};

        word_skip(&rest, (size_t)(open - rest.bytes) + 1);
        *behind = rest;
        if (word_is_digit(rest.length > 0 ? *rest.bytes : '\0') &&
            word_next_number(behind, CPU_LIMIT, &line->cpu) && word_begins(*behind, "] ") &&
            word_accept(behind, "]") && parse_behind_cpu(behind, line) &&
            parse_task(before, line)) {
            return true;
        }
    }
    return false;
}

/* `1d..1.`: the CPU and flags at the end, which is cut off. `512/512` is perf's process and thread.
 */
static bool cut_cpu_and_flags(struct word *before, struct ftrace_line *line) {
    struct word rest = *before, word = word_last(&rest);

    if (word.length == 0 || !word_is_digit(*word.bytes) ||
        !word_next_number(&word, CPU_LIMIT, &line->cpu) || word.length < 4 || *word.bytes == '/') {
        line->cpu = EVENT_NONE;
        return false;
    }
    *before = rest;
    return true;
}

/* The forms without: flags with the CPU in front of them (latency-format), or perf's `TASK TID`.
 * The time is found by its own form. */
static bool parse_without_cpu(struct word text, struct word *behind, struct ftrace_line *line) {
    struct word rest = text, word;

    while ((word = word_next(&rest)).length > 0) {
        struct word before = {text.bytes, (size_t)(word.bytes - text.bytes)};

        *behind = rest;
        if (!word_is_digit(*word.bytes)) {
            continue;
        }
        line->cpu = EVENT_NONE;
        if (parse_since(word, behind, line) ||
            (parse_time(word, line) && line->clock == FTRACE_SECONDS)) {
            return (cut_cpu_and_flags(&before, line) || line->clock == FTRACE_SECONDS) &&
                   parse_task(before, line);
        }
    }
    return false;
}

/* --- the event -------------------------------------------------------------------------------- */

static bool is_name_byte(char byte) {
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || word_is_digit(byte) ||
           byte == '_' || byte == '.' || byte == ':' || byte == '$' || byte == '-';
}

/* `SYSTEM:NAME.SUFFIX:`. */
static bool take_name(struct word word, struct ftrace_line *line) {
    const char *at;

    if (word.length < 2 || !word_ends(word, ":")) {
        return false;
    }
    word.length--;
    for (size_t i = 0; i < word.length; i++) {
        if (!is_name_byte(word.bytes[i])) {
            return false;
        }
    }
    if ((at = memrchr(word.bytes, ':', word.length)) != NULL) {
        word_skip(&word, (size_t)(at - word.bytes) + 1);
        line->has_system = true;
    }
    if ((at = memchr(word.bytes, '.', word.length)) != NULL) {
        word.length = (size_t)(at - word.bytes);
    }
    line->event = word;
    return word.length > 0;
}

void ftrace_line_parse_event(struct word rest, struct ftrace_line *line) {
    struct word word, behind;
    int64_t period;

    rest = word_trim(rest);
    if (word_begins(rest, "(+")) { /* trace-cmd report --ts-diff: time since the line before */
        word_next(&rest);
    }
    behind = rest;
    word = word_next(&behind);
    if (word_number(word, INT64_MAX, &period)) { /* perf's */
        word = word_next(&behind);
    }
    line->event = (struct word){rest.bytes, 0};
    line->has_system = false;
    line->fields = take_name(word, line) ? word_trim(behind) : word_trim(rest);
}

bool ftrace_line_parse(struct word text, struct ftrace_line *line) {
    struct word behind;

    if (!parse_with_cpu(text, &behind, line) && !parse_without_cpu(text, &behind, line)) {
        return false;
    }
    ftrace_line_parse_event(behind, line);
    return true;
}

struct word ftrace_line_prefix(struct word text, const struct ftrace_line *line) {
    struct word before = text, name = line->task, first;

    if (name.length == 0) { /* `<...>` */
        name.length = strlen("<...>");
    }
    first = word_next(&before);
    before = word_ends(first, ".dat:") ? before : text; /* trace-cmd's */
    before.length = (size_t)(name.bytes + name.length - before.bytes);
    if (before.length > TASK_WIDTH && word_is_blank(before.bytes[before.length - TASK_WIDTH])) {
        before.length -= TASK_WIDTH;
        return word_trim(before).length > 0 ? before : (struct word){text.bytes, 0};
    }
    name = word_trim(before);
    first = word_next(&before);
    /* The mark of a quotation, a number of `cat -n`, or words that no task has for a name. */
    if (word_is(first, ">") || memchr(name.bytes, '\t', name.length) != NULL ||
        (name.length > 2 * TASK_WIDTH && first.length < name.length)) {
        return first;
    }
    return (struct word){text.bytes, 0};
}

/* A capital letter and a bar, or the clock's time. */
static bool is_mark(struct word text) {
    return word_is(text, "E") || word_begins(text, "trace_event_clock_sync:") ||
           (text.length > 1 && text.bytes[0] >= 'A' && text.bytes[0] <= 'Z' &&
            text.bytes[1] == '|');
}

bool ftrace_line_mark(const struct ftrace_line *line, struct word *mark) {
    struct word behind = line->fields;

    *mark = line->fields;
    if (word_is(line->event, "tracing_mark_write")) {
        return true;
    }
    if (!word_is(line->event, "0") && !word_is(line->event, "print")) {
        return false;
    }
    if (!is_mark(*mark) && word_ends(word_next(&behind), ":")) {
        *mark = word_trim(behind); /* `print: tracing_mark_write: B|1|x` */
    }
    return is_mark(*mark);
}

struct word ftrace_line_thread(const struct ftrace_line *line, char *made) {
    struct word name = line->task;
    char cpu[24];
    int length;

    if (line->tid != 0 || line->cpu == EVENT_NONE || name.length == 0) {
        return name;
    }
    length = snprintf(cpu, sizeof cpu, "/%lld", (long long)line->cpu);
    if (word_ends(name, cpu) || name.length + (size_t)length > FTRACE_IDLE_NAME) {
        return name; /* `swapper/3` tells it already */
    }
    memcpy(made, name.bytes, name.length);
    memcpy(made + name.length, cpu, (size_t)length);
    return (struct word){made, name.length + (size_t)length};
}

static int compare_name(const void *key, const void *element) {
    const struct word *name = key;
    const char *other = *(const char *const *)element;
    size_t length = strlen(other);
    int order = memcmp(name->bytes, other, name->length < length ? name->length : length);

    return order != 0 ? order : (name->length > length) - (name->length < length);
}

const void *ftrace_line_event(const struct ftrace_line *line, const void *list, size_t count,
                              size_t size) {
    return line->event.length == 0 ? NULL : bsearch(&line->event, list, count, size, compare_name);
}
