/* The functions that selections and query files call in SQL, beside SQLite's own. */
#ifndef TRACETOOL_FUNCTIONS_H
#define TRACETOOL_FUNCTIONS_H

#include "config/config.h"
#include "store/database.h"

/* Once a connection, before any statement runs on it. `config` is borrowed as long as it is open.
 *
 *     actor_label(name, code, session, sessions)   what an actor is called in reports
 *     call_does(name)           what a system call does to a file: open, read, write, copy,
 *                               fsync; else NULL
 *     thread_label(pid, tid, name)   how a thread is written (model/thread_label.h); NULL: nothing
 *                               is known of it
 *     application_of(process)   the application of the configuration that a process belongs to, or
 *                               the process; NULL for a kernel thread
 *     bit_length(number)        how many bits a number has, 0 for 0; NULL for one below
 *     call_path(tree, node), call_tree(…)   paths of functions (call_path.h)
 *     module_of(name)           the module of the configuration that a function belongs to
 *     probe_overhead(origin)    what a call measured by a probe of that origin cost, ns
 *     sum_time(number)          a sum, of times or bytes, that stops at the largest number
 *     three_digits(number)      as tables have fractions: 2,013; 68.0; 0.078; NULL for NULL
 */
bool select_functions_register(struct database *database, const struct config *config,
                               struct error *error);

/* Whether the trace has several processes: only then labels of threads have the process's number.
 */
bool select_several_processes(struct database *database, int64_t trace, bool *several,
                              struct error *error);

#endif
