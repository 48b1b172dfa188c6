/* Read-only I/O of libext2fs on an image: a file system that begins at some byte of an open file.
 */
#ifndef TRACETOOL_EXT_CHANNEL_H
#define TRACETOOL_EXT_CHANNEL_H

#include <ext2fs/ext2fs.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A block that must be read from another place, because it was not yet written back. */
struct ext_overlay {
    uint64_t block, from; /* blocks of the file system */
    bool escaped;         /* restore the journal's magic number in its first four bytes */
};

/* Opens the file system at byte `offset` of the open file; close it with ext2fs_free(). Returns 0
 * or an error of libext2fs. The descriptor stays the caller's. */
errcode_t ext_channel_open(int descriptor, uint64_t offset, ext2_filsys *filesystem);

/* Opens like ext_channel_open(), and replaces the blocks of the overlay. Its blocks have
 * `block_size` bytes and ascend. The caller keeps the overlay until the file system is closed. */
errcode_t ext_channel_open_over(int descriptor, uint64_t offset, const struct ext_overlay *overlay,
                                size_t count, uint32_t block_size, ext2_filsys *filesystem);

/* Returns the first block from `block` on that is not in a hole of the file, if the file can tell.
 */
uint64_t ext_channel_data(ext2_filsys filesystem, uint64_t block);

#endif
