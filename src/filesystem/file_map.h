/* Map of a file system: which file owns each block, read from an image.
 *
 * All data is in arrays that refer to each other by index, so that a process can send a map to
 * another process (file_map_send()). The receiver checks all of it (file_map_receive()). */
#ifndef TRACETOOL_FILE_MAP_H
#define TRACETOOL_FILE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

/* What a block holds. The numbers are stored in databases: add new ones at the end. */
enum block_class {
    BLOCK_FREE,
    BLOCK_DATA, /* contents of a regular file */
    BLOCK_DIRECTORY,
    BLOCK_SYMLINK,
    BLOCK_UNWRITTEN, /* allocated to a file that has not written it */
    BLOCK_TREE,      /* index of a file's blocks: extent tree nodes, indirect blocks, F2FS nodes */
    BLOCK_XATTR,     /* extended attributes of a file */
    BLOCK_JOURNAL,
    BLOCK_SUPERBLOCK,
    BLOCK_DESCRIPTORS, /* block group descriptors */
    BLOCK_RESERVED,    /* reserved for more group descriptors, in case the file system grows */
    BLOCK_BITMAP,      /* bitmap of blocks in use */
    BLOCK_INODE_BITMAP,
    BLOCK_INODE_TABLE,
    BLOCK_QUOTA,
    BLOCK_ORPHANS, /* list of inodes that were deleted while open */
    BLOCK_MMP,     /* multiple-mount protection */
    BLOCK_BAD,
    BLOCK_INODE,      /* inodes, one per block; F2FS only, like the classes below */
    BLOCK_CHECKPOINT, /* F2FS: both checkpoints */
    BLOCK_NODES,      /* F2FS node address table: positions of inodes and tree blocks */
    BLOCK_SEGMENTS,   /* F2FS segment information table: blocks in use */
    BLOCK_SUMMARY,    /* F2FS segment summaries: the node that owns each block */
    BLOCK_CLASSES,
};

/* Returns the name of a class of blocks for reports; "free" for an unknown number. */
const char *block_class_name(unsigned class);

/* Returns whether a block of this class can be freed or given to another file. Blocks of other
 * classes never change as long as the file system exists. */
bool block_class_is_reusable(unsigned class);

/* An extent: consecutive blocks of one file and class. */
struct map_extent {
    uint64_t start;  /* first block */
    uint32_t length; /* number of blocks in the extent */
    uint32_t file;   /* index of the owner in `files`; 0: no file */
    uint8_t class;   /* what the blocks hold: enum block_class */
};

/* A file: an inode number, and the generation that tells it from earlier files with this number. */
struct map_file {
    uint32_t inode, generation;
    uint32_t parent;  /* inode of the directory that has the file's name; 0: name unknown */
    uint32_t name;    /* offset of the file's name in `names` */
    uint32_t touched; /* 1 + index of the first transaction with a copy of the inode; 0: none */
    /* `since`: transaction with the first version of the inode that belongs to this file; `until`:
     * transaction with the first later one of another file. Both 0: the journal has no version. */
    uint32_t since, until;
    uint16_t length;   /* length of the name in bytes */
    uint16_t links;    /* number of names found for the file (hard links), at most UINT16_MAX */
    uint8_t encrypted; /* 0: the name is not encrypted; other values depend on the file system */
};

/* A file that is no longer in the image. The array is searched by inode and time. */
struct deleted_file {
    uint32_t inode, until, file;
};

/* A transaction of the journal. The map's transactions are consecutive; the last is the newest. */
struct map_transaction {
    uint64_t commit; /* number of the commit block in the file system */
    uint64_t place;  /* log blocks from the first transaction's commit block to this one's */
    int64_t wall;    /* time of the commit, ns since 1970 by the device's clock; 0: unknown */
};

/* Owner of some blocks in the past, from the journal: after transaction `from` and before
 * transaction `until`. */
struct past_owner {
    uint64_t start;
    uint32_t length, file;
    uint32_t from, until; /* transaction indices; `until`: transaction_count if still the owner */
    uint8_t class;
    bool doubtful; /* true: proved by the journal only in part; the rest is from the image */
};

/* Name that an inode got in `transaction`. It is valid until the inode's next name. */
struct past_name {
    uint32_t inode, parent, transaction;
    uint32_t name;
    uint16_t length;
};

/* Arrays that grow. Zeroed: empty. `count` and `capacity` are numbers of elements. */
struct map_extents {
    struct map_extent *items; /* owned */
    size_t count, capacity;
};

struct map_files {
    struct map_file *items; /* owned; element 0 means "no file" */
    size_t count, capacity;
};

struct map_pasts {
    struct past_owner *items; /* owned */
    size_t count, capacity;
};

struct map_past_names {
    struct past_name *items; /* owned */
    size_t count, capacity;
};

/* Limits of a map: number of elements of arrays; bytes of all names. */
#define MAP_MOST_EXTENTS      ((size_t)16 << 20)
#define MAP_MOST_FILES        ((size_t)4 << 20)
#define MAP_MOST_NAMES        ((size_t)256 << 20)
#define MAP_MOST_TRANSACTIONS ((size_t)1 << 24)

/* Maximum elements of `pasts` that are read to find the owner of one block. */
#define MAP_PAST_STEPS 4096

/* Map of a file system; zeroed: empty. */
struct file_map {
    uint64_t blocks;     /* size of the file system, in blocks */
    uint32_t block_size; /* bytes */
    uint32_t cluster;    /* blocks per allocation unit (bigalloc); 0 or 1: single blocks */
    uint64_t offset;     /* byte of the image at which the file system begins */
    uint32_t root;       /* number of the root directory's inode */
    uint8_t uuid[16];
    uint64_t amount;     /* KiB (ext) or checkpoints (F2FS) ever written; never falls; 0: unknown */
    uint64_t written;    /* time of the superblock's last write, seconds since 1970 by the device's
                            clock; 0: unknown */
    uint64_t unreadable; /* number of damaged inodes, directories and blocks of inode tables */
    uint64_t disputed;   /* blocks in extents of several files; the smallest inode gets them */
    struct map_extents extents; /* sorted and without overlaps after file_map_finish() */
    struct map_files files;
    size_t live;    /* number of files in the image: the first ones in `files`, by inode */
    size_t strange; /* number of files of which only the inode is known: the last ones in `files` */
    struct map_transaction *transactions; /* owned; transactions of the journal, oldest first */
    size_t transaction_count;
    uint32_t log_blocks;      /* number of blocks in the journal's log, which is a ring */
    bool has_fast_commits;    /* true: ext4's journal has fast commits, which are not read */
    bool has_other_journal;   /* true: the journal is on another device, and is not read */
    uint32_t unused_journals; /* number of copies of the journal from which nothing was used */
    struct map_pasts pasts;   /* past owners; sort_past_owners() sorts them by first block */
    struct map_past_names past_names; /* past names, sorted by inode and transaction */
    struct deleted_file *gone; /* owned; files not in the image, sorted by inode and `until` */
    uint64_t *max_ends; /* owned; for each of `pasts`, the largest end in its subtree (an implicit
                           binary tree) */
    struct text names;  /* names of all files, concatenated */
};

/* Writes the UUID of the file system as text, NUL-terminated. */
#define FILE_MAP_UUID 37
void file_map_uuid(const struct file_map *map, char uuid[FILE_MAP_UUID]);

/* Adds blocks of a file and class. If they follow the last extent and have its file and class, they
 * are joined to it. Blocks after the end of the file system are dropped. */
bool file_map_add(struct file_map *map, uint64_t start, uint64_t length, unsigned class,
                  uint32_t file, struct error *error);

/* Adds a file without a name. Returns its index; 0 on failure, with `error` set. Files in the image
 * must be added first, in ascending order of inodes; `map->live` is their number. */
uint32_t file_map_add_file(struct file_map *map, uint32_t inode, uint32_t generation,
                           struct error *error);

/* Returns the index of the file with this inode in the image; 0 if there is none. */
uint32_t file_map_find_inode(const struct file_map *map, uint32_t inode);

/* Adds a past owner of blocks, or a past name. If the blocks follow those of the last element of
 * `pasts`, and its index is at least `first`, they are added to this element. */
bool file_map_add_past_owner(struct file_map *map, const struct past_owner *past, size_t first,
                             struct error *error);
bool file_map_add_past_name(struct file_map *map, const struct past_name *past, const char *name,
                            struct error *error);

/* Merges elements of `pasts` that differ only in `from` and `until`. */
void file_map_merge_past_owners(struct file_map *map);

/* Sort `pasts`, or `past_names`, for searching. Names may be added after sort_past_owners(). */
void sort_past_owners(struct file_map *map);
void sort_past_names(struct file_map *map);

/* Returns the owner of a block after a transaction; NULL: none, or unknown. */
const struct past_owner *file_map_find_past_owner(const struct file_map *map, uint64_t block,
                                                  uint32_t transaction);

/* Returns the owner of a block after a transaction, and how far this is valid: from `block` to
 * before `*after`. The caller sets `*after` to a limit above `block`; it may be lowered. */
const struct past_owner *file_map_find_past_owner_run(const struct file_map *map, uint64_t block,
                                                      uint32_t transaction, uint64_t *after);

/* Returns whether a file may have owned its inode number after a transaction: false if the file is
 * known to begin later. */
bool file_map_may_have_existed(const struct file_map *map, uint32_t file, uint32_t transaction);

/* Adds files of which only the inodes are known, in ascending order, to a complete map. They have
 * no names, and nothing in the map refers to them. `*first`: index of the first of them; they are
 * consecutive. */
bool file_map_add_unnamed_files(struct file_map *map, const uint32_t *inodes, size_t count,
                                uint32_t *first, struct error *error);

/* Removes the files added by file_map_add_unnamed_files(). */
void file_map_remove_unnamed_files(struct file_map *map);

/* Sets the name of an inode in directory `parent`, unless it already has a name. Ignores inodes
 * that are not in the map. */
bool file_map_set_name(struct file_map *map, uint32_t inode, uint32_t parent, const char *name,
                       size_t length, struct error *error);

/* Sorts the extents. If several extents contain a block, fixed metadata gets it, otherwise the file
 * with the smallest inode; the other extents are cut. */
bool file_map_finish(struct file_map *map, struct error *error);

/* Returns the extent that contains a block; NULL if the block is free. */
const struct map_extent *file_map_find(const struct file_map *map, uint64_t block);

/* Returns the extent that contains a block, and sets `*after` as file_map_find_past_owner_run()
 * does. */
const struct map_extent *file_map_find_run(const struct file_map *map, uint64_t block,
                                           uint64_t *after);

/* Appends the path of a file, which may have any bytes. A directory of unknown name is <INODE>. Of
 * a path with more than MAP_PATH_DEPTH names or MAP_PATH_BYTES bytes, only "…" and the last names
 * are appended. */
#define MAP_PATH_DEPTH 64
#define MAP_PATH_BYTES 4095
void file_map_append_path(const struct file_map *map, uint32_t file, struct text *path);

/* Appends the path that a file had after a transaction, in the form of file_map_append_path(). */
void file_map_append_path_after(const struct file_map *map, uint32_t file, uint32_t transaction,
                                struct text *path);

/* Writes the map to a descriptor. Returns false if that fails. */
bool file_map_send(const struct file_map *map, int descriptor);

/* Reads a map written by file_map_send(), and checks it: indices must be in range, and arrays
 * sorted. */
bool file_map_receive(struct file_map *map, int descriptor, struct error *error);

void file_map_free(struct file_map *map);

/* --- functions that only image.c uses --------------------------------------------------------- */

/* map_make_max_ends() sets `max_ends` from the sorted `pasts`; map_fill_deleted_files() sets `gone`
 * from the complete `files`. */
void map_make_max_ends(struct file_map *map);
void map_fill_deleted_files(struct file_map *map);

/* Returns whether the past names are sorted by inode, then by transaction. */
bool map_names_are_in_order(const struct file_map *map);

#endif
