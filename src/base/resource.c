#include "base/resource.h"

#include <stddef.h>
#include <string.h>

const char *resource_find(const struct resource *resources, const char *name) {
    for (; resources->name != NULL; resources++) {
        if (strcmp(resources->name, name) == 0) {
            return resources->text;
        }
    }
    return NULL;
}
