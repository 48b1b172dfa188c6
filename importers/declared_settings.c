/* Reads declarations of formats: their keys, and the list of all. */
#include "declared_reading.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/resource.h"
#include "lines.h"

/* --- values ------------------------------------------------------------------------------------
 */

/* A copy of at most so many bytes in place of `*string`, which is owned. */
static bool declared_read_string(struct yaml_value value, const char *what, size_t most,
                                 char **string, struct error *error) {
    free(*string);
    *string = yaml_copy(value, what, error);
    return *string != NULL &&
           (strlen(*string) <= most ||
            yaml_error(value, error, "%s must not be longer than %zu bytes", what, most));
}

static bool read_choice(struct yaml_value value, const char *what, const char *const *choices,
                        size_t *choice, struct error *error) {
    const char *string = yaml_string(value, what, error);
    struct text names = {0};

    if (string == NULL) {
        return false;
    }
    for (*choice = 0; choices[*choice] != NULL; ++*choice) {
        if (strcmp(choices[*choice], string) == 0) {
            return true;
        }
    }
    for (size_t i = 0; choices[i] != NULL; i++) {
        text_append_item(&names, choices[i]);
    }
    yaml_error(value, error, "%s must be one of %s, not '%.100s'", what, text_string(&names),
               string);
    text_free(&names);
    return false;
}

bool declared_read_value(const struct declared_value *known, void *object, struct yaml_value value,
                         struct error *error) {
    static const char *const flags[] = {"no", "yes", NULL};
    const char *what = known->what == NULL ? known->name : known->what;
    char *place = (char *)object + known->place;
    uint64_t number = 0;
    size_t choice = 0;

    switch (known->type) {
    case DECLARED_TEXT:
        return declared_read_string(value, what, known->most, (char **)(void *)place, error);
    case DECLARED_INTEGER:
        if (!yaml_unsigned(value, what, INT64_MAX, &number, error)) {
            return false;
        }
        *(int64_t *)(void *)place = (int64_t)number;
        return true;
    default:
        break;
    }
    if (!read_choice(value, what, known->choices == NULL ? flags : known->choices, &choice,
                     error)) {
        return false;
    }
    if (known->type == DECLARED_FLAG) {
        *(bool *)place = choice == 1;
    } else {
        *(unsigned *)(void *)place = (unsigned)choice;
    }
    return true;
}

bool declared_each_of(struct yaml_value value, const char *what, yaml_visit *visit, void *context,
                      struct error *error) {
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
    if (!declared_read_string(value, "a name", DECLARED_STRING, &names->names[names->count],
                              error)) {
        free(names->names[names->count]);
        names->names[names->count] = NULL;
        return false;
    }
    names->count++;
    return true;
}

/* --- keys of a format ------------------------------------------------------------------------- */

static const char *const founds[] = {
    [DECLARED_FOUND] = "yes", [DECLARED_FOUND_LAST] = "last", [DECLARED_NOT_FOUND] = "no", NULL};
static const char *const moments[] = {"arrival", "completion", NULL};

#define PLACE(field) offsetof(struct declaration, field)
static const struct declared_value values[] = {
    {"description", DECLARED_TEXT, PLACE(description), DECLARED_STRING, NULL, NULL},
    {"example", DECLARED_TEXT, PLACE(example), DECLARED_LINE, NULL, NULL},
    {"found", DECLARED_CHOICE, PLACE(found), 0, founds, NULL},
    {"comment", DECLARED_TEXT, PLACE(comment), DECLARED_STRING, NULL, NULL},
    {"more_columns", DECLARED_FLAG, PLACE(more), 0, NULL, NULL},
    {"quotes", DECLARED_FLAG, PLACE(quotes), 0, NULL, NULL},
    {"sorted", DECLARED_FLAG, PLACE(sorted), 0, NULL, NULL},
    {"time_of", DECLARED_FLAG, PLACE(completions), 0, moments, NULL},
};

/* One of these keys. */
static bool read_value(void *context, struct yaml_value key, struct yaml_value value,
                       struct error *error) {
    const struct declared_reading *reading = context;
    const struct declared_value *known = values;
    const char *name = yaml_string(key, "a key", error);

    while (strcmp(known->name, name) != 0) {
        known++;
    }
    return declared_read_value(known, reading->declaration, value, error);
}

static bool read_files(void *context, struct yaml_value key, struct yaml_value value,
                       struct error *error) {
    const struct declared_reading *reading = context;

    return declared_each_of(value, "files", declared_add_name, &reading->declaration->files, error);
}

static bool read_separator(void *context, struct yaml_value key, struct yaml_value value,
                           struct error *error) {
    const struct declared_reading *reading = context;
    const char *string = yaml_string(value, "separator", error);

    if (string == NULL) {
        return false;
    }
    if (strcmp(string, "blanks") == 0 || strcmp(string, "tab") == 0) {
        reading->declaration->separator = *string == 'b' ? ' ' : '\t';
        return true;
    }
    reading->declaration->separator = *string;
    return (strlen(string) == 1 && *string > ' ' && *string <= '~' && *string != '"') ||
           yaml_error(value, error,
                      "separator must be blanks, tab or one character that can be seen, not "
                      "'%.100s'",
                      string);
}

static bool read_expression(void *context, struct yaml_value key, struct yaml_value value,
                            struct error *error) {
    const struct declared_reading *reading = context;
    struct declaration *declaration = reading->declaration;
    struct text why = {0};

    if (!declared_read_string(value, "expression", EXPRESSION_LENGTH, &declaration->pattern,
                              error)) {
        return false;
    }
    declaration->expression = expression_compile(declaration->pattern, &why);
    if (declaration->expression == NULL) {
        yaml_error(value, error, "the expression cannot be used: %s", text_string(&why));
    }
    text_free(&why);
    return declaration->expression != NULL;
}

static bool read_header(void *context, struct yaml_value key, struct yaml_value value,
                        struct error *error) {
    const struct declared_reading *reading = context;
    struct declaration *declaration = reading->declaration;

    if (!declared_read_string(value, "header", DECLARED_LINE, &declaration->header_text, error)) {
        return false;
    }
    declaration->header = strcmp(declaration->header_text, "names") == 0  ? DECLARED_NAMES_HEADER
                          : strcmp(declaration->header_text, "none") == 0 ? DECLARED_NO_HEADER
                                                                          : DECLARED_TEXT_HEADER;
    return true;
}

static bool read_columns(void *context, struct yaml_value key, struct yaml_value value,
                         struct error *error) {
    return yaml_each_item(value, "columns", declared_read_column, context, error);
}

static const struct yaml_key format_keys[] = {
    {"description", read_value}, {"example", read_value},       {"files", read_files},
    {"found", read_value},       {"separator", read_separator}, {"expression", read_expression},
    {"header", read_header},     {"comment", read_value},       {"more_columns", read_value},
    {"quotes", read_value},      {"sorted", read_value},        {"time_of", read_value},
    {"columns", read_columns},
};

static void free_names(struct declared_names *names) {
    for (size_t i = 0; i < names->count; i++) {
        free(names->names[i]);
    }
}

static void free_declaration(struct declaration *declaration) {
    if (declaration == NULL) {
        return;
    }
    for (size_t i = 0; i < declaration->column_count; i++) {
        free_names(&declaration->columns[i].names);
        for (size_t k = 0; k < declaration->columns[i].word_count; k++) {
            free(declaration->columns[i].words[k].word);
        }
        free(declaration->columns[i].words);
    }
    free_names(&declaration->files);
    expression_free(declaration->expression);
    free(declaration->name);
    free(declaration->description);
    free(declaration->example);
    free(declaration->made_of);
    free(declaration->pattern);
    free(declaration->header_text);
    free(declaration->comment);
    free(declaration);
}

/* --- formats ---------------------------------------------------------------------------------- */

static bool check_name(struct yaml_value key, const char *name, struct error *error) {
    size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-");

    if (length == 0 || name[length] != '\0' || length > DECLARED_NAME || *name == '-') {
        return yaml_error(key, error,
                          "'%.100s' is no name for a format: up to %d small letters, digits and -",
                          name, DECLARED_NAME);
    }
    for (size_t i = 0; importers[i] != NULL; i++) {
        if (strcmp(importers[i]->name, name) == 0) {
            return yaml_error(key, error,
                              "the format '%s' is one that the program reads by itself, and "
                              "cannot be declared",
                              name);
        }
    }
    return true;
}

static bool read_declaration(struct declaration *declaration, struct yaml_value key,
                             struct yaml_value value, struct error *error) {
    struct declared_reading reading = {.declaration = declaration};

    declaration->name = xstrdup(yaml_string(key, "a name", error));
    return yaml_each_key(value, "a format", format_keys, sizeof format_keys / sizeof format_keys[0],
                         &reading, error) &&
           declared_complete(declaration, key, error);
}

/* The place of a format; the count when there is none of that name. */
static size_t place_of(const struct declared_formats *formats, const char *name) {
    size_t place = 0;

    while (place < formats->count && strcmp(formats->formats[place]->name, name) != 0) {
        place++;
    }
    return place;
}

static void remove_format(struct declared_formats *formats, size_t place) {
    if (place < formats->count) {
        free_declaration(formats->formats[place]);
        memmove(&formats->formats[place], &formats->formats[place + 1],
                (--formats->count - place) * sizeof formats->formats[0]);
    }
}

/* Puts a format into the list, in place of the one of that name. */
static void put_format(struct declared_formats *formats, struct declaration *declaration) {
    size_t place = place_of(formats, declaration->name);

    if (place < formats->count) {
        free_declaration(formats->formats[place]);
        formats->formats[place] = declaration;
        return;
    }
    formats->formats =
        xreallocarray(formats->formats, formats->count + 1, sizeof *formats->formats);
    formats->formats[formats->count++] = declaration;
}

struct list_reading {
    struct declared_formats *formats;
    bool own;
};

static bool read_format(void *context, struct yaml_value key, struct yaml_value value,
                        struct error *error) {
    const struct list_reading *list = context;
    const char *name = yaml_string(key, "the name of a format", error);
    struct declaration *declaration;

    if (name == NULL || !check_name(key, name, error)) {
        return false;
    }
    if (yaml_is_null(value)) {
        remove_format(list->formats, place_of(list->formats, name));
        return true;
    }
    if (list->formats->count == DECLARED_FORMATS) {
        return yaml_error(key, error, "more than %d formats", DECLARED_FORMATS);
    }
    declaration = xcalloc(1, sizeof *declaration);
    declaration->own = list->own;
    if (!read_declaration(declaration, key, value, error)) {
        free_declaration(declaration);
        return false;
    }
    put_format(list->formats, declaration);
    declared_make_importer(declaration);
    return true;
}

static bool read_formats(void *context, struct yaml_value key, struct yaml_value value,
                         struct error *error) {
    struct list_reading list = {context, true};

    return yaml_each_pair(value, "formats", read_format, &list, error);
}

/* The same of a file of the program's own. */
static bool read_shipped_formats(void *context, struct yaml_value key, struct yaml_value value,
                                 struct error *error) {
    struct list_reading list = {context, false};

    return yaml_each_pair(value, "formats", read_format, &list, error);
}

/* --- those of the program --------------------------------------------------------------------- */

static bool read_shipped(struct declared_formats *formats, const struct resource *resource,
                         struct error *error) {
    static const struct yaml_key keys[] = {{"formats", read_shipped_formats}};
    struct yaml_file file;
    char path[64];
    bool done;

    snprintf(path, sizeof path, "formats/%s.yaml", resource->name);
    if (!yaml_text_read(resource->text, path, &file, error)) {
        return false;
    }
    done = yaml_each_key(yaml_root(&file), path, keys, 1, formats, error);
    yaml_file_free(&file);
    return done;
}

static bool begin_formats(void *value, struct error *error) {
    bool done = true;

    for (const struct resource *resource = format_resources; done && resource->name != NULL;
         resource++) {
        done = read_shipped(value, resource, error);
    }
    return done;
}

static void free_formats(void *value) {
    struct declared_formats *formats = value;

    for (size_t i = 0; i < formats->count; i++) {
        free_declaration(formats->formats[i]);
    }
    free(formats->formats);
}

const struct config_section declared_section = {
    .name = "formats",
    .help = "Formats of text, declared by their columns",
    .size = sizeof(struct declared_formats),
    .defaults = &(const struct declared_formats){NULL, 0},
    .begin = begin_formats,
    .read = read_formats,
    .free = free_formats,
};

const struct importer *importer_declared(const struct config *config, size_t index) {
    const struct declared_formats *formats = config_value(config, &declared_section);

    return index < formats->count ? &formats->formats[index]->importer : NULL;
}
