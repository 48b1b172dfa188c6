/* Paths of functions through a call tree, in SQL. */
#ifndef TRACETOOL_CALL_PATH_H
#define TRACETOOL_CALL_PATH_H

#include <sqlite3.h>
#include <stdbool.h>

/* Callers that a path names. */
#define CALL_PATH_CALLERS 128

/* Bytes of all paths out of one tree. */
#define CALL_PATH_BYTES ((uint64_t)1 << 30)

/* Registers two functions with a connection; false: SQLite's error is the connection's.
 *
 *     call_tree(node, parent, operation, name)
 *         an aggregate: the tree of these nodes, which are numbers from 1 to 2^24; `parent` is NULL
 *         for a root, and `name` the text of `operation`. Only call_path() can read what it gives,
 *         which lives as long as the statement that calls both.
 *     call_path(tree, node)
 *         the names from the root on down to the node, " > " between them. Of more than
 *         CALL_PATH_CALLERS callers "…" stands for those above. NULL: the tree has no such node.
 *         Fails when it has given more than CALL_PATH_BYTES out of the tree.
 */
bool call_path_register(sqlite3 *connection);

#endif
