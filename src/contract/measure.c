#include "contract/measure.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analysis/wait_causes.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/words.h"
#include "compare/table.h"
#include "model/linux.h"
#include "model/meaning.h"
#include "select/window.h"

/* Rows of a trace's report, in a table in memory. */
struct measure_rows {
    /* Borrowed; query of the report; NULL: the trace has no such report. */
    const struct query *query;
    const char *columns; /* names of columns, separated by spaces, in the pool */
    /* Index of the first trace with the same query; the table's name ends with it. */
    size_t first;
    int64_t begin, end; /* row numbers of the trace in the table: `begin` included, `end` not */
};

/* Rows of a report on all traces, in a table in memory for each query, named t`number`_`first`. */
struct measure_table {
    char *key; /* owned; report, options and filter */
    unsigned number;
    struct measure_rows *rows; /* owned; one element per trace */
    const char *why;           /* error of the report; NULL: no error */
    UT_hash_handle hh;
};

/* SQL function lasting(): a name without parts that vary between runs. */
static void sql_lasting_name(sqlite3_context *context, int count, sqlite3_value **values) {
    struct compare_names names = {0};
    const char *name = (const char *)sqlite3_value_text(values[0]);

    if (name != NULL) {
        struct value value = value_text(name);

        compare_names_apply(&names, false, "file", NULL, &value);
        sqlite3_result_text(context, value.bytes, (int)value.length, SQLITE_TRANSIENT);
        compare_names_free(&names);
    }
}

bool measures_open(struct measures *measures, struct error *error) {
    const struct catalog *catalog = &measures->workspace->catalog;

    measures->traces =
        xcalloc(catalog->count + measures->request->trace_count + 1, sizeof *measures->traces);
    if (sqlite3_open_v2(":memory:", &measures->memory,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
                        NULL) != SQLITE_OK) {
        return error_no_memory(error);
    }
    sqlite3_limit(measures->memory, SQLITE_LIMIT_LENGTH, DATABASE_MOST_VALUE);
    sqlite3_create_function(measures->memory, "lasting", 1, SQLITE_UTF8, NULL, sql_lasting_name,
                            NULL, NULL);
    return request_add_traces(measures->request, catalog, measures->traces, &measures->trace_count,
                              error);
}

void measures_close(struct measures *measures) {
    struct measure_table *table, *next;

    HASH_ITER(hh, measures->tables, table, next) {
        HASH_DEL(measures->tables, table);
        free(table->rows);
        free(table->key);
        free(table);
    }
    sqlite3_close(measures->memory);
    free(measures->traces);
    pool_free(&measures->pool);
}

/* --- tables with the rows of reports ---------------------------------------------------------- */

/* Reports that print only their worst rows, and the limit of their rows for contracts. */
#define WORST_ROWS_ONLY "slowest durability"
enum { MOST_WORST = 1 << 20 };

/* Creates the table of a query: its columns, and `_kind`, the kind of a row's last value. Returns
 * the INSERT statement for the trace's rows; NULL on failure. */
static sqlite3_stmt *measure_begin_rows(struct measures *measures, struct measure_table *table,
                                        size_t trace, const struct query *query,
                                        const struct result *result) {
    struct measure_rows rows =
        table->rows[measures->last]; /* rows of the trace that was measured last */
    const bool is_new = query != rows.query;
    const size_t first = is_new ? trace : rows.first;
    struct text make = {0}, insert = {0}, columns = {0};
    sqlite3_stmt *statement = NULL;

    text_append_format(&make, "CREATE TABLE t%u_%zu (", table->number, first);
    text_append_format(&insert, "INSERT INTO t%u_%zu VALUES (", table->number, first);
    for (size_t i = 0; i < result->column_count; i++) {
        char *name = sqlite3_mprintf("\"%w\", ", result->columns[i].name);

        text_append_string(&make, name);
        sqlite3_free(name);
        text_append_string(&insert, "?, ");
        text_append_format(&columns, i == 0 ? "%s" : " %s", result->columns[i].name);
    }
    text_append_string(&make, "_kind)");
    text_append_string(&insert, "?)");
    if (is_new) {
        rows = (struct measure_rows){query, pool_copy(&measures->pool, text_string(&columns)),
                                     trace, 0, 1};
    }
    rows.begin = rows.end;
    table->rows[trace] = rows;
    if (!is_new ||
        sqlite3_exec(measures->memory, text_string(&make), NULL, NULL, NULL) == SQLITE_OK) {
        sqlite3_prepare_v2(measures->memory, text_string(&insert), -1, &statement, NULL);
    }
    text_free(&make);
    text_free(&insert);
    text_free(&columns);
    return statement;
}

static bool measure_add_row(sqlite3_stmt *insert, const struct result *result,
                            const struct value *values) {
    const int last = (int)result->column_count;

    for (int i = 0; i < last; i++) {
        if (values[i].type == VALUE_INTEGER) {
            sqlite3_bind_int64(insert, i + 1, values[i].integer);
        } else if (values[i].type == VALUE_REAL) {
            sqlite3_bind_double(insert, i + 1, values[i].real);
        } else if (values[i].type == VALUE_NULL) {
            sqlite3_bind_null(insert, i + 1);
        } else {
            sqlite3_bind_text(insert, i + 1, values[i].bytes, (int)values[i].length, SQLITE_STATIC);
        }
    }
    sqlite3_bind_int(insert, last + 1,
                     (int)printer_value_kind(&values[last - 1], &result->columns[last - 1]));
    sqlite3_step(insert);
    return sqlite3_reset(insert) == SQLITE_OK;
}

static bool measure_read_result(struct measures *measures, struct measure_table *table,
                                struct report *report, const struct result *result,
                                struct error *error) {
    const struct query *query = report_query(report);
    const struct value *values;
    sqlite3_stmt *insert;
    size_t trace = measures->last;
    int64_t count = 0;
    bool done;

    while (strcmp(measures->traces[trace]->name, result->traces[0].name) != 0) {
        trace = (trace + 1) % measures->trace_count;
    }
    insert = measure_begin_rows(measures, table, trace, query, result);
    measures->last = trace;
    done = insert != NULL;
    while (done && report_next_row(report, &values, error) && values != NULL) {
        done = measure_add_row(insert, result, values);
        count++;
    }
    sqlite3_finalize(insert);
    table->rows[trace].end = table->rows[trace].begin + count;
    if (count == MOST_WORST && word_in(WORST_ROWS_ONLY, query->report)) {
        return error_set(error, "more than %d rows: choose fewer by a filter", MOST_WORST - 1);
    }
    return error->status == EXIT_DONE &&
           (done || error_set(error, "%s", sqlite3_errmsg(measures->memory)));
}

static bool measure_make_report(struct measures *measures, struct measure_table *table,
                                const struct figure *figure, const struct figure_source *source,
                                struct error *error) {
    struct report_request request = *measures->request;
    struct report_option options[FIGURE_MOST + 1];
    const struct result *result;
    struct report *report;
    bool done;

    for (size_t i = 0; i < figure->option_count; i++) {
        options[i] = figure->options[i];
    }
    options[figure->option_count] = (struct report_option){.name = "by", .value = source->by};
    request.report = source->report;
    request.options = options;
    request.option_count = figure->option_count + (source->by != NULL);
    request.filter = figure->filter;
    request.by_trace = true;
    request.all = strcmp(source->report, "findings") == 0;
    request.top = word_in(WORST_ROWS_ONLY, source->report) ? MOST_WORST : 0;
    report = report_open(measures->workspace, &request, error);
    done = report != NULL;
    while (done && (done = report_next(report, &result, error)) && result != NULL) {
        done = measure_read_result(measures, table, report, result, error);
    }
    report_close(report);
    return done;
}

/* Returns the table with the rows of a figure's source (a report); runs the report first if needed.
 * Returns NULL if the run was interrupted. Other errors are stored in `why` of the table. */
static struct measure_table *find_table(struct measures *measures, const struct figure *figure,
                                        const struct figure_source *source, struct error *error) {
    char *key =
        xasprintf("%s\n%s\n%s", source->report, source->by == NULL ? "" : source->by, figure->key);
    struct measure_table *table = NULL;
    struct error why = {0};

    HASH_FIND_STR(measures->tables, key, table);
    if (table != NULL) {
        free(key);
        return table;
    }
    table = xcalloc(1, sizeof *table);
    table->key = key;
    table->number = HASH_COUNT(measures->tables);
    table->rows = xcalloc(measures->trace_count + 1, sizeof *table->rows);
    HASH_ADD_KEYPTR(hh, measures->tables, table->key, strlen(table->key), table);
    sqlite3_exec(measures->memory, "BEGIN", NULL, NULL, NULL);
    table->why = measure_make_report(measures, table, figure, source, &why)
                     ? NULL
                     : pool_copy(&measures->pool, why.message);
    sqlite3_exec(measures->memory, "COMMIT", NULL, NULL, NULL);
    if (why.status == EXIT_INTERRUPTED) {
        *error = why;
        return NULL;
    }
    return table;
}

/* --- selecting the rows of a figure ----------------------------------------------------------- */

/* Appends FROM and WHERE that select the rows of a trace in a table. */
static void append_from(struct text *sql, const struct measure_table *table, size_t trace) {
    const struct measure_rows *rows = &table->rows[trace];

    text_append_format(sql, " FROM t%u_%zu WHERE _rowid_ BETWEEN %lld AND %lld", table->number,
                       rows->first, (long long)rows->begin, (long long)rows->end - 1);
}

void measure_append_quoted(struct text *sql, const char *text, size_t length, bool is_pattern) {
    text_append_char(sql, '\'');
    for (size_t i = 0; i < length; i++) {
        const bool special = is_pattern && strchr("[?", text[i]) != NULL;

        text_append_format(sql, special ? "[%c]" : text[i] == '\'' ? "''" : "%c", text[i]);
    }
    text_append_char(sql, '\'');
}

/* Key columns that are times. */
#define TIME_KEYS "from latency start time timeout window"

void measure_append_name_condition(struct text *sql, const char *column, const char *name) {
    int64_t time;

    text_append_format(sql, "\"%s\" GLOB ", column);
    measure_append_quoted(sql, name, strlen(name), true);
    if (*name == '\0' || strcmp(name, "(none)") == 0) { /* reports print NULL like this */
        text_append_format(sql, " OR \"%s\" IS NULL", column);
    }
    /* A time with a unit or a point is parsed as reports print it; digits alone are ns. */
    if (word_in(TIME_KEYS, column) && name[strspn(name, "0123456789")] != '\0' &&
        clock_parse_duration(name, &time)) {
        text_append_format(sql, " OR \"%s\" = %lld", column, (long long)time);
    }
    if (word_in("file database", column) && *name != '/') {
        text_append_format(sql, " OR \"%s\" GLOB '*/' || ", column);
        measure_append_quoted(sql, name, strlen(name), true);
    }
}

/* Sets `key` to the next of the keys that is among `columns`. Returns false if there is none. */
static bool next_key(const char **keys, const char *columns, char key[64]) {
    while (**keys != '\0') {
        const size_t length = strcspn(*keys, " ");

        snprintf(key, 64, "%.*s", (int)length, *keys);
        *keys += length + ((*keys)[length] == ' ');
        if (word_in(columns, key)) {
            return true;
        }
    }
    return false;
}

void measure_append_names(struct text *sql, const struct figure *figure, const char *keys,
                          const char *columns, const char *name, const char *only) {
    const bool single = strchr(keys, ' ') == NULL;
    char key[64];

    for (size_t column = 0; next_key(&keys, columns, key); column++) {
        const char *between = " AND (";

        for (size_t i = 0; i < figure->name_count; i++) {
            if ((single || figure->names[i].column == column) &&
                (only == NULL || strcmp(only, key) == 0)) {
                const char *as = strcmp(key, "name") == 0 ? name : key;

                text_append_string(sql, between);
                measure_append_name_condition(sql, as, figure->names[i].name);
                if (figure->dotted && strchr(figure->names[i].name, '_') != NULL) {
                    text_append_format(sql, " OR replace(\"%s\", ' ', '_') GLOB ", as);
                    measure_append_quoted(sql, figure->names[i].name, strlen(figure->names[i].name),
                                          true);
                }
                between = " OR ";
            }
        }
        text_append_string(sql, between[1] == 'O' ? ")" : "");
    }
}

/* Appends an SQL condition that selects the rows of a figure. */
static void measure_append_rows(struct text *sql, const struct figure *figure,
                                const struct figure_source *source, const char *keys,
                                const char *columns) {
    const char *last = strrchr(keys, ' ');

    measure_append_names(sql, figure, keys, columns, "name", NULL);
    if (source->row != NULL) {
        text_append_format(sql, " AND \"%s\" = '%s'", last != NULL ? last + 1 : keys, source->row);
    }
}

const struct figure *measure_match_names_to_keys(struct pool *pool, const struct figure *figure,
                                                 const char *keys, const char *columns,
                                                 struct figure *placed) {
    struct text rest = {0};
    size_t count = 0;
    char key[64];

    while (figure->dotted && next_key(&keys, columns, key)) {
        count++;
    }
    if (!figure->dotted || figure->name_count <= count || count == 0) {
        return figure;
    }
    *placed = *figure;
    placed->name_count = count;
    for (size_t i = count - 1; i < figure->name_count; i++) {
        text_append_format(&rest, "%s%s", i < count ? "" : ".", figure->names[i].name);
    }
    placed->names[count - 1].name = pool_copy(pool, text_string(&rest));
    text_free(&rest);
    return placed;
}

/* Returns the columns that identify a row of a report whose query has no line `key:`, separated by
 * spaces, in the pool. These are the key columns that the query defines for comparisons, if they
 * include the first text column; else the first column and the text columns that follow it
 * directly. */
static const char *find_keys(struct pool *pool, const struct query *query) {
    const char *compared = query->compare.method == COMPARE_NOT ? "" : query->compare.key;
    struct text keys = {0};
    const char *copy = NULL;
    bool has_text = false;

    for (size_t i = 0; i < query->column_count && copy == NULL; i++) {
        const struct column *column = &query->columns[i].column;
        const bool is_text = column_kind_is_text(column->kind);

        if (is_text && !has_text && word_in(compared, column->name)) {
            copy = compared;
        } else if (i > 0 && !is_text) {
            break;
        }
        text_append_format(&keys, "%s%s", i > 0 ? " " : "", column->name);
        has_text |= is_text;
    }
    copy = copy != NULL ? copy : pool_copy(pool, text_string(&keys));
    text_free(&keys);
    return copy;
}

sqlite3_stmt *measure_prepare(struct measures *measures, const struct figure *figure,
                              const struct figure_source *source, size_t trace, const char *sql,
                              struct error *error) {
    struct measure_table *table = find_table(measures, figure, source, error);
    sqlite3_stmt *statement = NULL;
    struct text whole = {0};

    if (table == NULL || table->rows[trace].query == NULL) {
        if (table != NULL) {
            error_set(error, "%s", table->why != NULL ? table->why : MEASURE_NO_REPORT);
        }
        return NULL;
    }
    text_append_string(&whole, "WITH rows AS (SELECT *");
    append_from(&whole, table, trace);
    text_append_format(&whole, ")%s%s", strncmp(sql, "WITH ", 5) == 0 ? ", " : " ",
                       strncmp(sql, "WITH ", 5) == 0 ? sql + 5 : sql);
    if (sqlite3_prepare_v2(measures->memory, text_string(&whole), -1, &statement, NULL) !=
        SQLITE_OK) {
        error_set(error, "%s", sqlite3_errmsg(measures->memory));
    }
    text_free(&whole);
    return statement;
}

const char *measure_row_keys(struct measures *measures, const struct figure *figure, size_t trace) {
    struct error ignored = {0};
    const struct measure_table *table = find_table(measures, figure, &figure->sources[0], &ignored);

    return table == NULL || table->rows[trace].query == NULL ? "" : table->rows[trace].query->key;
}

/* --- computing figures ------------------------------------------------------------------------ */

const char *measure_why_no_call(struct pool *pool, const char *name) {
    char *why = xasprintf("neither the log nor Linux has a call '%s'%s%s", name,
                          strpbrk(name, "./") == NULL ? "" : "; a file is chosen by file=",
                          strpbrk(name, "./") == NULL ? "" : name);
    const char *copy = pool_copy(pool, why);

    free(why);
    return copy;
}

/* Returns whether a row of the trace has the name in that column. */
static bool has_name(const struct measures *measures, const struct measure_table *table,
                     size_t trace, const char *column, const char *name) {
    struct text sql = {0};
    sqlite3_stmt *row = NULL;
    bool has;

    text_append_string(&sql, "SELECT 1");
    append_from(&sql, table, trace);
    text_append_string(&sql, " AND (");
    measure_append_name_condition(&sql, column, name);
    text_append_format(&sql, " OR replace(\"%s\", ' ', '_') = ", column);
    measure_append_quoted(&sql, name, strlen(name), false);
    text_append_char(&sql, ')');
    sqlite3_prepare_v2(measures->memory, text_string(&sql), -1, &row, NULL);
    has = sqlite3_step(row) == SQLITE_ROW;
    sqlite3_finalize(row);
    text_free(&sql);
    return has;
}

/* Columns with a fixed set of words: any other word is an error, not a count of 0. */
#define OUR_TEXTS "access attribute class direction evidence measure part reason relation stage"
#define CLASSES   "read readsync write writesync flush other"

/* Returns true if no log can have `name` in that column, and this trace does not have it either. */
static bool is_never_there(const struct measures *measures, const struct measure_table *table,
                           size_t trace, const char *column, const char *name) {
    return strchr(name, '*') == NULL &&
           (word_in(OUR_TEXTS, column)     ? !word_in(CLASSES, name)
            : strcmp(column, "error") == 0 ? linux_error_number(word_of(name)) == EVENT_NONE
                                           : false) &&
           !has_name(measures, table, trace, column, name);
}

/* Returns an error text if the figure names a system call that neither the rows nor Linux have,
 * since a misspelt name must not give a count of 0. Else returns NULL. */
static const char *find_unknown_call(struct measures *measures, const struct figure *figure,
                                     const struct measure_table *table, const char *keys,
                                     size_t trace) {
    const enum trace_kind kind = measures->traces[trace]->kind;
    const char *columns = table->rows[trace].columns, *rest = keys;
    char key[64];

    for (size_t column = 0; figure->word == NULL && next_key(&rest, columns, key); column++) {
        for (size_t i = 0; i < figure->name_count; i++) {
            if ((strchr(keys, ' ') == NULL || figure->names[i].column == column) &&
                is_never_there(measures, table, trace, key, figure->names[i].name)) {
                return MEASURE_NO_ROW;
            }
        }
    }
    for (size_t i = 0; kind == TRACE_IO && strcmp(keys, "name class") == 0 &&
                       figure->name_count > 1 && i < figure->name_count;
         i++) {
        if (!has_name(measures, table, trace, "class", figure->names[i].name)) {
            return MEASURE_NO_ROW;
        }
    }
    if (kind != TRACE_CALLS || strncmp(keys, "name", 4) != 0 || figure_is_finding(figure->word)) {
        return NULL;
    }
    for (size_t i = 0; i < figure->name_count; i++) {
        const char *name = figure->names[i].name;

        if (figure->names[i].column != 0 ||
            (strchr(name, '*') != NULL && strchr(name, '=') == NULL) ||
            linux_call_is_known(word_of(name)) || has_name(measures, table, trace, "name", name)) {
            continue;
        }
        return figure->name_count > 1 ? measure_why_no_call(&measures->pool, name)
               : strpbrk(name, "|;+ ") == NULL
                   ? "neither the log nor Linux has such a call"
                   : "neither the log nor Linux has such a call; commas separate names";
    }
    return NULL;
}

static void append_query(struct text *sql, const struct figure_source *source) {
    static const char *const folds[] = {
        [FOLD_ONE] = "max",        [FOLD_SUM] = "sum",    [FOLD_MOST] = "max",
        [FOLD_LEAST] = "min",      [FOLD_ROWS] = "count", [FOLD_NAMES] = "count",
        [FOLD_RATIO] = "1.0 * sum"};
    const int length = (int)strcspn(source->column, "/");

    text_append_format(sql, "SELECT count(*), count(\"%.*s\"), max(_kind), %s(%s\"%.*s\")", length,
                       source->column, folds[source->fold],
                       source->fold == FOLD_NAMES ? "DISTINCT " : "", length, source->column);
    if (source->fold == FOLD_RATIO) {
        text_append_format(sql, " / sum(\"%s\")", source->column + length + 1);
    }
}

static bool trace_loses(const struct catalog_trace *trace) {
    return trace->rejected > 0 || trace->lost > 0;
}

static const char needs_row[] = "several rows of the report fit, but one is needed; choose one, or "
                                "add up calls with the filter op=NAME*";

/* Returns the error text for a figure that needs one row, but matches several rows of the report.
 * It tells the user to name one. */
static const char *name_row(struct measures *measures, const struct figure_source *source,
                            const char *keys) {
    const bool is_time = strncmp(keys, "time", 4) == 0;
    struct text why = {0};
    const char *copy;

    text_append_format(&why,
                       "several rows of the report fit, but one is needed; name it, as in %s(",
                       source->report);
    for (; *keys != '\0'; keys++) {
        text_append_format(&why, *keys == ' ' ? ", " : "%c", *keys);
    }
    text_append_format(&why, ").%s%s", source->column,
                       is_time ? ", where time is a time such as 1.5s" : "");
    copy = pool_copy(&measures->pool, text_string(&why));
    text_free(&why);
    return copy;
}

/* Sets the value of a figure from a row of a query. `unknown`: reason if a name is unknown, or
 * NULL. `has_zeros`: a name without a row means a count of 0. */
static void measure_read(const struct figure_source *source, const char *unknown, bool has_zeros,
                         sqlite3_stmt *row, const struct catalog_trace *trace,
                         struct measured *measured) {
    const bool counts = source->fold == FOLD_ROWS || source->fold == FOLD_NAMES;
    const bool adds = source->fold == FOLD_SUM || counts;
    const bool loses = trace_loses(trace);
    const int64_t rows = sqlite3_column_int64(row, 0), values = sqlite3_column_int64(row, 1);

    measured->why = rows > 1 && source->fold == FOLD_ONE    ? needs_row
                    : unknown != NULL && (adds || rows > 0) ? unknown
                    : rows == 0 && !(adds && has_zeros)     ? MEASURE_NO_ROW
                    : (values < rows && !counts) || (source->fold == FOLD_RATIO &&
                                                     sqlite3_column_type(row, 3) == SQLITE_NULL)
                        ? (strcmp(source->column, "ratio") == 0
                               ? "give payload=BYTES; or the log has no transaction"
                               : "the log does not contain this")
                        : NULL;
    if (measured->why == NULL) {
        measured->is_known = true;
        measured->number = sqlite3_column_double(row, 3);
        /* If records were lost, the true sums are at least as large as the measured ones. Numbers
         * of report summary are sums, except the run time. */
        measured->at_least =
            loses && (adds || (source->row != NULL && measured->kind != COLUMN_ANY &&
                               strcmp(source->report, "summary") == 0));
        measured->is_vague = loses && !measured->at_least;
        if (measured->kind == COLUMN_ANY) {
            measured->kind = (enum column_kind)sqlite3_column_int(row, 2);
        }
    }
}

const char *measure_why_outside_window(const struct catalog_trace *trace,
                                       const struct figure *figure) {
    return window_is_outside(trace, &figure->filter) ? MEASURE_NO_TIME : NULL;
}

bool measure_has_word(const char *condition, const char *word) {
    const size_t length = strlen(word);
    char quote = '\0';

    for (const char *at = condition; *at != '\0'; at++) {
        if (quote != '\0' ? *at == quote : memchr("'\"`", *at, 3) != NULL) {
            quote = quote != '\0' ? '\0' : *at;
        } else if (quote != '\'' && strncasecmp(at, word, length) == 0 &&
                   (at == condition || strchr(CONDITION_LETTERS, at[-1]) == NULL) &&
                   (at[length] == '\0' || strchr(CONDITION_LETTERS, at[length]) == NULL)) {
            return true;
        }
    }
    return false;
}

/* Returns whether a text begins with a comparison operator and a constant. */
static bool compares_with_constant(const char *at) {
    static const char *const words[] = {"like ", "glob ", "between ", "in ", "in("};
    size_t length = strspn(at, "=<>!");

    for (size_t i = 0; length == 0 && i < sizeof words / sizeof words[0]; i++) {
        if (strncasecmp(at, words[i], strlen(words[i])) == 0) {
            return true;
        }
    }
    at += length;
    at += strspn(at, " \t\n");
    return length > 0 && *at != '\0' && strchr("'0123456789.-+", *at) != NULL;
}

bool measure_check_quoted(const char *condition, const char *columns, struct error *error) {
    char before = ' ', word[64]; /* before: last character that is neither quoted nor blank */

    if (measure_has_word(condition, "select")) {
        return true; /* no check: words in quotes may be names that the SELECT defines */
    }
    for (const char *at = condition, *end; *at != '\0'; at++) {
        if (memchr("'\"`", *at, 3) == NULL) {
            before = strchr(" \t\n", *at) == NULL ? *at : before;
            continue;
        }
        end = strchr(at + 1, *at);
        if (end == NULL) {
            break;
        }
        snprintf(word, sizeof word, "%.*s", (int)(end - at) - 1, at + 1);
        if (*at == '"' && *word != '\0' && strchr("=<>!|+-*/%&", before) == NULL &&
            !measure_has_word(columns, word) &&
            compares_with_constant(end + 1 + strspn(end + 1, " \t\n"))) {
            error_usage(error, "no such column: %s", word);
            measure_list_columns(error, columns);
            return false;
        }
        before = '\'';
        at = end;
    }
    return true;
}

void measure_list_columns(struct error *error, const char *columns) {
    const struct error unlisted = *error;
    struct text list = {0};

    if (strstr(unlisted.message, "no such column: ") != NULL) {
        for (const char *at = columns; *at != '\0'; at++) {
            text_append_format(&list, *at == ' ' ? ", " : "%c", *at);
        }
        error_set_status(error, unlisted.status, "%s; there are %s", unlisted.message,
                         text_string(&list));
        text_free(&list);
    }
}

static bool measure_source(struct measures *measures, const struct figure *figure,
                           const struct figure_source *source, const char *where, size_t trace,
                           struct measured *measured, struct error *error) {
    struct measure_table *table = find_table(measures, figure, source, error);
    sqlite3_stmt *statement = NULL;
    struct text sql = {0};
    const struct measure_rows *rows;
    struct figure placed;
    const char *keys;

    if (table == NULL) {
        return false;
    }
    rows = &table->rows[trace];
    if (rows->query == NULL) {
        /* Keeps the reason of an earlier source, if there is one: of that source, the trace has the
         * report. */
        measured->why = measured->why != NULL ? measured->why
                        : table->why != NULL  ? table->why
                                              : MEASURE_NO_REPORT;
        return true;
    }
    keys = source->keys != NULL        ? source->keys
           : *rows->query->key != '\0' ? rows->query->key
                                       : find_keys(&measures->pool, rows->query);
    append_query(&sql, source);
    figure = measure_match_names_to_keys(&measures->pool, figure, keys, rows->columns, &placed);
    append_from(&sql, table, trace);
    text_append_format(&sql, " AND CASE WHEN\n%s\nTHEN 1 END", where != NULL ? where : "1");
    measure_append_rows(&sql, figure, source, keys, rows->columns);
    if (sqlite3_prepare_v2(measures->memory, text_string(&sql), -1, &statement, NULL) ==
            SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW) {
        measure_read(source, find_unknown_call(measures, figure, table, keys, trace),
                     strncmp(keys, "time", 4) != 0, statement, measures->traces[trace], measured);
        if (measured->why == needs_row &&
            (source->keys == NULL || strncmp(keys, "name class", 10) != 0)) {
            measured->why = name_row(measures, source, keys);
        }
    } else {
        measured->why = pool_copy(&measures->pool, sqlite3_errmsg(measures->memory));
    }
    sqlite3_finalize(statement);
    text_free(&sql);
    if (where != NULL && measured->is_known && !measure_check_quoted(where, rows->columns, error)) {
        return error_context(error, "where %s", where);
    }
    if (where != NULL && !measured->is_known) {
        error_usage(error, "where %s: %s", where, measured->why);
        measure_list_columns(error, rows->columns);
        return false;
    }
    return true;
}

/* Returns whether all calls that a figure of times is about have durations. A log without durations
 * may still have those of interrupted calls. */
static bool measure_has_times(struct measures *measures, const struct figure *figure, size_t trace,
                              struct error *error) {
    static const struct figure_source sources[] = {
        {.report = "syscalls", .keys = "name", .column = "calls", .fold = FOLD_SUM},
        {.report = "percentiles", .keys = "name", .column = "count", .fold = FOLD_SUM}};
    struct figure calls = *figure;
    struct report_option options[FIGURE_MOST];
    struct measured measured[2] = {{.is_known = false}, {.is_known = false}};

    calls.name_count = figure->word != NULL ? figure->name_count : 0;
    calls.dotted = false;
    calls.options = options;
    for (size_t i = 0; i < figure->option_count; i++) {
        options[i] = figure->options[i];
        if (strcmp(options[i].name, "by") == 0 && strcmp(options[i].value, "program") == 0) {
            char *key;

            /* Report percentiles can group by process, but not by program. */
            options[i].value = "process";
            key = xasprintf("%sby=process\n", figure->key);
            calls.key = pool_copy(&measures->pool, key);
            free(key);
        }
    }
    return measure_source(measures, &calls, &sources[0], NULL, trace, &measured[0], error) &&
           measure_source(measures, &calls, &sources[1], NULL, trace, &measured[1], error) &&
           measured[0].number <= measured[1].number;
}

/* --- logs from which calls were left out ------------------------------------------------------ */

void measure_append_effect_filter(struct text *sql, const char *column) {
    static const char *const does[] = {"open", "read", "writ", "fsync"};

    for (size_t i = 0; i < sizeof does / sizeof does[0]; i++) {
        if (strstr(column, does[i]) != NULL) {
            text_append_format(sql, " AND call_does(op) GLOB '%s*'", does[i]);
        }
    }
}

bool measure_lacks_calls(struct database *database, const struct catalog_trace *trace,
                         const char *condition, bool *lacks, struct error *error) {
    char *sql = xasprintf(
        "SELECT EXISTS (SELECT 1 FROM main.remark WHERE trace = ?1 AND text LIKE 'calls were left "
        "out%%') AND NOT EXISTS (SELECT 1 FROM (SELECT text AS op FROM main.name WHERE trace = ?1"
        " AND kind = 'syscall') WHERE %s)",
        condition);
    int64_t value = 0;
    const bool done = database_query_integer(database, sql, trace->id, 0, &value, error);

    *lacks = value != 0;
    free(sql);
    return done;
}

bool measure_log_names_files(const struct catalog_trace *trace) {
    return trace->kind == TRACE_CALLS && (trace->unknown & FACT(FILE_NAMES)) == 0 &&
           catalog_meaning(trace, "object", "file") != NULL;
}

/* Makes a count of 0 unknown if the log was recorded without the figure's calls, or if the report
 * `files` needs file names, which the log lacks. */
static bool measure_check_calls(struct measures *measures, const struct figure *figure,
                                const char *report, size_t trace, struct measured *measured,
                                struct error *error) {
    const struct figure_source *source = &figure->sources[0];
    struct text calls = {0};
    const bool names = report == NULL || strcmp(report, "files") != 0 ||
                       measure_log_names_files(measures->traces[trace]);
    bool lacks = false, done = true;

    if (source->keys != NULL && strncmp(source->keys, "name", 4) == 0) {
        measure_append_names(&calls, figure, source->keys, "name", "op", NULL);
    } else if (figure->word != NULL) {
        measure_append_effect_filter(&calls, source->column);
    }
    if (calls.length > 0) {
        done = measure_lacks_calls(measures->workspace->database, measures->traces[trace],
                                   text_string(&calls) + strlen(" AND "), &lacks, error);
    }
    if (lacks || !names) {
        measured->is_known = false;
        measured->why = names ? MEASURE_LACKS : MEASURE_NO_FILES;
    }
    text_free(&calls);
    return done;
}

/* Sets the share of a known cause of waiting to 0 if report `why` has no row for it. */
static bool measure_absent_cause(struct measures *measures, const struct figure *figure,
                                 size_t trace, struct measured *measured, struct error *error) {
    static const struct figure_source source = {
        .report = "why", .keys = "name", .column = "cause", .fold = FOLD_ROWS};
    struct figure calls = *figure;
    struct measured rows = {.is_known = false};
    bool done, is_known = false;

    calls.name_count = 0;
    for (size_t i = 0; i < figure->name_count; i++) {
        if (figure->names[i].column == 0) {
            calls.names[calls.name_count++] = figure->names[i];
        } else {
            is_known = wait_cause_is_known(figure->names[i].name);
        }
    }
    done = measure_source(measures, &calls, &source, NULL, trace, &rows, error);
    if (done && is_known && rows.is_known && rows.number > 0) {
        measured->is_known = true;
        measured->number = 0;
        measured->is_vague = trace_loses(measures->traces[trace]);
    }
    return done;
}

bool measure_uses_kind(struct measures *measures, const struct figure *figure, size_t trace,
                       const char *condition, enum column_kind kind) {
    struct error ignored = {0};
    const struct measure_table *table = find_table(measures, figure, &figure->sources[0], &ignored);
    const struct query *query = table != NULL ? table->rows[trace].query : NULL;

    for (size_t i = 0; query != NULL && i < query->column_count; i++) {
        const struct column *column = &query->columns[i].column;

        if (column->kind == kind && measure_has_word(condition, column->name)) {
            return true;
        }
    }
    return false;
}

bool measure_figure_in_trace(struct measures *measures, const struct figure *figure,
                             const char *where, size_t trace, struct measured *measured,
                             struct error *error) {
    const char *report = NULL; /* report that gave the number */
    bool done = true;

    *measured =
        (struct measured){.kind = figure->kind,
                          .in_units = strcmp(measures->traces[trace]->clock_unit, "ns") != 0,
                          .why = measure_why_outside_window(measures->traces[trace], figure)};
    if (measured->why != NULL) {
        return true;
    }
    for (size_t i = 0; done && !measured->is_known && i < FIGURE_SOURCES; i++) {
        const struct figure_source *source = &figure->sources[i];

        if (source->report != NULL && (source->rows == ROWS_ANY ||
                                       (source->rows == ROWS_NAMED) == (figure->name_count > 0))) {
            done = measure_source(measures, figure, source, where, trace, measured, error);
            report = source->report;
        }
    }
    if (done && !measured->is_known && figure->word != NULL &&
        strcmp(figure->word->name, "why") == 0 && measured->why != NULL &&
        strcmp(measured->why, MEASURE_NO_ROW) == 0) {
        done = measure_absent_cause(measures, figure, trace, measured, error);
    }
    if (measured->is_known && figure->kind == COLUMN_DURATION &&
        measures->traces[trace]->kind == TRACE_CALLS &&
        !measure_has_times(measures, figure, trace, error)) {
        measured->is_known = false;
        measured->why = "not all of these calls have a duration";
    }
    if (done && measured->is_known && measured->number == 0 &&
        measures->traces[trace]->kind == TRACE_CALLS) {
        done = measure_check_calls(measures, figure, report, trace, measured, error);
    }
    return done && error->status == EXIT_DONE;
}
