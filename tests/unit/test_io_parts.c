/* annotate/io_parts: whose the blocks of an I/O are. */
#include <stdio.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "annotate/io_owners.h"
#include "base/text.h"
#include "filesystem/file_map.h"
#include "unit.h"

/* The owners of the blocks of an I/O, a letter each: A, B, … data of file 1, 2, …; a, b, … what
 * says where its blocks are; # the inode table, - nobody. Each block has 100 bytes. */
static struct evidence evidence_of(char letter) {
    if (letter >= 'A' && letter <= 'Z') {
        return (struct evidence){
            (uint32_t)(letter - 'A') + 1, BLOCK_DATA, IO_EVIDENCE_IMAGE, false, 0, false};
    }
    if (letter >= 'a' && letter <= 'z') {
        return (struct evidence){
            (uint32_t)(letter - 'a') + 1, BLOCK_TREE, IO_EVIDENCE_LIKELY_IMAGE, false, 0, false};
    }
    return letter == '#'
               ? (struct evidence){0, BLOCK_INODE_TABLE, IO_EVIDENCE_IMAGE, false, 0, false}
               : (struct evidence){0, BLOCK_FREE, IO_EVIDENCE_NONE, false, 0, false};
}

static char letter_of(const struct evidence *evidence) {
    return evidence->word == IO_EVIDENCE_NONE ? '-'
           : evidence->file == 0              ? '#'
           : evidence->class == BLOCK_TREE    ? (char)('a' + evidence->file - 1)
                                              : (char)('A' + evidence->file - 1);
}

/* The parts of such blocks, as "A300 #100", and how many files they are of. */
static void check_parts(struct io_parts *parts, const char *blocks, const char *wanted,
                        size_t files) {
    struct text text = {0};

    io_parts_clear(parts);
    for (size_t i = 0; blocks[i] != '\0'; i++) {
        const struct evidence evidence = evidence_of(blocks[i]);

        io_parts_add(parts, &evidence, 1, 100);
    }
    io_parts_settle(parts);
    for (size_t i = 0; i < parts->count; i++) {
        text_append_format(&text, "%s%c%lld", i == 0 ? "" : " ",
                           letter_of(&parts->items[i].evidence), (long long)parts->items[i].bytes);
    }
    ck_assert_str_eq(text_string(&text), wanted);
    ck_assert_uint_eq(parts->files, files);
    text_free(&text);
}

START_TEST(blocks_make_parts) {
    static const struct {
        const char *blocks, *parts;
        size_t files;
    } cases[] = {
        {"A", "A100", 1},
        {"AAAA", "A400", 1},
        {"-", "-100", 0},
        {"AAB", "A200 B100", 2},
        {"ABB", "B200 A100", 2},
        {"BA", "B100 A100", 2},
        {"ABABA", "A300 B200", 2},
        {"BACCA", "A200 B100 C200", 3},
        {"C-BA", "C100 -100 B100 A100", 3},
        {"----A", "A100 -400", 1},
        {"###A", "#300 A100", 1},
        {"A#", "A100 #100", 1},
        /* The file with most blocks, whatever they hold; then what most of these hold. */
        {"AaBBB", "B300 A100 a100", 2},
        {"aAabBBC", "a200 A100 b100 B200 C100", 3},
        {"bBaA", "b100 B100 a100 A100", 2},
        {"", "", 0},
    };
    struct io_parts parts = {0};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        check_parts(&parts, cases[i].blocks, cases[i].parts, cases[i].files);
    }
    io_parts_free(&parts);
}
END_TEST

/* More files than there is room for at first, and each twice. */
START_TEST(an_io_may_have_many_parts) {
    enum { FILES = 5000 };
    struct io_parts parts = {0};

    for (uint32_t i = 0; i < 2 * FILES; i++) {
        const struct evidence evidence = {FILES - i % FILES,
                                          BLOCK_DATA,
                                          i < FILES ? IO_EVIDENCE_IMAGE : IO_EVIDENCE_LIKELY_IMAGE,
                                          false,
                                          0,
                                          false};

        io_parts_add(&parts, &evidence, 1, i == 0 ? 1 : 4096);
    }
    io_parts_settle(&parts);
    ck_assert_uint_eq(parts.count, FILES);
    ck_assert_uint_eq(parts.files, FILES);
    for (uint32_t i = 0; i < FILES; i++) {
        ck_assert_uint_eq(parts.items[i].evidence.file, FILES - i);
        ck_assert_int_eq(parts.items[i].evidence.word, IO_EVIDENCE_LIKELY_IMAGE);
        ck_assert_int_eq(parts.items[i].bytes, i == 0 ? 4097 : 8192);
    }
    io_parts_free(&parts);
}
END_TEST

/* --- many I/Os
 * ------------------------------------------------------------------------------------
 */

enum { OWNERS_BLOCKS = 1000, OWNERS_IOS = 3 * OWNED_LOT + 7 };

/* A file that has every second run of ten blocks, another that has one block. */
static void make_map(struct file_map *map) {
    struct error error = {0};
    uint32_t first, second;

    *map = (struct file_map){.blocks = OWNERS_BLOCKS, .block_size = 4096, .root = 2};
    first = file_map_add_file(map, 12, 1, &error);
    second = file_map_add_file(map, 13, 1, &error);
    map->live = map->files.count;
    for (uint64_t at = 0; at < OWNERS_BLOCKS; at += 20) {
        ck_assert(file_map_add(map, &(struct map_extent){at, 10, first, BLOCK_DATA}, &error));
    }
    ck_assert(file_map_add(map, &(struct map_extent){15, 1, second, BLOCK_DATA}, &error));
    ck_assert(file_map_settle(map, &error));
}

/* The bytes of the I/O that are in blocks of such a rest, by a look at each of them. */
static int64_t bytes_in(const struct asked_io *io, bool of_first) {
    int64_t bytes = 0;

    for (int64_t at = io->address; at < io->address + io->size / IO_SECTOR; at++) {
        bytes += (at / 8 % 20 < 10 && at / 8 < OWNERS_BLOCKS) == of_first ? IO_SECTOR : 0;
    }
    return bytes;
}

static void check_owned(const struct owned_io *owned, const struct owned_lot *lot) {
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

/* From now on, in the process of a test: no thread gets a stack that is larger than all memory that
 * can have an address. */
static void forbid_threads(void) {
    pthread_attr_t attributes;
    pthread_t thread;

    ck_assert_int_eq(pthread_attr_init(&attributes), 0);
    ck_assert_int_eq(pthread_attr_setstacksize(&attributes, (size_t)1 << 60), 0);
    ck_assert_int_eq(pthread_setattr_default_np(&attributes), 0);
    ck_assert_int_eq(pthread_attr_destroy(&attributes), 0);
    ck_assert_int_ne(pthread_create(&thread, NULL, nothing, NULL), 0);
}

/* I/Os come back in the order in which they were asked, each once; also without a thread. */
START_TEST(many_ios_are_looked_up) {
    static struct asked_io ios[OWNERS_IOS];
    struct file_map map;
    struct commits commits;
    struct device_place device = {.device = EVENT_NONE, .from = EVENT_NONE, .count = 1};
    const struct witnesses witnesses = {&map, NULL, &commits, NULL};
    struct io_owners *owners;

    if (_i == 1) {
        forbid_threads();
    }
    make_map(&map);
    commits_open(&commits, &map);
    owners = io_owners_new(&witnesses, &device);
    for (size_t i = 0; i < OWNERS_IOS; i++) {
        ios[i] = (struct asked_io){.address = rand() % (8 * (OWNERS_BLOCKS + 20)),
                                   .size = (1 + rand() % 300) * IO_SECTOR};
    }
    for (int round = 0; round < 2; round++) {
        const struct owned_lot *lot;
        size_t next = 0;

        io_owners_ask(owners, ios, OWNERS_IOS);
        while ((lot = io_owners_take(owners)) != NULL) {
            for (size_t i = 0; i < lot->count; i++) {
                ck_assert_ptr_eq(lot->ios[i].io, &ios[next++]);
                check_owned(&lot->ios[i], lot);
            }
        }
        ck_assert_uint_eq(next, OWNERS_IOS);
    }
    /* Also with I/Os that are not taken. */
    io_owners_ask(owners, ios, OWNERS_IOS);
    io_owners_free(owners);
    commits_close(&commits);
    file_map_free(&map);
}
END_TEST

Suite *io_parts_suite(void) {
    Suite *suite = suite_create("io_parts");
    TCase *cases = unit_case(suite, "io_parts");

    tcase_add_test(cases, blocks_make_parts);
    tcase_add_loop_test(cases, many_ios_are_looked_up, 0, 2);
    tcase_add_test(cases, an_io_may_have_many_parts);
    return suite;
}
