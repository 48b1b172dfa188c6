#include "report/query.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/words.h"
#include "base/memory.h"

static const struct {
    const char *name;
    enum column_kind kind;
} column_kinds[] = {
    {"any", COLUMN_ANY},       {"text", COLUMN_TEXT}, {"integer", COLUMN_INTEGER},
    {"number", COLUMN_NUMBER}, {"real", COLUMN_REAL}, {"share", COLUMN_SHARE},
    {"bytes", COLUMN_BYTES},   {"time", COLUMN_TIME}, {"duration", COLUMN_DURATION},
};

/* --- the header ---------------------------------------------------------------------------- */

/* Cuts the next word off a line and returns it, NULL at the end. */
static char *cut_word(char **line) {
    char *word = *line + strspn(*line, " ");
    size_t length = strcspn(word, " ");

    if (length == 0) {
        return NULL;
    }
    *line = word + length;
    if (**line != '\0') {
        *(*line)++ = '\0';
    }
    return word;
}

static bool parse_kind_words(unsigned *kinds, char *value) {
    char *word;

    while ((word = cut_word(&value)) != NULL) {
        enum trace_kind kind;

        if (!trace_kind_find(word, &kind)) {
            return false;
        }
        *kinds |= 1u << kind;
    }
    return true;
}

static bool parse_kinds(struct query *query, char *value) {
    return parse_kind_words(&query->kinds, value);
}

static bool parse_after(struct query *query, char *value) {
    return parse_kind_words(&query->after, value);
}

/* Adds an analysis; the same one twice is one. */
static struct wanted_analysis *want(struct query *query, const struct analysis *analysis) {
    struct wanted_analysis *wanted = query->wanted;

    while (wanted < query->wanted + query->wanted_count && wanted->analysis != analysis) {
        wanted++;
    }
    if (wanted == query->wanted + QUERY_ANALYSES) {
        return NULL;
    }
    if (wanted == query->wanted + query->wanted_count) {
        *wanted = (struct wanted_analysis){.analysis = analysis, .filtered_only = true};
        wanted_defaults(wanted);
        query->wanted_count++;
    }
    return wanted;
}

/* NAME, or NAME? for what is only wanted where a filter chooses events. */
static bool parse_tallies(struct query *query, char *value) {
    char *word;

    while ((word = cut_word(&value)) != NULL) {
        size_t length = strlen(word);
        bool filtered = length > 1 && word[length - 1] == '?';
        const struct analysis *analysis;
        struct wanted_analysis *wanted;

        if (filtered) {
            word[length - 1] = '\0';
        }
        analysis = analysis_find(word);
        wanted = analysis == NULL ? NULL : want(query, analysis);
        if (wanted == NULL) {
            return false;
        }
        wanted->filtered_only &= filtered;
    }
    return true;
}

/* OPTION, or OPTION = VALUE, or OPTION = VALUE by default. */
static bool parse_when(struct query *query, char *value) {
    char *equals, *rest;

    query->when_option = cut_word(&value);
    equals = cut_word(&value);
    query->when_value = cut_word(&value);
    rest = value + strspn(value, " ");
    query->by_default = strcmp(rest, "by default") == 0;
    if (*rest != '\0' && !query->by_default) {
        return false;
    }
    return query->when_option != NULL &&
           (equals == NULL || (strcmp(equals, "=") == 0 && query->when_value != NULL));
}

static bool parse_column_kind(const char *word, enum column_kind *kind) {
    for (size_t i = 0; i < sizeof column_kinds / sizeof column_kinds[0]; i++) {
        if (word != NULL && strcmp(column_kinds[i].name, word) == 0) {
            *kind = column_kinds[i].kind;
            return true;
        }
    }
    return false;
}

/* NAME KIND [UNIT | indented] [if OPTION | unless OPTION] */
static bool parse_column(struct query *query, char *value) {
    struct query_column *column = &query->columns[query->column_count];
    char *word;

    if (query->column_count == QUERY_COLUMNS) {
        return false;
    }
    column->column.name = cut_word(&value);
    column->column.unit = "";
    if (column->column.name == NULL || !parse_column_kind(cut_word(&value), &column->column.kind)) {
        return false;
    }
    word = cut_word(&value);
    if (word != NULL && strcmp(word, "indented") == 0) {
        query->indented = column->column.name;
        word = cut_word(&value);
    } else if (word != NULL && strcmp(word, "if") != 0 && strcmp(word, "unless") != 0) {
        column->column.unit = word;
        word = cut_word(&value);
    }
    if (word != NULL) {
        column->condition = cut_word(&value);
        column->unless = strcmp(word, "unless") == 0;
        if ((strcmp(word, "if") != 0 && !column->unless) || column->condition == NULL) {
            return false;
        }
    }
    query->column_count++;
    return true;
}

bool query_column_of_picture(const struct query_column *column) {
    return column->condition != NULL && strcmp(column->condition, QUERY_PICTURE) == 0;
}

bool query_column_of_compare(const struct query_column *column) {
    return column->condition != NULL && strcmp(column->condition, QUERY_COMPARE) == 0;
}

bool query_column_of_curve(const struct query_column *column) {
    return column->condition != NULL && strcmp(column->condition, QUERY_CURVE) == 0;
}

bool query_column_is_hidden(const struct query_column *column) {
    return query_column_of_picture(column) || query_column_of_compare(column) ||
           query_column_of_curve(column);
}

bool query_prints_column(const struct query *query, const struct query_column *column) {
    bool cdf = query->when_option != NULL && strcmp(query->when_option, "cdf") == 0;

    return (cdf && query_column_of_curve(column)) ||
           (!query_column_is_hidden(column) &&
            !(cdf && column->unless && strcmp(column->condition, "cdf") == 0));
}

bool query_is_cumulative(const struct query *query) {
    for (size_t i = 0; i < query->column_count; i++) {
        const struct query_column *column = &query->columns[i];

        if (strcmp(column->column.name, "cumulative") == 0 &&
            (!query_column_is_hidden(column) ||
             (query_column_of_curve(column) && query->curves > 0))) {
            return true;
        }
    }
    return false;
}

/* COLUMN, COLUMN/PARTS or COLUMN+COLUMN/PARTS, again and again. */
static bool parse_thin(struct query *query, char *value) {
    char *word;

    while ((word = cut_word(&value)) != NULL) {
        struct query_place_key *key = &query->place[query->place_count];
        char *slash = strchr(word, '/'), *plus = strchr(word, '+'), *end = NULL;
        unsigned long parts = slash == NULL ? 0 : strtoul(slash + 1, &end, 10);

        if (query->place_count == THINNING_KEYS || (slash != NULL && *end != '\0') ||
            (slash != NULL && (parts < 1 || parts > 100000))) {
            return false;
        }
        *key = (struct query_place_key){.column = word, .parts = (unsigned)parts};
        if (slash != NULL) {
            *slash = '\0';
        }
        if (plus != NULL) {
            *plus = '\0';
            key->plus = plus + 1;
        }
        query->place_count++;
    }
    return query->place_count > 0;
}

const char *query_column_kind(enum column_kind kind) {
    size_t i = 0;

    while (column_kinds[i].kind != kind) {
        i++;
    }
    return column_kinds[i].name;
}

const struct query_parameter *query_parameter(const struct query *query, const char *name) {
    for (size_t i = 0; i < query->parameter_count; i++) {
        if (strcmp(query->parameters[i].row.name, name) == 0) {
            return &query->parameters[i];
        }
    }
    return NULL;
}

/* NAME TYPE DEFAULT "help" */
static bool parse_parameter(struct query *query, char *value, struct error *error) {
    struct query_parameter parameter;

    if (query->parameter_count == QUERY_PARAMETERS) {
        return error_set(error, "more than %d parameters", QUERY_PARAMETERS);
    }
    if (!query_parameter_parse(&parameter, value, error)) {
        return false;
    }
    if (query_parameter(query, parameter.row.name) != NULL) {
        return error_set(error, "parameter '%s' stands twice", parameter.row.name);
    }
    query->parameters[query->parameter_count++] = parameter;
    return true;
}

static bool parse_report(struct query *query, char *value) {
    query->report = value;
    return *value != '\0';
}

static bool parse_title(struct query *query, char *value) {
    query->title = value;
    return true;
}

static bool parse_options(struct query *query, char *value) {
    query->options = value;
    return true;
}

static bool parse_formats(struct query *query, char *value) {
    query->formats = value;
    return *value != '\0';
}

/* NAME [if OPTION [VALUE…]] */
static bool parse_plot(struct query *query, char *value) {
    static const char condition[] = " if ";
    char *at = strstr(value, condition);

    if (at == NULL) {
        query->plot = value;
        return *value != '\0';
    }
    *at = '\0';
    at += strlen(condition);
    query->other_plot = (struct query_other_plot){.plot = value, .option = cut_word(&at)};
    query->other_plot.values = at == NULL ? "" : at + strspn(at, " ");
    return *value != '\0' && query->other_plot.option != NULL;
}

static bool parse_curves(struct query *query, char *value) {
    query->curves =
        value[0] >= '1' && value[0] <= '9' && value[1] == '\0' ? (size_t)(value[0] - '0') : 0;
    return query->curves > 0;
}

/* A column, and what it holds. */
static bool parse_meaning(struct query *query, char *value) {
    char *word = cut_word(&value);

    value = value == NULL ? NULL : value + strspn(value, " ");
    if (word == NULL || value == NULL || *value == '\0' || query->meant_count == QUERY_MEANT) {
        return false;
    }
    query->meant[query->meant_count++] = (struct query_meaning){word, value};
    return true;
}

/* FACT report, FACT rows COLUMN = TEXT, TEXT, or FACT columns COLUMN COLUMN. */
static bool parse_fact(struct query *query, char *value) {
    struct query_fact *rule = &query->facts[query->fact_count];
    const char *word = cut_word(&value), *part = cut_word(&value), *equals;

    if (query->fact_count == QUERY_FACTS || word == NULL || part == NULL ||
        !fact_find(word, &rule->fact)) {
        return false;
    }
    query->fact_count++;
    if (strcmp(part, "report") == 0) {
        rule->part = QUERY_FACT_REPORT;
        return *value == '\0';
    }
    if (strcmp(part, "rows") == 0) {
        rule->part = QUERY_FACT_ROWS;
        rule->column = cut_word(&value);
        equals = cut_word(&value);
        if (equals == NULL || strcmp(equals, "=") != 0) {
            return false;
        }
    } else {
        rule->part = QUERY_FACT_COLUMNS;
    }
    rule->names = value + strspn(value, " ");
    return *rule->names != '\0' && (rule->part == QUERY_FACT_ROWS || strcmp(part, "columns") == 0);
}

static bool parse_events(struct query *query, char *value) {
    query->reads_events = strcmp(value, "yes") == 0;
    return query->reads_events;
}

static bool parse_actions(struct query *query, char *value) {
    query->all_actions = strcmp(value, "all") == 0;
    return query->all_actions;
}

/* OPTION, and COLUMN=WHAT of a column that every event can have. */
static bool parse_needs(struct query *query, char *value) {
    char *word = cut_word(&value);

    if (word == NULL) {
        return false;
    }
    do {
        char *equals = strchr(word, '=');

        if (equals == NULL) {
            if (query->needs != NULL) {
                return false;
            }
            query->needs = word;
            continue;
        }
        *equals = '\0';
        if (query->meaning_count == QUERY_MEANINGS || equals[1] == '\0' ||
            !event_has_column(word)) {
            return false;
        }
        query->meanings[query->meaning_count++] = (struct query_meaning){word, equals + 1};
    } while ((word = cut_word(&value)) != NULL);
    return true;
}

static bool parse_instead(struct query *query, char *value) {
    if (*value == '\0' || query->instead_count == QUERY_INSTEAD) {
        return false;
    }
    query->instead[query->instead_count++] = value;
    return true;
}

static bool parse_key(struct query *query, char *value) {
    query->key = value;
    return *value != '\0';
}

static bool parse_order(struct query *query, char *value) {
    query->order = cut_word(&value);
    return query->order != NULL && cut_word(&value) == NULL;
}

static bool parse_meanless(struct query *query, char *value) {
    query->meanless = value;
    return *value != '\0';
}

static bool parse_shares(struct query *query, char *value) {
    query->total = cut_word(&value);
    return query->total != NULL && cut_word(&value) == NULL;
}

static bool parse_clocks(struct query *query, char *value) {
    bool known = true;
    char *word;

    while (known && (word = cut_word(&value)) != NULL) {
        bool *flag = strcmp(word, "any") == 0     ? &query->any_clocks
                     : strcmp(word, "first") == 0 ? &query->first_clocks
                     : strcmp(word, "real") == 0  ? &query->real_clocks
                     : strcmp(word, "both") == 0  ? &query->both_clocks
                                                  : NULL;

        known = flag != NULL;
        if (known) {
            *flag = true;
        }
    }
    return known;
}

static bool parse_compare(struct query *query, char *value, struct error *error) {
    return query_compare_parse(&query->compare, value, error);
}

static bool parse_times(struct query *query, char *value) {
    query->correct = CORRECT_PROBED;
    return strcmp(value, "corrected") == 0;
}

static bool parse_op(struct query *query, char *value) {
    query->op = cut_word(&value);
    return query->op != NULL && cut_word(&value) == NULL;
}

static bool parse_window(struct query *query, char *value) {
    query->begun = true;
    return strcmp(value, "begun") == 0;
}

static const struct {
    const char *key;
    bool (*parse)(struct query *query, char *value);
    /* Instead, where more is to be said of a mistake than that there is one. */
    bool (*parse_telling)(struct query *query, char *value, struct error *error);
} header_keys[] = {
    /* clang-format off */
    {"report", parse_report, NULL},
    {"title", parse_title, NULL},
    {"kinds", parse_kinds, NULL},
    {"after", parse_after, NULL},
    {"when", parse_when, NULL},
    {"options", parse_options, NULL},
    {"tally", parse_tallies, NULL},
    {"events", parse_events, NULL},
    {"actions", parse_actions, NULL},
    {"plot", parse_plot, NULL},
    {"curves", parse_curves, NULL},
    {"meaning", parse_meaning, NULL},
    {"fact", parse_fact, NULL},
    {"column", parse_column, NULL},
    {"formats", parse_formats, NULL},
    {"clocks", parse_clocks, NULL},
    {"needs", parse_needs, NULL},
    {"instead", parse_instead, NULL},
    {"times", parse_times, NULL},
    {"op", parse_op, NULL},
    {"window", parse_window, NULL},
    {"parameter", NULL, parse_parameter},
    {"thin", parse_thin, NULL},
    {"key", parse_key, NULL},
    {"shares", parse_shares, NULL},
    {"order", parse_order, NULL},
    {"meanless", parse_meanless, NULL},
    {"compare", NULL, parse_compare},
    /* clang-format on */
};

/* A line `-- key: value`; other comments are only that. */
static bool parse_header_line(struct query *query, char *line, struct error *error) {
    char *key = line + 2 + strspn(line + 2, " ");
    size_t length = strspn(key, "abcdefghijklmnopqrstuvwxyz");
    char *value = key + length;

    if (length == 0 || *value != ':') {
        return true;
    }
    *value++ = '\0';
    value += strspn(value, " ");
    for (size_t i = 0; i < sizeof header_keys / sizeof header_keys[0]; i++) {
        if (strcmp(header_keys[i].key, key) != 0) {
            continue;
        }
        if (header_keys[i].parse_telling != NULL) {
            return header_keys[i].parse_telling(query, value, error);
        }
        return header_keys[i].parse(query, value) ||
               error_set(error, "'%s' does not understand its value", key);
    }
    return error_set(error, "unknown key '%s' in the header", key);
}

/* Cuts the next line off the text; NULL at its end. */
static char *cut_line(char **text) {
    char *line = *text;
    char *newline = strchr(line, '\n');

    if (*line == '\0') {
        return NULL;
    }
    if (newline == NULL) {
        *text = line + strlen(line);
    } else {
        *newline = '\0';
        *text = newline + 1;
    }
    return line;
}

/* What the statements behind the first one are for. */
struct statement_mark {
    bool is_remark;
    const struct analysis *analysis; /* that takes their rows; NULL for a remark */
};

/* Whether a line is `-- remark` or `-- NAME` of an analysis that takes rows. */
static bool read_mark(const char *line, size_t length, struct statement_mark *mark) {
    char name[64];

    if (length <= 3 || length - 3 >= sizeof name || strncmp(line, "-- ", 3) != 0) {
        return false;
    }
    memcpy(name, line + 3, length - 3);
    name[length - 3] = '\0';
    mark->is_remark = strcmp(name, "remark") == 0;
    mark->analysis = mark->is_remark ? NULL : analysis_find(name);
    return mark->is_remark || (mark->analysis != NULL && mark->analysis->takes_rows);
}

/* Ends the statement at the next line that says what another one is for, and returns what follows
 * it; NULL when there is none. */
static char *cut_statement(char *body, struct statement_mark *mark) {
    for (char *newline = strchr(body, '\n'); newline != NULL; newline = strchr(newline + 1, '\n')) {
        size_t length = strcspn(newline + 1, "\n");

        if (newline[1 + length] == '\n' && read_mark(newline + 1, length, mark)) {
            newline[1] = '\0';
            return newline + length + 2;
        }
    }
    return NULL;
}

static bool add_rows(struct query *query, const struct analysis *analysis, const char *rows,
                     struct error *error) {
    struct wanted_analysis *wanted = want(query, analysis);

    if (wanted == NULL) {
        return error_set(error, "%s: more than %d analyses", query->file, QUERY_ANALYSES);
    }
    if (wanted->rows != NULL) {
        return error_set(error, "%s: more than one %s", query->file, analysis->name);
    }
    wanted->rows = rows;
    wanted->filtered_only = false;
    return true;
}

/* The statements behind the header are divided by lines that say what the next one is. */
static bool parse_body(struct query *query, char *body, struct error *error) {
    struct statement_mark mark;

    query->sql = body;
    while ((body = cut_statement(body, &mark)) != NULL) {
        if (!mark.is_remark) {
            if (!add_rows(query, mark.analysis, body, error)) {
                return false;
            }
        } else if (query->remark_count == QUERY_REMARKS) {
            return error_set(error, "%s: more than %d remarks", query->file, QUERY_REMARKS);
        } else {
            query->remarks[query->remark_count++] = body;
        }
    }
    return true;
}

static const struct query_column *find_column(const struct query *query, const char *name,
                                              size_t length) {
    for (size_t i = 0; i < query->column_count; i++) {
        const char *column = query->columns[i].column.name;

        if (strlen(column) == length && memcmp(column, name, length) == 0) {
            return &query->columns[i];
        }
    }
    return NULL;
}

static bool has_column(const struct query *query, const char *name) {
    return find_column(query, name, strlen(name)) != NULL;
}

static bool fills(const struct analysis *analysis, const char *table) {
    size_t i = 0;

    while (i < ANALYSIS_TABLES && analysis->tables[i].name != NULL &&
           strcmp(analysis->tables[i].name, table) != 0) {
        i++;
    }
    return i < ANALYSIS_TABLES && analysis->tables[i].name != NULL;
}

/* A table that two analyses fill; NULL when there is none. */
static const char *shared_table(const struct analysis *one, const struct analysis *other) {
    for (size_t i = 0; i < ANALYSIS_TABLES && one->tables[i].name != NULL; i++) {
        if (fills(other, one->tables[i].name)) {
            return one->tables[i].name;
        }
    }
    return NULL;
}

/* Each table has the rows of one analysis. */
static bool check_tables(const struct query *query, struct error *error) {
    for (size_t i = 1; i < query->wanted_count; i++) {
        const struct analysis *analysis = query->wanted[i].analysis;

        for (size_t j = 0; j < i; j++) {
            const struct analysis *other = query->wanted[j].analysis;
            const char *table = shared_table(other, analysis);

            if (table != NULL) {
                return error_set(error, "%s: %s and %s both fill temp.%s: a query can have one",
                                 query->file, other->name, analysis->name, table);
            }
        }
    }
    return true;
}

/* What the header says of columns must be about columns that there are. */
static bool check_names(const struct query *query, const char *names, struct error *error) {
    for (const char *name = names + strspn(names, " "); *name != '\0'; name += strspn(name, " ")) {
        size_t length = strcspn(name, " ");

        if (find_column(query, name, length) == NULL) {
            return error_set(error, "%s: there is no column '%.*s'", query->file, (int)length,
                             name);
        }
        name += length;
    }
    return true;
}

/* Counts that become shares follow the key. */
static bool check_shares(const struct query *query, struct error *error) {
    const struct query_column *total;
    bool is_key = true;

    if (query->total == NULL) {
        return true;
    }
    if (!check_names(query, query->total, error)) {
        return false;
    }
    total = find_column(query, query->total, strlen(query->total));
    for (size_t i = 0; i < query->column_count; i++) {
        bool was_key = is_key;

        is_key = word_in(query->key, query->columns[i].column.name);
        if (is_key && !was_key) {
            return error_set(error, "%s: with shares, the columns of the key come first",
                             query->file);
        }
    }
    return (total->column.kind == COLUMN_INTEGER && !word_in(query->key, query->total)) ||
           error_set(error, "%s: column '%s' is no count", query->file, query->total);
}

/* Whether all of the columns that are named are of one of the kinds, a bit set. */
static bool are_of_kinds(const struct query *query, const char *names, unsigned kinds) {
    for (size_t i = 0; i < query->column_count; i++) {
        const struct column *column = &query->columns[i].column;

        if (word_in(names, column->name) && (kinds >> column->kind & 1) == 0) {
            return false;
        }
    }
    return true;
}

/* Columns that are named, unless NULL, must be there and of such kinds. */
static bool check_compared(const struct query *query, const char *names, unsigned kinds,
                           struct error *error) {
    return names == NULL || (check_names(query, names, error) &&
                             (are_of_kinds(query, names, kinds) ||
                              error_set(error, "%s: '%s' cannot be compared as %s", query->file,
                                        names, query_compare_method(query->compare.method))));
}

/* What is compared must be numbers; the key of sizes and hours is one. */
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
    /* A file may have the line out of columns that it includes, and no key. */
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
           check_compared(query, compare->group, 1u << COLUMN_TEXT, error) &&
           check_compared(query, compare->time, 1u << COLUMN_DURATION, error) &&
           check_compared(query, compare->total, 1u << COLUMN_DURATION, error) &&
           check_compared(query, compare->has_sign, 1u << COLUMN_INTEGER, error) &&
           check_compared(query, compare->seconds, 1u << COLUMN_REAL, error);
}

/* Rows and columns that rest on facts. */
static bool check_facts(const struct query *query, struct error *error) {
    for (size_t i = 0; i < query->fact_count; i++) {
        const struct query_fact *rule = &query->facts[i];

        if (rule->part != QUERY_FACT_REPORT &&
            !check_names(query, rule->part == QUERY_FACT_ROWS ? rule->column : rule->names,
                         error)) {
            return false;
        }
    }
    return true;
}

static bool check_complete(struct query *query, struct error *error) {
    if (query->report == NULL || query->kinds == 0 || query->column_count == 0 ||
        query->sql[strspn(query->sql, " \n")] == '\0') {
        return error_set(error, "%s: a query file needs report, kinds, columns and a query",
                         query->file);
    }
    for (size_t i = 0; i < query->meant_count; i++) {
        if (!has_column(query, query->meant[i].column)) {
            return error_set(error, "%s: 'meaning' names a column that is not there", query->file);
        }
    }
    if (!check_facts(query, error)) {
        return false;
    }
    for (size_t i = 0; i < query->place_count; i++) {
        const struct query_place_key *key = &query->place[i];

        if (!has_column(query, key->column) ||
            (key->plus != NULL && !has_column(query, key->plus))) {
            return error_set(error, "%s: 'thin' names a column that is not there", query->file);
        }
    }
    return check_names(query, query->key, error) && check_names(query, query->meanless, error) &&
           (query->order == NULL || check_names(query, query->order, error)) &&
           check_tables(query, error) && check_shares(query, error) && check_compare(query, error);
}

bool query_error_at(const struct query *query, const char *at, struct error *error) {
    struct text place = {0};

    query_place(query, at, &place);
    error_context(error, "%s", text_string(&place));
    text_free(&place);
    return false;
}

static bool parse_lines(struct query *query, char *at, struct error *error) {
    char *line;

    while (strncmp(at, "--", 2) == 0 && (line = cut_line(&at)) != NULL) {
        if (!parse_header_line(query, line, error)) {
            return query_error_at(query, line, error);
        }
    }
    return parse_body(query, at, error) && check_complete(query, error);
}

bool query_parse(struct query *query, const char *file, const char *text, const char *directory,
                 struct error *error) {
    size_t name_size = strlen(file) + 1;
    const struct text *source = &query->source.text;

    *query = (struct query){.key = "", .meanless = "", .title = "", .options = "", .formats = ""};
    if (!query_text_expand(&query->source, &include_queries, file, text, directory, error)) {
        return false;
    }
    query->text = xmalloc(name_size + source->length + 1);
    memcpy(query->text, file, name_size);
    memcpy(query->text + name_size, text_string(source), source->length + 1);
    query->file = query->text;
    if (!parse_lines(query, query->text + name_size, error)) {
        query_free(query);
        return false;
    }
    if (query->plot == NULL) {
        query->plot = query->report;
    }
    return true;
}

void query_place(const struct query *query, const char *at, struct text *place) {
    query_text_place(&query->source, (size_t)(at - query->text) - strlen(query->file) - 1, place);
}

void query_free(struct query *query) {
    query_text_free(&query->source);
    free(query->text);
    free(query->plot_text);
    free(query->other_plot.text);
    *query = (struct query){0};
}
