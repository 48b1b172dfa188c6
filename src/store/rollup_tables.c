#include "store/rollup_tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "model/event.h"
#include "model/partition.h"
#include "store/column_reader.h"

/* --- inserting many rows of numbers ----------------------------------------------------------- */

/* Collects rows of numbers for a table, sorts them, and inserts many with each statement. If the
 * first columns are the table's key, each row is then stored next to the row before it, which costs
 * a fraction of inserting rows by separate statements in random order. */

/* Rows to insert. Set `columns` (at least 1), zero the other members, and free it in any case. */
struct number_rows {
    size_t columns;
    int64_t *values; /* owned; `columns` values per row, row after row */
    size_t count, capacity;
    bool unsorted; /* true: the rows are not in ascending order yet */
};

enum { AT_ONCE = 64 }; /* limit of rows per INSERT */

/* Compares rows as SQLite does: EVENT_NONE (NULL) is the smallest number. */
static int rollup_tables_compare_rows(const void *left, const void *right, void *context) {
    const struct number_rows *rows = context;
    const int64_t *a = left, *b = right;
    size_t i = 0;

    while (i + 1 < rows->columns && a[i] == b[i]) {
        i++;
    }
    return (a[i] > b[i]) - (a[i] < b[i]);
}

static int64_t *rollup_tables_row_at(const struct number_rows *rows, size_t number) {
    return rows->values + number * rows->columns;
}

/* Adds a row with a value for each column; EVENT_NONE is inserted as NULL. */
static void number_rows_add(struct number_rows *rows, const int64_t *values) {
    rows->values = array_grow(rows->values, rows->count, &rows->capacity,
                              rows->columns * sizeof *rows->values);
    memcpy(rollup_tables_row_at(rows, rows->count), values, rows->columns * sizeof *values);
    rows->unsorted |=
        rows->count > 0 &&
        rollup_tables_compare_rows(rollup_tables_row_at(rows, rows->count - 1), values, rows) > 0;
    rows->count++;
}

/* Returns a prepared INSERT for `count` rows: 1 or AT_ONCE. To compile INSERTs for other numbers of
 * rows would cost more than inserting the few rows of a small trace one by one. */
static sqlite3_stmt *take_insert(const struct number_rows *rows, struct database *database,
                                 const char *into, size_t count, struct error *error) {
    sqlite3_stmt *insert;
    struct text sql = {0};

    text_append_format(&sql, "INSERT INTO %s VALUES", into);
    for (size_t row = 0; row < count; row++) {
        text_append_string(&sql, row == 0 ? " (?1" : ", (?1");
        for (size_t i = 0; i < rows->columns; i++) {
            text_append_string(&sql, ", ?");
        }
        text_append_char(&sql, ')');
    }
    insert = database_acquire_statement(database, text_string(&sql), error);
    text_free(&sql);
    return insert;
}

/* Inserts `count` rows from index `from` on with one statement. */
static bool insert_rows(const struct number_rows *rows, struct database *database,
                        sqlite3_stmt *insert, size_t from, size_t count, struct error *error) {
    const int64_t *values = rollup_tables_row_at(rows, from);

    for (size_t i = 0; i < count * rows->columns; i++) {
        database_bind_optional(insert, (int)i + 2, values[i]);
    }
    return database_execute(database, insert, error);
}

/* Inserts all rows, with `first` as the value of an additional first column. `into`: table and
 * columns as in "main.t (a, b, c)", never from untrusted input. */
static bool number_rows_write(struct number_rows *rows, struct database *database, const char *into,
                              int64_t first, struct error *error) {
    sqlite3_stmt *insert = NULL;
    bool done = true;

    if (rows->unsorted) {
        qsort_r(rows->values, rows->count, rows->columns * sizeof *rows->values,
                rollup_tables_compare_rows, rows);
        rows->unsorted = false;
    }
    for (size_t from = 0, count = 0; done && from < rows->count; from += count) {
        size_t before = count;

        count = rows->count - from < AT_ONCE ? 1 : AT_ONCE;
        if (count != before) {
            database_release_statement(database, insert);
            insert = take_insert(rows, database, into, count, error);
            done = insert != NULL;
            sqlite3_bind_int64(insert, 1, first);
        }
        done = done && insert_rows(rows, database, insert, from, count, error);
    }
    database_release_statement(database, insert);
    return done;
}

static void number_rows_free(struct number_rows *rows) {
    free(rows->values);
    *rows = (struct number_rows){.columns = rows->columns};
}

/* --- writing and reading counts (tallies) ----------------------------------------------------- */

/* Returns SQL for the value of one column when a row of a tally (counts by dimensions) is inserted;
 * parameter ?1 is the trace. `by_id`: the tally has ids in place of labels, and the SQL looks up
 * the text. */
static const char *value_placeholder(enum tally_dimension dimension, bool by_id) {
    switch (by_id ? dimension : DIMENSION_NONE) {
    case DIMENSION_PROCESS:
        return ", ifnull((SELECT name FROM actor WHERE id = ?), '')";
    case DIMENSION_PARTITION:
        return ", ifnull((SELECT name FROM main.partition WHERE trace = ?1 AND number = ?),"
               " '" PARTITION_UNMAPPED "')";
    case DIMENSION_FILE_TYPE:
        return ", ifnull((SELECT type FROM object WHERE id = ?), '')";
    default:
        return ", ?";
    }
}

static sqlite3_stmt *rollup_tables_prepare_insert(struct database *database, const char *table,
                                                  const struct tally *tally, bool by_id,
                                                  struct error *error) {
    const struct tally_definition *definition = &tally_definitions[tally->kind];
    sqlite3_stmt *insert = NULL;
    struct text sql = {0};

    text_append_format(&sql, "INSERT INTO %s (trace, %s, count, bytes) VALUES (?", table,
                       definition->columns);
    for (unsigned key = 0; key < tally_keys(definition); key++) {
        text_append_string(&sql, value_placeholder(definition->dimensions[key], by_id));
    }
    text_append_string(&sql, ", ?, ?)");
    insert = database_acquire_statement(database, text_string(&sql), error);
    text_free(&sql);
    return insert;
}

/* Binds the dimensions (key values) of a tally's row to the parameters from ?2 on. Returns false if
 * a label has no text. */
static bool bind_rollup_keys(sqlite3_stmt *insert, const struct tally *tally,
                             const struct tally_row *row,
                             const char *(*label)(void *context, uint32_t number, size_t *length),
                             void *context) {
    const struct tally_definition *definition = &tally_definitions[tally->kind];

    for (unsigned key = 0; key < tally_keys(definition); key++) {
        size_t length = 0;
        const char *text;

        if (!(definition->labels >> key & 1) || label == NULL) {
            sqlite3_bind_int64(insert, (int)key + 2, row->key[key]);
            continue;
        }
        text = label(context, (uint32_t)row->key[key], &length);
        if (text == NULL) {
            return false;
        }
        sqlite3_bind_text64(insert, (int)key + 2, text, length, SQLITE_STATIC, SQLITE_UTF8);
    }
    return true;
}

/* Inserts the rows of a tally (counts by dimensions) that has no labels, sorted by its dimensions.
 */
static bool rollup_tables_write_numbers(struct database *database, const char *table, int64_t trace,
                                        const struct tally *tally, struct error *error) {
    const struct tally_definition *definition = &tally_definitions[tally->kind];
    unsigned keys = tally_keys(definition);
    struct number_rows rows = {.columns = keys + 2};
    struct text into = {0};
    bool done;

    text_append_format(&into, "%s (trace, %s, count, bytes)", table, definition->columns);
    for (size_t i = 0; i < tally->capacity; i++) {
        const struct tally_row *row = &tally->rows[i];
        int64_t values[TALLY_KEYS + 2];

        if (row->used) {
            memcpy(values, row->key, keys * sizeof *values);
            values[keys] = row->count;
            values[keys + 1] = row->bytes;
            number_rows_add(&rows, values);
        }
    }
    done = number_rows_write(&rows, database, text_string(&into), trace, error);
    number_rows_free(&rows);
    text_free(&into);
    return done;
}

static bool write_labelled(struct database *database, const char *table, int64_t trace,
                           const struct tally *tally,
                           const char *(*label)(void *context, uint32_t number, size_t *length),
                           void *context, struct error *error) {
    int keys = (int)tally_keys(&tally_definitions[tally->kind]);
    sqlite3_stmt *insert =
        rollup_tables_prepare_insert(database, table, tally, label == NULL, error);
    bool done = insert != NULL;

    for (size_t i = 0; done && i < tally->capacity; i++) {
        const struct tally_row *row = &tally->rows[i];

        if (!row->used) {
            continue;
        }
        sqlite3_bind_int64(insert, 1, trace);
        sqlite3_bind_int64(insert, keys + 2, row->count);
        sqlite3_bind_int64(insert, keys + 3, row->bytes);
        done = bind_rollup_keys(insert, tally, row, label, context)
                   ? database_execute(database, insert, error)
                   : error_set(error, "a name was lost on its way to the rollup by %s",
                               tally_definitions[tally->kind].name);
    }
    database_release_statement(database, insert);
    return done;
}

bool tally_table_write(struct database *database, const char *table, int64_t trace,
                       const struct tally *tally,
                       const char *(*label)(void *context, uint32_t number, size_t *length),
                       void *context, struct error *error) {
    /* The rows of a tally without labels are inserted sorted; with labels, in the tally's order. */
    return label != NULL && tally_definitions[tally->kind].labels == 0
               ? rollup_tables_write_numbers(database, table, trace, tally, error)
               : write_labelled(database, table, trace, tally, label, context, error);
}

/* Reads a row of a rollup. Returns false if `number` returns 0 for a label's text. */
static bool rollup_tables_read_row(
    sqlite3_stmt *select, const struct tally_definition *definition, struct tally_row *row,
    uint32_t (*number)(void *context, const char *text, size_t length), void *context) {
    int column = 0;

    *row = (struct tally_row){0};
    for (unsigned key = 0; key < tally_keys(definition); key++, column++) {
        if (definition->labels >> key & 1) {
            const char *text = (const char *)sqlite3_column_text(select, column);

            row->key[key] = number(context, text == NULL ? "" : text,
                                   (size_t)sqlite3_column_bytes(select, column));
            if (row->key[key] == 0) {
                return false;
            }
        } else {
            row->key[key] = sqlite3_column_int64(select, column);
        }
    }
    row->count = sqlite3_column_int64(select, column++);
    row->bytes = sqlite3_column_int64(select, column);
    return true;
}

bool tally_table_read(struct database *database, int64_t trace, struct tally *tally,
                      uint32_t (*number)(void *context, const char *text, size_t length),
                      void *context, bool *complete, struct error *error) {
    const struct tally_definition *definition = &tally_definitions[tally->kind];
    struct database_query query;
    struct tally_row row;
    char sql[256];

    snprintf(sql, sizeof sql, "SELECT %s, count, bytes FROM main.rollup_%s WHERE trace = ?1",
             definition->columns, definition->name);
    query = database_query(database, error, sql, "i", trace);
    for (*complete = true; database_next(&query);) {
        if (*complete) {
            query.failed = !rollup_tables_read_row(query.row, definition, &row, number, context);
            *complete = !query.failed && tally_insert(tally, &row);
        }
    }
    snprintf(sql, sizeof sql, "DELETE FROM main.rollup_%s WHERE trace = ?1", definition->name);
    return database_end(&query) && database_run_bound(database, error, sql, "i", trace);
}

/* --- rollup_span: times of calls by function and thread --------------------------------------- */

static void span_table_bind(sqlite3_stmt *insert, int first, const struct span_clock_times *times) {
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

        /* Skips functions without calls: their rows exist only because they were looked up. */
        if (row->calls > 0) {
            span_table_bind(insert, 5, &row->clocks[SPAN_WALL]);
            span_table_bind(insert, 11, &row->clocks[SPAN_CPU]);
            done = database_insert(database, error, insert, "iuui", trace, row->key.operation,
                                   row->key.actor, row->calls);
        }
    }
    sqlite3_finalize(insert);
    return done;
}

bool span_table_read(struct database *database, int64_t trace, struct span_times *times,
                     struct error *error) {
    struct database_query query = database_query(
        database, error,
        "SELECT operation, actor, calls, timed, total, sum, self, least, most, cpu_timed,"
        " cpu_total, cpu_sum, cpu_self, cpu_least, cpu_most FROM main.rollup_span WHERE trace = ?1",
        "i", trace);

    while (database_next(&query)) {
        struct span_times_row *row =
            span_times_row(times, (uint32_t)sqlite3_column_int64(query.row, 0),
                           (uint32_t)sqlite3_column_int64(query.row, 1));

        row->calls = sqlite3_column_int64(query.row, 2);
        for (int clock = SPAN_WALL, first = 3; clock < SPAN_CLOCKS; clock++, first += 6) {
            row->clocks[clock] = (struct span_clock_times){
                .timed = sqlite3_column_int64(query.row, first),
                .total = sqlite3_column_int64(query.row, first + 1),
                .sum = sqlite3_column_int64(query.row, first + 2),
                .self = sqlite3_column_int64(query.row, first + 3),
                .least = sqlite3_column_int64(query.row, first + 4),
                .most = sqlite3_column_int64(query.row, first + 5),
            };
        }
    }
    return database_end(&query) &&
           database_run_bound(database, error, "DELETE FROM main.rollup_span WHERE trace = ?1", "i",
                              trace);
}

/* --- making the rollups of calls and latencies ------------------------------------------------ */

/* Deletes a trace's rows from a rollup, a table of counts. */
static bool clear_rollup(struct database *database, const char *name, int64_t trace,
                         struct error *error) {
    char sql[64];

    snprintf(sql, sizeof sql, "DELETE FROM main.rollup_%s WHERE trace = ?1", name);
    return database_run_bound(database, error, sql, "i", trace);
}

static bool latency_visit(void *buckets, const struct event_columns *columns, size_t count,
                          struct error *error) {
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

static void append_latency_row(void *rows, const struct latency_row *row) {
    const int64_t values[] = {row->action, row->class, row->least, row->most, row->count, row->sum};

    number_rows_add(rows, values);
}

/* Reads the events a second time if latency_buckets_end_pass() says so, and inserts the histogram's
 * rows. */
static bool latency_finish(struct database *database, const struct column_range *range,
                           bool of_rows, struct latency_buckets *buckets, const char *into,
                           struct error *error) {
    struct number_rows rows = {.columns = 6};
    bool done = !latency_buckets_end_pass(buckets) ||
                latency_pass(database, range, of_rows, buckets, error);

    if (done && latency_buckets_are_in_limits(buckets)) {
        latency_buckets_visit_rows(buckets, append_latency_row, &rows);
        done = number_rows_write(&rows, database, into, range->trace, error);
    }
    number_rows_free(&rows);
    return done;
}

bool latency_rollup_make(struct database *database, const struct column_range *range, bool calls,
                         struct latency_buckets *counted, struct error *error) {
    struct latency_buckets *buckets = counted == NULL ? latency_buckets_new(calls) : counted;
    bool done = (counted != NULL || latency_pass(database, range, false, buckets, error)) &&
                clear_rollup(database, LATENCY_ROLLUP, range->trace, error) &&
                latency_finish(database, range, false, buckets,
                               "main.rollup_latency (trace, " LATENCY_ROLLUP_COLUMNS ")", error) &&
                rollup_set_complete(database, range->trace, LATENCY_ROLLUP,
                                    latency_buckets_are_in_limits(buckets), error);

    if (counted == NULL) {
        latency_buckets_free(buckets);
    }
    return done;
}

bool latency_rollup_recount(struct database *database, const struct column_range *range, bool calls,
                            struct error *error) {
    struct latency_buckets *buckets = latency_buckets_new(calls);
    bool done = latency_pass(database, range, true, buckets, error) &&
                latency_finish(database, range, true, buckets,
                               "temp.recount_latency (trace, " LATENCY_ROLLUP_COLUMNS ")", error);

    latency_buckets_free(buckets);
    return done;
}

static bool call_visit(void *counts, const struct event_columns *columns, size_t count,
                       struct error *error) {
    call_counts_add(counts, columns, count);
    return true;
}

static bool call_pass(struct database *database, const struct column_range *range, bool of_rows,
                      struct call_counts *counts, struct error *error) {
    const struct event_pass pass = {
        .database = database,
        .range = *range,
        .fields = CALL_COUNT_FIELDS,
        .of_rows = of_rows,
        .visit = call_visit,
    };

    return event_pass_run(&pass, counts, error);
}

static bool call_write(struct database *database, int64_t trace, const struct call_counts *counts,
                       const char *into, struct error *error) {
    struct number_rows rows = {.columns = 11};
    bool done;

    for (size_t i = 0; i < counts->count && !counts->given_up; i++) {
        const struct call_counts_row *row = &counts->rows[i];

        for (int result = 0; result < CALL_RESULTS; result++) {
            const struct call_count *count = &row->results[result];
            bool timed = count->timed > 0;
            const int64_t values[] = {row->operation,
                                      row->error,
                                      result,
                                      count->calls,
                                      count->bytes,
                                      count->timed,
                                      timed ? count->total : EVENT_NONE,
                                      timed ? count->least : EVENT_NONE,
                                      timed ? count->most : EVENT_NONE,
                                      count->first,
                                      count->last};

            if (count->calls > 0) {
                number_rows_add(&rows, values);
            }
        }
    }
    done = number_rows_write(&rows, database, into, trace, error);
    number_rows_free(&rows);
    return done;
}

bool call_rollup_make(struct database *database, const struct column_range *range,
                      const struct call_counts *counted, struct error *error) {
    struct call_counts counts = {0};
    bool done = counted != NULL || call_pass(database, range, false, &counts, error);

    if (counted == NULL) {
        counted = &counts;
    }
    done = done && clear_rollup(database, CALL_ROLLUP, range->trace, error) &&
           call_write(database, range->trace, counted,
                      "main.rollup_call (trace, " CALL_ROLLUP_COLUMNS ")", error) &&
           rollup_set_complete(database, range->trace, CALL_ROLLUP, !counted->given_up, error);
    call_counts_free(&counts);
    return done;
}

bool call_rollup_recount(struct database *database, const struct column_range *range,
                         struct error *error) {
    struct call_counts counts = {0};
    bool done = call_pass(database, range, true, &counts, error) &&
                call_write(database, range->trace, &counts,
                           "temp.recount_call (trace, " CALL_ROLLUP_COLUMNS ")", error);

    call_counts_free(&counts);
    return done;
}

bool rollup_set_complete(struct database *database, int64_t trace, const char *rollup,
                         bool is_complete, struct error *error) {
    return database_run_bound(database, error,
                              "UPDATE main.trace SET rollups = trim(trim("
                              "replace(' ' || rollups || ' ', ' ' || ?2 || ' ', ' ')) || ' ' || ?3)"
                              " WHERE id = ?1",
                              "iss", trace, rollup, is_complete ? rollup : "");
}
