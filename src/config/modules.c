/* `modules:` groups of names by prefix. */
#include <stdlib.h>
#include <string.h>

#include "base/search.h"
#include "config/config.h"
#include "config/section.h"

/* Of the module that was read last. */
static bool read_prefix(void *context, struct yaml_value key, struct yaml_value value,
                        struct error *error) {
    struct config *config = context;
    struct config_module_prefix *prefixes =
        config_grow(config->module_prefixes, config->module_prefix_count, sizeof prefixes[0]);
    struct config_module_prefix prefix = {
        .module = config->module_count - 1,
        .line = yaml_line(value),
    };

    (void)key;
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
    char **modules = config_grow(config->modules, config->module_count, sizeof modules[0]);

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

    return order != 0 ? order : (a->line > b->line) - (a->line < b->line);
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

    SEARCH(low, high, middle,
           compare_bytes(prefixes[middle].prefix, prefixes[middle].length, name, length) <= 0);
    while (low > 0 && !prefix_fits(&prefixes[low - 1], name, length)) {
        low = prefixes[low - 1].shorter;
    }
    return low == 0 ? "other" : config->modules[prefixes[low - 1].module];
}

static void free_modules(void *context) {
    struct config *config = context;

    for (size_t i = 0; i < config->module_count; i++) {
        free(config->modules[i]);
    }
    for (size_t i = 0; i < config->module_prefix_count; i++) {
        free(config->module_prefixes[i].prefix);
    }
    free(config->modules);
    free(config->module_prefixes);
}

const struct config_section config_modules_section = {
    .name = "modules",
    .help = "Groups of names, for the report modules",
    .read = read_modules,
    .free = free_modules,
};
