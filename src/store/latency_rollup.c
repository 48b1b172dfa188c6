#include "store/latency_rollup.h"

#include "model/event.h"
#include "store/event_pass.h"
#include "store/number_rows.h"

static bool latency_visit(void *buckets, const struct event_columns *columns, size_t count,
                          struct error *error) {
    (void)error;
    latency_buckets_add(buckets, columns, count);
    return true;
}

static bool latency_pass(struct database *database, const struct column_range *range, bool of_rows,
                         struct latency_buckets *buckets, struct error *error) {
    const struct event_pass pass = {
        .database = database,
        .range = *range,
        .fields = LATENCY_FIELDS,
        .untimed = true,
        .of_rows = of_rows,
        .visit = latency_visit,
    };

    return event_pass_run(&pass, buckets, error);
}

static void latency_take_row(void *rows, const struct latency_row *row) {
    const int64_t values[] = {row->action, row->class, row->least, row->most, row->count, row->sum};

    number_rows_add(rows, values);
}

/* The second pass, where it is wanted, and the rows. */
static bool latency_finish(struct database *database, const struct column_range *range,
                           bool of_rows, struct latency_buckets *buckets, const char *into,
                           struct error *error) {
    struct number_rows rows = {.columns = 6};
    bool done =
        !latency_buckets_again(buckets) || latency_pass(database, range, of_rows, buckets, error);

    if (done && latency_buckets_fit(buckets)) {
        latency_buckets_rows(buckets, latency_take_row, &rows);
        done = number_rows_write(&rows, database, into, range->trace, error);
    }
    number_rows_free(&rows);
    return done;
}

bool latency_rollup_make(struct database *database, const struct column_range *range,
                         struct latency_buckets *counted, struct error *error) {
    struct latency_buckets *buckets = counted == NULL ? latency_buckets_new() : counted;
    bool done =
        (counted != NULL || latency_pass(database, range, false, buckets, error)) &&
        database_change(database, error, "DELETE FROM main.rollup_latency WHERE trace = ?1", "i",
                        range->trace) &&
        latency_finish(database, range, false, buckets,
                       "main.rollup_latency (trace, " LATENCY_ROLLUP_COLUMNS ")", error) &&
        rollup_note(database, range->trace, LATENCY_ROLLUP, latency_buckets_fit(buckets), error);

    if (counted == NULL) {
        latency_buckets_free(buckets);
    }
    return done;
}

bool latency_rollup_recount(struct database *database, const struct column_range *range,
                            struct error *error) {
    struct latency_buckets *buckets = latency_buckets_new();
    bool done = latency_pass(database, range, true, buckets, error) &&
                latency_finish(database, range, true, buckets,
                               "temp.recount_latency (trace, " LATENCY_ROLLUP_COLUMNS ")", error);

    latency_buckets_free(buckets);
    return done;
}

bool rollup_note(struct database *database, int64_t trace, const char *rollup, bool has,
                 struct error *error) {
    return database_change(database, error,
                           "UPDATE main.trace SET rollups = trim(trim("
                           "replace(' ' || rollups || ' ', ' ' || ?2 || ' ', ' ')) || ' ' || ?3)"
                           " WHERE id = ?1",
                           "iss", trace, rollup, has ? rollup : "");
}
