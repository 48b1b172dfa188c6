/* Converts Perfetto's traces to lines as in ftrace's text.
 *
 * A trace is a protobuf message; its repeated field 1 is a packet. The packets that are read are
 * bundles of ftrace events, clocks, process trees and tracks; a compressed packet holds a trace
 * itself. Names and processes of threads come from earlier process trees and tracks, else from
 * later ones. Every event becomes the line that the kernel prints for it, after a blank, so that
 * ftrace.c alone interprets events. Three other lines exist:
 *
 *     #NAME                     a packet or event that is only counted; `#`: a damaged packet
 *     PERFETTO_LOST-0 [CPU] …   events of that processor are missing before this time; with
 *                               PERFETTO_DROPPED, packets with them were dropped after the kernel
 *
 * Events of tracks become marks: perfetto_tracks.c.
 *
 * compact_sched has scheduling in delta-coded columns, without the previous thread of a switch: it
 * is the next thread of the processor's last switch. A switch from an unknown thread has no line.
 *
 * Times are of the boot clock. Those of another one are moved by its distance from the boot clock
 * at the first bundle or snapshot that tells it, so that no correction of clocks is in a duration.
 *
 * Sources: google/perfetto, protos/perfetto/trace; a recording.
 */
#ifndef TRACETOOL_PERFETTO_H
#define TRACETOOL_PERFETTO_H

#include "ftrace_text.h"
#include "protobuf.h"
#include "base/hash.h"
#include "base/text.h"

/* Names in Perfetto's traces: of threads and their processes, from process trees and tracks; and
 * those that packets of a sequence refer to by number. */

#define PERFETTO_COMM 16 /* bytes of a thread's name, and a zero */

/* A thread that the trace has named. */
struct perfetto_thread {
    int64_t tid, pid; /* pid 0: unknown */
    char name[PERFETTO_COMM];
    UT_hash_handle hh;
};

struct perfetto_interned;

/* Initialise with zeros. */
struct perfetto_names {
    struct perfetto_thread *threads;    /* owned hash table, by number */
    struct perfetto_interned *interned; /* owned hash table */
    /* The packet's sequence, and how often it has begun anew: names from before are void. */
    uint64_t sequence, generation;
};

/* Begins a packet: reads what its other fields may refer to, which may follow them. */
void perfetto_names_packet(struct perfetto_names *names, struct wire packet);

/* Reads a process tree. */
void perfetto_names_tree(struct perfetto_names *names, struct wire tree);

/* Read the descriptor of a thread, or of a process, which only names a main thread without a name.
 */
void perfetto_names_describe_thread(struct perfetto_names *names, struct wire thread);
void perfetto_names_describe_process(struct perfetto_names *names, struct wire process);

/* Returns what is known of a thread so far; NULL: nothing. */
const struct perfetto_thread *perfetto_names_thread(const struct perfetto_names *names,
                                                    int64_t tid);

/* Kinds of interned names: field numbers in the packet. */
enum perfetto_name_kind { PERFETTO_EVENT = 2, PERFETTO_FUNCTION = 26 };

/* Returns a name by its number in the packet's sequence; empty if it is unknown. Valid until the
 * next packet. */
struct wire perfetto_names_find(const struct perfetto_names *names, enum perfetto_name_kind kind,
                                uint64_t number);

/* Copies at most PERFETTO_COMM - 1 bytes, and fills with zeros. */
void perfetto_names_copy(char *to, struct wire name);

void perfetto_names_free(struct perfetto_names *names);

#define PERFETTO_TIME_MOST (INT64_MAX / 8) /* limit of times, ns */

struct perfetto_track;
struct perfetto_clock;
struct perfetto_sequence;

/* Initialise with zeros. */
struct perfetto_tracks {
    /* Owned hash tables. */
    struct perfetto_track *tracks;
    struct perfetto_clock *clocks;
    struct perfetto_sequence *sequences;
    int64_t time;           /* time of the packet by the boot clock; EVENT_NONE: none */
    uint64_t default_track; /* track of the packet's events that name none */
    uint64_t generation;    /* number of restarts of the packet's sequence, for perfetto_names */
    bool dropped;           /* packets of the sequence are missing before the packet */
};

/* Begins a packet of a sequence: reads its clocks, defaults and time. */
void perfetto_tracks_packet(struct perfetto_tracks *tracks, struct wire packet);

/* Reads the description of a track. */
void perfetto_tracks_describe(struct perfetto_tracks *tracks, struct wire track);

/* Appends the line of the packet's event. False if it has none: the time is unknown, the event is
 * of another type, or a counter's value is no integer. */
bool perfetto_tracks_event(struct perfetto_tracks *tracks, const struct perfetto_names *names,
                           struct wire event, struct text *line);

void perfetto_tracks_free(struct perfetto_tracks *tracks);

#define PERFETTO_LOST    "lost"
#define PERFETTO_DROPPED "dropped"

/* Most bytes of a packet, in the file or unpacked; a longer packet is damaged. */
#define PERFETTO_PACKET_MOST ((size_t)64 * 1024 * 1024)

#define PERFETTO_CLOCKS 6 /* number of clocks that ftrace may use */

/* Nested messages: a packet, and in a compressed packet the trace and its packet. */
enum perfetto_level { LEVEL_PACKET, LEVEL_UNPACKED, LEVEL_UNPACKED_PACKET, PERFETTO_LEVELS };

struct perfetto_cpu;
struct perfetto_item;

/* A file's own state. */
struct perfetto {
    struct ftrace_text text; /* state of the ftrace importer; first member */
    struct text packet;      /* owned: bytes of the packet */
    struct text unpacked;    /* owned: bytes of the trace in a compressed packet */
    bool cut;                /* the end of `unpacked` is missing */
    struct text line;        /* owned: the record returned last */
    struct wire levels[PERFETTO_LEVELS];
    struct perfetto_cpu *cpus; /* owned */
    size_t cpu_count;
    struct perfetto_names known;
    struct perfetto_tracks tracks;
    struct text mark;                      /* owned: the line of an event of a track */
    struct perfetto_item *items;           /* owned: events of a bundle, sorted by time */
    size_t item_count, item_room, item_at; /* `item_at`: number of items already returned */
    uint64_t cpu;                          /* CPU of the bundle whose events are in `items` */
    int64_t
        shifts[PERFETTO_CLOCKS]; /* offset of each clock to the boot clock; EVENT_NONE: unknown */
    bool undated;                /* true: some events have a clock of unknown offset */
    struct wire *names;          /* owned: names that the bundle's columns refer to */
    size_t name_count, name_room;
    int64_t offset; /* offset of the packet in the file */
    int64_t left;   /* bytes of the packet that no returned record has accounted for */
};

/* Returns whether the file is a Perfetto trace. */
enum sniff_score perfetto_sniff(const struct sniff *sniff);

/* `open_stream`, `close_stream` and `next_record` of the importer. */
bool perfetto_open(struct stream *stream, struct error *error);
void perfetto_close(struct stream *stream);
bool perfetto_next(struct stream *stream, struct stream_record *record);

#define PERFETTO_FIELDS 24 /* most fields of an event that are printed */

struct perfetto_kind {
    uint32_t field;
    const char *name;
    /* How the kernel prints the event; NULL: it is only counted. A conversion is %, a letter and
     * the number of the field (1 to 9, then a and on). The letters: d, u, x and o for a number, s
     * for a string, v for a device, l for the numbers of a list; others for names of numbers or
     * bits, such as i for a softirq. */
    const char *text;
};

/* The message of an event. */
struct perfetto_message {
    struct wire bytes;
    struct wire_field fields[PERFETTO_FIELDS]; /* by number; of several with one number, the last */
};

/* Returns what a field of an event, or of a packet, is; NULL if it is unknown. */
const struct perfetto_kind *perfetto_event_kind(uint64_t field);
const struct perfetto_kind *perfetto_packet_kind(uint64_t field);

/* Reads the fields of a message, as far as it is not damaged. */
void perfetto_message_read(struct perfetto_message *message, struct wire bytes);

/* Appends a message in the form of a kind's text. */
void perfetto_message_append(struct text *out, const char *text,
                             const struct perfetto_message *message);

/* Appends the first line of a string, at most 4,096 bytes. */
void perfetto_string_append(struct text *out, struct wire bytes);

#endif
