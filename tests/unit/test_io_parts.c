/* annotate/io_parts: owners of the blocks of an I/O. */
#include <pthread.h>

#include "annotate/mapping.h"
#include "filesystem/file_map.h"
#include "unit.h"

static const struct filesystem_location device = {
    .device = EVENT_NONE, .from = EVENT_NONE, .count = 1};

/* Starts a map of some existing files. It must be filled and settled. */
static void begin_map(struct file_map *map, uint64_t blocks, uint32_t files) {
    *map = (struct file_map){.blocks = blocks, .block_size = 4096, .root = 2};
    for (uint32_t file = 1; file <= files; file++) {
        ck_assert_uint_eq(file_map_add_file(map, 11 + file, 1, &error), file);
    }
    map->live = map->files.count;
}

static void add(struct file_map *map, uint64_t block, uint32_t blocks, uint32_t file,
                enum block_class class) {
    ck_assert(file_map_add(map, block, blocks, class, file, &error));
}

/* Checks the owners of all blocks of the map, by one I/O. */
static void check_parts(const struct file_map *map, const struct file_map *before,
                        void check(const struct io_owner_batch *lot, const void *wanted),
                        const void *wanted) {
    const struct io_lookup io = {.size = (int64_t)(map->blocks * map->block_size)};
    struct commits commits;
    const struct owner_sources sources = {map, before, &commits, NULL};
    const struct io_owner_batch *lot;
    struct io_owners *owners;

    commits_open(&commits, map);
    owners = io_owners_new(&sources, &device);
    io_owners_send(owners, &io, 1);
    lot = io_owners_receive(owners);
    ck_assert_uint_eq(lot->count, 1);
    check(lot, wanted);
    ck_assert_ptr_null(io_owners_receive(owners));
    io_owners_free(owners);
    commits_close(&commits);
}

struct letters {
    const char *blocks, *parts;
    size_t files;
};

/* Adds owners of blocks as letters: A, B, … data of file 1, 2, …; a, b, … their block maps; # the
 * inode table, - nobody. */
static void add_letters(struct file_map *map, const char *letters) {
    for (uint64_t i = 0; letters[i] != '\0'; i++) {
        const char letter = letters[i];

        if (letter >= 'A' && letter <= 'Z') {
            add(map, i, 1, (uint32_t)(letter - 'A') + 1, BLOCK_DATA);
        } else if (letter >= 'a' && letter <= 'z') {
            add(map, i, 1, (uint32_t)(letter - 'a') + 1, BLOCK_TREE);
        } else if (letter == '#') {
            add(map, i, 1, 0, BLOCK_INODE_TABLE);
        }
    }
}

static char letter_of(const struct evidence *evidence) {
    return evidence->word == IO_EVIDENCE_NONE ? '-'
           : evidence->file == 0              ? '#'
           : evidence->class == BLOCK_TREE    ? (char)('a' + evidence->file - 1)
                                              : (char)('A' + evidence->file - 1);
}

/* Checks the parts, as "A3 #1": letter and blocks. */
static void check_letters(const struct io_owner_batch *lot, const void *wanted) {
    const struct letters *letters = wanted;
    struct text text = {0};

    for (size_t i = 0; i < lot->ios[0].count; i++) {
        ck_assert_int_eq(lot->parts[i].bytes, (int64_t)lot->parts[i].blocks * 4096);
        text_append_format(&text, "%s%c%llu", i == 0 ? "" : " ", letter_of(&lot->parts[i].evidence),
                           (unsigned long long)lot->parts[i].blocks);
    }
    ck_assert_str_eq(text_string(&text), letters->parts);
    ck_assert_uint_eq(lot->ios[0].files, letters->files);
    text_free(&text);
}

UNIT_TEST(blocks_make_parts) {
    static const struct letters cases[] = {
        {"A", "A1", 1},
        {"AAAA", "A4", 1},
        {"-", "-1", 0},
        {"AAB", "A2 B1", 2},
        {"ABB", "B2 A1", 2},
        {"BA", "B1 A1", 2},
        {"ABABA", "A3 B2", 2},
        {"BACCA", "A2 B1 C2", 3},
        {"C-BA", "C1 -1 B1 A1", 3},
        {"----A", "A1 -4", 1},
        {"###A", "#3 A1", 1},
        {"A#", "A1 #1", 1},
        /* The file with the most blocks of any kind; then the kind of most of these. */
        {"AaBBB", "B3 A1 a1", 2},
        {"aAabBBC", "a2 A1 b1 B2 C1", 3},
        {"bBaA", "b1 B1 a1 A1", 2},
    };
    struct file_map map;

    for (size_t i = 0; i < COUNT(cases); i++) {
        begin_map(&map, strlen(cases[i].blocks), 3);
        add_letters(&map, cases[i].blocks);
        ck_assert(file_map_finish(&map, &error));
        check_parts(&map, NULL, check_letters, &cases[i]);
        file_map_free(&map);
    }
}

enum { FILES = 5000 };

static void check_many(const struct io_owner_batch *lot, const void *wanted) {
    ck_assert_uint_eq(lot->ios[0].count, FILES);
    ck_assert_uint_eq(lot->ios[0].files, FILES);
    for (uint32_t i = 0; i < FILES; i++) {
        ck_assert_uint_eq(lot->parts[i].evidence.file, FILES - i);
        ck_assert_int_eq(lot->parts[i].evidence.word, IO_EVIDENCE_LIKELY_IMAGE);
        ck_assert_int_eq(lot->parts[i].bytes, 8192);
    }
}

/* More files than fit at first, each twice: once where an earlier image agrees, and the part is as
 * likely as its other block. */
UNIT_TEST(an_io_may_have_many_parts) {
    struct file_map map, before;

    begin_map(&map, 2 * FILES, FILES);
    begin_map(&before, 2 * FILES, FILES);
    for (uint32_t i = 0; i < 2 * FILES; i++) {
        add(&map, i, 1, FILES - i % FILES, BLOCK_DATA);
        if (i < FILES) {
            add(&before, i, 1, FILES - i, BLOCK_DATA);
        }
    }
    ck_assert(file_map_finish(&map, &error) && file_map_finish(&before, &error));
    check_parts(&map, &before, check_many, NULL);
    file_map_free(&map);
    file_map_free(&before);
}

enum { OWNERS_BLOCKS = 1000, OWNERS_IOS = 3 * OWNED_LOT + 7 };

/* Makes a map with a file that has every second run of ten blocks, and another that has one
 * block. */
static void make_map(struct file_map *map) {
    begin_map(map, OWNERS_BLOCKS, 2);
    for (uint64_t at = 0; at < OWNERS_BLOCKS; at += 20) {
        add(map, at, 10, 1, BLOCK_DATA);
    }
    add(map, 15, 1, 2, BLOCK_DATA);
    ck_assert(file_map_finish(map, &error));
}

/* Returns the bytes of the I/O in blocks of such a remainder, by checking each of them. */
static int64_t bytes_in(const struct io_lookup *io, bool of_first) {
    int64_t bytes = 0;

    for (int64_t at = io->address; at < io->address + io->size / IO_SECTOR; at++) {
        bytes += (at / 8 % 20 < 10 && at / 8 < OWNERS_BLOCKS) == of_first ? IO_SECTOR : 0;
    }
    return bytes;
}

static void check_owned(const struct owned_io *owned, const struct io_owner_batch *lot) {
    int64_t first = 0, others = 0;
    bool outside = owned->io->address / 8 >= OWNERS_BLOCKS;

    ck_assert_int_eq(owned->count == 0, outside);
    for (size_t i = owned->first; i < owned->first + owned->count; i++) {
        if (lot->parts[i].evidence.file == 1) {
            first += lot->parts[i].bytes;
        } else {
            others += lot->parts[i].bytes;
        }
    }
    ck_assert_int_eq(first, outside ? 0 : bytes_in(owned->io, true));
    ck_assert_int_eq(others, outside ? 0 : bytes_in(owned->io, false));
    ck_assert_uint_le(owned->count, 3);
}

static void *nothing(void *context) {
    return context;
}

/* From now on, in the test's process, no thread can get a stack, since it would exceed the address
 * space. */
static void forbid_threads(void) {
    pthread_attr_t attributes;
    pthread_t thread;

    ck_assert_int_eq(pthread_attr_init(&attributes), 0);
    ck_assert_int_eq(pthread_attr_setstacksize(&attributes, (size_t)1 << 60), 0);
    ck_assert_int_eq(pthread_setattr_default_np(&attributes), 0);
    ck_assert_int_eq(pthread_attr_destroy(&attributes), 0);
    ck_assert_int_ne(pthread_create(&thread, NULL, nothing, NULL), 0);
}

/* I/Os return in the order of the requests, each once; also without a thread. */
UNIT_LOOP(many_ios_are_looked_up, 2) {
    static struct io_lookup ios[OWNERS_IOS];
    struct file_map map;
    struct commits commits;
    const struct owner_sources sources = {&map, NULL, &commits, NULL};
    struct io_owners *owners;

    if (_i == 1) {
        forbid_threads();
    }
    make_map(&map);
    commits_open(&commits, &map);
    owners = io_owners_new(&sources, &device);
    for (size_t i = 0; i < OWNERS_IOS; i++) {
        ios[i] = (struct io_lookup){.address = rand() % (8 * (OWNERS_BLOCKS + 20)),
                                    .size = (1 + rand() % 300) * IO_SECTOR};
    }
    for (int round = 0; round < 2; round++) {
        const struct io_owner_batch *lot;
        size_t next = 0;

        io_owners_send(owners, ios, OWNERS_IOS);
        while ((lot = io_owners_receive(owners)) != NULL) {
            for (size_t i = 0; i < lot->count; i++) {
                ck_assert_ptr_eq(lot->ios[i].io, &ios[next++]);
                check_owned(&lot->ios[i], lot);
            }
        }
        ck_assert_uint_eq(next, OWNERS_IOS);
    }
    /* Also with I/Os whose results are not taken. */
    io_owners_send(owners, ios, OWNERS_IOS);
    io_owners_free(owners);
    commits_close(&commits);
    file_map_free(&map);
}
