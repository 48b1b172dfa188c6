/* The state of the analysis `durability`, which its files share: durability.c has the pass and the
 * rows, durability_calls.c what calls do, durability_files.c which files they do it to,
 * durability_early.c which answers came too early. */
#ifndef TRACETOOL_DURABILITY_STATE_H
#define TRACETOOL_DURABILITY_STATE_H

#include <stdlib.h>

#include "analysis/analysis.h"
#include "analysis/exposure.h"
#include "base/memory.h"

enum {
    ANSWERS_MOST = 16, /* alternatives of --ack */
    MEDIA_ERRORS = 3,
    FILES_AT_FIRST = 1 << 16, /* before the first that are gone are freed */
    THREAD_FILES = 8,         /* that a thread writes between two answers; then the last ones */
};

/* What a call does to files. */
enum does {
    DOES_OTHER, /* shows that its file is there */
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
    DOES_UNSEEN,
    DOES_RECEIVE,
    DOES_SEND,
    DOES_KINDS,
};

/* The order of `state` in the table. */
enum file_state {
    STATE_DURABLE,
    STATE_DATA,
    STATE_NAME,
    STATE_REPLACED,
    STATE_UNKNOWN,
    STATE_LOST,
    STATE_REMOVED,
};

/* The order of `reason`; the first are those of enum name_change. */
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
    REASON_EXPOSED, /* replaced, and still not synced */
    REASON_NOT_TOLD,
};

/* The order of `outcome`. */
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

/* A file as descriptors lead to it. */
struct opened_file {
    uint64_t key; /* object and generation */
    struct disk_file *file;
    UT_hash_handle hh;
};

/* What is known of an object. */
struct place {
    uint32_t object;
    bool is_out;            /* no file on a disk */
    bool is_socket;         /* that is why */
    bool asked;             /* something came from the socket since the last was sent there */
    unsigned moves;         /* `node` is right while no further folder was renamed */
    struct name_node *node; /* NULL: not looked for */
    uint32_t answers;       /* bit set of alternatives of --ack that its name fits; ~0: not asked */
    UT_hash_handle hh;
};

/* Files that a thread has changed since its last answer, and when the last change of each ended. */
struct thread_writes {
    uint32_t actor;
    unsigned count; /* all that there were */
    struct {
        struct disk_file *file;
        int64_t end;
    } writes[THREAD_FILES];
    UT_hash_handle hh;
};

/* Whether ids have something: a bit an id from the least on. */
struct id_bits {
    uint64_t *bits; /* owned */
    int64_t least, count;
};

struct durability_state {
    struct analysis_context *context;
    struct exposure exposure;
    struct name_tree tree;
    struct opened_file *opened; /* these two are owned hash tables */
    struct place *places;
    const struct opened_file *last; /* that was found */
    sqlite3_stmt *find_name;        /* owned */
    struct text path;
    uint8_t *does;     /* owned; enum does, by name.id from `least` on */
    uint32_t *answers; /* owned; the same: bit set of alternatives of --ack */
    int64_t least, does_count;
    struct id_bits there; /* objects that were there before anybody may have made them */
    struct id_bits seen;  /* that were opened */
    int64_t media_errors[MEDIA_ERRORS]; /* EIO and others by which data are lost; 0: none */
    struct answer ack[ANSWERS_MOST];
    size_t ack_count;
    struct intervals intervals;
    struct exposure_interval *interval_counts; /* owned */
    bool errors;                               /* the log says what calls failed with */
    bool keeps_name;                           /* a new file's own fsync keeps its name */
    bool ended;                                /* --at is behind, or nothing is looked at */
    unsigned epoch;                            /* how many times sync was called */
    size_t collect; /* files that nothing leads to are freed when there are more */
    bool unseen;    /* there were calls of io_uring or libaio */
    int64_t at;     /* INT64_MAX: not given */
    int64_t end;    /* of the last call */
    int64_t untold, untold_bytes, untold_last; /* writes on descriptors without a file */
    bool counts_early;                         /* answers are counted, for findings */
    int64_t early_answers;                     /* how many there were */
    struct thread_writes *threads;             /* owned hash table */
    struct id_bits files;                      /* objects that are no sockets */
};

/* A call that is looked at. */
struct durability_call {
    enum does does;
    struct exposure_call sync; /* begin and end */
    uint32_t operation, actor, object, second, flags;
    int64_t value, duration;
    int64_t error;
    bool good, endless; /* neither: it failed */
};

/* --- files ------------------------------------------------------------------------------------ */

/* Makes an empty set of ids; adds one; whether one is in it. */
static inline void id_bits_make(struct id_bits *bits, int64_t least, int64_t count) {
    free(bits->bits);
    *bits = (struct id_bits){xcalloc((size_t)count / 64 + 1, sizeof *bits->bits), least, count};
}

static inline void id_bits_set(struct id_bits *bits, uint32_t id) {
    uint64_t place = (uint64_t)id - (uint64_t)bits->least;

    if (place < (uint64_t)bits->count) {
        bits->bits[place / 64] |= UINT64_C(1) << place % 64;
    }
}

static inline bool id_bits_has(const struct id_bits *bits, uint32_t id) {
    uint64_t place = (uint64_t)id - (uint64_t)bits->least;

    return place < (uint64_t)bits->count && (bits->bits[place / 64] >> place % 64 & 1) != 0;
}

/* What is known of an object, made where it is new. */
struct place *durability_place(struct durability_state *state, uint32_t object);

/* Reads the name of an object into `state->path`, and whether it has a file type; false: it has no
 * name. */
bool durability_read_name(struct durability_state *state, uint32_t object, bool *typed);

/* The name that an object stands for now. NULL: it is no file on a disk, or `make` is not set and
 * nothing was done there. */
struct name_node *durability_node(struct durability_state *state, uint32_t object, bool make);

/* A file of no name yet. */
struct disk_file *durability_new_file(struct durability_state *state);

/* The file that a name leads to, one that was there before the log where nothing is known. */
struct disk_file *durability_file_at(struct durability_state *state, struct name_node *node);

/* The descriptor that an open makes leads to the file. */
void durability_opened(struct durability_state *state, const struct durability_call *call,
                       struct disk_file *file);

/* The file behind the descriptor of a call on an object. NULL: none that is on a disk, or not
 * `make` and nothing is known of it. */
struct disk_file *durability_file(struct durability_state *state,
                                  const struct durability_call *call, uint32_t object, bool make);

/* What the file has that no write tells is on disk, too. Whether there was any. */
bool durability_settle(struct disk_file *file);

/* The same where sync was called since the file was looked at last; gives the file, or NULL. */
struct disk_file *durability_settled(const struct durability_state *state, struct disk_file *file);

/* Frees files without a name, of which programs may have made any number, if there are many. */
void durability_collect(struct durability_state *state);

/* --- calls ------------------------------------------------------------------------------------ */

/* What an operation of that name does. */
enum does durability_does(const char *operation);

/* Takes a call, up to whose begin time has come. */
void durability_take(struct durability_state *state, const struct durability_call *call);

/* --- answers that came too early --------------------------------------------------------------
 */

/* The thread of the call has changed the file, and the call alone does not put it on disk. */
void early_wrote(struct durability_state *state, const struct durability_call *call,
                 struct disk_file *file);

/* Takes a call that may receive or send, before durability_take(). */
void early_take(struct durability_state *state, const struct durability_call *call);

/* Marks the files that threads have changed: exposure_sweep(). */
void early_mark(struct durability_state *state);

/* Writes the row of the trace into the third table. */
void early_write(struct durability_state *state);

#endif
