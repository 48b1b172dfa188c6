/* Reads F2FS, Android's file system: whose its blocks are now. */
#ifndef TRACETOOL_F2FS_READER_H
#define TRACETOOL_F2FS_READER_H

#include <stdbool.h>

#include "filesystem/file_map.h"

/* Fills the zeroed map, whose `offset` says where the file system begins in the open file. */
bool f2fs_read(int descriptor, struct file_map *map, struct error *error);

#endif
