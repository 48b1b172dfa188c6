#include "import/unknown.h"

#include <string.h>

#include "base/words.h"

enum {
    SHOWN = 60,  /* bytes of the file, as the user asked about it */
    NEAREST = 3, /* formats */
};

/* --- the form of a line ------------------------------------------------------------------------
 */

static bool is_letter(uint8_t byte) {
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_' ||
           byte >= 0x80;
}

/* What a byte is in the form of a line: all digits are alike, all letters are, and other bytes are
 * themselves. */
static char form_of(uint8_t byte) {
    return byte >= '0' && byte <= '9' ? '9' : is_letter(byte) ? 'a' : (char)byte;
}

/* The form of a line: runs of digits, letters and blanks are one each. */
static void form_line(const uint8_t *line, size_t length, char form[WORD_LONGEST + 1]) {
    size_t filled = 0;

    for (size_t i = 0; i < length && filled < WORD_LONGEST; i++) {
        char byte = form_of(line[i]);
        bool runs = byte == '9' || byte == 'a' || byte == ' ';

        if (!runs || filled == 0 || form[filled - 1] != byte) {
            form[filled++] = byte;
        }
    }
    form[filled] = '\0';
}

/* The first line that is no remark and not empty. Length 0: there is none. */
static const uint8_t *first_line(const struct sniff *sniff, size_t *length) {
    const uint8_t *at = sniff->bytes, *end = sniff->bytes + sniff->length;

    while (at < end) {
        const uint8_t *newline = memchr(at, '\n', (size_t)(end - at));

        *length = (size_t)((newline == NULL ? end : newline) - at);
        if (*length > 0 && *at != '#' && *at != '\r') {
            return at;
        }
        at += *length + 1;
    }
    *length = 0;
    return sniff->bytes;
}

/* --- the nearest formats -----------------------------------------------------------------------
 */

static bool is_text(const struct sniff *sniff) {
    for (size_t i = 0; i < sniff->length; i++) {
        uint8_t byte = sniff->bytes[i];

        if (byte < ' ' && byte != '\t' && byte != '\n' && byte != '\r' && byte != '\f') {
            return false;
        }
    }
    return true;
}

/* How far text is from a format, in parts of 1000 of the longer form; binary formats are all as
 * far.
 */
static unsigned distance_to(const struct importer *importer, bool text, const char *form) {
    char other[WORD_LONGEST + 1];
    size_t longer;

    if (!text || importer->line == NULL) {
        return 0;
    }
    form_line((const uint8_t *)importer->line, strlen(importer->line), other);
    longer = strlen(form) > strlen(other) ? strlen(form) : strlen(other);
    return longer == 0 ? 0 : (unsigned)(1000 * word_distance(form, other) / longer);
}

/* The nearest of the formats that are behind `*place` in order of distance, and between equals in
 * that of the list; moves the place there. NULL: there are no more. */
static const struct importer *next_nearest(const struct config *config, const char *form, bool text,
                                           int64_t *place) {
    const struct importer *nearest = NULL, *importer;
    int64_t best = INT64_MAX;

    for (size_t i = 0; (importer = importer_at(config, i)) != NULL; i++) {
        int64_t at = (int64_t)distance_to(importer, text, form) * 1000 + (int64_t)i;

        if ((importer->line != NULL) == text && at > *place && at < best) {
            nearest = importer;
            best = at;
        }
    }
    *place = best;
    return nearest;
}

static void append_nearest(const struct sniff *sniff, const struct config *config,
                           struct text *out) {
    char form[WORD_LONGEST + 1];
    size_t length;
    const uint8_t *line = first_line(sniff, &length);
    const struct importer *importer;
    bool text = is_text(sniff);
    int64_t place = -1;

    form_line(line, length, form);
    for (int i = 0; i < NEAREST && (importer = next_nearest(config, form, text, &place)) != NULL;
         i++) {
        text_append_format(out, "%s%s (%s)", i == 0 ? " Nearest are " : ", ", importer->name,
                           importer->made_of);
    }
}

/* Messages are escaped when they are printed, and end at a NUL. */
static void append_beginning(const struct sniff *sniff, struct text *out) {
    for (size_t i = 0; i < sniff->length && i < SHOWN; i++) {
        if (sniff->bytes[i] == 0) {
            text_append_string(out, "\u2400");
        } else {
            text_append_char(out, (char)sniff->bytes[i]);
        }
    }
}

/* A time of a log that was printed in a language with a decimal comma: a word of digits, a comma
 * and 6 to 9 digits, which a blank or a colon ends. */
static bool is_comma_time(const uint8_t *at, const uint8_t *end) {
    enum { FEWEST = 6, MOST = 9 };
    const uint8_t *start = at;
    ptrdiff_t decimals;

    while (at < end && form_of(*at) == '9') {
        at++;
    }
    if (at == start || at == end || *at != ',') {
        return false;
    }
    start = ++at;
    while (at < end && form_of(*at) == '9') {
        at++;
    }
    decimals = at - start;
    return decimals >= FEWEST && decimals <= MOST && at < end && (*at == ' ' || *at == ':');
}

static bool has_comma_times(const struct sniff *sniff) {
    size_t length;
    const uint8_t *line = first_line(sniff, &length);

    for (size_t i = 0; i < length; i++) {
        if ((i == 0 || line[i - 1] == ' ') && is_comma_time(line + i, line + length)) {
            return true;
        }
    }
    return false;
}

void unknown_describe(const struct sniff *sniff, const struct config *config, struct text *out) {
    const char *other = importer_packed(sniff);

    other = other == NULL ? importer_other(sniff) : other;
    if (other != NULL) {
        text_append_string(out, other);
        return;
    }
    text_append_string(out, "the format is not known; the file begins with \"");
    append_beginning(sniff, out);
    text_append_string(out, "\".");
    if (has_comma_times(sniff)) {
        text_append_string(out,
                           " Its times have a decimal comma: record with LC_ALL=C, or make them "
                           "points.");
    }
    append_nearest(sniff, config, out);
    text_append_string(out, "; `tracetool formats` lists all, -f FORMAT names one");
}
