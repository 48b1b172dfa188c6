/* Lets libext2fs read a file system that begins at some byte of an open image. Never writes. */
#ifndef TRACETOOL_EXT_CHANNEL_H
#define TRACETOOL_EXT_CHANNEL_H

#include <ext2fs/ext2fs.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A block to replace: its newest contents are in the journal, not yet at its usual place. */
struct ext_overlay {
    uint64_t block, from; /* block number; number of the journal's block to read instead */
    bool escaped; /* true: the block begins with the journal's magic number, to be restored */
};

/* Opens the file system at byte `offset` of an open file; close it with ext2fs_free(). Returns 0 or
 * an error number of libext2fs. The caller closes the descriptor afterwards. */
errcode_t ext_channel_open(int descriptor, uint64_t offset, ext2_filsys *filesystem);

/* Opens like ext_channel_open(), but replaces the blocks in `overlay`, of `block_size` bytes each
 * and in ascending order. `overlay` must stay valid until the file system is closed. */
errcode_t ext_channel_open_with_overlay(int descriptor, uint64_t offset,
                                        const struct ext_overlay *overlay, size_t count,
                                        uint32_t block_size, ext2_filsys *filesystem);

/* Returns the first block, from `block` on, that is not in a hole of the image file; UINT64_MAX if
 * there is none; `block` if the system cannot tell. */
uint64_t ext_channel_next_data(ext2_filsys filesystem, uint64_t block);

#endif
