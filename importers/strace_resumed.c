/* Joins lines of a strace log that were broken by a message of strace, or on the same terminal by
 * output or input of the program.
 *
 *     clone(child_stack=NULL, flags=SIGCHLDstrace: Process 30 attached
 *     , child_tidptr=0xf965650) = 30
 *
 *     write(1, "one\ntwo\n", 8one
 *     two
 *     ) = 8
 *
 *     read(0, what was typed
 *     "what was typed\n", 1024)        = 15
 *
 *     no end of line[pid 7] <... mmap resumed>) = 0x7efd74000000
 *
 * For each log file, one incomplete call is stored until its rest is read. */
#include "strace_state.h"

#include "syscalls.h"

void strace_partial_line_free(struct strace_partial_line *partial) {
    text_free(&partial->text);
    text_free(&partial->joined);
    text_free(&partial->room);
}

/* Finds a message such as "strace: Process 30 attached" at the end of a line, perhaps after the ^C
 * that a terminal shows. Returns its offset; the line's length if there is none. `*process` is the
 * process attached to; EVENT_NONE: none. */
static size_t find_note(struct word line, int64_t *process) {
    static const char attached[] = " attached", detached[] = " detached", begin[] = "Process ";
    static const char named[] = "strace: ";
    const size_t whole = line.length;
    struct word rest;
    int64_t number;
    bool attaches;
    size_t at;

    *process = EVENT_NONE;
    line.length -= word_trim_left(line).length - word_trim(line).length;
    attaches = word_ends(line, attached);
    if (!attaches && !word_ends(line, detached)) {
        return whole;
    }
    rest = line;
    at = line.length - (sizeof attached - 1);
    while (at > 0 && word_is_digit(line.bytes[at - 1])) {
        at--;
    }
    word_skip(&rest, at);
    if (!word_next_number(&rest, INT32_MAX, &number) ||
        !word_ends((struct word){line.bytes, at}, begin)) {
        return whole;
    }
    *process = attaches ? number : EVENT_NONE;
    at -= sizeof begin - 1;
    at -= word_ends((struct word){line.bytes, at}, named) ? sizeof named - 1 : 0;
    return word_ends((struct word){line.bytes, at}, "^C") ? at - 2 : at;
}

void strace_partial_line_store(struct strace_partial_line *partial, struct word line,
                               int64_t offset, int64_t bytes, int64_t *attached) {
    size_t length = find_note(line, attached);

    partial->is = partial->last = true;
    partial->noted = length < line.length;
    partial->tried = 0;
    partial->offset = offset;
    partial->bytes = bytes;
    text_clear(&partial->text);
    text_append(&partial->text, line.bytes, length);
}

/* Returns whether a line begins like the rest of a call. */
static bool strace_resumed_goes_on(struct word rest) {
    return word_begins(rest, ")") || word_begins(rest, ", ") || word_begins(rest, " <unfinished") ||
           word_begins(rest, " => ");
}

/* Parses a line joined from the first `kept` bytes of the stored text and `rest`. */
static bool join_call_at(struct strace_partial_line *partial, size_t kept, struct word rest,
                         struct strace_line *parsed) {
    partial->tried += kept + rest.length;
    text_clear(&partial->joined);
    text_append(&partial->joined, partial->text.bytes, kept);
    text_append(&partial->joined, rest.bytes, rest.length);
    return strace_parse((struct word){partial->joined.bytes, partial->joined.length}, parsed) ==
               NULL &&
           parsed->form != STRACE_CUT;
}

/* Where the arguments begin in the stored line of a call, as byte offsets. At one of them, strace's
 * text ends and output of the program begins. */
struct begins {
    struct word arguments[STRACE_ARGUMENTS + 1]; /* the last one may be empty */
    size_t at[STRACE_ARGUMENTS + 1];
    size_t count;
};

static void find_argument_starts(const struct strace_partial_line *partial, struct begins *begins) {
    const char *bytes = partial->text.bytes;
    const char *open = memchr(bytes, '(', partial->text.length);
    struct word all = word_between(open == NULL ? bytes : open + 1, bytes + partial->text.length);
    size_t count = open == NULL ? 0 : strace_split(all, begins->arguments);

    for (size_t i = 0; i < count; i++) {
        begins->at[i] = (size_t)(begins->arguments[i].bytes - bytes);
    }
    if (open != NULL && (count == 0 || word_ends(all, ", "))) {
        begins->arguments[count] = word_of("");
        begins->at[count++] = partial->text.length;
    }
    begins->count = count;
}

/* Removes output of the program that follows a number, as in write(1, "a\n", 2a. */
static void cut_output(struct strace_partial_line *partial) {
    struct begins begins;
    int64_t number;
    struct word rest;

    find_argument_starts(partial, &begins);
    for (size_t i = 0; i < begins.count; i++) {
        if (strace_number(begins.arguments[i], &number, &rest) && rest.length > 0 &&
            *rest.bytes != '<' && *rest.bytes != ' ') {
            partial->text.length = (size_t)(rest.bytes - partial->text.bytes);
            return;
        }
    }
}

/* Returns whether a word looks like an argument that strace prints: number, string, brackets … */
static bool may_be_argument(struct word argument) {
    size_t i = 0;

    while (i < argument.length &&
           ((argument.bytes[i] >= 'A' && argument.bytes[i] <= 'Z') || argument.bytes[i] == '_' ||
            argument.bytes[i] == '|' || word_is_digit(argument.bytes[i]))) {
        i++;
    }
    return argument.length > 0 && (strchr("\"[{-~", *argument.bytes) != NULL ||
                                   word_begins(argument, "0x") || i == argument.length);
}

/* Returns whether an argument has its name in front, as in clone(flags=SIGCHLD). */
static bool is_named(struct word argument) {
    size_t i = 0;

    while (i < argument.length &&
           ((argument.bytes[i] >= 'a' && argument.bytes[i] <= 'z') || argument.bytes[i] == '_')) {
        i++;
    }
    return i > 0 && i < argument.length && argument.bytes[i] == '=';
}

/* Returns whether a text begins like arguments, or with the parenthesis that closes them. */
static bool may_be_arguments(struct word text) {
    struct word arguments[STRACE_ARGUMENTS];

    return strace_split(text, arguments) > 0 ? may_be_argument(*arguments) : word_begins(text, ")");
}

/* Unless -a is given, strace pads a short call with blanks up to this column before "=". So the
 * number of blanks gives the length of the call without output of the program. For a call broken
 * over two lines, it thus shows how many bytes of each line strace printed. */
#define COLUMN 40

static bool join_padded_call(struct strace_partial_line *partial, struct word rest, size_t length,
                             size_t blanks, struct strace_line *parsed) {
    struct begins begins;

    find_argument_starts(partial, &begins);
    for (int whole = 1; whole >= 0; whole--) {
        for (size_t i = 0; i < begins.count && begins.at[i] + blanks < COLUMN; i++) {
            size_t own = COLUMN - blanks - begins.at[i];
            struct word part = rest;

            if (whole ? own != length : own >= length) {
                continue;
            }
            word_skip(&part, length - own);
            if (may_be_arguments(part) && join_call_at(partial, begins.at[i], part, parsed) &&
                parsed->fits) {
                return true;
            }
        }
    }
    return false;
}

/* Joins a call that is too long for padding. Output of the program is taken to begin at the first
 * argument that does not look like strace's, or at the last argument. */
static bool join_long_call(struct strace_partial_line *partial, struct word rest,
                           struct strace_line *parsed) {
    struct begins begins;
    size_t i = 0;

    find_argument_starts(partial, &begins);
    if (begins.count == 0 || !may_be_arguments(rest)) {
        return false;
    }
    while (i + 1 < begins.count &&
           (may_be_argument(begins.arguments[i]) || is_named(begins.arguments[i]))) {
        i++;
    }
    /* strace printed an argument that has a name, so no output of the program follows it here. */
    return join_call_at(partial,
                        is_named(begins.arguments[i]) ? partial->text.length : begins.at[i], rest,
                        parsed) &&
           parsed->fits;
}

/* Returns whether a line is a complete write(2) after output of the program was removed from it. */
static bool strace_resumed_is_written(struct strace_partial_line *partial,
                                      const struct strace_line *parsed) {
    struct strace_line line = *parsed;
    int64_t bytes;
    struct word left;

    strace_cut_program_output(&line, &partial->room);
    return line.form == STRACE_CALL && line.argument_count > 2 &&
           strace_number(line.arguments[2], &bytes, &left) && left.length == 0 &&
           line.result.known && line.result.value == bytes;
}

static bool is_write(const struct strace_partial_line *partial) {
    struct strace_line begun;

    strace_parse((struct word){partial->text.bytes, partial->text.length}, &begun);
    return word_is(begun.name, "write");
}

/* Joins the stored start of a call with a line that has its end, ") = N". The blanks before "="
 * tell where output of the program begins in the stored line. */
static bool join_rest_of_call(struct strace_partial_line *partial, struct word rest,
                              struct strace_line *parsed) {
    struct strace_result result;
    const char *close = strace_find_last_result(rest, &result), *equals;

    if (close == NULL) {
        return false;
    }
    if (is_write(partial)) {
        return join_call_at(partial, partial->text.length, rest, parsed) &&
               strace_resumed_is_written(partial, parsed);
    }
    equals = memchr(close, '=', (size_t)(rest.bytes + rest.length - close));
    return equals - close > 2 ? join_padded_call(partial, rest, (size_t)(close + 1 - rest.bytes),
                                                 (size_t)(equals - close - 1), parsed)
                              : join_long_call(partial, rest, parsed);
}

/* Maximum bytes parsed in searching the rest of one call. */
#define TRIED ((size_t)16 * 1024 * 1024)

bool strace_partial_line_join(struct strace_partial_line *partial, struct word rest,
                              struct strace_line *parsed) {
    bool goes_on = strace_resumed_goes_on(rest), joined;

    partial->last = false;
    if (partial->tried > TRIED ||
        (partial->full && !goes_on && (partial->noted || !is_write(partial)))) {
        return false;
    }
    if (goes_on && !partial->noted && !is_write(partial)) {
        cut_output(partial);
    }
    joined = goes_on || partial->noted ? join_call_at(partial, partial->text.length, rest, parsed)
                                       : join_rest_of_call(partial, rest, parsed);
    partial->is = !joined;
    return joined;
}

/* Removes the closing parenthesis after arguments. Returns false if more text follows it. */
static bool keep_arguments(struct word *text) {
    struct word arguments[STRACE_ARGUMENTS];
    size_t count;
    const char *close = strace_find_close(*text, arguments, &count);
    const bool more = close != NULL && close + 1 < text->bytes + text->length;

    text->length = close == NULL ? text->length : (size_t)(close - text->bytes);
    return !more;
}

/* Returns the length of the stored text without an incomplete result: up to the parenthesis that
 * closes the arguments, if only blanks, "=" or "= -" follow it; otherwise the whole length. */
static size_t endless_length(const struct strace_partial_line *partial) {
    const struct word text = {partial->text.bytes, partial->text.length};
    struct strace_line parsed;
    const char *close;
    struct word rest;

    if (strace_parse(text, &parsed) != NULL || parsed.form != STRACE_CUT) {
        return text.length;
    }
    close = strace_find_close(parsed.text, parsed.arguments, &parsed.argument_count);
    rest = close == NULL ? text : word_trim(word_between(close + 1, text.bytes + text.length));
    return rest.length == 0 || word_is(rest, "=") || word_is(rest, "= -")
               ? (size_t)(close + 1 - text.bytes)
               : text.length;
}

bool strace_partial_line_parse_unfinished(struct strace_partial_line *partial,
                                          struct strace_line *parsed) {
    if (!partial->is || !partial->last ||
        !join_call_at(partial, endless_length(partial), word_of(" <unfinished ...>"), parsed) ||
        (parsed->form != STRACE_UNFINISHED && parsed->form != STRACE_RESUMED_HALF) ||
        !keep_arguments(&parsed->text)) {
        return false;
    }
    partial->is = false;
    return true;
}

/* --- output of the program in lines of strace ------------------------------------------------- */

enum { INSIDE = 8 }; /* maximum positions in a line that are searched for another line */

bool strace_find_embedded_line(struct word line, struct strace_line *parsed) {
    static const char pid[] = "[pid ";
    const char *end = line.bytes + line.length, *at = line.bytes + 1;

    if (line.length == 0 || (parsed->form != STRACE_OTHER && parsed->form != STRACE_CUT &&
                             (parsed->form != STRACE_CALL || parsed->fits))) {
        return false;
    }
    for (int i = 0;
         i < INSIDE && (at = memmem(at, (size_t)(end - at), pid, sizeof pid - 1)) != NULL;
         i++, at++) {
        struct strace_line inside;

        if (strace_parse(word_between(at, end), &inside) == NULL && inside.prefix.bracketed &&
            inside.form != STRACE_OTHER && inside.form != STRACE_CUT) {
            *parsed = inside;
            return true;
        }
    }
    return false;
}

/* Returns whether a line has the start of a read(2) and then input typed on the terminal, which may
 * look like a call itself: "f(3) = 0". */
static bool strace_is_typed(const struct strace_line *parsed) {
    struct word data = parsed->argument_count < 2 ? word_of("") : parsed->arguments[1];

    return word_is(parsed->name, "read") && data.length > 0 && *data.bytes != '"' &&
           *data.bytes != '0' && !word_begins(data, "NULL");
}

void strace_find_output(const struct strace_partial_line *partial, struct word line,
                        struct strace_line *parsed, struct text *room) {
    struct word string, inside, output, number;
    bool has_nul;

    if (parsed->form != STRACE_CALL) {
        return;
    }
    if (partial->is &&
        memmem(partial->text.bytes, partial->text.length, line.bytes, line.length) != NULL) {
        parsed->form = STRACE_OTHER;
        return;
    }
    if (!parsed->fits && strace_is_typed(parsed)) {
        parsed->form = STRACE_CUT;
    }
    if (parsed->fits || parsed->argument_count < 3 || !word_is(parsed->name, "write")) {
        return;
    }
    string = parsed->arguments[1];
    if (!word_begins(string, "\"") || !syscalls_cut_quoted(&string, &inside, &has_nul)) {
        return;
    }
    text_clear(room);
    syscalls_unquote(inside, room);
    inside = (struct word){text_string(room), room->length};
    output = word_field(&inside, '\n');
    number = parsed->arguments[2];
    number.length = word_digits(number);
    if (output.length > 0 && output.length < room->length && number.length > 0 &&
        line.bytes + line.length == number.bytes + number.length + output.length &&
        memcmp(number.bytes + number.length, output.bytes, output.length) == 0) {
        parsed->form = STRACE_CUT;
    }
}

/* Returns how many of the first digits in `all` are the byte count of a write; what follows is
 * output of the program. `whole`: the string is not abbreviated. */
static size_t digits_of_size(struct word all, struct word string, bool whole, int64_t result) {
    struct word lines = string, printed = word_field(&lines, '\n');
    size_t most = word_digits(all), found = 0;

    for (size_t digits = 1; digits <= most && digits < 20; digits++) {
        struct word rest = all;
        int64_t size;

        if (!word_number((struct word){all.bytes, digits}, INT64_MAX, &size)) {
            break;
        }
        word_skip(&rest, digits);
        if (whole && size == (int64_t)string.length) {
            return digits;
        }
        if (size == result && printed.length > 0 && rest.length >= printed.length &&
            memcmp(rest.bytes, printed.bytes, printed.length) == 0) {
            found = digits;
        }
    }
    return found > 0 ? found : most;
}

void strace_cut_program_output(struct strace_line *parsed, struct text *room) {
    struct word string, all, inside;
    bool has_nul, whole;
    size_t digits;
    int64_t size;

    if (parsed->argument_count < 3 || !word_is(parsed->name, "write")) {
        return;
    }
    string = parsed->arguments[1];
    all = word_between(parsed->arguments[2].bytes, parsed->text.bytes + parsed->text.length);
    digits = word_digits(all);
    /* Of an abbreviated string, the byte count is strace's if it equals the result. */
    if (word_ends(string, "...") && digits == all.length && word_number(all, INT64_MAX, &size) &&
        size == parsed->result.value) {
        return;
    }
    if (!word_begins(string, "\"") || digits == 0 ||
        !syscalls_cut_quoted(&string, &inside, &has_nul)) {
        return;
    }
    whole = string.length == 0;
    /* If the byte count does not exceed the string's length, all its digits are strace's. */
    if (digits == all.length && word_number(all, INT64_MAX, &size) &&
        (whole ? size <= (int64_t)inside.length : size == parsed->result.value)) {
        return;
    }
    text_clear(room);
    syscalls_unquote(inside, room);
    digits = digits_of_size(all, (struct word){text_string(room), room->length}, whole,
                            parsed->result.known ? parsed->result.value : EVENT_NONE);
    parsed->arguments[2].length = digits;
    parsed->text.length = (size_t)(all.bytes + digits - parsed->text.bytes);
    parsed->argument_count = 3;
}
