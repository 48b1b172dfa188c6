#include "import/reading.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/processors.h"
#include "base/saturate.h"
#include "import/detect.h"
#include "import/metadata.h"
#include "import/read_ahead.h"
#include "import/sources.h"
#include "import/trace_files.h"

/* --- opening and closing one file ------------------------------------------------------------- */

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

/* Opens a file of the run and stores its compression. On failure nothing needs to be closed. */
static bool source_open(struct import_run *run, size_t position, struct open_source *source,
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

/* Reopens a file of known format; strips the layers that were found when it was first opened. */
static bool source_open_again(struct import_run *run, size_t position, struct open_source *source,
                              struct error *error) {
    if (!source_open(run, position, source, error)) {
        return false;
    }
    if (run->sources[position].peel.count > 0) {
        reader_peel(&source->reader, &run->sources[position].peel);
    }
    return true;
}

/* Reads the rest of the file, so that its size and hash are known, and stores these. */
static bool source_finish(struct import_run *run, size_t position, struct open_source *source) {
    struct import_source *done = &run->sources[position];

    /* Reads the rest of the file, since the hash includes bytes that the importer did not read. */
    while (!reader_failed(&source->reader) &&
           reader_skip(&source->reader, (int64_t)READER_WINDOW) > 0) {
    }
    /* Counts the stripped lines of the file in the ledger, for each layer. */
    for (size_t i = 0; source->reader.peel != NULL && i < peel_layers(source->reader.peel); i++) {
        struct ledger_line line = {.source = position, .outcome = OUTCOME_PEELED};
        enum peel_kind kind;

        line.count = peel_count(source->reader.peel, i, &kind, &line.first_offset);
        line.reason = peel_name(kind);
        if (line.count > 0) {
            ledger_add(&run->traces->ledger, &line);
        }
    }
    done->used = true;
    done->size = input_bytes_read(source->input);
    done->last = source->reader.last;
    input_hash(source->input, done->hash);
    import_remark_count(run->traces, input_trailing(source->input),
                        "%lld byte{s} after the end of the packed trace {was|were} ignored");
    return !reader_failed(&source->reader);
}

/* --- format of each file ---------------------------------------------------------------------- */

/* Returns false if two formats of the configuration match the file, with an error that asks to name
 * one. */
static bool is_unambiguous(const char *name, const struct importer *found,
                           const struct importer *rival, struct error *error) {
    return rival == NULL ||
           error_set_status(error, EXIT_FAILED,
                            "%s: could be of the format %s or %s: say which with --input-format",
                            name, found->name, rival->name);
}

/* Skips one of several files, with a remark. */
static void reading_pass_over(struct import_run *run, size_t position, const char *why) {
    run->passed_over++;
    import_remark(run->traces, "%s: skipped: %s", run->sources[position].name, why);
}

/* Whether one of several files must not be opened, because it is the output database, or a copy of
 * an earlier file; adds a remark. */
static bool source_must_not_open(struct import_run *run, size_t position) {
    const struct import_source *source = &run->sources[position];
    bool guarded = run->source_count > 1 && strcmp(source->path, "-") != 0 &&
                   file_is_open_database(source->path);
    bool copy = source->same_as != NULL && is_duplicate(run, source->name, source->same_as);

    if (guarded) {
        reading_pass_over(run, position, "it belongs to the output database");
    } else if (copy) {
        run->passed_over++;
        import_remark(run->traces, "%s: skipped: its content is that of %s", source->name,
                      source->same_as);
    }
    return guarded || copy;
}

static bool reject_unknown_format(const struct import_run *run, size_t position,
                                  struct reader *reader, struct error *error) {
    const char *name = run->sources[position].name;
    struct sniff sniff = detect_sniff(run, run->sources[position].path, reader);
    struct text what = {0};

    describe_unknown_file(&sniff, run->config, &what);
    error_set_absent(error, "%s: %s", name, text_string(&what));
    text_free(&what);
    return false;
}

/* Sets `*use` to whether an open file has the trace's format, which the first file determines. If
 * the log has several files, skips those of unknown or other formats with a remark. */
static bool source_choose(struct import_run *run, size_t position, struct reader *reader, bool *use,
                          struct error *error) {
    const struct importer *found, *rival;
    const char *name = run->sources[position].name;

    *use = true;
    if (reader_fill(reader, 1) == 0 && !reader_failed(reader)) {
        *use = false;
        reading_pass_over(run, position, "the file is empty");
        return run->source_count > 1 || error_set_absent(error, "%s: the file is empty", name);
    }
    found = detect_format(run, run->sources[position].path, reader, &run->sources[position].peel,
                          &rival);
    if (reader_failed(reader) || !is_unambiguous(name, found, rival, error)) {
        return false;
    }
    if (found == NULL && run->source_count == 1) {
        return reject_unknown_format(run, position, reader, error);
    }
    if (found == NULL || (run->importer != NULL && found != run->importer)) {
        *use = false;
        reading_pass_over(run, position,
                          found == NULL ? "the format is not known" : "it is of another format");
        return true;
    }
    if (run->record_size > 0 && !found->takes_record_size) {
        return error_usage(error, "%s is of format %s, which has no --record-size", name,
                           found->name);
    }
    if (run->only_device_count > 0 && !found->takes_devices) {
        return error_usage(error,
                           "%s is of format %s, which is always imported whole: choose a device in "
                           "reports, with --device",
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
    return error_set(error, "neither %s nor the other files in its folder have a known format",
                     run->sources[0].name);
}

/* --- events of each file ---------------------------------------------------------------------- */

/* Adds the events and rows counted since the last switch of files to the counts of the file at
 * `position`. */
static void add_counts_to_file(struct import *trace, size_t position) {
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

void sources_switch_file(struct import_run *run, size_t position, struct reader *reader) {
    if (position != run->source || reader == NULL) {
        for (unsigned i = 0; i < run->trace_count; i++) {
            add_counts_to_file(&run->traces[i], run->source);
        }
    }
    run->source = position;
    run->reader = reader;
    run->record = EVENT_NONE;
}

size_t import_source_number(const struct import *import) {
    return import->run->source;
}

void import_switch_source(struct import *import, size_t file) {
    sources_switch_file(import->run, file, import->run->reader);
}

/* Counts a record at `offset` that is earlier by `by` than the record before it. */
static void source_earlier(struct import_source *source, int64_t by, int64_t offset) {
    source->earlier_offset = source->earlier++ == 0 ? offset : source->earlier_offset;
    source->earlier_by = by > source->earlier_by ? by : source->earlier_by;
}

void import_count_earlier_record(struct import *import, int64_t by, int64_t offset) {
    source_earlier(&import->run->sources[import->run->source], by, offset);
}

/* --- order of the files ----------------------------------------------------------------------- */

/* A file of the trace, to be ordered by the first time in it. */
struct ordered_source {
    char *path;
    int64_t first_time; /* first time in the file; EVENT_NONE: unknown */
    int64_t begins; /* the clock's range if the clock wrapped to 0 before this file (struct stream);
                       else 0 */
};

/* Orders files whose clock wraps to 0. If the widest gap between first times exceeds half the
 * clock's range, files after it are from before the wrap, and are moved to the front. */
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

/* Compares files by first time; if times are equal or unknown, by name (.9 before .10). */
static int compare_sources(const void *left, const void *right) {
    const struct ordered_source *a = left, *b = right;

    if (a->first_time != b->first_time) {
        return a->first_time < b->first_time ? -1 : 1;
    }
    return strverscmp(a->path, b->path);
}

/* Reads the first time in a file. Returns false if the format does not order files by time. Also
 * returns false on failure, without an error: reading the file later will report it. */
static bool peek_first_time(struct import_run *run, const char *path, int64_t *first_time,
                            int64_t *range) {
    const struct importer *importer, *rival;
    struct error ignored = {0};
    struct open_source source = {0};
    bool found = false;

    if (open_path(run, path, &source, &ignored)) {
        struct peel_plan plan;

        importer = detect_format(run, path, &source.reader, &plan, &rival);
        if (importer != NULL && importer->first_time != NULL) {
            struct sniff sniff = detect_sniff(run, path, &source.reader);

            *first_time = importer->first_time(&sniff, run->config, range);
            found = true;
        }
    }
    source_close(&source);
    return found;
}

/* Orders the files of a trace by first time, if the format has such times. */
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

/* --- time order of records -------------------------------------------------------------------- */

/* Counts a record that is earlier than the record before it, and updates `*last`, the time of the
 * last record. Times may be EVENT_NONE. Returns whether the record is earlier. */
static bool check_time_order(struct import_run *run, size_t position, int64_t time, int64_t offset,
                             int64_t *last) {
    bool earlier = *last != EVENT_NONE && time != EVENT_NONE && time < *last;

    if (time == EVENT_NONE || !run->importer->tells_earlier) {
        return false;
    }
    if (earlier) {
        source_earlier(&run->sources[position], subtract_saturated(*last, time), offset);
    }
    *last = time;
    return earlier;
}

/* --- reading a single file -------------------------------------------------------------------- */

static bool reading_open_stream(struct import_run *run, size_t position, struct stream *stream,
                                struct reader *reader, struct error *error) {
    stream->reader = reader;
    stream->declaration = run->importer->declaration;
    stream->begins = run->sources[position].begins;
    if (run->importer->next_record == stream_next_line) {
        reader_skip_mark(reader);
    }
    stream->state = xcalloc(1, run->importer->stream_state_size + 1);
    return run->importer->open_stream == NULL || run->importer->open_stream(stream, error) ||
           error_context(error, "%s", run->sources[position].name);
}

static void close_stream(struct import_run *run, struct stream *stream) {
    if (stream->state != NULL && run->importer->close_stream != NULL) {
        run->importer->close_stream(stream);
    }
    free(stream->state);
    stream->state = NULL;
}

static void reading_take_record(struct import_run *run, void *state, struct stream *stream,
                                struct stream_record *record, bool is_parsed) {
    if (run->importer->parse_record != NULL && !is_parsed) {
        record->parsed = run->parsed;
        run->importer->parse_record(stream, record);
    }
    run->record = record->offset;
    run->importer->take_record(run->traces, state, stream, record);
}

/* Returns whether a separate thread reads ahead in the file. It does not on two processors, which
 * writing rows keeps busy; in a small file, which is already in the reader's window; and in a pipe,
 * where reading may block: only the importer's thread can be woken up to end. */
static bool is_read_ahead(const struct import_run *run, const struct reader *reader) {
    return run->importer->reads_ahead && (run->without_rows || processor_count() > 2) &&
           input_packed_size(reader->input) > (int64_t)READER_WINDOW;
}

/* Reads the records of a file in the order of the file. */
static bool reading_read_stream(struct import_run *run, void *state, size_t position,
                                struct reader *reader) {
    const struct importer *importer = run->importer;
    struct stream stream = {0};
    struct stream_record record = {0};
    int64_t last = EVENT_NONE;
    bool done = reading_open_stream(run, position, &stream, reader, run->error);
    struct read_ahead *ahead =
        done && is_read_ahead(run, reader) ? read_ahead_open(importer, &stream) : NULL;

    while (done && !run->ended &&
           (ahead != NULL ? read_ahead_next(ahead, &record)
                          : importer->next_record(&stream, &record))) {
        if (importer->tells_earlier &&
            check_time_order(run, position, importer->record_time(&stream, &record), record.offset,
                             &last)) {
            run->unsorted = importer->sorts;
        }
        done = !run->unsorted;
        if (done) {
            reading_take_record(run, state, &stream, &record, ahead != NULL);
        }
    }
    read_ahead_close(ahead);
    close_stream(run, &stream);
    return done;
}

static bool reading_read_source(struct import_run *run, void *state, size_t position,
                                struct open_source *source) {
    bool done = true;

    sources_switch_file(run, position, &source->reader);
    if (run->importer->read != NULL) {
        run->importer->read(run->traces, state, &source->reader);
    } else if (run->importer->take_record != NULL) { /* an importer has read() or take_record() */
        done = reading_read_stream(run, state, position, &source->reader);
    }
    done = done && !run->ended && !reader_failed(&source->reader);
    done = done && source_finish(run, position, source);
    sources_switch_file(run, position, NULL);
    return done;
}

/* --- reading files one after another ---------------------------------------------------------- */

/* Opens a file unless it is open; reads it if it has the trace's format. */
static bool next_source(struct import_run *run, void *state, size_t position,
                        struct open_source *source) {
    bool use = true, done = true;

    if (source->input == NULL && source_must_not_open(run, position)) {
        return true;
    }
    if (source->input == NULL) {
        done = source_open(run, position, source, run->error) &&
               source_choose(run, position, &source->reader, &use, run->error);
    }
    done = done && (!use || reading_read_source(run, state, position, source));
    source_close(source);
    return done;
}

static bool read_in_turn(struct import_run *run, void *state, struct open_source *first) {
    bool done = true;

    for (size_t i = run->source; done && i < run->source_count; i++) {
        done = next_source(run, state, i, first);
    }
    return done;
}

/* --- reading several files in parallel -------------------------------------------------------- */

/* A file whose records are merged with other files' by time. Open from its first to its last
 * record. */
struct member {
    size_t position; /* index among the import's files */
    struct open_source source;
    struct stream stream;
    struct read_ahead *ahead; /* thread that reads ahead, owned; NULL: none */
    int64_t last; /* time of the file's last record; EVENT_NONE: no record had a time so far */
};

struct side_by_side {
    struct import_run *run;
    struct member *members; /* owned */
    int64_t *first_times;   /* first time of each file, owned; INT64_MIN: unknown */
    size_t count;
    size_t open; /* number of open streams */
};

static unsigned reading_window_of(const struct importer *importer) {
    return importer->stream_window == 0 ? STREAM_WINDOW : importer->stream_window;
}

/* Returns the smallest time among a file's first records: as many records as the window for sorting
 * holds. INT64_MIN: none has a time. */
static int64_t reading_look_ahead(struct import_run *run, size_t position, struct reader *reader) {
    struct error ignored = {0};
    struct stream stream = {0};
    struct stream_record record = {0};
    int64_t first = INT64_MIN;

    if (reading_open_stream(run, position, &stream, reader, &ignored)) {
        for (unsigned i = 0; i <= reading_window_of(run->importer); i++) {
            int64_t time;

            if (!run->importer->next_record(&stream, &record)) {
                break;
            }
            time = run->importer->record_time(&stream, &record);
            if (time != EVENT_NONE && (first == INT64_MIN || time < first)) {
                first = time;
            }
        }
    }
    close_stream(run, &stream);
    return first;
}

/* Adds a file, which may be open, to the merge if it has the trace's format. Closes the file until
 * its first record is due; leaves a pipe open, which cannot be read twice. */
static bool add_member(struct side_by_side *all, size_t position, struct open_source *source) {
    struct import_run *run = all->run;
    struct member *member = &all->members[all->count];
    bool use = true;

    if (source->input == NULL && source_must_not_open(run, position)) {
        return true;
    }
    if (source->input == NULL) {
        run->source = position;
        if (!source_open(run, position, source, run->error) ||
            !source_choose(run, position, &source->reader, &use, run->error)) {
            return false;
        }
    }
    if (use) {
        member->position = position;
        member->last = EVENT_NONE;
        all->first_times[all->count++] = INT64_MIN;
        if (input_is_file(run->sources[position].path)) {
            all->first_times[all->count - 1] = reading_look_ahead(run, position, &source->reader);
        } else {
            member->source = *source;
            *source = (struct open_source){0};
        }
    }
    source_close(source);
    return true;
}

static bool reading_begin_member(struct side_by_side *all, struct member *member,
                                 struct error *error) {
    struct import_run *run = all->run;

    if (all->open == STREAM_FILES) {
        return error_set(
            error, "%s: more than %d files overlap in time: join fewer files, or merge some first",
            run->sources[member->position].name, STREAM_FILES);
    }
    all->open++;
    if ((member->source.input == NULL &&
         !source_open_again(run, member->position, &member->source, error)) ||
        !reading_open_stream(run, member->position, &member->stream, &member->source.reader,
                             error)) {
        return false;
    }
    if (all->count == 1 && is_read_ahead(run, &member->source.reader)) {
        member->ahead = read_ahead_open(run->importer, &member->stream);
    }
    return true;
}

/* Implements `next` of struct merge_input. Opens a file when its first record is requested. */
static bool next_of_member(void *context, size_t stream, struct stream_record *record,
                           int64_t *time, bool *some, struct error *error) {
    struct side_by_side *all = context;
    struct member *member = &all->members[stream];
    const struct importer *importer = all->run->importer;

    if (member->stream.state == NULL && !reading_begin_member(all, member, error)) {
        return false;
    }
    *some = member->ahead != NULL ? read_ahead_next(member->ahead, record)
                                  : importer->next_record(&member->stream, record);
    if (!*some) {
        /* Closes the file at its end, but keeps the stream, which take_record() still uses. */
        read_ahead_stop(member->ahead);
        bool done = !reader_failed(&member->source.reader) &&
                    source_finish(all->run, member->position, &member->source);

        source_close(&member->source);
        all->open--;
        return done;
    }
    *time = importer->record_time(&member->stream, record);
    check_time_order(all->run, member->position, *time, record->offset, &member->last);
    return true;
}

static bool read_all_in_order(struct side_by_side *all, void *state, struct merge *merge) {
    struct import_run *run = all->run;
    struct stream_record record;
    size_t number;
    bool some;

    for (;;) {
        struct member *member;

        if (!merge_next(merge, &number, &record, &some, run->error)) {
            return false;
        }
        if (!some) {
            return true;
        }
        if (merge_count_late_records(merge) > 0 && run->importer->sorts) {
            run->unsorted = true;
            return false;
        }
        member = &all->members[number];
        sources_switch_file(run, member->position,
                            member->source.input == NULL ? NULL : &member->source.reader);
        reading_take_record(run, state, &member->stream, &record, record.parsed != NULL);
        if (run->ended) {
            return false;
        }
    }
}

static bool merge_members(struct side_by_side *all, void *state) {
    struct import_run *run = all->run;
    unsigned window =
        all->count == 1 && !run->importer->sorts_alone ? 0 : reading_window_of(run->importer);
    struct merge_input input = {all, next_of_member};
    struct merge *merge = merge_open(&input, all->first_times, all->count, window);
    bool done = merge != NULL && read_all_in_order(all, state, merge);

    if (done && merge_count_late_records(merge) > 0) {
        import_remark(run->traces,
                      "records out of order by more than %u records, kept in file order: %lld",
                      window, (long long)merge_count_late_records(merge));
    }
    sources_switch_file(run, run->source, NULL);
    merge_close(merge);
    return done;
}

/* State for assigning sort times to the records of a file. */
struct sort_place {
    int64_t last;  /* time of the previous record; INT64_MIN: no record had a time */
    int64_t aside; /* time of the previous record if it was an outlier; otherwise EVENT_NONE */
};

static bool time_is_near_neighbours(int64_t time, int64_t other) {
    int64_t apart = subtract_saturated(time, other);

    return apart >= -OUTLIERS_DISTANCE && apart <= OUTLIERS_DISTANCE;
}

/* Returns the time by which a record is sorted. A time far from those of both neighbours is wrong:
 * the record is sorted by the time of the record before (struct timestamp_outliers). */
static int64_t sort_time(struct sort_place *place, int64_t time) {
    if (time == EVENT_NONE) {
        return place->last;
    }
    if (place->last == INT64_MIN || time_is_near_neighbours(time, place->last) ||
        (place->aside != EVENT_NONE && time_is_near_neighbours(time, place->aside))) {
        *place = (struct sort_place){time, EVENT_NONE};
    } else {
        place->aside = time;
    }
    return place->last;
}

/* Adds all records of all files to the sort. */
static bool fill_sort(struct side_by_side *all, struct record_sort *sort) {
    struct import_run *run = all->run;

    for (size_t i = 0; i < all->count; i++) {
        struct sort_place place = {INT64_MIN, EVENT_NONE};
        struct stream_record record = {0};
        int64_t time;
        bool some = true;

        while (some) {
            if (!next_of_member(all, i, &record, &time, &some, run->error) ||
                import_run_stopped(run) ||
                (some && !record_sort_add(sort, i, sort_time(&place, time), &record, run->error))) {
                return false;
            }
        }
    }
    return true;
}

/* Processes all records in order of time, whatever the order of files and of records in them. */
static bool read_sorted(struct side_by_side *all, void *state) {
    struct import_run *run = all->run;
    struct record_sort *sort = record_sort_open(run->interrupted, run->error);
    bool done = sort != NULL && fill_sort(all, sort), some = true;

    while (done && some) {
        struct stream_record record;
        size_t number;

        done = record_sort_next(sort, &number, &record, &some, run->error);
        if (done && some) {
            sources_switch_file(run, all->members[number].position, NULL);
            reading_take_record(run, state, &all->members[number].stream, &record, false);
            done = !run->ended;
        }
    }
    sources_switch_file(run, run->source, NULL);
    record_sort_close(sort);
    return done;
}

static bool read_side_by_side(struct import_run *run, void *state, struct open_source *first,
                              bool sorted) {
    size_t first_position = run->source, most = run->source_count - first_position;
    struct side_by_side all = {
        .run = run,
        .members = xcalloc(most, sizeof *all.members),
        .first_times = xcalloc(most, sizeof *all.first_times),
    };
    bool done = true;

    for (size_t i = 0; done && i < most; i++) {
        done = add_member(&all, first_position + i, first);
    }
    done = done && (sorted ? read_sorted(&all, state) : merge_members(&all, state));
    for (size_t i = 0; i < all.count; i++) {
        read_ahead_close(all.members[i].ahead);
        close_stream(run, &all.members[i].stream);
        source_close(&all.members[i].source);
    }
    free(all.members);
    free(all.first_times);
    return done;
}

/* Whether records are sorted from the start, not only after the first record out of order: if files
 * include a pipe, which cannot be read again, or if the format gives files no order. */
static bool records_must_be_sorted(const struct import_run *run) {
    bool again = true;

    for (size_t i = run->source; i < run->source_count; i++) {
        again &= input_is_file(run->sources[i].path);
    }
    return run->importer->sorts && (run->sort || !again || !run->importer->tells_earlier);
}

bool import_read(struct import_run *run, void *state, struct open_source *first) {
    bool several = run->source_count - run->source > 1, sorted = records_must_be_sorted(run);
    bool done;

    if (run->importer->cpu_files != NULL) {
        cpu_files_add_remarks(run);
    }
    run->parsed = xmalloc(run->importer->parsed_size + 1);
    done = run->importer->take_record != NULL && !run->importer->in_file_order &&
                   (several || run->importer->sorts_alone || sorted)
               ? read_side_by_side(run, state, first, sorted)
               : read_in_turn(run, state, first);
    free(run->parsed);
    return done;
}
