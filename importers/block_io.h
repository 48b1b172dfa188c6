/* Converts block I/O requests to events, with their names and latency. Shared by the importers of
 * block I/O. Logs with every step of a request use block_trace.h.
 */
#ifndef TRACETOOL_BLOCK_IO_H
#define TRACETOOL_BLOCK_IO_H

#include "block_latency.h"
#include "block_request.h"
#include "import/importer.h"
#include "import/lookup_cache.h"
#include "model/file_type.h"

/* State of a trace; initialise with zeros before block_io_begin(). */
struct block_io {
    struct file_types types;
    /* Ids of names in requests; 0: not yet looked up. */
    uint32_t actions['Z' - 'A' + 1]; /* of one letter */
    const char *partition;           /* of the last request; borrowed */
    uint32_t partition_label;
    struct lookup_cache processes, files;
    struct block_latency latency;
};

/* What the columns mean that block_io_keep() fills in, where the object is a file: rows of a list,
 * and a list of these alone. */
#define BLOCK_IO_MEANINGS                                                                          \
    {EVENT_PLACE_DURATION, "", "latency", "clock"}, {EVENT_PLACE_ACTOR, "", "process", ""},        \
        {EVENT_PLACE_OBJECT, "", "file", ""}, {EVENT_PLACE_ADDRESS, "", "sector", "512 bytes"}, {  \
        EVENT_PLACE_SIZE, "", "transfer", "bytes"                                                  \
    }
extern const struct event_meaning block_io_meanings[];

/* The same where the object is a device. */
extern const struct event_meaning block_io_device_meanings[];

/* Why a record with issue and completion makes two events: the reason of import_split().
 */
extern const char block_io_both_ends[];

/* A remark with how many: addresses within a sector. */
extern const char block_io_unaligned[];

/* Makes it ready. block_io_end() in any case. */
void block_io_begin(struct import *import, struct block_io *state);

/* Makes the event of a request, with its names. A completion ("C") gets the time since
 * its request was issued ("D") as duration. The event is valid until the next import_…() call but
 * import_arguments(). */
struct event *block_io_keep(struct import *import, struct block_io *state,
                            const struct block_request *request);

/* The same as an action of one letter, at a time. */
void block_io_keep_action(struct import *import, struct block_io *state,
                          struct block_request *request, const char *action, int64_t time);

/* Remarks on completions and issues that found no partner; frees the state. */
void block_io_end(struct import *import, struct block_io *state, bool failed);

/* Offset from the log's clock to the trace's time 0. The log's clock is the wall clock, or with
 * `undated` an unknown one. The offset is stored for --append. */
struct block_start {
    bool undated;
    bool begun;     /* a record has been kept */
    int64_t origin; /* its time, nanoseconds since 1970 UTC or that clock's 0 */
};

/* The time of a record since the first one, which sets the trace's start unless it is undated. */
int64_t block_io_since(struct import *import, struct block_start *start, int64_t time);

/* A state that begins with these two, as most formats need no more. */
struct block_dated {
    struct block_io io;
    struct block_start start;
};

/* begin(), end(), `resume` and `resume_begun` of an importer with such a state. */
void block_dated_begin(struct import *import, void *state);
void block_dated_end(struct import *import, void *state, bool failed);
extern const struct resume_value block_dated_resume[];
#define BLOCK_DATED_BEGUN offsetof(struct block_dated, start.begun)

/* dump() for block I/O: action rwbs sector + blocks [pid process] block-type file, the latency of a
 * completion, and who dispatched, where that is another process. */
void block_io_dump(const struct dump_event *event, struct text *out);

#endif
