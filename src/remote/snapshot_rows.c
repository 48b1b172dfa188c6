#include "remote/snapshot_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "remote/rowbinary.h"
#include "remote/statements.h"

static bool by_trace(const struct remote_table *table) {
    return strcmp(table->name, "trace") != 0 && !table->of_events;
}

bool snapshot_rows_open(struct snapshot_rows *in, struct error *error) {
    const struct remote_column *column = in->table->columns;
    const bool is_trace = strcmp(in->table->name, "trace") == 0;
    struct text sql = {0}, values = {0};

    text_append_format(&sql, "INSERT INTO main.\"%s\" (", in->table->name);
    if (is_trace || by_trace(in->table)) {
        text_append_string(&sql, is_trace ? "id" : "trace");
        text_append_string(&values, "?");
    }
    for (; column->name != NULL; column++) {
        if (column->sql == NULL) {
            text_append_format(&sql, "%s\"%s\"", values.length > 0 ? ", " : "", column->name);
            text_append_string(&values, values.length > 0 ? ", ?" : "?");
        }
    }
    text_append_format(&sql, ") VALUES (%s)", text_string(&values));
    in->insert = database_prepare(in->snapshot->database, text_string(&sql), error);
    text_free(&sql);
    text_free(&values);
    return in->insert != NULL;
}

/* An id of the store as the database has it. 0 stands for nothing, but with events: their first is
 * 1. What is no id of a trace cannot be the answer. */
static bool shift_id(const struct snapshot_trace *trace, enum transfer_id which, int64_t *id) {
    if (*id < 0 || *id > SNAPSHOT_MOST_OF_TABLE || *id > trace->most[which]) {
        return false;
    }
    *id = *id == 0 ? 0 : *id + trace->shift[which];
    return true;
}

/* Takes a value, and binds it unless `parameter` is 0. */
static bool take_value(struct rowbinary_reader *reader, const struct remote_table *table,
                       const struct remote_column *column, const struct snapshot_trace *trace,
                       sqlite3_stmt *insert, int parameter) {
    const enum transfer_id id = transfer_reference(table->name, column->name);
    bool null = remote_type_is_nullable(column->type) && rowbinary_null(reader);

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

/* How many rows of each table are to come. */
static bool take_counts(struct rowbinary_reader *reader, struct snapshot_trace *trace) {
    size_t length;
    const char *bytes = rowbinary_text(reader, &length);

    return contents_parse_rows(bytes, length, trace->left, &trace->counted);
}

/* Takes all but the keys of a row. */
static bool take_row(struct snapshot_rows *in, struct rowbinary_reader *reader,
                     struct snapshot_trace *trace, struct error *error) {
    const bool is_trace = in->table == &remote_tables[0];
    bool done = true;
    int parameter = 0;

    if (is_trace || by_trace(in->table)) {
        sqlite3_bind_int64(in->insert, ++parameter, trace->id);
    }
    for (const struct remote_column *column = in->table->columns; done && column->name != NULL;
         column++) {
        done = is_trace && strcmp(column->name, REMOTE_TRACE_ROWS) == 0
                   ? take_counts(reader, trace)
                   : take_value(reader, in->table, column, trace, in->insert,
                                column->sql == NULL ? ++parameter : 0);
    }
    trace->left[in->table - remote_tables]--;
    if (!done || reader->failed) {
        return remote_misanswered(&in->snapshot->remote, error);
    }
    in->rows++;
    return database_execute(in->snapshot->database, in->insert, error);
}

int snapshot_by_pair(const void *left, const void *right) {
    return remote_pair_compare(&(*(const struct snapshot_trace *const *)left)->pair,
                               &(*(const struct snapshot_trace *const *)right)->pair);
}

struct snapshot_trace *snapshot_find_trace(const struct store_snapshot *snapshot,
                                           const struct remote_pair *pair) {
    const struct snapshot_trace sought = {.pair = *pair}, *key = &sought;
    struct snapshot_trace **found =
        snapshot->count == 0 ? NULL
                             : bsearch(&key, snapshot->sorted, snapshot->count,
                                       sizeof(struct snapshot_trace *), snapshot_by_pair);

    return found == NULL ? NULL : *found;
}

bool snapshot_rows_take(struct snapshot_rows *in, const struct text *sql, struct error *error) {
    struct text answer = {0};
    struct rowbinary_reader reader;
    bool done = remote_ask(&in->snapshot->remote, sql, REMOTE_LARGE_ANSWER, &answer, error);

    reader = rowbinary_reader(&answer);
    while (done && rowbinary_more(&reader)) {
        struct remote_pair pair = remote_pair_take(&reader);
        struct snapshot_trace *trace;

        trace = snapshot_find_trace(in->snapshot, &pair);
        done = trace != NULL ? take_row(in, &reader, trace, error)
                             : remote_misanswered(&in->snapshot->remote, error);
    }
    done = done && (!reader.failed || remote_misanswered(&in->snapshot->remote, error));
    text_free(&answer);
    return done;
}

bool snapshot_take_numbers(struct store_snapshot *snapshot, const struct text *sql,
                           snapshot_take_number *take, enum transfer_id which,
                           struct error *error) {
    struct text answer = {0};
    struct rowbinary_reader reader;
    bool done = remote_ask(&snapshot->remote, sql, REMOTE_LARGE_ANSWER, &answer, error);

    reader = rowbinary_reader(&answer);
    while (done && rowbinary_more(&reader)) {
        struct remote_pair pair = remote_pair_take(&reader);
        const int64_t number = rowbinary_i64(&reader);
        struct snapshot_trace *trace = snapshot_find_trace(snapshot, &pair);

        done = (trace != NULL && take(trace, which, number)) ||
               remote_misanswered(&snapshot->remote, error);
    }
    done = done && (!reader.failed || remote_misanswered(&snapshot->remote, error));
    text_free(&answer);
    return done;
}

bool snapshot_miscounted(const struct store_snapshot *snapshot, const struct remote_table *table,
                         const struct snapshot_trace *trace, bool fewer, struct error *error) {
    return error_set(error,
                     "%s: it gave %s rows of %s of trace %s than were pushed; tracetool store "
                     "check says more",
                     snapshot->remote.address.shown, fewer ? "fewer" : "more", table->name,
                     trace->label.name);
}

bool snapshot_check_count(const struct store_snapshot *snapshot, const struct remote_table *table,
                          const struct snapshot_trace *trace, int64_t rows, struct error *error) {
    const int64_t left = trace->left[table - remote_tables];

    return !trace->counted || left == rows ||
           snapshot_miscounted(snapshot, table, trace, left > rows, error);
}

bool snapshot_check_rows(const struct store_snapshot *snapshot, const struct remote_table *table,
                         const struct snapshot_trace *trace, struct error *error) {
    return snapshot_check_count(snapshot, table, trace, 0, error);
}

bool snapshot_take_rows(struct store_snapshot *snapshot, const struct remote_table *table,
                        const struct remote_pair *pairs, size_t count, struct error *error) {
    struct snapshot_rows in = {.snapshot = snapshot, .table = table};
    struct text sql = {0};
    size_t most = REMOTE_MOST_CHOSEN, at = 0;
    bool done = snapshot_rows_open(&in, error);

    while (done && at < count) {
        size_t some = count - at < most ? count - at : most;

        text_clear(&sql);
        remote_append_select(&sql, snapshot->remote.address.database, table, pairs + at, some);
        done = snapshot_rows_take(&in, &sql, error);
        if (done) {
            at += some;
        } else if (snapshot->remote.overflowed && some > 1) {
            /* Nothing of it was taken. */
            most = some / 2;
            *error = (struct error){0};
            done = true;
        }
    }
    text_free(&sql);
    sqlite3_finalize(in.insert);
    return done;
}

bool snapshot_has_left(const struct snapshot_trace *trace, const struct remote_table *table) {
    return !trace->counted || trace->left[table - remote_tables] != 0;
}

struct remote_pair *snapshot_pairs_with_rows(const struct store_snapshot *snapshot,
                                             const struct remote_table *table,
                                             const struct remote_pair *pairs, size_t *count) {
    struct remote_pair *some = xcalloc(*count + 1, sizeof *some);
    size_t kept = 0;

    for (size_t i = 0; i < *count; i++) {
        if (snapshot_has_left(snapshot_find_trace(snapshot, &pairs[i]), table)) {
            some[kept++] = pairs[i];
        }
    }
    *count = kept;
    return some;
}

bool snapshot_take_table(struct store_snapshot *snapshot, const struct remote_table *table,
                         const struct remote_pair *pairs, size_t count, struct error *error) {
    struct remote_pair *some = snapshot_pairs_with_rows(snapshot, table, pairs, &count);
    bool done = snapshot_take_rows(snapshot, table, some, count, error);

    for (size_t i = 0; done && i < count; i++) {
        done = snapshot_check_rows(snapshot, table, snapshot_find_trace(snapshot, &some[i]), error);
    }
    free(some);
    return done;
}
