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

enum config_type {
    CONFIG_OWN,    /* read() makes of it what it likes */
    CONFIG_NUMBER, /* a whole number, kept as int64_t */
    CONFIG_CHOICE, /* one of `choices`, its position kept as int64_t */
};

struct config_key {
    const char *name;
    enum config_type type;
    size_t offset;              /* of the number in the section's value */
    int64_t least, most, step;  /* bounds of a number, of which it is a multiple; step 0: any */
    const char *must;           /* what a message says to others: "must not be 0"; NULL: bounds */
    const char *const *choices; /* ends with NULL */
    yaml_visit *read;           /* CONFIG_OWN; its context is the section's value */
    const char *otherwise;      /* what the default means, where it is no number of its own */
    const char *help;           /* in a few words */
    bool names_file;            /* the value names a file, a folder or a program */
};

struct config_section {
    const char *name;
    const char *help;
    const struct config_key *keys;
    size_t key_count;
    size_t size;          /* bytes of its value; 0: it is kept in struct config itself, which is the
                             context of its functions then */
    const void *defaults; /* the value of a file that does not have the section */
    yaml_visit *read;     /* instead of keys; its context is the section's value */
    /* Once before the file is read, and where there is no file: puts into the value what the
     * program itself has. May be NULL. */
    bool (*begin)(void *value, struct error *error);
    /* Keys at the top of the file that are numbers belong to this section. At most one has it. */
    yaml_visit *read_number;
    /* Once after the whole file has been read. */
    bool (*finish)(void *value, const char *path, struct error *error);
    /* Of a file of names (--symbols): replaces what the value holds by what is in `from`, as far as
     * there is something; what is replaced goes to `from`. NULL: such a file does not speak of it,
     * unless `takes_keys`: then keys that it gives replace numbers and choices. */
    void (*take)(void *value, void *from);
    bool takes_keys;
    void (*free)(void *value); /* what the value owns; may be NULL */
    bool names_file;           /* the value names a file, a folder or a program */
};

/* All of them, ended by NULL; importers/settings.c. */
extern const struct config_section *const config_sections[];

/* The generic ones. */
extern const struct config_section config_applications_section, config_file_types_section,
    config_partitions_section, config_overhead_section, config_modules_section,
    config_process_names_section, config_kernel_threads_section, config_queries_section,
    config_trusted_folders_section;

/* Makes room for one more element at the end of an array that doubles. */
void *config_grow(void *array, size_t count, size_t size);

/* Adds the text of a value, which must not be empty. NULL with `error` set on failure. */
char *config_add_string(struct config_strings *strings, struct yaml_value value, const char *what,
                        struct error *error);
void config_free_strings(struct config_strings *strings);

#define CONFIG_SWAP(left, right)                                                                   \
    do {                                                                                           \
        __typeof__(left) swapped = (left);                                                         \
        (left) = (right);                                                                          \
        (right) = swapped;                                                                         \
    } while (0)

#endif
