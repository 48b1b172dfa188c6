#include "ftrace_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "block_request.h"
#include "model/event.h"

enum {
    CPU_LIMIT = 65535,
    TID_LIMIT = INT32_MAX,
    DELAY_MARKS = 6, /* number of different marks for long delays (latency-format) */
    TASK_WIDTH = 16, /* width of the column for the task's name */
};

/* Maximum seconds of a time, 63 years: keeps nanoseconds in range. */
#define SECONDS_LIMIT INT64_C(2000000000)

/* --- columns of task and CPU ------------------------------------------------------------------ */

/* Removes the digits at the end of a word, which are a thread number. */
static bool cut_trailing_number(struct word *rest, int64_t *number) {
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

/* Removes the column `( 3517)`, or `(-----)` for an unknown process, from the end of a text. */
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

/* Removes `trace.dat: ` or the name of a buffer, which trace-cmd prints before the task if it read
 * several files or buffers. After such a name, the whole column of the task follows. */
static bool cut_buffer(struct word *text) {
    struct word rest = *text, first = word_next(&rest);

    if (!word_ends(first, ".dat:") && !(word_ends(first, ":") && rest.length > TASK_WIDTH)) {
        return false;
    }
    *text = rest;
    return true;
}

static struct word task_name(struct word name) {
    cut_buffer(&name);
    name = word_trim(name);
    return word_is(name, "<...>") ? (struct word){name.bytes, 0} : name;
}

/* If the thread has ended (perf prints `:-1 [PID/]-1`), sets its name and number to unknown. */
static void clear_ended_thread(struct ftrace_line *line) {
    struct word rest = line->task;

    if (line->tid == 1 && word_is(word_next(&rest), ":-1")) {
        rest.length -= word_ends(rest, "/");
        rest = word_trim(rest);
        if (rest.length > 0 && !word_number(rest, TID_LIMIT, &line->pid)) {
            line->pid = EVENT_NONE;
        }
        line->tid = EVENT_NONE;
        line->task.length = 0;
    }
}

/* Parses name and numbers of a task: `TASK-TID [(PID)]`, or perf's `TASK [PID/]TID`. */
static bool parse_task(struct word rest, struct ftrace_line *line) {
    rest = trim_right(rest);
    line->pid = EVENT_NONE;
    cut_process(&rest, &line->pid);
    if (!cut_trailing_number(&rest, &line->tid) || rest.length == 0) {
        return false;
    }
    if (word_ends(rest, "/")) {
        rest.length--;
        if (!cut_trailing_number(&rest, &line->pid) || rest.length == 0) {
            return false;
        }
    }
    if (!word_ends(rest, "-") && !word_is_blank(rest.bytes[rest.length - 1])) {
        return false;
    }
    rest.length--;
    line->task = task_name(rest);
    clear_ended_thread(line);
    return true;
}

/* Parses seconds, `2720.475937:`, with six decimals or, by option, nine; or counter units,
 * `123456:`. */
static bool ftrace_line_parse_time(struct word word, struct ftrace_line *line) {
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

/* Parses a time of latency-format: `35437us :`, or `35460us!:` before a delay of over 100 us. */
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

/* --- forms of lines --------------------------------------------------------------------------- */

/* Parses the columns after the CPU `[001]`: optional flags, and the time. */
static bool parse_after_cpu(struct word *rest, struct ftrace_line *line) {
    struct word word = word_next(rest);

    line->flags = (struct word){word.bytes, 0};
    if (ftrace_line_parse_time(word, line)) {
        return true;
    }
    line->flags = word;
    return ftrace_line_parse_time(word_next(rest), line);
}

/* Returns whether the column of the CPU ends here: by a bracket and a blank, or in trace-cmd's
 * output by a bracket and a counter, `[000]1460468584988:`. */
static bool ends_cpu(struct word rest) {
    return word_begins(rest, "] ") ||
           (rest.length > 1 && *rest.bytes == ']' && word_is_digit(rest.bytes[1]));
}

/* Parses forms of lines with the CPU in brackets. The task's name may contain brackets, too, so
 * each pair is tried. */
static bool parse_with_cpu(struct word text, struct word *after, struct ftrace_line *line) {
    struct word rest = text;
    const char *open;

    while ((open = memchr(rest.bytes, '[', rest.length)) != NULL) {
        struct word before = {text.bytes, (size_t)(open - text.bytes)};

        word_skip(&rest, (size_t)(open - rest.bytes) + 1);
        *after = rest;
        if (word_is_digit(rest.length > 0 ? *rest.bytes : '\0') &&
            word_next_number(after, CPU_LIMIT, &line->cpu) && ends_cpu(*after) &&
            word_accept(after, "]") && parse_after_cpu(after, line) && parse_task(before, line)) {
            return true;
        }
    }
    return false;
}

/* Removes CPU and flags, `1d..1.`, from the end of a text, but not perf's PID/TID, `512/512`. */
static bool cut_cpu_and_flags(struct word *before, struct ftrace_line *line) {
    struct word rest = *before, word = word_last(&rest);

    if (word.length == 0 || !word_is_digit(*word.bytes) ||
        !word_next_number(&word, CPU_LIMIT, &line->cpu) || word.length < 4 || *word.bytes == '/') {
        line->cpu = EVENT_NONE;
        return false;
    }
    line->flags = word;
    *before = rest;
    return true;
}

/* Removes the CPU that `perf script -L` prints after the thread's number. The CPU is printed 3
 * characters wide, the thread's number 5, behind that of a process with blanks after it. */
static void cut_bare_cpu(struct word *before, struct ftrace_line *line) {
    struct word rest = trim_right(*before), word = word_last(&rest), thread;
    size_t width = (size_t)(word.bytes + word.length - rest.bytes) - trim_right(rest).length;
    size_t column = 4;

    rest = thread = trim_right(rest);
    thread = word_last(&thread);
    if (word_has(thread, "/")) { /* PID/TID */
        word_field(&thread, '/');
        column += thread.length < 5 ? 5 - thread.length : 0;
    }
    word_skip(&thread, word_begins(thread, "-") ? 1 : 0); /* -1: an ended thread */
    if (width == column && word.length <= 3 && word_digits(thread) == thread.length &&
        thread.length > 0 && thread.length < rest.length &&
        word_number(word, CPU_LIMIT, &line->cpu)) {
        *before = rest;
    }
}

/* Parses forms of lines without brackets: with flags after the CPU (latency-format), or perf's
 * `TASK TID`. The time is found by its form. */
static bool parse_without_cpu(struct word text, struct word *after, struct ftrace_line *line) {
    struct word rest = text, word;

    while ((word = word_next(&rest)).length > 0) {
        struct word before = {text.bytes, (size_t)(word.bytes - text.bytes)};

        *after = rest;
        if (!word_is_digit(*word.bytes)) {
            continue;
        }
        line->cpu = EVENT_NONE;
        line->flags = (struct word){word.bytes, 0};
        if (parse_since(word, after, line) || ftrace_line_parse_time(word, line)) {
            bool flags = cut_cpu_and_flags(&before, line);

            if (!flags) {
                cut_bare_cpu(&before, line);
            }
            if (flags || line->clock != FTRACE_COUNTER) {
                return (flags || line->clock == FTRACE_SECONDS) && parse_task(before, line);
            }
        }
    }
    return false;
}

/* --- name and fields of the event ------------------------------------------------------------- */

static bool ftrace_line_is_name_byte(char byte) {
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || word_is_digit(byte) ||
           byte == '_' || byte == '.' || byte == ':' || byte == '$' || byte == '-';
}

/* Parses the name of an event, `SYSTEM:NAME.SUFFIX:`. */
static bool ftrace_line_parse_name(struct word word, struct ftrace_line *line) {
    const char *at;

    if (word.length < 2 || !word_ends(word, ":")) {
        return false;
    }
    word.length--;
    for (size_t i = 0; i < word.length; i++) {
        if (!ftrace_line_is_name_byte(word.bytes[i])) {
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

/* Removes the place in the kernel that perf script -F …,ip,sym prints behind the fields:
 * `ffffffff81423dbc syscall_exit_work+0xbc ([kernel.kallsyms])`. */
static void cut_place(struct word *fields) {
    const char *end = fields->bytes + fields->length, *at = fields->bytes;

    while ((at = memmem(at, (size_t)(end - at), " ffff", 5)) != NULL) {
        struct word rest = word_between(at + 1, end), address = word_next(&rest);
        uint64_t number;

        if (address.length == 16 && word_trim(rest).length > 0 &&
            word_hex(address, UINT64_MAX, &number)) {
            *fields = trim_right(word_between(fields->bytes, at));
            return;
        }
        at++;
    }
}

void ftrace_line_parse_event(struct word rest, struct ftrace_line *line) {
    struct word word, after;
    int64_t period;

    rest = word_trim(rest);
    /* trace-cmd report --ts-diff prints the time since the previous line */
    if (word_begins(rest, "(+")) {
        word_next(&rest);
    }
    after = rest;
    word = word_next(&after);
    if (word_number(word, INT64_MAX, &period)) { /* a perf sample's period */
        word = word_next(&after);
    }
    line->event = (struct word){rest.bytes, 0};
    line->has_system = false;
    line->fields = ftrace_line_parse_name(word, line) ? word_trim(after) : word_trim(rest);
    if (line->has_system) {
        cut_place(&line->fields);
    }
}

bool ftrace_line_parse_head(struct word text, struct word *after, struct ftrace_line *line) {
    return parse_with_cpu(text, after, line) || parse_without_cpu(text, after, line);
}

bool ftrace_line_parse(struct word text, struct ftrace_line *line) {
    struct word after;

    if (!ftrace_line_parse_head(text, &after, line)) {
        return false;
    }
    ftrace_line_parse_event(after, line);
    return true;
}

struct word ftrace_line_prefix(struct word text, const struct ftrace_line *line) {
    struct word before, name = line->task, first;

    if (name.length == 0) { /* the task is printed as `<...>` */
        name.length = strlen("<...>");
    }
    before = (struct word){text.bytes, (size_t)(name.bytes + name.length - text.bytes)};
    cut_buffer(&before);
    if (before.length > TASK_WIDTH && word_is_blank(before.bytes[before.length - TASK_WIDTH])) {
        before.length -= TASK_WIDTH;
        return word_trim(before).length > 0 ? before : (struct word){text.bytes, 0};
    }
    name = word_trim(before);
    first = word_next(&before);
    /* There is text before the columns if the name has: a quotation mark or JSON, a TAB from `cat
     * -n`, blanks for alignment, or more words than fit. */
    if (word_is(first, ">") || word_begins(first, "{\"") ||
        memchr(name.bytes, '\t', name.length) != NULL || word_has(name, "   ") ||
        (name.length > 2 * TASK_WIDTH && first.length < name.length)) {
        return first;
    }
    return (struct word){text.bytes, 0};
}

/* Returns whether the text is what programs write to trace_marker: a capital letter and a bar, `E`,
 * or a marker with the wall clock. */
static bool is_mark(struct word text) {
    return word_is(text, "E") || word_begins(text, "trace_event_clock_sync:") ||
           (text.length > 1 && text.bytes[0] >= 'A' && text.bytes[0] <= 'Z' &&
            text.bytes[1] == '|');
}

bool ftrace_line_mark(const struct ftrace_line *line, struct word *mark) {
    struct word after = line->fields;

    *mark = line->fields;
    if (word_is(line->event, "tracing_mark_write")) {
        return true;
    }
    if (!word_is(line->event, "0") && !word_is(line->event, "print")) {
        return false;
    }
    if (!is_mark(*mark) && word_ends(word_next(&after), ":")) {
        *mark = word_trim(after); /* `print: tracing_mark_write: B|1|x` */
    }
    return is_mark(*mark);
}

struct word ftrace_line_thread_name(const struct ftrace_line *line, char *made) {
    struct word name = line->task;
    char cpu[24];
    int length;

    if (line->tid != 0 || line->cpu == EVENT_NONE || name.length == 0) {
        return name;
    }
    length = snprintf(cpu, sizeof cpu, "/%lld", (long long)line->cpu);
    if (word_ends(name, cpu) || name.length + (size_t)length > FTRACE_IDLE_NAME) {
        return name; /* the log prints the CPU in the task's name */
    }
    memcpy(made, name.bytes, name.length);
    memcpy(made + name.length, cpu, (size_t)length);
    return (struct word){made, name.length + (size_t)length};
}

static int ftrace_line_compare_name(const void *key, const void *element) {
    const struct word *name = key;
    const char *other = *(const char *const *)element;

    /* The loop ends early, as most names differ in their first bytes. */
    for (size_t i = 0; i < name->length; i++) {
        if (other[i] == '\0' || name->bytes[i] != other[i]) {
            return (unsigned char)name->bytes[i] < (unsigned char)other[i] ? -1 : 1;
        }
    }
    return other[name->length] == '\0' ? 0 : -1;
}

const void *ftrace_line_event(const struct ftrace_line *line, const void *list, size_t count,
                              size_t size) {
    return line->event.length == 0
               ? NULL
               : bsearch(&line->event, list, count, size, ftrace_line_compare_name);
}

enum {
    FLAGS_LEAST = 4, /* minimum number of letters in the column of flags */
    FLAGS_MOST = 5,
};

/* Maximum microseconds since the start of the log: 63 years. */
#define MICROSECONDS_LIMIT INT64_C(2000000000000000)

/* --- columns of a function graph -------------------------------------------------------------- */

/* Returns the text before the next `|` in `column`. False if there is none. */
static bool text_before_next_column(struct word rest, struct word *column) {
    const char *bar = memchr(rest.bytes, '|', rest.length);

    if (bar == NULL) {
        return false;
    }
    *column = word_trim(word_between(rest.bytes, bar));
    return true;
}

static void cut_column(struct word *rest) {
    word_field(rest, '|');
}

/* Consumes the column of the CPU, ` 0)`. */
static void cut_cpu(struct word *rest, struct ftrace_graph_line *line) {
    struct word trial = *rest;
    int64_t cpu;

    if (word_next_number(&trial, FTRACE_GRAPH_CPUS - 1, &cpu) && word_begins(trial, ")")) {
        word_skip(&trial, 1);
        line->head.cpu = cpu;
        *rest = trial;
    }
}

/* Parses name and number of a task, `cat-42`; the number follows the last minus. */
static bool split_task(struct word task, struct ftrace_line *head) {
    const char *minus = memrchr(task.bytes, '-', task.length);
    struct word digits;

    if (minus == NULL) {
        return false;
    }
    digits = (struct word){minus + 1, task.length - (size_t)(minus - task.bytes) - 1};
    if (!word_number(digits, INT32_MAX, &head->tid)) {
        return false;
    }
    head->task = word_trim(word_between(task.bytes, minus));
    return true;
}

static void cut_task(struct word *rest, struct ftrace_graph_line *line) {
    struct word column;

    if (text_before_next_column(*rest, &column) && split_task(column, &line->head)) {
        line->has_task = true;
        cut_column(rest);
    }
}

/* Parses microseconds with up to three decimals; there are none if the column had no room. */
static bool parse_microseconds(struct word word, int64_t *nanoseconds) {
    struct word whole = word_field(&word, '.'), fraction = word;
    int64_t microseconds, rest = 0;

    if (!word_number(whole, MICROSECONDS_LIMIT, &microseconds) || fraction.length > 3 ||
        (fraction.length > 0 && !word_number(fraction, 999, &rest))) {
        return false;
    }
    for (size_t i = fraction.length; i < 3; i++) {
        rest *= 10;
    }
    *nanoseconds = 1000 * microseconds + rest;
    return true;
}

/* Parses a duration, `+ 10.005 us`, with or without the mark of a long one, such as +. */
static bool parse_duration(struct word column, int64_t *duration) {
    struct word first = word_next(&column);

    if (first.length == 1 && memchr("+!#*@$", *first.bytes, 6) != NULL) {
        first = word_next(&column);
    }
    return word_is(word_trim(column), "us") && parse_microseconds(first, duration);
}

/* Consumes the columns of flags and of the duration. */
static void ftrace_line_cut_duration(struct word *rest, struct ftrace_graph_line *line) {
    struct word column;

    if (text_before_next_column(*rest, &column) && column.length >= FLAGS_LEAST &&
        column.length <= FLAGS_MOST && memchr(column.bytes, ' ', column.length) == NULL &&
        memchr(column.bytes, '(', column.length) == NULL) {
        cut_column(rest);
    }
    if (text_before_next_column(*rest, &column) &&
        (column.length == 0 || parse_duration(column, &line->duration))) {
        cut_column(rest);
    }
}

/* --- functions of a function graph ------------------------------------------------------------ */

/* Removes the comment at the end of a line's body; returns the text inside it. */
static struct word ftrace_line_cut_comment(struct word *body) {
    struct word inside = {"", 0};
    const char *begin = memmem(body->bytes, body->length, "/*", 2);

    if (begin != NULL && word_ends(*body, "*/") &&
        body->length - (size_t)(begin - body->bytes) >= 4) {
        inside = (struct word){begin + 2, body->length - (size_t)(begin - body->bytes) - 4};
        body->length = (size_t)(begin - body->bytes);
        *body = word_trim(*body);
    }
    return word_trim(inside);
}

/* Parses a function with its module and arguments, `f [module](arguments)`. */
static bool parse_function(struct word body, struct ftrace_graph_line *line) {
    const char *open = memchr(body.bytes, '(', body.length), *bracket;

    if (open == NULL || open == body.bytes || !word_ends(body, ")")) {
        return false;
    }
    line->name = word_trim(word_between(body.bytes, open));
    line->text = (struct word){open + 1, body.length - (size_t)(open - body.bytes) - 2};
    bracket = memchr(line->name.bytes, '[', line->name.length);
    if (bracket != NULL && word_ends(line->name, "]")) {
        line->component = (struct word){bracket + 1, line->name.length -
                                                         (size_t)(bracket - line->name.bytes) - 2};
        line->name.length = (size_t)(bracket - line->name.bytes);
        line->name = word_trim(line->name);
    }
    return line->name.length > 0 && memchr(line->name.bytes, ' ', line->name.length) == NULL;
}

/* Parses the comment of an exit: `f ret=0x0`, `f = -22`, `ret=0x0`, `= 0x0` or `f`; `<-caller` may
 * precede the return value. */
static void ftrace_line_parse_exit(struct word comment, struct ftrace_graph_line *line) {
    struct word first = word_next(&comment), rest = word_trim(comment);

    if (word_begins(first, "ret=") || word_is(first, "=")) {
        rest = word_between(first.bytes, rest.bytes + rest.length);
    } else if (!word_begins(first, "<-")) {
        line->name = first;
    }
    if (word_begins(rest, "[")) { /* skip the module */
        word_field(&rest, ']');
        rest = word_trim(rest);
    }
    if (rest.length > 0 && word_is_blank(rest.bytes[-1])) { /* include the blank before the text */
        rest.bytes--;
        rest.length++;
    }
    line->text = rest;
}

static enum ftrace_graph_kind ftrace_line_parse_body(struct word body,
                                                     struct ftrace_graph_line *line) {
    struct word comment = ftrace_line_cut_comment(&body);

    if (body.length == 0) {
        line->event = comment;
        return comment.length > 0 ? GRAPH_EVENT : GRAPH_OTHER;
    }
    if (word_is(body, "}")) {
        ftrace_line_parse_exit(comment, line);
        return GRAPH_EXIT;
    }
    if (word_ends(body, ";")) {
        body.length--;
        return parse_function(word_trim(body), line) ? GRAPH_LEAF : GRAPH_NONE;
    }
    if (word_ends(body, "{")) {
        body.length--;
        return parse_function(word_trim(body), line) ? GRAPH_ENTRY : GRAPH_NONE;
    }
    return GRAPH_NONE;
}

/* Parses a switch of tasks, `foo-42 => <idle>-0`, after the CPU. */
static bool parse_switch(struct word rest, struct ftrace_graph_line *line) {
    const char *arrow = memmem(rest.bytes, rest.length, "=>", 2);

    if (arrow == NULL || line->head.cpu == EVENT_NONE) {
        return false;
    }
    line->before = line->head;
    if (!split_task(word_trim(word_between(rest.bytes, arrow)), &line->before)) {
        line->before.tid = EVENT_NONE;
    }
    word_skip(&rest, (size_t)(arrow - rest.bytes) + 2);
    return split_task(word_trim(rest), &line->head);
}

/* Returns whether a line is a ruler: ` ------------------------------` or `==========> |`. */
static bool is_rule(struct word rest) {
    struct word text = word_trim(rest);

    return word_begins(text, "---------") || word_begins(text, "==========>") ||
           word_begins(text, "<==========");
}

/* Consumes the columns before the duration. False if the line ends with them. */
static bool cut_columns(struct word *rest, struct ftrace_graph_line *line) {
    /* Consumes the time, `100.000010 |`. */
    struct word column;

    if (text_before_next_column(*rest, &column) &&
        word_seconds(column, 6, 9, MICROSECONDS_LIMIT / 1000000, &line->head.time)) {
        cut_column(rest);
    }
    cut_cpu(rest, line);
    if (is_rule(*rest)) {
        line->kind = GRAPH_OTHER;
        return false;
    }
    if (parse_switch(*rest, line)) {
        line->kind = GRAPH_SWITCH;
        return false;
    }
    cut_task(rest, line);
    return true;
}

void ftrace_graph_parse(struct word text, const struct ftrace_line *head,
                        struct ftrace_graph_line *line) {
    static const struct ftrace_line no_head = {.task = {"", 0},
                                               .tid = EVENT_NONE,
                                               .pid = EVENT_NONE,
                                               .cpu = EVENT_NONE,
                                               .time = EVENT_NONE};
    struct word rest = text;
    const char *begin;

    *line = (struct ftrace_graph_line){.head = head == NULL ? no_head : *head,
                                       .has_task = head != NULL,
                                       .duration = EVENT_NONE,
                                       .name = {"", 0},
                                       .component = {"", 0},
                                       .text = {"", 0}};
    if (head == NULL && !cut_columns(&rest, line)) {
        return;
    }
    ftrace_line_cut_duration(&rest, line);
    if (is_rule(rest)) {
        line->kind = GRAPH_OTHER;
        return;
    }
    if (head == NULL && rest.bytes == text.bytes) {
        return; /* without any column, this may be source code, not a log */
    }
    begin = rest.bytes;
    rest = word_trim(rest);
    line->depth = (size_t)(rest.bytes - begin) < 2 ? 0 : ((size_t)(rest.bytes - begin) - 2) / 2;
    line->kind = ftrace_line_parse_body(rest, line);
}

/* --- lines about lost events ------------------------------------------------------------------ */

/* Maximum numbers of events in a header, which keeps sums over many lines in range. */
#define EVENTS_LIMIT (INT64_C(1) << 40)

static const char record[] = "PERF_RECORD_LOST ";

/* Reads a number, if there is one. False if it is out of range. */
static bool ftrace_line_parse_count(struct word *rest, int64_t *count) {
    *count = EVENT_NONE;
    return !word_is_digit(word_peek(rest)) || word_next_number(rest, UINT32_MAX, count);
}

/* Parses perf's record of lost events, `PERF_RECORD_LOST lost 123`. */
static bool ftrace_line_parse_record(struct word rest, int64_t *lost) {
    return word_accept(&rest, "PERF_RECORD_LOST") && word_accept(&rest, "lost") &&
           word_next_number(&rest, UINT32_MAX, lost) && word_trim(rest).length == 0;
}

/* Returns whether the line is a warning of perf script on stderr: `events and lost N chunks` (a
 * chunk has several events), or `samples and lost N%` (a sample is an event). */
static bool ftrace_line_is_warning(struct word line) {
    int64_t number;

    if (!word_accept(&line, "Processed") || !word_next_number(&line, INT64_MAX, &number)) {
        return false;
    }
    if (word_accept(&line, "samples and lost")) {
        return word_ends(word_trim(line), "%!");
    }
    return word_accept(&line, "events and lost") && word_next_number(&line, INT64_MAX, &number) &&
           number > 0 && word_is(word_trim(line), "chunks!");
}

bool ftrace_loss_read_mark(struct word line, int64_t *cpu, int64_t *lost) {
    struct word rest = line;

    if (!word_accept(&rest, "CPU:")) {
        *cpu = *lost = EVENT_NONE;
        return ftrace_line_is_warning(line) ||
               (word_begins(word_trim(rest), record) && ftrace_line_parse_record(rest, lost));
    }
    if (!word_next_number(&rest, UINT32_MAX, cpu) || !word_accept(&rest, "[")) {
        return false;
    }
    if (word_accept(&rest, "LOST")) {
        return ftrace_line_parse_count(&rest, lost) && word_accept(&rest, "EVENTS]") &&
               word_trim(rest).length == 0;
    }
    return ftrace_line_parse_count(&rest, lost) && word_accept(&rest, "EVENTS") &&
           word_accept(&rest, "DROPPED]") && word_trim(rest).length == 0;
}

bool ftrace_loss_read_record(const struct ftrace_line *line, int64_t *lost) {
    return word_begins(line->fields, record) && ftrace_line_parse_record(line->fields, lost);
}

bool ftrace_loss_read_header(struct word line, int64_t *kept, int64_t *written) {
    return word_accept(&line, "#") && word_accept(&line, "entries-in-buffer/entries-written:") &&
           word_next_number(&line, EVENTS_LIMIT, kept) && word_accept(&line, "/") &&
           word_next_number(&line, EVENTS_LIMIT, written);
}

/* --- fields of an event ----------------------------------------------------------------------- */

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
    return block_text_parse_device(&value, device);
}
