/* annotate/allocations and evidence: owners of blocks by the log's own records, compared with a
 * model that stores the owner of each block. */
#include <sys/stat.h>

#include "annotate/evidence.h"
#include "model/event.h"
#include "store/trace_tables.h"
#include "unit.h"

enum { BLOCKS = 64, RECORDS = 400, MOMENTS = RECORDS + 2 };

static uint32_t next(uint32_t *chance, uint32_t below) {
    *chance = *chance * 1664525u + 1013904223u;
    return (*chance >> 8) % below;
}

/* Owner of each block at each moment, 0: unknown. Records are 1 to RECORDS moments late, so that a
 * record's time is its number. */
struct model {
    uint32_t owner[MOMENTS][BLOCKS];
    bool told[MOMENTS][BLOCKS];
};

static struct allocation blocks_of(enum allocation_what what, int64_t time, int64_t inode,
                                   int64_t block, int64_t count) {
    return (struct allocation){.time = time,
                               .what = what,
                               .inode = inode,
                               .mode = EVENT_NONE,
                               .block = block,
                               .count = count};
}

static void set_up(void) {
    database_make();
    unit_run("PRAGMA foreign_keys = OFF; BEGIN");
}

/* Adds one record from the table. */
static void add(struct allocations *all, const struct file_map *map,
                const struct allocation *allocation) {
    static const int64_t devices[2] = {0, 0};

    unit_run("DELETE FROM allocation");
    ck_assert(allocation_table_write(&database, 1, allocation, 1, &error));
    ck_assert(allocations_read(all, map, &database, 1, devices, &error));
}

/* The first record of a block shows its owner before. */
static void tell_before(struct model *model, const struct allocation *record, int64_t block) {
    bool tells = record->what == ALLOCATION_HELD || record->what == ALLOCATION_FREED;

    for (int64_t at = record->time - 1; at >= 0 && !model->told[at][block]; at--) {
        model->owner[at][block] = tells ? (uint32_t)record->inode : 0;
        model->told[at][block] = true;
    }
}

static void note(struct model *model, const struct allocation *record) {
    for (int64_t block = record->block; block < record->block + record->count; block++) {
        tell_before(model, record, block);
        for (int64_t at = record->time; at < MOMENTS; at++) {
            model->owner[at][block] =
                record->what == ALLOCATION_FREED ? 0 : (uint32_t)record->inode;
            model->told[at][block] = true;
        }
    }
}

UNIT_CASE("allocations", set_up, unit_close);

UNIT_LOOP(test_owners_are_those_of_the_model, 8) {
    static const enum allocation_what whats[] = {ALLOCATION_DATA, ALLOCATION_METADATA,
                                                 ALLOCATION_HELD, ALLOCATION_FREED};
    static struct model model;
    struct file_map map = {.blocks = BLOCKS, .block_size = 4096};
    struct allocations all = {0};
    struct allocation_owner owner;
    uint32_t chance = (uint32_t)_i;

    memset(&model, 0, sizeof model);
    for (int64_t i = 1; i <= RECORDS; i++) {
        int64_t block = next(&chance, BLOCKS), count = 1 + next(&chance, 8);
        struct allocation record = blocks_of(whats[next(&chance, 4)], i, next(&chance, 5), block,
                                             count < BLOCKS - block ? count : BLOCKS - block);

        add(&all, &map, &record);
        note(&model, &record);
    }
    add(&all, &map,
        &(struct allocation){
            .what = ALLOCATION_DATA, .time = RECORDS, .inode = 9, .block = BLOCKS - 1, .count = 2});
    ck_assert(allocations_sort(&all, &map, &error));
    for (int64_t at = 0; at < MOMENTS; at++) {
        for (uint64_t block = 0; block < BLOCKS; block++) {
            bool found = allocations_find(&all, block, at, &owner);

            ck_assert_uint_eq(found ? owner.inode : 0, model.owner[at][block]);
        }
    }
    allocations_free(&all);
    file_map_free(&map);
}

/* Nothing is known across a loss, except what records after it, and before it, show. */
UNIT_TEST(test_losses) {
    struct file_map map = {.blocks = BLOCKS, .block_size = 4096};
    struct allocations all = {0};
    struct allocation_owner owner;
    struct allocation records[] = {
        blocks_of(ALLOCATION_DATA, 10, 5, 0, 4),   {.what = ALLOCATION_LOST, .time = 20},
        {.what = ALLOCATION_LOST, .time = 22},     {.what = ALLOCATION_REGAINED, .time = 25},
        {.what = ALLOCATION_REGAINED, .time = 30}, blocks_of(ALLOCATION_FREED, 40, 6, 0, 1),
        blocks_of(ALLOCATION_HELD, 40, 7, 1, 1),
    };

    for (size_t i = 0; i < COUNT(records); i++) {
        add(&all, &map, &records[i]);
    }
    ck_assert(allocations_sort(&all, &map, &error));
    ck_assert(allocations_find(&all, 0, 10, &owner) && owner.inode == 5);
    ck_assert(allocations_find(&all, 0, 20, &owner) && owner.inode == 5);
    ck_assert(!allocations_find(&all, 0, 21, &owner));
    ck_assert(!allocations_find(&all, 0, 29, &owner));
    ck_assert(allocations_find(&all, 0, 30, &owner) && owner.inode == 6);
    ck_assert(allocations_find(&all, 0, 39, &owner) && owner.inode == 6);
    ck_assert(!allocations_find(&all, 0, 40, &owner));
    ck_assert(allocations_find(&all, 1, 30, &owner) && owner.inode == 7);
    ck_assert(!allocations_find(&all, 2, 30, &owner));
    allocations_free(&all);
    file_map_free(&map);
}

/* Without records of released blocks, a block may have been given to any file. */
UNIT_TEST(test_what_is_only_seen_proves_nothing) {
    struct file_map map = {.blocks = BLOCKS, .block_size = 4096};
    struct allocations all = {0};
    struct allocation_owner owner;
    struct allocation record = blocks_of(ALLOCATION_HELD, 10, 5, 0, 4);

    add(&all, &map, &record);
    ck_assert(allocations_sort(&all, &map, &error));
    ck_assert(!allocations_find(&all, 0, 10, &owner));
    allocations_free(&all);
    file_map_free(&map);
}

/* --- with an image ----------------------------------------------------------------------------*/

/* Makes an image in which inode 12 has the blocks 8 to 15, and 13, a directory, block 20. */
static void make_map(struct file_map *map) {
    uint32_t file;

    *map = (struct file_map){.blocks = BLOCKS, .block_size = 4096, .root = 2, .cluster = 2};
    ck_assert((file = file_map_add_file(map, 12, 1, &error)) != 0);
    ck_assert(file_map_add(map, 8, 8, BLOCK_DATA, file, &error));
    ck_assert((file = file_map_add_file(map, 13, 1, &error)) != 0);
    ck_assert(file_map_add(map, 20, 1, BLOCK_DIRECTORY, file, &error));
    ck_assert(file_map_add(map, 0, 4, BLOCK_INODE_TABLE, 0, &error));
    ck_assert((file = file_map_add_file(map, 15, 1, &error)) != 0);
    ck_assert(file_map_add(map, 22, 1, BLOCK_DATA, file, &error));
    map->live = map->files.count;
    ck_assert(file_map_set_name(map, 12, 2, "a", 1, &error));
    ck_assert(file_map_set_name(map, 15, 2, "b", 1, &error));
    ck_assert(file_map_finish(map, &error));
}

/* Checks the evidence for an I/O on a block: `INODE WORD CLASS PATH`. */
static void check_evidence(const struct owner_sources *sources, uint64_t block, int64_t time,
                           const char *wanted) {
    const struct evidence_io io = {time, time + 5, true};
    uint64_t behind = block + 1;
    struct evidence evidence = find_block_owner(sources, block, &io, &behind);
    struct text got = {0};

    ck_assert_uint_eq(behind, block + 1);
    text_append_format(&got, "%u %d %s ", sources->map->files.items[evidence.file].inode,
                       (int)evidence.word, block_class_name(evidence.class));
    file_map_append_path(sources->map, evidence.file, &got);
    ck_assert_str_eq(text_string(&got), wanted);
    text_free(&got);
}

UNIT_TEST(test_the_log_is_believed_before_the_image) {
    struct file_map map;
    struct commits commits;
    struct allocations all = {0};
    const struct owner_sources sources = {&map, NULL, &commits, &all};
    struct allocation records[] = {
        {.what = ALLOCATION_CREATED, .time = 5, .inode = 14, .mode = S_IFDIR | 0755},
        blocks_of(ALLOCATION_DATA, 10, 12, 24, 1), /* two blocks, like all records */
        blocks_of(ALLOCATION_DATA, 10, 14, 8, 1),
        blocks_of(ALLOCATION_DATA, 10, 12, 28, 1),
        blocks_of(ALLOCATION_DATA, 10, 15, 30, 1),
        blocks_of(ALLOCATION_METADATA, 10, 14, 10, 1),
        blocks_of(ALLOCATION_FREED, 20, 14, 8, 4),
        blocks_of(ALLOCATION_FREED, 20, 12, 28, 2),
        blocks_of(ALLOCATION_FREED, 20, 15, 30, 2),
        {.what = ALLOCATION_DELETED, .time = 30, .inode = 14, .mode = EVENT_NONE},
        blocks_of(ALLOCATION_DATA, 40, 12, 8, 2),
        {.what = ALLOCATION_CREATED, .time = 50, .inode = 13, .mode = S_IFDIR | 0755},
        blocks_of(ALLOCATION_DATA, 60, 13, 20, 1),
        blocks_of(ALLOCATION_METADATA, 60, 12, 0, 1),
        blocks_of(ALLOCATION_METADATA, 60, 12, 26, 1),
    };

    make_map(&map);
    commits_open(&commits, &map);
    for (size_t i = 0; i < COUNT(records); i++) {
        add(&all, &map, &records[i]);
    }
    ck_assert(allocations_sort(&all, &map, &error));
    check_evidence(&sources, 24, 9, "0 7 free /");
    /* In the image, inode 12 lacks the block that the log gives it: it may be another file. */
    check_evidence(&sources, 25, 10, "12 1 data /<12>");
    /* Blocks no longer owned belonged to it, since the log confirms others of its blocks; 15 has
     * none. */
    check_evidence(&sources, 28, 10, "12 1 data /a");
    check_evidence(&sources, 30, 10, "15 1 data /<15>");
    check_evidence(&sources, 8, 9, "12 5 data /a");
    check_evidence(&sources, 8, 10, "14 1 directory /<14>");
    check_evidence(&sources, 10, 10, "14 1 directory /<14>");
    check_evidence(&sources, 8, 19, "14 1 directory /<14>");
    check_evidence(&sources, 8, 20, "12 5 data /a");
    check_evidence(&sources, 8, 40, "12 1 data /a");
    check_evidence(&sources, 12, 40, "12 5 data /a");
    check_evidence(&sources, 20, 60, "13 1 directory /<13>");
    check_evidence(&sources, 0, 60, "0 1 inode table /");
    check_evidence(&sources, 26, 60, "12 1 extent tree /<12>");
    file_map_remove_unnamed_files(&map);
    ck_assert_uint_eq(map.files.count, map.live);
    allocations_free(&all);
    commits_close(&commits);
    file_map_free(&map);
}

/* Too many records, or pieces of them: nothing is known, and nothing fails. */
UNIT_LOOP(test_too_much_is_left_out, 2) {
    struct file_map map;
    struct allocations all = {0};
    struct allocation_owner owner;
    struct allocation record = blocks_of(ALLOCATION_DATA, 10, 12, 24, 1);

    make_map(&map);
    add(&all, &map, &record);
    all.piece_count = _i == 0 ? 0 : ALLOCATIONS_MOST_PIECES;
    all.gap_count = _i == 0 ? ALLOCATIONS_MOST : 0;
    add(&all, &map, &record);
    ck_assert(allocations_sort(&all, &map, &error));
    ck_assert(all.too_many && !all.whole);
    ck_assert(!allocations_find(&all, 24, 10, &owner));
    ck_assert_uint_eq(map.files.count, map.live);
    allocations_free(&all);
    file_map_free(&map);
}
