/* Sections of the configuration. A section declares its keys and their types, and receives their
 * values. Importers and other parts declare theirs in their own files. importers/settings.c lists
 * all sections; no other code knows their names.
 *
 * A section has either keys, or a function that reads its value. Error messages have the form
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
    size_t size; /* size of its value in bytes; 0: its members are in struct config, which is then
                    the context of its functions */
    const void *defaults; /* initial value of `size` bytes */
    enum yaml_type type;  /* for sections without keys: YAML_OWN, YAML_PAIRS or YAML_ITEMS */
    yaml_visit *read;     /* for sections without keys: reads the value; context: the value */
    /* Sets built-in values, allocated in the pool. Called once, before a file is read or without a
     * file. May be NULL. */
    bool (*begin)(void *value, struct pool *pool, struct error *error);
    /* Reads a number as key at the top of the file. At most one section has this function. */
    yaml_visit *read_number;
    /* Called once after the whole file was read; may be NULL. */
    bool (*finish)(void *value, const char *path, struct error *error);
    /* For a file of names (--symbols): replaces members of the value by those of `from`. NULL: such
     * a file cannot have the section; but if `takes_keys`, its numbers and choices are replaced. */
    void (*take)(void *value, const void *from);
    bool takes_keys;
    void (*free)(void *value); /* frees what the value owns outside the pool; may be NULL */
    bool names_file;           /* true: the value names a file, folder or program */
};

/* All sections, ended by NULL (importers/settings.c). */
extern const struct config_section *const config_sections[];

/* Sections for the whole program. */
extern const struct config_section config_applications_section, config_file_types_section,
    config_partitions_section, config_overhead_section, config_modules_section,
    config_process_names_section, config_kernel_threads_section, config_queries_section,
    config_trusted_folders_section;

/* Appends a text, which must not be empty, to a list. Returns its copy; NULL with `error` set. */
char *config_add_string(struct config_strings *strings, struct yaml_value value, const char *what,
                        struct error *error);

#endif
