/* Converts block I/O requests to events, with names and latency. Shared by the importers of block
 * I/O. Logs with every step of a request use block_trace.h. */
#ifndef TRACETOOL_BLOCK_IO_H
#define TRACETOOL_BLOCK_IO_H

#include "block_request.h"
#include "import/importer.h"
#include "import/lookup_cache.h"
#include "model/file_type.h"
#include "model/io_pairing.h"
#include "pending.h"

/* Latency of block I/O: the time from the issue of a request to its completion.
 *
 * Completions are matched with issues by device, direction and sector, the key; flushes without
 * sectors by device alone. If several requests with one key are in flight, a completion ends the
 * oldest, and a requeue cancels the issue of the newest. After a partial completion the rest of
 * the request stays in flight, as the oldest one at its sector. The last completion gets the
 * latency of the whole request. A completion that covers several requests ends all of them. */

/* Maximum issued requests that wait for a completion; beyond that the oldest are dropped. */
#define BLOCK_OUTSTANDING 131072

/* Slots for evidence of lost events, chosen by a hash of the device; a power of two. If there are
 * more devices, some share a slot. */
#define BLOCK_LATENCY_DEVICES 1024

/* Evidence of lost events among the requests of a device. Requests with one key (device, direction,
 * sector) may complete in any order. So the longest possible latency is the longest period in which
 * a key had requests in flight without a break. */
struct block_evidence {
    bool used, issued, completed;
    bool covered; /* true: a completion ended several requests, or a request was given up: so
                     unmatched completions prove no loss */
    int64_t device;
    int64_t longest; /* longest period in which a key had requests in flight without a break, ns */
    int64_t unmatched; /* time of the last completion without an issue; INT64_MIN: none */
    int64_t open; /* earliest time since which some key had requests in flight; INT64_MAX: none */
};

/* State of matching issues with completions. Initialise with zeros. */
struct block_latency {
    struct pending_table outstanding; /* owned; issued requests, struct outstanding */
    struct block_evidence devices[BLOCK_LATENCY_DEVICES]; /* evidence of lost events of each device,
                                                             by a hash of its number */
    bool begun;
    int64_t first, last;          /* times of the first and last request, whatever their action */
    int64_t issued;               /* number of issued requests */
    int64_t completed, unmatched; /* number of completions, and of those without an issue */
    int64_t parts;                /* number of completions of only a part of a request */
    int64_t shared;   /* number of issues at a sector where a request was already in flight */
    int64_t given_up; /* number of issues dropped without a completion */
};

/* Extends the log's period, from first to last time, to the time of a request of any action. */
static inline void block_latency_extend_period(struct block_latency *state, int64_t time) {
    if (time > state->last || !state->begun) {
        state->last = time;
    }
    if (time < state->first || !state->begun) {
        state->first = time;
        state->begun = true;
    }
}

/* State of the block I/O of a trace: names, and requests in flight. Initialise it with zeros before
 * block_io_begin(). */
struct block_io {
    struct file_types types;
    const char *partition; /* name of the last request's partition; borrowed */
    uint32_t partition_label;
    struct lookup_cache processes, files;
    uint32_t actions[UINT8_MAX + 1]; /* by letter: name.id of the action; 0: not used yet */
    struct block_latency latency;
};

/* Meanings of the columns that block_io_add() sets, for logs whose object is a file. The macro
 * lists them for use in an initializer; the array has the same. */
#define BLOCK_IO_MEANINGS                                                                          \
    {EVENT_PLACE_DURATION, "", "latency", "clock"}, {EVENT_PLACE_ACTOR, "", "process", ""},        \
        {EVENT_PLACE_OBJECT, "", "file", ""}, {EVENT_PLACE_ADDRESS, "", "sector", "512 bytes"}, {  \
        EVENT_PLACE_SIZE, "", "transfer", "bytes"                                                  \
    }
extern const struct event_meaning block_io_meanings[];

/* Meanings of the columns that block_io_add() sets, if the object is a device. */
extern const struct event_meaning block_io_device_meanings[];

/* Reason for import_count_extra_event(): one record has issue and completion, so it makes two
 * events. */
extern const char block_io_both_ends[];

/* Format of a remark with the number of addresses that are not at the start of a sector. */
extern const char block_io_unaligned[];

/* Prepares the state. block_io_end() must follow, also after a failure. */
void block_io_begin(struct import *import, struct block_io *state);

/* Makes the event of a request, with its names. Sets the duration of a completion ("C") to the time
 * since its issue ("D"). The event is valid until the next import_…() call except
 * import_arguments(). */
struct event *block_io_add(struct import *import, struct block_io *state,
                           const struct block_request *request);

/* Makes the event of a request like block_io_add(), but first sets its time and action. The action
 * is one letter. */
void block_io_add_action(struct import *import, struct block_io *state,
                         struct block_request *request, const char *action, int64_t time);

/* Adds remarks on completions and issues that were not matched; frees the state. */
void block_io_end(struct import *import, struct block_io *state, bool failed);

/* Converts times of the log to times since the start of the trace. The log's clock is the wall
 * clock, or with `undated` an unknown one. The start is stored for --append. */
struct block_start {
    bool undated;
    bool begun;     /* true: a record has been read */
    int64_t origin; /* time of the first record, ns since 1970 UTC or since the unknown clock's 0 */
};

/* Returns the time of a record since the first record. The first one sets the trace's wall clock
 * unless the clock is unknown. */
int64_t block_io_elapsed(struct import *import, struct block_start *start, int64_t time);

/* State of an importer whose records have wall-clock times. The importer's own state struct must
 * begin with this struct. */
struct block_dated {
    struct block_io io;
    struct block_start start;
};

/* Implement begin(), end(), `resume` and `resume_begun` of an importer whose state begins with a
 * struct block_dated. */
void block_dated_begin(struct import *import, void *state);
void block_dated_end(struct import *import, void *state, bool failed);
extern const struct resume_value block_dated_resume[];
#define BLOCK_DATED_BEGUN offsetof(struct block_dated, start.begun)

/* Implements dump() for block I/O: action rwbs sector + blocks [pid process] block-type file.
 * Appends the latency of a completion, and the issuer if it differs from the process. */
void block_io_dump(const struct dump_event *event, struct text *out);

#endif
