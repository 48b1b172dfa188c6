/* `applications:` names of applications, by database ID. */
#include <stdlib.h>
#include <string.h>

#include "config/config.h"
#include "config/section.h"
#include "base/memory.h"

#define MOST_SESSIONS 1000000000

/* The line is only known while reading; it is for the message about two names. */
struct application_line {
    struct config_application application;
    size_t line;
};

struct application_list {
    struct application_line *lines;
    size_t count;
};

/* "0x00012345", "74565" or "2/0x00012345". */
static bool parse_application(const char *key, struct config_application *application) {
    const char *slash = strchr(key, '/');
    const char *id = slash == NULL ? key : slash + 1;
    uint64_t number = 0;

    if (slash != NULL) {
        if (!yaml_parse_unsigned(key, (size_t)(slash - key), MOST_SESSIONS, &number) ||
            number == 0) {
            return false;
        }
        application->session = (int64_t)number;
    }
    if (!yaml_parse_unsigned(id, strlen(id), UINT32_MAX, &number)) {
        return false;
    }
    application->id = (uint32_t)number;
    return true;
}

static bool read_application(void *context, struct yaml_value key, struct yaml_value value,
                             struct error *error) {
    struct application_list *list = context;
    struct application_line line = {.line = yaml_line(key)};
    const char *id = yaml_string(key, "the ID of an application", error);
    struct application_line *lines;

    if (id == NULL) {
        return false;
    }
    if (!parse_application(id, &line.application)) {
        return yaml_error(key, error,
                          "'%.100s' is not the ID of an application; write 0x00012345, a decimal "
                          "number without leading zeros, or 2/0x00012345 for session 2 alone",
                          id);
    }
    lines = config_grow(list->lines, list->count, sizeof lines[0]);
    list->lines = lines;
    line.application.name = yaml_copy(value, "the name of an application", error);
    if (line.application.name == NULL) {
        return false;
    }
    lines[list->count++] = line;
    return true;
}

static int compare_applications(const struct config_application *a,
                                const struct config_application *b) {
    if (a->id != b->id) {
        return a->id < b->id ? -1 : 1;
    }
    return (a->session > b->session) - (a->session < b->session);
}

static int compare_application_lines(const void *left, const void *right) {
    const struct application_line *a = left;
    const struct application_line *b = right;
    int order = compare_applications(&a->application, &b->application);

    return order != 0 ? order : (a->line > b->line) - (a->line < b->line);
}

/* The same ID may be written in two ways, which YAML does not know to be one key. */
static bool check_applications(const struct application_list *list, struct yaml_value section,
                               struct error *error) {
    for (size_t i = 1; i < list->count; i++) {
        const struct application_line *line = &list->lines[i];

        if (compare_applications(&line[-1].application, &line->application) == 0) {
            return error_set(error, "%s:%zu: application 0x%08x has a name already, in line %zu",
                             section.file->path, line->line, (unsigned)line->application.id,
                             line[-1].line);
        }
    }
    return true;
}

/* Sorted by ID and session, for config_application_name(). */
static bool move_applications(struct application_list *list, struct config *config,
                              struct error *error) {
    config->applications = xcalloc(list->count + 1, sizeof config->applications[0]);
    for (size_t i = 0; i < list->count; i++) {
        config->applications[i] = list->lines[i].application;
    }
    config->application_count = list->count;
    list->count = 0;
    return true;
}

static void free_application_list(struct application_list *list) {
    for (size_t i = 0; i < list->count; i++) {
        free(list->lines[i].application.name);
    }
    free(list->lines);
}

static bool read_applications(void *context, struct yaml_value key, struct yaml_value value,
                              struct error *error) {
    struct application_list list = {0};
    bool done = yaml_each_pair(value, "applications", read_application, &list, error);

    (void)key;
    if (done && list.count > 0) {
        qsort(list.lines, list.count, sizeof list.lines[0], compare_application_lines);
        done = check_applications(&list, value, error) && move_applications(&list, context, error);
    }
    free_application_list(&list);
    return done;
}

static const struct config_application *find_application(const struct config *config,
                                                         int64_t session, uint32_t id) {
    const struct config_application wanted = {.id = id, .session = session};
    size_t low = 0;
    size_t high = config->application_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = compare_applications(&config->applications[middle], &wanted);

        if (order == 0) {
            return &config->applications[middle];
        }
        low = order < 0 ? middle + 1 : low;
        high = order < 0 ? high : middle;
    }
    return NULL;
}

const char *config_application_name(const struct config *config, int64_t session, uint32_t id) {
    const struct config_application *found = find_application(config, session, id);

    if (found == NULL) {
        found = find_application(config, 0, id);
    }
    return found == NULL ? NULL : found->name;
}

static void take_applications(void *context, void *from) {
    struct config *config = context, *added = from;

    if (added->application_count > 0) {
        CONFIG_SWAP(config->applications, added->applications);
        CONFIG_SWAP(config->application_count, added->application_count);
    }
}

static void free_applications(void *context) {
    struct config *config = context;

    for (size_t i = 0; i < config->application_count; i++) {
        free(config->applications[i].name);
    }
    free(config->applications);
}

const struct config_section config_applications_section = {
    .name = "applications",
    .help = "Names of applications in Palmist logs, by database ID",
    .read = read_applications,
    .take = take_applications,
    .free = free_applications,
};
