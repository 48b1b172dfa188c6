/* Contracts on order, counts and rows, and the places where they are broken. */
#include <string.h>

#include "base/words.h"
#include "contract/order.h"
#include "contract/places.h"
#include "scan/event_scan.h"

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
    text_append_format(places, "%.6f s", sqlite3_column_double(row, 4));
    for (int i = 0; i < 4; i++) {
        const char *text = database_column_text(row, i);

        text_append_string(places, *text == '\0' ? "" : " ");
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

    *calls = (struct selected_calls){.temp = {.database = workspace->database}};
    if (!abbreviations_make(&calls->abbreviations, workspace->database, &trace, 1, filter, error)) {
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
    scan.fields = EVENT_OPERATION | EVENT_OBJECT | EVENT_ERROR | EVENT_DURATION;
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

bool contract_append_calls(const struct contract *contract, const struct calls_found *found,
                           struct workspace *workspace, struct outcome *outcome,
                           struct error *error) {
    const struct order_part *after = &contract->order[ORDER_AFTER];
    struct text sql = {0}, missing = {0};
    struct selected_calls calls;
    bool done;

    contract_events_append_listed(&sql, found->calls, found->since,
                                  found->count < CONTRACT_PLACES ? (size_t)found->count
                                                                 : CONTRACT_PLACES);
    if (contract->type == CONTRACT_ORDER) {
        text_append_format(&missing, ", without %s%s%s", after->operation,
                           after->file == NULL ? "" : " ", after->file == NULL ? "" : after->file);
        measure_append_quoted(&sql, text_string(&missing), missing.length, false);
        text_append_string(&sql, " || ifnull((SELECT format(' since %.6f s %s %s', o.time, o.op,"
                                 " o.file) FROM events AS o WHERE o.id = f.since), ' before')");
    } else {
        text_append_string(&sql, "NULL");
    }
    text_append_string(&sql, LISTED);
    done = selected_calls_open(&calls, workspace, outcome->trace,
                               &contract->condition.figure.filter, error) &&
           contract_events_read(&sql, workspace->database, outcome, error);
    selected_calls_close(&calls);
    text_free(&missing);
    text_free(&sql);
    return done;
}

/* Limit of count contracts in one statement. */
#define COUNTS_AT_ONCE 32

/* Appends a contract's condition to those of a statement that selects them all, and checks that it
 * is right by itself. */
static bool add_count(struct text *sql, const struct contract *contract, struct database *database,
                      struct error *error) {
    char *alone = xasprintf(EVENTS "SELECT 1 FROM events WHERE (\n%s\n)", contract->where);
    sqlite3_stmt *statement = database_prepare_reading(database, alone, error);

    free(alone);
    sqlite3_finalize(statement);
    if (statement != NULL) {
        text_append_format(sql, ", (\n%s\n) IS TRUE", contract->where);
        return true;
    }
    measure_list_columns(error, "time duration op file thread process error bytes result");
    return false;
}

/* Counts the rows of each of the statement's conditions, behind the event's id. */
static bool read_counts(const struct text *sql, struct database *database,
                        struct calls_found *const *found, size_t count, struct error *error) {
    sqlite3_stmt *row = database_prepare_reading(database, text_string(sql), error);
    bool more = true, done = row != NULL;

    for (size_t i = 0; i < count; i++) {
        *found[i] = (struct calls_found){.since = {EVENT_NONE, EVENT_NONE, EVENT_NONE}};
    }
    while (done && (done = database_step(database, row, &more, error)) && more) {
        for (size_t i = 0; i < count; i++) {
            if (sqlite3_column_int(row, (int)i + 1) != 0) {
                if (found[i]->count < CONTRACT_PLACES) {
                    found[i]->calls[found[i]->count] = sqlite3_column_int64(row, 0);
                }
                found[i]->count++;
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
    struct selected_calls calls;
    struct text sql = {0};
    size_t count = 0, alone = 0;
    bool done = selected_calls_open(&calls, workspace, trace, &figure->filter, error);

    text_append_string(&sql, EVENTS "SELECT id");
    for (size_t i = first; done && i < contracts->count && count < COUNTS_AT_ONCE; i++) {
        const struct contract *contract = &contracts->contracts[i];
        struct error later = {0}; /* a wrong condition fails when it is its turn */

        if (contract->type == CONTRACT_COUNT &&
            strcmp(contract->condition.figure.key, figure->key) == 0 &&
            add_count(&sql, contract, database, i == first ? error : &later)) {
            all[count++] = &found[i * stride];
            alone = i == first ? sql.length : alone;
        }
        done = count > 0;
    }
    text_append_string(&sql, " FROM events ORDER BY id");
    done = done && read_counts(&sql, database, all, count, error);
    if (!done && count > 1 && error->status != EXIT_INTERRUPTED) { /* another's row is wrong */
        *error = (struct error){0};
        sql.length = alone;
        text_append_string(&sql, " FROM events ORDER BY id");
        done = read_counts(&sql, database, all, 1, error);
    }
    text_free(&sql);
    selected_calls_close(&calls);
    return done;
}
