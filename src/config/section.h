/* Sections of the configuration. Each declares its keys and their types, and receives their values.
 * Importers and other parts declare theirs in their own files; importers/settings.c lists them all,
 * and other code does not know them by name.
 *
 * A section with keys is a map of them. A section without keys has a function that parses its
 * value. Error messages have the form "FILE:LINE: what is wrong" (config/yaml.h). */
#ifndef TRACETOOL_SECTION_H
#define TRACETOOL_SECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "config/yaml.h"

struct config;
struct config_strings;

struct config_section {
    const char *name;
    const char *help;
    const struct yaml_key *keys;
    size_t key_count;
    size_t size; /* bytes of its value; 0: stored in struct config itself, which is then the context
                    of its functions */
    const void *defaults; /* value if the file lacks the section */
    enum yaml_type type;  /* without keys: YAML_OWN, YAML_PAIRS or YAML_ITEMS */
    yaml_visit *read;     /* without keys: reads the section; its context is the section's value */
    /* Called once before reading the file, or if there is none: sets built-in values, allocated in
     * the pool. May be NULL. */
    bool (*begin)(void *value, struct pool *pool, struct error *error);
    /* Receives top-level keys that are numbers. At most one section has it. */
    yaml_visit *read_number;
    /* Called once after reading the whole file. */
    bool (*finish)(void *value, const char *path, struct error *error);
    /* For a file of names (--symbols): replaces parts of the value by those set in `from`. NULL:
     * not supported in such a file, unless `takes_keys`: then its keys replace numbers and choices.
     */
    void (*take)(void *value, const void *from);
    bool takes_keys;
    void (*free)(void *value); /* frees what the value owns outside the pool; may be NULL */
    bool names_file;           /* the value names a file, a directory or a program */
};

/* All sections, NULL-terminated; importers/settings.c. */
extern const struct config_section *const config_sections[];

/* Sections of general use. */
extern const struct config_section config_applications_section, config_file_types_section,
    config_partitions_section, config_overhead_section, config_modules_section,
    config_process_names_section, config_kernel_threads_section, config_queries_section,
    config_trusted_folders_section;

/* Appends the text of a value, which must not be empty. NULL with `error` set on failure. */
char *config_add_string(struct config_strings *strings, struct yaml_value value, const char *what,
                        struct error *error);

#endif
