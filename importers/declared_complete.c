/* Whether the parts of a declared format fit together, and what follows from them. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "declared_reading.h"
#include "base/memory.h"

/* --- what fits together ----------------------------------------------------------------------- */

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
        declaration->example = xstrdup("");
        return true;
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

/* --- what is made of it ----------------------------------------------------------------------- */

static void describe(struct declaration *declaration) {
    struct text made_of = {0};

    text_append_string(&made_of, "lines of ");
    for (size_t i = 0; i < declaration->column_count; i++) {
        text_append_format(&made_of, "%s%s", i == 0 ? "" : ", ",
                           declared_kinds[declaration->columns[i].is]);
    }
    if (declaration->separator == ' ' || declaration->separator == '\t') {
        text_append_string(&made_of,
                           declaration->separator == ' ' ? " between blanks" : " between TABs");
    } else if (declaration->separator != '\0') {
        text_append_format(&made_of, " between '%c'", declaration->separator);
    }
    declaration->made_of = xstrdup(text_string(&made_of));
    text_free(&made_of);
    if (declaration->description == NULL) {
        declaration->description = xstrdup("declared in the configuration");
    }
}

static void append_string(struct text *text, const char *string) {
    text_append_format(text, "%zu:%s ", string == NULL ? 0 : strlen(string),
                       string == NULL ? "" : string);
}

static void append_column(const struct declared_column *column, struct text *text) {
    text_append_format(text, "%d %d %lld %lld %lld %d %lld ", (int)column->is, column->optional,
                       (long long)column->unit, (long long)column->least, (long long)column->digits,
                       (int)column->epoch, (long long)column->read_bits);
    if (column->hex) {
        text_append_string(text, "hexadecimal ");
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
    }
}

/* Of all that decides what a line says. */
static void hash(struct declaration *declaration) {
    struct text text = {0};

    text_append_format(&text, "%d %d %d %d %d ", declaration->separator, declaration->header,
                       declaration->more, declaration->quotes, declaration->completions);
    append_string(&text, declaration->pattern);
    append_string(&text, declaration->header_text);
    append_string(&text, declaration->comment);
    for (size_t i = 0; i < declaration->column_count; i++) {
        append_column(&declaration->columns[i], &text);
    }
    declaration->hash = XXH3_64bits(text.bytes, text.length);
    text_free(&text);
}

bool declared_complete(struct declaration *declaration, struct yaml_value key,
                       struct error *error) {
    if (!check_columns(declaration, key, error) || !check_names(declaration, key, error) ||
        !check_cutting(declaration, key, error) || !check_example(declaration, key, error)) {
        return false;
    }
    describe(declaration);
    hash(declaration);
    return true;
}
