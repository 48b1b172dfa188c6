#include "remote/push.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "copy/transfer.h"
#include "remote/checksum.h"
#include "remote/commits.h"
#include "remote/contents.h"
#include "remote/identity.h"
#include "remote/rowbinary.h"
#include "store/trace_rows.h"

/* Parameters of the columns of `trace` that only the store has (schema.c), behind those of
 * transfer.h. */
enum own_parameter {
    OWN_HASH = TRANSFER_OWN,
    OWN_CONTENT,
    OWN_EVENT_CONTENT,
    OWN_SENT_EVENTS,
    OWN_SCHEMA_VERSION,
    OWN_STORE_VERSION,
    OWN_PUSHED,
};

/* One trace on its way. */
struct push {
    struct remote *remote;             /* borrowed */
    struct database *database;         /* borrowed */
    const struct catalog_trace *trace; /* borrowed */
    struct remote_identity identity;
    struct remote_pair pair; /* of this attempt */
    bool events;
    bool dry; /* rows are only counted */
    int64_t shift[TRANSFER_IDS];
    struct content contents[REMOTE_MOST_TABLES]; /* what each table was sent */
    struct text rows;                            /* of the request that is being filled */
    int64_t row_count;                           /* in it */
    struct push_outcome *outcome;                /* borrowed */
};

/* --- rows ---------------------------------------------------------------------------------------
 */

/* The least id of the trace in a table becomes 1; of events the first does. */
static bool find_shifts(struct push *push, struct error *error) {
    for (unsigned id = 0; id < TRANSFER_IDS; id++) {
        struct text sql = {0};
        int64_t least = push->trace->first_event;
        bool done = true;

        if (id != TRANSFER_EVENT && id != TRANSFER_TRACE) {
            text_append_format(&sql, "SELECT min(id) FROM \"%s\" WHERE trace = ?1",
                               transfer_table((enum transfer_id)id));
            done = (!sql.failed || error_no_memory(error)) &&
                   database_integer(push->database, text_string(&sql), push->trace->id, 1, &least,
                                    error);
            text_free(&sql);
        }
        if (!done) {
            return false;
        }
        if (__builtin_sub_overflow((int64_t)1, least, &push->shift[id])) {
            return error_set(error, "trace %s has ids that cannot be; tracetool check says more",
                             push->trace->name);
        }
    }
    return true;
}

static void bind(const struct push *push, sqlite3_stmt *rows) {
    sqlite3_bind_int64(rows, 1, push->trace->id);
    sqlite3_bind_int64(rows, 2, push->trace->first_event);
    sqlite3_bind_int64(rows, 3, push->trace->last_event);
    for (int id = 0; id < TRANSFER_IDS; id++) {
        sqlite3_bind_int64(rows, TRANSFER_FIRST_SHIFT + id, push->shift[id]);
    }
}

/* The rows of a trace as the store's table has them, column by column. */
static sqlite3_stmt *prepare_rows(const struct push *push, const struct remote_table *table,
                                  struct error *error) {
    bool has_trace = table != &remote_tables[0] && !table->of_events;
    sqlite3_stmt *rows = NULL;
    struct text sql = {0};

    text_append_string(&sql, "SELECT ");
    for (const struct remote_column *column = table->columns; column->name != NULL; column++) {
        size_t length;

        text_append_string(&sql, column == table->columns ? "" : ", ");
        length = sql.length;
        if (column->sql != NULL) {
            text_append_string(&sql, column->sql);
        } else {
            transfer_append_shifted(table->name, column->name, "", &sql);
        }
        if (sql.length == length) {
            text_append_format(&sql, "t.\"%s\"", column->name);
        }
    }
    text_append_format(&sql, " FROM main.\"%s\" AS t WHERE %s", table->name,
                       trace_rows_of(table->name, has_trace));
    if (sql.failed) {
        error_no_memory(error);
    } else {
        rows = database_prepare(push->database, text_string(&sql), error);
    }
    text_free(&sql);
    if (rows != NULL) {
        bind(push, rows);
    }
    return rows;
}

/* SQLite takes any value anywhere; a store does not. */
static bool fits(enum remote_type type, int given) {
    switch (given) {
    case SQLITE_NULL:
        return remote_type_is_nullable(type);
    case SQLITE_INTEGER:
        return !remote_type_is_text(type);
    case SQLITE_TEXT:
        return type == REMOTE_TEXT || type == REMOTE_MAYBE_TEXT;
    case SQLITE_BLOB:
        return type == REMOTE_MAYBE_BYTES;
    default:
        return false;
    }
}

static void put_value(struct text *out, sqlite3_stmt *row, int at, enum remote_type type) {
    bool null = sqlite3_column_type(row, at) == SQLITE_NULL;

    if (remote_type_is_nullable(type)) {
        rowbinary_put_u8(out, null);
    }
    if (null) {
        return;
    }
    if (remote_type_is_text(type)) {
        const void *bytes = sqlite3_column_blob(row, at);

        rowbinary_put_text(out, bytes, (size_t)sqlite3_column_bytes(row, at));
    } else {
        rowbinary_put_u64(out, (uint64_t)sqlite3_column_int64(row, at));
    }
}

static bool put_row(struct push *push, const struct remote_table *table, sqlite3_stmt *row,
                    struct error *error) {
    rowbinary_put_u64(&push->rows, push->pair.trace);
    rowbinary_put_u64(&push->rows, push->pair.attempt);
    for (int i = 0; table->columns[i].name != NULL; i++) {
        const struct remote_column *column = &table->columns[i];

        if (!fits(column->type, sqlite3_column_type(row, i))) {
            return error_set(error,
                             "trace %s: %s.%s holds what it cannot hold; tracetool check says more",
                             push->trace->name, table->name, column->name);
        }
        put_value(&push->rows, row, i, column->type);
    }
    push->row_count++;
    return !push->rows.failed || error_no_memory(error);
}

/* --- sending ------------------------------------------------------------------------------------
 */

static bool flush(struct push *push, const struct remote_table *table, struct error *error) {
    bool done =
        push->dry || push->row_count == 0 || remote_insert(push->remote, table, &push->rows, error);

    push->outcome->rows += push->row_count;
    push->outcome->bytes += (int64_t)push->rows.length;
    push->row_count = 0;
    text_clear(&push->rows);
    return done;
}

static bool send_rows(struct push *push, const struct remote_table *table, sqlite3_stmt *rows,
                      struct content *content, struct error *error) {
    bool row = true;

    while (database_step(push->database, rows, &row, error)) {
        if (!row) {
            return flush(push, table, error);
        }
        if (!put_row(push, table, rows, error)) {
            return false;
        }
        content->rows++;
        content->sum += checksum_row(rows, table);
        if ((push->row_count == PUSH_MOST_ROWS || push->rows.length >= PUSH_MOST_BYTES) &&
            !flush(push, table, error)) {
            return false;
        }
    }
    return false;
}

static bool send_table(struct push *push, const struct remote_table *table, struct error *error) {
    struct content *content = &push->contents[table - remote_tables];
    sqlite3_stmt *rows = prepare_rows(push, table, error);
    bool done = rows != NULL && send_rows(push, table, rows, content, error);

    sqlite3_finalize(rows);
    return done;
}

/* All but the commit. */
static bool send_tables(struct push *push, struct error *error) {
    memset(push->contents, 0, sizeof push->contents);
    push->outcome->rows = push->outcome->bytes = 0;
    for (const struct remote_table *table = remote_tables + 1; table->name != NULL; table++) {
        if ((push->events || !table->of_events) && !send_table(push, table, error)) {
            return false;
        }
    }
    return true;
}

static bool send_commit(struct push *push, struct error *error) {
    const struct remote_table *table = &remote_tables[0];
    sqlite3_stmt *row = prepare_rows(push, table, error);
    struct content ignored = {0};
    bool done = row != NULL;

    if (done) {
        sqlite3_bind_text(row, OWN_HASH, push->identity.hash, -1, SQLITE_STATIC);
        sqlite3_bind_int64(row, OWN_CONTENT, (int64_t)contents_sum(push->contents, false));
        sqlite3_bind_int64(row, OWN_EVENT_CONTENT, (int64_t)contents_sum(push->contents, true));
        sqlite3_bind_int64(row, OWN_SENT_EVENTS, push->events);
        sqlite3_bind_int64(row, OWN_SCHEMA_VERSION, DATABASE_SCHEMA_VERSION);
        sqlite3_bind_int64(row, OWN_STORE_VERSION, REMOTE_STORE_VERSION);
        sqlite3_bind_int64(row, OWN_PUSHED, (int64_t)time(NULL));
        done = send_rows(push, table, row, &ignored, error);
    }
    sqlite3_finalize(row);
    return done;
}

/* --- one trace ----------------------------------------------------------------------------------
 */

/* Sends everything under a new number; `*right`: all of it arrived, once. */
static bool try_once(struct push *push, bool *right, struct error *error) {
    push->outcome->attempts++;
    return remote_attempt_make(&push->pair.attempt, push->events, error) &&
           send_tables(push, error) &&
           contents_arrived(push->remote, &push->pair, push->events, push->contents, right, error);
}

static bool send(struct push *push, struct error *error) {
    bool right = false;

    while (!right) {
        if (push->outcome->attempts == PUSH_MOST_ATTEMPTS) {
            return error_set(error,
                             "the store does not have what it was sent, after %d attempts; nothing "
                             "was committed",
                             PUSH_MOST_ATTEMPTS);
        }
        if (!try_once(push, &right, error)) {
            return false;
        }
    }
    if (time(NULL) - remote_attempt_second(push->pair.attempt) > PUSH_MOST_SECONDS) {
        return error_set(error, "it took longer than %d hours; nothing was committed",
                         PUSH_MOST_SECONDS / 3600);
    }
    push->outcome->result = PUSH_SENT;
    push->outcome->events = push->events;
    return send_commit(push, error);
}

/* The trace is there: whether it is the same. What stands in the tables of events is not compared:
 * names are in others. */
static bool compare(struct push *push, const struct remote_commit *there, struct error *error) {
    if (strcmp(there->hash, push->identity.hash) != 0) {
        return error_set(error,
                         "the store has another log with the same first half of its hash, %s",
                         there->hash);
    }
    if (there->events != push->trace->events) {
        return error_set(error,
                         "the store has this log with %lld events, not %lld, so it was imported "
                         "with other options; tracetool -d URL remove %s takes it out there",
                         (long long)there->events, (long long)push->trace->events, there->hash);
    }
    push->dry = true;
    push->events = false;
    if (!send_tables(push, error)) {
        return false;
    }
    push->outcome->result = contents_sum(push->contents, false) == there->content
                                ? PUSH_WAS_THERE
                                : PUSH_WAS_THERE_OTHERWISE;
    push->outcome->rows = push->outcome->bytes = 0;
    return true;
}

static bool push_or_compare(struct push *push, struct error *error) {
    struct remote_commits commits;
    const struct remote_commit *there;
    bool done;

    if (!remote_commits_load(&commits, push->remote, &push->identity.key, error)) {
        return false;
    }
    there = remote_commits_of(&commits, push->identity.key);
    done = there == NULL || (push->events && !there->sent_events &&
                             strcmp(there->hash, push->identity.hash) == 0 &&
                             there->events == push->trace->events)
               ? send(push, error)
               : compare(push, there, error);
    remote_commits_free(&commits);
    return done;
}

bool push_trace(struct remote *remote, struct database *database, const struct catalog_trace *trace,
                bool events, struct push_outcome *outcome, struct error *error) {
    struct push push = {.remote = remote,
                        .database = database,
                        .trace = trace,
                        .events = events,
                        .outcome = outcome};
    bool done;

    *outcome = (struct push_outcome){0};
    done = remote_identify(database, trace, &push.identity, error) && find_shifts(&push, error);
    push.pair.trace = push.identity.key;
    memcpy(outcome->hash, push.identity.hash, sizeof outcome->hash);
    done = done && push_or_compare(&push, error);
    text_free(&push.rows);
    return done || error_context(error, "trace %s", trace->name);
}
