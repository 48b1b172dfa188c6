#include "report/query.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/words.h"

/* Types of parameters that a query file can define by a line `-- parameter: NAME TYPE DEFAULT
 * "help"`. A parameter is option --NAME of the report and :NAME in its SQL, with _ instead of -. */
static const struct parameter_kind {
    const char *name, *argument;
    enum parameter_type type;
} types[] = {
    {"integer", "INTEGER", PARAMETER_NUMBER}, {"real", "NUMBER", PARAMETER_REAL},
    {"text", "TEXT", PARAMETER_TEXT},         {"time", "TIME", PARAMETER_TIME},
    {"duration", "DURATION", PARAMETER_TIME}, {"integers", "N,N,...", PARAMETER_NUMBERS},
};

/* --- parsing the line of a parameter ---------------------------------------------------------- */

/* NUL-terminates a word after `length` bytes, and moves `*line` behind it. */
static char *end_word(char **line, char *word, size_t length) {
    *line = word + length;
    if (**line != '\0') {
        *(*line)++ = '\0';
    }
    return word;
}

/* Cuts the next word or quoted string off `*line`; NULL: there is none, or the quote is open. */
static char *cut_value(char **line, bool *quoted) {
    char *value = *line + strspn(*line, " ");
    size_t length;

    *quoted = *value == '"';
    if (*quoted) {
        value++;
    }
    length = strcspn(value, *quoted ? "\"" : " ");
    if ((*quoted && value[length] == '\0') || (!*quoted && length == 0)) {
        return NULL;
    }
    return end_word(line, value, length);
}

static bool query_parse_check_name(const char *name, struct error *error) {
    size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-");

    return (length <= QUERY_PARAMETER_NAME && name[length] == '\0' && name[0] >= 'a' &&
            name[0] <= 'z') ||
           error_set(error,
                     "'%s' is not a valid parameter name: use a lower-case letter, then lower-case "
                     "letters, digits and -, at most %d characters",
                     name, QUERY_PARAMETER_NAME);
}

static bool find_type(struct query_parameter *parameter, const char *name, struct error *error) {
    const struct parameter_kind *type =
        find_named(types, sizeof types / sizeof types[0], sizeof types[0], name);

    if (type == NULL) {
        return error_set(
            error,
            "there is no type '%s' of parameters; there are integer, integers, real, text, time "
            "and duration",
            name);
    }
    parameter->type = type->name;
    parameter->row.type = type->type;
    parameter->row.argument = type->argument;
    return true;
}

static bool check_default(const struct query_parameter *parameter, struct error *error) {
    struct parameter_value value;
    struct error wrong = {0};

    return parameter_read(&parameter->row, parameter->otherwise, &value, &wrong) ||
           error_set(error, "the default: %s", wrong.message);
}

/* Parses a line `parameter:`, splitting it into strings. False with an error if it is invalid. */
static bool query_parameter_parse(struct query_parameter *parameter, char *line,
                                  struct error *error) {
    bool quoted[4] = {false};
    char *parts[4] = {NULL};

    for (size_t i = 0; i < 4; i++) {
        parts[i] = cut_value(&line, &quoted[i]);
        if (parts[i] == NULL) {
            break;
        }
    }
    if (parts[0] == NULL || quoted[0] || parts[1] == NULL || quoted[1] || parts[2] == NULL ||
        parts[3] == NULL || !quoted[3] || line[strspn(line, " ")] != '\0') {
        return error_set(error, "'parameter' is NAME TYPE DEFAULT \"help\"");
    }
    *parameter = (struct query_parameter){
        .row = {.name = parts[0], .help = parts[3], .least = INT64_MIN, .most = INT64_MAX},
        .otherwise = !quoted[2] && strcmp(parts[2], "none") == 0 ? NULL : parts[2],
    };
    return query_parse_check_name(parts[0], error) && find_type(parameter, parts[1], error) &&
           check_default(parameter, error);
}

static const struct {
    const char *name;
    enum column_kind kind;
} column_kinds[] = {
    {"any", COLUMN_ANY},           {"text", COLUMN_TEXT},     {"integer", COLUMN_INTEGER},
    {"int", COLUMN_INTEGER},       {"number", COLUMN_NUMBER}, {"real", COLUMN_REAL},
    {"share", COLUMN_SHARE},       {"bytes", COLUMN_BYTES},   {"time", COLUMN_TIME},
    {"duration", COLUMN_DURATION}, {"path", COLUMN_PATH},
};

/* --- parsing the lines of the header ---------------------------------------------------------- */

/* Cuts off the next word of a line; NULL at its end. */
static char *cut_word(char **line) {
    char *word = *line + strspn(*line, " ");
    size_t length = strcspn(word, " ");

    return length == 0 ? NULL : end_word(line, word, length);
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

static bool query_parse_parse_page(struct query *query, char *value) {
    char *end;

    if (strcmp(value, "picture") == 0) {
        return query->only_picture = true;
    }
    query->page_place = strtoll(value, &end, 10);
    return *end == '\0' && query->page_place >= 1 && query->page_place <= 99;
}

/* Returns the query's entry for an analysis, and adds it if missing; NULL: there is no room. */
static struct requested_analysis *add_wanted_analysis(struct query *query,
                                                      const struct analysis *analysis) {
    struct requested_analysis *wanted = query->wanted;

    while (wanted < query->wanted + query->wanted_count && wanted->analysis != analysis) {
        wanted++;
    }
    if (wanted == query->wanted + QUERY_ANALYSES) {
        return NULL;
    }
    if (wanted == query->wanted + query->wanted_count) {
        *wanted = (struct requested_analysis){.analysis = analysis, .filtered_only = true};
        requested_analysis_set_defaults(wanted);
        query->wanted_count++;
    }
    return wanted;
}

/* Parses the line `tally`: names of analyses; NAME? runs only if a filter is given. */
static bool parse_tallies(struct query *query, char *value) {
    char *word;

    while ((word = cut_word(&value)) != NULL) {
        size_t length = strlen(word);
        bool filtered = length > 1 && word[length - 1] == '?';
        const struct analysis *analysis;
        struct requested_analysis *wanted;

        if (filtered) {
            word[length - 1] = '\0';
        }
        analysis = analysis_find(word);
        wanted = analysis == NULL ? NULL : add_wanted_analysis(query, analysis);
        if (wanted == NULL) {
            return false;
        }
        wanted->filtered_only &= filtered;
    }
    return true;
}

/* Parses the line `when`: OPTION [= VALUE [by default]], OPTION or OPTION …, or `picture`. */
static bool parse_when(struct query *query, char *value) {
    char *equals, *rest;

    if (strcmp(value, QUERY_PICTURE) == 0) {
        return query->when_picture = true;
    }
    query->when_option = cut_word(&value);
    equals = cut_word(&value);
    if (equals != NULL && strcmp(equals, "or") == 0) {
        query->when_others = value;
        return *value != '\0';
    }
    query->when_value = cut_word(&value);
    rest = value + strspn(value, " ");
    query->by_default = strcmp(rest, "by default") == 0;
    return (*rest == '\0' || query->by_default) && query->when_option != NULL &&
           (equals == NULL || (strcmp(equals, "=") == 0 && query->when_value != NULL));
}

bool query_column_kind_find(const char *name, size_t length, enum column_kind *kind) {
    for (size_t i = 0; length > 0 && i < sizeof column_kinds / sizeof column_kinds[0]; i++) {
        if (strncmp(column_kinds[i].name, name, length) == 0 &&
            column_kinds[i].name[length] == '\0') {
            *kind = column_kinds[i].kind;
            return true;
        }
    }
    return false;
}

/* Parses what may follow a column's type: UNIT, `-` (none) or `indented`; false for other words. */
static bool parse_unit(struct query *query, struct query_column *column, const char *word) {
    if (word == NULL || strcmp(word, "if") == 0 || strcmp(word, "unless") == 0) {
        return false;
    }
    if (strcmp(word, "indented") == 0) {
        query->indented = column->column.name;
    } else if (strcmp(word, "-") != 0) {
        column->column.unit = word;
    }
    return true;
}

/* Parses `WORTH MEANING…` (worth: more, less or -). Returns false for an unknown worth. */
static bool parse_worth(struct query_column *column, const char *word, const char *rest) {
    column->worth = strcmp(word, "more") == 0   ? WORTH_MORE
                    : strcmp(word, "less") == 0 ? WORTH_LESS
                                                : WORTH_NONE;
    rest += strspn(rest, " ");
    column->meaning = *rest == '\0' ? NULL : rest;
    return column->worth != WORTH_NONE || strcmp(word, "-") == 0;
}

/* Parses a line `column`: NAME TYPE [UNIT|-|indented] [if|unless OPTION] [WORTH MEANING…]. */
static bool parse_column(struct query *query, char *value) {
    struct query_column *column = &query->columns[query->column_count];
    char *word;

    if (query->column_count == QUERY_COLUMNS) {
        return false;
    }
    column->column.name = cut_word(&value);
    column->column.unit = "";
    word = cut_word(&value);
    if (word == NULL || !query_column_kind_find(word, strlen(word), &column->column.kind)) {
        return false;
    }
    query->column_count++;
    word = cut_word(&value);
    if (parse_unit(query, column, word)) {
        word = cut_word(&value);
    }
    if (word != NULL && (strcmp(word, "if") == 0 || strcmp(word, "unless") == 0)) {
        column->unless = strcmp(word, "unless") == 0;
        column->condition = cut_word(&value);
        if (column->condition == NULL) {
            return false;
        }
        word = cut_word(&value);
    }
    return word == NULL || parse_worth(column, word, value);
}

/* Parses the line `thin`: COLUMN, COLUMN/PARTS or COLUMN+COLUMN/PARTS, repeated, and
 * weight=COLUMN. */
static bool parse_thin(struct query *query, char *value) {
    char *word;

    while ((word = cut_word(&value)) != NULL) {
        struct query_downsampling_key *key = &query->place[query->place_count];
        char *slash = strchr(word, '/'), *plus = strchr(word, '+'), *end = NULL;
        unsigned long parts = slash == NULL ? 0 : strtoul(slash + 1, &end, 10);

        if (strncmp(word, "weight=", strlen("weight=")) == 0) {
            query->thin_weight = word + strlen("weight=");
            continue;
        }
        if (query->place_count == DOWNSAMPLING_KEYS || (slash != NULL && *end != '\0') ||
            (slash != NULL && (parts < 1 || parts > 100000))) {
            return false;
        }
        *key = (struct query_downsampling_key){.column = word, .parts = (unsigned)parts};
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

/* Parses the line `parameter`: NAME TYPE DEFAULT "help". */
static bool parse_parameter(struct query *query, char *value, struct error *error) {
    struct query_parameter parameter;

    if (query->parameter_count == QUERY_PARAMETERS) {
        return error_set(error, "more than %d parameters", QUERY_PARAMETERS);
    }
    if (!query_parameter_parse(&parameter, value, error)) {
        return false;
    }
    if (query_parameter(query, parameter.row.name) != NULL) {
        return error_set(error, "parameter '%s' is given twice", parameter.row.name);
    }
    query->parameters[query->parameter_count++] = parameter;
    return true;
}

/* Parses the line `plot`: NAME [if OPTION [VALUE…]]. */
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

/* Parses the line `meaning`: COLUMN MEANING…. */
static bool parse_meaning(struct query *query, char *value) {
    char *word = cut_word(&value);

    value = value == NULL ? NULL : value + strspn(value, " ");
    if (word == NULL || value == NULL || *value == '\0' || query->meant_count == QUERY_COLUMNS) {
        return false;
    }
    query->meant[query->meant_count++] = (struct query_column_description){word, value};
    return true;
}

/* Parses the line `fact`: FACT report, FACT rows COLUMN = TEXT, TEXT, or FACT columns COLUMN…. */
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

/* Parses the line `needs`: an OPTION, COLUMN=WHAT for a meaning of the column, or log=states. */
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
            (!event_has_column(word) && strcmp(word, QUERY_OF_LOG) != 0)) {
            return false;
        }
        query->meanings[query->meaning_count++] = (struct query_required_meaning){word, equals + 1};
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

/* How a header line without a function is parsed: any text, a nonempty text, a word, or a flag. */
enum header_field { HEADER_LINE, HEADER_TEXT, HEADER_WORD, HEADER_FLAG };

static const struct header_key {
    const char *key;
    bool (*parse)(struct query *query, char *value);
    /* Used instead of `parse` for header lines that set a specific error message themselves. */
    bool (*parse_telling)(struct query *query, char *value, struct error *error);
    enum header_field field; /* how the value is parsed, if there is no function */
    /* Offset in struct query of the member to set: a const char *; for a flag, a bool. */
    size_t at;
    const char *word; /* HEADER_FLAG: the word that sets the flag */
} header_keys[] = {
    /* clang-format off */
    {.key = "report", .field = HEADER_TEXT, .at = offsetof(struct query, report)},
    {.key = "title", .field = HEADER_LINE, .at = offsetof(struct query, title)},
    {.key = "question", .field = HEADER_TEXT, .at = offsetof(struct query, question)},
    {.key = "options", .field = HEADER_LINE, .at = offsetof(struct query, options)},
    {.key = "formats", .field = HEADER_TEXT, .at = offsetof(struct query, formats)},
    {.key = "key", .field = HEADER_TEXT, .at = offsetof(struct query, key)},
    {.key = "meanless", .field = HEADER_TEXT, .at = offsetof(struct query, meanless)},
    {.key = "absent", .field = HEADER_TEXT, .at = offsetof(struct query, absent)},
    {.key = "order", .field = HEADER_WORD, .at = offsetof(struct query, order)},
    {.key = "worth", .field = HEADER_TEXT, .at = offsetof(struct query, ranked)},
    {.key = "prose", .field = HEADER_TEXT, .at = offsetof(struct query, prose)},
    {.key = "blank", .field = HEADER_TEXT, .at = offsetof(struct query, blank)},
    {.key = "shares", .field = HEADER_WORD, .at = offsetof(struct query, total)},
    {.key = "op", .field = HEADER_WORD, .at = offsetof(struct query, op)},
    {.key = "weight", .field = HEADER_TEXT, .at = offsetof(struct query, weight)},
    {.key = "say", .field = HEADER_TEXT, .at = offsetof(struct query, say)},
    {.key = "look", .field = HEADER_TEXT, .at = offsetof(struct query, look)},
    {.key = "why", .field = HEADER_TEXT, .at = offsetof(struct query, why)},
    {.key = "unless", .field = HEADER_TEXT, .at = offsetof(struct query, unless)},
    {.key = "source", .field = HEADER_TEXT, .at = offsetof(struct query, cited)},
    {.key = "traces", .field = HEADER_FLAG, .at = offsetof(struct query, apart), .word = "apart"},
    {.key = "kinds", .parse = parse_kinds},
    {.key = "after", .parse = parse_after},
    {.key = "when", .parse = parse_when},
    {.key = "tally", .parse = parse_tallies},
    {.key = "events", .field = HEADER_FLAG, .at = offsetof(struct query, reads_events), .word = "yes"},
    {.key = "actions", .field = HEADER_FLAG, .at = offsetof(struct query, all_actions), .word = "all"},
    {.key = "window", .field = HEADER_FLAG, .at = offsetof(struct query, begun), .word = "begun"},
    {.key = "plot", .parse = parse_plot},
    {.key = "curves", .parse = parse_curves},
    {.key = "page", .parse = query_parse_parse_page},
    {.key = "meaning", .parse = parse_meaning},
    {.key = "fact", .parse = parse_fact},
    {.key = "column", .parse = parse_column},
    {.key = "clocks", .parse = parse_clocks},
    {.key = "needs", .parse = parse_needs},
    {.key = "instead", .parse = parse_instead},
    {.key = "times", .parse = parse_times},
    {.key = "thin", .parse = parse_thin},
    {.key = "parameter", .parse_telling = parse_parameter},
    {.key = "compare", .parse_telling = parse_compare},
    /* clang-format on */
};

/* Sets a query's member for a header line without a function. False if the value is invalid. */
static bool set_field(struct query *query, const struct header_key *key, char *value) {
    const char *said = value;

    if (key->field == HEADER_FLAG) {
        return *(bool *)((char *)query + key->at) = strcmp(value, key->word) == 0;
    }
    if (key->field == HEADER_WORD) {
        said = cut_word(&value);
        if (said == NULL || cut_word(&value) != NULL) {
            return false;
        }
    }
    memcpy((char *)query + key->at, &said, sizeof said);
    return key->field == HEADER_LINE || *said != '\0';
}

/* Parses a line `-- key: value`; ignores other comments. */
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
        const struct header_key *row = &header_keys[i];

        if (strcmp(row->key, key) != 0) {
            continue;
        }
        if (row->parse_telling != NULL) {
            return row->parse_telling(query, value, error);
        }
        return (row->parse != NULL ? row->parse(query, value) : set_field(query, row, value)) ||
               error_set(error, "'%s' has an invalid value", key);
    }
    return error_set(error, "unknown key '%s' in the header", key);
}

/* Cuts off the next line of a text; NULL at its end. */
static char *query_parse_cut_line(char **text) {
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

/* What the next SQL statement in a query file is for: `#` lines, or rows for an analysis. */
struct statement_mark {
    bool is_remark;
    enum remark_class class; /* class of the remark; only if is_remark */
    /* analysis that reads the statement's rows; NULL for a remark */
    const struct analysis *analysis;
};

/* Returns whether a line, after `-- `, is `remark`, optionally with a class; sets `*class`. */
static bool read_remark(const char *name, enum remark_class *class) {
    static const char *const names[] = {
        [REMARK_PLAIN] = "remark",
        [REMARK_LOSS] = "remark loss",
        [REMARK_EXCLUDED] = "remark excluded",
        [REMARK_DEFINITION] = "remark definition",
    };
    const size_t count = sizeof names / sizeof names[0], i = string_index(names, count, name);

    *class = (enum remark_class)i;
    return i < count;
}

/* Returns whether a line is `-- remark`, or `-- NAME` of an analysis of rows; sets `*mark`. */
static bool read_mark(const char *line, size_t length, struct statement_mark *mark) {
    char name[64];

    if (length <= 3 || length - 3 >= sizeof name || strncmp(line, "-- ", 3) != 0) {
        return false;
    }
    memcpy(name, line + 3, length - 3);
    name[length - 3] = '\0';
    mark->is_remark = read_remark(name, &mark->class);
    mark->analysis = mark->is_remark ? NULL : analysis_find(name);
    return mark->is_remark || (mark->analysis != NULL && mark->analysis->takes_rows);
}

/* Ends a statement before the next line that introduces another one. Returns the text after that
 * line; NULL if there is none. */
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
    struct requested_analysis *wanted = add_wanted_analysis(query, analysis);

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

/* Splits the SQL after the header into statements, at lines that introduce one. */
static bool query_parse_parse_body(struct query *query, char *body, struct error *error) {
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
            query->remarks[query->remark_count++] = (struct query_remark){body, mark.class};
        }
    }
    return true;
}

static bool parse_lines(struct query *query, char *at, struct error *error) {
    char *line;

    while (strncmp(at, "--", 2) == 0 && (line = query_parse_cut_line(&at)) != NULL) {
        if (!parse_header_line(query, line, error)) {
            return query_add_place_to_error(query, line, error);
        }
    }
    return query_parse_parse_body(query, at, error) && query_check(query, error);
}

/* Appends three NUL-terminated names: of the file, the query, and the part (query in a file of
 * several). If the part is `main`, the query has the file's name. */
static void query_parse_append_names(struct text *names, const char *file,
                                     const struct query_part *part) {
    size_t length = strlen(file), base = length > 4 ? length - strlen(".sql") : length;

    text_append(names, file, length + 1);
    if (part == NULL || strcmp(part->name, "main") == 0) {
        text_append(names, file, length + 1);
    } else {
        text_append(names, file, base);
        text_append_format(names, "-%s.sql", part->name);
        text_append(names, "", 1);
        text_append(names, part->name, strlen(part->name) + 1);
    }
}

/* Copies the names and the text of a file into a query's memory. Returns the copy of the text. */
static char *copy_query_text(struct query *query, const char *file, const struct query_part *part) {
    const struct text *source = &query->source.text;
    struct text names = {0};

    query_parse_append_names(&names, file, part);
    query->source_at = names.length;
    query->text = xmalloc(names.length + source->length + 1);
    memcpy(query->text, text_string(&names), names.length);
    memcpy(query->text + names.length, text_string(source), source->length + 1);
    text_free(&names);
    query->file = query->text;
    query->name = query->file + strlen(query->file) + 1;
    return query->text + query->source_at;
}

bool query_parse(struct query *query, const char *file, const char *text, const char *directory,
                 const struct query_part *part, struct error *error) {
    *query = (struct query){.key = "",
                            .meanless = "",
                            .absent = "",
                            .title = "",
                            .options = "",
                            .formats = "",
                            .blank = ""};
    if (!query_text_expand(&query->source, &include_queries, file, text, directory,
                           part == NULL ? NULL : part->name, error)) {
        return false;
    }
    if (!parse_lines(query, copy_query_text(query, file, part), error)) {
        query_free(query);
        return false;
    }
    if (query->plot == NULL) {
        query->plot = query->report;
    }
    if (part != NULL && part->is_by && query->when_option == NULL) {
        query->when_option = "by";
        query->when_value = query->name + strlen(query->name) + 1;
    }
    return true;
}
