/* Reads tracetool.yaml into struct config. Sections declare the possible keys: section.h. */
#include "config/config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "config/section.h"
#include "config/yaml.h"
#include "base/memory.h"

char *config_add_string(struct config_strings *strings, struct yaml_value value, const char *what,
                        struct error *error) {
    strings->items =
        yaml_grow(value.file, strings->items, strings->count, sizeof strings->items[0]);
    strings->items[strings->count] = yaml_copy(value, what, error);
    return strings->items[strings->count] == NULL ? NULL : strings->items[strings->count++];
}

/* Returns the path of a folder that is relative to the configuration file's folder. */
static char *resolve_directory(const char *path, const char *folder) {
    const char *slash = strrchr(path, '/');

    return *folder == '/' || slash == NULL
               ? xstrdup(folder)
               : xasprintf("%.*s/%s", (int)(slash - path), path, folder);
}

static bool read_queries(void *context, struct yaml_value key, struct yaml_value value,
                         struct error *error) {
    struct config *config = context;
    const char *folder = yaml_copy(value, "queries", error);

    if (folder != NULL) {
        config->queries = resolve_directory(value.file->path, folder);
    }
    return folder != NULL;
}

const struct config_section config_queries_section = {
    .name = "queries",
    .help = "Folder with query files of one's own",
    .read = read_queries,
    .names_file = true,
};

/* --- folders whose configuration the user trusts ---------------------------------------------- */

static bool read_trusted_folder(void *context, struct yaml_value key, struct yaml_value value,
                                struct error *error) {
    struct config *config = context;
    const char *folder =
        config_add_string(&config->trusted_folders, value, "a trusted folder", error);

    return folder != NULL &&
           (*folder == '/' || yaml_error(value, error,
                                         "a trusted folder must be an absolute path, such as "
                                         "/home/me/logs, not '%.200s'",
                                         folder));
}

const struct config_section config_trusted_folders_section = {
    .name = "trusted_folders",
    .help = "Folders whose tracetool.yaml may name query files and programs",
    .type = YAML_ITEMS,
    .read = read_trusted_folder,
};

/* Returns whether a folder (with links resolved) is in the list of trusted folders. A listed folder
 * that does not exist is no error: it may be on a disk that is not connected. */
static bool config_is_listed(const struct config *own, const char *folder) {
    bool listed = false;

    for (size_t i = 0; !listed && i < own->trusted_folders.count; i++) {
        char *trusted = realpath(own->trusted_folders.items[i], NULL);

        listed = trusted != NULL && strcmp(trusted, folder) == 0;
        free(trusted);
    }
    return listed;
}

/* The value of a section of the configuration. */
struct config_section_value {
    void *value;    /* section->size bytes; NULL: none yet */
    uint64_t given; /* bit i: key i of the section is in the file */
    size_t line;    /* line of the section in the file; 0: the file does not have it */
};

/* --- values of the configuration's sections --------------------------------------------------- */

static size_t index_of_section(const struct config_section *section) {
    size_t index = 0;

    while (config_sections[index] != NULL && config_sections[index] != section) {
        index++;
    }
    return index;
}

/* Returns the value of a section; creates it with the defaults if needed. */
static struct config_section_value *make_value(struct config *config, size_t index) {
    size_t size = config_sections[index]->size;

    if (config->values == NULL) {
        config->values =
            pool_allocate(&config->pool, (index_of_section(NULL) + 1) * sizeof *config->values);
    }
    if (config->values[index].value == NULL && size > 0) {
        config->values[index].value = pool_allocate(&config->pool, size);
        memcpy(config->values[index].value, config_sections[index]->defaults, size);
    }
    return &config->values[index];
}

/* Returns the context for a section's functions: its value or struct config; NULL if unset. */
static void *context_of_section(const struct config *config, size_t index) {
    if (config_sections[index]->size == 0) {
        return (void *)config;
    }
    return config->values == NULL ? NULL : config->values[index].value;
}

const void *config_value(const struct config *config, const struct config_section *section) {
    const void *value = context_of_section(config, index_of_section(section));

    return value == NULL ? section->defaults : value;
}

/* --- reading sections of a configuration ------------------------------------------------------ */

static bool config_read_value(struct config *config, size_t index, struct yaml_value key,
                              struct yaml_value value, struct error *error) {
    const struct config_section *section = config_sections[index];
    const struct yaml_key whole = {
        .name = section->name, .type = section->type, .read = section->read};
    struct config_section_value *made = make_value(config, index);
    void *context = context_of_section(config, index);

    made->line = yaml_line(key);
    return section->keys == NULL ? yaml_read_known(&whole, context, key, value, error)
                                 : yaml_each_key(value, section->name, section->keys,
                                                 section->key_count, context, &made->given, error);
}

static bool unknown_section(struct yaml_value key, struct error *error) {
    struct text names = {0};

    for (size_t i = 0; config_sections[i] != NULL; i++) {
        text_append_item(&names, config_sections[i]->name);
    }
    yaml_unknown_key(key, text_string(&names), error);
    text_free(&names);
    return false;
}

/* Reads a section by its name. A number as key at the top of a file is read as a component's
 * number, as in the section `components:`, since a file for --symbols may have nothing else. */
static bool read_section(void *context, struct yaml_value key, struct yaml_value value,
                         struct error *error) {
    const char *name = yaml_string(key, "a key", error);
    size_t numbers = index_of_section(NULL);
    uint64_t number;

    if (name == NULL) {
        return false;
    }
    for (size_t i = 0; config_sections[i] != NULL; i++) {
        if (strcmp(config_sections[i]->name, name) == 0) {
            return yaml_is_null(value) || config_read_value(context, i, key, value, error);
        }
        numbers = config_sections[i]->read_number != NULL ? i : numbers;
    }
    if (config_sections[numbers] == NULL ||
        !yaml_parse_unsigned(name, strlen(name), UINT64_MAX, &number)) {
        return unknown_section(key, error);
    }
    make_value(context, numbers);
    return config_sections[numbers]->read_number(context_of_section(context, numbers), key, value,
                                                 error);
}

static bool finish_sections(struct config *config, struct error *error) {
    bool done = true;

    for (size_t i = 0; done && config_sections[i] != NULL; i++) {
        void *context = context_of_section(config, i);

        done = context == NULL || config_sections[i]->finish == NULL ||
               config_sections[i]->finish(context, config->path, error);
    }
    return done;
}

/* Copies the numbers and choices (YAML_NUMBER, YAML_CHOICE) that a section has in `from`.
 * `replace`: also replaces those that `config` has from its own file. */
static void merge_keys(struct config *config, const struct config *from, size_t index,
                       bool replace) {
    const struct config_section *section = config_sections[index];
    const struct config_section_value *other = from->values == NULL ? NULL : &from->values[index];
    struct config_section_value *made;

    if (other == NULL || other->given == 0) {
        return;
    }
    made = make_value(config, index);
    for (size_t i = 0; i < section->key_count; i++) {
        const struct yaml_key *key = &section->keys[i];
        size_t size = key->type == YAML_NUMBER   ? sizeof(int64_t)
                      : key->type == YAML_CHOICE ? sizeof(unsigned)
                                                 : 0;

        if ((other->given >> i & 1) != 0 && (replace || (made->given >> i & 1) == 0)) {
            memcpy((char *)made->value + key->place, (const char *)other->value + key->place, size);
        }
    }
    made->given |= other->given;
}

void config_copy_missing(struct config *config, const struct config *from,
                         const struct config_section *section) {
    merge_keys(config, from, index_of_section(section), false);
}

/* Returns the value of a section that names files or programs; NULL if it is another section, or
 * missing in the file. */
static struct config_section_value *files_named_by_section(const struct config *config,
                                                           size_t index) {
    struct config_section_value *value = config->values == NULL ? NULL : &config->values[index];

    return value != NULL && value->line > 0 && config_sections[index]->names_file ? value : NULL;
}

static bool section_names_files(const struct config *config) {
    size_t i = 0;

    while (config_sections[i] != NULL && files_named_by_section(config, i) == NULL) {
        i++;
    }
    return config_sections[i] != NULL;
}

/* Removes all sections that name files or programs. Appends the sections' names to `names`, quoted
 * and separated by commas. Returns the line of the first one; 0 if there is none. */
static size_t config_remove_files(struct config *config, struct text *names) {
    size_t line = 0;

    for (size_t i = 0; config_sections[i] != NULL; i++) {
        struct config_section_value *value = files_named_by_section(config, i);

        if (value == NULL) {
            continue;
        }
        text_append_format(names, "%s'%s'", names->length == 0 ? "" : ", ",
                           config_sections[i]->name);
        line = line == 0 || value->line < line ? value->line : line;
        *value = (struct config_section_value){0};
    }
    free(config->queries);
    config->queries = NULL;
    return line;
}

/* --- reading configuration files -------------------------------------------------------------- */

bool config_read_builtin(struct config *config, struct error *error) {
    for (size_t i = 0; !config->begun && config_sections[i] != NULL; i++) {
        if (config_sections[i]->begin != NULL) {
            make_value(config, i);
            if (!config_sections[i]->begin(context_of_section(config, i), &config->pool, error)) {
                config_free(config);
                return false;
            }
        }
    }
    config->begun = true;
    return true;
}

bool config_set_defaults(struct config *config, struct error *error) {
    *config = (struct config){0};
    return config_read_builtin(config, error);
}

/* Reads a configuration file into `config`, whose old contents are not freed. */
static bool read_file(const char *path, enum yaml_origin origin, struct config *config,
                      struct error *error) {
    struct yaml_file file;
    bool done;

    if (!config_set_defaults(config, error)) {
        return false;
    }
    if (!yaml_file_read(path, origin, &file, error)) {
        config_free(config);
        return false;
    }
    config->path = xstrdup(path);
    done = yaml_each_pair(yaml_root(&file), "the configuration", read_section, config, error);
    done = done && finish_sections(config, error);
    pool_join(&config->pool, &file.pool);
    yaml_file_free(&file);
    if (!done) {
        config_free(config);
    }
    return done;
}

/* Returns whether to read a file: false if it is missing, or in a folder that the user may not
 * enter, such as HOME with sudo. A file that exists but cannot be read is an error later. */
static bool config_file_exists(const char *path) {
    return access(path, F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR && errno != EACCES);
}

/* Returns the path of the user's configuration, owned by the caller; NULL if neither
 * XDG_CONFIG_HOME nor HOME is set. */
static char *user_path(void) {
    const char *config_home = getenv("XDG_CONFIG_HOME");
    const char *home = getenv("HOME");

    /* The XDG specification requires that a relative path is ignored. */
    if (config_home != NULL && *config_home == '/') {
        return xasprintf("%s/tracetool/config.yaml", config_home);
    }
    return home != NULL && *home != '\0' ? xasprintf("%s/.config/tracetool/config.yaml", home)
                                         : NULL;
}

/* Reads the user's configuration, if it exists. */
static bool config_read_own(const char *path, struct config *config, struct error *error) {
    *config = (struct config){0};
    return path == NULL || !config_file_exists(path) || read_file(path, YAML_FOUND, config, error);
}

/* Finds whether the current folder, where the configuration was found, is trusted. If the file is a
 * symbolic link, the link's folder counts: relative paths start there, and whoever can write there
 * chose the file. */
static bool is_trusted(const struct config *own, bool *trusted, struct error *error) {
    char *folder = realpath(".", NULL);

    if (folder == NULL) {
        return error_set(error, "cannot find out the current folder: %s", strerror(errno));
    }
    *trusted = config_is_listed(own, folder);
    free(folder);
    return true;
}

/* Reads the configuration in the current folder. */
static bool read_found(const char *path, const char *own_path, struct config *config,
                       struct error *error) {
    struct config own;
    bool trusted = false, done;

    if (!read_file(path, YAML_FOUND, config, error)) {
        return false;
    }
    if (!section_names_files(config)) {
        return true;
    }
    done = config_read_own(own_path, &own, error) && is_trusted(&own, &trusted, error);
    if (done && !trusted) {
        /* Since the folder is not trusted, ignores names of query files, plots and formatters,
         * which can run programs. */
        struct text names = {0};
        const size_t line = config_remove_files(config, &names);

        if (line > 0) {
            config->distrusted =
                xasprintf("%s:%zu: ignored %s: this directory is not trusted and its files could "
                          "run programs; give -c %s this time, or list the directory in "
                          "trusted_folders in %s",
                          config->path, line, text_string(&names), config->path,
                          own_path == NULL ? "$HOME/.config/tracetool/config.yaml" : own_path);
        }
        text_free(&names);
    }
    config_free(&own);
    if (!done) {
        config_free(config);
    }
    return done;
}

bool config_read_file(const char *path, struct config *config, struct error *error) {
    char *own;
    bool done;

    if (path != NULL) {
        return read_file(path, YAML_NAMED, config, error);
    }
    own = user_path();
    done = config_file_exists("tracetool.yaml") ? read_found("tracetool.yaml", own, config, error)
                                                : config_read_own(own, config, error);
    free(own);
    return done;
}

bool config_read(const char *path, struct config *config, struct error *error) {
    return config_read_file(path, config, error) && config_read_builtin(config, error);
}

bool config_add_symbols(struct config *config, const char *path, struct error *error) {
    struct config symbols;

    if (!config_read(path, &symbols, error)) {
        return false;
    }
    for (size_t i = 0; config_sections[i] != NULL; i++) {
        const struct config_section *section = config_sections[i];
        const void *context = context_of_section(&symbols, i);

        if (section->take == NULL && section->takes_keys) {
            merge_keys(config, &symbols, i, true);
        } else if (section->take != NULL && context != NULL) {
            make_value(config, i);
            section->take(context_of_section(config, i), context);
        }
    }
    pool_join(&config->pool, &symbols.pool);
    config_free(&symbols);
    return true;
}

void config_free(struct config *config) {
    for (size_t i = 0; config_sections[i] != NULL; i++) {
        void *context = context_of_section(config, i);

        if (context != NULL && config_sections[i]->free != NULL) {
            config_sections[i]->free(context);
        }
    }
    free(config->queries);
    free(config->path);
    free(config->distrusted);
    pool_free(&config->pool);
    *config = (struct config){0};
}
