/* SQL functions for the paths of functions in a call tree. In plain SQL each name on a path takes
 * two table lookups: 13 million for calls 100,000 deep. */
#include "select/functions.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/text.h"
#include "base/memory.h"

/* Limit of callers in a path; outer callers are replaced by "…". */
#define CALL_PATH_CALLERS 128

/* Limit of bytes of all paths returned from one tree. */
#define CALL_PATH_BYTES ((uint64_t)1 << 30)

/* Limit of node numbers; larger than any analysis creates. */
#define MOST_NODES (1 << 24)

/* Type name for sqlite3_result_pointer(), by which call_tree() passes a tree to call_path(). */
static const char tree_type[] = "tracetool call tree";

struct operation {
    int64_t id;
    size_t length;
    UT_hash_handle hh;
    char name[];
};

struct node {
    uint32_t parent;                   /* number of the caller's node; 0: this node is a root */
    const struct operation *operation; /* function of the node; NULL: no node has this number */
};

struct tree {
    struct node *nodes; /* owned; indexed by node number */
    size_t capacity;
    struct operation *operations; /* owned hash table: functions by name.id */
    struct text path;             /* buffer for the path returned last */
    uint64_t given;               /* sum of the lengths of all paths returned */
};

static void free_tree(void *any) {
    struct tree *tree = any;

    while (tree->operations != NULL) {
        struct operation *operation = tree->operations;

        HASH_DEL(tree->operations, operation);
        free(operation);
    }
    text_free(&tree->path);
    free(tree->nodes);
    free(tree);
}

static const struct operation *call_path_find_operation(struct tree *tree, int64_t id,
                                                        sqlite3_value *name) {
    struct operation *operation;
    const void *bytes;
    size_t length;

    HASH_FIND(hh, tree->operations, &id, sizeof id, operation);
    if (operation != NULL) {
        return operation;
    }
    bytes = sqlite3_value_text(name);
    length = (size_t)sqlite3_value_bytes(name);
    operation = xmalloc(sizeof *operation + length);
    operation->id = id;
    operation->length = length;
    if (length > 0) {
        memcpy(operation->name, bytes, length);
    }
    HASH_ADD(hh, tree->operations, id, sizeof id, operation);
    return operation;
}

static void grow_tree(struct tree *tree, size_t number) {
    size_t capacity = tree->capacity == 0 ? 1024 : tree->capacity;

    while (capacity <= number) {
        capacity *= 2;
    }
    if (capacity > tree->capacity) {
        tree->nodes = xrealloc(tree->nodes, capacity * sizeof *tree->nodes);
        memset(tree->nodes + tree->capacity, 0, (capacity - tree->capacity) * sizeof *tree->nodes);
        tree->capacity = capacity;
    }
}

static void call_path_add_node(sqlite3_context *context, int count, sqlite3_value **values) {
    struct tree **place = sqlite3_aggregate_context(context, sizeof *place);
    int64_t number = sqlite3_value_int64(values[0]), parent = sqlite3_value_int64(values[1]);

    if (place != NULL && *place == NULL) {
        *place = xcalloc(1, sizeof **place);
    }
    if (place == NULL) {
        sqlite3_result_error_nomem(context);
        return;
    }
    if (number < 1 || number > MOST_NODES || parent < 0 || parent > MOST_NODES) {
        sqlite3_result_error(context, "call_tree: nodes are numbers from 1 to 2^24", -1);
        return;
    }
    grow_tree(*place, (size_t)number);
    (*place)->nodes[number] =
        (struct node){(uint32_t)parent,
                      call_path_find_operation(*place, sqlite3_value_int64(values[2]), values[3])};
}

/* Final step of call_tree(): returns the tree, which SQLite frees. SQLite also calls this if the
 * statement ends early. */
static void cache_tree(sqlite3_context *context) {
    struct tree **place = sqlite3_aggregate_context(context, 0);

    if (place != NULL && *place != NULL) {
        sqlite3_result_pointer(context, *place, tree_type, free_tree);
        *place = NULL;
    }
}

/* Returns the node with a number; NULL if there is none. */
static const struct node *call_path_find_node(const struct tree *tree, int64_t number) {
    return number > 0 && (uint64_t)number < tree->capacity && tree->nodes[number].operation != NULL
               ? &tree->nodes[number]
               : NULL;
}

/* Sets tree->path to the path of a node, outermost caller first. Walks from the node to the root,
 * so it fills the array from the end. */
static void write_path(struct tree *tree, const struct node *node) {
    const struct operation *operations[CALL_PATH_CALLERS + 1];
    size_t first = CALL_PATH_CALLERS + 1;

    tree->path.length = 0;
    for (; node != NULL && first > 0; node = call_path_find_node(tree, node->parent)) {
        operations[--first] = node->operation;
    }
    if (node != NULL) {
        text_append_string(&tree->path, "… > ");
    }
    for (size_t i = first; i <= CALL_PATH_CALLERS; i++) {
        if (i > first) {
            text_append_string(&tree->path, " > ");
        }
        text_append(&tree->path, operations[i]->name, operations[i]->length);
    }
}

static void sql_call_path(sqlite3_context *context, int count, sqlite3_value **values) {
    struct tree *tree = sqlite3_value_pointer(values[0], tree_type);
    const struct node *node =
        tree == NULL ? NULL : call_path_find_node(tree, sqlite3_value_int64(values[1]));

    if (node == NULL) {
        return;
    }
    write_path(tree, node);
    tree->given += tree->path.length;
    if (tree->given > CALL_PATH_BYTES) {
        struct text message = {0};

        text_append_format(&message,
                           "the paths have more than %d MiB; choose some with --top, or a part of "
                           "the tree with --under, --component, --op or --from and --to",
                           (int)(CALL_PATH_BYTES >> 20));
        sqlite3_result_error(context, text_string(&message), -1);
        text_free(&message);
    } else {
        sqlite3_result_text64(context, tree->path.bytes, tree->path.length, SQLITE_TRANSIENT,
                              SQLITE_UTF8);
    }
}

bool call_path_register(sqlite3 *connection) {
    const int how = SQLITE_UTF8 | SQLITE_INNOCUOUS;

    return sqlite3_create_function_v2(connection, "call_tree", 4, how, NULL, NULL,
                                      call_path_add_node, cache_tree, NULL) == SQLITE_OK &&
           sqlite3_create_function_v2(connection, "call_path", 2, how, NULL, sql_call_path, NULL,
                                      NULL, NULL) == SQLITE_OK;
}
