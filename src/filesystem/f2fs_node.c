#include "filesystem/f2fs_node.h"

#include <sys/stat.h>

#include "filesystem/file_map.h"

#include "input/bytes.h"

/* The footer of every node. */
enum {
    FOOTER_NODE = 4072,
    FOOTER_INODE = FOOTER_NODE + 4,
    FOOTER_PLACE = FOOTER_NODE + 8, /* in the file's tree, above three bits of flags */
    FOOTER_VERSION = FOOTER_NODE + 12,
};

/* An inode. */
enum {
    INODE_MODE = 0,
    INODE_ADVICE = 2,
    INODE_INLINE = 3,
    INODE_LINKS = 12,
    INODE_GENERATION = 68,
    INODE_FLAGS = 80,
    INODE_PARENT = 84,
    INODE_NAME_LENGTH = 88,
    INODE_NAME = 92,
    INODE_ADDRESSES = 360,
    INODE_ADDRESS_COUNT = 923,
    DEFAULT_XATTR = 50, /* addresses whose room extended attributes take */
};
enum {
    INLINE_XATTR = 0x01,
    INLINE_DATA = 0x02,
    INLINE_DIRECTORY = 0x04,
    INLINE_EXTRA = 0x20,
};
#define FEATURE_FLEXIBLE_XATTR 0x40u

/* Places in a file's tree: the inode is 0, two direct nodes, two indirect ones each with those
 * below it, and one more level. */
enum {
    DIRECT_ADDRESSES = 1018,
    FIRST_INDIRECT = 3,
    SECOND_INDIRECT = 4 + DIRECT_ADDRESSES,
    DOUBLE_INDIRECT = 5 + 2 * DIRECT_ADDRESSES,
    XATTR_PLACE = 0x1FFFFFFF,
};

static enum f2fs_node_kind kind_at(uint32_t place) {
    if (place == XATTR_PLACE) {
        return F2FS_XATTR;
    }
    return place == FIRST_INDIRECT || place == SECOND_INDIRECT || place == DOUBLE_INDIRECT ||
                   (place > DOUBLE_INDIRECT &&
                    (place - DOUBLE_INDIRECT - 1) % (DIRECT_ADDRESSES + 1) == 0)
               ? F2FS_INDIRECT
               : F2FS_DIRECT;
}

void f2fs_take_node(const unsigned char *block, struct f2fs_node *node) {
    node->node = bytes_u32_little(block + FOOTER_NODE);
    node->inode = bytes_u32_little(block + FOOTER_INODE);
    node->version = bytes_u32_little(block + FOOTER_VERSION);
    node->kind = node->node == node->inode ? F2FS_INODE
                                           : kind_at(bytes_u32_little(block + FOOTER_PLACE) >> 3);
}

void f2fs_take_inode(const unsigned char *block, struct f2fs_inode *inode) {
    uint32_t length = bytes_u32_little(block + INODE_NAME_LENGTH);

    *inode = (struct f2fs_inode){
        .mode = bytes_u16_little(block + INODE_MODE),
        .advice = block[INODE_ADVICE],
        .links = bytes_u32_little(block + INODE_LINKS),
        .generation = bytes_u32_little(block + INODE_GENERATION),
        .parent = bytes_u32_little(block + INODE_PARENT),
        .flags = bytes_u32_little(block + INODE_FLAGS),
        .name = (const char *)block + INODE_NAME,
        .length = length <= F2FS_NAME ? length : 0,
    };
}

unsigned f2fs_class(const struct f2fs_volume *volume, uint32_t number,
                    const struct f2fs_inode *inode) {
    for (size_t i = 0; i < F2FS_QUOTAS; i++) {
        if (number == volume->quota[i]) {
            return BLOCK_QUOTA;
        }
    }
    return S_ISDIR(inode->mode)   ? BLOCK_DIRECTORY
           : S_ISLNK(inode->mode) ? BLOCK_SYMLINK
                                  : BLOCK_DATA;
}

unsigned f2fs_node_class(enum f2fs_node_kind kind) {
    return kind == F2FS_INODE ? BLOCK_INODE : kind == F2FS_XATTR ? BLOCK_XATTR : BLOCK_TREE;
}

/* --- names ---------------------------------------------------------------------------------- */

/* Sixteen bytes of a name, from the front of four numbers each; what is missing is its length. */
static void take_words(const unsigned char *bytes, size_t length, uint32_t words[4]) {
    uint32_t pad = (uint32_t)length | (uint32_t)length << 8;

    pad |= pad << 16;
    for (size_t i = 0; i < 16; i++) {
        uint32_t *word = &words[i / 4];

        *word = i % 4 == 0 ? pad : *word;
        *word = i < length ? bytes[i] + (*word << 8) : *word;
    }
}

/* One block of the Tiny Encryption Algorithm, sixteen rounds, whose key is what is hashed. */
static void tea(uint32_t state[2], const uint32_t key[4]) {
    uint32_t left = state[0], right = state[1], sum = 0;

    for (int round = 0; round < 16; round++) {
        sum += 0x9E3779B9u;
        left += ((right << 4) + key[0]) ^ (right + sum) ^ ((right >> 5) + key[1]);
        right += ((left << 4) + key[2]) ^ (left + sum) ^ ((left >> 5) + key[3]);
    }
    state[0] += left;
    state[1] += right;
}

/* The hash by which F2FS finds a name in its directory. */
static uint32_t f2fs_hash(const char *name, size_t length) {
    uint32_t state[2] = {0x67452301u, 0xEFCDAB89u}, words[4];

    for (size_t at = 0; at < length; at += 16) {
        take_words((const unsigned char *)name + at, length - at, words);
        tea(state, words);
    }
    return state[0];
}

/* An inode has the name that it was given last, and the directory. Where that was taken away, it
 * says so. */
const char *f2fs_name(const struct f2fs_inode *inode, char shown[FSCRYPT_NAME], size_t *length) {
    *length = (inode->advice & F2FS_LOST_PARENT) != 0 || inode->parent == 0 ? 0 : inode->length;
    if (*length == 0 || (inode->advice & F2FS_ENCRYPTED_NAME) == 0) {
        return inode->name;
    }
    *length = fscrypt_name(f2fs_hash(inode->name, *length), 0, inode->name, *length, shown);
    return shown;
}

/* --- addresses -----------------------------------------------------------------------------------
 */

/* What is left of an inode's addresses between further fields and extended attributes. */
static const unsigned char *inode_room(const struct f2fs_volume *volume, const unsigned char *block,
                                       size_t *count) {
    const unsigned char *first = block + INODE_ADDRESSES;
    unsigned flags = block[INODE_INLINE];
    size_t extra = flags & INLINE_EXTRA ? bytes_u16_little(first) / 4u : 0, attributes = 0;

    if (volume->features & FEATURE_FLEXIBLE_XATTR) {
        attributes = flags & INLINE_EXTRA ? bytes_u16_little(first + 2) : 0;
    } else if (flags & (INLINE_XATTR | INLINE_DIRECTORY)) {
        attributes = DEFAULT_XATTR;
    }
    *count =
        extra + attributes < INODE_ADDRESS_COUNT ? INODE_ADDRESS_COUNT - extra - attributes : 0;
    return *count == 0 ? first : first + 4 * extra;
}

static const unsigned char *inode_addresses(const struct f2fs_volume *volume,
                                            const unsigned char *block, size_t *count) {
    const unsigned char *first = inode_room(volume, block, count);

    if (block[INODE_INLINE] & (INLINE_DATA | INLINE_DIRECTORY)) {
        *count = 0;
    }
    return first;
}

const unsigned char *f2fs_inline_directory(const struct f2fs_volume *volume,
                                           const unsigned char *block, size_t *length) {
    size_t count;
    const unsigned char *first = inode_room(volume, block, &count);

    *length = (block[INODE_INLINE] & INLINE_DIRECTORY) == 0 || count == 0 ? 0 : 4 * (count - 1);
    return first + 4;
}

const unsigned char *f2fs_addresses(const struct f2fs_volume *volume, const unsigned char *block,
                                    const struct f2fs_node *node, size_t *count) {
    switch (node->kind) {
    case F2FS_INODE:
        return inode_addresses(volume, block, count);
    case F2FS_DIRECT:
        *count = DIRECT_ADDRESSES;
        return block;
    default:
        *count = 0;
        return block;
    }
}
