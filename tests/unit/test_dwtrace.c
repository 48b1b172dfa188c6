/* dwtrace: headers, records, and dumps of a database's bytes. */
#include "dwtrace_dump.h"
#include "import/importer.h"
#include "unit.h"

/* A string of bytes and its length without the NUL. */
#define BYTES(string) (const uint8_t *)(string), sizeof(string) - 1

/* --- the header ------------------------------------------------------------------------------- */

UNIT_TEST(headers_overruled) {
    static const uint8_t little[] = "DWTR\1\0\x0B\0\x67\x12\0\0\0\0\1\0";
    const struct dwtrace_settings overruled = {
        .byte_order = DWTRACE_BIG_ENDIAN, .timestamp_bits = 32, .header_size = 100};
    const struct dwtrace_settings *settings = &overruled;
    struct dwtrace_layout layout;

    ck_assert(dwtrace_parse_header(little, settings, &layout));
    ck_assert(layout.big_endian);
    ck_assert_uint_eq(layout.version, 0x100);
    ck_assert_uint_eq(layout.timestamp_size, 4);
    ck_assert_uint_eq(layout.header_size, 100);
    ck_assert(!dwtrace_is_magic(little, 3));
    ck_assert(dwtrace_is_magic(little, 4));
    ck_assert(!dwtrace_parse_header((const uint8_t *)"DWTS............", settings, &layout));
}

/* --- records ---------------------------------------------------------------------------------- */

static const struct dwtrace_layout plain = {.most_parameters = 255};
static const struct dwtrace_layout all = {
    .lengths = true, .parameters = true, .timestamp_size = 4, .most_parameters = 255};
static const struct dwtrace_layout big = {
    .big_endian = true, .parameters = true, .timestamp_size = 8, .most_parameters = 255};

static const struct dwtrace_layout searching = {.lengths = true,
                                                .parameters = true,
                                                .timestamp_size = 4,
                                                .most_parameters = 255,
                                                .only_known = true};

/* Parses valid bytes, and fails when truncated at every byte. */
static struct dwtrace_record parse_good(const struct dwtrace_layout *layout, const uint8_t *bytes,
                                        size_t length) {
    struct dwtrace_record record;
    const char *damage;

    for (size_t cut = 1; cut < length; cut++) {
        uint8_t *copy = malloc(cut); /* of exactly that size, for the sanitizer */

        memcpy(copy, bytes, cut);
        damage = dwtrace_parse_record(layout, copy, cut, &record);
        ck_assert(damage == dwtrace_truncated || damage == dwtrace_data_overrun ||
                  damage == dwtrace_bad_wrap);
        free(copy);
    }
    damage = dwtrace_parse_record(layout, bytes, length, &record);
    ck_assert_msg(damage == NULL, "%s", damage);
    ck_assert_uint_eq(record.length, length);
    return record;
}

#define HEAD "\x17\0\2\0\7\0\0\0\x78\x56\x34\x12"

/* Types without a value, and format controls known only to the writer. The numbers of a described
 * structure are byte-swapped; others keep their bytes. */
UNIT_TEST(other_controls) {
    struct dwtrace_field fields[] = {{NULL, DWTRACE_INT16}, {NULL, DWTRACE_UINT32}};
    struct dwtrace_structure point = {.number = 3, .fields = fields, .field_count = 2, .size = 6};
    const struct dwtrace_settings settings = {.structures = &point, .structure_count = 1};
    struct dwtrace_layout layout = big;
    uint8_t list[DWTRACE_LIST_LIMIT];
    struct dwtrace_record record;

    layout.timestamp_size = 0;
    layout.settings = &settings;
    record = parse_good(&layout, BYTES("\1\0\2\0\x17\0\0\0\7\5\xA\0\xB\0\x9\3\1\2\3\4\5\6"
                                       "\x9\7\1\2\3\4\4\xFF\1\2"));
    ck_assert_uint_eq(record.parameters, 5);
    ck_assert_uint_eq(record.size, 12);
    ck_assert_uint_eq(record.bytes_length, 23);
    ck_assert(!record.as_stored);
    ck_assert_uint_eq(dwtrace_normalise_list(&layout, &record, list), 29);
    ck_assert_mem_eq(list,
                     "\5\xA\0\xB\0\x9\3\6\0\2\1\6\5\4\3"
                     "\x9\7\4\0\1\2\3\4\4\xFF\2\0\1\2",
                     29);
    layout.big_endian = false;
    record = parse_good(&layout, BYTES("\1\0\2\0\x17\0\0\0\7\1\x9\3\1\2\3\4\5\6"));
    ck_assert(!record.as_stored);
    ck_assert_uint_eq(dwtrace_normalise_list(&layout, &record, list), 11);
    ck_assert_mem_eq(list, "\1\x9\3\6\0\1\2\3\4\5\6", 11);
}

static const struct {
    const struct dwtrace_layout *layout;
    const char *bytes;
    size_t length;
    const char *damage;
} damages[] = {
    {&plain, "\0\x17\0\2\0\7\0\0\0", 9, dwtrace_bad_type},
    {&plain, "\4\3\0\2\0\7\0\0\0", 9, dwtrace_bad_type}, /* without lengths */
    {&all, "\5\3\0", 3, dwtrace_bad_type},
    {&all, "\1\0\0" HEAD "\0", 16, dwtrace_bad_length},
    {&all, "\1\2\0" HEAD "\0", 16, dwtrace_bad_length},
    {&all, "\1\3\0" HEAD "\0", 16, dwtrace_bad_length},
    {&all, "\1\xF\0" HEAD "\0", 16, dwtrace_bad_length},
    {&all, "\1\x11\0" HEAD "\0\0", 17, dwtrace_bad_length},
    {&all, "\1\x11\0" HEAD "\0", 16, dwtrace_bad_length}, /* past the end, and too long as well */
    {&all, "\3\x13\0" HEAD "\3\0ab", 19, dwtrace_bad_length},
    {&all, "\3\x14\0" HEAD "\2\0abc", 20, dwtrace_bad_length},
    {&all, "\1\x13\0" HEAD "\1\6\0\1", 19, dwtrace_bad_length},
    {&all, "\1\x12\0" HEAD "\1\0\0", 18, dwtrace_bad_parameter},
    {&all, "\1\x12\0" HEAD "\1\xC\0", 18, dwtrace_bad_parameter},
    {&all, "\1\x13\0" HEAD "\1\xA\0\0", 19, dwtrace_bad_length}, /* TRUE has no value */
    {&all, "\1\x12\0" HEAD "\1\1\3", 18, dwtrace_bad_length},
    {&searching, "\1\x13\0" HEAD "\1\1\3\7", 19, dwtrace_bad_control},
    {&all, "\4\2\0", 3, dwtrace_bad_length},
    {&all, "\4\4\0", 3, dwtrace_bad_wrap},
};

UNIT_LOOP(damaged_records, COUNT(damages)) {
    struct dwtrace_record record;

    ck_assert_ptr_eq(dwtrace_parse_record(damages[_i].layout, (const uint8_t *)damages[_i].bytes,
                                          damages[_i].length, &record),
                     damages[_i].damage);
}

/* --- dump ------------------------------------------------------------------------------------- */

static void check_dump(enum dump_moment moment, uint32_t flags, int64_t value,
                       const uint8_t *arguments, size_t length, const char *shown) {
    const struct importer *importer = importer_find(&(const struct config){0}, "dwtrace");
    uint8_t *copy = malloc(length + 1);
    struct dump_event dump = {
        .event = {.value = value, .flags = flags, .arguments = copy},
        .arguments_size = length,
    };
    struct text text = {0};

    memcpy(copy, arguments, length);
    copy = realloc(copy, length == 0 ? 1 : length); /* of exactly that size, for the sanitizer */
    dump.event.arguments = copy;
    importer->dump_span(&dump, moment, &text);
    ck_assert_str_eq(text_string(&text), shown);
    text_free(&text);
    free(copy);
}

UNIT_TEST(dump_parameters) {
    check_dump(DUMP_ENTRY, 0, EVENT_NONE,
               BYTES("\5\6\0\5\0\0\0\3\0\1\x8\0\x34\x12\0\x80\x8\1\x9\2"),
               "(UINT32 5, BOOL 1, POINTER 0x80001234, POINTER NULL, STRUCT not aligned)");
    check_dump(DUMP_ENTRY, 0, EVENT_NONE,
               BYTES("\7\1\0\xFF\2\0\x80\2\0\x7F\4\0\xFF\xFF\5\0\xFF\xFF\7\0\0\0\0\x80\x9\0\0\0\0"
                     "\0"),
               "(UINT8 255, INT8 -128, INT8 127, UINT16 65535, INT16 -1, INT32 -2147483648, "
               "STRUCT 0x0)");
    check_dump(DUMP_ENTRY, 0, EVENT_NONE, BYTES(""), "");
    check_dump(DUMP_ENTRY, 0, EVENT_NONE, BYTES("\0"), "");
    check_dump(DUMP_ENTRY, 0, EVENT_NONE, BYTES("\0\1\1\0\1"), "");
    check_dump(DUMP_EXIT, 0, -5, BYTES("\0\1\1\0\1"), " = -5 (UINT8 1)");
    check_dump(DUMP_EXIT, 0, 0, BYTES("\1\1\0\2\1\1\0\1"), " = 0 (UINT8 1)");
    check_dump(DUMP_EXIT, 0, 0, BYTES("\1\1\0\2"), " = 0");
    check_dump(DUMP_EXIT, 0, 0, BYTES(""), " = 0");
    check_dump(DUMP_EXIT, SPAN_EXIT_MISSING, EVENT_NONE, BYTES("\1\1\0\2"), "");
    check_dump(DUMP_EXIT, SPAN_STRAY_EXIT, 1, BYTES("\1\1\0\2"), " = 1 (UINT8 2)");
}

UNIT_TEST(dump_data) {
    check_dump(DUMP_DATA, SPAN_DATA, EVENT_NONE, BYTES("Hello\033[1m\\\x80"),
               " 11 bytes: 48656c6c 6f1b5b31 6d5c80 |Hello.[1m\\.|");
    check_dump(DUMP_DATA, SPAN_DATA, EVENT_NONE, BYTES("a"), " 1 byte: 61 |a|");
    check_dump(DUMP_DATA, SPAN_DATA, EVENT_NONE, BYTES(""), " 0 bytes");
}

/* A database may contain anything. */
UNIT_TEST(dump_anything) {
    check_dump(DUMP_ENTRY, 0, EVENT_NONE, BYTES("\1"), "(?)");
    check_dump(DUMP_ENTRY, 0, EVENT_NONE, BYTES("\1\6\0\5\0\0"), "(?)");
    check_dump(DUMP_ENTRY, 0, EVENT_NONE, BYTES("\1\xC\0\5\0\0"), "(?)");
    check_dump(DUMP_EXIT, 0, 3, BYTES("\1\xC\0\5\0\0"), " = 3");
    check_dump(DUMP_EXIT, 0, 3, BYTES("\0\xFF\1"), " = 3 (?)");
    for (unsigned seed = 0; seed < 100000; seed++) {
        const struct importer *importer = importer_find(&(const struct config){0}, "dwtrace");
        size_t length = seed % 40;
        uint8_t *bytes = malloc(length + 1);
        struct text text = {0};

        for (size_t i = 0; i < length; i++) {
            bytes[i] = (uint8_t)((seed * 2654435761u + i * 40503u) >> 7) % (i % 3 == 0 ? 255 : 5);
        }
        bytes = realloc(bytes, length == 0 ? 1 : length);
        importer->dump_span(&(struct dump_event){.event = {.arguments = bytes, .value = seed},
                                                 .arguments_size = length},
                            (enum dump_moment)(seed % 3), &text);
        ck_assert(strlen(text_string(&text)) == text.length);
        text_free(&text);
        free(bytes);
    }
}
