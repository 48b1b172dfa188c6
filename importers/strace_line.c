#include "strace_line.h"

#include <stdlib.h>

#include "base/time_unit.h"

/* Reasons in the ledger. */
static const char bad_result[] = "result is beyond 64 bits";

bool strace_clean(struct word *line, struct text *plain) {
    struct word rest;

    while (line->length > 0 && line->bytes[line->length - 1] == '\r') {
        line->length--;
    }
    if (memchr(line->bytes, '\033', line->length) == NULL) {
        return true;
    }
    text_clear(plain);
    for (rest = *line; rest.length > 0;) {
        if (!strace_skip_colour(&rest)) {
            text_append_char(plain, *rest.bytes);
            word_skip(&rest, 1);
        }
    }
    *line = (struct word){text_string(plain), plain->length};
    return !plain->failed;
}

/* --- the result --------------------------------------------------------------------------------
 */

/* ENOENT (No such file or directory), (errno 123), E??? (errno 123), ERRNO_123 (...). */
static void parse_error(struct word rest, struct strace_result *result) {
    size_t length = 0;
    const char *number;

    while (length < rest.length &&
           (strace_is_name_byte(rest.bytes[length]) || rest.bytes[length] == '?')) {
        length++;
    }
    if (length > 0 && *rest.bytes == 'E') {
        result->error = (struct word){rest.bytes, length};
    }
    if (word_begins(result->error, "ERRNO_")) {
        struct word digits = result->error;

        word_skip(&digits, strlen("ERRNO_"));
        word_number(digits, INT32_MAX, &result->error_number);
    } else if ((number = memmem(rest.bytes, rest.length, "(errno ", 7)) != NULL &&
               (number == rest.bytes || word_begins(result->error, "E?"))) {
        struct word digits = word_between(number + 7, rest.bytes + rest.length);

        word_next_number(&digits, INT32_MAX, &result->error_number);
    }
}

/* The number that a comment gives for strace's own namespace of processes. */
static void parse_namespace(struct word rest, struct strace_result *result) {
    struct word digits = rest;
    int64_t number;

    if (word_accept(&digits, "/*") && word_next_number(&digits, INT32_MAX, &number) &&
        word_accept(&digits, "in strace's PID NS")) {
        result->thread = number;
    }
}

/* What a line may have behind "=". `*beyond`: it would be a result, but for its size. */
static bool parse_result(struct word text, struct strace_result *result, bool *beyond) {
    struct word rest;

    *result = (struct strace_result){.error_number = EVENT_NONE, .thread = EVENT_NONE};
    *beyond = false;
    text = word_trim(text);
    if (word_begins(text, "?")) {
        word_skip(&text, 1);
        text = word_trim_left(text);
        parse_error(text, result);
        return text.length == 0 || result->error.length > 0 || *text.bytes == '<' ||
               *text.bytes == '(';
    }
    if (!strace_number(text, &result->value, &rest)) {
        *beyond = word_digits(text) == text.length && text.length > 0;
        return false;
    }
    result->known = true;
    result->thread = result->value;
    if (rest.length > 0 && *rest.bytes == '<') {
        strace_annotation(&rest, &result->file);
    }
    if (rest.length > 0 && !word_is_blank(*rest.bytes)) {
        return false;
    }
    rest = word_trim_left(rest);
    if (result->value == -1) {
        parse_error(rest, result);
    } else {
        parse_namespace(rest, result);
    }
    /* FreeBSD's truss prints the number again: = 3 (0x3). */
    return rest.length == 0 || (strchr("(E/<[", *rest.bytes) != NULL && !word_begins(rest, "(0x"));
}

/* Whether `close` is the bracket behind the arguments: "=" and a result follow. */
static bool is_end(const char *close, const char *end, struct strace_result *result, bool *beyond) {
    struct word rest = word_trim_left(word_between(close + 1, end));

    if (!word_begins(rest, "=") || (rest.length > 1 && !word_is_blank(rest.bytes[1]))) {
        return false;
    }
    word_skip(&rest, 1);
    return parse_result(rest, result, beyond);
}

/* The last bracket of the text that can be the one behind the arguments; NULL: none. `*beyond`: its
 * result would be one, but for its size. */
static const char *last_end(struct word text, struct strace_result *result, bool *beyond) {
    const char *end = text.bytes + text.length, *close = end;

    while ((close = memrchr(text.bytes, ')', (size_t)(close - text.bytes))) != NULL) {
        if (is_end(close, end, result, beyond)) {
            return close;
        }
    }
    return NULL;
}

const char *strace_last_end(struct word text, struct strace_result *result) {
    bool beyond;

    return last_end(text, result, &beyond);
}

/* Cuts the time inside the call off the end of a line (-T). */
static void cut_duration(struct word *text, struct strace_line *parsed) {
    const char *open;
    struct word inside;

    *text = word_trim(*text);
    if (text->length < 4 || text->bytes[text->length - 1] != '>' ||
        !word_is_digit(text->bytes[text->length - 2])) {
        return;
    }
    open = memrchr(text->bytes, '<', text->length);
    if (open == NULL || open == text->bytes || open[-1] != ' ') {
        return;
    }
    inside = word_between(open + 1, text->bytes + text->length - 1);
    if (word_seconds(inside, 0, STRACE_FRACTION_DIGITS, INT64_MAX / SECOND - 1,
                     &parsed->duration)) {
        text->length = (size_t)(open - text->bytes);
    } else {
        parsed->duration = EVENT_NONE;
    }
}

/* Cuts off what somebody has noted behind a result: = 10     # the log. False: there is nothing. */
static bool cut_comment(struct word *text, const char *from) {
    const char *end = text->bytes + text->length, *mark = from;

    while ((mark = memchr(mark, '#', (size_t)(end - mark))) != NULL) {
        if (mark > from && word_is_blank(mark[-1])) {
            text->length = (size_t)(mark - text->bytes);
            return true;
        }
        mark++;
    }
    return false;
}

/* --- calls -------------------------------------------------------------------------------------
 */

/* Marks at the end of a line that say why it has no result. */
enum mark { MARK_NONE, MARK_UNFINISHED, MARK_NEVER };

/* Cuts the mark off, with the blank before it. */
static enum mark cut_mark(struct word *text) {
    static const char unfinished[] = "<unfinished ...>";
    struct word all = word_trim(*text), mark;
    enum mark kind = MARK_NEVER;
    const char *open;

    if (all.length < 10 || all.bytes[all.length - 1] != '>' ||
        (open = memrchr(all.bytes, '<', all.length)) == NULL) {
        return MARK_NONE;
    }
    mark = word_between(open, all.bytes + all.length);
    if (word_is(mark, unfinished)) {
        kind = MARK_UNFINISHED;
    } else if (!word_is(mark, "<detached ...>") &&
               !word_begins(mark, "<unfinished ... exit status ") &&
               !(word_begins(mark, "<pid changed to ") && word_ends(mark, " ...>"))) {
        return MARK_NONE;
    }
    *text = word_between(all.bytes, open);
    if (word_ends(*text, " ")) {
        text->length--;
    }
    return kind;
}

/* The name of a call in front of a bracket; of length 0: there is none. */
static struct word call_name(struct word body) {
    size_t length = 0;

    if (body.length > 4 && body.bytes[4] == '(' && strspn(body.bytes, "?") == 4) {
        return (struct word){body.bytes, 4};
    }
    while (length < body.length && strace_is_name_byte(body.bytes[length])) {
        length++;
    }
    if (length == body.length || body.bytes[length] != '(' || word_is_digit(*body.bytes)) {
        length = 0;
    }
    return (struct word){body.bytes, length};
}

/* Behind the bracket that opens the arguments. */
static const char *parse_call(struct word rest, struct strace_line *parsed) {
    enum mark mark = cut_mark(&rest);
    struct word bare;
    bool beyond = false;
    const char *close;

    if (mark != MARK_NONE) {
        parsed->form = mark == MARK_UNFINISHED ? STRACE_UNFINISHED : STRACE_CALL;
        parsed->text = rest;
        parsed->argument_count = strace_split(rest, parsed->arguments);
        return NULL;
    }
    cut_duration(&rest, parsed);
    bare = rest;
    close = strace_close(rest, parsed->arguments, &parsed->argument_count);
    parsed->fits =
        close != NULL && is_end(close, rest.bytes + rest.length, &parsed->result, &beyond);
    if (close != NULL && parsed->duration == EVENT_NONE && cut_comment(&bare, close)) {
        cut_duration(&bare, parsed);
        if (!parsed->fits || parsed->duration != EVENT_NONE) {
            rest = bare;
            parsed->fits = is_end(close, rest.bytes + rest.length, &parsed->result, &beyond);
        }
    }
    if (!parsed->fits) {
        close = beyond ? NULL : last_end(rest, &parsed->result, &beyond);
        if (close == NULL) {
            parsed->form = STRACE_CUT;
            parsed->text = rest;
            return beyond ? bad_result : NULL;
        }
        parsed->argument_count = strace_split(word_between(rest.bytes, close), parsed->arguments);
    }
    parsed->form = STRACE_CALL;
    parsed->text = word_between(rest.bytes, close);
    return NULL;
}

/* Behind "<... ". */
static const char *parse_resumed(struct word rest, struct strace_line *parsed) {
    static const char resumed[] = " resumed>";
    struct word name = {rest.bytes, 0};
    bool beyond = false;
    enum mark mark;
    const char *close, *quote;

    while (name.length < rest.length &&
           (strace_is_name_byte(rest.bytes[name.length]) || rest.bytes[name.length] == '?')) {
        name.length++;
    }
    word_skip(&rest, name.length);
    if (name.length == 0 || !word_begins(rest, resumed)) {
        return NULL;
    }
    word_skip(&rest, sizeof resumed - 1);
    parsed->name = name;
    mark = cut_mark(&rest);
    if (mark != MARK_NONE) {
        parsed->form = mark == MARK_UNFINISHED ? STRACE_RESUMED_HALF : STRACE_RESUMED;
        parsed->text = rest;
        return NULL;
    }
    cut_duration(&rest, parsed);
    close = last_end(rest, &parsed->result, &beyond);
    quote = memrchr(rest.bytes, '"', rest.length);
    if (close == NULL && cut_comment(&rest, quote == NULL ? rest.bytes : quote)) {
        cut_duration(&rest, parsed);
        close = last_end(rest, &parsed->result, &beyond);
    }
    parsed->form = close == NULL ? STRACE_CUT : STRACE_RESUMED;
    parsed->text = close == NULL ? rest : word_between(rest.bytes, close);
    return beyond ? bad_result : NULL;
}

/* --- other lines -------------------------------------------------------------------------------
 */

/* +++ … +++ */
static void parse_exit(struct word rest, struct strace_line *parsed) {
    if (word_accept(&rest, "superseded by execve in pid")) {
        parsed->form =
            word_next_number(&rest, INT32_MAX, &parsed->number) ? STRACE_SUPERSEDED : STRACE_OTHER;
    } else if (word_accept(&rest, "exited") || word_accept(&rest, "killed")) {
        parsed->form = STRACE_EXITED;
    }
}

/* Process 123 attached, suspended, resumed, detached. */
static bool parse_process_note(struct word rest, struct strace_line *parsed) {
    int64_t number;

    if (!word_accept(&rest, "Process") || !word_next_number(&rest, INT32_MAX, &number)) {
        return false;
    }
    parsed->number = number;
    parsed->form = word_accept(&rest, "attached") ? STRACE_ATTACHED : STRACE_NOTE;
    return parsed->form == STRACE_ATTACHED || word_accept(&rest, "suspended") ||
           word_accept(&rest, "resumed") || word_accept(&rest, "detached");
}

/* Lines that have no head. False: it is none of them. */
static bool parse_bare(struct word line, struct strace_line *parsed) {
    struct word rest = line;

    if (line.length > 1 && *line.bytes == ' ' && line.bytes[1] == '>') {
        parsed->form = STRACE_STACK;
    } else if (word_begins(line, " | ") ||
               (word_begins(line, " * ") && memmem(line.bytes, line.length, " in buffer ", 11))) {
        parsed->form = STRACE_DUMP;
    } else if (word_begins(line, "% time ") || word_begins(line, "System call usage summary")) {
        parsed->form = STRACE_SUMMARY;
    } else if (word_accept(&rest, "strace: ")) {
        if (!parse_process_note(rest, parsed)) {
            parsed->form = STRACE_NOTE;
        }
    } else if (word_begins(line, "[ Process ") || word_begins(line, "[stopped ")) {
        parsed->form = STRACE_NOTE;
    } else {
        return word_begins(line, "Process ") && parse_process_note(line, parsed);
    }
    return true;
}

static const char *parse_body(struct strace_line *parsed) {
    struct word rest = parsed->body;

    parsed->name = call_name(rest);
    if (parsed->name.length > 0) {
        word_skip(&rest, parsed->name.length + 1);
        return parse_call(rest, parsed);
    }
    if (word_accept(&rest, "<... ")) {
        return parse_resumed(rest, parsed);
    }
    if (word_begins(rest, "--- ") && word_ends(word_trim(rest), " ---")) {
        parsed->form = STRACE_SIGNAL;
    } else if (word_begins(rest, "+++ ") && word_ends(word_trim(rest), " +++")) {
        word_skip(&rest, strlen("+++ "));
        parse_exit(rest, parsed);
    } else if (rest.length > 0) {
        parse_bare(rest, parsed);
    }
    return NULL;
}

const char *strace_parse(struct word line, struct strace_line *parsed) {
    parsed->head = (struct strace_head){.thread = EVENT_NONE};
    parsed->form = STRACE_OTHER;
    parsed->name = parsed->text = (struct word){line.bytes, 0};
    parsed->argument_count = 0;
    parsed->fits = false;
    parsed->result = (struct strace_result){.error_number = EVENT_NONE, .thread = EVENT_NONE};
    parsed->duration = parsed->number = EVENT_NONE;
    parsed->body = line;
    if (word_trim_left(line).length == 0 || *line.bytes == '#') {
        parsed->form = STRACE_BLANK;
        return NULL;
    }
    if (!word_is_digit(*line.bytes) && parse_bare(line, parsed)) {
        return NULL;
    }
    strace_parse_head(&parsed->body, &parsed->head);
    parsed->body = word_trim_left(parsed->body);
    return parse_body(parsed);
}

bool strace_is_of_summary(struct word line) {
    return line.length == 0 || (strchr(" -%0123456789", *line.bytes) != NULL &&
                                memchr(line.bytes, '(', line.length) == NULL);
}
