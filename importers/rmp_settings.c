#include "rmp_settings.h"

#include <limits.h>
#include <string.h>

#include "base/text.h"

/* Names of enum rmp_column in the configuration, for one kind of file; NULL: no such column. */
struct column_names {
    const char *what;
    const char *names[RMP_COLUMNS];
    unsigned needed; /* bit set of the columns that must be given */
};

static const struct column_names event_columns = {
    "columns",
    {"time", "pid", "tid", "point", "probe", "caller", "skip"},
    1 << RMP_TIME | 1 << RMP_TID | 1 << RMP_POINT | 1 << RMP_PROBE,
};
static const struct column_names probe_columns = {
    "probe_columns",
    {"name", "resolution", "origin", "status", NULL, NULL, "skip"},
    1 << RMP_NAME,
};

struct column_list {
    const struct column_names *names;
    struct rmp_columns *columns;
    unsigned there; /* bit set of the columns given so far */
};

static bool set_error_for_columns(struct yaml_value value, const struct column_names *names,
                                  unsigned wanted, const char *format, const char *argument,
                                  struct error *error) {
    struct text list = {0};

    for (unsigned i = 0; i < RMP_COLUMNS; i++) {
        if (names->names[i] != NULL && (wanted >> i & 1) != 0) {
            text_append_item(&list, names->names[i]);
        }
    }
    yaml_error(value, error, format, argument, text_string(&list));
    text_free(&list);
    return false;
}

static bool read_column(void *context, struct yaml_value key, struct yaml_value value,
                        struct error *error) {
    struct column_list *list = context;
    struct rmp_columns *columns = list->columns;
    const char *name = yaml_string(value, "a column", error);
    unsigned column = 0;

    if (name == NULL) {
        return false;
    }
    while (column < RMP_COLUMNS &&
           (list->names->names[column] == NULL || strcmp(list->names->names[column], name) != 0)) {
        column++;
    }
    if (column == RMP_COLUMNS) {
        return set_error_for_columns(value, list->names, UINT_MAX,
                                     "'%.100s' is not a column; known are %s", name, error);
    }
    if (column != RMP_SKIP && (list->there >> column & 1) != 0) {
        return yaml_error(value, error, "the column %s is given twice", name);
    }
    if (columns->count == RMP_MOST_COLUMNS) {
        return yaml_error(value, error, "more than %d columns", RMP_MOST_COLUMNS);
    }
    list->there |= 1u << column;
    columns->order[columns->count++] = (uint8_t)column;
    return true;
}

static bool rmp_settings_read_columns(struct yaml_value value, const struct column_names *names,
                                      struct rmp_columns *columns, struct error *error) {
    struct column_list list = {names, columns, 0};

    columns->count = 0;
    return yaml_each_item(value, names->what, read_column, &list, error) &&
           ((names->needed & ~list.there) == 0 ||
            set_error_for_columns(value, names, names->needed & ~list.there, "%s must have %s, too",
                                  names->what, error));
}

static bool read_columns_key(void *context, struct yaml_value key, struct yaml_value value,
                             struct error *error) {
    struct rmp_settings *settings = context;

    return strcmp(yaml_string(key, "a key", error), event_columns.what) == 0
               ? rmp_settings_read_columns(value, &event_columns, &settings->events, error)
               : rmp_settings_read_columns(value, &probe_columns, &settings->probes, error);
}

/* Returns whether a string can separate columns: one character that is not in names or numbers. */
static bool is_separator(const char *string) {
    return strlen(string) == 1 && strchr(" \t!\"%&'*+,/:;=?@\\^`|~", *string) != NULL;
}

static bool rmp_settings_read_separator(void *context, struct yaml_value key,
                                        struct yaml_value value, struct error *error) {
    struct rmp_settings *settings = context;
    const char *what = yaml_string(key, "a key", error);
    const char *string = yaml_string(value, what, error);

    if (string == NULL) {
        return false;
    }
    if (!is_separator(string)) {
        return yaml_error(value, error,
                          "%s must be \"\\t\", \" \" or one of !\"%%&'*+,/:;=?@\\^`|~, not "
                          "'%.100s'",
                          what, string);
    }
    (strcmp(what, "separator") == 0 ? &settings->events : &settings->probes)->separator = *string;
    return true;
}

static const struct yaml_key keys[] = {
    {.name = "columns",
     .read = read_columns_key,
     .help = "The columns of the time log, from left to right"},
    {.name = "separator", .read = rmp_settings_read_separator, .help = "What stands between them"},
    {.name = "probe_columns",
     .read = read_columns_key,
     .help = "The columns of the list of probes"},
    {.name = "probe_separator",
     .read = rmp_settings_read_separator,
     .help = "What stands between these"},
};

static const struct rmp_settings defaults = {
    .events = {'\t', 6, {RMP_TIME, RMP_PID, RMP_TID, RMP_POINT, RMP_PROBE, RMP_CALLER}},
    .probes = {'\t', 4, {RMP_NAME, RMP_RESOLUTION, RMP_ORIGIN, RMP_STATUS}},
};

const struct config_section rmp_section = {
    .name = "rmp",
    .help = "How the lines of RMP logs are written",
    .keys = keys,
    .key_count = sizeof keys / sizeof keys[0],
    .size = sizeof(struct rmp_settings),
    .defaults = &defaults,
};
