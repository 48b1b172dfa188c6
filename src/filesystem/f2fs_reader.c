#include "filesystem/f2fs_reader.h"

#include <stdlib.h>
#include <string.h>

#include "filesystem/f2fs_directory.h"
#include "filesystem/f2fs_node.h"
#include "filesystem/f2fs_past.h"
#include "filesystem/f2fs_volume.h"
#include "filesystem/fscrypt.h"
#include "input/bytes.h"
#include "base/memory.h"

/* What is known of each file of the map, by the same index. */
struct known {
    uint8_t class; /* of its blocks */
};

struct reader {
    struct f2fs_volume volume;
    struct f2fs_places places;
    struct file_map *map;
    struct known *known; /* owned */
    size_t nameless;     /* inodes that do not know their name, or not their directory */
    struct error *error;
};

static bool add(struct reader *reader, uint64_t start, uint64_t length, unsigned class,
                uint32_t file) {
    const struct map_extent extent = {
        .start = start,
        .length = (uint32_t)length,
        .file = file,
        .class = (uint8_t) class,
    };

    return file_map_add(reader->map, &extent, reader->error);
}

/* --- what has its place
 * ---------------------------------------------------------------------------
 */

static bool add_parts(struct reader *reader) {
    const struct f2fs_volume *volume = &reader->volume;

    return add(reader, 0, 2, BLOCK_SUPERBLOCK, 0) &&
           add(reader, volume->checkpoint, volume->sit - volume->checkpoint, BLOCK_CHECKPOINT, 0) &&
           add(reader, volume->sit, volume->nat - volume->sit, BLOCK_SEGMENTS, 0) &&
           add(reader, volume->nat, volume->ssa - volume->nat, BLOCK_NODES, 0) &&
           add(reader, volume->ssa, volume->main - volume->ssa, BLOCK_SUMMARY, 0);
}

/* --- nodes ---------------------------------------------------------------------------------------
 */

/* Reads the node that the table has there; false: it is another one, or cannot be read. */
static bool read_node(struct reader *reader, const struct f2fs_place *place, unsigned char *block,
                      struct f2fs_node *node) {
    if (f2fs_read_block(&reader->volume, place->block, block)) {
        f2fs_take_node(block, node);
        if (node->node == place->node && node->inode == place->inode) {
            return true;
        }
    }
    reader->map->unreadable++;
    return false;
}

/* The blocks of the file that a node has the addresses of. Those that are none are of holes, of
 * blocks that were not yet written, and of what compression saved. */
static bool add_blocks(struct reader *reader, const unsigned char *block,
                       const struct f2fs_node *node, uint32_t file) {
    size_t count;
    const unsigned char *addresses = f2fs_addresses(&reader->volume, block, node, &count);

    for (size_t i = 0; i < count; i++) {
        uint32_t address = bytes_u32_little(addresses + 4 * i);

        if (f2fs_is_main(&reader->volume, address) &&
            !add(reader, address, 1, reader->known[file].class, file)) {
            return false;
        }
    }
    return true;
}

static bool add_name(struct reader *reader, uint32_t number, const struct f2fs_inode *inode) {
    char shown[FSCRYPT_NAME];
    size_t length;
    const char *name = f2fs_name(inode, shown, &length);

    reader->nameless += length == 0;
    return length == 0 || number == reader->volume.root ||
           file_map_name(reader->map, number, inode->parent, name, length, reader->error);
}

static bool add_inode(struct reader *reader, const struct f2fs_place *place) {
    unsigned char block[F2FS_BLOCK];
    struct f2fs_inode inode;
    struct f2fs_node node;
    uint32_t file;

    if (!read_node(reader, place, block, &node)) {
        return true;
    }
    f2fs_take_inode(block, &inode);
    file = file_map_add_file(reader->map, place->inode, inode.generation, reader->error);
    if (file == 0) {
        return false;
    }
    reader->map->live = reader->map->files.count;
    reader->map->files.items[file].encrypted = (inode.advice & F2FS_ENCRYPTED) != 0;
    reader->known[file].class = (uint8_t)f2fs_class(&reader->volume, place->inode, &inode);
    return add(reader, place->block, 1, BLOCK_INODE, file) &&
           add_blocks(reader, block, &node, file) && add_name(reader, place->inode, &inode);
}

/* The inodes, which the other nodes need, by number. */
static bool add_inodes(struct reader *reader) {
    for (size_t i = 0; i < reader->places.count; i++) {
        const struct f2fs_place *place = &reader->places.items[i];

        if (place->node == place->inode && !add_inode(reader, place)) {
            return false;
        }
    }
    return true;
}

static bool add_other(struct reader *reader, const struct f2fs_place *place) {
    uint32_t file = file_map_inode(reader->map, place->inode);
    unsigned char block[F2FS_BLOCK];
    struct f2fs_node node;

    if (file == 0 || !read_node(reader, place, block, &node)) {
        return true;
    }
    return add(reader, place->block, 1, f2fs_node_class(node.kind), file) &&
           add_blocks(reader, block, &node, file);
}

static bool add_others(struct reader *reader) {
    for (size_t i = 0; i < reader->places.count; i++) {
        const struct f2fs_place *place = &reader->places.items[i];

        if (place->node != place->inode && !add_other(reader, place)) {
            return false;
        }
    }
    return true;
}

/* --- all of it -----------------------------------------------------------------------------------
 */

static bool add_entries(struct reader *reader, const struct f2fs_directory *directory,
                        const struct map_file *parent) {
    const uint32_t number = parent->inode;
    const bool encrypted = parent->encrypted != 0;
    struct f2fs_entry entry;
    char shown[FSCRYPT_NAME];

    for (size_t slot = 0; f2fs_directory_next(directory, &slot, &entry);) {
        if (encrypted) {
            entry.length = fscrypt_name(entry.hash, 0, entry.name, entry.length, shown);
            entry.name = shown;
        }
        if (!file_map_name(reader->map, entry.inode, number, entry.name, entry.length,
                           reader->error)) {
            return false;
        }
    }
    return true;
}

/* The entries in the blocks of an extent, if it is a directory's, or an inode that may hold some.
 */
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

/* A file that was renamed has lost its name; only directories tell then. Names that are known stay.
 */
static bool find_names(struct reader *reader) {
    for (size_t i = 0; i < reader->map->extents.count && reader->nameless > 0; i++) {
        if (!add_entries_of(reader, &reader->map->extents.items[i])) {
            return false;
        }
    }
    return true;
}

static bool read_files(struct reader *reader) {
    struct file_map *map = reader->map;

    map->blocks = reader->volume.blocks;
    map->block_size = F2FS_BLOCK;
    map->root = reader->volume.root;
    memcpy(map->uuid, reader->volume.uuid, sizeof map->uuid);
    map->amount = reader->volume.version;
    if (!f2fs_read_places(&reader->volume, &reader->places, &map->unreadable, reader->error)) {
        return false;
    }
    /* Each file is one of these, and one stands for none. */
    reader->known = xcalloc(reader->places.count + 1, sizeof *reader->known);
    if (reader->known == NULL) {
        return error_no_memory(reader->error);
    }
    return add_inodes(reader) && add_others(reader) && add_parts(reader) &&
           file_map_settle(map, reader->error) && find_names(reader) &&
           f2fs_read_past(&reader->volume, &reader->places, map, reader->error);
}

bool f2fs_read(int descriptor, struct file_map *map, struct error *error) {
    struct reader reader = {.map = map, .error = error};
    bool done = f2fs_open(&reader.volume, descriptor, map->offset, error) && read_files(&reader);

    free(reader.known);
    free(reader.places.items);
    f2fs_close(&reader.volume);
    return done;
}
