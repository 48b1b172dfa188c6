#include "descriptors.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/hash.h"
#include "model/event.h"

/* A table of descriptors is a tree: each node has FAN child nodes or, at level 0, FAN slots. It is
 * as deep as its highest descriptor needs, at most LEVELS: most processes have one node. Copies of
 * a table share a node until one changes it: programs with thousands of open files fork thousands
 * of times. */
enum { FAN_BITS = 5, FAN = 1 << FAN_BITS, LEVELS = 4 };
_Static_assert(1 << FAN_BITS * LEVELS == DESCRIPTORS_LIMIT, "a table has all descriptors");

/* A slot holds the index of its open file plus 1, with this flag if the descriptor is
 * close-on-exec; 0 if the descriptor is closed. */
#define CLOSE_ON_EXEC UINT32_C(0x80000000)

struct node {
    /* Number of nodes and tables that refer to this node. If above 1, a change makes a copy. */
    uint32_t users;
    uint32_t marked;       /* number of close-on-exec slots in this subtree */
    struct node *executed; /* cached copy without close-on-exec slots, for an execve; NULL: none */
    union {
        struct node *nodes[FAN]; /* child nodes; NULL: all descriptors below are closed */
        uint32_t slots[FAN];     /* at level 0: slots of descriptors */
    } below;
};

/* A table of descriptors; several processes may share it. */
struct table {
    size_t users;
    struct node *root; /* NULL: all descriptors are closed */
    int levels;        /* levels of the tree */
};

struct process {
    UT_hash_handle hh;
    int64_t number;
    struct table *table; /* the process's table, perhaps shared; its `users` counts the process */
};

struct counted_file {
    struct open_file file;
    uint32_t
        /* Number of slots that refer to the file. 0: the element is unused, and `file.object` is
           the index plus 1 of the next unused element. */
        users;
};

struct descriptors {
    struct process *processes; /* owned */
    struct process *last; /* process of the last call: the next call is often by it; NULL: none */
    struct counted_file *files; /* owned; at most one per slot */
    size_t file_count, file_capacity;
    uint32_t free_file; /* index plus 1 of the first unused file; 0: none */
    size_t slots;       /* number of slots in all nodes */
};

struct descriptors *descriptors_new(void) {
    return xcalloc(1, sizeof(struct descriptors));
}

/* --- open files ------------------------------------------------------------------------------- */

static struct counted_file *descriptors_file_of(struct descriptors *descriptors, uint32_t slot) {
    return &descriptors->files[(slot & ~CLOSE_ON_EXEC) - 1];
}

/* Adds an open file, and returns the value of a slot that refers to it. There are at most as many
 * files as slots. */
static uint32_t descriptors_add_file(struct descriptors *descriptors, struct open_file file) {
    uint32_t slot = descriptors->free_file;

    if (slot != 0) {
        descriptors->free_file = descriptors_file_of(descriptors, slot)->file.object;
    } else {
        descriptors->files = array_grow(descriptors->files, descriptors->file_count,
                                        &descriptors->file_capacity, sizeof *descriptors->files);
        slot = (uint32_t)++descriptors->file_count;
    }
    *descriptors_file_of(descriptors, slot) = (struct counted_file){file, 1};
    return slot;
}

/* Drops a slot's reference to its open file. Without references, the file becomes unused. */
static void release_file(struct descriptors *descriptors, uint32_t slot) {
    if (slot != 0) {
        struct counted_file *file = descriptors_file_of(descriptors, slot);

        if (--file->users == 0) {
            file->file.object = descriptors->free_file;
            descriptors->free_file = slot & ~CLOSE_ON_EXEC;
        }
    }
}

/* --- tables of descriptors -------------------------------------------------------------------- */

/* Drops a reference to a node; the last one frees the node. Recurses at most 2 * LEVELS deep. */
static void release_node(struct descriptors *descriptors, struct node *node, int level) {
    if (node == NULL || --node->users > 0) {
        return;
    }
    for (int i = 0; i < FAN; i++) {
        if (level > 0) {
            release_node(descriptors, node->below.nodes[i], level - 1);
        } else {
            release_file(descriptors, node->below.slots[i]);
        }
    }
    release_node(descriptors, node->executed, level);
    descriptors->slots -= FAN;
    free(node);
}

/* Allocates a node. NULL if the limit is reached. */
static struct node *descriptors_new_node(struct descriptors *descriptors) {
    struct node *node;

    if (descriptors->slots + FAN > DESCRIPTORS_ROOM) {
        return NULL;
    }
    node = xcalloc(1, sizeof *node);
    node->users = 1;
    descriptors->slots += FAN;
    return node;
}

/* Makes the node at `*at` writable: a new node, or a copy if shared. False if the limit is
 * reached. */
static bool make_node_writable(struct descriptors *descriptors, struct node **at, int level) {
    struct node *node = *at, *copy;

    if (node != NULL && node->users == 1) {
        release_node(descriptors, node->executed, level);
        node->executed = NULL;
        return true;
    }
    copy = descriptors_new_node(descriptors);
    if (copy == NULL) {
        return false;
    }
    *at = copy;
    if (node == NULL) {
        return true;
    }
    node->users--;
    copy->marked = node->marked;
    copy->below = node->below;
    for (int i = 0; i < FAN; i++) {
        if (level > 0 && copy->below.nodes[i] != NULL) {
            copy->below.nodes[i]->users++;
        } else if (level == 0 && copy->below.slots[i] != 0) {
            descriptors_file_of(descriptors, copy->below.slots[i])->users++;
        }
    }
    return true;
}

static unsigned slot_index_at_level(int level, int64_t descriptor) {
    return (unsigned)(descriptor >> (FAN_BITS * level)) & (FAN - 1);
}

static uint32_t descriptors_slot_of(const struct table *table, int64_t descriptor) {
    const struct node *node = table->root;

    if (descriptor < 0 || descriptor >> FAN_BITS * table->levels > 0) {
        return 0;
    }
    for (int level = table->levels - 1; node != NULL && level > 0; level--) {
        node = node->below.nodes[slot_index_at_level(level, descriptor)];
    }
    return node == NULL ? 0 : node->below.slots[slot_index_at_level(0, descriptor)];
}

/* Adds levels to the tree until it has room for a descriptor. False if the limit is reached. */
static bool deepen(struct descriptors *descriptors, struct table *table, int64_t descriptor) {
    while (descriptor >> FAN_BITS * table->levels > 0) {
        struct node *root = table->root == NULL ? NULL : descriptors_new_node(descriptors);

        if (root != NULL) {
            root->marked = table->root->marked;
            root->below.nodes[0] = table->root;
        } else if (table->root != NULL) {
            return false;
        }
        table->root = root;
        table->levels++;
    }
    return true;
}

/* Sets the slot of a descriptor. The caller must count the references to files. False if the limit
 * is reached. */
static bool set_slot(struct descriptors *descriptors, struct table *table, int64_t descriptor,
                     uint32_t slot) {
    struct node *path[LEVELS], **at = &table->root;
    uint32_t marks = slot / CLOSE_ON_EXEC - descriptors_slot_of(table, descriptor) / CLOSE_ON_EXEC;
    int level;

    if (descriptor < 0 || descriptor >= DESCRIPTORS_LIMIT ||
        !deepen(descriptors, table, descriptor)) {
        return false;
    }
    level = table->levels;
    do {
        level--;
        if (!make_node_writable(descriptors, at, level)) {
            return false;
        }
        path[level] = *at;
        at = &path[level]->below.nodes[slot_index_at_level(level, descriptor)];
    } while (level > 0);
    path[0]->below.slots[slot_index_at_level(0, descriptor)] = slot;
    for (level = 0; level < table->levels; level++) {
        path[level]->marked += marks;
    }
    return true;
}

/* Closes the close-on-exec descriptors below a node. The result for a shared node is cached in
 * `executed`. */
static bool close_slots_on_exec(struct descriptors *descriptors, struct node **at, int level) {
    struct node *node = *at, *executed = node;

    if (node == NULL || node->marked == 0) {
        return true;
    }
    if (node->executed == NULL) {
        if (!make_node_writable(descriptors, &executed, level)) {
            return false;
        }
        for (int i = 0; i < FAN; i++) {
            if (level > 0 &&
                !close_slots_on_exec(descriptors, &executed->below.nodes[i], level - 1)) {
                return false;
            }
            if (level == 0 && (executed->below.slots[i] & CLOSE_ON_EXEC) != 0) {
                release_file(descriptors, executed->below.slots[i]);
                executed->below.slots[i] = 0;
            }
        }
        executed->marked = 0;
        if (executed == node) {
            return true;
        }
        node->users++; /* make_node_writable() has dropped this reference */
        node->executed = executed;
    }
    *at = node->executed;
    node->executed->users++;
    release_node(descriptors, node, level);
    return true;
}

static void release_table(struct descriptors *descriptors, struct table *table) {
    if (--table->users == 0) {
        release_node(descriptors, table->root, table->levels - 1);
        free(table);
    }
}

static struct table *copy_table(const struct table *from) {
    struct table *table = xcalloc(1, sizeof *table);

    table->users = 1;
    table->root = from->root;
    table->levels = from->levels;
    if (table->root != NULL) {
        table->root->users++;
    }
    return table;
}

/* --- processes -------------------------------------------------------------------------------- */

static struct process *descriptors_find_process(struct descriptors *descriptors, int64_t number) {
    struct process *process = descriptors->last;

    if (process == NULL || process->number != number) {
        HASH_FIND(hh, descriptors->processes, &number, sizeof number, process);
        descriptors->last = process;
    }
    return process;
}

/* Adds a process with a table, whose `users` must already count the process. */
static void add_process(struct descriptors *descriptors, int64_t number, struct table *table) {
    struct process *process;

    HASH_NEW(descriptors->processes, number, number, process);
    process->table = table;
}

/* Finds a process, or adds it with an empty table. NULL if the limit is reached. */
static struct process *descriptors_make_process(struct descriptors *descriptors, int64_t number) {
    static const struct table empty = {.levels = 1};
    struct process *process = descriptors_find_process(descriptors, number);

    if (process == NULL && HASH_COUNT(descriptors->processes) < DESCRIPTORS_PROCESSES) {
        add_process(descriptors, number, copy_table(&empty));
        process = descriptors_find_process(descriptors, number);
    }
    return process;
}

static void drop_process(struct descriptors *descriptors, struct process *process) {
    descriptors->last = NULL;
    HASH_DEL(descriptors->processes, process);
    release_table(descriptors, process->table);
    free(process);
}

void descriptors_end(struct descriptors *descriptors, int64_t process) {
    struct process *found = descriptors_find_process(descriptors, process);

    if (found != NULL) {
        drop_process(descriptors, found);
    }
}

void descriptors_drop_all(struct descriptors *descriptors) {
    while (descriptors->processes != NULL) {
        drop_process(descriptors, descriptors->processes);
    }
}

void descriptors_free(struct descriptors *descriptors) {
    if (descriptors != NULL) {
        descriptors_drop_all(descriptors);
        free(descriptors->files);
        free(descriptors);
    }
}

void descriptors_fork(struct descriptors *descriptors, int64_t parent, int64_t child, bool shares) {
    struct process *from;

    if (parent == child) {
        return;
    }
    descriptors_end(descriptors, child);
    from = descriptors_make_process(descriptors, parent);
    if (from == NULL || HASH_COUNT(descriptors->processes) >= DESCRIPTORS_PROCESSES) {
        return;
    }
    from->table->users += shares;
    add_process(descriptors, child, shares ? from->table : copy_table(from->table));
}

void descriptors_unshare(struct descriptors *descriptors, int64_t process) {
    struct process *found = descriptors_find_process(descriptors, process);
    struct table *table;

    if (found != NULL && found->table->users > 1) {
        table = copy_table(found->table);
        release_table(descriptors, found->table);
        found->table = table;
    }
}

void descriptors_exec(struct descriptors *descriptors, int64_t process) {
    struct process *found = descriptors_find_process(descriptors, process);

    descriptors_unshare(descriptors, process);
    if (found != NULL) {
        close_slots_on_exec(descriptors, &found->table->root, found->table->levels - 1);
    }
}

/* --- descriptors ------------------------------------------------------------------------------ */

static uint32_t descriptors_find_slot(struct descriptors *descriptors, int64_t process,
                                      int64_t descriptor) {
    const struct process *found = descriptors_find_process(descriptors, process);

    return found == NULL ? 0 : descriptors_slot_of(found->table, descriptor);
}

/* Makes a descriptor refer to the open file of `slot`; the file must already count the reference.
 * Slot 0: closes the descriptor. */
static void point_descriptor(struct descriptors *descriptors, struct process *process,
                             int64_t descriptor, uint32_t slot) {
    uint32_t before = descriptors_slot_of(process->table, descriptor);

    release_file(descriptors,
                 set_slot(descriptors, process->table, descriptor, slot) ? before : slot);
}

void descriptors_open(struct descriptors *descriptors, int64_t process, int64_t descriptor,
                      struct open_file file, bool close_on_exec) {
    struct process *found = descriptor < 0 ? NULL : descriptors_make_process(descriptors, process);
    uint32_t slot;

    if (found != NULL) {
        slot = descriptors_add_file(descriptors, file);
        point_descriptor(descriptors, found, descriptor,
                         close_on_exec ? slot | CLOSE_ON_EXEC : slot);
    }
}

struct open_file *descriptors_find(struct descriptors *descriptors, int64_t process,
                                   int64_t descriptor) {
    const uint32_t slot = descriptors_find_slot(descriptors, process, descriptor);

    return slot == 0 ? NULL : &descriptors_file_of(descriptors, slot)->file;
}

void descriptors_duplicate(struct descriptors *descriptors, int64_t process, int64_t from,
                           int64_t to, bool close_on_exec) {
    const uint32_t file = descriptors_find_slot(descriptors, process, from) & ~CLOSE_ON_EXEC;
    const struct open_file unknown = {0, EVENT_NONE, false, true, 0};

    if (from == to) {
        return;
    }
    if (file == 0) {
        descriptors_open(descriptors, process, to, unknown, close_on_exec);
        return;
    }
    descriptors_file_of(descriptors, file)
        ->users++; /* count this first: closing the old file of `to` may free the file of `from` */
    point_descriptor(descriptors, descriptors_find_process(descriptors, process), to,
                     close_on_exec ? file | CLOSE_ON_EXEC : file);
}

void descriptors_close(struct descriptors *descriptors, int64_t process, int64_t descriptor) {
    if (descriptors_find_slot(descriptors, process, descriptor) != 0) {
        point_descriptor(descriptors, descriptors_find_process(descriptors, process), descriptor,
                         0);
    }
}

/* Returns the first open descriptor from `from` on; DESCRIPTORS_LIMIT if there is none. */
static int64_t next_open(const struct table *table, int64_t from) {
    while (from >> FAN_BITS * table->levels == 0) {
        const struct node *node = table->root;
        int level = table->levels - 1;

        while (node != NULL && level > 0) {
            node = node->below.nodes[slot_index_at_level(level--, from)];
        }
        if (node != NULL && node->below.slots[slot_index_at_level(0, from)] != 0) {
            return from;
        }
        /* If the node exists, skip one slot, otherwise all slots that it would have. */
        level = node != NULL ? 0 : level + 1;
        from = ((from >> (FAN_BITS * level)) + 1) << (FAN_BITS * level);
    }
    return DESCRIPTORS_LIMIT;
}

void descriptors_close_range(struct descriptors *descriptors, int64_t process, int64_t first,
                             int64_t last, bool only_mark) {
    const struct process *found = descriptors_find_process(descriptors, process);

    if (found == NULL) {
        return;
    }
    for (int64_t i = next_open(found->table, first < 0 ? 0 : first);
         i < DESCRIPTORS_LIMIT && i <= last; i = next_open(found->table, i + 1)) {
        if (only_mark) {
            descriptors_close_on_exec(descriptors, process, i, true);
        } else {
            descriptors_close(descriptors, process, i);
        }
    }
}

void descriptors_close_on_exec(struct descriptors *descriptors, int64_t process, int64_t descriptor,
                               bool close_on_exec) {
    const uint32_t slot = descriptors_find_slot(descriptors, process, descriptor);

    if (slot != 0) {
        set_slot(descriptors, descriptors_find_process(descriptors, process)->table, descriptor,
                 close_on_exec ? slot | CLOSE_ON_EXEC : slot & ~CLOSE_ON_EXEC);
    }
}

void descriptors_adopt(struct descriptors *descriptors, int64_t parent, int64_t child,
                       bool shares) {
    struct process *process = descriptors_find_process(descriptors, child);
    struct table *own = process == NULL ? NULL : copy_table(process->table);

    descriptors_fork(descriptors, parent, child, shares);
    process = descriptors_find_process(descriptors, child);
    for (int64_t i = own == NULL ? DESCRIPTORS_LIMIT : next_open(own, 0);
         i < DESCRIPTORS_LIMIT && process != NULL; i = next_open(own, i + 1)) {
        const uint32_t slot = descriptors_slot_of(own, i);
        const struct open_file *of_parent = descriptors_find(descriptors, child, i);
        struct counted_file *file = descriptors_file_of(descriptors, slot);

        if (of_parent == NULL || !file->file.annotated || of_parent->object != file->file.object) {
            file->users++;
            point_descriptor(descriptors, process, i, slot);
        }
    }
    if (own != NULL) {
        release_table(descriptors, own);
    }
}
