#include "output/svg_filter.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/words.h"
#include "output/html.h"
#include "base/memory.h"

/* Attributes of one element; bytes of a name. */
enum { MOST_ATTRIBUTES = 40, MOST_NAME = 32 };

static const char elements[] = "svg g path polyline polygon line rect circle ellipse text tspan "
                               "title defs pattern use clipPath "
                               "image linearGradient stop";

/* They come with every picture, and nobody misses them. */
static const char superfluous[] = "desc metadata script style filter feFlood feComposite";

/* Text stands in these only. */
static const char with_text[] = "text tspan title";

static const char attributes[] =
    "x y width height viewBox d points cx cy r rx ry x1 y1 x2 y2 transform offset "
    "preserveAspectRatio patternUnits patternTransform patternContentUnits gradientUnits "
    "clipPathUnits id href class data-letter fill fill-opacity fill-rule stroke stroke-width "
    "stroke-opacity stroke-linecap stroke-linejoin stroke-dasharray stroke-miterlimit color "
    "opacity font-family font-size font-weight font-style text-anchor dominant-baseline "
    "baseline-shift clip-path stop-color stop-opacity shape-rendering image-rendering display "
    "xml:space";

/* What a filter of gnuplot's, a namespace and the like say. */
static const char superfluous_attributes[] = "xmlns xmlns:xlink version filter standalone";

static const char png[] = "data:image/png;base64,";

/* An id of the picture. */
struct id {
    char *name; /* owned */
    bool is_written, is_used;
    UT_hash_handle hh;
};

struct attribute {
    char name[MOST_NAME];
    size_t begin, length; /* of the value, in filter.values */
};

/* An element that is open. */
struct open_element {
    const char *name; /* in the picture */
    size_t name_length;
    size_t begin, content; /* in the output: of its tag, and behind it */
    bool is_plain_group;   /* a <g> without id: of no use when nothing is in it */
};

struct filter {
    const char *at, *end;
    const struct svg_look *look;
    struct text *out;
    struct id *ids;  /* owned; of what is kept */
    bool is_writing; /* the second pass, when all ids are known */
    bool is_done;    /* behind the end of the <svg> */
    struct open_element open[SVG_FILTER_DEPTH];
    size_t depth;
    size_t skipped; /* elements that are open and left out, one within another */
    struct attribute attributes[MOST_ATTRIBUTES];
    size_t attribute_count;
    struct text values; /* owned; of the attributes in hand */
    struct text text;   /* owned; scratch */
    size_t dropped;
};

/* --- characters ---------------------------------------------------------------------------------
 */

static bool is_space(char character) {
    return character == ' ' || character == '\t' || character == '\n' || character == '\r';
}

static bool is_alphanumeric(char character) {
    return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
           (character >= '0' && character <= '9');
}

static bool is_name_character(char character) {
    return is_alphanumeric(character) || (character != '\0' && strchr("_.:-", character) != NULL);
}

static bool is_listed(const char *list, const char *name, size_t length) {
    char word[MOST_NAME];

    if (length == 0 || length >= sizeof word) {
        return false;
    }
    memcpy(word, name, length);
    word[length] = '\0';
    return word_in(list, word);
}

static void append_code_point(struct text *out, unsigned long code_point) {
    if (code_point < 0x80) {
        text_append_char(out, (char)code_point);
        return;
    }
    if (code_point >= 0x10000) {
        text_append_char(out, (char)(0xF0 | code_point >> 18));
        text_append_char(out, (char)(0x80 | (code_point >> 12 & 0x3F)));
    } else if (code_point >= 0x800) {
        text_append_char(out, (char)(0xE0 | code_point >> 12));
    }
    if (code_point >= 0x800) {
        text_append_char(out, (char)(0x80 | (code_point >> 6 & 0x3F)));
    } else {
        text_append_char(out, (char)(0xC0 | code_point >> 6));
    }
    text_append_char(out, (char)(0x80 | (code_point & 0x3F)));
}

/* Appends what a reference at `at`, a &, stands for, and returns its length; 0: it is none. */
static size_t decode_reference(const char *at, const char *end, struct text *out) {
    static const struct {
        const char *name;
        char character;
    } names[] = {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}};
    size_t left = (size_t)(end - at), digits = 2;
    unsigned long code_point = 0;
    const bool is_hex = left > 3 && at[1] == '#' && at[2] == 'x';

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        size_t length = strlen(names[i].name);

        if (left >= length && memcmp(at, names[i].name, length) == 0) {
            text_append_char(out, names[i].character);
            return length;
        }
    }
    if (left < 4 || at[1] != '#') {
        return 0;
    }
    digits += is_hex;
    for (size_t i = digits; i < left && i < digits + 8; i++) {
        const char *hex = "0123456789abcdefABCDEF";
        const char *place = at[i] == '\0' ? NULL : strchr(hex, at[i]);
        unsigned long digit = place == NULL ? 99 : (unsigned long)(place - hex);

        if (at[i] == ';' && i > digits) {
            append_code_point(out, code_point <= 0x10FFFF ? code_point : 0xFFFD);
            return i + 1;
        }
        digit -= digit >= 16 && digit != 99 ? 6 : 0;
        if (digit >= (is_hex ? 16 : 10)) {
            return 0;
        }
        code_point = code_point * (is_hex ? 16 : 10) + digit;
    }
    return 0;
}

static void decode(const char *at, const char *end, struct text *out) {
    while (at < end) {
        const char *reference = memchr(at, '&', (size_t)(end - at));
        size_t length;

        if (reference == NULL) {
            text_append(out, at, (size_t)(end - at));
            return;
        }
        text_append(out, at, (size_t)(reference - at));
        length = decode_reference(reference, end, out);
        if (length == 0) {
            text_append_char(out, '&');
        }
        at = reference + (length > 0 ? length : 1);
    }
}

/* --- ids ----------------------------------------------------------------------------------------
 */

static struct id *find_id(struct filter *filter, const char *name, size_t length) {
    struct id *id;

    HASH_FIND(hh, filter->ids, name, length, id);
    return id;
}

static bool is_id(const char *name, size_t length) {
    size_t i = 0;

    while (i < length && is_name_character(name[i]) && name[i] != ':') {
        i++;
    }
    return length > 0 && i == length;
}

static bool add_id(struct filter *filter, const char *name, size_t length) {
    struct id *id = xcalloc(1, sizeof *id);

    if (id == NULL || (id->name = xstrndup(name, length)) == NULL) {
        free(id);
        filter->out->failed = true;
        return false;
    }
    HASH_ADD_KEYPTR(hh, filter->ids, id->name, length, id);
    return true;
}

/* Takes an id down; when it is written, that is the first time, and something refers to it. */
static bool take_id(struct filter *filter, const char *name, size_t length) {
    struct id *id;

    if (!is_id(name, length)) {
        return false;
    }
    id = find_id(filter, name, length);
    if (!filter->is_writing) {
        return id != NULL || add_id(filter, name, length);
    }
    if (id == NULL || id->is_written || !id->is_used) {
        return false;
    }
    id->is_written = true;
    return true;
}

/* Takes down that something refers to an id, if that is there. */
static bool refers(struct filter *filter, const char *name, size_t length) {
    struct id *id = is_id(name, length) ? find_id(filter, name, length) : NULL;

    if (id != NULL) {
        id->is_used = true;
    }
    return id != NULL;
}

static void free_ids(struct filter *filter) {
    struct id *id, *next;

    HASH_ITER(hh, filter->ids, id, next) {
        HASH_DEL(filter->ids, id);
        free(id->name);
        free(id);
    }
}

/* --- attributes ---------------------------------------------------------------------------------
 */

static const char *value_of(const struct filter *filter, const struct attribute *attribute) {
    return text_string(&filter->values) + attribute->begin;
}

/* Nothing that a style sheet takes for an escape, a function that loads, or the end of a value. */
static bool is_plain_value(const char *value, size_t length) {
    for (size_t i = 0; i < length; i++) {
        if (!is_alphanumeric(value[i]) &&
            (value[i] == '\0' || strchr(" \t\n.,+#%()_-", value[i]) == NULL)) {
            return false;
        }
    }
    return true;
}

/* The id in url(#ID); NULL: it is no such thing. */
static const char *url_id(const char *value, size_t length, size_t *id_length) {
    if (length < 7 || memcmp(value, "url(#", 5) != 0 || value[length - 1] != ')') {
        return NULL;
    }
    *id_length = length - 6;
    return value + 5;
}

static bool is_png(const char *value, size_t length) {
    size_t i = sizeof png - 1;

    if (length <= i || memcmp(value, png, i) != 0) {
        return false;
    }
    while (i < length && (is_alphanumeric(value[i]) || value[i] == '+' || value[i] == '/')) {
        i++;
    }
    while (i < length && value[i] == '=') {
        i++;
    }
    return i == length;
}

/* Whether a value may be written, and how: what stands before the id that it holds, if any. */
static bool judge(struct filter *filter, const char *name, const char *value, size_t length,
                  const char **before, const char **id, size_t *id_length) {
    *id = NULL;
    if (strcmp(name, "id") == 0) {
        *before = "";
        *id = value;
        *id_length = length;
        return take_id(filter, value, length);
    }
    if (strcmp(name, "href") == 0) {
        if (length > 1 && value[0] == '#') {
            *before = "#";
            *id = value + 1;
            *id_length = length - 1;
            return refers(filter, *id, *id_length);
        }
        return is_png(value, length);
    }
    if (strcasestr(value, "url") != NULL) {
        *before = "url(#";
        *id = url_id(value, length, id_length);
        return *id != NULL && refers(filter, *id, *id_length);
    }
    return is_plain_value(value, length);
}

static void write_attribute(struct filter *filter, const struct attribute *attribute) {
    const char *value = value_of(filter, attribute), *before = "", *id = NULL;
    struct text *out = filter->out;
    size_t id_length = 0;

    if (!judge(filter, attribute->name, value, attribute->length, &before, &id, &id_length)) {
        filter->dropped += strcmp(attribute->name, "id") != 0;
        return;
    }
    text_append_format(out, " %s=\"%s", attribute->name, before);
    if (id == NULL) {
        html_append_text(out, value, attribute->length);
    } else {
        text_append_format(out, "%s-", filter->look->prefix);
        html_append_text(out, id, id_length);
    }
    text_append_string(out, strncmp(before, "url", 3) == 0 ? ")\"" : "\"");
}

/* Puts an attribute beside the others, in place of one of the same name. */
static void set_attribute(struct filter *filter, const char *name, size_t name_length,
                          const char *value, size_t length) {
    struct attribute *attribute = filter->attributes;
    size_t begin = filter->values.length;

    if (name_length == 10 && memcmp(name, "xlink:href", 10) == 0) {
        name += 6;
        name_length = 4;
    }
    if (!is_listed(attributes, name, name_length)) {
        filter->dropped += !is_listed(superfluous_attributes, name, name_length);
        return;
    }
    while (attribute < filter->attributes + filter->attribute_count &&
           (strlen(attribute->name) != name_length ||
            memcmp(attribute->name, name, name_length) != 0)) {
        attribute++;
    }
    if (attribute == filter->attributes + MOST_ATTRIBUTES) {
        filter->dropped++;
        return;
    }
    filter->attribute_count += attribute == filter->attributes + filter->attribute_count;
    memcpy(attribute->name, name, name_length);
    attribute->name[name_length] = '\0';
    text_append(&filter->values, value, length);
    text_append(&filter->values, "", 1);
    attribute->begin = begin;
    attribute->length = length;
}

/* style='fill:red; stroke:none': each part is the attribute that says the same. */
static void set_style(struct filter *filter, const char *style, size_t length) {
    const char *end = style + length;

    while (style < end) {
        const char *next = memchr(style, ';', (size_t)(end - style));
        const char *stop = next == NULL ? end : next;
        const char *colon = memchr(style, ':', (size_t)(stop - style));

        if (colon != NULL) {
            const char *name_end = colon, *value = colon + 1, *value_end = stop;

            while (style < name_end && is_space(*style)) {
                style++;
            }
            while (name_end > style && is_space(name_end[-1])) {
                name_end--;
            }
            while (value < value_end && is_space(*value)) {
                value++;
            }
            while (value_end > value && is_space(value_end[-1])) {
                value_end--;
            }
            set_attribute(filter, style, (size_t)(name_end - style), value,
                          (size_t)(value_end - value));
        }
        style = next == NULL ? end : next + 1;
    }
}

static void take_attribute(struct filter *filter, const char *name, size_t name_length,
                           const char *value, const char *value_end) {
    struct text decoded = {0};

    decode(value, value_end, &decoded);
    if (name_length == 5 && memcmp(name, "style", 5) == 0) {
        set_style(filter, text_string(&decoded), decoded.length);
    } else {
        set_attribute(filter, name, name_length, text_string(&decoded), decoded.length);
    }
    filter->out->failed = filter->out->failed || decoded.failed;
    text_free(&decoded);
}

static void pass_space(struct filter *filter) {
    while (filter->at < filter->end && is_space(*filter->at)) {
        filter->at++;
    }
}

static size_t pass_name(struct filter *filter) {
    const char *begin = filter->at;

    while (filter->at < filter->end && is_name_character(*filter->at)) {
        filter->at++;
    }
    return (size_t)(filter->at - begin);
}

/* Reads NAME="VALUE" up to the end of the tag. Without quotes it is no attribute. */
static void read_attributes(struct filter *filter) {
    filter->attribute_count = 0;
    text_clear(&filter->values);
    while (pass_space(filter), filter->at < filter->end && *filter->at != '>') {
        const char *name = filter->at, *value, *value_end;
        size_t name_length = pass_name(filter);

        pass_space(filter);
        if (name_length == 0 || filter->at == filter->end || *filter->at != '=') {
            filter->at += filter->at < filter->end && *filter->at != '>';
            continue;
        }
        filter->at++;
        pass_space(filter);
        if (filter->at == filter->end || (*filter->at != '"' && *filter->at != '\'')) {
            continue;
        }
        value = filter->at + 1;
        value_end = memchr(value, *filter->at, (size_t)(filter->end - value));
        if (value_end == NULL) {
            filter->at = filter->end;
            return;
        }
        take_attribute(filter, name, name_length, value, value_end);
        filter->at = value_end + 1;
    }
}

/* --- elements -----------------------------------------------------------------------------------
 */

static bool is_element(const struct open_element *element, const char *name) {
    return element->name_length == strlen(name) &&
           memcmp(element->name, name, element->name_length) == 0;
}

static bool has_text(const struct filter *filter) {
    const struct open_element *top;

    if (filter->depth == 0) {
        return false;
    }
    top = &filter->open[filter->depth - 1];
    return is_listed(with_text, top->name, top->name_length);
}

/* The title of the whole is that of the page; those of parts are kept if wanted, and hold no
 * elements: HTML takes what is in them for its own. */
static bool is_kept(struct filter *filter, const char *name, size_t length) {
    const struct open_element element = {.name = name, .name_length = length};
    bool is_title = is_element(&element, "title");

    if (filter->depth == 0) {
        return is_element(&element, "svg");
    }
    if (!is_listed(elements, name, length)) {
        filter->dropped += !is_listed(superfluous, name, length);
        return false;
    }
    return !is_element(&element, "svg") && filter->depth < SVG_FILTER_DEPTH &&
           !is_element(&filter->open[filter->depth - 1], "title") &&
           (!is_title || (filter->look->keeps_titles && filter->depth > 1));
}

static void write_title(struct filter *filter) {
    struct text *out = filter->out;

    text_append_format(out, " role=\"img\" aria-labelledby=\"%s-title\"><title id=\"%s-title\">",
                       filter->look->prefix, filter->look->prefix);
    html_append_string(out, filter->look->title);
    text_append_string(out, "</title>");
}

static void close_element(struct filter *filter) {
    const struct open_element *element = &filter->open[--filter->depth];
    struct text *out = filter->out;
    size_t content = element->content;

    while (content < out->length && out->bytes[content] == '\n') {
        content++;
    }
    if (element->is_plain_group && content == out->length && !out->failed) {
        out->length = element->begin;
        out->bytes[out->length] = '\0';
    } else {
        text_append_format(out, "</%.*s>", (int)element->name_length, element->name);
    }
    filter->is_done = filter->depth == 0;
}

static void open_element(struct filter *filter, const char *name, size_t length, bool is_empty) {
    struct open_element *element = &filter->open[filter->depth];
    struct text *out = filter->out;

    *element = (struct open_element){.name = name, .name_length = length, .begin = out->length};
    element->is_plain_group = is_element(element, "g");
    text_append_format(out, "<%.*s", (int)length, name);
    for (size_t i = 0; i < filter->attribute_count; i++) {
        size_t before = out->length;

        write_attribute(filter, &filter->attributes[i]);
        if (strcmp(filter->attributes[i].name, "id") == 0 && out->length > before) {
            element->is_plain_group = false;
        }
    }
    if (filter->depth == 0) {
        write_title(filter);
    } else {
        text_append_string(out, is_empty ? "/>" : ">");
    }
    element->content = out->length;
    if (!is_empty || filter->depth == 0) {
        filter->depth++;
    }
    if (is_empty && filter->depth == 1 && element == filter->open) {
        close_element(filter);
    }
}

/* Whether it is a definition that nothing refers to; gnuplot writes 16 marks into every picture. */
static bool is_unused(struct filter *filter) {
    for (size_t i = 0; i < filter->attribute_count; i++) {
        const struct attribute *attribute = &filter->attributes[i];

        if (strcmp(attribute->name, "id") == 0) {
            const struct id *id = find_id(filter, value_of(filter, attribute), attribute->length);

            return filter->is_writing && filter->depth > 0 && id != NULL && !id->is_used &&
                   is_element(&filter->open[filter->depth - 1], "defs");
        }
    }
    return false;
}

static void read_start_tag(struct filter *filter) {
    const char *name = ++filter->at;
    size_t length = pass_name(filter);
    const bool kept = filter->skipped == 0 && is_kept(filter, name, length);
    const size_t dropped = filter->dropped;
    bool is_empty;

    read_attributes(filter);
    is_empty = filter->at < filter->end && filter->at[-1] == '/';
    filter->at += filter->at < filter->end;
    if (!kept) {
        /* An element that is left out is one thing, whatever its attributes are. */
        filter->dropped = dropped;
        /* Around the picture nothing is of interest, and nothing need be closed. */
        filter->skipped += !is_empty && filter->depth > 0;
    } else if (!is_empty || !is_unused(filter)) {
        open_element(filter, name, length, is_empty);
    }
}

/* Closes what the tag names, and what was left open within it. */
static void read_end_tag(struct filter *filter) {
    const char *name;
    size_t length, depth = filter->depth;

    filter->at += 2;
    name = filter->at;
    length = pass_name(filter);
    while (filter->at < filter->end && *filter->at++ != '>') {
    }
    if (filter->skipped > 0) {
        filter->skipped--;
        return;
    }
    while (depth > 0 && (filter->open[depth - 1].name_length != length ||
                         memcmp(filter->open[depth - 1].name, name, length) != 0)) {
        depth--;
    }
    while (depth > 0 && filter->depth >= depth) {
        close_element(filter);
    }
}

/* --- the whole ----------------------------------------------------------------------------------
 */

static void write_text(struct filter *filter, const char *bytes, const char *end) {
    if (filter->skipped > 0 || filter->depth == 0) {
        return;
    }
    if (!has_text(filter)) {
        /* What stands between elements is seen by nobody: of it, ends of lines. */
        if (end > bytes && memchr(bytes, '\n', (size_t)(end - bytes)) != NULL &&
            filter->out->length > 0 && filter->out->bytes[filter->out->length - 1] != '\n') {
            text_append_char(filter->out, '\n');
        }
        return;
    }
    text_clear(&filter->text);
    decode(bytes, end, &filter->text);
    html_append_text(filter->out, text_string(&filter->text), filter->text.length);
    filter->out->failed = filter->out->failed || filter->text.failed;
}

/* Passes over <? … ?>, <! … > and comments; what is in CDATA is text. */
static void pass_markup(struct filter *filter) {
    static const struct {
        const char *begin, *end;
    } rows[] = {{"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", "?>"}, {"<!", ">"}};
    size_t left = (size_t)(filter->end - filter->at);

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        size_t length = strlen(rows[i].begin);
        const char *begin = filter->at + length, *end;

        if (left < length || memcmp(filter->at, rows[i].begin, length) != 0) {
            continue;
        }
        end = memmem(begin, left - length, rows[i].end, strlen(rows[i].end));
        if (i == 1 && filter->skipped == 0 && has_text(filter)) {
            html_append_text(filter->out, begin,
                             (size_t)((end == NULL ? filter->end : end) - begin));
        }
        filter->at = end == NULL ? filter->end : end + strlen(rows[i].end);
        return;
    }
}

static void read_markup(struct filter *filter) {
    char next = filter->at + 1 < filter->end ? filter->at[1] : '\0';

    if (next == '!' || next == '?') {
        pass_markup(filter);
    } else if (next == '/') {
        read_end_tag(filter);
    } else if (is_alphanumeric(next)) {
        read_start_tag(filter);
    } else {
        write_text(filter, filter->at, filter->at + 1);
        filter->at++;
    }
}

static void pass_over(struct filter *filter, const char *bytes, size_t length) {
    filter->at = bytes;
    filter->end = bytes + length;
    filter->is_done = false;
    filter->depth = filter->skipped = filter->dropped = 0;
    while (filter->at < filter->end && !filter->is_done && !filter->out->failed) {
        const char *tag = memchr(filter->at, '<', (size_t)(filter->end - filter->at));

        if (tag == filter->at) {
            read_markup(filter);
        } else {
            tag = tag == NULL ? filter->end : tag;
            write_text(filter, filter->at, tag);
            filter->at = tag;
        }
    }
    filter->skipped = 0;
    while (filter->depth > 0) {
        close_element(filter);
    }
}

bool svg_filter(const char *bytes, size_t length, const struct svg_look *look, struct text *out,
                size_t *dropped, struct error *error) {
    struct text draft = {0};
    struct filter filter = {.look = look, .out = &draft};
    size_t before = out->length;
    bool failed;

    /* The first pass finds the ids, the second which of them are referred to; in the third all are
     * known, wherever they stand. */
    pass_over(&filter, bytes, length);
    text_clear(&draft);
    pass_over(&filter, bytes, length);
    filter.is_writing = true;
    filter.out = out;
    pass_over(&filter, bytes, length);
    *dropped = filter.dropped;
    failed = out->failed || draft.failed || filter.values.failed;
    free_ids(&filter);
    text_free(&draft);
    text_free(&filter.values);
    text_free(&filter.text);
    if (failed) {
        return error_no_memory(error);
    }
    return out->length > before || error_set(error, "there is no SVG in the picture");
}
