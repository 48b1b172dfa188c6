#include "input/peel.h"

#include <stdlib.h>

#include "base/memory.h"
#include "input/peel_line.h"

/* A byte offset in the stripped text, and the offset in the file of the same byte. */
struct place {
    int64_t peeled, raw;
};

struct stage {
    int64_t count, first_offset; /* count: number of lines that the layer changed; first_offset:
                                    file offset of the first of them */
    struct text room;            /* memory for a stripped line */
    bool inside;                 /* PEEL_MARKUP: inside <pre> */
    struct text file;            /* PEEL_SECTIONS: number from the file's name, and a blank */
    /* holds: a line is held back, because the next line may continue it; held: that line. */
    bool holds;
    struct text held;
    int64_t held_offset; /* byte offset in the file of the line held back */
    int64_t columns;     /* PEEL_WRAPPED: width in columns of the last line that was joined */
};

struct peel {
    struct peel_plan plan;
    struct stage stages[PEEL_LAYERS];
    struct text raw;    /* bytes of the file not processed yet */
    int64_t raw_offset; /* byte offset of `raw` in the file */
    bool in_line;       /* true: the next piece continues the line of the last piece */
    int64_t mark;       /* length of the byte order mark that the file begins with */
    struct text units;  /* a line of UTF-16, converted to UTF-8 */
    struct text out;    /* stripped text that is ready to be read */
    size_t taken;       /* number of bytes of `out` that were read */
    int64_t made;       /* number of bytes of stripped text produced so far */
    struct place *places;
    size_t place, place_count, place_capacity;
};

/* A line, or a piece of a long line, that passes through the layers. */
struct piece {
    struct word text;
    int64_t offset; /* byte offset in the file of the beginning of the piece's line */
    bool begins, ends;
};

const char *peel_name(enum peel_kind kind) {
    static const char *const names[] = {
        [PEEL_UTF16] = "UTF-16",
        [PEEL_COLOURS] = "escapes of a terminal",
        [PEEL_TYPOGRAPHY] = "blanks and quotes of a text processor",
        [PEEL_MARKUP] = "HTML",
        [PEEL_JSON] = "JSON of docker or the journal",
        [PEEL_QUOTED] = "quotation marks of CSV",
        [PEEL_SECTIONS] = "headers of files, but for their numbers",
        [PEEL_CONTAINERS] = "names of containers",
        [PEEL_CRI] = "prefix of a container's log (CRI)",
        [PEEL_SYSLOG] = "syslog prefix",
        [PEEL_JOURNAL] = "journald or syslog prefix",
        [PEEL_LOGCAT] = "logcat prefix",
        [PEEL_TIMES] = "times before the lines",
        [PEEL_NUMBERS] = "line numbers",
        [PEEL_FILES] = "names of files, but for their numbers",
        [PEEL_TEXT] = "the same text before the lines",
        [PEEL_WRAPPED] = "lines wrapped at a width",
    };

    return names[kind];
}

/* --- offsets in the file ---------------------------------------------------------------------- */

static void peel_add_place(struct peel *peel, int64_t raw) {
    struct place *last = peel->place_count == 0 ? NULL : &peel->places[peel->place_count - 1];

    if (last == NULL || last->peeled != peel->made) {
        last = ARRAY_NEW(peel->places, peel->place_count, peel->place_capacity);
    }
    *last = (struct place){peel->made, raw};
}

int64_t peel_offset(struct peel *peel, int64_t offset) {
    const struct place *at;
    int64_t raw;

    while (peel->place + 1 < peel->place_count && peel->places[peel->place + 1].peeled <= offset) {
        peel->place++;
    }
    if (peel->place == peel->place_count) {
        return offset;
    }
    at = &peel->places[peel->place];
    raw = at->raw + (offset - at->peeled);
    return peel->place + 1 < peel->place_count && raw > at[1].raw ? at[1].raw : raw;
}

/* --- layers around a line --------------------------------------------------------------------- */

static void emit_piece(struct peel *peel, const struct piece *piece) {
    if (piece->begins) {
        peel_add_place(peel, piece->offset);
    }
    text_append(&peel->out, piece->text.bytes, piece->text.length);
    peel->made += (int64_t)piece->text.length;
    if (piece->ends) {
        text_append_char(&peel->out, '\n');
        peel->made++;
        peel_add_place(peel, peel->raw_offset);
    }
}

static void peel_push(struct peel *peel, size_t layer, struct piece piece);

static void count_stage_line(struct stage *stage, int64_t offset) {
    stage->first_offset = stage->count++ == 0 ? offset : stage->first_offset;
}

static void peel_flush(struct peel *peel, size_t layer) {
    struct stage *stage = &peel->stages[layer];

    if (stage->holds) {
        stage->holds = false;
        peel_push(
            peel, layer + 1,
            (struct piece){
                {text_string(&stage->held), stage->held.length}, stage->held_offset, true, true});
    }
}

/* Appends a line to the line that is held back, or if there is none, holds it back. Drops the
 * carriage return at the end of the line. */
static void peel_hold(struct stage *stage, const struct piece *piece) {
    if (!stage->holds) {
        text_clear(&stage->held);
        stage->held_offset = piece->offset;
        stage->holds = true;
    }
    text_append(&stage->held, piece->text.bytes, piece->text.length - word_ends(piece->text, "\r"));
}

/* Holds back a line that the next line continues (`goes_on`); passes on any other line. */
static void peel_gather(struct peel *peel, size_t layer, const struct piece *piece, bool goes_on) {
    struct stage *stage = &peel->stages[layer];

    if (!goes_on && !stage->holds) {
        peel_push(peel, layer + 1, *piece);
        return;
    }
    peel_hold(stage, piece);
    if (!goes_on || stage->held.length > PEEL_PIECE) {
        peel_flush(peel, layer);
    }
}

/* For PEEL_WRAPPED: adds the form of a new line's start to the layer's list. The line is new
 * because the line before it was not wrapped. Skips short forms, such as that of a number:
 * continuation lines may have these, too. */
static void learn_line_form(struct peel_layer *plan, struct word line) {
    char form[PEEL_FORM];

    peel_write_form(line, plan->form, form);
    if (form[plan->form - 1] != '\0' && plan->length < sizeof plan->text &&
        !peel_begins_line(plan, line)) {
        memcpy(plan->text + plan->length, form, PEEL_FORM);
        plan->length += PEEL_FORM;
    }
}

/* Joins wrapped lines. The next line continues a line of full width, unless it begins like a new
 * line. */
static void join_wrapped_lines(struct peel *peel, size_t layer, struct piece piece) {
    struct peel_layer *plan = &peel->plan.layers[layer];
    struct stage *stage = &peel->stages[layer];
    struct word held;
    bool begins;

    if (word_ends(piece.text, "\r")) {
        piece.text.length--;
    }
    if (!piece.begins || !piece.ends) {
        peel_flush(peel, layer);
        peel_push(peel, layer + 1, piece);
        return;
    }
    held = (struct word){stage->held.bytes, stage->held.length};
    /* If a further layer joins lines that were wrapped again, a line may begin in any way: then no
     * forms of line starts are learned. */
    if (layer + 1 == peel->plan.count &&
        (!stage->holds || !peel_wraps(stage->columns, held, piece.text, plan->number))) {
        learn_line_form(plan, piece.text);
    }
    /* In a signal line of strace, "--- SIGTERM {...} ---", the end looks like a beginning: a line
     * that consists of "---" does not begin a new line. */
    begins = peel_begins_line(plan, piece.text) && !word_is(piece.text, "---");
    if (stage->holds && (stage->held.length > PEEL_PIECE || begins ||
                         !peel_wraps(stage->columns, held, piece.text, plan->number))) {
        peel_flush(peel, layer);
    } else if (stage->holds) {
        count_stage_line(stage, piece.offset);
    }
    stage->columns = peel_columns(piece.text, 0);
    /* fold(1) counts the bytes of a byte order mark as columns, a terminal does not: counts them if
     * the line still fits. */
    if (piece.offset == 0 && peel_columns(piece.text, peel->mark) <= plan->number) {
        stage->columns = peel_columns(piece.text, peel->mark);
    }
    peel_gather(peel, layer, &piece, stage->columns == plan->number || peel_ends_blank(piece.text));
}

/* Drops the headers that tail prints between files, with the empty line before each. Prefixes each
 * line with the number from its file's name. */
static void number_lines_by_file(struct peel *peel, size_t layer, struct piece piece) {
    struct stage *stage = &peel->stages[layer];
    struct word name = peel_header_name(piece.text), number;

    if (piece.begins && peel_file_number(&peel->plan.layers[layer], &name, &number) &&
        name.length == 0) {
        stage->count += stage->holds;
        stage->holds = false;
        count_stage_line(stage, piece.offset);
        text_clear(&stage->file);
        text_append(&stage->file, number.bytes, number.length);
        text_append_char(&stage->file, ' ');
        return;
    }
    peel_flush(peel, layer);
    if (piece.begins && piece.ends && word_trim(piece.text).length == 0) {
        peel_hold(stage, &piece);
        return;
    }
    if (piece.begins && stage->file.length > 0) {
        count_stage_line(stage, piece.offset);
        text_clear(&stage->room);
        text_append(&stage->room, stage->file.bytes, stage->file.length);
        text_append(&stage->room, piece.text.bytes, piece.text.length);
        piece.text = (struct word){stage->room.bytes, stage->room.length};
    }
    peel_push(peel, layer + 1, piece);
}

/* Strips a layer from a line; returns false if the line does not have the layer. */
static bool strip_layer(struct peel *peel, size_t layer, struct piece *piece, bool *goes_on) {
    const struct peel_layer *plan = &peel->plan.layers[layer];
    struct stage *stage = &peel->stages[layer];
    bool changed;
    size_t length;

    text_clear(&stage->room);
    switch (plan->kind) {
    case PEEL_COLOURS:
        changed = peel_append_without_colours(piece->text, &stage->room);
        break;
    case PEEL_TYPOGRAPHY:
        changed = peel_append_in_ascii(piece->text, &stage->room);
        break;
    case PEEL_MARKUP:
        changed = (plan->number ? peel_raw_markup : peel_append_without_tags)(
            piece->text, &stage->inside, &stage->room);
        changed |= stage->room.length < piece->text.length;
        break;
    case PEEL_JSON:
        changed =
            piece->begins && piece->ends && peel_append_json(piece->text, &stage->room, goes_on);
        break;
    case PEEL_QUOTED:
        changed = piece->begins && piece->ends && peel_append_quoted(piece->text, &stage->room);
        break;
    case PEEL_FILES:
        changed = piece->begins && peel_shorten_file_name(plan, piece->text, &stage->room);
        break;
    default:
        length = piece->begins ? peel_prefix(plan, piece->text, goes_on) : 0;
        word_skip(&piece->text, length);
        return length > 0;
    }
    if (changed) {
        piece->text = (struct word){text_string(&stage->room), stage->room.length};
    }
    return changed;
}

static void peel_push(struct peel *peel, size_t layer, struct piece piece) {
    struct stage *stage = &peel->stages[layer];
    bool goes_on = false;

    if (layer == peel->plan.count) {
        emit_piece(peel, &piece);
        return;
    }
    switch (peel->plan.layers[layer].kind) {
    case PEEL_WRAPPED:
        join_wrapped_lines(peel, layer, piece);
        return;
    case PEEL_SECTIONS:
        number_lines_by_file(peel, layer, piece);
        return;
    case PEEL_UTF16:
        stage->count += piece.begins;
        break;
    default:
        if (strip_layer(peel, layer, &piece, &goes_on) && piece.begins) {
            count_stage_line(stage, piece.offset);
        }
    }
    if (piece.begins && piece.ends) {
        peel_gather(peel, layer, &piece, goes_on);
    } else {
        peel_flush(peel, layer);
        peel_push(peel, layer + 1, piece);
    }
}

/* --- splitting the file into lines ------------------------------------------------------------ */

static bool is_utf16(const struct peel *peel) {
    return peel->plan.count > 0 && peel->plan.layers[0].kind == PEEL_UTF16;
}

/* Returns the length of the next line with its line end, and sets `*end` to the length of the line
 * end. Returns 0 if the line is incomplete. */
static size_t peel_find_line(const struct peel *peel, struct word rest, bool last, size_t *end) {
    const char *newline = rest.bytes;
    size_t unit = is_utf16(peel) ? 2 : 1;

    *end = unit;
    while ((newline = memchr(newline, '\n', (size_t)(rest.bytes + rest.length - newline))) !=
           NULL) {
        size_t at = (size_t)(newline - rest.bytes);

        if (unit == 1) {
            return at + 1;
        }
        at -= at % 2;
        if (at + 2 <= rest.length &&
            memcmp(rest.bytes + at, peel->plan.layers[0].number ? "\n\0" : "\0\n", 2) == 0) {
            return at + 2;
        }
        newline++;
    }
    *end = 0;
    return rest.length >= PEEL_PIECE ? PEEL_PIECE : last ? rest.length : 0;
}

static void peel_process_line(struct peel *peel, struct word line, size_t length, size_t end,
                              bool last) {
    struct piece piece = {
        {line.bytes, length - end}, peel->raw_offset, !peel->in_line, end > 0 || last};

    if (is_utf16(peel)) {
        text_clear(&peel->units);
        peel_utf16(piece.text, peel->plan.layers[0].number != 0, &peel->units);
        piece.text = (struct word){text_string(&peel->units), peel->units.length};
    }
    /* A byte order mark before the prefix of the first line is skipped, so that the prefix is
     * found. */
    if (peel->raw_offset == 0) {
        peel->mark = word_begins(piece.text, "\xEF\xBB\xBF") ? 3 : 0;
        word_skip(&piece.text, (size_t)peel->mark);
    }
    peel->in_line = !piece.ends;
    peel->raw_offset += (int64_t)length;
    peel_push(peel, 0, piece);
}

void peel_feed(struct peel *peel, const uint8_t *bytes, size_t length, bool end) {
    struct word rest;
    size_t line, after;

    if (peel->place > peel->place_count / 2) {
        peel->place_count -= peel->place;
        memmove(peel->places, peel->places + peel->place, peel->place_count * sizeof *peel->places);
        peel->place = 0;
    }
    if (peel->taken == peel->out.length) {
        text_clear(&peel->out);
        peel->taken = 0;
    }
    text_append(&peel->raw, (const char *)bytes, length);
    rest = (struct word){peel->raw.bytes, peel->raw.length};
    while (rest.length > 0 && (line = peel_find_line(peel, rest, end, &after)) > 0) {
        peel_process_line(peel, rest, line, after, end && line == rest.length);
        word_skip(&rest, line);
    }
    if (rest.length > 0) {
        memmove(peel->raw.bytes, rest.bytes, rest.length);
    }
    peel->raw.length = rest.length;
    for (size_t i = 0; end && i < peel->plan.count; i++) {
        peel_flush(peel, i);
    }
    if (end) {
        peel_add_place(peel, peel->raw_offset);
    }
}

size_t peel_take(struct peel *peel, uint8_t *bytes, size_t capacity) {
    size_t rest = peel->out.length - peel->taken;

    rest = rest < capacity ? rest : capacity;
    if (rest > 0) {
        memcpy(bytes, peel->out.bytes + peel->taken, rest);
        peel->taken += rest;
    }
    return rest;
}

/* --- functions of peel.h ---------------------------------------------------------------------- */

struct peel *peel_open(const struct peel_plan *plan) {
    struct peel *peel = xcalloc(1, sizeof *peel);

    peel->plan = *plan;
    return peel;
}

void peel_close(struct peel *peel) {
    if (peel == NULL) {
        return;
    }
    for (size_t i = 0; i < PEEL_LAYERS; i++) {
        text_free(&peel->stages[i].room);
        text_free(&peel->stages[i].held);
        text_free(&peel->stages[i].file);
    }
    text_free(&peel->raw);
    text_free(&peel->units);
    text_free(&peel->out);
    free(peel->places);
    free(peel);
}

size_t peel_layers(const struct peel *peel) {
    return peel->plan.count;
}

int64_t peel_count(const struct peel *peel, size_t layer, enum peel_kind *kind,
                   int64_t *first_offset) {
    *kind = peel->plan.layers[layer].kind;
    *first_offset = peel->stages[layer].first_offset;
    return peel->stages[layer].count;
}
