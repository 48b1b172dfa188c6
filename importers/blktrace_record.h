/* A record of blktrace's binary form, and what is written of it, apart from any log: the reader and
 * the exporter share this. The layout is at the top of blktrace.c. */
#ifndef TRACETOOL_BLKTRACE_RECORD_H
#define TRACETOOL_BLKTRACE_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Versions that are read. 7 is that of all kernels but those that were asked for 8. */
#define BLKTRACE_OLDEST 7
#define BLKTRACE_NEWEST 8

#define BLKTRACE_MAGIC  0x65617400 /* and the version */
#define BLKTRACE_HEADER 64         /* bytes, of the longest form */
#define BLKTRACE_PDU    UINT16_MAX /* bytes of payload, at most */
#define BLKTRACE_CPUS   65536
#define BLKTRACE_CGROUP 8 /* bytes of it that are in front of a payload */

/* Actions: the lower 16 bits, but for the flag that a cgroup stands in front of the payload. */
enum blktrace_act {
    BLKTRACE_QUEUE = 1,
    BLKTRACE_BACK_MERGE,
    BLKTRACE_FRONT_MERGE,
    BLKTRACE_GET,
    BLKTRACE_SLEEP,
    BLKTRACE_REQUEUE,
    BLKTRACE_ISSUE,
    BLKTRACE_COMPLETE,
    BLKTRACE_PLUG,
    BLKTRACE_UNPLUG,
    BLKTRACE_UNPLUG_TIMER,
    BLKTRACE_INSERT,
    BLKTRACE_SPLIT,
    BLKTRACE_BOUNCE,
    BLKTRACE_REMAP,
    BLKTRACE_ABORT,
    BLKTRACE_DRIVER_DATA,
    BLKTRACE_HAS_CGROUP = 0x100,
};

/* Of a notice, in place of these. */
enum blktrace_notice { BLKTRACE_PROCESS, BLKTRACE_TIME_STAMP, BLKTRACE_MESSAGE };

/* Categories: the bits above those 16. */
#define BLKTRACE_READ        (UINT64_C(1) << 16)
#define BLKTRACE_WRITE       (UINT64_C(1) << 17)
#define BLKTRACE_FLUSH       (UINT64_C(1) << 18)
#define BLKTRACE_SYNC        (UINT64_C(1) << 19)
#define BLKTRACE_OF_QUEUE    (UINT64_C(1) << 20)
#define BLKTRACE_OF_REQUEUE  (UINT64_C(1) << 21)
#define BLKTRACE_OF_ISSUE    (UINT64_C(1) << 22)
#define BLKTRACE_OF_COMPLETE (UINT64_C(1) << 23)
#define BLKTRACE_OF_FILES    (UINT64_C(1) << 24)
#define BLKTRACE_PACKET      (UINT64_C(1) << 25)
#define BLKTRACE_NOTICE      (UINT64_C(1) << 26)
#define BLKTRACE_AHEAD       (UINT64_C(1) << 27)
#define BLKTRACE_METADATA    (UINT64_C(1) << 28)
#define BLKTRACE_DISCARD     (UINT64_C(1) << 29)
#define BLKTRACE_OF_DRIVER   (UINT64_C(1) << 30)
#define BLKTRACE_FUA         (UINT64_C(1) << 31)
/* Version 8: what is done to zones, but for appending (bit 32) and writing zeroes (bit 38), which
 * write. */
#define BLKTRACE_ZONES (UINT64_C(0x3E) << 32)

/* How the records of a file are written. */
struct blktrace_form {
    unsigned version; /* 0: none */
    bool big;         /* byte order */
};

struct blktrace_record {
    uint32_t sequence; /* by CPU, from 1; 0: it has none */
    uint64_t time;     /* ns */
    uint64_t sector;
    uint32_t bytes;
    uint64_t action; /* with the flag of a cgroup taken off */
    uint32_t pid, device, cpu;
    uint16_t error;
    const uint8_t *payload; /* without the cgroup; borrowed */
    size_t payload_length;
};

/* Bytes of the header. */
size_t blktrace_header_size(const struct blktrace_form *form);

/* Whether the 4 bytes are blktrace's magic number, and of which form; of any version below 32, so
 * that others can be refused by their number. */
bool blktrace_magic(const uint8_t *bytes, struct blktrace_form *form);

/* The bytes of the record whose header of that form begins there, with its payload; 0: none does,
 * for the magic is not that of the form, or the CPU is beyond all bounds. `bytes` has a whole
 * header.
 */
size_t blktrace_size(const uint8_t *bytes, const struct blktrace_form *form);

/* Takes a record apart, of which `length` bytes are there. NULL when it is good, else why not, a
 * constant string. */
const char *blktrace_parse(const uint8_t *bytes, size_t length, const struct blktrace_form *form,
                           struct blktrace_record *record);

/* Whether the action is a notice, by its category. */
static inline bool blktrace_is_notice(const struct blktrace_record *record) {
    return (record->action & BLKTRACE_NOTICE) != 0;
}

/* Action or notice, without categories. */
static inline unsigned blktrace_act(const struct blktrace_record *record) {
    return (unsigned)(record->action & 0xFFFF);
}

#endif
