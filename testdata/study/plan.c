#include "plan.h"

#include "util.h"

#include <string.h>

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
    {"facebook.katana", PART_DATA, TYPE_DB, SQL_PAGES, "fb", ".db", 6, {40, 30}},
    {"facebook.katana", PART_DATA, TYPE_ROLLBACK, SQL_LOGS, "fb", ".db-journal", 6, {40, 30}},
    {"android.gms", PART_DATA, TYPE_DB, SQL_PAGES, "gservices", ".db", 3, {20, 20}},
    {"android.gms", PART_DATA, TYPE_ROLLBACK, SQL_LOGS, "gservices", ".db-journal", 3, {30, 20}},
    {"android.gms", PART_DATA, TYPE_WAL, SQL_LOGS, "playlog", ".db-wal", 2, {20, 10}},
    {"system_server", PART_DATA, TYPE_DB, SQL_PAGES, "settings", ".db", 2, {10, 10}},
    {"system_server", PART_DATA, TYPE_ROLLBACK, SQL_LOGS, "settings", ".db-journal", 2, {20, 10}},
    {"system_server", PART_DATA, TYPE_DB_TEMP, SQL_PAGES, "locks", ".db-shm", 2, {5, 5}},
    {"mediaserver", PART_DATA, TYPE_MULTIMEDIA, STREAMED, "IMG 2014 ", ".jpg", 200, {30, 30}},
    {"dexopt", PART_DATA, TYPE_EXECUTABLE, STREAMED, "classes", ".dex", 40, {15, 15}},
    {"system_server", PART_DATA, TYPE_RESOURCE, SCATTERED, "preferences", ".xml", 60, {30, 20}},
    {"installd", PART_DATA, TYPE_TEMP, SCATTERED, "vmdl", ".tmp", 30, {10, 10}},
    {"system_server", PART_DATA, TYPE_OTHER, SCATTERED, "stats", ".bin", 20, {20, 15}},
    {"kswapd0", PART_DATA, TYPE_ANONYMOUS, SWAPPED, NULL, NULL, 1, {5, 5}},
    {"iotraced", PART_DATA, TYPE_TRACER, STREAMED, "1404261900", ".uio", 60, {20, 20}},
    {"jbd2/mmcblk0p28", PART_DATA, TYPE_NONE, COMMITTED, NULL, NULL, 1, {60, 40}},
    {"kworker/u:3", PART_DATA, TYPE_NONE, KEPT_BOOKS, NULL, NULL, 50, {45, 30}},

    {"chrome", PART_CACHE, TYPE_DB, SQL_PAGES, "webview", ".db", 4, {60, 100}},
    {"chrome", PART_CACHE, TYPE_ROLLBACK, SQL_LOGS, "webview", ".db-journal", 4, {70, 130}},
    {"chrome", PART_CACHE, TYPE_WAL, SQL_LOGS, "cookies", ".db-wal", 1, {10, 10}},
    {"chrome", PART_CACHE, TYPE_DB_TEMP, SQL_PAGES, "cookies", ".db-shm", 1, {5, 5}},
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

/* In 1000 I/Os. The hours, 11 and 21 make up 280. */
static const uint16_t hour_weights[USERS][HOURS] = {
    {30, 15, 6, 4, 4, 6, 15, 35, 50, 45, 45, 150, 50, 40, 35, 35, 37, 40, 45, 45, 47, 130, 51, 40},
    {40, 25, 12, 6, 5, 5, 10, 25, 40, 40, 42, 125, 55, 45, 38, 36, 38, 40, 46, 48, 50, 155, 44, 30},
};

/* In 100 I/Os; of these only what the paper names is its own: see README.md. */
static const uint8_t type_shares[USERS][TYPES] = {
    {16, 21, 26, 3, 1, 8, 4, 7, 3, 8, 1, 2},
    {15, 21, 26, 2, 1, 11, 5, 6, 4, 6, 1, 2},
};
static const uint8_t partition_shares[USERS][PARTITIONS] = {
    {8, 28, 57, 5, 2},
    {11, 41, 39, 7, 2},
};
static const uint8_t writes_per_read[USERS] = {16, 10};
enum { WRITESYNC_SHARE = 69, READSYNC_OF_READS = 30 };

enum { MARGINS = CLASSES + PARTITIONS + TYPES, MAX_CELLS = MAX_ROWS * CLASSES };

/* One class of one row, and the three sums it counts in. */
typedef struct {
    unsigned row, class;
    unsigned margins[3];
    double wanted;
    int64_t count;
} Cell;

typedef struct {
    Cell cells[MAX_CELLS];
    unsigned count;
    int64_t target[MARGINS];
} Problem;

static int64_t nearest(uint64_t total, uint64_t part, uint64_t whole) {
    return (int64_t)((total * part + whole / 2) / whole);
}

/* Splits so that running sums are rounded: neighbours together miss their share by less than 1. */
static void split(int64_t *parts, unsigned count, uint32_t total, const uint8_t *percent) {
    unsigned sum = 0;
    int64_t before = 0;
    for (unsigned i = 0; i < count; i++) {
        sum += percent[i];
        parts[i] = nearest(total, sum, 100) - before;
        before += parts[i];
    }
    require(sum == 100, "shares make up %u %%", sum);
}

/* Named figures are rounded for themselves; what that leaves goes to the largest other share. */
static void name_target(int64_t *parts, unsigned count, unsigned which, unsigned spared,
                        int64_t value) {
    unsigned largest = which == 0 ? 1 : 0;
    for (unsigned i = 0; i < count; i++) {
        if (i != which && i != spared && (largest == spared || parts[i] > parts[largest])) {
            largest = i;
        }
    }
    parts[largest] += parts[which] - value;
    parts[which] = value;
}

static void set_targets(Problem *problem, unsigned user, uint32_t total) {
    int64_t *classes = problem->target;
    int64_t *partitions = classes + CLASSES;
    int64_t *types = partitions + PARTITIONS;
    unsigned named = user == 0 ? PART_DATA : PART_CACHE;
    int64_t reads = nearest(total, 1, writes_per_read[user] + 1u);
    classes[READSYNC] = nearest((uint64_t)reads, READSYNC_OF_READS, 100);
    classes[READ] = reads - classes[READSYNC];
    classes[WRITESYNC] = nearest(total, WRITESYNC_SHARE, 100);
    classes[WRITE] = total - reads - classes[WRITESYNC];
    split(partitions, PARTITIONS, total, partition_shares[user]);
    name_target(partitions, PARTITIONS, named, named,
                nearest(total, partition_shares[user][named], 100));
    split(types, TYPES, total, type_shares[user]);
    name_target(types, TYPES, TYPE_DB, TYPE_ROLLBACK,
                nearest(total, type_shares[user][TYPE_DB], 100));
    name_target(types, TYPES, TYPE_ROLLBACK, TYPE_DB,
                nearest(total, type_shares[user][TYPE_ROLLBACK], 100));
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
                    .margins = {i, CLASSES + rows[row].partition,
                                CLASSES + PARTITIONS + rows[row].type},
                    .wanted = wanted,
                };
            }
        }
    }
}

/* Scales the cells to the targets of classes, partitions and types in turn until all three fit
 * (iterative proportional fitting). No product is added to anything in one expression, so that no
 * compiler can fuse the two and round differently.
 */
static void fit(Problem *problem) {
    enum { ROUNDS = 400 };
    for (int step = 0; step < ROUNDS * 3; step++) {
        double sums[MARGINS] = {0};
        for (unsigned i = 0; i < problem->count; i++) {
            sums[problem->cells[i].margins[step % 3]] += problem->cells[i].wanted;
        }
        for (unsigned i = 0; i < problem->count; i++) {
            unsigned margin = problem->cells[i].margins[step % 3];
            problem->cells[i].wanted *= (double)problem->target[margin] / sums[margin];
        }
    }
}

static void round_cells(Problem *problem, uint32_t total) {
    double sum = 0.0;
    int64_t before = 0;
    for (unsigned i = 0; i < problem->count; i++) {
        int64_t after;
        sum += problem->cells[i].wanted;
        after = i + 1 == problem->count ? total : (int64_t)(sum + 0.5);
        problem->cells[i].count = after - before;
        before = after;
    }
}

/* How much the squared misses change when `excess` of a margin changes by `by`. */
static int64_t change(int64_t excess, int by) {
    return 2 * by * excess + 1;
}

static int64_t gain_of_move(const Problem *problem, const int64_t *excess, unsigned from,
                            unsigned to) {
    int64_t worse = 0;
    for (int i = 0; i < 3; i++) {
        unsigned leaves = problem->cells[from].margins[i];
        unsigned enters = problem->cells[to].margins[i];
        if (leaves != enters) {
            worse += change(excess[leaves], -1) + change(excess[enters], 1);
        }
    }
    return -worse;
}

/* Moves the I/O that brings the sums nearest to their targets; 0 when there is none. */
static int move_one(Problem *problem, int64_t *excess) {
    int64_t best = 0;
    unsigned from = 0, to = 0;
    for (unsigned i = 0; i < problem->count; i++) {
        for (unsigned j = 0; problem->cells[i].count && j < problem->count; j++) {
            int64_t gain = gain_of_move(problem, excess, i, j);
            if (gain > best) {
                best = gain;
                from = i;
                to = j;
            }
        }
    }
    if (best == 0) {
        return 0;
    }
    problem->cells[from].count--;
    problem->cells[to].count++;
    for (int i = 0; i < 3; i++) {
        excess[problem->cells[from].margins[i]]--;
        excess[problem->cells[to].margins[i]]++;
    }
    return 1;
}

/* Rounding leaves sums a few I/Os off. */
static void repair(Problem *problem) {
    int64_t excess[MARGINS];
    for (unsigned i = 0; i < MARGINS; i++) {
        excess[i] = -problem->target[i];
    }
    for (unsigned i = 0; i < problem->count; i++) {
        for (int j = 0; j < 3; j++) {
            excess[problem->cells[i].margins[j]] += problem->cells[i].count;
        }
    }
    while (move_one(problem, excess)) {
    }
}

/* The two busy hours are neighbours here, so that rounding leaves their sum alone. */
static void plan_hours(Plan *plan, unsigned user) {
    static const unsigned first[] = {11, 21};
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
    round_cells(&problem, total);
    repair(&problem);
    for (unsigned i = 0; i < problem.count; i++) {
        plan.cells[problem.cells[i].row][problem.cells[i].class] = (uint32_t)problem.cells[i].count;
    }
    plan_hours(&plan, user);
    return plan;
}
