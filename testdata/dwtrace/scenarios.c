#include "scenarios.h"

#include "expect.h"
#include "play.h"
#include "wrap.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- plays ------------------------------------------------------------------------------------ */

/* All records of a play, to be written in several variants. */
struct recording {
    struct sink sink;
    struct record *records;
    size_t count, capacity;
    struct account *account;
    struct played played;
};

static void keep_record(struct sink *sink, const struct record *record) {
    struct recording *recording = (struct recording *)sink;

    recording->records = grow(recording->records, recording->count, &recording->capacity,
                              sizeof *recording->records);
    recording->records[recording->count++] = *record;
}

static struct recording begin_recording(void) {
    return (struct recording){.sink = {.put = keep_record}, .account = account_new(true)};
}

static struct recording record_play(const struct plan *plan) {
    struct recording recording = begin_recording();

    recording.played = play(plan, recording.account, &recording.sink);
    return recording;
}

static void free_recording(struct recording *recording) {
    account_free(recording->account);
    free(recording->records);
}

static const struct plan program_plan = {
    .seed = 13, .records = 230, .phases = 2, .unwind = 40, .counter = 70000};
static const struct plan open_plan = {
    .seed = 1, .records = 260, .phases = 1, .stay_in_root = true, .unwind = 40, .counter = 5};
static const struct plan stray_plan = {.seed = 1,
                                       .records = 300,
                                       .phases = 1,
                                       .unwind = 80,
                                       .lose_entry = 150,
                                       .counter = 1000,
                                       .log_from = 40};
static const struct plan jitter_plan = {
    .seed = 1, .records = 300, .phases = 1, .jitter = 200, .counter = UINT64_C(5000000000)};

static void check_parameters(const struct played *played) {
    for (unsigned type = UINT8; type < PARAMETER_TYPES; type++) {
        for (unsigned control = 0; control < CONTROLS; control++) {
            require(played->parameter[0][type][control], "each parameter at entry");
            require(played->parameter[1][type][control], "each parameter at exit");
        }
    }
    require(played->many, "an entry with 255 parameters");
}

static void check_program(const struct recording *recording) {
    static const unsigned sizes[] = {0, 1, 15, 16, 17, MOST_DATA};
    const struct played *played = &recording->played;
    bool zero = false;

    check_parameters(played);
    for (unsigned i = 0; i < 6; i++) {
        require(played->data[0][sizes[i]] && played->data[1][sizes[i]], "data of each size");
    }
    for (size_t i = 0; i < recording->account->call_count; i++) {
        zero |= recording->account->calls[i].duration == 0;
    }
    require(zero, "a call that takes no time");
    for (unsigned i = 0; i < NOTE; i++) {
        require(recording->account->figures[i].calls > 0, "a call of each function");
    }
    require(played->negative && played->positive, "return codes of both signs");
    require(played->recursions > 3 && played->returns_to > 3, "recursion of both kinds");
    require(played->unwound > 3, "calls without an exit");
    require(played->switches > 100, "threads that take turns");
}

/* --- variants --------------------------------------------------------------------------------- */

static const struct variant usual = {.stamp_bits = 32, .parameters = true};
static const struct variant other = {
    .big_endian = true, .stamp_bits = 64, .parameters = true, .lengths = true};
static const struct variant untimed = {.parameters = true};

static const char *variant_name(const struct variant *variant) {
    return path_of("%s-%d%s%s", variant->big_endian ? "big" : "little", variant->stamp_bits,
                   variant->parameters ? "-parameters" : "", variant->lengths ? "-lengths" : "");
}

static struct variant numbered_variant(unsigned number) {
    return (struct variant){
        .stamp_bits = 32 * (int)(number % 3),
        .big_endian = number / 3 % 2 == 1,
        .parameters = number / 6 % 2 == 1,
        .lengths = number / 12 == 1,
        .maximum = number % 2 == 1 ? 1000000 : 0,
    };
}

enum { VARIANTS = 24 };

/* Records from..to as a file. A maximum of 1 stands for the length that the file comes to. */
static void write_log(const char *path, const struct recording *recording,
                      const struct variant *variant, size_t from, size_t to) {
    struct log log;

    log_begin(&log, variant);
    for (size_t i = from; i < to; i++) {
        log_record(&log, variant, &recording->records[i]);
    }
    if (variant->maximum == 1) {
        set_number(log.bytes + 12, variant, log.length, 4);
    }
    write_bytes(path, log.bytes, log.length);
    log_free(&log);
}

/* --- folders ---------------------------------------------------------------------------------- */

/* A folder that is written, and its list. */
struct folder {
    const char *path;
    FILE *list;
};

static struct folder begin_folder(const char *path) {
    return (struct folder){path, create_file(path_of("%s/logs.tsv", path))};
}

static void list_log(const struct folder *folder, const char *log, const char *expected,
                     const char *configuration, bool parameters) {
    fprintf(folder->list, "%s\t%s\t%s\t%s\n", log, expected, configuration,
            parameters ? "parameters" : "none");
}

static void add_log(const struct folder *folder, const char *name,
                    const struct recording *recording, const struct variant *variant,
                    const char *expected, const char *configuration) {
    write_log(path_of("%s/%s", folder->path, name), recording, variant, 0, recording->count);
    list_log(folder, name, expected, configuration, variant->parameters);
}

static void add_expected(const struct folder *folder, const char *name,
                         const struct recording *recording, const struct view *view) {
    write_expected(path_of("%s/%s", folder->path, name), recording->account, view);
}

static const struct view plain_view = {.timed = true};
static const struct view names_view = {.timed = true, .names = true};
static const struct view clock_view = {.timed = true, .nanoseconds = 1000};
static const struct view untimed_view = {.timed = false};

static void write_configurations(const char *directory) {
    FILE *file = create_file(path_of("%s/clock.yaml", directory));

    fputs("dwtrace:\n  clock_hz: 1000000\n", file);
    close_file(file);
    write_symbols(path_of("%s/symbols.yaml", directory));
}

/* Three files that were written in the order of `digits`: each holds a third of the records. */
static void add_flips(const struct folder *folder, const char *name,
                      const struct recording *recording, const struct variant *variant,
                      const char digits[3], const char *expected) {
    size_t third = recording->count / 3;
    size_t begins[] = {0, third, 2 * third, recording->count};

    for (unsigned i = 0; i < 3; i++) {
        write_log(path_of("%s/%s/flip.%c", folder->path, name, digits[i]), recording, variant,
                  begins[i], begins[i + 1]);
    }
    list_log(folder, name, expected, "-", variant->parameters);
}

/* --- what is committed ------------------------------------------------------------------------ */

static void add_empty(const struct folder *folder, const char *name,
                      const struct variant *variant) {
    struct recording nothing = begin_recording();

    write_log(path_of("%s/%s", folder->path, name), &nothing, variant, 0, 0);
    free_recording(&nothing);
}

/* Written until the file had reached its limit. */
/* Whether none of its calls returns before the log ends. */
static bool is_open(const struct account *account, enum function function) {
    for (size_t i = 0; i < account->call_count; i++) {
        if (account->calls[i].function == function && !account->calls[i].open) {
            return false;
        }
    }
    return true;
}

static void add_open(const struct folder *folder) {
    struct recording recording = record_play(&open_plan);
    struct variant stopped = usual;

    require(recording.account->figures[RUN].calls == THREADS && is_open(recording.account, RUN),
            "a function that never returns");
    stopped.maximum = 1;
    add_log(folder, "ok/stopped.dwt", &recording, &stopped, "expected/open", "-");
    add_expected(folder, "expected/open", &recording, &plain_view);
    free_recording(&recording);
}

static void add_stray(const struct folder *folder) {
    struct recording recording = record_play(&stray_plan);

    require(recording.played.lost > 5 && recording.played.unwound > 2,
            "entries and exits that are not in the log");
    add_log(folder, "ok/stray.dwt", &recording, &usual, "expected/stray", "-");
    add_expected(folder, "expected/stray", &recording, &plain_view);
    free_recording(&recording);
}

void write_samples(const char *directory) {
    struct folder folder = begin_folder(directory);
    struct recording recording = record_play(&program_plan);

    check_program(&recording);
    write_configurations(directory);
    add_log(&folder, "ok/program.dwt", &recording, &usual, "expected/program", "-");
    add_log(&folder, "ok/program-other.dwt", &recording, &other, "expected/program", "-");
    list_log(&folder, "ok/program.dwt", "expected/program-names", "symbols.yaml", true);
    add_flips(&folder, "ok/flip", &recording, &usual, "201", "expected/program");
    add_expected(&folder, "expected/program", &recording, &plain_view);
    add_expected(&folder, "expected/program-names", &recording, &names_view);
    free_recording(&recording);
    add_open(&folder);
    add_stray(&folder);
    add_empty(&folder, "ok/empty.dwt", &usual);
    write_wrapped_sample(directory);
    list_log(&folder, "ok/wrapped.dwt", "expected/wrapped", "-", true);
    close_file(folder.list);
}

/* --- what is made for a test ------------------------------------------------------------------ */

static void add_variants(const struct folder *folder, const char *name, const struct plan *plan) {
    struct recording recording = record_play(plan);

    for (unsigned i = 0; i < VARIANTS; i++) {
        struct variant variant = numbered_variant(i);
        const char *expected =
            path_of("expected/%s%s", name, variant.stamp_bits > 0 ? "" : "-untimed");

        add_log(folder, path_of("%s-%s.dwt", name, variant_name(&variant)), &recording, &variant,
                expected, "-");
    }
    add_expected(folder, path_of("expected/%s", name), &recording, &plain_view);
    add_expected(folder, path_of("expected/%s-untimed", name), &recording, &untimed_view);
    free_recording(&recording);
}

/* What has expectations of its own, and is not committed. */
static void add_other_views(const struct folder *folder) {
    struct recording recording = record_play(&program_plan);

    add_log(folder, "all-untimed.dwt", &recording, &untimed, "expected/program-untimed", "-");
    add_log(folder, "all-clock.dwt", &recording, &usual, "expected/program-clock", "clock.yaml");
    add_expected(folder, "expected/program-clock", &recording, &clock_view);
    free_recording(&recording);
}

/* Counters of 32 bits that begin anew: the same play as the program, once later and once slower. In
 * the slow one no two records are half a round of the counter apart. */
static void add_counters(const struct folder *folder) {
    struct plan late = program_plan, slow = program_plan;
    struct recording recording;

    late.counter = UINT64_C(0xFFFFFFFF) - 9000;
    recording = record_play(&late);
    require(recording.records[recording.count - 1].time > UINT32_MAX, "a counter that begins anew");
    add_log(folder, "counter-late.dwt", &recording, &usual, "expected/program", "-");
    add_log(folder, "counter-late-64.dwt", &recording, &other, "expected/program", "-");
    free_recording(&recording);
    slow.scale = 400000;
    recording = record_play(&slow);
    require(recording.records[recording.count - 1].time >> 32 >= 3,
            "several rounds of the counter");
    add_log(folder, "counter-slow.dwt", &recording, &usual, "expected/slow", "-");
    add_log(folder, "counter-slow-64.dwt", &recording, &other, "expected/slow", "-");
    add_log(folder, "counter-slow-clock.dwt", &recording, &usual, "expected/slow-clock",
            "clock.yaml");
    add_expected(folder, "expected/slow", &recording, &plain_view);
    add_expected(folder, "expected/slow-clock", &recording, &clock_view);
    free_recording(&recording);
}

/* Times of a thread that go back; a remark counts them. Only with 64 bits
 * it is certain that the counter did not begin anew. */
static void add_jitter(const struct folder *folder) {
    struct variant little = {.stamp_bits = 64, .parameters = true};
    struct recording recording = record_play(&jitter_plan);
    FILE *late = create_file(path_of("%s/late", folder->path));

    require(recording.played.late > 10, "times that go back");
    fprintf(late, "%" PRIu64 "\n", recording.played.late);
    close_file(late);
    add_log(folder, "jitter.dwt", &recording, &little, "expected/jitter", "-");
    add_log(folder, "jitter-other.dwt", &recording, &other, "expected/jitter", "-");
    add_expected(folder, "expected/jitter", &recording, &plain_view);
    free_recording(&recording);
}

static void add_deep(const struct folder *folder) {
    struct recording recording = begin_recording();

    recording.played = play_deep(DEPTH, recording.account, &recording.sink);
    add_log(folder, "deep.dwt", &recording, &usual, "expected/deep", "-");
    add_expected(folder, "expected/deep", &recording, &plain_view);
    free_recording(&recording);
}

/* Flipping sets; and the program in two files between which no call is open, to be appended. */
static void add_pieces(const struct folder *folder) {
    struct recording recording = record_play(&program_plan);
    size_t between = (size_t)recording.played.phase_end;

    add_flips(folder, "flip-usual", &recording, &usual, "120", "expected/program");
    add_flips(folder, "flip-other", &recording, &other, "201", "expected/program");
    add_flips(folder, "flip-untimed", &recording, &untimed, "012", "expected/program-untimed");
    write_log(path_of("%s/append/1.dwt", folder->path), &recording, &usual, 0, between);
    write_log(path_of("%s/append/2.dwt", folder->path), &recording, &usual, between,
              recording.count);
    free_recording(&recording);
}

void write_variants(const char *directory) {
    struct folder folder = begin_folder(directory);

    write_configurations(directory);
    add_variants(&folder, "program", &program_plan);
    add_variants(&folder, "open", &open_plan);
    add_variants(&folder, "stray", &stray_plan);
    add_other_views(&folder);
    add_counters(&folder);
    add_jitter(&folder);
    add_deep(&folder);
    add_pieces(&folder);
    close_file(folder.list);
}
