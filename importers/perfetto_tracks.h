/* Events of tracks in Perfetto's traces, which programs write, as marks in the kernel's log:
 *
 *     B|PID|NAME               E|PID                    a call of a thread
 *     I|PID|NAME                                        a moment of a thread
 *     G|PID|TRACK|NAME|DEPTH   H|PID|TRACK|DEPTH        a call on another track
 *     N|PID|TRACK|NAME                                  a moment there
 *     C|PID|TRACK|VALUE                                 a counter
 *
 * Packets of a sequence share a default track and clock. A clock of a sequence may count from the
 * packet before, in units of more than a nanosecond; a snapshot of clocks tells. Calls nest on a
 * track: DEPTH is that of the call.
 *
 * Source: google/perfetto, protos/perfetto/trace/track_event and clock_snapshot.proto. */
#ifndef TRACETOOL_PERFETTO_TRACKS_H
#define TRACETOOL_PERFETTO_TRACKS_H

#include "base/hash.h"
#include "base/text.h"
#include "protobuf.h"

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
    uint64_t sequence;                  /* of the packet */
};

/* Begins a packet: reads what its other fields may refer to, which may follow them. */
void perfetto_names_packet(struct perfetto_names *names, struct wire packet);

/* Reads a process tree. */
void perfetto_names_tree(struct perfetto_names *names, struct wire tree);

/* Reads the thread of a track. False if the track has none. */
bool perfetto_names_track(struct perfetto_names *names, struct wire track);

/* Returns what is known of a thread so far; NULL: nothing. */
const struct perfetto_thread *perfetto_names_thread(const struct perfetto_names *names,
                                                    int64_t tid);

/* Kinds of names, by their field. */
enum perfetto_name_kind { PERFETTO_EVENT = 2, PERFETTO_FUNCTION = 26 };

/* Returns a name by its number in the packet's sequence; empty if it is unknown. Valid until the
 * next packet. */
struct wire perfetto_names_find(const struct perfetto_names *names, enum perfetto_name_kind kind,
                                uint64_t number);

/* Copies at most PERFETTO_COMM - 1 bytes, and fills with zeros. */
void perfetto_names_copy(char *to, struct wire name);

void perfetto_names_free(struct perfetto_names *names);

#define PERFETTO_TIME_MOST (INT64_MAX / 8) /* ns */

struct perfetto_track;
struct perfetto_clock;
struct perfetto_sequence;

/* Initialise with zeros. */
struct perfetto_tracks {
    /* Owned hash tables. */
    struct perfetto_track *tracks;
    struct perfetto_clock *clocks;
    struct perfetto_sequence *sequences;
    int64_t time;           /* of the packet, by the boot clock; EVENT_NONE: it has none */
    uint64_t default_track; /* of the packet */
};

/* Begins a packet of a sequence: reads its clocks, defaults and time. */
void perfetto_tracks_packet(struct perfetto_tracks *tracks, uint64_t sequence, struct wire packet);

/* Reads the description of a track. */
void perfetto_tracks_describe(struct perfetto_tracks *tracks, struct wire track);

/* Appends the line of the packet's event. False if it has none: the time is unknown, the event is
 * of another type, or a counter's value is no integer. */
bool perfetto_tracks_event(struct perfetto_tracks *tracks, const struct perfetto_names *names,
                           struct wire event, struct text *line);

void perfetto_tracks_free(struct perfetto_tracks *tracks);

#endif
