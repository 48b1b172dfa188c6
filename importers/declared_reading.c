#include "declared_reading.h"

#include <stdlib.h>
#include <string.h>

bool declared_read_string(struct yaml_value value, const char *what, size_t most, char **string,
                          struct error *error) {
    free(*string);
    *string = yaml_copy(value, what, error);
    return *string != NULL &&
           (strlen(*string) <= most ||
            yaml_error(value, error, "%s must not be longer than %zu bytes", what, most));
}

bool declared_read_choice(struct yaml_value value, const char *what, const char *const *choices,
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

bool declared_read_flag(struct yaml_value value, const char *what, bool *flag,
                        struct error *error) {
    static const char *const choices[] = {"no", "yes", NULL};
    size_t choice = 0;
    bool done = declared_read_choice(value, what, choices, &choice, error);

    *flag = choice == 1;
    return done;
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

    (void)key;
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
