#include "store/span_table.h"

/* Where a clock's six numbers begin among the values. */
static const int first_value[SPAN_CLOCKS] = {[SPAN_WALL] = 5, [SPAN_CPU] = 11};

void span_table_bind(sqlite3_stmt *insert, int first, const struct span_clock_times *times) {
    bool any = times->timed > 0;

    sqlite3_bind_int64(insert, first, times->timed);
    database_bind_optional(insert, first + 1, any ? times->total : INT64_MIN);
    database_bind_optional(insert, first + 2, any ? times->sum : INT64_MIN);
    database_bind_optional(insert, first + 3, any ? times->self : INT64_MIN);
    database_bind_optional(insert, first + 4, any ? times->least : INT64_MIN);
    database_bind_optional(insert, first + 5, any ? times->most : INT64_MIN);
}

bool span_table_write(struct database *database, int64_t trace, const struct span_times *times,
                      struct error *error) {
    sqlite3_stmt *insert =
        database_prepare(database,
                         "INSERT INTO main.rollup_span VALUES"
                         " (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)",
                         error);
    bool done = insert != NULL;

    for (size_t i = 0; done && i < times->count; i++) {
        const struct span_times_row *row = times->rows[i];

        /* A function that only was looked for is none that was called. */
        if (row->calls == 0) {
            continue;
        }
        sqlite3_bind_int64(insert, 1, trace);
        sqlite3_bind_int64(insert, 2, row->key.operation);
        sqlite3_bind_int64(insert, 3, row->key.actor);
        sqlite3_bind_int64(insert, 4, row->calls);
        for (int clock = 0; clock < SPAN_CLOCKS; clock++) {
            span_table_bind(insert, first_value[clock], &row->clocks[clock]);
        }
        done = database_execute(database, insert, error);
    }
    sqlite3_finalize(insert);
    return done;
}

/* The columns of a row are those of the table from the operation on. */
static bool take_row(struct span_times *times, sqlite3_stmt *select, struct error *error) {
    struct span_times_row *row = span_times_row(times, (uint32_t)sqlite3_column_int64(select, 0),
                                                (uint32_t)sqlite3_column_int64(select, 1));

    row->calls = sqlite3_column_int64(select, 2);
    for (int clock = 0; clock < SPAN_CLOCKS; clock++) {
        int first = first_value[clock] - 2;

        row->clocks[clock] = (struct span_clock_times){
            .timed = sqlite3_column_int64(select, first),
            .total = sqlite3_column_int64(select, first + 1),
            .sum = sqlite3_column_int64(select, first + 2),
            .self = sqlite3_column_int64(select, first + 3),
            .least = sqlite3_column_int64(select, first + 4),
            .most = sqlite3_column_int64(select, first + 5),
        };
    }
    return true;
}

bool span_table_take(struct database *database, int64_t trace, struct span_times *times,
                     struct error *error) {
    sqlite3_stmt *select = database_prepare(
        database,
        "SELECT operation, actor, calls, timed, total, sum, self, least, most, cpu_timed,"
        " cpu_total, cpu_sum, cpu_self, cpu_least, cpu_most FROM main.rollup_span WHERE trace = ?1",
        error);
    bool row = true, done = select != NULL;

    if (done) {
        sqlite3_bind_int64(select, 1, trace);
    }
    while (done && row) {
        done = database_step(database, select, &row, error) &&
               (!row || take_row(times, select, error));
    }
    sqlite3_finalize(select);
    return done && database_change(database, error, "DELETE FROM main.rollup_span WHERE trace = ?1",
                                   "i", trace);
}
