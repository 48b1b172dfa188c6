#include "import/detect.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "input/peel_guess.h"

static const char *detect_name_of(const char *path) {
    const char *slash = strrchr(path, '/');

    return strcmp(path, "-") == 0 ? "" : slash == NULL ? path : slash + 1;
}

static void skip_mark(struct sniff *sniff) {
    size_t mark = sniff->record_size == 0 ? byte_order_mark(sniff->bytes, sniff->length) : 0;

    sniff->bytes += mark;
    sniff->length -= mark;
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

/* --- format ----------------------------------------------------------------------------------- */

struct finding {
    const struct importer *importer, *rival; /* NULL: none */
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
    if (importer_packed(&sniff) != NULL) {
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

struct sniff detect_peeled(const struct sniff *sniff, const struct peel_plan *plan,
                           struct text *room) {
    struct peel *peel = peel_open(plan);
    struct sniff less = *sniff;

    peel_feed(peel, sniff->bytes, sniff->length, sniff->whole);
    text_clear(room);
    room->length =
        peel_read(peel, (uint8_t *)text_reserve(room, 2 * SNIFF_LENGTH), 2 * SNIFF_LENGTH);
    peel_close(peel);
    less.bytes = (const uint8_t *)room->bytes;
    less.length = room->length < SNIFF_LENGTH ? room->length : SNIFF_LENGTH;
    less.whole = sniff->whole && less.length == room->length;
    skip_mark(&less);
    return less;
}

/* Whether the lines that a layer joins to others are lines of the log themselves: then it is not
 * wrapped, whatever their widths. */
static bool joins_lines(const struct sniff *sniff, const struct importer *importer,
                        const struct peel_layer *layer) {
    struct sniff rests = *sniff;
    struct text room = {0};
    bool joins = false;

    if (layer->kind == PEEL_WRAPPED) {
        peel_rests(layer, sniff->bytes, sniff->length, sniff->whole, &room);
        rests.bytes = (const uint8_t *)text_string(&room);
        rests.length = room.length;
        rests.whole = true;
        rests.declaration = importer->declaration;
        joins = importer->sniff(&rests) >= SNIFF_LIKELY;
    }
    text_free(&room);
    return joins;
}

/* Strips one layer after the other, until the format is known and no layer is left that would lose
 * lines. */
static struct finding find_peeled(const struct import_run *run, const struct sniff *sniff,
                                  struct finding found, struct peel_plan *plan) {
    struct peel_plan tried = {.count = 0};
    struct sniff less = *sniff;
    struct text room = {0};

    while (peel_guess(&tried, less.bytes, less.length, less.whole, found.score >= SNIFF_LIKELY)) {
        struct finding other;

        if (found.score >= SNIFF_LIKELY &&
            joins_lines(&less, found.importer, &tried.layers[tried.count - 1])) {
            break;
        }
        less = detect_peeled(sniff, &tried, &room);
        other = detect_find(run, &less);
        if (other.score >= SNIFF_LIKELY) {
            found = other;
            *plan = tried;
        } else if (found.score >= SNIFF_LIKELY) {
            break;
        }
    }
    text_free(&room);
    return found;
}

/* --- other text before the log ---------------------------------------------------------------- */

enum {
    STEPS = 32,       /* positions tried as the beginning of the log */
    SLICE = 8 * 1024, /* bytes examined at each */
    TOGETHER = 5,     /* consecutive lines */
};

/* Offsets of the lines at the beginning of a file. */
struct line_offsets {
    size_t *offsets; /* owned */
    size_t count, capacity;
};

static struct sniff slice_at(const struct sniff *sniff, size_t offset) {
    struct sniff slice = *sniff;

    slice.bytes += offset;
    slice.length -= offset;
    if (slice.length > SLICE) {
        slice.length = SLICE;
        slice.whole = false;
    }
    return slice;
}

static bool fits_at(const struct import_run *run, const struct sniff *sniff, size_t offset,
                    const struct importer *wanted) {
    struct sniff slice = slice_at(sniff, offset);
    struct finding found = detect_find(run, &slice);

    return found.score >= SNIFF_LIKELY && found.rival == NULL &&
           (wanted == NULL || found.importer == wanted);
}

static void list_lines(const struct sniff *sniff, struct line_offsets *lines) {
    const uint8_t *at = sniff->bytes, *end = sniff->bytes + sniff->length;

    while (at < end) {
        const uint8_t *newline = memchr(at, '\n', (size_t)(end - at));

        *ARRAY_NEW(lines->offsets, lines->count, lines->capacity) = (size_t)(at - sniff->bytes);
        at = newline == NULL ? end : newline + 1;
    }
}

/* Whether several consecutive lines, among the first `count`, match the format: then the log starts
 * earlier and has too many other lines. */
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

/* Finds a log that begins within the first seven eighths of the lines and continues to the end. Its
 * importer rejects the text before it. */
static struct finding find_behind(const struct import_run *run, const struct sniff *sniff) {
    struct finding found = {.score = SNIFF_NO};
    struct line_offsets lines = {0};
    size_t before = 0;

    if (memchr(sniff->bytes, '\0', sniff->length) != NULL) {
        return found;
    }
    list_lines(sniff, &lines);
    for (size_t i = 1; i <= STEPS * 7 / 8 && found.importer == NULL; i++) {
        size_t line = lines.count * i / STEPS;
        struct finding other;
        struct sniff rest = *sniff;

        if (line > before && lines.count - line >= TOGETHER &&
            fits_at(run, sniff, lines.offsets[line], NULL)) {
            rest.bytes += lines.offsets[line];
            rest.length -= lines.offsets[line];
            other = detect_find(run, &rest);
            if (other.score >= SNIFF_LIKELY && other.rival == NULL &&
                fits_at(run, sniff, lines.offsets[(line + lines.count) / 2], other.importer) &&
                !fits_before(sniff, &lines, before, other.importer)) {
                found = other;
            }
        }
        before = line;
    }
    free(lines.offsets);
    return found;
}

/* The same for a log that has layers, which are found in a slice further on: behind that text, or
 * behind text that has them, too. */
static struct finding find_peeled_behind(const struct import_run *run, const struct sniff *sniff,
                                         struct peel_plan *plan) {
    struct finding found = {.score = SNIFF_NO};
    struct line_offsets lines = {0};
    struct text room = {0};

    list_lines(sniff, &lines);
    for (size_t i = 1; i <= STEPS * 7 / 8 && found.importer == NULL; i++) {
        size_t offset = lines.offsets[lines.count * i / STEPS];
        struct sniff slice = slice_at(sniff, offset), less;
        struct peel_plan tried = {.count = 0};
        struct finding other =
            find_peeled(run, &slice, (struct finding){.score = SNIFF_NO}, &tried);

        if (other.score >= SNIFF_LIKELY && tried.count > 0) {
            less = detect_peeled(sniff, &tried, &room);
            found = find_behind(run, &less);
            *plan = found.importer == NULL ? *plan : tried;
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
    if (run->record_size == 0 && sniff.length > 0 && importer_packed(&sniff) == NULL) {
        found = find_peeled(run, &sniff, found, plan);
        if (found.importer == NULL) {
            found = find_behind(run, &sniff);
        }
        if (found.importer == NULL) {
            found = find_peeled_behind(run, &sniff, plan);
        }
    }
    if (plan->count > 0) {
        reader_peel(reader, plan);
    }
    *rival = found.rival;
    return found.importer;
}
