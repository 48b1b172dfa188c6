/* Accepts logs in place of names of traces: `tracetool report latency app.strace`. Such logs are
 * imported into a private database, in the cache (cache/cache.h) or in a temporary file. Then the
 * command runs as if the user had given that database and its traces. */
#ifndef TRACETOOL_LOGS_H
#define TRACETOOL_LOGS_H

#include "cli/command.h"

/* Returns whether a word can be a log: it is -, contains a /, or names a file or directory. */
bool log_is_word(const char *word);

/* Returns whether `tracetool report` was given logs but no report. Then it means `overview`. */
bool logs_without_report(const struct session *session);

/* Replaces logs among the session's words by traces of a private database, and changes the session
 * to use it. Words that name traces of the given database remain. logs_end() must be called even on
 * failure. */
bool logs_replace_by_traces(struct session *session, struct error *error);

/* Imports the session's logs again, with the places (file and offset) of calls, into a temporary
 * database, and calls `use` with it. Does nothing if the session has no logs, or if they cannot be
 * read again. If the logs are unchanged, traces and event ids are the same. */
bool logs_import_with_places(struct session *session,
                             bool (*use)(void *context, struct database *database,
                                         struct error *error),
                             void *context, struct error *error);

/* Returns whether the current import must store the places (file, offset) of calls in the logs. */
bool logs_want_places(const struct session *session);

/* If `error` may be due to damage of the private database in the cache, deletes it. Returns whether
 * the logs must be imported again. */
bool logs_delete_damaged_database(const struct session *session, const struct error *error);

/* Deletes the session's temporary database, if any, and frees the logs. All databases of the
 * session must be closed. */
void logs_end(struct session *session);

/* Returns flags for opening the session's database; 0 without logs. */
enum database_mode logs_database_mode(const struct session *session);

/* Returns a word that is not a log but may be meant as one: it may be the name of a trace, or a
 * mistyped file. Borrowed; NULL: none. */
const char *logs_unknown_word(const struct session *session);

/* Returns the logs as typed, for suggested commands. Borrowed; NULL: no logs. */
const char *logs_as_typed(const struct session *session);

#endif
