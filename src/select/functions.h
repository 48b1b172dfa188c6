/* SQL functions for selections and query files. */
#ifndef TRACETOOL_FUNCTIONS_H
#define TRACETOOL_FUNCTIONS_H

#include <sqlite3.h>
#include <stdbool.h>

#include "config/config.h"
#include "store/database.h"

/* Registers the functions. Called once per connection, before any statement runs. `config` is
 * borrowed while the connection is open.
 *
 *     actor_label(name, code, session, sessions)   an actor's label in reports
 *     call_does(name)           effect of a system call on a file: open, read, write, copy,
 *                               fsync; otherwise NULL
 *     thread_label(pid, tid, name)   a thread's label (model/thread.h); NULL: unknown
 *     application_of(process)   the configured application of a process, or the process itself;
 *                               NULL for a kernel thread
 *     bit_length(number)        number of significant bits, 0 for 0; NULL if negative
 *     call_path(tree, node), call_tree(…)   paths of functions (call_path.c)
 *     module_of(name)           the configured module of a function
 *     probe_overhead(origin)    overhead of a call measured by a probe of that origin, ns
 *     sum_time(number)          a sum of times or bytes that saturates at the largest number
 *     three_digits(number)      a fraction as in tables: 2,013; 68.0; 0.078; NULL for NULL */
bool select_functions_register(struct database *database, const struct config *config,
                               struct error *error);

/* Sets `*several` to whether the trace has several processes; if so, thread labels name them. */
bool select_several_processes(struct database *database, int64_t trace, bool *several,
                              struct error *error);

/* Registers two SQL functions. On failure returns false; the connection has SQLite's error.
 *
 *     call_tree(node, parent, operation, name)
 *         aggregate: the tree of these nodes, numbered from 1 to 2^24. `parent` is NULL for a root,
 *         and `name` is the text of `operation`. Only call_path() can read the result, which lives
 *         as long as the statement that calls both.
 *     call_path(tree, node)
 *         names from the root to the node, separated by " > ". Beyond CALL_PATH_CALLERS callers,
 *         "…" replaces the outermost ones. NULL if the tree has no such node. Fails after more than
 *         CALL_PATH_BYTES from one tree. */
bool call_path_register(sqlite3 *connection);

#endif
