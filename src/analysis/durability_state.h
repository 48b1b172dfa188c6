/* State of the durability analyses, shared by two files. durability.c has the pass, the rows and
 * the early answers; durability_calls.c finds files and applies the effects of calls. */
#ifndef TRACETOOL_DURABILITY_STATE_H
#define TRACETOOL_DURABILITY_STATE_H

#include <stdlib.h>

#include "analysis/analysis.h"
#include "analysis/exposure.h"
#include "analysis/keyed_rows.h"
#include "base/memory.h"

enum {
    ANSWERS_MOST = 16, /* limit of patterns in --ack */
    /* Number of files at which files without a name are freed for the first time. */
    FILES_AT_FIRST = 1 << 16,
    RECENT_FILES = 1 << 12, /* slots of a cache of files, by key */
    RECENT_THREADS = 64,    /* slots of a cache of threads, by actor.id */
    OPENED_MOST = 1 << 20,  /* limit of descriptors' files in memory; the oldest are dropped */
    /* Limit of cached objects; beyond it, all are dropped and names are read again. */
    PLACES_MOST = 1 << 20,
    NAMES_FOUND = 1 << 17, /* limit of names in the analysis for findings */
    /* Limit of files changed by a thread between two answers; the oldest changes are dropped. */
    THREAD_FILES = 8,
    THREADS_MOST = 1 << 14, /* limit of threads with changed files; the oldest are dropped */
    EARLY_MOST = 1 << 12,   /* limit of different sets of files in struct early_answers */
};

/* Bits of analysis.variant: what an analysis computes. */
enum {
    WRITES_FILES = 1,
    LISTS_SYNCS = 2,
    COUNTS_SYNCS = 4,
    LISTS_ANSWERS = 8,
    COUNTS_EARLY = 16, /* counts answers sent before the data was on disk, and finds the files that
                          made most of them early */
    ENDS_AT_LIMITS = 32, /* a trace that exceeds a limit, or has no sync, gets no rows */
};

/* The effect of a system call on files. */
enum does {
    DOES_OTHER, /* no effect, but shows that its file exists */
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

/* Numbers in the column `reason` of temp.durability_file, in part for the values of enum
 * name_change. */
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
    REASON_EXPOSED, /* was renamed before its data was on disk, and has not been synced since */
    REASON_NOT_TOLD,
    REASON_SYNCFS_FAILED,
    REASON_FOLDER_FAILED,
};

/* Numbers in the column `outcome` of durability_sync and durability_sync_count. */
enum sync_outcome {
    OUTCOME_DURABLE,
    OUTCOME_NOTHING,
    OUTCOME_FAILED,
    OUTCOME_RANGE,
    OUTCOME_UNKNOWN
};

/* A pattern of --ack for calls that answer requests: "sendto", "write of socket:*". */
struct answer {
    char *operation, *file; /* owned; operation and file pattern; NULL: any */
};

/* The file to which an open descriptor refers. */
struct opened_file {
    uint64_t key; /* object.id << 32 | number of replacements of its path before the open */
    struct disk_file *file;
    UT_hash_handle hh;
};

/* A recently used file: element of a cache in front of the hash table `opened`. */
struct recent_file {
    uint64_t key;
    struct disk_file *file; /* file with the key; NULL: the slot is empty */
};

/* Cache entry of an object of the log (a file or socket). */
struct place {
    uint32_t object;
    unsigned moves;         /* tree.moves when `node` was found; if changed, `node` is invalid */
    struct name_node *node; /* path node to which the object refers; NULL: not looked up */
    uint32_t answers; /* bit set of the --ack patterns that match this file's name; UINT32_MAX: not
                         computed yet */
    UT_hash_handle hh;
};

/* Files that a thread has changed since it last answered a request, with the ends of the last
 * changes. */
struct thread_writes {
    uint32_t actor;
    unsigned count; /* number of files changed; only the last THREAD_FILES are stored */
    struct {
        struct disk_file *file;
        int64_t end;
    } writes[THREAD_FILES];
    UT_hash_handle hh;
};

/* Number of answers sent before changes of the same files were on disk, if none of these files had
 * ever been synced. They count as early if the log syncs one of the files later. */
struct early_answers {
    struct disk_file *files[THREAD_FILES]; /* the key; unused elements at the end are NULL */
    int64_t count;
    UT_hash_handle hh;
};

/* A set of ids: one bit per id from `least` on. */
struct id_bits {
    uint64_t *bits; /* owned */
    int64_t least, count;
};

/* A call that answers a request, with the bytes, files and names not on disk when it began. */
struct answered {
    int64_t bytes, files, names, time, trace;
    int64_t number; /* number of the answer in the order of the log, from 1 */
    uint32_t actor, operation, object;
};

struct durability_state {
    struct analysis_context *context;
    struct exposure exposure;
    struct name_tree tree;
    struct opened_file *opened; /* owned hash tables: `opened` and `places` */
    struct place *places;
    struct recent_file recent[RECENT_FILES]; /* cache of some elements of `opened` */
    sqlite3_stmt *find_name;                 /* owned */
    struct text path;
    /* Owned; by name.id - least. If the name is an operation: its enum does. If it is an error:
     * whether a sync that fails with it may have lost data. */
    uint8_t *does;
    /* Owned; by name.id - least: bit set of patterns of --ack that match the operation. */
    uint32_t *answers;
    int64_t least, does_count;
    struct id_bits there;   /* files that existed before calls of the log could create them */
    struct id_bits seen;    /* files (object.id) that were opened */
    struct id_bits out;     /* objects (files, sockets …) that are no files on disk */
    struct id_bits sockets; /* objects of `out` that are known to be sockets */
    struct answer ack[ANSWERS_MOST];
    size_t ack_count;
    /* Owned; the worst `answered_kept` answers, sorted, then answers not compared yet. */
    struct answered *answered;
    size_t answered_count, answered_capacity;
    size_t answered_kept; /* number of sorted answers at the begin of `answered` */
    uint32_t any_file;    /* bit set: patterns of --ack that name no file */
    int64_t answer_count, with_data,
        /* answer_count: all answers; with_data: sent while data was not on disk; with_any: sent
           while data or names were not. */
        with_any;
    struct intervals intervals;
    struct exposure_interval *interval_counts; /* owned */
    bool errors;                               /* true: the log has error codes of failed calls */
    bool untimed;      /* true: ends of calls are unknown, so calls count in order of their begin */
    bool keeps_name;   /* fsync of a new file also makes its name durable */
    bool ended;        /* true: no more calls count (after --at, or the trace is skipped) */
    unsigned epoch;    /* number of sync() calls so far */
    size_t collect;    /* files without a name are freed when there are more files than this */
    bool unseen;       /* true: io_uring or libaio was used, whose writes are not in the log */
    int64_t at;        /* time of --at in the trace; INT64_MAX: not given */
    bool at_is_beyond; /* true: --at is after the end of a trace */
    int64_t end;       /* end of the latest call */
    int64_t fails_until; /* end of the last failed syncfs; INT64_MIN: none */
    int64_t untold, untold_bytes,
        /* Calls that change unknown files: number, bytes written, begin of the last write. */
        untold_last;
    int64_t early_answers; /* number of answers to requests (data sent on sockets) in the trace */
    /* Owned hash table; `recent_threads` caches some of its elements, by actor.id. */
    struct thread_writes *threads;
    struct thread_writes *recent_threads[RECENT_THREADS];
    struct early_answers *early; /* owned hash table, by its set of files */
    struct id_bits known;        /* objects for which it is known whether they are in `sockets` */
    struct id_bits asked;        /* sockets that have received data since the last send */
    struct keyed_rows syncs;     /* hash table of struct sync_row */
};

static inline bool durability_computes(const struct durability_state *state, int what) {
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
        /* good: the call succeeded; endless: its end is not in the log. Neither: it failed. */
        endless;
};

/* Returns how often the path of a call's descriptor had been removed or replaced before it was
 * opened (CALL_GENERATION_SHIFT). */
static inline uint32_t generation_of(const struct durability_call *call) {
    return call->flags >> CALL_GENERATION_SHIFT;
}

/* --- looking up files and names --------------------------------------------------------------- */

/* Sets of ids. id_bits_make() makes an empty set; the others add, remove or look up an id. */
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

/* Returns the cache entry of an object, and adds it if missing. */
struct place *durability_place(struct durability_state *state, uint32_t object);

/* Reads an object's name into state->path, and sets `*typed` to whether it has a file type. Returns
 * false if it has no name. */
bool durability_read_name(struct durability_state *state, uint32_t object, bool *typed);

/* Returns the path node to which an object refers now. NULL: it is not a file on disk, or there is
 * no node yet and `make` is false. */
struct name_node *durability_find_name(struct durability_state *state, uint32_t object, bool make);

/* Applies the sync() calls since the last lookup of a file: marks the file's changes except writes
 * as on disk. Returns the file; NULL for NULL. */
struct disk_file *durability_apply_sync_of_all(const struct durability_state *state,
                                               struct disk_file *file);

/* Returns the effect of a system call, by its name. */
enum does durability_effect_of_operation(const char *operation);

/* Applies a call's effect on files. Before, call exposure_advance() with the time of the call's
 * begin. */
void durability_apply_call(struct durability_state *state, const struct durability_call *call);

/* Records that the call's thread has changed the file without putting the change on disk. */
void early_note_write(struct durability_state *state, const struct durability_call *call,
                      struct disk_file *file);

/* Number of syncs of an object (file, directory …) with one outcome. `timed`: those with a
 * duration; `took`: their total duration. */
struct sync_row {
    uint32_t object, outcome;
    int64_t count, took, timed;
};

#endif
