/* Judges contracts, declared in contract.h. */
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "contract/contract.h"
#include "contract/order.h"
#include "contract/places.h"

struct judge {
    const struct contracts *contracts;
    const struct judging *judging;
    struct measures of, baseline;
    struct calls_found *found; /* owned; by contract, then by trace */
    struct places places;
};

/* Appends the first column of a row. */
static void judge_append_name(sqlite3_stmt *row, struct text *places) {
    const char *name = database_column_text(row, 0);

    text_append_escaped(places, name, strlen(name));
    text_append_char(places, '\n');
}

/* Returns whether a trace of the baseline is of the trace's kind; or of another one that no trace
 * here is of, since a log can give several. */
static bool has_kind_of(const struct judge *judge, size_t trace, size_t baseline) {
    const enum trace_kind kind = judge->baseline.traces[baseline]->kind;
    bool others = false;

    for (size_t i = 0; i < judge->of.trace_count; i++) {
        others |= judge->of.traces[i]->kind == kind;
    }
    return kind == judge->of.traces[trace]->kind || !others;
}

/* Collects the items, an SQL expression, of the baseline's traces of a kind, once for each `set`.
 * `*why`: a trace that lacks the report. */
static bool collect_known(struct judge *judge, const struct figure *figure, const char *item,
                          size_t trace, const char *set, const char **why, struct error *error) {
    char *sql = xasprintf("SELECT DISTINCT lasting(%s) FROM rows", item);
    sqlite3_stmt *insert = NULL;
    bool done = true;

    sqlite3_prepare_v2(judge->of.memory, "INSERT OR IGNORE INTO known VALUES (?1, ?2)", -1, &insert,
                       NULL);
    *why = MEASURE_NO_BASELINE;
    for (size_t i = 0; done && i < judge->baseline.trace_count; i++) {
        struct measured measured = {0};
        sqlite3_stmt *row;

        if (!has_kind_of(judge, trace, i)) {
            continue;
        }
        done = measure(&judge->baseline, figure, NULL, i, &measured, error);
        if (!done || !measured.is_known) {
            *why = measured.why;
            break;
        }
        *why = NULL;
        row = measure_prepare(&judge->baseline, figure, &figure->sources[0], i, sql, error);
        done = row != NULL;
        while (done && sqlite3_step(row) == SQLITE_ROW) {
            sqlite3_bind_text(insert, 1, set, -1, SQLITE_STATIC);
            sqlite3_bind_value(insert, 2, sqlite3_column_value(row, 0));
            sqlite3_step(insert);
            sqlite3_reset(insert);
        }
        sqlite3_finalize(row);
    }
    sqlite3_finalize(insert);
    free(sql);
    return done;
}

/* Appends a condition that the item is in no trace of the baseline. `*why`: the reason if that
 * cannot be known; NULL: none. */
static bool judge_exclude_baseline(struct judge *judge, const struct figure *figure,
                                   const char *item, size_t trace, struct text *where,
                                   const char **why, struct error *error) {
    char *set = xasprintf("%s %d %s", figure->sources[0].report, (int)judge->of.traces[trace]->kind,
                          figure->key);
    char *quoted = sqlite3_mprintf("%Q", set);
    char *sql = xasprintf("INSERT INTO known_set VALUES (%s)", quoted);
    bool done = true;

    sqlite3_exec(judge->of.memory,
                 "CREATE TABLE IF NOT EXISTS known_set (name PRIMARY KEY);"
                 "CREATE TABLE IF NOT EXISTS known (name, item, PRIMARY KEY (name, item))",
                 NULL, NULL, NULL);
    *why = NULL;
    if (sqlite3_exec(judge->of.memory, sql, NULL, NULL, NULL) == SQLITE_OK) {
        done = collect_known(judge, figure, item, trace, set, why, error);
    }
    text_append_format(where,
                       " AND lasting(%s) NOT IN (SELECT item FROM known WHERE name = %s AND item"
                       " IS NOT NULL)",
                       item, quoted);
    sqlite3_free(quoted);
    free(sql);
    free(set);
    return done;
}

/* Appends the first names of rows as places, each with its first call. */
static bool append_new(struct judge *judge, const struct figure *figure, const char *item,
                       size_t trace, const char *where, struct text *places, struct error *error) {
    const struct figure_source *source = &figure->sources[0];
    char *sql = xasprintf("SELECT DISTINCT %s, %s FROM rows WHERE %s LIMIT %d", item,
                          strchr(item, '|') == NULL ? item : "name, error", where, CONTRACT_PLACES);
    sqlite3_stmt *row = measure_prepare(&judge->of, figure, source, trace, sql, error);
    size_t line = 0;

    while (row != NULL && sqlite3_step(row) == SQLITE_ROW) {
        judge_append_name(row, places);
        places_add_row(&judge->places, figure, judge->of.traces[trace], source->keys, row, line++);
    }
    free(sql);
    sqlite3_finalize(row);
    return row != NULL;
}

/* Counts the rows whose names no other contract covers, and appends some. */
static bool count_new(struct judge *judge, const struct contract *contract, size_t trace,
                      struct measured *measured, struct text *places, struct error *error) {
    const struct figure *figure = &contract->condition.figure;
    const struct figure_source *source = &figure->sources[0];
    const char *of = strcmp(source->report, "popularity") == 0 ? "calls" : source->report;
    const char *item = strcmp(of, "errors") == 0 ? "name || ' ' || error" : source->column;
    const char *why = NULL;
    struct text where = {0};
    bool done = true, covered = contract->file != NULL || judge->baseline.trace_count > 0;

    text_append_format(&where, "\"%s\" IS NOT NULL AND NOT (0", source->column);
    for (size_t i = 0; i < judge->contracts->count; i++) {
        const struct figure *other = &judge->contracts->contracts[i].condition.figure;

        if (other->name_count > 0 &&
            (strcmp(other->sources[0].report, source->report) == 0 ||
             (other->word != NULL && strcmp(other->word->name, of) == 0))) {
            text_append_string(&where, " OR (1");
            measure_append_names(&where, other, source->keys, source->keys, "name", NULL);
            text_append_char(&where, ')');
            covered = true;
        }
    }
    text_append_char(&where, ')');
    if (!covered) {
        measured->why = "nothing says which are known: --baseline LOG, or a baseline's file";
        text_free(&where);
        return true;
    }
    done = judge->baseline.trace_count == 0 ||
           judge_exclude_baseline(judge, figure, item, trace, &where, &why, error);
    if (done && why != NULL) {
        measured->why = why;
        text_free(&where);
        return true;
    }
    done = done && measure(&judge->of, figure, text_string(&where), trace, measured, error);
    done = done && (measured->number == 0 ||
                    append_new(judge, figure, item, trace, text_string(&where), places, error));
    text_free(&where);
    return done;
}

/* The place of a finding is its sentence, with the command for details. */
static bool judge_append_sentence(struct judge *judge, const struct figure *figure, size_t trace,
                                  struct text *places, struct error *error) {
    struct text sql = {0};
    sqlite3_stmt *statement;

    text_append_string(&sql,
                       "SELECT sentence || ': ' || command FROM rows WHERE sentence IS NOT NULL");
    measure_append_names(&sql, figure, "name", "name", "name", NULL);
    statement =
        measure_prepare(&judge->of, figure, &figure->sources[0], trace, text_string(&sql), error);
    while (statement != NULL && sqlite3_step(statement) == SQLITE_ROW) {
        judge_append_name(statement, places);
    }
    sqlite3_finalize(statement);
    text_free(&sql);
    return statement != NULL;
}

/* Appends the first matching rows of a report as places: the first column, and the columns in the
 * condition. */
static bool append_found_rows(struct judge *judge, const struct contract *contract, size_t trace,
                              struct text *places, struct error *error) {
    const struct figure *figure = &contract->condition.figure;
    const char *where = contract->where == NULL ? "1" : contract->where;
    char *sql = xasprintf("SELECT * FROM rows WHERE (\n%s\n) LIMIT %d", where, CONTRACT_PLACES);
    sqlite3_stmt *row = measure_prepare(&judge->of, figure, &figure->sources[0], trace, sql, error);
    size_t line = 0;

    while (row != NULL && sqlite3_step(row) == SQLITE_ROW) {
        bool is_empty = true;

        for (int i = 0; i < sqlite3_column_count(row); i++) {
            const char *name = sqlite3_column_name(row, i), *value = database_column_text(row, i);

            if (*value != '\0' && (i == 0 || measure_has_word(where, name))) {
                if (i > 0) {
                    text_append_format(places, "%s%s ", is_empty ? "" : ", ", name);
                }
                is_empty = false;
                text_append_escaped(places, value, strlen(value));
            }
        }
        text_append_char(places, '\n');
        places_add_row(&judge->places, figure, judge->of.traces[trace],
                       measure_keys(&judge->of, figure, trace), row, line++);
    }
    free(sql);
    sqlite3_finalize(row);
    return row != NULL;
}

static struct calls_found *found_of(const struct judge *judge, const struct contract *contract,
                                    size_t trace) {
    return &judge->found[(size_t)(contract - judge->contracts->contracts) * judge->of.trace_count +
                         trace];
}

/* Counts the calls that break an order, or match a condition. The first contract of a filter
 * searches for all of them. */
static bool count_calls(struct judge *judge, const struct contract *contract, size_t trace,
                        struct measured *measured, struct error *error) {
    const struct catalog_trace *of = judge->of.traces[trace];
    struct workspace *workspace = judge->judging->workspace;
    struct calls_found *found = found_of(judge, contract, trace);
    const size_t number = (size_t)(contract - judge->contracts->contracts);
    const bool is_order = contract->type == CONTRACT_ORDER;
    const char *why = NULL;

    if ((is_order &&
         !order_check_calls(contract, workspace->database, of, &judge->of.pool, &why, error)) ||
        (why == NULL && !found->is_searched &&
         !(is_order ? orders_find : counts_find)(judge->contracts, number, workspace, of,
                                                 judge->found + trace, judge->of.trace_count,
                                                 error))) {
        return false;
    }
    measured->why = why != NULL ? why : found->why;
    measured->note = is_order && !found->matches ? "no such call in the log" : NULL;
    measured->is_known = measured->why == NULL;
    measured->number = (double)found->count;
    return true;
}

/* Returns whether the contract's number is that of its places. */
static bool counts_places(const struct contract *contract) {
    const struct figure *figure = &contract->condition.figure;

    return contract->type != CONTRACT_CONDITION ||
           (figure->new
                ? strcmp(figure->sources[0].report, "errors") != 0
                : word_in("calls count errors opens reads writes fsyncs",
                          figure->word != NULL ? figure->word->name : figure->sources[0].column));
}

/* Appends how many places there are beyond those listed. */
static void append_more(struct outcome *outcome) {
    const char *places = text_string(&outcome->places);
    int listed = 0;

    for (const char *at = places; (at = strchr(at, '\n')) != NULL; at++) {
        listed++;
    }
    if (outcome->state == CONTRACT_BROKEN && listed == CONTRACT_PLACES &&
        outcome->counted > listed) {
        text_append_string(&outcome->places, "and ");
        condition_append_number(&outcome->places, outcome->counted - listed, COLUMN_INTEGER, false);
        text_append_string(&outcome->places, " more\n");
    }
}

/* Makes a number unknown if its condition names times or durations that the log lacks. */
static bool judge_check_times(struct judge *judge, const struct contract *contract, size_t trace,
                              struct measured *measured, struct error *error) {
    const struct catalog_trace *of = judge->of.traces[trace];
    const struct figure *figure = &contract->condition.figure;
    const char *where = contract->where == NULL ? "" : contract->where;
    const bool is_count = contract->type == CONTRACT_COUNT;
    const bool has_times =
        catalog_tells_times(of) || (!is_count && strcmp(of->clock_unit, CLOCK_UNIT_COUNTER) == 0);
    struct database_query remark;
    bool lacks = false;

    if (!has_times &&
        (is_count ? measure_has_word(where, "time")
                  : measure_names_kind(&judge->of, figure, trace, where, COLUMN_TIME))) {
        measured->why = "the log has no times in seconds";
    } else if (is_count ? measure_has_word(where, "duration")
                        : measure_names_kind(&judge->of, figure, trace, where, COLUMN_DURATION)) {
        remark = database_query(judge->of.workspace->database, error,
                                "SELECT 1 FROM main.remark WHERE trace = ?1"
                                " AND text LIKE 'no durations%' LIMIT 1",
                                "i", of->id);
        lacks = database_next(&remark) || (is_count && strcmp(of->clock_unit, "ns") != 0);
        measured->why = lacks ? "the log has no durations in seconds" : measured->why;
        return database_end(&remark);
    }
    return true;
}

/* Computes the contract's number, and the places. */
static bool judge_count(struct judge *judge, const struct contract *contract, size_t trace,
                        struct measured *measured, struct outcome *outcome, struct error *error) {
    const struct catalog_trace *of = judge->of.traces[trace];

    if (contract->condition.figure.new) {
        return count_new(judge, contract, trace, measured, &outcome->places, error);
    }
    if (contract->type == CONTRACT_ROWS &&
        !judge_check_times(judge, contract, trace, measured, error)) {
        return false;
    }
    if (measured->why != NULL) {
        return true;
    }
    if (contract->type == CONTRACT_CONDITION || contract->type == CONTRACT_ROWS) {
        return measure(&judge->of, &contract->condition.figure, contract->where, trace, measured,
                       error);
    }
    *measured =
        (struct measured){.kind = COLUMN_INTEGER, .at_least = of->rejected > 0 || of->lost > 0};
    if (contract->needs_files && catalog_meaning(of, "object", "file") == NULL) {
        measured->why = "the log names no files";
        return true;
    }
    if (contract->type == CONTRACT_COUNT &&
        !judge_check_times(judge, contract, trace, measured, error)) {
        return false;
    }
    return measured->why != NULL || count_calls(judge, contract, trace, measured, error);
}

/* Judges a contract in one trace. */
static bool judge_trace(struct judge *judge, const struct contract *contract, size_t trace,
                        struct outcome *outcome, struct error *error) {
    const struct condition *condition = &contract->condition;
    const struct calls_found *found = found_of(judge, contract, trace);
    const size_t baselines = condition->bound.factor != 0 ? judge->baseline.trace_count : 0;
    struct measured measured = {0}, *others = xcalloc(baselines + 1, sizeof *others);
    struct measured_baseline baseline = {others, 0};
    bool done = judge_count(judge, contract, trace, &measured, outcome, error);

    for (size_t i = 0; done && i < baselines; i++) {
        if (has_kind_of(judge, trace, i)) {
            done = measure(&judge->baseline, &condition->figure, NULL, i, &others[baseline.count++],
                           error);
        }
    }
    if (done && judge->baseline.trace_count > 0 && baselines > 0 && baseline.count == 0) {
        text_append_string(&outcome->why, MEASURE_NO_BASELINE);
    } else if (done) {
        outcome->state =
            condition_judge(condition, &measured, &baseline, judge->judging->point, &outcome->why);
    }
    if (measured.is_known) {
        condition_append_number(&outcome->number, measured.number, measured.kind,
                                measured.in_units);
        text_append_string(&outcome->number, measured.note == NULL ? "" : "; ");
        text_append_string(&outcome->number, measured.note == NULL ? "" : measured.note);
        outcome->counted = counts_places(contract) ? measured.number : 0;
    }
    free(others);
    if (done && outcome->state == CONTRACT_BROKEN && figure_is_finding(condition->figure.word)) {
        return judge_append_sentence(judge, &condition->figure, trace, &outcome->places, error);
    }
    if (done && outcome->state == CONTRACT_BROKEN && contract->type == CONTRACT_ROWS) {
        return append_found_rows(judge, contract, trace, &outcome->places, error);
    }
    if (done && outcome->state != CONTRACT_HOLDS && measured.is_known && found->count > 0) {
        places_add_found(&judge->places, contract, judge->of.traces[trace], found);
    }
    if (done && outcome->state == CONTRACT_BROKEN && contract->type == CONTRACT_CONDITION) {
        places_add_figure(&judge->places, &condition->figure, judge->of.traces[trace],
                          measure_keys(&judge->of, &condition->figure, trace));
    }
    return done;
}

static void outcome_free(struct outcome *outcome) {
    text_free(&outcome->number);
    text_free(&outcome->why);
    text_free(&outcome->places);
    for (size_t call = 0; call < outcome->call_count; call++) {
        free(outcome->calls[call].file);
    }
}

static struct outcome *new_outcome(struct outcomes *outcomes, const struct contract *contract) {
    struct outcome *outcome = ARRAY_NEW(outcomes->outcomes, outcomes->count, outcomes->capacity);

    *outcome = (struct outcome){.contract = contract, .state = CONTRACT_UNDECIDED};
    return outcome;
}

/* Frees outcomes of traces without the contract's report or row, from `first` on, if a trace of
 * another kind has it and none of their own kind does: a log can give several traces, of different
 * kinds. They have no contract then; places still count them. */
static void drop_other_kinds(struct outcomes *outcomes, size_t first) {
    unsigned has = 0;

    for (size_t i = first; i < outcomes->count; i++) {
        const char *why = text_string(&outcomes->outcomes[i].why);

        has |= strcmp(why, MEASURE_NO_ROW) != 0 && strcmp(why, MEASURE_NO_REPORT) != 0
                   ? 1U << outcomes->outcomes[i].trace->kind
                   : 0;
    }
    for (size_t i = first; has != 0 && i < outcomes->count; i++) {
        if ((has >> outcomes->outcomes[i].trace->kind & 1) == 0) {
            outcome_free(&outcomes->outcomes[i]);
            outcomes->outcomes[i] = (struct outcome){.contract = NULL};
        }
    }
}

/* Removes the outcomes without a contract, when the places are found. */
static void remove_dropped(struct outcomes *outcomes) {
    size_t kept = 0;

    for (size_t i = 0; i < outcomes->count; i++) {
        if (outcomes->outcomes[i].contract != NULL) {
            outcomes->outcomes[kept++] = outcomes->outcomes[i];
        }
    }
    outcomes->count = kept;
}

/* Judges a contract in each trace it applies to. */
static bool judge_contract(struct judge *judge, const struct contract *contract,
                           struct outcomes *outcomes, struct error *error) {
    const size_t first = outcomes->count;
    bool done = true, met[3] = {false};

    for (size_t i = 0; done && i < judge->of.trace_count; i++) {
        const struct catalog_trace *trace = judge->of.traces[i];

        if ((contract->condition.figure.kinds >> trace->kind & 1) != 0) {
            struct outcome *outcome = new_outcome(outcomes, contract);

            outcome->trace = trace;
            judge->places.outcome = outcomes->count - 1;
            done = judge_trace(judge, contract, i, outcome, error);
        }
    }
    drop_other_kinds(outcomes, first);
    for (size_t i = first; i < outcomes->count; i++) {
        met[outcomes->outcomes[i].state] |= outcomes->outcomes[i].contract != NULL;
    }
    if (outcomes->count == first) {
        text_append_string(&new_outcome(outcomes, contract)->why,
                           "no trace here is of a kind that has it");
        met[CONTRACT_UNDECIDED] = true;
    }
    outcomes->states[met[CONTRACT_BROKEN]      ? CONTRACT_BROKEN
                     : met[CONTRACT_UNDECIDED] ? CONTRACT_UNDECIDED
                                               : CONTRACT_HOLDS]++;
    return done || (contract->file == NULL ? error_context(error, "%s", contract->name)
                                           : error_context(error, "%s:%zu: %s", contract->file,
                                                           contract->where_line, contract->name));
}

bool contracts_judge(const struct contracts *contracts, const struct judging *judging,
                     struct outcomes *outcomes, struct error *error) {
    struct judge judge = {
        .contracts = contracts,
        .judging = judging,
        .of = {.workspace = judging->workspace, .request = judging->request},
        .baseline = {.workspace = judging->workspace, .request = judging->baseline},
    };
    bool done = measures_open(&judge.of, error);

    done = done && (judging->baseline == NULL || measures_open(&judge.baseline, error));
    judge.found = xcalloc(contracts->count * judge.of.trace_count + 1, sizeof *judge.found);
    for (size_t i = 0; done && i < contracts->count; i++) {
        done = judge_contract(&judge, &contracts->contracts[i], outcomes, error);
    }
    done = done && places_find(&judge.places, outcomes, judging->workspace, error);
    places_free(&judge.places);
    remove_dropped(outcomes);
    for (size_t i = 0; i < outcomes->count; i++) {
        append_more(&outcomes->outcomes[i]);
    }
    free(judge.found);
    measures_close(&judge.of);
    measures_close(&judge.baseline);
    return done;
}

void outcomes_free(struct outcomes *outcomes) {
    for (size_t i = 0; i < outcomes->count; i++) {
        outcome_free(&outcomes->outcomes[i]);
    }
    free(outcomes->outcomes);
}
