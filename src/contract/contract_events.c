/* Contracts on order, counts and rows, and the places where they are broken. */
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "contract/contract.h"
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

/* --- order ------------------------------------------------------------------------------------ */

/* Returns whether each file has one *, so that all of them must match the same text. */
static bool has_stems(const struct contract *contract) {
    bool has = true;

    for (int i = 0; i < ORDER_PARTS; i++) {
        const char *file = contract->order[i].file;

        has = has && (contract->order[i].operation == NULL ||
                      (file != NULL && strchr("*/", *file) != NULL && strchr(file, '*') != NULL &&
                       strchr(file, '*') == strrchr(file, '*')));
    }
    return has;
}

/* Appends an SQL condition for the name `op` of a part's calls. */
static void append_operation(struct text *sql, const struct order_part *part) {
    text_append_string(sql, "(call_does(op) = ");
    measure_append_quoted(sql, part->operation, strlen(part->operation), false);
    text_append_string(sql, " OR ");
    measure_append_fits(sql, "op", part->operation);
    text_append_char(sql, ')');
}

bool contract_lacks_calls(const struct contract *contract, struct database *database,
                          const struct catalog_trace *trace, bool *lacks, struct error *error) {
    bool done = true;

    *lacks = false;
    for (int i = 0; done && !*lacks && contract->type == CONTRACT_ORDER && i < ORDER_PARTS; i++) {
        struct text calls = {0};

        if (contract->order[i].operation != NULL) {
            append_operation(&calls, &contract->order[i]);
            done = measure_lacks(database, trace, text_string(&calls), lacks, error);
        }
        text_free(&calls);
    }
    return done;
}

/* Appends an SQL condition for a part's calls. Names are compared once, not for each event. */
static void append_calls(struct text *sql, const struct order_part *part) {
    static const char of_trace[] = "WHERE trace = (SELECT trace FROM temp.selection)) WHERE ";

    text_append_format(sql, "operation IN (SELECT id FROM (SELECT id, text AS op FROM main.name %s",
                       of_trace);
    append_operation(sql, part);
    text_append_char(sql, ')');
    if (part->file != NULL) {
        text_append_format(
            sql, " AND object IN (SELECT id FROM (SELECT id, name AS file FROM main.object %s",
            of_trace);
        measure_append_fits(sql, "file", part->file);
        text_append_char(sql, ')');
    }
}

/* Appends SELECTs of a part's calls with the part's number, the time at which they count, and the
 * match of *. Calls of `after` count from their end, and only if they succeeded. */
static void contract_events_append_part(struct text *sql, const struct contract *contract,
                                        int number) {
    const struct order_part *part = &contract->order[number];

    text_append_format(sql, "%s SELECT %d AS part, ns%s AS at, ", number > 0 ? " UNION ALL" : "",
                       number, number == ORDER_AFTER ? " + took" : "");
    if (has_stems(contract)) {
        const size_t before = strcspn(part->file, "*");

        text_append_string(sql, "substr(file, 1 + length(");
        measure_append_quoted(sql, part->file, before, false);
        text_append_string(sql, "), length(file) - length(");
        measure_append_quoted(sql, part->file, before, false);
        text_append_string(sql, ") - length(");
        measure_append_quoted(sql, part->file + before + 1, strlen(part->file) - before - 1, false);
        text_append_string(sql, "))");
    } else {
        text_append_string(sql, "''");
    }
    text_append_string(sql, " AS stem, id FROM picked WHERE ");
    append_calls(sql, part);
    text_append_string(sql, number == ORDER_WHAT ? "" : " AND error IS NULL");
}

/* Appends the query that finds, for each call of the first part, the last previous call of the
 * others. A place says which call is missing, and since which other. */
static void append_order(struct text *sql, const struct contract *contract) {
    const struct order_part *after = &contract->order[ORDER_AFTER];
    struct text missing = {0};

    text_append_format(&missing, ", without %s%s%s", after->operation,
                       after->file == NULL ? "" : " ", after->file == NULL ? "" : after->file);
    text_append_string(sql, EVENTS ", picked AS MATERIALIZED (SELECT id, ns, took, operation,"
                                   " object, file, error FROM events WHERE 0");
    for (int i = 0; i < ORDER_PARTS; i++) {
        if (contract->order[i].operation != NULL) {
            text_append_string(sql, " OR ");
            append_calls(sql, &contract->order[i]);
        }
    }
    text_append_string(sql, "), parts AS (");
    for (int i = 0; i < ORDER_PARTS; i++) {
        if (contract->order[i].operation != NULL) {
            contract_events_append_part(sql, contract, i);
        }
    }
    text_append_string(
        sql,
        "), numbered AS (SELECT *, row_number() OVER (ORDER BY at, iif(part < 2, 1 - part, 2), id) "
        "AS n"
        " FROM parts), latest AS (SELECT *, max(iif(part > 0, 4 * n + part, 0)) OVER (PARTITION BY"
        " stem ORDER BY n ROWS UNBOUNDED PRECEDING) AS latest FROM numbered)"
        " SELECT e.thread, e.op, e.file, e.error, e.time, e.took, e.id, e.ns, ");
    measure_append_quoted(sql, text_string(&missing), missing.length, false);
    text_append_format(
        sql,
        " || ifnull((SELECT format(' since %%.6f s %%s %%s', o.time, o.op, o.file) FROM numbered"
        " AS s, events AS o WHERE s.n = l.latest / 4 AND o.id = s.id), ' before')"
        " FROM latest AS l, events AS e WHERE e.id = l.id AND l.part = 0 AND l.latest %% 4 = %d"
        " ORDER BY l.n",
        contract->order[ORDER_SINCE].operation != NULL ? ORDER_SINCE : 0);
    text_free(&missing);
}

bool contract_count_events(const struct contract *contract, struct workspace *workspace,
                           double *count, struct outcome *outcome, struct error *error) {
    struct text sql = {0};
    bool done;

    if (contract->type == CONTRACT_ORDER) {
        append_order(&sql, contract);
    } else {
        text_append_format(&sql, EVENTS PLACE "events WHERE (\n%s\n) ORDER BY id", contract->where);
    }
    done = contract_events_run(&sql, &contract->condition.figure.filter, workspace, count, outcome,
                               error);
    text_free(&sql);
    return done;
}
