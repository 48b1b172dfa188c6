#include "dwtrace_settings.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/search.h"
#include "base/words.h"

#define MOST_SYMBOL INT32_MAX /* component and function share 32 bits: each has at most 31 */

/* --- `dwtrace:` options of the program that wrote the log ------------------------------------- */

static const char *const byte_orders[] = {
    [DWTRACE_BY_MAGIC] = "auto",
    [DWTRACE_LITTLE_ENDIAN] = "little",
    [DWTRACE_BIG_ENDIAN] = "big",
    NULL,
};

const char *const dwtrace_type_names[DWTRACE_TYPES] = {
    "",       "UINT8", "INT8",    "BOOL",   "UINT16", "INT16",
    "UINT32", "INT32", "POINTER", "STRUCT", "TRUE",   "FALSE",
};

size_t dwtrace_type_size(unsigned type) {
    static const uint8_t sizes[DWTRACE_TYPES] = {
        [DWTRACE_UINT8] = 1,  [DWTRACE_INT8] = 1,    [DWTRACE_BOOL] = 1,
        [DWTRACE_UINT16] = 2, [DWTRACE_INT16] = 2,   [DWTRACE_UINT32] = 4,
        [DWTRACE_INT32] = 4,  [DWTRACE_POINTER] = 4, [DWTRACE_STRUCT] = 4,
    };

    return sizes[type];
}

const struct dwtrace_structure *dwtrace_structure(const struct dwtrace_settings *settings,
                                                  unsigned control) {
    for (size_t i = 0; i < settings->structure_count; i++) {
        if (settings->structures[i].number == control) {
            return &settings->structures[i];
        }
    }
    return NULL;
}

/* Reads the type of a structure's field; only types with bytes in the log are allowed. */
static bool parse_field_type(struct yaml_value value, unsigned *type, struct error *error) {
    const char *string = yaml_string(value, "the type of a field", error);

    if (string == NULL) {
        return false;
    }
    *type = (unsigned)string_index(dwtrace_type_names, DWTRACE_STRUCT, string);
    return (*type > 0 && *type < DWTRACE_STRUCT) ||
           yaml_error(value, error,
                      "the type of a field must be UINT8, INT8, BOOL, UINT16, INT16, UINT32, INT32 "
                      "or POINTER, not '%.100s'",
                      string);
}

static bool read_field(void *context, struct yaml_value key, struct yaml_value value,
                       struct error *error) {
    struct dwtrace_structure *structure = context;
    struct dwtrace_field field = {0};

    structure->fields =
        yaml_grow(value.file, structure->fields, structure->field_count, sizeof field);
    if (!parse_field_type(value, &field.type, error)) {
        return false;
    }
    structure->size += dwtrace_type_size(field.type);
    if (structure->size > DWTRACE_MOST_STRUCTURE) {
        return yaml_error(key, error, "a structure has %d bytes at most", DWTRACE_MOST_STRUCTURE);
    }
    field.name = yaml_copy(key, "the name of a field", error);
    structure->fields[structure->field_count++] = field;
    return field.name != NULL;
}

/* Reads a configured structure, `3: {name: Point, fields: {x: INT16, y: INT16}}`. */
static bool read_structure(void *context, struct yaml_value key, struct yaml_value value,
                           struct error *error) {
    static const struct yaml_key known[] = {
        {.name = "name",
         .type = YAML_TEXT,
         .place = offsetof(struct dwtrace_structure, name),
         .what = "the name of a structure"},
        {.name = "fields",
         .type = YAML_PAIRS,
         .read = read_field,
         .what = "the fields of a structure"},
    };
    struct dwtrace_settings *settings = context;
    struct dwtrace_structure structure = {0};
    uint64_t number = 0;

    if (!yaml_unsigned(key, "the format control of a structure", UINT8_MAX, &number, error)) {
        return false;
    }
    structure.number = (unsigned)number;
    if (number < DWTRACE_KNOWN_CONTROLS) {
        return yaml_error(key, error, "the format control of a structure must be from %d to %d",
                          DWTRACE_KNOWN_CONTROLS, UINT8_MAX);
    }
    if (dwtrace_structure(settings, structure.number) != NULL) {
        return yaml_error(key, error, "structure %u is defined already", structure.number);
    }
    if (!yaml_each_key(value, "a structure", known, 2, &structure, NULL, error)) {
        return false;
    }
    settings->structures =
        yaml_grow(value.file, settings->structures, settings->structure_count, sizeof structure);
    settings->structures[settings->structure_count++] = structure;
    return (structure.name != NULL && structure.size > 0) ||
           yaml_error(key, error, "structure %u needs a name and fields", structure.number);
}

static const struct yaml_key keys[] = {
    {.name = "byte_order",
     .type = YAML_CHOICE,
     .place = offsetof(struct dwtrace_settings, byte_order),
     .choices = byte_orders,
     .help = "Of all numbers"},
    {.name = "component_bits",
     .type = YAML_NUMBER,
     .place = offsetof(struct dwtrace_settings, component_bits),
     .least = 1,
     .most = 31,
     .help = "How many of the 32 bits of a function are the number of its component"},
    {.name = "timestamp_bits",
     .type = YAML_NUMBER,
     .place = offsetof(struct dwtrace_settings, timestamp_bits),
     .most = 64,
     .step = 32,
     .must = "must be 0, 32 or 64",
     .otherwise = "header",
     .help = "What records carry, whatever the header says"},
    {.name = "clock_hz",
     .type = YAML_NUMBER,
     .place = offsetof(struct dwtrace_settings, clock_hz),
     .least = 1,
     .most = DWTRACE_MOST_HZ,
     .must = "must not be 0",
     .otherwise = "unknown",
     .help = "Counter units a second"},
    {.name = "header_size",
     .type = YAML_NUMBER,
     .place = offsetof(struct dwtrace_settings, header_size),
     .least = DWTRACE_HEADER_SIZE,
     .most = DWTRACE_MOST_HEADER,
     .help = "Where the first record begins, in bytes"},
    {.name = "structures",
     .type = YAML_PAIRS,
     .read = read_structure,
     .help = "What parameters of type STRUCT hold, by format control"},
};

const struct config_section dwtrace_section = {
    .name = "dwtrace",
    .help = "How dwTrace logs are written",
    .keys = keys,
    .key_count = sizeof keys / sizeof keys[0],
    .size = sizeof(struct dwtrace_settings),
    .defaults =
        &(const struct dwtrace_settings){
            .byte_order = DWTRACE_BY_MAGIC,
            .component_bits = 16,
            .timestamp_bits = -1,
            .header_size = DWTRACE_HEADER_SIZE,
        },
    .takes_keys = true,
};

/* --- `components:` names of components and functions ------------------------------------------ */

/* A component of the traced program, or a function in it. */
struct symbol {
    uint64_t key;
    char *name;  /* name in UTF-8; NULL: the configuration gives the component none */
    size_t line; /* line in the configuration, for messages */
    bool shared; /* true: a function of another component has the same name */
};

/* All components and functions in a configuration, sorted by component, then function number. */
struct symbols {
    struct symbol *items;
    size_t count;
    uint32_t component; /* component being read */
    size_t place;       /* index in `items` of the component being read */
};

/* Function number stored for a component itself, which sorts it after its functions. */
#define COMPONENT UINT32_MAX

static uint64_t dwtrace_settings_key_of(uint32_t component, uint32_t number) {
    return (uint64_t)component << 32 | number;
}

static struct symbol *add_symbol(struct symbols *symbols, uint32_t number, struct yaml_value key) {
    struct symbol symbol = {.key = dwtrace_settings_key_of(symbols->component, number),
                            .line = yaml_line(key)};

    symbols->items = yaml_grow(key.file, symbols->items, symbols->count, sizeof symbol);
    symbols->items[symbols->count] = symbol;
    return &symbols->items[symbols->count++];
}

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

static bool dwtrace_settings_read_function(void *context, struct yaml_value key,
                                           struct yaml_value value, struct error *error) {
    struct symbols *symbols = context;
    struct symbol *function;
    uint32_t number = 0;

    if (!parse_symbol(key, "the number of a function", &number, error)) {
        return false;
    }
    function = add_symbol(symbols, number, key);
    function->name = yaml_copy(value, "the name of a function", error);
    return function->name != NULL;
}

static bool read_component_name(void *context, struct yaml_value key, struct yaml_value value,
                                struct error *error) {
    struct symbols *symbols = context;
    struct symbol *component = &symbols->items[symbols->place];

    component->name = yaml_copy(value, "the name of a component", error);
    return component->name != NULL;
}

/* Reads a component: `2: {name: Storage, functions: {0x11: open}}`, or `2: Storage`. */
static bool read_component(void *context, struct yaml_value key, struct yaml_value value,
                           struct error *error) {
    static const struct yaml_key keys[] = {
        {.name = "name", .read = read_component_name},
        {.name = "functions", .type = YAML_PAIRS, .read = dwtrace_settings_read_function},
    };
    struct symbols *symbols = context;

    if (!parse_symbol(key, "the number of a component", &symbols->component, error)) {
        return false;
    }
    symbols->place = symbols->count;
    add_symbol(symbols, COMPONENT, key);
    return yaml_is_mapping(value)
               ? yaml_each_key(value, "a component", keys, 2, symbols, NULL, error)
               : read_component_name(symbols, key, value, error);
}

/* Compares by component and number; equal numbers by line, so that the later one is reported. */
static int compare_symbols(const void *left, const void *right) {
    const struct symbol *a = left, *b = right;

    return a->key != b->key ? ORDER(a->key, b->key) : ORDER(a->line, b->line);
}

/* Rejects duplicate numbers. YAML cannot, as a number may be written in several ways. */
static bool check_symbols(const struct symbols *symbols, const char *path, struct error *error) {
    for (size_t i = 1; i < symbols->count; i++) {
        const struct symbol *symbol = &symbols->items[i];
        unsigned component = (unsigned)(symbol->key >> 32), number = (unsigned)symbol->key;

        if (symbol[-1].key == symbol->key && number == COMPONENT) {
            return error_set(error, "%s:%zu: component 0x%x is defined already, in line %zu", path,
                             symbol->line, component, symbol[-1].line);
        }
        if (symbol[-1].key == symbol->key) {
            return error_set(
                error, "%s:%zu: function 0x%x of component 0x%x is defined already, in line %zu",
                path, symbol->line, number, component, symbol[-1].line);
        }
    }
    return true;
}

static int dwtrace_settings_compare_names(const void *left, const void *right) {
    const struct symbol *const *a = left, *const *b = right;
    int order = strcmp((*a)->name, (*b)->name);

    return order != 0 ? order : ORDER((*a)->key, (*b)->key);
}

/* Marks function names that several components have. */
static void mark_shared_names(struct symbols *symbols) {
    struct symbol **by_name = xcalloc(symbols->count + 1, sizeof by_name[0]);
    size_t count = 0;

    for (size_t i = 0; i < symbols->count; i++) {
        if ((uint32_t)symbols->items[i].key != COMPONENT) {
            by_name[count++] = &symbols->items[i];
        }
    }
    qsort(by_name, count, sizeof by_name[0], dwtrace_settings_compare_names);
    for (size_t begin = 0, end; begin < count; begin = end) {
        for (end = begin + 1; end < count && strcmp(by_name[end]->name, by_name[begin]->name) == 0;
             end++) {
        }
        for (size_t i = begin; i < end; i++) {
            by_name[i]->shared = by_name[begin]->key >> 32 != by_name[end - 1]->key >> 32;
        }
    }
    free(by_name);
}

/* Sorts and checks the symbols when the whole configuration was read, as the key `components` may
 * occur twice. */
static bool finish_components(void *value, const char *path, struct error *error) {
    struct symbols *symbols = value;

    sort_items(symbols->items, symbols->count, sizeof symbols->items[0], compare_symbols);
    mark_shared_names(symbols);
    return check_symbols(symbols, path, error);
}

static void parse_components(void *value, const void *from) {
    const struct symbols *added = from;

    if (added->count > 0) {
        *(struct symbols *)value = *added;
    }
}

const struct config_section dwtrace_components_section = {
    .name = "components",
    .help = "Names of components and functions for dwTrace logs, by number",
    .size = sizeof(struct symbols),
    .defaults = &(const struct symbols){.count = 0},
    .type = YAML_PAIRS,
    .read = read_component,
    .read_number = read_component,
    .finish = finish_components,
    .take = parse_components,
};

static const struct symbols *configured_symbols(const struct config *config) {
    return config_value(config, &dwtrace_components_section);
}

bool dwtrace_has_components(const struct config *config) {
    return configured_symbols(config)->count > 0;
}

static const struct symbol *find_symbol(const struct config *config, uint32_t component,
                                        uint32_t number) {
    const struct symbols *symbols = configured_symbols(config);
    const uint64_t key = dwtrace_settings_key_of(component, number);
    size_t low = 0, high = symbols->count;

    SEARCH(low, high, middle, symbols->items[middle].key < key);
    return low < symbols->count && symbols->items[low].key == key ? &symbols->items[low] : NULL;
}

const char *dwtrace_component_name(const struct config *config, uint32_t number) {
    const struct symbol *found = find_symbol(config, number, COMPONENT);

    return found == NULL ? NULL : found->name;
}

bool dwtrace_function_name(const struct config *config, uint32_t component, uint32_t function,
                           struct text *out) {
    const struct symbol *found = find_symbol(config, component, function);

    if (found == NULL) {
        return false;
    }
    if (found->shared) {
        const char *name = dwtrace_component_name(config, component);

        if (name != NULL) {
            text_append_string(out, name);
        } else {
            text_append_format(out, "%0*x", (int)(dwtrace_settings(config)->component_bits + 3) / 4,
                               (unsigned)component);
        }
        text_append_char(out, ':');
    }
    text_append_string(out, found->name);
    return true;
}
