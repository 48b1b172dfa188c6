/* oracleGeneral: binary traces for the simulator libCacheSim: requests for objects in a cache.
 * Records of 24 bytes, little-endian:
 *
 *     u32 time, seconds  u64 object  u32 bytes  i64 number of the object's next request
 *
 * -1 or 2^63 - 1 means no next request. Source: libCacheSim's reader. `export --as oracleGeneral`
 * writes this format.
 *
 * A request becomes the arrival (Q) of a read of one page of 4096 bytes. The export numbers
 * objects as device << 52 + page. Other programs' object numbers, such as hashes, use all 64 bits.
 * So bits 50 and 51 are taken as the minor number of the device: each object then has a page of
 * its own, and byte addresses stay in range. Next requests are not stored, as they follow from the
 * other records.
 *
 * Quirks: reads and writes are not distinguished; all are taken as reads, which reports on cache
 * misses need. There is no magic number. So a file is recognised by its name, NAME.oracleGeneral
 * or NAME.oracleGeneral.bin, and by times that do not fall.
 *
 * Tables filled: event (time, operation, flags, address, size; an actor and an object without a
 * name); name (kind action). */
#include "block_io.h"
#include "lines.h"
#include "input/bytes.h"
#include "input/unpack.h"
#include "model/partition.h"

enum {
    SIZE = 24,
    PAGE = 4096,
    PAGE_BITS = 50, /* bits of a page's number; with more, byte addresses would overflow */
};

/* Largest number accepted for an object's next request. */
#define REQUESTS_MOST (INT64_C(1) << 48)

/* Reasons (ledger.reason) for rejecting records; report ledger prints them. */
static const char bad_next[] = "next request is neither -1 nor a number of 1 to 2^48";
static const char bad_time[] = "time beyond 63 years";

struct oracle {
    struct block_dated dated; /* must be first, for block_dated_begin() */
    int64_t other_sizes;      /* number of requests whose size is not the page size of 4096 bytes */
};

/* Checks a record. Returns NULL, or why it is rejected. */
static const char *oracle_general_parse_record(const uint8_t *bytes) {
    int64_t next = (int64_t)bytes_u64_little(bytes + 16);

    if (next != -1 && next != INT64_MAX && (next < 1 || next > REQUESTS_MOST)) {
        return bad_next;
    }
    return bytes_u32_little(bytes) > BLOCK_IO_SECONDS ? bad_time : NULL;
}

static bool oracle_general_is_record(const void *context, const uint8_t *bytes) {
    return oracle_general_parse_record(bytes) == NULL;
}

static const struct fixed_records records = {SIZE, oracle_general_is_record, NULL};

static bool oracle_general_is_named(const char *name) {
    struct word word = word_of(name);

    word.length = unpack_stem_length(word.bytes, word.length);
    return word_ends(word, ".oracleGeneral") || word_ends(word, ".oracleGeneral.bin");
}

static enum sniff_score sniff_oracle(const struct sniff *sniff) {
    uint32_t before = 0;

    if (!oracle_general_is_named(sniff->name) || sniff->length < SIZE) {
        return SNIFF_NO;
    }
    for (size_t at = 0; at + SIZE <= sniff->length; at += SIZE) {
        uint32_t time = bytes_u32_little(sniff->bytes + at);

        if (time < before || !oracle_general_is_record(NULL, sniff->bytes + at)) {
            return SNIFF_NO;
        }
        before = time;
    }
    return SNIFF_SURE;
}

static const char *refuses_oracle(const struct sniff *sniff, struct word line) {
    uint32_t before = 0;
    bool falls = false;

    (void)line;
    for (size_t at = 0; at + SIZE <= sniff->length; at += SIZE) {
        if (!oracle_general_is_record(NULL, sniff->bytes + at)) {
            return NULL;
        }
        falls = falls || bytes_u32_little(sniff->bytes + at) < before;
        before = bytes_u32_little(sniff->bytes + at);
    }
    return sniff->length < (size_t)2 * SIZE ? NULL
           : falls ? "times go back between records; only -f reads such a file"
                   : "this format is read only if -f or the name of the file chooses it";
}

static void begin_oracle(struct import *import, void *state) {
    struct oracle *oracle = state;

    oracle->dated.start.undated = true;
    block_dated_begin(import, &oracle->dated);
}

static const char *oracle_general_take(struct import *import, void *context, const uint8_t *bytes,
                                       int64_t offset) {
    const char *damage = oracle_general_parse_record(bytes);
    struct oracle *state = context;
    uint64_t object = bytes_u64_little(bytes + 4);
    int64_t size = bytes_u32_little(bytes + 12);
    uint64_t page = object & ((UINT64_C(1) << PAGE_BITS) - 1);
    struct block_request request = {
        .flags = IO_READ,
        .device = device_number((uint32_t)(object >> 52), (uint32_t)(object >> PAGE_BITS & 3)),
        .sector = (int64_t)page * (PAGE / SECTOR_SIZE),
        .blocks = size / SECTOR_SIZE,
        .more_bytes = size % SECTOR_SIZE,
        .pid = EVENT_NONE,
        .value = EVENT_NONE,
    };

    if (damage != NULL) {
        return damage;
    }
    state->other_sizes += size != PAGE;
    block_io_add_action(import, &state->dated.io, &request, "Q",
                        block_io_elapsed(import, &state->dated.start,
                                         (int64_t)bytes_u32_little(bytes) * 1000000000));
    return NULL;
}

static void read_oracle(struct import *import, void *state, struct reader *reader) {
    import_variant(import, "binary");
    fixed_records_read(import, &records, reader, oracle_general_take, state);
}

static void end_oracle(struct import *import, void *state, bool failed) {
    struct oracle *oracle = state;

    if (!failed) {
        import_remark(import,
                      "the format does not distinguish reads from writes: all requests are reads");
    }
    import_remark_count(
        import, failed ? 0 : oracle->other_sizes,
        "%lld request{s} {is|are} not of 4096 bytes: with --by-start, reports on pages "
        "count each as one object");
    block_dated_end(import, &oracle->dated, failed);
}

const struct importer oracle_general_importer = {
    .name = "oracleGeneral",
    .description = "requests to caches by object, binary, of the simulator libCacheSim",
    .line = NULL,
    .made_of = "records of 24 bytes: time, object, size, next request",
    .variants = "binary",
    .kinds = 1u << TRACE_IO,
    .meanings = {[TRACE_IO] = block_io_device_meanings},
    .facts = {[TRACE_IO] = FACTS_OF_LOG(FACT(DIRECTIONS))},
    .columns =
        EVENT_OPERATION | EVENT_ACTOR | EVENT_OBJECT | EVENT_FLAGS | EVENT_ADDRESS | EVENT_SIZE,
    .state_size = sizeof(struct oracle),
    .resume = block_dated_resume,
    .resume_begun = BLOCK_DATED_BEGUN,
    .sniff = sniff_oracle,
    .refuses = refuses_oracle,
    .begin = begin_oracle,
    .read = read_oracle,
    .end = end_oracle,
    .dump = block_io_dump,
};
