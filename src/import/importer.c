#include "import/importer.h"

#include <string.h>

#include "base/words.h"

const struct importer *importer_find(const char *name) {
    for (size_t i = 0; importers[i] != NULL; i++) {
        if (strcmp(importers[i]->name, name) == 0) {
            return importers[i];
        }
    }
    return NULL;
}

const struct importer *importer_choose(const char *typed, struct error *error) {
    struct word_list names = {0};
    const char *chosen;

    for (size_t i = 0; importers[i] != NULL; i++) {
        word_list_add(&names, importers[i]->name);
    }
    chosen = word_list_choose(&names, "input format", typed, NULL, error);
    word_list_free(&names);
    return chosen == NULL ? NULL : importer_find(chosen);
}
