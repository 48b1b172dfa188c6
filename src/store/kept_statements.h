/* Statements that are prepared once and used again: what is asked of each of thousands of traces
 * would else be compiled for each of them, which costs more than the answer. */
#ifndef TRACETOOL_KEPT_STATEMENTS_H
#define TRACETOOL_KEPT_STATEMENTS_H

#include <sqlite3.h>
#include <stdbool.h>

struct kept_statements;

/* Takes one of that text out of those kept, NULL when there is none. `reading`: it was prepared by
 * database_prepare_reading(); others than these are of another kind. `kept` may be NULL. */
sqlite3_stmt *kept_statements_take(struct kept_statements *kept, const char *sql, bool reading);

/* Consumes the statement: resets it, forgets what was bound to it, and keeps it. That which was
 * kept first makes room. Makes `*kept` when it is NULL; without memory the statement is finalized.
 */
void kept_statements_add(struct kept_statements **kept, sqlite3_stmt *statement, bool reading);

/* Finalizes them, which has to come before their connection is closed. NULL is allowed. */
void kept_statements_free(struct kept_statements *kept);

#endif
