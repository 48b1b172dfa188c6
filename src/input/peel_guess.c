/* Detects the layers around the lines of a text log from its beginning. */
#include "input/peel_plan.h"

#include "input/peel_line.h"

enum {
    SAMPLE = 500, /* maximum number of lines examined */
    FEWEST = 3,   /* minimum number of lines that must have a layer */
    MANY = 10,    /* minimum number of numbered lines in a log of a known format */
    NARROW = 40,  /* minimum wrap width, in columns */
    WIDE = 512,   /* maximum wrap width, in columns */
    LONGEST = 20, /* maximum number of pieces per wrapped line, on average */
    MOSTLY = 20,  /* at most one in MOSTLY lines may begin with a form that is not in the list */
    RARE = 50,    /* a form of line starts is ignored if fewer than one in RARE lines have it */
    UNITS = 256,  /* maximum number of UTF-16 units examined */
    MARK = 3,     /* length of a byte order mark */
};

struct sample {
    struct word lines[SAMPLE];
    int64_t columns[SAMPLE], width; /* width of each line and of the widest one, in columns */
    size_t count;
    size_t filled; /* number of lines that are not blank */
    bool alone;    /* true: the lines are a whole file, of no known format */
    bool known;    /* true: the lines have a known format */
};

static void collect_sample_lines(struct sample *sample, struct word bytes, bool whole) {
    sample->count = sample->filled = 0;
    sample->alone = sample->known = false;
    while (bytes.length > 0 && sample->count < SAMPLE) {
        bool ended = memchr(bytes.bytes, '\n', bytes.length) != NULL;
        struct word line = word_field(&bytes, '\n');

        if (!ended && !whole && sample->count > 0) {
            break;
        }
        if (word_ends(line, "\r")) {
            line.length--;
        }
        sample->filled += word_trim(line).length > 0;
        sample->lines[sample->count++] = line;
    }
}

/* Whether enough lines have a layer: FEWEST, and 90 % of those that are not blank. */
static bool enough_lines_match(const struct sample *sample, size_t count) {
    return count >= FEWEST && 10 * count >= 9 * sample->filled;
}

static size_t count_kind(const struct peel_plan *plan, enum peel_kind kind) {
    size_t count = 0;

    for (size_t i = 0; i < plan->count; i++) {
        count += plan->layers[i].kind == kind;
    }
    return count;
}

/* --- encoding of bytes ------------------------------------------------------------------------ */

/* Detects UTF-16, by its byte order mark, or by zero bytes, as most characters are ASCII. */
static bool guess_utf16(struct word bytes, struct peel_layer *layer) {
    size_t units = bytes.length / 2 < UNITS ? bytes.length / 2 : UNITS, low = 0, high = 0;

    for (size_t i = 0; i < units; i++) {
        const char *unit = bytes.bytes + 2 * i;

        low += unit[0] != '\0' && unit[1] == '\0';
        high += unit[0] == '\0' && unit[1] != '\0';
    }
    layer->kind = PEEL_UTF16;
    layer->number = low > high;
    return units >= FEWEST && 10 * (low > high ? low : high) >= 9 * units - 10;
}

static bool peel_guess_is_text(struct word bytes) {
    for (size_t i = 0; i < bytes.length; i++) {
        uint8_t byte = (uint8_t)bytes.bytes[i];

        if (byte < ' ' && (byte < '\a' || byte > '\r') && byte != '\033') {
            return false;
        }
    }
    return true;
}

/* --- layers around each line ------------------------------------------------------------------ */

/* Detects lines that another program has written as strings in JSON or CSV. In CSV, only lines with
 * a comma or a quotation mark may be quoted. */
static bool guess_strings(const struct sample *sample, struct peel_layer *layer) {
    size_t objects = 0, quoted = 0, bare = 0;
    struct text room = {0};
    bool goes_on;

    for (size_t i = 0; i < sample->count; i++) {
        struct word line = sample->lines[i];

        text_clear(&room);
        objects += peel_append_json(line, &room, &goes_on);
        text_clear(&room);
        quoted += peel_append_quoted(line, &room);
        bare += !word_has(line, "\"") && !word_has(line, ",");
    }
    text_free(&room);
    layer->kind = enough_lines_match(sample, objects) ? PEEL_JSON : PEEL_QUOTED;
    return layer->kind == PEEL_JSON ||
           (quoted >= FEWEST && enough_lines_match(sample, quoted + bare));
}

/* Detects prefixes that can be recognised in each line on its own. */
static bool guess_prefix(const struct sample *sample, bool known, struct peel_layer *layer) {
    /* In a log of a known format, tries containers only: otherwise strace's importer would take
     * "[name] " for output of the traced program. */
    enum peel_kind last = known ? PEEL_CONTAINERS : PEEL_TIMES;

    for (layer->kind = PEEL_CONTAINERS; layer->kind <= last; layer->kind++) {
        size_t count = 0;
        bool goes_on;

        for (size_t i = 0; i < sample->count; i++) {
            struct word line = sample->lines[i];

            /* Digits before the bars of ftrace's function graph are times, not containers. */
            count += (!known || word_digits(line) == 0) && peel_prefix(layer, line, &goes_on) > 0;
        }
        if (enough_lines_match(sample, count)) {
            return true;
        }
    }
    return false;
}

/* Detects increasing line numbers. Before a TAB or colon, as from grep -n, numbers may be missing;
 * else they must increase by one. In a log of a known format, blanks must precede each number,
 * since other numbers are threads or times. */
static bool guess_numbers(const struct sample *sample, bool known, struct peel_layer *layer) {
    static const char separators[] = "\t:.) ";

    layer->kind = PEEL_NUMBERS;
    for (size_t k = known ? sizeof separators - 2 : 0; k < sizeof separators - 1; k++) {
        size_t count = 0, rising = 0;
        int64_t before = -1;

        for (size_t i = 0; i < sample->count; i++) {
            struct word line = sample->lines[i];
            char separator;
            int64_t number;

            if (peel_cut_number(&line, &separator, &number) && separator == separators[k]) {
                rising += before < 0 || number == before + 1 || (k < 2 && number > before);
                before = number;
                count++;
            }
        }
        if (known ? rising == sample->count && rising >= MANY
                  : enough_lines_match(sample, count) && enough_lines_match(sample, rising)) {
            layer->text[0] = separators[k];
            layer->length = 1;
            return true;
        }
    }
    return false;
}

/* Stores the part of a file name before the number at its end. Returns false if the name is not
 * like "log.4711". */
static bool split_numbered_name(struct word name, struct peel_layer *layer) {
    while (name.length > 0 && word_is_digit(name.bytes[name.length - 1])) {
        name.length--;
    }
    if (!word_ends(name, ".") || word_digits(name) + 1 == name.length ||
        name.length > PEEL_TEXT_MOST) {
        return false;
    }
    layer->length = name.length;
    memcpy(layer->text, name.bytes, name.length);
    return true;
}

/* Detects the headers that tail prints: the first line must be one. */
static bool guess_sections(const struct sample *sample, struct peel_layer *layer) {
    struct word name = sample->count == 0 ? word_of("") : peel_header_name(sample->lines[0]),
                number;

    layer->kind = PEEL_SECTIONS;
    return split_numbered_name(name, layer) && peel_file_number(layer, &name, &number);
}

/* Whether line numbers follow the file names (grep -n): they increase within each file. */
static bool line_numbers_follow_names(const struct sample *sample, const struct peel_layer *layer) {
    struct word file = word_of("");
    size_t count = 0;
    int64_t before = 0;

    for (size_t i = 0; i < sample->count; i++) {
        struct word line = sample->lines[i], name;
        int64_t number;
        char separator;

        if (!peel_file_number(layer, &line, &name) || !word_begins(line, ":")) {
            continue;
        }
        word_skip(&line, 1);
        if (name.length != file.length || memcmp(name.bytes, file.bytes, name.length) != 0) {
            file = name;
            before = 0;
        }
        if (peel_cut_number(&line, &separator, &number) && separator == ':') {
            count += number > before;
            before = number;
        }
    }
    return enough_lines_match(sample, count);
}

/* Detects file names before the lines that differ only in the number at their end. If all lines
 * begin with the same name and then a number, the number is that of a thread, and the name is not a
 * layer. */
static bool guess_files(const struct sample *sample, struct peel_layer *layer) {
    struct word rest = sample->lines[0], name = word_field(&rest, ':');
    struct text room = {0};
    size_t count = 0, other = 0, threads = 0;

    if (rest.length == 0 || !split_numbered_name(name, layer)) {
        return false;
    }
    layer->kind = PEEL_FILES;
    layer->number = line_numbers_follow_names(sample, layer);
    for (size_t i = 0; i < sample->count; i++) {
        struct word line = sample->lines[i], number;

        text_clear(&room);
        if (!peel_shorten_file_name(layer, line, &room)) {
            continue;
        }
        count++;
        other += line.length <= name.length || memcmp(line.bytes, name.bytes, name.length + 1) != 0;
        line = (struct word){room.bytes, room.length};
        word_skip(&line, word_digits(line) + 1);
        number = word_next(&line);
        threads += number.length > 0 && word_digits(number) == number.length;
    }
    text_free(&room);
    return enough_lines_match(sample, count) && (other > 0 || 2 * threads < count);
}

/* Returns the length of a plausible constant prefix: marks such as "> " or "# ", an indentation, a
 * file name with a colon, a path (even with blanks), "[pod/web/1] ". Returns 0 for any other text.
 */
static size_t end_of_text(struct word same) {
    size_t marks = 0, end = 0;
    bool blanks = false, path = false;
    const char *found;

    while (marks < same.length && strchr(">#/*|;!%+- \t", same.bytes[marks]) != NULL) {
        marks++;
        end = word_is_blank(same.bytes[marks - 1]) ? end : marks;
    }
    if (end > 0) {
        return end + (end < same.length && word_is_blank(same.bytes[end]));
    }
    if (marks > 0) {
        while (*same.bytes == '\t' && end < marks && same.bytes[end] == '\t') {
            end++;
        }
        return end > 0 ? end : marks;
    }
    if (same.length > 0 && *same.bytes == '[') {
        found = memmem(same.bytes, same.length, "] ", 2);
        return found == NULL ? 0 : (size_t)(found - same.bytes) + 2;
    }
    while (end < same.length && same.bytes[end] != ':' &&
           strchr("\t(\",={", same.bytes[end]) == NULL) {
        blanks |= same.bytes[end] == ' ';
        path |= same.bytes[end] == '/';
        end++;
    }
    return end > 1 && end < same.length && same.bytes[end] == ':' && !word_is_digit(*same.bytes) &&
                   (!blanks || (path && !word_is_digit(same.bytes[end - 1])))
               ? end + 1
               : 0;
}

/* Returns the longest prefix that the line shares with most lines. */
static struct word longest_common_prefix(const struct sample *sample, struct word line) {
    size_t lengths[PEEL_TEXT_MOST + 1] = {0}, count = 0, length = PEEL_TEXT_MOST;

    for (size_t i = 0; i < sample->count; i++) {
        struct word other = sample->lines[i];
        size_t same = 0;

        while (same < PEEL_TEXT_MOST && same < line.length && same < other.length &&
               line.bytes[same] == other.bytes[same]) {
            same++;
        }
        lengths[same] += word_trim(other).length > 0;
    }
    for (count = lengths[length]; length > 0 && !enough_lines_match(sample, count);) {
        count += lengths[--length];
    }
    return (struct word){line.bytes, length};
}

static bool guess_text(const struct sample *sample, struct peel_layer *layer) {
    layer->kind = PEEL_TEXT;
    layer->number = 0;
    for (size_t i = 0; i < sample->count && i < 2 * FEWEST; i++) {
        struct word same = longest_common_prefix(sample, sample->lines[i]);

        layer->length = end_of_text(same);
        if (layer->length > 0) {
            memcpy(layer->text, same.bytes, layer->length);
            if (*layer->text == '>' && strspn(layer->text, "> ") == layer->length) {
                layer->number = 1 + word_is_blank(layer->text[layer->length - 1]);
            }
            return true;
        }
    }
    return false;
}

/* --- wrapped lines ---------------------------------------------------------------------------- */

struct forms {
    char forms[SAMPLE][PEEL_FORM];
    bool rest[SAMPLE]; /* true: the line may continue the line before it */
    size_t starts, rests;
};

static size_t count_form(const struct forms *forms, const struct sample *sample, const char *form) {
    size_t count = 0;

    for (size_t i = 0; i < sample->count; i++) {
        count += !forms->rest[i] && memcmp(forms->forms[i], form, PEEL_FORM) == 0;
    }
    return count;
}

/* Lists the forms of the starts of lines that follow a line that is not wrapped. */
static void list_forms(const struct forms *forms, const struct sample *sample,
                       struct peel_layer *layer) {
    layer->length = 0;
    for (size_t i = 0; i < sample->count && layer->length < PEEL_FORMS * PEEL_FORM; i++) {
        if (!forms->rest[i] && forms->forms[i][0] != '\0' &&
            !peel_begins_line(layer, sample->lines[i]) &&
            RARE * count_form(forms, sample, forms->forms[i]) >= forms->starts) {
            memcpy(layer->text + layer->length, forms->forms[i], PEEL_FORM);
            layer->length += PEEL_FORM;
        }
    }
}

static void peel_guess_measure(struct sample *sample) {
    sample->width = 0;
    for (size_t i = 0; i < sample->count; i++) {
        sample->columns[i] = peel_columns(sample->lines[i], 0);
        sample->width = sample->columns[i] > sample->width ? sample->columns[i] : sample->width;
    }
    /* The first line may have begun with a byte order mark, which is not in the sample. fold(1)
     * counts it as columns, a terminal does not. Adds these columns unless the line would then
     * exceed the widest line. */
    if (sample->count > 0 && peel_columns(sample->lines[0], MARK) <= sample->width) {
        sample->columns[0] = peel_columns(sample->lines[0], MARK);
    }
}

/* Detects wrapped lines. Of the lines after a line of full width, many must begin as no other line
 * does: these are continuation lines. The rest may follow lines that happen to have the full width.
 * `words`: only lines that end with a blank may wrap. One or two continuation lines suffice in a
 * short file of unknown format, or in a known format, whose importer then checks the lines. */
static bool is_wrapped(const struct sample *sample, size_t form, bool words,
                       struct peel_layer *layer) {
    struct forms forms = {.starts = 0};
    size_t other = 0, starts = 0;

    layer->kind = PEEL_WRAPPED;
    layer->form = form;
    layer->number = sample->width;
    for (size_t i = 0; i < sample->count; i++) {
        peel_write_form(sample->lines[i], form, forms.forms[i]);
    }
    if (layer->number < NARROW || layer->number > WIDE) {
        return false;
    }
    for (size_t i = 0; i < sample->count; i++) {
        struct word before = i == 0 ? word_of("") : sample->lines[i - 1];

        forms.rest[i] = peel_wraps(i == 0 ? 0 : sample->columns[i - 1], before, sample->lines[i],
                                   layer->number) &&
                        (!words || peel_ends_blank(before));
        forms.rests += forms.rest[i];
        /* an empty line has no start */
        forms.starts += !forms.rest[i] && forms.forms[i][0] != '\0';
    }
    if (forms.rests < (sample->known ? 1 : FEWEST)) {
        return false;
    }
    list_forms(&forms, sample, layer);
    for (size_t i = 0; i < sample->count; i++) {
        bool listed = peel_begins_line(layer, sample->lines[i]);

        other += forms.rest[i] && !listed;
        starts += !forms.rest[i] && listed;
    }
    layer->few = sample->known && other < FEWEST;
    return (starts >= FEWEST || (sample->alone && other == forms.rests)) &&
           MOSTLY * starts >= (MOSTLY - 1) * forms.starts &&
           (layer->few ? other == forms.rests : other >= FEWEST) &&
           LONGEST * forms.starts >= forms.rests && 5 * other >= 2 * forms.rests;
}

static bool guess_wrapped(const struct sample *sample, struct peel_layer *layer) {
    for (size_t form = PEEL_FORM; form >= PEEL_FORM / 2; form--) {
        if (is_wrapped(sample, form, false, layer) || is_wrapped(sample, form, true, layer)) {
            return true;
        }
    }
    return false;
}

/* Detects lines that were wrapped at two widths: after joining them at the smaller width, they are
 * still wrapped at the larger. Lines joined wrongly would begin like other lines. */
static bool guess_wrapped_twice(const struct sample *sample, struct peel_layer *layer) {
    struct sample again;
    struct text joined = {0};
    bool twice;

    for (size_t i = 0; i < sample->count; i++) {
        text_append(&joined, sample->lines[i].bytes, sample->lines[i].length);
        if (sample->columns[i] < sample->width) {
            text_append_char(&joined, '\n');
        }
    }
    collect_sample_lines(&again, (struct word){text_string(&joined), joined.length}, true);
    peel_guess_measure(&again);
    twice = sample->width >= NARROW && guess_wrapped(&again, layer) && again.width > sample->width;
    layer->number = sample->width;
    text_free(&joined);
    return twice;
}

/* Guesses whether lines were wrapped once or twice. Chooses the guess with fewer forms of line
 * starts: with a wrong guess, lines begin at other places, too. */
static bool guess_any_wrapped(struct sample *sample, struct peel_layer *layer) {
    struct peel_layer twice = {.length = 0};
    bool once;

    peel_guess_measure(sample);
    once = guess_wrapped(sample, layer);
    if (guess_wrapped_twice(sample, &twice) && (!once || twice.length < layer->length)) {
        *layer = twice;
        once = true;
    }
    return once;
}

/* --- next layer of a file --------------------------------------------------------------------- */

static bool guess_next_layer(struct peel_plan *plan, struct word bytes, bool whole, bool known,
                             struct peel_layer *layer) {
    struct sample sample;

    if (plan->count == 0 && !known && guess_utf16(bytes, layer)) {
        return true;
    }
    if (memchr(bytes.bytes, '\033', bytes.length) != NULL && count_kind(plan, PEEL_COLOURS) == 0) {
        layer->kind = PEEL_COLOURS;
        return peel_guess_is_text(bytes);
    }
    if (memchr(bytes.bytes, '<', bytes.length) != NULL && count_kind(plan, PEEL_MARKUP) == 0 &&
        (peel_is_page(bytes) || peel_is_raw_page(bytes))) {
        layer->kind = PEEL_MARKUP;
        layer->number = !peel_is_page(bytes);
        return peel_guess_is_text(bytes);
    }
    if (!known && !peel_guess_is_text(bytes)) {
        return false;
    }
    if (!known && (word_has(bytes, "\u00A0") || word_has(bytes, "\u201C")) &&
        count_kind(plan, PEEL_TYPOGRAPHY) == 0) {
        plan->has_typography = true;
        if (!plan->keeps_typography) {
            layer->kind = PEEL_TYPOGRAPHY;
            return true;
        }
    }
    collect_sample_lines(&sample, bytes, whole);
    sample.alone = whole && !known;
    sample.known = known;
    return (peel_guess_is_text(bytes) && guess_sections(&sample, layer)) ||
           (!known && guess_strings(&sample, layer)) || guess_prefix(&sample, known, layer) ||
           guess_numbers(&sample, known, layer) ||
           (!known && (guess_files(&sample, layer) || guess_text(&sample, layer))) ||
           (count_kind(plan, PEEL_WRAPPED) < 2 && peel_guess_is_text(bytes) &&
            guess_any_wrapped(&sample, layer));
}

bool peel_guess(struct peel_plan *plan, const uint8_t *bytes, size_t length, bool whole,
                bool known) {
    struct peel_layer layer = {.length = 0};

    if (plan->count == PEEL_LAYERS || length == 0 ||
        !guess_next_layer(plan, (struct word){(const char *)bytes, length}, whole, known, &layer)) {
        return false;
    }
    plan->layers[plan->count++] = layer;
    return true;
}

void peel_visit_rests(const struct peel_layer *layer, const uint8_t *bytes, size_t length,
                      bool whole, void (*take)(void *context, struct word line, struct word rest),
                      void *context) {
    struct sample sample;

    collect_sample_lines(&sample, (struct word){(const char *)bytes, length}, whole);
    for (size_t i = 1; i < sample.count; i++) {
        struct word before = sample.lines[i - 1], line = sample.lines[i];

        if (peel_wraps(peel_columns(before, 0), before, line, layer->number) &&
            !peel_begins_line(layer, line)) {
            take(context, before, line);
        }
    }
}
