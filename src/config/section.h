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
#include "base/text.h"
#include "config/yaml.h"

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

/* --- for config.c, which has the functions that others call ------------------------------------
 */

struct config_section_value;

/* What a configuration holds of all sections. */
struct config_values {
    struct config_section_value **each; /* of sections with a `size`: owned by the configuration;
                                           NULL until there is one */
    void *common;                       /* the configuration itself, for the others */
};

/* The value of a section that has a `size`, or its defaults. Borrowed. */
const void *config_section_value(struct config_values values, const struct config_section *section);

/* Reads a section's value, or a number at the top. */
bool config_section_read(struct config_values values, const struct config_section *section,
                         struct yaml_value key, struct yaml_value value, struct error *error);
bool config_section_read_number(struct config_values values, const struct config_section *section,
                                struct yaml_value key, struct yaml_value value,
                                struct error *error);

/* Gives `values` the numbers and choices of a section that it does not say itself and `from` does.
 */
bool config_section_complete(struct config_values values, struct config_values from,
                             const struct config_section *section, struct error *error);

/* What is to be done before a file is read, when it has been read, for what a file of names holds,
 * and at the end. */
bool config_sections_begin(struct config_values values, struct error *error);
bool config_sections_finish(struct config_values values, const char *path, struct error *error);
bool config_sections_take(struct config_values values, struct config_values from,
                          struct error *error);
void config_sections_free(struct config_values values);

/* Forgets the sections that name files or programs. Appends the names of those that the file had to
 * `names`, quoted and joined by commas, and sets `*line` to where the first of them stands; false
 * when there is none. */
bool config_sections_forget_files(struct config_values values, struct text *names, size_t *line);

/* Whether the file has such a section. */
bool config_sections_name_files(struct config_values values);

/* --- for sections ------------------------------------------------------------------------------
 */

/* Makes room for one more element at the end of an array that doubles. */
void *config_grow(void *array, size_t count, size_t size);

#define CONFIG_SWAP(left, right)                                                                   \
    do {                                                                                           \
        __typeof__(left) swapped = (left);                                                         \
        (left) = (right);                                                                          \
        (right) = swapped;                                                                         \
    } while (0)

#endif
