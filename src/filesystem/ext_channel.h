/* How libext2fs reads an image: an open file, from a byte on. It never writes. */
#ifndef TRACETOOL_EXT_CHANNEL_H
#define TRACETOOL_EXT_CHANNEL_H

#include <ext2fs/ext2fs.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A block that is to be read from elsewhere: it was not yet written to its place. */
struct ext_overlay {
    uint64_t block, from; /* of the file system */
    bool escaped;         /* its first four bytes are the journal's magic number */
};

/* Opens the file system that begins at byte `offset` of the open file. 0, or an error of libext2fs;
 * what was opened is closed by ext2fs_free(). The descriptor stays the caller's. */
errcode_t ext_channel_open(int descriptor, uint64_t offset, ext2_filsys *filesystem);

/* As ext_channel_open(), with blocks of `block_size` bytes, in ascending order, over what lies
 * below them. They stay the caller's, for as long as the file system is open. */
errcode_t ext_channel_open_over(int descriptor, uint64_t offset, const struct ext_overlay *overlay,
                                size_t count, uint32_t block_size, ext2_filsys *filesystem);

/* The first block from `block` on that is not in a hole of the file, as far as that is known. */
uint64_t ext_channel_data(ext2_filsys filesystem, uint64_t block);

#endif
