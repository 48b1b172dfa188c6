#include "remote/sums.h"

#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "remote/rowbinary.h"
#include "base/memory.h"

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
    struct remote_pair *pairs;   /* owned; of the traces that are added up, `chosen` of them */
    struct sums_trace **of_pair; /* owned; those */
    size_t chosen;
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

/* Takes a row, and adds the rows that it is the sum of to `*rows`; `*fits`: its sums did. */
static bool take_row(struct rowbinary_reader *reader, const struct remote_table *table,
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
    *fits = take_sum(reader, insert, parameter + 1) && take_sum(reader, insert, parameter + 2);
    return !reader->failed && count > 0 && !__builtin_add_overflow(*rows, count, rows);
}

static int by_pair(const void *left, const void *right) {
    return remote_pair_compare(&(*(struct sums_trace *const *)left)->pair,
                               &(*(struct sums_trace *const *)right)->pair);
}

/* Counts the rows of the chosen traces; `*of_action`: of the action in hand. */
static bool count_rows(struct sums *sums, int64_t *of_action, struct error *error) {
    struct text sql = {0}, answer = {0};
    struct rowbinary_reader reader;
    bool done;

    remote_append_row_counts(&sql, sums->remote->address.database, sums->table, sums->pairs,
                             sums->chosen, text_string(&sums->letters));
    done = remote_ask(sums->remote, &sql, REMOTE_LARGE_ANSWER, &answer, error);
    qsort(sums->of_pair, sums->chosen, sizeof(struct sums_trace *), by_pair);
    *of_action = 0;
    reader = rowbinary_reader(&answer);
    while (done && rowbinary_more(&reader)) {
        struct sums_trace sought = {.pair = remote_pair_take(&reader)}, *key = &sought;
        struct sums_trace **found =
            bsearch(&key, sums->of_pair, sums->chosen, sizeof(struct sums_trace *), by_pair);
        const int64_t rows = rowbinary_i64(&reader), some = rowbinary_i64(&reader);

        done = (found != NULL && rows >= 0 && some >= 0 &&
                !__builtin_add_overflow(*of_action, some, of_action)) ||
               remote_misanswered(sums->remote, error);
        if (done) {
            (*found)->rows = rows;
        }
    }
    done = done && (!reader.failed || remote_misanswered(sums->remote, error));
    text_free(&sql);
    text_free(&answer);
    return done;
}

/* Whether the sums are of all rows of the action that these traces have, whose number is asked for
 * by itself: a sum does not tell of others that are missing. */
static bool check_all(struct sums *sums, int64_t rows, struct error *error) {
    int64_t of_action;

    for (size_t i = 0; i < sums->chosen; i++) {
        sums->of_pair[i]->rows = 0;
    }
    return count_rows(sums, &of_action, error) &&
           (rows == of_action ||
            error_set(error,
                      "%s: it gave sums of %s rows of %s than it counts; tracetool store check "
                      "says more",
                      sums->remote->address.shown, rows < of_action ? "fewer" : "more",
                      sums->table->name));
}

/* Asks for the sums over the chosen traces, which stand under the first of these. */
static bool take_group(struct sums *sums, const struct sums_trace *first, bool *fits,
                       struct error *error) {
    struct text sql = {0}, answer = {0};
    struct rowbinary_reader reader;
    int64_t rows = 0;
    bool done;

    remote_append_group(&sql, sums->remote->address.database, sums->table, sums->pairs,
                        sums->chosen, text_string(&sums->letters));
    done = remote_ask(sums->remote, &sql, REMOTE_LARGE_ANSWER, &answer, error);
    reader = rowbinary_reader(&answer);
    if (!done && sums->remote->overflowed) {
        /* Rows can be asked for of fewer traces. */
        *error = (struct error){0};
        *fits = false;
        done = true;
    }
    while (done && *fits && rowbinary_more(&reader)) {
        done = take_row(&reader, sums->table, first, sums->insert, &rows, fits) ||
               remote_misanswered(sums->remote, error);
        done = done && (!*fits || database_execute(sums->database, sums->insert, error));
    }
    done = done && (!*fits || !reader.failed || remote_misanswered(sums->remote, error));
    /* Of an action that is counted there are some. */
    *fits = *fits && rows > 0;
    text_free(&sql);
    text_free(&answer);
    return done && (!*fits || check_all(sums, rows, error));
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
static bool take_next(struct sums *sums, struct sums_trace *traces, size_t count, size_t first,
                      bool *taken, bool *fits, struct error *error) {
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
    done = done && take_group(sums, &traces[first], fits, error);
    text_free(&letters);
    return done;
}

bool sums_take(struct remote *remote, struct database *database, const struct remote_table *table,
               struct sums_trace *traces, size_t count, bool *fits, struct error *error) {
    struct sums sums = {
        .remote = remote,
        .database = database,
        .table = table,
        .pairs = xcalloc(count + 1, sizeof *sums.pairs),
        .of_pair = xcalloc(count + 1, sizeof(struct sums_trace *)),
    };
    bool *taken = xcalloc(count + 1, sizeof *taken);
    bool done =
        (sums.pairs != NULL && sums.of_pair != NULL && taken != NULL) || error_no_memory(error);

    *fits = true;
    sums.insert = done ? prepare_insert(database, table, error) : NULL;
    sums.find = sums.insert != NULL
                    ? database_prepare(database, "SELECT text FROM main.name WHERE id = ?1", error)
                    : NULL;
    done = sums.find != NULL;
    for (size_t i = 0; done && *fits && i < count; i++) {
        traces[i].rows = traces[i].action == 0 ? -1 : traces[i].rows;
        done = taken[i] || traces[i].action == 0 ||
               take_next(&sums, traces, count, i, taken, fits, error);
    }
    sqlite3_finalize(sums.insert);
    sqlite3_finalize(sums.find);
    text_free(&sums.letters);
    free(sums.pairs);
    free(sums.of_pair);
    free(taken);
    return done;
}
