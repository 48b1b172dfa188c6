/* An event: what a record of a log says, with ids of names. Its members are the columns of table
 * `event` (tracetool-schema(7)), and a few more that are only needed for counting. */
#ifndef TRACETOOL_EVENT_H
#define TRACETOOL_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- kinds of traces -------------------------------------------------------------------------- */

/* Kinds of traces. Events of different kinds are never counted together. */
enum trace_kind {
    TRACE_CALLS, /* system calls: with a time, and a duration if the log has it */
    TRACE_IO, /* block I/O: an event for each action on a request, such as issue and completion */
    TRACE_SPANS,   /* calls of functions, with a duration, a caller and a depth */
    TRACE_SAMPLES, /* measurements at points in time: a process's use of processor and memory */
    TRACE_RESULTS, /* results of a benchmark: values, in order */
    TRACE_STATES, /* times that a thread spends in one state: running, waiting for a processor, … */
};
#define TRACE_KINDS 6

/* Returns the name of a kind: "calls", "io", "spans", "samples", "results", "states". */
const char *trace_kind_name(enum trace_kind kind);

/* Returns a kind in words, for messages: "block I/O" for "io". */
const char *trace_kind_words(enum trace_kind kind);

/* Returns what a trace of this kind consists of, in the plural: "I/Os" for "io". */
const char *trace_kind_counts(enum trace_kind kind);

/* Numbers of a log's records, by how the import used them. */
struct trace_counts {
    int64_t events;   /* events stored; a record that gives two events counts twice */
    int64_t paired;   /* events that only complete the row of another event, such as exits */
    int64_t merged;   /* records that only continue an earlier record */
    int64_t split;    /* records that gave two events: number of the second events */
    int64_t no_calls; /* spans: number of rows that are not calls */
};

/* Returns the number of I/Os, calls etc. if it differs from the number of events, due to split,
 * paired or merged records (struct trace_counts); otherwise 0. */
int64_t trace_counted(enum trace_kind kind, const struct trace_counts *counts);

/* Finds a kind by its name; returns false if unknown. */
bool trace_kind_find(const char *name, enum trace_kind *kind);

/* --- columns of the table event --------------------------------------------------------------- */

/* Columns of table `event` after id and time: X(NAME, field, FORM) for each, in the order of the
 * table (src/store/schema.sql). Add new ones only at the end. The list generates the members of
 * struct event, enum event_column, the statement that inserts events (store.c), the fields of
 * chunks (event_chunk.h) and the reading of rows (event_rows.c). tests/unit/test_store.c compares
 * it with the schema.
 *
 * FORM is the C type of a value, and the value that represents NULL:
 *
 *     INTEGER  int64_t, EVENT_NONE
 *     PARENT   int64_t, EVENT_NONE; a serial number until the event is written, then an id
 *     ID       uint32_t, 0
 *     FLAGS    uint32_t; never NULL in written events; 0: no flags
 *     DEPTH    int32_t, -1
 *     BYTES    a pointer, NULL; another field holds the size */

#define EVENT_COLUMNS(X)                                                                           \
    X(DURATION, duration, INTEGER) /* duration of a call; of an I/O, from D to C */                \
    X(OPERATION, operation, ID)    /* name.id: a system call, action, function */                  \
    X(ACTOR, actor, ID)            /* actor.id: a process or thread */                             \
    X(OBJECT, object, ID)          /* object.id: a file, device etc. */                            \
    X(FLAGS, flags, FLAGS)         /* bits of io_class … io_flag, span_flag or call_flag */      \
    X(ADDRESS, address, INTEGER)   /* number of the first sector, of 512 bytes each */             \
    X(SIZE, size, INTEGER)         /* bytes of an I/O, or of a call's arguments */                 \
    X(VALUE, value, INTEGER)       /* return value of a call; error number of an I/O */            \
    X(PARENT, parent, PARENT)      /* event of the caller */                                       \
    X(DEPTH, depth, DEPTH)         /* number of open calls around this call */                     \
    X(ARGUMENTS, arguments, BYTES) /* bytes as in the log; in batch memory */                      \
    X(SELF, self, INTEGER)         /* duration without callees; NULL: equal to duration */         \
    X(ISSUER, issuer, ID)          /* actor that issued an I/O; NULL: the same as `actor` */       \
    X(RESPONSE, response, INTEGER) /* duration of an I/O from Q to C */                            \
    X(ERROR, error, ID)            /* name of the error; NULL: no error */                         \
    X(SOURCE, source, ID)          /* object.id: a copy's source, a new name, mapping of msync */  \
    X(SOURCE_ADDRESS, source_address, INTEGER) /* byte offset in `source` */

/* In private databases of `tracetool assert`, `response` is where in the log a call is. The number
 * -1 - response is the id of the file's name times this factor, plus the byte offset in the file
 * when unpacked. */
#define EVENT_PLACE_FILE (INT64_C(1) << 44)

/* --- constants for values of events, such as flags -------------------------------------------- */

/* Represents a missing value; NULL in the database. */
#define EVENT_NONE INT64_MIN

/* trace.clock_unit of traces whose times are not in "ns". Counter units: ticks of a device's
 * counter of unknown frequency. Records: positions in a log without times. */
#define CLOCK_UNIT_COUNTER "counter units"
#define CLOCK_UNIT_RECORDS "records"

/* Class of an I/O, in bits 0 to 2 of its flags. A flush has no data and is never a write, whatever
 * letters blktrace prints for it (rwbs). */
enum io_class { IO_READ, IO_READSYNC, IO_WRITE, IO_WRITESYNC, IO_OTHER, IO_FLUSH };
#define IO_CLASSES    (IO_FLUSH + 1)
#define IO_CLASS_MASK 7u

/* Names of the classes, by enum io_class: "read", "readsync", … */
extern const char *const io_class_words[IO_CLASSES];

/* Bytes per sector, the unit of I/O addresses. */
#define IO_SECTOR 512

/* Block type of an I/O, what its blocks hold: bits 3 to 5 of its flags. */
enum io_block_type {
    IO_BLOCK_NONE,
    IO_BLOCK_DATA,
    IO_BLOCK_JOURNAL,
    IO_BLOCK_METADATA,
    IO_BLOCK_ANONYMOUS,
};
#define IO_BLOCK_TYPES (IO_BLOCK_ANONYMOUS + 1)

/* Words for the block types, by enum io_block_type: "none", "data", … */
extern const char *const io_block_type_words[IO_BLOCK_TYPES];

#define IO_BLOCK_SHIFT 3
#define IO_BLOCK_MASK  7u

/* Other bits of an I/O's flags; most are letters in blktrace's field rwbs. */
enum io_flag {
    IO_FLAG_FLUSH = 1 << 6,       /* F before R or W: a flush before the I/O (PREFLUSH) */
    IO_FLAG_FUA = 1 << 7,         /* F after R or W: force unit access */
    IO_FLAG_DISCARD = 1 << 8,     /* letter D of rwbs */
    IO_FLAG_METADATA = 1 << 9,    /* letter M of rwbs */
    IO_FLAG_READ_AHEAD = 1 << 10, /* letter A of rwbs */
    IO_FLAG_BARRIER = 1 << 11,    /* letter B of rwbs */
    /* AndroTrace logs why data was written: one of the next three reasons. */
    IO_FLAG_FSYNC = 1 << 12,
    IO_FLAG_FDATASYNC = 1 << 13,
    IO_FLAG_SQLITE_SYNC = 1 << 14, /* an fsync by SQLite */
    /* Flags about the I/O's process, as are bits 15 and 16 (enum io_origin). */
    IO_FLAG_UNISSUED = 1 << 17, /* the log lacks the issue (D) of the I/O */
    IO_FLAG_SHARED = 1 << 18,   /* parts were queued by several processes; the actor is the first */
    /* Letters of a flush besides F. They are flags, since the class IO_FLUSH does not tell them. */
    IO_FLAG_FLUSH_WRITE = 1 << 19, /* letter W of rwbs */
    IO_FLAG_FLUSH_SYNC = 1 << 20,  /* letter S of rwbs */
    /* The request was queued (Q) with letter F or B, but issued (D) without: the block layer issues
       flushes as separate requests. */
    IO_FLAG_FLUSH_ASKED = 1 << 21,
    /* The request was remapped from a request of a stacked device, which is also in the log. */
    IO_FLAG_BELOW = 1 << 30,
};

/* Which event names the process of an I/O: bits 15 and 16 of its flags; 0 is the usual case. */
enum io_origin {
    IO_ORIGIN_QUEUED,    /* Q: the process that queued the I/O */
    IO_ORIGIN_ISSUED,    /* D: the process that issued the I/O */
    IO_ORIGIN_COMPLETED, /* C: the process in the completion event */
    IO_ORIGIN_UNKNOWN,   /* no event names the process */
};
#define IO_ORIGIN_SHIFT 15
#define IO_ORIGIN_MASK  3u

/* How certain the file is that `tracetool map` found for an I/O: bits 22 to 24 of its flags.
 * Certain from IO_EVIDENCE_IMAGE to IO_EVIDENCE_BOTH_IMAGES. */
enum io_evidence {
    IO_EVIDENCE_UNASKED, /* `map` was not run, or the log itself names files */
    IO_EVIDENCE_IMAGE,
    IO_EVIDENCE_JOURNAL,
    IO_EVIDENCE_JOURNAL_OVER_IMAGE,
    IO_EVIDENCE_BOTH_IMAGES,
    IO_EVIDENCE_LIKELY_IMAGE,
    IO_EVIDENCE_LIKELY_JOURNAL,
    IO_EVIDENCE_NONE, /* `map` found that the blocks belong to no file */
};
#define IO_EVIDENCES      (IO_EVIDENCE_NONE + 1)
#define IO_EVIDENCE_SHIFT 22
#define IO_EVIDENCE_MASK  7u

/* What the blocks of an I/O hold, as `map` found out: enum block_class (filesystem/file_map.h), in
 * bits 25 to 29 of its flags. */
#define IO_BLOCK_CLASS_SHIFT 25
#define IO_BLOCK_CLASS_MASK  31u

/* Bits of the flags that `map` sets; a tally may count by them. */
#define IO_MAP_FLAGS                                                                               \
    (IO_EVIDENCE_MASK << IO_EVIDENCE_SHIFT | IO_BLOCK_CLASS_MASK << IO_BLOCK_CLASS_SHIFT)

/* Bits of the flags about the process; a tally may count by them. */
#define IO_ORIGIN_FLAGS (IO_ORIGIN_MASK << IO_ORIGIN_SHIFT | IO_FLAG_UNISSUED | IO_FLAG_SHARED)

/* Bits of the flags that come from blktrace's rwbs; a tally may count by them. */
#define IO_RWBS_FLAGS                                                                              \
    (IO_CLASS_MASK | IO_FLAG_FLUSH | IO_FLAG_FUA | IO_FLAG_DISCARD | IO_FLAG_METADATA |            \
     IO_FLAG_READ_AHEAD | IO_FLAG_BARRIER | IO_FLAG_FLUSH_ASKED)

/* Flags of events in traces of spans. A normal call has none. */
enum span_flag {
    SPAN_DATA = 1 << 0,         /* a record of data, which is no call */
    SPAN_STRAY_EXIT = 1 << 1,   /* an exit whose entry is not in the log; no call */
    SPAN_OPEN = 1 << 2,         /* a call that is open when the log ends; it has no duration */
    SPAN_EXIT_MISSING = 1 << 3, /* a call whose exit is not in the log; it ends with its caller */
    SPAN_RECURSIVE = 1 << 4,    /* a call whose function is also among its callers */
    SPAN_EXCEPTION = 1 << 5,    /* a call ended by an exception */
};
#define SPAN_FLAGS 6

/* Flags of a system call. */
enum call_flag {
    /* The call makes data durable: O_SYNC or O_DSYNC at the open of its descriptor, or in the open
       itself; RWF_SYNC or RWF_DSYNC; an msync with MS_SYNC of a whole mapping. */
    CALL_FLAG_DURABLE = 1 << 0,
    CALL_FLAG_CREATES = 1 << 1,   /* O_CREAT */
    CALL_FLAG_EXCLUSIVE = 1 << 2, /* O_EXCL */
    CALL_FLAG_TRUNCATES = 1 << 3, /* O_TRUNC */
    /* O_WRONLY or O_RDWR; a mapping with PROT_WRITE and MAP_SHARED; an io_uring with a polling
       kernel thread (IORING_SETUP_SQPOLL), which may write without further calls */
    CALL_FLAG_WRITABLE = 1 << 4,
    CALL_FLAG_EXCHANGES = 1 << 5, /* renameat2() with RENAME_EXCHANGE, which swaps two names */
    CALL_FLAG_NAMELESS = 1 << 6,  /* O_TMPFILE, or a descriptor without path (AT_EMPTY_PATH) */
    CALL_FLAG_NOT_EMPTY = 1 << 7, /* an fstat whose result says that the file is not empty */
};

/* Generation of a call's file, in the upper bits of its flags: how often the path of the file
 * (`object`), or of a directory above it, had been removed by rename or unlink when the file was
 * opened. It distinguishes files with the same path. The two largest numbers are special: NAMELESS:
 * the file has no name any more; UNPLACED: the path begins in an unknown directory. */
#define CALL_GENERATION_SHIFT    8
#define CALL_GENERATION_NAMELESS (UINT32_MAX >> CALL_GENERATION_SHIFT)
#define CALL_GENERATION_UNPLACED (CALL_GENERATION_NAMELESS - 1)
#define CALL_GENERATION_MOST     (CALL_GENERATION_NAMELESS - 2)

/* Returns whether a row of a trace of spans is a call. Only calls are counted. */
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
    int64_t time; /* since the trace's time 0, in ns or the clock's unit */
#define X(NAME, field, FORM) EVENT_TYPE_##FORM field;
    EVENT_COLUMNS(X)
#undef X
    uint32_t arguments_size;
    /* Numbers of the labels (texts) by which tallies count the event: file type, process name,
     * partition; 0: none. Not stored with the event. */
    uint32_t file_type, process, partition;
    /* Duration and self time by the thread's CPU clock, if the log has it besides elapsed time.
     * Stored in table `cpu_time`. */
    int64_t cpu_duration, cpu_self;
};

/* Initialiser of an event with no value but its time. */
#define EVENT_EMPTY                                                                                \
    {                                                                                              \
        .duration = EVENT_NONE, .self = EVENT_NONE, .cpu_duration = EVENT_NONE,                    \
        .cpu_self = EVENT_NONE, .address = EVENT_NONE, .size = EVENT_NONE, .value = EVENT_NONE,    \
        .parent = EVENT_NONE, .response = EVENT_NONE, .source_address = EVENT_NONE, .depth = -1,   \
    }

/* An empty event to copy. It is a variable so that the compiler does not see its value, which would
 * make it fill events by a slower block instruction. */
extern const struct event event_empty;

/* Special value of `arguments`: the arguments are stored packed (store/argument_pack.h), and
 * `arguments_size` is the call's position in the trace. */
extern const uint8_t event_packed[1];
#define EVENT_PACKED (&event_packed[0])

/* Returns the class in an I/O's flags; IO_OTHER for an unknown value. */
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

/* Indices of the columns of `event` after time, from 0. */
enum event_place {
#define X(NAME, field, FORM) EVENT_PLACE_##NAME,
    EVENT_COLUMNS(X)
#undef X
        EVENT_PLACES,
};

/* A bit per column after time: EVENT_DURATION, EVENT_OPERATION, … Importers declare which columns
 * they set; other columns cost nothing. */
enum event_column {
#define X(NAME, field, FORM) EVENT_##NAME = 1 << EVENT_PLACE_##NAME,
    EVENT_COLUMNS(X)
#undef X
        EVENT_CPU = 1 << EVENT_PLACES, /* both columns cpu_duration and cpu_self */
};

/* Returns the name of a column in SQL. */
const char *event_column_name(enum event_place place);

/* Returns whether the table `event` has a column of this name that may be NULL. */
bool event_has_column(const char *name);

/* A row of table `name`: an operation, action or function. Kind, code and text together are unique
 * in a trace. */
struct name_entry {
    const char *kind; /* "trap", "action", "function", "method", … */
    int64_t code;     /* number of the name in the log, such as a trap's; EVENT_NONE: none */
    const char *text;
    size_t length;
    uint32_t component; /* id of the name of the component or class; 0: none */
};

/* A row of the table `actor`: the process or thread of an event. */
struct actor_entry {
    int64_t session; /* number of the device's boot, from 1 */
    int64_t pid, tid;
    int64_t code;     /* ID of a Palm OS application, which is that of its database */
    const char *name; /* name of the process, application or thread; NULL: unknown */
    size_t length;
};

/* A row of table `object`: the file, device etc. that an event refers to. */
struct object_entry {
    const char *name; /* name of a file; NULL: none */
    size_t length;
    const char *type; /* type of the file; NULL: none */
    int64_t device;   /* device number, major << 20 | minor; EVENT_NONE: unknown */
    /* Inode number and generation of a file found by its blocks; 0: unknown. */
    uint32_t inode, generation;
};

/* A row of table `probe`: how a function's calls were measured. Strings are constant. */
struct probe_entry {
    const char *resolution; /* what the probe measures: "process", "thread", "method" or "loop" */
    const char *origin;     /* origin of the function: "app" or "framework" */
    bool on;                /* true: the probe was switched on in this profiling round */
};

#endif
