#include "palmist_settings.h"

#include <stdlib.h>
#include <string.h>

#include "input/reader.h"

static bool is_letter(char character) {
    return (character >= 'A' && character <= 'Z') || (character >= 'a' && character <= 'z') ||
           character == '_';
}

static bool is_trap_name(const char *string) {
    if (!is_letter(*string)) {
        return false;
    }
    while (is_letter(*string) || (*string >= '0' && *string <= '9')) {
        string++;
    }
    return *string == '\0';
}

static bool parse_trap_id(const char *digits, size_t length, uint16_t *id) {
    uint64_t number;

    while (length > 0 && *digits == ' ') {
        digits++;
        length--;
    }
    while (length > 0 && digits[length - 1] == ' ') {
        length--;
    }
    if (!yaml_parse_unsigned(digits, length, UINT16_MAX, &number)) {
        return false;
    }
    *id = (uint16_t)number;
    return true;
}

/* "0xA0A2" or "0xA0A2-0xA0B0". */
static bool parse_trap_range(const char *string, struct palmist_trap *trap) {
    const char *dash = strchr(string, '-');
    size_t length = dash == NULL ? strlen(string) : (size_t)(dash - string);

    if (!parse_trap_id(string, length, &trap->first)) {
        return false;
    }
    trap->last = trap->first;
    return dash == NULL || parse_trap_id(dash + 1, strlen(dash + 1), &trap->last);
}

static bool parse_trap(struct yaml_value value, struct palmist_trap *trap, struct error *error) {
    const char *string = yaml_string(value, "a trap", error);

    if (string == NULL) {
        return false;
    }
    if (is_trap_name(string)) {
        trap->name = yaml_copy(value, "a trap", error);
        return trap->name != NULL;
    }
    if (!parse_trap_range(string, trap)) {
        return yaml_error(value, error,
                          "'%.100s' is not a trap; write an ID like 0xA0A2, a range like "
                          "0xA0A2-0xA0B0, or a name like EvtGetEvent",
                          string);
    }
    return trap->first <= trap->last ||
           yaml_error(value, error, "the range '%.100s' ends before it begins", string);
}

static bool read_trap(void *context, struct yaml_value key, struct yaml_value value,
                      struct error *error) {
    struct palmist_traps *list = context;
    struct palmist_trap trap = {0};
    struct palmist_trap *traps;

    (void)key;
    traps = config_grow(list->traps, list->count, sizeof traps[0], error);
    if (traps == NULL) {
        return false;
    }
    list->traps = traps;
    if (!parse_trap(value, &trap, error)) {
        return false;
    }
    traps[list->count++] = trap;
    return true;
}

static void free_traps(struct palmist_traps *list) {
    for (size_t i = 0; i < list->count; i++) {
        free(list->traps[i].name);
        free(list->traps[i].reason);
    }
    free(list->traps);
}

static bool read_traps(struct palmist_traps *list, const char *what, struct yaml_value value,
                       struct error *error) {
    list->given = true;
    return yaml_each_item(value, what, read_trap, list, error);
}

static bool read_loggable(void *context, struct yaml_value key, struct yaml_value value,
                          struct error *error) {
    (void)key;
    return read_traps(&((struct palmist_settings *)context)->loggable, "loggable", value, error);
}

/* The traps of one reason. */
static bool read_reason(void *context, struct yaml_value key, struct yaml_value value,
                        struct error *error) {
    struct palmist_traps *list = context;
    size_t count = list->count;

    if (!read_traps(list, "the traps of a reason", value, error)) {
        return false;
    }
    for (; count < list->count; count++) {
        list->traps[count].reason = yaml_copy(key, "a reason", error);
        if (list->traps[count].reason == NULL) {
            return false;
        }
    }
    return true;
}

static bool read_not_logged(void *context, struct yaml_value key, struct yaml_value value,
                            struct error *error) {
    struct palmist_traps *list = &((struct palmist_settings *)context)->not_logged;

    (void)key;
    list->given = true;
    return yaml_is_mapping(value) ? yaml_each_pair(value, "not_logged", read_reason, list, error)
                                  : read_traps(list, "not_logged", value, error);
}

static const struct config_key keys[] = {
    {.name = "loggable",
     .read = read_loggable,
     .help = "The whole set of traps that could have been logged"},
    {.name = "not_logged", .read = read_not_logged, .help = "Traps to be left out of that set"},
    {.name = "record_size",
     .type = CONFIG_NUMBER,
     .offset = offsetof(struct palmist_settings, record_size),
     .most = READER_WINDOW,
     .help = "Bytes to which the records of raw files are padded"},
};

static void free_palmist(void *value) {
    struct palmist_settings *settings = value;

    free_traps(&settings->loggable);
    free_traps(&settings->not_logged);
}

const struct config_section palmist_section = {
    .name = "palmist",
    .help = "Palmist logs",
    .keys = keys,
    .key_count = sizeof keys / sizeof keys[0],
    .size = sizeof(struct palmist_settings),
    .defaults = &(const struct palmist_settings){.record_size = 0},
    .free = free_palmist,
};
