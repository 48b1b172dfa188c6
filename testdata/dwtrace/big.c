#include "big.h"

#include "expect.h"
#include "play.h"

struct stream {
    struct sink sink;
    FILE *file; /* NULL: bytes are only counted */
    struct variant variant;
    uint64_t bytes, wanted;
};

static void put_record(struct sink *sink, const struct record *record) {
    struct stream *stream = (struct stream *)sink;
    uint8_t encoded[RECORD_LIMIT];
    size_t length = encode_record(encoded, &stream->variant, record);

    if (stream->file != NULL && fwrite(encoded, 1, length, stream->file) != length) {
        die("cannot write");
    }
    stream->bytes += length;
    sink->full = stream->bytes >= stream->wanted;
}

/* Memory does not grow: the account keeps no single calls. */
static struct account *play_big(uint64_t bytes, uint64_t seed, FILE *file) {
    struct plan plan = {
        .seed = seed, .records = UINT64_MAX, .phases = 1, .unwind = 5, .counter = 100};
    struct stream stream = {
        .sink = {.put = put_record},
        .file = file,
        .variant = {.stamp_bits = 32, .parameters = true},
        .wanted = bytes,
    };
    struct account *account = account_new(false);
    uint8_t header[HEADER_SIZE];

    stream.bytes = encode_header(header, &stream.variant);
    if (file != NULL && fwrite(header, 1, sizeof header, file) != sizeof header) {
        die("cannot write");
    }
    stream.sink.full = stream.bytes >= stream.wanted;
    play(&plan, account, &stream.sink);
    return account;
}

void write_big(uint64_t bytes, uint64_t seed) {
    static char buffer[1 << 18];

    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    account_free(play_big(bytes, seed, stdout));
    if (fflush(stdout) != 0) {
        die("cannot write");
    }
}

void expect_big(uint64_t bytes, uint64_t seed) {
    struct account *account = play_big(bytes, seed, NULL);

    write_functions(stdout, "", account, true);
    account_free(account);
    if (fflush(stdout) != 0) {
        die("cannot write");
    }
}
