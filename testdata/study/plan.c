#include "plan.h"

#include "fit.h"
#include "util.h"

#include <string.h>

#define FACEBOOK     "facebook.katana"
#define RINGTONE     "ringtone"
#define MINI_T_WORLD "Mini T world"

/* Sizes of a Nexus 5 of 16 GB; where they begin is made up. */
const Area areas[AREAS] = {
    {PART_UNMAPPED, 180224, 6144},  {PART_ETC, 204800, 45056},      {PART_ETC, 262144, 45056},
    {PART_SYSTEM, 393216, 2097152}, {PART_CACHE, 2752512, 1433600}, {PART_DATA, 4194304, 26808276},
};

const char *const partition_names[PARTITIONS] = {"/system", "/cache", "/data", "/etc", "unmapped"};

/* What has no file counts as other, too, as in MOST's text form. */
const char *const type_names[TYPES] = {"other",       "sqlite-db",  "sqlite-journal", "sqlite-wal",
                                       "sqlite-temp", "multimedia", "executable",     "resource",
                                       "temp",        "other",      "anonymous",      "tracer"};

const char *const block_names[BLOCK_TYPES] = {"metadata", "journal", "data", "anonymous", "none"};

/* read, write, readsync, writesync */
const Habit habits[HABITS] = {
    [SQL_PAGES] = {DATA, PAGES, {15, 35, 10, 940}},
    [SQL_LOGS] = {DATA, LOGS, {15, 35, 10, 940}},
    [SQL_TEMPORARY] = {DATA, LOGS, {0, 35, 0, 965}},
    [COMMITTED] = {JOURNAL, COMMITS, {0, 0, 0, 1000}},
    [KEPT_BOOKS] = {METADATA, PAGES, {80, 580, 20, 320}},
    [READ_BOOKS] = {METADATA, PAGES, {500, 200, 150, 150}},
    [STREAMED] = {DATA, STREAMS, {80, 580, 20, 320}},
    [SCATTERED] = {DATA, MIXED, {80, 580, 20, 320}},
    [LOADED] = {DATA, STREAMS, {500, 200, 150, 150}},
    [LOOKED_UP] = {DATA, MIXED, {500, 200, 150, 150}},
    [SWAPPED] = {ANONYMOUS, MIXED, {80, 580, 20, 320}},
    [RAW] = {NO_BLOCK_TYPE, PAGES, {15, 35, 10, 940}},
};

const Row rows[] = {
    {"kakao.talk", PART_DATA, TYPE_DB, SQL_PAGES, "KakaoTalk", ".db", 2, {70, 30}},
    {"kakao.talk", PART_DATA, TYPE_ROLLBACK, SQL_LOGS, "KakaoTalk", ".db-journal", 2, {80, 40}},
    {FACEBOOK, PART_DATA, TYPE_DB, SQL_PAGES, "fb", ".db", 6, {40, 30}},
    {FACEBOOK, PART_DATA, TYPE_ROLLBACK, SQL_LOGS, "fb", ".db-journal", 6, {40, 30}},
    {"android.gms", PART_DATA, TYPE_DB, SQL_PAGES, "gservices", ".db", 3, {20, 20}},
    {"android.gms", PART_DATA, TYPE_ROLLBACK, SQL_LOGS, "gservices", ".db-journal", 3, {30, 20}},
    {"android.gms", PART_DATA, TYPE_WAL, SQL_TEMPORARY, "playlog", ".db-wal", 2, {20, 10}},
    {"system_server", PART_DATA, TYPE_DB, SQL_PAGES, "settings", ".db", 2, {10, 10}},
    {"system_server", PART_DATA, TYPE_ROLLBACK, SQL_LOGS, "settings", ".db-journal", 2, {20, 10}},
    {"system_server", PART_DATA, TYPE_DB_TEMP, SQL_TEMPORARY, "locks", ".db-shm", 2, {5, 5}},
    {"mediaserver", PART_DATA, TYPE_MULTIMEDIA, STREAMED, "IMG 2014 ", ".jpg", 200, {30, 30}},
    {"dexopt", PART_DATA, TYPE_EXECUTABLE, STREAMED, "classes", ".dex", 40, {15, 15}},
    {"system_server", PART_DATA, TYPE_RESOURCE, SCATTERED, "preferences", ".xml", 60, {30, 20}},
    {"installd", PART_DATA, TYPE_TEMP, SCATTERED, "vmdl", ".tmp", 30, {10, 10}},
    {"system_server", PART_DATA, TYPE_OTHER, SCATTERED, "stats", ".bin", 20, {20, 15}},
    {RINGTONE, PART_DATA, TYPE_DB, SQL_PAGES, "ringtone", ".db", 2, {30, 0}},
    {RINGTONE, PART_DATA, TYPE_ROLLBACK, SQL_LOGS, "ringtone", ".db-journal", 2, {40, 0}},
    {RINGTONE, PART_DATA, TYPE_MULTIMEDIA, STREAMED, "ringtone", ".mp3", 20, {5, 0}},
    {RINGTONE, PART_DATA, TYPE_OTHER, SCATTERED, "ringtone", ".bin", 20, {30, 0}},
    {MINI_T_WORLD, PART_DATA, TYPE_EXECUTABLE, LOADED, "tworld", ".dex", 2, {10, 0}},
    {"dexopt", PART_DATA, TYPE_EXECUTABLE, LOADED, "dalvik-cache", ".dex", 40, {10, 15}},
    {"kswapd0", PART_DATA, TYPE_ANONYMOUS, SWAPPED, NULL, NULL, 1, {5, 5}},
    {"iotraced", PART_DATA, TYPE_TRACER, STREAMED, "1404261900", ".uio", 60, {20, 20}},
    {"jbd2/mmcblk0p28", PART_DATA, TYPE_NONE, COMMITTED, NULL, NULL, 1, {60, 40}},
    {"kworker/u:3", PART_DATA, TYPE_NONE, KEPT_BOOKS, NULL, NULL, 50, {45, 30}},

    {FACEBOOK, PART_CACHE, TYPE_DB, SQL_PAGES, "fbcache", ".db", 4, {50, 20}},
    {FACEBOOK, PART_CACHE, TYPE_ROLLBACK, SQL_LOGS, "fbcache", ".db-journal", 4, {50, 20}},
    {FACEBOOK, PART_CACHE, TYPE_MULTIMEDIA, STREAMED, "photo", ".jpg", 300, {20, 10}},
    {FACEBOOK, PART_CACHE, TYPE_OTHER, SCATTERED, "feed-", ".bin", 60, {10, 5}},
    {"chrome", PART_CACHE, TYPE_DB, SQL_PAGES, "webview", ".db", 4, {60, 100}},
    {"chrome", PART_CACHE, TYPE_ROLLBACK, SQL_LOGS, "webview", ".db-journal", 4, {70, 130}},
    {"chrome", PART_CACHE, TYPE_WAL, SQL_TEMPORARY, "cookies", ".db-wal", 1, {10, 10}},
    {"chrome", PART_CACHE, TYPE_DB_TEMP, SQL_TEMPORARY, "cookies", ".db-shm", 1, {5, 5}},
    {"chrome", PART_CACHE, TYPE_MULTIMEDIA, STREAMED, "f_00", ".jpg", 300, {30, 60}},
    {"chrome", PART_CACHE, TYPE_RESOURCE, SCATTERED, "data_", ".cache", 40, {25, 20}},
    {"chrome", PART_CACHE, TYPE_TEMP, SCATTERED, "download", ".tmp", 20, {15, 20}},
    {"chrome", PART_CACHE, TYPE_OTHER, SCATTERED, "index-", ".html", 90, {20, 20}},
    {"android.vending", PART_CACHE, TYPE_EXECUTABLE, STREAMED, "update", ".apk", 8, {5, 5}},
    {"jbd2/mmcblk0p27", PART_CACHE, TYPE_NONE, COMMITTED, NULL, NULL, 1, {25, 25}},
    {"kworker/u:3", PART_CACHE, TYPE_NONE, KEPT_BOOKS, NULL, NULL, 30, {15, 15}},

    {"zygote", PART_SYSTEM, TYPE_EXECUTABLE, LOADED, "lib", ".so", 80, {20, 30}},
    {"zygote", PART_SYSTEM, TYPE_RESOURCE, LOOKED_UP, "framework", ".dat", 12, {10, 10}},
    {"mediaserver", PART_SYSTEM, TYPE_MULTIMEDIA, LOADED, "ringtone", ".mp3", 30, {20, 20}},
    {"zygote", PART_SYSTEM, TYPE_OTHER, LOOKED_UP, "Roboto", ".ttf", 10, {25, 10}},
    {FACEBOOK, PART_SYSTEM, TYPE_EXECUTABLE, LOADED, "katana", ".odex", 4, {5, 5}},
    {FACEBOOK, PART_SYSTEM, TYPE_OTHER, SCATTERED, "katana", ".log", 4, {20, 5}},
    {MINI_T_WORLD, PART_SYSTEM, TYPE_EXECUTABLE, LOADED, "MiniTworld", ".odex", 4, {20, 0}},
    {MINI_T_WORLD, PART_SYSTEM, TYPE_RESOURCE, LOOKED_UP, "tworld", ".dat", 4, {5, 0}},
    {"installd", PART_SYSTEM, TYPE_DB, SQL_PAGES, "packages", ".db", 1, {0, 10}},
    {"installd", PART_SYSTEM, TYPE_ROLLBACK, SQL_LOGS, "packages", ".db-journal", 1, {0, 20}},
    {"kworker/u:3", PART_SYSTEM, TYPE_NONE, READ_BOOKS, NULL, NULL, 20, {5, 10}},

    {"vold", PART_ETC, TYPE_DB, SQL_PAGES, "volumes", ".db", 2, {10, 10}},
    {"vold", PART_ETC, TYPE_ROLLBACK, SQL_LOGS, "volumes", ".db-journal", 2, {20, 10}},
    {"init", PART_ETC, TYPE_RESOURCE, SCATTERED, "fstab", ".xml", 4, {5, 10}},
    {"init", PART_ETC, TYPE_TEMP, SCATTERED, "last_kmsg", ".tmp", 4, {5, 10}},
    {"init", PART_ETC, TYPE_OTHER, SCATTERED, "recovery", ".log", 4, {5, 5}},
    {"kswapd0", PART_ETC, TYPE_ANONYMOUS, SWAPPED, NULL, NULL, 2, {5, 5}},
    {"kworker/u:3", PART_ETC, TYPE_NONE, KEPT_BOOKS, NULL, NULL, 4, {0, 20}},

    {"rmt_storage", PART_UNMAPPED, TYPE_OTHER, SQL_PAGES, "modemst", ".img", 2, {10, 10}},
    {"rmt_storage", PART_UNMAPPED, TYPE_NONE, RAW, NULL, NULL, 1, {10, 10}},
};
const unsigned row_count = COUNT(rows);

/* In 1000 I/Os. The two busiest hours make up 280; where a user does nothing that matters, an hour
 * has 1.
 */
static const uint16_t hour_weights[USERS][HOURS] = {
    {60, 30, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 40, 45, 50, 50, 55, 60, 60, 65, 75, 150, 120, 130},
    {55, 30, 1, 1, 1, 1, 1, 1, 1, 20, 35, 40, 50, 48, 45, 45, 45, 45, 50, 55, 60, 155, 90, 125},
};

#define READS        (BIT(READ) | BIT(READSYNC))
#define WRITES       (BIT(WRITE) | BIT(WRITESYNC))
#define SQLITE_FILES (BIT(TYPE_DB) | BIT(TYPE_ROLLBACK))
#define MISC                                                                                       \
    (BIT(TYPE_NONE) | BIT(TYPE_TEMP) | BIT(TYPE_OTHER) | BIT(TYPE_ANONYMOUS) | BIT(TYPE_TRACER))

/* Some of the I/Os; what is 0 or NULL is any. */
typedef struct {
    unsigned classes, partitions, types; /* sets of bits */
    const char *process;
} Slice;

/* A share that comes out, up to single I/Os. What is the paper's, and what is ours: README.md. */
typedef struct {
    int of; /* the number of the claim whose I/Os this is a share of */
    Slice slice;
    uint16_t part[USERS], whole[USERS]; /* whole 0: this user has no such share */
    int loose;                          /* single I/Os may be missing */
} Claim;

enum { ALL, ALL_READS, ALL_WRITES, IN_DATA, IN_CACHE, IN_SYSTEM, OTHER_CLAIMS };
#define PERCENT                                                                                    \
    { 100, 100 }
#define FIRST                                                                                      \
    { 100, 0 }
#define SECOND                                                                                     \
    { 0, 100 }

static const Claim claims[] = {
    [ALL] = {ALL, {0}, {1, 1}, {1, 1}},
    [ALL_READS] = {ALL, {.classes = READS}, {1, 1}, {17, 11}},
    [ALL_WRITES] = {ALL, {.classes = WRITES}, {16, 10}, {17, 11}},
    [IN_DATA] = {ALL, {.partitions = BIT(PART_DATA)}, {57, 474}, {100, 2200}},
    [IN_CACHE] = {ALL, {.partitions = BIT(PART_CACHE)}, {28, 41}, PERCENT},
    [IN_SYSTEM] = {ALL, {.partitions = BIT(PART_SYSTEM)}, {10, 20}, PERCENT},
    {ALL, {.partitions = BIT(PART_UNMAPPED)}, {2, 2}, PERCENT},
    {ALL, {.classes = BIT(WRITESYNC)}, {69, 69}, PERCENT},
    {ALL_READS, {.classes = BIT(READSYNC)}, {30, 30}, PERCENT},

    {ALL_READS, {.classes = READS, .types = BIT(TYPE_EXECUTABLE)}, {64, 64}, PERCENT},
    {ALL_READS,
     {.classes = READS, .types = BIT(TYPE_EXECUTABLE), .partitions = BIT(PART_SYSTEM)},
     {40, 40},
     PERCENT,
     1},
    {ALL_READS, {.classes = READS, .types = MISC}, {21, 21}, PERCENT},
    {ALL_READS, {.classes = READS, .types = BIT(TYPE_DB)}, {9, 9}, PERCENT},
    {ALL_READS, {.classes = READS, .types = BIT(TYPE_ROLLBACK)}, {2, 2}, PERCENT},
    {ALL_WRITES, {.classes = WRITES, .types = MISC}, {34, 34}, PERCENT},
    {ALL_WRITES, {.classes = WRITES, .types = BIT(TYPE_DB)}, {22, 22}, PERCENT},
    {ALL_WRITES, {.classes = WRITES, .types = BIT(TYPE_ROLLBACK)}, {28, 28}, PERCENT},
    {IN_CACHE, {.partitions = BIT(PART_CACHE), .types = SQLITE_FILES}, {74, 0}, FIRST},
    {IN_DATA, {.partitions = BIT(PART_DATA), .types = SQLITE_FILES}, {0, 65}, SECOND},

    {IN_CACHE, {.partitions = BIT(PART_CACHE), .process = FACEBOOK}, {36, 10}, PERCENT},
    {IN_SYSTEM, {.partitions = BIT(PART_SYSTEM), .process = FACEBOOK}, {34, 5}, PERCENT},
    {IN_DATA, {.partitions = BIT(PART_DATA), .process = FACEBOOK}, {12, 13}, PERCENT},
    {ALL_WRITES, {.classes = WRITES, .process = FACEBOOK}, {21, 0}, FIRST},
    {IN_DATA, {.partitions = BIT(PART_DATA), .process = RINGTONE}, {30, 0}, FIRST},
    {ALL_READS, {.classes = READS, .process = MINI_T_WORLD}, {33, 0}, FIRST},
    /* Pictures, which are what makes Facebook's share of the bytes. */
    {ALL, {.types = BIT(TYPE_MULTIMEDIA), .process = FACEBOOK}, {667, 274}, {10000, 10000}, 1},
};

static int64_t nearest(uint64_t total, uint64_t part, uint64_t whole) {
    return (int64_t)((total * part + whole / 2) / whole);
}

static void set_targets(Problem *problem, unsigned user, uint32_t total) {
    require(COUNT(claims) <= MAX_CLAIMS, "too many claims");
    problem->target[ALL] = total;
    problem->claimed = BIT(ALL);
    for (unsigned i = ALL + 1; i < COUNT(claims); i++) {
        if (claims[i].whole[user]) {
            problem->claimed |= BIT(i);
            problem->loose |= claims[i].loose ? BIT(i) : 0;
            problem->target[i] = nearest((uint64_t)problem->target[claims[i].of],
                                         claims[i].part[user], claims[i].whole[user]);
        }
    }
}

static int is_in(const Slice *slice, const Row *row, unsigned class) {
    return (!slice->classes || slice->classes & BIT(class)) &&
           (!slice->partitions || slice->partitions & BIT(row->partition)) &&
           (!slice->types || slice->types & BIT(row->type)) &&
           (!slice->process || strcmp(slice->process, row->process) == 0);
}

static uint32_t claims_of(const Problem *problem, const Row *row, unsigned class) {
    uint32_t found = 0;
    for (unsigned i = 0; i < COUNT(claims); i++) {
        if (problem->claimed & BIT(i) && is_in(&claims[i].slice, row, class)) {
            found |= BIT(i);
        }
    }
    return found;
}

static void set_cells(Problem *problem, unsigned user) {
    require(row_count <= MAX_ROWS, "too many rows");
    for (unsigned row = 0; row < row_count; row++) {
        for (unsigned i = 0; i < CLASSES; i++) {
            double wanted = (double)rows[row].weight[user] * habits[rows[row].habit].mix[i];
            if (wanted > 0.0) {
                problem->cells[problem->count++] = (Cell){
                    .row = row,
                    .class = i,
                    .claims = claims_of(problem, &rows[row], i),
                    .wanted = wanted,
                };
            }
        }
    }
}

/* The two busiest hours are neighbours here, so that rounding leaves their sum alone. */
static void plan_hours(Plan *plan, unsigned user) {
    static const unsigned first[] = {21, 23};
    unsigned sum = 0;
    int64_t before = 0;
    for (unsigned i = 0; i < HOURS + COUNT(first); i++) {
        unsigned hour = i < COUNT(first) ? first[i] : i - (unsigned)COUNT(first);
        if (i >= COUNT(first) && (hour == first[0] || hour == first[1])) {
            continue;
        }
        sum += hour_weights[user][hour];
        plan->hours[hour] = (uint32_t)(nearest(plan->total, sum, 1000) - before);
        before += plan->hours[hour];
    }
    require(sum == 1000, "the hours make up %u of 1000", sum);
}

Plan make_plan(unsigned user, uint32_t total) {
    static Problem problem;
    Plan plan = {.total = total};
    memset(&problem, 0, sizeof problem);
    set_targets(&problem, user, total);
    set_cells(&problem, user);
    fit(&problem);
    for (unsigned i = 0; i < problem.count; i++) {
        plan.cells[problem.cells[i].row][problem.cells[i].class] = (uint32_t)problem.cells[i].count;
    }
    plan_hours(&plan, user);
    return plan;
}
