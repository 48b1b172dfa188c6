/* Makes the files of this folder: FOLDER/ok, damaged, fail and expected (README.md).
 *
 *     generate FOLDER
 *
 * One trace is made, of two CPUs, as a list of records. It is written in each form of the format,
 * and as the text that blkparse prints of it, by blkparse's own rules. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../util.h"

enum {
    QUEUE = 1,
    BACK_MERGE,
    FRONT_MERGE,
    GET,
    SLEEP,
    REQUEUE,
    ISSUE,
    COMPLETE,
    PLUG,
    UNPLUG,
    UNPLUG_TIMER,
    INSERT,
    SPLIT,
    BOUNCE,
    REMAP,
    ABORT,
    DRIVER,
};
enum { PROCESS, STAMP, MESSAGE, OTHER = 9 };

/* Bits of the upper half of an action. */
enum {
    READ = 1,
    WRITE = 2,
    FLUSH = 4,
    SYNC = 8,
    OF_FILES = 1 << 8,
    PACKET = 1 << 9,
    NOTICE = 1 << 10,
    AHEAD = 1 << 11,
    METADATA = 1 << 12,
    DISCARD = 1 << 13,
    OF_DRIVER = 1 << 14,
    FUA = 1 << 15,
};

enum { DISK = 8 << 20, PARTITION = DISK + 1, CPUS = 2, NAMES = 8 };

typedef struct {
    uint32_t sequence, bytes, act, what, pid, cpu;
    int error;
    uint64_t time, sector;
    size_t size, added;
    uint8_t payload[64];
} Record;

typedef struct {
    Record *records;
    size_t count, capacity;
    uint32_t sequences[CPUS];
} Trace;

typedef struct {
    int version, big;
} Form;

static const struct {
    uint32_t pid;
    const char *name;
} names[NAMES] = {
    {0, "swapper"},       {101, "writer"}, {102, "reader [1]"},      {103, "kworker/0:1H"},
    {104, "jbd2/sda1-8"}, {105, "mkfs"},   {106, "a name of 16 by"}, {107, ""}};

static const char *name_of(uint32_t pid) {
    for (size_t i = 0; i < NAMES; i++) {
        if (names[i].pid == pid) {
            return names[i].name;
        }
    }
    return "(null)";
}

/* --- numbers -----------------------------------------------------------------------------------
 */

static void put(uint8_t *bytes, uint64_t number, size_t size, int big) {
    for (size_t i = 0; i < size; i++) {
        bytes[big ? size - 1 - i : i] = (uint8_t)(number >> (8 * i));
    }
}

/* --- the trace ---------------------------------------------------------------------------------
 */

/* The bit of the queue's phase that the kernel sets for an act. */
static uint32_t phase_of(uint32_t act) {
    return act == REQUEUE    ? 1 << 5
           : act == ISSUE    ? 1 << 6
           : act == COMPLETE ? 1 << 7
           : act <= REMAP    ? 1 << 4
                             : 0;
}

static Record *add(Trace *trace, uint32_t cpu, uint64_t time, uint32_t pid, uint32_t act,
                   uint32_t what, uint64_t sector, uint32_t bytes) {
    Record *record;

    trace->records = grow(trace->records, trace->count, &trace->capacity, sizeof *trace->records);
    record = &trace->records[trace->count++];
    *record = (Record){.bytes = bytes,
                       .act = act,
                       .what = what,
                       .pid = pid,
                       .cpu = cpu,
                       .time = 3000000000 + time,
                       .sector = sector};
    if ((what & NOTICE) == 0) {
        record->what |= phase_of(act);
    }
    return record;
}

static void announce(Trace *trace, uint32_t cpu, uint64_t time, uint32_t pid, const char *name) {
    Record *record = add(trace, cpu, time, pid, PROCESS, NOTICE, 0, 0);

    record->size = 16;
    memcpy(record->payload, name, strlen(name));
}

/* A notice of each process on each CPU, and the wall clock. */
static void begin(Trace *trace) {
    Record *stamp = add(trace, 0, 0, 0, STAMP, NOTICE, 0, 0);

    stamp->size = 8; /* of the machine's order: filled in when it is written */
    for (uint32_t cpu = 0; cpu < CPUS; cpu++) {
        for (size_t i = 0; i < NAMES; i++) {
            announce(trace, cpu, 1000, names[i].pid, names[i].name);
        }
    }
}

static void step(Trace *trace, uint32_t cpu, uint64_t time, uint32_t pid, uint32_t act,
                 uint32_t what, uint64_t sector, uint32_t bytes) {
    add(trace, cpu, time, pid, act, what, sector, bytes);
}

static void with_number(Record *record, uint64_t number) {
    put(record->payload, number, 8, 1);
    record->size = 8;
}

/* Q, G, I, D on one CPU, C on another. */
static void plain(Trace *trace, uint64_t time, uint32_t cpu, uint32_t pid, uint32_t what,
                  uint64_t sector, uint32_t bytes) {
    step(trace, cpu, time, pid, QUEUE, what, sector, bytes);
    step(trace, cpu, time + 700, pid, GET, what, sector, bytes);
    step(trace, cpu, time + 1500, pid, INSERT, what | OF_FILES, sector, bytes);
    step(trace, cpu, time + 2100, 103, ISSUE, what | OF_FILES, sector, bytes);
    step(trace, 1 - cpu, time + 52345, 0, COMPLETE, what | OF_FILES, sector, bytes);
}

/* Two requests merged behind and in front of a first one, under a plug. */
static void merged(Trace *trace, uint64_t time) {
    step(trace, 0, time, 101, QUEUE, WRITE | SYNC, 1000, 4096);
    step(trace, 0, time + 100, 101, GET, WRITE | SYNC, 1000, 4096);
    step(trace, 0, time + 200, 101, PLUG, 0, 0, 0);
    step(trace, 0, time + 300, 104, QUEUE, WRITE | SYNC, 1008, 4096);
    step(trace, 0, time + 400, 104, BACK_MERGE, WRITE | SYNC, 1008, 4096);
    step(trace, 0, time + 500, 101, QUEUE, WRITE | SYNC, 992, 4096);
    step(trace, 0, time + 600, 101, FRONT_MERGE, WRITE | SYNC, 992, 4096);
    with_number(add(trace, 0, time + 700, 101, UNPLUG, 0, 0, 0), 1);
    step(trace, 0, time + 800, 103, INSERT, WRITE | SYNC | OF_FILES, 992, 12288);
    step(trace, 0, time + 900, 103, ISSUE, WRITE | SYNC | OF_FILES, 992, 12288);
    step(trace, 1, time + 90000, 0, COMPLETE, WRITE | SYNC | OF_FILES, 992, 12288);
}

/* Completed in two pieces; requeued; with an error. */
static void in_pieces(Trace *trace, uint64_t time) {
    step(trace, 1, time, 102, QUEUE, READ, 2000, 8192);
    step(trace, 1, time + 500, 102, ISSUE, READ | OF_FILES, 2000, 8192);
    step(trace, 1, time + 9000, 0, REQUEUE, READ | OF_FILES, 2000, 8192);
    step(trace, 0, time + 10000, 103, ISSUE, READ | OF_FILES, 2000, 8192);
    step(trace, 1, time + 20000, 0, COMPLETE, READ | OF_FILES, 2000, 4096);
    step(trace, 0, time + 21000, 0, COMPLETE, READ | OF_FILES, 2008, 4096);
    step(trace, 0, time + 30000, 106, QUEUE, READ | AHEAD, 2100, 4096);
    step(trace, 0, time + 31000, 106, ISSUE, READ | AHEAD | OF_FILES, 2100, 4096);
    add(trace, 0, time + 42000, 0, COMPLETE, READ | AHEAD | OF_FILES, 2100, 4096)->error = -5;
}

/* One split in two, remapped from the partition before. */
static void parted(Trace *trace, uint64_t time) {
    Record *remap = add(trace, 0, time, 101, REMAP, WRITE, 5000, 8192);

    put(remap->payload, PARTITION, 4, 1);
    put(remap->payload + 4, DISK, 4, 1);
    put(remap->payload + 8, 2952, 8, 1);
    remap->size = 16;
    step(trace, 0, time + 100, 101, QUEUE, WRITE, 5000, 8192);
    with_number(add(trace, 0, time + 200, 101, SPLIT, WRITE, 5000, 4096), 5008);
    for (uint32_t i = 0; i < 2; i++) {
        step(trace, 0, time + 1000 * i + 300, 101, GET, WRITE, 5000 + 8 * i, 4096);
        step(trace, 0, time + 1000 * i + 400, 103, ISSUE, WRITE | OF_FILES, 5000 + 8 * i, 4096);
        step(trace, 1, time + 1000 * i + 40000, 0, COMPLETE, WRITE | OF_FILES, 5000 + 8 * i, 4096);
    }
}

/* What has no data: flushes, SCSI commands; discards; what is about the queue alone. */
static void others(Trace *trace, uint64_t time) {
    Record *record;

    step(trace, 0, time, 104, QUEUE, WRITE | FLUSH | SYNC, 0, 0);
    step(trace, 0, time + 100, 103, ISSUE, FLUSH | OF_FILES, 0, 0);
    step(trace, 1, time + 70000, 0, COMPLETE, FLUSH | OF_FILES, 0, 0);
    step(trace, 1, time + 71000, 104, QUEUE, WRITE | FUA | METADATA | SYNC, 7000, 1024);
    step(trace, 1, time + 71500, 104, ISSUE, WRITE | FUA | METADATA | SYNC | OF_FILES, 7000, 1024);
    step(trace, 1, time + 80000, 0, COMPLETE, WRITE | FUA | METADATA | SYNC | OF_FILES, 7000, 1024);
    step(trace, 1, time + 81000, 105, QUEUE, WRITE | DISCARD, 80000, 1 << 20);
    step(trace, 1, time + 82000, 105, ISSUE, WRITE | DISCARD | OF_FILES, 80000, 1 << 20);
    step(trace, 0, time + 83000, 0, COMPLETE, WRITE | DISCARD | OF_FILES, 80000, 1 << 20);
    record = add(trace, 0, time + 84000, 105, ISSUE, READ | PACKET, 0, 36);
    memcpy(record->payload, (uint8_t[]){0x12, 0, 0, 0, 36, 0}, record->size = 6);
    record = add(trace, 0, time + 85000, 0, COMPLETE, READ | PACKET, 0, 36);
    memcpy(record->payload, (uint8_t[]){0x12, 0, 0, 0, 36, 0}, record->size = 6);
    step(trace, 1, time + 86000, 107, PLUG, 0, 0, 0);
    with_number(add(trace, 1, time + 87000, 107, UNPLUG_TIMER, 0, 0, 0), 3);
    step(trace, 1, time + 88000, 102, BOUNCE, READ, 9000, 4096);
    step(trace, 1, time + 88500, 102, SLEEP, READ, 9000, 4096);
    record = add(trace, 0, time + 89000, 0, MESSAGE, NOTICE, 0, 0);
    memcpy(record->payload, "cfq 101 slice", record->size = 13);
    step(trace, 0, time + 89100, 0, OTHER, NOTICE, 0, 0);
    record = add(trace, 0, time + 89200, 0, DRIVER, OF_DRIVER, 0, 0);
    memcpy(record->payload, "opaque", record->size = 6);
    step(trace, 0, time + 89300, 0, ABORT, 0, 0, 0);
    plain(trace, time + 90000, 0, 300, READ, 123456789, 4096); /* nobody says who 300 is */
}

static int compare_times(const void *left, const void *right) {
    const Record *a = left, *b = right;

    if (a->time != b->time) {
        return a->time < b->time ? -1 : 1;
    }
    return a->cpu != b->cpu ? (a->cpu < b->cpu ? -1 : 1) : a->added < b->added ? -1 : 1;
}

/* Puts the records in order and numbers those of each CPU. */
static void settle(Trace *trace) {
    for (size_t i = 0; i < trace->count; i++) {
        trace->records[i].added = i;
    }
    qsort(trace->records, trace->count, sizeof *trace->records, compare_times);
    for (size_t i = 0; i < trace->count; i++) {
        if ((trace->records[i].what & NOTICE) == 0) {
            trace->records[i].sequence = ++trace->sequences[trace->records[i].cpu];
        }
    }
}

static void make_trace(Trace *trace) {
    Random random = {42};

    begin(trace);
    merged(trace, 10000);
    in_pieces(trace, 200000);
    parted(trace, 400000);
    others(trace, 600000);
    for (uint64_t i = 0; i < 40; i++) {
        uint32_t write = random_below(&random, 2);

        plain(trace, 1000000 + i * 30011 + random_below(&random, 900), (uint32_t)i % CPUS,
              101 + random_below(&random, 2), write ? WRITE | (i % 3 == 0 ? SYNC : 0) : READ,
              100000 + 8 * random_below(&random, 5000), 4096 * (1 + random_below(&random, 4)));
    }
    settle(trace);
}

/* --- the binary form ---------------------------------------------------------------------------
 */

static size_t write_header(uint8_t *bytes, const Record *record, Form form) {
    uint64_t action = (uint64_t)record->what << 16 | record->act;
    int big = form.big, longer = form.version > 7;
    uint32_t error = (uint32_t)record->error & 0xFFFF;
    uint32_t device = record->what & NOTICE ? 0 : DISK;

    memset(bytes, 0, 64);
    put(bytes, 0x65617400u + (uint32_t)form.version, 4, big);
    put(bytes + 4, record->sequence, 4, big);
    put(bytes + 8, record->time, 8, big);
    put(bytes + 16, record->sector, 8, big);
    put(bytes + 24, record->bytes, 4, big);
    put(bytes + (longer ? 32 : 28), action, longer ? 8 : 4, big);
    put(bytes + (longer ? 28 : 32), record->pid, 4, big);
    put(bytes + (longer ? 40 : 36), device, 4, big);
    put(bytes + (longer ? 44 : 40), record->cpu, 4, big);
    put(bytes + (longer ? 48 : 44), error, 2, big);
    put(bytes + (longer ? 50 : 46), record->size, 2, big);
    return longer ? 64 : 48;
}

static void write_record(FILE *file, const Record *record, Form form) {
    uint8_t bytes[64], payload[64];
    size_t size = write_header(bytes, record, form);

    memcpy(payload, record->payload, sizeof payload);
    if ((record->what & NOTICE) && record->act == STAMP) {
        put(payload, 1400000000, 4, form.big);
        put(payload + 4, 123456789, 4, form.big);
    }
    fwrite(bytes, 1, size, file);
    fwrite(payload, 1, record->size, file);
}

static FILE *create(const char *folder, const char *name) {
    char path[4096];
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    file = fopen(path, "wb");
    require(file != NULL, "%s", path);
    return file;
}

/* The records of a CPU. */
static void write_cpu(const char *folder, const char *name, const Trace *trace, uint32_t cpu) {
    FILE *file = create(folder, name);

    for (size_t i = 0; i < trace->count; i++) {
        if (trace->records[i].cpu == cpu) {
            write_record(file, &trace->records[i], (Form){7, 0});
        }
    }
    close_file(file);
}

/* All records in one stream: of each CPU in turn so many as one buffer holds, so that time steps
 * back between them; 1: in order of time. */
static void write_stream(const char *folder, const char *name, const Trace *trace, Form form,
                         size_t buffer) {
    FILE *file = create(folder, name);

    for (size_t first = 0; first < trace->count; first += buffer) {
        for (uint32_t cpu = 0; cpu < CPUS; cpu++) {
            for (size_t i = first; i < first + buffer && i < trace->count; i++) {
                if (trace->records[i].cpu == cpu) {
                    write_record(file, &trace->records[i], form);
                }
            }
        }
    }
    close_file(file);
}

/* --- blkparse's text ---------------------------------------------------------------------------
 */

static void print_rwbs(FILE *file, const Record *record) {
    char letters[16], *end = letters;

    if (record->what & FLUSH) {
        *end++ = 'F';
    }
    *end++ = record->what & DISCARD ? 'D'
             : record->what & WRITE ? 'W'
             : record->bytes > 0    ? 'R'
                                    : 'N';
    *end = '\0';
    strcat(end, record->what & FUA ? "F" : "");
    strcat(end, record->what & AHEAD ? "A" : "");
    strcat(end, record->what & SYNC ? "S" : "");
    strcat(end, record->what & METADATA ? "M" : "");
    fprintf(file, "%3s ", letters);
}

static uint64_t payload_number(const Record *record, size_t at, size_t size) {
    uint64_t number = 0;

    for (size_t i = 0; i < size; i++) {
        number = number << 8 | record->payload[at + i];
    }
    return number;
}

static void print_tail(FILE *file, const Record *record) {
    const char *name = name_of(record->pid);
    uint32_t sectors = record->bytes / 512;

    if (record->what & PACKET) {
        if (record->act == ISSUE) {
            fprintf(file, "%" PRIu32 " ", record->bytes);
        }
        fprintf(file, "(12 00 00 00 24 00 ..) ");
        if (record->act == ISSUE) {
            fprintf(file, "[%s]\n", name);
        } else {
            fprintf(file, "[%d]\n", record->error & 0xFFFF);
        }
    } else if (record->act == COMPLETE || record->act == REQUEUE) {
        fprintf(file, "%" PRIu64, record->sector);
        fprintf(file, sectors > 0 ? " + %" PRIu32 " [%d]\n" : "%.0" PRIu32 " [%d]\n", sectors,
                record->error & 0xFFFF);
    } else if (record->act == PLUG) {
        fprintf(file, "[%s]\n", name);
    } else if (record->act == UNPLUG || record->act == UNPLUG_TIMER) {
        fprintf(file, "[%s] %" PRIu64 "\n", name, payload_number(record, 0, 8));
    } else if (record->act == REMAP) {
        fprintf(file, "%" PRIu64 " + %" PRIu32 " <- (8,1) %" PRIu64 "\n", record->sector, sectors,
                payload_number(record, 8, 8));
    } else if (record->act == SPLIT) {
        fprintf(file, "%" PRIu64 " / %" PRIu64 " [%s]\n", record->sector,
                payload_number(record, 0, 8), name);
    } else if (sectors > 0) {
        fprintf(file, "%" PRIu64 " + %" PRIu32 " [%s]\n", record->sector, sectors, name);
    } else {
        fprintf(file, "[%s]\n", name);
    }
}

static void print_record(FILE *file, const Record *record, uint64_t start) {
    static const char *const letters[] = {"?", "Q", "M",  "F", "G", "S", "R", "D",  "C",
                                          "P", "U", "UT", "I", "X", "B", "A", NULL, NULL};
    uint64_t time = record->time - start;
    int is_message = (record->what & NOTICE) && record->act == MESSAGE;

    if (is_message ? 0 : (record->what & NOTICE) || letters[record->act] == NULL) {
        return;
    }
    fprintf(file, "%3d,%-3d %2" PRIu32 " %8" PRIu32 " %5" PRIu64 ".%09" PRIu64 " %5" PRIu32 " %2s ",
            is_message ? 0 : 8, 0, record->cpu, record->sequence, time / 1000000000,
            time % 1000000000, record->pid, is_message ? "m" : letters[record->act]);
    if (is_message) {
        fprintf(file, "%3s %s\n", "N", (const char *)record->payload);
        return;
    }
    print_rwbs(file, record);
    print_tail(file, record);
}

static void write_text(const char *folder, const char *name, const Trace *trace) {
    FILE *file = create(folder, name);
    uint64_t start = UINT64_MAX;

    for (size_t i = 0; i < trace->count; i++) {
        const Record *record = &trace->records[i];

        start = (record->what & NOTICE) == 0 && record->time < start ? record->time : start;
    }
    for (size_t i = 0; i < trace->count; i++) {
        print_record(file, &trace->records[i], start);
    }
    close_file(file);
}

/* --- variants ----------------------------------------------------------------------------------
 */

static void good(const char *ok, const char *expected) {
    const Form v7 = {7, 0};
    Trace trace = {0}, bare = {0}, renamed = {0};

    make_trace(&trace);
    make_directory("two-cpus");
    write_cpu(ok, "two-cpus/disk.blktrace.0", &trace, 0);
    write_cpu(ok, "two-cpus/disk.blktrace.1", &trace, 1);
    write_stream(ok, "stream.bin", &trace, v7, 40);
    write_stream(ok, "big.bin", &trace, (Form){7, 1}, 40);
    write_stream(ok, "version-8.bin", &trace, (Form){8, 0}, 40);
    write_stream(ok, "version-8-big.bin", &trace, (Form){8, 1}, 40);
    write_text(expected, "trace.txt", &trace);

    /* As the kernel's tracer gives it in bin mode: neither notices nor numbers; with a cgroup. */
    for (size_t i = 0; i < trace.count; i++) {
        Record *record = &trace.records[i], *copy;

        if (record->what & NOTICE) {
            continue;
        }
        bare.records = grow(bare.records, bare.count, &bare.capacity, sizeof *bare.records);
        copy = &bare.records[bare.count++];
        *copy = *record;
        copy->sequence = 0;
        copy->act |= 0x100;
        memmove(copy->payload + 8, copy->payload, sizeof copy->payload - 8);
        put(copy->payload, 0x100000A2B, 8, 0);
        copy->size += 8;
    }
    write_stream(ok, "kernel.bin", &bare, v7, 1);

    /* exec: the name holds from its time on, on all CPUs. */
    announce(&renamed, 0, 0, 200, "sh");
    step(&renamed, 0, 1000, 200, QUEUE, READ, 0, 4096);
    announce(&renamed, 1, 2500, 200, "dd");
    step(&renamed, 1, 3000, 200, QUEUE, READ, 8, 4096);
    step(&renamed, 0, 2000, 200, QUEUE, READ, 16, 4096);
    step(&renamed, 0, 4000, 200, QUEUE, READ, 24, 4096);
    announce(&renamed, 0, 5000, 200, "sh");
    step(&renamed, 0, 5000, 200, QUEUE, READ, 32, 4096);
    make_directory("renamed");
    settle(&renamed);
    write_cpu(ok, "renamed/x.blktrace.0", &renamed, 0);
    write_cpu(ok, "renamed/x.blktrace.1", &renamed, 1);
    free(trace.records);
    free(bare.records);
    free(renamed.records);
}

/* Ten records of one size, in memory, for damage to be put into. */
enum { TEN = 10, HEADER = 48 };

static void ten(uint8_t *bytes, Form form) {
    Trace trace = {0};

    for (uint64_t i = 0; i < TEN; i++) {
        step(&trace, 0, i * 1000, 101, QUEUE, WRITE, 1000 + 8 * i, 4096);
        trace.records[i].sequence = (uint32_t)i + 1;
        write_header(bytes + i * HEADER, &trace.records[i], form);
    }
    free(trace.records);
}

typedef struct {
    const char *name, *expected; /* lines of NAME.expected */
    size_t at;                   /* where bytes are changed … */
    uint64_t number;             /* … to this one, little-endian, … */
    size_t size;                 /* … of so many bytes … */
    size_t length;               /* … and what of the file is left; 0: all */
    size_t insert;               /* bytes put in there first */
} Damage;

static const Damage damages[] = {
    {"cut", "events\t9\nrejected\t1\nreason\tcut\t1\t432\n", 0, 7, 1, 9 * HEADER + 20, 0},
    {"magic", "events\t9\nrejected\t1\nreason\tdamaged\t1\t96\n", 96, 0, 4, 0, 0},
    {"other-version", "events\t9\nrejected\t1\nreason\tdamaged\t1\t96\n", 96, 8, 1, 0, 0},
    {"inserted", "events\t10\nrejected\t1\nreason\tdamaged\t1\t144\n", 144, 0, 1, 0, 13},
    {"cpu", "events\t9\nrejected\t1\nreason\tdamaged\t1\t96\n", 96 + 40, 70000, 4, 0, 0},
    {"long-payload", "events\t9\nrejected\t1\nreason\tdamaged\t1\t96\n", 96 + 46, 100, 2, 0, 0},
    {"time", "events\t9\nrejected\t1\nreason\ttime\t1\t96\n", 96 + 14, 0x7000, 2, 0, 0},
    {"sector", "events\t9\nrejected\t1\nreason\tsector\t1\t96\n", 96 + 22, 0x100, 2, 0, 0},
    {"cgroup", "events\t9\nrejected\t1\nreason\tcgroup\t1\t96\n", 96 + 29, 1, 1, 0, 0},
    {"early", "events\t10\nrejected\t0\n", 96 + 8, 1, 8, 0, 0},
    {"gap", "events\t10\nrejected\t0\nreason\tlost\t6\t96\n", 96 + 4, 9, 4, 0, 0},
    {"unknown-act", "events\t9\nrejected\t0\nreason\tact\t1\t96\n", 96 + 28, 77, 1, 0, 0},
};

static void write_damage(const char *folder, const Damage *damage) {
    uint8_t bytes[TEN * HEADER + 64];
    size_t length = TEN * HEADER;
    char name[64];
    FILE *file;

    ten(bytes, (Form){7, 0});
    if (damage->insert > 0) {
        memmove(bytes + damage->at + damage->insert, bytes + damage->at, length - damage->at);
        memset(bytes + damage->at, 0xA5, damage->insert);
        length += damage->insert;
    } else {
        put(bytes + damage->at, damage->number, damage->size, 0);
    }
    snprintf(name, sizeof name, "%s.bin", damage->name);
    file = create(folder, name);
    fwrite(bytes, 1, damage->length == 0 ? length : damage->length, file);
    close_file(file);
    snprintf(name, sizeof name, "%s.bin.expected", damage->name);
    file = create(folder, name);
    fputs(damage->expected, file);
    close_file(file);
}

/* `damaged` bytes behind the first two records are damaged. */
static void write_failing(const char *folder, const char *name, int version, size_t damaged,
                          size_t length) {
    uint8_t bytes[TEN * HEADER + 64];
    FILE *file = create(folder, name);

    ten(bytes, (Form){version, 0});
    memset(bytes + (size_t)2 * HEADER, 0xA5, damaged);
    fwrite(bytes, 1, length, file);
    close_file(file);
}

static void failing(const char *folder) {
    Trace trace = {0};

    begin(&trace);
    write_stream(folder, "notices.bin", &trace, (Form){7, 0}, 1);
    free(trace.records);
    write_failing(folder, "mostly-damaged.bin", 7, (size_t)6 * HEADER, TEN * HEADER);
    write_failing(folder, "version-6.bin", 6, 0, TEN * HEADER);
    write_failing(folder, "version-9.bin", 9, 0, TEN * HEADER);
    write_failing(folder, "short.bin", 7, 0, 20);
}

int main(int count, char **arguments) {
    static const char *const folders[] = {"ok", "damaged", "fail", "expected"};

    require(count == 2, "usage: generate FOLDER");
    make_directory(arguments[1]);
    require(chdir(arguments[1]) == 0, "%s", arguments[1]);
    for (size_t i = 0; i < COUNT(folders); i++) {
        make_directory(folders[i]);
    }
    require(chdir("ok") == 0, "ok");
    good(".", "../expected");
    require(chdir("..") == 0, "..");
    for (size_t i = 0; i < COUNT(damages); i++) {
        write_damage("damaged", &damages[i]);
    }
    failing("fail");
    return 0;
}
