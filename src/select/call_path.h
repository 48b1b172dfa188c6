/* SQL functions for paths through a call tree. */
#ifndef TRACETOOL_CALL_PATH_H
#define TRACETOOL_CALL_PATH_H

#include <sqlite3.h>
#include <stdbool.h>

/* Maximum callers in a path. */
#define CALL_PATH_CALLERS 128

/* Maximum bytes of all paths from one tree. */
#define CALL_PATH_BYTES ((uint64_t)1 << 30)

/* Registers two functions on a connection. False with SQLite's error on the connection.
 *
 *     call_tree(node, parent, operation, name)
 *         aggregate: the tree of these nodes, numbered from 1 to 2^24. `parent` is NULL for a root,
 *         and `name` is the text of `operation`. Only call_path() can read the result, which lives
 *         as long as the statement that calls both.
 *     call_path(tree, node)
 *         names from the root to the node, separated by " > ". Beyond CALL_PATH_CALLERS callers,
 *         "…" replaces the outermost ones. NULL if the tree has no such node. Fails after more than
 *         CALL_PATH_BYTES from one tree.
 */
bool call_path_register(sqlite3 *connection);

#endif
