#include "lives.h"

#include "carriers.h"

#include <inttypes.h>
#include <stdlib.h>

#define NS_PER_DAY INT64_C(86400000000000)

/* Ages lie between `youngest` and 2^doublings times that, each doubling as likely as any other. */
typedef struct {
    FileType type;
    const char *process, *name, *ending;
    uint32_t weight; /* in 100 files */
    int64_t youngest;
    uint32_t doublings;
    uint32_t kilobytes; /* at most */
} Kind;

static const Kind kinds[] = {
    {TYPE_ROLLBACK, "kakao.talk", "KakaoTalk", ".db-journal", 45, 3000000, 10, 64},
    {TYPE_TEMP, "chrome", "download", ".tmp", 18, 50000000, 14, 2048},
    {TYPE_RESOURCE, "chrome", "data_", ".cache", 12, 1000000000, 18, 256},
    {TYPE_WAL, "android.gms", "playlog", ".db-wal", 6, 20000000, 16, 512},
    {TYPE_MULTIMEDIA, "mediaserver", "IMG 2014 ", ".jpg", 6, 60000000000, 15, 4096},
    {TYPE_OTHER, "system_server", "stats", ".bin", 6, 500000000, 16, 128},
    {TYPE_DB_TEMP, "chrome", "cookies", ".db-shm", 3, 20000000, 14, 32},
    {TYPE_DB, "facebook.katana", "fb", ".db", 2, 3600000000000, 9, 1024},
    {TYPE_EXECUTABLE, "android.vending", "update", ".apk", 1, 10000000000, 12, 16384},
    {TYPE_TRACER, "iotraced", "140426", ".uio", 1, 600000000000, 4, 1024},
};

typedef struct {
    FileType type;
    int64_t *ages;
    size_t count, capacity;
    uint64_t sum, bytes;
} Ages;

static const Kind *draw_kind(Random *random) {
    uint32_t number = random_below(random, 100);
    size_t kind = 0;
    while (number >= kinds[kind].weight) {
        number -= kinds[kind++].weight;
    }
    return &kinds[kind];
}

static int64_t draw_age(Random *random, const Kind *kind) {
    int64_t low = kind->youngest << random_below(random, kind->doublings);
    return low + (int64_t)((double)random_below(random, UINT32_MAX) / 4294967296.0 * (double)low);
}

/* Deletions come in order of time, each in a slot of the day. */
static Deletion draw_deletion(Random *random, uint32_t number, uint32_t count) {
    const Kind *kind = draw_kind(random);
    int64_t slot = NS_PER_DAY / count;
    Deletion deletion = {.type = kind->type, .process = kind->process};
    deletion.deleted = slot * number + slot / 1000 * random_below(random, 1000) + 1;
    deletion.created = deletion.deleted - draw_age(random, kind);
    deletion.size = (int64_t)random_below(random, kind->kilobytes * 1024 + 1);
    snprintf(deletion.name, sizeof deletion.name, "%s%02u%s", kind->name, number % 100,
             kind->ending);
    return deletion;
}

static void count_deletion(Ages *ages, const Deletion *deletion) {
    int64_t age = deletion->deleted - deletion->created;
    ages->type = deletion->type;
    ages->ages = grow(ages->ages, ages->count, &ages->capacity, sizeof *ages->ages);
    ages->ages[ages->count++] = age;
    ages->sum += (uint64_t)age;
    ages->bytes += (uint64_t)deletion->size;
}

static int compare_ages(const void *left, const void *right) {
    int64_t a = *(const int64_t *)left;
    int64_t b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

/* By type: that with most files first, then by name. */
static int compare_types(const void *left, const void *right) {
    const Ages *a = left;
    const Ages *b = right;
    const char *first = type_names[a->type];
    const char *second = type_names[b->type];
    if (a->count != b->count) {
        return a->count < b->count ? 1 : -1;
    }
    while (*first && *first == *second) {
        first++;
        second++;
    }
    return *first - *second;
}

/* Nearest rank. */
static int64_t age_at(const Ages *ages, size_t percent) {
    return ages->ages[(ages->count * percent + 99) / 100 - 1];
}

static void write_report(const char *path, Ages *ages) {
    FILE *file = open_output(path);
    qsort(ages, TYPES, sizeof *ages, compare_types);
    for (int i = 0; i < TYPES && ages[i].count; i++) {
        uint64_t count = ages[i].count;
        qsort(ages[i].ages, ages[i].count, sizeof *ages[i].ages, compare_ages);
        fprintf(file, "%s\t%" PRIu64 "\t%" PRId64 "\t%" PRIu64, type_names[ages[i].type], count,
                ages[i].ages[0], (ages[i].sum + count / 2) / count);
        fprintf(file, "\t%" PRId64 "\t%" PRId64 "\t%" PRId64 "\t%" PRIu64 "\n",
                age_at(&ages[i], 50), age_at(&ages[i], 90), age_at(&ages[i], 100), ages[i].bytes);
    }
    close_file(file);
}

void write_lives(const char *directory, unsigned user, uint32_t count) {
    Ages ages[TYPES] = {{0}};
    Random random = {UINT64_C(0x75666C73) + user};
    char path[PATH_SIZE];
    FILE *file;
    set_path(path, "%s/user%u.ufls", directory, user + 1);
    file = open_output(path);
    for (uint32_t i = 0; i < count; i++) {
        Deletion deletion = draw_deletion(&random, i, count);
        put_deletion(file, &deletion);
        count_deletion(&ages[deletion.type], &deletion);
    }
    close_file(file);
    set_path(path, "%s/expected/user%u/lifespan.tsv", directory, user + 1);
    write_report(path, ages);
    for (int i = 0; i < TYPES; i++) {
        free(ages[i].ages);
    }
}
