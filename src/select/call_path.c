/* A path for each node of a tree: by SQL alone every name would be two look-ups in tables, of calls
 * 100,000 deep 13 million of them. */
#include "select/call_path.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/text.h"
#include "base/memory.h"

/* Numbers of nodes; no analysis makes as many. */
#define MOST_NODES (1 << 24)

/* What pointers from one function to the other are known by. */
static const char tree_type[] = "tracetool call tree";

struct operation {
    int64_t id;
    size_t length;
    UT_hash_handle hh;
    char name[];
};

struct node {
    uint32_t parent;                   /* 0: of a root */
    const struct operation *operation; /* NULL: there is no such node */
};

struct tree {
    struct node *nodes; /* owned; by number */
    size_t capacity;
    struct operation *operations; /* owned hash table */
    struct text path;             /* that was given last */
    uint64_t given;               /* bytes of paths so far */
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

static const struct operation *find_operation(struct tree *tree, int64_t id, sqlite3_value *name) {
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

static void make_room(struct tree *tree, size_t number) {
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

static void add_node(sqlite3_context *context, int count, sqlite3_value **values) {
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
    make_room(*place, (size_t)number);
    (*place)->nodes[number] = (struct node){
        (uint32_t)parent, find_operation(*place, sqlite3_value_int64(values[2]), values[3])};
}

/* SQLite calls this, too, where a statement ends before all nodes are there. */
static void give_tree(sqlite3_context *context) {
    struct tree **place = sqlite3_aggregate_context(context, 0);

    if (place != NULL && *place != NULL) {
        sqlite3_result_pointer(context, *place, tree_type, free_tree);
        *place = NULL;
    }
}

/* NULL: there is none. */
static const struct node *find_node(const struct tree *tree, int64_t number) {
    return number > 0 && (uint64_t)number < tree->capacity && tree->nodes[number].operation != NULL
               ? &tree->nodes[number]
               : NULL;
}

/* The outermost names first: those on the way up are put down from the last place on. */
static void write_path(struct tree *tree, const struct node *node) {
    const struct operation *operations[CALL_PATH_CALLERS + 1];
    size_t first = CALL_PATH_CALLERS + 1;

    tree->path.length = 0;
    for (; node != NULL && first > 0; node = find_node(tree, node->parent)) {
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

static void give_path(sqlite3_context *context, int count, sqlite3_value **values) {
    struct tree *tree = sqlite3_value_pointer(values[0], tree_type);
    const struct node *node = tree == NULL ? NULL : find_node(tree, sqlite3_value_int64(values[1]));

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

    return sqlite3_create_function_v2(connection, "call_tree", 4, how, NULL, NULL, add_node,
                                      give_tree, NULL) == SQLITE_OK &&
           sqlite3_create_function_v2(connection, "call_path", 2, how, NULL, give_path, NULL, NULL,
                                      NULL) == SQLITE_OK;
}
