/* importers/palm_database: on bytes made here, and on real databases next to the checkout. */
#include "input/input.h"
#include "palm_database.h"
#include "unit.h"

static const struct input_stop never_stop = {NULL, NULL};

/* --- databases made here ---------------------------------------------------------------------- */

struct image {
    uint8_t bytes[4096];
    size_t length;
};

static void put_u16(uint8_t *to, unsigned value) {
    to[0] = (uint8_t)(value >> 8);
    to[1] = (uint8_t)value;
}

static void put_u32(uint8_t *to, uint32_t value) {
    put_u16(to, value >> 16);
    put_u16(to + 2, value & 0xFFFF);
}

/* Makes header and list of `count` records at the given offsets, in a file of `length` bytes. */
static void make_image(struct image *image, const uint32_t *offsets, unsigned count,
                       size_t length) {
    *image = (struct image){.length = length};
    memcpy(image->bytes, "ProjDB", 6);
    put_u16(image->bytes + 32, 0x0008);
    put_u16(image->bytes + 34, 7);
    put_u32(image->bytes + 36, 0xB6CD0000);
    memcpy(image->bytes + 60, "DataProj", 8);
    put_u16(image->bytes + 76, count);
    for (unsigned i = 0; i < count; i++) {
        put_u32(image->bytes + 78 + 8 * i, offsets[i]);
        put_u32(image->bytes + 82 + 8 * i, 0x40000000u | (i + 1));
    }
}

static struct {
    struct palm_database database;
    struct input *input;
    struct reader reader;
    bool done;
} opened;

static void open_file(const char *path) {
    opened.input = input_open(path, never_stop, &error);
    ck_assert_msg(opened.input != NULL, "%s", error.message);
    ck_assert(reader_init(&opened.reader, opened.input, &error));
    opened.done = palm_database_read(&opened.database, &opened.reader, &error);
}

static void open_image(const struct image *image) {
    open_file(folder_write("image.pdb", image->bytes, image->length));
}

static void open_offsets(const uint32_t *offsets, unsigned count, size_t length) {
    struct image image;

    make_image(&image, offsets, count, length);
    open_image(&image);
}

static void close_opened(void) {
    palm_database_free(&opened.database);
    reader_free(&opened.reader);
    input_close(opened.input);
    folder_remove();
}

UNIT_CASE("palm_database", folder_make, close_opened);

UNIT_TEST(header_and_list) {
    static const uint32_t offsets[] = {96, 100, 100, 200};
    struct image image;

    make_image(&image, offsets, 4, 250);
    put_u32(image.bytes + 78, 110);
    ck_assert(palm_database_has_type(image.bytes, "Data", "Proj"));
    ck_assert(!palm_database_has_type(image.bytes, "data", "Proj"));
    ck_assert(!palm_database_has_type(image.bytes, "Data", "Prok"));
    put_u32(image.bytes + 86, 120);
    put_u32(image.bytes + 94, 120); /* an empty record */
    open_image(&image);
    ck_assert(opened.done);
    ck_assert_str_eq(opened.database.name, "ProjDB");
    ck_assert_str_eq(opened.database.type, "Data");
    ck_assert_str_eq(opened.database.creator, "Proj");
    ck_assert(!opened.database.resources);
    ck_assert_uint_eq(opened.database.count, 4);
    ck_assert_uint_eq(opened.database.listed, 4);
    for (unsigned i = 0; i < 4; i++) {
        ck_assert(opened.database.records[i].good);
    }
    ck_assert_int_eq(palm_database_record_end(&opened.database, 0, &opened.reader), 120);
    ck_assert_int_eq(palm_database_record_end(&opened.database, 1, &opened.reader), 120);
    ck_assert_int_eq(palm_database_record_end(&opened.database, 2, &opened.reader), 200);
    ck_assert_int_eq(palm_database_record_end(&opened.database, 3, &opened.reader), 250);
}

/* One offset goes back, one is past the end: the others are unchanged. */
UNIT_TEST(bad_places) {
    static const uint32_t offsets[] = {130, 90, 140, 5000, 150};
    static const bool good[] = {true, false, true, false, true};
    struct image image;

    make_image(&image, offsets, 5, 200);
    open_image(&image);
    ck_assert(opened.done);
    for (int i = 0; i < 5; i++) {
        ck_assert(opened.database.records[i].good == good[i]);
    }
    ck_assert_int_eq(palm_database_record_end(&opened.database, 0, &opened.reader), 140);
    ck_assert_int_eq(palm_database_record_end(&opened.database, 2, &opened.reader), 150);
}

UNIT_TEST(place_at_the_very_end) {
    static const uint32_t offsets[] = {94, 200};

    open_offsets(offsets, 2, 200);
    ck_assert(opened.database.records[0].good);
    ck_assert(!opened.database.records[1].good);
}

/* More entries than fit: the list ends at the first record. */
UNIT_TEST(count_past_the_file) {
    static const uint32_t offsets[] = {94, 150};
    struct image image;

    make_image(&image, offsets, 2, 200);
    put_u16(image.bytes + 76, 60000);
    open_image(&image);
    ck_assert(opened.done);
    ck_assert_uint_eq(opened.database.count, 60000);
    ck_assert_uint_eq(opened.database.listed, 2);
    ck_assert(opened.database.records[1].good);
}

UNIT_TEST(no_records) {
    struct image image;

    make_image(&image, NULL, 0, 80);
    ck_assert(palm_database_sniff(image.bytes, 80, true));
    open_image(&image);
    ck_assert(opened.done);
    ck_assert_uint_eq(opened.database.listed, 0);
}

UNIT_TEST(cut_header) {
    static const uint32_t offsets[] = {94};
    struct image image;

    make_image(&image, offsets, 1, 77);
    ck_assert(!palm_database_sniff(image.bytes, 77, true));
    open_image(&image);
    ck_assert(!opened.done);
    assert_message(&error, "cut short");
}

/* The list is truncated: the entries read count. */
UNIT_TEST(cut_list) {
    static const uint32_t offsets[] = {200, 300, 400};

    open_offsets(offsets, 3, 90);
    ck_assert(opened.done);
    ck_assert_uint_eq(opened.database.count, 3);
    ck_assert_uint_eq(opened.database.listed, 1);
    ck_assert(!opened.database.records[0].good);
}

UNIT_TEST(chained_list) {
    static const uint32_t offsets[] = {94};
    struct image image;

    make_image(&image, offsets, 1, 200);
    put_u32(image.bytes + 72, 1);
    open_image(&image);
    ck_assert(!opened.done);
    assert_message(&error, "chained");
}

UNIT_TEST(names_are_harmless) {
    static const uint32_t offsets[] = {94};
    struct image image;

    make_image(&image, offsets, 1, 200);
    memset(image.bytes, 0x1b, 32); /* without a NUL */
    memset(image.bytes + 60, 0xff, 8);
    open_image(&image);
    ck_assert(opened.done);
    ck_assert_uint_eq(strlen(opened.database.name), 32 * 4);
    ck_assert_str_eq(opened.database.type, "\\xff\\xff\\xff\\xff");
}

UNIT_TEST(sniffs) {
    static const uint32_t offsets[] = {94};
    struct image image;

    make_image(&image, offsets, 1, 200);
    ck_assert(palm_database_sniff(image.bytes, 200, true));
    ck_assert(palm_database_sniff(image.bytes, 78, false));
    put_u32(image.bytes + 78, 20); /* a record within the header */
    ck_assert(!palm_database_sniff(image.bytes, 200, true));
    put_u32(image.bytes + 78, 94);
    image.bytes[0] = 1; /* not a name */
    ck_assert(!palm_database_sniff(image.bytes, 200, true));
}

/* --- real databases -------------------------------------------------------------------------- */

/* Read from the files with xxd, by the table of pdb-format.md: name at 0, type at 60, creator at
 * 64, count at 76, offset of the first entry at 78, and of the last one at 78 + 8 * (count - 1). */
static const struct {
    const char *file, *name, *type, *creator;
    unsigned attributes, count;
    uint32_t first, last;
    int64_t size;
} real[] = {
    {"AddressDB-LifeDrive.pdb", "AddressDB", "DATA", "addr", 0, 2, 0x2de, 0x596, 1614},
    {"ExpenseDB.pdb", "ExpenseDB", "DATA", "exps", 8, 0, 0, 0, 472},
    {"MemoDB.pdb", "MemoDB", "DATA", "memo", 8, 5, 0x192, 0xec4, 5089},
    {"OnBoardHeaderV40.pdb", "OnBoardHeader.h", "TEXt", "REAd", 0, 13, 0xb6, 0x3fef, 18074},
};

static int real_count(void) {
    if (access("../shared/data/pdb", R_OK) != 0) {
        puts("skipped: there is no ../shared/data/pdb");
        return 0;
    }
    return COUNT(real);
}

static void real_path(char path[128], int i) {
    snprintf(path, 128, "../shared/data/pdb/%s", real[i].file);
}

UNIT_LOOP(real_databases, real_count()) {
    char path[128];

    real_path(path, _i);
    open_file(path);
    ck_assert_msg(opened.done, "%s", error.message);
    ck_assert_str_eq(opened.database.name, real[_i].name);
    ck_assert_str_eq(opened.database.type, real[_i].type);
    ck_assert_str_eq(opened.database.creator, real[_i].creator);
    ck_assert_uint_eq(opened.database.count, real[_i].count);
    ck_assert_uint_eq(opened.database.listed, real[_i].count);
    for (uint16_t i = 0; i < opened.database.listed; i++) {
        ck_assert(opened.database.records[i].good);
        if (i > 0) {
            ck_assert_int_eq(palm_database_record_end(&opened.database, i - 1, &opened.reader),
                             opened.database.records[i].offset);
        }
    }
    if (real[_i].count > 0) {
        uint16_t last = (uint16_t)(real[_i].count - 1);

        ck_assert_uint_eq(opened.database.records[0].offset, real[_i].first);
        ck_assert_uint_eq(opened.database.records[last].offset, real[_i].last);
        ck_assert_int_eq(palm_database_record_end(&opened.database, last, &opened.reader),
                         real[_i].size);
    }
}
