/* Interface of importers, which parse bytes into events, independent of SQL.
 *
 * An importer is a file in importers/ that defines one `const struct importer`; importers/list.c
 * lists them all. Copy importers/template.c, which compiles and explains every function.
 * docs/adding-an-importer.md describes the steps.
 *
 * An importer runs in its own thread and calls the import_…() functions of emit.h (events and the
 * names they refer to), span.h (calls with a duration) and metadata.h (the ledger and facts about
 * the trace). None of them may be called from sniff() or dump().
 */
#ifndef TRACETOOL_IMPORTER_H
#define TRACETOOL_IMPORTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "config/config.h"
#include "import/metadata.h"
#include "import/emit.h"
#include "import/span.h"
#include "input/reader.h"
#include "input/word.h"
#include "model/event.h"
#include "model/meaning.h"

/* --- a file as a stream of records, for parallel reading -------------------------------------- */

/* Limit of files that are open at once, because they overlap in time. Files that follow one another
 * in time are opened one at a time. */
#define STREAM_FILES 256

/* Default window in which a file's records are sorted by time: number of records, and their total
 * bytes. */
#define STREAM_WINDOW 256
#define STREAM_BYTES  ((size_t)64 * 1024)

struct stream {
    struct reader *reader;   /* borrowed */
    const void *declaration; /* result of import_declaration(), borrowed */
    void *state; /* owned, initially zeroed: `stream_state_size` bytes of the importer's data */
    /* If the clock wrapped to 0 before this file: the clock's range, which is added to the file's
     * times; else 0. For formats with a first_time(). */
    int64_t begins;
};

/* An unparsed record of a file. Its extent must be known without parsing, because records are read
 * before they are due in order of time. */
struct stream_record {
    const uint8_t *bytes; /* bytes of the record, borrowed; NULL: the record is too long */
    size_t length;
    int64_t offset; /* offset of the record in the file */
    int64_t size;   /* size of the record in the file, including its line end, if it has one */
    void *parsed;   /* result of parse_record(); take_record() may change it */
    bool goes_on;   /* true: the next record may continue this one; set for take_record() */
};

/* A `next_record` for records that are lines, without line end, of up to READER_WINDOW bytes. */
bool stream_next_line(struct stream *stream, struct stream_record *record);

/* --- definition of an importer ---------------------------------------------------------------- */

/* The beginning of a file, for detecting its format. */
struct sniff {
    const uint8_t *bytes;
    size_t length;           /* number of bytes, up to SNIFF_LENGTH */
    size_t mark;             /* length of the byte order mark before `bytes` */
    bool whole;              /* true: the bytes are the complete file */
    int64_t record_size;     /* --record-size, 0 if not given */
    const char *name;        /* file name without directory; "": none. Borrowed */
    const void *declaration; /* `declaration` of the importer whose sniff() is called */
};
#define SNIFF_LENGTH READER_WINDOW

/* A number in the importer's state that is stored with the trace and restored when files are
 * appended. The stored text may come from an untrusted database, so each number has limits. */
struct resume_value {
    const char *key; /* name of the number: one word */
    size_t place;    /* position of the number, an int64_t, in the state: a result of offsetof() */
    int64_t least, most;
    bool is_unsigned; /* true: any unsigned 64-bit value is allowed, without limits */
};

/* Certainty of sniff(). The highest score gets the file; among equals, the first in list.c. */
enum sniff_score {
    SNIFF_NO = 0,
    SNIFF_GREEDY = 10, /* text that could be many formats */
    SNIFF_LIKELY = 50, /* the structure of the format matches everywhere */
    SNIFF_SURE = 55,   /* as SNIFF_LIKELY, with a feature unique to the format */
    SNIFF_OWN = 60,    /* as SNIFF_SURE, for a format declared by the user's configuration */
    SNIFF_MAGIC = 90,  /* a magic number or a file name proves the format */
};

/* What dump_span() prints: the entry of a call, its exit, or a record with data of the call. */
enum dump_moment { DUMP_ENTRY, DUMP_EXIT, DUMP_DATA };

/* A stored event, for dump(). */
struct dump_event {
    struct event event;
    const struct config *config; /* current configuration, borrowed; NULL: none */
    void *state;                 /* state set by begin_dump(); NULL: none */
    /* Names are any bytes, including NULs; length 0: no name. */
    const char *operation;
    size_t operation_length;
    const char *operation_kind;
    int64_t operation_code; /* EVENT_NONE: none */
    const char *actor;      /* name of the process or thread, or its label */
    size_t actor_length;
    int64_t pid, tid, session; /* numbers of process, thread and session; EVENT_NONE: none */
    const char *issuer; /* name of the thread that dispatched an I/O, if event.issuer is not 0 */
    size_t issuer_length;
    int64_t issuer_pid;
    const char *object; /* name of the file or other object */
    size_t object_length;
    const char *error; /* name of the error with which the call failed */
    size_t error_length;
    size_t arguments_size; /* size of event.arguments */
    bool in_units;         /* true: times are not in nanoseconds, but in ticks of a counter */
};

/* An operation known from the configuration, whether it occurs in the log or not. Strings are
 * borrowed during the call. */
struct known_operation {
    int64_t code;
    const char *name;
    const char *category; /* part of the system that the operation belongs to */
    int64_t parameters;   /* number of parameters; EVENT_NONE: unknown */
    int64_t returns;      /* 1: has a return value; 0: has none; EVENT_NONE: unknown */
    const char *unlogged; /* reason why the operation cannot be logged; NULL: it can */
};

/* Called for each known operation. Returns false to stop the enumeration. */
typedef bool known_operation_visit(void *context, const struct known_operation *operation);

struct importer {
    const char *name; /* name of the format, as after -f, in man page sections and in testdata */
    const char *description; /* one line for `tracetool formats` */
    /* For messages on files of unknown format. line: a typical line, for finding the nearest format
     * (NULL: a binary format); made_of: how a log begins or what it contains. */
    const char *line, *made_of;
    const char *variants; /* possible values of the column trace.variant, comma-separated */
    /* For traces with a file per CPU: the part of the file name between the trace's name and the
     * CPU number; ".blktrace." for sda.blktrace.0. NULL: not such a format. */
    const char *cpu_files;
    /* Bit set of enum trace_kind: the kinds of events in the format. If there are several, each
     * kind becomes a trace of its own, and import_of_kind() selects the trace of an import_…()
     * call. */
    unsigned kinds;
    unsigned columns; /* columns of events that the importer may set: bits of enum event_column */
    /* By kind of trace: meanings of actor, object, and each used column that holds numbers or
     * bytes. A list ends with {0}. Values of columns that are not in `columns` are dropped. */
    const struct event_meaning *meanings[TRACE_KINDS];
    /* By kind of trace: FACTS_OF_LOG() of those facts in facts_to_declare() that logs of the format
     * can state. Reports omit columns that need other facts, instead of printing 0. Facts that
     * follow from `columns` need not be declared. */
    unsigned facts[TRACE_KINDS];
    bool takes_record_size; /* true: the option --record-size applies to the format */
    bool takes_devices;     /* true: the option --only-device applies to the format */
    bool only_named; /* true: sniff() accepts no file, since any text may be of the format; the user
                        names it */
    /* Declaration of an importer made from the configuration; available to sniff(), streams and
     * import_declaration(). NULL: built-in importer. */
    const void *declaration;
    size_t state_size; /* size in bytes of the importer's state */

    /* Returns how likely a file has this format. Must not keep state. */
    enum sniff_score (*sniff)(const struct sniff *sniff);

    /* Returns why a line is no record of the format, in the words of the ledger (counts of ignored
     * and rejected records by reason); NULL: it is a record. Also used to join wrapped lines. May
     * be NULL, if the format cannot tell. */
    const char *(*why_not)(const struct sniff *sniff, struct word line);

    /* Returns why sniff() refuses a file although it has records of the format; NULL: no reason is
     * known. May be NULL. */
    const char *(*refuses)(const struct sniff *sniff, struct word line);

    /* Numbers of the state that are stored for appending files to the trace later (--append); the
     * list ends with a NULL key. They are restored before begin(), and stored after end(). */
    const struct resume_value *resume;
    /* Offset of a bool in the state; 0: none. The bool is set to true before begin() if files are
     * appended to a trace. The numbers in `resume` are stored only if it is true after end(). */
    size_t resume_begun;
    bool resume_text; /* true: text is stored for later appends, too: import_save_state() */

    /* Called once before the first file. `state` is zeroed except for the numbers of `resume`. May
     * be NULL. */
    void (*begin)(struct import *import, void *state);

    /* A format has either read() or the stream functions below. read() is called once per file, in
     * the order of the trace's files. It reports bad records by import_rejected() and continues. If
     * the file is not of the format at all, it calls import_fail_file() and ends. */
    void (*read)(struct import *import, void *state, struct reader *reader);

    /* Functions for formats whose files may overlap in time, such as one file per CPU. A file is a
     * stream of records; the records of all files are merged by time. Only take_record() may call
     * import_…() functions, since the others may be called to look ahead. */
    size_t stream_state_size; /* size in bytes of the importer's data on a file: stream.state */

    /* open_stream() is called once per file, before its first record; returns false with `error`
     * set if the file is not of the format. close_stream() frees its memory. Both may be NULL. */
    bool (*open_stream)(struct stream *stream, struct error *error);
    void (*close_stream)(struct stream *stream);

    /* Reads the next record; returns false at the end of the file or if reader_failed(). */
    bool (*next_record)(struct stream *stream, struct stream_record *record);

    /* Returns the time of a record for merging, in a unit common to all files. Returns EVENT_NONE
     * for a record without a time (a heading, a damaged record): it directly follows the record
     * before. `record->parsed` is NULL before parse_record(). */
    int64_t (*record_time)(const struct stream *stream, const struct stream_record *record);

    /* Parses the record into the `parsed_size` bytes at `record->parsed`, without the import and
     * its state. Runs in another thread than take_record(), for later records (read_ahead.h): it
     * may use only data of the stream that open_stream() has set and take_record() does not change.
     * NULL: take_record() also parses. */
    void (*parse_record)(const struct stream *stream, struct stream_record *record);
    size_t parsed_size;
    /* true: the result of parse_record() stays valid while later records are read and parsed */
    bool reads_ahead;

    /* Makes events from the record, or counts it in the ledger (import_rejected() etc.). */
    void (*take_record)(struct import *import, void *state, struct stream *stream,
                        const struct stream_record *record);

    /* stream_window: number of records in the window in which a file's records are sorted by time;
     * 0: STREAM_WINDOW. sorts_alone: sorts them also if there is only one file. */
    unsigned stream_window;
    bool sorts_alone;

    /* true: the importer calls import_count_earlier_record() for each record with a time before
     * that of the record before. These are the only places where a file is out of order.
     * record_time() then returns times in units of the trace's clock. */
    bool tells_earlier;
    /* true: a record may depend on the lines before it. So several files are read one after
     * another, and records are not sorted before parsing. */
    bool in_file_order;
    /* true: the recording program writes several files per log, so importing a directory of them
     * causes no remark */
    bool in_pieces;

    /* true: the meaning of a record depends on records before it, so records must be parsed in
     * order of time. With `tells_earlier`, they are sorted only if files are not in order of time.
     * Without, all records are read and sorted before the first is parsed. Needs next_record(). */
    bool sorts;

    /* Called once after the last file, or after a failure: emits events still held back, and frees
     * memory that `state` owns. `failed`: nothing will be stored. May be NULL. */
    void (*end)(struct import *import, void *state, bool failed);

    /* Returns whether the file has the events of a single thread, from a trace with one file per
     * thread, NAME.N. NULL: the format has no such files. */
    bool (*of_thread)(const struct sniff *sniff);

    /* Returns the first time in the file, or EVENT_NONE. The files of a trace are ordered by this
     * time, then by name. Sets `*range` to the range of the clock, after which it wraps to 0 (0:
     * never); files from before the wrap come first. NULL: files are read in the given order. */
    int64_t (*first_time)(const struct sniff *sniff, const struct config *config, int64_t *range);

    /* Appends what `tracetool dump` prints for an event after its time, without a newline. Names
     * must be escaped (text_append_escaped). NULL: prints operation, actor, object and size. */
    void (*dump)(const struct dump_event *event, struct text *out);

    /* For a span, `tracetool dump` prints time, thread and indented name. dump_span() appends the
     * text after these: the arguments at an entry, the data at an exit. May be NULL. */
    void (*dump_span)(const struct dump_event *event, enum dump_moment moment, struct text *out);

    /* begin_dump() sets `*state` once per trace, for dump() and dump_span(); end_dump() frees it.
     * Define both or none. `state` is NULL when dump() is called only to measure the size of a
     * dump. */
    bool (*begin_dump)(const struct config *config, void **state, struct error *error);
    void (*end_dump)(void *state);

    /* Calls `add` for every operation code that could have been logged according to `config`. Sets
     * `*by_default` if defaults are used, since `config` does not say what is logged. May be NULL.
     */
    bool (*loggable)(const struct config *config, bool (*add)(void *context, int64_t code),
                     void *context, bool *by_default, struct error *error);

    /* Calls `add` once for every known operation code. May be NULL. */
    bool (*known)(const struct config *config, known_operation_visit *add, void *context,
                  struct error *error);
};

/* NULL-terminated list of the built-in importers, in order of preference. */
extern const struct importer *const importers[];

/* Returns the importer of a format that the configuration declares, by index; NULL after the last.
 * It lives as long as the configuration. */
const struct importer *importer_declared(const struct config *config, size_t index);

/* Returns an importer by index: built-in ones first, then declared ones. NULL after the last. */
const struct importer *importer_at(const struct config *config, size_t index);

/* Finds an importer by name; NULL if unknown. */
const struct importer *importer_find(const struct config *config, const char *name);

/* Importer that dumps traces of formats that the configuration no longer declares. */
extern const struct importer importer_undeclared;

/* Returns the configuration's declaration of the importer's format; NULL for a built-in importer.
 */
const void *import_declaration(const struct import *import);

/* Describes a file of a known type that no importer reads, and what to do with it, for printing
 * after "FILE: ". Returns NULL for an unknown type. The string is constant. */
const char *importer_describe_other(const struct sniff *sniff);

/* Returns the name of a compression that tracetool cannot read, and what to do; NULL if the file is
 * not compressed by one. */
const char *importer_describe_packed(const struct sniff *sniff);

/* Finds an importer by name or its unique prefix; returns NULL with `error` set if there is none.
 */
const struct importer *importer_choose(const struct config *config, const char *typed,
                                       struct error *error);

#endif
