#include "remote/push.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "copy/transfer.h"
#include "remote/commits.h"
#include "remote/rowbinary.h"
#include "store/trace_tables.h"
#include "base/memory.h"

/* Numbers of SQL parameters for columns of `trace` that only a store has (schema.c). They follow
 * the parameters of transfer.h. */
enum own_parameter {
    OWN_HASH = TRANSFER_OWN,
    OWN_CONTENT,
    OWN_EVENT_CONTENT,
    OWN_SENT_EVENTS,
    OWN_SCHEMA_VERSION,
    OWN_STORE_VERSION,
    OWN_PUSHED,
    OWN_ROWS,
};

/* Collected rows that are to be sent. A request may have rows of several traces. */
struct sender {
    struct remote *remote;     /* borrowed */
    struct database *database; /* borrowed */
    struct text rows[REMOTE_MOST_TABLES];
    int64_t row_counts[REMOTE_MOST_TABLES];
    size_t bytes; /* bytes of all collected rows */
    bool failed;  /* true: the store did not answer, so nothing more is sent */
};

/* State of sending a trace. */
struct push {
    struct sender *sender;             /* borrowed */
    const struct catalog_trace *trace; /* borrowed */
    struct remote_identity identity;
    struct upload_key pair; /* key of the rows: trace and number of this upload */
    bool events;
    bool dry; /* true: rows are only counted, not sent */
    int64_t shift[TRANSFER_IDS];
    struct content contents[REMOTE_MOST_TABLES]; /* by table: number and checksum of sent rows */
    struct push_outcome outcome;
};

/* --- reading the rows of a trace -------------------------------------------------------------- */

/* Sets `shift`, which is added to ids, so that the trace's smallest id in each table, and the id of
 * its first event, become 1. */
static bool find_id_shifts(struct push *push, struct error *error) {
    for (unsigned id = 0; id < TRANSFER_IDS; id++) {
        struct text sql = {0};
        int64_t least = push->trace->first_event;
        bool done = true;

        if (id != TRANSFER_EVENT && id != TRANSFER_TRACE) {
            text_append_format(&sql, "SELECT min(id) FROM \"%s\" WHERE trace = ?1",
                               transfer_table_name((enum transfer_id)id));
            done = database_query_integer(push->sender->database, text_string(&sql),
                                          push->trace->id, 1, &least, error);
            text_free(&sql);
        }
        if (!done) {
            return false;
        }
        if (__builtin_sub_overflow((int64_t)1, least, &push->shift[id])) {
            return error_set(error, "trace %s has invalid ids; see tracetool check",
                             push->trace->name);
        }
    }
    return true;
}

/* Prepares a statement that returns a trace's rows with the columns of the store's table. */
static sqlite3_stmt *prepare_rows(const struct push *push, const struct remote_table *table,
                                  struct error *error) {
    bool has_trace = table != &remote_tables[0] && !table->of_events;
    struct text sql = {0};
    sqlite3_stmt *rows;

    text_append_string(&sql, "SELECT ");
    for (const struct remote_column *column = table->columns; column->name != NULL; column++) {
        size_t length;

        text_append_string(&sql, column == table->columns ? "" : ", ");
        length = sql.length;
        if (column->sql != NULL) {
            text_append_string(&sql, column->sql);
        } else if (strcmp(column->name, "arguments") == 0) {
            text_append_string(&sql, "event_arguments(t.id, t.arguments)");
        } else {
            transfer_append_shifted(table->name, column->name, "", &sql);
        }
        if (sql.length == length) {
            text_append_format(&sql, "t.\"%s\"", column->name);
        }
    }
    text_append_format(&sql, " FROM main.\"%s\" AS t WHERE %s", table->name,
                       trace_rows_of(table->name, has_trace));
    rows = database_prepare_text(push->sender->database, &sql, error);
    if (rows != NULL) {
        sqlite3_bind_int64(rows, 1, push->trace->id);
        sqlite3_bind_int64(rows, 2, push->trace->first_event);
        sqlite3_bind_int64(rows, 3, push->trace->last_event);
        for (int id = 0; id < TRANSFER_IDS; id++) {
            sqlite3_bind_int64(rows, TRANSFER_FIRST_SHIFT + id, push->shift[id]);
        }
    }
    return rows;
}

/* Returns whether a column of the store can hold a value of this SQLite type. SQLite does not
 * enforce column types. */
static bool value_fits_column(enum remote_type type, int given) {
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

static void append_value(struct text *out, sqlite3_stmt *row, int at, enum remote_type type) {
    bool null = sqlite3_column_type(row, at) == SQLITE_NULL;

    if (remote_type_is_nullable(type)) {
        rowbinary_append_u8(out, null);
    }
    if (null) {
        return;
    }
    if (remote_type_is_text(type)) {
        const void *bytes = sqlite3_column_blob(row, at);

        rowbinary_append_text(out, bytes, (size_t)sqlite3_column_bytes(row, at));
    } else {
        rowbinary_append_u64(out, (uint64_t)sqlite3_column_int64(row, at));
    }
}

static bool push_check_row(const struct remote_table *table, sqlite3_stmt *row,
                           struct error *error) {
    for (int i = 0; table->columns[i].name != NULL; i++) {
        const struct remote_column *column = &table->columns[i];

        if (!value_fits_column(column->type, sqlite3_column_type(row, i))) {
            return error_set(error, "%s.%s has invalid contents; see tracetool check", table->name,
                             column->name);
        }
    }
    return true;
}

static void append_row(struct push *push, const struct remote_table *table, sqlite3_stmt *row) {
    struct text *rows = &push->sender->rows[table - remote_tables];
    size_t before = rows->length;

    rowbinary_append_u64(rows, push->pair.trace);
    rowbinary_append_u64(rows, push->pair.attempt);
    for (int i = 0; table->columns[i].name != NULL; i++) {
        append_value(rows, row, i, table->columns[i].type);
    }
    push->sender->row_counts[table - remote_tables]++;
    push->sender->bytes += rows->length - before;
    push->outcome.rows++;
    push->outcome.bytes += (int64_t)(rows->length - before);
}

/* --- sending rows that were collected --------------------------------------------------------- */

/* Sends all collected rows. */
static bool push_flush(struct sender *sender, struct error *error) {
    for (size_t i = 0; remote_tables[i].name != NULL; i++) {
        if (sender->row_counts[i] > 0 &&
            !remote_insert(sender->remote, &remote_tables[i], &sender->rows[i], error)) {
            sender->failed = true;
            return false;
        }
        sender->remote->patient |= sender->row_counts[i] > 0;
        sender->row_counts[i] = 0;
        text_clear(&sender->rows[i]);
    }
    sender->bytes = 0;
    return true;
}

static bool send_rows(struct push *push, const struct remote_table *table, sqlite3_stmt *rows,
                      struct content *content, struct error *error) {
    struct sender *sender = push->sender;
    bool row = true;

    while (database_step(sender->database, rows, &row, error)) {
        if (!row) {
            return true;
        }
        if (!push_check_row(table, rows, error)) {
            return false;
        }
        if (!push->dry) {
            append_row(push, table, rows);
        }
        content->rows++;
        content->sum += checksum_row(rows, table);
        if ((sender->row_counts[table - remote_tables] == PUSH_MOST_ROWS ||
             sender->bytes >= PUSH_MOST_BYTES) &&
            !push_flush(sender, error)) {
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

/* Sends the rows of all tables except `trace`, whose row commits the attempt (upload). */
static bool send_tables(struct push *push, struct error *error) {
    memset(push->contents, 0, sizeof push->contents);
    push->outcome.rows = push->outcome.bytes = 0;
    for (const struct remote_table *table = remote_tables + 1; table->name != NULL; table++) {
        if ((push->events || !table->of_events) && !send_table(push, table, error)) {
            return false;
        }
    }
    return true;
}

/* Appends the row of table `trace`, which commits the attempt (upload), to the collected rows. The
 * next push_flush() sends it. */
static bool append_commit(struct push *push, struct error *error) {
    const struct remote_table *table = &remote_tables[0];
    struct content ignored = {0};
    struct text counts = {0};
    sqlite3_stmt *row;
    bool done;

    if (time(NULL) - remote_attempt_second(push->pair.attempt) > PUSH_MOST_SECONDS) {
        return error_set(error, "it took longer than %d hours; nothing was committed",
                         PUSH_MOST_SECONDS / 3600);
    }
    push->outcome.result = PUSH_SENT;
    push->outcome.events = push->events;
    contents_append_rows(&counts, push->contents);
    row = prepare_rows(push, table, error);
    done = row != NULL;
    if (done) {
        sqlite3_bind_text(row, OWN_HASH, push->identity.hash, -1, SQLITE_STATIC);
        sqlite3_bind_int64(row, OWN_CONTENT, (int64_t)contents_sum(push->contents, false));
        sqlite3_bind_int64(row, OWN_EVENT_CONTENT, (int64_t)contents_sum(push->contents, true));
        sqlite3_bind_int64(row, OWN_SENT_EVENTS, push->events);
        sqlite3_bind_int64(row, OWN_SCHEMA_VERSION, DATABASE_SCHEMA_VERSION);
        sqlite3_bind_int64(row, OWN_STORE_VERSION, REMOTE_STORE_VERSION);
        sqlite3_bind_int64(row, OWN_PUSHED, (int64_t)time(NULL));
        sqlite3_bind_text(row, OWN_ROWS, text_string(&counts), -1, SQLITE_STATIC);
        done = send_rows(push, table, row, &ignored, error);
    }
    sqlite3_finalize(row);
    text_free(&counts);
    return done;
}

/* --- sending a trace -------------------------------------------------------------------------- */

/* Sends all rows of a trace with a new attempt number. Some stay collected until push_flush(). */
static bool send_attempt(struct push *push, struct error *error) {
    push->outcome.attempts++;
    return remote_attempt_make(&push->pair.attempt, push->events, error) &&
           send_tables(push, error);
}

/* Asks the server if it has all sent rows exactly once; sets `right` of each arrival. */
static bool verify_arrivals(struct sender *sender, struct arrival *arrivals, size_t count,
                            bool events, struct error *error) {
    sender->failed = !contents_query(sender->remote, arrivals, count, events, error);
    return !sender->failed;
}

/* Sends a trace again, in requests of its own, because stored rows differ from sent rows. */
static bool send_again(struct push *push, struct error *error) {
    struct arrival arrival = {.sent = push->contents};

    while (!arrival.right) {
        if (push->outcome.attempts == PUSH_MOST_ATTEMPTS) {
            return error_set(
                error, "the store lost the data in each of %d attempts; nothing was committed",
                PUSH_MOST_ATTEMPTS);
        }
        if (!send_attempt(push, error) || !push_flush(push->sender, error)) {
            return false;
        }
        arrival.pair = push->pair;
        if (!verify_arrivals(push->sender, &arrival, 1, push->events, error)) {
            return false;
        }
    }
    return append_commit(push, error);
}

/* Sets `same`: whether the stored trace has the same rows. File paths and compression of the log do
 * not matter; the hash covers the files' contents. */
static bool push_is_same(struct push *push, const struct remote_commit *there, bool *same,
                         struct error *error) {
    const size_t source = (size_t)(remote_table_find("source") - remote_tables);
    struct arrival arrival = {.pair = there->pair, .sent = push->contents};

    *same = contents_sum(push->contents, false) == there->content;
    if (*same) {
        return true;
    }
    if (!verify_arrivals(push->sender, &arrival, 1, false, error)) {
        return false;
    }
    /* Compares the stored rows with the checksum in their commit first, so that damaged rows are
     * never equal. */
    if (contents_sum(arrival.there, false) == there->content) {
        push->contents[source].sum = arrival.there[source].sum;
        *same = contents_sum(push->contents, false) == there->content;
    }
    return true;
}

/* Compares a trace with the stored one. Of events, compares only their number; texts that events
 * refer to are in other tables, which are compared. */
static bool push_compare(struct push *push, const struct remote_commit *there,
                         struct error *error) {
    bool same;

    if (strcmp(there->hash, push->identity.hash) != 0) {
        return error_set(error,
                         "the store has another log whose hash begins with the same half, %s",
                         there->hash);
    }
    if (there->events != push->trace->events) {
        return error_set(error,
                         "the store has this log with %lld events, not %lld, so it was imported "
                         "with other options; tracetool -d URL remove %s removes it there",
                         (long long)there->events, (long long)push->trace->events, there->hash);
    }
    push->dry = true;
    push->events = false;
    if (!send_tables(push, error) || !push_is_same(push, there, &same, error)) {
        return false;
    }
    push->outcome.result = same ? PUSH_WAS_THERE : PUSH_WAS_THERE_OTHERWISE;
    push->outcome.rows = push->outcome.bytes = 0;
    return true;
}

/* Sends the trace without committing it; if the store already has it, compares both instead. */
static bool send_or_compare(struct push *push, struct error *error) {
    struct remote_commits commits;
    const struct remote_commit *there;
    bool done;

    if (!remote_commits_load(&commits, push->sender->remote, &push->identity.key, error)) {
        push->sender->failed = true;
        return false;
    }
    there = remote_commits_find_valid(&commits, push->identity.key);
    done = there == NULL || (push->events && !there->sent_events &&
                             strcmp(there->hash, push->identity.hash) == 0 &&
                             there->events == push->trace->events)
               ? send_attempt(push, error)
               : push_compare(push, there, error);
    remote_commits_free(&commits);
    return done;
}

/* --- sending several traces ------------------------------------------------------------------- */

/* Traces that were sent but not committed yet. */
struct batch {
    struct sender sender;
    struct push *pushes; /* owned; room for PUSH_MOST_TRACES */
    size_t count;
    struct arrival *arrivals; /* owned; one for each push */
    bool events;
    const struct push_listener *listener; /* borrowed */
};

/* Asks the server which rows it has of the batch's traces, in the order of the batch. */
static bool verify_batch(struct batch *batch, struct arrival *arrivals, struct error *error) {
    size_t count = 0;

    for (size_t i = 0; i < batch->count; i++) {
        const struct push *push = &batch->pushes[i];

        if (!push->dry) {
            arrivals[count++] = (struct arrival){.pair = push->pair, .sent = push->contents};
        }
    }
    return count == 0 || verify_arrivals(&batch->sender, arrivals, count, batch->events, error);
}

/* Appends, to the collected rows, the commits of the traces that arrived completely; sends others
 * again. After a failure, only the traces before it stay in the batch. */
static bool append_commits(struct batch *batch, struct error *error) {
    const struct arrival *arrival = batch->arrivals;

    if (!verify_batch(batch, batch->arrivals, error)) {
        return false;
    }
    for (size_t i = 0; i < batch->count; i++) {
        struct push *push = &batch->pushes[i];
        bool right = push->dry || (arrival++)->right;

        if (!push->dry && !(right ? append_commit(push, error) : send_again(push, error))) {
            batch->count = i;
            return error_context(error, "trace %s", push->trace->name);
        }
    }
    return true;
}

/* Sends all collected rows, commits the traces that arrived completely, and reports the results. If
 * a trace failed, those before it are still committed. Empties the batch. */
static bool commit_batch(struct batch *batch, struct error *error) {
    bool done = push_flush(&batch->sender, error) && append_commits(batch, error);
    bool sent = !batch->sender.failed;
    struct error committing = {0};

    if (sent && !push_flush(&batch->sender, &committing)) {
        *error = done ? committing : *error;
        sent = done = false;
    }
    for (size_t i = 0; sent && i < batch->count; i++) {
        batch->listener->take(batch->listener->context, batch->pushes[i].trace,
                              &batch->pushes[i].outcome);
    }
    batch->count = 0;
    return done;
}

/* Returns whether the trace is in the batch. A database may contain a log twice; then the first
 * trace must be committed before the store is asked for the second. */
static bool is_in_batch(const struct batch *batch, uint64_t key) {
    for (size_t i = 0; i < batch->count; i++) {
        if (batch->pushes[i].identity.key == key) {
            return true;
        }
    }
    return false;
}

static bool add_push(struct batch *batch, const struct catalog_trace *trace, struct error *error) {
    struct remote_identity identity;
    struct push *push;

    if (!remote_identify(batch->sender.database, trace, &identity, error) ||
        ((batch->count == PUSH_MOST_TRACES || is_in_batch(batch, identity.key)) &&
         !commit_batch(batch, error))) {
        return false;
    }
    push = &batch->pushes[batch->count];
    *push = (struct push){
        .sender = &batch->sender, .trace = trace, .events = batch->events, .identity = identity};
    push->pair.trace = identity.key;
    memcpy(push->outcome.hash, identity.hash, sizeof push->outcome.hash);
    if (!find_id_shifts(push, error) || !send_or_compare(push, error)) {
        return error_context(error, "trace %s", trace->name);
    }
    batch->count++;
    return true;
}

bool push_traces(struct remote *remote, struct database *database,
                 const struct catalog_trace *const *traces, size_t count, bool events,
                 const struct push_listener *listener, struct error *error) {
    struct batch batch = {.sender = {.remote = remote, .database = database},
                          .pushes = xcalloc(PUSH_MOST_TRACES, sizeof(struct push)),
                          .arrivals = xcalloc(PUSH_MOST_TRACES, sizeof(struct arrival)),
                          .events = events,
                          .listener = listener};
    bool done = true;
    struct error committing = {0};

    for (size_t i = 0; done && i < count; i++) {
        done = add_push(&batch, traces[i], error);
    }
    /* If a trace failed, the traces sent before it are still committed. */
    if (!batch.sender.failed && batch.count > 0 && !commit_batch(&batch, &committing)) {
        *error = done ? committing : *error;
        done = false;
    }
    for (size_t i = 0; i < REMOTE_MOST_TABLES; i++) {
        text_free(&batch.sender.rows[i]);
    }
    free(batch.pushes);
    free(batch.arrivals);
    return done;
}
