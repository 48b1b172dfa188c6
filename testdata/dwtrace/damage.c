#include "damage.h"

#include "record.h"

#include <string.h>

/* Twelve records; the one at VICTIM is damaged. None of their bytes can be taken for the
 * begin of a record, so that there is one place only where reading can go on: see
 * check_unbelievable(). */
enum { RECORDS = 12, VICTIM = 5, LAST = RECORDS - 1, CUT_RECORDS = 7 };

static const struct variant with_lengths = {.stamp_bits = 32, .parameters = true, .lengths = true};
static const struct variant plain = {.stamp_bits = 32, .parameters = true};

static const char *root;
static struct log log_; /* the file at hand */
static const struct variant *variant;

/* --- the records ------------------------------------------------------------------------------ */

static struct record make_record(enum record_type type, unsigned number) {
    static const uint8_t types[] = {UINT32, POINTER, INT32, STRUCT, INT16};
    struct record record = {
        .type = type,
        .function = number % 3 == 0 ? 0x00BB00AA : 0x00CC00A9,
        .thread = number % 2 == 0 ? 0x0007F3A0 : 0x0009F3B0,
        .time = 0x00506070 + 16 * number,
        .code = type == EXIT ? -0x0D0D0D0D : 0,
        .size = 17,
        .binary = true,
    };

    if (type != DATA) {
        record.parameters = sizeof types;
        for (unsigned i = 0; i < sizeof types; i++) {
            record.parameter[i] = (struct parameter){types[i], UNFORMATTED, 0xE0E1E2E3 + 16 * i};
        }
    }
    return record;
}

/* Whether a reader may take what is at `at` for a record: a type, and a length that is enough for
 * one and does not lead out of the file. */
static bool is_believable(size_t at) {
    static const unsigned shortest[] = {0, 16, 20, 17, 3};
    unsigned type = log_.bytes[at];
    unsigned length;

    if (type < ENTRY || type > WRAP || log_.length - at < 3) {
        return false;
    }
    length = log_.bytes[at + 1] | (unsigned)log_.bytes[at + 2] << 8;
    return length >= shortest[type] && length <= log_.length - at;
}

/* `victim`: type of the record at VICTIM. */
static void begin_log(const struct variant *of, enum record_type victim) {
    static const enum record_type types[] = {ENTRY, DATA, ENTRY, EXIT, DATA};

    log_free(&log_);
    variant = of;
    log_begin(&log_, variant);
    for (unsigned i = 0; i < RECORDS; i++) {
        struct record record = make_record(i == VICTIM ? victim : types[i % 5], i);

        log_record(&log_, variant, &record);
    }
}

static void check_unbelievable(void) {
    size_t next = 0;

    for (size_t at = HEADER_SIZE; at < log_.length; at++) {
        if (next < log_.records && at == log_.begins[next]) {
            next++;
        } else {
            require(!is_believable(at), "nothing that looks like a record within records");
        }
    }
}

static uint8_t *victim_at(size_t offset) {
    return log_.bytes + log_.begins[VICTIM] + offset;
}

static size_t victim_length(void) {
    return log_.begins[VICTIM + 1] - log_.begins[VICTIM];
}

static void set_length(size_t length) {
    set_number(victim_at(1), variant, length, 2);
}

/* --- files ------------------------------------------------------------------------------------ */

static FILE *write_log(const char *name) {
    write_bytes(path_of("%s/damaged/%s", root, name), log_.bytes, log_.length);
    return create_file(path_of("%s/damaged/%s.expected", root, name));
}

static void write_one(const char *name, size_t events, const char *reason, size_t offset) {
    FILE *expected = write_log(name);

    fprintf(expected, "events\t%zu\nrejected\t1\nreason\t%s\t1\t%zu\n", events, reason, offset);
    close_file(expected);
}

/* The victim alone is lost. */
static void write_victim(const char *name, const char *reason) {
    check_unbelievable();
    write_one(name, RECORDS - 1, reason, log_.begins[VICTIM]);
}

/* Nothing tells where the next record is: what is before the victim is there. */
static void write_at_least(const char *name) {
    FILE *expected = write_log(name);

    fprintf(expected, "events-at-least\t%d\nrejected-at-least\t1\n", VICTIM);
    close_file(expected);
}

/* The file ends within the victim. */
static void write_cut(const char *name, const struct variant *of, enum record_type victim,
                      size_t bytes) {
    begin_log(of, victim);
    log_.length = log_.begins[VICTIM] + bytes;
    write_one(name, VICTIM, "truncated", log_.begins[VICTIM]);
}

/* --- damage ----------------------------------------------------------------------------------- */

static void damage_ends(void) {
    write_cut("cut-type.dwt", &with_lengths, ENTRY, 1);
    write_cut("cut-length.dwt", &with_lengths, ENTRY, 2);
    write_cut("cut-time.dwt", &with_lengths, EXIT, 13);
    write_cut("cut-parameters.dwt", &with_lengths, ENTRY, 30);
    write_cut("cut-data.dwt", &with_lengths, DATA, 33);
    write_cut("cut-type-plain.dwt", &plain, ENTRY, 1);
    write_cut("cut-code-plain.dwt", &plain, EXIT, 15);
    write_cut("cut-parameters-plain.dwt", &plain, ENTRY, 28);
    write_cut("cut-data-plain.dwt", &plain, DATA, 31);
    /* Writing stopped at the limit. */
    begin_log(&plain, ENTRY);
    log_.length -= 5;
    set_number(log_.bytes + 12, &plain, log_.length, 4);
    write_one("stopped.dwt", LAST, "truncated", log_.begins[LAST]);
}

static void lie(const char *name, enum record_type victim, int more) {
    begin_log(&with_lengths, victim);
    set_length((size_t)((int)victim_length() + more));
    write_victim(name, "bad-length");
}

static void damage_lengths(void) {
    lie("length-short-data.dwt", DATA, -5);
    lie("length-short-entry.dwt", ENTRY, -6);
    lie("length-long-data.dwt", DATA, 5);
    lie("length-long-exit.dwt", EXIT, 7);
    begin_log(&with_lengths, EXIT);
    set_length(0);
    write_victim("length-zero.dwt", "bad-length");
    begin_log(&with_lengths, DATA);
    set_length(2);
    write_victim("length-two.dwt", "bad-length");
    begin_log(&with_lengths, ENTRY);
    set_length(60000);
    write_victim("length-beyond-end.dwt", "bad-length");
    begin_log(&with_lengths, DATA);
    set_number(victim_at(15), variant, 5000, 2);
    write_victim("data-beyond-record.dwt", "bad-length");
}

static void damage_types(void) {
    begin_log(&with_lengths, ENTRY);
    *victim_at(0) = 9;
    write_victim("type.dwt", "bad-type");
    begin_log(&with_lengths, ENTRY);
    *victim_at(0) = 0;
    set_length(0xFFFF);
    write_victim("type-and-length.dwt", "bad-type");
    begin_log(&plain, ENTRY);
    *victim_at(0) = 9;
    write_at_least("type-plain.dwt");
    begin_log(&plain, DATA);
    *victim_at(0) = WRAP;
    write_at_least("wrap-plain.dwt");
}

/* The third parameter: its type behind the record's head and two of six bytes. */
static void damage_parameters(void) {
    begin_log(&with_lengths, ENTRY);
    *victim_at(16 + 12) = 77;
    write_victim("parameter-type.dwt", "bad-parameter");
    begin_log(&with_lengths, EXIT);
    *victim_at(20 + 12) = 0;
    write_victim("parameter-type-zero.dwt", "bad-parameter");
    begin_log(&plain, ENTRY);
    *victim_at(14 + 12) = 77;
    write_at_least("parameter-type-plain.dwt");
}

/* The size of data behind the record's head. */
static void damage_data(void) {
    begin_log(&plain, DATA);
    set_number(victim_at(13), variant, 5000, 2);
    write_at_least("data-beyond-end-plain.dwt");
    begin_log(&plain, DATA);
    set_number(victim_at(13), variant, 5000, 2);
    log_.length = log_.begins[VICTIM + 1];
    write_one("data-beyond-end-last-plain.dwt", VICTIM, "truncated", log_.begins[VICTIM]);
}

/* A wrap record at the end, which points beyond it. */
static void damage_wrap(void) {
    begin_log(&with_lengths, DATA);
    log_.length = log_.begins[LAST];
    encode_wrap(log_.bytes + log_.length, variant, 500);
    log_.length += WRAP_SIZE;
    write_one("wrap-outside.dwt", LAST, "bad-wrap", log_.begins[LAST]);
}

static void damage_bytes(void) {
    FILE *expected;
    size_t begin;

    begin_log(&with_lengths, ENTRY);
    begin = log_.begins[VICTIM];
    memmove(log_.bytes + begin + 100, log_.bytes + begin, log_.length - begin);
    memset(log_.bytes + begin, 0xFF, 100);
    log_.length += 100;
    write_one("inserted.dwt", RECORDS, "bad-type", begin);
    begin_log(&with_lengths, ENTRY);
    memmove(log_.bytes + begin, log_.bytes + begin + 1, log_.length - begin - 1);
    log_.length--;
    write_one("lost.dwt", RECORDS - 1, "bad-type", begin);
    begin_log(&with_lengths, EXIT);
    log_.bytes[log_.begins[1]] = 9;
    *victim_at(20 + 12) = 77;
    log_.bytes[log_.begins[8] + 20 + 12] = 77;
    log_.length -= 3;
    expected = write_log("several.dwt");
    fprintf(expected,
            "events\t%d\nrejected\t4\nreason\tbad-type\t1\t%zu\n"
            "reason\tbad-parameter\t2\t%zu\nreason\ttruncated\t1\t%zu\n",
            RECORDS - 4, log_.begins[1], begin, log_.begins[LAST]);
    close_file(expected);
}

static void write_failing(void) {
    begin_log(&plain, DATA);
    set_number(log_.bytes + 4, variant, 2, 2);
    write_bytes(path_of("%s/fail/version.dwt", root), log_.bytes, log_.length);
    write_bytes(path_of("%s/fail/header-cut.dwt", root), log_.bytes, 10);
}

void write_damaged(const char *directory) {
    root = directory;
    damage_ends();
    damage_lengths();
    damage_types();
    damage_parameters();
    damage_data();
    damage_wrap();
    damage_bytes();
    write_failing();
    log_free(&log_);
}

/* --- cuts ------------------------------------------------------------------------------------- */

static void cut_everywhere(const char *directory, const char *name, FILE *list) {
    size_t whole = 0;

    for (size_t length = HEADER_SIZE; length <= log_.begins[CUT_RECORDS]; length++) {
        whole += length == log_.begins[whole + 1];
        write_bytes(path_of("%s/cuts/%s-%04zu.dwt", directory, name, length), log_.bytes, length);
        fprintf(list, "%s-%04zu.dwt\t%zu\t%d\n", name, length, whole, length > log_.begins[whole]);
    }
}

void write_cuts(const char *directory) {
    FILE *list = create_file(path_of("%s/cuts.tsv", directory));

    begin_log(&with_lengths, EXIT);
    cut_everywhere(directory, "lengths", list);
    begin_log(&plain, EXIT);
    cut_everywhere(directory, "plain", list);
    close_file(list);
    log_free(&log_);
}
