/* Data that a power cut would lose: bytes of files and names in directories that are not on disk
 * yet, at every moment of a log of system calls.
 *
 * Written bytes are exposed from the begin of the write to the end of the first successful sync
 * that began after the write had ended. So a sync takes over what it covers at its begin, and makes
 * it durable at its end: exposure_advance(). A name is exposed while it refers to another file than
 * on disk, until its directory is synced.
 */
#ifndef TRACETOOL_EXPOSURE_H
#define TRACETOOL_EXPOSURE_H

#include "analysis/intervals.h"
#include "base/hash.h"
#include "base/text.h"

/* Names in directories, as a log of system calls shows them: the file each refers to now, and the
 * file it would refer to after a power cut.
 *
 * Renaming a directory moves all its names, however many, in one step. Only names that are changed,
 * or whose files are written, are added; names that are only read are not.
 */

/* Limit of names tracked per trace, and of symbolic links that lead to one another. */
#define NAMES_MOST (1 << 20)
#define LINKS_MOST 8

struct disk_file;
struct name_node;

/* Contents of a directory. */
struct name_folder {
    uint64_t number;
    struct name_node *at;       /* name of the directory itself */
    struct name_node **changed; /* owned; names to check at its next sync: `listed` */
    size_t changed_count, changed_capacity;
    bool listed;              /* is in the list of directories with changed names */
    struct name_folder *next; /* list of all directories */
};

/* Last change of a name. */
enum name_change {
    NAME_FOUND,
    NAME_CREATED,
    NAME_LINKED,
    NAME_RENAMED,
    NAME_REMOVED,
    NAME_MOVED_AWAY,
};

struct name_node {
    UT_hash_handle hh;
    struct name_folder *in;     /* parent directory; NULL: root of paths */
    struct name_folder *folder; /* contents of the directory with this name; NULL: unknown */
    struct disk_file *now;      /* file to which the name refers now; NULL: unknown */
    struct disk_file *kept;     /* file on disk */
    struct disk_file *last;     /* file to which the name referred before its removal */
    int64_t settled;            /* end of the last change; INT64_MAX: not in the log */
    enum name_change how;
    bool listed;     /* is in the changed names of its directory */
    bool unfinished; /* the end of a change is not in the log */
    bool by_syncfs;  /* made durable by a syncfs */
    uint64_t hash;   /* hash of its path; valid if `hashed` is tree.moves + 1 */
    unsigned hashed;
    size_t key_length;
    char key[]; /* number of the directory, and the name */
};

struct path_change;

/* Zeroed: ready for use. */
struct name_tree {
    struct name_node *nodes;     /* owned hash table */
    struct name_node *begins[2]; /* owned; roots of relative and of absolute paths */
    struct name_folder *folders; /* owned list */
    struct path_change *changes; /* owned hash table: number of changes of each path */
    size_t most;                 /* limit of names; 0: NAMES_MOST */
    uint64_t numbers;
    unsigned moves; /* changes of directories' names and of links; they invalidate lookups */
    struct text key;
};

/* Returns the name of a normalised path (base/file.h). NULL: it is missing and `make` is not set,
 * or there are too many. */
struct name_node *name_tree_find(struct name_tree *tree, const char *path, size_t length,
                                 bool make);

/* Moves the contents of directory `from` to `to`; does nothing if `to` lies inside `from`. */
void name_tree_move(struct name_tree *tree, struct name_node *from, struct name_node *to);

/* name_tree_add_change() counts that a name's path now leads to another file or to none.
 * name_tree_changes() returns the sum of these counts for the path and all directories above it, as
 * importers count them (CALL_GENERATION_SHIFT). */
void name_tree_add_change(struct name_tree *tree, struct name_node *node);
int64_t name_tree_changes(const struct name_tree *tree, struct name_node *node);

/* Follows symbolic links whose creation is in the log, and returns the name that they lead to. */
struct name_node *name_node_follow(struct name_node *node);

/* Returns the parent directory's name; NULL: none. */
static inline struct name_node *name_node_above(const struct name_node *node) {
    return node->in == NULL ? NULL : node->in->at;
}

/* Appends the path. */
void name_node_path(const struct name_node *node, struct text *path);

void name_tree_free(struct name_tree *tree);

/* Limit of groups of a file's writes, which are separated by their end times. */
#define FILE_PARTS 4

struct file_part {
    int64_t since, end; /* begin of the first write, end of the last; INT64_MAX: not in the log */
    int64_t last;       /* begin of the last write */
    int64_t bytes;
};

/* A file, whatever its names. Unknown times are EVENT_NONE. */
struct disk_file {
    struct disk_file *next;      /* list of all files */
    int64_t written, last_write; /* bytes written; begin of the last write */
    int64_t synced;              /* end of the sync that covered the last write */
    int64_t exposed_since;       /* begin of the current exposure */
    int64_t exposed,
        longest;      /* total time exposed; the longest from a write to its sync or removal */
    int64_t bytes;    /* number of bytes exposed now */
    int64_t replaced; /* time at which a rename replaced the file, and its bytes exposed then */
    int64_t replaced_bytes;
    int64_t covered; /* begin of its last successful sync; INT64_MIN: none */
    int64_t early;   /* answers sent before the file was on disk */
    struct file_part parts[FILE_PARTS];
    unsigned part_count;
    unsigned syncing; /* number of running syncs that cover some of it */
    unsigned names;
    unsigned epoch;           /* number of sync() calls at the last lookup */
    uint64_t key;             /* key of the last open of this file */
    unsigned mappings;        /* number of its shared writable mappings */
    struct name_node *node;   /* name it was created with; NULL: it existed before */
    struct name_node *target; /* name that a symbolic link leads to; NULL: not a link */
    bool unknown;             /* true: the file was linked from a descriptor */
    bool fresh;               /* true: the file was created and never synced */
    bool maybe_old;           /* O_CREAT may have opened an existing file */
    bool lost;                /* true: a sync of the file failed */
    bool unsure;              /* a syncfs failed while it was exposed */
    bool writable;            /* true: the file was opened for writing */
    bool changed;             /* attributes changed since its last sync */
    bool listed;              /* is in the list of files with parts */
    bool was_mapped;          /* was mapped at some time */
    bool mapped;              /* was mapped since its last sync */
    bool msynced;             /* the last sync of its mapping was an msync */
    bool marked;    /* true: the file is in use; exposure_free_unmarked_files() frees the others */
    bool by_syncfs; /* the last sync that covered some of it was a syncfs */
};

struct exposure_sync; /* a running sync */

/* Maxima and sums of a time interval. */
struct exposure_interval {
    int64_t most, most_files, most_names;
    double area, length; /* integral of exposed bytes over time; time covered */
};

/* Zeroed: ready for use. */
struct exposure {
    int64_t now;                /* current time */
    int64_t bytes;              /* bytes of all files that are exposed now */
    int64_t files, names;       /* number of exposed files and names */
    int64_t early;              /* sum of `early` over all files that were synced at some time */
    struct exposure_sync *heap; /* owned; sorted by end */
    size_t heap_count, heap_capacity;
    struct disk_file *all;        /* owned list */
    size_t file_count;            /* length of the list */
    struct disk_file **dirty;     /* owned; files with parts */
    struct name_folder **folders; /* owned; directories with changed names */
    size_t dirty_count, dirty_capacity, folder_count, folder_capacity;
    const struct intervals *intervals;         /* borrowed; NULL: intervals are not counted */
    struct exposure_interval *interval_counts; /* borrowed; one per interval */
};

/* A successful sync, or a durable write. */
struct exposure_call {
    int64_t time, end;
    bool is_syncfs;
};

void exposure_free(struct exposure *exposure);

/* Advances the time and makes durable what is covered by syncs that have ended by then. */
void exposure_advance(struct exposure *exposure, int64_t time);

/* Adds a file that is new to the log. */
struct disk_file *exposure_file(struct exposure *exposure);

/* Adds a write of `bytes` (0: not counted in bytes) by a call. `durable`: the write is on disk at
 * the call's end. */
void exposure_write(struct exposure *exposure, struct disk_file *file,
                    const struct exposure_call *call, int64_t bytes, bool durable);

/* Returns the longest time that any write of the file was exposed, up to `time`. */
int64_t exposure_longest(const struct exposure *exposure, const struct disk_file *file,
                         int64_t time);

/* Starts a sync of the file, whose end is known. Returns the bytes that it covers, -1 for
 * nothing. */
int64_t exposure_sync_file(struct exposure *exposure, struct disk_file *file,
                           const struct exposure_call *call);

/* Start a sync of the names of a directory, or of one name. Return the number of names covered. */
int64_t exposure_sync_names(struct exposure *exposure, struct name_folder *folder,
                            const struct exposure_call *call);
int64_t exposure_sync_name(struct exposure *exposure, struct name_node *node,
                           const struct exposure_call *call);

/* Starts a sync of all files and names; sets `*names` to the number of names, and returns the bytes
 * covered. */
int64_t exposure_sync_all(struct exposure *exposure, const struct exposure_call *call,
                          int64_t *names);

/* Makes the name refer to that file, or to no file. A file without a name is no longer exposed. */
void exposure_set_name(struct exposure *exposure, struct name_node *node, struct disk_file *file,
                       const struct exposure_call *call, enum name_change how);

/* Records that the name refers to that file on disk, as far as is known. */
void exposure_store_name(struct exposure *exposure, struct name_node *node, struct disk_file *file);

/* Frees files that are neither `marked` nor referred to here, and clears the marks. */
void exposure_free_unmarked_files(struct exposure *exposure);

static inline bool name_is_exposed(const struct name_node *node) {
    return node->now != node->kept;
}

/* Returns whether the end of one of its writes is not in the log. */
static inline bool file_is_endless(const struct disk_file *file) {
    for (unsigned i = 0; i < file->part_count; i++) {
        if (file->parts[i].end == INT64_MAX) {
            return true;
        }
    }
    return false;
}

static inline bool file_is_exposed(const struct disk_file *file) {
    return file->part_count > 0 || file->syncing > 0;
}

#endif
