/* Names in folders, as a log of system calls tells them: which file each leads to now, and which it
 * would lead to after a power cut.
 *
 * A folder that is renamed takes its names along, whatever their number. Names are made when they
 * are changed or their files written; those that are only read are not here.
 */
#ifndef TRACETOOL_NAME_TREE_H
#define TRACETOOL_NAME_TREE_H

#include "base/hash.h"
#include "base/text.h"

/* Names of a trace that are followed. */
#define NAMES_MOST (1 << 20)

struct disk_file;
struct name_node;

/* The inside of a folder. */
struct name_folder {
    uint64_t number;
    struct name_node *at;       /* its own name */
    struct name_node **changed; /* owned; names to look at when it is synced: `listed` */
    size_t changed_count, changed_capacity;
    bool listed;              /* among the folders that have some */
    struct name_folder *next; /* of all */
};

/* What was done to a name last. */
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
    struct name_folder *in;     /* NULL: where paths begin */
    struct name_folder *folder; /* what is in it; NULL: nothing known */
    struct disk_file *now;      /* that it leads to; NULL: none is known */
    struct disk_file *kept;     /* that it leads to on disk */
    struct disk_file *last;     /* before it was removed */
    int64_t settled;            /* the end of the last change; INT64_MAX: not in the log */
    enum name_change how;
    bool listed;     /* in changed names of its folder */
    bool unfinished; /* a change of it has no end in the log */
    bool by_syncfs;  /* what keeps it was a syncfs */
    size_t key_length;
    char key[]; /* number of the folder, and the name */
};

/* A zeroed one is ready. */
struct name_tree {
    struct name_node *nodes;     /* owned hash table */
    struct name_node *begins[2]; /* owned: of paths with and without a slash in front */
    struct name_folder *folders; /* owned list */
    uint64_t numbers;
    unsigned moves; /* how many folders were renamed: what was found before may lie elsewhere */
    struct text key;
};

/* The name that a normalised path (base/path.h) stands for. NULL: it is not there, and not made, or
 * there are NAMES_MOST. */
struct name_node *name_tree_find(struct name_tree *tree, const char *path, size_t length,
                                 bool make);

/* What is in the folder `from` is in `to` from now on; nothing where that lies inside of it. */
void name_tree_move(struct name_tree *tree, struct name_node *from, struct name_node *to);

/* The folder that a name lies in; NULL: none. */
static inline struct name_node *name_node_above(const struct name_node *node) {
    return node->in == NULL ? NULL : node->in->at;
}

/* Appends the path. */
void name_node_path(const struct name_node *node, struct text *path);

void name_tree_free(struct name_tree *tree);

#endif
