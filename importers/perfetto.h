/* Converts Perfetto's traces to lines as in ftrace's text.
 *
 * A trace is a protobuf message; its repeated field 1 is a packet. The packets that are read are
 * bundles of ftrace events, clocks, process trees and tracks; a compressed packet holds a trace
 * itself. Names and processes of threads come from earlier process trees and tracks, else from
 * later ones. Every event becomes the line that the kernel prints for it, behind a blank, so that
 * ftrace.c alone interprets events. Two other lines exist:
 *
 *     #NAME                     a packet or event that is only counted; `#`: a damaged packet
 *     PERFETTO_LOST-0 [CPU] …   events of that processor are missing before this time
 *
 * Events of tracks become marks: perfetto_tracks.h.
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
#include "perfetto_tracks.h"
#include "protobuf.h"

#define PERFETTO_LOST "lost"

/* Bytes of a packet, in the file or unpacked; longer ones are damaged. */
#define PERFETTO_PACKET_MOST ((size_t)64 * 1024 * 1024)

#define PERFETTO_CLOCKS 6 /* of ftrace */

/* Nested messages: a packet, and in a compressed packet the trace and its packet. */
enum perfetto_level { LEVEL_PACKET, LEVEL_UNPACKED, LEVEL_UNPACKED_PACKET, PERFETTO_LEVELS };

struct perfetto_cpu;
struct perfetto_item;

/* A file's own state. */
struct perfetto {
    struct ftrace_text text; /* state of the ftrace importer; first member */
    struct text packet;      /* owned: bytes of the packet */
    struct text unpacked;    /* owned: bytes of the trace in it; … */
    bool cut;                /* … its end is missing */
    struct text line;        /* owned: the record returned last */
    struct wire levels[PERFETTO_LEVELS];
    struct perfetto_cpu *cpus; /* owned */
    size_t cpu_count;
    struct perfetto_names known;
    struct perfetto_tracks tracks;
    struct text mark;                      /* owned: the line of an event of a track */
    struct perfetto_item *items;           /* owned: events of a bundle, by time; … */
    size_t item_count, item_room, item_at; /* … the first item_at were returned */
    uint64_t cpu;                          /* of that bundle */
    int64_t shifts[PERFETTO_CLOCKS];       /* to the boot clock, by clock; EVENT_NONE: unknown */
    bool undated;                          /* some events have such a clock */
    struct wire *names;                    /* owned: names for its columns */
    size_t name_count, name_room;
    int64_t offset; /* of the packet in the file */
    int64_t left;   /* bytes of the packet without a record so far */
};

/* Returns whether the file is such a trace. */
enum sniff_score perfetto_sniff(const struct sniff *sniff);

/* `open_stream`, `close_stream` and `next_record` of the importer. */
bool perfetto_open(struct stream *stream, struct error *error);
void perfetto_close(struct stream *stream);
bool perfetto_next(struct stream *stream, struct stream_record *record);

#endif
