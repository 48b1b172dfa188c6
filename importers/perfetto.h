/* Converts Perfetto's traces to lines as in ftrace's text.
 *
 * A trace is a protobuf message; its repeated field 1 is a packet. The packets that are read are
 * bundles of ftrace events, clocks, process trees and tracks. A compressed packet contains another
 * trace message. Names and processes of threads come from process trees and tracks that precede an
 * event, or else from later ones. Every event becomes a blank and the line that the kernel prints
 * for it, so that only ftrace.c interprets events. Five other kinds of line exist:
 *
 *     #NAME                     a packet or event that is only counted; `#`: a damaged packet
 *     PERFETTO_LOST-0 [CPU] …   events of that processor are missing before this time; with
 *                               PERFETTO_DROPPED, Perfetto dropped packets that had them
 *     PERFETTO_PROCESSOR TYPE   the type of the processor, as `uname -m` prints it
 *     PERFETTO_END-0 [0] …      the last line, also by its time
 *
 * Events of tracks become marks: perfetto_tracks.c.
 *
 * compact_sched has scheduling events in delta-coded columns. These lack the previous thread of a
 * switch; it is the next thread of the CPU's switch before, or that of the event before.
 *
 * Times are of the boot clock. Times of another clock are converted by a constant: its offset from
 * the boot clock in the first bundle or snapshot that gives it. So clock corrections do not change
 * durations.
 *
 * Sources: google/perfetto, protos/perfetto/trace; a recording. */
#ifndef TRACETOOL_PERFETTO_H
#define TRACETOOL_PERFETTO_H

#include "ftrace_states.h"
#include "ftrace_text.h"
#include "protobuf.h"
#include "base/hash.h"
#include "base/text.h"

/* Names of threads and their processes, from process trees and tracks. Also interned names: a
 * packet gives each a number, by which later packets of its sequence refer to it. */

#define PERFETTO_COMM 16 /* bytes of a thread's name, including the final NUL */

/* A thread whose name or process is in the trace. */
struct perfetto_thread {
    int64_t tid, pid; /* `pid` 0: the process is unknown */
    char name[PERFETTO_COMM];
    UT_hash_handle hh;
};

struct perfetto_interned;

/* Names read so far. Initialise with zeros. */
struct perfetto_names {
    struct perfetto_thread *threads;    /* owned hash table, by tid */
    struct perfetto_interned *interned; /* owned hash table */
    /* Sequence of the packet, and how often it was cleared. Names read before that are invalid. */
    uint64_t sequence, generation;
};

/* Begins a packet: reads its interned names, before the fields that may refer to them by number. */
void perfetto_names_read_packet(struct perfetto_names *names, struct wire packet);

/* Reads the threads and processes in a process tree. */
void perfetto_names_read_process_tree(struct perfetto_names *names, struct wire tree);

/* Read the descriptor of a thread or of a process. A process's name is used for its main thread if
 * that has no name. */
void perfetto_names_describe_thread(struct perfetto_names *names, struct wire thread);
void perfetto_names_describe_process(struct perfetto_names *names, struct wire process);

/* Returns what was read about a thread: its name and process; NULL: nothing so far. */
const struct perfetto_thread *perfetto_names_thread(const struct perfetto_names *names,
                                                    int64_t tid);

/* Kinds of interned names, by the numbers of their fields in the packet's interned data. */
enum perfetto_name_kind { PERFETTO_EVENT = 2, PERFETTO_FUNCTION = 26 };

/* Returns an interned name of the current packet's sequence by its number; empty if it is unknown.
 * Valid until the next packet. */
struct wire perfetto_names_find(const struct perfetto_names *names, enum perfetto_name_kind kind,
                                uint64_t number);

/* Copies at most PERFETTO_COMM - 1 bytes of a name, and fills the rest with zeros. */
void perfetto_names_copy(char *to, struct wire name);

void perfetto_names_free(struct perfetto_names *names);

#define PERFETTO_TIME_MOST (INT64_MAX / 8) /* maximum time, ns */

struct perfetto_track;
struct perfetto_clock;
struct perfetto_sequence;

/* State of reading tracks. Initialise with zeros. */
struct perfetto_tracks {
    /* Hash tables, owned. */
    struct perfetto_track *tracks;
    struct perfetto_clock *clocks;
    struct perfetto_sequence *sequences;
    int64_t time;           /* time of the packet on the boot clock; EVENT_NONE: none */
    uint64_t default_track; /* track of those events in the packet that do not name one */
    uint64_t generation;    /* number of times that the packet's sequence was cleared */
    bool dropped;           /* true: packets of the sequence before this one are missing */
};

/* Begins a packet: reads its clocks, the defaults of its sequence, and its time. */
void perfetto_tracks_begin_packet(struct perfetto_tracks *tracks, struct wire packet);

/* Reads the descriptor of a track. */
void perfetto_tracks_describe(struct perfetto_tracks *tracks, struct wire track);

/* Appends the line of a track event in the current packet. Returns false if it has none: its time
 * is unknown, its type has no line, or it is a counter whose value is not an integer. */
bool perfetto_tracks_append_event(struct perfetto_tracks *tracks,
                                  const struct perfetto_names *names, struct wire event,
                                  struct text *line);

void perfetto_tracks_free(struct perfetto_tracks *tracks);

#define PERFETTO_LOST      "lost"
#define PERFETTO_DROPPED   "dropped"
#define PERFETTO_PROCESSOR "# arch : "
#define PERFETTO_END       "end"

/* Maximum bytes of a packet, in the file or unpacked; a longer packet counts as damaged. */
#define PERFETTO_PACKET_MOST ((size_t)64 * 1024 * 1024)

#define PERFETTO_CLOCKS 6 /* number of ftrace's clocks whose offset is stored */

/* Levels of nested messages: a packet; if it is compressed, the trace in it and its packets. */
enum perfetto_level { LEVEL_PACKET, LEVEL_UNPACKED, LEVEL_UNPACKED_PACKET, PERFETTO_LEVELS };

struct perfetto_cpu;
struct perfetto_item;

/* State of reading a trace file. */
struct perfetto {
    struct ftrace_text text; /* part that ftrace.c knows; must be first */
    struct text packet;      /* owned: bytes of the packet being read */
    struct text unpacked;    /* owned: trace unpacked from a compressed packet */
    bool cut;                /* true: the bytes in `unpacked` are incomplete */
    bool ended;              /* true: the last line was returned */
    int64_t latest;          /* latest time of a line */
    struct text line;        /* owned: text of the record returned last */
    struct wire levels[PERFETTO_LEVELS];
    struct perfetto_cpu *cpus; /* owned */
    size_t cpu_count;
    struct perfetto_names known;
    struct perfetto_tracks tracks;
    struct text mark;                      /* owned: line of a track event */
    struct perfetto_item *items;           /* owned: events of a bundle, sorted by time */
    size_t item_count, item_room, item_at; /* `item_at`: index of the next item to return */
    uint64_t cpu;                          /* CPU of the bundle whose events are in `items` */
    int64_t shifts[PERFETTO_CLOCKS];       /* ns to add to get boot times; EVENT_NONE: unknown */
    bool undated;                          /* true: the clock of some events has no known offset */
    struct wire *names;                    /* owned: names of threads in compact_sched, by index */
    size_t name_count, name_room;
    int64_t offset; /* offset of the packet in the file */
    int64_t left;   /* bytes of the packet not counted for an item so far */
};

/* Returns whether the file is a Perfetto trace. */
enum sniff_score perfetto_sniff(const struct sniff *sniff);

/* Implement `open_stream`, `close_stream` and `next_record` of the importer. */
bool perfetto_open(struct stream *stream, struct error *error);
void perfetto_close(struct stream *stream);
bool perfetto_next(struct stream *stream, struct stream_record *record);

#define PERFETTO_FIELDS 24 /* maximum fields of an event that are printed */

struct perfetto_kind {
    uint32_t field;
    const char *name;
    /* Format of the line that the kernel prints for the event; NULL: the event is only counted. A
     * conversion is %, a letter and the field number (1 to 9, then a and on). Letters: d, u, x and
     * o print a number, s a string, v a device, l the numbers of a list. Other letters print the
     * name of a number, such as i for a softirq, or of bits. */
    const char *text;
};

/* The fields of the message of an event. */
struct perfetto_message {
    struct wire bytes;
    struct wire_field fields[PERFETTO_FIELDS]; /* by field number; of repeated fields, the last */
};

/* Returns an event's or packet's kind by its field number; NULL if the number is unknown. */
const struct perfetto_kind *perfetto_event_kind(uint64_t field);
const struct perfetto_kind *perfetto_packet_kind(uint64_t field);

/* Reads the fields of a message, up to the first damaged byte. */
void perfetto_message_read(struct perfetto_message *message, struct wire bytes);

/* Appends a message as text; `text` is its format (perfetto_kind.text). */
void perfetto_message_append(struct text *out, const char *text,
                             const struct perfetto_message *message);

/* Appends the first line of a string, at most 4,096 bytes. */
void perfetto_string_append(struct text *out, struct wire bytes);

#endif
