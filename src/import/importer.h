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

/* Maximum files open at once, that is, files that overlap in time. Consecutive files are opened one
 * at a time. */
#define STREAM_FILES 256

/* Default number of records of a file that are sorted by time against each other, and their total
 * bytes. */
#define STREAM_WINDOW 256
#define STREAM_BYTES  ((size_t)64 * 1024)

struct stream {
    struct reader *reader;   /* borrowed */
    const void *declaration; /* the importer's; borrowed */
    void *state; /* the importer's, `stream_state_size` bytes, initially zeroed; owned */
    /* For formats with a first_time() whose times wrap around: the range, for a file after the
     * wrap; otherwise 0. */
    int64_t begins;
};

/* An unparsed record of a file. Its extent must be known without parsing: it may be read before its
 * time. */
struct stream_record {
    const uint8_t *bytes; /* borrowed; NULL: too long */
    size_t length;
    int64_t offset; /* offset in the file */
    int64_t size;   /* size in the file, including the end mark */
    void *parsed;   /* result of parse_record(); take_record() may change it */
    bool goes_on;   /* true: the next record may continue this one; for take_record() */
};

/* `next_record` for records that are lines: without line ends, up to READER_WINDOW bytes. */
bool stream_next_line(struct stream *stream, struct stream_record *record);

/* --- importer --------------------------------------------------------------------------------- */

/* The beginning of a file, for detecting its format. */
struct sniff {
    const uint8_t *bytes;
    size_t length;           /* up to SNIFF_LENGTH */
    size_t mark;             /* length of the byte order mark before them */
    bool whole;              /* true: the bytes are the complete file */
    int64_t record_size;     /* --record-size, 0 if not given */
    const char *name;        /* file name without directory; "": none. Borrowed */
    const void *declaration; /* the importer's */
};
#define SNIFF_LENGTH READER_WINDOW

/* A number to keep for a later append. The stored text may come from a foreign database, so each
 * has limits. */
struct resume_value {
    const char *key; /* a word */
    size_t place;    /* offsetof() an int64_t in the state */
    int64_t least, most;
    bool is_unsigned; /* true: any unsigned 64-bit value is allowed, without limits */
};

/* Certainty of sniff(). The highest wins; among equals the first in importers/list.c. */
enum sniff_score {
    SNIFF_NO = 0,
    SNIFF_GREEDY = 10, /* text that could be many formats */
    SNIFF_LIKELY = 50, /* the structure of the format matches everywhere */
    SNIFF_SURE = 55,   /* SNIFF_LIKELY, with a feature unique to the format */
    SNIFF_OWN = 60,    /* SNIFF_SURE, for a format declared by the user's configuration */
    SNIFF_MAGIC = 90,  /* a magic number or a name */
};

/* Record of a span to show: a call has two. */
enum dump_moment { DUMP_ENTRY, DUMP_EXIT, DUMP_DATA };

/* A stored event, for dump(). */
struct dump_event {
    struct event event;
    const struct config *config; /* the current one; borrowed, NULL: none */
    void *state;                 /* set by begin_dump(); NULL: none */
    /* Names are any bytes, NULs included; length 0: none. */
    const char *operation;
    size_t operation_length;
    const char *operation_kind;
    int64_t operation_code; /* EVENT_NONE: none */
    const char *actor;      /* name or label */
    size_t actor_length;
    int64_t pid, tid, session; /* EVENT_NONE: none */
    const char *issuer;        /* dispatcher of an I/O, if event.issuer is not 0 */
    size_t issuer_length;
    int64_t issuer_pid;
    const char *object; /* file */
    size_t object_length;
    const char *error; /* error of a call */
    size_t error_length;
    size_t arguments_size; /* size of event.arguments */
};

/* A known operation, whether in the log or not. Strings are borrowed for the call. */
struct known_operation {
    int64_t code;
    const char *name;
    const char *category; /* part of the system that has the operation */
    int64_t parameters;   /* number of parameters; EVENT_NONE: unknown */
    int64_t returns;      /* has a return value: 1 or 0; EVENT_NONE: unknown */
    const char *unlogged; /* reason why the operation cannot be logged; NULL: it can */
};

/* Returning false stops. */
typedef bool known_operation_visit(void *context, const struct known_operation *operation);

struct importer {
    const char *name;        /* after -f; also the man page's section and the testdata directory */
    const char *description; /* one line for `tracetool formats` */
    /* For messages on unknown files: a typical line, to find the nearest format by its form (NULL
     * for a binary format), and a description of a log's beginning or content. */
    const char *line, *made_of;
    const char *variants; /* possible values of traces.variant, comma-separated */
    /* For traces with a file per CPU: the part of the file name between the trace's name and the
     * CPU number; ".blktrace." for sda.blktrace.0. NULL: not such a format. */
    const char *cpu_files;
    /* Bit set of enum trace_kind: the kinds of its events. If there are several, each becomes a
     * trace, and import_of() selects the trace of an import_…() call. */
    unsigned kinds;
    unsigned columns; /* columns that it sets: bits of enum event_column */
    /* By kind: meanings of actor, object and all columns with numbers and bytes that it sets; a
     * list ends with {0}. Values in columns not listed in `columns` are dropped. */
    const struct event_meaning *meanings[TRACE_KINDS];
    /* By kind: FACTS_OF_LOG() of the facts that its logs can state, among facts_to_declare().
     * Reports omit what would need the others, instead of printing 0. Facts that follow from
     * `columns` need no declaration. */
    unsigned facts[TRACE_KINDS];
    bool takes_record_size; /* true: supports --record-size */
    bool takes_devices;     /* true: supports --only-device */
    bool only_named; /* true: sniff() never accepts a file, because any text may be such a log */
    /* Source of an importer created at run time; available to sniff(), streams and
     * import_declaration(). NULL: built in. */
    const void *declaration;
    size_t state_size; /* bytes of the importer's own state */

    /* How likely the file is of this format. Must be stateless. */
    enum sniff_score (*sniff)(const struct sniff *sniff);

    /* Returns why a line of a file is no record, as the ledger says it; NULL: it is one. Also joins
     * single lines that were wrapped. NULL: it cannot tell. */
    const char *(*why_not)(const struct sniff *sniff, struct word line);

    /* Returns why sniff() refuses a file that has records of the format; NULL: no reason is known.
     * May be NULL. */
    const char *(*refuses)(const struct sniff *sniff, struct word line);

    /* Numbers in the state that are kept for appending files to the trace (--append); the last has
     * no key. They are read before begin() and stored after end(). */
    const struct resume_value *resume;
    /* Offset of a bool in the state: initially whether the trace is appended to; the numbers are
     * stored only if it is true at the end. 0: none. */
    size_t resume_begun;
    bool resume_text; /* also keeps text: import_save_state() */

    /* Called once before the first file; `state` is zeroed except for the numbers in `resume`. May
     * be NULL. */
    void (*begin)(struct import *import, void *state);

    /* Either read(): called once per file, in the order of the trace's files. It passes bad records
     * to import_rejected() and continues. If the file is not of the format at all, import_refuse()
     * ends it. NULL: the four functions below. */
    void (*read)(struct import *import, void *state, struct reader *reader);

    /* Or, for formats whose files may overlap in time, such as one per CPU: a file is a stream of
     * records, and the records of all files are merged by time. The first three functions may be
     * called to look ahead, so only take_record() may call the import_…() functions. */
    size_t stream_state_size; /* bytes of a file's state */

    /* Called once per file, before its first record. False with `error` set if it is not of the
     * format at all. May be NULL. close_stream() frees what it allocates; NULL: nothing. */
    bool (*open_stream)(struct stream *stream, struct error *error);
    void (*close_stream)(struct stream *stream);

    /* Consumes the next record; false at the end or if reader_failed(). */
    bool (*next_record)(struct stream *stream, struct stream_record *record);

    /* Time for merging, in a unit common to all files. EVENT_NONE for a record without time (a
     * heading, a damaged record), which directly follows the record before. `record->parsed`:
     * NULL before parse_record(). */
    int64_t (*record_time)(const struct stream *stream, const struct stream_record *record);

    /* Parses the record, without the import and its state, into the `parsed_size` bytes of
     * `record->parsed`. Runs in another thread than take_record(), for later records
     * (read_ahead.h): of the stream it may use only what open_stream() has set and take_record()
     * does not change. NULL: take_record() does it all. */
    void (*parse_record)(const struct stream *stream, struct stream_record *record);
    size_t parsed_size;
    /* Whether the result of parse_record() stays valid while later records are read and parsed. */
    bool reads_ahead;

    /* Turns the record into events or a ledger entry. */
    void (*take_record)(struct import *import, void *state, struct stream *stream,
                        const struct stream_record *record);

    /* Number of records of a file sorted against each other; 0: STREAM_WINDOW. A single file is not
     * sorted unless `sorts_alone`. */
    unsigned stream_window;
    bool sorts_alone;

    /* Records of a file are in time order unless its clock stepped back; import_earlier() is called
     * for each exception. record_time() is in units of the trace's clock. */
    bool tells_earlier;
    /* A record may depend on the lines before it: several files are read one after another, and
     * records are not sorted before parsing. */
    bool in_file_order;
    /* The program that records writes a log into several files: a folder of them needs no remark.
     */
    bool in_pieces;

    /* The meaning of a record depends on earlier ones: if files are not in order, all records are
     * sorted before parsing. Without tells_earlier files have no order: all records are sorted, and
     * the first is parsed when all were read. Needs next_record(). */
    bool sorts;

    /* Called once after the last file (or after a failure): passes on events still held back, and
     * frees what `state` owns. `failed`: nothing will be kept. May be NULL. */
    void (*end)(struct import *import, void *state, bool failed);

    /* Whether the file has a single thread of a trace with one file per thread: NAME.N. NULL: no
     * such files. */
    bool (*of_thread)(const struct sniff *sniff);

    /* Returns the first time in the file, or EVENT_NONE, to order the files of a trace; equal ones
     * are ordered by name. `*range`: times wrap to 0 after it, and files from before the wrap come
     * first; 0: no wrap. NULL: files are read in the given order. */
    int64_t (*first_time)(const struct sniff *sniff, const struct config *config, int64_t *range);

    /* Appends the text of `tracetool dump` after the time, without newline. Names must be escaped
     * (text_append_escaped). NULL: shows operation, actor, object and size. */
    void (*dump)(const struct dump_event *event, struct text *out);

    /* Like dump_event(), for spans: prints after time, thread and the indented name: the arguments
     * of an entry, or the data of an exit. May be NULL. */
    void (*dump_span)(const struct dump_event *event, enum dump_moment moment, struct text *out);

    /* State of dump() and dump_span(): begin_dump() sets `*state` once per trace, end_dump() frees
     * it. Both or none. Not called if the text is only measured; `state` is then NULL. */
    bool (*begin_dump)(const struct config *config, void **state, struct error *error);
    void (*end_dump)(void *state);

    /* Calls `add` for every operation code that could have been logged according to `config`. May
     * be NULL. `*by_default`: the configuration does not say; uses defaults. */
    bool (*loggable)(const struct config *config, bool (*add)(void *context, int64_t code),
                     void *context, bool *by_default, struct error *error);

    /* Calls `add` once for every known operation code. May be NULL. */
    bool (*known)(const struct config *config, known_operation_visit *add, void *context,
                  struct error *error);
};

/* NULL-terminated list of the built-in importers, in order of preference. */
extern const struct importer *const importers[];

/* Returns the importer of a declared format by index, NULL after the last. It lives as long as the
 * configuration. */
const struct importer *importer_declared(const struct config *config, size_t index);

/* Returns an importer by index: built-in ones, then declared ones. NULL after the last. */
const struct importer *importer_at(const struct config *config, size_t index);

/* Finds an importer by name; NULL if unknown. */
const struct importer *importer_find(const struct config *config, const char *name);

/* The latter, for the kinds that can be declared. */
extern const struct importer importer_undeclared;

/* Returns the source of an importer created at run time; otherwise NULL. */
const void *import_declaration(const struct import *import);

/* Explains a file that no importer reads but that is known, and what to do; follows "FILE: ". NULL:
 * unknown. Constant. */
const char *importer_other(const struct sniff *sniff);

/* Returns the name of a compression that cannot be read, and what to do; NULL if the file is not
 * compressed so. */
const char *importer_packed(const struct sniff *sniff);

/* Finds an importer by name or unique prefix; NULL with `error` set if there is none. */
const struct importer *importer_choose(const struct config *config, const char *typed,
                                       struct error *error);

#endif
