#include "output/svg_shorten.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/svg_filter.h"
#include "base/memory.h"

/* Attributes of one element; bytes of what it is painted with; of these how many different ones are
 * counted, each the first. A picture that has more stays as it is. */
enum { MOST_ATTRIBUTES = 40, MOST_VALUE = 128, MOST_VALUES = 16, MOST_PATTERNS = 1000 };

struct span {
    const char *bytes; /* in the picture */
    size_t length;
};

/* What an element is painted with, inherited from those around it. `initial`: what holds where
 * nobody says; NULL: what the page has. */
enum paint {
    COLOR,
    FILL,
    STROKE,
    FILL_OPACITY,
    STROKE_OPACITY,
    STROKE_WIDTH,
    LINECAP,
    LINEJOIN,
    DASHES,
    RENDERING,
    FONT_FAMILY,
    FONT_SIZE,
    FONT_WEIGHT,
    FONT_STYLE,
    ANCHOR,
    PAINTS
};

static const struct {
    const char *name, *initial;
} paints[PAINTS] = {
    [COLOR] = {"color", "#000"},
    [FILL] = {"fill", "#000"},
    [STROKE] = {"stroke", "none"},
    [FILL_OPACITY] = {"fill-opacity", "1"},
    [STROKE_OPACITY] = {"stroke-opacity", "1"},
    [STROKE_WIDTH] = {"stroke-width", "1"},
    [LINECAP] = {"stroke-linecap", "butt"},
    [LINEJOIN] = {"stroke-linejoin", "miter"},
    [DASHES] = {"stroke-dasharray", "none"},
    [RENDERING] = {"shape-rendering", "auto"},
    [FONT_FAMILY] = {"font-family", NULL},
    [FONT_SIZE] = {"font-size", NULL},
    [FONT_WEIGHT] = {"font-weight", NULL},
    [FONT_STYLE] = {"font-style", NULL},
    [ANCHOR] = {"text-anchor", "start"},
};

/* Each in one form for one meaning; empty: it is not said. */
struct painting {
    char values[PAINTS][MOST_VALUE];
};

struct level {
    struct span name;
    bool is_written, has_id;
    bool is_verbatim;       /* it stays as it is with all in it, for others refer to that */
    struct span transform;  /* of a group that is not written */
    size_t begin, content;  /* in the output: of its tag, and behind it */
    struct painting wanted; /* by the picture */
    struct painting given;  /* by the output so far */
};

struct attribute {
    struct span name, value;
};

/* gnuplot defines the pattern of each area anew. */
struct pattern {
    struct span id, rest; /* what follows the id, up to its end */
    struct span color;    /* that all of it has; of length 0: it has several */
    size_t first;         /* of those that are the same */
};

/* How many elements want a value: what most want becomes the whole picture's. */
struct votes {
    char values[MOST_VALUES][MOST_VALUE];
    size_t counts[MOST_VALUES];
    size_t count;
    bool has_none; /* some want what the page has */
};

struct shortener {
    const char *at, *end;
    struct text *out;
    struct level levels[SVG_FILTER_DEPTH + 1]; /* [0]: around the picture */
    size_t depth;
    struct attribute attributes[MOST_ATTRIBUTES];
    size_t attribute_count;
    bool is_counting; /* the first pass, which writes nothing */
    bool gives_up;
    struct votes votes[PAINTS];
    struct pattern patterns[MOST_PATTERNS]; /* those that were met in the first pass */
    size_t pattern_count;
    bool keeps_patterns; /* something refers to one otherwise than to paint with it */
};

/* --- values -------------------------------------------------------------------------------------
 */

static void set_value(char value[MOST_VALUE], const char *string) {
    size_t length = strnlen(string, MOST_VALUE - 1);

    memmove(value, string, length);
    value[length] = '\0';
}

static bool span_is(struct span span, const char *string) {
    return span.length == strlen(string) && memcmp(span.bytes, string, span.length) == 0;
}

/* 14.00 as 14, 0.50 as .5; false for what is no number. */
static bool shorten_number(char *value) {
    char *point = strchr(value, '.');
    const size_t length = strlen(value);

    if (length == 0 || strspn(value, "0123456789.-") != length ||
        (point != NULL && strchr(point + 1, '.') != NULL) || strchr(value + 1, '-') != NULL) {
        return false;
    }
    if (point != NULL) {
        char *last = value + length;

        while (last[-1] == '0') {
            *--last = '\0';
        }
        if (last[-1] == '.') {
            *--last = '\0';
        } else if (point == value + 1 && *value == '0') {
            memmove(value, value + 1, strlen(value));
        }
    }
    return true;
}

/* rgb(1, 2, 3), #aabbcc and two names as #abc and the like. */
static void shorten_color(char *value) {
    unsigned red, green, blue;
    int end = 0;

    if (strcmp(value, "black") == 0 || strcmp(value, "white") == 0) {
        set_value(value, *value == 'b' ? "#000" : "#fff");
        return;
    }
    if ((sscanf(value, "rgb(%3u ,%3u ,%3u )%n", &red, &green, &blue, &end) == 3 && end > 0 &&
         value[end] == '\0' && red < 256 && green < 256 && blue < 256) ||
        (strlen(value) == 7 && strspn(value + 1, "0123456789abcdefABCDEF") == 6 &&
         sscanf(value, "#%2x%2x%2x", &red, &green, &blue) == 3)) {
        if (red % 17 == 0 && green % 17 == 0 && blue % 17 == 0) {
            snprintf(value, MOST_VALUE, "#%x%x%x", red / 17, green / 17, blue / 17);
        } else {
            snprintf(value, MOST_VALUE, "#%02x%02x%02x", red, green, blue);
        }
    }
}

/* A value in the form in which it is compared and written. */
static bool take_value(enum paint paint, struct span span, char *value) {
    if (span.length == 0 || span.length >= MOST_VALUE) {
        return false;
    }
    memcpy(value, span.bytes, span.length);
    value[span.length] = '\0';
    if (paint == COLOR || paint == FILL || paint == STROKE) {
        shorten_color(value);
    } else if (paint == STROKE_WIDTH || paint == FONT_SIZE || paint == FILL_OPACITY ||
               paint == STROKE_OPACITY) {
        shorten_number(value);
    }
    return true;
}

static enum paint paint_of(struct span name) {
    enum paint paint = COLOR;

    while (paint < PAINTS && !span_is(name, paints[paint].name)) {
        paint++;
    }
    return paint;
}

/* What holds where `painting` is. */
static const char *holds(const struct painting *painting, enum paint paint) {
    const char *value = painting->values[paint];

    return *value != '\0' ? value : paints[paint].initial != NULL ? paints[paint].initial : "";
}

/* --- patterns -----------------------------------------------------------------------------------
 */

/* What stands between both in a text that begins and ends with them; of length 0: it does not. */
static struct span between(struct span text, const char *before, const char *behind) {
    const size_t begin = strlen(before), end = strlen(behind);

    if (text.length <= begin + end || memcmp(text.bytes, before, begin) != 0 ||
        memcmp(text.bytes + text.length - end, behind, end) != 0) {
        return (struct span){text.bytes, 0};
    }
    return (struct span){text.bytes + begin, text.length - begin - end};
}

/* A definition of one pattern; its id is of length 0 where it is something else. */
static struct pattern read_pattern(struct span definition) {
    struct span body = between(definition, "<defs>\n<pattern id=\"", "</pattern>\n</defs>");
    const char *quote = memchr(body.bytes, '"', body.length);
    struct pattern pattern = {.first = 0};

    if (quote == NULL || memmem(body.bytes, body.length, "<pattern", 8) != NULL) {
        return pattern;
    }
    pattern.id = (struct span){body.bytes, (size_t)(quote - body.bytes)};
    pattern.rest = (struct span){quote, body.length - pattern.id.length};
    pattern.color = between(pattern.rest,
                            "\" patternUnits=\"userSpaceOnUse\" x=\"0\" y=\"0\" width=\"8\" "
                            "height=\"8\">\n<path stroke=\"none\" fill=\"",
                            "\" d=\"M0,0 L0,8 L8,8 L8,0 L0,0\"/>\n");
    return pattern;
}

static bool span_equals(struct span one, struct span other) {
    return one.length == other.length && memcmp(one.bytes, other.bytes, one.length) == 0;
}

/* The place of a pattern among those that were met; their count: it is none of them. */
static size_t find_pattern(const struct shortener *shortener, struct span id) {
    size_t place = 0;

    while (place < shortener->pattern_count && !span_equals(shortener->patterns[place].id, id)) {
        place++;
    }
    return place;
}

static void add_pattern(struct shortener *shortener, struct pattern pattern) {
    const size_t place = shortener->pattern_count;

    while (pattern.first < place &&
           !span_equals(shortener->patterns[pattern.first].rest, pattern.rest)) {
        pattern.first++;
    }
    if (place < MOST_PATTERNS) {
        shortener->patterns[shortener->pattern_count++] = pattern;
    }
}

/* Whether a definition is not needed: it is of a colour, or there is one like it before. */
static bool is_superfluous(struct shortener *shortener, struct span definition) {
    const struct pattern pattern = read_pattern(definition);
    size_t place = find_pattern(shortener, pattern.id);

    if (pattern.id.length == 0) {
        return false;
    }
    if (place == shortener->pattern_count && shortener->is_counting) {
        add_pattern(shortener, pattern);
    }
    return !shortener->keeps_patterns && place < shortener->pattern_count &&
           (pattern.color.length > 0 || shortener->patterns[place].first != place);
}

/* For url(#ID) of a pattern its colour, or the first that is like it, written into `written`. */
static struct span resolve_pattern(const struct shortener *shortener, struct span value,
                                   char *written) {
    const struct pattern *pattern;
    size_t place = find_pattern(shortener, between(value, "url(#", ")"));
    struct span first;

    if (place == shortener->pattern_count || shortener->keeps_patterns) {
        return value;
    }
    pattern = &shortener->patterns[place];
    first = shortener->patterns[pattern->first].id;
    if (pattern->color.length > 0) {
        return pattern->color;
    }
    snprintf(written, MOST_VALUE, "url(#%.*s)", (int)first.length, first.bytes);
    return (struct span){written, strlen(written)};
}

/* Takes down that there are references which stay as they are. */
static void note_references(struct shortener *shortener, bool is_verbatim) {
    for (size_t i = 0; i < shortener->attribute_count; i++) {
        const struct attribute *attribute = &shortener->attributes[i];

        if ((is_verbatim || paint_of(attribute->name) == PAINTS) &&
            memmem(attribute->value.bytes, attribute->value.length, "url(", 4) != NULL) {
            shortener->keeps_patterns = true;
        }
    }
}

/* --- elements -----------------------------------------------------------------------------------
 */

static bool is_words(struct span name) {
    return span_is(name, "text") || span_is(name, "tspan");
}

/* Whether it can be seen how the element is painted in this way. */
static bool matters(struct span name, const struct painting *wanted, enum paint paint) {
    const bool has_line = strcmp(holds(wanted, STROKE), "none") != 0;

    if (span_is(name, "use")) {
        return paint < FONT_FAMILY; /* what it refers to inherits */
    }
    if (span_is(name, "defs")) {
        return true; /* what is in it inherits, and stays as it is */
    }
    if (span_is(name, "svg") || span_is(name, "g") || span_is(name, "image") ||
        span_is(name, "title") || paint == COLOR) {
        return false;
    }
    if (paint == STROKE_OPACITY || paint == STROKE_WIDTH || paint == LINECAP || paint == LINEJOIN ||
        paint == DASHES) {
        return has_line;
    }
    if (paint == FILL_OPACITY) {
        return strcmp(holds(wanted, FILL), "none") != 0;
    }
    return is_words(name) ? paint != RENDERING : paint < FONT_FAMILY;
}

/* The colour that currentColor stands for. */
static void resolve(struct painting *painting, enum paint paint) {
    if (strcmp(painting->values[paint], "currentColor") == 0 && *painting->values[COLOR] != '\0') {
        set_value(painting->values[paint], painting->values[COLOR]);
    }
}

static void want(struct shortener *shortener, struct level *level) {
    for (size_t i = 0; i < shortener->attribute_count; i++) {
        const struct attribute *attribute = &shortener->attributes[i];
        enum paint paint = paint_of(attribute->name);
        char written[MOST_VALUE];
        struct span value;

        if (paint < PAINTS) {
            value = resolve_pattern(shortener, attribute->value, written);
            shortener->gives_up =
                !take_value(paint, value, level->wanted.values[paint]) || shortener->gives_up;
        }
    }
}

static bool is_plain_group(const struct shortener *shortener, struct span name) {
    for (size_t i = 0; i < shortener->attribute_count; i++) {
        const struct span attribute = shortener->attributes[i].name;

        if (paint_of(attribute) == PAINTS && !span_is(attribute, "transform") &&
            !span_is(attribute, "class")) {
            return false;
        }
    }
    return span_is(name, "g");
}

static void count_votes(struct shortener *shortener, const struct level *level,
                        const struct painting *wanted) {
    for (enum paint paint = COLOR; paint < PAINTS; paint++) {
        struct votes *votes = &shortener->votes[paint];
        const char *value = holds(wanted, paint);
        size_t i = 0;

        if (!matters(level->name, wanted, paint) || strncmp(value, "url", 3) == 0 ||
            span_is(level->name, "defs")) {
            continue;
        }
        votes->has_none = votes->has_none || *value == '\0';
        while (i < votes->count && strcmp(votes->values[i], value) != 0) {
            i++;
        }
        if (i == MOST_VALUES) {
            continue;
        }
        if (i == votes->count) {
            set_value(votes->values[votes->count++], value);
        }
        votes->counts[i]++;
    }
}

/* What most elements want, where it differs from what holds anyway. */
static const char *elected(const struct votes *votes, enum paint paint) {
    size_t best = 0;

    for (size_t i = 1; i < votes->count; i++) {
        best = votes->counts[i] > votes->counts[best] ? i : best;
    }
    if (votes->count == 0 || votes->has_none || votes->counts[best] < 2 ||
        (paints[paint].initial != NULL &&
         strcmp(votes->values[best], paints[paint].initial) == 0)) {
        return NULL;
    }
    return votes->values[best];
}

/* --- writing ------------------------------------------------------------------------------------
 */

static void append_span(struct text *out, struct span span) {
    text_append(out, span.bytes, span.length);
}

/* translate(12.30,45.60) scale(2.00): places in tenths, others only without zeros at the end. */
static void append_transform(struct text *out, struct span transform, bool *is_first) {
    const char *at = transform.bytes, *end = at + transform.length;

    text_append_string(out, *is_first ? " transform=\"" : " ");
    *is_first = false;
    while (at < end) {
        const size_t room = (size_t)(end - at);
        const char *open = memchr(at, '(', room);
        const char *close = open == NULL ? NULL : memchr(open, ')', (size_t)(end - open));

        if (close == NULL) {
            text_append(out, at, room);
            return;
        }
        text_append(out, at, (size_t)(open + 1 - at));
        if (open - at >= 9 && memcmp(open - 9, "translate", 9) == 0) {
            svg_shorten_path(open + 1, (size_t)(close - open - 1), true, out);
        } else {
            char number[MOST_VALUE] = "";
            const size_t length = (size_t)(close - open - 1);

            if (length < sizeof number) {
                memcpy(number, open + 1, length);
            }
            if (length < sizeof number && shorten_number(number)) {
                text_append_string(out, number);
            } else {
                text_append(out, open + 1, length);
            }
        }
        text_append_char(out, ')');
        at = close + 1;
    }
}

/* Those of the groups around it that are not written, and its own. */
static void append_transforms(struct shortener *shortener, const struct level *level) {
    const struct level *from = level;
    bool is_first = true;

    while (from > shortener->levels + 1 && !from[-1].is_written) {
        from--;
    }
    for (; from < level; from++) {
        if (from->transform.length > 0) {
            append_transform(shortener->out, from->transform, &is_first);
        }
    }
    for (size_t i = 0; i < shortener->attribute_count; i++) {
        if (span_is(shortener->attributes[i].name, "transform")) {
            append_transform(shortener->out, shortener->attributes[i].value, &is_first);
        }
    }
    text_append_string(shortener->out, is_first ? "" : "\"");
}

static void append_attribute(struct text *out, const struct attribute *attribute) {
    const struct span name = attribute->name, value = attribute->value;
    char number[MOST_VALUE];

    text_append_char(out, ' ');
    append_span(out, name);
    text_append_string(out, "=\"");
    if (span_is(name, "d") || span_is(name, "points")) {
        svg_shorten_path(value.bytes, value.length, span_is(name, "points"), out);
    } else if (value.length < sizeof number) {
        memcpy(number, value.bytes, value.length);
        number[value.length] = '\0';
        shorten_number(number);
        text_append_string(out, number);
    } else {
        append_span(out, value);
    }
    text_append_char(out, '"');
}

static void append_paint(struct text *out, struct level *level, enum paint paint,
                         const char *value) {
    text_append_format(out, " %s=\"%s\"", paints[paint].name, value);
    set_value(level->given.values[paint], value);
}

/* How the element is painted otherwise than what is around it in the output. */
static void append_paints(struct shortener *shortener, struct level *level,
                          const struct painting *wanted) {
    for (enum paint paint = COLOR; paint < PAINTS; paint++) {
        const char *value =
            shortener->depth == 1 ? elected(&shortener->votes[paint], paint) : holds(wanted, paint);

        if (value != NULL && *value != '\0' && strcmp(value, holds(&level->given, paint)) != 0 &&
            (shortener->depth == 1 || matters(level->name, wanted, paint))) {
            append_paint(shortener->out, level, paint, value);
        }
    }
}

static bool has_id(const struct shortener *shortener) {
    for (size_t i = 0; i < shortener->attribute_count; i++) {
        if (span_is(shortener->attributes[i].name, "id")) {
            return true;
        }
    }
    return false;
}

/* A path that only moves. */
static bool is_nothing(const struct shortener *shortener, struct span name) {
    struct text d = {0};
    bool nothing = false;

    for (size_t i = 0; i < shortener->attribute_count; i++) {
        const struct attribute *attribute = &shortener->attributes[i];

        if (span_is(name, "path") && span_is(attribute->name, "d")) {
            svg_shorten_path(attribute->value.bytes, attribute->value.length, false, &d);
            nothing = d.length == 0 && !d.failed;
        }
    }
    text_free(&d);
    return nothing;
}

static void append_element(struct shortener *shortener, struct level *level) {
    struct painting wanted = level->wanted;

    resolve(&wanted, FILL);
    resolve(&wanted, STROKE);
    if (shortener->is_counting) {
        count_votes(shortener, level, &wanted);
        return;
    }
    text_append_char(shortener->out, '<');
    append_span(shortener->out, level->name);
    for (size_t i = 0; i < shortener->attribute_count; i++) {
        const struct attribute *attribute = &shortener->attributes[i];

        if (paint_of(attribute->name) == PAINTS && !span_is(attribute->name, "transform") &&
            !span_is(attribute->name, "class")) {
            append_attribute(shortener->out, attribute);
        }
    }
    append_transforms(shortener, level);
    append_paints(shortener, level, &wanted);
}

/* --- reading ------------------------------------------------------------------------------------
 */

static struct span read_name(struct shortener *shortener) {
    struct span name = {shortener->at, strcspn(shortener->at, " =/>")};

    shortener->at += name.length;
    return name;
}

static void read_attributes(struct shortener *shortener) {
    shortener->attribute_count = 0;
    while (*shortener->at == ' ') {
        struct attribute attribute;

        shortener->at++;
        attribute.name = read_name(shortener);
        shortener->at += 2; /* =" */
        attribute.value = (struct span){shortener->at, strcspn(shortener->at, "\"")};
        shortener->at += attribute.value.length + 1;
        if (shortener->attribute_count < MOST_ATTRIBUTES) {
            shortener->attributes[shortener->attribute_count++] = attribute;
        } else {
            shortener->gives_up = true;
        }
    }
}

static void end_line(struct shortener *shortener) {
    const struct text *out = shortener->out;

    if (!shortener->is_counting && out->length > 0 && out->bytes[out->length - 1] != '\n') {
        text_append_char(shortener->out, '\n');
    }
}

/* An element that others refer to, with its tag as it was. */
static void open_verbatim(struct shortener *shortener, const char *tag, bool is_empty) {
    if (!shortener->is_counting) {
        text_append(shortener->out, tag, (size_t)(shortener->at - tag) + is_empty + 1);
    }
}

static void close_level(struct shortener *shortener) {
    const struct level *level = &shortener->levels[shortener->depth--];
    struct text *out = shortener->out;

    if (!level->is_written || shortener->is_counting) {
        return;
    }
    if (span_is(level->name, "text") && !level->has_id && out->length == level->content &&
        !out->failed) {
        out->length = level->begin; /* nothing is said */
        out->bytes[out->length] = '\0';
        return;
    }
    text_append_string(out, "</");
    append_span(out, level->name);
    text_append_char(out, '>');
}

/* Passes over a definition that is not needed. */
static bool pass_definition(struct shortener *shortener) {
    struct span definition = {shortener->at, 0};
    const char *end;

    if (shortener->levels[shortener->depth].is_verbatim ||
        strncmp(shortener->at, "<defs>", 6) != 0 ||
        (end = strstr(shortener->at, "</defs>")) == NULL) {
        return false;
    }
    definition.length = (size_t)(end - shortener->at) + strlen("</defs>");
    if (!is_superfluous(shortener, definition)) {
        return false;
    }
    shortener->at += definition.length;
    return true;
}

/* A group that is not written leaves its transform to what is in it. */
static void take_transform(const struct shortener *shortener, struct level *level) {
    for (size_t i = 0; i < shortener->attribute_count; i++) {
        if (span_is(shortener->attributes[i].name, "transform")) {
            level->transform = shortener->attributes[i].value;
        }
    }
}

static void open_level(struct shortener *shortener, struct level *level, bool is_empty) {
    want(shortener, level);
    if (is_empty && !has_id(shortener) && is_nothing(shortener, level->name)) {
        return;
    }
    if (!level->is_written) {
        take_transform(shortener, level);
        return;
    }
    append_element(shortener, level);
    text_append_string(shortener->out, shortener->is_counting ? "" : is_empty ? "/>" : ">");
}

static void read_start_tag(struct shortener *shortener) {
    const struct level *around = &shortener->levels[shortener->depth];
    struct level *level = &shortener->levels[shortener->depth + 1];
    const char *tag = shortener->at++;
    bool is_empty;

    if (shortener->depth == SVG_FILTER_DEPTH) {
        shortener->gives_up = true;
        return;
    }
    *level = *around;
    level->begin = shortener->out->length;
    level->name = read_name(shortener);
    level->transform = (struct span){NULL, 0};
    read_attributes(shortener);
    is_empty = *shortener->at == '/';
    level->is_verbatim = around->is_verbatim || span_is(around->name, "defs");
    if (shortener->is_counting) {
        note_references(shortener, level->is_verbatim);
    }
    level->has_id = has_id(shortener);
    level->is_written = level->is_verbatim || !is_plain_group(shortener, level->name);
    shortener->depth++;
    if (level->is_verbatim) {
        open_verbatim(shortener, tag, is_empty);
    } else {
        open_level(shortener, level, is_empty);
    }
    shortener->at += is_empty + 1;
    level->content = shortener->out->length;
    if (is_empty) {
        shortener->depth--;
    }
}

static void read_text(struct shortener *shortener) {
    const struct level *level = &shortener->levels[shortener->depth];
    struct span text = {shortener->at, strcspn(shortener->at, "<")};

    shortener->at += text.length;
    if (level->is_verbatim || is_words(level->name) || span_is(level->name, "title")) {
        if (!shortener->is_counting) {
            append_span(shortener->out, text);
        }
    } else {
        end_line(shortener);
    }
}

static void pass_over(struct shortener *shortener, const struct text *svg) {
    shortener->at = text_string(svg);
    shortener->end = shortener->at + svg->length;
    shortener->depth = 0;
    shortener->levels[0] = (struct level){.is_written = true};
    while (shortener->at < shortener->end && !shortener->gives_up) {
        if (*shortener->at != '<') {
            read_text(shortener);
        } else if (shortener->at[1] == '/') {
            shortener->at += strcspn(shortener->at, ">") + 1;
            close_level(shortener);
        } else if (!pass_definition(shortener)) {
            read_start_tag(shortener);
        }
    }
}

void svg_shorten(const struct text *svg, struct text *out) {
    struct shortener *shortener = xcalloc(1, sizeof *shortener);
    const size_t before = out->length;

    if (shortener == NULL) {
        out->failed = true;
        return;
    }
    shortener->out = out;
    shortener->is_counting = true;
    pass_over(shortener, svg);
    shortener->is_counting = false;
    pass_over(shortener, svg);
    if (shortener->gives_up && !out->failed) {
        out->length = before;
        text_append(out, svg->bytes, svg->length);
    }
    free(shortener);
}
