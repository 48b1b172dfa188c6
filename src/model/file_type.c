#include "model/file_type.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/words.h"

struct file_type_rule {
    char *type;      /* owned */
    char *extension; /* owned; file name extension, without `$N` */
    size_t length;   /* length of the extension */
    size_t more;     /* number of bytes that must follow the extension: N of `$N` */
};

struct shipped_rule {
    const char *type;
    const char *extensions; /* extensions, separated by blanks */
};

static const struct shipped_rule most_rules[] = {
    {"sqlite-db", "db"},
    {"sqlite-journal", "db-j$6 journal"},
    {"sqlite-wal", "db-w$2 wal"},
    {"sqlite-temp", "db-s$2 shm db-mj$9 db-mj$10"},
    {"multimedia", "jpg 3gp mp3 mp4 MOV avi thumb"},
    {"executable", "so dex apk odex"},
    {"resource", "dat xml cache locals$6 thumbdata3"},
    {"temp", "bak tmp temp"},
    {"tracer", "uio ufls um umd"},
    {NULL, NULL},
};

/* Table II of the paper by Kim et al. The table's third row covers the SQLite files other than the
 * database and the rollback journal. */
static const struct shipped_rule realtime_rules[] = {
    {"sqlite-db", "db"},
    {"sqlite-journal", "db-journal"},
    {"sqlite-other", "db-mj$8 db-mj$9 db-mj$10 db-wal"},
    {"multimedia", "jpg 3gp mp3 thumb local"},
    {"executable", "so dex odex apk"},
    {"resource", "localstorage dat xml thumbdata3 cache"},
    {NULL, NULL},
};

static const struct shipped_list {
    const char *name;
    const struct shipped_rule *rules;
    const char *other;
} lists[] = {
    {"most", most_rules, "other"},
    {"realtime", realtime_rules, "miscellaneous"},
};

static void file_type_add_rule(struct file_types *types, const char *type, const char *extension,
                               size_t length) {
    const char *dollar = memchr(extension, '$', length);
    struct file_type_rule *rule;

    types->rules = xrealloc(types->rules, (types->count + 1) * sizeof *types->rules);
    rule = &types->rules[types->count++];
    rule->length = dollar == NULL ? length : (size_t)(dollar - extension);
    rule->more = dollar == NULL ? 0 : strtoul(dollar + 1, NULL, 10);
    rule->type = xstrdup(type);
    rule->extension = xstrndup(extension, rule->length);
}

static void add_shipped(struct file_types *types, const struct shipped_rule *rules) {
    for (; rules->type != NULL; rules++) {
        const char *extension = rules->extensions;

        while (*extension != '\0') {
            size_t length = strcspn(extension, " ");

            file_type_add_rule(types, rules->type, extension, length);
            extension += length + (extension[length] == ' ');
        }
    }
}

static bool add_list(struct file_types *types, const struct config *config, struct error *error) {
    const char *name = config->file_type_list == NULL ? "most" : config->file_type_list;
    const struct shipped_list *list =
        find_named(lists, sizeof lists / sizeof lists[0], sizeof lists[0], name);

    if (list == NULL) {
        return error_set(error,
                         "%s: there is no list of file types '%s'; there are most and realtime",
                         config->path == NULL ? "configuration" : config->path, name);
    }
    types->other = xstrdup(list->other);
    add_shipped(types, list->rules);
    return true;
}

bool file_types_init(struct file_types *types, const struct config *config, struct error *error) {
    *types = (struct file_types){0};
    if (config->file_type_count == 0) {
        return add_list(types, config, error);
    }
    types->other = xstrdup("other");
    for (size_t i = 0; i < config->file_type_count; i++) {
        const struct config_file_type *rule = &config->file_types[i];

        file_type_add_rule(types, rule->type, rule->extension, strlen(rule->extension));
    }
    return true;
}

void file_types_free(struct file_types *types) {
    for (size_t i = 0; i < types->count; i++) {
        free(types->rules[i].type);
        free(types->rules[i].extension);
    }
    free(types->rules);
    free(types->other);
    *types = (struct file_types){0};
}

static bool file_type_fits(const struct file_type_rule *rule, const char *name, size_t length) {
    size_t size = rule->length + rule->more;
    const char *begin;

    if (length <= size) {
        return false;
    }
    begin = name + length - size;
    return (begin[-1] == '.' || begin[-1] == '-' || begin[-1] == '_') &&
           memcmp(begin, rule->extension, rule->length) == 0;
}

const char *file_types_find(const struct file_types *types, const char *name, size_t length) {
    for (size_t i = types->count; length > 0 && i-- > 0;) {
        if (file_type_fits(&types->rules[i], name, length)) {
            return types->rules[i].type;
        }
    }
    return types->other;
}
