/* State of a running import, shared by the files of src/import and opaque to importers.
 *
 * There is one `struct import_run`, with a `struct import` for each trace being filled: one, or one
 * per kind if the format has several kinds of events. Importers get a `struct import`. All data
 * belongs to the importer's thread until that has ended. Exceptions: the queue, `stop`, and tallies
 * and rollups of traces other than spans, which belong to the deriver (import.c).
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
#include "base/pair_numbers.h"
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

/* --- queue of batches of events between the threads of an import ------------------------------ */

/* Number of batches: two for the importer's thread, which fills one and holds back one; one for
 * each of the two other threads; and two waiting for each of these. */
#define QUEUE_BATCHES 8

/* Additional batches for each further trace that is filled at the same time. */
#define QUEUE_MORE 2
#define QUEUE_MOST (QUEUE_BATCHES + QUEUE_MORE * (TRACE_KINDS - 1))

/* Stages of a batch after the importer: counting (tallies), and writing to the store. */
enum queue_stage { QUEUE_DERIVE, QUEUE_WRITE, QUEUE_STAGES };

/* Batches that wait for one stage, oldest first. */
struct queue_line {
    struct batch *batches[QUEUE_MOST]; /* waiting batches, owned; a ring buffer */
    size_t first, count;
    bool closed; /* true: no more batches will be appended */
};

struct queue {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct batch *empty[QUEUE_MOST]; /* unused batches, owned; a stack */
    size_t empty_count;
    struct queue_line lines[QUEUE_STAGES];
    bool stopped; /* true: no thread should process further batches */
};

/* Waits for an empty batch; returns NULL if the queue was stopped. For the importer's thread. */
struct batch *queue_pop_empty(struct queue *queue);

/* Appends a batch to the batches waiting for a stage. */
void queue_push(struct queue *queue, enum queue_stage stage, struct batch *batch);

/* Empties the batch and makes it available to queue_pop_empty(). */
void queue_push_empty(struct queue *queue, struct batch *batch);

/* Ledger: the outcome of every record.
 *
 * Each record is kept, merged, ignored or rejected. The ledger counts records by file, outcome and
 * reason; also the records that the log reports as lost. Each file of a trace has its own ledger
 * lines, also if files are read in parallel. */

/* Outcomes of records. Lost records are reported by the log, but were never in the file.
 * OUTCOME_EARLIER and the values after it are counted in addition to kept, merged, ignored or
 * rejected. */
enum outcome {
    OUTCOME_MERGED,
    OUTCOME_IGNORED,
    OUTCOME_REJECTED,
    OUTCOME_LOST,
    OUTCOME_EARLIER,
    OUTCOME_SPLIT,  /* records from which a second event was made */
    OUTCOME_PEELED, /* lines from which surrounding text was stripped (input/peel.h) */
    OUTCOME_NO_CALL /* records of a trace of spans that became rows, but not calls */
};
#define OUTCOMES 8

struct ledger_line {
    size_t source; /* index of the file among the trace's files */
    enum outcome outcome;
    const char *reason; /* why the records have this outcome; a constant string */
    int64_t count;
    /* byte offset in the file of the first record with this outcome and reason */
    int64_t first_offset;
    int64_t bytes; /* bytes of the file lost with this line's records */
    int64_t end;   /* byte offset in the file of the end of the last lost range */
    size_t next;   /* index plus 1 of the next ledger line of the same file; 0: this is the last */
};

struct ledger {
    struct ledger_line *lines; /* owned; in the order in which their first records were read */
    size_t line_count, line_capacity;
    size_t *firsts; /* owned: by file, index plus 1 of its first ledger line; 0: none */
    size_t source_capacity;
    int64_t totals[OUTCOMES];
    int64_t lost_bytes;
};

void ledger_free(struct ledger *ledger);

/* Adds the counts of a line of another ledger to this ledger. */
void ledger_add(struct ledger *ledger, const struct ledger_line *line);

/* Returns the ledger line (file, outcome and reason) with the most rejected records; NULL if no
 * record was rejected. */
const struct ledger_line *ledger_top_rejection(const struct ledger *ledger);

#define REMARKS  64
#define MEANINGS 4

/* Limit of labels whose texts are stored. Further labels need no text: a tally with more than
 * TALLY_ROWS labels in a dimension has been dropped. */
#define LABEL_TEXTS (4 * TALLY_ROWS)

struct label {
    char *text; /* owned; NULL: not stored */
    size_t length;
};

/* Outliers: events whose times are far from those of neighbouring events, because a clock was set
 * or a record is damaged. The events are stored, with a remark. */

/* Minimum distance, in nanoseconds, of an outlier's time from the times of the events before and
 * after it. These two events are closer to each other. */
#define OUTLIERS_DISTANCE DAY

/* Limit of outliers whose positions are recorded; further ones are only counted. */
#define OUTLIERS_REMARKS 8

struct timestamp_outlier {
    int64_t time;
    size_t source;  /* source file of the event */
    int64_t number; /* number of the event in the file, from 1 */
};

/* Finds outliers while events arrive. Initially zeroed. */
struct timestamp_outliers {
    struct timestamp_outlier last[3]; /* the last three events, newest last */
    int64_t seen;
    struct timestamp_outlier events[OUTLIERS_REMARKS]; /* positions of the first outliers found */
    int64_t found;
};

/* A file of the log, and data found while reading it. */
struct import_source {
    char *path;          /* owned */
    const char *name;    /* path of the file; "stdin" for - */
    const char *same_as; /* earlier file with equal content; NULL: none. Borrowed */
    char hash[INPUT_HASH_SIZE];
    const char *packing;
    struct peel_plan peel; /* layers of text around the file's lines, to be stripped */
    int64_t size;
    int64_t begins; /* the clock's range, added to the file's times, if the clock wrapped to 0
                       before this file; else 0 */
    uint8_t last;   /* last byte of the file */
    bool used;      /* true: the file was passed to the importer and has a row in `source` */
    /* earlier: number of records with a time before that of the previous record; earlier_by:
     * largest difference; earlier_offset: byte offset of the first of these records. */
    int64_t earlier, earlier_by, earlier_offset;
};

/* What one file contributed to a trace. */
struct import_share {
    int64_t events;
    int64_t rows;  /* number of rows in `event`: fewer than events if two records make one row */
    int64_t first; /* serial number of the file's first row; undefined if `rows` is 0 */
};

struct importer;
struct import_run;

/* A trace being filled. */
struct import {
    struct import_run *run;
    enum trace_kind kind;
    unsigned number;                    /* index in import_run.traces */
    struct lookup_cache words, threads; /* caches of import_function() and import_thread() */
    struct pair_numbers
        places; /* components of functions, for import_function_across_components() */

    /* Batches not yet in the queue: the one being filled, and a full one that is held back to sort
     * records slightly out of order. NULL: none. Serial numbers of rows count from 0; the rows of
     * `held` directly precede those of `current`. */
    struct batch *current, *held;
    int64_t emitted_time; /* largest time queued so far, or stored in the trace to append to */
    int64_t appended_to;  /* largest time stored in the trace to append to; INT64_MIN: none */
    bool ends_later;  /* true: rows are written when calls or states begin, and completed when they
                         end */
    int64_t late;     /* number of late events: queued after an event with a later time */
    int64_t resorted; /* number of times that batches had to be sorted or merged */

    struct timestamp_outliers outliers; /* finds events whose times are far from those of their
                                           neighbours; not used for spans */
    bool open;                          /* true: the time of the last event is not final yet */
    int64_t place; /* position of the last event's record in the log, as in event.response; only if
                      `run->places` */

    struct tally_context tally_context;
    struct tally tallies[TALLY_KINDS];
    bool tally_complete[TALLY_KINDS]; /* true: the tally (counts by dimensions) applies to this kind
                                         of trace, and has not exceeded its limit */

    struct latency_buckets *latencies; /* histogram of the durations of I/Os or calls, owned; NULL:
                                          counted at the end of the import */
    struct call_counts calls_counted;  /* counts by operation and error, for traces of calls */

    /* open calls of a trace of spans, owned; NULL: another kind of trace */
    struct span_tracker *spans;
    int64_t last_time;   /* last time of the records of spans; EVENT_NONE: none */
    bool spans_complete; /* true: the rollup of call times by function and thread did not exceed its
                            limit */

    struct ledger ledger;   /* outcomes of the records attributed to this trace */
    int64_t events;         /* number of records that were read and kept */
    int64_t rows;           /* number of rows of table event made from these `events` records */
    char *remarks[REMARKS]; /* owned */
    size_t remark_count;
    int64_t remarks_lost; /* number of remarks dropped beyond REMARKS */
    struct remap *remaps; /* mappings of I/Os to lower devices, owned; NULL: none */
    size_t remap_count;
    struct proven_losses proven; /* devices whose requests lack an issue or a completion */
    struct call_losses calls;    /* calls whose begin or end is missing in the log */
    /* Only if a loss is proven. unfinished: issues without completion; unissued: completions
     * without issue. */
    int64_t unfinished, unissued;
    const struct event_meaning *meanings[MEANINGS]; /* meanings of columns that the importer
                                                       declared in addition to its definition */
    size_t meaning_count;
    unsigned without; /* bits of enum event_column: columns that no event of the trace has */
    /* facts, FACT(…), that this log does not state, although its format may */
    unsigned without_facts;
    unsigned with_facts;   /* facts, FACT(…), that this log states, although its format may not */
    int64_t round;         /* profiling round from 1; EVENT_NONE: unknown */
    int64_t call_overhead; /* cost of measuring a call, in ns; EVENT_NONE: unknown */

    struct import_share *shares; /* contribution of each file; owned; one per source */
    /* Values of `events` and `rows` when reading of the current file started or continued. */
    int64_t events_before, rows_before;
    bool alternating; /* true: rows of one file lie between rows of another */
};

struct import_run {
    const struct importer *importer;
    const struct config *config;
    /* Values from struct import_options. */
    const struct importer *forced;   /* importer of -f; NULL: detect by content */
    int64_t record_size;             /* argument of --record-size; 0: not given */
    const char *const *only_devices; /* borrowed */
    size_t only_device_count;        /* 0: no device is ignored */
    bool strict;                     /* true: a rejected record makes the import fail */
    bool places;   /* true: stores the byte position of each call in the log (import_options) */
    bool sort;     /* true: sorts records by time before parsing */
    bool unsorted; /* true: records are out of order, so the import starts again with `sort` */
    bool again;    /* true: accepts content that an earlier import stored */
    const char *archive; /* archive that the files belong to (import_options); borrowed */
    bool folder;         /* true: the files are those of a directory (import_options) */
    bool again_within;   /* true: accepts several files with equal content */
    /* not 0: a signal ends the import; NULL: signals do not end it */
    const volatile sig_atomic_t *interrupted;
    struct error *error;  /* receives errors of the importer's thread */
    struct error failure; /* message that the importer set with import_failure() */
    bool failed;          /* true: import_failure() was called, or the name dictionary is full */
    atomic_bool ended;    /* set by the importer's thread when it needs no more input */
    bool without_rows;    /* true: the database has no rows of `event`, only event_column */
    struct queue queue;
    atomic_bool stop; /* set when the writer or the deriver has stopped */

    struct import traces[TRACE_KINDS]; /* indexed by `number` */
    unsigned trace_count;

    /* Dictionaries of the names of all traces. With several traces, each key begins with the
     * trace's number. */
    struct dictionary *names, *actors, *objects, *labels;
    struct label *label_texts; /* owned; up to LABEL_TEXTS, indexed by number */
    size_t label_capacity;
    struct text key;  /* buffer for dictionary keys */
    unsigned columns; /* bits of enum event_column: columns that the importer sets */

    struct {
        const char *unit, *clocks;
        int64_t hz;
    } clock;

    bool resuming;                      /* true: appends files to a trace */
    struct partitions partitions;       /* partitions stored with the trace to append to */
    const char *resumed, *resumed_rest; /* saved state of the trace to append to; `resumed_rest`:
                                           its part for import_saved_state(); NULL: new trace */

    struct losses losses; /* losses of the log, for all its traces */

    int64_t passed_over; /* number of files skipped because of their format */
    char earlier[96]; /* reason in the ledger for records that are earlier than the record before;
                         "": none */
    char variant[32];
    int64_t start, utc_offset; /* start: wall clock at time 0, ns since 1970 UTC; utc_offset:
                                  minutes east of UTC; EVENT_NONE: unknown */
    int64_t time_of_day;       /* time of day at time 0, ns since midnight, if `start` is unknown;
                                  EVENT_NONE: unknown */
    int64_t sessions;
    char *kept; /* owned; text of import_save_state(); NULL: none */

    struct import_source *sources; /* owned */
    size_t source_count;
    size_t source;         /* index in `sources` of the file being read */
    struct reader *reader; /* reader of the file being read; NULL: none */
    int64_t record; /* byte offset in the file of the stream's current record; EVENT_NONE: none */
    void *parsed;   /* owned; room for the result of parse_record() */
};

/* Returns whether a signal or a failure of the writer stopped the import. `run` is a struct
 * import_run. The signature is that of a callback of input_open(). */
static inline bool import_run_stopped(const void *run) {
    const struct import_run *stopped = run;

    return stopped->stop || (stopped->interrupted != NULL && *stopped->interrupted);
}

/* Returns whether the import was stopped or needs no more input: a callback for the input that the
 * importer reads. */
static inline bool import_run_ended(const void *run) {
    const struct import_run *ended = run;

    return ended->ended || import_run_stopped(run);
}

/* --- end of an import ------------------------------------------------------------------------- */

struct store;

/* Completes each trace: writes its files, ledger, remarks and rollups and the remaining columns of
 * its row in `trace`, and commits. `stores`: the stores of the run's traces; `name`: the name of
 * the log. Drops a trace without events if another trace has some, and adds its ledger to that
 * trace's. On failure, or if nothing is to be stored, returns false with `error` set and does not
 * commit. */
bool import_finish(struct import_run *run, struct store *stores, const char *name,
                   struct error *error);

#endif
