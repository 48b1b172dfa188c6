#include "report/query_parameter.h"

#include <string.h>

static const struct {
    const char *name, *argument;
    enum parameter_type type;
} types[] = {
    {"integer", "INTEGER", PARAMETER_NUMBER}, {"real", "NUMBER", PARAMETER_REAL},
    {"text", "TEXT", PARAMETER_TEXT},         {"time", "TIME", PARAMETER_TIME},
    {"duration", "DURATION", PARAMETER_TIME}, {"integers", "N,N,...", PARAMETER_NUMBERS},
};

/* --- the header ------------------------------------------------------------------------------- */

/* Cuts the next word off, or what stands in quotes; NULL when there is none, or no quote ends it.
 */
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
    *line = value + length;
    if (**line != '\0') {
        *(*line)++ = '\0';
    }
    return value;
}

static bool check_name(const char *name, struct error *error) {
    size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-");

    return (length <= QUERY_PARAMETER_NAME && name[length] == '\0' && name[0] >= 'a' &&
            name[0] <= 'z') ||
           error_set(error,
                     "'%s' is no name of a parameter: it is a small letter, then small letters, "
                     "digits and -, at most %d in all",
                     name, QUERY_PARAMETER_NAME);
}

static bool find_type(struct query_parameter *parameter, const char *type, struct error *error) {
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (strcmp(types[i].name, type) == 0) {
            parameter->type = types[i].name;
            parameter->row.type = types[i].type;
            parameter->row.argument = types[i].argument;
            return true;
        }
    }
    return error_set(
        error,
        "there is no type '%s' of parameters; there are integer, integers, real, text, time "
        "and duration",
        type);
}

static bool check_default(const struct query_parameter *parameter, struct error *error) {
    struct parameter_value value;
    struct error wrong = {0};

    return parameter_read(&parameter->row, parameter->otherwise, &value, &wrong) ||
           error_set(error, "the default: %s", wrong.message);
}

bool query_parameter_parse(struct query_parameter *parameter, char *line, struct error *error) {
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
    return check_name(parts[0], error) && find_type(parameter, parts[1], error) &&
           check_default(parameter, error);
}

/* --- values ----------------------------------------------------------------------------------- */

static bool bind_time(const struct query_parameter *parameter, const struct parameter_value *value,
                      const struct catalog_trace *trace, sqlite3_stmt *statement, int index,
                      struct error *error) {
    bool real = catalog_real_clock(trace);

    if (!real && value->plain < 0) {
        return error_set_status(error, EXIT_USAGE,
                                "trace %s counts in %s: give --%s as a whole number of these",
                                trace->name, trace->clock_unit, parameter->row.name);
    }
    sqlite3_bind_int64(statement, index, real ? value->number : value->plain);
    return true;
}

bool query_parameter_bind(const struct query_parameter *parameter, const char *given,
                          const struct catalog_trace *trace, sqlite3_stmt *statement, int index,
                          struct error *error) {
    struct parameter_value value;

    if (given == NULL) {
        given = parameter->otherwise;
    }
    if (given == NULL) {
        return true;
    }
    if (!parameter_read(&parameter->row, given, &value, error)) {
        return false;
    }
    switch (parameter->row.type) {
    case PARAMETER_NUMBER:
        sqlite3_bind_int64(statement, index, value.number);
        return true;
    case PARAMETER_REAL:
        sqlite3_bind_double(statement, index, value.real);
        return true;
    case PARAMETER_TIME:
        return bind_time(parameter, &value, trace, statement, index, error);
    default:
        sqlite3_bind_text(statement, index, value.text, -1, SQLITE_STATIC);
        return true;
    }
}
