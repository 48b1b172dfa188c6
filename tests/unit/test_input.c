/* input: files and their compression; reader: its window, and lines. */
#include "input/input.h"
#include "input/reader.h"
#include "unit.h"

static const struct input_stop never_stop = {NULL, NULL};

/* --- input ----------------------------------------------------------------------------------- */

/* Reads a whole file, `step` bytes at a time; the caller frees the bytes. NULL on failure. */
static char *read_all(const char *path, size_t step, size_t *length, char hash[INPUT_HASH_SIZE],
                      struct error *error) {
    struct input *input = input_open(path, never_stop, error);
    size_t got = 1, capacity = 1 << 20;
    char *bytes;

    *length = 0;
    if (input == NULL) {
        return NULL;
    }
    bytes = malloc(capacity);
    while (got > 0) {
        ck_assert_uint_lt(*length + step, capacity);
        if (!input_read(input, bytes + *length, step, &got, error)) {
            free(bytes);
            input_close(input);
            return NULL;
        }
        *length += got;
    }
    ck_assert_int_eq(input_bytes_read(input), (int64_t)*length);
    input_hash(input, hash);
    input_close(input);
    return bytes;
}

/* Makes 100,000 bytes that compress badly. */
static void make_bytes(char bytes[100000]) {
    uint32_t state = 1;

    for (size_t i = 0; i < 100000; i++) {
        state = state * 1664525 + 1013904223;
        bytes[i] = (char)(state >> 24);
    }
}

static const struct {
    const char *command, *name, *packing;
} packings[] = {
    {"true", "plain", ""},
    {"gzip -c plain >packed", "packed", "gzip"},
    {"xz -c plain >packed", "packed", "xz"},
    {"zstd -q -c plain >packed", "packed", "zstd"},
    {"{ head -c 1000 plain | gzip; tail -c +1001 plain | gzip; } >packed", "packed", "gzip"},
    {"{ head -c 1000 plain | xz; tail -c +1001 plain | xz; } >packed", "packed", "xz"},
    {"{ head -c 1000 plain | zstd -q; tail -c +1001 plain | zstd -q; } >packed", "packed", "zstd"},
    /* Padding of xz in fours; a skippable frame of zstd. */
    {"{ xz -c plain; printf '\\0\\0\\0\\0'; } >packed", "packed", "xz"},
    {"{ zstd -q -c plain; printf '\\120\\052\\115\\030\\003\\0\\0\\0abc'; } >packed", "packed",
     "zstd"},
};

UNIT_CASE("input", folder_make, folder_remove);

UNIT_LOOP(input_unpacks, COUNT(packings)) {
    static char bytes[100000];
    char hash[INPUT_HASH_SIZE], plain_hash[INPUT_HASH_SIZE];
    const char *plain;
    struct input *input;
    size_t length;
    char *got;

    make_bytes(bytes);
    plain = folder_write("plain", bytes, sizeof bytes);
    folder_run(packings[_i].command);
    got = read_all(folder_path(packings[_i].name), 777, &length, hash, &error);
    ck_assert_ptr_nonnull(got);
    ck_assert_uint_eq(length, sizeof bytes);
    ck_assert_mem_eq(got, bytes, length);
    free(got);
    free(read_all(plain, 65536, &length, plain_hash, &error));
    ck_assert_str_eq(hash, plain_hash);
    input = input_open(folder_path(packings[_i].name), never_stop, &error);
    ck_assert_str_eq(input_packing(input), packings[_i].packing);
    input_close(input);
}

static const struct {
    const char *command, *message;
} damages[] = {
    {"gzip -c plain | head -c 5000 >packed", "packed: cannot unpack (gzip)"},
    {"xz -c plain | head -c 5000 >packed", "packed: cannot unpack (xz)"},
    {"zstd -q -c plain | head -c 5000 >packed", "packed: cannot unpack (zstd)"},
    {"gzip -c plain >packed && printf XXXX | dd of=packed bs=1 seek=50000 conv=notrunc 2>/dev/null",
     "packed: cannot unpack (gzip)"},
    {"{ gzip -c plain; gzip -c plain | head -c 500; } >packed", "packed: cannot unpack (gzip)"},
    {"xz -c plain >packed && printf XXXX | dd of=packed bs=1 seek=50000 conv=notrunc 2>/dev/null",
     "unpacked bytes: damaged; "},
    {"zstd -q -c plain >packed && printf XXXX | dd of=packed bs=1 seek=50000 conv=notrunc "
     "2>/dev/null",
     "unpacked bytes: Restored data doesn't match checksum; "},
    {"{ xz -c plain; xz -c plain | head -c 500; } >packed", "unpacked bytes: cut short; "},
    {"{ zstd -q -c plain; zstd -q -c plain | head -c 500; } >packed",
     "unpacked bytes: cut short; "},
    {"{ xz -c plain; echo what lies behind; } >packed", "unpacked bytes: damaged; "},
    {"{ zstd -q -c plain; echo behind; } >packed", "packed: cannot unpack (zstd) after 100000"},
};

/* Truncated data must not look complete. */
UNIT_LOOP(input_refuses_damaged_packing, COUNT(damages)) {
    static char bytes[100000];
    char hash[INPUT_HASH_SIZE];
    size_t length;

    make_bytes(bytes);
    folder_write("plain", bytes, sizeof bytes);
    folder_run(damages[_i].command);
    ck_assert_ptr_null(read_all(folder_path("packed"), 65536, &length, hash, &error));
    ck_assert_int_eq(error.status, EXIT_FAILED);
    assert_message(&error, damages[_i].message);
}

UNIT_TEST(input_of_nothing) {
    char hash[INPUT_HASH_SIZE];
    size_t length;

    folder_run("gzip </dev/null >packed; : >empty");
    free(read_all(folder_path("empty"), 10, &length, hash, &error));
    ck_assert_uint_eq(length, 0);
    /* XXH3 of no bytes with seed 0, from `xxhsum -H2 /dev/null`. */
    ck_assert_str_eq(hash, "99aa06d3014798d86001c324468d497f");
    free(read_all(folder_path("packed"), 10, &length, hash, &error));
    ck_assert_uint_eq(length, 0);
    ck_assert_str_eq(hash, "99aa06d3014798d86001c324468d497f");
}

UNIT_TEST(input_shorter_than_a_magic) {
    char hash[INPUT_HASH_SIZE];
    size_t length;
    char *got = read_all(folder_write("short",
                                      "\xfd"
                                      "7z",
                                      3),
                         10, &length, hash, &error);

    ck_assert_uint_eq(length, 3);
    ck_assert_mem_eq(got,
                     "\xfd"
                     "7z",
                     3);
    free(got);
}

UNIT_TEST(input_that_cannot_be_opened) {
    ck_assert_ptr_null(input_open(folder_path("nosuch"), never_stop, &error));
    assert_message(&error, "nosuch: ");
    ck_assert_ptr_null(input_open(folder_path("."), never_stop, &error));
    assert_message(&error, "directory");
}

UNIT_TEST(input_sizes) {
    struct input *input = input_open(folder_write("plain", "12345678", 8), never_stop, &error);
    char buffer[4];
    size_t got;

    ck_assert_int_eq(input_expected_size(input), 8);
    ck_assert_int_eq(input_packed_size(input), 8);
    ck_assert(input_read(input, buffer, 4, &got, &error));
    ck_assert_uint_eq(got, 4);
    ck_assert_int_eq(input_bytes_read(input), 4);
    input_close(input);
    folder_run("gzip plain");
    input = input_open(folder_path("plain.gz"), never_stop, &error);
    ck_assert_int_eq(input_expected_size(input), -1);
    ck_assert_int_gt(input_packed_size(input), 8);
    input_close(input);
}

/* --- reader ---------------------------------------------------------------------------------- */

/* The file that a test reads. */
static struct input *input;
static struct reader reader;

static void open_reader(const char *path) {
    input = input_open(path, never_stop, &error);
    ck_assert_ptr_nonnull(input);
    ck_assert(reader_init(&reader, input, &error));
}

static void close_reader(void) {
    reader_free(&reader);
    input_close(input);
    folder_remove();
}

UNIT_CASE("reader", folder_make, close_reader);

static void assert_line(int64_t offset, const char *line, size_t length) {
    const char *got;
    size_t got_length;
    int64_t got_offset;

    ck_assert_int_eq(reader_line(&reader, &got, &got_length, &got_offset), READER_LINE);
    ck_assert_int_eq(got_offset, offset);
    ck_assert_uint_eq(got_length, length);
    ck_assert_mem_eq(got, line, length);
}

static void assert_end(void) {
    const char *line;
    size_t length;
    int64_t offset;

    ck_assert_int_eq(reader_line(&reader, &line, &length, &offset), READER_END);
    ck_assert_int_eq(reader_line(&reader, &line, &length, &offset), READER_END);
    ck_assert(!reader_failed(&reader));
}

UNIT_TEST(lines) {
    static const char bytes[] = "one\n\ntwo\r\n\r\na\0b\r\r\nlast";

    open_reader(folder_write("lines", bytes, sizeof bytes - 1));
    assert_line(0, "one", 3);
    assert_line(4, "", 0);
    assert_line(5, "two", 3);
    assert_line(10, "", 0);
    assert_line(12, "a\0b\r", 4);
    ck_assert_int_eq(reader_offset(&reader), 18);
    assert_line(18, "last", 4);
    assert_end();
    ck_assert_int_eq(reader_offset(&reader), 22);
}

UNIT_TEST(a_last_line_with_newline_is_the_last) {
    open_reader(folder_write("lines", "a\n", 2));
    assert_line(0, "a", 1);
    assert_end();
}

UNIT_TEST(no_lines) {
    open_reader(folder_write("lines", "", 0));
    assert_end();
}

/* Lines of every length around the window's, between two short ones. */
UNIT_LOOP(lines_as_long_as_the_window, 7) {
    size_t length = READER_WINDOW - 3 + (size_t)_i, total = length + 6;
    char *bytes = malloc(total);
    const char *line;
    size_t got_length;
    int64_t offset;

    memset(bytes, 'x', total);
    memcpy(bytes, "a\n", 2);
    memcpy(bytes + 2 + length, "\nb\n", 3);
    open_reader(folder_write("lines", bytes, 2 + length + 3));
    assert_line(0, "a", 1);
    if (length < READER_WINDOW) {
        assert_line(2, bytes + 2, length);
    } else {
        ck_assert_int_eq(reader_line(&reader, &line, &got_length, &offset), READER_LONG_LINE);
        ck_assert_int_eq(offset, 2);
    }
    assert_line(2 + (int64_t)length + 1, "b", 1);
    assert_end();
    free(bytes);
}

UNIT_TEST(a_long_last_line) {
    size_t length = 5 * READER_WINDOW + 7;
    char *bytes = malloc(length);
    const char *line;
    int64_t offset;

    memset(bytes, 'x', length);
    open_reader(folder_write("lines", bytes, length));
    ck_assert_int_eq(reader_line(&reader, &line, &length, &offset), READER_LONG_LINE);
    ck_assert_int_eq(offset, 0);
    ck_assert_int_eq(reader_offset(&reader), 5 * (int64_t)READER_WINDOW + 7);
    assert_end();
    free(bytes);
}

/* Bytes that depend on their position, in lines of a few windows; the last has no newline. */
UNIT_LOOP(ends_of_long_lines, 4) {
    static const size_t lengths[] = {READER_WINDOW - 1, READER_WINDOW, READER_WINDOW + 1,
                                     3 * READER_WINDOW + 5};
    size_t length = lengths[_i], keep = 1000, got_length;
    char *bytes = malloc(2 * length + 4);
    struct text ends = {0};
    const char *line;
    int64_t offset;

    for (size_t i = 0; i < length; i++) {
        bytes[i] = bytes[length + 2 + i] = (char)('a' + i % 23);
    }
    memcpy(bytes + length, "\r\n", 2);
    open_reader(folder_write("lines", bytes, 2 * length + 2));
    for (int64_t at = 0; at < 2 * (int64_t)length; at += (int64_t)length + 2) {
        ck_assert_int_eq(reader_line_ends(&reader, &ends, keep, &line, &got_length, &offset),
                         READER_LINE);
        ck_assert_int_eq(offset, at);
        if (length + (at == 0) < READER_WINDOW) {
            ck_assert_uint_eq(got_length, length);
        } else {
            /* The carriage return was the last byte kept. */
            ck_assert_uint_eq(got_length, 2 * keep + 3 - (at == 0));
            ck_assert_mem_eq(line, bytes, keep);
            ck_assert_mem_eq(line + keep, "...", 3);
            ck_assert_mem_eq(line + keep + 3, bytes + length - keep + (at == 0), keep - 1);
        }
    }
    assert_end();
    ck_assert_int_eq(reader_offset(&reader), 2 * (int64_t)length + 2);
    text_free(&ends);
    free(bytes);
}

UNIT_TEST(a_line_beyond_the_longest) {
    size_t length = (size_t)READER_LONGEST + 10, got_length;
    char *bytes = malloc(length);
    struct text ends = {0};
    const char *line;
    int64_t offset;

    memset(bytes, 'x', length);
    memcpy(bytes + length - 3, "\nb\n", 3);
    open_reader(folder_write("lines", bytes, length));
    ck_assert_int_eq(reader_line_ends(&reader, &ends, 10, &line, &got_length, &offset),
                     READER_LONG_LINE);
    assert_line((int64_t)length - 2, "b", 1);
    assert_end();
    text_free(&ends);
    free(bytes);
}

/* Lines of varying length over several windows: all are complete, and none is lost. */
UNIT_TEST(many_lines) {
    size_t total = 4 * READER_WINDOW, at = 0, lines = 0;
    char *bytes = malloc(total + 1000);

    while (at < total) {
        size_t length = lines * 31 % 997;

        memset(bytes + at, 'a' + (char)(lines % 26), length);
        bytes[at + length] = '\n';
        at += length + 1;
        lines++;
    }
    open_reader(folder_write("lines", bytes, at));
    for (size_t i = 0, offset = 0; i < lines; i++) {
        assert_line((int64_t)offset, bytes + offset, i * 31 % 997);
        offset += i * 31 % 997 + 1;
    }
    assert_end();
    free(bytes);
}

UNIT_TEST(a_failed_read_ends_the_lines) {
    const char *line;
    size_t length, lines = 0;
    int64_t offset;

    folder_run("seq 1000000 | gzip | head -c 1000000 >packed");
    open_reader(folder_path("packed"));
    while (reader_line(&reader, &line, &length, &offset) != READER_END) {
        lines++;
    }
    ck_assert(reader_failed(&reader));
    assert_message(&error, "packed");
    ck_assert_uint_gt(lines, 1000);
    ck_assert_uint_lt(lines, 1000000);
}

/* --- the window ------------------------------------------------------------------------------ */

UNIT_TEST(need_and_take) {
    const uint8_t *bytes;

    open_reader(folder_write("bytes", "0123456789", 10));
    ck_assert(reader_need(&reader, 4, &bytes));
    ck_assert_mem_eq(bytes, "0123", 4);
    ck_assert(reader_need(&reader, 4, &bytes)); /* nothing was consumed before */
    ck_assert_mem_eq(bytes, "0123", 4);
    reader_take(&reader, 4);
    ck_assert_int_eq(reader_offset(&reader), 4);
    ck_assert(!reader_need(&reader, 7, &bytes));
    ck_assert(reader_need(&reader, 6, &bytes));
    ck_assert_mem_eq(bytes, "456789", 6);
    reader_take(&reader, 6);
    ck_assert(reader_need(&reader, 0, &bytes));
    ck_assert(!reader_need(&reader, 1, &bytes));
    ck_assert(!reader_failed(&reader));
    ck_assert_int_eq(reader_size(&reader), 10);
}

/* Requests the whole window at every position relative to its edge. */
UNIT_LOOP(window_edges, 5) {
    size_t total = 3 * READER_WINDOW, first = READER_WINDOW - 2 + (size_t)_i;
    uint8_t *content = malloc(total);
    const uint8_t *bytes;

    for (size_t i = 0; i < total; i++) {
        content[i] = (uint8_t)(i * 7 + i / 251);
    }
    open_reader(folder_write("bytes", content, total));
    ck_assert_int_eq(reader_skip(&reader, (int64_t)first), (int64_t)first);
    ck_assert(reader_need(&reader, READER_WINDOW, &bytes));
    ck_assert_mem_eq(bytes, content + first, READER_WINDOW);
    reader_take(&reader, READER_WINDOW);
    ck_assert(!reader_need(&reader, READER_WINDOW, &bytes) || first == READER_WINDOW - 2 ||
              first == READER_WINDOW - 1 || first == READER_WINDOW);
    ck_assert(reader_need(&reader, total - first - READER_WINDOW, &bytes));
    ck_assert_mem_eq(bytes, content + first + READER_WINDOW, total - first - READER_WINDOW);
    free(content);
}

UNIT_TEST(skip) {
    size_t total = 3 * READER_WINDOW;
    uint8_t *content = calloc(total, 1);
    const uint8_t *bytes;

    content[total - 1] = 9;
    open_reader(folder_write("bytes", content, total));
    ck_assert_int_eq(reader_skip(&reader, 0), 0);
    ck_assert_int_eq(reader_skip(&reader, (int64_t)total - 1), (int64_t)total - 1);
    ck_assert(reader_need(&reader, 1, &bytes));
    ck_assert_uint_eq(bytes[0], 9);
    ck_assert_int_eq(reader_skip(&reader, INT64_MAX), 1);
    ck_assert_int_eq(reader_skip(&reader, 1), 0);
    ck_assert_int_eq(reader_offset(&reader), (int64_t)total);
    free(content);
}
