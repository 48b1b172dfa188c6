#include "remote/sums.h"

#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "remote/rowbinary.h"

bool sums_of_table(const struct remote_table *table) {
    return word_in("rollup_size rollup_block rollup_process rollup_letters", table->name);
}

/* A table of which sums are taken. */
struct sums {
    struct remote *remote;
    struct database *database;
    const struct remote_table *table;
    sqlite3_stmt *insert, *find; /* owned; a row; the letters of an action */
    struct text letters;         /* of the action in hand */
};

/* INSERT of trace and action, the keys, count and bytes. */
static sqlite3_stmt *prepare_insert(struct database *database, const struct remote_table *table,
                                    struct error *error) {
    struct text sql = {0}, values = {0};
    sqlite3_stmt *insert = NULL;

    text_append_format(&sql, "INSERT INTO main.\"%s\" (trace, action", table->name);
    for (const struct remote_column *column = table->columns; column->name != NULL; column++) {
        if (remote_column_is_dimension(column)) {
            text_append_format(&sql, ", \"%s\"", column->name);
            text_append_string(&values, ", ?");
        }
    }
    text_append_format(&sql, ", count, bytes) VALUES (?, ?%s, ?, ?)", text_string(&values));
    if (sql.failed || values.failed) {
        error_no_memory(error);
    } else {
        insert = database_prepare(database, text_string(&sql), error);
    }
    text_free(&sql);
    text_free(&values);
    return insert;
}

/* Takes the two sums of one column and binds what they are together; false when that is beyond 64
 * bits. NULL is the sum of nothing but NULLs. */
static bool take_sum(struct rowbinary_reader *reader, sqlite3_stmt *insert, int parameter) {
    const bool upper_null = rowbinary_null(reader);
    const int64_t upper = upper_null ? 0 : rowbinary_i64(reader);
    const bool lower_null = rowbinary_null(reader);
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

/* Takes a row; `*fits`: its sums did. */
static bool take_row(struct rowbinary_reader *reader, const struct remote_table *table,
                     const struct sums_trace *under, sqlite3_stmt *insert, bool *fits) {
    int parameter = 2;

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
    *fits = take_sum(reader, insert, parameter + 1) && take_sum(reader, insert, parameter + 2);
    return !reader->failed;
}

/* Asks for the sums over a group, which stand under its first trace. */
static bool take_group(struct sums *sums, const struct remote_pair *pairs, size_t count,
                       const struct sums_trace *first, bool *fits, struct error *error) {
    struct text sql = {0}, answer = {0};
    struct rowbinary_reader reader;
    int64_t rows = 0;
    bool done;

    remote_append_group(&sql, sums->remote->address.database, sums->table, pairs, count,
                        text_string(&sums->letters));
    done = remote_ask(sums->remote, &sql, REMOTE_LARGE_ANSWER, &answer, error);
    reader = rowbinary_reader(&answer);
    if (!done && sums->remote->overflowed) {
        /* Rows can be asked for of fewer traces. */
        *error = (struct error){0};
        *fits = false;
        done = true;
    }
    while (done && *fits && rowbinary_more(&reader)) {
        done = take_row(&reader, sums->table, first, sums->insert, fits) ||
               remote_misanswered(sums->remote, error);
        done = done && (!*fits || database_execute(sums->database, sums->insert, error));
        rows++;
    }
    done = done && (!*fits || !reader.failed || remote_misanswered(sums->remote, error));
    /* How many groups there are nobody knows, but of an action that is counted there are some; the
     * rows of each trace are counted. */
    *fits = *fits && rows > 0;
    text_free(&sql);
    text_free(&answer);
    return done;
}

/* The letters of an action, which are looked up once for all traces that have them. */
static bool find_letters(struct sums *sums, int64_t action, struct text *letters,
                         struct error *error) {
    bool row, done;

    text_clear(letters);
    sqlite3_bind_int64(sums->find, 1, action);
    done = database_step(sums->database, sums->find, &row, error);
    if (done && row) {
        text_append_string(letters, (const char *)sqlite3_column_text(sums->find, 0));
    }
    sqlite3_reset(sums->find);
    return done && (!letters->failed || error_no_memory(error));
}

/* Takes the sums of the action of the first trace that `taken` does not have. */
static bool take_next(struct sums *sums, const struct sums_trace *traces, size_t count,
                      size_t first, bool *taken, struct remote_pair *pairs, bool *fits,
                      struct error *error) {
    struct text letters = {0};
    size_t chosen = 0;
    bool done = find_letters(sums, traces[first].action, &sums->letters, error);

    for (size_t i = first; done && i < count && chosen < REMOTE_MOST_CHOSEN; i++) {
        if (taken[i]) {
            continue;
        }
        done = find_letters(sums, traces[i].action, &letters, error);
        if (done && strcmp(text_string(&letters), text_string(&sums->letters)) == 0) {
            pairs[chosen++] = traces[i].pair;
            taken[i] = true;
        }
    }
    done = done && take_group(sums, pairs, chosen, &traces[first], fits, error);
    text_free(&letters);
    return done;
}

bool sums_take(struct remote *remote, struct database *database, const struct remote_table *table,
               const struct sums_trace *traces, size_t count, bool *fits, struct error *error) {
    struct sums sums = {.remote = remote, .database = database, .table = table};
    struct remote_pair *pairs = calloc(count + 1, sizeof *pairs);
    bool *taken = calloc(count + 1, sizeof *taken);
    bool done = (pairs != NULL && taken != NULL) || error_no_memory(error);

    *fits = true;
    sums.insert = done ? prepare_insert(database, table, error) : NULL;
    sums.find = sums.insert != NULL
                    ? database_prepare(database, "SELECT text FROM main.name WHERE id = ?1", error)
                    : NULL;
    done = sums.find != NULL;
    for (size_t i = 0; done && *fits && i < count; i++) {
        done = taken[i] || traces[i].action == 0 ||
               take_next(&sums, traces, count, i, taken, pairs, fits, error);
    }
    sqlite3_finalize(sums.insert);
    sqlite3_finalize(sums.find);
    text_free(&sums.letters);
    free(pairs);
    free(taken);
    return done;
}
