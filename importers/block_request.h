/* A block I/O request, as parsed by an importer; its rwbs flags; parsers of the text that the
 * kernel and blkparse print for it. */
#ifndef TRACETOOL_BLOCK_REQUEST_H
#define TRACETOOL_BLOCK_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "input/word.h"
#include "model/event.h"

#define SECTOR_SIZE 512

/* Maximum blocks of a request, 8 GiB: keeps sums of bytes in range. */
#define BLOCK_IO_BLOCKS (1 << 24)

/* Highest sector: keeps addresses in bytes, and their sums, in range. */
#define BLOCK_IO_SECTORS (INT64_C(1) << 54)

/* Maximum seconds of a time, 63 years: keeps nanoseconds in range. */
#define BLOCK_IO_SECONDS INT64_C(2000000000)

/* Maximum letters of an action: UT (unplug by timer) has two. */
#define BLOCK_IO_ACTION 2

/* One action, such as Q, on a request. Strings are borrowed, not NUL-terminated unless stated. */
struct block_request {
    int64_t time; /* nanoseconds since the start of the trace */
    const char *action;
    size_t action_length;
    uint32_t flags;      /* bits of class (enum io_class) and block type, and of enum io_flag */
    int64_t device;      /* major and minor number (device_number()); EVENT_NONE: unknown */
    int64_t sector;      /* first sector; EVENT_NONE: none, as for a flush */
    int64_t blocks;      /* number of blocks of SECTOR_SIZE, may be 0; EVENT_NONE: unknown */
    int64_t more_bytes;  /* bytes beyond the last whole block, in logs that count bytes */
    int64_t pid;         /* pid of the process; EVENT_NONE: unknown */
    const char *process; /* name of the process; NULL: unknown */
    size_t process_length;
    /* Process that issued the request, if it is not `process`; else `issuer` is NULL. */
    int64_t issuer_pid;
    const char *issuer;
    size_t issuer_length;
    const char *file; /* name of the file; NULL or length 0: none */
    size_t file_length;
    /* Type of the file, NUL-terminated; must stay valid and unchanged during the import. NULL:
     * derived from the file's name. */
    const char *file_type;
    int64_t value; /* error number or transaction ID; for a split (X), start of the second part;
                      EVENT_NONE: no value */
    /* True: the log states `latency` itself, so issues (D) are not matched with completions (C). */
    bool tells_latency;
    int64_t latency;
    bool was_queued; /* true: the log has the queue event (Q) of the request */
    int64_t asked;   /* time of the queue event (Q) */
    /* For a remap (A): device and sector of the I/O before the remap. */
    int64_t from_device, from_sector;
};

/* A request with all fields unknown, to copy. */
extern const struct block_request block_request_empty;

/* Returns whether the action is the single letter `letter`. */
static inline bool block_has_action(const struct block_request *request, char letter) {
    return request->action_length == 1 && request->action[0] == letter;
}

/* Return whether the class in the flags is a read, or a write. */
static inline bool block_is_read(uint32_t flags) {
    return io_class_of(flags) == IO_READ || io_class_of(flags) == IO_READSYNC;
}

static inline bool block_is_write(uint32_t flags) {
    return io_class_of(flags) == IO_WRITE || io_class_of(flags) == IO_WRITESYNC;
}

/* Returns the flags to store: the request's flags, with class flush if it is a flush. */
uint32_t block_stored_flags(const struct block_request *request);

/* Restores an error number of which the kernel's tracer kept only the lower 16 bits: 65531 becomes
 * -5. Other numbers are returned unchanged. */
int64_t block_restore_error_number(int64_t kept);

/* Returns the bits of the flags for a block type. */
static inline uint32_t block_type_bits(enum io_block_type type) {
    return (uint32_t)type << IO_BLOCK_SHIFT;
}

/* Parses rwbs, the letters of a request's type: R is a read, W a write, otherwise the class is
 * other; S is sync. F before the direction is a flush, F after it FUA. Sets class and flags; false
 * for an unknown letter or an empty field. */
bool block_parse_rwbs(struct word rwbs, uint32_t *flags);

/* Appends the rwbs letters of stored flags in blkparse's order. */
void block_append_rwbs(uint32_t flags, struct text *out);

/* --- parsing the text of the kernel and of blkparse ------------------------------------------- */

/* Parsers of the text that the kernel and blkparse print. Each removes what it has parsed from
 * `rest`. Those that return a string return NULL, or the reason for rejecting the line. */

/* Parses `major,minor` to a device_number(). */
bool block_text_parse_device(struct word *rest, int64_t *device);

/* Parses a sector; -1, which the kernel prints for a request without one, gives EVENT_NONE. */
bool block_text_parse_sector(struct word *rest, int64_t *sector);

/* Parses `[process]`, or `[error]` for the actions C and R. Only the number of requests of an
 * unplug (U) may follow. The name ends at the line's last bracket, since names may contain
 * brackets. With an error no process is set: the process that runs is unrelated to the request. */
const char *block_text_parse_bracket(struct word *rest, struct block_request *request);

/* Parses `(8,1) 99`, device and sector before a remap. If `counted`, a number of I/Os may follow,
 * but nothing else. */
const char *block_text_parse_origin(struct word *rest, bool counted, struct block_request *request);

/* Parses a line from the action on: `D  WS 123 + 8 [process]`. For action m, sets `*is_message` and
 * reads no further. */
const char *block_text_parse_action(struct word *rest, struct block_request *request,
                                    bool *is_message);

#endif
