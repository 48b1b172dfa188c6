#include "analysis/parameter.h"

#include <stdlib.h>

#include "base/words.h"
#include "select/filter.h"

static bool read_number(const struct parameter *parameter, struct parameter_value *value,
                        struct error *error) {
    value->number = strtoll(value->text, NULL, 10);
    return (value->number >= parameter->least && value->number <= parameter->most) ||
           error_set_status(error, EXIT_USAGE, "--%s must be from %lld to %lld", parameter->name,
                            (long long)parameter->least, (long long)parameter->most);
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
           error_set_status(error, EXIT_USAGE, "--%s is how long a call took: 0.01s",
                            parameter->name);
}

static bool check_choice(const struct parameter *parameter, const struct parameter_value *value,
                         struct error *error) {
    return parameter->choices == NULL || word_in(parameter->choices, value->text) ||
           error_set_status(error, EXIT_USAGE, "--%s is one of %s, not '%s'", parameter->name,
                            parameter->choices, value->text);
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
    return parameter->type == PARAMETER_NUMBER     ? read_number(parameter, value, error)
           : parameter->type == PARAMETER_DURATION ? read_duration(parameter, value, error)
                                                   : check_choice(parameter, value, error);
}
