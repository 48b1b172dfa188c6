#include "input/peel_line.h"

#include <strings.h>

/* --- patterns of prefixes --------------------------------------------------------------------- */

enum {
    NAME_MOST = 128,   /* maximum bytes of a word in a pattern */
    NUMBER_MOST = 12,  /* maximum digits of a number in a pattern */
    EPOCH_DIGITS = 10, /* digits of a time in seconds since 1970 */
};

static bool peel_line_is_letter(char byte) {
    return (byte | 0x20) >= 'a' && (byte | 0x20) <= 'z';
}

static bool is_capital(char byte) {
    return byte >= 'A' && byte <= 'Z';
}

static bool is_of_name(char byte) {
    return peel_line_is_letter(byte) || word_is_digit(byte) ||
           (byte != '\0' && strchr("._@/+-", byte));
}

static bool is_of_tag(char byte) {
    return byte != ':' && byte != '(' && byte != '\n';
}

/* Consumes up to `most` bytes for which `is` returns true. Returns false if there is none. */
static bool cut_run(struct word *rest, bool (*is)(char byte), size_t most) {
    size_t length = 0;

    while (length < rest->length && length < most && is(rest->bytes[length])) {
        length++;
    }
    word_skip(rest, length);
    return length > 0;
}

/* Consumes a fraction, ".123", if present. */
static void cut_fraction(struct word *rest) {
    struct word left = *rest;

    if (word_begins(left, ".") || word_begins(left, ",")) {
        word_skip(&left, 1);
        *rest = cut_run(&left, word_is_digit, NUMBER_MOST) ? left : *rest;
    }
}

/* Consumes a time zone, "Z", "+0100", "+01:00" or " +0100", if present. */
static void cut_zone(struct word *rest) {
    struct word left = *rest;

    if (word_begins(left, "Z")) {
        word_skip(rest, 1);
        return;
    }
    word_skip(&left, word_begins(left, " "));
    if (word_begins(left, "+") || word_begins(left, "-")) {
        word_skip(&left, 1);
        if (word_digits(left) == 4) {
            word_skip(&left, 4);
            *rest = left;
        } else if (word_digits(left) == 2) {
            word_skip(&left, 2);
            word_skip(&left, word_begins(left, ":"));
            *rest = cut_run(&left, word_is_digit, 2) ? left : *rest;
        }
    }
}

/* Consumes one element of a pattern: # number, _ blanks, b optional blanks, A letters, p capital
 * letter, @ seconds since 1970, w name, W optional rest of a name, % tag, f optional fraction, z
 * optional time zone, $ blank or end. Any other byte matches itself. */
static bool cut_part(struct word *rest, char part) {
    switch (part) {
    case '#':
        return cut_run(rest, word_is_digit, NUMBER_MOST);
    case '@':
        return word_digits(*rest) == EPOCH_DIGITS && cut_run(rest, word_is_digit, EPOCH_DIGITS);
    case '_':
        return cut_run(rest, word_is_blank, NAME_MOST);
    case 'b':
        cut_run(rest, word_is_blank, NAME_MOST);
        return true;
    case 'A':
        return cut_run(rest, peel_line_is_letter, NUMBER_MOST);
    case 'p':
        return cut_run(rest, is_capital, 1);
    case 'w':
        return cut_run(rest, is_of_name, NAME_MOST);
    case 'W':
        cut_run(rest, is_of_name, NAME_MOST);
        return true;
    case '%':
        return cut_run(rest, is_of_tag, NAME_MOST);
    case 'f':
        cut_fraction(rest);
        return true;
    case 'z':
        cut_zone(rest);
        return true;
    case '$':
        if (rest->length > 0 && !word_is_blank(*rest->bytes)) {
            return false;
        }
        word_skip(rest, rest->length > 0);
        return true;
    default:
        if (rest->length == 0 || *rest->bytes != part) {
            return false;
        }
        word_skip(rest, 1);
        return true;
    }
}

/* Consumes the text that the first matching pattern of a list matches. The list ends with NULL. */
static bool cut_any(struct word *rest, const char *const *patterns) {
    for (; *patterns != NULL; patterns++) {
        struct word left = *rest;
        const char *part = *patterns;

        while (*part != '\0' && cut_part(&left, *part)) {
            part++;
        }
        if (*part == '\0') {
            *rest = left;
            return true;
        }
    }
    return false;
}

/* --- prefixes of each layer ------------------------------------------------------------------- */

static const char *const times[] = {"#-#-#T#:#:#fz",
                                    "A_#_#:#:#f",
                                    "#-#-# #:#:#fz",
                                    "#-#_#:#:#fz",
                                    "A_#-#-#_#:#:#f_A",
                                    "A_A_#_#:#:#f_#",
                                    "[A_#_#:#:#f]",
                                    "[#-#-#T#:#:#fz]",
                                    "[#-#-# #:#:#fz]",
                                    "[b#.#]",
                                    "#:#:#f",
                                    "@.#",
                                    NULL};
static const char *const cri[] = {"_stdout_F$", "_stdout_P$", "_stderr_F$", "_stderr_P$", NULL};
static const char *const priority[] = {"<#>#_", "<#>", NULL};
static const char *const syslog[] = {"_w_w_w_w_-$", "_w_w_w_w_[%]$", NULL};
static const char *const journal[] = {"_w_w[#]:$", "_w_w:$", NULL};
static const char *const logcat[] = {"_#_#_p_%:$", "_w_#_#_p_%:$", "_p/%(b#):$", NULL};
static const char *const brief[] = {"p/%(b#):$", "p/%:$", "p(b#:b#)$", "b#.#_#_#_p_%:$", NULL};
/* Prefixes with container names: `containers` of docker compose, kubectl and others; `pods` of
 * stern. */
static const char *const containers[] = {"w_|$", "[AW]$", NULL};
static const char *const pods[] = {"w_AW$", NULL};
/* GitLab writes 00O or 00E after the time */
static const char *const colon[] = {":$", "_#O$", "_#E$", "$", NULL};

/* Consumes "JOB TAB STEP TAB" of gh run view, and a byte order mark before a step's first line. */
static bool cut_steps(struct word *rest) {
    struct word left = *rest;

    word_field(&left, '\t');
    word_field(&left, '\t');
    word_accept(&left, "\xEF\xBB\xBF");
    *rest = left;
    return left.length > 0;
}

/* Consumes a time and one of the patterns `after`. */
static bool peel_line_cut_time(struct word *rest, const char *const *after) {
    struct word left = *rest;
    bool cut = cut_any(&left, times) && cut_any(&left, after);

    *rest = cut ? left : *rest;
    return cut;
}

/* Whether the first word may be the name of a Kubernetes pod, "web-7d4b9c-x2x8p". */
static bool is_pod(struct word rest) {
    struct word name = word_next(&rest);

    return name.length > 0 && peel_line_is_letter(*name.bytes) &&
           memchr(name.bytes, '-', name.length) != NULL;
}

/* Consumes quote marks, ">", of any depth. In a wrapped line, the text after a mark may itself
 * begin with ">": as the end of "<0.000012>", or in ">, 4096)". Such a ">" is not consumed. */
static bool cut_marks(const struct peel_layer *layer, struct word *rest) {
    bool any = false;

    while (word_begins(*rest, ">") &&
           (!any || (rest->length > 1 &&
                     (layer->number == 1 || rest->bytes[1] == ' ' || rest->bytes[1] == '>')))) {
        word_skip(rest, 1);
        any = true;
        if (word_begins(*rest, " >") || (layer->number > 1 && word_begins(*rest, " "))) {
            word_skip(rest, 1);
        }
    }
    return any;
}

static bool cut_prefix(const struct peel_layer *layer, struct word *rest) {
    char separator;
    int64_t number;

    switch (layer->kind) {
    case PEEL_CONTAINERS:
        return cut_any(rest, containers) || (is_pod(*rest) && cut_any(rest, pods));
    case PEEL_CRI:
        return peel_line_cut_time(rest, cri);
    case PEEL_SYSLOG:
        return cut_any(rest, priority) && peel_line_cut_time(rest, syslog);
    case PEEL_JOURNAL:
        cut_any(rest, priority + 1);
        return peel_line_cut_time(rest, journal);
    case PEEL_LOGCAT:
        return cut_any(rest, brief) || peel_line_cut_time(rest, logcat);
    case PEEL_TIMES:
        return peel_line_cut_time(rest, colon) ||
               (cut_steps(rest) && peel_line_cut_time(rest, colon));
    case PEEL_NUMBERS:
        return peel_cut_number(rest, &separator, &number) && separator == *layer->text;
    case PEEL_TEXT:
        if (layer->number > 0) {
            return cut_marks(layer, rest);
        }
        if (rest->length >= layer->length && memcmp(rest->bytes, layer->text, layer->length) == 0) {
            word_skip(rest, layer->length);
            return true;
        }
        /* Also matches the prefix without its trailing blank, in a line that holds only the prefix:
         * editors strip trailing blanks. */
        if (rest->length > 0 && rest->length + 1 == layer->length &&
            memcmp(rest->bytes, layer->text, rest->length) == 0) {
            word_skip(rest, rest->length);
            return true;
        }
        return false;
    default:
        return false;
    }
}

size_t peel_prefix(const struct peel_layer *layer, struct word line, bool *goes_on) {
    struct word rest = line;

    if (!cut_prefix(layer, &rest)) {
        return 0;
    }
    line.length -= rest.length;
    *goes_on = layer->kind == PEEL_CRI && word_ends(word_trim(line), " P");
    return line.length;
}

bool peel_cut_number(struct word *line, char *separator, int64_t *number) {
    struct word rest = word_trim_left(*line), digits = {rest.bytes, word_digits(rest)};

    if (!word_number(digits, INT32_MAX, number)) {
        return false;
    }
    word_skip(&rest, digits.length);
    *separator = rest.length == 0 ? '\0' : *rest.bytes;
    if (*separator == '\0' || strchr("\t :.)", *separator) == NULL) {
        return false;
    }
    word_skip(&rest, 1);
    *line = rest;
    return true;
}

bool peel_file_number(const struct peel_layer *layer, struct word *name, struct word *number) {
    *number = *name;
    if (name->length < layer->length || memcmp(name->bytes, layer->text, layer->length) != 0) {
        return false;
    }
    word_skip(number, layer->length);
    number->length = word_digits(*number);
    word_skip(name, layer->length + number->length);
    return number->length > 0 && number->length <= NUMBER_MOST;
}

bool peel_shorten_file_name(const struct peel_layer *layer, struct word line, struct text *out) {
    struct word number;

    if (!peel_file_number(layer, &line, &number) || !word_begins(line, ":")) {
        return false;
    }
    word_skip(&line, 1);
    if (layer->number > 0 && word_digits(line) < line.length &&
        line.bytes[word_digits(line)] == ':') {
        word_skip(&line, word_digits(line) + 1);
    }
    text_append(out, number.bytes, number.length);
    text_append_char(out, ' ');
    text_append(out, line.bytes, line.length);
    return true;
}

struct word peel_header_name(struct word line) {
    const size_t begin = strlen("==> "), end = strlen(" <==");

    line = word_trim(line);
    return line.length > begin + end && word_begins(line, "==> ") && word_ends(line, " <==")
               ? word_between(line.bytes + begin, line.bytes + line.length - end)
               : word_of("");
}

/* --- UTF-16 characters ------------------------------------------------------------------------ */

/* Decodes a UTF-16 surrogate pair; returns `first` if the two units are no pair. */
static uint32_t join_surrogates(uint32_t first, uint32_t second, bool *joined) {
    *joined = first >= 0xD800 && first < 0xDC00 && second >= 0xDC00 && second < 0xE000;
    return *joined ? 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00) : first;
}

static uint32_t utf16_unit_at(struct word units, size_t at, bool little) {
    const uint8_t *bytes = (const uint8_t *)units.bytes + at;

    return at + 2 > units.length ? 0
           : little              ? (uint32_t)(bytes[0] | bytes[1] << 8)
                                 : (uint32_t)(bytes[0] << 8 | bytes[1]);
}

void peel_utf16(struct word units, bool little, struct text *out) {
    for (size_t at = 0; at + 2 <= units.length; at += 2) {
        bool joined;
        uint32_t code = join_surrogates(utf16_unit_at(units, at, little),
                                        utf16_unit_at(units, at + 2, little), &joined);

        text_append_utf8(out, code);
        at += joined ? 2 : 0;
    }
}

/* --- lines as strings of JSON and CSV --------------------------------------------------------- */

static bool cut_hex(struct word *rest, uint32_t *code) {
    uint64_t number;

    if (rest->length < 4 || !word_hex((struct word){rest->bytes, 4}, UINT16_MAX, &number)) {
        return false;
    }
    *code = (uint32_t)number;
    word_skip(rest, 4);
    return true;
}

/* Decodes an escape sequence of a JSON string; the backslash was consumed before. */
static bool cut_escape(struct word *rest, struct text *out) {
    static const char escapes[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    char byte = rest->length == 0 ? '\0' : *rest->bytes;
    const char *escape = byte == '\0' ? NULL : strchr(escapes, byte);
    uint32_t code, second;
    struct word left;
    bool joined = false;

    if (escape == NULL && byte != 'u') {
        return false;
    }
    word_skip(rest, 1);
    if (escape != NULL) {
        text_append_char(out, meant[escape - escapes]);
        return true;
    }
    if (!cut_hex(rest, &code)) {
        return false;
    }
    left = *rest;
    if (word_begins(left, "\\u")) {
        word_skip(&left, 2);
        code = cut_hex(&left, &second) ? join_surrogates(code, second, &joined) : code;
        *rest = joined ? left : *rest;
    }
    text_append_utf8(out, code);
    return true;
}

/* Returns where the log's text begins in a JSON object of docker or journalctl -o json; NULL if the
 * line is no such object. Sets `*ends` to true for docker: it splits a long line into several
 * objects, of which only the last one's text ends with a line break. */
static const char *find_message(struct word line, bool *ends) {
    static const char *const keys[] = {"\"log\":\"",     "\"log\": \"",     "\"MESSAGE\":\"",
                                       "\"message\":\"", "\"MESSAGE\": \"", "\"message\": \""};

    if (!word_begins(line, "{")) {
        return NULL;
    }
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        const char *found = memmem(line.bytes, line.length, keys[i], strlen(keys[i]));

        *ends = i < 2;
        if (found != NULL) {
            return found + strlen(keys[i]);
        }
    }
    return NULL;
}

bool peel_append_json(struct word line, struct text *out, bool *goes_on) {
    size_t before = out->length;
    bool ends;
    const char *begin = find_message(line, &ends);

    if (begin == NULL) {
        return false;
    }
    word_skip(&line, (size_t)(begin - line.bytes));
    while (line.length > 0 && *line.bytes != '"') {
        bool escaped = *line.bytes == '\\';

        if (!escaped) {
            text_append_char(out, *line.bytes);
        }
        word_skip(&line, 1);
        if (escaped && !cut_escape(&line, out)) {
            line.length = 0;
        }
    }
    if (line.length == 0) {
        out->length = before;
        return false;
    }
    *goes_on = ends && (out->length == before || out->bytes[out->length - 1] != '\n');
    out->length -= ends && !*goes_on;
    return true;
}

bool peel_append_quoted(struct word line, struct text *out) {
    size_t before = out->length;

    line.length -= word_ends(line, "\r");
    if (line.length < 2 || !word_begins(line, "\"") || !word_ends(line, "\"")) {
        return false;
    }
    line = word_between(line.bytes + 1, line.bytes + line.length - 1);
    while (line.length > 0) {
        size_t length = *line.bytes == '"' ? 2 : 1;

        if (length == 2 && !word_begins(line, "\"\"")) {
            out->length = before;
            return false;
        }
        text_append_char(out, *line.bytes);
        word_skip(&line, length);
    }
    return true;
}

/* --- terminal escapes ------------------------------------------------------------------------- */

/* Returns the length of the terminal escape at the start of a line; 0 if there is none. */
static size_t escape_length(struct word rest) {
    size_t length = 2;

    if (rest.length < 2 || *rest.bytes != '\033') {
        return 0;
    }
    if (rest.bytes[1] == '[') { /* the escape ends with a byte from @ to ~, usually a letter */
        while (length < rest.length && (uint8_t)(rest.bytes[length] - ' ') < '@' - ' ') {
            length++;
        }
        return length < rest.length ? length + 1 : length;
    }
    if (rest.bytes[1] == ']') { /* the escape sets a title, and ends with BEL or an escape */
        while (length < rest.length && rest.bytes[length] != '\a' && rest.bytes[length] != '\033') {
            length++;
        }
        return length < rest.length && rest.bytes[length] == '\a' ? length + 1 : length;
    }
    return strchr("()", rest.bytes[1]) != NULL && rest.length > 2 ? 3 : 2;
}

bool peel_append_without_colours(struct word line, struct text *out) {
    bool changed = false;
    const char *escape;

    while ((escape = memchr(line.bytes, '\033', line.length)) != NULL) {
        size_t before = (size_t)(escape - line.bytes), length;

        text_append(out, line.bytes, before);
        word_skip(&line, before);
        length = escape_length(line);
        changed |= length > 0;
        if (length == 0) {
            text_append_char(out, '\033');
        }
        word_skip(&line, length > 0 ? length : 1);
    }
    text_append(out, line.bytes, line.length);
    return changed;
}

/* --- typographic characters ------------------------------------------------------------------- */

bool peel_append_in_ascii(struct word line, struct text *out) {
    static const char *const meant[][2] = {
        {"\u00A0", " "},  {"\u202F", " "},  {"\u201C", "\""}, {"\u201D", "\""}, {"\u201E", "\""},
        {"\u2018", "\'"}, {"\u2019", "\'"}, {"\u2013", "-"},  {"\u2212", "-"},  {"\u2026", "..."},
    };
    bool changed = false;

    while (line.length > 0) {
        size_t i = (uint8_t)*line.bytes < 0x80 ? sizeof meant / sizeof meant[0] : 0;

        while (i < sizeof meant / sizeof meant[0] && !word_begins(line, meant[i][0])) {
            i++;
        }
        if (i < sizeof meant / sizeof meant[0]) {
            text_append_string(out, meant[i][1]);
            word_skip(&line, strlen(meant[i][0]));
            changed = true;
        } else {
            text_append_char(out, *line.bytes);
            word_skip(&line, 1);
        }
    }
    return changed;
}

/* --- HTML ------------------------------------------------------------------------------------- */

/* Consumes an HTML entity such as `&amp;`, and returns its character; 0 if there is none. */
static uint32_t cut_entity(struct word *rest) {
    static const struct {
        const char *name;
        char meant;
    } named[] = {{"&lt;", '<'},  {"&gt;", '>'},    {"&quot;", '"'},
                 {"&amp;", '&'}, {"&apos;", '\''}, {"&nbsp;", ' '}};
    size_t most = rest->length < 10 ? rest->length : 10;
    const char *end = memchr(rest->bytes, ';', most);
    struct word digits;
    uint64_t code = 0;
    int64_t number;

    for (size_t i = 0; i < sizeof named / sizeof named[0]; i++) {
        if (word_begins(*rest, named[i].name)) {
            word_skip(rest, strlen(named[i].name));
            return (uint8_t)named[i].meant;
        }
    }
    if (end == NULL || !word_begins(*rest, "&#")) {
        return 0;
    }
    digits = word_between(rest->bytes + 2, end);
    if (word_begins(digits, "x") || word_begins(digits, "X")) {
        word_skip(&digits, 1);
        code = word_hex(digits, 0x10FFFF, &code) ? code : 0;
    } else if (word_number(digits, 0x10FFFF, &number)) {
        code = (uint64_t)number;
    }
    if (code != 0) {
        word_skip(rest, (size_t)(end + 1 - rest->bytes));
    }
    return (uint32_t)code;
}

bool peel_append_decoded(struct word line, struct text *out) {
    bool changed = false;
    const char *entity;

    while ((entity = memchr(line.bytes, '&', line.length)) != NULL) {
        uint32_t code;

        text_append(out, line.bytes, (size_t)(entity - line.bytes));
        word_skip(&line, (size_t)(entity - line.bytes));
        code = cut_entity(&line);
        changed |= code != 0;
        if (code != 0) {
            text_append_utf8(out, code);
        } else {
            text_append_char(out, '&');
            word_skip(&line, 1);
        }
    }
    text_append(out, line.bytes, line.length);
    return changed;
}

/* Returns the length of a tag used in pages with a log in <pre>; 0 for any other text. */
static size_t tag_length(struct word rest) {
    static const char tags[] =
        " !doctype !-- a b body br code div em font h1 h2 h3 h4 head hr html i "
        "img li link main meta p pre section script small span strong style "
        "table tbody td title tr tt u ul ";
    size_t begin = word_begins(rest, "</") ? 2 : 1, length = begin;
    const char *close;
    char name[16] = " ";

    while (length < rest.length && length - begin < 10 &&
           (peel_line_is_letter(rest.bytes[length]) || word_is_digit(rest.bytes[length]) ||
            strchr("!-", rest.bytes[length]) != NULL)) {
        name[length - begin + 1] =
            (char)(peel_line_is_letter(rest.bytes[length]) ? rest.bytes[length] | 0x20
                                                           : rest.bytes[length]);
        length++;
    }
    name[length - begin + 1] = ' ';
    if (length == begin || strstr(tags, name) == NULL) {
        return 0;
    }
    close = memchr(rest.bytes, '>', rest.length);
    return close == NULL ? rest.length : (size_t)(close + 1 - rest.bytes);
}

/* Returns whether the text begins with <pre> or </pre>. Sets `*ends` to true for </pre>. */
static bool is_pre(struct word rest, bool *ends) {
    size_t skip = word_begins(rest, "</") ? 2 : 1;

    *ends = skip == 2;
    return rest.length > skip + 3 && strncasecmp(rest.bytes + skip, "pre", 3) == 0;
}

bool peel_append_without_tags(struct word line, bool *inside, struct text *out) {
    bool changed = false, ends;

    while (line.length > 0) {
        const char *open = memchr(line.bytes, '<', line.length);
        size_t before = open == NULL ? line.length : (size_t)(open - line.bytes), length;

        if (*inside) {
            changed |= peel_append_decoded((struct word){line.bytes, before}, out);
        }
        word_skip(&line, before);
        if (line.length == 0) {
            break;
        }
        length = tag_length(line);
        changed = true;
        if (length == 0) {
            text_append_char(out, '<');
            length = 1;
        } else if (is_pre(line, &ends)) {
            *inside = !ends;
        }
        word_skip(&line, length);
    }
    return changed;
}

static bool has_entity(struct word line) {
    const char *entity;

    while ((entity = memchr(line.bytes, '&', line.length)) != NULL) {
        word_skip(&line, (size_t)(entity - line.bytes));
        if (cut_entity(&line) != 0) {
            return true;
        }
        word_skip(&line, 1);
    }
    return false;
}

/* Consumes HTML tags at the beginning of a line. Sets `*inside` to true after <pre>, to false after
 * </pre>. */
static void cut_tags(struct word *line, bool *inside) {
    size_t length;
    bool ends;

    while (word_begins(*line, "<") && (length = tag_length(*line)) > 0) {
        if (is_pre(*line, &ends)) {
            *inside = !ends;
        }
        word_skip(line, length);
    }
}

/* In a line that begins with a tag, removes the tags, and the text up to <pre>. */
static void cut_page(struct word *line, bool *inside) {
    size_t length = line->length;
    const char *pre;

    cut_tags(line, inside);
    if (line->length < length && !*inside &&
        (pre = memmem(line->bytes, line->length, "<pre", 4)) != NULL) {
        word_skip(line, (size_t)(pre - line->bytes));
        cut_tags(line, inside);
    }
}

bool peel_raw_markup(struct word line, bool *inside, struct text *out) {
    enum { LAST = 64 }; /* number of bytes at the end of a line that are searched for </pre> */
    struct word rest = line;
    size_t at;

    cut_page(&rest, inside);
    at = rest.length > LAST ? rest.length - LAST : 0;
    for (; *inside && at < rest.length; at++) {
        struct word end = rest;
        bool still = true;

        word_skip(&end, at);
        cut_tags(&end, &still);
        if (!still && word_trim(end).length == 0) {
            text_append(out, rest.bytes, at);
            *inside = false;
            return true;
        }
    }
    if (*inside) {
        text_append(out, rest.bytes, rest.length);
    }
    return !*inside || rest.length < line.length;
}

bool peel_is_raw_page(struct word bytes) {
    bool inside = false;

    while (bytes.length > 0 && !inside) {
        struct word line = word_trim(word_field(&bytes, '\n'));

        if (line.length > 0 && (!word_begins(line, "<") || tag_length(line) == 0)) {
            return false;
        }
        cut_page(&line, &inside);
    }
    return inside;
}

bool peel_is_page(struct word bytes) {
    bool inside = false, ends, entities = false;

    while (bytes.length > 0) {
        struct word line = word_field(&bytes, '\n'), rest = line, first = word_trim_left(line);
        bool begins = word_begins(first, "<") && tag_length(first) > 0;
        const char *open;

        while ((open = memchr(rest.bytes, '<', rest.length)) != NULL) {
            size_t length;

            word_skip(&rest, (size_t)(open - rest.bytes));
            length = tag_length(rest);
            if (length == 0 && inside) {
                return false;
            }
            if (length > 0 && is_pre(rest, &ends)) {
                inside = !ends && (begins || inside);
            }
            word_skip(&rest, length > 0 ? length : 1);
        }
        entities |= inside && has_entity(line);
    }
    return entities;
}

/* --- forms of wrapped lines ------------------------------------------------------------------- */

/* Returns the byte that represents `byte` in the form of a line (peel_write_form()): a for letters,
 * 9 for digits. A digit in a word such as pwrite64 is represented as a letter. */
static char peel_line_form_of(char byte, char before) {
    bool letter = peel_line_is_letter(byte) || byte == '_' || (uint8_t)byte >= 0x80;

    return letter || (word_is_digit(byte) && before == 'a') ? 'a'
           : word_is_digit(byte)                            ? '9'
           : byte == ' '                                    ? ' '
                                                            : byte;
}

void peel_write_form(struct word line, size_t length, char form[PEEL_FORM]) {
    size_t filled = 0;
    char before = '\0';

    memset(form, 0, PEEL_FORM);
    for (size_t i = 0; i < line.length && filled < length; i++) {
        char byte = peel_line_form_of(line.bytes[i], before);

        if (byte != before || (byte != 'a' && byte != '9' && byte != ' ')) {
            form[filled++] = byte;
        }
        before = byte;
    }
}

bool peel_begins_line(const struct peel_layer *layer, struct word line) {
    char form[PEEL_FORM];

    peel_write_form(line, layer->form, form);
    for (size_t i = 0; i < layer->length; i += PEEL_FORM) {
        /* A listed form that begins with TAB matches all lines that begin with TAB, whatever their
         * number, such as an address, looks like. */
        if (memcmp(layer->text + i, form, PEEL_FORM) == 0 ||
            (*form == '\t' && layer->text[i] == '\t')) {
            return true;
        }
    }
    return false;
}

int64_t peel_columns(struct word line, int64_t columns) {
    for (size_t i = 0; i < line.length && line.bytes[i] != '\r'; i++) {
        columns = line.bytes[i] == '\t' ? (columns / 8 + 1) * 8 : columns + 1;
    }
    return columns;
}

bool peel_wraps(int64_t columns, struct word line, struct word next, int64_t width) {
    size_t first = 0;

    while (first < next.length && !word_is_blank(next.bytes[first])) {
        first++;
    }
    next.length = first + (first < next.length);
    return columns == width || (peel_ends_blank(line) && peel_columns(next, columns) > width);
}
