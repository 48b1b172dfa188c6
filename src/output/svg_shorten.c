#include "output/svg_shorten.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Limit of coordinates, in tenths of a unit. A picture with larger ones is not shortened. */
#define MOST_TENTHS 1e9

/* Parses a number and rounds it to tenths. Returns false if there is none. */
static bool read_tenths(const char **at, const char *end, int64_t *tenths) {
    char digits[32];
    size_t length = 0;
    double number;
    char *stop;

    while (*at < end && (**at == ' ' || **at == ',' || **at == '\n' || **at == '\t')) {
        ++*at;
    }
    while (*at + length < end && length < sizeof digits - 1 && (*at)[length] != '\0' &&
           strchr("0123456789.-", (*at)[length]) != NULL) {
        digits[length] = (*at)[length];
        length++;
    }
    digits[length] = '\0';
    number = strtod(digits, &stop) * 10;
    if (length == 0 || stop != digits + length || !(fabs(number) < MOST_TENTHS)) {
        return false;
    }
    *at += length;
    *tenths = llround(number);
    return true;
}

/* Appends tenths as a number such as 12.3, .5 or -7, after a blank if a number precedes. */
static void append_tenths(struct text *out, int64_t tenths) {
    const char last = out->length > 0 ? out->bytes[out->length - 1] : ' ';
    const int64_t size = llabs(tenths);

    if (tenths < 0) {
        text_append_char(out, '-');
    } else if (last >= '0' && last <= '9') {
        text_append_char(out, ' ');
    }
    if (size >= 10 || size == 0) {
        text_append_integer(out, size / 10);
    }
    if (size % 10 != 0) {
        text_append_char(out, '.');
        text_append_char(out, (char)('0' + size % 10));
    }
}

struct pen {
    struct text *out;
    int64_t x, y;             /* current position of the pen */
    int64_t start_x, start_y; /* start of the current line or area */
    bool is_drawing;          /* true: the current line or area has a segment */
    char command;             /* path command written last */
};

/* Appends a path command's letter, unless the command before has the same letter. */
static void svg_shorten_append_command(struct pen *pen, char command) {
    if (pen->command != command) {
        text_append_char(pen->out, command);
    }
    pen->command = command;
}

static void draw_line(struct pen *pen, int64_t x, int64_t y) {
    const int64_t right = x - pen->x, down = y - pen->y;

    if (right == 0 && down == 0 && pen->is_drawing) {
        return;
    }
    if (!pen->is_drawing) {
        text_append_char(pen->out, 'M');
        append_tenths(pen->out, pen->x);
        append_tenths(pen->out, pen->y);
        pen->command = 'M';
    }
    if (down == 0) {
        svg_shorten_append_command(pen, 'h');
        append_tenths(pen->out, right);
    } else if (right == 0) {
        svg_shorten_append_command(pen, 'v');
        append_tenths(pen->out, down);
    } else {
        svg_shorten_append_command(pen, 'l');
        append_tenths(pen->out, right);
        append_tenths(pen->out, down);
    }
    pen->is_drawing = true;
    pen->x = x;
    pen->y = y;
}

static void close_part(struct pen *pen) {
    if (pen->is_drawing) {
        text_append_char(pen->out, 'z');
    }
    pen->x = pen->start_x;
    pen->y = pen->start_y;
    pen->is_drawing = false;
}

/* Converts the commands M, L and Z of a path; returns false for other commands. The corners of an
 * area (polygon) are numbers without commands. */
static bool svg_shorten_append_lines(struct pen *pen, const char *at, const char *end,
                                     bool is_area) {
    char command = is_area ? 'M' : '\0';
    int64_t x, y;

    while (at < end) {
        if (*at == ' ' || *at == '\n' || *at == '\t') {
            at++;
        } else if (*at == 'Z' || *at == 'z') {
            close_part(pen);
            command = *at++;
        } else {
            if (*at == 'M' || *at == 'L') {
                command = *at++;
            }
            if ((command != 'M' && command != 'L') || !read_tenths(&at, end, &x) ||
                !read_tenths(&at, end, &y)) {
                return false;
            }
            if (command == 'L') {
                draw_line(pen, x, y);
            } else {
                pen->x = pen->start_x = x;
                pen->y = pen->start_y = y;
                pen->is_drawing = false;
                command = 'L'; /* in SVG, further numbers after those of M draw lines */
            }
        }
    }
    return true;
}

/* Appends the `d` of a path, from a path of lines (M, L, Z) or the corners of an area: as relative
 * lines in tenths of a unit, without steps of length 0. Returns false for other commands; then
 * appends nothing. */
static bool shorten_path(const char *d, size_t length, bool is_area, struct text *out) {
    const size_t before = out->length;
    struct pen pen = {.out = out};
    const bool done = svg_shorten_append_lines(&pen, d, d + length, is_area);

    if (done && is_area) {
        close_part(&pen);
    }
    if (!done && out->length > before) {
        out->length = before;
        out->bytes[before] = '\0';
    }
    return done;
}

/* Limits of what svg_shorten() accepts: depth of groups, attributes of an element, bytes of a
 * compared value, and marks (point symbols) that gnuplot defines. */
enum { MOST_DEPTH = 16, MOST_ATTRIBUTES = 24, MOST_VALUE = 128, MOST_MARKS = 32 };

struct span {
    const char *bytes; /* borrowed from the text of the picture */
    size_t length;
};

/* Attributes that colour and style an element. They are inherited from the groups around it. */
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

/* `initial`: value of the attribute if it is missing. `is_said`: true: `initial` is written once,
 * for the whole picture. */
static const struct {
    const char *name, *initial;
    bool is_said;
} paints[PAINTS] = {
    [COLOR] = {"color", "black", false},
    [FILL] = {"fill", "none", true},
    [STROKE] = {"stroke", "none", false},
    [FILL_OPACITY] = {"fill-opacity", "1", false},
    [STROKE_OPACITY] = {"stroke-opacity", "1", false},
    [STROKE_WIDTH] = {"stroke-width", "1", false},
    [LINECAP] = {"stroke-linecap", "butt", false},
    [LINEJOIN] = {"stroke-linejoin", "miter", false},
    [DASHES] = {"stroke-dasharray", "none", false},
    [RENDERING] = {"shape-rendering", "auto", false},
    [FONT_FAMILY] = {"font-family", "sans", true},
    [FONT_SIZE] = {"font-size", "14", true},
    [FONT_WEIGHT] = {"font-weight", "normal", false},
    [FONT_STYLE] = {"font-style", "normal", false},
    [ANCHOR] = {"text-anchor", "middle", true},
};

struct attribute {
    struct span name, value;
};

/* Attributes that a group or element sets (length 0: not set), and its transform. */
struct level {
    struct span paints[PAINTS], transform;
};

/* A fill pattern: gnuplot defines one for each area. */
struct pattern {
    struct span id, rest; /* the id, and the rest of the definition after it */
    struct span colour;   /* the colour, if the pattern is only a colour; else of length 0 */
    size_t first;         /* index of the first pattern with an equal definition */
};

struct shortener {
    const char *at; /* position in the text of the picture, which is NUL-terminated */
    struct text *out;
    struct level levels[MOST_DEPTH];
    size_t depth; /* number of groups around the position; 0: none */
    struct attribute attributes[MOST_ATTRIBUTES];
    size_t attribute_count;
    struct pattern *patterns; /* owned */
    size_t pattern_count, pattern_capacity;
};

static bool span_is(struct span span, const char *string) {
    return span.length == strlen(string) && memcmp(span.bytes, string, span.length) == 0;
}

static bool span_equals(struct span one, struct span other) {
    return one.length == other.length && memcmp(one.bytes, other.bytes, one.length) == 0;
}

static void append_span(struct text *out, struct span span) {
    text_append(out, span.bytes, span.length);
}

/* Returns the text between a prefix and a suffix; of length 0 if `text` does not have both. */
static struct span text_between(struct span text, const char *before, const char *after) {
    const size_t begin = strlen(before), end = strlen(after);

    if (text.length <= begin + end || memcmp(text.bytes, before, begin) != 0 ||
        memcmp(text.bytes + text.length - end, after, end) != 0) {
        return (struct span){text.bytes, 0};
    }
    return (struct span){text.bytes + begin, text.length - begin - end};
}

/* Shortens a number: 14.00 to 14, 0.50 to .5. Does not change other values. */
static void shorten_number(char *value) {
    char *point = strchr(value, '.'), *last = value + strlen(value);

    if (point == NULL || strspn(value, "0123456789.-") != (size_t)(last - value)) {
        return;
    }
    while (last[-1] == '0') {
        *--last = '\0';
    }
    if (last[-1] == '.') {
        *--last = '\0';
    }
    if (value[0] == '0' && value[1] == '.') {
        memmove(value, value + 1, strlen(value));
    }
}

/* Shortens a colour: rgb(1, 2, 3) to #010203, #aabbcc to #abc. Does not change other values. */
static void shorten_colour(char *value) {
    unsigned red, green, blue;

    if (sscanf(value, "rgb(%3u ,%3u ,%3u )", &red, &green, &blue) != 3 &&
        (strlen(value) != 7 || sscanf(value, "#%2x%2x%2x", &red, &green, &blue) != 3)) {
        return;
    }
    if (red == 0 && green == 0 && blue == 0) {
        snprintf(value, MOST_VALUE, "black");
    } else if (red % 17 == 0 && green % 17 == 0 && blue % 17 == 0) {
        snprintf(value, MOST_VALUE, "#%x%x%x", red / 17, green / 17, blue / 17);
    } else {
        snprintf(value, MOST_VALUE, "#%02x%02x%02x", red, green, blue);
    }
}

/* --- collecting the marks and patterns of a picture ------------------------------------------- */

/* Returns whether a text refers to the element with this id. */
static bool refers_to_id(struct span text, struct span id) {
    char reference[MOST_VALUE];
    const int length = snprintf(reference, sizeof reference, "'#%.*s'", (int)id.length, id.bytes);

    return memmem(text.bytes, text.length, reference, (size_t)length) != NULL;
}

/* Returns an attribute's value in a line by gnuplot; of length 0 if the attribute is missing. */
static struct span line_value(struct span line, const char *name) {
    const char *at = memmem(line.bytes, line.length, name, strlen(name));
    struct span value = {line.bytes, 0};

    if (at != NULL) {
        value.bytes = at + strlen(name);
        value.length = strcspn(value.bytes, "'");
    }
    return value;
}

/* Appends the definition of a mark. If it refers to another mark by the attribute xlink:href,
 * writes href. */
static void append_mark(struct text *out, struct span line) {
    const struct span name = line_value(line, "xlink:");

    if (name.length == 0) {
        append_span(out, line);
        return;
    }
    text_append(out, line.bytes, (size_t)(name.bytes - line.bytes) - strlen("xlink:"));
    text_append(out, name.bytes, line.length - (size_t)(name.bytes - line.bytes));
}

/* gnuplot defines all marks (point symbols of plots), a line each, before it draws. Appends those
 * that the drawing refers to, directly or through other marks. */
static void append_marks(struct text *out, struct span definitions, const char *drawn) {
    const struct span rest = {drawn, strlen(drawn)};
    struct span lines[MOST_MARKS];
    bool is_used[MOST_MARKS] = {false}, is_any = false;
    size_t count = 0;

    for (const char *at = definitions.bytes; at < definitions.bytes + definitions.length;) {
        const size_t length = strcspn(at, "\n"), space = strspn(at, "\t ");

        if (space < length && count < MOST_MARKS) {
            lines[count++] = (struct span){at + space, length - space};
        }
        at += length + 1;
    }
    for (size_t i = count; i-- > 0;) {
        const struct span id = line_value(lines[i], " id='gp");
        const struct span name = {id.bytes - 2, id.length + 2};

        is_used[i] = id.length > 0 && refers_to_id(rest, name);
        for (size_t j = i + 1; id.length > 0 && j < count; j++) {
            is_used[i] = is_used[i] || (is_used[j] && refers_to_id(lines[j], name));
        }
        is_any = is_any || is_used[i];
    }
    text_append_string(out, is_any ? "<defs>" : "");
    for (size_t i = 0; i < count; i++) {
        if (is_used[i]) {
            append_mark(out, lines[i]);
        }
    }
    text_append_string(out, is_any ? "</defs>" : "");
}

/* Returns the index of the pattern that url(#ID) refers to; the number of patterns if there is
 * none. Searches backwards, since the drawing mostly refers to the last patterns. */
static size_t find_pattern(const struct shortener *shortener, struct span url) {
    const struct span id = text_between(url, "url(#", ")");

    for (size_t i = shortener->pattern_count; id.length > 0 && i-- > 0;) {
        if (span_equals(shortener->patterns[i].id, id)) {
            return i;
        }
    }
    return shortener->pattern_count;
}

/* Records the definition of a pattern. Writes it, unless it is a plain colour or equals an earlier
 * pattern. Returns false if the text is not such a definition. */
static bool add_pattern(struct shortener *shortener, struct span definition) {
    const struct span body =
        text_between(definition, "<defs>\n\t\t<pattern id='", "\t\t</pattern>\n\t</defs>");
    const char *quote = memchr(body.bytes, '\'', body.length);
    struct pattern pattern = {.first = 0};

    if (quote == NULL) {
        return false;
    }
    pattern.id = (struct span){body.bytes, (size_t)(quote - body.bytes)};
    pattern.rest = (struct span){quote, body.length - pattern.id.length};
    pattern.colour =
        text_between(pattern.rest,
                     "' patternUnits='userSpaceOnUse' x='0' y='0' width='8' height='8'>\n"
                     "\t\t\t<path style='stroke:none; fill:",
                     "' d='M0,0 L0,8 L8,8 L8,0 L0,0'/>\n");
    if (memchr(pattern.rest.bytes, '\n', pattern.rest.length) ==
        pattern.rest.bytes + pattern.rest.length - 1) {
        pattern.colour = (struct span){"none", 4}; /* an empty pattern draws nothing */
    }
    while (pattern.first < shortener->pattern_count &&
           !span_equals(shortener->patterns[pattern.first].rest, pattern.rest)) {
        pattern.first++;
    }
    shortener->patterns = array_grow(shortener->patterns, shortener->pattern_count,
                                     &shortener->pattern_capacity, sizeof pattern);
    if (pattern.first == shortener->pattern_count && pattern.colour.length == 0) {
        append_span(shortener->out, definition);
    }
    shortener->patterns[shortener->pattern_count++] = pattern;
    return true;
}

static bool pass_definitions(struct shortener *shortener) {
    const char *end = strstr(shortener->at, "</defs>");
    struct span definitions = {shortener->at, 0};

    if (end == NULL) {
        return false;
    }
    end += strlen("</defs>");
    definitions.length = (size_t)(end - shortener->at);
    shortener->at = end;
    if (memmem(definitions.bytes, definitions.length, "<pattern", 8) != NULL) {
        return add_pattern(shortener, definitions);
    }
    append_marks(shortener->out, definitions, end);
    return true;
}

/* --- writing elements of the short SVG -------------------------------------------------------- */

/* Sets `value` to the value of an attribute that applies to an element, shortened as it will be
 * written. */
static void svg_shorten_holds(const struct shortener *shortener, const struct level *level,
                              enum paint paint, char value[MOST_VALUE]) {
    struct span span = level->paints[paint];
    size_t place;

    if (span.length == 0) {
        snprintf(value, MOST_VALUE, "%s", paints[paint].initial);
        return;
    }
    place = find_pattern(shortener, span);
    if (place < shortener->pattern_count) {
        const struct pattern *pattern = &shortener->patterns[place];
        const struct span first = shortener->patterns[pattern->first].id;

        if (pattern->colour.length > 0) {
            span = pattern->colour;
        } else {
            snprintf(value, MOST_VALUE, "url(#%.*s)", (int)first.length, first.bytes);
            return;
        }
    }
    snprintf(value, MOST_VALUE, "%.*s", (int)span.length, span.bytes);
    if (paint == COLOR || paint == FILL || paint == STROKE) {
        shorten_colour(value);
    } else {
        shorten_number(value);
    }
}

/* Returns whether the attribute changes how the element looks. */
static bool attribute_is_visible(struct span name, enum paint paint, bool has_line) {
    if (span_is(name, "use")) {
        return paint == COLOR || paint == FILL; /* a reference to a mark needs only colours: the
                                                   mark's definition has all other attributes */
    }
    if (paint == COLOR) {
        return false; /* the attribute `color` is never written: an element whose paint is
                         currentColor gets the colour instead */
    }
    return paint >= STROKE_OPACITY && paint <= DASHES
               ? has_line
               : paint < RENDERING || span_is(name, "text") == (paint > RENDERING);
}

static void append_paints(struct shortener *shortener, struct span name,
                          const struct level *level) {
    const bool is_use = span_is(name, "use");
    char value[MOST_VALUE], stroke[MOST_VALUE];

    svg_shorten_holds(shortener, level, STROKE, stroke);
    for (enum paint paint = COLOR; paint < PAINTS; paint++) {
        svg_shorten_holds(shortener, level, paint, value);
        if (!is_use && strcmp(value, "currentColor") == 0) {
            svg_shorten_holds(shortener, level, COLOR, value);
        }
        if (strcmp(value, paints[paint].initial) != 0 &&
            attribute_is_visible(name, paint, strcmp(stroke, "none") != 0)) {
            text_append_format(shortener->out, " %s=\"%s\"", paints[paint].name, value);
        }
    }
    if (level->transform.length > 0) {
        text_append_string(shortener->out, " transform=\"");
        /* Removes zeros at the end of numbers: translate(12.30,45.60) scale(2.00). */
        for (size_t i = 0; i < level->transform.length;) {
            size_t size = strspn(level->transform.bytes + i, "0123456789.-");
            char number[MOST_VALUE];

            if (size == 0 || size >= sizeof number) {
                size = size == 0 ? 1 : size;
                text_append(shortener->out, level->transform.bytes + i, size);
            } else {
                snprintf(number, sizeof number, "%.*s", (int)size, level->transform.bytes + i);
                shorten_number(number);
                text_append_string(shortener->out, number);
            }
            i += size;
        }
        text_append_char(shortener->out, '"');
    }
}

static void svg_shorten_append_attribute(struct text *out, struct span name, struct span value) {
    const bool is_link = span_is(name, "xlink:href");

    text_append_char(out, ' ');
    text_append_string(out, is_link ? "href" : "");
    text_append(out, name.bytes, is_link ? 0 : name.length);
    text_append_string(out, "=\"");
    append_span(out, value);
    text_append_char(out, '"');
}

/* Appends a start tag without its >. Returns false, and appends nothing, for an invisible path. */
static bool svg_shorten_append_element(struct shortener *shortener, struct span name,
                                       const struct level *level) {
    const bool is_area = span_is(name, "polygon"), is_path = is_area || span_is(name, "path");
    struct text *out = shortener->out;
    const size_t before = out->length;
    bool shows = true;

    text_append_char(out, '<');
    append_span(out, is_area ? (struct span){"path", 4} : name);
    for (size_t i = 0; i < shortener->attribute_count; i++) {
        const struct attribute *attribute = &shortener->attributes[i];
        const struct span value = attribute->value;

        if (is_path && span_is(attribute->name, is_area ? "points" : "d")) {
            size_t begin;

            text_append_string(out, " d=\"");
            begin = out->length;
            if (!shorten_path(value.bytes, value.length, is_area, out)) {
                text_append_string(out, is_area ? "M" : "");
                append_span(out, value);
                text_append_string(out, is_area ? "z" : "");
            }
            shows = out->length > begin;
            text_append_char(out, '"');
        } else if (!span_is(attribute->name, "class") && !span_is(attribute->name, "id")) {
            svg_shorten_append_attribute(out, attribute->name, value);
        }
    }
    append_paints(shortener, name, level);
    if (!shows) {
        out->length = before;
        out->bytes[before] = '\0';
    }
    return shows;
}

/* Appends a text element with its content, unless the content is empty. */
static bool svg_shorten_append_words(struct shortener *shortener, struct span name,
                                     const struct level *level) {
    const struct span words = {shortener->at, strcspn(shortener->at, "<")};
    const char *end = strstr(shortener->at, "</text>");

    if (end == NULL) {
        return false;
    }
    if (words.length > 0 || words.bytes + words.length < end) {
        svg_shorten_append_element(shortener, name, level);
        text_append_char(shortener->out, '>');
        text_append(shortener->out, shortener->at, (size_t)(end - shortener->at));
        text_append_string(shortener->out, "</text>");
    }
    shortener->at = end + strlen("</text>");
    return true;
}

/* --- reading gnuplot's SVG -------------------------------------------------------------------- */

/* Sets an attribute of a group or element, if it is transform or in enum paint. Returns false for
 * other attributes. */
static bool set_paint(struct level *level, struct span name, struct span value) {
    if (span_is(name, "transform")) {
        level->transform = value;
        return true;
    }
    for (enum paint paint = COLOR; paint < PAINTS; paint++) {
        if (span_is(name, paints[paint].name)) {
            level->paints[paint] = value;
            return true;
        }
    }
    return false;
}

/* Sets the attributes in a style such as `fill:red; stroke:none`. */
static void set_style(struct level *level, struct span style) {
    const char *at = style.bytes, *end = style.bytes + style.length;

    while (at < end) {
        struct span name = {at, strcspn(at, ":;'\"")}, value;

        at += name.length + 1;
        at += strspn(at, " ");
        value = (struct span){at, strcspn(at, ";'\"")};
        set_paint(level, name, value);
        at += value.length + 1;
        at += strspn(at, " ");
    }
}

/* Reads attributes NAME='VALUE' up to the end of the tag. Sets those of enum paint in `level`, and
 * stores the others. Returns false if a value contains a quotation mark, or a value of enum paint
 * has MOST_VALUE bytes or more. */
static bool read_attributes(struct shortener *shortener, struct level *level) {
    shortener->attribute_count = 0;
    for (;;) {
        struct span name, value;
        const char *end;

        shortener->at += strspn(shortener->at, " \n");
        name = (struct span){shortener->at, strcspn(shortener->at, " =/>\n")};
        if (name.length == 0) {
            return *shortener->at == '/' || *shortener->at == '>';
        }
        shortener->at += name.length;
        shortener->at += strspn(shortener->at, " =");
        if (*shortener->at != '"' && *shortener->at != '\'') {
            return false;
        }
        end = strchr(shortener->at + 1, *shortener->at);
        if (end == NULL) {
            return false;
        }
        value = (struct span){shortener->at + 1, (size_t)(end - shortener->at) - 1};
        shortener->at = end + 1;
        if (span_is(name, "style")) {
            set_style(level, value);
        } else if (!set_paint(level, name, value)) {
            if (shortener->attribute_count == MOST_ATTRIBUTES ||
                memchr(value.bytes, '"', value.length) != NULL) {
                return false;
            }
            shortener->attributes[shortener->attribute_count++] = (struct attribute){name, value};
        } else if (value.length >= MOST_VALUE || memchr(value.bytes, '"', value.length) != NULL) {
            return false;
        }
    }
}

static bool pass_element(struct shortener *shortener, const char *end_tag) {
    const char *end = strstr(shortener->at, end_tag);

    shortener->at = end == NULL ? shortener->at : end + strlen(end_tag);
    return end != NULL;
}

/* Reads a group. Groups are not written: their attributes apply to the elements in them. */
static bool open_group(struct shortener *shortener, const struct level *level) {
    if (shortener->depth + 1 == MOST_DEPTH || *shortener->at != '>') {
        return false;
    }
    shortener->at++;
    shortener->levels[++shortener->depth] = *level;
    return true;
}

static bool read_element(struct shortener *shortener) {
    static const char *const drawn[] = {"path", "polygon", "use", "rect", "circle", "image"};
    const struct span name = {shortener->at + 1, strcspn(shortener->at + 1, " />\n")};
    const struct level *around = &shortener->levels[shortener->depth];
    struct level level = *around;

    if (span_is(name, "defs")) {
        return pass_definitions(shortener);
    }
    if (span_is(name, "title")) {
        return pass_element(shortener, "</title>");
    }
    if (span_is(name, "desc")) {
        return pass_element(shortener, "</desc>");
    }
    shortener->at += 1 + name.length;
    if (!read_attributes(shortener, &level) ||
        /* a picture with nested transforms is refused: gnuplot does not write these */
        (around->transform.length > 0 && level.transform.bytes != around->transform.bytes)) {
        return false;
    }
    if (span_is(name, "g")) {
        return open_group(shortener, &level);
    }
    if (span_is(name, "text")) {
        return *shortener->at++ == '>' && svg_shorten_append_words(shortener, name, &level);
    }
    for (size_t i = 0; i < sizeof drawn / sizeof drawn[0]; i++) {
        if (span_is(name, drawn[i]) && strncmp(shortener->at, "/>", 2) == 0) {
            shortener->at += 2;
            text_append_string(shortener->out,
                               svg_shorten_append_element(shortener, name, &level) ? "/>" : "");
            return true;
        }
    }
    return false;
}

/* Reads the rest of the picture. Returns false if it has content that gnuplot does not write. */
static bool read_content(struct shortener *shortener) {
    for (;;) {
        shortener->at += strspn(shortener->at, " \t\n");
        if (strncmp(shortener->at, "</g>", 4) == 0 && shortener->depth > 0) {
            shortener->depth--;
            shortener->at += 4;
        } else if (strncmp(shortener->at, "</svg>", 6) == 0) {
            return shortener->depth == 0;
        } else if (*shortener->at != '<' || !read_element(shortener)) {
            return false;
        }
    }
}

static bool svg_shorten_read_picture(struct shortener *shortener, const char *svg) {
    struct text *out = shortener->out;

    shortener->at = strstr(svg, "<svg");
    if (shortener->at == NULL) {
        return false;
    }
    shortener->at += strlen("<svg");
    if (!read_attributes(shortener, &shortener->levels[0]) || *shortener->at != '>') {
        return false;
    }
    shortener->at++;
    text_append_string(out, "<svg xmlns=\"http://www.w3.org/2000/svg\"");
    for (size_t i = 0; i < shortener->attribute_count; i++) {
        const struct attribute *attribute = &shortener->attributes[i];

        if (span_is(attribute->name, "width") || span_is(attribute->name, "height") ||
            span_is(attribute->name, "viewBox")) {
            svg_shorten_append_attribute(out, attribute->name, attribute->value);
        }
    }
    for (enum paint paint = COLOR; paint < PAINTS; paint++) {
        if (paints[paint].is_said) {
            text_append_format(out, " %s=\"%s\"", paints[paint].name, paints[paint].initial);
        }
    }
    text_append_char(out, '>');
    if (!read_content(shortener)) {
        return false;
    }
    text_append_string(out, "</svg>");
    return true;
}

bool svg_shorten(const char *svg, struct text *out) {
    struct shortener *shortener = xcalloc(1, sizeof *shortener);
    const size_t before = out->length;
    bool done;

    shortener->out = out;
    done = svg_shorten_read_picture(shortener, svg);
    if (!done && out->length > before) {
        out->length = before;
        out->bytes[before] = '\0';
    }
    free(shortener->patterns);
    free(shortener);
    return done;
}
