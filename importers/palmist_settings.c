#include "palmist_settings.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "input/reader.h"
#include "palmos.h"

static bool palmist_settings_is_letter(char character) {
    return (character >= 'A' && character <= 'Z') || (character >= 'a' && character <= 'z') ||
           character == '_';
}

static bool is_trap_name(const char *string) {
    if (!palmist_settings_is_letter(*string)) {
        return false;
    }
    while (palmist_settings_is_letter(*string) || (*string >= '0' && *string <= '9')) {
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

/* Parses a trap ID or a range of them: "0xA0A2" or "0xA0A2-0xA0B0". */
static bool parse_trap_range(const char *string, struct palmist_trap *trap) {
    const char *dash = strchr(string, '-');
    size_t length = dash == NULL ? strlen(string) : (size_t)(dash - string);

    if (!parse_trap_id(string, length, &trap->first)) {
        return false;
    }
    trap->last = trap->first;
    return dash == NULL || parse_trap_id(dash + 1, strlen(dash + 1), &trap->last);
}

static bool palmist_settings_parse_trap(struct yaml_value value, struct palmist_trap *trap,
                                        struct error *error) {
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

    list->traps = yaml_grow(value.file, list->traps, list->count, sizeof trap);
    if (!palmist_settings_parse_trap(value, &trap, error)) {
        return false;
    }
    list->traps[list->count++] = trap;
    return true;
}

static bool read_traps(struct palmist_traps *list, const char *what, struct yaml_value value,
                       struct error *error) {
    list->given = true;
    return yaml_each_item(value, what, read_trap, list, error);
}

static bool read_loggable(void *context, struct yaml_value key, struct yaml_value value,
                          struct error *error) {
    return read_traps(&((struct palmist_settings *)context)->loggable, "loggable", value, error);
}

/* Reads a pair of a reason and the list of traps that are not logged for this reason. */
static bool read_reason(void *context, struct yaml_value key, struct yaml_value value,
                        struct error *error) {
    struct palmist_traps *list = context;
    size_t count = list->count;
    const char *reason = yaml_copy(key, "a reason", error);

    if (!read_traps(list, "the traps of a reason", value, error)) {
        return false;
    }
    for (; count < list->count; count++) {
        list->traps[count].reason = reason;
    }
    return reason != NULL;
}

static bool read_not_logged(void *context, struct yaml_value key, struct yaml_value value,
                            struct error *error) {
    struct palmist_traps *list = &((struct palmist_settings *)context)->not_logged;

    list->given = true;
    return yaml_is_mapping(value) ? yaml_each_pair(value, "not_logged", read_reason, list, error)
                                  : read_traps(list, "not_logged", value, error);
}

static const struct yaml_key keys[] = {
    {.name = "loggable",
     .read = read_loggable,
     .help = "The whole set of traps that could have been logged"},
    {.name = "not_logged", .read = read_not_logged, .help = "Traps excluded from `loggable`"},
    {.name = "record_size",
     .type = YAML_NUMBER,
     .place = offsetof(struct palmist_settings, record_size),
     .most = READER_WINDOW,
     .help = "Bytes to which the records of raw files are padded"},
};

const struct config_section palmist_section = {
    .name = "palmist",
    .help = "Palmist logs",
    .keys = keys,
    .key_count = sizeof keys / sizeof keys[0],
    .size = sizeof(struct palmist_settings),
    .defaults = &(const struct palmist_settings){.record_size = 0},
};

/* --- traps that can be logged ----------------------------------------------------------------- */

enum {
    TRAPS = 0x10000,
    LAST_RELEASE = 35, /* latest Palm OS release that the logger supports, 3.5 */
};

/* For each trap in `ranges`, sets `marks[ID]` to the reason given with the range; to `otherwise` if
 * there is none. Other elements stay as they are. */
static bool mark_ranges(const struct palmist_traps *ranges, const char *otherwise,
                        const char **marks, struct error *error) {
    for (size_t i = 0; i < ranges->count; i++) {
        const struct palmist_trap *range = &ranges->traps[i];
        const char *name = range->name, *mark = range->reason == NULL ? otherwise : range->reason;
        const struct palmos_trap *trap =
            name == NULL ? NULL : palmos_trap_by_name(name, strlen(name));

        if (name != NULL && trap == NULL) {
            return error_set(
                error, "the configuration names a trap %s, which Palm OS does not have", name);
        }
        for (unsigned id = range->first; name == NULL && id <= range->last; id++) {
            marks[id] = mark;
        }
        for (; trap != NULL; trap = palmos_trap_next_by_name(trap, name, strlen(name))) {
            marks[trap->id] = mark;
        }
    }
    return true;
}

bool palmist_visit_loggable(const struct config *config, bool (*add)(void *context, int64_t code),
                            void *context, bool *by_default, struct error *error) {
    const struct palmist_settings *settings = palmist_settings(config);
    const char **loggable = xcalloc(TRAPS, sizeof *loggable);
    const char **not_logged = xcalloc(TRAPS, sizeof *not_logged);
    bool done = mark_ranges(&settings->not_logged, "", not_logged, error) &&
                mark_ranges(&settings->loggable, "", loggable, error);

    *by_default = !settings->loggable.given && !settings->not_logged.given;
    if (done && !settings->loggable.given) {
        /* By default all traps up to Palm OS 3.5 can be logged, except those that the Palmist
         * thesis or the configuration lists as not logged. */
        for (size_t i = 0; i < palmos_trap_count; i++) {
            const struct palmos_trap *trap = &palmos_traps[i];
            bool is_loggable =
                settings->not_logged.given
                    ? palmos_trap_release(trap) <= LAST_RELEASE && !not_logged[trap->id]
                    : palmos_trap_loggable_by_default(trap);

            loggable[trap->id] = is_loggable ? "" : NULL;
        }
    }
    for (int64_t id = 0; done && id < TRAPS; id++) {
        done = !loggable[id] || (settings->loggable.given && not_logged[id]) || add(context, id);
    }
    free(loggable);
    free(not_logged);
    return done;
}

static const char *reason_not_logged(const struct palmos_trap *trap, const char *configured) {
    static const struct {
        enum palmos_flag flag;
        const char *reason;
    } reasons[] = {
        {PALMOS_RESERVED, "reserved number"},
        {PALMOS_OBSOLETE, "obsolete"},
        {PALMOS_LATE, "only in late builds of Palm OS 3.5"},
    };

    if (configured != NULL) {
        return configured;
    }
    if ((trap->flags & PALMOS_UNLOGGED) != 0) {
        return "needed by the logger itself";
    }
    if (palmos_trap_release(trap) > LAST_RELEASE) {
        return "later than Palm OS 3.5";
    }
    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++) {
        if ((trap->flags & reasons[i].flag) != 0) {
            return reasons[i].reason;
        }
    }
    return (trap->flags & PALMOS_PROTOTYPE) == 0 ? "prototype not known"
                                                 : "not listed by the configuration";
}

/* Counts the named parameters of a trap, without variable arguments. */
static int64_t count_parameters(const struct palmos_trap *trap) {
    size_t count = trap->parameter_count;

    return count > 0 && trap->parameters[count - 1].kind == PALMOS_REST ? (int64_t)count - 1
                                                                        : (int64_t)count;
}

bool palmist_visit_known(const struct config *config, known_operation_visit *add, void *context,
                         struct error *error) {
    const char **not_logged = xcalloc(TRAPS, sizeof *not_logged);
    bool done = mark_ranges(&palmist_settings(config)->not_logged, "left out by the configuration",
                            not_logged, error);

    for (size_t i = 0; done && i < palmos_trap_count; i++) {
        const struct palmos_trap *trap = &palmos_traps[i];
        bool has_prototype = (trap->flags & PALMOS_PROTOTYPE) != 0;

        done = add(context,
                   &(struct known_operation){
                       .code = trap->id,
                       .name = palmos_trap_name(trap),
                       .category = trap->category,
                       .parameters = has_prototype ? count_parameters(trap) : EVENT_NONE,
                       .returns = has_prototype ? (trap->flags & PALMOS_VOID) == 0 : EVENT_NONE,
                       .unlogged = reason_not_logged(trap, not_logged[trap->id]),
                   });
    }
    free(not_logged);
    return done;
}
