/* How the pages of devices, or of files, are used again: temp.tally_reuse, temp.tally_working_set
 * and temp.tally_rewrite; and how many there are of them: temp.page_total and temp.tally_footprint.
 * One reference after another goes through a table of pages (page_table.h); a transfer is one to
 * each page that it covers.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/page_span.h"
#include "analysis/page_table.h"
#include "base/saturate.h"
#include "scan/distribution.h"

enum {
    SIZES = 64,           /* that are asked for */
    POWERS = 43,          /* of two, that are sizes of caches, and lengths of windows */
    WINDOWS_MOST = 65536, /* of time, of a trace */
    PAGES_AHEAD = 12,     /* that are fetched while one is looked at */
};

/* Where the values of parameters behind those of all are. */
enum { SAMPLE_VALUE = 2, OWN_VALUE };

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
    const struct analysis_context *context;
    struct page_span_options options;
    int64_t trace;
    struct transfers transfers; /* owned */
    struct page_table table;    /* owned */
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
    sqlite3_stmt *insert_window; /* owned */
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
                                    SIZES, state->context->values[OWN_VALUE].text);
        }
        state->sizes[state->size_count++] = size;
        given = *end == ',' ? end + 1 : NULL;
    }
    qsort(state->sizes, state->size_count, sizeof *state->sizes, compare_sizes);
    return true;
}

/* A distribution with a group for each pair, instead of what there was. */
static bool make_distribution(struct pages_state *state, struct error *error) {
    distribution_free(state->distribution);
    state->distribution = distribution_new();
    for (int pair = 0; pair < PAIRS; pair++) {
        if (!distribution_group(state->distribution, pair_names[pair], strlen(pair_names[pair]),
                                &state->pairs[pair].group, error)) {
            return false;
        }
    }
    return true;
}

static bool begin_windows(struct pages_state *state, struct error *error) {
    const struct analysis_context *context = state->context;

    state->insert_window = temp_schema_prepare(
        context->selection->temp,
        "INSERT INTO temp.tally_footprint VALUES (?1, ?2, ?3, ?4, ?5, ?6)", error);
    return state->insert_window != NULL &&
           parameter_length(&context->values[OWN_VALUE], "window",
                            catalog_real_clock(context->selection->traces[0].trace), &state->length,
                            error);
}

static bool begin(void *context_state, const struct analysis_context *context,
                  struct error *error) {
    struct pages_state *state = context_state;

    state->context = context;
    state->options = page_span_read(context->values);
    page_table_init(&state->table, (size_t)context->values[SAMPLE_VALUE].number,
                    what(state) == REUSE);
    switch (what(state)) {
    case REUSE:
        return read_sizes(state, context->values[OWN_VALUE].text, error);
    case REWRITES:
        return make_distribution(state, error);
    case FOOTPRINT:
        return begin_windows(state, error);
    case WORKING_SET:
        break;
    }
    return true;
}

static int64_t window_of(const struct pages_state *state, int64_t time) {
    return time / state->length - (time % state->length < 0);
}

/* Whether there are no more windows of the trace than may be. */
static bool windows_fit(const struct pages_state *state) {
    int64_t windows;

    return !__builtin_sub_overflow(state->last_window, state->window.number, &windows) &&
           windows < WINDOWS_MOST;
}

/* The first window of the trace is that of its first event in the selected time. */
static bool begin_trace_windows(struct pages_state *state, const struct selected_trace *trace,
                                struct error *error) {
    static const char time_of[] = "SELECT time FROM main.event WHERE id = ?1";
    struct database *database = state->context->selection->database;
    int64_t first, last;

    if (!database_integer(database, time_of, trace->first, 0, &first, error) ||
        !database_integer(database, time_of, trace->last, first, &last, error)) {
        return false;
    }
    state->window = (struct footprint_window){.number = window_of(state, first)};
    state->last_window = window_of(state, last);
    if (trace->last < trace->first) {
        state->last_window = state->window.number - 1; /* there is none */
    }
    return windows_fit(state) ||
           error_set_status(error, EXIT_USAGE,
                            "--window %s makes more than %d windows: give a longer one, or narrow "
                            "with --from and --to",
                            state->context->values[OWN_VALUE].text, WINDOWS_MOST);
}

static bool begin_trace(void *context_state, const struct selected_trace *trace,
                        struct error *error) {
    struct pages_state *state = context_state;

    state->trace = trace->trace->id;
    state->transferred = state->references = state->reads = state->too_large = 0;
    state->sampled = state->sampled_reads = 0;
    page_table_free(&state->table);
    state->table.shift = state->shift;
    return transfers_begin(&state->transfers, state->context->selection, trace->trace, error) &&
           (state->length == 0 || begin_trace_windows(state, trace, error));
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

    distribution_count(state->distribution, times->group, length);
    if (state->counted) {
        return;
    }
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
        if (write && page->was_written) {
            add_pair(state, UPDATE, time - page->written, weight);
        }
        break;
    case FOOTPRINT:
        break;
    }
}

/* The window is over, and so are those behind it, up to before the one of that number. */
static bool end_windows(struct pages_state *state, int64_t behind, struct error *error) {
    struct footprint_window *window = &state->window;

    for (; window->number < behind; window->number++) {
        int64_t values[] = {
            0, state->length, window->references, window->distinct, window->fresh, window->written};

        if (__builtin_mul_overflow(window->number, state->length, &values[0])) {
            values[0] = INT64_MIN; /* the first of a damaged database */
        }
        for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
            sqlite3_bind_int64(state->insert_window, (int)i + 1, values[i]);
        }
        if (!database_execute(state->context->selection->database, state->insert_window, error)) {
            return false;
        }
        window->references = window->distinct = window->fresh = window->written = 0;
    }
    return true;
}

/* Times of a damaged database may be in no order: what is not in a later window is in this one. */
static bool follow_windows(struct pages_state *state, int64_t time, struct error *error) {
    int64_t number = window_of(state, time);

    number = number < state->last_window ? number : state->last_window;
    return number <= state->window.number || end_windows(state, number, error);
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

static bool refer(struct pages_state *state, const struct transfer *transfer, int64_t number,
                  int64_t time, struct error *error) {
    bool write = transfer->write;
    struct page_use use;

    if (!page_table_use(&state->table, transfer->within, number, &use, error)) {
        return false;
    }
    if (use.page != NULL) {
        if (!use.first) {
            add_use(state, &use, time, write);
        }
        if (state->length > 0) {
            add_to_window(state, &use, write);
        }
        note_use(state, use.page, time, write);
        state->sampled += INT64_C(1) << state->table.shift;
        state->sampled_reads += write ? 0 : INT64_C(1) << state->table.shift;
    }
    state->references++;
    state->reads += !write;
    state->window.references++;
    return true;
}

/* The pages of a transfer, which are far apart in the table. */
static bool refer_to_all(struct pages_state *state, const struct transfer *transfer, int64_t page,
                         int64_t last, int64_t time, struct error *error) {
    int64_t expected = page;

    for (; page <= last; page++) {
        for (; expected <= last && expected < page + PAGES_AHEAD; expected++) {
            page_table_expect(&state->table, transfer->within, expected);
        }
        if (!refer(state, transfer, page, time, error)) {
            return false;
        }
    }
    return true;
}

static bool take(struct pages_state *state, const struct transfer *transfer, int64_t time,
                 struct error *error) {
    int64_t page, last;

    if (!page_span(&state->options, transfer, &page, &last)) {
        state->too_large++;
        return true;
    }
    if (state->length > 0 && !follow_windows(state, time, error)) {
        return false;
    }
    state->transferred++;
    return refer_to_all(state, transfer, page, last, time, error);
}

static bool visit(void *context_state, const struct event_columns *columns, size_t count,
                  struct error *error) {
    struct pages_state *state = context_state;
    struct transfer transfers[TRANSFERS_MOST];

    for (size_t i = 0; i < count; i++) {
        size_t taken = transfers_take(&state->transfers, columns, i, transfers);

        for (size_t one = 0; one < taken; one++) {
            if (!take(state, &transfers[one], columns->time[i], error)) {
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
    sqlite3_stmt *insert = temp_schema_prepare(selection->temp, sql, error);
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
    int64_t read = 0, written = 0, both = 0, unplaced;

    if (state->counted) {
        return true;
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
    unplaced = state->transfers.unplaced;
    state->transfers.unplaced = 0;
    state->most_shift = table->shift > state->most_shift ? table->shift : state->most_shift;
    return insert_row(
               state,
               "INSERT INTO temp.page_total VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, "
               "?12)",
               (int64_t[]){state->trace, state->transferred, state->references, state->reads,
                           (int64_t)table->used << table->shift, read << table->shift,
                           written << table->shift, both << table->shift, (int64_t)table->used,
                           table->shift, state->too_large, unplaced},
               12, error) &&
           (state->length == 0 || end_windows(state, state->last_window + 1, error));
}

/* Where pages were given up on the way, the values before weigh less than those behind: all is done
 * once more with a sample that is the same throughout, and of all traces. */
static bool again(void *context_state, bool *more, struct error *error) {
    struct pages_state *state = context_state;
    bool sampled = !state->counted && state->most_shift > 0;

    state->counted = true;
    if (!sampled) {
        return distribution_end_pass(state->distribution, more, error);
    }
    state->shift = state->most_shift;
    *more = true;
    return make_distribution(state, error);
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
    return distribution_write(state->distribution, state->context->selection->temp, error);
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
    transfers_free(&state->transfers);
    distribution_free(state->distribution);
    sqlite3_finalize(state->insert_window);
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
    .visit = visit, .end_trace = end_trace, .write = write_rows, .free = free_state

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
    PAGES(REUSE),
};

/* By the length of a window, in references: the pages used in it, summed over all its places. */
const struct analysis analysis_working_set = {
    .name = "working_set",
    .tables = {{"tally_working_set", "window, pages", NULL}, PAGE_TOTAL},
    .parameters = {PARAMETERS},
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
