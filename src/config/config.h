/* The user's configuration: a YAML file, read once at start.
 *
 * Every section is optional and has defaults. Unknown keys are errors with file and line, so that a
 * misspelt key is never ignored. tracetool-config(5) documents each key. Settings of general use
 * are here; the settings of a format are declared by its importer: config/section.h.
 */
#ifndef TRACETOOL_CONFIG_H
#define TRACETOOL_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/memory.h"

/* `applications:` maps a database ID to a name: `0x00012345: Memo Pad`. An ID is unique only
 * between two resets, so `2/0x00012345: …` applies to session 2 only. */
struct config_application {
    uint32_t id;
    int64_t session; /* number of the session, from 1; 0: any session */
    char *name;      /* UTF-8, NUL-terminated */
    size_t line;     /* line in the file, for messages */
};

/* `file_types:` a rule; the last matching rule wins. */
struct config_file_type {
    char *type;      /* "sqlite-db" */
    char *extension; /* "db", "db-j$6": see file_type.h */
};

/* `partitions:` an entry; the first that contains an I/O wins. */
struct config_partition {
    char *name;
    int64_t device;       /* major << 20 | minor; -1: any */
    int64_t first_sector; /* number of a 512-byte sector */
    int64_t sectors;      /* number of sectors; 0: the whole device */
};

/* `overhead:` of a probe, in nanoseconds. */
struct config_overhead {
    bool has_app, has_framework;
    int64_t app, framework;
};

/* `modules:` a prefix of names. Sorted by bytes. */
struct config_module_prefix {
    char *prefix;
    size_t length;
    size_t module; /* index of the name in config.modules */
    size_t
        shorter; /* 1 + index of the longest other prefix that is a prefix of this one; 0: none */
    size_t line; /* line in the file, for messages */
};

/* `process_names:` an entry; the first pattern that matches a process wins. */
struct config_process_name {
    char *pattern, *name;
};

struct config_section;
struct config_section_value;

/* Empty when zeroed. */
struct config_strings {
    char **items;
    size_t count;
};

/* Allocated in the pool, except for owned members. */
struct config {
    char *path; /* owned; the file that was read; NULL: none */

    struct config_application *applications;
    size_t application_count;

    /* `file_types:` either the name of a built-in list (`file_types: most`) or a map from type to a
     * list of extensions. Exactly one of the two is set; the default is the list "most". */
    char *file_type_list;
    struct config_file_type *file_types;
    size_t file_type_count;

    /* `partitions:` a list of `{name: /data, device: 179:28}` or `{name: /cache, first: 4079616,
     * sectors: 1048576}`, or both. */
    struct config_partition *partitions;
    size_t partition_count;

    struct config_overhead overhead;

    struct config_strings modules; /* names of modules */
    struct config_module_prefix *module_prefixes;
    size_t module_prefix_count;

    struct config_process_name *process_names;
    size_t process_name_count;

    struct config_strings kernel_threads; /* patterns of names */
    bool has_kernel_threads;              /* given in the file; otherwise the built-in ones apply */
    struct config_process_name *kernel_roles; /* names of further kernel threads, by pattern */
    size_t kernel_role_count;

    char *queries; /* owned; `queries: DIRECTORY` of the user's query files; NULL for none */

    /* `trusted_folders: [/absolute, …]`; only valid in the user's own configuration. */
    struct config_strings trusted_folders;

    char *distrusted; /* message that a section naming files or programs, such as `queries`, was
                         ignored; otherwise NULL */

    bool begun;                          /* built-in values are included: config_begin() */
    struct config_section_value *values; /* values of sections declared by importers: section.h */
    struct pool pool;
};

/* Reads `path`. If NULL, reads tracetool.yaml in the current directory, otherwise
 * $XDG_CONFIG_HOME/tracetool/config.yaml (~/.config by default), otherwise uses defaults. A
 * relative `queries:` refers to the configuration file's directory.
 *
 * In the current directory's file, `queries:` and programs under `formatters:` need trust. The
 * user's own configuration must list that directory, without symbolic links, in `trusted_folders`;
 * otherwise they are ignored and `distrusted` is set. These two files must be regular ones; `path`
 * may be a pipe. Limits: 16 MiB, and those of yaml.h. On failure `config` needs no freeing. */
bool config_read(const char *path, struct config *config, struct error *error);

/* Like config_read(), but without a file, omits built-in values of sections (declared formats)
 * until config_begin(): reading them takes as long as a short report. If that fails, it frees
 * `config`.
 */
bool config_read_file(const char *path, struct config *config, struct error *error);
bool config_begin(struct config *config, struct error *error);

/* Sets the result of config_read() without a file. */
bool config_defaults(struct config *config, struct error *error);

void config_free(struct config *config);

/* Reads names from a further file into `config`. Its sections applications, components, file_types
 * and partitions, unless empty, and the keys of dwtrace replace existing ones. Other sections are
 * ignored. On failure `config` is unchanged. */
bool config_add_symbols(struct config *config, const char *path, struct error *error);

/* Returns the value of a section that is declared by an importer or another part, or its defaults.
 * Borrowed. */
const void *config_value(const struct config *config, const struct config_section *section);

/* Copies numbers and choices of a section from `from` to `config`, unless `config` was given its
 * own. */
void config_complete(struct config *config, const struct config *from,
                     const struct config_section *section);

/* Returns the name of an application: the entry for the session, otherwise for any session,
 * otherwise NULL. Borrowed from `config`. */
const char *config_application_name(const struct config *config, int64_t session, uint32_t id);

/* Returns the nanoseconds that a probe of that origin ("app", "framework"; others count as app)
 * takes each time it fires. */
int64_t config_probe_overhead(const struct config *config, const char *origin);

/* Returns the module of the longest matching prefix of the name; "other" if there is none. Borrowed
 * from `config`. */
const char *config_module_of_name(const struct config *config, const char *name, size_t length);

/* Returns the name that `kernel_threads` gives a kernel thread, "" if it gives none, NULL for
 * another thread. Borrowed from `config`. */
const char *config_kernel_thread(const struct config *config, const char *process, size_t length);

/* Returns the application of a process: that of the first matching pattern in `process_names`, NULL
 * for a kernel thread, otherwise `process` itself. Borrowed from `config` or `process`. */
const char *config_process_application(const struct config *config, const char *process,
                                       size_t length);

#endif
