/* Binary records of blktrace, version 7, of two CPUs, each in a file. Requests of a partition, some
 * of them merged from two. Both files announce each process at the start.
 */
#include "generate.h"

#include <string.h>

/* Acts and categories of the kernel's blktrace_api.h. */
enum { QUEUE = 1, BACK_MERGE, GET = 4, ISSUE = 7, COMPLETE = 8, INSERT = 12, REMAP = 15 };
enum { OF_READ = 1, OF_WRITE = 2, OF_SYNC = 8, OF_QUEUE = 16, OF_ISSUE = 64, OF_COMPLETE = 128 };
enum { OF_FILES = 256, OF_NOTICE = 1024 };
enum { NAMED, CLOCK }; /* notices */

#define MAGIC     0x65617407
#define DISK      (8u << 20)
#define PARTITION (DISK + 1)
#define OFFSET    2048 /* sectors before the partition */
#define CLOCK_NOW 1398506400

static struct {
    uint32_t cpu; /* CPU whose file is written */
    uint32_t sequences[2];
} files;

/* Writes a record of this CPU; for others only counts its number. */
static void put_record(uint32_t cpu, uint32_t action, uint64_t sector, uint32_t bytes, int64_t time,
                       uint32_t pid, const uint8_t *payload, unsigned length) {
    bool notice = (action >> 16 & OF_NOTICE) != 0;
    uint32_t sequence = notice ? 0 : ++files.sequences[cpu];
    uint8_t record[48], *at = record;

    if (cpu != files.cpu) {
        return;
    }
    at = put_little(at, MAGIC, 4);
    at = put_little(at, sequence, 4);
    at = put_little(at, (uint64_t)time + 1000, 8);
    at = put_little(at, sector, 8);
    at = put_little(at, bytes, 4);
    at = put_little(at, action, 4);
    at = put_little(at, pid, 4);
    at = put_little(at, notice ? 0 : DISK, 4);
    at = put_little(at, cpu, 4);
    at = put_little(at, 0, 2);
    put_little(at, length, 2);
    put_bytes(record, sizeof record);
    if (length > 0) {
        put_bytes(payload, length);
    }
}

static void announce_all(void) {
    uint8_t clock[8], name[PROCESS_NAME + 1];

    put_little(put_little(clock, CLOCK_NOW, 4), 0, 4);
    for (uint32_t cpu = 0; cpu < 2; cpu++) {
        put_record(cpu, OF_NOTICE << 16 | CLOCK, 0, 0, 0, 0, clock, sizeof clock);
        for (uint32_t i = 0; i < ISSUERS * ISSUER_PIDS; i++) {
            memset(name, 0, sizeof name);
            process_name((char *)name, i / ISSUER_PIDS);
            put_record(cpu, OF_NOTICE << 16 | NAMED, 0, 0, 0, FIRST_PID + i, name, PROCESS_NAME);
        }
        memcpy(name, "swapper\0\0\0\0\0\0\0\0", PROCESS_NAME);
        put_record(cpu, OF_NOTICE << 16 | NAMED, 0, 0, 0, 0, name, PROCESS_NAME);
    }
}

static void put_act(struct disk_log *log, const struct request *request, int64_t time, uint32_t act,
                    const char *letter) {
    uint32_t what = request->write ? OF_WRITE : OF_READ;
    /* The completion runs on the interrupted CPU, which may be another one. */
    uint32_t cpu = (act == COMPLETE ? request->sector / 8 : request->pid) % 2;
    uint8_t remap[16] = {0, 0x80, 0, 1, 0, 0x80};

    if (log->left == 0) {
        return;
    }
    log->left--;
    count_name(letter);
    what |= request->sync ? OF_SYNC : 0;
    what |= act == ISSUE ? OF_ISSUE : act == COMPLETE ? OF_COMPLETE : OF_QUEUE;
    what |= act == INSERT || act == ISSUE || act == COMPLETE ? OF_FILES : 0;
    if (act == REMAP) { /* big-endian: from, to, sector in the partition */
        for (int i = 0; i < 4; i++) {
            remap[12 + i] = (uint8_t)(request->sector >> (24 - 8 * i));
        }
    }
    put_record(cpu, what << 16 | act, (uint64_t)request->sector + OFFSET, request->blocks * 512,
               time, act == COMPLETE ? 0 : request->pid, remap, act == REMAP ? sizeof remap : 0);
}

/* The second half of some requests arrives separately, and is merged. */
static void put_action(struct disk_log *log, const struct request *request, int64_t time,
                       char action) {
    bool merged = request->blocks > 8 && request->file % 8 == 0;
    struct request half = *request;

    half.blocks = merged ? request->blocks / 2 : request->blocks;
    switch (action) {
    case 'Q':
        put_act(log, &half, time, REMAP, "A");
        put_act(log, &half, time, QUEUE, "Q");
        break;
    case 'G':
        put_act(log, &half, time, GET, "G");
        break;
    case 'I':
        if (merged) {
            half.sector += half.blocks;
            put_act(log, &half, time, REMAP, "A");
            put_act(log, &half, time, QUEUE, "Q");
            put_act(log, &half, time, BACK_MERGE, "M");
        }
        put_act(log, request, time, INSERT, "I");
        break;
    case 'D':
        put_act(log, request, time, ISSUE, "D");
        break;
    default:
        put_act(log, request, time, COMPLETE, "C");
        break;
    }
}

static void generate_cpu(uint64_t count, uint32_t cpu) {
    struct disk_log log = {.disk.dice = {5}, .left = count, .apart = true, .put = put_action};

    files.cpu = cpu;
    announce_all();
    play_disk(&log);
}

void generate_blktrace_0(uint64_t count) {
    generate_cpu(count, 0);
}

void generate_blktrace_1(uint64_t count) {
    generate_cpu(count, 1);
}
