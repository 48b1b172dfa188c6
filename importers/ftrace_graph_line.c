/* Lines of the tracer function_graph. */
#include "ftrace_graph.h"

enum {
    FLAGS_LEAST = 4, /* letters of the column of flags */
    FLAGS_MOST = 5,
};

/* 63 years. */
#define MICROSECONDS_LIMIT INT64_C(2000000000000000)

/* --- columns ---------------------------------------------------------------------------------- */

/* What stands before the next `|`; false when there is none. */
static bool peek_column(struct word rest, struct word *column) {
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

/* `100.000010 |` */
static void cut_time(struct word *rest, struct ftrace_graph_line *line) {
    struct word column;

    if (peek_column(*rest, &column) &&
        word_seconds(column, 6, 9, MICROSECONDS_LIMIT / 1000000, &line->head.time)) {
        cut_column(rest);
    }
}

/* ` 0)` */
static void cut_cpu(struct word *rest, struct ftrace_graph_line *line) {
    struct word trial = *rest;
    int64_t cpu;

    if (word_next_number(&trial, FTRACE_GRAPH_CPUS - 1, &cpu) && word_begins(trial, ")")) {
        word_skip(&trial, 1);
        line->head.cpu = cpu;
        *rest = trial;
    }
}

/* `cat-42`, the number behind the last minus. */
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

    if (peek_column(*rest, &column) && split_task(column, &line->head)) {
        line->has_task = true;
        cut_column(rest);
    }
}

/* Microseconds with up to three decimals, or none where there is no room for them. */
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

/* `+ 10.005 us`, with a mark of how long that is or without. */
static bool parse_duration(struct word column, int64_t *duration) {
    struct word first = word_next(&column);

    if (first.length == 1 && memchr("+!#*@$", *first.bytes, 6) != NULL) {
        first = word_next(&column);
    }
    return word_is(word_trim(column), "us") && parse_microseconds(first, duration);
}

static bool is_flags(struct word column) {
    return column.length >= FLAGS_LEAST && column.length <= FLAGS_MOST &&
           memchr(column.bytes, ' ', column.length) == NULL &&
           memchr(column.bytes, '(', column.length) == NULL;
}

/* The columns of flags and of the duration. False: there is a `|`, and what is before it is none.
 */
static void cut_duration(struct word *rest, struct ftrace_graph_line *line) {
    struct word column;

    if (peek_column(*rest, &column) && is_flags(column)) {
        cut_column(rest);
    }
    if (peek_column(*rest, &column) &&
        (column.length == 0 || parse_duration(column, &line->duration))) {
        cut_column(rest);
    }
}

/* --- the body --------------------------------------------------------------------------------- */

/* What is inside of the comment that ends the body, which is cut off. */
static struct word cut_comment(struct word *body) {
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

/* `f [module](arguments)`. */
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

/* `f ret=0x0`, `f = -22`, `ret=0x0`, `= 0x0`, `f`, with `<-caller` before what was returned or not.
 */
static void parse_exit(struct word comment, struct ftrace_graph_line *line) {
    struct word first = word_next(&comment), rest = word_trim(comment);

    if (word_begins(first, "ret=") || word_is(first, "=")) {
        rest = word_between(first.bytes, rest.bytes + rest.length);
    } else if (!word_begins(first, "<-")) {
        line->name = first;
    }
    if (word_begins(rest, "[")) { /* the module */
        word_field(&rest, ']');
        rest = word_trim(rest);
    }
    if (rest.length > 0 && word_is_blank(rest.bytes[-1])) { /* behind the arguments */
        rest.bytes--;
        rest.length++;
    }
    line->text = rest;
}

static enum ftrace_graph_kind parse_body(struct word body, struct ftrace_graph_line *line) {
    struct word comment = cut_comment(&body);

    if (body.length == 0) {
        line->event = comment;
        return comment.length > 0 ? GRAPH_EVENT : GRAPH_OTHER;
    }
    if (word_is(body, "}")) {
        parse_exit(comment, line);
        return GRAPH_EXIT;
    }
    if (word_ends(body, ";")) {
        body.length--;
        if (!parse_function(word_trim(body), line)) {
            return GRAPH_NONE;
        }
        return GRAPH_LEAF;
    }
    if (word_ends(body, "{")) {
        body.length--;
        return parse_function(word_trim(body), line) ? GRAPH_ENTRY : GRAPH_NONE;
    }
    return GRAPH_NONE;
}

/* `foo-42     =>    <idle>-0`, behind the CPU. */
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

/* ` ------------------------------------------`, and `==========> |` of old kernels. */
static bool is_rule(struct word rest) {
    struct word text = word_trim(rest);

    return word_begins(text, "---------") || word_begins(text, "==========>") ||
           word_begins(text, "<==========");
}

/* The columns in front of the duration. False: the line has none but these. */
static bool cut_columns(struct word *rest, struct ftrace_graph_line *line) {
    cut_time(rest, line);
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
    cut_duration(&rest, line);
    if (is_rule(rest)) {
        line->kind = GRAPH_OTHER;
        return;
    }
    if (head == NULL && rest.bytes == text.bytes) {
        return; /* no column: it could be any program's source */
    }
    begin = rest.bytes;
    rest = word_trim(rest);
    line->depth = (size_t)(rest.bytes - begin) < 2 ? 0 : ((size_t)(rest.bytes - begin) - 2) / 2;
    line->kind = parse_body(rest, line);
}
