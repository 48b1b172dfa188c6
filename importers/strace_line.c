#include "strace_line.h"

#include "base/time_unit.h"
#include "input/reader.h"
#include "model/event.h"

/* --- prefix of a line ------------------------------------------------------------------------- */

enum {
    THREAD_DIGITS = 8,  /* maximum digits of a thread number; the kernel's have up to 7 */
    EPOCH_DIGITS = 11,  /* maximum digits of seconds since 1970 */
    GROUP_LENGTH = 512, /* maximum bytes of text in square brackets in a prefix */
};

#define EPOCH_LEAST INT64_C(100000000) /* seconds since 1970 are larger, times of -r smaller */

/* Consumes a terminal's colour sequence (--color). Returns false if there is none. */
static bool skip_colour(struct word *rest) {
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

/* Consumes a fraction of a second: a point and up to 9 digits; `*nanoseconds` is 0 without one. */
static bool cut_time_fraction(struct word *rest, int64_t *nanoseconds, unsigned *decimals) {
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

/* Consumes a time of day, HH:MM:SS, without a fraction. */
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

/* Consumes a time whose first `digits` bytes are digits: a time of day or seconds. */
static bool cut_time_with_digits(struct word *rest, size_t digits, struct strace_prefix *prefix) {
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
    if (!cut_time_fraction(&left, &parts, &prefix->decimals) ||
        (left.length > 0 && *left.bytes != ' ')) {
        return false;
    }
    prefix->clock = clock;
    prefix->time = seconds * SECOND + parts;
    *rest = left;
    return true;
}

/* Consumes the command of a thread, which -Y prints, if there is one. */
static void cut_command_name(struct word *rest, struct strace_prefix *prefix) {
    if (rest->length > 0 && *rest->bytes == '<') {
        strace_annotation(rest, &prefix->command);
    }
}

/* Returns whether the first `digits` digits are a thread number: another number, the time, follows
 * them, since a time is directly before the call. So threads are found in an indented log, too. */
static bool is_before_number(struct word rest, size_t digits) {
    word_skip(&rest, digits);
    rest = word_trim_left(rest);
    return rest.length > 0 && word_is_digit(*rest.bytes);
}

static bool is_whole_number(struct word rest) {
    word_skip(&rest, word_digits(rest));
    return rest.length > 0 && (*rest.bytes == ' ' || *rest.bytes == '<');
}

/* Consumes a thread number or a time. `padded`: blanks come first, as before a time of -r. */
static bool next_prefix_number(struct word *rest, bool padded, struct strace_prefix *prefix) {
    size_t digits = word_digits(*rest);
    char after = digits < rest->length ? rest->bytes[digits] : ' ';
    struct word left = *rest;

    padded = padded && after != '<' && !is_before_number(left, digits);
    if ((after == ' ' || after == '<') && digits <= THREAD_DIGITS && !padded &&
        prefix->thread == EVENT_NONE && prefix->clock == STRACE_NO_CLOCK) {
        word_number((struct word){left.bytes, digits}, INT64_MAX, &prefix->thread);
        word_skip(&left, digits);
        cut_command_name(&left, prefix);
        if (left.length > 0 && *left.bytes != ' ') {
            prefix->thread = EVENT_NONE;
            return false;
        }
        *rest = left;
        return true;
    }
    return prefix->clock == STRACE_NO_CLOCK && cut_time_with_digits(rest, digits, prefix);
}

/* Returns whether text in square brackets is not strace's: it is a time or several words. */
static bool is_foreign_bracket(struct word inside) {
    inside = word_trim(inside);
    return word_has(inside, " ") || (inside.length > 0 && word_is_digit(*inside.bytes) &&
                                     (word_has(inside, ".") || word_has(inside, ":")));
}

/* Consumes text in square brackets: [pid 123], a call's number or address, a security context. */
static bool cut_bracketed_prefix(struct word *rest, struct strace_prefix *prefix) {
    size_t most = rest->length < GROUP_LENGTH ? rest->length : GROUP_LENGTH;
    const char *close = memchr(rest->bytes, ']', most);
    struct word left = *rest;

    if (close == NULL || word_begins(*rest, "[ Process ") || word_begins(*rest, "[stopped ")) {
        return false;
    }
    if (prefix->thread == EVENT_NONE && word_begins(left, "[pid ")) {
        word_skip(&left, strlen("[pid "));
        if (!word_next_number(&left, INT32_MAX, &prefix->thread)) {
            return false;
        }
        prefix->bracketed = true;
        cut_command_name(&left, prefix);
        close = word_begins(left, "]") ? left.bytes : close;
    } else if (is_foreign_bracket(word_between(rest->bytes + 1, close))) {
        return false;
    }
    word_skip(rest, (size_t)(close - rest->bytes) + 1);
    return true;
}

/* Consumes a difference from the previous time, (+ 0.000542), printed after an absolute time. */
static bool cut_time_difference(struct word *rest) {
    size_t most = rest->length < GROUP_LENGTH ? rest->length : GROUP_LENGTH;
    const char *close = memchr(rest->bytes, ')', most);

    if (close == NULL || !word_begins(*rest, "(+")) {
        return false;
    }
    word_skip(rest, (size_t)(close - rest->bytes) + 1);
    return true;
}

/* Consumes a thread number and seconds since 1970 with a fraction: the most common prefix of large
 * logs. Returns false and consumes nothing for any other prefix. */
static bool next_usual_prefix(struct word *rest, struct strace_prefix *prefix) {
    struct word left = *rest;
    size_t digits = word_digits(left);
    int64_t thread = 0;

    if (digits == 0 || digits > THREAD_DIGITS || digits == left.length ||
        left.bytes[digits] != ' ') {
        return false;
    }
    word_number((struct word){left.bytes, digits}, INT64_MAX, &thread);
    word_skip(&left, digits);
    left = word_trim_left(left);
    digits = word_digits(left);
    if (digits < EPOCH_DIGITS - 1 || digits == left.length || left.bytes[digits] != '.' ||
        !cut_time_with_digits(&left, digits, prefix) || prefix->clock != STRACE_EPOCH ||
        left.length < 2 || strchr("[(\033 \t\r", left.bytes[1]) != NULL) {
        *prefix = (struct strace_prefix){.thread = EVENT_NONE};
        return false;
    }
    prefix->thread = thread;
    *rest = left;
    return true;
}

void strace_parse_prefix(struct word *rest, struct strace_prefix *prefix) {
    bool more = true, context = false;

    *prefix = (struct strace_prefix){.thread = EVENT_NONE};
    if (next_usual_prefix(rest, prefix)) {
        return;
    }
    while (more) {
        struct word left = word_trim_left(*rest);
        bool padded = left.length < rest->length && prefix->thread == EVENT_NONE;

        while (skip_colour(&left)) {
        }
        if (left.length == 0) {
            return;
        }
        if (*left.bytes == '[') {
            more = cut_bracketed_prefix(&left, prefix);
            /* brackets before the thread number, such as a security context */
            context = prefix->thread == EVENT_NONE;
        } else if (*left.bytes == '(') {
            more = cut_time_difference(&left);
        } else {
            more = word_is_digit(*left.bytes) && !(context && is_whole_number(left)) &&
                   next_prefix_number(&left, padded, prefix);
        }
        if (more) {
            *rest = left;
        }
    }
}

/* Reasons why records are rejected, ignored or merged, as report ledger prints them. */
static const char bad_result[] = "result is beyond 64 bits";
static const char two_lines[] = "more than one line, joined as if wrapped";

void strace_remove_colours(struct word *line, struct text *plain) {
    struct word rest;

    while (line->length > 0 && line->bytes[line->length - 1] == '\r') {
        line->length--;
    }
    if (memchr(line->bytes, '\033', line->length) == NULL) {
        return;
    }
    text_clear(plain);
    for (rest = *line; rest.length > 0;) {
        if (!skip_colour(&rest)) {
            text_append_char(plain, *rest.bytes);
            word_skip(&rest, 1);
        }
    }
    *line = (struct word){text_string(plain), plain->length};
}

/* --- result of a call ------------------------------------------------------------------------- */

/* Parses an error: ENOENT (No such file or directory), (errno 123), E??? (errno 123), ERRNO_123
 * (...). */
static void strace_line_parse_error(struct word rest, struct strace_result *result) {
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

/* Returns whether strace itself set the result (-e inject=CALL:error=… or :retval=…). */
static bool is_injected(struct word rest) {
    if (word_ends(rest, " (DELAYED)")) {
        rest.length -= strlen(" (DELAYED)");
    }
    return word_ends(rest, "(INJECTED)") || word_ends(rest, "(INJECTED: args, retval)");
}

/* Parses the text after "=". Sets `*beyond` if it is a number that does not fit into 64 bits. */
static bool strace_line_parse_result(struct word text, struct strace_result *result, bool *beyond) {
    struct word rest;

    *result = (struct strace_result){.error_number = EVENT_NONE, .thread = EVENT_NONE};
    *beyond = false;
    text = word_trim(text);
    if (word_begins(text, "?")) {
        word_skip(&text, 1);
        text = word_trim_left(text);
        strace_line_parse_error(text, result);
        return text.length == 0 || result->error.length > 0 || *text.bytes == '<' ||
               *text.bytes == '(';
    }
    if (text.length > 0 && text.length < WORD_SAFE_DIGITS &&
        (text.length == 1 || *text.bytes != '0') && word_number(text, INT64_MAX, &result->value)) {
        result->known = true;
        result->thread = result->value;
        return true;
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
        strace_line_parse_error(rest, result);
    } else {
        /* A thread in another PID namespace has a comment with its number in strace's namespace. */
        struct word digits = rest;
        int64_t number;

        if (word_accept(&digits, "/*") && word_next_number(&digits, INT32_MAX, &number) &&
            word_accept(&digits, "in strace's PID NS")) {
            result->thread = number;
        }
    }
    result->injected = is_injected(rest);
    /* FreeBSD's truss prints a result twice, = 3 (0x3): not a line of strace. */
    return rest.length == 0 || (strchr("(E/<[", *rest.bytes) != NULL && !word_begins(rest, "(0x"));
}

/* Returns whether `close` is the parenthesis after the arguments: "=" and a result follow it. */
static bool is_end(const char *close, const char *end, struct strace_result *result, bool *beyond) {
    struct word rest = word_trim_left(word_between(close + 1, end));

    if (!word_begins(rest, "=") || (rest.length > 1 && !word_is_blank(rest.bytes[1]))) {
        return false;
    }
    word_skip(&rest, 1);
    return strace_line_parse_result(rest, result, beyond);
}

/* Finds the last parenthesis that may close the arguments; NULL: none. Sets `*beyond` if a number
 * after "=" does not fit into 64 bits. */
static const char *last_end(struct word text, struct strace_result *result, bool *beyond) {
    const char *end = text.bytes + text.length, *close = end;

    while ((close = memrchr(text.bytes, ')', (size_t)(close - text.bytes))) != NULL) {
        if (is_end(close, end, result, beyond)) {
            return close;
        }
    }
    return NULL;
}

const char *strace_find_last_result(struct word text, struct strace_result *result) {
    bool beyond;

    return last_end(text, result, &beyond);
}

/* Removes the duration (-T) from the end of a line. */
static void strace_line_cut_duration(struct word *text, struct strace_line *parsed) {
    const char *open;
    struct word inside;

    *text = word_trim(*text);
    if (text->length < 4 || text->bytes[text->length - 1] != '>' ||
        !word_is_digit(text->bytes[text->length - 2])) {
        return;
    }
    open = text->bytes + text->length - 2;
    while (open > text->bytes && (word_is_digit(*open) || *open == '.')) {
        open--;
    }
    if (*open != '<') {
        open = memrchr(text->bytes, '<', text->length);
    }
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

/* Consumes a comment that a user wrote after a result, "= 10 # the log". False if there is none. */
static bool strace_line_cut_comment(struct word *text, const char *from) {
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

/* --- calls ------------------------------------------------------------------------------------ */

/* Marks that strace prints at the end of a line in place of a result, such as <unfinished ...>. */
enum mark { MARK_NONE, MARK_UNFINISHED, MARK_NEVER };

/* Consumes a mark at the end of a text, and one blank before it. */
static enum mark cut_mark(struct word *text) {
    static const char unfinished[] = "<unfinished ...>", moved[] = "<pid changed to ";
    struct word all = word_trim(*text), mark;
    enum mark kind = MARK_NEVER;
    const char *open;

    if (all.length < 10 || all.bytes[all.length - 1] != '>' ||
        (open = memrchr(all.bytes, '<', all.length)) == NULL) {
        return MARK_NONE;
    }
    mark = word_between(open, all.bytes + all.length);
    if (word_is(mark, unfinished) || (word_begins(mark, moved) && word_ends(mark, " ...>"))) {
        kind = MARK_UNFINISHED;
    } else if (!word_is(mark, "<detached ...>") &&
               !word_begins(mark, "<unfinished ... exit status ")) {
        return MARK_NONE;
    }
    *text = word_between(all.bytes, open);
    if (word_ends(*text, " ")) {
        text->length--;
    }
    return kind;
}

/* Returns the name of a call, which precedes a parenthesis; length 0 if there is none. */
static struct word syscall_name_in_line(struct word body) {
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

/* Parses a call; `rest` begins after the parenthesis that opens its arguments. */
static const char *strace_line_parse_call(struct word rest, struct strace_line *parsed) {
    enum mark mark = MARK_NONE;
    struct word bare = rest;
    bool beyond = false;
    const char *close;

    strace_line_cut_duration(&rest, parsed);
    if (parsed->duration == EVENT_NONE && (mark = cut_mark(&bare)) != MARK_NONE) {
        rest = bare;
        parsed->form = mark == MARK_UNFINISHED ? STRACE_UNFINISHED : STRACE_CALL;
        parsed->text = rest;
        parsed->argument_count = strace_split(rest, parsed->arguments);
        return NULL;
    }
    close = strace_find_close(rest, parsed->arguments, &parsed->argument_count);
    parsed->fits =
        close != NULL && is_end(close, rest.bytes + rest.length, &parsed->result, &beyond);
    bare = rest;
    if (close != NULL && parsed->duration == EVENT_NONE && strace_line_cut_comment(&bare, close)) {
        strace_line_cut_duration(&bare, parsed);
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

/* Parses a resumed call; `rest` begins after "<... ". */
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
    strace_line_cut_duration(&rest, parsed);
    close = last_end(rest, &parsed->result, &beyond);
    quote = memrchr(rest.bytes, '"', rest.length);
    if (close == NULL && strace_line_cut_comment(&rest, quote == NULL ? rest.bytes : quote)) {
        strace_line_cut_duration(&rest, parsed);
        close = last_end(rest, &parsed->result, &beyond);
    }
    parsed->form = close == NULL ? STRACE_CUT : STRACE_RESUMED;
    parsed->text = close == NULL ? rest : word_between(rest.bytes, close);
    return beyond ? bad_result : NULL;
}

/* Returns whether input/peel.h joined a line with the next one by mistake: the line has exactly the
 * width at which others are wrapped, but the next line is complete by itself. */
static bool is_joined(const struct strace_line *parsed) {
    static const char unfinished[] = "<unfinished ...>";
    struct word text = word_trim(parsed->body), after, arguments[STRACE_ARGUMENTS];
    const char *end = text.bytes + text.length, *mark, *close;
    struct strace_result result;
    size_t count, noted = 0;

    if (parsed->form < STRACE_CALL || parsed->form > STRACE_RESUMED_HALF) {
        return false;
    }
    if (word_has(text, "strace:") || word_has(text, " attached")) {
        noted = parsed->argument_count;
    }
    for (size_t i = 0; i < noted; i++) { /* only if a message of strace is in the line */
        if ((word_ends(parsed->arguments[i], " attached") ||
             word_has(parsed->arguments[i], "strace:")) &&
            memchr("\"[{", *parsed->arguments[i].bytes, 3) == NULL) {
            return true;
        }
    }
    text = word_between(parsed->text.bytes, end);
    close = parsed->fits ? text.bytes + parsed->text.length
                         : strace_find_close(text, arguments, &count);
    if (close == NULL) {
        mark = text.bytes == NULL ? NULL
                                  : memmem(text.bytes, text.length, unfinished, strlen(unfinished));
        /* In a string, or in wait4(-1, <unfinished ...>) = ?, the mark is not the end of a line. */
        return mark != NULL && mark + strlen(unfinished) < end &&
               memchr("\\\")", mark[strlen(unfinished)], 3) == NULL;
    }
    after = word_trim(word_between(close + 1, end));
    return word_begins(after, "=") &&
           (word_ends(after, " ---") || word_ends(after, " +++") || word_ends(after, unfinished) ||
            strace_find_last_result(after, &result) != NULL);
}

/* --- lines without a call --------------------------------------------------------------------- */

/* Parses the end of a thread, +++ … +++. */
static void strace_line_parse_exit(struct word rest, struct strace_line *parsed) {
    if (word_accept(&rest, "superseded by execve in pid")) {
        parsed->form =
            word_next_number(&rest, INT32_MAX, &parsed->number) ? STRACE_SUPERSEDED : STRACE_OTHER;
    } else if (word_accept(&rest, "exited") || word_accept(&rest, "killed")) {
        parsed->form = STRACE_EXITED;
    }
}

/* Parses a message such as Process 123 attached, suspended, resumed or detached. */
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

/* Returns whether a line has only headings of the table of strace -C, in any order (-U). */
static bool is_summary_head(struct word line) {
    static const char *const headings[] = {"%",      "time",    "seconds",  "usecs/call", "calls",
                                           "errors", "syscall", "shortest", "longest"};
    size_t count = 0, known = 0;

    while ((line = word_trim_left(line)).length > 0 && known == count) {
        struct word heading = word_next(&line);

        count++;
        for (size_t i = 0; i < sizeof headings / sizeof headings[0]; i++) {
            known += word_is(heading, headings[i]);
        }
    }
    return count > 1 && known == count;
}

/* Parses a line without a prefix, such as a message of strace. False if it is no such line. */
static bool strace_line_parse_bare(struct word line, struct strace_line *parsed) {
    struct word rest = line;

    if (line.length > 1 && *line.bytes == ' ' && line.bytes[1] == '>') {
        parsed->form = STRACE_STACK;
    } else if (word_begins(line, " | ") ||
               (word_begins(line, " * ") && memmem(line.bytes, line.length, " in buffer ", 11))) {
        parsed->form = STRACE_DUMP;
    } else if (is_summary_head(line) || word_begins(line, "System call usage summary")) {
        parsed->form = STRACE_SUMMARY;
    } else if (word_accept(&rest, "strace: ")) {
        if (!parse_process_note(rest, parsed)) {
            parsed->form = STRACE_NOTE;
        }
    } else if (word_begins(line, "[ Process ") || word_begins(line, "[stopped ") ||
               word_begins(line, "???")) { /* ???() = ?: the thread has ended */
        parsed->form = STRACE_NOTE;
    } else {
        return word_begins(line, "Process ") && parse_process_note(line, parsed);
    }
    return true;
}

static const char *strace_line_parse_body(struct strace_line *parsed) {
    struct word rest = parsed->body;

    parsed->name = syscall_name_in_line(rest);
    if (parsed->name.length > 0) {
        word_skip(&rest, parsed->name.length + 1);
        return strace_line_parse_call(rest, parsed);
    }
    if (word_accept(&rest, "<... ")) {
        return parse_resumed(rest, parsed);
    }
    if (word_begins(rest, "--- ") && word_ends(word_trim(rest), " ---")) {
        parsed->form = STRACE_SIGNAL;
    } else if (word_begins(rest, "+++ ") && word_ends(word_trim(rest), " +++")) {
        word_skip(&rest, strlen("+++ "));
        strace_line_parse_exit(rest, parsed);
    } else if (rest.length > 0) {
        strace_line_parse_bare(rest, parsed);
    }
    return NULL;
}

const char *strace_parse(struct word line, struct strace_line *parsed) {
    const struct word none = {line.bytes, 0};
    const char *reason;

    parsed->prefix = (struct strace_prefix){.thread = EVENT_NONE};
    parsed->form = STRACE_OTHER;
    parsed->name = none;
    parsed->text = none;
    parsed->argument_count = 0;
    parsed->fits = false;
    parsed->result = (struct strace_result){.error_number = EVENT_NONE, .thread = EVENT_NONE};
    parsed->duration = parsed->number = EVENT_NONE;
    parsed->body = line;
    if (word_trim_left(line).length == 0 || *line.bytes == '#') {
        parsed->form = STRACE_BLANK;
        return NULL;
    }
    if (!word_is_digit(*line.bytes) && strace_line_parse_bare(line, parsed)) {
        return NULL;
    }
    strace_parse_prefix(&parsed->body, &parsed->prefix);
    parsed->body = word_trim_left(parsed->body);
    reason = strace_line_parse_body(parsed);
    return reason == NULL && is_joined(parsed) ? two_lines : reason;
}

/* --- times of lines --------------------------------------------------------------------------- */

static const char other_clock[] = "another form of time than the lines before";
static const char too_early[] = "earlier than the first 256 KiB of the log";
static const char too_late[] = "time beyond 292 years";

int64_t strace_line_time(struct strace_days *days, const struct strace_prefix *prefix) {
    int64_t time = prefix->time;

    if (prefix->clock == STRACE_DAY) {
        time += days->day;
        if (time < days->last - DAY / 2) {
            days->day += DAY;
            time += DAY;
        } else if (time > days->last + DAY / 2 && time - DAY > days->last - HOUR && days->day > 0) {
            return time - DAY; /* a call that began before midnight, but was printed after it */
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

const char *strace_times_read(struct strace_times *times, struct strace_days *days,
                              const struct strace_prefix *prefix, int64_t *time) {
    *time = times->now;
    if (times->clock == STRACE_NO_CLOCK && prefix->clock == STRACE_NO_CLOCK) {
        *time = ++times->now;
        return NULL;
    }
    if (prefix->clock == STRACE_NO_CLOCK) {
        return NULL;
    }
    if (prefix->clock != times->clock) {
        return other_clock;
    }
    if (prefix->clock == STRACE_RELATIVE) {
        if (__builtin_add_overflow(times->now, prefix->time, time)) {
            return too_late;
        }
    } else {
        *time = strace_line_time(days, prefix) - times->base;
        if (*time < 0) {
            return too_early;
        }
        times->back = times->back || (prefix->clock == STRACE_EPOCH && *time < times->now - DAY);
    }
    times->decimals |= prefix->decimals > 0;
    times->now = *time;
    return NULL;
}

/* Returns whether a line begins with blanks and a number without a fraction; sets `*number`. */
static bool has_indented_number(struct word line, struct word *trimmed, int64_t *number) {
    struct word rest;
    size_t digits;

    if (line.length == 0 || !word_is_blank(*line.bytes)) {
        return false;
    }
    *trimmed = rest = word_trim_left(line);
    digits = word_digits(rest);
    if (digits == 0 || digits == rest.length || digits > 8) {
        return false;
    }
    return word_number((struct word){rest.bytes, digits}, INT64_MAX, number) &&
           (rest.bytes[digits] == ' ' || rest.bytes[digits] == '<');
}

void strace_skip_indent(struct word *line, const struct strace_first *first) {
    struct word trimmed = word_trim_left(*line);
    int64_t number;

    if (first->whole_seconds) {
        return;
    }
    word_skip(line, line->length - trimmed.length >= first->indent ? first->indent : 0);
    if (has_indented_number(*line, &trimmed, &number)) {
        *line = trimmed;
    }
}

/* Returns whether the log has times of -r without a fraction: some line begins with blanks and the
 * number 0, which no thread has. */
static bool strace_has_whole_seconds(const char *bytes, size_t length) {
    for (struct word rest = {bytes, length}; rest.length > 0;) {
        struct word trimmed;
        int64_t number;

        if (has_indented_number(word_field(&rest, '\n'), &trimmed, &number) && number == 0) {
            return true;
        }
    }
    return false;
}

void strace_first_times(const char *bytes, size_t length, struct strace_first *first) {
    const char *end = length < READER_WINDOW ? NULL : memrchr(bytes, '\n', length);
    /* If there is more of the file, the last line may be cut off within its time: leave it out. */
    struct word all = {bytes, end == NULL ? length : (size_t)(end - bytes)};
    struct strace_days days = {0};
    /* Use the clock of most lines, since the first line may be cut off within its time. */
    struct {
        int64_t time;
        size_t lines;
    } clocks[STRACE_RELATIVE + 1] = {{0}}, *of;
    size_t most = 0;
    bool called = false, table = false;

    *first = (struct strace_first){
        .clock = STRACE_NO_CLOCK,
        .whole_seconds = strace_has_whole_seconds(bytes, length),
    };
    while (all.length > 0) {
        struct word rest = word_field(&all, '\n'), line = word_trim(rest);
        size_t indent = (size_t)(line.bytes - rest.bytes);
        struct strace_prefix prefix;
        int64_t time;

        rest.length -= word_ends(rest, "\r");
        first->widest = rest.length < most ? first->widest : rest.length > most ? SIZE_MAX : most;
        most = rest.length > most ? rest.length : most;
        rest.length = indent + line.length;
        strace_skip_indent(&rest, first);
        strace_parse_prefix(&rest, &prefix);
        if (!called && syscall_name_in_line(word_trim_left(rest)).length > 0) {
            called = true;
            first->indent = indent;
        }
        first->durations =
            first->durations || (line.length > 2 && line.bytes[line.length - 1] == '>' &&
                                 word_is_digit(line.bytes[line.length - 2]));
        /* Rows of the table of -C begin with numbers, which must not be taken for times of -r. */
        table = table || is_summary_head(line);
        if (table || prefix.clock == STRACE_NO_CLOCK) {
            table = table && !word_has(line, "total");
            continue;
        }
        of = &clocks[prefix.clock];
        time = strace_line_time(&days, &prefix);
        of->time = of->lines++ == 0 || time < of->time ? time : of->time;
        if (of->lines > clocks[first->clock].lines) {
            first->clock = prefix.clock;
        }
    }
    first->time = clocks[first->clock].time;
}
