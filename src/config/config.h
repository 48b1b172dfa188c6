/* The user's configuration: a YAML file that is read once at the start. Every section may be
 * missing and has defaults. Unknown keys are errors, with file and line, so that no mistake is
 * ignored. tracetool-config(5) describes all keys.
 *
 * Settings for the whole program are here; importers declare those of their formats:
 * config/section.h. */
#ifndef TRACETOOL_CONFIG_H
#define TRACETOOL_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/memory.h"

/* An entry of `applications:`, the name for a database ID: `0x00012345: Memo Pad`. An ID is unique
 * only between two resets of a device; `2/0x00012345: …` is for its session 2 only. */
struct config_application {
    uint32_t id;
    int64_t session; /* number of the session, from 1; 0: all sessions */
    char *name;      /* name of the application: UTF-8, NUL-terminated */
    size_t line;     /* line in the file, for error messages */
};

/* An entry of `file_types:`, a rule for the type of a file. If several rules fit, the last one
 * decides. */
struct config_file_type {
    char *type;      /* "sqlite-db" */
    char *extension; /* such as "db" or "db-j$6": see file_type.h */
};

/* An entry of `partitions:`. If several contain an I/O, the first one decides. */
struct config_partition {
    char *name;
    int64_t device;       /* major << 20 | minor; -1: any device */
    int64_t first_sector; /* first sector, of 512 bytes each */
    int64_t sectors;      /* number of sectors; 0: up to the end of the device */
};

/* An entry of `overhead:`, the time that a probe takes, in nanoseconds. */
struct config_overhead {
    bool has_app, has_framework;
    int64_t app, framework;
};

/* An entry of `modules:`, a prefix of names; sorted by bytes. */
struct config_module_prefix {
    char *prefix;
    size_t length;
    size_t module; /* index of the module's name in config.modules */
    size_t
        shorter; /* 1 + index of the longest other prefix that is a prefix of this one; 0: none */
    size_t line; /* line in the file, for error messages */
};

/* An entry of `process_names:`. If several patterns fit a process, the first one decides. */
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

/* The configuration. All is in its pool, except for owned members. */
struct config {
    char *path; /* owned; path of the file that was read; NULL: none was */

    struct config_application *applications;
    size_t application_count;

    /* From `file_types:`, the name of a built-in list (`file_types: most`), or else rules, from a
     * map of types to lists of extensions. Only one of the two is set; by default, this is
     * "most". */
    char *file_type_list;
    struct config_file_type *file_types;
    size_t file_type_count;

    /* From `partitions:`, a list of entries such as `{name: /data, device: 179:28}` or `{name:
     * /cache, first: 4079616, sectors: 1048576}`, or with all of these. */
    struct config_partition *partitions;
    size_t partition_count;

    struct config_overhead overhead;

    struct config_strings modules; /* names of modules */
    struct config_module_prefix *module_prefixes;
    size_t module_prefix_count;

    struct config_process_name *process_names;
    size_t process_name_count;

    struct config_strings kernel_threads; /* patterns for names of kernel threads */
    bool has_kernel_threads;              /* true: from the file; else built-in patterns are used */
    struct config_process_name *kernel_roles; /* names for kernel threads that fit a pattern */
    size_t kernel_role_count;

    char *queries; /* owned; folder of the user's query files, from `queries:`; NULL: none */

    /* From `trusted_folders: [/absolute, …]`, which only the user's own configuration may have. */
    struct config_strings trusted_folders;

    char *distrusted; /* message that sections with names of files or programs, such as `queries`,
                         were ignored; NULL: none was */

    bool begun; /* true: built-in values have been added: config_read_builtin() */
    struct config_section_value *values; /* values of sections that importers declare: section.h */
    struct pool pool;
};

/* Reads the configuration file `path`. NULL: reads tracetool.yaml in the current folder; else
 * $XDG_CONFIG_HOME/tracetool/config.yaml (by default in ~/.config); else takes the defaults. A
 * relative folder in `queries:` starts from the file's folder.
 *
 * In the current folder's file, `queries:` and programs in `formatters:` need trust: the user's own
 * configuration must list the folder, without links, in `trusted_folders`. Otherwise they are
 * ignored, and `distrusted` is set. Both files must be regular ones; `path` may be a pipe. Limits:
 * 16 MiB, and those of yaml.h. Nothing needs freeing after a failure. */
bool config_read(const char *path, struct config *config, struct error *error);

/* Like config_read(), but if there is no file, leaves out built-in values of sections (declared
 * formats) until config_read_builtin(): reading them takes as long as a short report. If
 * config_read_builtin() fails, it frees `config`. */
bool config_read_file(const char *path, struct config *config, struct error *error);
bool config_read_builtin(struct config *config, struct error *error);

/* Sets all defaults, as config_read() does without a file. */
bool config_set_defaults(struct config *config, struct error *error);

void config_free(struct config *config);

/* Reads names from another file (--symbols) into `config`. What it has in the sections
 * applications, components, file_types and partitions, and keys of dwtrace, replaces what `config`
 * has. Ignores other sections. On failure `config` does not change. */
bool config_add_symbols(struct config *config, const char *path, struct error *error);

/* Returns the value of a section, or its defaults if the file does not have it. Borrowed. */
const void *config_value(const struct config *config, const struct config_section *section);

/* Copies numbers and choices of a section from `from`, if `config` was given none of its own. */
void config_copy_missing(struct config *config, const struct config *from,
                         const struct config_section *section);

/* Returns the name of an application in a session: of the entry for this session, else of that for
 * all sessions; NULL if there is none. Borrowed from `config`. */
const char *config_application_name(const struct config *config, int64_t session, uint32_t id);

/* Returns the nanoseconds that a probe takes each time it fires. `origin`: "app" or "framework";
 * others count as "app". */
int64_t config_probe_overhead(const struct config *config, const char *origin);

/* Returns the module of a name: the one with the longest prefix that fits; "other" if none fits.
 * Borrowed from `config`. */
const char *config_module_of_name(const struct config *config, const char *name, size_t length);

/* Returns the name that `kernel_threads:` gives a kernel thread; "" if it gives none; NULL if the
 * process is no kernel thread. Borrowed from `config`. */
const char *config_kernel_thread(const struct config *config, const char *process, size_t length);

/* Returns the application that a process belongs to: by the first pattern in `process_names:` that
 * fits; else NULL for a kernel thread, `process` for others. Borrowed from `config` or
 * `process`. */
const char *config_process_application(const struct config *config, const char *process,
                                       size_t length);

#endif
