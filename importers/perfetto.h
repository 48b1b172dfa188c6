/* Perfetto's traces, as the lines that ftrace's text has for the same events.
 *
 * A trace is a protobuf: field 1 again and again, each a packet. Of packets, bundles of ftrace's
 * events and the clocks are read; compressed packets hold a trace again. Names and processes of
 * threads are taken from process trees and tracks that come before. Every event becomes the line
 * that the kernel prints for it, so that there is one reader of what events mean (ftrace.c). Beside
 * events there are
 *
 *     #NAME                         a packet or event that is not read; `#` alone: a damaged packet
 *     … PERFETTO_LOST: …            events of that processor are missing before this time
 *
 * Scheduling is also delta-coded, in columns (compact_sched), where a switch does not tell whom it
 * is from: that is whom the processor's last one was to. One that is not known has no line.
 *
 * Sources: google/perfetto, protos/perfetto/trace; a recording.
 */
#ifndef TRACETOOL_PERFETTO_H
#define TRACETOOL_PERFETTO_H

#include "ftrace_text.h"

#define PERFETTO_LOST "perfetto_lost"

/* Bytes of a packet, in the file or unpacked; longer ones are damaged. */
#define PERFETTO_PACKET_MOST ((size_t)64 * 1024 * 1024)

/* Bytes of a message that are not yet read. */
struct wire {
    const uint8_t *at, *end; /* borrowed */
    bool damaged;
};

/* Messages in one another: a packet, and where that is compressed, the trace in it and a packet of
 * that. */
enum perfetto_level { LEVEL_PACKET, LEVEL_UNPACKED, LEVEL_UNPACKED_PACKET, PERFETTO_LEVELS };

struct perfetto_cpu;
struct perfetto_thread;
struct perfetto_item;

/* A file's own state. */
struct perfetto {
    struct ftrace_text text; /* what ftrace.c asks of a file; first */
    struct text packet;      /* owned: bytes of the packet */
    struct text unpacked;    /* owned: bytes of the trace in it … */
    bool cut;                /* … which end too early */
    struct text line;        /* owned: the record that was returned */
    struct wire levels[PERFETTO_LEVELS];
    struct perfetto_cpu *cpus; /* owned */
    size_t cpu_count;
    struct perfetto_thread *threads; /* owned hash table, by number */
    struct perfetto_item *items; /* owned: events of a bundle, in the order of their times … */
    size_t item_count, item_room, item_at; /* … the first item_at of which were returned */
    uint64_t cpu;                          /* of that bundle, … */
    struct wire *names;                    /* … owned: names that its columns refer to */
    size_t name_count, name_room;
    int64_t offset; /* of the packet in the file … */
    int64_t left;   /* … and its bytes that no record has */
};

/* Whether the file is such a trace. */
enum sniff_score perfetto_sniff(const struct sniff *sniff);

/* `open_stream`, `close_stream` and `next_record` of the importer. */
bool perfetto_open(struct stream *stream, struct error *error);
void perfetto_close(struct stream *stream);
bool perfetto_next(struct stream *stream, struct stream_record *record);

#endif
