/* How libext2fs reads an image: an open file, from a byte on. It never writes. */
#ifndef TRACETOOL_EXT_CHANNEL_H
#define TRACETOOL_EXT_CHANNEL_H

#include <ext2fs/ext2fs.h>
#include <stdbool.h>
#include <stdint.h>

/* Opens the file system that begins at byte `offset` of the open file. 0, or an error of libext2fs;
 * what was opened is closed by ext2fs_free(). The descriptor stays the caller's. */
errcode_t ext_channel_open(int descriptor, uint64_t offset, ext2_filsys *filesystem);

#endif
