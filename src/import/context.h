/* The state of a running import, shared by the files of this room. Importers see none of it.
 *
 * There is one `struct import_run`, and in it a `struct import` for each trace that is being
 * filled: one, or one a kind where the format tells several kinds of events apart. What an importer
 * is given is the latter. All of it belongs to the importer's thread until that has ended, but for
 * the queue, `stop`, and, of traces that are not of spans, tallies and rollups, which are the
 * deriver's (import.c).
 */
#ifndef TRACETOOL_CONTEXT_H
#define TRACETOOL_CONTEXT_H

#include <signal.h>
#include <stdatomic.h>

#include "base/text.h"
#include "base/time_unit.h"
#include "config/config.h"
#include "import/call_losses.h"
#include "import/dictionary.h"
#include "import/ledger.h"
#include "import/losses.h"
#include "import/pairing.h"
#include "import/queue.h"
#include "input/input.h"
#include "input/peel_plan.h"
#include "input/reader.h"
#include "model/remap.h"
#include "model/tally.h"
#include "store/rollup_tables.h"
#include "store/trace_tables.h"

#define REMARKS  64
#define MEANINGS 4

/* Labels kept as text. Each dimension has at most TALLY_ROWS while its tally is complete. */
#define LABEL_TEXTS (4 * TALLY_ROWS)

struct label {
    char *text; /* owned; NULL: not kept */
    size_t length;
};

/* Time stamps that are far from those around them, in the order of the log: of a clock that was
 * set, or damaged. They are kept, and remarked on. */

/* More than so many nanoseconds from its neighbours, which are no farther from one another. */
#define OUTLIERS_DISTANCE DAY

/* Single ones that are remembered; the others are counted. */
#define OUTLIERS_REMARKS 8

struct timestamp_outlier {
    int64_t time;
    size_t source;  /* the file it is from, and … */
    int64_t number; /* … which of its events it is, from 1 */
};

/* A zeroed one is ready. */
struct timestamp_outliers {
    struct timestamp_outlier last[3]; /* the latest is the third */
    int64_t seen;
    struct timestamp_outlier events[OUTLIERS_REMARKS]; /* the first ones found */
    int64_t found;
};

/* One file of the log, as far as it has been read. */
struct import_source {
    char *path;          /* owned */
    const char *name;    /* the path, "stdin" for - */
    const char *same_as; /* the name of an earlier one of equal content; NULL: none. Borrowed */
    char hash[INPUT_HASH_SIZE];
    const char *packing;
    struct peel_plan peel; /* what is around its lines */
    int64_t size;
    int64_t begins; /* as a stream's */
    bool used;      /* handed to the importer: it has a row in `source` */
    /* Records that are earlier than the one before: how many, by how much at most, and where the
     * first of them lies. */
    int64_t earlier, earlier_by, earlier_offset;
};

/* What one trace got from one file. */
struct import_share {
    int64_t events;
    int64_t rows;  /* of `event`: fewer than events where two records make one */
    int64_t first; /* serial number of its first row; meaningless without rows */
};

struct importer;
struct import_run;

/* A trace that is being filled. */
struct import {
    struct import_run *run;
    enum trace_kind kind;
    unsigned number; /* which of the run's traces it is */

    /* Batches on this side of the queue: the one being filled, and one held back to sort what the
     * log has slightly out of order. NULL: none. Rows have successive serial numbers from 0: those
     * of `held` come right before those of `current`. */
    struct batch *current, *held;
    int64_t emitted_time; /* largest time handed over so far */
    bool ends_later;  /* rows are written when what they tell of begins, and completed at its end */
    int64_t late;     /* events handed over after a later one */
    int64_t resorted; /* times that events had to be put in order */

    struct timestamp_outliers outliers; /* not of spans */
    bool open;                          /* the last event's time has not been noted */

    struct tally_context tally_context;
    struct tally tallies[TALLY_KINDS];
    bool tally_complete[TALLY_KINDS]; /* applies, and did not grow beyond its bound */

    struct latency_buckets *latencies; /* owned; NULL: they are counted at the end, … */
    struct call_counts calls_counted;  /* … and so are these, which are of traces of calls */

    struct span_tracker *spans; /* owned; NULL for other kinds of trace */
    int64_t last_time;          /* of records of spans; EVENT_NONE: none */
    bool spans_complete;        /* the times by function did not grow beyond their bound */

    struct ledger ledger;   /* of the records that are this trace's to explain */
    int64_t events;         /* records read and kept */
    int64_t rows;           /* what became of them */
    char *remarks[REMARKS]; /* owned */
    size_t remark_count;
    int64_t remarks_lost; /* beyond REMARKS */
    struct remap *remaps; /* owned; NULL: none */
    size_t remap_count;
    struct proven_losses proven; /* devices that lack ends of requests */
    struct call_losses calls;    /* begins and ends that are missing */
    /* Where a loss is proven: issues without a completion, completions without an issue. */
    int64_t unfinished, unissued;
    const struct event_meaning *meanings[MEANINGS]; /* beside the importer's */
    size_t meaning_count;
    unsigned without;       /* columns that mean nothing in it: enum event_column */
    unsigned without_facts; /* FACT(…) that this log does not state */
    int64_t round;          /* EVENT_NONE: not known */
    int64_t call_overhead;  /* EVENT_NONE: not known */

    struct import_share *shares; /* owned: by source */
    /* `events` and `rows` when the current source began to be read, or went on. */
    int64_t events_before, rows_before;
    bool alternating; /* the rows of a file are not one range */
};

struct import_run {
    const struct importer *importer;
    const struct config *config;
    /* Of the options. */
    const struct importer *forced;            /* NULL: by content */
    int64_t record_size;                      /* 0: not given */
    const char *const *only_devices;          /* borrowed */
    size_t only_device_count;                 /* 0: all */
    bool strict;                              /* a rejected record is a failure */
    bool sort;                                /* records are sorted by time before they are taken */
    bool unsorted;                            /* they have to be: the import begins again */
    bool again;                               /* content that is there already is welcome */
    bool again_within;                        /* and so is the same content in several files */
    const volatile sig_atomic_t *interrupted; /* NULL: never */
    struct error *error;                      /* of the importer's thread */
    struct error failure;                     /* what the importer says: import_failure() */
    bool failed;                              /* it said so, or a name found no room */
    bool ended;                               /* nobody wants more; the importer's thread's */
    bool without_rows; /* the database has columns alone: no argument bytes */
    struct queue queue;
    atomic_bool stop; /* the writer, or the deriver, has given up */

    struct import traces[TRACE_KINDS]; /* `number` is the place */
    unsigned trace_count;

    /* Names of all traces: where there are several, their kind is part of the key. */
    struct dictionary *names, *actors, *objects, *labels;
    struct label *label_texts; /* owned; up to LABEL_TEXTS of them, by number */
    size_t label_capacity;
    struct text key;  /* room to build dictionary keys in */
    unsigned columns; /* enum event_column: those that the importer sets */

    struct {
        const char *unit, *clocks;
        int64_t hz;
    } clock;

    bool resuming;                      /* files are appended to a trace */
    struct partitions partitions;       /* of that trace */
    const char *resumed, *resumed_rest; /* NULL: it is new; what import_kept() gives */

    struct losses losses; /* of the log, for all its traces */

    int64_t passed_over; /* files */
    char earlier[96]; /* the reason in the ledger; "": no record is earlier than the one before */
    char variant[32];
    int64_t start, utc_offset; /* EVENT_NONE: not known */
    int64_t time_of_day;       /* of time 0, where `start` is not known; EVENT_NONE: nor is this */
    int64_t sessions;
    char *kept; /* owned */

    struct import_source *sources; /* owned */
    size_t source_count;
    size_t source;         /* the one being read */
    struct reader *reader; /* of it; NULL: none is being read */
};

/* Whether the import has come to an end, by a signal or a failing writer. `run` is an import_run;
 * for input_open(). */
static inline bool import_run_stopped(const void *run) {
    const struct import_run *stopped = run;

    return stopped->stop || (stopped->interrupted != NULL && *stopped->interrupted);
}

/* The same, or what is read is not to be kept: for the importer's own input. */
static inline bool import_run_ended(const void *run) {
    const struct import_run *ended = run;

    return ended->ended || import_run_stopped(run);
}

/* --- its steps -----------------------------------------------------------------------------------
 */

struct store;

/* Writes files, ledger, remarks, rollups and the rest of the row of each trace, and commits;
 * `stores` are those of the run's traces, and `name` is that of the log. A trace that got no event
 * is not kept, when another one did: what it has to explain goes to that. False with `error` set
 * when what was read is not to be kept, or on failure: nothing is committed then. */
bool import_finish(struct import_run *run, struct store *stores, const char *name,
                   struct error *error);

#endif
