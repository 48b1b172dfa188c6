/* State of a running import, shared by the files of this room and opaque to importers.
 *
 * There is one `struct import_run`, with a `struct import` for each trace being filled: one, or one
 * per kind if the format has several kinds of events. Importers get the latter. All of it belongs
 * to the importer's thread until that has ended. Exceptions: the queue, `stop`, and tallies and
 * rollups of traces other than spans, which belong to the deriver (import.c).
 */
#ifndef TRACETOOL_CONTEXT_H
#define TRACETOOL_CONTEXT_H

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "base/time_unit.h"
#include "config/config.h"
#include "import/call_losses.h"
#include "import/dictionary.h"
#include "import/lookup_cache.h"
#include "import/losses.h"
#include "import/pairing.h"
#include "input/input.h"
#include "input/peel_plan.h"
#include "input/reader.h"
#include "model/batch.h"
#include "model/remap.h"
#include "model/tally.h"
#include "store/rollup_tables.h"
#include "store/trace_tables.h"

/* Passes a bounded number of batches between the threads of an import. */

/* Number of batches: two for the importer, which fills one and holds back one; one for each of the
 * other two threads; and two waiting for each of these. */
#define QUEUE_BATCHES 8

/* Number of batches for each additional trace that is filled at the same time. */
#define QUEUE_MORE 2
#define QUEUE_MOST (QUEUE_BATCHES + QUEUE_MORE * (TRACE_KINDS - 1))

/* Processing stages. */
enum queue_stage { QUEUE_DERIVE, QUEUE_WRITE, QUEUE_STAGES };

/* Waiting batches, in order. */
struct queue_line {
    struct batch *batches[QUEUE_MOST]; /* owned; a ring */
    size_t first, count;
    bool closed; /* true: no more batches will follow */
};

struct queue {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct batch *empty[QUEUE_MOST]; /* owned; a stack */
    size_t empty_count;
    struct queue_line lines[QUEUE_STAGES];
    bool stopped; /* true: no more batches are wanted */
};

/* For the importer: waits for an empty batch; NULL if the queue was stopped. */
struct batch *queue_pop_empty(struct queue *queue);

/* Appends a batch to a line. */
void queue_push(struct queue *queue, enum queue_stage stage, struct batch *batch);

/* Clears the batch and makes it available again. */
void queue_push_empty(struct queue *queue, struct batch *batch);

/* Outcome of every record: kept, merged, ignored or rejected, by file, reason and position; and the
 * number of records that the log reports as lost.
 *
 * Each file of a trace has its own lines, also if files are read in parallel. */

/* Outcomes of records. Lost records are reported by the log, but were never in the file. From
 * OUTCOME_EARLIER on, the records are also counted as kept, merged, ignored or rejected. */
enum outcome {
    OUTCOME_MERGED,
    OUTCOME_IGNORED,
    OUTCOME_REJECTED,
    OUTCOME_LOST,
    OUTCOME_EARLIER,
    OUTCOME_SPLIT,  /* records that made a second event */
    OUTCOME_PEELED, /* lines that were stripped (input/peel.h) */
    OUTCOME_NO_CALL /* records of a trace of spans whose rows are no calls */
};
#define OUTCOMES 8

struct ledger_line {
    size_t source; /* index of the file among the trace's files */
    enum outcome outcome;
    const char *reason; /* a constant string */
    int64_t count;
    int64_t first_offset; /* smallest offset */
    int64_t bytes;        /* bytes lost */
    int64_t end;          /* end of the last lost range; offset */
    size_t next;          /* the source's next line: its index plus 1; 0: last */
};

struct ledger {
    struct ledger_line *lines; /* owned; in order of their first records */
    size_t line_count, line_capacity;
    size_t *firsts; /* owned: the first line of each source: its index plus 1; 0: none */
    size_t source_capacity;
    int64_t totals[OUTCOMES];
    int64_t lost_bytes;
};

void ledger_free(struct ledger *ledger);

/* Adds the counts of another ledger's line. */
void ledger_add(struct ledger *ledger, const struct ledger_line *line);

/* Returns the line with most rejected records; NULL if there are none. */
const struct ledger_line *ledger_worst(const struct ledger *ledger);

#define REMARKS  64
#define MEANINGS 4

/* Maximum labels kept as text. Each dimension has at most TALLY_ROWS while its tally is complete.
 */
#define LABEL_TEXTS (4 * TALLY_ROWS)

struct label {
    char *text; /* owned; NULL: not kept */
    size_t length;
};

/* Timestamps far from their neighbours in the log, because a clock was set or a record is damaged.
 * They are kept, with a remark. */

/* Minimum distance of an outlier, in nanoseconds, from both neighbours, which are closer to each
 * other. */
#define OUTLIERS_DISTANCE DAY

/* Maximum outliers remembered; others are only counted. */
#define OUTLIERS_REMARKS 8

struct timestamp_outlier {
    int64_t time;
    size_t source;  /* source file of the event */
    int64_t number; /* number of the event in the file, from 1 */
};

/* Initially zeroed. */
struct timestamp_outliers {
    struct timestamp_outlier last[3]; /* the last three events, newest last */
    int64_t seen;
    struct timestamp_outlier events[OUTLIERS_REMARKS]; /* the first outliers found */
    int64_t found;
};

/* A file of the log, as far as it has been read. */
struct import_source {
    char *path;          /* owned */
    const char *name;    /* the path; "stdin" for - */
    const char *same_as; /* name of an earlier file with equal content; NULL: none. Borrowed */
    char hash[INPUT_HASH_SIZE];
    const char *packing;
    struct peel_plan peel; /* layers around the file's lines */
    int64_t size;
    int64_t begins; /* as in struct stream */
    uint8_t last;   /* last byte of the file */
    bool used;      /* passed to the importer: has a row in `source` */
    /* Records earlier than their predecessor: number, maximum difference, and offset of the first.
     */
    int64_t earlier, earlier_by, earlier_offset;
};

/* What a trace got from a file. */
struct import_share {
    int64_t events;
    int64_t rows;  /* number of rows in `event`: fewer than events if two records make one row */
    int64_t first; /* serial number of its first row; undefined without rows */
};

struct importer;
struct import_run;

/* A trace being filled. */
struct import {
    struct import_run *run;
    enum trace_kind kind;
    unsigned number;                    /* index among the run's traces */
    struct lookup_cache words, threads; /* caches of import_function() and import_thread() */

    /* Batches before the queue: the one being filled, and one held back to sort records slightly
     * out of order. NULL: none. Rows have consecutive serial numbers from 0; those of `held`
     * directly precede those of `current`. */
    struct batch *current, *held;
    int64_t emitted_time; /* largest time passed on so far, or of the trace appended to */
    int64_t appended_to;  /* largest time of the trace appended to; INT64_MIN: none */
    bool
        ends_later; /* rows are written at the begin of calls or states, and completed at the end */
    int64_t late;   /* events passed on after a later one */
    int64_t resorted; /* number of times that events had to be sorted */

    struct timestamp_outliers outliers; /* times far from the others; not used for spans */
    bool open;                          /* the last event's time has not been recorded */
    int64_t place; /* place of the last event in the log; only if the run has `places` */

    struct tally_context tally_context;
    struct tally tallies[TALLY_KINDS];
    bool tally_complete[TALLY_KINDS]; /* the tally applies to the trace, and did not exceed its
                                         limit */

    struct latency_buckets *latencies; /* owned; NULL: counted at the end */
    struct call_counts calls_counted;  /* counts by operation and error, for traces of calls */

    struct span_tracker *spans; /* owned; NULL for other kinds of trace */
    int64_t last_time;          /* last time of span records; EVENT_NONE: none */
    bool spans_complete;        /* the times by function did not exceed their limit */

    struct ledger ledger;   /* outcomes of the records attributed to this trace */
    int64_t events;         /* number of records that were read and kept */
    int64_t rows;           /* number of rows made from these records */
    char *remarks[REMARKS]; /* owned */
    size_t remark_count;
    int64_t remarks_lost; /* number of remarks beyond REMARKS */
    struct remap *remaps; /* owned; NULL: none */
    size_t remap_count;
    struct proven_losses proven; /* devices whose requests lack an end */
    struct call_losses calls;    /* missing begins and ends of calls */
    /* On a proven loss: issues without a completion, completions without an issue. */
    int64_t unfinished, unissued;
    const struct event_meaning *meanings[MEANINGS]; /* besides those of the importer */
    size_t meaning_count;
    unsigned without;       /* columns without meaning: enum event_column */
    unsigned without_facts; /* FACT(…) missing from this log */
    unsigned with_facts;    /* FACT(…) found in it */
    int64_t round;          /* EVENT_NONE: unknown */
    int64_t call_overhead;  /* EVENT_NONE: unknown */

    struct import_share *shares; /* owned; one per source */
    /* `events` and `rows` when reading of the current source started or continued. */
    int64_t events_before, rows_before;
    bool alternating; /* the rows of a file are not one range */
};

struct import_run {
    const struct importer *importer;
    const struct config *config;
    /* From struct import_options. */
    const struct importer *forced;            /* importer of -f; NULL: detect by content */
    int64_t record_size;                      /* argument of --record-size; 0: not given */
    const char *const *only_devices;          /* borrowed */
    size_t only_device_count;                 /* 0: all */
    bool strict;                              /* a rejected record is a failure */
    bool places;                              /* keeps the places of calls (import_options) */
    bool sort;                                /* sorts records by time before parsing */
    bool unsorted;                            /* records must be sorted: restarts the import */
    bool again;                               /* accepts content that was imported before */
    const char *archive;                      /* borrowed; as in import_options */
    bool folder;                              /* as in import_options */
    bool again_within;                        /* accepts equal content in several files */
    const volatile sig_atomic_t *interrupted; /* NULL: never */
    struct error *error;                      /* error of the importer's thread */
    struct error failure; /* message that the importer set with import_failure() */
    bool failed;          /* import_failure() was called, or the name dictionary is full */
    atomic_bool ended;    /* no more is wanted: set by the importer's thread */
    bool without_rows;    /* the database has only columns: no argument bytes */
    struct queue queue;
    atomic_bool stop; /* the writer or the deriver has stopped */

    struct import traces[TRACE_KINDS]; /* indexed by `number` */
    unsigned trace_count;

    /* Names of all traces; if there are several, the trace is part of the key. */
    struct dictionary *names, *actors, *objects, *labels;
    struct label *label_texts; /* owned; up to LABEL_TEXTS, indexed by number */
    size_t label_capacity;
    struct text key;  /* buffer for dictionary keys */
    unsigned columns; /* enum event_column: those that the importer sets */

    struct {
        const char *unit, *clocks;
        int64_t hz;
    } clock;

    bool resuming;                      /* appends files to a trace */
    struct partitions partitions;       /* partitions of the trace that is appended to */
    const char *resumed, *resumed_rest; /* NULL: a new trace; result of import_kept() */

    struct losses losses; /* losses of the log, for all its traces */

    int64_t passed_over; /* number of skipped files */
    char earlier[96];    /* reason in the ledger; "": no record is earlier than its predecessor */
    char variant[32];
    int64_t start, utc_offset; /* wall clock and zone of time 0; EVENT_NONE: unknown */
    int64_t time_of_day; /* time of day of time 0 if `start` is unknown; EVENT_NONE: unknown, too */
    int64_t sessions;
    char *kept; /* owned */

    struct import_source *sources; /* owned */
    size_t source_count;
    size_t source;         /* index of the source being read */
    struct reader *reader; /* reader of that source; NULL: none */
    int64_t record;        /* offset of the stream's current record; EVENT_NONE: none */
    void *parsed;          /* owned; room for the result of parse_record() */
};

/* Whether a signal or a failing writer stopped the import. `run` is an import_run; for
 * input_open(). */
static inline bool import_run_stopped(const void *run) {
    const struct import_run *stopped = run;

    return stopped->stop || (stopped->interrupted != NULL && *stopped->interrupted);
}

/* Whether the import was stopped or needs no more input; for the importer's own input. */
static inline bool import_run_ended(const void *run) {
    const struct import_run *ended = run;

    return ended->ended || import_run_stopped(run);
}

/* --- steps ------------------------------------------------------------------------------------ */

struct store;

/* Writes files, ledger, remarks, rollups and the rest of the row of each trace, and commits.
 * `stores` are those of the run's traces; `name` is that of the log. A trace without events is
 * dropped if another one has some, and passes its ledger to that. False with `error` set, without
 * committing, on failure or if nothing should be kept. */
bool import_finish(struct import_run *run, struct store *stores, const char *name,
                   struct error *error);

#endif
