/* F2FS on a device: its parts, its newest checkpoint, and the positions of its nodes.
 *
 * Numbers are little-endian, blocks have 4 KiB, segments 512 blocks. A node is an inode, or lists
 * further blocks of a file. Its number is translated to its position by the node address table
 * (NAT). A changed node is written to another position. Two checkpoint packs are written
 * alternately. The newer one tells which of the two copies of each NAT block is current. The state
 * at earlier checkpoints is not read. */
#ifndef TRACETOOL_F2FS_VOLUME_H
#define TRACETOOL_F2FS_VOLUME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "filesystem/file_map.h"

#define F2FS_BLOCK   4096
#define F2FS_SEGMENT 512 /* blocks per segment */
#define F2FS_QUOTAS  3

/* An open file system. Block numbers are relative to its beginning. */
struct f2fs_volume {
    int descriptor;  /* borrowed */
    uint64_t offset; /* offset of the file system in the file, bytes */
    uint64_t blocks;
    uint32_t checkpoint, sit, nat, ssa, main; /* first block of each part, in this order */
    uint32_t main_segments;
    uint32_t root; /* inode of the root directory */
    uint32_t quota[F2FS_QUOTAS];
    uint32_t features;
    uint32_t payload; /* blocks of a checkpoint that hold the bitmap of segments */
    uint8_t uuid[16];
    uint64_t version;       /* version of the newest checkpoint */
    uint32_t pack;          /* first block of that checkpoint */
    uint32_t journal;       /* block of the checkpoint with the newest entries of the NAT */
    unsigned journal_at;    /* offset of the entries in that block */
    uint32_t nat_blocks;    /* size of one copy of the NAT in blocks */
    unsigned char *nat_map; /* owned; bitmap: the second copy of a block is current */
    size_t nat_map_bytes;
};

/* Position of a node. */
struct f2fs_place {
    uint32_t node, inode, block;
};

struct f2fs_places {
    struct f2fs_place *items; /* owned; sorted by node */
    size_t count, capacity;
};

/* Returns whether byte 1024 of these 2048 is a superblock of F2FS. */
bool f2fs_is_present(const unsigned char head[2048]);

/* Opens the file system at byte `offset` of the open file: reads its superblock and its newest
 * checkpoint. Close it in any case. */
bool f2fs_open(struct f2fs_volume *volume, int descriptor, uint64_t offset, struct error *error);
void f2fs_close(struct f2fs_volume *volume);

/* Reads a block; false on failure. */
bool f2fs_read_block(const struct f2fs_volume *volume, uint64_t block, unsigned char *buffer);

/* Returns whether the block can belong to files: it is in the main area. */
bool f2fs_is_main(const struct f2fs_volume *volume, uint32_t block);

/* Lists the positions of all nodes in the newest checkpoint. Adds unreadable blocks of the table to
 * `*unreadable`. */
bool f2fs_read_places(const struct f2fs_volume *volume, struct f2fs_places *places,
                      uint64_t *unreadable, struct error *error);

/* Reads F2FS, Android's file system: the current owners of its blocks. */

/* Fills the zeroed map. `map->offset` is the position of the file system in the open file. */
bool f2fs_read(int descriptor, struct file_map *map, struct error *error);

#endif
