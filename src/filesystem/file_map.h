/* Which blocks of a file system belong to which file, by its image.
 *
 * Everything is in arrays that refer to one another by index, so that a map made by one process can
 * be sent to another (file_map_send), which believes none of it (file_map_receive).
 */
#ifndef TRACETOOL_FILE_MAP_H
#define TRACETOOL_FILE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

/* What a block holds. The numbers are kept in databases: new ones come at the end. */
enum block_class {
    BLOCK_FREE,
    BLOCK_DATA, /* of a file that is none of the next two */
    BLOCK_DIRECTORY,
    BLOCK_SYMLINK,
    BLOCK_UNWRITTEN, /* allocated to a file that has not written it */
    BLOCK_TREE,      /* says where blocks of a file are: extents, indirect blocks, nodes */
    BLOCK_XATTR,     /* extended attributes */
    BLOCK_JOURNAL,
    BLOCK_SUPERBLOCK,
    BLOCK_DESCRIPTORS, /* of the groups */
    BLOCK_RESERVED,    /* for descriptors, when the file system grows */
    BLOCK_BITMAP,      /* of blocks */
    BLOCK_INODE_BITMAP,
    BLOCK_INODE_TABLE,
    BLOCK_QUOTA,
    BLOCK_ORPHANS, /* inodes that are deleted but open */
    BLOCK_MMP,     /* multiple-mount protection */
    BLOCK_BAD,
    BLOCK_INODE,      /* of F2FS, which gives each a block, from here on */
    BLOCK_CHECKPOINT, /* both of them */
    BLOCK_NODES,      /* where each inode and tree block is */
    BLOCK_SEGMENTS,   /* which blocks are in use */
    BLOCK_SUMMARY,    /* the owners of blocks */
    BLOCK_CLASSES,
};

/* The word for a class, "free" for one that there is not. */
const char *block_class_name(unsigned class);

/* Whether a block of the class may belong to one file now and to another one then. The others have
 * their place for as long as the file system lives. */
bool block_class_moves(unsigned class);

/* A run of blocks that belong together. */
struct map_extent {
    uint64_t start;  /* first block */
    uint32_t length; /* blocks */
    uint32_t file;   /* index into files; 0: of no file */
    uint8_t class;   /* enum block_class */
};

/* A file: an inode with the generation that tells it from others of its number. */
struct map_file {
    uint32_t inode, generation;
    uint32_t parent;  /* inode of the directory that names it; 0: no name was found */
    uint32_t name;    /* where its name begins in `names` */
    uint32_t touched; /* 1 and the index of the first transaction that has its inode; 0: none */
    /* The first transaction of whose version of the inode it is, and the one that ends the last of
     * these. Both 0: the journal has none. */
    uint32_t since, until;
    uint16_t length;   /* of the name, bytes */
    uint16_t links;    /* names that were found, at most UINT16_MAX */
    uint8_t encrypted; /* 0: it is not; what else it says is known to who reads the image */
};

/* A file that is not in the image, to be found by inode and time. */
struct map_gone {
    uint32_t inode, until, file;
};

/* A transaction of the journal. Its index is its number among those without a gap up to the newest.
 */
struct map_transaction {
    uint64_t commit; /* block of the file system that its commit block lies in */
    uint64_t place;  /* of that in a log that had no end: blocks behind that of the first one */
    int64_t wall;    /* when, ns since 1970 by the device's clock; 0: not said */
};

/* Blocks that were a file's after transaction `from`, until transaction `until`, as the journal
 * tells. */
struct map_past {
    uint64_t start;
    uint32_t length, file;
    uint32_t from, until; /* indices; until: the number of transactions, when it is so still */
    uint8_t class;
    bool doubtful; /* the journal has not all of what says so: the rest is the image's */
};

/* A name that an inode had after a transaction, until the next that tells one of it. */
struct map_past_name {
    uint32_t inode, parent, transaction;
    uint32_t name;
    uint16_t length;
};

/* Arrays that grow. Zeroed: empty. `count` and `capacity` are elements. */
struct map_extents {
    struct map_extent *items; /* owned */
    size_t count, capacity;
};

struct map_files {
    struct map_file *items; /* owned; 0 stands for no file */
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

/* Most elements of an array, and most bytes of names. */
#define MAP_MOST_EXTENTS      ((size_t)16 << 20)
#define MAP_MOST_FILES        ((size_t)4 << 20)
#define MAP_MOST_NAMES        ((size_t)256 << 20)
#define MAP_MOST_TRANSACTIONS ((size_t)1 << 24)

/* Most pieces of the past that are looked at for one block. */
#define MAP_PAST_STEPS 4096

/* Zeroed: of nothing. */
struct file_map {
    uint64_t blocks;     /* of the file system */
    uint32_t block_size; /* bytes */
    uint32_t cluster;    /* blocks that are given away together, in bigalloc; 0 or 1: each alone */
    uint64_t offset;     /* where it begins in the image, bytes */
    uint32_t root;       /* inode of its uppermost directory */
    uint8_t uuid[16];
    uint64_t amount;  /* written in its life, in a unit of its own, which only grows; 0: not said */
    uint64_t written; /* when its superblock was, seconds since 1970 by its clock; 0: not said */
    uint64_t unreadable; /* inodes, directories and blocks of the inode table that are damaged */
    uint64_t disputed;   /* blocks that several owners claim: the first has them */
    struct map_extents extents; /* in order, none over another, once file_map_settle() was called */
    struct map_files files;
    size_t live; /* of the files, those that are in the image, by inode; others follow them … */
    size_t strange; /* … of these, as many at the end are none that the map itself knows */
    struct map_transaction *transactions; /* owned; by index */
    size_t transaction_count;
    uint32_t log_blocks;              /* of the journal: then it begins anew */
    bool has_fast_commits;            /* of ext4: they are not read */
    uint32_t unused_journals;         /* copies of the journal that nothing was taken from */
    struct map_pasts pasts;           /* by start, once file_map_settle_past() was called */
    struct map_past_names past_names; /* by inode, then by transaction */
    struct map_gone *gone; /* owned; files that are not in the image, by inode, then by `until` */
    uint64_t *reach;   /* owned; how far the pasts reach of the tree that each one of them tops */
    struct text names; /* of files, one behind another */
};

/* Writes the UUID of the file system as people do, with a NUL behind it. */
#define FILE_MAP_UUID 37
void file_map_uuid(const struct file_map *map, char uuid[FILE_MAP_UUID]);

/* Whether one is later than another of the same file system by what was written to it, or else by
 * the clock. */
bool file_map_is_later(const struct file_map *map, const struct file_map *other);

/* Adds blocks; such as continue the extent that was added last become part of it. What lies beyond
 * the file system is left out. */
bool file_map_add(struct file_map *map, const struct map_extent *extent, struct error *error);

/* Adds a file without a name and gives its index; 0 with `error` set on failure. Those in the image
 * come first, each of a larger inode than all before; `map->live` is how many files there are then.
 */
uint32_t file_map_add_file(struct file_map *map, uint32_t inode, uint32_t generation,
                           struct error *error);

/* The index of the file of that inode; 0: there is none. */
uint32_t file_map_inode(const struct file_map *map, uint32_t inode);

/* Adds to the past; blocks that continue those added last, from the `first`th on, become part of
 * them. */
bool file_map_add_past(struct file_map *map, const struct map_past *past, size_t first,
                       struct error *error);
bool file_map_add_past_name(struct file_map *map, const struct map_past_name *past,
                            const char *name, struct error *error);

/* Joins pieces of the past that are the same but for their time. */
void file_map_pack_past(struct file_map *map);

/* Puts the past in order, to be looked up. Names may come later; they have to be settled, too. */
void file_map_settle_past(struct file_map *map);
void file_map_settle_past_names(struct file_map *map);

/* The owner of a block after a transaction; NULL: not known, or none. */
const struct map_past *file_map_find_past(const struct file_map *map, uint64_t block,
                                          uint32_t transaction);

/* The same; it is so of all blocks from `block` to before `*behind`, which is larger. That is the
 * caller's to set, to the furthest that is of interest, and only becomes less. */
const struct map_past *file_map_find_past_run(const struct file_map *map, uint64_t block,
                                              uint32_t transaction, uint64_t *behind);

/* Whether a file may have had its inode after a transaction: it is not known to begin later. */
bool file_map_lived(const struct file_map *map, uint32_t file, uint32_t transaction);

/* Adds files with only an inode, ascending, to a complete map: nothing in it refers to them, and
 * they have no names. `*first` is the index of the first; the others follow.
 */
bool file_map_add_strangers(struct file_map *map, const uint32_t *inodes, size_t count,
                            uint32_t *first, struct error *error);

/* Takes them away again. */
void file_map_drop_strangers(struct file_map *map);

/* Sets the name of an inode. The first one is kept; one of an inode that is not there is ignored.
 */
bool file_map_name(struct file_map *map, uint32_t inode, uint32_t parent, const char *name,
                   size_t length, struct error *error);

/* Puts the extents in order. Of blocks that several have, the fixed metadata come first, then the
 * files by inode; the others are cut. */
bool file_map_settle(struct file_map *map, struct error *error);

/* The extent that a block lies in; NULL: it is free. */
const struct map_extent *file_map_find(const struct file_map *map, uint64_t block);

/* The same, with `*behind` as of file_map_find_past_run(). */
const struct map_extent *file_map_find_run(const struct file_map *map, uint64_t block,
                                           uint64_t *behind);

/* Appends the path of a file, of any bytes. Parts whose name is not known are <INODE>. Of more than
 * MAP_PATH_DEPTH parts or MAP_PATH_BYTES bytes, the last ones, behind "…". */
#define MAP_PATH_DEPTH 64
#define MAP_PATH_BYTES 4095
void file_map_path(const struct file_map *map, uint32_t file, struct text *path);

/* As file_map_path(), as it was after a transaction. */
void file_map_path_then(const struct file_map *map, uint32_t file, uint32_t transaction,
                        struct text *path);

/* Writes the map to a descriptor. False when that cannot be. */
bool file_map_send(const struct file_map *map, int descriptor);

/* Reads a map that file_map_send() wrote, and checks that it is one: that indices are of something,
 * and the arrays in order. */
bool file_map_receive(struct file_map *map, int descriptor, struct error *error);

void file_map_free(struct file_map *map);

/* --- for file_map_pipe.c --- */

/* Makes `reach` of pasts that are in order, and `gone` of files that are complete. */
void map_make_reach(struct file_map *map);
void map_make_gone(struct file_map *map);

/* Whether the past names are in the order of file_map_settle_past_names(): by inode, then by time.
 */
bool map_names_are_in_order(const struct file_map *map);

#endif
