/* Measures how often pages of devices or files are used again: temp.tally_reuse,
 * temp.tally_working_set and temp.tally_rewrite; and their number: temp.page_total and
 * temp.tally_footprint. A transfer is a reference to each page that it covers; each reference is
 * looked up in a page table. */
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/transfers.h"
#include "analysis/page_table.h"
#include "base/saturate.h"
#include "base/search.h"
#include "scan/distribution.h"

enum {
    SIZES = 64,  /* limit of cache sizes in --sizes */
    POWERS = 43, /* number of powers of two that are cache sizes or window lengths, from 2^0 */
    WINDOWS_MOST = 65536, /* limit of time windows per trace */
    PAGES_AHEAD = 16,     /* sampled pages prefetched ahead of the page being counted */
    /* Number of transfers whose first pages are prefetched before they are counted. */
    TRANSFERS_AHEAD = 16,
};

/* Indexes of the parameters after PAGE_SPAN_PARAMETERS. */
enum { SAMPLE_VALUE = 2, OWN_VALUE };

/* Values of analysis.variant: what is computed. */
enum pages_for { REUSE, WORKING_SET, REWRITES, FOOTPRINT };

/* Kinds of two successive accesses to a page, named like hazards: RAW is a read after a write.
 * UPDATE is a write and the write before it, with or without reads in between. */
enum pair { RAR, WAR, RAW, WAW, UPDATE, PAIRS };

/* Names of the kinds in the report and in temp.distribution. */
static const char *const pair_names[PAIRS] = {"RAR", "WAR", "RAW", "WAW", "update"};

struct pair_times {
    int64_t count, sum, least, most;
    size_t group; /* number of the group in `distribution` */
};

/* Numbers of pages used in a time window. Windows of a trace are consecutive. */
struct footprint_window {
    int64_t number; /* number of the window, which begins at number * length */
    int64_t references, distinct, fresh, written;
};

/* The pages of one transfer. */
struct page_run {
    int64_t device, page, last, time;
    bool write;
};

struct pages_state {
    struct transfers_state of; /* finds reads and writes among the events */
    struct page_span_options options;
    struct page_table table; /* owned */
    /* Ring of transfers whose pages are being prefetched: transfer n (counted_runs <= n < runs) has
     * the index n % TRANSFERS_AHEAD. */
    struct page_run ahead[TRANSFERS_AHEAD];
    size_t counted_runs, runs;
    int64_t transferred, references, reads, too_large;
    /* sampled: number of references to pages of the sample, multiplied by 2^shift; sampled_reads:
     * those by reads. */
    int64_t sampled, sampled_reads;
    /* By cache size, ascending. hits: references that hit in a cache of this size, but not in the
     * next smaller one; read_hits: those by reads. */
    int64_t sizes[SIZES], hits[SIZES], read_hits[SIZES];
    size_t size_count;
    /* Of the distances n between uses of a page with 2^(i - 1) < n <= 2^i: their number; sum. */
    int64_t gap_count[POWERS], gap_sum[POWERS];
    struct pair_times pairs[PAIRS];
    /* For REWRITES: times between accesses by kind. The first pass may have to halve the sample of
     * pages. Further passes use the final sampling rate from the start, so all values have the same
     * weight. */
    struct distribution *distribution; /* owned; times between accesses, by kind; NULL: none */
    /* shift: with which page tables start; most_shift: the largest that any of them reached. */
    unsigned shift, most_shift;
    /* True: the first pass is over, so everything except `distribution` is complete. */
    bool counted;
    /* For FOOTPRINT: length of the time windows; 0: no windows. */
    int64_t length, last_window;
    struct footprint_window window;
};

static enum pages_for pages_variant(const struct pages_state *state) {
    return (enum pages_for)state->of.context->analysis->variant;
}

/* --- options and time windows ----------------------------------------------------------------- */

/* Sets the cache sizes: those of --sizes, or powers of two. */
static void read_sizes(struct pages_state *state, const char *given) {
    for (int64_t size = 1; given == NULL && state->size_count < POWERS; size *= 2) {
        state->sizes[state->size_count++] = size;
    }
    while (given != NULL) {
        char *end = NULL;
        long long size = given[0] >= '0' && given[0] <= '9' ? strtoll(given, &end, 10) : 0;

        if (size < 1 || size > INT64_C(1) << 52 || state->size_count == SIZES ||
            (*end != ',' && *end != '\0')) {
            error_usage(
                &state->of.context->error,
                "--sizes takes up to %d page counts separated by commas, such as 1,5,20, not '%s'",
                SIZES, state->of.context->values[OWN_VALUE].text);
            return;
        }
        state->sizes[state->size_count++] = size;
        given = *end == ',' ? end + 1 : NULL;
    }
    qsort(state->sizes, state->size_count, sizeof *state->sizes, compare_int64);
}

/* Replaces the distribution by an empty one with a group for each kind. */
static void make_distribution(struct pages_state *state) {
    distribution_free(state->distribution);
    state->distribution = distribution_new((struct distribution_shape){0});
    for (int pair = 0; pair < PAIRS; pair++) {
        state->pairs[pair].group =
            distribution_group(state->distribution, pair_names[pair], strlen(pair_names[pair]),
                               &state->of.context->error);
    }
}

static void pages_begin(void *pages_state) {
    struct pages_state *state = pages_state;
    struct analysis_context *context = state->of.context;

    state->options = page_span_read(context->values);
    state->table.most = (size_t)context->values[SAMPLE_VALUE].number;
    state->table.distances = pages_variant(state) == REUSE;
    if (pages_variant(state) == REUSE) {
        read_sizes(state, context->values[OWN_VALUE].text);
    } else if (pages_variant(state) == REWRITES) {
        make_distribution(state);
    } else if (pages_variant(state) == FOOTPRINT) {
        parameter_length(&context->values[OWN_VALUE], "window",
                         catalog_has_real_clock(context->selection->traces[0].trace),
                         &state->length, &context->error);
    }
}

static int64_t pages_window_of(const struct pages_state *state, int64_t time) {
    return time / state->length - (time % state->length < 0);
}

/* Begins the time windows of a trace, with the window of the first selected event. */
static void begin_windows(struct pages_state *state) {
    static const char time_of[] = "SELECT time FROM main.event WHERE id = ?1";
    struct analysis_context *context = state->of.context;
    const struct selected_trace *trace = context->trace;
    int64_t first, last, windows;

    if (!database_query_integer(context->database, time_of, trace->first, 0, &first,
                                &context->error) ||
        !database_query_integer(context->database, time_of, trace->last, first, &last,
                                &context->error)) {
        return;
    }
    state->window = (struct footprint_window){.number = pages_window_of(state, first)};
    state->last_window = pages_window_of(state, last);
    if (trace->last < trace->first) {
        state->last_window = state->window.number - 1; /* no events, so there are no windows */
    }
    if (__builtin_sub_overflow(state->last_window, state->window.number, &windows) ||
        windows >= WINDOWS_MOST) {
        error_usage(&context->error,
                    "--window %s makes more than %d windows: give a longer one, or a shorter time "
                    "with --from and --to",
                    context->values[OWN_VALUE].text, WINDOWS_MOST);
    }
}

static void pages_begin_trace(void *pages_state) {
    struct pages_state *state = pages_state;

    state->transferred = state->references = state->reads = state->too_large = 0;
    state->sampled = state->sampled_reads = 0;
    page_table_clear(&state->table);
    state->table.shift = state->shift;
    transfers_begin_trace(state);
    if (state->length > 0) {
        begin_windows(state);
    }
}

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

static void pages_add_gap(struct pages_state *state, int64_t gap, int64_t weight) {
    int bits = gap <= 1 ? 0 : 64 - __builtin_clzll((unsigned long long)gap - 1);

    if (bits < POWERS) {
        state->gap_count[bits] += weight;
        add_saturated(&state->gap_sum[bits], product_saturated(gap, weight));
    }
}

static void add_pair(struct pages_state *state, enum pair pair, int64_t length, int64_t weight) {
    struct pair_times *times = &state->pairs[pair];

    distribution_count(state->distribution, times->group, length);
    if (state->counted) {
        return;
    }
    times->least = times->count == 0 || length < times->least ? length : times->least;
    times->most = length > times->most ? length : times->most;
    times->count += weight;
    add_saturated(&times->sum, product_saturated(length, weight));
}

/* Counts reference number `reference` of the trace, to a page that was used before. */
static void add_use(struct pages_state *state, const struct page_use *use, int64_t time,
                    int64_t reference, bool write) {
    const struct page *page = use->page;
    int64_t weight = INT64_C(1) << state->table.shift;

    switch (pages_variant(state)) {
    case REUSE:
        add_hit(state, use->distance, write, weight);
        break;
    case WORKING_SET:
        pages_add_gap(state, reference - page->position, weight);
        break;
    case REWRITES:
        add_pair(state,
                 write         ? page->write ? WAW : WAR
                 : page->write ? RAW
                               : RAR,
                 time - page->time, weight);
        if (write && page->was_written) {
            add_pair(state, UPDATE, time - page->written, weight);
        }
        break;
    case FOOTPRINT:
        break;
    }
}

/* Writes the rows of the current window and the windows after it, up to number `after` - 1. */
static void end_windows(struct pages_state *state, int64_t after) {
    struct footprint_window *window = &state->window;

    for (; window->number < after; window->number++) {
        /* Saturates, because the window number may be huge in a damaged database. */
        TEMP_ROW(&state->of.context->tables[1], product_saturated(window->number, state->length),
                 state->length, window->references, window->distinct, window->fresh,
                 window->written);
        window->references = window->distinct = window->fresh = window->written = 0;
    }
}

/* Counts a reference in the current window. `use->page` must be as it was before the reference. */
static void add_to_window(struct pages_state *state, const struct page_use *use, bool write) {
    int64_t weight = INT64_C(1) << state->table.shift, number = state->window.number;
    const struct page *page = use->page;

    state->window.fresh += use->first ? weight : 0;
    if (use->first || pages_window_of(state, page->time) < number) {
        state->window.distinct += weight;
    }
    if (write && (!page->was_written || pages_window_of(state, page->written) < number)) {
        state->window.written += weight;
    }
}

/* Counts a reference to a page, which is number `reference` in the trace, from 0. */
static void add_page_reference(struct pages_state *state, const struct page_run *run,
                               int64_t number, int64_t reference) {
    bool write = run->write;
    struct page_use use = page_table_record_use(&state->table, run->device, number);

    if (use.page == NULL) {
        return;
    }
    if (!use.first) {
        add_use(state, &use, run->time, reference, write);
    }
    if (state->length > 0) {
        add_to_window(state, &use, write);
    }
    use.page->time = run->time;
    use.page->write = write;
    use.page->was_read = use.page->was_read || !write;
    use.page->was_written = use.page->was_written || write;
    if (pages_variant(state) == WORKING_SET) {
        use.page->position = reference;
    } else if (write) {
        use.page->written = run->time;
    }
    state->sampled += INT64_C(1) << state->table.shift;
    state->sampled_reads += write ? 0 : INT64_C(1) << state->table.shift;
}

/* Counts all pages of the oldest transfer in the ring `ahead`. */
static void count_run(struct pages_state *state) {
    const struct page_run *run = &state->ahead[state->counted_runs++ % TRANSFERS_AHEAD];
    const struct page_table *table = &state->table;
    const int64_t count = run->last - run->page + 1;

    /* Writes windows that have ended. In a damaged database, an event from before the current
     * window counts in the current one. */
    if (state->length > 0) {
        int64_t number = pages_window_of(state, run->time);

        end_windows(state, number < state->last_window ? number : state->last_window);
    }
    state->transferred++;
    for (int64_t page = page_table_next_sampled(table, run->device, run->page, run->last);
         page <= run->last;
         page = page_table_next_sampled(table, run->device, page + 1, run->last)) {
        if ((run->last - page) >> table->shift >= PAGES_AHEAD) {
            page_table_prefetch(table, run->device, page + ((int64_t)PAGES_AHEAD << table->shift));
        }
        add_page_reference(state, run, page, state->references + page - run->page);
    }
    state->references += count;
    state->reads += run->write ? 0 : count;
    state->window.references += count;
}

/* Adds a transfer to the ring. Its pages are prefetched now and counted some transfers later: pages
 * of successive transfers are far apart in memory. */
static void pages_add(void *pages_state, const struct transfer *transfer) {
    struct pages_state *state = pages_state;
    struct page_run run = {
        .device = transfer->within, .time = transfer->time, .write = transfer->write};
    unsigned shift;
    int64_t last;

    if (!page_span(&state->options, transfer, &run.page, &run.last)) {
        state->too_large++;
        return;
    }
    if (state->runs - state->counted_runs == TRANSFERS_AHEAD) {
        count_run(state);
    }
    shift = state->table.shift;
    last = (run.last - run.page) >> shift < PAGES_AHEAD
               ? run.last
               : run.page + ((int64_t)PAGES_AHEAD << shift) - 1;
    for (int64_t page = page_table_next_sampled(&state->table, run.device, run.page, last);
         page <= last; page = page_table_next_sampled(&state->table, run.device, page + 1, last)) {
        page_table_prefetch(&state->table, run.device, page);
    }
    state->ahead[state->runs++ % TRANSFERS_AHEAD] = run;
}

/* Counts by file or key (object) instead of by page. Each call on an object counts as a write to
 * it. */
static void pages_visit_keys(void *pages_state, const struct event_columns *columns, size_t count) {
    struct pages_state *state = pages_state;

    for (size_t i = 0; i < count; i++) {
        const struct transfer key = {
            .within = columns->object[i], .size = 1, .write = true, .time = columns->time[i]};

        if (key.within > 0) {
            pages_add(state, &key);
        } else {
            state->of.transfers.unplaced++;
        }
    }
}

/* Writes a trace's numbers of pages. For working sets, also counts the distance from the last
 * reference to each page to the end of the trace. */
static void pages_end_trace(void *pages_state) {
    struct pages_state *state = pages_state;
    struct analysis_context *context = state->of.context;
    const struct page_table *table = &state->table;
    int64_t read = 0, written = 0, both = 0;

    while (state->counted_runs < state->runs) {
        count_run(state);
    }
    if (state->counted) {
        return;
    }
    for (size_t i = 0; i < table->capacity; i++) {
        const struct page *page = &table->pages[i];

        if (page->slot != 0) {
            read += page->was_read;
            written += page->was_written;
            both += page->was_read && page->was_written;
            if (pages_variant(state) == WORKING_SET) {
                pages_add_gap(state, state->references - page->position,
                              INT64_C(1) << table->shift);
            }
        }
    }
    /* A sample's share of the references may differ from its share of the pages. Adds the
     * difference as hits of the smallest cache, which corrects the estimate (SHARDS-adj). */
    if (state->size_count > 0) {
        state->hits[0] += state->references - state->sampled;
        state->read_hits[0] += state->reads - state->sampled_reads;
    }
    state->most_shift = table->shift > state->most_shift ? table->shift : state->most_shift;
    TEMP_ROW(&context->tables[pages_variant(state) == FOOTPRINT ? 0 : 1], context->trace->trace->id,
             state->transferred, state->references, state->reads,
             (int64_t)table->used << table->shift, read << table->shift, written << table->shift,
             both << table->shift, (int64_t)table->used, table->shift, state->too_large,
             state->of.transfers.unplaced);
    state->of.transfers.unplaced = 0;
    if (state->length > 0) {
        end_windows(state, state->last_window + 1);
    }
}

/* Returns whether another pass is needed. If pages were dropped during the first pass, its earlier
 * values have less weight; another pass has a constant sampling rate. */
static bool pages_again(void *pages_state) {
    struct pages_state *state = pages_state;
    bool sampled = !state->counted && state->most_shift > 0;

    state->counted = true;
    if (!sampled) {
        return distribution_end_pass(state->distribution);
    }
    state->shift = state->most_shift;
    make_distribution(state);
    return true;
}

/* Writes the number of hits by cache size: at least 0, and never fewer for a larger cache, although
 * the correction for sampling may be negative. */
static void write_reuse(void *pages_state) {
    struct pages_state *state = pages_state;
    int64_t hits = 0, read_hits = 0, most = 0, most_read = 0;

    for (size_t i = 0; i < state->size_count; i++) {
        hits += state->hits[i];
        read_hits += state->read_hits[i];
        most = hits > most ? hits : most;
        most_read = read_hits > most_read ? read_hits : most_read;
        TEMP_ROW(&state->of.context->tables[0], state->sizes[i], most, most_read);
    }
}

/* Writes, by window length of 2^i references, the number of different pages in a window, summed
 * over all positions of the window. Each reference adds the window length or, if shorter, the
 * distance to the next reference to its page (Denning and Schwartz 1972). */
static void write_working_set(void *pages_state) {
    struct pages_state *state = pages_state;
    int64_t shorter = 0;

    for (int i = 0; i < POWERS; i++) {
        int64_t sum, longer = 0, window = INT64_C(1) << i;

        add_saturated(&shorter, state->gap_sum[i]);
        for (int k = i + 1; k < POWERS; k++) {
            add_saturated(&longer, state->gap_count[k]);
        }
        sum = product_saturated(longer, window);
        add_saturated(&sum, shorter);
        TEMP_ROW(&state->of.context->tables[0], window, sum);
    }
}

static void write_rewrites(void *pages_state) {
    struct pages_state *state = pages_state;

    for (int pair = 0; pair < PAIRS; pair++) {
        const struct pair_times *times = &state->pairs[pair];

        TEMP_ROW(&state->of.context->tables[0], pair, times->count, times->sum, times->least,
                 times->most);
    }
    distribution_write(state->distribution, state->of.context->temp, &state->of.context->error);
}

static void pages_free_state(void *pages_state) {
    struct pages_state *state = pages_state;

    page_table_free(&state->table);
    transfers_free(state);
    distribution_free(state->distribution);
}

#define PAGE_TOTAL                                                                                 \
    {                                                                                              \
        "page_total",                                                                              \
            "trace, ios, \"references\", reads, pages, read, written, both, kept, shift, "         \
            "too_large, unplaced",                                                                 \
            NULL                                                                                   \
    }

#define PARAMETERS                                                                                 \
    PAGE_SPAN_PARAMETERS, {                                                                        \
        .name = "sample", .type = PARAMETER_NUMBER, .argument = "PAGES",                           \
        .help = "footprint, reuse, rewrites, workingset: sample the pages if there are more than " \
                "this "                                                                            \
                "(default 1048576)",                                                               \
        .least = 64, .most = PAGE_TABLE_MOST, .otherwise = PAGE_TABLE_MOST                         \
    }

#define SIZES_PARAMETER                                                                            \
    {                                                                                              \
        .name = "sizes", .type = PARAMETER_TEXT, .argument = "PAGES,…",                            \
        .help = "reuse: sizes of the cache in pages, instead of powers of two"                     \
    }

#define PAGES(what_for)                                                                            \
    .pass = PASS_IN_ORDER, .fields = TRANSFER_FIELDS, .variant = (what_for),                       \
    .state_size = sizeof(struct pages_state), .begin = pages_begin,                                \
    .begin_trace = pages_begin_trace, .visit = transfers_visit, .transfer = pages_add,             \
    .end_trace = pages_end_trace, .free = pages_free_state

/* temp.page_total: a row per trace with the numbers of: reads and writes; their references to
 * pages; references by reads; pages; pages read, written, and both; pages in the sample (one in
 * 2^shift); transfers skipped as too large; calls skipped as their file or position is unknown. */

/* temp.tally_reuse: a row per size of an LRU page cache, in pages. `hits`: references that hit the
 * cache; `read_hits`: those by reads. */
const struct analysis analysis_reuse = {
    .name = "reuse",
    .tables = {{"tally_reuse", "pages, hits, read_hits", NULL}, PAGE_TOTAL},
    .parameters = {PARAMETERS, SIZES_PARAMETER},
    .write = write_reuse,
    PAGES(REUSE),
};

/* temp.tally_reuse for files or keys (objects) instead of pages: each call is a reference to its
 * object, at any offset. */
const struct analysis analysis_reuse_key = {
    .name = "reuse_key",
    .tables = {{"tally_reuse", "pages, hits, read_hits", NULL}, PAGE_TOTAL},
    .parameters = {PARAMETERS, SIZES_PARAMETER},
    .write = write_reuse,
    .pass = PASS_IN_ORDER,
    .fields = EVENT_OBJECT,
    .variant = REUSE,
    .state_size = sizeof(struct pages_state),
    .begin = pages_begin,
    .begin_trace = pages_begin_trace,
    .visit = pages_visit_keys,
    .end_trace = pages_end_trace,
    .free = pages_free_state,
};

/* temp.tally_working_set: a row per window length, in references, with the number of different
 * pages in a window, summed over all positions of the window. */
const struct analysis analysis_working_set = {
    .name = "working_set",
    .tables = {{"tally_working_set", "window, pages", NULL}, PAGE_TOTAL},
    .parameters = {PARAMETERS},
    .write = write_working_set,
    PAGES(WORKING_SET),
};

/* temp.tally_rewrite: a row per kind of two accesses to a page: 0 read after read, 1 write after
 * read, 2 read after write, 3 write after write, 4 write after the last write, with any reads in
 * between. `count`: number of these; `duration`, `least`, `most`: sum, minimum and maximum of the
 * times between the two. Groups of temp.distribution: "RAR", "WAR", "RAW", "WAW", "update". */
const struct analysis analysis_rewrite = {
    .name = "rewrite",
    .tables = {{"tally_rewrite", "pair, count, duration, least, most", NULL},
               PAGE_TOTAL,
               {"distribution", DISTRIBUTION_COLUMNS, "name"}},
    .parameters = {PARAMETERS},
    .again = pages_again,
    .write = write_rewrites,
    PAGES(REWRITES),
};

/* temp.tally_footprint, with --window: a row per trace and time window, including empty windows.
 * `distinct`: different pages used; `new`: pages never used before; `written`: pages written. */
const struct analysis analysis_footprint = {
    .name = "footprint",
    .tables = {PAGE_TOTAL,
               {"tally_footprint", "start, length, \"references\", \"distinct\", \"new\", written",
                NULL}},
    .parameters = {PARAMETERS, WINDOW_PARAMETER},
    PAGES(FOOTPRINT),
};
