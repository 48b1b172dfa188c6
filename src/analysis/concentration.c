/* How concentrated references are on few items: temp.concentration. The items are the rows of a
 * statement, or, where they are too many for SQL, the sectors or pages of the events themselves.
 * And the sectors that I/Os begin at, those of the most I/Os first: temp.popular_sector. */
#include "analysis/analysis.h"
#include "analysis/page_span.h"
#include "analysis/rows_pass.h"
#include "analysis/transfers.h"
#include "scan/concentration.h"
#include "scan/ranking.h"

/* Slots of devices within a key; a page's number has less than 56 bits. */
_Static_assert(DEVICE_SLOTS <= 1 << 8, "a slot does not fit into the key of a page");

struct concentration_state {
    struct analysis_context *context;
    struct concentration *concentration; /* owned */
    struct ranking *ranking;             /* owned; NULL of rows */
    struct transfers transfers;          /* owned; this and the others are of pages */
    struct device_slots devices;
    struct page_span_options options;
    int64_t too_large; /* transfers that are left out */
    bool counted;      /* these, in the first pass */
};

static void write_figures(struct concentration_state *state) {
    struct concentration_figures figures;
    struct temp_rows *rows = &state->context->tables[0];

    if (!concentration_find(state->concentration, &figures, &state->context->error)) {
        return;
    }
    for (int i = 0; i < 9; i++) {
        const double reals[] = {figures.top[0],   figures.top[1],  figures.top[2],
                                figures.gini,     figures.entropy, figures.perplexity,
                                figures.exponent, figures.error,   figures.distance};

        temp_rows_real(rows, i + 3, reals[i]);
    }
    TEMP_ROW(rows, figures.items, figures.references);
}

static void free_state(void *concentration_state) {
    struct concentration_state *state = concentration_state;

    concentration_free(state->concentration);
    ranking_free(state->ranking);
    transfers_free(&state->transfers);
}

static void take_row(void *concentration_state, const char *part, size_t length, int64_t value) {
    struct concentration_state *state = concentration_state;

    if (value > 0) {
        concentration_add(state->concentration, value, &state->context->error);
    }
}

static void write_of_rows(void *concentration_state) {
    struct concentration_state *state = concentration_state;

    state->concentration = concentration_new();
    rows_pass_run(state->context, take_row, state);
    write_figures(state);
}

/* --- sectors and pages -------------------------------------------------------------------------
 */

static void begin(void *concentration_state) {
    struct concentration_state *state = concentration_state;

    state->ranking = ranking_new(RANKING_KEYS);
}

static void visit_sectors(void *concentration_state, const struct event_columns *columns,
                          size_t count) {
    struct concentration_state *state = concentration_state;

    for (size_t i = 0; i < count; i++) {
        if (columns->address[i] != EVENT_NONE && columns->size[i] != 0) {
            ranking_count(state->ranking, columns->address[i]);
        }
    }
}

static void begin_trace(void *concentration_state) {
    struct concentration_state *state = concentration_state;

    state->options = page_span_read(state->context->values);
    transfers_begin(&state->transfers, state->context);
}

static void take_pages(void *concentration_state, const struct transfer *transfer) {
    struct concentration_state *state = concentration_state;
    int64_t page, last, slot;

    if (!page_span(&state->options, transfer, &page, &last)) {
        state->too_large += !state->counted;
        return;
    }
    slot = (int64_t)device_slot(&state->devices, transfer->within);
    for (; page <= last; page++) {
        ranking_count(state->ranking, page << 8 | slot);
    }
}

static void visit_pages(void *concentration_state, const struct event_columns *columns,
                        size_t count) {
    struct concentration_state *state = concentration_state;

    transfers_visit(&state->transfers, columns, count, take_pages, state);
}

static bool again(void *concentration_state) {
    struct concentration_state *state = concentration_state;
    bool more = false;

    state->counted = true;
    ranking_end_pass(state->ranking, &more, &state->context->error);
    return more;
}

/* The next in order; false behind the last, and where that failed. */
static bool next(struct concentration_state *state, struct ranked *ranked) {
    bool some;

    return ranking_next(state->ranking, ranked, &some, &state->context->error) && some;
}

static void write_ranked(void *concentration_state) {
    struct concentration_state *state = concentration_state;
    struct ranked ranked;

    state->concentration = concentration_new();
    while (next(state, &ranked) &&
           concentration_add(state->concentration, ranked.count, &state->context->error)) {
    }
    write_figures(state);
    if (state->too_large > 0) {
        notes_append(&state->context->selection->notes, "excluded: %lld I/Os of more than %d pages",
                     (long long)state->too_large, (int)PAGE_SPAN_MOST);
    }
}

static void write_popular(void *concentration_state) {
    struct concentration_state *state = concentration_state;
    int64_t rank = 0, cumulative = 0, wanted = state->context->result_rows;
    struct ranked sector;

    while ((wanted == 0 || rank < wanted) && next(state, &sector)) {
        cumulative += sector.count;
        TEMP_ROW(&state->context->tables[0], ++rank, sector.key, sector.count, cumulative,
                 ranking_total(state->ranking));
    }
}

/* One row: how many items there are, and references to them; the shares of these that the first 1,
 * 10 and 20 % of the items have; Gini's coefficient; the entropy in bits, and two to the power of
 * it; and Zipf's exponent, its standard error, and the largest distance of the cumulative shares.
 * Items of no references do not count. */
#define TABLES                                                                                     \
    {                                                                                              \
        {                                                                                          \
            "concentration",                                                                       \
                "items, \"references\", top_1, top_10, top_20, gini, entropy, perplexity, "        \
                "exponent, error, "                                                                \
                "distance",                                                                        \
                NULL                                                                               \
        }                                                                                          \
    }

/* The statement gives rows of anything and how often an item is referred to. */
const struct analysis analysis_concentration = {
    .name = "concentration",
    .tables = TABLES,
    .takes_rows = true,
    .pass = PASS_NONE,
    .state_size = sizeof(struct concentration_state),
    .functions = rows_pass_register,
    .write = write_of_rows,
    .free = free_state,
};

/* The sectors that I/Os begin at, as in popular_sector. */
const struct analysis analysis_concentration_sector = {
    .name = "concentration_sector",
    .tables = TABLES,
    .pass = PASS_IN_ORDER,
    .apart = true,
    .fields = EVENT_ADDRESS | EVENT_SIZE,
    .state_size = sizeof(struct concentration_state),
    .begin = begin,
    .visit = visit_sectors,
    .again = again,
    .write = write_ranked,
    .free = free_state,
};

/* The pages that reads and writes cover, of each device its own; of several traces the same pages
 * are the same. */
const struct analysis analysis_concentration_page = {
    .name = "concentration_page",
    .tables = TABLES,
    .pass = PASS_IN_ORDER,
    .apart = true,
    .fields = TRANSFER_FIELDS,
    .parameters = {PAGE_SPAN_PARAMETERS},
    .state_size = sizeof(struct concentration_state),
    .begin = begin,
    .begin_trace = begin_trace,
    .visit = visit_pages,
    .again = again,
    .write = write_ranked,
    .free = free_state,
};

/* Of all traces together: the sectors by how many I/Os begin there, the lower one first where they
 * are as many. `cumulative`: I/Os of this sector and those above; `total`: of all. Rows are in this
 * order, and as many as `:rows` says are enough. I/Os without a sector or without data do not
 * count. */
const struct analysis analysis_popular_sector = {
    .name = "popular_sector",
    .tables = {{"popular_sector", "rank, sector, count, cumulative, total", NULL}},
    .pass = PASS_IN_ORDER,
    .apart = true,
    .fields = EVENT_ADDRESS | EVENT_SIZE,
    .state_size = sizeof(struct concentration_state),
    .begin = begin,
    .visit = visit_sectors,
    .again = again,
    .write = write_popular,
    .free = free_state,
};
