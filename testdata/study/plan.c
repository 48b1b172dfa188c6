#include "plan.h"

#include "fit.h"
#include "util.h"

#include <string.h>

#define FACEBOOK     "facebook.katana"
#define UPDATE       "katana:update" /* the update of Facebook */
#define RINGTONE     "ringtone"
#define MINI_T_WORLD "Mini T world"
#define PUSH_ALARM   "push.alarm"
#define SUBWAY       "subway.route"
#define NAVER_MUSIC  "naver.music"
#define IPTV         "iptv"
#define EMAIL        "android.email"
#define BROWSER      "chrome"
#define GALLERY      "gallery3d"
#define GOOGLE_PLUS  "apps.plus"

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
    [FETCHED] = {DATA, MIXED, {700, 0, 300, 0}},
};

const Row rows[] = {
    {"kakao.talk", PART_DATA, TYPE_DB, SQL_PAGES, "KakaoTalk", ".db", 2, {12, 8}},
    {"kakao.talk", PART_DATA, TYPE_ROLLBACK, SQL_LOGS, "KakaoTalk", ".db-journal", 2, {16, 10}},
    {"kakao.talk", PART_DATA, TYPE_RESOURCE, SCATTERED, "emoticon", ".dat", 20, {15, 2}},
    {FACEBOOK, PART_DATA, TYPE_DB, SQL_PAGES, "fb", ".db", 6, {35, 0}},
    {FACEBOOK, PART_DATA, TYPE_ROLLBACK, SQL_LOGS, "fb", ".db-journal", 6, {45, 0}},
    {FACEBOOK, PART_DATA, TYPE_RESOURCE, SCATTERED, "fbprefs", ".xml", 20, {10, 0}},
    {FACEBOOK, PART_DATA, TYPE_OTHER, SCATTERED, "story", ".bin", 20, {20, 0}},
    {UPDATE, PART_DATA, TYPE_EXECUTABLE, STREAMED, "katana", ".apk", 4, {8, 0}},
    {UPDATE, PART_DATA, TYPE_TEMP, SCATTERED, "vmdl", ".tmp", 30, {8, 0}},
    {"android.gms", PART_DATA, TYPE_DB, SQL_PAGES, "gservices", ".db", 3, {8, 6}},
    {"android.gms", PART_DATA, TYPE_ROLLBACK, SQL_LOGS, "gservices", ".db-journal", 3, {10, 8}},
    {"android.gms", PART_DATA, TYPE_WAL, SQL_TEMPORARY, "playlog", ".db-wal", 2, {6, 4}},
    {"system_server", PART_DATA, TYPE_DB, SQL_PAGES, "settings", ".db", 2, {5, 4}},
    {"system_server", PART_DATA, TYPE_ROLLBACK, SQL_LOGS, "settings", ".db-journal", 2, {6, 5}},
    {"system_server", PART_DATA, TYPE_DB_TEMP, SQL_TEMPORARY, "locks", ".db-shm", 2, {3, 2}},
    {"system_server", PART_DATA, TYPE_RESOURCE, SCATTERED, "preferences", ".xml", 60, {20, 3}},
    {"system_server", PART_DATA, TYPE_OTHER, SCATTERED, "stats", ".bin", 20, {10, 5}},
    {"mediaserver", PART_DATA, TYPE_MULTIMEDIA, STREAMED, "IMG 2014 ", ".jpg", 200, {5, 4}},
    {"mediaserver", PART_DATA, TYPE_MULTIMEDIA, LOADED, "song", ".mp3", 90, {12, 1}},
    {"dexopt", PART_DATA, TYPE_EXECUTABLE, STREAMED, "classes", ".dex", 40, {5, 3}},
    {"dexopt", PART_DATA, TYPE_EXECUTABLE, LOADED, "dalvik-cache", ".dex", 40, {8, 12}},
    {RINGTONE, PART_DATA, TYPE_DB, SQL_PAGES, "ringtone", ".db", 2, {30, 0}},
    {RINGTONE, PART_DATA, TYPE_ROLLBACK, SQL_LOGS, "ringtone", ".db-journal", 2, {40, 0}},
    {RINGTONE, PART_DATA, TYPE_MULTIMEDIA, STREAMED, "ringtone", ".mp3", 20, {5, 0}},
    {RINGTONE, PART_DATA, TYPE_RESOURCE, SCATTERED, "tones", ".xml", 20, {25, 0}},
    {RINGTONE, PART_DATA, TYPE_OTHER, SCATTERED, "ringtone", ".bin", 20, {50, 0}},
    {MINI_T_WORLD, PART_DATA, TYPE_EXECUTABLE, LOADED, "MiniTworld", ".odex", 4, {8, 0}},
    {MINI_T_WORLD, PART_DATA, TYPE_RESOURCE, LOOKED_UP, "tworld", ".dat", 4, {2, 0}},
    {MINI_T_WORLD, PART_DATA, TYPE_OTHER, LOOKED_UP, "messages", ".bin", 4, {10, 0}},
    {PUSH_ALARM, PART_DATA, TYPE_DB, SQL_PAGES, "alarm", ".db", 2, {25, 0}},
    {PUSH_ALARM, PART_DATA, TYPE_ROLLBACK, SQL_LOGS, "alarm", ".db-journal", 2, {35, 0}},
    {PUSH_ALARM, PART_DATA, TYPE_OTHER, SCATTERED, "alarm", ".bin", 4, {20, 0}},
    {EMAIL, PART_DATA, TYPE_DB, SQL_PAGES, "EmailProvider", ".db", 2, {0, 35}},
    {EMAIL, PART_DATA, TYPE_ROLLBACK, SQL_LOGS, "EmailProvider", ".db-journal", 2, {0, 45}},
    {EMAIL, PART_DATA, TYPE_OTHER, SCATTERED, "attachment", ".bin", 30, {0, 20}},
    {BROWSER, PART_DATA, TYPE_EXECUTABLE, LOADED, "libchrome", ".so", 4, {0, 10}},
    {SUBWAY, PART_DATA, TYPE_EXECUTABLE, LOADED, "subway", ".odex", 2, {0, 6}},
    {IPTV, PART_DATA, TYPE_EXECUTABLE, LOADED, "libiptv", ".so", 6, {0, 8}},
    {NAVER_MUSIC, PART_DATA, TYPE_EXECUTABLE, LOADED, "libmusic", ".so", 6, {0, 8}},
    {GOOGLE_PLUS, PART_DATA, TYPE_OTHER, FETCHED, "plus", ".bin", 4, {0, 1}},
    {"kswapd0", PART_DATA, TYPE_ANONYMOUS, SWAPPED, NULL, NULL, 1, {6, 14}},
    {"iotraced", PART_DATA, TYPE_TRACER, STREAMED, "1404261900", ".uio", 60, {12, 14}},
    {"jbd2/mmcblk0p28", PART_DATA, TYPE_NONE, COMMITTED, NULL, NULL, 1, {40, 20}},
    {"kworker/u:3", PART_DATA, TYPE_NONE, KEPT_BOOKS, NULL, NULL, 50, {50, 15}},

    {FACEBOOK, PART_CACHE, TYPE_DB, SQL_PAGES, "fbcache", ".db", 4, {40, 0}},
    {FACEBOOK, PART_CACHE, TYPE_ROLLBACK, SQL_LOGS, "fbcache", ".db-journal", 4, {40, 0}},
    {FACEBOOK, PART_CACHE, TYPE_MULTIMEDIA, STREAMED, "photo", ".jpg", 300, {10, 0}},
    {FACEBOOK, PART_CACHE, TYPE_OTHER, SCATTERED, "feed-", ".bin", 60, {10, 0}},
    {RINGTONE, PART_CACHE, TYPE_DB, SQL_PAGES, "voice", ".db", 2, {60, 0}},
    {RINGTONE, PART_CACHE, TYPE_ROLLBACK, SQL_LOGS, "voice", ".db-journal", 2, {80, 0}},
    {RINGTONE, PART_CACHE, TYPE_OTHER, SCATTERED, "voice", ".bin", 20, {10, 0}},
    {BROWSER, PART_CACHE, TYPE_DB, SQL_PAGES, "webview", ".db", 4, {4, 12}},
    {BROWSER, PART_CACHE, TYPE_ROLLBACK, SQL_LOGS, "webview", ".db-journal", 4, {5, 18}},
    {BROWSER, PART_CACHE, TYPE_WAL, SQL_TEMPORARY, "cookies", ".db-wal", 1, {2, 2}},
    {BROWSER, PART_CACHE, TYPE_DB_TEMP, SQL_TEMPORARY, "cookies", ".db-shm", 1, {1, 1}},
    {BROWSER, PART_CACHE, TYPE_MULTIMEDIA, LOOKED_UP, "f_00", ".jpg", 300, {3, 6}},
    {BROWSER, PART_CACHE, TYPE_RESOURCE, SCATTERED, "data_", ".cache", 40, {8, 4}},
    {BROWSER, PART_CACHE, TYPE_TEMP, SCATTERED, "download", ".tmp", 20, {2, 8}},
    {BROWSER, PART_CACHE, TYPE_OTHER, LOOKED_UP, "index-", ".html", 90, {3, 6}},
    {NAVER_MUSIC, PART_CACHE, TYPE_MULTIMEDIA, STREAMED, "stream", ".mp3", 60, {0, 25}},
    {NAVER_MUSIC, PART_CACHE, TYPE_DB, SQL_PAGES, "tracks", ".db", 2, {0, 15}},
    {NAVER_MUSIC, PART_CACHE, TYPE_ROLLBACK, SQL_LOGS, "tracks", ".db-journal", 2, {0, 20}},
    {NAVER_MUSIC, PART_CACHE, TYPE_OTHER, SCATTERED, "lyrics", ".bin", 60, {0, 25}},
    {IPTV, PART_CACHE, TYPE_MULTIMEDIA, STREAMED, "segment", ".3gp", 200, {0, 30}},
    {IPTV, PART_CACHE, TYPE_DB, SQL_PAGES, "channels", ".db", 2, {0, 25}},
    {IPTV, PART_CACHE, TYPE_ROLLBACK, SQL_LOGS, "channels", ".db-journal", 2, {0, 35}},
    {IPTV, PART_CACHE, TYPE_OTHER, SCATTERED, "segment", ".ts", 200, {0, 45}},
    {"android.vending", PART_CACHE, TYPE_EXECUTABLE, STREAMED, "update", ".apk", 8, {3, 6}},
    {"jbd2/mmcblk0p27", PART_CACHE, TYPE_NONE, COMMITTED, NULL, NULL, 1, {6, 30}},
    {"kworker/u:3", PART_CACHE, TYPE_NONE, KEPT_BOOKS, NULL, NULL, 30, {8, 40}},

    {"zygote", PART_SYSTEM, TYPE_EXECUTABLE, LOADED, "lib", ".so", 80, {5, 20}},
    {"zygote", PART_SYSTEM, TYPE_RESOURCE, LOOKED_UP, "framework", ".dat", 12, {1, 2}},
    {"zygote", PART_SYSTEM, TYPE_OTHER, LOOKED_UP, "Roboto", ".ttf", 10, {2, 4}},
    {"mediaserver", PART_SYSTEM, TYPE_MULTIMEDIA, LOADED, "ringtone", ".mp3", 30, {2, 1}},
    {UPDATE, PART_SYSTEM, TYPE_EXECUTABLE, STREAMED, "katana", ".odex", 4, {25, 0}},
    {UPDATE, PART_SYSTEM, TYPE_DB, SQL_PAGES, "packages", ".db", 1, {25, 0}},
    {UPDATE, PART_SYSTEM, TYPE_ROLLBACK, SQL_LOGS, "packages", ".db-journal", 1, {35, 0}},
    {UPDATE, PART_SYSTEM, TYPE_OTHER, SCATTERED, "katana", ".log", 4, {35, 0}},
    {SUBWAY, PART_SYSTEM, TYPE_DB, SQL_PAGES, "routes", ".db", 2, {0, 50}},
    {SUBWAY, PART_SYSTEM, TYPE_ROLLBACK, SQL_LOGS, "routes", ".db-journal", 2, {0, 60}},
    {SUBWAY, PART_SYSTEM, TYPE_OTHER, SCATTERED, "routes", ".bin", 8, {0, 40}},
    {"installd", PART_SYSTEM, TYPE_DB, SQL_PAGES, "packages", ".db", 1, {0, 5}},
    {"installd", PART_SYSTEM, TYPE_ROLLBACK, SQL_LOGS, "packages", ".db-journal", 1, {0, 6}},
    {"kworker/u:3", PART_SYSTEM, TYPE_NONE, READ_BOOKS, NULL, NULL, 20, {1, 10}},

    {"vold", PART_ETC, TYPE_DB, SQL_PAGES, "volumes", ".db", 2, {3, 1}},
    {"vold", PART_ETC, TYPE_ROLLBACK, SQL_LOGS, "volumes", ".db-journal", 2, {4, 1}},
    {"init", PART_ETC, TYPE_RESOURCE, SCATTERED, "fstab", ".xml", 4, {1, 1}},
    {"init", PART_ETC, TYPE_TEMP, SCATTERED, "last_kmsg", ".tmp", 4, {1, 1}},
    {"init", PART_ETC, TYPE_OTHER, SCATTERED, "recovery", ".log", 4, {1, 1}},
    {"kworker/u:3", PART_ETC, TYPE_NONE, KEPT_BOOKS, NULL, NULL, 4, {2, 1}},
    {GALLERY, PART_ETC, TYPE_MULTIMEDIA, STREAMED, "IMG 2014 ", ".jpg", 90, {0, 20}},
    {GALLERY, PART_ETC, TYPE_DB, SQL_PAGES, "picasa", ".db", 2, {0, 40}},
    {GALLERY, PART_ETC, TYPE_ROLLBACK, SQL_LOGS, "picasa", ".db-journal", 2, {0, 55}},
    {GALLERY, PART_ETC, TYPE_OTHER, SCATTERED, "imgcache", ".idx", 8, {0, 15}},
    {NAVER_MUSIC, PART_ETC, TYPE_MULTIMEDIA, STREAMED, "album", ".mp3", 20, {0, 10}},
    {NAVER_MUSIC, PART_ETC, TYPE_DB, SQL_PAGES, "licences", ".db", 1, {0, 12}},
    {NAVER_MUSIC, PART_ETC, TYPE_ROLLBACK, SQL_LOGS, "licences", ".db-journal", 1, {0, 20}},
    {NAVER_MUSIC, PART_ETC, TYPE_OTHER, SCATTERED, "licences", ".bin", 4, {0, 12}},

    {"rmt_storage", PART_UNMAPPED, TYPE_OTHER, SQL_PAGES, "modemst", ".img", 2, {5, 8}},
    {"rmt_storage", PART_UNMAPPED, TYPE_NONE, RAW, NULL, NULL, 1, {5, 8}},
};
const unsigned row_count = COUNT(rows);

unsigned hour_of(unsigned row) {
    return rows[row].habit == FETCHED ? 6 : 0;
}

/* In 1000 I/Os. 11 and 21 make up 280 of both; where a user does nothing that matters, an hour
 * has 1.
 */
static const uint16_t hour_weights[USERS][HOURS] = {
    {60, 30, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 35, 40, 45, 45, 45, 50, 55, 60, 80, 271, 95, 79},
    {40, 20, 1, 1, 1, 1, 1, 1, 1, 20, 60, 190, 70, 40, 35, 35, 45, 110, 60, 45, 50, 97, 46, 30},
};

#define READS        (BIT(READ) | BIT(READSYNC))
#define WRITES       (BIT(WRITE) | BIT(WRITESYNC))
#define SQLITE_FILES (BIT(TYPE_DB) | BIT(TYPE_ROLLBACK) | BIT(TYPE_WAL) | BIT(TYPE_DB_TEMP))
#define MISC                                                                                       \
    (BIT(TYPE_NONE) | BIT(TYPE_TEMP) | BIT(TYPE_OTHER) | BIT(TYPE_ANONYMOUS) | BIT(TYPE_TRACER))

/* Some of the I/Os; what is 0 or NULL is any. */
typedef struct {
    uint64_t classes, partitions, types; /* sets of bits */
    const char *process, *or_process;
} Slice;

/* A share that comes out, up to single I/Os. What is the paper's, and what is ours: README.md. */
typedef struct {
    int of; /* number of the claim that this is a share of */
    Slice slice;
    uint32_t part[USERS], whole[USERS]; /* whole 0: this user has no such share */
    int loose;                          /* single I/Os may be missing */
} Claim;

enum { ALL, ALL_READS, ALL_WRITES, IN_DATA, IN_CACHE, IN_SYSTEM, IN_ETC, OTHER_CLAIMS };
#define PERCENT                                                                                    \
    { 100, 100 }
#define FIRST                                                                                      \
    { 100, 0 }
#define SECOND                                                                                     \
    { 0, 100 }
/* Of all, so much is writes that are not synchronous, which the paper's Figure 6 calls write: 16/17
 * and 10/11 without 69/100. The shares of them are therefore these of all. */
#define OF_WRITE(first, second)                                                                    \
    {427 * (first), 241 * (second)}, {                                                             \
        (first) ? 170000 : 0, (second) ? 110000 : 0                                                \
    }

static const Claim claims[] = {
    [ALL] = {ALL, {0}, {1, 1}, {1, 1}},
    [ALL_READS] = {ALL, {.classes = READS}, {1, 1}, {17, 11}},
    [ALL_WRITES] = {ALL, {.classes = WRITES}, {16, 10}, {17, 11}},
    [IN_DATA] = {ALL, {.partitions = BIT(PART_DATA)}, {57, 2504}, {100, 13200}},
    [IN_CACHE] = {ALL, {.partitions = BIT(PART_CACHE)}, {278, 410}, {1000, 1000}},
    [IN_SYSTEM] = {ALL, {.partitions = BIT(PART_SYSTEM)}, {13, 20}, PERCENT},
    [IN_ETC] = {ALL, {.partitions = BIT(PART_ETC)}, {12, 185}, {1000, 1000}},
    {ALL, {.classes = BIT(WRITESYNC)}, {69, 69}, PERCENT},
    {ALL_READS, {.classes = BIT(READSYNC)}, {30, 30}, PERCENT},

    {ALL_READS, {.classes = READS, .types = BIT(TYPE_EXECUTABLE)}, {40, 78}, PERCENT},
    {ALL_READS, {.classes = READS, .types = BIT(TYPE_MULTIMEDIA)}, {20, 1}, PERCENT},
    {ALL_READS, {.classes = READS, .types = MISC}, {27, 10}, PERCENT},
    {ALL_READS, {.classes = READS, .types = BIT(TYPE_DB)}, {8, 8}, PERCENT},
    {ALL_READS, {.classes = READS, .types = BIT(TYPE_ROLLBACK)}, {2, 2}, PERCENT},
    {ALL_WRITES, {.classes = WRITES, .types = MISC}, {34, 34}, PERCENT},
    {ALL_WRITES, {.classes = WRITES, .types = BIT(TYPE_DB)}, {22, 22}, PERCENT},
    {ALL_WRITES, {.classes = WRITES, .types = BIT(TYPE_ROLLBACK)}, {28, 28}, PERCENT},
    {ALL, {.classes = BIT(WRITE), .types = BIT(TYPE_RESOURCE)}, OF_WRITE(35, 0), 1},
    {ALL, {.classes = BIT(WRITE), .types = MISC}, OF_WRITE(62, 69), 1},
    {ALL, {.classes = BIT(WRITE), .types = BIT(TYPE_DB)}, OF_WRITE(0, 20), 1},
    {IN_CACHE, {.partitions = BIT(PART_CACHE), .types = SQLITE_FILES}, {74, 0}, FIRST},
    {IN_DATA, {.partitions = BIT(PART_DATA), .types = SQLITE_FILES}, {0, 65}, SECOND},

    /* Synchronous writes are most of /system and /cache, and of /data and /etc. */
    {IN_DATA, {.partitions = BIT(PART_DATA), .classes = BIT(WRITESYNC)}, {0, 86}, SECOND, 1},
    {IN_CACHE, {.partitions = BIT(PART_CACHE), .classes = BIT(WRITESYNC)}, {84, 0}, FIRST, 1},
    {IN_SYSTEM, {.partitions = BIT(PART_SYSTEM), .classes = BIT(WRITESYNC)}, {86, 0}, FIRST, 1},
    {IN_ETC, {.partitions = BIT(PART_ETC), .classes = BIT(WRITESYNC)}, {0, 88}, SECOND, 1},

    {IN_CACHE, {.partitions = BIT(PART_CACHE), .process = FACEBOOK}, {36, 0}, FIRST},
    {ALL,
     {.partitions = BIT(PART_DATA), .process = FACEBOOK, .or_process = UPDATE},
     {12, 0},
     FIRST},
    {ALL, {.partitions = BIT(PART_SYSTEM), .process = UPDATE}, {12, 0}, FIRST},
    {ALL_WRITES, {.classes = WRITES, .process = FACEBOOK}, {21, 0}, FIRST},
    {ALL, {.process = RINGTONE}, {30, 0}, FIRST},
    {ALL, {.process = PUSH_ALARM}, {8, 0}, FIRST},
    {ALL_READS, {.classes = READS, .process = MINI_T_WORLD}, {33, 0}, FIRST},

    {ALL, {.partitions = BIT(PART_SYSTEM), .process = SUBWAY}, {0, 15}, SECOND},
    {ALL, {.partitions = BIT(PART_DATA), .process = EMAIL}, {0, 10}, SECOND},
    {ALL, {.partitions = BIT(PART_CACHE), .process = BROWSER}, {0, 5}, SECOND},
    {ALL, {.partitions = BIT(PART_ETC), .process = GALLERY}, {0, 13}, SECOND},
    {IN_ETC, {.partitions = BIT(PART_ETC), .process = NAVER_MUSIC}, {0, 29}, SECOND},
    {ALL, {.process = NAVER_MUSIC}, {0, 14}, SECOND},
    {ALL, {.process = IPTV}, {0, 135}, {0, 1000}},
    {ALL_WRITES, {.classes = WRITES, .process = SUBWAY}, {0, 16}, SECOND},
    {ALL_READS, {.classes = READS, .process = BROWSER}, {0, 14}, SECOND},
    {ALL, {.process = GOOGLE_PLUS}, {0, 5}, {0, 10000}, 1},
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
           (!slice->process || strcmp(slice->process, row->process) == 0 ||
            (slice->or_process && strcmp(slice->or_process, row->process) == 0));
}

static uint64_t claims_of(const Problem *problem, const Row *row, unsigned class) {
    uint64_t found = 0;
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

/* 21 and 11 are neighbours here, so that rounding leaves their sum alone. */
static void plan_hours(Plan *plan, unsigned user) {
    static const unsigned first[] = {21, 11};
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
