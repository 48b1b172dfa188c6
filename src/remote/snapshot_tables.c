#include "remote/snapshot_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/words.h"
#include "remote/rowbinary.h"
#include "remote/statements.h"

/* --- sums of rollups -----------------------------------------------------------------------------
 */

/* Rollups of block I/O that the server adds up over many traces. */

/* A trace whose rows are added up. */
struct sums_trace {
    struct remote_pair pair;
    int64_t trace, action; /* trace.id and name.id of the action it counts; 0: it counts nothing */
    int64_t rows; /* found: that the store counts of the table, of any action; -1: not counted */
};

/* Whether rows of the table are counts by keys that are the same in all traces, once the action is
 * given. */
static bool sums_of_table(const struct remote_table *table) {
    return word_in("rollup_size rollup_block rollup_process rollup_letters", table->name);
}

/* A rollup that the server sums up. */
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
    sqlite3_stmt *insert;

    text_append_format(&sql, "INSERT INTO main.\"%s\" (trace, action", table->name);
    for (const struct remote_column *column = table->columns; column->name != NULL; column++) {
        if (remote_column_is_dimension(column)) {
            text_append_format(&sql, ", \"%s\"", column->name);
            text_append_string(&values, ", ?");
        }
    }
    text_append_format(&sql, ", count, bytes) VALUES (?, ?%s, ?, ?)", text_string(&values));
    insert = database_prepare(database, text_string(&sql), error);
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
    return done;
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

/* Asks for the sums of a table over these traces, those of one action together, and puts them into
 * the database's table of that name, each under a trace that is part of it, and its action. Sets
 * `rows` of those that count something. Sums of fewer rows than the store counts are an error.
 * `*fits`: they did; else some are beyond 64 bits, too many, or none, and nothing of use is there.
 */
static bool sums_take(struct remote *remote, struct database *database,
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
    sums.insert = prepare_insert(database, table, error);
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

/* --- names and rollups ---------------------------------------------------------------------------
 */

/* Tables that come for reports that read them; others with the first of a trace. */
static bool on_demand(const struct remote_table *table) {
    return word_in("object loggable", table->name) || strncmp(table->name, "rollup_", 7) == 0;
}

/* Tables whose ids reports keep close together, so that those of a trace go behind the last. */
static const enum transfer_id numbered[] = {TRANSFER_NAME, TRANSFER_ACTOR, TRANSFER_OBJECT};

enum { NUMBERED = sizeof numbered / sizeof numbered[0] };

static bool take_most(struct snapshot_trace *trace, enum transfer_id which, int64_t number) {
    trace->most[which] = number;
    return number >= 0 && number < INT32_MAX;
}

/* The largest id that each of these traces has in a table; nothing of those without rows there. */
static bool find_most_ids(struct store_snapshot *snapshot, enum transfer_id which,
                          const struct remote_pair *pairs, size_t count, struct error *error) {
    const struct remote_table *table = remote_table_find(transfer_table(which));
    struct remote_pair *some = snapshot_pairs_with_rows(snapshot, table, pairs, &count);
    struct text sql = {0};
    bool done = true;

    for (size_t at = 0; done && at < count; at += REMOTE_MOST_CHOSEN) {
        text_clear(&sql);
        remote_append_most_ids(&sql, snapshot->remote.address.database, table, some + at,
                               count - at < REMOTE_MOST_CHOSEN ? count - at : REMOTE_MOST_CHOSEN);
        done = snapshot_take_numbers(snapshot, &sql, take_most, which, error);
    }
    text_free(&sql);
    free(some);
    return done;
}

/* Ids in order of the traces, as if they had been imported one after another. */
static bool number_traces(struct store_snapshot *snapshot, const struct remote_pair *pairs,
                          size_t count, struct error *error) {
    for (size_t i = 0; i < NUMBERED; i++) {
        for (size_t at = 0; at < count; at++) {
            snapshot_find_trace(snapshot, &pairs[at])->most[numbered[i]] = 0;
        }
        if (!find_most_ids(snapshot, numbered[i], pairs, count, error)) {
            return false;
        }
        for (size_t at = 0; at < count; at++) {
            struct snapshot_trace *trace = snapshot_find_trace(snapshot, &pairs[at]);

            trace->shift[numbered[i]] = snapshot->next[numbered[i]];
            snapshot->next[numbered[i]] += trace->most[numbered[i]];
        }
    }
    return true;
}

/* Probes speak of names, which have their numbers only now. On the way no two have the same. */
static bool number_probes(struct store_snapshot *snapshot, const struct snapshot_trace *trace,
                          struct error *error) {
    return database_change(snapshot->database, error,
                           "UPDATE main.probe SET name = -name WHERE trace = ?1", "i", trace->id) &&
           database_change(snapshot->database, error,
                           "UPDATE main.probe SET name = ?2 - name WHERE trace = ?1", "ii",
                           trace->id, trace->shift[TRANSFER_NAME]);
}

/* Which of the traces `missing` says something of; `pairs` has room for all. */
static size_t choose_pairs(const struct store_snapshot *snapshot,
                           const struct database_wanted *wanted,
                           bool (*missing)(const struct snapshot_trace *trace, uint64_t bit),
                           uint64_t bit, struct remote_pair *pairs) {
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
    (void)bit;
    return !trace->numbered;
}

static bool is_not_fetched(const struct snapshot_trace *trace, uint64_t bit) {
    return (trace->fetched & bit) == 0;
}

/* Gives names their ids, in the same order whatever tables are fetched when. */
static bool begin_traces(struct store_snapshot *snapshot, const struct database_wanted *wanted,
                         struct remote_pair *pairs, struct error *error) {
    const size_t count = choose_pairs(snapshot, wanted, is_not_numbered, 0, pairs);
    bool done = count == 0 || number_traces(snapshot, pairs, count, error);

    for (size_t i = 0; done && i < count; i++) {
        struct snapshot_trace *trace = snapshot_find_trace(snapshot, &pairs[i]);

        done = number_probes(snapshot, trace, error) && snapshot_put_bounds(snapshot, trace, error);
        trace->numbered = true;
    }
    return done;
}

/* Whether the store has as many rows of a table as were pushed, of traces none of whose rows came:
 * it made sums of them, which do not tell. */
static bool check_there(struct store_snapshot *snapshot, const struct remote_table *table,
                        const struct sums_trace *traces, size_t count, struct error *error) {
    bool done = true;

    for (size_t i = 0; done && i < count; i++) {
        const struct snapshot_trace *trace = &snapshot->traces[traces[i].trace - 1];

        done = traces[i].rows < 0 ||
               snapshot_check_count(snapshot, table, trace, traces[i].rows, error);
    }
    return done;
}

/* Takes the sums of a table away, so that they are not counted beside the rows. */
static bool drop_sums(struct store_snapshot *snapshot, const struct remote_table *table,
                      struct error *error) {
    const uint64_t bit = snapshot_table_bit(table);
    struct text sql = {0};
    bool done = true;

    text_append_format(&sql, "DELETE FROM main.\"%s\" WHERE trace = ?1", table->name);
    for (size_t i = 0; done && i < snapshot->count; i++) {
        if ((snapshot->traces[i].summed & bit) != 0) {
            snapshot->traces[i].summed &= ~bit;
            done = database_change(snapshot->database, error, text_string(&sql), "i",
                                   snapshot->traces[i].id);
        }
    }
    text_free(&sql);
    return done;
}

/* Has a table added up by the store; `*fits`: sums are there. */
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
    done = sums_take(&snapshot->remote, snapshot->database, table, traces, wanted->count, fits,
                     error) &&
           (!*fits || check_there(snapshot, table, traces, wanted->count, error));
    free(traces);
    return done && (*fits || drop_sums(snapshot, table, error));
}

static bool fetch_table(struct store_snapshot *snapshot, const struct remote_table *table,
                        const struct database_wanted *wanted, struct remote_pair *pairs,
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
    done = snapshot_take_table(snapshot, table, pairs, count, error);
    for (size_t i = 0; done && i < count; i++) {
        snapshot_find_trace(snapshot, &pairs[i])->fetched |= bit;
    }
    return done;
}

bool snapshot_fetch_tables(struct store_snapshot *snapshot, const struct database_wanted *wanted,
                           struct remote_pair *pairs, struct error *error) {
    bool done = begin_traces(snapshot, wanted, pairs, error);

    for (const struct remote_table *table = remote_tables + 1; done && table->name != NULL;
         table++) {
        done =
            table->of_events || word_in(SNAPSHOT_AT_ONCE, table->name) ||
            (on_demand(table) && wanted->tables != NULL && !word_in(wanted->tables, table->name)) ||
            fetch_table(snapshot, table, wanted, pairs, error);
    }
    return done;
}
