/* Reads the columns of a declared format, and checks that the whole declaration is consistent. */
#include "declared_reading.h"

#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/time_unit.h"

/* Seconds from 1601, when Windows' FILETIME begins, to 1970. */
#define SECONDS_FROM_1601 INT64_C(11644473600)

/* Maximum response time, a day, in seconds. */
#define RESPONSE_SECONDS 86400

const char *const declared_kinds[] = {
    "skip",   "number",    "hex",      "time",    "response", "device",    "device_name", "major",
    "minor",  "direction", "rwbs",     "address", "size",     "pid",       "process",     "file",
    "test",   "run",       "measure",  "unit",    "value",    "operation", "offset",      "bytes",
    "result", "error",     "duration", "end",     "tid",      "key",       "layer",       "pause",
    "host",   "rank",      "ttl",      NULL};

/* Kinds of columns that `is: host`, `is: rank` and `is: ttl` stand for. Programs of MPI run as
 * ranks on hosts. A time to live (ttl) becomes the value of a call (set_columns_of_calls). */
static const enum declared_is other_kinds[] = {DECLARED_PROCESS, DECLARED_PID, DECLARED_NUMBER};

/* Columns that are times or durations. */
#define OF_TIMES (OF(TIME) | OF(RESPONSE) | OF(DURATION) | OF(END) | OF(PAUSE))

static bool read_column_name(void *context, struct yaml_value key, struct yaml_value value,
                             struct error *error) {
    return declared_visit_items(value, "the names of a column", declared_add_name,
                                &((struct declared_column *)context)->names, error);
}

/* Reads the unit of measured values; an empty text means no unit. */
static bool read_measured_in(struct declared_column *column, struct yaml_value value,
                             struct error *error) {
    const char *string = yaml_string(value, "a unit", error);

    if (string != NULL && strlen(string) > DECLARED_STRING) {
        return yaml_error(value, error, "a unit is longer than %d bytes", DECLARED_STRING);
    }
    column->measured_in = string == NULL ? NULL : pool_copy(&value.file->pool, string);
    return string != NULL;
}

static bool declared_column_read_unit(void *context, struct yaml_value key, struct yaml_value value,
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
    struct declared_column *column = context;
    const char *string = yaml_string(value, "a unit", error);
    bool time = (OF_TIMES >> column->is & 1) != 0;
    uint64_t bytes;

    if (string == NULL || column->is == DECLARED_VALUE) {
        return string != NULL && read_measured_in(column, value, error);
    }
    if (column->is == DECLARED_TIME && strcmp(string, "clock") == 0) {
        column->clock = true;
        column->epoch = DECLARED_FIRST;
        return true;
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

/* --- words of a column `direction` ------------------------------------------------------------ */

struct word_reading {
    struct declared_column *column;
    enum declared_direction direction;
};

static bool declared_column_has_word(const struct declared_column *column, const char *string) {
    for (size_t i = 0; i < column->word_count; i++) {
        if (strcasecmp(column->words[i].word, string) == 0) {
            return true;
        }
    }
    return false;
}

static bool declared_column_add_word(void *context, struct yaml_value key, struct yaml_value value,
                                     struct error *error) {
    const struct word_reading *reading = context;
    struct declared_column *column = reading->column;
    const char *string = yaml_string(value, "a word", error);
    struct declared_word word = {.direction = reading->direction};

    if (string == NULL) {
        return false;
    }
    if (column->word_count == DECLARED_WORDS || strlen(string) > DECLARED_STRING) {
        return yaml_error(value, error, "more than %d words, or one longer than %d bytes",
                          DECLARED_WORDS, DECLARED_STRING);
    }
    if (declared_column_has_word(column, string)) {
        return yaml_error(value, error, "the word '%.100s' is given twice", string);
    }
    word.word = pool_copy(&value.file->pool, string);
    word.length = strlen(string);
    for (char *at = word.word; *at != '\0'; at++) {
        *at = *at >= 'A' && *at <= 'Z' ? (char)(*at - 'A' + 'a') : *at;
    }
    column->words = yaml_grow(value.file, column->words, column->word_count, sizeof word);
    column->words[column->word_count++] = word;
    return true;
}

static const char *const directions[] = {
    [DECLARED_READ] = "read",   [DECLARED_WRITE] = "write", [DECLARED_DISCARD] = "discard",
    [DECLARED_FLUSH] = "flush", [DECLARED_OTHER] = "other", [DECLARED_IGNORE] = "ignore",
};

static bool declared_column_read_words(void *context, struct yaml_value key,
                                       struct yaml_value value, struct error *error) {
    const char *name = yaml_string(key, "a key", error);
    struct word_reading words = {.column = context};

    while (strcmp(directions[words.direction], name) != 0) {
        words.direction++;
    }
    return declared_visit_items(value, "the words of a direction", declared_column_add_word, &words,
                                error);
}

/* Reads a pair of the key `map`: a word, and the operation, layer or error that it means. */
static bool add_mapped(void *context, struct yaml_value key, struct yaml_value value,
                       struct error *error) {
    static const struct yaml_key means = {.type = YAML_TEXT,
                                          .place = offsetof(struct declared_word, means),
                                          .most = DECLARED_STRING,
                                          .what = "what a word stands for"};
    struct declared_column *column = context;
    struct word_reading words = {.column = column};

    return declared_column_add_word(&words, value, key, error) &&
           yaml_read_known(&means, &column->words[column->word_count - 1], key, value, error) &&
           (column->is != DECLARED_LAYER ||
            strcmp(column->words[column->word_count - 1].means, "syscall") == 0 ||
            strcmp(column->words[column->word_count - 1].means, "mpi") == 0 ||
            yaml_error(value, error, "layer must be syscall or mpi"));
}

static bool read_map(void *context, struct yaml_value key, struct yaml_value value,
                     struct error *error) {
    return yaml_each_pair(value, "map", add_mapped, context, error);
}

static bool read_within(void *context, struct yaml_value key, struct yaml_value value,
                        struct error *error) {
    static const struct yaml_key pattern = {.name = "expression",
                                            .type = YAML_TEXT,
                                            .place = offsetof(struct declared_column, pattern),
                                            .most = EXPRESSION_LENGTH};
    struct declared_column *column = context;

    if (column->within != NULL) {
        return yaml_error(key, error, "the expression is given twice");
    }
    return yaml_read_known(&pattern, column, key, value, error) &&
           declared_compile(value, column->pattern, &column->within, error) &&
           (expression_groups(column->within) > 0 ||
            yaml_error(value, error, "the expression of a column needs a group"));
}

/* --- keys of a column ------------------------------------------------------------------------- */

#define ANY (~0u)

static const char *const epochs[] = {[DECLARED_START] = "start",
                                     [DECLARED_FIRST] = "first",
                                     [DECLARED_1970] = "1970",
                                     [DECLARED_1601] = "1601",
                                     NULL};

static bool read_kind(void *context, struct yaml_value key, struct yaml_value value,
                      struct error *error) {
    static const struct yaml_key is = {.name = "is",
                                       .type = YAML_CHOICE,
                                       .place = offsetof(struct declared_column, is),
                                       .choices = declared_kinds,
                                       .must = "one of ",
                                       .what = "what a column is"};
    struct declared_column *column = context;

    if (!yaml_read_known(&is, column, key, value, error)) {
        return false;
    }
    column->ttl = strcmp(declared_kinds[column->is], "ttl") == 0;
    column->is =
        column->is < DECLARED_KINDS ? column->is : other_kinds[column->is - DECLARED_KINDS];
    return true;
}

#define PLACE(field) offsetof(struct declared_column, field)
#define OTHER(key, reads)                                                                          \
    { .name = (key), .read = (reads) }
#define NUMBER(key, field)                                                                         \
    { .name = (key), .type = YAML_NUMBER, .place = PLACE(field), .most = INT64_MAX }
#define FLAG(key, field)                                                                           \
    { .name = (key), .type = YAML_FLAG, .place = PLACE(field), .must = "one of " }
#define CHOICE(key, field, words, means)                                                           \
    {                                                                                              \
        .name = (key), .type = YAML_CHOICE, .place = PLACE(field), .choices = (words),             \
        .must = "one of ", .what = (means)                                                         \
    }

/* Keys of a column's declaration, and the kinds of columns that may have each. `is` is first: it
 * sets the kind, on which the other keys depend. */
static const struct {
    struct yaml_key key;
    unsigned of;
    unsigned needed; /* kinds of columns that must have the key */
} column_keys[] = {
    {OTHER("is", read_kind), ANY, 0},
    {OTHER("name", read_column_name), ANY, 0},
    {FLAG("optional", optional), ANY, 0},
    {OTHER("unit", declared_column_read_unit),
     OF_TIMES | OF(ADDRESS) | OF(SIZE) | OF(VALUE) | OF(OFFSET) | OF(BYTES),
     OF_TIMES | OF(ADDRESS) | OF(SIZE)},
    {CHOICE("epoch", epoch, epochs, NULL), OF(TIME) | OF(END), 0},
    {NUMBER("least", least), OF(NUMBER) | OF(SIZE), 0},
    {NUMBER("most", most), OF(NUMBER), 0},
    {NUMBER("digits", digits), OF(HEX), 0},
    {NUMBER("read_bits", read_bits), OF(DIRECTION), 0},
    {FLAG("hexadecimal", hex), OF(DIRECTION), 0},
    {OTHER("read", declared_column_read_words), OF(DIRECTION), 0},
    {OTHER("write", declared_column_read_words), OF(DIRECTION), 0},
    {OTHER("discard", declared_column_read_words), OF(DIRECTION), 0},
    {OTHER("flush", declared_column_read_words), OF(DIRECTION), 0},
    {OTHER("other", declared_column_read_words), OF(DIRECTION), 0},
    {OTHER("ignore", declared_column_read_words), OF(DIRECTION), 0},
    {OTHER("map", read_map), OF(OPERATION) | OF(LAYER) | OF(ERROR), OF(LAYER)},
    {FLAG("other_words", other_words), OF(OPERATION) | OF(ERROR), 0},
    {OTHER("expression", read_within), ANY, 0},
};
#define COLUMN_KEYS (sizeof column_keys / sizeof column_keys[0])

static bool unknown_column_key(struct yaml_value key, struct error *error) {
    struct text names = {0};

    for (size_t i = 0; i < COLUMN_KEYS; i++) {
        text_append_item(&names, column_keys[i].key.name);
    }
    yaml_unknown_key(key, text_string(&names), error);
    text_free(&names);
    return false;
}

/* Reads a key of a column. The first must be `is`, which decides what other keys are allowed. */
static bool read_column_key(void *context, struct yaml_value key, struct yaml_value value,
                            struct error *error) {
    struct declared_reading *reading = context;
    const char *name = yaml_string(key, "a key", error);

    for (size_t i = 0; name != NULL && i < COLUMN_KEYS; i++) {
        if (strcmp(column_keys[i].key.name, name) != 0) {
            continue;
        }
        if (i > 0 && reading->given == 0) {
            return yaml_error(key, error, "the first key of a column must be 'is'");
        }
        if ((column_keys[i].of >> reading->column->is & 1) == 0) {
            return yaml_error(key, error, "a column of type %s has no key '%s'",
                              declared_kinds[reading->column->is], name);
        }
        reading->given |= UINT64_C(1) << i;
        return yaml_read_known(&column_keys[i].key, reading->column, key, value, error);
    }
    return name != NULL && unknown_column_key(key, error);
}

/* Sets the range of a column's numbers when all its keys were read. False if a key is missing. */
static bool set_column_bounds(struct declared_reading *reading, struct error *error) {
    struct declared_column *column = reading->column;

    for (size_t i = 0; i < COLUMN_KEYS; i++) {
        if ((column_keys[i].needed >> column->is & 1) != 0 && (reading->given >> i & 1) == 0) {
            return yaml_error(reading->place, error, "a column of type %s needs the key '%s'",
                              declared_kinds[column->is], column_keys[i].key.name);
        }
    }
    column->bounded = column->most != EVENT_NONE;
    switch (column->is) {
    case DECLARED_TIME:
    case DECLARED_END:
        if (column->epoch == DECLARED_1601 && column->unit == 1) {
            return yaml_error(reading->place, error,
                              "nanoseconds since 1601 do not fit into 63 bits: no log has them");
        }
        column->before =
            column->epoch == DECLARED_1601 ? SECONDS_FROM_1601 * (SECOND / column->unit) : 0;
        column->most = column->before + (column->epoch == DECLARED_START ? BLOCK_IO_SECONDS * SECOND
                                                                         : INT64_MAX - SECOND) /
                                            column->unit;
        break;
    case DECLARED_RESPONSE:
    case DECLARED_DURATION:
    case DECLARED_PAUSE:
        column->most = RESPONSE_SECONDS * SECOND / column->unit;
        break;
    case DECLARED_ADDRESS:
        column->most = INT64_MAX / column->unit;
        break;
    case DECLARED_OFFSET:
        column->most = INT64_MAX / 2 / column->unit;
        break;
    case DECLARED_BYTES:
        column->most = UINT32_MAX / column->unit;
        break;
    case DECLARED_SIZE:
        column->most = (int64_t)BLOCK_IO_BLOCKS * SECTOR_SIZE / column->unit;
        break;
    case DECLARED_RUN:
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
    if (column->hex && column->read_bits == 0) {
        return yaml_error(reading->place, error, "hexadecimal is for directions with read_bits");
    }
    return column->is != DECLARED_DIRECTION || column->word_count > 0 || column->read_bits != 0 ||
           yaml_error(reading->place, error, "a direction needs words: read: [r], write: [w]");
}

static bool begin_column(struct declared_reading *reading, struct yaml_value value,
                         struct error *error) {
    struct declaration *declaration = reading->declaration;

    if (declaration->column_count == DECLARED_COLUMNS) {
        return yaml_error(value, error, "more than %d columns", DECLARED_COLUMNS);
    }
    reading->column = &declaration->columns[declaration->column_count++];
    reading->column->most = EVENT_NONE;
    reading->column->unit = 1;
    reading->place = value;
    reading->given = 0;
    return true;
}

bool declared_read_column(void *context, struct yaml_value key, struct yaml_value value,
                          struct error *error) {
    struct declared_reading *reading = context;

    if (!begin_column(reading, value, error)) {
        return false;
    }
    if (yaml_is_mapping(value)) {
        return yaml_each_pair(value, "a column", read_column_key, reading, error) &&
               (reading->given != 0 || yaml_error(value, error, "a column needs the key 'is'")) &&
               set_column_bounds(reading, error);
    }
    return yaml_read_known(&column_keys[0].key, reading->column, key, value, error) &&
           set_column_bounds(reading, error);
}

/* --- consistency of a declaration ------------------------------------------------------------- */

const struct declared_column *declared_find(const struct declaration *declaration, unsigned kinds) {
    for (size_t i = 0; i < declaration->column_count; i++) {
        if ((kinds >> declaration->columns[i].is & 1) != 0) {
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
            return yaml_error(key, error, "two columns are %s", declared_kinds[is]);
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

/* Refuses a column whose kind is not in the set `of`. Kinds skip, number and hex are always
 * allowed. */
static bool check_others(const struct declaration *declaration, unsigned of, const char *what,
                         struct yaml_value key, struct error *error) {
    const struct declared_column *other =
        declared_find(declaration, ~(of | OF(SKIP) | OF(NUMBER) | OF(HEX)));

    return other == NULL || yaml_error(key, error, "a format of %s has no column that is %s", what,
                                       declared_kinds[other->is]);
}

/* Checks that a format of measured values has all columns; test and run are optional. */
static bool check_results(const struct declaration *declaration, struct yaml_value key,
                          struct error *error) {
    const struct declared_column *value = declared_find(declaration, OF(VALUE));
    const struct declared_column *measure = declared_find(declaration, OF(MEASURE));
    const struct declared_column *unit = declared_find(declaration, OF(UNIT));

    if (!check_others(declaration, OF_RESULTS, "results", key, error)) {
        return false;
    }
    if (value == NULL || value->optional || measure == NULL || measure->optional) {
        return yaml_error(key, error,
                          "a format of results needs columns that are measure and value, and not "
                          "optional");
    }
    if (value->measured_in == NULL && (unit == NULL || unit->optional)) {
        return yaml_error(key, error,
                          "a format of results needs a column that is unit, and not optional, or "
                          "the key 'unit' of the value");
    }
    return (!declaration->completions && !declaration->sorted) ||
           yaml_error(key, error, "results have no times: not with time_of or sorted");
}

/* Checks that a format of calls has columns for time and operation. */
static bool declared_column_check_calls(const struct declaration *declaration,
                                        struct yaml_value key, struct error *error) {
    const struct declared_column *time = declared_find(declaration, OF(TIME));
    const struct declared_column *end = declared_find(declaration, OF(END));
    const struct declared_column *duration = declared_find(declaration, OF(DURATION));
    const struct declared_column *operation = declared_find(declaration, OF(OPERATION));

    if (!check_others(declaration, OF_CALLS | OF(TIME) | OF(PID) | OF(PROCESS) | OF(FILE), "calls",
                      key, error)) {
        return false;
    }
    if (!declared_is_calls(declaration) ||
        (operation != NULL && (operation->optional || declaration->operation != NULL))) {
        return yaml_error(key, error,
                          "a format of calls needs either a column that is operation, and not "
                          "optional, or the key 'operation'");
    }
    if (time == NULL) {
        return yaml_error(key, error, "a format needs a column that is time");
    }
    if ((time->clock || time->optional) && end != NULL) {
        return yaml_error(key, error, "a time of day, or one that is optional, excludes end");
    }
    if (end != NULL && (duration != NULL || end->epoch != time->epoch)) {
        return yaml_error(key, error, "end excludes duration, and must have the epoch of the time");
    }
    return !declaration->completions || duration != NULL ||
           yaml_error(key, error, "time_of: completion needs a column that is duration");
}

/* Checks a format whose lines are keys of cached objects: each is a read of a page without time. */
static bool check_key(const struct declaration *declaration, struct yaml_value key,
                      struct error *error) {
    const struct declared_column *column = declared_find(declaration, OF(KEY));

    if (!check_others(declaration, OF(KEY), "keys", key, error)) {
        return false;
    }
    return (!column->optional && !declaration->completions && !declaration->sorted) ||
           yaml_error(key, error,
                      "keys have no times, and are not optional: not with time_of or "
                      "sorted");
}

static bool declared_column_check_columns(const struct declaration *declaration,
                                          struct yaml_value key, struct error *error) {
    const struct declared_column *time = declared_find(declaration, OF(TIME));
    const struct declared_column *pause = declared_find(declaration, OF(PAUSE));
    const struct declared_column *response = declared_find(declaration, OF(RESPONSE));

    if (declared_find(declaration, OF_RESULTS) != NULL) {
        return check_results(declaration, key, error) && check_twice(declaration, key, error);
    }
    if (declaration->operation != NULL || declared_find(declaration, OF_CALLS) != NULL) {
        return declared_column_check_calls(declaration, key, error) &&
               check_twice(declaration, key, error);
    }
    if (declared_find(declaration, OF(KEY)) != NULL) {
        return check_key(declaration, key, error) && check_twice(declaration, key, error);
    }
    if ((time == NULL) != (pause != NULL) || (pause != NULL && response == NULL)) {
        return yaml_error(key, error,
                          "a format needs a column that is time, or pause and response");
    }
    if (time != NULL && time->clock) {
        return yaml_error(key, error, "unit: clock is for calls");
    }
    if (declared_find(declaration, OF(ADDRESS) | OF(SIZE)) == NULL) {
        return yaml_error(key, error,
                          "a format needs a column that is address, or one that is "
                          "size");
    }
    if (declaration->completions && response == NULL) {
        return yaml_error(key, error, "time_of: completion needs a column that is response");
    }
    return check_twice(declaration, key, error);
}

/* Checks that either all columns have names or none, and that the names can be found: in the
 * header, or as groups of the expression. */
static bool declared_column_check_names(const struct declaration *declaration,
                                        struct yaml_value key, struct error *error) {
    const struct expression *expression = declaration->expression;
    size_t named = 0;

    for (size_t i = 0; i < declaration->column_count; i++) {
        const struct declared_names *names = &declaration->columns[i].names;

        if (declaration->columns[i].carry > 0) {
            continue;
        }
        named += names->count > 0;
        if (expression != NULL && names->count > 0 &&
            expression_group(expression, names->names[0]) < 0) {
            return yaml_error(key, error, "the expression has no group (?<%.100s>…)",
                              names->names[0]);
        }
    }
    if (declaration->header == DECLARED_NAMES_HEADER && expression == NULL) {
        return named == declaration->line_columns ||
               yaml_error(key, error, "header: names needs a name for each column");
    }
    if (expression != NULL && named == 0 &&
        expression_groups(expression) != declaration->line_columns) {
        return yaml_error(key, error,
                          "the expression has %zu groups, not one for each of %zu "
                          "columns",
                          expression_groups(expression), declaration->line_columns);
    }
    return expression == NULL ? named == 0 || yaml_error(key, error,
                                                         "columns have names only with "
                                                         "header: names, or an "
                                                         "expression")
                              : named == 0 || named == declaration->line_columns ||
                                    yaml_error(key, error, "either all columns have names or none");
}

/* Where the key `carry` names a column for an expression, finds that column by its name or kind,
 * and sets its name if it has none. Adds the column if it is not in `columns`. */
static bool add_carried(struct declaration *declaration, struct yaml_value key,
                        struct error *error) {
    struct declared_reading reading = {.declaration = declaration};

    for (size_t k = 0; k < declaration->carried.count; k++) {
        struct declared_column probe = {.is = DECLARED_SKIP}, *column = NULL;
        const struct yaml_value name = declaration->carried_for[k];

        const char *word;

        if (name.node == NULL) {
            continue;
        }
        word = yaml_string(name, "", error);
        for (size_t i = 0; column == NULL && i < declaration->column_count; i++) {
            struct declared_column *of = &declaration->columns[i];

            if (of->names.count > 0 && strcmp(of->names.names[0], word) == 0) {
                column = of;
            }
        }
        if (column == NULL && !read_kind(&probe, key, name, error)) {
            return false;
        }
        for (size_t i = 0; column == NULL && i < declaration->column_count; i++) {
            column = declaration->columns[i].is == probe.is ? &declaration->columns[i] : NULL;
        }
        if (column == NULL) {
            if (!begin_column(&reading, name, error)) {
                return false;
            }
            column = reading.column;
            column->is = probe.is;
            column->ttl = probe.ttl;
            if (!set_column_bounds(&reading, error)) {
                return false;
            }
        }
        if (column->names.count == 0 && !declared_add_name(&column->names, key, name, error)) {
            return false;
        }
    }
    return true;
}

/* Finds for each column the expression of `carry` that reads its value from an earlier line, if
 * any. Checks that each expression reads the value of some column. */
static bool find_carried(struct declaration *declaration, struct yaml_value key,
                         struct error *error) {
    bool used[DECLARED_NAMES] = {false};

    for (size_t i = 0; i < declaration->column_count; i++) {
        struct declared_column *column = &declaration->columns[i];

        for (size_t k = 0; column->names.count > 0 && k < declaration->carried.count; k++) {
            int group = expression_group(declaration->carry[k], column->names.names[0]);

            if (group >= 0 && (column->carry > 0 || (OF_TIMES >> column->is & 1) != 0)) {
                return yaml_error(key, error, "carry has the column '%.100s' twice, or as a time",
                                  column->names.names[0]);
            }
            if (group >= 0) {
                column->carry = k + 1;
                column->group = group;
                used[k] = true;
            }
        }
        declaration->line_columns += column->carry == 0;
    }
    for (size_t k = 0; k < declaration->carried.count; k++) {
        if (!used[k]) {
            return yaml_error(key, error, "carry needs a group (?<NAME>…) with a column's name");
        }
    }
    return true;
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
    /* With names or an expression, find_field() checks each column, so one field is enough. */
    declaration->fewest = 1;
    for (size_t i = 0, place = 0;
         declaration->expression == NULL && declaration->header != DECLARED_NAMES_HEADER &&
         i < declaration->column_count;
         i++) {
        place += declaration->columns[i].carry == 0;
        if (declaration->columns[i].carry == 0 && !declaration->columns[i].optional) {
            declaration->fewest = place;
        }
    }
    return true;
}

/* Checks that the example of the declaration can be read. Its last line must be a request; the
 * lines before may be the header, or have values for later lines. */
static bool check_example(struct declaration *declaration, struct yaml_value key,
                          struct error *error) {
    struct word rest, line = word_of(""), header = line;
    struct declared_splitter splitter;
    struct declared_line parsed;
    const char *damage, *ignored;

    if (declaration->example == NULL) {
        declaration->example = pool_allocate(&key.file->pool, 1);
        return true;
    }
    for (rest = word_of(declaration->example); rest.length > 0;) {
        header = line;
        line = word_field(&rest, '\n');
    }
    damage = declared_splitter_open(&splitter, declaration, header);
    for (rest = word_of(declaration->example); damage == NULL && rest.length > 0;) {
        declared_store_carried(&splitter, word_field(&rest, '\n'), &ignored);
    }
    damage = damage == NULL ? declared_parse(&splitter, line, &parsed) : damage;
    declared_splitter_close(&splitter);
    if (damage != NULL) {
        return yaml_error(key, error, "the example does not fit the format '%s': %s",
                          declaration->name, damage);
    }
    memmove(declaration->example, line.bytes, line.length);
    declaration->example[line.length] = '\0';
    return true;
}

/* --- settings computed from others ------------------------------------------------------------ */

static void declared_column_describe(struct declaration *declaration, struct pool *pool) {
    static const char declared[] = "declared in the configuration";
    struct text made_of = {0};

    text_append_string(&made_of, "lines of ");
    for (size_t i = 0; i < declaration->column_count; i++) {
        text_append_format(
            &made_of, "%s%s", i == 0 ? "" : ", ",
            declaration->columns[i].ttl ? "ttl" : declared_kinds[declaration->columns[i].is]);
    }
    if (declaration->separator == ' ' || declaration->separator == '\t') {
        text_append_string(&made_of,
                           declaration->separator == ' ' ? " between blanks" : " between TABs");
    } else if (declaration->separator != '\0') {
        text_append_format(&made_of, " between '%c'", declaration->separator);
    }
    declaration->made_of = pool_copy(pool, text_string(&made_of));
    text_free(&made_of);
    if (declaration->description == NULL) {
        declaration->description = pool_copy(pool, declared);
    }
}

static void append_string(struct text *text, const char *string) {
    text_append_format(text, "%zu:%s ", string == NULL ? 0 : strlen(string),
                       string == NULL ? "" : string);
}

static void declared_column_append_column(const struct declared_column *column, struct text *text) {
    text_append_format(text, "%d %d %lld %lld %lld %d %lld ", (int)column->is, column->optional,
                       (long long)column->unit, (long long)column->least, (long long)column->digits,
                       (int)column->epoch, (long long)column->read_bits);
    if (column->hex || column->clock) {
        text_append_string(text, column->hex ? "hexadecimal " : "clock ");
    }
    if (column->other_words || column->ttl) {
        text_append_string(text, column->ttl ? "ttl " : "others ");
    }
    if (column->pattern != NULL) {
        append_string(text, column->pattern);
    }
    if (column->measured_in != NULL) {
        append_string(text, column->measured_in);
    }
    if (column->bounded) {
        text_append_format(text, "%lld ", (long long)column->most);
    }
    for (size_t i = 0; i < column->names.count; i++) {
        append_string(text, column->names.names[i]);
    }
    for (size_t i = 0; i < column->word_count; i++) {
        text_append_format(text, "%d ", (int)column->words[i].direction);
        append_string(text, column->words[i].word);
        if (column->words[i].means != NULL) {
            append_string(text, column->words[i].means);
        }
    }
}

/* Computes a hash of all settings that affect how a line is read. */
static void hash_declaration(struct declaration *declaration) {
    struct text text = {0};

    text_append_format(&text, "%d %d %d %d %d ", declaration->separator, declaration->header,
                       declaration->more, declaration->quotes, declaration->completions);
    append_string(&text, declaration->pattern);
    append_string(&text, declaration->header_text);
    append_string(&text, declaration->comment);
    if (declaration->operation != NULL) {
        append_string(&text, declaration->operation);
    }
    if (declaration->skipped != NULL) {
        append_string(&text, declaration->skipped);
    }
    if (declaration->losses != NULL) {
        text_append_string(&text, "lost ");
        append_string(&text, declaration->losses);
    }
    for (size_t i = 0; i < declaration->parted.count; i++) {
        append_string(&text, declaration->parted.names[i]);
    }
    for (size_t i = 0; i < declaration->carried.count; i++) {
        append_string(&text, declaration->carried.names[i]);
    }
    for (size_t i = 0; i < declaration->column_count; i++) {
        declared_column_append_column(&declaration->columns[i], &text);
    }
    declaration->hash = XXH3_64bits(text.bytes, text.length);
    text_free(&text);
}

/* In a format of calls, makes the column `key` the file, and a time to live (ttl) the result if the
 * format has neither result nor error. */
static void set_columns_of_calls(struct declaration *declaration) {
    for (size_t i = 0; i < declaration->column_count && declared_is_calls(declaration); i++) {
        struct declared_column *column = &declaration->columns[i];

        if (column->is == DECLARED_KEY) {
            column->is = DECLARED_FILE;
        } else if (column->ttl && declared_find(declaration, OF(RESULT) | OF(ERROR)) == NULL) {
            column->is = DECLARED_RESULT;
        }
    }
}

/* Checks that the key `kind` agrees with the columns. */
static bool check_kind(const struct declaration *declaration, struct yaml_value key,
                       struct error *error) {
    enum declared_kind is = declared_find(declaration, OF_RESULTS) != NULL ? DECLARED_OF_RESULTS
                            : declared_is_calls(declaration)               ? DECLARED_OF_CALLS
                                                                           : DECLARED_OF_IO;

    return declaration->kind == DECLARED_OF_ANY || declaration->kind == is ||
           yaml_error(key, error, "kind: %s, but the columns are those of %s",
                      declared_kinds_of_formats[declaration->kind], declared_kinds_of_formats[is]);
}

bool declared_complete(struct declaration *declaration, struct yaml_value key,
                       struct error *error) {
    if (!add_carried(declaration, key, error)) {
        return false;
    }
    set_columns_of_calls(declaration);
    if (!check_kind(declaration, key, error) ||
        !declared_column_check_columns(declaration, key, error) ||
        !find_carried(declaration, key, error) ||
        !declared_column_check_names(declaration, key, error) ||
        !check_cutting(declaration, key, error) || !check_example(declaration, key, error)) {
        return false;
    }
    declared_column_describe(declaration, &key.file->pool);
    hash_declaration(declaration);
    return true;
}
