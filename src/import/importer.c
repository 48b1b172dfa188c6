#include "import/importer.h"

#include <string.h>

const struct importer *importer_find(const char *name) {
    for (size_t i = 0; importers[i] != NULL; i++) {
        if (strcmp(importers[i]->name, name) == 0) {
            return importers[i];
        }
    }
    return NULL;
}
