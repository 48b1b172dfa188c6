#include "import/sources.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/words.h"

/* --- files of unknown format ------------------------------------------------------------------ */

enum {
    SHOWN = 60,  /* maximum bytes of the file shown */
    NEAREST = 3, /* maximum formats suggested */
};

/* --- the form of a line ------------------------------------------------------------------------
 */

static bool is_letter(uint8_t byte) {
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_' ||
           byte >= 0x80;
}

/* Class of a byte in the form of a line: all digits are equal, and so are all letters; other bytes
 * stand for themselves. */
static char form_of(uint8_t byte) {
    return byte >= '0' && byte <= '9' ? '9' : is_letter(byte) ? 'a' : (char)byte;
}

/* Makes the form of a line: runs of digits, letters and blanks count as one. */
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

/* Returns the first line that is neither a comment nor empty; length 0: none. */
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

/* Distance of text from a format, in thousandths of the longer form; all binary formats are equally
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

/* Returns the next format after `*place`, by distance and then by list order, and advances
 * `*place`. NULL: no more. */
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

/* Messages are escaped when printed, and end at a NUL. */
static void append_beginning(const struct sniff *sniff, struct text *out) {
    for (size_t i = 0; i < sniff->length && i < SHOWN; i++) {
        if (sniff->bytes[i] == 0) {
            text_append_string(out, "\u2400");
        } else {
            text_append_char(out, (char)sniff->bytes[i]);
        }
    }
}

/* Recognises a time printed in a locale with a decimal comma: digits, a comma and 6 to 9 digits,
 * followed by a blank or a colon. */
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

/* --- equal files ---------------------------------------------------------------------------------
 */

/* Bytes read of every file; most differ there. */
enum { BEGINNING = 64 * 1024 };

struct candidate {
    size_t position;            /* index among the sources */
    char hash[INPUT_HASH_SIZE]; /* hash of its beginning, later of the whole file */
    bool whole;                 /* the hash is of the whole file */
    bool wanted;                /* another one has the same hash */
    bool known;                 /* it could be read */
};

/* Hashes up to `limit` bytes of a source. If it cannot be read, it is not `known`; not an error. */
static bool hash_source(const struct import_run *run, struct candidate *candidate, int64_t limit,
                        uint8_t *buffer, struct input_stop stop) {
    const struct import_source *source = &run->sources[candidate->position];
    struct error ignored = {0};
    struct input *input = input_open(source->path, stop, &ignored);
    size_t got = 1;
    bool read = input != NULL;

    while (read && got > 0 && input_bytes_read(input) < limit && !stop.stop(stop.context)) {
        int64_t left = limit - input_bytes_read(input);

        read =
            input_read(input, buffer, left < BEGINNING ? (size_t)left : BEGINNING, &got, &ignored);
    }
    /* An empty file is skipped for being empty. */
    candidate->known = read && input_bytes_read(input) > 0;
    candidate->whole = got == 0;
    if (candidate->known) {
        input_hash(input, candidate->hash);
    }
    input_close(input);
    return !stop.stop(stop.context);
}

/* Sorts by hash, equal ones in the trace's order. */
static int compare_candidates(const void *left, const void *right) {
    const struct candidate *a = left, *b = right;
    int order = strcmp(a->hash, b->hash);

    return order != 0 ? order : a->position < b->position ? -1 : a->position > b->position;
}

/* Hashes the whole files of those with equal beginnings; only they can be duplicates. */
static bool hash_wholly(const struct import_run *run, struct candidate *candidates, size_t count,
                        uint8_t *buffer, struct input_stop stop) {
    bool done = true;

    for (size_t i = 1; i < count; i++) {
        if (strcmp(candidates[i - 1].hash, candidates[i].hash) == 0) {
            candidates[i - 1].wanted = candidates[i].wanted = true;
        }
    }
    for (size_t i = 0; done && i < count; i++) {
        struct candidate *candidate = &candidates[i];

        if (candidate->wanted && !candidate->whole) {
            done = hash_source(run, candidate, INT64_MAX, buffer, stop);
        }
        candidate->known = candidate->known && candidate->wanted && candidate->whole;
    }
    return done;
}

/* Moves the known ones to the front; returns their number. */
static size_t keep_known(struct candidate *candidates, size_t count) {
    size_t kept = 0;

    for (size_t i = 0; i < count; i++) {
        if (candidates[i].known) {
            candidates[kept++] = candidates[i];
        }
    }
    return kept;
}

static bool find(struct import_run *run, struct candidate *candidates, uint8_t *buffer,
                 struct input_stop stop) {
    size_t count = 0, first = 0;

    for (size_t i = 0; i < run->source_count; i++) {
        candidates[count].position = i;
        if (!input_is_file(run->sources[i].path)) {
            continue;
        }
        if (!hash_source(run, &candidates[count++], BEGINNING, buffer, stop)) {
            return false;
        }
    }
    count = keep_known(candidates, count);
    qsort(candidates, count, sizeof *candidates, compare_candidates);
    if (!hash_wholly(run, candidates, count, buffer, stop)) {
        return false;
    }
    count = keep_known(candidates, count);
    qsort(candidates, count, sizeof *candidates, compare_candidates);
    for (size_t i = 1; i < count; i++) {
        if (strcmp(candidates[first].hash, candidates[i].hash) != 0) {
            first = i;
        } else {
            run->sources[candidates[i].position].same_as =
                run->sources[candidates[first].position].name;
        }
    }
    return true;
}

bool duplicates_find(struct import_run *run, struct input_stop stop) {
    struct candidate *candidates = xcalloc(run->source_count + 1, sizeof *candidates);
    uint8_t *buffer = xmalloc(BEGINNING);
    bool done = find(run, candidates, buffer, stop);

    free(buffer);
    free(candidates);
    return done;
}

static int compare_hashes(const void *left, const void *right) {
    const struct import_source *const *a = left, *const *b = right;
    int order = strcmp((*a)->hash, (*b)->hash);

    return order != 0 ? order : *a < *b ? -1 : *a > *b;
}

bool duplicates_refuse(const struct import_run *run, struct error *error) {
    const struct import_source **used = xcalloc(run->source_count + 1, sizeof *used);
    size_t count = 0;
    bool done = true;

    for (size_t i = 0; i < run->source_count; i++) {
        if (run->sources[i].used) {
            used[count++] = &run->sources[i];
        }
    }
    qsort(used, count, sizeof(const struct import_source *), compare_hashes);
    for (size_t i = 1; done && i < count; i++) {
        if (strcmp(used[i - 1]->hash, used[i]->hash) == 0) {
            done = error_set(error,
                             "%s: its content is that of %s; leave one of them out, or --again "
                             "counts it once more",
                             used[i]->name, used[i - 1]->name);
        }
    }
    free(used);
    return done;
}
