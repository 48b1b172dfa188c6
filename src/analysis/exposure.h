/* Tracks the data that a power cut would lose, during a log of system calls: bytes of files, and
 * names in directories, that are not on disk. Such data is "exposed".
 *
 * Written bytes are exposed from the begin of the write to the end of the first successful sync
 * that began after the write had ended. So the set of bytes that a sync covers is fixed at its
 * begin; they count as on disk from its end on: exposure_advance(). A name is exposed while it
 * refers to another file than it does on disk, until its directory is synced. */
#ifndef TRACETOOL_EXPOSURE_H
#define TRACETOOL_EXPOSURE_H

#include "analysis/intervals.h"
#include "base/hash.h"
#include "base/text.h"

/* Names in directories according to a log of system calls: which file a name refers to now, and
 * which file it would refer to after a power cut.
 *
 * Renaming a directory moves all its names in one step, however many it has. Only names that are
 * changed, or whose files are written, are stored; names that are only read are not. */

/* Limits: of names tracked per trace, and of symbolic links followed one after another. */
#define NAMES_MOST (1 << 20)
#define LINKS_MOST 8

struct disk_file;
struct name_node;

/* Contents of a directory. */
struct name_directory {
    uint64_t number;
    struct name_node *at;       /* name of this directory in its parent */
    struct name_node **changed; /* owned; names that changed since its last sync */
    size_t changed_count, changed_capacity;
    int64_t covered;  /* begin of its last successful sync; INT64_MIN: none */
    unsigned syncing; /* number of running syncs that cover some of its names */
    bool listed;      /* is in exposure.folders, the list of directories with changed names */
    struct name_directory *next; /* next directory of name_tree.folders */
};

/* How a name was changed last. */
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
    /* Directory that contains the name; NULL: a root, of absolute or of relative paths. */
    struct name_directory *in;
    struct name_directory *folder; /* contents, if the name is a directory's; NULL: unknown */
    struct disk_file *now;         /* file to which the name refers now; NULL: none, or unknown */
    struct disk_file *kept; /* file to which the name refers on disk; NULL: none, or unknown */
    /* After a rename not yet synced: the old name, which the file may still have on disk, and the
     * file to which the old name refers on disk; NULL: none. */
    struct name_node *origin;
    struct disk_file *origin_kept;
    struct disk_file *last; /* file to which the name referred before it was removed */
    int64_t settled; /* end of the last change; INT64_MAX: no later sync can put it on disk */
    int64_t stored;  /* begin of the last sync that put the name on disk; INT64_MIN: none */
    enum name_change how;
    bool listed;     /* is in the list `changed` of its directory */
    bool unfinished; /* true: a call that may change the name has no end in the log */
    bool by_syncfs;  /* true: a syncfs put the name on disk */
    uint64_t hash;   /* hash of the whole path; valid if `hashed` is tree.moves + 1 */
    unsigned hashed;
    size_t key_length;
    char key[]; /* number of the containing directory, followed by the name */
};

struct path_change;

/* Tree of the names in all directories. Zeroed: an empty tree. */
struct name_tree {
    struct name_node *nodes;        /* owned hash table: by `key` */
    struct name_node *begins[2];    /* owned; start of relative paths, and of absolute paths */
    struct name_directory *folders; /* owned list of all directories */
    struct path_change *changes;    /* owned hash table: how often each path has changed */
    size_t most;                    /* limit of names; 0: NAMES_MOST */
    uint64_t numbers;
    /* Number of changes of names of directories and symbolic links. When it changes, cached lookups
     * are invalid. */
    unsigned moves;
    struct text key;
};

/* Returns the node of a normalised path (base/file.h), and adds it if `make` is set. NULL: it is
 * missing and `make` is not set, or there are too many names. */
struct name_node *name_tree_find(struct name_tree *tree, const char *path, size_t length,
                                 bool make);

/* Moves the contents of directory `from` to `to`; does nothing if `to` lies inside `from`. */
void name_tree_move(struct name_tree *tree, struct name_node *from, struct name_node *to);

/* name_tree_add_change() counts that a path was removed or replaced. name_tree_count_changes()
 * returns the sum of these counts for a path and all directories in it, as importers count them
 * (CALL_GENERATION_SHIFT). */
void name_tree_add_change(struct name_tree *tree, struct name_node *node);
int64_t name_tree_count_changes(const struct name_tree *tree, struct name_node *node);

/* Follows symbolic links that the log has created. Returns the node to which they lead. */
struct name_node *name_node_follow(struct name_node *node);

/* Returns the node of the parent directory; NULL: none. */
static inline struct name_node *name_node_parent(const struct name_node *node) {
    return node->in == NULL ? NULL : node->in->at;
}

/* Appends the path of a node to a text. */
void name_node_append_path(const struct name_node *node, struct text *path);

void name_tree_free(struct name_tree *tree);

/* Limit of groups of a file's writes. All ended writes share a group; running ones have their own.
 */
#define FILE_PARTS 4

struct file_part {
    /* since: begin of the first write of the group; end: end of the last one; INT64_MAX: not in the
     * log. */
    int64_t since, end;
    int64_t last; /* begin of the last write of the group */
    int64_t bytes;
    bool lost; /* a sync of the group failed, so no later sync covers it; `end` is INT64_MAX */
};

/* Value of disk_file.covered for a file that was synced while all of it was on disk. */
#define SYNCED_IN_VAIN (INT64_MIN + 1)

/* A file with any number of names. Unknown times are EVENT_NONE. */
struct disk_file {
    struct disk_file *next;      /* next file in exposure.all */
    int64_t written, last_write; /* written: bytes written; last_write: begin of the last write */
    int64_t synced;              /* end of the sync that put the last write on disk */
    int64_t exposed_since;       /* time since which some of the file's bytes are not on disk */
    int64_t exposed,
        /* exposed: total time with bytes not on disk; longest: longest time from a write to its
           sync or removal. */
        longest;
    int64_t bytes;    /* bytes not on disk now */
    int64_t replaced; /* last rename while data was not on disk: time, and bytes not on disk */
    int64_t replaced_bytes;
    int64_t covered;     /* begin of the last sync that covered data; INT64_MIN: never synced */
    int64_t fails_until; /* end of the file's last failed sync; INT64_MIN: none */
    /* Begin of the last syncfs that covered data of the file; INT64_MIN: none. */
    int64_t syncfs_began;
    int64_t early; /* number of answers sent before this file was on disk */
    struct file_part parts[FILE_PARTS];
    unsigned part_count;
    unsigned syncing; /* number of running syncs that cover data of the file */
    unsigned names;
    unsigned epoch; /* number of sync() calls of the log that have been applied to the file */
    uint64_t key; /* object.id << 32 | replacements of its path before the last open of this file */
    unsigned mappings; /* number of the file's shared writable mappings */
    /* Name with which the file was created; NULL: it existed before the log. */
    struct name_node *node;
    struct name_node *target; /* node to which a symbolic link leads; NULL: not a symbolic link */
    bool unknown;    /* true: a call linked or renamed the file by an unknown path or descriptor */
    bool fresh;      /* true: created by a call of the log, and not synced since */
    bool maybe_old;  /* true: opened with O_CREAT, but may have existed before */
    bool lost;       /* true: a sync of the file failed, so data may be lost */
    bool unsure;     /* true: a syncfs failed while data of the file was not on disk */
    bool writable;   /* true: the file was opened for writing */
    bool changed;    /* attributes were changed since the file's last sync */
    bool listed;     /* is in exposure.dirty, the list of files with writes to sync */
    bool was_mapped; /* the file was mapped writable at some time in the trace */
    bool mapped;     /* true: mapped writable, and not synced since */
    bool msynced;    /* true: the last sync of the file's mapping was an msync */
    bool marked;     /* true: in use; exposure_free_unmarked_files() frees unmarked files */
    bool by_syncfs;  /* true: the last sync that covered data of the file was a syncfs */
};

struct exposure_sync; /* a running sync */

/* Counts of a time interval: the highest numbers of bytes, files and names not on disk. */
struct exposure_interval {
    int64_t most, most_files, most_names;
    double area, length; /* area: integral of the bytes not on disk over the interval's time;
                            length: length of this time */
};

/* All data that is not on disk at the current time `now`. Zeroed: ready for use. */
struct exposure {
    int64_t now;          /* current time */
    int64_t bytes;        /* number of bytes not on disk now, of all files */
    int64_t files, names; /* files: number of files that are not on disk now; names: of names */
    int64_t early;        /* number of early answers, of all files that were synced at some time */
    struct exposure_sync *heap; /* owned; heap of running syncs, the next to end on top */
    size_t heap_count, heap_capacity;
    struct disk_file *all;           /* owned list of all files */
    size_t file_count;               /* length of the list `all` */
    struct disk_file **dirty;        /* owned; files with writes to sync */
    struct name_directory **folders; /* owned; directories with names to sync */
    size_t dirty_count, dirty_capacity, folder_count, folder_capacity;
    const struct intervals *intervals;         /* borrowed; NULL: no counts by time interval */
    struct exposure_interval *interval_counts; /* borrowed; one element per interval */
};

/* Begin and end of a successful sync, or of a write. */
struct exposure_call {
    int64_t time, end;
    bool is_syncfs;
};

void exposure_free(struct exposure *exposure);

/* Advances the current time. What is covered by syncs that have ended by then counts as on disk. */
void exposure_advance(struct exposure *exposure, int64_t time);

/* Adds a file that is not in the log yet. */
struct disk_file *exposure_add_file(struct exposure *exposure);

/* Adds a write of `bytes` bytes, or with 0 a change of unknown size. `durable`: the write puts its
 * data on disk itself (O_DSYNC). */
void exposure_write(struct exposure *exposure, struct disk_file *file,
                    const struct exposure_call *call, int64_t bytes, bool durable);

/* Records that a sync of the file failed: its data not on disk is lost, even if synced later. */
void file_mark_lost(struct disk_file *file);

/* Records that a sync of a file failed at `time`; calls file_mark_lost(). Data covered by other
 * running syncs of the file is lost, too, because the kernel reports the error to only one of the
 * syncs. */
void exposure_sync_failed(struct exposure *exposure, struct disk_file *file, int64_t time);

/* Records that the file is empty at `time`: lost data no longer matters, and later syncs can put
 * the file on disk again. */
void file_mark_empty(struct disk_file *file, int64_t time);

/* Returns the longest time, up to `time`, that a write of the file was not on disk. */
int64_t exposure_longest_at_risk(const struct exposure *exposure, const struct disk_file *file,
                                 int64_t time);

/* Starts a sync of a file. Returns the number of bytes that it covers; -1: nothing to sync. */
int64_t exposure_sync_file(struct exposure *exposure, struct disk_file *file,
                           const struct exposure_call *call);

/* Start a sync of a directory's names, or of one name. Return the number of names covered. */
int64_t exposure_sync_names(struct exposure *exposure, struct name_directory *folder,
                            const struct exposure_call *call);
int64_t exposure_sync_name(struct exposure *exposure, struct name_node *node,
                           const struct exposure_call *call);

/* Starts a sync of all files and names. Returns the number of bytes that it covers (-1: none); sets
 * `*names` to the number of names. */
int64_t exposure_sync_all(struct exposure *exposure, const struct exposure_call *call,
                          int64_t *names);

/* Records that a call made the name refer to `file` (NULL: to none). Data of a file without names
 * no longer counts as exposed. */
void exposure_set_name(struct exposure *exposure, struct name_node *node, struct disk_file *file,
                       const struct exposure_call *call, enum name_change how);

/* Sets the file to which the name refers on disk. */
void exposure_store_name(struct exposure *exposure, struct name_node *node, struct disk_file *file);

/* Records a rename of a file. A name may be unknown (NULL). */
void exposure_rename(struct exposure *exposure, struct name_node *from, struct name_node *to,
                     struct disk_file *file, const struct exposure_call *call);

/* Frees files that are not `marked` and have no writes to sync, and clears all marks. */
void exposure_free_unmarked_files(struct exposure *exposure);

static inline bool name_is_exposed(const struct name_node *node) {
    return node->now != node->kept;
}

/* Returns whether the end of a write to the file is missing in the log. */
static inline bool file_is_endless(const struct disk_file *file) {
    for (unsigned i = 0; i < file->part_count; i++) {
        if (file->parts[i].end == INT64_MAX && !file->parts[i].lost) {
            return true;
        }
    }
    return false;
}

static inline bool file_is_exposed(const struct disk_file *file) {
    return file->part_count > 0 || file->syncing > 0;
}

#endif
