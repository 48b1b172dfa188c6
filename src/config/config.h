/* The user's configuration: a YAML file that is read once at the start. Every section is optional
 * and has defaults. Unknown keys are errors with file and line, so that no mistake is ignored.
 * tracetool-config(5) describes all keys.
 *
 * Settings for the whole program are declared here; importers declare those of their formats
 * (config/section.h). */
#ifndef TRACETOOL_CONFIG_H
#define TRACETOOL_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/memory.h"

/* An entry of `applications:`, a name for a database ID in Palmist logs: `0x00012345: Memo Pad`. An
 * ID is unique only between two resets of a device; `2/0x00012345: …` applies only to session 2. */
struct config_application {
    uint32_t id;
    int64_t session; /* session, from 1; 0: all sessions */
    char *name;      /* name of the application: UTF-8, NUL-terminated */
    size_t line;     /* line of the entry in the file */
};

/* An entry of `file_types:`, a rule for the type of a file. The last matching rule applies. */
struct config_file_type {
    char *type;      /* type, such as "sqlite-db" */
    char *extension; /* such as "db" or "db-j$6": see file_type.h */
};

/* An entry of `partitions:`. The first partition that contains an I/O applies. */
struct config_partition {
    char *name;
    int64_t device;       /* device number, major << 20 | minor; -1: any device */
    int64_t first_sector; /* first sector, of 512 bytes each */
    int64_t sectors;      /* number of sectors; 0: up to the end of the device */
};

/* An entry of `overhead:`, the time in ns that a probe takes. */
struct config_overhead {
    bool has_app, has_framework;
    int64_t app, framework;
};

/* An entry of `modules:`, a prefix of names. The array is sorted by bytes. */
struct config_module_prefix {
    char *prefix;
    size_t length;
    size_t module;  /* index of the module in config.modules */
    size_t shorter; /* index + 1 of the longest other prefix that this one begins with; 0: none */
    size_t line;    /* line of the entry in the file */
};

/* An entry of `process_names:`. The first pattern that matches a process applies. */
struct config_process_name {
    char *pattern, *name;
};

struct config_section;
struct config_section_value;

/* A list of strings; zeroed: empty. */
struct config_strings {
    char **items;
    size_t count;
};

/* The configuration. Its members are in `pool`, except owned ones. */
struct config {
    char *path; /* owned; path of the file that was read; NULL: none */

    struct config_application *applications;
    size_t application_count;

    /* From `file_types:`: name of a built-in list (`file_types: most`), or rules, from a map of
     * types to lists of extensions. At most one of the two is set; by default, the list is "most".
     */
    char *file_type_list;
    struct config_file_type *file_types;
    size_t file_type_count;

    /* From `partitions:`, a list of entries such as `{name: /data, device: 179:28}` or `{name:
     * /cache, first: 4079616, sectors: 1048576}`; an entry may have all these keys. */
    struct config_partition *partitions;
    size_t partition_count;

    struct config_overhead overhead;

    struct config_strings modules; /* names of modules */
    struct config_module_prefix *module_prefixes;
    size_t module_prefix_count;

    struct config_process_name *process_names;
    size_t process_name_count;

    struct config_strings kernel_threads; /* patterns of names of kernel threads */
    bool has_kernel_threads; /* true: patterns are from the file; false: built-in ones are used */
    struct config_process_name *kernel_roles; /* from `kernel_threads:`: names by pattern */
    size_t kernel_role_count;

    char *queries; /* owned; folder of the user's query files, from `queries:`; NULL: none */

    /* From `trusted_folders: [/absolute, …]`, which only the user's own configuration may have. */
    struct config_strings trusted_folders;

    char *distrusted; /* owned; message that sections such as `queries` were ignored, because their
                         folder is not trusted; NULL: none was */

    bool begun;                          /* true: config_read_builtin() was called */
    struct config_section_value *values; /* values of sections declared elsewhere (section.h) */
    struct pool pool;
};

/* Reads the configuration file `path`. NULL: reads tracetool.yaml in the current folder; else
 * $XDG_CONFIG_HOME/tracetool/config.yaml (by default in ~/.config); else uses the defaults. A
 * relative folder in `queries:` is relative to the file's folder.
 *
 * In the current folder's file, `queries:` and programs in `formatters:` are used only if the
 * user's own configuration lists this folder (without links) in `trusted_folders`. Otherwise they
 * are ignored, and `distrusted` is set. Both files must be regular; `path` may be a pipe. Limits:
 * 16 MiB, and those of yaml.h. On failure, nothing needs to be freed. */
bool config_read(const char *path, struct config *config, struct error *error);

/* Reads the configuration, as config_read(). But if there is no file, does not read built-in values
 * (declared formats): that takes as long as a short report. Call config_read_builtin() when they
 * are needed; on failure, it frees `config`. */
bool config_read_file(const char *path, struct config *config, struct error *error);
bool config_read_builtin(struct config *config, struct error *error);

/* Sets all defaults, like config_read() without a file. */
bool config_set_defaults(struct config *config, struct error *error);

void config_free(struct config *config);

/* Reads names from another file (--symbols) into `config`. Its sections applications, components,
 * file_types and partitions, and its keys of dwtrace replace those in `config`. Other sections are
 * ignored. On failure, `config` is unchanged. */
bool config_add_symbols(struct config *config, const char *path, struct error *error);

/* Returns the value of a section, or its defaults if the file does not have it. Borrowed. */
const void *config_value(const struct config *config, const struct config_section *section);

/* Copies numbers and choices of a section from `from`, unless `config` has its own. */
void config_copy_missing(struct config *config, const struct config *from,
                         const struct config_section *section);

/* Returns the name of an application in a session: from the entry for this session, else from the
 * entry for all sessions; NULL if there is none. Borrowed from `config`. */
const char *config_application_name(const struct config *config, int64_t session, uint32_t id);

/* Returns the time in ns that a probe takes each time it fires. `origin`: "app" or "framework"; any
 * other word means "app". */
int64_t config_probe_overhead(const struct config *config, const char *origin);

/* Returns the module of a name: that with the longest matching prefix; "other" if none matches.
 * Borrowed from `config`. */
const char *config_module_of_name(const struct config *config, const char *name, size_t length);

/* Returns the name that `kernel_threads:` gives to a kernel thread; "" if it gives none; NULL if
 * the process is no kernel thread. Borrowed from `config`. */
const char *config_kernel_thread(const struct config *config, const char *process, size_t length);

/* Returns the application of a process: by the first matching pattern of `process_names:`, else
 * NULL for a kernel thread, else `process`. Borrowed from `config` or `process`. */
const char *config_process_application(const struct config *config, const char *process,
                                       size_t length);

#endif
