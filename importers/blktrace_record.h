/* Parses a record of blktrace's binary format, for the importer and the exporter. The layout is at
 * the top of blktrace.c. */
#ifndef TRACETOOL_BLKTRACE_RECORD_H
#define TRACETOOL_BLKTRACE_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Supported versions of the format. Kernels write 7 unless they are asked for 8. */
#define BLKTRACE_OLDEST 7
#define BLKTRACE_NEWEST 8

#define BLKTRACE_MAGIC  0x65617400 /* a record begins with this number plus the version */
#define BLKTRACE_HEADER 64         /* maximum bytes of a record's header */
#define BLKTRACE_PDU    UINT16_MAX /* maximum bytes of payload */
#define BLKTRACE_CPUS   65536
#define BLKTRACE_CGROUP 8 /* bytes of a cgroup id before a payload */

/* Actions: the lower 16 bits of a record's action, without the flag for a cgroup id. */
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

/* Kinds of notices. A record with BLKTRACE_NOTICE has one of these in place of an action. */
enum blktrace_notice { BLKTRACE_PROCESS, BLKTRACE_TIME_STAMP, BLKTRACE_MESSAGE };

/* Categories of a record, such as read or sync: the bits of its action above the lower 16. */
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
/* Zone operations that do not write, in version 8. Zone append (bit 32) and write zeroes (bit 38)
 * write, so they are not included. */
#define BLKTRACE_ZONES (UINT64_C(0x3E) << 32)

/* Byte order and version of a file's records. */
struct blktrace_form {
    unsigned version; /* version of the format; 0: not known yet */
    bool big;         /* true: big-endian */
};

struct blktrace_record {
    uint32_t sequence; /* number of the record on its CPU, from 1; 0: none */
    uint64_t time;     /* time of the record, ns */
    uint64_t sector;
    uint32_t bytes;
    uint64_t action; /* action and categories, without the flag for a cgroup id */
    uint32_t pid, device, cpu;
    uint16_t error;
    const uint8_t *payload; /* bytes of the payload after the cgroup id, if any; borrowed */
    size_t payload_length;
};

/* Returns the size of the record header in bytes. */
size_t blktrace_header_size(const struct blktrace_form *form);

/* Returns whether the 4 bytes are blktrace's magic number, and sets the form. Accepts any version
 * below 32: an error message can then name a version that is not supported. */
bool blktrace_is_magic(const uint8_t *bytes, struct blktrace_form *form);

/* Returns the size of the record at `bytes`, with its payload. Returns 0 if no record begins there:
 * the magic number is not that of `form`, or the CPU is too high. `bytes` has a whole header. */
size_t blktrace_size(const uint8_t *bytes, const struct blktrace_form *form);

/* Parses a record from the first `length` bytes. Returns NULL, or why the record is bad: a constant
 * string. */
const char *blktrace_parse(const uint8_t *bytes, size_t length, const struct blktrace_form *form,
                           struct blktrace_record *record);

/* Returns whether the record is a notice, not an action. */
static inline bool blktrace_is_notice(const struct blktrace_record *record) {
    return (record->action & BLKTRACE_NOTICE) != 0;
}

/* Returns the action, or the kind of notice, without the category bits. */
static inline unsigned blktrace_act(const struct blktrace_record *record) {
    return (unsigned)(record->action & 0xFFFF);
}

#endif
