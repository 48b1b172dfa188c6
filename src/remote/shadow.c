#include "remote/shadow.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "copy/transfer.h"
#include "remote/commits.h"
#include "remote/contents.h"
#include "remote/event_part.h"
#include "remote/rowbinary.h"
#include "remote/statements.h"
#include "remote/sums.h"

/* No table of one trace has more rows. */
#define MOST_ROWS ((int64_t)1 << 40)

/* Tables that are there from the beginning, behind `trace`. */
static const char at_once[] = "source ledger remark meaning map probe";

/* Tables that come for reports that read them; others with the first of a trace. */
static bool on_demand(const struct remote_table *table) {
    return word_in("object loggable", table->name) || strncmp(table->name, "rollup_", 7) == 0;
}

struct shadow_trace {
    struct remote_pair pair;
    int64_t id;               /* trace.id of the database */
    struct trace_label label; /* borrowed from the commits */
    bool sent_events;
    int64_t rows;                     /* events */
    int64_t most[TRANSFER_IDS];       /* largest ids in the store; MOST_ROWS: not known yet */
    int64_t shift[TRANSFER_IDS];      /* what is added to them */
    bool numbered;                    /* names have ids, and may be fetched */
    uint64_t fetched;                 /* bit set of places in remote_tables; beside `at_once` */
    uint64_t summed;                  /* likewise, of those whose rows are part of sums */
    int64_t part_rows;                /* events of a part that is there */
    bool counted;                     /* its commit says how many rows there are */
    int64_t left[REMOTE_MOST_TABLES]; /* of them, those that have not come */
};

struct shadow {
    struct remote remote;
    struct database *database;     /* borrowed */
    struct database_source source; /* what the database is given of this */
    struct remote_commits commits; /* as they were when it was opened */
    struct shadow_trace *traces;   /* owned; in order of id, from 1 on */
    struct shadow_trace **sorted;  /* owned; in order of their pairs */
    size_t count;
    int64_t most_rows, rows;    /* events that may be fetched, and that are */
    int64_t next[TRANSFER_IDS]; /* how many ids are used */
};

/* --- rows of an answer into a table -------------------------------------------------------------
 */

/* Rows of one table on their way. */
struct transfer_in {
    struct shadow *shadow;
    const struct remote_table *table;
    sqlite3_stmt *insert; /* owned */
    int64_t rows;         /* that came */
};

static bool by_trace(const struct remote_table *table) {
    return strcmp(table->name, "trace") != 0 && !table->of_events;
}

/* INSERT of trace, where the table has it, and of all columns that SQLite's has. */
static bool prepare_insert(struct transfer_in *in, struct error *error) {
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
    in->insert = sql.failed || values.failed
                     ? NULL
                     : database_prepare(in->shadow->database, text_string(&sql), error);
    if (sql.failed || values.failed) {
        error_no_memory(error);
    }
    text_free(&sql);
    text_free(&values);
    return in->insert != NULL;
}

/* An id of the store as the database has it. 0 stands for nothing, but with events: their first is
 * 1. What is no id of a trace cannot be the answer. */
static bool shift_id(const struct shadow_trace *trace, enum transfer_id which, int64_t *id) {
    if (*id < 0 || *id > MOST_ROWS || *id > trace->most[which]) {
        return false;
    }
    *id = *id == 0 ? 0 : *id + trace->shift[which];
    return true;
}

/* Takes a value, and binds it unless `parameter` is 0. */
static bool take_value(struct rowbinary_reader *reader, const struct remote_table *table,
                       const struct remote_column *column, const struct shadow_trace *trace,
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
static bool take_counts(struct rowbinary_reader *reader, struct shadow_trace *trace) {
    size_t length;
    const char *bytes = rowbinary_text(reader, &length);

    return contents_parse_rows(bytes, length, trace->left, &trace->counted);
}

/* Takes all but the keys of a row. */
static bool take_row(struct transfer_in *in, struct rowbinary_reader *reader,
                     struct shadow_trace *trace, struct error *error) {
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
        return remote_misanswered(&in->shadow->remote, error);
    }
    in->rows++;
    return database_execute(in->shadow->database, in->insert, error);
}

static int by_pair(const void *left, const void *right) {
    return remote_pair_compare(&(*(const struct shadow_trace *const *)left)->pair,
                               &(*(const struct shadow_trace *const *)right)->pair);
}

static struct shadow_trace *find_trace(const struct shadow *shadow,
                                       const struct remote_pair *pair) {
    const struct shadow_trace sought = {.pair = *pair}, *key = &sought;
    struct shadow_trace **found =
        shadow->count == 0
            ? NULL
            : bsearch(&key, shadow->sorted, shadow->count, sizeof(struct shadow_trace *), by_pair);

    return found == NULL ? NULL : *found;
}

/* Asks, and puts the rows into the table. */
static bool take_answer(struct transfer_in *in, const struct text *sql, struct error *error) {
    struct text answer = {0};
    struct rowbinary_reader reader;
    bool done = remote_ask(&in->shadow->remote, sql, REMOTE_LARGE_ANSWER, &answer, error);

    reader = rowbinary_reader(&answer);
    while (done && rowbinary_more(&reader)) {
        struct remote_pair pair = remote_pair_take(&reader);
        struct shadow_trace *trace;

        trace = find_trace(in->shadow, &pair);
        done = trace != NULL ? take_row(in, &reader, trace, error)
                             : remote_misanswered(&in->shadow->remote, error);
    }
    done = done && (!reader.failed || remote_misanswered(&in->shadow->remote, error));
    text_free(&answer);
    return done;
}

/* Says that rows are missing, or too many. Always false. */
static bool miscounted(const struct shadow *shadow, const struct remote_table *table,
                       const struct shadow_trace *trace, bool fewer, struct error *error) {
    return error_set(error,
                     "%s: it gave %s rows of %s of trace %s than were pushed; tracetool store "
                     "check says more",
                     shadow->remote.address.shown, fewer ? "fewer" : "more", table->name,
                     trace->label.name);
}

/* Whether there are as many rows as were pushed: `rows` are those that came or are counted of the
 * rows that were left. */
static bool check_count(const struct shadow *shadow, const struct remote_table *table,
                        const struct shadow_trace *trace, int64_t rows, struct error *error) {
    const int64_t left = trace->left[table - remote_tables];

    return !trace->counted || left == rows || miscounted(shadow, table, trace, left > rows, error);
}

/* Whether as many rows came as were pushed. */
static bool check_rows(const struct shadow *shadow, const struct remote_table *table,
                       const struct shadow_trace *trace, struct error *error) {
    return check_count(shadow, table, trace, 0, error);
}

/* All rows that a table has of the traces, as many traces at a time as an answer has room for. */
static bool take_rows(struct shadow *shadow, const struct remote_table *table,
                      const struct remote_pair *pairs, size_t count, struct error *error) {
    struct transfer_in in = {.shadow = shadow, .table = table};
    struct text sql = {0};
    size_t most = REMOTE_MOST_CHOSEN, at = 0;
    bool done = prepare_insert(&in, error);

    while (done && at < count) {
        size_t some = count - at < most ? count - at : most;

        text_clear(&sql);
        remote_append_select(&sql, shadow->remote.address.database, table, pairs + at, some);
        done = take_answer(&in, &sql, error);
        if (done) {
            at += some;
        } else if (shadow->remote.overflowed && some > 1) {
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

/* Whether rows of a table are to come, or may. Of others nobody asks: a statement takes the server
 * some 0.1 ms for each trace that it names. */
static bool has_left(const struct shadow_trace *trace, const struct remote_table *table) {
    return !trace->counted || trace->left[table - remote_tables] != 0;
}

/* Those of the pairs whose traces have rows of the table, into an array of the caller's; NULL with
 * `error` set without memory. */
static struct remote_pair *pairs_with_rows(const struct shadow *shadow,
                                           const struct remote_table *table,
                                           const struct remote_pair *pairs, size_t *count,
                                           struct error *error) {
    struct remote_pair *some = calloc(*count + 1, sizeof *some);
    size_t kept = 0;

    if (some == NULL) {
        error_no_memory(error);
        return NULL;
    }
    for (size_t i = 0; i < *count; i++) {
        if (has_left(find_trace(shadow, &pairs[i]), table)) {
            some[kept++] = pairs[i];
        }
    }
    *count = kept;
    return some;
}

/* All of a table that these traces were pushed with. */
static bool take_table(struct shadow *shadow, const struct remote_table *table,
                       const struct remote_pair *pairs, size_t count, struct error *error) {
    struct remote_pair *some = pairs_with_rows(shadow, table, pairs, &count, error);
    bool done = some != NULL && take_rows(shadow, table, some, count, error);

    for (size_t i = 0; done && i < count; i++) {
        done = check_rows(shadow, table, find_trace(shadow, &some[i]), error);
    }
    free(some);
    return done;
}

/* --- events -------------------------------------------------------------------------------------
 */

static bool is_event(const struct remote_table *table) {
    return strcmp(table->name, "event") == 0;
}

/* The rows of a table of events that belong to the part, by ranges of ids, so that no answer is
 * large; `*rows`: how many came. */
static bool take_event_rows(struct shadow *shadow, const struct remote_table *table,
                            const struct shadow_trace *trace, const struct event_part *part,
                            int64_t *rows, struct error *error) {
    struct transfer_in in = {.shadow = shadow, .table = table};
    struct remote_range range;
    struct text sql = {0};
    bool done = prepare_insert(&in, error);

    for (int64_t first = part->low; done && first <= part->high; first = range.last + 1) {
        range = event_part_range(part, is_event(table), first);
        text_clear(&sql);
        remote_append_select_range(&sql, shadow->remote.address.database, table, &trace->pair,
                                   &range);
        done = take_answer(&in, &sql, error);
    }
    *rows = in.rows;
    text_free(&sql);
    sqlite3_finalize(in.insert);
    return done;
}

/* All rows of such a table. */
static bool take_event_table(struct shadow *shadow, const struct remote_table *table,
                             const struct shadow_trace *trace, struct error *error) {
    const struct event_part all = {.low = 1, .high = trace->rows, .rows = trace->rows};
    int64_t rows;

    return take_event_rows(shadow, table, trace, &all, &rows, error) &&
           check_rows(shadow, table, trace, error) &&
           (!is_event(table) || rows == trace->rows || remote_misanswered(&shadow->remote, error));
}

/* Those of the part; of the rest the store says how many there are. */
static bool take_event_part(struct shadow *shadow, const struct remote_table *table,
                            struct shadow_trace *trace, const struct event_part *part,
                            struct error *error) {
    int64_t *left = &trace->left[table - remote_tables], pushed = *left, rows;
    int64_t total = part->total, matching = part->rows;
    bool done =
        (is_event(table) ||
         event_part_count(&shadow->remote, table, &trace->pair, part, &total, &matching, error)) &&
        check_count(shadow, table, trace, total, error) &&
        (!is_event(table) || total == trace->rows || remote_misanswered(&shadow->remote, error)) &&
        take_event_rows(shadow, table, trace, part, &rows, error) &&
        (rows == matching || miscounted(shadow, table, trace, rows < matching, error));

    /* All of them may be asked for yet. */
    *left = pushed;
    return done;
}

/* The first and the last stand in place of all, for those who ask when a trace began and ended. */
static bool put_bounds(struct shadow *shadow, const struct shadow_trace *trace,
                       struct error *error) {
    return trace->rows == 0 ||
           database_change(shadow->database, error,
                           "INSERT OR IGNORE INTO main.event (id, time) SELECT e.id, e.time FROM"
                           " (SELECT first_event AS id, first_time AS time FROM main.trace"
                           "  WHERE id = ?1 UNION SELECT last_event, last_time FROM main.trace"
                           "  WHERE id = ?1 AND last_event > first_event) AS e",
                           "i", trace->id);
}

/* Which bit of `fetched` says that a table is there. */
static uint64_t table_bit(const struct remote_table *table) {
    return UINT64_C(1) << (table - remote_tables);
}

/* That of all tables of events. */
static uint64_t events_bit(void) {
    return table_bit(remote_table_find("event"));
}

/* Takes away what is there of the events: the first and the last, or a part. */
static bool clear_events(struct shadow *shadow, struct shadow_trace *trace, struct error *error) {
    bool done = true;

    for (const struct remote_table *table = remote_tables; done && table->name != NULL; table++) {
        struct text sql = {0};

        if (!table->of_events) {
            continue;
        }
        text_append_format(&sql, "DELETE FROM main.\"%s\" WHERE %s BETWEEN ?1 AND ?2", table->name,
                           is_event(table) ? "id" : "event");
        done = sql.failed ? error_no_memory(error)
                          : database_change(shadow->database, error, text_string(&sql), "ii",
                                            trace->shift[TRANSFER_EVENT] + 1,
                                            trace->shift[TRANSFER_EVENT] + trace->rows);
        text_free(&sql);
    }
    shadow->rows -= trace->part_rows;
    trace->part_rows = 0;
    return done;
}

/* Fetches the events, or a part of them, in place of what is there. */
static bool fetch_events(struct shadow *shadow, struct shadow_trace *trace,
                         const struct event_part *part, struct error *error) {
    const bool some = part->some;
    bool done = clear_events(shadow, trace, error), right = true;

    for (const struct remote_table *table = remote_tables; done && table->name != NULL; table++) {
        if (table->of_events && (is_event(table) || has_left(trace, table))) {
            done = some ? take_event_part(shadow, table, trace, part, error)
                        : take_event_table(shadow, table, trace, error);
        }
    }
    if (done && some) {
        trace->part_rows = part->rows;
        done =
            event_part_check(shadow->database, part, trace->shift[TRANSFER_EVENT], &right, error) &&
            (right || remote_misanswered(&shadow->remote, error)) &&
            put_bounds(shadow, trace, error);
    } else if (done) {
        trace->fetched |= events_bit();
    }
    shadow->rows += !done ? 0 : some ? part->rows : trace->rows;
    return done;
}

static void free_parts(struct event_part *parts, size_t count) {
    for (size_t i = 0; parts != NULL && i < count; i++) {
        event_part_free(&parts[i]);
    }
    free(parts);
}

/* The parts of the events of these traces that are asked for, one each; NULL with `error` set on
 * failure. Where all is there, or nothing, there is no part. */
static struct event_part *find_parts(struct shadow *shadow, const struct database_wanted *wanted,
                                     struct error *error) {
    struct event_part *parts = calloc(wanted->count + 1, sizeof *parts);
    bool done = parts != NULL || error_no_memory(error);

    for (size_t i = 0; done && wanted->parts != NULL && i < wanted->count; i++) {
        const struct shadow_trace *trace = &shadow->traces[wanted->traces[i] - 1];
        const struct event_part_trace there = {
            .pair = trace->pair,
            .rows = trace->rows,
            .shift = trace->shift,
            .has_io_parts = has_left(trace, remote_table_find("io_part")),
        };

        done = !trace->numbered || !trace->sent_events || (trace->fetched & events_bit()) != 0 ||
               event_part_find(&parts[i], &shadow->remote, &there, &wanted->parts[i], error);
    }
    if (!done) {
        free_parts(parts, wanted->count);
    }
    return done ? parts : NULL;
}

/* --- numbers of traces --------------------------------------------------------------------------
 */

/* Takes what the store says of a trace; false: it cannot be. */
typedef bool take_number(struct shadow_trace *trace, enum transfer_id which, int64_t number);

/* Asks for one number of each trace; `which` is for who takes it. */
static bool take_numbers(struct shadow *shadow, const struct text *sql, take_number *take,
                         enum transfer_id which, struct error *error) {
    struct text answer = {0};
    struct rowbinary_reader reader;
    bool done = remote_ask(&shadow->remote, sql, REMOTE_LARGE_ANSWER, &answer, error);

    reader = rowbinary_reader(&answer);
    while (done && rowbinary_more(&reader)) {
        struct remote_pair pair = remote_pair_take(&reader);
        const int64_t number = rowbinary_i64(&reader);
        struct shadow_trace *trace = find_trace(shadow, &pair);

        done = (trace != NULL && take(trace, which, number)) ||
               remote_misanswered(&shadow->remote, error);
    }
    done = done && (!reader.failed || remote_misanswered(&shadow->remote, error));
    text_free(&answer);
    return done;
}

/* Whether the store has as many rows of a table as were pushed, of traces none of whose rows came:
 * it made sums of them, which do not tell. */
static bool check_there(struct shadow *shadow, const struct remote_table *table,
                        const struct sums_trace *traces, size_t count, struct error *error) {
    bool done = true;

    for (size_t i = 0; done && i < count; i++) {
        const struct shadow_trace *trace = &shadow->traces[traces[i].trace - 1];

        done = traces[i].rows < 0 || check_count(shadow, table, trace, traces[i].rows, error);
    }
    return done;
}

/* --- names and rollups --------------------------------------------------------------------------
 */

/* Tables whose ids reports keep close together, so that those of a trace go behind the last. */
static const enum transfer_id numbered[] = {TRANSFER_NAME, TRANSFER_ACTOR, TRANSFER_OBJECT};

enum { NUMBERED = sizeof numbered / sizeof numbered[0] };

static bool take_most(struct shadow_trace *trace, enum transfer_id which, int64_t number) {
    trace->most[which] = number;
    return number >= 0 && number < INT32_MAX;
}

/* The largest id that each of these traces has in a table; nothing of those without rows there. */
static bool find_most_ids(struct shadow *shadow, enum transfer_id which,
                          const struct remote_pair *pairs, size_t count, struct error *error) {
    const struct remote_table *table = remote_table_find(transfer_table(which));
    struct remote_pair *some = pairs_with_rows(shadow, table, pairs, &count, error);
    struct text sql = {0};
    bool done = some != NULL;

    for (size_t at = 0; done && at < count; at += REMOTE_MOST_CHOSEN) {
        text_clear(&sql);
        remote_append_most_ids(&sql, shadow->remote.address.database, table, some + at,
                               count - at < REMOTE_MOST_CHOSEN ? count - at : REMOTE_MOST_CHOSEN);
        done = take_numbers(shadow, &sql, take_most, which, error);
    }
    text_free(&sql);
    free(some);
    return done;
}

/* Ids in order of the traces, as if they had been imported one after another. */
static bool number_traces(struct shadow *shadow, const struct remote_pair *pairs, size_t count,
                          struct error *error) {
    for (size_t i = 0; i < NUMBERED; i++) {
        for (size_t at = 0; at < count; at++) {
            find_trace(shadow, &pairs[at])->most[numbered[i]] = 0;
        }
        if (!find_most_ids(shadow, numbered[i], pairs, count, error)) {
            return false;
        }
        for (size_t at = 0; at < count; at++) {
            struct shadow_trace *trace = find_trace(shadow, &pairs[at]);

            trace->shift[numbered[i]] = shadow->next[numbered[i]];
            shadow->next[numbered[i]] += trace->most[numbered[i]];
        }
    }
    return true;
}

/* Probes speak of names, which have their numbers only now. On the way no two have the same. */
static bool number_probes(struct shadow *shadow, const struct shadow_trace *trace,
                          struct error *error) {
    return database_change(shadow->database, error,
                           "UPDATE main.probe SET name = -name WHERE trace = ?1", "i", trace->id) &&
           database_change(shadow->database, error,
                           "UPDATE main.probe SET name = ?2 - name WHERE trace = ?1", "ii",
                           trace->id, trace->shift[TRANSFER_NAME]);
}

/* Which of the traces `missing` says something of; `pairs` has room for all. */
static size_t choose_pairs(const struct shadow *shadow, const struct database_wanted *wanted,
                           bool (*missing)(const struct shadow_trace *trace, uint64_t bit),
                           uint64_t bit, struct remote_pair *pairs) {
    size_t count = 0;

    for (size_t i = 0; i < wanted->count; i++) {
        const struct shadow_trace *trace = &shadow->traces[wanted->traces[i] - 1];

        if (missing(trace, bit)) {
            pairs[count++] = trace->pair;
        }
    }
    return count;
}

static bool is_not_numbered(const struct shadow_trace *trace, uint64_t bit) {
    (void)bit;
    return !trace->numbered;
}

static bool is_not_fetched(const struct shadow_trace *trace, uint64_t bit) {
    return (trace->fetched & bit) == 0;
}

/* Gives names their ids, in the same order whatever tables are fetched when. */
static bool begin_traces(struct shadow *shadow, const struct database_wanted *wanted,
                         struct remote_pair *pairs, struct error *error) {
    const size_t count = choose_pairs(shadow, wanted, is_not_numbered, 0, pairs);
    bool done = count == 0 || number_traces(shadow, pairs, count, error);

    for (size_t i = 0; done && i < count; i++) {
        struct shadow_trace *trace = find_trace(shadow, &pairs[i]);

        done = number_probes(shadow, trace, error) && put_bounds(shadow, trace, error);
        trace->numbered = true;
    }
    return done;
}

/* Takes the sums of a table away, so that they are not counted beside the rows. */
static bool drop_sums(struct shadow *shadow, const struct remote_table *table,
                      struct error *error) {
    const uint64_t bit = table_bit(table);
    struct text sql = {0};
    bool done;

    text_append_format(&sql, "DELETE FROM main.\"%s\" WHERE trace = ?1", table->name);
    done = !sql.failed || error_no_memory(error);
    for (size_t i = 0; done && i < shadow->count; i++) {
        if ((shadow->traces[i].summed & bit) != 0) {
            shadow->traces[i].summed &= ~bit;
            done = database_change(shadow->database, error, text_string(&sql), "i",
                                   shadow->traces[i].id);
        }
    }
    text_free(&sql);
    return done;
}

/* Has a table added up by the store; `*fits`: sums are there. */
static bool fetch_sums(struct shadow *shadow, const struct remote_table *table,
                       const struct database_wanted *wanted, bool *fits, struct error *error) {
    struct sums_trace *traces = calloc(wanted->count + 1, sizeof *traces);
    bool done = traces != NULL || error_no_memory(error);

    for (size_t i = 0; done && i < wanted->count; i++) {
        struct shadow_trace *trace = &shadow->traces[wanted->traces[i] - 1];

        traces[i] = (struct sums_trace){
            .pair = trace->pair, .trace = trace->id, .action = wanted->actions[i]};
        trace->summed |= table_bit(table);
    }
    done =
        done &&
        sums_take(&shadow->remote, shadow->database, table, traces, wanted->count, fits, error) &&
        (!*fits || check_there(shadow, table, traces, wanted->count, error));
    free(traces);
    return done && (*fits || drop_sums(shadow, table, error));
}

static bool fetch_table(struct shadow *shadow, const struct remote_table *table,
                        const struct database_wanted *wanted, struct remote_pair *pairs,
                        struct error *error) {
    const uint64_t bit = table_bit(table);
    const size_t count = choose_pairs(shadow, wanted, is_not_fetched, bit, pairs);
    bool summed = false, done = drop_sums(shadow, table, error);

    if (done && wanted->actions != NULL && count == wanted->count && sums_of_table(table)) {
        done = fetch_sums(shadow, table, wanted, &summed, error);
    }
    if (!done || summed || count == 0) {
        return done;
    }
    done = take_table(shadow, table, pairs, count, error);
    for (size_t i = 0; done && i < count; i++) {
        find_trace(shadow, &pairs[i])->fetched |= bit;
    }
    return done;
}

/* All that is wanted but events. */
static bool fetch_tables(struct shadow *shadow, const struct database_wanted *wanted,
                         struct remote_pair *pairs, struct error *error) {
    bool done = begin_traces(shadow, wanted, pairs, error);

    for (const struct remote_table *table = remote_tables + 1; done && table->name != NULL;
         table++) {
        done =
            table->of_events || word_in(at_once, table->name) ||
            (on_demand(table) && wanted->tables != NULL && !word_in(wanted->tables, table->name)) ||
            fetch_table(shadow, table, wanted, pairs, error);
    }
    return done;
}

/* --- what reports fetch -------------------------------------------------------------------------
 */

/* What was read is of one moment only if the chosen attempts still count. */
static bool check_unchanged(struct shadow *shadow, const int64_t *ids, size_t count,
                            struct error *error) {
    struct remote_commits now;
    bool done = remote_commits_load(&now, &shadow->remote, NULL, error);

    for (size_t i = 0; done && i < count; i++) {
        const struct shadow_trace *trace = &shadow->traces[ids[i] - 1];
        const struct remote_commit *commit = remote_commits_find(&now, &trace->pair);

        done = (commit != NULL && commit->counts) ||
               error_set(error, "%s: trace %s was taken out or replaced meanwhile; try again",
                         shadow->remote.address.shown, trace->label.name);
    }
    remote_commits_free(&now);
    return done;
}

/* Whether all events that are wanted are in the store, and no more than may be fetched. */
static bool check_events(const struct shadow *shadow, const struct database_wanted *wanted,
                         const struct event_part *parts, struct error *error) {
    int64_t rows = shadow->rows;

    for (size_t i = 0; i < wanted->count; i++) {
        const struct shadow_trace *trace = &shadow->traces[wanted->traces[i] - 1];

        if (trace->rows == 0 || (trace->fetched & events_bit()) != 0) {
            continue;
        }
        if (!trace->sent_events) {
            return error_set_absent(error,
                                    "trace %s was pushed without its events, which this looks at; "
                                    "`tracetool push --events` sends them",
                                    trace->label.name);
        }
        rows += parts[i].some ? parts[i].rows : trace->rows;
        rows -= trace->part_rows;
        if (rows > shadow->most_rows) {
            return error_set_absent(error,
                                    "this looks at events, and those of trace %s would be more "
                                    "than %lld that are fetched: choose traces with -t, a time "
                                    "with --from and --to, or give --most-rows N",
                                    trace->label.name, (long long)shadow->most_rows);
        }
    }
    return true;
}

static bool fetch_events_of(struct shadow *shadow, const struct database_wanted *wanted,
                            const struct event_part *parts, struct error *error) {
    bool done = true;

    for (size_t i = 0; done && i < wanted->count; i++) {
        struct shadow_trace *trace = &shadow->traces[wanted->traces[i] - 1];

        done =
            (trace->fetched & events_bit()) != 0 || fetch_events(shadow, trace, &parts[i], error);
    }
    return done;
}

static bool fetch(void *context, const struct database_wanted *wanted, struct error *error) {
    struct shadow *shadow = context;
    struct remote_pair *pairs = calloc(wanted->count + 1, sizeof *pairs);
    struct event_part *parts = find_parts(shadow, wanted, error);
    const bool own = sqlite3_get_autocommit(shadow->database->handle) != 0;
    bool done = parts != NULL && (pairs != NULL || error_no_memory(error));

    /* Nothing is changed where that cannot be had: another report may be asked for. */
    done = done && (!wanted->events || check_events(shadow, wanted, parts, error)) &&
           (!own || database_run(shadow->database, "BEGIN", error)) &&
           fetch_tables(shadow, wanted, pairs, error) &&
           (!wanted->events || fetch_events_of(shadow, wanted, parts, error)) &&
           (!own || database_run(shadow->database, "COMMIT", error)) &&
           check_unchanged(shadow, wanted->traces, wanted->count, error);
    free_parts(parts, wanted->count);
    free(pairs);
    return done;
}

/* --- opening ------------------------------------------------------------------------------------
 */

/* How many events it has; negative where there cannot be so many. */
static int64_t rows_of(const struct remote_commit *commit) {
    int64_t others;

    if (commit->last_event < commit->first_event) {
        return 0;
    }
    return __builtin_sub_overflow(commit->last_event, commit->first_event, &others) ||
                   others >= MOST_ROWS
               ? -1
               : others + 1;
}

/* In the order of reports, but for the start, which the rows tell. */
static bool list_traces(struct shadow *shadow, struct error *error) {
    size_t count = 0;

    shadow->traces = calloc(shadow->commits.count + 1, sizeof *shadow->traces);
    shadow->sorted = calloc(shadow->commits.count + 1, sizeof(struct shadow_trace *));
    if (shadow->traces == NULL || shadow->sorted == NULL) {
        return error_no_memory(error);
    }
    for (size_t i = 0; i < shadow->commits.count; i++) {
        const struct remote_commit *commit = &shadow->commits.rows[i];

        if (commit->counts) {
            shadow->traces[count++] = (struct shadow_trace){
                .pair = commit->pair,
                .label = remote_commit_label(commit),
                .sent_events = commit->sent_events,
                .rows = rows_of(commit),
            };
        }
    }
    shadow->count = count;
    return true;
}

static int by_order(const void *left, const void *right) {
    return trace_label_compare(&((const struct shadow_trace *)left)->label,
                               &((const struct shadow_trace *)right)->label);
}

/* Gives them ids, and each its range of events. */
static bool number_all(struct shadow *shadow, struct error *error) {
    int64_t next = 0;

    if (shadow->count > 0) {
        qsort(shadow->traces, shadow->count, sizeof *shadow->traces, by_order);
    }
    for (size_t i = 0; i < shadow->count; i++) {
        struct shadow_trace *trace = &shadow->traces[i];

        if (trace->rows < 0) {
            return remote_misanswered(&shadow->remote, error);
        }
        trace->id = (int64_t)i + 1;
        trace->shift[TRANSFER_EVENT] = next;
        for (unsigned which = 0; which < TRANSFER_IDS; which++) {
            trace->most[which] = MOST_ROWS;
        }
        trace->most[TRANSFER_EVENT] = trace->rows;
        /* Files are told apart by ids of any size. */
        trace->shift[TRANSFER_SOURCE] = (int64_t)i << 32;
        next += trace->rows;
        shadow->sorted[i] = trace;
    }
    if (shadow->count > 0) {
        qsort(shadow->sorted, shadow->count, sizeof(struct shadow_trace *), by_pair);
    }
    return true;
}

static bool fill_catalog(struct shadow *shadow, struct error *error) {
    struct remote_pair *pairs = calloc(shadow->count + 1, sizeof *pairs);
    bool done = pairs != NULL || error_no_memory(error);

    for (size_t i = 0; done && i < shadow->count; i++) {
        pairs[i] = shadow->traces[i].pair;
    }
    done = done && take_rows(shadow, &remote_tables[0], pairs, shadow->count, error);
    for (const struct remote_table *table = remote_tables + 1; done && table->name != NULL;
         table++) {
        done = !word_in(at_once, table->name) ||
               take_table(shadow, table, pairs, shadow->count, error);
    }
    for (size_t i = 0; done && i < shadow->count; i++) {
        done = database_change(shadow->database, error,
                               "INSERT INTO main.pushed (trace, hash, name) VALUES (?1, ?2, ?3)",
                               "iss", shadow->traces[i].id, shadow->traces[i].label.hash,
                               shadow->traces[i].label.name);
    }
    free(pairs);
    return done;
}

/* What messages on the database call it. */
static bool take_name(struct shadow *shadow, struct error *error) {
    free(shadow->database->path);
    shadow->database->path = strdup(shadow->remote.address.shown);
    return shadow->database->path != NULL || error_no_memory(error);
}

static bool fill(struct shadow *shadow, const struct remote_options *options, struct error *error) {
    return remote_open(&shadow->remote, options, error) &&
           remote_commits_load(&shadow->commits, &shadow->remote, NULL, error) &&
           list_traces(shadow, error) && number_all(shadow, error) &&
           database_open(shadow->database, DATABASE_SHADOW, DATABASE_CREATE, error) &&
           take_name(shadow, error) && database_run(shadow->database, "BEGIN", error) &&
           fill_catalog(shadow, error) && database_run(shadow->database, "COMMIT", error);
}

struct shadow *shadow_open(const struct remote_options *options, int64_t most_rows,
                           struct database *database, struct error *error) {
    struct shadow *shadow = calloc(1, sizeof *shadow);

    *database = (struct database){0};
    if (shadow == NULL) {
        error_no_memory(error);
        return NULL;
    }
    shadow->database = database;
    shadow->most_rows = most_rows;
    shadow->source = (struct database_source){fetch, shadow};
    if (!fill(shadow, options, error)) {
        if (database->handle != NULL) {
            database_close(database);
        }
        shadow_close(shadow);
        return NULL;
    }
    database->source = &shadow->source;
    return shadow;
}

void shadow_close(struct shadow *shadow) {
    if (shadow == NULL) {
        return;
    }
    remote_close(&shadow->remote);
    remote_commits_free(&shadow->commits);
    free(shadow->traces);
    free(shadow->sorted);
    free(shadow);
}
