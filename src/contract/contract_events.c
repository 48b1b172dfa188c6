/* Contracts on order, counts and rows, and the places where they are broken. */
#include <string.h>

#include "base/words.h"
#include "contract/contract.h"
#include "contract/order.h"
#include "select/match.h"
#include "select/selection.h"

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
#define PLACE "SELECT thread, op, file, error, time, took, id, ns, NULL FROM "

/* Appends a row: a PLACE, and what follows it. */
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

/* Counts the rows of a statement on the trace's events that pass the filter, and appends the first
 * places. */
static bool contract_events_run(const struct text *sql, const struct filter *filter,
                                struct workspace *workspace, double *count, struct outcome *outcome,
                                struct error *error) {
    struct database *database = workspace->database;
    struct selection_request request = {.traces = &outcome->trace, .count = 1};
    struct temp_schema temp = {.database = database};
    struct abbreviations abbreviations = {.count = 0};
    struct selection selection = {0};
    sqlite3_stmt *statement = NULL;
    bool row = true,
         done = abbreviations_make(&abbreviations, database, &outcome->trace, 1, filter, error);

    request.filter = abbreviations.filter;
    done = done && workspace_select(&temp, &request, &selection, error);
    statement = done ? database_prepare_reading(database, text_string(sql), error) : NULL;
    done = statement != NULL;
    for (*count = 0; done && row; *count += row) {
        done = database_step(database, statement, &row, error);
        if (done && row && *count < CONTRACT_PLACES) {
            contract_events_append_place(statement, outcome);
        }
    }
    sqlite3_finalize(statement);
    selection_close(&selection);
    abbreviations_free(&abbreviations);
    temp_schema_free(&temp);
    return done;
}

/* --- places of figures ------------------------------------------------------------------------ */

bool contract_append_places(const struct figure *figure, struct workspace *workspace,
                            struct outcome *outcome, struct error *error) {
    const struct figure_source *source = &figure->sources[0];
    const bool is_time = figure->kind == COLUMN_DURATION;
    struct text sql = {0};
    double ignored;
    bool done;

    if (figure->new || figure->path != NULL || source->keys == NULL ||
        outcome->trace->kind != TRACE_CALLS || strcmp(source->report, "findings") == 0 ||
        (strncmp(source->keys, "name", 4) != 0 && strcmp(source->keys, "file") != 0)) {
        return true;
    }
    text_append_string(&sql, EVENTS PLACE "events WHERE 1");
    measure_append_names(&sql, figure, source->keys, "name file error", "op");
    text_append_string(&sql, strcmp(source->report, "errors") == 0 ? " AND error IS NOT NULL" : "");
    measure_append_does(&sql, source->column);
    text_append_format(&sql, "%s LIMIT %d", is_time ? " ORDER BY duration DESC" : "",
                       CONTRACT_PLACES);
    done = contract_events_run(&sql, &figure->filter, workspace, &ignored, outcome, error);
    text_free(&sql);
    return done;
}

/* --- counts and orders ------------------------------------------------------------------------ */

bool contract_append_calls(const struct contract *contract, const struct order_found *found,
                           struct workspace *workspace, struct outcome *outcome,
                           struct error *error) {
    const struct order_part *after = &contract->order[ORDER_AFTER];
    struct text sql = {0}, missing = {0};
    double ignored;
    bool done;

    text_append_format(&missing, ", without %s%s%s", after->operation,
                       after->file == NULL ? "" : " ", after->file == NULL ? "" : after->file);
    text_append_string(&sql, EVENTS ", found(event, since) AS (VALUES ");
    for (int i = 0; i < CONTRACT_PLACES && i < found->count; i++) {
        text_append_format(&sql, "%s(%lld, ", i > 0 ? ", " : "", (long long)found->calls[i]);
        text_append_format(&sql, found->since[i] == EVENT_NONE ? "NULL)" : "%lld)",
                           (long long)found->since[i]);
    }
    text_append_string(&sql, ") SELECT e.thread, e.op, e.file, e.error, e.time, e.took, e.id,"
                             " e.ns, ");
    measure_append_quoted(&sql, text_string(&missing), missing.length, false);
    text_append_string(&sql, " || ifnull((SELECT format(' since %.6f s %s %s', o.time, o.op,"
                             " o.file) FROM events AS o WHERE o.id = f.since), ' before')"
                             " FROM found AS f CROSS JOIN events AS e ON e.id = f.event"
                             " ORDER BY e.id");
    done = contract_events_run(&sql, &contract->condition.figure.filter, workspace, &ignored,
                               outcome, error);
    text_free(&missing);
    text_free(&sql);
    return done;
}

bool contract_count_events(const struct contract *contract, struct workspace *workspace,
                           double *count, struct outcome *outcome, struct error *error) {
    struct text sql = {0};
    bool done;

    text_append_format(&sql, EVENTS PLACE "events WHERE (\n%s\n) ORDER BY id", contract->where);
    done = contract_events_run(&sql, &contract->condition.figure.filter, workspace, count, outcome,
                               error);
    text_free(&sql);
    return done;
}
