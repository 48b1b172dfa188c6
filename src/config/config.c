/* tracetool.yaml: from YAML to struct config. What is in it is said by the sections: section.h. */
#include "config/config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "config/section.h"
#include "config/yaml.h"
#include "base/memory.h"

/* ---- queries ---- */

/* A relative folder counts from the configuration file's own. */
static char *resolve(const char *path, const char *folder) {
    const char *slash = strrchr(path, '/');

    if (*folder == '/' || slash == NULL) {
        return xstrdup(folder);
    }
    return xasprintf("%.*s/%s", (int)(slash - path), path, folder);
}

static bool read_queries(void *context, struct yaml_value key, struct yaml_value value,
                         struct error *error) {
    struct config *config = context;
    char *folder = yaml_copy(value, "queries", error);

    (void)key;
    if (folder == NULL) {
        return false;
    }
    config->queries = resolve(value.file->path, folder);
    free(folder);
    return true;
}

static void free_queries(void *context) {
    struct config *config = context;

    free(config->queries);
    config->queries = NULL;
}

const struct config_section config_queries_section = {
    .name = "queries",
    .help = "Folder with query files of one's own",
    .read = read_queries,
    .free = free_queries,
    .names_file = true,
};

/* ---- trusted folders ---- */

static bool read_trusted_folder(void *context, struct yaml_value key, struct yaml_value value,
                                struct error *error) {
    struct config *config = context;
    char **folders =
        config_grow(config->trusted_folders, config->trusted_folder_count, sizeof folders[0]);
    char *folder;

    (void)key;
    config->trusted_folders = folders;
    folder = yaml_copy(value, "a trusted folder", error);
    if (folder == NULL) {
        return false;
    }
    folders[config->trusted_folder_count++] = folder;
    return *folder == '/' || yaml_error(value, error,
                                        "a trusted folder must be an absolute path, such as "
                                        "/home/me/logs, not '%.200s'",
                                        folder);
}

static bool read_trusted_folders(void *context, struct yaml_value key, struct yaml_value value,
                                 struct error *error) {
    (void)key;
    return yaml_each_item(value, "trusted_folders", read_trusted_folder, context, error);
}

static void free_trusted_folders(void *context) {
    struct config *config = context;

    for (size_t i = 0; i < config->trusted_folder_count; i++) {
        free(config->trusted_folders[i]);
    }
    free(config->trusted_folders);
}

const struct config_section config_trusted_folders_section = {
    .name = "trusted_folders",
    .help = "Folders whose tracetool.yaml may name query files and programs",
    .read = read_trusted_folders,
    .free = free_trusted_folders,
};

/* Compared without symbolic links. What is listed but not there is no mistake: a disk may be away.
 */
static bool is_listed(const struct config *own, const char *folder) {
    bool listed = false;

    for (size_t i = 0; !listed && i < own->trusted_folder_count; i++) {
        char *trusted = realpath(own->trusted_folders[i], NULL);

        listed = trusted != NULL && strcmp(trusted, folder) == 0;
        free(trusted);
    }
    return listed;
}

/* ---- the whole ---- */

static struct config_values values_of(const struct config *config) {
    return (struct config_values){(struct config_section_value **)&config->values, (void *)config};
}

const void *config_value(const struct config *config, const struct config_section *section) {
    return config_section_value(values_of(config), section);
}

bool config_complete(struct config *config, const struct config *from,
                     const struct config_section *section, struct error *error) {
    return config_section_complete(values_of(config), values_of(from), section, error);
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

/* A symbols file may hold nothing but components: a number at the top is one. */
static bool read_section(void *context, struct yaml_value key, struct yaml_value value,
                         struct error *error) {
    const char *name = yaml_string(key, "a key", error);
    const struct config_section *numbers = NULL;
    uint64_t number;

    if (name == NULL) {
        return false;
    }
    for (size_t i = 0; config_sections[i] != NULL; i++) {
        if (strcmp(config_sections[i]->name, name) == 0) {
            return yaml_is_null(value) ||
                   config_section_read(values_of(context), config_sections[i], key, value, error);
        }
        numbers = config_sections[i]->read_number != NULL ? config_sections[i] : numbers;
    }
    return numbers != NULL && yaml_parse_unsigned(name, strlen(name), UINT64_MAX, &number)
               ? config_section_read_number(values_of(context), numbers, key, value, error)
               : unknown_section(key, error);
}

bool config_begin(struct config *config, struct error *error) {
    if (!config->begun && !config_sections_begin(values_of(config), error)) {
        config_free(config);
        return false;
    }
    config->begun = true;
    return true;
}

bool config_defaults(struct config *config, struct error *error) {
    *config = (struct config){0};
    return config_begin(config, error);
}

/* What is in `config` before is not freed. */
static bool read_file(const char *path, enum yaml_origin origin, struct config *config,
                      struct error *error) {
    struct yaml_file file;
    bool done;

    if (!config_defaults(config, error)) {
        return false;
    }
    if (!yaml_file_read(path, origin, &file, error)) {
        config_free(config);
        return false;
    }
    config->path = xstrdup(path);
    done = yaml_each_pair(yaml_root(&file), "the configuration", read_section, config, error);
    done = done && config_sections_finish(values_of(config), config->path, error);
    yaml_file_free(&file);
    if (!done) {
        config_free(config);
    }
    return done;
}

/* Only what is not there is passed over: a file that may not be read is an error. */
static bool exists(const char *path) {
    return access(path, F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR);
}

/* The user's own file, to be freed; NULL when the environment does not say where that would be. */
static char *user_path(void) {
    const char *config_home = getenv("XDG_CONFIG_HOME");
    const char *home = getenv("HOME");

    /* The XDG specification wants a relative path to be ignored. */
    if (config_home != NULL && *config_home == '/') {
        return xasprintf("%s/tracetool/config.yaml", config_home);
    }
    return home != NULL && *home != '\0' ? xasprintf("%s/.config/tracetool/config.yaml", home)
                                         : NULL;
}

/* The user's own configuration, when there is one. */
static bool read_own(const char *path, struct config *config, struct error *error) {
    *config = (struct config){0};
    return path == NULL || !exists(path) || read_file(path, YAML_FOUND, config, error);
}

/* Where the file was found, not where a link leads: that is what relative paths count from, and who
 * can write there chose the file. */
static bool is_trusted(const struct config *own, bool *trusted, struct error *error) {
    char *folder = realpath(".", NULL);

    if (folder == NULL) {
        return error_set(error, "cannot find out the current folder: %s", strerror(errno));
    }
    *trusted = is_listed(own, folder);
    free(folder);
    return true;
}

/* Anybody may have put the file there, and query files and pictures are programs, as formatters
 * are: without the user's word they are not regarded. */
static void distrust(struct config *config, const char *own_path) {
    struct text names = {0};
    size_t line;

    if (config_sections_forget_files(values_of(config), &names, &line)) {
        config->distrusted =
            xasprintf("%s:%zu: ignored %s: this directory is not trusted and its files could "
                      "run programs; give -c %s this time, or list the directory in "
                      "trusted_folders in %s",
                      config->path, line, text_string(&names), config->path,
                      own_path == NULL ? "$HOME/.config/tracetool/config.yaml" : own_path);
    }
    text_free(&names);
}

/* The current folder's file. */
static bool read_found(const char *path, const char *own_path, struct config *config,
                       struct error *error) {
    struct config own;
    bool trusted = false, done;

    if (!read_file(path, YAML_FOUND, config, error)) {
        return false;
    }
    if (!config_sections_name_files(values_of(config))) {
        return true;
    }
    done = read_own(own_path, &own, error) && is_trusted(&own, &trusted, error);
    if (done && !trusted) {
        distrust(config, own_path);
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
    done = exists("tracetool.yaml") ? read_found("tracetool.yaml", own, config, error)
                                    : read_own(own, config, error);
    free(own);
    return done;
}

bool config_read(const char *path, struct config *config, struct error *error) {
    return config_read_file(path, config, error) && config_begin(config, error);
}

/* What is replaced goes into `symbols`, which is freed. */
bool config_add_symbols(struct config *config, const char *path, struct error *error) {
    struct config symbols;
    bool done;

    if (!config_read(path, &symbols, error)) {
        return false;
    }
    done = config_sections_take(values_of(config), values_of(&symbols), error);
    config_free(&symbols);
    return done;
}

void config_free(struct config *config) {
    config_sections_free(values_of(config));
    free(config->path);
    free(config->distrusted);
    *config = (struct config){0};
}
