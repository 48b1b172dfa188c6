#include "strace_arguments.h"

enum {
    ANNOTATION_LENGTH = 16384 + 256, /* of a path in escapes, and what stands behind it */
    ANNOTATIONS_OPEN = 64,           /* of a line, that do not end: no more are looked for */
};

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

    if (type != NULL &&
        (word_begins(word_between(type, inside.bytes + inside.length), "<char ") ||
         word_begins(word_between(type, inside.bytes + inside.length), "<block "))) {
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
    all = word_between(begin, end);
    if (word_begins(all, "/") || word_begins(all, "\\x2f") || word_begins(all, "\\57")) {
        close = end_of_path(begin, last, end);
    } else if (strace_is_name_byte(*begin) || *begin == '\\' || *begin == '(') {
        close = end_of_other(begin, last);
    } else {
        return false;
    }
    if (close == NULL) {
        return false;
    }
    *inside = bare_annotation(word_between(begin, close));
    *rest = word_between(close + 1, end);
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
    struct word argument = word_trim(word_between(walk->begin, walk->at));

    if (walk->count < STRACE_ARGUMENTS && argument.length > 0) {
        walk->arguments[walk->count++] = argument;
    }
    walk->begin = walk->at + 1;
}

/* Passes over a string, constant, comment or annotation, or the single byte that it is not. False:
 * a string does not end. */
static bool pass_over(struct walk *walk) {
    struct word rest = word_between(walk->at, walk->end), inside;
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

static struct walk walk_of(struct word text, struct word arguments[STRACE_ARGUMENTS]) {
    return (struct walk){
        .at = text.bytes,
        .end = text.bytes + text.length,
        .begin = text.bytes,
        .arguments = arguments,
    };
}

size_t strace_split(struct word text, struct word arguments[STRACE_ARGUMENTS]) {
    struct walk walk = walk_of(text, arguments);

    walk_arguments(&walk);
    return walk.count;
}

const char *strace_close(struct word text, struct word arguments[STRACE_ARGUMENTS], size_t *count) {
    struct walk walk = walk_of(text, arguments);
    bool fits = walk_arguments(&walk);

    *count = walk.count;
    return fits && walk.at < walk.end ? walk.at : NULL;
}

struct word strace_value(struct word argument) {
    size_t i = 0;

    if (argument.length == 0 || word_is_digit(*argument.bytes)) {
        return argument;
    }
    while (i < argument.length && strace_is_name_byte(argument.bytes[i])) {
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
