#include "import/sources.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "import/context.h"
#include "import/unknown.h"
#include "base/memory.h"

/* --- one file ---------------------------------------------------------------------------------
 */

static bool open_path(struct import_run *run, const char *path, struct open_source *source,
                      struct error *error) {
    source->input = input_open(path, (struct input_stop){import_run_stopped, run}, error);
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
static bool order_paths(struct import_run *run, const char *const *paths, size_t count,
                        struct ordered_source *ordered, struct error *error) {
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
    return true;
}

bool sources_init(struct import_run *run, const char *const *paths, size_t count,
                  struct error *error) {
    struct ordered_source *ordered = xcalloc(count + 1, sizeof *ordered);
    bool done = true;

    run->sources = xcalloc(count + 1, sizeof *run->sources);
    if (ordered == NULL || run->sources == NULL) {
        done = error_no_memory(error);
    }
    done = done && order_paths(run, paths, count, ordered, error);
    for (size_t i = 0; ordered != NULL && i < count; i++) {
        char *path = ordered[i].path;

        if (path == NULL || run->sources == NULL) {
            free(path);
            continue;
        }
        run->sources[run->source_count++] = (struct import_source){
            .path = path,
            .name = strcmp(path, "-") == 0 ? "stdin" : path,
            .packing = "",
            .begins = ordered[i].begins,
        };
    }
    free(ordered);
    return done && (count > 0 || error_set(error, "no files to import"));
}

void sources_free(struct import_run *run) {
    for (size_t i = 0; i < run->source_count; i++) {
        free(run->sources[i].path);
    }
    free(run->sources);
}
