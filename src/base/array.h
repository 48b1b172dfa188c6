/* Arrays that grow. */
#ifndef TRACETOOL_ARRAY_H
#define TRACETOOL_ARRAY_H

#include <stddef.h>

/* Room for one more element of `size` bytes behind `count`: the array, which may have moved, with
 * its new capacity. NULL when out of memory: then the array is as it was. Of nothing: NULL and a
 * capacity of 0. The caller frees it. */
void *array_grow(void *items, size_t count, size_t *capacity, size_t size);

#endif
