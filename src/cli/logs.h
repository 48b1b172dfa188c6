/* Logs where names of traces are expected: `tracetool report latency app.strace`.
 *
 * Such logs are imported into a private database, which is kept in the cache (cache/cache.h), or
 * in a temporary file where that cannot be. Afterwards the command works as if it had been given
 * that database, and names of its traces.
 */
#ifndef TRACETOOL_LOGS_H
#define TRACETOOL_LOGS_H

#include "cli/command.h"

/* Whether the word means a log: it is -, or has a / in it, or names a file or folder. */
bool log_is_word(const char *word);

/* Takes the logs out of the session's words, and has the session mean their database. Words that
 * are traces of the chosen database are left alone. To be ended by logs_end() in any case. */
bool logs_take(struct session *session, struct error *error);

/* Deletes a temporary database, and frees. Every database of the session is closed by then. */
void logs_end(struct session *session);

/* What is to be added to the mode in which the session's database is opened: 0 where it is none of
 * logs. */
enum database_mode logs_database_mode(const struct session *session);

/* The words of the logs as they were typed, for commands to suggest; NULL: none. Borrowed. */
const char *logs_typed(const struct session *session);

#endif
