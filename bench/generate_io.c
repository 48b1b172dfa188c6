/* Block I/O: MOST's binary records, MOST's text lines, CSV as MSR Cambridge has it, and lines of
 * blkparse. But for the last, they fill two days whatever their number, so that a log of ten times
 * the events is a busier one, not a longer one.
 */
#include "generate.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define SECOND INT64_C(1000000000)
#define SPAN   (172800 * SECOND)
#define BEGIN  INT64_C(1398506400) /* 2014-04-26 10:00 UTC */

enum {
    PROCESSES = 40,
    PIDS = 5, /* of each process */
    FILES = 4000,
    STREAMS = 16,
    SECTORS = 30000000,
    NAME_SIZE = 16,
    OUTSTANDING = 32,
};

/* File type codes of the binary form, as often as they occur; of the text form, what a file name of
 * that type ends in. */
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

struct request {
    bool write, sync;
    uint32_t sector, blocks, process, pid, type, file;
};

/* --- what is asked of the disk -----------------------------------------------------------------
 */

struct player {
    struct dice dice;
    uint32_t ends[STREAMS]; /* where the streams' last requests ended */
};

/* Few of them ask often. */
static uint32_t choose(struct dice *dice, uint32_t count) {
    uint32_t a = dice_below(dice, count), b = dice_below(dice, count);

    return dice_below(dice, 4) == 0 ? a : a * b / count;
}

static struct request next_request(struct player *player) {
    struct dice *dice = &player->dice;
    uint32_t stream = dice_below(dice, STREAMS);
    struct request request = {
        .write = dice_below(dice, 16) != 0,
        .sync = dice_below(dice, 4) != 0,
        .blocks = 8u << choose(dice, 8),
        .process = choose(dice, PROCESSES),
        .type = dice_below(dice, TYPES),
        .file = choose(dice, FILES),
    };

    request.pid = 1000 + request.process * PIDS + dice_below(dice, PIDS);
    /* A third goes on where the stream ended. Sectors are multiples of 8. */
    request.sector =
        dice_below(dice, 3) == 0 ? player->ends[stream] : dice_below(dice, SECTORS / 8) * 8;
    player->ends[stream] = request.sector + request.blocks;
    return request;
}

static void process_name(char name[NAME_SIZE + 1], uint32_t process) {
    static const char *const kinds[] = {"com.app", "Binder_", "kworker/", "flush-179:"};

    snprintf(name, NAME_SIZE + 1, "%s%u", kinds[process % 4], process);
}

/* --- the binary form ---------------------------------------------------------------------------
 */

/* time, usec, ext, rwbs, sector, block_num, pid, pname: 46 bytes, little-endian. */
static void put_record(const struct request *request, int64_t time) {
    uint8_t record[46], *at = record;
    char name[NAME_SIZE + 1] = "";

    process_name(name, request->process);
    at = put_little(at, (uint64_t)(BEGIN + time / SECOND), 8);
    at = put_little(at, (uint64_t)(time % SECOND / 1000), 8);
    at = put_little(at, (uint64_t)types[request->type].code, 1);
    at = put_little(at, (uint64_t)(request->write | request->sync << 1), 1);
    at = put_little(at, request->sector, 4);
    at = put_little(at, request->blocks, 4);
    at = put_little(at, request->pid, 4);
    memset(at, 0, NAME_SIZE);
    memcpy(at, name, strlen(name));
    put_bytes(record, sizeof record);
}

void generate_most_binary(uint64_t count) {
    struct player player = {.dice = {1}};
    int64_t time = 0;

    for (uint64_t i = 0; i < count; i++) {
        struct request request = next_request(&player);

        put_record(&request, time);
        time += (int64_t)dice_long(&player.dice, (uint64_t)SPAN / count);
    }
}

/* --- the text form -----------------------------------------------------------------------------
 */

struct completion {
    struct request request;
    int64_t time;
};

struct text {
    struct player player;
    struct completion waiting[OUTSTANDING]; /* the next to complete comes last */
    unsigned waiting_count;
    uint64_t left; /* lines */
};

static void put_file(const struct request *request) {
    const char *ending = types[request->type].ending;

    if (ending == NULL) {
        put_text("\tfile-NONE");
    } else {
        put_text("\t/data/data/com.app%u/files/item_%u%s", request->file % 97, request->file,
                 ending);
    }
}

/* What is metadata, journal or data goes by the process. */
static void put_line(struct text *text, const struct request *request, int64_t time, char action) {
    static const char types_of_blocks[] = "DDDDJDDM";
    char name[NAME_SIZE + 1], block_type = types_of_blocks[request->process % 8];

    if (text->left == 0) {
        return;
    }
    text->left--;
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

/* Writes the completions until `time`. */
static void complete(struct text *text, int64_t time) {
    while (text->waiting_count > 0 && text->waiting[text->waiting_count - 1].time <= time) {
        const struct completion *next = &text->waiting[--text->waiting_count];

        put_line(text, &next->request, next->time, 'C');
    }
}

static void wait_for(struct text *text, const struct request *request, int64_t time) {
    unsigned at = text->waiting_count++;

    while (at > 0 && text->waiting[at - 1].time < time) {
        text->waiting[at] = text->waiting[at - 1];
        at--;
    }
    text->waiting[at] = (struct completion){*request, time};
}

void generate_most(uint64_t count) {
    static const char stages[] = "QGID";
    struct text text = {.player = {.dice = {2}}, .left = count};
    struct dice *dice = &text.player.dice;
    uint64_t step = (uint64_t)SPAN * 5 / count; /* five lines a request */
    int64_t time = 0;

    while (text.left > 0) {
        struct request request = next_request(&text.player);

        for (int i = 0; i < 4; i++) {
            complete(&text, time);
            put_line(&text, &request, time, stages[i]);
            time += 1 + dice_below(dice, 100000);
        }
        if (text.waiting_count == OUTSTANDING) {
            time = text.waiting[OUTSTANDING - 1].time;
            complete(&text, time);
        }
        wait_for(&text, &request, time + 100000 + (int64_t)dice_long(dice, 2000000));
        time += (int64_t)dice_long(dice, step);
    }
}

/* --- CSV ---------------------------------------------------------------------------------------
 */

/* A line is two events: issue and completion. */
void generate_msr(uint64_t count) {
    struct player player = {.dice = {3}};
    uint64_t lines = (count + 1) / 2, step = (uint64_t)SPAN / lines;
    int64_t filetime = (BEGIN + INT64_C(11644473600)) * 10000000;

    while (lines-- > 0) {
        struct request request = next_request(&player);

        put_text("%lld,web,0,%s,%llu,%u,%llu\n", (long long)filetime,
                 request.write ? "Write" : "Read", 512ull * request.sector, 512 * request.blocks,
                 (unsigned long long)(1 + dice_long(&player.dice, 2000000) / 100));
        filetime += (int64_t)dice_long(&player.dice, step) / 100;
    }
}

/* --- blkparse ----------------------------------------------------------------------------------
 */

/* Four lines of each request, which is queued and issued. None completes: they pile up. */
static void put_blkparse(uint64_t count, bool hot) {
    static const char stages[] = "QGID";
    struct player player = {.dice = {4}};
    struct request request = {0};
    int64_t time = 0;

    for (uint64_t i = 0; i < count; i++) {
        if (i % 4 == 0) {
            request = next_request(&player);
            request.sector = hot ? request.sector % 4 * 64 : request.sector;
        }
        time += 1 + dice_below(&player.dice, 100000);
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
