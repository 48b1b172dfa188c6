#include "base/array.h"

#include <stdlib.h>

enum { FIRST_CAPACITY = 64 };

void *array_grow(void *items, size_t count, size_t *capacity, size_t size) {
    size_t wanted = *capacity == 0 ? FIRST_CAPACITY : 2 * *capacity;

    if (count < *capacity) {
        return items;
    }
    items = realloc(items, wanted * size);
    *capacity = items == NULL ? *capacity : wanted;
    return items;
}
