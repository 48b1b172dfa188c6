/* blktrace's binary records, version 7, little-endian, in one stream, for blkparse, btt, iowatcher
 * and fio. The layout is described in importers/blktrace.c.
 *
 * Times begin at 1 s, because blkparse treats a time of 0 as missing; with times below 0, the first
 * one becomes 1 s. All records have CPU 0 and numbers from 1. A process is announced before its
 * first record, and again when its name changes.
 */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/time_unit.h"
#include "blktrace_record.h"
#include "export/export.h"
#include "model/event.h"
#include "base/memory.h"

enum {
    HEADER = 48,
    VERSION = 7,
    NAME = 16,     /* bytes of a process name, including a final NUL */
    NAMES = 65536, /* limit of stored names; other processes are announced at each record */
    SECTOR = 512,
};
#define FIRST_TIME SECOND

static const char no_action[] = "events that are no steps of block I/O";
static const char cut_name[] = "names of processes: what is beyond 15 bytes";
static const char completer[] = "processes of completions without a queue event";
static const char file[] = "files that the events speak of";
static const char block_type[] = "block types: journal, metadata, data";
static const char origin[] = "source sectors of remaps (A)";
static const char too_long[] = "lengths: what is beyond 4 GiB";
static const char barrier[] = "barriers (B in rwbs)";
static const char no_device[] = "devices, which the log does not have: they are 0,0";
static const char no_extent[] = "sectors of requests without data, before their completion";
static const char data_of_none[] = "I/Os with data that neither read nor write: they are reads";

struct announced {
    UT_hash_handle hh;
    uint32_t pid;
    uint8_t length;
    char name[NAME];
};

struct blktrace_state {
    struct announced *names; /* owned; by pid: last announced name of each process */
    bool stamped;
};

static void store_big_endian(uint8_t *bytes, uint64_t number, size_t size) {
    for (size_t i = 0; i < size; i++) {
        bytes[i] = (uint8_t)(number >> 8 * (size - 1 - i));
    }
}

static void write_record(struct export_run *run, const struct blktrace_record *record) {
    uint8_t header[HEADER];

    export_store_little_endian(header, BLKTRACE_MAGIC + VERSION, 4);
    export_store_little_endian(header + 4, record->sequence, 4);
    export_store_little_endian(header + 8, record->time, 8);
    export_store_little_endian(header + 16, record->sector, 8);
    export_store_little_endian(header + 24, record->bytes, 4);
    export_store_little_endian(header + 28, record->action, 4);
    export_store_little_endian(header + 32, record->pid, 4);
    export_store_little_endian(header + 36, record->device, 4);
    export_store_little_endian(header + 40, record->cpu, 4);
    export_store_little_endian(header + 44, record->error, 2);
    export_store_little_endian(header + 46, record->payload_length, 2);
    export_write(run, header, sizeof header);
    export_write(run, record->payload, record->payload_length);
}

/* Returns the time to write for a time of the trace; it is at least FIRST_TIME. */
static uint64_t blktrace_time_of(const struct export_run *run, int64_t time) {
    int64_t first = run->trace->trace->first_time;

    return (uint64_t)time - (uint64_t)(first < 0 ? first : 0) + FIRST_TIME;
}

/* Writes blktrace's record of the wall clock on the first call, if the trace has a wall clock. */
static void write_wall_clock(struct export_run *run, struct blktrace_state *state) {
    int64_t start = run->trace->trace->start;
    uint8_t payload[8];

    if (state->stamped || start == EVENT_NONE || start < 0 || start / SECOND > UINT32_MAX) {
        return;
    }
    state->stamped = true;
    export_store_little_endian(payload, (uint64_t)(start / SECOND), 4);
    export_store_little_endian(payload + 4, (uint64_t)(start % SECOND), 4);
    write_record(run, &(struct blktrace_record){.time = blktrace_time_of(run, 0),
                                                .action = BLKTRACE_NOTICE | BLKTRACE_TIME_STAMP,
                                                .payload = payload,
                                                .payload_length = sizeof payload});
}

/* Returns whether the process was announced under this name; stores the name. */
static bool is_announced(struct blktrace_state *state, uint32_t pid, const char *name,
                         size_t length) {
    struct announced *known;

    HASH_FIND(hh, state->names, &pid, sizeof pid, known);
    if (known != NULL && known->length == length && memcmp(known->name, name, length) == 0) {
        return true;
    }
    if (known == NULL && HASH_COUNT(state->names) < NAMES) {
        known = xcalloc(1, sizeof *known);
        known->pid = pid;
        HASH_ADD(hh, state->names, pid, sizeof known->pid, known);
    }
    if (known != NULL) {
        known->length = (uint8_t)length;
        memcpy(known->name, name, length);
    }
    return false;
}

static void blktrace_announce(struct export_run *run, struct blktrace_state *state, int64_t time,
                              uint32_t pid, const char *name, size_t length) {
    static const char none[] = "(null)"; /* blkparse's text for a missing name */
    uint8_t payload[NAME] = {0};

    if (length >= NAME) {
        export_exclude(run, cut_name);
        length = NAME - 1;
    }
    if ((length == sizeof none - 1 && memcmp(name, none, length) == 0) ||
        is_announced(state, pid, name, length)) {
        return;
    }
    memcpy(payload, name, length);
    write_record(run, &(struct blktrace_record){.time = blktrace_time_of(run, time),
                                                .action = BLKTRACE_NOTICE | BLKTRACE_PROCESS,
                                                .pid = pid,
                                                .payload = payload,
                                                .payload_length = sizeof payload});
}

static const struct {
    const char *letters;
    unsigned act;
    uint64_t phase;
} acts[] = {
    {"Q", BLKTRACE_QUEUE, BLKTRACE_OF_QUEUE},
    {"M", BLKTRACE_BACK_MERGE, BLKTRACE_OF_QUEUE},
    {"F", BLKTRACE_FRONT_MERGE, BLKTRACE_OF_QUEUE},
    {"G", BLKTRACE_GET, BLKTRACE_OF_QUEUE},
    {"S", BLKTRACE_SLEEP, BLKTRACE_OF_QUEUE},
    {"R", BLKTRACE_REQUEUE, BLKTRACE_OF_REQUEUE | BLKTRACE_OF_FILES},
    {"D", BLKTRACE_ISSUE, BLKTRACE_OF_ISSUE | BLKTRACE_OF_FILES},
    {"C", BLKTRACE_COMPLETE, BLKTRACE_OF_COMPLETE | BLKTRACE_OF_FILES},
    {"P", BLKTRACE_PLUG, BLKTRACE_OF_QUEUE},
    {"U", BLKTRACE_UNPLUG, BLKTRACE_OF_QUEUE},
    {"UT", BLKTRACE_UNPLUG_TIMER, BLKTRACE_OF_QUEUE},
    {"I", BLKTRACE_INSERT, BLKTRACE_OF_QUEUE | BLKTRACE_OF_FILES},
    {"X", BLKTRACE_SPLIT, BLKTRACE_OF_QUEUE},
    {"B", BLKTRACE_BOUNCE, BLKTRACE_OF_QUEUE},
    {"A", BLKTRACE_REMAP, BLKTRACE_OF_QUEUE},
};

static bool find_act(const char *letters, struct blktrace_record *record) {
    for (size_t i = 0; i < sizeof acts / sizeof acts[0]; i++) {
        if (strcmp(acts[i].letters, letters) == 0) {
            record->action = acts[i].act | acts[i].phase;
            return true;
        }
    }
    return false;
}

static bool blktrace_reads(uint32_t flags) {
    return io_class_of(flags) == IO_READ || io_class_of(flags) == IO_READSYNC;
}

static uint64_t blktrace_categories_of_flags(uint32_t flags) {
    static const struct {
        uint32_t flag;
        uint64_t category;
    } rows[] = {
        {IO_FLAG_FLUSH, BLKTRACE_FLUSH},      {IO_FLAG_FUA, BLKTRACE_FUA},
        {IO_FLAG_READ_AHEAD, BLKTRACE_AHEAD}, {IO_FLAG_METADATA, BLKTRACE_METADATA},
        {IO_FLAG_DISCARD, BLKTRACE_DISCARD},  {IO_FLAG_FLUSH_WRITE, BLKTRACE_WRITE},
        {IO_FLAG_FLUSH_SYNC, BLKTRACE_SYNC},
    };
    enum io_class class = io_class_of(flags);
    uint64_t categories = blktrace_reads(flags) ? BLKTRACE_READ : 0;

    categories |= class == IO_WRITE || class == IO_WRITESYNC ? BLKTRACE_WRITE : 0;
    categories |= class == IO_READSYNC || class == IO_WRITESYNC ? BLKTRACE_SYNC : 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        categories |= flags & rows[i].flag ? rows[i].category : 0;
    }
    return categories;
}

/* Sets sector and length so that blkparse prints them correctly. Without a sector, the record
 * becomes a SCSI command, which is printed without one. A read of unknown length gets one byte,
 * since R is printed only with data. Without data, only completions and requeues have a sector. */
static void blktrace_write_extent(struct export_run *run, const struct export_event *event,
                                  struct blktrace_record *record) {
    int64_t bytes = event->bytes == EVENT_NONE ? 0 : event->bytes;

    if (bytes > UINT32_MAX) {
        export_exclude(run, too_long);
        bytes = UINT32_MAX / SECTOR * SECTOR;
    }
    record->sector = event->sector == EVENT_NONE ? 0 : (uint64_t)event->sector;
    record->bytes = bytes == 0 && blktrace_reads(event->flags) ? 1 : (uint32_t)bytes;
    if (event->sector == EVENT_NONE &&
        (bytes >= SECTOR || event->action[0] == 'C' || event->action[0] == 'R')) {
        record->action |= BLKTRACE_PACKET;
    }
    if (event->sector != EVENT_NONE && bytes == 0 && strchr("CR", event->action[0]) == NULL) {
        export_exclude(run, no_extent);
    }
    if (bytes > 0 && io_class_of(event->flags) == IO_OTHER && !(event->flags & IO_FLAG_DISCARD)) {
        export_exclude(run, data_of_none);
    }
}

/* Sets a record's process: the issuer for D (issue) and I (insert), none for C (completion) and R
 * (requeue). */
static void set_record_process(struct export_run *run, struct blktrace_state *state,
                               const struct export_event *event, struct blktrace_record *record) {
    bool by_issuer = event->issuer != NULL;
    int64_t pid = by_issuer ? event->issuer_pid : event->pid;
    const char *name = by_issuer ? event->issuer : event->process;

    if (strchr("CR", event->action[0]) != NULL) {
        if (io_origin_of(event->flags) == IO_ORIGIN_COMPLETED && event->process != NULL) {
            export_exclude(run, completer);
        }
        return;
    }
    record->pid = pid == EVENT_NONE ? 0 : (uint32_t)pid;
    if (name != NULL && event->action[0] != 'A') {
        blktrace_announce(run, state, event->time, record->pid, name,
                          by_issuer ? event->issuer_length : event->process_length);
    }
}

static void blktrace_report_losses(struct export_run *run, const struct export_event *event) {
    unsigned type = io_block_type_of(event->flags);

    if (event->file != NULL) {
        export_exclude(run, file);
    }
    if (type != IO_BLOCK_NONE) {
        export_exclude(run, block_type);
    }
    if (event->flags & IO_FLAG_BARRIER) {
        export_exclude(run, barrier);
    }
    if (event->device == EVENT_NONE) {
        export_exclude(run, no_device);
    }
}

static void blktrace_write(struct export_run *run, void *context,
                           const struct export_event *event) {
    struct blktrace_state *state = context;
    struct blktrace_record record = {0};
    uint8_t payload[16];

    if (!find_act(event->action, &record)) {
        export_exclude(run, no_action);
        return;
    }
    record.time = blktrace_time_of(run, event->time);
    record.device = event->device == EVENT_NONE ? 0 : (uint32_t)event->device;
    record.action |= blktrace_categories_of_flags(event->flags);
    blktrace_write_extent(run, event, &record);
    /* X (split), U (unplug) and A (remap) have a payload. */
    record.payload = payload;
    if (strchr("XU", event->action[0]) != NULL && event->value != EVENT_NONE) {
        store_big_endian(payload, (uint64_t)event->value, 8);
        record.payload_length = 8;
    } else if (event->action[0] == 'A') {
        store_big_endian(payload, record.device, 4);
        store_big_endian(payload + 4, record.device, 4);
        store_big_endian(payload + 8, record.sector, 8);
        record.payload_length = 16;
        export_exclude(run, origin);
    }
    if (strchr("CR", event->action[0]) != NULL && event->value != EVENT_NONE) {
        record.error = (uint16_t)event->value;
    }
    blktrace_report_losses(run, event);
    write_wall_clock(run, state);
    set_record_process(run, state, event, &record);
    record.sequence = ++export_find_device(run, event->device)->sequence;
    run->written++;
    write_record(run, &record);
}

static void blktrace_free_state(void *context) {
    struct blktrace_state *state = context;

    HASH_FREE(state->names);
}

const struct exporter blktrace_exporter = {
    .name = "blktrace",
    .description =
        "blktrace's binary records, for blkparse, btt, iowatcher and fio: -o NAME.blktrace.0",
    .binary = true,
    .kinds = 1u << TRACE_IO,
    .sectors = true,
    .steps = true,
    .state_size = sizeof(struct blktrace_state),
    .take = blktrace_write,
    .free = blktrace_free_state,
};
