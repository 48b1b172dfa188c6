/* State of the analyses of durability, shared by its files: durability.c contains the pass, the
 * rows and the answers sent too early, durability_calls.c the lookup of files and the effects of
 * calls.
 */
#ifndef TRACETOOL_DURABILITY_STATE_H
#define TRACETOOL_DURABILITY_STATE_H

#include <stdlib.h>

#include "analysis/analysis.h"
#include "analysis/exposure.h"
#include "analysis/keyed_rows.h"
#include "base/memory.h"

enum {
    ANSWERS_MOST = 16,        /* alternatives of --ack */
    FILES_AT_FIRST = 1 << 16, /* number of files at which the first unreferenced ones are freed */
    RECENT_FILES = 1 << 12,   /* slots for the files found last */
    RECENT_THREADS = 64,      /* slots for the threads used last */
    OPENED_MOST = 1 << 20,    /* limit of files that descriptors lead to; the last ones stay */
    PLACES_MOST = 1 << 20,    /* limit of cached objects; then their names are read again */
    NAMES_FOUND = 1 << 17,    /* limit of names for findings */
    THREAD_FILES = 8,       /* limit of files per thread between two answers; the last ones stay */
    THREADS_MOST = 1 << 14, /* limit of threads with changes; the last ones stay */
};

/* What an analysis writes: bits of its `variant`. */
enum {
    WRITES_FILES = 1,
    LISTS_SYNCS = 2,
    COUNTS_SYNCS = 4,
    LISTS_ANSWERS = 8,
    COUNTS_EARLY = 16,   /* answers sent too early, and their file */
    ENDS_AT_LIMITS = 32, /* a trace beyond a limit, or without a sync, has no rows */
};

/* Effect of a call on files. */
enum does {
    DOES_OTHER, /* a call without such an effect, which only shows that the file exists */
    DOES_OPEN,
    DOES_READ,
    DOES_STAT,
    DOES_WRITE,
    DOES_CHANGE_LENGTH,
    DOES_CLONE,
    DOES_COPY,
    DOES_SYNC_FILE,
    DOES_SYNC_MAPPING,
    DOES_SYNC_RANGE,
    DOES_SYNC_SYSTEM,
    DOES_SYNC_ALL,
    DOES_MAP,
    DOES_UNMAP,
    DOES_RENAME,
    DOES_LINK,
    DOES_MAKE,
    DOES_REMOVE,
    DOES_ATTRIBUTES,
    DOES_CLOSE,
    DOES_UNSEEN,
    DOES_RING,
    DOES_RECEIVE,
    DOES_SEND,
    DOES_KINDS,
};

/* Values of the column `state`, in order. */
enum file_state {
    STATE_DURABLE,
    STATE_DATA,
    STATE_NAME,
    STATE_REPLACED,
    STATE_UNKNOWN,
    STATE_LOST,
    STATE_REMOVED,
};

/* Values of the column `reason`, in order; the first are those of enum name_change. */
enum file_reason {
    REASON_NONE,
    REASON_CREATED,
    REASON_LINKED,
    REASON_RENAMED,
    REASON_REMOVED,
    REASON_MOVED_AWAY,
    REASON_FOLDER,
    REASON_MAPPED,
    REASON_UNSEEN,
    REASON_UNFINISHED,
    REASON_DESCRIPTOR,
    REASON_MSYNCED,
    REASON_SYNCFS,
    REASON_ENDLESS,
    REASON_EXPOSED, /* replaced and still not synced */
    REASON_NOT_TOLD,
    REASON_SYNCFS_FAILED,
    REASON_FOLDER_FAILED,
};

/* Values of the column `outcome`, in order. */
enum sync_outcome {
    OUTCOME_DURABLE,
    OUTCOME_NOTHING,
    OUTCOME_FAILED,
    OUTCOME_RANGE,
    OUTCOME_UNKNOWN
};

/* An alternative of --ack: "sendto", "write of socket:*". */
struct answer {
    char *operation, *file; /* owned; NULL: any */
};

/* File of an open descriptor. */
struct opened_file {
    uint64_t key; /* object and generation */
    struct disk_file *file;
    UT_hash_handle hh;
};

/* A recently used file, with its object and generation. Checked before the hash table. */
struct recent_file {
    uint64_t key;
    struct disk_file *file; /* NULL: an empty slot */
};

/* Cached facts on an object. */
struct place {
    uint32_t object;
    unsigned moves;         /* value of tree.moves for which `node` is valid */
    struct name_node *node; /* NULL: not looked up */
    uint32_t answers; /* alternatives of --ack that match its name, a bit set; ~0: not computed */
    UT_hash_handle hh;
};

/* Files that a thread has changed since its last answer, with the end of the last change of
 * each. */
struct thread_writes {
    uint32_t actor;
    unsigned count; /* total number of files */
    struct {
        struct disk_file *file;
        int64_t end;
    } writes[THREAD_FILES];
    UT_hash_handle hh;
};

/* Set of ids: one bit per id, starting from the least. */
struct id_bits {
    uint64_t *bits; /* owned */
    int64_t least, count;
};

/* An answer, and what was exposed when it was sent. */
struct answered {
    int64_t bytes, files, names, time, trace;
    int64_t number; /* number of the answer, by order in the log */
    uint32_t actor, operation, object;
};

struct durability_state {
    struct analysis_context *context;
    struct exposure exposure;
    struct name_tree tree;
    struct opened_file *opened; /* this and `places`: owned hash tables */
    struct place *places;
    struct recent_file recent[RECENT_FILES]; /* subset of `opened` */
    sqlite3_stmt *find_name;                 /* owned */
    struct text path;
    uint8_t *does; /* owned; enum does, by name.id starting from `least`. For the name of an error:
                      whether a sync that fails with it may have lost data */
    uint32_t *answers; /* owned; alternatives of --ack, a bit set; indexed like `does` */
    int64_t least, does_count;
    struct id_bits there;   /* objects that existed before a call could have created them */
    struct id_bits seen;    /* set of objects that were opened */
    struct id_bits out;     /* objects known not to be files on disk */
    struct id_bits sockets; /* subset of `out` known to be sockets */
    struct answer ack[ANSWERS_MOST];
    size_t ack_count;
    struct answered *answered; /* owned; the worst answers until now, and the last ones */
    size_t answered_count, answered_capacity;
    size_t answered_kept; /* the first ones: sorted, and the worst of all but those after them */
    uint32_t any_file;    /* alternatives of --ack without a file, a bit set */
    int64_t answer_count, with_data,
        with_any; /* number of answers; of those sent while data, or anything, was exposed */
    struct intervals intervals;
    struct exposure_interval *interval_counts; /* owned */
    bool errors;                               /* the log has the errors of failed calls */
    bool untimed;                              /* times only order the calls: no ends */
    bool keeps_name;                           /* fsync of a new file also makes its name durable */
    bool ended;        /* the time of --at has passed, or the trace is skipped */
    unsigned epoch;    /* number of sync() calls */
    size_t collect;    /* number of files above which unreferenced ones are freed */
    bool unseen;       /* calls of io_uring or libaio occurred */
    int64_t at;        /* time of --at; INT64_MAX: not given */
    bool at_is_beyond; /* --at is after the end of a trace */
    int64_t end;       /* end of the last call */
    int64_t untold, untold_bytes,
        untold_last; /* writes and renames of unknown files: number, bytes, and time of the last */
    int64_t early_answers;         /* number of answers to requests */
    struct thread_writes *threads; /* owned hash table; a subset by actor: */
    struct thread_writes *recent_threads[RECENT_THREADS];
    struct id_bits known;    /* objects that were looked up in `sockets` */
    struct id_bits asked;    /* sockets from which data was received since the last send */
    struct keyed_rows syncs; /* struct sync_row */
};

static inline bool durability_does(const struct durability_state *state, int what) {
    return (state->context->analysis->variant & what) != 0;
}

/* A call to process. */
struct durability_call {
    enum does does;
    struct exposure_call sync; /* begin and end of the call */
    uint32_t operation, actor, object, second, flags;
    int64_t value, duration;
    int64_t error;
    bool good,
        endless; /* good: it succeeded; endless: its end is not in the log; neither: it failed */
};

/* Returns how often the path of a call's descriptor had been removed (CALL_GENERATION_SHIFT). */
static inline uint32_t generation_of(const struct durability_call *call) {
    return call->flags >> CALL_GENERATION_SHIFT;
}

/* --- files ------------------------------------------------------------------------------------ */

/* Initialises an empty set of ids; adds or removes an id; returns whether an id is in the set. */
static inline void id_bits_make(struct id_bits *bits, int64_t least, int64_t count) {
    free(bits->bits);
    *bits = (struct id_bits){xcalloc((size_t)count / 64 + 1, sizeof *bits->bits), least, count};
}

static inline void id_bits_put(struct id_bits *bits, uint32_t id, bool is) {
    uint64_t place = (uint64_t)id - (uint64_t)bits->least;

    if (place < (uint64_t)bits->count) {
        bits->bits[place / 64] &= ~(UINT64_C(1) << place % 64);
        bits->bits[place / 64] |= (uint64_t)is << place % 64;
    }
}

static inline void id_bits_set(struct id_bits *bits, uint32_t id) {
    id_bits_put(bits, id, true);
}

static inline bool id_bits_has(const struct id_bits *bits, uint32_t id) {
    uint64_t place = (uint64_t)id - (uint64_t)bits->least;

    return place < (uint64_t)bits->count && (bits->bits[place / 64] >> place % 64 & 1) != 0;
}

/* Returns the cached facts on an object, and adds them if new. */
struct place *durability_place(struct durability_state *state, uint32_t object);

/* Reads the name of an object into `state->path`, and whether it has a file type; false if it has
 * no name. */
bool durability_read_name(struct durability_state *state, uint32_t object, bool *typed);

/* Returns the name that an object refers to now. NULL: it is not a file on disk, or nothing is
 * known there and `make` is not set. */
struct name_node *durability_node(struct durability_state *state, uint32_t object, bool make);

/* Makes the file's changes durable if sync() was called since the file's last lookup. Returns the
 * file, or NULL. */
struct disk_file *durability_apply_sync_of_all(const struct durability_state *state,
                                               struct disk_file *file);

/* --- calls ------------------------------------------------------------------------------------ */

/* Returns the effect of an operation of that name. */
enum does durability_effect_of_operation(const char *operation);

/* Processes a call. exposure_advance() must have been called for its begin. */
void durability_handle(struct durability_state *state, const struct durability_call *call);

/* --- for findings -----------------------------------------------------------------------------
 */

/* Records that the call's thread has changed the file without making the change durable. */
void early_wrote(struct durability_state *state, const struct durability_call *call,
                 struct disk_file *file);

/* Number of syncs of an object with an outcome; `took`: total duration of the `timed` ones. */
struct sync_row {
    uint32_t object, outcome;
    int64_t count, took, timed;
};

#endif
