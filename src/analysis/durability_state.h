/* State of the analyses of durability, shared by two files. durability.c has the pass, the rows and
 * early answers; durability_calls.c has the lookup of files and the effects of calls. */
#ifndef TRACETOOL_DURABILITY_STATE_H
#define TRACETOOL_DURABILITY_STATE_H

#include <stdlib.h>

#include "analysis/analysis.h"
#include "analysis/exposure.h"
#include "analysis/keyed_rows.h"
#include "base/memory.h"

enum {
    ANSWERS_MOST = 16, /* limit of patterns that --ack takes */
    /* Number of files at which unreferenced ones are freed for the first time. */
    FILES_AT_FIRST = 1 << 16,
    RECENT_FILES = 1 << 12, /* slots of a cache of files, by key */
    RECENT_THREADS = 64,    /* slots of a cache of threads, by actor */
    OPENED_MOST = 1 << 20,  /* limit of open files that are known; the last ones stay */
    PLACES_MOST = 1 << 20,  /* limit of cached objects; beyond that their names are read again */
    NAMES_FOUND = 1 << 17,  /* limit of names in analyses for findings */
    /* Limit of files changed by a thread between two answers; the last ones stay. */
    THREAD_FILES = 8,
    THREADS_MOST = 1 << 14, /* limit of threads with changed files; the last ones stay */
    EARLY_MOST = 1 << 12,   /* limit of sets of files in struct early_answers */
};

/* What an analysis computes: bits of its `variant`. */
enum {
    WRITES_FILES = 1,
    LISTS_SYNCS = 2,
    COUNTS_SYNCS = 4,
    LISTS_ANSWERS = 8,
    COUNTS_EARLY = 16, /* counts answers sent too early, and finds the file that made them early */
    ENDS_AT_LIMITS = 32, /* a trace that exceeds a limit, or has no sync, gets no rows */
};

/* What a call does to files. */
enum does {
    DOES_OTHER, /* has no effect, and only shows that the file exists */
    DOES_OPEN,
    DOES_READ,
    DOES_STAT,
    DOES_WRITE,
    DOES_CHANGE_LENGTH,
    DOES_TRUNCATE,
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

/* Numbers in the column `state` of temp.durability_file. */
enum file_state {
    STATE_DURABLE,
    STATE_DATA,
    STATE_NAME,
    STATE_REPLACED,
    STATE_UNKNOWN,
    STATE_LOST,
    STATE_REMOVED,
};

/* Numbers in the column `reason` of temp.durability_file; first those of enum name_change. */
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
    REASON_EXPOSED, /* replaced by a rename, and not synced since */
    REASON_NOT_TOLD,
    REASON_SYNCFS_FAILED,
    REASON_FOLDER_FAILED,
};

/* Numbers in the column `outcome` of the tables of syncs. */
enum sync_outcome {
    OUTCOME_DURABLE,
    OUTCOME_NOTHING,
    OUTCOME_FAILED,
    OUTCOME_RANGE,
    OUTCOME_UNKNOWN
};

/* A pattern of --ack for calls that answer: "sendto", "write of socket:*". */
struct answer {
    char *operation, *file; /* owned; operation and file pattern; NULL: any */
};

/* The file of an open descriptor. */
struct opened_file {
    uint64_t key; /* object.id, and the number of times its path had been replaced (generation) */
    struct disk_file *file;
    UT_hash_handle hh;
};

/* A recently used file by key (object and generation). Looked up before the hash table. */
struct recent_file {
    uint64_t key;
    struct disk_file *file; /* file with the key; NULL: the slot is empty */
};

/* Cached facts on an object, a file or socket of the log. */
struct place {
    uint32_t object;
    unsigned moves; /* value of tree.moves when `node` was found; another value makes it invalid */
    struct name_node *node; /* name to which the object refers; NULL: not looked up */
    uint32_t answers;       /* bit set: patterns of --ack whose file matches; ~0: not computed */
    UT_hash_handle hh;
};

/* Files that a thread has changed since its last answer, each with the end of its last change. */
struct thread_writes {
    uint32_t actor;
    unsigned count; /* number of files changed */
    struct {
        struct disk_file *file;
        int64_t end;
    } writes[THREAD_FILES];
    UT_hash_handle hh;
};

/* Early answers after changes of several files, none of which had been synced. They count if the
 * log syncs one of these files later. */
struct early_answers {
    struct disk_file *files[THREAD_FILES]; /* the key; the last ones may be NULL */
    int64_t count;
    UT_hash_handle hh;
};

/* A set of ids: one bit per id, starting from `least`. */
struct id_bits {
    uint64_t *bits; /* owned */
    int64_t least, count;
};

/* A call that answers, and the bytes, files and names not on disk when it began. */
struct answered {
    int64_t bytes, files, names, time, trace;
    int64_t number; /* number of the answer, in order of the log */
    uint32_t actor, operation, object;
};

struct durability_state {
    struct analysis_context *context;
    struct exposure exposure;
    struct name_tree tree;
    struct opened_file *opened; /* owned hash tables: `opened` and `places` */
    struct place *places;
    struct recent_file recent[RECENT_FILES]; /* cache of some of `opened` */
    sqlite3_stmt *find_name;                 /* owned */
    struct text path;
    /* Owned; by name.id - least: the operation's enum does. For the name of an error: whether a
     * sync that fails with it may have lost data. */
    uint8_t *does;
    /* Owned; by name.id - least: bit set of patterns of --ack that match the operation. */
    uint32_t *answers;
    int64_t least, does_count;
    struct id_bits there;   /* objects that existed before any call could have created them */
    struct id_bits seen;    /* objects that were opened */
    struct id_bits out;     /* objects that are known not to be files on disk */
    struct id_bits sockets; /* objects of `out` that are known to be sockets */
    struct answer ack[ANSWERS_MOST];
    size_t ack_count;
    /* Owned; `answered_kept` of the worst answers, sorted, then answers not compared yet. */
    struct answered *answered;
    size_t answered_count, answered_capacity;
    size_t answered_kept; /* number of sorted answers at the begin of `answered` */
    uint32_t any_file;    /* bit set: patterns of --ack that name no file */
    int64_t answer_count, with_data,
        /* Number of answers; of answers while data was not on disk; while data or names were
         * not. */
        with_any;
    struct intervals intervals;
    struct exposure_interval *interval_counts; /* owned */
    bool errors;                               /* the log has the errors of failed calls */
    bool untimed;    /* times only order the calls, and ends are unknown */
    bool keeps_name; /* fsync of a new file also makes its name durable */
    bool ended;      /* no more calls count: the time of --at has passed, or the trace is skipped */
    unsigned epoch;  /* number of sync() calls until now */
    size_t collect;  /* number of files above which files without a name are freed */
    bool unseen;     /* calls of io_uring or libaio occurred, which may write unseen */
    int64_t at;      /* time of --at; INT64_MAX: not given */
    bool at_is_beyond;   /* --at is after the end of a trace */
    int64_t end;         /* end of the last call */
    int64_t fails_until; /* end of the last syncfs that failed; INT64_MIN: none */
    int64_t untold, untold_bytes,
        /* Calls that write or rename unknown files: number, bytes, and time of the last. */
        untold_last;
    int64_t early_answers; /* number of answers to requests */
    /* Owned hash table; `recent_threads` is a cache of some, by actor. */
    struct thread_writes *threads;
    struct thread_writes *recent_threads[RECENT_THREADS];
    struct early_answers *early; /* owned hash table */
    struct id_bits known;        /* objects for which `sockets` is up to date */
    struct id_bits asked;        /* sockets that have received data since the last send */
    struct keyed_rows syncs;     /* hash table of struct sync_row */
};

static inline bool durability_does(const struct durability_state *state, int what) {
    return (state->context->analysis->variant & what) != 0;
}

/* A call whose effect on files is tracked. */
struct durability_call {
    enum does does;
    struct exposure_call sync; /* begin and end of the call */
    uint32_t operation, actor, object, second, flags;
    int64_t value, duration;
    int64_t error;
    bool good,
        /* Good: the call succeeded; endless: its end is not in the log; neither: it failed. */
        endless;
};

/* Returns how often the path of a call's descriptor had been removed or replaced when it was opened
 * (CALL_GENERATION_SHIFT). */
static inline uint32_t generation_of(const struct durability_call *call) {
    return call->flags >> CALL_GENERATION_SHIFT;
}

/* --- looking up files and names --------------------------------------------------------------- */

/* Functions on sets of ids: initialise an empty set; add or remove an id; look an id up. */
static inline void id_bits_make(struct id_bits *bits, int64_t least, int64_t count) {
    free(bits->bits);
    *bits = (struct id_bits){xcalloc((size_t)count / 64 + 1, sizeof *bits->bits), least, count};
}

static inline void id_bits_put(struct id_bits *bits, uint32_t id, bool bit) {
    uint64_t place = (uint64_t)id - (uint64_t)bits->least;

    if (place < (uint64_t)bits->count) {
        bits->bits[place / 64] &= ~(UINT64_C(1) << place % 64);
        bits->bits[place / 64] |= (uint64_t)bit << place % 64;
    }
}

static inline void id_bits_set(struct id_bits *bits, uint32_t id) {
    id_bits_put(bits, id, true);
}

static inline bool id_bits_has(const struct id_bits *bits, uint32_t id) {
    uint64_t place = (uint64_t)id - (uint64_t)bits->least;

    return place < (uint64_t)bits->count && (bits->bits[place / 64] >> place % 64 & 1) != 0;
}

/* Returns the cached facts on an object, and adds them to the cache if missing. */
struct place *durability_place(struct durability_state *state, uint32_t object);

/* Reads the name of an object into `state->path`, and sets whether it has a file type. Returns
 * false if it has no name. */
bool durability_read_name(struct durability_state *state, uint32_t object, bool *typed);

/* Returns the name (path) that an object refers to now. NULL: it is not a file on disk, or the name
 * is new and `make` is not set. */
struct name_node *durability_find_name(struct durability_state *state, uint32_t object, bool make);

/* Makes the file's changes durable if a sync() was called since the file was looked up last.
 * Returns the file; NULL for NULL. */
struct disk_file *durability_apply_sync_of_all(const struct durability_state *state,
                                               struct disk_file *file);

/* Returns what a call of an operation does, by the operation's name. */
enum does durability_effect_of_operation(const char *operation);

/* Handles the effect of a call on files. exposure_advance() must have been called for its begin. */
void durability_handle(struct durability_state *state, const struct durability_call *call);

/* Records that the call's thread has changed the file, and not made it durable. */
void early_note_write(struct durability_state *state, const struct durability_call *call,
                      struct disk_file *file);

/* Number of syncs of an object that had an outcome; `took`: total duration of the `timed` ones. */
struct sync_row {
    uint32_t object, outcome;
    int64_t count, took, timed;
};

#endif
