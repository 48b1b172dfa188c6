/* Accepts logs in place of trace names: `tracetool report latency app.strace`.
 *
 * Such logs are imported into a private database. It is kept in the cache (cache/cache.h), or in a
 * temporary file if the cache is not usable. Then the command runs as if the user had named that
 * database and its traces. */
#ifndef TRACETOOL_LOGS_H
#define TRACETOOL_LOGS_H

#include "cli/command.h"

/* Returns whether the word is a log: it is -, contains a /, or names a file or directory. */
bool log_is_word(const char *word);

/* Returns whether `report` got logs and no report: then it is `overview`. */
bool logs_without_report(const struct session *session);

/* Replaces logs among the session's words by traces of a private database, and switches the session
 * to it. Words that name traces of the chosen database are unchanged. Call logs_end() in any case.
 */
bool logs_take(struct session *session, struct error *error);

/* Imports the session's logs again, with the places of calls (import_options), into a temporary
 * database, and calls `use` with it. Does nothing if the session has no logs, or they cannot be
 * read again. Traces and events are those of the first import if the logs are the same. */
bool logs_use_places(struct session *session,
                     bool (*use)(void *context, struct database *database, struct error *error),
                     void *context, struct error *error);

/* Returns whether an import is to keep the places of calls in the logs. */
bool logs_want_places(const struct session *session);

/* Deletes the private database in the cache if `error` is about it: it may be damaged. Returns
 * whether the logs are to be read again. */
bool logs_drop_failed(const struct session *session, const struct error *error);

/* Deletes the session's temporary database, if there is one, and frees the logs. All databases of
 * the session must be closed. */
void logs_end(struct session *session);

/* Returns additional flags for opening the session's database; 0 if it is not a database of logs.
 */
enum database_mode logs_database_mode(const struct session *session);

/* Returns a word that is no log, though it may be one: the name of a trace, or a mistyped file.
 * NULL if there is none. Borrowed. */
const char *logs_not_found(const struct session *session);

/* Returns the words of the logs as typed, for suggested commands; NULL if there are none.
 * Borrowed. */
const char *logs_typed(const struct session *session);

#endif
