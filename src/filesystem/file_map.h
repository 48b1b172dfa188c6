/* Map of a file system: which file owns each block, read from an image.
 *
 * All data are in arrays that refer to each other by index, so that a process can send a map to
 * another one (file_map_send()). The receiver checks all of it (file_map_receive()). */
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
    BLOCK_TREE,      /* where a file's blocks are: extents, indirect blocks, nodes */
    BLOCK_XATTR,     /* extended attributes of a file */
    BLOCK_JOURNAL,
    BLOCK_SUPERBLOCK,
    BLOCK_DESCRIPTORS, /* descriptors of block groups */
    BLOCK_RESERVED,    /* kept free for more group descriptors, if the file system grows */
    BLOCK_BITMAP,      /* bitmap of used blocks */
    BLOCK_INODE_BITMAP,
    BLOCK_INODE_TABLE,
    BLOCK_QUOTA,
    BLOCK_ORPHANS, /* list of deleted inodes whose files are still open */
    BLOCK_MMP,     /* protection against mounting on two machines */
    BLOCK_BAD,
    BLOCK_INODE,      /* only F2FS has this and the following; each inode has its own block */
    BLOCK_CHECKPOINT, /* the two checkpoints */
    BLOCK_NODES,      /* table of the places of all inodes and tree blocks */
    BLOCK_SEGMENTS,   /* table of the blocks in use */
    BLOCK_SUMMARY,    /* table that tells which node owns each block */
    BLOCK_CLASSES,
};

/* Returns the word for a class of blocks; "free" for an unknown number. */
const char *block_class_name(unsigned class);

/* Returns whether a block of this class can go to another file, or become free. All other blocks
 * stay what they are as long as the file system exists. */
bool block_class_moves(unsigned class);

/* An extent: consecutive blocks of one file and class. */
struct map_extent {
    uint64_t start;  /* first block */
    uint32_t length; /* number of blocks in the extent */
    uint32_t file;   /* index of the owner in `files`; 0: no file */
    uint8_t class;   /* what the blocks hold: enum block_class */
};

/* A file: an inode number with the generation that tells it from earlier files of this number. */
struct map_file {
    uint32_t inode, generation;
    uint32_t parent;  /* inode of the directory with its name; 0: name unknown */
    uint32_t name;    /* position of its name in `names` */
    uint32_t touched; /* 1 + index of the first transaction in which its inode occurs; 0: none */
    /* First transaction with a version of the inode that is of this file, and the transaction with
     * the first version that no longer is. Both 0: the journal has no version. */
    uint32_t since, until;
    uint16_t length;   /* length of the name in bytes */
    uint16_t links;    /* number of its names that were found, at most UINT16_MAX */
    uint8_t encrypted; /* 0: the name is not encrypted; other values depend on the file system */
};

/* A file that is no longer in the image, for searching by inode and time. */
struct map_gone {
    uint32_t inode, until, file;
};

/* A transaction of the journal. They are without gaps; the last one is the newest. */
struct map_transaction {
    uint64_t commit; /* block of the file system that holds its commit block */
    uint64_t place;  /* number of the log's blocks from the first transaction's commit to its own */
    int64_t wall;    /* time of the commit, ns since 1970 by the device's clock; 0: unknown */
};

/* Owner of some blocks at an earlier time, from the journal: after transaction `from` until before
 * transaction `until`. */
struct map_past {
    uint64_t start;
    uint32_t length, file;
    uint32_t from, until; /* indices of transactions; `until` is their number if still valid */
    uint8_t class;
    bool doubtful; /* true: the journal proves only a part of it; the rest is from the image */
};

/* Name of an inode after a transaction, and until its next name. */
struct map_past_name {
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
    struct map_past *items; /* owned */
    size_t count, capacity;
};

struct map_past_names {
    struct map_past_name *items; /* owned */
    size_t count, capacity;
};

/* Limits of the map: elements of arrays, and bytes of all names. */
#define MAP_MOST_EXTENTS      ((size_t)16 << 20)
#define MAP_MOST_FILES        ((size_t)4 << 20)
#define MAP_MOST_NAMES        ((size_t)256 << 20)
#define MAP_MOST_TRANSACTIONS ((size_t)1 << 24)

/* Limit of elements of `pasts` that a search for one block reads. */
#define MAP_PAST_STEPS 4096

/* Map of a file system; zeroed: empty. */
struct file_map {
    uint64_t blocks;     /* size of the file system, in blocks */
    uint32_t block_size; /* bytes */
    uint32_t cluster;    /* blocks that are allocated together (bigalloc); 0 or 1: single ones */
    uint64_t offset;     /* position of the file system in the image, in bytes */
    uint32_t root;       /* number of the root directory's inode */
    uint8_t uuid[16];
    uint64_t amount;  /* amount written ever, in a unit of its own; never falls; 0: unknown */
    uint64_t written; /* when its superblock was written last, seconds since 1970 by its clock; 0:
                         unknown */
    uint64_t unreadable; /* number of damaged inodes, directories and blocks of inode tables */
    uint64_t disputed;   /* blocks in extents of several owners; the first gets them */
    struct map_extents extents; /* after file_map_finish() sorted and without overlaps */
    struct map_files files;
    size_t live;    /* number of files that are in the image: the first ones, sorted by inode */
    size_t strange; /* number of files at the end of which only the inode is known */
    struct map_transaction *transactions; /* owned; transactions of the journal, oldest first */
    size_t transaction_count;
    uint32_t log_blocks;   /* number of blocks in the journal's log, which is overwritten in turn */
    bool has_fast_commits; /* true: ext4's journal has fast commits, which are not read */
    uint32_t unused_journals; /* number of copies of the journal from which nothing was used */
    struct map_pasts pasts;   /* earlier owners, by first block after sort_past_owners() */
    struct map_past_names past_names; /* earlier names of inodes, by inode and transaction */
    struct map_gone *gone; /* owned; files no longer in the image, by inode and `until` */
    uint64_t *max_ends; /* owned; largest end in the subtree of each of `pasts`, an implicit binary
                           tree */
    struct text names;  /* names of all files, one after another */
};

/* Writes the UUID of the file system as text, NUL-terminated. */
#define FILE_MAP_UUID 37
void file_map_uuid(const struct file_map *map, char uuid[FILE_MAP_UUID]);

/* Adds blocks of a file and class. Blocks that follow the last extent are joined to it if they are
 * of the same file and class. Blocks after the end of the file system are dropped. */
bool file_map_add(struct file_map *map, uint64_t start, uint64_t length, unsigned class,
                  uint32_t file, struct error *error);

/* Adds a file without a name and returns its index; returns 0 and sets `error` on failure. Files in
 * the image must come first, in the order of inodes; `map->live` is their number. */
uint32_t file_map_add_file(struct file_map *map, uint32_t inode, uint32_t generation,
                           struct error *error);

/* Returns the index of the file with this inode in the image; 0 if there is none. */
uint32_t file_map_inode(const struct file_map *map, uint32_t inode);

/* Adds an earlier owner of blocks. Blocks that follow the last element are joined to it, if that
 * has an index of at least `first`. */
bool file_map_add_past(struct file_map *map, const struct map_past *past, size_t first,
                       struct error *error);
bool file_map_add_past_name(struct file_map *map, const struct map_past_name *past,
                            const char *name, struct error *error);

/* Merges elements of `pasts` that differ only in `from` and `until`. */
void file_map_merge_past(struct file_map *map);

/* Sort `pasts`, or `past_names`, for searching. Names may be added after sort_past_owners(). */
void sort_past_owners(struct file_map *map);
void sort_past_names(struct file_map *map);

/* Returns the owner that a block had after a transaction; NULL: none, or unknown. */
const struct map_past *file_map_find_past(const struct file_map *map, uint64_t block,
                                          uint32_t transaction);

/* Like file_map_find_past(), and finds how far the result is valid: for all blocks from `block` to
 * before `*after`. The caller sets `*after` to a limit above `block`; it can only get less. */
const struct map_past *file_map_find_past_run(const struct file_map *map, uint64_t block,
                                              uint32_t transaction, uint64_t *after);

/* Returns whether a file may have had its inode after a transaction: it did not begin later, as far
 * as known. */
bool file_map_may_have_existed(const struct file_map *map, uint32_t file, uint32_t transaction);

/* Adds files of which only inode numbers are known, in ascending order, to a complete map. They
 * have no names, and nothing in the map refers to them. `*first`: index of the first one; the
 * others follow it. */
bool file_map_add_nameless(struct file_map *map, const uint32_t *inodes, size_t count,
                           uint32_t *first, struct error *error);

/* Removes the files added by file_map_add_nameless(). */
void file_map_drop_nameless(struct file_map *map);

/* Sets the name of an inode in a directory, `parent`. If the inode has a name, keeps that. Ignores
 * inodes that are not in the map. */
bool file_map_set_name(struct file_map *map, uint32_t inode, uint32_t parent, const char *name,
                       size_t length, struct error *error);

/* Sorts the extents. If several contain a block, it goes to fixed metadata, else to the file with
 * the smallest inode; the other extents are cut. */
bool file_map_finish(struct file_map *map, struct error *error);

/* Returns the extent with a block; NULL if the block is free. */
const struct map_extent *file_map_find(const struct file_map *map, uint64_t block);

/* Like file_map_find(), and sets `*after` as file_map_find_past_run() does. */
const struct map_extent *file_map_find_run(const struct file_map *map, uint64_t block,
                                           uint64_t *after);

/* Appends the path of a file, of any bytes. Directories whose name is unknown are <INODE>. If the
 * path has more than MAP_PATH_DEPTH parts or MAP_PATH_BYTES bytes, appends "…" and its last
 * parts. */
#define MAP_PATH_DEPTH 64
#define MAP_PATH_BYTES 4095
void file_map_append_path(const struct file_map *map, uint32_t file, struct text *path);

/* Appends the path that a file had after a transaction, as file_map_append_path() does. */
void file_map_append_path_after(const struct file_map *map, uint32_t file, uint32_t transaction,
                                struct text *path);

/* Writes the map to a descriptor. Returns false if that fails. */
bool file_map_send(const struct file_map *map, int descriptor);

/* Reads a map that file_map_send() wrote, and checks it: all indices are in range, and arrays are
 * sorted. */
bool file_map_receive(struct file_map *map, int descriptor, struct error *error);

void file_map_free(struct file_map *map);

/* --- functions that only image.c uses --------------------------------------------------------- */

/* Fill `max_ends` from `pasts`, which is sorted, and `gone` from `files`, which is complete. */
void map_make_max_ends(struct file_map *map);
void map_fill_gone(struct file_map *map);

/* Returns whether the past names are sorted by inode, then by transaction. */
bool map_names_are_in_order(const struct file_map *map);

#endif
