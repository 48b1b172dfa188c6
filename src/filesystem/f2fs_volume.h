/* F2FS on a device: its areas, its newest checkpoint, and the positions of its nodes.
 *
 * Numbers are little-endian, blocks have 4 KiB, segments 512 blocks. A node is an inode, or lists
 * further blocks of a file. The node address table (NAT) translates a node's number to its
 * position. A changed node is written to another position. Two checkpoint packs are written
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
#define F2FS_SEGMENT 512 /* number of blocks in a segment */
#define F2FS_QUOTAS  3

/* An open file system. Block numbers count from the beginning of the file system. */
struct f2fs_volume {
    int descriptor;  /* borrowed */
    uint64_t offset; /* position of the file system in the file, in bytes */
    uint64_t blocks;
    uint32_t checkpoint, sit, nat, ssa, main; /* first block of each area, in ascending order */
    uint32_t main_segments;
    uint32_t root; /* number of the root directory's inode */
    uint32_t quota[F2FS_QUOTAS];
    uint32_t features;
    uint32_t payload; /* number of checkpoint blocks that hold the SIT bitmap */
    uint8_t uuid[16];
    uint64_t version;       /* version of the newest checkpoint: higher is newer */
    uint32_t pack;          /* first block of the newest checkpoint */
    uint32_t journal;       /* block of the newest checkpoint that has the newest NAT entries */
    unsigned journal_at;    /* offset of the newest NAT entries in block `journal` */
    uint32_t nat_blocks;    /* number of blocks in one copy of the NAT */
    unsigned char *nat_map; /* owned; one bit per NAT block: 1 if its second copy is current */
    size_t nat_map_bytes;
};

/* Where a node is: an inode, or a node that lists blocks or other nodes. */
struct f2fs_place {
    uint32_t node, inode, block;
};

struct f2fs_places {
    struct f2fs_place *items; /* owned; sorted by node number */
    size_t count, capacity;
};

/* Returns whether a superblock of F2FS is at byte 1024 of these 2048 bytes. */
bool f2fs_is_present(const unsigned char head[2048]);

/* Opens the file system at byte `offset` of an open file: reads the superblock and the newest
 * checkpoint. Call f2fs_close() even after a failure. */
bool f2fs_open(struct f2fs_volume *volume, int descriptor, uint64_t offset, struct error *error);
void f2fs_close(struct f2fs_volume *volume);

/* Reads a block into `buffer`; returns false on failure. */
bool f2fs_read_block(const struct f2fs_volume *volume, uint64_t block, unsigned char *buffer);

/* Returns whether a block is in the main area, which has all blocks of files. */
bool f2fs_is_in_main_area(const struct f2fs_volume *volume, uint32_t block);

/* Lists the blocks of all nodes, as of the newest checkpoint. Adds the number of NAT blocks that
 * cannot be read to `*unreadable`. */
bool f2fs_read_places(const struct f2fs_volume *volume, struct f2fs_places *places,
                      uint64_t *unreadable, struct error *error);

/* Reads F2FS, a file system of Android devices: which file owns each block now. */

/* Reads into the zeroed map. `map->offset`: byte of the file at which the file system begins. */
bool f2fs_read(int descriptor, struct file_map *map, struct error *error);

#endif
