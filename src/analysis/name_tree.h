/* Names in directories, as a log of system calls shows them: the file each refers to now, and the
 * file it would refer to after a power cut.
 *
 * Renaming a directory moves all its names, however many, in one step. Only names that are changed,
 * or whose files are written, are added; names that are only read are not.
 */
#ifndef TRACETOOL_NAME_TREE_H
#define TRACETOOL_NAME_TREE_H

#include "base/hash.h"
#include "base/text.h"

/* Limit of names tracked per trace. */
#define NAMES_MOST (1 << 20)

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
    struct name_folder *folder; /* its contents; NULL: nothing known */
    struct disk_file *now;      /* current file; NULL: unknown */
    struct disk_file *kept;     /* file on disk */
    struct disk_file *last;     /* file before its removal */
    int64_t settled;            /* end of the last change; INT64_MAX: not in the log */
    enum name_change how;
    bool listed;     /* is in the changed names of its directory */
    bool unfinished; /* the end of a change is not in the log */
    bool by_syncfs;  /* made durable by a syncfs */
    size_t key_length;
    char key[]; /* number of the directory, and the name */
};

/* Zeroed: ready for use. */
struct name_tree {
    struct name_node *nodes;     /* owned hash table */
    struct name_node *begins[2]; /* owned; roots of relative and of absolute paths */
    struct name_folder *folders; /* owned list */
    size_t most;                 /* limit of names; 0: NAMES_MOST */
    uint64_t numbers;
    unsigned moves; /* number of renamed directories; a change invalidates earlier lookups */
    struct text key;
};

/* Returns the name of a normalised path (base/path.h). NULL: it is missing and `make` is not set,
 * or there are too many. */
struct name_node *name_tree_find(struct name_tree *tree, const char *path, size_t length,
                                 bool make);

/* Moves the contents of directory `from` to `to`; does nothing if `to` lies inside `from`. */
void name_tree_move(struct name_tree *tree, struct name_node *from, struct name_node *to);

/* Returns the parent directory's name; NULL: none. */
static inline struct name_node *name_node_above(const struct name_node *node) {
    return node->in == NULL ? NULL : node->in->at;
}

/* Appends the path. */
void name_node_path(const struct name_node *node, struct text *path);

void name_tree_free(struct name_tree *tree);

#endif
