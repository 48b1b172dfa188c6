/* Result of parsing a record: an event and its names.
 *
 * The fields are those of the table `event` in tracetool-schema(7), plus a few dimensions for
 * rollups.
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
    TRACE_CALLS,   /* system calls: points in time, with a duration if the log has it */
    TRACE_IO,      /* block I/O: one event per action on a request */
    TRACE_SPANS,   /* calls with a duration, a parent and a depth */
    TRACE_SAMPLES, /* points in time: processor and memory use of a process */
    TRACE_RESULTS, /* benchmark results: values, in order */
    TRACE_STATES,  /* thread states: running, waiting for a processor, sleeping, … */
};
#define TRACE_KINDS 6

/* Returns the name of a kind: "calls", "io", "spans", "samples", "results", "states". */
const char *trace_kind_name(enum trace_kind kind);

/* Plain term for a kind: "block I/O" for "io". */
const char *trace_kind_words(enum trace_kind kind);

/* What a kind's log counts: "I/Os" for "io". */
const char *trace_kind_counts(enum trace_kind kind);

/* Records of a trace by how they were stored. */
struct trace_counts {
    int64_t events;   /* stored; a record of two events counts twice */
    int64_t paired;   /* number of `events` that complete another event's row */
    int64_t merged;   /* records that continue an earlier one */
    int64_t split;    /* second events of a record */
    int64_t no_calls; /* number of rows of a trace of spans that are not calls */
};

/* Number of I/Os, calls and so on, if records were merged, split or paired; 0 if each stored record
 * is one event. */
int64_t trace_counted(enum trace_kind kind, const struct trace_counts *counts);

/* Finds a kind by name; false if unknown. */
bool trace_kind_find(const char *name, enum trace_kind *kind);

/* --- columns -----------------------------------------------------------------------------------
 */

/* Columns of the table `event` besides id and time.
 *
 * X(NAME, field, FORM) for each, in table order (src/store/schema.sql); append new ones only at the
 * end. The list generates the fields of struct event, enum event_column, the INSERT statement
 * (store.c), the fields of chunks (event_chunk.h) and the reading of rows (event_rows.c).
 * tests/unit/test_store.c compares it with the schema.
 *
 * FORM gives the type and the value for NULL:
 *
 *     INTEGER  int64_t, EVENT_NONE
 *     PARENT   int64_t, EVENT_NONE; a serial number until the event is written, then an id
 *     ID       uint32_t, 0
 *     FLAGS    uint32_t; a written event always has them; 0: no flags
 *     DEPTH    int32_t, -1
 *     BYTES    a pointer, NULL; another field has the size */

#define EVENT_COLUMNS(X)                                                                           \
    X(DURATION, duration, INTEGER) /* duration of a call; of an I/O, issue to completion */        \
    X(OPERATION, operation, ID)    /* name.id */                                                   \
    X(ACTOR, actor, ID)            /* actor.id */                                                  \
    X(OBJECT, object, ID)          /* object.id */                                                 \
    X(FLAGS, flags, FLAGS)         /* enum io_class … io_flag, span_flag or call_flag */         \
    X(ADDRESS, address, INTEGER)   /* first sector of 512 bytes */                                 \
    X(SIZE, size, INTEGER)         /* bytes: of the I/O, of the arguments */                       \
    X(VALUE, value, INTEGER)       /* return value, error number */                                \
    X(PARENT, parent, PARENT)      /* the calling event */                                         \
    X(DEPTH, depth, DEPTH)         /* nesting depth, from 0 */                                     \
    X(ARGUMENTS, arguments, BYTES) /* raw bytes of the log; owned by the batch */                  \
    X(SELF, self, INTEGER)         /* duration without callees; none: equal to duration */         \
    X(ISSUER, issuer, ID)          /* actor.id of the dispatcher of an I/O; none: the actor */     \
    X(RESPONSE, response, INTEGER) /* duration of an I/O from queue (Q) to completion */           \
    X(ERROR, error, ID)            /* name.id of a failed call's error; none: no error */          \
    X(SOURCE, source, ID) /* object.id: source of a copy; new name; mapping of an msync */         \
    X(SOURCE_ADDRESS, source_address, INTEGER) /* offset in the source, bytes */

/* In private databases for contracts, `response` says where the log has the call: -1 - response is
 * this factor times the id of the file's name, plus the offset in the unpacked file. */
#define EVENT_PLACE_FILE (INT64_C(1) << 44)

/* --- events ------------------------------------------------------------------------------------
 */

/* A missing value; stored as NULL. */
#define EVENT_NONE INT64_MIN

/* Units of time other than nanoseconds ("ns"). Counter units: a device counter of unknown
 * frequency. Records: positions in a log without times. */
#define CLOCK_UNIT_COUNTER "counter units"
#define CLOCK_UNIT_RECORDS "records"

/* Class of an I/O: the lowest three bits of its flags. A flush carries no data and is never a
 * write, whatever its rwbs letters. */
enum io_class { IO_READ, IO_READSYNC, IO_WRITE, IO_WRITESYNC, IO_OTHER, IO_FLUSH };
#define IO_CLASSES    (IO_FLUSH + 1)
#define IO_CLASS_MASK 7u

/* Names by number: "read", "readsync", … */
extern const char *const io_class_words[IO_CLASSES];

/* Bytes of a sector, the unit of I/O addresses. */
#define IO_SECTOR 512

/* Block type of an I/O: three bits of its flags, from bit 3. */
enum io_block_type {
    IO_BLOCK_NONE,
    IO_BLOCK_DATA,
    IO_BLOCK_JOURNAL,
    IO_BLOCK_METADATA,
    IO_BLOCK_ANONYMOUS,
};
#define IO_BLOCK_TYPES (IO_BLOCK_ANONYMOUS + 1)

/* Names by number: "none", "data", … */
extern const char *const io_block_type_words[IO_BLOCK_TYPES];

#define IO_BLOCK_SHIFT 3
#define IO_BLOCK_MASK  7u

/* Further letters of blktrace's rwbs field. */
enum io_flag {
    IO_FLAG_FLUSH = 1 << 6,       /* F before the direction: preflush */
    IO_FLAG_FUA = 1 << 7,         /* F after the direction: force unit access */
    IO_FLAG_DISCARD = 1 << 8,     /* D */
    IO_FLAG_METADATA = 1 << 9,    /* M */
    IO_FLAG_READ_AHEAD = 1 << 10, /* A */
    IO_FLAG_BARRIER = 1 << 11,    /* B */
    /* Reasons for a write, in AndroTrace. */
    IO_FLAG_FSYNC = 1 << 12,
    IO_FLAG_FDATASYNC = 1 << 13,
    IO_FLAG_SQLITE_SYNC = 1 << 14, /* an fsync by SQLite */
    /* About the process; bits 15 and 16 are enum io_origin. */
    IO_FLAG_UNISSUED = 1 << 17, /* the dispatch (D) of the I/O is not in the log */
    IO_FLAG_SHARED = 1 << 18, /* several processes queued parts of the I/O; the actor is the process
                                 of the first part */
    /* Letters of a flush, which its class does not have. */
    IO_FLAG_FLUSH_WRITE = 1 << 19, /* W */
    IO_FLAG_FLUSH_SYNC = 1 << 20,  /* S */
    /* Queued with the letter F or B, but issued without one: the block layer sends separate flush
     * requests. */
    IO_FLAG_FLUSH_ASKED = 1 << 21,
    /* Remapped from a request of a device above, which is in the log too. */
    IO_FLAG_BELOW = 1 << 30,
};

/* Source of an I/O's process: two bits of its flags, from bit 15. The most common one is 0, which
 * takes no space. */
enum io_origin {
    IO_ORIGIN_QUEUED,    /* Q: the process that queued it */
    IO_ORIGIN_ISSUED,    /* D: the process that dispatched it */
    IO_ORIGIN_COMPLETED, /* C: the process named by the completion */
    IO_ORIGIN_UNKNOWN,   /* the process is unknown */
};
#define IO_ORIGIN_SHIFT 15
#define IO_ORIGIN_MASK  3u

/* Evidence for the file of an I/O, found by `tracetool map`: three bits of its flags, from bit 22.
 * Values from 1 to IO_EVIDENCE_BOTH_IMAGES prove the file. */
enum io_evidence {
    IO_EVIDENCE_UNASKED, /* no map has looked for the file, or the log names it */
    IO_EVIDENCE_IMAGE,
    IO_EVIDENCE_JOURNAL,
    IO_EVIDENCE_JOURNAL_OVER_IMAGE,
    IO_EVIDENCE_BOTH_IMAGES,
    IO_EVIDENCE_LIKELY_IMAGE,
    IO_EVIDENCE_LIKELY_JOURNAL,
    IO_EVIDENCE_NONE, /* a block on the map without an owner */
};
#define IO_EVIDENCES      (IO_EVIDENCE_NONE + 1)
#define IO_EVIDENCE_SHIFT 22
#define IO_EVIDENCE_MASK  7u

/* Content of an I/O's blocks on the map: enum block_class (filesystem/file_map.h), five bits from
 * bit 25.
 */
#define IO_BLOCK_CLASS_SHIFT 25
#define IO_BLOCK_CLASS_MASK  31u

/* Flags set by a map; a tally's dimension. */
#define IO_MAP_FLAGS                                                                               \
    (IO_EVIDENCE_MASK << IO_EVIDENCE_SHIFT | IO_BLOCK_CLASS_MASK << IO_BLOCK_CLASS_SHIFT)

/* Flags about the process; a rollup's dimension. */
#define IO_ORIGIN_FLAGS (IO_ORIGIN_MASK << IO_ORIGIN_SHIFT | IO_FLAG_UNISSUED | IO_FLAG_SHARED)

/* Flags from rwbs; a rollup's dimension. */
#define IO_RWBS_FLAGS                                                                              \
    (IO_CLASS_MASK | IO_FLAG_FLUSH | IO_FLAG_FUA | IO_FLAG_DISCARD | IO_FLAG_METADATA |            \
     IO_FLAG_READ_AHEAD | IO_FLAG_BARRIER | IO_FLAG_FLUSH_ASKED)

/* Flags of a span. A plain call has none. */
enum span_flag {
    SPAN_DATA = 1 << 0,         /* the row is no call, but a data record */
    SPAN_STRAY_EXIT = 1 << 1,   /* the row is no call, but an exit without an entry */
    SPAN_OPEN = 1 << 2,         /* a call still open at the end of the log: no duration */
    SPAN_EXIT_MISSING = 1 << 3, /* a call without an exit record: ended with its caller */
    SPAN_RECURSIVE = 1 << 4,    /* a recursive call, direct or indirect */
    SPAN_EXCEPTION = 1 << 5,    /* ended by an exception */
};
#define SPAN_FLAGS 6

/* Flags of a system call. */
enum call_flag {
    /* Data is on disk when it returns: an open with O_SYNC or O_DSYNC, a call on such a descriptor,
     * RWF_SYNC, RWF_DSYNC, an msync with MS_SYNC of a whole mapping. */
    CALL_FLAG_DURABLE = 1 << 0,
    CALL_FLAG_CREATES = 1 << 1,   /* O_CREAT */
    CALL_FLAG_EXCLUSIVE = 1 << 2, /* O_EXCL */
    CALL_FLAG_TRUNCATES = 1 << 3, /* O_TRUNC */
    /* O_WRONLY, O_RDWR; a mapping with PROT_WRITE and MAP_SHARED; an io_uring that the kernel polls
     * (IORING_SETUP_SQPOLL), so that its writes need no call */
    CALL_FLAG_WRITABLE = 1 << 4,
    CALL_FLAG_EXCHANGES = 1 << 5, /* RENAME_EXCHANGE */
    CALL_FLAG_NAMELESS = 1 << 6,  /* O_TMPFILE; or a descriptor without a path (AT_EMPTY_PATH) */
    CALL_FLAG_NOT_EMPTY = 1 << 7, /* an fstat shows that the file is not empty */
};

/* The bits of the flags from CALL_GENERATION_SHIFT on: how often the path of the descriptor's file
 * (`object`), or a folder above it, had been removed by rename or unlink when it was opened. This
 * distinguishes files with the same path. The two largest values: the file has no name any more;
 * the path is relative to an unknown directory. */
#define CALL_GENERATION_SHIFT    8
#define CALL_GENERATION_NAMELESS (UINT32_MAX >> CALL_GENERATION_SHIFT)
#define CALL_GENERATION_UNPLACED (CALL_GENERATION_NAMELESS - 1)
#define CALL_GENERATION_MOST     (CALL_GENERATION_NAMELESS - 2)

/* Whether a row of a trace of spans is a call; only calls are counted. */
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
    int64_t time; /* time since the start of the trace, in nanoseconds (or counter units) */
#define X(NAME, field, FORM) EVENT_TYPE_##FORM field;
    EVENT_COLUMNS(X)
#undef X
    uint32_t arguments_size;
    /* Rollup dimensions not stored with the event: dictionary numbers of the file type, process
     * name and partition; 0: none. */
    uint32_t file_type, process, partition;
    /* Duration and self time on the thread's CPU clock, if the trace has one besides wall time:
     * table `cpu_time`. */
    int64_t cpu_duration, cpu_self;
};

/* An event with no values except its time. */
#define EVENT_EMPTY                                                                                \
    {                                                                                              \
        .duration = EVENT_NONE, .self = EVENT_NONE, .cpu_duration = EVENT_NONE,                    \
        .cpu_self = EVENT_NONE, .address = EVENT_NONE, .size = EVENT_NONE, .value = EVENT_NONE,    \
        .parent = EVENT_NONE, .response = EVENT_NONE, .source_address = EVENT_NONE, .depth = -1,   \
    }

/* An empty event to copy from. Its value is hidden from the compiler, which would otherwise clear
 * each event with a slower block-fill instruction. */
extern const struct event event_empty;

/* `arguments` of an event with packed arguments (store/argument_pack.h); `arguments_size` is then
 * their position. */
extern const uint8_t event_packed[1];
#define EVENT_PACKED (&event_packed[0])

/* An unknown class counts as IO_OTHER. */
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

/* Positions of the columns after time. */
enum event_place {
#define X(NAME, field, FORM) EVENT_PLACE_##NAME,
    EVENT_COLUMNS(X)
#undef X
        EVENT_PLACES,
};

/* Columns that an importer sets besides time, as bits: EVENT_DURATION, EVENT_OPERATION, … Unset
 * columns cost no work. */
enum event_column {
#define X(NAME, field, FORM) EVENT_##NAME = 1 << EVENT_PLACE_##NAME,
    EVENT_COLUMNS(X)
#undef X
        EVENT_CPU = 1 << EVENT_PLACES, /* cpu_duration and cpu_self */
};

/* SQL name of a column. */
const char *event_column_name(enum event_place place);

/* Whether `event` has a nullable column of this name. */
bool event_has_column(const char *name);

/* A row of the table `name`: an operation. Unique in a trace by kind, code and text. */
struct name_entry {
    const char *kind; /* "trap", "action", "function", "method", … */
    int64_t code;     /* numeric code of the name (trap ID); EVENT_NONE: text only */
    const char *text;
    size_t length;
    uint32_t component; /* name id of its component or class, 0: none */
};

/* A row of the table `actor`: the process or thread of an event. */
struct actor_entry {
    int64_t session; /* boot of the actor, from 1 */
    int64_t pid, tid;
    int64_t code;     /* ID of an application (of its database) */
    const char *name; /* process, application or thread; NULL: unknown */
    size_t length;
};

/* A row of the table `object`: the target of an event. */
struct object_entry {
    const char *name; /* name of a file; NULL: none */
    size_t length;
    const char *type; /* file type, NUL-terminated; NULL: none */
    int64_t device;   /* major << 20 | minor; EVENT_NONE: unknown */
    /* Numbers of a file that was found by its blocks; 0: unknown. */
    uint32_t inode, generation;
};

/* A row of the table `probe`: how a name was measured. Constant strings. */
struct probe_entry {
    const char *resolution; /* "process", "thread", "method", "loop" */
    const char *origin;     /* "app", "framework" */
    bool on;                /* true: the probe was enabled in this round */
};

#endif
