/* Maps the blocks of a file system to files, by its image.
 *
 * All data is in arrays that refer to each other by index, so that a process can send a map to
 * another (file_map_send). The receiver validates all of it (file_map_receive). */
#ifndef TRACETOOL_FILE_MAP_H
#define TRACETOOL_FILE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

/* Class of a block. The numbers are stored in databases: add new ones at the end. */
enum block_class {
    BLOCK_FREE,
    BLOCK_DATA, /* contents of a file other than a directory or symbolic link */
    BLOCK_DIRECTORY,
    BLOCK_SYMLINK,
    BLOCK_UNWRITTEN, /* allocated to a file but not yet written */
    BLOCK_TREE,  /* describes the positions of a file's blocks: extents, indirect blocks, nodes */
    BLOCK_XATTR, /* extended attributes */
    BLOCK_JOURNAL,
    BLOCK_SUPERBLOCK,
    BLOCK_DESCRIPTORS, /* group descriptors */
    BLOCK_RESERVED,    /* reserved for descriptors, for growth of the file system */
    BLOCK_BITMAP,      /* bitmap of blocks in use */
    BLOCK_INODE_BITMAP,
    BLOCK_INODE_TABLE,
    BLOCK_QUOTA,
    BLOCK_ORPHANS, /* deleted inodes that are still open */
    BLOCK_MMP,     /* multiple-mount protection */
    BLOCK_BAD,
    BLOCK_INODE,      /* F2FS only, from here on; each inode has a block of its own */
    BLOCK_CHECKPOINT, /* the two checkpoint packs */
    BLOCK_NODES,      /* positions of all inodes and tree blocks */
    BLOCK_SEGMENTS,   /* blocks in use */
    BLOCK_SUMMARY,    /* which node owns each block */
    BLOCK_CLASSES,
};

/* Returns the word for a class; "free" for an unknown one. */
const char *block_class_name(unsigned class);

/* Returns whether a block of the class may move between files. The others are fixed for the
 * lifetime of the file system. */
bool block_class_moves(unsigned class);

/* An extent: consecutive blocks of one owner and class. */
struct map_extent {
    uint64_t start;  /* first block */
    uint32_t length; /* number of blocks */
    uint32_t file;   /* index into files; 0: no file */
    uint8_t class;   /* enum block_class */
};

/* A file: an inode, with the generation that distinguishes it from earlier files of the same
 * number. */
struct map_file {
    uint32_t inode, generation;
    uint32_t parent;  /* inode of its parent directory; 0: no name was found */
    uint32_t name;    /* offset of its name in `names` */
    uint32_t touched; /* 1 + the index of the first transaction that has its inode; 0: none */
    /* First transaction with a version of the inode that belongs to this file, and the transaction
     * that ends the last such version. Both 0: the journal has none. */
    uint32_t since, until;
    uint16_t length;   /* length of the name in bytes */
    uint16_t links;    /* number of names found, at most UINT16_MAX */
    uint8_t encrypted; /* 0: no; other values are private to the reader of the image */
};

/* A file that is no longer in the image, for lookups by inode and time. */
struct map_gone {
    uint32_t inode, until, file;
};

/* A transaction of the journal. Transactions are numbered without gaps; the newest is the last. */
struct map_transaction {
    uint64_t commit; /* block of the file system with its commit block */
    uint64_t place;  /* log blocks since the first transaction's commit block, as if the log never
                        wrapped */
    int64_t wall;    /* commit time, ns since 1970 by the device's clock; 0: unknown */
};

/* Past owner of blocks, from the journal: valid after transaction `from`, before transaction
 * `until`. */
struct map_past {
    uint64_t start;
    uint32_t length, file;
    uint32_t from, until; /* transaction indices; until: number of transactions if still valid */
    uint8_t class;
    bool doubtful; /* the journal proves it only in part; the rest is from the image */
};

/* Name of an inode after a transaction, until its next entry. */
struct map_past_name {
    uint32_t inode, parent, transaction;
    uint32_t name;
    uint16_t length;
};

/* Growing arrays. Zeroed: empty. `count` and `capacity` are in elements. */
struct map_extents {
    struct map_extent *items; /* owned */
    size_t count, capacity;
};

struct map_files {
    struct map_file *items; /* owned; element 0 stands for no file */
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

/* Limits: elements of an array, and bytes of names. */
#define MAP_MOST_EXTENTS      ((size_t)16 << 20)
#define MAP_MOST_FILES        ((size_t)4 << 20)
#define MAP_MOST_NAMES        ((size_t)256 << 20)
#define MAP_MOST_TRANSACTIONS ((size_t)1 << 24)

/* Most elements of `pasts` that a lookup of one block reads. */
#define MAP_PAST_STEPS 4096

/* A map; zeroed: empty. */
struct file_map {
    uint64_t blocks;     /* size of the file system in blocks */
    uint32_t block_size; /* bytes */
    uint32_t cluster;    /* blocks per allocation cluster, with bigalloc; 0 or 1: no clusters */
    uint64_t offset;     /* offset of the file system in the image, bytes */
    uint32_t root;       /* inode of its root directory */
    uint8_t uuid[16];
    uint64_t amount;     /* lifetime writes, in a unit of the file system; only grows; 0: unknown */
    uint64_t written;    /* time of its superblock's last write, seconds since 1970 by its clock; 0:
                            unknown */
    uint64_t unreadable; /* damaged inodes, directories and blocks of the inode table */
    uint64_t disputed;   /* blocks claimed by several owners: the first one gets them */
    struct map_extents extents; /* sorted and without overlaps after file_map_finish() */
    struct map_files files;
    size_t live;    /* number of files in the image; they come first, sorted by inode */
    size_t strange; /* number of strangers, which come last: see file_map_add_strangers() */
    struct map_transaction *transactions; /* owned; by index */
    size_t transaction_count;
    uint32_t log_blocks;      /* size of the journal's log, which is written cyclically */
    bool has_fast_commits;    /* true: the journal of ext4 has fast commits, which are not read */
    uint32_t unused_journals; /* copies of the journal from which no transaction was taken */
    struct map_pasts pasts;   /* sorted by start after finish_past() */
    struct map_past_names past_names; /* sorted by inode, then by transaction */
    struct map_gone *gone; /* owned; files no longer in the image, sorted by inode and `until` */
    uint64_t *max_ends; /* owned; largest end of an extent in the subtree of each past: the array is
                        an implicit binary tree */
    struct text names;  /* names of files, concatenated */
};

/* Writes the UUID of the file system in its usual text form, NUL-terminated. */
#define FILE_MAP_UUID 37
void file_map_uuid(const struct file_map *map, char uuid[FILE_MAP_UUID]);

/* Adds blocks. Blocks that continue the last added extent are merged into it. Blocks beyond the
 * file system are dropped. */
bool file_map_add(struct file_map *map, uint64_t start, uint64_t length, unsigned class,
                  uint32_t file, struct error *error);

/* Adds a file without a name and returns its index; 0 with `error` set on failure. Files in the
 * image come first, in ascending order of inodes; `map->live` is their number. */
uint32_t file_map_add_file(struct file_map *map, uint32_t inode, uint32_t generation,
                           struct error *error);

/* Returns the index of the file of that inode; 0 if there is none. */
uint32_t file_map_inode(const struct file_map *map, uint32_t inode);

/* Adds a past owner of blocks. Blocks that continue the last entry are merged into it if its index
 * is at least `first`. */
bool file_map_add_past(struct file_map *map, const struct map_past *past, size_t first,
                       struct error *error);
bool file_map_add_past_name(struct file_map *map, const struct map_past_name *past,
                            const char *name, struct error *error);

/* Merges elements of `pasts` that differ only in their times. */
void file_map_pack_past(struct file_map *map);

/* Sort `pasts`, or `past_names`, for lookups. Names may be added after finish_past(). */
void finish_past(struct file_map *map);
void finish_past_names(struct file_map *map);

/* Returns the owner of a block after a transaction; NULL: unknown, or none. */
const struct map_past *file_map_find_past(const struct file_map *map, uint64_t block,
                                          uint32_t transaction);

/* Returns the result of file_map_find_past() and how far it is valid: for the blocks from `block`
 * to before `*after`. The caller sets `*after` to a limit above `block`; it is only reduced. */
const struct map_past *file_map_find_past_run(const struct file_map *map, uint64_t block,
                                              uint32_t transaction, uint64_t *after);

/* Returns whether a file may have had its inode after a transaction: it is not known to have begun
 * later. */
bool file_map_lived(const struct file_map *map, uint32_t file, uint32_t transaction);

/* Adds files with only an inode, ascending, to a complete map. They have no names, and nothing in
 * the map refers to them. `*first` is the index of the first; the others follow. */
bool file_map_add_strangers(struct file_map *map, const uint32_t *inodes, size_t count,
                            uint32_t *first, struct error *error);

/* Removes the files added by file_map_add_strangers(). */
void file_map_drop_strangers(struct file_map *map);

/* Sets the name of an inode. Keeps the first name; ignores unknown inodes. */
bool file_map_name(struct file_map *map, uint32_t inode, uint32_t parent, const char *name,
                   size_t length, struct error *error);

/* Sorts the extents. If several claim a block, fixed metadata takes precedence, then files by
 * inode; the other extents are cut. */
bool file_map_finish(struct file_map *map, struct error *error);

/* Returns the extent that contains a block; NULL if the block is free. */
const struct map_extent *file_map_find(const struct file_map *map, uint64_t block);

/* Returns the result of file_map_find(), with `*after` as in file_map_find_past_run(). */
const struct map_extent *file_map_find_run(const struct file_map *map, uint64_t block,
                                           uint64_t *after);

/* Appends the path of a file, of any bytes. Parts without a known name are <INODE>. If a path has
 * more than MAP_PATH_DEPTH parts or MAP_PATH_BYTES bytes, appends "…" and the last parts. */
#define MAP_PATH_DEPTH 64
#define MAP_PATH_BYTES 4095
void file_map_path(const struct file_map *map, uint32_t file, struct text *path);

/* Appends a path as file_map_path() does, as it was after a transaction. */
void file_map_path_then(const struct file_map *map, uint32_t file, uint32_t transaction,
                        struct text *path);

/* Writes the map to a descriptor. False if that fails. */
bool file_map_send(const struct file_map *map, int descriptor);

/* Reads a map from file_map_send() and validates it: all indices are in range, and the arrays are
 * sorted. */
bool file_map_receive(struct file_map *map, int descriptor, struct error *error);

void file_map_free(struct file_map *map);

/* --- for image.c --- */

/* Fill `max_ends` from the sorted pasts, and `gone` from the complete files. */
void map_make_max_ends(struct file_map *map);
void map_make_gone(struct file_map *map);

/* Returns whether the past names are sorted as finish_past_names() does: by inode, then by
 * time. */
bool map_names_are_in_order(const struct file_map *map);

#endif
