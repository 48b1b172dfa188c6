/* Block I/O: MOST's binary records, MOST's text lines, MSR Cambridge's CSV, and blkparse lines. All
 * but the last cover two days, so that a log with ten times the events is busier, not longer.
 */
#include "generate.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define SECOND INT64_C(1000000000)
#define SPAN   (172800 * SECOND)
#define BEGIN  INT64_C(1398506400) /* 2014-04-26 10:00 UTC */

enum {
    FILES = 4000,
    SECTORS = 30000000,
    OUTSTANDING = 32,
};

/* File type codes of the binary form, with realistic frequencies; for the text form, file
 * extensions of the type. */
static const struct {
    int code;
    const char *ending;
} types[] = {
    {2, ".db-journal"}, {2, ".db-journal"}, {1, ".db"},     {1, ".db"},  {9, ""},
    {0, NULL},          {5, ".jpg"},        {7, ".xml"},    {6, ".apk"}, {3, ".db-wal"},
    {8, ".tmp"},        {2, ".db-journal"}, {4, ".db-shm"}, {5, ".mp4"}, {0, NULL},
    {6, ".so"},
};

enum { TYPES = sizeof types / sizeof types[0] };

/* --- requests --------------------------------------------------------------------------------- */

/* Returns an index; small ones are more frequent. */
static uint32_t choose(struct dice *dice, uint32_t count) {
    uint32_t a = dice_below(dice, count), b = dice_below(dice, count);

    return dice_below(dice, 4) == 0 ? a : a * b / count;
}

struct request next_request(struct disk *disk) {
    struct dice *dice = &disk->dice;
    uint32_t stream = dice_below(dice, STREAMS);
    struct request request = {
        .write = dice_below(dice, 16) != 0,
        .sync = dice_below(dice, 4) != 0,
        .blocks = 8u << choose(dice, 8),
        .process = choose(dice, ISSUERS),
        .type = dice_below(dice, TYPES),
        .file = choose(dice, FILES),
    };

    request.pid = FIRST_PID + request.process * ISSUER_PIDS + dice_below(dice, ISSUER_PIDS);
    /* A third continues at the stream's end. Sectors are multiples of 8. */
    request.sector =
        dice_below(dice, 3) == 0 ? disk->ends[stream] : dice_below(dice, SECTORS / 8) * 8;
    disk->ends[stream] = request.sector + request.blocks;
    return request;
}

void process_name(char name[PROCESS_NAME + 1], uint32_t process) {
    static const char *const kinds[] = {"com.app", "Binder_", "kworker/", "flush-179:"};

    snprintf(name, PROCESS_NAME + 1, "%s%u", kinds[process % 4], process);
}

/* --- the binary form ---------------------------------------------------------------------------
 */

/* time, usec, ext, rwbs, sector, block_num, pid, pname: 46 bytes, little-endian. */
static void put_record(const struct request *request, int64_t time) {
    uint8_t record[46], *at = record;
    char name[PROCESS_NAME + 1] = "";

    process_name(name, request->process);
    at = put_little(at, (uint64_t)(BEGIN + time / SECOND), 8);
    at = put_little(at, (uint64_t)(time % SECOND / 1000), 8);
    at = put_little(at, (uint64_t)types[request->type].code, 1);
    at = put_little(at, (uint64_t)(request->write | request->sync << 1), 1);
    at = put_little(at, request->sector, 4);
    at = put_little(at, request->blocks, 4);
    at = put_little(at, request->pid, 4);
    memset(at, 0, PROCESS_NAME);
    memcpy(at, name, strlen(name));
    put_bytes(record, sizeof record);
}

void generate_most_binary(uint64_t count) {
    struct disk disk = {.dice = {1}};
    int64_t time = 0;

    for (uint64_t i = 0; i < count; i++) {
        struct request request = next_request(&disk);

        put_record(&request, time);
        time += (int64_t)dice_long(&disk.dice, (uint64_t)SPAN / count);
    }
}

/* --- outstanding requests --------------------------------------------------------------------- */

struct completion {
    struct request request;
    int64_t time;
};

struct outstanding {
    struct completion waiting[OUTSTANDING]; /* the next one to complete is last */
    unsigned count;
};

/* Writes the completions until `time`. */
static void complete(struct disk_log *log, struct outstanding *outstanding, int64_t time) {
    while (outstanding->count > 0 && outstanding->waiting[outstanding->count - 1].time <= time) {
        const struct completion *next = &outstanding->waiting[--outstanding->count];

        log->put(log, &next->request, next->time, 'C');
    }
}

static void wait_for(struct outstanding *outstanding, const struct request *request, int64_t time) {
    unsigned at = outstanding->count++;

    while (at > 0 && outstanding->waiting[at - 1].time < time) {
        outstanding->waiting[at] = outstanding->waiting[at - 1];
        at--;
    }
    outstanding->waiting[at] = (struct completion){*request, time};
}

static bool overlaps(const struct outstanding *outstanding, const struct request *request) {
    for (unsigned i = 0; i < outstanding->count; i++) {
        const struct request *other = &outstanding->waiting[i].request;

        if (request->sector < other->sector + other->blocks &&
            other->sector < request->sector + request->blocks) {
            return true;
        }
    }
    return false;
}

void play_disk(struct disk_log *log) {
    static const char stages[] = "QGID";
    struct outstanding outstanding = {.count = 0};
    struct dice *dice = &log->disk.dice;
    uint64_t step = (uint64_t)SPAN * 5 / log->left; /* five events per request */
    int64_t time = 0;

    while (log->left > 0) {
        struct request request = next_request(&log->disk);

        while (log->apart && overlaps(&outstanding, &request)) {
            request = next_request(&log->disk);
        }
        for (int i = 0; i < 4; i++) {
            complete(log, &outstanding, time);
            log->put(log, &request, time, stages[i]);
            time += 1 + dice_below(dice, 100000);
        }
        if (outstanding.count == OUTSTANDING) {
            time = outstanding.waiting[OUTSTANDING - 1].time;
            complete(log, &outstanding, time);
        }
        wait_for(&outstanding, &request, time + 100000 + (int64_t)dice_long(dice, 2000000));
        time += (int64_t)dice_long(dice, step);
    }
}

/* --- the text form -----------------------------------------------------------------------------
 */

static void put_file(const struct request *request) {
    const char *ending = types[request->type].ending;

    if (ending == NULL) {
        put_text("\tfile-NONE");
    } else {
        put_text("\t/data/data/com.app%u/files/item_%u%s", request->file % 97, request->file,
                 ending);
    }
}

/* The process determines metadata, journal or data. */
static void put_line(struct disk_log *log, const struct request *request, int64_t time,
                     char action) {
    static const char types_of_blocks[] = "DDDDJDDM";
    char name[PROCESS_NAME + 1], block_type = types_of_blocks[request->process % 8];

    if (log->left == 0) {
        return;
    }
    log->left--;
    process_name(name, request->process);
    put_text("%5lld.%09lld\t%c\t%c%s\t%8u\t%4u\t%4u\t%20s\t%c", (long long)(time / SECOND),
             (long long)(time % SECOND), action, request->write ? 'W' : 'R',
             request->sync ? "S" : "", request->sector, request->blocks, request->pid, name,
             block_type);
    if (block_type == 'D') {
        put_file(request);
    }
    put_bytes("\n", 1);
}

void generate_most(uint64_t count) {
    struct disk_log log = {.disk.dice = {2}, .left = count, .put = put_line};

    play_disk(&log);
}

/* --- CSV ---------------------------------------------------------------------------------------
 */

/* A line represents two events: issue and completion. */
void generate_msr(uint64_t count) {
    struct disk disk = {.dice = {3}};
    uint64_t lines = (count + 1) / 2, step = (uint64_t)SPAN / lines;
    int64_t filetime = (BEGIN + INT64_C(11644473600)) * 10000000;

    while (lines-- > 0) {
        struct request request = next_request(&disk);

        put_text("%lld,web,0,%s,%llu,%u,%llu\n", (long long)filetime,
                 request.write ? "Write" : "Read", 512ull * request.sector, 512 * request.blocks,
                 (unsigned long long)(1 + dice_long(&disk.dice, 2000000) / 100));
        filetime += (int64_t)dice_long(&disk.dice, step) / 100;
    }
}

/* --- blkparse ----------------------------------------------------------------------------------
 */

/* Writes four lines per request, which is queued and issued. None completes: they accumulate. */
static void put_blkparse(uint64_t count, bool hot) {
    static const char stages[] = "QGID";
    struct disk disk = {.dice = {4}};
    struct request request = {0};
    int64_t time = 0;

    for (uint64_t i = 0; i < count; i++) {
        if (i % 4 == 0) {
            request = next_request(&disk);
            request.sector = hot ? request.sector % 4 * 64 : request.sector;
        }
        time += 1 + dice_below(&disk.dice, 100000);
        put_text("  8,0    0 %8llu %5lld.%09lld %5u  %c %3s %u + %u [p%u]\n",
                 (unsigned long long)i + 1, (long long)(time / SECOND), (long long)(time % SECOND),
                 request.pid, stages[i % 4], request.write ? "W" : "R", request.sector,
                 request.blocks, request.process);
    }
}

void generate_blkparse_hot(uint64_t count) {
    put_blkparse(count, true);
}

void generate_blkparse_different(uint64_t count) {
    put_blkparse(count, false);
}
