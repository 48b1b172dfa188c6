#include "remote/snapshot_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/words.h"
#include "remote/rowbinary.h"
#include "remote/statements.h"

/* --- copying rows of the store into the database ---------------------------------------------- */

static bool order_sums_by_trace(const struct remote_table *table) {
    return strcmp(table->name, "trace") != 0 && !table->of_events;
}

bool snapshot_rows_open(struct snapshot_rows *in, struct error *error) {
    const bool is_trace = strcmp(in->table->name, "trace") == 0;
    struct text sql = {0}, values = {0};

    text_append_format(&sql, "INSERT INTO main.\"%s\" (", in->table->name);
    if (is_trace || order_sums_by_trace(in->table)) {
        text_append_string(&sql, is_trace ? "id" : "trace");
        text_append_string(&values, "?");
    }
    for (const struct remote_column *column = in->table->columns; column->name != NULL; column++) {
        if (column->sql == NULL) {
            text_append_format(&sql, "%s\"%s\"", values.length > 0 ? ", " : "", column->name);
            text_append_string(&values, values.length > 0 ? ", ?" : "?");
        }
    }
    text_append_format(&sql, ") VALUES (%s)", text_string(&values));
    in->insert = database_prepare_text(in->snapshot->database, &sql, error);
    text_free(&values);
    return in->insert != NULL;
}

/* Converts an id of the store into one of the snapshot. 0 means none, except for events, whose
 * first id is 1. Returns false if the trace cannot have this id. */
static bool shift_id(const struct snapshot_trace *trace, enum transfer_id which, int64_t *id) {
    if (*id < 0 || *id > SNAPSHOT_MOST_OF_TABLE || *id > trace->most[which]) {
        return false;
    }
    *id = *id == 0 ? 0 : *id + trace->shift[which];
    return true;
}

/* Reads a value of a row. Binds it to `parameter`, unless that is 0. */
static bool read_and_bind(struct rowbinary_reader *reader, const struct remote_table *table,
                          const struct remote_column *column, const struct snapshot_trace *trace,
                          sqlite3_stmt *insert, int parameter) {
    const enum transfer_id id = transfer_referenced(table->name, column->name);
    bool null = remote_type_is_nullable(column->type) && rowbinary_read_null(reader);

    if (null) {
        return parameter == 0 || sqlite3_bind_null(insert, parameter) == SQLITE_OK;
    }
    if (remote_type_is_text(column->type)) {
        size_t length;
        const char *bytes = rowbinary_text(reader, &length);

        if (parameter == 0) {
            return true;
        }
        return (column->type == REMOTE_MAYBE_BYTES
                    ? sqlite3_bind_blob64(insert, parameter, bytes, length, SQLITE_STATIC)
                    : sqlite3_bind_text64(insert, parameter, bytes, length, SQLITE_STATIC,
                                          SQLITE_UTF8)) == SQLITE_OK;
    } else {
        int64_t value = rowbinary_i64(reader);

        return parameter == 0 || ((id == TRANSFER_PLAIN || shift_id(trace, id, &value)) &&
                                  sqlite3_bind_int64(insert, parameter, value) == SQLITE_OK);
    }
}

/* Reads the number of rows that were sent in each table. */
static bool read_row_counts(struct rowbinary_reader *reader, struct snapshot_trace *trace) {
    size_t length;
    const char *bytes = rowbinary_text(reader, &length);

    return contents_parse_rows(bytes, length, trace->left, &trace->counted);
}

/* Reads the columns of a row, which follow its keys, and inserts the row. */
static bool read_and_insert_row(struct snapshot_rows *in, struct rowbinary_reader *reader,
                                struct snapshot_trace *trace, struct error *error) {
    const bool is_trace = in->table == &remote_tables[0];
    bool done = true;
    int parameter = 0;

    if (is_trace || order_sums_by_trace(in->table)) {
        sqlite3_bind_int64(in->insert, ++parameter, trace->id);
    }
    for (const struct remote_column *column = in->table->columns; done && column->name != NULL;
         column++) {
        done = is_trace && strcmp(column->name, REMOTE_TRACE_ROWS) == 0
                   ? read_row_counts(reader, trace)
                   : read_and_bind(reader, in->table, column, trace, in->insert,
                                   column->sql == NULL ? ++parameter : 0);
    }
    trace->left[in->table - remote_tables]--;
    if (!done || reader->failed) {
        return remote_set_answer_error(&in->snapshot->remote, error);
    }
    in->rows++;
    return database_execute(in->snapshot->database, in->insert, error);
}

int snapshot_compare_keys(const void *left, const void *right) {
    return upload_key_compare(&(*(const struct snapshot_trace *const *)left)->pair,
                              &(*(const struct snapshot_trace *const *)right)->pair);
}

static struct snapshot_trace *snapshot_tables_find_trace(const struct store_snapshot *snapshot,
                                                         const struct upload_key *pair) {
    const struct snapshot_trace sought = {.pair = *pair}, *key = &sought;
    struct snapshot_trace **found =
        snapshot->count == 0 ? NULL
                             : bsearch(&key, snapshot->sorted, snapshot->count,
                                       sizeof(struct snapshot_trace *), snapshot_compare_keys);

    return found == NULL ? NULL : *found;
}

bool snapshot_rows_fetch(struct snapshot_rows *in, struct text *sql, struct error *error) {
    struct remote_answer answer =
        remote_query(&in->snapshot->remote, sql, REMOTE_LARGE_ANSWER, error);

    while (remote_next(&answer)) {
        struct upload_key pair = rowbinary_read_upload_key(&answer.reader);
        struct snapshot_trace *trace = snapshot_tables_find_trace(in->snapshot, &pair);

        answer.failed = trace != NULL ? !read_and_insert_row(in, &answer.reader, trace, error)
                                      : !remote_set_answer_error(&in->snapshot->remote, error);
    }
    return remote_end(&answer);
}

/* Queries the largest id of each trace in a table. */
static bool fetch_largest_ids(struct store_snapshot *snapshot, struct text *sql,
                              enum transfer_id which, struct error *error) {
    struct remote_answer answer = remote_query(&snapshot->remote, sql, REMOTE_LARGE_ANSWER, error);

    while (remote_next(&answer)) {
        struct upload_key pair = rowbinary_read_upload_key(&answer.reader);
        const int64_t number = rowbinary_i64(&answer.reader);
        struct snapshot_trace *trace = snapshot_tables_find_trace(snapshot, &pair);

        answer.reader.failed |= trace == NULL || number < 0 || number >= INT32_MAX;
        if (!answer.reader.failed) {
            trace->most[which] = number;
        }
    }
    return remote_end(&answer);
}

bool snapshot_count_error(const struct store_snapshot *snapshot, const struct remote_table *table,
                          const struct snapshot_trace *trace, bool fewer, struct error *error) {
    return error_set(error,
                     "%s: it gave %s rows of %s of trace %s than were pushed; tracetool store "
                     "check shows details",
                     snapshot->remote.address.shown, fewer ? "fewer" : "more", table->name,
                     trace->label.name);
}

bool snapshot_check_count(const struct store_snapshot *snapshot, const struct remote_table *table,
                          const struct snapshot_trace *trace, int64_t rows, struct error *error) {
    const int64_t left = trace->left[table - remote_tables];

    return !trace->counted || left == rows ||
           snapshot_count_error(snapshot, table, trace, left > rows, error);
}

bool snapshot_check_rows(const struct store_snapshot *snapshot, const struct remote_table *table,
                         const struct snapshot_trace *trace, struct error *error) {
    return snapshot_check_count(snapshot, table, trace, 0, error);
}

bool snapshot_fetch_rows(struct store_snapshot *snapshot, const struct remote_table *table,
                         const struct upload_key *pairs, size_t count, struct error *error) {
    struct snapshot_rows in = {.snapshot = snapshot, .table = table};
    struct text sql = {0};
    size_t most = REMOTE_MOST_CHOSEN, at = 0;
    bool done = snapshot_rows_open(&in, error);

    while (done && at < count) {
        size_t some = count - at < most ? count - at : most;

        remote_append_select(&sql, snapshot->remote.address.database, table, pairs + at, some);
        done = snapshot_rows_fetch(&in, &sql, error);
        if (done) {
            at += some;
        } else if (snapshot->remote.overflowed && some > 1) {
            /* The answer was too large, and no row was inserted: queries half as many traces. */
            most = some / 2;
            *error = (struct error){0};
            done = true;
        }
    }
    sqlite3_finalize(in.insert);
    return done;
}

bool snapshot_needs_fetch(const struct snapshot_trace *trace, const struct remote_table *table) {
    return !trace->counted || trace->left[table - remote_tables] != 0;
}

static struct upload_key *pairs_with_rows(const struct store_snapshot *snapshot,
                                          const struct remote_table *table,
                                          const struct upload_key *pairs, size_t *count) {
    struct upload_key *some = xcalloc(*count + 1, sizeof *some);
    size_t kept = 0;

    for (size_t i = 0; i < *count; i++) {
        if (snapshot_needs_fetch(snapshot_tables_find_trace(snapshot, &pairs[i]), table)) {
            some[kept++] = pairs[i];
        }
    }
    *count = kept;
    return some;
}

bool snapshot_fetch_table(struct store_snapshot *snapshot, const struct remote_table *table,
                          const struct upload_key *pairs, size_t count, struct error *error) {
    struct upload_key *some = pairs_with_rows(snapshot, table, pairs, &count);
    bool done = snapshot_fetch_rows(snapshot, table, some, count, error);

    for (size_t i = 0; done && i < count; i++) {
        done = snapshot_check_rows(snapshot, table, snapshot_tables_find_trace(snapshot, &some[i]),
                                   error);
    }
    free(some);
    return done;
}

/* --- sums of rollups, made by the store ------------------------------------------------------- */

/* For rollups (tables of counts) of block I/O: the server adds up the rows of many traces, instead
 * of returning each trace's rows. */

/* A trace whose rows are added up. */
struct sums_trace {
    struct upload_key pair;
    int64_t trace, action; /* trace: its id; action: id of the counted action, 0: none */
    int64_t rows;          /* result: number of the trace's rows with any action; -1: not counted */
};

/* Returns whether rows of a rollup may be added up over traces: all columns that it counts by,
 * except the action's id, must mean the same in all traces. */
static bool sums_of_table(const struct remote_table *table) {
    return word_in("rollup_size rollup_block rollup_process rollup_letters", table->name);
}

/* State of adding up a rollup (table of counts) over traces. */
struct sums {
    struct remote *remote;
    struct database *database;
    const struct remote_table *table;
    sqlite3_stmt *insert;     /* owned; statement that inserts a sum */
    struct text letters;      /* RWBS letters of the current action */
    struct upload_key *pairs; /* owned; keys of the traces that are added up; `chosen` elements */
    struct sums_trace **of_pair; /* owned; the traces of `pairs`, in the same order */
    size_t chosen;
};

/* Prepares the INSERT for a row of a rollup (table of counts): trace, action, the columns that it
 * counts by, count and bytes. */
static sqlite3_stmt *snapshot_tables_prepare_insert(struct database *database,
                                                    const struct remote_table *table,
                                                    struct error *error) {
    struct text sql = {0}, values = {0};
    sqlite3_stmt *insert;

    text_append_format(&sql, "INSERT INTO main.\"%s\" (trace, action", table->name);
    for (const struct remote_column *column = table->columns; column->name != NULL; column++) {
        if (remote_column_is_dimension(column)) {
            text_append_format(&sql, ", \"%s\"", column->name);
            text_append_string(&values, ", ?");
        }
    }
    text_append_format(&sql, ", count, bytes) VALUES (?, ?%s, ?, ?)", text_string(&values));
    insert = database_prepare_text(database, &sql, error);
    text_free(&values);
    return insert;
}

/* Reads upper and lower half of a sum, and binds the sum. A sum of only NULLs is NULL. Returns
 * false if it exceeds 64 bits. */
static bool read_sum(struct rowbinary_reader *reader, sqlite3_stmt *insert, int parameter) {
    const bool upper_null = rowbinary_read_null(reader);
    const int64_t upper = upper_null ? 0 : rowbinary_i64(reader);
    const bool lower_null = rowbinary_read_null(reader);
    const int64_t lower = lower_null ? 0 : rowbinary_i64(reader);
    int64_t sum;

    if (upper_null || lower_null) {
        sqlite3_bind_null(insert, parameter);
        return true;
    }
    if (__builtin_mul_overflow(upper, INT64_C(1) << 32, &sum) ||
        __builtin_add_overflow(sum, lower, &sum)) {
        return false;
    }
    sqlite3_bind_int64(insert, parameter, sum);
    return true;
}

/* Reads a row of sums and binds its values. Increases `*rows` by the number of rows that the sums
 * include. `*fits`: false if a sum exceeds 64 bits. */
static bool read_sums(struct rowbinary_reader *reader, const struct remote_table *table,
                      const struct sums_trace *under, sqlite3_stmt *insert, int64_t *rows,
                      bool *fits) {
    int parameter = 2;
    int64_t count;

    sqlite3_bind_int64(insert, 1, under->trace);
    sqlite3_bind_int64(insert, 2, under->action);
    for (const struct remote_column *column = table->columns; column->name != NULL; column++) {
        if (!remote_column_is_dimension(column)) {
            continue;
        }
        if (remote_type_is_text(column->type)) {
            size_t length;
            const char *bytes = rowbinary_text(reader, &length);

            sqlite3_bind_text64(insert, ++parameter, bytes, length, SQLITE_STATIC, SQLITE_UTF8);
        } else {
            sqlite3_bind_int64(insert, ++parameter, rowbinary_i64(reader));
        }
    }
    count = rowbinary_i64(reader);
    *fits = read_sum(reader, insert, parameter + 1) && read_sum(reader, insert, parameter + 2);
    return !reader->failed && count > 0 && !__builtin_add_overflow(*rows, count, rows);
}

static int snapshot_tables_by_pair(const void *left, const void *right) {
    return upload_key_compare(&(*(struct sums_trace *const *)left)->pair,
                              &(*(struct sums_trace *const *)right)->pair);
}

/* Appends FROM … WHERE … GROUP BY … to a query that returns a row per attempt (upload). */
static void append_from_each(struct text *sql, const char *database,
                             const struct remote_table *table, const struct upload_key *pairs,
                             size_t count) {
    text_append_format(sql, " FROM %s.`%s` WHERE ", database, table->name);
    remote_append_keys_condition(sql, pairs, count);
    text_append_string(sql, " GROUP BY trace, attempt FORMAT RowBinary");
}

/* Counts the rows of the chosen traces in the store. `*of_action`: those of the current action. */
static bool snapshot_tables_count_rows(struct sums *sums, int64_t *of_action, struct error *error) {
    struct text sql = {0};
    struct remote_answer answer;

    text_append_string(&sql, "SELECT trace, attempt, toInt64(count()), toInt64(sum(");
    remote_append_action_condition(&sql, text_string(&sums->letters));
    text_append_string(&sql, "))");
    append_from_each(&sql, sums->remote->address.database, sums->table, sums->pairs, sums->chosen);
    answer = remote_query(sums->remote, &sql, REMOTE_LARGE_ANSWER, error);
    qsort(sums->of_pair, sums->chosen, sizeof(struct sums_trace *), snapshot_tables_by_pair);
    *of_action = 0;
    while (remote_next(&answer)) {
        struct sums_trace sought = {.pair = rowbinary_read_upload_key(&answer.reader)},
                          *key = &sought;
        struct sums_trace **found = bsearch(&key, sums->of_pair, sums->chosen,
                                            sizeof(struct sums_trace *), snapshot_tables_by_pair);
        const int64_t rows = rowbinary_i64(&answer.reader), some = rowbinary_i64(&answer.reader);

        answer.reader.failed |= found == NULL || rows < 0 || some < 0 ||
                                __builtin_add_overflow(*of_action, some, of_action);
        if (!answer.reader.failed) {
            (*found)->rows = rows;
        }
    }
    return remote_end(&answer);
}

/* Checks by another query that the sums include all rows of the action, since sums do not show
 * missing rows. */
static bool check_all(struct sums *sums, int64_t rows, struct error *error) {
    int64_t of_action;

    for (size_t i = 0; i < sums->chosen; i++) {
        sums->of_pair[i]->rows = 0;
    }
    return snapshot_tables_count_rows(sums, &of_action, error) &&
           (rows == of_action || error_set(error,
                                           "%s: its sums cover %s rows of %s than it has; "
                                           "tracetool store check says more",
                                           sums->remote->address.shown,
                                           rows < of_action ? "fewer" : "more", sums->table->name));
}

/* Fetches the sums over the traces in sums->pairs. Inserts them as rows of the trace `first`. */
static bool fetch_group_sums(struct sums *sums, const struct sums_trace *first, bool *fits,
                             struct error *error) {
    struct text sql = {0};
    struct remote_answer answer;
    int64_t rows = 0;

    remote_append_rollup(&sql, sums->remote->address.database, sums->table, sums->pairs,
                         sums->chosen, text_string(&sums->letters));
    answer = remote_query(sums->remote, &sql, REMOTE_LARGE_ANSWER, error);
    if (answer.failed && sums->remote->overflowed) {
        /* A too large answer is no error: the caller can fetch rows instead, of fewer traces at a
         * time. */
        *error = (struct error){0};
        *fits = answer.failed = false;
    }
    while (*fits && remote_next(&answer)) {
        answer.reader.failed |=
            !read_sums(&answer.reader, sums->table, first, sums->insert, &rows, fits);
        answer.failed = !answer.reader.failed && *fits &&
                        !database_execute(sums->database, sums->insert, error);
    }
    if (!remote_end(&answer)) {
        return false;
    }
    /* The store has rows of each requested action, so an answer without rows is not usable. */
    *fits = *fits && rows > 0;
    return !*fits || check_all(sums, rows, error);
}

/* Finds the RWBS letters of an action by its id. */
static bool find_letters(struct sums *sums, int64_t action, struct text *letters,
                         struct error *error) {
    struct database_query query = database_query(
        sums->database, error, "SELECT text FROM main.name WHERE id = ?1", "i", action);

    text_clear(letters);
    if (database_next(&query)) {
        text_append_string(letters, (const char *)sqlite3_column_text(query.row, 0));
    }
    return database_end(&query);
}

/* Fetches one set of sums: over the trace `first`, and all later traces whose counted action has
 * the same RWBS letters. `taken`: traces that are already in a sum; the new ones are marked. */
static bool fetch_next_sums(struct sums *sums, struct sums_trace *traces, size_t count,
                            size_t first, bool *taken, bool *fits, struct error *error) {
    struct text letters = {0};
    bool done = find_letters(sums, traces[first].action, &sums->letters, error);

    sums->chosen = 0;
    for (size_t i = first; done && i < count && sums->chosen < REMOTE_MOST_CHOSEN; i++) {
        if (taken[i] || traces[i].action == 0) {
            continue;
        }
        done = find_letters(sums, traces[i].action, &letters, error);
        if (done && strcmp(text_string(&letters), text_string(&sums->letters)) == 0) {
            sums->pairs[sums->chosen] = traces[i].pair;
            sums->of_pair[sums->chosen++] = &traces[i];
            taken[i] = true;
        }
    }
    done = done && fetch_group_sums(sums, &traces[first], fits, error);
    text_free(&letters);
    return done;
}

/* Fetches a rollup (table of counts) as sums over traces, one set for each counted action of block
 * I/O, and inserts them into the snapshot's rollup. Each inserted row has the action, and the id of
 * one of the traces. Sets `rows` of the traces with an action. Fails if sums include fewer rows
 * than the store has. `*fits`: false if a sum exceeds 64 bits, or the answer is too large or empty;
 * then the inserted rows are unusable. */
static bool sums_fetch(struct remote *remote, struct database *database,
                       const struct remote_table *table, struct sums_trace *traces, size_t count,
                       bool *fits, struct error *error) {
    struct sums sums = {
        .remote = remote,
        .database = database,
        .table = table,
        .pairs = xcalloc(count + 1, sizeof *sums.pairs),
        .of_pair = xcalloc(count + 1, sizeof(struct sums_trace *)),
    };
    bool *taken = xcalloc(count + 1, sizeof *taken);
    bool done;

    *fits = true;
    sums.insert = snapshot_tables_prepare_insert(database, table, error);
    done = sums.insert != NULL;
    for (size_t i = 0; done && *fits && i < count; i++) {
        traces[i].rows = traces[i].action == 0 ? -1 : traces[i].rows;
        done = taken[i] || traces[i].action == 0 ||
               fetch_next_sums(&sums, traces, count, i, taken, fits, error);
    }
    sqlite3_finalize(sums.insert);
    text_free(&sums.letters);
    free(sums.pairs);
    free(sums.of_pair);
    free(taken);
    return done;
}

/* --- fetching names and rollups --------------------------------------------------------------- */

/* Returns whether a table is fetched only if a report reads it. All others are fetched with the
 * first report on a trace. */
static bool fetched_on_demand(const struct remote_table *table) {
    return word_in("object loggable", table->name) || strncmp(table->name, "rollup_", 7) == 0;
}

/* Tables whose ids should be dense: the ids of a trace follow those of the previous trace. */
static const enum transfer_id numbered[] = {TRANSFER_NAME, TRANSFER_ACTOR, TRANSFER_OBJECT};

enum { NUMBERED = sizeof numbered / sizeof numbered[0] };

/* Finds the largest id of each trace in a table. Skips traces without rows in the table. */
static bool find_largest_ids(struct store_snapshot *snapshot, enum transfer_id which,
                             const struct upload_key *pairs, size_t count, struct error *error) {
    const struct remote_table *table = remote_table_find(transfer_table_name(which));
    struct upload_key *some = pairs_with_rows(snapshot, table, pairs, &count);
    bool done = true;

    for (size_t at = 0; done && at < count; at += REMOTE_MOST_CHOSEN) {
        struct text sql = {0};

        text_append_string(&sql, "SELECT trace, attempt, max(id)");
        append_from_each(&sql, snapshot->remote.address.database, table, some + at,
                         count - at < REMOTE_MOST_CHOSEN ? count - at : REMOTE_MOST_CHOSEN);
        done = fetch_largest_ids(snapshot, &sql, which, error);
    }
    free(some);
    return done;
}

/* Assigns ids to names, actors and objects, trace after trace, as an import would. */
static bool number_traces(struct store_snapshot *snapshot, const struct upload_key *pairs,
                          size_t count, struct error *error) {
    for (size_t i = 0; i < NUMBERED; i++) {
        for (size_t at = 0; at < count; at++) {
            snapshot_tables_find_trace(snapshot, &pairs[at])->most[numbered[i]] = 0;
        }
        if (!find_largest_ids(snapshot, numbered[i], pairs, count, error)) {
            return false;
        }
        for (size_t at = 0; at < count; at++) {
            struct snapshot_trace *trace = snapshot_tables_find_trace(snapshot, &pairs[at]);

            trace->shift[numbered[i]] = snapshot->next[numbered[i]];
            snapshot->next[numbered[i]] += trace->most[numbered[i]];
        }
    }
    return true;
}

/* Collects the keys of the traces for which `missing` returns true. Returns their number. */
static size_t choose_pairs(const struct store_snapshot *snapshot,
                           const struct database_wanted *wanted,
                           bool (*missing)(const struct snapshot_trace *trace, uint64_t bit),
                           uint64_t bit, struct upload_key *pairs) {
    size_t count = 0;

    for (size_t i = 0; i < wanted->count; i++) {
        const struct snapshot_trace *trace = &snapshot->traces[wanted->traces[i] - 1];

        if (missing(trace, bit)) {
            pairs[count++] = trace->pair;
        }
    }
    return count;
}

static bool is_not_numbered(const struct snapshot_trace *trace, uint64_t bit) {
    return !trace->numbered;
}

static bool is_not_fetched(const struct snapshot_trace *trace, uint64_t bit) {
    return (trace->fetched & bit) == 0;
}

/* Assigns ids to names. Traces get them in a fixed order, whichever tables are fetched first. */
static bool snapshot_tables_begin_traces(struct store_snapshot *snapshot,
                                         const struct database_wanted *wanted,
                                         struct upload_key *pairs, struct error *error) {
    const size_t count = choose_pairs(snapshot, wanted, is_not_numbered, 0, pairs);
    bool done = count == 0 || number_traces(snapshot, pairs, count, error);

    for (size_t i = 0; done && i < count; i++) {
        struct snapshot_trace *trace = snapshot_tables_find_trace(snapshot, &pairs[i]);

        /* Changes name ids in table `probe`, which was fetched before the ids were known. Uses two
         * steps, so that ids never collide in between. */
        done = database_run_bound(snapshot->database, error,
                                  "UPDATE main.probe SET name = -name WHERE trace = ?1", "i",
                                  trace->id) &&
               database_run_bound(snapshot->database, error,
                                  "UPDATE main.probe SET name = ?2 - name WHERE trace = ?1", "ii",
                                  trace->id, trace->shift[TRANSFER_NAME]) &&
               insert_time_bounds(snapshot, trace, error);
        trace->numbered = true;
    }
    return done;
}

/* Checks the row counts of traces whose rows were only fetched as sums: in a sum, nothing shows
 * that a row is missing. */
static bool check_row_counts(struct store_snapshot *snapshot, const struct remote_table *table,
                             const struct sums_trace *traces, size_t count, struct error *error) {
    bool done = true;

    for (size_t i = 0; done && i < count; i++) {
        const struct snapshot_trace *trace = &snapshot->traces[traces[i].trace - 1];

        done = traces[i].rows < 0 ||
               snapshot_check_count(snapshot, table, trace, traces[i].rows, error);
    }
    return done;
}

/* Deletes a table's sums from the snapshot, so that they are not counted twice with its rows. */
static bool drop_sums(struct store_snapshot *snapshot, const struct remote_table *table,
                      struct error *error) {
    const uint64_t bit = snapshot_table_bit(table);
    struct text sql = {0};
    bool done = true;

    text_append_format(&sql, "DELETE FROM main.\"%s\" WHERE trace = ?1", table->name);
    for (size_t i = 0; done && i < snapshot->count; i++) {
        if ((snapshot->traces[i].summed & bit) != 0) {
            snapshot->traces[i].summed &= ~bit;
            done = database_run_bound(snapshot->database, error, text_string(&sql), "i",
                                      snapshot->traces[i].id);
        }
    }
    text_free(&sql);
    return done;
}

/* Fetches a table as sums made by the server. `*fits`: true if the sums were inserted. */
static bool fetch_sums(struct store_snapshot *snapshot, const struct remote_table *table,
                       const struct database_wanted *wanted, bool *fits, struct error *error) {
    struct sums_trace *traces = xcalloc(wanted->count + 1, sizeof *traces);
    bool done;

    for (size_t i = 0; i < wanted->count; i++) {
        struct snapshot_trace *trace = &snapshot->traces[wanted->traces[i] - 1];

        traces[i] = (struct sums_trace){
            .pair = trace->pair, .trace = trace->id, .action = wanted->actions[i]};
        trace->summed |= snapshot_table_bit(table);
    }
    done = sums_fetch(&snapshot->remote, snapshot->database, table, traces, wanted->count, fits,
                      error) &&
           (!*fits || check_row_counts(snapshot, table, traces, wanted->count, error));
    free(traces);
    return done && (*fits || drop_sums(snapshot, table, error));
}

static bool fetch_table(struct store_snapshot *snapshot, const struct remote_table *table,
                        const struct database_wanted *wanted, struct upload_key *pairs,
                        struct error *error) {
    const uint64_t bit = snapshot_table_bit(table);
    const size_t count = choose_pairs(snapshot, wanted, is_not_fetched, bit, pairs);
    bool summed = false, done = drop_sums(snapshot, table, error);

    if (done && wanted->actions != NULL && count == wanted->count && sums_of_table(table)) {
        done = fetch_sums(snapshot, table, wanted, &summed, error);
    }
    if (!done || summed || count == 0) {
        return done;
    }
    done = snapshot_fetch_table(snapshot, table, pairs, count, error);
    for (size_t i = 0; done && i < count; i++) {
        snapshot_tables_find_trace(snapshot, &pairs[i])->fetched |= bit;
    }
    return done;
}

bool snapshot_fetch_tables(struct store_snapshot *snapshot, const struct database_wanted *wanted,
                           struct upload_key *pairs, struct error *error) {
    bool done = snapshot_tables_begin_traces(snapshot, wanted, pairs, error);

    for (const struct remote_table *table = remote_tables + 1; done && table->name != NULL;
         table++) {
        done = table->of_events || word_in(SNAPSHOT_AT_ONCE, table->name) ||
               (fetched_on_demand(table) && wanted->tables != NULL &&
                !word_in(wanted->tables, table->name)) ||
               fetch_table(snapshot, table, wanted, pairs, error);
    }
    return done;
}
