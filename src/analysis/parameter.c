#include "analysis/parameter.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "select/filter.h"

static bool parameter_read_number(const struct parameter *parameter, struct parameter_value *value,
                                  struct error *error) {
    const char *digits = value->text + (value->text[0] == '-');

    if (digits[0] == '\0' || digits[strspn(digits, "0123456789")] != '\0') {
        return error_usage(error, "--%s must be a whole number from %lld to %lld, not '%s'",
                           parameter->name, (long long)parameter->least, (long long)parameter->most,
                           value->text);
    }
    errno = 0;
    value->number = strtoll(value->text, NULL, 10);
    return (errno == 0 && value->number >= parameter->least && value->number <= parameter->most) ||
           error_usage(error, "--%s must be from %lld to %lld", parameter->name,
                       (long long)parameter->least, (long long)parameter->most);
}

static bool read_real(const struct parameter *parameter, struct parameter_value *value,
                      struct error *error) {
    char *end;

    /* Checks the characters: strtod() also accepts blanks, hexadecimal digits, "inf" and "nan". */
    value->real = strtod(value->text, &end);
    return (end != value->text && *end == '\0' && isfinite(value->real) &&
            strspn(value->text, "+-.0123456789eE") == strlen(value->text)) ||
           error_usage(error,
                       "--%s must be a number such as 0.5, from -1.7e308 to 1.7e308, not '%s'",
                       parameter->name, value->text);
}

static bool read_time(const struct parameter *parameter, struct parameter_value *value,
                      struct error *error) {
    bool is_negative = parameter->least < 0 && *value->text == '-';
    struct time_bound bound;

    if (parameter->choices != NULL && word_in(parameter->choices, value->text)) {
        value->given = false;
        return true;
    }
    if (!time_bound_parse(parameter->name, value->text + is_negative, &bound, error) ||
        bound.kind != TIME_SINCE_START) {
        return error_usage(error,
                           "--%s must be a time such as 90, 50ms, 10m or 2h, from %s to 100 "
                           "years, not '%s'",
                           parameter->name, parameter->least < 0 ? "-100" : "0", value->text);
    }
    value->number = is_negative ? -bound.time : bound.time;
    value->plain = bound.plain;
    return bound.time >= parameter->least ||
           error_usage(error, "--%s must be longer than 0", parameter->name);
}

static bool read_duration(const struct parameter *parameter, struct parameter_value *value,
                          struct error *error) {
    struct time_bound bound;

    if (!time_bound_parse(parameter->name, value->text, &bound, error)) {
        return false;
    }
    value->number = bound.time;
    value->plain = bound.plain;
    return bound.kind == TIME_SINCE_START ||
           error_usage(error, "--%s needs a duration of calls, such as 0.01s or 50ms",
                       parameter->name);
}

/* Checks a list of whole numbers, such as 3 or 3,7,10. */
static bool check_numbers(const struct parameter *parameter, const char *text,
                          struct error *error) {
    const char *at = text;
    size_t digits;

    while ((digits = strspn(at, "0123456789")) > 0 && digits <= 9 && at[digits] == ',') {
        at += digits + 1;
    }
    return (digits > 0 && digits <= 9 && at[digits] == '\0') ||
           error_usage(error,
                       "--%s must be a whole number, or several separated by commas, such as "
                       "3,7,10, not '%s'",
                       parameter->name, text);
}

bool parameter_read(const struct parameter *parameter, const char *given,
                    struct parameter_value *value, struct error *error) {
    *value = (struct parameter_value){
        .given = given != NULL,
        .number = parameter->otherwise,
        .plain = -1,
        .text = given,
    };
    if (given == NULL || parameter->type == PARAMETER_FLAG) {
        return true;
    }
    switch (parameter->type) {
    case PARAMETER_NUMBER:
        return parameter_read_number(parameter, value, error);
    case PARAMETER_REAL:
        return read_real(parameter, value, error);
    case PARAMETER_DURATION:
        return read_duration(parameter, value, error);
    case PARAMETER_TIME:
        return read_time(parameter, value, error);
    case PARAMETER_NUMBERS:
        return check_numbers(parameter, given, error);
    default:
        return parameter->choices == NULL || word_in(parameter->choices, value->text) ||
               error_usage(error, "--%s must be one of %s, not '%s'", parameter->name,
                           parameter->choices, value->text);
    }
}

bool parameter_length(const struct parameter_value *given, const char *option, bool real_clock,
                      int64_t *length, struct error *error) {
    *length = !given->given ? 0 : real_clock ? given->number : given->plain;
    if (*length < 0) {
        return error_usage(
            error,
            "--%s %s: the clock of this trace does not count seconds; give a number without a unit",
            option, given->text);
    }
    return true;
}
