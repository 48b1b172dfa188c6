/* `file_types:` and `partitions:`, what block I/O and system calls are about. */
#include <stdlib.h>
#include <string.h>

#include "config/config.h"
#include "config/section.h"
#include "base/memory.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

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
    rules = config_grow(config->file_types, config->file_type_count, sizeof rules[0]);
    config->file_types = rules;
    rule = &rules[config->file_type_count];
    rule->extension = yaml_copy(value, "an extension", error);
    if (rule->extension == NULL) {
        return false;
    }
    rule->type = xstrdup(section->type);
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

static void take_file_types(void *context, void *from) {
    struct config *config = context, *added = from;

    if (added->file_type_count > 0 || added->file_type_list != NULL) {
        CONFIG_SWAP(config->file_types, added->file_types);
        CONFIG_SWAP(config->file_type_count, added->file_type_count);
        CONFIG_SWAP(config->file_type_list, added->file_type_list);
    }
}

static void free_file_types(void *context) {
    struct config *config = context;

    for (size_t i = 0; i < config->file_type_count; i++) {
        free(config->file_types[i].type);
        free(config->file_types[i].extension);
    }
    free(config->file_types);
    free(config->file_type_list);
}

const struct config_section config_file_types_section = {
    .name = "file_types",
    .help = "Types of files by the end of their name: a list of the program's, or rules",
    .read = read_file_types,
    .take = take_file_types,
    .free = free_file_types,
};

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
        config_grow(config->partitions, config->partition_count, sizeof partitions[0]);
    struct config_partition *partition;

    (void)key;
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

static void take_partitions(void *context, void *from) {
    struct config *config = context, *added = from;

    if (added->partition_count > 0) {
        CONFIG_SWAP(config->partitions, added->partitions);
        CONFIG_SWAP(config->partition_count, added->partition_count);
    }
}

static void free_partitions(void *context) {
    struct config *config = context;

    for (size_t i = 0; i < config->partition_count; i++) {
        free(config->partitions[i].name);
    }
    free(config->partitions);
}

const struct config_section config_partitions_section = {
    .name = "partitions",
    .help = "Where partitions lie, for block I/O",
    .read = read_partitions,
    .take = take_partitions,
    .free = free_partitions,
};
