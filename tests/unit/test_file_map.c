/* filesystem/file_map: names of files when inodes were reused. */
#include "filesystem/file_map.h"
#include "unit.h"

enum { ROOT = 2, FOLDER = 11, FILE_INODE = 12 };

/* The root has a directory now, whose inode belonged to a file until transaction 5. */
struct example {
    struct file_map map;
    uint32_t folder, gone_file, gone_folder;
};

static void told(struct file_map *map, uint32_t inode, uint32_t parent, uint32_t transaction,
                 const char *name) {
    const struct past_name past = {.inode = inode,
                                   .parent = parent,
                                   .transaction = transaction,
                                   .length = (uint16_t)strlen(name)};

    ck_assert(file_map_add_past_name(map, &past, name, &error));
}

static void make(struct example *example) {
    struct file_map *map = &example->map;

    *example = (struct example){.map = {.blocks = 1, .block_size = 4096, .root = ROOT}};
    ck_assert_uint_ne(file_map_add_file(map, ROOT, 1, &error), 0);
    example->folder = file_map_add_file(map, FOLDER, 2, &error);
    map->live = map->files.count;
    ck_assert(file_map_set_name(map, FOLDER, ROOT, "now", 3, &error));
    example->gone_folder = file_map_add_file(map, FOLDER, 1, &error);
    example->gone_file = file_map_add_file(map, FILE_INODE, 1, &error);
    /* The journal has both inodes from transaction 1 on. */
    map->files.items[example->folder].since = 5;
    map->files.items[example->folder].until = 20;
    map->files.items[example->folder].touched = 2;
    map->files.items[example->gone_folder].since = 1;
    map->files.items[example->gone_folder].until = 5;
    map->files.items[example->gone_folder].touched = 2;
    map->files.items[example->gone_file].since = 1;
    map->files.items[example->gone_file].until = 7;
    map->files.items[example->gone_file].touched = 2;
}

static void settle(struct example *example) {
    sort_past_names(&example->map);
    map_fill_deleted_files(&example->map);
}

static void assert_path(struct example *example, uint32_t file, uint32_t transaction,
                        const char *wanted) {
    struct text path = {0};

    file_map_append_path_after(&example->map, file, transaction, &path);
    ck_assert_str_eq(text_string(&path), wanted);
    text_free(&path);
}

UNIT_TEST(a_name_of_a_later_file_is_none) {
    struct example example;

    make(&example);
    told(&example.map, FILE_INODE, ROOT, 9, "another");
    settle(&example);
    assert_path(&example, example.gone_file, 3, "/<12>");
    file_map_free(&example.map);

    make(&example);
    told(&example.map, FILE_INODE, ROOT, 6, "renamed");
    told(&example.map, FILE_INODE, ROOT, 9, "another");
    settle(&example);
    assert_path(&example, example.gone_file, 3, "/renamed");
    assert_path(&example, example.gone_file, 6, "/renamed");
    file_map_free(&example.map);
}

UNIT_TEST(a_folder_is_that_of_its_time) {
    struct example example;

    make(&example);
    told(&example.map, FILE_INODE, FOLDER, 2, "file");
    settle(&example);
    /* The image's name of the directory's inode does not apply to the earlier file. */
    assert_path(&example, example.gone_file, 3, "/<11>/file");
    assert_path(&example, example.folder, 6, "/now");
    file_map_free(&example.map);

    make(&example);
    told(&example.map, FILE_INODE, FOLDER, 2, "file");
    told(&example.map, FOLDER, ROOT, 4, "then");
    settle(&example);
    assert_path(&example, example.gone_file, 3, "/then/file");
    assert_path(&example, example.folder, 6, "/now");
    file_map_free(&example.map);
}

/* --- runs of blocks with the same owners ------------------------------------------------------ */

enum { RUN_BLOCKS = 300, RUN_TURNS = 12, RUN_PASTS = 40 };

/* Makes a map of random extents, with random earlier extents over them. */
static void make_runs(struct file_map *map, unsigned seed) {
    uint32_t file;

    srand(seed);
    *map = (struct file_map){.blocks = RUN_BLOCKS, .block_size = 4096, .root = ROOT};
    ck_assert((file = file_map_add_file(map, FILE_INODE, 1, &error)) != 0);
    map->live = map->files.count;
    for (uint64_t at = (uint64_t)rand() % 9; at < RUN_BLOCKS; at += 1 + (uint64_t)rand() % 20) {
        ck_assert(file_map_add(map, at, 1 + (uint32_t)rand() % 9, BLOCK_DATA, file, &error));
    }
    for (int i = 0; i < RUN_PASTS; i++) {
        uint32_t from = (uint32_t)rand() % RUN_TURNS;
        struct past_owner past = {.start = (uint64_t)rand() % RUN_BLOCKS,
                                  .length = 1 + (uint32_t)rand() % 30,
                                  .file = file,
                                  .from = from,
                                  .until = from + 1 + (uint32_t)rand() % 4,
                                  .class = BLOCK_DATA};

        ck_assert(file_map_add_past_owner(map, &past, map->pasts.count, &error));
    }
    ck_assert(file_map_finish(map, &error));
    sort_past_owners(map);
}

/* Returns whether the next block has the same extents and earlier extents, by checking all of
 * them. */
static bool goes_on(const struct file_map *map, uint64_t block) {
    bool same = true;

    for (size_t i = 0; i < map->extents.count; i++) {
        const struct map_extent *extent = &map->extents.items[i];

        same = same && extent->start != block + 1 && extent->start + extent->length != block + 1;
    }
    for (size_t i = 0; i < map->pasts.count; i++) {
        const struct past_owner *past = &map->pasts.items[i];

        same = same && past->start != block + 1 && past->start + past->length != block + 1;
    }
    return same;
}

UNIT_LOOP(runs_are_of_one_owner, 4) {
    struct file_map map;

    make_runs(&map, (unsigned)_i);
    for (uint64_t block = 0; block < RUN_BLOCKS; block++) {
        for (uint32_t turn = 0; turn < RUN_TURNS; turn++) {
            uint64_t behind = block + 50, all = block + 1;
            const struct map_extent *now = file_map_find_run(&map, block, &behind);
            const struct past_owner *past =
                file_map_find_past_owner_run(&map, block, turn, &behind);

            while (all < block + 50 && goes_on(&map, all - 1)) {
                all++;
            }
            ck_assert_uint_eq(behind, all);
            for (uint64_t at = block; at < behind; at++) {
                ck_assert_ptr_eq(file_map_find(&map, at), now);
                ck_assert_ptr_eq(file_map_find_past_owner(&map, at, turn), past);
            }
        }
    }
    file_map_free(&map);
}
