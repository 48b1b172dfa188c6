/* annotate/commits: commit times of transactions, from the writes of a circular journal. */
#include "annotate/evidence.h"
#include "unit.h"

enum { LOG_BLOCKS = 256, FIRST_BLOCK = 1000, TRANSACTIONS = 400, WRITES = 64 * TRANSACTIONS };

static uint32_t next(uint32_t *chance, uint32_t below) {
    *chance = *chance * 1664525u + 1013904223u;
    return (*chance >> 8) % below;
}

/* A write of the journal. */
struct journal_write {
    uint64_t last;
    int64_t time;
};

/* A journal that was written in several rounds, with its contents at the end, or those of its
 * copies; transactions have any size up to a quarter of the log, as in jbd2. */
struct written {
    struct map_transaction transactions[TRANSACTIONS];
    int64_t times[TRANSACTIONS];
    struct journal_write writes[WRITES];
    size_t write_count;
};

static uint64_t block_at(uint64_t place) {
    return FIRST_BLOCK + place % LOG_BLOCKS;
}

/* Blocks are written in pieces of any length; a commit is written alone, or with the blocks right
 * before it. */
static void write_transactions(struct written *written, uint32_t chance) {
    uint64_t place = next(&chance, LOG_BLOCKS);
    int64_t time = 1000;

    written->write_count = 0;
    for (size_t i = 0; i < TRANSACTIONS; i++) {
        uint64_t commit = place + 1 + next(&chance, LOG_BLOCKS / 4);

        while (place < commit) {
            place += 1 + next(&chance, 16);
            place = place < commit ? place : commit;
            time += 1 + next(&chance, 1000);
            written->writes[written->write_count++] =
                (struct journal_write){block_at(place - 1), time};
        }
        time += 1 + next(&chance, 1000);
        written->writes[written->write_count++] = (struct journal_write){block_at(commit), time};
        written->transactions[i] = (struct map_transaction){
            .commit = block_at(commit), .place = commit, .wall = INT64_C(1000000000000) + time - 1};
        written->times[i] = time;
        place = commit + 1;
    }
}

/* Settles the transactions from `first` on, for a trace with the writes from `from` to before
 * `end`, except one in `lost`; 0: all. */
static void settle(const struct written *written, size_t first, size_t from, size_t end,
                   uint32_t lost, struct commits *commits) {
    struct file_map *map = calloc(1, sizeof *map);
    uint32_t chance = 7;

    ck_assert(map != NULL);
    map->transactions = (struct map_transaction *)written->transactions + first;
    map->transaction_count = TRANSACTIONS - first;
    map->log_blocks = LOG_BLOCKS;
    commits_open(commits, map);
    for (size_t i = end; i > from; i--) {
        if (lost == 0 || next(&chance, lost) != 0) {
            commits_record_write(commits, written->writes[i - 1].last, written->writes[i - 1].time);
        }
    }
    commits_compute_times(commits);
}

static void close_commits(struct commits *commits) {
    struct file_map *map = (struct file_map *)commits->map;

    commits_close(commits);
    free(map);
}

/* Returns the write at a time. */
static size_t write_at(const struct written *written, int64_t time) {
    size_t at = 0;

    while (written->writes[at].time < time) {
        at++;
    }
    return at;
}

UNIT_TEST(each_round_of_the_journal_has_its_times) {
    static struct written written;

    for (uint32_t seed = 0; seed < 40; seed++) {
        struct commits commits;

        write_transactions(&written, seed);
        settle(&written, 0, 0, written.write_count, 0, &commits);
        ck_assert_uint_eq(commits.count, TRANSACTIONS);
        ck_assert_uint_eq(commits.timed, TRANSACTIONS);
        for (size_t i = 0; i < TRANSACTIONS; i++) {
            ck_assert_int_eq(commits.times[i], written.times[i]);
        }
        close_commits(&commits);
    }
}

/* The image contains transactions after the trace, which began in the middle of the journal. */
UNIT_TEST(a_trace_has_a_part_of_the_transactions) {
    static struct written written;

    for (uint32_t seed = 0; seed < 40; seed++) {
        struct commits commits;
        size_t begin = 100 + seed, end = TRANSACTIONS - 1 - seed % 3;

        write_transactions(&written, seed);
        settle(&written, 0, write_at(&written, written.times[begin]),
               write_at(&written, written.times[end]) - 1, 0, &commits);
        ck_assert_uint_eq(commits.timed, end - begin);
        for (size_t i = 0; i < TRANSACTIONS; i++) {
            ck_assert_int_eq(commits.times[i], i < begin ? INT64_MIN
                                               : i < end ? written.times[i]
                                                         : INT64_MAX);
        }
        close_commits(&commits);
    }
}

/* A transaction whose commit is lost counts as committed with a later one; the others keep their
 * times. */
UNIT_TEST(lost_writes_shift_no_other_transaction) {
    static struct written written;

    for (uint32_t seed = 0; seed < 40; seed++) {
        struct commits commits;
        size_t right = 0;

        write_transactions(&written, seed);
        settle(&written, 0, 0, written.write_count, 10, &commits);
        for (size_t i = 0; i < commits.count; i++) {
            right += commits.times[i] == written.times[i];
            ck_assert(commits.times[i] == INT64_MIN || commits.times[i] >= written.times[i]);
        }
        ck_assert_uint_ge(right, commits.timed);
        ck_assert_uint_gt(commits.timed, TRANSACTIONS / 2);
        close_commits(&commits);
    }
}
