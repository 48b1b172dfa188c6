/* How the pages of the devices are used again: temp.tally_reuse, temp.tally_working_set and
 * temp.tally_rewrite; and how many there are of them: temp.page_total. One reference after another
 * goes through a table of pages (page_table.h); an I/O is one to each page that it covers.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/page_table.h"
#include "base/saturate.h"
#include "store/devices.h"

enum {
    SECTOR = 512,
    LARGEST = 65536, /* pages of an I/O */
    SIZES = 64,      /* that are asked for */
    POWERS = 43,     /* of two, that are sizes of caches, and lengths of windows */
};

/* The reports. */
enum pages_for { REUSE, WORKING_SET, REWRITES, FOOTPRINT };

/* What an access to a page follows, and a write the last write, whatever lies between. */
enum pair { RAR, WAR, RAW, WAW, UPDATE, PAIRS };

struct pair_times {
    int64_t count, sum, least, most;
};

struct pages_state {
    const struct analysis_context *context;
    int64_t unit; /* bytes of a page */
    bool by_start;
    int64_t trace;
    struct devices devices;  /* owned */
    struct page_table table; /* owned */
    int64_t ios, references, reads, too_large;
    int64_t sampled, sampled_reads; /* references to sampled pages, each by its weight */
    /* Sizes of caches, ascending; references that hit from that one on, of all and of reads. */
    int64_t sizes[SIZES], hits[SIZES], read_hits[SIZES];
    size_t size_count;
    /* References by how many it is to the next one of their page: 2^(i - 1) < n <= 2^i. */
    int64_t gap_count[POWERS], gap_sum[POWERS];
    struct pair_times pairs[PAIRS];
};

static enum pages_for what(const struct pages_state *state) {
    return (enum pages_for)state->context->analysis->variant;
}

/* --- options -----------------------------------------------------------------------------------
 */

static int compare_sizes(const void *left, const void *right) {
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

    return (a > b) - (a < b);
}

/* The sizes of --sizes, or powers of two. */
static bool read_sizes(struct pages_state *state, const char *given, struct error *error) {
    for (int64_t size = 1; given == NULL && state->size_count < POWERS; size *= 2) {
        state->sizes[state->size_count++] = size;
    }
    while (given != NULL) {
        char *end = NULL;
        long long size = given[0] >= '0' && given[0] <= '9' ? strtoll(given, &end, 10) : 0;

        if (size < 1 || size > INT64_C(1) << 52 || state->size_count == SIZES ||
            (*end != ',' && *end != '\0')) {
            return error_set_status(error, EXIT_USAGE,
                                    "--sizes must be at most %d numbers of pages with commas "
                                    "between, such as 1,5,20, not '%s'",
                                    SIZES, state->context->values[3].text);
        }
        state->sizes[state->size_count++] = size;
        given = *end == ',' ? end + 1 : NULL;
    }
    qsort(state->sizes, state->size_count, sizeof *state->sizes, compare_sizes);
    return true;
}

static bool begin(void *context_state, const struct analysis_context *context,
                  struct error *error) {
    struct pages_state *state = context_state;

    state->context = context;
    state->unit = context->values[0].number;
    state->by_start = context->values[1].given;
    page_table_init(&state->table, (size_t)context->values[2].number);
    return what(state) != REUSE || read_sizes(state, context->values[3].text, error);
}

static bool begin_trace(void *context_state, const struct selected_trace *trace,
                        struct error *error) {
    struct pages_state *state = context_state;

    state->trace = trace->trace->id;
    state->ios = state->references = state->reads = state->too_large = 0;
    state->sampled = state->sampled_reads = 0;
    page_table_free(&state->table);
    devices_free(&state->devices);
    return devices_read(&state->devices, state->context->selection->database, state->trace, error);
}

/* --- the pass ----------------------------------------------------------------------------------
 */

static void add_hit(struct pages_state *state, int64_t distance, bool write, int64_t weight) {
    size_t i = 0;

    while (i < state->size_count && state->sizes[i] <= distance) {
        i++;
    }
    if (i < state->size_count) {
        state->hits[i] += weight;
        state->read_hits[i] += write ? 0 : weight;
    }
}

static void add_gap(struct pages_state *state, int64_t gap, int64_t weight) {
    int bits = gap <= 1 ? 0 : 64 - __builtin_clzll((unsigned long long)gap - 1);
    int64_t weighted;

    if (bits < POWERS) {
        state->gap_count[bits] += weight;
        add_saturated(&state->gap_sum[bits],
                      __builtin_mul_overflow(gap, weight, &weighted) ? INT64_MAX : weighted);
    }
}

static void add_pair(struct pages_state *state, enum pair pair, int64_t length, int64_t weight) {
    struct pair_times *times = &state->pairs[pair];
    int64_t weighted;

    times->least = times->count == 0 || length < times->least ? length : times->least;
    times->most = length > times->most ? length : times->most;
    times->count += weight;
    add_saturated(&times->sum,
                  __builtin_mul_overflow(length, weight, &weighted) ? INT64_MAX : weighted);
}

/* What a use that is not the first tells. */
static void add_use(struct pages_state *state, const struct page_use *use, int64_t time,
                    bool write) {
    const struct page *page = use->page;
    int64_t weight = INT64_C(1) << state->table.shift;

    switch (what(state)) {
    case REUSE:
        add_hit(state, use->distance, write, weight);
        break;
    case WORKING_SET:
        add_gap(state, state->references - page->position, weight);
        break;
    case REWRITES:
        add_pair(state,
                 write         ? page->write ? WAW : WAR
                 : page->write ? RAW
                               : RAR,
                 time - page->time, weight);
        if (write && page->written != EVENT_NONE) {
            add_pair(state, UPDATE, time - page->written, weight);
        }
        break;
    case FOOTPRINT:
        break;
    }
}

static bool refer(struct pages_state *state, int64_t device, int64_t number, int64_t time,
                  bool write, struct error *error) {
    struct page_use use;

    if (!page_table_use(&state->table, device, number, &use, error)) {
        return false;
    }
    if (use.page != NULL) {
        if (use.first) {
            use.page->written = EVENT_NONE;
        } else {
            add_use(state, &use, time, write);
        }
        use.page->time = time;
        use.page->position = state->references;
        use.page->write = write;
        use.page->was_read = use.page->was_read || !write;
        use.page->written = write ? time : use.page->written;
        state->sampled += INT64_C(1) << state->table.shift;
        state->sampled_reads += write ? 0 : INT64_C(1) << state->table.shift;
    }
    state->references++;
    state->reads += !write;
    return true;
}

static bool visit(void *context_state, const struct event_columns *columns, size_t count,
                  struct error *error) {
    struct pages_state *state = context_state;

    for (size_t i = 0; i < count; i++) {
        enum io_class class = io_class_of(columns->flags[i]);
        bool write = class == IO_WRITE || class == IO_WRITESYNC;
        int64_t sector = columns->address[i], size = columns->size[i], device, begin, last;

        if (class == IO_OTHER || class == IO_FLUSH || size <= 0 || sector < 0 ||
            sector > INT64_MAX / SECTOR || size > INT64_MAX - sector * SECTOR) {
            continue;
        }
        begin = sector * SECTOR / state->unit;
        last = state->by_start ? begin : (sector * SECTOR + size - 1) / state->unit;
        if (last - begin >= LARGEST) {
            state->too_large++;
            continue;
        }
        device = devices_find(&state->devices, columns->object[i]);
        state->ios++;
        for (int64_t number = begin; number <= last; number++) {
            if (!refer(state, device, number, columns->time[i], write, error)) {
                return false;
            }
        }
    }
    return true;
}

/* --- what was found ----------------------------------------------------------------------------
 */

static bool insert_row(const struct pages_state *state, const char *sql, const int64_t *values,
                       size_t count, struct error *error) {
    const struct selection *selection = state->context->selection;
    sqlite3_stmt *insert = scratch_prepare(selection->scratch, sql, error);
    bool done = insert != NULL;

    for (size_t i = 0; done && i < count; i++) {
        database_bind_optional(insert, (int)i + 1, values[i]);
    }
    done = done && database_execute(selection->database, insert, error);
    sqlite3_finalize(insert);
    return done;
}

/* The references that no later one follows in the trace, and the pages of the trace. */
static bool end_trace(void *context_state, struct error *error) {
    struct pages_state *state = context_state;
    const struct page_table *table = &state->table;
    int64_t read = 0, written = 0, both = 0;

    for (size_t i = 0; i < table->capacity; i++) {
        const struct page *page = &table->pages[i];

        if (page->slot != 0) {
            read += page->was_read;
            written += page->written != EVENT_NONE;
            both += page->was_read && page->written != EVENT_NONE;
            add_gap(state, state->references - page->position, INT64_C(1) << table->shift);
        }
    }
    /* The sample may hold more, or fewer, references than its part of the pages: what is missing
     * counts as found at once (SHARDS-adj). */
    if (state->size_count > 0) {
        state->hits[0] += state->references - state->sampled;
        state->read_hits[0] += state->reads - state->sampled_reads;
    }
    return insert_row(
        state, "INSERT INTO temp.page_total VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
        (int64_t[]){state->trace, state->ios, state->references, state->reads,
                    (int64_t)table->used << table->shift, read << table->shift,
                    written << table->shift, both << table->shift, (int64_t)table->used,
                    table->shift, state->too_large},
        11, error);
}

/* Hits only become more with the size. */
static bool write_reuse(struct pages_state *state, struct error *error) {
    int64_t hits = 0, read_hits = 0, most = 0, most_read = 0;

    for (size_t i = 0; i < state->size_count; i++) {
        hits += state->hits[i];
        read_hits += state->read_hits[i];
        most = hits > most ? hits : most;
        most_read = read_hits > most_read ? read_hits : most_read;
        if (!insert_row(state, "INSERT INTO temp.tally_reuse VALUES (?1, ?2, ?3)",
                        (int64_t[]){state->sizes[i], most, most_read}, 3, error)) {
            return false;
        }
    }
    return true;
}

/* The sum over all moments of the pages used in the last 2^i references: each adds as long as the
 * window reaches, or to the next use (Denning and Schwartz 1972). */
static bool write_working_set(struct pages_state *state, struct error *error) {
    int64_t shorter = 0;

    for (int i = 0; i < POWERS; i++) {
        int64_t sum, longer = 0, window = INT64_C(1) << i;

        add_saturated(&shorter, state->gap_sum[i]);
        for (int k = i + 1; k < POWERS; k++) {
            add_saturated(&longer, state->gap_count[k]);
        }
        if (__builtin_mul_overflow(longer, window, &sum)) {
            sum = INT64_MAX;
        }
        add_saturated(&sum, shorter);
        if (!insert_row(state, "INSERT INTO temp.tally_working_set VALUES (?1, ?2)",
                        (int64_t[]){window, sum}, 2, error)) {
            return false;
        }
    }
    return true;
}

static bool write_rewrites(struct pages_state *state, struct error *error) {
    for (int pair = 0; pair < PAIRS; pair++) {
        const struct pair_times *times = &state->pairs[pair];

        if (!insert_row(state, "INSERT INTO temp.tally_rewrite VALUES (?1, ?2, ?3, ?4, ?5)",
                        (int64_t[]){pair, times->count, times->sum, times->least, times->most}, 5,
                        error)) {
            return false;
        }
    }
    return true;
}

static bool write_rows(void *context_state, struct error *error) {
    struct pages_state *state = context_state;

    switch (what(state)) {
    case REUSE:
        return write_reuse(state, error);
    case WORKING_SET:
        return write_working_set(state, error);
    case REWRITES:
        return write_rewrites(state, error);
    case FOOTPRINT:
        break;
    }
    return true;
}

static void free_state(void *context_state) {
    struct pages_state *state = context_state;

    page_table_free(&state->table);
    devices_free(&state->devices);
}

#define PAGE_TOTAL                                                                                 \
    {                                                                                              \
        "page_total",                                                                              \
            "trace, ios, \"references\", reads, pages, read, written, both, kept, shift, "         \
            "too_large",                                                                           \
            NULL                                                                                   \
    }

#define UNIT                                                                                       \
    {.name = "unit",                                                                               \
     .type = PARAMETER_NUMBER,                                                                     \
     .argument = "BYTES",                                                                          \
     .help = "footprint, reuse, rewrites, workingset: bytes of a page (default 4096)",             \
     .least = SECTOR,                                                                              \
     .most = INT64_C(1) << 30,                                                                     \
     .otherwise = 4096},                                                                           \
        {.name = "by-start",                                                                       \
         .type = PARAMETER_FLAG,                                                                   \
         .help = "the same: an I/O is of the page where it begins alone"},                         \
    {                                                                                              \
        .name = "sample", .type = PARAMETER_NUMBER, .argument = "PAGES",                           \
        .help = "the same: beyond so many pages, a part of them (default 1048576)", .least = 64,   \
        .most = PAGE_TABLE_MOST, .otherwise = PAGE_TABLE_MOST                                      \
    }

#define PAGES(what_for)                                                                            \
    .pass = PASS_IN_ORDER, .fields = EVENT_OBJECT | EVENT_FLAGS | EVENT_ADDRESS | EVENT_SIZE,      \
    .variant = (what_for), .state_size = sizeof(struct pages_state), .begin = begin,               \
    .begin_trace = begin_trace, .visit = visit, .end_trace = end_trace, .write = write_rows,       \
    .free = free_state

/* temp.page_total, of all: a row a trace: its reads and writes, and how many of them are reads; the
 * references to pages that they are; the pages, those read, written, and both; how many were kept
 * of them, one in 2^shift; and the I/Os left out for their size. */

/* References by the size of a cache of pages, in pages, in which the one used longest ago makes
 * room: how many find theirs, and how many of these are reads. */
const struct analysis analysis_reuse = {
    .name = "reuse",
    .tables = {{"tally_reuse", "pages, hits, read_hits", NULL}, PAGE_TOTAL},
    .parameters = {UNIT,
                   {.name = "sizes",
                    .type = PARAMETER_TEXT,
                    .argument = "PAGES,…",
                    .help = "reuse: these sizes of a cache, not the powers of two"}},
    PAGES(REUSE),
};

/* By the length of a window, in references: the pages used in it, summed over all its places. */
const struct analysis analysis_working_set = {
    .name = "working_set",
    .tables = {{"tally_working_set", "window, pages", NULL}, PAGE_TOTAL},
    .parameters = {UNIT},
    PAGES(WORKING_SET),
};

/* What a reference to a page followed: 0 a read after a read, 1 a write after a read, 2 a read
 * after a write, 3 a write after a write, 4 a write after the last write, whatever lay between; how
 * many, the sum of the times between, the shortest and the longest. */
const struct analysis analysis_rewrite = {
    .name = "rewrite",
    .tables = {{"tally_rewrite", "pair, count, duration, least, most", NULL}, PAGE_TOTAL},
    .parameters = {UNIT},
    PAGES(REWRITES),
};

const struct analysis analysis_footprint = {
    .name = "footprint",
    .tables = {PAGE_TOTAL},
    .parameters = {UNIT},
    PAGES(FOOTPRINT),
};
