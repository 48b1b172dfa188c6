/* How concentrated references are on few items: temp.concentration. The items are the rows of a
 * statement, or, where they are too many for SQL, the sectors or pages of the events themselves.
 */
#include "analysis/analysis.h"
#include "analysis/page_span.h"
#include "analysis/rows_pass.h"
#include "analysis/transfers.h"
#include "scan/concentration.h"
#include "scan/ranking.h"

enum concentration_of { OF_ROWS, OF_SECTORS, OF_PAGES };

/* Slots of devices within a key; a page's number has less than 56 bits. */
_Static_assert(DEVICE_SLOTS <= 1 << 8, "a slot does not fit into the key of a page");

struct concentration_state {
    const struct analysis_context *context;
    struct concentration *concentration; /* owned */
    struct ranking *ranking;             /* owned; NULL of rows */
    struct transfers transfers;          /* owned; this and the others are of pages */
    struct device_slots devices;
    struct page_span_options options;
    int64_t too_large; /* transfers that are left out */
    bool counted;      /* these, in the first pass */
};

static bool take_row(void *taker, const char *part, size_t length, int64_t value,
                     struct error *error) {
    (void)part;
    (void)length;
    return value <= 0 || concentration_add(taker, value, error);
}

static bool begin(void *context_state, const struct analysis_context *context,
                  struct error *error) {
    struct concentration_state *state = context_state;
    bool of_rows = context->analysis->variant == OF_ROWS;

    state->context = context;
    state->concentration = concentration_new();
    state->ranking = of_rows ? NULL : ranking_new(RANKING_KEYS);
    return true;
}

static bool write_figures(const struct concentration_state *state, struct error *error) {
    struct selection *selection = state->context->selection;
    struct concentration_figures figures;
    sqlite3_stmt *insert;
    bool done;

    if (!concentration_find(state->concentration, &figures, error)) {
        return false;
    }
    insert =
        temp_schema_prepare(selection->temp,
                            "INSERT INTO temp.concentration VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, "
                            "?8, ?9, ?10, ?11)",
                            error);
    done = insert != NULL;
    if (done) {
        /* SQLite takes NaN for NULL. */
        const double reals[] = {figures.top[0],   figures.top[1],  figures.top[2],
                                figures.gini,     figures.entropy, figures.perplexity,
                                figures.exponent, figures.error,   figures.distance};

        sqlite3_bind_int64(insert, 1, figures.items);
        sqlite3_bind_int64(insert, 2, figures.references);
        for (size_t i = 0; i < sizeof reals / sizeof *reals; i++) {
            sqlite3_bind_double(insert, (int)i + 3, reals[i]);
        }
        done = database_execute(selection->database, insert, error);
    }
    sqlite3_finalize(insert);
    return done;
}

static bool write_of_rows(void *context_state, struct error *error) {
    const struct concentration_state *state = context_state;

    return rows_pass_run(state->context, take_row, state->concentration, error) &&
           write_figures(state, error);
}

static void free_state(void *context_state) {
    struct concentration_state *state = context_state;

    concentration_free(state->concentration);
    ranking_free(state->ranking);
    transfers_free(&state->transfers);
}

/* --- sectors and pages -------------------------------------------------------------------------
 */

static bool visit_sectors(void *context_state, const struct event_columns *columns, size_t count,
                          struct error *error) {
    struct concentration_state *state = context_state;

    for (size_t i = 0; i < count; i++) {
        if (columns->address[i] != EVENT_NONE && columns->size[i] != 0) {
            ranking_count(state->ranking, columns->address[i]);
        }
    }
    return true;
}

static bool begin_pages(void *context_state, const struct analysis_context *context,
                        struct error *error) {
    struct concentration_state *state = context_state;

    state->options = page_span_read(context->values);
    return begin(state, context, error);
}

static bool begin_trace(void *context_state, const struct selected_trace *trace,
                        struct error *error) {
    struct concentration_state *state = context_state;

    return transfers_begin(&state->transfers, state->context->selection, trace->trace, error);
}

static bool take_pages(struct concentration_state *state, const struct transfer *transfer,
                       struct error *error) {
    int64_t page, last, slot;

    if (!page_span(&state->options, transfer, &page, &last)) {
        state->too_large += !state->counted;
        return true;
    }
    slot = (int64_t)device_slot(&state->devices, transfer->within);
    for (; page <= last; page++) {
        ranking_count(state->ranking, page << 8 | slot);
    }
    return true;
}

static bool visit_pages(void *context_state, const struct event_columns *columns, size_t count,
                        struct error *error) {
    struct concentration_state *state = context_state;
    struct transfer transfers[TRANSFERS_MOST];

    for (size_t i = 0; i < count; i++) {
        size_t taken = transfers_take(&state->transfers, columns, i, transfers);

        for (size_t one = 0; one < taken; one++) {
            if (!take_pages(state, &transfers[one], error)) {
                return false;
            }
        }
    }
    return true;
}

static bool again(void *context_state, bool *more, struct error *error) {
    struct concentration_state *state = context_state;

    state->counted = true;
    return ranking_end_pass(state->ranking, more, error);
}

static bool write_ranked(void *context_state, struct error *error) {
    const struct concentration_state *state = context_state;
    struct ranked ranked;
    bool some = true;

    while (some) {
        if (!ranking_next(state->ranking, &ranked, &some, error) ||
            (some && !concentration_add(state->concentration, ranked.count, error))) {
            return false;
        }
    }
    return write_figures(state, error) &&
           (state->too_large == 0 || notes_add(&state->context->selection->notes, error,
                                               "excluded: %lld I/Os of more than %d pages",
                                               (long long)state->too_large, (int)PAGE_SPAN_MOST));
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
    .variant = OF_ROWS,
    .state_size = sizeof(struct concentration_state),
    .functions = rows_pass_register,
    .begin = begin,
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
    .variant = OF_SECTORS,
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
    .variant = OF_PAGES,
    .state_size = sizeof(struct concentration_state),
    .begin = begin_pages,
    .begin_trace = begin_trace,
    .visit = visit_pages,
    .again = again,
    .write = write_ranked,
    .free = free_state,
};
