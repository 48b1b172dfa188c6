/* The SQL statement of a command line: an argument, a file (-f FILE), or stdin (-). */
#ifndef TRACETOOL_STATEMENT_H
#define TRACETOOL_STATEMENT_H

#include "base/error.h"
#include "cli/arguments.h"
#include "store/database.h"

/* Bytes of a file or of stdin. */
#define STATEMENT_LIMIT (1024 * 1024)

/* Whether the command line has one. */
bool statement_is_given(const struct arguments *arguments);

/* Returns it, owned; NULL with `error` set when there is none or more than one, or when it cannot
 * be read. To be called before the database is opened. */
char *statement_read(const struct arguments *arguments, struct error *error);

/* Prepares it: it can do nothing but read, and has no parameters. NULL with `error` set. */
sqlite3_stmt *statement_prepare(struct database *database, const char *sql, struct error *error);

#endif
