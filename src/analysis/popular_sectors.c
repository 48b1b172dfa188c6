/* The sectors that I/Os begin at, those of the most I/Os first: temp.popular_sector. */
#include "analysis/analysis.h"
#include "scan/ranking.h"

struct popular_state {
    const struct analysis_context *context;
    struct ranking *ranking; /* owned */
};

static bool begin(void *context_state, const struct analysis_context *context,
                  struct error *error) {
    struct popular_state *state = context_state;

    state->context = context;
    state->ranking = ranking_new(RANKING_KEYS);
    return true;
}

static bool visit(void *context_state, const struct event_columns *columns, size_t count,
                  struct error *error) {
    struct popular_state *state = context_state;

    for (size_t i = 0; i < count; i++) {
        if (columns->address[i] != EVENT_NONE && columns->size[i] != 0) {
            ranking_count(state->ranking, columns->address[i]);
        }
    }
    return true;
}

static bool again(void *context_state, bool *more, struct error *error) {
    struct popular_state *state = context_state;

    return ranking_end_pass(state->ranking, more, error);
}

static bool write_rows(struct popular_state *state, sqlite3_stmt *insert, struct error *error) {
    int64_t rank = 0, cumulative = 0, wanted = state->context->result_rows;
    struct ranked sector;
    bool some = true;

    sqlite3_bind_int64(insert, 5, ranking_total(state->ranking));
    while (some && (wanted == 0 || rank < wanted)) {
        if (!ranking_next(state->ranking, &sector, &some, error)) {
            return false;
        }
        if (some) {
            cumulative += sector.count;
            sqlite3_bind_int64(insert, 1, ++rank);
            sqlite3_bind_int64(insert, 2, sector.key);
            sqlite3_bind_int64(insert, 3, sector.count);
            sqlite3_bind_int64(insert, 4, cumulative);
            if (!database_execute(state->context->selection->database, insert, error)) {
                return false;
            }
        }
    }
    return true;
}

static bool write_table(void *context_state, struct error *error) {
    struct popular_state *state = context_state;
    sqlite3_stmt *insert =
        temp_schema_prepare(state->context->selection->temp,
                            "INSERT INTO temp.popular_sector VALUES (?1, ?2, ?3, ?4, ?5)", error);
    bool done = insert != NULL && write_rows(state, insert, error);

    sqlite3_finalize(insert);
    return done;
}

static void free_state(void *context_state) {
    struct popular_state *state = context_state;

    ranking_free(state->ranking);
}

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
    .state_size = sizeof(struct popular_state),
    .begin = begin,
    .visit = visit,
    .again = again,
    .write = write_table,
    .free = free_state,
};
