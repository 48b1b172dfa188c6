/* The driver of an import: detection, the two threads, and the end of the transaction. */
#include "import/import.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/words.h"
#include "import/context.h"
#include "store/span_table.h"
#include "store/store.h"
#include "store/tally_table.h"

/* Bytes of a file whose rows stay in SQLite's cache until they are committed: beside it a
 * write-ahead log would take longer than the import. */
#define BRIEF_IMPORT (1024 * 1024)

const struct importer *importer_find(const char *name) {
    for (size_t i = 0; importers[i] != NULL; i++) {
        if (strcmp(importers[i]->name, name) == 0) {
            return importers[i];
        }
    }
    return NULL;
}

const char *trace_kind_name(enum trace_kind kind) {
    static const char *const names[] = {"calls", "io", "spans"};

    return names[kind];
}

/* --- detection ---------------------------------------------------------------------------- */

static const struct importer *detect(struct reader *reader, int64_t record_size) {
    const struct importer *best = NULL;
    enum sniff_score best_score = SNIFF_NO;
    size_t length = reader_fill(reader, SNIFF_LENGTH);
    struct sniff sniff = {
        .bytes = reader_bytes(reader),
        .length = length < SNIFF_LENGTH ? length : SNIFF_LENGTH,
        .whole = length < SNIFF_LENGTH,
        .record_size = record_size,
    };

    for (size_t i = 0; importers[i] != NULL; i++) {
        enum sniff_score score = importers[i]->sniff(&sniff);

        if (score > best_score) {
            best = importers[i];
            best_score = score;
        }
    }
    return best;
}

/* Whether the import has come to an end, by a signal or a failing writer. */
static bool should_stop(const void *context) {
    const struct import *import = context;
    const volatile sig_atomic_t *interrupted = import->options->interrupted;

    return import->stop || (interrupted != NULL && *interrupted);
}

static bool open_source(struct import *import, struct import_source *source, struct input **input,
                        struct reader *reader, struct error *error) {
    *input = input_open(source->path, (struct input_stop){should_stop, import}, error);
    if (*input == NULL) {
        return false;
    }
    if (!reader_init(reader, *input, error)) {
        input_close(*input);
        *input = NULL;
        return false;
    }
    source->packing = input_packing(*input);
    return true;
}

static void close_source(struct input **input, struct reader *reader) {
    reader_free(reader);
    input_close(*input);
    *input = NULL;
}

/* The importer is chosen by the first file; of several files, those that are of no known or of
 * another format are passed over with a remark. */
static bool choose_importer(struct import *import, struct reader *reader, bool *use,
                            struct error *error) {
    const struct importer *found = import->options->importer;
    const char *name = import_source_name(import);

    *use = true;
    if (reader_fill(reader, 1) == 0 && !reader_failed(reader)) {
        *use = false;
        import->passed_over++;
        import_remark(import, "%s: passed over: the file is empty", name);
        return import->source_count > 1 || error_set(error, "%s: the file is empty", name);
    }
    if (found == NULL) {
        found = detect(reader, import->options->record_size);
    }
    if (reader_failed(reader)) {
        return false;
    }
    if (found == NULL && import->source_count == 1) {
        return error_set(error,
                         "%s: the format is not known; `tracetool formats` lists those that are, "
                         "-f FORMAT names one",
                         name);
    }
    if (found == NULL || (import->importer != NULL && found != import->importer)) {
        *use = false;
        import->passed_over++;
        import_remark(import, "%s: passed over: %s", name,
                      found == NULL ? "the format is not known" : "it is of another format");
        return true;
    }
    if (import->options->record_size > 0 && !found->takes_record_size) {
        return error_set_status(error, EXIT_USAGE, "%s is of format %s, which has no --record-size",
                                name, found->name);
    }
    import->importer = found;
    return true;
}

/* --- the importer's thread ---------------------------------------------------------------- */

struct decoder {
    struct import *import;
    struct error error;
    bool done; /* everything was read */
    pthread_t thread;
    /* The first file is opened before the thread starts, to find the importer. */
    struct input *input;
    struct reader reader;
    void *state;
};

static bool read_source(struct decoder *decoder, struct import_source *source) {
    struct import *import = decoder->import;
    int64_t events = import->events, rows = import->rows;
    bool done;

    import->reader = &decoder->reader;
    source->used = true;
    ledger_next_source(&import->ledger);
    done = import->importer->read(import, decoder->state, &decoder->reader, &decoder->error);
    if (done && reader_failed(&decoder->reader)) {
        done = false;
    }
    /* What the importer had no interest in still belongs to the hash. */
    while (done && reader_skip(&decoder->reader, (int64_t)READER_WINDOW) > 0) {
    }
    done = done && !reader_failed(&decoder->reader);
    source->events = import->events - events;
    source->rows = import->rows - rows;
    source->size = input_bytes_read(decoder->input);
    input_hash(decoder->input, source->hash);
    import->reader = NULL;
    return done;
}

/* Opens the next file unless it is open already, and reads it when it is of the right format. */
static bool next_source(struct decoder *decoder, size_t position) {
    struct import *import = decoder->import;
    struct import_source *source = &import->sources[position];
    bool use, done;

    import->source = position;
    if (decoder->input != NULL) {
        done = read_source(decoder, source);
    } else if (!open_source(import, source, &decoder->input, &decoder->reader, &decoder->error)) {
        return false;
    } else {
        done = choose_importer(import, &decoder->reader, &use, &decoder->error) &&
               (!use || read_source(decoder, source));
    }
    close_source(&decoder->input, &decoder->reader);
    return done;
}

static void *decode(void *argument) {
    struct decoder *decoder = argument;
    struct import *import = decoder->import;
    const struct importer *importer = import->importer;
    bool done = importer->begin == NULL || importer->begin(import, decoder->state, &decoder->error);

    for (size_t i = import->source; done && i < import->source_count; i++) {
        done = next_source(decoder, i);
    }
    if (importer->end != NULL && !importer->end(import, decoder->state, !done, &decoder->error)) {
        done = false;
    }
    done = done && (import->spans == NULL || span_tracker_finish(import));
    decoder->done = done && context_flush(import);
    queue_close(&import->queue);
    return NULL;
}

/* --- the writer --------------------------------------------------------------------------- */

static void show_progress(const struct import_options *options, int64_t done, int64_t total) {
    if (options->progress != NULL) {
        options->progress(options->progress_context, done, total);
    }
}

static bool write_batches(struct import *import, struct store *store, int64_t total,
                          struct error *error) {
    bool timed_out;

    for (;;) {
        struct batch *batch = queue_take_full(&import->queue, &timed_out);

        if (should_stop(import)) {
            if (batch != NULL) {
                queue_give_empty(&import->queue, batch);
            }
            return false;
        }
        if (batch == NULL && !timed_out) {
            return true;
        }
        if (batch != NULL) {
            bool done = store_write(store, batch, error);

            show_progress(import->options, batch->source_bytes, total);
            queue_give_empty(&import->queue, batch);
            if (!done) {
                return false;
            }
        }
    }
}

/* Runs the importer's thread and writes what it gives. */
static bool run_threads(struct import *import, struct decoder *decoder, struct store *store,
                        struct error *error) {
    int64_t total = import->source_count == 1 ? input_packed_size(decoder->input) : -1;
    bool written;

    if (pthread_create(&decoder->thread, NULL, decode, decoder) != 0) {
        return error_set(error, "cannot start a thread");
    }
    written = write_batches(import, store, total, error);
    if (!written) {
        import->stop = true;
        queue_stop(&import->queue);
    }
    pthread_join(decoder->thread, NULL);
    if (!written) {
        return false;
    }
    if (!decoder->done) {
        *error = decoder->error;
        return false;
    }
    return true;
}

/* --- the end of the transaction ------------------------------------------------------------ */

static bool refuse_known_content(struct import *import, struct store *store, struct error *error) {
    for (size_t i = 0; i < import->source_count; i++) {
        const struct import_source *source = &import->sources[i];
        char *trace;

        if (!source->used || import->options->again || import->options->replace) {
            continue;
        }
        if (!store_find_content(store, source->hash, &trace, error)) {
            return false;
        }
        if (trace != NULL) {
            error_set(error,
                      "%s: its content is there already, in trace %s; --again imports it "
                      "once more",
                      source->name, trace);
            free(trace);
            return false;
        }
    }
    return true;
}

static bool write_ledger(struct import *import, struct store *store, const int64_t *source_ids,
                         struct error *error) {
    if (import->ledger.failed) {
        return error_no_memory(error);
    }
    for (size_t i = 0; i < import->ledger.line_count; i++) {
        const struct ledger_line *line = &import->ledger.lines[i];

        if (!store_ledger(store, source_ids[line->source], outcome_name(line->outcome),
                          line->reason, line->count, line->first_offset, line->bytes, error)) {
            return false;
        }
    }
    return true;
}

/* Sources in order of their events; where the order was changed over files, ranges are unknown. */
static bool write_sources(struct import *import, struct store *store, int64_t *source_ids,
                          struct error *error) {
    bool ranges = import->late == 0 &&
                  (import->resorted == 0 || (import->source_count == 1 && !store->appending));
    int64_t next = store->next_event - import->rows;

    for (size_t i = 0; i < import->source_count; i++) {
        const struct import_source *from = &import->sources[i];
        struct store_source source = {
            .name = from->name,
            .hash = from->hash,
            .packing = from->packing,
            .size = from->size,
            .events = from->events,
            .first_event = ranges && from->rows > 0 ? next : 0,
            .last_event = ranges && from->rows > 0 ? next + from->rows - 1 : 0,
        };

        if (from->used && !store_source(store, &source, &source_ids[i], error)) {
            return false;
        }
        next += from->rows;
    }
    return true;
}

struct loggable_context {
    struct store *store;
    struct error *error;
    bool by_default;
};

static bool add_loggable(void *context, int64_t code) {
    struct loggable_context *loggable = context;

    return store_loggable(loggable->store, code, loggable->by_default, loggable->error);
}

static bool write_loggable(struct import *import, struct store *store, struct error *error) {
    struct loggable_context context = {.store = store, .error = error};

    return import->importer->loggable == NULL ||
           import->importer->loggable(import->config, add_loggable, &context, &context.by_default,
                                      error);
}

static bool write_partitions(struct import *import, struct store *store, struct error *error) {
    return import->resuming || import->importer->kind != TRACE_IO ||
           partitions_write(store->database, store->trace, import->config->partitions,
                            import->config->partition_count, error);
}

static bool write_rollups(struct import *import, struct store *store, struct text *rollups,
                          struct error *error) {
    for (unsigned kind = 0; kind < TALLY_KINDS; kind++) {
        if (!import->tally_complete[kind]) {
            continue;
        }
        if (!tally_table_write(store->database, TALLY_TABLE_ROLLUP, store->trace,
                               &import->tallies[kind], context_label, import, error)) {
            return false;
        }
        text_append_format(rollups, "%s%s", rollups->length == 0 ? "" : " ",
                           tally_definitions[kind].name);
    }
    if (import->spans != NULL && import->spans_complete) {
        if (!span_table_write(store->database, SPAN_TABLE_ROLLUP, store->trace,
                              span_tracker_times(import->spans), error)) {
            return false;
        }
        text_append_format(rollups, "%sspan", rollups->length == 0 ? "" : " ");
    }
    return !rollups->failed || error_no_memory(error);
}

/* What the sorting window could not put in order is sorted as a whole. */
static bool sort_late(struct import *import, struct store *store, struct error *error) {
    if (import->late == 0) {
        return true;
    }
    if (import->spans != NULL) {
        import_remark(import, "out of order: %lld calls; the trace was sorted by time as a whole",
                      (long long)import->late);
    } else {
        import_remark(import,
                      "%lld events were out of order by more than %d events; the trace was sorted "
                      "by time as a whole",
                      (long long)import->late, BATCH_EVENTS);
    }
    return store_sort(store, error) &&
           database_change(store->database, error,
                           "UPDATE source SET first_event = NULL, last_event = NULL"
                           " WHERE trace = ?1",
                           "i", store->trace);
}

static bool write_remarks(struct import *import, struct store *store, struct error *error) {
    for (size_t i = 0; i < import->remark_count; i++) {
        if (!store_remark(store, (int64_t)i, import->remarks[i], error)) {
            return false;
        }
    }
    return true;
}

static bool commit(struct import *import, struct store *store, const char *rollups,
                   struct error *error) {
    struct store_ending ending = {
        .variant = import->variant,
        .clock_unit = import->clock.unit,
        .clocks = import->clock.clocks,
        .clock_hz = import->clock.hz == 0 ? EVENT_NONE : import->clock.hz,
        .start = import->start,
        .utc_offset = import->utc_offset,
        .sessions = import->sessions,
        .events = import->events,
        .paired = import->events - import->rows,
        .last_time = import->spans == NULL ? EVENT_NONE : span_tracker_last_time(import->spans),
        .round = import->round,
        .call_overhead = import->call_overhead,
        .merged = import->ledger.totals[OUTCOME_MERGED],
        .ignored = import->ledger.totals[OUTCOME_IGNORED],
        .rejected = import->ledger.totals[OUTCOME_REJECTED],
        .lost_bytes = import->ledger.lost_bytes,
        .resume = import->kept,
    };

    return store_commit(store, &ending, rollups, error);
}

static bool refuse_rejected(struct import *import, struct error *error) {
    const struct ledger_line *worst = ledger_worst(&import->ledger);

    if (worst == NULL) {
        return true;
    }
    if (import->events == 0) {
        return error_set(error, "%s: nothing in it can be read as %s: %s at byte %lld",
                         import->sources[worst->source].name, import->importer->name, worst->reason,
                         (long long)worst->first_offset);
    }
    if (import->options->strict) {
        return error_set_status(error, EXIT_REJECTED,
                                "%s: %lld records were rejected, most for: %s, first at byte %lld; "
                                "not imported because "
                                "of --strict",
                                import->sources[worst->source].name,
                                (long long)import->ledger.totals[OUTCOME_REJECTED], worst->reason,
                                (long long)worst->first_offset);
    }
    return true;
}

static bool finish(struct import *import, struct store *store, struct error *error) {
    int64_t *source_ids = calloc(import->source_count + 1, sizeof *source_ids);
    struct text rollups = {0};
    bool done = source_ids != NULL;

    if (!done) {
        error_no_memory(error);
    }
    done = done && refuse_rejected(import, error) && refuse_known_content(import, store, error) &&
           sort_late(import, store, error) && write_sources(import, store, source_ids, error) &&
           write_ledger(import, store, source_ids, error) && write_loggable(import, store, error) &&
           write_partitions(import, store, error) && write_remarks(import, store, error) &&
           write_rollups(import, store, &rollups, error) &&
           commit(import, store, text_string(&rollups), error);
    text_free(&rollups);
    free(source_ids);
    return done;
}

static void summarize(const struct import *import, struct import_summary *summary) {
    const struct ledger_line *worst = ledger_worst(&import->ledger);

    *summary = (struct import_summary){
        .passed_over = import->passed_over,
        .events = import->events,
        .merged = import->ledger.totals[OUTCOME_MERGED],
        .ignored = import->ledger.totals[OUTCOME_IGNORED],
        .rejected = import->ledger.totals[OUTCOME_REJECTED],
        .lost_bytes = import->ledger.lost_bytes,
        .reason = "",
    };
    snprintf(summary->format, sizeof summary->format, "%s", import->importer->name);
    snprintf(summary->variant, sizeof summary->variant, "%s", import->variant);
    if (worst != NULL) {
        summary->reason = worst->reason;
        summary->reason_offset = worst->first_offset;
        snprintf(summary->reason_source, sizeof summary->reason_source, "%s",
                 import->sources[worst->source].name);
    }
}

/* --- from beginning to end ----------------------------------------------------------------- */

static bool init_context(struct import *import, const struct store *store, struct error *error) {
    import->names = dictionary_open(store->first_name, error);
    import->actors = dictionary_open(store->first_actor, error);
    import->objects = dictionary_open(store->first_object, error);
    import->labels = dictionary_open(1, error);
    import->emitted_time = INT64_MIN;
    import->sessions = 1;
    import->tally_context.kind = import->importer->kind;
    import->round = import->call_overhead = EVENT_NONE;
    import->clock = (struct import_clock){.unit = "ns", .clocks = "wall"};
    if (import->importer->kind == TRACE_SPANS) {
        import->spans = span_tracker_new();
        import->spans_complete = true;
        if (import->spans == NULL) {
            return error_no_memory(error);
        }
    }
    import->start = import->options->start;
    import->utc_offset = import->options->utc_offset;
    if (import->start != EVENT_NONE) {
        import_start(import, import->start);
    }
    for (unsigned kind = 0; kind < TALLY_KINDS; kind++) {
        tally_init(&import->tallies[kind], (enum tally_kind)kind);
        import->tally_complete[kind] =
            tally_definitions[kind].rollup_kinds >> import->importer->kind & 1;
    }
    return import->names != NULL && import->actors != NULL && import->objects != NULL &&
           import->labels != NULL;
}

static bool resume_thread(void *context, uint32_t actor, int64_t time) {
    const struct import *import = context;

    return span_tracker_resume(import->spans, actor, time);
}

/* Takes up a trace where it was left: its names, its rollups, and what its importer kept. */
static bool resume(struct import *import, struct store *store, struct error *error) {
    struct store_names names = {
        .context = import,
        .name = context_put_name,
        .actor = context_put_actor,
        .object = context_put_object,
    };

    if (!store->appending) {
        return true;
    }
    import->start = store->existing.start;
    import->utc_offset = store->existing.utc_offset;
    import_start(import, import->start);
    import->sessions = store->existing.sessions;
    import->resumed = store->existing.resume;
    import->resuming = true;
    if (!partitions_read(store->database, store->trace, &import->partitions, error)) {
        return false;
    }
    import->emitted_time = store->last_time;
    for (unsigned kind = 0; kind < TALLY_KINDS; kind++) {
        bool complete = false;

        if (word_in(store->existing.rollups, tally_definitions[kind].name) &&
            !tally_table_take(store->database, store->trace, &import->tallies[kind], context_number,
                              import, &complete, error)) {
            return false;
        }
        import->tally_complete[kind] = complete;
    }
    if (import->spans != NULL && word_in(store->existing.rollups, "span")) {
        if (!span_table_take(store->database, store->trace, span_tracker_times(import->spans),
                             error)) {
            return false;
        }
    } else {
        import->spans_complete = false;
    }
    return (import->spans == NULL || store_existing_threads(store, import, resume_thread, error)) &&
           store_existing_names(store, &names, error);
}

/* Whether the transaction is sure to stay in memory until it is committed: a single small file that
 * is not packed, and no other rows that must be moved. */
static bool is_brief(const struct import *import) {
    const struct import_source *source = &import->sources[0];
    struct stat status;

    return import->source_count == 1 && source->packing[0] == '\0' && !import->options->append &&
           !import->options->replace && stat(source->path, &status) == 0 &&
           S_ISREG(status.st_mode) && status.st_size <= BRIEF_IMPORT;
}

/* The importer is known: everything from the begin of the transaction to its end. */
static bool import_opened(struct import *import, struct decoder *decoder, struct database *database,
                          struct error *error) {
    const struct import_options *options = import->options;
    struct store_trace trace = {
        .name = options->name,
        .format = import->importer->name,
        .device = options->device,
        .user = options->user,
        .study = options->study,
        .kind = import->importer->kind,
        .columns = import->importer->columns,
        .replace = options->replace,
        .append = options->append,
        .brief = is_brief(import),
    };
    struct store store;
    bool done;

    if (!store_begin(&store, database, &trace, error)) {
        return false;
    }
    done = init_context(import, &store, error) && resume(import, &store, error) &&
           run_threads(import, decoder, &store, error) && finish(import, &store, error);
    store_end(&store);
    return done;
}

/* Opens the files up to the first that has a known format. */
static bool open_first(struct import *import, struct decoder *decoder, struct error *error) {
    for (; import->source < import->source_count; import->source++) {
        struct import_source *source = &import->sources[import->source];
        bool use;

        if (!open_source(import, source, &decoder->input, &decoder->reader, error) ||
            !choose_importer(import, &decoder->reader, &use, error)) {
            return false;
        }
        if (use) {
            return true;
        }
        close_source(&decoder->input, &decoder->reader);
    }
    return error_set(error, "%s and the files beside it: none is of a known format",
                     import->sources[0].name);
}

/* --- the order of several files -------------------------------------------------------------- */

/* A file of the trace, as far as its place among the others goes. */
struct ordered_source {
    char *path;
    int64_t first_time; /* EVENT_NONE: it does not say */
};

/* Where the times begin again at 0, the files from before that come first: behind the widest gap,
 * when it is more than half of the range. */
static void rotate_sources(struct ordered_source *sources, size_t count, int64_t range) {
    struct ordered_source *rotated = calloc(count, sizeof *rotated);
    size_t first = 0;

    for (size_t i = 1; i < count; i++) {
        if (sources[i - 1].first_time != EVENT_NONE &&
            sources[i].first_time - sources[i - 1].first_time > range / 2) {
            first = i;
        }
    }
    for (size_t i = 0; rotated != NULL && i < count; i++) {
        rotated[i] = sources[(first + i) % count];
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
static bool peek_first_time(struct import *import, const char *path, int64_t *first_time,
                            int64_t *range) {
    const struct importer *importer = import->options->importer;
    struct error ignored = {0};
    struct reader reader = {0};
    struct input *input = input_open(path, (struct input_stop){should_stop, import}, &ignored);
    bool found = false;

    if (input != NULL && reader_init(&reader, input, &ignored)) {
        size_t length = reader_fill(&reader, SNIFF_LENGTH);
        struct sniff sniff = {
            .bytes = reader_bytes(&reader),
            .length = length < SNIFF_LENGTH ? length : SNIFF_LENGTH,
            .whole = length < SNIFF_LENGTH,
        };

        if (importer == NULL) {
            importer = detect(&reader, import->options->record_size);
        }
        if (importer != NULL && importer->first_time != NULL) {
            *first_time = importer->first_time(&sniff, import->config, range);
            found = true;
        }
    }
    reader_free(&reader);
    input_close(input);
    return found;
}

/* Whether a file can be read twice: a pipe cannot. */
static bool is_regular(const char *path) {
    struct stat status;

    return strcmp(path, "-") != 0 && stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* Puts the files of a trace into the order of their first times, where the format has one. */
static bool order_paths(struct import *import, const char *const *paths, size_t count,
                        struct ordered_source *ordered, struct error *error) {
    bool regular = count > 1, ordered_format = false;
    int64_t range = 0;

    for (size_t i = 0; i < count; i++) {
        ordered[i] = (struct ordered_source){strdup(paths[i]), EVENT_NONE};
        if (ordered[i].path == NULL) {
            return error_no_memory(error);
        }
        regular = regular && is_regular(paths[i]);
    }
    for (size_t i = 0; regular && i < count; i++) {
        if (peek_first_time(import, paths[i], &ordered[i].first_time, &range)) {
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

static bool init_sources(struct import *import, const char *const *paths, size_t count,
                         struct error *error) {
    struct ordered_source *ordered = calloc(count + 1, sizeof *ordered);
    bool done = true;

    import->sources = calloc(count + 1, sizeof *import->sources);
    if (ordered == NULL || import->sources == NULL) {
        done = error_no_memory(error);
    }
    done = done && order_paths(import, paths, count, ordered, error);
    for (size_t i = 0; ordered != NULL && i < count; i++) {
        char *path = ordered[i].path;

        if (path == NULL || import->sources == NULL) {
            free(path);
            continue;
        }
        import->sources[import->source_count++] = (struct import_source){
            .path = path,
            .name = strcmp(path, "-") == 0 ? "stdin" : path,
            .packing = "",
        };
    }
    free(ordered);
    return done && (count > 0 || error_set(error, "no files to import"));
}

bool import_files(struct database *database, const struct config *config,
                  const struct import_options *options, const char *const *paths, size_t count,
                  struct import_summary *summary, struct error *error) {
    struct import import = {
        .config = config,
        .options = options,
        .importer = NULL,
    };
    struct decoder decoder = {.import = &import};
    bool done = queue_init(&import.queue, error);

    if (!done) {
        return false;
    }
    import.error = &decoder.error;
    done = init_sources(&import, paths, count, error) && open_first(&import, &decoder, error);
    if (done) {
        decoder.state = calloc(1, import.importer->state_size + 1);
        decoder.reader.error = &decoder.error;
        done = decoder.state != NULL ? import_opened(&import, &decoder, database, error)
                                     : error_no_memory(error);
    }
    if (done) {
        summarize(&import, summary);
        for (size_t i = 0; options->remark != NULL && i < import.remark_count; i++) {
            options->remark(options->remark_context, import.remarks[i]);
        }
    } else if (options->interrupted != NULL && *options->interrupted) {
        error_set_status(error, EXIT_INTERRUPTED, "interrupted; nothing was imported");
    }
    close_source(&decoder.input, &decoder.reader);
    free(decoder.state);
    context_free(&import);
    queue_free(&import.queue);
    return done;
}
