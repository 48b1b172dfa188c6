/* Sections of the configuration: each says itself which keys it has and what they may be, and gets
 * what the file says of them. Importers and other parts declare theirs beside their code;
 * importers/settings.c lists all of them, and nothing else knows them by name.
 *
 * A section with keys is a map of them. One without reads the whole of its value by a function of
 * its own. Mistakes are errors of the form "FILE:LINE: what is wrong" (config/yaml.h).
 */
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
    size_t size;          /* bytes of its value; 0: it is kept in struct config itself, which is the
                             context of its functions then */
    const void *defaults; /* the value of a file that does not have the section */
    enum yaml_type type;  /* without keys: YAML_OWN, YAML_PAIRS or YAML_ITEMS, with … */
    yaml_visit *read;     /* … this, whose context is the section's value */
    /* Once before the file is read, and where there is no file: puts into the value what the
     * program itself has, in memory of the pool. May be NULL. */
    bool (*begin)(void *value, struct pool *pool, struct error *error);
    /* Keys at the top of the file that are numbers belong to this section. At most one has it. */
    yaml_visit *read_number;
    /* Once after the whole file has been read. */
    bool (*finish)(void *value, const char *path, struct error *error);
    /* Of a file of names (--symbols): replaces what the value holds by what is in `from`, as far as
     * there is something. NULL: such a file does not speak of it, unless `takes_keys`: then keys
     * that it gives replace numbers and choices. */
    void (*take)(void *value, const void *from);
    bool takes_keys;
    void (*free)(void *value); /* what the value owns outside of the pool; may be NULL */
    bool names_file;           /* the value names a file, a folder or a program */
};

/* All of them, ended by NULL; importers/settings.c. */
extern const struct config_section *const config_sections[];

/* The generic ones. */
extern const struct config_section config_applications_section, config_file_types_section,
    config_partitions_section, config_overhead_section, config_modules_section,
    config_process_names_section, config_kernel_threads_section, config_queries_section,
    config_trusted_folders_section;

/* Adds the text of a value, which must not be empty. NULL with `error` set on failure. */
char *config_add_string(struct config_strings *strings, struct yaml_value value, const char *what,
                        struct error *error);

#endif
