#include "filesystem/ext_reader.h"

#include <ext2fs/ext2_fs.h>
#include <ext2fs/ext2fs.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "filesystem/ext_channel.h"
#include "filesystem/encrypted_names.h"
#include "filesystem/journal.h"

/* Offsets in bytes of the superblock, and of its magic number; libext2fs has no names for them. */
#define SUPER_AT       1024
#define SUPER_MAGIC_AT (SUPER_AT + 56)

/* Reading a file takes at most as many steps as the file system has blocks, plus this number. The
 * limit is for damaged extent trees, which may have cycles; the addition is for blocks of the
 * trees. */
#define FILE_STEPS_MORE 4096

/* Directories whose entries are read later, sorted by inode number. */
struct directories {
    ext2_ino_t *items; /* owned */
    size_t count, capacity;
};

struct reader {
    ext2_filsys fs;
    struct file_map *map;
    struct directories directories;
    char *buffer;             /* owned; three blocks, as libext2fs requires */
    struct ext2_inode *inode; /* owned; an inode of this file system's size */
    /* State of reading the current file. `file`: its index in the map. */
    uint32_t file;
    unsigned class;
    uint64_t steps;      /* number of steps until reading the file is given up */
    struct error *error; /* set by callbacks of libext2fs that fail */
};

bool ext_is_present(const unsigned char head[2048]) {
    return head[SUPER_MAGIC_AT] == (EXT2_SUPER_MAGIC & 0xFF) &&
           head[SUPER_MAGIC_AT + 1] == EXT2_SUPER_MAGIC >> 8;
}

/* --- metadata with fixed places: superblocks, descriptors, bitmaps, inode tables -------------- */

/* Adds the blocks of group descriptors in the old layout, and those reserved for more of them. */
static bool add_descriptors(struct reader *reader, blk64_t start) {
    struct ext2_super_block *super = reader->fs->super;
    uint64_t count = reader->fs->desc_blocks;

    if (ext2fs_has_feature_meta_bg(super) && super->s_first_meta_bg < count) {
        count = super->s_first_meta_bg;
    }
    return file_map_add(reader->map, start, count, BLOCK_DESCRIPTORS, 0, reader->error) &&
           (!ext2fs_has_feature_resize_inode(super) ||
            file_map_add(reader->map, start + count, super->s_reserved_gdt_blocks, BLOCK_RESERVED,
                         file_map_find_inode(reader->map, EXT2_RESIZE_INO), reader->error));
}

static bool ext_reader_add_group(struct reader *reader, dgrp_t group) {
    ext2_filsys fs = reader->fs;
    blk64_t super, old, new, bitmap = ext2fs_block_bitmap_loc(fs, group),
                             inodes = ext2fs_inode_bitmap_loc(fs, group),
                             table = ext2fs_inode_table_loc(fs, group);

    ext2fs_super_and_bgd_loc2(fs, group, &super, &old, &new, NULL);
    return ((super == 0 && group > 0) ||
            file_map_add(reader->map, super, 1, BLOCK_SUPERBLOCK, 0, reader->error)) &&
           (old == 0 || add_descriptors(reader, old)) &&
           (new == 0 || file_map_add(reader->map, new, 1, BLOCK_DESCRIPTORS, 0, reader->error)) &&
           (bitmap == 0 || file_map_add(reader->map, bitmap, 1, BLOCK_BITMAP, 0, reader->error)) &&
           (inodes == 0 ||
            file_map_add(reader->map, inodes, 1, BLOCK_INODE_BITMAP, 0, reader->error)) &&
           (table == 0 || file_map_add(reader->map, table, fs->inode_blocks_per_group,
                                       BLOCK_INODE_TABLE, 0, reader->error));
}

static bool add_groups(struct reader *reader) {
    uint64_t mmp = reader->fs->super->s_mmp_block;

    for (dgrp_t group = 0; group < reader->fs->group_desc_count; group++) {
        if (!ext_reader_add_group(reader, group)) {
            return false;
        }
    }
    return mmp == 0 || file_map_add(reader->map, mmp, 1, BLOCK_MMP, 0, reader->error);
}

/* --- finding the blocks of files -------------------------------------------------------------- */

/* Returns the class of the current inode's extent tree and indirect blocks. If a file never moves,
 * as the journal does not, the blocks of its tree do not move either: they have its class. */
static unsigned ext_reader_class_of_tree(const struct reader *reader) {
    return block_class_is_reusable(reader->class) ? BLOCK_TREE : reader->class;
}

static int visit_block(ext2_filsys fs, blk64_t *block, e2_blkcnt_t count, blk64_t ref_block,
                       int ref_offset, void *context) {
    struct reader *reader = context;

    return reader->steps-- == 0 ||
                   !file_map_add(reader->map, *block, 1,
                                 count < 0 ? ext_reader_class_of_tree(reader) : reader->class,
                                 reader->file, reader->error)
               ? BLOCK_ABORT
               : 0;
}

/* Adds an entry of an extent tree. libext2fs passes inner nodes twice, on the way down and up: only
 * the first time counts. */
static bool add_extent(struct reader *reader, ext2_extent_handle_t tree,
                       const struct ext2fs_extent *extent) {
    struct ext2_extent_info info;

    if (extent->e_flags & EXT2_EXTENT_FLAGS_SECOND_VISIT) {
        return true;
    }
    if (extent->e_flags & EXT2_EXTENT_FLAGS_LEAF) {
        return file_map_add(reader->map, extent->e_pblk, extent->e_len,
                            extent->e_flags & EXT2_EXTENT_FLAGS_UNINIT ? BLOCK_UNWRITTEN
                                                                       : reader->class,
                            reader->file, reader->error);
    }
    return ext2fs_extent_get_info(tree, &info) != 0 || info.curr_level >= info.max_depth ||
           file_map_add(reader->map, extent->e_pblk, 1, ext_reader_class_of_tree(reader),
                        reader->file, reader->error);
}

/* Reads a file's blocks by extents, which is several times as fast as by single blocks. */
static void read_extents(struct reader *reader, ext2_ino_t inode) {
    ext2_extent_handle_t tree;
    struct ext2fs_extent extent;
    errcode_t status = ext2fs_extent_open2(reader->fs, inode, reader->inode, &tree);

    if (status != 0) {
        reader->map->unreadable++;
        return;
    }
    status = ext2fs_extent_get(tree, EXT2_EXTENT_ROOT, &extent);
    while (status == 0 && reader->steps-- > 0 && add_extent(reader, tree, &extent)) {
        status = ext2fs_extent_get(tree, EXT2_EXTENT_NEXT, &extent);
    }
    ext2fs_extent_free(tree);
    reader->map->unreadable +=
        status != EXT2_ET_EXTENT_NO_NEXT && status != EXT2_ET_NO_CURRENT_NODE;
}

static void ext_reader_read_blocks(struct reader *reader, ext2_ino_t inode) {
    reader->steps = reader->map->blocks + FILE_STEPS_MORE;
    if (reader->inode->i_flags & EXT4_EXTENTS_FL) {
        read_extents(reader, inode);
    } else if (ext2fs_block_iterate3(reader->fs, inode, BLOCK_FLAG_READ_ONLY, reader->buffer,
                                     visit_block, reader) != 0) {
        reader->map->unreadable++;
    }
}

static unsigned ext_reader_class_of(const struct reader *reader, ext2_ino_t number) {
    struct ext2_super_block *super = reader->fs->super;
    const struct ext2_inode *inode = reader->inode;

    if (number == super->s_journal_inum) {
        return BLOCK_JOURNAL;
    }
    if (number == EXT2_BAD_INO) {
        return BLOCK_BAD;
    }
    if (number == super->s_usr_quota_inum || number == super->s_grp_quota_inum ||
        number == super->s_prj_quota_inum) {
        return BLOCK_QUOTA;
    }
    if (ext2fs_has_feature_orphan_file(super) && number == super->s_orphan_file_inum) {
        return BLOCK_ORPHANS;
    }
    if (inode->i_flags & EXT4_EA_INODE_FL) {
        return BLOCK_XATTR;
    }
    return LINUX_S_ISDIR(inode->i_mode)   ? BLOCK_DIRECTORY
           : LINUX_S_ISLNK(inode->i_mode) ? BLOCK_SYMLINK
                                          : BLOCK_DATA;
}

/* Returns whether an inode is in use. Without links it may be of a deleted file that is still open:
 * then the field for the time of deletion has the number of the next such inode. */
static bool is_used(const struct reader *reader, ext2_ino_t number) {
    const struct ext2_inode *inode = reader->inode;

    if (number < EXT2_FIRST_INO(reader->fs->super)) {
        return inode->i_links_count > 0 || inode->i_blocks > 0;
    }
    return inode->i_mode != 0 &&
           (inode->i_links_count > 0 || inode->i_dtime <= reader->fs->super->s_inodes_count);
}

static bool ext_reader_read_file(struct reader *reader, ext2_ino_t number) {
    struct ext2_inode *inode = reader->inode;
    blk64_t attributes = ext2fs_file_acl_block(reader->fs, inode);

    reader->class = ext_reader_class_of(reader, number);
    reader->file = file_map_add_file(reader->map, number, inode->i_generation, reader->error);
    if (reader->file == 0) {
        return false;
    }
    reader->map->files.items[reader->file].encrypted =
        (uint8_t)ext_encryption(reader->fs, inode->i_flags, EXT2_I_SIZE(inode));
    if (attributes != 0 &&
        !file_map_add(reader->map, attributes, 1, BLOCK_XATTR, reader->file, reader->error)) {
        return false;
    }
    if (reader->class == BLOCK_DIRECTORY) {
        *ARRAY_NEW(reader->directories.items, reader->directories.count,
                   reader->directories.capacity) = number;
    }
    /* Of the resize inode, adds only the block that lists its other blocks. These are reserved for
     * group descriptors; add_groups() adds them. */
    if (number == EXT2_RESIZE_INO) {
        return file_map_add(reader->map, inode->i_block[EXT2_DIND_BLOCK], 1, BLOCK_RESERVED,
                            reader->file, reader->error);
    }
    if (!(inode->i_flags & EXT4_INLINE_DATA_FL) &&
        ext2fs_inode_has_valid_blocks2(reader->fs, inode)) {
        ext_reader_read_blocks(reader, number);
    }
    return reader->error->status == EXIT_DONE;
}

/* Reads all inodes in ascending order, and counts the damaged ones. */
static bool scan_inodes(struct reader *reader, ext2_inode_scan scan) {
    for (;;) {
        ext2_ino_t number;
        errcode_t status = ext2fs_get_next_inode_full(scan, &number, reader->inode,
                                                      EXT2_INODE_SIZE(reader->fs->super));

        if (status != 0 && status != EXT2_ET_INODE_CSUM_INVALID) {
            reader->map->unreadable++;
            if (status != EXT2_ET_BAD_BLOCK_IN_INODE_TABLE) {
                return error_set(reader->error, "its inodes cannot be read: %s",
                                 error_message(status));
            }
            continue;
        }
        if (number == 0) {
            return true;
        }
        reader->map->unreadable += status != 0;
        if (is_used(reader, number) && !ext_reader_read_file(reader, number)) {
            return false;
        }
    }
}

static bool read_inodes(struct reader *reader) {
    ext2_inode_scan scan;
    errcode_t status = ext2fs_open_inode_scan(reader->fs, 0, &scan);
    bool done;

    if (status != 0) {
        return error_set(reader->error, "its inodes cannot be read: %s", error_message(status));
    }
    done = scan_inodes(reader, scan);
    ext2fs_close_inode_scan(scan);
    return done;
}

static int visit_entry(ext2_ino_t directory, int kind, struct ext2_dir_entry *entry, int offset,
                       int block_size, char *buffer, void *context) {
    struct reader *reader = context;
    const struct map_file *parent =
        &reader->map->files.items[file_map_find_inode(reader->map, directory)];
    const char *name = entry->name;
    size_t length = (size_t)ext2fs_dirent_name_len(entry);
    char shown[FSCRYPT_NAME];

    if (kind == DIRENT_DOT_FILE || kind == DIRENT_DOT_DOT_FILE || entry->inode == 0) {
        return 0;
    }
    if (parent->encrypted != EXT_PLAIN) {
        length = ext_encode_name(reader->fs, parent->encrypted, (const unsigned char *)entry,
                                 (size_t)(block_size - offset), shown);
        name = shown;
    }
    return file_map_set_name(reader->map, entry->inode, directory, name, length, reader->error)
               ? 0
               : DIRENT_ABORT;
}

static bool ext_reader_read_names(struct reader *reader) {
    for (size_t i = 0; i < reader->directories.count; i++) {
        errcode_t status = ext2fs_dir_iterate2(reader->fs, reader->directories.items[i], 0,
                                               reader->buffer, visit_entry, reader);

        reader->map->unreadable += status != 0;
        if (reader->error->status != EXIT_DONE) {
            return false;
        }
    }
    return true;
}

/* --- reading a whole ext2, ext3 or ext4 ------------------------------------------------------- */

static bool ext_reader_read_files(struct reader *reader) {
    unsigned size = EXT2_INODE_SIZE(reader->fs->super);

    reader->map->blocks = ext2fs_blocks_count(reader->fs->super);
    reader->map->block_size = reader->fs->blocksize;
    reader->map->cluster = (uint32_t)EXT2FS_CLUSTER_RATIO(reader->fs);
    reader->map->root = EXT2_ROOT_INO;
    memcpy(reader->map->uuid, reader->fs->super->s_uuid, sizeof reader->map->uuid);
    reader->map->amount = reader->fs->super->s_kbytes_written;
    reader->map->written = reader->fs->super->s_wtime | (uint64_t)reader->fs->super->s_wtime_hi
                                                            << 32;
    reader->inode =
        xcalloc(1, size < sizeof(struct ext2_inode_large) ? sizeof(struct ext2_inode_large) : size);
    reader->buffer = xcalloc(3, reader->fs->blocksize);
    if (!read_inodes(reader)) {
        return false;
    }
    reader->map->live = reader->map->files.count;
    return add_groups(reader) && ext_reader_read_names(reader) &&
           file_map_finish(reader->map, reader->error);
}

/* Returns the blocks whose newest contents were only in the journal when the image was taken: for
 * each block, the last copy since the journal's tail that no later transaction has revoked. */
static struct ext_overlay *make_overlay(const struct journal *journal, size_t *count) {
    struct ext_overlay *overlay = xmalloc((journal->copy_count + 1) * sizeof *overlay);

    *count = 0;
    for (size_t i = 0; i < journal->copy_count; i++) {
        const struct journal_copy *copy = &journal->copies[i];

        if (copy->transaction < journal->tail - journal->sequence ||
            journal->commits[copy->transaction].source != 0 || journal_is_revoked(journal, copy)) {
            continue;
        }
        *count -= *count > 0 && overlay[*count - 1].block == copy->block;
        overlay[(*count)++] =
            (struct ext_overlay){copy->block, journal->blocks[copy->at], copy->escaped};
    }
    return overlay;
}

/* Opens the file system again, with the journal's newer blocks in place of those in the image. */
static void open_over(struct reader *reader, int descriptor, const struct journal *journal,
                      struct ext_overlay **overlay) {
    ext2_filsys over;
    size_t count;

    *overlay = make_overlay(journal, &count);
    if (ext_channel_open_with_overlay(descriptor, reader->map->offset, *overlay, count,
                                      reader->fs->blocksize, &over) == 0) {
        over->flags |= EXT2_FLAG_IGNORE_CSUM_ERRORS;
        reader->fs = over;
    }
}

/* Reads the journal, and then the file system with the journal's newest blocks. */
static bool ext_reader_read_all(struct reader *reader, int descriptor, struct journal *journal,
                                const struct ext_request *request) {
    ext2_filsys below = reader->fs;
    struct ext_overlay *overlay = NULL;
    bool done = journal_read(journal, below, request->copies, request->copy_count, reader->error);

    if (done && journal->start != 0 && journal->commit_count > 0) {
        open_over(reader, descriptor, journal, &overlay);
    }
    reader->map->has_fast_commits = journal_has_fast_commits(journal);
    reader->map->has_other_journal =
        ext2fs_has_feature_journal(below->super) && below->super->s_journal_inum == 0;
    journal->fs = reader->fs;
    reader->map->unused_journals = journal_unused_files(journal);
    done = done && ext_reader_read_files(reader) &&
           (!request->with_past || history_add_to_map(journal, reader->map, reader->error));
    if (reader->fs != below) {
        ext2fs_free(reader->fs);
        reader->fs = below;
    }
    free(overlay);
    return done;
}

bool ext_read(int descriptor, const struct ext_request *request, struct file_map *map,
              struct error *error) {
    struct reader reader = {.map = map, .error = error};
    struct journal journal = {0};
    errcode_t status;
    bool done;

    initialize_ext2_error_table();
    status = ext_channel_open(descriptor, map->offset, &reader.fs);
    if (status != 0) {
        return error_set(error,
                         status == EXT2_ET_UNSUPP_FEATURE
                             ? "it has unknown features, or is only a journal: %s"
                             : "its superblock or its groups are damaged: %s",
                         error_message(status));
    }
    /* Without this flag, libext2fs would fail at an inode with a wrong checksum; the other inodes
     * must still be read. */
    reader.fs->flags |= EXT2_FLAG_IGNORE_CSUM_ERRORS;
    done = ext_reader_read_all(&reader, descriptor, &journal, request);
    journal_free(&journal);
    free(reader.directories.items);
    free(reader.buffer);
    free(reader.inode);
    ext2fs_free(reader.fs);
    return done;
}
