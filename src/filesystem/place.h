/* Where in an image its file system lies. */
#ifndef TRACETOOL_PLACE_H
#define TRACETOOL_PLACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

#define PLACE_NOT_GIVEN UINT64_MAX

/* Finds the file system in the open file: at byte `given`, in the partition of that name or number,
 * else at byte 0, else in the only partition that has one. `partition` is NULL where none is
 * named. Messages do not name the file. */
bool place_find(int descriptor, uint64_t given, const char *partition, uint64_t *offset,
                struct error *error);

/* As place_find(), of an image that is of a whole device or only of what begins there. */
bool place_find_of_device(int descriptor, uint64_t given, uint64_t *offset, struct error *error);

#endif
