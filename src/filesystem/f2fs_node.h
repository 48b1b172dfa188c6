/* A node block of F2FS taken apart. */
#ifndef TRACETOOL_F2FS_NODE_H
#define TRACETOOL_F2FS_NODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "filesystem/f2fs_volume.h"
#include "filesystem/fscrypt.h"

#define F2FS_NAME 255

enum f2fs_node_kind {
    F2FS_INODE,
    F2FS_DIRECT,   /* addresses of blocks */
    F2FS_INDIRECT, /* numbers of nodes */
    F2FS_XATTR,    /* extended attributes */
};

/* What every node says of itself, at its end. */
struct f2fs_node {
    uint32_t node, inode;
    enum f2fs_node_kind kind;
    uint32_t version; /* of the checkpoint before it was written, its lower half */
};

struct f2fs_inode {
    uint16_t mode;
    uint8_t advice;
    uint32_t links, generation, parent, flags;
    const char *name; /* borrowed of the block; of any bytes */
    size_t length;    /* of the name; 0: it has none */
};

/* Bits of `advice`. */
enum { F2FS_LOST_PARENT = 0x02, F2FS_ENCRYPTED = 0x04, F2FS_ENCRYPTED_NAME = 0x08 };

/* What the blocks of a file hold, and a node itself: enum block_class. */
unsigned f2fs_class(const struct f2fs_volume *volume, uint32_t number,
                    const struct f2fs_inode *inode);
unsigned f2fs_node_class(enum f2fs_node_kind kind);

/* The name of an inode, as Linux shows it without a key where it is encrypted: borrowed of the
 * inode, or in `shown`. Length 0: it has none, or forgot it. */
const char *f2fs_name(const struct f2fs_inode *inode, char shown[FSCRYPT_NAME], size_t *length);

/* What a block of F2FS_BLOCK bytes says: as a node, and as an inode, whose name is borrowed of the
 * block then; one longer than F2FS_NAME counts as none. */
void f2fs_take_node(const unsigned char *block, struct f2fs_node *node);
void f2fs_take_inode(const unsigned char *block, struct f2fs_inode *inode);

/* Addresses of blocks in a node, as they lie there (little endian), and how many. Of an inode whose
 * content lies in itself, of indirect nodes and of attributes there are none. */
const unsigned char *f2fs_addresses(const struct f2fs_volume *volume, const unsigned char *block,
                                    const struct f2fs_node *node, size_t *count);

/* What of a directory's inode holds its entries, behind one address that is not used; length 0: it
 * has blocks instead. */
const unsigned char *f2fs_inline_directory(const struct f2fs_volume *volume,
                                           const unsigned char *block, size_t *length);

#endif
