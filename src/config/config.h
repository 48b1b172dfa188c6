/* The user's configuration: one YAML file, read once at start.
 *
 * Every section is optional; what is not there has the program's default. Unknown keys are an
 * error that names the file and the line, so that a misspelt key is never silently ignored.
 * tracetool-config(5) documents each key.
 */
#ifndef TRACETOOL_CONFIG_H
#define TRACETOOL_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

/* `applications:` maps a database ID to a name: `0x00012345: Memo Pad`. An ID is only unique
 * between two resets, so `2/0x00012345: …` names it in session 2 alone. */
struct config_application {
    uint32_t id;
    int64_t session; /* counted from 1; 0: any session */
    char *name;      /* UTF-8, NUL-terminated */
};

/* A range of trap IDs, both ends included; traps may also be given by name. */
struct config_trap {
    uint16_t first, last; /* when name is NULL */
    char *name;
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

/* `components:` one component of the traced program. */
struct config_component {
    uint32_t number;
    char *name;  /* UTF-8; NULL: only its functions have names */
    size_t line; /* in the file, for messages */
};

/* One of its functions. */
struct config_function {
    uint32_t component, number;
    char *name;  /* UTF-8 */
    size_t line; /* in the file, for messages */
    bool shared; /* a function of another component has the name, too */
};

enum config_byte_order { CONFIG_BYTE_ORDER_AUTO, CONFIG_LITTLE_ENDIAN, CONFIG_BIG_ENDIAN };

/* `dwtrace:` what a writer of such logs may do differently. */
struct config_dwtrace {
    enum config_byte_order byte_order; /* auto: the magic tells */
    unsigned component_bits;           /* 1 to 31; 0: not given, see config_component_bits() */
    bool has_timestamp_bits;           /* else the header tells */
    unsigned timestamp_bits;           /* 0 (none), 32 or 64 */
    int64_t clock_hz;                  /* counter units a second, up to 10^12; 0: not known */
    unsigned header_size;              /* bytes, 16 to 4096; 0: not given, 16 */
};

/* Columns of an RMP time log, and of a list of its probes. */
enum config_rmp_column {
    CONFIG_RMP_TIME,
    CONFIG_RMP_PID,
    CONFIG_RMP_TID,
    CONFIG_RMP_POINT,
    CONFIG_RMP_PROBE,
    CONFIG_RMP_CALLER,
    CONFIG_RMP_NAME = 0,
    CONFIG_RMP_RESOLUTION,
    CONFIG_RMP_ORIGIN,
    CONFIG_RMP_STATUS,
    CONFIG_RMP_SKIP = 6, /* a column that is passed over */
};
#define CONFIG_RMP_COLUMNS      7  /* how many of them there are */
#define CONFIG_MOST_RMP_COLUMNS 32 /* in a line */

struct config_columns {
    char separator; /* as read, NUL: not given */
    size_t count;
    uint8_t order[CONFIG_MOST_RMP_COLUMNS]; /* enum config_rmp_column */
};

/* `rmp:` how the lines of such logs are written; see config_rmp_columns(). */
struct config_rmp {
    struct config_columns events, probes; /* as read, count 0: not given */
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

struct config {
    char *path; /* of the file that was read; NULL when there was none */

    struct config_application *applications;
    size_t application_count;

    /* `palmist: { loggable: [...], not_logged: [...], record_size: N }`; loggable: the whole set of
     * instrumented traps, as names, IDs or ranges `0xA000-0xA0FF`; without it the default set. */
    struct config_trap *loggable;
    size_t loggable_count;
    bool has_loggable;
    struct config_trap *not_logged;
    size_t not_logged_count;
    bool has_not_logged;
    int64_t record_size; /* 0: found out by walking */

    /* `file_types:` either the name of a shipped list (`file_types: most`) or a map from type to a
     * list of extensions. Exactly one of the two is set; with neither, list name "most". */
    char *file_type_list;
    struct config_file_type *file_types;
    size_t file_type_count;

    /* `partitions:` a list of `{name: /data, device: 179:28}` or `{name: /cache, first: 4079616,
     * sectors: 1048576}`, or both. */
    struct config_partition *partitions;
    size_t partition_count;

    /* `components:` by number, functions by component and number. */
    struct config_component *components;
    size_t component_count;
    struct config_function *functions;
    size_t function_count;

    struct config_dwtrace dwtrace;
    struct config_rmp rmp;
    struct config_overhead overhead;

    char **modules; /* names */
    size_t module_count;
    struct config_module_prefix *module_prefixes;
    size_t module_prefix_count;

    char *queries;       /* `queries: DIRECTORY` with the user's own query files; NULL for none */
    size_t queries_line; /* in the file, for messages */

    /* `trusted_folders: [/absolute, …]`; only those of the user's own configuration count. */
    char **trusted_folders;
    size_t trusted_folder_count;

    char *distrusted; /* what to tell the user when `queries` was not regarded; else NULL */
};

/* Reads `path`; when it is NULL, tracetool.yaml in the current directory, else
 * $XDG_CONFIG_HOME/tracetool/config.yaml (~/.config when the variable is not set), else defaults.
 * A relative `queries:` is taken from the configuration file's own folder. The current directory's
 * file may only have one when the user's own configuration lists that directory, without symbolic
 * links, in `trusted_folders`; else it is left out, and `distrusted` is set. Those two files must
 * be regular ones; `path` may be a pipe. Limits: 16 MiB, those of yaml.h. On failure `config` needs
 * no freeing. */
bool config_read(const char *path, struct config *config, struct error *error);

void config_free(struct config *config);

/* Reads names from a further file into `config`: those of its sections applications, components,
 * file_types and partitions that are not empty, and the keys of dwtrace, replace what is there. The
 * other sections are not used. On failure `config` is as it was. */
bool config_add_symbols(struct config *config, const char *path, struct error *error);

/* The name of an application: an entry for the session, else one for any session, else NULL.
 * Borrowed from `config`. */
const char *config_application_name(const struct config *config, int64_t session, uint32_t id);

/* How many of the 32 bits of a dwTrace function are the number of its component, from the top. */
static inline unsigned config_component_bits(const struct config *config) {
    return config->dwtrace.component_bits == 0 ? 16 : config->dwtrace.component_bits;
}

/* The name of a component, NULL when it has none. Borrowed from `config`. */
const char *config_component_name(const struct config *config, uint32_t number);

/* Appends the name of a function as it is shown: behind that of its component (or the hex digits of
 * its number) and a colon when a function of another component has the same. False, and nothing is
 * appended, when it has none. */
bool config_function_name(const struct config *config, uint32_t component, uint32_t function,
                          struct text *out);

/* The columns of an RMP time log and of a list of probes, in the order of the line. */
struct config_columns config_rmp_columns(const struct config *config);
struct config_columns config_rmp_probe_columns(const struct config *config);

/* Nanoseconds that a probe of that origin ("app", "framework"; anything else counts as app) takes
 * each time it fires. */
int64_t config_probe_overhead(const struct config *config, const char *origin);

/* The module of the longest prefix with which the name begins, "other" when there is none. Borrowed
 * from `config`. */
const char *config_module(const struct config *config, const char *name, size_t length);

#endif
