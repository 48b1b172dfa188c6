#include "import/sources.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/words.h"

/* --- files of no known format --------------------------------------------------------------------
 */

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

/* Appends, for behind "FILE: ": what else the file is and what to do with it; or how it begins, and
 * which formats it is nearest to, with what these are made of. */
static void unknown_describe(const struct sniff *sniff, const struct config *config,
                             struct text *out) {
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

/* So much is read of every file; most differ there. */
enum { BEGINNING = 64 * 1024 };

struct candidate {
    size_t position;            /* among the sources */
    char hash[INPUT_HASH_SIZE]; /* of its beginning, then of all of it */
    int64_t size;               /* of the file; -1: packed */
    bool whole;                 /* the hash is of all of it */
    bool known;                 /* it could be read */
};

/* Hashes up to `limit` bytes of a source. What cannot be read is not known, and no error. */
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
    /* An empty file is passed over for that. */
    candidate->known = read && input_bytes_read(input) > 0;
    candidate->whole = got == 0;
    if (candidate->known) {
        candidate->size = input_packing(input)[0] != '\0' ? -1 : input_packed_size(input);
        input_hash(input, candidate->hash);
    }
    input_close(input);
    return !stop.stop(stop.context);
}

/* By hash, those of one hash by size, packed ones first, then as the trace has them. */
static int compare_candidates(const void *left, const void *right) {
    const struct candidate *a = left, *b = right;
    int order = strcmp(a->hash, b->hash);

    if (order == 0 && a->size != b->size) {
        order = a->size < b->size ? -1 : 1;
    }
    return order != 0 ? order : a->position < b->position ? -1 : a->position > b->position;
}

static int compare_contents(const void *left, const void *right) {
    const struct candidate *a = left, *b = right;
    int order = strcmp(a->hash, b->hash);

    return order != 0 ? order : a->position < b->position ? -1 : a->position > b->position;
}

/* Whether the beginnings leave it open that another candidate has the same content: `packed`, one
 * of equal beginning is packed, so that sizes say nothing. */
static bool may_be_double(const struct candidate *candidates, size_t count, size_t i, bool packed) {
    const struct candidate *one = &candidates[i];
    const struct candidate *before = i > 0 ? one - 1 : NULL;
    const struct candidate *behind = i + 1 < count ? one + 1 : NULL;
    bool like_before = before != NULL && strcmp(before->hash, one->hash) == 0;
    bool like_behind = behind != NULL && strcmp(behind->hash, one->hash) == 0;

    return (like_before && (packed || before->size == one->size)) ||
           (like_behind && (packed || behind->size == one->size));
}

/* Hashes wholly what may be double. Sorted, a packed candidate is the first of its beginning. */
static bool hash_wholly(const struct import_run *run, struct candidate *candidates, size_t count,
                        uint8_t *buffer, struct input_stop stop) {
    bool *wanted = xcalloc(count + 1, sizeof *wanted);
    bool packed = false, done = true;

    for (size_t i = 0; i < count; i++) {
        if (i == 0 || strcmp(candidates[i - 1].hash, candidates[i].hash) != 0) {
            packed = candidates[i].size < 0;
        }
        wanted[i] = may_be_double(candidates, count, i, packed);
    }
    for (size_t i = 0; done && i < count; i++) {
        struct candidate *candidate = &candidates[i];

        if (wanted[i] && !candidate->whole) {
            done = hash_source(run, candidate, INT64_MAX, buffer, stop);
        }
        candidate->known = candidate->known && wanted[i] && candidate->whole;
    }
    free(wanted);
    return done;
}

/* Those that are known come to the front; returns how many they are. */
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
    qsort(candidates, count, sizeof *candidates, compare_contents);
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

/* --- the files -----------------------------------------------------------------------------------
 */

/* --- one file ---------------------------------------------------------------------------------
 */

static bool open_path(struct import_run *run, const char *path, struct open_source *source,
                      struct error *error) {
    source->input = input_open(path, (struct input_stop){import_run_ended, run}, error);
    if (source->input == NULL) {
        return false;
    }
    if (!reader_init(&source->reader, source->input, error)) {
        source_close(source);
        return false;
    }
    return true;
}

bool source_open(struct import_run *run, size_t position, struct open_source *source,
                 struct error *error) {
    if (!open_path(run, run->sources[position].path, source, error)) {
        return false;
    }
    run->sources[position].packing = input_packing(source->input);
    return true;
}

void source_close(struct open_source *source) {
    reader_free(&source->reader);
    input_close(source->input);
    source->input = NULL;
}

bool source_finish(struct import_run *run, size_t position, struct open_source *source) {
    struct import_source *done = &run->sources[position];

    /* What the importer had no interest in still belongs to the hash. */
    while (!reader_failed(&source->reader) &&
           reader_skip(&source->reader, (int64_t)READER_WINDOW) > 0) {
    }
    done->used = true;
    done->size = input_bytes_read(source->input);
    input_hash(source->input, done->hash);
    return !reader_failed(&source->reader);
}

/* --- what it is -------------------------------------------------------------------------------
 */

static const char *name_of(const char *path) {
    const char *slash = strrchr(path, '/');

    return strcmp(path, "-") == 0 ? "" : slash == NULL ? path : slash + 1;
}

/* The beginning of the file. What has a byte order mark is text, and begins behind it. */
static struct sniff sniff_of(const struct import_run *run, const char *path,
                             struct reader *reader) {
    size_t length = reader_fill(reader, SNIFF_LENGTH);
    struct sniff sniff = {
        .bytes = reader_bytes(reader),
        .length = length < SNIFF_LENGTH ? length : SNIFF_LENGTH,
        .whole = length < SNIFF_LENGTH,
        .record_size = run->record_size,
        .name = name_of(path),
    };
    size_t mark = run->record_size == 0 ? byte_order_mark(sniff.bytes, sniff.length) : 0;

    sniff.bytes += mark;
    sniff.length -= mark;
    return sniff;
}

/* What the beginning of a file is, NULL: of no known format. The reader may be at the beginning
 * only. `*rival` is another declared format that it fits as well, NULL: there is none. */
static const struct importer *source_detect(const struct import_run *run, const char *path,
                                            struct reader *reader, const struct importer **rival) {
    const struct importer *best = NULL, *importer;
    enum sniff_score best_score = SNIFF_NO;
    struct sniff sniff = sniff_of(run, path, reader);

    *rival = NULL;
    if (importer_packed(&sniff) != NULL) {
        return NULL;
    }
    for (size_t i = 0; (importer = importer_at(run->config, i)) != NULL; i++) {
        enum sniff_score score;

        sniff.declaration = importer->declaration;
        score = importer->sniff(&sniff);
        if (score > best_score) {
            best = importer;
            best_score = score;
            *rival = NULL;
        } else if (score == best_score && best != NULL && best->declaration != NULL) {
            *rival = importer;
        }
    }
    return best;
}

/* Whether the format could be found out: declared formats that are alike are told apart by the user
 * alone. */
static bool is_told(const char *name, const struct importer *found, const struct importer *rival,
                    struct error *error) {
    return rival == NULL ||
           error_set_status(error, EXIT_FAILED,
                            "%s: could be of the format %s or %s: say which with -f", name,
                            found->name, rival->name);
}

/* A file that is not read, as part of a trace of several files. */
static void pass_over(struct import_run *run, size_t position, const char *why) {
    run->passed_over++;
    import_remark(run->traces, "%s: passed over: %s", run->sources[position].name, why);
}

bool source_must_not_open(struct import_run *run, size_t position) {
    const struct import_source *source = &run->sources[position];
    bool guarded =
        run->source_count > 1 && strcmp(source->path, "-") != 0 && file_is_guarded(source->path);

    if (guarded) {
        pass_over(run, position, "it belongs to the database that is written");
    } else if (source->same_as != NULL) {
        run->passed_over++;
        import_remark(run->traces, "%s: passed over: its content is that of %s", source->name,
                      source->same_as);
    }
    return guarded || source->same_as != NULL;
}

static bool refuse_unknown(const struct import_run *run, size_t position, struct reader *reader,
                           struct error *error) {
    const char *name = run->sources[position].name;
    struct sniff sniff = sniff_of(run, run->sources[position].path, reader);
    struct text what = {0};

    unknown_describe(&sniff, run->config, &what);
    error_set(error, "%s: %s", name, text_string(&what));
    text_free(&what);
    return false;
}

bool source_choose(struct import_run *run, size_t position, struct reader *reader, bool *use,
                   struct error *error) {
    const struct importer *found = run->forced, *rival = NULL;
    const char *name = run->sources[position].name;

    *use = true;
    if (reader_fill(reader, 1) == 0 && !reader_failed(reader)) {
        *use = false;
        pass_over(run, position, "the file is empty");
        return run->source_count > 1 || error_set(error, "%s: the file is empty", name);
    }
    if (found == NULL) {
        found = source_detect(run, run->sources[position].path, reader, &rival);
    }
    if (reader_failed(reader) || !is_told(name, found, rival, error)) {
        return false;
    }
    if (found == NULL && run->source_count == 1) {
        return refuse_unknown(run, position, reader, error);
    }
    if (found == NULL || (run->importer != NULL && found != run->importer)) {
        *use = false;
        pass_over(run, position,
                  found == NULL ? "the format is not known" : "it is of another format");
        return true;
    }
    if (run->record_size > 0 && !found->takes_record_size) {
        return error_set_status(error, EXIT_USAGE, "%s is of format %s, which has no --record-size",
                                name, found->name);
    }
    if (run->only_device_count > 0 && !found->takes_devices) {
        return error_set_status(error, EXIT_USAGE,
                                "%s is of format %s, which has no --only-device: reports choose "
                                "with --device",
                                name, found->name);
    }
    run->importer = found;
    return true;
}

bool sources_open_first(struct import_run *run, struct open_source *source, struct error *error) {
    for (; run->source < run->source_count; run->source++) {
        bool use;

        if (source_must_not_open(run, run->source)) {
            continue;
        }
        if (!source_open(run, run->source, source, error) ||
            !source_choose(run, run->source, &source->reader, &use, error)) {
            return false;
        }
        if (use) {
            return true;
        }
        source_close(source);
    }
    return error_set(error, "%s and the files beside it: none is of a known format",
                     run->sources[0].name);
}

/* --- what each gave ---------------------------------------------------------------------------
 */

/* Gives the current file what was counted since its turn began. */
static void settle_share(struct import *trace, size_t position) {
    struct import_share *share = &trace->shares[position];
    int64_t rows = trace->rows - trace->rows_before;

    if (rows > 0 && share->rows > 0 && share->first + share->rows != trace->rows_before) {
        trace->alternating = true;
    }
    if (rows > 0 && share->rows == 0) {
        share->first = trace->rows_before;
    }
    share->events += trace->events - trace->events_before;
    share->rows += rows;
    trace->events_before = trace->events;
    trace->rows_before = trace->rows;
}

void sources_turn(struct import_run *run, size_t position, struct reader *reader) {
    if (position != run->source || reader == NULL) {
        for (unsigned i = 0; i < run->trace_count; i++) {
            settle_share(&run->traces[i], run->source);
        }
    }
    run->source = position;
    run->reader = reader;
}

size_t import_source_number(const struct import *import) {
    return import->run->source;
}

void import_go_to_source(struct import *import, size_t file) {
    sources_turn(import->run, file, import->run->reader);
}

void source_earlier(struct import_source *source, int64_t by, int64_t offset) {
    source->earlier_offset = source->earlier++ == 0 ? offset : source->earlier_offset;
    source->earlier_by = by > source->earlier_by ? by : source->earlier_by;
}

void import_earlier(struct import *import, int64_t by, int64_t offset) {
    source_earlier(&import->run->sources[import->run->source], by, offset);
}

/* --- the order of several files -------------------------------------------------------------- */

/* A file of the trace, as far as its place among the others goes. */
struct ordered_source {
    char *path;
    int64_t first_time; /* EVENT_NONE: it does not say */
    int64_t begins;     /* as a stream's */
};

/* Where the times begin again at 0, the files from before that come first: behind the widest gap,
 * when it is more than half of the range. */
static void rotate_sources(struct ordered_source *sources, size_t count, int64_t range) {
    struct ordered_source *rotated = xcalloc(count, sizeof *rotated);
    size_t first = 0;

    for (size_t i = 1; i < count; i++) {
        if (sources[i - 1].first_time != EVENT_NONE &&
            sources[i].first_time - sources[i - 1].first_time > range / 2) {
            first = i;
        }
    }
    for (size_t i = 0; rotated != NULL && i < count; i++) {
        rotated[i] = sources[(first + i) % count];
        rotated[i].begins = first + i >= count ? range : 0;
    }
    if (rotated != NULL) {
        memcpy(sources, rotated, count * sizeof *rotated);
    }
    free(rotated);
}

/* Files of one time, or of none, come by name: .9 before .10. */
static int compare_sources(const void *left, const void *right) {
    const struct ordered_source *a = left, *b = right;

    if (a->first_time != b->first_time) {
        return a->first_time < b->first_time ? -1 : 1;
    }
    return strverscmp(a->path, b->path);
}

/* The first time in a file; false when its format does not order files, or on failure, which the
 * real reading will meet again and report. */
static bool peek_first_time(struct import_run *run, const char *path, int64_t *first_time,
                            int64_t *range) {
    const struct importer *importer = run->forced, *rival;
    struct error ignored = {0};
    struct open_source source = {0};
    bool found = false;

    if (open_path(run, path, &source, &ignored)) {
        struct sniff sniff = sniff_of(run, path, &source.reader);

        if (importer == NULL) {
            importer = source_detect(run, path, &source.reader, &rival);
        }
        if (importer != NULL && importer->first_time != NULL) {
            *first_time = importer->first_time(&sniff, run->config, range);
            found = true;
        }
    }
    source_close(&source);
    return found;
}

/* Puts the files of a trace into the order of their first times, where the format has one. */
static void order_paths(struct import_run *run, const char *const *paths, size_t count,
                        struct ordered_source *ordered) {
    bool regular = count > 1, ordered_format = false;
    int64_t range = 0;

    for (size_t i = 0; i < count; i++) {
        ordered[i] = (struct ordered_source){xstrdup(paths[i]), EVENT_NONE, 0};
        regular = regular && input_is_file(paths[i]);
    }
    for (size_t i = 0; regular && i < count; i++) {
        if (peek_first_time(run, paths[i], &ordered[i].first_time, &range)) {
            ordered_format = true;
        }
    }
    if (ordered_format) {
        qsort(ordered, count, sizeof *ordered, compare_sources);
        if (range > 0) {
            rotate_sources(ordered, count, range);
        }
    }
}

bool sources_init(struct import_run *run, const char *const *paths, size_t count,
                  struct error *error) {
    struct ordered_source *ordered = xcalloc(count + 1, sizeof *ordered);

    run->sources = xcalloc(count + 1, sizeof *run->sources);
    order_paths(run, paths, count, ordered);
    for (size_t i = 0; i < count; i++) {
        char *path = ordered[i].path;

        run->sources[run->source_count++] = (struct import_source){
            .path = path,
            .name = strcmp(path, "-") == 0 ? "stdin" : path,
            .packing = "",
            .begins = ordered[i].begins,
        };
    }
    free(ordered);
    return count > 0 || error_set(error, "no files to import");
}

void sources_free(struct import_run *run) {
    for (size_t i = 0; i < run->source_count; i++) {
        free(run->sources[i].path);
    }
    free(run->sources);
}
