/* What an importer makes of a record: an event, and its names.
 *
 * The fields are those of the table `event` in tracetool-schema(7), plus the few dimensions that
 * the rollups need beside them.
 */
#ifndef TRACETOOL_EVENT_H
#define TRACETOOL_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- kinds of trace ----------------------------------------------------------------------------
 */

/* Kinds of trace. Events of different kinds are never added up. */
enum trace_kind {
    TRACE_CALLS,   /* system calls: points in time, with a duration where the log has it */
    TRACE_IO,      /* block I/O: each action on a request is an event */
    TRACE_SPANS,   /* calls with a duration, a parent and a depth */
    TRACE_SAMPLES, /* points in time: what a process takes of processor and memory */
    TRACE_RESULTS, /* what a benchmark measured: values, in order */
    TRACE_STATES,  /* what threads did: running, waiting for a processor, sleeping, … */
};
#define TRACE_KINDS 6

/* "calls", "io", "spans", "samples", "results", "states". */
const char *trace_kind_name(enum trace_kind kind);

/* What people call traces of that kind: "block I/O" of "io". */
const char *trace_kind_words(enum trace_kind kind);

/* What a log of that kind counts: "I/Os" of "io". */
const char *trace_kind_counts(enum trace_kind kind);

/* Records of a trace by what became of them. */
struct trace_counts {
    int64_t events; /* kept; a record of two events counts twice */
    int64_t paired; /* of `events`, those that complete another's row */
    int64_t merged; /* records that continue another one */
    int64_t split;  /* events that are a record's second */
};

/* How many I/Os, calls and so on the events are, where records were merged, split or paired; 0
 * where each record that was kept is one event. */
int64_t trace_counted(enum trace_kind kind, const struct trace_counts *counts);

/* The kind called `name`; false when there is none. */
bool trace_kind_find(const char *name, enum trace_kind *kind);

/* --- columns -----------------------------------------------------------------------------------
 */

/* The columns of the table `event` besides its id and time.
 *
 * X(NAME, field, FORM) for each, in the order of the table (src/store/schema.sql), which only ever
 * grows at its end. What is made of the list: the fields of struct event and enum event_column,
 * the statement that writes events (store.c), the fields of chunks (event_chunk.h) and the reading
 * of rows (event_rows.c). tests/unit/test_store.c compares it with the schema.
 *
 * FORM says how a value is kept and what stands for NULL:
 *
 *     INTEGER  int64_t, EVENT_NONE
 *     PARENT   the same; of an event that is not written yet a serial number, else an id
 *     ID       uint32_t, 0
 *     FLAGS    uint32_t; an event that is written always has them, 0 when there are none
 *     DEPTH    int32_t, -1
 *     BYTES    a pointer, NULL; the size stands in another field
 */

#define EVENT_COLUMNS(X)                                                                           \
    X(DURATION, duration, INTEGER) /* of a call, or issue to completion */                         \
    X(OPERATION, operation, ID)    /* name.id */                                                   \
    X(ACTOR, actor, ID)            /* actor.id */                                                  \
    X(OBJECT, object, ID)          /* object.id */                                                 \
    X(FLAGS, flags, FLAGS)         /* enum io_class … io_flag, span_flag or call_flag */         \
    X(ADDRESS, address, INTEGER)   /* first sector of 512 bytes */                                 \
    X(SIZE, size, INTEGER)         /* bytes: of the I/O, of the arguments */                       \
    X(VALUE, value, INTEGER)       /* return value, error number */                                \
    X(PARENT, parent, PARENT)      /* the calling event */                                         \
    X(DEPTH, depth, DEPTH)         /* of nesting, from 0 */                                        \
    X(ARGUMENTS, arguments, BYTES) /* as they are in the log; owned by the batch */                \
    X(SELF, self, INTEGER)         /* duration without the callees'; none: the same as duration */ \
    X(ISSUER, issuer, ID)          /* actor.id of who dispatched an I/O; none: who asked */        \
    X(RESPONSE, response, INTEGER) /* of an I/O, from asking for it (Q) to its completion */       \
    X(ERROR, error, ID)            /* name.id of the error that a call failed with; none: none */  \
    X(SOURCE, source, ID)          /* object.id: copied from; the new name; of an msync */         \
    X(SOURCE_ADDRESS, source_address, INTEGER) /* where in it, bytes */

/* --- events ------------------------------------------------------------------------------------
 */

/* A field that the event does not have; stored as NULL. */
#define EVENT_NONE INT64_MIN

/* What times are counted in where they are no nanoseconds ("ns"): units of a counter of unknown
 * frequency, which are the device's own; or records, places in a log that has no times. */
#define CLOCK_UNIT_COUNTER "counter units"
#define CLOCK_UNIT_RECORDS "records"

/* The class of an I/O, the lowest three bits of its flags. A flush carries no data: it is no write,
 * whatever its letters. */
enum io_class { IO_READ, IO_READSYNC, IO_WRITE, IO_WRITESYNC, IO_OTHER, IO_FLUSH };
#define IO_CLASSES    (IO_FLUSH + 1)
#define IO_CLASS_MASK 7u

/* What they are called, by number: "read", "readsync", … */
extern const char *const io_class_words[IO_CLASSES];

/* Bytes of a sector, in which the places of I/Os are counted. */
#define IO_SECTOR 512

/* The block type of an I/O: three bits of its flags, from bit 3. */
enum io_block_type {
    IO_BLOCK_NONE,
    IO_BLOCK_DATA,
    IO_BLOCK_JOURNAL,
    IO_BLOCK_METADATA,
    IO_BLOCK_ANONYMOUS,
};
#define IO_BLOCK_TYPES (IO_BLOCK_ANONYMOUS + 1)

/* What they are called, by number: "none", "data", … */
extern const char *const io_block_type_words[IO_BLOCK_TYPES];

#define IO_BLOCK_SHIFT 3
#define IO_BLOCK_MASK  7u

/* Further letters of blktrace's rwbs field. */
enum io_flag {
    IO_FLAG_FLUSH = 1 << 6,       /* F before the direction */
    IO_FLAG_FUA = 1 << 7,         /* F after it */
    IO_FLAG_DISCARD = 1 << 8,     /* D */
    IO_FLAG_METADATA = 1 << 9,    /* M */
    IO_FLAG_READ_AHEAD = 1 << 10, /* A */
    IO_FLAG_BARRIER = 1 << 11,    /* B */
    /* Why AndroTrace says it was written. */
    IO_FLAG_FSYNC = 1 << 12,
    IO_FLAG_FDATASYNC = 1 << 13,
    IO_FLAG_SQLITE_SYNC = 1 << 14, /* the fsync was SQLite's */
    /* Of its process; bits 15 and 16 are enum io_origin. */
    IO_FLAG_UNISSUED = 1 << 17, /* nobody was seen dispatching it */
    IO_FLAG_SHARED = 1 << 18,   /* several asked for parts of it; its actor for the first */
    /* Letters of a flush, which are not in its class. */
    IO_FLAG_FLUSH_WRITE = 1 << 19, /* W */
    IO_FLAG_FLUSH_SYNC = 1 << 20,  /* S */
    /* It was asked for with F or B, and its own letters do not have them: the block layer flushes
     * by requests of its own. */
    IO_FLAG_FLUSH_ASKED = 1 << 21,
    /* By the log's remaps it is of a request of a device above, which is in the log, too. */
    IO_FLAG_BELOW = 1 << 30,
};

/* What the process of an I/O rests on: two bits of its flags, from bit 15. 0, which costs no bytes,
 * is what most rest on. */
enum io_origin {
    IO_ORIGIN_QUEUED,    /* Q: who asked */
    IO_ORIGIN_ISSUED,    /* D: who dispatched */
    IO_ORIGIN_COMPLETED, /* C: whom the completion names */
    IO_ORIGIN_UNKNOWN,   /* nothing */
};
#define IO_ORIGIN_SHIFT 15
#define IO_ORIGIN_MASK  3u

/* Why it is said what an I/O was done to, where that was found out by `tracetool map`: three bits
 * of its flags, from bit 22. The first that are not 0 are proven. */
enum io_evidence {
    IO_EVIDENCE_UNASKED, /* no map was made, or the log itself says what it was done to */
    IO_EVIDENCE_IMAGE,
    IO_EVIDENCE_JOURNAL,
    IO_EVIDENCE_JOURNAL_OVER_IMAGE,
    IO_EVIDENCE_BOTH_IMAGES,
    IO_EVIDENCE_LIKELY_IMAGE,
    IO_EVIDENCE_LIKELY_JOURNAL,
    IO_EVIDENCE_NONE, /* it lies on the map, in blocks that are nobody's */
};
#define IO_EVIDENCES      (IO_EVIDENCE_NONE + 1)
#define IO_EVIDENCE_SHIFT 22
#define IO_EVIDENCE_MASK  7u

/* What its blocks hold, by the map: enum block_class (filesystem/file_map.h), five bits from
 * bit 25.
 */
#define IO_BLOCK_CLASS_SHIFT 25
#define IO_BLOCK_CLASS_MASK  31u

/* All flags that a map sets: the dimension of a tally. */
#define IO_MAP_FLAGS                                                                               \
    (IO_EVIDENCE_MASK << IO_EVIDENCE_SHIFT | IO_BLOCK_CLASS_MASK << IO_BLOCK_CLASS_SHIFT)

/* All flags about the process: the dimension of a rollup. */
#define IO_ORIGIN_FLAGS (IO_ORIGIN_MASK << IO_ORIGIN_SHIFT | IO_FLAG_UNISSUED | IO_FLAG_SHARED)

/* All flags of rwbs: the dimension of a rollup. */
#define IO_RWBS_FLAGS                                                                              \
    (IO_CLASS_MASK | IO_FLAG_FLUSH | IO_FLAG_FUA | IO_FLAG_DISCARD | IO_FLAG_METADATA |            \
     IO_FLAG_READ_AHEAD | IO_FLAG_BARRIER | IO_FLAG_FLUSH_ASKED)

/* What is particular about a span: its flags. A plain call has none. */
enum span_flag {
    SPAN_DATA = 1 << 0,         /* no call: a data record */
    SPAN_STRAY_EXIT = 1 << 1,   /* no call: an exit without an entry */
    SPAN_OPEN = 1 << 2,         /* a call that was open behind the last record: no duration */
    SPAN_EXIT_MISSING = 1 << 3, /* a call without an exit of its own: ended with its caller */
    SPAN_RECURSIVE = 1 << 4,    /* a call made, directly or not, by the same function */
    SPAN_EXCEPTION = 1 << 5,    /* ended by an exception */
};
#define SPAN_FLAGS 6

/* What is particular about a system call: its flags. */
enum call_flag {
    CALL_FLAG_DURABLE = 1 << 0,   /* what it writes is on disk when it ends: of an open O_SYNC,
                                O_DSYNC;   of calls on such a descriptor; RWF_SYNC, RWF_DSYNC; of an
                                msync   MS_SYNC, of all of a mapping */
    CALL_FLAG_CREATES = 1 << 1,   /* O_CREAT */
    CALL_FLAG_EXCLUSIVE = 1 << 2, /* O_EXCL */
    CALL_FLAG_TRUNCATES = 1 << 3, /* O_TRUNC */
    CALL_FLAG_WRITABLE = 1 << 4,  /* O_WRONLY, O_RDWR; of a mapping PROT_WRITE and MAP_SHARED */
    CALL_FLAG_EXCHANGES = 1 << 5, /* RENAME_EXCHANGE */
    CALL_FLAG_NAMELESS = 1 << 6,  /* O_TMPFILE */
    CALL_FLAG_NOT_EMPTY = 1 << 7, /* an fstat says that the file has bytes */
};

/* Above them, how many times the path of the descriptor's file (`object`) had been taken away, by
 * rename or unlink, when it was opened: two files of one path are told apart so. */
#define CALL_GENERATION_SHIFT 8
#define CALL_GENERATION_MOST  (UINT32_MAX >> CALL_GENERATION_SHIFT)

/* Whether a row of a trace of spans is a call: only calls are counted. */
static inline bool span_is_call(uint32_t flags) {
    return (flags & (SPAN_DATA | SPAN_STRAY_EXIT)) == 0;
}

#define EVENT_TYPE_INTEGER int64_t
#define EVENT_TYPE_PARENT  int64_t
#define EVENT_TYPE_ID      uint32_t
#define EVENT_TYPE_FLAGS   uint32_t
#define EVENT_TYPE_DEPTH   int32_t
#define EVENT_TYPE_BYTES   const uint8_t *

struct event {
    int64_t time; /* nanoseconds (or counter units) since the start of the trace */
#define X(NAME, field, FORM) EVENT_TYPE_##FORM field;
    EVENT_COLUMNS(X)
#undef X
    uint32_t arguments_size;
    /* Dimensions of rollups that are not stored with the event: small numbers the dictionary gave
     * the file type, the process name and the partition, 0: none. */
    uint32_t file_type, process, partition;
    /* Of the thread's CPU clock, where the trace has one beside the wall clock: table `cpu_time`.
     */
    int64_t cpu_duration, cpu_self;
};

/* An event that has nothing but its time. */
#define EVENT_EMPTY                                                                                \
    {                                                                                              \
        .duration = EVENT_NONE, .self = EVENT_NONE, .cpu_duration = EVENT_NONE,                    \
        .cpu_self = EVENT_NONE, .address = EVENT_NONE, .size = EVENT_NONE, .value = EVENT_NONE,    \
        .parent = EVENT_NONE, .response = EVENT_NONE, .source_address = EVENT_NONE, .depth = -1,   \
    }

/* The same, to be copied. The compiler does not see what is in it: it would fill event after event
 * with an instruction for large blocks, which is slower than to copy one. */
extern const struct event event_empty;

/* What is none of the classes is IO_OTHER. */
static inline enum io_class io_class_of(uint32_t flags) {
    uint32_t class = flags & IO_CLASS_MASK;

    return class < IO_CLASSES ? (enum io_class) class : IO_OTHER;
}

static inline enum io_block_type io_block_type_of(uint32_t flags) {
    return (enum io_block_type)(flags >> IO_BLOCK_SHIFT & IO_BLOCK_MASK);
}

static inline enum io_evidence io_evidence_of(uint32_t flags) {
    return (enum io_evidence)(flags >> IO_EVIDENCE_SHIFT & IO_EVIDENCE_MASK);
}

static inline enum io_origin io_origin_of(uint32_t flags) {
    return (enum io_origin)(flags >> IO_ORIGIN_SHIFT & IO_ORIGIN_MASK);
}

/* The places of the columns behind time. */
enum event_place {
#define X(NAME, field, FORM) EVENT_PLACE_##NAME,
    EVENT_COLUMNS(X)
#undef X
        EVENT_PLACES,
};

/* Columns of `event` that an importer sets beside time, as bits of a set: EVENT_DURATION,
 * EVENT_OPERATION, …; those it never sets cost no work. */
enum event_column {
#define X(NAME, field, FORM) EVENT_##NAME = 1 << EVENT_PLACE_##NAME,
    EVENT_COLUMNS(X)
#undef X
        EVENT_CPU = 1 << EVENT_PLACES, /* cpu_duration and cpu_self */
};

/* The name of a column in SQL. */
const char *event_column_name(enum event_place place);

/* Whether a column of `event` that can be NULL is called that. */
bool event_has_column(const char *name);

/* A row of the table `name`: an operation. Names are one a trace, told apart by kind, code and
 * text. */
struct name_entry {
    const char *kind; /* "trap", "action", "function", "method", … */
    int64_t code;     /* the number behind the name (trap ID); EVENT_NONE: the text is all */
    const char *text;
    size_t length;
    uint32_t component; /* id of the name of the component or class it belongs to, 0: none */
};

/* A row of the table `actor`: who did it. */
struct actor_entry {
    int64_t session; /* boot the actor belongs to, from 1 */
    int64_t pid, tid;
    int64_t code;     /* application (database) ID */
    const char *name; /* process, application or thread; NULL: not known */
    size_t length;
};

/* A row of the table `object`: what it was done to. */
struct object_entry {
    const char *name; /* file; NULL: none */
    size_t length;
    const char *type; /* file type, NUL-terminated; NULL: none */
    int64_t device;   /* major << 20 | minor; EVENT_NONE: not known */
    /* Of a file that was found out by its blocks; 0: none. */
    uint32_t inode, generation;
};

/* A row of the table `probe`: how a name was measured. Constant strings. */
struct probe_entry {
    const char *resolution; /* "process", "thread", "method", "loop" */
    const char *origin;     /* "app", "framework" */
    bool on;                /* in this round */
};

#endif
