#include "base/search.h"
#include "filesystem/ext_reader.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "filesystem/encrypted_names.h"
#include "input/bytes.h"
#include "base/memory.h"

/* Offsets in an inode on disk. Numbers in it are little-endian. */
enum {
    INODE_MODE = 0,
    INODE_SIZE = 4,
    INODE_DELETED = 20,
    INODE_LINKS = 26,
    INODE_FLAGS = 32,
    INODE_BLOCKS = 40,
    INODE_GENERATION = 100,
    INODE_ATTRIBUTES = 104,
    INODE_ATTRIBUTES_HIGH = 118,
    INODE_EXTRA = 128,
};
#define INODE_BLOCKS_SIZE 60
#define DIRECT_BLOCKS     12

/* Layout of a node of an extent tree: a header and entries of 12 bytes each. */
#define EXTENT_MAGIC   0xF30A
#define EXTENT_SIZE    12
#define EXTENT_LONGEST 32768 /* added to the stored length of an unwritten extent */
#define EXTENT_DEPTH   5

/* Maximum nodes that are read for one version of an extent tree. */
#define VERSION_NODES 65536

/* Elements of `pasts` that differ only in time are merged after this many were added. */
#define PACKED_AT ((size_t)1 << 20)

/* Layout of extended attributes inside an inode. */
#define ATTRIBUTES_MAGIC 0xEA020000u
#define ATTRIBUTE_HEADER 16
#define ATTRIBUTE_SYSTEM 7

/* A file that is no longer in the image, by inode number and generation. */
struct gone_file {
    struct {
        uint32_t inode, generation;
    } key;
    uint32_t file;
    UT_hash_handle hh;
};

struct table {
    uint64_t start; /* first block of the group's inode table */
    uint32_t group;
};

struct history {
    const struct journal *journal;
    struct file_map *map;
    struct error *error;
    uint32_t block_size, inode_size;
    struct table *tables; /* owned; inode tables of all block groups, sorted by first block */
    struct gone_file *gone;
    size_t pack_at;
    unsigned char *nodes;                   /* owned; one block for each level of an extent tree */
    unsigned char *bitmap;                  /* owned; contents of `bitmap_copy` */
    const struct journal_copy *bitmap_copy; /* the journal's copy of the block bitmap that was read
                                               last; NULL: none was read */
};

/* A version of an inode: an earlier state of it, while its extent tree is read. */
struct version {
    struct history *history;
    const unsigned char *inode;
    uint32_t file, from; /* `from`: first transaction with this state of the tree */
    uint32_t next;       /* next transaction that changes a node of this tree */
    unsigned class;
    size_t first; /* index of the first element of `pasts` for this state of the tree */
    unsigned nodes;
};

/* --- finding which blocks were a file's earlier ----------------------------------------------- */

/* Returns whether a node of an extent tree has the right checksum for this version's file: the sum
 * includes inode number and generation. Returns false if the file system has no checksums. */
static bool has_checksum(const struct version *version, const unsigned char *node) {
    ext2_filsys fs = version->history->journal->fs;
    const struct map_file *file = &version->history->map->files.items[version->file];
    size_t end = EXTENT_SIZE * (1 + (size_t)bytes_u16_little(node + 4));
    unsigned char number[4], generation[4];
    uint32_t sum;

    if (!ext2fs_has_feature_metadata_csum(fs->super) || bytes_u16_little(node) != EXTENT_MAGIC ||
        end + 4 > version->history->block_size) {
        return false;
    }
    for (unsigned i = 0; i < 4; i++) {
        number[i] = (unsigned char)(file->inode >> 8 * i);
        generation[i] = (unsigned char)(file->generation >> 8 * i);
    }
    sum = ext2fs_crc32c_le(fs->csum_seed, number, sizeof number);
    sum = ext2fs_crc32c_le(sum, generation, sizeof generation);
    return ext2fs_crc32c_le(sum, node, end) == bytes_u32_little(node + end);
}

/* Where the contents of an extent tree's node were read, and whether they are certain. */
struct origin {
    bool doubtful;
    bool is_later; /* true: read from a copy newer than the version, as there is no older one */
    uint32_t transaction; /* transaction of the newer copy */
};

/* Reads a node of a version's extent tree. A block of the image is certain only if the journal has
 * no copy of it, and the block still belongs to this file or has the right checksum. */
static bool history_read_node(struct version *version, uint64_t block, unsigned char *buffer,
                              struct origin *origin) {
    const struct journal *journal = version->history->journal;
    const struct journal_copy *past = NULL, *later = NULL;
    const struct map_extent *now;

    for (size_t at = journal_find(journal, block);
         later == NULL && at < journal->copy_count && journal->copies[at].block == block; at++) {
        if (journal->copies[at].transaction <= version->from) {
            past = &journal->copies[at];
        } else {
            later = &journal->copies[at];
        }
    }
    if (later != NULL && later->transaction < version->next) {
        version->next = later->transaction;
    }
    if (past != NULL) {
        return journal_read_copy(journal, past, buffer);
    }
    if (later != NULL) {
        /* If the parent node is from a later copy, too, this node is doubtful: it is not checked
         * which of the two nodes changed first. */
        origin->doubtful |= origin->is_later;
        origin->is_later = true;
        origin->transaction = later->transaction;
        return journal_read_copy(journal, later, buffer);
    }
    if (block >= version->history->map->blocks ||
        io_channel_read_blk64(version->history->journal->fs->io, block, 1, buffer) != 0) {
        return false;
    }
    now = file_map_find(version->history->map, block);
    origin->doubtful |= !((now != NULL && now->class == BLOCK_TREE && now->file == version->file) ||
                          has_checksum(version, buffer));
    return true;
}

/* Whether a block was in use before the transaction that is the first to show its owner. */
enum use { USE_NONE, USE_KNOWN, USE_UNKNOWN };

/* Returns whether the block was in use before the transaction; then it already had the same owner,
 * as no transaction both frees and reuses a block. A transaction that allocates a block changes the
 * bitmap. So the block was in use if the transaction has no copy of the bitmap, or the previous
 * copy has its bit set. USE_UNKNOWN: the previous copy is missing or unreadable. */
static enum use block_was_in_use_before(struct history *history, uint64_t block,
                                        uint32_t transaction) {
    const struct journal *journal = history->journal;
    ext2_filsys fs = journal->fs;
    const struct journal_copy *before = NULL;
    dgrp_t group = ext2fs_group_of_blk2(fs, block);
    uint64_t bitmap = ext2fs_block_bitmap_loc(fs, group),
             bit = (block - ext2fs_group_first_block2(fs, group)) >> fs->cluster_ratio_bits;
    size_t at = journal_find(journal, bitmap);

    while (at < journal->copy_count && journal->copies[at].block == bitmap &&
           journal->copies[at].transaction < transaction) {
        before = &journal->copies[at++];
    }
    if (at == journal->copy_count || journal->copies[at].block != bitmap ||
        journal->copies[at].transaction != transaction) {
        return USE_KNOWN;
    }
    if (before == NULL || bit / 8 >= history->block_size) {
        return USE_UNKNOWN;
    }
    if (before != history->bitmap_copy) {
        history->bitmap_copy = NULL;
        if (!journal_read_copy(journal, before, history->bitmap)) {
            return USE_UNKNOWN;
        }
        history->bitmap_copy = before;
    }
    return history->bitmap[bit / 8] >> bit % 8 & 1 ? USE_KNOWN : USE_NONE;
}

/* --- reading extent trees --------------------------------------------------------------------- */

static bool add_past(struct version *version, uint64_t start, uint32_t length, unsigned class,
                     bool doubtful) {
    const struct past_owner past = {
        .start = start,
        .length = length,
        .file = version->file,
        .from = version->from,
        .until = UINT32_MAX, /* replaced when the whole tree has been read */
        .class = (uint8_t) class,
        .doubtful = doubtful,
    };

    return file_map_add_past_owner(version->history->map, &past, version->first,
                                   version->history->error);
}

/* Adds the blocks that a node lists. If the node is from a later copy, adds only those that were in
 * use before that copy's transaction: these belonged to the file already. */
static bool add_named(struct version *version, uint64_t start, uint32_t length, unsigned class,
                      const struct origin *origin) {
    uint64_t end = start + length;

    if (!origin->is_later || origin->doubtful || end > version->history->map->blocks) {
        return add_past(version, start, length, class, origin->doubtful);
    }
    for (uint64_t block = start; block < end; block++) {
        enum use use = block_was_in_use_before(version->history, block, origin->transaction);

        if (use != USE_NONE && !add_past(version, block, 1, class, use == USE_UNKNOWN)) {
            return false;
        }
    }
    return true;
}

/* Adds the blocks that an extent tree lists, recursively from a node on. `levels`: maximum height
 * of the node. */
static bool add_extents(struct version *version, const unsigned char *node, size_t size,
                        unsigned levels, const struct origin *origin) {
    unsigned count = bytes_u16_little(node + 2), depth = bytes_u16_little(node + 6);

    if (bytes_u16_little(node) != EXTENT_MAGIC || depth > levels ||
        (count + 1) * (size_t)EXTENT_SIZE > size || ++version->nodes > VERSION_NODES) {
        return true;
    }
    for (unsigned i = 1; i <= count; i++) {
        const unsigned char *entry = node + i * (size_t)EXTENT_SIZE;
        unsigned char *below =
            version->history->nodes + (size_t)depth * version->history->block_size;
        struct origin below_origin = *origin;
        uint32_t length = bytes_u16_little(entry + 4);
        uint64_t block;

        if (depth == 0) {
            block = (uint64_t)bytes_u16_little(entry + 6) << 32 | bytes_u32_little(entry + 8);
            if (!add_named(version, block,
                           length > EXTENT_LONGEST ? length - EXTENT_LONGEST : length,
                           length > EXTENT_LONGEST ? BLOCK_UNWRITTEN : version->class, origin)) {
                return false;
            }
            continue;
        }
        block = (uint64_t)bytes_u16_little(entry + 8) << 32 | bytes_u32_little(entry + 4);
        if (!add_named(version, block, 1, BLOCK_TREE, origin) ||
            (history_read_node(version, block, below, &below_origin) &&
             !add_extents(version, below, version->history->block_size, depth - 1,
                          &below_origin))) {
            return false;
        }
    }
    return true;
}

/* Adds the blocks of a tree of indirect blocks, the format before extents. Indirect blocks have no
 * magic number, so doubtful ones are skipped. */
static bool add_indirect(struct version *version, uint64_t block, unsigned level,
                         const struct origin *origin) {
    unsigned char *node = version->history->nodes + (size_t)level * version->history->block_size;
    struct origin below = *origin;

    if (block == 0 || block >= version->history->map->blocks || ++version->nodes > VERSION_NODES) {
        return true;
    }
    if (!add_named(version, block, 1, BLOCK_TREE, origin)) {
        return false;
    }
    if (!history_read_node(version, block, node, &below) || below.doubtful) {
        return true;
    }
    for (size_t place = 0; place < version->history->block_size; place += 4) {
        uint32_t number = bytes_u32_little(node + place);

        if (number != 0 && !(level == 1 ? add_named(version, number, 1, version->class, &below)
                                        : add_indirect(version, number, level - 1, &below))) {
            return false;
        }
    }
    return true;
}

static bool add_tree(struct version *version) {
    static const struct origin inode;
    const unsigned char *blocks = version->inode + INODE_BLOCKS;

    if (bytes_u32_little(version->inode + INODE_FLAGS) & EXT4_EXTENTS_FL) {
        return add_extents(version, blocks, INODE_BLOCKS_SIZE, EXTENT_DEPTH, &inode);
    }
    for (unsigned i = 0; i < DIRECT_BLOCKS; i++) {
        uint32_t number = bytes_u32_little(blocks + (size_t)4 * i);

        if (number != 0 && !add_past(version, number, 1, version->class, false)) {
            return false;
        }
    }
    for (unsigned level = 1; level <= 3; level++) {
        if (!add_indirect(version,
                          bytes_u32_little(blocks + (size_t)4 * (DIRECT_BLOCKS + level - 1)), level,
                          &inode)) {
            return false;
        }
    }
    return true;
}

/* Adds the blocks of each state of the extent tree, until the inode changes at `until`. */
static bool add_trees(struct version *version, uint32_t until) {
    struct map_pasts *pasts = &version->history->map->pasts;

    while (version->from < until) {
        version->next = until;
        version->nodes = 0;
        version->first = pasts->count;
        if (!add_tree(version)) {
            return false;
        }
        for (size_t i = version->first; i < pasts->count; i++) {
            pasts->items[i].until = version->next;
        }
        version->from = version->next;
    }
    return true;
}

/* --- reading names of directories ------------------------------------------------------------- */

/* Returns whether a valid directory entry is at offset `place`; sets `*length` to its length. */
static bool find_entry(const unsigned char *bytes, size_t size, size_t place, size_t *length) {
    if (place + 8 > size) {
        return false;
    }
    *length = bytes_u16_little(bytes + place + 4);
    if (*length == 0 || *length == UINT16_MAX) {
        *length = size - place;
    }
    return *length >= 8 && *length % 4 == 0 && *length <= size - place &&
           8 + (size_t)bytes[place + 6] <= *length;
}

/* Adds the names in a directory block. `before`: previous copy of the block, whose names were added
 * already; NULL: none. */
static bool history_add_names(struct history *history, const unsigned char *bytes,
                              const unsigned char *before, size_t size, uint32_t directory,
                              uint32_t transaction) {
    const struct map_file file = history->map->files.items[directory];
    size_t length;

    for (size_t place = 0; find_entry(bytes, size, place, &length); place += length) {
        struct past_name past = {
            .inode = bytes_u32_little(bytes + place),
            .parent = file.inode,
            .transaction = transaction,
            .length = bytes[place + 6],
        };
        const char *name = (const char *)bytes + place + 8;
        char shown[FSCRYPT_NAME];
        bool dots = (past.length == 1 && name[0] == '.') ||
                    (past.length == 2 && name[0] == '.' && name[1] == '.');

        if (past.inode == 0 || dots ||
            (before != NULL &&
             memcmp(bytes + place, before + place, 8 + (size_t)past.length) == 0)) {
            continue;
        }
        if (file.encrypted != EXT_PLAIN) {
            past.length = (uint16_t)ext_encode_name(history->journal->fs, file.encrypted,
                                                    bytes + place, length, shown);
            name = shown;
        }
        if (!file_map_add_past_name(history->map, &past, name, history->error)) {
            return false;
        }
    }
    return true;
}

/* Returns the value of an inode's attribute system.data, which has the second part of an inline
 * directory; NULL if there is none. */
static const unsigned char *find_inline(const unsigned char *inode, size_t size, size_t *length) {
    size_t first, place;

    if (size <= INODE_EXTRA || bytes_u16_little(inode + INODE_EXTRA) < 4) {
        return NULL;
    }
    first = (size_t)INODE_EXTRA + bytes_u16_little(inode + INODE_EXTRA);
    if (first + 4 > size || bytes_u32_little(inode + first) != ATTRIBUTES_MAGIC) {
        return NULL;
    }
    first += 4;
    for (place = first; place + ATTRIBUTE_HEADER <= size && bytes_u32_little(inode + place) != 0;) {
        const unsigned char *entry = inode + place;
        size_t name = entry[0], value = bytes_u16_little(entry + 2);

        *length = bytes_u32_little(entry + 8);
        if (place + ATTRIBUTE_HEADER + name > size) {
            return NULL;
        }
        if (entry[1] == ATTRIBUTE_SYSTEM && name == 4 &&
            memcmp(entry + ATTRIBUTE_HEADER, "data", 4) == 0) {
            return first + value <= size && *length <= size - first - value ? inode + first + value
                                                                            : NULL;
        }
        place += (ATTRIBUTE_HEADER + name + 3) & ~(size_t)3;
    }
    return NULL;
}

/* Adds the names of a directory that is inside an inode. They are in the field for block addresses,
 * after the parent's number, and in the attribute system.data. */
static bool add_inline_names(struct history *history, const unsigned char *inode,
                             uint32_t directory, uint32_t transaction) {
    size_t length;
    const unsigned char *more = find_inline(inode, history->inode_size, &length);

    return history_add_names(history, inode + INODE_BLOCKS + 4, NULL, INODE_BLOCKS_SIZE - 4,
                             directory, transaction) &&
           (more == NULL || history_add_names(history, more, NULL, length, directory, transaction));
}

/* Returns the directory that owned a block after a transaction, as index in `files`; 0: none. */
static uint32_t directory_of_block_after(const struct history *history, uint64_t block,
                                         uint32_t transaction) {
    const struct past_owner *past = file_map_find_past_owner(history->map, block, transaction);
    const struct map_extent *now = past == NULL ? file_map_find(history->map, block) : NULL;

    if (past != NULL) {
        return past->class == BLOCK_DIRECTORY ? past->file : 0;
    }
    return now != NULL && now->class == BLOCK_DIRECTORY ? now->file : 0;
}

static bool add_directories(struct history *history, unsigned char *buffer, unsigned char *before) {
    const struct journal *journal = history->journal;
    uint64_t last = UINT64_MAX;
    uint32_t last_directory = 0;

    for (size_t i = 0; i < journal->copy_count; i++) {
        const struct journal_copy *copy = &journal->copies[i];
        uint32_t directory = directory_of_block_after(history, copy->block, copy->transaction);
        bool same = copy->block == last && directory == last_directory;
        unsigned char *other = buffer;

        last = UINT64_MAX;
        if (directory == 0 || !journal_read_copy(journal, copy, buffer)) {
            continue;
        }
        if (!history_add_names(history, buffer, same ? before : NULL, history->block_size,
                               directory, copy->transaction)) {
            return false;
        }
        last = copy->block;
        last_directory = directory;
        buffer = before;
        before = other;
    }
    return true;
}

/* --- reading versions of inodes --------------------------------------------------------------- */

/* Returns the file of a version of an inode: the file in the image if it has the same generation,
 * otherwise a file that is gone, added if new. Returns 0 on failure. */
static uint32_t history_find_file(struct history *history, uint32_t inode, uint32_t generation) {
    uint32_t live = file_map_find_inode(history->map, inode);
    struct gone_file *gone, wanted = {.key = {inode, generation}};

    if (live != 0 && history->map->files.items[live].generation == generation) {
        return live;
    }
    HASH_FIND(hh, history->gone, &wanted.key, sizeof wanted.key, gone);
    if (gone != NULL) {
        return gone->file;
    }
    HASH_NEW(history->gone, key, wanted.key, gone);
    gone->file = file_map_add_file(history->map, inode, generation, history->error);
    return gone->file;
}

static bool history_is_file(const struct history *history, const unsigned char *inode,
                            uint32_t number) {
    unsigned mode = bytes_u16_little(inode + INODE_MODE);

    return (number >= EXT2_FIRST_INO(history->journal->fs->super) || number == EXT2_ROOT_INO) &&
           (LINUX_S_ISREG(mode) || LINUX_S_ISDIR(mode) || LINUX_S_ISLNK(mode)) &&
           (bytes_u16_little(inode + INODE_LINKS) > 0 ||
            bytes_u32_little(inode + INODE_DELETED) == 0);
}

static bool has_blocks(const unsigned char *inode, unsigned class) {
    uint32_t flags = bytes_u32_little(inode + INODE_FLAGS);

    return (flags & EXT4_INLINE_DATA_FL) == 0 &&
           (class != BLOCK_SYMLINK || (flags & EXT4_EXTENTS_FL) != 0 ||
            bytes_u32_little(inode + INODE_SIZE) >= INODE_BLOCKS_SIZE);
}

/* Records that a file had its inode after transaction `from` and before `until`. `touched`: 1 +
 * first transaction with a copy of the inode. */
static void set_inode_lifetime(struct map_file *file, uint32_t from, uint32_t until,
                               uint32_t touched) {
    if (file->until == 0 || from < file->since) {
        file->since = from;
    }
    file->until = until > file->until ? until : file->until;
    file->touched = touched;
}

/* Adds a version of an inode: its state after transaction `from` and before `until`. `first`: first
 * transaction with a copy of the inode. */
static bool add_version(struct history *history, const unsigned char *inode, uint32_t number,
                        uint32_t first, uint32_t from, uint32_t until) {
    unsigned mode = bytes_u16_little(inode + INODE_MODE);
    struct version version = {.history = history, .inode = inode, .from = from, .next = until};
    uint64_t attributes = bytes_u32_little(inode + INODE_ATTRIBUTES) |
                          (uint64_t)bytes_u16_little(inode + INODE_ATTRIBUTES_HIGH) << 32;
    struct past_owner past = {.length = 1, .from = from, .until = until, .class = BLOCK_XATTR};

    if (from >= until || !history_is_file(history, inode, number)) {
        return true;
    }
    version.class = LINUX_S_ISDIR(mode)   ? BLOCK_DIRECTORY
                    : LINUX_S_ISLNK(mode) ? BLOCK_SYMLINK
                                          : BLOCK_DATA;
    version.file = history_find_file(history, number, bytes_u32_little(inode + INODE_GENERATION));
    if (version.file == 0) {
        return false;
    }
    set_inode_lifetime(&history->map->files.items[version.file], from, until, first + 1);
    if (version.file >= history->map->live) {
        history->map->files.items[version.file].encrypted =
            (uint8_t)ext_encryption(history->journal->fs, bytes_u32_little(inode + INODE_FLAGS),
                                    bytes_u32_little(inode + INODE_SIZE));
    }
    if (attributes != 0) {
        past.start = attributes;
        past.file = version.file;
        if (!file_map_add_past_owner(history->map, &past, history->map->pasts.count,
                                     history->error)) {
            return false;
        }
    }
    return (version.class != BLOCK_DIRECTORY ||
            !(bytes_u32_little(inode + INODE_FLAGS) & EXT4_INLINE_DATA_FL) ||
            add_inline_names(history, inode, version.file, from)) &&
           (!has_blocks(inode, version.class) || add_trees(&version, until));
}

/* Returns whether two versions of an inode have equal type, flags, blocks and inline data. */
static bool history_is_same(const struct history *history, const unsigned char *left,
                            const unsigned char *right) {
    size_t inline_from = INODE_EXTRA;

    return memcmp(left + INODE_MODE, right + INODE_MODE, 2) == 0 &&
           (bytes_u16_little(left + INODE_LINKS) == 0) ==
               (bytes_u16_little(right + INODE_LINKS) == 0) &&
           (bytes_u32_little(left + INODE_DELETED) == 0) ==
               (bytes_u32_little(right + INODE_DELETED) == 0) &&
           memcmp(left + INODE_FLAGS, right + INODE_FLAGS, 4) == 0 &&
           memcmp(left + INODE_BLOCKS, right + INODE_BLOCKS, INODE_ATTRIBUTES + 4 - INODE_BLOCKS) ==
               0 &&
           memcmp(left + INODE_ATTRIBUTES_HIGH, right + INODE_ATTRIBUTES_HIGH, 2) == 0 &&
           ((bytes_u32_little(left + INODE_FLAGS) & EXT4_INLINE_DATA_FL) == 0 ||
            history->inode_size <= inline_from ||
            memcmp(left + inline_from, right + inline_from, history->inode_size - inline_from) ==
                0);
}

/* The journal's copies of one block of the inode table. */
struct table_block {
    const struct journal_copy *first;
    size_t count;
    uint32_t until;              /* transaction until which the last copy is valid */
    const unsigned char *copies; /* contents of the `count` copies */
};

/* Adds all versions of the inode at offset `place` in a block of the inode table. */
static bool add_versions(struct history *history, const struct table_block *block, size_t place,
                         uint32_t number) {
    uint32_t live = file_map_find_inode(history->map, number);
    size_t since = 0;

    if (live != 0 && history->map->files.items[live].touched == 0) {
        history->map->files.items[live].touched = block->first->transaction + 1;
    }
    for (size_t i = 1; i <= block->count; i++) {
        const unsigned char *inode = block->copies + since * history->block_size + place;

        if (i < block->count &&
            history_is_same(history, inode, block->copies + i * history->block_size + place)) {
            continue;
        }
        if (!add_version(history, inode, number, block->first->transaction,
                         block->first[since].transaction,
                         i < block->count ? block->first[i].transaction : block->until)) {
            return false;
        }
        since = i;
    }
    return true;
}

/* Maximum copies of a block that are read at once. */
#define COPIES_AT_ONCE 1024

/* Adds all versions of the inodes in a block of the inode table; the first is inode `number`. */
static bool history_add_table_block(struct history *history, const struct table_block *block,
                                    uint32_t number) {
    for (size_t place = 0; place + history->inode_size <= history->block_size;
         place += history->inode_size, number++) {
        if (!add_versions(history, block, place, number)) {
            return false;
        }
    }
    if (history->map->pasts.count >= history->pack_at) {
        file_map_merge_past_owners(history->map);
        history->pack_at = 2 * history->map->pasts.count + PACKED_AT;
    }
    return true;
}

/* Returns the number of the first inode in a block of the inode table; 0 for another block. */
static uint32_t first_inode_of_table_block(const struct history *history, uint64_t block) {
    ext2_filsys fs = history->journal->fs;
    size_t low = 0, high = fs->group_desc_count;
    uint64_t within;

    SEARCH(low, high, middle, history->tables[middle].start <= block);
    if (low == 0) {
        return 0;
    }
    within = block - history->tables[low - 1].start;
    return within < fs->inode_blocks_per_group
               ? history->tables[low - 1].group * fs->super->s_inodes_per_group +
                     (uint32_t)within * (history->block_size / history->inode_size) + 1
               : 0;
}

/* Reads copies of one block from the journal, from index `first` on: as many as fit, up to one that
 * cannot be read. Returns their number. */
static size_t read_copies(const struct history *history, size_t first, unsigned char *copies) {
    const struct journal *journal = history->journal;
    size_t count = 0;

    while (first + count < journal->copy_count && count < COPIES_AT_ONCE &&
           journal->copies[first + count].block == journal->copies[first].block &&
           journal_read_copy(journal, &journal->copies[first + count],
                             copies + count * history->block_size)) {
        count++;
    }
    return count;
}

static bool history_add_inodes(struct history *history, unsigned char *copies) {
    const struct journal *journal = history->journal;

    for (size_t i = 0, count; i < journal->copy_count; i += count) {
        uint32_t number = first_inode_of_table_block(history, journal->copies[i].block);
        struct table_block block = {
            .first = &journal->copies[i],
            .until = (uint32_t)journal->commit_count,
            .copies = copies,
        };

        count = number == 0 ? 0 : read_copies(history, i, copies);
        block.count = count;
        if (i + count < journal->copy_count && count > 0 &&
            block.first[count].block == block.first->block) {
            block.until = block.first[count].transaction;
        }
        if (count > 0 && !history_add_table_block(history, &block, number)) {
            return false;
        }
        count += count == 0;
    }
    return true;
}

/* --- reading the history of files from the journal -------------------------------------------- */

static void add_transactions(const struct journal *journal, struct file_map *map) {
    map->transactions = xmalloc(journal->commit_count * sizeof *map->transactions);
    map->transaction_count = journal->commit_count;
    map->log_blocks = journal->length - journal->first;
    for (size_t i = 0; i < journal->commit_count; i++) {
        map->transactions[i] = (struct map_transaction){
            .commit = journal->blocks[journal->commits[i].at],
            .place = i == 0 ? 0 : map->transactions[i - 1].place + journal_count_blocks(journal, i),
            .wall = journal->commits[i].wall,
        };
    }
}

static bool history_read_all(struct history *history, unsigned char *copies) {
    add_transactions(history->journal, history->map);
    ext2_filsys fs = history->journal->fs;

    history->tables = xmalloc((size_t)fs->group_desc_count * sizeof *history->tables);
    for (dgrp_t group = 0; group < fs->group_desc_count; group++) {
        history->tables[group] = (struct table){ext2fs_inode_table_loc(fs, group), group};
    }
    qsort(history->tables, fs->group_desc_count, sizeof *history->tables, compare_uint64);
    if (!history_add_inodes(history, copies)) {
        return false;
    }
    sort_past_owners(history->map);
    return add_directories(history, copies, copies + history->block_size);
}

bool history_add_to_map(const struct journal *journal, struct file_map *map, struct error *error) {
    struct history history = {
        .journal = journal,
        .map = map,
        .error = error,
        .pack_at = PACKED_AT,
    };
    unsigned char *copies;
    bool done;

    if (journal->commit_count == 0) {
        return true;
    }
    history.block_size = journal->fs->blocksize;
    history.inode_size = EXT2_INODE_SIZE(journal->fs->super);
    copies = xmalloc((size_t)COPIES_AT_ONCE * history.block_size);
    history.nodes = xmalloc((size_t)(EXTENT_DEPTH + 1) * history.block_size);
    history.bitmap = xmalloc(history.block_size);
    done = history_read_all(&history, copies);
    sort_past_names(map);
    HASH_FREE(history.gone);
    free(history.tables);
    free(history.nodes);
    free(history.bitmap);
    free(copies);
    return done;
}
