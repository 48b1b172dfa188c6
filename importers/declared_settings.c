/* Reads the declarations of formats: their keys, and the list of all formats. */
#include "declared_reading.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/resource.h"

bool declared_visit_items(struct yaml_value value, const char *what, yaml_visit *visit,
                          void *context, struct error *error) {
    const struct yaml_value no_key = {value.file, NULL};

    return yaml_is_sequence(value) ? yaml_each_item(value, what, visit, context, error)
                                   : visit(context, no_key, value, error);
}

bool declared_add_name(void *context, struct yaml_value key, struct yaml_value value,
                       struct error *error) {
    struct declared_names *names = context;

    if (names->count == DECLARED_NAMES) {
        return yaml_error(value, error, "more than %d names", DECLARED_NAMES);
    }
    return yaml_read_known(
        &(const struct yaml_key){.type = YAML_TEXT, .most = DECLARED_STRING, .what = "a name"},
        &names->names[names->count++], key, value, error);
}

/* --- keys of a format ------------------------------------------------------------------------- */

static const char *const founds[] = {
    [DECLARED_FOUND] = "yes", [DECLARED_FOUND_LAST] = "last", [DECLARED_NOT_FOUND] = "no", NULL};
const char *const declared_kinds_of_formats[] = {[DECLARED_OF_ANY] = "any",
                                                 [DECLARED_OF_IO] = "io",
                                                 [DECLARED_OF_CALLS] = "calls",
                                                 [DECLARED_OF_RESULTS] = "results",
                                                 NULL};
static const char *const moments[] = {"arrival", "completion", NULL};

static bool declared_settings_read_files(void *context, struct yaml_value key,
                                         struct yaml_value value, struct error *error) {
    return declared_visit_items(value, "files", declared_add_name,
                                &((struct declaration *)context)->files, error);
}

static bool declared_settings_read_separator(void *context, struct yaml_value key,
                                             struct yaml_value value, struct error *error) {
    struct declaration *declaration = context;
    const char *string = yaml_string(value, "separator", error);

    if (string == NULL) {
        return false;
    }
    if (strcmp(string, "blanks") == 0 || strcmp(string, "tab") == 0) {
        declaration->separator = *string == 'b' ? ' ' : '\t';
        return true;
    }
    declaration->separator = *string;
    return (strlen(string) == 1 && *string > ' ' && *string <= '~' && *string != '"') ||
           yaml_error(value, error,
                      "separator must be blanks, tab or one character that can be seen, not "
                      "'%.100s'",
                      string);
}

#define PLACE(field) offsetof(struct declaration, field)
#define TEXT(key, field, longest)                                                                  \
    { .name = (key), .type = YAML_TEXT, .place = PLACE(field), .most = (longest) }
#define FLAG(key, field, words)                                                                    \
    {                                                                                              \
        .name = (key), .type = YAML_FLAG, .place = PLACE(field), .choices = (words),               \
        .must = "one of "                                                                          \
    }

bool declared_compile(struct yaml_value value, const char *pattern, struct expression **expression,
                      struct error *error) {
    struct text why = {0};

    *expression = expression_compile(pattern, &why);
    if (*expression == NULL) {
        yaml_error(value, error, "the expression cannot be used: %s", text_string(&why));
    }
    text_free(&why);
    return *expression != NULL;
}

static bool read_expression(void *context, struct yaml_value key, struct yaml_value value,
                            struct error *error) {
    static const struct yaml_key pattern = TEXT("expression", pattern, EXPRESSION_LENGTH);
    struct declaration *declaration = context;

    return yaml_read_known(&pattern, declaration, key, value, error) &&
           declared_compile(value, declaration->pattern, &declaration->expression, error);
}

static bool read_skip(void *context, struct yaml_value key, struct yaml_value value,
                      struct error *error) {
    static const struct yaml_key pattern = TEXT("skip", skipped, EXPRESSION_LENGTH);
    struct declaration *declaration = context;

    return yaml_read_known(&pattern, declaration, key, value, error) &&
           declared_compile(value, declaration->skipped, &declaration->skip, error);
}

static bool read_lost(void *context, struct yaml_value key, struct yaml_value value,
                      struct error *error) {
    static const struct yaml_key pattern = TEXT("lost", losses, EXPRESSION_LENGTH);
    struct declaration *declaration = context;

    return yaml_read_known(&pattern, declaration, key, value, error) &&
           declared_compile(value, declaration->losses, &declaration->lost, error);
}

/* Reads an expression of the key `parts`: first for a call's first line, then for its second. */
static bool add_part(void *context, struct yaml_value key, struct yaml_value value,
                     struct error *error) {
    struct declaration *declaration = context;
    const size_t at = declaration->parted.count;

    return (at < 2 || yaml_error(value, error, "parts must be two expressions")) &&
           declared_add_name(&declaration->parted, key, value, error) &&
           declared_compile(value, declaration->parted.names[at], &declaration->part[at], error) &&
           (expression_groups(declaration->part[at]) == 2 ||
            yaml_error(value, error,
                       "an expression of parts must have two groups: what begin and end share, and "
                       "a text"));
}

static bool read_parts(void *context, struct yaml_value key, struct yaml_value value,
                       struct error *error) {
    return yaml_each_item(value, "parts", add_part, context, error) &&
           (((struct declaration *)context)->part[1] != NULL ||
            yaml_error(value, error, "parts must be two expressions"));
}

static bool add_carry(void *context, struct yaml_value key, struct yaml_value value,
                      struct error *error) {
    struct declaration *declaration = context;
    struct declared_names *carried = &declaration->carried;

    return declared_add_name(carried, key, value, error) &&
           declared_compile(value, carried->names[carried->count - 1],
                            &declaration->carry[carried->count - 1], error);
}

/* Returns a copy of a pattern with `name` given to its first group, if that has none. */
static char *name_first_group(struct pool *pool, const char *pattern, const char *name) {
    const char *open = pattern;
    struct text named = {0};
    char *copy;

    while (*open != '\0' && *open != '(') {
        open += *open == '\\' && open[1] != '\0' ? 2 : 1;
    }
    text_append(&named, pattern, (size_t)(open - pattern));
    if (*open == '(' && open[1] != '?') {
        text_append_format(&named, "(?<%s>", name);
        open++;
    }
    text_append_string(&named, open);
    copy = pool_copy(pool, text_string(&named));
    text_free(&named);
    return copy;
}

/* Reads a pair COLUMN: EXPRESSION of the key `carry`. */
static bool add_carried_column(void *context, struct yaml_value key, struct yaml_value value,
                               struct error *error) {
    struct declaration *declaration = context;
    struct declared_names *carried = &declaration->carried;
    const char *name = yaml_string(key, "the name of a column", error);
    const size_t at = carried->count;

    if (name == NULL || !declared_add_name(carried, key, value, error)) {
        return false;
    }
    carried->names[at] = name_first_group(&value.file->pool, carried->names[at], name);
    declaration->carried_for[at] = key;
    return declared_compile(value, carried->names[at], &declaration->carry[at], error);
}

static bool read_carry(void *context, struct yaml_value key, struct yaml_value value,
                       struct error *error) {
    if (yaml_is_mapping(value)) {
        return yaml_each_pair(value, "carry", add_carried_column, context, error);
    }
    return declared_visit_items(value, "carry", add_carry, context, error);
}

static bool declared_settings_read_header(void *context, struct yaml_value key,
                                          struct yaml_value value, struct error *error) {
    static const struct yaml_key header = TEXT("header", header_text, DECLARED_LINE);
    struct declaration *declaration = context;

    if (!yaml_read_known(&header, declaration, key, value, error)) {
        return false;
    }
    declaration->header = strcmp(declaration->header_text, "names") == 0  ? DECLARED_NAMES_HEADER
                          : strcmp(declaration->header_text, "none") == 0 ? DECLARED_NO_HEADER
                                                                          : DECLARED_TEXT_HEADER;
    return true;
}

static bool declared_settings_read_columns(void *context, struct yaml_value key,
                                           struct yaml_value value, struct error *error) {
    struct declared_reading reading = {.declaration = context};

    return yaml_each_item(value, "columns", declared_read_column, &reading, error);
}

static const struct yaml_key format_keys[] = {
    TEXT("description", description, DECLARED_STRING),
    {.name = "kind",
     .type = YAML_CHOICE,
     .place = PLACE(kind),
     .choices = declared_kinds_of_formats,
     .must = "one of "},
    TEXT("example", example, DECLARED_LINE),
    {.name = "files", .read = declared_settings_read_files},
    {.name = "found",
     .type = YAML_CHOICE,
     .place = PLACE(found),
     .choices = founds,
     .must = "one of "},
    {.name = "separator", .read = declared_settings_read_separator},
    {.name = "expression", .read = read_expression},
    {.name = "header", .read = declared_settings_read_header},
    TEXT("comment", comment, DECLARED_STRING),
    {.name = "skip", .read = read_skip},
    {.name = "lost", .read = read_lost},
    {.name = "carry", .read = read_carry},
    {.name = "parts", .read = read_parts},
    FLAG("more_columns", more, NULL),
    FLAG("quotes", quotes, NULL),
    FLAG("sorted", sorted, NULL),
    FLAG("time_of", completions, moments),
    TEXT("operation", operation, DECLARED_STRING),
    FLAG("only_slow", only_slow, NULL),
    TEXT("remark", remark, DECLARED_STRING),
    {.name = "columns", .read = declared_settings_read_columns},
};

/* --- list of formats -------------------------------------------------------------------------- */

static bool declared_settings_check_name(struct yaml_value key, const char *name,
                                         struct error *error) {
    size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-");

    if (length == 0 || name[length] != '\0' || length > DECLARED_NAME || *name == '-') {
        return yaml_error(key, error,
                          "'%.100s' is no name for a format: up to %d small letters, digits and -",
                          name, DECLARED_NAME);
    }
    for (size_t i = 0; importers[i] != NULL; i++) {
        if (strcmp(importers[i]->name, name) == 0) {
            return yaml_error(key, error, "the format '%s' is built in and cannot be declared",
                              name);
        }
    }
    return true;
}

/* Returns the index of the format with a name; the number of formats if none has it. */
static size_t declared_settings_place_of(const struct declared_formats *formats, const char *name) {
    size_t place = 0;

    while (place < formats->count && strcmp(formats->formats[place]->name, name) != 0) {
        place++;
    }
    return place;
}

static void free_expressions(struct declaration *declaration) {
    expression_free(declaration->expression);
    expression_free(declaration->skip);
    expression_free(declaration->lost);
    expression_free(declaration->part[0]);
    expression_free(declaration->part[1]);
    for (size_t i = 0; i < DECLARED_NAMES; i++) {
        expression_free(declaration->carry[i]);
    }
    for (size_t i = 0; i < declaration->column_count; i++) {
        expression_free(declaration->columns[i].within);
    }
}

/* Adds a format to the list, or replaces the one of the same name. */
static void add_or_replace_format(struct declared_formats *formats, struct yaml_file *file,
                                  struct declaration *declaration) {
    size_t place = declared_settings_place_of(formats, declaration->name);

    if (place < formats->count) {
        free_expressions(formats->formats[place]);
    } else {
        formats->formats =
            yaml_grow(file, formats->formats, formats->count++, sizeof *formats->formats);
    }
    formats->formats[place] = declaration;
}

static void remove_format(struct declared_formats *formats, size_t place) {
    if (place < formats->count) {
        free_expressions(formats->formats[place]);
        memmove(&formats->formats[place], &formats->formats[place + 1],
                (--formats->count - place) * sizeof formats->formats[0]);
    }
}

/* Reads the declaration of a format. `own`: it is in the user's configuration. */
static bool read_format(struct declared_formats *formats, bool own, struct yaml_value key,
                        struct yaml_value value, struct error *error) {
    const char *name = yaml_string(key, "the name of a format", error);
    struct declaration *declaration;

    if (name == NULL || !declared_settings_check_name(key, name, error)) {
        return false;
    }
    if (yaml_is_null(value)) {
        remove_format(formats, declared_settings_place_of(formats, name));
        return true;
    }
    if (formats->count == DECLARED_FORMATS) {
        return yaml_error(key, error, "more than %d formats", DECLARED_FORMATS);
    }
    declaration = pool_allocate(&key.file->pool, sizeof *declaration);
    declaration->own = own;
    declaration->name = yaml_copy(key, "a name", error);
    if (!yaml_each_key(value, "a format", format_keys, sizeof format_keys / sizeof format_keys[0],
                       declaration, NULL, error) ||
        !declared_complete(declaration, key, error)) {
        free_expressions(declaration);
        return false;
    }
    add_or_replace_format(formats, key.file, declaration);
    declared_make_importer(declaration);
    return true;
}

static bool declared_settings_read_own(void *context, struct yaml_value key,
                                       struct yaml_value value, struct error *error) {
    return read_format(context, true, key, value, error);
}

static bool read_shipped(void *context, struct yaml_value key, struct yaml_value value,
                         struct error *error) {
    return read_format(context, false, key, value, error);
}

/* --- built-in formats ------------------------------------------------------------------------- */

/* Reads the declarations in a built-in file. */
static bool read_resource(struct declared_formats *formats, const struct resource *resource,
                          struct pool *pool, struct error *error) {
    static const struct yaml_key keys[] = {
        {.name = "formats", .type = YAML_PAIRS, .read = read_shipped}};
    struct yaml_file file;
    char path[64];
    bool done;

    snprintf(path, sizeof path, "formats/%s.yaml", resource->name);
    if (!yaml_text_read(resource->text, path, &file, error)) {
        return false;
    }
    done = yaml_each_key(yaml_root(&file), path, keys, 1, formats, NULL, error);
    pool_join(pool, &file.pool);
    yaml_file_free(&file);
    return done;
}

static bool begin_formats(void *value, struct pool *pool, struct error *error) {
    bool done = true;

    for (const struct resource *resource = format_resources; done && resource->name != NULL;
         resource++) {
        done = read_resource(value, resource, pool, error);
    }
    return done;
}

static void free_formats(void *value) {
    struct declared_formats *formats = value;

    for (size_t i = 0; i < formats->count; i++) {
        free_expressions(formats->formats[i]);
    }
}

const struct config_section declared_section = {
    .name = "formats",
    .help = "Formats of text, declared by their columns",
    .size = sizeof(struct declared_formats),
    .defaults = &(const struct declared_formats){NULL, 0},
    .begin = begin_formats,
    .type = YAML_PAIRS,
    .read = declared_settings_read_own,
    .free = free_formats,
};

const struct importer *importer_declared(const struct config *config, size_t index) {
    const struct declared_formats *formats = config_value(config, &declared_section);

    return index < formats->count ? &formats->formats[index]->importer : NULL;
}
