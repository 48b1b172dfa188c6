#include "damage.h"

#include "carriers.h"

#include <string.h>

enum { IN_RAW = 1 << RAW, IN_PADDED = 1 << PADDED, IN_PDB = 1 << PDB };
enum { IN_ALL = IN_RAW | IN_PADDED | IN_PDB, MAX_REJECTED = 8 };
enum { CALLS_PER_RECORD = 6, RECORD_SIZE = 192, COUNT_OFFSET = 76 };
/* Record 1 is full to its last byte, see play_undamaged(). */
enum { FULL_RECORD = 1, LAST_RECORD = 3 };

static const char *const suffixes[] = {".raw", "-padded-192.raw", ".pdb"};

typedef struct {
    Image image;
    Carrier carrier;
    size_t lost; /* calls that cannot be read any more */
    size_t rejected_count;
    struct {
        const char *reason;
        size_t offset;
    } rejected[MAX_REJECTED];
} Damage;

/* ---- expectations ---- */

static void reject(Damage *damage, const char *reason, size_t offset) {
    require(damage->rejected_count < MAX_REJECTED, "too much damage");
    damage->rejected[damage->rejected_count].reason = reason;
    damage->rejected[damage->rejected_count++].offset = offset;
}

static size_t count_reason(const Damage *damage, const char *reason, size_t first) {
    size_t count = 0;
    for (size_t i = first; i < damage->rejected_count; i++) {
        count += strcmp(damage->rejected[i].reason, reason) == 0;
    }
    return count;
}

/* NAME.expected: events, rejected, and each reason with its first offset. */
static void write_expected(const char *directory, const char *name, const Damage *damage,
                           size_t events) {
    Buffer content = {0};
    Buffer path = {0};
    buffer_printf(&content, "events\t%zu\nrejected\t%zu\n", events, damage->rejected_count);
    for (size_t i = 0; i < damage->rejected_count; i++) {
        const char *reason = damage->rejected[i].reason;
        size_t count = count_reason(damage, reason, 0);
        if (count_reason(damage, reason, i) == count) { /* named for the first time */
            buffer_printf(&content, "reason\t%s\t%zu\t%zu\n", reason, count,
                          damage->rejected[i].offset);
        }
    }
    buffer_printf(&path, "%s.expected", name);
    write_file(directory, (const char *)path.bytes, &content);
    buffer_free(&path);
    buffer_free(&content);
}

/* ---- damage to records ---- */

static size_t call_number(const Damage *damage, size_t record, size_t call) {
    return damage->image.first_calls[record] + call;
}

static size_t call_offset(const Damage *damage, size_t record, size_t call) {
    return damage->image.calls[call_number(damage, record, call)];
}

static uint8_t *at(const Damage *damage, size_t offset) {
    return damage->image.file.bytes + offset;
}

/* The call cannot be read, and so neither the rest of its record. */
static void reject_call(Damage *damage, const char *reason, size_t record, size_t call) {
    reject(damage, reason, call_offset(damage, record, call));
    damage->lost += CALLS_PER_RECORD - call;
}

static void reject_record(Damage *damage, const char *reason) {
    reject(damage, reason, damage->image.records[LAST_RECORD]);
}

static void spoil_trap(Damage *damage, size_t record, size_t call) {
    set_u16(at(damage, call_offset(damage, record, call)), 0x9FFF);
    reject_call(damage, "bad-trap", record, call);
}

/* Whether a record with at least one call could begin here, as far as its
 * bytes tell.
 */
static int is_believable(const Buffer *file, size_t start) {
    size_t end;
    size_t call = start + 2;
    if (file->length - start < 2 + CALL_HEADER) {
        return 0;
    }
    end = start + get_u16(file->bytes + start);
    if (end < start + 2 + CALL_HEADER || end > file->length) {
        return 0;
    }
    while (call + CALL_HEADER <= end && get_u16(file->bytes + call) >= 0xA000) {
        call += CALL_HEADER + get_u16(file->bytes + call + 10);
    }
    return call == end;
}

static size_t next_believable(const Buffer *file, size_t start) {
    while (start < file->length && !is_believable(file, start)) {
        start++;
    }
    return start;
}

/* Without its length the end of a trimmed record must be searched for. */
static void shrink_used(Damage *damage, size_t record, unsigned used) {
    size_t start = damage->image.records[record];
    set_u16(at(damage, start), used);
    reject(damage, "used-too-small", start);
    damage->lost += CALLS_PER_RECORD;
    if (damage->carrier == RAW) {
        require(next_believable(&damage->image.file, start) == damage->image.records[record + 1],
                "another record seems to begin before record %zu", record + 1);
    }
}

static void call_past_used(Damage *damage) {
    set_u16(at(damage, call_offset(damage, FULL_RECORD, 3) + 10), 0x4000);
    reject_call(damage, "call-overrun", FULL_RECORD, 3);
}

static void call_just_past_used(Damage *damage) {
    uint8_t *size = at(damage, call_offset(damage, 2, CALLS_PER_RECORD - 1) + 10);
    set_u16(size, get_u16(size) + 1);
    reject_call(damage, "call-overrun", 2, CALLS_PER_RECORD - 1);
}

static void used_cuts_arguments(Damage *damage) {
    size_t start = damage->image.records[FULL_RECORD];
    set_u16(at(damage, start), get_u16(at(damage, start)) - 3);
    reject_call(damage, "call-overrun", FULL_RECORD, CALLS_PER_RECORD - 1);
}

static void used_cuts_header(Damage *damage) {
    size_t start = damage->image.records[0];
    size_t last = call_offset(damage, 0, CALLS_PER_RECORD - 1);
    set_u16(at(damage, start), (unsigned)(last + 5 - start));
    reject_call(damage, "call-overrun", 0, CALLS_PER_RECORD - 1);
}

static void used_past_record(Damage *damage) {
    size_t start = damage->image.records[FULL_RECORD];
    set_u16(at(damage, start), 0xF000);
    reject(damage, "used-overrun", start);
}

static void used_one(Damage *damage) {
    shrink_used(damage, FULL_RECORD, 1);
}

static void used_zero(Damage *damage) {
    shrink_used(damage, 2, 0);
}

static void bad_trap(Damage *damage) {
    spoil_trap(damage, 2, 2);
}

/* The first call of the last record that has arguments to cut. */
static size_t call_with_arguments(const Damage *damage) {
    for (size_t call = 1; call < CALLS_PER_RECORD; call++) {
        if (get_u16(at(damage, call_offset(damage, LAST_RECORD, call) + 10)) >= 4) {
            return call;
        }
    }
    die("the last record has no arguments");
}

static void truncated_arguments(Damage *damage) {
    size_t call = call_with_arguments(damage);
    damage->image.file.length = call_offset(damage, LAST_RECORD, call) + CALL_HEADER + 2;
    reject_call(damage, "truncated", LAST_RECORD, call);
}

static void truncated_header(Damage *damage) {
    damage->image.file.length = call_offset(damage, LAST_RECORD, 4) + 5;
    reject_call(damage, "truncated", LAST_RECORD, 4);
}

/* No call is cut, so it is the record that is not whole. */
static void truncated_between_calls(Damage *damage) {
    damage->image.file.length = call_offset(damage, LAST_RECORD, 3);
    reject_record(damage, "truncated");
    damage->lost += CALLS_PER_RECORD - 3;
}

static void truncated_used(Damage *damage) {
    damage->image.file.length = damage->image.records[LAST_RECORD] + 1;
    reject_record(damage, "truncated");
    damage->lost += CALLS_PER_RECORD;
}

static void several(Damage *damage) {
    spoil_trap(damage, 0, 4);
    spoil_trap(damage, FULL_RECORD, 2);
    /* The last, and the record behind it whole: in a trimmed log it is searched for. */
    shrink_used(damage, 2, 1);
}

/* ---- damage to the directory of a database ---- */

static void spoil_entry(Damage *damage, size_t record, uint32_t offset) {
    size_t entry = PDB_HEADER + PDB_ENTRY * record;
    set_u32(at(damage, entry), offset);
    reject(damage, "bad-offset", entry);
    damage->lost += CALLS_PER_RECORD;
}

/* The first record once more. Its calls must not be read twice. */
static void offset_backwards(Damage *damage) {
    spoil_entry(damage, 2, (uint32_t)damage->image.records[0]);
}

static void offset_outside(Damage *damage) {
    spoil_entry(damage, 1, 0x7FFFFFF0);
}

static void offset_at_end(Damage *damage) {
    damage->image.file.length = damage->image.records[LAST_RECORD];
    spoil_entry(damage, LAST_RECORD, (uint32_t)damage->image.file.length);
}

static void count_past_file(Damage *damage) {
    set_u16(at(damage, COUNT_OFFSET), 0x4000);
    reject(damage, "bad-count", COUNT_OFFSET);
}

static const struct {
    const char *name;
    void (*apply)(Damage *damage);
    unsigned carriers;
} cases[] = {
    {"call-past-used", call_past_used, IN_ALL},
    {"call-just-past-used", call_just_past_used, IN_ALL},
    {"used-cuts-arguments", used_cuts_arguments, IN_PADDED | IN_PDB},
    {"used-cuts-header", used_cuts_header, IN_PADDED | IN_PDB},
    {"used-past-record", used_past_record, IN_PADDED | IN_PDB},
    {"used-one", used_one, IN_ALL},
    {"used-zero", used_zero, IN_ALL},
    {"bad-trap", bad_trap, IN_ALL},
    {"truncated-arguments", truncated_arguments, IN_ALL},
    {"truncated-header", truncated_header, IN_ALL},
    {"truncated-between-calls", truncated_between_calls, IN_ALL},
    {"truncated-used", truncated_used, IN_ALL},
    {"several", several, IN_ALL},
    {"offset-backwards", offset_backwards, IN_PDB},
    {"offset-outside", offset_outside, IN_PDB},
    {"offset-at-end", offset_at_end, IN_PDB},
    {"count-past-file", count_past_file, IN_PDB},
};

static void write_case(const char *directory, size_t number, Carrier carrier, const Log *log) {
    Packing packing = {.carrier = carrier,
                       .capacity = RECORD_SIZE,
                       .record_size = carrier == RAW ? 0 : RECORD_SIZE,
                       .calls_per_record = CALLS_PER_RECORD};
    Damage damage = {.carrier = carrier};
    Buffer name = {0};
    damage.image = build_image(log, &packing);
    cases[number].apply(&damage);
    buffer_printf(&name, "%s%s", cases[number].name, suffixes[carrier]);
    write_file(directory, (const char *)name.bytes, &damage.image.file);
    write_expected(directory, (const char *)name.bytes, &damage, log->count - damage.lost);
    buffer_free(&name);
    image_free(&damage.image);
}

/* ---- damaged text ---- */

/* A NUL inside is why the length is kept. */
#define LINE(name, text)                                                                           \
    { name, text, sizeof(text) - 1 }

static const struct {
    const char *name;
    const char *text;
    size_t length;
} bad_lines[] = {
    LINE("line-bad-trap", "NoSuchCall 709 0x00010f3c 0"),
    LINE("line-trap-too-low", "0x9FFF 709 0x00010f3c 0"),
    LINE("line-odd-hex", "0xA0B9 709 0x00010f3c 2 000"),
    LINE("line-bad-hex", "0xA0B9 709 0x00010f3c 2 00xy"),
    LINE("line-size-mismatch", "0xA0B9 709 0x00010f3c 2 000102"),
    LINE("line-size-zero", "0xA0B9 709 0x00010f3c 0 0002"),
    LINE("line-no-arguments", "0xA0B9 709 0x00010f3c 2"),
    LINE("line-missing-fields", "0xA0B9 709"),
    LINE("line-bad-ticks", "0xA0B9 7o9 0x00010f3c 0"),
    LINE("line-ticks-too-large", "0xA0B9 4294967296 0x00010f3c 0"),
    LINE("line-size-too-large", "0xA0B9 709 0x00010f3c 65536"),
    LINE("line-bad-application", "0xA0B9 709 0x0001g 0"),
    LINE("line-application-too-long", "0xA0B9 709 0x100010f3c 0"),
    LINE("line-binary", "\0\1\2\xff\xfe\x80 \x7f"
                        "ELF\0\0\xa0\xb9 \r\x1b\xc3"),
};
enum { BAD_LINES = sizeof bad_lines / sizeof *bad_lines, OVERLONG_DIGITS = 6000 };

static void append_calls(Buffer *out, const Log *log, size_t first, size_t count) {
    Log part = *log;
    part.calls += first;
    part.count = count;
    write_text(out, &part, 0);
}

static void append_bad_line(Buffer *out, Damage *damage, size_t number) {
    reject(damage, "bad-line", out->length);
    buffer_append(out, bad_lines[number].text, bad_lines[number].length);
    buffer_u8(out, '\n');
}

static void write_text_case(const char *directory, const char *name, const Buffer *content,
                            const Damage *damage, size_t events) {
    Buffer path = {0};
    buffer_printf(&path, "%s.txt", name);
    write_file(directory, (const char *)path.bytes, content);
    write_expected(directory, (const char *)path.bytes, damage, events);
    buffer_free(&path);
}

/* Bad lines first, first + 1, ... between good ones. */
static void write_bad_lines(const char *directory, const char *name, const Log *log, size_t first,
                            size_t count) {
    Buffer content = {0};
    Damage damage = {.lost = 0};
    for (size_t i = 0; i < count; i++) {
        append_calls(&content, log, 2 * i, 2);
        append_bad_line(&content, &damage, first + i);
    }
    append_calls(&content, log, 2 * count, 2);
    write_text_case(directory, name, &content, &damage, 2 * count + 2);
    buffer_free(&content);
}

/* A line far longer than any call's, then a call that is long by right. */
static void write_long_lines(const char *directory, const Log *log) {
    Buffer content = {0};
    Damage damage = {.lost = 0};
    append_calls(&content, log, 0, 2);
    reject(&damage, "bad-line", content.length);
    buffer_text(&content, "0xA0B9 709 0x00010f3c 2 ");
    for (size_t i = 0; i < OVERLONG_DIGITS; i++) {
        buffer_u8(&content, 'f');
    }
    buffer_text(&content, "\n0xA0C7 709 0x00010f3c 1000 ");
    for (size_t i = 0; i < 999; i++) {
        buffer_text(&content, "6d");
    }
    buffer_text(&content, "00\n");
    append_calls(&content, log, 2, 2);
    write_text_case(directory, "line-overlong", &content, &damage, 5);
    buffer_free(&content);
}

static void write_no_last_newline(const char *directory, const Log *log) {
    Buffer content = {0};
    Damage damage = {.lost = 0};
    append_calls(&content, log, 0, 4);
    content.length--;
    write_text_case(directory, "no-last-newline", &content, &damage, 4);
    buffer_free(&content);
}

static Buffer below(const char *directory, const char *name) {
    Buffer path = {0};
    buffer_printf(&path, "%s/%s", directory, name);
    make_directory((const char *)path.bytes);
    return path;
}

void write_damaged_samples(const char *directory) {
    Buffer path = below(directory, "damaged");
    const char *own = (const char *)path.bytes;
    Log log = play_undamaged();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (Carrier carrier = RAW; carrier <= PDB; carrier++) {
            if (cases[i].carriers & 1u << carrier) {
                write_case(own, i, carrier, &log);
            }
        }
    }
    for (size_t i = 0; i < BAD_LINES; i++) {
        write_bad_lines(own, bad_lines[i].name, &log, i, 1);
    }
    write_bad_lines(own, "several-lines", &log, 0, MAX_REJECTED);
    write_long_lines(own, &log);
    write_no_last_newline(own, &log);
    log_free(&log);
    buffer_free(&path);
}

/* ---- good files ---- */

static void write_image(const char *directory, const char *name, const Log *log, Packing packing) {
    Image image = build_image(log, &packing);
    write_file(directory, name, &image.file);
    image_free(&image);
}

void write_good_samples(const char *directory) {
    Buffer path = below(directory, "ok");
    const char *own = (const char *)path.bytes;
    Buffer text = {0};
    Log small = play_small();
    Log reset = play_reset();
    write_image(own, "small.pdb", &small,
                (Packing){.carrier = PDB, .capacity = 400, .record_size = 432});
    write_image(own, "small.raw", &small, (Packing){.carrier = RAW, .capacity = 400});
    write_image(
        own, "small-padded.raw", &small,
        (Packing){.carrier = PADDED, .capacity = CONDUIT_RECORD, .record_size = CONDUIT_RECORD});
    write_image(
        own, "other-record-size.raw", &small,
        (Packing){
            .carrier = PADDED, .capacity = 32768, .record_size = 32768, .calls_per_record = 25});
    write_image(own, "empty-records.raw", &small,
                (Packing){.carrier = RAW, .capacity = 400, .empty_records = 1});
    write_image(own, "reset.raw", &reset, (Packing){.carrier = RAW, .capacity = 256});
    write_text(&text, &small, 1);
    write_file(own, "small.txt", &text);
    log_free(&small);
    log_free(&reset);
    buffer_free(&text);
    buffer_free(&path);
}

/* ---- files in which nothing can be read ---- */

/* A good database but for four characters at offset. */
static void write_other_database(const char *directory, const char *name, size_t offset,
                                 const char *four) {
    Log log = play_small();
    Packing packing = {.carrier = PDB, .capacity = 400, .record_size = 432};
    Image image = build_image(&log, &packing);
    memcpy(image.file.bytes + offset, four, 4);
    write_file(directory, name, &image.file);
    image_free(&image);
    log_free(&log);
}

/* Cut behind type and creator, so that it is known for what it was. */
static void write_cut_header(const char *directory) {
    Log log = play_small();
    Packing packing = {.carrier = PDB, .capacity = 400, .record_size = 432};
    Image image = build_image(&log, &packing);
    image.file.length = 70;
    write_file(directory, "truncated-header.pdb", &image.file);
    image_free(&image);
    log_free(&log);
}

static void write_random(const char *directory) {
    Random random = {UINT64_C(0x4E6F697365)};
    Buffer content = {0};
    while (content.length < 600) {
        buffer_u32(&content, random_next(&random));
    }
    require(next_believable(&content, 0) == content.length, "a record in the noise");
    write_file(directory, "random.raw", &content);
    buffer_free(&content);
}

void write_failing_samples(const char *directory) {
    Buffer path = below(directory, "fail");
    const char *own = (const char *)path.bytes;
    Buffer content = {0};
    write_file(own, "empty.raw", &content);
    buffer_reserve(&content, 1024);
    memset(content.bytes, 0, 1024);
    content.length = 1024;
    write_file(own, "only-zeros.raw", &content);
    content.length = 0;
    buffer_text(&content, "This is no log.\nNot one line of it is a call.\n");
    write_file(own, "prose.txt", &content);
    write_other_database(own, "other-type.pdb", 60, "DATA");
    write_other_database(own, "other-creator.pdb", 64, "memo");
    write_cut_header(own);
    write_random(own);
    buffer_free(&content);
    buffer_free(&path);
}
