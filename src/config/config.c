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

/* ---- queries ---- */

/* A relative folder counts from the configuration file's own. */
static char *resolve(const char *path, const char *folder) {
    const char *slash = strrchr(path, '/');
    char *resolved = NULL;

    if (*folder == '/' || slash == NULL) {
        return strdup(folder);
    }
    if (asprintf(&resolved, "%.*s/%s", (int)(slash - path), path, folder) < 0) {
        return NULL;
    }
    return resolved;
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
    return config->queries != NULL || error_no_memory(error);
}

static void free_queries(void *context) {
    free(((struct config *)context)->queries);
}

const struct config_section config_queries_section = {
    .name = "queries",
    .help = "Folder with query files of one's own",
    .read = read_queries,
    .free = free_queries,
    .names_file = true,
};

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

static bool read_file(const char *path, struct config *config, struct error *error) {
    struct yaml_file file;
    bool done;

    if (!yaml_file_read(path, &file, error)) {
        return false;
    }
    config->path = strdup(path);
    done = config->path != NULL || error_no_memory(error);
    done =
        done && yaml_each_pair(yaml_root(&file), "the configuration", read_section, config, error);
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

/* Sets `*path` to the user's own file, to be freed; to NULL when the environment does not say where
 * that would be. */
static bool user_path(char **path, struct error *error) {
    const char *config_home = getenv("XDG_CONFIG_HOME");
    const char *home = getenv("HOME");
    int length = 0;

    *path = NULL;
    /* The XDG specification wants a relative path to be ignored. */
    if (config_home != NULL && *config_home == '/') {
        length = asprintf(path, "%s/tracetool/config.yaml", config_home);
    } else if (home != NULL && *home != '\0') {
        length = asprintf(path, "%s/.config/tracetool/config.yaml", home);
    }
    return length >= 0 || error_no_memory(error);
}

bool config_read(const char *path, struct config *config, struct error *error) {
    char *user;
    bool done = true;

    *config = (struct config){0};
    if (path == NULL && exists("tracetool.yaml")) {
        path = "tracetool.yaml";
    }
    if (path != NULL) {
        return read_file(path, config, error);
    }
    if (!user_path(&user, error)) {
        return false;
    }
    if (user != NULL && exists(user)) {
        done = read_file(user, config, error);
    }
    free(user);
    return done;
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
    *config = (struct config){0};
}
