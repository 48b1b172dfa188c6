#include "config/section.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/memory.h"

/* What the file said of one section. */
struct config_section_value {
    void *value;    /* owned, section->size bytes; NULL: nothing */
    uint64_t given; /* bits: the keys that it has */
    size_t line;    /* where it stands in the file, 0: nowhere */
};

void *config_grow(void *array, size_t count, size_t size) {
    return (count & (count - 1)) != 0 ? array
                                      : xreallocarray(array, count == 0 ? 1 : 2 * count, size);
}

/* --- values ----------------------------------------------------------------------------------- */

static size_t index_of(const struct config_section *section) {
    size_t index = 0;

    while (config_sections[index] != NULL && config_sections[index] != section) {
        index++;
    }
    return index;
}

static size_t count_sections(void) {
    return index_of(NULL);
}

/* Room for what the file says of each section; NULL when out of memory. */
static struct config_section_value *make_all(struct config_section_value **each,
                                             struct error *error) {
    if (*each == NULL) {
        *each = xcalloc(count_sections() + 1, sizeof **each);
    }
    return *each;
}

/* Where the value of a section is kept, made with its defaults; NULL when out of memory. */
static struct config_section_value *make_value(struct config_values values, size_t index,
                                               struct error *error) {
    struct config_section_value *all = make_all(values.each, error);
    size_t size = config_sections[index]->size;

    if (all != NULL && all[index].value == NULL && size > 0) {
        all[index].value = xmalloc(size);
        memcpy(all[index].value, config_sections[index]->defaults, size);
    }
    return all == NULL ? NULL : &all[index];
}

/* What the functions of a section work on, as far as the file has the section; else NULL. */
static void *context_of(struct config_values values, size_t index) {
    if (config_sections[index]->size == 0) {
        return values.common;
    }
    return *values.each == NULL ? NULL : (*values.each)[index].value;
}

const void *config_section_value(struct config_values values,
                                 const struct config_section *section) {
    const void *value = context_of(values, index_of(section));

    return value == NULL ? section->defaults : value;
}

/* --- keys ------------------------------------------------------------------------------------- */

static int64_t *number_of(void *value, const struct config_key *key) {
    return (int64_t *)((char *)value + key->offset);
}

static bool read_number(const struct config_key *key, struct yaml_value value, int64_t *number,
                        struct error *error) {
    uint64_t read = 0;

    if (!yaml_unsigned(value, key->name, (uint64_t)key->most, &read, error)) {
        return false;
    }
    *number = (int64_t)read;
    if (*number >= key->least && (key->step == 0 || *number % key->step == 0)) {
        return true;
    }
    return key->must != NULL ? yaml_error(value, error, "%s %s", key->name, key->must)
                             : yaml_error(value, error, "%s must be from %lld to %lld", key->name,
                                          (long long)key->least, (long long)key->most);
}

static bool read_choice(const struct config_key *key, struct yaml_value value, int64_t *choice,
                        struct error *error) {
    const char *string = yaml_string(value, key->name, error);
    struct text choices = {0};

    if (string == NULL) {
        return false;
    }
    for (size_t i = 0; key->choices[i] != NULL; i++) {
        if (strcmp(key->choices[i], string) == 0) {
            *choice = (int64_t)i;
            text_free(&choices);
            return true;
        }
        text_append_string(&choices, i == 0 ? "" : key->choices[i + 1] == NULL ? " or " : ", ");
        text_append_string(&choices, key->choices[i]);
    }
    yaml_error(value, error, "%s must be %s, not '%.100s'", key->name, text_string(&choices),
               string);
    text_free(&choices);
    return false;
}

static bool read_known(const struct config_key *known, void *context, struct yaml_value key,
                       struct yaml_value value, struct error *error) {
    switch (known->type) {
    case CONFIG_NUMBER:
        return read_number(known, value, number_of(context, known), error);
    case CONFIG_CHOICE:
        return read_choice(known, value, number_of(context, known), error);
    case CONFIG_OWN:
        break;
    }
    return known->read(context, key, value, error);
}

static bool unknown_key(const struct config_section *section, struct yaml_value key,
                        struct error *error) {
    struct text names = {0};

    for (size_t i = 0; i < section->key_count; i++) {
        text_append_item(&names, section->keys[i].name);
    }
    yaml_unknown_key(key, text_string(&names), error);
    text_free(&names);
    return false;
}

/* A map of keys that is being read. */
struct reading {
    const struct config_section *section;
    void *context;
    uint64_t *given;
};

static bool read_key(void *context, struct yaml_value key, struct yaml_value value,
                     struct error *error) {
    const struct reading *reading = context;
    const struct config_section *section = reading->section;
    const char *name = yaml_string(key, "a key", error);

    if (name == NULL) {
        return false;
    }
    for (size_t i = 0; i < section->key_count; i++) {
        if (strcmp(section->keys[i].name, name) == 0) {
            if (yaml_is_null(value)) {
                return true;
            }
            *reading->given |= UINT64_C(1) << i;
            return read_known(&section->keys[i], reading->context, key, value, error);
        }
    }
    return unknown_key(section, key, error);
}

/* --- sections --------------------------------------------------------------------------------- */

bool config_section_read(struct config_values values, const struct config_section *section,
                         struct yaml_value key, struct yaml_value value, struct error *error) {
    size_t index = index_of(section);
    struct config_section_value *made = make_value(values, index, error);
    struct reading reading = {section, NULL, NULL};

    if (made == NULL) {
        return false;
    }
    made->line = yaml_line(key);
    reading.context = context_of(values, index);
    reading.given = &made->given;
    return section->keys == NULL ? section->read(reading.context, key, value, error)
                                 : yaml_each_pair(value, section->name, read_key, &reading, error);
}

bool config_section_read_number(struct config_values values, const struct config_section *section,
                                struct yaml_value key, struct yaml_value value,
                                struct error *error) {
    size_t index = index_of(section);

    return make_value(values, index, error) != NULL &&
           section->read_number(context_of(values, index), key, value, error);
}

bool config_sections_begin(struct config_values values, struct error *error) {
    bool done = true;

    for (size_t i = 0; done && config_sections[i] != NULL; i++) {
        done = config_sections[i]->begin == NULL ||
               (make_value(values, i, error) != NULL &&
                config_sections[i]->begin(context_of(values, i), error));
    }
    return done;
}

bool config_sections_finish(struct config_values values, const char *path, struct error *error) {
    bool done = true;

    for (size_t i = 0; done && config_sections[i] != NULL; i++) {
        void *context = context_of(values, i);

        done = context == NULL || config_sections[i]->finish == NULL ||
               config_sections[i]->finish(context, path, error);
    }
    return done;
}

/* Copies the numbers and choices of the keys whose bits are set. */
static void copy_keys(const struct config_section *section, uint64_t keys, void *to,
                      const void *from) {
    for (size_t i = 0; i < section->key_count; i++) {
        const struct config_key *key = &section->keys[i];

        if ((keys >> i & 1) != 0 && key->type != CONFIG_OWN) {
            *number_of(to, key) = *number_of((void *)from, key);
        }
    }
}

/* Gives `values` the keys that `from` has; `replace`: also those that it has itself. */
static bool take_keys(struct config_values values, struct config_values from, size_t index,
                      bool replace, struct error *error) {
    const struct config_section_value *other = *from.each == NULL ? NULL : &(*from.each)[index];
    struct config_section_value *made;

    if (other == NULL || other->given == 0) {
        return true;
    }
    made = make_value(values, index, error);
    if (made == NULL) {
        return false;
    }
    copy_keys(config_sections[index], replace ? other->given : other->given & ~made->given,
              made->value, other->value);
    made->given |= other->given;
    return true;
}

bool config_section_complete(struct config_values values, struct config_values from,
                             const struct config_section *section, struct error *error) {
    return take_keys(values, from, index_of(section), false, error);
}

static bool take_section(struct config_values values, struct config_values from, size_t index,
                         struct error *error) {
    const struct config_section *section = config_sections[index];
    void *context = context_of(from, index);

    if (section->take == NULL) {
        return !section->takes_keys || take_keys(values, from, index, true, error);
    }
    if (context != NULL) {
        if (make_value(values, index, error) == NULL) {
            return false;
        }
        section->take(context_of(values, index), context);
    }
    return true;
}

/* Room for all values is made first, so that none is taken when there is no room for another. */
bool config_sections_take(struct config_values values, struct config_values from,
                          struct error *error) {
    bool done = true;

    for (size_t i = 0; done && config_sections[i] != NULL; i++) {
        done = make_value(values, i, error) != NULL;
    }
    for (size_t i = 0; done && config_sections[i] != NULL; i++) {
        done = take_section(values, from, i, error);
    }
    return done;
}

void config_sections_free(struct config_values values) {
    for (size_t i = 0; config_sections[i] != NULL; i++) {
        void *context = context_of(values, i);

        if (context != NULL && config_sections[i]->free != NULL) {
            config_sections[i]->free(context);
        }
        if (config_sections[i]->size > 0) {
            free(context);
        }
    }
    free(*values.each);
}

/* The value of a section that names files, NULL when the file has none. */
static struct config_section_value *files_of(struct config_values values, size_t index) {
    struct config_section_value *value = *values.each == NULL ? NULL : &(*values.each)[index];

    return value != NULL && value->line > 0 && config_sections[index]->names_file ? value : NULL;
}

bool config_sections_name_files(struct config_values values) {
    for (size_t i = 0; config_sections[i] != NULL; i++) {
        if (files_of(values, i) != NULL) {
            return true;
        }
    }
    return false;
}

bool config_sections_forget_files(struct config_values values, struct text *names, size_t *line) {
    *line = 0;
    for (size_t i = 0; config_sections[i] != NULL; i++) {
        struct config_section_value *value = files_of(values, i);

        if (value == NULL) {
            continue;
        }
        text_append_format(names, "%s'%s'", names->length == 0 ? "" : ", ",
                           config_sections[i]->name);
        *line = *line == 0 || value->line < *line ? value->line : *line;
        config_sections[i]->free(context_of(values, i));
        if (config_sections[i]->size > 0) {
            free(value->value);
            value->value = NULL;
        }
        value->line = 0;
    }
    return *line > 0;
}
