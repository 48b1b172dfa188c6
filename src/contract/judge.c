/* Judges contracts, declared in contract.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/words.h"
#include "contract/contract.h"
#include "contract/order.h"
#include "contract/places.h"
#include "scan/event_filter.h"

/* --- places of broken contracts: which calls to look for -------------------------------------- */

enum { OF_NAME, OF_FILE, OF_ERROR, PICK_SETS };

/* A search for calls whose name, file and error are in `sets`. */
struct pick {
    /* Index of the outcome (result of a contract) whose places receive the calls. line, if is_row:
     * number of the row's line in these places. */
    size_t outcome, line;
    /* The calls searched for: the first ones, those with the longest durations, or most bytes. */
    enum { PICK_FIRST, PICK_LONGEST, PICK_LARGEST } by;
    /* is_row: searches for the call of a report's row; has_failed: for failed calls only. */
    bool is_row, has_failed;
    int64_t time; /* time at which the call must begin; EVENT_NONE: any */
    /* Owned; SQL conditions that select the ids in each of `sets`, each beginning with AND; "": any
     * id. */
    struct text where[PICK_SETS];
    struct id_set sets[PICK_SETS]; /* owned; ids of names, files and errors */
    /* Borrowed; a contract whose calls a pass has already found; NULL: none. */
    const struct contract *contract;
    /* Borrowed; the calls found for `contract`. */
    const struct calls_found *found;
    size_t count, most;
    /* ranks: durations or bytes, in descending order; 0 for the first calls */
    int64_t calls[CONTRACT_PLACES], times[CONTRACT_PLACES], ranks[CONTRACT_PLACES];
};

struct place_group {
    char *key;                         /* owned; key of the hash table: trace and filter */
    const struct catalog_trace *trace; /* borrowed, like `filter` */
    const struct filter *filter;
    struct pick *picks; /* owned */
    size_t count, capacity;
    size_t waiting; /* number of searches that are not complete */
    UT_hash_handle hh;
};

static struct pick *new_call_choice(struct places *places, const struct figure *figure,
                                    const struct catalog_trace *trace) {
    char *key = xasprintf("%lld\n%s", (long long)trace->id, figure->key);
    struct place_group *group;
    struct pick *pick;

    HASH_FIND_STR(places->groups, key, group);
    if (group == NULL) {
        group = xcalloc(1, sizeof *group);
        *group = (struct place_group){.key = key, .trace = trace, .filter = &figure->filter};
        HASH_ADD_KEYPTR(hh, places->groups, group->key, strlen(group->key), group);
    } else {
        free(key);
    }
    pick = ARRAY_NEW(group->picks, group->count, group->capacity);
    *pick = (struct pick){.outcome = places->outcome, .time = EVENT_NONE, .most = CONTRACT_PLACES};
    return pick;
}

/* Adds a search for the first calls that the figure counts, for its longest calls if it is a time,
 * or for the largest ones if it is a number of bytes. Does nothing for figures not about calls.
 * `keys`: for a cell of a report, the columns that identify a row, separated by spaces. */
static void places_add_figure(struct places *places, struct pool *pool, const struct figure *figure,
                              const struct catalog_trace *trace, const char *keys) {
    static const char *const columns[PICK_SETS] = {"name", "file", "error"};
    const struct figure_source *source = &figure->sources[0];
    const bool is_cell = source->keys == NULL;
    struct figure placed;
    struct pick *pick;

    keys = is_cell ? keys : source->keys;
    if (figure->new || trace->kind != TRACE_CALLS || strcmp(source->report, "findings") == 0 ||
        (is_cell
             ? !(word_in("name file", keys) || strcmp(keys, "name error file") == 0) ||
                   !word_in("errors files syscalls popularity latency percentiles", source->report)
             : strncmp(keys, "name", 4) != 0 && strcmp(keys, "file") != 0)) {
        return;
    }
    pick = new_call_choice(places, figure, trace);
    pick->by = figure->kind == COLUMN_DURATION ? PICK_LONGEST
               : figure->kind == COLUMN_BYTES  ? PICK_LARGEST
                                               : PICK_FIRST;
    pick->has_failed =
        strcmp(source->report, "errors") == 0 || strcmp(source->column, "errors") == 0;
    for (int i = 0; i < PICK_SETS; i++) {
        measure_append_names(&pick->where[i],
                             measure_match_names_to_keys(pool, figure, keys, keys, &placed), keys,
                             "name file error", "op", columns[i]);
    }
    measure_append_effect_filter(&pick->where[OF_NAME], source->column);
}

/* Adds to a search the condition that a column has the same value as in the row. */
static void add_column(struct pick *pick, const char *column, sqlite3_stmt *row, int at) {
    static const char *const columns[PICK_SETS] = {"name what", "file", "error"},
                             *const names[PICK_SETS] = {"op", "file", "error"};
    const char *value = database_column_text(row, at);

    for (int i = 0; i < PICK_SETS; i++) {
        if (word_in(columns[i], column) && *value != '\0') {
            text_append_format(&pick->where[i], " AND %s = ", names[i]);
            measure_append_quoted(&pick->where[i], value, strlen(value), false);
        }
    }
    if (strcmp(column, "time") == 0 && sqlite3_column_type(row, at) == SQLITE_INTEGER) {
        pick->time = sqlite3_column_int64(row, at);
    }
}

/* Adds a search for the first call that belongs to a row of the figure's report. `line`: the row's
 * line in the outcome's places. `keys`: columns that identify a row, separated by spaces. */
static void places_add_row(struct places *places, const struct figure *figure,
                           const struct catalog_trace *trace, const char *keys, sqlite3_stmt *row,
                           size_t line) {
    struct pick pick = {.time = EVENT_NONE}, *added;
    char key[64];
    bool names = trace->kind == TRACE_CALLS;

    for (const char *at = keys; *at != '\0'; at += strspn(at, " ")) {
        const int length = (int)strcspn(at, " ");

        snprintf(key, sizeof key, "%.*s", length, at);
        names = names && word_in("name what file error", key);
        at += length;
    }
    for (int i = 0; names && i < sqlite3_column_count(row); i++) {
        const char *column = sqlite3_column_name(row, i);

        if (*keys == '\0' || word_in(keys, column)) {
            add_column(&pick, column, row, i);
        }
    }
    if (!names || (*keys == '\0' && (pick.time == EVENT_NONE || pick.where[OF_NAME].length == 0)) ||
        pick.where[OF_NAME].length + pick.where[OF_FILE].length == 0) {
        for (int i = 0; i < PICK_SETS; i++) {
            text_free(&pick.where[i]);
        }
        return;
    }
    added = new_call_choice(places, figure, trace);
    pick.outcome = places->outcome;
    pick.line = line;
    pick.is_row = true;
    pick.most = 1;
    *added = pick;
}

/* --- finding the calls in a pass -------------------------------------------------------------- */

static bool read_sets(struct pick *pick, struct database *database, int64_t trace,
                      struct error *error) {
    static const char *const rows[PICK_SETS] = {"text AS op FROM main.name",
                                                "name AS file FROM main.object",
                                                "text AS error FROM main.name"};
    bool done = true;

    for (int i = 0; done && i < PICK_SETS; i++) {
        if (pick->where[i].length > 0) {
            char *sql =
                xasprintf("SELECT id FROM (SELECT id, %s WHERE trace = ?1) WHERE 1%s ORDER BY id",
                          rows[i], text_string(&pick->where[i]));

            done = id_set_query(&pick->sets[i], database, sql, trace, error);
            free(sql);
        }
    }
    return done;
}

/* Inserts a call into the results, sorted by descending rank. Calls of equal rank stay in log
 * order.
 */
static void insert_call(struct pick *pick, const struct event_columns *columns, size_t i,
                        int64_t rank) {
    size_t at = pick->count < pick->most ? pick->count++ : pick->most - 1;

    for (; at > 0 && pick->ranks[at - 1] < rank; at--) {
        pick->calls[at] = pick->calls[at - 1];
        pick->times[at] = pick->times[at - 1];
        pick->ranks[at] = pick->ranks[at - 1];
    }
    pick->calls[at] = columns->id[i];
    pick->times[at] = columns->time[i];
    pick->ranks[at] = rank;
}

static bool places_visit(void *context, const struct event_columns *columns, size_t count,
                         struct error *error) {
    struct place_group *group = context;

    for (size_t k = 0; k < group->count; k++) {
        struct pick *pick = &group->picks[k];
        const uint32_t *const ids[PICK_SETS] = {columns->operation, columns->object,
                                                columns->error};
        const int64_t *ranks = pick->by == PICK_LARGEST   ? columns->size
                               : pick->by == PICK_LONGEST ? columns->duration
                                                          : NULL;

        for (size_t i = 0; i < count && (pick->count < pick->most || ranks != NULL); i++) {
            const int64_t rank = ranks == NULL ? 0 : ranks[i];
            bool fits = (pick->count < pick->most || rank > pick->ranks[pick->most - 1]) &&
                        (pick->time == EVENT_NONE || pick->time == columns->time[i]) &&
                        (!pick->has_failed || columns->error[i] != 0);

            for (int s = 0; fits && s < PICK_SETS; s++) {
                fits = pick->where[s].length == 0 || id_set_has(&pick->sets[s], ids[s][i]);
            }
            if (fits) {
                insert_call(pick, columns, i, rank);
                group->waiting -= pick->count == pick->most && ranks == NULL;
            }
        }
    }
    return group->waiting > 0;
}

/* Adds the calls that searches found to the outcomes, as places (calls with log lines). */
static bool add_places(const struct place_group *group, struct outcomes *outcomes,
                       struct database *database, struct error *error) {
    bool done = true;

    for (size_t i = 0; done && i < group->count; i++) {
        const struct pick *pick = &group->picks[i];
        struct outcome *outcome = &outcomes->outcomes[pick->outcome];

        if (pick->found != NULL) {
            done = contract_list_calls_found(pick->contract, pick->found, database, outcome, error);
        } else if (!pick->is_row) {
            done = pick->count == 0 ||
                   contract_list_calls(pick->calls, pick->count, pick->by == PICK_LARGEST, database,
                                       outcome, error);
        } else if (pick->count > 0) {
            for (; outcome->call_count <= pick->line; outcome->call_count++) {
                outcome->calls[outcome->call_count].event = EVENT_NONE;
            }
            outcome->calls[pick->line].event = pick->calls[0];
            outcome->calls[pick->line].time = pick->times[0];
        }
    }
    return done;
}

/* Runs all searches for calls, in a pass per trace and filter, and adds places to the outcomes. */
static bool places_find(struct places *places, struct outcomes *outcomes,
                        struct workspace *workspace, struct error *error) {
    bool done = true;

    for (struct place_group *group = places->groups; done && group != NULL;
         group = group->hh.next) {
        struct selected_calls calls = {.temp = {.database = workspace->database}};
        void *const context = group;
        unsigned fields = 0;

        for (size_t i = 0; done && i < group->count; i++) {
            group->waiting += group->picks[i].found == NULL;
            fields |= group->picks[i].by == PICK_LARGEST ? EVENT_SIZE : 0;
            done = read_sets(&group->picks[i], workspace->database, group->trace->id, error);
        }
        done = done && selected_calls_open(&calls, workspace, group->trace, group->filter,
                                           "selected_event thread", error);
        calls.fields = fields;
        done =
            done &&
            (group->waiting == 0 || selected_calls_scan(&calls, places_visit, &context, 1, error) ||
             group->waiting == 0) &&
            add_places(group, outcomes, workspace->database, error);
        selected_calls_close(&calls);
    }
    return done;
}

static void places_free(struct places *places) {
    for (struct place_group *group = places->groups; group != NULL; group = group->hh.next) {
        for (size_t i = 0; i < group->count; i++) {
            for (int s = 0; s < PICK_SETS; s++) {
                text_free(&group->picks[i].where[s]);
                id_set_free(&group->picks[i].sets[s]);
            }
        }
        free(group->picks);
        free(group->key);
    }
    HASH_FREE(places->groups);
}

struct judge {
    const struct contracts *contracts;
    const struct judging *judging;
    struct measures of, baseline;
    struct calls_found *found; /* owned; results of passes, by contract, then by trace */
    struct places places;
};

/* Appends the first column of a row, escaped, and a newline. */
static void judge_append_name(sqlite3_stmt *row, struct text *places) {
    const char *name = database_column_text(row, 0);

    text_append_escaped(places, name, strlen(name));
    text_append_char(places, '\n');
}

/* Returns true if a trace of the baseline is of the same kind as the judged `trace`, or of a kind
 * that no judged trace has. A log can be imported as traces of several kinds. */
static bool has_kind_of(const struct judge *judge, size_t trace, size_t baseline) {
    const enum trace_kind kind = judge->baseline.traces[baseline]->kind;
    bool others = false;

    for (size_t i = 0; i < judge->of.trace_count; i++) {
        others |= judge->of.traces[i]->kind == kind;
    }
    return kind == judge->of.traces[trace]->kind || !others;
}

/* Inserts into `known` the names (SQL expression `item`) from the baseline's traces of the same
 * kind, under the name `set`. `*why`: reason if the names are unknown, such as a missing report;
 * else NULL. */
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
        done = measure_figure_in_trace(&judge->baseline, figure, NULL, i, &measured, error);
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

/* Appends an SQL condition: no trace of the baseline has the name. `*why`: reason if that is
 * unknown; else NULL. */
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

/* Lists, in the outcome's places, the names that the baseline lacks; searches for the first call of
 * each name. */
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

/* Counts the rows whose names no other contract matches, and lists the first ones in the outcome's
 * places. */
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
        measured->why =
            "it is not known which ones are new: give --baseline LOG, or the file of a baseline";
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
    done = done &&
           measure_figure_in_trace(&judge->of, figure, text_string(&where), trace, measured, error);
    done = done && (measured->number == 0 ||
                    append_new(judge, figure, item, trace, text_string(&where), places, error));
    text_free(&where);
    return done;
}

/* Appends the finding's sentence and the command for details to the places, instead of calls. */
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

/* Lists, in the outcome's places, the first rows of a report that meet the condition: their first
 * column, and the columns in the condition. */
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
                       measure_row_keys(&judge->of, figure, trace), row, line++);
    }
    free(sql);
    sqlite3_finalize(row);
    return row != NULL;
}

static struct calls_found *found_events_of_contract(const struct judge *judge,
                                                    const struct contract *contract, size_t trace) {
    return &judge->found[(size_t)(contract - judge->contracts->contracts) * judge->of.trace_count +
                         trace];
}

/* Counts the calls that break an order, or meet a condition. The first contract with a filter runs
 * a pass over the events, which finds the calls for all contracts with this filter. */
static bool count_calls(struct judge *judge, const struct contract *contract, size_t trace,
                        struct measured *measured, struct error *error) {
    const struct catalog_trace *of = judge->of.traces[trace];
    struct workspace *workspace = judge->judging->workspace;
    struct calls_found *found = found_events_of_contract(judge, contract, trace);
    const size_t number = (size_t)(contract - judge->contracts->contracts);
    const bool is_order = contract->type == CONTRACT_ORDER;
    const char *why = NULL;

    if ((is_order &&
         !order_check_calls(contract, workspace->database, of, &judge->of.pool, &why, error)) ||
        (why == NULL && !found->is_searched &&
         !calls_find(judge->contracts, number, workspace, of, judge->found + trace,
                     judge->of.trace_count, error))) {
        return false;
    }
    measured->why = why != NULL ? why : found->why;
    measured->note = is_order && found->matches == 0 ? "no such call in the log" : NULL;
    measured->of = is_order ? (double)found->matches : 0;
    measured->is_known = measured->why == NULL;
    measured->number = (double)found->count;
    return true;
}

/* Returns true if the measured number of a contract counts what its places list (calls or rows). */
static bool counts_places(const struct contract *contract) {
    const struct figure *figure = &contract->condition.figure;

    return contract->type != CONTRACT_CONDITION || figure->new ||
           word_in("calls count errors opens reads writes fsyncs",
                   figure->word != NULL ? figure->word->name : figure->sources[0].column);
}

/* Appends the number of places (calls that break the contract) that are not listed. */
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

/* Makes a contract's number unknown if it depends on times or durations, which the log lacks. */
static bool judge_check_times(struct judge *judge, const struct contract *contract, size_t trace,
                              struct measured *measured, struct error *error) {
    const struct catalog_trace *of = judge->of.traces[trace];
    const struct figure *figure = &contract->condition.figure;
    const char *where = contract->where == NULL ? "" : contract->where;
    const bool is_count = contract->type == CONTRACT_COUNT;
    const bool has_times = catalog_has_times_in_seconds(of) ||
                           (!is_count && strcmp(of->clock_unit, CLOCK_UNIT_COUNTER) == 0);
    struct database_query remark;
    bool lacks = false;

    if (!has_times &&
        (is_count ? measure_has_word(where, "time")
                  : measure_uses_kind(&judge->of, figure, trace, where, COLUMN_TIME))) {
        measured->why = "the log has no times in seconds";
    } else if (is_count ? measure_has_word(where, "duration")
                        : measure_uses_kind(&judge->of, figure, trace, where, COLUMN_DURATION)) {
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

/* Computes the measured number of a contract, and appends the places where it is broken. */
static bool judge_count(struct judge *judge, const struct contract *contract, size_t trace,
                        struct measured *measured, struct outcome *outcome, struct error *error) {
    const struct catalog_trace *of = judge->of.traces[trace];

    measured->why = measure_why_outside_window(of, &contract->condition.figure);
    if (measured->why != NULL) {
        return true;
    }
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
        return measure_figure_in_trace(&judge->of, &contract->condition.figure, contract->where,
                                       trace, measured, error);
    }
    *measured =
        (struct measured){.kind = COLUMN_INTEGER, .at_least = of->rejected > 0 || of->lost > 0};
    if (contract->needs_files && !measure_log_names_files(of)) {
        measured->why = MEASURE_NO_FILES;
        return true;
    }
    return (contract->type != CONTRACT_COUNT ||
            judge_check_times(judge, contract, trace, measured, error)) &&
           (measured->why != NULL || count_calls(judge, contract, trace, measured, error));
}

/* Judges a contract in a trace. */
static bool judge_trace(struct judge *judge, const struct contract *contract, size_t trace,
                        struct outcome *outcome, struct error *error) {
    const struct condition *condition = &contract->condition;
    const struct calls_found *found = found_events_of_contract(judge, contract, trace);
    const size_t baselines = condition->bound.factor != 0 ? judge->baseline.trace_count : 0;
    struct measured measured = {0}, *others = xcalloc(baselines + 1, sizeof *others);
    struct measured_baseline baseline = {others, 0};
    bool done = judge_count(judge, contract, trace, &measured, outcome, error);

    for (size_t i = 0; done && i < baselines; i++) {
        if (has_kind_of(judge, trace, i)) {
            done = measure_figure_in_trace(&judge->baseline, &condition->figure, NULL, i,
                                           &others[baseline.count++], error);
        }
    }
    if (done && judge->baseline.trace_count > 0 && baselines > 0 && baseline.count == 0) {
        text_append_string(&outcome->why, MEASURE_NO_BASELINE);
    } else if (done) {
        outcome->state =
            condition_judge(condition, &measured, &baseline, judge->judging->point, &outcome->why);
    }
    if (measured.is_known) {
        condition_append_measured(&outcome->number, &measured, &condition->bound);
        if (measured.of > 0) {
            text_append_string(&outcome->number, " of ");
            condition_append_number(&outcome->number, measured.of, COLUMN_INTEGER, false);
        }
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
        /* The calls found for a contract on an order or a count are listed as places later. */
        struct pick *pick =
            new_call_choice(&judge->places, &contract->condition.figure, judge->of.traces[trace]);

        pick->contract = contract;
        pick->found = found;
        pick->most = 0;
    }
    if (done && outcome->state == CONTRACT_BROKEN && contract->type == CONTRACT_CONDITION) {
        places_add_figure(&judge->places, &judge->of.pool, &condition->figure,
                          judge->of.traces[trace],
                          measure_row_keys(&judge->of, &condition->figure, trace));
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

/* Clears outcomes, from index `first` on, of traces whose kind does not suit the contract: the
 * trace lacks its report or row, as do all traces of the same kind, but a trace of another kind has
 * it. A log can become traces of several kinds. Cleared outcomes stay in the list, with NULL as
 * contract, since searches refer to outcomes by index. */
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

/* Removes the outcomes whose contract drop_other_kinds() has set to NULL. Call it when all searches
 * are done, since searches refer to outcomes by index. */
static void remove_dropped(struct outcomes *outcomes) {
    size_t kept = 0;

    for (size_t i = 0; i < outcomes->count; i++) {
        if (outcomes->outcomes[i].contract != NULL) {
            outcomes->outcomes[kept++] = outcomes->outcomes[i];
        }
    }
    outcomes->count = kept;
}

/* Judges a contract in each trace of a suitable kind. */
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
        struct text kinds = {0};

        figure_append_kinds(&kinds, contract->condition.figure.kinds);
        text_append_format(&new_outcome(outcomes, contract)->why,
                           "no trace here has this figure, which needs %s", text_string(&kinds));
        text_free(&kinds);
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
