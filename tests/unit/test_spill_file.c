/* spill_file: bytes buffered in a temporary file. */
#include <dirent.h>
#include <signal.h>
#include <sys/resource.h>

#include "input/spill_file.h"
#include "unit.h"

static uint8_t byte_at(size_t i) {
    return (uint8_t)(i * 2654435761u >> 13);
}

static struct spill_file *open_good(void) {
    struct spill_file *spill = spill_file_open(&error);

    assert_done(spill != NULL);
    return spill;
}

UNIT_CASE("spill_file", folder_make, folder_remove);

/* Sizes around that of its buffer, and in pieces of every size. */
UNIT_LOOP(what_goes_in_comes_out, 6) {
    static const size_t lengths[] = {0, 1, 262143, 262144, 262145, 1000000};
    size_t length = lengths[_i];
    struct spill_file *spill = open_good();
    struct reader reader;
    uint8_t *bytes = malloc(length + 1);

    for (size_t i = 0; i < length; i++) {
        bytes[i] = byte_at(i);
    }
    for (size_t at = 0, step = 0; at < length; at += step) {
        step = length - at < step + 777 ? length - at : step + 777;
        ck_assert(spill_file_append(spill, bytes + at, step, &error));
    }
    assert_done(spill_file_replay(spill, &reader, 16, &error));
    for (size_t at = 0, available; at < length; at += available) {
        available = reader_fill(&reader, 1);
        ck_assert_uint_gt(available, 0);
        ck_assert_uint_le(available, length - at);
        ck_assert_int_eq(reader_offset(&reader), (int64_t)at + 16);
        ck_assert_int_eq(memcmp(reader_bytes(&reader), bytes + at, available), 0);
        reader_take(&reader, available);
    }
    ck_assert_uint_eq(reader_fill(&reader, 1), 0);
    ck_assert(!reader_failed(&reader));
    reader_free(&reader);
    spill_file_close(spill);
    free(bytes);
}

/* Inside the buffer, at its start, and in the part already written. */
UNIT_LOOP(cut_and_go_on, 4) {
    static const size_t lengths[] = {300000, 262144, 100000, 0};
    size_t length = lengths[_i];
    struct spill_file *spill = open_good();
    struct reader reader;
    static uint8_t bytes[400000];

    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = byte_at(i);
    }
    ck_assert(spill_file_append(spill, bytes, sizeof bytes, &error));
    ck_assert(spill_file_truncate(spill, (int64_t)length, &error));
    ck_assert(spill_file_append(spill, "xyz", 3, &error));
    ck_assert(spill_file_replay(spill, &reader, 0, &error));
    for (size_t at = 0, available; at < length; at += available) {
        available = reader_fill(&reader, 1);
        ck_assert_uint_gt(available, 0);
        available = available < length - at ? available : length - at;
        ck_assert_int_eq(memcmp(reader_bytes(&reader), bytes + at, available), 0);
        reader_take(&reader, available);
    }
    ck_assert_uint_eq(reader_fill(&reader, 4), 3);
    ck_assert_mem_eq(reader_bytes(&reader), "xyz", 3);
    reader_free(&reader);
    spill_file_close(spill);
}

static int count_files(const char *path) {
    DIR *directory = opendir(path);
    int count = 0;

    ck_assert_ptr_nonnull(directory);
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        count += entry->d_name[0] != '.';
    }
    closedir(directory);
    return count;
}

UNIT_TEST(leaves_nothing_behind) {
    struct spill_file *spill;

    unsetenv("SQLITE_TMPDIR");
    setenv("TMPDIR", folder_path(""), 1);
    spill = open_good();
    ck_assert_int_eq(count_files(folder_path("")), 0);
    spill_file_close(spill);
    spill_file_close(NULL);
}

UNIT_TEST(takes_another_folder) {
    unsetenv("SQLITE_TMPDIR");
    setenv("TMPDIR", "/none/such", 1);
    spill_file_close(open_good());
}

/* A limit of file sizes acts like a full disk. */
UNIT_TEST(a_full_disk_is_an_error) {
    struct rlimit limit = {300000, 300000};
    static uint8_t bytes[400000];
    struct spill_file *spill;
    bool done;

    unsetenv("SQLITE_TMPDIR");
    setenv("TMPDIR", folder_path(""), 1);
    signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    spill = open_good();
    done = spill_file_append(spill, bytes, sizeof bytes, &error);
    if (done) {
        struct reader reader;

        done = spill_file_replay(spill, &reader, 0, &error);
    }
    ck_assert(!done);
    assert_message(&error, "cannot write a temporary file of 400000 bytes in ");
    assert_message(&error, "TMPDIR");
    spill_file_close(spill);
}
