/* Names in Perfetto's traces: of threads and their processes, from process trees and tracks; and
 * those that packets of a sequence refer to by number. */
#ifndef TRACETOOL_PERFETTO_NAMES_H
#define TRACETOOL_PERFETTO_NAMES_H

#include "base/hash.h"
#include "protobuf.h"

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

#endif
