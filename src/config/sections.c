/* Sections for the whole program, such as `file_types:` and `partitions:`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/search.h"
#include "base/words.h"
#include "config/config.h"
#include "config/section.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* --- section `file_types:` -------------------------------------------------------------------- */

struct file_type_section {
    struct config *config;
    char *type; /* type whose list of extensions is being read */
};

static bool read_extension(void *context, struct yaml_value key, struct yaml_value value,
                           struct error *error) {
    const struct file_type_section *section = context;
    struct config *config = section->config;
    struct config_file_type rule = {section->type, yaml_copy(value, "an extension", error)};

    config->file_types = yaml_grow(value.file, config->file_types, config->file_type_count,
                                   sizeof *config->file_types);
    config->file_types[config->file_type_count] = rule;
    config->file_type_count += rule.extension != NULL;
    return rule.extension != NULL;
}

static bool read_file_type(void *context, struct yaml_value key, struct yaml_value value,
                           struct error *error) {
    struct file_type_section section = {context, yaml_copy(key, "a file type", error)};

    return section.type != NULL &&
           yaml_each_item(value, "the extensions of a file type", read_extension, &section, error);
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
                      "file_types lists no file name extensions; write 'file_types: most' or lines "
                      "of 'type: [extension, …]'");
}

static void merge_file_types(void *context, const void *from) {
    struct config *config = context;
    const struct config *added = from;

    if (added->file_type_count > 0 || added->file_type_list != NULL) {
        config->file_types = added->file_types;
        config->file_type_count = added->file_type_count;
        config->file_type_list = added->file_type_list;
    }
}

const struct config_section config_file_types_section = {
    .name = "file_types",
    .help = "File types by the end of the name: a built-in list, or rules",
    .read = read_file_types,
    .take = merge_file_types,
};

/* --- sections `partitions:`, `applications:` and others --------------------------------------- */

/* Parses a device MAJOR:MINOR, decimal. */
static bool read_partition_device(void *context, struct yaml_value key, struct yaml_value value,
                                  struct error *error) {
    struct config_partition *partition = context;
    const char *text = yaml_string(value, "the device of a partition", error);
    const char *colon = text == NULL ? NULL : strchr(text, ':');
    uint64_t major, minor;

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

static bool read_partition(void *context, struct yaml_value key, struct yaml_value value,
                           struct error *error) {
    static const struct yaml_key keys[] = {
        {.name = "name",
         .type = YAML_TEXT,
         .place = offsetof(struct config_partition, name),
         .what = "the name of a partition"},
        {.name = "device", .read = read_partition_device},
        {.name = "first",
         .type = YAML_NUMBER,
         .place = offsetof(struct config_partition, first_sector),
         .most = INT64_C(1) << 54,
         .what = "the first sector"},
        {.name = "sectors",
         .type = YAML_NUMBER,
         .place = offsetof(struct config_partition, sectors),
         .most = INT64_C(1) << 54,
         .what = "the number of sectors"},
    };
    struct config *config = context;
    struct config_partition partition = {.device = -1};

    config->partitions = yaml_grow(value.file, config->partitions, config->partition_count,
                                   sizeof *config->partitions);
    if (!yaml_each_key(value, "a partition", keys, COUNT(keys), &partition, NULL, error)) {
        return false;
    }
    config->partitions[config->partition_count++] = partition;
    return (partition.name != NULL && (partition.device >= 0 || partition.sectors > 0)) ||
           yaml_error(value, error, "a partition needs a name, and a device or first and sectors");
}

static void merge_partitions(void *context, const void *from) {
    struct config *config = context;
    const struct config *added = from;

    if (added->partition_count > 0) {
        config->partitions = added->partitions;
        config->partition_count = added->partition_count;
    }
}

const struct config_section config_partitions_section = {
    .name = "partitions",
    .help = "Where partitions lie, for block I/O",
    .type = YAML_ITEMS,
    .read = read_partition,
    .take = merge_partitions,
};

/* Section `applications:`, names of applications by database ID. */

#define MOST_SESSIONS 1000000000

/* Parses "0x00012345", "74565" or, for session 2, "2/0x00012345". */
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
    struct config *config = context;
    struct config_application application = {.line = yaml_line(key)};
    const char *id = yaml_string(key, "the ID of an application", error);

    if (id == NULL) {
        return false;
    }
    if (!parse_application(id, &application)) {
        return yaml_error(key, error,
                          "'%.100s' is not the ID of an application; write 0x00012345, a decimal "
                          "number without leading zeros, or 2/0x00012345 for session 2 alone",
                          id);
    }
    application.name = yaml_copy(value, "the name of an application", error);
    config->applications = yaml_grow(value.file, config->applications, config->application_count,
                                     sizeof *config->applications);
    config->applications[config->application_count++] = application;
    return application.name != NULL;
}

static int compare_applications(const void *left, const void *right) {
    const struct config_application *a = left, *b = right;

    return a->id != b->id ? ORDER(a->id, b->id) : ORDER(a->session, b->session);
}

static int compare_application_lines(const void *left, const void *right) {
    const struct config_application *a = left, *b = right;
    int order = compare_applications(a, b);

    return order != 0 ? order : ORDER(a->line, b->line);
}

/* Sorts applications by ID and session, for config_application_name(). An ID that occurs twice in
 * different spellings is an error; YAML takes them for different keys. */
static bool finish_applications(void *context, const char *path, struct error *error) {
    struct config *config = context;
    struct config_application *sorted = config->applications;

    sort_items(sorted, config->application_count, sizeof *sorted, compare_application_lines);
    for (size_t i = 1; i < config->application_count; i++) {
        if (compare_applications(&sorted[i - 1], &sorted[i]) == 0) {
            return error_set(error, "%s:%zu: application 0x%08x has a name already, in line %zu",
                             path, sorted[i].line, (unsigned)sorted[i].id, sorted[i - 1].line);
        }
    }
    return true;
}

static const struct config_application *find_application(const struct config *config,
                                                         int64_t session, uint32_t id) {
    const struct config_application wanted = {.id = id, .session = session};

    return config->application_count == 0
               ? NULL
               : bsearch(&wanted, config->applications, config->application_count, sizeof wanted,
                         compare_applications);
}

const char *config_application_name(const struct config *config, int64_t session, uint32_t id) {
    const struct config_application *found = find_application(config, session, id);

    if (found == NULL) {
        found = find_application(config, 0, id);
    }
    return found == NULL ? NULL : found->name;
}

static void merge_applications(void *context, const void *from) {
    struct config *config = context;
    const struct config *added = from;

    if (added->application_count > 0) {
        config->applications = added->applications;
        config->application_count = added->application_count;
    }
}

const struct config_section config_applications_section = {
    .name = "applications",
    .help = "Names of applications in Palmist logs, by database ID",
    .type = YAML_PAIRS,
    .read = read_application,
    .finish = finish_applications,
    .take = merge_applications,
};

/* Section `modules:`, groups of names by prefix. */

/* Adds a prefix to the last module. */
static bool read_prefix(void *context, struct yaml_value key, struct yaml_value value,
                        struct error *error) {
    struct config *config = context;
    struct config_module_prefix prefix = {
        .prefix = yaml_copy(value, "a prefix of names", error),
        .module = config->modules.count - 1,
        .line = yaml_line(value),
    };

    if (prefix.prefix == NULL) {
        return false;
    }
    prefix.length = strlen(prefix.prefix);
    config->module_prefixes =
        yaml_grow(value.file, config->module_prefixes, config->module_prefix_count, sizeof prefix);
    config->module_prefixes[config->module_prefix_count++] = prefix;
    return true;
}

static bool read_module(void *context, struct yaml_value key, struct yaml_value value,
                        struct error *error) {
    struct config *config = context;

    return config_add_string(&config->modules, key, "the name of a module", error) != NULL &&
           yaml_each_item(value, "the prefixes of a module", read_prefix, config, error);
}

static int compare_bytes(const char *left, size_t left_length, const char *right,
                         size_t right_length) {
    size_t common = left_length < right_length ? left_length : right_length;
    int order = common == 0 ? 0 : memcmp(left, right, common);

    return order != 0 ? order : ORDER(left_length, right_length);
}

static int compare_prefixes(const void *left, const void *right) {
    const struct config_module_prefix *a = left;
    const struct config_module_prefix *b = right;
    int order = compare_bytes(a->prefix, a->length, b->prefix, b->length);

    return order != 0 ? order : ORDER(a->line, b->line);
}

static bool prefix_fits(const struct config_module_prefix *prefix, const char *name,
                        size_t length) {
    return prefix->length <= length && memcmp(prefix->prefix, name, prefix->length) == 0;
}

/* Finds the longest other prefix that each prefix begins with. This is the previous prefix, or one
 * that the previous prefix begins with. */
static bool finish_modules(void *context, const char *path, struct error *error) {
    struct config *config = context;
    struct config_module_prefix *prefixes = config->module_prefixes;

    sort_items(prefixes, config->module_prefix_count, sizeof *prefixes, compare_prefixes);
    for (size_t i = 1; i < config->module_prefix_count; i++) {
        struct config_module_prefix *prefix = &prefixes[i];
        size_t shorter = i;

        if (compare_bytes(prefix[-1].prefix, prefix[-1].length, prefix->prefix, prefix->length) ==
            0) {
            return error_set(error, "%s:%zu: the prefix '%.100s' is defined already, in line %zu",
                             path, prefix->line, prefix->prefix, prefix[-1].line);
        }
        while (shorter > 0 &&
               !prefix_fits(&prefixes[shorter - 1], prefix->prefix, prefix->length)) {
            shorter = prefixes[shorter - 1].shorter;
        }
        prefix->shorter = shorter;
    }
    return true;
}

/* Begins with the last prefix that is not after the name in sort order. While a prefix does not
 * match the name, tries the longest other prefix that it begins with. The first match is the
 * longest. */
const char *config_module_of_name(const struct config *config, const char *name, size_t length) {
    const struct config_module_prefix *prefixes = config->module_prefixes;
    size_t low = 0, high = config->module_prefix_count;

    SEARCH(low, high, middle,
           compare_bytes(prefixes[middle].prefix, prefixes[middle].length, name, length) <= 0);
    while (low > 0 && !prefix_fits(&prefixes[low - 1], name, length)) {
        low = prefixes[low - 1].shorter;
    }
    return low == 0 ? "other" : config->modules.items[prefixes[low - 1].module];
}

const struct config_section config_modules_section = {
    .name = "modules",
    .help = "Groups of names, for the report modules",
    .type = YAML_PAIRS,
    .read = read_module,
    .finish = finish_modules,
};

/* Sections `process_names:`, applications of processes, and `kernel_threads:`, processes without an
 * application. Both have patterns. */

/* Patterns of Linux kernel threads, which do I/O for processes. ps prints them as `[*]`. */
static const char *const kernel_threads[] = {
    "[*]",         "bdi-default", "btrfs-*",    "cpuhp/*",       "dm_bufio*",    "dmcrypt*",
    "ext4-*",      "f2fs_*",      "flush-*",    "idle_inject/*", "irq/*",        "jbd2/*",
    "kauditd",     "kblockd*",    "kcompactd*", "kcryptd*",      "kdevtmpfs",    "kdmflush*",
    "khubd",       "khugepaged",  "khungtaskd", "kintegrityd*",  "kjournald*",   "ksmd",
    "ksoftirqd/*", "kswapd*",     "kthreadd",   "kworker/*",     "loop0*",       "loop1*",
    "loop2*",      "loop3*",      "loop4*",     "loop5*",        "loop6*",       "loop7*",
    "loop8*",      "loop9*",      "md???_*",    "md??_*",        "md?_*",        "migration/*",
    "mmcqd/*",     "nfsd",        "oom_reaper", "pdflush*",      "rcu*/*",       "rcu_*",
    "scsi_eh_*",   "scsi_tmf_*",  "swapper*",   "sync_supers",   "usb-storage*", "watchdog/*",
    "watchdogd",   "writeback",   "xfs-*",      "xfsaild/*",     "yaffs-bg-*",   "z_*",
};

static bool add_process_name(struct config_process_name **names, size_t *count,
                             struct yaml_value key, struct yaml_value value, const char *what,
                             struct error *error) {
    struct config_process_name name = {.pattern = yaml_copy(key, "a process", error)};

    if (name.pattern == NULL) {
        return false;
    }
    name.name = yaml_copy(value, what, error);
    *names = yaml_grow(value.file, *names, *count, sizeof name);
    (*names)[(*count)++] = name;
    return name.name != NULL;
}

static bool read_process_name(void *context, struct yaml_value key, struct yaml_value value,
                              struct error *error) {
    struct config *config = context;

    return add_process_name(&config->process_names, &config->process_name_count, key, value,
                            "the application of a process", error);
}

static bool read_kernel_thread(void *context, struct yaml_value key, struct yaml_value value,
                               struct error *error) {
    struct config *config = context;

    return config_add_string(&config->kernel_threads, value, "a kernel thread", error) != NULL;
}

static bool read_kernel_role(void *context, struct yaml_value key, struct yaml_value value,
                             struct error *error) {
    struct config *config = context;

    return add_process_name(&config->kernel_roles, &config->kernel_role_count, key, value,
                            "the name of a kernel thread", error);
}

static bool read_kernel_threads(void *context, struct yaml_value key, struct yaml_value value,
                                struct error *error) {
    struct config *config = context;

    if (yaml_is_mapping(value)) {
        return yaml_each_pair(value, "kernel_threads", read_kernel_role, config, error);
    }
    config->has_kernel_threads = true;
    return yaml_each_item(value, "kernel_threads", read_kernel_thread, config, error);
}

/* Returns the name that belongs to the first matching pattern. */
static const char *find_process_name(const struct config_process_name *names, size_t count,
                                     const char *process, size_t length) {
    for (size_t i = 0; i < count; i++) {
        if (bytes_match_pattern(names[i].pattern, process, length, '?')) {
            return names[i].name;
        }
    }
    return NULL;
}

const char *config_kernel_thread(const struct config *config, const char *process, size_t length) {
    const char *role =
        find_process_name(config->kernel_roles, config->kernel_role_count, process, length);
    const char *const *threads = config->has_kernel_threads
                                     ? (const char *const *)config->kernel_threads.items
                                     : kernel_threads;
    size_t count = config->has_kernel_threads ? config->kernel_threads.count
                                              : sizeof kernel_threads / sizeof kernel_threads[0];

    for (size_t i = 0; role == NULL && i < count; i++) {
        if (bytes_match_pattern(threads[i], process, length, '?')) {
            role = "";
        }
    }
    return role;
}

const char *config_process_application(const struct config *config, const char *process,
                                       size_t length) {
    const char *name =
        find_process_name(config->process_names, config->process_name_count, process, length);

    return name != NULL                                            ? name
           : config_kernel_thread(config, process, length) == NULL ? process
                                                                   : NULL;
}

const struct config_section config_process_names_section = {
    .name = "process_names",
    .help = "Applications of processes, for process --by application",
    .type = YAML_PAIRS,
    .read = read_process_name,
};

const struct config_section config_kernel_threads_section = {
    .name = "kernel_threads",
    .help = "Processes that are no application",
    .read = read_kernel_threads,
};

/* Section `overhead:`, the time that probes take. */

#define COUNT(array)  (sizeof(array) / sizeof(array)[0])
#define MOST_OVERHEAD INT64_C(60000000000) /* limit: one minute in ns */

/* Time that one probe takes, in ns: default overheads of probes in an app and in the framework, as
 * measured by the authors of RMP (Reconfigurable Multi-Resolution Performance Profiling). */
#define APP_OVERHEAD       488000
#define FRAMEWORK_OVERHEAD 631000

/* Parses a number with up to nine decimals, an optional blank, and a unit from ns to s. Without a
 * unit, it is in ns. */
static bool parse_overhead(const char *string, int64_t *nanoseconds) {
    const size_t digits = strspn(string, "0123456789.");
    const char *unit = string + digits + (string[digits] == ' ');
    char duration[32];

    if (digits == 0 || digits > 24 || strspn(string, "0123456789") > 11 ||
        (*unit != '\0' && !word_in("ns us \xc2\xb5s \xce\xbcs ms s", unit))) {
        return false;
    }
    snprintf(duration, sizeof duration, "%.*s%s", (int)digits, string, *unit == '\0' ? "ns" : unit);
    return clock_parse_duration(duration, nanoseconds) && *nanoseconds <= MOST_OVERHEAD;
}

static bool read_overhead(void *context, struct yaml_value key, struct yaml_value value,
                          struct error *error) {
    struct config_overhead *overhead = &((struct config *)context)->overhead;
    const char *string = yaml_string(value, "an overhead", error);
    int64_t time;

    if (string == NULL) {
        return false;
    }
    if (!parse_overhead(string, &time)) {
        return yaml_error(value, error,
                          "'%.100s' is not a valid time; write a number with the unit ns, us, ms "
                          "or s (0.488ms), or of nanoseconds (488000), up to 60s",
                          string);
    }
    if (strcmp(yaml_string(key, "a key", error), "app") == 0) {
        overhead->has_app = true;
        overhead->app = time;
    } else {
        overhead->has_framework = true;
        overhead->framework = time;
    }
    return true;
}

static const struct yaml_key overhead_keys[] = {
    {.name = "app", .read = read_overhead, .help = "What a probe of the application takes"},
    {.name = "framework", .read = read_overhead, .help = "What a probe of the framework takes"},
};

const struct config_section config_overhead_section = {
    .name = "overhead",
    .help = "Time that a probe takes each time it fires",
    .keys = overhead_keys,
    .key_count = COUNT(overhead_keys),
};

int64_t config_probe_overhead(const struct config *config, const char *origin) {
    const struct config_overhead *overhead = &config->overhead;

    if (strcmp(origin, "framework") == 0) {
        return overhead->has_framework ? overhead->framework : FRAMEWORK_OVERHEAD;
    }
    return overhead->has_app ? overhead->app : APP_OVERHEAD;
}
