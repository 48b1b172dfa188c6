/* tracetool.yaml: from YAML to struct config. */
#include "config/config.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "config/yaml.h"

#define COUNT(array)     (sizeof(array) / sizeof(array)[0])
#define MOST_SESSIONS    1000000000
#define MOST_RECORD_SIZE 262144    /* what a reader can hold at once */
#define MOST_SYMBOL      INT32_MAX /* 31 bits: of 32, a component and a function have one or more */
#define MOST_HZ          UINT64_C(1000000000000)
#define LEAST_HEADER     16
#define MOST_HEADER      4096
#define MOST_OVERHEAD    INT64_C(60000000000) /* a minute */

/* Measured by the authors of RMP. */
#define APP_OVERHEAD       488000
#define FRAMEWORK_OVERHEAD 631000

/* Makes room for one more element at the end of an array that doubles. */
static void *grow(void *array, size_t count, size_t size, struct error *error) {
    void *larger;

    if ((count & (count - 1)) != 0) {
        return array;
    }
    larger = reallocarray(array, count == 0 ? 1 : 2 * count, size);
    if (larger == NULL) {
        error_no_memory(error);
    }
    return larger;
}

/* ---- applications ---- */

/* The line is only known while reading; it is for the message about two names. */
struct application_line {
    struct config_application application;
    size_t line;
};

struct application_list {
    struct application_line *lines;
    size_t count;
};

/* "0x00012345", "74565" or "2/0x00012345". */
static bool parse_application(const char *key, struct config_application *application) {
    const char *slash = strchr(key, '/');
    const char *id = slash == NULL ? key : slash + 1;
    uint64_t number = 0;

    if (slash != NULL) {
        if (!yaml_parse_unsigned(key, (size_t)(slash - key), MOST_SESSIONS, &number) ||
            number == 0) {
            return false;
        }
        application->session = (int64_t)number;
    }
    if (!yaml_parse_unsigned(id, strlen(id), UINT32_MAX, &number)) {
        return false;
    }
    application->id = (uint32_t)number;
    return true;
}

static bool read_application(void *context, struct yaml_value key, struct yaml_value value,
                             struct error *error) {
    struct application_list *list = context;
    struct application_line line = {.line = yaml_line(key)};
    const char *id = yaml_string(key, "the ID of an application", error);
    struct application_line *lines;

    if (id == NULL) {
        return false;
    }
    if (!parse_application(id, &line.application)) {
        return yaml_error(key, error,
                          "'%.100s' is not the ID of an application; write 0x00012345, a decimal "
                          "number without leading zeros, or 2/0x00012345 for session 2 alone",
                          id);
    }
    lines = grow(list->lines, list->count, sizeof lines[0], error);
    if (lines == NULL) {
        return false;
    }
    list->lines = lines;
    line.application.name = yaml_copy(value, "the name of an application", error);
    if (line.application.name == NULL) {
        return false;
    }
    lines[list->count++] = line;
    return true;
}

static int compare_applications(const struct config_application *a,
                                const struct config_application *b) {
    if (a->id != b->id) {
        return a->id < b->id ? -1 : 1;
    }
    return (a->session > b->session) - (a->session < b->session);
}

static int compare_application_lines(const void *left, const void *right) {
    const struct application_line *a = left;
    const struct application_line *b = right;
    int order = compare_applications(&a->application, &b->application);

    return order != 0 ? order : (a->line > b->line) - (a->line < b->line);
}

/* The same ID may be written in two ways, which YAML does not know to be one key. */
static bool check_applications(const struct application_list *list, struct yaml_value section,
                               struct error *error) {
    for (size_t i = 1; i < list->count; i++) {
        const struct application_line *line = &list->lines[i];

        if (compare_applications(&line[-1].application, &line->application) == 0) {
            return error_set(error, "%s:%zu: application 0x%08x has a name already, in line %zu",
                             section.file->path, line->line, (unsigned)line->application.id,
                             line[-1].line);
        }
    }
    return true;
}

/* Sorted by ID and session, for config_application_name(). */
static bool move_applications(struct application_list *list, struct config *config,
                              struct error *error) {
    config->applications = calloc(list->count + 1, sizeof config->applications[0]);
    if (config->applications == NULL) {
        return error_no_memory(error);
    }
    for (size_t i = 0; i < list->count; i++) {
        config->applications[i] = list->lines[i].application;
    }
    config->application_count = list->count;
    list->count = 0;
    return true;
}

static void free_application_list(struct application_list *list) {
    for (size_t i = 0; i < list->count; i++) {
        free(list->lines[i].application.name);
    }
    free(list->lines);
}

static bool read_applications(void *context, struct yaml_value key, struct yaml_value value,
                              struct error *error) {
    struct application_list list = {0};
    bool done = yaml_each_pair(value, "applications", read_application, &list, error);

    (void)key;
    if (done && list.count > 0) {
        qsort(list.lines, list.count, sizeof list.lines[0], compare_application_lines);
        done = check_applications(&list, value, error) && move_applications(&list, context, error);
    }
    free_application_list(&list);
    return done;
}

static const struct config_application *find_application(const struct config *config,
                                                         int64_t session, uint32_t id) {
    const struct config_application wanted = {.id = id, .session = session};
    size_t low = 0;
    size_t high = config->application_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = compare_applications(&config->applications[middle], &wanted);

        if (order == 0) {
            return &config->applications[middle];
        }
        low = order < 0 ? middle + 1 : low;
        high = order < 0 ? high : middle;
    }
    return NULL;
}

const char *config_application_name(const struct config *config, int64_t session, uint32_t id) {
    const struct config_application *found = find_application(config, session, id);

    if (found == NULL) {
        found = find_application(config, 0, id);
    }
    return found == NULL ? NULL : found->name;
}

/* ---- palmist ---- */

struct trap_list {
    struct config_trap *traps;
    size_t count;
};

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
static bool parse_trap_range(const char *string, struct config_trap *trap) {
    const char *dash = strchr(string, '-');
    size_t length = dash == NULL ? strlen(string) : (size_t)(dash - string);

    if (!parse_trap_id(string, length, &trap->first)) {
        return false;
    }
    trap->last = trap->first;
    return dash == NULL || parse_trap_id(dash + 1, strlen(dash + 1), &trap->last);
}

static bool parse_trap(struct yaml_value value, struct config_trap *trap, struct error *error) {
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
    struct trap_list *list = context;
    struct config_trap trap = {0};
    struct config_trap *traps;

    (void)key;
    traps = grow(list->traps, list->count, sizeof traps[0], error);
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

static void free_traps(struct config_trap *traps, size_t count) {
    for (size_t i = 0; i < count; i++) {
        free(traps[i].name);
    }
    free(traps);
}

static bool read_loggable(void *context, struct yaml_value key, struct yaml_value value,
                          struct error *error) {
    struct config *config = context;
    struct trap_list list = {0};
    bool done = yaml_each_item(value, "loggable", read_trap, &list, error);

    (void)key;
    config->loggable = list.traps;
    config->loggable_count = list.count;
    config->has_loggable = true;
    return done;
}

static bool read_not_logged(void *context, struct yaml_value key, struct yaml_value value,
                            struct error *error) {
    struct config *config = context;
    struct trap_list list = {0};
    bool done = yaml_each_item(value, "not_logged", read_trap, &list, error);

    (void)key;
    config->not_logged = list.traps;
    config->not_logged_count = list.count;
    config->has_not_logged = true;
    return done;
}

static bool read_record_size(void *context, struct yaml_value key, struct yaml_value value,
                             struct error *error) {
    struct config *config = context;
    uint64_t size = 0;

    (void)key;
    if (!yaml_unsigned(value, "record_size", MOST_RECORD_SIZE, &size, error)) {
        return false;
    }
    config->record_size = (int64_t)size;
    return true;
}

static bool read_palmist(void *context, struct yaml_value key, struct yaml_value value,
                         struct error *error) {
    static const struct yaml_key keys[] = {
        {"loggable", read_loggable},
        {"not_logged", read_not_logged},
        {"record_size", read_record_size},
    };

    (void)key;
    return yaml_each_key(value, "palmist", keys, COUNT(keys), context, error);
}

/* ---- file types ---- */

struct file_type_section {
    struct config *config;
    const char *type; /* of the list that is being read */
};

static bool read_extension(void *context, struct yaml_value key, struct yaml_value value,
                           struct error *error) {
    const struct file_type_section *section = context;
    struct config *config = section->config;
    struct config_file_type *rules;
    struct config_file_type *rule;

    (void)key;
    rules = grow(config->file_types, config->file_type_count, sizeof rules[0], error);
    if (rules == NULL) {
        return false;
    }
    config->file_types = rules;
    rule = &rules[config->file_type_count];
    rule->extension = yaml_copy(value, "an extension", error);
    if (rule->extension == NULL) {
        return false;
    }
    rule->type = strdup(section->type);
    if (rule->type == NULL) {
        free(rule->extension);
        return error_no_memory(error);
    }
    config->file_type_count++;
    return true;
}

static bool read_file_type(void *context, struct yaml_value key, struct yaml_value value,
                           struct error *error) {
    struct file_type_section section = {.config = context};

    section.type = yaml_string(key, "a file type", error);
    if (section.type == NULL) {
        return false;
    }
    if (*section.type == '\0') {
        return yaml_error(key, error, "a file type must not be empty");
    }
    return yaml_each_item(value, "the extensions of a file type", read_extension, &section, error);
}

static bool read_file_types(void *context, struct yaml_value key, struct yaml_value value,
                            struct error *error) {
    struct config *config = context;

    if (!yaml_is_mapping(value) && !yaml_is_sequence(value)) {
        config->file_type_list = yaml_copy(value, "file_types", error);
        return config->file_type_list != NULL;
    }
    if (!yaml_each_pair(value, "file_types", read_file_type, config, error)) {
        return false;
    }
    return config->file_type_count > 0 ||
           yaml_error(key, error,
                      "file_types has no extension; write 'file_types: most' or lines of 'type: "
                      "[extension, …]'");
}

/* ---- partitions ---- */

static bool read_partition_name(void *context, struct yaml_value key, struct yaml_value value,
                                struct error *error) {
    struct config_partition *partition = context;

    (void)key;
    partition->name = yaml_copy(value, "the name of a partition", error);
    return partition->name != NULL;
}

/* major:minor, both decimal. */
static bool read_partition_device(void *context, struct yaml_value key, struct yaml_value value,
                                  struct error *error) {
    struct config_partition *partition = context;
    const char *text = yaml_string(value, "the device of a partition", error);
    const char *colon = text == NULL ? NULL : strchr(text, ':');
    uint64_t major, minor;

    (void)key;
    if (text == NULL) {
        return false;
    }
    if (colon == NULL || !yaml_parse_unsigned(text, (size_t)(colon - text), 4095, &major) ||
        !yaml_parse_unsigned(colon + 1, strlen(colon + 1), 1048575, &minor)) {
        return yaml_error(value, error, "a device is MAJOR:MINOR, such as 179:28, not '%s'", text);
    }
    partition->device = (int64_t)(major << 20 | minor);
    return true;
}

static bool read_partition_first(void *context, struct yaml_value key, struct yaml_value value,
                                 struct error *error) {
    struct config_partition *partition = context;
    uint64_t number;

    (void)key;
    if (!yaml_unsigned(value, "the first sector", UINT64_C(1) << 54, &number, error)) {
        return false;
    }
    partition->first_sector = (int64_t)number;
    return true;
}

static bool read_partition_sectors(void *context, struct yaml_value key, struct yaml_value value,
                                   struct error *error) {
    struct config_partition *partition = context;
    uint64_t number;

    (void)key;
    if (!yaml_unsigned(value, "the number of sectors", UINT64_C(1) << 54, &number, error)) {
        return false;
    }
    partition->sectors = (int64_t)number;
    return true;
}

static bool read_partition(void *context, struct yaml_value key, struct yaml_value value,
                           struct error *error) {
    static const struct yaml_key keys[] = {
        {"name", read_partition_name},
        {"device", read_partition_device},
        {"first", read_partition_first},
        {"sectors", read_partition_sectors},
    };
    struct config *config = context;
    struct config_partition *partitions =
        grow(config->partitions, config->partition_count, sizeof partitions[0], error);
    struct config_partition *partition;

    (void)key;
    if (partitions == NULL) {
        return false;
    }
    config->partitions = partitions;
    partition = &partitions[config->partition_count++];
    *partition = (struct config_partition){.device = -1};
    if (!yaml_each_key(value, "a partition", keys, COUNT(keys), partition, error)) {
        return false;
    }
    if (partition->name == NULL || (partition->device < 0 && partition->sectors == 0)) {
        return yaml_error(value, error,
                          "a partition needs a name, and a device or first and sectors");
    }
    return true;
}

static bool read_partitions(void *context, struct yaml_value key, struct yaml_value value,
                            struct error *error) {
    (void)key;
    return yaml_each_item(value, "partitions", read_partition, context, error);
}

/* ---- components ---- */

static bool parse_symbol(struct yaml_value key, const char *what, uint32_t *number,
                         struct error *error) {
    const char *string = yaml_string(key, what, error);
    uint64_t parsed;

    if (string == NULL) {
        return false;
    }
    if (!yaml_parse_unsigned(string, strlen(string), MOST_SYMBOL, &parsed)) {
        return yaml_error(key, error,
                          "'%.100s' is not %s; write 0x2, or a decimal number without leading "
                          "zeros, up to %d",
                          string, what, MOST_SYMBOL);
    }
    *number = (uint32_t)parsed;
    return true;
}

/* The component that is being read: the last one of the configuration. */
static struct config_component *last_component(const struct config *config) {
    return &config->components[config->component_count - 1];
}

static bool read_function(void *context, struct yaml_value key, struct yaml_value value,
                          struct error *error) {
    struct config *config = context;
    struct config_function function = {
        .component = last_component(config)->number,
        .line = yaml_line(key),
    };
    struct config_function *functions =
        grow(config->functions, config->function_count, sizeof functions[0], error);

    if (functions == NULL) {
        return false;
    }
    config->functions = functions;
    if (!parse_symbol(key, "the number of a function", &function.number, error)) {
        return false;
    }
    function.name = yaml_copy(value, "the name of a function", error);
    if (function.name == NULL) {
        return false;
    }
    functions[config->function_count++] = function;
    return true;
}

static bool read_functions(void *context, struct yaml_value key, struct yaml_value value,
                           struct error *error) {
    (void)key;
    return yaml_each_pair(value, "functions", read_function, context, error);
}

static bool read_component_name(void *context, struct yaml_value key, struct yaml_value value,
                                struct error *error) {
    struct config_component *component = last_component(context);

    (void)key;
    component->name = yaml_copy(value, "the name of a component", error);
    return component->name != NULL;
}

/* `2: {name: Storage, functions: {0x11: open}}`, or `2: Storage`. */
static bool read_component(void *context, struct yaml_value key, struct yaml_value value,
                           struct error *error) {
    static const struct yaml_key keys[] = {
        {"name", read_component_name},
        {"functions", read_functions},
    };
    struct config *config = context;
    struct config_component component = {.line = yaml_line(key)};
    struct config_component *components =
        grow(config->components, config->component_count, sizeof components[0], error);

    if (components == NULL) {
        return false;
    }
    config->components = components;
    if (!parse_symbol(key, "the number of a component", &component.number, error)) {
        return false;
    }
    components[config->component_count++] = component;
    return yaml_is_mapping(value)
               ? yaml_each_key(value, "a component", keys, COUNT(keys), config, error)
               : read_component_name(config, key, value, error);
}

static bool read_components(void *context, struct yaml_value key, struct yaml_value value,
                            struct error *error) {
    (void)key;
    return yaml_each_pair(value, "components", read_component, context, error);
}

static int compare_numbers(uint64_t left, uint64_t right) {
    return (left > right) - (left < right);
}

static uint64_t function_key(uint32_t component, uint32_t number) {
    return (uint64_t)component << 32 | number;
}

/* Equal numbers in the order of the file, so that the later one is blamed. */
static int compare_components(const void *left, const void *right) {
    const struct config_component *a = left;
    const struct config_component *b = right;
    int order = compare_numbers(a->number, b->number);

    return order != 0 ? order : compare_numbers(a->line, b->line);
}

static int compare_functions(const void *left, const void *right) {
    const struct config_function *a = left;
    const struct config_function *b = right;
    int order = compare_numbers(function_key(a->component, a->number),
                                function_key(b->component, b->number));

    return order != 0 ? order : compare_numbers(a->line, b->line);
}

/* The same number may be written in two ways, which YAML does not know to be one key. */
static bool check_components(const struct config *config, struct error *error) {
    for (size_t i = 1; i < config->component_count; i++) {
        const struct config_component *component = &config->components[i];

        if (component[-1].number == component->number) {
            return error_set(error, "%s:%zu: component 0x%x is there already, in line %zu",
                             config->path, component->line, (unsigned)component->number,
                             component[-1].line);
        }
    }
    for (size_t i = 1; i < config->function_count; i++) {
        const struct config_function *function = &config->functions[i];

        if (function[-1].component == function->component &&
            function[-1].number == function->number) {
            return error_set(error,
                             "%s:%zu: function 0x%x of component 0x%x is there already, in line "
                             "%zu",
                             config->path, function->line, (unsigned)function->number,
                             (unsigned)function->component, function[-1].line);
        }
    }
    return true;
}

static int compare_function_names(const void *left, const void *right) {
    const struct config_function *const *a = left;
    const struct config_function *const *b = right;
    int order = strcmp((*a)->name, (*b)->name);

    return order != 0 ? order : compare_numbers((*a)->component, (*b)->component);
}

/* Finds the names that functions of several components have. */
static bool mark_shared_names(struct config *config, struct error *error) {
    size_t count = config->function_count;
    struct config_function **by_name = calloc(count + 1, sizeof by_name[0]);

    if (by_name == NULL) {
        return error_no_memory(error);
    }
    for (size_t i = 0; i < count; i++) {
        by_name[i] = &config->functions[i];
    }
    qsort(by_name, count, sizeof by_name[0], compare_function_names);
    for (size_t begin = 0, end; begin < count; begin = end) {
        for (end = begin + 1; end < count && strcmp(by_name[end]->name, by_name[begin]->name) == 0;
             end++) {
        }
        for (size_t i = begin; i < end; i++) {
            by_name[i]->shared = by_name[begin]->component != by_name[end - 1]->component;
        }
    }
    free(by_name);
    return true;
}

/* They may come from two places of the file, so this is done when all of it has been read. */
static bool finish_components(struct config *config, struct error *error) {
    if (config->component_count > 0) {
        qsort(config->components, config->component_count, sizeof config->components[0],
              compare_components);
    }
    if (config->function_count > 0) {
        qsort(config->functions, config->function_count, sizeof config->functions[0],
              compare_functions);
    }
    return check_components(config, error) && mark_shared_names(config, error);
}

static int find_component(const void *key, const void *element) {
    return compare_numbers(*(const uint32_t *)key,
                           ((const struct config_component *)element)->number);
}

const char *config_component_name(const struct config *config, uint32_t number) {
    const struct config_component *found =
        config->component_count == 0 ? NULL
                                     : bsearch(&number, config->components, config->component_count,
                                               sizeof config->components[0], find_component);

    return found == NULL ? NULL : found->name;
}

static int find_function(const void *key, const void *element) {
    const struct config_function *function = element;

    return compare_numbers(*(const uint64_t *)key,
                           function_key(function->component, function->number));
}

bool config_function_name(const struct config *config, uint32_t component, uint32_t function,
                          struct text *out) {
    uint64_t key = function_key(component, function);
    const struct config_function *found =
        config->function_count == 0 ? NULL
                                    : bsearch(&key, config->functions, config->function_count,
                                              sizeof config->functions[0], find_function);

    if (found == NULL) {
        return false;
    }
    if (found->shared) {
        const char *name = config_component_name(config, component);

        if (name != NULL) {
            text_append_string(out, name);
        } else {
            text_append_format(out, "%0*x", (int)(config_component_bits(config) + 3) / 4,
                               (unsigned)component);
        }
        text_append_char(out, ':');
    }
    text_append_string(out, found->name);
    return true;
}

/* ---- dwtrace ---- */

static bool read_byte_order(void *context, struct yaml_value key, struct yaml_value value,
                            struct error *error) {
    static const char *const names[] = {
        [CONFIG_BYTE_ORDER_AUTO] = "auto",
        [CONFIG_LITTLE_ENDIAN] = "little",
        [CONFIG_BIG_ENDIAN] = "big",
    };
    struct config *config = context;
    const char *string = yaml_string(value, "byte_order", error);

    (void)key;
    for (size_t i = 0; string != NULL && i < COUNT(names); i++) {
        if (strcmp(string, names[i]) == 0) {
            config->dwtrace.byte_order = (enum config_byte_order)i;
            return true;
        }
    }
    return string != NULL &&
           yaml_error(value, error, "byte_order must be auto, little or big, not '%.100s'", string);
}

static bool read_component_bits(void *context, struct yaml_value key, struct yaml_value value,
                                struct error *error) {
    struct config *config = context;
    uint64_t bits = 0;

    (void)key;
    if (!yaml_unsigned(value, "component_bits", 31, &bits, error)) {
        return false;
    }
    config->dwtrace.component_bits = (unsigned)bits;
    return bits > 0 || yaml_error(value, error, "component_bits must be from 1 to 31");
}

static bool read_timestamp_bits(void *context, struct yaml_value key, struct yaml_value value,
                                struct error *error) {
    struct config *config = context;
    uint64_t bits = 0;

    (void)key;
    if (!yaml_unsigned(value, "timestamp_bits", 64, &bits, error)) {
        return false;
    }
    config->dwtrace.has_timestamp_bits = true;
    config->dwtrace.timestamp_bits = (unsigned)bits;
    return bits % 32 == 0 || yaml_error(value, error, "timestamp_bits must be 0, 32 or 64");
}

static bool read_clock_hz(void *context, struct yaml_value key, struct yaml_value value,
                          struct error *error) {
    struct config *config = context;
    uint64_t hz = 0;

    (void)key;
    if (!yaml_unsigned(value, "clock_hz", MOST_HZ, &hz, error)) {
        return false;
    }
    config->dwtrace.clock_hz = (int64_t)hz;
    return hz > 0 || yaml_error(value, error, "clock_hz must not be 0");
}

static bool read_header_size(void *context, struct yaml_value key, struct yaml_value value,
                             struct error *error) {
    struct config *config = context;
    uint64_t size = 0;

    (void)key;
    if (!yaml_unsigned(value, "header_size", MOST_HEADER, &size, error)) {
        return false;
    }
    config->dwtrace.header_size = (unsigned)size;
    return size >= LEAST_HEADER ||
           yaml_error(value, error, "header_size must be from %d to %d", LEAST_HEADER, MOST_HEADER);
}

static bool read_dwtrace(void *context, struct yaml_value key, struct yaml_value value,
                         struct error *error) {
    static const struct yaml_key keys[] = {
        {"byte_order", read_byte_order},         {"component_bits", read_component_bits},
        {"timestamp_bits", read_timestamp_bits}, {"clock_hz", read_clock_hz},
        {"header_size", read_header_size},
    };

    (void)key;
    return yaml_each_key(value, "dwtrace", keys, COUNT(keys), context, error);
}

/* ---- rmp ---- */

/* Names of columns by their numbers. NULL: not one of that kind of file. */
struct column_names {
    const char *what;
    const char *names[CONFIG_RMP_COLUMNS];
    unsigned needed; /* bits */
};

static const struct column_names event_columns = {
    "columns",
    {"time", "pid", "tid", "point", "probe", "caller", "skip"},
    1 << CONFIG_RMP_TIME | 1 << CONFIG_RMP_TID | 1 << CONFIG_RMP_POINT | 1 << CONFIG_RMP_PROBE,
};
static const struct column_names probe_columns = {
    "probe_columns",
    {"name", "resolution", "origin", "status", NULL, NULL, "skip"},
    1 << CONFIG_RMP_NAME,
};

struct column_list {
    const struct column_names *names;
    struct config_columns *columns;
    unsigned there; /* bits */
};

static void append_names(struct text *out, const struct column_names *names, unsigned wanted) {
    for (unsigned i = 0; i < CONFIG_RMP_COLUMNS; i++) {
        if (names->names[i] != NULL && (wanted >> i & 1) != 0) {
            text_append_format(out, "%s%s", out->length > 0 ? ", " : "", names->names[i]);
        }
    }
}

static bool bad_columns(struct yaml_value value, const struct column_names *names, unsigned wanted,
                        const char *format, const char *argument, struct error *error) {
    struct text list = {0};

    append_names(&list, names, wanted);
    yaml_error(value, error, format, argument, text_string(&list));
    text_free(&list);
    return false;
}

static bool read_column(void *context, struct yaml_value key, struct yaml_value value,
                        struct error *error) {
    struct column_list *list = context;
    struct config_columns *columns = list->columns;
    const char *name = yaml_string(value, "a column", error);
    unsigned column = 0;

    (void)key;
    if (name == NULL) {
        return false;
    }
    while (column < CONFIG_RMP_COLUMNS &&
           (list->names->names[column] == NULL || strcmp(list->names->names[column], name) != 0)) {
        column++;
    }
    if (column == CONFIG_RMP_COLUMNS) {
        return bad_columns(value, list->names, UINT_MAX, "'%.100s' is not a column; known are %s",
                           name, error);
    }
    if (column != CONFIG_RMP_SKIP && (list->there >> column & 1) != 0) {
        return yaml_error(value, error, "the column %s is there already", name);
    }
    if (columns->count == CONFIG_MOST_RMP_COLUMNS) {
        return yaml_error(value, error, "more than %d columns", CONFIG_MOST_RMP_COLUMNS);
    }
    list->there |= 1u << column;
    columns->order[columns->count++] = (uint8_t)column;
    return true;
}

static bool read_columns(struct yaml_value value, const struct column_names *names,
                         struct config_columns *columns, struct error *error) {
    struct column_list list = {names, columns, 0};

    if (!yaml_each_item(value, names->what, read_column, &list, error)) {
        return false;
    }
    return (names->needed & ~list.there) == 0 ||
           bad_columns(value, names, names->needed & ~list.there, "%s must have %s, too",
                       names->what, error);
}

static bool read_event_columns(void *context, struct yaml_value key, struct yaml_value value,
                               struct error *error) {
    (void)key;
    return read_columns(value, &event_columns, &((struct config *)context)->rmp.events, error);
}

static bool read_probe_columns(void *context, struct yaml_value key, struct yaml_value value,
                               struct error *error) {
    (void)key;
    return read_columns(value, &probe_columns, &((struct config *)context)->rmp.probes, error);
}

/* What names and numbers are made of cannot separate them. */
static bool is_separator(const char *string) {
    return strlen(string) == 1 && strchr(" \t!\"%&'*+,/:;=?@\\^`|~", *string) != NULL;
}

static bool read_separator(struct yaml_value value, const char *what, char *separator,
                           struct error *error) {
    const char *string = yaml_string(value, what, error);

    if (string == NULL) {
        return false;
    }
    if (!is_separator(string)) {
        return yaml_error(value, error,
                          "%s must be \"\\t\", \" \" or one of !\"%%&'*+,/:;=?@\\^`|~, not "
                          "'%.100s'",
                          what, string);
    }
    *separator = *string;
    return true;
}

static bool read_event_separator(void *context, struct yaml_value key, struct yaml_value value,
                                 struct error *error) {
    struct config *config = context;

    (void)key;
    return read_separator(value, "separator", &config->rmp.events.separator, error);
}

static bool read_probe_separator(void *context, struct yaml_value key, struct yaml_value value,
                                 struct error *error) {
    struct config *config = context;

    (void)key;
    return read_separator(value, "probe_separator", &config->rmp.probes.separator, error);
}

static bool read_rmp(void *context, struct yaml_value key, struct yaml_value value,
                     struct error *error) {
    static const struct yaml_key keys[] = {
        {"columns", read_event_columns},
        {"separator", read_event_separator},
        {"probe_columns", read_probe_columns},
        {"probe_separator", read_probe_separator},
    };

    (void)key;
    return yaml_each_key(value, "rmp", keys, COUNT(keys), context, error);
}

/* What is not given: TABs, and the first `count` columns in the order of their numbers. */
static struct config_columns fill_columns(struct config_columns columns, size_t count) {
    if (columns.separator == '\0') {
        columns.separator = '\t';
    }
    if (columns.count == 0) {
        for (size_t i = 0; i < count; i++) {
            columns.order[columns.count++] = (uint8_t)i;
        }
    }
    return columns;
}

struct config_columns config_rmp_columns(const struct config *config) {
    return fill_columns(config->rmp.events, CONFIG_RMP_CALLER + 1);
}

struct config_columns config_rmp_probe_columns(const struct config *config) {
    return fill_columns(config->rmp.probes, CONFIG_RMP_STATUS + 1);
}

/* ---- overhead ---- */

/* Nanoseconds in a unit, 0 when it is none. The micro sign is either of Unicode's two. */
static int64_t find_unit(const char *name) {
    static const struct {
        const char *name;
        int64_t nanoseconds;
    } units[] = {
        {"", 1},         {"ns", 1},         {"us", 1000}, {"\xc2\xb5s", 1000}, {"\xce\xbcs", 1000},
        {"ms", 1000000}, {"s", 1000000000},
    };

    for (size_t i = 0; i < COUNT(units); i++) {
        if (strcmp(units[i].name, name) == 0) {
            return units[i].nanoseconds;
        }
    }
    return 0;
}

/* Digits with up to nine decimals, perhaps a blank, and a unit. Whole nanoseconds only: nothing is
 * rounded behind the user's back. */
static bool parse_overhead(const char *string, int64_t *nanoseconds) {
    size_t digits = strspn(string, "0123456789"), decimals = 0;
    const char *rest = string + digits;
    int64_t number = 0, unit, divisor = 1;

    if (digits == 0 || digits > 11) {
        return false;
    }
    for (size_t i = 0; i < digits; i++) {
        number = number * 10 + (string[i] - '0');
    }
    if (*rest == '.') {
        decimals = strspn(++rest, "0123456789");
        if (decimals == 0 || decimals > 9) {
            return false;
        }
    }
    unit = find_unit(rest + decimals + (rest[decimals] == ' '));
    if (unit == 0 || number > MOST_OVERHEAD / unit) {
        return false;
    }
    *nanoseconds = number * unit;
    for (number = 0; decimals > 0; decimals--, rest++) {
        number = number * 10 + (*rest - '0');
        divisor *= 10;
    }
    *nanoseconds += number * unit / divisor;
    return number * unit % divisor == 0 && *nanoseconds <= MOST_OVERHEAD;
}

static bool read_probe_overhead(struct yaml_value value, bool *given, int64_t *overhead,
                                struct error *error) {
    const char *string = yaml_string(value, "an overhead", error);

    if (string == NULL) {
        return false;
    }
    *given = parse_overhead(string, overhead);
    return *given || yaml_error(value, error,
                                "'%.100s' is not an overhead; write 0.488ms or 488000, with a unit "
                                "ns, us, ms or s, in whole nanoseconds up to 60s",
                                string);
}

static bool read_app_overhead(void *context, struct yaml_value key, struct yaml_value value,
                              struct error *error) {
    struct config_overhead *overhead = &((struct config *)context)->overhead;

    (void)key;
    return read_probe_overhead(value, &overhead->has_app, &overhead->app, error);
}

static bool read_framework_overhead(void *context, struct yaml_value key, struct yaml_value value,
                                    struct error *error) {
    struct config_overhead *overhead = &((struct config *)context)->overhead;

    (void)key;
    return read_probe_overhead(value, &overhead->has_framework, &overhead->framework, error);
}

static bool read_overhead(void *context, struct yaml_value key, struct yaml_value value,
                          struct error *error) {
    static const struct yaml_key keys[] = {
        {"app", read_app_overhead},
        {"framework", read_framework_overhead},
    };

    (void)key;
    return yaml_each_key(value, "overhead", keys, COUNT(keys), context, error);
}

int64_t config_probe_overhead(const struct config *config, const char *origin) {
    const struct config_overhead *overhead = &config->overhead;

    if (strcmp(origin, "framework") == 0) {
        return overhead->has_framework ? overhead->framework : FRAMEWORK_OVERHEAD;
    }
    return overhead->has_app ? overhead->app : APP_OVERHEAD;
}

/* ---- modules ---- */

/* Of the module that was read last. */
static bool read_prefix(void *context, struct yaml_value key, struct yaml_value value,
                        struct error *error) {
    struct config *config = context;
    struct config_module_prefix *prefixes =
        grow(config->module_prefixes, config->module_prefix_count, sizeof prefixes[0], error);
    struct config_module_prefix prefix = {
        .module = config->module_count - 1,
        .line = yaml_line(value),
    };

    (void)key;
    if (prefixes == NULL) {
        return false;
    }
    config->module_prefixes = prefixes;
    prefix.prefix = yaml_copy(value, "a prefix of names", error);
    if (prefix.prefix == NULL) {
        return false;
    }
    prefix.length = strlen(prefix.prefix);
    prefixes[config->module_prefix_count++] = prefix;
    return true;
}

static bool read_module(void *context, struct yaml_value key, struct yaml_value value,
                        struct error *error) {
    struct config *config = context;
    char **modules = grow(config->modules, config->module_count, sizeof modules[0], error);

    if (modules == NULL) {
        return false;
    }
    config->modules = modules;
    modules[config->module_count] = yaml_copy(key, "the name of a module", error);
    if (modules[config->module_count] == NULL) {
        return false;
    }
    config->module_count++;
    return yaml_each_item(value, "the prefixes of a module", read_prefix, config, error);
}

static int compare_bytes(const char *left, size_t left_length, const char *right,
                         size_t right_length) {
    size_t common = left_length < right_length ? left_length : right_length;
    int order = common == 0 ? 0 : memcmp(left, right, common);

    return order != 0 ? order : (left_length > right_length) - (left_length < right_length);
}

static int compare_prefixes(const void *left, const void *right) {
    const struct config_module_prefix *a = left;
    const struct config_module_prefix *b = right;
    int order = compare_bytes(a->prefix, a->length, b->prefix, b->length);

    return order != 0 ? order : compare_numbers(a->line, b->line);
}

static bool prefix_fits(const struct config_module_prefix *prefix, const char *name,
                        size_t length) {
    return prefix->length <= length && memcmp(prefix->prefix, name, prefix->length) == 0;
}

/* What a prefix begins with stands before it, or is what one before it begins with. */
static bool finish_modules(struct config *config, struct error *error) {
    struct config_module_prefix *prefixes = config->module_prefixes;

    for (size_t i = 1; i < config->module_prefix_count; i++) {
        struct config_module_prefix *prefix = &prefixes[i];
        size_t shorter = i;

        if (compare_bytes(prefix[-1].prefix, prefix[-1].length, prefix->prefix, prefix->length) ==
            0) {
            return error_set(error, "%s:%zu: the prefix '%.100s' is there already, in line %zu",
                             config->path, prefix->line, prefix->prefix, prefix[-1].line);
        }
        while (shorter > 0 &&
               !prefix_fits(&prefixes[shorter - 1], prefix->prefix, prefix->length)) {
            shorter = prefixes[shorter - 1].shorter;
        }
        prefix->shorter = shorter;
    }
    return true;
}

static bool read_modules(void *context, struct yaml_value key, struct yaml_value value,
                         struct error *error) {
    struct config *config = context;

    (void)key;
    if (!yaml_each_pair(value, "modules", read_module, config, error)) {
        return false;
    }
    if (config->module_prefix_count > 0) {
        qsort(config->module_prefixes, config->module_prefix_count,
              sizeof config->module_prefixes[0], compare_prefixes);
    }
    return finish_modules(config, error);
}

/* All prefixes that fit are the last one that does not come behind the name, and what that one
 * begins with. */
const char *config_module(const struct config *config, const char *name, size_t length) {
    const struct config_module_prefix *prefixes = config->module_prefixes;
    size_t low = 0, high = config->module_prefix_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (compare_bytes(prefixes[middle].prefix, prefixes[middle].length, name, length) <= 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    while (low > 0 && !prefix_fits(&prefixes[low - 1], name, length)) {
        low = prefixes[low - 1].shorter;
    }
    return low == 0 ? "other" : config->modules[prefixes[low - 1].module];
}

/* ---- queries ---- */

/* A relative folder counts from the configuration file's own. */
static char *resolve(const char *path, const char *folder) {
    const char *slash = strrchr(path, '/');
    char *resolved = NULL;

    if (*folder == '/' || slash == NULL) {
        return strdup(folder);
    }
    if (asprintf(&resolved, "%.*s/%s", (int)(slash - path), path, folder) < 0) {
        return NULL;
    }
    return resolved;
}

static bool read_queries(void *context, struct yaml_value key, struct yaml_value value,
                         struct error *error) {
    struct config *config = context;
    char *folder = yaml_copy(value, "queries", error);

    if (folder == NULL) {
        return false;
    }
    config->queries_line = yaml_line(key);
    config->queries = resolve(value.file->path, folder);
    free(folder);
    return config->queries != NULL || error_no_memory(error);
}

/* ---- trusted folders ---- */

static bool read_trusted_folder(void *context, struct yaml_value key, struct yaml_value value,
                                struct error *error) {
    struct config *config = context;
    char **folders =
        grow(config->trusted_folders, config->trusted_folder_count, sizeof folders[0], error);
    char *folder;

    (void)key;
    if (folders == NULL) {
        return false;
    }
    config->trusted_folders = folders;
    folder = yaml_copy(value, "a trusted folder", error);
    if (folder == NULL) {
        return false;
    }
    folders[config->trusted_folder_count++] = folder;
    return *folder == '/' || yaml_error(value, error,
                                        "a trusted folder must be an absolute path, such as "
                                        "/home/me/logs, not '%.200s'",
                                        folder);
}

static bool read_trusted_folders(void *context, struct yaml_value key, struct yaml_value value,
                                 struct error *error) {
    (void)key;
    return yaml_each_item(value, "trusted_folders", read_trusted_folder, context, error);
}

/* Compared without symbolic links. What is listed but not there is no mistake: a disk may be away.
 */
static bool is_listed(const struct config *own, const char *folder) {
    bool listed = false;

    for (size_t i = 0; !listed && i < own->trusted_folder_count; i++) {
        char *trusted = realpath(own->trusted_folders[i], NULL);

        listed = trusted != NULL && strcmp(trusted, folder) == 0;
        free(trusted);
    }
    return listed;
}

/* ---- the whole ---- */

static const struct yaml_key sections[] = {
    {"applications", read_applications},
    {"palmist", read_palmist},
    {"file_types", read_file_types},
    {"partitions", read_partitions},
    {"components", read_components},
    {"dwtrace", read_dwtrace},
    {"rmp", read_rmp},
    {"overhead", read_overhead},
    {"modules", read_modules},
    {"queries", read_queries},
    {"trusted_folders", read_trusted_folders},
};

static bool unknown_section(struct yaml_value key, const char *name, struct error *error) {
    struct text names = {0};

    for (size_t i = 0; i < COUNT(sections); i++) {
        text_append_string(&names, i > 0 ? ", " : "");
        text_append_string(&names, sections[i].name);
    }
    yaml_error(key, error, "unknown key '%.200s'; known are %s", name, text_string(&names));
    text_free(&names);
    return false;
}

/* A symbols file may hold nothing but components: a number at the top is one. */
static bool read_section(void *context, struct yaml_value key, struct yaml_value value,
                         struct error *error) {
    const char *name = yaml_string(key, "a key", error);
    uint64_t number;

    if (name == NULL) {
        return false;
    }
    for (size_t i = 0; i < COUNT(sections); i++) {
        if (strcmp(sections[i].name, name) == 0) {
            return yaml_is_null(value) || sections[i].read(context, key, value, error);
        }
    }
    return yaml_parse_unsigned(name, strlen(name), UINT64_MAX, &number)
               ? read_component(context, key, value, error)
               : unknown_section(key, name, error);
}

static bool read_file(const char *path, enum yaml_origin origin, struct config *config,
                      struct error *error) {
    struct yaml_file file;
    bool done;

    if (!yaml_file_read(path, origin, &file, error)) {
        return false;
    }
    config->path = strdup(path);
    done = config->path != NULL || error_no_memory(error);
    done =
        done && yaml_each_pair(yaml_root(&file), "the configuration", read_section, config, error);
    done = done && finish_components(config, error);
    yaml_file_free(&file);
    if (!done) {
        config_free(config);
    }
    return done;
}

/* Only what is not there is passed over: a file that may not be read is an error. */
static bool exists(const char *path) {
    return access(path, F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR);
}

/* Sets `*path` to the user's own file, to be freed; to NULL when the environment does not say where
 * that would be. */
static bool user_path(char **path, struct error *error) {
    const char *config_home = getenv("XDG_CONFIG_HOME");
    const char *home = getenv("HOME");
    int length = 0;

    *path = NULL;
    /* The XDG specification wants a relative path to be ignored. */
    if (config_home != NULL && *config_home == '/') {
        length = asprintf(path, "%s/tracetool/config.yaml", config_home);
    } else if (home != NULL && *home != '\0') {
        length = asprintf(path, "%s/.config/tracetool/config.yaml", home);
    }
    return length >= 0 || error_no_memory(error);
}

/* The user's own configuration, when there is one. */
static bool read_own(const char *path, struct config *config, struct error *error) {
    *config = (struct config){0};
    return path == NULL || !exists(path) || read_file(path, YAML_FOUND, config, error);
}

/* Where the file was found, not where a link leads: that is what relative paths count from, and who
 * can write there chose the file. */
static bool is_trusted(const struct config *own, bool *trusted, struct error *error) {
    char *folder = realpath(".", NULL);

    if (folder == NULL) {
        return error_set(error, "cannot find out the current folder: %s", strerror(errno));
    }
    *trusted = is_listed(own, folder);
    free(folder);
    return true;
}

/* Anybody may have put the file there, and query files and pictures are programs: without the
 * user's word they are not regarded. */
static bool distrust(struct config *config, const char *own_path, struct error *error) {
    int length =
        asprintf(&config->distrusted,
                 "%s:%zu: 'queries' is not regarded, since this folder is not trusted: its "
                 "files could run programs; give -c %s this time, or list the folder in "
                 "trusted_folders in %s",
                 config->path, config->queries_line, config->path,
                 own_path == NULL ? "$HOME/.config/tracetool/config.yaml" : own_path);

    free(config->queries);
    config->queries = NULL;
    if (length < 0) {
        config->distrusted = NULL;
        return error_no_memory(error);
    }
    return true;
}

/* The current folder's file. */
static bool read_found(const char *path, const char *own_path, struct config *config,
                       struct error *error) {
    struct config own;
    bool trusted = false, done;

    if (!read_file(path, YAML_FOUND, config, error)) {
        return false;
    }
    if (config->queries == NULL) {
        return true;
    }
    done = read_own(own_path, &own, error) && is_trusted(&own, &trusted, error) &&
           (trusted || distrust(config, own_path, error));
    config_free(&own);
    if (!done) {
        config_free(config);
    }
    return done;
}

bool config_read(const char *path, struct config *config, struct error *error) {
    char *own;
    bool done;

    *config = (struct config){0};
    if (path != NULL) {
        return read_file(path, YAML_NAMED, config, error);
    }
    if (!user_path(&own, error)) {
        return false;
    }
    done = exists("tracetool.yaml") ? read_found("tracetool.yaml", own, config, error)
                                    : read_own(own, config, error);
    free(own);
    return done;
}

static void add_dwtrace(struct config_dwtrace *dwtrace, const struct config_dwtrace *added) {
    if (added->byte_order != CONFIG_BYTE_ORDER_AUTO) {
        dwtrace->byte_order = added->byte_order;
    }
    if (added->component_bits != 0) {
        dwtrace->component_bits = added->component_bits;
    }
    if (added->has_timestamp_bits) {
        dwtrace->has_timestamp_bits = true;
        dwtrace->timestamp_bits = added->timestamp_bits;
    }
    if (added->clock_hz != 0) {
        dwtrace->clock_hz = added->clock_hz;
    }
    if (added->header_size != 0) {
        dwtrace->header_size = added->header_size;
    }
}

#define SWAP(left, right)                                                                          \
    do {                                                                                           \
        __typeof__(left) swapped = (left);                                                         \
        (left) = (right);                                                                          \
        (right) = swapped;                                                                         \
    } while (0)

/* What is replaced goes into `symbols`, which is freed. */
bool config_add_symbols(struct config *config, const char *path, struct error *error) {
    struct config symbols;

    if (!config_read(path, &symbols, error)) {
        return false;
    }
    if (symbols.application_count > 0) {
        SWAP(config->applications, symbols.applications);
        SWAP(config->application_count, symbols.application_count);
    }
    if (symbols.component_count > 0) {
        SWAP(config->components, symbols.components);
        SWAP(config->component_count, symbols.component_count);
        SWAP(config->functions, symbols.functions);
        SWAP(config->function_count, symbols.function_count);
    }
    if (symbols.file_type_count > 0 || symbols.file_type_list != NULL) {
        SWAP(config->file_types, symbols.file_types);
        SWAP(config->file_type_count, symbols.file_type_count);
        SWAP(config->file_type_list, symbols.file_type_list);
    }
    if (symbols.partition_count > 0) {
        SWAP(config->partitions, symbols.partitions);
        SWAP(config->partition_count, symbols.partition_count);
    }
    add_dwtrace(&config->dwtrace, &symbols.dwtrace);
    config_free(&symbols);
    return true;
}

void config_free(struct config *config) {
    for (size_t i = 0; i < config->application_count; i++) {
        free(config->applications[i].name);
    }
    for (size_t i = 0; i < config->file_type_count; i++) {
        free(config->file_types[i].type);
        free(config->file_types[i].extension);
    }
    for (size_t i = 0; i < config->partition_count; i++) {
        free(config->partitions[i].name);
    }
    for (size_t i = 0; i < config->component_count; i++) {
        free(config->components[i].name);
    }
    for (size_t i = 0; i < config->function_count; i++) {
        free(config->functions[i].name);
    }
    for (size_t i = 0; i < config->module_count; i++) {
        free(config->modules[i]);
    }
    for (size_t i = 0; i < config->module_prefix_count; i++) {
        free(config->module_prefixes[i].prefix);
    }
    free(config->modules);
    free(config->module_prefixes);
    free(config->applications);
    free(config->components);
    free(config->functions);
    free(config->file_types);
    free(config->partitions);
    free_traps(config->loggable, config->loggable_count);
    free_traps(config->not_logged, config->not_logged_count);
    free(config->path);
    free(config->file_type_list);
    for (size_t i = 0; i < config->trusted_folder_count; i++) {
        free(config->trusted_folders[i]);
    }
    free(config->trusted_folders);
    free(config->queries);
    free(config->distrusted);
    *config = (struct config){0};
}
