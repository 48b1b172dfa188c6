/* Binary records of the real-time tracer for Android, MOST's successor: completed block I/O (K. Kim
 * et al., "Real-time IO Trace Analysis of Smartphone Users", Table I).
 *
 * Little-endian, packed, 46 bytes a record, no header, no magic number:
 *
 *     0   8  time       date and time to the second, see below
 *     8   8  usec       microseconds within the second
 *     16  1  ext        file type (android_file_types.c)
 *     17  1  rwbs       0 read, 1 write, 2 readsync, 3 writesync
 *     18  4  sector     of 512 bytes
 *     22  4  block_num  blocks of 512 bytes
 *     26  4  pid
 *     30  16 pname      process, NUL-padded, not always terminated
 *
 * Quirks: the paper does not say how `time` is encoded. Unix seconds, decimal YYYYMMDDhhmmss and
 * decimal YYMMDDhhmmss are tried; the one that fits most of the first records is used for the
 * file. Unix seconds are UTC; decimal times are local, at an offset of 0 unless one is given.
 * Times may go back a little. `ext` is meant for the paper's own seven categories, but the paper
 * does not give their numbers: AndroTrace's codes are used.
 *
 * Tables filled: event (time, operation, actor, object, flags, address, size); name (kind action,
 * always C: completed); actor (pid and process); object (file type). */
#include <string.h>

#include "android_file_types.h"
#include "base/time_unit.h"
#include "block_io.h"
#include "lines.h"
#include "input/bytes.h"

enum {
    RECORD_SIZE = 46,
    NAME_SIZE = 16,
    USEC_LIMIT = 1000000,
    ENCODINGS = 3,
};

/* Reasons (ledger.reason) for rejecting records; report ledger prints them. */
static const char bad_time[] = "time is not in the file's encoding";
static const char bad_usec[] = "microseconds not below 1000000";
static const char bad_type[] = "unknown file type code";
static const char bad_rwbs[] = "rwbs code above 3";
static const char bad_blocks[] = "block_num beyond 8 GiB";

/* An encoding of the field `time` of records. */
struct encoding {
    bool (*decode)(int64_t time, int64_t *seconds);
    const char *variant;
};

struct most_binary {
    struct block_dated dated;
    const struct encoding *encoding; /* encoding of times in the current file */
    int64_t utc_offset; /* offset of the device's clock from UTC, ns; 0 for Unix seconds */
};

/* --- parsing one record ----------------------------------------------------------------------- */

/* Decodes a time in Unix seconds. Returns false if it is not in the years 2000 to 2099. */
static bool unix_seconds(int64_t time, int64_t *seconds) {
    *seconds = time;
    return time >= INT64_C(946684800) && time < INT64_C(4102444800);
}

static bool unix_time_of_decimal_date(int64_t time, int64_t century, int64_t *seconds) {
    struct android_date date = {
        .year = century + time / INT64_C(10000000000),
        .month = time / 100000000 % 100,
        .day = time / 1000000 % 100,
        .hour = time / 10000 % 100,
        .minute = time / 100 % 100,
        .second = time % 100,
    };

    return time >= 0 && android_date_seconds(&date, seconds);
}

static bool unix_time_of_long_date(int64_t time, int64_t *seconds) {
    return unix_time_of_decimal_date(time, 0, seconds);
}

static bool unix_time_of_short_date(int64_t time, int64_t *seconds) {
    return time < INT64_C(1000000000000) && unix_time_of_decimal_date(time, 2000, seconds);
}

/* If several encodings fit a file equally well, the first is used: some Unix seconds of 2001 to
 * 2008 could also be YYMMDDhhmmss in the year 2000. */
static const struct encoding encodings[ENCODINGS] = {
    {unix_seconds, "unix"},
    {unix_time_of_long_date, "yyyymmdd"},
    {unix_time_of_short_date, "yymmdd"},
};

struct record {
    int64_t time; /* nanoseconds since 1970-01-01 by the device's clock */
    unsigned type, rwbs;
};

/* Parses a record. Returns NULL, or why the record is bad. */
static const char *most_binary_parse_record(const uint8_t *bytes,
                                            bool (*decode)(int64_t time, int64_t *seconds),
                                            struct record *record) {
    int64_t seconds, usec = bytes_i64_little(bytes + 8);

    record->type = bytes[16];
    record->rwbs = bytes[17];
    if (!decode(bytes_i64_little(bytes), &seconds)) {
        return bad_time;
    }
    if (usec < 0 || usec >= USEC_LIMIT) {
        return bad_usec;
    }
    if (record->type >= ANDROID_FILE_TYPES) {
        return bad_type;
    }
    if (record->rwbs > 3) {
        return bad_rwbs;
    }
    if (bytes_u32_little(bytes + 22) > BLOCK_IO_BLOCKS) {
        return bad_blocks;
    }
    record->time = seconds * SECOND + usec * 1000;
    return NULL;
}

/* Returns whether a record probably begins at `bytes`: its values are valid, and NULs pad its
 * process name. Only for searching: where records are known to begin, padding is not checked. */
static bool most_binary_is_record(const uint8_t *bytes,
                                  bool (*decode)(int64_t time, int64_t *seconds)) {
    const uint8_t *name = bytes + RECORD_SIZE - NAME_SIZE;
    size_t length = strnlen((const char *)name, NAME_SIZE);
    struct record record;

    if (most_binary_parse_record(bytes, decode, &record) != NULL) {
        return false;
    }
    while (length < NAME_SIZE && name[length] == 0) {
        length++;
    }
    return length == NAME_SIZE;
}

/* Returns whether a record is valid if times have a certain encoding. */
static bool record_has_encoding(const void *context, const uint8_t *bytes) {
    const struct encoding *encoding = context;

    return most_binary_is_record(bytes, encoding->decode);
}

/* Counts the valid records under each encoding, at multiples of 46 bytes. */
static void fit_encodings(const uint8_t *bytes, size_t length, int64_t fits[ENCODINGS]) {
    for (size_t i = 0; i < ENCODINGS; i++) {
        fits[i] = 0;
        for (size_t at = 0; at + RECORD_SIZE <= length; at += RECORD_SIZE) {
            fits[i] += most_binary_is_record(bytes + at, encodings[i].decode);
        }
    }
}

static size_t best_encoding(const int64_t fits[ENCODINGS]) {
    size_t best = 0;

    for (size_t i = 1; i < ENCODINGS; i++) {
        if (fits[i] > fits[best]) {
            best = i;
        }
    }
    return best;
}

/* --- reading records -------------------------------------------------------------------------- */

static const char *most_binary_take(struct import *import, void *context, const uint8_t *bytes,
                                    int64_t offset) {
    static const enum io_class classes[] = {IO_READ, IO_WRITE, IO_READSYNC, IO_WRITESYNC};
    const char *name = (const char *)bytes + RECORD_SIZE - NAME_SIZE;
    struct most_binary *state = context;
    struct record record;
    const char *damage = most_binary_parse_record(bytes, state->encoding->decode, &record);
    struct block_request request;

    if (damage != NULL) {
        return damage;
    }
    request = (struct block_request){
        .action = "C",
        .action_length = 1,
        .flags = (uint32_t)classes[record.rwbs] | block_type_bits(IO_BLOCK_NONE),
        .device = EVENT_NONE,
        .sector = bytes_u32_little(bytes + 18),
        .blocks = bytes_u32_little(bytes + 22),
        .pid = bytes_u32_little(bytes + 26),
        .process = name[0] == '\0' ? NULL : name,
        .process_length = strnlen(name, NAME_SIZE),
        .file_type = android_file_type(import_config(import), record.type),
        .value = EVENT_NONE,
    };

    request.time = block_io_elapsed(import, &state->dated.start, record.time - state->utc_offset);
    block_io_add(import, &state->dated.io, &request);
    return NULL;
}

/* Chooses the encoding of times with the most valid records in the first part of the file. Returns
 * false if no record is valid. */
static bool choose_encoding(struct import *import, struct most_binary *state,
                            struct reader *reader) {
    size_t available = reader_fill(reader, READER_WINDOW);
    int64_t fits[ENCODINGS];
    size_t best;
    int64_t offset;

    fit_encodings(reader_bytes(reader), available < READER_WINDOW ? available : READER_WINDOW,
                  fits);
    best = best_encoding(fits);
    offset = import_utc_offset(import, EVENT_NONE);
    state->encoding = &encodings[best];
    state->utc_offset = best == 0 || offset == EVENT_NONE ? 0 : offset * INT64_C(60000000000);
    import_variant(import, encodings[best].variant);
    return fits[best] > 0 || available < RECORD_SIZE;
}

static void read_most_binary(struct import *import, void *context, struct reader *reader) {
    struct most_binary *state = context;
    struct fixed_records records = {RECORD_SIZE, record_has_encoding, NULL};

    if (!choose_encoding(import, state, reader)) {
        import_fail_file(import, "not MOST's binary form: no record of 46 bytes has a time in Unix "
                                 "seconds, as YYYYMMDDhhmmss or as YYMMDDhhmmss");
        return;
    }
    records.context = state->encoding;
    fixed_records_read(import, &records, reader, most_binary_take, state);
}

/* --- reading a whole file --------------------------------------------------------------------- */

/* Returns whether a file has valid records, and no more damaged places than valid records. */
static bool records_fit(const struct fixed_records *records, const uint8_t *bytes, size_t length) {
    int64_t good = 0, bad = 0;
    size_t at = 0;

    while (at + records->size <= length) {
        if (records->is_record(records->context, bytes + at)) {
            good++;
            at += records->size;
            continue;
        }
        bad++;
        do {
            at++;
        } while (at + records->size <= length && !records->is_record(records->context, bytes + at));
    }
    return good > 0 && good >= bad;
}

/* Accepts a file with a valid record at any offset: there is no magic number, but less than one in
 * 2^60 random sequences of 46 bytes would be a valid record. */
static enum sniff_score sniff_most_binary(const struct sniff *sniff) {
    struct fixed_records records = {RECORD_SIZE, record_has_encoding, NULL};
    int64_t fits[ENCODINGS];

    fit_encodings(sniff->bytes, sniff->length, fits);
    records.context = &encodings[best_encoding(fits)];
    return records_fit(&records, sniff->bytes, sniff->length) ? SNIFF_LIKELY : SNIFF_NO;
}

const struct importer most_binary_importer = {
    .name = "most-binary",
    .description = "block I/O of Android phones, binary records of the real-time tracer",
    .line = NULL,
    .made_of = "records of 46 bytes",
    .variants = "unix, yyyymmdd, yymmdd",
    .kinds = 1u << TRACE_IO,
    .meanings = {[TRACE_IO] = block_io_meanings},
    .facts = {[TRACE_IO] = FACTS_OF_LOG(FACT(SYNCHRONOUS) | FACT(DIRECTIONS) | FACT(FILE_TYPES) |
                                        FACT(PROCESSES))},
    .columns =
        EVENT_OPERATION | EVENT_ACTOR | EVENT_OBJECT | EVENT_FLAGS | EVENT_ADDRESS | EVENT_SIZE,
    .state_size = sizeof(struct most_binary),
    .sniff = sniff_most_binary,
    .resume = block_dated_resume,
    .resume_begun = BLOCK_DATED_BEGUN,
    .begin = block_dated_begin,
    .read = read_most_binary,
    .end = block_dated_end,
    .dump = block_io_dump,
};
