#include "damage.h"

#include "samples.h"

#include <stdlib.h>
#include <string.h>

enum { VICTIM = 20, UNKNOWN = -1 };

/* The shop as it was written, for each damage anew. */
static struct play play;
static struct trace trace;

static void open_shop(int version, bool streaming) {
    struct trace_style style = {.version = version, .clocks = DUAL, .clock = "dual"};

    if (version == 1) {
        style.clocks = THREAD_CPU;
        style.clock = "thread-cpu";
    }
    style.streaming = style.art = streaming;
    write_trace(&trace, &play, &style, shop_listings, &shop_extras);
}

/* What importing must come to. Where both are allowed, status is "0|1": imported as far as it can
 * be read, or refused. */
struct outcome {
    const char *status;
    size_t least, most; /* events */
    size_t rejected_least, rejected_most;
    long offset;         /* of the first rejected record; UNKNOWN: not looked at */
    const char *reports; /* reports with expectations that still hold; NULL: none */
    bool names;          /* no method may be without a name that the shop names */
};

static void number_line(FILE *file, const char *key, size_t least, size_t most) {
    fprintf(file, least == most ? "%s\t%zu\n" : "%s\t%zu-%zu\n", key, least, most);
}

static void save_damaged(const char *name, struct outcome outcome) {
    FILE *file = create("damaged/%s.trace.expected", name);

    fprintf(file, "status\t%s\n", outcome.status);
    number_line(file, "events", outcome.least, outcome.most);
    number_line(file, "rejected", outcome.rejected_least, outcome.rejected_most);
    if (outcome.offset != UNKNOWN) {
        fprintf(file, "offset\t%ld\n", outcome.offset);
    }
    if (outcome.reports != NULL) {
        fprintf(file, "reports\t%s\n", outcome.reports);
    }
    if (outcome.names) {
        fprintf(file, "names\tshop\n");
    }
    close_file(file);
    save(&trace.bytes, "damaged/%s.trace", name);
}

/* So many events, one record that is not. */
static struct outcome one_lost(size_t events, size_t offset) {
    return (struct outcome){"0", events, events, 1, 1, (long)offset, NULL, false};
}

/* The records are out of reach: the key section is all that is left, if that is enough. */
static const struct outcome keys_only = {"0|1", 0, 0, 1, 1, UNKNOWN, NULL, false};
/* Whoever can tell what happened may undo it. */
static struct outcome mangled(void) {
    return (struct outcome){"0|1", 0, play.event_count, 0, play.event_count, UNKNOWN, NULL, true};
}

static struct outcome whole(size_t rejected, long offset) {
    return (struct outcome){"0",      play.event_count, play.event_count, rejected,
                            rejected, offset,           "shop",           true};
}

static size_t find(const char *text) {
    size_t length = strlen(text);

    for (size_t i = 0; i + length <= trace.bytes.length; i++) {
        if (memcmp(trace.bytes.at + i, text, length) == 0) {
            return i;
        }
    }
    die("nothing like that in the trace: %s", text);
}

static void take_out(size_t at, size_t length) {
    memmove(trace.bytes.at + at, trace.bytes.at + at + length, trace.bytes.length - at - length);
    trace.bytes.length -= length;
}

/* --- regular files ---------------------------------------------------------------------------- */

static void cut_files(void) {
    size_t last = play.event_count - 1;

    open_shop(3, false);
    trace.bytes.length -= 5;
    save_damaged("cut-record", one_lost(last, trace.begins[last]));
    open_shop(1, false);
    trace.bytes.length -= 1;
    save_damaged("cut-record-v1", one_lost(last, trace.begins[last]));
    open_shop(3, false);
    trace.bytes.length = find("0x1004") + 20;
    save_damaged("cut-keys", keys_only);
    open_shop(3, false);
    trace.bytes.length = trace.header;
    save_damaged("cut-binary", keys_only);
    open_shop(3, false);
    trace.bytes.length = trace.header + 10;
    save_damaged("cut-header", keys_only);
    open_shop(3, false);
    take_out(find("*end\n"), 5);
    save_damaged("no-end", mangled());
}

static void change_header(const char *name, size_t at, uint8_t byte) {
    open_shop(3, false);
    trace.bytes.at[trace.header + at] = byte;
    save_damaged(name, keys_only);
}

static void change_headers(void) {
    change_header("magic", 3, 'X');
    change_header("version-9", 4, 9);
    change_header("offset-zero", 6, 0);
    change_header("offset-beyond", 7, 0xFF);
    change_header("record-size-7", 16, 7);
    change_header("record-size-0", 16, 0);
}

static void change_records(void) {
    static const uint8_t garbage[] = {'g', 'a', 'r', 'b', 'a'};
    uint8_t record[14];

    open_shop(3, false);
    memcpy(record, trace.bytes.at + trace.begins[VICTIM], sizeof record);
    record[2] |= 3; /* neither entry nor exit */
    insert(&trace.bytes, trace.begins[VICTIM], record, sizeof record);
    save_damaged("action-3", whole(1, (long)trace.begins[VICTIM]));
    open_shop(3, false);
    put(&trace.bytes, garbage, sizeof garbage);
    save_damaged("garbage", whole(1, (long)(trace.bytes.length - sizeof garbage)));
    open_shop(3, false);
    memcpy(trace.bytes.at + find("clock=dual") + 6, "moon", 4);
    save_damaged("unknown-clock", whole(0, UNKNOWN));
}

/* What FTP and mail did to files that they took for text. */
static void filter_text(const char *name, bool streaming, size_t from) {
    open_shop(3, streaming);
    for (size_t i = from; i < trace.bytes.length; i++) {
        if (trace.bytes.at[i] == '\n') {
            insert(&trace.bytes, i++, "\r", 1);
        }
    }
    save_damaged(name, mangled());
}

/* --- streaming files -------------------------------------------------------------------------- */

static void cut_streams(void) {
    open_shop(3, true);
    trace.bytes.length = trace.begins[VICTIM] + 6;
    save_damaged("stream-cut-record", one_lost(VICTIM, trace.begins[VICTIM]));
    open_shop(3, true);
    trace.bytes.length = trace.packet + 12;
    save_damaged("stream-cut-packet", one_lost(trace.before_packet, trace.packet));
    open_shop(3, true);
    trace.bytes.length = trace.summary + 40;
    save_damaged("stream-cut-summary", one_lost(play.event_count, trace.summary));
    /* The program was killed: nothing of what is there is damaged. */
    open_shop(3, true);
    trace.bytes.length = trace.summary;
    save_damaged("stream-no-summary", (struct outcome){"0", play.event_count, play.event_count, 0,
                                                       1, UNKNOWN, NULL, false});
}

static void change_streams(void) {
    static const uint8_t beyond[] = {0xFF, 0xFF};
    static const char garbage[] = "and this is what stood in the buffer behind it";

    open_shop(3, true);
    trace.bytes.at[trace.packet + 2] = 9;
    save_damaged("stream-unknown-packet", one_lost(trace.before_packet, trace.packet));
    open_shop(3, true);
    memcpy(trace.bytes.at + trace.packet + 3, beyond, sizeof beyond);
    save_damaged("stream-packet-length", one_lost(trace.before_packet, trace.packet));
    open_shop(3, true);
    trace.bytes.at[trace.summary + 6] = 0x7F;
    save_damaged("stream-summary-length", one_lost(play.event_count, trace.summary));
    open_shop(3, true);
    put(&trace.bytes, garbage, sizeof garbage - 1);
    save_damaged("stream-garbage", whole(1, (long)(trace.bytes.length - sizeof garbage + 1)));
}

void write_damaged(void) {
    play_shop(&play);
    cut_files();
    change_headers();
    change_records();
    filter_text("text-filter", false, 0);
    filter_text("stream-text-filter", true, 0);
    open_shop(3, false);
    filter_text("text-filter-binary", false, trace.header);
    cut_streams();
    change_streams();
    free_trace(&trace);
    play_free(&play);
}

/* --- other formats ---------------------------------------------------------------------------- */

static void put_varint(struct bytes *bytes, uint64_t number) {
    for (; number >= 0x80; number >>= 7) {
        put_number(bytes, (number & 0x7F) | 0x80, 1);
    }
    put_number(bytes, number, 1);
}

static void put_field(struct bytes *bytes, unsigned field, const void *content, size_t length) {
    put_varint(bytes, field << 3 | 2);
    put_varint(bytes, length);
    put(bytes, content, length);
}

static void put_integer(struct bytes *bytes, unsigned field, uint64_t number) {
    put_varint(bytes, field << 3);
    put_varint(bytes, number);
}

/* Packets with a time, a sequence, a text, and in the first the mark by which Perfetto itself finds
 * its place again. */
static void write_perfetto(void) {
    static const uint8_t mark[] = {0x82, 0x47, 0x7a, 0x76, 0xb2, 0x8d, 0x42, 0xba,
                                   0x81, 0xdc, 0x33, 0x32, 0x6d, 0x57, 0xa0, 0x79};
    struct bytes file = {0}, packet = {0};

    for (uint64_t i = 0; i < 40; i++) {
        packet.length = 0;
        if (i == 0) {
            put_field(&packet, 36, mark, sizeof mark);
        }
        put_integer(&packet, 8, 123456789012 + i * 1000003);
        put_integer(&packet, 10, 1);
        put_field(&packet, 2, "a process tree", 14);
        put_field(&file, 1, packet.at, packet.length);
    }
    save(&file, "fail/perfetto.trace");
    free(file.at);
    free(packet.at);
}

/* perf.data as simpleperf records it, and what simpleperf makes of it for others to read. */
static void write_simpleperf(void) {
    struct bytes file = {0};

    put(&file, "PERFILE2", 8);
    put_number(&file, 104, 8);
    put_number(&file, 144, 8);
    for (int i = 0; i < 80; i++) {
        put_number(&file, (uint64_t)(i * 24), 8);
    }
    save(&file, "fail/simpleperf-record.trace");
    file.length = 0;
    put(&file, "SIMPLEPERF", 10);
    put_number(&file, 1, 2);
    for (uint64_t i = 0; i < 30; i++) {
        put_number(&file, 10, 4);
        put_number(&file, 0x0A080810 + i, 4);
        put_number(&file, i << 9, 6);
    }
    put_number(&file, 0, 4);
    save(&file, "fail/simpleperf-report.trace");
    free(file.at);
}

static void write_text(const char *name, const char *text) {
    struct bytes file = {0};

    put_text(&file, "%s", text);
    save(&file, "fail/%s.trace", name);
    free(file.at);
}

void write_refused(void) {
    struct bytes file = {0};

    write_perfetto();
    write_simpleperf();
    write_text("first-line", "*version\n");
    write_text("prose", "* version of the facts\n\nIt was a dark and stormy night.\n");
    write_text("magic-only", "SLOW");
    for (int i = 0; i < 2000; i++) {
        put_number(&file, 0, 1);
    }
    save(&file, "fail/zeros.trace");
    file.length = 0;
    seed_dice(7);
    for (int i = 0; i < 2000; i++) {
        put_number(&file, (uint64_t)dice(256), 1);
    }
    save(&file, "fail/random.trace");
    free(file.at);
}
