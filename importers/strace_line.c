#include "strace_line.h"

#include <stdlib.h>

#include "base/time_unit.h"

/* Reasons in the ledger. */
static const char bad_result[] = "result is beyond 64 bits";

enum {
    THREAD_DIGITS = 8,  /* of a thread, at most; the kernel's own limit has 7 */
    EPOCH_DIGITS = 11,  /* of seconds since 1970 */
    GROUP_LENGTH = 512, /* of a part of the head in square brackets */
    NANOSECOND_DIGITS = 9,
    ANNOTATION_LENGTH = 16384 + 256, /* of a path in escapes, and what stands behind it */
    ANNOTATIONS_OPEN = 64,           /* of a line, that do not end: no more are looked for */
};

#define EPOCH_LEAST INT64_C(100000000) /* seconds; a smaller number is no time since 1970 */

/* --- pieces ------------------------------------------------------------------------------------
 */

static bool is_name_byte(char byte) {
    return byte == '_' || word_is_digit(byte) || ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'z');
}

static struct word between(const char *begin, const char *end) {
    return (struct word){begin, (size_t)(end - begin)};
}

/* Behind the string whose opening mark stands before `at`; NULL: it does not end. */
static const char *skip_string(const char *at, const char *end) {
    const char *begin = at;

    while ((at = memchr(at, '"', (size_t)(end - at))) != NULL) {
        size_t backslashes = 0;

        while (at - backslashes > begin && at[-1 - (ptrdiff_t)backslashes] == '\\') {
            backslashes++;
        }
        at++;
        if (backslashes % 2 == 0) {
            return at;
        }
    }
    return NULL;
}

/* Behind '\0' or 'a' at `at`; `at` + 1 for what is none. */
static const char *skip_character(const char *at, const char *end) {
    const char *close = at + 2;

    if (end - at > 3 && at[1] == '\\') {
        for (close = at + 3; close < end && close < at + 7 && *close != '\''; close++) {
        }
    }
    return close < end && *close == '\'' ? close + 1 : at + 1;
}

/* Cuts off an escape that changes colours. */
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
        if (!skip_colour(&rest)) {
            text_append_char(plain, *rest.bytes);
            word_skip(&rest, 1);
        }
    }
    *line = (struct word){text_string(plain), plain->length};
    return !plain->failed;
}

/* --- annotations -------------------------------------------------------------------------------
 */

/* Whether a path ends with the angle bracket at `at`: in strace before 4.22 a path may have some of
 * its own. */
static bool ends_path(const char *at, const char *end) {
    return at + 1 == end || strchr(",) ]}(\r", at[1]) != NULL;
}

/* The closing angle bracket of a path before `last`; NULL: there is none. */
static const char *end_of_path(const char *at, const char *last, const char *end) {
    while ((at = memchr(at, '>', (size_t)(last - at))) != NULL && !ends_path(at, end)) {
        at++;
    }
    return at;
}

/* Of anything else: the first one outside square brackets, where arrows stand. */
static const char *end_of_other(const char *at, const char *end) {
    for (size_t depth = 0; at < end; at++) {
        switch (*at) {
        case '[':
            depth++;
            break;
        case ']':
            depth -= depth > 0;
            break;
        case '"':
            at = skip_string(at + 1, end);
            if (at == NULL) {
                return NULL;
            }
            at--;
            break;
        case '>':
            if (depth == 0) {
                return at;
            }
            break;
        default:
            break;
        }
    }
    return NULL;
}

/* Without what a device and a deleted file have behind the name. */
static struct word bare_annotation(struct word inside) {
    static const char deleted[] = " (deleted)";
    const char *type = memrchr(inside.bytes, '<', inside.length);

    if (type != NULL && (word_begins(between(type, inside.bytes + inside.length), "<char ") ||
                         word_begins(between(type, inside.bytes + inside.length), "<block "))) {
        inside.length = (size_t)(type - inside.bytes);
    }
    if (word_ends(inside, deleted)) {
        inside.length -= sizeof deleted - 1;
    }
    return inside;
}

bool strace_annotation(struct word *rest, struct word *inside) {
    const char *begin = rest->bytes + 1, *end = rest->bytes + rest->length, *last = end, *close;
    struct word all;

    if (rest->length < 3 || *rest->bytes != '<') {
        return false;
    }
    if (end - begin > ANNOTATION_LENGTH) {
        last = begin + ANNOTATION_LENGTH;
    }
    all = between(begin, end);
    if (word_begins(all, "/") || word_begins(all, "\\x2f") || word_begins(all, "\\57")) {
        close = end_of_path(begin, last, end);
    } else if (is_name_byte(*begin) || *begin == '\\' || *begin == '(') {
        close = end_of_other(begin, last);
    } else {
        return false;
    }
    if (close == NULL) {
        return false;
    }
    *inside = bare_annotation(between(begin, close));
    *rest = between(close + 1, end);
    if (word_begins(*rest, "(deleted)")) {
        word_skip(rest, strlen("(deleted)"));
    }
    return true;
}

/* --- arguments ---------------------------------------------------------------------------------
 */

/* Bytes that the walk over arguments has to look at. */
static const bool special[256] = {
    ['"'] = true, ['\''] = true, ['('] = true, [')'] = true, ['['] = true, [']'] = true,
    ['{'] = true, ['}'] = true,  [','] = true, ['<'] = true, ['/'] = true,
};

/* Where the walk over arguments is. */
struct walk {
    const char *at, *end;
    const char *begin; /* of the present argument */
    size_t depth;      /* of brackets inside */
    size_t open;       /* annotations that do not end */
    struct word *arguments;
    size_t count;
};

static void end_argument(struct walk *walk) {
    struct word argument = word_trim(between(walk->begin, walk->at));

    if (walk->count < STRACE_ARGUMENTS && argument.length > 0) {
        walk->arguments[walk->count++] = argument;
    }
    walk->begin = walk->at + 1;
}

/* Passes over a string, constant, comment or annotation, or the single byte that it is not. False:
 * a string does not end. */
static bool pass_over(struct walk *walk) {
    struct word rest = between(walk->at, walk->end), inside;
    const char *found = walk->at + 1;

    switch (*walk->at) {
    case '"':
        found = skip_string(walk->at + 1, walk->end);
        break;
    case '\'':
        found = skip_character(walk->at, walk->end);
        break;
    case '/':
        if (word_begins(rest, "/*") && (found = memmem(walk->at + 2, rest.length - 2, "*/", 2))) {
            found += 2;
        }
        break;
    case '<':
        if (walk->at > walk->begin && (word_is_digit(walk->at[-1]) || walk->at[-1] == 'D') &&
            walk->open < ANNOTATIONS_OPEN) {
            walk->open += !strace_annotation(&rest, &inside);
            found = rest.bytes > walk->at ? rest.bytes : found;
        }
        break;
    default:
        break;
    }
    walk->at = found;
    return found != NULL;
}

/* Walks to the bracket that closes the arguments, which is at `walk->at` then, or to the end. False
 * where brackets or strings do not fit. */
static bool walk_arguments(struct walk *walk) {
    while (walk->at < walk->end) {
        if (!special[(uint8_t)*walk->at]) {
            walk->at++;
            continue;
        }
        switch (*walk->at) {
        case '(':
        case '[':
        case '{':
            walk->depth++;
            walk->at++;
            break;
        case ')':
            if (walk->depth == 0) {
                end_argument(walk);
                return true;
            }
            /* fall through */
        case ']':
        case '}':
            if (walk->depth == 0) {
                return false;
            }
            walk->depth--;
            walk->at++;
            break;
        case ',':
            if (walk->depth == 0) {
                end_argument(walk);
            }
            walk->at++;
            break;
        default:
            if (!pass_over(walk)) {
                return false;
            }
            break;
        }
    }
    end_argument(walk);
    return true;
}

size_t strace_split(struct word text, struct word arguments[STRACE_ARGUMENTS]) {
    struct walk walk = {
        .at = text.bytes,
        .end = text.bytes + text.length,
        .begin = text.bytes,
        .arguments = arguments,
    };

    walk_arguments(&walk);
    return walk.count;
}

struct word strace_value(struct word argument) {
    size_t i = 0;

    if (argument.length == 0 || word_is_digit(*argument.bytes)) {
        return argument;
    }
    while (i < argument.length && is_name_byte(argument.bytes[i])) {
        i++;
    }
    if (i > 0 && i < argument.length && argument.bytes[i] == '=' &&
        (i + 1 == argument.length || argument.bytes[i + 1] != '>')) {
        word_skip(&argument, i + 1);
    }
    return argument;
}

bool strace_number(struct word word, int64_t *number, struct word *rest) {
    bool negative = word_begins(word, "-");
    unsigned base = 10;
    uint64_t sum = 0;
    size_t digits = 0;

    *rest = word;
    word_skip(rest, negative);
    if (word_begins(*rest, "0x")) {
        base = 16;
        word_skip(rest, 2);
    } else if (rest->length > 1 && *rest->bytes == '0' && word_is_digit(rest->bytes[1])) {
        base = 8;
    }
    for (; digits < rest->length; digits++) {
        unsigned digit = word_hex_digit(rest->bytes[digits]);

        if (digit >= base) {
            break;
        }
        if (__builtin_mul_overflow(sum, base, &sum) || __builtin_add_overflow(sum, digit, &sum)) {
            return false;
        }
    }
    word_skip(rest, digits);
    if (digits == 0 || (negative && sum > INT64_MAX)) {
        return false;
    }
    *number = negative ? -(int64_t)sum : (int64_t)sum;
    return true;
}

bool strace_descriptor(struct word argument, int64_t *descriptor, struct word *file) {
    struct word rest;

    argument = strace_value(argument);
    *file = (struct word){argument.bytes, 0};
    if (word_begins(argument, "AT_FDCWD")) {
        *descriptor = STRACE_DIRECTORY;
        rest = argument;
        word_skip(&rest, strlen("AT_FDCWD"));
    } else if (!strace_number(argument, descriptor, &rest)) {
        return false;
    }
    if (*descriptor == UINT32_MAX + (int64_t)STRACE_DIRECTORY + 1) {
        *descriptor = STRACE_DIRECTORY; /* -X raw */
    }
    if (rest.length > 0 && *rest.bytes == '<') {
        strace_annotation(&rest, file);
    }
    return true;
}

/* --- the head ----------------------------------------------------------------------------------
 */

/* Digits at the begin of a word. */
static size_t count_digits(struct word word) {
    size_t digits = 0;

    while (digits < word.length && word_is_digit(word.bytes[digits])) {
        digits++;
    }
    return digits;
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
    digits = count_digits(*rest);
    if (digits == 0 || digits > NANOSECOND_DIGITS) {
        return false;
    }
    for (size_t i = 0; i < NANOSECOND_DIGITS; i++) {
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
        if (count_digits(*rest) != 2) {
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

/* Cuts off a number that begins the line, or follows a thread: a thread or a time. */
static bool next_head_number(struct word *rest, bool padded, struct strace_head *head) {
    size_t digits = count_digits(*rest);
    char behind = digits < rest->length ? rest->bytes[digits] : ' ';
    struct word left = *rest;

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

        while (skip_colour(&left)) {
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

/* --- the result --------------------------------------------------------------------------------
 */

/* ENOENT (No such file or directory), (errno 123), E??? (errno 123), ERRNO_123 (...). */
static void parse_error(struct word rest, struct strace_result *result) {
    size_t length = 0;
    const char *number;

    while (length < rest.length &&
           (is_name_byte(rest.bytes[length]) || rest.bytes[length] == '?')) {
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
        struct word digits = between(number + 7, rest.bytes + rest.length);

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
        *beyond = count_digits(text) == text.length && text.length > 0;
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
    struct word rest = word_trim_left(between(close + 1, end));

    if (!word_begins(rest, "=") || (rest.length > 1 && !word_is_blank(rest.bytes[1]))) {
        return false;
    }
    word_skip(&rest, 1);
    return parse_result(rest, result, beyond);
}

/* The last bracket of the text that can be the one behind the arguments; NULL: none. */
static const char *last_end(struct word text, struct strace_result *result, bool *beyond) {
    const char *end = text.bytes + text.length, *close = end;

    while ((close = memrchr(text.bytes, ')', (size_t)(close - text.bytes))) != NULL) {
        if (is_end(close, end, result, beyond)) {
            return close;
        }
    }
    return NULL;
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
    inside = between(open + 1, text->bytes + text->length - 1);
    if (word_seconds(inside, 0, NANOSECOND_DIGITS, INT64_MAX / SECOND - 1, &parsed->duration)) {
        text->length = (size_t)(open - text->bytes);
    } else {
        parsed->duration = EVENT_NONE;
    }
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
    mark = between(open, all.bytes + all.length);
    if (word_is(mark, unfinished)) {
        kind = MARK_UNFINISHED;
    } else if (!word_is(mark, "<detached ...>") &&
               !word_begins(mark, "<unfinished ... exit status ") &&
               !(word_begins(mark, "<pid changed to ") && word_ends(mark, " ...>"))) {
        return MARK_NONE;
    }
    *text = between(all.bytes, open);
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
    while (length < body.length && is_name_byte(body.bytes[length])) {
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
    struct walk walk = {.arguments = parsed->arguments, .begin = rest.bytes, .at = rest.bytes};
    bool beyond = false, walked;
    const char *close;

    if (mark != MARK_NONE) {
        parsed->form = mark == MARK_UNFINISHED ? STRACE_UNFINISHED : STRACE_CALL;
        parsed->text = rest;
        parsed->argument_count = strace_split(rest, parsed->arguments);
        return NULL;
    }
    cut_duration(&rest, parsed);
    walk.end = rest.bytes + rest.length;
    walked = walk_arguments(&walk) && walk.at < walk.end;
    close = walk.at;
    parsed->argument_count = walk.count;
    if (!walked || !is_end(close, walk.end, &parsed->result, &beyond)) {
        close = beyond ? NULL : last_end(rest, &parsed->result, &beyond);
        if (close == NULL) {
            parsed->form = STRACE_CUT;
            parsed->text = rest;
            return beyond ? bad_result : NULL;
        }
        parsed->argument_count = strace_split(between(rest.bytes, close), parsed->arguments);
    }
    parsed->form = STRACE_CALL;
    parsed->text = between(rest.bytes, close);
    return NULL;
}

/* Behind "<... ". */
static const char *parse_resumed(struct word rest, struct strace_line *parsed) {
    static const char resumed[] = " resumed>";
    struct word name = {rest.bytes, 0};
    bool beyond = false;
    enum mark mark;
    const char *close;

    while (name.length < rest.length &&
           (is_name_byte(rest.bytes[name.length]) || rest.bytes[name.length] == '?')) {
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
    parsed->form = close == NULL ? STRACE_CUT : STRACE_RESUMED;
    parsed->text = close == NULL ? rest : between(rest.bytes, close);
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
