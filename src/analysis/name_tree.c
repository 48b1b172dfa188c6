#include "analysis/name_tree.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { DEEPEST = 4096 }; /* limit of a path's depth; renames can exceed any path's length */

static struct name_node *new_node(struct name_folder *in, const char *key, size_t length) {
    struct name_node *node = xcalloc(1, sizeof *node + length);

    node->in = in;
    node->key_length = length;
    memcpy(node->key, key, length);
    return node;
}

static void make_folder(struct name_tree *tree, struct name_node *node) {
    node->folder = xcalloc(1, sizeof *node->folder);
    node->folder->number = ++tree->numbers;
    node->folder->at = node;
    node->folder->next = tree->folders;
    tree->folders = node->folder;
}

static struct name_node *step(struct name_tree *tree, struct name_folder *in, const char *name,
                              size_t length, bool make) {
    struct name_node *node = NULL;

    text_clear(&tree->key);
    text_append(&tree->key, (const char *)&in->number, sizeof in->number);
    text_append(&tree->key, name, length);
    if (tree->nodes != NULL) {
        HASH_FIND(hh, tree->nodes, tree->key.bytes, tree->key.length, node);
    }
    if (node == NULL && make &&
        HASH_COUNT(tree->nodes) < (tree->most > 0 ? tree->most : NAMES_MOST)) {
        node = new_node(in, tree->key.bytes, tree->key.length);
        HASH_ADD(hh, tree->nodes, key[0], node->key_length, node);
    }
    return node;
}

struct name_node *name_tree_find(struct name_tree *tree, const char *path, size_t length,
                                 bool make) {
    bool absolute = length > 0 && *path == '/';
    struct name_node **begin = &tree->begins[absolute], *node;
    const char *end = path + length;

    if (*begin == NULL) {
        *begin = new_node(NULL, absolute ? "/" : ".", 1);
    }
    path += absolute;
    if (path == end || (length == 1 && *path == '.')) {
        return *begin;
    }
    for (node = *begin; node != NULL && path < end; path++) {
        const char *slash = memchr(path, '/', (size_t)(end - path));
        const char *behind = slash == NULL ? end : slash;

        if (node->folder == NULL && make) {
            make_folder(tree, node);
        }
        node = node->folder == NULL ? NULL
                                    : step(tree, node->folder, path, (size_t)(behind - path), make);
        path = behind;
    }
    return node;
}

void name_tree_move(struct name_tree *tree, struct name_node *from, struct name_node *to) {
    const struct name_node *above = to;

    for (int depth = 0; above != NULL; above = name_node_above(above)) {
        if (above == from || ++depth == DEEPEST) {
            return;
        }
    }
    if (to != NULL && from->folder != NULL) {
        to->folder = from->folder;
        to->folder->at = to;
        from->folder = NULL;
        tree->moves++;
    }
}

void name_node_path(const struct name_node *node, struct text *path) {
    const struct name_node *parts[DEEPEST];
    size_t depth = 0;

    for (; node->in != NULL && depth < DEEPEST; node = node->in->at) {
        parts[depth++] = node;
    }
    if (depth == 0 || *node->key == '/') {
        text_append_char(path, *node->key);
    }
    for (size_t i = depth; i > 0; i--) {
        text_append(path, parts[i - 1]->key + sizeof parts[0]->in->number,
                    parts[i - 1]->key_length - sizeof parts[0]->in->number);
        text_append(path, "/", i > 1);
    }
}

void name_tree_free(struct name_tree *tree) {
    struct name_folder *next;

    HASH_FREE(tree->nodes);
    for (struct name_folder *folder = tree->folders; folder != NULL; folder = next) {
        next = folder->next;
        free(folder->changed);
        free(folder);
    }
    free(tree->begins[0]);
    free(tree->begins[1]);
    text_free(&tree->key);
    *tree = (struct name_tree){0};
}
