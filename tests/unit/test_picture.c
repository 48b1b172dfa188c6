/* Downsampled rows of a picture, and its embedded notes. */
#include <sys/mman.h>

#include "output/picture.h"
#include "output/downsample.h"
#include "unit.h"

/* ---- visible rows ---- */

enum { ROWS = 40000, PARTS_OF_TIME = 100, PARTS_OF_ID = 50 };

struct row {
    int64_t time, id;
    const char *name;
};

static const struct column columns[] = {
    {"time", "s", COLUMN_TIME}, {"id", "", COLUMN_INTEGER}, {"name", "", COLUMN_TEXT}};

static const struct downsampling by_place = {
    .keys = {{.column = 0, .parts = PARTS_OF_TIME},
             {.column = 1, .parts = PARTS_OF_ID},
             {.column = 2}},
    .count = 3,
};

/* A simple generator: the upper bits of a product. */
static uint32_t dice(uint64_t *state, uint32_t limit) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((*state >> 33) % limit);
}

/* Makes rows whose range of ids grows in both directions, and whose time begins far from 0. */
static void make_rows(struct row *rows, int64_t begin, int64_t step) {
    static const char *const names[] = {"read", "write", "flush"};
    uint64_t state = 7;

    for (size_t i = 0; i < ROWS; i++) {
        rows[i] = (struct row){
            .time = begin + (int64_t)i * step,
            .id = (int64_t)dice(&state, 1 + (uint32_t)(100 * i)) - (int64_t)(50 * i),
            .name = names[dice(&state, 3)],
        };
    }
}

static void look(struct downsample *downsample, const struct row *row) {
    const struct value values[] = {
        {.type = VALUE_INTEGER, .integer = row->time},
        {.type = VALUE_INTEGER, .integer = row->id},
        {.type = VALUE_TEXT, .bytes = row->name, .length = strlen(row->name)},
    };
    char line[128];

    if (downsample_keeps_row(downsample, values)) {
        int length = snprintf(line, sizeof line, "%lld %lld %s", (long long)row->time,
                              (long long)row->id, row->name);

        downsample_store(downsample, line, (size_t)length);
    }
}

/* Parses the kept lines. */
static size_t read_kept(const struct downsample *downsample, struct row *kept,
                        uint64_t *stands_for) {
    *stands_for = 0;
    for (size_t i = 0; i < downsample_count_kept(downsample); i++) {
        const char *line;
        size_t length;
        char copy[128] = "", name[16];
        long long time, id;
        int64_t weight;

        *stands_for += downsample_line(downsample, i, &line, &length, &weight);
        memcpy(copy, line, length);
        ck_assert_int_eq(sscanf(copy, "%lld %lld %15s", &time, &id, name), 3);
        kept[i] = (struct row){time, id,
                               name[0] == 'r'   ? "read"
                               : name[0] == 'w' ? "write"
                                                : "flush"};
    }
    return (size_t)downsample_count_kept(downsample);
}

/* Checks that near every row a row of its name was kept, closer than a part of the whole range. */
static void check_seen(const struct row *rows, const struct row *kept, size_t count) {
    int64_t least = 0, most = 0;
    const int64_t width = (rows[ROWS - 1].time - rows[0].time) / PARTS_OF_TIME + 1;

    for (size_t i = 0; i < ROWS; i++) {
        least = rows[i].id < least ? rows[i].id : least;
        most = rows[i].id > most ? rows[i].id : most;
    }
    for (size_t i = 0; i < ROWS; i += 7) {
        bool found = false;

        for (size_t k = 0; k < count && !found; k++) {
            found = strcmp(kept[k].name, rows[i].name) == 0 &&
                    llabs(kept[k].time - rows[i].time) <= width &&
                    llabs(kept[k].id - rows[i].id) <= (most - least) / PARTS_OF_ID + 1;
        }
        ck_assert_msg(found, "row %zu cannot be seen", i);
    }
}

UNIT_LOOP(nothing_that_can_be_seen_is_lost, 3) {
    const int64_t begins[] = {0, 1234567, -5000000000};
    struct row *rows = calloc(ROWS, sizeof *rows), *kept = calloc(ROWS, sizeof *kept);
    struct downsample *downsample = downsample_new(&by_place);
    uint64_t stands_for;
    size_t count;

    make_rows(rows, begins[_i], _i == 1 ? 1 : 250000);
    for (size_t i = 0; i < ROWS; i++) {
        look(downsample, &rows[i]);
    }
    count = read_kept(downsample, kept, &stands_for);
    ck_assert_uint_eq(stands_for, ROWS);
    ck_assert_uint_lt(count, 3 * (2 * PARTS_OF_TIME + 2) * (2 * PARTS_OF_ID + 2));
    ck_assert_uint_lt(count, ROWS * 3 / 4);
    for (size_t k = 1; k < count; k++) {
        ck_assert_int_gt(kept[k].time, kept[k - 1].time);
    }
    check_seen(rows, kept, count);
    downsample_free(downsample);
    free(rows);
    free(kept);
}

/* Few rows are all kept, however close, unless they are at the same place. */
UNIT_TEST(few_rows_are_all_kept) {
    struct downsample *downsample = downsample_new(&by_place);
    struct text remark = {0};

    for (int64_t i = 0; i < 30; i++) {
        look(downsample, &(struct row){1000 + i, 7, "read"});
    }
    ck_assert_uint_eq(downsample_count_kept(downsample), 30);
    downsample_append_remark(downsample, columns, &remark);
    ck_assert_uint_eq(remark.length, 0);
    look(downsample, &(struct row){1029, 7, "read"});
    look(downsample, &(struct row){1029, 7, "write"});
    ck_assert_uint_eq(downsample_count_kept(downsample), 31);
    downsample_append_remark(downsample, columns, &remark);
    ck_assert_str_eq(text_string(&remark),
                     "drawn: 31 of 32 rows; of rows at the same place, only the "
                     "first (30 parts of time, 1 parts of id, name)");
    text_free(&remark);
    downsample_free(downsample);
}

/* The end of something is a value of its own; so is a missing value. */
UNIT_TEST(sums_and_missing_values) {
    static const struct downsampling from_to = {
        .keys = {{.column = 0, .parts = 10},
                 {.column = 0, .has_plus = true, .plus = 1, .parts = 10}},
        .count = 2,
    };
    const struct value values[][2] = {
        {{.type = VALUE_INTEGER, .integer = 0}, {.type = VALUE_INTEGER, .integer = 1000000}},
        {{.type = VALUE_INTEGER, .integer = 1}, {.type = VALUE_INTEGER, .integer = 5}},
        {{.type = VALUE_INTEGER, .integer = 2}, {.type = VALUE_INTEGER, .integer = INT64_MAX}},
        {{.type = VALUE_INTEGER, .integer = 2}, {.type = VALUE_NULL}},
        {{.type = VALUE_NULL}, {.type = VALUE_INTEGER, .integer = 3}},
        {{.type = VALUE_NULL}, {.type = VALUE_NULL}},
    };
    struct downsample *downsample = downsample_new(&from_to);

    for (size_t i = 0; i < COUNT(values); i++) {
        if (downsample_keeps_row(downsample, values[i])) {
            downsample_store(downsample, "x", 1);
        }
    }
    /* Beginnings are few enough to be distinguished; the last two rows have none. */
    ck_assert_uint_eq(downsample_count_kept(downsample), 5);
    downsample_free(downsample);
}

/* If places fill up, parts become wider, so that memory is bounded. */
UNIT_TEST(there_is_an_end) {
    static const struct downsampling fine = {
        .keys = {{.column = 0, .parts = 100000}, {.column = 1, .parts = 100000}},
        .count = 2,
    };
    struct downsample *downsample = downsample_new(&fine);
    uint64_t state = 3;

    for (size_t i = 0; i < 3 * DOWNSAMPLING_MOST; i++) {
        const struct value values[] = {
            {.type = VALUE_INTEGER, .integer = (int64_t)(64 * i)},
            {.type = VALUE_INTEGER, .integer = dice(&state, 1u << 30)},
        };

        if (downsample_keeps_row(downsample, values)) {
            downsample_store(downsample, "x", 1);
        }
        ck_assert_uint_le(downsample_count_kept(downsample), DOWNSAMPLING_MOST);
    }
    ck_assert_uint_gt(downsample_count_kept(downsample), DOWNSAMPLING_MOST / 4);
    downsample_free(downsample);
}

/* A weight chooses among the rows of a place: here threads run a tenth of the time. */
UNIT_TEST(states_have_their_share_of_the_picture) {
    static const struct downsampling by_state = {
        .keys = {{.column = 0, .parts = 500}}, .count = 1, .has_weight = true, .weight = 1};
    struct downsample *downsample = downsample_new(&by_state);
    int64_t time = 0, weights = 0;
    size_t count, running = 0;

    for (size_t i = 0; i < ROWS; i++) {
        int64_t duration = i % 2 == 0 ? 100 : 900;
        const struct value values[] = {{.type = VALUE_INTEGER, .integer = time},
                                       {.type = VALUE_INTEGER, .integer = duration}};
        const char *line = i % 2 == 0 ? "run" : "sleeping";

        if (downsample_keeps_row(downsample, values)) {
            downsample_store(downsample, line, strlen(line));
        }
        time += duration;
    }
    count = downsample_count_kept(downsample);
    for (size_t i = 0; i < count; i++) {
        const char *line;
        size_t length;
        int64_t weight;

        downsample_line(downsample, i, &line, &length, &weight);
        weights += weight;
        running += length == 3 && memcmp(line, "run", length) == 0;
        ck_assert(length == 3 || (length == 8 && memcmp(line, "sleeping", length) == 0));
    }
    ck_assert_int_eq(weights, time);
    ck_assert_uint_ge(count, 500);
    ck_assert_uint_gt(running, count / 20);
    ck_assert_uint_lt(running, count / 6);
    downsample_free(downsample);
}

/* ---- embedded notes ---- */

#define NOTES "A <title> & é\ntrace a: most, 3 events\nwrites per read: 1.50\n"

/* Returns the annotated file of `length` bytes; owned by the caller. */
static char *annotated(const char *bytes, size_t length, enum picture_kind kind, size_t *size) {
    int file = memfd_create("picture", 0);
    char *out;

    ck_assert_int_eq(write(file, bytes, length), (ssize_t)length);
    ck_assert(picture_annotate(file, kind, 0, NOTES, &error));
    *size = (size_t)lseek(file, 0, SEEK_END);
    out = calloc(*size + 1, 1);
    ck_assert_int_eq(pread(file, out, *size, 0), (ssize_t)*size);
    close(file);
    return out;
}

/* The checksum of PNG, computed bit by bit. */
static uint32_t checksum(const unsigned char *bytes, size_t length) {
    uint32_t sum = 0xFFFFFFFF;

    for (size_t i = 0; i < length; i++) {
        sum ^= bytes[i];
        for (int bit = 0; bit < 8; bit++) {
            sum = sum & 1 ? sum >> 1 ^ 0xEDB88320 : sum >> 1;
        }
    }
    return ~sum;
}

static uint32_t number_at(const unsigned char *at) {
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

UNIT_TEST(png_has_texts) {
    static const char png[] = "\x89PNG\r\n\x1a\n"
                              "\0\0\0\x0dIHDR\0\0\0\1\0\0\0\1\x08\2\0\0\0\x90wS\xde"
                              "\0\0\0\0IEND\xae\x42\x60\x82";
    static const char *const types[] = {"IHDR", "iTXt", "iTXt", "IEND"};
    static const char *const texts[] = {
        NULL, "Title\0\0\0\0\0A <title> & \xc3\xa9",
        "Description\0\0\0\0\0trace a: most, 3 events\nwrites per read: 1.50", NULL};
    static const size_t lengths[] = {13, 24, 61, 0};
    size_t size, at = 8;
    char *got = annotated(png, sizeof png - 1, PICTURE_PNG, &size);

    for (size_t i = 0; i < 4; i++) {
        const unsigned char *chunk = (const unsigned char *)got + at;
        const uint32_t length = number_at(chunk);

        ck_assert_uint_eq(length, lengths[i]);
        ck_assert_int_eq(memcmp(chunk + 4, types[i], 4), 0);
        ck_assert(texts[i] == NULL || memcmp(chunk + 8, texts[i], length) == 0);
        ck_assert_uint_eq(number_at(chunk + 8 + length), checksum(chunk + 4, length + 4));
        at += 12 + length;
    }
    ck_assert_uint_eq(at, size);
    free(got);
}

UNIT_TEST(svg_has_title_and_description) {
    static const char svg[] =
        "<svg>\n<title>Gnuplot</title>\n<desc>Produced by GNUPLOT</desc>\n<g/>";
    size_t size;
    char *got = annotated(svg, sizeof svg - 1, PICTURE_SVG, &size);

    ck_assert_str_eq(got, "<svg>\n<title>A &lt;title&gt; &amp; é</title>\n<desc>trace a: most, 3 "
                          "events\nwrites per read: 1.50</desc>\n<g/>");
    free(got);
}

UNIT_TEST(pdf_has_an_information_dictionary) {
    static const char pdf[] = "%PDF-1.5\n1 0 obj\n<< /Type /Catalog >>\nendobj\nxref\n0 2\n"
                              "trailer\n<< /Size 2\n   /Root 1 0 R\n>>\nstartxref\n46\n%%EOF\n";
    size_t size;
    char *got = annotated(pdf, sizeof pdf - 1, PICTURE_PDF, &size);
    const char *object = got + sizeof pdf - 1, *table;

    /* The original is unchanged. */
    ck_assert_int_eq(memcmp(got, pdf, sizeof pdf - 1), 0);
    ck_assert_int_eq(
        strncmp(object, "2 0 obj\n<< /Title <FEFF0041", strlen("2 0 obj\n<< /Title <FEFF0041")), 0);
    ck_assert_ptr_nonnull(strstr(object, "002600"));
    table = got + strtol(strstr(object, "startxref\n") + strlen("startxref\n"), NULL, 10);
    ck_assert_int_eq(strncmp(table, "xref\n2 1\n", 9), 0);
    ck_assert_int_eq(strtol(table + 9, NULL, 10), object - got);
    ck_assert_ptr_nonnull(strstr(table, "/Size 3\n   /Root 1 0 R\n   /Info 2 0 R\n   /Prev 46\n"));
    free(got);
}

/* Files that gnuplot would not write are unchanged. */
UNIT_TEST(what_is_no_picture_stays) {
    static const char *const others[] = {"",
                                         "x",
                                         "<svg><title>open",
                                         "trailer",
                                         "%PDF trailer /Size x",
                                         "trailer /Size 1 /Root 2",
                                         "\x89PNG"};

    for (size_t i = 0; i < COUNT(others); i++) {
        for (int kind = PICTURE_PNG; kind <= PICTURE_PDF; kind++) {
            size_t size;
            char *got = annotated(others[i], strlen(others[i]), (enum picture_kind)kind, &size);

            ck_assert_str_eq(got, others[i]);
            free(got);
        }
    }
}
