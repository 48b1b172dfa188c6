/* What the files of file_map.h share: file_map.c, the present; file_map_past.c, the past;
 * file_map_pipe.c, from one process to another. */
#ifndef TRACETOOL_FILE_MAP_PARTS_H
#define TRACETOOL_FILE_MAP_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct file_map;

/* Room for one more element of an array of `count`; NULL when that is one too many, or there is no
 * memory, and the array is as it was. */
void *map_grow(void *items, size_t *capacity, size_t count, size_t most, size_t size);

/* Whether a file can be called so; else the directory is damaged. */
bool map_is_name(const char *name, size_t length);

/* Puts a name behind the others; `*place` is where it begins. */
bool map_keep_name(struct file_map *map, const char *name, size_t length, uint32_t *place,
                   struct error *error);

/* Makes `reach` of pasts that are in order. */
bool map_make_reach(struct file_map *map, struct error *error);

/* Makes `gone` of files that are complete. */
bool map_make_gone(struct file_map *map, struct error *error);

/* Whether the past names stand as file_map_settle_past_names() leaves them: by inode, then by time.
 */
bool map_names_are_in_order(const struct file_map *map);

#endif
