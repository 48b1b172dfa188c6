/* Sections of the configuration. A section declares its keys and their types, and gets their
 * values. Importers and other parts declare theirs in their own files; importers/settings.c lists
 * all, and no other code knows their names.
 *
 * A section either has keys, or a function that reads its value. Error messages have the form
 * "FILE:LINE: what is wrong" (config/yaml.h). */
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
    size_t size; /* bytes of its value; 0: it has members in struct config, which its functions then
                    get as context */
    const void *defaults; /* value if the file does not have the section */
    enum yaml_type type;  /* only without keys: YAML_OWN, YAML_PAIRS or YAML_ITEMS */
    yaml_visit *read; /* of a section without keys: reads it; the context is the section's value */
    /* Sets built-in values, allocated in the pool. Called once before the file is read, or if there
     * is none. May be NULL. */
    bool (*begin)(void *value, struct pool *pool, struct error *error);
    /* Reads a key at the top of the file that is a number; for one section at most. */
    yaml_visit *read_number;
    /* Called once after the whole file has been read. */
    bool (*finish)(void *value, const char *path, struct error *error);
    /* For a file of names (--symbols): replaces parts of the value by what `from` has. NULL: such a
     * file cannot have the section; or if `takes_keys`, its keys replace numbers and choices. */
    void (*take)(void *value, const void *from);
    bool takes_keys;
    void (*free)(void *value); /* frees what the value owns outside of the pool; may be NULL */
    bool names_file;           /* true: the value has the name of a file, a folder or a program */
};

/* All sections; ends with NULL (importers/settings.c). */
extern const struct config_section *const config_sections[];

/* Sections for the whole program. */
extern const struct config_section config_applications_section, config_file_types_section,
    config_partitions_section, config_overhead_section, config_modules_section,
    config_process_names_section, config_kernel_threads_section, config_queries_section,
    config_trusted_folders_section;

/* Appends a text to a list; it must not be empty. Returns its copy; returns NULL and sets `error`
 * on failure. */
char *config_add_string(struct config_strings *strings, struct yaml_value value, const char *what,
                        struct error *error);

#endif
