/* F2FS as it lies on a device: where its parts are, its newest checkpoint, where its nodes are.
 *
 * Numbers are little endian, blocks have 4 KiB, segments 512 blocks. A node is an inode, or says
 * where further blocks of a file are; it has a number, which the node address table (NAT) turns
 * into its place. A node that changes is written to another place. Of the two checkpoint packs,
 * which are written alternately, the newer one says which of the two copies of each NAT block is
 * current. What the file system was at earlier checkpoints is not read.
 */
#ifndef TRACETOOL_F2FS_VOLUME_H
#define TRACETOOL_F2FS_VOLUME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "filesystem/file_map.h"

#define F2FS_BLOCK   4096
#define F2FS_SEGMENT 512 /* blocks */
#define F2FS_QUOTAS  3

/* Blocks are counted from the beginning of the file system. */
struct f2fs_volume {
    int descriptor;  /* borrowed */
    uint64_t offset; /* of the file system in it, bytes */
    uint64_t blocks;
    uint32_t checkpoint, sit, nat, ssa, main; /* first block of each part, in this order */
    uint32_t main_segments;
    uint32_t root; /* inode */
    uint32_t quota[F2FS_QUOTAS];
    uint32_t features;
    uint32_t payload; /* blocks of a checkpoint that hold a map of the segments */
    uint8_t uuid[16];
    uint64_t version;       /* of the newest checkpoint */
    uint32_t pack;          /* its first block */
    uint32_t journal;       /* block of it with the newest entries of the NAT */
    unsigned journal_at;    /* byte of that block */
    uint32_t nat_blocks;    /* of one copy; the checkpoint says which copy is newer */
    unsigned char *nat_map; /* owned; a bit a block: the second copy is the newer one */
    size_t nat_map_bytes;
};

/* Where a node is. */
struct f2fs_place {
    uint32_t node, inode, block;
};

struct f2fs_places {
    struct f2fs_place *items; /* owned; by node */
    size_t count, capacity;
};

/* Whether a superblock of F2FS lies at byte 1024 of these 2048. */
bool f2fs_is_there(const unsigned char head[2048]);

/* Opens the file system that begins at byte `offset` of the open file: its superblock and its
 * newest checkpoint. To be closed in any case. */
bool f2fs_open(struct f2fs_volume *volume, int descriptor, uint64_t offset, struct error *error);
void f2fs_close(struct f2fs_volume *volume);

/* Reads a block; false when it cannot be read. */
bool f2fs_read_block(const struct f2fs_volume *volume, uint64_t block, unsigned char *buffer);

/* Whether files may have the block: it is not one of the file system's own parts. */
bool f2fs_is_main(const struct f2fs_volume *volume, uint32_t block);

/* Where all nodes are that the newest checkpoint knows. What of the table cannot be read is added
 * to
 * `*unreadable`. */
bool f2fs_read_places(const struct f2fs_volume *volume, struct f2fs_places *places,
                      uint64_t *unreadable, struct error *error);

/* Reads F2FS, Android's file system: the present owners of its blocks. */

/* Fills the zeroed map, whose `offset` says where the file system begins in the open file. */
bool f2fs_read(int descriptor, struct file_map *map, struct error *error);

#endif
