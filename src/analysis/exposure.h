/* What a power cut would lose: bytes of files and names in folders that are not on disk yet, at
 * every moment of a log of system calls.
 *
 * What was written is exposed from the begin of the call to the end of the first successful sync
 * that began when the write had ended. A sync therefore takes over what it covers when it begins,
 * and it is on disk when time has come to the sync's end: exposure_advance(). A name is exposed
 * while it leads to another file than on disk, until a sync of its folder.
 */
#ifndef TRACETOOL_EXPOSURE_H
#define TRACETOOL_EXPOSURE_H

#include "analysis/intervals.h"
#include "analysis/name_tree.h"

/* Writes of a file, by when they end: so many groups are told apart. */
#define FILE_PARTS 4

struct file_part {
    int64_t since, end; /* begin of the first, end of the last; INT64_MAX: not in the log */
    int64_t last;       /* begin of the last */
    int64_t bytes;
};

/* A file, whatever its names. Times are EVENT_NONE where there is none. */
struct disk_file {
    struct disk_file *next;      /* of all */
    int64_t written, last_write; /* bytes; begin of the last write */
    int64_t synced;              /* end of the sync that covered that */
    int64_t exposed_since;       /* of now */
    int64_t exposed, longest;    /* all of it; the longest from a write to its sync's end */
    int64_t bytes;               /* exposed now */
    int64_t replaced;            /* when it was renamed while exposed */
    int64_t covered;             /* begin of the last sync of it that succeeded; INT64_MIN: none */
    int64_t early;               /* answers that were given before it was on disk */
    struct file_part parts[FILE_PARTS];
    unsigned part_count;
    unsigned syncing; /* how many syncs are under way that cover some of it */
    unsigned names;
    unsigned epoch;         /* how many times sync had been called when it was looked at last */
    uint64_t key;           /* of the last open that led to it */
    unsigned mappings;      /* shared and writable ones that there are */
    struct name_node *node; /* of its creation; NULL: it was there */
    bool unknown;           /* it was linked from a descriptor */
    bool fresh;             /* created, and never synced */
    bool maybe_old;         /* O_CREAT may have found it, for all that is known */
    bool lost;              /* a sync failed */
    bool writable;          /* was opened for writing */
    bool changed;           /* its attributes were, since it was synced last */
    bool listed;            /* among those with parts */
    bool was_mapped;        /* it had some */
    bool mapped;            /* it had some since it was synced last */
    bool msynced;           /* the last sync of what is mapped was an msync */
    bool marked;            /* something leads to it: exposure_sweep() */
    bool by_syncfs;         /* the last sync that covered some of it was a syncfs */
};

struct exposure_sync; /* one that is under way */

/* Of an interval of time. */
struct exposure_interval {
    int64_t most, most_files, most_names;
    double area, length; /* bytes times time; time that was seen */
};

/* A zeroed one is ready. */
struct exposure {
    int64_t now;                /* up to where time has come */
    int64_t bytes;              /* exposed now, of all files */
    int64_t files, names;       /* how many */
    int64_t early;              /* `early` of all files that were synced at some time */
    struct exposure_sync *heap; /* owned; by their end */
    size_t heap_count, heap_capacity;
    struct disk_file *all;        /* owned list */
    size_t file_count;            /* of it */
    struct disk_file **dirty;     /* owned; with parts */
    struct name_folder **folders; /* owned; with changed names */
    size_t dirty_count, dirty_capacity, folder_count, folder_capacity;
    const struct intervals *intervals;         /* borrowed; NULL: none are counted */
    struct exposure_interval *interval_counts; /* borrowed; of each */
};

/* A successful sync, or a write that is one. */
struct exposure_call {
    int64_t time, end;
    bool is_syncfs;
};

void exposure_free(struct exposure *exposure);

/* Time goes on: what syncs that have ended by then cover is on disk. */
void exposure_advance(struct exposure *exposure, int64_t time);

/* A file that is new to the log. */
struct disk_file *exposure_file(struct exposure *exposure);

/* Writes so many bytes (0: what is not counted in bytes) in a call that ends then; `durable`: they
 * are on disk by its end. */
void exposure_write(struct exposure *exposure, struct disk_file *file,
                    const struct exposure_call *call, int64_t bytes, bool durable);

/* A sync of the file begins; its end is known. Returns the bytes that it covers, -1 for nothing. */
int64_t exposure_sync_file(struct exposure *exposure, struct disk_file *file,
                           const struct exposure_call *call);

/* The same of a folder's names, and of one name. Returns how many it covers. */
int64_t exposure_sync_names(struct exposure *exposure, struct name_folder *folder,
                            const struct exposure_call *call);
int64_t exposure_sync_name(struct exposure *exposure, struct name_node *node,
                           const struct exposure_call *call);

/* The same of everything; `*names` is how many names. */
int64_t exposure_sync_all(struct exposure *exposure, const struct exposure_call *call,
                          int64_t *names);

/* The name leads to that file, or to none, from then on. A file that has no name any more is not
 * exposed. */
void exposure_set_name(struct exposure *exposure, struct name_node *node, struct disk_file *file,
                       const struct exposure_call *call, enum name_change how);

/* On disk the name leads to that file, as far as can be known. */
void exposure_keep_name(struct exposure *exposure, struct name_node *node, struct disk_file *file);

/* Frees files that are not `marked` and that nothing here leads to, and takes the marks away. */
void exposure_sweep(struct exposure *exposure);

static inline bool name_is_exposed(const struct name_node *node) {
    return node->now != node->kept;
}

/* Whether a write has no end in the log. */
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
