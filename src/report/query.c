#include "report/query.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/words.h"

/* How to compare the rows of two traces: a header line `-- compare: METHOD WORD=COLUMN…`.
 *
 *     -- compare: counts value=count            number of occurrences
 *     -- compare: sizes value=count             the same for sizes in bytes
 *     -- compare: times calls=calls time=self   numbers of calls, and their time
 *     -- compare: clock value=total seconds=s   counts per hour
 *     -- compare: values group=part             values with distributions in temp.distribution
 *     -- compare: rows value=value signed=s     each row separately
 *     -- compare: rows value=m deviation=d count=n   the same for means of n values
 *     -- compare: rows … calls=calls time=time   the same for parts of the time of calls
 *     -- compare: tree                          call paths: rows with the columns depth, name,
 *                                               calls, total and self, depth first
 *
 * A final `alone` excludes the report from the summary of all changes. With `lengths` after
 * `values`, values are called longer or shorter; by default, slower or faster.
 *
 * `key=COLUMN,…` names the columns that identify matching rows; default: those of the line `--
 * key:`. tracetool-config(5) documents this. */

static const struct {
    const char *name;
    const char *takes; /* words that a line with this method may have, besides `key` */
    const char *needs;
} methods[] = {
    [COMPARE_NOT] = {"", "", ""},
    [COMPARE_COUNTS] = {"counts", "value", "value"},
    [COMPARE_SIZES] = {"sizes", "value", "value"},
    [COMPARE_TIMES] = {"times", "calls time", "time"},
    [COMPARE_CLOCK] = {"clock", "value seconds", "value"},
    [COMPARE_VALUES] = {"values", "group", "group"},
    [COMPARE_ROWS] = {"rows", "value signed deviation count calls time", ""},
    [COMPARE_TREE] = {"tree", "", ""},
};

#define METHODS (sizeof methods / sizeof methods[0])

/* Returns the word for a method in a header line `compare`. */
static const char *query_compare_method(enum compare_method method) {
    return methods[method].name;
}

static bool query_find_method(struct query_compare *compare, const char *name) {
    for (size_t i = 1; name != NULL && i < METHODS; i++) {
        if (strcmp(methods[i].name, name) == 0) {
            compare->method = (enum compare_method)i;
            return true;
        }
    }
    return false;
}

/* Returns the member of `compare` for `word` in a line `compare`; NULL: unknown word. */
static const char **query_place_of(struct query_compare *compare, const char *word) {
    return strcmp(word, "key") == 0         ? &compare->key
           : strcmp(word, "value") == 0     ? &compare->value
           : strcmp(word, "calls") == 0     ? &compare->calls
           : strcmp(word, "time") == 0      ? &compare->time
           : strcmp(word, "group") == 0     ? &compare->group
           : strcmp(word, "signed") == 0    ? &compare->has_sign
           : strcmp(word, "seconds") == 0   ? &compare->seconds
           : strcmp(word, "count") == 0     ? &compare->count
           : strcmp(word, "deviation") == 0 ? &compare->deviation
                                            : NULL;
}

/* Parses WORD=COLUMN,… of a line `compare`; stores the columns with blanks instead of commas. */
static bool query_parse_words(struct query_compare *compare, char *word, struct error *error) {
    char *columns = strchr(word, '=');
    const char **place;

    if (columns == NULL || columns[1] == '\0') {
        return error_set(error, "compare: expected WORD=COLUMN, not '%s'", word);
    }
    *columns++ = '\0';
    place = query_place_of(compare, word);
    if (place == NULL || compare->method == COMPARE_TREE ||
        (place != &compare->key && !word_in(methods[compare->method].takes, word))) {
        return error_set(error, "compare: %s does not take '%s'", methods[compare->method].name,
                         word);
    }
    for (char *comma = columns; (comma = strchr(comma, ',')) != NULL;) {
        *comma = ' ';
    }
    *place = columns;
    return true;
}

/* Columns of a call tree, with fixed names, which printer_folded.c and flame_graph.h use. */
static const struct query_compare tree = {
    .method = COMPARE_TREE,
    .key = "depth name",
    .calls = "calls",
    .time = "self",
    .total = "total",
};

bool query_compare_parse(struct query_compare *compare, char *line, struct error *error) {
    char *rest, *word = strtok_r(line, " ", &rest);
    const char *needs;

    *compare = (struct query_compare){.method = COMPARE_NOT};
    if (!query_find_method(compare, word)) {
        return error_set(error,
                         "compare: there is no '%s'; there are counts, sizes, times, clock, "
                         "values, rows and tree",
                         word == NULL ? "" : word);
    }
    while ((word = strtok_r(NULL, " ", &rest)) != NULL) {
        if (strcmp(word, "alone") == 0) {
            compare->alone = true;
        } else if (strcmp(word, "lengths") == 0 && compare->method == COMPARE_VALUES) {
            compare->is_lengths = true;
        } else if (!query_parse_words(compare, word, error)) {
            return false;
        }
    }
    if (compare->method == COMPARE_TREE) {
        *compare = tree;
    }
    needs = methods[compare->method].needs;
    return needs[0] == '\0' || *query_place_of(compare, needs) != NULL ||
           error_set(error, "compare: %s needs %s=COLUMN", methods[compare->method].name, needs);
}

const struct query_column *query_find_column(const struct query *query, const char *name,
                                             size_t length) {
    for (size_t i = 0; i < query->column_count; i++) {
        const char *column = query->columns[i].column.name;

        if (strlen(column) == length && memcmp(column, name, length) == 0) {
            return &query->columns[i];
        }
    }
    return NULL;
}

const char *query_column_meaning(const struct query *query, const char *name) {
    const struct query_column *column = query_find_column(query, name, strlen(name));

    return column == NULL ? NULL : column->meaning;
}

bool query_column_is_for_plots(const struct query_column *column) {
    return column->condition != NULL && strcmp(column->condition, QUERY_PICTURE) == 0;
}

bool query_column_is_for_compare(const struct query_column *column) {
    return column->condition != NULL && strcmp(column->condition, QUERY_COMPARE) == 0;
}

bool query_column_is_for_curves(const struct query_column *column) {
    return column->condition != NULL && strcmp(column->condition, QUERY_CURVE) == 0;
}

bool query_column_is_hidden(const struct query_column *column) {
    return query_column_is_for_plots(column) || query_column_is_for_compare(column) ||
           query_column_is_for_curves(column);
}

static bool is_of_ccdf(const struct query_column *column) {
    return column->condition != NULL && strcmp(column->condition, "ccdf") == 0;
}

bool query_prints_column(const struct query *query, const struct query_column *column) {
    bool cdf = query->when_option != NULL && strcmp(query->when_option, "cdf") == 0;

    return (cdf && query_column_is_for_curves(column)) ||
           (!query_column_is_hidden(column) && !is_of_ccdf(column) &&
            !(cdf && column->unless && strcmp(column->condition, "cdf") == 0));
}

bool query_is_cumulative(const struct query *query) {
    for (size_t i = 0; i < query->column_count; i++) {
        const struct query_column *column = &query->columns[i];

        if (strcmp(column->column.name, "cumulative") == 0 &&
            (!query_column_is_hidden(column) ||
             (query_column_is_for_curves(column) && query->curves > 0))) {
            return true;
        }
    }
    return false;
}

bool query_is_complementary(const struct query *query) {
    bool has_column = false;

    for (size_t i = 0; i < query->column_count; i++) {
        has_column |= is_of_ccdf(&query->columns[i]);
    }
    return has_column && query_is_cumulative(query);
}

const struct query_parameter *query_parameter(const struct query *query, const char *name) {
    return find_named(query->parameters, query->parameter_count, sizeof *query->parameters, name);
}

const char *sql_find_name(const char *sql, const char *name) {
    const size_t length = strlen(name);

    while ((sql = strstr(sql, name)) != NULL &&
           (isalnum((unsigned char)sql[length]) || sql[length] == '_')) {
        sql++;
    }
    return sql;
}

bool query_has_name(const struct query *query, const char *name) {
    bool has = sql_find_name(query->sql, name) != NULL;

    for (size_t i = 0; !has && i < query->remark_count; i++) {
        has = sql_find_name(query->remarks[i].sql, name) != NULL;
    }
    return has;
}

bool query_is_same_for_pictures(const struct query *query) {
    bool is_same = query->curves == 0 && !query_has_name(query, ":" QUERY_PICTURE);

    for (size_t i = 0; is_same && i < query->column_count; i++) {
        is_same = !query_column_is_for_plots(&query->columns[i]) &&
                  !query_column_is_for_curves(&query->columns[i]);
    }
    return is_same;
}

static bool query_has_column(const struct query *query, const char *name) {
    return query_find_column(query, name, strlen(name)) != NULL;
}

static bool analysis_fills_table(const struct analysis *analysis, const char *table) {
    size_t i = 0;

    while (i < ANALYSIS_TABLES && analysis->tables[i].name != NULL &&
           strcmp(analysis->tables[i].name, table) != 0) {
        i++;
    }
    return i < ANALYSIS_TABLES && analysis->tables[i].name != NULL;
}

/* Returns the name of a temporary table that both analyses fill; NULL: none. */
static const char *shared_table(const struct analysis *one, const struct analysis *other) {
    for (size_t i = 0; i < ANALYSIS_TABLES && one->tables[i].name != NULL; i++) {
        if (analysis_fills_table(other, one->tables[i].name)) {
            return one->tables[i].name;
        }
    }
    return NULL;
}

/* Checks that no two analyses fill the same table. */
static bool query_check_tables(const struct query *query, struct error *error) {
    for (size_t i = 1; i < query->wanted_count; i++) {
        const struct analysis *analysis = query->wanted[i].analysis;

        for (size_t j = 0; j < i; j++) {
            const struct analysis *other = query->wanted[j].analysis;
            const char *table = shared_table(other, analysis);

            if (table != NULL) {
                return error_set(
                    error, "%s: %s and %s both fill temp.%s: a query can use only one of them",
                    query->file, other->name, analysis->name, table);
            }
        }
    }
    return true;
}

/* Checks that the columns in a header line exist; `names` are separated by blanks. */
static bool query_check_names(const struct query *query, const char *names, struct error *error) {
    for (const char *name = names + strspn(names, " "); *name != '\0'; name += strspn(name, " ")) {
        size_t length = strcspn(name, " ");

        if (query_find_column(query, name, length) == NULL) {
            return error_set(error, "%s: there is no column '%.*s'", query->file, (int)length,
                             name);
        }
        name += length;
    }
    return true;
}

/* Checks that the columns of counts, which --share converts, come after the key columns. */
static bool check_shares(const struct query *query, struct error *error) {
    const struct query_column *total;
    bool is_key = true;

    if (query->total == NULL) {
        return true;
    }
    if (!query_check_names(query, query->total, error)) {
        return false;
    }
    total = query_find_column(query, query->total, strlen(query->total));
    for (size_t i = 0; i < query->column_count; i++) {
        bool was_key = is_key;

        is_key = word_in(query->key, query->columns[i].column.name);
        if (is_key && !was_key) {
            return error_set(error,
                             "%s: a query with shares must have the columns of its key first",
                             query->file);
        }
    }
    return (total->column.kind == COLUMN_INTEGER && !word_in(query->key, query->total)) ||
           error_set(error, "%s: column '%s', named in shares, must be a count outside of the key",
                     query->file, query->total);
}

/* Returns whether all columns in `names` have one of the kinds, a bit set of enum column_kind. */
static bool are_of_kinds(const struct query *query, const char *names, unsigned kinds) {
    for (size_t i = 0; i < query->column_count; i++) {
        const struct column *column = &query->columns[i].column;

        if (word_in(names, column->name) && (kinds >> column->kind & 1) == 0) {
            return false;
        }
    }
    return true;
}

/* Checks that the columns in `names` (NULL: none) exist and have one of these kinds. */
static bool check_compared(const struct query *query, const char *names, unsigned kinds,
                           struct error *error) {
    return names == NULL || (query_check_names(query, names, error) &&
                             (are_of_kinds(query, names, kinds) ||
                              error_set(error, "%s: '%s' cannot be compared as %s", query->file,
                                        names, query_compare_method(query->compare.method))));
}

/* Checks that the columns to compare, and the key of methods sizes and clock, are numbers. */
static bool check_compare(struct query *query, struct error *error) {
    const unsigned integers = 1u << COLUMN_INTEGER | 1u << COLUMN_BYTES | 1u << COLUMN_NUMBER;
    const unsigned all = ~0u;
    struct query_compare *compare = &query->compare;
    bool is_counted = compare->method != COMPARE_ROWS;
    bool is_placed = compare->method == COMPARE_SIZES || compare->method == COMPARE_CLOCK;

    if (compare->method == COMPARE_NOT) {
        return true;
    }
    if (compare->key == NULL) {
        compare->key = query->key;
    }
    /* A query without a key may have a line `compare` from an included file; that is not used. */
    if (compare->key[0] == '\0' && is_counted) {
        compare->method = COMPARE_NOT;
        return true;
    }
    if (is_placed && strchr(compare->key, ' ') != NULL) {
        return error_set(error, "%s: compare: the key of %s is one column", query->file,
                         query_compare_method(compare->method));
    }
    return check_compared(query, compare->key, is_placed ? integers : all, error) &&
           check_compared(query, compare->value, is_counted ? integers : all, error) &&
           check_compared(query, compare->calls, integers, error) &&
           check_compared(query, compare->group, 1u << COLUMN_TEXT | 1u << COLUMN_PATH, error) &&
           check_compared(query, compare->time, 1u << COLUMN_DURATION, error) &&
           check_compared(query, compare->total, 1u << COLUMN_DURATION, error) &&
           check_compared(query, compare->has_sign, 1u << COLUMN_INTEGER, error) &&
           check_compared(query, compare->count, 1u << COLUMN_INTEGER, error) &&
           check_compared(query, compare->deviation, 1u << COLUMN_REAL, error) &&
           check_compared(query, compare->seconds, 1u << COLUMN_REAL, error);
}

/* Copies the texts of header lines `meaning:` to their columns, which may follow in the header. */
static bool apply_meanings(struct query *query) {
    for (size_t i = 0; i < query->meant_count; i++) {
        bool found = false;

        for (size_t j = 0; j < query->column_count; j++) {
            if (strcmp(query->columns[j].column.name, query->meant[i].word) == 0) {
                query->columns[j].meaning = query->meant[i].value;
                found = true;
            }
        }
        if (!found) {
            return false;
        }
    }
    return true;
}

static const char *query_skip_blanks(const char *sql) {
    sql += strspn(sql, " \n");
    while (strncmp(sql, "--", 2) == 0) {
        sql += strcspn(sql, "\n");
        sql += strspn(sql, " \n");
    }
    return sql;
}

/* Accepts only SELECT 'text' || 'text' …, optionally followed by a condition. */
bool query_append_definition(const struct query_remark *remark, struct text *out) {
    static const char select[] = "SELECT ";
    const char *sql = query_skip_blanks(remark->sql);
    bool goes_on;

    text_clear(out);
    if (remark->class != REMARK_DEFINITION || strncmp(sql, select, strlen(select)) != 0) {
        return false;
    }
    sql += strlen(select);
    do {
        if (*sql != '\'') {
            return false;
        }
        for (sql++; *sql != '\0' && (*sql != '\'' || *++sql == '\''); sql++) {
            text_append_char(out, *sql);
        }
        sql = query_skip_blanks(sql);
        goes_on = strncmp(sql, "||", 2) == 0;
        sql = goes_on ? query_skip_blanks(sql + 2) : sql;
    } while (goes_on);
    return out->length > 0;
}

void query_describe(const struct query *query, struct result *result) {
    result->report = query->report;
    result->option = query->when_value == NULL ? query->when_option : NULL;
    result->title = query->title;
    result->indented = query->indented;
    result->order = query->order;
    result->worth = query->ranked;
    result->prose = query->prose;
    result->key = query->key;
    result->blank = query->blank;
}

bool query_check(struct query *query, struct error *error) {
    if (query->report == NULL || query->kinds == 0 || query->column_count == 0 ||
        query->sql[strspn(query->sql, " \n")] == '\0') {
        return error_set(
            error, "%s: a query file needs the header lines report, kinds and column, and a query",
            query->file);
    }
    if (!apply_meanings(query)) {
        return error_set(error, "%s: 'meaning' names an unknown column", query->file);
    }
    /* Checks that the columns in header lines `fact:` exist. */
    for (size_t i = 0; i < query->fact_count; i++) {
        const struct query_fact *rule = &query->facts[i];

        if (rule->part != QUERY_FACT_REPORT &&
            !query_check_names(query, rule->part == QUERY_FACT_ROWS ? rule->column : rule->names,
                               error)) {
            return false;
        }
    }
    if (query->thin_weight != NULL && !query_has_column(query, query->thin_weight)) {
        return error_set(error, "%s: 'thin' names an unknown column", query->file);
    }
    for (size_t i = 0; i < query->place_count; i++) {
        const struct query_downsampling_key *key = &query->place[i];

        if (!query_has_column(query, key->column) ||
            (key->plus != NULL && !query_has_column(query, key->plus))) {
            return error_set(error, "%s: 'thin' names an unknown column", query->file);
        }
    }
    return query_check_names(query, query->key, error) &&
           query_check_names(query, query->meanless, error) &&
           query_check_names(query, query->absent, error) &&
           (query->order == NULL || query_check_names(query, query->order, error)) &&
           (query->ranked == NULL || query_check_names(query, query->ranked, error)) &&
           query_check_names(query, query->blank, error) && query_check_tables(query, error) &&
           check_shares(query, error) && check_compare(query, error);
}

bool query_add_place_to_error(const struct query *query, const char *at, struct error *error) {
    struct text place = {0};

    query_append_place(query, at, &place);
    error_context(error, "%s", text_string(&place));
    text_free(&place);
    return false;
}

size_t query_statement_length(const char *sql) {
    size_t length = strlen(sql);

    while (length > 0 && strchr("; \t\r\n", sql[length - 1]) != NULL) {
        length--;
    }
    return length;
}

void query_append_place(const struct query *query, const char *at, struct text *place) {
    query_text_place(&query->source, (size_t)(at - query->text) - query->source_at, place);
}

void query_free(struct query *query) {
    query_text_free(&query->source);
    free(query->text);
    free(query->plot_text);
    free(query->other_plot.text);
    *query = (struct query){0};
}
