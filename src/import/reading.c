#include <stdlib.h>

#include "base/saturate.h"
#include "import/context.h"
#include "import/trace_files.h"
#include "import/merge.h"
#include "import/sources.h"
#include "import/timestamp_outliers.h"
#include "base/memory.h"

/* Counts a record that is earlier than the one before it, and keeps the time of the latter; both
 * may be EVENT_NONE. Returns whether it is earlier. */
static bool note_time(struct import_run *run, size_t position, int64_t time, int64_t offset,
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

/* --- a file that is read by itself --------------------------------------------------------------
 */

static bool open_stream(struct import_run *run, size_t position, struct stream *stream,
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

/* Its records as they stand there. */
static bool read_stream(struct import_run *run, void *state, size_t position,
                        struct reader *reader) {
    const struct importer *importer = run->importer;
    struct stream stream = {0};
    struct stream_record record;
    int64_t last = EVENT_NONE;
    bool done = open_stream(run, position, &stream, reader, run->error);

    while (done && !run->ended && importer->next_record(&stream, &record)) {
        if (importer->tells_earlier &&
            note_time(run, position, importer->record_time(&stream, &record), record.offset,
                      &last)) {
            run->unsorted = importer->sorts;
        }
        done = !run->unsorted;
        if (done) {
            importer->take_record(run->traces, state, &stream, &record);
        }
    }
    close_stream(run, &stream);
    return done;
}

static bool read_source(struct import_run *run, void *state, size_t position,
                        struct open_source *source) {
    bool done = true;

    sources_turn(run, position, &source->reader);
    if (run->importer->read != NULL) {
        run->importer->read(run->traces, state, &source->reader);
    } else {
        done = read_stream(run, state, position, &source->reader);
    }
    done = done && !run->ended && !reader_failed(&source->reader);
    done = done && source_finish(run, position, source);
    sources_turn(run, position, NULL);
    return done;
}

/* --- one after another --------------------------------------------------------------------------
 */

/* Opens a file unless it is open already, and reads it when it is of the right format. */
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
    done = done && (!use || read_source(run, state, position, source));
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

/* --- side by side -------------------------------------------------------------------------------
 */

/* A file of the trace, open while it has its part in the merge. */
struct member {
    size_t position; /* among the import's sources */
    struct open_source source;
    struct stream stream;
    int64_t last; /* time of its last record; EVENT_NONE: none had one */
};

struct side_by_side {
    struct import_run *run;
    struct member *members; /* owned */
    int64_t *first_times;   /* owned; INT64_MIN: not known */
    size_t count;
    size_t open; /* streams */
};

static unsigned window_of(const struct importer *importer) {
    return importer->stream_window == 0 ? STREAM_WINDOW : importer->stream_window;
}

/* The smallest time among a file's first records, as many as are sorted against one another;
 * INT64_MIN when none of them has a time. */
static int64_t look_ahead(struct import_run *run, size_t position, struct reader *reader) {
    struct error ignored = {0};
    struct stream stream = {0};
    struct stream_record record;
    int64_t first = INT64_MIN;

    if (open_stream(run, position, &stream, reader, &ignored)) {
        for (unsigned i = 0; i <= window_of(run->importer); i++) {
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

/* Adds a file, which may be open already, when it is of the right format. Files that can be read
 * twice are closed until their time comes; a pipe stays open. */
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
            all->first_times[all->count - 1] = look_ahead(run, position, &source->reader);
        } else {
            member->source = *source;
            *source = (struct open_source){0};
        }
    }
    source_close(source);
    return true;
}

static bool begin_member(struct side_by_side *all, struct member *member, struct error *error) {
    struct import_run *run = all->run;

    if (all->open == STREAM_FILES) {
        return error_set(error,
                         "%s: more than %d files overlap in time: join fewer of them, or merge "
                         "some before",
                         run->sources[member->position].name, STREAM_FILES);
    }
    all->open++;
    return (member->source.input != NULL ||
            source_open(run, member->position, &member->source, error)) &&
           open_stream(run, member->position, &member->stream, &member->source.reader, error);
}

/* A file that was read to its end is closed; what take_record() looks at stays. */
static bool end_member(struct side_by_side *all, struct member *member) {
    bool done = !reader_failed(&member->source.reader) &&
                source_finish(all->run, member->position, &member->source);

    source_close(&member->source);
    all->open--;
    return done;
}

/* merge_input's: a stream is opened when it is asked for its first record. */
static bool next_of_member(void *context, size_t stream, struct stream_record *record,
                           int64_t *time, bool *some, struct error *error) {
    struct side_by_side *all = context;
    struct member *member = &all->members[stream];
    const struct importer *importer = all->run->importer;

    if (member->stream.state == NULL && !begin_member(all, member, error)) {
        return false;
    }
    *some = importer->next_record(&member->stream, record);
    if (!*some) {
        return end_member(all, member);
    }
    *time = importer->record_time(&member->stream, record);
    note_time(all->run, member->position, *time, record->offset, &member->last);
    return true;
}

static bool take_all(struct side_by_side *all, void *state, struct merge *merge) {
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
        if (merge_late(merge) > 0 && run->importer->sorts) {
            run->unsorted = true;
            return false;
        }
        member = &all->members[number];
        sources_turn(run, member->position,
                     member->source.input == NULL ? NULL : &member->source.reader);
        run->importer->take_record(run->traces, state, &member->stream, &record);
        if (run->ended) {
            return false;
        }
    }
}

static bool merge_members(struct side_by_side *all, void *state) {
    struct import_run *run = all->run;
    unsigned window = all->count == 1 && !run->importer->sorts_alone ? 0 : window_of(run->importer);
    struct merge_input input = {all, next_of_member};
    struct merge *merge = merge_open(&input, all->first_times, all->count, window);
    bool done = merge != NULL && take_all(all, state, merge);

    if (done && merge_late(merge) > 0) {
        import_remark(run->traces,
                      "earlier than another record by more than %u records in their files, and "
                      "read where they stand: %lld records",
                      window, (long long)merge_late(merge));
    }
    sources_turn(run, run->source, NULL);
    merge_close(merge);
    return done;
}

/* Where a record is sorted to. */
struct sort_place {
    int64_t last;  /* time of the record before; INT64_MIN: none had one */
    int64_t aside; /* of the record before, if it was left where it stands; else EVENT_NONE */
};

static bool is_near(int64_t time, int64_t other) {
    int64_t apart = subtract_saturated(time, other);

    return apart >= -OUTLIERS_DISTANCE && apart <= OUTLIERS_DISTANCE;
}

/* The time that a record is sorted by. One with a time that is far from the record before and from
 * the one behind is damaged, and stays where it stands (timestamp_outliers.h). */
static int64_t sort_time(struct sort_place *place, int64_t time) {
    if (time == EVENT_NONE) {
        return place->last;
    }
    if (place->last == INT64_MIN || is_near(time, place->last) ||
        (place->aside != EVENT_NONE && is_near(time, place->aside))) {
        *place = (struct sort_place){time, EVENT_NONE};
    } else {
        place->aside = time;
    }
    return place->last;
}

/* Reads all files, each to its end. */
static bool fill_sort(struct side_by_side *all, struct record_sort *sort) {
    struct import_run *run = all->run;

    for (size_t i = 0; i < all->count; i++) {
        struct sort_place place = {INT64_MIN, EVENT_NONE};
        struct stream_record record;
        int64_t time;
        bool some = true;

        while (some) {
            if (!next_of_member(all, i, &record, &time, &some, run->error)) {
                return false;
            }
            if (import_run_stopped(run) ||
                (some && !record_sort_add(sort, i, sort_time(&place, time), &record, run->error))) {
                return false;
            }
        }
    }
    return true;
}

/* All records in order of time, whatever the order of the files, and of the records in them. */
static bool take_sorted(struct side_by_side *all, void *state) {
    struct import_run *run = all->run;
    struct record_sort *sort = record_sort_open(run->interrupted, run->error);
    bool done = sort != NULL && fill_sort(all, sort), some = true;

    while (done && some) {
        struct stream_record record;
        size_t number;

        done = record_sort_next(sort, &number, &record, &some, run->error);
        if (done && some) {
            sources_turn(run, all->members[number].position, NULL);
            run->importer->take_record(run->traces, state, &all->members[number].stream, &record);
            done = !run->ended;
        }
    }
    sources_turn(run, run->source, NULL);
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
    done = done && (sorted ? take_sorted(&all, state) : merge_members(&all, state));
    for (size_t i = 0; i < all.count; i++) {
        close_stream(run, &all.members[i].stream);
        source_close(&all.members[i].source);
    }
    free(all.members);
    free(all.first_times);
    return done;
}

/* A pipe cannot be read again when its records turn out to be out of order. */
static bool must_sort(const struct import_run *run) {
    bool again = true;

    for (size_t i = run->source; i < run->source_count; i++) {
        again &= input_is_file(run->sources[i].path);
    }
    return run->importer->sorts && (run->sort || !again);
}

bool import_read(struct import_run *run, void *state, struct open_source *first) {
    bool several = run->source_count - run->source > 1, sorted = must_sort(run);

    if (run->importer->cpu_files != NULL) {
        cpu_files_remark(run);
    }
    return run->importer->take_record != NULL && (several || run->importer->sorts_alone || sorted)
               ? read_side_by_side(run, state, first, sorted)
               : read_in_turn(run, state, first);
}
