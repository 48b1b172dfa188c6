/* The user's configuration: one YAML file, read once at start.
 *
 * Every section is optional; what is not there has the program's default. Unknown keys are an
 * error that names the file and the line, so that a misspelt key is never silently ignored.
 * tracetool-config(5) documents each key. What several parts of the program ask for is here; the
 * settings of a format are its importer's: config/section.h.
 */
#ifndef TRACETOOL_CONFIG_H
#define TRACETOOL_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/memory.h"

/* `applications:` maps a database ID to a name: `0x00012345: Memo Pad`. An ID is only unique
 * between two resets, so `2/0x00012345: …` names it in session 2 alone. */
struct config_application {
    uint32_t id;
    int64_t session; /* counted from 1; 0: any session */
    char *name;      /* UTF-8, NUL-terminated */
    size_t line;     /* in the file, for messages */
};

/* `file_types:` one rule; the last rule that matches wins. */
struct config_file_type {
    char *type;      /* "sqlite-db" */
    char *extension; /* "db", "db-j$6": see file_type.h */
};

/* `partitions:` one entry; the first that fits an I/O wins. */
struct config_partition {
    char *name;
    int64_t device;       /* major << 20 | minor; -1: any */
    int64_t first_sector; /* of 512 bytes */
    int64_t sectors;      /* 0: the whole device */
};

/* `overhead:` what a probe takes, in nanoseconds. */
struct config_overhead {
    bool has_app, has_framework;
    int64_t app, framework;
};

/* `modules:` a prefix of names. Sorted by its bytes. */
struct config_module_prefix {
    char *prefix;
    size_t length;
    size_t module;  /* index of the name in config.modules */
    size_t shorter; /* 1 + index of the longest other prefix that this one begins with; 0: none */
    size_t line;    /* in the file, for messages */
};

/* `process_names:` one entry; the first pattern that a process fits wins. */
struct config_process_name {
    char *pattern, *name;
};

struct config_section;
struct config_section_value;

/* Zeroed: none. */
struct config_strings {
    char **items;
    size_t count;
};

/* In memory of the pool, but for what is owned. */
struct config {
    char *path; /* owned; of the file that was read; NULL when there was none */

    struct config_application *applications;
    size_t application_count;

    /* `file_types:` either the name of a shipped list (`file_types: most`) or a map from type to a
     * list of extensions. Exactly one of the two is set; with neither, list name "most". */
    char *file_type_list;
    struct config_file_type *file_types;
    size_t file_type_count;

    /* `partitions:` a list of `{name: /data, device: 179:28}` or `{name: /cache, first: 4079616,
     * sectors: 1048576}`, or both. */
    struct config_partition *partitions;
    size_t partition_count;

    struct config_overhead overhead;

    struct config_strings modules; /* names */
    struct config_module_prefix *module_prefixes;
    size_t module_prefix_count;

    struct config_process_name *process_names;
    size_t process_name_count;

    struct config_strings kernel_threads; /* patterns */
    bool has_kernel_threads;              /* the file says them; else the program's own are meant */

    char *queries; /* owned; `queries: DIRECTORY` with the user's own query files; NULL for none */

    /* `trusted_folders: [/absolute, …]`; only those of the user's own configuration count. */
    struct config_strings trusted_folders;

    char *distrusted; /* what to tell the user when a section that names files or programs, such
                         as `queries`, was not regarded; else NULL */

    bool begun;                          /* what the program itself has is in it: config_begin() */
    struct config_section_value *values; /* of sections that importers declare: section.h */
    struct pool pool;
};

/* Reads `path`; when it is NULL, tracetool.yaml in the current directory, else
 * $XDG_CONFIG_HOME/tracetool/config.yaml (~/.config when the variable is not set), else defaults.
 * A relative `queries:` is taken from the configuration file's own folder. The current directory's
 * file may only have one, or programs under `formatters:`, when the user's own configuration lists
 * that directory, without symbolic links, in `trusted_folders`; else it is left out, and
 * `distrusted` is set. Those two files must be regular ones; `path` may be a pipe. Limits: 16 MiB,
 * those of yaml.h. On failure `config` needs no freeing. */
bool config_read(const char *path, struct config *config, struct error *error);

/* The same, but where there is no file what the program itself has of sections, formats that are
 * declared, is left out until config_begin(): to read it takes as long as a short report. When that
 * fails `config` is freed. */
bool config_read_file(const char *path, struct config *config, struct error *error);
bool config_begin(struct config *config, struct error *error);

/* What config_read() gives where there is no file. */
bool config_defaults(struct config *config, struct error *error);

void config_free(struct config *config);

/* Reads names from a further file into `config`: those of its sections applications, components,
 * file_types and partitions that are not empty, and the keys of dwtrace, replace what is there. The
 * other sections are not used. On failure `config` is as it was. */
bool config_add_symbols(struct config *config, const char *path, struct error *error);

/* What the configuration says of a section that an importer, or another part, declares and keeps a
 * value of: that value, or the section's defaults. Borrowed. */
const void *config_value(const struct config *config, const struct config_section *section);

/* Gives `config` the numbers and choices of such a section that it does not say itself and `from`
 * does. */
void config_complete(struct config *config, const struct config *from,
                     const struct config_section *section);

/* The name of an application: an entry for the session, else one for any session, else NULL.
 * Borrowed from `config`. */
const char *config_application_name(const struct config *config, int64_t session, uint32_t id);

/* Nanoseconds that a probe of that origin ("app", "framework"; anything else counts as app) takes
 * each time it fires. */
int64_t config_probe_overhead(const struct config *config, const char *origin);

/* The module of the longest prefix with which the name begins, "other" when there is none. Borrowed
 * from `config`. */
const char *config_module(const struct config *config, const char *name, size_t length);

/* The application of a process: that of the first pattern of `process_names` that it fits, NULL for
 * a kernel thread, else `process` itself. Borrowed from `config`, or `process`. */
const char *config_process_application(const struct config *config, const char *process,
                                       size_t length);

#endif
