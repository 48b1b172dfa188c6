/* Contracts on orders, counts and rows, and the places in the log where they are broken. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "base/pair_numbers.h"
#include "base/words.h"
#include "contract/order.h"
#include "contract/places.h"
#include "scan/event_scan.h"
#include "select/layer.h"

/* SQL for the events, with the columns that users' conditions may use. Statements that only list
 * places leave out processes, whose labels take time to find. */
#define EVENTS_WITH(columns, join)                                                                 \
    "WITH events AS NOT MATERIALIZED (SELECT e.id, e.operation, e.object, e.time AS ns, "          \
    "ifnull(e.duration, 0) AS took,"                                                               \
    " e.time / 1e9 AS time, e.duration / 1e9 AS duration, n.text AS op, o.name AS file,"           \
    " t.label AS thread," columns " f.text AS error, e.size AS bytes, e.value AS result"           \
    " FROM temp.selected_event AS e LEFT JOIN main.name AS n ON n.id = e.operation"                \
    " LEFT JOIN main.object AS o ON o.id = e.object"                                               \
    " LEFT JOIN main.name AS f ON f.id = e.error LEFT JOIN temp.thread AS t ON t.id = "            \
    "e.actor" join ")"
#define EVENTS EVENTS_WITH(" p.label AS process,", " LEFT JOIN temp.process AS p ON p.id = e.actor")

/* Appends a call with its log line to the outcome's places. The row has the columns of
 * contract_events_append_listed(); `kind` is that of the call's number in it. */
static void contract_events_append_place(sqlite3_stmt *row, enum column_kind kind,
                                         struct outcome *outcome) {
    const char *rest = database_column_text(row, 8);
    struct text *places = &outcome->places;

    outcome->calls[outcome->call_count++] = (struct violating_call){
        .event = sqlite3_column_int64(row, 6), .time = sqlite3_column_int64(row, 7)};
    if (catalog_has_times_in_seconds(outcome->trace)) {
        text_append_format(places, "%.6f s ", sqlite3_column_double(row, 4));
    }
    for (int i = 0; i < 4; i++) {
        const char *text = database_column_text(row, i);

        text_append_string(places, i == 0 || *text == '\0' ? "" : " ");
        text_append_escaped(places, text, strlen(text));
    }
    if (sqlite3_column_int64(row, 5) > 0) {
        text_append_char(places, ' ');
        condition_append_number(places, sqlite3_column_double(row, 5), kind, false);
    }
    text_append_escaped(places, rest, strlen(rest));
    text_append_char(places, '\n');
}

/* Runs a statement whose rows are calls. Appends each call with its log line to the outcome's
 * places. */
static bool contract_events_read(const struct text *sql, enum column_kind kind,
                                 struct database *database, struct outcome *outcome,
                                 struct error *error) {
    sqlite3_stmt *statement = database_prepare_read_only(database, text_string(sql), error);
    bool row = true, done = statement != NULL;

    while (done && (done = database_step(database, statement, &row, error)) && row) {
        contract_events_append_place(statement, kind, outcome);
    }
    sqlite3_finalize(statement);
    return done;
}

static bool reads_word(const void *words, const char *name) {
    return word_in(words, name);
}

bool selected_calls_open(struct selected_calls *calls, struct workspace *workspace,
                         const struct catalog_trace *trace, const struct filter *filter,
                         const char *reads, struct error *error) {
    struct selection_request request = {
        .traces = &trace, .count = 1, .reads = reads_word, .reader = reads};
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
                         void *const *contexts, size_t count, struct error *error) {
    const struct selected_trace *trace = &calls->selection.traces[0];
    struct event_scan scan;

    event_scan_init(&scan, &calls->selection, trace);
    scan.fields =
        EVENT_OPERATION | EVENT_OBJECT | EVENT_ERROR | EVENT_ACTOR | EVENT_DURATION | calls->fields;
    scan.visit = visit;
    return trace->last < trace->first ||
           event_scan_in_parallel(&scan, contexts, count, NULL, 0, error);
}

/* Appends SQL that returns a row for each of `calls`, to be listed with its log line. The caller
 * appends the last column, a text to print after the call. `since`: for each call, an event that
 * this text names; or NULL. `number`: column printed behind the call. */
static void contract_events_append_listed(struct text *sql, const int64_t *calls,
                                          const int64_t *since, size_t count, const char *number) {
    text_append_string(sql, EVENTS_WITH("", "") ", found(n, event, since) AS (VALUES ");
    for (size_t i = 0; i < count; i++) {
        text_append_format(sql, "%s(%zu, %lld, ", i > 0 ? ", " : "", i, (long long)calls[i]);
        text_append_format(sql, since == NULL || since[i] == EVENT_NONE ? "NULL)" : "%lld)",
                           since == NULL ? 0 : (long long)since[i]);
    }
    text_append_format(sql, ") SELECT e.thread, e.op, e.file, e.error, e.time, %s, e.id, e.ns, ",
                       number);
}
#define LISTED " FROM found AS f CROSS JOIN events AS e ON e.id = f.event ORDER BY f.n"

bool contract_list_calls(const int64_t *calls, size_t count, bool with_bytes,
                         struct database *database, struct outcome *outcome, struct error *error) {
    struct text sql = {0};
    bool done;

    contract_events_append_listed(&sql, calls, NULL, count, with_bytes ? "e.bytes" : "e.took");
    text_append_string(&sql, "NULL" LISTED);
    done = contract_events_read(&sql, with_bytes ? COLUMN_BYTES : COLUMN_DURATION, database,
                                outcome, error);
    text_free(&sql);
    return done;
}

/* --- numbers of calls that meet conditions ---------------------------------------------------- */

bool contract_list_calls_found(const struct contract *contract, const struct calls_found *found,
                               struct database *database, struct outcome *outcome,
                               struct error *error) {
    const struct order_part *after = &contract->order[ORDER_AFTER];
    struct text sql = {0}, missing = {0};
    bool done;

    contract_events_append_listed(
        &sql, found->calls, found->since,
        found->count < CONTRACT_PLACES ? (size_t)found->count : CONTRACT_PLACES, "e.took");
    if (contract->type == CONTRACT_ORDER) {
        text_append_format(&missing, ", without %s%s%s", after->operation,
                           after->file == NULL ? "" : " ", after->file == NULL ? "" : after->file);
        measure_append_quoted(&sql, text_string(&missing), missing.length, false);
        text_append_string(&sql, " || ifnull((SELECT ' since '");
        text_append_string(&sql, catalog_has_times_in_seconds(outcome->trace)
                                     ? " || format('%.6f s ', o.time)"
                                     : "");
        text_append_string(
            &sql,
            " || format('%s %s', o.op, o.file) FROM events AS o WHERE o.id = f.since), ' before')");
    } else {
        text_append_string(&sql, "NULL");
    }
    text_append_string(&sql, LISTED);
    done = contract_events_read(&sql, COLUMN_DURATION, database, outcome, error);
    text_free(&missing);
    text_free(&sql);
    return done;
}

/* Limit of contracts whose conditions one SQL statement evaluates. */
#define COUNTS_AT_ONCE 32

/* Limit of groups of calls. If it is exceeded, conditions are evaluated for each call instead. */
#define CALL_GROUPS ((size_t)1 << 19)

/* --- tests in conditions: comparisons with a number ------------------------------------------- */

/* Limit of tests (COLUMN OPERATOR NUMBER) in a set: a 32-bit number stores their results for a
 * call, two bits each. */
#define NUMBER_TESTS 16

enum { TEST_FALSE, TEST_TRUE, TEST_NULL };

/* A test in a condition: COLUMN OPERATOR NUMBER. It is computed for each call without SQL. */
struct number_test {
    const char *text; /* borrowed; the test's text, and its column's name in SQL on groups */
    size_t length;
    enum { TEST_TIME, TEST_DURATION, TEST_BYTES, TEST_RESULT, TEST_COLUMNS } column;
    bool less, equal, more; /* true: the test holds if the value is below, equal or above */
    int64_t low, high;      /* the integers that equal the number in SQL; high < low: none */
};

struct number_tests {
    struct number_test list[NUMBER_TESTS];
    size_t count;
};

static bool is_sql_word(const char *text, size_t length, const char *word) {
    return length == strlen(word) && strncasecmp(text, word, length) == 0;
}

/* Returns the least time in ns that is `seconds` or more in SQL (`is_more`: strictly more). */
static int64_t first_time(double seconds, bool is_more) {
    int64_t low = -INT64_MAX / 2, high = INT64_MAX / 2;

    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        const double other = (double)middle / 1e9;

        if (is_more ? other > seconds : other >= seconds) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

/* Evaluates the number that a test compares with, and stores it in `test` (low, high). Returns
 * false if C might compare differently from SQLite. */
static bool read_test_number(struct number_test *test, const char *text, size_t length,
                             struct database *database) {
    struct error ignored = {0};
    char *sql = xasprintf("SELECT %.*s", (int)length, text);
    sqlite3_stmt *row = database_prepare_read_only(database, sql, &ignored);
    bool is_row = false, done = row != NULL && database_step(database, row, &is_row, &ignored);

    if (done) {
        const double real = sqlite3_column_double(row, 0);

        test->low = test->high = sqlite3_column_int64(row, 0);
        if (test->column <= TEST_DURATION) {
            test->low = first_time(real, false);
            test->high = first_time(real, true) - 1;
        }
        done = test->column <= TEST_DURATION ? real > -4e9 && real < 4e9
                                             : sqlite3_column_type(row, 0) == SQLITE_INTEGER;
    }
    sqlite3_finalize(row);
    free(sql);
    return done;
}

/* Parses a test, which AND, OR, a closing bracket or the end must follow. Returns its length; 0 if
 * there is no such test. */
static size_t read_test(struct number_test *test, const char *text, struct database *database) {
    static const char *const columns[TEST_COLUMNS] = {"time", "duration", "bytes", "result"};
    static const char blanks[] = " \t\r\n", digits[] = "0123456789";
    const size_t word = strspn(text, CONDITION_LETTERS);
    const char *at = text + word, *number;
    size_t column = 0, next;

    while (column < TEST_COLUMNS && !is_sql_word(text, word, columns[column])) {
        column++;
    }
    at += strspn(at, blanks);
    *test = (struct number_test){.text = text,
                                 .column = column,
                                 .less = *at == '<' || *at == '!',
                                 .equal = *at == '=',
                                 .more = *at == '>' || *at == '!'};
    if (column == TEST_COLUMNS || !(test->less || test->equal || test->more) ||
        (*at == '!' && at[1] != '=')) {
        return 0;
    }
    test->equal |= *at != '!' && at[1] == '=';
    test->more |= *at == '<' && at[1] == '>';
    at += at[1] == '=' || (*at == '<' && at[1] == '>') ? 2 : 1;
    number = at += strspn(at, blanks);
    at += *at == '-';
    at += strspn(at, digits);
    at += *at == '.' ? 1 + strspn(at + 1, digits) : 0;
    next = strspn(at, blanks);
    if (at == number || strspn(at, CONDITION_LETTERS) > 0 ||
        !(at[next] == '\0' || at[next] == ')' ||
          is_sql_word(at + next, strspn(at + next, CONDITION_LETTERS), "and") ||
          is_sql_word(at + next, strspn(at + next, CONDITION_LETTERS), "or")) ||
        !read_test_number(test, number, (size_t)(at - number), database)) {
        return 0;
    }
    test->length = (size_t)(at - text);
    return test->length;
}

static void add_test(struct number_tests *tests, const struct number_test *test) {
    for (size_t i = 0; i < tests->count; i++) {
        if (tests->list[i].length == test->length &&
            memcmp(tests->list[i].text, test->text, test->length) == 0) {
            return;
        }
    }
    tests->list[tests->count++] = *test;
}

/* Copies a condition, in which each test (such as `bytes > 4096`) becomes a quoted column whose
 * name is the test's text. A test is an operand of AND, OR or NOT, or alone in brackets, so the
 * replacement does not change operator precedence. */
static void take_tests(struct number_tests *tests, const char *where, struct database *database,
                       struct text *sql) {
    const bool is_plain = strpbrk(where, "\"`[") == NULL && strstr(where, "--") == NULL &&
                          strstr(where, "/*") == NULL && !measure_has_word(where, "between") &&
                          !measure_has_word(where, "case") && !measure_has_word(where, "select");
    bool starts = true; /* true: an operand may start at `at` */

    for (const char *at = where; *at != '\0';) {
        const size_t word = strspn(at, CONDITION_LETTERS);
        struct number_test test;
        size_t length = 0;

        if (is_plain && starts && word > 0 && tests->count < NUMBER_TESTS &&
            (length = read_test(&test, at, database)) > 0) {
            text_append_format(sql, "\"%.*s\"", (int)length, at);
            add_test(tests, &test);
            at += length;
            starts = false;
            continue;
        }
        length = word > 0 ? word : 1;
        if (*at == '\'') {
            length += strcspn(at + 1, "'");
            length += at[length] == '\'';
        }
        starts = word > 0 ? is_sql_word(at, word, "and") || is_sql_word(at, word, "or") ||
                                (starts && is_sql_word(at, word, "not"))
                          : *at == '(' || (starts && strchr(" \t\r\n", *at) != NULL);
        text_append(sql, at, length);
        at += length;
    }
}

/* Number of calls that are grouped at a time. */
enum { CALLS_AT_ONCE = 1024 };

/* Computes the results of the tests for `count` calls from index `from` on, two bits per test. */
static void compute_tests(const struct number_tests *tests, const struct event_columns *columns,
                          size_t from, size_t count, uint32_t *results) {
    const int64_t *const values[TEST_COLUMNS] = {columns->time, columns->duration, columns->size,
                                                 columns->value};

    memset(results, 0, count * sizeof *results);
    for (size_t k = 0; k < tests->count; k++) {
        const struct number_test *test = &tests->list[k];
        const int64_t *of = values[test->column] + from;

        for (size_t i = 0; i < count; i++) {
            const uint32_t is_true = of[i] < test->low    ? test->less
                                     : of[i] > test->high ? test->more
                                                          : test->equal;

            results[i] |= (of[i] == EVENT_NONE ? TEST_NULL : is_true) << 2 * k;
        }
    }
}

/* --- groups of calls -------------------------------------------------------------------------- */

enum { KEY_OPERATION, KEY_OBJECT, KEY_ERROR, KEY_ACTOR, CALL_KEYS };

/* A group: calls with the same key (name ids) and the same results of tests. */
struct call_group {
    /* Ids of call name, file, error and thread; 0: no condition of the set uses it. */
    uint32_t key[CALL_KEYS];
    uint32_t tests;
    /* count: number of calls; calls: event ids of the first ones */
    int64_t count, calls[CONTRACT_PLACES];
};

/* A set of contracts on counts whose conditions use the same columns. If all conditions use only
 * tests and names (of calls, files …), they are evaluated once per group of calls, not once per
 * call. */
struct count_set {
    bool looks_at[CALL_KEYS], is_grouped;
    struct number_tests tests;
    struct call_group *list; /* owned */
    size_t group_count, capacity;
    /* Assigns a number to each combination of keys: each level numbers the pairs of a key and a
     * number of the level before. */
    struct numbered_pairs {
        struct pair_numbers numbers;
        uint32_t count;
    } pairs[CALL_KEYS + 1];
    /* Owned; SQL conditions of all contracts in the set. events: for a statement on events;
     * grouped: for a statement on groups of calls. */
    struct text events, grouped;
    struct calls_found *found[COUNTS_AT_ONCE];
    /* count: number of contracts; first_events, first_grouped: lengths of `events` and `grouped`
     * with the condition of the first contract only. */
    size_t count, first_events, first_grouped;
};

/* Returns the number of a pair. A new pair gets the next number. */
static uint32_t number_pair(struct numbered_pairs *pairs, uint32_t first, uint32_t second) {
    uint32_t number = pair_numbers_find(&pairs->numbers, first, second);

    if (number == 0) {
        number = ++pairs->count;
        pair_numbers_add(&pairs->numbers, first, second, number);
    }
    return number;
}

static void count_set_free_groups(struct count_set *set) {
    for (int k = 0; k <= CALL_KEYS; k++) {
        pair_numbers_free(&set->pairs[k].numbers);
    }
    free(set->list);
    set->list = NULL;
}

/* Adds `count` calls, from index `from` on, to their groups (equal key and test results). */
static void group_calls(struct count_set *set, const struct event_columns *columns, size_t from,
                        size_t count) {
    const uint32_t *const keys[CALL_KEYS] = {columns->operation, columns->object, columns->error,
                                             columns->actor};
    const uint32_t *parts[CALL_KEYS + 1];
    uint32_t tests[CALLS_AT_ONCE];
    size_t part_count = 0;

    compute_tests(&set->tests, columns, from, count, tests);
    for (int k = 0; k < CALL_KEYS; k++) {
        if (set->looks_at[k]) {
            parts[part_count++] = keys[k] + from;
        }
    }
    if (set->tests.count > 0 || part_count == 0) {
        parts[part_count++] = tests;
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t number = part_count > 1 ? parts[0][i] : 0;
        struct call_group *group;

        for (size_t k = part_count > 1; k < part_count; k++) {
            number = number_pair(&set->pairs[k], number, parts[k][i]);
        }
        if (number > set->group_count) {
            group = ARRAY_NEW(set->list, set->group_count, set->capacity);
            *group = (struct call_group){.tests = tests[i]};
            for (int k = 0; k < CALL_KEYS; k++) {
                group->key[k] = set->looks_at[k] ? keys[k][from + i] : 0;
            }
        }
        group = &set->list[number - 1];
        if (group->count < CONTRACT_PLACES) {
            group->calls[group->count] = columns->id[from + i];
        }
        group->count++;
    }
}

/* Fills temp.call_group with key and test results of each group of calls; id: index of the group.
 */
static bool write_groups(const struct count_set *set, struct database *database,
                         struct error *error) {
    sqlite3_stmt *insert = NULL;
    bool done = database_run(database, "DELETE FROM temp.call_group", error);

    insert = done ? database_prepare(database,
                                     "INSERT INTO temp.call_group VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                                     error)
                  : NULL;
    done = insert != NULL;
    for (size_t i = 0; done && i < set->group_count; i++) {
        bool row;

        sqlite3_bind_int64(insert, 1, (int64_t)i);
        for (int k = 0; k < CALL_KEYS; k++) {
            sqlite3_bind_int64(insert, k + 2, set->list[i].key[k]);
        }
        sqlite3_bind_int64(insert, CALL_KEYS + 2, set->list[i].tests);
        done = database_step(database, insert, &row, error);
        sqlite3_reset(insert);
    }
    sqlite3_finalize(insert);
    return done;
}

/* Columns that conditions may use, and the key by which each is looked up. */
static const struct key_column {
    int key;
    const char *name, *value, *join;
} key_columns[] = {
    {KEY_OPERATION, "op", "n.text", "main.name AS n ON n.id = e.operation"},
    {KEY_OBJECT, "file", "o.name", "main.object AS o ON o.id = e.object"},
    {KEY_ERROR, "error", "f.text", "main.name AS f ON f.id = e.error"},
    {KEY_ACTOR, "thread", "t.label", "temp.thread AS t ON t.id = e.actor"},
    {KEY_ACTOR, "process", "p.label", "temp.process AS p ON p.id = e.actor"},
};
#define KEY_COLUMNS (sizeof key_columns / sizeof key_columns[0])

/* Appends a WITH clause for `events`: a row per group of calls, with the columns the set uses. */
static void append_groups(struct text *sql, const struct count_set *set) {
    text_append_string(sql, "WITH events AS NOT MATERIALIZED (SELECT e.id");
    for (size_t i = 0; i < KEY_COLUMNS; i++) {
        if (set->looks_at[key_columns[i].key]) {
            text_append_format(sql, ", %s AS %s", key_columns[i].value, key_columns[i].name);
        }
    }
    for (size_t i = 0; i < set->tests.count; i++) {
        text_append_format(sql, ", nullif(e.tests >> %zu & 3, %d) AS \"%.*s\"", 2 * i, TEST_NULL,
                           (int)set->tests.list[i].length, set->tests.list[i].text);
    }
    text_append_string(sql, " FROM temp.call_group AS e");
    for (size_t i = 0; i < KEY_COLUMNS; i++) {
        if (set->looks_at[key_columns[i].key]) {
            text_append_format(sql, " LEFT JOIN %s", key_columns[i].join);
        }
    }
    text_append_char(sql, ')');
}

/* Returns whether SQLite accepts a condition on these columns; sets an error if not. The condition
 * is not put in brackets, which it could close. */
static bool count_fits(const char *where, struct database *database, const char *columns,
                       struct error *error) {
    char *alone =
        xasprintf("%s SELECT 1 FROM events WHERE CASE WHEN\n%s\nTHEN 1 END", columns, where);
    sqlite3_stmt *statement = database_prepare_read_only(database, alone, error);

    free(alone);
    sqlite3_finalize(statement);
    return statement != NULL;
}

/* Finds the columns that a condition uses, and sets set->is_grouped: whether groups of calls can be
 * tested instead of single calls. `tested`: copy of the condition, in which each test is replaced
 * by a column. Calls are not grouped if the condition has a SELECT, which may read all events, or a
 * quoted word, which SQLite takes as text if there is no such column. */
static void find_columns(struct count_set *set, const char *where, const char *tested,
                         struct database *database) {
    struct error ignored = {0};
    struct text columns = {0};

    for (size_t i = 0; i < KEY_COLUMNS; i++) {
        set->looks_at[key_columns[i].key] |= measure_has_word(where, key_columns[i].name);
    }
    append_groups(&columns, set);
    set->is_grouped = strpbrk(where, "\"`[") == NULL && !measure_has_word(where, "select") &&
                      count_fits(tested, database, text_string(&columns), &ignored);
    text_free(&columns);
}

/* Adds a group of matching calls to a contract's result: increases its count, and stores the calls
 * that are among the CONTRACT_PLACES earliest ones. Groups come in any order. */
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

/* Runs a statement whose rows have an id (of an event, or the index of a group of calls), then for
 * each contract whether its condition holds. Adds the matching calls to the contracts' results. */
static bool read_counts(const struct text *sql, struct database *database,
                        const struct call_group *groups, struct calls_found *const *found,
                        size_t count, struct error *error) {
    sqlite3_stmt *row = database_prepare_read_only(database, text_string(sql), error);
    bool more = true, done = row != NULL;

    for (size_t i = 0; i < count; i++) {
        *found[i] = (struct calls_found){.since = {EVENT_NONE, EVENT_NONE, EVENT_NONE}};
    }
    while (done && (done = database_step(database, row, &more, error)) && more) {
        const int64_t id = sqlite3_column_int64(row, 0);
        const struct call_group event = {.count = 1, .calls = {id}};

        for (size_t i = 0; i < count; i++) {
            if (sqlite3_column_int(row, (int)i + 1) != 0) {
                add_found(found[i], groups == NULL ? &event : &groups[id]);
            }
        }
    }
    for (size_t i = 0; i < count; i++) {
        found[i]->is_searched = done;
    }
    sqlite3_finalize(row);
    return done;
}

/* Computes the results of the first `count` contracts in a set. */
static bool count_set_read(const struct count_set *set, size_t count, struct database *database,
                           struct error *error) {
    const struct text *of = set->is_grouped ? &set->grouped : &set->events;
    const size_t first = set->is_grouped ? set->first_grouped : set->first_events;
    struct text sql = {0};
    bool done = !set->is_grouped || write_groups(set, database, error);

    if (set->is_grouped) {
        append_groups(&sql, set);
    } else {
        text_append_string(&sql, EVENTS);
    }
    text_append_string(&sql, "SELECT id");
    text_append(&sql, text_string(of), count == 1 ? first : of->length);
    text_append_string(&sql, " FROM events ORDER BY id");
    done = done && read_counts(&sql, database, set->is_grouped ? set->list : NULL, set->found,
                               count, error);
    text_free(&sql);
    return done;
}

/* --- one pass for all contracts of a filter --------------------------------------------------- */

struct calls_pass {
    struct count_set *sets; /* owned */
    size_t count, capacity;
    struct orders *orders; /* owned; state of the contracts on orders; NULL: none */
    atomic_size_t groups;  /* number of groups in all sets; atomic, as several threads add groups */
};

/* Task of a thread during the pass: group calls for one set, or judge all orders. */
struct calls_visitor {
    struct calls_pass *pass;
    struct count_set *set; /* the thread groups calls for this set; NULL: it judges all orders */
};

/* Returns a set for conditions that use the same columns as `of`; adds one if needed. */
static struct count_set *find_set(struct calls_pass *pass, const struct count_set *of) {
    struct count_set *set;

    for (size_t i = 0; i < pass->count; i++) {
        set = &pass->sets[i];
        if (set->count < COUNTS_AT_ONCE && set->is_grouped == of->is_grouped &&
            (!of->is_grouped || ((set->tests.count > 0) == (of->tests.count > 0) &&
                                 set->tests.count + of->tests.count <= NUMBER_TESTS &&
                                 memcmp(set->looks_at, of->looks_at, sizeof of->looks_at) == 0))) {
            return set;
        }
    }
    set = ARRAY_NEW(pass->sets, pass->count, pass->capacity);
    *set = (struct count_set){.is_grouped = of->is_grouped};
    memcpy(set->looks_at, of->looks_at, sizeof of->looks_at);
    return set;
}

/* Adds a contract on a count to its set, if SQLite accepts its condition. */
static bool add_count(struct calls_pass *pass, const struct contract *contract,
                      struct calls_found *found, struct database *database, struct error *error) {
    static const char columns[] = "time duration op file thread process error bytes result";
    struct count_set of = {.count = 0}, *set;
    struct text where = {0};

    if (!count_fits(contract->where, database, EVENTS, error)) {
        measure_list_columns(error, columns);
        return false;
    }
    if (!measure_check_quoted(contract->where, columns, error)) {
        return error_context(error, "the query is wrong");
    }
    take_tests(&of.tests, contract->where, database, &where);
    find_columns(&of, contract->where, text_string(&where), database);
    set = find_set(pass, &of);
    for (size_t i = 0; i < of.tests.count; i++) {
        add_test(&set->tests, &of.tests.list[i]);
    }
    text_append_format(&set->events, ", (\n%s\n) IS TRUE", contract->where);
    text_append_format(&set->grouped, ", (\n%s\n) IS TRUE", text_string(&where));
    set->found[set->count++] = found;
    if (set->count == 1) {
        set->first_events = set->events.length;
        set->first_grouped = set->grouped.length;
    }
    text_free(&where);
    return true;
}

static bool visit_calls(void *context, const struct event_columns *columns, size_t count,
                        struct error *error) {
    const struct calls_visitor *visitor = context;
    struct count_set *set = visitor->set;

    if (set == NULL) {
        return orders_visit(visitor->pass->orders, columns, count, error);
    }
    for (size_t i = 0; i < count && set->is_grouped; i += CALLS_AT_ONCE) {
        const size_t before = set->group_count;

        group_calls(set, columns, i, count - i < CALLS_AT_ONCE ? count - i : CALLS_AT_ONCE);
        if (set->group_count - before +
                atomic_fetch_add(&visitor->pass->groups, set->group_count - before) >
            CALL_GROUPS) {
            set->is_grouped = false;
            atomic_fetch_sub(&visitor->pass->groups, set->group_count);
            count_set_free_groups(set);
        }
    }
    return true;
}

/* Reads the calls in one pass, if any set groups calls, or there are contracts on orders. */
static bool scan_calls(struct calls_pass *pass, struct selected_calls *calls, struct error *error) {
    struct calls_visitor *visitors = xcalloc(pass->count + 1, sizeof *visitors);
    void **contexts = xcalloc(pass->count + 1, sizeof *contexts);
    size_t count = 0;
    bool done;

    for (size_t i = 0; i <= pass->count; i++) {
        struct count_set *set = i < pass->count ? &pass->sets[i] : NULL;

        if (set == NULL ? pass->orders != NULL : set->is_grouped) {
            visitors[count] = (struct calls_visitor){pass, set};
            contexts[count] = &visitors[count];
            count++;
        }
        calls->fields |= set != NULL && set->tests.count > 0 ? EVENT_SIZE | EVENT_VALUE : 0;
    }
    done = count == 0 || selected_calls_scan(calls, visit_calls, contexts, count, error);
    free(visitors);
    free(contexts);
    return done;
}

/* Computes the results of all sets. If a set fails, only the contract `first` is computed again,
 * alone, and only its error is returned. The set's other contracts are computed later, when they
 * are judged. */
static bool read_sets(struct calls_pass *pass, const struct calls_found *first,
                      struct database *database, struct error *error) {
    bool done = true;

    for (size_t i = 0; done && i < pass->count; i++) {
        const struct count_set *set = &pass->sets[i];
        const bool is_first = set->found[0] == first;

        done = count_set_read(set, set->count, database, error);
        if (!done && (set->count > 1 || !is_first) && error->status != EXIT_INTERRUPTED) {
            *error = (struct error){0};
            done = !is_first || count_set_read(set, 1, database, error);
        }
    }
    return done;
}

static void calls_pass_free(struct calls_pass *pass) {
    for (size_t i = 0; i < pass->count; i++) {
        struct count_set *set = &pass->sets[i];

        count_set_free_groups(set);
        text_free(&set->events);
        text_free(&set->grouped);
    }
    free(pass->sets);
}

bool calls_find(const struct contracts *contracts, size_t first, struct workspace *workspace,
                const struct catalog_trace *trace, struct calls_found *found, size_t stride,
                struct error *error) {
    const struct figure *figure = &contracts->contracts[first].condition.figure;
    struct database *database = workspace->database;
    struct calls_pass pass = {.count = 0};
    struct selected_calls calls;
    bool done = selected_calls_open(&calls, workspace, trace, &figure->filter,
                                    "selected_event thread process", error) &&
                temp_schema_table(
                    &calls.temp, "call_group",
                    "(id INTEGER PRIMARY KEY, operation, object, error, actor, tests)", error);

    for (size_t i = first; done && i < contracts->count; i++) {
        const struct contract *contract = &contracts->contracts[i];
        struct error later = {
            0}; /* the error of a later contract is reported when that contract is judged */

        if (contract->type == CONTRACT_COUNT && !found[i * stride].is_searched &&
            strcmp(contract->condition.figure.key, figure->key) == 0) {
            done = add_count(&pass, contract, &found[i * stride], database,
                             i == first ? error : &later) ||
                   i > first;
        }
    }
    done = done &&
           orders_open(&pass.orders, contracts, first, database, trace, found, stride, error) &&
           scan_calls(&pass, &calls, error);
    orders_close(pass.orders);
    done = done && read_sets(&pass, &found[first * stride], database, error);
    calls_pass_free(&pass);
    selected_calls_close(&calls);
    return done;
}
