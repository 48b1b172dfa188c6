/* How the pages of devices, or of files, are used again: temp.tally_reuse, temp.tally_working_set
 * and temp.tally_rewrite; and how many there are of them: temp.page_total and temp.tally_footprint.
 * One reference after another goes through a table of pages; a transfer is one to
 * each page that it covers.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "analysis/analysis.h"
#include "analysis/page_span.h"
#include "base/hash_seed.h"
#include "base/memory.h"
#include "base/saturate.h"
#include "base/search.h"
#include "scan/distribution.h"

#define PAGE_TABLE_MOST (1 << 20) /* pages; 88 MiB */
#define SMALLEST        1024      /* places of a table */

enum {
    SIZES = 64,           /* that are asked for */
    POWERS = 43,          /* of two, that are sizes of caches, and lengths of windows */
    WINDOWS_MOST = 65536, /* of time, of a trace */
    PAGES_AHEAD = 12,     /* that are fetched while one is looked at */
};

/* Where the values of parameters behind those of all are. */
enum { SAMPLE_VALUE = 2, OWN_VALUE };

/* --- the table of pages -------------------------------------------------------------------------
 */

/* The pages of a trace, each with when it was used last: how many others were used since, and who
 * used it.
 *
 * A page is a unit of a device's addresses. Up to `most` pages all are kept. Beyond that half of
 * them are given up, by a hash of their addresses, and the same part of all that follow (SHARDS:
 * Waldspurger and others, FAST '15): sampling by page keeps reuse as it is, where sampling events
 * would destroy it. `shift` is how often that was done: one page in 2^shift is kept, and what is
 * seen of it counts 2^shift times.
 *
 * Distances are counted by a Fenwick tree over slots of time, of which each page has that of its
 * last use (Bennett and Kruskal 1975). When the slots are used up, those of the pages are numbered
 * anew, so that memory grows with pages and not with references.
 */

/* A page, as it was when it was used last. Free where `slot` is 0. There are twice as many places
 * as pages, so that each byte of it counts. */
struct page {
    int64_t device, number;
    int64_t time;         /* ns */
    union {               /* nobody wants both */
        int64_t position; /* number of the reference within the trace, from 0 */
        int64_t written;  /* time of the last write, if it was_written */
    };
    uint32_t slot;    /* of time, from 1 */
    bool placed;      /* the table's own */
    bool write;       /* the last use */
    bool was_read;    /* ever */
    bool was_written; /* likewise */
};

struct page_table {
    size_t most;    /* pages that are kept */
    bool distances; /* are wanted: without, there is no tree, and all slots are 1 */
    unsigned shift;
    struct page *pages; /* owned; open addressing, `capacity` of them, a power of 2 */
    size_t capacity, used;
    uint32_t *tree;            /* owned; Fenwick tree over slots 1 to `slots` */
    uint32_t slots, next_slot; /* the first that is free */
};

/* What a reference found. */
struct page_use {
    struct page *page; /* borrowed until the next call; NULL: it is not sampled */
    bool first;        /* of its page: all of `page` is 0 but what it is called, and the slot */
    int64_t distance;  /* other pages used since its last use, scaled by 2^shift; only if not first,
                          and if distances are wanted */
};

static void page_table_free(struct page_table *table) {
    free(table->pages);
    free(table->tree);
    *table = (struct page_table){.most = table->most, .distances = table->distances};
}

/* The finisher of MurmurHash3: the same on all machines, since its high bits choose which pages are
 * sampled. */
static uint64_t mix(uint64_t number) {
    number ^= number >> 33;
    number *= UINT64_C(0xFF51AFD7ED558CCD);
    number ^= number >> 33;
    number *= UINT64_C(0xC4CEB9FE1A85EC53);
    return number ^ number >> 33;
}

static uint64_t hash_of(int64_t device, int64_t number) {
    return mix((uint64_t)number + UINT64_C(0x9E3779B97F4A7C15) * mix((uint64_t)device + 1));
}

static bool is_sampled(const struct page_table *table, uint64_t hash) {
    return table->shift == 0 || hash >> (64 - table->shift) == 0;
}

/* Where the page with that hash is looked for first. */
static size_t first_place(const struct page_table *table, uint64_t hash) {
    return seeded_hash_number(hash) & (table->capacity - 1);
}

/* The place of the page with that hash, or the free one where it belongs. */
static struct page *find_place(const struct page_table *table, int64_t device, int64_t number,
                               uint64_t hash) {
    size_t at = first_place(table, hash);

    while (table->pages[at].slot != 0 &&
           (table->pages[at].number != number || table->pages[at].device != device)) {
        at = (at + 1) & (table->capacity - 1);
    }
    return &table->pages[at];
}

static void tree_add(struct page_table *table, uint32_t slot, uint32_t change) {
    for (; slot <= table->slots; slot += slot & -slot) {
        table->tree[slot] += change;
    }
}

/* How many slots up to this one are of pages. */
static uint32_t tree_sum(const struct page_table *table, uint32_t slot) {
    uint32_t sum = 0;

    for (; slot > 0; slot -= slot & -slot) {
        sum += table->tree[slot];
    }
    return sum;
}

/* The tree of slots 1 to `table->used`, all of which are of pages. */
static void fill_tree(struct page_table *table) {
    memset(table->tree, 0, (table->slots + (size_t)1) * sizeof *table->tree);
    for (uint32_t slot = 1; slot <= table->slots; slot++) {
        uint32_t above = slot + (slot & -slot);

        table->tree[slot] += slot <= table->used;
        if (above <= table->slots) {
            table->tree[above] += table->tree[slot];
        }
    }
    table->next_slot = (uint32_t)table->used + 1;
}

/* Numbers the slots of all pages anew, in their order: the rank of each is what the tree says.
 * Pages were given up, or slots were used up. */
static void renumber(struct page_table *table) {
    if (!table->distances || table->tree == NULL) {
        return;
    }
    for (size_t i = 0; i < table->capacity; i++) {
        struct page *page = &table->pages[i];

        page->slot = page->slot == 0 ? 0 : tree_sum(table, page->slot);
    }
    fill_tree(table);
}

/* Puts the page at `at`, which is not in its place yet, there; one that is in the way, and is not
 * in its own either, goes next. What is placed stays, so all that lies before a placed page is
 * taken for good, as finding it needs. */
static void place(struct page_table *table, size_t at) {
    struct page page = table->pages[at];

    table->pages[at].slot = 0;
    while (page.slot != 0) {
        size_t to = first_place(table, hash_of(page.device, page.number));
        struct page displaced;

        while (table->pages[to].slot != 0 && table->pages[to].placed) {
            to = (to + 1) & (table->capacity - 1);
        }
        displaced = table->pages[to];
        page.placed = true;
        table->pages[to] = page;
        page = displaced;
    }
}

/* Puts all pages where they belong, without room for a second table. */
static void place_all(struct page_table *table) {
    for (size_t i = 0; i < table->capacity; i++) {
        table->pages[i].placed = false;
    }
    for (size_t i = 0; i < table->capacity; i++) {
        if (table->pages[i].slot != 0 && !table->pages[i].placed) {
            place(table, i);
        }
    }
}

/* Places are visited in no order, so that nearly each visit would have the processor look up where
 * a small page of memory is. It is no error where the system has no larger ones. */
static void advise_huge_pages(void *memory, size_t size) {
    const uintptr_t huge = (uintptr_t)2 << 20;
    uintptr_t begin = ((uintptr_t)memory + huge - 1) & ~(huge - 1),
              end = ((uintptr_t)memory + size) & ~(huge - 1);

    if (begin < end) {
        madvise((void *)begin, end - begin, MADV_HUGEPAGE);
    }
}

/* Twice the room, or the first. */
static void grow(struct page_table *table) {
    size_t before = table->capacity, capacity = before == 0 ? SMALLEST : 2 * before;

    table->pages = xrealloc(table->pages, capacity * sizeof *table->pages);
    advise_huge_pages(table->pages, capacity * sizeof *table->pages);
    memset(table->pages + before, 0, (capacity - before) * sizeof *table->pages);
    if (table->distances) {
        renumber(table);
        table->tree = xrealloc(table->tree, (capacity + 1) * sizeof *table->tree);
    }
    table->capacity = capacity;
    table->slots = (uint32_t)capacity;
    place_all(table);
    if (table->distances) {
        fill_tree(table);
    }
}

/* Gives up the pages that are not sampled any more. */
static void halve(struct page_table *table) {
    table->shift++;
    for (size_t i = 0; i < table->capacity; i++) {
        struct page *page = &table->pages[i];

        if (page->slot != 0 && !is_sampled(table, hash_of(page->device, page->number))) {
            if (table->distances) {
                tree_add(table, page->slot, UINT32_MAX); /* one less */
            }
            page->slot = 0;
            table->used--;
        }
    }
    place_all(table);
    renumber(table);
}

/* Room for one more page and one more use. */
static void make_room(struct page_table *table) {
    if (2 * (table->used + 1) > table->capacity && table->used < table->most) {
        grow(table);
    }
    if (table->distances && table->next_slot > table->slots) {
        renumber(table);
    }
}

/* Has the processor fetch what use_page() will look at: said some uses before it, these need not
 * wait for memory one after another. */
static void expect_page(const struct page_table *table, int64_t device, int64_t number) {
    uint64_t hash = hash_of(device, number);

    if (table->capacity > 0 && is_sampled(table, hash)) {
        const struct page *page = &table->pages[first_place(table, hash)];

        __builtin_prefetch(&page->device, 1);
        __builtin_prefetch(&page->slot, 1); /* may be in another line of the cache */
    }
}

/* Finds the page, or makes it, and notes that it is used now. What the struct holds besides its
 * slot is as before, for the caller to look at and to set. */
static struct page_use use_page(struct page_table *table, int64_t device, int64_t number) {
    uint64_t hash = hash_of(device, number);
    struct page_use use = {0};
    struct page *page;

    if (!is_sampled(table, hash)) {
        return use;
    }
    make_room(table);
    page = find_place(table, device, number, hash);
    use.first = page->slot == 0;
    if (use.first) {
        while (table->used >= table->most && table->shift < 63) {
            halve(table);
        }
        if (!is_sampled(table, hash)) {
            return use;
        }
        page = find_place(table, device, number, hash);
        *page = (struct page){.device = device, .number = number};
        table->used++;
    } else if (table->distances) {
        int64_t later = (int64_t)table->used - tree_sum(table, page->slot);

        use.distance = later > INT64_MAX >> table->shift ? INT64_MAX : later << table->shift;
        tree_add(table, page->slot, UINT32_MAX); /* one less */
    }
    page->slot = table->distances ? table->next_slot++ : 1;
    if (table->distances) {
        tree_add(table, page->slot, 1);
    }
    use.page = page;
    return use;
}
/* --- the analyses ------------------------------------------------------------------------------
 */

/* The reports. */
enum pages_for { REUSE, WORKING_SET, REWRITES, FOOTPRINT };

/* What an access to a page follows, and a write the last write, whatever lies between. */
enum pair { RAR, WAR, RAW, WAW, UPDATE, PAIRS };

/* Their names among the groups of the distribution, which are those of the report. */
static const char *const pair_names[PAIRS] = {"RAR", "WAR", "RAW", "WAW", "update"};

struct pair_times {
    int64_t count, sum, least, most;
    size_t group; /* of the distribution */
};

/* What was used in a window of time, of those that follow one another within a trace. */
struct footprint_window {
    int64_t number; /* from `number` times the length on */
    int64_t references, distinct, fresh, written;
};

struct pages_state {
    struct transfers_state of; /* transfers */
    struct page_span_options options;
    struct page_table table; /* owned */
    int64_t transferred, references, reads, too_large;
    int64_t sampled, sampled_reads; /* references to sampled pages, each by its weight */
    /* Sizes of caches, ascending; references that hit from that one on, of all and of reads. */
    int64_t sizes[SIZES], hits[SIZES], read_hits[SIZES];
    size_t size_count;
    /* References by how many it is to the next one of their page: 2^(i - 1) < n <= 2^i. */
    int64_t gap_count[POWERS], gap_sum[POWERS];
    struct pair_times pairs[PAIRS];
    /* Of rewrites: the times between, of each pair; all passes but the first see a sample from the
     * start, so that all values weigh the same. */
    struct distribution *distribution; /* owned; NULL: there is none */
    unsigned shift, most_shift;        /* that a table begins with; that of any in the end */
    bool counted;                      /* all but the distribution, in the first pass */
    /* Of the footprint: windows of time of that length; 0: there are none. */
    int64_t length, last_window;
    struct footprint_window window;
};

static enum pages_for what(const struct pages_state *state) {
    return (enum pages_for)state->of.context->analysis->variant;
}

/* --- options -----------------------------------------------------------------------------------
 */

/* The sizes of --sizes, or powers of two. */
static void read_sizes(struct pages_state *state, const char *given) {
    for (int64_t size = 1; given == NULL && state->size_count < POWERS; size *= 2) {
        state->sizes[state->size_count++] = size;
    }
    while (given != NULL) {
        char *end = NULL;
        long long size = given[0] >= '0' && given[0] <= '9' ? strtoll(given, &end, 10) : 0;

        if (size < 1 || size > INT64_C(1) << 52 || state->size_count == SIZES ||
            (*end != ',' && *end != '\0')) {
            error_usage(&state->of.context->error,
                        "--sizes must be at most %d numbers of pages with commas "
                        "between, such as 1,5,20, not '%s'",
                        SIZES, state->of.context->values[OWN_VALUE].text);
            return;
        }
        state->sizes[state->size_count++] = size;
        given = *end == ',' ? end + 1 : NULL;
    }
    qsort(state->sizes, state->size_count, sizeof *state->sizes, compare_int64);
}

/* A distribution with a group for each pair, instead of what there was. */
static void make_distribution(struct pages_state *state) {
    distribution_free(state->distribution);
    state->distribution = distribution_new((struct distribution_shape){0});
    for (int pair = 0; pair < PAIRS; pair++) {
        state->pairs[pair].group =
            distribution_group(state->distribution, pair_names[pair], strlen(pair_names[pair]),
                               &state->of.context->error);
    }
}

static void begin(void *pages_state) {
    struct pages_state *state = pages_state;
    struct analysis_context *context = state->of.context;

    state->options = page_span_read(context->values);
    state->table.most = (size_t)context->values[SAMPLE_VALUE].number;
    state->table.distances = what(state) == REUSE;
    if (what(state) == REUSE) {
        read_sizes(state, context->values[OWN_VALUE].text);
    } else if (what(state) == REWRITES) {
        make_distribution(state);
    } else if (what(state) == FOOTPRINT) {
        parameter_length(&context->values[OWN_VALUE], "window",
                         catalog_real_clock(context->selection->traces[0].trace), &state->length,
                         &context->error);
    }
}

static int64_t window_of(const struct pages_state *state, int64_t time) {
    return time / state->length - (time % state->length < 0);
}

/* The first window of the trace is that of its first event in the selected time. */
static void begin_windows(struct pages_state *state) {
    static const char time_of[] = "SELECT time FROM main.event WHERE id = ?1";
    struct analysis_context *context = state->of.context;
    const struct selected_trace *trace = context->trace;
    int64_t first, last, windows;

    if (!database_integer(context->database, time_of, trace->first, 0, &first, &context->error) ||
        !database_integer(context->database, time_of, trace->last, first, &last, &context->error)) {
        return;
    }
    state->window = (struct footprint_window){.number = window_of(state, first)};
    state->last_window = window_of(state, last);
    if (trace->last < trace->first) {
        state->last_window = state->window.number - 1; /* there is none */
    }
    if (__builtin_sub_overflow(state->last_window, state->window.number, &windows) ||
        windows >= WINDOWS_MOST) {
        error_usage(&context->error,
                    "--window %s makes more than %d windows: give a longer one, or narrow "
                    "with --from and --to",
                    context->values[OWN_VALUE].text, WINDOWS_MOST);
    }
}

static void begin_trace(void *pages_state) {
    struct pages_state *state = pages_state;

    state->transferred = state->references = state->reads = state->too_large = 0;
    state->sampled = state->sampled_reads = 0;
    page_table_free(&state->table);
    state->table.shift = state->shift;
    transfers_begin_trace(state);
    if (state->length > 0) {
        begin_windows(state);
    }
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
        if (write && page->was_written) {
            add_pair(state, UPDATE, time - page->written, weight);
        }
        break;
    case FOOTPRINT:
        break;
    }
}

/* The window is over, and so are those behind it, up to before the one of that number. */
static void end_windows(struct pages_state *state, int64_t behind) {
    struct footprint_window *window = &state->window;

    for (; window->number < behind; window->number++) {
        /* The first of a damaged database may begin before all numbers. */
        TEMP_ROW(&state->of.context->tables[1], product_saturated(window->number, state->length),
                 state->length, window->references, window->distinct, window->fresh,
                 window->written);
        window->references = window->distinct = window->fresh = window->written = 0;
    }
}

/* What a use adds to its window: `page` is as it was before. */
static void add_to_window(struct pages_state *state, const struct page_use *use, bool write) {
    int64_t weight = INT64_C(1) << state->table.shift, number = state->window.number;
    const struct page *page = use->page;

    state->window.fresh += use->first ? weight : 0;
    if (use->first || window_of(state, page->time) < number) {
        state->window.distinct += weight;
    }
    if (write && (!page->was_written || window_of(state, page->written) < number)) {
        state->window.written += weight;
    }
}

static void note_use(const struct pages_state *state, struct page *page, int64_t time, bool write) {
    page->time = time;
    page->write = write;
    page->was_read = page->was_read || !write;
    page->was_written = page->was_written || write;
    if (what(state) == WORKING_SET) {
        page->position = state->references;
    } else if (write) {
        page->written = time;
    }
}

static void refer(struct pages_state *state, const struct transfer *transfer, int64_t number) {
    bool write = transfer->write;
    struct page_use use = use_page(&state->table, transfer->within, number);

    if (use.page != NULL) {
        if (!use.first) {
            add_use(state, &use, transfer->time, write);
        }
        if (state->length > 0) {
            add_to_window(state, &use, write);
        }
        note_use(state, use.page, transfer->time, write);
        state->sampled += INT64_C(1) << state->table.shift;
        state->sampled_reads += write ? 0 : INT64_C(1) << state->table.shift;
    }
    state->references++;
    state->reads += !write;
    state->window.references++;
}

/* The pages of a transfer are far apart in the table. */
static void take(void *pages_state, const struct transfer *transfer) {
    struct pages_state *state = pages_state;
    int64_t page, last, expected;

    if (!page_span(&state->options, transfer, &page, &last)) {
        state->too_large++;
        return;
    }
    /* Times of a damaged database may be in no order: what is not in a later window is in this one.
     */
    if (state->length > 0) {
        int64_t number = window_of(state, transfer->time);

        end_windows(state, number < state->last_window ? number : state->last_window);
    }
    state->transferred++;
    for (expected = page; page <= last; page++) {
        for (; expected <= last && expected < page + PAGES_AHEAD; expected++) {
            expect_page(&state->table, transfer->within, expected);
        }
        refer(state, transfer, page);
    }
}

/* --- what was found ----------------------------------------------------------------------------
 */

/* The references that no later one follows in the trace, and the pages of the trace. */
static void end_trace(void *pages_state) {
    struct pages_state *state = pages_state;
    struct analysis_context *context = state->of.context;
    const struct page_table *table = &state->table;
    int64_t read = 0, written = 0, both = 0;

    if (state->counted) {
        return;
    }
    for (size_t i = 0; i < table->capacity; i++) {
        const struct page *page = &table->pages[i];

        if (page->slot != 0) {
            read += page->was_read;
            written += page->was_written;
            both += page->was_read && page->was_written;
            if (what(state) == WORKING_SET) {
                add_gap(state, state->references - page->position, INT64_C(1) << table->shift);
            }
        }
    }
    /* The sample may hold more, or fewer, references than its part of the pages: what is missing
     * counts as found at once (SHARDS-adj). */
    if (state->size_count > 0) {
        state->hits[0] += state->references - state->sampled;
        state->read_hits[0] += state->reads - state->sampled_reads;
    }
    state->most_shift = table->shift > state->most_shift ? table->shift : state->most_shift;
    TEMP_ROW(&context->tables[what(state) == FOOTPRINT ? 0 : 1], context->trace->trace->id,
             state->transferred, state->references, state->reads,
             (int64_t)table->used << table->shift, read << table->shift, written << table->shift,
             both << table->shift, (int64_t)table->used, table->shift, state->too_large,
             state->of.transfers.unplaced);
    state->of.transfers.unplaced = 0;
    if (state->length > 0) {
        end_windows(state, state->last_window + 1);
    }
}

/* Where pages were given up on the way, the values before weigh less than those behind: all is done
 * once more with a sample that is the same throughout, and of all traces. */
static bool again(void *pages_state) {
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

/* Hits only become more with the size. */
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

/* The sum over all moments of the pages used in the last 2^i references: each adds as long as the
 * window reaches, or to the next use (Denning and Schwartz 1972). */
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

static void free_state(void *pages_state) {
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
        .help = "footprint, reuse, rewrites, workingset: beyond so many pages, a part of them "    \
                "(default 1048576)",                                                               \
        .least = 64, .most = PAGE_TABLE_MOST, .otherwise = PAGE_TABLE_MOST                         \
    }

#define PAGES(what_for)                                                                            \
    .pass = PASS_IN_ORDER, .fields = TRANSFER_FIELDS, .variant = (what_for),                       \
    .state_size = sizeof(struct pages_state), .begin = begin, .begin_trace = begin_trace,          \
    .visit = transfers_visit, .transfer = take, .end_trace = end_trace, .free = free_state

/* temp.page_total, of all: a row a trace: its reads and writes; the references to pages that they
 * are, and how many of these read; the pages, those read, written, and both; how many were kept of
 * them, one in 2^shift; and the reads and writes left out, for their size, and, of calls, for they
 * have no known file or place. */

/* References by the size of a cache of pages, in pages, in which the one used longest ago makes
 * room: how many find theirs, and how many of these are reads. */
const struct analysis analysis_reuse = {
    .name = "reuse",
    .tables = {{"tally_reuse", "pages, hits, read_hits", NULL}, PAGE_TOTAL},
    .parameters = {PARAMETERS,
                   {.name = "sizes",
                    .type = PARAMETER_TEXT,
                    .argument = "PAGES,…",
                    .help = "reuse: these sizes of a cache, not the powers of two"}},
    .write = write_reuse,
    PAGES(REUSE),
};

/* By the length of a window, in references: the pages used in it, summed over all its places. */
const struct analysis analysis_working_set = {
    .name = "working_set",
    .tables = {{"tally_working_set", "window, pages", NULL}, PAGE_TOTAL},
    .parameters = {PARAMETERS},
    .write = write_working_set,
    PAGES(WORKING_SET),
};

/* What a reference to a page followed: 0 a read after a read, 1 a write after a read, 2 a read
 * after a write, 3 a write after a write, 4 a write after the last write, whatever lay between; how
 * many, the sum of the times between, the shortest and the longest. Groups of temp.distribution, of
 * the same times: "RAR", "WAR", "RAW", "WAW", "update". */
const struct analysis analysis_rewrite = {
    .name = "rewrite",
    .tables = {{"tally_rewrite", "pair, count, duration, least, most", NULL},
               PAGE_TOTAL,
               {"distribution", DISTRIBUTION_COLUMNS, "name"}},
    .parameters = {PARAMETERS},
    .again = again,
    .write = write_rewrites,
    PAGES(REWRITES),
};

/* With --window, in each window of time, the empty ones included: where it begins, how long it is;
 * the references in it, the pages that are different, those never used before, and those written.
 * Several traces have rows each. */
const struct analysis analysis_footprint = {
    .name = "footprint",
    .tables = {PAGE_TOTAL,
               {"tally_footprint", "start, length, \"references\", \"distinct\", \"new\", written",
                NULL}},
    .parameters = {PARAMETERS, WINDOW_PARAMETER},
    PAGES(FOOTPRINT),
};
