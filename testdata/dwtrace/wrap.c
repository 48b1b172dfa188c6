#include "wrap.h"

#include "expect.h"
#include "play.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- the writer ------------------------------------------------------------------------------- */

/* A record that is whole in the file. */
struct piece {
    size_t offset, length;
    uint64_t number; /* of the record */
};

/* A file of at most `maximum` bytes. `pieces` are in order of time. Those of the round before lie
 * behind `position`, and are the first; `rounds` is 1 until the file has wrapped. */
struct ring {
    const struct variant *variant;
    uint8_t *bytes;
    size_t size, maximum, position;
    unsigned rounds;
    struct piece *pieces;
    size_t first, end, capacity;
    uint64_t written; /* records */
};

static void ring_begin(struct ring *ring, const struct variant *variant) {
    *ring = (struct ring){.variant = variant, .maximum = variant->maximum, .rounds = 1};
    ring->bytes = allocate(ring->maximum, 1);
    ring->size = ring->position = encode_header(ring->bytes, variant);
}

static void ring_free(struct ring *ring) {
    free(ring->bytes);
    free(ring->pieces);
}

/* The oldest record that the writing has not come to yet; NULL: it has passed all. */
static const struct piece *oldest(const struct ring *ring) {
    return ring->first < ring->end && ring->pieces[ring->first].offset >= ring->position
               ? &ring->pieces[ring->first]
               : NULL;
}

/* Behind the newest record, up to the next one that is whole. Where less than a wrap record needs
 * is left between them, that one goes, too. */
static void put_wrap(struct ring *ring) {
    const struct piece *next = oldest(ring);

    while (next != NULL && next->offset - ring->position < WRAP_SIZE) {
        ring->first++;
        next = oldest(ring);
    }
    if (next == NULL && ring->size < ring->position + WRAP_SIZE) {
        ring->size = ring->position + WRAP_SIZE;
    }
    encode_wrap(ring->bytes + ring->position, ring->variant,
                (next != NULL ? next->offset : ring->size) - ring->position);
}

/* From the second round on there must be room for a wrap record, too. What the new round has not
 * written over lies behind its end and would look newer than it is: it goes. */
static void begin_round(struct ring *ring) {
    while (oldest(ring) != NULL) {
        ring->first++;
    }
    ring->size = ring->position;
    ring->position = HEADER_SIZE;
    ring->rounds++;
}

static void ring_write(struct ring *ring, const uint8_t *bytes, size_t length) {
    size_t end = ring->position + length;

    if (end + (ring->rounds > 1 ? WRAP_SIZE : 0) > ring->maximum) {
        begin_round(ring);
        end = ring->position + length;
    }
    while (ring->rounds > 1 && oldest(ring) != NULL && oldest(ring)->offset < end) {
        ring->first++;
    }
    memcpy(ring->bytes + ring->position, bytes, length);
    ring->pieces = grow(ring->pieces, ring->end, &ring->capacity, sizeof *ring->pieces);
    ring->pieces[ring->end++] = (struct piece){ring->position, length, ring->written++};
    ring->position = end;
    ring->size = ring->size > end ? ring->size : end;
    if (ring->rounds > 1) {
        put_wrap(ring);
    }
}

static uint64_t first_number(const struct ring *ring) {
    return ring->pieces[ring->first].number;
}

/* --- a play that checks every state of the file ----------------------------------------
 */

enum { PLAYED = 160 };

struct small_play {
    struct sink sink;
    struct record records[PLAYED];
    size_t count;
};

static void keep_record(struct sink *sink, const struct record *record) {
    struct small_play *small = (struct small_play *)sink;

    small->records[small->count++] = *record;
    sink->full = small->count == PLAYED;
}

/* The counter begins anew somewhere in the file. */
static const struct plan small_plan = {
    .seed = 77, .phases = 1, .records = PLAYED, .small = true, .counter = 0xFFFFFFFF - 3000};

static void play_small(struct small_play *small, const struct plan *plan) {
    struct plan stopped = *plan;
    struct account *account = account_new(false);

    *small = (struct small_play){.sink = {.put = keep_record}};
    stopped.log_until = PLAYED;
    play(&stopped, account, &small->sink);
    account_free(account);
}

/* How many of the records have room in `bytes`, and how many bytes they have. */
static size_t count_fitting(const struct small_play *small, const struct variant *variant,
                            size_t *bytes) {
    uint8_t encoded[RECORD_LIMIT];
    size_t limit = *bytes;

    *bytes = 0;
    for (size_t i = 0; i < small->count; i++) {
        size_t length = encode_record(encoded, variant, &small->records[i]);

        if (*bytes + length > limit) {
            return i;
        }
        *bytes += length;
    }
    die("the play is too short");
}

/* --- files and expectations ----------------------------------------------------------------------
 */

struct output {
    const char *directory;
    FILE *ledger, *rows, *records, *calls;
    bool seen[4096]; /* places of the writing in the second round */
};

/* What the file of records first..until must give. */
static void write_survivors(struct output *output, const char *name, const struct plan *plan,
                            bool timed, uint64_t first, uint64_t until) {
    const struct view view = {.timed = timed};
    struct account *account = account_new(true);
    struct plan rest = *plan;
    char prefix[80];

    snprintf(prefix, sizeof prefix, "%s\t", name);
    rest.log_from = first;
    rest.log_until = until;
    play(&rest, account, NULL);
    fprintf(output->ledger, "%s%" PRIu64 "\t0\n", prefix, account->records);
    write_rows(output->rows, prefix, account, &view);
    write_records(output->records, prefix, account, timed);
    for (unsigned i = 0; i < FUNCTIONS; i++) {
        if (account->figures[i].calls > 0) {
            fprintf(output->calls, "%s%s\t%" PRIu64 "\n", prefix,
                    function_label((enum function)i, false), account->figures[i].calls);
        }
    }
    account_free(account);
}

/* One series of files: the same play with one variant. */
struct series {
    char name[32];
    struct plan plan;
    struct variant variant;
    unsigned rounds; /* the last to be looked at */
};

/* Whether this state of the file is kept. */
typedef bool chooser(const struct ring *ring, struct output *output, const struct series *series);

static void write_series(struct output *output, const struct series *series, chooser *choose) {
    static struct small_play small;
    uint8_t encoded[RECORD_LIMIT];
    struct ring ring;

    play_small(&small, &series->plan);
    ring_begin(&ring, &series->variant);
    for (size_t i = 0; i < small.count; i++) {
        ring_write(&ring, encoded, encode_record(encoded, &series->variant, &small.records[i]));
        if (ring.rounds > series->rounds) {
            break;
        }
        if (ring.rounds > 1 && choose(&ring, output, series)) {
            char name[64];

            snprintf(name, sizeof name, "%s-%03" PRIu64 "-%03zu.dwt", series->name,
                     series->plan.pad_size, i);
            write_bytes(path_of("%s/logs/%s", output->directory, name), ring.bytes, ring.size);
            write_survivors(output, name, &series->plan, series->variant.stamp_bits > 0,
                            first_number(&ring), ring.written);
        }
    }
    require(ring.rounds > series->rounds, "as many rounds as are to be looked at");
    ring_free(&ring);
}

static bool choose_new_places(const struct ring *ring, struct output *output,
                              const struct series *series) {
    bool is_new = !output->seen[ring->position];

    (void)series;
    output->seen[ring->position] = true;
    return is_new;
}

static bool choose_ends(const struct ring *ring, struct output *output,
                        const struct series *series) {
    (void)output;
    (void)series;
    return ring->position < HEADER_SIZE + 50 || ring->size - ring->position < 50;
}

static bool choose_some(const struct ring *ring, struct output *output,
                        const struct series *series) {
    (void)output;
    return ring->written % 4 == series->plan.pad_size / 5 % 4;
}

static bool choose_later_rounds(const struct ring *ring, struct output *output,
                                const struct series *series) {
    (void)output;
    (void)series;
    return ring->rounds > 2;
}

/* --- the series ---------------------------------------------------------------------------------
 */

enum { USUAL_BYTES = 600, LONGEST = 60 };

static const struct variant usual = {.stamp_bits = 32, .parameters = true, .lengths = true};

static struct series begin_series(const char *name, const struct variant *variant) {
    static struct small_play small;
    struct series series = {.plan = small_plan, .variant = *variant, .rounds = 2};
    size_t bytes = USUAL_BYTES;

    snprintf(series.name, sizeof series.name, "%s", name);
    play_small(&small, &small_plan);
    series.plan.pad_at = count_fitting(&small, variant, &bytes);
    series.variant.maximum = (uint32_t)(HEADER_SIZE + bytes);
    return series;
}

/* The first record of the second round is data of every size, so that the writing comes to stand at
 * every byte of the file. */
static void write_every_place(struct output *output) {
    struct series series = begin_series("place", &usual);
    size_t end = series.variant.maximum - WRAP_SIZE;

    for (series.plan.pad_size = 1; series.plan.pad_size <= LONGEST; series.plan.pad_size++) {
        write_series(output, &series, choose_new_places);
    }
    /* Before that there is no room for the data record. */
    for (size_t place = HEADER_SIZE + 18; place <= end; place++) {
        require(output->seen[place], "the writing at every byte of the file");
    }
}

/* Each maximum ends the rounds elsewhere. */
static void write_every_maximum(struct output *output) {
    struct series series = begin_series("maximum", &usual);

    series.plan.pad_at = 0;
    for (unsigned i = 0; i < LONGEST; i++, series.variant.maximum++) {
        snprintf(series.name, sizeof series.name, "maximum-%03u", i);
        write_series(output, &series, choose_ends);
    }
}

static void write_other_variants(struct output *output) {
    static const struct variant variants[] = {
        {.big_endian = true, .stamp_bits = 32, .parameters = true, .lengths = true},
        {.stamp_bits = 64, .parameters = true, .lengths = true},
        {.stamp_bits = 32, .lengths = true},
        {.parameters = true, .lengths = true},
        {.big_endian = true, .lengths = true},
    };

    for (unsigned i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        struct series series = begin_series(
            (const char *[]){"big", "64", "bare", "untimed", "big-untimed"}[i], &variants[i]);

        for (series.plan.pad_size = 1; series.plan.pad_size < LONGEST; series.plan.pad_size += 15) {
            write_series(output, &series, choose_some);
        }
    }
}

static void write_later_rounds(struct output *output) {
    struct series series = begin_series("later", &usual);

    series.plan.pad_at = 0;
    series.variant.maximum += 7;
    series.rounds = 4;
    write_series(output, &series, choose_later_rounds);
}

/* --- a large one ---------------------------------------------------------------------------------
 */

struct large_play {
    struct sink sink;
    struct ring ring;
};

static void put_into_ring(struct sink *sink, const struct record *record) {
    struct large_play *large = (struct large_play *)sink;
    uint8_t encoded[RECORD_LIMIT];

    ring_write(&large->ring, encoded, encode_record(encoded, large->ring.variant, record));
}

/* More than a reader keeps at hand, on both sides of the place where the writing stands. */
static void write_large(const char *directory) {
    struct variant variant = usual;
    struct plan plan = {.seed = 3, .phases = 1, .records = 110000, .small = true, .counter = 9};
    struct large_play large = {.sink = {.put = put_into_ring}};
    struct account *account = account_new(false);
    FILE *file = create_file(path_of("%s/large.tsv", directory));

    variant.maximum = 2000000;
    ring_begin(&large.ring, &variant);
    play(&plan, account, &large.sink);
    account_free(account);
    require(large.ring.rounds == 2 && large.ring.position > 400000 && large.ring.position < 1600000,
            "the large log wraps amid the file");
    write_bytes(path_of("%s/large.dwt", directory), large.ring.bytes, large.ring.size);
    account = account_new(false);
    plan.log_from = first_number(&large.ring);
    play(&plan, account, NULL);
    write_functions(file, "", account, true);
    close_file(file);
    account_free(account);
    ring_free(&large.ring);
}

void write_wrapped(const char *directory) {
    static struct output output;

    output = (struct output){
        .directory = directory,
        .ledger = create_file(path_of("%s/ledger.tsv", directory)),
        .rows = create_file(path_of("%s/rows.tsv", directory)),
        .records = create_file(path_of("%s/records.tsv", directory)),
        .calls = create_file(path_of("%s/calls.tsv", directory)),
    };
    fclose(create_file(path_of("%s/logs/none", directory)));
    remove(path_of("%s/logs/none", directory));
    write_every_place(&output);
    write_every_maximum(&output);
    write_other_variants(&output);
    write_later_rounds(&output);
    close_file(output.ledger);
    close_file(output.rows);
    close_file(output.records);
    close_file(output.calls);
    write_large(directory);
}

/* --- the one that is committed
 * -------------------------------------------------------------------- */

void write_wrapped_sample(const char *directory) {
    static struct small_play small;
    static const struct view view = {.timed = true};
    struct series series = begin_series("sample", &usual);
    struct account *account = account_new(true);
    FILE *file = create_file(path_of("%s/expected/wrapped.records", directory));
    uint8_t encoded[RECORD_LIMIT];
    struct ring ring;

    play_small(&small, &series.plan);
    ring_begin(&ring, &series.variant);
    for (size_t i = 0; ring.rounds < 2 || ring.position < HEADER_SIZE + USUAL_BYTES / 2; i++) {
        ring_write(&ring, encoded, encode_record(encoded, &series.variant, &small.records[i]));
    }
    write_bytes(path_of("%s/ok/wrapped.dwt", directory), ring.bytes, ring.size);
    series.plan.log_from = first_number(&ring);
    series.plan.log_until = ring.written;
    play(&series.plan, account, NULL);
    write_records(file, "", account, true);
    close_file(file);
    write_expected(path_of("%s/expected/wrapped", directory), account, &view);
    account_free(account);
    ring_free(&ring);
}
