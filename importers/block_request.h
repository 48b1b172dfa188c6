/* A request of block I/O, as the importers of such logs tell of it, its rwbs flags, and its text as
 * the kernel and blkparse print it. */
#ifndef TRACETOOL_BLOCK_REQUEST_H
#define TRACETOOL_BLOCK_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "input/word.h"
#include "model/event.h"

#define SECTOR_SIZE 512

/* 8 GiB: no request is that long, and sums of bytes stay in range. */
#define BLOCK_IO_BLOCKS (1 << 24)

/* The highest sector: its address in bytes, and sums of such, stay in range. */
#define BLOCK_IO_SECTORS (INT64_C(1) << 54)

/* 63 years: times in nanoseconds stay in range. */
#define BLOCK_IO_SECONDS INT64_C(2000000000)

/* Letters of an action, of which the longest is UT. */
#define BLOCK_IO_ACTION 2

/* One action on one request. Strings are borrowed and need no NUL. */
struct block_request {
    int64_t time; /* nanoseconds since the start */
    const char *action;
    size_t action_length;
    uint32_t flags;      /* class, block type, enum io_flag */
    int64_t device;      /* device_number(), EVENT_NONE: not known */
    int64_t sector;      /* EVENT_NONE: none (a flush) */
    int64_t blocks;      /* of SECTOR_SIZE, EVENT_NONE: not known; 0 occurs */
    int64_t more_bytes;  /* behind the last whole block, where a log counts bytes */
    int64_t pid;         /* EVENT_NONE: not known */
    const char *process; /* NULL: not known */
    size_t process_length;
    /* Who dispatched it, where that is known to be somebody else; NULL: it is not. */
    int64_t issuer_pid;
    const char *issuer;
    size_t issuer_length;
    const char *file; /* NULL or length 0: none */
    size_t file_length;
    /* NUL-terminated, the same bytes as long as the import takes; NULL: by the file's name. */
    const char *file_type;
    int64_t value; /* error number or transaction; EVENT_NONE: none. Of X: the sector at which the
                      request was split */
    /* The log has the time from issue to completion, of D and of C: nothing is matched. */
    bool tells_latency;
    int64_t latency;
    bool was_asked; /* somebody was seen asking for it (Q) … */
    int64_t asked;  /* … at that time */
    /* Of A: where the request was before. */
    int64_t from_device, from_sector;
};

/* Whether the action is that one letter. */
static inline bool block_has_action(const struct block_request *request, char letter) {
    return request->action_length == 1 && request->action[0] == letter;
}

/* By the class in flags. */
static inline bool block_is_read(uint32_t flags) {
    return io_class_of(flags) == IO_READ || io_class_of(flags) == IO_READSYNC;
}

static inline bool block_is_write(uint32_t flags) {
    return io_class_of(flags) == IO_WRITE || io_class_of(flags) == IO_WRITESYNC;
}

/* Flags as they are kept: those of the request, but for the class of a flush. */
uint32_t block_kept_flags(const struct block_request *request);

/* An error number of which the lower 16 bits were kept, as the kernel's tracer does: -5 of 65531.
 * Others stay as they are. */
int64_t block_error(int64_t kept);

/* Sets the block type bits of flags. */
static inline uint32_t block_type_bits(enum io_block_type type) {
    return (uint32_t)type << IO_BLOCK_SHIFT;
}

/* rwbs: R makes it a read, else W a write, S makes it sync; neither R nor W is other. F before the
 * direction is a flush, behind it FUA. Sets the class and flags; false for an unknown letter or an
 * empty field. */
bool block_parse_rwbs(struct word rwbs, uint32_t *flags);

/* Appends the letters of kept flags in the order in which blkparse writes them. */
void block_append_rwbs(uint32_t flags, struct text *out);

/* --- text --------------------------------------------------------------------------------------
 */

/* What the texts of block I/O have in common that the kernel and blkparse print: devices, sectors,
 * what stands in brackets, and the lines of blktrace's actions from their letters on.
 *
 * Functions that return a string return NULL for what is good, else the reason why it is not, for
 * the ledger. They cut what they read off `rest`. */

/* A request with all fields unknown. */
struct block_request block_text_request(void);

/* `major,minor`, as a device_number(). */
bool block_text_device(struct word *rest, int64_t *device);

/* A sector, EVENT_NONE for the -1 that the kernel prints of a request without one. */
bool block_text_sector(struct word *rest, int64_t *sector);

/* `[process]`, or of the actions C and R `[error]`, behind which a number may stand for plugs and
 * nothing else. It reaches to the last bracket on the line, for names may contain some. An error
 * takes the place of the process: who was running then has nothing to do with the request. */
const char *block_text_bracket(struct word *rest, struct block_request *request);

/* `(8,1) 99`, the device and sector before a remap; nothing behind it but, with `counted`, a number
 * of I/Os. */
const char *block_text_origin(struct word *rest, bool counted, struct block_request *request);

/* A line from the action on: `D  WS 123 + 8 [process]`. `*is_message` for action m, of which
 * nothing more is read. */
const char *block_text_action(struct word *rest, struct block_request *request, bool *is_message);

#endif
