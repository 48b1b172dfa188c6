/* vscsi: block I/O of virtual disks, in binary records of VMware's tracer, as in CloudPhysics'
 * public traces. All numbers are little-endian. Version 1, 32 bytes per record:
 *
 *     u32 number  u32 bytes  u32 segments  u16 command  u16 version  u64 sector  u64 time
 *
 * Version 2, 40 bytes:
 *
 *     u16 command  u16 version  u32 number  u32 bytes  u32 segments  u64 sector  u64 time
 *     u64 response
 *
 * The upper byte of the version is 1 or 2, and the same in all records of a file. The command is a
 * SCSI operation code; sectors have 512 bytes; times are microseconds since an unknown origin, the
 * response is microseconds. Source: the readers of libCacheSim, and its example trace.
 *
 * A record of version 1 becomes the arrival of a request (Q). A record of version 2 becomes the
 * request's issue (D) and its completion (C). Commands other than reads and writes get the class
 * `other`.
 *
 * Quirks: there is no magic number, so files are recognised by version and commands.
 *
 * Tables filled: event (time, duration, operation, flags, address, size; an actor and an object
 * without a name); name (kind action). */
#include "block_io.h"
#include "lines.h"
#include "input/bytes.h"

enum {
    SIZE_1 = 32,
    SIZE_2 = 40,
    SNIFFED = 20,        /* number of the file's first records that are judged */
    COMMAND_LIMIT = 256, /* one more than the highest command, which is a byte */
};

/* Maximum microseconds: of a time (TIME_LIMIT) 31 years, of a response (RESPONSE_LIMIT) a day. */
#define TIME_LIMIT     (INT64_C(1000000000) * 1000000)
#define RESPONSE_LIMIT (INT64_C(86400) * 1000000)

/* Reasons why records are rejected, ignored or merged, as report ledger prints them. */
static const char bad_version[] = "version is not that of the file's first record";
static const char bad_command[] = "command is no SCSI operation code";
static const char bad_sector[] = "sector beyond 2^54";
static const char bad_time[] = "time beyond 31 years, or response beyond a day";

/* --- parsing one record ----------------------------------------------------------------------- */

struct record {
    int64_t bytes, sector, time, response; /* sectors of 512 bytes; times in microseconds */
    unsigned command;
};

/* Offsets of the fields of a record, by version of the format. */
struct layout {
    size_t size;
    unsigned version;
    size_t command, bytes, sector, time, response; /* response 0: not in this version */
};

static const struct layout layouts[] = {
    {SIZE_1, 1, 12, 4, 16, 24, 0},
    {SIZE_2, 2, 0, 8, 16, 24, 32},
};

/* Parses a record. Returns NULL, or why the record is bad. */
static const char *vscsi_parse_record(const struct layout *layout, const uint8_t *bytes,
                                      struct record *record) {
    uint64_t sector = bytes_u64_little(bytes + layout->sector);
    uint64_t time = bytes_u64_little(bytes + layout->time);
    uint64_t response = layout->response == 0 ? 0 : bytes_u64_little(bytes + layout->response);

    record->command = bytes_u16_little(bytes + layout->command);
    if (bytes_u16_little(bytes + layout->command + 2) >> 8 != layout->version) {
        return bad_version;
    }
    if (record->command >= COMMAND_LIMIT) {
        return bad_command;
    }
    if (sector > (uint64_t)BLOCK_IO_SECTORS) {
        return bad_sector;
    }
    if (time > (uint64_t)TIME_LIMIT || response > (uint64_t)RESPONSE_LIMIT) {
        return bad_time;
    }
    record->bytes = bytes_u32_little(bytes + layout->bytes);
    record->sector = (int64_t)sector;
    record->time = (int64_t)time;
    record->response = (int64_t)response;
    return NULL;
}

static bool vscsi_is_record(const void *context, const uint8_t *bytes) {
    struct record record;

    return vscsi_parse_record(context, bytes, &record) == NULL;
}

/* Returns the class of a SCSI command: IO_READ, IO_WRITE or IO_OTHER. */
static uint32_t vscsi_class_of(unsigned command) {
    switch (command) {
    case 0x28: /* READ (10), (16), (12) */
    case 0x88:
    case 0xA8:
        return IO_READ;
    case 0x2A: /* WRITE (10), (16), (12), in this order */
    case 0x8A:
    case 0xAA:
        return IO_WRITE;
    default:
        return IO_OTHER;
    }
}

/* --- detection of the format ------------------------------------------------------------------ */

/* Returns whether nine in ten of the first records are valid, and half are reads or writes. */
static bool vscsi_fits(const struct layout *layout, const uint8_t *bytes, size_t length) {
    size_t count = length / layout->size, good = 0, transfers = 0;
    struct record record;

    count = count < SNIFFED ? count : SNIFFED;
    for (size_t i = 0; i < count; i++) {
        if (vscsi_parse_record(layout, bytes + i * layout->size, &record) == NULL) {
            good++;
            transfers += vscsi_class_of(record.command) != IO_OTHER;
        }
    }
    return good > 1 && good * 10 >= count * 9 && transfers * 2 >= good;
}

/* Returns the layout that the first records fit; NULL: none. */
static const struct layout *vscsi_find_layout(const uint8_t *bytes, size_t length) {
    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++) {
        if (vscsi_fits(&layouts[i], bytes, length)) {
            return &layouts[i];
        }
    }
    return NULL;
}

static enum sniff_score sniff_vscsi(const struct sniff *sniff) {
    return vscsi_find_layout(sniff->bytes, sniff->length) != NULL ? SNIFF_LIKELY : SNIFF_NO;
}

/* --- adding events ---------------------------------------------------------------------------- */

static void begin_vscsi(struct import *import, void *state) {
    ((struct block_dated *)state)->start.undated = true;
    block_dated_begin(import, state);
}

/* Layout of the file being read, and state of the import. */
struct vscsi_file {
    const struct layout *layout;
    struct block_dated *state;
};

static const char *vscsi_take(struct import *import, void *context, const uint8_t *bytes,
                              int64_t offset) {
    const struct vscsi_file *file = context;
    struct block_dated *state = file->state;
    struct record record;
    const char *damage = vscsi_parse_record(file->layout, bytes, &record);
    struct block_request request;
    int64_t time;

    if (damage != NULL) {
        return damage;
    }
    time = block_io_elapsed(import, &state->start, record.time * 1000);
    request = (struct block_request){
        .flags = vscsi_class_of(record.command),
        .device = EVENT_NONE,
        .sector = record.sector,
        .blocks = record.bytes / SECTOR_SIZE,
        .more_bytes = record.bytes % SECTOR_SIZE,
        .pid = EVENT_NONE,
        .value = EVENT_NONE,
        .tells_latency = true,
        .latency = record.response * 1000,
    };

    if (file->layout->response == 0) {
        block_io_add_action(import, &state->io, &request, "Q", time);
        return NULL;
    }
    import_count_extra_event(import, block_io_both_ends, offset);
    block_io_add_action(import, &state->io, &request, "D", time);
    block_io_add_action(import, &state->io, &request, "C", time + request.latency);
    return NULL;
}

/* Returns the layout of a file. If the user gave the format, but the first records fit no layout,
 * the version in the first record decides. */
static const struct layout *layout_of(struct reader *reader) {
    size_t length = reader_fill(reader, SNIFF_LENGTH);
    const uint8_t *bytes = reader_bytes(reader);
    const struct layout *layout = vscsi_find_layout(bytes, length);

    for (size_t i = 0; layout == NULL && i < sizeof layouts / sizeof layouts[0]; i++) {
        if (length >= layouts[i].size && vscsi_is_record(&layouts[i], bytes)) {
            layout = &layouts[i];
        }
    }
    return layout;
}

static void read_vscsi(struct import *import, void *state, struct reader *reader) {
    const struct layout *layout = layout_of(reader);
    struct fixed_records records = {0, vscsi_is_record, layout};
    struct vscsi_file file = {layout, state};

    if (layout == NULL) {
        import_fail_file(import,
                         "not vscsi: no records of version 1 (32 bytes) or 2 (40 bytes) that "
                         "read or write");
        return;
    }
    records.size = layout->size;
    import_variant(import, layout->version == 1 ? "version 1" : "version 2");
    fixed_records_read(import, &records, reader, vscsi_take, &file);
}

/* --- definition of the importer --------------------------------------------------------------- */

const struct importer vscsi_importer = {
    .name = "vscsi",
    .description = "block I/O of virtual disks, VMware's vscsi records (CloudPhysics)",
    .line = NULL,
    .made_of = "records of 32 or 40 bytes with a SCSI command",
    .variants = "version 1, version 2",
    .kinds = 1u << TRACE_IO,
    .meanings = {[TRACE_IO] = block_io_device_meanings},
    .facts = {[TRACE_IO] = FACTS_OF_LOG(FACT(DIRECTIONS))},
    .columns = EVENT_DURATION | EVENT_OPERATION | EVENT_ACTOR | EVENT_OBJECT | EVENT_FLAGS |
               EVENT_ADDRESS | EVENT_SIZE,
    .state_size = sizeof(struct block_dated),
    .resume = block_dated_resume,
    .resume_begun = BLOCK_DATED_BEGUN,
    .sniff = sniff_vscsi,
    .begin = begin_vscsi,
    .read = read_vscsi,
    .end = block_dated_end,
    .dump = block_io_dump,
};
