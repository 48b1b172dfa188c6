/* The interface of an importer: it turns bytes into events and knows nothing of SQL.
 *
 * An importer is one file in importers/ that defines one `const struct importer`; the list of all
 * of them is importers/list.c. importers/template.c compiles and explains every function: copy it.
 * docs/adding-an-importer.md goes through the steps.
 *
 * An importer runs in a thread of its own and calls the import_…() functions below; none of
 * them may be called from sniff() or dump().
 */
#ifndef TRACETOOL_IMPORTER_H
#define TRACETOOL_IMPORTER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "config/config.h"
#include "model/event.h"
#include "input/reader.h"

struct import;

/* The beginning of a file, for finding out what it is. */
struct sniff {
    const uint8_t *bytes;
    size_t length;       /* up to SNIFF_LENGTH */
    bool whole;          /* the file ends there */
    int64_t record_size; /* --record-size, 0 when not given */
};
#define SNIFF_LENGTH READER_WINDOW

/* How sure a sniff() is. The highest wins; between equals the first in importers/list.c. */
enum sniff_score {
    SNIFF_NO = 0,
    SNIFF_GREEDY = 10, /* text that could be many things */
    SNIFF_LIKELY = 50, /* the structure fits over all of what is seen */
    SNIFF_MAGIC = 90,  /* a magic number or a name */
};

/* Which record of a span is shown: a call has two. */
enum dump_moment { DUMP_ENTRY, DUMP_EXIT, DUMP_DATA };

/* An event as it lies in the database, for dump(). */
struct dump_event {
    struct event event;
    /* Names are any bytes, NULs included; length 0: none. */
    const char *operation;
    size_t operation_length;
    const char *operation_kind;
    int64_t operation_code; /* EVENT_NONE: none */
    const char *actor;      /* name or label */
    size_t actor_length;
    int64_t pid, session; /* EVENT_NONE: none */
    const char *object;   /* file */
    size_t object_length;
    size_t arguments_size; /* of event.arguments */
};

struct importer {
    const char *name;        /* after -f; also the man page's section, the testdata folder */
    const char *description; /* one line for `tracetool formats` */
    const char *variants;    /* what traces.variant may say, comma-separated */
    enum trace_kind kind;
    unsigned columns;       /* enum event_column: those it sets */
    bool takes_record_size; /* --record-size means something to it */
    size_t state_size;      /* bytes of the importer's own state */

    /* How likely the file is of this format. Must not keep anything. */
    enum sniff_score (*sniff)(const struct sniff *sniff);

    /* Once before the first file; `state` is zeroed. May be NULL. */
    bool (*begin)(struct import *import, void *state, struct error *error);

    /* Once a file, in the order in which the pieces of the trace follow one another. Bad records
     * go to import_reject() and do not end it. False with `error` set when the file is not of the
     * format at all, when reader_failed(), or when import_event() returned NULL. */
    bool (*read)(struct import *import, void *state, struct reader *reader, struct error *error);

    /* Once after the last file (or after a failure): gives events still held back, frees what
     * `state` owns. `failed`: nothing that is given will be kept. May be NULL. */
    bool (*end)(struct import *import, void *state, bool failed, struct error *error);

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

    /* Calls `add` for every operation code that could have been logged according to `config`.
     * May be NULL. `*by_default`: the configuration does not say, these are the defaults. */
    bool (*loggable)(const struct config *config, bool (*add)(void *context, int64_t code),
                     void *context, bool *by_default, struct error *error);
};

/* NULL-terminated list of all importers, in order of preference. */
extern const struct importer *const importers[];

/* The importer called `name`, NULL when there is none. */
const struct importer *importer_find(const char *name);

/* --- what an importer calls ------------------------------------------------------------- */

/* The next event to fill in: all fields none but `time`, which is 0. It counts one record read
 * and kept. Valid until the next import_…() call but import_arguments(): find names first. NULL:
 * stop, return false (an error is set or will be). */
struct event *import_event(struct import *import);

/* --- spans: src/import/span.c makes calls out of records of entry and exit, by the rules of
 * docs/spans.md. Formats of kind TRACE_SPANS call these instead of import_event(). --- */

/* A record of entry or exit, or a data record. */
struct span_record {
    uint32_t operation; /* import_name(): the function */
    uint32_t actor;     /* import_actor(): the thread */
    uint32_t object;    /* of an entry: import_object(), 0: none */
    int64_t time;       /* since the start of the trace */
    int64_t cpu;        /* of the thread's CPU clock, where the trace has both; EVENT_NONE: none */
    int64_t size;       /* bytes of parameters or data; EVENT_NONE: the format has none */
    int64_t value;      /* of an exit: return code; EVENT_NONE: none */
    uint32_t flags;     /* of an exit: SPAN_EXCEPTION */
    /* Argument bytes, borrowed. Those of an exit are put behind those of the entry; when the entry
     * had none, `no_arguments` stands for them. */
    const uint8_t *arguments;
    uint32_t arguments_size;
    uint8_t no_arguments;
};

/* Each counts one record read and kept. False: stop, return false. A record that would open a call
 * beyond SPAN_OPEN_LIMIT is rejected: `offset` and `bytes` say where it is. */
bool import_entry(struct import *import, const struct span_record *record, int64_t offset,
                  int64_t bytes);
bool import_exit(struct import *import, const struct span_record *record, int64_t offset,
                 int64_t bytes);
bool import_data(struct import *import, const struct span_record *record);

/* Calls that may be open at once, over all threads. */
#define SPAN_OPEN_LIMIT (1 << 20)

/* What the times of the trace are: their unit ("ns" unless told: "counter units", "records"),
 * which clocks there are ("wall", "cpu", "wall cpu", "" for positions in the log), and the
 * frequency of a counter that was converted to nanoseconds (0: none). Constant strings; call it
 * before the first event. Without clocks, calls have no duration. */
struct import_clock {
    const char *unit, *clocks;
    int64_t hz;
};
void import_clock(struct import *import, const struct import_clock *clock);

/* Copies argument bytes (NULL when none are wanted: returns room to fill in) and attaches them to
 * the event from the last import_event(). NULL when out of memory: return false. */
uint8_t *import_arguments(struct import *import, struct event *event, const uint8_t *bytes,
                          uint32_t size);

/* Ids of dictionary rows; equal entries have one id. 0: stop, return false. Strings are copied. */
uint32_t import_name(struct import *import, const struct name_entry *entry);
uint32_t import_actor(struct import *import, const struct actor_entry *entry);
uint32_t import_object(struct import *import, const struct object_entry *entry);

/* Gives a name or an actor that was sent before the text it turned out to have; of `entry`, text,
 * length and component (name, length) count. False: stop. */
bool import_rename(struct import *import, uint32_t name, const struct name_entry *entry);
bool import_rename_actor(struct import *import, uint32_t actor, const struct actor_entry *entry);

/* A probe of the log, by its name: what was measured by it, whether it fired or not. What was told
 * before is replaced. False: stop. */
bool import_probe(struct import *import, uint32_t name, const struct probe_entry *probe);

/* The profiling round of the trace, from 1. */
void import_round(struct import *import, int64_t round);

/* What measuring a call cost, in nanoseconds of both its records, where the log itself says so. */
void import_call_overhead(struct import *import, int64_t nanoseconds);

/* Small number for event.file_type and event.process. 0: stop, return false. */
uint32_t import_label(struct import *import, const char *text, size_t length);

/* The ledger. `reason` is a constant string, of which an importer has a few; `offset` is
 * where in the file the record begins; `bytes` how many bytes were lost with it. */
void import_rejected(struct import *import, const char *reason, int64_t offset, int64_t bytes);
void import_ignored(struct import *import, const char *reason, int64_t offset);
void import_merged(struct import *import, const char *reason, int64_t offset);

/* Something that the reader of a report should know, shown by `show`. At most 64 a trace are
 * kept. */
void import_remark(struct import *import, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* How the format was written: "pdb", "text", …; copied. The first one stays. */
void import_variant(struct import *import, const char *variant);

/* Wall clock of time 0, nanoseconds since 1970 UTC. --start and --utc-offset take precedence. */
void import_start(struct import *import, int64_t nanoseconds);

/* Minutes east of UTC that the device's clock was at: --utc-offset, else `otherwise`, which is the
 * trace's from then on. Call it before import_start(). */
int64_t import_utc_offset(struct import *import, int64_t otherwise);

/* How many sessions (boots) the trace has so far; 1 unless told. */
void import_sessions(struct import *import, int64_t sessions);

/* What begin() needs to go on when files are appended to the trace later: a line of text of the
 * importer's own, given in end() and handed out in begin(); NULL when the trace is new. */
bool import_keep(struct import *import, const char *resume, struct error *error);
const char *import_kept(const struct import *import);

/* The configuration; never NULL. */
const struct config *import_config(const struct import *import);

/* The partition of an I/O: of the trace when it goes on, else of the configuration. Borrowed. */
const char *import_partition(const struct import *import, int64_t device, int64_t sector);

/* --record-size, 0 when not given. */
int64_t import_record_size(const struct import *import);

/* The name of the file that is being read, for messages. */
const char *import_source_name(const struct import *import);

#endif
