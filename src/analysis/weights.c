/* Costs of events from the file given by --weights: temp.weight has a row for each name in the
 * file, temp.weight_unit the unit. Queries compute the sums.
 *
 *     unit: mJ
 *     read: 2                                  each call costs 2
 *     write: {call: 2, byte: 0.001, ms: 0.1} */
#include <string.h>

#include "analysis/analysis.h"
#include "config/yaml.h"

enum { SUMS_TIMES = 1, UNIT_LONGEST = 16 };

/* Limit of a cost, so that sums cannot overflow to infinity. */
#define COST_MOST 1e15

struct weights_state {
    struct analysis_context *context;
    const char *unit; /* unit of the costs; borrowed from the file */
    bool leaves_ms;   /* true: the file has a cost per ms, which the report does not include */
};

struct weight {
    double call, byte, ms;
};

static bool weights_read_number(struct yaml_value value, const char *what, double *number,
                                struct error *error) {
    static const struct parameter real = {.name = "weights", .type = PARAMETER_REAL};
    const char *text = yaml_string(value, what, error);
    struct parameter_value read;
    struct error ignored = {0};

    if (text == NULL) {
        return false;
    }
    if (!parameter_read(&real, text, &read, &ignored) || read.real < 0 || read.real > COST_MOST) {
        return yaml_error(value, error, "%s is a number from 0 to %g, such as 0.5, not '%.100s'",
                          what, COST_MOST, text);
    }
    *number = read.real;
    return true;
}

static bool weights_read_call(void *weight, struct yaml_value key, struct yaml_value value,
                              struct error *error) {
    return weights_read_number(value, "call", &((struct weight *)weight)->call, error);
}

static bool read_byte(void *weight, struct yaml_value key, struct yaml_value value,
                      struct error *error) {
    return weights_read_number(value, "byte", &((struct weight *)weight)->byte, error);
}

static bool read_ms(void *weight, struct yaml_value key, struct yaml_value value,
                    struct error *error) {
    return weights_read_number(value, "ms", &((struct weight *)weight)->ms, error);
}

/* Checks that all traces have durations in nanoseconds, if the report sums costs per ms. */
static bool check_times(struct weights_state *state, struct yaml_value value, struct error *error) {
    const struct analysis_context *context = state->context;

    if (context->analysis->variant != SUMS_TIMES) {
        return state->leaves_ms = true;
    }
    for (size_t i = 0; i < context->selection->count; i++) {
        const struct catalog_trace *trace = context->selection->traces[i].trace;

        if (catalog_meaning(trace, "duration", NULL) == NULL || !catalog_has_real_clock(trace)) {
            yaml_error(value, error, "ms: trace %s has no durations in seconds", trace->name);
            error->absent = true;
            return false;
        }
    }
    return true;
}

static bool weights_read_unit(struct weights_state *state, struct yaml_value value,
                              struct error *error) {
    const char *unit = yaml_string(value, "unit", error);

    if (unit == NULL) {
        return false;
    }
    for (const char *at = unit; *at != '\0'; at++) {
        if ((unsigned char)*at <= ' ' || strchr("\177,;\"'", *at) != NULL) {
            unit = "";
            break;
        }
    }
    if (*unit == '\0' || strlen(unit) > UNIT_LONGEST) {
        return yaml_error(value, error, "unit is a word of up to %d bytes, such as mJ",
                          UNIT_LONGEST);
    }
    state->unit = unit;
    return true;
}

static bool read_weight(void *weights_state, struct yaml_value key, struct yaml_value value,
                        struct error *error) {
    static const struct yaml_key keys[] = {
        {.name = "call", .read = weights_read_call},
        {.name = "byte", .read = read_byte},
        {.name = "ms", .read = read_ms},
    };
    struct weights_state *state = weights_state;
    struct analysis_context *context = state->context;
    struct weight weight = {0};
    const char *name = yaml_string(key, "a name", error);

    if (name == NULL || strcmp(name, "unit") == 0) {
        return name != NULL && weights_read_unit(state, value, error);
    }
    if (*name == '\0') {
        return yaml_error(key, error, "a name is empty");
    }
    if (yaml_is_mapping(value)
            ? !yaml_each_key(value, "a weight", keys, sizeof keys / sizeof keys[0], &weight, NULL,
                             error)
            : !weights_read_number(value, "the cost of a call", &weight.call, error)) {
        return false;
    }
    if (weight.ms > 0 && !check_times(state, value, error)) {
        return false;
    }
    temp_rows_text(&context->tables[0], 1, name, strlen(name));
    temp_rows_real(&context->tables[0], 2, weight.call);
    temp_rows_real(&context->tables[0], 3, weight.byte);
    temp_rows_real(&context->tables[0], 4, weight.ms);
    TEMP_ROW(&context->tables[0], (int64_t)yaml_line(key));
    return !analysis_failed(context);
}

static void write_weights(void *weights_state) {
    struct weights_state *state = weights_state;
    struct analysis_context *context = state->context;
    struct error *error = &context->error;
    struct yaml_file file;

    if (!context->values[0].given ||
        !yaml_file_read(context->values[0].text, YAML_NAMED, &file, error)) {
        return;
    }
    if (yaml_each_pair(yaml_root(&file), "weights", read_weight, state, error)) {
        if (state->unit == NULL) {
            yaml_error(yaml_root(&file), error,
                       "there is no unit: write 'unit: mJ', and a line NAME: NUMBER for each "
                       "operation, function or class");
        } else {
            temp_rows_text(&context->tables[1], 1, state->unit, strlen(state->unit));
            temp_rows_add(&context->tables[1], NULL, 0);
        }
        if (state->leaves_ms) {
            notes_append(&context->selection->notes,
                         "costs do not include the weights per ms of time in this report");
        }
    }
    yaml_file_free(&file);
}

#define WEIGHTS(NAME, VARIANT)                                                                     \
    .name = (NAME),                                                                                \
    .tables = {{"weight", "name, call, byte, ms, line", "name"}, {"weight_unit", "unit", NULL}},   \
    .pass = PASS_NONE,                                                                             \
    .parameters = {{                                                                               \
        .name = "weights",                                                                         \
        .type = PARAMETER_TEXT,                                                                    \
        .argument = "FILE",                                                                        \
        .help = "popularity, functions, rw, files, summary: add the cost of calls and I/Os, such " \
                "as energy, by this file",                                                         \
    }},                                                                                            \
    .variant = (VARIANT), .state_size = sizeof(struct weights_state), .write = write_weights

const struct analysis analysis_weights = {WEIGHTS("weights", 0)};

/* Costs of events (temp.weight), for queries that also use costs per ms of a call. */
const struct analysis analysis_weights_of_times = {WEIGHTS("weights_of_times", SUMS_TIMES)};
