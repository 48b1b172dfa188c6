/* The interface of an importer: it turns bytes into events and knows nothing of SQL.
 *
 * An importer is one file in importers/ that defines one `const struct importer`; the list of all
 * of them is importers/list.c. importers/template.c compiles and explains every function: copy it.
 * docs/adding-an-importer.md goes through the steps.
 *
 * An importer runs in a thread of its own and calls the import_…() functions of emit.h (events and
 * the names they refer to), span.h (calls with a duration) and metadata.h (the ledger, and facts
 * about the trace); none of them may be called from sniff() or dump().
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
#include "model/event.h"
#include "model/meaning.h"

/* --- a file as a stream of records, which are read side by side ----------------------------------
 */

/* Files that may be open at once. Pieces that follow one another are open one at a time, so this is
 * how many may overlap. */
#define STREAM_FILES 256

/* Records of one file that are sorted by time against one another, unless its importer says
 * otherwise, and the bytes that they may have together. */
#define STREAM_WINDOW 256
#define STREAM_BYTES  ((size_t)64 * 1024)

struct stream {
    struct reader *reader;   /* borrowed */
    const void *declaration; /* the importer's; borrowed */
    void *state;             /* the importer's, `stream_state_size` bytes, zeroed at first; owned */
    /* Where the times of formats with a first_time() begin again: its range, of a file behind that
     * place; else 0. */
    int64_t begins;
};

/* A record as it lies in its file. Which bytes it is must be known without parsing it: it may be
 * looked at before its time has come. */
struct stream_record {
    const uint8_t *bytes; /* borrowed; NULL: it is too long to be had */
    size_t length;
    int64_t offset; /* in the file */
    int64_t size;   /* in the file, with what ends it */
};

/* `next_record` of an importer whose records are lines: without their ends, of up to READER_WINDOW
 * bytes. */
bool stream_next_line(struct stream *stream, struct stream_record *record);

/* --- the importer --------------------------------------------------------------------------------
 */

/* The beginning of a file, for finding out what it is. */
struct sniff {
    const uint8_t *bytes;
    size_t length;           /* up to SNIFF_LENGTH */
    bool whole;              /* the file ends there */
    int64_t record_size;     /* --record-size, 0 when not given */
    const char *name;        /* of the file, without its folder; "": it has none. Borrowed */
    const void *declaration; /* the importer's */
};
#define SNIFF_LENGTH READER_WINDOW

/* A number that a trace goes on with. The text that keeps them may come from anybody's database, so
 * each has its bounds. */
struct resume_value {
    const char *key; /* a word */
    size_t place;    /* offsetof() an int64_t in the state */
    int64_t least, most;
    bool is_unsigned; /* 64 bits without a sign, any of them: no bounds */
};

/* How sure a sniff() is. The highest wins; between equals the first in importers/list.c. */
enum sniff_score {
    SNIFF_NO = 0,
    SNIFF_GREEDY = 10, /* text that could be many things */
    SNIFF_LIKELY = 50, /* the structure fits over all of what is seen */
    SNIFF_SURE = 55,   /* the same, and something that no other format has */
    SNIFF_OWN = 60,    /* the same, of a format that the user's own configuration declares */
    SNIFF_MAGIC = 90,  /* a magic number or a name */
};

/* Which record of a span is shown: a call has two. */
enum dump_moment { DUMP_ENTRY, DUMP_EXIT, DUMP_DATA };

/* An event as it lies in the database, for dump(). */
struct dump_event {
    struct event event;
    const struct config *config; /* the present one; borrowed, NULL: none */
    void *state;                 /* what begin_dump() made; NULL: nothing */
    /* Names are any bytes, NULs included; length 0: none. */
    const char *operation;
    size_t operation_length;
    const char *operation_kind;
    int64_t operation_code; /* EVENT_NONE: none */
    const char *actor;      /* name or label */
    size_t actor_length;
    int64_t pid, tid, session; /* EVENT_NONE: none */
    const char *issuer;        /* who dispatched an I/O, where event.issuer is not 0 */
    size_t issuer_length;
    int64_t issuer_pid;
    const char *object; /* file */
    size_t object_length;
    const char *error; /* what a call failed with */
    size_t error_length;
    size_t arguments_size; /* of event.arguments */
};

/* What is known of an operation, whether a log has it or not. Strings are borrowed for the call. */
struct known_operation {
    int64_t code;
    const char *name;
    const char *category; /* the part of the system that it belongs to */
    int64_t parameters;   /* how many; EVENT_NONE: not known */
    int64_t returns;      /* whether anything: 1 or 0; EVENT_NONE: not known */
    const char *unlogged; /* why, where it could not have been logged */
};

/* False: the caller gives up. */
typedef bool known_operation_visit(void *context, const struct known_operation *operation);

struct importer {
    const char *name;        /* after -f; also the man page's section, the testdata folder */
    const char *description; /* one line for `tracetool formats` */
    /* For files that are no such log: a line as most of one are, by whose form the nearest format
     * is found, NULL of a binary format; and what a log begins with or is made of. */
    const char *line, *made_of;
    const char *variants; /* what traces.variant may say, comma-separated */
    /* Where a trace has a file a CPU: what stands in their names between that of the trace and the
     * number of the CPU; ".blktrace." of sda.blktrace.0. NULL: it has not. */
    const char *cpu_files;
    /* Bit set of enum trace_kind: the kinds of its events. Where there are several, each becomes a
     * trace of its own, and import_of() says which of them a call of import_…() is about. */
    unsigned kinds;
    unsigned columns; /* enum event_column: those it sets */
    /* By kind: what actor, object and all columns with numbers and bytes that it sets mean; a list
     * ends with {0}. Of columns that it does not set nothing is kept. */
    const struct event_meaning *meanings[TRACE_KINDS];
    /* By kind: FACTS_OF_LOG() of the facts that its logs can state, out of facts_to_declare(). A
     * report leaves out what the others would say, where it would print 0. Those that follow from
     * `columns` need no declaration. */
    unsigned facts[TRACE_KINDS];
    bool takes_record_size; /* --record-size means something to it */
    bool takes_devices;     /* and so does --only-device */
    /* What the importer was made of, where that was at run time: sniff(), streams and
     * import_declaration() have it. NULL: it is in the program. */
    const void *declaration;
    size_t state_size; /* bytes of the importer's own state */

    /* How likely the file is of this format. Must not keep anything. */
    enum sniff_score (*sniff)(const struct sniff *sniff);

    /* The numbers in the state with which a trace goes on when files are appended to it (--append);
     * the last has no key. They are read before begin() and kept behind end(). */
    const struct resume_value *resume;
    /* Place of a bool in the state: at first whether the trace goes on; the numbers are only kept
     * where it is true at the end. 0: none. */
    size_t resume_begun;
    bool resume_text; /* and text of its own: import_keep() */

    /* Once before the first file; `state` is zeroed, but for those numbers. May be NULL. */
    void (*begin)(struct import *import, void *state);

    /* Either read(): once a file, in the order in which the pieces of the trace follow one another.
     * Bad records go to import_rejected() and do not end it; import_refuse() does, when the file is
     * not of the format at all. NULL: the four functions below. */
    void (*read)(struct import *import, void *state, struct reader *reader);

    /* Or, for a format of which several files may be of the same time, such as one a CPU: a file is
     * a stream of records, and those of all files come merged by time. The first three know nothing
     * of the import, since they are also called to look ahead; only take_record() may call the
     * import_…() functions. */
    size_t stream_state_size; /* bytes of a file's own state */

    /* Once a file, before its first record. False with `error` set when it is not of the format at
     * all. May be NULL. What it hangs on the state, close_stream() frees; NULL: nothing. */
    bool (*open_stream)(struct stream *stream, struct error *error);
    void (*close_stream)(struct stream *stream);

    /* Consumes the next record; false at the end or when reader_failed(). */
    bool (*next_record)(struct stream *stream, struct stream_record *record);

    /* The time by which records are merged, in any unit that all files have in common; EVENT_NONE:
     * it has none (a heading, a damaged record), and comes right behind the one before it. */
    int64_t (*record_time)(const struct stream *stream, const struct stream_record *record);

    /* Makes of it what it is: events, or something in the ledger. */
    void (*take_record)(struct import *import, void *state, struct stream *stream,
                        const struct stream_record *record);

    /* Records of one file are sorted against so many others of it; 0: STREAM_WINDOW. A file that is
     * read alone is taken as it stands, unless `sorts_alone`. */
    unsigned stream_window;
    bool sorts_alone;

    /* Records of a file are in order of time where its clock never stepped back: import_earlier()
     * is called for each that is not. record_time() is in units of the trace's clock. */
    bool tells_earlier;

    /* What a record means depends on the ones before it in time: where files are not in order, all
     * records are sorted before the first is taken. Needs next_record() and tells_earlier. */
    bool sorts;

    /* Once after the last file (or after a failure): gives events still held back, frees what
     * `state` owns. `failed`: nothing that is given will be kept. May be NULL. */
    void (*end)(struct import *import, void *state, bool failed);

    /* Whether the file is of one thread alone, of a trace that has a file a thread: NAME.N.
     * NULL: there are none. */
    bool (*of_thread)(const struct sniff *sniff);

    /* Where among the files of one trace this one belongs: the first time in it, or EVENT_NONE when
     * it does not say. Files are read in that order, those of equal value in order of name.
     * `*range` is where the times begin again at 0, so that files from before come first; 0:
     * nowhere. NULL: they are read in the order given. */
    int64_t (*first_time)(const struct sniff *sniff, const struct config *config, int64_t *range);

    /* Appends what `tracetool dump` shows of an event behind the time, without a newline. Names
     * must be escaped (text_append_escaped). NULL: operation, actor, object and size are shown. */
    void (*dump)(const struct dump_event *event, struct text *out);

    /* The same for spans, behind time, thread and the indented name: the arguments of an entry, or
     * of an exit what came with it. May be NULL. */
    void (*dump_span)(const struct dump_event *event, enum dump_moment moment, struct text *out);

    /* What dump() and dump_span() keep from one event to the next: begin_dump() sets `*state`, once
     * a trace, which end_dump() frees. Either both or none. Not called, and `state` is NULL, where
     * the text is only measured. */
    bool (*begin_dump)(const struct config *config, void **state, struct error *error);
    void (*end_dump)(void *state);

    /* Calls `add` for every operation code that could have been logged according to `config`.
     * May be NULL. `*by_default`: the configuration does not say, these are the defaults. */
    bool (*loggable)(const struct config *config, bool (*add)(void *context, int64_t code),
                     void *context, bool *by_default, struct error *error);

    /* Calls `add` for every operation that there is, each code once. May be NULL. */
    bool (*known)(const struct config *config, known_operation_visit *add, void *context,
                  struct error *error);
};

/* NULL-terminated list of the importers that are in the program, in order of preference. */
extern const struct importer *const importers[];

/* Those of the formats that a configuration declares, which live as long as it does: the one with
 * that index, NULL behind the last. */
const struct importer *importer_declared(const struct config *config, size_t index);

/* All of them: those in the program, then those that are declared. NULL behind the last. */
const struct importer *importer_at(const struct config *config, size_t index);

/* The importer called `name`, NULL when there is none. */
const struct importer *importer_find(const struct config *config, const char *name);

/* For the events of a trace of that format and kind: its importer, or where the format was declared
 * and no longer is, one whose dump() shows them as it did. NULL: there is none. */
const struct importer *importer_of_trace(const struct config *config, const char *format,
                                         enum trace_kind kind);

/* The latter, of the kinds that can be declared. */
extern const struct importer importer_undeclared;

/* What the importer of an import was made of, where that was at run time; else NULL. */
const void *import_declaration(const struct import *import);

/* What a file is that no importer reads but that is known, and what to do with it, for behind
 * "FILE: "; NULL: not known. Constant. */
const char *importer_other(const struct sniff *sniff);

/* What packs a file so that what is in it cannot be read, and what to do; NULL: nothing known. */
const char *importer_packed(const struct sniff *sniff);

/* The importer of the format that was meant, by its name or what begins it alone; NULL with `error`
 * set when there is none. */
const struct importer *importer_choose(const struct config *config, const char *typed,
                                       struct error *error);

#endif
