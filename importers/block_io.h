/* What the importers of block I/O share: rwbs letters, one way to make an event of a request, and
 * the time from issue to completion. */
#ifndef TRACETOOL_BLOCK_IO_H
#define TRACETOOL_BLOCK_IO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/file_type.h"
#include "import/importer.h"
#include "import/memo.h"

#define SECTOR_SIZE 512

/* 8 GiB: no request is that long, and sums of bytes stay in range. */
#define BLOCK_IO_BLOCKS (1 << 24)

/* Issued requests whose completion has not been seen; when there are more, the oldest are given
 * up. */
#define BLOCK_IO_OUTSTANDING 65536

/* Devices whose flushes are told apart. */
#define BLOCK_IO_DEVICES 64

struct outstanding;

/* Flushes of a device, numbered as they are issued. */
struct flushes {
    int64_t device;
    int64_t issued, completed;
};

/* State of a trace; a zeroed one is ready for block_io_begin(). */
struct block_io {
    struct file_types types;
    /* What requests speak of: ids, 0 as long as they are not known. */
    uint32_t actions['Z' - 'A' + 1]; /* of one letter */
    const char *partition;           /* of the last request; borrowed */
    uint32_t partition_label;
    struct memo processes, files;
    struct outstanding *outstanding; /* issued, by device, direction and sector; owned */
    struct outstanding *spare;       /* not in use; owned */
    int64_t issued;                  /* requests */
    int64_t completed, unmatched;    /* completions, and those without an issue */
    int64_t given_up;                /* issues without a completion */
    struct flushes flushes[BLOCK_IO_DEVICES];
    size_t device_count;
};

/* One action on one request. Strings are borrowed and need no NUL. */
struct block_request {
    int64_t time; /* nanoseconds since the start */
    const char *action;
    size_t action_length;
    uint32_t flags;      /* class, block type, enum io_flag */
    int64_t device;      /* device_number(), EVENT_NONE: not known */
    int64_t sector;      /* EVENT_NONE: none (a flush) */
    int64_t blocks;      /* of SECTOR_SIZE, EVENT_NONE: not known; 0 occurs */
    int64_t pid;         /* EVENT_NONE: not known */
    const char *process; /* NULL: not known */
    size_t process_length;
    const char *file; /* NULL or length 0: none */
    size_t file_length;
    /* NUL-terminated, the same bytes as long as the import takes; NULL: by the file's name. */
    const char *file_type;
    int64_t value; /* error number or transaction; EVENT_NONE: none */
};

/* rwbs: R makes it a read, else W a write, S makes it sync; neither R nor W is other. F before the
 * direction is a flush, behind it FUA. Sets the class and flags; false for an unknown letter or an
 * empty field. */
bool block_io_parse_rwbs(const char *letters, size_t length, uint32_t *flags);

/* Appends the letters in the order in which blkparse writes them. */
void block_io_append_rwbs(uint32_t flags, struct text *out);

/* Sets the block type bits of flags. */
static inline uint32_t block_io_type_bits(enum io_block_type type) {
    return (uint32_t)type << IO_BLOCK_SHIFT;
}

/* Up to 18 decimal digits, all of the string, at most `limit`. */
bool block_io_parse_number(const char *digits, size_t length, int64_t limit, int64_t *number);

/* seconds.nanoseconds with exactly nine digits behind the point; seconds up to 2 * 10^9. */
bool block_io_parse_time(const char *string, size_t length, int64_t *nanoseconds);

/* What the columns mean that block_io_keep() fills in, where the object is a file. */
extern const struct event_meaning block_io_meanings[];

bool block_io_begin(struct import *import, struct block_io *state, struct error *error);

/* Makes the event of a request, with the names it speaks of. A completion ("C") gets the time since
 * its request was issued ("D") as duration, matched by device, direction and sector; what a
 * completion leaves of its request stays issued, and one that covers several ends them all;
 * flushes without sectors are matched in order, by device. False: stop, as for import_event(). */
bool block_io_keep(struct import *import, struct block_io *state,
                   const struct block_request *request);

/* Remarks on completions and issues that found no partner; frees the state. */
void block_io_end(struct import *import, struct block_io *state, bool failed);

/* dump() for block I/O: action rwbs sector + blocks [pid process] block-type file, and the latency
 * of a completion. */
void block_io_dump(const struct dump_event *event, struct text *out);

#endif
