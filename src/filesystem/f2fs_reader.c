
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "filesystem/encrypted_names.h"
#include "filesystem/f2fs_volume.h"
#include "filesystem/file_map.h"
#include "input/bytes.h"

#define F2FS_NAME 255

enum f2fs_node_kind {
    F2FS_INODE,
    F2FS_DIRECT,   /* node that lists the addresses of data blocks */
    F2FS_INDIRECT, /* node that lists the numbers of other nodes */
    F2FS_XATTR,    /* node that holds extended attributes */
};

/* The footer of a node: its number, its inode's number, and what it contains. */
struct f2fs_node {
    uint32_t node, inode;
    enum f2fs_node_kind kind;
};

struct f2fs_inode {
    uint16_t mode;
    uint8_t advice;
    uint32_t links, generation, parent, flags;
    const char *name; /* points into the inode's block; any bytes, not NUL-terminated */
    size_t length;    /* length of the name; 0: none */
};

/* Bits of the byte `advice` in an inode. */
enum { F2FS_LOST_PARENT = 0x02, F2FS_ENCRYPTED = 0x04, F2FS_ENCRYPTED_NAME = 0x08 };

/* The entries of a directory. All pointers point into the block that has the entries. */
struct f2fs_directory {
    const unsigned char *used; /* bitmap of used slots, lowest bit first */
    const unsigned char *entries, *names;
    size_t slots;
};

struct f2fs_entry {
    uint32_t inode, hash;
    const char *name; /* points into the block; any bytes, but never "." or ".." */
    size_t length;
};

/* Offsets in the footer at the end of a node. */
enum {
    FOOTER_NODE = 4072,
    FOOTER_INODE = FOOTER_NODE + 4,
    FOOTER_PLACE = FOOTER_NODE + 8, /* index of the node in its file, times 8, plus three flags */
};

/* Offsets in an inode. */
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
    DEFAULT_XATTR = 50, /* number of addresses that extended attributes replace by default */
};
enum {
    INLINE_XATTR = 0x01,
    INLINE_DATA = 0x02,
    INLINE_DIRECTORY = 0x04,
    INLINE_EXTRA = 0x20,
};
#define FEATURE_FLEXIBLE_XATTR 0x40u

/* Indices of nodes in a file: 0 is the inode. Then come two direct nodes, two indirect nodes, each
 * followed by its direct nodes, and a double indirect node. */
enum {
    DIRECT_ADDRESSES = 1018,
    FIRST_INDIRECT = 3,
    SECOND_INDIRECT = 4 + DIRECT_ADDRESSES,
    DOUBLE_INDIRECT = 5 + 2 * DIRECT_ADDRESSES,
    XATTR_PLACE = 0x1FFFFFFF,
};

static enum f2fs_node_kind kind_of_node_block(uint32_t place) {
    if (place == XATTR_PLACE) {
        return F2FS_XATTR;
    }
    return place == FIRST_INDIRECT || place == SECOND_INDIRECT || place == DOUBLE_INDIRECT ||
                   (place > DOUBLE_INDIRECT &&
                    (place - DOUBLE_INDIRECT - 1) % (DIRECT_ADDRESSES + 1) == 0)
               ? F2FS_INDIRECT
               : F2FS_DIRECT;
}

static void parse_f2fs_node(const unsigned char *block, struct f2fs_node *node) {
    node->node = bytes_u32_little(block + FOOTER_NODE);
    node->inode = bytes_u32_little(block + FOOTER_INODE);
    node->kind = node->node == node->inode
                     ? F2FS_INODE
                     : kind_of_node_block(bytes_u32_little(block + FOOTER_PLACE) >> 3);
}

static void parse_f2fs_inode(const unsigned char *block, struct f2fs_inode *inode) {
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

static unsigned f2fs_class(const struct f2fs_volume *volume, uint32_t number,
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

/* --- names in inodes, and their hash ---------------------------------------------------------- */

/* Packs up to sixteen bytes of a name into four numbers, most significant byte first. Missing bytes
 * are filled with the length of the name. */
static void pack_name_words(const unsigned char *bytes, size_t length, uint32_t words[4]) {
    uint32_t pad = (uint32_t)length | (uint32_t)length << 8;

    pad |= pad << 16;
    for (size_t i = 0; i < 16; i++) {
        uint32_t *word = &words[i / 4];

        *word = i % 4 == 0 ? pad : *word;
        *word = i < length ? bytes[i] + (*word << 8) : *word;
    }
}

/* Runs sixteen rounds of the Tiny Encryption Algorithm on a block; the key is bytes of the name. */
static void encrypt_tea_block(uint32_t state[2], const uint32_t key[4]) {
    uint32_t left = state[0], right = state[1], sum = 0;

    for (int round = 0; round < 16; round++) {
        sum += 0x9E3779B9u;
        left += ((right << 4) + key[0]) ^ (right + sum) ^ ((right >> 5) + key[1]);
        right += ((left << 4) + key[2]) ^ (left + sum) ^ ((left >> 5) + key[3]);
    }
    state[0] += left;
    state[1] += right;
}

/* Returns the hash by which F2FS finds a name in a directory. */
static uint32_t f2fs_hash(const char *name, size_t length) {
    uint32_t state[2] = {0x67452301u, 0xEFCDAB89u}, words[4];

    for (size_t at = 0; at < length; at += 16) {
        pack_name_words((const unsigned char *)name + at, length - at, words);
        encrypt_tea_block(state, words);
    }
    return state[0];
}

/* Returns the file name stored in an inode. Sets `*length` to 0 if the inode says that its name was
 * lost. */
static const char *f2fs_name(const struct f2fs_inode *inode, char shown[FSCRYPT_NAME],
                             size_t *length) {
    *length = (inode->advice & F2FS_LOST_PARENT) != 0 || inode->parent == 0 ? 0 : inode->length;
    if (*length == 0 || (inode->advice & F2FS_ENCRYPTED_NAME) == 0) {
        return inode->name;
    }
    *length = fscrypt_encode_name(f2fs_hash(inode->name, *length), 0, inode->name, *length, shown);
    return shown;
}

/* --- addresses of a file's blocks ------------------------------------------------------------- */

/* Returns an inode's block addresses, which lie between extra fields and extended attributes. */
static const unsigned char *find_inode_addresses(const struct f2fs_volume *volume,
                                                 const unsigned char *block, size_t *count) {
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
    const unsigned char *first = find_inode_addresses(volume, block, count);

    if (block[INODE_INLINE] & (INLINE_DATA | INLINE_DIRECTORY)) {
        *count = 0;
    }
    return first;
}

static const unsigned char *f2fs_inline_directory(const struct f2fs_volume *volume,
                                                  const unsigned char *block, size_t *length) {
    size_t count;
    const unsigned char *first = find_inode_addresses(volume, block, &count);

    *length = (block[INODE_INLINE] & INLINE_DIRECTORY) == 0 || count == 0 ? 0 : 4 * (count - 1);
    return first + 4;
}

static const unsigned char *f2fs_addresses(const struct f2fs_volume *volume,
                                           const unsigned char *block, const struct f2fs_node *node,
                                           size_t *count) {
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

/* Layout of a directory block. A name takes one or more slots; the first has the name's entry. */
enum {
    ENTRY = 11,
    ENTRY_INODE = 4,
    ENTRY_LENGTH = 8,
    SLOT = 8,
    BLOCK_SLOTS = 214,
    BLOCK_ENTRIES = 30, /* offset of the entries, after the bitmap and three unused bytes */
};

static struct f2fs_directory f2fs_directory_block(const unsigned char *block) {
    return (struct f2fs_directory){
        .used = block,
        .entries = block + BLOCK_ENTRIES,
        .names = block + BLOCK_ENTRIES + BLOCK_SLOTS * ENTRY,
        .slots = BLOCK_SLOTS,
    };
}

/* Returns the directory inside an inode: a bitmap, and as many slots as there is room for. */
static struct f2fs_directory f2fs_directory_inline(const struct f2fs_volume *volume,
                                                   const unsigned char *inode) {
    size_t room, slots;
    const unsigned char *first = f2fs_inline_directory(volume, inode, &room);

    slots = 8 * room / (8 * (ENTRY + SLOT) + 1);
    return (struct f2fs_directory){
        .used = first,
        .entries = first + (room - slots * (ENTRY + SLOT)),
        .names = first + (room - slots * SLOT),
        .slots = slots,
    };
}

static bool f2fs_directory_next(const struct f2fs_directory *directory, size_t *slot,
                                struct f2fs_entry *entry) {
    while (*slot < directory->slots) {
        size_t at = *slot, needed;
        const unsigned char *bytes = directory->entries + at * ENTRY;

        entry->hash = bytes_u32_little(bytes);
        entry->inode = bytes_u32_little(bytes + ENTRY_INODE);
        entry->length = bytes_u16_little(bytes + ENTRY_LENGTH);
        entry->name = (const char *)directory->names + at * SLOT;
        needed = (entry->length + SLOT - 1) / SLOT;
        if ((directory->used[at / 8] >> at % 8 & 1) == 0 || entry->length == 0 ||
            entry->length > F2FS_NAME || needed > directory->slots - at) {
            ++*slot;
            continue;
        }
        *slot += needed;
        if (entry->inode != 0 && entry->name[0] == '.' &&
            (entry->length == 1 || (entry->length == 2 && entry->name[1] == '.'))) {
            continue;
        }
        if (entry->inode != 0) {
            return true;
        }
    }
    return false;
}

/* Properties of a file. An array of them has the indices of the map's `files`. */
struct known {
    uint8_t class; /* class of the file's blocks (enum block_class) */
};

struct reader {
    struct f2fs_volume volume;
    struct f2fs_places places;
    struct file_map *map;
    struct known *known; /* owned */
    size_t nameless;     /* number of inodes without name or directory */
    struct error *error;
};

static bool f2fs_reader_add_parts(struct reader *reader) {
    const struct f2fs_volume *volume = &reader->volume;

    return file_map_add(reader->map, 0, 2, BLOCK_SUPERBLOCK, 0, reader->error) &&
           file_map_add(reader->map, volume->checkpoint, volume->sit - volume->checkpoint,
                        BLOCK_CHECKPOINT, 0, reader->error) &&
           file_map_add(reader->map, volume->sit, volume->nat - volume->sit, BLOCK_SEGMENTS, 0,
                        reader->error) &&
           file_map_add(reader->map, volume->nat, volume->ssa - volume->nat, BLOCK_NODES, 0,
                        reader->error) &&
           file_map_add(reader->map, volume->ssa, volume->main - volume->ssa, BLOCK_SUMMARY, 0,
                        reader->error);
}

/* --- reading nodes of F2FS -------------------------------------------------------------------- */

/* Reads a node from its place in the node address table. If reading fails, or the block has another
 * node, counts it as unreadable and returns false. */
static bool f2fs_reader_read_node(struct reader *reader, const struct f2fs_place *place,
                                  unsigned char *block, struct f2fs_node *node) {
    if (f2fs_read_block(&reader->volume, place->block, block)) {
        parse_f2fs_node(block, node);
        if (node->node == place->node && node->inode == place->inode) {
            return true;
        }
    }
    reader->map->unreadable++;
    return false;
}

/* Adds to the file the data blocks whose addresses are in a node. Addresses outside the main area
 * are skipped: they mean a hole, a block not written yet, or one saved by compression. */
static bool f2fs_reader_add_blocks(struct reader *reader, const unsigned char *block,
                                   const struct f2fs_node *node, uint32_t file) {
    size_t count;
    const unsigned char *addresses = f2fs_addresses(&reader->volume, block, node, &count);

    for (size_t i = 0; i < count; i++) {
        uint32_t address = bytes_u32_little(addresses + 4 * i);

        if (f2fs_is_in_main_area(&reader->volume, address) &&
            !file_map_add(reader->map, address, 1, reader->known[file].class, file,
                          reader->error)) {
            return false;
        }
    }
    return true;
}

static bool f2fs_reader_add_name(struct reader *reader, uint32_t number,
                                 const struct f2fs_inode *inode) {
    char shown[FSCRYPT_NAME];
    size_t length;
    const char *name = f2fs_name(inode, shown, &length);

    reader->nameless += length == 0;
    return length == 0 || number == reader->volume.root ||
           file_map_set_name(reader->map, number, inode->parent, name, length, reader->error);
}

static bool add_inode(struct reader *reader, const struct f2fs_place *place) {
    unsigned char block[F2FS_BLOCK];
    struct f2fs_inode inode;
    struct f2fs_node node;
    uint32_t file;

    if (!f2fs_reader_read_node(reader, place, block, &node)) {
        return true;
    }
    parse_f2fs_inode(block, &inode);
    file = file_map_add_file(reader->map, place->inode, inode.generation, reader->error);
    if (file == 0) {
        return false;
    }
    reader->map->live = reader->map->files.count;
    reader->map->files.items[file].encrypted = (inode.advice & F2FS_ENCRYPTED) != 0;
    reader->known[file].class = (uint8_t)f2fs_class(&reader->volume, place->inode, &inode);
    return file_map_add(reader->map, place->block, 1, BLOCK_INODE, file, reader->error) &&
           f2fs_reader_add_blocks(reader, block, &node, file) &&
           f2fs_reader_add_name(reader, place->inode, &inode);
}

/* Adds all inodes in ascending order. This must be done before other nodes are added, as these
 * refer to inodes. */
static bool f2fs_reader_add_inodes(struct reader *reader) {
    for (size_t i = 0; i < reader->places.count; i++) {
        const struct f2fs_place *place = &reader->places.items[i];

        if (place->node == place->inode && !add_inode(reader, place)) {
            return false;
        }
    }
    return true;
}

static bool f2fs_reader_add_other(struct reader *reader, const struct f2fs_place *place) {
    uint32_t file = file_map_find_inode(reader->map, place->inode);
    unsigned char block[F2FS_BLOCK];
    struct f2fs_node node;

    if (file == 0 || !f2fs_reader_read_node(reader, place, block, &node)) {
        return true;
    }
    return file_map_add(reader->map, place->block, 1,
                        node.kind == F2FS_INODE   ? BLOCK_INODE
                        : node.kind == F2FS_XATTR ? BLOCK_XATTR
                                                  : BLOCK_TREE,
                        file, reader->error) &&
           f2fs_reader_add_blocks(reader, block, &node, file);
}

static bool add_others(struct reader *reader) {
    for (size_t i = 0; i < reader->places.count; i++) {
        const struct f2fs_place *place = &reader->places.items[i];

        if (place->node != place->inode && !f2fs_reader_add_other(reader, place)) {
            return false;
        }
    }
    return true;
}

/* --- reading a whole F2FS --------------------------------------------------------------------- */

static bool add_entries(struct reader *reader, const struct f2fs_directory *directory,
                        const struct map_file *parent) {
    const uint32_t number = parent->inode;
    const bool encrypted = parent->encrypted != 0;
    struct f2fs_entry entry;
    char shown[FSCRYPT_NAME];

    for (size_t slot = 0; f2fs_directory_next(directory, &slot, &entry);) {
        if (encrypted) {
            entry.length = fscrypt_encode_name(entry.hash, 0, entry.name, entry.length, shown);
            entry.name = shown;
        }
        if (!file_map_set_name(reader->map, entry.inode, number, entry.name, entry.length,
                               reader->error)) {
            return false;
        }
    }
    return true;
}

/* Reads names from the blocks of an extent if they are directory blocks, or inodes that contain a
 * directory. */
static bool add_entries_of(struct reader *reader, const struct map_extent *extent) {
    const struct map_file *file = &reader->map->files.items[extent->file];
    unsigned char block[F2FS_BLOCK];

    if (extent->class != BLOCK_DIRECTORY &&
        (extent->class != BLOCK_INODE || reader->known[extent->file].class != BLOCK_DIRECTORY)) {
        return true;
    }
    for (uint32_t i = 0; i < extent->length; i++) {
        struct f2fs_directory directory;

        if (!f2fs_read_block(&reader->volume, extent->start + i, block)) {
            reader->map->unreadable++;
            continue;
        }
        directory = extent->class == BLOCK_DIRECTORY
                        ? f2fs_directory_block(block)
                        : f2fs_directory_inline(&reader->volume, block);
        if (!add_entries(reader, &directory, file)) {
            return false;
        }
    }
    return true;
}

/* Reads names from directories for inodes whose name a rename has removed. Known names are not
 * replaced. */
static bool f2fs_reader_find_names(struct reader *reader) {
    for (size_t i = 0; i < reader->map->extents.count && reader->nameless > 0; i++) {
        if (!add_entries_of(reader, &reader->map->extents.items[i])) {
            return false;
        }
    }
    return true;
}

static bool f2fs_reader_read_files(struct reader *reader) {
    struct file_map *map = reader->map;

    map->blocks = reader->volume.blocks;
    map->block_size = F2FS_BLOCK;
    map->root = reader->volume.root;
    memcpy(map->uuid, reader->volume.uuid, sizeof map->uuid);
    map->amount = reader->volume.version;
    if (!f2fs_read_places(&reader->volume, &reader->places, &map->unreadable, reader->error)) {
        return false;
    }
    /* There are at most as many files as nodes. Element 0 means "no file". */
    reader->known = xcalloc(reader->places.count + 1, sizeof *reader->known);
    return f2fs_reader_add_inodes(reader) && add_others(reader) && f2fs_reader_add_parts(reader) &&
           file_map_finish(map, reader->error) && f2fs_reader_find_names(reader);
}

bool f2fs_read(int descriptor, struct file_map *map, struct error *error) {
    struct reader reader = {.map = map, .error = error};
    bool done = f2fs_open(&reader.volume, descriptor, map->offset, error) &&
                f2fs_reader_read_files(&reader);

    free(reader.known);
    free(reader.places.items);
    f2fs_close(&reader.volume);
    return done;
}
