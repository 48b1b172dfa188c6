/* Contracts on order, counts and rows, and the places where they are broken. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/pair_numbers.h"
#include "base/words.h"
#include "contract/order.h"
#include "contract/places.h"
#include "scan/event_scan.h"
#include "select/layer.h"

/* The events as SQL conditions see them. */
#define EVENTS                                                                                     \
    "WITH events AS NOT MATERIALIZED (SELECT e.id, e.operation, e.object, e.time AS ns, "          \
    "ifnull(e.duration, 0) AS took,"                                                               \
    " e.time / 1e9 AS time, e.duration / 1e9 AS duration, n.text AS op, o.name AS file,"           \
    " t.label AS thread, p.label AS process, f.text AS error, e.size AS bytes, e.value AS result"  \
    " FROM temp.selected_event AS e LEFT JOIN main.name AS n ON n.id = e.operation"                \
    " LEFT JOIN main.object AS o ON o.id = e.object"                                               \
    " LEFT JOIN main.name AS f ON f.id = e.error LEFT JOIN temp.thread AS t ON t.id = e.actor"     \
    " LEFT JOIN temp.process AS p ON p.id = e.actor)"

/* Appends a row: the columns of LISTED, and what follows the place. */
static void contract_events_append_place(sqlite3_stmt *row, struct outcome *outcome) {
    const char *rest = database_column_text(row, 8);
    struct text *places = &outcome->places;

    outcome->calls[outcome->call_count++] = (struct outcome_call){
        .event = sqlite3_column_int64(row, 6), .time = sqlite3_column_int64(row, 7)};
    if (catalog_tells_times(outcome->trace)) {
        text_append_format(places, "%.6f s ", sqlite3_column_double(row, 4));
    }
    for (int i = 0; i < 4; i++) {
        const char *text = database_column_text(row, i);

        text_append_string(places, i == 0 || *text == '\0' ? "" : " ");
        text_append_escaped(places, text, strlen(text));
    }
    if (sqlite3_column_int64(row, 5) > 0) {
        text_append_char(places, ' ');
        condition_append_number(places, sqlite3_column_double(row, 5), COLUMN_DURATION, false);
    }
    text_append_escaped(places, rest, strlen(rest));
    text_append_char(places, '\n');
}

/* Appends the rows of a statement on the selected events as places. */
static bool contract_events_read(const struct text *sql, struct database *database,
                                 struct outcome *outcome, struct error *error) {
    sqlite3_stmt *statement = database_prepare_reading(database, text_string(sql), error);
    bool row = true, done = statement != NULL;

    while (done && (done = database_step(database, statement, &row, error)) && row) {
        contract_events_append_place(statement, outcome);
    }
    sqlite3_finalize(statement);
    return done;
}

bool selected_calls_open(struct selected_calls *calls, struct workspace *workspace,
                         const struct catalog_trace *trace, const struct filter *filter,
                         struct error *error) {
    struct selection_request request = {.traces = &trace, .count = 1};
    struct filter of_layer = *filter;

    *calls = (struct selected_calls){.temp = {.database = workspace->database}};
    if (!layers_choose(workspace->database, &trace, 1, &of_layer, error) ||
        !abbreviations_make(&calls->abbreviations, workspace->database, &trace, 1, &of_layer,
                            error)) {
        return false;
    }
    request.filter = calls->abbreviations.filter;
    return workspace_select(&calls->temp, &request, &calls->selection, error);
}

void selected_calls_close(struct selected_calls *calls) {
    selection_close(&calls->selection);
    abbreviations_free(&calls->abbreviations);
    temp_schema_free(&calls->temp);
}

bool selected_calls_scan(const struct selected_calls *calls,
                         bool (*visit)(void *, const struct event_columns *, size_t,
                                       struct error *),
                         void *context, struct error *error) {
    const struct selected_trace *trace = &calls->selection.traces[0];
    struct event_scan scan;

    event_scan_init(&scan, &calls->selection, trace);
    scan.fields = EVENT_OPERATION | EVENT_OBJECT | EVENT_ERROR | EVENT_ACTOR | EVENT_DURATION;
    scan.visit = visit;
    return trace->last < trace->first || event_scan_in_order(&scan, context, error);
}

/* Appends SQL for the places of these events, up to what follows each. `since`: NULL, or further
 * ones. */
static void contract_events_append_listed(struct text *sql, const int64_t *calls,
                                          const int64_t *since, size_t count) {
    text_append_string(sql, EVENTS ", found(n, event, since) AS (VALUES ");
    for (size_t i = 0; i < count; i++) {
        text_append_format(sql, "%s(%zu, %lld, ", i > 0 ? ", " : "", i, (long long)calls[i]);
        text_append_format(sql, since == NULL || since[i] == EVENT_NONE ? "NULL)" : "%lld)",
                           since == NULL ? 0 : (long long)since[i]);
    }
    text_append_string(sql, ") SELECT e.thread, e.op, e.file, e.error, e.time, e.took, e.id,"
                            " e.ns, ");
}
#define LISTED " FROM found AS f CROSS JOIN events AS e ON e.id = f.event ORDER BY f.n"

bool contract_list_calls(const int64_t *calls, size_t count, struct database *database,
                         struct outcome *outcome, struct error *error) {
    struct text sql = {0};
    bool done;

    contract_events_append_listed(&sql, calls, NULL, count);
    text_append_string(&sql, "NULL" LISTED);
    done = contract_events_read(&sql, database, outcome, error);
    text_free(&sql);
    return done;
}

/* --- counts and orders ------------------------------------------------------------------------ */

bool contract_list_found(const struct contract *contract, const struct calls_found *found,
                         struct database *database, struct outcome *outcome, struct error *error) {
    const struct order_part *after = &contract->order[ORDER_AFTER];
    struct text sql = {0}, missing = {0};
    bool done;

    contract_events_append_listed(&sql, found->calls, found->since,
                                  found->count < CONTRACT_PLACES ? (size_t)found->count
                                                                 : CONTRACT_PLACES);
    if (contract->type == CONTRACT_ORDER) {
        text_append_format(&missing, ", without %s%s%s", after->operation,
                           after->file == NULL ? "" : " ", after->file == NULL ? "" : after->file);
        measure_append_quoted(&sql, text_string(&missing), missing.length, false);
        text_append_string(&sql, " || ifnull((SELECT ' since '");
        text_append_string(
            &sql, catalog_tells_times(outcome->trace) ? " || format('%.6f s ', o.time)" : "");
        text_append_string(
            &sql,
            " || format('%s %s', o.op, o.file) FROM events AS o WHERE o.id = f.since), ' before')");
    } else {
        text_append_string(&sql, "NULL");
    }
    text_append_string(&sql, LISTED);
    done = contract_events_read(&sql, database, outcome, error);
    text_free(&missing);
    text_free(&sql);
    return done;
}

/* Limit of count contracts in one statement. */
#define COUNTS_AT_ONCE 32

/* What conditions look at. Those of the first two are evaluated once for all calls with the same
 * names, which are counted before, in one pass. */
enum count_of { COUNT_OF_NAMES, COUNT_OF_THREADS, COUNT_OF_EVENTS };

/* Limit of groups; with more, the conditions are evaluated for each call. */
#define CALL_GROUPS ((size_t)1 << 19)

enum { KEY_OPERATION, KEY_OBJECT, KEY_ERROR, KEY_ACTOR, CALL_KEYS };

/* Calls with the same names. */
struct call_group {
    uint32_t key[CALL_KEYS];
    int64_t count, calls[CONTRACT_PLACES]; /* the ids of the first ones */
};

struct call_groups {
    bool by_thread, is_full;
    struct call_group *list; /* owned */
    size_t count, capacity;
    struct pair_numbers places, rest, numbers; /* the last by numbers of the others */
    uint32_t place_count, rest_count;
};

/* Returns the number of a pair; a new one gets the next. */
static uint32_t number_pair(struct pair_numbers *numbers, uint32_t first, uint32_t second,
                            uint32_t *count) {
    uint32_t number = pair_numbers_find(numbers, first, second);

    if (number == 0) {
        number = ++*count;
        pair_numbers_add(numbers, first, second, number);
    }
    return number;
}

static struct call_group *find_group(struct call_groups *groups, const uint32_t key[CALL_KEYS]) {
    const uint32_t place = number_pair(&groups->places, key[0], key[1], &groups->place_count),
                   rest = number_pair(&groups->rest, key[2], key[3], &groups->rest_count);
    uint32_t number = (uint32_t)groups->count;

    number = number_pair(&groups->numbers, place, rest, &number);
    if (number > groups->count) {
        struct call_group *group = ARRAY_NEW(groups->list, groups->count, groups->capacity);

        *group = (struct call_group){.count = 0};
        memcpy(group->key, key, sizeof group->key);
    }
    return &groups->list[number - 1];
}

static bool group_calls(void *call_groups, const struct event_columns *columns, size_t count,
                        struct error *error) {
    struct call_groups *groups = call_groups;

    for (size_t i = 0; i < count && !groups->is_full; i++) {
        struct call_group *group =
            find_group(groups, (uint32_t[CALL_KEYS]){columns->operation[i], columns->object[i],
                                                     columns->error[i],
                                                     groups->by_thread ? columns->actor[i] : 0});

        if (group->count < CONTRACT_PLACES) {
            group->calls[group->count] = columns->id[i];
        }
        group->count++;
        groups->is_full = groups->count == CALL_GROUPS;
    }
    return true;
}

/* Groups the selected calls, and writes temp.call_group: names of a group by its number, from 0. */
static bool groups_make(struct call_groups *groups, struct selected_calls *calls,
                        struct error *error) {
    struct database *database = calls->temp.database;
    sqlite3_stmt *insert = NULL;
    bool done =
        selected_calls_scan(calls, group_calls, groups, error) &&
        temp_schema_table(&calls->temp, "call_group",
                          "(id INTEGER PRIMARY KEY, operation, object, error, actor)", error);

    if (!done || groups->is_full) {
        return done;
    }
    insert = database_prepare(database, "INSERT INTO temp.call_group VALUES (?1, ?2, ?3, ?4, ?5)",
                              error);
    done = insert != NULL;
    for (size_t i = 0; done && i < groups->count; i++) {
        bool row;

        sqlite3_bind_int64(insert, 1, (int64_t)i);
        for (int k = 0; k < CALL_KEYS; k++) {
            sqlite3_bind_int64(insert, k + 2, groups->list[i].key[k]);
        }
        done = database_step(database, insert, &row, error);
        sqlite3_reset(insert);
    }
    sqlite3_finalize(insert);
    return done;
}

/* The columns of conditions for groups; without those of threads. */
#define GROUPS(more, joined)                                                                       \
    "WITH events AS NOT MATERIALIZED (SELECT e.id, n.text AS op, o.name AS file,"                  \
    " f.text AS error" more " FROM temp.call_group AS e LEFT JOIN main.name AS n"                  \
    " ON n.id = e.operation LEFT JOIN main.object AS o ON o.id = e.object"                         \
    " LEFT JOIN main.name AS f ON f.id = e.error" joined ")"
static const char *const events_of[] = {
    [COUNT_OF_NAMES] = GROUPS("", ""),
    [COUNT_OF_THREADS] = GROUPS(", t.label AS thread, p.label AS process",
                                " LEFT JOIN temp.thread AS t ON t.id = e.actor"
                                " LEFT JOIN temp.process AS p ON p.id = e.actor"),
    [COUNT_OF_EVENTS] = EVENTS,
};

/* Returns whether SQLite takes the condition with such columns. */
static bool count_fits(const struct contract *contract, struct database *database,
                       const char *columns, struct error *error) {
    char *alone = xasprintf("%s SELECT 1 FROM events WHERE (\n%s\n)", columns, contract->where);
    sqlite3_stmt *statement = database_prepare_reading(database, alone, error);

    free(alone);
    sqlite3_finalize(statement);
    return statement != NULL;
}

/* Returns what a condition looks at. SQLite may take a quoted name of no column as a text. */
static enum count_of count_looks_at(const struct contract *contract, struct database *database) {
    static const char names[] = "WITH events AS (SELECT '' AS op, '' AS file, '' AS error)",
                      threads[] =
                          "WITH events AS (SELECT '' AS op, '' AS file, '' AS error, '' AS thread,"
                          " '' AS process)";
    struct error ignored = {0};

    return strpbrk(contract->where, "\"`[") != NULL            ? COUNT_OF_EVENTS
           : count_fits(contract, database, names, &ignored)   ? COUNT_OF_NAMES
           : count_fits(contract, database, threads, &ignored) ? COUNT_OF_THREADS
                                                               : COUNT_OF_EVENTS;
}

/* Checks that a contract's condition is right by itself, and appends it to those of a statement. */
static bool add_count(struct text *sql, const struct contract *contract, struct database *database,
                      struct error *error) {
    if (count_fits(contract, database, EVENTS, error)) {
        text_append_format(sql, ", (\n%s\n) IS TRUE", contract->where);
        return true;
    }
    measure_list_columns(error, "time duration op file thread process error bytes result");
    return false;
}

/* Adds calls, and keeps the first; groups come in any order. */
static void add_found(struct calls_found *found, const struct call_group *group) {
    for (int i = 0; i < CONTRACT_PLACES && i < group->count; i++) {
        int64_t call = group->calls[i];

        for (int k = 0; k < CONTRACT_PLACES; k++) {
            const int64_t other = found->calls[k];

            if (k >= found->count + i || other > call) {
                found->calls[k] = call;
                call = other;
            }
            if (k >= found->count + i) {
                break;
            }
        }
    }
    found->count += group->count;
}

/* Counts the rows of each of the statement's conditions, behind the number of the event or group.
 */
static bool read_counts(const struct text *sql, struct database *database,
                        const struct call_groups *groups, struct calls_found *const *found,
                        size_t count, struct error *error) {
    sqlite3_stmt *row = database_prepare_reading(database, text_string(sql), error);
    bool more = true, done = row != NULL;

    for (size_t i = 0; i < count; i++) {
        *found[i] = (struct calls_found){.since = {EVENT_NONE, EVENT_NONE, EVENT_NONE}};
    }
    while (done && (done = database_step(database, row, &more, error)) && more) {
        const int64_t id = sqlite3_column_int64(row, 0);
        const struct call_group event = {.count = 1, .calls = {id}};

        for (size_t i = 0; i < count; i++) {
            if (sqlite3_column_int(row, (int)i + 1) != 0) {
                add_found(found[i], groups == NULL ? &event : &groups->list[id]);
            }
        }
    }
    for (size_t i = 0; i < count; i++) {
        found[i]->is_searched = done;
    }
    sqlite3_finalize(row);
    return done;
}

bool counts_find(const struct contracts *contracts, size_t first, struct workspace *workspace,
                 const struct catalog_trace *trace, struct calls_found *found, size_t stride,
                 struct error *error) {
    const struct figure *figure = &contracts->contracts[first].condition.figure;
    struct calls_found *all[COUNTS_AT_ONCE];
    struct database *database = workspace->database;
    enum count_of of = count_looks_at(&contracts->contracts[first], database);
    struct call_groups groups = {.by_thread = of == COUNT_OF_THREADS};
    struct selected_calls calls;
    struct text sql = {0};
    size_t count = 0, alone = 0;
    bool done = selected_calls_open(&calls, workspace, trace, &figure->filter, error) &&
                (of == COUNT_OF_EVENTS || groups_make(&groups, &calls, error)),
         is_grouped;

    is_grouped = of != COUNT_OF_EVENTS && !groups.is_full;
    text_append_format(&sql, "%sSELECT id", events_of[is_grouped ? of : COUNT_OF_EVENTS]);
    for (size_t i = first; done && i < contracts->count && count < COUNTS_AT_ONCE; i++) {
        const struct contract *contract = &contracts->contracts[i];
        struct error later = {0}; /* a wrong condition fails when it is its turn */

        if (contract->type == CONTRACT_COUNT &&
            strcmp(contract->condition.figure.key, figure->key) == 0 &&
            count_looks_at(contract, database) == of &&
            add_count(&sql, contract, database, i == first ? error : &later)) {
            all[count++] = &found[i * stride];
            alone = i == first ? sql.length : alone;
        }
        done = count > 0;
    }
    text_append_string(&sql, " FROM events ORDER BY id");
    done = done && read_counts(&sql, database, is_grouped ? &groups : NULL, all, count, error);
    if (!done && count > 1 && error->status != EXIT_INTERRUPTED) { /* another's row is wrong */
        *error = (struct error){0};
        sql.length = alone;
        text_append_string(&sql, " FROM events ORDER BY id");
        done = read_counts(&sql, database, is_grouped ? &groups : NULL, all, 1, error);
    }
    text_free(&sql);
    free(groups.list);
    pair_numbers_free(&groups.places);
    pair_numbers_free(&groups.rest);
    pair_numbers_free(&groups.numbers);
    selected_calls_close(&calls);
    return done;
}
