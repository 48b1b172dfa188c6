/* Runs an import: its threads, and what happens before and after them. */
#include "import/import.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

#include "base/saturate.h"
#include "base/words.h"
#include "import/context.h"
#include "import/reading.h"
#include "import/sources.h"
#include "store/store.h"
#include "store/trace_tables.h"
#include "store/rollup_tables.h"
#include "base/memory.h"

/* Maximum file size of an import without a write-ahead log: its rows stay in SQLite's cache until
 * the commit, and a log would take longer than such an import. */
#define BRIEF_IMPORT (1024 * 1024)

/* --- queue of batches between threads --------------------------------------------------------- */

/* Adds empty batches before the queue is used; at most QUEUE_MOST in all. */
static void queue_grow(struct queue *queue, size_t more) {
    for (; more > 0; more--) {
        queue->empty[queue->empty_count++] = batch_new();
    }
}

static struct batch *pop_batch(struct queue_line *line) {
    struct batch *batch = line->batches[line->first];

    line->first = (line->first + 1) % QUEUE_MOST;
    line->count--;
    return batch;
}

static void queue_free(struct queue *queue) {
    while (queue->empty_count > 0) {
        batch_free(queue->empty[--queue->empty_count]);
    }
    for (int stage = 0; stage < QUEUE_STAGES; stage++) {
        while (queue->lines[stage].count > 0) {
            batch_free(pop_batch(&queue->lines[stage]));
        }
    }
    pthread_cond_destroy(&queue->changed);
    pthread_mutex_destroy(&queue->lock);
}

struct batch *queue_pop_empty(struct queue *queue) {
    struct batch *batch = NULL;

    pthread_mutex_lock(&queue->lock);
    while (queue->empty_count == 0 && !queue->stopped) {
        pthread_cond_wait(&queue->changed, &queue->lock);
    }
    if (!queue->stopped) {
        batch = queue->empty[--queue->empty_count];
    }
    pthread_mutex_unlock(&queue->lock);
    return batch;
}

void queue_push(struct queue *queue, enum queue_stage stage, struct batch *batch) {
    struct queue_line *line = &queue->lines[stage];

    pthread_mutex_lock(&queue->lock);
    line->batches[(line->first + line->count++) % QUEUE_MOST] = batch;
    pthread_cond_broadcast(&queue->changed);
    pthread_mutex_unlock(&queue->lock);
}

/* Closes a stage of the queue: no more batches will be appended to it. */
static void queue_close(struct queue *queue, enum queue_stage stage) {
    pthread_mutex_lock(&queue->lock);
    queue->lines[stage].closed = true;
    pthread_cond_broadcast(&queue->changed);
    pthread_mutex_unlock(&queue->lock);
}

static struct timespec in_a_tenth_of_a_second(void) {
    struct timespec until;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 100000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec++;
    }
    return until;
}

/* Waits for the next batch of a stage. Returns NULL if no more will follow, if the queue was
 * stopped, or after 0.1 s (then sets `*timed_out`), so that progress can be shown. */
static struct batch *queue_pop(struct queue *queue, enum queue_stage stage, bool *timed_out) {
    struct queue_line *line = &queue->lines[stage];
    struct timespec until = in_a_tenth_of_a_second();
    struct batch *batch = NULL;
    bool late = false;

    pthread_mutex_lock(&queue->lock);
    while (line->count == 0 && !line->closed && !queue->stopped && !late) {
        late = pthread_cond_timedwait(&queue->changed, &queue->lock, &until) != 0;
    }
    if (line->count > 0 && !queue->stopped) {
        batch = pop_batch(line);
    }
    *timed_out = batch == NULL && !line->closed && !queue->stopped;
    pthread_mutex_unlock(&queue->lock);
    return batch;
}

void queue_push_empty(struct queue *queue, struct batch *batch) {
    batch_clear(batch);
    pthread_mutex_lock(&queue->lock);
    queue->empty[queue->empty_count++] = batch;
    pthread_cond_broadcast(&queue->changed);
    pthread_mutex_unlock(&queue->lock);
}

/* Stops the queue: threads that wait for a batch get NULL. */
static void queue_stop(struct queue *queue) {
    pthread_mutex_lock(&queue->lock);
    queue->stopped = true;
    pthread_cond_broadcast(&queue->changed);
    pthread_mutex_unlock(&queue->lock);
}

/* --- the importer's thread ---------------------------------------------------------------- */

struct decoder {
    struct import_run *run;
    bool done; /* true: all files were read */
    pthread_t thread;
    struct open_source source; /* first file of the log: opened before the thread starts */
    void *state;
};

static void *import_decode(void *argument) {
    struct decoder *decoder = argument;
    struct import_run *run = decoder->run;
    const struct importer *importer = run->importer;
    bool done = resume_state_read(run, decoder->state);

    if (done && importer->begin != NULL) {
        importer->begin(run->traces, decoder->state);
    }
    done = done && !run->ended && import_read(run, decoder->state, &decoder->source);
    if (importer->end != NULL) {
        importer->end(run->traces, decoder->state, !done);
    }
    if (done && !run->ended) {
        resume_state_write(run, decoder->state);
    }
    /* Counts the events that end() added as events of the last file. */
    sources_switch_file(run, run->source, NULL);
    if (done && !run->ended) {
        for (unsigned i = 0; i < run->trace_count; i++) {
            struct import *trace = &run->traces[i];

            if (trace->spans != NULL) {
                span_tracker_finish(trace);
            }
            emit_flush_batches(trace);
        }
    }
    decoder->done = done && !run->ended;
    if (run->failed) {
        *run->error = run->failure;
    }
    queue_close(&run->queue, QUEUE_DERIVE);
    return NULL;
}

/* --- the deriver's thread --------------------------------------------------------------------- */

/* Processes batches between the importer and the writer: counts events in the tallies of their
 * trace, encodes columns, and builds rows. All members except `thread` belong to the thread. */
struct deriver {
    struct import_run *run;
    const struct store *stores; /* borrowed; stores of the run's traces */
    pthread_t thread;
    size_t batches;             /* number of batches processed so far */
    struct column_coder *coder; /* owned */
    /* owned; columns of a batch that the rollups of latencies and calls need */
    struct event_columns columns;
};

/* Number of batches, some 40 MB of rows, between two requests to the kernel to write dirty pages.
 */
enum { WRITE_BACK = 64 };

static void derive_rollups(struct deriver *deriver, struct batch *batch) {
    struct import *import = &deriver->run->traces[batch->trace];
    const struct store *store = &deriver->stores[batch->trace];

    if (import->spans == NULL) {
        emit_count(import, &batch->tally_context, batch->events, batch->event_count);
    }
    event_columns_fill(&deriver->columns, batch->events, batch->event_count, batch->first_serial,
                       store->first_row);
    event_chunk_encode_columns(&batch->columns, deriver->coder, &deriver->columns,
                               batch->event_count, deriver->run->columns);
    if (import->latencies != NULL) {
        latency_buckets_add(import->latencies, &deriver->columns, batch->event_count);
        if (import->kind == TRACE_CALLS) {
            call_counts_add(&import->calls_counted, &deriver->columns, batch->event_count);
        }
    }
    store_pack_arguments(store, batch);
    store_make_rows(store, batch);
}

static void *run_deriver(void *argument) {
    struct deriver *deriver = argument;
    struct import_run *run = deriver->run;
    bool timed_out = true;
    struct batch *batch;

    while ((batch = queue_pop(&run->queue, QUEUE_DERIVE, &timed_out)) != NULL || timed_out) {
        if (batch == NULL) {
            continue;
        }
        derive_rollups(deriver, batch);
        queue_push(&run->queue, QUEUE_WRITE, batch);
        if (++deriver->batches % WRITE_BACK == 0) {
            store_write_back(deriver->stores);
        }
    }
    queue_close(&run->queue, QUEUE_WRITE);
    return NULL;
}

static void import_make_room(struct deriver *deriver) {
    const struct import_run *run = deriver->run;
    unsigned fields = run->columns & ~(unsigned)EVENT_ARGUMENTS;

    for (unsigned i = 0; i < run->trace_count; i++) {
        fields |= run->traces[i].latencies == NULL ? 0 : LATENCY_FIELDS | CALL_COUNT_FIELDS;
    }
    deriver->coder = xmalloc(sizeof *deriver->coder);
    event_columns_grow(&deriver->columns, fields, BATCH_EVENTS);
}

static void free_room(struct deriver *deriver) {
    free(deriver->coder);
    event_columns_free(&deriver->columns);
}

static bool deriver_start(struct deriver *deriver, struct import_run *run,
                          const struct store *stores, struct error *error) {
    *deriver = (struct deriver){.run = run, .stores = stores};
    import_make_room(deriver);
    if (pthread_create(&deriver->thread, NULL, run_deriver, deriver) == 0) {
        return true;
    }
    free_room(deriver);
    return error_set(error, "cannot start a thread");
}

/* --- the writer's thread ---------------------------------------------------------------------- */

static bool write_batches(const struct import_options *options, struct import_run *run,
                          struct store *stores, int64_t total, struct error *error) {
    bool timed_out;

    for (;;) {
        struct batch *batch = queue_pop(&run->queue, QUEUE_WRITE, &timed_out);

        if (import_run_stopped(run)) {
            if (batch != NULL) {
                queue_push_empty(&run->queue, batch);
            }
            return false;
        }
        if (batch == NULL && !timed_out) {
            return true;
        }
        if (batch != NULL) {
            bool done = store_write(&stores[batch->trace], batch, error);

            if (options->progress != NULL) {
                options->progress(options->progress_context, batch->source_bytes, total);
            }
            queue_push_empty(&run->queue, batch);
            if (!done) {
                return false;
            }
        }
    }
}

static void ignore_wakeup_signal(int signal_number) {
}

/* Waits until the importer's thread has ended. If its events are no longer wanted, it may block in
 * read() on a device: a signal ends the read, and SIGURG has no other effect. */
static void join_decoder(const struct import_run *run, struct decoder *decoder) {
    struct sigaction action = {.sa_handler = ignore_wakeup_signal}, before;
    struct timespec until;
    int status = ETIMEDOUT;

    if (!run->stop) {
        pthread_join(decoder->thread, NULL);
        return;
    }
    sigaction(SIGURG, &action, &before);
    while (status == ETIMEDOUT) {
        pthread_kill(decoder->thread, SIGURG);
        until = in_a_tenth_of_a_second();
        status = pthread_timedjoin_np(decoder->thread, NULL, &until);
    }
    sigaction(SIGURG, &before, NULL);
}

static bool start_decoder(struct decoder *decoder, struct error *error) {
    if (pthread_create(&decoder->thread, NULL, import_decode, decoder) == 0) {
        return true;
    }
    queue_stop(&decoder->run->queue);
    return error_set(error, "cannot start a thread");
}

/* Runs the importer's thread and writes its batches to the store. */
static bool run_decoder(const struct import_options *options, struct decoder *decoder,
                        struct store *stores, struct error *error) {
    struct import_run *run = decoder->run;
    int64_t total = run->source_count == 1 ? input_packed_size(decoder->source.input) : -1;
    bool written;

    if (!start_decoder(decoder, error)) {
        return false;
    }
    written = write_batches(options, run, stores, total, error);
    if (!written) {
        run->stop = true;
        queue_stop(&run->queue);
    }
    join_decoder(run, decoder);
    if (!written) {
        return false;
    }
    if (!decoder->done) {
        *error = *run->error;
        return false;
    }
    return true;
}

static bool run_threads(const struct import_options *options, struct decoder *decoder,
                        struct store *stores, struct error *error) {
    struct deriver deriver;
    bool done;

    if (!deriver_start(&deriver, decoder->run, stores, error)) {
        return false;
    }
    done = run_decoder(options, decoder, stores, error);
    pthread_join(deriver.thread, NULL);
    free_room(&deriver);
    return done;
}

static int64_t import_records(const struct import *trace) {
    const int64_t *totals = trace->ledger.totals;

    return trace->events - totals[OUTCOME_SPLIT] + totals[OUTCOME_MERGED] +
           totals[OUTCOME_IGNORED] + totals[OUTCOME_REJECTED];
}

/* Sums up the losses of the log from `trace`: all stored traces have the same losses (finish.c). */
static void summarize_losses(const struct import_run *run, const struct import *trace,
                             struct import_losses *losses) {
    const struct ledger *ledger = &trace->ledger;
    const struct ledger_line *most = NULL;

    *losses = (struct import_losses){.lost = ledger->totals[OUTCOME_LOST],
                                     .reason = "",
                                     .begin = losses_begin(&run->losses),
                                     .clock_unit = run->clock.unit};
    for (size_t i = 0; i < run->losses.cpu_count; i++) {
        losses->uncounted += run->losses.cpus[i].uncounted;
    }
    for (size_t i = 0; i < ledger->line_count; i++) {
        const struct ledger_line *line = &ledger->lines[i];

        if (line->outcome == OUTCOME_LOST && (most == NULL || line->count > most->count)) {
            most = line;
            losses->reason = line->reason;
        }
    }
    if (losses_count_events(&run->losses) > 0) {
        losses->of = losses->lost;
        add_saturated(&losses->of, losses_count_events(&run->losses));
    }
}

/* Adds up the counts of all traces, and lists their kinds if there are several. */
static void sum_up_traces(const struct import_run *run, struct import_summary *summary) {
    const struct ledger_line *worst = NULL;
    int64_t unfinished = 0, unissued = 0;
    unsigned kept = 0;

    *summary = (struct import_summary){.passed_over = run->passed_over, .reason = ""};
    for (unsigned i = 0; i < run->trace_count; i++) {
        const struct import *trace = &run->traces[i];
        const struct ledger_line *line = ledger_top_rejection(&trace->ledger);

        summary->events += trace->events;
        summary->merged += trace->ledger.totals[OUTCOME_MERGED];
        summary->ignored += trace->ledger.totals[OUTCOME_IGNORED];
        summary->rejected += trace->ledger.totals[OUTCOME_REJECTED];
        summary->lost_bytes += trace->ledger.lost_bytes;
        unfinished += trace->unfinished;
        unissued += trace->unissued;
        summary->records += import_records(trace);
        summary->counted[trace->kind] = trace_counted(
            trace->kind, &(struct trace_counts){.events = trace->events,
                                                .paired = trace->events - trace->rows,
                                                .merged = trace->ledger.totals[OUTCOME_MERGED],
                                                .split = trace->ledger.totals[OUTCOME_SPLIT],
                                                .no_calls = trace->ledger.totals[OUTCOME_NO_CALL]});
        summary->kinds[trace->kind] = trace->events;
        kept += trace->events > 0;
        if (summary->losses.reason == NULL && trace->events > 0) {
            summarize_losses(run, trace, &summary->losses);
        }
        worst = line != NULL && (worst == NULL || line->count > worst->count) ? line : worst;
    }
    summary->losses.unfinished = unfinished;
    summary->losses.unissued = unissued;
    summary->several = kept > 1;
    snprintf(summary->format, sizeof summary->format, "%s", run->importer->name);
    snprintf(summary->variant, sizeof summary->variant, "%s", run->variant);
    if (worst != NULL) {
        summary->reason = worst->reason;
        summary->reason_offset = worst->first_offset;
        snprintf(summary->reason_source, sizeof summary->reason_source, "%s",
                 run->sources[worst->source].name);
    }
}

/* --- the complete import ---------------------------------------------------------------------- */

static void init_trace(struct import_run *run, struct import *import) {
    enum trace_kind kind = import->kind;

    import->run = run;
    import->tally_context.kind = kind;
    import->emitted_time = import->appended_to = INT64_MIN;
    import->round = import->call_overhead = import->last_time = EVENT_NONE;
    import->ends_later = kind == TRACE_SPANS || kind == TRACE_STATES;
    import->shares = xcalloc(run->source_count + 1, sizeof *import->shares);
    if (kind == TRACE_SPANS) {
        import->spans = span_tracker_new();
        import->spans_complete = true;
    }
    for (unsigned tally = 0; tally < TALLY_KINDS; tally++) {
        tally_init(&import->tallies[tally], (enum tally_kind)tally);
        import->tally_complete[tally] = tally_definitions[tally].rollup_kinds >> kind & 1;
    }
}

static void import_free_trace(struct import *import) {
    batch_free(import->current);
    batch_free(import->held);
    span_tracker_free(import->spans);
    latency_buckets_free(import->latencies);
    call_counts_free(&import->calls_counted);
    for (unsigned tally = 0; tally < TALLY_KINDS; tally++) {
        tally_free(&import->tallies[tally]);
    }
    ledger_free(&import->ledger);
    for (size_t i = 0; i < import->remark_count; i++) {
        free(import->remarks[i]);
    }
    free(import->remaps);
    call_losses_free(&import->calls);
    free(import->shares);
}

static void init_run(struct import_run *run, const struct import_options *options,
                     const struct store *store) {
    run->sessions = 1;
    run->without_rows = store->database->without_rows;
    run->clock.unit = "ns";
    run->clock.clocks = "wall";
    for (unsigned i = 0; i < run->trace_count; i++) {
        init_trace(run, &run->traces[i]);
    }
    run->time_of_day = EVENT_NONE;
    run->start = options->start;
    run->utc_offset = options->utc_offset;
    if (run->start != EVENT_NONE) {
        import_set_start_time(run->traces, run->start);
    }
    names_open(run, store->first_name, store->first_actor, store->first_object);
}

static void free_run(struct import_run *run) {
    for (unsigned i = 0; i < TRACE_KINDS; i++) {
        import_free_trace(&run->traces[i]);
    }
    names_close(run);
    partitions_free(&run->partitions);
    sources_free(run);
    losses_free(&run->losses);
    free(run->kept);
    queue_free(&run->queue);
}

/* The sum of time and duration cannot overflow in the SQL below, since importers limit both. */
static bool resume_spans(struct import *import, struct store *store, struct error *error) {
    struct database_query query = database_query(
        store->database, error,
        "SELECT actor, max(time + ifnull(duration, 0)) FROM event WHERE id BETWEEN ?1 AND ?2"
        " AND actor IS NOT NULL GROUP BY actor",
        "ii", store->first_event, store->next_event - 1);

    while (database_next(&query)) {
        span_tracker_resume(import->spans, (uint32_t)sqlite3_column_int64(query.row, 0),
                            sqlite3_column_int64(query.row, 1));
    }
    if (!database_end(&query)) {
        return false;
    }
    import->spans_complete = word_in(store->existing.rollups, "span");
    return !import->spans_complete ||
           span_table_read(store->database, store->trace, span_tracker_times(import->spans), error);
}

static const char sql_time_of_day[] =
    "SELECT CAST(substr(unit, 9) AS INTEGER) FROM meaning WHERE trace = ?1 AND \"column\" = 'time'"
    " AND what = '" MEANING_TIME_OF_DAY
    "' AND CAST(substr(unit, 9) AS INTEGER) BETWEEN 0 AND 86399999999999";

/* Loads the state of a trace to append to: names, rollups, and the importer's state. */
static bool load_resumed_trace(struct import *import, struct store *store, struct error *error) {
    struct import_run *run = import->run;

    if (!store->appending) {
        return true;
    }
    run->start = store->existing.start;
    run->utc_offset = store->existing.utc_offset;
    if (!database_query_integer(store->database, sql_time_of_day, store->trace, EVENT_NONE,
                                &run->time_of_day, error)) {
        return false;
    }
    import_set_start_time(import, run->start);
    run->sessions = store->existing.sessions;
    run->resumed = store->existing.resume;
    run->resuming = true;
    import->emitted_time = import->appended_to = store->last_time;
    return partitions_read(store->database, store->trace, &run->partitions, error) &&
           names_resume(import, store, error) &&
           (import->spans == NULL || resume_spans(import, store, error));
}

/* Whether the transaction will fit into memory until the commit: it imports one small uncompressed
 * file, and does not move or remove other rows. */
static bool is_brief(const struct import_run *run, const struct import_options *options) {
    const struct import_source *source = &run->sources[0];
    struct stat status;

    return run->source_count == 1 && source->packing[0] == '\0' && !options->append &&
           !options->replace && stat(source->path, &status) == 0 && S_ISREG(status.st_mode) &&
           status.st_size <= BRIEF_IMPORT;
}

/* Begins the traces of the transaction. `*begun`: set to the number of stores to be ended. */
static bool import_begin_traces(struct import_run *run, const struct import_options *options,
                                struct database *database, struct store *stores, unsigned *begun,
                                struct error *error) {
    struct store_trace trace = {
        .name = options->name,
        .format = run->importer->name,
        .device = options->device,
        .user = options->user,
        .study = options->study,
        .kind = run->traces[0].kind,
        .columns = run->columns,
        .replace = options->replace,
        .append = options->append,
        .brief = is_brief(run, options),
    };
    char provisional[64];

    if (options->append && run->trace_count > 1) {
        return error_set(error,
                         "a log of format %s may hold several kinds of events, so nothing can be "
                         "appended to it: import its files together with --join",
                         run->importer->name);
    }
    if (!store_begin(&stores[0], database, &trace, error)) {
        return false;
    }
    for (*begun = 1; *begun < run->trace_count;) {
        unsigned i = *begun;

        snprintf(provisional, sizeof provisional, "\001%u of the log that is imported", i);
        trace.name = provisional;
        trace.kind = run->traces[i].kind;
        ++*begun;
        if (!store_begin_another_trace(&stores[i], stores, i, &trace, error)) {
            return false;
        }
    }
    return true;
}

/* Runs the whole transaction of an import with a known importer. */
static bool import_opened(const struct import_options *options, struct decoder *decoder,
                          struct database *database, struct error *error) {
    struct import_run *run = decoder->run;
    struct store stores[TRACE_KINDS];
    unsigned begun = 0;
    bool done;

    /* Sets up one trace for each kind of the format's events. */
    for (unsigned kind = 0; kind < TRACE_KINDS; kind++) {
        if (run->importer->kinds >> kind & 1) {
            run->traces[run->trace_count].number = run->trace_count;
            run->traces[run->trace_count++].kind = (enum trace_kind)kind;
        }
    }
    run->columns = run->importer->columns | (run->places ? EVENT_RESPONSE : 0);
    queue_grow(&run->queue, QUEUE_MORE * (run->trace_count - 1));
    done = import_begin_traces(run, options, database, stores, &begun, error);
    if (done) {
        init_run(run, options, stores);
        /* Prepares counting of latencies and calls. Not for an appended trace: it has earlier
         * events, so all are counted at the end. */
        for (unsigned i = 0; i < run->trace_count; i++) {
            struct import *import = &run->traces[i];

            if ((import->kind == TRACE_IO || import->kind == TRACE_CALLS) && !stores[i].appending) {
                import->latencies = latency_buckets_new(import->kind == TRACE_CALLS);
            }
        }
        done = load_resumed_trace(run->traces, stores, error) &&
               run_threads(options, decoder, stores, error) &&
               import_finish(run, stores, options->name, error);
    }
    while (begun > 0) {
        store_end(&stores[--begun]);
    }
    return done;
}

/* Opens the first file to detect its format, and runs the import. */
static bool run_import(struct import_run *run, struct database *database,
                       const struct import_options *options, const char *const *paths, size_t count,
                       struct error *error) {
    struct decoder decoder = {.run = run};
    bool done;

    /* Looks for duplicates, since a file that is given twice would double its events. */
    done = sources_init(run, paths, count, error) &&
           (run->source_count == 1 || run->again_within ||
            duplicates_find(run, (struct input_stop){import_run_stopped, run})) &&
           sources_open_first(run, &decoder.source, error);
    if (done) {
        decoder.state = xcalloc(1, run->importer->state_size + 1);
        decoder.source.reader.error = run->error;
        done = import_opened(options, &decoder, database, error);
    }
    source_close(&decoder.source);
    free(decoder.state);
    return done;
}

/* Runs an import once. `sort` and `*unsorted` have the meaning of these members of struct
 * import_run. */
static bool import_once(struct database *database, const struct config *config,
                        const struct import_options *options, const char *const *paths,
                        size_t count, bool sort, bool *unsorted, struct import_summary *summary,
                        struct error *error) {
    struct error decoding = {0}; /* error of the importer's thread */
    struct import_run run = {
        .error = &decoding,
        .config = config,
        .forced = options->importer,
        .record_size = options->record_size,
        .only_devices = options->only_devices,
        .only_device_count = options->only_device_count,
        .strict = options->strict,
        .places = options->places,
        .record = EVENT_NONE,
        .sort = sort,
        .again = options->again || options->replace,
        .archive = options->archive,
        .folder = options->folder,
        .again_within = options->again_within,
        .interrupted = options->interrupted,
    };
    bool done;

    struct queue *queue = &run.queue;
    *queue = (struct queue){0};
    pthread_mutex_init(&queue->lock, NULL);
    pthread_cond_init(&queue->changed, NULL);
    queue_grow(queue, QUEUE_BATCHES);
    done = run_import(&run, database, options, paths, count, error);
    if (done) {
        sum_up_traces(&run, summary);
        for (unsigned i = 0; options->remark != NULL && i < run.trace_count; i++) {
            for (size_t k = 0; k < run.traces[i].remark_count; k++) {
                options->remark(options->remark_context, run.traces[i].remarks[k]);
            }
        }
    } else if (options->interrupted != NULL && *options->interrupted) {
        error_set_status(error, EXIT_INTERRUPTED, "interrupted; nothing was imported");
    }
    *unsorted = !done && run.unsorted;
    free_run(&run);
    return done;
}

bool import_files(struct database *database, const struct config *config,
                  const struct import_options *options, const char *const *paths, size_t count,
                  struct import_summary *summary, struct error *error) {
    bool unsorted = false;
    bool done =
        import_once(database, config, options, paths, count, false, &unsorted, summary, error);

    /* The first run stopped at the first record out of order, and stored nothing: runs again, and
     * sorts. */
    if (unsorted) {
        *error = (struct error){0};
        done =
            import_once(database, config, options, paths, count, true, &unsorted, summary, error);
    }
    return done;
}
