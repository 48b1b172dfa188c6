#include "import/detect.h"

#include <magic.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "input/peel_plan.h"
#include "base/words.h"
#include "input/peel.h"
#include "input/word.h"

static const char *detect_name_of(const char *path) {
    const char *slash = strrchr(path, '/');

    return strcmp(path, "-") == 0 ? "" : slash == NULL ? path : slash + 1;
}

static void skip_mark(struct sniff *sniff) {
    sniff->mark = sniff->record_size == 0 ? byte_order_mark(sniff->bytes, sniff->length) : 0;
    sniff->bytes += sniff->mark;
    sniff->length -= sniff->mark;
}

struct sniff detect_sniff(const struct import_run *run, const char *path, struct reader *reader) {
    size_t length = reader_fill(reader, SNIFF_LENGTH);
    struct sniff sniff = {
        .bytes = reader_bytes(reader),
        .length = length < SNIFF_LENGTH ? length : SNIFF_LENGTH,
        .whole = length < SNIFF_LENGTH,
        .record_size = run->record_size,
        .name = detect_name_of(path),
    };

    skip_mark(&sniff);
    return sniff;
}

/* --- format of a file ------------------------------------------------------------------------- */

struct finding {
    const struct importer *importer, *rival; /* importer: format found; rival: another declared
                                                format that matches as well; NULL: none */
    enum sniff_score score;
};

static struct finding detect_find(const struct import_run *run, const struct sniff *of) {
    struct finding best = {.score = SNIFF_NO};
    const struct importer *importer;
    struct sniff sniff = *of;

    if (run->forced != NULL) {
        sniff.declaration = run->forced->declaration;
        best.importer = run->forced;
        best.score = run->forced->sniff(&sniff);
        return best;
    }
    if (importer_describe_packed(&sniff) != NULL) {
        return best;
    }
    for (size_t i = 0; (importer = importer_at(run->config, i)) != NULL; i++) {
        enum sniff_score score;

        sniff.declaration = importer->declaration;
        score = importer->sniff(&sniff);
        if (score > best.score) {
            best = (struct finding){.importer = importer, .score = score};
        } else if (score == best.score && best.importer != NULL &&
                   best.importer->declaration != NULL) {
            best.rival = importer;
        }
    }
    return best;
}

/* --- layers around lines ---------------------------------------------------------------------- */

/* Returns the beginning of a file without the layers of a plan; its bytes are stored in `room`. */
static struct sniff detect_peeled(const struct sniff *sniff, const struct peel_plan *plan,
                                  struct text *room) {
    struct peel *peel = peel_open(plan);
    struct sniff less = *sniff;

    peel_feed(peel, sniff->bytes - sniff->mark, sniff->length + sniff->mark, sniff->whole);
    text_clear(room);
    room->length =
        peel_take(peel, (uint8_t *)text_reserve(room, 2 * SNIFF_LENGTH), 2 * SNIFF_LENGTH);
    peel_close(peel);
    less.bytes = (const uint8_t *)room->bytes;
    less.length = room->length < SNIFF_LENGTH ? room->length : SNIFF_LENGTH;
    less.whole = sniff->whole && less.length == room->length;
    skip_mark(&less);
    return less;
}

/* What is known of the continuation lines in a file: of the lines that a PEEL_WRAPPED layer would
 * append to the line before them. */
struct rests {
    const struct importer *importer;
    const struct sniff *sniff;
    struct text lines, joined; /* owned */
    const char *last;          /* the last continuation line; another one may follow it */
    size_t count, cut;  /* count: number of lines that are continued; cut: number of these that are
                           no records without their continuation lines */
    bool alone, mended; /* alone: some continuation line is a record by itself; mended: each
                           continued line is a record once joined */
};

static void end_joined(struct rests *rests) {
    struct word joined = {text_string(&rests->joined), rests->joined.length};

    rests->mended &= rests->count == 0 || rests->importer->why_not(rests->sniff, joined) == NULL;
    text_clear(&rests->joined);
}

static void add_rest(void *context, struct word line, struct word rest) {
    struct rests *rests = context;
    const char *(*why_not)(const struct sniff *sniff, struct word line) = rests->importer->why_not;

    text_append(&rests->lines, rest.bytes, rest.length);
    text_append_char(&rests->lines, '\n');
    if (why_not != NULL) {
        if (line.bytes != rests->last) {
            end_joined(rests);
            text_append(&rests->joined, line.bytes, line.length);
            rests->count++;
            rests->cut += why_not(rests->sniff, line) != NULL;
        }
        text_append(&rests->joined, rest.bytes, rest.length);
        rests->alone |= why_not(rests->sniff, rest) == NULL;
        rests->last = rest.bytes;
    }
}

/* Returns whether a log of a known format has wrapped lines, as the layer assumes. The continuation
 * lines must not form a log of the format themselves, unless no continued line is a record before
 * it is joined. If there are few, each line must be a record once joined, and no continuation line
 * alone: it may be unrelated text after a line. */
static bool is_wrapped(const struct sniff *sniff, const struct importer *importer,
                       const struct peel_layer *layer) {
    struct sniff of = *sniff;
    struct rests rests = {.importer = importer, .sniff = &of, .mended = importer->why_not != NULL};
    bool wrapped;

    of.declaration = importer->declaration;
    peel_visit_rests(layer, sniff->bytes, sniff->length, sniff->whole, add_rest, &rests);
    end_joined(&rests);
    if (layer->few) {
        wrapped = rests.mended && !rests.alone &&
                  (rests.cut > 0 || (of.declaration != NULL && rests.count > 1));
    } else {
        of.bytes = (const uint8_t *)text_string(&rests.lines);
        of.length = rests.lines.length;
        of.whole = true;
        wrapped = importer->sniff(&of) < SNIFF_LIKELY ||
                  (rests.mended && rests.cut > 0 && rests.cut == rests.count);
    }
    text_free(&rests.lines);
    text_free(&rests.joined);
    return wrapped;
}

/* The user named the format, but the stripped lines do not show it. Returns whether the layer may
 * be stripped nevertheless. Any text may be of a format that is `only_named`, so most layers may.
 * For other formats, the log may be in the middle of other text; only quote marks, ">", are
 * stripped, since "key:7" or "1.5" may be part of the log. */
static bool is_certain(const struct importer *named, const struct peel_layer *layer) {
    if (!named->only_named) {
        return layer->kind == PEEL_TEXT && layer->number > 0;
    }
    return layer->kind <= PEEL_COLOURS || layer->kind == PEEL_JSON ||
           (layer->kind >= PEEL_CRI && layer->kind <= PEEL_TIMES) ||
           (layer->kind == PEEL_NUMBERS && *layer->text == '\t');
}

/* Strips layers (text that other programs added to the lines) one after another, until the format
 * is known and no layer is left that would make the importer lose lines (peel_guess()). */
static struct finding strip_known(const struct import_run *run, const struct sniff *sniff,
                                  struct finding found, struct peel_plan *plan) {
    struct peel_plan tried = {.keeps_typography = plan->keeps_typography};
    struct sniff less = *sniff;
    struct text room = {0};
    bool certain = run->forced != NULL && (run->forced->only_named || found.score == SNIFF_NO);

    while (peel_guess(&tried, less.bytes, less.length, less.whole, found.score >= SNIFF_LIKELY)) {
        struct finding other;

        if (found.score >= SNIFF_LIKELY && tried.layers[tried.count - 1].kind == PEEL_WRAPPED &&
            !is_wrapped(&less, found.importer, &tried.layers[tried.count - 1])) {
            break;
        }
        less = detect_peeled(sniff, &tried, &room);
        other = detect_find(run, &less);
        if (found.score >= SNIFF_LIKELY && other.importer != found.importer &&
            tried.layers[tried.count - 1].kind == PEEL_NUMBERS) {
            break; /* not a layer, but a column of numbers of the log */
        }
        certain = certain && is_certain(run->forced, &tried.layers[tried.count - 1]);
        if (certain) {
            *plan = tried;
        }
        /* Also accepts a score of SNIFF_GREEDY, of a format that accepts any table, if the lines
         * have prefixes to strip. */
        if (other.score >= SNIFF_LIKELY ||
            (other.score >= SNIFF_GREEDY && found.score <= SNIFF_GREEDY &&
             tried.layers[tried.count - 1].kind != PEEL_WRAPPED)) {
            found = other;
            *plan = tried;
        } else if (found.score >= SNIFF_LIKELY) {
            break;
        }
    }
    plan->has_typography = tried.has_typography;
    text_free(&room);
    return found;
}

/* Strips layers (text that other programs added to the lines). Keeps typographic characters, as in
 * names, if the log can be read with them. */
static struct finding find_peeled(const struct import_run *run, const struct sniff *sniff,
                                  struct finding found, struct peel_plan *plan) {
    struct peel_plan typed = {.count = 0};
    struct finding kept, other;

    plan->keeps_typography = true;
    kept = strip_known(run, sniff, found, plan);
    if (!plan->has_typography || kept.score >= SNIFF_LIKELY) {
        return kept;
    }
    other = strip_known(run, sniff, found, &typed);
    if (other.score < SNIFF_LIKELY && other.score <= kept.score) {
        return kept;
    }
    *plan = typed;
    return other;
}

/* --- other text before the log ---------------------------------------------------------------- */

enum {
    STEPS = 32,       /* number of line positions tried as the beginning of the log */
    SLICE = 8 * 1024, /* bytes examined at each position */
    TOGETHER = 5,     /* number of consecutive lines that must match the format */
};

/* Offsets of the lines at the beginning of a file. */
struct line_offsets {
    size_t *offsets; /* owned */
    size_t count, capacity;
};

static struct sniff sniff_from_offset(const struct sniff *sniff, size_t offset) {
    struct sniff slice = *sniff;

    slice.bytes += offset;
    slice.length -= offset;
    slice.mark = 0;
    if (slice.length > SLICE) {
        slice.length = SLICE;
        slice.whole = false;
    }
    return slice;
}

static bool format_fits_from_offset(const struct import_run *run, const struct sniff *sniff,
                                    size_t offset, const struct importer *wanted) {
    struct sniff slice = sniff_from_offset(sniff, offset);
    struct finding found = detect_find(run, &slice);

    return found.score >= SNIFF_LIKELY && (wanted == NULL || found.importer == wanted);
}

static void list_lines(const struct sniff *sniff, struct line_offsets *lines) {
    const uint8_t *at = sniff->bytes, *end = sniff->bytes + sniff->length;

    while (at < end) {
        const uint8_t *newline = memchr(at, '\n', (size_t)(end - at));

        *ARRAY_NEW(lines->offsets, lines->count, lines->capacity) = (size_t)(at - sniff->bytes);
        at = newline == NULL ? end : newline + 1;
    }
}

/* Whether TOGETHER consecutive lines among the first `count` match the format. Then the log starts
 * earlier, and its first lines are mixed with other lines. */
static bool fits_before(const struct sniff *sniff, const struct line_offsets *lines, size_t count,
                        const struct importer *importer) {
    struct sniff slice = *sniff;

    slice.declaration = importer->declaration;
    slice.whole = true;
    for (size_t i = 0; i + TOGETHER <= count; i++) {
        slice.bytes = sniff->bytes + lines->offsets[i];
        slice.length = lines->offsets[i + TOGETHER] - lines->offsets[i];
        if (importer->sniff(&slice) >= SNIFF_LIKELY) {
            return true;
        }
    }
    return false;
}

/* Returns the next line to try as the first line of the log: first STEPS - 1 evenly spaced lines,
 * after these the middle of the lines that remain. `*step`: number of lines tried. */
static size_t next_step(size_t line, size_t count, size_t *step) {
    ++*step;
    return *step < STEPS ? count * *step / STEPS : line + (count - line + 1) / 2;
}

/* Finds a log that begins after other text and continues to the end of the file. Its importer will
 * reject the text before it. */
static struct finding find_after(const struct import_run *run, const struct sniff *sniff) {
    struct finding found = {.score = SNIFF_NO};
    struct line_offsets lines = {0};
    size_t before = 0, step = 0, line = 0;

    if (memchr(sniff->bytes, '\0', sniff->length) != NULL) {
        return found;
    }
    list_lines(sniff, &lines);
    for (; found.importer == NULL && lines.count - line >= TOGETHER; before = line) {
        struct finding other;
        struct sniff rest = *sniff;

        line = next_step(line, lines.count, &step);
        if (line > before && lines.count - line >= TOGETHER &&
            format_fits_from_offset(run, sniff, lines.offsets[line], NULL)) {
            rest.bytes += lines.offsets[line];
            rest.length -= lines.offsets[line];
            other = detect_find(run, &rest);
            if (other.score >= SNIFF_LIKELY &&
                format_fits_from_offset(run, sniff, lines.offsets[(3 * line + lines.count) / 4],
                                        other.importer) &&
                !fits_before(sniff, &lines, before, other.importer)) {
                found = other;
            }
        }
    }
    free(lines.offsets);
    return found;
}

/* Finds the format of a log that follows other text and has lines with prefixes to strip. The text
 * before the log may have the prefixes, too. The rows of a table show its format only together with
 * the heading, so each line is tried as the heading. */
static struct finding find_peeled_after(const struct import_run *run, const struct sniff *sniff,
                                        struct finding found, struct peel_plan *plan) {
    struct line_offsets lines = {0};
    struct text room = {0};
    size_t line = 0, step = 0;

    if (memchr(sniff->bytes, '\0', sniff->length) != NULL) {
        return found;
    }
    list_lines(sniff, &lines);
    while ((plan->count == 0 || found.score < SNIFF_LIKELY) && lines.count - line >= TOGETHER) {
        struct peel_plan tried = {.count = 0}, table = {.keeps_typography = true};
        struct finding other = {.score = SNIFF_NO};
        struct sniff slice, less;

        line = next_step(line, lines.count, &step);
        slice = sniff_from_offset(sniff, lines.offsets[line]);
        other = find_peeled(run, &slice, other, &tried);
        if (other.score >= SNIFF_LIKELY && tried.count > 0) {
            less = detect_peeled(sniff, &tried, &room);
            other = find_after(run, &less);
        } else if (peel_guess(&table, slice.bytes, slice.length, slice.whole, false) &&
                   table.layers[0].kind != PEEL_WRAPPED && *table.layers[0].text != ' ') {
            less = detect_peeled(sniff, &table, &room);
            other = detect_find(run, &less);
            tried = table;
        } else {
            other.score = SNIFF_NO;
        }
        /* If layers were found before, a later match replaces them only with a score above
         * SNIFF_GREEDY, which any table gets. */
        if (other.score > (plan->count == 0 ? SNIFF_NO : SNIFF_GREEDY)) {
            found = other;
            *plan = tried;
        }
    }
    text_free(&room);
    free(lines.offsets);
    return found;
}

const struct importer *detect_format(const struct import_run *run, const char *path,
                                     struct reader *reader, struct peel_plan *plan,
                                     const struct importer **rival) {
    struct sniff sniff = detect_sniff(run, path, reader);
    struct finding found = detect_find(run, &sniff);

    *plan = (struct peel_plan){.count = 0};
    if (run->record_size == 0 && sniff.length > 0 && importer_describe_packed(&sniff) == NULL) {
        found = find_peeled(run, &sniff, found, plan);
        /* Prefers a log after other text to a format that accepts any file with a table. */
        if (found.score < SNIFF_LIKELY && run->forced == NULL) {
            struct finding after = find_after(run, &sniff);

            if (after.importer != NULL) {
                found = after;
                plan->count = 0;
            }
        }
        if (found.score == SNIFF_NO ||
            (found.score < SNIFF_LIKELY && (found.importer->kinds & 1u << TRACE_RESULTS) != 0)) {
            found = find_peeled_after(run, &sniff, found, plan);
        }
    }
    if (plan->count > 0) {
        reader_peel(reader, plan);
    }
    *rival = found.rival;
    return found.importer;
}

/* Explains why a file has no known format: names the type of the file, and formats that resemble
 * its first line. */

enum {
    SHOWN = 80,         /* bytes of the first line that are shown */
    SHOWN_FIELD = 24,   /* bytes shown of a field */
    FIELDS = 32,        /* maximum fields of a line that are compared */
    NEAREST = 3,        /* maximum number of formats that a message names */
    WHOLE = 1000,       /* fit of a line whose fields all have the format's kinds of value */
    SAME_SHAPE = 600,   /* minimum fit of a format that a message names */
    MAGIC_BYTES = 4096, /* maximum bytes given to libmagic */
    MAGIC_LENGTH = 100, /* maximum bytes shown of libmagic's description */
};

/* --- the line that is compared with formats --------------------------------------------------- */

static bool nearest_is_text(const struct sniff *sniff) {
    for (size_t i = 0; i < sniff->length; i++) {
        uint8_t byte = sniff->bytes[i];

        if (byte < ' ' && memchr("\t\n\r\f\033", byte, 5) == NULL) {
            return false;
        }
    }
    return true;
}

static struct file_head head_of_sniffed_file(const struct sniff *sniff) {
    struct word rest = {(const char *)sniff->bytes, sniff->length};
    struct file_head head = {.sniff = *sniff, .is_text = nearest_is_text(sniff)};

    for (size_t number = 1; rest.length > 0; number++) {
        const char *newline = memchr(rest.bytes, '\n', rest.length);
        size_t length = newline == NULL ? rest.length : (size_t)(newline - rest.bytes);
        struct word line = word_unpad((struct word){rest.bytes, length});

        if (line.length > 0 && (head.number == 0 || *line.bytes != '#')) {
            head.line = (struct word){rest.bytes, length};
            head.number = number;
            if (*line.bytes != '#') {
                break;
            }
        }
        word_skip(&rest, length + (newline != NULL));
    }
    return head;
}

/* --- form of a line: its digits, letters and punctuation -------------------------------------- */

static bool nearest_is_letter(uint8_t byte) {
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_' ||
           byte >= 0x80;
}

/* Returns the character for a byte in a line's form: 9 for digits, a for letters, else the byte. */
static char nearest_form_of(uint8_t byte) {
    return byte >= '0' && byte <= '9' ? '9' : nearest_is_letter(byte) ? 'a' : (char)byte;
}

/* Writes a line's form: "a 9:9" for "cpu 12:30". A run of digits, letters or blanks is one byte. */
static void write_line_form(const uint8_t *line, size_t length, char form[WORD_LONGEST + 1]) {
    size_t filled = 0;

    for (size_t i = 0; i < length && filled < WORD_LONGEST; i++) {
        char byte = nearest_form_of(line[i]);
        bool runs = byte == '9' || byte == 'a' || byte == ' ';

        if (!runs || filled == 0 || form[filled - 1] != byte) {
            form[filled++] = byte;
        }
    }
    form[filled] = '\0';
}

static unsigned form_distance(struct word line, const char *example) {
    char form[WORD_LONGEST + 1], other[WORD_LONGEST + 1];
    size_t longer;

    write_line_form((const uint8_t *)line.bytes, line.length, form);
    write_line_form((const uint8_t *)example, strlen(example), other);
    longer = strlen(form) > strlen(other) ? strlen(form) : strlen(other);
    return longer == 0 ? 0 : (unsigned)(WHOLE * word_edit_distance(form, other) / longer);
}

/* --- fields of a line ------------------------------------------------------------------------- */

enum field_kind { FIELD_NUMBER, FIELD_CLOCK, FIELD_WORD };

static const char *const field_kinds[] = {"a number", "a time of day", "a word"};

struct fields {
    struct word of[FIELDS];
    size_t count;
};

static size_t count_byte(struct word line, char byte) {
    size_t count = 0;

    for (size_t i = 0; i < line.length; i++) {
        count += line.bytes[i] == byte;
    }
    return count;
}

/* Returns the separator of an example line's fields: a tab, a semicolon, a comma or a blank. */
static char field_separator_of_line(const char *example) {
    struct word line = word_of(example);
    size_t commas = count_byte(line, ',');

    return count_byte(line, '\t') > 0                      ? '\t'
           : count_byte(line, ';') > 2                     ? ';'
           : commas > 0 && commas >= count_byte(line, ' ') ? ','
                                                           : ' ';
}

/* Splits a line into fields; omits fields beyond FIELDS. */
static void nearest_split(struct word line, char separator, struct fields *fields) {
    struct word rest = word_unpad(line);

    fields->count = 0;
    while (rest.length > 0 && fields->count < FIELDS) {
        fields->of[fields->count++] = word_unpad(word_field(&rest, separator));
        rest = separator == ' ' ? word_trim_left(rest) : rest;
    }
}

/* Returns the kind of a field, ignoring punctuation around it. */
static enum field_kind nearest_kind_of(struct word field) {
    bool digits = false;
    size_t colons = 0;

    while (field.length > 0 && memchr("[(\"<-+", *field.bytes, 6) != NULL) {
        word_skip(&field, 1);
    }
    while (field.length > 0 && memchr("])\">:,", field.bytes[field.length - 1], 6) != NULL) {
        field.length--;
    }
    if (field.length > 2 && field.bytes[0] == '0' && field.bytes[1] == 'x') {
        return FIELD_NUMBER;
    }
    for (size_t i = 0; i < field.length; i++) {
        char byte = field.bytes[i];

        digits |= word_is_digit(byte);
        colons += byte == ':';
        if (!word_is_digit(byte) && byte != '.' && byte != ':') {
            return FIELD_WORD;
        }
    }
    return !digits       ? FIELD_WORD
           : colons == 2 ? FIELD_CLOCK
           : colons > 0  ? FIELD_WORD
                         : FIELD_NUMBER;
}

/* Returns how many fields of a line have the same kind as those of an example, in thousandths of
 * the larger number of fields. Sets `*first` to the index of the first difference; if there is
 * none, to the smaller number of fields. */
static unsigned nearest_fit(const struct fields *line, const struct fields *example,
                            size_t *first) {
    size_t least = line->count < example->count ? line->count : example->count, same = 0;
    size_t most = line->count > example->count ? line->count : example->count;

    *first = least;
    for (size_t i = least; i-- > 0;) {
        if (nearest_kind_of(line->of[i]) == nearest_kind_of(example->of[i])) {
            same++;
        } else {
            *first = i;
        }
    }
    return most == 0 ? 0 : (unsigned)(WHOLE * same / most);
}

/* Whether a line has a number or time in a field where the example has one. Fields that are words
 * prove nothing: prose and program sources have words, too. */
static bool shares_number(const struct fields *line, const struct fields *example) {
    for (size_t i = 0; i < line->count && i < example->count; i++) {
        enum field_kind kind = nearest_kind_of(example->of[i]);

        if (kind != FIELD_WORD && nearest_kind_of(line->of[i]) == kind) {
            return true;
        }
    }
    return false;
}

static void split_line_and_example(const struct importer *importer, struct word line,
                                   struct fields *fields, struct fields *example) {
    char separator = field_separator_of_line(importer->line);

    nearest_split(line, separator, fields);
    nearest_split(word_of(importer->line), separator, example);
}

/* --- why a file is not of a format ------------------------------------------------------------ */

static void nearest_append_shown(struct word word, size_t most, struct text *out) {
    text_append_char(out, '"');
    for (size_t i = 0; i < word.length && i < most; i++) {
        if (word.bytes[i] == '\0') { /* a NUL would end the message: appends its symbol */
            text_append_string(out, "\u2400");
        } else {
            text_append_char(out, word.bytes[i]);
        }
    }
    text_append_string(out, word.length > most ? "…\"" : "\"");
}

static const char *name_separator(char separator) {
    return separator == '\t'  ? "tabs"
           : separator == ';' ? "semicolons"
           : separator == ',' ? "commas"
                              : "blanks";
}

/* Appends the first difference between the fields of a line and those of the format's example line.
 * Appends nothing and returns false if all fields are of equal kinds. */
static bool nearest_append_field(const struct importer *importer, struct word line,
                                 struct text *out) {
    struct fields fields, example;
    size_t first;

    split_line_and_example(importer, line, &fields, &example);
    if (nearest_fit(&fields, &example, &first) == WHOLE) {
        return false;
    }
    if (first < fields.count && first < example.count) {
        text_append_format(out, "field %zu is ", first + 1);
        nearest_append_shown(fields.of[first], SHOWN_FIELD, out);
        text_append_format(out, ", not %s such as ",
                           field_kinds[nearest_kind_of(example.of[first])]);
        nearest_append_shown(example.of[first], SHOWN_FIELD, out);
    } else {
        text_append_format(out, "fields between %s: %zu, not %zu",
                           name_separator(field_separator_of_line(importer->line)), fields.count,
                           example.count);
    }
    return true;
}

/* Whether the file has records of the format, although the format's sniff() refuses it. */
static bool nearest_is_of_shape(const struct importer *importer, const struct file_head *head) {
    return importer->refuses != NULL && (importer->line != NULL) == head->is_text &&
           importer->refuses(&head->sniff, head->line) != NULL;
}

void format_append_mismatch(const struct importer *importer, const struct file_head *head,
                            struct text *out) {
    struct sniff of = head->sniff;
    const char *why = NULL;

    of.declaration = importer->declaration;
    if (head->is_text && head->number == 0) {
        why = "the file has no line";
    } else if (nearest_is_of_shape(importer, head)) {
        why = importer->refuses(&of, head->line);
    } else if (importer->line == NULL && importer->made_of != NULL) {
        text_append_format(out, "the file is not made of %s", importer->made_of);
    } else if (importer->line == NULL || !head->is_text) {
        why = importer->line != NULL ? "the format is text, the file is binary"
              : head->is_text        ? "the format is binary, the file is text"
                                     : "the file does not begin as the format does";
    } else if (*importer->line == '\0') {
        why = "any text fits the format, so only --input-format chooses it";
    } else if (!nearest_append_field(importer, head->line, out)) {
        why = importer->why_not == NULL ? NULL : importer->why_not(&of, head->line);
        why = why == NULL ? "the fields look alike, but not their values" : why;
    }
    text_append_string(out, why == NULL ? "" : why);
}

/* --- formats whose lines are most similar ----------------------------------------------------- */

static int compare_nearness(const void *left, const void *right) {
    const struct format_similarity *a = left, *b = right;

    if (a->known != b->known) {
        return a->known ? -1 : 1;
    }
    if (a->fit != b->fit) {
        return a->fit > b->fit ? -1 : 1;
    }
    if (a->differ != b->differ) {
        return a->differ < b->differ ? -1 : 1;
    }
    return strcmp(a->importer->name, b->importer->name);
}

/* Returns all formats, in the order of similar_formats.formats; owned by the caller. */
static struct format_similarity *list_formats(const struct file_head *head,
                                              const struct config *config, size_t *count) {
    struct format_similarity *formats = NULL;
    const struct importer *importer;
    size_t capacity = 0;

    *count = 0;
    for (size_t i = 0; (importer = importer_at(config, i)) != NULL; i++) {
        struct sniff of = head->sniff;
        struct format_similarity near = {.importer = importer, .differ = WHOLE};
        struct fields fields, example;
        size_t first;

        of.declaration = importer->declaration;
        near.known = of.length > 0 && importer->sniff(&of) != SNIFF_NO;
        if (nearest_is_of_shape(importer, head)) {
            near.fit = WHOLE;
            near.numbers = true;
        } else if (head->is_text && importer->line != NULL) {
            split_line_and_example(importer, head->line, &fields, &example);
            near.fit = nearest_fit(&fields, &example, &first);
            near.numbers = shares_number(&fields, &example);
            near.differ = form_distance(head->line, importer->line);
        }
        *ARRAY_NEW(formats, *count, capacity) = near;
    }
    if (formats != NULL) {
        qsort(formats, *count, sizeof *formats, compare_nearness);
    }
    return formats;
}

static void append_nearest(const struct file_head *head, const struct config *config, size_t most,
                           struct text *out) {
    size_t count, alike = 0;
    struct format_similarity *formats = list_formats(head, config, &count);

    for (size_t i = 0; i < count && alike < most && formats[i].fit >= SAME_SHAPE; i++) {
        if (formats[i].numbers) {
            formats[alike++] = formats[i];
        }
    }
    if (alike == 0 && !head->is_text) {
        text_append_string(out, " `tracetool formats` lists what is read");
        free(formats);
        return;
    }
    text_append_string(out, alike == 0   ? " No format has lines of this shape"
                            : alike == 1 ? " Nearest is "
                                         : " Nearest are ");
    for (size_t i = 0; i < alike; i++) {
        text_append_format(out, "%s%s (", i == 0 ? "" : ", ", formats[i].importer->name);
        format_append_mismatch(formats[i].importer, head, out);
        text_append_char(out, ')');
    }
    free(formats);
}

/* Whether a time printed in a locale with a decimal comma is at `at`: digits, a comma, 6 to 9
 * digits, and then a blank or a colon. */
static bool is_comma_time(const uint8_t *at, const uint8_t *end) {
    enum { FEWEST = 6, MOST = 9 };
    const uint8_t *start = at;
    ptrdiff_t decimals;

    while (at < end && nearest_form_of(*at) == '9') {
        at++;
    }
    if (at == start || at == end || *at != ',') {
        return false;
    }
    start = ++at;
    while (at < end && nearest_form_of(*at) == '9') {
        at++;
    }
    decimals = at - start;
    return decimals >= FEWEST && decimals <= MOST && at < end && (*at == ' ' || *at == ':');
}

static bool has_comma_times(struct word line) {
    const uint8_t *bytes = (const uint8_t *)line.bytes;

    for (size_t i = 0; i < line.length; i++) {
        if ((i == 0 || bytes[i - 1] == ' ') && is_comma_time(bytes + i, bytes + line.length)) {
            return true;
        }
    }
    return false;
}

/* --- a log that is only a part of the file ---------------------------------------------------- */

enum {
    PARTS = 200,   /* number of lines that are tried as the first of a quoted log */
    PART_LINES = 8 /* maximum number of lines of a quoted log that are examined */
};

/* Whether a line ends a log quoted in a text: it is empty, or a fence of Markdown. */
static bool ends_part(struct word line) {
    line = word_trim(line);
    return line.length == 0 || word_begins(line, "```") || word_begins(line, "~~~");
}

/* Returns the text that the importer named by the user would read: without quote marks, ">", if
 * there are any. */
static struct sniff sniff_named(const struct sniff *sniff, struct text *room) {
    struct peel_plan plan = {.keeps_typography = true};

    return peel_guess(&plan, sniff->bytes, sniff->length, sniff->whole, false) &&
                   plan.layers[0].kind == PEEL_TEXT && plan.layers[0].number > 0
               ? detect_peeled(sniff, &plan, room)
               : *sniff;
}

/* Finds the first lines that have a known format on their own, as in a text that quotes a log.
 * Returns the format and sets `*number` to the first line's number, from 1; NULL: none. */
static const struct importer *find_part(const struct sniff *sniff, const struct config *config,
                                        size_t *number) {
    struct import_run run = {.config = config};
    struct word rest = {(const char *)sniff->bytes, sniff->length};
    struct finding found = {.score = SNIFF_NO};

    for (*number = 1; rest.length > 0 && *number <= PARTS; ++*number) {
        struct word part = word_field(&rest, '\n'), after = rest;
        struct sniff slice = *sniff;

        if (ends_part(part)) {
            continue;
        }
        for (int i = 1; i < PART_LINES && after.length > 0; i++) {
            struct word line = word_field(&after, '\n');

            if (ends_part(line)) {
                break;
            }
            part.length = (size_t)(line.bytes + line.length - part.bytes);
        }
        slice.bytes = (const uint8_t *)part.bytes;
        slice.length = part.length;
        slice.whole = true;
        found = detect_find(&run, &slice);
        if (found.score >= SNIFF_LIKELY) {
            return found.importer;
        }
    }
    return NULL;
}

/* --- description of a file of unknown format -------------------------------------------------- */

/* Appends the file's type by libmagic. Omits libmagic's checks that parse whole containers: they
 * had security faults, and the file may come from anybody. */
static void append_type(const struct sniff *sniff, struct text *out) {
    magic_t magic = magic_open(MAGIC_NO_CHECK_COMPRESS | MAGIC_NO_CHECK_TAR | MAGIC_NO_CHECK_ELF |
                               MAGIC_NO_CHECK_CDF);
    const char *type = NULL;

    if (magic != NULL && magic_load(magic, NULL) == 0) {
        type = magic_buffer(magic, sniff->bytes,
                            sniff->length < MAGIC_BYTES ? sniff->length : MAGIC_BYTES);
    }
    if (type != NULL && strcmp(type, "data") != 0) {
        text_append_format(out, ": %.*s", MAGIC_LENGTH, type);
    }
    if (magic != NULL) {
        magic_close(magic);
    }
}

/* Strips all layers (text that other programs added to the lines) that can be guessed, and appends
 * their names to `names`. `room` receives the stripped text. */
static struct sniff strip_layers(const struct sniff *sniff, struct text *room, struct text *names) {
    struct peel_plan plan = {.count = 0};
    struct sniff less = *sniff;

    while (peel_guess(&plan, less.bytes, less.length, less.whole, false)) {
        const char *name = peel_name(plan.layers[plan.count - 1].kind);

        if (strstr(text_string(names), name) == NULL) { /* name each layer once */
            text_append_format(names, "%s%s", names->length == 0 ? "" : ", ", name);
        }
        less = detect_peeled(sniff, &plan, room);
    }
    return less;
}

static void append_first_line(const struct file_head *head, const char *layers, struct text *out) {
    if (!head->is_text) {
        text_append_string(out, "; the file begins with ");
        nearest_append_shown((struct word){(const char *)head->sniff.bytes, head->sniff.length},
                             SHOWN, out);
    } else if (head->number > 0) {
        text_append_format(out, head->number == 1 ? "; its first line" : "; its line %zu",
                           head->number);
        text_append_format(out, *layers == '\0' ? " is " : ", without %s, is ", layers);
        nearest_append_shown(head->line, SHOWN, out);
    }
    text_append_char(out, '.');
}

void describe_unknown_file(const struct sniff *sniff, const struct config *config,
                           struct text *out) {
    struct text room = {0}, marks = {0}, layers = {0};
    struct sniff less, named;
    struct file_head head;
    const struct importer *part;
    const char *other;
    size_t number;
    bool program; /* true: libmagic says that the file is source code (C, Python, make …) */

    less = strip_layers(sniff, &room, &layers);
    head = head_of_sniffed_file(&less);
    other = importer_describe_packed(sniff);
    /* Not of logs whose times alone are in the way, such as perf script's. */
    if (other == NULL && !has_comma_times(head.line)) {
        other = importer_describe_other(sniff);
    }
    if (other != NULL) {
        text_append_string(out, other);
        text_free(&room);
        text_free(&layers);
        return;
    }
    text_append_string(out, "the format is not known");
    append_type(sniff, out);
    program = strstr(text_string(out), " source") || strstr(text_string(out), " script");
    append_first_line(&head, text_string(&layers), out);
    if (has_comma_times(head.line)) {
        text_append_string(out,
                           " Its times have a decimal comma: record with LC_ALL=C, or make them "
                           "points.");
    }
    named = sniff_named(sniff, &marks);
    part = head.is_text && !program ? find_part(&named, config, &number) : NULL;
    if (part != NULL) {
        text_append_format(out,
                           " From its line %zu on there are lines of %s: --input-format %s "
                           "reads them",
                           number, part->name, part->name);
    } else {
        append_nearest(&head, config, program ? 0 : NEAREST, out);
        text_append_string(out, head.is_text ? "; `tracetool import --explain` says why it is of "
                                               "none, --input-format FORMAT names one"
                                             : ", --input-format FORMAT names one");
    }
    text_free(&layers);
    text_free(&marks);
    text_free(&room);
}

bool similar_formats_open(struct similar_formats *file, const char *path,
                          const struct config *config, struct error *error) {
    struct import_run run = {.config = config};
    struct text layers = {0};
    struct sniff sniff;

    *file = (struct similar_formats){.input = input_open(path, (struct input_stop){0}, error)};
    if (file->input == NULL || !reader_init(&file->reader, file->input, error)) {
        input_close(file->input);
        return false;
    }
    sniff = detect_sniff(&run, path, &file->reader);
    if (reader_failed(&file->reader)) {
        similar_formats_close(file);
        return false;
    }
    text_append_string(&file->what, path);
    append_type(&sniff, &file->what);
    file->head = head_of_sniffed_file(&sniff);
    file->formats = list_formats(&file->head, config, &file->count);
    if (file->count > 0 && !file->formats[0].known) {
        struct sniff less = strip_layers(&sniff, &file->room, &layers);

        if (layers.length > 0) {
            file->head = head_of_sniffed_file(&less);
            free(file->formats);
            file->formats = list_formats(&file->head, config, &file->count);
        }
    }
    append_first_line(&file->head, text_string(&layers), &file->what);
    text_free(&layers);
    return true;
}

void similar_formats_close(struct similar_formats *file) {
    reader_free(&file->reader);
    input_close(file->input);
    free(file->formats);
    text_free(&file->room);
    text_free(&file->what);
}
