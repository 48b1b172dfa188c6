/* Reads declarations of formats. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/resource.h"
#include "declared.h"
#include "lines.h"

#define BILLION INT64_C(1000000000)

/* From 1601, where FILETIME begins, to 1970. */
#define SECONDS_FROM_1601 INT64_C(11644473600)

/* A response longer than a day is none. */
#define RESPONSE_SECONDS 86400

/* What follows one another while a declaration is read. */
struct reading {
    struct declaration *declaration;
    struct declared_column *column; /* being read; NULL: none */
    struct yaml_value place;        /* of the column, for messages */
    uint64_t given;                 /* bits: keys of the column */
};

/* --- strings ------------------------------------------------------------------------------------
 */

static bool read_string(struct yaml_value value, const char *what, size_t most, char **string,
                        struct error *error) {
    free(*string);
    *string = yaml_copy(value, what, error);
    return *string != NULL &&
           (strlen(*string) <= most ||
            yaml_error(value, error, "%s must not be longer than %zu bytes", what, most));
}

/* One of `choices`, ended by NULL; sets its position. */
static bool read_choice(struct yaml_value value, const char *what, const char *const *choices,
                        size_t *choice, struct error *error) {
    const char *string = yaml_string(value, what, error);
    struct text names = {0};

    if (string == NULL) {
        return false;
    }
    for (*choice = 0; choices[*choice] != NULL; ++*choice) {
        if (strcmp(choices[*choice], string) == 0) {
            return true;
        }
    }
    for (size_t i = 0; choices[i] != NULL; i++) {
        text_append_item(&names, choices[i]);
    }
    yaml_error(value, error, "%s must be one of %s, not '%.100s'", what, text_string(&names),
               string);
    text_free(&names);
    return false;
}

static bool read_flag(struct yaml_value value, const char *what, bool *flag, struct error *error) {
    static const char *const choices[] = {"no", "yes", NULL};
    size_t choice = 0;
    bool done = read_choice(value, what, choices, &choice, error);

    *flag = choice == 1;
    return done;
}

/* Calls `visit` for a single value, or for each of a list. */
static bool each_of(struct yaml_value value, const char *what, yaml_visit *visit, void *context,
                    struct error *error) {
    const struct yaml_value no_key = {value.file, NULL};

    return yaml_is_sequence(value) ? yaml_each_item(value, what, visit, context, error)
                                   : visit(context, no_key, value, error);
}

static bool add_name(void *context, struct yaml_value key, struct yaml_value value,
                     struct error *error) {
    struct declared_names *names = context;

    (void)key;
    if (names->count == DECLARED_NAMES) {
        return yaml_error(value, error, "more than %d names", DECLARED_NAMES);
    }
    if (!read_string(value, "a name", DECLARED_STRING, &names->names[names->count], error)) {
        free(names->names[names->count]);
        names->names[names->count] = NULL;
        return false;
    }
    names->count++;
    return true;
}

static void free_names(struct declared_names *names) {
    for (size_t i = 0; i < names->count; i++) {
        free(names->names[i]);
    }
}

/* --- keys of a column ---------------------------------------------------------------------------
 */

static const char *const kinds[] = {
    [DECLARED_SKIP] = "skip",
    [DECLARED_NUMBER] = "number",
    [DECLARED_HEX] = "hex",
    [DECLARED_TIME] = "time",
    [DECLARED_RESPONSE] = "response",
    [DECLARED_DEVICE] = "device",
    [DECLARED_DEVICE_NAME] = "device_name",
    [DECLARED_MAJOR] = "major",
    [DECLARED_MINOR] = "minor",
    [DECLARED_DIRECTION] = "direction",
    [DECLARED_RWBS] = "rwbs",
    [DECLARED_ADDRESS] = "address",
    [DECLARED_SIZE] = "size",
    [DECLARED_PID] = "pid",
    [DECLARED_PROCESS] = "process",
    [DECLARED_FILE] = "file",
    [DECLARED_KINDS] = NULL,
};

static bool read_is(void *context, struct yaml_value key, struct yaml_value value,
                    struct error *error) {
    struct reading *reading = context;
    size_t choice;

    (void)key;
    if (!read_choice(value, "what a column is", kinds, &choice, error)) {
        return false;
    }
    reading->column->is = (enum declared_is)choice;
    return true;
}

static bool read_column_name(void *context, struct yaml_value key, struct yaml_value value,
                             struct error *error) {
    const struct reading *reading = context;

    (void)key;
    return each_of(value, "the names of a column", add_name, &reading->column->names, error);
}

static bool read_optional(void *context, struct yaml_value key, struct yaml_value value,
                          struct error *error) {
    const struct reading *reading = context;

    (void)key;
    return read_flag(value, "optional", &reading->column->optional, error);
}

static bool read_unit(void *context, struct yaml_value key, struct yaml_value value,
                      struct error *error) {
    static const struct {
        const char *name;
        int64_t unit;
        bool time;
    } units[] = {
        {"s", 1000000000, true}, {"ms", 1000000, true}, {"us", 1000, true},
        {"100ns", 100, true},    {"ns", 1, true},       {"byte", 1, false},
        {"sector", 512, false},  {"KiB", 1024, false},  {"MiB", 1 << 20, false},
    };
    const struct reading *reading = context;
    struct declared_column *column = reading->column;
    const char *string = yaml_string(value, "a unit", error);
    bool time = column->is == DECLARED_TIME || column->is == DECLARED_RESPONSE;
    uint64_t bytes;

    (void)key;
    if (string == NULL) {
        return false;
    }
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (units[i].time == time && strcmp(units[i].name, string) == 0) {
            column->unit = units[i].unit;
            return true;
        }
    }
    if (!time && yaml_parse_unsigned(string, strlen(string), 1u << 30, &bytes) && bytes > 0) {
        column->unit = (int64_t)bytes;
        return true;
    }
    return yaml_error(value, error,
                      time ? "the unit of a time must be s, ms, us, 100ns or ns, not '%.100s'"
                           : "the unit must be byte, sector, KiB, MiB or a number of bytes, not "
                             "'%.100s'",
                      string);
}

static bool read_epoch(void *context, struct yaml_value key, struct yaml_value value,
                       struct error *error) {
    static const char *const epochs[] = {[DECLARED_START] = "start",
                                         [DECLARED_FIRST] = "first",
                                         [DECLARED_1970] = "1970",
                                         [DECLARED_1601] = "1601",
                                         NULL};
    const struct reading *reading = context;
    size_t choice = 0;

    (void)key;
    if (!read_choice(value, "epoch", epochs, &choice, error)) {
        return false;
    }
    reading->column->epoch = (enum declared_epoch)choice;
    return true;
}

static bool read_number(struct yaml_value value, const char *what, int64_t *number,
                        struct error *error) {
    uint64_t read = 0;

    if (!yaml_unsigned(value, what, INT64_MAX, &read, error)) {
        return false;
    }
    *number = (int64_t)read;
    return true;
}

static bool read_least(void *context, struct yaml_value key, struct yaml_value value,
                       struct error *error) {
    (void)key;
    return read_number(value, "least", &((struct reading *)context)->column->least, error);
}

static bool read_most(void *context, struct yaml_value key, struct yaml_value value,
                      struct error *error) {
    struct declared_column *column = ((struct reading *)context)->column;

    (void)key;
    column->bounded = true;
    return read_number(value, "most", &column->most, error);
}

static bool read_digits(void *context, struct yaml_value key, struct yaml_value value,
                        struct error *error) {
    (void)key;
    return read_number(value, "digits", &((struct reading *)context)->column->digits, error);
}

static bool read_bits(void *context, struct yaml_value key, struct yaml_value value,
                      struct error *error) {
    (void)key;
    return read_number(value, "read_bits", &((struct reading *)context)->column->read_bits, error);
}

/* --- the words of a direction -------------------------------------------------------------------
 */

struct word_reading {
    struct declared_column *column;
    enum declared_direction direction;
};

static bool has_word(const struct declared_column *column, const char *string) {
    for (size_t i = 0; i < column->word_count; i++) {
        if (strcasecmp(column->words[i].word, string) == 0) {
            return true;
        }
    }
    return false;
}

static bool add_word(void *context, struct yaml_value key, struct yaml_value value,
                     struct error *error) {
    const struct word_reading *reading = context;
    struct declared_column *column = reading->column;
    const char *string = yaml_string(value, "a word", error);
    struct declared_word *word;

    (void)key;
    if (string == NULL) {
        return false;
    }
    if (column->word_count == DECLARED_WORDS || strlen(string) > DECLARED_STRING) {
        return yaml_error(value, error, "more than %d words, or one longer than %d bytes",
                          DECLARED_WORDS, DECLARED_STRING);
    }
    if (has_word(column, string)) {
        return yaml_error(value, error, "the word '%.100s' is there already", string);
    }
    word = config_grow(column->words, column->word_count, sizeof *word, error);
    if (word == NULL) {
        return false;
    }
    column->words = word;
    word += column->word_count;
    word->word = strdup(string);
    if (word->word == NULL) {
        return error_no_memory(error);
    }
    word->length = strlen(string);
    for (char *at = word->word; *at != '\0'; at++) {
        *at = *at >= 'A' && *at <= 'Z' ? (char)(*at - 'A' + 'a') : *at;
    }
    word->direction = reading->direction;
    column->word_count++;
    return true;
}

static const char *const directions[] = {
    [DECLARED_READ] = "read",   [DECLARED_WRITE] = "write", [DECLARED_DISCARD] = "discard",
    [DECLARED_FLUSH] = "flush", [DECLARED_OTHER] = "other", [DECLARED_IGNORE] = "ignore",
};

static bool read_words(void *context, struct yaml_value key, struct yaml_value value,
                       struct error *error) {
    const struct reading *reading = context;
    const char *name = yaml_string(key, "a key", error);
    struct word_reading words = {.column = reading->column};

    while (strcmp(directions[words.direction], name) != 0) {
        words.direction++;
    }
    return each_of(value, "the words of a direction", add_word, &words, error);
}

/* --- a column -----------------------------------------------------------------------------------
 */

#define OF(kind) (1u << DECLARED_##kind)
#define ANY      (~0u)

/* What keys a column has, and which columns have them. `is` comes first: others look at it. */
static const struct {
    const char *name;
    yaml_visit *read;
    unsigned of;
    unsigned needed; /* by these */
} column_keys[] = {
    {"is", read_is, ANY, 0},
    {"name", read_column_name, ANY, 0},
    {"optional", read_optional, ANY, 0},
    {"unit", read_unit, OF(TIME) | OF(RESPONSE) | OF(ADDRESS) | OF(SIZE),
     OF(TIME) | OF(RESPONSE) | OF(ADDRESS) | OF(SIZE)},
    {"epoch", read_epoch, OF(TIME), 0},
    {"least", read_least, OF(NUMBER) | OF(SIZE), 0},
    {"most", read_most, OF(NUMBER), 0},
    {"digits", read_digits, OF(HEX), 0},
    {"read_bits", read_bits, OF(DIRECTION), 0},
    {"read", read_words, OF(DIRECTION), 0},
    {"write", read_words, OF(DIRECTION), 0},
    {"discard", read_words, OF(DIRECTION), 0},
    {"flush", read_words, OF(DIRECTION), 0},
    {"other", read_words, OF(DIRECTION), 0},
    {"ignore", read_words, OF(DIRECTION), 0},
};
#define COLUMN_KEYS (sizeof column_keys / sizeof column_keys[0])

static bool unknown_column_key(struct yaml_value key, struct error *error) {
    struct text names = {0};

    for (size_t i = 0; i < COLUMN_KEYS; i++) {
        text_append_item(&names, column_keys[i].name);
    }
    yaml_unknown_key(key, text_string(&names), error);
    text_free(&names);
    return false;
}

/* The key `is` must stand first, since it says what the others may be. */
static bool read_column_key(void *context, struct yaml_value key, struct yaml_value value,
                            struct error *error) {
    struct reading *reading = context;
    const char *name = yaml_string(key, "a key", error);

    for (size_t i = 0; name != NULL && i < COLUMN_KEYS; i++) {
        if (strcmp(column_keys[i].name, name) != 0) {
            continue;
        }
        if (i > 0 && reading->given == 0) {
            return yaml_error(key, error, "the first key of a column must be 'is'");
        }
        if ((column_keys[i].of >> reading->column->is & 1) == 0) {
            return yaml_error(key, error, "a column that is %s has no key '%s'",
                              kinds[reading->column->is], name);
        }
        reading->given |= UINT64_C(1) << i;
        return column_keys[i].read(context, key, value, error);
    }
    return name != NULL && unknown_column_key(key, error);
}

/* A column that is complete: bounds of its number. */
static bool finish_column(struct reading *reading, struct error *error) {
    struct declared_column *column = reading->column;

    for (size_t i = 0; i < COLUMN_KEYS; i++) {
        if ((column_keys[i].needed >> column->is & 1) != 0 && (reading->given >> i & 1) == 0) {
            return yaml_error(reading->place, error, "a column that is %s needs the key '%s'",
                              kinds[column->is], column_keys[i].name);
        }
    }
    switch (column->is) {
    case DECLARED_TIME:
        if (column->epoch == DECLARED_1601 && column->unit == 1) {
            return yaml_error(reading->place, error,
                              "nanoseconds since 1601 do not fit into 63 bits: no log has them");
        }
        column->before =
            column->epoch == DECLARED_1601 ? SECONDS_FROM_1601 * (BILLION / column->unit) : 0;
        column->most =
            column->before +
            (column->epoch == DECLARED_START ? BLOCK_IO_SECONDS * BILLION : INT64_MAX - BILLION) /
                column->unit;
        break;
    case DECLARED_RESPONSE:
        column->most = RESPONSE_SECONDS * BILLION / column->unit;
        break;
    case DECLARED_ADDRESS:
        column->most = INT64_MAX / column->unit;
        break;
    case DECLARED_SIZE:
        column->most = (int64_t)BLOCK_IO_BLOCKS * SECTOR_SIZE / column->unit;
        break;
    case DECLARED_NUMBER:
        column->most = column->bounded ? column->most : INT64_MAX;
        break;
    case DECLARED_MAJOR:
        column->most = 4095;
        break;
    case DECLARED_MINOR:
        column->most = 0xFFFFF;
        break;
    default:
        column->most = UINT32_MAX;
    }
    return column->is != DECLARED_DIRECTION || column->word_count > 0 || column->read_bits != 0 ||
           yaml_error(reading->place, error, "a direction needs words: read: [r], write: [w]");
}

static bool read_column(void *context, struct yaml_value key, struct yaml_value value,
                        struct error *error) {
    struct reading *reading = context;
    struct declaration *declaration = reading->declaration;

    (void)key;
    if (declaration->column_count == DECLARED_COLUMNS) {
        return yaml_error(value, error, "more than %d columns", DECLARED_COLUMNS);
    }
    reading->column = &declaration->columns[declaration->column_count++];
    reading->place = value;
    reading->given = 0;
    if (yaml_is_mapping(value)) {
        return yaml_each_pair(value, "a column", read_column_key, reading, error) &&
               (reading->given != 0 || yaml_error(value, error, "a column needs the key 'is'")) &&
               finish_column(reading, error);
    }
    return read_is(reading, key, value, error) && finish_column(reading, error);
}

/* --- keys of a format ---------------------------------------------------------------------------
 */

static bool read_description(void *context, struct yaml_value key, struct yaml_value value,
                             struct error *error) {
    const struct reading *reading = context;

    (void)key;
    return read_string(value, "description", DECLARED_STRING, &reading->declaration->description,
                       error);
}

static bool read_example(void *context, struct yaml_value key, struct yaml_value value,
                         struct error *error) {
    const struct reading *reading = context;

    (void)key;
    return read_string(value, "example", DECLARED_LINE, &reading->declaration->example, error);
}

static bool read_files(void *context, struct yaml_value key, struct yaml_value value,
                       struct error *error) {
    const struct reading *reading = context;

    (void)key;
    return each_of(value, "files", add_name, &reading->declaration->files, error);
}

static bool read_found(void *context, struct yaml_value key, struct yaml_value value,
                       struct error *error) {
    static const char *const choices[] = {[DECLARED_FOUND] = "yes",
                                          [DECLARED_FOUND_LAST] = "last",
                                          [DECLARED_NOT_FOUND] = "no",
                                          NULL};
    const struct reading *reading = context;
    size_t choice = 0;
    bool done = read_choice(value, "found", choices, &choice, error);

    (void)key;
    reading->declaration->found = (enum declared_found)choice;
    return done;
}

static bool read_separator(void *context, struct yaml_value key, struct yaml_value value,
                           struct error *error) {
    const struct reading *reading = context;
    const char *string = yaml_string(value, "separator", error);

    (void)key;
    if (string == NULL) {
        return false;
    }
    if (strcmp(string, "blanks") == 0 || strcmp(string, "tab") == 0) {
        reading->declaration->separator = *string == 'b' ? ' ' : '\t';
        return true;
    }
    reading->declaration->separator = *string;
    return (strlen(string) == 1 && *string > ' ' && *string <= '~' && *string != '"') ||
           yaml_error(value, error,
                      "separator must be blanks, tab or one character that can be seen, not "
                      "'%.100s'",
                      string);
}

static bool read_expression(void *context, struct yaml_value key, struct yaml_value value,
                            struct error *error) {
    const struct reading *reading = context;
    struct declaration *declaration = reading->declaration;
    struct text why = {0};

    (void)key;
    if (!read_string(value, "expression", EXPRESSION_LENGTH, &declaration->pattern, error)) {
        return false;
    }
    declaration->expression = expression_compile(declaration->pattern, &why);
    if (declaration->expression == NULL) {
        yaml_error(value, error, "the expression cannot be used: %s", text_string(&why));
    }
    text_free(&why);
    return declaration->expression != NULL;
}

static bool read_header(void *context, struct yaml_value key, struct yaml_value value,
                        struct error *error) {
    const struct reading *reading = context;
    struct declaration *declaration = reading->declaration;

    (void)key;
    if (!read_string(value, "header", DECLARED_LINE, &declaration->header_text, error)) {
        return false;
    }
    declaration->header = strcmp(declaration->header_text, "names") == 0  ? DECLARED_NAMES_HEADER
                          : strcmp(declaration->header_text, "none") == 0 ? DECLARED_NO_HEADER
                                                                          : DECLARED_TEXT_HEADER;
    return true;
}

static bool read_comment(void *context, struct yaml_value key, struct yaml_value value,
                         struct error *error) {
    const struct reading *reading = context;

    (void)key;
    return read_string(value, "comment", DECLARED_STRING, &reading->declaration->comment, error);
}

static bool read_more(void *context, struct yaml_value key, struct yaml_value value,
                      struct error *error) {
    (void)key;
    return read_flag(value, "more_columns", &((struct reading *)context)->declaration->more, error);
}

static bool read_quotes(void *context, struct yaml_value key, struct yaml_value value,
                        struct error *error) {
    (void)key;
    return read_flag(value, "quotes", &((struct reading *)context)->declaration->quotes, error);
}

static bool read_sorted(void *context, struct yaml_value key, struct yaml_value value,
                        struct error *error) {
    (void)key;
    return read_flag(value, "sorted", &((struct reading *)context)->declaration->sorted, error);
}

static bool read_time_of(void *context, struct yaml_value key, struct yaml_value value,
                         struct error *error) {
    static const char *const moments[] = {"arrival", "completion", NULL};
    const struct reading *reading = context;
    size_t choice = 0;
    bool done = read_choice(value, "time_of", moments, &choice, error);

    (void)key;
    reading->declaration->completions = choice == 1;
    return done;
}

static bool read_columns(void *context, struct yaml_value key, struct yaml_value value,
                         struct error *error) {
    (void)key;
    return yaml_each_item(value, "columns", read_column, context, error);
}

static const struct yaml_key format_keys[] = {
    {"description", read_description},
    {"example", read_example},
    {"files", read_files},
    {"found", read_found},
    {"separator", read_separator},
    {"expression", read_expression},
    {"header", read_header},
    {"comment", read_comment},
    {"more_columns", read_more},
    {"quotes", read_quotes},
    {"sorted", read_sorted},
    {"time_of", read_time_of},
    {"columns", read_columns},
};

/* --- what fits together -------------------------------------------------------------------------
 */

static const struct declared_column *column_of(const struct declaration *declaration,
                                               enum declared_is is) {
    for (size_t i = 0; i < declaration->column_count; i++) {
        if (declaration->columns[i].is == is) {
            return &declaration->columns[i];
        }
    }
    return NULL;
}

static bool check_twice(const struct declaration *declaration, struct yaml_value key,
                        struct error *error) {
    unsigned seen = 0;

    for (size_t i = 0; i < declaration->column_count; i++) {
        enum declared_is is = declaration->columns[i].is;

        if (is > DECLARED_HEX && (seen >> is & 1) != 0) {
            return yaml_error(key, error, "two columns are %s", kinds[is]);
        }
        seen |= 1u << is;
    }
    if ((seen & OF(DEVICE)) != 0 && (seen & (OF(DEVICE_NAME) | OF(MAJOR) | OF(MINOR))) != 0) {
        return yaml_error(key, error, "device excludes device_name, major and minor");
    }
    if ((seen & OF(DEVICE_NAME)) != 0 && (seen & OF(MAJOR)) != 0) {
        return yaml_error(key, error, "device_name excludes major");
    }
    return (seen & OF(DIRECTION)) == 0 || (seen & OF(RWBS)) == 0 ||
           yaml_error(key, error, "direction excludes rwbs");
}

static bool check_columns(const struct declaration *declaration, struct yaml_value key,
                          struct error *error) {
    const struct declared_column *time = column_of(declaration, DECLARED_TIME);

    if (time == NULL || time->optional) {
        return yaml_error(key, error, "a format needs a column that is time, and not optional");
    }
    if (column_of(declaration, DECLARED_ADDRESS) == NULL &&
        column_of(declaration, DECLARED_SIZE) == NULL) {
        return yaml_error(key, error,
                          "a format needs a column that is address, or one that is "
                          "size");
    }
    if (declaration->completions && column_of(declaration, DECLARED_RESPONSE) == NULL) {
        return yaml_error(key, error, "time_of: completion needs a column that is response");
    }
    return check_twice(declaration, key, error);
}

/* Names are what a header or an expression knows columns by. */
static bool check_names(const struct declaration *declaration, struct yaml_value key,
                        struct error *error) {
    const struct expression *expression = declaration->expression;
    size_t named = 0;

    for (size_t i = 0; i < declaration->column_count; i++) {
        const struct declared_names *names = &declaration->columns[i].names;

        named += names->count > 0;
        if (expression != NULL && names->count > 0 &&
            expression_group(expression, names->names[0]) < 0) {
            return yaml_error(key, error, "the expression has no group (?<%.100s>…)",
                              names->names[0]);
        }
    }
    if (declaration->header == DECLARED_NAMES_HEADER && expression == NULL) {
        return named == declaration->column_count ||
               yaml_error(key, error, "header: names needs a name for each column");
    }
    if (expression != NULL && named == 0 &&
        expression_groups(expression) != declaration->column_count) {
        return yaml_error(key, error,
                          "the expression has %zu groups, not one for each of %zu "
                          "columns",
                          expression_groups(expression), declaration->column_count);
    }
    return expression == NULL ? named == 0 || yaml_error(key, error,
                                                         "columns have names only with "
                                                         "header: names, or an "
                                                         "expression")
                              : named == 0 || named == declaration->column_count ||
                                    yaml_error(key, error, "either all columns have names or none");
}

static bool check_cutting(struct declaration *declaration, struct yaml_value key,
                          struct error *error) {
    if (declaration->expression != NULL &&
        (declaration->separator != '\0' || declaration->more || declaration->quotes ||
         declaration->header == DECLARED_NAMES_HEADER)) {
        return yaml_error(key, error,
                          "expression excludes separator, more_columns, quotes and header: names");
    }
    if (declaration->expression == NULL && declaration->separator == '\0') {
        declaration->separator = ',';
    }
    /* What a header names or an expression captures is looked at column by column. */
    declaration->fewest = 1;
    for (size_t i = 0;
         declaration->expression == NULL && declaration->header != DECLARED_NAMES_HEADER &&
         i < declaration->column_count;
         i++) {
        if (!declaration->columns[i].optional) {
            declaration->fewest = i + 1;
        }
    }
    return true;
}

/* The example is the format's own test: its last line must be a request, and the line before it,
 * where there is one, the header. */
static bool check_example(struct declaration *declaration, struct yaml_value key,
                          struct error *error) {
    struct word rest, line = word_of(""), header = line;
    struct declared_cutter cutter;
    struct declared_line parsed;
    const char *damage;

    if (declaration->example == NULL) {
        declaration->example = strdup("");
        return declaration->example != NULL || error_no_memory(error);
    }
    for (rest = word_of(declaration->example); rest.length > 0;) {
        header = line;
        line = word_field(&rest, '\n');
    }
    damage = declared_cutter_open(&cutter, declaration, header);
    damage = damage == NULL ? declared_parse(&cutter, line, &parsed) : damage;
    declared_cutter_close(&cutter);
    if (damage != NULL) {
        return yaml_error(key, error, "the example does not fit the format '%s': %s",
                          declaration->name, damage);
    }
    memmove(declaration->example, line.bytes, line.length);
    declaration->example[line.length] = '\0';
    return true;
}

/* --- what is made of it -------------------------------------------------------------------------
 */

static bool describe(struct declaration *declaration, struct error *error) {
    struct text made_of = {0};

    text_append_string(&made_of, "lines of ");
    for (size_t i = 0; i < declaration->column_count; i++) {
        text_append_format(&made_of, "%s%s", i == 0 ? "" : ", ", kinds[declaration->columns[i].is]);
    }
    if (declaration->separator == ' ' || declaration->separator == '\t') {
        text_append_string(&made_of,
                           declaration->separator == ' ' ? " between blanks" : " between TABs");
    } else if (declaration->separator != '\0') {
        text_append_format(&made_of, " between '%c'", declaration->separator);
    }
    declaration->made_of = made_of.failed ? NULL : strdup(text_string(&made_of));
    text_free(&made_of);
    if (declaration->description == NULL) {
        declaration->description = strdup("declared in the configuration");
    }
    return (declaration->made_of != NULL && declaration->description != NULL) ||
           error_no_memory(error);
}

static void append_string(struct text *text, const char *string) {
    text_append_format(text, "%zu:%s ", string == NULL ? 0 : strlen(string),
                       string == NULL ? "" : string);
}

static void append_column(const struct declared_column *column, struct text *text) {
    text_append_format(text, "%d %d %lld %lld %lld %d %lld ", (int)column->is, column->optional,
                       (long long)column->unit, (long long)column->least, (long long)column->digits,
                       (int)column->epoch, (long long)column->read_bits);
    if (column->bounded) {
        text_append_format(text, "%lld ", (long long)column->most);
    }
    for (size_t i = 0; i < column->names.count; i++) {
        append_string(text, column->names.names[i]);
    }
    for (size_t i = 0; i < column->word_count; i++) {
        text_append_format(text, "%d ", (int)column->words[i].direction);
        append_string(text, column->words[i].word);
    }
}

/* Of all that decides what a line says. */
static bool hash(struct declaration *declaration, struct error *error) {
    struct text text = {0};
    bool failed;

    text_append_format(&text, "%d %d %d %d %d ", declaration->separator, declaration->header,
                       declaration->more, declaration->quotes, declaration->completions);
    append_string(&text, declaration->pattern);
    append_string(&text, declaration->header_text);
    append_string(&text, declaration->comment);
    for (size_t i = 0; i < declaration->column_count; i++) {
        append_column(&declaration->columns[i], &text);
    }
    failed = text.failed;
    if (!failed) {
        declaration->hash = XXH3_64bits(text.bytes, text.length);
    }
    text_free(&text);
    return !failed || error_no_memory(error);
}

static void free_declaration(struct declaration *declaration) {
    if (declaration == NULL) {
        return;
    }
    for (size_t i = 0; i < declaration->column_count; i++) {
        free_names(&declaration->columns[i].names);
        for (size_t k = 0; k < declaration->columns[i].word_count; k++) {
            free(declaration->columns[i].words[k].word);
        }
        free(declaration->columns[i].words);
    }
    free_names(&declaration->files);
    expression_free(declaration->expression);
    free(declaration->name);
    free(declaration->description);
    free(declaration->example);
    free(declaration->made_of);
    free(declaration->pattern);
    free(declaration->header_text);
    free(declaration->comment);
    free(declaration);
}

/* --- formats ------------------------------------------------------------------------------------
 */

static bool check_name(struct yaml_value key, const char *name, struct error *error) {
    size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-");

    if (length == 0 || name[length] != '\0' || length > DECLARED_NAME || *name == '-') {
        return yaml_error(key, error,
                          "'%.100s' is no name for a format: up to %d small letters, digits and -",
                          name, DECLARED_NAME);
    }
    for (size_t i = 0; importers[i] != NULL; i++) {
        if (strcmp(importers[i]->name, name) == 0) {
            return yaml_error(key, error,
                              "the format '%s' is one that the program reads by itself, and "
                              "cannot be declared",
                              name);
        }
    }
    return true;
}

static bool read_declaration(struct declaration *declaration, struct yaml_value key,
                             struct yaml_value value, struct error *error) {
    struct reading reading = {.declaration = declaration};

    declaration->name = strdup(yaml_string(key, "a name", error));
    if (declaration->name == NULL) {
        return error_no_memory(error);
    }
    return yaml_each_key(value, "a format", format_keys, sizeof format_keys / sizeof format_keys[0],
                         &reading, error) &&
           check_columns(declaration, key, error) && check_names(declaration, key, error) &&
           check_cutting(declaration, key, error) && check_example(declaration, key, error) &&
           describe(declaration, error) && hash(declaration, error);
}

/* The place of a format; the count when there is none of that name. */
static size_t place_of(const struct declared_formats *formats, const char *name) {
    size_t place = 0;

    while (place < formats->count && strcmp(formats->formats[place]->name, name) != 0) {
        place++;
    }
    return place;
}

static void remove_format(struct declared_formats *formats, size_t place) {
    if (place < formats->count) {
        free_declaration(formats->formats[place]);
        memmove(&formats->formats[place], &formats->formats[place + 1],
                (--formats->count - place) * sizeof formats->formats[0]);
    }
}

/* Puts a format into the list, in place of the one of that name. */
static bool put_format(struct declared_formats *formats, struct declaration *declaration,
                       struct error *error) {
    size_t place = place_of(formats, declaration->name);
    struct declaration **grown;

    if (place < formats->count) {
        free_declaration(formats->formats[place]);
        formats->formats[place] = declaration;
        return true;
    }
    grown = reallocarray(formats->formats, formats->count + 1, sizeof *grown);
    if (grown == NULL) {
        return error_no_memory(error);
    }
    formats->formats = grown;
    formats->formats[formats->count++] = declaration;
    return true;
}

struct list_reading {
    struct declared_formats *formats;
    bool own;
};

static bool read_format(void *context, struct yaml_value key, struct yaml_value value,
                        struct error *error) {
    const struct list_reading *list = context;
    const char *name = yaml_string(key, "the name of a format", error);
    struct declaration *declaration;

    if (name == NULL || !check_name(key, name, error)) {
        return false;
    }
    if (yaml_is_null(value)) {
        remove_format(list->formats, place_of(list->formats, name));
        return true;
    }
    if (list->formats->count == DECLARED_FORMATS) {
        return yaml_error(key, error, "more than %d formats", DECLARED_FORMATS);
    }
    declaration = calloc(1, sizeof *declaration);
    if (declaration == NULL) {
        return error_no_memory(error);
    }
    declaration->own = list->own;
    if (!read_declaration(declaration, key, value, error) ||
        !put_format(list->formats, declaration, error)) {
        free_declaration(declaration);
        return false;
    }
    declared_make_importer(declaration);
    return true;
}

static bool read_formats(void *context, struct yaml_value key, struct yaml_value value,
                         struct error *error) {
    struct list_reading list = {context, true};

    (void)key;
    return yaml_each_pair(value, "formats", read_format, &list, error);
}

/* The same of a file of the program's own. */
static bool read_shipped_formats(void *context, struct yaml_value key, struct yaml_value value,
                                 struct error *error) {
    struct list_reading list = {context, false};

    (void)key;
    return yaml_each_pair(value, "formats", read_format, &list, error);
}

/* --- those of the program -----------------------------------------------------------------------
 */

static bool read_shipped(struct declared_formats *formats, const struct resource *resource,
                         struct error *error) {
    static const struct yaml_key keys[] = {{"formats", read_shipped_formats}};
    struct yaml_file file;
    char path[64];
    bool done;

    snprintf(path, sizeof path, "formats/%s.yaml", resource->name);
    if (!yaml_text_read(resource->text, path, &file, error)) {
        return false;
    }
    done = yaml_each_key(yaml_root(&file), path, keys, 1, formats, error);
    yaml_file_free(&file);
    return done;
}

static bool begin_formats(void *value, struct error *error) {
    bool done = true;

    for (const struct resource *resource = format_resources; done && resource->name != NULL;
         resource++) {
        done = read_shipped(value, resource, error);
    }
    return done;
}

static void free_formats(void *value) {
    struct declared_formats *formats = value;

    for (size_t i = 0; i < formats->count; i++) {
        free_declaration(formats->formats[i]);
    }
    free(formats->formats);
}

const struct config_section declared_section = {
    .name = "formats",
    .help = "Formats of text, declared by their columns",
    .size = sizeof(struct declared_formats),
    .defaults = &(const struct declared_formats){NULL, 0},
    .begin = begin_formats,
    .read = read_formats,
    .free = free_formats,
};

const struct importer *importer_declared(const struct config *config, size_t index) {
    const struct declared_formats *formats = config_value(config, &declared_section);

    return index < formats->count ? &formats->formats[index]->importer : NULL;
}
